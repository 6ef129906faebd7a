"""What a player may see of the state, as tables: fields of the game, of its things, pieces and piles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dsl.cli.board import drawings
from dsl.cli.columns import Column, show_columns
from dsl.cli.lines import folded
from dsl.cli.palette import colour_of
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.ir.program import Pool, Program, Var
from dsl.ir.types import NONE, Id
from dsl.scene.eyes import Eyes, everybody, of_player
from dsl.scene.fields import BLANK, Columns, Fields
from dsl.scene.forces import Forces

if TYPE_CHECKING:
    from rich.console import Console

MOST_ROWS = 60
FEW_ROWS = 24
"""Of more cells than these only those are told that are not as most are."""
HEADINGS = {"at": "where", "owner": "whose"}
"""Fields of pieces by their names in the rules, and what they are called where they have no words of their own."""
MOST_CARDS = 12
"""So many cards of a pile of one's own that all see are told beside the options."""
FEW_CARDS = 6
"""The same of another's, and of nobody's."""


class Overview:
    """The state as a player (none: somebody who sees all) may see it, in a language."""

    def __init__(self, machine: Machine, state: list[int], viewer: int | None, language: str) -> None:
        self.program: Program = machine.program
        self.state = state
        self.viewer = viewer
        self.internals = False
        self.language = language
        self.spoken = language or self.program.language
        self.eyes = Eyes(machine, state, of_player(viewer))
        self.hidden = word("hidden", self.spoken)
        self.fields = Fields(self.eyes, language, self.hidden)
        self.forces = Forces(self.fields)

    def show(self, console: Console, *, whole: bool, internals: bool = False) -> None:
        """Prints the fields of the game in a line and those of each player, or with `whole` all of them in tables;
        with `internals` those that the rules have for themselves, too.
        """
        self.internals = internals
        if internals:
            self.fields = Fields(self.eyes, self.language, self.hidden, undrawn=True)
        if line := self.globals(whole=whole and internals, briefly=not whole):
            _print(console, line)
        if not whole:
            for line in (*self.players(), *self.things_told(), *self.pieces_told(), *self.piles_of_players()):
                _print(console, line)
            return
        for table in (*self.things(internals), *self.pieces(internals)):
            table.show(console)
        for pile in self.piles(internals):
            _wrapped(console, pile)

    # ------------------------------------------------------------ fields

    def globals(self, *, whole: bool = False, briefly: bool = False) -> str:
        """The game's own fields in one line; with `whole` those without words too, `briefly` without what is 0."""
        found = self.fields.of_game(whole=whole, briefly=briefly)
        return " · ".join(f"{name} {value}" for name, value in found)

    def players(self) -> Iterator[str]:
        """Of each player who takes part, in a line, how many regions he holds, and the fields with words for players,
        but those that are 0 for all, or in which he has nothing, and how many cards his piles have of which no more is
        told; the regions of sides.
        """
        held, told = self.forces.of_regions(), dict(self.fields.of_players())
        for whose, name, called, count, _, seen in self.fields.piles_told():
            if whose is not None and self._rank(whose, name, seen) is None:
                told.setdefault(whose, []).append((called, str(count)))
        players = [(self.program.players, each) for each in self.fields.seated()]
        for owner in (*players, *sorted(each for each in held if each[0] != self.program.players)):
            fields = told.get(owner[1], []) if owner in players else []
            if pairs := [*held.get(owner, []), *(each for each in fields if each[1] != BLANK)]:
                who = member_name(self.program, *owner, self.language)
                said = " · ".join(f"{name} {value}" for name, value in pairs)
                yield printable(word("so", self.spoken, what=who, result=said))

    def things_told(self) -> Iterator[str]:
        """The fields with words of sides and the like, each in a line."""
        for name, value in self.fields.of_things():
            yield f"{name} {value}".rstrip()

    def pieces_told(self) -> Iterator[str]:
        """What each player and side has on the table, in a line; those who look come first."""
        viewers = self.eyes.viewers or ()
        found = self.forces.of_owners()
        for owner in sorted(
            found, key=lambda each: each[0] != self.program.players or each[1] not in viewers
        ):
            whose = f"{word('pieces', self.spoken)} ({member_name(self.program, *owner, self.language)})"
            groups = ", ".join(map(str, found[owner]))
            yield printable(word("so", self.spoken, what=whose, result=groups))

    def things(self, internals: bool) -> Iterator[Sheet]:
        """For each domain with fields a table; rows that say nothing are left out."""
        pools = {pool.domain for pool in self.program.pools}
        boards = {board.domain for board in self.program.boards}
        for domain in dict.fromkeys(var.of for _, var in self.fields.all):
            if domain is None or domain in pools:
                continue
            columns = [(index, var) for index, var in self.fields.all if var.of == domain]
            everybody = domain == self.program.players and not internals
            rows = self.fields.seated() if everybody else range(len(self.program.domains[domain].members))
            told = self.fields.telling(columns, list(rows), whole=internals)
            kept = [member for member in rows if any(self.fields.says(index, member) for index, _ in told)]
            if domain in boards and not internals:
                kept = self._unusual(told, kept)
            if kept:
                yield self._sheet(domain, columns, told, kept)

    def _unusual(self, columns: Columns, cells: list[int]) -> list[int]:
        """Of many cells those that are not as most are: the board shows the others."""
        if len(cells) <= FEW_ROWS:
            return cells
        told = {each: tuple(self.fields.shown(index, each) for index, _ in columns) for each in cells}
        (usual, _), *_ = Counter(told.values()).most_common(1)
        return [each for each in cells if told[each] != usual]

    def pieces(self, internals: bool) -> Iterator[Sheet]:
        """The pieces in play that lie in no pile."""
        for pool in self.program.pools:
            out = [piece for piece in in_play(self.program, self.state, pool) if not self._piled(pool, piece)]
            columns = [(index, var) for index, var in self.fields.all if var.of == pool.domain]
            known = self.fields.telling(columns, out, whole=internals)
            told = [each for each in columns if each in known or self._places(each[1])]
            if out and (told or internals):
                yield self._sheet(pool.domain, columns, told, out, kinds=pool)

    def _places(self, var: Var) -> bool:
        """Does a field of pieces say where they are, or whose? That is told in any case."""
        return var.name in HEADINGS and isinstance(var.type, Id)

    def _heading(self, var: Var) -> str:
        known = var.label is None and self._places(var)
        return word(HEADINGS[var.name], self.spoken) if known else self.fields.name(var)

    def _sheet(
        self, domain: int, fields: Columns, told: Columns, rows: list[int], *, kinds: Pool | None = None
    ) -> Sheet:
        declared = self.program.domains[domain]
        title = text_of(self.program, declared.label, self.language)
        if domain == self.program.players:
            title = word("players", self.spoken)
        elif not title and not self.fields.worded:
            title = declared.name
        shown, more = rows[:MOST_ROWS], len(rows) - MOST_ROWS
        names = [self._member(domain, member, kinds) for member in shown]
        colours = [self._colour(fields, member) for member in shown]
        columns = [
            Column(self._heading(var), tuple(self.fields.shown(index, member) for member in shown))
            for index, var in told
        ]
        return Sheet(printable(title), [Column("", tuple(names)), *columns], colours, max(0, more))

    def _member(self, domain: int, member: int, kinds: Pool | None) -> str:
        name = self.program.domains[domain].members[member]
        label = member_name(self.program, domain, member, self.language)
        if kinds is not None and (kind := self.fields.kind(kinds, member)):
            label = kind
        told = f"{label} ({name})" if label and label != name and self._needed(name) else label or name
        return printable(told)

    def _needed(self, name: str) -> bool:
        """Is the name that the rules have for a thing told beside its label? Where these are told whole, or have no
        words for players; else where the map has it.
        """
        plain = re.compile(rf"(?<!\w){re.escape(name)}(?![a-z0-9_])")
        return self.internals or not self.fields.worded or any(plain.search(line) for line in self._drawn)

    @cached_property
    def _drawn(self) -> list[str]:
        """The lines of the maps."""
        found = drawings(self.eyes.machine, self.state, self.viewer, self.language)
        return [line.plain for drawing in found for line in drawing.lines]

    def _colour(self, columns: Columns, member: int) -> str:
        """The colour of the player or side that a row's first field of such names."""
        for index, var in columns:
            if not isinstance(var.type, Id) or var.of is None or not self.eyes.owns(var.type.domain):
                continue
            if (value := self.eyes.scalar(index, member)) != NONE:
                return colour_of(self.program, var.type.domain, value)
        return ""

    # ------------------------------------------------------------ piles

    def piles(self, internals: bool) -> Iterator[str]:
        """How many cards each pile has, and those that may be seen; with `internals` the empty ones, too."""
        if not internals:
            for _, name, _, count, pool, seen in self.fields.piles_told():
                yield self._pile(name, count, pool, seen)
            return
        for pool, _, name, cards, found in self.fields.piles():
            yield self._pile(name, len(cards), pool, found)

    def piles_of_players(self) -> Iterator[str]:
        """The piles of who looks, with the cards that he sees in them: those that others do not see first, and without
        long ones that all see; then the short ones of others, and those of nobody.
        """
        for rank in range(4):
            for owner, name, _, count, pool, seen in self.fields.piles_told():
                if self._rank(owner, name, seen) == rank:
                    yield self._pile(name, count, pool, seen)

    def _rank(self, owner: int | None, name: str, seen: list[int]) -> int | None:
        """Where the cards of a pile are told beside the options; none where only their number is."""
        if not seen:
            return None
        if owner is None:
            return 3 if len(seen) <= FEW_CARDS else None
        if owner not in (self.eyes.viewers or ()):
            return 2 if len(seen) <= FEW_CARDS else None
        if len(seen) > self._open_to_all.get(name, 0):
            return 0
        return 1 if len(seen) <= MOST_CARDS else None

    @cached_property
    def _open_to_all(self) -> dict[str, int]:
        """How many cards of each pile everybody sees."""
        public = Fields(Eyes(self.eyes.machine, self.state, everybody(self.eyes.machine)), self.language)
        return {name: len(seen) for _, name, _, _, _, seen in public.piles_told()}

    def _pile(self, name: str, count: int, pool: Pool, seen: list[int]) -> str:
        text = word("pile", self.spoken, pile=name, count=count)
        cards = ", ".join(_counted([self._card(pool, each) for each in seen]))
        return printable(f"{text} ({cards})" if seen else text)

    def _card(self, pool: Pool, card: int) -> str:
        """A card, with what is told of it, and what it holds."""
        name, beside = self.fields.card(pool, card), "; ".join(self.forces.beside(pool, card))
        return f"{name} ({beside})" if beside else name

    def _piled(self, pool: Pool, piece: int) -> bool:
        if pool.pile is None:
            return False
        return self.state[self.program.vars[pool.pile].offset + piece] != NONE


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of things: its title, its columns, the colour of each row, and how many rows it has no room for."""

    title: str
    columns: list[Column]
    colours: list[str]
    more: int

    def show(self, console: Console) -> None:
        """Prints it as wide as the terminal, no word of it cut; where that is not enough, row by row."""
        if self.title:
            console.print(self.title, style="bold")
        show_columns(console, self.columns, console.width, self.colours)
        if self.more:
            console.print(f"… +{self.more}")
        console.print()


def _counted(names: list[str]) -> list[str]:
    """Each name once, with how often it is there where it is more than once."""
    return [f"{count} {name}" if count > 1 else name for name, count in Counter(names).items()]


def _print(console: Console, line: str) -> None:
    """A line of fields, in lines that are parted between two of them, and else between two words."""
    width, lines = console.width, [""]
    for part in line.split(" · "):
        joined = f"{lines[-1]} · {part}" if lines[-1] else part
        if len(joined) <= width or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(f"  {part}")
    for each in lines:
        _wrapped(console, each)


def _wrapped(console: Console, line: str) -> None:
    """A line within the width of the terminal, the rest of it below, further in."""
    for shown in folded(line, console.width) or [line]:
        console.print(shown, soft_wrap=True)
