"""The examples that are games: every folder whose main file is called like it, mods apart."""

from __future__ import annotations

from pathlib import Path

from dsl.resources import SOURCE_SUFFIX

FOLDER = Path(__file__).resolve().parent.parent / "examples"
CLASSICS = FOLDER / "classics"

RUIN = """\
game ruin:
    players ann, bob
    rounds 4
state of Player:
    gold: 0..3 = 3
action pay(n: 0..2) by p "Pay {n}": p.gold loses n
round:
    for p in order of play:
        p chooses: pay(n) for n in 0..2
victory p when p.gold is 0
"""
"""A game with a rule that fails in some random games: its gold runs out."""


def example_folders() -> list[Path]:
    """All of them, by name."""
    mains = (
        path
        for path in FOLDER.rglob(f"*{SOURCE_SUFFIX}")
        if path.stem == path.parent.name and path.relative_to(FOLDER).parts[0] != "mods"
    )
    return sorted((path.parent for path in mains), key=lambda folder: folder.name)


def classics() -> list[Path]:
    """The games that everybody knows."""
    return [folder for folder in example_folders() if folder.parent == CLASSICS]
