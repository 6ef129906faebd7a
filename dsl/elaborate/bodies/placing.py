"""Placing pieces: one from the supply, on a place that is named, that is free, or that somebody chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.beginnings import begins_later, begun
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.footprints import (
    anchored_at,
    as_cells,
    footprint,
    free,
    grown,
    no_shape,
    on_map,
    overlap_none,
    place_of,
    places_of,
    shape_of,
    touching,
    wanted,
)
from dsl.elaborate.bodies.holders import moved
from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, BagOf, Id, ListOf, SetOf, Type
from dsl.linker.layers import pieces_of
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction, negation, number
from dsl.lower.rewrite import substitute
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.bounds import within
from dsl.resolve.hints import near_or_all
from dsl.resolve.kinds import AnyType
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements

MOST_LISTED = 8
"""Kinds of pieces that a message names."""


@record(frozen=True, slots=True)
class Large:
    """The places of a piece that covers several cells: all of them, and those anchored at a cell, as drawn first."""

    shape: w.Shape
    members: ir.Expr
    at: Callable[[ir.Expr], ir.Expr]


class Placing(Expressions):
    """Elaborates `place`. The mixin's other half is `Statements`."""

    @property
    def stmts(self) -> Statements:
        return cast("Statements", self)

    def place(self, tree: ast.Place) -> None:
        kind, domains = self.kind(tree.kind)
        if kind is None or not domains:
            return
        if len(domains) == 1:
            piece = self.place_of_type(tree, kind, domains[0])
            if tree.name and piece is not None:
                self.body.bind(tree.name.text, piece)
            return
        self.place_by_type(tree, kind, domains)

    def place_by_type(self, tree: ast.Place, kind: ir.Expr, domains: list[w.Domain]) -> None:
        """Places what may be of several types of pieces: whichever of them has that kind."""
        assert isinstance(kind.type, Id)
        kept = self.body.new(kind.type)
        self.stmts.code.add(ir.SetLocal(kept.index, kind))
        union = self.union_of(domains)
        if tree.name and union is None:
            names = " | ".join(each.name for each in domains)
            message = tr(
                "`{tree}` would be one of {names}, which no type joins",
                tree=tree.name.text,
                names=names.replace(" | ", " and "),
            )
            hint = tr("declare one, such as `type Something = {names}`", names=names)
            self.fault(Code.TYPE_MISMATCH, tree.name.span, message, hint=hint)
            return
        placed = self.body.new(Id(union.id)) if tree.name and union is not None else None
        for domain in domains:
            assert domain.pool is not None and domain.pool.table is not None
            part = domain.pool.table.domain
            at = self.offset(part, kind.type.domain) or 0
            with self.stmts.collecting() as code:
                own = ir.Op(Id(part), "cast", (kept, number(-at)))
                piece = self.place_of_type(tree, own, domain)
                if placed is not None and piece is not None:
                    self.stmts.code.add(ir.SetLocal(placed.index, self.coerce(piece, placed.type, tree.span)))
            self.stmts.code.add(mid.MidIf(self.in_part(kept, part, kind.type.domain), tuple(code.statements)))
        if tree.name and placed is not None:
            self.body.bind(tree.name.text, placed)

    def union_of(self, domains: list[w.Domain]) -> w.Domain | None:
        """The smallest union that the game declares of some types."""
        found = [
            each for each in self.world.domains if each.parts and {d.id for d in domains} <= set(each.parts)
        ]
        return min(found, key=lambda each: len(each.parts), default=None)

    def place_of_type(self, tree: ast.Place, kind: ir.Expr, domain: w.Domain) -> ir.Local | None:
        """Places pieces of one type; the last of them is given back, or none after a fault."""
        owner = self.scalar(tree.owner, self.owning(domain)) if tree.owner else self.whose_setup(domain)
        if owner is not None and not known(owner):
            return None
        most = max(1, len(domain.members))  # without any, that has been told
        count = within(self.world.reporter, tree.span, f"placing {domain.name}", tree.count, 1, most)
        for _ in range(count):
            piece = self.take_one(domain, kind, owner)
            self.put(tree, domain, piece, owner)
            self.enter(domain, piece, tree.span)
        return piece

    def whose_setup(self, domain: w.Domain) -> ir.Expr | None:
        """The side whose setup it is, as an owner of these pieces."""
        wanted = self.owning(domain)
        own = self.own_side(wanted) if isinstance(wanted, Id) else None
        return own if own is not None else self.stmts.setup_side

    def own_side(self, type_: Id) -> ir.Expr | None:
        """The side whose setup this is, as a member of a type; none elsewhere."""
        side = self.stmts.setup_side
        if not isinstance(side, ir.Const) or not isinstance(side.value, int) or not isinstance(side.type, Id):
            return None
        at = self.offset(type_.domain, side.type.domain)
        if at is None:
            wide = self.offset(side.type.domain, type_.domain)
            return ir.Const(Id(type_.domain), side.value + wide) if wide is not None else None
        inside = 0 <= side.value - at < len(self.world.domains[type_.domain].members)
        return ir.Const(Id(type_.domain), side.value - at) if inside else None

    def kind(self, name: ast.Name) -> tuple[ir.Expr | None, list[w.Domain]]:
        """A kind of pieces with its type of pieces: a row of its table, a variable that holds one, or the piece type
        itself. Of a union of tables each has a type of pieces.
        """
        for domain in self.world.domains:
            if domain.pool and domain.name == name.text:
                if domain.pool.table is None:
                    return TRUE, [domain]
                kinds = self.world.domains[domain.pool.table.domain].members
                hint = tr("write which, such as `place {kinds}`", kinds=kinds[0]) if kinds else ""
                self.fault(
                    Code.TYPE_MISMATCH,
                    name.span,
                    tr("there are several kinds of {name}", name=name.text),
                    hint=hint,
                )
                return None, []
        if self.is_unknown_kind(name):
            return None, []
        found = self.expr(ast.NameExpr(name.text, span=name.span))
        if not known(found):
            return None, []
        if not isinstance(found.type, Id):
            self.no_kind(name, self.each_of(name.text, found.type))
            return None, []
        found = self.present(found, name.span)
        if not isinstance(found.type, Id):
            return None, []
        if pieces := self.pieces_of_kinds(found.type):
            by_table = {
                each.pool.table.domain: each for each in reversed(pieces) if each.pool and each.pool.table
            }
            return found, list(by_table.values())[::-1]
        tables = [pieces_of(self.world.domains[each].name) for each in self.world.parts_of(found.type)]
        if gone := next(
            (self.world.reporter.gone[each] for each in tables if each in self.world.reporter.gone), None
        ):
            self.world.reporter.removed(gone, name.span)
            return None, []
        hint = self.lacks_pieces(found.type, name.text)
        self.no_kind(name, hint or self.world.nearest(name.text, self.world.known_names()))
        return None, []

    def no_kind(self, name: ast.Name, hint: str) -> None:
        """Tells of what has a value that is no kind of pieces."""
        message = tr("`{name}` is no kind of pieces", name=name.text)
        self.fault(Code.TYPE_MISMATCH, name.span, message, hint=hint)

    def each_of(self, name: str, type_: Type) -> str:
        """Of a value that is not one thing what to do: name a kind, or take one of several after the other."""
        match type_:
            case SetOf(of=Id() as of) | ListOf(of=Id() as of) if self.pieces_of_kinds(of):
                return tr("it may hold several, so write `for k in {name}: place k ...`", name=name)
            case BagOf(domain=domain) if self.pieces_of_kinds(Id(domain)):
                return tr(
                    "it may hold several, so write `for k in {name}:`, and below it "
                    "`repeat {name}[k] times: place k ...`",
                    name=name,
                )
            case _:
                kinds = self.kinds_placed()
                return self.world.nearest(name, kinds) or self.kinds_are(kinds)

    def kinds_placed(self) -> list[str]:
        """The names of all that can be placed: kinds of pieces, and types of pieces without kinds."""
        domains = self.world.domains
        names = (
            name
            for domain in domains
            if domain.pool
            for name in (domains[domain.pool.table.domain].members if domain.pool.table else [domain.name])
        )
        return list(dict.fromkeys(names))

    def kinds_are(self, kinds: list[str]) -> str:
        listed = ", ".join(kinds[:MOST_LISTED]) + (", ..." if len(kinds) > MOST_LISTED else "")
        return tr("kinds of pieces are: {listed}", listed=listed) if kinds else ""

    def is_unknown_kind(self, name: ast.Name) -> bool:
        """Tells of a name that nothing has; near it are only kinds of pieces."""
        world = self.world
        if self.body.find(name.text) is not None or world.knows(name.text):
            return False
        if self.body.owner is not None and self.field(self.body.owner, name.text, name.span) is not None:
            return False
        kinds = self.kinds_placed()
        hint = world.nearest(name.text, kinds) or self.kinds_are(kinds)
        message = tr("there is no kind of pieces `{name}`", name=name.text)
        self.unknown("piece", name.span, message, hint=hint, label="unknown name")
        return True

    def take_one(self, domain: w.Domain, kind: ir.Expr, owner: ir.Expr | None) -> ir.Local:
        """The first piece of that kind in the supply."""
        type_ = Id(domain.id)
        find = self.in_supply(domain, kind, owner)
        piece = self.body.new(type_)
        found = self.body.new(replace(type_, optional=True))
        gone = ir.Op(TRUTH, "is_none", (found,))
        self.stmts.code.add(find(found.index))
        self.stmts.code.add(mid.MidIf(gone, (ir.Fail(Code.NONE_USED.id, self.stmts.code.site),)))
        self.stmts.code.add(ir.SetLocal(piece.index, ir.Op(type_, "some", (found,))))
        if domain.pool is not None and domain.pool.kind_var is not None:
            self.exchange(domain, domain.pool.kind_var, piece, kind, owner)
        return piece

    def exchange(
        self, domain: w.Domain, var: int, piece: ir.Local, kind: ir.Expr, owner: ir.Expr | None
    ) -> None:
        """Where not everybody sees the kind, the first piece in the supply becomes one of that kind, and the one that
        was found of the kind that the first had: which piece comes into play shows nothing. The kind is written as it
        was given, so that who may read what somebody chose for it follows as for any hidden field.
        """
        code, site = self.stmts.code, self.stmts.code.site
        type_ = self.world.vars[var].type
        if kind.type != type_:
            found = self.body.new(type_)
            code.add(ir.SetLocal(found.index, ir.Load(type_, var, piece)))
            kind = found
        first = self.body.new(Id(domain.id))
        code.add(
            ir.SetLocal(first.index, ir.Op(first.type, "some", (self.first_supplied(domain, None, owner),)))
        )
        code.add(ir.Store(var, piece, None, ir.Load(type_, var, first), site))
        code.add(ir.Store(var, first, None, kind, site))
        code.add(ir.SetLocal(piece.index, first))
        for each in self.world.vars:
            if each.of == domain.id and each.role == "field" and each.id != var and each.initial is not None:
                code.add(ir.Store(each.id, first, None, substitute(each.initial, first), site))

    def in_supply(
        self, domain: w.Domain, kind: ir.Expr, owner: ir.Expr | None
    ) -> Callable[[int], ir.SetLocal | ir.Call]:
        """What puts the first piece of that kind in the supply into a local, or none."""
        first = self.first_supplied(domain, kind, owner)
        return lambda local: ir.SetLocal(local, first)

    def first_supplied(self, domain: w.Domain, kind: ir.Expr | None, owner: ir.Expr | None) -> ir.Fold:
        """The first piece of that kind, or of any, in the supply, or none."""
        pool = domain.pool
        assert pool is not None
        candidate = self.body.new(Id(domain.id))
        tests: list[ir.Expr] = []
        if pool.table and kind is not None:
            tests.append(ir.Op(TRUTH, "eq", (self.kind_of(candidate, domain), kind)))
        if owner is not None and any(each is not None for each in pool.owners):
            data = self.owners(domain, owner)
            tests.append(ir.Op(TRUTH, "eq", (ir.Lookup(owner.type, data, (candidate,)), owner)))
        left = self.supplied(domain, at_first=True)
        return ir.Fold(Id(domain.id, optional=True), "first", candidate.index, left, conjunction(tests), None)

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
        place = self.spot(tree, domain, piece)
        if place is not None and domain.pool and place.type == Id(domain.pool.pile_domain or -1):
            pool = self.world.pool_number(domain)
            self.stmts.code.add(ir.MoveCard(pool, piece, place, True, self.world.site(tree.span)))
        elif place is not None:
            name = "in" if tree.where == "in" and "in" in domain.fields else "at"
            if name not in domain.fields and name in self.world.reporter.lost:
                return
            if name not in domain.fields:
                self.fault(
                    Code.UNKNOWN_NAME,
                    tree.span,
                    tr("a {domain} has no place", domain=domain.name),
                    hint="give it a field `at: Cell?`",
                )
                self.world.reporter.lost.add(name)
                return
            self.set_field(domain, name, piece, place, tree.place.span)
        for setting in tree.settings:
            var = domain.fields.get(setting.name.text)
            if domain.pool is not None and var is not None and domain.pool.kind_var == var:
                message = tr("a piece is of the kind that `place` has brought into play, and stays so")
                self.fault(Code.NOT_WRITABLE, setting.span, message, hint=tr("leave this out"))
                continue
            if setting.name.text not in domain.fields:
                hint = near_or_all(self.world.reporter, setting.name.text, domain.fields, "it has")
                self.unknown(
                    "field",
                    setting.name.span,
                    tr("a {domain} has no field `{setting}`", domain=domain.name, setting=setting.name.text),
                    of=domain.name,
                    hint=hint,
                )
                continue
            type_ = self.world.vars[domain.fields[setting.name.text]].type
            value = self.expr(setting.value, type_)
            if known(value):
                self.set_field(domain, setting.name.text, piece, value, setting.span)
        self.begin_later(tree, domain, piece)

    def begin_later(self, tree: ast.Place, domain: w.Domain, piece: ir.Local) -> None:
        """Fields begin with what the piece has, and what holds, as it comes into play, but for those that are set."""
        written = {"owner", "at", "in", *(each.name.text for each in tree.settings)}
        for name, number_ in domain.fields.items():
            var = self.world.vars[number_]
            if name not in written and begins_later(self.world, var):
                self.set_field(domain, name, piece, begun(self, var, piece), tree.span)

    def spot(self, tree: ast.Place, domain: w.Domain, piece: ir.Local) -> ir.Expr | None:
        """Where a piece comes to stand: a place, one that is free of a set, or `beside` either a free neighbour."""
        place = place_of(self, domain)
        if place is not None and place.domain in self.world.shapes:
            return self.large_spot(tree, place, piece)
        where = self.named_place(tree.place, self.world.types.get("Cell"))
        if place is not None and known(where) and tree.where == "beside":
            where = touching(self, grown(self, footprint(self, tree.place)))
        if not known(where) or not isinstance(where.type, SetOf):
            return self.only(where, tree) if known(where) else None
        local = self.body.new(where.type.of)
        if not isinstance(local.type, Id):
            self.fault(Code.TYPE_MISMATCH, tree.place.span, "pieces stand in places, not on numbers")
            return None
        room = free(self, local) if on_map(self, local.type) else TRUE
        return self.one_of(tree, piece, local, where, conjunction([room, self.allowed(piece, local)]))

    def named_place(self, tree: ast.Expr, expected: AnyType | None) -> ir.Expr:
        """A place or a set of places; a type stands for all of them."""
        whole = isinstance(tree, ast.NameExpr) and self.body.find(tree.name) is None
        if whole and isinstance(tree, ast.NameExpr) and tree.name in self.world.types:
            return self.domain(tree)
        return self.expr(tree, expected)

    def only(self, where: ir.Expr, tree: ast.Place) -> ir.Expr:
        """A place that is named outright; there is nothing to choose in it."""
        if tree.chooser is not None:
            hint = "name an area or another set of cells, or write `beside`"
            self.fault(Code.TYPE_MISMATCH, tree.place.span, "this is one place, nobody can choose", hint=hint)
        return where

    def one_of(
        self, tree: ast.Place, piece: ir.Expr, local: ir.Local, where: ir.Expr, test: ir.Expr
    ) -> ir.Expr | None:
        """The first place of a set that passes a test, or the one that somebody chooses."""
        assert isinstance(local.type, Id)
        if tree.chooser is None:
            first = ir.Fold(replace(local.type, optional=True), "first", local.index, where, test, None)
            return self.free_place(tree.place.span, local.type, first)
        player = self.stmts.player(tree.chooser)
        if player is None:
            return None
        self.stmts.flush()
        text = self.world.text("{0}")
        offer = ir.Offer(
            "take", (ir.OfferVar(local.index, where, test),), None, None, (local,), text, (local,), -1
        )
        site = self.world.site(tree.span)
        decide = mid.MidDecide(player, (mid.MidOffer(offer, ()),), text, (piece,), None, site)
        self.stmts.code.add(decide)
        return local

    def free_place(self, span: Span, type_: Id, found: ir.Expr) -> ir.Expr:
        """A place that was looked for; the game stops there where none is free."""
        s = self.stmts
        s.flush()
        kept = self.body.new(replace(type_, optional=True))
        full = ir.Fail(Code.NO_FREE_PLACE.id, self.world.site(span))
        s.code.add(ir.SetLocal(kept.index, found))
        s.code.add(mid.MidIf(ir.Op(TRUTH, "is_none", (kept,)), (full,)))
        return ir.Op(type_, "some", (kept,))

    def allowed(self, piece: ir.Expr, cells: ir.Expr) -> ir.Expr:
        """Does nothing forbid to place a piece there, on any of the cells it would cover?"""
        head, cell = self.world.placing, self.world.types.get("Cell")
        if head is None or not isinstance(cell, Id):
            return TRUE
        who = self.coerce(piece, head.params[0].type, head.decl.span)
        if not isinstance(cells.type, SetOf):
            return self.stmts.judged(head, (who, cells))
        each = self.body.new(cell)
        return ir.Fold(TRUTH, "every", each.index, cells, None, self.stmts.judged(head, (who, each)))

    # ------------------------------------------------------------ pieces of several cells

    def large_spot(self, tree: ast.Place, place: Id, piece: ir.Local) -> ir.Expr | None:
        """Where a piece of several cells comes to stand: the place itself, or one that is free at a cell or set."""
        where = self.named_place(tree.place, wanted(self, tree.place, place))
        if not known(where):
            return None
        if self.is_place(where.type, place) and tree.where != "beside":
            there = self.present(where, tree.place.span)
            return self.only(self.coerce(there, place, tree.place.span), tree) if known(there) else None
        covering = where if isinstance(where.type, SetOf) else as_cells(self, footprint(self, tree.place))
        covering = grown(self, covering) if tree.where == "beside" else covering
        large = self.large(place, piece, tree.place.span)
        if not known(covering) or large is None:
            return None
        spot = self.body.new(place)
        own = ir.Lookup(covering.type, large.shape.cells, (spot,))
        room = conjunction([free(self, own), self.allowed(piece, own)])
        if tree.where == "beside":
            near = self.body.new(covering.type)
            touches = conjunction([negation(overlap_none(own, near)), overlap_none(own, covering), room])
            self.stmts.code.add(ir.SetLocal(near.index, touching(self, covering)))
            return self.one_of(tree, piece, spot, large.members, touches)
        if tree.chooser is not None:
            test = self.at_anchor(covering, large, spot, room)
            return self.one_of(tree, piece, spot, large.members, test)
        return self.free_place(tree.place.span, place, self.first_free(covering, large, spot, own, room))

    def is_place(self, type_: Type, place: Id) -> bool:
        """Are these values of a type of places, or of one of the shapes that it is of?"""
        if not isinstance(type_, Id):
            return False
        return type_.domain == place.domain or (
            place.domain == self.world.any_place and type_.domain in self.world.shapes
        )

    def large(self, place: Id, piece: ir.Expr, span: Span) -> Large | None:
        """What is known of the places of a piece of several cells; None after a fault."""
        shape = self.world.shapes[place.domain]
        if shape.of is None:
            data = self.world.data[shape.anchored].type
            return Large(
                shape, self.members(place.domain), lambda cell: ir.Lookup(data, shape.anchored, (cell,))
            )
        own = shape_of(self, piece, span)
        if own is None:
            no_shape(self, piece, span)
            return None
        kept = self.body.new(own.type)
        self.stmts.code.add(ir.SetLocal(kept.index, own))
        return Large(shape, places_of(self, kept), lambda cell: anchored_at(self, kept, cell))

    def first_free(
        self, covering: ir.Expr, large: Large, spot: ir.Local, own: ir.Expr, room: ir.Expr
    ) -> ir.Expr:
        """The first place at a set of cells that has room, within the set if it can."""
        assert isinstance(spot.type, Id)
        inside = conjunction([ir.Op(TRUTH, "subset", (own, covering)), room])
        within_it = self.anchored(covering, large, spot, inside)
        optional = replace(spot.type, optional=True)
        return ir.Op(optional, "else_", (within_it, self.anchored(covering, large, spot, room)))

    def moved_to(self, place: Id, piece: ir.Expr, covering: ir.Expr, span: Span) -> ir.Expr | None:
        """Where a piece of several cells stands that is moved to a cell, or into a set of cells: the first place there
        that is free but for itself. None after a fault.
        """
        large = self.large(place, piece, span)
        if large is None:
            return None
        spot = self.body.new(place)
        own = ir.Lookup(covering.type, large.shape.cells, (spot,))
        found = self.first_free(covering, large, spot, own, free(self, own, piece))
        return self.free_place(span, place, found)

    def at_anchor(self, covering: ir.Expr, large: Large, spot: ir.Local, room: ir.Expr) -> ir.Expr:
        """Is a place anchored at a cell of a set, and free?"""
        assert (
            isinstance(covering.type, SetOf)
            and isinstance(covering.type.of, Id)
            and isinstance(spot.type, Id)
        )
        anchor = self.body.new(covering.type.of)
        there = ir.Op(TRUTH, "has", (ir.Op(SetOf(spot.type), "list_set", (large.at(anchor),)), spot))
        return conjunction([ir.Fold(TRUTH, "any", anchor.index, covering, there, TRUE), room])

    def anchored(self, covering: ir.Expr, large: Large, spot: ir.Local, test: ir.Expr) -> ir.Expr:
        """The first cell of a set at which a place that passes a test is anchored: as drawn, or else turned."""
        assert isinstance(covering.type, SetOf) and isinstance(covering.type.of, Id)
        cell = covering.type.of
        optional = replace(cell, optional=True)
        anchor, kept = self.body.new(cell), self.body.new(optional)
        fits = ir.Fold(TRUTH, "any", spot.index, large.at(anchor), test, TRUE)
        corner = ir.Fold(optional, "first", anchor.index, covering, fits, None)
        best = large.at(ir.Op(cell, "some", (kept,)))
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
