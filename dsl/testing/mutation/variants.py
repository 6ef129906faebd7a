"""What can be done to a clause: edits of the tree, several of which may be tried until one compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.testing.mutation.trees import Path, inside

STRICTER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
HAS = ("", "-no", "-any-of", "-all-of")
TRUTHS = frozenset(
    {"and", "is", "is-not", "<", "<=", ">", ">=", "in", "not-in"} | {f"has{how}" for how in HAS}
)
OPPOSITE = {"least": "most", "most": "least", "lowest": "highest", "highest": "lowest"}


@dataclass(frozen=True, slots=True)
class Edit:
    """One mutation: what it does in words, the places that change, a head that is never offered
    (`forbidden`), fields that are never written (`frozen`).
    """

    what: str
    changes: tuple[tuple[Path, Any], ...] = ()
    forbidden: ast.Name | None = None
    frozen: tuple[ast.Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """Edits of which the first that compiles counts.

    A `fallback` is tried only where no variant of its clause before it has compiled.
    """

    edits: tuple[Edit, ...]
    fallback: bool = False


def one(what: str, path: Path, new: Any, *, fallback: bool = False) -> Variant:
    """A single change."""
    return Variant((Edit(what, ((path, new),)),), fallback)


def moved(path: Path, node: Any) -> Iterator[Variant]:
    """Each bound in a tree, moved by one: a number, a comparison's strictness, a direction of rounding."""
    for at, each in inside(path, node):
        match each:
            case ast.Number(value=n):
                yield _stepped(at, replace(each, value=n + 1), replace(each, value=n - 1), n)
            case ast.Roll(sides=sides):
                dice = [(f"a d{n}", replace(each, sides=n)) for n in (sides - 1, sides + 1)]
                yield Variant(tuple(Edit(what, ((at, new),)) for what, new in dice))
            case ast.RangeType(high=high):
                yield one(f"up to {high - 1}", at, replace(each, high=high - 1))
            case ast.Binary(op=op) if op in STRICTER:
                yield one(f"`{op}` becomes `{STRICTER[op]}`", at, replace(each, op=STRICTER[op]))
            case ast.Rounded(direction=direction):
                other = "down" if direction == "up" else "up"
                yield one(f"rounded {other}", at, replace(each, direction=other))
            case ast.Extreme(extreme=extreme):
                other = OPPOSITE[extreme]
                yield one(f"`{extreme}` becomes `{other}`", at, replace(each, extreme=other))
            case _:
                pass


def _stepped(path: Path, more: Any, less: Any, n: int) -> Variant:
    """A number one greater; one less where that does not compile."""
    up, down = Edit(f"{n} becomes {n + 1}", ((path, more),)), Edit(f"{n} becomes {n - 1}", ((path, less),))
    return Variant((up, down))


def other_value(path: Path, expr: ast.Expr, result: ast.TypeExpr | None = None) -> Variant:
    """Another value than the expression's: one more, the opposite, nothing; or another one of a type, if it is
    known.
    """
    span = expr.span
    more = ast.Binary("+", expr, ast.Number(1, span=span), span=span)
    nothing = ast.NameExpr("empty", span=span)
    tried: tuple[tuple[str, ast.Expr], ...] = (
        ("its value is one more", more),
        ("its value is the opposite", ast.Unary("not", expr, span=span)),
        ("its value is empty", nothing),
        ("its value is none", ast.NoneExpr(span=span)),
    )
    if is_truth(expr, result):
        tried = (tried[1], tried[0], *tried[2:])
    if isinstance(result, ast.NamedType):
        tried = (*tried, ("its value is another", _another(expr, result)))
    return Variant(tuple(Edit(what, ((path, new),)) for what, new in tried))


def is_truth(expr: ast.Expr, result: ast.TypeExpr | None = None) -> bool:
    """Can an expression be seen to be a truth, by its type or by its form?"""
    match expr:
        case ast.Truth() | ast.Every() | ast.Unary(op="not") | ast.Quantified(quantifier="any" | "no"):
            return True
        case ast.Binary(op=op):
            return op in TRUTHS or (isinstance(result, ast.NamedType) and result.name == "bool")
        case _:
            return isinstance(result, ast.NamedType) and result.name == "bool"


def _another(expr: ast.Expr, kind: ast.NamedType) -> ast.Expr:
    """The first of a type that the expression is not."""
    span, name = expr.span, "another"
    differs = ast.Binary("is-not", ast.NameExpr(name, span=span), expr, span=span)
    selection = ast.Selection(
        ast.Name(name, span=span), ast.NameExpr(kind.name, span=span), differs, span=span
    )
    return ast.Binary("or", ast.Quantified("first", selection, span=span), expr, span=span)


def emptied(path: Path, block: ast.Block, what: str) -> Variant:
    """A block that does nothing; its own citation stays."""
    new = replace(block, statements=(ast.Nothing(span=block.span),))
    return one(what, path, new)


def never(span: Span) -> ast.Truth:
    """A condition that does not hold."""
    return ast.Truth(False, span=span)


def numbers_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the numbers of a printed cell stand; a name such as `R04` is none."""
    start = -1
    for at, sign in enumerate(text + " "):
        if sign.isdigit():
            start = at if start < 0 else start
            continue
        before = text[start - 1] if start > 0 else " "
        if start >= 0 and not (before.isalnum() or before == "_" or sign.isalpha() or sign == "_"):
            yield start, at
        start = -1


def rewritten(cell: ast.Cell, text: str) -> ast.Cell:
    """A cell with other text, in a source that differs there alone."""
    span = cell.span
    whole = span.source.text
    source = Source(span.source.name, whole[: span.start] + text + whole[span.end :])
    return ast.Cell(text, span=Span(source, span.start, span.start + len(text)))


def printed(path: Path, cells: Iterable[tuple[int, ast.Cell]]) -> Iterator[Variant]:
    """Each number of some cells (by their places in the row), one greater or one less; `-` becomes 1."""
    for index, cell in cells:
        at = (*path, "cells", index)
        if cell.text == "-":
            yield Variant((Edit("- becomes 1", ((at, rewritten(cell, "1")),)),))
        for start, end in numbers_in(cell.text):
            n = int(cell.text[start:end])
            edits = [
                Edit(
                    f"{cell.text} becomes {new}",
                    ((at, rewritten(cell, new)),),
                )
                for other in (n + 1, n - 1)
                if other >= 0 and (new := f"{cell.text[:start]}{other}{cell.text[end:]}")
            ]
            yield Variant(tuple(edits))
        yield from _dashes(at, cell)


def _dashes(path: Path, cell: ast.Cell) -> Iterator[Variant]:
    """Each `-` that is a part of a printed record, as in `4/-`."""
    parts = cell.text.split("/")
    for index, part in enumerate(parts):
        if part.strip() == "-" and len(parts) > 1:
            new = "/".join([*parts[:index], "1", *parts[index + 1 :]])
            yield one(f"{cell.text} becomes {new}", path, rewritten(cell, new))
