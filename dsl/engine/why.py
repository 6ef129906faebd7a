"""Why something happened, and why something cannot be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.engine.decision import Decision
from dsl.engine.explain import Refusal, refusals
from dsl.engine.layout import Plain
from dsl.engine.unmet import Unmet, unmet
from dsl.engine.visibility import Sight
from dsl.ir.program import Program

if TYPE_CHECKING:
    from dsl.engine.machine import Machine


@dataclass(frozen=True, slots=True)
class Because:
    """A clause that took effect: its citations, its name, and its words in the rules."""

    clause: int
    ids: tuple[str, ...]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Is the action offered with these arguments; if not, the prohibitions that stand; and, where none does,
    which menu lines would lead to it: those that do not offer it now, and where they fail (`unmet`), or none at all
    (`unasked`). Conditions that whoever decides may not see are not told, whether they hold or not; `hidden` is whether
    there are such.
    """

    offered: bool
    refusals: tuple[Refusal, ...]
    unmet: tuple[Unmet, ...] = ()
    unasked: bool = False
    hidden: bool = False


def because(program: Program, marks: Sequence[int]) -> tuple[Because, ...]:
    """The clauses of some marks, each once, in their order."""
    found = []
    for index in dict.fromkeys(marks):
        clause = program.clauses[index]
        found.append(Because(index, clause.ids, clause.name, clause.text))
    return tuple(found)


def why_not(
    machine: Machine,
    state: list[int],
    decision: Decision | None,
    action: int,
    args: tuple[Plain, ...],
    *,
    language: str = "",
) -> WhyNot:
    """Looks at the offers of the decision first, then at the prohibitions.

    Raises `TypeError` for more or fewer arguments than the action has, who does it among them as the last.
    """
    counted(machine.program, action, args)
    offered = decision is not None and any(
        option.declared.action == action and option.args == args for option in decision.options
    )
    prohibitions, given = machine.program.actions[action].prohibitions, dict(enumerate(args))
    seen, sight = set(range(len(prohibitions))), None
    if decision is not None:
        sight = Sight(machine, state, decision.player)
        clear = {n for n in seen if sight.sees(prohibitions[n].condition, given)}
        seen = {n for n in clear if clear.issuperset(prohibitions[n].overruled_by)}
    stood = refusals(machine, state, action, args, language, seen=seen, sight=sight)
    if offered or stood or decision is None:
        return WhyNot(offered, stood, unasked=decision is None)
    if len(seen) < len(prohibitions):
        return WhyNot(False, (), hidden=True)
    lines = [number for number, offer in enumerate(decision.end.offers) if offer.action == action]
    told = tuple(unmet(machine, state, decision, number, args) for number in lines)
    return WhyNot(False, (), told, unasked=not lines)


def counted(program: Program, action: int, args: Sequence[Plain]) -> None:
    """Raises `TypeError` unless an action is given as many arguments as it has."""
    declared = program.actions[action]
    wanted = len(declared.params)
    if len(args) == wanted:
        return
    names = ", ".join(f"`{name}`" for name in declared.names)
    told = f"`{declared.name}` takes {wanted} argument{'' if wanted == 1 else 's'}"
    told += f" ({names})" if names else ""
    last = f"; `{declared.names[declared.by]}`, who does it, is the last" if declared.by is not None else ""
    raise TypeError(f"{told}, not {len(args)}{last}")


def action_named(program: Program, name: str) -> int:
    """The number of an action."""
    for index, action in enumerate(program.actions):
        if action.name == name:
            return index
    raise KeyError(f"there is no action `{name}`")
