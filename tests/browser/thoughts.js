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
