"""What things cover: the cells of a piece, of a place that takes several, or of a set; and how far such are apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.distances import bits
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf, Type
from dsl.lower.ir_builder import TRUE, conjunction, negation, number, replace_type
from dsl.resolve.gaps import no_map as tell_of_no_map
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbols import Column, Domain
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.membership import Membership


def cell_type(e: Membership) -> Id | None:
    """The type of the map's cells."""
    return Id(e.world.board.domain) if e.world.board is not None else None


def board_data(e: Membership, name: str) -> int:
    """The number of a constant table of the board."""
    return next(index for index, data in enumerate(e.world.data) if data.name == name)


def footprint(e: Membership, tree: ast.Expr, *, as_set: bool = False, listed: bool = False) -> ir.Expr:
    """What an expression covers: a cell as itself, anything larger as a set; a piece that stands nowhere, nothing.

    With `as_set` a set is expected, so that `empty` is one of cells. With `listed`, the few cells of a piece or of a
    place come as a list: a set has room for all cells of the map.
    """
    cell = cell_type(e)
    value = e.expr(tree, SetOf(cell) if as_set else cell) if cell else BAD
    return covered_by(e, value, tree, listed=listed)


def covered_by(e: Membership, value: ir.Expr, tree: ast.Expr, *, listed: bool = False) -> ir.Expr:
    """What a value covers, as `footprint` gives it; `tree` is the expression that it is the value of."""
    cell = cell_type(e)
    if cell is None or not known(value):
        return BAD
    if isinstance(value.type, SetOf) and value.type.of == cell:
        return value
    if isinstance(value.type, ListOf) and value.type.of == cell:
        return value if listed else ir.Op(SetOf(cell), "list_set", (value,))
    there = e.present(value, tree.span)
    if not known(there) or not isinstance(there.type, Id) or there.type.domain == cell.domain:
        return e.coerce(there, cell, tree.span)
    there = e.having(there, "at")
    assert isinstance(there.type, Id)
    domain = e.world.domains[there.type.domain]
    if domain.id in e.world.shapes:
        return cells_of(e, there, listed=listed)
    if not e.plays(domain):
        return e.coerce(there, cell, tree.span)
    at = where_it_is(e, there, tree)
    return at if at is not None and at.type == cell else standing_on(e, there, listed=listed)


def where_it_is(e: Membership, piece: ir.Expr, tree: ast.Expr) -> ir.Expr | None:
    """The field `at` of a piece, which tests before may have shown not to be none."""
    assert isinstance(piece.type, Id)
    if e.world.domains[piece.type.domain].parts:
        return None
    at = e.field(piece, "at", tree.span)
    member = ast.Member(tree, ast.Name("at", span=tree.span), span=tree.span)
    return e.without_none(at, member) if at is not None else None


def as_cells(e: Membership, covering: ir.Expr) -> ir.Expr:
    """A footprint as a set, where it may be one cell."""
    if not known(covering) or isinstance(covering.type, SetOf):
        return covering
    assert isinstance(covering.type, Id)
    return ir.Op(SetOf(Id(covering.type.domain)), "single", (covering,))


def cells_of(e: Membership, place: ir.Expr, *, listed: bool = False) -> ir.Expr:
    """The cells of a place, as a set or list; of none, nothing."""
    assert isinstance(place.type, Id)
    type_, table = _covering(e, place.type.domain, listed=listed)

    def covered(there: ir.Expr) -> ir.Expr:
        return ir.Op(type_, "single", (there,)) if table is None else ir.Lookup(type_, table, (there,))

    if not place.type.optional or table is None:
        return covered(place)
    local = e.body.new(place.type)
    there = ir.Op(Id(place.type.domain), "some", (local,))
    nothing = ir.Const(type_, () if listed else 0)
    test = ir.Op(TRUTH, "is_none", (local,))
    return ir.LetIn(type_, local.index, place, ir.Op(type_, "if", (test, nothing, covered(there))))


def _covering(e: Membership, domain: int, *, listed: bool) -> tuple[SetOf | ListOf, int | None]:
    """The type of what a place covers, and the table that says it; cells alone make a set without one."""
    cell = cell_type(e)
    assert cell is not None
    shape = e.world.shapes.get(domain)
    if not listed:
        return SetOf(cell), None if shape is None else shape.cells
    name = f"{e.world.domains[domain].name} listed"
    for number_, data in enumerate(e.world.data):
        if data.name == name and isinstance(data.type, ListOf):
            return data.type, number_
    if shape is None:
        lists: list[tuple[int, ...]] = [(each,) for each in range(len(e.world.domains[domain].members))]
    else:
        lists = [tuple(bits(each)) for each in e.world.data[shape.cells].values if isinstance(each, int)]
    type_ = ListOf(cell, max(map(len, lists)))
    return type_, e.world.add_data(pr.Data(name, type_, ((0, len(lists)),), tuple(lists)))


def standing_on(e: Membership, piece: ir.Expr, *, listed: bool = False) -> ir.Expr:
    """The cells that a piece stands on, whatever type of pieces it is of; nothing where it stands nowhere."""
    cell = cell_type(e)
    assert cell is not None and isinstance(piece.type, Id)
    domain = e.world.domains[piece.type.domain]
    if not domain.parts:
        place = place_of(e, domain)
        if place is None:
            return ir.Const(ListOf(cell, 1), ()) if listed else ir.Const(SetOf(cell), 0)
        return cells_of(e, e.load(domain.fields["at"], piece), listed=listed)
    at = len(domain.members)
    result: ir.Expr | None = None
    whole = ir.Op(Int(0, at - 1), "id", (piece,))
    for part in reversed(domain.parts):
        end, at = at, at - len(e.world.domains[part].members)
        inside = standing_on(e, ir.Op(Id(part), "cast", (piece, number(-at))), listed=listed)
        if result is None:
            result = inside
            continue
        wide = max(result.type, inside.type, key=lambda each: each.limit if isinstance(each, ListOf) else 0)
        result = ir.Op(wide, "if", (ir.Op(TRUTH, "lt", (whole, number(end))), inside, result))
    assert result is not None
    return result


def place_of(e: Membership, domain: Domain) -> Id | None:
    """Where pieces of a type stand on the map: cells, or places of a shape; none where they do not."""
    if "at" not in domain.fields:
        return None
    at = e.world.vars[domain.fields["at"]].type
    return replace(at, optional=False) if isinstance(at, Id) and on_map(e, at) else None


def wanted(e: Membership, tree: ast.Expr, place: Type) -> Type:
    """The type that an expression for the place of a piece is read with: the name of a cell is the cell, though a place
    of that one cell has the same name.
    """
    cell = cell_type(e)
    if cell is None or not isinstance(place, Id) or place.domain not in e.world.shapes:
        return place
    is_cell = isinstance(tree, ast.NameExpr) and tree.name in e.world.domains[cell.domain].index
    return cell if is_cell else place


def on_map(e: Membership, type_: Id) -> bool:
    """Are these places of the map: its cells, or places of a shape?"""
    board = e.world.board
    return board is not None and (type_.domain == board.domain or type_.domain in e.world.shapes)


def stands_in(e: Membership, domain: Domain, piece: ir.Expr, footprint_: ir.Expr) -> ir.Expr:
    """Does a piece of a type that stands on the map stand on any of these cells?"""
    at = e.load(domain.fields["at"], piece)
    cell = cell_type(e)
    assert isinstance(at.type, Id) and cell is not None
    if at.type.domain == cell.domain:
        if isinstance(footprint_.type, SetOf):
            return ir.Op(TRUTH, "has", (footprint_, at))
        return ir.Op(TRUTH, "eq", (at, replace_type(footprint_, at.type)))
    own, here = cells_of(e, at, listed=True), e.body.new(cell)
    if isinstance(footprint_.type, SetOf):
        test = ir.Op(TRUTH, "has", (footprint_, here))
    else:
        test = ir.Op(TRUTH, "eq", (here, footprint_))
    return ir.Fold(TRUTH, "any", here.index, own, test, TRUE)


def grown(e: Membership, place: ir.Expr) -> ir.Expr:
    """A footprint with all of what stands on it and is larger."""
    cell = cell_type(e)
    large = [each for each in e.world.domains if each.pool and place_of(e, each) not in {None, cell}]
    if not known(place) or cell is None or not large:
        return place
    whole, here = e.body.new(SetOf(cell)), e.body.new(cell)
    tests: list[ir.Expr] = [ir.Op(TRUTH, "has", (whole, here))]
    for domain in large:
        piece = e.body.new(Id(domain.id))
        both = conjunction([stands_in(e, domain, piece, here), stands_in(e, domain, piece, whole)])
        tests.append(ir.Fold(TRUTH, "any", piece.index, e.members(domain.id), both, TRUE))
    test = tests[0]
    for each in tests[1:]:
        test = ir.Op(TRUTH, "or", (test, each))
    found = ir.Fold(SetOf(cell), "all", here.index, e.members(cell.domain), test, None)
    return ir.LetIn(SetOf(cell), whole.index, as_cells(e, place), found)


def shape_of(e: Membership, found: ir.Expr, span: Span) -> ir.Expr | None:
    """The shape that a kind of pieces has, a piece by its kind, or a shape itself; None where there is none to be had.

    A kind has the shape that the first column of shapes in its table says.
    """
    whole = e.world.shapes[e.world.any_place].of if e.world.any_place is not None else None
    if not isinstance(found.type, Id) or whole is None:
        return None
    if found.type.domain == whole:
        return found
    there = e.present(found, span)
    if not known(there) or not isinstance(there.type, Id):
        return None
    domain = e.world.domains[there.type.domain]
    for name, column in e.columns(domain).items():
        if isinstance(column.type, Id) and column.type.domain == whole:
            return e.field(there, name, span)
    return None


def no_shape(e: Membership, found: ir.Expr, span: Span) -> ir.Expr:
    """The lesson of a kind that has no shape."""
    if isinstance(found.type, Id):
        domain = e.world.domains[found.type.domain]
        table = domain.pool.table.name if domain.pool and domain.pool.table else domain.name
        shapes = e.world.domains[e.world.shapes[e.world.any_place or 0].of or 0].members
        if _column_of_shapes(e, domain):
            return BAD
        if domain.table is not None or (domain.pool and domain.pool.table):
            hint = tr(
                "give it a column that says the shape of each row: `| ground |`, with `{shapes}` under it",
                shapes=shapes[0],
            )
            return e.fault(
                Code.TYPE_MISMATCH,
                span,
                tr("the table `{table}` has no column of shapes", table=table),
                hint=hint,
            )
    hint = "a kind of pieces whose table has a column of shapes, such a piece, or the name of a shape"
    return e.fault(
        Code.TYPE_MISMATCH, span, tr("{type} has no shape", type=e.world.show(found.type)), hint=hint
    )


def _column_of_shapes(e: Membership, domain: Domain) -> bool:
    """Is there a column that was meant for shapes? What keeps it from being one is told where it stands, once."""
    assert e.world.any_place is not None
    shapes = e.world.domains[e.world.shapes[e.world.any_place].of or 0]
    for name, column in e.columns(domain).items():
        if isinstance(column.type, Unknown):
            return True  # told before
        of = column.type.of if isinstance(column.type, SetOf) else column.type
        words = e.world.domains[of.domain] if isinstance(of, Id) else None
        if words is shapes:
            _tell_of_several(e, column, shapes)
            return True
        if words is None or words.kind != "enum":
            continue
        if any(each in e.world.reporter.lost for each in words.members):
            return True
        if any(each in shapes.index for each in words.members):
            _tell_of_words(e, name, column, shapes)
            return True
    return False


def _tell_of_several(e: Membership, column: Column, shapes: Domain) -> None:
    """A column holds sets of shapes."""
    several = next((each for each in column.cells if each is not None and "," in each.text), column.span)
    message = tr("several shapes stand in the column `{name}`, and a kind has one", name=column.name)
    hint = tr(
        "write one of them, such as `{shape}`; a shape of several cells is drawn as one",
        shape=shapes.members[0],
    )
    labels = () if several is column.span else (Label(column.span, "the column"),)
    e.world.error(Code.TYPE_MISMATCH, several, message, labels=labels, hint=hint)


def _tell_of_words(e: Membership, name: str, column: Column, shapes: Domain) -> None:
    """Some words of a column are shapes, and others are not."""
    odd = [each for each in column.cells if each is not None and each.text not in shapes.index]
    for span in odd or [column.span]:
        hint = e.world.nearest(span.text, shapes.members) or tr(
            "draw it, `shape {word}:`, or write one of {shapes}",
            word=span.text,
            shapes=", ".join(f"`{each}`" for each in shapes.members[:4]),
        )
        message = tr(
            "`{word}` is no {domain}, as the other words of the column `{name}` are",
            word=span.text,
            domain=shapes.name,
            name=name,
        )
        e.world.unknown("member", span, message, of=shapes.name, hint=hint)


def places_of(e: Membership, shape: ir.Expr) -> ir.Expr:
    """The places of a shape; of none, nothing."""
    assert e.world.any_place is not None and isinstance(shape.type, Id)
    members = e.world.shapes[e.world.any_place].members
    assert members is not None
    type_ = SetOf(Id(e.world.any_place))
    return _of_shape(e, shape, type_, lambda own: ir.Lookup(type_, members, (own,)), ir.Const(type_, 0))


def anchored_at(e: Membership, shape: ir.Expr, cell: ir.Expr) -> ir.Expr:
    """The places of a shape that are anchored at a cell, as drawn first; of none, nothing."""
    assert e.world.any_place is not None and isinstance(shape.type, Id)
    data = e.world.shapes[e.world.any_place].anchored
    type_ = e.world.data[data].type
    return _of_shape(e, shape, type_, lambda own: ir.Lookup(type_, data, (own, cell)), ir.Const(type_, ()))


def _of_shape(
    e: Membership, shape: ir.Expr, type_: Type, read: Callable[[ir.Expr], ir.Expr], nothing: ir.Expr
) -> ir.Expr:
    assert isinstance(shape.type, Id)
    if not shape.type.optional:
        return read(shape)
    kept = e.body.new(shape.type)
    own = ir.Op(Id(shape.type.domain), "some", (kept,))
    gone = ir.Op(TRUTH, "is_none", (kept,))
    return ir.LetIn(type_, kept.index, shape, ir.Op(type_, "if", (gone, nothing, read(own))))


def free(e: Membership, footprint_: ir.Expr, but: ir.Expr | None = None) -> ir.Expr:
    """Does no piece at all stand on these cells, but perhaps one?"""
    tests: list[ir.Expr] = []
    for domain in e.world.domains:
        if domain.pool and place_of(e, domain):
            piece = e.body.new(Id(domain.id))
            there = stands_in(e, domain, piece, footprint_)
            if but is not None and but.type == piece.type:
                there = conjunction([ir.Op(TRUTH, "ne", (piece, but)), there])
            tests.append(negation(ir.Fold(TRUTH, "any", piece.index, e.members(domain.id), there, TRUE)))
    return conjunction(tests)


def touching(e: Membership, place: ir.Expr) -> ir.Expr:
    """The cells around a footprint, none of them its own."""
    cell = cell_type(e)
    assert cell is not None
    if not isinstance(place.type, SetOf | ListOf):
        return ir.Lookup(SetOf(cell), board_data(e, "around"), (place,))
    match place:
        case ir.LetIn(
            value=ir.Load(type=Id(domain=domain)) as at,
            body=ir.Op(op="if", args=(gone, _, ir.Lookup(indices=(there,)))),
        ) if domain == cell.domain:  # a piece that covers one cell, or none: `cells_of`
            around = ir.Lookup(SetOf(cell), board_data(e, "around"), (there,))
            nothing = ir.Const(SetOf(cell), 0)
            return ir.LetIn(SetOf(cell), place.index, at, ir.Op(SetOf(cell), "if", (gone, nothing, around)))
        case _:
            pass
    whole, here = e.body.new(place.type), e.body.new(cell)
    if isinstance(place.type, ListOf):
        near = ir.Op(TRUTH, "eq", (apart(e, here, whole), number(1)))
        found = ir.Fold(SetOf(cell), "all", here.index, e.members(cell.domain), near, None)
        return ir.LetIn(SetOf(cell), whole.index, place, found)
    nearby = ir.Lookup(SetOf(cell), board_data(e, "around"), (here,))
    meets = negation(overlap_none(nearby, whole))
    outside = negation(ir.Op(TRUTH, "has", (whole, here)))
    all_cells = e.members(cell.domain)
    found = ir.Fold(SetOf(cell), "all", here.index, all_cells, conjunction([outside, meets]), None)
    return ir.LetIn(SetOf(cell), whole.index, place, found)


def overlap_none(one: ir.Expr, two: ir.Expr) -> ir.Expr:
    """Have two sets nothing in common?"""
    return ir.Op(TRUTH, "eq", (ir.Op(one.type, "meet", (one, two)), ir.Const(one.type, 0)))


def apart(e: Membership, one: ir.Expr, two: ir.Expr) -> ir.Expr:
    """How many steps lie between two footprints (cells, sets or lists): between the nearest two of their cells."""
    data = board_data(e, "distance")
    type_ = e.world.data[data].type
    cell = cell_type(e)
    assert isinstance(type_, Int) and cell is not None
    maybe, far = replace(type_, optional=True), number(type_.high)

    def nearest(of: ir.Expr, steps: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
        """The fewest steps from any cell of a footprint; of one cell, those from it."""
        if not isinstance(of.type, SetOf | ListOf):
            return steps(of)
        here = e.body.new(cell)
        return ir.Op(type_, "else_", (ir.Fold(maybe, "lowest", here.index, of, None, steps(here)), far))

    if not isinstance(one.type, SetOf | ListOf):
        return nearest(two, lambda there: ir.Lookup(type_, data, (one, there)))
    other = e.body.new(two.type)
    found = nearest(one, lambda here: nearest(other, lambda there: ir.Lookup(type_, data, (here, there))))
    return ir.LetIn(type_, other.index, two, found)


def no_map(e: Membership, span: Span) -> ir.Expr:
    """The lesson of a game that asks for places and has none."""
    tell_of_no_map(e.world, span)
    return BAD
