"""What a map may stand on, what is likely meant by other words for it, and the names in the drawing of its regions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Meant
from dsl.linker.layers import Gathered
from dsl.near import close_matches, nearest
from dsl.resolve.map_drawings import line_spans
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.source import Span
from dsl.syntax import ast

SHAPES = ("squares", "hexes", "regions")
_OTHER_WORDS = {
    **dict.fromkeys(("hex", "hexagons", "hexagonal", "hexgrid"), "hexes"),
    **dict.fromkeys(("square", "grid", "board", "chessboard", "cells", "rectangle"), "squares"),
    **dict.fromkeys(("region", "areas", "provinces", "countries", "graph"), "regions"),
}
_NAME = re.compile(r"[^\W\d]\w*")


def chosen_map(reporter: Reporter, gathered: Gathered, maps: list[ast.Map]) -> ast.Map | None:
    """The map that the header names, or the last one; a header may name one that nothing declares."""
    from dsl.resolve.headers import header_items

    named = [
        item
        for _, items in header_items(gathered, "map")
        for item in items
        if isinstance(item, ast.Name) and item.text != ","
    ]
    first: dict[str, ast.Name] = {}
    for each in maps:
        if first.setdefault(each.name.text, each.name) is not each.name:
            reporter.duplicate(each.name, first[each.name.text].span)
    wanted = named[-1] if named else None
    found = [each for each in maps if wanted is None or each.name.text == wanted.text]
    if wanted is not None and not found:
        hint = reporter.nearest(wanted.text, [each.name.text for each in maps])
        hint = hint or tr(
            "declare it: `map {wanted} on squares(8, 8)`, or import the file that does", wanted=wanted.text
        )
        reporter.unknown("map", wanted.span, hint=hint)
        if not maps:
            reporter.lost |= {"Cell", "Direction"}
            reporter.is_boardless = True
    return [*maps, *found][-1] if maps else None


def told_of_shape(reporter: Reporter, shape: ast.Expr, word: str) -> str:
    """Tells of a map on something unknown; what it was likely meant to be, so that nothing else is told for it."""
    known = "write `squares(8, 8)`, `squares`, `hexes(pointy)` or `regions(Region, adjacent)`"
    span = shape.function.span if isinstance(shape, ast.Apply) else shape.span
    meant = _OTHER_WORDS.get(word.lower()) or nearest(word, SHAPES)
    hint = Meant(word, meant, is_clear=True) if meant else known
    reporter.error(Code.UNKNOWN_NAME, span, "a map stands on squares, hexes or regions", hint=hint)
    return meant


def check_regions_drawn(world: World, decl: ast.Map, domain: Domain, neighbours: Sequence[int]) -> None:
    """A drawing shows each region once, and joins none that are no neighbours; `neighbours` are sets of regions."""
    if decl.drawing is None or domain.name in world.reporter.lacks_rows:
        return
    rows = line_spans(decl.drawing)
    spots: list[_Spot] = []
    for line, (span, text) in enumerate(rows):
        indent = len(text) - len(text.lstrip())
        for found in _NAME.finditer(text):
            start = span.start + found.start() - indent
            place = span.source.span(start, start + len(found.group()))
            spots.append(_Spot(line, found.start(), found.end(), found.group(), place))
    drawn = {spot.name for spot in spots}
    missing = [each for each in domain.members if each not in drawn]
    first: dict[str, _Spot] = {}
    for spot in spots:
        if spot.name not in domain.index:
            missing = _strange(world.reporter, spot, domain, missing)
        elif (earlier := first.setdefault(spot.name, spot)) is not spot:
            message = tr("the drawing shows `{spot}` twice", spot=spot.name)
            labels = (Label(earlier.span, "shown here before"),)
            hint = "each region stands in it once"
            world.error(Code.RAGGED_MAP, spot.span, message, labels=labels, hint=hint)
    _missing(world, decl, domain, missing)
    for one, two in _joined(
        [text for _, text in rows], [each for each in spots if each.name in domain.index]
    ):
        if one.name != two.name and not neighbours[domain.index[one.name]] >> domain.index[two.name] & 1:
            message = tr(
                "the drawing joins `{one}` and `{two}`, which are no neighbours in `{domain}`",
                one=one.name,
                two=two.name,
                domain=domain.name,
            )
            labels = (Label(one.span, "joined with this one"),)
            hint = "take the line away, or name each of them as a neighbour in the other's row"
            world.error(Code.RAGGED_MAP, two.span, message, labels=labels, hint=hint)


class _Spot(NamedTuple):
    """A word of a drawing: in which line, from which column to which, and its place in the source."""

    line: int
    start: int
    end: int
    name: str
    span: Span


def _strange(reporter: Reporter, spot: _Spot, domain: Domain, missing: list[str]) -> list[str]:
    """Tells of a word that is no region; which of the missing ones it is likely not any more."""
    near = close_matches(spot.name, missing, n=2, cutoff=0.7)
    rows = tr("a row `{spot}`", spot=spot.name)
    hint = tr(
        "give `{domain}` {rows}, or leave the word out: lines are drawn with signs that are no letters",
        domain=domain.name,
        rows=rows,
    )
    if near:
        hint = Meant(spot.name, near[0], is_clear=len(near) == 1)
    message = tr("the drawing names `{spot}`, which is no region", spot=spot.name)
    reporter.unknown("row", spot.span, message, name=spot.name, of=domain.name, hint=hint)
    return [each for each in missing if each not in near[:1]]


def _missing(world: World, decl: ast.Map, domain: Domain, missing: list[str]) -> None:
    """Tells of regions that are not drawn: at their rows where a later file adds them, else at the map."""
    clauses = domain.table.row_clauses if domain.table else []
    late = []
    for name in missing:
        at = domain.index[name]
        clause = clauses[at] if at < len(clauses) else None
        span = world.clause_spans[clause] if clause is not None else None
        if span is not None and world.layer(span) > world.layer(decl.name.span):
            late.append(name)
            hint = tr("draw the map again with it: `replace map {decl} on ...:`", decl=decl.name.text)
            labels = (Label(decl.name.span, "drawn here"),)
            message = tr(
                "the drawing of the map `{decl}` does not show `{name}`", decl=decl.name.text, name=name
            )
            world.error(Code.RAGGED_MAP, span, message, labels=labels, hint=hint)
    if early := [name for name in missing if name not in late]:
        shown = ", ".join(f"`{name}`" for name in early[:4]) + (" and others" if len(early) > 4 else "")
        hint = "each region stands in it once, under the name of its row"
        world.error(
            Code.RAGGED_MAP, decl.name.span, tr("the drawing does not show {shown}", shown=shown), hint=hint
        )


_ACROSS = frozenset("-─━═—–=")
_DOWN = frozenset("|│┃║")


def _joined(lines: list[str], spots: list[_Spot]) -> Iterator[tuple[_Spot, _Spot]]:
    """The pairs of names between which a straight line is drawn, across or down, without another sign on it."""
    for one, two in pairwise(spots):
        between = lines[one.line][one.end : two.start].strip() if one.line == two.line else ""
        if between and set(between) <= _ACROSS:
            yield one, two
    for spot in spots:
        for column in range(spot.start, spot.end):
            line = spot.line + 1
            while line < len(lines) and column < len(lines[line]) and lines[line][column] in _DOWN:
                line += 1
            if line > spot.line + 1:
                below = (each for each in spots if each.line == line and each.start <= column < each.end)
                yield from ((spot, each) for each in below)
