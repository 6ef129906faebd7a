"""Pieces and cards: placed from the supply, taken away, drawn, shuffled, moved; and things that happen together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf, Type
from dsl.semantics import mid
from dsl.semantics import world as w
from dsl.semantics.batches import batch
from dsl.semantics.bounds import within
from dsl.semantics.expressions import Expressions
from dsl.semantics.footprints import (
    as_cells,
    footprint,
    free,
    grown,
    on_map,
    overlap_none,
    place_of,
    touching,
)
from dsl.semantics.holders import moved, out_of_holder
from dsl.semantics.scope import BAD, TRUE, conjunction, known, negation, number
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.semantics.statements import Statements


class Pieces(Expressions):
    """Elaborates what moves pieces and cards. The mixin's other half is `Statements`."""

    @property
    def stmts(self) -> Statements:
        return cast("Statements", self)

    # ------------------------------------------------------------ placing

    def place(self, tree: ast.Place) -> None:
        kind, domain = self.kind(tree.kind)
        if domain is None or domain.pool is None or kind is None:
            return
        owner = self.scalar(tree.owner, self.owning(domain)) if tree.owner else self.whose_setup(domain)
        if owner is not None and not known(owner):
            return
        count = within(self.world, tree.span, f"placing {domain.name}", tree.count, 1, len(domain.members))
        for _ in range(count):
            piece = self.take_one(domain, kind, owner)
            self.put(tree, domain, piece, owner)
            self.enter(domain, piece, tree.span)
            if tree.name:
                self.body.bind(tree.name.text, piece)

    def whose_setup(self, domain: w.Domain) -> ir.Expr | None:
        """The side whose setup it is, as an owner of these pieces."""
        side, wanted = self.stmts.setup_side, self.owning(domain)
        if isinstance(side, ir.Const) and isinstance(side.value, int) and isinstance(wanted, Id):
            assert isinstance(side.type, Id)
            at = self.offset(wanted.domain, side.type.domain)
            if at is not None and 0 <= side.value - at < len(self.world.domains[wanted.domain].members):
                return ir.Const(Id(wanted.domain), side.value - at)
        return side

    def kind(self, name: ast.Name) -> tuple[ir.Expr | None, w.Domain | None]:
        """A kind of pieces: a row of its table, a variable that holds one, or the piece type itself."""
        for domain in self.world.domains:
            if domain.pool and domain.name == name.text:
                if domain.pool.table is None:
                    return TRUE, domain
                kinds = self.world.domains[domain.pool.table.domain].members
                hint = f"write which, such as `place {kinds[0]}`" if kinds else ""
                self.fault(
                    Code.TYPE_MISMATCH, name.span, f"there are several kinds of {name.text}", hint=hint
                )
                return None, None
        found = self.expr(ast.NameExpr(name.text, span=name.span))
        if not known(found) or not isinstance(found.type, Id):
            return None, None
        found = self.present(found, name.span)
        if not isinstance(found.type, Id):
            return None, None
        for domain in self.world.domains:
            if domain.pool and domain.pool.table and domain.pool.table.domain == found.type.domain:
                return found, domain
        self.fault(
            Code.TYPE_MISMATCH,
            name.span,
            f"`{name.text}` is no kind of pieces",
            hint=self.world.nearest(name.text, self.world.known_names()),
        )
        return None, None

    def take_one(self, domain: w.Domain, kind: ir.Expr, owner: ir.Expr | None) -> ir.Local:
        """The first piece of that kind in the supply."""
        pool = domain.pool
        assert pool is not None
        type_ = Id(domain.id)
        candidate = self.body.new(type_)
        tests: list[ir.Expr] = []
        if pool.table:
            tests.append(ir.Op(TRUTH, "eq", (self.kind_of(candidate, domain), kind)))
        if owner is not None and any(each is not None for each in pool.owners):
            data = self.owners(domain, owner)
            tests.append(ir.Op(TRUTH, "eq", (ir.Lookup(owner.type, data, (candidate,)), owner)))
        left = self.supplied(domain, at_first=True)
        first = ir.Fold(
            Id(domain.id, optional=True), "first", candidate.index, left, conjunction(tests), None
        )
        piece = self.body.new(type_)
        found = self.body.new(first.type)
        gone = ir.Op(TRUTH, "is_none", (found,))
        self.stmts.code.add(ir.SetLocal(found.index, first))
        self.stmts.code.add(mid.MidIf(gone, (ir.Fail(Code.NONE_USED.id, self.stmts.code.site),)))
        self.stmts.code.add(ir.SetLocal(piece.index, ir.Op(type_, "some", (found,))))
        return piece

    def owning(self, domain: w.Domain) -> Type | None:
        """Of what type the owners of these pieces are."""
        if "owner" in domain.fields:
            return self.world.vars[domain.fields["owner"]].type
        side = self.world.types.get("Side")
        return side if isinstance(side, Id) else None

    def enter(self, domain: w.Domain, piece: ir.Local, span: Span) -> None:
        """The piece comes into play, when all its fields are set."""
        pool = domain.pool
        assert pool is not None
        single = ir.Op(SetOf(Id(domain.id)), "single", (piece,))
        joined = ir.Op(SetOf(Id(domain.id)), "union", (self.members(domain.id), single))
        self.stmts.code.add(ir.Store(pool.in_play, None, None, joined, self.world.site(span)))

    def everything(self, domain: w.Domain) -> ir.Const:
        return ir.Const(SetOf(Id(domain.id)), (1 << len(domain.members)) - 1)

    def owners(self, domain: w.Domain, owner: ir.Expr) -> int:
        assert domain.pool is not None
        values = tuple(each or 0 for each in domain.pool.owners)
        name = f"{domain.name}.owner"
        for index, data in enumerate(self.world.data):
            if data.name == name and data.type == owner.type:
                return index
        return self.world.add_data(pr.Data(name, owner.type, ((0, len(domain.members)),), values))

    def put(self, tree: ast.Place, domain: w.Domain, piece: ir.Local, owner: ir.Expr | None) -> None:
        if owner is not None and "owner" in domain.fields:
            self.set_field(domain, "owner", piece, owner, tree.span)
        place = self.spot(tree, domain)
        if place is not None and domain.pool and place.type == Id(domain.pool.pile_domain or -1):
            pool = self.world.pool_number(domain)
            self.stmts.code.add(ir.MoveCard(pool, piece, place, True, self.world.site(tree.span)))
        elif place is not None:
            name = "in" if tree.where == "in" and "in" in domain.fields else "at"
            if name not in domain.fields:
                self.fault(
                    Code.UNKNOWN_NAME,
                    tree.span,
                    f"a {domain.name} has no place",
                    hint="give it a field `at: Cell?`",
                )
                return
            self.set_field(domain, name, piece, place, tree.place.span)
        for setting in tree.settings:
            if setting.name.text not in domain.fields:
                hint = self.world.nearest(setting.name.text, list(domain.fields))
                self.fault(
                    Code.UNKNOWN_NAME,
                    setting.name.span,
                    f"a {domain.name} has no field `{setting.name.text}`",
                    hint=hint,
                )
                continue
            type_ = self.world.vars[domain.fields[setting.name.text]].type
            value = self.expr(setting.value, type_)
            if known(value):
                self.set_field(domain, setting.name.text, piece, value, setting.span)

    def spot(self, tree: ast.Place, domain: w.Domain) -> ir.Expr | None:
        """Where a piece comes to stand: a place, the first free one of a set, or `beside` either a free neighbour."""
        place = place_of(self, domain)
        if place is not None and place.domain in self.world.shapes:
            return self.spread(tree, place)
        where = self.expr(tree.place, self.world.types.get("Cell"))
        if place is not None and known(where) and tree.where == "beside":
            where = touching(self, grown(self, footprint(self, tree.place)))
        if not known(where) or not isinstance(where.type, SetOf):
            return where if known(where) else None
        local = self.body.new(where.type.of)
        if not isinstance(local.type, Id):
            self.fault(Code.TYPE_MISMATCH, tree.place.span, "pieces stand in places, not on numbers")
            return None
        room = free(self, local) if on_map(self, local.type) else TRUE
        first = ir.Fold(Id(local.type.domain, optional=True), "first", local.index, where, room, None)
        return ir.Op(Id(local.type.domain), "some", (first,))

    def spread(self, tree: ast.Place, place: Id) -> ir.Expr | None:
        """Where a piece of several cells comes to stand: the place itself, or the first free one at a cell or set."""
        where = self.expr(tree.place, place)
        if not known(where):
            return None
        if where.type in {place, replace(place, optional=True)} and tree.where != "beside":
            return self.present(where, tree.place.span)
        covering = as_cells(self, footprint(self, tree.place))
        covering = grown(self, covering) if tree.where == "beside" else covering
        if not known(covering):
            return None
        shape = self.world.shapes[place.domain]
        spot = self.body.new(place)
        own = ir.Lookup(covering.type, shape.cells, (spot,))
        room = free(self, own)
        optional = Id(place.domain, optional=True)
        if tree.where == "beside":
            near = self.body.new(covering.type)
            touches = conjunction([negation(overlap_none(own, near)), overlap_none(own, covering), room])
            first = ir.Fold(optional, "first", spot.index, self.members(place.domain), touches, None)
            found = ir.LetIn(optional, near.index, touching(self, covering), first)
            return ir.Op(place, "some", (found,))
        within = self.anchored(
            covering, shape, spot, conjunction([ir.Op(TRUTH, "subset", (own, covering)), room])
        )
        either = ir.Op(optional, "else_", (within, self.anchored(covering, shape, spot, room)))
        return ir.Op(place, "some", (either,))

    def anchored(self, covering: ir.Expr, shape: w.Shape, spot: ir.Local, test: ir.Expr) -> ir.Expr:
        """The first cell of a set at which a place that passes a test is anchored: as drawn, or else turned."""
        assert isinstance(covering.type, SetOf) and isinstance(covering.type.of, Id)
        cell = covering.type.of
        optional = replace(cell, optional=True)
        anchor, kept = self.body.new(cell), self.body.new(optional)
        anchors = self.world.data[shape.anchored].type
        there = ir.Lookup(anchors, shape.anchored, (anchor,))
        fits = ir.Fold(TRUTH, "any", spot.index, there, test, TRUE)
        corner = ir.Fold(optional, "first", anchor.index, covering, fits, None)
        best = ir.Lookup(anchors, shape.anchored, (ir.Op(cell, "some", (kept,)),))
        assert isinstance(spot.type, Id)
        result = replace(spot.type, optional=True)
        first = ir.Fold(result, "first", spot.index, best, test, None)
        nothing = ir.Const(result, NONE)
        found = ir.Op(result, "if", (ir.Op(TRUTH, "is_none", (kept,)), nothing, first))
        return ir.LetIn(result, kept.index, corner, found)

    def set_field(self, domain: w.Domain, name: str, piece: ir.Expr, value: ir.Expr, span: Span) -> None:
        var = domain.fields[name]
        same = self.coerce(value, self.world.vars[var].type, span)
        if known(same):
            self.stmts.code.add(*moved(self.stmts, var, piece, same, span))
            self.stmts.code.add(ir.Store(var, piece, None, same, self.world.site(span)))

    # ------------------------------------------------------------ taking away

    def take_away(self, tree: ast.TakeAway) -> None:
        piece = self.scalar(tree.piece)
        if not known(piece):
            return
        domain = self.world.domains[piece.type.domain] if isinstance(piece.type, Id) else None
        if domain is None or (
            domain.pool is None and not any(self.world.domains[p].pool for p in domain.parts)
        ):
            self.fault(Code.TYPE_MISMATCH, tree.piece.span, "only pieces are taken away")
            return
        (kept,) = self.stmts.kept((piece,))
        site = self.world.site(tree.span)
        self.retire(domain, kept, tree.for_ever, site)

    def retire(self, domain: w.Domain, piece: ir.Expr, for_ever: bool, site: int) -> None:
        if domain.pool:
            run = self.stmts.retirement(domain, for_ever)
            self.stmts.code.add(ir.Call(run, (piece,), None, site))
            return
        at = 0
        for part in domain.parts:
            size = len(self.world.domains[part].members)
            where = ir.Op(Int(0, len(domain.members) - 1), "id", (piece,))
            inside = ir.Op(
                TRUTH,
                "and",
                (ir.Op(TRUTH, "ge", (where, number(at))), ir.Op(TRUTH, "lt", (where, number(at + size)))),
            )
            with self.stmts.collecting() as code:
                self.retire(
                    self.world.domains[part], ir.Op(Id(part), "cast", (piece, number(-at))), for_ever, site
                )
            self.stmts.code.add(mid.MidIf(inside, tuple(code.statements)))
            at += size

    def retirement(self, domain: w.Domain, for_ever: bool) -> int:
        """The procedure that takes a piece of this type away; written when all variables are known."""
        key = (domain.id, for_ever, self.world.leaf == domain.id)
        if key not in self.world.retirements:
            self.world.procedures.append(None)
            self.world.retirements[key] = len(self.world.procedures) - 1
        return self.world.retirements[key]

    # ------------------------------------------------------------ cards

    def pile_of(self, tree: ast.Expr) -> tuple[ir.Expr, w.Domain] | None:
        found = self.scalar(tree)
        if not known(found):
            return None
        if isinstance(found.type, Id):
            for domain in self.world.domains:
                if domain.pool and domain.pool.pile_domain == found.type.domain:
                    return found, domain
        self.fault(
            Code.TYPE_MISMATCH,
            tree.span,
            "this is no pile",
            hint="write a pile's name, such as `deck` or `hand(p)`",
        )
        return None

    def move(self, tree: ast.Move) -> None:
        target = self.pile_of(tree.pile)
        if target is None:
            return
        pile, domain = target
        card = self.coerce(self.scalar(tree.card, Id(domain.id)), Id(domain.id), tree.card.span)
        if known(card):
            self.stmts.code.add(*out_of_holder(self.stmts, domain, card, tree.span))
            self.stmts.code.add(
                ir.MoveCard(
                    self.world.pool_number(domain), card, pile, tree.end == "top", self.world.site(tree.span)
                )
            )

    def shuffle(self, tree: ast.Shuffle) -> None:
        target = self.pile_of(tree.pile)
        if target is not None:
            pile, domain = target
            self.stmts.code.add(
                ir.ShufflePile(self.world.pool_number(domain), pile, self.world.site(tree.span))
            )

    def draw(self, tree: ast.Draw) -> None:
        """Up to N cards from the top, one by one; an empty pile first does what its `when empty` says."""
        source, target, count = self.pile_of(tree.source), self.pile_of(tree.target), self.whole(tree.count)
        if source is None or target is None or not known(count):
            return
        s = self.stmts
        s.flush()
        (from_, to), domain = s.kept((source[0], target[0])), source[1]
        if domain is not target[1]:
            self.fault(Code.TYPE_MISMATCH, tree.span, "these piles hold different cards")
            return
        assert isinstance(count.type, Int) and domain.pool is not None
        site = self.world.site(tree.span)
        cards = len(domain.members)
        if count.type.high > cards:
            count = ir.Op(Int(min(count.type.low, cards), cards), "min", (count, number(cards)))
        assert isinstance(count.type, Int)
        drawn = self.body.new(Int(0, max(0, count.type.high)))
        s.code.add(ir.SetLocal(drawn.index, ir.Const(drawn.type, 0)))
        empty = ir.Op(TRUTH, "eq", (self.cards_in(from_), ir.Const(SetOf(Id(domain.id)), 0)))
        body: list[mid.Mid] = [mid.MidIf(empty, self.refilling(tree.source, from_))]
        card = self.body.new(Id(domain.id))
        more = ir.Op(
            drawn.type, "narrow", (ir.Op(Int(1, max(0, count.type.high) + 1), "add", (drawn, number(1))),)
        )
        take: tuple[mid.Mid, ...] = (
            ir.SetLocal(card.index, ir.Op(Id(domain.id), "some", (self.top_of(from_, domain),))),
            ir.MoveCard(self.world.pool_number(domain), card, to, True, site),
            ir.SetLocal(drawn.index, more),
        )
        body.append(mid.MidIf(negation(empty), take))
        s.code.add(mid.MidLoop(count, TRUE, tuple(body), site))
        if tree.name:
            self.body.bind(tree.name.text, drawn)

    def top_of(self, pile: ir.Expr, domain: w.Domain) -> ir.Expr:
        assert domain.pool is not None and domain.pool.order is not None
        cards = self.cards_in(pile)
        card = self.body.new(Id(domain.id))
        on_top = ir.Op(TRUTH, "eq", (self.load(domain.pool.order, card), number(0)))
        return ir.Fold(Id(domain.id, optional=True), "first", card.index, cards, on_top, None)

    def refilling(self, tree: ast.Expr, pile: ir.Expr) -> tuple[mid.Mid, ...]:
        name = (
            tree.function.name
            if isinstance(tree, ast.Apply) and isinstance(tree.function, ast.NameExpr)
            else ""
        )
        name = tree.name if isinstance(tree, ast.NameExpr) else name
        decl = self.world.callables.get(name)
        if not isinstance(decl, w.Pile) or decl.decl.when_empty is None or name in self.world.unfolding:
            return ()
        s = self.stmts
        self.world.unfolding.add(name)
        with s.collecting() as code:
            if decl.per is not None and decl.decl.per is not None:
                owner = ir.Op(Id(decl.per), "cast", (pile, number(-decl.base)))
                self.body.bind(decl.decl.per.text.lower(), owner)
                self.body.bind("owner", owner)
            s.run_block(decl.decl.when_empty)
        self.world.unfolding.discard(name)
        return tuple(code.statements)

    # ------------------------------------------------------------ together

    def together(self, tree: ast.Together) -> None:
        """Judges all on the entry state; then each `before` over all, the bodies as a batch, each `after` over all."""
        calls = self.batch_calls(tree.body, [])
        if not calls:
            return
        if self.stmts.actions is None:
            self.fault(Code.TOGETHER, tree.span, "nothing happens together in a test's `given`")
            return
        batch(self.stmts, self.stmts.actions, calls, tree)

    def batch_calls(
        self, block: ast.Block, selections: list[ast.Selection]
    ) -> list[tuple[list[ast.Selection], ast.Call]]:
        found: list[tuple[list[ast.Selection], ast.Call]] = []
        for statement in block.statements:
            match statement:
                case ast.Call():
                    found.append((selections, statement))
                case ast.For(selection=selection, body=body):
                    found += self.batch_calls(body, [*selections, selection])
                case _:
                    self.fault(
                        Code.TOGETHER,
                        statement.span,
                        "`together` holds calls of actions, and `for` over them",
                        hint="put what comes before or behind outside",
                    )
        return found


__all__ = ["BAD", "NONE", "Pieces"]
