"""Actions that are attempted in the module end, for each way that chance can take, where Python does."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import wasmtime

from dsl.engine import chance
from dsl.engine.decision import Option
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.layout import words
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.odds.forecast import Falls, done
from dsl.players.random_player import RandomPlayer
from dsl.wasm.attempts import MOST_QUESTIONS
from dsl.wasm.instance import Instance
from dsl.wasm.module import new_engine
from dsl.wasm.telling import TELLING, Telling, telling

GAME = Path(__file__).resolve().parent.parent / "browser" / "games" / "foreseen.scn"
MOST = 60
"""Ways of each option that are gone."""


def test_attempts_end_where_python_does() -> None:
    machine = load(GAME)
    made = telling(machine)
    running = new_engine()
    module = wasmtime.Module(running, made.code)
    instance = Instance(running, module, machine.program, TELLING, machine.budget)
    game = Game.start(machine, seed=2)
    player = RandomPlayer(2)
    ways, failed = 0, 0
    for _ in range(8):
        assert game.decision is not None
        for option in game.decision.options:
            if option.declared.action is None:
                continue
            for after, answers in islice(_ways(machine, list(game.state), option), MOST):
                code, state = _attempted(instance, made, machine, list(game.state), option, answers)
                assert (code == 0) == (after is not None), option.label()
                assert after is None or state[4:] == after[4:], option.label()
                ways += 1
                failed += after is None
        game.choose(player.index(game.count))
    assert ways > 400 and failed


def _ways(machine: Machine, state: list[int], option: Option) -> Iterator[tuple[list[int] | None, list[int]]]:
    """The state behind each way of an option (none: a rule fails), with the answers of chance."""
    falls = Falls(0)
    after: list[int] | None
    while True:
        try:
            after = done(machine, state, option, falls)
        except RuleFailure:
            after = None
        yield after, list(falls.answers)
        if not falls.next():
            return


def _attempted(
    instance: Instance, made: Telling, machine: Machine, state: list[int], option: Option, answers: list[int]
) -> tuple[int, list[int]]:
    number = option.declared.action
    assert number is not None
    chance.seed(state, 0)
    instance.write(0, state)
    params = machine.program.actions[number].params
    for kind, value, at in zip(params, option.args, made.places[number], strict=True):
        instance.write(made.arguments + at, words(machine.program, kind, value))
    instance.write(made.questions, [len(answers), 0, *answers])
    code = instance.calls["attempt"](number)
    asked = struct.unpack("<i", instance.bytes_at(made.questions + 4, 4))[0]
    assert code or asked == len(answers) <= MOST_QUESTIONS
    return code, list(instance.state)
