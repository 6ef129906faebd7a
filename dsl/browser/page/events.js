// What the rules tell in a stretch of play, from the module's list of events: entries of the log, with who may read what.

import { HIDDEN, NONE, elements, read, room } from "./values.js";

const [TOLD, MOVED] = [0, 1];
const HEAD = 20;

/** The entries between two addresses of the module's memory. */
export function entries(facts, view, begin, end) {
  const found = [];
  const witness = new Witness(facts, found);
  for (let at = begin; at < end; at += view.getInt32(at, true)) {
    const kind = view.getInt32(at + 4, true);
    if (kind === TOLD) told(facts, view, at, found, witness);
    else if (kind === MOVED) {
      const [pool, card, before, after] = [8, 12, 16, 20].map((offset) => view.getInt32(at + offset, true));
      witness.moved(`${pool} ${card}`, before, after);
    } else {
      const size = facts.domains[facts.pools[view.getInt32(at + 8, true)].domain].members.length;
      for (let card = 0; card < size; card++)
        if (view.getInt32(at + 12 + 4 * card, true)) witness.shuffled(`${view.getInt32(at + 8, true)} ${card}`);
    }
  }
  return found;
}

function told(facts, view, at, found, witness) {
  const site = facts.sites[view.getInt32(at + 8, true)];
  const failed = view.getInt32(at + 12, true);
  const actor = view.getInt32(at + 16, true);
  const seen = site.types.map((_, n) => view.getInt32(at + HEAD + 4 * n, true));
  let place = at + HEAD + 4 * site.types.length;
  const values = [...site.types, ...site.reads.map(([, type]) => type)].map((type) => {
    const value = failed ? null : read(view, place, type, true);
    place += room(type);
    return value;
  });
  const args = failed ? null : values.slice(0, site.types.length);
  if (site.sides && args && !args[0]) return; // of no dice nothing is told
  const entry = { site, args, seen, known: [], player: actor === NONE ? null : actor, standing: null };
  if (site.kind === "phase") {
    const behind = at + view.getInt32(at, true) - 4 * facts.standing.length;
    entry.standing = facts.standing.map((_, n) => view.getInt32(behind + 4 * n, true));
  }
  found.push(entry);
  if (!args) return;
  place = witness.told(entry, values, view, place);
  site.types.forEach((type, n) => {
    const pool = type[0] === "id" && facts.pools.find((each) => each.domain === type[2] && each.kind !== null);
    if (!pool) return;
    const kind = [facts.vars[pool.kind].type[2], view.getInt32(place, true)];
    if (args[n] !== NONE) entry.known.push({ piece: [type[2], args[n]], kind, seen: view.getInt32(place + 4, true) });
    place += 8;
  });
}

/** A hash of each field with words in a state, as the module has them where a phase begins. */
export function standing(facts, state) {
  return facts.standing.map((index) => {
    const { of, offset, width } = facts.vars[index];
    const size = width * (of === null ? 1 : facts.domains[of].members.length);
    return state.subarray(offset, offset + size).reduce((sum, each) => (Math.imul(sum, 16777619) + each) | 0, 0);
  });
}

/** Who has seen which card in a stretch of play (`dsl.engine.card_knowledge`). */
class Witness {
  constructor(facts) {
    this.secret = new Map();
    facts.pools.forEach((pool, number) => {
      if (pool.pile !== null && facts.vars[pool.pile].hidden) this.secret.set(pool.domain, number);
    });
    this.sizes = facts.domains.map((domain) => domain.members.length);
    this.saw = new Map();
    this.waiting = new Map();
  }

  /** A line names cards; yields where in the event the next words stand. */
  told(entry, values, view, place) {
    if (!this.secret.size) return place;
    const count = entry.site.types.length;
    const types = [...entry.site.types, ...entry.site.reads.map(([, type]) => type)];
    const namings = entry.site.types.map((_, at) => ({ entry, at, others: entry.seen[at], cards: new Map(), named: [] }));
    types.forEach((type, n) => {
      const of = type[0] === "set" || type[0] === "list" ? type[2] : type;
      const pool = of[0] === "id" ? this.secret.get(of[2]) : undefined;
      if (pool === undefined) return;
      const naming = namings[n < count ? n : entry.site.reads[n - count][0]];
      const cards = type[0] === "set" ? elements(values[n]) : type[0] === "list" ? values[n] : [values[n]];
      cards.forEach((card, k) => {
        if (card === NONE) return;
        const key = `${pool} ${card}`;
        const now = view.getInt32(place + 4 * (type[0] === "set" ? card : k), true);
        naming.cards.set(key, (this.saw.get(key) ?? 0) | now);
        if (n < count) naming.named.push(key);
      });
      place += 4 * (type[0] === "set" ? this.sizes[of[2]] : type[0] === "list" ? type[1] - 1 : 1);
    });
    for (const naming of namings) {
      for (const key of naming.cards.keys()) this.waiting.set(key, [...(this.waiting.get(key) ?? []), naming]);
      this.settle(naming);
    }
    return place;
  }

  settle(naming) {
    let mask = naming.others;
    for (const each of naming.cards.values()) mask &= each;
    naming.entry.seen[naming.at] = mask;
  }

  moved(card, before, after) {
    this.saw.set(card, (this.saw.get(card) ?? 0) | before | after);
    for (const naming of this.waiting.get(card) ?? []) {
      naming.cards.set(card, naming.cards.get(card) | after);
      if (naming.named.length === 1 && naming.named[0] === card) naming.others |= after;
      this.settle(naming);
    }
    this.waiting.delete(card);
  }

  shuffled(card) {
    this.saw.delete(card);
    this.waiting.delete(card);
  }
}

/** An entry as a player may read it (null: all of it). */
export function entryText(entry, words, viewer = null) {
  const { site } = entry;
  const reads = (n) => viewer === null || (entry.seen[n] >> viewer) & 1;
  const args = entry.args && entry.args.map((value, n) => (reads(n) ? value : null));
  const named = entry.known.filter(({ seen }) => viewer === null || (seen >> viewer) & 1);
  const called = (domain, member) =>
    named.find(({ piece }) => piece[0] === domain && piece[1] === member)?.kind ?? [domain, member];
  const part = (n) => (args && args[n] !== null ? words.shown(site.types[n], args[n], called) : HIDDEN);
  if (site.kind === "roll") return `${part(0)}d${site.sides}: ${part(1)}`;
  if (site.kind === "pick") return part(0);
  if (site.label === null) return site.name;
  const holes = site.holes.map((form, n) => (reads(n) ? form : HIDDEN));
  return words.filled(site.label, site.types, args, holes, called);
}
