// The worlds that a search begins in, as `dsl.search.worlds` and `dsl.engine.worlds` draw them.

import { below, playerOf, seeded } from "./chance.js";

const NOTHING = -(2 ** 31);

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
    return () => this.answered(this.rearranged(base, covers, (_, members) => shuffled(members, chance), (variable) => this.draw(variable, chance)), answers, chance);
  }

  /**
   * The one world that stands for all which a player cannot tell apart, some that are made from it by chance, and up to
   * so many in which one number or name that nobody shares is another.
   */
  alike(state, player, count, values) {
    const first = this.ordered(state, player);
    const covers = this.covers(first, player).filter((cover) => this.mayChange(first, cover));
    const others = Array.from({ length: covers.length ? count : 0 }, (_, seed) => this.another(first, covers, BigInt(seed)) ?? first.slice());
    return [first, ...others, ...this.eachValue(first, covers, values)];
  }

  eachValue(state, covers, most) {
    const found = [];
    for (const { vars, members, shareless } of covers)
      for (const variable of shareless && members.length === 1 ? vars : []) {
        const [, , isField, , drawn] = this.known.vars[variable];
        if (!isField || !drawn) continue;
        const [low, high, optional] = drawn;
        const at = this.at(variable, members[0]);
        for (let value = low - (optional ? 1 : 0); value <= high && found.length < most; value++) {
          const other = state.slice();
          other[at] = value < low ? NOTHING : value;
          if (other[at] !== state[at]) found.push(other);
        }
      }
    return found;
  }

  /** Worlds in which one number is another that a player does not see, for every such number and value. */
  *single(state, player) {
    const { known } = this;
    this.stand(state);
    const sizes = new Map(known.domains.flatMap(([, size, hidden]) => hidden.map((variable) => [variable, size])));
    for (const variable of known.alone) sizes.set(variable, 1);
    const places = [...sizes].flatMap(([variable, size]) => {
      const [, , isField, , drawn, isNumber] = known.vars[variable];
      if (!isField || !drawn || !isNumber) return [];
      const members = Array.from({ length: size }, (_, member) => member);
      return members.filter((member) => !this.calls.seen(variable, member, player)).map((member) => [variable, member, drawn]);
    });
    for (const [variable, member, [low, high]] of places.sort(([a, m], [b, n]) => a - b || m - n))
      for (let value = low; value <= high; value++) {
        const found = state.slice();
        found[this.at(variable, member)] = value;
        if (found[this.at(variable, member)] !== state[this.at(variable, member)]) yield found;
      }
  }

  /** The world in which all of this has changed places by chance; null where that is the same. */
  another(state, covers, seed) {
    const chance = seeded(seed);
    const found = this.rearranged(state, covers, (_, members) => shuffled(members, chance), (variable) => this.draw(variable, chance));
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

  draw(variable, chance) {
    const drawn = this.known.vars[variable][4];
    if (!drawn) return null;
    const [low, high, optional] = drawn;
    if (optional && !below(chance, high - low + 2)) return [NOTHING];
    return [low + below(chance, high - low + 1)];
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
    if (cover.shareless && cover.members.length === 1) return cover.vars.some((variable) => this.known.vars[variable][4]);
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
        if (shared.length) found.push({ vars: shared, members, lying: null, shareless: true });
        if (free.length) for (const member of members) found.push({ vars: free, members: [member], lying: null, shareless: true });
      }
    }
    for (const pool of known.pools) {
      const entry = known.domains.find(([domain]) => domain === pool.domain);
      if (!entry) continue;
      const [, size, hidden] = entry;
      const groups = new Map();
      for (let member = 0; member < size; member++) {
        if (!this.inPlay(state, pool, member)) continue;
        const vars = hidden.filter((variable) => unseen.get(variable)[member]);
        if (!vars.includes(pool.kind)) continue;
        const key = `${vars.join()}:${pool.owners.map((variable) => this.values(state, variable, member).join()).join("|")}`;
        if (!groups.has(key)) groups.set(key, { vars, members: [] });
        groups.get(key).members.push(member);
      }
      for (const { vars, members } of groups.values()) found.push({ vars, members, lying: null, shareless: false });
    }
    for (const variable of known.alone)
      if (!sees(variable, 0)) found.push({ vars: [variable], members: [0], lying: null, shareless: true });
    return found;
  }

  inPlay(state, pool, member) {
    const [offset, width] = this.known.vars[pool.inPlay];
    return pool.each ? state[offset + member * width] !== 0 : (state[offset + (member >> 5)] >>> (member & 31)) & 1;
  }

  rearranged(state, covers, arranged, value) {
    const found = state.slice();
    const renamed = new Map();
    for (const { vars, members, lying, shareless } of covers) {
      if (shareless && members.length === 1) {
        for (const variable of vars) {
          const changed = this.known.vars[variable][2] ? value(variable) : null;
          if (changed) found.set(changed, this.at(variable, members[0]));
        }
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
