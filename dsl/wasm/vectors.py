"""Conditions on all members of a domain at once, four to an instruction.

`mark[x] is p`, for every x, is a comparison of the variable's slots with one value: its result, a bit for each
member, is a set. Such a condition is told by its form, costs no steps and cannot fail, so a fold or an offer that
begins with one runs over that set, or over nothing at all where only the set is wanted.

A fold inside another whose condition does not depend on the outer element has its set made once, before the outer loop:
`any l in lines where every c in l satisfies c.mark is p` is then one test of each line.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import prod

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.distances import Distances
from dsl.ir.effects import cannot_fail
from dsl.ir.types import NONE, Id, Int, SetOf
from dsl.ir.walk import inside, locals_in
from dsl.wasm.compounds import Compounds
from dsl.wasm.function import scaled
from dsl.wasm.inlining import opened
from dsl.wasm.mirrors import MOST_OF_TABLES, Mirror, full, shape
from dsl.wasm.reps import CHUNK, chunks, scalar_rep
from dsl.wasm.text import Parts, both, get, i32, i64, plus, put

LANES = 4
GROUP = 16
"""Members whose bits one instruction gathers."""
FEW = 8
MOST_LOCALS = 1 << 20
MOST_COMPARED = 2
LIGHT = 20
"""The weight of what all members are compared with."""
LIGHT_SET = 60
"""The weight of a set that all members are looked for in."""
MOST_ENTRIES = 1 << 15
"""Of a constant table from which sets are made."""
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
"""Comparisons of a word with a constant; none is as any other value."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Are the words from an address on, one for each member, equal (or not) to a value?"""

    address: int
    value: ir.Expr
    equal: bool
    mirror: Mirror | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """`and` or `or` of conditions."""

    op: str
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """The members of a set that can be had without looking at each of them, or all others."""

    made: Callable[[], Parts]
    holds: bool


Condition = Compare | Joined | Given


def _leaves(condition: Condition) -> list[Compare | Given]:
    """What a condition is made of."""
    if isinstance(condition, Joined):
        return [each for part in condition.parts for each in _leaves(part)]
    return [condition]


def _is_at_hand(condition: Condition) -> bool:
    """Does a set answer a condition, so that no word of a member is looked at?"""
    return all(isinstance(each, Given) or each.mirror is not None for each in _leaves(condition))


class Vectors(Compounds):
    """Adds sets of all members for which a condition holds. `masks` are those that are known, by the fold that asks."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.masks: dict[int, tuple[ir.Fold, Parts]] = {}
        self.tables_mirrored: dict[int, Mirror | None] = {}

    def mask(self, condition: ir.Expr, index: int, kind: SetOf, *, holds: bool = True) -> Parts | None:
        """The members of a set type for which a condition on local `index` holds (or does not)."""
        found = self._asked_of(condition, index, kind, holds=holds)
        if found is None:
            return None
        pre: list[str] = []
        codes = self._holders(found, kind, {}, pre)
        return Parts(tuple(pre), tuple(codes))

    def loads(self, condition: ir.Expr, index: int, kind: SetOf) -> bool:
        """Is that set made of sets that are at hand, so that it costs next to nothing?"""
        found = self._asked_of(condition, index, kind, holds=True)
        return found is not None and _is_at_hand(found)

    def is_short(self, condition: ir.Expr, index: int, kind: SetOf) -> bool:
        """Is that set made of one or two comparisons of few words at most?"""
        if extent(self.program, kind) > CHUNK:
            return False
        found = self._asked_of(condition, index, kind, holds=True)
        compared = [] if found is None else [each for each in _leaves(found) if isinstance(each, Compare)]
        return found is not None and sum(each.mirror is None for each in compared) <= MOST_COMPARED

    def _asked_of(self, condition: ir.Expr, index: int, kind: SetOf, *, holds: bool) -> Condition | None:
        """What a condition asks of the members of a set type, if it can be answered for all of them at once."""
        if not isinstance(kind.of, Id) or extent(self.program, kind) < FEW or low_of(self.program, kind):
            return None
        return self._condition(condition, index, kind.of.domain, holds)

    def _holders(self, found: Condition, kind: SetOf, splats: dict[int, str], pre: list[str]) -> list[str]:
        """The members for which a condition holds: from mirrors, or from all words."""
        if isinstance(found, Given):
            made = self.hold(found.made(), kind)
            pre += made.pre
            members = extent(self.program, kind)
            return [
                code if found.holds else f"(i64.xor {code} {full(members, k)})"
                for k, code in enumerate(made.codes)
            ]
        if isinstance(found, Compare) and found.mirror is not None:
            return self._mirrored(found, found.mirror, kind, splats, pre)
        if isinstance(found, Joined) and any(map(_is_at_hand, _leaves(found))):
            parts = [self._holders(each, kind, splats, pre) for each in found.parts]
            return [both(f"i64.{found.op}", column) for column in zip(*parts, strict=True)]
        count = extent(self.program, kind)
        codes = []
        for k in range(chunks(self.program, kind)):
            groups = [
                self._group(found, first, count, splats, pre)
                for first in range(k * CHUNK, min((k + 1) * CHUNK, count), GROUP)
            ]
            shifted = [
                f"(i64.shl (i64.extend_i32_u {code}) {i64(GROUP * n)})" if n else f"(i64.extend_i32_u {code})"
                for n, code in enumerate(groups)
            ]
            whole = min(CHUNK, count - k * CHUNK)
            code = both("i64.or", shifted)
            codes.append(code if whole % GROUP == 0 else f"(i64.and {code} {i64((1 << whole) - 1)})")
        return codes

    def _mirrored(
        self, found: Compare, mirror: Mirror, kind: SetOf, splats: dict[int, str], pre: list[str]
    ) -> list[str]:
        """The set of a value, or all others."""
        at, address = mirror.address, i32(0)
        if isinstance(found.value, ir.Const) and isinstance(found.value.value, int):
            at += mirror.row(found.value.value)
        else:
            name = splats.get(id(found.value)) or self.temp("i32")
            if id(found.value) not in splats:
                splats[id(found.value)] = name
                pre.append(put(name, mirror.row_code(self.number(found.value, "i32"))))
            address = get(name)
        codes = [f"(i64.load offset={at + 8 * k} {address})" for k in range(mirror.chunks)]
        if found.equal:
            return codes
        members = extent(self.program, kind)
        return [f"(i64.xor {code} {full(members, k)})" for k, code in enumerate(codes)]

    def _condition(self, e: ir.Expr, index: int, domain: int, holds: bool) -> Condition | None:
        e = opened(self.program, e)
        match e:
            case ir.Op(op="not", args=(inner,)):
                return self._condition(inner, index, domain, not holds)
            case ir.Op(op="and" | "or" as name, args=args):
                parts = [self._condition(each, index, domain, holds) for each in args]
                known = tuple(each for each in parts if each is not None)
                if len(known) < len(parts):
                    return None
                return Joined(name if holds else {"and": "or", "or": "and"}[name], known)
            case ir.Op(op="is_none", args=(value,)):
                return self._compare(value, ir.Const(Int(0, 0, optional=True), NONE), holds, index, domain)
            case ir.Op(op="eq" | "ne" as name, args=(first, second)):
                found = self._compared_all(first, second, index, domain, (name == "eq") == holds)
            case _:
                found = self._compare(e, ir.Const(Int(0, 0), 0), not holds, index, domain)
        if found is not None:
            return found
        made = self._given(e, index, domain)
        return None if made is None else Given(made, holds)

    # ------------------------------------------------------------ sets that answer a condition

    def _given(self, e: ir.Expr, index: int, domain: int) -> Callable[[], Parts] | None:
        """What makes the set of the members for which a condition holds: a set that the member is looked for in, a row
        of a table made for the purpose, or all or none.
        """
        if not cannot_fail(self.program, e):
            return None
        kind = SetOf(Id(domain))
        if index not in locals_in(e):
            return partial(self._all_or_none, e, kind) if self.weights.expr(e) <= LIGHT else None
        match e:
            case ir.Op(op="has", args=(held, ir.Local(index=number))) if (
                number == index and held.type == kind and index not in locals_in(held)
            ):
                return partial(self.parts, held) if self.weights.expr(held) <= LIGHT_SET else None
            case ir.Op(op="has", args=(ir.Lookup(indices=(ir.Local(index=number),)) as sets, element)) if (
                number == index and index not in locals_in(element)
            ):
                return self._sets_with(sets, element, domain)
            case ir.Op(op=op, args=(ir.Lookup() as words, ir.Const(value=int(value)))) if op in HOLDS:
                return self._row(words, index, domain, lambda word: HOLDS[op](word, value))
            case _:
                return None

    def _all_or_none(self, e: ir.Expr, kind: SetOf) -> Parts:
        holds = self.temp("i32")
        members = extent(self.program, kind)
        codes = (
            f"(select {full(members, k)} {i64(0)} {get(holds)})" for k in range(chunks(self.program, kind))
        )
        return Parts((put(holds, self.expr(e)),), tuple(codes))

    def _row(
        self, words: ir.Lookup, index: int, domain: int, holds: Callable[[int], bool]
    ) -> Callable[[], Parts] | None:
        """The members for which a word of a constant table meets a condition: a set for each of the other indices."""
        table = self.program.data[words.data]
        member = ir.Local(Id(domain), index)
        (at, *more) = [n for n, each in enumerate(words.indices) if index in locals_in(each)]
        others = [each for n, each in enumerate(words.indices) if n != at]
        (low, count), dims = table.dims[at], [each for n, each in enumerate(table.dims) if n != at]
        inner = prod(each for _, each in table.dims[at + 1 :])
        rows = prod(each for _, each in dims)
        whole = (low, count) == (0, len(self.program.domains[domain].members))
        if more or words.indices[at] != member or not whole or rows * count > MOST_ENTRIES:
            return None
        sets = []
        for row in range(rows):
            first = row // inner * inner * count + row % inner
            values = (table.values[first + inner * n] for n in range(count))
            sets.append(sum(1 << n for n, each in enumerate(values) if isinstance(each, int) and holds(each)))
        return partial(self._set_at, sets, others, dims, SetOf(Id(domain)))

    def _sets_with(self, sets: ir.Lookup, element: ir.Expr, domain: int) -> Callable[[], Parts] | None:
        """The members whose set in a constant table has an element: a set for each element."""
        table = self.program.data[sets.data]
        if (
            not isinstance(sets.type, SetOf)
            or not isinstance(element.type, Int | Id)
            or element.type.optional
        ):
            return None
        low, count = low_of(self.program, sets.type), extent(self.program, sets.type)
        least, most = self.range_of(element.type)
        whole = table.dims == ((0, len(self.program.domains[domain].members)),)
        inside_ = low <= least and most < low + count
        if not whole or not inside_ or count * len(table.values) > MOST_ENTRIES or table.type != sets.type:
            return None
        found = [
            sum(1 << n for n, each in enumerate(table.values) if isinstance(each, int) and each >> k & 1)
            for k in range(count)
        ]
        return partial(self._set_at, found, [element], [(low, count)], SetOf(Id(domain)))

    def _set_at(
        self, sets: list[int], indices: list[ir.Expr], dims: list[tuple[int, int]], kind: SetOf
    ) -> Parts:
        """One of many constant sets."""
        width = chunks(self.program, kind)
        base = self.memory.constant(b"".join(each.to_bytes(8 * width, "little") for each in sets))
        place = i32(0)
        for n, (each, (low, count)) in enumerate(zip(indices, dims, strict=True)):
            code = plus(self.number(each, "i32"), -low)
            place = f"(i32.add {scaled(place, count)} {code})" if n else code
        pre, address = self.atom(scaled(place, 8 * width))
        return Parts(pre, tuple(f"(i64.load offset={base + 8 * k} {address})" for k in range(width)))

    def _compared_all(
        self, first: ir.Expr, second: ir.Expr, index: int, domain: int, equal: bool
    ) -> Compare | None:
        for words, value in ((first, second), (second, first)):
            light = index not in locals_in(value) and self.weights.expr(value) <= LIGHT
            sure = light and cannot_fail(self.program, value)
            if sure and scalar_rep(value.type) == "i32" and isinstance(value.type, Int | Id):
                found = self._compare(words, value, equal, index, domain)
                if found is not None:
                    return found
        return None

    def _compare(
        self, words: ir.Expr, value: ir.Expr, equal: bool, index: int, domain: int
    ) -> Compare | None:
        at = self._words(words, index, domain)
        if at is None:
            return None
        mirror = self._mirror_of(words)
        fits = mirror is not None and (
            mirror.has(self.program, value.type)
            or (isinstance(value, ir.Const) and value.value == NONE and mirror.optional)
        )
        return Compare(at, value, equal, mirror if fits else None)

    def _mirror_of(self, e: ir.Expr) -> Mirror | None:
        """The mirror of a variable or constant table."""
        if isinstance(e, ir.Load):
            return self.memory.mirrors.get(e.var)
        if not isinstance(e, ir.Lookup):
            return None
        if e.data not in self.tables_mirrored:
            table = self.program.data[e.data]
            (_, members), *_ = table.dims
            plain = not isinstance(table.values, Distances)
            found = shape(self.program, table.type, members, 0, MOST_OF_TABLES) if plain else None
            if found is not None:
                data = found.known(each for each in table.values if isinstance(each, int))
                found = replace(found, address=self.memory.constant(data))
            self.tables_mirrored[e.data] = found
        return self.tables_mirrored[e.data]

    def _words(self, e: ir.Expr, index: int, domain: int) -> int | None:
        """Where the words stand of which `e` reads that of member `index`."""
        match e:
            case ir.Load(var=var, owner=ir.Local(index=number)) if number == index:
                declared = self.program.vars[var]
                scalar = isinstance(declared.type, Int | Id)
                return 4 * declared.offset if scalar and declared.of == domain else None
            case ir.Lookup(data=data, indices=(ir.Local(index=number),)) if number == index:
                table = self.program.data[data]
                scalar = isinstance(table.type, Int | Id) and scalar_rep(table.type) == "i32"
                whole = table.dims == ((0, len(self.program.domains[domain].members)),)
                return self.table(data) if scalar and whole else None
            case _:
                return None

    def _group(
        self, condition: Condition, first: int, count: int, splats: dict[int, str], pre: list[str]
    ) -> str:
        """The bits of up to 16 members."""
        nothing = "(v128.const i64x2 0 0)"
        lanes = [
            self._lanes(condition, at, splats, pre) if at < count else nothing
            for at in range(first, first + GROUP, LANES)
        ]
        halves = [f"(i16x8.narrow_i32x4_s {a} {b})" for a, b in (lanes[:2], lanes[2:])]
        return f"(i8x16.bitmask (i8x16.narrow_i16x8_s {halves[0]} {halves[1]}))"

    def _lanes(self, condition: Condition, at: int, splats: dict[int, str], pre: list[str]) -> str:
        if isinstance(condition, Joined):
            return both(
                f"v128.{condition.op}", [self._lanes(each, at, splats, pre) for each in condition.parts]
            )
        assert isinstance(condition, Compare)
        key = id(condition.value)
        if key not in splats:
            splats[key] = self.temp("v128")
            pre.append(put(splats[key], f"(i32x4.splat {self.number(condition.value, 'i32')})"))
        words = f"(v128.load offset={condition.address + 4 * at} align=4 (i32.const 0))"
        return f"(i32x4.{'eq' if condition.equal else 'ne'} {words} {get(splats[key])})"

    # ------------------------------------------------------------ folds

    def prepared(self, e: ir.Fold) -> list[str]:
        """Makes the sets that folds inside this one ask for and that do not depend on its element."""
        return self.prepared_in([part for part in (e.where, e.body) if part is not None], {e.index})

    def prepared_in(self, parts: list[ir.Expr], bound: set[int]) -> list[str]:
        """The same for folds in expressions that are evaluated again and again, with other values of some locals.

        The sets are known until `masks` is what it was before: nothing may be written as long.
        """
        lines: list[str] = []
        around = [each for part in parts for each in inside(part)]
        binding = bound | {each.index for each in around if isinstance(each, ir.LetIn | ir.Fold)}
        asked = [self._asked(each) for each in around]
        for each, alone in (*((each, False) for each in around), *((each, True) for each in asked)):
            if not isinstance(each, ir.Fold) or id(each) in self.masks:
                continue
            condition = self.only(each)
            kind = each.domain.type
            if condition is None or not isinstance(kind, SetOf):
                continue
            outer = locals_in(condition) - {each.index}
            if (outer if alone else outer & binding) or isinstance(each.domain, ir.Const):
                continue
            found = self.mask(condition, each.index, kind)
            if found is not None:
                kept = self.hold(found, kind)
                lines += kept.pre
                self.masks[id(each)] = each, Parts((), kept.codes, True)
        return lines

    def _asked(self, e: ir.Expr) -> ir.Fold | None:
        """The fold that a value asked for comes down to."""
        if not isinstance(e, ir.Ask):
            return None
        value = self.program.values[e.value]
        plain = not value.clauses and value.base.type == value.result == e.type
        return value.base if plain and isinstance(value.base, ir.Fold) else None

    def only(self, e: ir.Fold) -> ir.Expr | None:
        """The one condition of a fold that asks nothing else."""
        if e.kind not in {"any", "every", "count", "all", "first"}:
            return None
        if e.where is None or (isinstance(e.where, ir.Const) and e.where.value == 1 and e.body is not None):
            return e.body
        trivial = e.body is None or (isinstance(e.body, ir.Const) and e.body.value == 1)
        return e.where if trivial and e.kind != "every" else None

    def unused(self) -> int:
        """The number of a local that is bound nowhere."""
        self._fresh += 1
        return MOST_LOCALS + self._fresh
