"""The mutation of each construct; `docs/reference/mutation.md` says the same in words.

What compiles is known only when it is tried, so a construct may name several, to be tried in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import get_args

from dsl.linker.layers import Layer, head_name, head_type
from dsl.linker.provenance import Site
from dsl.syntax import ast
from dsl.testing.mutation import blocks
from dsl.testing.mutation.trees import GONE, Path
from dsl.testing.mutation.variants import (
    Edit,
    Variant,
    emptied,
    moved,
    never,
    one,
    other_value,
    printed,
    rewritten,
)

Layers = tuple[Layer, ...]
Rule = Callable[[Layers, Site], Iterator[Variant]]


def variants(layers: Layers, site: Site) -> tuple[str, tuple[Variant, ...]]:
    """The kind of a clause, as the program names it, and what can be done to it."""
    node = site.node
    if isinstance(node, ast.Block):
        kind, found = blocks.of_block(site)
        return kind, tuple(found)
    named, rule = CONSTRUCTS[type(node)]
    return node.verb if isinstance(node, ast.Permit) else named, tuple(rule(layers, site))


# ---------------------------------------------------------------- statements


def _statement(_: Layers, site: Site) -> Iterator[Variant]:
    """Left out; where something after it needs it, its numbers move by one."""
    node = site.node
    yield one("left out", site.path, ast.Nothing(span=node.span))
    for each in moved(site.path, node):
        yield replace(each, fallback=True)


def _place(layers: Layers, site: Site) -> Iterator[Variant]:
    """As any statement; each field that is set begins as others do."""
    yield from _statement(layers, site)
    for number, each in enumerate(site.node.settings):
        left = (*site.node.settings[:number], *site.node.settings[number + 1 :])
        yield one(f"`{each.span.text}` is not set", (*site.path, "settings"), left)


def _let(_: Layers, site: Site) -> Iterator[Variant]:
    yield from moved((*site.path, "value"), site.node.value)
    yield other_value((*site.path, "value"), site.node.value)


def _return(layers: Layers, site: Site) -> Iterator[Variant]:
    if site.node.value is None:
        yield from _statement(layers, site)
    else:
        yield from _let(layers, site)


def _choice(_: Layers, site: Site) -> Iterator[Variant]:
    """Chance or a player has no choice: the first element is the only one; or nobody is asked at all."""
    node: ast.Random | ast.Choose = site.node
    selection, span = node.selection, node.selection.span
    name = ast.NameExpr(selection.name.text, span=span)
    first = ast.Quantified("first", selection, span=span)
    only: ast.Expr = ast.Binary("is", name, first, span=span)
    if selection.condition is not None:
        only = ast.Binary("and", selection.condition, only, span=span)
    narrowed = replace(node, selection=replace(selection, condition=only))
    taken = ast.Let(selection.name, first, span=node.span)
    left_out = Edit("left out", ((site.path, ast.Nothing(span=node.span)),))
    tried = (("the first is taken", taken), ("only the first is there", narrowed))
    yield Variant((*(Edit(what, ((site.path, new),)) for what, new in tried), left_out))
    if selection.condition is not None:
        yield from moved((*site.path, "selection", "condition"), selection.condition)


def _split(_: Layers, site: Site) -> Iterator[Variant]:
    """The first has all of it; or nobody is asked."""
    node: ast.Split = site.node
    selection, span = node.selection, node.selection.span
    name = ast.NameExpr(selection.name.text, span=span)
    only: ast.Expr = ast.Binary("is", name, ast.Quantified("first", selection, span=span), span=span)
    if selection.condition is not None:
        only = ast.Binary("and", selection.condition, only, span=span)
    narrowed = replace(node, selection=replace(selection, condition=only))
    left_out = Edit("left out", ((site.path, ast.Nothing(span=node.span)),))
    yield Variant((Edit("only the first is there", ((site.path, narrowed),)), left_out))
    yield from moved((*site.path, "total"), node.total)


def _need(_: Layers, site: Site) -> Iterator[Variant]:
    condition = site.node.condition
    yield one("never refuses", (*site.path, "condition"), ast.Truth(True, span=condition.span))
    yield from moved((*site.path, "condition"), condition)


def _line(_: Layers, site: Site) -> Iterator[Variant]:
    yield one("not in the menu", site.path, GONE)


# ---------------------------------------------------------------- clauses


def _tailed(_: Layers, site: Site) -> Iterator[Variant]:
    """A clause with a condition never stands; the numbers and comparisons of its condition move by one."""
    node: ast.Modify | ast.Permit | ast.Reaction = site.node
    yield one("never stands", (*site.path, "tail", "condition"), never(node.span))
    if node.tail.condition is not None:
        yield from moved((*site.path, "tail", "condition"), node.tail.condition)
    if isinstance(node, ast.Modify):
        yield from moved((*site.path, "operand"), node.operand)


def _value(_: Layers, site: Site) -> Iterator[Variant]:
    node: ast.Value = site.node
    path = (*site.path, "body")
    if isinstance(node.body, ast.Block):
        yield from blocks.returns(path, node.body, node.result)
    else:
        yield other_value(path, node.body, node.result)
    yield from moved(path, node.body)
    if node.rounding is not None:
        other = "down" if node.rounding == "up" else "up"
        yield one(f"rounded {other}", (*site.path, "rounding"), other)


def _ending(_: Layers, site: Site) -> Iterator[Variant]:
    condition = site.node.condition
    path = (*site.path, "condition")
    if condition is None:
        yield one("left out", site.path, GONE)
        return
    yield one("never holds", path, never(condition.span))
    yield from moved(path, condition)


# ---------------------------------------------------------------- data


def _row(layers: Layers, site: Site) -> Iterator[Variant]:
    row, table = site.node, site.parents[-1]
    header = table.rows[0]
    if row is header:
        return
    declared = table if isinstance(table, ast.Table) else _table(layers, table.table.text)
    if declared is not None and declared.params and declared.result is None:
        yield from _effect(site.path, row, header)
        return
    keyed = declared is not None and bool(declared.params)
    dropped = () if keyed else (one("left out", site.path, GONE),)
    yield from dropped
    cells = list(enumerate(row.cells))[1:]
    if declared is not None and not keyed:
        told = words_in(header, declared)
        cells = [each for each in cells if each[0] not in told]
    for each in printed(site.path, cells):
        yield replace(each, fallback=not keyed)
    for each in _other_names(site.path, row, table, [at for at, _ in cells]):
        yield replace(each, fallback=True)


def words_in(header: ast.Row, declared: ast.Table) -> set[int]:
    """Which columns under a header of a table of kinds hold words for players, from which no rule follows."""
    heads = (*declared.rows[0].cells, *header.cells)
    texts = {head_name(each).partition(" ")[0] for each in heads if head_type(each) == "text"}
    names = [head_name(each).partition(" ")[0] for each in header.cells]
    return {at for at, name in enumerate(names) if name in {"name", "look", *texts}}


def _effect(path: Path, row: ast.Row, header: ast.Row) -> Iterator[Variant]:
    """The row of an effect table does nothing; the numbers of its effect move by one."""
    names = [cell.text for cell in header.cells]
    at = names.index("effect") if "effect" in names else len(names) - 1
    if at >= len(row.cells) or row.cells[at].text == "-":
        return
    yield one("has no effect", (*path, "cells", at), rewritten(row.cells[at], "-"))
    yield from printed(path, [(at, row.cells[at])])


def _other_names(
    path: Path, row: ast.Row, table: ast.Table | ast.ExtendRows, columns: list[int]
) -> Iterator[Variant]:
    """Each printed name becomes another one of its column, in some columns."""
    for index, cell in ((at, row.cells[at]) for at in columns):
        others = [each.cells[index].text for each in table.rows[1:] if index < len(each.cells)]
        other = next((text for text in others if text not in {cell.text, "-"}), None)
        if other is not None and cell.text.isidentifier() and other.isidentifier():
            new = rewritten(cell, other)
            yield one(f"{cell.text} becomes {other}", (*path, "cells", index), new)


def _table(layers: Layers, name: str) -> ast.Table | None:
    for layer in layers:
        for file in layer.files:
            for each in file.declarations:
                if isinstance(each, ast.Table) and each.name.text == name:
                    return each
    return None


def _rows(layers: Layers, site: Site) -> Iterator[Variant]:
    """A table is its rows, each spoiled in turn; one of effects is never rolled on."""
    node: ast.Table | ast.ExtendRows = site.node
    if isinstance(node, ast.Table) and node.params and node.result is None:
        yield Variant((Edit("never done", forbidden=node.name),))
    for index, row in enumerate(node.rows[1:], 1):
        inner = Site((*site.path, "rows", index), row, site.citation, (*site.parents, node))
        yield from _row(layers, inner)


def _column(_: Layers, site: Site) -> Iterator[Variant]:
    """A column that is added prints another value where its rows say none."""
    node: ast.ExtendColumn = site.node
    if node.initial is not None:
        yield other_value((*site.path, "initial"), node.initial)


def _field(_: Layers, site: Site) -> Iterator[Variant]:
    """A field keeps its initial value; begins with another; is never set back; its bound moves by one."""
    node: ast.Field = site.node
    yield Variant((Edit("keeps its initial value", frozen=(node,)),))
    if node.initial is not None:
        yield other_value((*site.path, "initial"), node.initial)
    for index, clause in enumerate(node.clauses):
        if isinstance(clause, ast.Again):
            yield one("does not come again", (*site.path, "clauses", index), GONE)
        elif isinstance(clause, ast.Seen):
            yield one("seen by all", (*site.path, "clauses", index), GONE)
    yield from moved((*site.path, "type"), node.type)


def _fields(layers: Layers, site: Site) -> Iterator[Variant]:
    """All fields of a declaration, each in turn; how many pieces there are moves by one."""
    node: ast.State | ast.Piece | ast.ExtendFields = site.node
    for index, each in enumerate(node.fields):
        inner = Site((*site.path, "fields", index), each, site.citation, (*site.parents, node))
        yield from _field(layers, inner)
    if isinstance(node, ast.Piece) and node.supply is not None:
        yield from moved((*site.path, "supply"), node.supply)
        yield one("without end", (*site.path, "supply"), None, fallback=True)


def _pile(_: Layers, site: Site) -> Iterator[Variant]:
    node: ast.Pile = site.node
    for index, clause in enumerate(node.clauses):
        if isinstance(clause, ast.Seen):
            yield one("seen by all", (*site.path, "clauses", index), GONE)
    if node.when_empty is not None:
        yield emptied((*site.path, "when_empty"), node.when_empty, "does nothing when empty")
    yield one("left out", site.path, GONE, fallback=True)


def _type(_: Layers, site: Site) -> Iterator[Variant]:
    node: ast.TypeDecl | ast.ExtendType = site.node
    yield from moved((*site.path, "alternatives"), node.alternatives)
    for index, each in enumerate(node.alternatives):
        if len(node.alternatives) > 1:
            yield one(f"without {each.span.text}", (*site.path, "alternatives", index), GONE)


def _map(_: Layers, site: Site) -> Iterator[Variant]:
    node: ast.Map = site.node
    yield from moved((*site.path, "shape"), node.shape)
    for index, line in enumerate(node.legend):
        yield _legend(line, (*site.path, "legend", index))


def _shared_legend(_: Layers, site: Site) -> Iterator[Variant]:
    node: ast.Legend = site.node
    for index, line in enumerate(node.lines):
        yield _legend(line, (*site.path, "lines", index))


def _legend(line: ast.LegendLine, path: Path) -> Variant:
    """A line of a legend is left out; where its sign is drawn, the sign says nothing."""
    sign = line.sign.text
    plain = replace(line, items=())
    return Variant((Edit(f"without {sign}", ((path, GONE),)), Edit(f"{sign} says nothing", ((path, plain),))))


def _legend_line(_: Layers, site: Site) -> Iterator[Variant]:
    yield _legend(site.node, site.path)


def _ruling(_: Layers, site: Site) -> Iterator[Variant]:
    """The default is another choice, each in turn."""
    node: ast.Ruling = site.node
    path = (*site.path, "default")
    if node.range is not None:
        n = int(node.default.text)
        edits = [
            Edit(f"{n} becomes {m}", ((path, replace(node.default, text=str(m))),)) for m in (n + 1, n - 1)
        ]
        yield Variant(tuple(edits))
    for choice in node.choices:
        if choice.text != node.default.text:
            yield one(f"is {choice.text}", path, replace(node.default, text=choice.text))


def _header_field(_: Layers, site: Site) -> Iterator[Variant]:
    """The numbers of a header's line move by one; without numbers, it is left out."""
    node: ast.HeaderField = site.node
    yield from moved((*site.path, "items"), node.items)
    yield one("left out", site.path, GONE, fallback=True)


def _menu(_: Layers, site: Site) -> Iterator[Variant]:
    """Each line of a menu, in turn."""
    for index, line in enumerate(site.node.lines):
        yield one(f"without {line.span.text.splitlines()[0]}", (*site.path, "lines", index), GONE)


def _dropped(_: Layers, site: Site) -> Iterator[Variant]:
    yield one("left out", site.path, GONE)


def _parts(_: Layers, site: Site) -> Iterator[Variant]:
    """What a mode declares, each declaration in turn."""
    for index, each in enumerate(site.node.declarations):
        what = f"without {each.span.text.splitlines()[0]}"
        yield one(what, (*site.path, "declarations", index), GONE)


def _whole(_: Layers, __: Site) -> Iterator[Variant]:
    """A header cannot be spoiled: there is no game without it."""
    yield from ()


def _can_cite(node: type[ast.Node]) -> bool:
    return "citation" in {field.name for field in fields(node)}


CONSTRUCTS: dict[type, tuple[str, Rule]] = {
    **{each: ("statement", _statement) for each in get_args(ast.Stmt) if _can_cite(each)},
    ast.Place: ("statement", _place),
    ast.Let: ("statement", _let),
    ast.Return: ("statement", _return),
    ast.Random: ("statement", _choice),
    ast.Choose: ("statement", _choice),
    ast.Split: ("statement", _split),
    ast.Need: ("need", _need),
    ast.MenuLine: ("statement", _line),
    ast.Modify: ("modify", _tailed),
    ast.Permit: ("forbid", _tailed),
    ast.Value: ("value", _value),
    ast.Ending: ("ending", _ending),
    ast.Objective: ("ending", _ending),
    ast.Row: ("row", _row),
    ast.Table: ("table", _rows),
    ast.ExtendRows: ("table", _rows),
    ast.ExtendColumn: ("table", _column),
    ast.Field: ("field", _field),
    ast.State: ("field", _fields),
    ast.ExtendFields: ("field", _fields),
    ast.Piece: ("piece", _fields),
    ast.Pile: ("pile", _pile),
    ast.TypeDecl: ("type", _type),
    ast.ExtendType: ("type", _type),
    ast.Map: ("map", _map),
    ast.Legend: ("map", _shared_legend),
    ast.LegendLine: ("map", _legend_line),
    ast.Area: ("map", _dropped),
    ast.Shape: ("map", _dropped),
    ast.Ruling: ("ruling", _ruling),
    ast.Menu: ("menu", _menu),
    ast.ExtendMenu: ("menu", _menu),
    ast.Window: ("window", _menu),
    ast.Mode: ("text", _parts),
    ast.Header: ("header", _whole),
    ast.HeaderField: ("header", _header_field),
    ast.Change: ("row", _dropped),
    ast.Remove: ("row", _dropped),
}
