"""The fingerprints of known seeds: `python -m tests.figures fingerprints`. Equal lines are equal games.

`tests/fingerprints.sh PYTHON` prints them with another Python and compares.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator

from tests.figures.play import table
from tests.figures.targets import Target, targets

LARGE = 1_000


def lines(target: Target, games: int) -> Iterator[str]:
    """A line for the program, and one for each game: its seed, its choices, and a hash of all its states."""
    machine = target.machine()
    yield f"{target.name} program {machine.hash}"
    for seed in range(games):
        at = table(machine, seed, target.mode)
        game, player = at.start(machine), at.player()
        every = hashlib.sha256(bytes.fromhex(game.fingerprint))
        while options := game.count:
            game.choose(player.index(options))
            every.update(bytes.fromhex(game.fingerprint))
        yield f"{target.name} {seed} {len(game.choices)} {game.fingerprint} {every.hexdigest()[:16]}"


def show(games: int) -> int:
    """Prints all lines, of large games a tenth; what ran goes to standard error, as it differs from run to run."""
    hashes = os.environ.get("PYTHONHASHSEED", "random")
    print(f"Python {sys.version.split()[0]}, hash seed {hashes}", file=sys.stderr)
    for target in targets():
        large = target.machine().program.size > LARGE
        for line in lines(target, max(1, games // 10) if large else games):
            print(line)
    return 0
