"""`scenarii check`: what is wrong in games, as text for people or as JSON and SARIF for tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.cli.completing import complete_game
from dsl.cli.engines import select_engine
from dsl.cli.programs import MOST_GAMES, SELECT_LANGUAGE, SELECT_MODS, SELECT_SEED, bounded
from dsl.cli.trying import Play

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostics
    from dsl.library import Build

FINDINGS, USAGE = 1, 2


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, shell_complete=complete_game)
@SELECT_MODS
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True
)
@click.option("--warnings-as-errors", "strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--watch", "watching", is_flag=True, help="Check again each time a source is saved.")
@click.option(
    "--play",
    "games",
    metavar="N",
    type=int,
    callback=bounded(1, MOST_GAMES),
    help="Play N random games too, and say what never happens in them.",
)
@SELECT_SEED
@select_engine("python for the first 100 games, wasm for more")
@SELECT_LANGUAGE
@click.option("--fix", is_flag=True, help="First put right what is surely wrong, such as a missing colon.")
@click.pass_context
def check(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    paths: tuple[str, ...],
    mods: tuple[str, ...],
    form: str,
    strict: bool,
    watching: bool,
    games: int | None,
    seed: int,
    engine: str | None,
    language: str | None,
    fix: bool,
) -> None:
    """Check games, with their tests, and say what is wrong.

    A PATH is the name of a game (see `scenarii list`), a folder, a file of a game, a packed or a compiled one.
    """
    if games is not None and form == "sarif":
        raise click.UsageError("SARIF has no place for games: --play goes with text and json.")
    play = None if games is None else Play(games, seed, language, engine)
    if fix:
        from dsl.cli.mending import mend_files

        mend_files(paths, mods)
    if watching:
        from dsl.cli.watching import watch

        ctx.exit(watch((*paths, *mods), lambda: _check(paths, mods, form, strict, play)))
    ctx.exit(_check(paths, mods, form, strict, play))


def _check(
    paths: tuple[str, ...],
    mods: tuple[str, ...],
    form: str,
    strict: bool,
    play: Play | None,
) -> int:
    """Checks games and tells what was found; yields the exit code."""
    from dsl.cli.programs import build_of
    from dsl.cli.trying import exit_code, tell_trials, tried, with_trials
    from dsl.diagnostics import Diagnostics, Severity

    builds = [build_of(path, mods, tests=True) for path in paths]
    diagnostics = Diagnostics(each for made in builds for each in made.diagnostics)
    played = [] if play is None or diagnostics.has_errors else tried(builds, play)
    if form == "text":
        _tell(builds, diagnostics)
        _tell_overlaps(paths, mods)
        for each in played:
            tell_trials(each)
    else:
        document = _with_overlaps(_written(diagnostics, form), form, paths, mods)
        click.echo(document if play is None else with_trials(document, played), nl=False)
    if not all(made.found for made in builds):
        return USAGE
    found = diagnostics.has_errors or (strict and diagnostics.count(Severity.WARNING))
    return FINDINGS if found else exit_code(played, strict)


def _tell(builds: list[Build], diagnostics: Diagnostics) -> None:
    """The findings, or one line that says that there are none."""
    import sys

    from dsl.cli.places import count_own
    from dsl.cli.style import coloured
    from dsl.diagnostics.render import render_all

    if len(diagnostics):
        click.echo(render_all(diagnostics, color=coloured()), nl=False, color=coloured(sys.stdout))
    if not diagnostics.has_errors:
        files = count_own([source for made in builds for source in made.sources])
        names = ", ".join(_short(made.target) for made in builds)
        read = f" ({files} file{'s' if files != 1 else ''})" if files else ""
        click.echo(f"{names}: {'no errors' if len(diagnostics) else 'all is well'}{read}")


def _tell_overlaps(paths: tuple[str, ...], mods: tuple[str, ...]) -> None:
    """What several mods both do something to, even where they agree."""
    if len(mods) > 1:
        from dsl.cli.overlaps import tell_overlaps

        for path in paths:
            tell_overlaps(path, mods)


def _with_overlaps(document: str, form: str, paths: tuple[str, ...], mods: tuple[str, ...]) -> str:
    """A document of diagnostics with what several mods both do something to as its `overlaps`."""
    if form != "json" or len(mods) < 2:
        return document
    import json

    from dsl.cli.overlaps import overlap_data

    found = [each for path in paths for each in overlap_data(path, mods)]
    return json.dumps({**json.loads(document), "overlaps": found}, ensure_ascii=False, indent=2) + "\n"


def _written(diagnostics: Diagnostics, form: str) -> str:
    from dsl.cli.version import VERSION
    from dsl.diagnostics.machine import to_json, to_sarif

    return to_json(diagnostics) if form == "json" else to_sarif(diagnostics, version=VERSION)


def _short(target: str) -> str:
    """A target as its author would call it."""
    from dsl.diagnostics.excerpt import printable

    path = Path(target)
    return printable(path.as_posix() if not path.is_absolute() else path.name)
