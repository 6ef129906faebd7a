"""What snapshots and programs weigh: `python -m tests.figures bytes`."""

from __future__ import annotations

import gzip

from dsl.ir.codec import encode
from tests.figures.play import table
from tests.figures.targets import targets


def show() -> int:
    """Prints a line for each target. A snapshot has one size whatever happens; gzipped, it varies."""
    print("| game | slots | snapshot, bytes | gzipped (median) | program, bytes of JSON | gzipped |")
    print("|---|---|---|---|---|---|")
    for target in targets():
        machine = target.machine()
        at = table(machine, 0, target.mode)
        game, player = at.start(machine), at.player()
        packed = []
        while game.count:
            packed.append(len(gzip.compress(game.snapshot(), mtime=0)))
            game.choose(player.index(game.count))
        program = encode(machine.program)
        print(
            f"| {target.name} | {machine.program.size} | {len(game.snapshot())} "
            f"| {sorted(packed)[len(packed) // 2]} "
            f"| {len(program)} | {len(gzip.compress(program, mtime=0))} |"
        )
    return 0
