"""Columns of printed fractions: `1/2`, `1`, `3/2`. All cells of a column are counted in parts of one size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import gcd, lcm
from typing import cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir.types import NONE
from dsl.resolve.kinds import MOST_PARTS, UNKNOWN, AnyType, Fraction
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

CELL = re.compile(r"(-?\d{1,5})(?:\s*/\s*(\d{1,5}))?")
EMPTY = {"-", ""}


def is_named(world: World, type_: ast.TypeExpr | None) -> bool:
    """Is this the type `fraction`, of which what is printed or computed tells the rest?"""
    return isinstance(type_, ast.NamedType) and type_.name == "fraction" and "fraction" not in world.types


def column(reporter: Reporter, raw: Sequence[ast.Cell | None], *, optional: bool = True) -> AnyType:
    """The type that holds all fractions of a column, and none where it may lack some; another cell is a fault."""
    read: list[tuple[int, int]] = []
    for cell in raw:
        if cell is None or cell.text in EMPTY:
            continue
        pair = _pair(cell.text)
        if pair is None:
            reporter.error(
                Code.BAD_CELL,
                cell.span,
                tr("`{cell}` is no fraction", cell=cell.text),
                hint=tr("the parts of a fraction are at least 1/{most_parts}", most_parts=f"{MOST_PARTS:,}")
                if re.fullmatch(r"-?\d+/\d+", cell.text)
                else "this column holds fractions such as `1/2`, `1` or `3/2`",
            )
            return UNKNOWN
        read.append(pair)
    parts = lcm(*(below for _, below in read)) if read else 1
    if parts > MOST_PARTS:
        span = next(cell.span for cell in raw if cell is not None)
        message = tr(
            "the fractions of this column meet in parts of 1/{parts}, smaller than 1/{most_parts}",
            parts=parts,
            most_parts=MOST_PARTS,
        )
        reporter.error(Code.BAD_CELL, span, message, hint="print fractions that divide 1 more evenly")
        return UNKNOWN
    counts = [above * parts // below for above, below in read] or [0]
    is_lacking = optional and len(read) < len(raw)
    return cast(AnyType, Fraction(parts, min(counts), max(counts), is_lacking))


def values(raw: Sequence[ast.Cell | None], type_: Fraction) -> list[int]:
    """How many parts each cell is."""
    pairs = [_pair(cell.text) if cell is not None else None for cell in raw]
    nothing = NONE if type_.optional else type_.low
    return [pair[0] * type_.parts // pair[1] if pair else nothing for pair in pairs]


def _pair(text: str) -> tuple[int, int] | None:
    found = CELL.fullmatch(text)
    if found is None:
        return None
    above, below = int(found[1]), int(found[2] or 1)
    if below == 0:
        return None
    common = gcd(above, below)
    return above // common, below // common
