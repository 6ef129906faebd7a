"""What the declaration of an operator holds, and how one is applied to constants.

An operand of an evaluation is what an engine holds: a number (`NONE` for none), the bits of a set, or a tuple of
counts, elements or fields. The texts for Python and WebAssembly are templates (`str.format`) in these names:

| name                    | stands for                                                               |
|-------------------------|--------------------------------------------------------------------------|
| `{0}`, `{1}`, ...       | the operands, each evaluated before                                      |
| `{all}`, `{tuple}`      | all of them, with commas between, or behind each                         |
| `{union}`, `{meet}`     | all of them, with Python's `|` or `&` between                            |
| `{low}`                 | the value that bit 0 of the first operand, a set, stands for             |
| `{least}`, `{most}`     | the range of the result: of the numbers, or of the elements of the set   |
| `{rep}`, `{none}`       | in WebAssembly: `i32` or `i64`, as wide as the operands are; none in that |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Kinds
from dsl.ir.limits import MAX_INT
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.records import record

Plain = int | tuple[int, ...]
Rule = Callable[[Kinds, ir.Op, tuple[Type, ...]], Type | None]
"""The narrowest type of the results, given the types of the operands; none where the operator does not take them."""
Bounds = Callable[[Scalar], tuple[int, int]]
"""The least and the greatest value of a type, apart from none."""


class Fails(Exception):
    """An evaluation that fails when the game is played, with the code of the failure."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@record(frozen=True, slots=True)
class Operator:
    """All that is known of an operator. What it has no entry for, an engine gives it by a method of its own; that it
    has one or the other is tested.
    """

    name: str
    takes: str
    """The operands, as the reference names them."""
    says: str
    """What it yields, in the words of the reference."""
    type: Rule
    value: Callable[..., Any] | None = None
    """Its value, given its operands and, by name, what it `needs`; raises `Fails`. None for one that does not evaluate
    all of its operands, or that reads the state.
    """
    range: Callable[..., tuple[int, int]] | None = None
    """Of arithmetic: the range of its results, by the ranges of its operands."""
    needs: tuple[str, ...] = ()
    """What of the types its value depends on: `low`, `least` and `most`, as in the templates; `counts` and `room`, the
    limit of a bag or a list; `sets`, whether the result is a set.
    """
    aligned: str = ""
    """Of an operator on sets that compares them bit by bit, which form they take for that: the one of the `result`, or
    the `lowest` among theirs.
    """
    none: bool = False
    """Does it take none?"""
    folded: bool = True
    """Do constant tables compute it, where it has a value? That of one more takes steps out of what is played."""
    fails: str = ""
    """The code with which it can fail."""
    sure: Callable[[Bounds, ir.Op], bool] | None = None
    """Of one that can fail: do these types rule it out?"""
    python: str = ""
    checked: tuple[str, ...] = ()
    """The functions of the Python engine that it calls within an expression, and that can fail."""
    wasm: str = ""
    """One instruction on numbers, or on 64 elements of sets; of an operator that takes any number of operands it joins
    two.
    """
    many: bool = False
    """Does it take any number of operands, from two on?"""
    small: bool = False
    """Do its results fit into 32 bits, whatever range is declared?"""
    reads: bool = False
    """Does it read the state of the game?"""
    sign: str = ""
    """The sign that stands between its two operands, where an author writes one."""
    written: str = ""
    """How an author writes it otherwise, as a template; nothing where the language has no such form."""


# ---------------------------------------------------------------- types


def wrong(name: str, args: tuple[Type, ...]) -> Bad:
    """Arguments that an operator does not take."""
    return Bad(f"`{name}` does not take ({', '.join(map(brief, args))})")


def brief(kind: Type) -> str:
    """A type in a few words."""
    match kind:
        case Int(low, high, optional):
            return f"{low}..{high}{'?' if optional else ''}"
        case Id(domain, optional):
            return f"id of {domain}{'?' if optional else ''}"
        case SetOf(of):
            return f"set of {brief(of)}"
        case BagOf(domain, limit):
            return f"bag of {domain} up to {limit}"
        case ListOf(of, limit):
            return f"list of {brief(of)} up to {limit}"
        case Record(_, types):
            return f"record of {', '.join(map(brief, types[:4]))}"
        case _:
            assert_never(kind)


def some(kind: Scalar) -> Scalar:
    """The type without none."""
    return Int(kind.low, kind.high) if isinstance(kind, Int) else Id(kind.domain)


def maybe(kind: Scalar) -> Scalar:
    """The type with none."""
    return (
        Int(kind.low, kind.high, optional=True) if isinstance(kind, Int) else Id(kind.domain, optional=True)
    )


def interval(name: str, kind: Type) -> tuple[int, int]:
    """The range of a number that is there."""
    if not isinstance(kind, Int) or kind.optional:
        raise wrong(name, (kind,))
    return kind.low, kind.high


def lies_within(kind: Type, low: int, high: int, bounds: Bounds) -> bool:
    """Does every value of a scalar type, none too, lie in a range?"""
    if not isinstance(kind, Int | Id) or kind.optional:
        return False
    least, most = bounds(kind)
    return low <= least and most <= high


def constant(e: ir.Expr) -> int | None:
    """The number that an operand is, where it is a constant."""
    return e.value if isinstance(e, ir.Const) and isinstance(e.value, int) else None


# ---------------------------------------------------------------- evaluation


def evaluated(
    declared: Operator, values: Sequence[Plain], kinds: Sequence[Type], result: Type, bounds: Bounds
) -> Plain:
    """The value of an operator that has one, for operands of some types; raises `Fails`."""
    if not declared.none and NONE in values:
        raise Fails("E0604")
    assert declared.value is not None
    if declared.aligned:
        values = _aligned(declared, values, kinds, result, bounds)
    needed = needed_by(declared, kinds, result, bounds) if declared.needs else {}
    found: Plain = declared.value(*values, **needed)
    return found


def needed_by(declared: Operator, kinds: Sequence[Type], result: Type, bounds: Bounds) -> dict[str, int]:
    """What the value of an operator depends on besides its operands."""
    of = result.of if isinstance(result, SetOf) else result
    ends = bounds(of) if isinstance(of, Int | Id) else (0, 0)
    known = {
        "low": lowest(kinds[0], bounds) if kinds else 0,
        "least": ends[0],
        "most": ends[1],
        "counts": result.limit if isinstance(result, BagOf) else MAX_INT,
        "room": result.limit if isinstance(result, ListOf) else MAX_INT,
        "sets": int(isinstance(result, SetOf)),
    }
    return {name: known[name] for name in declared.needs}


def lowest(kind: Type, bounds: Bounds) -> int:
    """The value that bit 0 of a set stands for."""
    return bounds(kind.of)[0] if isinstance(kind, SetOf) else 0


def alignment(declared: Operator, kinds: Sequence[Type], result: Type, bounds: Bounds) -> list[int]:
    """By how many bits each set is shifted so that the same bits stand for the same elements."""
    lows = [lowest(kind, bounds) for kind in kinds]
    to = lowest(result, bounds) if declared.aligned == "result" else min(lows)
    return [low - to for low in lows]


def _aligned(
    declared: Operator, values: Sequence[Plain], kinds: Sequence[Type], result: Type, bounds: Bounds
) -> Sequence[Plain]:
    if not isinstance(kinds[0], SetOf):
        return values
    shifts = alignment(declared, kinds, result, bounds)
    return [
        each if not isinstance(each, int) else each << by if by >= 0 else each >> -by
        for each, by in zip(values, shifts, strict=True)
    ]
