"""What took the steps of a stretch that took too many: played once more, with a profile.

failure.say(blamed(machine, state, script, failure.message))
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dsl.engine.codegen.shares import NOWHERE, Head, Spot
from dsl.engine.display import text_of
from dsl.engine.failure import RuleFailure, ScriptError, Unplayable
from dsl.engine.runtime import Run
from dsl.ir.program import MOST_ASKED, Program

if TYPE_CHECKING:
    from dsl.engine.machine import Machine
    from dsl.engine.script import Script

TOO_MANY = ("E0608", "E0613")
PROFILED = 5_000_000
"""Steps of the second time: more take too long."""


def blamed(machine: Machine, state: list[int], script: Script | None, told: str) -> str:
    """The words of a failure for want of steps, with the head and line that took most of them, and how to allow more.
    `state` is the vector where the stretch began.
    """
    from dsl.engine.profile import ProfiledMachine

    raised = min(MOST_ASKED, 2 * machine.budget)
    more = f"`--steps {raised}` allows {raised:,}" if raised > machine.budget else "no more are allowed"
    try:
        again = ProfiledMachine(machine.program, steps=min(machine.budget, PROFILED))
        run = Run(again, script and script.copy())
        again.profile.clear()
        again.run(again.plain, list(state), run)
    except RuleFailure:
        pass
    except (ScriptError, Unplayable):
        return f"{told} ({more})"
    heads, lines = Counter[Head](), Counter[tuple[Head, Spot]]()
    for path, spot, cost in again.profile.lines():
        if path:
            heads[path[-1][1]] += cost.steps
            lines[path[-1][1], spot] += cost.steps
    whole = sum(heads.values())
    if not whole:
        return f"{told} ({more})"
    head, most = min(heads.items(), key=lambda each: (-each[1], each[0]))
    (file, line), _ = min(
        ((spot, steps) for (of, spot), steps in lines.items() if of == head),
        key=lambda each: (-each[1], each[0]),
    )
    where = f" at {file}:{line}" if (file, line) != NOWHERE else ""
    return f"{told}, {100 * most // whole} % of them in `{head_name(machine.program, head)}`{where} ({more})"


def head_name(program: Program, head: Head) -> str:
    """A head in words: `value crowd`, `may enter`, `menu ...` with the line of the menu."""
    kind, number = head
    match kind:
        case "value":
            return f"value {program.values[number].name}"
        case "prohibitions":
            return f"may {program.actions[number].name}"
        case "procedure":
            named = next((each for each in program.actions if each.procedure == number), None)
            return f"{named.kind} {named.name}" if named else program.procedures[number].name
        case "routine" if number == program.main:
            return f"game {program.routines[number].name}"
        case "routine":
            named = next((each for each in program.actions if each.routine == number), None)
            return f"{named.kind} {named.name}" if named else program.routines[number].name
        case "ending":
            ending = program.endings[number]
            return f"{ending.kind} {text_of(program, ending.label)}".strip()
        case "audience":
            return f"who sees {program.vars[number].name}"
        case "menu":
            return f"menu {program.clauses[number].text}"
        case _:
            return "first values"
