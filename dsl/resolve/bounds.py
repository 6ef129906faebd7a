"""How much an author may ask for: what is finite is not yet small enough to run on somebody else's machine.

Each bound is far above what people play. What only the finished program tells (how long an expression may take, how
deep calls go) the verifier finds; see `blame`.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir.types import Id, Int
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.source import Span

BIGGEST = 2**30
"""The greatest number in a declared range."""
MOST_ELEMENTS = 4_096
"""Elements that a set can have."""
MOST_IN_LIST = 1_000
MOST_OF_A_KIND = 1_000_000
"""The count of one kind in a bag."""
MOST_FIELDS = 64
MOST_ROUNDS = 100_000
MOST_DECISIONS = 1_000_000
MOST_SLOTS = 60_000
"""Numbers that a whole state keeps."""
MOST_NESTED = 100
MOST_LOOPS = 4
"""Loops inside each other."""


def within(reporter: Reporter, span: Span, what: str, value: int, low: int, high: int) -> int:
    """The number, or the nearest one that is allowed, after a message."""
    if not low <= value <= high:
        reporter.error(
            Code.LIMIT,
            span,
            tr(
                "{what}: from {low} to {high}, not {value}",
                what=what,
                low=f"{low:,}",
                high=f"{high:,}",
                value=f"{value:,}",
            ),
            hint="write a smaller number" if value > high else "write a larger number",
        )
    return min(max(value, low), high)


def nested(reporter: Reporter, depth: int | None, span: Span) -> int | None:
    """How deep something may be met again within itself, for each step of which the game keeps what it needs."""
    return None if depth is None else within(reporter, head_of(span), "nested at most", depth, 1, MOST_NESTED)


def head_of(span: Span) -> Span:
    """The first line of what a span covers."""
    end = span.source.text.find("\n", span.start, span.end)
    return span.source.span(span.start, span.end if end < 0 else end)


def sized(world: World, element: Int | Id, span: Span) -> bool:
    """May a set or list hold elements of this type?"""
    if element.optional:
        world.error(Code.TYPE_MISMATCH, span, "a set or list holds no `none`", hint="leave out the `?`")
        return False
    size = world.size(element)
    if size > MOST_ELEMENTS and isinstance(element, Int):
        message = tr(
            "its elements may be {size} numbers, more than {most_elements}",
            size=f"{size:,}",
            most_elements=f"{MOST_ELEMENTS:,}",
        )
        world.error(Code.LIMIT, span, message, hint="narrow the range of its elements")
        return False
    return True
