"""Loops in the block of a value: names that are set again, without a write to the game.

A name that a `let` gives a type may be set. Each time it stands for a new local; what an `if` or a `for` sets in its
block is one expression behind it, of what the name was before: so that a value stays an expression.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.ratios import bare
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, ListOf, Record, SetOf, Type
from dsl.lower.ir_builder import number
from dsl.resolve.kinds import Unknown
from dsl.resolve.types import resolve
from dsl.syntax import ast
from dsl.syntax.trees import walk

Steps = list[tuple[int, ir.Expr]]
"""Locals and what each is bound to, one after another."""


class Loops:
    """The statements of one value that set names."""

    def __init__(self, e: Expressions) -> None:
        self.e = e
        self.typed: dict[str, Int | Id] = {}
        """The names that may be set, with their types."""
        self.fine = True

    def takes(self, statement: ast.Stmt) -> bool:
        """Is it a statement of a loop, not of the way through the value?"""
        if isinstance(statement, ast.If):
            return bool(self.typed) and not any(isinstance(each, ast.Return) for each in walk(statement))
        typed = isinstance(statement, ast.Let) and statement.type is not None
        return typed or isinstance(statement, ast.For | ast.Assign | ast.Gain)

    def steps(self, statements: Iterable[ast.Stmt]) -> Steps:
        """What statements set; `fine` is no longer so after a fault."""
        found: Steps = []
        for each in statements:
            match each:
                case ast.Let():
                    self._let(each, found)
                case ast.Assign(target=ast.NameExpr(name=name)) if name in self.typed:
                    self._set(name, self.e.expr(each.value, self.typed[name]), each.value, found)
                case ast.Gain(target=ast.NameExpr(name=name)) if name in self.typed:
                    self._gain(name, each, found)
                case ast.If():
                    self._choose(each, found)
                case ast.For():
                    self._go_through(each, found)
                case ast.Nothing():
                    pass
                case ast.Assign() | ast.Gain():
                    self._refuse(
                        each,
                        tr("a value computes, and sets only names of its own"),
                        tr("give the name a type where it begins, `let n: 0..9 = 0`, and set that"),
                    )
                case ast.Return():
                    self._refuse_return(each)
                case _:
                    hint = tr("only `let`, `if`, `for` and what is set stand here")
                    self._refuse(each, tr("a value computes, it does nothing"), hint)
        return found

    def _refuse(self, tree: ast.Stmt, message: str, hint: str) -> None:
        self.e.fault(Code.VALUE_BLOCK, tree.span, message, hint=hint)
        self.fine = False

    def _refuse_return(self, tree: ast.Return) -> None:
        hint = tr(
            "keep what is found in a name and return it behind the loop, or ask `first x in S where ...`"
        )
        self._refuse(tree, tr("a value returns nothing from within a loop"), hint)

    def _nothing_set(self, tree: ast.For | ast.If) -> None:
        returns = [each for each in walk(tree) if isinstance(each, ast.Return)]
        if returns:
            self._refuse_return(returns[0])
            return
        self._refuse(
            tree, tr("nothing is set here"), tr("set a name that has a type: `n = n + 1`, `n gains 1`")
        )

    def _let(self, tree: ast.Let, found: Steps) -> None:
        e, name = self.e, tree.name.text
        e.is_new(tree)
        if tree.type is None:
            value = e.expr(tree.value)
            self.fine &= known(value)
            local = e.body.new(bare(value).type)
            e.body.bind(name, local if known(value) else BAD)
            found.append((local.index, bare(value)))
            return
        type_ = resolve(e.world, tree.type)
        if not isinstance(type_, Int | Id):
            if not isinstance(type_, Unknown):
                message = tr("what is set in a value is a number, a truth or a thing")
                e.fault(Code.TYPE_MISMATCH, tree.type.span, message)
            self.fine = False
            e.body.bind(name, BAD)
            return
        self.typed[name] = type_
        self._set(name, e.expr(tree.value, type_), tree.value, found)

    def _set(self, name: str, value: ir.Expr, tree: ast.Expr, found: Steps) -> None:
        e, type_ = self.e, self.typed[name]
        same = e.coerce(value, type_, tree.span) if known(value) else BAD
        self.fine &= known(same)
        local = e.body.new(type_)
        found.append((local.index, same))
        e.body.bind(name, local)
        e.unlearn([name])

    def _gain(self, name: str, tree: ast.Gain, found: Steps) -> None:
        e, type_, now = self.e, self.typed[name], self.e.body.find(name)
        amount = e.whole(tree.value)
        if now is None or not isinstance(type_, Int) or type_.truth or not known(amount):
            if known(amount):
                e.fault(Code.TYPE_MISMATCH, tree.span, tr("only a number gains and loses here"))
            self.fine = False
            return
        total = e.compute("-" if tree.verb == "loses" else "+", now, amount, tree.value)
        if tree.saturates and known(total):
            assert isinstance(total.type, Int)
            for op, end in (("max", type_.low), ("min", type_.high)):
                total = ir.Op(total.type, op, (total, number(end)))
        self._set(name, total, tree.value, found)

    # ------------------------------------------------------------ what a block sets

    def _set_in(self, tree: ast.Stmt) -> list[str]:
        """The names that a statement sets, in the order in which they were brought in."""
        targets = (each.target for each in walk(tree) if isinstance(each, ast.Assign | ast.Gain))
        names = {each.name for each in targets if isinstance(each, ast.NameExpr)}
        return [name for name in self.typed if name in names]

    def _type(self, names: list[str]) -> Type:
        types = tuple(self.typed[name] for name in names)
        return types[0] if len(names) == 1 else Record(tuple(names), types)

    def _packed(self, names: list[str]) -> ir.Expr:
        """What some names stand for now, as one value."""
        values = tuple(self.e.body.find(name) or BAD for name in names)
        return values[0] if len(names) == 1 else ir.Op(self._type(names), "record", values)

    def _unpacked(self, names: list[str], value: ir.Expr, found: Steps) -> None:
        """From here on the names stand for the parts of a value."""
        whole = self.e.body.new(self._type(names))
        found.append((whole.index, value))
        for name, part in zip(names, self._parts(names, whole), strict=True):
            local = self.e.body.new(part.type)
            found.append((local.index, part))
            self.e.body.bind(name, local)
        self.e.unlearn(names)

    def _parts(self, names: list[str], whole: ir.Local) -> list[ir.Expr]:
        if len(names) == 1:
            return [whole]
        return [ir.Op(self.typed[name], "field", (whole, number(at))) for at, name in enumerate(names)]

    def _inner(self, statements: tuple[ast.Stmt, ...], names: list[str]) -> ir.Expr:
        """What the names stand for behind a block; what is brought in there is forgotten."""
        before = dict(self.typed)
        steps = self.steps(statements)
        result = self._packed(names)
        self.typed = before
        return wrapped_in(steps, result)

    def _choose(self, tree: ast.If, found: Steps) -> None:
        names = self._set_in(tree)
        if not names:
            self._nothing_set(tree)
            return
        self._unpacked(names, self._chosen(tree, names, 0), found)

    def _chosen(self, tree: ast.If, names: list[str], at: int) -> ir.Expr:
        e = self.e
        if at == len(tree.branches):
            with e.body.block():
                return self._inner(tree.otherwise.statements if tree.otherwise else (), names)
        condition, block = tree.branches[at]
        test = e.truth(condition)
        with e.body.block():
            e.learn(condition, holds=True)
            one = self._inner(block.statements, names)
        with e.body.block():
            e.learn(condition, holds=False)
            two = self._chosen(tree, names, at + 1)
        return ir.Op(self._type(names), "if", (test, one, two))

    def _go_through(self, tree: ast.For, found: Steps) -> None:
        e, names, selection = self.e, self._set_in(tree), tree.selection
        domain = e.domain(selection.domain)
        domain = e.from_the_top(domain, domain)
        if not names or not known(domain) or not isinstance(domain.type, SetOf | ListOf):
            if not names:
                self._nothing_set(tree)
            self.fine = False
            return
        type_ = self._type(names)
        start, kept = self._packed(names), e.body.new(type_)
        with e.body.block():
            element = e.body.new(domain.type.of)
            e.body.bind(selection.name.text, element)
            for name, part in zip(names, self._parts(names, kept), strict=True):
                e.body.bind(name, part)
            e.unlearn(names)
            where = None
            if selection.condition is not None:
                where = e.truth(selection.condition)
                e.learn(selection.condition, holds=True)
            step = self._inner(tree.body.statements, names)
        if where is not None:
            step = ir.Op(type_, "if", (where, step, kept))
        self._unpacked(names, ir.Scan(type_, element.index, domain, kept.index, start, step), found)


def wrapped_in(steps: Steps, result: ir.Expr) -> ir.Expr:
    """An expression in which the locals of some steps are bound."""
    for local, value in reversed(steps):
        result = ir.LetIn(result.type, local, value, result)
    return result
