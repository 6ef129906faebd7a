"""Tables in place of what follows from the map alone.

- A value that reads no state, `value home_row(p: Player) = 1 if p is red else 8`, becomes a table of its parameters.
- Of a phrase such as `first c in Cell where column(c) is x and c.disc is none` the part that reads no state chooses
  among the cells once and for all: a table gives, for each `x`, the cells that it leaves.
- All elements of a list that stands in a table, such as `all x in ray(c, d) where true`, are a set in another table.

Needs: a verified program.
Guarantees: what reads no state, cites no rule and cannot fail is a constant or a `lookup`, within the limits below.
Keeps: elements in their order. Nothing is computed here that could fail there; what cites a rule is left alone, since
its use is counted and told.
Steps: fewer, as what is looked up is not computed. So this pass stands before the count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import inf
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.conditions import TRUE, conjunction, conjuncts
from dsl.ir.effects import cannot_fail
from dsl.ir.rewrite import mapped
from dsl.ir.types import Id, Int, ListOf, SetOf, Type
from dsl.ir.walk import inside
from dsl.passes.tabulate.compiled import Functions
from dsl.passes.tabulate.constants import Constants, NotConstant, Plain, bound_in, members

MOST_ENTRIES = 4_096
"""Entries of one table."""
MOST_IN_ALL = 100_000
"""Entries of all tables."""
MOST_WORK = 2_000_000
"""Elements that are gone through for one program, and nodes that are evaluated one by one."""
CHANGED = ("values", "actions", "procedures", "routines", "endings", "promises")
"""The parts of a program that are played, and what is looked at while it is."""


Found = list[int] | None
"""What a table came to, or a single value; none where it is not constant."""


def tabulated(program: pr.Program, known: list[Found] | None = None) -> tuple[pr.Program, list[Found], int]:
    """The program with tables for what reads no state; what each came to, in the order in which they were asked for,
    and how many elements were gone through for them. What is `known` of an earlier time is not computed again.
    """
    tables = _Tables(program, known or [])
    made = tables.program_with_tables()
    return made, tables.results, MOST_WORK - tables.constants.left


class _Tables:
    def __init__(self, program: pr.Program, known: list[Found]) -> None:
        self.program = program
        self.results: list[Found] = []
        self.waiting = known[::-1]
        """What is known of the tables that have not been asked for yet, the last first."""
        self.data = list(program.data)
        self.constants = Constants(program, self.data, MOST_WORK)
        self.functions = Functions(self.constants)
        self.room = MOST_IN_ALL
        """How many more entries may be kept in memory."""
        self.known: dict[tuple[Any, ...], int] = {}
        self.values: dict[int, int | None] = {}
        """For each value that was asked its table, if it has one."""
        self.fixed: dict[int, bool] = {}

    def program_with_tables(self) -> pr.Program:
        parts = {name: mapped(getattr(self.program, name), self.change) for name in CHANGED}
        return replace(self.program, **parts, data=tuple(self.data))

    def change(self, node: Any) -> Any:
        match node:
            case ir.Ask():
                return self.ask(node)
            case ir.Fold(kind="all", domain=ir.Lookup() as listed, where=where) if where in (None, TRUE):
                return self.gathered(node, listed)
            case ir.Op(op="list_set", args=(ir.Lookup() as listed,)):
                return self.gathered(node, listed)
            case ir.Fold(kind=kind) if kind != "closure":
                return self.over_table(node if node.where is None else self.chosen(node))
            case _:
                return node

    # ------------------------------------------------------------ values

    def ask(self, expr: ir.Ask) -> ir.Expr:
        """The value's table in place of the question, where it has one; without parameters, what it gives."""
        if not expr.args:
            return self.fixed_value(expr)
        if expr.value not in self.values:
            self.values[expr.value] = self.table_of(expr.value)
        data = self.values[expr.value]
        return expr if data is None else ir.Lookup(expr.type, data, expr.args)

    def fixed_value(self, expr: ir.Ask) -> ir.Expr:
        value = self.program.values[expr.value]
        if not isinstance(value.result, Int | Id | SetOf) or not self.is_fixed(expr.value):
            return expr
        found = self.found(1, lambda: (self.result(value, ()),))
        return expr if found is None else ir.Const(expr.type, found[0])

    def table_of(self, number: int) -> int | None:
        value = self.program.values[number]
        ranges = [members(self.program, kind) for kind in value.params]
        scalar = isinstance(value.result, Int | Id | SetOf)
        if not ranges or not scalar or not self.is_fixed(number):
            return None
        return self.table(
            pr.name_of_table(value), value.result, ranges, lambda args: self.result(value, args)
        )

    def result(self, value: pr.Value, args: tuple[int, ...]) -> Plain:
        function = self.functions.of(value.base, tuple(range(len(args))))
        given: dict[int, Plain] = dict(enumerate(args))
        found = function(*args) if function else self.constants.number(value.base, given)
        if isinstance(value.result, Int) and not (
            value.result.optional or value.result.low <= found <= value.result.high
        ):
            raise NotConstant
        return found

    def reads_nothing(self, expr: ir.Expr) -> bool:
        """Is there nothing in it that plainly reads the state, nor in the values that it asks?"""
        return all(
            not isinstance(each, ir.Load | ir.LoadItem | ir.Judge | ir.Reach | ir.Trial | ir.Occurrences)
            and (not isinstance(each, ir.Ask) or self.is_fixed(each.value))
            for each in inside(expr)
        )

    def is_fixed(self, number: int) -> bool:
        """Does a value read no state?"""
        if number not in self.fixed:
            base = self.program.values[number].base
            self.fixed[number] = self.constants.is_plain(number) and self.reads_nothing(base)
        return self.fixed[number]

    # ------------------------------------------------------------ selections

    def chosen(self, fold: ir.Fold) -> ir.Expr:
        """The phrase over a table, where part of its condition reads no state."""
        if not isinstance(fold.domain.type, SetOf) or not self.reads_nothing(fold.domain):
            return fold
        fixed, rest = self.parted(fold)
        if not fixed:
            return fold
        test = conjunction(fixed)
        params = self.params((fold.domain, test), fold.index)
        ranges = [members(self.program, each.type) for each in params]

        indices = tuple(each.index for each in params)
        function = None if fold.index in indices else self.functions.selecting(test, indices, fold.index)
        low = self.constants.low(fold.domain.type)

        def those(args: tuple[int, ...]) -> Plain:
            known: dict[int, Plain] = dict(zip(indices, args, strict=True))
            elements = self.constants.elements(fold.domain, known)
            if function is not None:
                kept = function(*args, elements)
            else:
                kept = [each for each in elements if self.constants.number(test, {**known, fold.index: each})]
            return sum(1 << each - low for each in kept)

        domain = self.selection(fold.domain.type, params, ranges, those)
        if domain is None:
            return fold
        return replace(fold, domain=domain, where=conjunction(rest) if rest else TRUE)

    def over_table(self, fold: ir.Expr) -> ir.Expr:
        """A phrase over a set that is put together from tables alone, such as what lies between two cells: over one
        table of it.
        """
        if not isinstance(fold, ir.Fold) or isinstance(fold.domain, ir.Const | ir.Local | ir.Lookup):
            return fold
        domain = fold.domain
        if not isinstance(domain.type, SetOf) or not self.reads_nothing(domain):
            return fold
        params = self.params((domain,), -1)
        indices = tuple(each.index for each in params)
        function = self.functions.of(domain, indices)

        def those(args: tuple[int, ...]) -> Plain:
            if function is not None:
                return function(*args)
            return self.constants.number(domain, dict(zip(indices, args, strict=True)))

        ranges = [members(self.program, each.type) for each in params]
        found = self.selection(domain.type, params, ranges, those)
        return fold if found is None else replace(fold, domain=found)

    def gathered(self, fold: ir.Fold | ir.Op, listed: ir.Lookup) -> ir.Expr:
        """All elements of a list in a table: a set in another table, in the same place."""
        table = self.data[listed.data]
        if not isinstance(table.type, ListOf) or not isinstance(fold.type, SetOf):
            return fold
        there = members(self.program, fold.type.of)
        if there is None:
            return fold
        entries = [each for each in table.values if isinstance(each, tuple)]
        size = len(entries)
        whole = size == len(table.values) and all(each in there for entry in entries for each in entry)
        if not whole or size > min(MOST_ENTRIES, self.room):
            return fold
        sets = tuple(sum(1 << each - there.start for each in {*entry}) for entry in entries)
        number = self.kept(table.name, fold.type, table.dims, sets)
        return ir.Lookup(fold.type, number, listed.indices)

    def params(self, exprs: tuple[ir.Expr, ...], element: int) -> list[ir.Local]:
        """The other locals that expressions read, each under the narrowest type under which it stands there."""
        found: dict[int, ir.Local] = {}
        free = _free(exprs) - {element}
        for each in (each for expr in exprs for each in inside(expr)):
            if isinstance(each, ir.Local) and each.index in free:
                now = found.get(each.index)
                if now is None or self.width(each) < self.width(now):
                    found[each.index] = each
        return [found[index] for index in sorted(found)]

    def width(self, local: ir.Local) -> float:
        known = members(self.program, local.type)
        return inf if known is None else len(known)

    def selection(
        self,
        kind: SetOf,
        params: list[ir.Local],
        ranges: list[range | None],
        those: Callable[[tuple[int, ...]], Plain],
    ) -> ir.Expr | None:
        if params:
            data = self.table(f"selection {len(self.data)}", kind, ranges, those)
            return None if data is None else ir.Lookup(kind, data, tuple(params))
        found = self.found(1, lambda: (those(()),))
        return None if found is None else ir.Const(kind, found[0])

    def parted(self, fold: ir.Fold) -> tuple[list[ir.Expr], list[ir.Expr]]:
        """The parts of a condition that read no state, and the others.

        What stands behind something that can fail stays: it may be what is failed for.
        """
        fixed: list[ir.Expr] = []
        rest: list[ir.Expr] = []
        for part in conjuncts(fold.where):
            free = (
                self.reads_nothing(part)
                and part != TRUE
                and all(cannot_fail(self.program, each) for each in rest)
            )
            (fixed if free else rest).append(part)
        return (fixed, rest) if any(fold.index in _free((each,)) for each in fixed) else ([], [])

    # ------------------------------------------------------------ tables

    def found(self, size: int, entries: Callable[[], Iterable[Plain]]) -> Found:
        """So many entries: those that are known, or what they come to now."""
        known = self.waiting.pop() if self.waiting else []
        if known is None or len(known) == size:
            self.results.append(known)
            return known
        self.waiting.clear()
        now: Found = None
        with suppress(NotConstant):
            now = [_scalar(each) for each in entries()]
        self.results.append(now)
        return now

    def table(
        self,
        name: str,
        kind: Type,
        ranges: list[range | None],
        entry: Callable[[tuple[int, ...]], Plain],
    ) -> int | None:
        """The number of a table of all combinations; none where it would be too large, or is not constant."""
        known = [each for each in ranges if each is not None]
        size = 1
        for each in known:
            size *= len(each)
        if len(known) < len(ranges) or not 0 < size <= min(MOST_ENTRIES, self.room):
            return None
        found = self.found(size, lambda: (entry(args) for args in product(*known)))
        if found is None:
            return None
        return self.kept(name, kind, tuple((each.start, len(each)) for each in known), tuple(found))

    def kept(self, name: str, kind: Type, dims: tuple[tuple[int, int], ...], values: tuple[int, ...]) -> int:
        """The number of the table that holds these entries."""
        key = (kind, dims, values)
        if key not in self.known:
            self.room -= len(values)
            self.known[key] = len(self.data)
            self.data.append(pr.Data(name, kind, dims, values))
        return self.known[key]


# ---------------------------------------------------------------- walking


def _free(exprs: tuple[ir.Expr, ...]) -> set[int]:
    """The locals that expressions read and do not bind."""
    return {
        each.index
        for expr in exprs
        for each in inside(expr)
        if isinstance(each, ir.Local) and each.index not in bound_in(expr)
    }


def _scalar(value: Plain) -> int:
    if isinstance(value, tuple):
        raise NotConstant
    return value
