"""The tests of a program on both engines: `TestedMachine`.

Python runs each stretch of a test first, with the chance that the test dictates, and notes what the generator would
have had to draw for it. The module then runs the same stretch from the same state with these draws: it must come to
the same state, the same options, or the same error. What a test expects, and whether an action is allowed, is asked
of both.

So the module of a tested machine has more in it than that which plays: draws come from a list, and there is a function
for each condition that a test expects and for each action that it says is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.engine import endings
from dsl.engine.failure import Disagreement, RuleFailure, Unplayable
from dsl.engine.machine import Choice, Compiled, Function, Machine
from dsl.engine.runtime import Run
from dsl.ir import nodes as ir
from dsl.ir.program import STATUS, TOP, Program, Routine, TestStep
from dsl.ir.types import TRUTH
from dsl.ir.walk import inside, locals_in
from dsl.wasm.assembly import Assembly
from dsl.wasm.instance import FUNCTIONS
from dsl.wasm.machine import FastMachine
from dsl.wasm.module import Module, assembled

MOST_DRAWN = 4096
"""Draws of one stretch that a module takes from a list."""
NO_DRAW = 693
"""The fault of a module that draws more than the list has."""
NO_ANSWER = 694
"""The fault of a question that cannot be translated."""
SUPPORT = Path(__file__).with_name("tested.wat")


def judgement(step: TestStep) -> ir.Expr:
    """Is the action of a line of a test allowed?"""
    assert step.action is not None
    return ir.Judge(TRUTH, step.action, step.args)


def questions(program: Program) -> list[ir.Expr]:
    """What the tests of a program ask of a state, each once."""
    steps = [step for test in program.tests for step in test.steps]
    expected = [step.args[0] for step in steps if step.kind == "expect"]
    asked = [*expected, *(judgement(step) for step in steps if step.kind == "illegal")]
    return list(dict.fromkeys(each for each in asked if not _names(each)))


def _names(question: ir.Expr) -> bool:
    """Does a question read what its test has named, and no module knows?"""
    within = {each.index for each in inside(question) if isinstance(each, ir.Fold | ir.LetIn)}
    return bool(locals_in(question) - within)


class TestedAssembly(Assembly):
    """Translates a program with the questions of its tests. One that cannot be translated has no answer."""

    __test__ = False

    def _whole(self, initial: str) -> str:
        for number, question in enumerate(questions(self.program)):
            name = f"$answer{number}"
            self.begin_function((), 0)
            try:
                code = self.expr(question)
            except Unplayable:
                code = f"(call $fail (i32.const {NO_ANSWER})) (unreachable)"
            self.end_function(name, [], ("i32",), [code])
            self.answers.append(name)
        at = self.memory.site(8 + 4 * MOST_DRAWN)
        text = super()._whole(initial).replace("(func $below ", "(func $below_by_chance ", 1)
        support = SUPPORT.read_text(encoding="utf-8")
        first = len(self.program.routines) + self.goals
        for key, value in {"list": at, "first": first, "no_draw": NO_DRAW}.items():
            support = support.replace(f"{{{key}}}", str(value))
        return text.rstrip().removesuffix(")") + support + ")\n"


class TestedMachine(FastMachine):
    """A machine that runs tests on both engines. Raises `Disagreement` where they do not come to the same."""

    __test__ = False
    functions: Mapping[str, str] = {**FUNCTIONS, "list": "", "answer": "i"}

    def __init__(self, program: Program, *, cache: bool = True, steps: int | None = None) -> None:
        super().__init__(program, cache=cache, steps=steps)
        self._questions = {each: number for number, each in enumerate(questions(program))}

    def made(self, cache: bool) -> Module:
        more = hashlib.sha256(repr(questions(self.program)).encode()).hexdigest()
        name = f"{self.hash} tested {more}"
        return Module.translated(
            self, name, lambda: assembled(TestedAssembly(self.program, self.passes)), cache=cache
        )

    def run(self, code: Compiled, state: list[int], run: Run) -> list[Choice] | None:
        """Runs a stretch in Python, and compares it with what the module makes of it."""
        # only what is dictated can be drawn in the module, which takes lone options inside
        if run.script is None or run.certain or run.steps or run.asking:
            return Machine.run(self, code, state, run)
        before, drawn = list(state), len(run.script.drawn)
        try:
            options = Machine.run(self, code, state, run)
        except RuleFailure as failure:
            found = self._again(before, run.script.drawn[drawn:])
            if found != -int(failure.code[1:]):
                raise Disagreement(f"{failure.code}, and only in Python") from failure
            raise
        found = self._again(before, run.script.drawn[drawn:])
        if isinstance(found, int):
            raise Disagreement(f"a rule fails with E{-found:04} only in WebAssembly")
        self._compare(found, self._closed(before, state) if options is None else state, options)
        return options

    def _again(self, state: list[int], draws: list[int]) -> tuple[list[int], list[Choice] | None] | int:
        """The same stretch in the module."""
        if len(draws) > MOST_DRAWN:
            raise Unplayable(tr("more than {most_drawn} draws between two decisions", most_drawn=MOST_DRAWN))
        address = self.instance.calls["list"]()
        self.instance.write(address, [len(draws), 0, *draws])
        found = self.led(state)
        used = int.from_bytes(self.instance.bytes_at(address + 4, 4), "little")
        if used != len(draws) and not isinstance(found, int):
            raise Disagreement(f"{used} draws where Python takes {len(draws)}")
        return found

    def _closed(self, before: list[int], state: list[int]) -> list[int]:
        """A state as the game leaves it where nobody is asked any more."""
        program, closed = self.program, list(state)
        if before[program.frames] == program.main and not closed[STATUS]:
            endings.end_at_bound(closed, Run(self))
        if closed[STATUS]:
            closed[TOP] = -1
            closed[program.frames :] = [0] * (program.size - program.frames)
        return closed

    def _compare(
        self,
        found: tuple[list[int], list[Choice] | None],
        state: list[int],
        options: list[Choice] | None,
    ) -> None:
        after, choices = found
        if after != state:
            differing = [slot for slot, (one, two) in enumerate(zip(state, after, strict=True)) if one != two]
            raise Disagreement(f"the engines come to different states (slots {differing[:5]})")
        if choices != options:
            raise Disagreement("the engines list different options")

    def function(
        self,
        key: Any,
        exprs: tuple[ir.Expr, ...],
        params: tuple[int, ...] = (),
        frame: Routine | None = None,
    ) -> Function:
        """As ever; what a test asks is asked of the module too."""
        plain = super().function(key, exprs, params, frame)
        number = self._questions.get(exprs[0]) if len(exprs) == 1 and not params and frame is None else None
        return plain if number is None else partial(self._asked, plain, number)

    def _asked(self, plain: Function, number: int, state: list[int], run: Run, frame: int) -> Any:
        self.instance.put(state)
        answer = self.instance.calls["answer"](number)
        try:
            found = plain(state, run, frame)
        except RuleFailure as failure:
            if answer not in {-int(failure.code[1:]), -NO_ANSWER}:
                raise Disagreement(f"{failure.code}, and {answer} in WebAssembly") from failure
            raise
        if answer not in {int(found[0]), -NO_ANSWER}:
            raise Disagreement(f"the engines answer {found[0]} and {answer}")
        return found
