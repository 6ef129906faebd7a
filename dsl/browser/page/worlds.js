// The worlds that a search begins in, as `dsl.search.worlds` and `dsl.engine.worlds` draw them.

import { below, playerOf, seeded } from "./chance.js";
import { drawn, every, neighbours, size, together } from "./other_values.js";

export class Worlds {
  /** `known` is what `dsl/browser/worlds.py` says; `calls` are the module's, and `info` is where it tells the decision. */
  constructor(known, calls, info) {
    this.known = known;
    this.calls = calls;
    this.info = info;
  }

  /** A function that draws worlds which a player cannot tell from this one; null where there is only this one. */
  drawn(state, player, seed) {
    const first = this.ordered(state, player);
    const covers = this.covers(first, player).filter((cover) => this.mayChange(first, cover));
    const answers = this.answers(first, player);
    if (!covers.length && !answers.length) return null;
    const base = this.answered(first, answers, null);
    const chance = playerOf(seed);
    return () => this.answered(this.rearranged(base, covers, (_, members) => shuffled(members, chance), (variable, sizes) => this.draw(variable, sizes, chance)), answers, chance);
  }

  /**
   * The one world that stands for all which a player cannot tell apart, some that are made from it by chance, up to so
   * many in which all has moved on that changes places, and up to so many in which one value that nobody shares is another.
   */
  alike(state, player, few, values, many, most) {
    const first = this.ordered(state, player);
    const covers = this.covers(first, player).filter((cover) => this.mayChange(first, cover));
    const count = covers.some((cover) => cover.lying === null) ? many : few;
    const others = Array.from({ length: covers.length ? count : 0 }, (_, seed) => this.another(first, covers, BigInt(seed)) ?? first.slice());
    return [first, ...others, ...this.turned(first, covers, values), ...(this.together(first, covers, most) ?? this.eachValue(first, covers, values))];
  }

  /** Worlds with all that the values which nobody shares may be together; null where they are too many, or there are none. */
  together(state, covers, most) {
    const lone = covers.filter(({ members, shareless }) => shareless && members.length === 1);
    const places = lone.flatMap(({ vars, members }) => vars.filter((variable) => this.known.vars[variable][2]).map((variable) => [variable, members[0]]));
    const rows = places.length ? together(places.map(([variable]) => every(this.known.vars[variable][4], most)), most) : null;
    return rows && rows.map((row) => {
      const found = state.slice();
      let taken = 0;
      for (const [variable, member] of places) {
        const width = this.known.vars[variable][1];
        found.set(row.slice(taken, taken + width), this.at(variable, member));
        taken += width;
      }
      return found;
    });
  }

  /** Worlds in which all that changes places, but cards in piles, has moved on by so many places. */
  turned(state, covers, most) {
    const turning = covers.filter((cover) => cover.lying === null && cover.members.length > 1);
    const longest = Math.max(1, ...turning.map((cover) => cover.members.length));
    const worlds = Math.min(longest - 1, most);
    return Array.from({ length: worlds }, (_, n) => {
      const turn = Math.floor(((n + 1) * longest) / (worlds + 1));
      const arranged = (_, members) => members.map((_, k) => members[(k + turn) % members.length]);
      return this.rearranged(state, turning, arranged, null);
    });
  }

  eachValue(state, covers, most) {
    const found = [];
    for (const { vars, members, shareless } of covers)
      for (const variable of shareless && members.length === 1 ? vars : [])
        for (const other of this.eachOther(state, variable, members[0])) {
          if (found.length === most) return found;
          found.push(other);
        }
    return found;
  }

  /** Worlds in which one value is another, near to what it is. */
  *eachOther(state, variable, member) {
    const [, , isField, , values] = this.known.vars[variable];
    if (!isField) return;
    for (const words of neighbours(values, this.values(state, variable, member))) {
      const found = state.slice();
      found.set(words, this.at(variable, member));
      yield found;
    }
  }

  /** Worlds in which one value is another that a player does not see, for every such value: numbers first, names last. */
  *single(state, player) {
    const { known } = this;
    this.stand(state);
    const sizes = new Map(known.domains.flatMap(([, size, hidden]) => hidden.map((variable) => [variable, size])));
    for (const variable of known.alone) sizes.set(variable, 1);
    const rank = (variable) => ({ number: 0, name: 2 })[known.vars[variable][4][0]] ?? 1;
    const places = [...sizes].flatMap(([variable, size]) => {
      const members = Array.from({ length: size }, (_, member) => member);
      return members.filter((member) => !this.calls.seen(variable, member, player)).map((member) => [rank(variable), variable, member]);
    });
    for (const [, variable, member] of places.sort(([r, a, m], [s, b, n]) => r - s || a - b || m - n))
      yield* this.eachOther(state, variable, member);
  }

  /** The world in which all of this has changed places by chance; null where that is the same. */
  another(state, covers, seed) {
    const chance = seeded(seed);
    const found = this.rearranged(state, covers, (_, members) => shuffled(members, chance), (variable, sizes) => this.draw(variable, sizes, chance));
    return found.some((word, k) => word !== state[k]) ? found : null;
  }

  // ---- what others have answered in secret -----------------------------------------------------

  answers(state, player) {
    const frame = state[this.known.top];
    const kept = frame < 0 ? undefined : this.known.kept[`${state[frame]} ${state[frame + 1]}`];
    return (kept ?? []).filter((question) => {
      this.ask(state, question);
      return this.told(4) !== player;
    });
  }

  answered(state, answers, chance) {
    let found = state.slice();
    for (const question of answers) {
      const count = this.ask(found, question);
      if (count) found = this.bound(found, question, chance ? below(chance, count) : 0);
    }
    return found;
  }

  /** The world in which a question, at which the module stands, has been answered with an option. */
  bound(state, question, number) {
    const found = state.slice();
    const words = new DataView(this.calls.memory.buffer);
    const option = this.told(8) + number * this.told(12);
    for (const [at, place, width] of question[1][words.getInt32(option, true)])
      for (let k = 0; k < width; k++) found[found[this.known.top] + place + k] = words.getInt32(option + 4 * (at + k), true);
    return found;
  }

  /** The worlds that come of each answer to a question; the module stands there meanwhile. */
  eachAnswer(state, question) {
    return Array.from({ length: this.ask(state, question) }, (_, number) => this.bound(state, question, number));
  }

  /** Stands where a question is asked; yields how many answers there are. */
  ask(state, question) {
    const there = state.slice();
    there[state[this.known.top] + 1] = question[0];
    return this.stand(there) > 0 ? this.told(0) : 0;
  }

  stand(state) {
    new Int32Array(this.calls.memory.buffer, 0, state.length).set(state);
    return this.calls.look();
  }

  told(offset) {
    return new DataView(this.calls.memory.buffer).getInt32(this.info + offset, true);
  }

  // ---- what lies hidden in variables -----------------------------------------------------------

  ordered(state, player) {
    const ascending = (vars, members) => {
      const rows = new Map(members.map((member) => [member, vars.flatMap((variable) => this.values(state, variable, member))]));
      return [...members].sort((a, b) => compared(rows.get(a), rows.get(b)));
    };
    return this.rearranged(state, this.covers(state, player), ascending, (variable) => this.known.vars[variable][3]);
  }

  draw(variable, sizes, chance) {
    const [, width, , , values] = this.known.vars[variable];
    return drawn(values, sizes, chance, width);
  }

  at(variable, member) {
    const [offset, width] = this.known.vars[variable];
    return offset + member * width;
  }

  values(state, variable, member) {
    const at = this.at(variable, member);
    return Array.from(state.subarray(at, at + this.known.vars[variable][1]));
  }

  mayChange(state, cover) {
    if (cover.shareless && cover.members.length === 1) return cover.vars.some((variable) => this.known.vars[variable][2]);
    const row = (member) => cover.vars.map((variable) => this.values(state, variable, member).join()).join("|");
    const first = row(cover.members[0]);
    return cover.members.some((member) => row(member) !== first);
  }

  /** What may change places for a player: variables that he does not see, of members that look alike to him. */
  covers(state, player) {
    const { known } = this;
    this.stand(state);
    const sees = (variable, member) => Boolean(this.calls.seen(variable, member, player));
    const unseen = new Map();
    for (const [, size, hidden] of known.domains)
      for (const variable of hidden) {
        const of = Array.from({ length: size }, (_, member) => !sees(variable, member));
        unseen.set(variable, of);
      }
    const found = [];
    for (const [domain, size, hidden, open] of known.domains) {
      if (known.kinds.includes(domain)) continue;
      const groups = new Map();
      for (let member = 0; member < size; member++) {
        const vars = hidden.filter((variable) => unseen.get(variable)[member]);
        if (!vars.length) continue;
        const shown = [...hidden, ...open].filter((variable) => !vars.includes(variable));
        const key = `${vars.join()}:${shown.map((variable) => this.values(state, variable, member).join()).join("|")}`;
        if (!groups.has(key)) groups.set(key, { vars, members: [] });
        groups.get(key).members.push(member);
      }
      const lying = known.lying.includes(domain);
      for (const { vars, members } of groups.values()) {
        if (lying) {
          found.push({ vars, members, lying: domain, shareless: false });
          continue;
        }
        const free = vars.filter((variable) => known.free.includes(variable));
        const shared = vars.filter((variable) => !known.free.includes(variable));
        const cover = (of, which) => ({ vars: of, members: which, lying: null, shareless: true, sizes: of.map((variable) => this.sizes(state, variable, size, sees)) });
        if (shared.length) found.push(cover(shared, members));
        if (free.length) for (const member of members) found.push(cover(free, [member]));
      }
    }
    for (const pool of known.pools) {
      const entry = known.domains.find(([domain]) => domain === pool.domain);
      if (!entry) continue;
      const [, size, hidden] = entry;
      const all = Array.from({ length: size }, (_, member) => member);
      const supplyOf = (member) => pool.supplies[member] ?? 0;
      const left = new Map();
      for (const member of all)
        if (!this.isIn(state, pool, pool.inPlay, member) && !this.isIn(state, pool, pool.out, member))
          left.set(supplyOf(member), [...(left.get(supplyOf(member)) ?? []), member]);
      const groups = new Map();
      for (const member of all) {
        if (!this.isIn(state, pool, pool.inPlay, member)) continue;
        const vars = hidden.filter((variable) => unseen.get(variable)[member]);
        if (!vars.includes(pool.kind)) continue;
        const number = supplyOf(member);
        const owner = pool.owners.map((variable) => this.values(state, variable, member).join()).join("|");
        const key = `${vars.join()}:${number}:${left.has(number) ? "" : owner}`;
        if (!groups.has(key)) groups.set(key, { vars, members: [], number });
        groups.get(key).members.push(member);
      }
      for (const { vars, members, number } of groups.values()) {
        const others = (left.get(number) ?? []).filter((member) => vars.every((variable) => unseen.get(variable)[member]));
        left.delete(number);
        found.push({ vars, members: [...members, ...others].sort((a, b) => a - b), lying: null, shareless: false });
      }
    }
    for (const variable of known.alone)
      if (!sees(variable, 0)) found.push({ vars: [variable], members: [0], lying: null, shareless: true, sizes: [[]] });
    return found;
  }

  /** How much is in those values of a variable that a player sees: in sets, bags and lists. */
  sizes(state, variable, count, sees) {
    const [, , , , values] = this.known.vars[variable];
    if (!["set", "bag", "list"].includes(values[0])) return [];
    const members = Array.from({ length: count }, (_, member) => member).filter((member) => sees(variable, member));
    return members.map((member) => size(values, this.values(state, variable, member)));
  }

  isIn(state, pool, variable, member) {
    const [offset, width] = this.known.vars[variable];
    return pool.each ? state[offset + member * width] !== 0 : (state[offset + (member >> 5)] >>> (member & 31)) & 1;
  }

  rearranged(state, covers, arranged, value) {
    const found = state.slice();
    const renamed = new Map();
    for (const { vars, members, lying, shareless, sizes } of covers) {
      if (shareless && members.length === 1) {
        vars.forEach((variable, k) => {
          if (this.known.vars[variable][2]) found.set(value(variable, sizes[k]), this.at(variable, members[0]));
        });
        continue;
      }
      const places = arranged(vars, members);
      if (lying !== null) members.forEach((member, k) => renamed.set(`${lying} ${places[k]}`, member));
      for (const variable of vars)
        members.forEach((member, k) => found.set(this.values(state, variable, places[k]), this.at(variable, member)));
    }
    if (found.some((word, k) => word !== state[k])) this.rename(found, renamed);
    return found;
  }

  /** What is under way goes on with those that took the places. */
  rename(state, renamed) {
    const { known } = this;
    for (let at = known.frames; at >= 0 && at <= state[known.top]; ) {
      const [size, locals] = known.routines[state[at]];
      for (const [offset, domain, kind, slots] of locals) {
        const place = at + offset;
        const other = (member) => renamed.get(`${domain} ${member}`) ?? member;
        const old = state.slice(place, place + slots);
        if (kind === "id") state[place] = other(state[place]);
        else if (kind === "list") for (let n = 1; n <= old[0]; n++) state[place + n] = other(old[n]);
        else if (kind === "bag") old.forEach((count, member) => (state[place + other(member)] = count));
        else {
          const changed = new Int32Array(slots);
          for (let n = 0; n < 32 * slots; n++)
            if ((old[n >> 5] >>> (n & 31)) & 1) changed[other(n) >> 5] |= 1 << (other(n) & 31);
          state.set(changed, place);
        }
      }
      at += size;
    }
  }
}

/** In an order as likely as every other. */
function shuffled(items, chance) {
  const found = [...items];
  for (let last = found.length - 1; last > 0; last--) {
    const other = below(chance, last + 1);
    [found[last], found[other]] = [found[other], found[last]];
  }
  return found;
}

function compared(a, b) {
  const k = a.findIndex((word, n) => word !== b[n]);
  return k < 0 ? 0 : a[k] - b[k];
}
