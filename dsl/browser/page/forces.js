// What each player and side has on the table, in words, as `dsl.scene.forces` tells it: pieces by kind, regions held.

import { BoardView, holds, shortly } from "./board.js";
import { NONE } from "./values.js";

const [MOST_PLACES, MOST_APART, MOST_MEMBERS] = [4, 12, 12];

export class Forces {
  constructor(engine, words, viewer) {
    this.engine = engine;
    this.facts = engine.facts;
    this.words = words;
    this.viewer = viewer;
    this.boards = this.facts.looks.boards.map((_, number) => new BoardView(engine, words, viewer, number));
    this.usual = new Map();
  }

  /** For each player or side what it has, by kind, as `[domain, member, texts with their kinds]`; the players first. */
  ofOwners() {
    const { facts, engine } = this;
    const owners = new Map();
    const put = ([domain, member], group, facets, kind) => {
      const key = `${domain} ${member}`;
      if (!owners.has(key)) owners.set(key, { owner: [domain, member], groups: new Map() });
      const { groups } = owners.get(key);
      const name = group.join("\0");
      if (!groups.has(name)) groups.set(name, { group, kind, pieces: [] });
      groups.get(name).pieces.push(facets);
    };
    for (const [number, pool] of facts.pools.entries()) {
      const { owner } = facts.looks.pools[number];
      if (pool.pile !== null || owner === null || !this.field(pool, "at")) continue;
      for (const piece of engine.inPlay(pool)) {
        const whose = this.scalar(owner, piece);
        const where = whose === NONE ? null : this.where(pool, piece);
        if (where === null) continue;
        const kind = engine.kind(pool, piece, this.viewer);
        put(this.alone(facts.vars[owner].type[2], whose), [number, kind ? kind[1] : NONE, this.kind(pool, piece)], [where, ...this.told(number, piece)], kind);
      }
    }
    for (const { board, domain } of this.boards) {
      if (board.shape === "regions") continue;
      const fields = this.fields(board.domain).filter(({ type }) => type[0] === "id");
      const owner = fields.find(({ type }) => this.owns(type[2]));
      const thing = fields.find(({ type, name }) => !this.owns(type[2]) && name !== "at");
      for (let cell = 0; owner && cell < domain.members.length; cell++) {
        const whose = this.scalar(owner.index, cell);
        if (whose === NONE) continue;
        const lies = thing ? this.scalar(thing.index, cell) : NONE;
        const name = lies !== NONE ? this.named(thing.type[2], lies) : owner.label === null ? "" : this.words.text(owner.label);
        const lying = lies === NONE && owner.label !== null && facts.pools.length ? [this.named(board.domain, cell)] : [];
        put(this.alone(owner.type[2], whose), [-1, lies, name], lying, lies === NONE ? null : [thing.type[2], lies]);
      }
    }
    const players = facts.players;
    const order = ({ owner: [a, m] }, { owner: [b, n] }) => Number(a !== players) - Number(b !== players) || a - b || m - n;
    return [...owners.values()].sort(order).map(({ owner, groups }) => {
      const sorted = [...groups.values()].sort(({ group: a }, { group: b }) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1));
      return [...owner, this.grouped(owner, sorted)];
    });
  }

  /** Where several kinds are off the board those last, which is said once. */
  grouped(owner, groups) {
    const nowhere = this.words.say("off the board");
    const off = groups.map(({ pieces }) => pieces.filter(([where]) => where === nowhere).map((each) => each.slice(1)));
    const several = off.filter((pieces) => pieces.length).length > 1;
    const found = [];
    for (const { group, kind, pieces } of groups) {
      const here = several ? pieces.filter(([where]) => where !== nowhere) : pieces;
      if (here.length) found.push({ text: this.group(owner, group[2], here, false), kind });
    }
    let lead = this.words.say("so", { what: nowhere, result: "" });
    for (const [n, pieces] of several ? off.entries() : []) {
      if (!pieces.length) continue;
      found.push({ text: lead + this.group(owner, groups[n].group[2], pieces, true), kind: groups[n].kind });
      lead = "";
    }
    return found;
  }

  group([domain, member], name, pieces, off) {
    const others = domain === this.facts.players && this.viewer !== null && this.viewer !== member;
    const least = off ? 1 : others || pieces.length > MOST_PLACES ? 2 : 1;
    const apart = pieces.filter((each) => each.length >= least).map((each) => each.join(", "));
    if (apart.length > MOST_APART) apart.splice(MOST_APART, apart.length, "…");
    const counted = pieces.length > 1 || !name ? `${pieces.length} ${name}`.trimEnd() : name;
    return apart.length ? `${counted} (${apart.join("; ")})` : counted;
  }

  /** For each player or side how many regions it holds and what stands there, as `[domain, member, pairs]`. */
  ofRegions() {
    const { facts } = this;
    const found = new Map();
    for (const view of this.boards) {
      const { holder, number } = view.board;
      if (view.board.shape !== "regions" || holder === null || facts.vars[holder].label === null) continue;
      const held = new Map();
      view.domain.members.forEach((_, cell) => {
        const owner = view.holder(cell);
        if (!owner) return;
        const [domain, member] = this.alone(facts.vars[holder].type[2], owner.value);
        const key = `${domain} ${member}`;
        const count = number === null ? NONE : view.scalar(number, cell);
        const [, , cells, sum] = held.get(key) ?? [domain, member, 0, 0];
        held.set(key, [domain, member, cells + 1, sum + (count === NONE ? 0 : count)]);
      });
      for (const [key, [domain, member, cells, sum]] of held) {
        if (!found.has(key)) found.set(key, [domain, member, []]);
        found.get(key)[2].push([view.fieldName(holder), String(cells)], ...(number === null ? [] : [[view.fieldName(number), String(sum)]]));
      }
    }
    return [...found.values()];
  }

  /** The fields with words of sides and the like, which are no players, cells or pieces. */
  ofThings() {
    const { facts } = this;
    const apart = new Set([null, facts.players, ...facts.looks.boards.map(({ domain }) => domain), ...facts.pools.map(({ domain }) => domain)]);
    const domains = new Set(facts.vars.filter(({ role, label, of }) => role === "field" && label !== null && !apart.has(of)).map(({ of }) => of));
    const found = [];
    for (const domain of domains) {
      const { members } = facts.domains[domain];
      for (let member = 0; member < members.length && members.length <= MOST_MEMBERS; member++)
        for (const { index } of this.fields(domain)) {
          const pair = facts.vars[index].label === null ? null : this.pair(index, member);
          if (pair) found.push([`${this.words.member(domain, member)} · ${pair[0]}`, pair[1]]);
        }
    }
    return found;
  }

  /** What is told of a card in a pile, and the pieces that it holds. */
  beside(number, card) {
    const pool = this.facts.pools[number];
    return [...this.told(number, card), ...(this.held.get(`${pool.domain} ${card}`) ?? [])];
  }

  get held() {
    if (!this.inside) {
      this.inside = new Map();
      for (const pool of this.facts.pools) {
        const field = this.field(pool, "in");
        for (const piece of field ? this.engine.inPlay(pool) : []) {
          const holder = this.scalar(field.index, piece);
          if (holder === NONE) continue;
          const key = this.alone(field.type[2], holder).join(" ");
          this.inside.set(key, [...(this.inside.get(key) ?? []), this.kind(pool, piece)]);
        }
      }
    }
    return this.inside;
  }

  // ---- pieces ----------------------------------------------------------------------------------

  scalar(index, member) {
    const { offset, width } = this.facts.vars[index];
    return this.engine.sees(index, member, this.viewer) ? this.engine.vector[offset + member * width] : NONE;
  }

  fields(domain) {
    return this.facts.vars.map((each, index) => ({ ...each, index })).filter(({ of, role }) => of === domain && role === "field");
  }

  field(pool, called) {
    return this.fields(pool.domain).find(({ name, type }) => name === called && type[0] === "id");
  }

  /** A player, side or piece by itself, not as one of a union. */
  alone(domain, member) {
    for (const part of this.facts.domains[domain].parts) {
      const size = this.facts.domains[part].members.length;
      if (member < size) return this.alone(part, member);
      member -= size;
    }
    return [domain, member];
  }

  owns(domain) {
    const { kind, parts } = this.facts.domains[domain];
    return kind === "player" || kind === "side" || parts.some((part) => this.owns(part));
  }

  kind(pool, piece) {
    const kind = this.engine.kind(pool, piece, this.viewer);
    return kind ? this.words.member(...kind) : this.words.text(this.facts.domains[pool.domain].label) || pool.name;
  }

  /** Where a piece is, in words; null where the viewer may not know. */
  where(pool, piece) {
    for (const [called, phrase] of [["at", null], ["in", "in"]]) {
      const field = this.field(pool, called);
      if (!field) continue;
      if (!this.engine.sees(field.index, piece, this.viewer)) return null;
      const place = this.scalar(field.index, piece);
      if (place === NONE) continue;
      const what = this.named(field.type[2], place);
      return phrase ? this.words.say(phrase, { what }) : what;
    }
    return this.words.say("off the board");
  }

  named(domain, member) {
    [domain, member] = this.alone(domain, member);
    const pool = this.facts.pools.find((each) => each.domain === domain);
    return pool ? this.kind(pool, member) : this.words.member(domain, member);
  }

  /** What is told of a piece: why only its outline is drawn, and its fields with words that most others do not share. */
  told(number, piece) {
    const pool = this.facts.pools[number];
    const why = this.boards.length ? this.boards[0].why(this.facts.looks.pools[number], pool, piece) : "";
    const found = why ? [why] : [];
    for (const index of this.telling(pool)) {
      const pair = this.pair(index, piece);
      if (pair && pair[1] !== this.common(pool, index)) found.push(pair.filter(Boolean).join(" "));
    }
    return found;
  }

  telling(pool) {
    const placed = ({ name, type }) => {
      if (type[0] !== "id") return false;
      const faces = this.boards.some(({ board }) => this.facts.domains[type[2]].members.every((each) => each in board.angles));
      return name === "at" || name === "in" || this.owns(type[2]) || faces;
    };
    return this.fields(pool.domain).filter((field) => field.label !== null && !placed(field)).map(({ index }) => index);
  }

  /** A field of a member and its value, of a truth its name alone; null where it is hidden or holds nothing. */
  pair(index, member) {
    const { label, type } = this.facts.vars[index];
    if (!this.engine.sees(index, member, this.viewer)) return null;
    const value = this.engine.value(index, member);
    if (!holds(type, value)) return null;
    return [this.words.text(label), type[0] === "int" && type[2] ? "" : shortly(this.words, type, value)];
  }

  /** What most pieces of a type say alike in a field that holds no number and no truth; null where there is no such thing. */
  common(pool, index) {
    if (!this.usual.has(index)) {
      const { type } = this.facts.vars[index];
      const counts = new Map();
      const pieces = this.engine.inPlay(pool);
      if (type[0] !== "int")
        for (const piece of pieces) {
          const pair = this.pair(index, piece);
          if (pair) counts.set(pair[1], (counts.get(pair[1]) ?? 0) + 1);
        }
      this.usual.set(index, [...counts].find(([, count]) => 2 * count > pieces.length)?.[0] ?? null);
    }
    return this.usual.get(index);
  }
}
