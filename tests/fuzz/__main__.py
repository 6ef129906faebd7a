"""`python -m tests.fuzz --programs 20000 --games 300 --jobs 2 --seed 1`: mutations by the thousand.

Prints, by kind of mutation, how many runs there were, how many of the texts had errors, how many were
accepted, and how many of those met a rule that failed; then the worst time and memory. Faults are listed, and
kept with `--keep`. `python -m tests.fuzz messages` asks whether messages find what was spoilt, and
`python -m tests.fuzz programs` edits compiled programs and saves, and `python -m tests.fuzz edits` sources, which are
checked with a cache and without.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.fuzz import accepted, commands, edited, edits, growth, messages
from tests.fuzz.run import Result
from tests.fuzz.work import Task, results

SHOWN = 30


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["commands"]:
        return commands.main(arguments[1:])
    if arguments[:1] == ["growth"]:
        return growth.main(arguments[1:])
    if arguments[:1] == ["accepted"]:
        return accepted.main(arguments[1:])
    if arguments[:1] == ["messages"]:
        return messages.main(arguments[1:])
    if arguments[:1] == ["edits"]:
        return edits.main(arguments[1:])
    if arguments[:1] == ["programs"]:
        return edited.main(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=20000, help="mutations of small programs")
    parser.add_argument("--games", type=int, default=300, help="mutations of whole games")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the texts of runs with a fault")
    given = parser.parse_args(arguments)
    tasks = [Task("program", given.seed, number) for number in range(given.programs)]
    tasks += [Task("game", given.seed, number) for number in range(given.games)]
    found: list[Result] = []
    for result in results(tasks, given.jobs, given.keep):
        found.append(result)
        if len(found) % 500 == 0:
            print(f"... {len(found)} of {len(tasks)}", file=sys.stderr, flush=True)
    return report(found)


def report(found: list[Result]) -> int:
    """Prints what came of all runs; 1 where there was a fault."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for result in found:
        rows[result.kind]["runs"] += 1
        rows[result.kind][result.outcome] += 1
        rows[result.kind]["faults"] += bool(result.fault)
    columns = ("runs", "errors", "accepted", "failed", "faults")
    print(f"{'':24}" + "".join(f"{name:>10}" for name in columns))
    for kind, counts in sorted(rows.items()):
        print(f"{kind:24}" + "".join(f"{counts[name]:>10}" for name in columns))
    total = sum(rows.values(), Counter[str]())
    print(f"{'all':24}" + "".join(f"{total[name]:>10}" for name in columns))
    if found:
        slow, large = max(found, key=lambda r: r.seconds), max(found, key=lambda r: r.megabytes)
        print(f"decisions played: {sum(result.decisions for result in found)}")
        print(
            f"worst time: {slow.seconds:.2f} s ({slow.name}); worst memory: {large.megabytes:.0f} MB ({large.name})"
        )
    faults = [result for result in found if result.fault]
    by_fault = Counter(result.fault.strip().splitlines()[-1][:150] for result in faults)
    for text, count in by_fault.most_common(SHOWN):
        first = next(result for result in faults if result.fault.strip().splitlines()[-1][:150] == text)
        print(f"\n{count} x {first.name}\n{first.fault.strip()}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
