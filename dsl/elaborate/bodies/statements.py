"""Statements: what actions, phases, setups and tests do, as structured code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.delays import last, wait
from dsl.elaborate.bodies.facts import legal
from dsl.elaborate.bodies.flow import Flows
from dsl.elaborate.bodies.menus import Menus
from dsl.elaborate.bodies.pieces import Pieces
from dsl.elaborate.bodies.scope import BAD, known
from dsl.elaborate.bodies.splits import split
from dsl.elaborate.bodies.stores import Stores
from dsl.elaborate.bodies.writes import NOTHING, Writes
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, ListOf, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE
from dsl.near import nearest
from dsl.resolve import symbols as w
from dsl.resolve.bounds import MOST_LOOPS
from dsl.resolve.effect_columns import explicit
from dsl.resolve.hints import an_action
from dsl.source import Span
from dsl.syntax import ast

AGAIN = (ast.For, ast.ForOrder, ast.RepeatTimes, ast.RepeatUntil)
LOOPS = (*AGAIN, ast.Until, ast.Together)


class Statements(Flows, Stores, Menus, Pieces):
    """Elaborates statements into structured code."""

    # ------------------------------------------------------------ blocks

    def statement(self, tree: ast.Stmt) -> None:
        citation = getattr(tree, "citation", None)
        self.mark(citation, tree.span)
        self.world.spend(tree.span)
        before, self.code.site = self.code.site, self.site(tree.span)
        pieces, start = self.pieces_in_scope(), len(self.code.statements)
        events, gone = len(self.watch.events), dict(self.watch.gone)
        self.watch.before(self.world, tree, pieces)
        if isinstance(tree, ast.For | ast.ForOrder | ast.RepeatTimes):
            events = len(self.watch.events)
        if isinstance(tree, ast.AskMenu) and tree.repeated:
            self.outdate(self.written(tree))
        if isinstance(tree, LOOPS):
            self.loop(tree)
        else:
            self.one(tree)
        if self.body.facts or self.flow.untils:
            self.outdate(self.left_by(tree))
        self.watch.after(tree, self.code.statements[start:], pieces)
        if isinstance(tree, AGAIN) or (isinstance(tree, ast.AskMenu) and tree.repeated):
            self.watch.again(self.world, events, gone, pieces)
        self.leave_untils(tree)
        self.code.site = before

    def left_by(self, tree: ast.Stmt) -> Writes:
        """What a statement may have written where the next one is reached."""
        if isinstance(tree, ast.Assign | ast.Let | ast.Later):
            return NOTHING
        if not isinstance(tree, ast.If):
            return self.written(tree)
        blocks = [block for _, block in tree.branches]
        blocks += [tree.otherwise] if tree.otherwise else []
        return self.written(tuple(block for block in blocks if not self.ends(block)))

    def pieces_in_scope(self) -> dict[str, ir.Local]:
        """The local names that stand for pieces."""
        if self.actions is None:
            return {}
        domains = self.world.domains
        return {
            name: bound
            for scope in self.body.names
            for name, bound in scope.items()
            if isinstance(bound, ir.Local) and isinstance(bound.type, Id)
            if domains[bound.type.domain].pool
            or any(domains[p].pool for p in domains[bound.type.domain].parts)
        }

    def loop(self, tree: ast.Stmt) -> None:
        """A loop, unless it stands in too many others."""
        if self.flow.depth >= MOST_LOOPS:
            message = tr("more than {most_loops} loops inside each other", most_loops=MOST_LOOPS)
            self.fault(Code.LIMIT, tree.span, message, hint="give the inner ones an `action` of their own")
            return
        self.flow.depth += 1
        self.one(tree)
        self.flow.depth -= 1

    def one(self, tree: ast.Stmt) -> None:
        match tree:
            case ast.Let():
                self.let(tree)
            case ast.Assign():
                self.assign(tree)
            case ast.Gain():
                self.gain(tree)
            case ast.Call():
                self.call(tree)
            case ast.Need():
                self.world.error(
                    Code.NEED_LATER,
                    tree.span,
                    "`need` stands before everything else an action does",
                    hint="write the needs first, or `if ...:` here",
                )
            case ast.Random():
                self.random(tree)
            case ast.RollEach():
                self.roll_each(tree)
            case ast.Return():
                self.return_(tree)
            case ast.Say():
                text, args = self.template(tree.label, {})
                self.flush()
                self.world.told_at.setdefault(text, []).append(tree.span)
                self.code.add(ir.Log(text, args, None, "say"))
            case ast.OpenWindow():
                self.open_window(tree)
            case ast.Place():
                self.place(tree)
            case ast.TakeAway():
                self.take_away(tree)
            case ast.Draw():
                self.draw(tree)
            case ast.Shuffle():
                self.shuffle(tree)
            case ast.Move():
                self.move(tree)
            case ast.Later():
                wait(self, self.delays, tree)
            case ast.Rest():
                last(self, self.delays, tree)
            case ast.Choose():
                self.choose(tree)
            case ast.Split():
                split(self, tree)
            case ast.SecretChoose():
                self.secretly(tree)
            case ast.AskMenu():
                self.ask_menu(tree)
            case ast.If():
                self.if_(tree, 0)
            case ast.For():
                self.for_(tree)
            case ast.ForOrder():
                self.for_order(tree)
            case ast.RepeatTimes():
                self.repeat_times(tree)
            case ast.RepeatUntil():
                self.repeat_until(tree)
            case ast.Until():
                self.until(tree)
            case ast.Together():
                self.together(tree)
            case ast.Stop():
                self.stop(tree)
            case ast.Nothing():
                pass
            case _:
                assert_never(tree)

    # ------------------------------------------------------------ values

    # ------------------------------------------------------------ calls

    def call(self, tree: ast.Call) -> None:
        call = tree.call
        arguments = call.arguments if isinstance(call, ast.Apply) else ()
        name_tree = explicit(call.function, arguments) if isinstance(call, ast.Apply) else call
        if isinstance(name_tree, ast.Member) and name_tree.name.text == "effect" and not arguments:
            self.do_effect(name_tree, tree)
            return
        if not isinstance(name_tree, ast.NameExpr):
            hint = "write the name of an action and what it is done to, `hurt(u, 2)`"
            if isinstance(name_tree, ast.Member) and nearest(name_tree.name.text, ["effect"]):
                hint = tr("did you mean `{of}.effect`?", of=name_tree.of.span.text)
            self.fault(Code.WRONG_ARGUMENTS, tree.span, "a statement calls an action by its name", hint=hint)
            return
        action = self.world.callables.get(name_tree.name)
        if action is not None and action is self.world.placing:
            self.not_done(name_tree.span)
            return
        if not isinstance(action, w.Action):
            self.no_action(name_tree, action)
            return
        by = self.actor(tree.by, action) if tree.by else None
        if by is not None and not known(by):
            return
        args = self.action_arguments(action, arguments, call, by)
        self.flush()
        if args is None:
            return
        otherwise = self.block(self.of_the_line(tree, tree.otherwise)) if tree.otherwise else None
        if otherwise is None and legal(call, tree.by) not in self.body.facts:
            self.may_be_refused(action, tree.span)
        self.order(action, args, otherwise, tree.span)

    def do_effect(self, effect: ast.Member, tree: ast.Call) -> None:
        """`s.effect`: what the effect column of its table says of a row, or of a piece's kind."""
        of = self.scalar(effect.of)
        if not known(of):
            return
        domain = self.world.domains[of.type.domain] if isinstance(of.type, Id) else None
        table = self.table_of(domain) if domain else None
        action = self.world.callables.get(f"{table.name}.effect") if table else None
        if not isinstance(action, w.Action):
            shown = self.world.show(of.type)
            hint = "an effect column is headed `effect`, or `effect by p`"
            self.fault(
                Code.UNKNOWN_NAME, effect.name.span, tr("{shown} has no effect", shown=shown), hint=hint
            )
            return
        row = effect.of
        if domain and domain.pool:
            row = ast.Member(row, ast.Name("kind", span=effect.of.span), span=effect.of.span)
        call = ast.Apply(ast.NameExpr(action.name, span=effect.span), (row,), span=effect.span)
        self.call(replace(tree, call=call))

    def not_done(self, span: Span) -> None:
        """What clauses about `place` are about is asked of, `legal place(u, c)`, and does nothing."""
        self.fault(
            Code.WRONG_ARGUMENTS,
            span,
            "`place` is a statement, and no action to call or to offer",
            hint="write an action that places the piece, `place guard at c`, and call that one",
        )

    def no_action(self, name: ast.NameExpr, found: object) -> None:
        if isinstance(found, w.Menu | w.Window):
            self.fault(
                Code.WRONG_ARGUMENTS,
                name.span,
                tr("`{name}` is offered, not done", name=name.name),
                hint=tr("write `open {name}`, or `PLAYER may:` with it as a line", name=name.name),
            )
            return
        hint = an_action(self.world, name.name)
        self.unknown("action", name.span, hint=hint, label="unknown action")

    def order(
        self, action: w.Action, args: tuple[ir.Expr, ...], otherwise: tuple[mid.Mid, ...] | None, span: Span
    ) -> None:
        """An ordered action: it happens unless it is forbidden."""
        kept = self.kept(args)
        if not action.permits and action.depth is None:
            self.code.add(*self.running(action, kept, span))
            return
        refused: tuple[mid.Mid, ...] = (ir.Refused(action.id, kept, self.site(span)), *(otherwise or ()))
        judged = self.judged(action, kept)
        run = () if judged == FALSE else tuple(self.running(action, kept, span))
        self.code.add(*(refused if judged == FALSE else (mid.MidIf(judged, run, refused),)))

    def of_the_line(self, tree: ast.Call, otherwise: ast.Block) -> ast.Block:
        """What else happens; a citation behind it on the line of the order is of the order, refused or not."""
        last = next(reversed(otherwise.statements), None)
        citation = getattr(last, "citation", None)
        if last is None or citation is None or last.span.line != tree.span.line:
            return otherwise
        self.mark(citation, tree.span)
        uncited: Any = last
        return replace(otherwise, statements=(*otherwise.statements[:-1], replace(uncited, citation=None)))

    def may_be_refused(self, action: w.Action, span: Span) -> None:
        """An order that a `need` may refuse in silence is worth a second look; prevention by `forbid` seldom."""
        need = next((decl for decl, _ in action.permits if isinstance(decl, ast.Need)), None)
        if need is None:
            if action.permits:
                self.world.depends_on_bodies()
                self.world.orders.setdefault(span, action)
            return
        self.world.error(
            Code.ORDER_MAY_BE_REFUSED,
            span,
            tr("`{action}` may be refused here, and nothing is said for that case", action=action.name),
            hint="write `otherwise: nothing` behind it where that is meant",
            labels=(Label(need.span, "it needs this"),),
        )

    def kept(self, args: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        """Arguments that are read more than once are computed once."""
        found = []
        for arg in args:
            if isinstance(arg, ir.Local | ir.Const):
                found.append(arg)
                continue
            local = self.body.new(arg.type)
            self.code.add(ir.SetLocal(local.index, arg))
            found.append(local)
        return tuple(found)

    def running(self, action: w.Action, args: tuple[ir.Expr, ...], span: Span) -> list[mid.Mid]:
        """What does an action that has been judged."""
        site = self.site(span)
        depends = action.counted or action.is_followed or bool(action.leads)
        if self.opened is not None and depends and not action.asks_within and self.actions is not None:
            return [ir.Call(self.actions.copies.of(action, self.opened, span), args, None, site)]
        if action.red:
            return [mid.MidEnter(action.run, args, None, site)]
        return [ir.Call(action.run, args, None, site)]

    # ------------------------------------------------------------ chance

    def random(self, tree: ast.Random) -> None:
        selection = tree.selection
        weights = None
        domain = self.domain(selection.domain)
        if isinstance(domain, ir.Op) and domain.op == "bag_set":
            weights = domain.args[0]
        if not known(domain):
            self.body.bind(selection.name.text, BAD)
            return
        if isinstance(domain.type, ListOf):
            assert isinstance(domain.type.of, Int | Id)
            domain = ir.Op(SetOf(domain.type.of), "list_set", (domain,))
        assert isinstance(domain.type, SetOf)
        domain = self.filtered(domain, selection)
        local = self.body.new(domain.type.of if isinstance(domain.type, SetOf) else BAD.type)
        self.flush()
        self.code.add(ir.Pick(local.index, domain, self.site(tree.span), weights))
        self.body.bind(selection.name.text, local)

    def roll_each(self, tree: ast.RollEach) -> None:
        count = self.whole(tree.count)
        if not known(count):
            return
        assert isinstance(count.type, Int)
        limit = max(0, count.type.high)
        if limit > 100 or not 2 <= tree.sides <= 1000:
            self.fault(Code.OUT_OF_RANGE, tree.span, "roll from 0 to 100 dice with 2 to 1000 sides")
            return
        local = self.body.new(ListOf(Int(1, tree.sides), limit))
        self.code.add(ir.RollList(local.index, count, tree.sides, self.site(tree.span)))
        self.body.bind(tree.name.text, local)

    # ------------------------------------------------------------ flow
