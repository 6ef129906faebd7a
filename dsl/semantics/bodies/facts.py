"""What is known where a condition holds or fails, so that what is tested needs no second test."""

from __future__ import annotations

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


def facts(tree: ast.Expr, holds: bool) -> set[str]:
    """What is known where a condition holds or fails: that x is not none, what `x is Unit` says, `legal f(x)`."""
    match tree:
        case ast.Binary(op="and", left=left, right=right):
            return facts(left, True) | facts(right, True) if holds else set()
        case ast.Binary(op="or", left=left, right=right):
            return set() if holds else facts(left, False) | facts(right, False)
        case ast.Unary(op="not", operand=operand):
            return facts(operand, not holds)
        case ast.Binary(op="is-not", left=left, right=ast.NoneExpr()):
            return _keys(left) if holds else set()
        case ast.Binary(op="is", left=left, right=ast.NoneExpr()):
            return set() if holds else _keys(left)
        case ast.Legal(call=call):
            return {f"legal {key(call)}"} if holds and key(call) else set()
        case ast.Binary(op="is" | "is-not" as op, left=left, right=ast.NameExpr(name=name)) if key(left):
            if holds is (op == "is"):
                return _keys(left) | {name, f"{key(left)} is {name}"}
            return {f"{key(left)} is not {name}"}
        case ast.Binary(op="is" | "<" | "<=" | ">" | ">=" | "in", left=left, right=right) if holds:
            return _keys(left) | _keys(right)
        case _:
            return set()


def _keys(tree: ast.Expr) -> set[str]:
    found = key(tree)
    return {found} if found else set()
