"""`scenarii simulate`: many random games, and who wins them, how they end and how long they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.clustered import SELECT_CLUSTER, check_cluster, workers_of
from dsl.cli.compare import check_counted, check_report
from dsl.cli.completing import complete_game
from dsl.cli.engines import PYTHON, WASM, instead_of_wasm, select_engine
from dsl.cli.going_on import (
    SELECT_COUNT,
    SELECT_COUNT_RULES,
    SELECT_REPORT,
    SELECT_STATE,
    SELECT_UNTIL,
    run_kept,
)
from dsl.cli.profiling import SELECT_OUTPUT, SELECT_PROFILE, refuse_profile
from dsl.cli.programs import (
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_OPTIONS,
    SELECT_SEED,
    SELECT_STEPS,
    build_of,
    chosen_options,
    clear_progress,
    program_of,
    refuse,
    select_form,
    select_games,
    select_jobs,
    show_games,
)
from dsl.cli.tabled import SELECT_PARQUET, check_parquet
from dsl.cli.tabled import write as write_parquet

if TYPE_CHECKING:
    from dsl.ir.program import Program
    from dsl.simulation.playing import Engine, Options
    from dsl.simulation.running import Simulation, Wanted

FINDINGS, USAGE, STOPPED = 1, 2, 130
Made = TypeVar("Made")


@click.command()
@click.argument("game", metavar="GAME|PATH|FILE.ir.json", shell_complete=complete_game)
@SELECT_MODS
@select_games(1000, "How many.", least=1)
@SELECT_SEED
@SELECT_OPTIONS
@SELECT_STEPS
@select_engine("wasm")
@click.option(
    "--promises", "watched", is_flag=True, help="Look at what the game promises (`always`) at every stop."
)
@click.option(
    "--players",
    metavar="KIND,KIND",
    help="Who plays, one for all, one each, one for each team, or by name (red=greedy,random for the others): random, "
    "greedy, mcts:200 (games before each choice), mcts:0.1s.",
)
@click.option(
    "--swap",
    is_flag=True,
    help="With --players: play each seed in every seating, of teams where kinds sit by teams, so that nobody has the "
    "better seat.",
)
@SELECT_UNTIL
@SELECT_STATE
@SELECT_COUNT
@SELECT_COUNT_RULES
@SELECT_REPORT
@SELECT_PARQUET
@SELECT_PROFILE
@SELECT_OUTPUT
@select_jobs("Processes.", 1)
@SELECT_CLUSTER
@select_form("json", "csv")
@SELECT_LANGUAGE
@click.pass_context
def simulate(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    games: int,
    seed: int,
    options: tuple[str, ...],
    steps: int | None,
    engine: str | None,
    watched: bool,
    players: str | None,
    swap: bool,
    until: float | None,
    state: str | None,
    counted: bool,
    ruled: bool,
    report: str | None,
    parquet: str | None,
    profile: bool,
    stacks: str | None,
    jobs: int,
    cluster: str | None,
    form: str,
    language: str | None,
) -> None:
    """Play many games, by chance or by players that think: who wins, how they end, how long they are.

    Equal seeds give equal statistics, in however many processes and on however many machines, unless somebody thinks
    for so many seconds. Ctrl-C ends it with what has been played by then; with --state the same command goes on from
    there.

    \b
    scenarii simulate my_game --games 10000
    scenarii simulate my_game --with faster --option fog=true --format csv
    scenarii simulate my_game --games 100 --players mcts:500,random
    scenarii simulate my_game --players mcts:200,mcts:50 --swap --until 3% --games 5000 --state my_game.json
    scenarii simulate my_game --games 20 --profile --profile-output my_game.folded
    """  # noqa: D301 - `\b` keeps the lines of the examples
    refuse_profile(engine, stacks, wanted=profile)
    seats = seated(players, engine, random_only=watched or profile)
    check_counted(counted=counted, ruled=ruled)
    if counted and (watched or profile or engine == PYTHON):
        raise click.UsageError(
            "--count plays one choice after the other: leave --engine, --promises and --profile out."
        )
    if report is not None:
        check_report(report)
    if parquet is not None:
        if profile:
            raise click.UsageError("--profile plays so many games at once: leave --parquet out.")
        check_parquet(parquet, state=state)
    if swap and not seats:
        raise click.UsageError("--swap exchanges the seats of --players: say who plays.")
    check_cluster(cluster, jobs=jobs, parquet=parquet)
    if profile and cluster is not None:
        raise click.UsageError("--profile plays in this process: leave --cluster out.")
    if profile and (until is not None or state is not None):
        raise click.UsageError("--profile plays so many games at once: leave --until and --state out.")
    if profile:
        ctx.exit(
            _profile(
                ctx,
                game,
                mods,
                Asked(games, seed, chosen_options(options), watched, jobs, form, language, steps),
                stacks,
            )
        )
    from dsl.cli.figures import told
    from dsl.engine.display import in_language
    from dsl.simulation.comparing import Tried
    from dsl.simulation.running import Wanted
    from dsl.simulation.running import simulate as run

    program = _promising(ctx, game, mods) if watched else program_of(ctx, game, mods)
    settings = chosen_options(options)
    if seats or counted:
        wanted = Wanted(games, seed, settings, WASM, steps=steps, players=seats, exchanged=swap, until=until)
        if counted:
            wanted = replace(wanted, counted=True, ruled=ruled, language=language or "")
        engine_made = made(ctx, program, lambda: wanted.made(program))
        wanted = _whole_seeds(wanted, engine_made)
    else:
        plays = _engine(ctx, program, settings, engine, watched=watched, steps=steps)
        wanted = Wanted(games, seed, settings, plays, watched, steps, until=until)
    wanted = replace(wanted, listed=parquet is not None)
    with workers_of(cluster, program, wanted) as workers:
        found = run_kept(run, program, wanted, jobs, state, workers)
        jobs = workers.jobs if workers is not None else jobs
    click.echo(told(in_language(program, language), found, form, jobs, (game, mods)), nl=False)
    tried = Tried(said(tr("as it is")), in_language(program, language), found)
    if report is not None:
        from dsl.cli.report import write

        write(Path(report), (tried,))
    if parquet is not None:
        write_parquet(Path(parquet), (tried,))
    if not found.complete:
        clear_progress()
        click.echo(_broken_off(found, cluster), err=True)
        ctx.exit(FINDINGS if found.lost else STOPPED)
    ctx.exit(FINDINGS if found.tally.failures or found.tally.breaches else 0)


def _whole_seeds(wanted: Wanted, engine: Engine) -> Wanted:
    """Of each seed all games are played: their number is rounded up."""
    from dsl.simulation.seated import SeatedEngine

    if not wanted.exchanged or not isinstance(engine, SeatedEngine):
        return wanted
    each = len(engine.seatings)
    if each == 1:
        raise click.UsageError("--swap exchanges different kinds of players, and there is one: name several.")
    return replace(wanted, of_seed=each, games=-(-wanted.games // each) * each)


def seated(players: str | None, engine: str | None, *, random_only: bool) -> tuple[str, ...]:
    """The kinds of players that were asked for; none where chance plays all games."""
    from dsl.players.seats import HUMAN, kind_of

    kinds = tuple(players.split(",")) if players is not None else ()
    if kinds and random_only:
        raise click.UsageError("--promises and --profile are for random games: leave --players out.")
    if kinds and engine == PYTHON:
        raise click.UsageError("players that think do so in compiled code: leave --engine out.")
    if HUMAN in map(kind_of, kinds):
        raise click.UsageError("nobody is asked in a simulation: take random, greedy or mcts for human.")
    return kinds


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for beside a profile."""

    games: int
    seed: int
    options: Options
    watched: bool
    jobs: int
    form: str
    language: str | None
    steps: int | None


def _profile(ctx: click.Context, game: str, mods: tuple[str, ...], asked: Asked, stacks: str | None) -> int:
    """The same with a profile, by the Python engine in this process; yields the exit code."""
    from dsl.cli.figures import told
    from dsl.cli.profiling import profile_data, profile_lines, profiled, write_stacks
    from dsl.diagnostics.harmless import json_text
    from dsl.engine.display import in_language
    from dsl.simulation.profiling import ProfilingEngine
    from dsl.simulation.running import Wanted
    from dsl.simulation.running import simulate as run

    for refused, words in (
        (asked.watched, "--profile and --promises: what is promised is looked at beside the rules"),
        (asked.jobs > 1, "--profile plays in one process: leave out --jobs"),
        (asked.form == "csv", "CSV has no place for a profile: it goes with text and json"),
    ):
        if refused:
            raise click.UsageError(tr("{words}.", words=words))
    build = build_of(game, mods)
    program = build.program
    if program is None:
        refuse(ctx, build)
    assert program is not None
    engine = ProfilingEngine(program, asked.options, steps=asked.steps)
    made(ctx, program, engine.try_out)
    found = run(program, Wanted(asked.games, asked.seed, asked.options, PYTHON), 1, show_games, engine=engine)
    figures = profiled(program, engine.machine.profile, build.sources)
    if not found.complete:
        clear_progress()
    text = told(in_language(program, asked.language), found, asked.form, 1, (game, mods))
    if asked.form == "json":
        text = json_text({**json.loads(text), "profile": profile_data(figures)}) + "\n"
    click.echo(text, nl=False)
    if asked.form == "text":
        click.echo("\n".join(("", *profile_lines(figures, build.sources))))
    if stacks is not None:
        write_stacks(figures, stacks)
    if not found.complete:
        click.echo(_broken_off(found), err=True)
        return STOPPED
    return FINDINGS if found.tally.failures else 0


def _broken_off(found: Simulation, cluster: str | None = None) -> str:
    """What is said of a simulation that is not complete: how far it came, and why it ended where nobody ended it."""
    played = found.tally.played
    count, wanted = f"{played:,}", f"{found.wanted.games:,}"
    broken = (
        tr(
            "broken off after {count} of {wanted} games; with --games {played} the figures are the same",
            count=count,
            wanted=wanted,
            played=played,
        )
        if played
        else tr("broken off before the first of {wanted} games", wanted=wanted)
    )
    if not found.lost:
        return said(broken)
    if cluster is not None:
        lost = tr("the cluster was lost ({error})", error=found.lost)
        return f"{said(broken)}\n{said(lost)}"
    lost = tr(
        "a process was lost, perhaps for want of memory; fewer --jobs need less ({error})", error=found.lost
    )
    return f"{said(broken)}\n{said(lost)}"


def _promising(ctx: click.Context, game: str, mods: tuple[str, ...]) -> Program:
    """The program with what it promises, which stands beside its tests."""
    from dsl.testing.promises import without_tests

    program = without_tests(program_of(ctx, game, mods, tests=True))
    if not program.promises:
        raise click.UsageError(
            'this game promises nothing: write `always "what it is about":` and what holds.'
        )
    return program


def _engine(
    ctx: click.Context,
    program: Program,
    options: Options,
    wanted: str | None,
    *,
    watched: bool,
    steps: int | None,
) -> str:
    """The engine that can play it. Refuses options that the game does not have, before anything is played; the code is
    then in the cache.
    """
    from dsl.engine.failure import Unplayable
    from dsl.simulation.playing import ENGINES

    def engine() -> str:
        if wanted != PYTHON:
            try:
                ENGINES[WASM](program, options, watched=watched, steps=steps)
            except Unplayable as error:
                instead_of_wasm(error)
            else:
                return WASM
        ENGINES[PYTHON](program, options, watched=watched, steps=steps)
        return PYTHON

    return made(ctx, program, engine)


def made(ctx: click.Context, program: Program, make: Callable[[], Made]) -> Made:
    """What is made of a program; where it cannot be, says why and ends the command."""
    from dsl.cli.session import tell_failure
    from dsl.engine.failure import RuleFailure, StartError, Unplayable
    from dsl.players.seats import SeatError

    try:
        return make()
    except (StartError, SeatError) as error:
        raise click.UsageError(str(error)) from None
    except Unplayable as error:
        raise click.ClickException(str(error)) from None
    except RuleFailure as failure:
        tell_failure(
            program, failure, program.language, ctx.params.get("game") or "", ctx.params.get("mods") or ()
        )
        ctx.exit(FINDINGS)
