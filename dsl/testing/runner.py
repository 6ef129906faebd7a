"""Runs the tests of a program: each on a game of its own in which nothing has happened yet.

A test goes line by line. `option` lines hold for the whole test, wherever they stand, and so does `ask every choice`.
`given` writes into the state; `run` does one action on it, alone. A test without `run` that makes moves or asks what is
offered, or that gives nothing, plays the whole game: it begins at the first line that needs it, with its setup where
nothing was given before, and else behind it.

Wherever such a game stops (somebody chooses, it has ended, or what was run is done), the promises of the program are
looked at, but for those that do not hold in the situation that a test is given or runs on.

All chance is scripted: what is missing or left over fails the test. `error CODE` says that the line before it
fails with this code.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from weakref import WeakKeyDictionary

from dsl.catalogue import tr
from dsl.engine.decision import Decision
from dsl.engine.failure import Disagreement, IllegalChoice, RuleFailure, ScriptError, StartError
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.engine.machine import Choice, Machine
from dsl.engine.promises import Watch
from dsl.engine.runtime import Run
from dsl.engine.script import Script
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, Program, Test, TestStep
from dsl.ir.types import TRUTH
from dsl.ir.verify.graph import Graph
from dsl.ir.walk import inside, locals_in
from dsl.testing import failure_text as told
from dsl.testing.moves import chosen, not_offered
from dsl.testing.promises import unkept
from dsl.testing.results import TestResult, Unmet

MOVES = frozenset({"do", "take", "pass", "stop", "label"})
SCRIPTS = frozenset({"rolls", "picks", "shuffles"})
READS = frozenset({"expect", "illegal", "quiet", "let"})
OUTCOMES = frozenset({"over", "won", "reason"})
MOST_LONE = 3
"""Options that were taken at once, of which a message tells."""


_GRAPHS: WeakKeyDictionary[Machine, Graph] = WeakKeyDictionary()


def _graph(machine: Machine) -> Graph:
    """What the program of a machine reads where."""
    if machine not in _GRAPHS:
        _GRAPHS[machine] = Graph(machine.program)
    return _GRAPHS[machine]


class ShortGame(Game):
    """A game whose stretches between two decisions may be shorter than the rules of the IR allow, and that keeps in
    mind which lone options were taken at once since the last choice; `asking`, it asks for them.
    """

    steps: int | None = None
    asking = False
    rounds: int | None = None
    """The routine that it was begun by, where that is not the main one."""
    _in_rounds = False

    def _run(self) -> Run:
        run = super()._run()
        if self.steps is not None:
            run.steps = self.machine.budget - self.steps
        run.asking = self.asking
        run.lone = self.lone
        return run

    @cached_property
    def names(self) -> dict[int, Plain]:
        """What the test has named, by the locals that stand for it."""
        return {}

    def evaluate(self, expr: ir.Expr, args: Mapping[int, Plain] | None = None) -> Plain:
        named = {index: self.names[index] for index in sorted(locals_in(expr) & self.names.keys())}
        return super().evaluate(expr, {**named, **(args or {})})

    @cached_property
    def lone(self) -> deque[Decision]:
        return deque(maxlen=MOST_LONE)

    def _advance(self, state: list[int], choice: Choice | None) -> None:
        self.lone.clear()
        self._in_rounds = state[self.machine.program.frames] == self.rounds
        super()._advance(state, choice)

    def _close(self, state: list[int], run: Run, whole: bool) -> None:
        super()._close(state, run, whole or self._in_rounds)

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


def run_test(
    machine: Machine,
    test: Test,
    *,
    steps: int | None = None,
    unseen: str = "",
    options: Mapping[str, str | int] | None = None,
) -> TestResult:
    """Runs one test; `steps` bounds each stretch between two decisions. Where a test asks what refuses,
    clauses of the family `unseen` are passed over. `options` hold where the test says nothing of them.
    """
    start = time.perf_counter()
    place = test.place
    if test.skipped:
        return TestResult(test.title, test.ids, test.pins, True, "", place, 0.0, skipped=test.skipped)
    try:
        playing = Playing(machine, test, steps, unseen, options=options)
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
        self,
        machine: Machine,
        test: Test,
        steps: int | None = None,
        unseen: str = "",
        *,
        telling: bool = False,
        covering: bool = False,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        self.program = machine.program
        self.test = test
        self.unseen = unseen
        self.game = ShortGame.fresh(
            machine,
            options={**(options or {}), **self._options()},
            script=Script(),
            telling=telling,
            covering=covering,
        )
        assert isinstance(self.game, ShortGame)
        self.game.steps = steps
        self.game.asking = any(step.kind == "asking" for step in test.steps)
        self.step: TestStep | None = None
        self.done = 0
        self.watch = Watch(machine) if machine.program.promises else None
        self.excused: set[int] = set()
        """The lines of the promises that the situation of the test breaks already."""
        self.kinds = kinds = {step.kind for step in test.steps}
        self.acted = False
        """Has anything been run or played yet?"""
        self.beginning = False
        self.situated = False
        """Has a situation been given?"""
        self.waiting = "run" not in kinds and ("given" not in kinds or bool(kinds & MOVES))

    def _options(self) -> dict[str, str | int]:
        found: dict[str, str | int] = {}
        for step in self.test.steps:
            if step.kind == "option" and step.index is not None and step.numbers:
                found[self.program.options[step.index].name] = step.numbers[0]
        return found

    def before(self, count: int) -> str:
        """Does the first lines, and begins the game where the next one needs it; the message of the one that fails."""
        if message := self.through(count):
            return message
        if self.waiting and count < len(self.test.steps) and self.test.steps[count].kind in MOVES:
            try:
                self._begin()
            except ScriptError as reason:
                return self._not_dictated(reason, self.test.steps[count])
            except RuleFailure as failure:
                return failed(self.program, failure)
        return ""

    def through(self, count: int | None = None) -> str:
        """Does all lines, or the first so many; the message of the one that fails."""
        steps = self.test.steps
        for number, step in enumerate(steps[:count]):
            self.step = step
            after = steps[number + 1] if number + 1 < len(steps) else None
            wanted = after.text if after is not None and after.kind == "error" else ""
            script = self.game.script
            try:
                self._do(step)
            except RuleFailure as failure:
                if failure.code != wanted:
                    return self._absent(step, failure) or failed(self.program, failure)
                self.game.script = script
            except ScriptError as reason:
                return self._not_dictated(reason, step)
            except (Unmet, IllegalChoice) as reason:
                return str(reason)
            except Disagreement as reason:
                return f"a fault of Scenarii: {reason}"
            else:
                if wanted:
                    return f"this was to fail with {wanted}, and did not"
            self.done += 1
        return self._left() if count is None else ""

    def _left(self) -> str:
        """What chance was to give and nobody asked for; the test fails at the last line that says so."""
        left = self.game.script.left() if self.game.script else {}
        found: list[str] = []
        for step in reversed(self.test.steps):
            count = left.get(step.kind, 0)
            several = 1 if step.kind == "shuffles" else len(step.numbers or step.args)
            if not count or not several:
                continue
            self.step = step if not found else self.step
            left[step.kind] = max(0, count - several)
            numbers = ", ".join(map(str, step.numbers[-count:]))
            written = step.text if step.kind == "shuffles" or not numbers else f"{step.kind[:-1]} {numbers}"
            if step.kind == "picks":
                written = step.text.replace("picks", "pick", 1)
            found.append(written or f"{count} {step.kind}")
        alone = " (`random` of the only one there asks for no pick)" if "picks" in left else ""
        return f"scripted and never asked for: {', '.join(reversed(found))}{alone}" if found else ""

    def _not_dictated(self, reason: ScriptError, step: TestStep) -> str:
        """Chance that the test does not dictate, or cannot be: where it was asked for, and for whom."""
        where = f", asked for at {reason.place.file}:{reason.place.line}" if reason.place else ""
        player: object = told.acting(self.program, reason.state)
        if player is None and step.player is not None:
            player = self.game.evaluate(step.player)
        whose = f" by {told.player_name(self.program, player)}" if isinstance(player, int) else ""
        begins = "as the game begins, " if self.beginning else ""
        hint = ""
        if "is missing" in str(reason):
            hint = tr("; write `{reason}s` and what comes above this line", reason=str(reason).split()[1])
            if self.beginning and not self.kinds & MOVES:
                hint += ", or `given: nothing` for what is so before the setup"
        return f"{begins}{reason}{where}{whose}{hint}"

    def _absent(self, step: TestStep, failure: RuleFailure) -> str:
        """The same as `absent`; where nothing was set up, that is why."""
        found = absent(step, failure)
        if found and not self.situated and step.kind == "run":
            found += "; `run` without `given` begins with nothing set up: say before it what stands where"
        return found

    def _do(self, step: TestStep) -> None:
        if step.kind in SCRIPTS:
            assert self.game.script is not None
            values = [self.game.evaluate(each) for each in step.args]
            named = tuple(each for each in values if isinstance(each, int))
            self.game.script.add(step.kind, named or step.numbers, step.index)
            return
        if self.waiting and (step.kind in MOVES or (step.kind in READS and self._needs_game(step))):
            self._begin()
        match step.kind:
            case "given":
                assert step.index is not None
                self.situated = True
                self._give(step)
                self._excuse()
            case "let":
                self._name(step)
            case "decisions":
                assert isinstance(self.game, ShortGame)
                self.game.has_taken(step.numbers[0])
            case "quiet":
                self._quiet()
            case "run":
                self.acted = True
                self._run(step)
                self._look()
            case "expect":
                self._expect(step)
            case "illegal":
                self._illegal(step)
            case kind if kind in MOVES:
                self._move(step)
            case _:
                return

    def _needs_game(self, step: TestStep) -> bool:
        """Does a line that only reads need a game that has begun? What never changes is so without one."""
        if step.kind == "quiet" or self.kinds & MOVES:
            return True
        reads = _graph(self.game.machine).reads
        exprs = step.args if step.action is None else (*step.args, ir.Judge(TRUTH, step.action, step.args))
        asks = any(isinstance(part, ir.Op) and part.op in OUTCOMES for each in exprs for part in inside(each))
        return asks or bool(set().union(*map(reads, exprs)) - {each.var for each in self.program.options})

    def _move(self, step: TestStep) -> None:
        """A choice that is made, or one that is expected to be offered, or not to be."""
        assert isinstance(self.game, ShortGame)
        lone = told.taken_at_once(self.game.lone)
        try:
            if not step.offered:
                not_offered(self.game, step)
                return
            option = chosen(self.game, step)
            if step.tried:
                return
        except Unmet as reason:
            raise Unmet(f"{reason}{lone}") from None
        self.game.choose(option)
        self._look()

    def _begin(self) -> None:
        """The whole game, from its setup; where a situation was given, from behind it."""
        assert isinstance(self.game, ShortGame)
        self.waiting, self.acted, self.beginning = False, True, True
        rounds = next((step.index for step in self.test.steps if step.kind == "rounds"), None)
        if self.situated and rounds is not None:
            self.game.rounds = rounds
            self.game.run_routine(rounds)
        else:
            self.game.begin()
        self.beginning = False
        self._look()

    def _quiet(self) -> None:
        """Nobody is asked. Where nothing was done that could have asked, that would be so of any game."""
        if not self.acted:
            raise Unmet("nothing has been run or played yet, so that nothing can be asked: this cannot fail")
        if self.game.decision is not None:
            raise Unmet(f"expected nothing asked: {told.options_of(self.game.decision)}")

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
        if not self.excused and "given" not in self.kinds:
            self._excuse()
        self.game.run_routine(*self.runnable(step))

    def runnable(self, step: TestStep) -> tuple[int, list[Plain]]:
        """The routine of a line that runs something, with its arguments; `Unmet` where something refuses it."""
        assert step.index is not None
        if step.action is not None:
            args: list[Plain] = [self.game.evaluate(each) for each in step.args]
            if found := self.game.refusals(step.action, args):
                raise Unmet(f"{step.text} is refused: {told.refusals_of(self.program, found)}")
        return step.index, self._named(step)

    def _give(self, step: TestStep) -> None:
        """Writes what is given, and keeps what was named there."""
        assert isinstance(self.game, ShortGame) and step.index is not None
        found = self.game.run_procedure(step.index, self._named(step))
        if isinstance(found, tuple):
            self.game.names.update(zip(step.bound, found, strict=True))

    def _name(self, step: TestStep) -> None:
        """Keeps what a name stands for from here on."""
        assert isinstance(self.game, ShortGame)
        self.game.names.update(zip(step.bound, map(self.game.evaluate, step.args), strict=True))

    def _named(self, step: TestStep) -> list[Plain]:
        """What the test has named so far, for code of its own."""
        assert isinstance(self.game, ShortGame)
        return [self.game.names[each] for each in step.params]

    def _expect(self, step: TestStep) -> None:
        (condition,) = step.args
        if not self.game.evaluate(condition):
            found = told.unmet(self.game, step)
            raise Unmet(f"expected {step.text}{': ' + found if found else ''}")
        for gone, field in told.read_of_gone(self.game, condition):
            raise Unmet(
                f"{step.text} is so because {gone} is not in play, and its `{field}` is as at the beginning: say "
                "`is gone` of it, or expect what it is to be while it is there"
            )

    def _illegal(self, step: TestStep) -> None:
        assert step.action is not None
        args: list[Plain] = [self.game.evaluate(each) for each in step.args]
        self._refuse_empty(step, args)
        found = self.game.refusals(step.action, args)
        self._judged(step, bool(found))
        stood = [told.handles_of(self.program, each.clause) for each in found]
        stood = [each for each in stood if not self.unseen or self.unseen not in each]
        if not stood:
            menu = ""
            if self.game.decision is not None:
                player = self.game.decision.player_name
                menu = f"; what is not offered is said with `expect illegal {player}: {step.text}`"
            raise Unmet(f"{step.text} is allowed: no `need` and no `forbid` refuses it{menu}")
        handles = {each for clause in stood for each in clause}
        wanted = set(step.ids)
        exact = step.among or not wanted or all(wanted & set(clause) for clause in stood)
        if not wanted <= handles or not exact:
            among = "among them " if step.among else ""
            by = told.refusals_of(self.program, found)
            raise Unmet(
                f"{step.text} is to be refused by {among}{told.listed(step.ids)}; it is refused by {by}"
            )

    def _refuse_empty(self, step: TestStep, args: list[Plain]) -> None:
        """A check that cannot fail: of a piece that is gone; and, where no clause is named, in a game that has
        ended, or where only what is refused anyway refuses it to somebody who is not asked.
        """
        for expr, value in zip(step.args, args, strict=True):
            gone = told.gone(self.program, self.game.state, expr.type, value)
            if gone:
                raise Unmet(f"{step.text} is about {gone}, which is not in play: this cannot fail")
        if step.ids:
            return
        if self.game.outcome is not None:
            raise Unmet("the game has ended, and nothing can be done any more: this cannot fail")
        decision = self.game.decision
        player = None if step.player is None else self.game.evaluate(step.player)
        if decision is None or not isinstance(player, int) or player == decision.player:
            return
        assert step.action is not None
        action = self.program.actions[step.action]
        found = {each.clause for each in self.game.refusals(step.action, args)}
        by = {action.by} if action.by is not None else set()
        about = {
            each.clause
            for each in action.prohibitions
            if each.clause in found and locals_in(each.condition) & (set(range(len(action.params))) - by)
        }
        if found and not about:
            who = told.player_name(self.program, player)
            raise Unmet(
                f"{decision.player_name} is asked now, and not {who}: this would be refused whatever it is about, "
                "and cannot fail (name the clause that refuses with `because [ID]`, or expect it in his turn)"
            )

    def _judged(self, step: TestStep, refused: bool) -> None:
        """Where two engines run the test, both judge the action as the one that explains does."""
        if self.game.machine.engine == "python":
            return
        assert step.action is not None
        with suppress(RuleFailure):  # a condition that cannot be read does not stand
            if self.game.evaluate(ir.Judge(TRUTH, step.action, step.args)) == refused:
                raise Disagreement(f"{step.text} is judged otherwise than explained")
