"""Every decision of random games saved, and each played on elsewhere: `python -m tests.figures saves`.

The saves are snapshots in a folder, with the table, the choices and the last fingerprint of each game beside
them. One other process compiles the game for itself, under another hash seed, restores each snapshot, which
validates its ranges and frames, plays on with the recorded choices, and compares the end. Of one save in
twenty it also plays anew all that came before it, and compares the place. In a game of more than 400 choices twenty
saves are so, and the others are played on for 40 choices, and compared there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from tests.figures.play import Table, table
from tests.figures.targets import ROOT, Target, target

VERIFIED = 20
"""One save in so many is also verified by replay, and goes on to the end of a long game; in a game of more than 400
choices so many saves are.
"""
LONG, AHEAD = 400, 40


def save_games(machine: Machine, folder: Path, games: int, mode: str = "") -> int:
    """Plays games and saves each decision of each; how many saves that gives."""
    saved = 0
    for seed in range(games):
        at = table(machine, seed, mode)
        game, player = at.start(machine), at.player()
        inside = folder / f"{seed}"
        inside.mkdir()
        prints = []
        while True:
            prints.append(game.fingerprint)
            (inside / f"{len(game.choices)}.save").write_bytes(game.snapshot())
            saved += 1
            if not game.count:
                break
            game.choose(player.index(game.count))
        record = {"options": at.options, "choices": game.choices, "fingerprints": prints}
        (inside / "record.json").write_text(json.dumps(record), encoding="utf-8")
    return saved


@dataclass(slots=True)
class Found:
    """What came of the saves of a folder."""

    restored: int = 0
    chosen: int = 0
    verified: int = 0


def restore_games(machine: Machine, folder: Path, found: Found) -> Iterator[str]:
    """Goes on from each save; says what went otherwise."""
    for inside in sorted(folder.iterdir(), key=lambda each: int(each.name)):
        record = json.loads((inside / "record.json").read_text(encoding="utf-8"))
        choices = [_choice(each) for each in record["choices"]]
        options = tuple((name, number) for name, number in record["options"])
        every = max(VERIFIED, len(choices) // VERIFIED)
        for at in range(len(choices) + 1):
            data = (inside / f"{at}.save").read_bytes()
            game = Game.restore(machine, data)
            if not isinstance(game, Game):
                yield f"game {inside.name}, save {at}: {game[0].message}"
                continue
            found.restored += 1
            if found.restored % every == 0:
                found.verified += 1
                if _replayed(machine, Table(int(inside.name), options), choices[:at]) != game.fingerprint:
                    yield f"game {inside.name}, save {at}: its choices lead elsewhere"
            whole = len(choices) <= LONG or found.restored % every == 0
            end = len(choices) if whole else min(len(choices), at + AHEAD)
            for choice in choices[at:end]:
                game.choose(choice)
            found.chosen += end - at
            if game.fingerprint != record["fingerprints"][end]:
                yield f"game {inside.name}, save {at}: it goes on to another end"


def show(name: str, games: int) -> int:
    """Saves here, restores in one other process, and prints a line."""
    chosen = target(name)
    machine = chosen.machine()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        saved = save_games(machine, Path(folder), games, chosen.mode)
        seconds = time.perf_counter() - begun
        print(f"{chosen.name}: {games} random games, {saved} saves ({seconds:.1f} s)", flush=True)
        return elsewhere(chosen, Path(folder)).returncode


def elsewhere(chosen: Target, folder: Path) -> subprocess.CompletedProcess[str]:
    """The one other process."""
    command = [sys.executable, "-m", "tests.figures.saves", chosen.name, str(folder)]
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, text=True, check=False
    )


def restore_here(name: str, folder: Path) -> int:
    """What the other process does."""
    machine, found = target(name).machine(), Found()
    begun = time.perf_counter()
    faults = list(restore_games(machine, folder, found))
    seconds = time.perf_counter() - begun
    print(
        f"in one other process: {found.restored} restored, {found.chosen} choices played on, "
        f"{found.verified} verified by replay; {len(faults)} went otherwise ({seconds:.1f} s)"
    )
    print("\n".join(faults[:10]), end="\n" if faults else "")
    return int(bool(faults))


def _replayed(machine: Machine, at: Table, choices: list[Choice]) -> str:
    game = at.start(machine)
    for choice in choices:
        game.choose(choice)
    return game.fingerprint


def _choice(record: Any) -> Choice:
    offer, values = record
    return offer, tuple(tuple(each) if isinstance(each, list) else each for each in values)


if __name__ == "__main__":
    raise SystemExit(restore_here(sys.argv[1], Path(sys.argv[2])))
