"""Variants of a game, played with equal seeds and compared with the first of them: `--vary`, mods, other games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dsl.catalogue import tr
from dsl.ir.program import Program
from dsl.near import nearest
from dsl.simulation.running import Simulation
from dsl.simulation.standing import FEWEST, Share, difference
from dsl.simulation.tally import interval

MOST_VALUES = 50
"""Values of one figure; of variants there are at most as many in all."""
_NAME = r"[^\W\d]\w{0,60}"
_CELL = re.compile(rf"(?P<table>{_NAME})\[(?P<row>{_NAME})\]\.(?P<column>{_NAME})=(?P<values>.+)")
_OPTION = re.compile(rf"(?P<option>{_NAME})=(?P<values>.+)")
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})", re.ASCII)
_VALUE = re.compile(r"-|-?\d{1,9}(/\d{1,9})?|\d{1,9}-\d{1,9}|" + _NAME)
MOST_CHARACTERS = 2000


class VaryError(ValueError):
    """Something to vary that a game does not have, or that cannot be read."""


@dataclass(frozen=True, slots=True)
class Varied:
    """What is varied: a column of a row of a table, or an option; and the values it gets."""

    what: str
    values: tuple[str, ...]
    option: str = ""
    table: str = ""
    row: str = ""
    column: str = ""

    def mod(self, game: str, value: str) -> str:
        """The source of a mod that gives it a value, where it is printed in a table."""
        return f'mod varied for {game}:\n    title "Varied"\n\nchange {self.row}: {self.column} = {value}\n'

    def check(self, program: Program) -> None:
        """Raises `VaryError` where a game does not have it."""
        if self.option:
            names = [each.name for each in program.options]
            if self.option not in names:
                raise VaryError(_unknown(tr("no option `{name}`", name=self.option), self.option, names))
            return
        tables = {each.name: each for each in program.domains if each.kind == "row"}
        if self.table not in tables:
            raise VaryError(_unknown(tr("no table `{name}`", name=self.table), self.table, list(tables)))
        rows = list(tables[self.table].members)
        if self.row not in rows:
            missing = tr("no row `{name}` in `{table}`", name=self.row, table=self.table)
            raise VaryError(_unknown(missing, self.row, rows))


def _unknown(missing: str, name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return (
        tr("the game has {missing}: did you mean `{near}`?", missing=missing, near=near)
        if near
        else tr("the game has {missing}", missing=missing)
    )


def varied(text: str) -> Varied:
    """Reads what is to be varied: `UnitType[tank].cost=4..9`, or an option as `fog=true,false`; raises `VaryError`."""
    cell = _CELL.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    option = None if cell or len(text) > MOST_CHARACTERS else _OPTION.fullmatch(text)
    found = cell or option
    if found is None:
        raise VaryError(
            tr(
                "`{text}` says nothing to vary: write a figure, such as UnitType[tank].cost=4..9, or an "
                "option, such as fog=true,false",
                text=text[:80],
            )
        )
    values = tuple(dict.fromkeys(_values(found["values"])))
    what = text[: found.start("values") - 1]
    if cell:
        return Varied(what, values, table=cell["table"], row=cell["row"], column=cell["column"])
    return Varied(what, values, option=found["option"])


def _values(text: str) -> Iterator[str]:
    count = 0
    for each in text.split(","):
        value = each.strip()
        between = _RANGE.fullmatch(value)
        if between:
            low, high = int(between[1]), int(between[2])
            size = max(0, high - low + 1)
        elif _VALUE.fullmatch(value):
            low = high = size = 1
        else:
            raise VaryError(
                tr("`{value}` is no value to try: write numbers, names or a range as 4..9", value=value[:40])
            )
        count += size
        if not 0 < size <= MOST_VALUES or count > MOST_VALUES:
            raise VaryError(tr("at most {most} values are tried at once, and at least one", most=MOST_VALUES))
        yield from (str(number) for number in range(low, high + 1)) if between else (value,)


@dataclass(slots=True)
class Tried:
    """A variant, and the games that were played of it."""

    name: str
    program: Program
    simulation: Simulation

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players."""
        return self.program.domains[self.program.players].members

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.simulation.tally.games

    def wins(self, player: str) -> tuple[int, int]:
        """In how many games a player won, and of how many."""
        tally = self.simulation.tally
        return tally.wins(self.players.index(player)) if player in self.players else 0, tally.games


def same(tried: Tried, base: Tried) -> bool:
    """Did all games of a variant go as those of the first, so far as they are counted?"""
    return tried.simulation.tally == base.simulation.tally


class Difference(NamedTuple):
    """By how much a player's share of wins is greater in a variant than in the first."""

    variant: str
    player: str
    share: Share

    @property
    def certain(self) -> bool:
        """Is it on one side of 0?"""
        return self.share.low > 0 or self.share.high < 0


def differences(tried: Sequence[Tried]) -> list[Difference]:
    """The differences of all variants from the first. Of two players the first alone is compared where each game has
    one winner: then a win of one is a loss of the other. All intervals together have a confidence of 95 %.
    """
    base, others = tried[0], tried[1:]
    players = base.players
    if len(players) == 2 and all(sum(each.wins(one)[0] for one in players) == each.games for each in tried):
        players = players[:1]
    comparisons = len(others) * len(players)
    return [
        Difference(each.name, player, difference(each.wins(player), base.wins(player), comparisons))
        for each in others
        for player in players
    ]


def favoured(tried: Tried) -> tuple[str, Share] | None:
    """Of two players the one who wins more of the decided games for certain, with his share of them; none where there
    is no such player, and where so few games were decided that the interval covers too little.
    """
    if len(tried.players) != 2:
        return None
    tally = tried.simulation.tally
    alone = [tally.winners[1], tally.winners[2]]
    best = alone.index(max(alone))
    trials = sum(alone)
    share = Share(alone[best] / trials if trials else 0.5, *interval(alone[best], trials))
    return (tried.players[best], share) if share.low > 1 / 2 and trials >= FEWEST else None
