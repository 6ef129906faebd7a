"""Tests, which an author writes beside the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl.records import record
from dsl.source import Span
from dsl.syntax.ast.base import Citation, Name, Node
from dsl.syntax.ast.expressions import Expr, Text
from dsl.syntax.ast.statements import Block, Call, Setting, Stop
from dsl.syntax.ast.types import TypeExpr


@record(frozen=True, slots=True)
class Given(Node):
    written = ("given: gold = 3",)
    body: Block


@record(frozen=True, slots=True)
class Script(Node):
    """`kind` is `rolls`, `picks`, `shuffles`, or `decisions`: how many have been taken."""

    written = ("rolls 3, 5", "picks a2", "shuffles dagger, prayer")
    kind: str
    values: tuple[Expr, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Naming(Node):
    """`let NAME = E`: what E is when the line is reached, for the lines behind it."""

    name: Name
    value: Expr
    citation: Citation | None = None
    type: TypeExpr | None = None


@record(frozen=True, slots=True)
class Run(Node):
    written = ("run upkeep by red",)
    call: Call
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Pass(Node):
    """`pass` as a move."""


@record(frozen=True, slots=True)
class Times(Node):
    """`MOVE N times`: the same move, one after another."""

    move: Expr | Pass | Stop
    count: int


@record(frozen=True, slots=True)
class Moves(Node):
    """`PLAYER: move; move`; a move is a call, a chosen value, `pass`, `stop` or an option's label."""

    player: Expr
    moves: tuple[Expr | Pass | Stop | Times, ...]
    citation: Citation | None = None


@record(frozen=True, slots=True)
class Expect(Node):
    written = ("expect gold is 3",)
    condition: Expr
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExpectIllegal(Node):
    """`expect illegal CALL [by P] because [among] [IDS]`; without `among` exactly these clauses refuse."""

    call: Expr
    by: Expr | None
    because: Citation | None
    among: bool = False


@record(frozen=True, slots=True)
class ExpectRefused(Node):
    """`expect illegal PLAYER: MOVE`: what is being asked does not offer this."""

    player: Expr
    move: Expr | Pass | Stop
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExpectOffered(Node):
    """`expect legal PLAYER: MOVE`: what is being asked offers this, and it is not chosen."""

    player: Expr
    move: Expr | Pass | Stop
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExpectError(Node):
    code: Name
    citation: Citation | None = None


@record(frozen=True, slots=True)
class ExpectQuiet(Node):
    """`expect nothing asked`: nobody is to choose anything now."""

    citation: Citation | None = None


@record(frozen=True, slots=True)
class Asking(Node):
    """`ask every choice`: in this test a lone option is asked for as well, and not taken at once."""

    citation: Citation | None = None


@record(frozen=True, slots=True)
class WithOption(Node):
    written = ("option fog = true",)
    settings: tuple[Setting, ...]
    citation: Citation | None = None


TestLine = (
    Given
    | Naming
    | Script
    | Run
    | Moves
    | Expect
    | ExpectIllegal
    | ExpectRefused
    | ExpectOffered
    | ExpectError
    | ExpectQuiet
    | WithOption
    | Asking
)


@record(frozen=True, slots=True)
class Always(Node):
    """A promise: what holds at every stop of every game; with a condition, at those where it is met."""

    written = ('always "what it is about": n < 9',)
    title: Text
    condition: Expr | None
    lines: tuple[Expect, ...]
    citation: Citation | None = None


class _Unread(Node):
    """Room in a test for what makes its lines when they are first asked for."""

    __slots__ = ("unread",)

    unread: Callable[[], tuple[TestLine, ...]]


@record(frozen=True, slots=True)
class Test(_Unread):
    """Something that is so, with the lines that show it. Of a kept tree (`dsl.syntax.tree_cache`) these are made when
    somebody asks for them: after an edit few tests are looked into.
    """

    written = ('test "what is so":',)
    title: Text
    lines: tuple[TestLine, ...]
    citation: Citation | None = None
    only_for: tuple[Name, ...] = ()
    """The scenario, map and mods without which it is not played."""

    @classmethod
    def with_lines_later(
        cls,
        title: Text,
        lines: Callable[[], tuple[TestLine, ...]],
        citation: Citation | None,
        only_for: tuple[Name, ...],
        *,
        span: Span,
    ) -> Test:
        made = cls.__new__(cls)
        given = {"title": title, "unread": lines, "citation": citation, "only_for": only_for, "span": span}
        for name, value in given.items():
            object.__setattr__(made, name, value)
        return made

    def __getattr__(self, name: str) -> Any:
        """What is not there yet."""
        if name != "lines":
            raise AttributeError(name)
        lines = self.unread()
        object.__setattr__(self, "lines", lines)
        object.__delattr__(self, "unread")
        return lines
