"""`scenarii show`: what a game holds, in tables, with its map; or one thing of it."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dsl.catalogue import N_, told
from dsl.cli.columns import Column, show_columns
from dsl.cli.completing import complete_game, complete_name
from dsl.cli.languages import check_language
from dsl.cli.places import here
from dsl.cli.programs import SELECT_FORM, SELECT_LANGUAGE, SELECT_MODS, build_of, refuse
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from dsl.authoring.sections import Line, Section
    from dsl.ir.program import Program
    from dsl.source import Source

HEADINGS = frozenset(
    {
        N_("players"),
        N_("scenario"),
        N_("mod"),
        N_("rounds"),
        N_("decisions"),
        N_("rulings"),
        N_("options"),
        N_("modes"),
        N_("name"),
        N_("choices"),
        N_("about"),
        N_("kind"),
        N_("pieces"),
        N_("pile"),
        N_("value"),
        N_("values"),
        N_("gives"),
        N_("clauses"),
        N_("field"),
        N_("type"),
        N_("called"),
        N_("action"),
        N_("actions"),
        N_("phase"),
        N_("phases"),
        N_("by"),
        N_("words"),
        N_("menu"),
        N_("menus"),
        N_("window"),
        N_("windows"),
        N_("ending"),
        N_("endings"),
        N_("who"),
        N_("may refuse it"),
    }
)
"""What tables are headed with that are not of the game."""
OF_THE_GAME = frozenset({"kinds", "lookup", "effects", "pieces"})
"""Sections whose headings are the game's own names."""


@click.command()
@click.argument("game", metavar="GAME|PATH", shell_complete=complete_game)
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=complete_name)
@SELECT_MODS
@SELECT_FORM
@SELECT_LANGUAGE
def show(game: str, names: tuple[str, ...], mods: tuple[str, ...], form: str, language: str | None) -> None:
    """Show what a game holds: kinds and cards, tables, the map, values, actions, options.

    With a NAME only that: a table, a row of one, a sort of things (`values`, `actions`, `rulings`, `map`).

    \b
    scenarii show GAME
    scenarii show GAME map
    scenarii show my_game scout --with my_variant.scn
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from dsl.authoring.sections import chosen
    from dsl.authoring.survey import sections

    made = build_of(game, mods)
    program = made.program
    if program is None:
        refuse(click.get_current_context(), made)
    assert program is not None
    check_language(program, language)
    found = tuple(_from_here(each, made.sources) for each in sections(program, language or ""))
    drawn = not names or any(_is_map(program, name) for name in names)
    picked = chosen(found, [name for name in names if not _is_map(program, name)]) if names else None
    if isinstance(picked, str):
        raise click.UsageError(picked)
    if form == "json":
        document = _data(program, found, picked) | (_map_data(program, language or "") if drawn else {})
        click.echo(json_text(document))
        return
    _print(program, found if picked is None else picked, drawn, language or "")


def _from_here(section: Section, sources: Sequence[Source]) -> Section:
    """A section with its places as files from the working folder."""
    rows = tuple(replace(row, where=here(row.where, sources)) for row in section.rows)
    return replace(section, rows=rows, where=here(section.where, sources))


def _is_map(program: Program, name: str) -> bool:
    return name == "map" or any(board.name == name for board in program.boards)


def _data(
    program: Program, found: tuple[Section, ...], picked: tuple[Section | tuple[Section, Line], ...] | None
) -> dict[str, object]:
    """The document of `--format json`."""
    told = found if picked is None else picked
    shown = [each if not isinstance(each, tuple) else each[0].only(each[1]) for each in told]
    return {"game": program.name, "sections": [each.data() for each in shown]}


def _map_data(program: Program, language: str) -> dict[str, object]:
    """The maps of the document: the drawing as it stands at the first decision, and its legend."""
    from dsl.authoring.ground import begun, legend
    from dsl.cli.board import drawings
    from dsl.engine.machine import Machine

    machine = Machine(program)
    drawn = drawings(machine, begun(machine), None, language)
    maps = [
        {
            "name": board.name,
            "shape": board.shape,
            "lines": [line.plain.rstrip() for line in each.lines],
            "legend": dict(legend(machine, board, language)),
        }
        for board, each in zip(program.boards, drawn, strict=True)
    ]
    return {"maps": maps}


# ---------------------------------------------------------------- in words


def _print(
    program: Program,
    told: tuple[Section | tuple[Section, Line], ...],
    drawn: bool,
    language: str,
) -> None:
    from dsl.cli.style import console

    out = console()
    whole = any(not isinstance(each, tuple) and each.kind == "game" for each in told)
    first = True
    if drawn and not whole:
        _maps(out, program, language)
        first = False
    for each in told:
        if not first:
            out.print()
        first = False
        if isinstance(each, tuple):
            show_card(out, program, *each, language or program.language)
        else:
            _section(out, each)
        if drawn and not isinstance(each, tuple) and each.kind == "game":
            out.print()
            _maps(out, program, language)


def _section(out: Console, section: Section) -> None:
    """A table under its name; a list of pairs for what is told of the game."""
    from rich.text import Text

    from dsl.diagnostics.excerpt import printable

    head = Text(printable(_said(section, section.name)), style="bold")
    for text, style in (
        (_said(section, section.title), ""),
        (section.source, "cyan"),
        (section.where, "dim"),
    ):
        if text and text != _said(section, section.name):
            head.append(f"  {printable(text)}", style=style)
    out.print(head, soft_wrap=True)
    show_columns(out, columns_of(section), out.width if sys.stdout.isatty() else None)


def columns_of(section: Section) -> list[Column]:
    """The columns of a table, with one more for what its rows cite, if they do."""
    from dsl.diagnostics.excerpt import printable

    columns = []
    for at, name in enumerate(section.columns):
        cells = tuple(row.cells[at] if at < len(row.cells) else "" for row in section.rows)
        if section.kind == "game" and at == 0:
            cells = tuple(_said(section, each) for each in cells)
        numbers = any(cells) and all(each in {"", "-"} or _number(each) for each in cells)
        columns.append(Column(_said(section, name), tuple(map(printable, cells)), numbers))
    if any(row.source for row in section.rows):
        columns.append(Column("", tuple(printable(row.source) for row in section.rows), style="cyan"))
    return columns


def _said(section: Section, text: str) -> str:
    """A heading of Scenarii's own in the language of the reader; a name of the game as it is."""
    return told(text) if text in HEADINGS and section.kind not in OF_THE_GAME else text


def _number(text: str) -> bool:
    """Is it a number, or two of them, such as `6/9` or `1-4`?"""
    return all(each.isdigit() for each in re.split("[-/]", text.removeprefix("-"), maxsplit=1))


def show_card(out: Console, program: Program, section: Section, row: Line, language: str) -> None:
    """One line of a table with all that is printed of it, and the titles of the rules that it cites."""
    from rich.text import Text

    from dsl.authoring.words import titles
    from dsl.diagnostics.excerpt import printable

    head = Text(printable(row.name), style="bold")
    for text, style in ((section.name, ""), (row.source, "cyan"), (row.where, "dim")):
        head.append(f"  {printable(text)}" if text else "", style=style)
    out.print(head, soft_wrap=True)
    width = max((len(each) for each in section.columns), default=0)
    for name, cell in zip(section.columns, row.cells, strict=False):
        if cell and not (name in {"", "id"} and cell == row.name):
            line = Text(f"    {name:<{width}}  ", style="dim")
            out.print(line.append(printable(cell), style="default"), soft_wrap=True)
    known = titles(program, language)
    cited = re.findall(r"[^\s,\[\]]+", row.source)
    for rule in [each for each in known if each in cited]:
        out.print(Text(printable(f"    {rule} {known[rule]}"), style="cyan"), soft_wrap=True)


def _maps(out: Console, program: Program, language: str) -> None:
    """Each map as `play` draws it at the first decision, and what the signs on it mean."""
    from rich.text import Text

    from dsl.authoring.ground import begun, legend
    from dsl.cli.board import Drawing, drawings, show_drawing
    from dsl.cli.session import tell_unsaid
    from dsl.diagnostics.excerpt import printable
    from dsl.engine.machine import Machine

    machine = Machine(program)
    state = begun(machine)
    drawn = drawings(machine, state, None, language, out.width)
    for board, each in zip(program.boards, drawn, strict=True):
        out.print(
            Text(printable(board.name), style="bold").append(
                f"  {board.shape.replace('_', ', ')}", style="dim"
            )
        )
        meanings = dict(legend(machine, board, language))
        signs = [Text(printable(f"{sign} {meaning}"), style="dim") for sign, meaning in meanings.items()]
        signs += [line for line in each.legend if line.plain.partition(" ")[0] not in meanings]
        show_drawing(out, Drawing(each.lines, tuple(signs)))
    tell_unsaid(machine, language or program.language)
