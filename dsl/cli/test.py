"""`scenarii test`: runs the tests that games bring along, or shows what no test notices."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.completing import complete_game
from dsl.cli.engines import PYTHON, WASM
from dsl.cli.programs import (
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_SEED,
    SELECT_STEPS,
    select_form,
    select_games,
    select_jobs,
    show_progress,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dsl.authoring.edits import Edit
    from dsl.diagnostics import Diagnostics
    from dsl.engine.machine import Machine
    from dsl.library import Build
    from dsl.source import Source
    from dsl.testing.results import TestResult

FINDINGS, USAGE = 1, 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run, and how it is told; `games` is how many are played to see whether promises are kept, with
    compiled code or not.
    """

    paths: tuple[str, ...]
    mods: tuple[str, ...]
    titles: tuple[str, ...]
    ids: tuple[str, ...]
    games: int
    seed: int
    form: str
    output: str | None
    verbose: bool
    language: str | None
    engine: str
    compiled: bool
    steps: int | None


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=complete_game)
@SELECT_MODS
@click.option("-k", "titles", metavar="WORD", multiple=True, help="Only tests whose title has this text.")
@click.option("--id", "ids", metavar="ID", multiple=True, help="Only tests that name this rule.")
@select_games(6, "Random games in which promises (`always`) are to be kept.")
@SELECT_SEED
@SELECT_STEPS
@SELECT_LANGUAGE
@click.option(
    "--engine",
    type=click.Choice([WASM, PYTHON]),
    default=PYTHON,
    show_default=True,
    help="With wasm both run each test, and have to come to the same.",
)
@select_form("junit")
@click.option("-o", "--output", metavar="FILE", help="With --format junit: write the results to a file.")
@click.option("--watch", "watching", is_flag=True, help="Run them again each time a source is saved.")
@select_jobs("With --mutate: how many at a time.")
@click.option("--mutate", metavar="GAME", help="Lose each cited clause in turn; list those no test notices.")
@click.option("-v", "--verbose", is_flag=True, help="Name the tests that pass too.")
@click.pass_context
def test(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    paths: tuple[str, ...],
    mods: tuple[str, ...],
    titles: tuple[str, ...],
    ids: tuple[str, ...],
    games: int,
    seed: int,
    steps: int | None,
    language: str | None,
    engine: str,
    form: str,
    output: str | None,
    watching: bool,
    jobs: int | None,
    mutate: str | None,
    verbose: bool,
) -> None:
    """Run the tests of games; without a PATH, those of the games in this folder or of all that come along.

    A folder stands for all games, scenarios and mods in it.

    What a game promises (`always`) is looked at wherever its tests stop, and in some random games.

    A test that fails is told with its last lines, what happened, and the board.
    """
    if mutate is not None:
        if paths or titles or ids or watching or form != "text" or engine != PYTHON:
            raise click.UsageError("--mutate GAME stands alone: it runs all tests of that game.")
        ctx.exit(_mutate(ctx, mutate, mods, verbose, jobs))
    if output is not None and form == "text":
        raise click.UsageError("-o FILE goes with --format junit.")
    compiled = engine == WASM or ctx.get_parameter_source("engine") == ParameterSource.DEFAULT
    wanted = Wanted(
        *(paths or tuple(_here()), mods, titles, ids, games, seed, form, output, verbose, language, engine),
        compiled,
        steps,
    )
    if watching:
        from dsl.cli.folders import targets_in
        from dsl.cli.watching import watch

        ctx.exit(watch((*wanted.paths, *targets_in(wanted.paths, mods), *mods), lambda: _run(wanted)))
    ctx.exit(_run(wanted))


def _run(wanted: Wanted) -> int:
    """Runs what is wanted; yields the exit code, the worst of all games."""
    from dsl.cli.folders import targets_in
    from dsl.cli.programs import build_of, clear_progress, show_progress, tell_faults
    from dsl.diagnostics.excerpt import printable

    targets = targets_in(wanted.paths, wanted.mods)
    several = len(targets) > 1
    found: dict[str, list[tuple[TestResult, str]]] = {}
    faulty: dict[str, Build] = {}
    for number, path in enumerate(targets):
        if several:
            show_progress(number, len(targets), "games")
        made = build_of(path, wanted.mods, tests=True)
        clear_progress()
        if made.program is None:
            tell_faults(made)
            faulty[path] = made
            told = said(tr("it does not compile"))
        else:
            found[path] = _results(made, path, wanted)
            told = _summary([each for each, _ in found[path]]) or said(tr("no tests"))
        if several:
            click.echo(f"{printable(path)}: {told}", err=wanted.form != "text")
    if wanted.form == "junit":
        _write(found, {path: made.diagnostics for path, made in faulty.items()}, wanted.output)
    results = [each for results in found.values() for each, _ in results]
    codes = [FINDINGS if made.found else USAGE for made in faulty.values()]
    if not results:
        none = tr('no tests: write `test "title":` and what it expects')
        if found:
            unmet = tr("no test has that title or id")
            click.echo(said(unmet if wanted.titles or wanted.ids else none), err=True)
        return max([FINDINGS, *codes])
    told_of = [_summary(results)]
    if faulty:
        one = tr("1 of {all} does not compile", all=len(targets))
        many = tr("{count} of {all} do not compile", count=len(faulty), all=len(targets))
        told_of.append(said(one if len(faulty) == 1 else many))
    click.echo(", ".join(told_of), err=wanted.form != "text" and wanted.output is None)
    return max([FINDINGS if any(not each.passed for each in results) else 0, *codes])


def _summary(results: Sequence[TestResult]) -> str:
    """How many tests passed and promises are kept; empty where there are none."""
    found = []
    for promise in (False, True):
        those = [each for each in results if each.promise is promise and not each.skipped]
        if those:
            found.append(said(_of(len(those), sum(not each.passed for each in those), promise=promise)))
    skipped = [each.skipped for each in results if each.skipped]
    for why in dict.fromkeys(skipped):
        found.append(said(tr("{count} skipped ({why})", count=skipped.count(why), why=why)))
    return ", ".join(found)


def _of(count: int, failed: int, *, promise: bool) -> str:
    """Such as: 3 of 4 tests passed."""
    good = count - failed
    if promise and count == 1:
        return tr("0 of 1 promise kept") if failed else tr("1 promise kept")
    if promise:
        some = tr("{good} of {count} promises kept", good=good, count=count)
        return some if failed else tr("{count} promises kept", count=count)
    if count == 1:
        return tr("0 of 1 test passed") if failed else tr("1 test passed")
    some = tr("{good} of {count} tests passed", good=good, count=count)
    return some if failed else tr("{count} tests passed", count=count)


def _results(made: Build, path: str, wanted: Wanted) -> list[tuple[TestResult, str]]:
    """The results of a game, each told at once; for documents with what is to be said where it failed."""
    from dsl.cli.engines import tested_machine
    from dsl.cli.failing import edits_of, mod_lines, show_trace, tell, trace_lines
    from dsl.cli.places import all_here, here
    from dsl.engine.display import in_language
    from dsl.testing.runner import run_test, selected
    from dsl.testing.trace import traced

    assert made.program is not None
    machine = tested_machine(in_language(made.program, wanted.language), wanted.engine, wanted.steps)
    found = list[tuple["TestResult", str]]()
    edits: Sequence[Edit] | None = None
    for test in selected(made.program.tests, wanted.titles, frozenset(wanted.ids)):
        result, more = run_test(machine, test), ""
        if edits is None and not result.passed:
            edits = edits_of(path, wanted.mods) if made.program.mods else ()
        if wanted.form == "text":
            if wanted.verbose or not result.passed:
                tell(result, made.sources)
            if not result.passed:
                show_trace(machine, test, made.sources, edits or ())
        elif not result.passed:
            lines = mod_lines(machine, test, made.sources, edits or ())
            more = "\n".join([*lines, *trace_lines(machine, traced(machine, test), made.sources)])
        if wanted.form != "text":
            place = replace(result.place, file=here(result.place.file, made.sources))
            result = replace(result, place=place, message=all_here(result.message, made.sources))
        found.append((result, more))
    return [*found, *_promises(machine, path, wanted, made.sources)]


def _promises(
    machine: Machine, path: str, wanted: Wanted, sources: Sequence[Source]
) -> list[tuple[TestResult, str]]:
    """What came of the promises in random games, each told as a test is."""
    from dsl.cli.failing import tell
    from dsl.cli.places import all_here, here
    from dsl.cli.programs import show_games
    from dsl.cli.promise_report import command_to, results_of, selected_lines, show_breach
    from dsl.engine.promises import lines_of
    from dsl.testing.promise_games import watched

    lines = selected_lines(machine.program, wanted.titles, frozenset(wanted.ids))
    if not lines:
        return []
    others = frozenset(range(len(lines_of(machine.program)))) - lines
    played = watched(
        machine, wanted.games, wanted.seed, but=others, compiled=wanted.compiled, on_progress=show_games
    )
    found = []
    for result, breach in results_of(machine.program, lines, played):
        if wanted.form == "text" and (wanted.verbose or not result.passed):
            tell(result, sources)
            if breach is not None:
                show_breach(machine, breach, path, wanted.mods, wanted.language)
        more = command_to(breach, path, wanted.mods) if breach is not None else ""
        place = replace(result.place, file=here(result.place.file, sources))
        told = replace(result, promise=True, place=place, message=all_here(result.message, sources))
        found.append((told, more))
    return found


def _write(
    found: dict[str, list[tuple[TestResult, str]]], faulty: dict[str, Diagnostics], output: str | None
) -> None:
    """The document, to a file or to standard output."""
    from pathlib import Path

    from dsl.cli.junit import junit
    from dsl.cli.save_paths import refuse_foreign
    from dsl.files import write_atomically

    text = junit(found, faulty)
    if output is None:
        click.echo(text, nl=False)
        return
    refuse_foreign(Path(output), "", rb"<testsuites[\s>]")
    try:
        write_atomically(Path(output), text)
    except OSError as error:
        raise click.UsageError(
            tr("{output} cannot be written: {strerror}", output=output, strerror=error.strerror or error)
        ) from None


def _here() -> list[str]:
    """The games in the working folder, or all games that come with the package."""
    from pathlib import Path

    from dsl.resources import SOURCE_SUFFIX, games

    return [os.curdir] if any(Path.cwd().glob(f"*{SOURCE_SUFFIX}")) else list(games())


def _mutate(ctx: click.Context, game: str, mods: tuple[str, ...], verbose: bool, jobs: int | None) -> int:
    """Lists the ids whose loss no test notices."""
    from dsl.cache import Cache
    from dsl.cli.programs import build_of, refuse
    from dsl.diagnostics import Diagnostics
    from dsl.testing.mutate import WORKERS, mutate

    made = build_of(game, mods, tests=True)
    if made.program is None:
        refuse(ctx, made)
    if made.compiled_file:
        raise click.UsageError("--mutate needs the sources of a game: its name, folder or file.")
    cache = Cache.open(os.environ)
    report = mutate(game, mods, workers=jobs or WORKERS, own=True, on_progress=show_progress, cache=cache)
    if isinstance(report, Diagnostics):
        refuse(ctx, made)
    assert not isinstance(report, Diagnostics)
    for line in report.lines(verbose=verbose):
        click.echo(line)
    return FINDINGS if report.unpinned or report.failing else 0
