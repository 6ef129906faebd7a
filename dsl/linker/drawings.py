"""Maps and shapes that are drawn in files of their own, `from "valley.txt"`, and pictures of rows: `mill.svg` in a
column `look`.

The file lies in the folder of the file that names it, or below. It is read as a source is: bounded, as UTF-8 text, and
only through plain names, so that no path and no link leads out of the folder. What it holds then stands in the tree as
if it had been drawn there, with places in the file; of a picture what `dsl.pictures` keeps of it stands behind the
other words of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label, Meant, Subject
from dsl.near import nearest
from dsl.pictures import Unsafe, safe_picture
from dsl.resources import DRAWING_SUFFIX, PICTURE_SUFFIX
from dsl.source import Source
from dsl.syntax import ast

MAX_DEPTH = 6
MOST_NEAR = 100
"""Files of a folder among which a misspelt name is looked for."""

LOOK = "look"
"""The column that says how a row looks."""

Reader = Callable[[Path], "Source | Diagnostic | None"]


def with_drawings(file: ast.File, path: Path, read: Reader, diagnostics: Diagnostics) -> ast.File:
    """A tree whose maps, shapes and rows are drawn; what keeps a file from being read is told where it is named."""
    if not any(_named_in(each) for each in file.declarations):
        return file
    drawn = tuple(_drawn(each, path, read, diagnostics) for each in file.declarations)
    return replace(file, declarations=drawn)


def drawn_in(declaration: Any) -> Iterator[Source]:
    """The files in which a declaration is drawn."""
    match declaration:
        case ast.Map(file=ast.Text(), drawing=ast.Text() as drawing):
            yield drawing.span.source
        case ast.Shape(file=ast.Text(), drawings=drawings):
            yield from (each.span.source for each in drawings[:1])
        case ast.Replace(declaration=inner):
            yield from drawn_in(inner)
        case ast.Mode(declarations=declarations):
            yield from (source for each in declarations for source in drawn_in(each))
        case _:
            pass


def _named_in(declaration: Any) -> bool:
    match declaration:
        case ast.Map(file=file) | ast.Shape(file=file):
            return file is not None
        case ast.Table(rows=rows) | ast.ExtendRows(rows=rows):
            return any(cell.text == LOOK for row in rows[:1] for cell in row.cells)
        case ast.Change(settings=settings):
            return any(each.name.text == LOOK for each in settings)
        case ast.Replace(declaration=inner):
            return _named_in(inner)
        case ast.Mode(declarations=declarations):
            return any(_named_in(each) for each in declarations)
        case _:
            return False


def _drawn(declaration: Any, path: Path, read: Reader, diagnostics: Diagnostics) -> Any:
    match declaration:
        case ast.Map(file=ast.Text() as file):
            if declaration.drawing is not None:
                message = tr(
                    "`{declaration}` is drawn here, and in a file", declaration=declaration.name.text
                )
                labels = (Label(file.span, "drawn in this file"),)
                hint = tr("leave out the drawing, or `from {file}`", file=file.span.text)
                fault = Diagnostic(
                    Code.DUPLICATE_NAME, message, declaration.drawing.span, labels=labels, hint=hint
                )
                diagnostics.add(fault)
                return declaration
            source = _source(file, path, read, diagnostics)
            return replace(declaration, drawing=_text(source, 0, len(source.text))) if source else declaration
        case ast.Shape(file=ast.Text() as file):
            source = _source(file, path, read, diagnostics)
            return replace(declaration, drawings=tuple(_parts(source))) if source else declaration
        case ast.Table(rows=rows) | ast.ExtendRows(rows=rows):
            at = next((n for row in rows[:1] for n, cell in enumerate(row.cells) if cell.text == LOOK), None)
            if at is None:
                return declaration
            looking = tuple(_looking(row, at, path, read, diagnostics) for row in rows[1:])
            return replace(declaration, rows=(*rows[:1], *looking))
        case ast.Change(settings=settings):
            changed = tuple(
                replace(each, value=_pictured(each.value, path, read, diagnostics))
                if each.name.text == LOOK and isinstance(each.value, ast.Text)
                else each
                for each in settings
            )
            return replace(declaration, settings=changed)
        case ast.Replace(declaration=inner):
            return replace(declaration, declaration=_drawn(inner, path, read, diagnostics))
        case ast.Mode(declarations=declarations):
            found = tuple(_drawn(each, path, read, diagnostics) for each in declarations)
            return replace(declaration, declarations=found)
        case _:
            return declaration


def _looking(row: ast.Row, at: int, path: Path, read: Reader, diagnostics: Diagnostics) -> ast.Row:
    """A row whose picture is read."""
    if at >= len(row.cells):
        return row
    cell = _pictured(row.cells[at], path, read, diagnostics)
    return row if cell is row.cells[at] else replace(row, cells=(*row.cells[:at], cell, *row.cells[at + 1 :]))


def _pictured(look: Any, path: Path, read: Reader, diagnostics: Diagnostics) -> Any:
    """A look, in a cell or in quotes, with its picture in the place of the file's name, behind the other words."""
    words: list[str] = look.text.split()
    names = [each for each in words if each.endswith(PICTURE_SUFFIX)]
    if not names:
        return look
    others = [each for each in words if each not in names]
    if len(names) > 1:
        message = tr("a row has one picture, and here are {count}", count=len(names))
        diagnostics.add(Diagnostic(Code.BAD_CELL, message, look.span))
        return replace(look, text=" ".join(others))
    named = ast.Text(names[0], span=look.span)
    source = _source(named, path, read, diagnostics, PICTURE_SUFFIX)
    if source is None:
        return replace(look, text=" ".join(others))
    try:
        picture = safe_picture(source.text)
    except Unsafe as error:
        message = tr("`{name}` is no picture that can be shown: {why}", name=names[0], why=error.args[0])
        hint = "draw it with shapes alone, such as `path`, `circle` and `rect`, and save it as plain SVG"
        diagnostics.add(Diagnostic(Code.BAD_CELL, message, look.span, hint=hint))
        return replace(look, text=" ".join(others))
    return replace(look, text=" ".join([*others, picture]))


def _text(source: Source, start: int, end: int) -> ast.Text:
    return ast.Text(source.text[start:end], span=source.span(start, end))


def _parts(source: Source) -> Iterator[ast.Text]:
    """The drawings of a file, with an empty line between them."""
    begun, at = -1, 0
    for line in source.text.splitlines(keepends=True):
        if line.strip():
            begun = at if begun < 0 else begun
        elif begun >= 0:
            yield _text(source, begun, at)
            begun = -1
        at += len(line)
    if begun >= 0:
        yield _text(source, begun, at)


def _source(
    file: ast.Text, path: Path, read: Reader, diagnostics: Diagnostics, suffix: str = DRAWING_SUFFIX
) -> Source | None:
    """The file that a text names; none where it may not be read, or cannot be."""
    folder, name = path.parent, file.text
    is_picture = suffix == PICTURE_SUFFIX
    parts = name.split("/")
    is_plain = 1 <= len(parts) <= MAX_DEPTH and all(
        part and part == part.strip() and not part.startswith(".") and part.isprintable() for part in parts
    )
    if not is_plain or any(sign in name for sign in '\\:<>"|?*'):
        message = tr("`{name}` is no plain name of a file in this folder or below", name=name)
        if is_picture:
            hint = tr(
                "put the file beside this one and name it from there: `{last}`", last=_last(name, suffix)
            )
        else:
            hint = tr(
                'put the file beside this one and name it from there: `from "{last}"`',
                last=_last(name, suffix),
            )
            if inside := _inside(folder, name):
                hint = tr('name it from this folder: `from "{inside}"`', inside=inside)
        diagnostics.add(Diagnostic(Code.PATH_ESCAPES, message, file.span, hint=hint))
        return None
    if not name.endswith(suffix):
        hint = tr('a drawing is a text file: `from "{last}"`', last=_last(name, suffix))
        message = tr("`{name}` does not end in {suffix}", name=name, suffix=suffix)
        diagnostics.add(Diagnostic(Code.UNKNOWN_MODULE, message, file.span, hint=hint))
        return None
    target = folder.joinpath(*parts)
    try:
        is_there, is_own = target.exists(), target.resolve() == target
    except (OSError, RuntimeError, ValueError):  # a circle of links, up to Python 3.12
        is_there, is_own = True, False
    if not is_own:
        message = tr("`{name}` is a link, or lies behind one", name=name)
        hint = "put the file itself into the folder"
        diagnostics.add(Diagnostic(Code.PATH_ESCAPES, message, file.span, hint=hint))
        return None
    if not is_there:
        near = _near(folder, parts, suffix)
        hint = (
            "it would be a file beside this one" if len(parts) == 1 else "its folder is named from this one"
        )
        hint = Meant(name, near, is_clear=False) if near else hint
        message = tr("there is no file `{name}` to draw from", name=name)
        subject = Subject("file", name)
        diagnostics.add(Diagnostic(Code.UNKNOWN_MODULE, message, file.span, hint=hint, subject=subject))
        return None
    found = read(target)
    if isinstance(found, Diagnostic):
        label = Label(file.span, "named here")
        diagnostics.add(replace(found, labels=(*found.labels, label)))
        return None
    return found


def _near(folder: Path, parts: list[str], suffix: str) -> str:
    """The drawing that a name was likely meant for: in the folder that it names, beside the file, or one folder below;
    empty where none is near.
    """
    own = folder.joinpath(*parts[:-1])
    seen = dict.fromkeys((own, folder, *sorted(each for each in folder.iterdir() if each.is_dir())))
    found = [
        each.relative_to(folder).as_posix()
        for place in seen
        if place.is_dir() and not place.name.startswith(".") and place.resolve() == place
        for each in sorted(place.glob(f"*{suffix}"))[:MOST_NEAR]
    ]
    same = [each for each in found if each.rpartition("/")[2] == parts[-1]]
    return same[0] if same else nearest("/".join(parts), found, 0.5)


def _inside(folder: Path, name: str) -> str:
    """A file in the folder or below that a name leads to by a roundabout way, such as `maps/../maps/valley.txt`, as it
    is named from the folder; empty where it leads elsewhere, or to nothing.
    """
    parts: list[str] = []
    for part in name.replace("\\", "/").split("/"):
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    if not parts or name.startswith(("/", "\\")) or not all(part.isprintable() for part in parts):
        return ""
    try:
        is_there = folder.joinpath(*parts).is_file() and parts[-1].endswith(DRAWING_SUFFIX)
    except (OSError, ValueError):  # too long a name
        is_there = False
    return "/".join(parts) if is_there else ""


def _last(name: str, suffix: str) -> str:
    """What a file might be called that lies beside the one that names it."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2].lstrip(".") or "valley"
    return last if last.endswith(suffix) else f"{last.partition('.')[0] or 'valley'}{suffix}"
