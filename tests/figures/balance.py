"""What games by computer players show about the figures that are ours: `python -m tests.figures balance`.

Each line is a `scenarii compare` that is told as a table; `--line` runs one alone. docs/balance.md has them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

START = "from dsl.cli.start import main; main()"
SHOWN = 6
"""Of what was counted so many rows, where that is certain."""

PLANS: dict[str, tuple[str, ...]] = {
    "cristal_et_acier": (
        "--players mcts:50 --games 300 --count",
        "--players greedy --games 100 --count",
        "--players mcts:50 --games 100 --vary Spell[trait].success=2,6",
    ),
    "green_conquest": (
        "--players greedy --games 12 --vary no_progress_limit=400",
        "--games 300 --vary no_progress_limit=100,400",
        "--option clan_building=preset --option placement=default --players mcts:10 --games 100"
        " --vary first_clan=second",
        "--option placement=default --players mcts:10 --games 100 --count",
    ),
    "me_ccg": (
        "--players greedy --games 24 --count",
        "--games 1000 --vary turn_limit=20,40,60",
        "--games 1000 --vary general_influence=15,25",
        "--games 1000 --vary victory_points=6,8,20",
    ),
    "risk_halo": (
        "--option mode=team --option players=5 --games 2000 --vary flood_growth=0,1,3,4,6",
        "--option mode=one_on_one --games 3000 --vary teleporters=each,last",
        "--option mode=team --option players=5 --players greedy --games 16 --vary flood_growth=6",
    ),
    "command_and_conquer": (
        "--games 200 --vary starts=of_alpha,of_bravo",
        "--players greedy --games 6 --vary UnitKind[stealth_tank].pierces=1-4",
    ),
}
"""What is compared of each game of the library, the first variant as it is."""


def show(game: str = "", line: int | None = None) -> int:
    """Prints each comparison, of one game or of all."""
    for name, lines in PLANS.items():
        if game not in {"", name}:
            continue
        for number, arguments in enumerate(lines, 1):
            if line in {None, number}:
                _show(name, arguments)
    return 0


def compared(game: str, arguments: str) -> dict[str, Any]:
    """What `scenarii compare` finds."""
    asked = ("compare", game, *arguments.split(), "--lang", "en", "--format", "json")
    run = subprocess.run([sys.executable, "-c", START, *asked], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def _show(game: str, arguments: str) -> None:
    found = compared(game, arguments)
    print(f"\n`scenarii compare {game} {arguments}`\n")
    for row in rows(found):
        print("| " + " | ".join(row) + " |")
    for group, told in counted(found["variants"][0]).items():
        print(f"\n{group}\n")
        for row in told:
            print("| " + " | ".join(row) + " |")
    print(flush=True)


def rows(found: dict[str, Any]) -> list[tuple[str, ...]]:
    """A table of the variants: who won, how games ended, how long they were, and what differs for certain."""
    variants = found["variants"]
    players = [each["player"] for each in variants[0]["players"]]
    certain = {
        name: "; ".join(
            f"{each['player']} {each['share']:+.1%} ({each['low']:+.1%} to {each['high']:+.1%})"
            for each in found["differences"]
            if each["certain"] and each["variant"] == name
        )
        for name in (each["name"] for each in variants)
    }
    table: list[tuple[str, ...]] = [
        ("variant", "games", *players, "nobody", "choices", "ended by", "differs for certain", "favours"),
        ("---",) * (len(players) + 7),
    ]
    for number, each in enumerate(variants):
        nobody = 1 - sum(one["share"] for one in each["winners"] if one["players"])
        ends = ", ".join(f"{one['ending']} {one['share']:.0%}" for one in each["endings"])
        table.append(
            (
                each["name"],
                str(each["games"]),
                *(f"{one['share']:.1%} ({one['low']:.0%}-{one['high']:.0%})" for one in each["players"]),
                f"{abs(nobody):.1%}",
                str(each["choices"]["median"]),
                ends,
                certain[each["name"]] or ("" if number == 0 else "nothing"),
                each["favoured"] or "",
            )
        )
    return table


def counted(variant: dict[str, Any]) -> dict[str, list[tuple[str, ...]]]:
    """Of what was counted, in each group, what goes with winning or losing for certain, the most first."""
    played = variant.get("played")
    if played is None:
        return {}
    found: dict[str, list[tuple[str, ...]]] = {}
    for group in ("kind", "place", "first"):
        apart = [
            (max(each["won_low"] - played["won_share"], played["won_share"] - each["won_high"]), each)
            for each in variant["counted"]
            if each["group"] == group and each["decided"] >= 10
        ]
        certain = sorted((each for each in apart if each[0] > 0), key=lambda each: -each[0])
        if certain:
            found[group] = [
                (group, "had by", "won", "95 %", "at the end of wins", "of losses"),
                ("---",) * 6,
                *(_row(each) for _, each in certain[:SHOWN]),
            ]
    return found


def _row(each: dict[str, Any]) -> tuple[str, ...]:
    name = f"{each['name']} ({each['where']})" if each["where"] else each["name"]
    ends = (f"{each[end]:.0%}" for end in ("ends_of_wins_share", "ends_of_losses_share"))
    between = f"{each['won_low']:.0%}-{each['won_high']:.0%}"
    return name, str(each["decided"]), f"{each['won_share']:.1%}", between, *ends
