"""Which locals are kept: written into a field that not everybody sees, as they are or as part of a sum.

A die that somebody throws for himself is his secret from the start, and so is the number that he chooses for a hidden
bid: neither was read from a field, so where they were read does not tell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.walk import within
from dsl.semantics.checks.held import Scope

Place = tuple[Scope, int] | int
"""A local of a scope, or a variable."""


def kept_locals(
    procedures: Iterable[pr.Procedure | None], routines: Iterable[pr.Routine | None], secret: Iterable[int]
) -> dict[tuple[Scope, int], int]:
    """The kept locals, each with the variable that it is written into: that of the least number."""
    sources: dict[Place, set[tuple[Scope, int]]] = defaultdict(set)
    for scope, target, value in _written(procedures, routines):
        sources[target] |= {(scope, local) for local in _copied(value)}
    found: dict[tuple[Scope, int], int] = {}
    for var in sorted(secret):
        waiting: list[Place] = [var]
        while waiting:
            for source in sources[waiting.pop()] - found.keys():
                found[source] = var
                waiting.append(source)
    return found


def _written(
    procedures: Iterable[pr.Procedure | None], routines: Iterable[pr.Routine | None]
) -> Iterator[tuple[Scope, Place, ir.Expr]]:
    """Each value that is written, with the scope that does it and where to."""
    for number, procedure in enumerate(procedures):
        for statement in within(procedure.body) if procedure is not None else ():
            yield from _by(("procedure", number), statement)
    for number, routine in enumerate(routines):
        for block in routine.blocks if routine is not None else ():
            scope = ("routine", number)
            for statement in within(block.body):
                yield from _by(scope, statement)
            if isinstance(block.end, ir.Enter):
                called = ("routine", block.end.routine)
                yield from ((scope, (called, n), arg) for n, arg in enumerate(block.end.args))


def _by(scope: Scope, statement: ir.Stmt) -> Iterator[tuple[Scope, Place, ir.Expr]]:
    match statement:
        case ir.SetLocal(index=index, value=value):
            yield scope, (scope, index), value
        case ir.Store(var=var, value=value) if value is not None:
            yield scope, var, value
        case ir.Change(var=var, amount=amount):
            yield scope, var, amount
        case ir.Call(procedure=procedure, args=args):
            yield from ((scope, (("procedure", procedure), n), arg) for n, arg in enumerate(args))
        case _:
            pass


def _copied(value: ir.Expr) -> Iterator[int]:
    """The locals that a value tells: who knows `n + 1` knows `n`."""
    match value:
        case ir.Local(index=index):
            yield index
        case ir.Op(args=args):
            for each in args:
                yield from _copied(each)
        case _:
            pass
