"""Labels with holes, and who is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int
from dsl.semantics.expressions import Expressions
from dsl.semantics.scope import known, number, replace_type
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.parser import parse_expression

if TYPE_CHECKING:
    from dsl.semantics.statements import Statements

HOLE = re.compile(r"\{([^{}]*)\}")


class Labels(Expressions):
    """Elaborates labels, and the players that decisions name."""

    @property
    def s(self) -> Statements:
        return cast("Statements", self)

    def player(self, tree: ast.Expr) -> ir.Expr | None:
        """Who decides: a player, or the player who decides for a side (none for a neutral one)."""
        found = self.scalar(tree, Id(0))
        if not known(found):
            return None
        if found.type == Id(0):
            return found
        if isinstance(found.type, Id):
            domain = self.world.domains[found.type.domain]
            if domain.parts and domain.parts[0] == 0:
                n = len(self.world.domains[0].members)
                here = ir.Op(TRUTH, "lt", (ir.Op(Int(0, len(domain.members) - 1), "id", (found,)), number(n)))
                one = replace_type(ir.Op(Id(0), "cast", (found, number(0))), Id(0, optional=True))
                return ir.Op(Id(0, optional=True), "if", (here, one, ir.Const(Id(0, optional=True), NONE)))
        shown = self.world.show(found.type)
        self.fault(Code.TYPE_MISMATCH, tree.span, f"a player decides, this is {shown}")
        return None

    def template(self, label: ast.Label, bindings: dict[str, ir.Expr]) -> tuple[int, tuple[ir.Expr, ...]]:
        """A label with its holes numbered, and what fills them."""
        args: list[ir.Expr] = []
        numbers: dict[str, int] = {}

        def hole(match: re.Match[str]) -> str:
            path = match[1]
            if path not in numbers:
                value = self.hole(path, label.span, bindings)
                if value is None:
                    return match[0]
                numbers[path] = len(args)
                args.append(value)
            return f"{{{numbers[path]}}}"

        texts = tuple((lang, HOLE.sub(hole, words)) for lang, words in label.texts)
        return self.world.text(ast.Label(texts, span=label.span)), tuple(args)

    def hole(self, path: str, span: Span, bindings: dict[str, ir.Expr]) -> ir.Expr | None:
        """What a hole shows: any value, read where it stands in the source."""
        start = span.source.text.index(f"{{{path}}}", span.start, span.end) + 1
        tree = parse_expression(span.source, start, start + len(path), self.world.diagnostics)
        if tree is None:
            return None
        with self.body.inner():
            for name, value in bindings.items():
                self.body.bind(name, value)
            found = self.expr(tree)
        return found if known(found) else None
