"""The head of an action: its `need` lines, and the `let` lines among them.

A `let` of the head is read by the needs behind it, as often as one of them is judged, and by the body, in which it
is computed anew. Clauses elsewhere do not see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.ratios import bare, wrapped
from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.lower.rewrite import walk_ir
from dsl.resolve.kinds import counted_in
from dsl.syntax import ast


def head_length(statements: tuple[ast.Stmt, ...]) -> int:
    """How many statements belong to the head: all up to the last `need` that only needs and lets precede."""
    length = 0
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Need):
            length = number + 1
        elif not isinstance(statement, ast.Let):
            break
    return length


def needs(block: ast.Block) -> Iterator[tuple[ast.Need, tuple[ast.Let, ...]]]:
    """Each need of the head, with the lets before it; one that cites nothing has the citation of the whole block."""
    lets: list[ast.Let] = []
    for statement in block.statements[: head_length(block.statements)]:
        match statement:
            case ast.Need():
                cited = statement.citation or block.citation
                yield replace(statement, citation=cited), tuple(lets)
            case ast.Let():
                lets.append(statement)
            case _:
                raise AssertionError("a head holds needs and lets")


def bind_lets(e: Expressions, lets: tuple[ast.Let, ...]) -> list[tuple[ir.Local, ir.Expr]]:
    """Binds the names of some lets; what has to be computed for them comes back in order."""
    found: list[tuple[ir.Local, ir.Expr]] = []
    for let in lets:
        value = e.expr(let.value)
        if isinstance(value, ir.Local | ir.Const) or not known(value):
            e.body.bind(let.name.text, value)
            continue
        local = e.body.new(counted_in(value.type))
        e.body.bind(let.name.text, wrapped(local, value.type))
        found.append((local, bare(value)))
    return found


def with_lets(lets: list[tuple[ir.Local, ir.Expr]], expr: ir.Expr) -> ir.Expr:
    """An expression under those lets that it reads."""
    for local, value in reversed(lets):
        if any(isinstance(node, ir.Local) and node.index == local.index for node in walk_ir(expr)):
            expr = ir.LetIn(expr.type, local.index, value, expr)
    return expr
