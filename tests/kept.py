"""The caches of a run of the tests: of all its processes together, and nobody else's.

Commands that tests start have one like a user's, of the same bounds. What tests compile themselves lies in another,
which drops next to nothing: a game of the library is compiled once in a run.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from unittest.mock import patch

from dsl import cache
from dsl.cache import Cache

VARIABLE = "SCENARII_TESTS_CACHES"
"""Names the folder of both; processes that a run starts find it there."""
SELDOM, MOST_ENTRIES = 100, 4_000
_writes = count(1)


class Kept(Cache):
    """A cache that looks only now and then whether there is too much in it, which is ten times as much."""

    __slots__ = ()

    def _prune(self) -> None:
        if next(_writes) % SELDOM == 0:
            with patch.object(cache, "MOST_ENTRIES", MOST_ENTRIES):
                super()._prune()


def begin(first: bool) -> None:
    """Makes the folders, in the first process of a run, and uses them in this one."""
    if first:
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="scenarii-tests-")
    os.environ[cache.VARIABLE] = str(commands())
    opened = Cache.open

    def open_(environment: Mapping[str, str]) -> Cache | None:
        own = environment.get(cache.VARIABLE) == str(commands())
        return kept() if own else opened(environment)

    patch.object(Cache, "open", staticmethod(open_)).start()


def end() -> None:
    """Removes them, in the first process, where it is over."""
    shutil.rmtree(os.environ.pop(VARIABLE), ignore_errors=True)


def commands() -> Path:
    """The folder of commands that tests start."""
    folder = Path(os.environ[VARIABLE], "commands")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def kept() -> Cache | None:
    """The cache of what tests compile themselves; none where no tests are run."""
    if VARIABLE not in os.environ:
        return None
    folder = Path(os.environ[VARIABLE], "kept")
    folder.mkdir(mode=0o700, exist_ok=True)
    return Kept(folder)
