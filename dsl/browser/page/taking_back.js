// What may be taken back, as `dsl/cli/taking_back.py` has it: a choice of which nothing has come that cannot be forgotten.

import { Engine, RuleFailure, Stopped } from "./engine.js";
import { entryText } from "./events.js";
import { Wrong, choiceOf, numberOf, written } from "./saves.js";
import { Words } from "./values.js";
import { Worlds } from "./worlds.js";

const [MADE_BY_CHANCE, MOST_SINGLE] = [128, 256];
const GENERATOR = [0, 1, 2, 3];

export class TakingBack {
  constructor(module, facts) {
    this.facts = facts;
    this.engine = new Engine(module, facts);
    this.worlds = new Worlds(facts.thinks.worlds, this.engine.calls, facts.info);
    this.words = new Words(facts);
    this.secret = [...facts.vars.keys()].filter((index) => facts.vars[index].hidden);
    this.players = facts.domains[facts.players].members.map((_, player) => player);
  }

  /** Why a choice made in a state, from which another came, is not to be taken back: `rolled`, `revealed`; or empty. */
  keptBy(before, after, choice) {
    if (GENERATOR.some((slot) => before[slot] !== after[slot])) return "rolled";
    try {
      return this.revealed(before, after) || this.learnt(before, choice) ? "revealed" : "";
    } catch (error) {
      if (error instanceof Stopped || error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return "revealed";
      throw error;
    }
  }

  /** Does somebody see something afterwards that he did not see before? */
  revealed(before, after) {
    const { engine } = this;
    engine.put(after);
    const seen = this.players.map((player) => this.mask(player));
    engine.put(before);
    return this.players.some((player) => {
      const old = this.mask(player);
      return seen[player].some((sees, n) => sees && !old[n]);
    });
  }

  /** Which members of which hidden variables a player sees where the module stands. */
  mask(player) {
    const { engine, facts } = this;
    return this.secret.flatMap((index) => {
      const { of } = facts.vars[index];
      return Array.from({ length: of === null ? 1 : facts.domains[of].members.length }, (_, member) => engine.sees(index, member, player));
    });
  }

  /** Does whoever chooses see from what follows in which of the worlds he is that he could not tell apart? */
  learnt(before, choice) {
    const { engine } = this;
    engine.put(before);
    const { player } = engine;
    const state = Int32Array.from(before);
    const sealed = this.worlds.answers(state, player);
    const here = this.seen(state, choice, player, sealed);
    for (const world of this.others(state, player, sealed)) if (!same(here, this.seen(world, choice, player, sealed))) return true;
    return false;
  }

  *others(state, player, sealed) {
    const { worlds } = this;
    const answers = sealed.flatMap((question) => worlds.eachAnswer(state, question).filter((world) => !same([world], [state])));
    yield* answers.slice(0, MOST_SINGLE);
    let count = 0;
    for (const world of worlds.single(state, player)) {
      if (count++ === MOST_SINGLE) break;
      yield world;
    }
    const covers = worlds.covers(state, player);
    for (let seed = 0; seed < MADE_BY_CHANCE; seed++) {
      const world = worlds.another(state, covers, BigInt(seed));
      if (world) yield world;
    }
  }

  /** What a player sees once a choice has been made in a world, in several lists; none where it cannot be made there. */
  seen(state, choice, player, sealed) {
    const { engine, facts, words } = this;
    const answers = sealed.flatMap((question) => this.answers(state, question));
    if (!engine.put(state)) return null;
    const secretly = engine.asked.sealed;
    let told;
    try {
      told = engine.choose(numberOf(engine, choice));
    } catch (error) {
      if (error instanceof Wrong) return null;
      if (error instanceof Stopped || !(error instanceof RuleFailure)) throw error;
      return [[error.code]];
    }
    const own = engine.count && engine.player === player ? engine.count : 0;
    const options = Array.from({ length: own }, (_, number) => `${written(choiceOf(engine, number))} ${engine.bare(words, number)}`);
    return [
      this.visible(player),
      facts.pools.flatMap((pool) => (pool.pile === null ? [] : this.counts(pool))),
      [engine.count ? engine.player : null, written(engine.outcome(words))],
      options,
      told.map((entry) => entryText(entry, words, player)),
      secretly ? [] : answers.map((each) => engine.openLabel(words, each, player)),
    ];
  }

  /** What others have answered to a question in a world. */
  answers(state, question) {
    const worlds = this.worlds.eachAnswer(state, question);
    return worlds.flatMap((world, number) => (same([world], [state]) ? [this.engine.saying(number)] : []));
  }

  /** The words of the vector that a player sees. */
  visible(player) {
    const { engine, facts } = this;
    const found = [];
    for (const [index, { of, offset, width }] of facts.vars.entries()) {
      const size = of === null ? 1 : facts.domains[of].members.length;
      for (let member = 0; member < size; member++) {
        const seen = engine.sees(index, member, player);
        for (let k = 0; k < width; k++) found.push(seen ? engine.vector[offset + member * width + k] : null);
      }
    }
    return found;
  }

  /** How many cards each pile has. */
  counts(pool) {
    const { engine, facts } = this;
    const { offset } = facts.vars[pool.pile];
    const found = pool.piles.map(() => 0);
    facts.domains[pool.domain].members.forEach((_, card) => found[engine.vector[offset + card]]++);
    return found;
  }
}

function same(one, other) {
  if (!one || !other) return one === other;
  const alike = (a, b) => a.length === b.length && a.every((each, n) => each === b[n]);
  return one.length === other.length && one.every((part, n) => alike(part, other[n]));
}
