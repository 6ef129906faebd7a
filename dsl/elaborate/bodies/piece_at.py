"""What stands at a place: `KIND at PLACE`, of a kind, a type of pieces or a union of types."""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.footprints import footprint, place_of, stands_in
from dsl.elaborate.bodies.operators import Operators
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, SetOf
from dsl.resolve import symbols as w
from dsl.syntax import ast


class Standing(Operators):
    """Elaborates what asks for the pieces at a place."""

    def located(self, tree: ast.Located) -> ir.Expr:
        """`KIND at PLACE`: the piece of that kind or type that stands there."""
        all_there = self.standing(tree)
        if not known(all_there):
            return BAD
        assert isinstance(all_there.type, SetOf) and isinstance(all_there.type.of, Id)
        one = replace(all_there.type.of, optional=True)
        if isinstance(all_there, ir.Fold):
            return replace(all_there, type=one, kind="first")
        return ir.Fold(one, "first", self.body.new(all_there.type.of).index, all_there, None, None)

    def standing(self, tree: ast.Located) -> ir.Expr:
        """All pieces of a kind, a type or a union of types at a place; each once, however many cells it covers."""
        if not isinstance(tree.kind, ast.NameExpr):
            return self.fault(
                Code.TYPE_MISMATCH, tree.span, "before `at` stands the name of a kind of pieces"
            )
        name = tree.kind.name
        wanted = self.world.types.get(name)
        union = self.world.domains[wanted.domain] if isinstance(wanted, Id) else None
        if union is not None and union.parts and self.plays(union):
            return self.standing_of(union, tree)
        for domain in self.world.domains:
            kinds = (
                self.world.domains[domain.pool.table.domain].index
                if domain.pool and domain.pool.table
                else {}
            )
            if domain.pool and "at" in domain.fields and (name == domain.name or name in kinds):
                return self.there(domain, None if name == domain.name else kinds[name], tree)
        if "at" in self.world.reporter.lost:
            return BAD
        known = [each for each in self.world.known_names() if each != name]
        hint = self.world.nearest(name, known)
        if any(domain.pool and domain.name == name for domain in self.world.domains):
            hint = tr("give {name} a field `at: Cell?`", name=name)
            self.world.reporter.lost.add("at")
        return self.unknown(
            "piece", tree.kind.span, tr("there are no pieces `{name}` with a place", name=name), hint=hint
        )

    def standing_of(self, union: w.Domain, tree: ast.Located) -> ir.Expr:
        """All pieces of a union's types at a place."""
        type_ = SetOf(Id(union.id))
        found: list[ir.Expr] = []
        for part in (self.world.domains[each] for each in union.parts):
            if part.parts or (part.pool and "at" in part.fields):
                each = self.standing_of(part, tree) if part.parts else self.there(part, None, tree)
                if not known(each):
                    return BAD
                wide = self.converted(each, type_, tree.span)
                assert wide is not None
                found.append(wide)
        result: ir.Expr = ir.Const(type_, 0)
        for number_, each in enumerate(found):
            result = each if number_ == 0 else ir.Op(type_, "union", (result, each))
        return result

    def there(self, domain: w.Domain, kind: int | None, tree: ast.Located) -> ir.Expr:
        """The pieces of one type, perhaps of one kind, at a place."""
        assert domain.pool is not None
        type_, piece = SetOf(Id(domain.id)), self.body.new(Id(domain.id))
        if place_of(self, domain):
            where = footprint(self, tree.place)
            if not known(where):
                return BAD
            test = stands_in(self, domain, piece, where)
        else:
            place = self.expr(tree.place, self.world.vars[domain.fields["at"]].type)
            one, two, _ = self.join(self.load(domain.fields["at"], piece), place, tree.span)
            if not known(one):
                return BAD
            test = ir.Op(TRUTH, "eq", (one, two))
        if kind is not None and domain.pool.table:
            wanted = ir.Const(Id(domain.pool.table.domain), kind)
            test = ir.Op(TRUTH, "and", (ir.Op(TRUTH, "eq", (self.kind_of(piece, domain), wanted)), test))
        return ir.Fold(type_, "all", piece.index, self.members(domain.id), test, None)
