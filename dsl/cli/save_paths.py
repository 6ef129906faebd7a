"""Where games and programs are kept: what may be written over, and names for what has none yet."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import click

from dsl.catalogue import tr
from dsl.files import read_regular

HEAD_BYTES = 400
"""In how much of a file its `format` is looked for."""


def refuse_foreign(path: Path, form: str, sign: bytes = b"") -> None:
    """Raises a usage error where writing a document of this format would destroy something else. `sign` is a pattern
    by which documents that are not JSON are known.
    """
    sign = sign or rb'"format"\s*:\s*"' + re.escape(form.encode()) + rb'"'
    if not path.exists():
        return
    if path.is_file():
        try:
            head = read_regular(path, HEAD_BYTES, head=True)
        except OSError as error:
            raise click.UsageError(
                tr("{path} cannot be read: {strerror}", path=path, strerror=error.strerror or error)
            ) from None
        if not head or re.search(sign, head):
            return
    raise click.UsageError(tr("{path} is there already and is something else; name another file", path=path))


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A name in a folder that no file has yet."""
    return next(path for path in _names(folder, stem, suffix) if not path.exists())


def _names(folder: Path, stem: str, suffix: str) -> Iterator[Path]:
    yield folder / f"{stem}{suffix}"
    for number in count(2):
        yield folder / f"{stem}-{number}{suffix}"


def homes() -> Iterator[Path]:
    """Where a game that was not given a name is saved: here, or where this user's data lies, or, where neither can
    be written, in a new folder among the temporary ones.
    """
    import platformdirs

    yield Path.cwd()
    with suppress(RuntimeError):  # a user without a home
        yield platformdirs.user_data_path("scenarii", appauthor=False) / "saves"
    yield Path(tempfile.mkdtemp(prefix="scenarii-"))
