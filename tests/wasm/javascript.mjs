// Plays random games of a module in JavaScript, as a page would: no imports, nothing of Python.
// What is read: one line of JSON with the module's path, the state before the setup, and addresses; what is written:
// games, decisions and how games ended.

import { readFileSync } from "node:fs";

const ASKS = 1;
const given = JSON.parse(readFileSync(0, "utf8"));
const module = new WebAssembly.Module(readFileSync(given.module));
const { memory, keep_fresh, playouts, playout } = new WebAssembly.Instance(module, {}).exports;
const word = (address) => new DataView(memory.buffer).getInt32(address, true);

new Int32Array(memory.buffer).set(given.state);
keep_fresh();

let games = 0;
let decisions = 0;
const ends = {};

function ended(reason, winners, count) {
  ends[`${reason} ${winners}`] = (ends[`${reason} ${winners}`] ?? 0) + count;
}

function count(reason, winners, made) {
  ended(reason, winners, 1);
  decisions += made;
  games += 1;
}

// A game that is much work, played on until it ends: between calls a page can show how far it is.
function finish(choices) {
  while (playout(given.most, choices) === ASKS) choices = word(given.choices);
  count(word(24), word(20), word(28));
}

while (games < given.games) {
  const at = playouts(BigInt(given.seed + games), given.games - games, given.most);
  decisions += Number(new DataView(memory.buffer).getBigInt64(at + 8, true));
  games += word(at);
  for (let end = at + 64; word(end + 8); end += 16) ended(word(end + 4), word(end), word(end + 8));
  for (let row = 0; row < word(at + 4); row++) {
    const [reason, winners, made, choices, status] = [4, 8, 12, 16, 20].map((field) => word(at + given.tally + 24 * row + field));
    if (status === ASKS) finish(choices);
    else count(reason, winners, made);
  }
}
console.log(JSON.stringify({ imports: WebAssembly.Module.imports(module).length, games, decisions, ends }));
