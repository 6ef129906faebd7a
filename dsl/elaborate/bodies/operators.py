"""Operators: arithmetic in exact intervals, comparisons, truths and sets.

Every number has a range that is known when the game is compiled. Sums and products widen it; a division says how it
rounds; what is stored must fit again, or is checked in play.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies import ratios
from dsl.elaborate.bodies.comparisons import Comparisons
from dsl.elaborate.bodies.facts import key
from dsl.elaborate.bodies.scope import BAD, BIGGEST, known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, BagOf, Id, Int, SetOf
from dsl.lower.ir_builder import TRUE, negation, number, replace_type
from dsl.resolve import kinds
from dsl.resolve.comparison_notes import Joined, parts_of, speak_of_one
from dsl.resolve.kinds import AnyType
from dsl.source import Span
from dsl.syntax import ast

SETS = {"+": "union", "-": "minus"}
BAGS = {"+": "bag_add", "-": "bag_sub"}


class Operators(Comparisons):
    """Elaborates unary and binary operators, roundings, ranges and conditionals."""

    def unary(self, tree: ast.Unary) -> ir.Expr:
        if tree.op == "not":
            return negation(self.truth(tree.operand))
        found = self.scalar(tree.operand)
        of = ratios.bare(found) if ratios.as_ratio(found) else self.number_of(found, tree.operand)
        if not known(of):
            return BAD
        return ratios.ratio(self.minus(of), ratios.parts_of(found))

    def minus(self, of: ir.Expr) -> ir.Expr:
        assert isinstance(of.type, Int)
        type_ = Int(-of.type.high, -of.type.low)
        if isinstance(of, ir.Const) and isinstance(of.value, int):
            return ir.Const(type_, -of.value)
        return ir.Op(type_, "neg", (of,))

    def binary(self, tree: ast.Binary, expected: AnyType | None) -> ir.Expr:
        match tree.op:
            case "and":
                return self.both(tree)
            case "or":
                return self.either(tree, expected)
            case "is":
                return self.equal(tree)
            case "is-not":
                return negation(self.equal(tree))
            case "in":
                return self.contains(tree.right, tree.left, tree)
            case "not-in":
                return negation(self.contains(tree.right, tree.left, tree))
            case "has":
                return self.has(tree)
            case "has-no":
                return negation(self.has(tree))
            case "has-any-of" | "has-all-of":
                return self.has_several(tree)
            case "<" | "<=" | ">" | ">=":
                return self.ordered(tree)
            case _:
                return self.arithmetic(tree, expected)

    # ------------------------------------------------------------ truths

    def both(self, tree: ast.Binary) -> ir.Expr:
        left = self.truth(tree.left)
        with self.body.inner():
            self.learn(tree.left, holds=True)
            right = self.truth(tree.right)
        self.note_joined(tree, left, right)
        if left == TRUE:
            return right
        return left if right == TRUE else ir.Op(TRUTH, "and", (left, right))

    def note_joined(self, tree: ast.Binary, left: ir.Expr, right: ir.Expr) -> None:
        """Notes the parts of a condition, two of which may exclude each other (`futile.warn_of_exclusive`)."""
        trees = parts_of(tree, tree.op)
        if not speak_of_one(trees) or not (known(left) and known(right)):
            return
        found = [*_joined(tree.left, left, tree.op), *_joined(tree.right, right, tree.op)]
        self.world.joined.setdefault(tree.span, Joined(tree.op, [])).parts.append(found)

    def either(self, tree: ast.Binary, expected: AnyType | None) -> ir.Expr:
        """`or` between truths; after an optional value, what stands for none."""
        left = self.expr(tree.left, expected)
        if ratios.as_ratio(left):
            return self.or_fraction(left, tree)
        if known(left) and isinstance(left.type, Int | Id) and left.type.optional:
            right = self.expr(tree.right, replace(left.type, optional=False))
            if ratios.as_ratio(right):
                return self.or_fraction(left, tree)
            one, two, type_ = self.join(
                replace_type(left, replace(left.type, optional=False)), right, tree.span
            )
            return (
                ir.Op(type_, "else_", (replace(one, type=left.type) if known(one) else BAD, two))
                if known(two)
                else BAD
            )
        if isinstance(left, ir.Lookup) and left.type != TRUTH and known(left):
            one, two, _ = self.join(left, self.expr(tree.right, left.type), tree.span)
            return one if known(two) else BAD  # a row that a later file adds may print `-` there
        if known(left) and left.type != TRUTH:
            shown = self.world.show(left.type)
            hint = "only a value that may be none takes a replacement with `or`"
            if key(tree.left) in self.body.facts and _found_to_be_there(left):
                hint = tr(
                    "a condition before has said that `{value}` is not none: leave `or {other}` out",
                    value=tree.left.span.text,
                    other=tree.right.span.text,
                )
            return self.fault(
                Code.TYPE_MISMATCH,
                tree.left.span,
                tr("`or` stands between conditions, this is {shown}", shown=shown),
                hint=hint,
            )
        with self.body.inner():
            self.learn(tree.left, holds=False)
            if not known(left):  # whether it is a condition, or what may be none, is not known either
                self.expr(tree.right)
                return BAD
            right = self.truth(tree.right, meant=_one_of(tree))
        self.note_joined(tree, left, right)
        return ir.Op(TRUTH, "or", (left, right))

    def or_fraction(self, left: ir.Expr, tree: ast.Binary) -> ir.Expr:
        """`t.coef or 1`."""
        right = self.scalar(tree.right)
        even = ratios.level(self, left, right, tree) if known(right) else None
        if even is None or not known(even[0]) or not known(even[1]):
            return BAD
        one, two, parts = even
        assert isinstance(one.type, Int) and isinstance(two.type, Int)
        both = Int(min(one.type.low, two.type.low), max(one.type.high, two.type.high))
        wide = replace_type(one, replace(both, optional=True))
        return ratios.ratio(ir.Op(both, "else_", (wide, replace_type(two, both))), parts)

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self, tree: ast.Binary, expected: AnyType | None) -> ir.Expr:
        if (fraction := ratios.literal(tree)) is not None:
            return fraction
        left = self.expr(tree.left, expected if isinstance(expected, SetOf | BagOf) else None)
        if isinstance(left.type, Id) and self.world.domains[left.type.domain].kind == "pile":
            left = self.cards_in(left)
        if known(left) and isinstance(left.type, SetOf | BagOf):
            return self.collections(tree, left)
        right_expected = left.type if known(left) and isinstance(left.type, SetOf | BagOf) else None
        right = self.expr(tree.right, right_expected)
        if isinstance(right.type, SetOf) and isinstance(left.type, Int | Id) and left.type.optional:
            return self.collections(tree, self.at_most_one(left, left.type))
        if tree.op == "/" and ratios.as_ratio(left) and isinstance(tree.right, ast.Number):
            return self.exact(tree, left, right)
        if tree.op != "/" and (ratios.as_ratio(left) or ratios.as_ratio(right)):
            return self.exact(tree, left, right)
        for side, part in ((left, tree.left), (right, tree.right)):
            if ratios.as_ratio(side):
                continue
            if known(side) and not (isinstance(side.type, Int) and not side.type.truth):
                return self.fault(
                    Code.TYPE_MISMATCH,
                    part.span,
                    tr(
                        "`{op}` computes with numbers, this is {type}",
                        op=tree.op,
                        type=self.world.show(side.type),
                    ),
                )
        left, right = self.present(left, tree.left.span), self.present(right, tree.right.span)
        if not known(left) or not known(right):
            return BAD
        if tree.op == "/":
            return self.fault(
                Code.UNROUNDED,
                tree.span,
                "a division says how it rounds",
                hint=tr("write `{tree} rounded down`, or `rounded up`", tree=tree.span.text),
            )
        return self.compute(tree.op, left, right, tree)

    def exact(self, tree: ast.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """A sum, difference or product with a fraction in it, which is a fraction."""
        left, right = self.present(left, tree.left.span), self.present(right, tree.right.span)
        if not known(left) or not known(right):
            return BAD
        if tree.op == "/" and isinstance(tree.right, ast.Number) and tree.right.value:
            parts = ratios.parts_of(left) * tree.right.value
            found = ratios.bare(left)
            small = parts <= kinds.MOST_PARTS
            return ratios.ratio(found, parts) if small else self.uneven(tree, left, right)
        if tree.op == "*":
            parts = ratios.parts_of(left) * ratios.parts_of(right)
            if parts > kinds.MOST_PARTS or not all(
                ratios.as_ratio(each) or (isinstance(each.type, Int) and not each.type.truth)
                for each in (left, right)
            ):
                return self.uneven(tree, left, right)
            found = self.compute("*", ratios.bare(left), ratios.bare(right), tree)
        else:
            even = ratios.level(self, left, right, tree)
            if even is None:
                return self.uneven(tree, left, right)
            parts = even[2]
            if not known(even[0]) or not known(even[1]):
                return BAD
            found = self.compute(tree.op, even[0], even[1], tree)
        return ratios.ratio(found, parts) if known(found) else BAD

    def uneven(self, tree: ast.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        shown = tr("{type} and {type2}", type=self.world.show(left.type), type2=self.world.show(right.type))
        return self.fault(
            Code.TYPE_MISMATCH,
            tree.span,
            tr("`{op}` cannot compute with these: {shown}", op=tree.op, shown=shown),
            hint="fractions go with numbers; round what has too small parts first",
        )

    def compute(self, op: str, left: ir.Expr, right: ir.Expr, tree: ast.Expr) -> ir.Expr:
        assert isinstance(left.type, Int) and isinstance(right.type, Int)
        a, b, c, d = left.type.low, left.type.high, right.type.low, right.type.high
        name, bounds = {
            "+": ("add", (a + c, b + d)),
            "-": ("sub", (a - d, b - c)),
            "*": ("mul", (min(a * c, a * d, b * c, b * d), max(a * c, a * d, b * c, b * d))),
        }[op]
        if bounds[0] < -BIGGEST or bounds[1] > BIGGEST:
            return self.fault(
                Code.OUT_OF_RANGE,
                tree.span,
                tr(
                    "this may reach {bounds}, more than {biggest}",
                    bounds=max(-bounds[0], bounds[1]),
                    biggest=BIGGEST,
                ),
                hint="give what it computes with smaller ranges",
            )
        type_ = Int(*bounds)
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return ir.Const(type_, bounds[0])
        return ir.Op(type_, name, (left, right))

    def collections(self, tree: ast.Binary, left: ir.Expr) -> ir.Expr:
        ops = SETS if isinstance(left.type, SetOf) else BAGS
        if tree.op not in ops:
            return self.fault(
                Code.TYPE_MISMATCH,
                tree.span,
                tr("`{op}` does not go with sets", op=tree.op),
                hint="`+` joins two, `-` takes away",
            )
        right = self.expr(tree.right, left.type)
        if isinstance(right.type, Id) and self.world.domains[right.type.domain].kind == "pile":
            right = self.cards_in(right)
        if isinstance(left.type, SetOf) and isinstance(right.type, Int | Id) and not right.type.optional:
            one = self.coerce(right, left.type.of, tree.right.span)
            return (
                ir.Op(left.type, ops[tree.op], (left, ir.Op(left.type, "single", (one,))))
                if known(one)
                else BAD
            )
        if (
            isinstance(left.type, BagOf)
            and isinstance(right.type, BagOf)
            and left.type.domain == right.type.domain
        ):
            more = right.type.limit if tree.op == "+" else 0
            return ir.Op(BagOf(left.type.domain, left.type.limit + more), ops[tree.op], (left, right))
        if isinstance(left.type, SetOf) and isinstance(right.type, SetOf):
            one, two, type_ = self.join(left, right, tree.span)
            return ir.Op(type_, ops[tree.op], (one, two)) if known(one) else BAD
        right = self.coerce(right, left.type, tree.right.span)
        return ir.Op(left.type, ops[tree.op], (left, right)) if known(right) else BAD

    def rounded(self, tree: ast.Rounded) -> ir.Expr:
        """`a / b rounded down`; a sum or product around the division is computed as written."""
        value = tree.value
        if not (isinstance(value, ast.Binary) and value.op == "/"):
            found = self.scalar(value) if not ratios.divides(value) else None
            if found is not None and not known(found):
                return BAD
            fraction = ratios.as_ratio(found) if found is not None else None
            if fraction is not None:
                return self.divided(fraction.of, number(fraction.type.parts), tree)
            return self.fault(
                Code.UNROUNDED,
                tree.span,
                "only a division or a fraction is rounded",
                hint="put the division in parentheses: `(a / b rounded up) + 1`",
            )
        left, right = self.scalar(value.left), self.scalar(value.right)
        above, below = self.numerator(left, value.left), self.numerator(right, value.right)
        if not known(above) or not known(below):
            return BAD
        if ratios.parts_of(left) != ratios.parts_of(right):
            above = ratios.multiplied(self, above, ratios.parts_of(right), tree)
            below = ratios.multiplied(self, below, ratios.parts_of(left), tree)
        return self.divided(above, below, tree) if known(above) and known(below) else BAD

    def numerator(self, found: ir.Expr, tree: ast.Expr) -> ir.Expr:
        """The number of parts of a fraction, or a number."""
        return ratios.bare(found) if ratios.as_ratio(found) else self.number_of(found, tree)

    def divided(self, left: ir.Expr, right: ir.Expr, tree: ast.Rounded) -> ir.Expr:
        assert isinstance(left.type, Int) and isinstance(right.type, Int)
        low, high = right.type.low, right.type.high
        divisors = [each for each in (low, high, -1, 1) if low <= each <= high and each != 0]
        if not divisors:
            return self.fault(Code.OUT_OF_RANGE, tree.span, "nothing can be divided by 0")
        ends = [_divide(n, m, tree.direction) for n in _ends(left.type) for m in divisors]
        zero = [0] if left.type.low <= 0 <= left.type.high else []
        type_ = Int(min(ends + zero), max(ends + zero))
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return ir.Const(type_, ends[0])
        return ir.Op(type_, f"div_{tree.direction}", (left, right))

    def range(self, tree: ast.Range) -> ir.Expr:
        low, high = self.whole(tree.low), self.whole(tree.high)
        if not known(low) or not known(high):
            return BAD
        assert isinstance(low.type, Int) and isinstance(high.type, Int)
        type_ = SetOf(Int(low.type.low, max(low.type.low, high.type.high)))
        if type_.of.high - type_.of.low >= 4096:  # type: ignore[union-attr]
            return self.fault(
                Code.LIMIT,
                tree.span,
                "this range has more than 4096 numbers",
                hint="name fewer numbers, or range over cells, rows or pieces",
            )
        if isinstance(low, ir.Const) and isinstance(high, ir.Const):
            if low.type.low > high.type.high and _is_written(tree.low) and _is_written(tree.high):
                a, b = high.type.high, low.type.low
                message = tr("from {b} up to {a} there is no number", a=a, b=b)
                hint = tr("write `{a}..{b}`; to count down, reckon with `{sum} - i`", a=a, b=b, sum=a + b)
                return self.fault(Code.OUT_OF_RANGE, tree.span, message, hint=hint)
            return ir.Const(type_, (1 << max(0, high.type.high - low.type.low + 1)) - 1)
        return ir.Op(type_, "between", (low, high))

    def conditional(self, tree: ast.Conditional, expected: AnyType | None) -> ir.Expr:
        test = self.truth(tree.condition)
        with self.body.inner():
            self.learn(tree.condition, holds=True)
            one = self.expr(tree.then, expected)
        with self.body.inner():
            self.learn(tree.condition, holds=False)
            two = self.expr(tree.other, expected or (one.type if known(one) else None))
        one = self.as_member(one, expected, tree.then.span)
        two = self.as_member(two, expected, tree.other.span)
        one, two, type_ = self.join(one, two, tree.span)
        return self.branching(test, one, two, type_) if known(one) else BAD


def _is_written(tree: ast.Expr) -> bool:
    """Does a plain number stand there, perhaps with a sign?"""
    return isinstance(tree.operand if isinstance(tree, ast.Unary) else tree, ast.Number)


def _ends(type_: Int) -> tuple[int, int]:
    return type_.low, type_.high


def _divide(n: int, m: int, direction: str) -> int:
    if direction == "down":
        return n // m
    if direction == "up":
        return -(-n // m)
    return n // m if (n < 0) == (m < 0) or n % m == 0 else -(-n // m)


def _one_of(tree: ast.Binary) -> str:
    """A hint for `x is 2 or 3`."""
    left = tree.left
    while isinstance(left, ast.Binary) and left.op == "or":
        left = left.right
    if not isinstance(left, ast.Binary) or left.op not in {"is", "is-not"}:
        return ""
    one, two, three = left.left.span.text, left.right.span.text, tree.right.span.text
    asked = f"{one} {'in' if left.op == 'is' else 'not in'} {{{two}, {three}}}"
    return tr("each side of `or` is a whole condition; one of several is asked by `{asked}`", asked=asked)


def _found_to_be_there(expr: ir.Expr) -> bool:
    """Is it a value that might be none, had no condition ruled that out?"""
    while isinstance(expr, ir.Op) and expr.op == "cast":
        expr = expr.args[0]
    return isinstance(expr, ir.Op) and expr.op == "some"


def _joined(tree: ast.Expr, expr: ir.Expr, op: str) -> list[tuple[Span, ir.Expr]]:
    """The parts of a condition, each with where it stands."""
    if isinstance(tree, ast.Binary) and tree.op == op and isinstance(expr, ir.Op) and expr.op == op:
        return [*_joined(tree.left, expr.args[0], op), *_joined(tree.right, expr.args[1], op)]
    return [(tree.span, expr)]
