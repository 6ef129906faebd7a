"""`look NAME` at the prompt: one thing of the game, as whoever asks may know it, as wide as the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from dsl.authoring.look_up import MOST_FOUND, Looked, Looking, Pair
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.machine import Machine
from dsl.scene.eyes import of_player

if TYPE_CHECKING:
    from rich.console import Console

MARGIN = "    "
MOST_STATE = 24
WIDEST = 24
"""So wide is the column of names at most."""


def look_up(
    console: Console, machine: Machine, state: Sequence[int], player: int | None, language: str, name: str
) -> None:
    """Tells of all that a name may mean, or that nothing has it, with the name that is most like it."""
    looking = Looking(machine, state, of_player(player), language)
    spoken = language or machine.program.language
    found = looking.up(name)
    for number, each in enumerate(found[:MOST_FOUND]):
        if number:
            console.print()
        _show(console, each, spoken)
    if len(found) > MOST_FOUND:
        others = ", ".join(each.title for each in found[MOST_FOUND : 2 * MOST_FOUND])
        _line(console, word("more found", spoken, count=len(found) - MOST_FOUND, names=others), "")
    if not found:
        close = looking.near(name)
        near = word("near", spoken, name=close) if close else ""
        _line(console, word("no such thing", spoken, text=printable(name), near=near), "")


def _show(console: Console, found: Looked, spoken: str) -> None:
    from rich.text import Text

    head = Text(found.title, style="bold")
    if found.sort:
        head.append(f"  {found.sort}", style="default")
    console.print(head, soft_wrap=True)
    _pairs(console, found.values, spoken)
    for text in found.texts:
        _line(console, text, MARGIN)
    if found.values and found.state:
        console.print(f"  {word('now', spoken)}", style="dim")
    _pairs(console, found.state, spoken)
    for rule, title in found.rules:
        _line(console, f"[{rule}] {title}", MARGIN, style="cyan")


def _pairs(console: Console, pairs: Sequence[Pair], spoken: str) -> None:
    """Names and values in two columns; a value without a name, and a name without a value, alone."""
    wide = min(WIDEST, max((len(name) for name, value in pairs if value), default=0))
    for name, value in pairs[:MOST_STATE]:
        text = f"{name:<{wide}}  {value}" if name and value else name or value
        _line(console, printable(text), MARGIN, hanging=" " * (wide + 2) if name and value else "  ")
    if len(pairs) > MOST_STATE:
        _line(console, f"… +{len(pairs) - MOST_STATE}", MARGIN)


def _line(console: Console, text: str, margin: str, *, hanging: str = "", style: str = "") -> None:
    """A line within the width of the terminal, the rest of it below, further in."""
    wide = max(20, console.width)
    parts = wrap(
        text,
        wide,
        initial_indent=margin,
        subsequent_indent=margin + hanging,
        drop_whitespace=True,
        break_on_hyphens=False,
    ) or [margin]
    for each in parts:
        console.print(each, style=style or None, soft_wrap=True)
