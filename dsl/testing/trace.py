"""A test that failed, once more and told: the lines that were done, what happened, and where the game then stood."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.engine.failure import RuleFailure
from dsl.engine.log import Entry
from dsl.engine.machine import Machine
from dsl.ir.program import Place, Program, Test, TestStep
from dsl.testing.runner import READS, Playing

UNTOLD = frozenset({"option", "error", "rounds", "asking"})


@dataclass(frozen=True, slots=True)
class Trace:
    """`lines` are the steps up to the one that fails, which is the last, each with its place; `log` is what the
    rules told on the way.
    """

    lines: tuple[tuple[Place | None, str], ...]
    log: tuple[Entry, ...]
    state: tuple[int, ...]
    acted: bool
    """Was anything done, or only expected?"""


def traced(machine: Machine, test: Test) -> Trace | None:
    """Runs a test again with a log, up to where it fails; none where the game cannot even begin."""
    try:
        playing = Playing(machine, test, telling=True)
    except RuleFailure:
        return None
    playing.through()
    steps = test.steps[: playing.done + 1]
    program = machine.program
    lines = tuple(
        (_place(program, each), step_text(program, each)) for each in steps if each.kind not in UNTOLD
    )
    acted = any(each.kind not in READS | UNTOLD for each in steps)
    return Trace(lines, tuple(playing.game.log), playing.game.state, acted)


def _place(program: Program, step: TestStep) -> Place | None:
    return program.sites[step.site].place if 0 <= step.site < len(program.sites) else None


def step_text(program: Program, step: TestStep) -> str:
    """A line of a test, nearly as it was written."""
    match step.kind:
        case "given":
            text = "given: ..."
        case "run":
            name = program.routines[step.index].name if step.index is not None else ""
            text = step.text or f"run {name}"
        case "rolls" | "picks" | "shuffles" | "decisions":
            text = step.text or f"{step.kind} {', '.join(map(str, step.numbers))}"
        case "label":
            text = f'"{step.text}"'
        case "illegal":
            text = f"expect illegal {step.text}"
        case "let":
            text = f"let {step.text}"
        case "quiet":
            text = "expect nothing asked"
        case "expect":
            text = f"expect {step.text}"
        case _:
            text = step.text or step.kind
    return text
