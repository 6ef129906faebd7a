"""Labels with holes, and who is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.ratios import shown
from dsl.elaborate.bodies.scope import known
from dsl.elaborate.bodies.sides import NOBODY, decider
from dsl.ir import nodes as ir
from dsl.ir.types import Id
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import replace_type
from dsl.resolve.symbols import Value
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.parser import parse_expression

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements

HOLE = re.compile(r"\{([^{}]*)\}")
OPEN_HOLE = re.compile(r"\{([^\W\d][\w.]*)")


class Labels(Expressions):
    """Elaborates labels, and the players that decisions name."""

    @property
    def s(self) -> Statements:
        return cast("Statements", self)

    def player(self, tree: ast.Expr) -> ir.Expr | None:
        """Who decides: a player, or the player who decides for a side, if anybody does."""
        found = self.side(tree)
        if not known(found):
            return None
        if found.type == Id(0):
            return found
        if found.type == self.world.types["Side"]:
            kept = self.body.new(NOBODY)
            self.s.code.add(ir.SetLocal(kept.index, replace_type(decider(self.world, found), NOBODY)))
            return kept
        told = self.world.show(found.type)
        self.fault(Code.TYPE_MISMATCH, tree.span, tr("a player decides, this is {told}", told=told))
        return None

    def asked_anew(self, tree: ast.Expr, player: ir.Expr) -> tuple[mid.Mid, ...]:
        """What finds out at each of several questions who decides for a side by then; nothing for a player."""
        side = self.side(tree)
        if not isinstance(player, ir.Local) or side.type != self.world.types["Side"] or side.type == Id(0):
            return ()
        if not isinstance(self.world.callables.get("decider"), Value):
            return ()
        if not isinstance(side, ir.Const):
            kept = self.body.new(side.type)
            self.s.code.add(ir.SetLocal(kept.index, side))
            side = kept
        return (ir.SetLocal(player.index, replace_type(decider(self.world, side), NOBODY)),)

    def side(self, tree: ast.Expr) -> ir.Expr:
        """A player, or a side; anything else as it is."""
        found, side = self.scalar(tree, Id(0)), self.world.types["Side"]
        if not known(found) or found.type == Id(0) or not isinstance(found.type, Id):
            return found
        assert isinstance(side, Id)
        offset = self.world.offset(found.type.domain, side.domain)
        return found if offset is None else self.coerce(found, side, tree.span)

    def asked(self, label: ast.Label | None, tree: ast.Expr) -> tuple[int | None, tuple[ir.Expr, ...]]:
        """What is asked: the words, behind the name of the side for which somebody decides."""
        text, args = self.template(label, {}) if label else (None, ())
        if not isinstance(self.world.callables.get("decider"), Value):
            return text, args
        side = self.side(tree)
        if side.type == self.world.types["Side"] != Id(0):
            return self.world.prefixed(text, len(args)), (*args, side)
        return text, args

    def template(self, label: ast.Label, bindings: dict[str, ir.Expr]) -> tuple[int, tuple[ir.Expr, ...]]:
        """A label with its holes numbered, and what fills them."""
        label = self.world.spoken(label)
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

        for _, words in label.texts:
            if open_hole := OPEN_HOLE.search(HOLE.sub("", words)):
                message = "a `{` before a name has no `}` behind it"
                hint = tr("write `{shown}` for what is shown there", shown=f"{{{open_hole[1].rstrip('.')}}}")
                self.fault(Code.UNEXPECTED_TOKEN, label.span, message, hint=hint)
                break
        texts = tuple((lang, HOLE.sub(hole, words)) for lang, words in label.texts)
        return self.world.intern(self.world.translated(ast.Label(texts, span=label.span))), tuple(args)

    def hole(self, path: str, span: Span, bindings: dict[str, ir.Expr]) -> ir.Expr | None:
        """What a hole shows: any value, read where it stands in the source."""
        start = span.source.text.index(f"{{{path}}}", span.start, span.end) + 1
        tree = parse_expression(span.source, start, start + len(path), self.world.reporter.diagnostics)
        if tree is None:
            return None
        with self.body.inner():
            for name, value in bindings.items():
                self.body.bind(name, value)
            self.telling = tree
            found = self.expr(tree)
            self.telling = None
        return shown(self.world, found, span) if known(found) else None
