"""What a player may see of the state, as tables: fields of the game, of its things, pieces and piles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl.cli.palette import colour_of
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.display import member_name, shown, text_of
from dsl.engine.kinds import kind_seen
from dsl.engine.machine import Machine
from dsl.engine.piles import cards_in, in_play
from dsl.engine.views import may_see
from dsl.ir.program import Pool, Program, Var
from dsl.ir.types import NONE, Id, Int, SetOf

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

BLANK = "·"
MOST_ROWS = 60
MOST_NAMES = 6
"""So many members of a set are named."""


class Overview:
    """The state as a player (none: somebody who sees all) may see it, in a language."""

    def __init__(self, machine: Machine, state: list[int], viewer: int | None, language: str) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = state
        self.viewer = viewer
        self.language = language
        self.spoken = language or self.program.language
        self.fields = [(index, var) for index, var in enumerate(self.program.vars) if var.role == "field"]

    def show(self, console: Console, *, whole: bool) -> None:
        """Prints the fields of the game in a line and those of each player, or with `whole` all of them in tables."""
        if line := self.globals(whole=whole):
            console.print(line, soft_wrap=True)
        if not whole:
            for line in self.players():
                console.print(line, soft_wrap=True)
            return
        for table in (*self.things(), *self.pieces()):
            console.print(table)
        for pile in self.piles():
            console.print(pile, soft_wrap=True)

    # ------------------------------------------------------------ fields

    def globals(self, *, whole: bool = False) -> str:
        """The game's own fields in one line; with `whole` those without words too."""
        own = [(index, var) for index, var in self.fields if var.of is None]
        return " · ".join(
            f"{self._name(var)} {self._shown(index, 0)}"
            for index, var in self._telling(own, [0], whole=whole)
        )

    def players(self) -> Iterator[str]:
        """Of each player who takes part the fields with words for players, in a line, but those that are 0 for all."""
        domain = self.program.players
        seats = next((var for var in self.program.vars if var.role == "seats"), None)
        rows = list(range(len(self.program.domains[domain].members)))
        if seats is not None:
            value = layout.read(self.program, self.state, seats.offset, seats.type)
            rows = [each for each in rows if isinstance(value, int) and value >> each & 1]
        told = [
            (index, var)
            for index, var in self.fields
            if var.of == domain
            and var.label is not None
            and any(self._visible(index, row) and self._says(index, row, zero=False) for row in rows)
        ]
        for member in rows if told else ():
            who = member_name(self.program, domain, member, self.language)
            fields = " · ".join(f"{self._name(var)} {self._shown(index, member)}" for index, var in told)
            yield printable(f"{who}: {fields}")

    def _telling(
        self, columns: list[tuple[int, Var]], rows: list[int], *, whole: bool = True
    ) -> list[tuple[int, Var]]:
        """The fields to be told: where some have words for players, those that are not none, no or empty for all; of
        those without words none, or with `whole` what is not 0 either.
        """
        if all(var.label is None for _, var in columns):
            return columns
        return [
            (index, var)
            for index, var in columns
            if (whole or var.label is not None)
            and any(self._says(index, member, zero=var.label is not None) for member in rows)
        ]

    def _says(self, index: int, member: int, *, zero: bool = True) -> bool:
        """Does a field hold something? A number does, and 0 if `zero`."""
        kind, value = self.program.vars[index].type, self._value(index, member)
        if not self._visible(index, member):
            return True
        if not isinstance(value, int):
            return any(value)
        if isinstance(kind, SetOf) or (isinstance(kind, Int) and (kind.truth or not zero)):
            return value not in {0, NONE}
        return value != NONE

    def things(self) -> Iterator[Table]:
        """For each domain with fields a table; rows that say nothing are left out."""
        pools = {pool.domain for pool in self.program.pools}
        for domain in dict.fromkeys(var.of for _, var in self.fields):
            if domain is None or domain in pools:
                continue
            columns = [(index, var) for index, var in self.fields if var.of == domain]
            declared = self.program.domains[domain]
            title = text_of(self.program, declared.label, self.language) or declared.name
            table = self._table(title, domain, columns, list(range(len(declared.members))))
            if table.row_count:
                yield table

    def pieces(self) -> Iterator[Table]:
        """The pieces in play that lie in no pile."""
        for pool in self.program.pools:
            out = [piece for piece in in_play(self.program, self.state, pool) if not self._piled(pool, piece)]
            columns = [(index, var) for index, var in self.fields if var.of == pool.domain]
            if out:
                yield self._table(pool.name, pool.domain, columns, out, kinds=pool)

    def _table(
        self,
        title: str,
        domain: int,
        columns: list[tuple[int, Var]],
        rows: list[int],
        *,
        kinds: Pool | None = None,
    ) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(title=printable(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        table.show_edge, table.pad_edge = False, False
        fields, columns = columns, self._telling(columns, rows)
        table.add_column("", no_wrap=True)
        for _, var in columns:
            table.add_column(self._name(var))
        told = 0
        for member in rows:
            if kinds is None and not any(self._says(index, member) for index, _ in columns):
                continue
            cells = [self._shown(index, member) for index, _ in columns]
            told += 1
            if told <= MOST_ROWS:
                colour = self._colour(fields, member)
                table.add_row(Text(self._member(domain, member, kinds), style=colour), *map(Text, cells))
        if told > MOST_ROWS:
            table.add_row(f"… +{told - MOST_ROWS}")
        return table

    def _member(self, domain: int, member: int, kinds: Pool | None) -> str:
        name = self.program.domains[domain].members[member]
        label = member_name(self.program, domain, member, self.language)
        if kinds is not None and (kind := self._kind(kinds, member)):
            label = kind
        return printable(name if label in {name, ""} else f"{label} ({name})")

    def _colour(self, columns: list[tuple[int, Var]], member: int) -> str:
        """The colour of the player or side that a row's first field of such names."""
        for index, var in columns:
            if isinstance(var.type, Id) and var.of is not None and self._owns(var.type.domain):
                value = self.state[var.offset + member * var.width]
                if value != NONE and self._visible(index, member):
                    return colour_of(self.program, var.type.domain, value)
        return ""

    def _owns(self, domain: int) -> bool:
        """Is it the players, or the sides?"""
        declared = self.program.domains[domain]
        return declared.kind in {"player", "side"} or any(map(self._owns, declared.parts))

    def _name(self, var: Var) -> str:
        return printable(text_of(self.program, var.label, self.language) or var.name.replace("_", " "))

    def _shown(self, index: int, member: int) -> str:
        if not self._visible(index, member):
            return word("hidden", self.spoken)
        value = self._value(index, member)
        empty = value == NONE or (not isinstance(value, int) and not any(value))
        kind = self.program.vars[index].type
        if isinstance(kind, SetOf) and isinstance(value, int) and value:
            return printable(self._listed(kind, value))
        return BLANK if empty else printable(shown(self.program, kind, value, self.language))

    def _listed(self, kind: SetOf, value: int) -> str:
        """The members of a set; of many how many, and the first."""
        found = list(bits(value, layout.low_of(self.program, kind)))
        names = [shown(self.program, kind.of, each, self.language) for each in found[:MOST_NAMES]]
        if len(found) <= MOST_NAMES:
            return ", ".join(names)
        return f"{len(found)} ({', '.join(names)}, …)"

    def _value(self, index: int, member: int) -> layout.Plain:
        var = self.program.vars[index]
        return layout.read(self.program, self.state, var.offset + member * var.width, var.type)

    def _visible(self, index: int, member: int) -> bool:
        return self.viewer is None or may_see(self.machine, self.state, index, member, self.viewer)

    # ------------------------------------------------------------ piles

    def piles(self) -> Iterator[str]:
        """How many cards each pile has, and those that may be seen."""
        for pool in self.program.pools:
            if pool.pile is None or pool.order is None:
                continue
            kind = self.program.vars[pool.pile].type
            for pile, plain in enumerate(pool.piles):
                called = isinstance(kind, Id) and member_name(self.program, kind.domain, pile, self.language)
                name = called or plain
                cards = cards_in(self.program, self.state, pool, pile)
                seen = [self._card(pool, card) for card in cards if self._visible(pool.pile, card)]
                if seen and not self._visible(pool.order, cards[0]):
                    seen.sort()
                text = word("pile", self.spoken, pile=name, count=len(cards))
                yield printable(f"{text} ({', '.join(seen)})" if seen else text)

    def _card(self, pool: Pool, card: int) -> str:
        return self._kind(pool, card) or member_name(self.program, pool.domain, card, self.language)

    def _kind(self, pool: Pool, piece: int) -> str:
        """What kind of piece it is, in words; empty where its pool has no kinds, or this viewer does not see it."""
        kind = kind_seen(self.machine, self.state, pool, piece, self.viewer)
        return "" if kind is None else member_name(self.program, *kind, self.language)

    def _piled(self, pool: Pool, piece: int) -> bool:
        if pool.pile is None:
            return False
        return self.state[self.program.vars[pool.pile].offset + piece] != NONE
