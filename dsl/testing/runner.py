"""Runs the tests of a program: each on a game of its own in which nothing has happened yet.

A test goes line by line. `option` lines hold for the whole test, wherever they stand. `given` writes into the
state; `run` does one action on it, alone. A test without `run` that makes moves, or that gives nothing, plays
the whole game: it begins, setup first, at the first line that needs it. Where such a test only expects, and
chance would be met before the first decision, it reads the state from before the setup.

Wherever such a game stops (somebody chooses, it has ended, or what was run is done), the promises of the program are
looked at, but for those that do not hold in the situation that a test is given or runs on.

All chance is scripted: what is missing or left over fails the test. `error CODE` says that the line before it
fails with this code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from dsl.engine.failure import Disagreement, IllegalChoice, RuleFailure, ScriptError, StartError
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.engine.promises import Watch
from dsl.engine.runtime import Run
from dsl.engine.script import Script
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, STEPS, Program, Test, TestStep
from dsl.ir.types import TRUTH
from dsl.testing import told
from dsl.testing.moves import chosen, not_offered
from dsl.testing.promises import unkept
from dsl.testing.results import TestResult, Unmet

MOVES = frozenset({"do", "take", "pass", "stop", "label"})
SCRIPTS = frozenset({"rolls", "picks", "shuffles"})
READS = frozenset({"expect", "illegal"})


class ShortGame(Game):
    """A game whose stretches between two decisions may be shorter than the rules of the IR allow."""

    steps = STEPS

    def _run(self) -> Run:
        run = super()._run()
        run.steps = STEPS - self.steps
        return run

    def has_taken(self, decisions: int) -> None:
        """As if so many decisions lay behind."""
        self._now.state[DECISIONS] = min(decisions, self.machine.program.decisions)


def run_tests(
    program: Program | Machine,
    *,
    titles: Iterable[str] = (),
    ids: Iterable[str] = (),
    on_result: Callable[[TestResult], None] | None = None,
) -> list[TestResult]:
    """Runs the tests of a program in their order.

    With `titles`, those whose title contains one of them; with `ids`, those that name one of them.
    """
    machine = program if isinstance(program, Machine) else Machine(program)
    results = []
    for test in selected(machine.program.tests, tuple(titles), frozenset(ids)):
        results.append(run_test(machine, test))
        if on_result is not None:
            on_result(results[-1])
    return results


def selected(tests: Iterable[Test], titles: tuple[str, ...], ids: frozenset[str]) -> Iterator[Test]:
    """The tests that are asked for."""
    for test in tests:
        if titles and not any(title.casefold() in test.title.casefold() for title in titles):
            continue
        if ids and not ids & {*test.ids, *test.pins}:
            continue
        yield test


def run_test(machine: Machine, test: Test, *, steps: int = STEPS, unseen: str = "") -> TestResult:
    """Runs one test; `steps` bounds each stretch between two decisions. Where a test asks what refuses,
    clauses of the family `unseen` are passed over.
    """
    start = time.perf_counter()
    place = test.place
    try:
        playing = Playing(machine, test, steps, unseen)
    except RuleFailure as failure:  # a field cannot begin with what it is to begin with
        message = failed(machine.program, failure)
        return TestResult(test.title, test.ids, test.pins, False, message, place, time.perf_counter() - start)
    except StartError as error:  # the options that the test asks for do not go together
        seconds = time.perf_counter() - start
        return TestResult(test.title, test.ids, test.pins, False, str(error), place, seconds)
    message = playing.through()
    if message and playing.step is not None and 0 <= playing.step.site < len(machine.program.sites):
        place = machine.program.sites[playing.step.site].place
    seconds = time.perf_counter() - start
    return TestResult(test.title, test.ids, test.pins, not message, message, place, seconds, playing.done)


def failed(program: Program, failure: RuleFailure) -> str:
    """A rule that failed, with its place and the clauses that took part."""
    at = f" ({failure.place.file}:{failure.place.line})" if failure.place else ""
    handles = [told.handles_of(program, each) for each in failure.clauses]
    cited = "".join(f" {told.listed(each)}" for each in handles if each)
    return f"{failure.code}: {failure.message}{at}{cited}"


def absent(step: TestStep, failure: RuleFailure) -> str:
    """A line of a test that itself names something that is not there, such as a piece that nobody placed."""
    if failure.code != "E0604" or failure.place is not None or not step.text:
        return ""
    return f"`{step.text}` names something that is not there: no such piece is in play, or a value is none (E0604)"


class Playing:
    """A test on its way; `telling` keeps a log."""

    def __init__(
        self, machine: Machine, test: Test, steps: int = STEPS, unseen: str = "", *, telling: bool = False
    ) -> None:
        self.program = machine.program
        self.test = test
        self.unseen = unseen
        self.game = ShortGame.fresh(machine, options=self._options(), script=Script(), telling=telling)
        assert isinstance(self.game, ShortGame)
        self.game.steps = steps
        self.step: TestStep | None = None
        self.done = 0
        self.watch = Watch(machine) if machine.program.promises else None
        self.excused: set[int] = set()
        """The lines of the promises that the situation of the test breaks already."""
        self.kinds = kinds = {step.kind for step in test.steps}
        self.bare = not kinds & {"given", "run", *MOVES, *SCRIPTS}
        self.waiting = "run" not in kinds and ("given" not in kinds or bool(kinds & MOVES))

    def _options(self) -> dict[str, str | int]:
        found: dict[str, str | int] = {}
        for step in self.test.steps:
            if step.kind == "option" and step.index is not None and step.numbers:
                found[self.program.options[step.index].name] = step.numbers[0]
        return found

    def through(self) -> str:
        """Does all lines; the message of the one that fails."""
        steps = self.test.steps
        for number, step in enumerate(steps):
            self.step = step
            after = steps[number + 1] if number + 1 < len(steps) else None
            wanted = after.text if after is not None and after.kind == "error" else ""
            script = self.game.script
            try:
                self._do(step)
            except RuleFailure as failure:
                if failure.code != wanted:
                    return absent(step, failure) or failed(self.program, failure)
                self.game.script = script
            except (Unmet, ScriptError, IllegalChoice) as reason:
                return str(reason)
            except Disagreement as reason:
                return f"a fault of Scenarii: {reason}"
            else:
                if wanted:
                    return f"this was to fail with {wanted}, and did not"
            self.done += 1
        left = self.game.script.left() if self.game.script else ()
        return f"scripted and never asked for: {', '.join(left)}" if left else ""

    def _do(self, step: TestStep) -> None:
        if step.kind in SCRIPTS:
            assert self.game.script is not None
            self.game.script.add(step.kind, step.numbers)
            return
        if self.waiting and step.kind in MOVES | READS:
            self._begin()
        match step.kind:
            case "given":
                assert step.index is not None
                self.game.run_procedure(step.index)
                self._excuse()
            case "decisions":
                assert isinstance(self.game, ShortGame)
                self.game.has_taken(step.numbers[0])
            case "run":
                self._run(step)
                self._look()
            case "expect":
                self._expect(step)
            case "illegal":
                self._illegal(step)
            case kind if kind in MOVES and not step.offered:
                not_offered(self.game, step)
            case kind if kind in MOVES:
                self.game.choose(chosen(self.game, step))
                self._look()
            case _:
                return

    def _begin(self) -> None:
        """The whole game, from its setup."""
        self.waiting = False
        try:
            self.game.begin()
        except ScriptError:
            if not self.bare:
                raise
            return
        self._look()

    def _excuse(self) -> None:
        """Promises that do not hold here are not asked of the test; a new situation has its own."""
        if self.watch is not None:
            lines = self.watch.lines
            broken = [lines[each.line][0] for each in self.watch.broken(self.game.state)]
            self.excused = {number for number, (promise, _) in enumerate(lines) if promise in broken}

    def _look(self) -> None:
        """A stop: what is promised holds here."""
        if self.watch is not None:
            for each in self.watch.broken(self.game.state, self.excused):
                raise Unmet(unkept(self.game, each))

    def _run(self, step: TestStep) -> None:
        decision = self.game.decision
        if decision is not None:
            raise Unmet(f"what was run before has not come to its end: {told.options_of(decision)}")
        if self.game.outcome is not None:
            raise Unmet("the game has ended")
        assert step.index is not None
        if not self.excused and "given" not in self.kinds:
            self._excuse()
        if step.action is not None:
            args: list[Plain] = [self.game.evaluate(each) for each in step.args]
            if found := self.game.refusals(step.action, args):
                raise Unmet(f"{step.text} is refused: {told.refusals_of(self.program, found)}")
        self.game.run_routine(step.index)

    def _expect(self, step: TestStep) -> None:
        (condition,) = step.args
        if not self.game.evaluate(condition):
            found = told.unmet(self.game, condition)
            raise Unmet(f"expected {step.text}{': ' + found if found else ''}")

    def _illegal(self, step: TestStep) -> None:
        assert step.action is not None
        args: list[Plain] = [self.game.evaluate(each) for each in step.args]
        found = self.game.refusals(step.action, args)
        self._judged(step, bool(found))
        stood = [told.handles_of(self.program, each.clause) for each in found]
        stood = [each for each in stood if not self.unseen or self.unseen not in each]
        if not stood:
            raise Unmet(f"{step.text} is allowed")
        handles = {each for clause in stood for each in clause}
        wanted = set(step.ids)
        exact = step.among or not wanted or all(wanted & set(clause) for clause in stood)
        if not wanted <= handles or not exact:
            among = "among them " if step.among else ""
            by = told.refusals_of(self.program, found)
            raise Unmet(
                f"{step.text} is to be refused by {among}{told.listed(step.ids)}; it is refused by {by}"
            )

    def _judged(self, step: TestStep, refused: bool) -> None:
        """Where two engines run the test, both judge the action as the one that explains does."""
        if self.game.machine.engine == "python":
            return
        assert step.action is not None
        with suppress(RuleFailure):  # a condition that cannot be read does not stand
            if self.game.evaluate(ir.Judge(TRUTH, step.action, step.args)) == refused:
                raise Disagreement(f"{step.text} is judged otherwise than explained")
