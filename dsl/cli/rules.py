"""`scenarii rules`: how each rule of a game's rulebook stands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from dsl.cli.completing import complete_game
from dsl.cli.places import all_here
from dsl.cli.programs import (
    SELECT_FORM,
    SELECT_MODS,
    build_of,
    refuse,
    select_games,
    select_jobs,
    show_games,
    show_progress,
)
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dsl.source import Source

FINDINGS = 1
DEFAULT_GAMES = 50


@click.command()
@click.argument("game", metavar="GAME", shell_complete=complete_game)
@SELECT_MODS
@SELECT_FORM
@select_games(DEFAULT_GAMES, "How many random games show what is exercised.")
@select_jobs("How many mutants are tried at a time.")
@click.option("--rulings", is_flag=True, help="List the rulings and options instead.")
@click.option("--house", is_flag=True, help="List what is not of the book, but of the house, instead.")
@click.pass_context
def rules(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    form: str,
    games: int,
    jobs: int | None,
    rulings: bool,
    house: bool,
) -> None:
    """Print each rule of a rulebook: where it stands, its tests, whether they hold it, whether play meets it.

    Exits with 1 where an applicable rule is missing, or no test notices its loss.
    """
    made = build_of(game, mods, tests=True)
    program = made.program
    if program is None:
        refuse(ctx, made)
    assert program is not None
    if rulings or house:
        from dsl.testing import rules as ours

        listed = {"rulings": list(ours.rulings(program))} if rulings else {}
        listed |= {"house": list(ours.house(program))} if house else {}
        listed = {sort: [all_here(each, made.sources) for each in lines] for sort, lines in listed.items()}
        _list(listed, form)
        return
    if made.compiled_file:
        raise click.UsageError("the report needs the sources of a game: its name, folder or file.")
    ctx.exit(_report(ctx, game, mods, form, games, jobs, made.sources))


def _list(listed: dict[str, list[str]], form: str) -> None:
    from dsl.diagnostics.excerpt import printable

    if form == "json":
        click.echo(json_text(listed))
        return
    for lines in listed.values():
        for line in lines:
            click.echo(printable(line))


def _report(
    ctx: click.Context,
    game: str,
    mods: Sequence[str],
    form: str,
    games: int,
    jobs: int | None,
    sources: Sequence[Source],
) -> int:
    from dsl.cache import Cache
    from dsl.diagnostics import Diagnostics
    from dsl.diagnostics.excerpt import printable
    from dsl.library import Build
    from dsl.testing.mutate import WORKERS
    from dsl.testing.rules import rules as report_on

    cache = Cache.open(os.environ)
    found = report_on(
        game,
        mods,
        games=games,
        workers=jobs or WORKERS,
        on_progress=show_progress,
        on_game=show_games,
        cache=cache,
    )
    if isinstance(found, Diagnostics):
        refuse(ctx, Build(game, found))
    assert not isinstance(found, Diagnostics)
    if form == "json":
        click.echo(json_text(found.data()))
    else:
        for line in found.lines():
            click.echo(printable(all_here(line, sources)))
    return 0 if found.clean else FINDINGS
