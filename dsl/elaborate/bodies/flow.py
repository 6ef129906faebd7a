"""Flow: conditions, loops, `until`, and what leaves them."""

from __future__ import annotations

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.blocks import Blocks, Until
from dsl.elaborate.bodies.scope import known
from dsl.elaborate.bodies.writes import outdated
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, ListOf, SetOf, Type
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, negation, number
from dsl.resolve import symbols as w
from dsl.source import Span
from dsl.syntax import ast


class Flows(Blocks):
    """Elaborates conditions and loops."""

    def filtered(self, domain: ir.Expr, selection: ast.Selection) -> ir.Expr:
        """A domain with its `where`, as one set."""
        if selection.condition is None:
            return domain
        assert isinstance(domain.type, SetOf)
        with self.body.inner():
            local = self.body.new(domain.type.of)
            self.body.bind(selection.name.text, local)
            where = self.truth(selection.condition)
        return ir.Fold(domain.type, "all", local.index, domain, where, None)

    def if_(self, tree: ast.If, at: int) -> None:
        condition, block = tree.branches[at]
        test = self.truth(condition)
        self.world.conditions.setdefault(test, []).append(condition.span)
        self.flush()
        gone = dict(self.watch.gone)
        with self.collecting() as then:
            self.learn(condition, holds=True)
            self.run_block(block)
        gone_then, self.watch.gone = self.watch.gone, gone
        with self.collecting() as other:
            self.learn(condition, holds=False)
            if at + 1 < len(tree.branches):
                self.if_(tree, at + 1)
            elif tree.otherwise:
                self.run_block(tree.otherwise)
        if not self.ends(block):
            for local, causes in gone_then.items():
                self.watch.lose(local, causes)
        self.code.add(mid.MidIf(test, tuple(then.statements), tuple(other.statements)))
        if at == 0 and self.ends(block) and len(tree.branches) == 1 and tree.otherwise is None:
            self.learn(condition, holds=False)

    def ends(self, block: ast.Block) -> bool:
        return bool(block.statements) and isinstance(block.statements[-1], ast.Stop | ast.Return)

    def loop_body(self, block: ast.Block, label: int) -> tuple[mid.Mid, ...]:
        self.flow.loops.append((label, len(self.flow.untils)))
        found = self.block(block)
        self.flow.loops.pop()
        return found

    def for_(self, tree: ast.For) -> None:
        selection = tree.selection
        domain = self.domain(selection.domain)
        if not known(domain):
            return
        assert isinstance(domain.type, SetOf | ListOf)
        label = self.flow.label()
        with self.body.block():
            local = self.body.new(domain.type.of)
            is_set = isinstance(domain.type, SetOf)
            if is_set:
                domain = self.from_the_top(domain, self.filtered(domain, selection))
            self.flush()
            self.body.bind(selection.name.text, local)
            where: ir.Expr = TRUE
            if not is_set:  # its `where` is judged in each round
                self.outdate(self.written(tree.body))
            if selection.condition:
                if not is_set:
                    where = self.truth(selection.condition)
                self.learn(selection.condition, holds=True)
            if is_set:
                self.before_rounds(tree)
            body = self.rounds_of(tree, local, label)
            if where != TRUE:
                body = (mid.MidIf(where, body),)
        loop = mid.MidForEach(local.index, domain, body, self.site(tree.span))
        self.code.add(mid.MidGuarded(label, (loop,)))

    def before_rounds(self, tree: ast.For) -> None:
        """Forgets what an earlier round may have changed of things that were chosen before the first one.

        A round writes to what its name stands for in no other round: of that its `where` still holds.
        """
        name = tree.selection.name.text
        direct = re.compile(rf"{re.escape(name)}\.\w+( is .*)?")
        own = {fact for fact in self.body.facts if direct.fullmatch(fact)}
        self.outdate(self.written(tree.body))
        kept = own - outdated(self.world, own, self.written(tree.body, name), {name})
        self.body.facts |= kept

    def pieces_in_scope(self) -> dict[str, ir.Local]:
        raise NotImplementedError

    def rounds_of(self, tree: ast.For, local: ir.Local, label: int) -> tuple[mid.Mid, ...]:
        """The body of a loop over things, of which a round may remove those that follow."""
        watch, selection = self.watch, tree.selection
        begin = len(watch.events)
        whole = isinstance(selection.domain, ast.NameExpr) and selection.condition is None
        watch.rounds |= {local.index} if whole else set()
        body = self.loop_body(tree.body, label)
        watch.rounds.discard(local.index)
        watch.next_round(self.world, local, begin, (), other=True)
        return body

    def for_order(self, tree: ast.ForOrder) -> None:
        """Each player who is not out, from the first player on."""
        players = self.world.domains[0]
        label = self.flow.label()
        order = self.body.new(ListOf(Id(0), len(players.members)))
        self.code.add(ir.SetLocal(order.index, self.order_of_play(tree.span)))
        with self.body.block():
            local = self.body.new(Id(0))
            self.body.bind(tree.name.text, local)
            self.outdate(self.written(tree.body))
            where = self.truth(tree.condition) if tree.condition else TRUE
            if tree.condition:
                self.learn(tree.condition, holds=True)
            body = self.loop_body(self.while_in_the_game(tree), label)
        alive = conjunction([negation(ir.Op(TRUTH, "out", (local,))), where])
        loop = mid.MidForEach(local.index, order, (mid.MidIf(alive, body),), self.site(tree.span))
        self.code.add(mid.MidGuarded(label, (loop,)))

    def while_in_the_game(self, tree: ast.ForOrder) -> ast.Block:
        """A turn is left at once when its player is out of the game."""
        if not self.world.defeats:
            return tree.body
        name, span = tree.name, tree.span
        gone = ast.Binary(
            "is", ast.NameExpr(name.text, span=name.span), ast.NameExpr("out", span=span), span=span
        )
        return ast.Block((ast.Until(gone, tree.body, span=span),), span=tree.body.span)

    def order_of_play(self, span: Span, begins: ir.Expr | None = None) -> ir.Expr:
        """All players round the table, from the first one on, or from the one who `begins`."""
        n = len(self.world.domains[0].members)
        type_ = ListOf(Id(0), n)
        first = self.first_player(span) if begins is None else None
        if begins is None and first is None:
            return ir.Const(type_, tuple(range(n)))
        rotations = tuple(tuple((start + k) % n for k in range(n)) for start in range(n))
        data = self.constant("order of play", type_, ((0, n),), rotations)
        if begins is not None or first is None:
            return ir.Lookup(type_, data, (begins or number(0),))
        return ir.Lookup(type_, data, (self.load(first, None),))

    def first_player(self, span: Span) -> int | None:
        """The field that says with whom the order of play begins; what is called so and is no such field is told."""
        world, name = self.world, "first_player"
        var = world.globals.get(name)
        if var is not None and world.vars[var].type == Id(0):
            return var
        if var is None and not isinstance(world.callables.get(name), w.Value):
            return None
        declared = world.reporter.whence(name, span) if world.reporter.whence else None
        at = declared or span
        if not world.reporter.has(Code.TYPE_MISMATCH, at):
            world.error(
                Code.TYPE_MISMATCH,
                at,
                tr(
                    "the order of play begins with `{name}`, and this is no field that is a player", name=name
                ),
                hint=tr("write `{name}: Player` under `state:`, or give yours another name", name=name),
            )
        return None

    def constant(
        self,
        name: str,
        type_: Type,
        dims: tuple[tuple[int, int], ...],
        values: tuple[int | tuple[int, ...], ...],
    ) -> int:
        from dsl.ir.program import Data

        for index, each in enumerate(self.world.data):
            if each.name == name and each.values == values:
                return index
        return self.world.add_data(Data(name, type_, dims, values))

    def repeat_times(self, tree: ast.RepeatTimes) -> None:
        count = self.whole(tree.count)
        self.flush()
        if not known(count):
            return
        label = self.flow.label()
        with self.body.block():
            self.outdate(self.written(tree.body))
            body = self.loop_body(tree.body, label)
        self.code.add(mid.MidGuarded(label, (mid.MidLoop(count, TRUE, body, self.site(tree.span)),)))

    def repeat_until(self, tree: ast.RepeatUntil) -> None:
        limit = self.whole(tree.limit)
        self.flush()
        if not known(limit):
            return
        test = self.tested(tree.condition, self.lasting(tree.body))
        label = self.flow.label()
        with self.body.block():
            self.outdate(self.written(tree.body))
            body = self.loop_body(tree.body, label)
        self.code.add(
            mid.MidGuarded(label, (mid.MidLoop(limit, negation(test), body, self.site(tree.span)),))
        )
        if tree.otherwise:
            self.code.add(mid.MidIf(negation(test), self.block(tree.otherwise)))

    def until(self, tree: ast.Until) -> None:
        label = self.flow.label()
        facts = self.lasting(tree.body)
        test = self.tested(tree.condition, facts)
        self.flow.untils.append(Until(tree.condition, label, tree.finally_, facts))
        with self.body.block(), self.watch.until(tree.condition, self.pieces_in_scope()):
            self.learn(tree.condition, holds=False)
            body = self.block(tree.body)
        self.flow.untils.pop()
        enter: tuple[mid.Mid, ...] = (mid.MidIf(test, (ir.Leave(label),)),) if test != FALSE else ()
        self.code.add(mid.MidGuarded(label, (*enter, *body)))
        if tree.finally_:
            self.code.add(*self.block(tree.finally_))

    def stop(self, tree: ast.Stop) -> None:
        if not self.flow.loops:
            self.fault(
                Code.STOP_OUTSIDE,
                tree.span,
                "`stop` leaves a loop or a repeated menu, and there is none here",
                hint="to leave the action write `return`",
            )
            return
        label, depth = self.flow.loops[-1]
        self.code.add(*self.leaving(label, depth))

    def return_(self, tree: ast.Return) -> None:
        if tree.value is not None or self.flow.end is None:
            self.fault(
                Code.STOP_OUTSIDE,
                tree.span,
                "an action returns no value",
                hint="write a `value` for what is computed",
            )
            return
        self.code.add(*self.leaving(self.flow.end, 0))
