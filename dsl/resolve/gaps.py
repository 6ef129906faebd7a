"""What a game leaves to its scenarios: told where the scenario should write it, with the words to write."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label
from dsl.ir.types import Id, Int, SetOf
from dsl.linker.layers import Gathered
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

MOST_WRITTEN = 6
"""Rows that a hint writes."""


def header_that_fills(gathered: Gathered) -> Span | None:
    """The name of the scenario, or else of the last mod, that fills what the game below it leaves open."""
    if len(gathered.headers) < 2:
        return None
    scenarios = [header for header in gathered.headers if header.kind == "scenario"]
    return [*gathered.headers[1:], *scenarios][-1].name.span


def where_to_fill(world: World, left_open: Span) -> tuple[Span, tuple[Label, ...]]:
    """Where to tell of something missing that a span asks for: there, or in the scenario that should bring it."""
    header = world.filling
    if header is None or world.layer(left_open) >= world.layer(header):
        return left_open, ()
    return header, (Label(left_open, "left open here"),)


def missing_rows(
    world: World,
    table: ast.Table,
    found: Sequence[ast.Row],
    keys: list[str],
    tail: str,
    filler: str,
    asked: Span | None = None,
) -> None:
    """Tells of arguments of a table that have no row; `found` are the rows that there are, `filler` an empty cell.
    `asked` is where the argument is declared that has none, where it is a row itself.
    """
    name = table.name.text
    place, labels = where_to_fill(world, table.name.span)
    known = (table.name.span, *(row.span for row in found))
    if asked is not None and all(world.layer(each) < world.layer(asked) for each in known):
        place, labels, found = asked, (Label(table.name.span, "this table needs a row for it"),), ()
    later = [row for row in found if world.layer(row.span) >= world.layer(place)]
    head = [cell.text for cell in table.rows[0].cells] if table.rows else ["id", "effect"]
    lines = [head, *([key, *[filler] * (len(head) - 1)] for key in keys[:MOST_WRITTEN])]
    first, *rows = _laid_out(lines)
    if later and (labels or found[-1] is later[-1]):
        place = later[-1].span
        labels = labels or (Label(table.name.span, tr("`{name}` is declared here", name=name)),)
        if asked is not None and asked.source is place.source and asked.start > place.end:
            labels = (*labels, Label(asked, "and this is declared here"))
        hint = "write it, with what it does:\n" + "\n".join(rows)
        fix = None
    else:
        more = ["    ..."] if len(keys) > MOST_WRITTEN else []
        text = "\n".join([f"extend {name}:", first, *rows, *more])
        hint = tr("each needs a row, `-` where nothing happens; write in the scenario\n{text}", text=text)
        if not labels:
            hint = tr(
                "each needs a row; write them here, or in a scenario under `extend {name}:`\n", name=name
            )
            hint += "\n".join([*rows, *more])
        fix = _at_the_end(place, text) if labels and len(keys) <= MOST_WRITTEN else None
    world.reporter.diagnostics.add(
        Diagnostic(
            Code.TABLE_GAP,
            tr(
                "the table `{name}` has no row for {listed}{tail}", name=name, listed=_listed(keys), tail=tail
            ),
            place,
            hint=hint,
            labels=labels,
            fix=fix,
        )
    )


def asked_by(world: World, type_: Int | Id, missing: Sequence[int]) -> Span | None:
    """Of arguments without a row the one that is declared last: a row or member that a mod brings."""
    spans = [world.span_of_row(type_.domain, each) for each in missing] if isinstance(type_, Id) else []
    return max((span for span in spans if span is not None), key=world.layer, default=None)


def _listed(keys: list[str]) -> str:
    shown = keys if len(keys) < 5 else [*keys[:3], "others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _laid_out(lines: list[list[str]]) -> list[str]:
    """Rows of a table with their bars one under the other."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        f"    | {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |"
        for line in lines
    ]


def _at_the_end(place: Span, text: str) -> Fix:
    source = place.source
    end = len(source.text)
    gap = "\n" if source.text.endswith("\n") else "\n\n"
    return Fix(source.span(end, end), f"{gap}{text}\n", "write these rows at the end of the file")


def named_keys(world: World, type_: Int | Id, missing: Sequence[int]) -> list[str]:
    """Arguments of a table as its rows name them; numbers that follow each other together."""
    if isinstance(type_, Id):
        return [world.domains[type_.domain].members[each] for each in missing]
    found: list[list[int]] = []
    for each in missing:
        if found and found[-1][1] == each - 1:
            found[-1][1] = each
        else:
            found.append([each, each])
    return [str(low) if low == high else f"{low}-{high}" for low, high in found]


def no_map(world: World, span: Span) -> None:
    """Tells once of a game that asks for places and has no map."""
    if "Cell" in world.reporter.lost:
        return
    world.reporter.lost |= {"Cell", "Direction"}
    world.reporter.is_boardless = True
    place, labels = where_to_fill(world, span)
    labels = tuple(Label(label.span, "asks for places on a map") for label in labels)
    regions = [
        f"`map land on regions({domain.name}, {column.name})`"
        for domain in world.domains
        for column in (domain.table.columns.values() if domain.table else ())
        if column.type == SetOf(Id(domain.id))
    ]
    hint = tr("declare one: {regions}", regions=regions[0] if regions else "`map board on squares(8, 8)`")
    world.reporter.diagnostics.add(
        Diagnostic(Code.UNKNOWN_NAME, "this game has no map", place, hint=hint, labels=labels)
    )
