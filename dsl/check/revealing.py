"""What is shown to all by what is called, whichever way it goes: parameters that it writes where everybody sees it, and
fields of which it lets everybody see what they hold.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.check.owners import SAME
from dsl.check.taint_state import Scope
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, ListOf, SetOf
from dsl.ir.walk import within
from dsl.lower.control_flow import targets
from dsl.resolve.symbol_table import World

_FIELD = -1
"""Less the number of a field, what stands for it among locals."""
PLACES = {"at", "in"}
"""Fields that say where a piece is: what stands there, all see who see the field."""


class Revealing:
    """Finds them, for each procedure and routine once."""

    def __init__(
        self,
        world: World,
        procedures: list[pr.Procedure | None],
        routines: list[pr.Routine | None],
        secret: set[int],
        is_open: Callable[[int, ir.Expr], bool],
        lays_open: Callable[[int, ir.Expr | None], set[int]],
    ) -> None:
        self._world, self._secret, self._is_open, self._lays_open = world, secret, is_open, lays_open
        self._procedures, self._routines = procedures, routines
        self._known: dict[Scope, frozenset[int]] = {}

    def params(self, scope: Scope) -> frozenset[int]:
        """The parameters that all have been shown behind the call."""
        return frozenset(each for each in self._shown(scope) if each >= 0)

    def fields(self, scope: Scope) -> set[int]:
        """The secret fields that everybody may have seen behind the call."""
        return {_FIELD - each for each in self._shown(scope) if each < 0}

    def _shown(self, scope: Scope) -> frozenset[int]:
        """Parameters by their numbers, and fields by theirs, below 0."""
        if scope not in self._known:
            self._known[scope] = frozenset()  # where it comes back to itself
            code = (self._procedures if scope[0] == "procedure" else self._routines)[scope[1]]
            if code is not None:
                found = self._body(code.body)[0] if isinstance(code, pr.Procedure) else self._blocks(code)
                self._known[scope] = frozenset(each for each in found if each < code.params)
        return self._known[scope]

    def placed(self, statement: ir.Store) -> ir.Expr | None:
        """The piece that comes to where everybody sees it."""
        var, value = self._world.vars[statement.var], statement.value
        if var.id in self._secret or var.name.rpartition(" ")[2] not in PLACES or var.role != "field":
            return None
        return None if isinstance(value, ir.Const) and value.value == NONE else statement.owner

    def _body(self, body: tuple[ir.Stmt, ...]) -> tuple[set[int], bool]:
        """What is shown in code, up to where it may be left; and whether it may."""
        found: set[int] = set()
        for each in body:
            found |= self._by(each)
            if any(isinstance(part, ir.Leave | ir.Give) for part in within((each,))):
                return found, True
        return found, False

    def _by(self, statement: ir.Stmt) -> set[int]:
        match statement:
            case ir.Store(var=var, value=value):
                shown = [value] if var not in self._secret else []
                placed = self.placed(statement)
                opened = {_FIELD - each for each in self._lays_open(var, value)}
                return opened | _locals(*shown, *([] if placed is None else [placed]))
            case ir.Change(var=var, amount=amount):
                whole = isinstance(amount.type, SetOf) or isinstance(self._world.vars[var].type, ListOf)
                opened = {_FIELD - each for each in self._lays_open(var, amount if whole else None)}
                return opened | (_locals(amount) if whole and var not in self._secret else set())
            case ir.MoveCard(pool=pool, card=card, pile=pile):
                return _locals(card) if self._is_open(pool, pile) else set()
            case ir.Call(procedure=procedure, args=args):
                return self._called(("procedure", procedure), args)
            case ir.ForEach(body=body):
                return {each for each in self._body(body)[0] if each < 0}
            case ir.If(then=then, other=other):
                return self._body(then)[0] & self._body(other)[0]
            case ir.Guarded(body=body) | ir.Batch(body=body):
                return self._body(body)[0]
            case _:
                return set()

    def _called(self, scope: Scope, args: tuple[ir.Expr, ...]) -> set[int]:
        shown = self._shown(scope)
        return {each for each in shown if each < 0} | _locals(*(args[each] for each in shown if each >= 0))

    def _blocks(self, routine: pr.Routine) -> set[int]:
        """What is shown on every way through the blocks of a routine."""
        own = [self._body(block.body)[0] for block in routine.blocks]
        for at, block in enumerate(routine.blocks):
            if isinstance(block.end, ir.Enter):
                own[at] |= self._called(("routine", block.end.routine), block.end.args)
        entered: dict[int, set[int]] = {0: set()}
        waiting, ends = [0], list[set[int]]()
        while waiting:
            at = waiting.pop()
            after = entered[at] | own[at]
            for target in targets(routine.blocks[at].end):
                met = entered[target] & after if target in entered else set(after)
                if target not in entered or met != entered[target]:
                    entered[target] = met
                    waiting.append(target)
        for at, block in enumerate(routine.blocks):
            if at in entered and isinstance(block.end, ir.Return):
                ends.append(entered[at] | own[at])
        return set.intersection(*ends) if ends else set()


def _locals(*values: ir.Expr) -> set[int]:
    found = set()
    for each in values:
        value = each
        while isinstance(value, ir.Op) and value.op in SAME:
            value = value.args[0]
        if isinstance(value, ir.Local):
            found.add(value.index)
    return found
