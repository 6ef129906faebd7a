"""What is hostile or broken: rules that fail, snapshots, endless rules, many options, and files in the cache."""

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import wasmtime

from dsl.cache import Cache
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Int, ListOf, SetOf
from dsl.wasm.game import Game
from dsl.wasm.module import Module, binary, new_engine
from dsl.wasm.store import compiled, key_of, sealed, unsealed
from tests.engine.games import tic_tac_toe
from tests.ir.builders import HEAP, PLAYERS, member, num, numbers, small, truth, with_main, world
from tests.wasm.agree import agreed


def running(*body: ir.Stmt) -> Machine:
    """A game whose first choice runs some statements."""
    made = world()
    made.var("heap", Int(0, 20), num(7))
    offer = ir.Offer("pass", (), None, None, (), made.text("go"), (), 1)
    ask = ir.Decide(member(PLAYERS, 0), (offer,), None, (), False, None, 0)
    return Machine(with_main(made, ir.Block((), ask), ir.Block(body, ir.Jump(0)), locals_=(Int(0, 20),)))


def failing(*body: ir.Stmt) -> Game:
    """Such a game, begun."""
    return Game.start(Module.of(running(*body), cache=False))


FOREVER = ir.Loop(num(1_000_000), truth(), (ir.Loop(num(1_000_000), truth(), (), 0),), 0)


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("E0601", ir.Change(HEAP, None, None, num(30), False, False, 0)),
        ("E0603", ir.Batch((ir.Store(0, None, None, num(1), 0), ir.Store(0, None, None, num(2), 0)), 0)),
        ("E0605", ir.Pick(0, ir.Const(SetOf(Int(0, 20)), 0), 0)),
        ("E0608", FOREVER),
        ("E0610", ir.Fail("E0610", 0)),
    ],
)
def test_a_rule_that_fails_says_what_the_python_engine_says(code: str, body: ir.Stmt) -> None:
    game = failing(ir.Store(0, None, None, num(3), 0), body)
    before = game.state
    with pytest.raises(RuleFailure) as caught:
        game.choose(0)
    assert caught.value.code == code
    assert game.state == before
    assert game.count == 1
    with pytest.raises(RuleFailure):
        game.choose(0)


NOTHING_THERE = ir.Op(Int(0, 9), "some", (ir.Const(Int(0, 9, optional=True), NONE),))
"""Fails with E0604."""
TOO_MUCH = ir.Op(Int(2, 9), "narrow", (ir.Load(Int(0, 20), HEAP, None),))
"""Fails with E0601, where the heap is 20."""
NUMBERS = ListOf(Int(0, 9), 3)


def appended(items: ir.Expr, element: ir.Expr) -> ir.Expr:
    return ir.Op(NUMBERS, "append", (items, element))


def up_to(low: int, last: ir.Expr) -> ir.Expr:
    return ir.Op(SetOf(Int(low, 9)), "between", (num(low), last))


@pytest.mark.parametrize(
    "value",
    [
        ir.Op(Int(0, 3), "length", (appended(appended(ir.Const(NUMBERS, ()), NOTHING_THERE), TOO_MUCH),)),
        ir.Op(
            Int(0, 9),
            "size",
            (ir.Op(SetOf(Int(0, 9)), "union", (up_to(0, NOTHING_THERE), up_to(2, TOO_MUCH))),),
        ),
        ir.Op(TRUTH, "subset", (up_to(0, NOTHING_THERE), up_to(2, TOO_MUCH))),
    ],
    ids=["append", "union", "subset"],
)
def test_of_two_faults_the_first_from_the_left_is_met(value: ir.Expr) -> None:
    asked = ir.If(ir.Op(TRUTH, "eq", (value, num(0))), (), ())
    game = running(ir.Store(HEAP, None, None, num(20), 0), asked)
    tally = agreed(game, range(1), cache=False)
    assert not tally.differences
    assert tally.failures == 1


def test_games_by_chance_that_fail_are_counted_with_their_seeds() -> None:
    game = failing(ir.Fail("E0611", 0))
    found = game.module.playouts(3, seed=40)
    assert found.failures == [(40, 611), (41, 611), (42, 611)]


def test_nearly_a_hundred_thousand_options() -> None:
    made = world()
    numbers_ = [ir.OfferVar(index, numbers(0, 299), None) for index in range(2)]
    bound = tuple(ir.Local(Int(0, 299), index) for index in range(2))
    offer = ir.Offer("take", tuple(numbers_), None, None, bound[:1], made.text("{0}"), bound[:1], 1)
    ask = ir.Decide(member(PLAYERS, 0), (offer,), None, (), False, None, 0)
    program = with_main(
        made, ir.Block((), ask), ir.Block((), ir.Return()), locals_=(Int(0, 299), Int(0, 299))
    )
    game = Game.start(Module.of(Machine(program), cache=False))
    assert game.count == 90_000
    assert game.options[299] == (0, (0, 299))
    game.choose(89_999)
    assert not game.count


def test_hostile_snapshots_are_refused_or_played_and_never_crash() -> None:
    module, dice = Module.of(Machine(small()), cache=False), random.Random(1)
    good = Game.start(module, seed=1).snapshot()
    played = 0
    for _ in range(300):
        data = bytearray(good)
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        game = Game.restore(module, bytes(data))
        if isinstance(game, Game):
            played += 1
            with suppress(RuleFailure):
                game.playout(1)
    assert 0 < played < 300
    assert not isinstance(Game.restore(module, good[:-1]), Game)


def test_what_is_beyond_this_engine_is_refused_with_a_reason() -> None:
    made = world()
    huge = Int(2**40, 2**40 + 5)
    made.var("heap", Int(0, 20), ir.Op(Int(0, 6), "size", (ir.Const(SetOf(huge), 5),)))
    with pytest.raises(Unplayable, match="beyond 32 bits"):
        binary(with_main(made, ir.Block((), ir.Return())))


# ---------------------------------------------------------------- the cache


def cached(folder: Path) -> Module:
    machine = Machine(tic_tac_toe())
    engine, cache = new_engine(), Cache.open({"SCENARII_CACHE": str(folder)})
    assert cache is not None
    code = compiled(engine, machine.hash, cache, lambda: binary(machine.program))
    return Module(machine.program, machine, code, engine)


def entry(folder: Path) -> Path:
    (found,) = folder.glob("*.module")
    return found


def test_a_module_comes_from_the_cache_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cached(tmp_path).playouts(5, seed=1)
    monkeypatch.setattr("dsl.wasm.module.binary", lambda _: pytest.fail("translated again"))
    monkeypatch.setattr(f"{__name__}.binary", lambda _: pytest.fail("translated again"))
    assert cached(tmp_path).playouts(5, seed=1).ends == first.ends


@pytest.mark.parametrize("damage", ("short", "bit", "key", "foreign", "empty"))
def test_an_entry_that_is_not_whole_is_never_run(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(tmp_path)
    path = entry(tmp_path)
    data = path.read_bytes()
    wrong = {
        "short": data[:-100],
        "bit": data[:-7] + bytes([data[-7] ^ 1]) + data[-6:],
        "key": sealed(key_of("another program"), data[72:]),
        "foreign": b"\x7fELF" + data[4:],
        "empty": b"",
    }[damage]
    path.write_bytes(wrong)
    run = []
    original = wasmtime.Module.deserialize
    monkeypatch.setattr(wasmtime.Module, "deserialize", lambda *args: run.append(args) or original(*args))
    assert cached(tmp_path).playouts(3, seed=1).games == 3
    assert not run
    assert path.read_bytes() == data


@pytest.mark.parametrize("code", (b"", b"code", b"\x7fELF" + bytes(200), b"\0asm\1\0\0\0"))
def test_an_entry_with_its_seal_and_no_code_is_made_again(code: bytes, tmp_path: Path) -> None:
    """As of a version of wasmtime that says the same of itself and is another."""
    cached(tmp_path)
    path = entry(tmp_path)
    good = path.read_bytes()
    path.write_bytes(sealed(good[8:40], code))
    assert cached(tmp_path).playouts(3, seed=1).games == 3
    assert path.read_bytes() == good


def test_an_entry_that_is_too_large_or_no_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(tmp_path)
    path = entry(tmp_path)
    monkeypatch.setattr("dsl.cache.MOST_BYTES", path.stat().st_size - 1)
    assert cached(tmp_path).playouts(3, seed=1).games == 3
    monkeypatch.undo()
    path.unlink()
    path.mkdir()
    assert cached(tmp_path).playouts(3, seed=1).games == 3
    assert path.is_dir()


def test_an_entry_that_others_could_have_written_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached(tmp_path)
    entry(tmp_path).chmod(0o666)
    monkeypatch.setattr(wasmtime.Module, "deserialize", lambda *_: pytest.fail("a foreign file was run"))
    assert cached(tmp_path).playouts(3, seed=1).games == 3


def test_the_seal_is_of_the_whole_code() -> None:
    key = key_of("some program")
    data = sealed(key, b"code")
    assert unsealed(key, data) == b"code"
    assert unsealed(key_of("some other program"), data) is None
    assert unsealed(key, data + b"x") is None
    assert unsealed(key, data[:-1]) is None


def test_what_plays_otherwise_has_another_name() -> None:
    program = small()
    other = replace(program, decisions=program.decisions - 1)
    assert key_of(Machine(program).hash) != key_of(Machine(other).hash)
