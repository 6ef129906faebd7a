"""Seats: who plays in which mode, and how many of them.

`players red, blue, green` in a header or a mode says that just these play; `players 2..4: red, blue, green, yellow`
that from two to four do, and which is an option of the game, `players`: the first so many of the line sit down.
Several lines, `players 3: ...` and `players 4: ...`, name them for each number. Whoever has no seat is out from the
start, and `Player` means those who have one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Id, Int, SetOf
from dsl.linker.layers import Gathered
from dsl.records import record
from dsl.resolve import bounds
from dsl.resolve.headers import Item, check_commas, is_sign, named
from dsl.resolve.options import declare_global
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.syntax import ast

KNOWN_IN_A_MODE = ("players", "rounds", "note")
Seat = tuple[ast.Name, ast.Label | None]


@record(frozen=True, slots=True)
class Line:
    """A line that says who plays: from so many to so many of its names, in their order."""

    low: int
    high: int
    seats: tuple[Seat, ...]
    field: ast.HeaderField


def lines_of(reporter: Reporter, fields: Iterable[ast.HeaderField]) -> list[Line]:
    """The lines `players` among some fields."""
    return [_line(reporter, field) for field in fields if field.key.text == "players"]


def _line(reporter: Reporter, field: ast.HeaderField) -> Line:
    items: list[Item] = list(field.items)
    seats = tuple(named(reporter, items))
    colon = next((at for at, item in enumerate(items) if is_sign(item, ":")), None)
    numbers = [item.value for item in items[: colon or 0] if isinstance(item, ast.Number)]
    low, high = (numbers[0], numbers[-1]) if numbers else (len(seats), len(seats))
    if seats and not 1 <= low <= high <= len(seats):
        message = tr("from {low} to {high} of {count} players", low=low, high=high, count=len(seats))
        hint = "write the least number first, and no more than there are names: `players 2..4: a, b, c, d`"
        reporter.error(Code.OUT_OF_RANGE, field.span, message, hint=hint)
        low = high = len(seats)
    return Line(low, high, seats, field)


def everybody(reporter: Reporter, gathered: Gathered) -> list[Seat]:
    """All who play in any mode: first those of the header, then those whom only modes name."""
    lines = header_lines(reporter, gathered)
    for mode in gathered.modes.trees:
        _check_fields(reporter, mode)
        lines = [*lines, *lines_of(reporter, mode.fields)]
    found: dict[str, Seat] = {}
    for line in lines:
        within: dict[str, ast.Name] = {}
        for name, label in line.seats:
            if name.text in within:
                reporter.duplicate(name, within[name.text].span)
            within[name.text] = name
            if name.text not in found or (label is not None and found[name.text][1] is None):
                found[name.text] = (name, label or found.get(name.text, (name, None))[1])
    return list(found.values())


def header_lines(reporter: Reporter, gathered: Gathered) -> list[Line]:
    """Who plays as the last header says that says it."""
    for header in reversed(gathered.headers):
        if any(field.key.text == "players" for field in header.fields):
            return lines_of(reporter, header.fields)
    return []


def _check_fields(reporter: Reporter, mode: ast.Mode) -> None:
    for field in mode.fields:
        check_commas(reporter, field)
        if field.key.text not in KNOWN_IN_A_MODE:
            message = tr("a mode has no field `{key}`", key=field.key.text)
            known = f"known are: {', '.join(KNOWN_IN_A_MODE)}; what is done stands under an `action`"
            hint = reporter.nearest(field.key.text, list(KNOWN_IN_A_MODE)) or known
            reporter.unknown("field", field.key.span, message, hint=hint)
            reporter.lost.update((mode.name.text, *(each.key.text for each in mode.fields)))
        elif field.key.text == "rounds":
            for item in field.items:
                if isinstance(item, ast.Number):
                    bounds.within(reporter, item.span, "rounds", item.value, 1, bounds.MOST_ROUNDS)


def lines_by_mode(reporter: Reporter, gathered: Gathered) -> list[list[Line]]:
    """For each mode, or for the game without modes, the lines that say who plays in it."""
    modes = gathered.modes
    by_name = {
        name: [
            line for tree in modes.trees if tree.name.text == name for line in lines_of(reporter, tree.fields)
        ]
        for name in modes.names
    }
    common = header_lines(reporter, gathered)
    found = []
    for name in modes.names:
        owner = modes.nearest(name, lambda each: bool(by_name[each]))
        found.append(by_name[owner] if owner is not None else common)
    return found or [common]


def declare_seats(world: World, gathered: Gathered) -> None:
    """Enters who has a seat, where that is not always everybody, and the option that says how many."""
    players = world.domains[0]
    lines = lines_by_mode(world.reporter, gathered)
    if not all(lines):
        return
    whole = (1 << len(players.members)) - 1
    _check_lines(world.reporter, lines)
    _check_order(world, lines)
    if all(len(each) == 1 and _seated(world, each, len(players.members)) == whole for each in lines) and all(
        each[0].low == each[0].high for each in lines
    ):
        return
    most = max(line.high for each in lines for line in each)
    asked = any(len(_counts(each)) > 1 for each in lines)
    masks = [_seated(world, each, count) for each in lines for count in (range(most + 1) if asked else (0,))]
    type_ = SetOf(Id(players.id))
    dims = ([(0, len(lines))] if world.mode is not None else []) + ([(0, most + 1)] if asked else [])
    args: list[ir.Expr] = [world.mode_now()] if world.mode is not None else []
    if asked:
        args.append(_how_many(world, lines, most))
    if not dims:
        dims, args = [(0, 1)], [ir.Const(Int(0, 0), 0)]
    data = world.add_data(pr.Data("seats", type_, tuple(dims), tuple(masks)))
    var = world.var("seats", None, type_, "seats")
    var.initial = ir.Lookup(type_, data, tuple(args))
    world.seats = var.id


def _how_many(world: World, lines: list[list[Line]], most: int) -> ir.Expr:
    """The option `players`; 0, as many as can, is what holds where nobody says."""
    span = next(line.field.key.span for each in lines for line in each)
    var = world.var("players", None, Int(0, most), "option")
    declare_global(world, ast.Name("players", span=span), var.id)
    label = world.given(N_("How many play; 0 for as many as can"))
    world.options.append(pr.Option("players", "option", (), (0, most), 0, var.id, label, None))
    return ir.Load(var.type, var.id)


def _counts(lines: list[Line]) -> set[int]:
    return {count for line in lines for count in range(line.low, line.high + 1)}


def _seated(world: World, lines: list[Line], count: int) -> int:
    """Who sits down when so many play, a bit for each; 0 for as many as can, and for nobody."""
    wanted = count or max(_counts(lines), default=0)
    line = next((each for each in lines if each.low <= wanted <= each.high), None)
    names = [name.text for name, _ in line.seats[:wanted]] if line is not None else []
    return sum(1 << world.domains[0].index[name] for name in names if name in world.domains[0].index)


def _check_lines(reporter: Reporter, lines: list[list[Line]]) -> None:
    """Two lines of one header or mode are for different numbers."""
    told: set[int] = set()
    for each in lines:
        for at, line in enumerate(each):
            other = next((one for one in each[:at] if one.low <= line.high and line.low <= one.high), None)
            if other is not None and id(line.field) not in told:
                told.add(id(line.field))
                reporter.error(
                    Code.DUPLICATE_NAME,
                    line.field.span,
                    "who plays is said twice for one number of players",
                    labels=(Label(other.field.span, "first said here"),),
                    hint="say for how many each line is: `players 3: a, b, c` and `players 4: a, b, c, d`",
                )


def _check_order(world: World, lines: list[list[Line]]) -> None:
    """Play goes round the table in one order, that of the header, in all modes."""
    index, told = world.domains[0].index, set[int]()
    for line in (line for each in lines for line in each):
        seats = [name for name, _ in line.seats if name.text in index]
        if len({name.text for name in seats}) < len(seats):
            continue
        early = next((b for a, b in pairwise(seats) if index[b.text] < index[a.text]), None)
        if early is None or id(line.field) in told:
            continue
        told.add(id(line.field))
        in_order = ", ".join(sorted((name.text for name in seats), key=lambda name: index[name]))
        world.error(
            Code.TYPE_MISMATCH,
            early.span,
            tr("`{name}` plays before others of this line: the order is that of the header", name=early.text),
            hint=tr(
                "write `{in_order}`; who begins is a field `first_player: Player`, and who sits down when fewer play "
                "has a line for each number, `players 2: ...`",
                in_order=in_order,
            ),
        )
