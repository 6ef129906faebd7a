// Draws worlds and thinks in a page, and yields what the test compares with Python.

async function thoughts(facts, code, given) {
  const bytes = Uint8Array.from(atob(code), (each) => each.charCodeAt(0));
  await prepare({ code: bytes, budget: facts.budget, known: facts.thinks });
  return given.map(({ state, player, seed, worlds, playouts }) => {
    const vector = Int32Array.from(state);
    const draw = new Worlds(facts.thinks.worlds, calls, facts.info).drawn(vector, player, BigInt(seed));
    const drawn = draw && Array.from({ length: worlds }, () => Array.from(draw()));
    const thought = { state: vector, seed: BigInt(seed), playouts, seconds: null, info: facts.info, player };
    return [drawn, playouts ? think(thought) : []];
  });
}

/** How many games are played in a hundredth of a second from one position, after thoughts of another one. */
async function after(facts, code, first, times, second) {
  const bytes = Uint8Array.from(atob(code), (each) => each.charCodeAt(0));
  await prepare({ code: bytes, budget: facts.budget, known: facts.thinks });
  const thought = { seed: 1n, playouts: null, info: facts.info, player: 0, settled: 1 };
  for (let count = 0; count < times; count++) think({ ...thought, state: Int32Array.from(first), seconds: 5 });
  const found = think({ ...thought, state: Int32Array.from(second), seconds: 0.01 });
  return found.reduce((sum, [visits]) => sum + visits, 0);
}
