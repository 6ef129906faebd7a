"""Comparisons: `is`, `<`, `in`, `has`, and the words that stand for a column."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Meant
from dsl.elaborate.bodies.facts import key
from dsl.elaborate.bodies.membership import Membership
from dsl.elaborate.bodies.ratios import as_ratio, bare
from dsl.elaborate.bodies.scope import BAD, BIGGEST, known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, SetOf
from dsl.lower.ir_builder import TRUE, negation, number
from dsl.resolve.comparison_notes import Decided, decide
from dsl.resolve.symbols import Domain, Value
from dsl.syntax import ast

STANDING = {"gone": "is out of play", "out": "is out of the game"}
"""What the language itself says of pieces and players."""
ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Comparisons(Membership):
    """Elaborates comparisons, and what a word says of a thing."""

    def equal(self, tree: ast.Binary) -> ir.Expr:
        if isinstance(tree.right, ast.NoneExpr):
            return self.is_none(tree)
        left = self.left_of(tree)
        if not known(left):
            if not isinstance(
                tree.right, ast.NameExpr | ast.Braces
            ):  # what it names may be lost with the left
                self.expr(tree.right)
            return BAD
        special = self.is_word(left, tree)
        if special is not None:
            return special
        right = self.expr(tree.right, left.type)
        if not known(right):
            return BAD
        if self.is_piece_and_kind(left, right, tree):
            return BAD
        if hint := self.of_no_set(left, right, tree):
            shown = tr(
                "{type} and {type2}", type=self.world.show(left.type), type2=self.world.show(right.type)
            )
            message = tr("these do not go together: {shown}", shown=shown)
            return self.fault(Code.TYPE_MISMATCH, tree.span, message, hint=hint)
        one, two, _ = self.of_two_unions(left, right) or self.join(left, right, tree.span)
        if not known(one):
            return BAD
        one, two = bare(one), bare(two)
        if all(isinstance(side.type, Int | Id) and side.type.optional for side in (bare(left), bare(right))):
            self.world.proofs.discard(tree.span)  # none is the same as none
        else:
            self.world.proofs.add(tree.span)
        self.note_comparison(tree, left, right)
        return ir.Op(TRUTH, "eq", (one, two))

    def of_no_set(self, left: ir.Expr, right: ir.Expr, tree: ast.Binary) -> str:
        """What to write where one thing is compared as several are: a number with a range, a cell with `empty`."""
        if not isinstance(left.type, Int | Id) or not isinstance(right.type, SetOf):
            return ""
        asked = tree.left.span.text
        if isinstance(left.type, Int) and isinstance(tree.right, ast.Range):
            return tr("write `{asked} in {range}`", asked=asked, range=tree.right.span.text)
        is_cell = isinstance(left.type, Id) and self.world.domains[left.type.domain].kind == "cell"
        pieces = next((each.name for each in self.world.domains if each.pool and "at" in each.fields), None)
        if (
            is_cell
            and pieces is not None
            and isinstance(tree.right, ast.NameExpr)
            and tree.right.name == "empty"
        ):
            return tr(
                "whether nothing stands there is `no x in {pieces} at {asked}`", pieces=pieces, asked=asked
            )
        return ""

    def of_two_unions(self, left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr, Int] | None:
        """Members of two unions that share some parts, each with others of its own, as numbers that can be compared."""
        if not isinstance(left.type, Id) or not isinstance(right.type, Id):
            return None
        one, two = (set(self.world.domains[each].parts) for each in (left.type.domain, right.type.domain))
        if not one & two or one <= two or two <= one:
            return None
        bases, size = {}, 0
        for part in sorted(one | two):
            bases[part] = size
            size += len(self.world.domains[part].members)
        optional = left.type.optional or right.type.optional
        type_ = Int(0, size - 1, optional=optional)
        found = []
        for side in (left, right):
            assert isinstance(side.type, Id)
            own = {part: bases[part] for part in self.world.domains[side.type.domain].parts}
            found.append(self.moved(side, side.type, type_, own))
        return found[0], found[1], type_

    def is_piece_and_kind(self, left: ir.Expr, right: ir.Expr, tree: ast.Binary) -> bool:
        """Tells of a piece that is compared with a variable that holds a kind."""
        for piece, kind, of in ((left, right, tree.left), (right, left, tree.right)):
            if not isinstance(piece.type, Id) or not isinstance(kind.type, Id):
                continue
            domain = self.world.domains[piece.type.domain]
            if domain.pool and domain.pool.table and domain.pool.table.domain == kind.type.domain:
                of_kind = f"{of.span.text}.kind"
                other = tree.right if of is tree.left else tree.left
                self.fault(
                    Code.TYPE_MISMATCH,
                    of.span,
                    tr(
                        "`{of}` is a {domain}, and `{other}` one of its kinds",
                        of=of.span.text,
                        domain=domain.name,
                        other=other.span.text,
                    ),
                    label=tr("this is a {domain}", domain=domain.name),
                    hint=Meant(of.span.text, of_kind, is_clear=True),
                )
                return True
        return False

    def left_of(self, tree: ast.Binary) -> ir.Expr:
        """The left side; a bare member that several types share is understood from the right side."""
        left = tree.left
        ambiguous = (
            isinstance(left, ast.NameExpr)
            and self.body.find(left.name) is None
            and left.name not in self.world.globals
            and len(self.world.members.get(left.name, [])) > 1
        )
        if ambiguous or isinstance(left, ast.Tuple):
            right = self.expr(tree.right)
            return self.expr(left, right.type if known(right) else None)
        return self.expr(left)

    def is_none(self, tree: ast.Binary) -> ir.Expr:
        with self.body.inner():
            self.body.facts.discard(key(tree.left) or "")
            apart = self.is_none_apart(tree.left)
            if apart is not None:
                return apart
            left = bare(self.expr(tree.left))
        if not known(left):
            return BAD
        if not (isinstance(left.type, Int | Id) and left.type.optional):
            return self.never_none(left, tree)
        return ir.Op(TRUTH, "is_none", (left,))

    def is_none_apart(self, tree: ast.Expr) -> ir.Expr | None:
        """`t.at is none`, where the parts of a union have places of two types there: each is asked by itself."""
        if not isinstance(tree, ast.Member):
            return None
        of = self.expr(tree.of)
        if not known(of):
            return BAD
        if not isinstance(of.type, Id) or of.type.optional:
            return None
        name = tree.name.text
        of = self.having(of, name)
        assert isinstance(of.type, Id)
        domain = self.world.domains[of.type.domain]
        if not domain.parts or name in domain.fields or self.world.union_with(domain, name) is not None:
            return None
        branches = self.by_part(of, domain, name, tree.name.span)
        types = [each.type for _, each in branches if each is not None]
        held = {each.domain for each in types if isinstance(each, Id) and each.optional}
        if len(held) < 2 or len(types) < len(branches) or not all(isinstance(each, Id) for each in types):
            return None
        if any(all(self.world.is_within(each, wide.id) for each in held) for wide in self.world.domains):
            return None
        size, result = branches[-1][0], negation(TRUE)
        for limit, branch in reversed(branches):
            assert branch is not None
            optional = isinstance(branch.type, Id) and branch.type.optional
            none = ir.Op(TRUTH, "is_none", (bare(branch),)) if optional else negation(TRUE)
            test = ir.Op(TRUTH, "lt", (ir.Op(Int(0, size - 1), "id", (of,)), number(limit)))
            result = none if limit == size else ir.Op(TRUTH, "if", (test, none, result))
        return result

    def never_none(self, left: ir.Expr, tree: ast.Binary) -> ir.Expr:
        """`x is none`, where x is always there: perhaps its declaration lacks a `?`."""
        shown = self.world.show(left.type)
        field = self.world.vars[left.var].field if isinstance(left, ir.Load) else None
        labels: tuple[Label, ...] = ()
        hint = "write only the other case"
        if field is not None and isinstance(left.type, Int | Id):
            labels = (Label(field.type.span, "declared without `?`"),)
            hint = tr(
                "where it may be none, declare it `{field}: {type}?`; else leave this out",
                field=field.name.text,
                type=field.type.span.text,
            )
        message = tr("this is {shown}, it is never none", shown=shown)
        self.world.error(Code.TYPE_MISMATCH, tree.span, message, labels=labels, hint=hint)
        return BAD

    def is_word(self, left: ir.Expr, tree: ast.Binary) -> ir.Expr | None:
        """`t is Unit`, `u is tank`, `t is cavalry`, `set is empty`, `game is over`: forms with a word on the right."""
        right = tree.right
        if not isinstance(right, ast.NameExpr) or self.body.find(right.name) is not None:
            return None
        if right.name == "empty" and isinstance(left.type, SetOf | BagOf | ListOf):
            return self.is_empty(left)
        if not isinstance(left.type, Id):
            return None
        domain = self.world.domains[left.type.domain]
        if domain.kind == "window":
            return None
        if right.name == "empty" and domain.kind == "pile":
            pile = self.present(left, tree.left.span)
            return self.is_empty(self.cards_in(pile)) if known(pile) else BAD
        if right.name in domain.index and domain.kind != "piece":
            return None
        wanted = self.world.types.get(right.name)
        if isinstance(wanted, Id) and self.world.is_within(domain.id, wanted.domain):
            return TRUE
        if isinstance(wanted, Id) and domain.parts:
            shared = [
                each
                for each in self.world.domains[wanted.domain].parts or (wanted.domain,)
                if each in domain.parts
            ]
            if shared:
                return self.in_parts(self.present(left, tree.left.span), shared, domain.id)
        if right.name in STANDING and self.word_fields(domain.id, right.name, sets=False):
            return self.two_meanings(domain, right, tree)
        if right.name == "gone" and self.plays(domain):
            piece = self.present(left, tree.left.span)
            return negation(ir.Op(TRUTH, "has", (self.members(domain.id), piece))) if known(piece) else BAD
        if domain.kind == "player" and right.name == "out":
            return ir.Op(TRUTH, "out", (self.present(left, tree.left.span),))
        if right.name in self.world.globals:
            return None
        return self.of_kind(left, right, tree) or self.tagged(left, right, tree)

    def two_meanings(self, domain: Domain, right: ast.NameExpr, tree: ast.Binary) -> ir.Expr:
        """`u is gone`, where a column or field of u has a word `gone`."""
        field = self.word_fields(domain.id, right.name, sets=False)[0]
        message = tr(
            "`is {right}` asks whether a {domain} {standing}, and `{field}` has that word",
            right=right.name,
            domain=domain.name,
            standing=STANDING[right.name],
            field=field,
        )
        hint = tr(
            "write `{left}.{field} is {right}`, or give that word another name",
            left=tree.left.span.text,
            field=field,
            right=right.name,
        )
        return self.fault(Code.AMBIGUOUS_NAME, tree.span, message, hint=hint)

    def is_empty(self, left: ir.Expr) -> ir.Expr:
        if isinstance(left.type, SetOf):
            return ir.Op(TRUTH, "eq", (left, ir.Const(left.type, 0)))
        op = "bag_size" if isinstance(left.type, BagOf) else "length"
        return ir.Op(TRUTH, "eq", (ir.Op(Int(0, BIGGEST), op, (left,)), number(0)))

    def in_part(self, left: ir.Expr, part: int, union: int) -> ir.Expr:
        offset = self.offset(part, union) or 0
        size = len(self.world.domains[part].members)
        at = ir.Op(Int(0, len(self.world.domains[union].members) - 1), "id", (left,))
        above = ir.Op(TRUTH, "ge", (at, number(offset)))
        below = ir.Op(TRUTH, "lt", (at, number(offset + size)))
        return ir.Op(TRUTH, "and", (above, below))

    def in_parts(self, left: ir.Expr, parts: list[int], union: int) -> ir.Expr:
        """Is a member of a union one of some of its parts?"""
        if not known(left):
            return BAD
        tests = [self.in_part(left, part, union) for part in parts]
        result = tests[0]
        for test in tests[1:]:
            result = ir.Op(TRUTH, "or", (result, test))
        return result

    def of_kind(self, left: ir.Expr, right: ast.NameExpr, tree: ast.Binary) -> ir.Expr | None:
        """`t is barn`, where t is of a union of pieces of several tables, one of which has such a kind."""
        assert isinstance(left.type, Id)
        parts = [self.world.domains[part] for part in self.world.domains[left.type.domain].parts]
        pieces = [part for part in parts if part.pool is not None and part.pool.table is not None]
        tables = {part.pool.table.domain for part in pieces if part.pool and part.pool.table}
        if len(tables) < 2 or not any(right.name in self.world.domains[each].index for each in tables):
            return None
        of = self.present(left, tree.left.span)
        if not known(of):
            return BAD
        result: ir.Expr | None = None
        for part in pieces:
            assert part.pool is not None and part.pool.table is not None
            table = self.world.domains[part.pool.table.domain]
            if right.name in table.index:
                at = self.offset(part.id, left.type.domain) or 0
                kind = self.kind_of(ir.Op(Id(part.id), "cast", (of, number(-at))), part)
                same = ir.Op(TRUTH, "eq", (kind, ir.Const(Id(table.id), table.index[right.name])))
                test = ir.Op(TRUTH, "and", (self.in_part(of, part.id, left.type.domain), same))
                result = test if result is None else ir.Op(TRUTH, "or", (result, test))
        return result

    def tagged(self, left: ir.Expr, right: ast.NameExpr, tree: ast.Binary) -> ir.Expr | None:
        """`x is WORD` where exactly one column or field of x holds words of that type."""
        assert isinstance(left.type, Id)
        found = self.word_fields(left.type.domain, right.name, sets=False)
        if len(found) > 1:
            names = ", ".join(f"`{name}`" for name in found)
            return self.fault(
                Code.AMBIGUOUS_NAME,
                tree.span,
                tr("`{right}` may be meant of {names}", right=right.name, names=names),
                hint=tr(
                    "write which: `{left}.{found} is {right}`",
                    left=tree.left.span.text,
                    found=found[0],
                    right=right.name,
                ),
            )
        if not found and not self.world.knows(right.name) and not self.own_word(left, right):
            return None  # a name that nothing has: that is told, not what it is compared with
        of = self.present(left, tree.left.span)
        if not found:
            return self.adjective(of, right, tree) if known(of) else BAD
        field = self.field(of, found[0], tree.span) if known(of) else None
        if field is None or not isinstance(field.type, Id):
            return BAD
        member = self.expected_member(right.name, Id(field.type.domain))
        assert member is not None
        one, two, _ = self.join(field, member, tree.span)
        return ir.Op(TRUTH, "eq", (one, two)) if known(one) else BAD

    def own_word(self, left: ir.Expr, right: ast.NameExpr) -> bool:
        """Is it a field or column of the thing?"""
        return isinstance(left.type, Id) and self.field(left, right.name, right.span) is not None

    def adjective(self, of: ir.Expr, right: ast.NameExpr, tree: ast.Binary) -> ir.Expr | None:
        """`x is A` where A is a truth that x has, or a value that is a truth of x."""
        field = self.field(of, right.name, tree.span)
        if field is not None and isinstance(field.type, Int) and field.type.truth:
            return ir.Op(TRUTH, "eq", (field, ir.Const(field.type, 1))) if field.type.optional else field
        value = self.world.callables.get(right.name)
        if not isinstance(value, Value) or len(value.params) != 1:
            return None
        param = value.params[0].type
        if not isinstance(param, Id) or not isinstance(of.type, Id):
            return None
        if self.offset(of.type.domain, param.domain) is None:
            return None
        found = self.called(right.name, (tree.left,), right, TRUTH)
        return found if found.type == TRUTH else None

    def ordered(self, tree: ast.Binary) -> ir.Expr:
        """`<` and its like; comparing with none is false."""
        left, right = self.expr(tree.left), self.expr(tree.right)
        if (as_ratio(left) or as_ratio(right)) and known(left) and known(right):
            one, two, _ = self.join(left, right, tree.span)
            return ir.Op(TRUTH, ORDER[tree.op], (bare(one), bare(two))) if known(one) else BAD
        for side, part in ((left, tree.left), (right, tree.right)):
            if known(side) and not (isinstance(side.type, Int) and not side.type.truth):
                shown = self.world.show(side.type)
                return self.fault(
                    Code.TYPE_MISMATCH,
                    part.span,
                    tr("`{op}` compares numbers, this is {shown}", op=tree.op, shown=shown),
                )
        if not known(left) or not known(right):
            return BAD
        self.note_comparison(tree, left, right)
        return ir.Op(TRUTH, ORDER[tree.op], (left, right))

    def note_comparison(self, tree: ast.Binary, left: ir.Expr, right: ir.Expr) -> None:
        """Notes whether the ranges of two numbers decide how they compare (`lints.warn_of_decided`)."""
        one, two = left.type, right.type
        if not (isinstance(one, Int) and isinstance(two, Int)) or one.truth or two.truth:
            return
        holds = decide(tree.op, one, two)
        before = self.world.decided.get(tree.span)
        if holds is None or (tree.span in self.world.decided and (before is None or before.holds != holds)):
            self.world.decided[tree.span] = None
        elif before is None:
            self.world.decided[tree.span] = Decided(tree, holds, one, two)
