"""Declarations of data: types, tables, state, pieces, piles, maps and rulings."""

import re
from collections.abc import Sequence

from dsl.syntax import ast, faults
from dsl.syntax.build.expressions import (
    bound,
    bound_as_written,
    expression,
    maybe_expression,
    maybe_type,
    params,
    type_of,
)
from dsl.syntax.build.leaves import (
    Origin,
    branch,
    citation,
    field_name,
    label,
    maybe_label,
    maybe_name,
    name,
    new_name,
    of_rule,
    parts,
    text,
    token,
    unknown,
    words_of,
)
from dsl.syntax.build.statements import block
from dsl.syntax.lalr import Child, Token, Tree


def type_decl(origin: Origin, child: Child) -> ast.TypeDecl:
    """An enumeration, a union or another name for a type."""
    _, (word, *alternatives, cited) = parts(child)
    return ast.TypeDecl(
        new_name(origin, word),
        members(origin, alternatives),
        citation(origin, cited),
        span=origin.span(child),
    )


def members(origin: Origin, children: Sequence[Child]) -> tuple[ast.TypeExpr, ...]:
    """The alternatives of a type; new names perhaps with a label."""
    return tuple(_member(origin, each) for each in children)


def _member(origin: Origin, child: Child) -> ast.TypeExpr:
    match parts(child):
        case "labelled", [word, words]:
            return ast.NamedType(name(origin, word).text, label(origin, words), span=origin.span(word))
        case _:
            return type_of(origin, child)


def table(origin: Origin, child: Child) -> ast.Table:
    """A table of any of the three sorts, its cells still raw text."""
    _, (word, written, result, dash, words, cited, *lines) = parts(child)
    taken = params(origin, written)
    built = rows(origin, lines)
    others, captions = (built, ()) if taken else captioned(built)
    return ast.Table(
        new_name(origin, word),
        taken,
        maybe_type(origin, result),
        None if dash is None else expression(origin, branch(dash).children[0]),
        others,
        citation(origin, cited),
        captions,
        maybe_label(origin, words),
        span=origin.span(child),
    )


_CALLED = re.compile(r"called\s+\w+")
"""What the first cell of a row holds that says what players call the columns."""


def captioned(built: tuple[ast.Row, ...]) -> tuple[tuple[ast.Row, ...], tuple[ast.Row, ...]]:
    """The rows of a table of kinds, and those that say what players call its columns."""
    captions = tuple(row for row in built[1:] if row.cells and _CALLED.fullmatch(row.cells[0].text))
    return tuple(row for row in built if not any(row is each for each in captions)), captions


def rows(origin: Origin, children: Sequence[Child]) -> tuple[ast.Row, ...]:
    """The rows of a table, each with as many cells as its first."""
    built = tuple(_row(origin, child, is_head=number == 0) for number, child in enumerate(children))
    built = built[:1] + tuple(row for row in built[1:] if not _is_head_again(origin, row, built[0]))
    if (other := _other_table(built)) is not None:
        origin.diagnostics.add(faults.other_table(built[other].span, built[0].span))
        return built[:other]
    counts = {len(row.cells) for row in built[1:]}
    if len(built) > 2 and len(counts) == 1 and counts != {len(built[0].cells)}:
        origin.diagnostics.add(
            faults.ragged_head(built[0].span, len(built[0].cells), built[1].span, counts.pop())
        )
        return built
    for row in built[1:]:
        if len(row.cells) != len(built[0].cells):
            origin.diagnostics.add(
                faults.ragged_row(row.span, len(row.cells), built[0].span, len(built[0].cells))
            )
    return built


_NUMBER = re.compile(r"-?\d+|-")


def _other_table(built: Sequence[ast.Row]) -> int | None:
    """Where the rows of another table begin, whose head is gone: a first row with names of columns, or other widths."""
    width = len(built[0].cells) if built else 0
    for number in range(2, len(built) - 1):
        row, rest = built[number], {len(each.cells) for each in built[number:]}
        if _names_columns(row, built[0]):
            return number
        if len(rest) == 1 and width not in rest:
            is_head = not row.cells[0].text or not any(_NUMBER.fullmatch(each.text) for each in row.cells)
            return number if is_head and all(len(each.cells) == width for each in built[:number]) else None
    return None


def _names_columns(row: ast.Row, head: ast.Row) -> bool:
    """Does a row begin as the first row does, or hold what heads the column of names?"""
    same = bool(row.cells[0].text) and row.cells[0].text == head.cells[0].text == "id"
    return same or any(re.fullmatch(r"name (?:en|fr)", cell.text) for cell in row.cells)


def _is_head_again(origin: Origin, row: ast.Row, head: ast.Row) -> bool:
    """Does the head of a table stand a second time among its rows?"""
    texts = [cell.text for cell in row.cells]
    if len(texts) < 2 or texts != [cell.text for cell in head.cells]:
        return False
    origin.diagnostics.add(faults.head_again(row.span, head.span))
    return True


_LIKE = re.compile(r"([^\W\d]\w*)\s+like\s+([^\W\d]\w*)")
"""What the first cell of a row that is like another holds."""


def _row(origin: Origin, child: Child, *, is_head: bool = False) -> ast.Row:
    _, (written, cited) = parts(child)
    span = origin.span(written)
    at = span.start + 1
    cells: list[ast.Cell] = []
    for raw in str(token(written))[1:-1].split("|"):
        start = at + len(raw) - len(raw.lstrip())
        stripped = raw.strip()
        start = start if stripped else at
        cells.append(ast.Cell(stripped, span=origin.source.span(start, start + len(stripped))))
        at += len(raw) + 1
    like = None
    if not is_head and cells and (found := _LIKE.fullmatch(cells[0].text)):
        start = cells[0].span.start
        cells[0] = ast.Cell(found[1], span=origin.source.span(start, start + len(found[1])))
        like = ast.Name(found[2], span=origin.source.span(start + found.start(2), start + found.end(2)))
    return ast.Row(tuple(cells), citation(origin, cited), like, span=span)


def state(origin: Origin, child: Child) -> ast.State:
    """The fields of the game, or of each element of a type."""
    _, (of, cited, *lines) = parts(child)
    return ast.State(
        maybe_name(origin, of),
        fields(origin, lines, by_itself=of is None),
        citation(origin, cited),
        span=origin.span(child),
    )


def fields(origin: Origin, children: Sequence[Child], *, by_itself: bool = False) -> tuple[ast.Field, ...]:
    """Fields; those of the whole game are read by their name alone."""
    found = tuple(_field(origin, child, by_itself) for child in children)
    first: dict[str, ast.Name] = {}
    for field in found:
        earlier = first.setdefault(field.name.text, field.name)
        if earlier is not field.name:
            origin.diagnostics.add(faults.field_again(field.name.span, earlier.span))
            return found[: found.index(field)]
    return found


def _field(origin: Origin, child: Child, by_itself: bool) -> ast.Field:
    _, (word, kind, initial, *clauses, last) = parts(child)
    is_suite = isinstance(last, Tree)
    return ast.Field(
        field_name(origin, word) if by_itself else name(origin, word),
        type_of(origin, kind),
        maybe_expression(origin, initial),
        tuple(_field_clause(origin, clause) for clause in clauses),
        block(origin, last) if is_suite else None,
        None if is_suite else citation(origin, last),
        span=origin.span(child),
    )


def _field_clause(origin: Origin, child: Child) -> ast.FieldClause:
    span = origin.span(child)
    match parts(child):
        case "again", [when, following, scope]:
            return ast.Again(words_of(when)[1], following is not None, expression(origin, scope), span=span)
        case "seen", [Token() as everybody]:
            return ast.Seen(ast.NameExpr(str(everybody), span=origin.span(everybody)), span=span)
        case "seen", [by]:
            return ast.Seen(expression(origin, by), span=span)
        case "called", [words]:
            return ast.Called(label(origin, words), span=span)
        case "uncounted", [_]:
            return ast.Uncounted(span=span)
        case "undrawn", [_]:
            return ast.Undrawn(span=span)
        case _:
            unknown(child)


def area(origin: Origin, child: Child) -> ast.Area:
    """A set of cells that maps mark."""
    _, (word, of, words, cited) = parts(child)
    return ast.Area(
        new_name(origin, word),
        maybe_name(origin, of),
        maybe_label(origin, words),
        citation(origin, cited),
        span=origin.span(child),
    )


def shape(origin: Origin, child: Child) -> ast.Shape:
    """A type of places that take several cells."""
    _, (word, fixed, *rest) = parts(child)
    tokens = [each for each in rest if isinstance(each, Token)]
    return ast.Shape(
        new_name(origin, word),
        fixed is not None,
        tuple(_drawing(origin, each) for each in tokens if each.type == "MAPTEXT"),
        next((citation(origin, each) for each in tokens if each.type == "CITE"), None),
        _file(origin, tokens),
        span=origin.span(child),
    )


def _file(origin: Origin, tokens: Sequence[Token]) -> ast.Text | None:
    """The file that a drawing is from."""
    return next((text(origin, each) for each in tokens if each.type == "STRING"), None)


def piece(origin: Origin, child: Child) -> ast.Piece:
    """A kind of piece with its supply and its fields."""
    _, (word, of, supply, words, cited, *lines) = parts(child)
    return ast.Piece(
        new_name(origin, word),
        maybe_name(origin, of),
        None if supply is None else _supply(origin, supply),
        fields(origin, lines),
        citation(origin, cited),
        maybe_label(origin, words),
        span=origin.span(child),
    )


def _supply(origin: Origin, child: Child) -> ast.Supply:
    span = origin.span(child)
    match parts(child):
        case "supply", [count, each, per]:
            owner = maybe_name(origin, per)
            return ast.Supply("up to", expression(origin, count), None, each is not None, owner, span=span)
        case "supply_one", [per]:
            return ast.Supply("one", None, None, True, maybe_name(origin, per), span=span)
        case "supply_column", [column, per]:
            owner = maybe_name(origin, per)
            return ast.Supply("column", None, name(origin, column), True, owner, span=span)
        case _:
            unknown(child)


def pile(origin: Origin, child: Child) -> ast.Pile:
    """An ordered place for cards."""
    _, (word, of, per, *clauses, last) = parts(child)
    is_suite = isinstance(last, Tree)
    return ast.Pile(
        new_name(origin, word),
        name(origin, of),
        maybe_name(origin, per),
        tuple(_field_clause(origin, clause) for clause in clauses),
        block(origin, last) if is_suite else None,
        None if is_suite else citation(origin, last),
        span=origin.span(child),
    )


def map_of(origin: Origin, child: Child) -> ast.Map:
    """A map: its shape, its legend and its drawing."""
    _, (word, shape, *rest) = parts(child)
    tokens = [each for each in rest if isinstance(each, Token)]
    legend = [each for part in of_rule(rest, "legend") for each in parts(part)[1]]
    like = [each for each in legend if isinstance(each, Token) and each.type == "NAME"]
    return ast.Map(
        new_name(origin, word),
        expression(origin, shape),
        tuple(_legend_line(origin, line) for line in of_rule(legend, "legend_line")),
        next((_drawing(origin, each) for each in tokens if each.type == "MAPTEXT"), None),
        next((citation(origin, each) for each in tokens if each.type == "CITE"), None),
        _file(origin, tokens),
        tuple(name(origin, each) for each in like),
        span=origin.span(child),
    )


def legend(origin: Origin, child: Child) -> ast.Legend:
    """A legend for maps to use."""
    _, (word, cited, *lines) = parts(child)
    found = tuple(_legend_line(origin, line) for line in lines)
    return ast.Legend(new_name(origin, word), found, citation(origin, cited), span=origin.span(child))


def _drawing(origin: Origin, child: Token) -> ast.Text:
    """The text between the triple quotes."""
    span = origin.span(child)
    return ast.Text(span.text[3:-3], span=origin.source.span(span.start + 3, span.end - 3))


def _legend_line(origin: Origin, child: Child) -> ast.LegendLine:
    _, (sign, *items, cited) = parts(child)
    meanings = tuple(_legend_item(origin, item) for item in items)
    return ast.LegendLine(text(origin, sign), meanings, citation(origin, cited), span=origin.span(child))


def _legend_item(origin: Origin, child: Child) -> ast.LegendItem:
    span = origin.span(child)
    match parts(child):
        case "legend_item", [word, of]:
            return ast.LegendItem(name(origin, word), maybe_name(origin, of), span=span)
        case "legend_setting", [word, value]:
            return ast.LegendItem(name(origin, word), value=expression(origin, value), span=span)
        case _:
            unknown(child)


def ruling(origin: Origin, child: Child) -> ast.Ruling:
    """A ruling or an option, between named choices or over a range."""
    span = origin.span(child)
    match parts(child):
        case "ruling", [kind, word, *choices, default, words, cited]:
            return ast.Ruling(
                str(token(kind)),
                new_name(origin, word),
                tuple(_alternative(origin, choice) for choice in choices),
                None,
                _choice(origin, default),
                maybe_label(origin, words),
                citation(origin, cited),
                span=span,
            )
        case "ruling_range", [kind, word, low, _, high, default, words, cited]:
            within = origin.source.span(origin.span(low).start, origin.span(high).end)
            return ast.Ruling(
                str(token(kind)),
                new_name(origin, word),
                (),
                ast.RangeType(bound(origin, low), bound(origin, high), span=within),
                bound_as_written(origin, default),
                maybe_label(origin, words),
                citation(origin, cited),
                span=span,
            )
        case _:
            unknown(child)


def _alternative(origin: Origin, child: Child) -> ast.Choice:
    match parts(child):
        case "worded", [word, words]:
            return ast.Choice(name(origin, word).text, label(origin, words), span=origin.span(word))
        case _:
            bare = _choice(origin, child)
            return ast.Choice(bare.text, span=bare.span)


def _choice(origin: Origin, child: Child) -> ast.Name:
    return name(origin, parts(child)[1][0])
