"""A file as a whole."""

from __future__ import annotations

from dataclasses import field

from dsl.records import record
from dsl.syntax.ast.base import Node
from dsl.syntax.ast.data import (
    Area,
    Legend,
    Map,
    Piece,
    Pile,
    Round,
    Ruling,
    Setup,
    Shape,
    State,
    Table,
    TypeDecl,
)
from dsl.syntax.ast.expressions import Text
from dsl.syntax.ast.files import (
    Change,
    ExtendColumn,
    ExtendFields,
    ExtendMenu,
    ExtendRows,
    ExtendType,
    Header,
    Import,
    Language,
    Mode,
    Remove,
    Replace,
)
from dsl.syntax.ast.rules import Action, Ending, Menu, Modify, Objective, Permit, Reaction, Value, Window
from dsl.syntax.ast.tests import Always, Test

Declaration = (
    Import | Header | Language | Mode | ExtendRows | ExtendColumn | ExtendType | ExtendFields | ExtendMenu | Change
    | Replace | Remove | TypeDecl | Table | State | Area | Shape | Piece | Pile | Map | Legend | Ruling | Round | Setup
    | Value | Modify | Permit | Action | Reaction | Menu | Window | Ending | Objective | Test | Always
)  # fmt: skip


@record(frozen=True, slots=True)
class File(Node):
    """One source file; `comments` are kept with their places for the formatter."""

    declarations: tuple[Declaration, ...]
    comments: tuple[Text, ...] = field(default=(), compare=False)
