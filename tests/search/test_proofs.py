"""Wins and losses that a search proves, against all ways to play on; and where nothing may be proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.search.searcher import EAGER, Searcher
from dsl.search.thinker import Thinker

ROOT = Path(__file__).parents[2]
TURNS = """
game turns:
    players {players}
    rounds 2

state of Player:
    gold: 0..9

value worth(p: Player) -> 0..9 = p.gold

action pay by p: p.gold loses 1
action keep by p: nothing
action earn by p: p.gold gains {earned}

setup:
    for p in Player: p.gold = 1

round:
    for p in order of play:
        p chooses:
            pay
            keep
        if p.gold is 0:
            p chooses: earn
            p chooses:
                keep
                pay

victory p when round is 2 and p.gold > 3
"""


def written(tmp_path: Path, source: str) -> Machine:
    path = tmp_path / "game.scn"
    path.write_text(source, encoding="utf-8")
    return load(str(path))


def exact(game: Game, known: dict[tuple[int, ...], float]) -> float:
    """What whoever is asked gets from best play: 1, 0.5 or 0; of two players who take turns."""
    state = game.state
    if state not in known:
        found = []
        for number in range(game.count):
            found.append(1 - value_behind(game, number, known))
        known[state] = max(found)
    return known[state]


def value_behind(game: Game, number: int, known: dict[tuple[int, ...], float]) -> float:
    """What the opponent of whoever is asked gets if he takes this option."""
    player = game.player
    game.choose(number)
    if game.outcome is not None:
        found = 0.5 if len(game.outcome.players) != 1 else float(game.outcome.players[0] != player)
    else:
        found = exact(game, known)
    game.undo()
    return found


def test_proves_only_what_is_so() -> None:
    """Tic-tac-toe after three moves: each option of which an end is proven has that value, and wins are found."""
    machine = load(str(ROOT / "examples" / "classics" / "tic_tac_toe"))
    searcher, known, proven, missed = Searcher(machine), dict[tuple[int, ...], float](), 0, 0
    for seed in range(25):
        game, chance = Game.start(machine, seed=seed), RandomPlayer(seed)
        for _ in range(3):
            game.choose(chance.index(game.count))
        found = searcher.think(game.state, playouts=4_000, seed=seed)
        for each in found.options:
            value = 1 - value_behind(game, each.number, known)
            if each.proven:
                proven += 1
                assert each.expectation == value
            else:
                missed += value != 0.5
        assert 1 - value_behind(game, found.best.number, known) == exact(game, known)
    assert proven > 40
    assert missed * 10 < proven


def test_a_win_that_is_proven_is_taken_at_once() -> None:
    """A fourth disc wins; asked for advice, the search goes on to say what the other options are worth."""
    machine = load(str(ROOT / "examples" / "classics" / "connect_four"))
    searcher, game = Searcher(machine), Game.start(machine)
    for column in (4, 1, 4, 1, 4, 1):
        game.choose(f"Column {column}")
    assert game.decision is not None
    found = searcher.think(game.state, playouts=5_000, settled=True)
    assert found.playouts < 10
    assert found.best.proven
    assert game.decision.options[found.best.number].label() == "Column 4"
    assert sum(each.visits for each in found.options) == found.playouts - 1
    advice = searcher.think(game.state, playouts=500)
    assert advice.playouts == 500
    assert advice.best.number == found.best.number
    assert {each.expectation == 0 for each in advice.options if each.proven} == {True, False}


def test_what_loses_for_certain_is_not_taken() -> None:
    """Three discs of the opponent stand in a column: all options but one lose, and are proven to."""
    machine = load(str(ROOT / "examples" / "classics" / "connect_four"))
    game = Game.start(machine)
    for column in (4, 1, 4, 1, 4):
        game.choose(f"Column {column}")
    found = Searcher(machine).think(game.state, playouts=800)
    lost = [each for each in found.options if each.proven]
    assert len(lost) == 6
    assert {each.expectation for each in lost} == {0.0}
    assert found.ranked[0] == found.best not in lost


@pytest.mark.parametrize("players", ["red, blue", "red, blue, green"])
@pytest.mark.parametrize("earned", ["5", "roll 1d5"])
def test_proves_nothing_by_chance_or_among_three(tmp_path: Path, players: str, earned: str) -> None:
    """Who pays one earns five, and has won: unless a die says how much, or a third player is there."""
    machine = written(tmp_path, TURNS.format(players=players, earned=earned))
    game = Game.start(machine)
    found = Searcher(machine).think(game.state, playouts=2_000, eager=EAGER)
    assert any(each.proven for each in found.options) == (players == "red, blue" and earned == "5")
    assert found.best.number == 0


def test_proves_nothing_where_something_is_hidden() -> None:
    machine = load(str(ROOT / "examples" / "kuhn_poker"))
    for seed in range(6):
        found = Searcher(machine).think(Game.start(machine, seed=seed).state, playouts=500)
        assert not any(each.proven for each in found.options)


def test_greedy_looks_to_the_end_of_its_own_turn(tmp_path: Path) -> None:
    """The first choice costs what the next ones of the same player bring back."""
    machine = written(tmp_path, TURNS.format(players="red, blue", earned="2"))
    game = Game.start(machine)
    thinker = Thinker(machine)
    chosen = []
    while game.player == 0:
        number = thinker.choice("greedy", game.state, seed=1, made=len(chosen))
        assert game.decision is not None
        chosen.append(game.decision.options[number].label())
        game.choose(number)
    assert chosen in (["pay", "keep"], ["pay", "earn", "keep"])
