"""`scenarii resolve`: a name with each clause and mod that bears on it, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dsl.cli.completing import complete_game, complete_name
from dsl.cli.programs import SELECT_FORM, SELECT_LANGUAGE, SELECT_MODS
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from rich.text import Text

    from dsl.authoring.entries import Entry, Resolved
    from dsl.ir.program import Program
    from dsl.linker.modules import Modules
    from dsl.source import Span


@click.command()
@click.argument("game", metavar="GAME|PATH", shell_complete=complete_game)
@click.argument("name", metavar="NAME", shell_complete=complete_name)
@SELECT_MODS
@SELECT_LANGUAGE
@SELECT_FORM
@click.pass_context
def resolve(
    ctx: click.Context, game: str, name: str, mods: tuple[str, ...], language: str | None, form: str
) -> None:
    """Show all that bears on a name: its clauses, what lifts them, what mods change, its tests.

    NAME is a value, an action, a row or card, a column (Troop.cost), a cell (MI.cost), a table, a field, an option,
    or the number of a rule.

    \b
    scenarii resolve my_game enter
    scenarii resolve GAME NAME --with my_variant.scn
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from dsl.authoring.resolve import resolved

    program, modules, pairs = _read(ctx, game, mods)
    found = resolved(program, modules, name, language or "", pairs=pairs)
    if isinstance(found, str):
        raise click.UsageError(found)
    if form == "json":
        click.echo(json_text({"game": game, **found.data()}))
    else:
        _tell(found)


def _read(
    ctx: click.Context, game: str, mods: tuple[str, ...]
) -> tuple[Program, Modules, list[tuple[Span, Span]]]:
    """The game with its tests, its trees, and the clauses that may contradict each other; where there is none, says why
    and ends the command.
    """
    from dsl.authoring.resolve import undecided
    from dsl.cli.programs import build_of, refuse, trees_of
    from dsl.library import COMPILED_SUFFIX
    from dsl.resources import meant_game

    if game.endswith(COMPILED_SUFFIX) and meant_game(game) is None:
        raise click.UsageError("a compiled program has no sources: name the game, its folder or its file.")
    made = build_of(game, mods, tests=True)
    if made.program is None:
        refuse(ctx, made)
    assert made.program is not None
    return made.program, trees_of(game, mods), undecided(made.diagnostics)


def _tell(found: Resolved) -> None:
    from rich.text import Text

    from dsl.cli.style import console
    from dsl.diagnostics.excerpt import printable

    out = console()
    out.print(
        Text(printable(f"{found.kind} "), style="dim").append(printable(found.head), style="bold not dim"),
        soft_wrap=True,
    )
    for group in found.groups:
        out.print()
        out.print(Text(group.name, style="bold"))
        for entry in group.entries:
            for line in _lines(entry, short=group.name == "printed" and not (entry.origin or entry.note)):
                out.print(line, soft_wrap=True)


def _lines(entry: Entry, *, short: bool) -> list[Text]:
    """An entry: its words, then where it stands, its rules, and what it is over; a `short` one has its words only."""
    from rich.text import Text

    from dsl.diagnostics.excerpt import printable

    lines = [Text(f"    {printable(each)}") for each in entry.text]
    if short:
        return lines
    about = [entry.where, *([entry.origin] if entry.origin else []), *([entry.note] if entry.note else [])]
    lines.append(Text(f"        {printable(', '.join(about))}", style="dim"))
    lines += [Text(f"        {printable(each)}", style="cyan") for each in entry.titles]
    if entry.over:
        lines.append(Text(f"        over {printable(', '.join(entry.over))}", style="yellow"))
    if entry.lifted_by:
        lines.append(Text(f"        lifted by {printable(', '.join(entry.lifted_by))}", style="yellow"))
    if entry.undecided:
        told = f"may contradict {', '.join(entry.undecided)} (W0407)"
        lines.append(Text(f"        {printable(told)}", style="yellow"))
    return lines
