// What players play for: by which endings they win and lose, and how far they have come (`dsl.cli.goals`).

import { NONE, read } from "./values.js";

const BEYOND = { ge: 0, gt: 1, eq: 0, le: 0, lt: -1, gone: 0 };

/** For what wins and what loses the labels of its endings, each with how far a player has come: `[kind, texts]`. */
export function goals(engine, words, player) {
  const listed = ([kind, told]) => [kind, [...told].map(([label, far]) => (far ? `${label} (${far})` : label))];
  return aims(engine, words, player, player, true).map(listed);
}

/** How near to winning another player is, as far as who looks may know it: texts. Of two, what is compared is told of one. */
export function near(engine, words, other, viewer, several) {
  if (viewer === null || other === viewer) return [];
  const told = aims(engine, words, other, viewer, several).find(([kind]) => kind === "victory")?.[1] ?? new Map();
  return [...told].filter(([, far]) => far).map(([label, far]) => `${label} (${far})`);
}

/** The same as maps of labels and how far they are. */
function aims(engine, words, player, viewer, compared) {
  const found = [];
  for (const kind of ["victory", "defeat"]) {
    const told = new Map();
    for (const each of engine.facts.goals) {
      const label = words.text(each.label);
      if (each.kind !== kind || !label || (each.who !== null && each.who !== player) || !open(engine, each.open)) continue;
      told.set(label, told.get(label) || progress(engine, words, each, player, viewer, compared));
    }
    if (told.size) found.push([kind, told]);
  }
  return found;
}

/** A value that the module is asked for, with a player; null where it cannot be computed. */
function asked(engine, word, type, player) {
  const at = engine.calls.word(word, player, engine.facts.beside);
  return at < 0 ? null : read(engine.view, at, type, true);
}

/** Can a condition hold, as far as the settings of the game decide it? */
function open(engine, condition) {
  if (condition === null) return true;
  if (typeof condition === "number") return asked(engine, condition, ["int", 1, true, false], 0) !== 0;
  const [how, parts] = condition;
  return how === "and" ? parts.every((each) => open(engine, each)) : parts.some((each) => open(engine, each));
}

function progress(engine, words, { near }, player, viewer, compared) {
  if (player === null) return "";
  for (const [value, bound, op, fixed, guards, counted] of near) {
    if (!fixed && !compared) continue;
    if (!guards.every((variable) => engine.sees(variable, player, viewer))) continue;
    const [now, end] = [value, bound].map(([word, type]) => asked(engine, word, type, player));
    if (now === null || end === null || now === NONE || end === NONE) continue;
    if (op === "gone" && now === end) continue;
    const far = shown(now, end, op, fixed, counted === "round");
    return counted === "round" ? words.say("round", { round: far }) : `${words.told(counted)} ${far}`.trimStart();
  }
  return "";
}

function shown(now, end, op, fixed, rises) {
  if (!fixed) return `${now} : ${end}`;
  const aim = end + BEYOND[op];
  const falls = !rises && (op === "le" || op === "lt" || op === "gone" || (op === "eq" && now > aim));
  return falls ? `${now} \u2192 ${aim}` : `${now} / ${aim}`;
}
