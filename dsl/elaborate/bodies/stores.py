"""Stores: `let`, assignments, gains and losses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.blocks import Blocks
from dsl.elaborate.bodies.facts import key
from dsl.elaborate.bodies.footprints import as_cells, cell_type, wanted
from dsl.elaborate.bodies.holders import leaves_place, moved, reads_left
from dsl.elaborate.bodies.places import Spot, spots
from dsl.elaborate.bodies.ratios import bare, wrapped
from dsl.elaborate.bodies.scope import BAD, known
from dsl.elaborate.bodies.writes import Writes, writes
from dsl.ir import nodes as ir
from dsl.ir.types import BagOf, Id, Int, ListOf, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE, replace_type
from dsl.resolve.kinds import counted_in
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements


class Stores(Blocks):
    """Elaborates what is kept and changed."""

    def let(self, tree: ast.Let) -> None:
        self.is_new(tree)
        value = self.expr(tree.value)
        self.flush()
        if isinstance(value, ir.Local | ir.Const) or not known(value):
            self.body.bind(tree.name.text, value)
            return
        local = self.body.new(counted_in(value.type))
        self.code.add(ir.SetLocal(local.index, bare(value)))
        self.body.bind(tree.name.text, wrapped(local, value.type))

    def assign(self, tree: ast.Assign) -> None:
        clears = False

        def store(spot: Spot) -> list[mid.Mid]:
            nonlocal clears
            raw = self.expr(tree.value, wanted(self, tree.value, spot.type))
            clears = clears or getattr(raw.type, "optional", False)
            value, before = self.placed(spot, tree, raw)
            self.flush()
            if not known(value):
                return []
            owner = spot.owner
            of = self.world.vars[spot.var].of
            if (
                owner is not None
                and of is not None
                and leaves_place(self, spot.var, value)
                and reads_left(self, self.world.domains[of], spot.var, (owner, value))
            ):
                # what is read is read before the piece leaves the place where it is
                owner, value = self.noted(owner, before), self.noted(value, before)
            return [
                *before,
                *self.disarmed(spot),
                *moved(cast("Statements", self), spot.var, owner, value, tree.span),
                ir.Store(spot.var, owner, spot.item, value, self.site(tree.span)),
            ]

        self.write(tree.target, store)
        self.forget(tree.target)
        done = writes(self.world, replace(tree, value=ast.NoneExpr(span=tree.span)))
        self.outdate(done if clears else Writes(done.changed))

    def noted(self, value: ir.Expr, code: list[mid.Mid]) -> ir.Expr:
        """A value as a local, which `code` sets; one that does not change as it is."""
        if isinstance(value, ir.Local | ir.Const):
            return value
        local = self.body.new(value.type)
        code.append(ir.SetLocal(local.index, value))
        return local

    def placed(self, spot: Spot, tree: ast.Assign, value: ir.Expr) -> tuple[ir.Expr, list[mid.Mid]]:
        """What is stored, and what is done before: a piece of several cells that is sent to a cell, or into a set of
        cells, takes a free place there.
        """
        span, cell, at = tree.value.span, cell_type(self), spot.type
        large = isinstance(at, Id) and at.domain in self.world.shapes and spot.owner is not None
        if not known(value) or cell is None or not large:
            return self.coerce(value, at, span), []
        assert isinstance(at, Id) and isinstance(spot.owner, ir.Expr) and isinstance(spot.owner.type, Id)
        is_cell = isinstance(value.type, Id) and value.type.domain == cell.domain
        if (
            not (is_cell or value.type == SetOf(cell))
            or self.world.domains[spot.owner.type.domain].pool is None
        ):
            return self.coerce(value, at, span), []
        there = self.present(value, span) if is_cell else value
        if not known(there):
            return BAD, []
        self.flush()
        begun = len(self.code.statements)
        place, piece = replace(at, optional=False), spot.owner
        found = cast("Statements", self).moved_to(place, piece, as_cells(self, there), span)
        before = self.code.statements[begun:]
        del self.code.statements[begun:]
        return (replace_type(found, at), before) if found is not None else (BAD, [])

    def gain(self, tree: ast.Gain) -> None:
        negative = tree.verb == "loses"

        def change(spot: Spot) -> list[mid.Mid]:
            match spot.type:
                case Int(truth=False, optional=False):
                    amount = self.whole(tree.value)
                    self.flush()
                    fits = known(amount) and self.may_fit(spot.type, amount, tree)
                    return self.changed(spot, amount, tree, negative) if fits else []
                case BagOf():
                    amount = self.coerce(self.expr(tree.value, spot.type), spot.type, tree.value.span)
                    self.flush()
                    return self.changed(spot, amount, tree, negative) if known(amount) else []
                case SetOf(of=element):
                    return self.set_gains(spot, element, tree, negative)
                case ListOf(of=element) if not negative and isinstance(element, Int | Id):
                    item = self.coerce(self.expr(tree.value, element), element, tree.value.span)
                    self.flush()
                    more = ir.Change(spot.var, spot.owner, None, item, False, False, self.site(tree.span))
                    return [more] if known(item) else []
                case _:
                    shown = self.world.show(spot.type)
                    message, hint = tr("{shown} neither gains nor loses", shown=shown), ""
                    if isinstance(spot.type, ListOf) and negative:
                        message = tr("{shown} loses nothing", shown=shown)
                        hint = "a list only grows, until it is set anew; a set or a bag gains and loses"
                    self.fault(Code.TYPE_MISMATCH, tree.span, message, hint=hint)
                    return []

        self.write(tree.target, change)

    def may_fit(self, type_: Int, amount: ir.Expr, tree: ast.Gain) -> bool:
        """Is there a number in a range that stays in it when it gains or loses so much? Tells if not."""
        assert isinstance(amount.type, Int)
        least = max(amount.type.low, -amount.type.high)
        if tree.saturates or least <= type_.high - type_.low:
            return True
        target, value = tree.target.span.text, tree.value.span.text
        message = tr(
            "`{target}` is {low}..{high}: it never {verb} as much as {value}",
            target=target,
            low=type_.low,
            high=type_.high,
            verb=tree.verb,
            value=value,
        )
        hint = tr(
            "write `{target} {verb} up to {value}` where it is to stop at the end of its range, or widen the range "
            "where it is declared",
            target=target,
            verb=tree.verb,
            value=value,
        )
        self.fault(Code.OUT_OF_RANGE, tree.value.span, message, hint=hint)
        return False

    def changed(self, spot: Spot, amount: ir.Expr, tree: ast.Gain, negative: bool) -> list[mid.Mid]:
        site = self.site(tree.span)
        return [
            *self.disarmed(spot),
            ir.Change(spot.var, spot.owner, spot.item, amount, tree.saturates, negative, site),
        ]

    def set_gains(self, spot: Spot, element: Int | Id, tree: ast.Gain, negative: bool) -> list[mid.Mid]:
        value = self.expr(tree.value, spot.type)
        self.flush()
        if not known(value):
            return []
        if isinstance(value.type, Int | Id):
            one = self.coerce(value, replace(element, optional=value.type.optional), tree.value.span)
            value = ir.Op(spot.type, "single", (one,)) if known(one) else BAD
        value = self.coerce(value, spot.type, tree.value.span)
        if not known(value):
            return []
        site = self.site(tree.span)
        return [*self.disarmed(spot), ir.Change(spot.var, spot.owner, None, value, False, negative, site)]

    def write(self, target: ast.Expr, build: Callable[[Spot], list[mid.Mid]]) -> None:
        """Writes to wherever a target stands; for a union's field, to the part that the piece belongs to."""
        found = spots(self, target)
        if not found:
            return
        self.code.add(*self.branch(found, build))

    def forget(self, target: ast.Expr) -> None:
        """What was known of a place, and of what is reached through it, is not known after a write."""
        written = key(target)
        if written is not None:
            self.body.facts -= _speaking_of(written, self.body.facts)
        if isinstance(target, ast.Member) and target.name.text in {"at", "in"}:
            self.forget_places(key(target.of))

    def forget_places(self, piece: str | None) -> None:
        """A piece that was moved has one place only: that it had another is not known any more."""
        for place in ("at", "in") if self.world.holdings and piece else ():
            self.body.facts -= _speaking_of(f"{piece}.{place}", self.body.facts)

    def branch(self, found: list[Spot], build: Callable[[Spot], list[mid.Mid]]) -> list[mid.Mid]:
        head = build(found[0])
        if found[0].test is None or len(found) == 1:
            return head
        return [mid.MidIf(found[0].test, tuple(head), tuple(self.branch(found[1:], build)))]

    def disarmed(self, spot: Spot) -> list[mid.Mid]:
        """A field that lasts to the end of the *next* scope counts only scopes that begin after it was set."""
        armed = self.world.vars[spot.var].armed
        return [ir.Store(armed, spot.owner, None, FALSE, self.site(spot.span))] if armed is not None else []


def _speaking_of(place: str, facts: set[str]) -> set[str]:
    """The facts about a place as it is written, and about what is reached through it."""
    near = {each for each in facts if place in each}
    if not near:
        return near  # nearly always: no pattern is made for it
    named = re.compile(rf"(?<![\w.]){re.escape(place)}(?!\w)")
    return {each for each in near if named.search(each)}
