"""How random games end, by mode and by how many play: `python -m tests.figures ends`.

All of them go by the rulings that hold unless others are chosen, in compiled code that looks at what the game promises
wherever it stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

from dsl.authoring.trials import ending_name
from dsl.engine.failure import StartError
from dsl.ir.program import Program
from dsl.testing.promises import without_tests
from dsl.wasm.module import Module
from tests.figures.targets import Target, named, targets
from tests.shipped import shipped


@cache
def _module(what: str) -> Module:
    return Module.of(without_tests(shipped(what, tests=True)), watched=True)


def numbers(program: Program) -> Iterator[int | None]:
    """How many may play; none where that is always the same."""
    option = next((each for each in program.options if each.name == "players"), None)
    if option is None or option.range is None:
        yield None
        return
    yield from range(max(1, option.range[0]), option.range[1] + 1)


def ended(target: Target, players: int | None, games: int) -> tuple[Counter[str], int] | None:
    """How often games ended in each way, and how many broke a promise or failed; none where the mode is not for so
    many players.
    """
    module = _module(target.what)
    chosen: dict[str, str | int] = {} if players is None else {"players": players}
    if target.mode:
        chosen["mode"] = target.mode
    try:
        found = module.playouts(games, seed=0, options=chosen)
    except StartError:
        return None
    ends = Counter[str]()
    for (reason, _), count in found.ends.items():
        ends[ending_name(module.program, reason)] += count
    return ends, len(found.breaches) + len(found.failures)


def show(games: int, jobs: int, game: str = "") -> int:
    """Prints a line for each mode and number of players; 1 if a promise was broken or a rule failed."""
    print("| game | players | random games | broken, or failed | how they ended |")
    print("|---|---|---|---|---|")
    failed = False
    chosen = named(game) if game else targets()
    rows = [(each, count) for each in chosen for count in numbers(_module(each.what).program)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        given = [each for each, _ in rows], [count for _, count in rows], [games] * len(rows)
        for (target, count), found in zip(rows, pool.map(ended, *given), strict=True):
            if found is None:
                continue
            ends, failures = found
            told = ", ".join(f"{name} {100 * each / games:.1f} %" for name, each in ends.most_common())
            print(f"| {target.name} | {count or ''} | {games} | {failures} | {told} |", flush=True)
            failed = failed or bool(failures)
    return int(failed)
