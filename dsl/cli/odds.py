"""`scenarii odds`: what an action can come to, and how likely each of it is, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.completing import complete_game
from dsl.cli.programs import (
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_OPTIONS,
    SELECT_STEPS,
    chosen_options,
    program_of,
    select_form,
    select_seed,
)

if TYPE_CHECKING:
    from dsl.cli.odds_rows import Reader
    from dsl.cli.odds_selection import Policy
    from dsl.engine.decision import Decision, Option
    from dsl.engine.game import Game
    from dsl.engine.machine import Machine
    from dsl.ir.nodes import Expr
    from dsl.ir.program import Program
    from dsl.odds.position import Position, Sources
    from dsl.odds.walk import Spread
    from dsl.saves import Save

FINDINGS, USAGE = 1, 2
MOST_WAYS, MOST_SAMPLES = 100_000, 1_000_000
SAVE_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for."""

    target: str
    action: str
    mods: tuple[str, ...]
    options: dict[str, str | int]
    seed: int
    test: str | None
    texts: tuple[str, ...]
    choices: tuple[str, ...]
    samples: int
    steps: int | None
    language: str


@click.command()
@click.argument("game", metavar="GAME|PATH|SAVE.json", shell_complete=complete_game)
@click.argument("action", metavar="[ACTION]", required=False)
@click.option(
    "--test", metavar="TITLE", help="Stand where this test of the game stands, and do what it does."
)
@click.option(
    "--of",
    "texts",
    metavar="EXPR",
    multiple=True,
    help="Tell this of each outcome, written as in a test; several. Without it what changes.",
)
@click.option(
    "--choose",
    "choices",
    metavar="'[WHO:] OPTION'",
    multiple=True,
    help="What is chosen in the middle of it, or `first`; several. Without it each option by itself.",
)
@click.option(
    "--sample",
    "samples",
    metavar="N",
    type=click.IntRange(1),
    default=None,
    help="Where there is too much: so many ways at random, with intervals.",
)
@select_seed("The seed of the game, as far as its beginning is up to chance, and of --sample.")
@SELECT_OPTIONS
@SELECT_MODS
@SELECT_STEPS
@select_form("json", "csv")
@SELECT_LANGUAGE
@click.pass_context
def odds(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    game: str,
    action: str | None,
    test: str | None,
    texts: tuple[str, ...],
    choices: tuple[str, ...],
    samples: int | None,
    seed: int,
    options: tuple[str, ...],
    mods: tuple[str, ...],
    steps: int | None,
    form: str,
    language: str | None,
) -> None:
    """Compute the odds of an action: all that chance can make of it, with exact fractions.

    ACTION is an option of the first decision of GAME, or of a save's: by its label, by some words of that, or as a test
    writes it. Without ACTION the options are listed. The rules themselves carry it out, once for each way that dice,
    picks and shuffles can go, up to the next choice that is no part of it. It is an author's view: what is hidden from
    the players counts too, and a pile that lies in some order already is drawn from in that order.

    \b
    scenarii odds my_game
    scenarii odds my_game 'attack(north)'
    scenarii odds my_game 'attack(north)' --of 'north.units' --choose 'blue: 2 dice'
    scenarii odds my_game-7.save.json 'Draw a card'
    scenarii odds my_game --test 'three against two' --of lost --format csv
    """  # noqa: D301 - `\b` keeps the lines of the examples
    asked = Asked(
        *(game, action or "", mods, chosen_options(options), seed, test, texts, choices),
        *(samples or 0, steps, language or ""),
    )
    if samples is not None and samples > MOST_SAMPLES:
        raise click.UsageError(tr("--sample takes at most {most} ways.", most=f"{MOST_SAMPLES:,}"))
    _told(ctx, asked, form)


def _told(ctx: click.Context, asked: Asked, form: str) -> None:
    from dsl.cli.odds_output import Telling, csv_of, json_of, text_of
    from dsl.cli.odds_rows import Reader
    from dsl.cli.odds_selection import Policy
    from dsl.diagnostics.excerpt import printable
    from dsl.odds.position import NoOdds
    from dsl.odds.ways import TooMany

    try:
        found = _position(ctx, asked)
        if found is None:
            return
        position, place = found
        program = position.machine.program
        policy = Policy(program, asked.choices)
        reader = Reader(
            position.machine, position.begin.state, position.exprs, position.names, asked.language
        )
        spread, ways = _spread(position, asked, policy, reader)
    except NoOdds as error:
        raise click.ClickException(printable(said(error.args[0]))) from None
    except TooMany as error:
        raise click.ClickException(_too_many(error)) from None
    action = printable(position.action or position.machine.program.name)
    telling = Telling(
        *(
            program,
            action,
            place,
            asked.texts,
            position.exprs,
            ways,
            asked.samples,
            asked.seed,
            asked.language,
        )
    )
    click.echo({"text": text_of, "json": json_of, "csv": csv_of}[form](telling, spread), nl=False)
    for text in policy.unused:
        click.echo(said(tr("never asked for: --choose {text}", text=printable(repr(text)))), err=True)


def _spread(position: Position, asked: Asked, policy: Policy, read: Reader) -> tuple[Spread, int]:
    from dsl.cli.odds_selection import called
    from dsl.diagnostics.excerpt import printable
    from dsl.odds.walk import Walk

    def label(option: Option) -> str:
        return called(option, asked.language)

    def prompt(decision: Decision) -> str:
        return printable(decision.prompt_in(asked.language))

    walk = Walk(
        position.machine,
        read,
        choose=policy,
        label=label,
        prompt=prompt,
        most=max(MOST_WAYS, asked.samples * 1_000),
        samples=asked.samples,
        seed=asked.seed,
    )
    return walk.spread(position.begin), walk.tried


def _too_many(error: object) -> str:
    from dsl.odds.ways import TooMany

    assert isinstance(error, TooMany)
    most = f"{error.most:,}"
    if error.what == "branches":
        return said(
            tr(
                "more than {most} options in the middle of it: say with --choose what is chosen there",
                most=most,
            )
        )
    if error.what == "answers":
        return said(
            tr("more than {most} outcomes of one throw: --sample 10000 tells how they are spread", most=most)
        )
    return said(
        tr(
            "more than {most} ways through chance, or one without end: --sample 10000 tells how they are spread",
            most=most,
        )
    )


# ---------------------------------------------------------------- where it stands


def _position(ctx: click.Context, asked: Asked) -> tuple[Position, str] | None:
    """Where the odds are asked for, and that in words; none where only the options are wanted, which are then told."""
    from dsl.cli.loading import saved_in
    from dsl.cli.packed import unpacked
    from dsl.odds.position import Sources

    save = saved_in(asked.target) if _is_save(asked.target) else None
    target, mods = (save.target, asked.mods or save.mods) if save is not None else (asked.target, asked.mods)
    sources = Sources(unpacked(target), tuple(map(unpacked, mods)))
    if save is not None and (asked.options or asked.test is not None):
        raise click.UsageError(
            "a saved game has its options, and stands where it stands: leave --option and --test out."
        )
    if asked.test is not None:
        if asked.options:
            raise click.UsageError("a test has its options; leave --option out.")
        return _of_test(ctx, asked, target, mods, sources)
    program = program_of(ctx, target, mods)
    machine, game, exprs, place = _of_game(asked, program, sources, save, (target, mods))
    decision = game.decision
    if not asked.action and decision is not None:
        _list(decision, place, asked.language)
        return None
    from dsl.cli.odds_selection import find
    from dsl.odds.position import of_decision

    position = of_decision(
        machine, game, asked.action, lambda there, text: find(game, there, text, asked.language)
    )
    position.exprs = exprs
    _name(position, asked.language)
    return position, place


def _is_save(target: str) -> bool:
    return target.endswith(SAVE_SUFFIX) and not target.endswith(".ir.json")


def _of_test(
    ctx: click.Context, asked: Asked, target: str, mods: tuple[str, ...], sources: Sources
) -> tuple[Position, str]:
    from dsl.cli.odds_selection import find
    from dsl.odds.position import of_test
    from dsl.playable import Playable

    program = program_of(ctx, target, mods, tests=True)
    machine = Playable(program, sparing=True, steps=asked.steps)
    assert asked.test is not None

    def meant(decision: Decision, text: str) -> Option:
        from dsl.engine.game import Game
        from dsl.engine.snapshot import packed

        game = Game.restore(decision.machine, packed(decision.machine.hash, decision.state))
        assert not isinstance(game, list)
        return find(game, decision, text, asked.language)

    position = of_test(machine, sources, asked.test, asked.action, asked.texts, meant)
    _name(position, asked.language)
    return position, said(tr("test “{title}”", title=asked.test))


def _of_game(
    asked: Asked, program: Program, sources: Sources, save: Save | None, told: tuple[str, tuple[str, ...]]
) -> tuple[Machine, Game, tuple[Expr, ...], str]:
    """The machine, the game where it stands, and the expressions to be told."""
    from dsl.cli.loading import moved_on, refuse_save
    from dsl.engine.failure import StartError
    from dsl.engine.game import Game
    from dsl.odds.position import NoOdds, with_exprs
    from dsl.playable import Playable
    from dsl.saves import restored

    exprs: tuple[Expr, ...] = ()
    steps = asked.steps if asked.steps is not None or save is None else save.steps
    machine = Playable(program, sparing=True, steps=steps)
    if save is not None and machine.hash != save.program:
        moved_on(save, machine, *told, asked.target)
    if asked.texts:
        program, exprs = with_exprs(program, sources, asked.texts)
        machine = Playable(program, sparing=True, steps=steps)
    if save is None:
        try:
            game = Game.start(machine, seed=asked.seed, options=asked.options)
        except StartError as error:
            raise click.UsageError(str(error)) from None
        return machine, game, exprs, program.scenario or program.name
    if machine.hash != save.program:
        raise NoOdds(tr("the save cannot be asked that; ask --of something that names no new things"))
    found = restored(machine, save)
    if isinstance(found, list):
        refuse_save(found)
    place = said(tr("{file}, decision {number}", file=asked.target, number=len(save.choices) + 1))
    return machine, found, exprs, place


def _name(position: Position, language: str) -> None:
    """Calls what is done by its label, with who does it."""
    from dsl.cli.odds_selection import called

    option, decision = position.begin.option, position.decision
    if option is not None and decision is not None:
        label = called(option, language)
        several = len(decision.machine.program.domains[decision.machine.program.players].members) > 1
        position.action = f"{decision.player_label(language)}: {label}" if several else label


def _list(decision: Decision, place: str, language: str) -> None:
    """The options that there are."""
    from dsl.cli.odds_selection import listed

    click.echo(said(tr("{place}: {player} can choose", place=place, player=decision.player_label(language))))
    for line in listed(decision, language):
        click.echo(line)
    click.echo(said(tr("Ask for the odds of one: scenarii odds GAME 'ACTION'")))
