// Other values than one that a player does not see, as words: `dsl.engine.other_values` says what and why.
// What values a type has, `dsl/browser/worlds.py` says: ["number", low, high, optional], ["set", extent] and so on.

import { below } from "./chance.js";

const NOTHING = -(2 ** 31);
const MOST = 256;

/** How much is in a set, bag or list; null of what holds one value. */
export function size([sort], words) {
  if (sort === "set") return bits(words).length;
  if (sort === "bag") return words.reduce((sum, count) => sum + count, 0);
  return sort === "list" ? words[0] : null;
}

/** All other values of a scalar; of what holds several those with one member, count, item or part another. */
export function* neighbours(values, words) {
  const [sort] = values;
  const put = (n, word) => words.map((old, k) => (k === n ? word : old));
  if (sort === "number" || sort === "name") for (const other of others(values, words[0])) yield [other];
  else if (sort === "set") for (let n = 0; n < values[1]; n++) yield put(n >> 5, words[n >> 5] ^ (1 << (n & 31)));
  else if (sort === "bag")
    for (let n = 0; n < values[1]; n++)
      for (let other = 0; other <= values[2]; other++) if (other !== words[n]) yield put(n, other);
  else if (sort === "record")
    for (const [n, each] of values[1].entries()) for (const other of others(each, words[n])) yield put(n, other);
  else if (sort === "list" && values[2]) {
    const [, limit, of] = values;
    const [length] = words;
    for (let n = 0; n < length; n++) for (const other of others(of, words[n + 1])) yield put(n + 1, other);
    if (length) yield [length - 1, ...words.slice(1, length), 0, ...words.slice(length + 1)];
    if (length < limit) for (let other = of[1]; other <= of[2]; other++) yield [length + 1, ...put(length + 1, other).slice(1)];
  }
}

function* others([, low, high, optional], value) {
  if (optional && value !== NOTHING) yield NOTHING;
  for (let other = low; other <= high; other++) if (other !== value) yield other;
}

/** All values of a type, where they are no more than so many, else null; of lists never. */
export function every(values, most) {
  const [sort] = values;
  const numbers = (low, high) => Array.from({ length: Math.min(high - low, most) + 1 }, (_, n) => low + n);
  if (sort === "number" || sort === "name") {
    const [, low, high, optional] = values;
    const found = [...(optional ? [NOTHING] : []), ...numbers(low, high)];
    return found.length <= most ? found.map((word) => [word]) : null;
  }
  if (sort === "set") return 2 ** values[1] <= most ? numbers(0, 2 ** values[1] - 1).map((word) => [word]) : null;
  if (sort === "bag") return together(Array(values[1]).fill(numbers(0, values[2]).map((word) => [word])), most);
  if (sort === "record") return together(values[1].map((each) => every(each, most)), most);
  return null;
}

/** All rows with a word of each part, the last one changing fastest; null where a part is unknown or they are too many. */
export function together(parts, most) {
  if (parts.includes(null) || parts.reduce((count, each) => count * each.length, 1) > most) return null;
  return parts.reduce((rows, each) => rows.flatMap((row) => each.map((words) => [...row, ...words])), [[]]);
}

/** A value by chance; `sizes` is how much is in those that the player sees, `width` how many words it has. */
export function drawn(values, sizes, chance, width) {
  const [sort] = values;
  const found = Array(width).fill(0);
  if (sort === "number" || sort === "name") return [scalar(values, chance)];
  if (sort === "record") return values[1].map((each) => scalar(each, chance));
  if (sort === "set") {
    const members = Array.from({ length: values[1] }, (_, n) => n);
    const count = much(sizes, values[1], chance);
    for (let n = 0; n < count; n++) {
      const other = n + below(chance, values[1] - n);
      [members[n], members[other]] = [members[other], members[n]];
      found[members[n] >> 5] |= 1 << (members[n] & 31);
    }
  } else if (sort === "bag") {
    for (let left = much(sizes, Math.min(MOST, values[2] * values[1]), chance); left; left--) {
      let member = below(chance, values[1]);
      while (found[member] === values[2]) member = (member + 1) % values[1];
      found[member]++;
    }
  } else if (values[2]) {
    found[0] = much(sizes.length ? sizes : [values[1]], values[1], chance);
    for (let n = 1; n <= found[0]; n++) found[n] = scalar(values[2], chance);
  }
  return found;
}

function scalar([, low, high, optional], chance) {
  if (optional && !below(chance, high - low + 2)) return NOTHING;
  return low + below(chance, high - low + 1);
}

function much(sizes, most, chance) {
  if (sizes.length && below(chance, 8)) return Math.min(most, sizes[below(chance, sizes.length)]);
  return below(chance, Math.min(most, sizes.length ? 2 * Math.max(...sizes) + 2 : most) + 1);
}

function bits(words) {
  return words.flatMap((word, k) => Array.from({ length: 32 }, (_, n) => n).filter((n) => (word >>> n) & 1).map((n) => 32 * k + n));
}
