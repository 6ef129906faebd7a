"""Expressions of the IR built anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import Any, cast, get_args

from dsl.ir import nodes as ir
from dsl.ir.verify.graph import within_of

EXPRESSIONS = get_args(ir.Expr)
_KINDS = frozenset(EXPRESSIONS)


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
