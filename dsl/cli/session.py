"""A sitting: from taking seats to the end of the game, or to where it is broken off and saved."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import N_, nearest, told, tr
from dsl.cli.lines import folded
from dsl.cli.person import Person, Quit
from dsl.cli.places import from_target
from dsl.cli.story import show
from dsl.cli.style import console
from dsl.cli.table import Table
from dsl.cli.thinking import thought
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import choice_words, text_of, title_in
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.players.seats import HUMAN

if TYPE_CHECKING:
    from rich.console import Console

    from dsl.engine.machine import Machine
    from dsl.ir.program import Program

CLEAN, FAILED, STOPPED = 0, 1, 130


def check_terminal(table: Table) -> None:
    """Raises a usage error where a person is to play and there is no terminal, nor anything else to read from."""
    if HUMAN in table.seats and not sys.stdin.isatty() and not has_lines():
        raise click.UsageError(
            "there is no terminal to play in; watch a game with --auto, or let --players random play it."
        )


def has_lines() -> bool:
    """Is standard input a pipe or a file, whose lines are typed for a person?"""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def sit(
    table: Table,
    *,
    record: Path | None,
    loaded_from: Path | None,
    opened: bool = False,
    until: int | None = None,
) -> int:
    """Plays to the end (or to decision `until`), or saves; yields the exit code. A table that is `opened` has been
    shown already.
    """
    code, recorded = FAILED, True
    try:
        code = _sat(table, loaded_from, opened=opened, until=until)
        tell_unsaid(table.machine, table.teller.spoken)
    finally:
        recorded = record is None or _record(table, record)
    return code if recorded or code != CLEAN else FAILED


def _sat(table: Table, loaded_from: Path | None, *, opened: bool, until: int | None) -> int:
    out = console()
    person = Person(table, out, loaded_from) if HUMAN in table.seats else None
    try:
        if not opened:
            open_table(table, out, alone=person is None or not person.shared)
        _play(table, out, person, until)
    except Quit:
        return _kept(table, person, CLEAN)
    except KeyboardInterrupt:
        click.echo("")
        return _kept(table, person, STOPPED)
    except RuleFailure as failure:
        tell_failure(table.machine.program, failure, table.teller.spoken, table.target, table.mods)
        _kept(table, person, FAILED)
        return FAILED
    except Unplayable as error:
        click.echo(word("no thought", table.teller.spoken, reason=error), err=True)
        _kept(table, person, FAILED)
        return FAILED
    show_stop(table, out)
    return CLEAN


def show_stop(table: Table, out: Console) -> None:
    """How a game ended; one that has not, as it stands: the board, and what is asked of whom."""
    from dsl.cli.looking import show_asked, show_board

    decision, viewer, language = table.game.decision, table.teller.viewer, table.teller.language
    if decision is None:
        for line in table.ending():
            for each in folded(printable(line), out.width):
                out.print(each, soft_wrap=True)
        return
    show_board(out, table.machine, list(table.game.state), viewer, language)
    out.print(word("decision", table.teller.spoken, number=len(table.moves) + 1), style="dim")
    show_asked(out, decision, language, options=viewer in {None, decision.player})


def open_table(table: Table, out: Console, *, quiet: bool = False, alone: bool = True) -> None:
    """The game's title, with what it is played, and what happens before the first decision; where people share
    the terminal and have secrets, each is told that when it is his turn.
    """
    if quiet:
        table.opening()
        return
    program, teller = table.machine.program, table.teller
    title = title_in(program, teller.language)
    bare = program.scenario if program.scenario_title is None else ""
    out.print(f"{title} ({printable(bare)})" if bare else title, style="bold", soft_wrap=True)
    with_ = [word("seed", teller.spoken, seed=table.seed)]
    if program.mods:
        named = ", ".join(text_of(program, each.label, teller.language) or each.name for each in program.mods)
        with_.insert(0, word("settings", teller.spoken, settings=printable(named)))
    if table.options:
        settings = "; ".join(_chosen(program, *each, teller.language) for each in table.options.items())
        with_.append(word("settings", teller.spoken, settings=printable(settings)))
    out.print(", ".join(with_), style="dim", soft_wrap=True)
    lines = table.opening()
    show(out, lines if alone else ())


def _chosen(program: Program, name: str, value: str | int, language: str) -> str:
    """What was chosen of an option, in the words of players where it has some for all of it."""
    option = next((each for each in program.options if each.name == name), None)
    label = text_of(program, option.label, language) if option is not None else ""
    words = str(value)
    if option is not None and option.choices:
        in_words = dict(zip(option.choices, choice_words(program, option, language), strict=True))
        words = in_words.get(words, "")
    if option is not None and option.kind == "mode" and words:
        return words
    if not label or not words:
        return f"{name} = {value}"
    return told(tr("{what}: {result}", what=label, result=words), nearest(language))


def _play(table: Table, out: Console, person: Person | None, until: int | None) -> None:
    while (decision := table.game.decision) is not None and (until is None or len(table.moves) + 1 < until):
        if person is not None and table.seats[decision.player] == HUMAN:
            option = person.choose(decision)
            if option is None:
                continue
        else:
            option = thought(table, decision)
        show(out, table.choose(decision, option))
    out.print()


def tell_unsaid(machine: Machine, spoken: str) -> None:
    """One line, if there is something beside the rules that could not be computed: a label, who may see something."""
    if machine.unsaid:
        count, codes = sum(machine.unsaid.values()), ", ".join(sorted(machine.unsaid))
        click.echo(word("unsaid", spoken, count=count, codes=codes), err=True)
        machine.unsaid.clear()


def tell_failure(
    program: Program, failure: RuleFailure, spoken: str, target: str = "", mods: Sequence[str] = ()
) -> None:
    """A rule that failed: its code, what it said, where it stands, and what it cites; `target` is what was played, with
    `mods`.
    """
    failed = word("failed", spoken, message=told(failure.message, nearest(spoken)))
    click.echo(f"{told(N_('error'), nearest(spoken))}[{failure.code}]: {failed}", err=True)
    if failure.place is not None:
        place = failure.place
        click.echo(f"  --> {from_target(place.file, target, mods)}:{place.line}:{place.column}", err=True)
    for clause in failure.clauses:
        cited = ", ".join(program.clauses[clause].ids)
        click.echo(f"  {f'[{cited}] ' if cited else ''}{printable(program.clauses[clause].text)}", err=True)


def _kept(table: Table, person: Person | None, code: int) -> int:
    """Saves what would be lost, and says where."""
    spoken = table.teller.spoken
    try:
        path = table.keep(person.file if person is not None else None)
    except OSError as error:
        click.echo(word("not saved", spoken, reason=error.strerror or str(error)), err=True)
        return FAILED
    click.echo(word("saved", spoken, file=path))
    click.echo(word("go on", spoken, file=shlex.quote(str(path))))
    return code


def _record(table: Table, record: Path) -> bool:
    """Writes the record; says whether it could be."""
    spoken = table.teller.spoken
    try:
        table.record(record)
    except OSError as error:
        click.echo(word("not saved", spoken, reason=error.strerror or str(error)), err=True)
        return False
    click.echo(word("recorded", spoken, file=record), err=not sys.stdout.isatty())
    return True
