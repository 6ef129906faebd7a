"""The syntax tree: one frozen node for each thing that an author can write.

Nodes are named for the constructs of the language reference. Children are tuples; `span` is keyword-only and
takes no part in equality, so that `parse(format(tree)) == tree` is plain equality. Nothing here is resolved:
names are text with a place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Anything with a place in a source."""

    span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier where it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Label(Node):
    """Words for people, by language; the language `""` is the one that the game's header declares.

    `{name}` in a text stands for the label of a value in scope.
    """

    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Citation(Node):
    """`[CA-041, house, camps]`: the handles of a clause.

    `ids` are rule numbers; `house` says that the line is ours; `families` are lower-case names that several
    clauses may share; `pins` are the ids after the colon of a test's citation.
    """

    ids: tuple[str, ...] = ()
    house: bool = False
    families: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class NameExpr(Node):
    """A variable, field, constant, row, type or value without arguments."""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneExpr(Node):
    """`none`."""


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string where an expression stands; only labels and tests may use it."""

    text: str


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """`roll 2d6`: the sum of `count` dice with `sides` sides."""

    count: int
    sides: int


@dataclass(frozen=True, slots=True)
class Legal(Node):
    """`legal ACTION(...)`: would the action be allowed now?"""

    call: Expr


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """`3 MI` inside braces or a bag cell."""

    count: int
    name: Name


@dataclass(frozen=True, slots=True)
class Braces(Node):
    """`{a, b}`, a set, or `{3 MI, 2 IL}`, a bag."""

    items: tuple[Expr | Amount, ...]


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`of.name`."""

    of: Expr
    name: Name


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """`function(arguments)`; an argument `at most n` is a `Bounded`."""

    function: Expr
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Bounded(Node):
    """`at most n` as an argument."""

    limit: Expr


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`of[key]`: the count of an element of a bag, or the n-th element of a list (from 1)."""

    of: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Located(Node):
    """`KIND at PLACE`: the piece of that kind which stands there."""

    kind: Expr
    place: Expr


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`op` is `-` or `not`."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`op` is one of `+ - * / and or is is-not < <= > >= in not-in has has-no has-any-of has-all-of`.

    `or` after an optional value gives the value used in place of `none`.
    """

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Rounded(Node):
    """`value rounded up|down|to zero`; `direction` is `up`, `down` or `zero`."""

    value: Expr
    direction: str


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`then if condition else other`."""

    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Selection(Node):
    """`name in domain where condition`: the one phrase that serves everything that ranges."""

    name: Name
    domain: Expr
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`any|no|count|all|first SELECTION`; `any` and `no` are truths, `all` is a set, `first` may be none."""

    quantifier: str
    selection: Selection


@dataclass(frozen=True, slots=True)
class Every(Node):
    """`every SELECTION satisfies condition`."""

    selection: Selection
    condition: Expr


@dataclass(frozen=True, slots=True)
class Total(Node):
    """`sum value for SELECTION`."""

    value: Expr
    selection: Selection


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """`least|most SELECTION by measure`, the set of all ties, or `lowest|highest ...`, the measure itself."""

    extreme: str
    selection: Selection
    measure: Expr


Expr = (
    NameExpr | Number | Truth | NoneExpr | Text | Roll | Legal | Tuple | Braces | Member | Apply | Bounded
    | Index | Located | Unary | Binary | Rounded | Range | Conditional | Quantified | Every | Total | Extreme
)  # fmt: skip


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    name: str


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class HeldType(Node):
    """`Carrier? up to n`: what a piece is in, and how many of its like that holds."""

    of: TypeExpr
    limit: Expr


@dataclass(frozen=True, slots=True)
class SetType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class BagType(Node):
    """`limit` bounds each count (255 where it is absent)."""

    of: TypeExpr
    limit: Expr | None = None


@dataclass(frozen=True, slots=True)
class ListType(Node):
    of: TypeExpr
    limit: Expr


@dataclass(frozen=True, slots=True)
class IntervalType(Node):
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class RecordType(Node):
    fields: tuple[Param, ...]


TypeExpr = (
    NamedType | RangeType | OptionalType | HeldType | SetType | BagType | ListType | IntervalType | RecordType
)


@dataclass(frozen=True, slots=True)
class Param(Node):
    name: Name
    type: TypeExpr | None = None


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements in order; `citation` is the one that stands behind the colon that opens it."""

    statements: tuple[Stmt, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Name
    value: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    value: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Gain(Node):
    """`target gains|loses [up to] value`; `verb` is the word, `saturates` whether `up to` is written."""

    target: Expr
    verb: str
    saturates: bool
    value: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call of an action, phase or effect table.

    `by` names the player who does it; `otherwise` runs when it is refused.
    """

    call: Expr
    by: Expr | None = None
    otherwise: Block | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Need(Node):
    condition: Expr
    reason: Label | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Random(Node):
    """`random x in S where C`: one element, each as likely."""

    selection: Selection
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class RollEach(Node):
    """`roll each N dS as NAME`: a list of dice, highest first."""

    count: Expr
    sides: int
    name: Name
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Return(Node):
    value: Expr | None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Say(Node):
    label: Label
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class OpenWindow(Node):
    """`open WINDOW(args)`."""

    call: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`name = value` in `with`, `change` and test options."""

    name: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Place(Node):
    """`place [N] KIND [of SIDE] at|in|beside PLACE [chosen by PLAYER] [with ...] [as NAME]`: from the supply."""

    count: int
    kind: Name
    owner: Expr | None
    where: str
    place: Expr
    settings: tuple[Setting, ...] = ()
    name: Name | None = None
    citation: Citation | None = None
    chooser: Expr | None = None


@dataclass(frozen=True, slots=True)
class TakeAway(Node):
    """`take away PIECE [for ever]`: back to the supply, or out of the game."""

    piece: Expr
    for_ever: bool = False
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """`draw N from PILE to PILE [as NAME]`: moves up to N cards from the top; NAME is how many there were."""

    count: Expr
    source: Expr
    target: Expr
    name: Name | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    pile: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move CARD to [the top of|the bottom of] PILE`; `end` is `top`, as where none is said, or `bottom`."""

    card: Expr
    pile: Expr
    end: str = "top"
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Later(Node):
    """`at start|end of PHASE: call`: a delayed effect, judged when it fires."""

    moment: str
    phase: Expr
    call: Call
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Rest(Node):
    """`for the rest of X: modify ...`: the names it reads are captured; copies count."""

    scope: Name
    modify: Modify
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """`P chooses|may choose [up to N|exactly N|order of] x in S where C "prompt"`.

    `how` is `one`, `up to`, `exactly` or `order`.
    """

    chooser: Expr
    optional: bool
    how: str
    limit: Expr | None
    selection: Selection
    prompt: Label | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Split(Node):
    """`P splits [up to] N over xs in S where C, up to M each "prompt"`."""

    chooser: Expr
    up_to: bool
    total: Expr
    selection: Selection
    each: Expr | None
    prompt: Label | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class SecretChoose(Node):
    """`A, B secretly choose x in S`: x becomes a value per chooser, `x[A]`, shown when all have chosen."""

    choosers: tuple[Expr, ...]
    selection: Selection
    prompt: Label | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class AskMenu(Node):
    """`P chooses:` / `P may:` / `P repeatedly chooses:` / `P repeatedly may:` with menu lines."""

    chooser: Expr
    optional: bool
    repeated: bool
    prompt: Label | None
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class If(Node):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for SELECTION:`; over a set fixed at entry. `for p in order of play` is a `ForOrder`."""

    selection: Selection
    body: Block


@dataclass(frozen=True, slots=True)
class ForOrder(Node):
    """`for p in order of play [where C]:`, over the players who are not out, from the first player on."""

    name: Name
    body: Block
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class RepeatTimes(Node):
    count: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Node):
    condition: Expr
    limit: Expr
    body: Block
    otherwise: Block | None = None


@dataclass(frozen=True, slots=True)
class Until(Node):
    """`until C: ... finally: ...`."""

    condition: Expr
    body: Block
    finally_: Block | None = None


@dataclass(frozen=True, slots=True)
class Together(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """Leaves the innermost loop or repeated menu."""

    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    citation: Citation | None = None


Stmt = (
    Let | Assign | Gain | Call | Need | Random | RollEach | Return | Say | OpenWindow | Place
    | TakeAway | Draw | Shuffle | Move | Later | Rest | Choose | Split | SecretChoose | AskMenu | If | For
    | ForOrder | RepeatTimes | RepeatUntil | Until | Together | Stop | Nothing
)  # fmt: skip


# ---------------------------------------------------------------- declarations: files and mods


@dataclass(frozen=True, slots=True)
class Import(Node):
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class HeaderField(Node):
    """A line of a header: a key and its raw items.

    They are names, texts as `Text`, numbers, and as names the signs `..` `:` `,` and the words `at most`.
    """

    key: Name
    items: tuple[Name | Text | Number, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`game|scenario|mod NAME [for GAME]:`."""

    kind: str
    name: Name
    target: Name | None
    fields: tuple[HeaderField, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Mode(Node):
    """`mode NAME [like NAME] ["label"]:`; `fields` are lines as in a header: who plays, in teams, and how long."""

    name: Name
    like: Name | None
    label: Label | None
    declarations: tuple[Declaration, ...]
    citation: Citation | None = None
    fields: tuple[HeaderField, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell(Node):
    """The raw text of one cell of a table row, stripped; the span covers that text."""

    text: str


@dataclass(frozen=True, slots=True)
class Row(Node):
    cells: tuple[Cell, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ExtendRows(Node):
    table: Name
    rows: tuple[Row, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ExtendFields(Node):
    name: Name
    fields: tuple[Field, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ExtendMenu(Node):
    name: Name
    params: tuple[Param, ...]
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Change(Node):
    """`change ROW: column = value, ...`."""

    target: Expr
    settings: tuple[Setting, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Replace(Node):
    declaration: Declaration


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove [CA-131]`, `remove NAME` or `remove KIND NAME`."""

    cited: Citation | None
    kind: Name | None
    name: Name | None
    citation: Citation | None = None


# ---------------------------------------------------------------- declarations: data


@dataclass(frozen=True, slots=True)
class TypeDecl(Node):
    """`type NAME = A | B | ...`: an enumeration of new names, a union, or another name for a type."""

    name: Name
    alternatives: tuple[TypeExpr, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Table(Node):
    """Rows of kinds (no `params`), a lookup (`params` and `result`) or a table of effects (`params` only).

    `rows[0]` is the header. `dash` is what `-` stands for. A parameter that is only a type is called `it`.
    """

    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    dash: Expr | None
    rows: tuple[Row, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Again(Node):
    """`again at end of [next] X(args)`: its initial value comes back; `moment` is `start` or `end`."""

    moment: str
    next: bool
    scope: Expr


@dataclass(frozen=True, slots=True)
class Seen(Node):
    """`seen by E`: a player, a set of players, `all` or `none`."""

    by: Expr


@dataclass(frozen=True, slots=True)
class Called(Node):
    label: Label


FieldClause = Again | Seen | Called


@dataclass(frozen=True, slots=True)
class Field(Node):
    name: Name
    type: TypeExpr
    initial: Expr | None
    clauses: tuple[FieldClause, ...]
    holder_leaves: Block | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class State(Node):
    """`state:` for the whole game, or `state of TYPE:` for each element of a type."""

    of: Name | None
    fields: tuple[Field, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Area(Node):
    """`area NAME [of TYPE]`: a set of cells that a map's legend marks."""

    name: Name
    of: Name | None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Shape(Node):
    """`shape NAME[, as drawn]:` and drawings of what a piece may cover around its anchor; turned unless `fixed`."""

    name: Name
    fixed: bool
    drawings: tuple[Text, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Supply(Node):
    """How many pieces there are: `kind` is `up to`, `one` or `column`.

    `per` names a type of which each element has pieces of its own.
    """

    kind: str
    count: Expr | None
    column: Name | None
    each_row: bool
    per: Name | None


@dataclass(frozen=True, slots=True)
class Piece(Node):
    name: Name
    of: Name | None
    supply: Supply | None
    fields: tuple[Field, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Pile(Node):
    """`pile NAME of PIECE [for each TYPE], seen by E, when empty: ...`: an ordered place for cards."""

    name: Name
    of: Name
    per: Name | None
    clauses: tuple[FieldClause, ...]
    when_empty: Block | None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class LegendItem(Node):
    """`plain`, `base of red` or `crystals = 3`."""

    name: Name
    of: Name | None = None
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class LegendLine(Node):
    sign: Text
    items: tuple[LegendItem, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Map(Node):
    """`map NAME on SHAPE(...)`; `drawing` is the text between the triple quotes, and its span covers that."""

    name: Name
    shape: Expr
    legend: tuple[LegendLine, ...]
    drawing: Text | None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Ruling(Node):
    """`ruling|option NAME: a | b = a` or `ruling NAME: 1..9 = 5`; choices are the written words."""

    kind: str
    name: Name
    choices: tuple[Name, ...]
    range: RangeType | None
    default: Name
    label: Label | None = None
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Round(Node):
    label: Label | None
    body: Block


@dataclass(frozen=True, slots=True)
class Setup(Node):
    side: Name | None
    body: Block


# ---------------------------------------------------------------- declarations: rules


@dataclass(frozen=True, slots=True)
class Value(Node):
    """`value NAME(params) -> TYPE = expr, rounded down, stages ...` or with a block that returns."""

    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Expr | Block
    rounding: str | None = None
    stages: tuple[Name, ...] = ()
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Target(Node):
    """What a clause is about: `NAME`, `TYPE.column`, with the parameters under names of the clause's own."""

    name: Name
    column: Name | None
    params: tuple[Param, ...] | None


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A handle: a citation's ids and families, or one name."""

    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class ReactionOrder(Node):
    """`order chosen by P`, or `order of play` (no chooser): what holds among reactions that no rank orders."""

    chooser: Expr | None = None


@dataclass(frozen=True, slots=True)
class Modify(Node):
    """`modify TARGET: OP`; `op` is `plus minus times becomes at-least at-most`."""

    target: Target
    op: str
    operand: Expr
    tail: Tail
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Permit(Node):
    """`verb` is `forbid` or `allow`; of several targets each has the clause."""

    verb: str
    targets: tuple[Target, ...]
    tail: Tail
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Action(Node):
    """`action` or `phase`; `by` names the acting player in it; `nested` is a declared depth (1 is `once`)."""

    kind: str
    name: Name
    params: tuple[Param, ...]
    by: Name | None
    label: Label | None
    nested: int | None
    body: Block
    order: ReactionOrder | None = None


@dataclass(frozen=True, slots=True)
class Reaction(Node):
    """`hook` is `before`, `after` or `instead`; of several targets each has the clause."""

    hook: str
    targets: tuple[Target, ...]
    tail: Tail
    body: Block


@dataclass(frozen=True, slots=True)
class Menu(Node):
    """Without lines of its own a menu waits for those of `extend menu`."""

    name: Name
    params: tuple[Param, ...]
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Window(Node):
    """`turns` is `alternately` (an action withdraws earlier passes) or `in turn` (a pass is final).

    `acting` is a name for the player or side whose turn it is.
    """

    name: Name
    players: tuple[Expr, ...]
    turns: str
    nested: int | None
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None
    acting: Name | None = None


@dataclass(frozen=True, slots=True)
class Ending(Node):
    """`victory P when C`, `defeat P when C`, `draw when C`; `kind` is that word.

    `at_once` tests at each commit. `otherwise [when C]` holds only when the bound ends the game.
    """

    kind: str
    who: Expr | None
    label: Label | None
    condition: Expr | None
    at_once: bool = False
    otherwise: bool = False
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Objective(Node):
    """`objective SIDE: C "words"`; no condition means `otherwise`: who wins when the bound ends the game."""

    side: Name
    condition: Expr | None
    label: Label | None
    citation: Citation | None = None


# ---------------------------------------------------------------- tests


@dataclass(frozen=True, slots=True)
class Given(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class Script(Node):
    """`kind` is `rolls`, `picks` or `shuffles`."""

    kind: str
    values: tuple[Expr, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Run(Node):
    call: Call
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Pass(Node):
    """`pass` as a move."""


@dataclass(frozen=True, slots=True)
class Times(Node):
    """`MOVE N times`: the same move, one after another."""

    move: Expr | Pass | Stop
    count: int


@dataclass(frozen=True, slots=True)
class Moves(Node):
    """`PLAYER: move; move`; a move is a call, a chosen value, `pass`, `stop` or an option's label."""

    player: Expr
    moves: tuple[Expr | Pass | Stop | Times, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Expect(Node):
    condition: Expr
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ExpectIllegal(Node):
    """`expect illegal CALL [by P] because [among] [IDS]`; without `among` exactly these clauses refuse."""

    call: Expr
    by: Expr | None
    because: Citation | None
    among: bool = False


@dataclass(frozen=True, slots=True)
class ExpectRefused(Node):
    """`expect illegal PLAYER: MOVE`: what is being asked does not offer this."""

    player: Expr
    move: Expr | Pass | Stop
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ExpectError(Node):
    code: Name
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class WithOption(Node):
    settings: tuple[Setting, ...]
    citation: Citation | None = None


TestLine = Given | Script | Run | Moves | Expect | ExpectIllegal | ExpectRefused | ExpectError | WithOption


@dataclass(frozen=True, slots=True)
class Test(Node):
    title: Text
    lines: tuple[TestLine, ...]
    citation: Citation | None = None


Declaration = (
    Import | Header | Mode | ExtendRows | ExtendFields | ExtendMenu | Change | Replace | Remove | TypeDecl
    | Table | State | Area | Shape | Piece | Pile | Map | Ruling | Round | Setup | Value | Modify | Permit | Action
    | Reaction | Menu | Window | Ending | Objective | Test
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File(Node):
    """One source file; `comments` are kept with their places for the formatter."""

    declarations: tuple[Declaration, ...]
    comments: tuple[Text, ...] = field(default=(), compare=False)
