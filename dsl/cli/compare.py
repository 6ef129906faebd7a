"""`scenarii compare`: variants of a game, with equal seeds: who is favoured, by how much, and how sure that is."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.clustered import SELECT_CLUSTER, check_cluster, workers_of
from dsl.cli.completing import complete_file, complete_game
from dsl.cli.going_on import (
    SELECT_COUNT,
    SELECT_COUNT_RULES,
    SELECT_REPORT,
    SELECT_STATE,
    SELECT_UNTIL,
    AllKeeper,
    shown,
)
from dsl.cli.programs import (
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_OPTIONS,
    SELECT_SEED,
    build_of,
    chosen_options,
    clear_progress,
    refuse,
    select_form,
    select_games,
    select_jobs,
)
from dsl.cli.tabled import SELECT_PARQUET, check_parquet
from dsl.cli.tabled import write as write_parquet

if TYPE_CHECKING:
    from dsl.ir.program import Program
    from dsl.simulation.comparing import Tried

FINDINGS, STOPPED = 1, 130


@dataclass(frozen=True)
class Variant:
    """A variant that is to be played."""

    name: str
    game: str
    mods: tuple[str, ...]
    options: dict[str, str | int] = field(default_factory=dict)
    varied: str = ""
    """The mod that was written for it."""


@click.command()
@click.argument("games_", metavar="GAME [GAME ...]", nargs=-1, required=True, shell_complete=complete_game)
@SELECT_MODS
@click.option(
    "--against",
    metavar="MOD",
    multiple=True,
    help="A variant: the same with this mod; several for several.",
    shell_complete=complete_file,
)
@click.option(
    "--vary",
    metavar="WHAT=VALUES",
    help="A variant for each value of a printed number, or of an option: UnitType[tank].cost=4..9, fog=true,false.",
)
@select_games(200, "How many of each variant.", least=1)
@SELECT_UNTIL
@SELECT_SEED
@SELECT_OPTIONS
@click.option(
    "--players",
    metavar="KIND,KIND",
    help="Who plays, one for all, one each or one for each team, or by name (red=greedy,random for the others): random "
    "(the default), greedy, mcts:200, mcts:0.1s.",
)
@SELECT_STATE
@SELECT_COUNT
@SELECT_COUNT_RULES
@SELECT_REPORT
@SELECT_PARQUET
@select_jobs("Processes.", 1)
@SELECT_CLUSTER
@select_form("json", "csv")
@SELECT_LANGUAGE
@click.pass_context
def compare(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    games_: tuple[str, ...],
    mods: tuple[str, ...],
    against: tuple[str, ...],
    vary: str | None,
    games: int,
    until: float | None,
    seed: int,
    options: tuple[str, ...],
    players: str | None,
    state: str | None,
    counted: bool,
    ruled: bool,
    report: str | None,
    parquet: str | None,
    jobs: int,
    cluster: str | None,
    form: str,
    language: str | None,
) -> None:
    """Compare variants of a game: who is favoured, by how much, how sure that is, and after how many games.

    The first game, with its mods and options, is what the others are compared with: other games, mods, or values of a
    number. All are played with the same seeds. Chance plays without a plan: let players that think do it, and say so.
    With --state a comparison that was stopped goes on.

    \b
    scenarii compare my_game --vary 'Unit[tank].cost=4..9' --players mcts:100
    scenarii compare my_game --vary fog=true,false --games 1000
    scenarii compare my_game --against cheaper.scn --players mcts:50 --until 4% --report cheaper.html
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from dsl.cli.compared import told
    from dsl.cli.simulate import made, seated
    from dsl.engine.display import in_language
    from dsl.simulation.comparing import MOST_VALUES, Tried
    from dsl.simulation.running import Wanted, simulate

    seats = seated(players, None, random_only=False)
    check_counted(counted=counted, ruled=ruled)
    if report is not None:
        check_report(report)
    if parquet is not None:
        check_parquet(parquet, state=state)
    check_cluster(cluster, jobs=jobs, parquet=parquet)
    base = Variant(
        said(tr("as it is")) if len(games_) == 1 else games_[0], games_[0], mods, chosen_options(options)
    )
    tried: list[Tried] = []
    with tempfile.TemporaryDirectory(prefix="scenarii") as folder:
        variants = [
            base,
            *(Variant(each, each, mods, base.options) for each in games_[1:]),
            *(Variant(each, base.game, (*mods, each), base.options) for each in against),
            *(_varied(ctx, base, vary, Path(folder)) if vary is not None else ()),
        ]
        if not (1 if counted else 2) <= len(variants) <= MOST_VALUES:
            raise click.UsageError(
                tr(
                    "compare 2 to {most} variants: name another GAME, --against MOD or --vary.",
                    most=MOST_VALUES,
                )
            )
        programs = [_program(ctx, each) for each in variants]
    asked = [
        Wanted(
            games,
            seed,
            each.options,
            players=seats,
            until=until,
            counted=counted,
            ruled=ruled,
            listed=parquet is not None,
            language=(language or "") if counted else "",
        )
        for each in variants
    ]
    for wanted, program in zip(asked, programs, strict=True):
        made(ctx, program, partial(wanted.made, program))
    keeper = AllKeeper(state, asked, programs)
    for number, (each, program, wanted) in enumerate(zip(variants, programs, asked, strict=True)):
        with workers_of(cluster, program, wanted) as workers:
            found = simulate(
                program,
                wanted,
                jobs,
                shown(),
                earlier=keeper.tallies[number],
                on_count=partial(keeper.counted, number),
                workers=workers,
            )
        clear_progress()
        keeper.counted(number, found.tally, now=True)
        tried.append(Tried(each.name, in_language(program, language), found))
        if not found.complete:
            break
    click.echo(told(tried, form, counted=counted), nl=False)
    if report is not None:
        from dsl.cli.report import write

        write(Path(report), tried)
    if parquet is not None:
        write_parquet(Path(parquet), tried)
    if not tried[-1].simulation.complete:
        click.echo(said(tr("broken off: the last variant has fewer games")), err=True)
        ctx.exit(STOPPED)
    ctx.exit(FINDINGS if any(each.simulation.tally.failures for each in tried) else 0)


def check_counted(*, counted: bool, ruled: bool) -> None:
    """Refuses --count-rules alone."""
    if ruled and not counted:
        raise click.UsageError("--count-rules goes with --count.")


def check_report(report: str) -> None:
    """Refuses a report that cannot be written, before anything is played."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise click.ClickException(
            said(tr("plots need matplotlib: install the extra `report`, or leave --report out"))
        )
    if not Path(report).resolve().parent.is_dir():
        raise click.UsageError(tr("there is no folder for {report}.", report=report))


def _varied(ctx: click.Context, base: Variant, text: str, folder: Path) -> Iterator[Variant]:
    """A variant for each value that is tried."""
    from dsl.simulation.comparing import VaryError, varied

    try:
        found = varied(text)
        found.check(program := _program(ctx, base))
    except VaryError as error:
        raise click.UsageError(str(error)) from None
    for number, value in enumerate(found.values):
        name = f"{found.what}={value}"
        if found.option:
            yield Variant(name, base.game, base.mods, base.options | {found.option: value})
            continue
        path = folder / f"varied{number}.scn"
        path.write_text(found.mod(program.name, value), encoding="utf-8")
        yield Variant(name, base.game, (*base.mods, str(path)), base.options, str(path))


def _program(ctx: click.Context, variant: Variant) -> Program:
    made = build_of(variant.game, variant.mods)
    program = made.program
    if program is None:
        fault = next((each for each in made.diagnostics if each.is_error), None)
        if variant.varied and fault is not None:  # the file in which it stands is nobody's
            hint = f" ({fault.hint})" if fault.hint and fault.span is not None else ""
            raise click.UsageError(f"--vary {variant.name}: {fault.message}{hint}")
        refuse(ctx, made)
    assert program is not None
    return program
