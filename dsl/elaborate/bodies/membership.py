"""Membership: `in`, `has`, and what stands or lies in what."""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.footprints import cells_of, on_map, place_of, stands_in
from dsl.elaborate.bodies.holders import contents, inside
from dsl.elaborate.bodies.ranges import Ranges
from dsl.elaborate.bodies.ratios import as_ratio
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, Record, SetOf
from dsl.lower.ir_builder import FALSE, TRUE, negation
from dsl.resolve.holdings import holdings_of
from dsl.resolve.kinds import AnyType
from dsl.resolve.symbols import Domain
from dsl.syntax import ast


class Membership(Ranges):
    """Elaborates whether a thing is in a set, a range, a pile, a holder or a place."""

    def contains(self, holder: ast.Expr, item: ast.Expr, tree: ast.Binary) -> ir.Expr:
        """`x in S`."""
        if isinstance(holder, ast.Range):
            return self.in_range(item, holder)
        element = self.expr(item) if not self.is_bare(item) else None
        where = self.expr(
            holder, SetOf(element.type) if element and isinstance(element.type, Int | Id) else None
        )
        if not known(where):
            return BAD
        if isinstance(where.type, Record) and where.type.names == ("low", "high"):
            inside = self.perhaps(item)
            return ir.Op(TRUTH, "inside", (inside, where)) if known(inside) else BAD
        holder_set = self.as_set(where, holder)
        if not known(holder_set):
            return BAD
        assert isinstance(holder_set.type, SetOf)
        element = element or self.expr(item, holder_set.type.of)
        return self.membership(holder_set, element, item)

    def is_bare(self, tree: ast.Expr) -> bool:
        """A name that only an expected type may make clear."""
        return (
            isinstance(tree, ast.NameExpr)
            and self.body.find(tree.name) is None
            and tree.name not in self.world.globals
            and len(self.world.members.get(tree.name, [])) > 1
        )

    def perhaps(self, item: ast.Expr) -> ir.Expr:
        """A whole number that may be none: none is in no range."""
        found = self.expr(item)
        return self.unrounded(item.span) if as_ratio(found) else self.number_of(found, item)

    def in_range(self, item: ast.Expr, holder: ast.Range) -> ir.Expr:
        value, low, high = self.perhaps(item), self.whole(holder.low), self.whole(holder.high)
        if not (known(value) and known(low) and known(high)):
            return BAD
        return ir.Op(TRUTH, "and", (ir.Op(TRUTH, "ge", (value, low)), ir.Op(TRUTH, "le", (value, high))))

    def as_set(self, where: ir.Expr, tree: ast.Expr) -> ir.Expr:
        match where.type:
            case SetOf():
                return where
            case ListOf(of=element) if isinstance(element, Int | Id):
                return ir.Op(SetOf(element), "list_set", (where,))
            case BagOf(domain=domain):
                return ir.Op(SetOf(Id(domain)), "bag_set", (where,))
            case Id(domain=domain) if self.world.domains[domain].kind == "pile":
                return self.cards_in(where)
            case Int(optional=True) | Id(optional=True):
                return self.at_most_one(where, where.type)
            case Id() if (held := inside(self, where, tree.span)) is not None:
                return held
            case _:
                return self.fault(
                    Code.TYPE_MISMATCH,
                    tree.span,
                    tr("{type} holds nothing", type=self.world.show(where.type)),
                )

    def membership(self, holder: ir.Expr, element: ir.Expr, item: ast.Expr) -> ir.Expr:
        if not known(element):
            return BAD
        assert isinstance(holder.type, SetOf)
        of = holder.type.of
        if not isinstance(element.type, Int | Id):
            return self.fault(
                Code.TYPE_MISMATCH,
                item.span,
                tr("a set does not hold {type}", type=self.world.show(element.type)),
            )
        if isinstance(of, Int) and isinstance(element.type, Int):
            return ir.Op(TRUTH, "has", (holder, element))
        if (
            isinstance(of, Id)
            and isinstance(element.type, Id)
            and self.offset(of.domain, element.type.domain) is not None
        ):
            wide = self.set_to(holder, holder.type, SetOf(Id(element.type.domain)))
            return ir.Op(TRUTH, "has", (wide or holder, element))
        wanted = replace(of, optional=True) if element.type.optional else of
        same = self.coerce(element, wanted, item.span)
        return ir.Op(TRUTH, "has", (holder, same)) if known(same) else BAD

    def has(self, tree: ast.Binary) -> ir.Expr:
        """`army has MI`, `hand(p) has c`, `c has Unit`, `u has TRAIT`."""
        left = self.expr(tree.left)
        if not known(left):
            return BAD
        if isinstance(left.type, Id) and self.world.domains[left.type.domain].kind != "pile":
            if (held := self.has_inside(left, tree)) is not None:
                return held
            return self.has_word(left, tree)
        holder = self.as_set(left, tree.left)
        if not known(holder):
            return BAD
        assert isinstance(holder.type, SetOf)
        if (among := self.has_kind(holder, holder.type, tree.right)) is not None:
            return among
        return self.membership(holder, self.expr(tree.right, holder.type.of), tree.right)

    def has_kind(self, holder: ir.Expr, type_: SetOf, right: ast.Expr) -> ir.Expr | None:
        """`hand(p) has parry`: is a piece of that kind among these?"""
        if not isinstance(right, ast.NameExpr) or self.body.find(right.name) is not None:
            return None
        domain = self.world.domains[type_.of.domain] if isinstance(type_.of, Id) else None
        if domain is None or domain.pool is None or domain.pool.table is None:
            return None
        kinds = self.world.domains[domain.pool.table.domain]
        if right.name not in kinds.index:
            return None
        piece = self.body.new(Id(domain.id))
        kind = ir.Const(Id(kinds.id), kinds.index[right.name])
        same = ir.Op(TRUTH, "eq", (self.kind_of(piece, domain), kind))
        return ir.Fold(TRUTH, "any", piece.index, holder, same, TRUE)

    def has_inside(self, left: ir.Expr, tree: ast.Binary) -> ir.Expr | None:
        """`hero has Item`, `hero has sword`, `hero has x`: is such a piece in it? None where nothing can be."""
        assert isinstance(left.type, Id)
        here = holdings_of(self.world, left.type.domain)
        if not here:
            return None
        of = self.present(left, tree.left.span)
        right = tree.right
        word = right.name if isinstance(right, ast.NameExpr) and self.body.find(right.name) is None else ""
        for held in here if known(of) else ():
            inner = self.world.domains[held.inner]
            table = inner.pool.table if inner.pool else None
            kinds = self.world.domains[table.domain].index if table else {}
            if word != inner.name and word not in kinds:
                continue
            found = contents(self, held, of)
            assert isinstance(found, ir.Fold)
            if word == inner.name:
                return ir.Fold(TRUTH, "any", found.index, found.domain, found.where, TRUE)
            piece = ir.Local(Id(inner.id), found.index)
            assert table is not None and found.where is not None
            kind = ir.Const(Id(table.domain), kinds[word])
            same = ir.Op(TRUTH, "eq", (self.kind_of(piece, inner), kind))
            test = ir.Op(TRUTH, "and", (found.where, same))
            return ir.Fold(TRUTH, "any", found.index, found.domain, test, TRUE)
        if word or not known(of):
            return None if known(of) else BAD
        holder = self.as_set(of, tree.left)
        if not known(holder) or not isinstance(holder.type, SetOf):
            return BAD
        return self.membership(holder, self.expr(right, holder.type.of), right)

    def has_several(self, tree: ast.Binary) -> ir.Expr:
        """`army has any of {CLE, EL}`, `hand(p) has all of cards`, `u has any of {armed, fast}`."""
        several = tree.right
        if isinstance(several, ast.Braces) and several.items:
            return self.has_each(tree, several)
        left = self.expr(tree.left)
        holder = self.as_set(left, tree.left) if known(left) else BAD
        if not known(holder):
            return BAD
        assert isinstance(holder.type, SetOf)
        found = self.expr(several, holder.type)
        wanted = self.as_set(found, several) if known(found) else BAD
        if not known(wanted):
            return BAD
        holder, wanted, _ = self.join(holder, wanted, several.span)
        if not known(wanted):
            return BAD
        if tree.op == "has-all-of":
            return ir.Op(TRUTH, "subset", (wanted, holder))
        common = ir.Op(holder.type, "meet", (holder, wanted))
        return negation(ir.Op(TRUTH, "eq", (common, ir.Const(holder.type, 0))))

    def has_each(self, tree: ast.Binary, several: ast.Braces) -> ir.Expr:
        """The elements between braces one by one, so that each may be anything that `has` can name."""
        op = "or" if tree.op == "has-any-of" else "and"
        tests: list[ir.Expr] = []
        for item in several.items:
            if isinstance(item, ast.Amount):
                self.fault(
                    Code.TYPE_MISMATCH,
                    item.span,
                    "`has any of` and `has all of` ask for kinds, not for counts",
                    hint=tr(
                        "write `{left}[{item}] >= {count}`",
                        left=tree.left.span.text,
                        item=item.name.text,
                        count=item.count,
                    ),
                )
                return BAD
            tests.append(self.has(ast.Binary("has", tree.left, item, span=tree.span)))
        if not all(known(test) for test in tests):
            return BAD
        result = tests[0]
        for test in tests[1:]:
            result = ir.Op(TRUTH, op, (result, test))
        return result

    def has_word(self, left: ir.Expr, tree: ast.Binary) -> ir.Expr:
        assert isinstance(left.type, Id)
        right = tree.right
        domain = self.world.domains[left.type.domain]
        of = self.present(left, tree.left.span)
        if not known(of):
            return BAD
        if isinstance(right, ast.NameExpr) and domain.kind in {"cell", "row", "enum", "shape"}:
            there = self.stands_at(of, right)
            if there is not None:
                return there
        if isinstance(right, ast.NameExpr):
            found = self.word_fields(domain.id, right.name, sets=True)
            if len(found) == 1:
                field = self.field(of, found[0], tree.span)
                assert field is not None and isinstance(field.type, SetOf)
                member = self.expected_member(right.name, field.type)
                assert member is not None
                return ir.Op(TRUTH, "has", (field, member))
        hint = ""
        if isinstance(right, ast.NameExpr):
            single = self.word_fields(domain.id, right.name, sets=False)
            hint = (
                tr(
                    "`{single}` is one thing, not a set: write `{left} is {right}`",
                    single=single[0],
                    left=tree.left.span.text,
                    right=right.name,
                )
                if single
                else self.world.nearest(right.name, self.world.known_names())
            )
        return self.unknown(
            "member",
            right.span,
            tr("a {domain} never has `{right}`", domain=domain.name, right=right.span.text),
            of=domain.name,
            hint=hint,
        )

    def stands_at(self, cell: ir.Expr, right: ast.NameExpr) -> ir.Expr | None:
        """`c has Unit`, `c has tank`: is there such a piece at that place?"""
        kinds: list[tuple[Domain, int | None]] = [
            (domain, None) for domain in self.world.domains if domain.pool and domain.name == right.name
        ]
        for domain in self.world.domains if not kinds else ():
            table = domain.pool.table if domain.pool else None
            index = self.world.domains[table.domain].index.get(right.name) if table else None
            if index is not None:
                kinds.append((domain, index))
        if len(kinds) != 1 or "at" not in kinds[0][0].fields:
            return FALSE if kinds and "at" in self.world.reporter.lost else None
        domain, kind = kinds[0]
        place = self.world.vars[domain.fields["at"]].type
        if not isinstance(place, Id) or not isinstance(cell.type, Id):
            return None
        piece = self.body.new(Id(domain.id))
        if place_of(self, domain) and on_map(self, cell.type):
            covering = cells_of(self, cell) if cell.type.domain in self.world.shapes else cell
            test = stands_in(self, domain, piece, covering)
        elif place.domain != cell.type.domain:
            return None
        else:
            one, two, _ = self.join(self.load(domain.fields["at"], piece), cell, right.span)
            test = ir.Op(TRUTH, "eq", (one, two))
        if kind is not None and domain.pool and domain.pool.table:
            same = ir.Op(
                TRUTH, "eq", (self.kind_of(piece, domain), ir.Const(Id(domain.pool.table.domain), kind))
            )
            test = ir.Op(TRUTH, "and", (same, test))
        return ir.Fold(TRUTH, "any", piece.index, self.members(domain.id), test, TRUE)

    def word_fields(self, domain: int, word: str, *, sets: bool) -> list[str]:
        """The columns and fields of a domain's members whose type has a member of that name."""
        here = self.world.domains[domain]
        found = []
        types: dict[str, AnyType] = {name: column.type for name, column in self.columns(here).items()}
        types |= {name: self.world.vars[var].type for name, var in here.fields.items()}
        if here.pool and here.pool.table:
            types["kind"] = Id(here.pool.table.domain)
        for name, type_ in types.items():
            element = type_.of if sets and isinstance(type_, SetOf) else type_ if not sets else None
            if isinstance(element, Id) and self.member_of(element.domain, word) is not None:
                found.append(name)
        for part in here.parts:
            found += [name for name in self.word_fields(part, word, sets=sets) if name not in found]
        return found

    def plays(self, domain: Domain) -> bool:
        """Are these pieces, or a union with pieces among its parts?"""
        return domain.pool is not None or any(self.plays(self.world.domains[part]) for part in domain.parts)
