"""How large and how deep the parts of a program are, as its document counts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.ir.kinds import Excess
from dsl.ir.limits import MAX_FUNCTION, MAX_NESTING, MAX_NODES
from dsl.ir.program import Action, Program, Prohibition, Routine, Value, ValueClause
from dsl.ir.shapes import EXPRESSIONS, STATEMENTS, TERMINATORS
from dsl.ir.verify.graph import inside_of

COUNTED = frozenset((*EXPRESSIONS, *STATEMENTS, *TERMINATORS))
NOTHING, ONE = (0, 0), (1, 1)
"""What is no node, and one with nothing in it."""


class Sizes:
    """How large the parts of a program are; each object is measured once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[int, int]] = {}
        self.total = 0
        """Expressions and statements of the program."""


def too_large(
    program: Program, measured: Sizes | None = None
) -> Iterator[tuple[str, int | None, str, str, Excess]]:
    """Each part that is nested too deep or too large, or the program: its table, number and name, and what it is.
    What is measured on the way is left in `measured`.
    """
    measured = measured if measured is not None else Sizes()
    sizes = measured.known
    total = 0
    for name in ("vars", "values", "actions", "procedures", "routines", "endings", "tests", "promises"):
        for index, part in enumerate(getattr(program, name)):
            nodes, depth = _size(part, sizes)
            total += nodes + sum(len(each.overruled_by) for each in _clauses(part))
            called = getattr(part, "name", "")
            if depth > MAX_NESTING:
                yield name, index, called, f"nested deeper than {MAX_NESTING} levels", Excess.LEVELS
            functions = part.blocks if isinstance(part, Routine) else (part,)
            if max((_size(each, sizes)[0] for each in functions), default=0) > MAX_FUNCTION:
                message = f"a function larger than {MAX_FUNCTION} expressions and statements"
                yield name, index, called, message, Excess.OTHER
    measured.total = total
    if total > MAX_NODES:
        yield "program", None, "", f"larger than {MAX_NODES} expressions and statements", Excess.OTHER


def tests_size(program: Program, measured: Sizes, procedures: int, routines: int) -> int:
    """Expressions and statements of the tests of a program that was measured, and of its procedures and routines from
    some numbers on.
    """
    parts = (*program.tests, *program.procedures[procedures:], *program.routines[routines:])
    return sum(_size(each, measured.known)[0] for each in parts)


def _clauses(part: Any) -> tuple[ValueClause, ...] | tuple[Prohibition, ...]:
    match part:
        case Value():
            return part.clauses
        case Action():
            return part.prohibitions
        case _:
            return ()


def _size(part: Any, sizes: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Nodes, and how many stand inside each other; each object is measured once."""
    if part is None:
        return NOTHING
    kind: type = type(part)
    if kind is tuple:
        found, own = part, False
    else:
        known = sizes.get(id(part))
        if known is not None:
            return known
        found, own = inside_of(kind)(part), kind in COUNTED
        if not found:
            return ONE if own else NOTHING
    nodes = depth = 0
    for each in found:
        if each is not None:
            more, deeper = _size(each, sizes)
            nodes += more
            depth = deeper if deeper > depth else depth  # `max` takes several times as long
    measured = (nodes + 1, depth + 1) if own else (nodes, depth)
    if kind is not tuple:
        sizes[id(part)] = measured
    return measured
