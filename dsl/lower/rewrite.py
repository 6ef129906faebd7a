"""Generic walks over the IR: rebuilding statements, and finding what code reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, cast, get_args

from dsl.fields import values_of
from dsl.ir import nodes as ir
from dsl.ir.rewrite import EXPRESSIONS, map_expr

_KINDS = frozenset(EXPRESSIONS)
STATEMENTS = get_args(ir.Stmt)
TYPE_FIELDS = {
    "type",
    "site",
    "index",
    "number",
    "label",
    "clause",
    "kind",
    "op",
    "code",
    "var",
    "data",
    "action",
}


@cache
def children(kind: type) -> tuple[str, ...]:
    """The fields of a kind of node in which others can stand; none of what is no node."""
    if not is_dataclass(kind):
        return ()
    return tuple(each.name for each in fields(kind) if each.name not in TYPE_FIELDS)


@cache
def inside_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """What yields the fields of a kind of node in which others can stand, the last first; none for what is no node."""
    return values_of(children(kind)[::-1]) if is_dataclass(kind) else None


def walk_ir(node: object, rest: Callable[[object], object] | None = None) -> Iterator[Any]:
    """All nodes of a piece of the program, parents first; `rest` may put less in the place of one."""
    stack = [node]
    known: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}
    while stack:
        here = stack.pop()
        if rest is not None:
            here = rest(here)
        kind: type = type(here)
        if kind is tuple:
            stack += cast(tuple[object, ...], here)[::-1]
            continue
        if kind not in known:
            known[kind] = inside_of(kind)
        inside = known[kind]
        if inside is not None:
            yield here
            stack += inside(here)


def without_expressions(node: object) -> object:
    """Nothing in the place of an expression: for walks that look for statements alone."""
    return () if type(node) in _KINDS else node


def map_statements(
    statements: tuple[ir.Stmt, ...], change: Callable[[ir.Stmt], tuple[ir.Stmt, ...]]
) -> tuple[ir.Stmt, ...]:
    """Statements with each replaced by some, innermost first."""
    found: list[ir.Stmt] = []
    for statement in statements:
        inner: dict[str, Any] = {}
        for name in ("body", "then", "other"):
            child = getattr(statement, name, None)
            if isinstance(child, tuple) and child and isinstance(child[0], STATEMENTS):
                inner[name] = map_statements(cast(tuple[ir.Stmt, ...], child), change)
        found.extend(change(replace(statement, **inner) if inner else statement))
    return tuple(found)


def substitute(expr: ir.Expr, owner: ir.Expr) -> ir.Expr:
    """An initial value (which reads its member as local 0) for a given member."""
    return map_expr(expr, lambda node: owner if isinstance(node, ir.Local) and node.index == 0 else node)
