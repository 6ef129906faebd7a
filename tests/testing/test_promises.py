"""Promises: where they are looked at, what is told of them, and that nothing else changes by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.promises import Watch
from dsl.ir.codec import decode, encode
from dsl.ir.verify.program import verify
from dsl.players.random_player import RandomPlayer
from dsl.testing import promise_games
from dsl.testing.promise_games import drawn, started, watched
from dsl.testing.promises import without_tests
from dsl.testing.runner import run_tests
from tests.testing.games import TESTS, folder, program

FEW = """
always "few stones":
    size(stones) < 2
    no s in Stone where stones[s] > 1
"""
SITUATIONS = {
    "kept": ("given: gold = 9\n    run buy(egg) by x", ""),
    "broken by what is run": (
        "given:\n        gold = 9\n        stones = {1 white}\n    run buy(egg) by x",
        'always "few stones" is broken: size(stones) < 2: it is 2, and was to be: < 2',
    ),
    "broken by a move": (
        "given: gold = 9\n    x: buy(egg)\n    o: buy(egg)",
        'always "few stones" is broken: size(stones) < 2: it is 2, and was to be: < 2',
    ),
    "let off by the situation": (
        "given:\n        gold = 9\n        stones = {2 white}\n    run buy(egg) by x",
        "",
    ),
    "for the promise that it breaks alone": (
        "given:\n        gold = 9\n        stones = {2 white}\n    run buy(egg) by x",
        'always "no chaff" is broken: not (stones has black)',
    ),
}


@pytest.mark.parametrize("what", SITUATIONS)
def test_a_test_asks_for_what_is_promised(what: str, tmp_path: Path) -> None:
    lines, wanted = SITUATIONS[what]
    more = 'always "no chaff": not (stones has black)\n' if "alone" in what else ""
    [found] = run_tests(program(tmp_path, f'{FEW}{more}test "one":\n    {lines}\n'))
    assert found.passed is not bool(wanted)
    assert wanted in found.message


def test_a_line_in_which_a_rule_fails_does_not_hold(tmp_path: Path) -> None:
    machine = Machine(program(tmp_path, 'value spare -> 0..1 = gold\nalways "spare": spare < 2\n'))
    found = watched(machine, 3)
    assert [each.broken.code for each in found.breaches if each.broken] == ["E0601"] * 3
    assert "E0601 where it is read" in found.breaches[0].why


def test_the_first_breach_of_a_game_is_told_with_its_place(tmp_path: Path) -> None:
    """A promise that some games break: seed, options and decision lead to where it does not hold, and to no earlier."""
    machine = Machine(program(tmp_path, 'always "rich": gold > 0 or round is 1\n'))
    found = watched(machine, 20)
    assert 0 < len(found.breaches) < 20
    watch = Watch(machine)
    for breach in found.breaches:
        game, options = started(machine, breach.seed)
        assert options == breach.options
        player, made = RandomPlayer(breach.seed), 0
        while not watch.broken(game.state):
            game.choose(player.index(game.count))
            made += 1
        assert breach.decision == made + 1
        assert [each.line for each in watch.broken(game.state)] == [0]


@pytest.mark.parametrize(
    "promise", ["gold > 0 or round is 1", "gold < 100", "spare < 2"], ids=["broken", "kept", "failing"]
)
def test_compiled_code_finds_what_the_reference_finds(
    promise: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promise_games, "SHORT", 7)
    lines = f'value spare -> 0..1 = gold\nalways "no chaff": size(stones) < 99\nalways "p": {promise}\n'
    machine = Machine(program(tmp_path, lines))
    for but in (frozenset[int](), frozenset({1})):
        assert watched(machine, 20, but=but) == watched(machine, 20, but=but, compiled=False)


def test_every_second_game_has_options_by_chance(tmp_path: Path) -> None:
    made = program(tmp_path, "")
    assert all(drawn(made, seed) == {} for seed in range(0, 10, 2))
    assert {drawn(made, seed)["thrift"] for seed in range(1, 20, 2)} == {0, 1}


def test_a_promise_changes_no_game(tmp_path: Path) -> None:
    plain = compile_game(folder(tmp_path / "plain", TESTS)).program
    promised = compile_game(folder(tmp_path / "promised", TESTS + FEW)).program
    assert plain is not None
    assert promised is not None
    assert promised.promises == ()
    assert Machine(plain).hash == Machine(promised).hash


def test_a_program_is_left_by_its_tests(tmp_path: Path) -> None:
    """Without them it is whole, keeps its promises through the codec, and plays the same games."""
    whole = program(tmp_path, TESTS + FEW)
    bare = without_tests(whole)
    assert list(verify(bare)) == []
    assert decode(encode(bare), Diagnostics()) == bare
    assert bare.promises == whole.promises
    for seed in range(5):
        games = [Game.start(Machine(each), seed=seed) for each in (whole, bare)]
        player = RandomPlayer(seed)
        while games[0].count:
            number = player.index(games[0].count)
            for game in games:
                game.choose(number)
        assert games[0].state == games[1].state
