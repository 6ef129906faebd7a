"""`scenarii play`: a game in the terminal, for people, for chance, or for both."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from dsl.catalogue import preferred, tr
from dsl.cli.completing import complete_file, complete_game
from dsl.cli.engines import PYTHON, machine_of, select_engine
from dsl.cli.loading import carried_rules, moved_on, refuse_save, saved_in
from dsl.cli.programs import (
    SELECT_MODS,
    SELECT_OPTIONS,
    SELECT_STEPS,
    bounded,
    chosen_options,
    program_of,
    select_language,
)

if TYPE_CHECKING:
    from dsl.cli.table import Table
    from dsl.engine.game import Game
    from dsl.engine.machine import Machine
    from dsl.saves import Save

FINDINGS, USAGE = 1, 2
FRESH_SEEDS = 1_000_000


@click.command()
@click.argument("game", metavar="[GAME|PATH|FILE.ir.json]", required=False, shell_complete=complete_game)
@SELECT_MODS
@click.option(
    "--seed",
    metavar="N",
    type=int,
    callback=bounded(-(2**63), 2**64 - 1),
    help="Where chance begins: equal seeds and choices give equal games. Without it any.",
)
@SELECT_OPTIONS
@SELECT_STEPS
@click.option(
    "--auto", is_flag=True, help="Random players take every side; the story of the game is printed."
)
@click.option(
    "--players",
    metavar="KIND,KIND",
    help="Who plays, one for all, one each or one for each team, or by name (red=human,random for the others): human, "
    "random, greedy, mcts (for a second), mcts:5s, mcts:2000 (games).",
)
@click.option(
    "--as", "viewer", metavar="PLAYER", help="Play, or watch, as this player: the others are random."
)
@click.option("--takeback", is_flag=True, help="All agree that anything may be taken back.")
@click.option(
    "--until",
    metavar="N",
    type=click.IntRange(1),
    help="With --auto: stop where decision N is to be made, and show it.",
)
@click.option("--record", metavar="FILE", help="Write the record of the game when it ends or stops.")
@click.option(
    "--load", "saved", metavar="FILE", help="Go on with a saved game.", shell_complete=complete_file
)
@click.option("--verify", is_flag=True, help="With --load: play it again from its choices, and compare.")
@click.option("--own-rules", is_flag=True, help="With --load: play on by the rules that the save carries.")
@click.option(
    "--browser", is_flag=True, help="Play in the browser: a page that is loaded again when a source changes."
)
@select_engine("wasm; with --auto python")
@select_language("Labels and messages in a language, such as fr, de, pt-BR (that of the environment).")
@click.pass_context
def play(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    game: str | None,
    mods: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    steps: int | None,
    auto: bool,
    players: str | None,
    viewer: str | None,
    takeback: bool,
    until: int | None,
    record: str | None,
    saved: str | None,
    verify: bool,
    own_rules: bool,
    browser: bool,
    engine: str | None,
    language: str | None,
) -> None:
    """Play a game in the terminal: one that comes along, one of your own, or a compiled one."""
    if browser:
        _browse(ctx, game, mods, steps, language)
        return
    _check_auto(auto, players, until)
    if saved is None and (game is None or verify or own_rules):
        lonely = "--verify" if verify else "--own-rules"
        raise click.UsageError(
            tr("{lonely} goes with --load FILE.", lonely=lonely) if game else "name a GAME, or --load FILE."
        )
    if own_rules and (game is not None or mods):
        raise click.UsageError("--own-rules takes the rules from the save; leave the game and its mods out.")
    if saved is not None and (seed is not None or options):
        raise click.UsageError("a saved game has its seed and its options; leave --seed and --option out.")
    from dsl.cli.session import check_terminal, sit

    save = saved_in(saved) if saved is not None else None
    kinds = ["random"] if auto else players.split(",") if players is not None else None
    table = _table(
        ctx,
        game,
        mods,
        seed if seed is not None else secrets.randbelow(FRESH_SEEDS),
        chosen_options(options),
        kinds=kinds,
        save=save,
        verify=verify,
        language=language,
        file=saved,
        own_rules=own_rules,
        engine=engine or (PYTHON if auto else None),
        viewer=viewer,
        takeback=takeback,
        steps=steps,
    )
    check_terminal(table)
    loaded_from = Path(saved) if saved is not None else None
    ctx.exit(sit(table, record=_record(record), loaded_from=loaded_from, until=until))


WITH_BROWSER = {"game", "mods", "steps", "browser", "language"}
"""What goes with `--browser`: all else is chosen on the page."""


def _browse(
    ctx: click.Context, game: str | None, mods: tuple[str, ...], steps: int | None, language: str | None
) -> None:
    """Serves the game as a page, until Ctrl-C."""
    from dsl.cli.browsing import browse

    chosen = (name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE)
    if (other := next((name for name in chosen if name not in WITH_BROWSER), None)) is not None:
        flag = {"viewer": "as", "saved": "load", "options": "option"}.get(other, other).replace("_", "-")
        raise click.UsageError(
            tr("--browser and --{flag} do not go together: the page asks for it.", flag=flag)
        )
    if game is None:
        raise click.UsageError("--browser takes the name of a GAME.")
    browse(ctx, game, mods, language or "", steps)


def _check_auto(auto: bool, players: str | None, until: int | None) -> None:
    """Refuses what does not go with `--auto`, or only with it."""
    if auto and players is not None:
        raise click.UsageError("--auto lets random players take every side; leave --players out.")
    if until is not None and not auto:
        raise click.UsageError("--until N goes with --auto.")


def _record(file: str | None) -> Path | None:
    """Where the record of the game goes, if it is kept; a file that is no record is left alone."""
    if file is None:
        return None
    from dsl.cli.save_paths import refuse_foreign
    from dsl.saves import FORMAT

    refuse_foreign(Path(file), FORMAT)
    return Path(file)


def _seats(
    game: Game, viewer: str | None, kinds: list[str] | None, unseated: int
) -> tuple[int | None, tuple[str, ...]]:
    """Through whose eyes the table is seen, if that was said, and who plays on each seat; some are out by now, and some
    (`unseated`, a bit for each) never sat down.
    """
    from dsl.ir.program import OUT
    from dsl.players.seats import HUMAN, SeatError, player_named, seats_as, seats_of
    from dsl.players.teams import teams_of

    program = game.machine.program
    try:
        who = player_named(program, viewer) if viewer is not None else None
        if who is not None and not kinds:
            return who, seats_as(program, who, unseated)
        seats = seats_of(program, kinds or [HUMAN], game.state[OUT], teams_of(game))
    except SeatError as error:
        raise click.UsageError(str(error)) from None
    if who is not None and any(kind == HUMAN and number != who for number, kind in enumerate(seats)):
        raise click.UsageError(
            "--as tells what one player may know, and --players seats another; leave one of them out."
        )
    return who, seats


def _table(
    ctx: click.Context,
    game: str | None,
    mods: tuple[str, ...],
    seed: int,
    options: dict[str, str | int],
    *,
    kinds: list[str] | None,
    save: Save | None,
    verify: bool,
    language: str | None,
    file: str | None = None,
    own_rules: bool = False,
    engine: str | None = None,
    viewer: str | None = None,
    takeback: bool = False,
    steps: int | None = None,
) -> Table:
    """The program, the game and its players, from what was asked for or from a save."""
    from dsl.cli.story import Teller
    from dsl.cli.table import Table
    from dsl.engine.display import languages
    from dsl.ir.program import OUT
    from dsl.players.seats import HUMAN

    target = game if game is not None else save.target if save is not None else ""
    mods = mods or (save.mods if save is not None else ())
    if steps is None and save is not None:
        steps = save.steps
    if own_rules and save is not None:
        machine: Machine = machine_of(carried_rules(save).program, engine, steps)
    else:
        machine = machine_of(program_of(ctx, target, mods), engine, steps)
        if save is not None and save.program != machine.hash:
            moved_on(save, machine, target, mods, file or "FILE")
    program = machine.program
    if save is not None:
        seed, options = save.seed, dict(save.options)
        kinds = kinds or (list(save.players) if viewer is None else None)
        language = save.language if language is None else language
    started = _begun(ctx, machine, seed, options, save=save, verify=verify)
    who, seats = _seats(started, viewer, kinds, started.state[OUT] if save is None else 0)
    reader = next((number for number, kind in enumerate(seats) if kind == HUMAN), who)
    language = language or preferred(os.environ, languages(program))
    teller = Teller(machine, language, reader)
    return Table(
        machine,
        started,
        target=target,
        mods=mods,
        seed=seed,
        options=options,
        seats=seats,
        teller=teller,
        loaded=save,
        takeback=takeback,
    )


def _begun(
    ctx: click.Context,
    machine: Machine,
    seed: int,
    options: dict[str, str | int],
    *,
    save: Save | None,
    verify: bool,
) -> Game:
    """The game at its first decision, or where it was saved; where there is none, says why and ends."""
    from dsl.cli.session import tell_failure
    from dsl.engine.failure import RuleFailure, StartError, Unplayable
    from dsl.engine.game import Game

    try:
        if save is not None:
            return _restored(ctx, machine, save, verify)
        return Game.start(machine, seed=seed, options=options, telling=True)
    except StartError as error:
        raise click.UsageError(str(error)) from None
    except Unplayable as error:
        raise click.ClickException(str(error)) from None
    except RuleFailure as failure:
        tell_failure(
            machine.program,
            failure,
            machine.program.language,
            ctx.params.get("game") or "",
            ctx.params.get("mods") or (),
        )
        ctx.exit(FINDINGS)


def _restored(ctx: click.Context, machine: Machine, save: Save, verify: bool) -> Game:
    from dsl.saves import restored

    found = restored(machine, save, verify=verify)
    if isinstance(found, list):
        refuse_save(found)
    return found
