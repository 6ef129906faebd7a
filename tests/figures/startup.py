"""How long the command takes to say what it can do: `python -m tests.figures startup`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

COMMANDS: dict[str, Sequence[str]] = {
    "python -c pass": ("-c", "pass"),
    "python -c 'import click'": ("-c", "import click"),
    "scenarii --help": ("-m", "dsl", "--help"),
    "scenarii --version": ("-m", "dsl", "--version"),
    "scenarii list": ("-m", "dsl", "list"),
}


def show(runs: int) -> int:
    """Prints the median of each, and how often the bare interpreter could have begun meanwhile.

    The commands take turns, so that a busy moment slows all of them alike.
    """
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
    return 0


def _run(arguments: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return time.perf_counter() - begun
