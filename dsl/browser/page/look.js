// What a card, a kind of pieces, a piece or a cell is: all that is printed of it and told of it, in a dialog.

import { el } from "./elements.js";
import { pictured, pieceText } from "./board.js";

/** What is printed of a member of a table: lines, words, and what it cites; null where nothing is. */
export function printed(facts, words, domain, member) {
  for (const part of facts.domains[domain].parts) {
    const size = facts.domains[part].members.length;
    if (member < size) return printed(facts, words, part, member);
    member -= size;
  }
  const known = facts.printed[domain];
  const rows = known?.[words.language] ?? known?.[words.language.split("_")[0]] ?? known?.[""];
  if (!rows?.[member]) return null;
  const [lines, text, source] = rows[member];
  return lines.length || text ? { lines, text, source } : null;
}

/** A member of a table under its name. */
export function described(facts, words, domain, member, level = "h2") {
  const found = printed(facts, words, domain, member);
  const parts = [el(level, {}, words.member(domain, member))];
  const drawn = pictured(facts.looks, [domain, member], 80);
  if (drawn) parts.push(drawn);
  if (!found) return parts;
  if (found.lines.length) parts.push(el("dl", {}, ...found.lines.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
  if (found.text) parts.push(el("p", { class: "words" }, found.text));
  if (found.source) parts.push(el("p", { class: "faint" }, found.source));
  return parts;
}

/** A cell: what lies there and stands there, and its neighbours where it is a region. */
export function describedCell(view, cell) {
  const { facts, words, board } = view;
  const parts = [el("h2", {}, view.cellName(cell))];
  const ground = view.ground(cell);
  const over = view.overlay(cell);
  if (over) ground.push(over.label);
  if (board.shape === "regions") {
    const { owner, number, notes } = view.region(cell);
    if (owner) ground.push(owner.label);
    if (number !== null && number >= 0) ground.push(`${view.fieldName(board.number)} ${number}`);
    ground.push(...notes);
  }
  if (ground.length) parts.push(el("p", {}, ground.join(", ")));
  if (board.ground) {
    const [index] = board.ground;
    const value = view.now(index, cell);
    if (value >= 0 && printed(facts, words, facts.vars[index].type[2], value)) parts.push(...described(facts, words, facts.vars[index].type[2], value, "h3"));
  }
  for (const piece of view.shown.filter(({ cells }) => cells.includes(cell))) {
    const text = pieceText(piece);
    if (piece.kind && printed(facts, words, ...piece.kind)) {
      const [heading, ...rest] = described(facts, words, ...piece.kind, "h3");
      parts.push(heading, ...(text === heading.textContent ? [] : [el("p", {}, text)]), ...rest);
    } else parts.push(el("h3", {}, text));
  }
  const near = board.links.filter((pair) => pair.includes(cell)).map(([one, other]) => view.cellName(one === cell ? other : one));
  if (near.length) parts.push(el("p", { class: "faint" }, words.say("next to", { names: near.join(", ") })));
  return parts;
}
