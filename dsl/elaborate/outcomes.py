"""What tests and promises may ask beside all that rules may ask: whether, and how, the game has ended."""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.scope import BAD, known
from dsl.elaborate.bodies.sides import PLAYER
from dsl.elaborate.bodies.statements import Statements
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.rewrite import map_expr
from dsl.ir.types import TRUTH, Id, Int
from dsl.lower.ir_builder import TRUE, negation, number
from dsl.lower.rewrite import walk_ir
from dsl.resolve import symbols as w
from dsl.resolve.hidden_kinds import audience
from dsl.resolve.kinds import AnyType
from dsl.resolve.symbol_table import World
from dsl.syntax import ast


def endings_by_label(world: World, ends: tuple[pr.Ending, ...]) -> dict[str, list[int]]:
    """The endings by what they are called, in any language."""
    found: dict[str, list[int]] = {}
    for index, end in enumerate(ends):
        texts = world.texts[end.label].texts if end.label is not None else ()
        for text in dict.fromkeys(text for _, text in texts):
            found.setdefault(text, []).append(index)
    return found


class Outcomes(Statements):
    """Elaborates what is said of a game from outside its rules: all expressions, and how it ended."""

    endings: dict[str, list[int]]
    """The endings by what they are called."""

    def name(self, tree: ast.NameExpr, expected: AnyType | None) -> ir.Expr:
        """`ended` alone reads like a name."""
        if tree.name == "ended" and tree.name not in (*self.world.callables, *self.world.globals):
            return self.ended((), tree)
        return super().name(tree, expected)

    def called(
        self, name: str, arguments: tuple[ast.Expr, ...], tree: ast.Expr, expected: AnyType | None
    ) -> ir.Expr:
        if name in self.world.callables:
            return super().called(name, arguments, tree, expected)
        match name:
            case "won" | "lost":
                return self.result(name, arguments, tree)
            case "ended":
                return self.ended(arguments, tree)
            case "sees":
                return self.sees(arguments, tree)
            case _:
                return super().called(name, arguments, tree, expected)

    def result(self, name: str, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        args = self.arguments([w.Param("player", Id(0))], arguments, tree, name)
        if args is None:
            return BAD
        won = ir.Op(TRUTH, "won", args)
        return won if name == "won" else ir.Op(TRUTH, "and", (ir.Op(TRUTH, "over", ()), negation(won)))

    def ended(self, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        """`ended` alone, or `ended("words")`: by the ending with that label."""
        if not arguments:
            return ir.Op(TRUTH, "over", ())
        text = arguments[0].text if isinstance(arguments[0], ast.Text) else ""
        found = self.endings.get(text, [])
        if not found:
            hint = self.world.nearest(text, list(self.endings))
            return self.unknown(
                "ending", tree.span, tr('no ending is called "{text}"', text=text), name=text, hint=hint
            )
        reason = ir.Op(Int(-2, 4096), "reason", ())
        test: ir.Expr = ir.Op(TRUTH, "eq", (reason, number(found[0])))
        for other in found[1:]:
            test = ir.Op(TRUTH, "or", (test, ir.Op(TRUTH, "eq", (reason, number(other)))))
        return test

    def sees(self, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
        """`sees(p, x.field)`: whether a player sees what a field holds, or of a card where it lies."""
        if len(arguments) != 2:
            hint = "write `sees(p, x.field)`, or `sees(p, c)` of a card"
            return self.fault(
                Code.WRONG_ARGUMENTS, tree.span, "`sees` takes a player and what he may see", hint=hint
            )
        viewer, thing = self.scalar_of(arguments[0], PLAYER), self.expr(arguments[1])
        if not known(viewer) or not known(thing):
            return BAD
        found = self.seen_of(thing)
        if found is None:
            return self.fault(
                Code.TYPE_MISMATCH,
                arguments[1].span,
                "this is neither a field nor a card",
                hint="write `sees(p, x.field)`, or `sees(p, c)` of a card",
            )
        var, owner = found
        who = audience(self.world, var)
        return TRUE if who is None else self.seen_by(who, owner, viewer)

    def scalar_of(self, tree: ast.Expr, type_: Id) -> ir.Expr:
        return self.coerce(self.expr(tree, type_), type_, tree.span)

    def seen_of(self, thing: ir.Expr) -> tuple[w.Var, ir.Expr] | None:
        """The variable that an expression reads, and of which member; of a card that of its pile."""
        while (
            isinstance(thing, ir.Op)
            and thing.op in {"some", "narrow", "cast", "item"}
            and thing.type != TRUTH
        ):
            thing = thing.args[0]
        if isinstance(thing, ir.Load | ir.LoadItem):
            return self.world.vars[thing.var], thing.owner or number(0)
        kind = thing.type
        pool = self.world.domains[kind.domain].pool if isinstance(kind, Id) else None
        if not isinstance(kind, Id) or pool is None or pool.pile is None:
            return None
        card = ir.Op(Id(kind.domain), "some", (thing,)) if kind.optional else thing
        return self.world.vars[pool.pile], card

    def seen_by(self, who: ir.Expr, owner: ir.Expr, viewer: ir.Expr) -> ir.Expr:
        """A truth of local 0, the member, and local 1, who looks, for two that are given; what it binds, anew."""
        given = {0: owner, 1: viewer}
        fresh: dict[int, int] = {}
        for each in walk_ir(who):
            if isinstance(each, ir.Local) and each.index not in given and each.index not in fresh:
                fresh[each.index] = self.body.new(each.type).index

        def placed(node: ir.Expr) -> ir.Expr:
            match node:
                case ir.Local(index=index):
                    return given[index] if index in given else replace(node, index=fresh[index])
                case ir.Scan(index=index, kept=kept):
                    return replace(node, index=fresh.get(index, index), kept=fresh.get(kept, kept))
                case ir.Fold(index=index) | ir.LetIn(index=index) if index in fresh:
                    return replace(node, index=fresh[index])
                case _:
                    return node

        return map_expr(who, placed)
