"""Random games that count which clauses take effect.

A clause takes effect if it stood and changed a value, refused an option or ran; a row if it was read with effect, and
its table and the block that adds it with it; a field if it was written, a pile if a card lay in it; a window if
somebody was asked in it; a line of a legend if its sign is on the map; a mode, and a line of it or of a header that
says who plays, if a game was played so. Every second game is played with options at random, the others as the rules
come; a game with modes is played in each of them in turn. Options are chosen by chance, or by a player that prefers
what was chosen least in all games so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Option, Place, Program
from dsl.players.novelty_player import NoveltyPlayer
from dsl.players.random_player import RandomPlayer


@dataclass(frozen=True, slots=True)
class Exercised:
    """How often each clause took effect in some games; `failures` are those that a rule ended."""

    games: int
    hits: dict[int, int]
    failures: tuple[str, ...] = ()

    def ids(self, program: Program) -> frozenset[str]:
        """The ids of the clauses that took effect."""
        return frozenset(each for clause in self.hits for each in program.clauses[clause].ids)


def exercised(
    machine: Machine,
    games: int,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    directed: bool = False,
) -> Exercised:
    """Plays random games, with seeds from `seed` on; `on_progress` is told how many are played, and of how many.

    `directed` are games of the player that prefers what was chosen least.
    """
    hits: dict[int, int] = {}
    failures = []
    structure = _Structure(machine.program)
    choices: dict[int, set[int]] = {}
    novelty = NoveltyPlayer(machine.program, seed)
    for number in range(seed, seed + games):
        if on_progress is not None:
            on_progress(number - seed + 1, games)
        player = RandomPlayer(number)
        options = _options(machine.program, player) if number % 2 else {}
        options |= _mode(machine.program, number // 2)
        for index, option in enumerate(machine.program.options):
            choices.setdefault(index, set()).add(options.get(option.name, option.default))
        try:
            found = _played(
                machine, number, options, novelty.index if directed else _by_chance(player), structure
            )
        except RuleFailure as failure:
            at = f" ({failure.place.file}:{failure.place.line})" if failure.place else ""
            failures.append(f"seed {number}: {failure.code}: {failure.message}{at}")
            continue
        for clause, count in found.items():
            hits[clause] = hits.get(clause, 0) + count
    for index, option in enumerate(machine.program.options):
        if option.clause is not None and len(choices.get(index, ())) > 1:
            hits[option.clause] = hits.get(option.clause, 0) + 1
    return Exercised(games, hits, tuple(failures))


def _played(
    machine: Machine, seed: int, options: dict[str, int], index: Callable[[Game], int], structure: _Structure
) -> dict[int, int]:
    game = _started(machine, seed, options)
    seen = structure.seen(game.state)
    while game.count:
        game.choose(index(game))
        seen |= structure.seen(game.state)
    return structure.credited(game, seen)


def _by_chance(player: RandomPlayer) -> Callable[[Game], int]:
    return lambda game: player.index(game.count)


def _started(machine: Machine, seed: int, options: dict[str, int]) -> Game:
    """A game with these options; where their mode is not for so many players, with as many as it takes."""
    try:
        return Game.start(machine, seed=seed, options=options, covering=True)
    except StartError:
        rest = {name: choice for name, choice in options.items() if name != "players"}
        return Game.start(machine, seed=seed, options=rest, covering=True)


def _modes(program: Program) -> Option | None:
    return next((each for each in program.options if each.name == "mode" and each.clause is None), None)


def _mode(program: Program, turn: int) -> dict[str, int]:
    """The mode whose turn it is, the usual one first; nothing in a game without modes."""
    modes = _modes(program)
    return {modes.name: (modes.default + turn) % len(modes.choices)} if modes is not None else {}


def _options(program: Program, player: RandomPlayer) -> dict[str, int]:
    """A choice for each option, by chance."""
    found = {}
    for option in program.options:
        low, high = option.range if option.range is not None else (0, len(option.choices) - 1)
        found[option.name] = low + player.index(high - low + 1)
    return found


class _Structure:
    """The clauses without code of their own: modes and what they declare, lines that say who plays, tables, piles,
    windows, lines of a legend.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        clauses = list(enumerate(program.clauses))
        option = _modes(program)
        self.mode = None if option is None else option.var
        names = () if option is None else option.choices
        self.blocks: dict[int | None, tuple[int, Place]] = {
            names.index(each.name): (number, each.place)
            for number, each in clauses
            if each.kind == "text" and each.name in names
        }
        self.headers = [(number, each) for number, each in clauses if each.kind == "header"]
        tables = [(number, each) for number, each in clauses if each.kind == "table"]
        self.tables = {
            number: [
                table
                for table, of in tables
                if of.name == each.name.partition(" ")[0] or _within(each.place, of.place)
            ]
            for number, each in clauses
            if each.kind == "row"
        }
        """Of the clause of a row those of its table and of the block that adds it."""
        self.seats = next((var for var in program.vars if var.role == "seats"), None)
        self.piles: dict[tuple[int, int], int] = {}
        """The clause of a pile, by its pool and its number there."""
        of_name = {each.name: number for number, each in clauses if each.kind == "pile"}
        for at, pool in enumerate(program.pools):
            for index, pile in enumerate(pool.piles):
                if (clause := of_name.get(pile.partition("(")[0])) is not None:
                    self.piles[at, index] = clause
        windows = {each.name: number for number, each in clauses if each.kind == "window"}
        self.windows = [
            (var.offset, windows[var.name])
            for var in program.vars
            if var.role == "window" and var.name in windows
        ]
        """Where the state says whether a window is open, and its clause."""
        signs = {sign for board in program.boards for sign in board.signs}
        self.drawn = [number for number, each in clauses if each.kind == "map" and _sign(each.text) in signs]
        """The lines of a legend whose sign is on the map."""
        self.definitions: dict[int, dict[int | None, int]] = {}
        """By the clause of a value those of its definitions: by mode, and outside of them (none). Cited lines of its
        block are none of them: what is returned there takes effect by itself.
        """
        values = {each.name: each.clause for each in program.values if each.clause is not None}
        named = [(n, each) for n, each in clauses if each.kind == "value" and each.name in values]
        for number, each in named:
            if not any(
                each is not of and of.name == each.name and _within(each.place, of.place) for _, of in named
            ):
                self.definitions.setdefault(values[each.name], {})[self._mode_of(each.place)] = number

    def seen(self, state: Sequence[int]) -> set[int]:
        """The clauses of the piles in which cards lie, and of the windows that are open."""
        lying = {
            self.piles[at, index]
            for at, pool in enumerate(self.program.pools)
            if pool.pile is not None
            for index in set(self._values(state, pool.pile))
            if (at, index) in self.piles
        }
        return lying | {clause for offset, clause in self.windows if state[offset]}

    def credited(self, game: Game, seen: set[int]) -> dict[int, int]:
        """What took effect in a game: a value by the definition of the mode that was played."""
        hits = dict(game.hits)
        state = game.state
        mode = None if self.mode is None else state[self.program.vars[self.mode].offset]
        seated = self._seated(state)
        for number, each in self.headers:
            if self._mode_of(each.place) in {None, mode} and _plays(each.name, seated):
                hits[number] = 1
        hits |= {table: count for row, count in game.hits.items() for table in self.tables.get(row, ())}
        if mode in self.blocks:
            hits[self.blocks[mode][0]] = 1
        for own, by_mode in self.definitions.items():
            played = by_mode.get(mode, by_mode.get(None, own))
            if played != own and (count := hits.pop(own, 0)):
                hits[played] = count
        return hits | dict.fromkeys((*seen, *self.drawn), 1)

    def _mode_of(self, place: Place) -> int | None:
        """The mode in whose block something stands."""
        return next((mode for mode, (_, block) in self.blocks.items() if _within(place, block)), None)

    def _seated(self, state: Sequence[int]) -> int:
        """How many play."""
        if self.seats is None:
            return len(self.program.domains[0].members)
        return state[self.seats.offset].bit_count()

    def _values(self, state: Sequence[int], var: int) -> Sequence[int]:
        found = self.program.vars[var]
        members = 1 if found.of is None else len(self.program.domains[found.of].members)
        return state[found.offset : found.offset + members * found.width]


def _within(place: Place, block: Place) -> bool:
    return place.file == block.file and block.line <= place.line <= block.end_line


def _sign(line: str) -> str:
    """The sign of which a line of a legend says what it means."""
    return line[1:2] if line[:1] == line[2:3] == '"' else ""


def _plays(name: str, seated: int) -> bool:
    """Does a line of a header hold for so many players? All hold that do not say how many."""
    key, _, numbers = name.partition(" ")
    if key != "players" or not numbers:
        return True
    low, _, high = numbers.partition("..")
    return int(low) <= seated <= int(high or low)
