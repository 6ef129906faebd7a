"""Python source under construction: lines, their depth, and the site that each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS

ATOM = re.compile(r"-?\w+|N")
CALLS = re.compile(
    rf"\b([vjg]\d+|{'|'.join(name for each in OPERATORS.values() for name in each.checked)}|reach|tried)\("
)
LONG = 400


def can_fail(code: str) -> bool:
    """Is something called in the code that can fail, so that it must stay in its order?"""
    return CALLS.search(code) is not None


@dataclass(frozen=True, slots=True)
class Origin:
    """The expression whose number a line refuses, and by which Python code its locals go there."""

    expr: ir.Expr
    env: dict[int, str]


@dataclass(frozen=True, slots=True)
class Line:
    """A line to be, how deep it stands, and the site and clause that it comes from; of a line that refuses a number
    also what makes the number.
    """

    depth: int
    text: str
    site: int
    clause: int
    origin: Origin | None = None


class Emitter:
    """Collects lines. `site` and `clause` (-1 none) are given to each line as it is written."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.depth = 0
        self.site = -1
        self.clause = -1
        self._fresh = 0

    def line(self, text: str, origin: Origin | None = None) -> None:
        self.lines.append(Line(self.depth, text, self.site, self.clause, origin))

    @contextmanager
    def indented(self, head: str) -> Iterator[None]:
        self.line(head)
        before = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def at(self, site: int) -> Iterator[None]:
        """Lines written inside come from this site."""
        before, self.site = self.site, site
        yield
        self.site = before

    @contextmanager
    def citing(self, clause: int | None) -> Iterator[None]:
        """Lines written inside come from this clause."""
        before, self.clause = self.clause, self.clause if clause is None else clause
        yield
        self.clause = before

    @contextmanager
    def captured(self, deeper: int = 0) -> Iterator[list[Line]]:
        """Lines written inside are kept apart."""
        outer, self.lines = self.lines, []
        self.depth += deeper
        yield self.lines
        self.lines = outer
        self.depth -= deeper

    def extend(self, lines: list[Line], deeper: int = 0) -> None:
        for each in lines:
            self.lines.append(Line(each.depth + deeper, each.text, each.site, each.clause, each.origin))

    def fresh(self, letter: str = "t") -> str:
        self._fresh += 1
        return f"{letter}{self._fresh}"

    def keep(self, code: str) -> str:
        """A name for the value of `code`, written down now; names and numbers stand for themselves."""
        if ATOM.fullmatch(code):
            return code
        name = self.fresh()
        self.line(f"{name} = {code}")
        return name
