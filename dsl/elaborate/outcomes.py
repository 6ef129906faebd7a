"""What tests and promises may ask beside all that rules may ask: whether, and how, the game has ended."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.elaborate.bodies.scope import BAD
from dsl.elaborate.bodies.statements import Statements
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from dsl.lower.ir_builder import negation, number
from dsl.resolve import symbols as w
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
