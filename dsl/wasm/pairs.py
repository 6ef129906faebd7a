"""Offers with two variables whose options are counted: `advance(c, d) for c in Cell where .., d in ahead(p)`.

For each value of the second variable the values of the first are a set (`bitboards`). How many options there are with
each of the first stands then in a few words, of which the first has the ones, the second the twos, and so on, added
up as a full adder does it; and the option of a number is found by halves. A board of more than 64 fields has these
words for each 64 of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.program import FRAME_HEAD
from dsl.ir.types import TRUTH, Id, SetOf
from dsl.ir.walk import locals_in
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.bitboards import Judged
from dsl.wasm.bits import Names, members_of
from dsl.wasm.function import LIGHT_ENOUGH
from dsl.wasm.offers import Offers
from dsl.wasm.reps import CHUNK, chunks
from dsl.wasm.text import Parts, both, get, i32, i64, plus, put

FEWEST, MOST = 2, 8
"""Values of the second variable."""
BYTE = 8
PLACES = bytes(
    next((bit for bit in range(BYTE) if byte >> bit & 1 and (byte & (1 << bit) - 1).bit_count() == k), 0)
    for byte in range(256)
    for k in range(BYTE)
)
"""For each byte and each number the place of the bit that has so many below it."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """For each value of the second variable the values of the first, and how many pairs there are with each of these:
    the sets of ones, twos, and so on. Each set has a local for each word.
    """

    sets: dict[int, Names]
    planes: tuple[Names, ...]


class PairOffers(Offers):
    """Adds offers with two variables as sets."""

    def pairs(self, offer: ir.Offer, lines: list[str]) -> Pairs | None:
        """The options of an offer as sets, which statements behind `lines` make."""
        if len(offer.variables) != 2:
            return None
        first, second = offer.variables
        values = self._values(second.domain)
        one, weight = first.domain.type, counted(second)
        if values is None or first.index in locals_in(second.domain) or weight >= LIGHT_ENOUGH:
            return None
        if not isinstance(one, SetOf) or not Judged(self).is_board(one):
            return None
        domain = self.held(first.domain)
        made = [*domain.pre, *self.counted(first.domain, domain, counted(first))]
        found = Parts((), domain.codes, True)
        _, found, where = self.narrowed(first.domain, found, first.where, first.index, stops=False)
        sets = None if where is not None else self._sets(offer, values, Parts((), found.codes, found.atomic))
        if sets is None:
            return None
        lines += [*made, *found.pre, *self._tried(second.domain, self.size_code(found, one), weight)]
        for each in sets.values():
            lines += each.pre
        return self._kept({member: each.codes for member, each in sets.items()}, lines)

    def _values(self, domain: ir.Expr) -> tuple[int, ...] | None:
        """What the second variable can be: few values, and a domain that cannot fail."""
        kind = domain.type
        few = (
            isinstance(kind, SetOf)
            and isinstance(kind.of, Id)
            and FEWEST <= extent(self.program, kind) <= MOST
        )
        if not few or not cannot_fail(self.program, domain):
            return None
        assert isinstance(kind, SetOf)
        held = (1 << extent(self.program, kind)) - 1
        if isinstance(domain, ir.Const) and isinstance(domain.value, int):
            held = domain.value
        if isinstance(domain, ir.Lookup):
            entries = self.program.data[domain.data].values
            held &= reduce(or_, (each for each in entries if isinstance(each, int)), 0)
        return members_of(held)

    def _sets(self, offer: ir.Offer, values: tuple[int, ...], domain: Parts) -> dict[int, Parts] | None:
        """For each value of the second variable the values of the first."""
        first, second = offer.variables
        kind = second.domain.type
        assert isinstance(kind, SetOf)
        conditions = [each for each in (second.where, offer.guard) if each is not None]
        if not isinstance(second.domain, ir.Const):
            there = ir.Op(TRUTH, "has", (second.domain, ir.Local(kind.of, second.index)))
            conditions = [there, *conditions]
        found = {}
        for value in values:
            given = {second.index: (value, kind.of)}
            each = self.bitboard(conditions, first.index, domain, first.domain.type, stops=False, given=given)
            if each is None:
                return None
            found[value] = each
        return found

    def _tried(self, domain: ir.Expr, times: str, weight: int) -> list[str]:
        """Counts the steps of the second variable, for each value of the first."""
        value = self.held(domain)
        one = f"(i32.div_u (i32.mul {self.size_code(value, domain.type)} {i32(weight)}) {i32(STEP)})"
        return [*value.pre, self.count_code(f"(i32.mul {times} {one})")]

    def _kept(self, sets: dict[int, tuple[str, ...]], lines: list[str]) -> Pairs:
        """Puts sets into locals, and adds them up."""
        names = {member: tuple(self.temp("i64") for _ in codes) for member, codes in sets.items()}
        for member, codes in sets.items():
            lines += map(put, names[member], codes)
        planes: list[Names] = []
        for done, each in enumerate(names.values()):
            carried = each
            for plane in planes:
                both_have = tuple(self.temp("i64") for _ in plane)
                lines += [
                    put(more, f"(i64.and {get(a)} {get(b)})")
                    for more, a, b in zip(both_have, plane, carried, strict=True)
                ]
                lines += [put(a, f"(i64.xor {get(a)} {get(b)})") for a, b in zip(plane, carried, strict=True)]
                carried = both_have
            if done + 1 >= 1 << len(planes):
                planes.append(tuple(self.temp("i64") for _ in carried))
                lines += [put(a, get(b)) for a, b in zip(planes[-1], carried, strict=True)]
        return Pairs(names, tuple(planes))

    def pairs_in(self, planes: Iterable[tuple[str, ...]]) -> str:
        """How many pairs there are, given the words of ones, of twos, and so on."""
        counts = [
            f"(i64.shl (i64.popcnt {code}) {i64(k)})" for k, codes in enumerate(planes) for code in codes
        ]
        return f"(i32.wrap_i64 {both('i64.add', counts)})"

    def pair_taken(self, offer: ir.Offer, pairs: Pairs, k: str) -> list[str]:
        """Puts the pair of number `k` into the frame, found word by word and then by halves, without a jump."""
        assert self.frame is not None
        first, second = offer.variables
        kind = first.domain.type
        assert isinstance(kind, SetOf)
        left, at = [self.temp("i64") for _ in pairs.planes], self.temp("i32")
        here = {member: self.temp("i64") for member in pairs.sets}
        size, over, word = self.temp("i32"), self.temp("i32"), self.temp("i32")
        found = [*zip(left, pairs.planes, strict=True), *((here[each], pairs.sets[each]) for each in here)]
        lines = [put(at, i32(0)), put(word, i32(0)), *(put(name, get(names[0])) for name, names in found)]

        def passed(part: list[str]) -> list[str]:
            return [
                put(size, self.pairs_in((code,) for code in part)),
                put(over, f"(i32.ge_u {get(k)} {get(size)})"),
                put(k, f"(i32.sub {get(k)} (select {get(size)} (i32.const 0) {get(over)}))"),
            ]

        for n in range(1, chunks(self.program, kind)):
            lines += passed([get(each) for each in left])
            lines += [put(name, f"(select {get(names[n])} {get(name)} {get(over)})") for name, names in found]
            lines.append(put(word, f"(i32.add {get(word)} {get(over)})"))
        width = CHUNK
        while width > 1:
            width //= 2
            if width >= extent(self.program, kind):
                continue
            lines += passed([f"(i64.and {get(each)} {i64((1 << width) - 1)})" for each in left])
            shift = f"(i32.shl {get(over)} {i32(width.bit_length() - 1)})"
            lines += [
                *(put(each, f"(i64.shr_u {get(each)} (i64.extend_i32_u {shift}))") for each in left),
                put(at, f"(i32.add {get(at)} {shift})"),
            ]
        bits = [
            f"(i64.shl (i64.and (i64.shr_u {get(name)} (i64.extend_i32_u {get(at)})) (i64.const 1)) {i64(member)})"
            for member, name in here.items()
        ]
        byte = f"(i32.wrap_i64 {both('i64.or', bits)})"
        place = f"(i32.add (i32.shl {byte} (i32.const 3)) {get(k)})"
        other = f"(i32.load8_u offset={self.memory.constant(PLACES)} {place})"
        member = f"(i32.add (i32.shl {get(word)} (i32.const 6)) {get(at)})"
        one = plus(member, low_of(self.program, kind))
        return [*lines, *self.into_frame(first, one), *self.into_frame(second, other)]

    def into_frame(self, var: ir.OfferVar, code: str) -> list[str]:
        """Gives a variable of an offer its value."""
        assert self.frame is not None
        kind = var.domain.type
        assert isinstance(kind, SetOf)
        target = self.frame.locals[var.index]
        to = 4 * (FRAME_HEAD + self.frame.offsets[var.index])
        return self.write(get("$f"), to, target, self.widen(Parts((), (code,)), kind.of, target))
