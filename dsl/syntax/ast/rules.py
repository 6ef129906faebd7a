"""Declarations of rules: values, actions, menus, and the clauses about them."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.ast.base import Citation, Label, Name, Node
from dsl.syntax.ast.expressions import Expr
from dsl.syntax.ast.statements import Block, MenuLine
from dsl.syntax.ast.types import Param, TypeExpr


@record(frozen=True, slots=True)
class Value(Node):
    """`value NAME(params) -> TYPE = expr, rounded down, stages ..., called LABEL` or with a block that returns."""

    written = ("value cost(t: Troop) -> 0..9 = t.price + 1",)
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Expr | Block
    rounding: str | None = None
    stages: tuple[Name, ...] = ()
    called: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Target(Node):
    """What a clause is about: `NAME`, `TYPE.column`, with the parameters under names of the clause's own."""

    name: Name
    column: Name | None
    params: tuple[Param, ...] | None


@record(frozen=True, slots=True)
class Reference(Node):
    """Handles: a citation's ids and families, one name, or a clause's words with their quotes (`trees.handles_of`)."""

    handles: tuple[str, ...]


@record(frozen=True, slots=True)
class Tail(Node):
    """What may follow the head of a clause: `when C "reason", over A, ahead of B, once, nested at most n`.

    A reaction may be `owned by P`.
    """

    condition: Expr | None = None
    reason: Label | None = None
    over: tuple[Reference, ...] = ()
    ahead: tuple[Reference, ...] = ()
    nested: int | None = None
    owner: Expr | None = None


@record(frozen=True, slots=True)
class ReactionOrder(Node):
    """`order chosen by P`, or `order of play` (no chooser): what holds among reactions that no rank orders."""

    chooser: Expr | None = None


@record(frozen=True, slots=True)
class Modify(Node):
    """`modify TARGET: OP`; `op` is `plus minus times becomes at-least at-most`; only `times` may say a rounding."""

    written = ("modify cost(t): -1 when t.is_old",)
    target: Target
    op: str
    operand: Expr
    tail: Tail
    citation: Citation | None = None
    rounding: str | None = None


@record(frozen=True, slots=True)
class Permit(Node):
    """`verb` is `forbid` or `allow`; of several targets each has the clause."""

    written = ("allow enter when u.flies, over [RE-012]", "forbid enter when c.is_water")
    verb: str
    targets: tuple[Target, ...]
    tail: Tail
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Action(Node):
    """`action` or `phase`; `by` names the acting player in it; `nested` is a declared depth (1 is `once`)."""

    written = ('action take_gold(n: 1..3) by p "Take {n}":', "phase upkeep:")
    kind: str
    name: Name
    params: tuple[Param, ...]
    by: Name | None
    label: Label | None
    nested: int | None
    body: Block
    order: ReactionOrder | None = None


@record(frozen=True, slots=True)
class Reaction(Node):
    """`hook` is `before`, `after` or `instead`; of several targets each has the clause."""

    written = (
        "after move_to when c.is_water:",
        "before move_to when c.is_water:",
        "instead of enter when c.is_water:",
    )
    hook: str
    targets: tuple[Target, ...]
    tail: Tail
    body: Block


@record(frozen=True, slots=True)
class Menu(Node):
    """Without lines of its own a menu waits for those of `extend menu`."""

    written = ("menu orders(u: Unit):",)
    name: Name
    params: tuple[Param, ...]
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Window(Node):
    """`turns` is `alternately` (an action withdraws earlier passes) or `in turn` (a pass is final).

    `acting` is a name for the player or side whose turn it is.
    """

    written = ("window parley of red, blue as who, in turn until both pass:",)
    name: Name
    players: tuple[Expr, ...]
    turns: str
    nested: int | None
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None
    acting: Name | None = None
    prompt: Label | None = None


@record(frozen=True, slots=True)
class Ending(Node):
    """`victory P when C`, `defeat P when C`, `draw when C`; `kind` is that word.

    `at_once` tests at each commit. `otherwise [when C]` holds only when the bound ends the game.
    """

    written = ("defeat red when gold is 0", "draw when round > 20", "victory red when gold >= 9")
    kind: str
    who: Expr | None
    label: Label | None
    condition: Expr | None
    at_once: bool = False
    otherwise: bool = False
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Objective(Node):
    """`objective SIDE: C "words"`; no condition means `otherwise`: who wins when the bound ends the game."""

    written = ('objective red: ford.control is red en "hold the ford"',)
    side: Name
    condition: Expr | None
    label: Label | None
    citation: Citation | None = None
