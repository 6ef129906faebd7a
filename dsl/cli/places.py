"""The files of a game as whoever asked calls them: a program names them by their game, which no folder need bear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.source import Source

_PLACE = re.compile(r"[^\s()]+\.scn:\d+")
"""A file of a program and a line of it, within a message."""


def source_here(file: str, sources: Sequence[Source]) -> Source | None:
    """The source that a program calls `file`; none where there are no sources."""
    within = file.partition("/")[2] or file
    fits = [each for each in sources if f"/{each.name}".endswith(f"/{within}")]

    def strangeness(each: Source) -> tuple[bool, int]:
        return not f"/{each.name}".endswith(f"/{file}"), each.name.count("/")

    return min(fits, key=strangeness, default=None)


def here(where: str, sources: Sequence[Source]) -> str:
    """A place of a program, `file` or `file:line`, with the file's name from the working folder."""
    file, colon, line = where.partition(":")
    source = source_here(file, sources)
    return f"{source.name}{colon}{line}" if source is not None else where


def all_here(text: str, sources: Sequence[Source]) -> str:
    """A text in which each place, such as `purse/purse.scn:19`, has its file's name from the working folder."""
    return _PLACE.sub(lambda found: here(found[0], sources), text)


def from_target(file: str, target: str, mods: Sequence[str] = ()) -> str:
    """A file of a program from the working folder, where the game, or the mod to which it belongs, was named by a file
    or folder that holds it.
    """
    from dsl.files import display_name

    home, _, within = file.partition("/")
    of_mods = [each for each in mods if Path(each).stem == home]
    for named in (*of_mods, target):
        path = Path(named)
        own = (path if path.is_dir() else path.parent) / (within or file)
        if named and path.exists() and own.is_file():
            return display_name(own.absolute())
    return file


def count_own(sources: Sequence[Source]) -> int:
    """How many files these are without those of the prelude."""
    from dsl.files import display_name
    from dsl.resources import PRELUDE, SOURCE_SUFFIX, stdlib_folder

    prelude = {display_name(each) for each in (stdlib_folder() / PRELUDE).glob(f"*{SOURCE_SUFFIX}")}
    return len({each.name for each in sources} - prelude)
