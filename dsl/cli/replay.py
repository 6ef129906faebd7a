"""`scenarii replay`: a record once more: its story, or where another version of the game parts from it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.completing import complete_file
from dsl.cli.engines import PYTHON, machine_of, select_engine
from dsl.cli.programs import SELECT_LANGUAGE, SELECT_MODS, SELECT_STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dsl.cli.table import Table
    from dsl.engine.decision import Decision
    from dsl.engine.machine import Choice, Machine
    from dsl.ir.program import Program
    from dsl.replay.divergence import Comparison, Divergence
    from dsl.replay.review import Slip
    from dsl.saves import Save

FINDINGS, USAGE = 1, 2
MOST_SLIPS = 5


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option(
    "--until", metavar="N", type=click.IntRange(1), help="Stop where decision N is to be made, and show it."
)
@click.option("--against", metavar="GAME|PATH", help="Compare with another version of the game.")
@SELECT_MODS
@click.option("--as", "viewer", metavar="PLAYER", help="Tell only what this player may know.")
@click.option(
    "--review",
    metavar="N|Ns",
    help="Say which choices cost most: a computer player thinks about each for N games, or N seconds.",
)
@SELECT_LANGUAGE
@SELECT_STEPS
@select_engine("python; with --play wasm")
@click.option("-o", "--output", metavar="FILE", help="Save the game where the replay stops.")
@click.option("--play", "go_on", is_flag=True, help="Go on from there at the terminal.")
@click.pass_context
def replay(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    file: str,
    until: int | None,
    against: str | None,
    mods: tuple[str, ...],
    viewer: str | None,
    review: str | None,
    language: str | None,
    steps: int | None,
    engine: str | None,
    output: str | None,
    go_on: bool,
) -> None:
    """Play a saved or recorded game again, by the rules that it was played by.

    With --against, or with a mod, play it by other rules too, and say where they part and why.
    """
    from dsl.cli.loading import saved_in

    if viewer is not None and (against is not None or mods):
        raise click.UsageError(
            "--as tells what one player may know, and a comparison tells all; leave one of them out."
        )
    if review is not None and (against is not None or mods):
        raise click.UsageError("--review is of a game by its own rules; leave the comparison out.")
    if review is not None:
        _check_effort(review)
    save = saved_in(file)
    engine = engine or (None if go_on else PYTHON)
    steps = save.steps if steps is None else steps
    old: Machine = machine_of(_own(save), engine, steps)
    choices: Sequence[Choice] = save.choices[: until - 1 if until is not None else None]
    code, target, new = 0, save.target, old
    if against is not None or mods:
        from dsl.cli.programs import program_of

        target = against if against is not None else save.target
        new = machine_of(program_of(ctx, target, mods), engine, steps)
        found = _compared(file, old, new, save, choices)
        _tell(found, old, new)
        code, choices = (FINDINGS if found.first is not None else 0), found.carried
        if not go_on and output is None:
            ctx.exit(code)
    table = _table(new, save, target, mods or save.mods, language=language, viewer=viewer)
    found_slips = _Review(table, review, len(choices)) if review is not None else None
    _story(table, choices, save.checks if new is old else {}, quiet=new is not old, review=found_slips)
    if found_slips is not None:
        found_slips.tell()
    ctx.exit(_ended(table, output, go_on, code))


def _own(save: Save) -> Program:
    """The rules of the record: those that it carries, or those of its game if they are still the same."""
    from dsl.cli.loading import carried_rules
    from dsl.cli.programs import build_of
    from dsl.ir.identity import identity

    if not save.rules:
        program = build_of(save.target, save.mods).program
        if program is not None and identity(program) == save.program:
            return program
    return carried_rules(save).program


# ---------------------------------------------------------------- against other rules


def _compared(file: str, old: Machine, new: Machine, save: Save, choices: Sequence[Choice]) -> Comparison:
    from dsl.cli.loading import refuse_save
    from dsl.engine.failure import Unplayable
    from dsl.engine.snapshot import damaged
    from dsl.replay.divergence import Unreplayable, compare

    try:
        return compare(old, new, save.seed, save.options, choices)
    except Unreplayable as error:
        refuse_save([damaged(f"{file} cannot be played again: {error}")])
    except Unplayable as error:
        raise click.ClickException(str(error)) from None


def _tell(found: Comparison, old: Machine, new: Machine) -> None:
    """Where the versions part, why, and how far the choices go."""
    count = found.decisions
    if old.hash == new.hash:
        one, many = (
            tr("the rules are the same, and so is the one decision"),
            tr("the rules are the same, and so are all {count} decisions", count=count),
        )
        click.echo(told(one if count == 1 else many))
        return
    if found.first is None:
        one, many = (
            tr("the one decision goes the same way by both rules"),
            tr("all {count} decisions go the same way by both rules", count=count),
        )
        click.echo(told(one if count == 1 else many))
        return
    _divergence(found.first)
    if found.broken is None:
        one, many = (
            tr("the one decision can still be made"),
            tr("all {count} decisions can still be made", count=count),
        )
        click.echo(told(one if count == 1 else many))
    elif found.broken is not found.first:
        _divergence(found.broken)


def _divergence(found: Divergence) -> None:
    from dsl.diagnostics.excerpt import printable

    words = tr("decision {number}: {what}", number=found.decision, what=printable(found.text))
    click.echo(told(words))
    if found.causes:
        click.echo(f"  {told(tr('likely because:') if found.likely else tr('the games differ in:'))}")
    for each in found.causes:
        click.echo(f"    {printable(each)}")


# ---------------------------------------------------------------- the story


def _table(
    machine: Machine,
    save: Save,
    target: str,
    mods: tuple[str, ...],
    *,
    language: str | None,
    viewer: str | None,
) -> Table:
    """A table at the beginning of the game of a record."""
    from dsl.cli.story import Teller
    from dsl.cli.table import Table
    from dsl.engine.failure import RuleFailure, StartError, Unplayable
    from dsl.engine.game import Game
    from dsl.players.seats import SeatError, player_named, seats_of

    try:
        who = player_named(machine.program, viewer) if viewer is not None else None
        seats = seats_of(machine.program, list(save.players))
        game = Game.start(machine, seed=save.seed, options=save.options, telling=True)
    except (StartError, SeatError) as error:
        raise click.UsageError(str(error)) from None
    except Unplayable as error:
        raise click.ClickException(str(error)) from None
    except RuleFailure as failure:
        raise click.ClickException(
            tr("the rules fail where the game begins: {failure}", failure=failure)
        ) from None
    spoken = language if language is not None else save.language
    return Table(
        machine,
        game,
        target=target,
        mods=mods,
        seed=save.seed,
        options=save.options,
        seats=seats,
        teller=Teller(machine, spoken, who),
    )


def _story(
    table: Table,
    choices: Sequence[Choice],
    checks: Mapping[int, str],
    *,
    quiet: bool,
    review: _Review | None = None,
) -> None:
    """Plays the choices, and tells them unless they were compared; by the rules of then, to the states of then."""
    from dsl.cli.loading import refuse_save
    from dsl.cli.session import open_table, tell_unsaid
    from dsl.cli.story import show
    from dsl.cli.style import console
    from dsl.engine.failure import RuleFailure
    from dsl.engine.snapshot import damaged
    from dsl.players.seats import RANDOM

    out = console()
    open_table(table, out, quiet=quiet)
    for number, choice in enumerate(choices, 1):
        decision = table.game.decision
        if decision is None or choice not in decision.raw:
            refuse_save([damaged(f"choice {number} of the record is not among the options there")])
        if table.seats[decision.player] == RANDOM:
            table.by_chance(decision)
        if review is not None:
            review.look(number, decision, decision.raw.index(choice))
        try:
            lines = table.choose(decision, decision.options[decision.raw.index(choice)])
        except RuleFailure as failure:
            refuse_save([damaged(f"the rules fail at choice {number} of the record: {failure}")])
        if checks.get(number, "") not in {"", table.game.fingerprint}:
            refuse_save([damaged(f"the record leads to another state by decision {number}")])
        if not quiet:
            show(out, lines)
    tell_unsaid(table.machine, table.teller.spoken)


# ---------------------------------------------------------------- reviewed


def _check_effort(review: str) -> None:
    from dsl.players.seats import MCTS, SeatError, effort_of

    try:
        effort_of(f"{MCTS}:{review}")
    except SeatError as error:
        raise click.BadParameter(str(error), param_hint="--review") from None


class _Review:
    """Thinks about each choice of a story before it is made, and tells which cost most."""

    def __init__(self, table: Table, effort: str, count: int) -> None:
        from dsl.engine.failure import Unplayable
        from dsl.players.seats import MCTS
        from dsl.search.thinker import Thinker

        self.table = table
        self.kind = f"{MCTS}:{effort}"
        self.count = count
        self.slips: list[tuple[Slip, int, str]] = []
        """Each with the number of its decision, and a line that tells it."""
        self.thinker = Thinker(table.machine)
        try:
            _ = self.thinker.searcher
        except Unplayable as error:
            raise click.ClickException(str(error)) from None

    def look(self, number: int, decision: Decision, chosen: int) -> None:
        """Thinks about a decision, unless there is one option alone, or another player is asked than who looks."""
        from dsl.cli.programs import show_progress
        from dsl.engine.failure import Unplayable
        from dsl.replay.review import slip_of

        show_progress(number, self.count, "choices")
        viewer, seed = self.table.teller.viewer, self.table.seed
        if len(decision.options) < 2 or viewer not in {None, decision.player}:
            return
        try:
            found = self.thinker.advice(self.kind, self.table.game.state, seed=seed, made=number)
        except Unplayable as error:
            raise click.ClickException(str(error)) from None
        if slip := slip_of(found, chosen):
            self.slips.append((slip, number, self._line(slip, number, decision)))

    def _line(self, slip: Slip, number: int, decision: Decision) -> str:
        from dsl.cli.words import word
        from dsl.diagnostics.excerpt import printable

        teller = self.table.teller

        def called(option: int) -> str:
            each = decision.options[option]
            return printable(each.label(teller.language) or word(each.kind, teller.spoken))

        return word(
            "slip",
            teller.spoken,
            number=number,
            player=printable(decision.player_label(teller.language)),
            option=called(slip.chosen),
            percent=f"{100 * slip.expectation:.0f}",
            best=called(slip.best),
            missed=f"{100 * slip.missed:.0f}",
        )

    def tell(self) -> None:
        """The choices that cost most, the worst first."""
        from dsl.cli.words import word

        spoken = self.table.teller.spoken
        worst = sorted(self.slips, key=lambda each: (-each[0].cost, each[1]))[:MOST_SLIPS]
        click.echo()
        click.echo(word("slips" if worst else "no slips", spoken))
        for _, _, line in worst:
            click.echo(f"  {line}")


def _ended(table: Table, output: str | None, go_on: bool, code: int) -> int:
    """What stands at the end of the replay: the outcome, or the board and the options; then saved or played on."""
    from dsl.cli.session import check_terminal, show_stop, sit
    from dsl.cli.style import console
    from dsl.players.seats import seats_as

    out, decision = console(), table.game.decision
    if table.teller.viewer is not None and go_on:
        table.seats = seats_as(table.machine.program, table.teller.viewer)
    if output is not None:
        _save(table, Path(output))
    if go_on and decision is not None:
        check_terminal(table)
        return sit(table, record=None, loaded_from=Path(output) if output else None, opened=True)
    click.echo()
    show_stop(table, out)
    return code


def _save(table: Table, path: Path) -> None:
    from dsl.cli.save_paths import refuse_foreign
    from dsl.cli.words import word
    from dsl.saves import FORMAT

    refuse_foreign(path, FORMAT)
    try:
        table.keep(path)
    except OSError as error:
        raise click.UsageError(
            tr("{path} cannot be written: {strerror}", path=path, strerror=error.strerror or error)
        ) from None
    click.echo(word("go on", table.teller.spoken, file=shlex.quote(str(path))))
