"""Choices of a search against exact values: `python -m tests.figures known`.

Connect four: positions that came of play by chance, in which moves differ, with the value of every move by a solver
(`tests/search/solver.py`). Chess and draughts: positions from before the end of games by chance, in which exactly one
move wins in so few choices whatever the opponent does; others may win later. Hex on 4 x 4 cells: the openings that win.
Pig, a game of dice: how likely whoever is asked wins (`tests/search/pig.scn`). Counted is how often the search takes
one of the best. Hex on 7 x 7 cells: who wins after each of the 49 first moves, as published; counted is of how many
the search expects the right winner.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.search.searcher import Searcher
from dsl.simulation.tally import interval
from dsl.wasm.machine import FastMachine
from tests.examples import CLASSICS, FOLDER
from tests.search.solver import values

DEPTHS = {14: 0.1, 18: 1.0, 22: 1.3, 26: 1.3, 30: 1.3}
"""Discs on the board, and which share of the positions that are asked for: those of the first take long to solve."""
EARLY = {8: 0.1, 10: 0.2, 12: 0.5}
"""The same of positions that take the solver of the tests too long: BitBully (M. Thill, on PyPI) solves them, where it
is installed.
"""
AGREED = 26
"""At this depth the two solvers are held against each other first."""
PLAYOUTS = (100, 1_000, 5_000)
ENDINGS = {"draughts": 3, "chess": 1}
"""Games, and how many choices before the end a win is looked for."""
PIG = Path(__file__).parents[1] / "search" / "pig.scn"
WON = """
a4 a6 a7 b3 b4 b5 b6 c2 c3 c4 c5 c6 d3 d4 d5 e2 e3 e4 e5 e6 f2 f3 f4 f5 g1 g2 g4
"""
"""The first moves of hex on 7 x 7 cells by which whoever owns the upper and the lower side wins; with all others he
loses: R. Hayward, Y. Björnsson, M. Johanson, M. Kan, N. Po and J. van Rijswijck, "Solving 7 x 7 Hex with domination,
fill-in, and virtual connections" (Theoretical Computer Science 349, 2005), and `regression/solve-7x7.tst` of Benzene.
Columns are letters and rows numbers from above, and each row stands half a cell to the right of the one above it.
"""
TARGET, CLEARLY = 20, 0.02
"""Points that win; and by how much options are to differ, for a choice to count as wrong."""


# ---------------------------------------------------------------- connect four


Solver = Callable[[tuple[int, ...]], dict[int, int]]
"""What each move is worth after some, by columns from 0: 1 for a win, 0 for a draw, -1 for a loss."""


def early_values() -> Solver | None:
    """What each move is worth by BitBully; none where it is not installed."""
    try:
        bitbully: Any = importlib.import_module("bitbully")
    except ImportError:
        return None
    solver = bitbully.BitBully(opening_book=None)

    def found(moves: tuple[int, ...]) -> dict[int, int]:
        board = bitbully.Board()
        for column in moves:
            board.play(column)
        scores = solver.score_all_moves(board)
        return {column: (score > 0) - (score < 0) for column, score in scores.items()}

    return found


def positions(
    machine: Machine, depth: int, wanted: int, solve: Solver = values
) -> Iterator[tuple[Game, dict[int, int]]]:
    """Games at such a depth in which moves have different values, with the values by the number of the option."""
    seed, found = 0, 0
    while found < wanted:
        seed += 1
        game, chance, moves = Game.start(machine, seed=seed), RandomPlayer(seed), []
        while game.count and len(moves) < depth:
            number = chance.index(game.count)
            moves.append(_columns(game)[number])
            game.choose(number)
        if not game.count or len(moves) < depth:
            continue
        exact = solve(tuple(moves))
        if len(set(exact.values())) > 1:
            found += 1
            yield game, {number: exact[column] for number, column in enumerate(_columns(game))}


def _columns(game: Game) -> list[int]:
    assert game.decision is not None
    return [int(option.label().split()[-1]) - 1 for option in game.decision.options]


def exact_choices(machine: Machine, depth: int, wanted: int, playouts: int) -> int:
    """In how many of so many positions the search takes a move of the best value."""
    return right_choices(machine, list(positions(machine, depth, wanted)), playouts)


def right_choices(machine: Machine, given: list[tuple[Game, dict[int, int]]], playouts: int) -> int:
    searcher, right = Searcher(machine), 0
    for number, (game, exact) in enumerate(given):
        best = searcher.think(game.state, playouts=playouts, seed=number).best.number
        right += exact[best] == max(exact.values())
    return right


# ---------------------------------------------------------------- one move that wins


def winning(game: Game, plies: int) -> list[int]:
    """The options by which whoever is asked has won after so many choices at most, whatever the opponent chooses."""
    mover = game.player
    assert mover is not None
    return [number for number in range(game.count) if _wins_by(game, number, mover, plies)]


def _wins_by(game: Game, number: int, mover: int, plies: int) -> bool:
    game.choose(number)
    if game.outcome is not None:
        won = game.outcome.players == (mover,)
    elif game.player == mover:
        won = plies > 1 and any(_wins_by(game, each, mover, plies - 1) for each in range(game.count))
    else:
        won = plies > 1 and all(_wins_by(game, each, mover, plies - 1) for each in range(game.count))
    game.undo()
    return won


def tactics(machine: Machine, plies: int, wanted: int) -> Iterator[tuple[Game, dict[int, int]]]:
    """Positions so many choices before the end of games by chance, in which exactly one option wins within these: 1 for
    it, 0 for all others.
    """
    found = 0
    for seed in count(1):
        if found == wanted:
            return
        game, chance = Game.start(machine, seed=seed), RandomPlayer(seed)
        while game.count:
            game.choose(chance.index(game.count))
        if game.outcome is None or len(game.outcome.players) != 1 or len(game.choices) < plies:
            continue
        winner = game.outcome.players[0]
        for _ in range(plies):
            game.undo()
        if game.player == winner and len(wins := winning(game, plies)) == 1 < game.count:
            found += 1
            yield game, {number: int(number == wins[0]) for number in range(game.count)}


# ---------------------------------------------------------------- hex


def small_hex(folder: Path, size: int) -> Path:
    """Hex on a smaller board, by the rules of the example."""
    text = (CLASSICS / "hex" / "hex.scn").read_text(encoding="utf-8")
    text = text[: text.index('test "')] + text[text.index('always "black begins') :]
    text = text.replace("hexes(11, 11,", f"hexes({size}, {size},").replace("1..11", f"1..{size}")
    path = folder / "hex.scn"
    path.write_text(text.replace("is 11", f"is {size}"), encoding="utf-8")
    return path


def openings(size: int) -> set[tuple[int, int]]:
    """The first moves (column and row from 0) by which black, who joins the first row to the last, wins."""
    cells, full = range(size * size), (1 << size * size) - 1
    first, last = (1 << size) - 1, full ^ (full >> size)
    left = sum(1 << size * row for row in range(size))
    right = left << (size - 1)
    middle_first = sorted(
        cells, key=lambda cell: (2 * (cell % size) - size + 1) ** 2 + (2 * (cell // size) - size + 1) ** 2
    )

    @cache
    def joined(stones: int) -> bool:
        reached, before = stones & first, 0
        while reached != before:
            before = reached
            wide = reached | (reached & ~right) << 1 | (reached & ~left) >> 1
            wide |= reached << size | reached >> size
            wide |= (reached & ~right) << (size + 1) | (reached & ~left) >> (size + 1)
            reached = wide & stones
        return bool(reached & last)

    @cache
    def black_wins(black: int, white: int, *, black_moves: bool) -> bool:
        if joined(black):
            return True
        if not joined(full ^ white):
            return False
        free = [cell for cell in middle_first if not (black | white) >> cell & 1]
        if black_moves:
            return any(black_wins(black | 1 << cell, white, black_moves=False) for cell in free)
        return all(black_wins(black, white | 1 << cell, black_moves=True) for cell in free)

    return {(cell % size, cell // size) for cell in cells if black_wins(1 << cell, 0, black_moves=False)}


def opening_values(game: Game, size: int) -> dict[int, int]:
    """Which options of the first move of hex win."""
    won = openings(size)
    assert game.decision is not None
    names = [option.label().split()[-1] for option in game.decision.options]
    return {n: int((ord(name[0]) - ord("a"), int(name[1:]) - 1) in won) for n, name in enumerate(names)}


def after_openings(machine: Machine) -> Iterator[tuple[Game, bool]]:
    """Hex on 7 x 7 cells after each first move, and whether black, who made it, wins; by what was published (`WON`).
    Here each row stands half a cell to the left of the one above it, so columns are counted from the other side.
    """
    won = set(WON.split())
    start = Game.start(machine)
    assert start.decision is not None
    for number, option in enumerate(start.decision.options):
        name = option.label().split()[-1]
        game = Game.start(machine)
        game.choose(number)
        yield game, f"{chr(ord('a') + ord('g') - ord(name[0]))}{name[1:]}" in won


def opinions(machine: Machine, playouts: int) -> list[tuple[bool, float]]:
    """Of each first move of hex on 7 x 7 cells whether it wins, and what the search expects for whoever made it."""
    searcher, found = Searcher(machine), []
    for seed, (game, won) in enumerate(after_openings(machine)):
        best = searcher.think(game.state, playouts=playouts, seed=seed).best
        found.append((won, 1 - best.expectation))
    return found


def in_order(found: list[tuple[bool, float]]) -> float:
    """Of all pairs of a first move that wins and one that loses the share in which more is expected of the first; half
    of those in which as much is.
    """
    won = [mine for wins, mine in found if wins]
    lost = [mine for wins, mine in found if not wins]
    pairs = [(one > other) + (one == other) / 2 for one in won for other in lost]
    return sum(pairs) / len(pairs)


# ---------------------------------------------------------------- pig


def chances() -> dict[tuple[int, int, int], tuple[float, float]]:
    """How likely whoever is asked in Pig wins by rolling and by holding: by his points, the opponent's, and what he has
    rolled in this turn. Found by value iteration.
    """
    states = [
        (mine, other, turn)
        for mine in range(TARGET)
        for other in range(TARGET)
        for turn in range(TARGET - mine)
    ]
    value = dict.fromkeys(states, 0.5)
    found: dict[tuple[int, int, int], tuple[float, float]] = {}
    moved = 1.0
    while moved > 1e-9:
        moved = 0.0
        for mine, other, turn in states:
            lost = 1 - value[other, mine, 0]
            roll = lost / 6
            for pips in range(2, 7):
                roll += (1.0 if mine + turn + pips >= TARGET else value[mine, other, turn + pips]) / 6
            hold = 1 - value[other, mine + turn, 0] if turn else 0.0
            found[mine, other, turn] = roll, hold
            best = max(roll, hold)
            moved = max(moved, abs(best - value[mine, other, turn]))
            value[mine, other, turn] = best
    return found


def pig(machine: Machine, wanted: int, playouts: int) -> tuple[int, int, float]:
    """Of so many positions of games by chance those in which the options clearly differ, in how many of them the better
    one is taken, and by how much what is expected of it misses the truth on average.
    """
    exact, searcher = chances(), Searcher(machine)
    clear = right = 0
    missed = 0.0
    for seed in range(wanted):
        game, chance = Game.start(machine, seed=seed), RandomPlayer(seed)
        for _ in range(seed % 9):
            if game.count:
                game.choose(chance.index(game.count))
        if game.count < 2:
            continue
        at = where(game)
        if abs(exact[at][0] - exact[at][1]) < CLEARLY:
            continue
        clear += 1
        best = searcher.think(game.state, playouts=playouts, seed=seed).best
        right += exact[at][best.number] == max(exact[at])
        missed += abs(best.expectation - exact[at][best.number])
    return clear, right, missed / max(clear, 1)


def where(game: Game) -> tuple[int, int, int]:
    """Where a game of Pig stands, for whoever is asked."""
    program, state, player = game.machine.program, game.state, game.player
    assert player is not None
    offsets = {var.name: var.offset for var in program.vars}
    points = offsets["points"]
    return state[points + player], state[points + 1 - player], state[offsets["at_stake"]]


# ---------------------------------------------------------------- the figure


def show(wanted: int, game: str = "") -> int:
    """Prints a line for each game and depth."""
    print("| game | positions | " + " | ".join(f"`mcts:{each}`" for each in PLAYOUTS) + " |")
    print("|---|---|" + "---|" * len(PLAYOUTS))
    if game in {"", "connect_four"}:
        machine = load(str(CLASSICS / "connect_four"))
        if (solve := early_values()) is not None:
            agreed = [tuple(exact.items()) for _, exact in positions(machine, AGREED, 20)]
            if agreed != [tuple(exact.items()) for _, exact in positions(machine, AGREED, 20, solve)]:
                raise RuntimeError("the solvers of connect four disagree")
            for depth, share in EARLY.items():
                given = list(positions(machine, depth, max(1, round(wanted * share)), solve))
                _line(f"connect four, {depth} discs", machine, given)
        for depth, share in DEPTHS.items():
            given = list(positions(machine, depth, max(1, round(wanted * share))))
            _line(f"connect four, {depth} discs", machine, given)
    for name, plies in ENDINGS.items():
        if game in {"", name}:
            machine = FastMachine(load(str(FOLDER / name)).program)
            _line(f"{name}, one move wins", machine, list(tactics(machine, plies, max(1, wanted // 5))))
    if game in {"", "hex"}:
        with tempfile.TemporaryDirectory() as folder:
            machine = load(str(small_hex(Path(folder), 4)))
            start = Game.start(machine)
            _line("hex 4 x 4, the first move", machine, [(start, opening_values(start, 4))] * (wanted // 5))
            machine = load(str(small_hex(Path(folder), 7)))
            start = Game.start(machine)
            exact = {number: int(won) for number, (_, won) in enumerate(after_openings(machine))}
            _line("hex 7 x 7, the first move", machine, [(start, exact)] * (wanted // 5))
    if game in {"", "pig"}:
        machine, cells, clear = load(str(PIG)), [], 0
        for playouts in PLAYOUTS:
            clear, right, missed = pig(machine, 2 * wanted, playouts)
            cells.append(f"{_share(right, clear)}, expects {missed:.1%} off")
        print(f"| pig to {TARGET} | {clear} | {' | '.join(cells)} |", flush=True)
    if game in {"", "hex"}:
        _openings_table()
    return 0


def _openings_table() -> None:
    print("\n| playouts after each first move | the winner is expected to win | pairs in the right order |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        machine = load(str(small_hex(Path(folder), 7)))
        for playouts in (*PLAYOUTS, 50_000):
            found = opinions(machine, playouts)
            right = sum(won == (mine > 0.5) for won, mine in found)
            print(f"| {playouts} | {right} of {len(found)} | {in_order(found):.0%} |", flush=True)


def _line(what: str, machine: Machine, given: list[tuple[Game, dict[int, int]]]) -> None:
    cells = [_share(right_choices(machine, given, each), len(given)) for each in PLAYOUTS]
    print(f"| {what} | {len(given)} | {' | '.join(cells)} |", flush=True)


def _share(right: int, of: int) -> str:
    low, high = interval(right, of)
    return f"{right / max(of, 1):.0%} ({low:.0%} to {high:.0%})"
