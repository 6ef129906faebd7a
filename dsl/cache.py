"""A folder of things that can be made again: its user's alone and bounded.

`SCENARII_CACHE` names another folder, or turns it `off`. A folder or file that somebody else could have
written is passed over. Entries are JSON, or machine code under a seal (`dsl.wasm.store`). Nothing here raises:
where the cache fails there is none.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Mapping
from pathlib import Path

from dsl.files import write_atomically
from dsl.records import record

VARIABLE = "SCENARII_CACHE"
MOST_ENTRIES = 400
MOST_BYTES = 64 * 1024 * 1024
UNUSED = 600
"""Of an entry whose time is so many seconds ago it is noted, by that time, that it is used."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO
FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""A link is not followed, and nobody is waited for at a pipe."""
_NAME = re.compile(r"\.?(?:[a-z]+-)?[0-9a-f]{32,64}\.(?:json|module)(?:\.[0-9a-f]+\.part)?")
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@record(frozen=True, slots=True)
class Cache:
    """Entries by name in a folder that only its user can look into."""

    folder: Path

    @classmethod
    def open(cls, environment: Mapping[str, str]) -> Cache | None:
        """The cache that the environment asks for; none where it is off, or the folder is not safely ours."""
        chosen = environment.get(VARIABLE, "")
        if chosen.lower() in {"off", "0", "no"}:
            return None
        if chosen:
            folder = Path(chosen)
        else:
            import platformdirs

            try:
                folder = platformdirs.user_cache_path("scenarii", appauthor=False)
            except RuntimeError:  # a user without a home
                return None
            if not folder.is_absolute():
                return None
        return cls(folder) if _claimed(folder) else None

    def read(self, name: str) -> bytes | None:
        """An entry; none where there is none, or one that others could have written."""
        try:
            descriptor = os.open(self.folder / name, FLAGS)
        except (OSError, ValueError):
            return None
        try:
            found = os.fstat(descriptor)
            regular = stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
            if not regular or not _own(found) or found.st_mode & WRITABLE_BY_OTHERS:
                return None
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read()
            if os.utime in os.supports_fd and time.time() - found.st_mtime > UNUSED:
                os.utime(descriptor)
            return data
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def write(self, name: str, data: bytes) -> None:
        """Puts an entry in place, whole, and drops what was used longest ago where there are too many."""
        if len(data) > MOST_BYTES:
            return
        try:
            path = self.folder / name
            if path.is_symlink():
                path.unlink()
            write_atomically(path, data, private=True, lasting=False)
            self._prune()
        except (OSError, ValueError):
            return

    def _prune(self) -> None:
        """Drops the entries used longest ago where there are too many, and nothing that is none."""
        entries = [
            each
            for each in os.scandir(self.folder)
            if each.is_file(follow_symlinks=False) and _entry(each.name)
        ]
        if len(entries) <= MOST_ENTRIES:
            return
        entries.sort(key=lambda each: each.stat(follow_symlinks=False).st_mtime)
        for each in entries[: len(entries) - MOST_ENTRIES * 3 // 4]:
            Path(each.path).unlink(missing_ok=True)


def _claimed(folder: Path) -> bool:
    """Makes the folder if need be; is it a folder of this user's in which nobody else can write?

    One that is a cache and nothing else is closed to all others; a folder with other things in it is left as it is.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or not _own(found):
            return False
        if os.name == "posix" and found.st_mode & OTHERS:
            if all(map(_entry, os.listdir(folder))):
                folder.chmod(0o700)
            elif found.st_mode & WRITABLE_BY_OTHERS:
                return False
    except (OSError, ValueError):
        return False
    return True


def _entry(name: str) -> bool:
    """Is it the name of an entry, or of one that is being written?"""
    return _NAME.fullmatch(name) is not None


def _own(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()
