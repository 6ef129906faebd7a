"""Columns of texts for players, in one or more languages: `rules fr: text`, `rules en: text`."""

from __future__ import annotations

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import program as pr
from dsl.ir.limits import MAX_MEMBERS
from dsl.ir.types import Id
from dsl.linker.layers import TableSource, head_name
from dsl.resolve.cell_values import Value
from dsl.resolve.printed_cells import EMPTY, Head, changed_by, fill_absent, raw_cells, says_nothing
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Column, Domain
from dsl.source import Span
from dsl.syntax import ast

TEXT = "text"
"""The type of a column that holds words for players."""
TEXT_HEAD = re.compile(r"[^\W\d]\w*(?:\s+(\w+))?")
"""What heads such a column: its name, and perhaps the language of its cells."""
MOST_TEXT = 1_000
"""Characters of a text in a cell."""
LANGUAGES = frozenset({"en", "fr"})


def text_columns(world: World, source: TableSource, heads: dict[str, Head]) -> dict[str, Span]:
    """The columns of texts for players by their names, without the language that a header says: `rules fr: text`."""
    found: dict[str, Span] = {}
    for name, head in heads.items():
        declared = head.declared
        is_text = declared == TEXT or (isinstance(declared, ast.NamedType) and declared.name == TEXT)
        if not is_text or TEXT in world.types or not TEXT_HEAD.fullmatch(name):
            continue
        found.setdefault(base_of(name), head.span)
        if head.default is not None:
            message = tr("`{name}` is a text, and has no default", name=name)
            hint = "a row without a text shows nothing; one that is like another has its text"
            world.error(Code.BAD_CELL, head.default.span, message, hint=hint)
    return found


def base_of(name: str) -> str:
    """The name of a column of texts without its language."""
    return name.split(maxsplit=1)[0] if name else name


def declare_text(world: World, source: TableSource, domain: Domain, name: str, span: Span) -> None:
    """Enters a column of texts for players: a column of a type whose members are all such texts of the game, and which
    only labels read.
    """
    assert domain.table is not None
    modes: list[str | None] = [*world.modes.names] if source.by_mode else [None]
    told = [cell for group in source.groups for cell in group.head.cells if base_of(head_name(cell)) == name]
    titles = [head_name(cell) for cell in told]
    titles += [each.setting.name.text for each in source.changes if base_of(each.setting.name.text) == name]
    languages = {title: (TEXT_HEAD.fullmatch(title) or ["", ""])[1] or "" for title in titles or [name]}
    columns = {
        title: [raw_cells(world.reporter, source, domain, Head(title, span, TEXT), mode) for mode in modes]
        for title in languages
    }
    for printed in columns.values():
        fill_absent(domain, modes, printed)
    values: list[Value] = []
    clauses: list[int | None] = []
    own = domain.table.row_clauses
    changed = {title: changed_by(world, source, domain, title) for title in languages}
    for at, mode in enumerate(modes):
        written = {title: printed[at] for title, printed in columns.items()}
        origins = list(range(len(domain.members)))
        for (there, row), base in domain.table.likes.items():
            if there == mode and all(says_nothing(cells[row]) for cells in written.values()):
                origins[row] = origins[base]
        for row in range(len(domain.members)):
            cells = {title: cells[origins[row]] for title, cells in written.items()}
            found = {
                languages[title]: cell for title, cell in cells.items() if cell and cell.text not in EMPTY
            }
            values.append(_text(world, domain.table.row_clauses[row], found))
            by = (changed[title].get((mode, origins[row])) for title in languages)
            clauses.append(next((each for each in by if each is not None), own[origins[row]]))
    type_ = Id(world.words().id)
    rows = len(domain.members)
    by_mode = any(values[at : at + rows] != values[:rows] for at in range(0, len(values), max(1, rows)))
    if not by_mode:
        values, clauses = values[:rows], clauses[:rows]
    dims = ((0, len(modes)), (0, rows)) if by_mode else ((0, rows),)
    data = pr.Data(f"{domain.name}.{name}", type_, dims, tuple(values), tuple(clauses))
    domain.table.columns[name] = Column(name, type_, world.add_data(data), span, by_mode)


def is_text_head(cell: ast.Cell) -> bool:
    """Does a cell of a header name a column of texts by its type?"""
    title, colon, type_ = cell.text.partition(":")
    return bool(colon) and type_.strip() == TEXT and TEXT_HEAD.fullmatch(title.strip()) is not None


def check_length(world: World, cell: ast.Cell) -> None:
    """A text that is longer than a card has room for is told."""
    if len(cell.text) > MOST_TEXT:
        message = tr(
            "this text has {count} characters, more than {most_text}",
            count=f"{len(cell.text):,}",
            most_text=f"{MOST_TEXT:,}",
        )
        world.error(Code.LIMIT, cell.span, message, hint="say it in fewer words, or in two columns")


def _text(world: World, row: int | None, cells: dict[str, ast.Cell]) -> int:
    """The number of a text in its languages among all such texts; a longer one than a card has room for is told."""
    for cell in cells.values():
        check_length(world, cell)
    if not cells:
        return 0
    label = ast.Label(
        tuple((language, cell.text) for language, cell in cells.items()), span=next(iter(cells.values())).span
    )
    words, text = world.words(), world.text(label)
    if str(text) not in words.index:
        if len(words.members) == MAX_MEMBERS:
            message = tr(
                "the tables of a game have at most {max_members} different texts",
                max_members=f"{MAX_MEMBERS:,}",
            )
            world.error(Code.LIMIT, label.span, message)
        words.add(str(text), text)
    return words.index[str(text)]


def check_language(world: World, cell: ast.Cell, language: str) -> None:
    """Labels are in the languages that the language knows."""
    if language not in {*LANGUAGES, world.language}:
        word = base_of(cell.text)
        hint = world.nearest(language, sorted(LANGUAGES))
        hint = hint or tr(
            "write `{word} en` or `{word} fr`; other languages stand in a `language` block of their own",
            word=word,
        )
        at = cell.span.start + head_name(cell).rindex(language)
        span = cell.span.source.span(at, at + len(language))
        world.unknown(
            "language", span, tr("there are no labels in `{language}`", language=language), hint=hint
        )


def check_text(world: World, setting: ast.Setting, language: str | None) -> None:
    """A text that is changed stands in quotes, and is in a language that there is."""
    if not isinstance(setting.value, ast.Text):
        hint = tr(
            'write `{setting} = "{setting2}"`', setting=setting.name.text, setting2=setting.value.span.text
        )
        world.error(Code.TYPE_MISMATCH, setting.value.span, "words for players stand in quotes", hint=hint)
    elif language:
        check_language(world, ast.Cell(setting.name.text, span=setting.name.span), language)
