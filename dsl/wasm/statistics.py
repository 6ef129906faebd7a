"""What random games came to."""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass, field

from dsl.engine.bits import bits
from dsl.engine.display import member_name, text_of
from dsl.ir.program import Program

ASKS = 1
BREACH, LINE = 10_000, 1_000
"""The status of a game that broke line n of what is promised: -(BREACH + LINE * n + the number of the error, or 0)."""
LENGTHS, TALLY = 64 + 64 * 16, 64 + 64 * 16 + 4 * 4096
"""Where a tally has its games by their lengths, and where it ends."""
_HEAD, _END = struct.Struct("<iiqi"), struct.Struct("<iiixxxx")
_ROW = struct.Struct("<6i")


@dataclass(slots=True)
class Statistics:
    """Games counted by how they ended.

    `ends` counts (reason, winners): the number of the ending (-2 the bound, -1 the rules ran out), and a bit for each
    winner. `lengths` counts games by how many choices were made in them. `failures` are the games that a rule stopped:
    (seed, number of the error). `unfinished` reached the limit of choices. `decisions` counts those taken at once too.
    """

    games: int = 0
    choices: int = 0
    decisions: int = 0
    seconds: float = 0.0
    ends: Counter[tuple[int, int]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    failures: list[tuple[int, int]] = field(default_factory=list)
    breaches: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Games that broke a promise, and ended there: (seed, choices made, line, number of the error or 0)."""
    unfinished: int = 0
    waiting: int | None = None
    """The choices made in a game that is not played on yet, which is not counted: the first after those here."""

    @classmethod
    def of_tally(cls, data: bytes, rows: bytes, seed: int, limit: int) -> Statistics:
        """From what `playouts` counts, and the rows of games that it does not."""
        games, _, decisions, longest = _HEAD.unpack_from(data)
        found = cls(games=games, decisions=decisions)
        for winners, reason, count in (_END.unpack_from(data, at) for at in range(64, LENGTHS, _END.size)):
            if count:
                found.ends[reason, winners] += count
        lengths = memoryview(data)[LENGTHS : LENGTHS + 4 * (longest + 1)].cast("i").tolist()
        found.lengths = Counter({length: count for length, count in enumerate(lengths) if count})
        found.choices = sum(length * count for length, count in found.lengths.items())
        for row in _ROW.iter_unpack(rows):
            found.add_row(row, seed, limit)
        return found

    def add_row(self, row: tuple[int, ...], seed: int, limit: int) -> None:
        """Counts a game by its row: which, reason, winners, decisions, choices, status."""
        number, reason, winners, decisions, choices, status = row
        if status == ASKS and choices < limit:
            self.waiting = choices
            return
        self.games += 1
        self.choices += choices
        self.decisions += decisions
        if status <= -BREACH:
            self.breaches.append((seed + number, choices, *divmod(-status - BREACH, LINE)))
            return
        if status < 0:
            self.failures.append((seed + number, -status))
            return
        self.lengths[choices] += 1
        if status == ASKS:
            self.unfinished += 1
        else:
            self.ends[reason, winners] += 1

    def add(self, other: Statistics) -> None:
        self.games += other.games
        self.choices += other.choices
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.ends += other.ends
        self.lengths += other.lengths
        self.failures += other.failures
        self.breaches += other.breaches
        self.unfinished += other.unfinished

    @property
    def stops(self) -> int:
        """Where these games stopped: before each choice, and at their end, unless a rule failed on the way there."""
        return self.choices + self.games - len(self.failures)

    def wins(self, program: Program) -> dict[str, int]:
        """How often each player won, alone or with others."""
        names = program.domains[program.players].members
        found = dict.fromkeys(names, 0)
        for (_, winners), count in self.ends.items():
            for player in bits(winners):
                found[names[player]] += count
        return found


def named(program: Program, reason: int, winners: int, language: str = "") -> tuple[str, tuple[str, ...]]:
    """An end in words: the label of the ending (empty for the bound), and the winners."""
    players = tuple(member_name(program, program.players, each, language) for each in bits(winners))
    known = 0 <= reason < len(program.endings)
    return text_of(program, program.endings[reason].label, language) if known else "", players
