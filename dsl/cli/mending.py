"""`scenarii check --fix`: puts right what is surely wrong, and says what it did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click


def mend_files(paths: Sequence[str], mods: Sequence[str]) -> None:
    """Applies the safe edits in the files of each game that a path names, and of the mods on top.

    Raises a usage error where a target is a game by its name, whose files are not the user's.
    """
    from dsl.cli.packing import SUFFIX
    from dsl.mending import mend
    from dsl.resources import game_folder

    for path in paths:
        if game_folder(path) is not None or not Path(path).exists() or path.endswith(SUFFIX):
            raise click.UsageError(f"--fix needs the path of files of yours; `{path}` is none.")
    for path in paths:
        folders = [_home(each) for each in (path, *mods)]
        mended = mend(path, mods, folders)
        for file, text in mended.texts.items():
            _replace(file, text)
        for each in mended.done:
            assert each.fix is not None
            click.echo(f"fixed: {each.span}: {each.fix.text} ({each.code.id})", err=True)


def _home(path: str) -> Path:
    """The folder of what a path names."""
    resolved = Path(path).resolve()
    return resolved if resolved.is_dir() else resolved.parent


def _replace(file: Path, text: str) -> None:
    """A file with another text, its ends of lines and its byte order mark as they were."""
    from dsl.files import write_atomically

    try:
        old = file.read_bytes()
        newline = "\r\n" if b"\r\n" in old else "\n"
        mark = b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b""
        write_atomically(file, mark + text.replace("\n", newline).encode())
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror or error}") from None
