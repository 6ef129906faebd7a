// The generator PCG32 and the player that takes every option as likely: `dsl.engine.chance`, `dsl.players.random_player`.

const MULTIPLIER = 6364136223846793005n;
const INCREMENT = (54n << 1n) | 1n;
const APART = 0x9e3779b97f4a7c15n;
const MASK = 0xffffffffn;
const MASK_64 = 0xffffffffffffffffn;

/** The four words of a generator at the beginning of the stream of a seed (a BigInt). */
export function seeded(number) {
  const start = ((INCREMENT + (number & MASK_64)) * MULTIPLIER + INCREMENT) & MASK_64;
  return [start & MASK, start >> 32n, INCREMENT & MASK, INCREMENT >> 32n].map((word) => Number(BigInt.asIntN(32, word)));
}

function draw(state) {
  const word = (k) => BigInt.asUintN(32, BigInt(state[k]));
  const old = word(0) | (word(1) << 32n);
  const next = (old * MULTIPLIER + (word(2) | (word(3) << 32n))) & MASK_64;
  state[0] = Number(BigInt.asIntN(32, next));
  state[1] = Number(BigInt.asIntN(32, next >> 32n));
  const mixed = Number((((old >> 18n) ^ old) >> 27n) & MASK);
  const turn = Number(old >> 59n);
  return ((mixed >>> turn) | (mixed << (-turn & 31))) >>> 0;
}

/** A number from 0 to `bound - 1`, each as likely. */
export function below(state, bound) {
  const threshold = (2 ** 32 - bound) % bound;
  for (;;) {
    const number = draw(state);
    if (number >= threshold) return number % bound;
  }
}

/** The generator of the random player of a seed, apart from the game's own. */
export function playerOf(seed) {
  return seeded(seed * APART + 1n);
}
