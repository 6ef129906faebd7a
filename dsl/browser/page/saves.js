// Games in files, as the terminal reads and writes them: `dsl.saves`.

import { read } from "./values.js";

const FORMAT = "scenarii-game";
const VERSION = 2;
const MOST_BYTES = 16 * 1024 * 1024;
const CHECK_EVERY = 25;

/** What is wrong with a save: the key of a phrase, and what fills its places. */
export class Wrong extends Error {
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}

/** The text of a file, which may be none, or none that the page may read; raises `Wrong`. */
export async function textOf(file) {
  if (file.size > MOST_BYTES) throw new Wrong("too large");
  try {
    return await file.text();
  } catch {
    throw new Wrong("unreadable");
  }
}

/** JSON with whole numbers of any size, which are BigInt where they are large. */
export function written(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (value && typeof value === "object")
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${written(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}

function lines(value) {
  const tall = Array.isArray(value) && value.length && (Array.isArray(value[0]) || typeof value[0] === "string");
  return tall ? `[\n  ${value.map(written).join(",\n  ")}\n ]` : written(value);
}

/** A document with a key, a move or a choice on each line. */
export function document_(found) {
  const parts = Object.entries(found).map(([key, value]) => `${JSON.stringify(key)}: ${lines(value)}`);
  return `{\n ${parts.join(",\n ")}\n}\n`;
}

function parsed(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context.source)
      : value,
  );
}

/** SHA-256 over the program's hash and the vector, as a text. */
export async function fingerprint(facts, state) {
  const hash = Uint8Array.from(facts.hash.match(/../g), (byte) => parseInt(byte, 16));
  const data = new Uint8Array(hash.length + state.byteLength);
  data.set(hash);
  data.set(new Uint8Array(state.buffer, state.byteOffset, state.byteLength), hash.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** A state as `dsl.engine.snapshot` packs it. */
function snapshot(facts, state) {
  const bytes = new Uint8Array(42 + state.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set([0x53, 0x43, 0x4e, 0x53]);
  view.setUint16(4, 1, true);
  bytes.set(Uint8Array.from(facts.hash.match(/../g), (byte) => parseInt(byte, 16)), 6);
  view.setUint32(38, state.length, true);
  bytes.set(new Uint8Array(state.buffer, state.byteOffset, state.byteLength), 42);
  return base64(bytes);
}

/** The option of a number as saves have it: its offer, and the values of the offer's variables. */
export function choiceOf(engine, number) {
  const at = engine.option(number);
  const offer = engine.view.getInt32(at, true);
  const values = engine.asked.offers[offer].values.map(([type, place]) => read(engine.view, at + 4 * place, type));
  return [offer, values];
}

/** The number of the option that a save's choice names; raises `Wrong` where there is none. */
export function numberOf(engine, choice) {
  const [offer, values] = Array.isArray(choice) ? choice : [];
  const declared = engine.asked.offers[offer];
  if (!declared || !Array.isArray(values) || values.length !== declared.values.length) throw new Wrong("damaged");
  const words = [offer, ...declared.values.flatMap(([type], k) => wordsOf(type, values[k]))];
  for (let number = 0; number < engine.count; number++) {
    const at = engine.option(number);
    if (words.every((word, k) => engine.view.getInt32(at + 4 * k, true) === word)) return number;
  }
  throw new Wrong("damaged");
}

function wordsOf(type, value) {
  const whole = (each) => typeof each === "number" || typeof each === "bigint";
  if (type[0] === "int" || type[0] === "id") {
    if (!whole(value)) throw new Wrong("damaged");
    return [Number(value)];
  }
  if (type[0] === "set") {
    if (!whole(value) || BigInt(value) < 0n) throw new Wrong("damaged");
    return Array.from({ length: type[1] }, (_, k) => Number(BigInt.asIntN(32, BigInt(value) >> BigInt(32 * k))));
  }
  if (!Array.isArray(value)) throw new Wrong("damaged");
  const inside = type[0] === "list" ? value.flatMap((each) => wordsOf(type[2], each)) : value.map(Number);
  const words = type[0] === "list" ? [value.length, ...inside] : inside;
  return [...words, ...Array(Math.max(0, type[1] - words.length)).fill(0)];
}

/** The save of a table, as a text. */
export async function saved(table) {
  const { facts, engine, moments } = table;
  const checks = [];
  for (let number = CHECK_EVERY; number < moments.length; number += CHECK_EVERY)
    checks.push([number, await fingerprint(facts, moments[number].state)]);
  const names = facts.domains[facts.players].members;
  const outcome = engine.outcome();
  const state = Int32Array.from(engine.vector);
  return document_({
    format: FORMAT,
    version: VERSION,
    game: facts.name,
    target: facts.target,
    mods: facts.mods,
    program: facts.hash,
    language: table.words.language,
    seed: table.seed,
    options: table.chosen,
    steps: facts.budget,
    players: table.seats,
    random: table.random,
    outcome: outcome && { kind: outcome.kind, winners: outcome.players.map((each) => names[each]), reason: outcome.label },
    fingerprint: await fingerprint(facts, state),
    snapshot: snapshot(facts, state),
    rules: facts.rules,
    checks,
    moves: moments.slice(1).map((each) => each.move),
    choices: moments.slice(1).map((each) => each.choice),
  });
}

/** A save, its form checked; raises `Wrong`. */
export function readSave(facts, text) {
  if (text.length > MOST_BYTES) throw new Wrong("too large");
  let found;
  try {
    found = parsed(text);
  } catch {
    throw new Wrong("not a save");
  }
  if (!found || found.format !== FORMAT) throw new Wrong("not a save");
  if (found.version !== VERSION) throw new Wrong("other format", { version: String(found.version).slice(0, 40), own: VERSION });
  if (found.program !== facts.hash) throw new Wrong("other rules");
  const texts = (value) => Array.isArray(value) && value.every((each) => typeof each === "string");
  const numbers = (value) => Array.isArray(value) && value.every(Number.isInteger);
  const fits =
    Array.isArray(found.choices) &&
    (typeof found.seed === "number" || typeof found.seed === "bigint") &&
    texts(found.players) &&
    numbers(found.random) &&
    typeof found.fingerprint === "string" &&
    found.options &&
    typeof found.options === "object";
  if (!fits) throw new Wrong("damaged");
  return found;
}

/** The numbers of a save's settings by name; raises `Wrong`. */
export function settingsOf(facts, options) {
  const found = {};
  for (const [name, value] of Object.entries(options)) {
    const option = facts.options.find((each) => each.name === name);
    if (!option) throw new Wrong("damaged");
    const index = option.choices.indexOf(value);
    const number = index >= 0 ? index : Number(value);
    const [low, high] = option.range ?? [0, option.choices.length - 1];
    if (!Number.isInteger(number) || number < low || number > high) throw new Wrong("damaged");
    found[name] = number;
  }
  return found;
}
