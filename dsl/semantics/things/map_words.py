"""What a map may stand on, what is likely meant by other words for it, and the names in the drawing of its regions."""

from __future__ import annotations

import re

from dsl.diagnostics import Code
from dsl.near import close_matches
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.things.drawing import line_spans
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast

SHAPES = ("squares", "hexes", "regions")
_OTHER_WORDS = {
    **dict.fromkeys(("hex", "hexagons", "hexagonal", "hexgrid"), "hexes"),
    **dict.fromkeys(("square", "grid", "board", "chessboard", "cells", "rectangle"), "squares"),
    **dict.fromkeys(("region", "areas", "provinces", "countries", "graph"), "regions"),
}
_NAME = re.compile(r"[^\W\d]\w*")


def chosen_map(world: World, gathered: Gathered, maps: list[ast.Map]) -> ast.Map | None:
    """The map that the header names, or the last one; a header may name one that nothing declares."""
    from dsl.semantics.things.headers import header_items

    named = [
        item
        for _, items in header_items(gathered, "map")
        for item in items
        if isinstance(item, ast.Name) and item.text != ","
    ]
    first: dict[str, ast.Name] = {}
    for each in maps:
        if first.setdefault(each.name.text, each.name) is not each.name:
            world.duplicate(each.name, first[each.name.text].span)
    wanted = named[-1] if named else None
    found = [each for each in maps if wanted is None or each.name.text == wanted.text]
    if wanted is not None and not found:
        hint = world.nearest(wanted.text, [each.name.text for each in maps])
        hint = hint or f"declare it: `map {wanted.text} on squares(8, 8)`, or import the file that does"
        world.error(Code.UNKNOWN_NAME, wanted.span, f"there is no map `{wanted.text}`", hint=hint)
        if not maps:
            world.lost |= {"Cell", "Direction"}
            world.is_boardless = True
    return [*maps, *found][-1] if maps else None


def told_of_shape(world: World, shape: ast.Expr, word: str) -> str:
    """Tells of a map on something unknown; what it was likely meant to be, so that nothing else is told for it."""
    known = "write `squares(8, 8)`, `squares`, `hexes(pointy)` or `regions(Region, adjacent)`"
    span = shape.function.span if isinstance(shape, ast.Apply) else shape.span
    near = close_matches(word.lower(), SHAPES, n=1)
    meant = _OTHER_WORDS.get(word.lower()) or (near[0] if near else "")
    hint = world.meant(word, meant, is_clear=True) if meant else known
    world.error(Code.UNKNOWN_NAME, span, "a map stands on squares, hexes or regions", hint=hint)
    return meant


def check_region_names(world: World, drawing: ast.Text | None, regions: list[str]) -> None:
    """Tells of names in a drawing that are nearly those of regions which are not drawn: these would be lost in it."""
    words: list[tuple[str, Span]] = []
    for span, _ in line_spans(drawing) if drawing is not None else ():
        words += [
            (found.group(), span.source.span(span.start + found.start(), span.start + found.end()))
            for found in _NAME.finditer(span.text)
        ]
    drawn = {word for word, _ in words}
    missing = [each for each in regions if each not in drawn]
    for word, span in words:
        near = [] if word in regions else close_matches(word, missing, n=2, cutoff=0.7)
        if near:
            hint = world.meant(word, near[0], is_clear=len(near) == 1)
            message = f"the drawing names `{word}`, which is no region"
            world.error(Code.UNKNOWN_NAME, span, message, hint=hint)
