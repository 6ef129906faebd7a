"""Several things at once: elements and counts, what braces hold, and what can be ranged over."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.holders import inside
from dsl.elaborate.bodies.names import Names
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.rewrite import map_expr
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, SetOf
from dsl.lower.ir_builder import conjunction, number, replace_type
from dsl.resolve.bounds import sized
from dsl.resolve.holdings import holdings_of
from dsl.resolve.kinds import AnyType, Unknown
from dsl.resolve.symbols import Domain
from dsl.source import Span
from dsl.syntax import ast


class Ranges(Names):
    """Elaborates indices, braces and the sets that a phrase ranges over."""

    # ------------------------------------------------------------ indices, braces

    def index(self, tree: ast.Index) -> ir.Expr:
        if isinstance(tree.of, ast.NameExpr) and tree.of.name in self.body.secrets:
            return self.secret(tree.of.name, tree.key)
        of = self.expr(tree.of)
        if not known(of):
            return BAD
        match of.type:
            case BagOf(domain=domain, limit=limit):
                item = self.coerce(self.expr(tree.key, Id(domain)), Id(domain), tree.key.span)
                if not known(item):
                    return BAD
                if isinstance(of, ir.Load):
                    return ir.LoadItem(Int(0, limit), of.var, of.owner, item)
                return ir.Op(Int(0, limit), "bag_get", (of, item))
            case ListOf(of=element, limit=limit):
                back = self.place_in(tree, limit, "a list")
                return (
                    BAD if back is None or isinstance(element, SetOf) else ir.Op(element, "item", (of, back))
                )
            case Id(domain=domain) if self.world.domains[domain].kind == "pile":
                return self.card_at(tree, of)
            case _:
                shown = self.world.show(of.type)
                return self.fault(
                    Code.TYPE_MISMATCH,
                    tree.span,
                    tr("only bags, lists and piles have an index, this is {shown}", shown=shown),
                    hint="what is in a set is asked with `in`" if isinstance(of.type, SetOf) else "",
                )

    def place_in(self, tree: ast.Index, limit: int, what: str) -> ir.Expr | None:
        """The place, from 0, that an index from 1 means; none where it lies outside whatever is played."""
        at = self.whole(tree.key)
        if not known(at):
            return None
        assert isinstance(at.type, Int)
        low, high = at.type.low, at.type.high
        if high < 1 or low > limit:
            shown = f"{low}" if low == high else f"{low}..{high}"
            message = tr(
                "{what} begins with number 1 and has {limit} elements at most: there is no number {shown}",
                what=what,
                limit=limit,
                shown=shown,
            )
            hint = "the first is `[1]`; the last one of `xs` is `xs[length(xs)]`" if high < 1 else ""
            self.fault(Code.OUT_OF_RANGE, tree.key.span, message, hint=hint)
            return None
        return ir.Op(Int(low - 1, high - 1), "sub", (at, number(1)))

    def card_at(self, tree: ast.Index, pile: ir.Expr) -> ir.Expr:
        """A card of a pile by its number from the top; play fails where there are fewer."""
        cards = self.cards_in(pile)
        assert isinstance(cards.type, SetOf) and isinstance(cards.type.of, Id)
        domain = self.world.domains[cards.type.of.domain]
        assert domain.pool is not None and domain.pool.order is not None
        back = self.place_in(tree, len(domain.members), "a pile")
        if back is None:
            return BAD
        kept, card = self.body.new(back.type), self.body.new(cards.type.of)
        there = ir.Op(TRUTH, "eq", (self.load(domain.pool.order, card), kept))
        found = ir.Fold(Id(domain.id, optional=True), "first", card.index, cards, there, None)
        return ir.LetIn(Id(domain.id), kept.index, back, ir.Op(Id(domain.id), "some", (found,)))

    def secret(self, name: str, who: ast.Expr) -> ir.Expr:
        """The answer that one of several secret choosers gave."""
        pairs = self.body.secrets[name]
        chooser = self.expr(who, pairs[0][0].type)
        if not known(chooser):
            return BAD
        result = pairs[-1][1]
        for other, answer in reversed(pairs[:-1]):
            one, two, _ = self.join(chooser, other, who.span)
            result = ir.Op(result.type, "if", (ir.Op(TRUTH, "eq", (one, two)), answer, result))
        return result

    def braces(self, tree: ast.Braces, expected: AnyType | None) -> ir.Expr:
        if any(isinstance(item, ast.Amount) for item in tree.items) or isinstance(expected, BagOf):
            return self.bag(tree, expected)
        if not tree.items:
            return self.empty(expected)
        items: list[ir.Expr] = []
        element = expected.of if isinstance(expected, SetOf) else None
        for item in tree.items:
            assert not isinstance(item, ast.Amount)
            items.append(self.as_member(self.scalar(item, element), element, item.span))
        if not all(known(item) for item in items):
            return BAD
        return self.set_of(items, tree)

    def set_of(self, items: list[ir.Expr], tree: ast.Braces) -> ir.Expr:
        first = items[0].type
        if isinstance(first, Int):
            ranges = [item.type for item in items if isinstance(item.type, Int)]
            first = Int(
                min(each.low for each in ranges), max(each.high for each in ranges), truth=first.truth
            )
        if not isinstance(first, Int | Id):
            return self.fault(Code.TYPE_MISMATCH, tree.span, "a set holds single values")
        if not sized(self.world, first, tree.span):
            return BAD
        type_ = SetOf(first)
        pairs = zip(items, tree.items, strict=True)
        same = [self.coerce(item, first, part.span) for item, part in pairs]
        if not all(known(item) for item in same):
            return BAD
        low = self.world.low(first)
        if all(isinstance(item, ir.Const) for item in same):
            return ir.Const(
                type_,
                sum(
                    {
                        1 << (item.value - low)
                        for item in same
                        if isinstance(item, ir.Const) and isinstance(item.value, int)
                    }
                ),
            )
        result: ir.Expr = ir.Op(type_, "single", (same[0],))
        for item in same[1:]:
            result = ir.Op(type_, "union", (result, ir.Op(type_, "single", (item,))))
        return result

    def bag(self, tree: ast.Braces, expected: AnyType | None) -> ir.Expr:
        """A bag written out: a constant, and for each name that holds a member a bag of that alone."""
        domain = expected.domain if isinstance(expected, BagOf) else None
        limit = expected.limit if isinstance(expected, BagOf) else 255
        counts: dict[int, int] = {}
        held: list[tuple[ir.Expr, int]] = []
        for item in tree.items:
            name = (
                item.name.text
                if isinstance(item, ast.Amount)
                else item.name
                if isinstance(item, ast.NameExpr)
                else ""
            )
            count = item.count if isinstance(item, ast.Amount) else 1
            if self.body.find(name) is not None or name in self.world.globals:
                span = item.name.span if isinstance(item, ast.Amount) else item.span
                one = self.member_held(name, span, domain)
                if one is None:
                    return BAD
                domain = one[1]
                held.append((one[0], count))
                continue
            if domain is None:
                found = [each for each, _ in self.world.members.get(name, [])]
                domain = found[0] if found else None
            index = self.world.domains[domain].index.get(name) if domain is not None else None
            if index is None:
                members = (
                    self.world.domains[domain].members if domain is not None else self.world.known_names()
                )
                return self.unknown("name", item.span, name=name, hint=self.world.nearest(name, members))
            counts[index] = counts.get(index, 0) + count
        assert domain is not None
        if any(count > limit for count in (*counts.values(), *(count for _, count in held))):
            return self.fault(Code.OUT_OF_RANGE, tree.span, tr("a count is more than {limit}", limit=limit))
        size = len(self.world.domains[domain].members)
        written = tuple(counts.get(number, 0) for number in range(size))
        if not held:
            return ir.Const(BagOf(domain, limit), written)
        several: list[tuple[ir.Expr, int]] = []
        if counts:
            most = max(written)
            several.append((ir.Const(BagOf(domain, most), written), most))
        for member, count in held:
            nothing = ir.Const(BagOf(domain, count), (0,) * size)
            several.append((ir.Op(nothing.type, "bag_put", (nothing, member, number(count))), count))
        result, most = several[0]
        for each, more in several[1:]:
            most += more
            result = ir.Op(BagOf(domain, most), "bag_add", (result, each))
        return result

    def member_held(self, name: str, span: Span, domain: int | None) -> tuple[ir.Expr, int] | None:
        """The member that a name holds, and of which type; none, after a fault, where it holds anything else."""
        found = self.expr(ast.NameExpr(name, span=span))
        if not known(found):
            return None
        found = self.present(found, span) if isinstance(found.type, Id) and found.type.optional else found
        if not known(found):
            return None
        if domain is not None:
            found = self.coerce(found, Id(domain), span)
            return (found, domain) if known(found) else None
        if not isinstance(found.type, Id):
            shown = self.world.show(found.type)
            self.fault(
                Code.TYPE_MISMATCH,
                span,
                tr("a bag counts the members of a type, this is {shown}", shown=shown),
            )
            return None
        return found, found.type.domain

    # ------------------------------------------------------------ what can be ranged over

    def domain(self, tree: ast.Expr, expected: AnyType | None = None) -> ir.Expr:
        """A set or list to range over: of a type, all its members (of pieces, those in play)."""
        if (
            isinstance(tree, ast.NameExpr)
            and self.body.find(tree.name) is None
            and tree.name in self.world.types
        ):
            return self.all_of(self.world.types[tree.name])
        found = self.standing(tree) if isinstance(tree, ast.Located) else self.expr(tree, expected)
        if not known(found):
            return BAD
        match found.type:
            case SetOf() | ListOf():
                return found
            case Id(optional=True, domain=domain) if holdings_of(self.world, domain):
                return self.itself_or_contents(tree)
            case Int(optional=True) | Id(optional=True):
                return self.at_most_one(found, found.type)
            case BagOf(domain=domain):
                return ir.Op(SetOf(Id(domain)), "bag_set", (found,))
            case Id(domain=domain) if self.world.domains[domain].kind == "pile":
                return self.cards_in(found)
            case Id() if (held := inside(self, found, tree.span)) is not None:
                return held
            case _:
                shown = self.world.show(found.type)
                hint = tr("write a type, a set, a list or a range `1..6`")
                if pieces := self.pieces_of_kinds(found.type):
                    hint = tr(
                        "for the pieces of that kind write `x in {pieces} where x.kind is {kind}`",
                        pieces=pieces[0].name,
                        kind=tree.span.text,
                    )
                message = tr("there is nothing to range over in {shown}", shown=shown)
                return self.fault(Code.TYPE_MISMATCH, tree.span, message, hint=hint)

    def itself_or_contents(self, tree: ast.Expr) -> ir.Expr:
        """A holder that may be none: it could be meant itself, or what is in it."""
        written = tree.span.text
        return self.fault(
            Code.AMBIGUOUS_NAME,
            tree.span,
            tr(
                "`{written}` may be none, and something may be in it: which of them is ranged over?",
                written=written,
            ),
            hint=tr(
                "for what is in it write `if {written} is not none:` before; for itself ask `x is {written}`",
                written=written,
            ),
        )

    def standing(self, tree: ast.Located) -> ir.Expr:
        """All pieces of a kind at a place."""
        raise NotImplementedError

    def all_of(self, type_: AnyType) -> ir.Expr:
        match type_:
            case Unknown():
                return BAD
            case Int(low=low, high=high):
                return ir.Const(SetOf(Int(low, high, truth=type_.truth)), (1 << (high - low + 1)) - 1)
            case Id(domain=domain):
                return self.members(domain)
            case _:
                return BAD

    def members(self, domain: int) -> ir.Expr:
        found = self.world.domains[domain]
        type_ = SetOf(Id(domain))
        if found.pool:
            return ir.Load(type_, found.pool.in_play, None)
        if any(where is not None for where in found.where):
            return self.by_mode(found, type_)
        if domain == 0 and self.world.seats is not None:
            return ir.Load(type_, self.world.seats)
        if not any(self.world.domains[part].pool or part == 0 for part in found.parts):
            return ir.Const(type_, (1 << len(found.members)) - 1)
        result: ir.Expr = ir.Const(type_, 0)
        for part in found.parts:
            inner = self.set_to(self.members(part), SetOf(Id(part)), type_)
            assert inner is not None
            result = ir.Op(type_, "union", (result, inner))
        return result

    def by_mode(self, domain: Domain, type_: SetOf) -> ir.Expr:
        """The rows that are there in the mode that is played."""
        modes = self.world.modes
        masks = tuple(
            sum(1 << row for row, where in enumerate(domain.where) if mode in modes.every(where))
            for mode in modes.names
        )
        name = f"{domain.name} by mode"
        known = [index for index, data in enumerate(self.world.data) if data.name == name]
        data = known[0] if known else self.world.add_data(pr.Data(name, type_, ((0, len(masks)),), masks))
        return ir.Lookup(type_, data, (self.world.mode_now(),))

    def all_pieces(self, domain: Domain) -> ir.Expr:
        """The pieces of a type, whether they are in play or not: those whose kind there is in this mode."""
        assert domain.pool is not None
        type_ = SetOf(Id(domain.id))
        table = domain.pool.table
        kinds = self.world.domains[table.domain].where if table else []
        if all(where is None for where in kinds):
            return ir.Const(type_, (1 << len(domain.members)) - 1)
        modes = self.world.modes
        masks = tuple(
            sum(
                1 << piece for piece, kind in enumerate(domain.pool.kinds) if mode in modes.every(kinds[kind])
            )
            for mode in modes.names
        )
        name = f"{domain.name} by mode"
        known = [index for index, data in enumerate(self.world.data) if data.name == name]
        data = known[0] if known else self.world.add_data(pr.Data(name, type_, ((0, len(masks)),), masks))
        return ir.Lookup(type_, data, (self.world.mode_now(),))

    def supplied(self, domain: Domain, *, at_first: bool = False) -> ir.Expr:
        """The pieces that are left to place; of cards those that lie in no pile and stand nowhere, nor in a piece.

        With `at_first`, also those in the pile in which all lie when the game begins.
        """
        pool = domain.pool
        assert pool is not None
        type_ = SetOf(Id(domain.id))
        everything = self.all_pieces(domain)
        out = ir.Load(type_, pool.out, None)
        if pool.pile is None:
            taken = ir.Op(type_, "union", (self.members(domain.id), out))
            return ir.Op(type_, "minus", (everything, taken))
        card = self.body.new(Id(domain.id))
        pile = self.load(pool.pile, card)
        tests: list[ir.Expr] = [ir.Op(TRUTH, "is_none", (pile,))]
        begun = self.world.vars[pool.pile].initial
        if at_first and begun is not None:
            there = map_expr(
                begun, lambda node: card if isinstance(node, ir.Local) and node.index == 0 else node
            )
            tests = [ir.Op(TRUTH, "or", (tests[0], ir.Op(TRUTH, "eq", (pile, there))))]
        for name in ("at", "in"):
            place = self.load(domain.fields[name], card) if name in domain.fields else None
            if place is not None and isinstance(place.type, Int | Id) and place.type.optional:
                tests.append(ir.Op(TRUTH, "is_none", (place,)))
        left = ir.Op(type_, "minus", (everything, out))
        return ir.Fold(type_, "all", card.index, left, conjunction(tests), None)

    def cards_in(self, pile: ir.Expr) -> ir.Expr:
        """The cards of a pile, as a set."""
        assert isinstance(pile.type, Id)
        pool = next(d.pool for d in self.world.domains if d.pool and d.pool.pile_domain == pile.type.domain)
        assert pool.pile is not None
        card = self.body.new(Id(pool.domain))
        there = ir.Load(Id(pile.type.domain, optional=True), pool.pile, card)
        everything = ir.Const(SetOf(Id(pool.domain)), (1 << len(self.world.domains[pool.domain].members)) - 1)
        test = ir.Op(TRUTH, "eq", (there, replace_type(pile, Id(pile.type.domain, optional=True))))
        return ir.Fold(SetOf(Id(pool.domain)), "all", card.index, everything, test, None)

    def from_the_top(self, domain: ir.Expr, cards: ir.Expr) -> ir.Expr:
        """What a loop over a domain goes through, of which `cards` are meant: of what lies in a pile a list, the top
        card first; of anything else what it is.
        """
        if not isinstance(cards.type, SetOf) or not isinstance(cards.type.of, Id):
            return cards
        card = self.body.new(cards.type.of)
        depth = self.depth_in(domain, card)
        if depth is None:
            return cards
        line = ListOf(cards.type.of, len(self.world.domains[cards.type.of.domain].members))
        return ir.Fold(line, "ordered", card.index, cards, None, depth)

    def depth_in(self, domain: ir.Expr, card: ir.Expr) -> ir.Expr | None:
        """How deep a card lies (0 is on top), where a domain is all that lies in a pile (`cards_in`); else none."""
        match domain:
            case ir.Fold(kind="all", domain=ir.Const(), where=ir.Op(op="eq", args=(ir.Load(var=var), _))):
                pool = next(
                    (each.pool for each in self.world.domains if each.pool and each.pool.pile == var), None
                )
                return None if pool is None or pool.order is None else self.load(pool.order, card)
            case _:
                return None
