"""Hidden fields whose values say nothing of each other: each was thrown, or chosen among what can always be chosen.

A secret bid, a trap, a sign that each player shows, dice under a cup: how many of the others have which value nobody
knows, so in another world each may have any. Elsewhere the values are shared out (who is the spy, which objective lies
before whom): there they change places, and stay as many as they are. A field is taken for one of the first sort only
where every value that is written into it comes, by locals, parameters and sums, from dice, from a draw or choice out
of a constant set, or from the rules themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dsl.ir import nodes as ir
from dsl.ir.copies import Copy, Scope, copies
from dsl.ir.program import Program
from dsl.ir.walk import within

Place = tuple[Scope, int]


class _Sources:
    """What the locals of a program come from."""

    def __init__(self, program: Program) -> None:
        self.into: dict[Place | int, list[Copy]] = defaultdict(list)
        for each in copies(program.procedures, program.routines):
            self.into[each.target].append(each)
        self.items: dict[int, list[tuple[Scope, ir.Expr]]] = defaultdict(list)
        """For each variable which item of it is written, of a bag, record or list."""
        self.thrown: set[Place] = set()
        """Locals that chance or a choice out of a constant set fills."""
        self.other: set[Place] = set()
        """Locals that something else fills, whatever it is."""
        for number, procedure in enumerate(program.procedures):
            for statement in within(procedure.body):
                self._statement(("procedure", number), statement)
        for number, routine in enumerate(program.routines):
            for block in routine.blocks:
                for statement in within(block.body):
                    self._statement(("routine", number), statement)
                if isinstance(block.end, ir.Decide):
                    for var in (var for offer in block.end.offers for var in offer.variables):
                        self._filled(("routine", number), var.index, var.domain)

    def _statement(self, scope: Scope, statement: ir.Stmt) -> None:
        match statement:
            case ir.Store(var=var, item=item) | ir.Change(var=var, item=item) if item is not None:
                self.items[var].append((scope, item))
            case ir.Roll() | ir.RollList():
                self.thrown.add((scope, statement.index))
            case ir.Pick():
                self._filled(scope, statement.index, statement.domain)
            case ir.ForEach() | ir.TakeResult():
                self.other.add((scope, statement.index))
            case ir.Call(result=int() as result):
                self.other.add((scope, result))
            case _:
                pass

    def _filled(self, scope: Scope, index: int, domain: ir.Expr) -> None:
        (self.thrown if isinstance(domain, ir.Const) else self.other).add((scope, index))

    def is_free(self, scope: Scope, expr: ir.Expr, var: int, on_the_way: frozenset[Place]) -> bool:
        """Does a value say nothing of other state than of the variable that it is written into?"""
        match expr:
            case ir.Const():
                return True
            case ir.Load():
                return expr.var == var
            case ir.Op(op="if", args=(_, *branches)):
                return all(self.is_free(scope, each, var, on_the_way) for each in branches)
            case ir.Op(args=args):
                return all(self.is_free(scope, each, var, on_the_way) for each in args)
            case ir.Local(index=index):
                return self._is_free_local((scope, index), var, on_the_way)
            case _:
                return False

    def _is_free_local(self, place: Place, var: int, on_the_way: frozenset[Place]) -> bool:
        if place in self.other:
            return False
        if place in on_the_way:
            return True
        written = self.into.get(place, [])
        if not written and place not in self.thrown:
            return False  # nobody knows where it comes from
        further = on_the_way | {place}
        return all(self.is_free(each.scope, each.value, var, further) for each in written)


def free_fields(program: Program) -> frozenset[int]:
    """The variables that are such fields, of those that not everybody sees."""
    hidden = list(_hidden(program))
    if not hidden:
        return frozenset()
    sources = _Sources(program)
    return frozenset(
        var
        for var in hidden
        if sources.into.get(var)
        and all(sources.is_free(each.scope, each.value, var, frozenset()) for each in sources.into[var])
        and all(sources.is_free(scope, item, var, frozenset()) for scope, item in sources.items[var])
    )


def _hidden(program: Program) -> Iterator[int]:
    for index, var in enumerate(program.vars):
        if var.audience is not None and var.role == "field":
            yield index
