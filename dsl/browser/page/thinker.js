// Runs in a worker: a tree search in the module, from one position (`dsl.search.searcher`).

import { Worlds } from "./worlds.js";

const ASKING = 1;
const CALL = 50; // milliseconds that a call plays for: between calls the time is looked at
let calls;
let known; // what the facts say of thinking
let usual = 0.001; // games a millisecond, as measured last in a call that took its time

function put(state) {
  new Int32Array(calls.memory.buffer, 0, state.length).set(state);
  if (calls.look() !== ASKING) throw new Error("nothing is asked");
}

/** For each option how often it was tried, what its player got on average, and whether it is proven to win (1) or to lose (-1).
 * Less than 0: the fault of a rule by which it cannot be computed what the position is worth. An option that wins ends it, where it is `settled` by that (a bit: see `dsl/wasm/searching.py`). */
function think({ state, seed, playouts, seconds, info, player, settled = 0 }) {
  const { deep, cut, eager, bits: [least, most], shares: [worlds, each, drawing] } = known;
  const games = playouts ?? Math.ceil(seconds * Math.max(usual * 1000, 100000));
  const bits = Math.min(Math.max(Math.floor((games * 4) / 3).toString(2).length, least), most);
  if (calls.search_open(bits) < 0) throw new Error("there is no memory");
  put(state);
  const failed = calls.search_worth();
  if (failed) return failed;
  calls.seed_player(BigInt.asIntN(64, seed));
  const drawn = new Worlds(known.worlds, calls, info).drawn(state, player, seed);
  const begun = performance.now();
  const end = begun + 1000 * (seconds ?? 0);
  const wanted = !drawn ? 1 : playouts === null ? worlds : Math.max(1, Math.min(worlds, Math.floor(playouts / each)));
  for (let number = 0; number < wanted; number++) {
    if (number && playouts === null && performance.now() >= begun + drawing * (end - begun)) break;
    put(drawn ? drawn() : state);
    if (calls.search_from() < 0 && !number) throw new Error("there is no memory");
  }
  let fast = 0.001; // each thought begins with one game: how fast another position was says nothing of this one
  for (let done = 0; !calls.search_solved() && (playouts === null ? performance.now() < end || !done : done < playouts); ) {
    const count = Math.min(playouts === null ? 2 ** 30 : playouts - done, Math.max(1, Math.floor(fast * CALL)));
    const started = performance.now();
    calls.search_on(count, deep, cut, eager, settled);
    const taken = performance.now() - started;
    fast = Math.min(count / Math.max(taken, 0.01), (2 * count) / CALL + 0.001);
    if (taken >= CALL / 2) usual = fast;
    done += count;
  }
  put(state);
  const options = new DataView(calls.memory.buffer).getInt32(info, true);
  return Array.from({ length: options }, (_, number) => {
    const at = calls.search_entry(number);
    const view = new DataView(calls.memory.buffer);
    const visits = at ? view.getInt32(at + 8, true) : 0;
    const proven = at ? view.getInt32(at + 28, true) : 0;
    if (proven) return proven === view.getInt32(at + 24, true) + 1 ? [visits, 1, 1] : [visits, 0, -1];
    return [visits, visits ? view.getFloat64(at + 16, true) / visits : 0.5, 0];
  });
}

/** The number of an option that wins for certain, that which was tried least; else of that which was tried most and does not lose for certain, of
 * several that which promises most, then the first. */
function best(weighed) {
  const better = ([visits, expectation, certain], [most, promised, known]) =>
    certain !== known ? certain > known : visits === most ? expectation > promised : (certain === 1) === visits < most;
  return weighed.reduce((found, each, number) => (better(each, weighed[found]) ? number : found), 0);
}

/** The module in which a player thinks, and what the facts say of thinking. */
async function prepare(data) {
  calls = (await WebAssembly.instantiate(data.code, {})).instance.exports;
  calls.budget.value = data.budget;
  calls.extent();
  known = data.known;
}

addEventListener("message", async ({ data }) => {
  if (data.code) await prepare(data);
  const found = think({ ...data.thought, settled: 1 });
  postMessage(found < 0 ? found : best(found));
});
