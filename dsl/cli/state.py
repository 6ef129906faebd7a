"""What a player may see of the state, as tables: fields of the game, of its things, pieces and piles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl.cli.palette import colour_of
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.ir.program import Pool, Program
from dsl.ir.types import NONE, Id
from dsl.scene.eyes import Eyes, of_player
from dsl.scene.fields import Columns, Fields

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_ROWS = 60


class Overview:
    """The state as a player (none: somebody who sees all) may see it, in a language."""

    def __init__(self, machine: Machine, state: list[int], viewer: int | None, language: str) -> None:
        self.program: Program = machine.program
        self.state = state
        self.language = language
        self.spoken = language or self.program.language
        self.eyes = Eyes(machine, state, of_player(viewer))
        self.fields = Fields(self.eyes, language, word("hidden", self.spoken))

    def show(self, console: Console, *, whole: bool) -> None:
        """Prints the fields of the game in a line and those of each player, or with `whole` all of them in tables."""
        if line := self.globals(whole=whole):
            _print(console, line)
        if not whole:
            for line in (*self.players(), *self.things_told()):
                _print(console, line)
            return
        for table in (*self.things(), *self.pieces()):
            console.print(table)
        for pile in self.piles():
            _wrapped(console, pile)

    # ------------------------------------------------------------ fields

    def globals(self, *, whole: bool = False) -> str:
        """The game's own fields in one line; with `whole` those without words too."""
        return " · ".join(f"{name} {value}" for name, value in self.fields.of_game(whole=whole))

    def players(self) -> Iterator[str]:
        """Of each player who takes part the fields with words for players, in a line, but those that are 0 for all."""
        for member, told in self.fields.of_players():
            who = member_name(self.program, self.program.players, member, self.language)
            fields = " · ".join(f"{name} {value}" for name, value in told)
            yield printable(f"{who}: {fields}")

    def things_told(self) -> Iterator[str]:
        """The fields with words of sides and the like, each in a line."""
        for name, value in self.fields.of_things():
            yield f"{name} {value}".rstrip()

    def things(self) -> Iterator[Table]:
        """For each domain with fields a table; rows that say nothing are left out."""
        pools = {pool.domain for pool in self.program.pools}
        for domain in dict.fromkeys(var.of for _, var in self.fields.all):
            if domain is None or domain in pools:
                continue
            columns = [(index, var) for index, var in self.fields.all if var.of == domain]
            declared = self.program.domains[domain]
            title = text_of(self.program, declared.label, self.language) or declared.name
            table = self._table(title, domain, columns, list(range(len(declared.members))))
            if table.row_count:
                yield table

    def pieces(self) -> Iterator[Table]:
        """The pieces in play that lie in no pile."""
        for pool in self.program.pools:
            out = [piece for piece in in_play(self.program, self.state, pool) if not self._piled(pool, piece)]
            columns = [(index, var) for index, var in self.fields.all if var.of == pool.domain]
            if out:
                yield self._table(pool.name, pool.domain, columns, out, kinds=pool)

    def _table(
        self,
        title: str,
        domain: int,
        columns: Columns,
        rows: list[int],
        *,
        kinds: Pool | None = None,
    ) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(title=printable(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        table.show_edge, table.pad_edge = False, False
        fields, columns = columns, self.fields.telling(columns, rows)
        table.add_column("", no_wrap=True)
        for _, var in columns:
            table.add_column(self.fields.name(var))
        told = 0
        for member in rows:
            if kinds is None and not any(self.fields.says(index, member) for index, _ in columns):
                continue
            cells = [self.fields.shown(index, member) for index, _ in columns]
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
        if kinds is not None and (kind := self.fields.kind(kinds, member)):
            label = kind
        return printable(name if label in {name, ""} else f"{label} ({name})")

    def _colour(self, columns: Columns, member: int) -> str:
        """The colour of the player or side that a row's first field of such names."""
        for index, var in columns:
            if not isinstance(var.type, Id) or var.of is None or not self.eyes.owns(var.type.domain):
                continue
            if (value := self.eyes.scalar(index, member)) != NONE:
                return colour_of(self.program, var.type.domain, value)
        return ""

    # ------------------------------------------------------------ piles

    def piles(self) -> Iterator[str]:
        """How many cards each pile has, and those that may be seen."""
        for pool, _, name, cards, found in self.fields.piles():
            seen = [self.fields.card(pool, card) for card in found]
            text = word("pile", self.spoken, pile=name, count=len(cards))
            yield printable(f"{text} ({', '.join(seen)})" if seen else text)

    def _piled(self, pool: Pool, piece: int) -> bool:
        if pool.pile is None:
            return False
        return self.state[self.program.vars[pool.pile].offset + piece] != NONE


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
    from textwrap import wrap

    for shown in wrap(line, console.width, subsequent_indent="  ", drop_whitespace=False) or [line]:
        console.print(shown.rstrip(), soft_wrap=True)
