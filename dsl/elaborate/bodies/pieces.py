"""Pieces and cards: placed from the supply, taken away, drawn, shuffled, moved; and things that happen together."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.batches import batch
from dsl.elaborate.bodies.holders import out_of_holder, reads_left
from dsl.elaborate.bodies.placing import Placing
from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, Int, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, negation, number
from dsl.resolve import symbols as w
from dsl.syntax import ast


class Pieces(Placing):
    """Elaborates what moves pieces and cards. The mixin's other half is `Statements`."""

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
        self.world.depends_on_bodies()
        key = (domain.id, for_ever, self.world.leaf == domain.id)
        if key not in self.world.retirements:
            self.world.procedures.append(None)
            self.world.retirements[key] = len(self.world.procedures) - 1
        return self.world.retirements[key]

    # ------------------------------------------------------------ cards

    def pile_of(self, tree: ast.Expr, moved: ast.Expr | None = None) -> tuple[ir.Expr, w.Domain] | None:
        """A pile with the pieces that it is of; `moved` is what a rule would put there."""
        found = self.scalar(tree)
        if not known(found):
            return None
        if isinstance(found.type, Id):
            for domain in self.world.domains:
                if domain.pool and domain.pool.pile_domain == found.type.domain:
                    return found, domain
        hint = tr("write a pile's name, such as `deck` or `hand(p)`")
        is_cell = isinstance(found.type, Id) and self.world.domains[found.type.domain].kind == "cell"
        if moved is not None and is_cell:
            hint = tr(
                "to put a piece on a cell write `{moved}.at = {cell}`",
                moved=moved.span.text,
                cell=tree.span.text,
            )
        self.fault(Code.TYPE_MISMATCH, tree.span, "this is no pile", hint=hint)
        return None

    def move(self, tree: ast.Move) -> None:
        target = self.pile_of(tree.pile, tree.card)
        if target is None:
            return
        pile, domain = target
        card = self.coerce(self.scalar(tree.card, Id(domain.id)), Id(domain.id), tree.card.span)
        if known(card):
            if reads_left(self.stmts, domain, None, (card, pile)):
                card, pile = self.stmts.kept((card, pile))  # which card goes where is read before it leaves
            leaving = out_of_holder(self.stmts, domain, card, tree.span)
            self.stmts.code.add(*leaving)
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
