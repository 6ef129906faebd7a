"""What lies on the table, for whoever only looks: the map, the fields, and what is asked of whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.cli.board import drawings, show_drawing
from dsl.cli.state import Overview
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.decision import Decision, Option
from dsl.engine.distinct import distinctions
from dsl.engine.machine import Machine

if TYPE_CHECKING:
    from rich.console import Console

MOST_OPTIONS = 24


def show_board(
    console: Console,
    machine: Machine,
    state: list[int],
    viewer: int | None,
    language: str,
    *,
    whole: bool = False,
) -> None:
    """Draws the maps with their legends, and the fields under them; `whole` with all tables."""
    for drawing in drawings(machine, state, viewer, language, console.width):
        show_drawing(console, drawing)
    Overview(machine, state, viewer, language).show(console, whole=whole, internals=whole)


def show_asked(console: Console, decision: Decision, language: str, *, options: bool = True) -> None:
    """Who must choose, and among what."""
    program = decision.machine.program
    spoken = language or program.language
    turn = word("turn", spoken, player=decision.player_label(language))
    prompt = printable(decision.prompt_in(language))
    asked = word("so", spoken, what=turn, result=prompt) if prompt else turn
    console.print(asked, style="bold", soft_wrap=True)
    alike = distinctions(decision, language)
    for number, option in list(enumerate(decision.options, 1))[: MOST_OPTIONS if options else 0]:
        more = f" ({alike[number - 1]})" if alike[number - 1] else ""
        console.print(f"{number:>4}  {option_label(option, language)}{more}", soft_wrap=True)
    left_out = len(decision.options) - MOST_OPTIONS
    if options and left_out > 0:
        console.print(f"      … +{left_out}")


def option_label(option: Option, language: str) -> str:
    """An option in words, as a person may choose it."""
    program = option.decision.machine.program
    text = option.label(language)
    return (
        word(option.kind, language or program.language)
        if not text or text == option.kind
        else printable(text)
    )
