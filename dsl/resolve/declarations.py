"""Declarations: domains, types, tables, state and heads, entered into the world before any expression is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Subject
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.linker.layers import Gathered, TableSource
from dsl.linker.modes import Where
from dsl.looks import part_of, parts_of
from dsl.resolve import cells
from dsl.resolve.board import declare_aspects, declare_board
from dsl.resolve.headers import declare_players, declare_union, read_headers
from dsl.resolve.hidden_kinds import KIND, check_kinds
from dsl.resolve.holdings import check_holdings, declare_holding
from dsl.resolve.kinds import UNKNOWN, AnyType, Unknown
from dsl.resolve.like_rows import find_likes, refuse_likes
from dsl.resolve.options import declare_global, declare_options
from dsl.resolve.pools import declare_pools
from dsl.resolve.reporter import Reporter
from dsl.resolve.seats import declare_seats
from dsl.resolve.shapes import declare_shapes
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Column, Domain, Table
from dsl.resolve.translations import read_translations
from dsl.resolve.types import resolve
from dsl.syntax import ast


def declare(world: World, gathered: Gathered) -> None:
    """Enters all domains, types, tables and state variables."""
    read_headers(world, gathered)
    world.reporter.layer_of = gathered.layer_of
    world.translations = read_translations(world, gathered)
    declare_players(world, gathered)
    declare_options(world, gathered)
    declare_seats(world, gathered)
    enums = _enums(world, gathered)
    _row_domains(world, gathered)
    _likes(world, gathered)
    _piece_domains(world, gathered)
    declare_board(world, gathered)
    declare_aspects(world, gathered)
    declare_shapes(world, gathered)
    _aliases(world, gathered, enums)
    _columns(world, gathered)
    declare_pools(world, gathered)
    _fill_unions(world)
    _state(world, gathered)


def _fill_unions(world: World) -> None:
    """Unions with pieces get their members when the pieces have been counted."""
    for union in world.domains:
        if not any(world.domains[part].pool or world.domains[part].kind == "union" for part in union.parts):
            continue
        union.members, union.labels, union.looks, union.index = [], [], [], {}
        for part in union.parts:
            for member, label in zip(world.domains[part].members, world.domains[part].labels, strict=True):
                union.add(member, label)


# ---------------------------------------------------------------- types


def _enums(world: World, gathered: Gathered) -> dict[str, Domain]:
    """Declares enumerations: type declarations with alternatives that name no type; where others do, the type is a
    union, and what is declared here is a part of it without a name of its own.
    """
    declared = {entry.declaration.name.text for entry in gathered.of(ast.TypeDecl)}
    pieces = {entry.declaration.name.text for entry in gathered.of(ast.Piece)}
    known = declared | pieces | set(gathered.tables) | {"Player", "Side", "Cell", "Direction", "bool"}
    own: dict[str, Domain] = {}
    for entry in gathered.of(ast.TypeDecl):
        decl = entry.declaration
        fresh = [alt for alt in decl.alternatives if isinstance(alt, ast.NamedType) and alt.name not in known]
        for alt in decl.alternatives:
            if isinstance(alt, ast.NamedType) and alt.label is not None and alt.name in known:
                message = tr("`{alt}` is a type, whose members have labels of their own", alt=alt.name)
                hint = "a label stands behind a new name, or where the type is declared"
                world.error(Code.TYPE_MISMATCH, alt.label.span, message, hint=hint)
        if len(decl.alternatives) == 1 and fresh and fresh[0].label is None:
            world.no_type(fresh[0].name, fresh[0].span, world.nearest(fresh[0].name, [*known]))
        if not fresh:
            continue
        if decl.name.text in own:
            world.duplicate(decl.name, world.type_spans.get(decl.name.text))
            continue
        whole = len(fresh) == len(decl.alternatives)
        domain = world.domain(decl.name.text if whole else f"{decl.name.text}'", "enum")
        for alt in fresh:
            texts = dict(alt.label.texts) if alt.label is not None else {}
            label = _label_of(world, alt, texts, gathered.words.get((decl.name.text, alt.name), {}))
            world.member_spans[domain.id, world.enter_member(domain, alt.name, label)] = alt.span
        own[decl.name.text] = domain
        if whole:
            world.declare_type(decl.name, Id(domain.id))
        world.clause("type", decl.name.text, decl.citation, decl.span)
    return own


def _row_domains(world: World, gathered: Gathered) -> None:
    """Declares a domain for each table of kinds, with a member for each row."""
    for source in gathered.tables.values():
        decl = source.declaration
        if decl.params:
            continue
        domain = world.domain(decl.name.text, "row", world.text(decl.label) if decl.label else None)
        domain.table = Table(decl.name.text, domain.id)
        world.declare_type(decl.name, Id(domain.id))
        for head, rows, where in source.groups:
            positions = _row_labels(head)
            _check_names(world.reporter, domain, head, rows)
            for row in rows:
                _enter_row(world, domain, row, positions, where, _words(world.reporter, source, row))


def _likes(world: World, gathered: Gathered) -> None:
    """Enters which rows are like others, when all rows are known."""
    for source in gathered.tables.values():
        type_ = world.types.get(source.declaration.name.text)
        domain = world.domains[type_.domain] if isinstance(type_, Id) else None
        if source.declaration.params:
            refuse_likes(world.reporter, source)
        elif domain is not None and domain.table is not None:
            find_likes(world, source, domain)


def _check_names(reporter: Reporter, domain: Domain, head: ast.Row, rows: Sequence[ast.Row]) -> None:
    """Several rows of one table that begin alike: what they begin with are no names, which is one fault."""
    if head.cells and label_of(head.cells[0].text) is not None:
        reporter.lacks_rows.add(domain.name)  # told where the columns are read
        return
    first: dict[str, ast.Cell] = {}
    again = [
        row.cells[0]
        for row in rows
        if row.cells and first.setdefault(row.cells[0].text, row.cells[0]) is not row.cells[0]
    ]
    if len(again) < 2:
        return
    cell = again[0]
    hint = "the first column holds a name of its own for each row: is the column `id` missing before it?"
    labels = (Label(first[cell.text].span, "the first one"),)
    message = tr(
        "several rows begin with the same word, such as `{cell}`: it should be their name", cell=cell.text
    )
    reporter.error(Code.DUPLICATE_NAME, cell.span, message, hint=hint, labels=labels)
    reporter.lacks_rows.add(domain.name)


def _row_labels(head: ast.Row) -> dict[str, int]:
    """Where the labels stand in a row: by language, and the look."""
    languages = [(label_of(cell.text), index) for index, cell in enumerate(head.cells)]
    return {language: index for language, index in languages if language is not None}


def _words(reporter: Reporter, source: TableSource, row: ast.Row) -> dict[str, str]:
    """The labels, and the look, that mods give a row, by language."""
    found: dict[str, str] = {}
    for name, setting, where, _ in source.changes:
        language = label_of(setting.name.text)
        if language is None or not row.cells or name.text != row.cells[0].text:
            continue
        if not isinstance(setting.value, ast.Text):
            hint = tr(
                'write `{setting} = "{setting2}"`',
                setting=setting.name.text,
                setting2=setting.value.span.text,
            )
            reporter.error(
                Code.TYPE_MISMATCH, setting.value.span, "words for players stand in quotes", hint=hint
            )
        elif where is not None:
            message = "what a row is called cannot change in one mode only"
            hint = "change it outside of the modes, or give the mode a row of its own"
            reporter.error(Code.NOT_BUILT, setting.span, message, hint=hint)
        else:
            found[language] = setting.value.text
    return found


def label_of(column: str) -> str | None:
    """Of a column of labels its language (of `look` that word), of any other none."""
    match = re.fullmatch(r"name(?:\s+(\w+))?", column)
    return (match[1] or "") if match else "look" if column == "look" else None


def _enter_row(
    world: World, domain: Domain, row: ast.Row, positions: dict[str, int], where: Where, words: dict[str, str]
) -> None:
    if not row.cells or not re.fullmatch(r"[^\W\d]\w*", row.cells[0].text):
        span = row.cells[0].span if row.cells else row.span
        if domain.name in world.reporter.lacks_rows:
            return
        world.reporter.lacks_rows.add(domain.name)
        world.error(
            Code.BAD_CELL,
            span,
            "a row begins with its name",
            hint="a name is letters, digits and `_`, such as `tank_moyen`; a row that is like another begins "
            "`mammoth like tank`",
        )
        return
    name = row.cells[0].text
    words = dict(words)
    if name in domain.index and domain.name in world.reporter.lacks_rows:
        return
    if name in domain.index:
        number, modes = domain.index[name], world.modes
        if not modes.every(modes.both(domain.where[number], where)) and modes.names:
            domain.where[number] = modes.union([domain.where[number], where])
            return
        hint = tr(
            "to change what it prints write `change {name}: column = value`, else give it another name",
            name=name,
        )
        world.error(
            Code.DUPLICATE_NAME,
            row.cells[0].span,
            tr("there is a row `{name}` already", name=name),
            hint=hint,
            subject=Subject("row", name, domain.name),
        )
        return
    texts = {lang: row.cells[at].text for lang, at in positions.items() if at < len(row.cells)}
    texts = {lang: words for lang, words in texts.items() if words not in {"-", ""}}
    look = words.pop("look", texts.pop("look", ""))
    _check_look(world, row, positions, look)
    world.enter_member(domain, name, _label_of(world, row, texts, words), look)
    domain.where.append(where)
    assert domain.table is not None
    domain.table.row_clauses.append(world.clause("row", f"{domain.name} {name}", row.citation, row.span))


def _check_look(world: World, row: ast.Row, positions: dict[str, int], look: str) -> None:
    """Tells of what a look can say nothing by, and of what it says twice."""
    at = positions.get("look", -1)
    span = row.cells[at].span if 0 <= at < len(row.cells) else row.cells[0].span
    said: set[str] = set()
    for part in parts_of(look):
        name = part_of(part)
        if not name:
            message = tr("`{part}` is no sign, colour or picture", part=part)
            hint = "a sign is as wide as two letters at most, a colour is `#rrggbb`, a picture is a file `NAME.svg`"
            world.error(Code.BAD_CELL, span, message, hint=hint)
        elif name in said:
            message = tr(
                "`{part}` is a second one: a row has one sign, one colour and one picture", part=part
            )
            world.error(Code.BAD_CELL, span, message)
        said.add(name)


def _label_of(
    world: World, node: ast.Row | ast.NamedType, texts: dict[str, str], changed: dict[str, str]
) -> int:
    """The label of a row or of a member of a type: its texts by language, with those that mods give it instead; its
    name where there are none.
    """
    own = world.language if world.language in texts else ""
    texts = texts | {lang or own: each for lang, each in changed.items()}
    if texts:
        return world.text(ast.Label(tuple(texts.items()), span=node.span))
    return world.text(node.name if isinstance(node, ast.NamedType) else node.cells[0].text)


def _piece_domains(world: World, gathered: Gathered) -> None:
    """Declares a domain for each type of pieces; the pieces themselves are counted when columns are known."""
    for entry in gathered.of(ast.Piece):
        decl = entry.declaration
        domain = world.domain(decl.name.text, "piece", world.text(decl.label) if decl.label else None)
        world.declare_type(decl.name, Id(domain.id))


def _aliases(world: World, gathered: Gathered, enums: dict[str, Domain]) -> None:
    """Declares unions and other names for types, in an order in which each is known when it is needed."""
    waiting = [
        entry.declaration
        for entry in gathered.of(ast.TypeDecl)
        if entry.declaration.name.text not in world.types
    ]
    while waiting:
        ready = [decl for decl in waiting if _known_parts(world, decl, enums)]
        if not ready:
            for decl in waiting:
                world.error(
                    Code.UNKNOWN_NAME,
                    decl.name.span,
                    tr("the type `{decl}` cannot be resolved", decl=decl.name.text),
                    hint="types may not be made of each other in a circle",
                )
                world.types[decl.name.text] = UNKNOWN
            return
        for decl in ready:
            waiting.remove(decl)
            world.declare_type(decl.name, _alias(world, decl, enums))


def _known_parts(world: World, decl: ast.TypeDecl, enums: dict[str, Domain]) -> bool:
    own = enums.get(decl.name.text)
    return all(
        not isinstance(alt, ast.NamedType)
        or alt.name in world.types
        or (own is not None and alt.name in own.index)
        or alt.name == "bool"
        for alt in decl.alternatives
    )


def _alias(world: World, decl: ast.TypeDecl, enums: dict[str, Domain]) -> AnyType:
    if len(decl.alternatives) == 1:
        return resolve(world, decl.alternatives[0])
    own = enums.get(decl.name.text)
    parts: list[Domain] = []
    for alt in decl.alternatives:
        each: AnyType
        if own is not None and isinstance(alt, ast.NamedType) and alt.name in own.index:
            each = Id(own.id)
        else:
            each = resolve(world, alt)
        if not isinstance(each, Id):
            if not isinstance(each, Unknown):
                world.error(
                    Code.TYPE_MISMATCH,
                    alt.span,
                    tr("`{each}` cannot be part of a union", each=world.show(each)),
                )
            continue
        if world.domains[each.domain] not in parts:
            parts.append(world.domains[each.domain])
    return declare_union(world, decl.name.text, parts)


# ---------------------------------------------------------------- tables


def _columns(world: World, gathered: Gathered) -> None:
    for source in gathered.tables.values():
        if not source.declaration.params:
            cells.declare_columns(world, source)


# ---------------------------------------------------------------- state


def _state(world: World, gathered: Gathered) -> None:
    for entry in gathered.of(ast.State):
        decl = entry.declaration
        of = None
        if decl.of is not None:
            type_ = resolve(world, ast.NamedType(decl.of.text, span=decl.of.span))
            if not isinstance(type_, Id):
                if not isinstance(type_, Unknown):
                    world.error(
                        Code.TYPE_MISMATCH,
                        decl.of.span,
                        tr("`{of}` has no members to keep a state of", of=decl.of.text),
                    )
                continue
            of = type_.domain
        name = decl.of.text if decl.of else ""
        starts = {field: found for (type_name, field), found in gathered.starts.items() if type_name == name}
        declare_fields(world, of, decl.fields, starts)
    for entry in gathered.of(ast.Piece):
        piece = entry.declaration
        piece_type = world.types.get(piece.name.text)
        if isinstance(piece_type, Id):
            extra = gathered.extra_fields.get(piece.name.text, [])
            declare_fields(world, piece_type.domain, (*piece.fields, *extra))
    check_kinds(world, gathered)
    check_holdings(world)


Starts = dict[str, list[tuple[ast.Field, Where]]]


def declare_fields(
    world: World, of: int | None, fields: tuple[ast.Field, ...], starts: Starts | None = None
) -> None:
    """Enters a state variable for each field; `starts` is how some begin in some modes."""
    for field in fields:
        type_ = resolve(world, field.type)
        if isinstance(type_, Unknown):
            world.reporter.lost.add(field.name.text)
            continue
        var = world.var(field.name.text, of, type_, "field")
        var.field = field
        var.starts = tuple((starts or {}).get(field.name.text, ()))
        beside = field.holder_leaves.citation if field.holder_leaves else None
        var.clause = world.clause("field", field.name.text, field.citation, field.span, beside=beside)
        declare_holding(world, var, field)
        label = next((clause.label for clause in field.clauses if isinstance(clause, ast.Called)), None)
        var.label = world.text(label) if label else None
        if of is None:
            declare_global(world, field.name, var.id)
            continue
        domain = world.domains[of]
        columns = _columns_of(world, domain)
        if field.name.text in columns:
            world.duplicate(field.name, columns[field.name.text].span)
            continue
        wider = [each for each in world.unions(domain) if field.name.text in each.fields]
        narrower = world.parts(domain)
        if (
            field.name.text in domain.fields
            or wider
            or any(field.name.text in {*each.fields, *_columns_of(world, each)} for each in narrower)
        ):
            world.duplicate(field.name, None)
        domain.fields[field.name.text] = var.id
        if domain.pool is not None and domain.pool.table is not None and field.name.text == KIND:
            domain.pool.kind_var = var.id


def _columns_of(world: World, domain: Domain) -> dict[str, Column]:
    table = domain.pool.table if domain.pool else domain.table
    return table.columns if table else {}


def zero(world: World, type_: Type) -> ir.Const:
    """What a field holds where nothing is said: none, 0 (or the nearest number), the first member, nothing."""
    match type_:
        case Int(low=low, high=high, optional=optional):
            return ir.Const(type_, NONE if optional else min(max(0, low), high))
        case Id(optional=optional):
            return ir.Const(type_, NONE if optional else 0)
        case SetOf():
            return ir.Const(type_, 0)
        case BagOf(domain=domain):
            return ir.Const(type_, tuple([0] * len(world.domains[domain].members)))
        case ListOf():
            return ir.Const(type_, ())
        case Record(types=types):
            return ir.Const(type_, tuple(zero(world, each).value for each in types))  # type: ignore[misc]
        case _:
            assert_never(type_)
