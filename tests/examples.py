"""The examples: every folder whose main file is called like it."""

from __future__ import annotations

from pathlib import Path

from dsl.resources import SOURCE_SUFFIX

FOLDER = Path(__file__).resolve().parent.parent / "examples"
CLASSICS = FOLDER / "classics"


def example_folders() -> list[Path]:
    """All of them, by name."""
    mains = (path for path in FOLDER.rglob(f"*{SOURCE_SUFFIX}") if path.stem == path.parent.name)
    return sorted((path.parent for path in mains), key=lambda folder: folder.name)


def classics() -> list[Path]:
    """The games that everybody knows."""
    return [folder for folder in example_folders() if folder.parent == CLASSICS]
