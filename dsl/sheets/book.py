"""All pages of a game on paper, and the document that they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.authoring.ground import begun, first, fresh
from dsl.authoring.sections import Section
from dsl.engine.kinds import kinds_at_first
from dsl.engine.machine import Machine
from dsl.ir.types import Id
from dsl.scene.eyes import everybody
from dsl.scene.fonts import Font
from dsl.scene.model import Point
from dsl.scene.paper import Paper
from dsl.scene.reading import scene_of
from dsl.sheets.boards import boards_of, setup_of
from dsl.sheets.cards import card_pools, cards_left_out, cards_of
from dsl.sheets.counters import counters_left_out, counters_of, sides_of
from dsl.sheets.page import Page
from dsl.sheets.rules import rules_of
from dsl.sheets.tables import in_words, tables_of

PARTS = ("boards", "cards", "counters", "tables", "rules")


def pages_of(
    machine: Machine,
    found: Sequence[Section],
    parts: Iterable[str],
    paper: Point,
    cell: float,
    language: str,
) -> dict[str, list[Page]]:
    """The pages of each part of a game, in their order; `found` are its sections, `cell` is in millimetres.

    Raises `boards.TooLarge`.
    """
    program = machine.program
    found = in_words(program, found, language)
    viewers, empty = everybody(machine), fresh(machine)
    state, decision = first(machine)
    start = scene_of(machine, state, viewers, language, decision)
    pages: dict[str, list[Page]] = {}
    for part in parts:
        match part:
            case "boards":
                bare = scene_of(machine, empty, viewers, language)
                own = boards_of(program, found, bare, paper, cell, language)
                pages[part] = [*own, *setup_of(start, paper)]
            case "cards":
                pages[part] = cards_of(program, found, paper, language)
            case "counters":
                sides = sides_of(scene_of(machine, empty, viewers, language), paper, cell)
                pages[part] = counters_of(machine, start, empty, paper, language, sides)
            case "tables":
                kinds = [kinds_at_first(program, pool) for pool in card_pools(program)]
                apart = frozenset(
                    program.domains[each.type.domain].name
                    for each in kinds
                    if each is not None and isinstance(each.type, Id)
                )
                pages[part] = tables_of(program, found, paper, apart, language)
            case _:
                pages[part] = rules_of(program, paper, language)
    return pages


def left_out(machine: Machine, parts: Iterable[str], language: str) -> dict[str, int]:
    """How many cards and counters a game has beyond the bound of what is printed; parts without such are left out."""
    found: dict[str, int] = {}
    for part in parts:
        if part == "cards":
            found[part] = cards_left_out(machine.program)
        elif part == "counters":
            start = scene_of(machine, begun(machine), everybody(machine), language)
            found[part] = counters_left_out(machine, start, fresh(machine), language)
    return {part: count for part, count in found.items() if count}


def document(pages: Iterable[Page], font: Font, title: str, language: str) -> bytes:
    """Pages as PDF. Raises `fonts.Undrawable`."""
    paper = Paper(font, title, language)
    for page in pages:
        paper.page(page.width, page.height)
        for each in page.windows:
            paper.clipped(each.shapes, each.x, each.y, each.width, each.height)
        paper.draw(page.shapes)
    return paper.written()
