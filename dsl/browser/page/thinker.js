// Runs in a worker: a tree search in the module, from one position (`dsl.search.searcher`).

const ASKS = 1;
const CALL = 50; // milliseconds that a call plays for: between calls the time is looked at
const [LEAST_BITS, MOST_BITS] = [10, 20];
let calls;
let fast = 0.001; // games a millisecond, as measured last

function put(state) {
  new Int32Array(calls.memory.buffer, 0, state.length).set(state);
  if (calls.look() !== ASKS) throw new Error("nothing is asked");
}

/** The number of the option that was tried most; of several that which promises most, then the first. */
function think({ state, seed, playouts, seconds, deep, cut, eager, info }) {
  const games = playouts ?? Math.ceil(seconds * Math.max(fast * 1000, 100000));
  const bits = Math.min(Math.max(Math.floor((games * 4) / 3).toString(2).length, LEAST_BITS), MOST_BITS);
  if (calls.search_open(bits) < 0) throw new Error("there is no memory");
  put(state);
  calls.seed_player(BigInt.asIntN(64, seed));
  put(state);
  calls.search_from();
  const until = performance.now() + 1000 * (seconds ?? 0);
  for (let done = 0; playouts === null ? performance.now() < until || !done : done < playouts; ) {
    const count = Math.min(playouts === null ? 2 ** 30 : playouts - done, Math.max(1, Math.floor(fast * CALL)));
    const begun = performance.now();
    calls.search_on(count, deep, cut, eager);
    fast = Math.min(count / Math.max(performance.now() - begun, 0.01), (2 * count) / CALL + 0.001);
    done += count;
  }
  put(state);
  const options = new DataView(calls.memory.buffer).getInt32(info, true);
  let best = [0, -1, -1];
  for (let number = 0; number < options; number++) {
    const at = calls.search_entry(number);
    const view = new DataView(calls.memory.buffer);
    const visits = at ? view.getInt32(at + 8, true) : 0;
    const expectation = visits ? view.getFloat64(at + 16, true) / visits : 0.5;
    if (visits > best[1] || (visits === best[1] && expectation > best[2])) best = [number, visits, expectation];
  }
  return best[0];
}

addEventListener("message", async ({ data }) => {
  if (data.code) {
    calls = (await WebAssembly.instantiate(data.code, {})).instance.exports;
    calls.budget.value = data.budget;
    calls.extent();
  }
  postMessage(think(data.thought));
});
