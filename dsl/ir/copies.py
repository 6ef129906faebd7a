"""What is written where as it is, or as part of a sum: from locals into variables, other locals and parameters.

Who knows `n + 1` knows `n`: what a number is reckoned from is taken for copied with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.walk import within
from dsl.records import record

Scope = tuple[str, int]
"""`procedure` or `routine`, and its number."""
Place = tuple[Scope, int] | int
"""A local of a scope, or a variable."""


@record(frozen=True, slots=True)
class Copy:
    """A value that code of a scope writes into a place: of a call the parameter that it is handed to."""

    scope: Scope
    target: Place
    value: ir.Expr
    owner: ir.Expr | None = None
    """The member whose variable it is."""
    args: tuple[ir.Expr, ...] | None = None
    """All that is handed over, of a call."""

    def sources(self) -> set[tuple[Scope, int]]:
        """The locals that the value tells."""
        return {(self.scope, local.index) for local in locals_told(self.value)}


def copies(
    procedures: Iterable[pr.Procedure | None], routines: Iterable[pr.Routine | None]
) -> Iterator[Copy]:
    """All that some code copies."""
    for number, procedure in enumerate(procedures):
        for statement in within(procedure.body) if procedure is not None else ():
            yield from _by(("procedure", number), statement)
    for number, routine in enumerate(routines):
        for block in routine.blocks if routine is not None else ():
            scope = ("routine", number)
            for statement in within(block.body):
                yield from _by(scope, statement)
            if isinstance(block.end, ir.Enter):
                yield from _handed(scope, ("routine", block.end.routine), block.end.args)


def _by(scope: Scope, statement: ir.Stmt) -> Iterator[Copy]:
    match statement:
        case ir.SetLocal(index=index, value=value):
            yield Copy(scope, (scope, index), value)
        case ir.Store(var=var, owner=owner, value=value):
            yield Copy(scope, var, value, owner)
        case ir.Change(var=var, owner=owner, amount=amount):
            yield Copy(scope, var, amount, owner)
        case ir.Call(procedure=procedure, args=args):
            yield from _handed(scope, ("procedure", procedure), args)
        case _:
            pass


def _handed(scope: Scope, called: Scope, args: tuple[ir.Expr, ...]) -> Iterator[Copy]:
    for number, arg in enumerate(args):
        yield Copy(scope, (called, number), arg, args=args)


def locals_told(value: ir.Expr) -> Iterator[ir.Local]:
    """The locals that who knows a value knows of: itself, or what it is reckoned from."""
    match value:
        case ir.Local():
            yield value
        case ir.Op(args=args):
            for each in args:
                yield from locals_told(each)
        case _:
            pass
