"""A machine whose games are moved on in WebAssembly and told by Python: `FastMachine`.

Its games are those of `dsl.engine.game`, with all that these answer: why, why not, the log, what a player may see. Each
stretch between two decisions is run inside a module, which yields the state and the options there. Where a log is kept,
Python runs the same stretch on the same vector to tell of it; the module has found the options already, and where the
two come to different states it is an error of Scenarii.

What dictates chance, listens to it, counts clauses or shortens stretches is run by Python alone. So is a stretch for
which a module has no memory, and one in which a rule fails, since Python knows the words.
"""

from __future__ import annotations

from collections.abc import Mapping

from dsl.engine.failure import Disagreement, Unplayable
from dsl.engine.machine import Choice, Compiled
from dsl.engine.runtime import Run
from dsl.ir.program import REASON, STATUS, TOP, WINNERS, Program
from dsl.playable import Playable
from dsl.wasm.assembly import NO_ROOM
from dsl.wasm.instance import FUNCTIONS
from dsl.wasm.module import Module


class FastMachine(Playable):
    """A verified program, its code in Python and its module. Raises `Unplayable` where there can be no module."""

    engine = "wasm"
    functions: Mapping[str, str] = FUNCTIONS
    """What is called in the module."""

    def __init__(self, program: Program, *, cache: bool = True, steps: int | None = None) -> None:
        super().__init__(program, steps=steps)
        self.module = self.made(cache)
        self.instance = self.module.instance(self.functions)

    def made(self, cache: bool) -> Module:
        """Its module, from the cache if that is wanted and it is there."""
        return Module.of(self, cache=cache)

    def run(self, code: Compiled, state: list[int], run: Run) -> list[Choice] | None:
        """Runs to where somebody must choose, and yields the options; none where the game has ended."""
        if run.script is not None or run.heard is not None or run.certain or run.covering or run.steps:
            return super().run(code, state, run)
        reached = self.led(state)
        if isinstance(reached, int):
            options = super().run(code, state, run)
            if reached != -NO_ROOM:
                raise Disagreement(f"a rule fails with E{-reached:04} only in WebAssembly")
            return options
        after, choices = reached
        if code.variant.telling:
            self._retell(code, state, run, after)
        top = state[TOP]
        state[:] = after
        if choices is None:
            state[TOP] = top  # a game that has ended is told of where it stood
        return choices

    def led(self, state: list[int]) -> tuple[list[int], list[Choice] | None] | int:
        """The state and the options at the next stop after a state; or the number of the error, less than 0: `NO_ROOM`
        also where the module was stopped.
        """
        instance = self.instance
        instance.put(state)
        try:
            status = instance.calls["resume"]()
        except Unplayable:
            self.instance = self.module.instance(self.functions)
            return -NO_ROOM
        if status < 0:
            return status
        after: list[int] = instance.state[:]
        if status != 1:
            return after, None
        choice = self.module.shapes.choice
        return after, [choice(after, words) for words in instance.options()]

    def _retell(self, code: Compiled, state: list[int], run: Run, after: list[int]) -> None:
        """Runs the stretch in Python, for what is told of it. Where the module has stopped no options are listed."""
        while self.to_decision(code, state, run):
            if state == after:
                return
            found = self._decide(code, state, run, state[TOP])
            if found is None:
                break
            if not isinstance(found, int):
                raise Disagreement("the engines stop at different decisions")
            state[state[TOP] + 1] = found
        if state[STATUS] and any(state[slot] != after[slot] for slot in (STATUS, WINNERS, REASON)):
            raise Disagreement("the engines end the game in different ways")
        if after[TOP] >= 0:
            raise Disagreement("a decision is reached only in WebAssembly")
