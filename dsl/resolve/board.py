"""Maps: a board's cells, their neighbours, and what the legend says of each.

Squares are named as in chess: a letter for the column from the left, a number for the row from the bottom (or, as
the map says, from the top). Hexes are named alike, and kept in axial coordinates (q, r). A map on regions takes the
rows of a table as its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.distances import Distances
from dsl.ir.types import Id, Int, SetOf
from dsl.linker.layers import Gathered
from dsl.linker.name_uses import spoken_of
from dsl.resolve.groups import check_groups
from dsl.resolve.kinds import UNKNOWN, Unknown
from dsl.resolve.map_drawings import MAX_CELLS, check_legend, drawn_signs, legend_span, plain
from dsl.resolve.map_words import SHAPES, check_regions_drawn, chosen_map, told_of_shape
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Area, Domain
from dsl.syntax import ast
from dsl.syntax.drawing import drawn

FROM_TOP = "from_top"
"""The word of a grid whose rows are counted from the top, as the book of some games does."""
RHOMBUS = "rhombus"
"""The word of hexes whose lines are all shoved to the same side, each half a cell further."""
WAYS = (
    N_("north"), N_("northeast"), N_("east"), N_("southeast"),
    N_("south"), N_("southwest"), N_("west"), N_("northwest"),
)  # fmt: skip
"""All directions; how they read in a language, its catalogue says."""
SQUARE_WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
DIAGONAL_WAYS = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
POINTY_WAYS = {
    "northeast": (1, -1), "east": (1, 0), "southeast": (0, 1),
    "southwest": (-1, 1), "west": (-1, 0), "northwest": (0, -1),
}  # fmt: skip
FLAT_WAYS = {
    "north": (0, -1), "northeast": (1, -1), "southeast": (1, 0),
    "south": (0, 1), "southwest": (-1, 1), "northwest": (-1, 0),
}  # fmt: skip


def declare_board(world: World, gathered: Gathered) -> None:
    """Enters the cells of the game's map, if it has one; of several maps the header's `map NAME` says which."""
    maps = [entry.declaration for entry in gathered.of(ast.Map)]
    chosen = chosen_map(world.reporter, gathered, maps)
    if chosen is None:
        return
    chosen = with_legends(world.reporter, gathered, chosen)
    world.legend, world.reporter.ground = chosen.legend, chosen.name.span
    shape = chosen.shape
    word = (
        shape.function.name
        if isinstance(shape, ast.Apply) and isinstance(shape.function, ast.NameExpr)
        else ""
    )
    word = shape.name if isinstance(shape, ast.NameExpr) else word
    args = shape.arguments if isinstance(shape, ast.Apply) else ()
    world.clause("map", chosen.name.text, chosen.citation, chosen.span)
    if word not in SHAPES:
        word = told_of_shape(world.reporter, chosen.shape, word)
    if word == "regions":
        _regions(world, chosen, args)
    elif word:
        _grid(world, chosen, word, args)
    else:
        world.types |= {"Cell": UNKNOWN, "Direction": UNKNOWN}
        world.reporter.lost |= {
            "Cell",
            "Direction",
            *(entry.declaration.name.text for entry in gathered.of(ast.Area)),
        }
        world.reporter.is_boardless = True


# ---------------------------------------------------------------- grids


def _check_words(reporter: Reporter, decl: ast.Map, word: str, args: tuple[ast.Expr, ...]) -> None:
    """What stands in the parentheses of squares and hexes."""
    known = ["diagonal", FROM_TOP] if word == "squares" else ["pointy", "flat", RHOMBUS, FROM_TOP]
    for arg in args:
        if isinstance(arg, ast.NameExpr) and arg.name not in known:
            hint = reporter.nearest(arg.name, known) or tr(
                "here stand {known}", known=", ".join(f"`{each}`" for each in known)
            )
            reporter.error(
                Code.UNKNOWN_NAME,
                arg.span,
                tr("`{arg}` says nothing of {word}", arg=arg.name, word=word),
                hint=hint,
            )
            return
    numbers = [arg for arg in args if isinstance(arg, ast.Number)]
    if len(numbers) not in {0, 2} or any(not isinstance(arg, ast.Number | ast.NameExpr) for arg in args):
        hint = tr("write `{word}(8, 8)` for eight columns and eight rows", word=word)
        reporter.error(
            Code.RAGGED_MAP, decl.shape.span, "a map has a number of columns and one of rows", hint=hint
        )
    if word == "hexes" and not any(isinstance(arg, ast.NameExpr) and arg.name in known[:2] for arg in args):
        hint = "write `hexes(pointy)` for hexes with a corner on top, `hexes(flat)` for a side on top"
        reporter.error(Code.UNKNOWN_NAME, decl.shape.span, "how do the hexes stand?", hint=hint)
    names = {arg.name for arg in args if isinstance(arg, ast.NameExpr)}
    if {RHOMBUS, "flat"} <= names or (RHOMBUS in names and decl.drawing is not None):
        hint = "write `hexes(11, 11, pointy, rhombus)`; other forms are drawn, with `_` for holes"
        message = "a rhombus is so many columns and rows of hexes with a corner on top, without a drawing"
        reporter.error(Code.RAGGED_MAP, decl.shape.span, message, hint=hint)


def _give_type(world: World, decl: ast.Map, name: str, domain: int) -> None:
    """Declares a type that every grid gives, unless the author gave its name to something else."""
    if name not in world.type_spans:
        world.types[name] = Id(domain)
        return
    labels = (Label(decl.shape.span, tr("this map gives a type `{name}`", name=name)),)
    message = tr("`{name}` is what a map calls its own {name2}s", name=name, name2=name.lower())
    world.error(
        Code.DUPLICATE_NAME, world.type_spans[name], message, labels=labels, hint="give it another name"
    )


def _grid(world: World, decl: ast.Map, word: str, args: tuple[ast.Expr, ...]) -> None:
    numbers = [arg.value for arg in args if isinstance(arg, ast.Number)]
    words = [arg.name for arg in args if isinstance(arg, ast.NameExpr)]
    _check_words(world.reporter, decl, word, args)
    flat = "flat" in words
    lines = drawn_signs(world.reporter, decl, numbers, pointy=word == "hexes" and "pointy" in words)
    spots = [(x, y, sign) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign]
    if not spots and decl.drawing is not None:
        message = "this drawing shows no cell"
        hint = 'draw a sign for each cell between the `"""`, with spaces between: `. . .`'
        world.error(Code.RAGGED_MAP, decl.drawing.span, message, hint=hint)
        world.reporter.is_boardless = True
        spots = [(0, 0, ".")]
    elif not spots or len(spots) > MAX_CELLS:
        world.error(
            Code.LIMIT,
            decl.span,
            tr(
                "a map has from 1 to {max_cells} cells, this one has {count}",
                max_cells=MAX_CELLS,
                count=len(spots),
            ),
        )
        spots = spots[:MAX_CELLS] or [(0, 0, ".")]
    domain = world.domain("Cell", "cell")
    _give_type(world, decl, "Cell", domain.id)
    height = len(lines)
    places: dict[tuple[int, int], int] = {}
    down = FROM_TOP in words
    for x, y, sign in sorted(spots, key=lambda s: (s[1] if down else -s[1], s[0])):
        name = f"{_letters(x)}{y + 1 if down else height - y}"
        at = (
            (x, height - 1 - y)
            if word == "squares"
            else axial(x, y, flat)
            if RHOMBUS not in words
            else (x, y)
        )
        places[at] = world.enter_member(domain, name, world.text(name), sign)
    squares = DIAGONAL_WAYS if "diagonal" in words else SQUARE_WAYS
    ways = squares if word == "squares" else FLAT_WAYS if flat else POINTY_WAYS
    shape = "squares" if word == "squares" else "hexes_flat" if flat else "hexes_pointy"
    directions = world.domain("Direction", "enum")
    for way in ways:
        world.enter_member(directions, way, world.given(way))
    _give_type(world, decl, "Direction", directions.id)
    _board(world, decl, domain, shape, places, list(ways.values()))
    check_legend(world.reporter, decl, domain)


def _letters(x: int) -> str:
    return chr(97 + x) if x < 26 else _letters(x // 26 - 1) + chr(97 + x % 26)


def axial(x: int, y: int, flat: bool) -> tuple[int, int]:
    """From offset coordinates (odd lines or columns shoved) to axial ones (Patel, *Hexagonal Grids*)."""
    return (x, y - (x - (x & 1)) // 2) if flat else (x - (y - (y & 1)) // 2, y)


def _board(
    world: World,
    decl: ast.Map,
    domain: Domain,
    shape: str,
    places: dict[tuple[int, int], int],
    ways: list[tuple[int, int]],
) -> None:
    size = len(domain.members)
    spots = sorted(places, key=lambda at: places[at])
    neighbours = []
    for x, y in spots:
        near = [places[(x + dx, y + dy)] for dx, dy in ways if (x + dx, y + dy) in places]
        neighbours.append(sum(1 << each for each in near))
    drawing = drawn(decl.drawing.text) if decl.drawing else ""
    world.board = pr.Board(
        decl.name.text, shape, domain.id, tuple(x for x, _ in spots), tuple(y for _, y in spots),
        tuple(neighbours), drawing, tuple(domain.looks),
    )  # fmt: skip
    cell = Id(domain.id)
    _geometry(world, cell, size, neighbours)
    steps = [places.get((x + dx, y + dy), -(2**31)) for x, y in spots for dx, dy in ways]
    world.add_data(pr.Data("step", Id(domain.id, optional=True), ((0, size), (0, len(ways))), tuple(steps)))


def bits(mask: int) -> Iterator[int]:
    """The elements of a set, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _geometry(world: World, cell: Id, size: int, neighbours: list[int]) -> None:
    """Constant tables of the board: neighbours and distances (borders crossed)."""
    world.add_data(pr.Data("around", SetOf(cell), ((0, size),), tuple(neighbours)))
    dims = ((0, size), (0, size))
    found = Distances(tuple(neighbours))
    world.add_data(pr.Data("distance", Int(0, size), dims, found, follows="distance"))


# ---------------------------------------------------------------- regions


def _regions(world: World, decl: ast.Map, args: tuple[ast.Expr, ...]) -> None:
    """A map whose cells are the rows of a table; neighbours stand in one of its columns and hold both ways."""
    names = [arg.name for arg in args[:2] if isinstance(arg, ast.NameExpr)]
    type_ = world.types.get(names[0]) if names else None
    if not isinstance(type_, Id) or len(names) != 2 or len(args) > 4:
        world.error(
            Code.UNKNOWN_NAME,
            decl.shape.span,
            "a map on regions names a table and its column of neighbours",
            hint="write `regions(Region, adjacent)`, and behind it at most the columns of their groups and boards",
        )
        return
    world.types.setdefault("Cell", type_)
    if decl.legend:
        message = "a legend explains the signs of cells, and the cells of this map are named"
        hint = "leave it out: what a region is stands in its row"
        world.error(Code.RAGGED_MAP, legend_span(decl), message, hint=hint)
        world.legend = ()
    world.drawn = decl
    drawing = drawn(decl.drawing.text) if decl.drawing else ""
    world.borders = names[1]
    world.board = pr.Board(decl.name.text, "regions", type_.domain, (), (), (), drawing, ())


def _is_spoilt(world: World, domain: Domain, row: int) -> bool:
    """Has a fault been told of a row? What seems to be missing in it may only be misread."""
    clauses = domain.table.row_clauses if domain.table else []
    clause = clauses[row] if row < len(clauses) else None
    return clause is not None and world.reporter.is_spoilt(world.clause_spans[clause])


def finish_regions(world: World) -> None:
    """Reads the neighbours of a region map when its columns are known."""
    board = world.board
    if board is None or board.shape != "regions":
        return
    domain = world.domains[board.domain]

    def fault(message: str, *rows: int, hint: str = "") -> None:
        """Tells it at the rows that it is about, or at the table."""
        clauses = domain.table.row_clauses if domain.table else []
        found = [clauses[row] for row in rows if row < len(clauses)]
        spans = [world.clause_spans[clause] for clause in found if clause is not None]
        if column is not None:  # what a later file changes is told there
            cells = [column.cells[row] if row < len(column.cells) else None for row in rows]
            later = [
                cell
                for cell, span in zip(cells, spans, strict=False)
                if cell is not None and world.layer(cell) > world.layer(span)
            ]
            spans = sorted([*later, *spans], key=world.layer, reverse=True)
        spans = spans or [
            world.drawn.shape.span if world.drawn is not None else world.type_spans[domain.name]
        ]
        others = tuple(Label(span, "the other one") for span in spans[1:])
        world.error(Code.RAGGED_MAP, spans[0], message, labels=others, hint=hint)

    column = domain.table.columns.get(world.borders) if domain.table else None
    size = len(domain.members)
    if column is not None:
        column.fixed = world.drawn.shape.span if world.drawn is not None else column.span, "borders"
    if column is not None and column.by_mode:
        fault("the borders of a map are the same in all modes")
        column = None
    if size > MAX_CELLS:
        world.board = None
        fault(f"a map of {size:,} regions, more than {MAX_CELLS:,}")
        return
    if column is None or not isinstance(column.type, SetOf) or column.type.of != Id(board.domain):
        hint = tr(
            "write a column `{name}: set of {domain}`, with the rows that each row borders on",
            name=world.borders,
            domain=domain.name,
        )
        if column is None or not isinstance(column.type, Unknown):
            fault(f"the table `{domain.name}` has no column of neighbours", hint=hint)
        sets = [0] * size
    else:
        sets = [value if isinstance(value, int) else 0 for value in world.data[column.data].values]
    for here in range(size):
        for near in bits(sets[here]):
            if not sets[near] >> here & 1:
                sets[near] |= 1 << here
                if _is_spoilt(world, domain, near):
                    continue
                one, two = domain.members[here], domain.members[near]
                message = tr("{one} has {two} as a neighbour, but not the other way round", one=one, two=two)
                hint = "a border is written from both sides: add it to one row, or take it from the other"
                fault(message, here, near, hint=hint)
    groups: tuple[pr.Grouping, ...] = ()
    if world.drawn is not None:
        check_regions_drawn(world, world.drawn, domain, sets)
        if column is not None and isinstance(column.type, SetOf):
            groups = check_groups(world, world.drawn, domain, sets)
    _geometry(world, Id(board.domain), size, sets)
    world.board = pr.Board(
        board.name,
        "regions",
        board.domain,
        (),
        (),
        tuple(sets),
        board.drawing,
        tuple(domain.looks),
        groups=groups,
    )


# ---------------------------------------------------------------- the legend


def with_legends(reporter: Reporter, gathered: Gathered, decl: ast.Map) -> ast.Map:
    """A map with the lines of the declared legends that it is like, but for signs that it explains itself."""
    declared: dict[str, ast.Legend] = {}
    for entry in gathered.of(ast.Legend):
        each: ast.Legend = entry.declaration
        earlier = declared.setdefault(each.name.text, each)
        if earlier is not each:
            reporter.duplicate(each.name, earlier.name.span)
    own = {plain(line.sign.text) for line in decl.legend}
    shared: list[ast.LegendLine] = []
    for name in decl.like:
        found = declared.get(name.text)
        if found is None:
            hint = reporter.nearest(name.text, [*declared])
            hint = hint or tr(
                "declare it: `legend {name}:`, and under it a line for each sign", name=name.text
            )
            reporter.unknown("legend", name.span, hint=hint)
            reporter.lost.add(name.text)
            continue
        shared += [line for line in found.lines if plain(line.sign.text) not in own]
    return replace(decl, legend=(*shared, *decl.legend))


def legend_of(world: World) -> dict[str, tuple[ast.LegendItem, ...]]:
    """What the chosen map's legend says of each sign."""
    return {plain(line.sign.text): line.items for line in world.legend} if world.board else {}


def cell_names(text: str) -> list[str]:
    """The words of a region map's drawing that may be cells."""
    return re.findall(r"[^\W\d]\w*", text)


def _member_of(world: World, item: ast.LegendItem, of: int | None) -> int:
    """Whose area a legend's sign marks: the first where the area has no `of`."""
    if of is None or item.of is None:
        if (of is None) != (item.of is None):
            wanted = f"{item.name.text} of ..." if of is not None else item.name.text
            world.error(
                Code.WRONG_ARGUMENTS,
                item.span,
                tr("write `{wanted}` here, as the area is declared", wanted=wanted),
            )
        return 0
    domain = world.domains[of]
    if item.of.text not in domain.index:
        hint = world.nearest(item.of.text, domain.members)
        world.unknown(
            "member",
            item.of.span,
            tr("`{of}` is no {domain}", of=item.of.text, domain=domain.name),
            of=domain.name,
            hint=hint,
        )
    return domain.index.get(item.of.text, 0)


def declare_areas(world: World, gathered: Gathered) -> None:
    """Enters each area: the set of cells that the legend marks, one per member where it is `of` a type."""
    legend = legend_of(world)
    first: dict[tuple[str, str | None], ast.Name] = {}
    for entry in gathered.of(ast.Area):
        decl = entry.declaration
        earlier = first.setdefault((decl.name.text, entry.mode), decl.name)
        if earlier is not decl.name:
            world.duplicate(decl.name, earlier.span)
            continue
        cell = world.types.get("Cell")
        if not isinstance(cell, Id):
            if cell is None:
                hint = "declare a map whose legend marks it"
                world.error(Code.UNKNOWN_NAME, decl.span, "an area needs a map", hint=hint)
            world.reporter.lost.add(decl.name.text)
            continue
        domain = world.domains[cell.domain]
        owner = world.types.get(decl.of.text) if decl.of else None
        if decl.of and not isinstance(owner, Id):
            world.no_type(decl.of.text, decl.of.span)
            continue
        of = owner.domain if isinstance(owner, Id) else None
        count = len(world.domains[of].members) if of is not None else 1
        sets = [0] * count
        for number, sign in enumerate(domain.looks):
            for item in legend.get(sign, ()):
                if item.name.text == decl.name.text and item.value is None:
                    index = _member_of(world, item, of)
                    sets[index] |= 1 << number
        label = world.text(decl.label) if decl.label else None
        data = world.add_data(pr.Data(decl.name.text, SetOf(cell), ((0, count),), tuple(sets), label=label))
        world.callables[decl.name.text] = Area(decl.name.text, of, data)


ASPECTS = ("front", "side", "back")


def declare_aspects(world: World, gathered: Gathered) -> None:
    """Enters `Aspect`, what a direction is for something that faces another, where the game asks for it."""
    if "Direction" not in world.types or "Aspect" in world.types:
        return
    if spoken_of(gathered, "side_of") or spoken_of(gathered, "Aspect"):
        domain = world.domain("Aspect", "enum")
        for name in ASPECTS:
            domain.add(name, world.text(name))
        world.types["Aspect"] = Id(domain.id)
