"""A source in the one layout; where that changes it, the new text is read again before anybody trusts it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from dsl.diagnostics import Code, Diagnostics
from dsl.format.gaps import space_out
from dsl.format.margin import finished
from dsl.format.reading import read
from dsl.format.rows import align_rows
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.drawing import drawn
from dsl.syntax.parser import parse

QUOTES = '"""'
_PUT_RIGHT = frozenset({Code.TAB})
"""Faults of a text that its layout puts right."""


class NotTheSame(Exception):
    """The text that was made does not say the same as the old one: a fault of the formatter."""


def formatted(source: Source) -> str | Diagnostics:
    """The text of a source in the one layout, or what keeps it from being read.

    Raises `NotTheSame` where the new text would not mean the same.
    """
    diagnostics = Diagnostics()
    tree = parse(source, diagnostics)
    faults = [each for each in diagnostics if each.is_error]
    if any(each.code not in _PUT_RIGHT for each in faults):
        return Diagnostics(faults)
    text = _laid_out(source)
    if text == source.text and not faults:
        return text
    if not _say_the_same(tree, Source(source.name, text)):
        raise NotTheSame(f"{source.name} would not mean the same any more")
    return text


def _laid_out(source: Source) -> str:
    lines = read(source)
    align_rows(lines)
    space_out(lines)
    texts = finished(lines)
    return "".join(
        f"\n{text}\n" if line.gap else f"{text}\n" for line, text in zip(lines, texts, strict=True)
    )


def _say_the_same(tree: ast.File, again: Source) -> bool:
    """Whether a text has the same tree, places aside, and the same comments in their order."""
    diagnostics = Diagnostics()
    other = parse(again, diagnostics)
    comments = [[each.text.rstrip() for each in file.comments] for file in (tree, other)]
    same = _compared(tree.declarations) == _compared(other.declarations)
    return same and comments[0] == comments[1] and not diagnostics.has_errors


def _compared(declarations: Iterable[ast.Declaration]) -> list[ast.Declaration]:
    """Declarations, with drawings without the margins around them."""
    return [_compared_one(each) for each in declarations]


def _compared_one(declaration: ast.Declaration) -> ast.Declaration:
    match declaration:
        case ast.Mode():
            return replace(declaration, declarations=tuple(_compared(declaration.declarations)))
        case ast.Replace():
            return replace(declaration, declaration=_compared_one(declaration.declaration))
        case _:
            names = [each.name for each in fields(declaration) if each.name != "span"]
            bare: dict[str, Any] = {name: _bare(getattr(declaration, name)) for name in names}
            return replace(declaration, **bare)


def _bare(value: object) -> object:
    """A drawing without its margins, or all of some drawings; anything else as it is."""
    if isinstance(value, ast.Text) and value.span.source.text.startswith(
        QUOTES, max(0, value.span.start - 3)
    ):
        return replace(value, text=drawn(value.text))
    return tuple(map(_bare, value)) if isinstance(value, tuple) else value
