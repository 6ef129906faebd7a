"""Statements: what actions, phases, setups and tests do, as structured code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf, Type
from dsl.semantics import mid
from dsl.semantics import world as w
from dsl.semantics.delays import Delays, last, wait
from dsl.semantics.expressions import Expressions, Resolver
from dsl.semantics.menus import Menus
from dsl.semantics.pieces import Pieces
from dsl.semantics.places import Spot, spots
from dsl.semantics.scope import (
    BAD,
    FALSE,
    TRUE,
    Body,
    appended,
    conjunction,
    facts,
    key,
    known,
    negation,
    number,
    replace_type,
)
from dsl.semantics.world import World
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.semantics.actions import Actions


@dataclass(slots=True)
class Until:
    """An `until` block that is open: left at once when its condition holds."""

    condition: ast.Expr
    number: int
    finally_: ast.Block | None


@dataclass(slots=True)
class Flow:
    """Where `stop` and `return` lead, and which `until` blocks they cross."""

    labels: int = 0
    loops: list[tuple[int, int]] = field(default_factory=list)
    """Label of the loop's end, and how many `until` blocks were open there."""
    untils: list[Until] = field(default_factory=list)
    end: int | None = None

    def label(self) -> int:
        self.labels += 1
        return self.labels


class Statements(Menus, Pieces, Expressions):
    """Elaborates statements into structured code."""

    def __init__(self, world: World, body: Body | None = None, resolve_value: Resolver | None = None) -> None:
        super().__init__(world, body, resolve_value)
        self.flow = Flow()
        self.code = mid.Code()
        self.setup_side: ir.Expr | None = None
        self.actions: Actions | None = None
        """The elaborator of actions that this code belongs to; tests and conditions have none."""

    @property
    def delays(self) -> Delays:
        return self.actions.delays if self.actions else Delays()

    # ------------------------------------------------------------ blocks

    @contextmanager
    def collecting(self) -> Iterator[mid.Code]:
        """Gathers statements apart, in a scope of their own."""
        outer, self.code = self.code, mid.Code()
        with self.body.block():
            yield self.code
        self.code = outer

    def block(self, block: ast.Block) -> tuple[mid.Mid, ...]:
        with self.collecting() as code:
            self.run_block(block)
        return tuple(code.statements)

    def run_block(self, block: ast.Block) -> None:
        if block.citation:
            self.mark(block.citation, block.span)
        for statement in block.statements:
            self.statement(statement)

    def mark(self, citation: ast.Citation | None, span: Span) -> None:
        """A cited statement is a clause of its own."""
        if citation is None:
            return
        self.code.add(ir.Mark(self.cited(citation, span)))

    def cited(self, citation: ast.Citation, span: Span) -> int:
        known_clause = self.world.clause_of_citation.get(id(citation))
        if known_clause is None:
            known_clause = self.world.clause("statement", "", citation, span)
            self.world.clause_of_citation[id(citation)] = known_clause
        return known_clause

    def flush(self) -> None:
        """Dice that an expression rolls are rolled before the statement that reads them."""
        self.code.add(*self.body.hoisted)
        self.body.hoisted.clear()

    def site(self, span: Span) -> int:
        return self.world.site(span)

    def statement(self, tree: ast.Stmt) -> None:
        citation = getattr(tree, "citation", None)
        self.mark(citation, tree.span)
        self.one(tree)
        self.leave_untils(tree)

    def leave_untils(self, tree: ast.Stmt) -> None:
        """Behind each statement written inside an `until`, its condition is tested."""
        if isinstance(tree, ast.Let | ast.Need | ast.Nothing | ast.Stop | ast.Return):
            return
        self.test_untils()

    def test_untils(self) -> None:
        for depth, until in enumerate(self.flow.untils):
            test = self.tested(until.condition)
            if test == FALSE:
                continue
            self.code.add(mid.MidIf(test, tuple(self.leaving(until.number, depth + 1))))

    def tested(self, condition: ast.Expr) -> ir.Expr:
        with self.body.inner():
            self.body.facts.clear()
            return self.truth(condition)

    def leaving(self, label: int, depth: int) -> list[mid.Mid]:
        """A jump to a label's end; `finally` of the `until` blocks it crosses runs first."""
        with self.collecting() as code:
            self.body.facts.clear()
            crossed = self.flow.untils[depth:]
            del self.flow.untils[depth:]
            for until in reversed(crossed):
                if until.finally_:
                    self.run_block(until.finally_)
            self.flow.untils.extend(crossed)
        return [*code.statements, ir.Leave(label)]

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

    # ------------------------------------------------------------ values

    def let(self, tree: ast.Let) -> None:
        value = self.expr(tree.value)
        self.flush()
        if isinstance(value, ir.Local | ir.Const) or not known(value):
            self.body.bind(tree.name.text, value)
            return
        local = self.body.new(value.type)
        self.code.add(ir.SetLocal(local.index, value))
        self.body.bind(tree.name.text, local)

    def assign(self, tree: ast.Assign) -> None:
        def store(spot: Spot) -> list[mid.Mid]:
            value = self.coerce(self.expr(tree.value, spot.type), spot.type, tree.value.span)
            self.flush()
            if not known(value):
                return []
            if spot.local is not None:
                return [ir.SetLocal(spot.local, value)]
            return [
                *self.disarmed(spot),
                ir.Store(spot.var, spot.owner, spot.item, value, self.site(tree.span)),
            ]

        self.write(tree.target, store)

    def gain(self, tree: ast.Gain) -> None:
        negative = tree.verb == "loses"

        def change(spot: Spot) -> list[mid.Mid]:
            match spot.type:
                case Int(truth=False, optional=False):
                    amount = self.whole(tree.value)
                    self.flush()
                    return self.changed(spot, amount, tree, negative) if known(amount) else []
                case BagOf():
                    amount = self.coerce(self.expr(tree.value, spot.type), spot.type, tree.value.span)
                    return self.changed(spot, amount, tree, negative) if known(amount) else []
                case SetOf(of=element):
                    return self.set_gains(spot, element, tree, negative)
                case ListOf(of=element) if not negative and isinstance(element, Int | Id):
                    item = self.coerce(self.expr(tree.value, element), element, tree.value.span)
                    longer = appended(ir.Load(spot.type, spot.var, spot.owner), item) if known(item) else BAD
                    return (
                        [ir.Store(spot.var, spot.owner, None, longer, self.site(tree.span))]
                        if known(item)
                        else []
                    )
                case _:
                    shown = self.world.show(spot.type)
                    self.fault(Code.TYPE_MISMATCH, tree.span, f"{shown} neither gains nor loses")
                    return []

        self.write(tree.target, change)

    def changed(self, spot: Spot, amount: ir.Expr, tree: ast.Gain, negative: bool) -> list[mid.Mid]:
        if spot.local is not None:
            op, name = ("sub", "-") if negative else ("add", "+")
            assert isinstance(spot.type, Int)
            local = ir.Local(spot.type, spot.local)
            total = self.compute(name, local, amount, tree.value)
            return (
                [ir.SetLocal(spot.local, self.coerce(total, spot.type, tree.span))]
                if op and known(total)
                else []
            )
        site = self.site(tree.span)
        return [
            *self.disarmed(spot),
            ir.Change(spot.var, spot.owner, spot.item, amount, tree.saturates, negative, site),
        ]

    def set_gains(self, spot: Spot, element: Int | Id, tree: ast.Gain, negative: bool) -> list[mid.Mid]:
        value = self.expr(tree.value, spot.type)
        if not known(value):
            return []
        if isinstance(value.type, Int | Id):
            one = self.coerce(value, element, tree.value.span)
            value = ir.Op(spot.type, "single", (one,)) if known(one) else BAD
        value = self.coerce(value, spot.type, tree.value.span)
        if not known(value):
            return []
        old = ir.Load(spot.type, spot.var, spot.owner)
        joined = ir.Op(spot.type, "minus" if negative else "union", (old, value))
        return [ir.Store(spot.var, spot.owner, None, joined, self.site(tree.span))]

    def write(self, target: ast.Expr, build: Callable[[Spot], list[mid.Mid]]) -> None:
        """Writes to wherever a target stands; for a union's field, to the part that the piece belongs to."""
        found = spots(self, target)
        if not found:
            return
        self.code.add(*self.branch(found, build))

    def branch(self, found: list[Spot], build: Callable[[Spot], list[mid.Mid]]) -> list[mid.Mid]:
        head = build(found[0])
        if found[0].test is None or len(found) == 1:
            return head
        return [mid.MidIf(found[0].test, tuple(head), tuple(self.branch(found[1:], build)))]

    def disarmed(self, spot: Spot) -> list[mid.Mid]:
        """A field that lasts to the end of the *next* scope counts only scopes that begin after it was set."""
        armed = self.world.vars[spot.var].armed
        return [ir.Store(armed, spot.owner, None, FALSE, self.site(spot.span))] if armed is not None else []

    # ------------------------------------------------------------ calls

    def call(self, tree: ast.Call) -> None:
        call = tree.call
        name_tree = call.function if isinstance(call, ast.Apply) else call
        arguments = call.arguments if isinstance(call, ast.Apply) else ()
        if not isinstance(name_tree, ast.NameExpr):
            self.fault(Code.WRONG_ARGUMENTS, tree.span, "a statement calls an action by its name")
            return
        action = self.world.callables.get(name_tree.name)
        if not isinstance(action, w.Action):
            self.no_action(name_tree, action)
            return
        by = self.expr(tree.by) if tree.by else None
        args = self.action_arguments(action, arguments, call, by)
        self.flush()
        if args is None:
            return
        otherwise = self.block(tree.otherwise) if tree.otherwise else None
        if otherwise is None and f"legal {key(call)}" not in self.body.facts:
            self.may_be_refused(action, tree.span)
        self.order(action, args, otherwise, tree.span)

    def no_action(self, name: ast.NameExpr, found: object) -> None:
        if isinstance(found, w.Menu | w.Window):
            self.fault(
                Code.WRONG_ARGUMENTS,
                name.span,
                f"`{name.name}` is offered, not done",
                hint=f"write `open {name.name}`, or `PLAYER may:` with it as a line",
            )
            return
        hint = self.world.nearest(name.name, [action.name for action in self.world.actions])
        self.fault(
            Code.UNKNOWN_NAME,
            name.span,
            f"there is no action `{name.name}`",
            hint=hint,
            label="unknown action",
        )

    def order(
        self, action: w.Action, args: tuple[ir.Expr, ...], otherwise: tuple[mid.Mid, ...] | None, span: Span
    ) -> None:
        """An ordered action: it happens unless it is forbidden."""
        kept = self.kept(args)
        run = self.running(action, kept, span)
        if not action.permits and action.depth is None:
            self.code.add(*run)
            return
        refused: tuple[mid.Mid, ...] = (ir.Refused(action.id, kept, self.site(span)), *(otherwise or ()))
        self.code.add(mid.MidIf(ir.Judge(TRUTH, action.id, kept), tuple(run), refused))

    def may_be_refused(self, action: w.Action, span: Span) -> None:
        """An order that a `need` may refuse in silence is worth a second look; prevention by `forbid` is not."""
        need = next((decl for decl, _ in action.permits if isinstance(decl, ast.Need)), None)
        if need is None:
            return
        self.world.error(
            Code.ORDER_MAY_BE_REFUSED,
            span,
            f"`{action.name}` may be refused here, and nothing is said for that case",
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

    def if_(self, tree: ast.If, at: int) -> None:
        condition, block = tree.branches[at]
        test = self.truth(condition)
        self.flush()
        with self.collecting() as then:
            self.body.facts |= facts(condition, True)
            self.run_block(block)
        with self.collecting() as other:
            self.body.facts |= facts(condition, False)
            if at + 1 < len(tree.branches):
                self.if_(tree, at + 1)
            elif tree.otherwise:
                self.run_block(tree.otherwise)
        self.code.add(mid.MidIf(test, tuple(then.statements), tuple(other.statements)))
        if at == 0 and self.ends(block) and len(tree.branches) == 1 and tree.otherwise is None:
            self.body.facts |= facts(condition, False)

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
            if isinstance(domain.type, SetOf):
                domain = self.filtered(domain, selection)
            self.flush()
            self.body.bind(selection.name.text, local)
            if selection.condition:
                self.body.facts |= facts(selection.condition, True)
            body = self.loop_body(tree.body, label)
            if isinstance(domain.type, ListOf) and selection.condition:
                body = (mid.MidIf(self.truth(selection.condition), body),)
        loop = mid.MidForEach(local.index, domain, body, self.site(tree.span))
        self.code.add(mid.MidGuarded(label, (loop,)))

    def for_order(self, tree: ast.ForOrder) -> None:
        """Each player who is not out, from the first player on."""
        players = self.world.domains[0]
        label = self.flow.label()
        order = self.body.new(ListOf(Id(0), len(players.members)))
        self.code.add(ir.SetLocal(order.index, self.order_of_play()))
        with self.body.block():
            local = self.body.new(Id(0))
            self.body.bind(tree.name.text, local)
            where = self.truth(tree.condition) if tree.condition else TRUE
            if tree.condition:
                self.body.facts |= facts(tree.condition, True)
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

    def order_of_play(self) -> ir.Expr:
        n = len(self.world.domains[0].members)
        type_ = ListOf(Id(0), n)
        first = self.world.globals.get("first_player")
        if first is None or self.world.vars[first].type != Id(0):
            return ir.Const(type_, tuple(range(n)))
        rotations = tuple(tuple((start + k) % n for k in range(n)) for start in range(n))
        data = self.constant("order of play", type_, ((0, n),), rotations)
        return ir.Lookup(type_, data, (self.load(first, None),))

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
        body = self.loop_body(tree.body, label)
        self.code.add(mid.MidGuarded(label, (mid.MidLoop(count, TRUE, body, self.site(tree.span)),)))

    def repeat_until(self, tree: ast.RepeatUntil) -> None:
        limit = self.whole(tree.limit)
        self.flush()
        if not known(limit):
            return
        test = self.tested(tree.condition)
        label = self.flow.label()
        body = self.loop_body(tree.body, label)
        self.code.add(
            mid.MidGuarded(label, (mid.MidLoop(limit, negation(test), body, self.site(tree.span)),))
        )
        if tree.otherwise:
            self.code.add(mid.MidIf(negation(test), self.block(tree.otherwise)))

    def until(self, tree: ast.Until) -> None:
        label = self.flow.label()
        test = self.tested(tree.condition)
        self.flow.untils.append(Until(tree.condition, label, tree.finally_))
        with self.body.block():
            self.body.facts |= facts(tree.condition, False)
            body = self.block(tree.body)
        self.flow.untils.pop()
        enter: tuple[mid.Mid, ...] = (mid.MidIf(test, (ir.Leave(label),)),) if test != FALSE else ()
        self.code.add(mid.MidGuarded(label, (*enter, *body)))
        if tree.finally_:
            self.code.add(*self.block(tree.finally_))

    def stop(self, tree: ast.Stop) -> None:
        if not self.flow.loops:
            self.fault(Code.STOP_OUTSIDE, tree.span, "`stop` leaves a loop, and there is none here")
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


__all__ = ["NONE", "Statements", "conjunction", "number", "replace_type"]
