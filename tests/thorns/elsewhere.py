"""Plays saved games on in a process of its own: reads a request as JSON, writes the fingerprints where they are left.

A request has `target`, `mods` and `saves`, each a pair of a snapshot in hexadecimal and the numbers of the options to
choose from there.
"""

from __future__ import annotations

import json
import sys

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine


def main() -> None:
    request = json.load(sys.stdin)
    program = compile_game(request["target"], request["mods"]).program
    assert program is not None
    machine = Machine(program)
    ends = []
    for data, choices in request["saves"]:
        game = Game.restore(machine, bytes.fromhex(data))
        assert isinstance(game, Game), [each.message for each in game]
        for choice in choices:
            game.choose(choice)
        ends.append(game.fingerprint)
    json.dump(ends, sys.stdout)


if __name__ == "__main__":
    main()
