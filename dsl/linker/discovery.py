"""Games near a file: whatever their folders are called, the headers say what they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from dsl.files import read_regular
from dsl.resources import SOURCE_SUFFIX

MOST_FOLDERS = 200
MOST_FILES = 50
HEAD_BYTES = 4_000


def headed(name: str, parents: Iterable[Path]) -> Path | None:
    """The first file in a folder of these that begins a game of this name."""
    begins = re.compile(rb"^game\s+" + re.escape(name.encode()) + rb"\b", re.MULTILINE)
    for parent in parents:
        for folder in _folders(parent):
            for path in sorted(folder.glob(f"*{SOURCE_SUFFIX}"))[:MOST_FILES]:
                if _heads(path, begins):
                    return path
    return None


def holds_scenario(folder: Path) -> bool:
    """Does a file in a folder begin a scenario?"""
    begins = re.compile(rb"^scenario\s+\w", re.MULTILINE)
    return any(_heads(path, begins) for path in sorted(folder.glob(f"*{SOURCE_SUFFIX}"))[:MOST_FILES])


def _folders(parent: Path) -> list[Path]:
    try:
        found = [each for each in parent.iterdir() if not each.name.startswith(".") and each.is_dir()]
    except OSError:
        return []
    return sorted(found)[:MOST_FOLDERS]


def _heads(path: Path, begins: re.Pattern[bytes]) -> bool:
    try:
        return begins.search(read_regular(path, HEAD_BYTES, head=True)) is not None
    except OSError:
        return False
