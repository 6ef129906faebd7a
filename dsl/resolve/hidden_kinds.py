"""Kinds that not everybody sees: the field `kind` of a piece, declared with `seen by`.

Such pieces cannot be told apart by their names. Which of them is of which kind is kept in the field, as what any field
holds, so that all that is known of secrets (who is asked, what is told, what a view shows) holds for it.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, SetOf
from dsl.linker.layers import Gathered
from dsl.lower.ir_builder import conjunction
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Pool, Var
from dsl.syntax import ast

KIND = "kind"


def kind_field(gathered: Gathered, decl: ast.Piece) -> ast.Field | None:
    """The field by which the kind of such pieces is seen; none where it is printed on them."""
    if decl.of is None:
        return None
    fields = (*decl.fields, *gathered.extra_fields.get(decl.name.text, []))
    return next((each for each in fields if each.name.text == KIND), None)


def check_kinds(world: World, gathered: Gathered) -> None:
    """Tells of a field `kind` that does not say who sees the kind, or says what the kind cannot be."""
    cards = {entry.declaration.of.text for entry in gathered.of(ast.Pile)}
    for entry in gathered.of(ast.Piece):
        decl: ast.Piece = entry.declaration
        field = kind_field(gathered, decl)
        type_ = world.types.get(decl.name.text)
        pool = world.domains[type_.domain].pool if isinstance(type_, Id) else None
        if field is None or pool is None or pool.table is None or pool.kind_var is None:
            continue
        _check(world, field, decl, pool)
        if decl.name.text in cards:
            world.error(
                Code.TYPE_MISMATCH,
                field.name.span,
                tr("cards lie in piles, and who sees a pile sees what lies there"),
                hint=tr(
                    "leave `kind` out, and say it of each pile: `pile hand of {piece}, seen by owner`",
                    piece=decl.name.text,
                ),
            )
        if any(where is not None for where in world.domains[pool.table.domain].where):
            world.error(
                Code.NOT_BUILT,
                field.name.span,
                tr("the kinds of a mode cannot be hidden"),
                hint=tr("let the table `{table}` have the same rows in all modes", table=pool.table.name),
            )


def _check(world: World, field: ast.Field, decl: ast.Piece, pool: Pool) -> None:
    assert decl.of is not None
    assert pool.table is not None
    assert pool.kind_var is not None
    if world.vars[pool.kind_var].type != Id(pool.table.domain):
        world.error(
            Code.TYPE_MISMATCH,
            field.type.span,
            tr("the kind of a {piece} is one of {table}", piece=decl.name.text, table=decl.of.text),
            hint=tr("write `kind: {table}, seen by ...`", table=decl.of.text),
        )
    seen = [each for each in field.clauses if isinstance(each, ast.Seen)]
    if not seen or (isinstance(seen[0].by, ast.NameExpr) and seen[0].by.name == "all"):
        world.error(
            Code.DUPLICATE_NAME,
            field.name.span,
            tr("each {piece} has a `kind` already, which all see", piece=decl.name.text),
            hint=tr(
                "leave the field out, or say who sees it: `kind: {table}, seen by owner`", table=decl.of.text
            ),
        )
    for clause in field.clauses:
        if isinstance(clause, ast.Again | ast.Uncounted):
            world.error(
                Code.NOT_WRITABLE,
                clause.span,
                tr("a piece is of the kind that `place` has brought into play, and stays so"),
                hint=tr("leave this out"),
            )
    if field.initial is not None:
        world.error(
            Code.NOT_WRITABLE,
            field.initial.span,
            tr("a piece is of the kind that `place` has brought into play, and stays so"),
            hint=tr("leave this out, and write `place KIND ...` where it comes into play"),
        )


def first_kind(world: World, pool: Pool) -> ir.Expr:
    """The kind that a piece has when the game begins: so many are of each as are printed."""
    assert pool.table is not None
    assert pool.kind_data is not None
    return ir.Lookup(Id(pool.table.domain), pool.kind_data, (ir.Local(Id(pool.domain), 0),))


def audience(world: World, var: Var) -> ir.Expr | None:
    """Who sees a variable. Of a piece in the supply nobody sees the kind: what is left would tell what is in play."""
    pool = None if var.of is None else world.domains[var.of].pool
    if pool is None or pool.kind_var != var.id or var.audience is None:
        return var.audience
    pieces = Id(pool.domain)
    there = ir.Op(TRUTH, "has", (ir.Load(SetOf(pieces), pool.in_play), ir.Local(pieces, 0)))
    return conjunction([there, var.audience])
