"""How long the command takes to say what it can do, and to check a game of which one file was edited:
`python -m tests.figures startup`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TypeAlias

from dsl.diagnostics import Diagnostics
from dsl.resources import game_folder
from dsl.source import Source
from dsl.syntax import tree_cache as kept
from tests.figures.speed import loop_rate

COMMANDS: dict[str, Sequence[str]] = {
    "python -c pass": ("-c", "pass"),
    "python -c 'import click'": ("-c", "import click"),
    "scenarii --help": ("-m", "dsl", "--help"),
    "scenarii --version": ("-m", "dsl", "--version"),
    "scenarii list": ("-m", "dsl", "list"),
}


Taken: TypeAlias = tuple[float, float]
"""Seconds on the clock, and of the processor."""
EDITED = {
    "cristal_et_acier": "bataille.scn",
    "me_ccg": "tour.scn",
    "green_conquest": "attaques.scn",
    "risk_halo": "risk_halo.scn",
    "command_and_conquer": "fire.scn",
}
"""The games that are checked, and the file of each that is edited between the checks."""
EDITS = {
    "comment": "# edited for the {number}. time",
    "test": 'test "edited":\n    expect round is {number}',
    "rule": "action edited_for_figures(n: 0..100):\n    if n is {number}: nothing",
}
"""What is written for each edit, each time with another number."""
COLD, WARM = 1.0, 0.15
"""Aims: seconds of the processor for a check with an empty cache, and after the edit of a line with a warm one."""
LARGEST = {"command_and_conquer": 2.0}
"""Other aims for an empty cache."""


def show(runs: int, *, checks: bool = False, games: Sequence[str] = ()) -> int:
    """Prints the median of each, and how often the bare interpreter could have begun meanwhile; then what checks take.
    Only that with `checks`, of some games alone.

    The commands take turns, so that a busy moment slows all of them alike.
    """
    if checks:
        _show_checks(max(1, runs // 5), games or tuple(EDITED))
        return 0
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, arguments in COMMANDS.items():
            seconds[name].append(_run(arguments))
    bare = median(seconds["python -c pass"])
    print("| command | median, ms | lowest, ms | × `python -c pass` |")
    print("|---|---|---|---|")
    for name, found in seconds.items():
        print(
            f"| `{name}` | {median(found) * 1000:.0f} | {min(found) * 1000:.0f} | {median(found) / bare:.1f} |"
        )
    _show_checks(max(3, runs // 5), games or tuple(EDITED))
    print("\n| trees of | parsed, ms | read from JSON, ms | parsed ÷ read |")
    print("|---|---|---|---|")
    for game in EDITED:
        parsed, read = _trees(game)
        print(f"| {game} | {parsed * 1000:.0f} | {read * 1000:.0f} | {parsed / read:.1f} |")
    return 0


def _show_checks(runs: int, games: Sequence[str]) -> None:
    """Prints what the checks of some games take, beside a million turns of a fixed loop of plain Python."""
    print(
        "\n| `scenarii check` of | cache | of the processor, ms | aim, ms | millions of turns of the fixed loop |"
    )
    print("|---|---|---|---|---|")
    for game, how, aim, checked in _checks(runs, games):
        busy = min(processor for _, processor in checked)
        turns = busy * loop_rate(time.process_time) / 1e6
        wanted = f"{aim * 1000:.0f}" if aim else ""
        print(f"| {game} | {how} | {busy * 1000:.0f} | {wanted} | {turns:.1f} |", flush=True)


class _Kept(dict[str, bytes]):
    """Entries in memory, in the place of a cache."""

    def read(self, name: str) -> bytes | None:
        return self.get(name)

    def write(self, name: str, data: bytes) -> None:
        self[name] = data


def _trees(game: str) -> tuple[float, float]:
    """Of the processor, the least of five: what all files of a game take to be parsed, and to be read as kept trees."""
    folder = game_folder(game)
    assert folder is not None
    sources = [Source(str(each), each.read_text(encoding="utf-8")) for each in sorted(folder.glob("*.scn"))]
    sources = [each for each in sources if len(each.text) >= kept.LEAST]
    best = []
    for keeper in (None, _Kept()):
        kept.keep_trees(keeper)
        taken = []
        for _ in range(6):
            begun = time.process_time()
            for source in sources:
                kept.tree_of(source, Diagnostics())
            taken.append(time.process_time() - begun)
        best.append(min(taken[1:]))
    kept.keep_trees(None)
    return best[0], best[1]


def _checks(runs: int, games: Sequence[str]) -> Iterator[tuple[str, str, float, list[Taken]]]:
    """What checks of a game with its tests take, each with the aim for it: of a copy in which one line is another
    before each. Python has compiled the modules of the compiler before, as after the first start of the command.
    """
    with tempfile.TemporaryDirectory() as home:
        modules = {"PYTHONPYCACHEPREFIX": os.fspath(Path(home, "modules")), "PYTHONDONTWRITEBYTECODE": ""}
        for game in games:
            name = EDITED[game]
            source = game_folder(game)
            assert source is not None
            copy = Path(
                shutil.copytree(source, Path(home, game), ignore=shutil.ignore_patterns("__pycache__"))
            )
            main, edited = copy / f"{game}.scn", copy / name
            off, kept = (
                {**modules, "SCENARII_CACHE": each} for each in ("off", os.fspath(Path(home, "cache")))
            )
            _check(main, kept)
            empty = [
                _check(main, {**kept, "SCENARII_CACHE": os.fspath(Path(home, f"{game}-{n}"))})
                for n in range(runs)
            ]
            yield game, "empty", LARGEST.get(game, COLD), empty
            yield game, "off, one line edited", 0, _edited(main, edited, off, runs, "rule")
            for what in EDITS:
                yield game, f"warm, a {what} edited", WARM, _edited(main, edited, kept, runs, what)
            _check(main, kept)
            yield game, "warm, nothing edited", 0, [_check(main, kept) for _ in range(runs)]


def _edited(target: Path, file: Path, environment: Mapping[str, str], runs: int, what: str) -> list[Taken]:
    """What stands last in a file is another comment, test or value each time."""
    found, text = [], file.read_text(encoding="utf-8")
    for number in range(-1, runs):
        file.write_text(f"{text}\n{EDITS[what].format(number=number + 2)}\n", encoding="utf-8")
        found.append(_check(target, environment))
    file.write_text(text, encoding="utf-8")
    return found[1:]


def _check(target: Path, environment: Mapping[str, str]) -> Taken:
    before = os.times()
    taken = _run(["-m", "dsl", "check", os.fspath(target)], environment)
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return taken, busy


def _run(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    begun = time.perf_counter()
    told = {**os.environ, **(environment or {})}
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True, env=told)
    return time.perf_counter() - begun
