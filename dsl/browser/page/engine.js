// A game in the module: its vector, the decision at hand, and going on from there (`dsl.wasm.game`).

import { seeded } from "./chance.js";
import { entries } from "./events.js";
import { NONE, Words, elements, read } from "./values.js";

export const ASKS = 1;
export const [STATUS, WINNERS, REASON, DECISIONS, TOP, OUT] = [4, 5, 6, 7, 8, 9];

/** The rules failed: the number of the error; the game stands where it stood. */
export class RuleFailure extends Error {
  constructor(code) {
    super(`E${String(code).padStart(4, "0")}`);
    this.code = this.message;
  }
}

/** The browser stopped the module: it ran out of stack or memory; the instance is spoilt. */
export class Stopped extends RuleFailure {
  constructor(error) {
    super(0);
    this.code = this.message = error.message;
  }
}

const MOST_ALIKE = 1000; // options that are held against each other

/** Does a text have another one in it, with no letter or digit beside it? */
function hasWord(text, word) {
  const escaped = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "u").test(text);
}

export class Engine {
  constructor(module, facts) {
    this.facts = facts;
    this.instance = new WebAssembly.Instance(module, {});
    this.calls = this.instance.exports;
    this.calls.budget.value = facts.budget;
    this.calls.extent();
  }

  get view() {
    return new DataView(this.calls.memory.buffer);
  }

  get vector() {
    return new Int32Array(this.calls.memory.buffer, 0, this.facts.size);
  }

  /** Begins a game; yields what was told. Raises `RuleFailure`, or an error with the key of a phrase. */
  start(seed, settings) {
    const { facts, vector } = this;
    vector.fill(0);
    vector[REASON] = vector[TOP] = -1;
    for (const option of facts.options) vector[option.at] = settings[option.name] ?? option.default;
    const code = this.calls.initial();
    if (code < 0) throw new RuleFailure(-code);
    if (facts.seats !== null) {
      const seated = this.vector[facts.seats];
      if (!seated) throw new Error("no seats");
      this.vector[OUT] = (2 ** facts.domains[facts.players].members.length - 1) & ~seated;
    }
    this.vector.set(seeded(seed));
    return this.stretch(() => this.calls.begin());
  }

  /** Which players take part under some settings, a bit for each; all of them where that is not asked, or a rule fails. */
  seated(settings) {
    const { facts, vector } = this;
    if (facts.seats === null) return -1;
    vector.fill(0);
    for (const option of facts.options) vector[option.at] = settings[option.name] ?? option.default;
    return this.calls.initial() < 0 ? -1 : this.vector[facts.seats];
  }

  /** Goes on with an option; yields what was told. */
  choose(number) {
    return this.stretch(() => this.calls.choose(number));
  }

  stretch(run) {
    this.calls.listen();
    let code;
    try {
      code = run();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw new Stopped(error);
      throw error;
    }
    if (code < 0) throw new RuleFailure(-code);
    return entries(this.facts, this.view, this.facts.events, this.calls.events());
  }

  /** Puts a vector in place, and lists the options there; false where the rules cannot go on from it. */
  put(state) {
    this.vector.set(state);
    return this.calls.look() >= 0;
  }

  /** How many options there are now. */
  get count() {
    return this.vector[STATUS] || this.vector[TOP] < 0 ? 0 : this.view.getInt32(this.facts.info, true);
  }

  /** Who chooses now. */
  get player() {
    return this.view.getInt32(this.facts.info + 4, true);
  }

  /** Where an option lies. */
  option(number) {
    const { view, facts } = this;
    return view.getInt32(facts.info + 8, true) + number * view.getInt32(facts.info + 12, true);
  }

  /** May a player (null: who sees everything) see a variable of a member? */
  sees(variable, member, player) {
    if (player === null || !this.facts.vars[variable].hidden) return true;
    return Boolean(this.calls.seen(variable, member, player));
  }

  /** A variable of a member. */
  value(variable, member = 0) {
    const declared = this.facts.vars[variable];
    return read(this.view, 4 * (declared.offset + member * declared.width), declared.type);
  }

  // ---- pieces ----------------------------------------------------------------------------------

  /** The pieces of a pool that are in play. */
  inPlay(pool) {
    const declared = this.facts.vars[pool.in_play];
    const size = this.facts.domains[pool.domain].members.length;
    const all = Array.from({ length: size }, (_, piece) => piece);
    if (declared.of !== null) return all.filter((piece) => this.value(pool.in_play, piece));
    const bits = this.value(pool.in_play);
    return all.filter((piece) => (bits >> BigInt(piece)) & 1n);
  }

  /** The kind of a piece as domain and member, where a player may see it; null where it has none for him. */
  kind(pool, piece, viewer) {
    if (pool.kind !== null) {
      if (!this.sees(pool.kind, piece, viewer)) return null;
      return [this.facts.vars[pool.kind].type[2], this.value(pool.kind, piece)];
    }
    return pool.of === null ? null : [pool.of, pool.kinds[piece]];
  }

  /** By what things are called where some players read it; null where no kind is hidden (`dsl.engine.kinds`). */
  calling(viewers) {
    const { facts } = this;
    if (!facts.pools.some((pool) => pool.kind !== null)) return null;
    const hidden = (domain, member) => {
      for (const part of facts.domains[domain].parts.length ? facts.domains[domain].parts : [domain]) {
        const size = facts.domains[part].members.length;
        if (facts.domains[domain].parts.length && member >= size) {
          member -= size;
          continue;
        }
        if (facts.domains[part].parts.length) return hidden(part, member);
        const pool = facts.pools.find((each) => each.domain === part && each.kind !== null);
        return pool ? [pool, member] : null;
      }
      return null;
    };
    return (domain, member) => {
      const found = hidden(domain, member);
      if (!found || !viewers.every((each) => this.kind(...found, each))) return [domain, member];
      return this.kind(...found, null) ?? [domain, member];
    };
  }

  // ---- words -----------------------------------------------------------------------------------

  /** What is asked now. */
  get asked() {
    const { vector } = this;
    const frame = vector[TOP];
    return this.facts.asked[`${vector[frame]} ${vector[frame + 1]}`];
  }

  /** The offer of an option. */
  offer(number) {
    return this.asked.offers[this.view.getInt32(this.option(number), true)];
  }

  /** The values of some arguments at the decision at hand, null for each that cannot be computed. */
  values(args, option) {
    const steps = Math.floor(this.facts.beside / (this.count + 1));
    return args.map((each) => {
      const at = this.calls.word(each.word, option, steps);
      return at < 0 ? null : read(this.view, at, each.type, true);
    });
  }

  filled(words, label, args, option, called) {
    const types = args.map((each) => each.type);
    const values = this.values(args, option);
    if (!values.includes(null)) return words.filled(label, types, values, [], called);
    const parts = args.map((each, n) => (values[n] === null ? each.form : words.shown(each.type, values[n], called)));
    return words.filled(label, types, null, parts);
  }

  /** What is asked, in words that all read. */
  prompt(words) {
    const { asked } = this;
    const players = this.facts.domains[this.facts.players].members.map((_, each) => each);
    return this.filled(words, asked.prompt, asked.args, 0, this.calling(players));
  }

  /** What an option says by itself, to who chooses. */
  bare(words, number) {
    const offer = this.offer(number);
    return this.filled(words, offer.label, offer.args, this.option(number), this.calling([this.player]));
  }

  /** An option in words, as a person may choose it. */
  label(words, number) {
    return this.wordless(words, number) ? words.say(this.offer(number).kind) : this.bare(words, number);
  }

  /** Is an option to pass or to stop, for which the game has no words? */
  wordless(words, number) {
    const text = this.bare(words, number);
    const { kind } = this.offer(number);
    return (!text || text === kind) && (kind === "pass" || kind === "stop");
  }

  /** What a choice says to the other players, to be told after it (`openLabel`): what its label names, and what of that
   * each of them sees before it (`dsl.engine.public_words`). */
  saying(number) {
    const { facts } = this;
    const offer = this.offer(number);
    const values = this.values(offer.args, this.option(number));
    const viewers = facts.domains[facts.players].members.map((_, viewer) => {
      const called = new Map();
      const calling = this.calling([viewer]);
      const note = calling && ((domain, member) => {
        const found = calling(domain, member);
        if (found[0] !== domain) called.set(`${domain} ${member}`, found);
        return found;
      });
      new Words(facts).filled(offer.label, offer.args.map(({ type }) => type), values, [], note);
      return { called, cards: values.map((value, n) => this.cardsSeen(offer.args[n].type, value, viewer)) };
    });
    return { offer, values, viewers };
  }

  /** Which of the cards that a value names a player sees where they lie now. */
  cardsSeen(type, value, viewer) {
    const of = type[0] === "set" || type[0] === "list" ? type[2] : type;
    const pool = of[0] === "id" && this.facts.pools.find(({ domain, pile }) => domain === of[2] && pile !== null);
    if (!pool || value === null) return [];
    const cards = type[0] === "set" ? elements(value, type[3]) : type[0] === "list" ? value : [value];
    return cards.filter((card) => card !== NONE).map((card) => this.sees(pool.pile, card, viewer));
  }

  /** What a choice said to another player, asked when it has been made: `?` for what is not certain to be open. */
  openLabel(words, { offer, values, viewers }, viewer) {
    const { called, cards } = viewers[viewer];
    const after = this.calling([viewer]);
    const shown = values.map((value, n) => {
      const { open, type } = offer.args[n];
      if (open !== "cards") return open ? value : null;
      const now = this.cardsSeen(type, value, viewer);
      return cards[n].every((seen, k) => seen || now[k]) ? value : null;
    });
    const types = offer.args.map((each) => each.type);
    const text = words.filled(offer.label, types, shown, [], after && ((domain, member) => called.get(`${domain} ${member}`) ?? after(domain, member)));
    return (!text || text === offer.kind) && (offer.kind === "pass" || offer.kind === "stop") ? words.say(offer.kind) : text;
  }

  /** For each of the first options what to add to its label: what tells it from those that read alike, or else where the
   * pieces stand that share the name it has for them (`dsl.engine.distinct`). */
  toldApart(words, most) {
    const alike = this.count <= MOST_ALIKE ? this.distinctions(words) : [];
    const standing = new Map();
    return Array.from({ length: Math.min(this.count, most) }, (_, number) => alike[number] || this.amongNamesakes(words, number, standing));
  }

  /** Where the pieces stand that a label names, of those that share their name with another piece of the same owner whose
   * place all see; without those whose place it has already. */
  amongNamesakes(words, number, standing = new Map()) {
    const { facts } = this;
    const { args } = this.offer(number);
    const found = new Set();
    let label = null;
    const values = args.some(({ type }) => type[0] === "id" && this.poolOf(type[2])) ? this.values(args, this.option(number)) : [];
    if (values.includes(null)) return "";
    for (const [n, value] of values.entries()) {
      const { type } = args[n];
      const pool = type[0] === "id" && value !== NONE ? this.poolOf(type[2]) : null;
      if (!pool) continue;
      if (!standing.has(type[2])) {
        const owner = facts.vars.findIndex((each) => each.of === type[2] && each.name === "owner" && each.type[0] === "id" && !each.hidden);
        const of = (piece) => [`${owner < 0 ? NONE : this.value(owner, piece)} ${words.member(type[2], piece)}`, this.place(words, type[2], piece)];
        standing.set(type[2], new Map(this.inPlay(pool).map((piece) => [piece, of(piece)])));
      }
      const known = standing.get(type[2]);
      const [called, place] = known.get(value) ?? ["", ""];
      const shared = [...known.values()].filter(([other, there]) => other === called && there).length > 1;
      if (!place || !shared) continue;
      label ??= this.bare(words, number);
      if (label.includes(words.member(type[2], value)) && !hasWord(label, place)) found.add(place);
    }
    return [...found].join(", ");
  }

  poolOf(domain) {
    return this.facts.pools.find((pool) => pool.domain === domain) ?? null;
  }

  /** For each option what tells it from those that read alike (`dsl.engine.distinct`). */
  distinctions(words, most = MOST_ALIKE) {
    const { count } = this;
    const alike = new Map();
    const found = Array.from({ length: count }, () => "");
    for (let number = 0; number < Math.min(count, most); number++) {
      const label = this.bare(words, number);
      alike.set(label, [...(alike.get(label) ?? []), number]);
    }
    for (const numbers of alike.values())
      if (numbers.length > 1) this.apart(words, numbers).forEach((text, k) => (found[numbers[k]] = text));
    return found;
  }

  /** The same of one option, once it has been chosen: without its number among those that read alike. */
  chosenApart(words, chosen) {
    return this.chosenAlone(words, chosen) || this.amongNamesakes(words, chosen);
  }

  chosenAlone(words, chosen, most = MOST_ALIKE) {
    const label = this.bare(words, chosen);
    const numbers = [];
    for (let number = 0; number < Math.min(this.count, most); number++)
      if (this.bare(words, number) === label) numbers.push(number);
    if (numbers.length < 2 || !numbers.includes(chosen)) return "";
    return this.wordsApart(words, numbers)?.[numbers.indexOf(chosen)] ?? "";
  }

  apart(words, numbers) {
    return this.wordsApart(words, numbers) ?? numbers.map((_, k) => String(k + 1));
  }

  /** A text for each of some options by what they are about; null where that does not tell them apart. */
  wordsApart(words, numbers) {
    const told = numbers.map((number) => this.about(words, number));
    const distinct = (texts) => new Set(texts).size;
    if (distinct(told.map((each) => each.length)) === 1) {
      const columns = told[0].map((_, k) => told.map((each) => each[k]));
      for (const texts of columns) if (distinct(texts) === numbers.length && texts.every(Boolean)) return texts;
      const different = columns.filter((texts) => distinct(texts) > 1 && texts.every(Boolean));
      const joined = different.length ? numbers.map((_, k) => different.map((texts) => texts[k]).join(", ")) : [];
      if (joined.length && distinct(joined) === numbers.length) return joined;
    }
    return null;
  }

  /** What the arguments of an option stand for: of a piece where it is, if all see that. */
  about(words, number) {
    const { does } = this.offer(number);
    return this.values(does, this.option(number)).map((value, n) => {
      const { type } = does[n];
      if (type[0] === "id" && value !== null && value !== NONE)
        return this.place(words, type[2], value) ?? words.member(type[2], value);
      return type[0] === "int" && value !== null ? words.shown(type, value) : "";
    });
  }

  place(words, domain, member) {
    const { facts } = this;
    for (const part of facts.domains[domain].parts) {
      const size = facts.domains[part].members.length;
      if (member < size) return this.place(words, part, member);
      member -= size;
    }
    if (!facts.pools.some((pool) => pool.domain === domain)) return null;
    const at = facts.vars.findIndex(
      (each) => each.of === domain && each.name === "at" && each.type[0] === "id" && !each.hidden,
    );
    if (at < 0) return "";
    const place = this.value(at, member);
    return place === NONE ? "" : words.member(facts.vars[at].type[2], place);
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** How the game ended; null while it goes on. */
  outcome(words = new Words(this.facts)) {
    const { vector, facts } = this;
    if (!vector[STATUS]) return null;
    const players = facts.domains[facts.players].members.map((_, each) => each).filter((each) => (vector[WINNERS] >> each) & 1);
    const ending = facts.endings[vector[REASON]];
    if (!ending) return { players, kind: "bound", label: "" };
    const kind = players.length ? "victory" : ending.kind === "defeat" ? "defeat" : "draw";
    return { players, kind, label: words.text(ending.label) };
  }

  /** An outcome in one sentence (`dsl.cli.story.sentence`). */
  sentence(words) {
    const found = this.outcome(words);
    if (!found) return "";
    if (found.kind === "bound") return words.say("bound");
    const names = found.players.map((each) => words.member(this.facts.players, each)).join(", ");
    const result = names ? words.say("wins", { names }) : words.say(found.kind === "draw" ? "draw" : "nobody wins");
    return found.label ? words.say("so", { what: found.label, result }) : result;
  }
}
