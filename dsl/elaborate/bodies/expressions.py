"""Expressions: the elaborator that the other passes use, with phrases that range over things, and calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies import foreign_idioms as foreign
from dsl.elaborate.bodies.builtins import BUILTINS
from dsl.elaborate.bodies.piece_at import Standing
from dsl.elaborate.bodies.ratios import as_ratio, bare, parts_of, ratio, wrapped
from dsl.elaborate.bodies.scope import BAD, BIGGEST, Body, counted, known
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, Record, SetOf, Type
from dsl.lower.ir_builder import TRUE, negation, number
from dsl.resolve import symbols as w
from dsl.resolve.hints import an_action, declared_only
from dsl.resolve.kinds import AnyType, Unknown, counted_in
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

READING = (
    ir.Load
    | ir.LoadItem
    | ir.Op
    | ir.Fold
    | ir.LetIn
    | ir.Ask
    | ir.Judge
    | ir.Reach
    | ir.Trial
    | ir.Occurrences
)
"""Expressions that may read the state."""

Resolver = Callable[[w.Value], AnyType]


class Expressions(Standing):
    """Elaborates any expression."""

    def __init__(self, world: World, body: Body | None = None, resolve_value: Resolver | None = None) -> None:
        super().__init__(world, body)
        self.resolve_value = resolve_value
        self.telling: ast.Expr | None = None
        """What a label shows, which alone may be a text."""

    def expr(self, tree: ast.Expr, expected: AnyType | None = None) -> ir.Expr:
        self.world.spend(tree.span)
        found = self._expr(tree, expected)
        if known(found) and tree is not self.telling and self.world.is_words(found.type):
            message = tr("`{tree}` is a text for players, and is no value", tree=tree.span.text)
            hint = (
                "a label shows it, between braces: `{c.rules}`; what rules depend on is a column of its own"
            )
            return self.fault(Code.TYPE_MISMATCH, tree.span, message, hint=hint)
        if isinstance(found, READING):
            self.world.read_at.setdefault(id(found), (found, tree.span))
        return found

    def _expr(self, tree: ast.Expr, expected: AnyType | None) -> ir.Expr:
        match tree:
            case ast.NameExpr():
                return self.name(tree, expected)
            case ast.Number(value=value):
                return number(value)
            case ast.Truth(value=value):
                return ir.Const(TRUTH, int(value))
            case ast.NoneExpr():
                return self.none(expected)
            case ast.Member():
                return self.member(tree)
            case ast.Binary():
                return self.window_state(tree) or self.binary(tree, expected)
            case ast.Unary():
                return self.unary(tree)
            case ast.Apply():
                return self.apply(tree, expected)
            case ast.Index():
                return self.index(tree)
            case ast.Braces():
                return self.braces(tree, expected)
            case ast.Range():
                return self.range(tree)
            case ast.Rounded():
                return self.rounded(tree)
            case ast.Conditional():
                return self.conditional(tree, expected)
            case ast.Quantified() | ast.Every() | ast.Total() | ast.Extreme():
                return self.phrase(tree)
            case ast.Roll():
                return self.roll(tree)
            case ast.Legal():
                action, args = self.done(tree)
                return self.judged(action, args) if action is not None and args is not None else BAD
            case ast.Trial():
                return self.trial(tree)
            case ast.Located():
                return self.located(tree)
            case ast.Tuple():
                return self.several(tree, expected)
            case ast.Text() | ast.Bounded():
                return self.fault(
                    Code.TYPE_MISMATCH, tree.span, "a text is no value", hint="texts stand only in labels"
                )
            case _:
                assert_never(tree)

    def none(self, expected: AnyType | None) -> ir.Expr:
        match expected:
            case Int(low=low, high=high, truth=truth):
                return ir.Const(Int(low, high, optional=True, truth=truth), NONE)
            case Id(domain=domain):
                return ir.Const(Id(domain, optional=True), NONE)
            case _:
                return ir.Const(Int(0, 0, optional=True), NONE)

    def several(self, tree: ast.Tuple, expected: AnyType | None) -> ir.Expr:
        if not isinstance(expected, Record) or len(expected.types) != len(tree.items):
            return self.fault(
                Code.TYPE_MISMATCH, tree.span, "several values in parentheses are needed nowhere here"
            )
        pairs = zip(tree.items, expected.types, strict=True)
        items = tuple(self.coerce(self.expr(item, type_), type_, item.span) for item, type_ in pairs)
        return ir.Op(expected, "record", items) if all(known(item) for item in items) else BAD

    def roll(self, tree: ast.Roll) -> ir.Expr:
        if not self.body.effects or self.body.depth:
            return self.fault(
                Code.ROLL_HERE,
                tree.span,
                "dice cannot be rolled inside a condition or a value",
                hint=tr("roll before: `let die = {tree}`", tree=tree.span.text),
            )
        if not (1 <= tree.count <= 100 and 2 <= tree.sides <= 1000):
            return self.fault(Code.OUT_OF_RANGE, tree.span, "roll from 1 to 100 dice with 2 to 1000 sides")
        local = self.body.new(Int(tree.count, tree.count * tree.sides))
        self.body.hoisted.append(
            ir.Roll(local.index, number(tree.count), tree.sides, self.world.site(tree.span))
        )
        return local

    def window_state(self, tree: ast.Binary) -> ir.Expr | None:
        """`WINDOW is open`."""
        if (
            tree.op in {"is", "is-not"}
            and isinstance(tree.left, ast.NameExpr)
            and isinstance(tree.right, ast.NameExpr)
        ):
            window = self.world.callables.get(tree.left.name)
            if isinstance(window, w.Window) and tree.right.name == "open":
                found = ir.Op(
                    TRUTH,
                    "gt",
                    (ir.Load(self.world.vars[window.open_var].type, window.open_var, None), number(0)),
                )
                return found if tree.op == "is" else negation(found)
        return None

    # ------------------------------------------------------------ calls

    def apply(self, tree: ast.Apply, expected: AnyType | None) -> ir.Expr:
        if not isinstance(tree.function, ast.NameExpr):
            return self.fault(Code.WRONG_ARGUMENTS, tree.span, "only names are called")
        return self.narrowed(self.called(tree.function.name, tree.arguments, tree, expected), tree)

    def called(
        self, name: str, arguments: tuple[ast.Expr, ...], tree: ast.Expr, expected: AnyType | None
    ) -> ir.Expr:
        target = self.world.callables.get(name)
        match target:
            case w.Value() if len(arguments) == len(target.params) or name not in BUILTINS:
                return self.ask(target, arguments, tree)
            case w.Value():
                return BUILTINS[name](self, arguments, tree)
            case w.Lookup():
                args = self.arguments(target.params, arguments, tree, name)
                if target.by_mode and args is not None:
                    args = (self.world.mode_now(), *args)
                return (
                    wrapped(ir.Lookup(counted_in(target.result), target.data, args), target.result)
                    if args is not None and not isinstance(target.result, Unknown)
                    else BAD
                )
            case w.Pile():
                return self.pile(target, arguments, tree)
            case w.Area():
                return self.area(target, arguments, tree)
            case w.Action() | w.Menu() | w.Window():
                return self.fault(
                    Code.TYPE_MISMATCH,
                    tree.span,
                    tr("`{name}` is something to do, it has no value", name=name),
                    hint=tr("to ask whether it may be done write `legal {name}(...)`", name=name),
                )
            case None:
                pass
            case _:
                assert_never(target)
        if name in BUILTINS:
            return BUILTINS[name](self, arguments, tree)
        if name in self.world.globals or self.body.find(name) is not None:
            return self.fault(
                Code.WRONG_ARGUMENTS,
                tree.span,
                tr("`{name}` takes no arguments", name=name),
                hint=tr("write `{name}`", name=name),
            )
        span = tree.function.span if isinstance(tree, ast.Apply) else tree.span
        hint = foreign.meant(self.world, name)
        hint = hint or declared_only(self.world.reporter, name, span, self.world.callables)
        hint = hint or self.world.nearest(name, [*self.world.callables, *BUILTINS])
        hint = hint or tr(
            "what is asked is declared at the top level, as in `value {name}(...) -> 0..9 = ...`", name=name
        )
        return self.unknown("name", span, name=name, hint=hint, label="unknown name")

    def is_function(self, name: str) -> bool:
        return name in BUILTINS

    def arguments(
        self, params: list[w.Param], arguments: tuple[ast.Expr, ...], tree: ast.Expr, name: str
    ) -> tuple[ir.Expr, ...] | None:
        """The arguments of a call, each as its parameter's type; None after a fault."""
        if len(params) != len(arguments):
            wanted = ", ".join(param.name for param in params)
            self.fault(
                Code.WRONG_ARGUMENTS,
                tree.span,
                tr(
                    "`{name}` takes {counted}, not {count}",
                    name=name,
                    counted=counted(len(params)),
                    count=len(arguments),
                ),
                hint=tr("it is `{name}({wanted})`", name=name, wanted=wanted),
            )
            return None
        found = [
            self.coerce(self.expr(argument, param.type), param.type, argument.span)
            for param, argument in zip(params, arguments, strict=True)
        ]
        return tuple(found) if all(known(each) for each in found) else None

    def ask(self, value: w.Value, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        args = self.arguments(value.params, arguments, tree, value.name)
        result = value.result
        if result is None and self.resolve_value is not None:
            result = self.resolve_value(value)
        if args is None or result is None or isinstance(result, Unknown):
            return BAD
        return wrapped(ir.Ask(counted_in(result), value.id, args), result)

    def pile(self, pile: w.Pile, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        pool = self.world.domains[pile.pool].pool
        assert pool is not None and pool.pile_domain is not None
        type_ = Id(pool.pile_domain)
        params = [w.Param("owner", Id(pile.per))] if pile.per is not None else []
        args = self.arguments(params, arguments, tree, pile.name)
        if args is None:
            return BAD
        if not args:
            return ir.Const(type_, pile.base)
        if isinstance(args[0], ir.Const) and isinstance(args[0].value, int):
            return ir.Const(type_, pile.base + args[0].value)
        return ir.Op(type_, "cast", (args[0], number(pile.base)))

    def area(self, area: w.Area, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        params = [w.Param("of", Id(area.of))] if area.of is not None else []
        own = self.own_side(Id(area.of)) if area.of is not None and not arguments else None
        args = self.arguments(params, arguments, tree, area.name) if own is None else (own,)
        if args is None:
            return BAD
        return ir.Lookup(self.world.data[area.data].type, area.data, args or (number(0),))

    def own_side(self, type_: Id) -> ir.Expr | None:
        """The side whose setup this is, as a member of a type; none elsewhere."""
        return None

    def done(self, tree: ast.Legal | ast.Trial) -> tuple[w.Action | None, tuple[ir.Expr, ...] | None]:
        """The action that is asked about, with its arguments; None after a fault."""
        call = tree.call
        function = call.function if isinstance(call, ast.Apply) else call
        name = function.name if isinstance(function, ast.NameExpr) else ""
        action = self.world.callables.get(name)
        if not isinstance(action, w.Action):
            hint = an_action(self.world, name)
            self.unknown("action", call.span, name=name, hint=hint)
            return None, None
        by = self.actor(tree.by, action) if tree.by else None
        if by is not None and not known(by):
            return None, None
        given = call.arguments if isinstance(call, ast.Apply) else ()
        return action, self.action_arguments(action, given, call, by)

    def actor(self, tree: ast.Expr, action: w.Action) -> ir.Expr:
        """Who does an action, as `by` names him."""
        wanted = action.params[-1].type if action.by is not None else None
        if isinstance(tree, ast.NameExpr) and self.body.in_cells and self.is_nobody(tree.name):
            self.nobody_acts(tree)
            return BAD
        found = self.expr(tree, wanted)
        return found if wanted is None else self.coerce(found, wanted, tree.span)

    def is_nobody(self, name: str) -> bool:
        """Is it a name that nothing has here?"""
        world = self.world
        return self.body.find(name) is None and not any(
            name in known for known in (world.members, world.globals, world.callables)
        )

    def nobody_acts(self, tree: ast.NameExpr) -> None:
        """Tells that a cell of effects names somebody whom its header does not name."""
        self.fault(
            Code.WRONG_ARGUMENTS,
            tree.span,
            tr("who acts in a cell of effects stands in the header, and `{name}` does not", name=tree.name),
            hint=tr(
                "write `effect by {name}` at the head of the column, and `{table}(...) by {name}` where the table is "
                "used; then the cell needs no `by {name}`",
                name=tree.name,
                table=self.body.in_cells,
            ),
        )

    def trial(self, tree: ast.Trial) -> ir.Expr:
        """Whether a condition would hold; what is known of this state need not be so after the action."""
        action, args = self.done(tree)
        with self.body.inner():
            self.body.facts.clear()
            condition = self.truth(tree.condition)
        if action is None or args is None or not known(condition):
            return BAD
        return ir.Trial(TRUTH, self.world.tried(action, tree.span), args, condition)

    def action_arguments(
        self, action: w.Action, arguments: tuple[ast.Expr, ...], tree: ast.Expr, by: ir.Expr | None
    ) -> tuple[ir.Expr, ...] | None:
        """The arguments of an action, with the acting player last where it has one."""
        params = action.params[:-1] if action.by is not None else action.params
        args = self.arguments(params, arguments, tree, action.name)
        if args is None or action.by is None:
            return args
        actor = by or self.body.by
        if actor is None:
            table = self.body.in_cells
            self.fault(
                Code.WRONG_ARGUMENTS,
                tree.span,
                tr("`{action}` is done by a player, and nobody is named", action=action.name),
                hint=tr("write `{tree} by PLAYER`", tree=tree.span.text)
                if not table
                else tr(
                    "write `effect by p` at the head of the column, and `{table}(...) by p` where the table is used",
                    table=table,
                ),
            )
            return None
        wanted = action.params[-1].type
        same = self.coerce(actor, wanted, tree.span)
        return (*args, same) if known(same) else None

    # ------------------------------------------------------------ phrases

    def phrase(self, tree: ast.Quantified | ast.Every | ast.Total | ast.Extreme) -> ir.Expr:
        selection = tree.selection
        domain = self.domain(selection.domain)
        if not known(domain):
            return BAD
        assert isinstance(domain.type, SetOf | ListOf)
        with self.body.inner():
            local = self.body.new(domain.type.of)
            self.body.bind(selection.name.text, local)
            where = self.truth(selection.condition) if selection.condition else None
            if selection.condition:
                self.learn(selection.condition, holds=True)
            return self.fold(tree, local, domain, where)

    def fold(
        self,
        tree: ast.Quantified | ast.Every | ast.Total | ast.Extreme,
        local: ir.Local,
        domain: ir.Expr,
        where: ir.Expr | None,
    ) -> ir.Expr:
        match tree:
            case ast.Every(condition=condition):
                return ir.Fold(TRUTH, "every", local.index, domain, where, self.truth(condition))
            case ast.Total():
                return self.total(tree, local, domain, where)
            case ast.Extreme():
                return self.extreme(tree, local, domain, where)
            case ast.Quantified(quantifier="any"):
                return ir.Fold(TRUTH, "any", local.index, domain, where, TRUE)
            case ast.Quantified(quantifier="no"):
                return negation(ir.Fold(TRUTH, "any", local.index, domain, where, TRUE))
            case ast.Quantified(quantifier="count"):
                return ir.Fold(Int(0, self.extent(domain.type)), "count", local.index, domain, where, None)
            case ast.Quantified(quantifier=kind):
                element = local.type
                if not isinstance(element, Int | Id):
                    return self.fault(
                        Code.TYPE_MISMATCH,
                        tree.span,
                        "sets of sets do not exist",
                        hint="ask with `any`, `every` or `count`",
                    )
                if kind == "all":
                    return ir.Fold(SetOf(element), "all", local.index, domain, where, None)
                result: Type = (
                    Id(element.domain, optional=True)
                    if isinstance(element, Id)
                    else Int(element.low, element.high, optional=True)
                )
                depth = self.depth_in(domain, local)
                if depth is None:
                    return ir.Fold(result, "first", local.index, domain, where, None)
                topmost = ir.Fold(SetOf(element), "least", local.index, domain, where, depth)
                return ir.Fold(result, "first", self.body.new(element).index, topmost, TRUE, None)
            case _:
                assert_never(tree)

    def extent(self, type_: Type) -> int:
        """How many elements there can be."""
        match type_:
            case SetOf(of=of):
                return self.world.size(of)
            case ListOf(limit=limit):
                return limit
            case _:
                return 0

    def total(self, tree: ast.Total, local: ir.Local, domain: ir.Expr, where: ir.Expr | None) -> ir.Expr:
        found = self.scalar(tree.value)
        term = bare(found) if as_ratio(found) else self.number_of(found, tree.value)
        if not known(term):
            return BAD
        assert isinstance(term.type, Int)
        n = self.extent(domain.type)
        low, high = min(0, n * term.type.low), max(0, n * term.type.high)
        if low < -BIGGEST or high > BIGGEST:
            return self.fault(
                Code.OUT_OF_RANGE,
                tree.span,
                tr("this sum may reach {low}, more than {biggest}", low=max(-low, high), biggest=BIGGEST),
            )
        return ratio(ir.Fold(Int(low, high), "sum", local.index, domain, where, term), parts_of(found))

    def extreme(self, tree: ast.Extreme, local: ir.Local, domain: ir.Expr, where: ir.Expr | None) -> ir.Expr:
        found = self.scalar(tree.measure)
        measure = bare(found) if as_ratio(found) else self.number_of(found, tree.measure)
        if not known(measure):
            return BAD
        assert isinstance(measure.type, Int)
        if tree.extreme in {"lowest", "highest"}:
            type_ = Int(measure.type.low, measure.type.high, optional=True)
            return ratio(ir.Fold(type_, tree.extreme, local.index, domain, where, measure), parts_of(found))
        if not isinstance(local.type, Int | Id):
            return self.fault(Code.TYPE_MISMATCH, tree.span, "sets of sets do not exist")
        return ir.Fold(SetOf(local.type), tree.extreme, local.index, domain, where, measure)
