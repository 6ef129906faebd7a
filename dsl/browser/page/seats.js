// A game on the table: who sits where, what was chosen, what each may read of it, taking back, saving and loading.

import { below, playerOf } from "./chance.js";
import { Engine, RuleFailure, Stopped } from "./engine.js";
import { entryText, standing } from "./events.js";
import { Wrong, choiceOf, fingerprint, numberOf, readSave, saved, settingsOf } from "./saves.js";
import { TakingBack } from "./taking_back.js";
import { HIDDEN, NONE, Words } from "./values.js";

export const [HUMAN, RANDOM] = ["human", "random"];
const THINKER = /^mcts(:\d{1,8}(\.\d{1,6})?s?)?$/;

/** Does a seat think? */
export function isThinker(seat) {
  return THINKER.test(seat);
}
const DEFAULT_ROUND = "round {0}";

export class Table {
  constructor(module, facts, language) {
    this.module = module;
    this.facts = facts;
    this.engine = new Engine(module, facts);
    this.words = new Words(facts, language);
    this.moments = [];
    this.lines = new WeakMap(); // of entries, by who reads them in which language
    this.passing = new Set();
  }

  /** Can nothing be done but pass? */
  get lonePass() {
    return this.engine.count === 1 && this.engine.offer(0).kind === "pass";
  }

  /** Does whoever is next pass by himself, as he wished? */
  get passes() {
    return this.passing.has(this.player) && this.lonePass;
  }

  letPass(player, wished) {
    if (wished) this.passing.add(player);
    else this.passing.delete(player);
  }

  get names() {
    return this.facts.domains[this.facts.players].members;
  }

  /** Does a player take part? */
  plays(player) {
    const { seats } = this.facts;
    return seats === null || Boolean((this.engine.vector[seats] >> player) & 1);
  }

  get people() {
    return this.seats.map((seat, player) => (seat === HUMAN && this.plays(player) ? player : -1)).filter((player) => player >= 0);
  }

  /** Do several people share the screen, and have secrets from each other? */
  get shared() {
    return this.facts.hides && this.people.length > 1;
  }

  speak(language) {
    this.words = new Words(this.facts, language);
  }

  // ---- beginning and going on ------------------------------------------------------------------

  /** A new game. `settings` are numbers, `seats` say who plays each player. */
  begin({ seed, settings, seats, takeback = false }) {
    const told = this.engine.start(seed, settings);
    this.seed = seed;
    this.seats = seats;
    this.takeback = takeback;
    this.chosen = {};
    for (const option of this.facts.options)
      if (option.name in settings && settings[option.name] !== option.default)
        this.chosen[option.name] = option.choices.length ? option.choices[settings[option.name]] : settings[option.name];
    this.random = playerOf(seed);
    this.viewer = null;
    this.moments = [];
    this.moments = [this.moment(told)];
  }

  moment(told, chosen = {}) {
    const before = this.moments[this.moments.length - 1]?.state;
    const state = Int32Array.from(this.engine.vector);
    return { state, told, random: [...this.random], drawn: chosen.choice ? this.drawn(before, state) : [], ...chosen };
  }

  /** Cards that have come into piles of players who did not see them before and do now (`dsl.engine.changes`), each pile
   * with those cards: who sees a card, and of what kind it is for whom. */
  drawn(before, after) {
    const { engine, facts } = this;
    const found = [];
    for (const pool of facts.pools) {
      if (pool.pile === null || !pool.owners.some((owner) => owner !== null)) continue;
      const { offset, type } = facts.vars[pool.pile];
      const moved = facts.domains[pool.domain].members
        .map((_, card) => [card, before[offset + card], after[offset + card]])
        .filter(([, was, pile]) => was !== pile && pile !== NONE && pool.owners[pile] !== null);
      if (!moved.length) continue;
      const sees = ([card, , pile]) => engine.sees(pool.pile, card, pool.owners[pile]);
      const open = moved.filter(sees);
      engine.vector.set(before);
      const came = open.filter((each) => each[1] === NONE || !sees(each));
      engine.vector.set(after);
      for (const pile of [...new Set(came.map((each) => each[2]))].sort((a, b) => a - b)) {
        const cards = came.filter((each) => each[2] === pile).map(([card]) => ({
          seen: this.names.map((_, viewer) => engine.sees(pool.pile, card, viewer)),
          kind: [null, ...this.names.keys()].map((viewer) => engine.kind(pool, card, viewer) ?? [pool.domain, card]),
        }));
        found.push({ label: [type[2], pile], plain: pool.piles[pile], cards });
      }
    }
    return found;
  }

  /** The same in words, as a player reads it, but for what the lines of the rules name. */
  drawnLine(moment, viewer, lines) {
    const told = moment.drawn.flatMap(({ label, plain, cards }) => {
      const pile = this.words.member(...label);
      const names = cards.filter(({ seen }) => viewer === null || seen[viewer]).map(({ kind }) => this.words.member(...kind[viewer === null ? 0 : viewer + 1]));
      if (pile === plain) return [];
      if (names.length === cards.length && names.every((name) => lines.some(({ text }) => text.includes(name)))) return [];
      const counted = new Map();
      for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
      const listed = [...counted].map(([name, count]) => (count > 1 ? `${count} ${name}` : name)).join(", ");
      return [listed ? `${pile} +${cards.length} (${listed})` : `${pile} +${cards.length}`];
    });
    return told.length ? [{ kind: "drawn", text: told.join(" \u00b7 ") }] : [];
  }

  get over() {
    return this.engine.count === 0;
  }

  get player() {
    return this.engine.player;
  }

  /** Goes on with an option; raises `RuleFailure`, and nothing has happened. */
  choose(number) {
    const { engine, facts } = this;
    const player = engine.player;
    const own = new Words(facts);
    const { kind } = engine.offer(number);
    const chosen = {
      player,
      kind,
      sealed: engine.asked.sealed,
      choice: choiceOf(engine, number),
      move: `${this.names[player]}: ${engine.bare(own, number) || kind}`,
    };
    const said = this.said(number);
    let told;
    try {
      told = engine.choose(number);
    } catch (error) {
      if (error instanceof Stopped) this.restart();
      throw error;
    }
    this.moments.push(this.moment(told, { ...chosen, said: said() }));
  }

  /** A new instance of the module stands where the game stood. */
  restart() {
    this.engine = new Engine(this.module, this.facts);
    this.engine.put(this.moments[this.moments.length - 1].state);
  }

  /** The words of a choice in each language, for who makes it; yields a function that adds, once it is made, what each
   * other player may read. */
  said(number) {
    const { engine, facts } = this;
    const saying = facts.hides ? engine.saying(number) : null;
    const found = ["", ...facts.languages].map((language) => {
      const words = new Words(facts, language);
      const bare = engine.label(words, number);
      const unsaid = engine.wordless(words, number);
      const prompt = engine.offer(number).kind === "take" || unsaid ? engine.prompt(words) : "";
      const asked = (text) => (prompt ? `${prompt} ${text}` : text);
      return [words, asked, { whole: asked(bare), open: null, bare, apart: engine.chosenApart(words, number) }];
    });
    return () => {
      for (const [words, asked, said] of saying ? found : [])
        said.open = this.names.map((_, viewer) => {
          const text = engine.openLabel(words, saying, viewer);
          return text === HIDDEN ? asked(`(${words.say("hidden")})`) : asked(text);
        });
      return Object.fromEntries(found.map(([words, , said]) => [words.language, said]));
    };
  }

  /** What a random player chooses here. */
  byChance() {
    return below(this.random, this.engine.count);
  }

  // ---- taking back -----------------------------------------------------------------------------

  /** How many choices are taken back at once: the last one, if whoever sits here made it; where all agree up to the
   * last one of a person; 0 where nothing may be. What came of the last one may still forbid it (`keptBy`). */
  get undoable() {
    let number = this.moments.length - 1;
    while (number > 0 && this.seats[this.moments[number].player] !== HUMAN) number--;
    if (number <= 0) return 0;
    const count = this.moments.length - number;
    if (this.takeback) return count;
    return count === 1 && (!this.shared || this.moments[number].player === this.viewer) ? 1 : 0;
  }

  /** Why the last choice is not to be taken back: the key of a phrase; empty where it may be. */
  keptBy() {
    if (this.takeback || !this.undoable) return "";
    const [before, after] = this.moments.slice(-2);
    this.taking ??= new TakingBack(this.module, this.facts);
    const kept = this.taking.keptBy(before.state, after.state, after.choice);
    if (kept) this.taking = null; // it may have been spoilt
    return kept;
  }

  undo() {
    const count = this.undoable;
    if (!count) return;
    this.moments.length -= count;
    const now = this.moments[this.moments.length - 1];
    this.engine.put(now.state);
    this.random = [...now.random];
  }

  // ---- keeping ---------------------------------------------------------------------------------

  save() {
    return saved(this);
  }

  /** Plays a save again from its choices; raises `Wrong`, and leaves this table as it was. */
  async load(text) {
    const found = readSave(this.facts, text);
    const table = new Table(this.module, this.facts, this.words.language);
    try {
      const known = (seat) => seat === HUMAN || isThinker(seat);
      const kept = this.names.map((_, player) => (known(found.players[player]) ? found.players[player] : RANDOM));
      const seats = kept.includes(HUMAN) ? kept : kept.map(() => HUMAN); // else it would run away from whoever looks at it
      const settings = settingsOf(this.facts, found.options);
      table.begin({ seed: BigInt(found.seed), settings, seats, takeback: this.takeback });
      for (const choice of found.choices) table.choose(numberOf(table.engine, choice));
    } catch (error) {
      if (error instanceof Wrong || error instanceof RuleFailure || error instanceof WebAssembly.RuntimeError)
        throw new Wrong("damaged");
      throw error;
    }
    const state = Int32Array.from(table.engine.vector);
    if ((await fingerprint(this.facts, state)) !== found.fingerprint) throw new Wrong("damaged");
    if (found.random.length === 4) table.random = found.random;
    table.chosen = found.options;
    return table;
  }

  /** What to go on from when the page is loaded again, perhaps with other rules. */
  kept() {
    const choices = this.moments.slice(1).map(({ choice: [offer, values] }) => [offer, values.map(String)]);
    return { seed: String(this.seed), chosen: this.chosen, seats: this.seats, takeback: this.takeback, language: this.words.language, choices };
  }

  /** Plays what was kept, as far as the rules of now allow it. */
  again(before) {
    const settings = {};
    for (const option of this.facts.options) {
      const value = before.chosen[option.name];
      const index = option.choices.indexOf(value);
      if (index >= 0 || (option.range && Number.isInteger(value))) settings[option.name] = index >= 0 ? index : value;
    }
    const seats = this.names.map((_, player) => before.seats[player] ?? HUMAN);
    this.begin({ seed: BigInt(before.seed), settings, seats, takeback: before.takeback });
    for (const [offer, values] of before.choices) {
      const number = Array.from({ length: this.engine.count }, (_, each) => each).find((each) => {
        const [one, found] = choiceOf(this.engine, each);
        return one === offer && found.map(String).join("|") === values.join("|");
      });
      if (number === undefined) return;
      this.choose(number);
    }
  }

  // ---- the story -------------------------------------------------------------------------------

  /** What has happened as a player (null: somebody who sees all) may read it: lines with a kind and a text. */
  story(viewer, since = 0) {
    const lines = [];
    let heading = null; // which waits until something stands under it, or something has changed
    let stood = null; // how it stood where that was told
    let waiting = [];
    const { vars } = this.facts;
    const piles = this.facts.standing.map((index, n) => (vars[index].role === "pile" ? n : -1)).filter((n) => n >= 0);
    const changed = (now) => this.facts.standing.some((index, n) => vars[index].role !== "pile" && stood[n] !== now[n] && (viewer === null || !vars[index].hidden));
    const come = (now) => {
      if (heading && changed(now)) lines.push(heading);
      heading = null;
    };
    let own = []; // the lines of a moment so far
    const put = (line, now = null) => {
      own.push(line);
      if (now) come(now);
      if (line.kind === "phase") {
        [heading, stood] = [line, now];
        return;
      }
      if (heading && line.kind !== "round") lines.push(heading);
      heading = null;
      lines.push(line);
    };
    for (const moment of this.moments.slice(since)) {
      let chosen = null;
      own = [];
      let drawn = moment.drawn; // which is told before the first heading at which all of it has been drawn
      const after = drawn.length ? standing(this.facts, moment.state) : null;
      const telling = () => {
        if (drawn.length) lines.push(...this.drawnLine(moment, viewer, own));
        drawn = [];
      };
      if (moment.choice) {
        if (moment.sealed && viewer !== null && viewer !== moment.player) {
          waiting.push(moment);
          put({ kind: "choice", text: this.words.say("chooses", { player: this.called(moment.player) }) });
        } else {
          for (const each of moment.sealed ? [] : waiting) put(this.choiceLine(each, viewer));
          if (!moment.sealed) waiting = [];
          chosen = this.choiceLine(moment, viewer);
          put(this.toldByRules(moment, chosen, viewer));
        }
      }
      const told = moment.told.filter(({ site }) => !(site.kind === "refused" && site.label === null));
      let choice = chosen;
      let last = ["", ""];
      let begun = Boolean(moment.choice); // what is thrown while the game is laid out is not told
      for (const [n, entry] of told.entries()) {
        if (unread(entry, viewer)) continue;
        const line = this.entryLine(entry, viewer);
        const clauses = entry.site.clauses.join();
        if (line.kind === "do" || line.kind === "row") {
          const only = line.kind === "do" ? choice : chosen;
          if (only && this.repeats(line, entry, only)) {
            [choice, last] = [null, [line.text, clauses]];
            continue;
          }
          if (line.text === last[0] && clauses !== last[1]) continue;
        }
        if (!line.text || toldAgain(entry, told[n + 1])) continue;
        begun ||= line.kind === "round" || line.kind === "phase";
        if (!begun && (line.kind === "roll" || line.kind === "pick")) continue;
        last = [line.text, clauses];
        if (entry.standing && drawn.length && piles.every((n) => entry.standing[n] === after[n])) {
          come(entry.standing);
          telling();
        }
        put(line, entry.standing);
      }
      if (heading) {
        const now = standing(this.facts, moment.state);
        if (changed(now)) come(now);
      }
      telling();
    }
    if (heading) lines.push(heading);
    return lines;
  }

  /** Does a line only say what was chosen, with or without a name before it? */
  repeats(line, entry, choice) {
    const whole = this.entryLine(entry, null).what;
    if (entry.player !== null) return entry.player === choice.player && (line.what === choice.what || whole === choice.whole);
    const behind = (text) => (text.includes(": ") ? text.slice(text.indexOf(": ") + 2) : "");
    const said = [line.text, behind(line.text), whole, behind(whole)];
    return said.includes(choice.what) || (choice.whole !== "" && said.includes(choice.whole));
  }

  /** A choice of another player in the words of the log, where the rules tell it: they know best what to leave out. */
  toldByRules(moment, chosen, viewer) {
    if (viewer === null || viewer === moment.player) return chosen;
    const entry = moment.told.find((each) => each.site.kind === "do" && each.player === moment.player && this.entryLine(each, null).what === chosen.whole);
    if (!entry) return chosen;
    const { text, rules } = this.entryLine(entry, viewer);
    return { ...chosen, text, rules };
  }

  called(player) {
    return this.words.member(this.facts.players, player);
  }

  choiceLine(moment, viewer) {
    const said = moment.said[this.words.language];
    const hidden = viewer !== null && viewer !== moment.player && said.open;
    const what = hidden ? said.open[viewer] : said.whole;
    const others = viewer !== null && viewer !== moment.player && this.facts.hides;
    const whole = said.apart && !others ? `${what} (${said.apart})` : what;
    const text = this.names.length > 1 ? this.words.say("who", { player: this.called(moment.player), text: whole }) : whole;
    return { kind: moment.kind === "pass" || moment.kind === "stop" ? "pass" : "choice", text, what, whole: said.whole, player: moment.player };
  }

  /** The same, made once for each reader and language, as a story is told again after each choice. */
  entryLine(entry, viewer) {
    if (!this.lines.has(entry)) this.lines.set(entry, new Map());
    const [made, key] = [this.lines.get(entry), `${viewer} ${this.words.language}`];
    if (!made.has(key)) made.set(key, this.line(entry, viewer));
    return made.get(key);
  }

  line(entry, viewer) {
    const { site } = entry;
    const { words, facts } = this;
    let text = entryText(entry, words, viewer);
    const rules = site.clauses.flatMap((clause) => facts.clauses[clause]);
    if (site.kind === "phase" && !site.clauses.length) {
      if (site.label !== null && facts.texts[site.label][""] === DEFAULT_ROUND && entry.args)
        text = words.say("round", { round: entry.args[0] });
      return { kind: "round", text };
    }
    const what = text;
    if (site.kind === "pick") text = words.say("picked", { what: text });
    if (site.kind === "roll") {
      const [dice, result] = text.split(": ");
      text = words.say(dice.startsWith("1d") ? "die" : "dice", { dice, result });
    }
    if (site.question !== null) text = `${words.text(site.question)} ${text}`;
    if (entry.player !== null && this.names.length > 1)
      text = words.say("who", { player: this.called(entry.player), text });
    if (site.kind === "refused") text = words.say("not done", { what: text });
    return { kind: site.kind, text, what, rules, player: entry.player };
  }
}

/** May a player see nothing of what an entry tells? Then it would be words around question marks. */
function unread(entry, viewer) {
  if (viewer === null || entry.player !== null || !entry.site.types.length) return false;
  return ["say", "do", "row"].includes(entry.site.kind) && !entry.seen.some((mask) => (mask >> viewer) & 1);
}

/** Is a throw read off a table whose row says the number too? A member of the same number says nothing of it. */
function toldAgain(entry, behind) {
  if (entry.site.kind !== "roll" || behind?.site.kind !== "row" || !entry.args || !behind.args) return false;
  return behind.site.types[0][0] === "int" && entry.args[entry.args.length - 1] === behind.args[0];
}
