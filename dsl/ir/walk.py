"""Walks over the IR: what stands inside an expression or statement, and which procedures a body calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias, assert_never

from dsl.ir import nodes as ir
from dsl.ir.program import Program


def parts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case ir.Const() | ir.Local() | ir.Occurrences():
            return ()
        case ir.Load():
            return () if expr.owner is None else (expr.owner,)
        case ir.LoadItem():
            return (expr.item,) if expr.owner is None else (expr.owner, expr.item)
        case ir.Lookup():
            return expr.indices
        case ir.Op() | ir.Ask() | ir.Judge():
            return expr.args
        case ir.LetIn():
            return (expr.value, expr.body)
        case ir.Fold():
            return (expr.domain, *(each for each in (expr.where, expr.body) if each is not None))
        case ir.Scan():
            return (expr.start, expr.domain, expr.step)
        case ir.Reach():
            return (*expr.args, expr.goal)
        case ir.Trial():
            return (*expr.args, expr.condition)
        case _:
            assert_never(expr)


def inside(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and all in it."""
    yield expr
    for part in parts(expr):
        yield from inside(part)


def locals_in(expr: ir.Expr) -> set[int]:
    """The locals that an expression reads, its own bindings among them."""
    return {each.index for each in inside(expr) if isinstance(each, ir.Local)}


def bodies(statement: ir.Stmt) -> tuple[tuple[ir.Stmt, ...], ...]:
    """The statements directly inside one."""
    match statement:
        case ir.If():
            return (statement.then, statement.other)
        case ir.ForEach() | ir.Loop() | ir.Guarded() | ir.Batch():
            return (statement.body,)
        case _:
            return ()


def within(body: tuple[ir.Stmt, ...]) -> Iterator[ir.Stmt]:
    """All statements of a body, at any depth."""
    for statement in body:
        yield statement
        for inner in bodies(statement):
            yield from within(inner)


Change: TypeAlias = Callable[[ir.Stmt], ir.Stmt | None]
"""What comes in a statement's place; none where nothing does."""


def changed(body: tuple[ir.Stmt, ...], change: Change) -> tuple[ir.Stmt, ...]:
    """A body with `change` applied to each of its statements, at any depth, the inner ones first."""
    new = (change(_changed_inside(each, change)) for each in body)
    return tuple(each for each in new if each is not None)


def _changed_inside(statement: ir.Stmt, change: Change) -> ir.Stmt:
    match statement:
        case ir.If(then=then, other=other):
            return replace(statement, then=changed(then, change), other=changed(other, change))
        case ir.ForEach() | ir.Loop() | ir.Guarded() | ir.Batch():
            return replace(statement, body=changed(statement.body, change))
        case _:
            return statement


def calls(body: tuple[ir.Stmt, ...]) -> set[int]:
    """The procedures that a body calls itself; what its expressions try is none of them."""
    return {each.procedure for each in within(body) if isinstance(each, ir.Call)}


def batched(program: Program) -> set[int]:
    """The procedures that a batch can reach."""
    every = [each.body for each in program.procedures]
    every += [block.body for routine in program.routines for block in routine.blocks]
    found: set[int] = set()
    waiting = [
        call
        for body in every
        for batch in within(body)
        if isinstance(batch, ir.Batch)
        for call in calls(batch.body)
    ]
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            waiting += calls(program.procedures[index].body)
    return found
