"""Values at all fields of a board: one for all, columns that are known beforehand, or what stands at fields.

A field `c` is itself such a column; `step(c, north)` is another one, out of a constant table; and `first x in ray(c, d)
where ..` is one of several, each for a set of the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from dsl.engine.layout import bounds, extent
from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.types import NONE, Id, Int, ListOf, SetOf, Type
from dsl.ir.walk import inside, locals_in
from dsl.passes.meter import counted
from dsl.wasm.bits import NOTHING, Bits, Board, Column, Entry, mask_of, way_of
from dsl.wasm.text import Parts

if TYPE_CHECKING:
    from dsl.wasm.vectors import Vectors

FEWEST, MOST = 3, 2048
"""Fields of a board."""
MOST_WAYS = 9
"""Distances of numbers in a table that leads from field to field."""
MOST_CASES = 24
MOST_WORK = 20_000
"""Conditions and pairs of columns that are looked at before one gives up."""
TOLD_APART = 4
"""Values of a number that is one for all fields, each of which can be a case."""


class NoBitboard(Exception):
    """What cannot be told of all fields at once."""


@dataclass(frozen=True, slots=True)
class Same:
    """A value that is one for all fields, computed already."""

    value: Parts
    kind: Type


@dataclass(frozen=True, slots=True)
class Cases:
    """One of several columns, each for the fields of a set; for the fields in `fails` there is no value."""

    cases: tuple[tuple[Bits, Column], ...]
    fails: Bits = NOTHING


@dataclass(frozen=True, slots=True)
class Read:
    """What a variable with a mirror has at fields."""

    load: ir.Load
    fields: Cases

    @property
    def fails(self) -> Bits:
        """The fields for which there is no value."""
        return self.fields.fails


@dataclass(frozen=True, slots=True)
class Truth:
    """The fields for which a condition holds, and those for which it fails."""

    holds: Bits
    fails: Bits = NOTHING


Value = Same | Cases | Read


@dataclass(frozen=True, slots=True)
class Scope:
    """The board; the locals that are bound here, with their types, and whether those of around are seen too; and the
    fields for which what is read now is read at all.
    """

    board: Board
    known: Mapping[int, tuple[Value, Type]]
    around: bool
    reach: Callable[[], Bits]

    def bound(self, index: int, value: Value, kind: Type) -> Scope:
        """The same with one local more."""
        return replace(self, known={**self.known, index: (value, kind)})

    def constant(self, value: Entry) -> Cases:
        """A value that is the same for all fields, and known beforehand."""
        return Cases(((self.board.all, (value,) * self.board.size),))

    def number(self, local: int) -> Entry | None:
        """The value of a local, where it is the same for all fields and known beforehand."""
        value = self.known[local][0] if local in self.known else None
        if not isinstance(value, Cases) or len(value.cases) != 1 or value.fails.mask:
            return None
        ((_, column),) = value.cases
        return column[0] if len(set(column)) == 1 else None


def every_field(board: Board, index: int, kind: Type, reach: Callable[[], Bits], *, low: int = 0) -> Scope:
    """What is read of each field, which is a local; the first is a number from which on there are others."""
    each = Cases(((board.all, tuple(range(low, low + board.size))),))
    return Scope(board, {index: (each, kind)}, True, reach)


class Fields:
    """Values at all fields, in a function under construction."""

    def __init__(self, function: Vectors) -> None:
        self.function = function
        self.program = function.program
        self.weights = function.weights
        self.work = 0

    def truth(self, e: ir.Expr, scope: Scope, holds: bool) -> Truth:
        """The fields for which a condition holds, or does not."""
        raise NotImplementedError

    def in_turn(
        self, parts: Iterable[tuple[ir.Expr, Scope]], scope: Scope, holds: bool, *, every: bool
    ) -> Truth:
        """`and`, which ends at what does not hold, or `or`, which ends at what does."""
        raise NotImplementedError

    def count_elements(self, domain: Cases, weight: int, scope: Scope) -> None:
        """Counts the steps of a fold over constant sets or lists, whose elements weigh so much each."""
        raise NotImplementedError

    def spend(self, work: int) -> None:
        """Bounds what is done for one judgement."""
        self.work += work
        if self.work > MOST_WORK:
            raise NoBitboard

    def is_board(self, kind: SetOf) -> bool:
        """Is it a set of members or numbers, of as many as a board has fields?"""
        return FEWEST <= extent(self.program, kind) <= MOST

    def at_each(self, e: ir.Expr, scope: Scope) -> Value:
        """What an expression is at each field."""
        match e:
            case ir.Local(index=index) if index in scope.known:
                return scope.known[index][0]
            case ir.Const():
                return scope.constant(e.value)
            case _ if self.runs_once(e, scope):
                return Same(self.once(e, scope), e.type)
            case ir.Load() if e.owner is not None and e.var in self.function.memory.mirrors:
                return Read(e, self._present(e.owner, scope))
            case ir.Op(op="some", args=(inner,)):
                return self._present(inner, scope)
            case ir.Lookup():
                return self._looked_up(e, scope)
            case ir.Fold(kind="first"):
                return self._first(e, scope)
            case ir.Ask():
                called, fails = self.entered(e, scope)
                if fails.mask:
                    raise NoBitboard
                return self.at_each(self.base(e), called)
            case _:
                raise NoBitboard

    # ------------------------------------------------------------ what is one for all

    def runs_once(self, e: ir.Expr, scope: Scope) -> bool:
        """Is it the same for all fields, known only when it runs, and sure?"""
        known_only_then = _loads(e) or any(scope.number(each) is None for each in locals_in(e))
        return known_only_then and self.sure_once(e, scope)

    def sure_once(self, e: ir.Expr, scope: Scope) -> bool:
        """Is it the same for all fields, and sure?"""
        return (
            self._known_once(locals_in(e), scope) and cannot_fail(self.program, e) and self._is_plain(e.type)
        )

    def _known_once(self, locals_: set[int], scope: Scope) -> bool:
        """Are locals the same for all fields?"""
        return all(
            isinstance(scope.known[each][0], Same) or scope.number(each) is not None
            if each in scope.known
            else scope.around
            for each in locals_
        )

    def _is_plain(self, kind: Type) -> bool:
        """Is it a number, a member, or a set that a board can be?"""
        return isinstance(kind, Int | Id) or (isinstance(kind, SetOf) and extent(self.program, kind) <= MOST)

    def once(self, e: ir.Expr, scope: Scope) -> Parts:
        """The code of what is the same for all fields, held."""
        function, here = self.function, {}
        for local in locals_in(e) & scope.known.keys():
            value, kind = scope.known[local]
            number = scope.number(local)
            if isinstance(value, Same):
                here[local] = value.value, kind
            else:
                assert number is not None
                here[local] = function.const(kind, number), kind
        before, frame = function.env, function.frame
        function.env = {**before, **here} if scope.around else here
        function.frame = frame if scope.around else None
        found = function.held(e)
        function.env, function.frame = before, frame
        scope.board.lines += found.pre
        return Parts((), found.codes, True)

    # ------------------------------------------------------------ what rules say

    def base(self, e: ir.Ask) -> ir.Expr:
        """What a value comes down to that no clause changes."""
        value = self.program.values[e.value]
        if value.clauses or value.base.type != value.result or e.type != value.result:
            raise NoBitboard
        return value.base

    def entered(self, e: ir.Ask | ir.Judge, scope: Scope) -> tuple[Scope, Bits]:
        """What a value or judgement sees, its arguments, and where these fail."""
        known: dict[int, tuple[Value, Type]] = {}
        fails = NOTHING
        for local, each in enumerate(e.args):
            value = self.at_each(each, scope)
            known[local] = value, each.type
            fails = scope.board.join(fails, fails_of(value))
        return replace(scope, known=known, around=False), fails

    # ------------------------------------------------------------ columns

    def columns(self, value: Value, scope: Scope) -> Cases:
        """A value as columns: of what is one for all and has few values, one for each."""
        match value:
            case Cases():
                return value
            case Same(kind=Int() | Id() as kind) if not kind.optional:
                low, high = bounds(self.program, kind)
                if high - low < TOLD_APART:
                    board, code = scope.board, value.value.codes[0]
                    return Cases(
                        tuple(
                            (board.all_if(f"(i32.eq {code} (i32.const {n}))"), (n,) * board.size)
                            for n in range(low, high + 1)
                        )
                    )
            case _:
                pass
        raise NoBitboard

    def _present(self, e: ir.Expr, scope: Scope) -> Cases:
        """A value that fails where there is none."""
        value = self.columns(self.at_each(e, scope), scope)
        return Cases(value.cases, scope.board.join(value.fails, missing(value, scope.board)))

    def _looked_up(self, e: ir.Lookup, scope: Scope) -> Cases:
        """The entries of a table, for each case of its indices."""
        board, table = scope.board, self.program.data[e.data]
        given = [self.columns(self.at_each(each, scope), scope) for each in e.indices]
        if prod(len(each.cases) for each in given) > MOST_CASES:
            raise NoBitboard
        fails = board.join_all(each.fails for each in given)
        cases = []
        for chosen in product(*(each.cases for each in given)):
            guard = board.all
            for more, _ in chosen:
                guard = board.meet(guard, more)
            places = [_place(row, table.dims) for row in zip(*(column for _, column in chosen), strict=True)]
            empty: Entry = () if isinstance(table.type, ListOf) else 0
            column = tuple(empty if at is None else table.values[at] for at in places)
            fails = board.join(fails, board.meet(guard, Bits(mask_of(at is None for at in places))))
            cases.append((guard, column))
        self.spend(len(cases) * board.words)
        if not isinstance(table.type, Int | Id | SetOf | ListOf):
            raise NoBitboard
        return Cases(tuple(cases), fails)

    def _first(self, e: ir.Fold, scope: Scope) -> Cases:
        """`first x in ray(c, d) where ..`: a case for each place in the list, and one for none."""
        condition, kind, board = self.function.only(e), e.domain.type, scope.board
        if condition is None or not isinstance(kind, ListOf) or not isinstance(kind.of, Id):
            raise NoBitboard
        domain = self.at_each(e.domain, scope)
        if not isinstance(domain, Cases) or len(domain.cases) != 1:
            raise NoBitboard
        self.count_elements(domain, counted(e), scope)
        target = self.set_of([condition], e.index, kind.of, scope)
        ((left, lists),) = domain.cases
        cases: list[tuple[Bits, Column]] = []
        for k in range(max((len(each) for each in lists if isinstance(each, tuple)), default=0)):
            column = tuple(each[k] if isinstance(each, tuple) and len(each) > k else NONE for each in lists)
            found = self.from_there(target, enumerate(column), board)
            cases.append((board.meet(left, found), column))
            left = board.kept(board.codes(board.meet(left, board.rest(found))))
        return Cases((*cases, (left, (NONE,) * board.size)), domain.fails)

    # ------------------------------------------------------------ sets that fields lead to

    def set_of(self, conditions: Sequence[ir.Expr], index: int, kind: Id, scope: Scope) -> Bits:
        """The members of a domain for which conditions hold that are the same for all fields."""
        asked = {local for each in conditions for local in locals_in(each)} & scope.known.keys() - {index}
        size = extent(self.program, SetOf(kind))
        if not self.is_board(SetOf(kind)) or not self._known_once(asked, scope):
            raise NoBitboard
        there = scope.board.beside(size)
        inner = every_field(there, index, kind, unknown)
        for local in asked:
            value, of = scope.known[local]
            number = scope.number(local)
            inner = inner.bound(local, value if number is None else inner.constant(number), of)
        inner = replace(inner, around=scope.around)
        found = self.in_turn([(each, inner) for each in conditions], inner, True, every=True)
        if found.fails.mask:
            raise NoBitboard
        return found.holds

    def from_there(self, target: Bits, pairs: Iterable[tuple[int, Entry]], board: Board) -> Bits:
        """The fields from which one comes to a set, given where one comes to from each."""
        way = way_of((field, to) for field, to in pairs if isinstance(to, int) and to != NONE)
        if len(way) > MOST_WAYS:
            raise NoBitboard
        return board.from_there(target, way)


def fails_of(value: Value) -> Bits:
    """The fields for which there is no value."""
    return NOTHING if isinstance(value, Same) else value.fails


def missing(value: Cases, board: Board) -> Bits:
    """The fields for which a value is none."""
    return board.join_all(
        board.meet(guard, Bits(mask_of(each == NONE for each in column))) for guard, column in value.cases
    )


def _loads(e: ir.Expr) -> bool:
    return any(isinstance(each, ir.Load) for each in inside(e))


def _place(indices: tuple[Entry, ...], dims: tuple[tuple[int, int], ...]) -> int | None:
    """The number of an entry; none where an index is not in the table."""
    at = 0
    for index, (low, count) in zip(indices, dims, strict=True):
        if not isinstance(index, int) or not low <= index < low + count:
            return None
        at = at * count + index - low
    return at


def unknown() -> Bits:
    """For which fields something is read, where that is not known."""
    raise NoBitboard
