"""What a search chooses against what is known: exact values, and the theory of a game with hidden hands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.piles import cards_in
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.search.searcher import Searcher
from dsl.wasm.machine import FastMachine
from tests.figures.known import (
    PIG,
    chances,
    exact_choices,
    in_order,
    opening_values,
    openings,
    opinions,
    pig,
    right_choices,
    small_hex,
    tactics,
    where,
)
from tests.search.solver import Position, has_four, value, values

ROOT = Path(__file__).parents[2]
JACK, QUEEN, KING = range(3)
THIRD = Fraction(1, 3)
FIRST = {(JACK, "check"): 1 - THIRD, (QUEEN, "check"): Fraction(1), (KING, "check"): Fraction(0)}
"""How often the first player checks, in the equilibrium in which he bets a jack one time in three (Kuhn 1950)."""
CALLS = {(0, JACK): Fraction(0), (0, QUEEN): 2 * THIRD, (0, KING): Fraction(1)} | {
    (1, JACK): Fraction(0),
    (1, QUEEN): THIRD,
    (1, KING): Fraction(1),
}
BETS_AFTER_CHECK = {JACK: THIRD, QUEEN: Fraction(0), KING: Fraction(1)}


@pytest.fixture(scope="module")
def kuhn() -> Machine:
    return load(str(ROOT / "examples" / "kuhn_poker"))


def hands(game: Game) -> tuple[int, int]:
    program = game.machine.program
    first, second = (cards_in(program, list(game.state), program.pools[0], pile) for pile in (1, 2))
    return first[0], second[0]


def deals(machine: Machine) -> dict[tuple[int, int], int]:
    """A seed for each of the six deals."""
    found: dict[tuple[int, int], int] = {}
    for seed in range(200):
        found.setdefault(hands(Game.start(machine, seed=seed)), seed)
    return found


def ways(machine: Machine, seed: int, made: tuple[str, ...] = ()) -> Iterator[tuple[Fraction, int]]:
    """Each way in which a deal can go in the equilibrium: how likely, and what the first player wins."""
    game = Game.start(machine, seed=seed)
    for each in made:
        assert game.decision is not None
        game.choose(next(n for n, option in enumerate(game.decision.options) if option.action == each))
    if game.decision is None:
        assert game.outcome is not None
        chips = 2 if "call" in made else 1
        yield Fraction(1), chips if game.outcome.players == (0,) else -chips
        return
    player, card = game.decision.player, hands(game)[game.decision.player]
    chances = {
        (): {"check": FIRST.get((card, "check"), Fraction(0))},
        ("check",): {"bet": BETS_AFTER_CHECK[card]},
    }.get(made, {"call": CALLS[player, card]})
    [(action, likely)] = chances.items()
    for option in game.decision.options:
        assert option.action is not None
        share = likely if option.action == action else 1 - likely
        for chance, won in ways(machine, seed, (*made, option.action)) if share else ():
            yield share * chance, won


def test_kuhn_poker_is_worth_what_is_known(kuhn: Machine) -> None:
    """By the rules as they are written, in the equilibrium: the first player loses 1/18 of a chip a game."""
    found = deals(kuhn)
    assert len(found) == 6
    total = sum(
        (chance * won for seed in found.values() for chance, won in ways(kuhn, seed)), start=Fraction(0)
    )
    assert total / 6 == Fraction(-1, 18)


def test_hidden_hands_of_kuhn_poker(kuhn: Machine) -> None:
    """Asked whether to call a bet: a king always wins by it, a queen where the other hand is a jack, which is as likely
    as a king, and a jack never; what is really there makes no difference. (A search counts wins, and not chips.)
    """
    searcher = Searcher(kuhn)
    for (_, second), seed in deals(kuhn).items():
        game = Game.start(kuhn, seed=seed)
        game.choose("Bet")
        advice = searcher.think(game.state, playouts=600, seed=1)
        assert game.decision is not None
        found = {game.decision.options[each.number].action: each.expectation for each in advice.options}
        assert advice.worlds > 1
        assert found["fold"] == 0
        assert found["call"] == {JACK: 0, QUEEN: pytest.approx(0.5, abs=0.2), KING: 1}[second]


def test_the_solver_of_connect_four() -> None:
    """Lines in all directions, and positions that are plain to see."""
    for moves in ((0, 1, 0, 1, 0, 1, 0), (0, 0, 1, 1, 2, 2, 3), (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3)):
        at = Position(moves)
        assert has_four(at.other) and not has_four(at.mine)
        at.undo(moves[-1])
        assert not has_four(at.mine) and not has_four(at.other)


def test_takes_moves_of_the_best_exact_value() -> None:
    """Late positions of connect four in which moves differ: nearly always one of the best is taken."""
    machine = load(str(ROOT / "examples" / "classics" / "connect_four"))
    assert exact_choices(machine, 30, 20, 1_000) >= 19


def test_more_thought_is_no_worse() -> None:
    machine = load(str(ROOT / "examples" / "classics" / "connect_four"))
    few, many = (exact_choices(machine, 32, 20, playouts) for playouts in (7, 2_000))
    assert few < many


def plain_value(at: Position) -> int:
    """The same by looking at all ways to play on."""
    if has_four(at.other):
        return -1
    found = [0] if not at.moves() else []
    for column in at.moves():
        at.play(column)
        found.append(-plain_value(at))
        at.undo(column)
    return max(found)


def test_the_solver_says_what_all_ways_to_play_on_say() -> None:
    """From the last eight moves of games by chance."""
    chance, compared = random.Random(1), 0
    while compared < 60:
        at, moves = Position(), list[int]()
        while len(moves) < 34 and not has_four(at.other):
            moves.append(chance.choice(at.moves()))
            at.play(moves[-1])
        if has_four(at.other):
            continue
        compared += 1
        assert value(at.mine, at.mine | at.other, {}) == plain_value(at)
        for column, found in values(tuple(moves)).items():
            at.play(column)
            assert found == -plain_value(at)
            at.undo(column)


def test_openings_of_small_hex(tmp_path: Path) -> None:
    """On 3 x 3 cells five openings win, two of them beside the short diagonal; the search opens with one of them."""
    assert openings(3) == {(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)}
    machine = load(str(small_hex(tmp_path, 3)))
    start = Game.start(machine)
    assert right_choices(machine, [(start, opening_values(start, 3))] * 5, 1_000) == 5
    proven = Searcher(machine).think(start.state, playouts=60_000)
    exact = opening_values(start, 3)
    assert all(each.expectation == exact[each.number] for each in proven.options if each.proven)
    assert proven.best.proven


def test_the_search_finds_published_openings_of_hex_better(tmp_path: Path) -> None:
    """On 7 x 7 cells 27 first moves win, in pairs by half a turn; most are found better than those that lose."""
    machine = load(str(small_hex(tmp_path, 7)))
    found = opinions(machine, 2_000)
    won = [wins for wins, _ in found]
    assert won == won[::-1] and sum(won) == 27
    assert in_order(found) > 0.65


def test_the_only_quick_win_of_draughts() -> None:
    """Three choices before the end, with much thought: it is taken, or another option by which a win is proven."""
    machine = load(str(ROOT / "examples" / "draughts"))
    searcher = Searcher(machine)
    for game, exact in tactics(machine, 3, 3):
        best = searcher.think(game.state, playouts=5_000).best
        assert exact[best.number] or best.expectation > 0.9


def test_the_only_mate_of_chess() -> None:
    """One move mates: it is taken."""
    machine = FastMachine(load(str(ROOT / "examples" / "chess")).program)
    assert right_choices(machine, list(tactics(machine, 1, 2)), 300) == 2


def test_pig_is_played_as_exact_chances_say() -> None:
    """Whoever begins wins more than half; where options clearly differ, the better one is nearly always taken."""
    exact = chances()
    assert 0.5 < max(exact[0, 0, 0]) < 0.65
    assert exact[0, 0, 3][0] > exact[0, 0, 3][1]
    assert exact[0, 0, 19][1] > 1 - max(exact[0, 0, 0])
    clear, right, missed = pig(load(str(PIG)), 40, 1_000)
    assert clear > 15
    assert right >= 0.95 * clear
    assert missed < 0.09


def test_what_is_expected_of_a_die_comes_near_the_exact_chance() -> None:
    """Outcomes apart, more playouts come nearer; where decisions behind all of them are one, they do not."""
    machine, chance = load(str(PIG)), RandomPlayer(3)
    game, searcher = Game.start(machine, seed=3), Searcher(machine)
    for _ in range(5):
        game.choose(chance.index(game.count))
    exact = max(chances()[where(game)])
    assert searcher.think(game.state, playouts=10_000, seed=1).best.expectation == pytest.approx(
        exact, abs=0.015
    )
    merged = searcher.think(game.state, playouts=10_000, seed=1, merged=True)
    assert merged.best.expectation < exact - 0.03
