"""The fingerprints of known seeds: `python -m tests.figures fingerprints`. Equal lines are equal games.

`tests/fingerprints.sh PYTHON...` prints them with other Pythons and compares.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator

from tests.figures.play import table
from tests.figures.targets import Target, targets

STATES = 3_000


def lines(target: Target, games: int, most: int, most_states: int = STATES) -> Iterator[str]:
    """A line for the program, and one for each game: its seed, its choices (so many at most), and a hash of all its
    states. Where games are long there are fewer of them: after `most_states` no further one is begun.
    """
    machine, states = target.machine(), 0
    yield f"{target.name} program {machine.hash}"
    for seed in range(games):
        if states > most_states:
            return
        at = table(machine, seed, target.mode)
        game, player = at.start(machine), at.player()
        every = hashlib.sha256(bytes.fromhex(game.fingerprint))
        choices = 0
        while (options := game.count) and choices < most:
            game.choose(player.index(options))
            every.update(bytes.fromhex(game.fingerprint))
            choices += 1
        states += choices
        yield f"{target.name} {seed} {choices} {game.fingerprint} {every.hexdigest()[:16]}"


def show(games: int, most: int, states: int = STATES) -> int:
    """Prints all lines; what ran goes to standard error, as it differs from run to run."""
    hashes = os.environ.get("PYTHONHASHSEED", "random")
    print(f"Python {sys.version.split()[0]}, hash seed {hashes}", file=sys.stderr)
    for target in targets():
        for line in lines(target, games, most, states):
            print(line)
    return 0
