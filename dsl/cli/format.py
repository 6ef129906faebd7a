"""`scenarii format`: sources in the one layout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostics
    from dsl.source import Source

FINDINGS, USAGE = 1, 2
STANDARD_INPUT = "-"
SHORT = 40
"""How many lines of a difference `--check` shows of one file."""


@click.command("format")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.pass_context
def format_(ctx: click.Context, paths: tuple[str, ...], check: bool, diff: bool) -> None:
    """Lay sources out: one layout, tables aligned.

    A PATH is a file, a folder with all sources in it, or - for standard input. Indentation, spaces, tables, citations
    and comments get the one layout; lines stay broken where they are. A file that cannot be read as the language is
    left as it is.
    """
    from dsl.diagnostics import Diagnostics

    diagnostics = Diagnostics()
    missing = [path for path in paths if path != STANDARD_INPUT and not Path(path).exists()]
    if missing:
        raise click.UsageError(tr("there is no file or folder `{missing}`", missing=missing[0]))
    if STANDARD_INPUT in paths:
        if len(paths) > 1:
            raise click.UsageError("- stands alone: it is standard input.")
        files = list(_from_input(diagnostics))
    else:
        files = [laid for path in paths for laid in _of_path(Path(path), diagnostics)]
    changed = [each for each in files if each.changes]
    if check or diff:
        _show(changed, limit=None if diff else SHORT)
    elif paths == (STANDARD_INPUT,):
        click.echo("".join(each.text for each in files), nl=False)
    else:
        _write(changed)
    _tell(diagnostics)
    if check or not (diff or paths == (STANDARD_INPUT,)):
        click.echo(_summary(len(changed), len(files) - len(changed), check=check))
    if diagnostics.has_errors or (check and changed):
        ctx.exit(FINDINGS)


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """A file as it is and in its layout."""

    path: Path
    source: Source
    text: str
    changes: bool


def _of_path(path: Path, diagnostics: Diagnostics) -> Iterator[_LaidOut]:
    """The files of a path; what cannot be read is told."""
    from dsl.files import read_folder, read_source
    from dsl.source import Source

    if path.is_dir():
        sources, faults = read_folder(path)
        diagnostics.extend(faults)
    else:
        read = read_source(path)
        sources = (read,) if isinstance(read, Source) else ()
        diagnostics.extend(() if isinstance(read, Source) else (read,))
    for source in sources:
        text = _laid_out(source, diagnostics)
        if text is not None:
            file = Path(source.name)
            yield _LaidOut(file, source, text, _holds_other(file, source, text))


def _holds_other(file: Path, source: Source, text: str) -> bool:
    """Does a file hold anything but the layout of what was read from it?"""
    from dsl.files import MAX_SOURCE_BYTES, read_regular

    try:
        return source.text != text or read_regular(file, MAX_SOURCE_BYTES) != text.encode()
    except OSError:  # it has gone, or grown: that is told where it is written
        return True


def _from_input(diagnostics: Diagnostics) -> Iterator[_LaidOut]:
    from dsl.files import MAX_SOURCE_BYTES, decode_source
    from dsl.source import Source

    data = sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1)
    read = decode_source(data, "<stdin>")
    if not isinstance(read, Source):
        diagnostics.add(read)
        return
    text = _laid_out(read, diagnostics)
    if text is not None:
        yield _LaidOut(Path(STANDARD_INPUT), read, text, data != text.encode())


def _laid_out(source: Source, diagnostics: Diagnostics) -> str | None:
    from dsl.format import formatted

    text = formatted(source)
    if isinstance(text, str):
        return text
    diagnostics.extend(text)
    return None


def _write(changed: list[_LaidOut]) -> None:
    from dsl.files import lay_out

    for each in changed:
        try:
            lay_out(each.source, each.path, each.text)
        except OSError as error:
            raise click.ClickException(
                tr("{path} cannot be written: {strerror}", path=each.path, strerror=error.strerror or error)
            ) from None
        click.echo(told(tr("laid out: {file}", file=each.path.as_posix())))


def _show(changed: list[_LaidOut], limit: int | None) -> None:
    """What would change, with a line around it."""
    from difflib import unified_diff

    from dsl.cli.style import coloured
    from dsl.diagnostics.excerpt import printable

    colours = {"+": "green", "-": "red", "@": "cyan"}
    for each in changed:
        name = each.source.name
        old, new = each.source.text.splitlines(), each.text.splitlines()
        after = told(tr("{file} (laid out)", file=name))
        lines = list(unified_diff(old, new, name, after, lineterm="", n=1))
        if not lines:
            lines = [told(tr("{file}: other ends of lines, or none behind the last", file=name))]
        for line in lines[:limit]:
            click.echo(click.style(printable(line), fg=colours.get(line[:1])), color=coloured())
        if limit is not None and len(lines) > limit:
            click.echo(told(tr("... and {count} lines more", count=len(lines) - limit)))


def _tell(diagnostics: Diagnostics) -> None:
    """On standard error, what keeps files from being read."""
    from dsl.cli.style import coloured
    from dsl.diagnostics.render import render_all

    colour = coloured(sys.stderr)
    click.echo(render_all(diagnostics, color=colour), nl=False, err=True, color=colour)


def _summary(changed: int, kept: int, *, check: bool) -> str:
    """Such as: 2 files laid out, 5 as they were."""
    if not changed and not kept:
        return told(tr("no file was laid out"))
    if not changed:
        one, many = tr("1 file in the layout already"), tr("{count} files in the layout already", count=kept)
        return told(one if kept == 1 else many)
    if check:
        one, many = tr("1 file would change"), tr("{count} files would change", count=changed)
    else:
        one = tr("1 file laid out, {kept} in the layout already", kept=kept)
        many = tr("{count} files laid out, {kept} in the layout already", count=changed, kept=kept)
    return told(one if changed == 1 else many)
