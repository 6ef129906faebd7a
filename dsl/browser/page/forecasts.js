// What an option costs and does, before it is chosen, in a few words: `dsl.odds.forecast`, `dsl.engine.changes`,
// `dsl.cli.effects`. The module carries out the action alone, once for each way that its dice can fall.

import { seeded } from "./chance.js";
import { Engine } from "./engine.js";
import { MINUS, NONE, elements, read, room } from "./values.js";
import { Worlds } from "./worlds.js";

const [SUM, HANDS, PICK] = [0, 1, 2];
const NO_QUESTION = -695; // chance was asked more often than anybody goes through
const AMOUNT = new RegExp(`^(.* )([+${MINUS}])(\\d+)$`, "s");
const WHOSE = / \(([^()]+)\)/g;

export class Forecasts {
  constructor(module, facts) {
    this.facts = facts;
    this.engine = new Engine(module, facts);
    this.worlds = new Worlds(facts.thinks.worlds, this.engine.calls, facts.info);
  }

  /** For each option where a game stands what it does, in words, as whoever chooses can know it. */
  told(state, words, most) {
    const { engine, facts } = this;
    if (!engine.put(state)) return [];
    const viewer = engine.player;
    const options = Array.from({ length: Math.min(engine.count, most) }, (_, number) => {
      const { act } = engine.offer(number);
      return act === null ? null : { act, label: engine.label(words, number), args: this.args(number) };
    });
    const worlds = this.drawn(Int32Array.from(state), viewer).map((world) => ({ world, seen: new Map(), kinds: new Map() }));
    let [, left] = facts.attempts.most;
    return options.map((option) => {
      if (!option || !option.args || left <= 0) return "";
      const { found, tried } = this.forecast(worlds, option, viewer, words, Math.min(facts.attempts.most[0], left));
      left -= tried;
      return found ? effects(found, option.label, facts.attempts.shown) : "";
    });
  }

  /** The arguments of the action of an option, in bytes; null where they cannot be computed. */
  args(number) {
    const { engine, facts } = this;
    const { act, does } = engine.offer(number);
    const found = [];
    for (const [n, { word, type }] of does.entries()) {
      const at = engine.calls.word(word, engine.option(number), facts.beside);
      if (at < 0) return null;
      found.push([facts.attempts.places[act][n], new Uint8Array(engine.calls.memory.buffer, at, room(type)).slice()]);
    }
    return found;
  }

  /** The state where nothing is hidden from a player; else worlds that he cannot tell from it. */
  drawn(state, viewer) {
    const { domains, alone } = this.facts.thinks.worlds;
    if (!domains.length && !alone.length) return [state];
    return this.worlds.alike(state, viewer, ...this.facts.attempts.most.slice(2));
  }

  /** What an option does in some worlds, if that is the same in all (else null), and how many ways were tried. */
  forecast(worlds, option, viewer, words, most) {
    let known = null;
    let tried = 0;
    let wanted = worlds.length;
    for (let seed = 0; seed < wanted; seed++) {
      const place = worlds[seed % worlds.length];
      const falls = new Falls(this.engine, this.facts.attempts);
      const outcomes = new Map();
      do {
        if (tried === most) return { found: null, tried: most };
        tried++;
        const code = this.attempted(place.world, option, seed, falls);
        if (code < 0) return { found: null, tried: code === NO_QUESTION ? most : tried };
        if (this.engine.calls.shuffled()) wanted = Math.max(wanted, 1 + this.facts.attempts.most[2]);
        const row = this.amounts(place, viewer, words);
        if (!falls.note()) return { found: null, tried: most };
        const key = JSON.stringify(row);
        outcomes.set(key, { row, share: added(outcomes.get(key)?.share, falls.share) });
      } while (falls.next());
      const rows = [...outcomes.values()];
      if (rows.every(({ row }) => !row.length) || (known && !alike(known, outcomes))) return { found: null, tried };
      known = outcomes;
    }
    return { found: summed(known), tried };
  }

  attempted(world, { act, args }, seed, falls) {
    const { engine, facts } = this;
    const { vector } = engine;
    vector.set(world);
    vector.set(seeded(BigInt(seed)));
    const memory = new Uint8Array(engine.calls.memory.buffer);
    for (const [at, bytes] of args) memory.set(bytes, facts.attempts.arguments + at);
    falls.answer();
    return engine.calls.attempt(act);
  }

  /** What differs in labelled numbers, bags and sets, and the pieces that have left play (`dsl.engine.changes`). */
  amounts(place, viewer, words) {
    const { facts, engine } = this;
    const after = Int32Array.from(engine.vector);
    const views = [new DataView(place.world.buffer), new DataView(after.buffer)];
    const found = [];
    const changed = [];
    for (const [index, variable] of facts.vars.entries()) {
      const { label, role, type, of, offset, width } = variable;
      const counts = type[0] === "bag" || type[0] === "set" || (type[0] === "int" && !type[2]);
      if (label === null || (role !== "field" && role !== "undrawn") || !counts) continue;
      const size = of === null ? 1 : facts.domains[of].members.length;
      for (let member = 0; member < size; member++)
        for (let at = offset + member * width, k = 0; k < width; k++)
          if (place.world[at + k] !== after[at + k]) {
            changed.push([index, member]);
            break;
          }
    }
    for (const [index, member] of changed) {
      const { label, type, of, offset, width } = facts.vars[index];
      if (!this.sees(place, after, index, member, viewer)) continue;
      const [old, now] = views.map((view) => read(view, 4 * (offset + member * width), type));
      const own = of === facts.players && member === viewer;
      const named = (own) => `${words.text(label)}${of === null || own ? "" : ` (${words.member(of, member)})`}`;
      if (type[0] !== "int") found.push(`${named(false)} ${(type[0] === "bag" ? bagChange : setChange)(words, type, old, now)}`);
      else if (old !== NONE && now !== NONE) found.push(`${named(own)} ${now > old ? "+" : MINUS}${Math.abs(now - old)}`);
    }
    return [...found, ...this.gone(place, views, viewer, words)];
  }

  /** May a player see a variable of a member, before and after? */
  sees(place, after, index, member, viewer) {
    const { engine, facts } = this;
    if (!facts.vars[index].hidden) return true;
    engine.put(after);
    if (!engine.sees(index, member, viewer)) return false;
    return this.before(place, place.seen, `${index} ${member}`, () => engine.sees(index, member, viewer));
  }

  /** Something that is asked where an action begins, once for each world. */
  before(place, known, key, asked) {
    if (!known.has(key)) {
      this.engine.put(place.world);
      known.set(key, asked());
    }
    return known.get(key);
  }

  gone(place, views, viewer, words) {
    const { facts } = this;
    const found = [];
    for (const [number, pool] of facts.pools.entries()) {
      if (pool.pile !== null) continue;
      const [old, now] = views.map((view) => this.inPlay(pool, view));
      const names = new Map();
      for (const piece of old.filter((each) => !now.includes(each))) {
        const kind = this.before(place, place.kinds, `${number} ${piece}`, () => this.engine.kind(pool, piece, viewer));
        const name = kind ? words.member(...kind) : words.text(facts.domains[pool.domain].label) || pool.name;
        names.set(name, (names.get(name) ?? 0) + 1);
      }
      for (const [name, count] of names) found.push(`${MINUS}${count} ${name}`);
    }
    return found;
  }

  inPlay(pool, view) {
    const { of, offset, width, type } = this.facts.vars[pool.in_play];
    const all = Array.from({ length: this.facts.domains[pool.domain].members.length }, (_, piece) => piece);
    if (of !== null) return all.filter((piece) => view.getInt32(4 * (offset + piece * width), true));
    const bits = read(view, 4 * offset, type);
    return all.filter((piece) => (bits >> BigInt(piece)) & 1n);
  }
}

/** All ways that chance can take in an action, one after the other (`dsl.odds.ways`). */
class Falls {
  constructor(engine, attempts) {
    this.engine = engine;
    this.attempts = attempts;
    this.answers = [];
    this.weights = [];
  }

  /** Puts the answers of this way where the module reads them. */
  answer() {
    const { view } = this.engine;
    const at = this.attempts.questions;
    view.setInt32(at, this.answers.length, true);
    this.answers.forEach((answer, k) => view.setInt32(at + 8 + 4 * k, answer, true));
  }

  /** Notes the questions that had no answer yet; false where one has too many possibilities. */
  note() {
    const { view } = this.engine;
    const { questions, room, most } = this.attempts;
    const asked = view.getInt32(questions + 4, true);
    for (let k = this.weights.length; k < asked; k++) {
      const at = questions + 8 + 4 * room + 12 * k;
      const [kind, a, b] = [0, 4, 8].map((offset) => view.getInt32(at + offset, true));
      const weights = kind === SUM ? sums(a, b, most[0]) : kind === HANDS ? hands(a, b, most[0]) : kind === PICK ? evenly(a, most[0]) : this.weighed(a, b, most[0]);
      if (!weights) return false;
      this.weights.push(weights);
      this.answers.push(0);
    }
    return true;
  }

  weighed(count, first, most) {
    if (count > most) return null;
    const { view } = this.engine;
    const at = this.attempts.questions + 8 + 16 * this.attempts.room + 4 * first;
    return Array.from({ length: count }, (_, k) => BigInt(view.getInt32(at + 4 * k, true)));
  }

  /** How likely this way is, as a numerator and a denominator. */
  get share() {
    let [top, bottom] = [1n, 1n];
    this.weights.forEach((weights, k) => {
      top *= weights[this.answers[k]];
      bottom *= weights.reduce((sum, each) => sum + each, 0n);
    });
    return reduced(top, bottom);
  }

  /** Goes on to the next way; false where there is none. */
  next() {
    const { answers, weights } = this;
    while (answers.length && answers[answers.length - 1] + 1 === weights[answers.length - 1].length) {
      answers.pop();
      weights.pop();
    }
    if (!answers.length) return false;
    answers[answers.length - 1]++;
    return true;
  }
}

function evenly(count, most) {
  return count > most ? null : Array.from({ length: count }, () => 1n);
}

/** In how many ways some dice come to each sum, from one each on. */
function sums(count, sides, most) {
  if (count * (sides - 1) + 1 > most) return null;
  let found = [1n];
  for (let die = 0; die < count; die++) {
    const longer = Array.from({ length: found.length + sides - 1 }, () => 0n);
    found.forEach((ways, at) => {
      for (let side = 0; side < sides; side++) longer[at + side] += ways;
    });
    found = longer;
  }
  return found;
}

/** In how many orders each hand of dice comes, from the highest on. */
function hands(count, sides, most) {
  const found = [];
  const whole = factorial(count);
  const hand = Array.from({ length: count }, () => sides);
  for (;;) {
    if (found.length === most) return null;
    const alikes = new Map();
    for (const die of hand) alikes.set(die, (alikes.get(die) ?? 0) + 1);
    found.push([...alikes.values()].reduce((left, times) => left / factorial(times), whole));
    let last = count - 1;
    while (last >= 0 && hand[last] === 1) last--;
    if (last < 0) return found;
    hand.fill(hand[last] - 1, last);
  }
}

function factorial(number) {
  let found = 1n;
  for (let k = 2n; k <= number; k++) found *= k;
  return found;
}

function reduced(top, bottom) {
  let [a, b] = [top, bottom];
  while (b) [a, b] = [b, a % b];
  return [top / a, bottom / a];
}

function added(one, [top, bottom]) {
  return one ? reduced(one[0] * bottom + top * one[1], one[1] * bottom) : [top, bottom];
}

function alike(known, outcomes) {
  const same = ([a, b], [c, d]) => a === c && b === d;
  return known.size === outcomes.size && [...known].every(([key, { share }]) => outcomes.has(key) && same(share, outcomes.get(key).share));
}

/** The changes that all outcomes have, and of the others how likely each is, the likeliest first. */
function summed(outcomes) {
  const shares = new Map();
  for (const { row, share } of outcomes.values()) for (const each of new Set(row)) shares.set(each, added(shares.get(each), share));
  const certain = ([, [top, bottom]]) => top === bottom;
  const greater = ([, [a, b]], [, [c, d]]) => (a * d === c * b ? 0 : a * d > c * b ? -1 : 1);
  const all = [...shares];
  return { sure: all.filter(certain).map(([text]) => text), odds: all.filter((each) => !certain(each)).sort(greater) };
}

/** A bag's change as what came and what went. */
function bagChange(words, type, old, now) {
  const signed = now.map((count, member) => [count - old[member], member]).filter(([by]) => by);
  return signed.map(([by, member]) => `${by > 0 ? "+" : MINUS}${Math.abs(by)} ${words.member(type[2], member)}`).join(", ");
}

function setChange(words, type, old, now) {
  const names = (bits, sign) => elements(bits, type[3]).map((each) => `${sign}${words.shown(type[2], each)}`);
  return [...names(now & ~old, "+"), ...names(old & ~now, MINUS)].join(", ");
}

/**
 * Such as `[Purse −5; 42 %: −1 Guard]`; empty where the label says all of it already. What alone changes, and the
 * label names, is not named again.
 */
function effects(found, label, [mostSure, mostOdds, fewest]) {
  const { sure, odds } = unnamed(found, label);
  const untold = sure.filter((each) => !labelSays(label, each));
  const told = untold.length ? [[...untold.slice(0, mostSure), ...(untold.length > mostSure ? ["…"] : [])].join(", ")] : [];
  const many = grouped(odds, fewest);
  for (const [text, [top, bottom]] of many.slice(0, mostOdds)) told.push(top === bottom ? text : `${percent(top, bottom)} % ${text}`);
  if (many.length > mostOdds) told.push("…");
  return told.length ? `[${told.join("; ")}]` : "";
}

/** Changes without whose they are, where all are of one thing, and the label names that. */
function unnamed({ sure, odds }, label) {
  const texts = [...sure, ...odds.map(([text]) => text)];
  const whose = new Set(texts.flatMap((text) => [...text.matchAll(WHOSE)].map(([, name]) => name)));
  const quoted = [...whose].map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const named = new RegExp(`(?<![\\p{L}\\p{N}_])${quoted[0]}(?![\\p{L}\\p{N}_])`, "u");
  if (whose.size !== 1 || !named.test(label)) return { sure, odds };
  const short = (text) => text.replace(WHOSE, "");
  return { sure: sure.map(short), odds: odds.map(([text, share]) => [short(text), share]) };
}

/** The odds, of several amounts of one thing from the least to the greatest: `Purse +1…+6`. */
function grouped(odds, fewest) {
  const groups = new Map();
  for (const [text, share] of odds) {
    const parted = AMOUNT.exec(text);
    if (!parted) continue;
    const amount = parted[2] === "+" ? Number(parted[3]) : -Number(parted[3]);
    groups.set(parted[1], [...(groups.get(parted[1]) ?? []), [share, amount]]);
  }
  const signed = (amount) => (amount > 0 ? `+${amount}` : `${MINUS}${-amount}`);
  const found = [];
  const written = new Set();
  for (const [text, share] of odds) {
    const name = AMOUNT.exec(text)?.[1] ?? "";
    const group = groups.get(name) ?? [];
    if (group.length < fewest) found.push([text, share]);
    else if (!written.has(name)) {
      written.add(name);
      const amounts = group.map(([, amount]) => amount);
      const total = group.reduce((sum, [each]) => added(sum, each), null);
      found.push([`${name}${signed(Math.min(...amounts))}…${signed(Math.max(...amounts))}`, total]);
    }
  }
  return found;
}

/** Does a label name a change already: its number, and the word of what changes? */
function labelSays(label, change) {
  const number = new RegExp(`[+${MINUS}](\\d+)$`).exec(change);
  const [word] = change.toLowerCase().match(/[\p{L}\p{N}_]+/u) ?? [];
  if (!number || !word) return false;
  return (label.match(/\d+/g) ?? []).includes(number[1]) && label.toLowerCase().includes(word.replace(/[sx]+$/, ""));
}

/** A share in whole percent, halves to even; what is not quite 0 or 100 is not told as that. */
function percent(top, bottom) {
  const exact = (100 * Number(top)) / Number(bottom);
  const below = Math.floor(exact);
  const rounded = exact - below === 0.5 ? below + (below % 2) : Math.round(exact);
  if (rounded === 0) return "<1";
  return rounded === 100 ? ">99" : String(rounded);
}
