// A board as SVG: its ground, what stands on it as a player may see it, and the cells that can be chosen.
//
// Where cells lie and how things look comes from `dsl.scene`, by way of `looks` in the facts.

import { NONE, elements } from "./values.js";

const SVG = "http://www.w3.org/2000/svg";
const [INK, PAPER, EDGE, FAINT] = ["#1a1a1a", "#ffffff", "#8a8a80", "#6b6b63"];
const UNIT = 100;
const MOST_GROWN = 1.6;
const grown = new WeakMap(); // by board

/** An element of SVG with attributes and children; a text is text. */
export function svg(tag, attributes = {}, ...children) {
  const found = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) found.setAttribute(name, String(value));
  for (const each of children) found.append(each);
  return found;
}

/** A colour between two, with a share of the other. */
export function mixed(one, other, share) {
  const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const [a, b] = [parts(one), parts(other)];
  return `#${a.map((each, k) => Math.round(each + (b[k] - each) * share).toString(16).padStart(2, "0")).join("")}`;
}

/** A picture of a row in a square, `null` without one; what it calls `currentColor` is drawn in `ink`. */
function picture(looks, kind, x, y, size, ink = INK) {
  if (!hasPicture(looks, kind)) return null;
  const [number] = looks.rows[kind[0]][kind[1]];
  const made = ([tag, attributes, children]) => svg(tag, attributes, ...children.map(made));
  const found = made(looks.pictures[number]);
  for (const [name, value] of Object.entries({ class: "picture", x, y, width: size, height: size, color: ink })) found.setAttribute(name, value);
  return found;
}

function hasPicture(looks, kind) {
  return Boolean(kind) && (looks.rows[kind[0]]?.[kind[1]]?.[0] ?? -1) >= 0;
}

/** The same as an element beside text. */
export function pictured(looks, kind, size) {
  const drawn = picture(looks, kind, 0, 0, size);
  return drawn && svg("svg", { class: "shown", width: size, height: size, "aria-hidden": "true" }, drawn);
}

/** Black or white, whichever is read better on a colour (contrast as WCAG 2.2 computes it). */
function inkOn(fill) {
  const luminance = (colour) => {
    const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const light = luminance(fill);
  return (light + 0.05) / (luminance(INK) + 0.05) >= 1.05 / (light + 0.05) ? INK : PAPER;
}

/** What stands on a board, read from the state in the engine. */
/** By how much the boxes of regions can grow, so that what stands in them is read, and lines between them are still seen. */
function growth({ cells, parts, shape }) {
  if (shape !== "regions") return 1;
  const sizes = cells.map(([, corners]) => [0, 1].map((k) => Math.max(...corners.map((each) => each[k])) - Math.min(...corners.map((each) => each[k]))));
  const groups = parts ? parts.map((part) => part.cells.map((cell, n) => [cell, part.at[n]])) : [cells.map(([at], cell) => [cell, at])];
  let most = MOST_GROWN;
  for (const group of groups)
    group.forEach(([one, [x, y]], n) => {
      for (const [other, [a, b]] of group.slice(0, n)) {
        const [wide, high] = [0, 1].map((k) => (sizes[one][k] + sizes[other][k]) / 2);
        most = Math.min(most, Math.max(Math.abs(x - a) / wide, Math.abs(y - b) / high));
      }
    });
  return Math.max(1, 1 + (most - 1) * 0.6);
}

export class BoardView {
  /** `choices` are the cells that options name, `aspect` is how much wider than high the place for the board is, and
   * `kept` has the cells as they were drawn last, with all that they were drawn from: who looks the same is not drawn again. */
  constructor(engine, words, viewer, number, choices = new Set(), aspect = 1.6, kept = new Map()) {
    this.kept = kept;
    this.engine = engine;
    this.words = words;
    this.viewer = viewer;
    this.facts = engine.facts;
    this.looks = this.facts.looks;
    this.board = this.looks.boards[number];
    this.domain = this.facts.domains[this.board.domain];
    this.told = new Map(this.board.told);
    if (!grown.has(this.board)) grown.set(this.board, growth(this.board));
    this.grown = grown.get(this.board);
    if (this.board.parts) this.board = { ...this.board, cells: this.laid(choices, aspect) };
  }

  /** Does a region take part: has it somebody or something, or can it be chosen? */
  plays(cell, choices) {
    if (choices.has(cell)) return true;
    const { owner, number, notes } = this.region(cell);
    return owner || notes.length || (number !== null && number !== NONE && number !== 0);
  }

  /** The cells of the parts that take part, in as many rows as make them largest; those of others have no corners. */
  laid(choices, aspect) {
    const { cells, parts } = this.board;
    const playing = parts.filter((part) => part.cells.some((cell) => this.plays(cell, choices)));
    const used = playing.length ? playing : parts;
    const gap = 0.7;
    const rows = (across) => Array.from({ length: Math.ceil(used.length / across) }, (_, row) => used.slice(row * across, (row + 1) * across));
    const size = (across) => {
      const widths = rows(across).map((row) => row.reduce((sum, { width }) => sum + width + gap, -gap));
      const heights = rows(across).map((row) => Math.max(...row.map(({ height }) => height)));
      return Math.min(aspect / Math.max(...widths), 1 / (heights.reduce((sum, each) => sum + each + gap, -gap)));
    };
    const across = used.map((_, n) => n + 1).reduce((best, each) => (size(each) > size(best) ? each : best), 1);
    const found = cells.map(() => [[0, 0], []]);
    let top = 0;
    for (const row of rows(across)) {
      let left = 0;
      for (const part of row) {
        part.cells.forEach((cell, n) => {
          const [[a, b], corners] = cells[cell];
          const [x, y] = [part.at[n][0] + left, part.at[n][1] + top];
          found[cell] = [[x, y], corners.map(([c, d]) => [x + c - a, y + d - b])];
        });
        left += part.width + gap;
      }
      top += Math.max(...row.map(({ height }) => height)) + gap;
    }
    return found;
  }

  /** A variable of one slot; none where the viewer may not see it. */
  scalar(index, member = 0) {
    const { offset, width } = this.facts.vars[index];
    return this.engine.sees(index, member, this.viewer) ? this.engine.vector[offset + member * width] : NONE;
  }

  /** The same of a cell; what the viewer may not see is as the map says. */
  now(index, cell) {
    if (!this.engine.sees(index, cell, this.viewer)) return this.told.get(index)?.[cell] ?? NONE;
    const { offset, width } = this.facts.vars[index];
    return this.engine.vector[offset + cell * width];
  }

  owner(domain, member) {
    return member === NONE || member < 0 ? null : (this.looks.owners[this.looks.owner_of[domain]?.[member]] ?? null);
  }

  /** Who can own something, by a variable: the owner and what it is called. */
  owned(index, member) {
    const value = this.scalar(index, member);
    const { type } = this.facts.vars[index];
    const owner = this.owner(type[2], value);
    return owner && { ...owner, label: this.words.member(type[2], value), value };
  }

  cellName(cell) {
    return this.board.shape === "regions" ? this.words.member(this.board.domain, cell) : this.domain.members[cell];
  }

  // ---- the ground ------------------------------------------------------------------------------

  fill(cell) {
    const { board, looks } = this;
    let fill = looks.plain;
    if (board.ground) fill = board.ground[1][this.now(board.ground[0], cell)] ?? fill;
    for (const [index, tint] of board.truths) if (this.now(index, cell) === 1) fill = mixed(fill, tint, looks.shares[0]);
    for (const [cells, owner, tint] of board.areas)
      if (cells.includes(cell))
        fill = owner >= 0 ? mixed(fill, looks.owners[owner].fill, looks.shares[1]) : mixed(fill, tint, looks.shares[0]);
    return fill;
  }

  ground(cell) {
    const { board, facts, words } = this;
    const found = [];
    if (board.ground) {
      const value = this.now(board.ground[0], cell);
      if (value !== NONE) found.push(words.member(facts.vars[board.ground[0]].type[2], value));
    }
    for (const [index] of board.truths) if (this.now(index, cell) === 1) found.push(this.fieldName(index));
    for (const [cells, , , names] of board.areas)
      if (cells.includes(cell)) found.push(names[words.language] ?? names[facts.language] ?? Object.values(names)[0]);
    return found;
  }

  /** The member that a value which says how things are drawn gives for one (`dsl.scene.ground`); NONE where there is none. */
  drawing(number, member, among) {
    const { engine, facts } = this;
    const at = engine.calls.word(number, member, Math.floor(facts.beside / (among + 1)));
    return at < 0 ? NONE : engine.view.getInt32(at, true);
  }

  /** What the game lays over an empty cell: a sign and its meaning; null where nothing lies there. */
  overlay(cell) {
    if (!this.board.overlay) return null;
    const [number, domain, signs] = this.board.overlay;
    const value = this.drawing(number, cell, this.domain.members.length);
    return value === NONE ? null : { sign: signs[value], label: this.words.member(domain, value) };
  }

  fieldName(index) {
    const { label, name } = this.facts.vars[index];
    return this.words.text(label) || name.replaceAll("_", " ");
  }

  /** The map's sign of a cell as it is now: its own as long as all that it says holds, else another cell's; or none. */
  sign(cell) {
    const { signs } = this.board;
    if (cell >= signs.length) return "";
    const now = this.board.told.map(([index, values]) => [values, this.now(index, cell)]);
    const fits = (each) => now.every(([values, value]) => values[each] === value);
    const found = fits(cell) ? cell : signs.findIndex((_, each) => fits(each));
    return found < 0 || signs[found] === "." ? "" : signs[found];
  }

  // ---- what stands on it -----------------------------------------------------------------------

  /** The pieces, larger ones first, and what fields of cells say. */
  pieces() {
    const found = [...this.real()].sort((a, b) => b.cells.length - a.cells.length);
    for (let cell = 0; cell < this.domain.members.length; cell++) {
      const token = this.token(cell);
      if (token) found.push(token);
    }
    return found;
  }

  *real() {
    const { facts, looks, board, engine } = this;
    for (const [number, pool] of facts.pools.entries()) {
      const look = looks.pools[number];
      if (look.at === null) continue;
      const domain = facts.vars[look.at].type[2];
      const covers = board.shapes[domain];
      if (domain !== board.domain && !covers) continue;
      for (const piece of engine.inPlay(pool)) {
        const place = this.scalar(look.at, piece);
        if (!(place >= 0 && place < facts.domains[domain].members.length)) continue;
        const kind = engine.kind(pool, piece, this.viewer);
        const owner = look.owner === null ? null : this.owned(look.owner, piece);
        const facing = look.facing === null ? NONE : this.scalar(look.facing, piece);
        const direction = facing === NONE ? "" : facts.domains[facts.vars[look.facing].type[2]].members[facing];
        yield {
          pool: number,
          piece,
          cells: covers ? covers[place] : [place],
          sign: kind ? this.thingSign(...kind) : look.sign,
          label: kind ? this.words.member(...kind) : pool.name,
          owner,
          hidden: pool.kind !== null && !kind,
          kind,
          why: this.why(look, pool, piece),
          angle: board.angles[direction] ?? null,
          facing: direction && this.words.member(facts.vars[look.facing].type[2], facing),
          values: this.values(pool.domain, piece, [look.at, look.owner, look.facing]),
        };
      }
    }
  }

  /** Why only the outline of a piece is drawn; empty where all of it is. */
  why(look, pool, piece) {
    if (!look.outline) return "";
    const [number, domain, guards] = look.outline;
    if (!guards.every((variable) => this.engine.sees(variable, piece, this.viewer))) return "";
    const value = this.drawing(number, piece, this.facts.domains[pool.domain].members.length);
    return value === NONE ? "" : this.words.member(domain, value);
  }

  thingSign(domain, member) {
    return this.board.thing_signs[domain]?.[member] ?? this.facts.domains[domain].members[member].slice(0, 2);
  }

  /** The fields with words for players that hold something: a name and a value, of a truth the name alone. */
  values(domain, member, without = []) {
    const found = [];
    this.facts.vars.forEach((each, index) => {
      if (each.of !== domain || each.role !== "field" || each.label === null || without.includes(index)) return;
      if (!this.engine.sees(index, member, this.viewer)) return;
      const value = this.engine.value(index, member);
      if (!holds(each.type, value)) return;
      const truth = each.type[0] === "int" && each.type[2];
      found.push([this.fieldName(index), truth ? "" : shortly(this.words, each.type, value)]);
    });
    return found;
  }

  /** What fields of a cell say that lies on it: a stone, a man, whose it is. */
  token(cell) {
    const { board } = this;
    const whose = board.owners.find((index) => this.owned(index, cell));
    const owner = whose === undefined ? null : this.owned(whose, cell);
    const things = [...board.things, ...(owner ? board.carried : [])];
    const thing = things.find((index) => this.scalar(index, cell) !== NONE);
    if (!owner && thing === undefined) return null;
    let [sign, label, kind] = ["", owner?.label ?? "", null];
    if (thing !== undefined) {
      const domain = this.facts.vars[thing].type[2];
      const value = this.scalar(thing, cell);
      sign = (this.told.has(thing) && this.sign(cell)) || this.thingSign(domain, value);
      label = this.words.member(domain, value);
      kind = [domain, value];
      if (label === sign) label = this.facts.domains[domain].members[value].replaceAll("_", " ");
    }
    if (thing === undefined && whose !== undefined && this.facts.vars[whose].label !== null) {
      label = this.fieldName(whose);
      sign = board.owner_signs[board.owners.indexOf(whose)];
    }
    return { cells: [cell], sign, label, owner, kind, why: "", hidden: false, angle: null, facing: "", values: [] };
  }

  // ---- regions ---------------------------------------------------------------------------------

  /** Whose a region is, how many stand there, and what else is told of it. */
  region(cell) {
    const { board, facts, words } = this;
    const notes = [];
    for (const index of board.notes) {
      const of = facts.vars[index].of;
      const name = this.fieldName(index);
      if (of === facts.players) {
        for (let player = 0; player < facts.domains[of].members.length; player++)
          if (this.scalar(index, player) === cell) notes.push(`${name} ${words.member(of, player)}`);
      } else if (this.scalar(index, cell) !== NONE) notes.push(`${name} ${words.member(board.domain, this.scalar(index, cell))}`);
    }
    for (const [name, value] of this.values(board.domain, cell, [board.holder, board.number, ...board.notes]))
      notes.push(value ? `${name} ${value}` : name);
    const pointers = board.pointers.filter(([index]) => this.scalar(index) === cell);
    return {
      owner: board.holder === null ? null : this.holder(cell),
      number: board.number === null ? null : this.scalar(board.number, cell),
      notes: [...pointers.map(([index]) => this.fieldName(index)), ...notes],
      pointer: pointers.map(([, sign]) => sign).join(""),
    };
  }

  holder(cell) {
    const found = this.owned(this.board.holder, cell);
    return found && found.value === this.board.unclaimed ? null : found;
  }

  // ---- drawing ---------------------------------------------------------------------------------

  /** The board; `choices` are the cells that options name, `first` those that are shown, `picked` those pointed at. */
  drawn(choices, first, picked) {
    const { board } = this;
    const pieces = this.pieces();
    const on = new Map();
    for (const piece of pieces) for (const cell of piece.cells) on.set(cell, [...(on.get(cell) ?? []), piece]);
    this.badge = badgeOf(pieces);
    this.figured = figured(this.looks);
    this.shown = pieces;
    this.over = new Map();
    const fills = board.cells.map((_, cell) => this.fill(cell));
    const checkered = board.shape === "squares" && new Set(fills).size === 1;
    const ground = svg("g", {});
    for (const [one, other] of board.links) {
      const [[x, y], [a, b]] = [board.cells[one][0], board.cells[other][0]];
      if (!board.cells[one][1].length || !board.cells[other][1].length) continue;
      ground.append(svg("line", { x1: x * UNIT, y1: y * UNIT, x2: a * UNIT, y2: b * UNIT, stroke: EDGE, "stroke-width": 2.5 }));
    }
    const cells = svg("g", {});
    board.cells.forEach(([[x, y], corners], cell) => {
      if (!corners.length) return;
      const held = on.get(cell) ?? [];
      const over = held.length ? null : this.overlay(cell);
      if (over) this.over.set(over.sign, over.label);
      const about = board.shape === "regions" ? this.region(cell) : null;
      const told = [this.cellName(cell), ...this.ground(cell), ...held.map(pieceText)];
      if (over) told.push(over.label);
      if (about?.owner) told.push(about.owner.label);
      if (about && about.number !== null && about.number !== NONE) told.push(String(about.number));
      if (about) told.push(...about.notes);
      const choice = choices.has(cell);
      const label = told.filter(Boolean).join(", ");
      const dark = checkered && (Math.floor(x) + Math.floor(y)) % 2;
      const fill = dark ? mixed(fills[cell], INK, 0.09) : fills[cell];
      const kind = about ? null : this.groundKind(cell);
      const sign = about || held.length ? "" : over?.sign || (hasPicture(this.looks, kind) ? "" : this.sign(cell));
      const state = {
        class: `cell${choice ? " choice" : ""}${first.has(cell) ? " first" : ""}${picked.has(cell) ? " picked" : ""}`,
        role: choice ? "button" : "img",
        tabindex: choice ? 0 : -1,
        "aria-pressed": choice ? String(picked.has(cell)) : null,
      };
      const from = JSON.stringify([x, y, label, fill, kind, sign, about, state, this.words.language, this.figured]);
      const before = this.kept.get(cell);
      if (before?.from === from) {
        for (const name of ["class", "tabindex"]) before.group.setAttribute(name, state[name]); // which others change
        cells.append(before.group);
        return;
      }
      const group = svg("g", {
        transform: this.grown > 1 ? `translate(${x * UNIT} ${y * UNIT}) scale(${this.grown}) translate(${-x * UNIT} ${-y * UNIT})` : null,
        ...state,
        "data-cell": cell,
        "aria-label": label,
      });
      this.kept.set(cell, { from, group });
      group.append(svg("title", {}, label));
      const points = (share) => corners.map(([a, b]) => `${(x + (a - x) * share) * UNIT},${(y + (b - y) * share) * UNIT}`).join(" ");
      if (about) this.drawRegion(group, cell, corners, about, fills[cell]);
      else {
        group.append(svg("polygon", { points: points(1), fill, stroke: EDGE, "stroke-width": 1.5 }));
        const drawn = picture(this.looks, kind, x * UNIT - 36, y * UNIT - 36, 72, FAINT);
        if (drawn) group.append(drawn);
        if (sign) group.append(text(sign, x * UNIT, y * UNIT + 11, 30, FAINT));
        if (board.shape !== "squares") group.append(text(this.domain.members[cell], x * UNIT, y * UNIT + 46, 15, FAINT));
      }
      group.append(svg("polygon", { class: "mark", points: points(0.9) }));
      cells.append(group);
    });
    const rulers = svg("g", { "aria-hidden": "true" });
    for (const [label, [x, y]] of board.rulers) rulers.append(text(label, x * UNIT, y * UNIT + 8, 22, FAINT));
    const layer = svg("g", { class: "pieces", "aria-hidden": "true" });
    const crowds = new Map();
    for (const piece of pieces) if (piece.cells.length === 1) crowds.set(piece.cells[0], [...(crowds.get(piece.cells[0]) ?? []), piece]);
    for (const piece of pieces) layer.append(this.drawPiece(piece, crowds));
    return [ground, cells, rulers, layer];
  }

  /** What the signs on the board mean, each once: those of pieces, of the ground, and of the number at pieces. */
  legend() {
    const found = new Map();
    const reasons = new Set();
    for (const { sign, label, kind, why } of this.shown) {
      if (sign) found.set(sign, [label, kind]);
      if (why) reasons.add(why);
    }
    if (reasons.size) found.set("◌", [[...reasons].join(", "), null]);
    for (const [sign, label] of this.over) found.set(sign, [label, null]);
    const covered = new Set(this.shown.flatMap(({ cells }) => cells));
    if (this.board.shape !== "regions")
      this.domain.members.forEach((_, cell) => {
        const kind = this.groundKind(cell);
        const hidden = covered.has(cell) && !picture(this.looks, kind, 0, 0, 1);
        const sign = hidden ? "" : this.sign(cell);
        const ground = sign ? this.ground(cell).join(", ") : "";
        if (ground && !found.has(sign)) found.set(sign, [ground, kind]);
      });
    if (this.badge) found.set("1", [this.badge, null]);
    return [...found].map(([sign, [meaning, kind]]) => [sign, meaning, kind]);
  }

  /** The kind of ground of a cell. */
  groundKind(cell) {
    if (!this.board.ground) return null;
    const [index] = this.board.ground;
    const value = this.now(index, cell);
    return value === NONE ? null : [this.facts.vars[index].type[2], value];
  }

  /** The part of the board that is shown at first: all of it; of regions those that play, or can be chosen. */
  box(choices) {
    const edge = this.board.rulers.length ? 0.6 : 0.15;
    const used = this.board.cells.filter((_, cell) => this.board.parts || this.board.shape !== "regions" || this.plays(cell, choices)).flatMap(([[x, y], corners]) => corners.map(([a, b]) => [x + (a - x) * this.grown, y + (b - y) * this.grown]));
    const [left, top, right, bottom] = used.length
      ? [0, 1].map((k) => Math.min(...used.map((each) => each[k]))).concat([0, 1].map((k) => Math.max(...used.map((each) => each[k]))))
      : [0, 0, this.board.width, this.board.height];
    return [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge].map((each) => each * UNIT);
  }

  drawRegion(group, cell, corners, { owner, number, notes, pointer }, fill) {
    const [[left, top], , [right, bottom]] = corners.map(([x, y]) => [x * UNIT, y * UNIT]);
    const width = right - left;
    const ground = owner ? mixed(PAPER, owner.fill, 0.28) : fill;
    group.append(svg("rect", { x: left, y: top, width, height: bottom - top, fill: ground, stroke: owner ? INK : EDGE, "stroke-width": 1.3 }));
    group.append(svg("rect", { x: left, y: top, width, height: 7, fill: owner ? owner.fill : EDGE }));
    let y = top + 23;
    for (const line of wrapped(this.cellName(cell), width - 12, 13.5, 2)) {
      group.append(text(line, (left + right) / 2, y, 13.5, INK, { "font-weight": "bold" }));
      y += 15.5;
    }
    let aside = left + 10;
    if (owner) {
      group.append(figure(this.figured ? owner.figure : "circle", left + 16, bottom - 16, 9, owner.fill, INK));
      aside = left + 31;
    }
    if (pointer) {
      group.append(text(pointer, aside + 8, bottom - 9, 20, INK));
      aside += 22;
    }
    let end = right - 9;
    if (number !== null && number !== NONE) {
      group.append(text(String(number), end, bottom - 9, 24, INK, { "text-anchor": "end", "font-weight": "bold" }));
      end -= 15 * String(number).length + 8;
    }
    const room = end - aside;
    if (notes.length && room > 30) {
      const most = Math.max(1, Math.floor((bottom - 4 - (y - 12)) / 13));
      const told = wrapped(notes.join(", "), room, 11, most);
      told.reverse().forEach((line, n) => group.append(text(line, aside, bottom - 8 - n * 13, 11, INK, { "text-anchor": "start" })));
    }
  }

  /** The middle of some cells. */
  middle(cells) {
    return [0, 1].map((k) => cells.reduce((sum, cell) => sum + this.board.cells[cell][0][k], 0) / cells.length);
  }

  place(piece, crowds) {
    const centres = piece.cells.map((cell) => this.board.cells[cell][0]);
    const at = this.middle(piece.cells);
    if (piece.cells.length > 1) {
      const others = this.shown.filter((each) => each !== piece).map(({ cells }) => this.middle(cells));
      const free = ([x, y]) => others.every(([a, b]) => Math.abs(x - a) + Math.abs(y - b) > 0.55);
      return [[at, ...centres].find(free) ?? at, 0.26];
    }
    const crowd = crowds.get(piece.cells[0]);
    const number = crowd.indexOf(piece);
    if (this.board.shape === "regions") {
      const step = Math.min(0.34, 1.4 / crowd.length);
      return [[at[0] + (number - (crowd.length - 1) / 2) * step * this.grown, at[1] + 0.2 * this.grown], step * 0.47 * this.grown];
    }
    if (this.board.shape !== "squares") at[1] -= 0.07; // below it stands the name of the hex
    if (crowd.length === 1) return [at, this.board.shape === "squares" ? 0.34 : 0.32];
    const across = Math.ceil(Math.sqrt(crowd.length));
    const rows = Math.ceil(crowd.length / across);
    const step = crowd.length > 2 ? 0.84 / Math.max(across, rows) : 0.46;
    return [[at[0] + ((number % across) - (across - 1) / 2) * step, at[1] + (Math.floor(number / across) - (rows - 1) / 2) * step], step * 0.47];
  }

  drawPiece(piece, crowds) {
    const [[px, py], radius] = this.place(piece, crowds);
    const [x, y, r] = [px * UNIT, py * UNIT, radius * UNIT];
    const own = piece.kind ? this.looks.rows[piece.kind[0]]?.[piece.kind[1]]?.[1] : "";
    const fill = piece.owner?.fill ?? (own || "#dcdcd4");
    const ink = piece.why ? INK : (piece.owner?.ink ?? (own ? inkOn(own) : INK));
    const group = svg("g", { class: "piece" });
    const hollow = piece.why !== "";
    if (piece.cells.length > 1) this.drawFootprint(group, piece, fill, hollow);
    if (piece.angle !== null) {
      const turn = (piece.angle * Math.PI) / 180;
      const point = (forward, aside) => [x + Math.sin(turn) * forward + Math.cos(turn) * aside, y - Math.cos(turn) * forward + Math.sin(turn) * aside];
      const corners = [point(r * 1.42, 0), point(r * 0.85, r * 0.55), point(r * 0.85, -r * 0.55)];
      group.append(svg("polygon", { class: "facing", points: corners.map((each) => each.join(",")).join(" "), fill: INK }));
    }
    if (hollow) group.append(svg("circle", { cx: x, cy: y, r, fill: PAPER, stroke: mixed(fill, INK, 0.25), "stroke-width": r / 6, "stroke-dasharray": `${r / 3} ${r / 4}` }));
    else group.append(svg("circle", { cx: x, cy: y, r, fill, stroke: INK, "stroke-width": 2 }));
    if (piece.hidden) group.append(svg("circle", { cx: x, cy: y, r: r * 0.84, fill: "none", stroke: ink, "stroke-width": 1.6, "stroke-dasharray": "4 4" }));
    const figured = piece.owner && this.figured;
    const side = r * (figured ? 1.18 : 1.34);
    const drawn = picture(this.looks, piece.kind, x - side / 2, y - side / 2 - (figured ? r * 0.24 : 0), side, ink);
    if (drawn) {
      group.append(drawn);
      if (figured) group.append(figure(piece.owner.figure, x, y + r * 0.66, r * 0.21, ink, ink));
    } else if (piece.sign) {
      const size = Math.min(r * (figured ? 0.95 : 1.15), (r * 1.5) / (0.62 * [...piece.sign].length));
      group.append(text(piece.sign, x, y - (figured ? r * 0.2 : 0) + size * 0.36, size, ink, { "font-weight": "bold" }));
      if (figured) group.append(figure(piece.owner.figure, x, y + r * 0.58, r * 0.21, ink, ink));
    } else if (figured) group.append(figure(piece.owner.figure, x, y, r * 0.38, "none", ink, r / 9));
    const badge = piece.values.find(([name]) => name === this.badge)?.[1];
    if (badge) {
      group.append(svg("circle", { cx: x + r * 0.92, cy: y - r * 0.86, r: r * 0.4, fill: PAPER, stroke: INK, "stroke-width": 1.2 }));
      group.append(text(badge, x + r * 0.92, y - r * 0.86 + r * 0.2, r * (badge.length > 1 ? 0.42 : 0.58), INK, { "font-weight": "bold" }));
    }
    return group;
  }

  drawFootprint(group, piece, fill, hollow) {
    const base = hollow ? PAPER : mixed(PAPER, fill, 0.6);
    const shape = (cell, share) => {
      const [[x, y], corners] = this.board.cells[cell];
      return corners.map(([a, b]) => `${(x + (a - x) * share) * UNIT},${(y + (b - y) * share) * UNIT}`).join(" ");
    };
    for (const cell of piece.cells)
      group.append(svg("polygon", { class: "covers", points: shape(cell, 0.86), fill: base, stroke: mixed(fill, INK, 0.3), "stroke-width": 5, "stroke-dasharray": hollow ? "14 9" : null }));
    const middles = piece.cells.map((cell) => this.board.cells[cell][0]);
    if (middles.length > 2) group.append(svg("polygon", { points: middles.map(([x, y]) => `${x * UNIT},${y * UNIT}`).join(" "), fill: base }));
    piece.cells.forEach((one, n) => {
      for (const other of piece.cells.slice(0, n)) {
        const [a, b] = [this.board.cells[one][0], this.board.cells[other][0]];
        if (distance(a, b) < 1.1)
          group.append(svg("line", { x1: a[0] * UNIT, y1: a[1] * UNIT, x2: b[0] * UNIT, y2: b[1] * UNIT, stroke: base, "stroke-width": 42 }));
      }
    });
  }
}

/** Are colours not enough? Two that are black and white are told apart by anybody. */
export function figured(looks) {
  return !looks.owners.every(({ fill }) => fill === "#ffffff" || fill === "#222222");
}

function distance([x, y], [a, b]) {
  return (x - a) ** 2 + (y - b) ** 2;
}

/** Does a field hold something that is worth telling? */
export function holds(type, value) {
  if (type[0] === "list") return value.length > 0;
  if (type[0] === "record") return value.some((each, k) => holds(type[2][k], each));
  if (Array.isArray(value)) return value.some(Boolean);
  if (type[0] === "set") return value !== 0n;
  return type[0] === "int" ? value !== 0 && value !== NONE : value !== NONE;
}

/** A value in words; of a large set the first of its members. */
export function shortly(words, type, value, most = 6) {
  if (type[0] !== "set") return words.shown(type, value);
  const found = elements(value, type[3]);
  const names = found.slice(0, most).map((each) => words.shown(type[2], each));
  return found.length <= most ? names.join(", ") : `${found.length} (${names.join(", ")}, …)`;
}

/** A piece in words. */
export function pieceText(piece) {
  const told = piece.values.map(([name, value]) => `${name} ${value}`.trim());
  const owner = piece.owner && piece.owner.label !== piece.label ? piece.owner.label : "";
  return [piece.label, owner, piece.facing, piece.why, ...told].filter(Boolean).join(", ");
}

/** The name of the number that most pieces have, which is drawn at each of them. */
function badgeOf(pieces) {
  const counts = new Map();
  for (const piece of pieces)
    for (const [name, value] of piece.values) if (/^\d+$/.test(value)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? "";
}

function text(content, x, y, size, fill, more = {}) {
  return svg("text", { x, y, "font-size": size, fill, "text-anchor": "middle", ...more }, content);
}

/** Words in lines of a width, cut where they are too many. */
function wrapped(content, width, size, most) {
  const fits = Math.max(3, Math.floor(width / (size * 0.56)));
  const lines = [];
  for (const word of content.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= fits) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const found = lines.slice(0, most).map((line) => (line.length > fits ? `${line.slice(0, fits - 1)}…` : line));
  if (lines.length > most) found[most - 1] = `${found[most - 1].slice(0, fits - 1)}…`;
  return found;
}

/** The figure of an owner around a point. */
export function figure(name, x, y, r, fill, stroke, width = 1) {
  const star = (radius, count, inner = 0) =>
    Array.from({ length: inner ? 2 * count : count }, (_, n) => {
      const reach = radius * (inner && n % 2 ? inner : 1);
      const turn = (2 * Math.PI * n) / (inner ? 2 * count : count) - Math.PI / 2;
      return `${x + reach * Math.cos(turn)},${y + reach * Math.sin(turn)}`;
    }).join(" ");
  const look = { fill, stroke, "stroke-width": width };
  if (name === "triangle") return svg("polygon", { points: star(r * 1.2, 3), ...look });
  if (name === "diamond") return svg("polygon", { points: star(r * 1.2, 4), ...look });
  if (name === "star") return svg("polygon", { points: star(r * 1.25, 5, 0.5), ...look });
  if (name === "square") return svg("rect", { x: x - r * 0.88, y: y - r * 0.88, width: r * 1.76, height: r * 1.76, ...look });
  return svg("circle", { cx: x, cy: y, r, ...look });
}
