"""Programs and files from strangers: each engine says the same of them, and the game stays at its last decision."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.diagnostics import Diagnostic
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.codec import encode
from dsl.ir.program import Program
from dsl.ir.types import Int, ListOf, SetOf
from dsl.ir.verify.program import verify
from dsl.wasm.assembly import NO_ROOM
from dsl.wasm.game import Game as Inside
from dsl.wasm.machine import FastMachine
from dsl.wasm.module import Module
from tests.engine.games import tic_tac_toe
from tests.ir.builders import HEAP, PLAYERS, member, num, numbers, small, truth, with_main, world

ENGINES = ("python", "inside", "fast")
engines = pytest.mark.parametrize("engine", ENGINES)
Played = Game | Inside


def module(program: Program) -> Module:
    return Module.of(program, cache=False)


def start(engine: str, program: Program) -> Played:
    if engine == "inside":
        return Inside.start(module(program), seed=1)
    machine = FastMachine(program, cache=False) if engine == "fast" else Machine(program)
    return Game.start(machine, seed=1)


def restored(engine: str, program: Program, data: bytes) -> Played | list[Diagnostic]:
    if engine == "inside":
        return Inside.restore(module(program), data)
    machine = FastMachine(program, cache=False) if engine == "fast" else Machine(program)
    return Game.restore(machine, data)


def asking(variables: int, most: int, *after: ir.Stmt, first: tuple[ir.Stmt, ...] = ()) -> Program:
    """Asks for so many numbers at once, after a first choice between one thing alone; then runs some statements."""
    made = world()
    made.var("heap", Int(0, 20), num(7))
    made.var("many", ListOf(Int(0, 9), 3), ir.Const(ListOf(Int(0, 9), 3), ()))
    bound = tuple(ir.Local(Int(0, most), index) for index in range(variables))
    wide = tuple(ir.OfferVar(index, numbers(0, most), None) for index in range(variables))
    begin = ir.Offer("pass", (), None, None, (), made.text("go"), (), 1)
    offer = ir.Offer("take", wide, None, None, bound[:1], made.text("{0}"), bound[:1], 2)
    ask = ir.Decide(member(PLAYERS, 0), (begin,), None, (), False, None, 0)
    choose = ir.Decide(member(PLAYERS, 0), (offer,), None, (), False, None, 0)
    program = with_main(
        made,
        ir.Block((), ask),
        ir.Block(first, choose if variables else ir.Jump(2)),
        ir.Block(after, ir.Jump(0)),
        locals_=(Int(0, max(most, 20)),) * max(variables, 1),
    )
    assert not list(verify(program))
    return program


FOREVER = ir.Loop(num(1_000_000), truth(), (ir.Loop(num(1_000_000), truth(), (), 0),), 0)
FULL = ir.Const(ListOf(Int(0, 9), 3), (1, 2, 3))
FAULTS: dict[str, tuple[str, tuple[ir.Stmt, ...]]] = {
    "loops": ("E0608", (FOREVER,)),
    "stores above its range": ("E0601", (ir.Change(HEAP, None, None, num(14), False, False, 0),)),
    "stores below its range": ("E0601", (ir.Change(HEAP, None, None, num(8), False, True, 0),)),
    "chooses from nothing": ("E0605", (ir.Pick(0, ir.Const(SetOf(Int(0, 20)), 0), 0),)),
}


@engines
@pytest.mark.parametrize("fault", FAULTS)
def test_a_rule_fails_and_the_game_is_where_it_was(engine: str, fault: str) -> None:
    code, body = FAULTS[fault]
    game = start(engine, asking(0, 20, ir.Store(HEAP, None, None, num(7), 0), *body))
    before = game.state
    for _ in range(2):
        with pytest.raises(RuleFailure) as caught:
            game.choose(0)
        assert caught.value.code == code
        assert caught.value.message
        assert game.state == before
        assert game.count == 1
    assert game.choices == ()


@engines
def test_a_setup_without_end_is_no_game(engine: str) -> None:
    made = world()
    made.var("heap", Int(0, 20), num(7))
    with pytest.raises(RuleFailure) as caught:
        start(engine, with_main(made, ir.Block((FOREVER,), ir.Return())))
    assert caught.value.code == "E0608"


@engines
def test_nearly_a_hundred_thousand_options(engine: str) -> None:
    game = start(engine, asking(2, 299))
    game.choose(0)
    assert game.count == 90_000
    game.choose((0, (299, 298)))
    assert game.count == 1
    assert game.choices == ((0, ()), (0, (299, 298)))
    game.undo()
    assert game.count == 90_000
    game.choose((0, (1, 2)))
    assert game.choices == ((0, ()), (0, (1, 2)))


@engines
def test_more_options_than_anybody_can_look_at(engine: str) -> None:
    """A hundred million: refused before they take room."""
    game = start(engine, asking(4, 99))
    before, used = game.state, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RuleFailure) as caught:
        game.choose(0)
    assert caught.value.code == "E0612"
    assert game.state == before and game.count == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used < 1_000_000  # kilobytes


def test_a_module_without_memory_for_all_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module alone says so; where Python is at hand, it goes on there."""
    monkeypatch.setattr("dsl.wasm.assembly.MOST_BYTES", 1024 * 1024)
    program = asking(2, 299)
    alone = start("inside", program)
    before = alone.state
    with pytest.raises(Unplayable, match="no memory for all options"):
        alone.choose(0)
    assert alone.state == before and alone.count == 1
    fast = start("fast", program)
    assert isinstance(fast, Game) and isinstance(fast.machine, FastMachine)
    state = list(fast.state)
    state[state[8] + 1] = 1
    assert fast.machine.led(state) == -NO_ROOM
    fast.choose(0)
    assert fast.count == 90_000


@engines
def test_snapshots_that_are_none(engine: str) -> None:
    program = small()
    data = start(engine, program).snapshot()
    spoilt = {
        "empty": b"",
        "truncated": data[:-3],
        "longer": data + b"\0\0\0\0",
        "foreign": b"PK\x03\x04" + data[4:],
    }
    for name, each in spoilt.items():
        found = restored(engine, program, each)
        assert isinstance(found, list), name
        assert [one.code.id for one in found] == ["E0503"], name
    other = restored(engine, tic_tac_toe(), data)
    assert isinstance(other, list)
    assert [one.code.id for one in other] == ["E0504"]


@engines
def test_options_that_a_game_does_not_have(engine: str) -> None:
    begun: Callable[[], object] = {
        "inside": lambda: Inside.start(module(small()), options={"fog": "on"}),
        "fast": lambda: Game.start(FastMachine(small(), cache=False), options={"fog": "on"}),
        "python": lambda: Game.start(Machine(small()), options={"fog": "on"}),
    }[engine]
    with pytest.raises(StartError, match="no option `fog`"):
        begun()


# ---------------------------------------------------------------- files, by the commands


def spoilt_programs() -> dict[str, bytes]:
    data = encode(small())
    document = json.loads(data)
    return {
        "empty": b"",
        "truncated": data[: len(data) // 2],
        "foreign": b'{"hello": "world"}',
        "a module": b"\0asm\1\0\0\0",
        "nested": b"[" * 100_000,
        "of a later version": data.replace(b'"version":2', b'"version":99'),
        "with a state too large": json.dumps({**document, "size": 10**9}).encode(),
    }


@pytest.mark.parametrize("name", spoilt_programs())
@pytest.mark.parametrize(
    "command",
    [("play", "--auto", "--seed", "1"), ("simulate", "--games", "2"), ("test",), ("check", "--play", "101")],
    ids=lambda each: each[0],
)
def test_programs_that_are_none(
    name: str, command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENARII_CACHE", "off")
    path = tmp_path / "spoilt.ir.json"
    path.write_bytes(spoilt_programs()[name])
    told = []
    for engine in ("wasm", "python"):
        found = CliRunner().invoke(cli, [command[0], str(path), *command[1:], "--engine", engine])
        assert found.exit_code == 1, found.output
        told.append(found.output)
    assert told[0] == told[1]
    assert "error[E050" in told[0]
    assert "Traceback" not in told[0]
