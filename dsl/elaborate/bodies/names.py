"""Names: what an identifier, a member or an index stands for.

A name is looked up from within: a local, a field of `self`, then the state, then what the game declares. Members of
enumerations, rows, players and cells are bare names; where two types share one, the type that is expected decides.
"""

from __future__ import annotations

import re
from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies import foreign_idioms as foreign
from dsl.elaborate.bodies.facts import key
from dsl.elaborate.bodies.ratios import as_ratio, ratio, wrapped
from dsl.elaborate.bodies.scope import BAD, Elaboration, known
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.lower.ir_builder import number
from dsl.resolve import board
from dsl.resolve.gaps import no_map
from dsl.resolve.hints import BROUGHT_IN, declared_only, field_or_new, near_or_all, of_type
from dsl.resolve.kinds import AnyType, Unknown, as_fraction, counted_in
from dsl.resolve.reporter import LANGUAGE
from dsl.resolve.symbols import Action, Area, Column, Domain, Table, Value
from dsl.source import Span
from dsl.syntax import ast

_HEAD = re.compile(r"action\s+\w+(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))?")
"""The head of an action up to where `by` stands."""


class Names(Elaboration):
    """Elaborates names, members, indices and braces."""

    def name(self, tree: ast.NameExpr, expected: AnyType | None) -> ir.Expr:
        local = self.body.find(tree.name)
        if local is not None:
            return self.narrowed(local, tree)
        if tree.name in self.world.taken:
            return BAD
        wanted = self.expected_member(tree.name, expected)
        if wanted is not None:
            return wanted
        if self.body.owner is not None:
            own = self.field(self.body.owner, tree.name, tree.span)
            if own is not None:
                return self.narrowed(own, tree)
        world = self.world
        if tree.name in world.globals:
            return self.narrowed(self.load(world.globals[tree.name], None), tree)
        if tree.name in world.callables:
            return self.narrowed(self.called(tree.name, (), tree, expected), tree)
        if tree.name == "empty":
            return self.empty(expected)
        if tree.name in {"orthogonal", "diagonal"} and tree.name not in world.members:
            return self.called(tree.name, (), tree, expected)
        return self.bare_member(tree, expected)

    def called(
        self, name: str, arguments: tuple[ast.Expr, ...], tree: ast.Expr, expected: AnyType | None
    ) -> ir.Expr:
        raise NotImplementedError

    def empty(self, expected: AnyType | None) -> ir.Expr:
        match expected:
            case SetOf() | None | Unknown():
                return ir.Const(expected if isinstance(expected, SetOf) else SetOf(Int(0, 0)), 0)
            case BagOf(domain=domain):
                return ir.Const(expected, tuple([0] * len(self.world.domains[domain].members)))
            case ListOf():
                return ir.Const(expected, ())
            case _:
                return ir.Const(SetOf(Int(0, 0)), 0)

    def expected_member(self, name: str, expected: AnyType | None) -> ir.Expr | None:
        """A member of the expected type, of its elements or of a union's parts."""
        match expected:
            case (
                Id(domain=domain)
                | SetOf(of=Id(domain=domain))
                | BagOf(domain=domain)
                | ListOf(of=Id(domain=domain))
            ):
                index = self.member_of(domain, name)
                return ir.Const(Id(domain), index) if index is not None else None
            case _:
                return None

    def member_of(self, domain: int, name: str) -> int | None:
        found = self.world.domains[domain]
        if found.kind == "piece":
            return None
        if found.kind == "shape":
            return self.place_named(found, name)
        return found.index.get(name)

    def place_named(self, shape: Domain, name: str) -> int | None:
        """A place of several cells by their names in any order, such as `b4_c4_b5`."""
        if self.world.board is None or "_" not in name:
            return shape.index.get(name)
        cells = self.world.domains[self.world.board.domain].index
        parts = sorted(name.split("_"), key=lambda part: cells.get(part, -1))
        return shape.index.get("_".join(parts))

    def field_of_others(self, name: str) -> str:
        """A hint for a field or column that is named without the thing that has it."""
        having = [
            each
            for each in self.world.domains
            if not each.parts and (name in each.fields or (each.table and name in each.table.columns))
        ]
        if not having:
            return ""
        domain = next((each for each in having if name in each.fields), having[0])
        thing = domain.name[:1].lower()
        return tr(
            "`{name}` is a field of {domain}: say whose, as in `{thing}.{name}`",
            name=name,
            domain=domain.name,
            thing=thing,
        )

    def parameter_of_type(self, name: str) -> str:
        """A hint for a parameter of what a clause is about that is called by its type: `unit` for the `u: Unit`."""
        if self.body.head is None:
            return ""
        head, params = self.body.head
        for param in params:
            type_ = param.type
            called = self.world.domains[type_.domain].name if isinstance(type_, Id) else ""
            if called.casefold() == name.casefold() and name != called:
                return tr("`{head}` calls it `{param}`", head=head, param=param.name)
        return ""

    def parameters(self, name: str) -> str:
        """The parameters that a clause can speak of, as a hint."""
        if self.body.head is None or not self.body.head[1]:
            return ""
        head, params = self.body.head
        listed = ", ".join(f"`{param.name}`" for param in params)
        return tr(
            "the parameters of `{head}` are {listed}; what else a clause asks is a field of `state:`, or declared at "
            "the top level, as in `value {name} = ...`",
            head=head,
            listed=listed,
            name=name,
        )

    def acting_for(self, tree: ast.NameExpr) -> str:
        """A hint in an action that does not say who does it, where a name may be meant for him."""
        here = tree.span
        for each in self.world.actions:
            decl = each.decl
            is_around = decl.span.source is here.source and decl.span.start <= here.start < decl.span.end
            if (
                not is_around
                or not isinstance(decl, ast.Action)
                or decl.kind != "action"
                or decl.by is not None
            ):
                continue
            found = _HEAD.match(here.source.text, decl.span.start, decl.span.end)
            if found is not None:
                hint = tr(
                    "write `by {name}` behind `{head}` for who does it", name=tree.name, head=found.group()
                )
                return hint if len(tree.name) <= 2 else f"{hint}; {tr(BROUGHT_IN)}"
        return ""

    def bare_member(self, tree: ast.NameExpr, expected: AnyType | None = None) -> ir.Expr:
        candidates = self.world.members.get(tree.name, [])
        for shape in self.world.shapes if not candidates else ():
            place = self.place_named(self.world.domains[shape], tree.name)
            candidates = candidates if place is None else [*candidates, (shape, place)]
        layer = self.world.layer(tree.span)
        # a name means what it did before a later file declared a second thing of that name
        candidates = [each for each in candidates if self.world.layer_of_member(*each) <= layer] or candidates
        if len(candidates) == 1:
            domain, index = candidates[0]
            return ir.Const(Id(domain), index)
        if candidates:
            names = " or ".join(f"`{self.world.domains[domain].name}`" for domain, _ in candidates)
            return self.fault(
                Code.AMBIGUOUS_NAME,
                tree.span,
                tr("`{tree}` is a member of {names}", tree=tree.name, names=names),
                hint="compare it with something of the type that is meant, or rename one of them",
            )
        if self.world.board is None and tree.name in board.WAYS:
            no_map(self.world, tree.span)
            return BAD
        local_names = [name for scope in self.body.names for name in scope]
        near = [*local_names, *self.own_names(), *self.world.known_names(), "none", "true", "false", "empty"]
        near = [each for each in near if self.may_be(each, expected)] + self.truths_of(expected)
        hint = foreign.meant(self.world, tree.name, near)
        hint = (
            hint
            or self.field_of_others(tree.name)
            or declared_only(self.world.reporter, tree.name, tree.span, near)
            or self.world.nearest(tree.name, near)
        )
        cells = self.world.domains[self.world.board.domain].index if self.world.board else {}
        if self.world.shapes and "_" in tree.name and all(part in cells for part in tree.name.split("_")):
            shapes = " or ".join(f"`{self.world.shapes[shape].name}`" for shape in self.world.shapes)
            hint = tr("no place of {shapes} covers just these cells", shapes=shapes)
        if self.is_function(tree.name):
            hint = tr("write `{tree}(...)`: what it is asked of stands in brackets", tree=tree.name)
        if tree.name in self.body.renamed:
            hint = tr("this clause calls it `{own}`", own=self.body.renamed[tree.name][1])
        hint = self.parameter_of_type(tree.name) or hint
        hint = (
            hint
            or self.words_of(expected)
            or self.parameters(tree.name)
            or self.acting_for(tree)
            or BROUGHT_IN
        )
        if tree.name in self.world.types:
            return self.fault(
                Code.TYPE_MISMATCH,
                tree.span,
                tr("`{tree}` is a type, not a value", tree=tree.name),
                hint=tr("to speak of each one write `x in {tree}`", tree=tree.name),
            )
        return self.unknown("name", tree.span, hint=hint, label="unknown name")

    def may_be(self, name: str, expected: AnyType | None) -> bool:
        """Can something of this name stand where a single value of a type is expected? It may be a word for it, too."""
        if not isinstance(expected, Id | Int):
            return True
        world = self.world
        if name in LANGUAGE:
            is_truth = isinstance(expected, Int) and expected.truth
            return expected.optional if name == "none" else is_truth and name in {"true", "false"}
        local = self.body.find(name)
        of: list[AnyType | None] = [None if local is None else local.type]
        of += [world.vars[world.globals[name]].type] if name in world.globals else []
        of += [Id(domain) for domain, _ in world.members.get(name, ())]
        if isinstance(world.types.get(name), Id):
            of.append(world.types[name])
        head = world.callables.get(name)
        if isinstance(head, Value) and head.result == TRUTH and len(head.params) == 1:
            of.append(head.params[0].type)  # `x is ready`
        if head is not None:
            of += [] if isinstance(head, Area | Action) else [getattr(head, "result", None)]
        elif len(of) == 1:
            return True  # a field of its own, or a word of the language
        return any(each is not None and self.is_like(each, expected) for each in of)

    def truths_of(self, expected: AnyType | None) -> list[str]:
        """What may be said with `is` of a member of a type: its fields that are true or false."""
        if not isinstance(expected, Id):
            return []
        domain = self.world.domains[expected.domain]
        types: dict[str, AnyType] = {name: column.type for name, column in self.columns(domain).items()}
        types |= {name: self.world.vars[var].type for name, var in domain.fields.items()}
        return [name for name, type_ in types.items() if type_ == TRUTH]

    def is_like(self, type_: AnyType, expected: Id | Int) -> bool:
        """Is a value of a type one of the expected type, or a word for it?"""
        if not isinstance(type_, Id) or not isinstance(expected, Id):
            return type(type_) is type(expected)
        domain = self.world.domains[expected.domain]
        words = [column.type for column in self.columns(domain).values()]
        words += [self.world.vars[var].type for var in domain.fields.values()]
        meant = {expected.domain, *domain.parts, *(each.domain for each in words if isinstance(each, Id))}
        meant |= {table.domain for table in [self.table_of(domain)] if table}
        return any(
            self.world.is_within(type_.domain, each) or self.world.is_within(each, type_.domain)
            for each in meant
        )

    def words_of(self, expected: AnyType | None) -> str:
        """What can stand where a member of a table or of a `type` is expected."""
        is_listed = isinstance(expected, Id) and self.world.domains[expected.domain].kind in {"row", "enum"}
        return of_type(self.world, expected) if is_listed and expected is not None else ""

    def is_function(self, name: str) -> bool:
        """Is something asked by this name, with brackets?"""
        return False

    def own_names(self) -> list[str]:
        owner = self.body.owner
        if owner is None or not isinstance(owner.type, Id):
            return []
        domain = self.world.domains[owner.type.domain]
        return [*domain.fields, *self.columns(domain)]

    def narrowed(self, expr: ir.Expr, tree: ast.Expr) -> ir.Expr:
        """The expression without its `none`, and as the part of a union, where a test before has said so."""
        return self.as_part(self.without_none(expr, tree), tree)

    def as_part(self, expr: ir.Expr, tree: ast.Expr) -> ir.Expr:
        """A member of a union as what it is known to be: tests have named its part, or ruled out all others."""
        if not isinstance(expr.type, Id) or expr.type.optional:
            return expr
        name = key(tree)
        if not any(fact.startswith(f"{name} is ") for fact in self.body.facts):
            return expr
        left: list[tuple[int, int]] = []
        at = 0
        for part in self.world.domains[expr.type.domain].parts:
            inside = self.world.domains[part]
            table = inside.pool.table if inside.pool else None
            kinds = self.world.domains[table.domain].members if table else []
            if any(f"{name} is {each}" in self.body.facts for each in (inside.name, *kinds)):
                return ir.Op(Id(part), "cast", (expr, number(-at)))
            alone = inside.members[0] if len(inside.members) == 1 and inside.kind == "enum" else inside.name
            names = {inside.name, alone, *(each.name for each in self.world.unions(inside))}
            if not any(f"{name} is not {each}" in self.body.facts for each in names):
                left.append((part, at))
            at += len(inside.members)
        if len(left) == 1:
            return ir.Op(Id(left[0][0]), "cast", (expr, number(-left[0][1])))
        return self.as_smaller_union(expr, expr.type.domain, name, tuple(part for part, _ in left))

    def as_smaller_union(self, expr: ir.Expr, union: int, name: str | None, left: tuple[int, ...]) -> ir.Expr:
        """A member of a union as one of a smaller one, which tests have named, or whose parts alone are left."""
        for each in self.world.parts(self.world.domains[union]):
            at = self.world.offset(each.id, union)
            is_named = f"{name} is {each.name}" in self.body.facts or each.parts == left
            if (
                each.parts
                and len(each.parts) < len(self.world.domains[union].parts)
                and at is not None
                and is_named
            ):
                return ir.Op(Id(each.id), "cast", (expr, number(-at)))
        return expr

    def without_none(self, expr: ir.Expr, tree: ast.Expr) -> ir.Expr:
        if found := as_ratio(expr):
            return ratio(self.without_none(found.of, tree), found.type.parts)
        if isinstance(expr.type, Int | Id) and expr.type.optional and key(tree) in self.body.facts:
            present: Type = (
                Id(expr.type.domain)
                if isinstance(expr.type, Id)
                else Int(expr.type.low, expr.type.high, truth=expr.type.truth)
            )
            return ir.Op(present, "some", (expr,))
        return expr

    def load(self, var: int, owner: ir.Expr | None) -> ir.Expr:
        return ir.Load(self.world.vars[var].type, var, owner)

    # ------------------------------------------------------------ members

    def member(self, tree: ast.Member) -> ir.Expr:
        of = self.expr(tree.of)
        if not known(of):
            return BAD
        if isinstance(of.type, Record):
            return self.record_field(of, of.type, tree)
        if not isinstance(of.type, Id):
            shown, text = self.world.show(of.type), tree.of.span.text
            of_each = f"({text})" if " " in text and not text.startswith("{") else text
            hint = ""
            if isinstance(of.type, SetOf | ListOf | BagOf):
                hint = tr(
                    "ask one or each of them: `first x in {of_each} where ...`, `any x in {of_each} where "
                    "x.{field} ...`",
                    of_each=of_each,
                    field=tree.name.text,
                )
            return self.unknown(
                "field",
                tree.name.span,
                tr("{shown} has no field `{tree}`", shown=shown, tree=tree.name.text),
                of=shown,
                hint=hint,
            )
        of = self.present(of, tree.of.span)
        if not known(of):
            return BAD
        found = self.field(of, tree.name.text, tree.name.span)
        if found is not None:
            return self.narrowed(found, tree)
        assert isinstance(of.type, Id)
        domain = self.world.domains[of.type.domain]
        names = [*domain.fields, *self.columns(domain), *(["kind"] if domain.pool else [])]
        names += [field for union in self.world.unions(domain) for field in union.fields]
        for part in domain.parts:
            names += [*self.world.domains[part].fields, *self.columns(self.world.domains[part])]
        if pieces := [each for each in self.pieces_of(domain) if self.has_field(each, tree.name.text)]:
            row, field = tree.of.span.text, tree.name.text
            return self.fault(
                Code.UNKNOWN_NAME,
                tree.name.span,
                tr(
                    "`{row}` is a row of the table `{domain}` here, and `{field}` is a field of its pieces",
                    row=row,
                    domain=domain.name,
                    field=field,
                ),
                hint=tr(
                    "ask for the piece: `any x in {pieces} where x is {row} and x.{field} ...`; in a test "
                    "it is `{row} at` its place",
                    pieces=pieces[0].name,
                    row=row,
                    field=field,
                ),
            )
        hint = field_or_new(self.world.reporter, domain, tree.name.text, names)
        if foreign.is_around(tree.name.text) and domain.kind == "cell":
            hint = tr("write `around({of})`", of=tree.of.span.text)
        if tree.name.text == "opponent" and domain.id == 0:
            hint = tr("write `opponent({of})`", of=tree.of.span.text)
        asked = self.world.callables.get(tree.name.text)
        if isinstance(asked, Value) and len(asked.params) == 1:
            of_one = asked.params[0].type
            if isinstance(of_one, Id) and self.world.is_within(domain.id, of_one.domain):
                name, thing = tree.name.text, tree.of.span.text
                hint = tr("`{name}` is a value: write `{name}({thing})`", name=name, thing=thing)
        if tree.name.text == "at" and domain.kind == "cell":
            hint = tr("`{of}` is a cell itself: leave out `.at`", of=tree.of.span.text)
        return self.unknown(
            "field",
            tree.name.span,
            tr("{domain} has no field or column `{tree}`", domain=domain.name, tree=tree.name.text),
            of=domain.name,
            hint=hint,
        )

    def pieces_of(self, domain: Domain) -> list[Domain]:
        """The types of pieces whose kinds are the rows of a table."""
        if domain.kind != "row" or domain.table is None:
            return []
        return [each for each in self.world.domains if each.pool and each.pool.table is domain.table]

    def pieces_of_kinds(self, type_: AnyType) -> list[Domain]:
        """The types of pieces whose kinds a value may be: mostly one for a row, several for a member of a union of
        tables, each of which has pieces; none otherwise.
        """
        found: list[Domain] = []
        for part in self.world.parts_of(type_):
            pools = [(each, each.pool.table) for each in self.world.domains if each.pool and each.pool.table]
            own = [each for each, table in pools if table.domain == part]
            if not own:
                return []
            found += own
        return found

    def lacks_pieces(self, type_: AnyType, name: str) -> str:
        """Of a value that may be of several types what to do where not all of them are kinds of pieces."""
        parts = [self.world.domains[each] for each in self.world.parts_of(type_)]
        placed = [each.name for each in parts if self.pieces_of_kinds(Id(each.id))]
        other = next((each.name for each in parts if each.name not in placed), "")
        if not placed or not other:
            return ""
        return tr(
            "it may be a {other}, of which there are no pieces: ask first, `if {name} is {placed}:`",
            other=other,
            name=name,
            placed=placed[0],
        )

    def has_field(self, pieces: Domain, name: str) -> bool:
        """Have pieces a field of this name, of their own or of a union that they are in?"""
        return name in pieces.fields or any(name in union.fields for union in self.world.unions(pieces))

    def record_field(self, of: ir.Expr, type_: Record, tree: ast.Member) -> ir.Expr:
        if tree.name.text not in type_.names:
            hint = near_or_all(self.world.reporter, tree.name.text, type_.names, "it has")
            return self.unknown("field", tree.name.span, hint=hint)
        index = type_.names.index(tree.name.text)
        return self.narrowed(ir.Op(type_.types[index], "field", (of, number(index))), tree)

    def columns(self, domain: Domain) -> dict[str, Column]:
        table = self.table_of(domain)
        return table.columns if table else {}

    def table_of(self, domain: Domain) -> Table | None:
        return domain.pool.table if domain.pool else domain.table

    def field(self, of: ir.Expr, name: str, span: Span) -> ir.Expr | None:
        """A field or printed column of a member of a domain; of a union, what all its parts have."""
        of = self.having(of, name)
        if not isinstance(of.type, Id):
            return None
        domain = self.world.domains[of.type.domain]
        if name in domain.fields:
            return self.load(domain.fields[name], of)
        if domain.pool and name == "kind" and domain.pool.table:
            return self.kind_of(of, domain)
        columns = self.columns(domain)
        if name in columns:
            row = self.kind_of(of, domain) if domain.pool else of
            return self.column(columns[name], row)
        union = self.world.union_with(domain, name)
        if union is not None:
            member = self.converted(of, Id(union.id), span)
            assert member is not None
            return self.load(union.fields[name], member)
        if domain.parts:
            return self.common_field(of, domain, name, span)
        return None

    def kind_of(self, of: ir.Expr, domain: Domain) -> ir.Expr:
        assert domain.pool and domain.pool.table and domain.pool.kind_data is not None
        if domain.pool.kind_var is not None:
            return ir.Load(Id(domain.pool.table.domain), domain.pool.kind_var, of)
        return ir.Lookup(Id(domain.pool.table.domain), domain.pool.kind_data, (of,))

    def column(self, column: Column, row: ir.Expr) -> ir.Expr:
        if isinstance(column.type, Unknown):
            return BAD
        type_ = counted_in(column.type)
        if column.value is not None:
            return wrapped(ir.Ask(type_, column.value, (row,)), column.type)
        args = (self.world.mode_now(), row) if column.by_mode else (row,)
        return wrapped(ir.Lookup(type_, column.data, args), column.type)

    def common_field(self, of: ir.Expr, domain: Domain, name: str, span: Span) -> ir.Expr | None:
        """A field that the parts of a union share: read from the part that the member belongs to."""
        branches = self.by_part(of, domain, name, span)
        at = branches[-1][0]
        found = [expr for _, expr in branches if expr is not None]
        if not found:
            return None
        if not all(known(expr) for expr in found):
            return BAD
        result = branches[-1][1] or self.nothing(found[0].type)
        for limit, branch in reversed(branches[:-1]):
            here = branch or self.nothing(found[0].type)
            here, result = self.as_one_union(here, result, span)
            test = ir.Op(TRUTH, "lt", (ir.Op(Int(0, at - 1), "id", (of,)), number(limit)))
            one, two, type_ = self.join(here, result, span)
            result = self.branching(test, one, two, type_)
        return result

    def by_part(self, of: ir.Expr, domain: Domain, name: str, span: Span) -> list[tuple[int, ir.Expr | None]]:
        """A field of each part of a union, none where it has none; with the number behind the part's last member."""
        branches: list[tuple[int, ir.Expr | None]] = []
        at = 0
        for part in domain.parts:
            size = len(self.world.domains[part].members)
            inner = ir.Op(Id(part), "cast", (of, number(-at)))
            branches.append((at + size, self.field(inner, name, span)))
            at += size
        return branches

    def as_one_union(self, one: ir.Expr, two: ir.Expr, span: Span) -> tuple[ir.Expr, ir.Expr]:
        """Rows or pieces of two types, such as the kinds of two sorts of pieces, as members of a union of both, where
        the game declares one.
        """
        types = [each.type for each in (one, two)]
        if not all(isinstance(each, Id) for each in types) or not known(one) or not known(two):
            return one, two
        domains = [each.domain for each in types if isinstance(each, Id)]
        within = self.world.is_within
        if within(domains[0], domains[1]) or within(domains[1], domains[0]):
            return one, two
        unions = [each for each in self.world.domains if all(within(other, each.id) for other in domains)]
        if not unions:
            names = [self.world.domains[each].name for each in domains]
            message = tr("these do not go together: {names}", names=" and ".join(names))
            hint = tr("a type of both makes one of them: `type Something = {names}`", names=" | ".join(names))
            if any(self.world.domains[each].kind in {"cell", "shape"} for each in domains):
                hint = (
                    "ask first which of them it is, `if t is Unit: ... t.at ...`, or ask the thing itself, wherever it "
                    "stands: `cells(t)`, `around(t)`, `distance(t, c)`, `c in cells(t)`"
                )
            return self.fault(Code.TYPE_MISMATCH, span, message, hint=hint), BAD
        union = min(unions, key=lambda each: len(each.parts))
        found = []
        for each in (one, two):
            assert isinstance(each.type, Id)
            wide = self.converted(each, Id(union.id, optional=each.type.optional), span)
            assert wide is not None
            found.append(wide)
        return found[0], found[1]

    def nothing(self, type_: Type) -> ir.Expr:
        if as_fraction(type_):
            return wrapped(self.nothing(counted_in(type_)), type_)
        match type_:
            case Int(low=low, high=high, truth=truth):
                return ir.Const(Int(low, high, optional=True, truth=truth), NONE)
            case Id(domain=domain):
                return ir.Const(Id(domain, optional=True), NONE)
            case BagOf(domain=domain):
                return ir.Const(type_, tuple([0] * len(self.world.domains[domain].members)))
            case ListOf() | Record():
                return ir.Const(type_, ())
            case SetOf():
                return ir.Const(type_, 0)
            case _:
                assert_never(type_)
