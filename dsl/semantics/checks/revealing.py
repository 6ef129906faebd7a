"""What is shown to all by what is called: parameters that it writes, whichever way it goes, where everybody sees it."""

from __future__ import annotations

from collections.abc import Callable

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, ListOf, SetOf
from dsl.ir.walk import within
from dsl.semantics.checks.held import Scope
from dsl.semantics.checks.owners import SAME
from dsl.semantics.code.flatten import targets
from dsl.semantics.things.world import World

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
    ) -> None:
        self._world, self._secret, self._is_open = world, secret, is_open
        self._procedures, self._routines = procedures, routines
        self._known: dict[Scope, frozenset[int]] = {}

    def params(self, scope: Scope) -> frozenset[int]:
        """The parameters that all have been shown behind the call."""
        if scope not in self._known:
            self._known[scope] = frozenset()  # where it comes back to itself
            code = (self._procedures if scope[0] == "procedure" else self._routines)[scope[1]]
            if isinstance(code, pr.Procedure):
                self._known[scope] = frozenset(self._body(code.body)[0] & set(range(code.params)))
            elif code is not None:
                self._known[scope] = frozenset(self._blocks(code) & set(range(code.params)))
        return self._known[scope]

    def placed(self, statement: ir.Store) -> ir.Expr | None:
        """The piece that comes to where everybody sees it."""
        var, value = self._world.vars[statement.var], statement.value
        if var.id in self._secret or var.name.rpartition(" ")[2] not in PLACES or var.role != "field":
            return None
        return None if isinstance(value, ir.Const) and value.value == NONE else statement.owner

    def _body(self, body: tuple[ir.Stmt, ...]) -> tuple[set[int], bool]:
        """The locals that are shown in code, up to where it may be left; and whether it may."""
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
                return _locals(*shown, *([] if placed is None else [placed]))
            case ir.Change(var=var, amount=amount):
                whole = isinstance(amount.type, SetOf) or isinstance(self._world.vars[var].type, ListOf)
                return _locals(amount) if whole and var not in self._secret else set()
            case ir.MoveCard(pool=pool, card=card, pile=pile):
                return _locals(card) if self._is_open(pool, pile) else set()
            case ir.Call(procedure=procedure, args=args):
                return _locals(*(args[n] for n in self.params(("procedure", procedure))))
            case ir.If(then=then, other=other):
                return self._body(then)[0] & self._body(other)[0]
            case ir.Guarded(body=body) | ir.Batch(body=body):
                return self._body(body)[0]
            case _:
                return set()

    def _blocks(self, routine: pr.Routine) -> set[int]:
        """What is shown on every way through the blocks of a routine."""
        own = [self._body(block.body)[0] for block in routine.blocks]
        for at, block in enumerate(routine.blocks):
            if isinstance(block.end, ir.Enter):
                called = self.params(("routine", block.end.routine))
                own[at] |= _locals(*(block.end.args[n] for n in called))
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
