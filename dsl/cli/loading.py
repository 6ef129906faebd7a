"""Saves from files: read, refused with reasons, and what is said where the game has moved on since."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from dsl.catalogue import told, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dsl.diagnostics import Diagnostic
    from dsl.engine.machine import Machine
    from dsl.saves import Save

FINDINGS, USAGE = 1, 2
MOST_TOLD = 6
"""How many changes since a save are told."""


def saved_in(path: str) -> Save:
    """The save in a file; where there is none, says why and ends the command."""
    from dsl import saves

    found = saves.read(Path(path))
    if not isinstance(found, saves.Save):
        refuse_save([found])
    return found


def refuse_save(found: Sequence[Diagnostic]) -> NoReturn:
    """Says why a save cannot be played on."""
    from dsl.cli.style import coloured
    from dsl.diagnostics import Code
    from dsl.diagnostics.render import render

    for each in found[:10]:
        click.echo(render(each, color=coloured(sys.stderr)), err=True, color=coloured(sys.stderr))
    usage = {Code.UNREADABLE_FILE, Code.SAVE_OF_OTHER_PROGRAM}
    raise click.exceptions.Exit(USAGE if found[0].code in usage else FINDINGS)


def carried_rules(save: Save) -> Machine:
    """The rules that a save carries; where there are none, or not those, says why and ends the command."""
    from dsl.diagnostics import Diagnostic
    from dsl.saves import own_rules

    found = own_rules(save)
    if isinstance(found, Diagnostic):
        refuse_save([found])
    return found


def moved_on(save: Save, machine: Machine, target: str, mods: Sequence[str], file: str) -> NoReturn:
    """Says what has changed in a game, or its mods, since a save, and what can be done."""
    from dsl.diagnostics import Diagnostic
    from dsl.diagnostics.excerpt import printable
    from dsl.replay.differences import differences
    from dsl.saves import other_program, own_rules

    with suppress(click.exceptions.Exit):
        refuse_save([other_program(save)])
    known = own_rules(save)
    if not isinstance(known, Diagnostic):
        found = [str(each) for each in differences(known.program, machine.program)]
        for line in found[:MOST_TOLD]:
            click.echo(f"  {told(tr('changed: {what}', what=printable(line)))}", err=True)
        if len(found) > MOST_TOLD:
            click.echo(f"  {told(tr('and {count} more changes', count=len(found) - MOST_TOLD))}", err=True)
    if tuple(mods) != save.mods:
        mods_then = tr("its mods were: {mods}", mods=printable(", ".join(save.mods)) or tr("none"))
        click.echo(f"  {told(mods_then)}", err=True)
    click.echo(told(tr("Nothing is lost:")), err=True)
    target = printable(target)
    with_ = printable("".join(f" --with {each}" for each in mods))
    part, carry = told(tr("see where the two part:")), told(tr("carry it over to the new ones:"))
    then = told(tr("play on by the rules of then:"))
    width = max(map(len, (part, carry, then)))
    click.echo(f"  {part:{width}} scenarii replay {file} --against {target}{with_}", err=True)
    click.echo(f"  {carry:{width}} … -o NEW.json", err=True)
    if not isinstance(known, Diagnostic):
        click.echo(f"  {then:{width}} scenarii play --load {file} --own-rules", err=True)
    raise click.exceptions.Exit(USAGE)
