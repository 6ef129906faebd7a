"""Expressions: what is computed, asked and chosen from."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.ast.base import Name, Node


@record(frozen=True, slots=True)
class NameExpr(Node):
    """A variable, field, constant, row, type or value without arguments."""

    name: str


@record(frozen=True, slots=True)
class Number(Node):
    value: int


@record(frozen=True, slots=True)
class Truth(Node):
    value: bool


@record(frozen=True, slots=True)
class NoneExpr(Node):
    """`none`."""


@record(frozen=True, slots=True)
class Text(Node):
    """A string where an expression stands; only labels and tests may use it."""

    text: str


@record(frozen=True, slots=True)
class Roll(Node):
    """`roll 2d6`: the sum of `count` dice with `sides` sides."""

    count: int
    sides: int


@record(frozen=True, slots=True)
class Legal(Node):
    """`legal ACTION(...) by PLAYER`: would the action be allowed now? By whom may be left out where somebody acts."""

    call: Expr
    by: Expr | None = None


@record(frozen=True, slots=True)
class Trial(Node):
    """`CONDITION after ACTION(...) by PLAYER`: would the condition hold if that were done?"""

    condition: Expr
    call: Expr
    by: Expr | None = None


@record(frozen=True, slots=True)
class Tuple(Node):
    items: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Amount(Node):
    """`3 MI` inside braces or a bag cell."""

    count: int
    name: Name


@record(frozen=True, slots=True)
class Braces(Node):
    """`{a, b}`, a set, or `{3 MI, 2 IL}`, a bag."""

    items: tuple[Expr | Amount, ...]


@record(frozen=True, slots=True)
class Member(Node):
    """`of.name`."""

    of: Expr
    name: Name


@record(frozen=True, slots=True)
class Apply(Node):
    """`function(arguments)`; an argument `at most n` is a `Bounded`."""

    function: Expr
    arguments: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Bounded(Node):
    """`at most n` as an argument."""

    limit: Expr


@record(frozen=True, slots=True)
class Index(Node):
    """`of[key]`: the count of an element of a bag, or the n-th element of a list (from 1)."""

    of: Expr
    key: Expr


@record(frozen=True, slots=True)
class Located(Node):
    """`KIND at PLACE`: the piece of that kind which stands there."""

    kind: Expr
    place: Expr


@record(frozen=True, slots=True)
class Unary(Node):
    """`op` is `-` or `not`."""

    op: str
    operand: Expr


@record(frozen=True, slots=True)
class Binary(Node):
    """`op` is one of `+ - * / and or is is-not < <= > >= in not-in has has-no has-any-of has-all-of`.

    `or` after an optional value gives the value used in place of `none`.
    """

    op: str
    left: Expr
    right: Expr


@record(frozen=True, slots=True)
class Rounded(Node):
    """`value rounded up|down|to zero`; `direction` is `up`, `down` or `zero`."""

    value: Expr
    direction: str


@record(frozen=True, slots=True)
class Range(Node):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@record(frozen=True, slots=True)
class Conditional(Node):
    """`then if condition else other`."""

    condition: Expr
    then: Expr
    other: Expr


@record(frozen=True, slots=True)
class Selection(Node):
    """`name in domain where condition`: the one phrase that serves everything that ranges."""

    name: Name
    domain: Expr
    condition: Expr | None = None


@record(frozen=True, slots=True)
class Quantified(Node):
    """`any|no|count|all|first SELECTION`; `any` and `no` are truths, `all` is a set, `first` may be none."""

    quantifier: str
    selection: Selection


@record(frozen=True, slots=True)
class Every(Node):
    """`every SELECTION satisfies condition`."""

    selection: Selection
    condition: Expr


@record(frozen=True, slots=True)
class Total(Node):
    """`sum value for SELECTION`."""

    value: Expr
    selection: Selection


@record(frozen=True, slots=True)
class Extreme(Node):
    """`least|most SELECTION by measure`, the set of all ties, or `lowest|highest ...`, the measure itself."""

    extreme: str
    selection: Selection
    measure: Expr


Expr = (
    NameExpr | Number | Truth | NoneExpr | Text | Roll | Legal | Trial | Tuple | Braces | Member | Apply | Bounded
    | Index | Located | Unary | Binary | Rounded | Range | Conditional | Quantified | Every | Total | Extreme
)  # fmt: skip
