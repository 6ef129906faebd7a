"""A game under way: where it stands, who must choose among what, and going on from there.

The vector at each decision is never changed: going on works on a copy, so that a rule that fails leaves the
game as it was, undo keeps old vectors, and a clone shares them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dsl.catalogue import tr
from dsl.diagnostics import Diagnostic
from dsl.engine import chance, endings, layout
from dsl.engine.blame import TOO_MANY, blamed
from dsl.engine.decision import Decision, Option
from dsl.engine.explain import Account, Refusal, account, refusals
from dsl.engine.failure import IllegalChoice, RuleFailure, ScriptError, Unplayable
from dsl.engine.log import Asked, Entry
from dsl.engine.machine import Choice, Compiled, Machine
from dsl.engine.outcome import Outcome, outcome_of
from dsl.engine.reach import alone
from dsl.engine.runtime import Run
from dsl.engine.script import Script
from dsl.engine.settings import left_out, settings_of
from dsl.engine.snapshot import damaged, packed, pile_faults, unpacked
from dsl.engine.sums import Sum, sums
from dsl.engine.undo import choices_of, most_kept, take_back
from dsl.engine.views import View, pile_counts, values_seen
from dsl.engine.why import Because, WhyNot, action_named, because, counted, why_not
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, OUT, REASON, STATUS, TOP
from dsl.ir.types import NONE

RECENT, MANY = 20, 1_000
"""Moments whose options are kept, unless there are many."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A stop of the game: the whole state there, the options, and what was told and chosen on the way.

    A moment some time ago has lost its options (there are none in the list), one of long ago its state too.
    """

    state: list[int]
    options: list[Choice] | None
    log: tuple[Entry, ...] = ()
    """What was told on the way here from the moment before."""
    marks: tuple[int, ...] = ()
    choice: Choice | None = None
    """What was chosen at the moment before."""
    marked: tuple[int, ...] = ()
    """For each mark the players who may know of it, a bit for each; -1 all."""
    asked: tuple[Asked, ...] = ()
    """Of which values the rules asked on the way."""


class Game:
    """One game of a machine.

    `telling` keeps a log and marks, `covering` counts clauses that took effect too.
    """

    blaming = False
    """Is it told what took the steps of a stretch that takes too many, where no log is kept either?"""

    def __init__(self, machine: Machine, code: Compiled, script: Script | None = None) -> None:
        self.machine = machine
        self.script = script
        self.hits: dict[int, int] = {}
        self._code = code
        self._moments: list[Moment] = []
        self._kept = most_kept(machine.program.size)

    @classmethod
    def start(
        cls,
        machine: Machine,
        *,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        telling: bool = False,
        covering: bool = False,
        script: Script | None = None,
    ) -> Game:
        """A new game, at its first decision."""
        game = cls.fresh(
            machine, seed=seed, options=options, telling=telling, covering=covering, script=script
        )
        game.begin()
        del game._moments[0]
        return game

    @classmethod
    def fresh(
        cls,
        machine: Machine,
        *,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        telling: bool = False,
        covering: bool = False,
        script: Script | None = None,
    ) -> Game:
        """A game in which nothing has run yet, not even its setup: each variable has its initial value."""
        game = cls(machine, _variant(machine, telling, covering), script)
        program = machine.program
        state = [0] * program.size
        chance.seed(state, seed)
        state[REASON], state[TOP] = -1, -1
        game._initialise(state, options or {})
        game._moments.append(Moment(state, None))
        return game

    def begin(self) -> None:
        """Runs the game from its setup, on the state as it is, to its first decision."""
        self.run_routine(self.machine.program.main)

    # ------------------------------------------------------------ where it stands

    @property
    def state(self) -> tuple[int, ...]:
        """The whole vector."""
        return tuple(self._now.state)

    @property
    def decision(self) -> Decision | None:
        """Who must choose now, and among what; none where the game has ended."""
        now = self._now
        return None if now.options is None else Decision(self.machine, now.state, now.options)

    @property
    def is_telling(self) -> bool:
        """Does it keep a log and marks?"""
        return self._code.variant.telling

    @property
    def count(self) -> int:
        """How many options there are now."""
        return len(self._now.options or ())

    @property
    def player(self) -> int | None:
        """The number of the player who chooses now."""
        return self.decision.player if self.decision is not None else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; none while it goes on."""
        return outcome_of(self.machine.program, self._now.state)

    @property
    def idle(self) -> bool:
        """Has what was run come to its end, without an end of the game?"""
        return self._now.options is None and not self._now.state[STATUS]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What has been chosen since the start: the number of the offer, and the values of its variables."""
        return choices_of(self._moments)

    @property
    def log(self) -> list[Entry]:
        """What has been told since the start."""
        return [entry for moment in self._moments for entry in moment.log]

    @property
    def news(self) -> Sequence[Entry]:
        """What has been told since the last choice, or since the start where there was none."""
        return self._moments[-1].log

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the program's hash and the vector: equal for equal games, on every machine."""
        data = bytes.fromhex(self.machine.hash) + layout.pack(self._now.state)
        return hashlib.sha256(data).hexdigest()

    def view(self, player: int) -> View:
        """What a player may see, and no more."""
        now, decision, program = self._now, self.decision, self.machine.program
        return View(
            player,
            values_seen(self.machine, now.state, player),
            pile_counts(program, now.state),
            None if decision is None else decision.player,
            decision.options if decision is not None and decision.player == player else (),
            tuple(entry.seen_as(player) for entry in self.log if not entry.unnamed),
            self.outcome,
        )

    @property
    def marks(self) -> tuple[int, ...]:
        """The clauses that took effect since the last choice, in order, each as often as it did (of a telling
        game).
        """
        return self._now.marks

    def why(self, last: int = 1, player: int | None = None) -> tuple[Because, ...]:
        """The clauses that took effect since the last choice, or the last few, in order (of a telling game): of
        which a player may know (none: all).
        """
        moments, eyes = self._moments[-last:], -1 if player is None else 1 << player
        pairs = (pair for each in moments for pair in zip(each.marks, each.marked, strict=True))
        marks = [mark for mark, seen in pairs if player is None or seen & eyes]
        return because(self.machine.program, marks)

    def sums(self, player: int | None = None, last: int = 1) -> tuple[Sum, ...]:
        """How the numbers came about that the rules asked for since then, as a player may know them (none: all)."""
        asked = [each for moment in self._moments[-last:] for each in moment.asked]
        return sums(self.machine, asked, self._now.state, player)

    def why_not(self, action: str, args: Sequence[layout.Plain] = (), language: str = "") -> WhyNot:
        """Why an action is not offered with these arguments; who does it, where somebody does, is the last of them.

        Raises `KeyError` for an action that there is not, `TypeError` for more or fewer arguments than it has.
        """
        number = action_named(self.machine.program, action)
        return why_not(self.machine, self._now.state, self.decision, number, tuple(args), language=language)

    def refusals(self, action: int, args: Sequence[layout.Plain]) -> tuple[Refusal, ...]:
        """The prohibitions that stand on an action, by its number. Raises `TypeError` as `why_not` does."""
        counted(self.machine.program, action, args)
        return refusals(self.machine, self._now.state, action, args)

    def account(self, value: int, args: Sequence[layout.Plain]) -> Account:
        """How a value, by its number, comes about: base, terms and result."""
        return account(self.machine, self._now.state, value, args)

    # ------------------------------------------------------------ keeping

    def snapshot(self) -> bytes:
        """The game as bytes, at any stop."""
        return packed(self.machine.hash, self._now.state)

    @classmethod
    def restore(
        cls, machine: Machine, data: bytes, *, telling: bool = False, covering: bool = False
    ) -> Game | list[Diagnostic]:
        """The game of a snapshot; or what is wrong with it. What was told and chosen before is not in it."""
        found = unpacked(machine.program, machine.hash, data)
        state = [slot for slot in found if isinstance(slot, int)]
        if len(state) != len(found):
            return [fault for fault in found if isinstance(fault, Diagnostic)]
        game = cls(machine, _variant(machine, telling, covering))
        try:
            options = game._options(state, game._run())
        except RuleFailure as failure:
            return [damaged(f"the rules fail at once there: {failure.message}")]
        if options == []:
            return [damaged("nothing can be chosen there")]
        game._moments.append(Moment(state, options))
        return game

    # ------------------------------------------------------------ going on

    def choose(self, choice: Option | Choice | int | str) -> None:
        """Goes on with an option (the option, its number, its label, or its offer and values) to the next
        decision.

        A rule that fails leaves the game here, and raises `RuleFailure`.
        """
        now = self._now
        if now.options is None:
            raise IllegalChoice("the game asks nothing now")
        raw = self._raw(choice, now.options)
        state = list(now.state)
        frame = state[TOP]
        decider = self._code.deciders[state[frame], state[frame + 1]]
        state[DECISIONS] += 1
        state[frame + 1] = self.machine.bind(decider, state, frame, raw)
        self._advance(state, raw)

    def undo(self, count: int = 1) -> None:
        """Takes back the last choices."""
        take_back(self._moments, count)
        now = self._now
        if now.options == []:  # they are forgotten after a while
            self._moments[-1] = replace(now, options=self._options(list(now.state), self._run()))

    def clone(self) -> Game:
        """The same game, to go on with apart."""
        copy = Game(self.machine, self._code, self.script and self.script.copy())
        copy.hits = dict(self.hits)
        copy._moments = list(self._moments)
        return copy

    def reseeded(self, seed: int) -> Game:
        """The same game, whose dice and shuffles follow from a seed from here on."""
        copy, state = self.clone(), list(self._now.state)
        chance.seed(state, seed)
        copy._moments[-1] = replace(self._now, state=state)
        return copy

    # ------------------------------------------------------------ for tests

    def run_routine(self, index: int, args: Sequence[layout.Plain] = ()) -> None:
        """Puts all frames away and runs one routine; where it has returned the game is `idle`."""
        self._advance(alone(self._run(), self._now.state, index, tuple(args)), None)

    def run_procedure(self, index: int, args: Sequence[layout.Plain] = ()) -> layout.Plain | None:
        """Runs a procedure on the state and yields what it returns. The options are then computed anew."""
        state, run = list(self._now.state), self._run()
        try:
            result: layout.Plain | None = self._code.names[f"p{index}"](state, run, *args)
            options = self._options(state, run)
        except RuleFailure as failure:
            self.machine.locate(failure, failure.__traceback__)
            raise
        self._arrive(_moment(state, options, run), run)
        return result

    def evaluate(self, expr: ir.Expr, args: Mapping[int, layout.Plain] | None = None) -> layout.Plain:
        """The value of an expression here, with some locals given."""
        given = args or {}
        function = self.machine.function(("expr", expr, tuple(given)), (expr,), tuple(given))
        try:
            result: tuple[layout.Plain, ...] = function(self._now.state, self._run(), 0, *given.values())
        except RuleFailure as failure:
            self.machine.locate(failure, failure.__traceback__)
            raise
        return int(result[0]) if isinstance(result[0], bool) else result[0]

    # ------------------------------------------------------------ inside

    @property
    def _now(self) -> Moment:
        return self._moments[-1]

    def _run(self) -> Run:
        return Run(self.machine, self.script, self._code.logs, covering=self._code.variant.covering)

    def _raw(self, choice: Option | Choice | int | str, options: list[Choice]) -> Choice:
        match choice:
            case int():
                if not 0 <= choice < len(options):
                    raise IllegalChoice(
                        tr(
                            "there is no option {choice}, only 0 to {count}",
                            choice=choice,
                            count=len(options) - 1,
                        )
                    )
                return options[choice]
            case str():
                decision = self.decision
                assert decision is not None
                return decision.by_label(choice).raw
            case Option():
                raw = choice.raw
            case _:
                raw = choice
        if raw not in options:
            raise IllegalChoice("this is not among the options")
        return raw

    def _advance(self, state: list[int], choice: Choice | None) -> None:
        """Runs a state to the next stop, which becomes where the game stands."""
        run = self._run()
        begun = list(state) if self._code.variant.telling or self.blaming else None
        script = self.script and self.script.copy()
        whole = state[self.machine.program.frames] == self.machine.program.main
        try:
            options = self.machine.run(self._code, state, run)
            if options is None:
                self._close(state, run, whole)
        except RuleFailure as failure:
            self.script = script
            self.machine.locate(failure, failure.__traceback__)
            if begun is not None and failure.code in TOO_MANY and run.steps > self.machine.budget:
                failure.say(blamed(self.machine, begun, script, failure.message))
            raise
        except ScriptError as error:
            self.machine.locate(error, error.__traceback__)
            error.state = tuple(state)
            raise
        self._arrive(_moment(state, options, run, choice), run)

    def _close(self, state: list[int], run: Run, whole: bool) -> None:
        """Where the main routine has returned, the game has reached its bound; ended, it has no frames."""
        program = self.machine.program
        if whole and not state[STATUS]:
            endings.end_at_bound(state, run)
        if state[STATUS]:
            self._end(state, run)
            state[TOP] = -1
            state[program.frames :] = [0] * (program.size - program.frames)

    def _end(self, state: list[int], run: Run) -> None:
        """Tells of the end."""
        program, reason = self.machine.program, state[REASON]
        if not self._code.variant.telling or reason < 0:
            return
        ending = program.endings[reason]
        cited = () if ending.clause is None else (ending.clause,)
        before = run.before(state)
        run.log.append(Entry(program, "end", ending.label, (), (), (), cited, 0, before=before))
        for clause in cited:
            run.hit(clause)

    def _arrive(self, moment: Moment, run: Run) -> None:
        self._forget_options()
        self._moments.append(moment)
        if len(self._moments) > self._kept:
            old = self._moments[-1 - self._kept]
            self._moments[-1 - self._kept] = replace(old, state=[], options=None, asked=())
        for clause, count in run.hits.items():
            self.hits[clause] = self.hits.get(clause, 0) + count

    def _forget_options(self) -> None:
        """Of all moments but the last few only the state is kept, and the options are found anew when it is taken
        back to; so it is at once where there are many.
        """
        for back in (1, RECENT):
            if len(self._moments) >= back and self._moments[-back].options:
                old = self._moments[-back]
                if back == RECENT or len(old.options or ()) > MANY:
                    self._moments[-back] = replace(old, options=[])

    def _options(self, state: list[int], run: Run) -> list[Choice] | None:
        """The options where a state stands, without going on."""
        frame = state[TOP]
        if frame < 0 or state[STATUS]:
            return None
        decider = self._code.deciders[state[frame], state[frame + 1]]
        player = decider.player(state, run, frame)
        if player == NONE or state[OUT] >> player & 1:
            return []
        options: list[Choice] = decider.options(state, run, frame)
        return options

    def _initialise(self, state: list[int], chosen: Mapping[str, str | int]) -> None:
        """Options first, as chosen, then every variable in its order."""
        program, run = self.machine.program, self._run()
        settings = settings_of(program, chosen)
        names = (self._code if self._code.variant.covering else self.machine.plain).names
        try:
            for var, value in settings.items():
                state[program.vars[var].offset] = value
            for var in range(len(program.vars)):
                if var not in settings:
                    names[f"i{var}"](state, run)
        except RuleFailure as failure:
            self.machine.locate(failure, failure.__traceback__)
            raise
        self.hits |= run.hits
        if fault := next(pile_faults(program, state), None):
            raise Unplayable(tr("{fault} when the game begins", fault=fault))
        seats = next((var for var in program.vars if var.role == "seats"), None)
        if seats is not None:
            state[OUT] = left_out(program, state[seats.offset])


def _moment(state: list[int], options: list[Choice] | None, run: Run, choice: Choice | None = None) -> Moment:
    told = tuple(run.log), tuple(run.marks), choice, tuple(run.marked), tuple(run.asked)
    return Moment(state, options, *told)


def _variant(machine: Machine, telling: bool, covering: bool) -> Compiled:
    return machine.covering if covering else machine.telling if telling else machine.plain
