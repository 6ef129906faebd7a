"""`scenarii test`: runs the tests that games bring along, or shows what no test notices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from dsl.cli.programs import SELECT_MODS, program_of, show_progress

if TYPE_CHECKING:
    from dsl.testing.results import TestResult

FINDINGS = 1


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@SELECT_MODS
@click.option("-k", "titles", metavar="TEXT", multiple=True, help="Only tests whose title has this text.")
@click.option("--id", "ids", metavar="ID", multiple=True, help="Only tests that name this rule.")
@click.option("--mutate", metavar="GAME", help="Lose each cited clause in turn; list those no test notices.")
@click.option("-v", "--verbose", is_flag=True, help="Name the tests that pass too.")
@click.pass_context
def test(
    ctx: click.Context,
    paths: tuple[str, ...],
    mods: tuple[str, ...],
    titles: tuple[str, ...],
    ids: tuple[str, ...],
    mutate: str | None,
    verbose: bool,
) -> None:
    """Run the tests of games; without a PATH, those of the game in this folder or of all that come along."""
    if mutate is not None:
        if paths or titles or ids:
            raise click.UsageError("--mutate GAME stands alone: it runs all tests of that game.")
        ctx.exit(_mutate(ctx, mutate, mods, verbose))
    from dsl.testing.runner import run_tests

    run = failed = 0
    for path in paths or _here():
        program = program_of(ctx, path, mods, tests=True)
        results = run_tests(program, titles=titles, ids=ids)
        for each in results:
            if verbose or not each.passed:
                _tell(each)
        run += len(results)
        failed += sum(not each.passed for each in results)
    if not run:
        what = "no test has that title or id" if titles or ids else 'no tests: write `test "title":` and what it expects'
        click.echo(what, err=True)
        ctx.exit(FINDINGS)
    tests = "1 test" if run == 1 else f"{run} tests"
    click.echo(f"{run - failed} of {tests} passed" if failed else f"{tests} passed")
    ctx.exit(FINDINGS if failed else 0)


def _here() -> list[str]:
    """The game in the working folder, or all games that come with the package."""
    from pathlib import Path

    from dsl.resources import SOURCE_SUFFIX, games

    return [os.curdir] if any(Path.cwd().glob(f"*{SOURCE_SUFFIX}")) else list(games())


def _tell(result: TestResult) -> None:
    """One line for a test that passed; for one that failed also where, what was expected and what came."""
    from dsl.cli.style import coloured
    from dsl.diagnostics.excerpt import printable

    colour = coloured()
    cited = f" [{', '.join(result.cited)}]" if result.cited else ""
    word = click.style("passed", fg="green") if result.passed else click.style("FAILED", fg="red", bold=True)
    click.echo(f"{word} {printable(result.title)}{cited}", color=colour)
    if not result.passed:
        click.echo(f"  --> {result.place.file}:{result.place.line}:{result.place.column}")
        for line in printable(result.message).splitlines():
            click.echo(f"  {line}")


def _mutate(ctx: click.Context, game: str, mods: tuple[str, ...], verbose: bool) -> int:
    """Lists the ids whose loss no test notices."""
    from dsl.cache import Cache
    from dsl.cli.programs import build_of, refuse
    from dsl.diagnostics import Diagnostics
    from dsl.testing.mutate import mutate

    made = build_of(game, mods, tests=True)
    if made.program is None:
        refuse(ctx, made)
    if made.compiled_file:
        raise click.UsageError("--mutate needs the sources of a game: its name, folder or file.")
    report = mutate(game, mods, on_progress=show_progress, cache=Cache.open(os.environ))
    if isinstance(report, Diagnostics):
        refuse(ctx, made)
    assert not isinstance(report, Diagnostics)
    for line in report.lines(verbose=verbose):
        click.echo(line)
    return FINDINGS if report.unpinned or report.failing else 0
