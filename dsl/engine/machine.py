"""A program made ready to play: its compiled code in each variant, and the loop that runs blocks.

A machine knows no game under way; any number of games share one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from types import TracebackType
from typing import Any

from dsl.catalogue import N_, tr
from dsl.engine import decision, dice, endings, explain, history, layout, piles, reach, runtime, trial
from dsl.engine import public_words as openly
from dsl.engine.batch import Buffer
from dsl.engine.bits import bits
from dsl.engine.card_knowledge import secret_pools
from dsl.engine.chance import signed
from dsl.engine.codegen import program as codegen
from dsl.engine.codegen.emitter import Origin
from dsl.engine.codegen.expressions import COVERING, PLAIN, TELLING, Variant
from dsl.engine.failure import RuleFailure, ScriptError, Unplayable
from dsl.engine.kinds import known_kinds
from dsl.engine.layout import Plain
from dsl.engine.log import Known, Told
from dsl.engine.readers import Readers
from dsl.engine.runtime import Run
from dsl.engine.secrecy import Secrecy
from dsl.ir import nodes as ir
from dsl.ir.distances import Distances
from dsl.ir.identity import identity
from dsl.ir.program import DECISIONS, FEWEST_ASKED, MOST_ASKED, OUT, STATUS, TOP, Program, Routine, budget
from dsl.ir.types import NONE, Id, Int, ListOf, Type
from dsl.passes.pipeline import Lowering, chosen, played_as

Choice = tuple[int, tuple[Any, ...]]
"""An option in the raw: the number of its offer, and the values of the offer's variables."""

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Decider:
    """A decision's own code: who is asked, what is offered, and (covering only) the audit of what is not."""

    end: ir.Decide
    player: Function
    options: Function
    audit: Function | None
    places: tuple[tuple[tuple[int, int], ...], ...]
    """For each offer the (local, slot behind the frame's begin) of its variables."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """The functions of one variant, by the numbers of what they were made from."""

    variant: Variant
    names: dict[str, Any]
    blocks: Sequence[Sequence[Function | None]]
    deciders: dict[tuple[int, int], Decider]
    endings: tuple[Function, ...]
    logs: Sequence[Told]


class Machine:
    """A verified program and its code."""

    engine = "python"
    """What moves its games on."""
    notes = False
    """Is a sparing machine told each time what is `came_to`?"""

    def __init__(
        self,
        program: Program,
        *,
        sparing: bool = False,
        steps: int | None = None,
        without: Collection[str] = (),
    ) -> None:
        """With `sparing`, a function is generated when it is first called: for a look at a part of a game. What this
        engine cannot run is then told (`Unplayable`) in the middle of play. `steps` may be taken between two decisions,
        from `FEWEST_ASKED` to `MOST_ASKED`; without a number as many as the game's size gives it (`budget`).

        The program is played as the passes make it (`dsl.passes.pipeline`), `without` those of some names; the game is
        the same.
        """
        self.passes = chosen(without)
        with _as_deep_as_ever():
            self.given, self.program = played_as(program, without)
        """The program as it is saved and hashed; and as it is played."""
        program = self.program
        self.lowering = Lowering(program, self.passes)
        """The program as code is made from it."""
        self._sparing = sparing
        if steps is not None and not FEWEST_ASKED <= steps <= MOST_ASKED:
            raise ValueError(
                f"a decision may take from {FEWEST_ASKED:,} to {MOST_ASKED:,} steps, not {steps:,}"
            )
        self.budget = budget(program) if steps is None else steps
        """The steps that may be taken between two decisions."""
        self._lines: dict[str, tuple[tuple[int, int], ...]] = {}
        self._origins: dict[str, dict[int, Origin]] = {}
        self._functions: dict[Hashable, Function] = {}
        self.unsaid: Counter[str] = Counter()
        """How often something beside the rules (a label, a line of the log, who may see something) could not be
        computed, by the code of why.
        """
        self._shared = {**_shared(program), "BUDGET": self.budget}
        endings_in_play = [n for n, each in enumerate(program.endings) if not each.otherwise]
        self.endings = tuple(endings_in_play)
        self.endings_at_once = tuple(n for n in endings_in_play if program.endings[n].at_once)
        self.endings_otherwise = tuple(n for n, each in enumerate(program.endings) if each.otherwise)

    @cached_property
    def hash(self) -> str:
        """What tells this program from all that play otherwise."""
        return identity(self.given)

    @cached_property
    def secret_pools(self) -> dict[int, int]:
        """Of the domains whose pieces lie in piles that not everybody sees, the pool."""
        return secret_pools(self.program)

    @cached_property
    def hides_kinds(self) -> bool:
        """Are there pieces whose kind not everybody sees?"""
        return any(pool.kind is not None for pool in self.program.pools)

    def known_kinds(
        self, state: list[int], kinds: Sequence[Type], values: Sequence[Plain] | None
    ) -> tuple[Known, ...]:
        """The pieces among some values whose kind not everybody sees, each with its kind, and who sees that."""
        return known_kinds(self, state, kinds, values)

    @cached_property
    def readers(self) -> Readers:
        """Who may read what is told."""
        return Readers(self.program, self.secrecy)

    @cached_property
    def secrecy(self) -> Secrecy:
        """Where hidden values go in the program."""
        return Secrecy(self.program)

    @cached_property
    def audience_steps(self) -> int:
        """The steps for each question whether a player may see something: a share of those for all."""
        program = self.program
        hidden = [var for var in program.vars if var.audience is not None]
        places = sum(1 if var.of is None else len(program.domains[var.of].members) for var in hidden)
        return runtime.BESIDE // max(1, places * len(program.domains[program.players].members))

    def came_to(self, group: codegen.Group) -> None:
        """A function is called, of a machine that notes it: what it is made from."""

    @cached_property
    def plain(self) -> Compiled:
        return self._compile(PLAIN)

    @cached_property
    def telling(self) -> Compiled:
        return self._compile(TELLING)

    @cached_property
    def covering(self) -> Compiled:
        return self._compile(COVERING)

    def function(
        self,
        key: Hashable,
        exprs: tuple[ir.Expr, ...],
        params: tuple[int, ...] = (),
        frame: Routine | None = None,
    ) -> Function:
        """`f(state, run, frame, *locals)`: the values of some expressions; made when first asked for, kept
        under `key`.
        """
        if key not in self._functions:
            source = codegen.generate_function(self.lowering, exprs, params, frame)
            names = self.plain.names
            self._execute(source, f"<function {len(self._functions)}>", names)
            self._functions[key] = names.pop("x")
        return self._functions[key]

    def standing(
        self, state: list[int], run: Run, action: int, args: tuple[layout.Plain, ...]
    ) -> tuple[int, ...]:
        """The clauses of the prohibitions that stand on an action; covering games count them."""
        found = tuple(each.clause for each in explain.refusals(self, state, action, args, run=run))
        if run.covering:
            for clause in found:
                run.hit(clause)
        return found

    def locate(self, failure: RuleFailure | ScriptError, trace: TracebackType | None) -> None:
        """Gives a failure its site and clauses, from the lines of generated code that it passed through."""
        clauses: list[int] = []
        site = -1
        met: explain.Met | None = None
        while trace is not None:
            lines = self._lines.get(trace.tb_frame.f_code.co_filename)
            if lines is not None:
                at, clause = lines[trace.tb_lineno - 1]
                site = at if at >= 0 else site
                clauses.insert(0, clause)
                origin = self._origins[trace.tb_frame.f_code.co_filename].get(trace.tb_lineno - 1)
                met = explain.Met(trace.tb_frame, origin)
            trace = trace.tb_next
        failure.site = failure.site if failure.site >= 0 else site
        if isinstance(failure, RuleFailure) and failure.code == "E0607" and len(failure.clauses) == 2:
            failure.name_both(self.program.clauses)
        failure.clauses = tuple(dict.fromkeys((*failure.clauses, *(each for each in clauses if each >= 0))))
        if isinstance(failure, RuleFailure):
            explain.name_outside(self, failure, met)
        if failure.place is not None:
            return
        if 0 <= failure.site < len(self.program.sites):
            failure.place = self.program.sites[failure.site].place
        elif failure.clauses:
            failure.place = self.program.clauses[failure.clauses[0]].place

    def _compile(self, variant: Variant) -> Compiled:
        if self._sparing:
            return self._by_pieces(variant)
        source = codegen.generate(self.lowering, variant)
        names = dict(self._shared)
        self._execute(source, f"<{_name_of(variant)} code>", names)
        routines = self.program.routines
        blocks = tuple(
            tuple(names.get(f"r{r}_b{b}") for b in range(len(each.blocks))) for r, each in enumerate(routines)
        )
        deciders = {
            (r, b): self._decider(names, r, b, block.end)
            for r, each in enumerate(routines)
            for b, block in enumerate(each.blocks)
            if isinstance(block.end, ir.Decide)
        }
        tests = tuple(names[f"e{n}"] for n in range(len(self.program.endings)))
        return Compiled(variant, names, blocks, deciders, tests, source.logs)

    def _by_pieces(self, variant: Variant) -> Compiled:
        """Functions that generate themselves when they are first called, and then stand there."""
        pieces = codegen.Pieces(self.lowering, variant)
        names, of = dict(self._shared), _name_of(variant)

        def generate(group: codegen.Group) -> None:
            with _as_deep_as_ever():
                self._execute(pieces.source(group), f"<{of} {' '.join(map(str, group))}>", names)

        def stub(name: str, group: codegen.Group) -> Function:
            made: list[Function] = []

            def first(*args: Any) -> Any:
                if not made:
                    generate(group)
                    made.append(names[name])
                    names[name] = first if self.notes else made[0]
                if self.notes:
                    self.came_to(group)
                return made[0](*args)

            return first

        def block(r: int, b: int) -> Function:
            function = stub(f"r{r}_b{b}", ("block", r, b))

            def first(state: list[int], run: Run, frame: int) -> Any:
                found = function(state, run, frame)
                if not self.notes:
                    blocks[r][b] = names[f"r{r}_b{b}"]
                return found

            return first

        class Deciders(dict[tuple[int, int], Decider]):
            def __missing__(deciders, at: tuple[int, int]) -> Decider:
                end = self.program.routines[at[0]].blocks[at[1]].end
                assert isinstance(end, ir.Decide)
                generate(("block", *at))
                made = self._decider(names, *at, end)
                if self.notes:
                    player, options = (noted(each, ("block", *at)) for each in (made.player, made.options))
                    made = replace(made, player=player, options=options)
                deciders[at] = made
                return made

        def noted(function: Function, group: codegen.Group) -> Function:
            def called(*args: Any) -> Any:
                self.came_to(group)
                return function(*args)

            return called

        for name, group in pieces.names():
            names[name] = stub(name, group)
        for number in range(len(self.program.endings)):
            generate(("ending", number))
        blocks: list[list[Function | None]] = [
            [
                None if isinstance(each.end, ir.Decide) else block(r, b)
                for b, each in enumerate(routine.blocks)
            ]
            for r, routine in enumerate(self.program.routines)
        ]
        tests = tuple(names[f"e{n}"] for n in range(len(self.program.endings)))
        return Compiled(variant, names, blocks, Deciders(), tests, pieces.logs)

    def _decider(self, names: dict[str, Any], r: int, b: int, end: ir.Decide) -> Decider:
        routine, name = self.program.routines[r], f"r{r}_b{b}"
        places = tuple(
            tuple((each.index, 3 + routine.offsets[each.index]) for each in offer.variables)
            for offer in end.offers
        )
        return Decider(end, names[f"{name}_p"], names[f"{name}_o"], names.get(f"{name}_a"), places)

    def _execute(self, source: codegen.Source, name: str, names: dict[str, Any]) -> None:
        name = f"{name[:-1]} {id(self):x}>"
        self._lines[name] = source.lines
        self._origins[name] = source.origins
        try:
            for part in source.parts():
                exec(compile(part, name, "exec"), names)
        except (SyntaxError, RecursionError, MemoryError) as error:
            told = error.msg if isinstance(error, SyntaxError) else error
            raise Unplayable(
                tr("the program nests deeper than this engine can run: {told}", told=told)
            ) from error

    # ------------------------------------------------------------ running

    def run(self, code: Compiled, state: list[int], run: Run) -> list[Choice] | None:
        """Runs blocks until somebody must choose, and yields the options; none where the routine below all
        has returned or the game has ended. An option that all see to be the only one is taken at once.
        """
        while self.to_decision(code, state, run):
            frame = state[TOP]
            found = self._decide(code, state, run, frame)
            if not isinstance(found, int):
                return found
            state[frame + 1] = found
        return None

    def to_decision(self, code: Compiled, state: list[int], run: Run) -> bool:
        """Runs blocks until a decision is come to, whose options nobody has asked for yet; false where the
        routine below all has returned or the game has ended.
        """
        while (frame := state[TOP]) >= 0:
            routine = state[frame]
            blocks = code.blocks[routine]
            number = state[frame + 1]
            while number >= 0:
                if state[STATUS]:
                    return False
                run.steps += 1
                if run.steps > self.budget:
                    runtime.too_many_steps(self.budget, _site(self.program.routines[routine], number))
                block = blocks[number]
                if block is None:
                    state[frame + 1] = number
                    return True
                number = block(state, run, frame)
        return False

    def step(self, code: Compiled, state: list[int], run: Run) -> list[Choice] | bool:
        """Runs one block, or comes to a decision: whether it goes on behind it, or the options of whoever must choose.
        From block to block the whole of a game is its state; blocks one after another lead where `run` does.
        """
        frame = state[TOP]
        if frame < 0 or state[STATUS]:
            return False
        routine, number = state[frame], state[frame + 1]
        run.steps += 1
        if run.steps > self.budget:
            runtime.too_many_steps(self.budget, _site(self.program.routines[routine], number))
        block = code.blocks[routine][number]
        found = self._decide(code, state, run, frame) if block is None else int(block(state, run, frame))
        if found is None:
            return False
        if not isinstance(found, int):
            return found
        if block is None or found >= 0:
            state[frame + 1] = found
        return True

    def _decide(self, code: Compiled, state: list[int], run: Run, frame: int) -> list[Choice] | int | None:
        """The options of a decision; or the block to go on with where nobody is asked."""
        decider = code.deciders[state[frame], state[frame + 1]]
        end = decider.end
        if state[DECISIONS] >= self.program.decisions:
            endings.end_at_bound(state, run)
            return None
        player = decider.player(state, run, frame)
        if player == NONE or state[OUT] >> player & 1:
            return self._skip(end, "E0606", N_("nobody is there to choose"))
        run.listing = True
        options: list[Choice] = decider.options(state, run, frame)
        if decider.audit is not None:
            self._audit(decider, state, run, frame)
        run.listing = False
        if not options:
            return self._skip(end, "E0602", N_("a choice with nothing to choose"))
        if len(options) == 1 and end.public and not run.asking:
            if run.lone is not None:
                run.lone.append(decision.Decision(self, list(state), options))
            state[DECISIONS] += 1
            if code.variant.telling:
                decision.tell_taken(self, state, run, options)
            return self.bind(decider, state, frame, options[0])
        return options

    def _skip(self, end: ir.Decide, code: str, message: str) -> int:
        if end.empty is None:
            raise RuleFailure(code, message, site=end.site)
        return end.empty

    def _audit(self, decider: Decider, state: list[int], run: Run, frame: int) -> None:
        assert decider.audit is not None
        steps = run.steps
        with suppress(RuleFailure):
            decider.audit(state, run, frame)
        run.steps = steps

    def bind(self, decider: Decider, state: list[int], frame: int, choice: Choice) -> int:
        """Binds the locals of an option, and yields the block that it leads to."""
        number, values = choice
        locals_ = self.program.routines[state[frame]].locals
        for (index, at), value in zip(decider.places[number], values, strict=True):
            if type(value) is int and isinstance(locals_[index], Id | Int):
                state[frame + at] = value
            else:
                layout.write(self.program, state, frame + at, locals_[index], value)
        return decider.end.offers[number].block


def _name_of(variant: Variant) -> str:
    return "covering" if variant.covering else "telling" if variant.telling else "plain"


@contextmanager
def _as_deep_as_ever() -> Iterator[None]:
    """Code may go as deep here as at the beginning, however deep the calls around it are."""
    depth, frame, limit = 0, sys._getframe(), sys.getrecursionlimit()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(limit + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


OPERATIONS: tuple[Function, ...] = (
    *runtime.OPERATIONS,
    *(bits, signed, layout.get_set, layout.put_set, layout.get_list, layout.put_list),
    *(dice.roll, dice.roll_list, dice.pick, dice.pick_weighed, piles.move_card, piles.shuffle_pile),
    *(
        endings.test_endings,
        reach.reach,
        trial.tried,
        history.occurrences,
        history.remember,
        explain.wrong_result,
        openly.value_seen,
    ),
)


def _shared(program: Program) -> dict[str, Any]:
    """What generated code finds around it: operations, and the program's tables."""
    names: dict[str, Any] = {each.__name__: each for each in OPERATIONS}
    names |= {"Buffer": Buffer, "RuleFailure": RuleFailure}
    limits = [each.type.limit for each in program.vars if isinstance(each.type, ListOf)]
    limits += [kind.limit for each in program.routines for kind in each.locals if isinstance(kind, ListOf)]
    names["Z"] = (0,) * max(limits, default=0)
    for index, data in enumerate(program.data):
        names[f"D{index}"] = data.values.rows if isinstance(data.values, Distances) else data.values
        names[f"C{index}"] = data.clauses
    return names


def _site(routine: Routine, number: int) -> int:
    """A site of a routine, from its block of that number on; -1 where none has one."""
    blocks = [*routine.blocks[number:], *routine.blocks[:number]]
    parts = (part for block in blocks for part in (*block.body, block.end))
    return next((site for part in parts if (site := getattr(part, "site", -1)) >= 0), -1)
