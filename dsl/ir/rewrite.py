"""Expressions, and other pieces of a program, built anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass, replace
from operator import is_
from typing import Any, TypeVar, cast, get_args

from dsl.ir import nodes as ir
from dsl.ir.verify.graph import within_of

EXPRESSIONS = get_args(ir.Expr)
_KINDS = frozenset(EXPRESSIONS)
Node = TypeVar("Node")


def map_expr(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """The expression with `change` applied to each node, children first."""
    changed: dict[str, Any] = {}
    for name in within_of(cast(type, type(expr))):
        child = getattr(expr, name)
        kind: type = type(child)
        if kind in _KINDS:
            new: Any = map_expr(child, change)
            if new is child:
                continue
        elif kind is tuple:
            new = tuple([map_expr(item, change) for item in child])
            if all(map(is_, new, child)):
                continue
        else:
            continue
        changed[name] = new
    return change(replace(expr, **changed) if changed else expr)


def mapped(node: Node, change: Callable[[Any], Any]) -> Node:
    """A piece of a program with `change` applied to each node in it, the inner ones first."""
    kind: type = type(node)
    if kind in _KINDS:
        return cast(Node, map_expr(cast(ir.Expr, node), change))
    if kind is tuple:
        parts = tuple([mapped(each, change) for each in cast(tuple[Any, ...], node)])
        same = all(map(is_, parts, cast(tuple[Any, ...], node)))
        return node if same else cast(Node, parts)
    if not is_dataclass(node):
        return node
    changed = {}
    for name in within_of(kind):
        old = getattr(node, name)
        if old is not None and (new := mapped(old, change)) is not old:
            changed[name] = new
    return cast(Node, change(replace(cast(Any, node), **changed) if changed else node))
