"""Colours and widths: what a stream can show, and what its user wants to see there."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from dsl.diagnostics.render import wants_color

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 100
"""How wide tables are where nobody looks at a terminal."""


def coloured(stream: TextIO | None = None) -> bool:
    """Colours are for terminals whose user has not declined them (https://no-color.org)."""
    return wants_color(stream or sys.stdout, os.environ)


def plain_width(environment: Mapping[str, str]) -> int:
    """How wide lines are where nobody looks at a terminal: as `COLUMNS` says, if it does."""
    asked = environment.get("COLUMNS", "")
    return int(asked) if asked.isdecimal() and 20 <= int(asked[:4]) <= 1000 else PLAIN_WIDTH


def console(stream: TextIO | None = None) -> Console:
    """A console for a stream (standard output unless told) that never takes a game's text for markup."""
    from rich.console import Console

    class Piped(Console):
        """A console that leaves it to the command what becomes of a reader who has gone."""

        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704 - the error that is being handled

    target = stream or sys.stdout
    colour = coloured(target)
    return Piped(
        file=target,
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if target.isatty() else plain_width(os.environ),
        legacy_windows=False,
    )


def clear(*, lines: int = 200) -> None:
    """Empties the terminal, and what can be scrolled back to where it can; elsewhere nothing.

    What one player saw must not stay for the next: a terminal that knows no such command gets empty lines.
    """
    if not sys.stdout.isatty():
        return
    if os.environ.get("TERM", "dumb") in {"", "dumb"}:
        sys.stdout.write("\n" * lines)
    else:
        sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
    sys.stdout.flush()
