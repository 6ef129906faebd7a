"""Do both engines play alike? `python -m tests.wasm --games N` plays random games on both, side by side.

After every decision the whole vector and the steps are compared, at every decision the list of options, and a rule that
fails must fail with the same code and leave the same vector. `--passes` compares them once for all passes, and once
with each of them turned off.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from dsl.passes.pipeline import OPTIONAL, PASSES
from tests.wasm.soak import Soak, chosen


def main() -> int:
    """Compares game after game, and prints a line for each."""
    parser = argparse.ArgumentParser("python -m tests.wasm", description=__doc__)
    parser.add_argument(
        "--game", action="append", default=[], help="a game, `game:mode` or `classics`; several"
    )
    parser.add_argument("--games", type=int, default=20, help="how many of each game and mode")
    parser.add_argument("--decisions", type=int, default=10**12, help="stop after so many of each")
    parser.add_argument("--programs", type=int, help="so many small random programs instead")
    parser.add_argument("--boards", type=int, help="so many random board games instead")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--state", type=Path, help="a file that keeps how far it came, to go on from")
    parser.add_argument("--passes", action="store_true", help="also with each pass turned off")
    given = parser.parse_args()
    soak = Soak(given.jobs, given.state)
    unit = "programs" if given.programs or given.boards else "games"
    print(f"| what | {unit} | decisions compared | with a failing rule | differences | s |")
    print("|---|---|---|---|---|---|")
    if given.programs:
        return int(not soak.programs(given.seed, given.programs))
    if given.boards:
        return int(not soak.boards(given.seed, given.boards))
    ways = ("", *filter(OPTIONAL.__contains__, PASSES)) if given.passes else ("",)
    agree = [
        soak.games(each, given.seed, given.games, given.decisions, off)
        for each in chosen(given.game)
        for off in ways
    ]
    return int(not all(agree))


if __name__ == "__main__":
    raise SystemExit(main())
