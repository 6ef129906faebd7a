"""`--engine`: the same from both, and what is said where the fast one cannot be had."""

import json
import sys

import pytest

from dsl.engine.failure import Unplayable
from tests.cli.conftest import DUEL, Run

SEEDED = ("--seed", "5")


@pytest.mark.parametrize(
    "command", [("play", DUEL, "--auto", *SEEDED), ("simulate", DUEL, "--games", "30", "--format", "csv")]
)
def test_both_engines_tell_the_same(run: Run, command: tuple[str, ...]) -> None:
    fast, slow = (run(*command, "--engine", engine) for engine in ("wasm", "python"))
    assert fast.stdout == slow.stdout
    assert not fast.stderr


def test_a_record_of_one_engine_is_played_again_and_gone_on_with_by_the_other(run: Run) -> None:
    for made, other in (("wasm", "python"), ("python", "wasm")):
        told = run("play", DUEL, "--auto", *SEEDED, "--record", f"{made}.json", "--engine", made).stdout
        again = run("replay", f"{made}.json", "--engine", other).stdout
        assert told.startswith(again.rstrip("\n"))
        run("replay", f"{made}.json", "--until", "5", "-o", f"{made}-5.json", "--engine", made)
        on = run("play", "--load", f"{made}-5.json", "--verify", "--auto", "--engine", other).stdout
        assert (
            on.splitlines()[-1] == run("play", "--load", f"{made}-5.json", "--auto").stdout.splitlines()[-1]
        )
    assert run("replay", "wasm.json", "--against", DUEL, "--engine", "wasm").stdout.startswith(
        "the rules are the same"
    )


def test_games_behind_the_first_hundred_are_played_alike(run: Run) -> None:
    fast, slow = (
        json.loads(run("check", DUEL, "--play", "130", "--format", "json", "--engine", engine).stdout)[
            "play"
        ][0]
        for engine in ("wasm", "python")
    )
    assert (fast.pop("covered"), slow.pop("covered")) == (100, 130)
    rules = [[each for each in found.pop("findings") if each["kind"] != "rule"] for found in (fast, slow)]
    assert fast == slow
    assert rules[0] == rules[1]
    told = run("check", DUEL, "--play", "130").stdout
    assert "what took effect: counted in the first 100 games" in told


@pytest.mark.parametrize(
    ("command", "made"),
    [
        (("play", DUEL, "--auto"), False),
        (("play", DUEL, "--players", "random"), True),
        (("replay", "game.json"), False),
        (("check", DUEL, "--play", "2"), False),
        (("check", DUEL, "--play", "102"), True),
        (("simulate", DUEL, "--games", "2"), True),
    ],
    ids=lambda each: " ".join(each[:1]) if isinstance(each, tuple) else None,
)
def test_what_plays_where_nothing_is_said_is_what_the_help_says(
    run: Run, command: tuple[str, ...], made: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", DUEL, "--auto", *SEEDED, "--record", "game.json", "--engine", "python")
    from dsl.wasm.module import Module

    asked, of = [], Module.of
    monkeypatch.setattr(Module, "of", lambda *given, **more: asked.append(given) or of(*given, **more))
    run(*command)
    assert bool(asked) == made
    told = {
        "play": "wasm; with --auto python",
        "replay": "python; with --play wasm",
        "check": "python for the first 100 games, wasm for more",
        "simulate": "wasm",
    }
    assert f"[default: {told[command[0]]}]" in " ".join(run(command[0], "--help").stdout.split())


COMMANDS = [
    ("play", DUEL, "--players", "random", *SEEDED),
    ("simulate", DUEL, "--games", "5", "--format", "csv"),
    ("check", DUEL, "--play", "101"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_what_cannot_be_compiled_so_is_played_by_python(
    run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise Unplayable("sets of numbers beyond 32 bits")

    monkeypatch.setattr("dsl.wasm.module.Module.of", never)
    told = run(*command)
    assert told.stderr == "played by the Python engine: sets of numbers beyond 32 bits\n"
    assert told.stdout == run(*command, "--engine", "python").stdout
    asked = run(*command, "--engine", "wasm")
    assert (asked.stdout, asked.stderr) == (told.stdout, told.stderr)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_a_machine_without_wasmtime_plays_in_python(
    run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    told = run(*command)
    assert told.stderr.startswith("played by the Python engine: wasmtime cannot be loaded: ")
    assert told.stdout


def test_tests_run_on_both_engines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("test", DUEL, "-v")
    assert told.stdout == run("test", DUEL, "-v", "--engine", "wasm").stdout
    from dsl.wasm.instance import Instance

    put = Instance.put

    def otherwise(instance: Instance, state: list[int]) -> None:
        put(instance, [0 if each == 3 else each for each in state])

    monkeypatch.setattr(Instance, "put", otherwise)
    failed = run("test", DUEL, "--engine", "wasm", code=1).stdout
    assert "a fault of Scenarii: the engines answer True and 0" in failed
    run("test", DUEL, "--engine", "python")
    run("test", "--mutate", DUEL, "--engine", "wasm", code=2)
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    assert (
        "not with --engine wasm: wasmtime cannot be" in run("test", DUEL, "--engine", "wasm", code=1).stderr
    )
