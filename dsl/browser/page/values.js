// Values as the vector and the module hold them, and in words: what `dsl.engine.layout` and `dsl.engine.display` do.
//
// A number and a member are numbers, a set is a BigInt with a bit for each element, a bag, list or record is an array.

export const NONE = -(2 ** 31);
export const HIDDEN = "?";
export const MINUS = "\u2212";
const HOLE = /\{(\d+)\}/g;

/** The value of a type that begins at a byte; `wide` numbers fill 8 bytes, as they do outside the vector. */
export function read(view, at, type, wide = false) {
  switch (type[0]) {
    case "int":
      return wide && type[3] ? small(view.getBigInt64(at, true)) : view.getInt32(at, true);
    case "id":
      return view.getInt32(at, true);
    case "set": {
      let bits = 0n;
      for (let k = type[1] - 1; k >= 0; k--) bits = (bits << 32n) | BigInt(view.getUint32(at + 4 * k, true));
      return bits;
    }
    case "list": {
      const each = type[2][1];
      const length = view.getInt32(at, true);
      return Array.from({ length }, (_, k) => read(view, at + 4 + 4 * k * each, type[2]));
    }
    default:
      return Array.from({ length: type[1] }, (_, k) => view.getInt32(at + 4 * k, true));
  }
}

function small(number) {
  return Number.isSafeInteger(Number(number)) ? Number(number) : number;
}

/** The elements of a set. */
export function elements(bits, low = 0) {
  const found = [];
  for (let k = low; bits; k++, bits >>= 1n) if (bits & 1n) found.push(k);
  return found;
}

/** The bytes that a value fills behind an address, as the module writes it. */
export function room(type) {
  return type[0] === "int" && type[3] ? 8 : 4 * type[1];
}

/** The words of a game and of the page, in a language; empty: the game's own. */
export class Words {
  constructor(facts, language = "") {
    this.facts = facts;
    this.language = language;
    const spoken = language || facts.language;
    this.own = facts.phrases[spoken] ?? facts.phrases[spoken.split("_")[0]] ?? facts.phrases.en;
  }

  /** A phrase of the page, with its places filled. */
  say(key, values = {}) {
    return this.own[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }

  /** A text of the game; in its own language where its author gave none. */
  text(index) {
    if (index === null || index === undefined) return "";
    return this.told(this.facts.texts[index]);
  }

  /** Of texts by language the one in this language. */
  told(texts) {
    return texts[this.language] ?? texts[this.language.split("_")[0]] ?? texts[""];
  }

  member(domain, member) {
    const declared = this.facts.domains[domain];
    if (!(member >= 0 && member < declared.members.length)) return HIDDEN;
    return this.text(declared.labels[member]) || declared.members[member];
  }

  shown(type, value, called = null) {
    switch (type[0]) {
      case "int":
        if (value === NONE) return this.say("none");
        return type[2] ? this.say(value ? "yes" : "no") : String(value).replace("-", MINUS);
      case "id":
        if (value === NONE) return this.say("none");
        return this.member(...(called ? called(type[2], value) : [type[2], value]));
      case "set":
        return value ? `{${elements(value, type[3]).map((each) => this.shown(type[2], each, called)).join(", ")}}` : this.say("none");
      case "bag": {
        const counted = value.map((count, member) => [count, member]).filter(([count]) => count);
        return counted.map(([count, member]) => `${count} ${this.member(type[2], member)}`).join(", ") || "0";
      }
      case "list":
        return value.map((each) => this.shown(type[2], each, called)).join(", ");
      default:
        return value.map((each, k) => `${type[3][k]} ${this.shown(type[2][k], each, called)}`).join(", ");
    }
  }

  /** A label with its holes filled: a value that is null shows as `?`; without any, what `holes` have instead. */
  filled(label, types, values, holes = [], called = null) {
    return this.text(label).replace(HOLE, (_, digits) => {
      const number = Number(digits);
      if (values === null && number < holes.length) return holes[number];
      const value = values !== null && number < values.length ? values[number] : null;
      return value === null ? HIDDEN : this.shown(types[number], value, called);
    });
  }
}
