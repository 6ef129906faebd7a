"""Where odds are asked for: the first decision of a game, a save, or the situation of a test; and what is done there.

What is written in the language (`--of`, an action that is run alone) is compiled as lines of a test of the game's own,
so that it may say all that a test may, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.catalogue import tr
from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Diagnostic
from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program, Test, TestStep
from dsl.odds.walk import Begin
from dsl.testing.moves import chosen
from dsl.testing.results import Unmet
from dsl.testing.runner import MOVES, Playing

ACTS = MOVES | {"run"}
_TITLE = re.compile(r'test\s+"[^"]*"')
Find = Callable[[Decision, str], Option]
"""The option that some words mean; raises `NoOdds`."""


class NoOdds(Exception):
    """There is nothing here to tell the odds of; the message says why."""


@dataclass(slots=True)
class Position:
    """A state, what is done there, and what is to be told of what comes of it."""

    machine: Machine
    begin: Begin
    action: str
    """What is done, in words."""
    decision: Decision | None = None
    exprs: tuple[ir.Expr, ...] = ()
    names: dict[int, Plain] = field(default_factory=dict)
    """What the test has named, by the locals that stand for it."""


@dataclass(frozen=True, slots=True)
class Sources:
    """A game by which sources it is compiled from; `target` may be a compiled file, from which nothing more can be."""

    target: str
    mods: tuple[str, ...] = ()


def of_decision(machine: Machine, game: Game, action: str, find: Find) -> Position:
    """An option of the decision at which a game stands."""
    decision = game.decision
    if decision is None:
        raise NoOdds(tr("the game has ended there, and nothing can be done any more"))
    option = find(decision, action)
    return Position(machine, Begin(list(game.state), option), action, decision)


def with_exprs(
    program: Program, sources: Sources, texts: Sequence[str]
) -> tuple[Program, tuple[ir.Expr, ...]]:
    """The program compiled with some expressions, as a test of the game may name them."""
    first = _compiled(sources)
    header = first.modules.layers[0].header
    path = next(each for each, tree in first.modules.files.items() if header in tree.declarations)
    before = first.modules.sources[path].text.rstrip()
    lines = ['test "odds":', *_lets(texts)]
    made = _with(sources, path, before, lines, texts)
    test = next(each for each in reversed(made.tests) if each.title == "odds")
    return made, _exprs(test, len(texts))


def of_test(
    machine: Machine,
    sources: Sources,
    title: str,
    action: str,
    texts: Sequence[str],
    find: Find,
) -> Position:
    """Where a test of the game stands before its first `run`, or else its first choice.

    Done is what the test does there, or another action.
    """
    test = _titled(machine.program, title)
    at = _acting(test)
    step = test.steps[at] if at < len(test.steps) else None
    runs = step is None or step.kind == "run"
    if step is None and not action:
        raise NoOdds(tr("the test does nothing there; say which action is meant"))
    if texts or (action and runs):
        machine, test = _extended(machine, sources, test, at, action if runs else "", texts)
        at = max(number for number, each in enumerate(test.steps) if each.kind in ACTS)
        step = test.steps[at]
    assert step is not None
    playing = Playing(machine, test)
    if message := playing.before(at):
        raise NoOdds(tr("the test does not come so far: {message}", message=message))
    game = playing.game
    names = dict(getattr(game, "names", {}))
    rounds = getattr(game, "rounds", None)
    exprs = _exprs(test, len(texts))
    state = list(game.state)
    try:
        if step.kind == "run":
            routine, args = playing.runnable(step)
            begin = Begin(state, routine=routine, args=tuple(args))
            return Position(machine, begin, step.text or action, None, exprs, names)
        if game.decision is None:
            raise NoOdds(tr("nobody is asked there"))
        option = find(game.decision, action) if action else chosen(game, step)
    except Unmet as reason:
        raise NoOdds(str(reason)) from None
    return Position(
        machine, Begin(state, option, rounds=rounds), action or option.label(), game.decision, exprs, names
    )


# ---------------------------------------------------------------- tests


def _titled(program: Program, title: str) -> Test:
    """The test of that title, or the only one whose title has it in it."""
    exact = [each for each in program.tests if each.title == title]
    found = exact or [each for each in program.tests if title.casefold() in each.title.casefold()]
    if len(found) != 1:
        some = ", ".join(f"“{each.title}”" for each in (found or program.tests)[:6]) or tr("none")
        if found:
            raise NoOdds(tr("several tests have that in their title: {some}", some=some))
        raise NoOdds(tr("no test has the title “{title}”; there are: {some}", title=title, some=some))
    if found[0].skipped:
        raise NoOdds(tr("this test is not for this game: {skipped}", skipped=found[0].skipped))
    return found[0]


def _acting(test: Test) -> int:
    """The number of the line before which a test stands."""
    steps = test.steps
    runs = (number for number, each in enumerate(steps) if each.kind == "run")
    moves = (number for number, each in enumerate(steps) if each.kind in MOVES and each.offered)
    return next(runs, next(moves, len(steps)))


def _line(program: Program, step: TestStep) -> int:
    return program.sites[step.site].place.line if step.site >= 0 else 0


def _extended(
    machine: Machine, sources: Sources, test: Test, at: int, action: str, texts: Sequence[str]
) -> tuple[Machine, Test]:
    """The test up to where it stands, with the action there, and with names for what is to be told."""
    program = machine.program
    first = _compiled(sources)
    names = {name: source for source, name in first.modules.file_names().items()}
    path = next(
        (each for each, source in first.modules.sources.items() if source.name == names.get(test.place.file)),
        None,
    )
    if path is None:
        raise NoOdds(tr("the source of the test is not there"))
    text = first.modules.sources[path].text
    rows, begin = text.split("\n"), test.place.line - 1
    acting = test.steps[at] if at < len(test.steps) else None
    end = _line(program, acting) - 1 if acting is not None else begin + _length(rows[begin:])
    kept = [_TITLE.sub(f'test "{_title(test)}"', rows[begin], count=1), *rows[begin + 1 : end]]
    if action:
        kept.append(f"    run {action}")
    elif acting is not None:
        kept.append(rows[end])
    made = _with(sources, path, text.rstrip(), [*kept, *_lets(texts)], [action, *texts])
    found = Machine(made, sparing=True, steps=machine.budget)
    return found, next(each for each in made.tests if each.title == _title(test))


def _title(test: Test) -> str:
    return f"odds of {test.title}"


def _length(rows: Sequence[str]) -> int:
    """How many lines a block has that begins with the first."""
    inside = 1
    for number, row in enumerate(rows[1:], 1):
        if row.strip() and not row.startswith((" ", "#")):
            break
        inside = number + 1 if row.strip() else inside
    return inside


# ---------------------------------------------------------------- what is written in the language


def _compiled(sources: Sources) -> Compiled:
    found = compile_game(sources.target, sources.mods, tests=True)
    if not found.modules.layers:
        raise NoOdds(tr("that takes the sources of the game: name its folder or file"))
    return found


def _lets(texts: Sequence[str]) -> list[str]:
    return [f"    let odds_of_{number} = {text}" for number, text in enumerate(texts)]


def _with(sources: Sources, path: Path, before: str, lines: Sequence[str], texts: Sequence[str]) -> Program:
    """The game with one more test behind a file."""
    if any("\n" in text or not text.isprintable() for text in texts):
        raise NoOdds(tr("what is to be told stands in one line"))
    draft = "\n".join([before, "", *lines, ""])
    made = compile_game(sources.target, sources.mods, tests=True, drafts={path: draft})
    faults = [each for each in made.diagnostics if each.is_error]
    if faults or made.program is None:
        fault = next((each for each in faults if _behind(each, before)), faults[0] if faults else None)
        raise NoOdds(_told(fault, draft))
    return made.program


def _behind(fault: Diagnostic, before: str) -> bool:
    return fault.span is not None and fault.span.line > before.count("\n") + 1


def _told(fault: Diagnostic | None, draft: str) -> str:
    """What is wrong with a line that was made of what somebody wrote."""
    if fault is None:
        return tr("the game does not compile with it")
    rows = draft.split("\n")
    row = rows[fault.span.line - 1].strip() if fault.span is not None and fault.span.line <= len(rows) else ""
    row = re.sub(r"^(let odds_of_\d+ = |run )", "", row)
    hint = f" ({fault.hint})" if fault.hint else ""
    return f"`{row}`: {fault.message} [{fault.code.value}]{hint}"


def _exprs(test: Test, count: int) -> tuple[ir.Expr, ...]:
    """What the last lines of a test name."""
    if not count:
        return ()
    return tuple(step.args[0] for step in test.steps if step.kind == "let")[-count:]
