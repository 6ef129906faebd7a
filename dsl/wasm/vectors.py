"""Conditions on all members of a domain at once, four to an instruction.

`mark[x] is p`, for every x, is a comparison of the variable's slots with one value: its result, a bit for each
member, is a set. Such a condition is told by its form, costs no steps and cannot fail, so a fold or an offer that
begins with one runs over that set, or over nothing at all where only the set is wanted.

A fold inside another whose condition does not depend on the outer element has its set made once, before the outer loop:
`any l in lines where every c in l satisfies c.mark is p` is then one test of each line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.distances import Distances
from dsl.ir.effects import cannot_fail
from dsl.ir.types import NONE, Id, Int, SetOf
from dsl.ir.walk import inside, locals_in
from dsl.wasm.compounds import Compounds
from dsl.wasm.inlining import opened
from dsl.wasm.mirrors import MOST_OF_TABLES, Mirror, full, shape
from dsl.wasm.reps import CHUNK, chunks, scalar_rep
from dsl.wasm.text import Parts, both, get, i32, i64, put

LANES = 4
GROUP = 16
"""Members whose bits one instruction gathers."""
FEW = 8
MOST_LOCALS = 1 << 20
LIGHT = 20
"""The weight of what all members are compared with."""


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


Condition = Compare | Joined


def _compares(condition: Condition) -> list[Compare]:
    """What a condition is made of."""
    if isinstance(condition, Compare):
        return [condition]
    return [each for part in condition.parts for each in _compares(part)]


class Vectors(Compounds):
    """Adds sets of all members for which a condition holds. `masks` are those that are known, by the fold that asks."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.masks: dict[int, tuple[ir.Fold, Parts]] = {}
        self.tables_mirrored: dict[int, Mirror | None] = {}

    def mask(self, condition: ir.Expr, index: int, kind: SetOf, *, holds: bool = True) -> Parts | None:
        """The members of a set type for which a condition on local `index` holds (or does not)."""
        if not isinstance(kind.of, Id) or extent(self.program, kind) < FEW or low_of(self.program, kind):
            return None
        found = self._condition(condition, index, kind.of.domain, holds)
        if found is None:
            return None
        pre: list[str] = []
        codes = self._holders(found, kind, {}, pre)
        return Parts(tuple(pre), tuple(codes))

    def loads(self, condition: ir.Expr, index: int, kind: SetOf) -> bool:
        """Is that set made of mirrors alone, so that it costs next to nothing?"""
        if not isinstance(kind.of, Id) or low_of(self.program, kind):
            return False
        found = self._condition(condition, index, kind.of.domain, True)
        return found is not None and all(each.mirror is not None for each in _compares(found))

    def _holders(self, found: Condition, kind: SetOf, splats: dict[int, str], pre: list[str]) -> list[str]:
        """The members for which a condition holds: from mirrors, or from all words."""
        if isinstance(found, Compare) and found.mirror is not None:
            return self._mirrored(found, found.mirror, kind, splats, pre)
        if isinstance(found, Joined) and any(each.mirror is not None for each in _compares(found)):
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
                return self._compared_all(first, second, index, domain, (name == "eq") == holds)
            case _:
                return self._compare(e, ir.Const(Int(0, 0), 0), not holds, index, domain)

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
