"""Decisions: what a routine does where it comes to one.

The host is asked, who finds the options listed in memory. A game by chance draws one at once, and the routine goes on
with it. Where the options of an offer are a set, or a few sets (`pairs`), it lists nothing: they are counted, and the
one of the number drawn is taken out.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.engine.chance import MULTIPLIER, SEQUENCE
from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, FRAME_HEAD, OUT
from dsl.ir.types import NONE, SetOf, Type
from dsl.wasm.pairs import BYTE, PLACES, PairOffers, Pairs
from dsl.wasm.reps import CHUNK, size_of
from dsl.wasm.text import Parts, both, get, i32, i64, put, test

SWITCHED, ASKS, ENDED = 0, 1, 2
MOST_COUNTED = 8
"""Offers of a decision whose options are counted, not listed."""
HEAVY = 400
"""The weight of a guard that is not written twice."""
DECIDED = f"(i32.load offset={4 * DECISIONS} (i32.const 0))"
TAKEN = f"(i32.store offset={4 * DECISIONS} (i32.const 0) (i32.add {DECIDED} (i32.const 1)))"


@dataclass(slots=True)
class Counted:
    """An offer whose options are counted: statements that count them, the local that has their number, and the set of
    its variable, or the sets of two.
    """

    lines: list[str]
    number: str
    elements: tuple[str, ...] = ()
    pairs: Pairs | None = None


class Decisions(PairOffers):
    """Adds decisions. `index` is the number of the routine at hand."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.index = 0

    def decide(self, number: int, end: ir.Decide) -> list[str]:
        """Goes on at once where nobody is asked, where all see that there is only one option, or by chance."""
        player, count = self.temp("i32"), self.temp("i32")
        frame = get("$f")
        out = f"(i32.and (i32.shr_u (i32.load offset={4 * OUT} (i32.const 0)) {get(player)}) (i32.const 1))"
        nobody = f"(i32.or (i32.eq {get(player)} {i32(NONE)}) {out})"
        looks = "(global.get $look)"
        bound = test(
            f"(i32.ge_s {DECIDED} {i32(self.program.decisions)})",
            ["(call $end_at_bound)", f"(return {i32(ENDED)})"],
        )
        nothing = [put(count, i32(0)), "(global.set $count (i32.const 0))", f"(return {i32(ASKS)})"]
        lines = [
            f"(i32.store offset=4 {frame} {i32(number)})",
            f"(if (global.get $halt) (then (return {i32(ASKS)})))",
            test(looks, [], [bound]),
            put(player, self.number(end.player, "i32")),
            test(nobody, [test(looks, nothing), *self._skip(end, 606)]),
            test("(global.get $playing)", self._by_chance(number, end)),
            put(count, f"(call $o{self.index}_{number} {frame})"),
            f"(global.set $count {get(count)})",
            f"(global.set $player {get(player)})",
            test(looks, [f"(return {i32(ASKS)})"]),
            test(f"(i32.eqz {get(count)})", self._skip(end, 602)),
        ]
        if end.public:
            told = self.taken_at_once(end, player)
            taken = [TAKEN, *told, f"(local.set $pc (call $bind {frame} (i32.const 0)))", "(br $go)"]
            lines.append(test(f"(i32.eq {get(count)} (i32.const 1))", taken))
        return [*lines, f"(return {i32(ASKS)})"]

    def taken_at_once(self, end: ir.Decide, player: str) -> list[str]:
        """What is told of an option that is taken at once, in a module that tells."""
        return []

    def lead(self, number: int) -> list[str]:
        """Goes on with a block."""
        raise NotImplementedError

    def round_to(self, number: int) -> list[str]:
        """Goes on with a block by way of the table of blocks."""
        raise NotImplementedError

    def _skip(self, end: ir.Decide, fault: int) -> list[str]:
        if end.empty is None:
            return [f"(call $fail {i32(fault)})", "(unreachable)"]
        return self.round_to(end.empty)

    # ------------------------------------------------------------ by chance

    def _by_chance(self, number: int, end: ir.Decide) -> list[str]:
        """Draws an option and goes on with it; past the end of this where the host is to be heard first."""
        known, count, k, steps = dict(self.masks), self.temp("i32"), self.temp("i32"), self.temp("i32")
        counted = self._all_counted(end)
        if counted is None:
            listed = [put(count, f"(call $o{self.index}_{number} {get('$f')})")]
            bind = self._bound_from_memory(end, k)
        else:
            total = both("i32.add", [get(each.number) for each in counted]) if counted else i32(0)
            listed = [*self.counted_first(end), *(line for each in counted for line in each.lines)]
            listed.append(put(count, total))
            bind = self._bound_from_sets(end, counted, k)
        self.masks = known
        asks = self.label("a")
        worked = "(i64.add (global.get $work) (i64.extend_i32_u (global.get $steps)))"
        drawn = [
            f"(br_if {asks} (i32.ge_u (global.get $choices) (global.get $most)))",
            f"(br_if {asks} (i64.gt_u {worked} (global.get $much)))",
            "(global.set $choices (i32.add (global.get $choices) (i32.const 1)))",
            f"(global.set $work {worked})",
            "(global.set $steps (i32.const 0))",
            *self._drawn(k, count),
        ]
        if end.public:
            drawn = [put(k, i32(0)), test(f"(i32.ne {get(count)} (i32.const 1))", drawn)]
        inner = [*listed, test(f"(i32.eqz {get(count)})", self._skip(end, 602)), *drawn, TAKEN, *bind]
        return [
            put(steps, "(global.get $steps)"),
            f"(block {asks} {''.join(inner)})",
            f"(global.set $steps {get(steps)})",
        ]

    def _drawn(self, k: str, count: str) -> list[str]:
        """Gives `k` a number below another: `below` for the player's generator, written out."""
        old, word, at = self.temp("i64"), self.temp("i32"), self.memory.player
        step = f"(i64.add (i64.mul {get(old)} {i64(MULTIPLIER)}) {i64(SEQUENCE << 1 | 1)})"
        mixed = f"(i64.shr_u (i64.xor (i64.shr_u {get(old)} {i64(18)}) {get(old)}) {i64(27)})"
        turn = f"(i32.wrap_i64 (i64.shr_u {get(old)} {i64(59)}))"
        return [
            put(old, f"(i64.load offset={at} (i32.const 0))"),
            f"(i64.store offset={at} (i32.const 0) {step})",
            put(word, f"(i32.rotr (i32.wrap_i64 {mixed}) {turn})"),
            test(
                f"(i32.lt_u {get(word)} {get(count)})",
                [put(word, f"(call $fair {i32(at)} {get(word)} {get(count)})")],
            ),
            put(k, f"(i32.rem_u {get(word)} {get(count)})"),
        ]

    def _bound_from_memory(self, end: ir.Decide, k: str) -> list[str]:
        """Takes option `k` of those that are listed."""
        after = "(global.set $end (global.get $base))"
        if len(end.offers) != 1 or self.frame is None:
            return [after, f"(local.set $pc (call $bind {get('$f')} {get(k)}))", "(br $go)"]
        (offer,) = end.offers
        place, at = self.temp("i32"), 4
        stride = i32(4 * (1 + self.width(self.frame, offer)))
        lines = [after, put(place, f"(i32.add (global.get $base) (i32.mul {get(k)} {stride}))")]
        for var in offer.variables:
            to, kind = 4 * (FRAME_HEAD + self.frame.offsets[var.index]), self.frame.locals[var.index]
            for slot in range(0, size_of(self.program, kind), 4):
                lines.append(
                    f"(i32.store offset={to + slot} {get('$f')} (i32.load offset={at + slot} {get(place)}))"
                )
            at += size_of(self.program, kind)
        return [*lines, *self.lead(offer.block)]

    # ------------------------------------------------------------ options as sets

    def _all_counted(self, end: ir.Decide) -> list[Counted] | None:
        if len(end.offers) > MOST_COUNTED:
            return None
        found = []
        for offer in end.offers:
            each = self._counted_offer(offer)
            if each is None:
                return None
            found.append(each)
        return found

    def _counted_offer(self, offer: ir.Offer) -> Counted | None:
        """An offer with one variable at most, over a set; or with two of the kind that are sets."""
        number, made = self.temp("i32"), list[str]()
        pairs = self.pairs(offer, made)
        if pairs is not None:
            total = self.pairs_in(tuple(map(get, names)) for names in pairs.planes)
            return Counted([*made, put(number, total)], number, pairs=pairs)
        if not offer.variables:
            return Counted([put(number, i32(1) if offer.guard is None else self.expr(offer.guard))], number)
        kind = offer.variables[0].domain.type
        if len(offer.variables) > 1 or not isinstance(kind, SetOf):
            return None
        if self.weights.maybe(offer.guard) > HEAVY:
            return None
        known = dict(self.masks)
        lines, run, value, where = self.domain_of(offer, 0)
        guard = None if self.settled is not None else offer.guard
        if where is None and guard is None:
            held = self.hold(value, kind)
            lines += held.pre
        else:
            held = self._those(
                offer, run, value, [each for each in (where, guard) if each is not None], lines
            )
        self.masks = known
        return Counted([*lines, put(number, self.size_code(held, kind))], number, held.codes)

    def _those(
        self, offer: ir.Offer, run: ir.Expr, value: Parts, conditions: list[ir.Expr], lines: list[str]
    ) -> Parts:
        """The elements for which conditions hold, as a set."""
        kind = run.type
        assert isinstance(kind, SetOf)
        clear, add, found = self._collector(kind)

        def body(element: Parts, skip: str) -> list[str]:
            before = self.env
            self.env = {**before, offer.variables[0].index: (element, kind.of)}
            inner = [f"(br_if {skip} (i32.eqz {self.expr(each)}))" for each in conditions]
            self.env = before
            return [*inner, add(element.codes[0])]

        lines += [clear, *self.run_over(run, value, body, self.label("d"))]
        return found

    def _bound_from_sets(self, end: ir.Decide, counted: list[Counted], k: str) -> list[str]:
        """Takes option `k`, which is of the first offer that has so many."""
        lines: list[str] = []
        for offer, each in zip(end.offers, counted, strict=True):
            taken = [*self._taken_out(offer, each, k), *self.lead(offer.block)]
            if each is counted[-1]:
                return [*lines, *taken]
            lines.append(test(f"(i32.lt_u {get(k)} {get(each.number)})", taken))
            lines.append(put(k, f"(i32.sub {get(k)} {get(each.number)})"))
        return ["(unreachable)"]

    def _taken_out(self, offer: ir.Offer, each: Counted, k: str) -> list[str]:
        """Puts the element of number `k` of a set into the frame."""
        if each.pairs is not None:
            return self.pair_taken(offer, each.pairs, k)
        if not offer.variables or self.frame is None:
            return []
        (var,) = offer.variables
        kind: Type = var.domain.type
        assert isinstance(kind, SetOf)
        bits, first, over = self.temp("i64"), self.temp("i32"), self.temp("i32")
        lines = [put(first, i32(low_of(self.program, kind))), put(bits, each.elements[0])]
        for code in each.elements[1:]:
            lines += self._passed(k, over, get(bits))
            lines.append(put(bits, f"(select {code} {get(bits)} {get(over)})"))
            lines.append(put(first, f"(i32.add {get(first)} (i32.shl {get(over)} {i32(6)}))"))
        width = CHUNK
        while width > BYTE:
            width //= 2
            if width >= extent(self.program, kind):
                continue
            lines += self._passed(k, over, f"(i64.and {get(bits)} {i64((1 << width) - 1)})")
            shift = f"(i32.shl {get(over)} {i32(width.bit_length() - 1)})"
            lines.append(put(bits, f"(i64.shr_u {get(bits)} (i64.extend_i32_u {shift}))"))
            lines.append(put(first, f"(i32.add {get(first)} {shift})"))
        byte = f"(i32.and (i32.wrap_i64 {get(bits)}) (i32.const 255))"
        place = f"(i32.add (i32.shl {byte} (i32.const 3)) {get(k)})"
        at = self.memory.constant(PLACES)
        return [*lines, *self.into_frame(var, f"(i32.add (i32.load8_u offset={at} {place}) {get(first)})")]

    def _passed(self, k: str, over: str, part: str) -> list[str]:
        """Is element `k` behind a part of a set? Then `over` is 1, and `k` counts from there. Without a jump, as chance
        cannot be foretold.
        """
        size = self.temp("i32")
        return [
            put(size, f"(i32.wrap_i64 (i64.popcnt {part}))"),
            put(over, f"(i32.ge_u {get(k)} {get(size)})"),
            put(k, f"(i32.sub {get(k)} (select {get(size)} (i32.const 0) {get(over)}))"),
        ]
