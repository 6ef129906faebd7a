"""What is shown to all by what is called, whichever way it goes: parameters that it writes where everybody sees it, and
fields of which it lets everybody see what they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from dsl.check.effects import EffectsOf
from dsl.check.owners import SAME
from dsl.check.revealed import Revealed
from dsl.check.taint_state import Scope
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, ListOf, SetOf
from dsl.ir.walk import within
from dsl.lower.control_flow import targets
from dsl.records import record
from dsl.resolve.symbol_table import World

PLACES = {"at", "in"}
"""Fields that say where a piece is: what stands there, all see who see the field."""


@record(frozen=True, slots=True)
class State:
    """What code has shown so far: locals, and fields."""

    locals: frozenset[int] = frozenset()
    revealed: Revealed = Revealed()

    def met(self, other: State) -> State:
        """What holds where two ways meet."""
        return State(self.locals & other.locals, self.revealed.met(other.revealed))


class Revealing:
    """Finds them, for each procedure and routine once."""

    def __init__(
        self,
        world: World,
        procedures: list[pr.Procedure | None],
        routines: list[pr.Routine | None],
        secret: set[int],
        is_open: Callable[[int, ir.Expr], bool],
        opened: Callable[[Revealed, ir.Store | ir.Change, ir.Expr | None], Revealed],
        effects: EffectsOf,
    ) -> None:
        self._world, self._secret, self._is_open, self._opened = world, secret, is_open, opened
        self._procedures, self._routines, self._effects = procedures, routines, effects
        self._known: dict[Scope, State] = {}

    def params(self, scope: Scope) -> frozenset[int]:
        """The parameters that all have been shown behind the call."""
        return self._shown(scope).locals

    def called(self, revealed: Revealed, scope: Scope, args: tuple[ir.Expr, ...]) -> Revealed:
        """What everybody may have seen behind a call, of what he had before and of what that shows."""
        does, after = self._effects.called(*scope), self._shown(scope).revealed
        left = revealed.closing(after.closed).wrote(does.writes | does.adds)
        return left.showing(after.outside(args))

    def _shown(self, scope: Scope) -> State:
        """What is shown behind a call, in terms of the parameters."""
        if scope not in self._known:
            self._known[scope] = State()  # where it comes back to itself
            code = (self._procedures if scope[0] == "procedure" else self._routines)[scope[1]]
            if code is not None:
                found = (
                    self._body(code.body, State()) if isinstance(code, pr.Procedure) else self._blocks(code)
                )
                locals_ = frozenset(each for each in found.locals if each < code.params)
                self._known[scope] = State(locals_, found.revealed.of_params(code.params))
        return self._known[scope]

    def placed(self, statement: ir.Store) -> ir.Expr | None:
        """The piece that comes to where everybody sees it."""
        var, value = self._world.vars[statement.var], statement.value
        if var.id in self._secret or var.name.rpartition(" ")[2] not in PLACES or var.role != "field":
            return None
        return None if isinstance(value, ir.Const) and value.value == NONE else statement.owner

    def _body(self, body: tuple[ir.Stmt, ...], now: State) -> State:
        """What is shown behind some statements, wherever they are left."""
        left = list[State]()
        for each in body:
            now = self._by(each, now)
            if any(isinstance(part, ir.Leave | ir.Give) for part in within((each,))):
                left.append(now)
        return reduce(State.met, left, now)

    def _by(self, statement: ir.Stmt, now: State) -> State:
        match statement:
            case ir.Store(var=var, value=value):
                shown = [value] if var not in self._secret else []
                placed = self.placed(statement)
                shown += [] if placed is None else [placed]
                return State(now.locals | _locals(*shown), self._opened(now.revealed, statement, value))
            case ir.Change(var=var, amount=amount):
                whole = isinstance(amount.type, SetOf) or isinstance(self._world.vars[var].type, ListOf)
                revealed = self._opened(now.revealed, statement, amount if whole else None)
                shown = [amount] if whole and var not in self._secret else []
                return State(now.locals | _locals(*shown), revealed)
            case ir.MoveCard(pool=pool, card=card, pile=pile):
                return replace(now, locals=now.locals | _locals(card)) if self._is_open(pool, pile) else now
            case ir.Call(procedure=procedure, args=args):
                return self._called(("procedure", procedure), args, now)
            case ir.ForEach(body=body):
                after = self._again(body, State(revealed=now.revealed))
                return replace(now, revealed=now.revealed.around(statement, after.revealed, self._world))
            case ir.Loop(body=body):
                after = self._again(body, State(revealed=now.revealed))
                return replace(now, revealed=now.revealed.met(after.revealed))
            case ir.If(then=then, other=other):
                return self._body(then, now).met(self._body(other, now))
            case ir.Guarded(body=body) | ir.Batch(body=body):
                return self._body(body, now)
            case _:
                return now

    def _again(self, body: tuple[ir.Stmt, ...], now: State) -> State:
        """What is shown behind a round of a loop, whichever that is."""
        while True:
            after = self._body(body, now)
            kept = now.met(after)
            if kept == now:
                return after
            now = kept

    def _called(self, scope: Scope, args: tuple[ir.Expr, ...], now: State) -> State:
        shown = _locals(*(args[each] for each in self.params(scope)))
        return State(now.locals | shown, self.called(now.revealed, scope, args))

    def _blocks(self, routine: pr.Routine) -> State:
        """What is shown on every way through the blocks of a routine."""
        entered, left = {0: State()}, dict[int, State]()
        waiting = [0]
        while waiting:
            at = waiting.pop()
            end = routine.blocks[at].end
            after = self._body(routine.blocks[at].body, entered[at])
            if isinstance(end, ir.Enter):
                after = self._called(("routine", end.routine), end.args, after)
            for local in _chosen(end):
                after = replace(after, revealed=after.revealed.forgetting(local))
            left[at] = after
            for target in targets(end):
                met = entered[target].met(after) if target in entered else after
                if target not in entered or met != entered[target]:
                    entered[target] = met
                    waiting.append(target)
        ends = [
            left[at]
            for at, block in enumerate(routine.blocks)
            if isinstance(block.end, ir.Return) and at in left
        ]
        return reduce(State.met, ends) if ends else State()


def _chosen(end: ir.Terminator) -> set[int]:
    """The locals that an answer sets."""
    if not isinstance(end, ir.Decide):
        return set()
    return {variable.index for offer in end.offers for variable in offer.variables}


def _locals(*values: ir.Expr) -> frozenset[int]:
    found = set()
    for each in values:
        value = each
        while isinstance(value, ir.Op) and value.op in SAME:
            value = value.args[0]
        if isinstance(value, ir.Local):
            found.add(value.index)
    return frozenset(found)
