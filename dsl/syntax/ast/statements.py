"""Statements: what is done, decided and put off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.records import record
from dsl.syntax.ast.base import Citation, Label, Name, Node
from dsl.syntax.ast.expressions import Expr, Selection
from dsl.syntax.ast.types import TypeExpr

if TYPE_CHECKING:
    from dsl.syntax.ast.rules import Modify


@record(frozen=True, slots=True)
class Block(Node):
    """Statements in order; `citation` is the one that stands behind the colon that opens it."""

    statements: tuple[Stmt, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Let(Node):
    """With a type, in the block of a value, its name may be set again."""

    written = ("let n = gold + 1",)
    name: Name
    value: Expr
    citation: Citation | None = None
    type: TypeExpr | None = None


@record(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    value: Expr
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Gain(Node):
    """`target gains|loses [up to] value`; `verb` is the word, `saturates` whether `up to` is written."""

    target: Expr
    verb: str
    saturates: bool
    value: Expr
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Call(Node):
    """A call of an action, phase or effect table.

    `by` names the player who does it; `otherwise` runs when it is refused.
    """

    call: Expr
    by: Expr | None = None
    otherwise: Block | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Need(Node):
    written = ('need gold >= 2 "there is not enough gold"',)
    condition: Expr
    reason: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Random(Node):
    """`random x in S where C`: one element, each as likely."""

    written = ("random x in Cell where x.is_free",)
    selection: Selection
    citation: Citation | None = None


@record(frozen=True, slots=True)
class RollEach(Node):
    """`roll each N dS as NAME`: a list of dice, highest first."""

    written = ("roll each 3 d6 as results",)
    count: Expr
    sides: int
    name: Name
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Return(Node):
    written = ("return gold + 1",)
    value: Expr | None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Say(Node):
    written = ('say "It rains."',)
    label: Label
    citation: Citation | None = None


@record(frozen=True, slots=True)
class OpenWindow(Node):
    """`open WINDOW(args)`."""

    written = ("open parley",)
    call: Expr
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Setting(Node):
    """`name = value` in `with`, `change` and test options."""

    name: Name
    value: Expr


@record(frozen=True, slots=True)
class Place(Node):
    """`place [N] KIND [of SIDE] at|in|beside PLACE [chosen by PLAYER] [with ...] [as NAME]`: from the supply."""

    written = ("place Rider of red at a2",)
    count: int
    kind: Name
    owner: Expr | None
    where: str
    place: Expr
    settings: tuple[Setting, ...] = ()
    name: Name | None = None
    citation: Citation | None = None
    chooser: Expr | None = None


@record(frozen=True, slots=True)
class TakeAway(Node):
    """`take away PIECE [for ever]`: back to the supply, or out of the game."""

    written = ("take away u",)
    piece: Expr
    for_ever: bool = False
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Draw(Node):
    """`draw N from PILE to PILE [as NAME]`: moves up to N cards from the top; NAME is how many there were."""

    written = ("draw 2 from deck to discard",)
    count: Expr
    source: Expr
    target: Expr
    name: Name | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Shuffle(Node):
    written = ("shuffle deck",)
    pile: Expr
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Move(Node):
    """`move CARD to [the top of|the bottom of] PILE`; `end` is `top`, as where none is said, or `bottom`."""

    written = ("move c to discard",)
    card: Expr
    pile: Expr
    end: str = "top"
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Later(Node):
    """`at start|end of PHASE: call`: a delayed effect, judged when it fires."""

    moment: str
    phase: Expr
    call: Call
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Rest(Node):
    """`for the rest of X: modify ...`: the names it reads are captured; copies count."""

    scope: Name
    modify: Modify
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Choose(Node):
    """`P chooses|may choose [up to N|exactly N|order of] x in S where C "prompt", pass|stop "words"`.

    `how` is `one`, `up to`, `exactly` or `order`; `closing` says what the option is called that chooses nothing (more),
    and `closes` is its word, `pass` or `stop`.
    """

    chooser: Expr
    optional: bool
    how: str
    limit: Expr | None
    selection: Selection
    prompt: Label | None = None
    citation: Citation | None = None
    closes: str | None = None
    closing: Label | None = None


@record(frozen=True, slots=True)
class Split(Node):
    """`P splits [up to] N over xs in S where C, up to M each "prompt"`."""

    chooser: Expr
    up_to: bool
    total: Expr
    selection: Selection
    each: Expr | None
    prompt: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class SecretChoose(Node):
    """`A, B secretly choose x in S`: x becomes a value per chooser, `x[A]`, shown when all have chosen."""

    choosers: tuple[Expr, ...]
    selection: Selection
    prompt: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class MenuLine(Node):
    """One line of a menu: `kind` is `call`, `pass` or `stop`.

    `call` may also name a menu, whose lines it takes in.
    """

    kind: str
    call: Call | None
    label: Label | None = None
    selections: tuple[Selection, ...] = ()
    condition: Expr | None = None
    body: Block | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class AskMenu(Node):
    """`P chooses:` / `P may:` / `P repeatedly chooses:` / `P repeatedly may:` with menu lines.

    `otherwise` is done where none of them can be chosen.
    """

    chooser: Expr
    optional: bool
    repeated: bool
    prompt: Label | None
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None
    otherwise: Block | None = None


@record(frozen=True, slots=True)
class If(Node):
    written = ("if gold > 3: gold loses 1",)
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None = None


@record(frozen=True, slots=True)
class For(Node):
    """`for SELECTION:`; over a set fixed at entry. `for p in order of play` is a `ForOrder`."""

    written = ("for u in Unit where u.owner is p: u.is_tired = true",)
    selection: Selection
    body: Block


@record(frozen=True, slots=True)
class ForOrder(Node):
    """`for p in order of play [where C]:`, over the players who are not out, from the first player on."""

    name: Name
    body: Block
    condition: Expr | None = None


@record(frozen=True, slots=True)
class RepeatTimes(Node):
    written = ("repeat 3 times: gold gains 1",)
    count: Expr
    body: Block


@record(frozen=True, slots=True)
class RepeatUntil(Node):
    condition: Expr
    limit: Expr
    body: Block
    otherwise: Block | None = None


@record(frozen=True, slots=True)
class Until(Node):
    """`until C: ... finally: ...`."""

    written = ("until gold > 3:",)
    condition: Expr
    body: Block
    finally_: Block | None = None


@record(frozen=True, slots=True)
class Together(Node):
    written = ("together:",)
    body: Block


@record(frozen=True, slots=True)
class Stop(Node):
    """Leaves the innermost loop or repeated menu."""

    written = ("stop",)
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Nothing(Node):
    written = ("nothing",)
    citation: Citation | None = None


Stmt = (
    Let | Assign | Gain | Call | Need | Random | RollEach | Return | Say | OpenWindow | Place
    | TakeAway | Draw | Shuffle | Move | Later | Rest | Choose | Split | SecretChoose | AskMenu | If | For
    | ForOrder | RepeatTimes | RepeatUntil | Until | Together | Stop | Nothing
)  # fmt: skip
