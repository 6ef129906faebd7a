"""What every node has, and what stands in many: names, words for people, citations."""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from dsl.records import record
from dsl.source import Span


class Indexed:
    """Room in a node for the index of what stands in it, which `dsl.syntax.trees` makes when it is first asked for."""

    __slots__ = ("index",)

    index: Any


@record(frozen=True, slots=True)
class Node(Indexed):
    """Anything with a place in a source."""

    span: Span = field(kw_only=True, compare=False, repr=False)
    written: ClassVar[tuple[str, ...]] = ()
    """How a declaration, a statement or a line of a test is written that begins with a word of its own, for hints; a
    line for each of several such words.
    """


@record(frozen=True, slots=True)
class Name(Node):
    """An identifier where it stands."""

    text: str


@record(frozen=True, slots=True)
class Label(Node):
    """Words for people, by language; the language `""` is the one that the game's header declares.

    `{name}` in a text stands for the label of a value in scope.
    """

    texts: tuple[tuple[str, str], ...]


@record(frozen=True, slots=True)
class Citation(Node):
    """`[CA-041, house, camps]`: the handles of a clause.

    `ids` are rule numbers; `house` says that the line is ours; `families` are lower-case names that several
    clauses may share; `pins` are the ids after the colon of a test's citation.
    """

    ids: tuple[str, ...] = ()
    house: bool = False
    families: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
