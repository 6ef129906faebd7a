"""`scenarii pack` and `scenarii unpack`: a game's folder as one file to share, and such a file as a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.packing import MANIFEST, SUFFIX, Refused, opened, pack, unpack_into

if TYPE_CHECKING:
    from collections.abc import Iterable

FINDINGS = 1


@click.command("pack")
@click.argument("path", metavar="PATH")
@click.option("-o", "--output", metavar=f"FILE{SUFFIX}", help=f"Where to write it; without it NAME{SUFFIX}.")
@click.pass_context
def pack_(ctx: click.Context, path: str, output: str | None) -> None:
    """Pack a game's folder into one file to share: that of a game, a scenario or a mod.

    What is packed compiles. Equal folders give equal bytes.
    """
    from dsl.cli.programs import program_of
    from dsl.files import write_atomically
    from dsl.library import COMPILED_SUFFIX
    from dsl.resources import meant_game

    if path.endswith(COMPILED_SUFFIX):
        raise click.UsageError(
            tr("{path} is a compiled program; name the game, its folder or its file of sources", path=path)
        )
    program = program_of(ctx, path, tests=True)
    folder = meant_game(path) or Path(path)
    folder = folder.resolve() if folder.is_dir() else folder.resolve().parent
    name = program.scenario or program.name
    target = Path(output if output is not None else f"{name}{SUFFIX}")
    if target.exists() and not _is_pack(target):
        raise click.UsageError(
            tr("{target} is there already and is something else; name another file", target=target)
        )
    try:
        data = pack(folder, name)
        files = opened(data)[1]
        write_atomically(target, data)
    except Refused as reason:
        raise click.ClickException(str(reason)) from None
    except OSError as error:
        raise click.UsageError(
            tr("{target} cannot be written: {strerror}", target=target, strerror=error.strerror or error)
        ) from None
    size = tr("{count} bytes", count=f"{len(data):,}")
    click.echo(f"{target}: {name}, {told(_counted(files))}, {told(size)}")


@click.command()
@click.argument("file", metavar=f"FILE{SUFFIX}")
@click.argument("folder", metavar="[FOLDER]", required=False)
def unpack(file: str, folder: str | None) -> None:
    """Unpack a shared game into a new folder; nothing in the file is trusted.

    A file that names places outside, links, names twice or more than a game needs is refused as a whole.
    """
    from dsl.cli.packed import read_pack
    from dsl.diagnostics.excerpt import printable

    game, files = read_pack(file)
    target = Path(folder) if folder is not None else Path.cwd() / _plain(game)
    try:
        unpack_into(files, target)
    except OSError as error:
        raise click.UsageError(
            tr("{target} cannot be made: {strerror}", target=target, strerror=error.strerror or error)
        ) from None
    shown = folder if folder is not None else target.name
    unpacked = tr(
        "{folder}: {game}, {files}; check it with: scenarii check {folder}",
        folder=shown,
        game=printable(game),
        files=_counted(files),
    )
    click.echo(told(unpacked))


def _counted(files: Iterable[str]) -> str:
    count = len(list(files))
    return tr("{count} file", count=1) if count == 1 else tr("{count} files", count=count)


def _plain(game: str) -> str:
    """A folder's name from what a stranger calls his game."""
    from dsl.cli.packing import bad_name

    if bad_name(f"{game}.scn") or "/" in game:
        raise click.UsageError("the file does not say how its folder is to be called; name a FOLDER.")
    return game


def _is_pack(path: Path) -> bool:
    from dsl.files import read_regular

    try:
        return MANIFEST.encode() in read_regular(path, 200, head=True)
    except OSError:
        return False
