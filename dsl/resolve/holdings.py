"""Which pieces may be in others: the fields `in`, entered and checked."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir.types import Id, Int
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Holding, Var
from dsl.syntax import ast


def declare_holding(world: World, var: Var, field: ast.Field) -> None:
    """Enters a field `in` that names pieces; what makes no sense of it is a fault."""
    holds = var.of is not None and field.name.text == "in" and _pieces(world, var)
    if not holds:
        _told_in_vain(world.reporter, field)
        return
    assert var.of is not None and isinstance(var.type, Id)
    limit = field.type.limit if isinstance(field.type, ast.HeldType) else None
    world.holdings.append(Holding(var.of, var.id, limit, field.holder_leaves, field.name.span))
    inside = world.domains[var.of].name
    if not var.type.optional:
        world.error(
            Code.TYPE_MISMATCH,
            field.type.span,
            tr("a {inside} is not always in another piece", inside=inside),
            hint=tr("write `in: {type}?`", type=field.type.span.text),
        )
    if field.holder_leaves is None:
        world.error(
            Code.HOLDER_SILENT,
            field.name.span,
            tr("nothing says what becomes of a {inside} when its holder leaves", inside=inside),
            hint="write behind it `, when its holder leaves: take away self`, or where it goes then",
        )


def _pieces(world: World, var: Var) -> bool:
    return isinstance(var.type, Id) and bool(holders_of(world, var.type.domain))


def holders_of(world: World, domain: int) -> list[int]:
    """The types of pieces that a type is made of."""
    here = world.domains[domain]
    if here.kind == "piece":
        return [domain]
    return [inner for part in here.parts for inner in holders_of(world, part)]


def _told_in_vain(reporter: Reporter, field: ast.Field) -> None:
    span = field.type.span if isinstance(field.type, ast.HeldType) else None
    if field.holder_leaves is not None:
        span = field.name.span
    if span is not None:
        reporter.error(
            Code.TYPE_MISMATCH,
            span,
            "only the field `in` of a piece says what holds it",
            hint="write `in: Carrier? up to 3, when its holder leaves: take away self`, Carrier being a piece",
        )


def check_holdings(world: World) -> None:
    """What is inside has no cell; and no two types of pieces hold each other."""
    holders = {held.inner: holders_of(world, holder_type(world, held).domain) for held in world.holdings}
    for held in world.holdings:
        inner = world.domains[held.inner]
        at = world.vars[inner.fields["at"]] if "at" in inner.fields else None
        if at is not None and isinstance(at.type, Int | Id) and not at.type.optional:
            world.error(
                Code.TYPE_MISMATCH,
                held.span,
                tr("what is inside has no cell, and a {inner} always has one", inner=inner.name),
                hint=tr("let it be none: `at: {type}?`", type=world.show(at.type)),
            )
        if any(
            _leads(each, held.inner, holders, set()) for each in holders[held.inner] if each != held.inner
        ):
            world.error(
                Code.CALL_CYCLE,
                held.span,
                tr("a {inner} may hold, through others, what holds it", inner=inner.name),
                hint="make one type of pieces of them, or leave out one `in`",
            )


def _leads(start: int, goal: int, holders: dict[int, list[int]], seen: set[int]) -> bool:
    if start == goal:
        return True
    seen.add(start)
    return any(_leads(each, goal, holders, seen) for each in holders.get(start, []) if each not in seen)


def holder_type(world: World, held: Holding) -> Id:
    """The type of what may hold the pieces of a holding."""
    type_ = world.vars[held.var].type
    assert isinstance(type_, Id)
    return type_


def holdings_of(world: World, domain: int) -> list[Holding]:
    """What may be in a piece of that type."""
    return [
        each for each in world.holdings if world.offset(domain, holder_type(world, each).domain) is not None
    ]


def holding_of(world: World, domain: int) -> Holding | None:
    """What may hold the pieces of that type."""
    return next((each for each in world.holdings if each.inner == domain), None)
