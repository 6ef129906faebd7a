"""What the layers above a game do to what is there: each change, replacement, removal and new clause, in order.

Of a changed cell the number before and after are told, of a replaced or removed thing the place where it stood. Where
two mods do something to one target, or both add clauses to one head, that is an *overlap*: not always a fault, but what
an author of mods wants to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dsl.linker.layers import Layer, head_default, head_name, named
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import handles_of, walk


@dataclass(frozen=True, slots=True)
class Edit:
    """What a layer does to a target: `verb` is change, replace, remove, add rows, add fields, add lines, or the word
    of a clause (modify, forbid, allow, before, after, instead of).
    """

    verb: str
    target: str
    span: Span
    layer: int
    was: str = ""
    now: str = ""
    earlier: Span | None = None
    """Where it stood before."""
    clause: bool = False
    """Does it only add a clause to a head?"""
    handles: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    """Of a clause, its citation and families, and the handles that it is over."""


def edits(layers: Iterable[Layer]) -> tuple[Edit, ...]:
    """All that layers do to what is there, in the order in which it is done."""
    history = _History()
    for number, layer in enumerate(layers):
        history.add(number, layer)
    return tuple(history.found)


def overlaps(layers: tuple[Layer, ...]) -> dict[str, tuple[Edit, ...]]:
    """The targets that more than one mod does something to, with what each does."""
    mods = {number for number, layer in enumerate(layers) if layer.header.kind == "mod"}
    grouped: dict[str, list[Edit]] = {}
    for each in edits(layers):
        if each.layer in mods:
            grouped.setdefault(each.target, []).append(each)
    return {
        target: tuple(found) for target, found in grouped.items() if len({each.layer for each in found}) > 1
    }


class _History:
    """What stood where, layer by layer."""

    def __init__(self) -> None:
        self.found: list[Edit] = []
        self.cells: dict[tuple[str, str], tuple[str, Span]] = {}
        self.declared: dict[str, Span] = {}
        self.cited: dict[str, list[Span]] = {}

    def add(self, number: int, layer: Layer) -> None:
        declarations = [each for file in layer.files for each in _flat(file.declarations)]
        late = (ast.Change, ast.Replace, ast.Remove)
        for each in declarations:
            if not isinstance(each, late):
                self.enter(each, number)
        for each in declarations:
            match each:
                case ast.Change():
                    self.change(each, number)
                case ast.Replace():
                    self.replace(each, number)
                case ast.Remove():
                    self.remove(each, number)
                case _:
                    pass

    # ------------------------------------------------------------ what is there

    def enter(self, each: ast.Declaration, number: int) -> None:
        match each:
            case ast.Table():
                self.rows(each.rows)
            case ast.ExtendRows():
                self.rows(each.rows)
                self.note(number, Edit("add rows", each.table.text, each.span, number, clause=True))
            case ast.ExtendColumn():
                self.note(number, Edit("add a column", each.table.text, each.span, number, clause=True))
            case ast.ExtendType():
                self.note(number, Edit("add members", each.name.text, each.span, number, clause=True))
            case ast.ExtendFields():
                self.note(number, Edit("add fields", each.name.text, each.span, number, clause=True))
            case ast.ExtendMenu():
                self.note(number, Edit("add lines", each.name.text, each.span, number, clause=True))
            case ast.Modify() | ast.Permit() | ast.Reaction():
                handles = handles_of(each)
                over = tuple(handle for reference in each.tail.over for handle in reference.handles)
                for verb, target in _clause(each):
                    found = Edit(verb, target, each.span, number, clause=True, handles=handles, over=over)
                    self.note(number, found)
            case _:
                pass
        name = named(each)
        if name:
            self.declared[name] = each.span
        for node in walk(each):
            citation = getattr(node, "citation", None)
            if isinstance(citation, ast.Citation):
                for handle in (*citation.ids, *citation.families):
                    self.cited.setdefault(handle, []).append(node.span)

    def rows(self, rows: tuple[ast.Row, ...]) -> None:
        heads = [(head_name(cell), head_default(cell)) for cell in rows[0].cells] if rows else []
        for row in rows[1:]:
            name = row.cells[0].text if row.cells else ""
            self.declared[name] = row.span
            for (head, default), cell in zip(heads, row.cells, strict=False):
                text = cell.text or (default.text if default is not None and row.like is None else "")
                self.cells[name, head] = (text, cell.span)

    def note(self, number: int, edit: Edit) -> None:
        """Clauses of the game itself are no edits."""
        if number:
            self.found.append(edit)

    # ------------------------------------------------------------ what is done to it

    def change(self, each: ast.Change, number: int) -> None:
        row = each.target.name if isinstance(each.target, ast.NameExpr) else each.target.span.text
        for setting in each.settings:
            key = (row, setting.name.text)
            was, earlier = self.cells.get(key, ("", None))
            now = setting.value.span.text
            target = f"{row}.{setting.name.text}"
            self.found.append(Edit("change", target, setting.span, number, was, now, earlier))
            self.cells[key] = (now, setting.span)

    def replace(self, each: ast.Replace, number: int) -> None:
        new = each.declaration
        name = f'test "{new.title.text}"' if isinstance(new, ast.Test) else named(new) or ""
        self.found.append(Edit("replace", name, each.span, number, earlier=self.declared.get(name)))
        self.enter(each.declaration, 0)

    def remove(self, each: ast.Remove, number: int) -> None:
        if each.cited is not None:
            for handle in (*each.cited.ids, *each.cited.families):
                first = next(iter(self.cited.get(handle, ())), None)
                self.found.append(Edit("remove", f"[{handle}]", each.span, number, earlier=first))
        elif each.name is not None:
            name = each.name.text
            target = name if each.table is None else f"{each.table.text}.{name}"
            self.found.append(Edit("remove", target, each.span, number, earlier=self.declared.get(name)))


def _flat(declarations: Iterable[ast.Declaration]) -> Iterator[ast.Declaration]:
    """Declarations, with those of modes among them."""
    for each in declarations:
        if isinstance(each, ast.Mode):
            yield from _flat(each.declarations)
        else:
            yield each


def _clause(each: ast.Modify | ast.Permit | ast.Reaction) -> Iterator[tuple[str, str]]:
    """The word and the heads of a clause."""
    match each:
        case ast.Modify():
            yield "modify", target_name(each.target)
        case ast.Permit():
            yield from ((each.verb, target_name(target)) for target in each.targets)
        case ast.Reaction():
            hook = "instead of" if each.hook == "instead" else each.hook
            yield from ((hook, target_name(target)) for target in each.targets)
        case _:
            assert_never(each)


def target_name(target: ast.Target) -> str:
    """The head that a clause is about, as `show` and `resolve` call it."""
    return f"{target.name.text}.{target.column.text}" if target.column else target.name.text
