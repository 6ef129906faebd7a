"""A test that failed, as its author is told: where, what was expected and found, how it came there, and the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.places import all_here, here, source_here
from dsl.cli.style import coloured, console
from dsl.diagnostics.excerpt import printable

if TYPE_CHECKING:
    from dsl.authoring.edits import Edit
    from dsl.engine.machine import Machine
    from dsl.ir.program import Place, Test
    from dsl.source import Source
    from dsl.testing.results import TestResult
    from dsl.testing.trace import Trace

MOST_LINES = 8
MOST_TOLD = 8


def tell(result: TestResult, sources: Sequence[Source] = ()) -> None:
    """One line for a test that passed; for one that failed also where, what was expected and what came."""
    colour = coloured()
    cited = f" [{', '.join(result.cited)}]" if result.cited else ""
    word = click.style(told(tr("passed")), fg="green")
    if not result.passed:
        word = click.style(told(tr("FAILED")), fg="red", bold=True)
    if result.skipped:
        word = click.style(told(tr("skipped")), fg="yellow")
        cited = f"{cited}: {printable(result.skipped)}"
    click.echo(f"{word} {printable(result.title)}{cited}", color=colour)
    if not result.passed:
        click.echo(f"  --> {here(result.place.file, sources)}:{result.place.line}:{result.place.column}")
        for line in printable(all_here(told(result.message), sources)).splitlines():
            click.echo(f"  {line}")


def show_trace(machine: Machine, test: Test, sources: Sequence[Source], edits: Sequence[Edit] = ()) -> None:
    """The last lines of a test that failed, what happened, and the board as it stood; `edits` are what mods replace and
    remove.
    """
    from dsl.cli.looking import show_board
    from dsl.testing.trace import traced

    trace = traced(machine, test)
    for line in (*mod_lines(machine, test, sources, edits), *trace_lines(machine, trace, sources)):
        click.echo(line)
    if trace is not None and (trace.acted or trace.log):
        click.echo(f"  {told(tr('the board then:'))}")
        show_board(console(), machine, list(trace.state), None, "")
    click.echo()


def mod_lines(
    machine: Machine, test: Test, sources: Sequence[Source], edits: Sequence[Edit] = ()
) -> list[str]:
    """The lines of mods that had a part in it, where a test of the game fails with them."""
    from dsl.testing.blame import mods_at_work, names_met

    found = {
        f"{here(each.place.file, sources)}:{each.place.line}": each.text
        for each in mods_at_work(machine, test)
    }
    names = names_met(machine, test) if edits else set()
    for each in edits:
        if _bears(each, names):
            text = each.span.text.splitlines()[0]
            found.setdefault(f"{each.span.source.name}:{each.span.line}", text)
    lines = [f"      {place}  {printable(text)}" for place, text in found.items()]
    more = ["      …"] if len(lines) > MOST_LINES else []
    return [f"  {told(tr('what mods did to it:'))}", *lines[:MOST_LINES], *more] if lines else []


def edits_of(target: str, mods: Sequence[str]) -> tuple[Edit, ...]:
    """What the mods on a game replace and remove."""
    from dsl.authoring.edits import edits
    from dsl.diagnostics import Diagnostics
    from dsl.linker.modules import Modules

    modules = Modules(Diagnostics())
    if not modules.open(target):
        return ()
    for mod in mods:
        modules.add_mod(mod)
    layers = tuple(modules.layers)
    mods_only = {number for number, layer in enumerate(layers) if layer.header.kind == "mod"}
    return tuple(
        each
        for each in edits(layers)
        if each.layer in mods_only
        and each.verb in {"replace", "remove"}
        and not each.target.startswith("test ")
    )


def _bears(edit: Edit, names: set[str]) -> bool:
    """Is something replaced or removed that a test names or comes to, or a clause about that?"""
    if not edit.target.startswith("["):
        return edit.target in names
    head = edit.earlier.text.partition(" when ")[0] if edit.earlier is not None else ""
    return not names.isdisjoint(re.findall(r"\w+", head))


def trace_lines(machine: Machine, trace: Trace | None, sources: Sequence[Source]) -> list[str]:
    """The last lines of the test, the failing one marked; then the last of what the rules told."""
    from dsl.cli.story import Teller

    if trace is None:
        return [f"  {told(tr('no line of it was done: the game cannot begin'))}"]
    found = [f"  {told(tr('the last lines:'))}"]
    written = [_as_written(place, sources) or text for place, text in trace.lines]
    written = [each for number, each in enumerate(written) if each not in written[number + 1 : number + 2]]
    if len(written) > MOST_LINES:
        found.append("      …")
    last = written[-MOST_LINES:]
    found += [
        f"    {'>' if number == len(last) else ' '} {printable(each)}" for number, each in enumerate(last, 1)
    ]
    story = Teller(machine).stretch(None, trace.log, None, list(trace.state))
    happened = [line for line in story if line.text]
    if happened:
        found.append(f"  {told(tr('what happened:'))}")
        if len(happened) > MOST_TOLD:
            found.append("      …")
    for line in happened[-MOST_TOLD:]:
        cited = f"  [{', '.join(line.cited)}]" if line.cited else ""
        found.append(f"      {printable(line.text)}{cited}")
    return found


def _as_written(place: Place | None, sources: Sequence[Source]) -> str:
    """A line of a test as it stands in its source; of several the first, then `…`."""
    if place is None:
        return ""
    source = source_here(place.file, sources)
    if source is None or not 1 <= place.line <= len(source.line_starts):
        return ""
    text = source.line_text(place.line).strip()
    return f"{place.line:>4}  {text}{' …' if place.end_line > place.line else ''}"
