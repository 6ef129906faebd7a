"""What the names of a game may stand for: types, tables, state, and the heads of rules, each while it is built."""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import field
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Int, Type
from dsl.linker.modes import Standing, Where
from dsl.records import record
from dsl.resolve.kinds import AnyType
from dsl.source import Span
from dsl.syntax import ast


@record(frozen=True, slots=True)
class Inferred:
    """Where a type comes from that nobody has declared: the words of a column are its members."""

    table: int
    """The domain of its table's rows."""
    column: str


@record(slots=True)
class Domain:
    """A finite set under construction."""

    id: int
    name: str
    kind: str
    members: list[str] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    parts: tuple[int, ...] = ()
    looks: list[str] = field(default_factory=list)
    label: int | None = None
    table: Table | None = None
    pool: Pool | None = None
    where: list[Where] = field(default_factory=list)
    """Of the rows of a table: in which modes each is there."""
    index: dict[str, int] = field(default_factory=dict)
    fields: dict[str, int] = field(default_factory=dict)
    """Names of the state variables that each member has."""
    inferred: Inferred | None = None
    """The column whose words make the type; none where it is declared."""

    def add(self, name: str, label: int, look: str = "") -> int:
        number = len(self.members)
        self.members.append(name)
        self.labels.append(label)
        self.looks.append(look)
        self.index.setdefault(name, number)
        return number


@record(slots=True)
class Column:
    """A printed column: its type and where its values stand."""

    name: str
    type: AnyType
    data: int
    span: Span
    by_mode: bool = False
    """Does it print one thing in one mode, and another in another? Then the mode is the first index of its data."""
    cells: tuple[Span | None, ...] = ()
    """Where each row prints its value, in the order of the rows; none where it is a default."""
    absent: Span | None = None
    """Of a column that may hold nothing: the first cell, or row, that prints nothing."""
    value: int | None = None
    """The value that stands for the column where clauses modify it."""
    fixed: tuple[Span, str] | None = None
    """Where it is read before any clause stands, and for what (a `FIXED`)."""


@record(slots=True)
class Table:
    """A table of kinds: its columns, and the rows with their citations."""

    name: str
    domain: int
    columns: dict[str, Column] = field(default_factory=dict)
    row_clauses: list[int | None] = field(default_factory=list)
    likes: dict[tuple[str | None, int], int] = field(default_factory=dict)
    """By mode (None in a game without modes) and row, the row that it is like; none is like itself by way of others."""


@record(slots=True)
class Pool:
    """A type of pieces: which table its kinds are, and how its life is kept."""

    name: str
    domain: int
    table: Table | None
    kinds: list[int]
    owners: list[int | None]
    per: int | None = None
    """For each member of which domain there are so many; none where they are there for all."""
    in_play: int = -1
    out: int = -1
    pile: int | None = None
    order: int | None = None
    pile_domain: int | None = None
    pile_owners: list[tuple[int, int]] = field(default_factory=list)
    """The domain and the member that each pile is of; -1 and -1 where it is of none."""
    pile_words: list[int] = field(default_factory=list)
    """What each pile is called without its owner."""
    kind_data: int | None = None
    kind_var: int | None = None
    """The field `kind`, where not everybody sees of what kind such a piece is; `kind_data` then is how they begin."""


@record(slots=True)
class Var:
    """A state variable under construction; `initial` is filled when expressions can be read."""

    id: int
    name: str
    of: int | None
    type: Type
    role: str
    initial: ir.Expr | None = None
    audience: ir.Expr | None = None
    label: int | None = None
    clause: int | None = None
    armed: int | None = None
    """The truth that says a scope has begun since the field was set, for `again at end of next`."""
    field: ast.Field | None = None
    starts: tuple[tuple[ast.Field, Where], ...] = ()
    """How it begins in some modes; the narrowest first."""
    put_off: str = ""
    """`waits` or `lasts`, where it keeps what a statement puts off until a moment, or sets for a while."""


@record(slots=True)
class Param:
    """A parameter of a head."""

    name: str
    type: AnyType


@record(slots=True)
class Value:
    """A head of the question "how much": base and the clauses that later files add."""

    id: int
    name: str
    params: list[Param]
    result: AnyType | None
    decl: ast.Value | None
    clause: int | None = None
    base: ir.Expr | None = None
    """What a value of the language itself is, where no clause bears on it."""
    label: int | None = None
    """What players call it, where the author says so."""
    column: Column | None = None
    declared: Span | None = None
    """Of what an action is done with: its parameter, with the type that all clauses keep to."""
    variants: list[tuple[Standing, ast.Value]] = field(default_factory=list)
    """Its definitions by mode, where it has several; the first is `decl`."""
    modifies: list[tuple[ast.Modify, Guard]] = field(default_factory=list)
    lasting: list[tuple[ast.Modify, Any]] = field(default_factory=list)
    """Modifiers for the rest of something, with how they are counted (`delays.Lasting`)."""
    lowered: pr.Value | None = None
    busy: bool = False


@record(slots=True)
class Action:
    """A head of what may be done or happens."""

    id: int
    name: str
    kind: str
    params: list[Param]
    by: int | None
    decl: ast.Action | ast.Table
    clause: int | None = None
    label: int | None = None
    permits: list[tuple[ast.Permit | ast.Need, Guard]] = field(default_factory=list)
    reactions: list[tuple[ast.Reaction, Guard]] = field(default_factory=list)
    red: bool = False
    """Do its calls stand on the stack of the state, since it may ask somebody or meet itself again?"""
    asks: bool = False
    """May it ask somebody?"""
    asks_within: bool = False
    """May it ask somebody before its `after` clauses?"""
    leads: frozenset[str] = frozenset()
    """The actions with `after` clauses that it leads to before its own."""
    counted: bool = False
    """Does it, or what it leads to, say how often it may be met again (`once`, `nested at most n`)?"""
    depth_var: int | None = None
    depth: int | None = None
    mode: ir.Expr | None = None
    order: ast.ReactionOrder | None = None
    """What holds among reactions that no rank orders, where the head says so."""
    variants: list[tuple[Standing, ast.Action, int]] = field(default_factory=list)
    """Its definitions by mode, with their clauses, where it has several; the first is `decl`."""
    modified: dict[int, int] = field(default_factory=dict)
    """For each parameter that clauses modify, the value that gives what the action is done with."""

    @property
    def is_followed(self) -> bool:
        """Has it `after` clauses?"""
        return any(reaction.hook == "after" for reaction, _ in self.reactions)

    run: int = -1
    """Number of its procedure, or of its routine if it is red."""


@record(slots=True)
class Menu:
    """An open list of offers."""

    name: str
    params: list[Param]
    lines: list[tuple[ast.MenuLine, Guard]]
    decl: ast.Menu
    variants: bool = False
    """Is it declared by mode?"""


@record(slots=True)
class Window:
    """An open menu that several players share until all pass."""

    name: str
    decl: ast.Window
    lines: list[tuple[ast.MenuLine, Guard]]
    open_var: int
    routine: int
    depth_var: int | None
    variants: bool = False
    """Is it declared by mode?"""


@record(slots=True)
class Pile:
    """`base` is the number of its first pile in the pool's domain of piles; `per` the domain of "for each"."""

    name: str
    pool: int
    per: int | None
    base: int
    decl: ast.Pile
    refill: int | None = None
    audience: ir.Expr | None = None
    """Truth of local 0 (a card that lies there) and local 1 (the player): may he see it? None where all may."""


@record(slots=True)
class Lookup:
    """A table read by arguments."""

    name: str
    params: list[Param]
    result: AnyType
    data: int
    clause: int | None
    by_mode: bool = False


@record(slots=True)
class Area:
    """A named set of cells, or one for each member of a domain."""

    name: str
    of: int | None
    data: int


@record(slots=True)
class Shape:
    """A type of places that take several cells: what each covers, and for each cell the places anchored there.

    The type `Place` holds the places of all shapes. Its table `anchored` is read by a shape and a cell.
    """

    name: str
    cells: int
    anchored: int
    of: int | None = None
    """Of `Place`: the domain whose members are the shapes."""
    members: int | None = None
    """Of `Place`: the data that gives the places of each shape."""
    wide: int | None = None
    """Of any other where there is a `Place`: the data that gives each of its places as a `Place`."""


@record(slots=True)
class Option:
    """A choice made before the game."""

    name: str
    var: int
    decl: ast.Ruling | None


@record(frozen=True, slots=True)
class Guard:
    """What a declaration stands under: a mode's condition and a card's text, both already expressions or none;
    and the lets of its head.
    """

    condition: ir.Expr | None = None
    row: tuple[int, int] | None = None
    lets: tuple[ast.Let, ...] = ()
    names: tuple[str, ...] = ()
    """What a line that is added to a menu calls the menu's parameters, where it has names of its own."""


Callable = Value | Action | Menu | Window | Pile | Lookup | Area


@record(frozen=True, slots=True)
class Holding:
    """That pieces of one type may be in others: the field that says so, and what it says."""

    inner: int
    var: int
    limit: ast.Expr | None
    leaves: ast.Block | None
    span: Span


@record(frozen=True, slots=True)
class Printed:
    """Cells that an expression may give: of which column, of which rows, and what is computed with each."""

    column: Column
    rows: tuple[int, ...]
    becomes: Function[[int], int]
    value: int | None = None
    """The value that clauses make of the column, where some modify it."""


Interval = tuple[int, int]


@record(frozen=True, slots=True)
class Read:
    """Cells of a modified column that go into what has a range: told once it is known what clauses make of them.

    `reach` is what clauses make of a number there: its least and its greatest result, none where that is not known.
    """

    name: str
    type: Int
    printed: Printed
    span: Span
    reach: Function[[int], Interval | None]
    begins: bool
    """Is it read as something begins? A clause with a condition need not stand then."""
