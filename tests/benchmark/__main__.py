"""`python -m tests.benchmark`: random games a second, beside OpenSpiel's; `rules` compares what is played,
`compile` says how long a program takes to become machine code, `mutants` how long it takes to break each rule,
`memos` what keeping values brings, `passes` what each pass brings, `profile` which rules take the steps, `trees` counts
move trees, `searches` compares tree searches, `cluster` says what many workers cost and bring, and `interface` says
what the Python interface costs.

What plays needs `pip install -e '.[dev,bench]'`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tests.benchmark.spiel import NAMES, OTHERS

WHAT = (
    "all",
    "classics",
    "others",
    "library",
    "rules",
    "compile",
    "mutants",
    "memos",
    "passes",
    "profile",
    "trees",
    "cluster",
    "searches",
)
"""What the page of figures has a table of."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.benchmark", description=__doc__)
    parser.add_argument(
        "what",
        nargs="?",
        choices=(*WHAT, "interface"),
        default="all",
    )
    parser.add_argument("--windows", type=int, default=7, help="how many measurements of each")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each takes")
    parser.add_argument("--game", help="this one alone")
    parser.add_argument(
        "--games", type=int, help="rules, profile and cluster: how many games of each (20000, 4, 30000)"
    )
    parser.add_argument("--nodes", type=int, default=1_000_000, help="trees: none that is larger")
    given = parser.parse_args(arguments)
    if given.what == "rules":
        from tests.benchmark import rules

        return rules.show(given.games or 20_000)
    if given.what == "mutants":
        from tests.benchmark import mutants

        return mutants.show(given.game)
    if given.what == "memos":
        from tests.benchmark import memos

        return memos.show(given.windows, given.game)
    if given.what == "passes":
        from tests.benchmark import passes

        return passes.show(given.windows, given.seconds, given.game)
    if given.what == "profile":
        from tests.benchmark import profile

        return profile.show(given.games or profile.GAMES, given.game)
    if given.what == "trees":
        from tests.benchmark import trees

        return trees.show(given.nodes, given.game)
    if given.what == "cluster":
        from tests.benchmark import cluster

        return cluster.show(given.games or 30_000)
    if given.what == "library":
        from tests.benchmark import speed

        speed.show_library(given.windows, given.seconds, given.game)
        return 0
    if given.what == "interface":
        from tests.benchmark import interface

        return interface.show(given.windows)
    if given.game is not None and given.game not in {*NAMES, *OTHERS}:
        parser.error(f"there is no game {given.game}; there are: {', '.join((*NAMES, *OTHERS))}")
    if given.what == "compile":
        from tests.benchmark import compilation

        compilation.show(given.windows)
        return 0
    if given.what == "searches":
        from tests.benchmark import searches

        return searches.show(given.windows, given.seconds, given.game)
    from tests.benchmark import speed

    if given.what in {"all", "classics"} and given.game not in OTHERS:
        speed.show_classics(given.windows, given.seconds, given.game)
    if given.what in {"all", "others"} and given.game not in NAMES:
        speed.show_others(given.windows, given.seconds, given.game)
    if given.what == "all":
        speed.show_library(given.windows, given.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
