"""Choices of a search against exact values: `python -m tests.figures known`.

Positions of connect four that came of play by chance, late enough that a solver (`tests/search/solver.py`) knows the
value of every move, and in which moves differ. Counted is how often the search takes one of the best.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.search.searcher import Searcher
from dsl.simulation.tally import interval
from tests.examples import CLASSICS
from tests.search.solver import values

DEPTHS = (26, 29)
"""Discs on the board."""


def positions(machine: Machine, depth: int, count: int) -> Iterator[tuple[Game, dict[int, int]]]:
    """Games at such a depth in which moves have different values, with the values by the number of the option."""
    seed, found = 0, 0
    while found < count:
        seed += 1
        game, chance, moves = Game.start(machine, seed=seed), RandomPlayer(seed), []
        while game.count and len(moves) < depth:
            number = chance.index(game.count)
            moves.append(_columns(game)[number])
            game.choose(number)
        if not game.count or len(moves) < depth:
            continue
        exact = values(tuple(moves))
        if len(set(exact.values())) > 1:
            found += 1
            yield game, {number: exact[column] for number, column in enumerate(_columns(game))}


def _columns(game: Game) -> list[int]:
    assert game.decision is not None
    return [int(option.label().split()[-1]) - 1 for option in game.decision.options]


def exact_choices(machine: Machine, depth: int, count: int, playouts: int) -> int:
    """In how many of so many positions the search takes a move of the best value."""
    searcher, right = Searcher(machine), 0
    for number, (game, exact) in enumerate(positions(machine, depth, count)):
        best = searcher.think(game.state, playouts=playouts, seed=number).best.number
        right += exact[best] == max(exact.values())
    return right


def show(count: int) -> int:
    """Prints a line for each depth."""
    machine = load(str(CLASSICS / "connect_four"))
    print("| discs | positions | `mcts:100` | `mcts:1000` | `mcts:5000` |")
    print("|---|---|---|---|---|")
    for depth in DEPTHS:
        cells = []
        for playouts in (100, 1_000, 5_000):
            right = exact_choices(machine, depth, count, playouts)
            low, high = interval(right, count)
            cells.append(f"{right / count:.0%} ({low:.0%} to {high:.0%})")
        print(f"| {depth} | {count} | {' | '.join(cells)} |", flush=True)
    return 0
