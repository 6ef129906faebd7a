"""What trials (`CONDITION after ACTION(...)`) run: the procedures of actions, written once more without what is told.

A trial leaves no trace, so in these procedures nothing is logged or marked and no ending is tested. What asks somebody
or leaves something to chance cannot be tried: there is no one state in which its condition could be judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.walk import calls, within
from dsl.lower.rewrite import map_statements
from dsl.records import record
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Action
from dsl.source import Span

CHANCE = ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile
LESSON = "give what is chosen or drawn to the action as a parameter, or do that in an action of its own behind this one"


def write(world: World) -> None:
    """Writes the procedures that trials run, once those of all actions are known."""
    copies = _Copies(world)
    for number, (index, places) in world.trials.items():
        action = world.actions[number]
        if not _refused(world, action, places):
            copies.write(action.run, index)
            _chosen(world, action, index)


def _chosen(world: World, action: Action, index: int) -> None:
    """A trial is judged as if somebody had chosen the action: where the game remembers positions, the one that stands
    before it is noted, and who does it is the last to have chosen.
    """
    procedure = world.procedures[index]
    if world.history is None or procedure is None:
        return
    noted: tuple[ir.Stmt, ...] = (ir.Remember(),)
    if action.by is not None:
        player = ir.Local(procedure.locals[action.by], action.by)
        site = world.site(action.decl.name.span)
        noted = (ir.Remember(), ir.Store(world.history[1], None, None, player, site))
    world.procedures[index] = replace(procedure, body=(*noted, *procedure.body))


def _refused(world: World, action: Action, places: list[Span]) -> bool:
    """Reports an action that cannot be tried at each place that tries it."""
    if action.red:
        ends = tr("it asks somebody") if action.asks else tr("it can lead back to itself")
        labels: tuple[Label, ...] = (Label(action.decl.name.span, ends),)
    else:
        site = next(_chance(world, action.run), None)
        if site is None:
            return False
        ends = tr("it leaves something to chance")
        labels = (Label(world.site_spans[site], "chance decides here"),) if site >= 0 else ()
    for place in dict.fromkeys(places):
        message = tr("`{action}` cannot be tried: {ends}", action=action.name, ends=ends)
        world.error(Code.TRIAL_DECIDES, place, message, labels=labels, hint=LESSON)
    return True


def _chance(world: World, index: int) -> Iterator[int]:
    """Where a procedure, or one that it calls, leaves something to chance."""
    waiting, seen = [index], {index}
    while waiting:
        procedure = world.procedures[waiting.pop()]
        if procedure is None:  # something was wrong in it
            continue
        yield from (each.site for each in within(procedure.body) if isinstance(each, CHANCE))
        waiting += sorted(calls(procedure.body) - seen)
        seen |= calls(procedure.body)


@record(slots=True)
class _Copies:
    """Procedures without what is told, by those that they are copies of."""

    world: World
    known: dict[int, int] = field(default_factory=dict)

    def of(self, index: int) -> int:
        """The copy of a procedure that one which is tried calls."""
        if index not in self.known:
            self.known[index] = len(self.world.procedures)
            self.world.procedures.append(None)
            self.write(index, self.known[index])
        return self.known[index]

    def write(self, index: int, copy: int) -> None:
        procedure = self.world.procedures[index]
        if procedure is None:  # something was wrong in it
            return
        body = map_statements(procedure.body, self._silent)
        self.world.procedures[copy] = pr.Procedure(
            f"{procedure.name} (tried)", procedure.params, procedure.locals, procedure.result, body
        )

    def _silent(self, statement: ir.Stmt) -> tuple[ir.Stmt, ...]:
        match statement:
            case ir.Log() | ir.Refused() | ir.Mark() | ir.TestEndings():
                return ()
            case ir.Call(procedure=procedure):
                return (replace(statement, procedure=self.of(procedure)),)
            case _:
                return (statement,)
