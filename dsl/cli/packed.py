"""A packed game where a game is asked for: opened as `unpack` does, into a folder that goes with the command."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import click

from dsl.catalogue import tr
from dsl.diagnostics.excerpt import printable
from dsl.resources import PACKED_SUFFIX


def read_pack(file: str) -> tuple[str, dict[str, bytes]]:
    """The name of a packed game and its files; where it is refused, says why and ends the command."""
    from dsl.cli.packing import MAX_PACKED, Refused, opened
    from dsl.files import read_regular

    try:
        data = read_regular(Path(file), MAX_PACKED)
    except OSError as error:
        raise click.UsageError(
            tr("{file} cannot be read: {strerror}", file=file, strerror=error.strerror or error)
        ) from None
    try:
        return opened(data)
    except Refused as refused:
        raise click.ClickException(
            tr("{file} is refused: {refused}", file=file, refused=printable(str(refused)))
        ) from None


def unpacked(target: str) -> str:
    """What to compile for a target: of a packed file the folder that it was unpacked into, else the target itself."""
    path = Path(target)
    if not target.endswith(PACKED_SUFFIX) or path.is_dir():
        return target
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0
    return _folder(target, path.absolute(), changed)


@cache
def _folder(file: str, _path: Path, _changed: int) -> str:
    import atexit
    import shutil
    import tempfile

    from dsl.cli.packing import bad_name, unpack_into

    game, files = read_pack(file)
    home = Path(tempfile.mkdtemp(prefix="scenarii-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    folder = home / (Path(file).stem if bad_name(f"{game}.scn") or "/" in game else game)
    try:
        unpack_into(files, folder)
    except OSError as error:
        raise click.UsageError(
            tr("{file} cannot be unpacked: {strerror}", file=file, strerror=error.strerror or error)
        ) from None
    return str(folder)
