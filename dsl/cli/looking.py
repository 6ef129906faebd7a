"""What lies on the table, for whoever only looks: the map, the fields, and what is asked of whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dsl.cli.board import drawings, show_drawing
from dsl.cli.state import Overview
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.decision import Decision, Option
from dsl.engine.distinct import told_apart
from dsl.engine.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    asked_of = decision.options[: MOST_OPTIONS if options else 0]
    apart = told_apart(decision, asked_of, language)
    shown = line_numbers(decision.options, language)
    for number, option in enumerate(asked_of):
        more = f" ({apart[number]})" if apart[number] else ""
        console.print(f"{shown[number]:>4}  {option_label(option, language)}{more}", soft_wrap=True)
    left_out = len(decision.options) - MOST_OPTIONS
    if options and left_out > 0:
        console.print(f"      … +{left_out}")


def line_numbers(options: Sequence[Option], language: str) -> list[str]:
    """What stands before each option: its number, from 1. One whose words are a number goes by that number alone, and
    so its line has none; nor has a line whose number is the words of another option.
    """
    labels = [option_label(each, language) for each in options]
    numbers = Counter(filter(is_number, labels))
    lines = [str(number) for number in range(1, len(labels) + 1)]
    return [
        "" if line in numbers or numbers[label] == 1 else line
        for line, label in zip(lines, labels, strict=True)
    ]


def is_number(text: str) -> bool:
    """Are these words a number, and nothing else?"""
    return text.removeprefix("-").removeprefix("\N{MINUS SIGN}").isdecimal()


def option_label(option: Option, language: str) -> str:
    """An option in words, as a person may choose it."""
    program = option.decision.machine.program
    text = option.label(language)
    return (
        word(option.kind, language or program.language)
        if not text or text == option.kind
        else printable(text)
    )
