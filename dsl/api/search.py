"""Games played on from where one stands: many by chance, or all ways to a depth.

Both take the game as it really stands, with what players do not see: they are for measuring and for searching games
without secrets. Neither changes the game that they begin from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.api.arguments import whole
from dsl.api.game import Game, Option
from dsl.api.values import meant
from dsl.engine.bits import bits
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.engine.game import Game as Whole
from dsl.ir.program import REASON, STATUS, WINNERS
from dsl.players.random_player import APART, RandomPlayer

if TYPE_CHECKING:
    from dsl.wasm.game import Game as Quick
    from dsl.wasm.instance import Instance

ASKS, OVER = 1, 2
LONGEST = 1_000_000
"""Choices of a playout, unless fewer are asked for."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """What came of games that were played on by chance."""

    games: int
    """How many were played."""
    wins: dict[str, int]
    """For each player how many of them he won, alone or with others."""
    drawn: int
    """How many ended without a winner."""
    unfinished: int
    """How many did not end within the choices that were allowed."""
    failed: dict[str, int]
    """How many ended in a rule that fails, by the code of the failure."""
    choices: int
    """How many choices were made in all of them."""

    def share(self, player: str) -> float:
        """The share of the games that a player won, from 0 to 1; 0 where none was played."""
        if player not in self.wins:
            raise KeyError(f"there is no player `{player}`{meant(str(player), self.wins)}")
        return self.wins[player] / self.games if self.games else 0.0


def playout(game: Game, n: int = 1, *, seed: int = 0, most: int = LONGEST) -> Playouts:
    """Plays `n` games on by chance from where one stands, each to its end or for `most` choices.

    All choices are as likely. Game `k` has the choices of `seed + k`, and dice and shuffles of its own, so that equal
    seeds give equal games, with either engine. Raises ValueError for a number less than 0.

        dsl.playout(game, 20).share("red")
    """
    _a_game(game)
    n, most, seed = whole(n, "`n`", 0), whole(most, "`most`", 0), whole(seed, "`seed`")
    count = _Count(game)
    if game.is_over:
        for _ in range(n):
            count.end(game._inner.state, 0)
    elif game.program.engine == "wasm":
        _quick_playouts(_quick(game), n, seed, most, count)
    else:
        untold = _untold(game)
        for number in range(n):
            _slow_playout(untold, seed + number, most, count)
    return count.found()


def _a_game(game: Game) -> None:
    if not isinstance(game, Game):
        raise TypeError(f"`game` is a game under way (`program.start()`), not {game!r}")


class _Count:
    def __init__(self, game: Game) -> None:
        self.players = game.program.players
        self.games = self.drawn = self.unfinished = self.choices = 0
        self.wins = dict.fromkeys(self.players, 0)
        self.failed: Counter[str] = Counter()

    def end(self, state: tuple[int, ...] | Instance, choices: int) -> None:
        """A game in its last state; of an instance the vector that lies there."""
        slots = state if isinstance(state, tuple) else state.state
        self.games, self.choices = self.games + 1, self.choices + choices
        if not slots[STATUS] and slots[REASON] == -1:
            self.unfinished += 1
            return
        winners = bits(slots[WINNERS])
        self.drawn += not winners
        for each in winners:
            self.wins[self.players[each]] += 1

    def failure(self, code: str, choices: int) -> None:
        self.games, self.choices = self.games + 1, self.choices + choices
        self.failed[code] += 1

    def found(self) -> Playouts:
        return Playouts(
            self.games,
            self.wins,
            self.drawn,
            self.unfinished,
            dict(sorted(self.failed.items())),
            self.choices,
        )


def _slow_playout(game: Whole, seed: int, most: int, count: _Count) -> None:
    at, player, choices = game.reseeded(seed), RandomPlayer(seed), 0
    try:
        while at.count and choices < most:
            at.choose(player.index(at.count))
            choices += 1
    except RuleFailure as failure:
        count.failure(failure.code, choices)
        return
    count.end(at.state, choices)


def _untold(game: Game) -> Whole:
    """The same game without a log."""
    return Game.restore(game.program, game.snapshot(), telling=False)._whole()


def _quick(game: Game) -> Quick:
    """The game in the compiled module."""
    from dsl.wasm.game import Game as Quick

    inner = game._inner
    return Quick.taken_over(game.program._machine.module, inner) if isinstance(inner, Whole) else inner  # type: ignore[attr-defined]


def _quick_playouts(game: Quick, n: int, seed: int, most: int, count: _Count) -> None:
    from dsl.wasm.assembly import NO_ROOM
    from dsl.wasm.module import signed_64

    for number in range(seed, seed + n):
        instance = game.reseeded(number).entered()
        game.left()
        instance.calls["seed_player"](signed_64(number * APART + 1))
        code, made = ASKS, 0
        while code == ASKS and made < most:
            code = instance.calls["playout"](most, made)
            made = instance.choices
        if code == -NO_ROOM:
            _slow_playout(game.explained(), number, most, count)
        elif code < 0:
            count.failure(f"E{-code:04}", made)
        else:
            count.end(instance, made)


def perft(game: Game, depth: int) -> int:
    """In how many ways `depth` choices can be made from here, one after another; games that end sooner do not count.

    The number for which chess programs are compared. Dice and shuffles come as the game's own generator gives them.
    Raises ValueError for a depth less than 0, and `RuleFailure` where a rule fails on the way.

        chess = dsl.load("examples/chess", engine="wasm", ask_always=True).start(telling=False)
        assert dsl.perft(chess, 3) == 8902
    """
    _a_game(game)
    depth = whole(depth, "`depth`", 0)
    if depth == 0:
        return 1
    if game.program.engine == "wasm":
        quick = _quick(game)
        found = _quick_perft(quick, depth)
        if found is not None:
            return found
    return _slow_perft(_untold(game), depth)


def perft_divide(game: Game, depth: int) -> dict[Option, int]:
    """For each option of the game in how many ways it goes on to `depth` (see `perft`): where two numbers differ, this
    tells behind which choice.
    """
    _a_game(game)
    depth = whole(depth, "`depth`", 1)
    found = {}
    decision = game.decision
    for option in decision or ():
        after = game.clone()
        after.choose(option)
        found[option] = perft(after, depth - 1)
    return found


def _slow_perft(game: Whole, depth: int) -> int:
    if depth == 1:
        return game.count
    total = 0
    for number in range(game.count):
        after = game.clone()
        after.choose(number)
        total += _slow_perft(after, depth - 1)
    return total


def _quick_perft(game: Quick, depth: int) -> int | None:
    """None where a rule fails or the module has no memory: the other engine says what it is."""
    instance = game.entered()
    calls = instance.calls

    def ways(kept: bytes, count: int, left: int) -> int:
        if left == 1:
            return count
        total = 0
        for number in range(count):
            if number and not instance.put_back(kept):
                raise _Failed
            code = calls["choose"](number)
            if code < 0:
                raise _Failed
            if code == ASKS:
                total += ways(instance.kept() if left > 2 else b"", instance.count, left - 1)
        return total

    try:
        return ways(instance.kept(), instance.count, depth)
    except (_Failed, Unplayable):
        return None
    finally:
        game.left()


class _Failed(Exception):
    """A choice led to a rule that fails."""
