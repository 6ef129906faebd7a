"""Headers, modes and tables of a file, and what mods change in those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.records import record
from dsl.syntax.ast.base import Citation, Label, Name, Node
from dsl.syntax.ast.expressions import Expr, Number, Text
from dsl.syntax.ast.statements import MenuLine, Setting
from dsl.syntax.ast.types import Param, TypeExpr

if TYPE_CHECKING:
    from dsl.syntax.ast.data import Field
    from dsl.syntax.ast.whole import Declaration


@record(frozen=True, slots=True)
class Import(Node):
    written = ("import map, units",)
    names: tuple[Name, ...]


@record(frozen=True, slots=True)
class Translation(Node):
    """`[NAME] "text" = "translation"`: `within` is what the text stands in; both texts' spans have their quotes."""

    within: Name | None
    source: Text
    translated: Text


@record(frozen=True, slots=True)
class Language(Node):
    """`language CODE:` and its lines: the game's words in another language."""

    written = ("language fr:",)
    name: Name
    lines: tuple[Translation, ...]


@record(frozen=True, slots=True)
class HeaderField(Node):
    """A line of a header: a key and its raw items.

    They are names, texts as `Text`, numbers, and as names the signs `..` `:` `,` and the words `at most`.
    """

    key: Name
    items: tuple[Name | Text | Number, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Header(Node):
    """`game|scenario|mod NAME [for GAME]:`."""

    written = ("game my_game:", "mod my_mod for my_game:", "scenario at_the_ford for my_game:")
    kind: str
    name: Name
    target: Name | None
    fields: tuple[HeaderField, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Mode(Node):
    """`mode NAME [like NAME] ["label"]:`; `fields` are lines as in a header: who plays, in teams, and how long."""

    written = ("mode duel:",)
    name: Name
    like: Name | None
    label: Label | None
    declarations: tuple[Declaration, ...]
    citation: Citation | None = None
    fields: tuple[HeaderField, ...] = ()


@record(frozen=True, slots=True)
class Cell(Node):
    """The raw text of one cell of a table row, stripped; the span covers that text."""

    text: str


@record(frozen=True, slots=True)
class Row(Node):
    """A row; `like` is the row of which it prints the cells that it leaves empty: `| mammoth like tank | ... |`."""

    cells: tuple[Cell, ...]
    citation: Citation | None = None
    like: Name | None = None


@record(frozen=True, slots=True)
class ExtendRows(Node):
    written = ("extend Troop:",)
    table: Name
    rows: tuple[Row, ...]
    citation: Citation | None = None
    captions: tuple[Row, ...] = ()


@record(frozen=True, slots=True)
class ExtendColumn(Node):
    """`extend TABLE with column NAME: TYPE [= VALUE]`: `initial` is what rows print that do not say it."""

    table: Name
    name: Name
    type: TypeExpr
    initial: Expr | None
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExtendType(Node):
    """`extend type NAME = A | B`: more members for a type that another declaration began."""

    name: Name
    alternatives: tuple[TypeExpr, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExtendFields(Node):
    name: Name
    fields: tuple[Field, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExtendMenu(Node):
    name: Name
    params: tuple[Param, ...]
    lines: tuple[MenuLine, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Change(Node):
    """`change ROW: column = value, ...`."""

    written = ("change dagger: power = 3",)
    target: Expr
    settings: tuple[Setting, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Replace(Node):
    written = ("replace value cost(t: Troop) -> 0..9 = 3",)
    declaration: Declaration


@record(frozen=True, slots=True)
class Remove(Node):
    """`remove [CA-131]`, `remove NAME`, `remove KIND NAME` or `remove TABLE.ROW`."""

    written = ("remove [RE-012]",)
    cited: Citation | None
    kind: Name | None
    name: Name | None
    citation: Citation | None = None
    table: Name | None = None
