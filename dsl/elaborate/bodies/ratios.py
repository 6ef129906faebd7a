"""Exact fractions: printed ones, and what is computed from them until it is rounded.

A fraction is a whole number of parts of 1, and how many parts make 1 is known when the game is compiled: `3/2` in a
column of halves is 3. So engines see whole numbers only. While an expression is elaborated a `Ratio` stands for the
number of parts and says what they are; it never gets into a program.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd, lcm
from typing import TYPE_CHECKING, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Id, Int
from dsl.records import record
from dsl.resolve.kinds import MOST_PARTS, Fraction, as_fraction
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.scope import Elaboration
    from dsl.resolve.symbol_table import World


BIGGEST = 2**31 - 1


@record(frozen=True, slots=True)
class Ratio:
    """An expression that is a fraction: `of` is how many parts of 1 it is."""

    type: Fraction
    of: ir.Expr


def ratio(of: ir.Expr, parts: int) -> ir.Expr:
    """The fraction that is so many parts of 1; a whole number where one part is 1."""
    if parts == 1:
        return of
    assert isinstance(of.type, Int)
    type_ = Fraction(parts, of.type.low, of.type.high, of.type.optional)
    return cast(ir.Expr, Ratio(type_, of))


def as_ratio(expr: ir.Expr) -> Ratio | None:
    """The fraction that an expression is, if it is one."""
    found = cast(object, expr)
    return found if isinstance(found, Ratio) else None


def wrapped(expr: ir.Expr, type_: object) -> ir.Expr:
    """An expression that counts parts, as a fraction of that type; any other one as it is."""
    found = as_fraction(type_)
    return ratio(expr, found.parts) if found else expr


def bare(expr: ir.Expr) -> ir.Expr:
    """What an engine computes for an expression."""
    found = as_ratio(expr)
    return found.of if found else expr


def parts_of(expr: ir.Expr) -> int:
    """How many parts of an expression make 1."""
    found = as_ratio(expr)
    return found.type.parts if found else 1


def literal(tree: ast.Binary) -> ir.Expr | None:
    """`1/2`: two plain numbers with a stroke between them are that fraction."""
    if not (tree.op == "/" and isinstance(tree.left, ast.Number) and isinstance(tree.right, ast.Number)):
        return None
    above, below = tree.left.value, tree.right.value
    if not 0 < below <= MOST_PARTS or above > BIGGEST:
        return None
    common = gcd(above, below)
    value = above // common
    return ratio(ir.Const(Int(value, value), value), below // common)


def divides(tree: ast.Expr) -> bool:
    """Is there a division in a sum or product that is not a plain fraction?"""
    match tree:
        case ast.Binary(op="/") if literal(tree) is None:
            return True
        case ast.Binary(op="+" | "-" | "*", left=left, right=right):
            return divides(left) or divides(right)
        case ast.Unary(operand=operand):
            return divides(operand)
        case _:
            return False


# ---------------------------------------------------------------- computing


def scaled(e: Elaboration, expr: ir.Expr, parts: int, tree: ast.Expr) -> ir.Expr:
    """How many of such parts a number or fraction is; `parts` is a multiple of its own."""
    factor = parts // parts_of(expr)
    of = bare(expr)
    return of if factor == 1 else multiplied(e, of, factor, tree)


def multiplied(e: Elaboration, of: ir.Expr, factor: int, tree: ast.Expr) -> ir.Expr:
    """A number, or none, times a positive constant."""
    assert isinstance(of.type, Int)
    low, high = of.type.low * factor, of.type.high * factor
    if low < -BIGGEST or high > BIGGEST:
        return e.fault(
            Code.OUT_OF_RANGE,
            tree.span,
            tr("this may reach {low}, more than {biggest}", low=max(-low, high), biggest=BIGGEST),
        )
    if isinstance(of, ir.Const) and isinstance(of.value, int):
        if of.type.optional:
            return ir.Const(Int(low, high, optional=True), of.value)
        return ir.Const(Int(low, high), of.value * factor)
    times = ir.Const(Int(factor, factor), factor)
    if not of.type.optional:
        return ir.Op(Int(low, high), "mul", (of, times))
    there = ir.Op(replace(of.type, optional=False), "some", (of,))
    product = ir.Op(Int(low, high, optional=True), "mul", (there, times))
    nothing = ir.Const(Int(low, high, optional=True), -(2**31))
    missing = ir.Op(Int(0, 1, truth=True), "is_none", (of,))
    return ir.Op(product.type, "if", (missing, nothing, product))


def level(e: Elaboration, one: ir.Expr, two: ir.Expr, tree: ast.Expr) -> tuple[ir.Expr, ir.Expr, int] | None:
    """Two numbers or fractions in parts of one size; None where that cannot be said."""
    if not all(as_ratio(each) or (isinstance(each.type, Int) and not each.type.truth) for each in (one, two)):
        return None
    parts = lcm(parts_of(one), parts_of(two))
    if parts > MOST_PARTS:
        e.fault(
            Code.OUT_OF_RANGE,
            tree.span,
            tr(
                "these fractions meet in parts of 1/{parts}, smaller than 1/{most_parts}",
                parts=parts,
                most_parts=MOST_PARTS,
            ),
            hint="round one of them first",
        )
        return None
    return scaled(e, one, parts, tree), scaled(e, two, parts, tree), parts


def same_parts(e: Elaboration, expr: ir.Expr, type_: Fraction, span: Span) -> ir.Expr | None:
    """A number or fraction in the parts of a type; None, after a fault, where it is no number of them."""
    parts = parts_of(expr)
    if as_ratio(expr) is None and not (isinstance(expr.type, Int) and not expr.type.truth):
        return None
    if type_.parts % parts:
        e.fault(
            Code.OUT_OF_RANGE,
            span,
            tr(
                "this counts in parts of 1/{parts}, where parts of 1/{parts2} are printed",
                parts=parts,
                parts2=type_.parts,
            ),
            hint=tr(
                "print one cell with a stroke below it that both fit, such as `{lcm}/{lcm}`",
                lcm=lcm(parts, type_.parts),
            ),
        )
        return None
    return scaled(e, expr, type_.parts, ast.Number(0, span=span))


def shown(world: World, expr: ir.Expr, span: Span) -> ir.Expr:
    """A value as a label shows it: of a fraction, its name in a list of all that it can be."""
    found = as_ratio(expr)
    if found is None:
        return expr
    type_ = found.type
    names = [written(number, type_.parts) for number in range(type_.low, type_.high + 1)]
    if len(names) > 4096:
        world.error(Code.LIMIT, span, "this fraction has too many values to be shown", hint="round it")
        return ir.Const(Int(0, 0), 0)
    name = f"fraction {names[0]} to {names[-1]} by 1/{type_.parts}"
    domain = next((each for each in world.domains if each.name == name), None)
    if domain is None:
        domain = world.domain(name, "enum")
        for each in names:
            domain.add(each, world.text(each))
    data = next((at for at, each in enumerate(world.data) if each.name == name), None)
    if data is None:
        dims = ((type_.low, len(names)),)
        data = world.add_data(pr.Data(name, Id(domain.id), dims, tuple(range(len(names)))))
    if not type_.optional:
        return ir.Lookup(Id(domain.id), data, (found.of,))
    there = ir.Op(replace(type_.count, optional=False), "some", (found.of,))
    named = ir.Lookup(Id(domain.id, optional=True), data, (there,))
    missing = ir.Op(Int(0, 1, truth=True), "is_none", (found.of,))
    return ir.Op(named.type, "if", (missing, ir.Const(named.type, -(2**31)), named))


def written(number: int, parts: int) -> str:
    """A number of parts as it is printed: `3/2`, `2`."""
    common = gcd(number, parts)
    above, below = number // common, parts // common
    return f"{above}" if below == 1 else f"{above}/{below}"
