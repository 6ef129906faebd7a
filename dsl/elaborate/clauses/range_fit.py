"""What printed cells and clauses make of a value, and whether that can lie in its range.

A row whose cell takes a value out of its range is refused at the cell, where the cell alone decides it: the value is
what is printed there, as it is or computed with constants, and no condition on the way looks at what is printed. A
clause is refused where it takes the value out of its range whatever else stands. What only play can tell, a sum of a
printed number and a field for instance, is checked when it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, Id, Int, SetOf
from dsl.ir.walk import inside
from dsl.lower.ir_builder import TRUE
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Column, Interval, Printed, Read
from dsl.source import Span

_LEAST, _MOST = -(2**62), 2**62
_SAME = {"highest", "lowest"}
MOST_FOLLOWED = 200
"""Clauses of one value that take it out of its range and are held against all that may stand behind them."""


def check_cells(
    world: World,
    name: str,
    type_: Int,
    expr: ir.Expr,
    span: Span,
    reach: Callable[[int], Interval | None] = lambda value: (value, value),
    *,
    begins: bool = False,
) -> bool:
    """Tells of the first cell that takes what is called `name` out of its type; `span` is where it is read.

    `reach` is what clauses may make of a value: its least and its greatest result, none where that is not known. With
    `begins` it is read as something begins, when a clause with a condition need not stand.
    Returns whether all cells fit.
    """
    for printed in _printed(world, expr):
        if printed.value is not None:
            world.depends_on_bodies()
            world.reads_of_columns.append(Read(name, type_, printed, span, reach, begins))
            continue
        for row in printed.rows:
            cell = world.data[printed.column.data].values[row]
            if not isinstance(cell, int) or cell == NONE:
                continue
            value = printed.becomes(cell)
            if type_.low <= value <= type_.high:
                continue
            found = reach(value)
            if found is None or not (found[0] > type_.high or found[1] < type_.low):
                continue
            _tell(world.reporter, name, type_, value, printed.column, row, span)
            return False
    return True


def _tell(
    reporter: Reporter, name: str, type_: Int, value: int, column: Column, row: int, span: Span
) -> None:
    place = column.cells[row] if row < len(column.cells) else None
    shown = f"{type_.low}..{type_.high}"
    wider = f"{min(type_.low, value)}..{max(type_.high, value)}"
    if place is None or reporter.layer(place) < reporter.layer(span):
        message = tr(
            "`{name}` is {shown}, and the column `{column}` makes it {value}",
            name=name,
            shown=shown,
            column=column.name,
            value=value,
        )
        labels = (Label(place, "by this cell"),) if place is not None else ()
        hint = tr(
            "let it be `{wider}`, or bound what is read: `min({high}, ...)`", wider=wider, high=type_.high
        )
        reporter.error(Code.OUT_OF_RANGE, span, message, labels=labels, hint=hint)
        return
    message = tr("this makes `{name}` {value}, which is {shown}", name=name, value=value, shown=shown)
    hint = tr("print a number that fits, or let `{name}` be `{wider}`", name=name, wider=wider)
    reporter.error(Code.OUT_OF_RANGE, place, message, labels=(Label(span, "read here"),), hint=hint)


# ---------------------------------------------------------------- what is printed


def _printed(world: World, expr: ir.Expr) -> Iterator[Printed]:
    """The cells that an expression may give; none that a condition on the way may keep out."""
    match expr:
        case ir.Lookup(data=data, indices=(index,)):
            column = world.column_of(data)
            rows = _rows(world, data, index)
            if column is not None and not column.by_mode and isinstance(column.type, Int) and rows:
                yield Printed(column, rows, lambda value: value)
        case ir.Ask(value=number, args=(index,)) if (column := world.values[number].column) is not None:
            rows = _rows(world, column.data, index)
            if not column.by_mode and isinstance(column.type, Int) and rows:
                yield Printed(column, rows, lambda value: value, number)
        case ir.Op(op="narrow" | "some", args=(of,)):
            yield from _printed(world, of)
        case ir.Op(op="else_", args=args):
            for each in args:
                yield from _printed(world, each)
        case ir.Op(op="if", args=(test, *args)) if _is_blind(world, test):
            for each in args:
                yield from _printed(world, each)
        case ir.Op(op="neg", args=(of,)):
            yield from _with(world, of, lambda value: -value)
        case ir.Op(op="add" | "sub" | "mul" | "min" | "max" as op, args=(left, right)):
            yield from _computed(world, op, left, right)
        case ir.Fold(kind=kind, domain=domain, where=where, body=body) if kind in _SAME and body is not None:
            if _is_blind(world, domain) and (where is None or _is_blind(world, where)):
                yield from _printed(world, body)
        case _:
            return


def _computed(world: World, op: str, left: ir.Expr, right: ir.Expr) -> Iterator[Printed]:
    """Printed numbers with a constant beside them."""
    one, two = _constant(left), _constant(right)
    work: dict[str, Callable[[int, int], int]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "min": min,
        "max": max,
    }
    do = work[op]
    if two is not None:
        yield from _with(world, left, lambda value: do(value, two))
    elif one is not None:
        yield from _with(world, right, lambda value: do(one, value))


def _with(world: World, of: ir.Expr, then: Callable[[int], int]) -> Iterator[Printed]:
    for each in _printed(world, of):
        yield replace(each, becomes=_after(each.becomes, then))


def _after(first: Callable[[int], int], then: Callable[[int], int]) -> Callable[[int], int]:
    return lambda value: then(first(value))


def _constant(expr: ir.Expr) -> int | None:
    return (
        expr.value
        if isinstance(expr, ir.Const) and isinstance(expr.value, int) and expr.value != NONE
        else None
    )


def _rows(world: World, data: int, index: ir.Expr) -> tuple[int, ...]:
    """The rows that an index may mean: one, those of which there are pieces, or all."""
    if (one := _constant(index)) is not None:
        return (one,)
    if isinstance(index, ir.Lookup):
        of_pieces = any(domain.pool and domain.pool.kind_data == index.data for domain in world.domains)
        kinds = {each for each in world.data[index.data].values if isinstance(each, int)}
        return tuple(sorted(kinds)) if of_pieces and isinstance(index.indices[0], ir.Local) else ()
    return tuple(range(len(world.data[data].values))) if isinstance(index, ir.Local) else ()


def _is_blind(world: World, condition: ir.Expr) -> bool:
    """Does a condition, or a set, look at nothing that is printed, and at no row or piece by its name?"""
    return all(_sees_nothing(world, each) for each in inside(condition))


def _sees_nothing(world: World, node: ir.Expr) -> bool:
    match node:
        case ir.Lookup() | ir.Ask() | ir.Judge() | ir.Reach() | ir.Trial() | ir.Occurrences():
            return False
        case ir.Const(type=Id(domain=domain)):
            return world.domains[domain].kind not in {"row", "piece", "union"}
        case ir.Const(type=SetOf(of=Id(domain=domain)), value=value):
            return value == (1 << len(world.domains[domain].members)) - 1
        case _:
            return True


# ---------------------------------------------------------------- what clauses make of it


def reached(start: Interval, stages: Sequence[str], clauses: Sequence[pr.ValueClause]) -> Interval | None:
    """The least and the greatest that clauses may make of a number, each of which may stand or not."""
    return _reached(start, [clauses[number] for number in _in_order(stages, clauses)])


def out_of_range(
    start: Interval,
    stages: Sequence[str],
    clauses: Sequence[pr.ValueClause],
    type_: Int,
    seen: Callable[[Interval], Interval | None] = lambda found: found,
) -> Iterator[tuple[int, Interval]]:
    """The clauses that take a number out of its type whatever else stands, with what it may become where they do.
    `seen` is what is made of it before it has that type.

    What may stand behind a clause adds to what may come out: a number that fits where the clause has been applied is
    followed no further. Of numbers that do not fit `MOST_FOLLOWED` are followed to the end.
    """
    order, found, followed = _in_order(stages, clauses), start, 0
    for at, number in enumerate(order):
        made = _made(found, clauses[number])
        if made is None:
            return
        now = seen(made)
        if now is not None and _is_outside(now, type_) and followed < MOST_FOLLOWED:
            followed += 1
            end = _reached(made, [clauses[each] for each in order[at + 1 :]])
            end = None if end is None else seen(end)
            if end is not None and _is_outside(end, type_):
                yield number, end
        found = min(found[0], made[0]), max(found[1], made[1])


def _is_outside(found: Interval, type_: Int) -> bool:
    return found[0] > type_.high or found[1] < type_.low


def check_modified(world: World) -> None:
    """Tells of clauses about a printed column that take what reads it out of its range, where their bounds decide it:
    for each row that is read, or, where a clause has a condition, for all of them.
    """
    told: set[Span] = set()
    for read in world.reads_of_columns:
        value = world.values[read.printed.value or 0]
        lowered, column = value.lowered, read.printed.column
        if lowered is None or len(lowered.clauses) != len(value.modifies):
            continue
        cells = [world.data[column.data].values[row] for row in read.printed.rows]
        numbers = [each for each in cells if isinstance(each, int) and each != NONE]
        ends = [(each, each) for each in numbers]
        starts = [*ends, (min(numbers), max(numbers))] if numbers else []
        for start in starts:
            for at, found in out_of_range(
                start, lowered.stages, lowered.clauses, read.type, partial(_seen, read)
            ):
                clause, span = lowered.clauses[at], value.modifies[at][0].span
                always = clause.condition == TRUE and not clause.overruled_by
                if (always or (start == starts[-1] and not read.begins)) and span not in told:
                    told.add(span)
                    _tell_of_clause(world.reporter, read, value.name, found, span)


def _seen(read: Read, made: Interval) -> Interval | None:
    """What becomes of numbers where they are read."""
    ends = [read.reach(read.printed.becomes(each)) for each in made]
    found = [end for each in ends if each is not None for end in each]
    return (min(found), max(found)) if None not in ends else None


def _tell_of_clause(reporter: Reporter, read: Read, column: str, found: Interval, span: Span) -> None:
    shown = f"{found[0]}" if found[0] == found[1] else f"{found[0]}..{found[1]}"
    low, high = read.type.low, read.type.high
    message = tr(
        "this makes `{name}` {shown}, which is {low}..{high}", name=read.name, shown=shown, low=low, high=high
    )
    hint = tr(
        "add less, bound it (`modify {column}: at most ...`), or let `{name}` be `{wider}`",
        column=column,
        name=read.name,
        wider=f"{min(low, found[0])}..{max(high, found[1])}",
    )
    reporter.error(Code.OUT_OF_RANGE, span, message, labels=(Label(read.span, "read here"),), hint=hint)


def _in_order(stages: Sequence[str], clauses: Sequence[pr.ValueClause]) -> list[int]:
    """The clauses in the order in which they are applied."""
    found: list[int] = []
    for stage in stages:
        wanted = {"at_least", "at_most"} if stage == "bounds" else {stage}
        found += [number for number, clause in enumerate(clauses) if clause.stage in wanted]
    return found


def _reached(found: Interval, clauses: Sequence[pr.ValueClause]) -> Interval | None:
    for clause in clauses:
        made = _made(found, clause)
        if made is None:
            return None
        found = min(found[0], made[0]), max(found[1], made[1])
    return found


def _made(found: Interval, clause: pr.ValueClause) -> Interval | None:
    """What one clause makes of numbers."""
    kind, (low, high) = clause.operand.type, found
    if not isinstance(kind, Int):
        return None
    match clause.stage:
        case "becomes":
            return kind.low, kind.high
        case "plus":
            return low + kind.low, high + kind.high
        case "at_least":
            return max(low, kind.low), max(high, kind.high)
        case "at_most":
            return min(low, kind.low), min(high, kind.high)
        case "times":
            return _times(found, kind, clause.divisor.type if clause.divisor is not None else Int(1, 1))
        case _:
            return _LEAST, _MOST


def _times(found: Interval, by: Int, divisor: object) -> Interval:
    if not isinstance(divisor, Int) or divisor.low < 1:
        return _LEAST, _MOST
    ends = [n * m for n in found for m in (by.low, by.high)]
    parts = [end // d for end in ends for d in (divisor.low, divisor.high)]
    above = [-(-end // d) for end in ends for d in (divisor.low, divisor.high)]
    return min(parts), max(above)
