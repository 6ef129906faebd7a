"""Cases of an action: `action effect(grive) by p:` says what `effect` does when its argument is that row.

A case is short for an `instead of` that stands for the row, and each of its `need` lines for a `forbid` that does.
So card texts stand one by one, and hold only through their card. Other parameters may have any name.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.guards import head_length, needs
from dsl.elaborate.bodies.scope import counted
from dsl.ir.types import Id
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

Case = tuple[ast.Reaction | ast.Permit, tuple[ast.Let, ...]]


def is_case(decl: ast.Action) -> bool:
    """An action with a parameter that has no type is a case of another."""
    return any(param.type is None for param in decl.params)


def cases_of(world: World, decl: ast.Action) -> tuple[Case, ...]:
    """The clauses that a case stands for, each with the lets of its head."""
    base = world.callables.get(decl.name.text)
    if not isinstance(base, w.Action):
        untyped = next(param for param in decl.params if param.type is None)
        world.error(
            Code.WRONG_ARGUMENTS,
            untyped.span,
            tr("`{untyped}` needs a type", untyped=untyped.name.text),
            hint=tr(
                "write for instance `{untyped}: 0..9`; a row stands there only where another `action "
                "{decl}(...)` declares the parameter",
                untyped=untyped.name.text,
                decl=decl.name.text,
            ),
        )
        return ()
    typed = base.params[:-1] if base.by is not None else base.params
    if len(decl.params) != len(typed):
        world.error(
            Code.WRONG_ARGUMENTS,
            decl.name.span,
            tr(
                "`{decl}` takes {counted}, this case has {count}",
                decl=decl.name.text,
                counted=counted(len(typed)),
                count=len(decl.params),
            ),
        )
        return ()
    rows = [_is_row(world, param, own) for param, own in zip(decl.params, typed, strict=True)]
    if not any(rows):
        first = next(param for param in decl.params if param.type is None)
        known = [name for own in typed for name in _rows(world, own)]
        world.error(
            Code.UNKNOWN_NAME,
            first.span,
            tr(
                "`{first}` is no row: this says of no case what `{decl}` does",
                first=first.name.text,
                decl=decl.name.text,
            ),
            hint=world.nearest(first.name.text, known),
        )
        return ()
    return _clauses(decl, _target(decl, base, rows), _condition(decl, typed, rows))


def _rows(world: World, own: w.Param) -> list[str]:
    """The names by which a case may mean an argument: rows, members, kinds of pieces."""
    if not isinstance(own.type, Id):
        return []
    domain = world.domains[own.type.domain]
    if domain.pool is not None:
        return list(world.domains[domain.pool.table.domain].index) if domain.pool.table else []
    return list(domain.index)


def _is_row(world: World, param: ast.Param, own: w.Param) -> bool:
    return param.type is None and param.name.text in _rows(world, own)


def _target(decl: ast.Action, base: w.Action, rows: list[bool]) -> ast.Target:
    """The head with its parameters under the case's own names."""
    names = [
        ast.Name(own.name, span=param.span) if row else param.name
        for param, own, row in zip(decl.params, base.params, rows, strict=False)
    ]
    if base.by is not None:
        names.append(decl.by or ast.Name(base.params[-1].name, span=decl.name.span))
    params = tuple(ast.Param(name, span=name.span) for name in names)
    return ast.Target(decl.name, None, params, span=decl.name.span)


def _condition(decl: ast.Action, typed: list[w.Param], rows: list[bool]) -> ast.Expr:
    tests: list[ast.Expr] = []
    for param, own, row in zip(decl.params, typed, rows, strict=True):
        if row:
            left = ast.NameExpr(own.name, span=param.span)
            right = ast.NameExpr(param.name.text, span=param.span)
            tests.append(ast.Binary("is", left, right, span=param.span))
    result = tests[0]
    for test in tests[1:]:
        result = ast.Binary("and", result, test, span=decl.name.span)
    return result


def _clauses(decl: ast.Action, target: ast.Target, condition: ast.Expr) -> tuple[Case, ...]:
    found: list[Case] = []
    statements = decl.body.statements
    for need, lets in needs(decl.body):
        failing = ast.Unary("not", need.condition, span=need.condition.span)
        both = ast.Binary("and", condition, failing, span=need.condition.span)
        tail = ast.Tail(both, need.reason, span=need.span)
        found.append((ast.Permit("forbid", (target,), tail, need.citation, span=need.span), lets))
    length = head_length(statements)
    head = (each for each in statements[:length] if isinstance(each, ast.Let))
    body = ast.Block((*head, *statements[length:]), decl.body.citation, span=decl.body.span)
    tail = ast.Tail(condition, span=decl.name.span)
    found.append((ast.Reaction("instead", (target,), tail, body, span=decl.span), ()))
    return tuple(found)
