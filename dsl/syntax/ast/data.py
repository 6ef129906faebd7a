"""Declarations of what there is: types, tables, fields, pieces, piles and maps."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.ast.base import Citation, Label, Name, Node
from dsl.syntax.ast.expressions import Expr, Text
from dsl.syntax.ast.files import Row
from dsl.syntax.ast.statements import Block
from dsl.syntax.ast.types import Param, RangeType, TypeExpr


@record(frozen=True, slots=True)
class TypeDecl(Node):
    """`type NAME = A | B | ...`: an enumeration of new names, a union, or another name for a type."""

    written = ("type Side = red | blue",)
    name: Name
    alternatives: tuple[TypeExpr, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Table(Node):
    """Rows of kinds (no `params`), a lookup (`params` and `result`) or a table of effects (`params` only).

    `rows[0]` is the header; `captions` are the rows `called`, which say what players call the columns. `dash` is what
    `-` stands for. A parameter that is only a type is called `it`.
    """

    written = ("table Troop:",)
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    dash: Expr | None
    rows: tuple[Row, ...]
    citation: Citation | None = None
    captions: tuple[Row, ...] = ()
    label: Label | None = None


@record(frozen=True, slots=True)
class Again(Node):
    """`again at end of [next] X(args)`: its initial value comes back; `moment` is `start` or `end`."""

    moment: str
    next: bool
    scope: Expr


@record(frozen=True, slots=True)
class Seen(Node):
    """`seen by E`: a player, a set of players, `all` or `none`."""

    by: Expr


@record(frozen=True, slots=True)
class Called(Node):
    label: Label


@record(frozen=True, slots=True)
class Uncounted(Node):
    """`not part of the position`: two positions may be the same that differ in this field."""


@record(frozen=True, slots=True)
class Undrawn(Node):
    """`never drawn`: players are shown nothing of this field."""


FieldClause = Again | Seen | Called | Uncounted | Undrawn


@record(frozen=True, slots=True)
class Field(Node):
    name: Name
    type: TypeExpr
    initial: Expr | None
    clauses: tuple[FieldClause, ...]
    holder_leaves: Block | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class State(Node):
    """`state:` for the whole game, or `state of TYPE:` for each element of a type."""

    written = ("state of Cell:",)
    of: Name | None
    fields: tuple[Field, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Area(Node):
    """`area NAME [of TYPE][, called LABEL]`: a set of cells that a map's legend marks."""

    written = ("area camp of Player",)
    name: Name
    of: Name | None
    label: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Shape(Node):
    """`shape NAME[, as drawn]:` and drawings of what a piece may cover around its anchor; turned unless `fixed`.

    With `from "FILE"` the drawings are those of `file`, and stand here when it has been read.
    """

    written = ("shape corner:",)
    name: Name
    fixed: bool
    drawings: tuple[Text, ...]
    citation: Citation | None = None
    file: Text | None = None


@record(frozen=True, slots=True)
class Supply(Node):
    """How many pieces there are: `kind` is `up to`, `one` or `column`.

    `per` names a type of which each element has pieces of its own.
    """

    kind: str
    count: Expr | None
    column: Name | None
    each_row: bool
    per: Name | None


@record(frozen=True, slots=True)
class Piece(Node):
    written = ("piece Rider, up to 2 each for each Player:",)
    name: Name
    of: Name | None
    supply: Supply | None
    fields: tuple[Field, ...]
    citation: Citation | None = None
    label: Label | None = None


@record(frozen=True, slots=True)
class Pile(Node):
    """`pile NAME of PIECE [for each TYPE], seen by E, when empty: ...`: an ordered place for cards."""

    written = ("pile hand of Card for each Player, seen by owner",)
    name: Name
    of: Name
    per: Name | None
    clauses: tuple[FieldClause, ...]
    when_empty: Block | None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class LegendItem(Node):
    """`plain`, `base of red` or `crystals = 3`."""

    name: Name
    of: Name | None = None
    value: Expr | None = None


@record(frozen=True, slots=True)
class LegendLine(Node):
    sign: Text
    items: tuple[LegendItem, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Map(Node):
    """`map NAME on SHAPE(...)`; `drawing` is the text between the triple quotes, and its span covers that.

    With `from "FILE"` it is the text of `file`, and stands here when that has been read. `like` are the declared
    legends that the map's own adds to.
    """

    written = ("map board on squares(8, 8)",)
    name: Name
    shape: Expr
    legend: tuple[LegendLine, ...]
    drawing: Text | None
    citation: Citation | None = None
    file: Text | None = None
    like: tuple[Name, ...] = ()


@record(frozen=True, slots=True)
class Legend(Node):
    """`legend NAME:` and its lines, for maps to use."""

    written = ("legend ground:",)
    name: Name
    lines: tuple[LegendLine, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Choice(Node):
    """`a` or `a "words"` of a ruling or option: the written word, and what players read."""

    text: str
    label: Label | None = None


@record(frozen=True, slots=True)
class Ruling(Node):
    """`ruling|option NAME: a "words" | b "words" = a` or `ruling NAME: 1..9 = 5`."""

    written = ("option fog: true | false = false", 'ruling cover: forest "In forests" | all_terrain = forest')
    kind: str
    name: Name
    choices: tuple[Choice, ...]
    range: RangeType | None
    default: Name
    label: Label | None = None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Round(Node):
    written = ("round:",)
    label: Label | None
    body: Block


@record(frozen=True, slots=True)
class Setup(Node):
    written = ("setup red: place Rider at a2",)
    side: Name | None
    body: Block
