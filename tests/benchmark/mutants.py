"""How long it takes to find out what the tests of a game pin: each cited clause spoiled up to the first mutant that a
test notices, as `scenarii rules` does it, in one process.
"""

from __future__ import annotations

from time import process_time

from dsl.diagnostics import Diagnostics
from dsl.resources import games
from dsl.testing.mutate import mutate


def show(only: str | None) -> int:
    """Prints a row for each library game, or for one."""
    print("| game | ids | mutants | noticed | processor, s |")
    print("|---|---|---|---|---|")
    for name in [only] if only else games():
        start = process_time()
        found = mutate(name, workers=1, first=True)
        seconds = process_time() - start
        if isinstance(found, Diagnostics):
            print(f"{name}: {next(iter(found)).message}")
            return 1
        noticed = len(found.mutants) - len(found.survivors)
        print(f"| {name} | {len(found.ids)} | {len(found.mutants)} | {noticed} | {seconds:.1f} |", flush=True)
    return 0
