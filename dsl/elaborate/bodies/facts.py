"""What is known where a condition holds or fails, so that what is tested needs no second test."""

from __future__ import annotations

from collections.abc import Callable

from dsl.syntax import ast


def key(tree: ast.Expr) -> str | None:
    """A name for what an expression reads, so that a test of it can be remembered."""
    match tree:
        case ast.NameExpr(name=name):
            return name
        case ast.Member(of=of, name=name):
            inner = key(of)
            return f"{inner}.{name.text}" if inner else None
        case ast.Apply(function=function, arguments=arguments):
            parts = [key(function), *(key(argument) for argument in arguments)]
            return f"{parts[0]}({', '.join(part or '' for part in parts[1:])})" if all(parts) else None
        case ast.Number(value=value):
            return str(value)
        case _:
            return None


def legal(call: ast.Expr, by: ast.Expr | None) -> str | None:
    """What is known where an action was tested to be legal."""
    named, who = key(call), key(by) if by is not None else ""
    return None if named is None or who is None else f"legal {named}{' by ' if who else ''}{who}"


def facts(tree: ast.Expr, holds: bool, proves: Callable[[ast.Expr], bool]) -> set[str]:
    """What is known where a condition holds or fails: that x is not none, what `x is Unit` says, `legal f(x)`.

    `proves` tells of a comparison with `is` whether one of its sides is always there: only then, where it holds, is
    the other side there too.
    """
    match tree:
        case ast.Binary(op="and", left=left, right=right):
            return facts(left, True, proves) | facts(right, True, proves) if holds else set()
        case ast.Binary(op="or", left=left, right=right):
            return set() if holds else facts(left, False, proves) | facts(right, False, proves)
        case ast.Unary(op="not", operand=operand):
            return facts(operand, not holds, proves)
        case ast.Binary(op="is-not", left=left, right=ast.NoneExpr()):
            return _keys(left) if holds else set()
        case ast.Binary(op="is", left=left, right=ast.NoneExpr()):
            return set() if holds else _keys(left)
        case ast.Legal(call=call, by=by):
            tested = legal(call, by)
            return {tested} if holds and tested is not None else set()
        case ast.Binary(op="is" | "is-not" as op, left=left, right=right):
            return _same(left, right, holds is (op == "is"), proves(tree))
        case ast.Binary(op="<" | "<=" | ">" | ">=" | "in", left=left, right=right) if holds:
            return _keys(left) | _keys(right)
        case _:
            return set()


def _same(left: ast.Expr, right: ast.Expr, same: bool, proved: bool) -> set[str]:
    """What follows from two things being the same, or not."""
    words = (
        {f"{key(left)} is {'' if same else 'not '}{right.name}"} if isinstance(right, ast.NameExpr) else set()
    )
    there = _keys(left) | _keys(right) if same and proved else set()
    return there | (words if key(left) else set())


def _keys(tree: ast.Expr) -> set[str]:
    found = key(tree)
    return {found} if found else set()
