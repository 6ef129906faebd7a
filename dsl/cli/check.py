"""`scenarii check`: what is wrong in games, as text for people or as JSON and SARIF for tools."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import N_, told, tr
from dsl.cli.completing import complete_game
from dsl.cli.engines import select_engine
from dsl.cli.profiling import SELECT_OUTPUT, SELECT_PROFILE, profile_lines, refuse_profile, write_stacks
from dsl.cli.programs import (
    MOST_GAMES,
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_SEED,
    SELECT_STEPS,
    Games,
    bounded,
    select_form,
)
from dsl.cli.trying import Play
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostics
    from dsl.library import Build

FINDINGS, USAGE = 1, 2


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, shell_complete=complete_game)
@SELECT_MODS
@select_form("json", "sarif")
@click.option("--warnings-as-errors", "strict", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--watch", "watching", is_flag=True, help="Check again each time a source is saved.")
@click.option(
    "--play",
    "games",
    metavar="N",
    type=Games(),
    callback=bounded(1, MOST_GAMES),
    help="Play N random games too, and say what never happens in them.",
)
@SELECT_SEED
@SELECT_STEPS
@select_engine("python for the first 100 games, wasm for more")
@SELECT_PROFILE
@SELECT_OUTPUT
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
    steps: int | None,
    engine: str | None,
    profile: bool,
    stacks: str | None,
    language: str | None,
    fix: bool,
) -> None:
    """Check games, with their tests, and say what is wrong.

    A PATH is the name of a game (see `scenarii list`), a folder with all games, scenarios and mods in it, a file of a
    game, a packed or a compiled one.
    """
    if games is not None and form == "sarif":
        raise click.UsageError("SARIF has no place for games: --play goes with text and json.")
    refuse_profile(engine, stacks, wanted=profile)
    if profile and games is None:
        raise click.UsageError("--profile goes with --play N: it tells what takes the steps of random games.")
    if steps is not None and games is None:
        raise click.UsageError("--steps goes with --play N: a check alone takes few steps.")
    play = None if games is None else Play(games, seed, language, engine, profile, steps)
    from dsl.cli.folders import targets_in

    worst = 0
    if fix:
        from dsl.cli.mending import mend_files

        worst = mend_files(targets_in(paths, mods), mods)
    if watching:
        from dsl.cli.watching import watch

        targets = targets_in(paths, mods)
        ctx.exit(watch((*paths, *targets, *mods), lambda: _check(paths, mods, form, strict, play, stacks)))
    with ExitStack() as ending:
        worst = max(worst, _check(paths, mods, form, strict, play, stacks, ending))
    ctx.exit(worst)


def _check(
    paths: tuple[str, ...],
    mods: tuple[str, ...],
    form: str,
    strict: bool,
    play: Play | None,
    stacks: str | None = None,
    ending: ExitStack | None = None,
) -> int:
    """Checks games and tells what was found; yields the exit code. With an `ending` the process is to end behind it:
    what one game left in memory stays there, and is not looked through for garbage.
    """
    from dsl.cli.folders import targets_in
    from dsl.cli.mending import remedy
    from dsl.cli.programs import build_of, clear_progress, show_progress
    from dsl.cli.rehearsing import rehearsed
    from dsl.cli.trying import exit_code, profiles, tell_trials, tried, with_trials
    from dsl.diagnostics import Diagnostics, Severity
    from dsl.garbage import leave, uncollected

    with uncollected():
        targets = targets_in(paths, mods)
    if ending is not None and play is None and len(targets) == 1:
        ending.enter_context(uncollected())
        ending.callback(leave)
    if stacks is not None and len(targets) > 1:
        raise click.UsageError(
            tr("--profile-output is one file for one game, and these are {count}.", count=len(targets))
        )
    builds = []
    for number, target in enumerate(targets):
        if len(targets) > 1:
            show_progress(number, len(targets), "checked")
        with uncollected():  # one target leaves little garbage, and much that stays
            made = build_of(target, mods, tests=True, findings=play is None)
            if play is None:
                made.diagnostics = Diagnostics((*made.diagnostics, *rehearsed(made)))
        builds.append(made)
    clear_progress()
    diagnostics = Diagnostics(each for made in builds for each in made.diagnostics)
    played = [] if play is None or diagnostics.has_errors else tried(builds, play)
    costs = [] if play is None or not played else profiles(builds, play)
    if form == "text":
        _tell(builds, diagnostics, remedy(diagnostics, paths, targets, mods))
        _tell_overlaps(targets, mods)
        for each in played:
            tell_trials(each)
        for found, sources in costs:
            click.echo("\n".join(("", *profile_lines(found, sources))))
    else:
        document = _with_overlaps(_written(diagnostics, form), form, targets, mods)
        click.echo(
            document if play is None else with_trials(document, played, [found for found, _ in costs]),
            nl=False,
        )
    if stacks is not None:
        for found, _ in costs:
            write_stacks(found, stacks)
    if not all(made.found for made in builds):
        return USAGE
    faulty = diagnostics.has_errors or (strict and diagnostics.count(Severity.WARNING))
    return FINDINGS if faulty else exit_code(played, strict)


def _tell(builds: list[Build], diagnostics: Diagnostics, remedy: str) -> None:
    """The findings, and a line for each game: that there are none, or how many."""
    import sys

    from dsl.cli.places import count_own
    from dsl.cli.style import coloured
    from dsl.diagnostics.render import render_all, summary

    if len(diagnostics):
        text = render_all(diagnostics, color=coloured(), remedy=remedy)
        click.echo(text, nl=False, color=coloured(sys.stdout))
    for made in builds:
        files = count_own(made.sources)
        read = (
            f" ({told(tr('{count} file', count=1) if files == 1 else tr('{count} files', count=files))})"
            if files
            else ""
        )
        if not made.diagnostics.has_errors:
            found = told(N_("no errors") if len(made.diagnostics) else N_("all is well"))
            click.echo(f"{_short(made.target)}: {found}{read}")
        elif len(builds) > 1:
            click.echo(f"{_short(made.target)}: {summary(made.diagnostics)}{read}")


def _tell_overlaps(targets: list[str], mods: tuple[str, ...]) -> None:
    """What several mods both do something to, even where they agree."""
    if len(mods) > 1:
        from dsl.cli.overlaps import tell_overlaps

        for target in targets:
            tell_overlaps(target, mods)


def _with_overlaps(document: str, form: str, targets: list[str], mods: tuple[str, ...]) -> str:
    """A document of diagnostics with what several mods both do something to as its `overlaps`."""
    if form != "json" or len(mods) < 2:
        return document
    import json

    from dsl.cli.overlaps import overlap_data

    found = [each for target in targets for each in overlap_data(target, mods)]
    return json_text({**json.loads(document), "overlaps": found}) + "\n"


def _written(diagnostics: Diagnostics, form: str) -> str:
    from dsl.cli.version import VERSION
    from dsl.diagnostics.machine import to_json, to_sarif

    return to_json(diagnostics) if form == "json" else to_sarif(diagnostics, version=VERSION)


def _short(target: str) -> str:
    """A target as its author would call it."""
    from dsl.diagnostics.excerpt import printable

    path = Path(target)
    return printable(path.as_posix() if not path.is_absolute() else path.name)
