"""`python -m tests.fuzz messages --programs 50000 --games 1000`: does the first message find the slip?

Each text is spoilt by one slip of the pen, and compiled. By kind of slip are printed: how many texts were spoilt, how
many have a message, and in which share of those the first message, or a place that it relates, covers a spoilt line.
What covers more than three lines counts only for its first. Where a line, word or column was removed, or a name became
another, the line that now fails counts too: one beside the gap, the head of its block (the game's header at the
margin), or one where the message marks a name or sign that was lost with it.

The column "says how to put it right" is the share of first messages that carry an instruction, a hint or an edit.
Whether following it gives what the author meant is not measured: only reading tells, and `--read N` prints messages for
it, `--unhelped N` those without an instruction. The last line says in which share of the texts with a message it was
the only one: `--several 20` prints some with more.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import shutil
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic
from dsl.diagnostics.render import render
from dsl.source import Span
from tests.fuzz.corpus import games, programs
from tests.fuzz.slips import NAME, Slip, slip

MOST_COVERED = 3
CHUNK = 100


@dataclass(frozen=True)
class Found:
    """What the compiler said of a spoilt text: nothing, or whether its first message found the slip."""

    kind: str
    name: str
    code: str = ""
    covers: bool = False
    told: str = ""
    helps: bool = False
    """Does its first message have a hint or an edit, and so say what to write?"""
    count: int = 0
    """How many errors were told: one slip is one mistake, and most of the time one message."""


def covers(diagnostic: Diagnostic, file: str, made: Slip) -> bool:
    """Does a message, or a place that it relates, mark what was spoilt?"""
    spans = [each for each in (diagnostic.span, *(label.span for label in diagnostic.labels)) if each]
    here = [each for each in spans if Path(each.source.name).name == file]
    if any(_lines(each) & made.lines for each in here):
        return True
    return any(
        ({each.text.strip('"')} | set(NAME.findall(each.text))) & made.lost
        for each in spans
        if _is_short(each)
    )


def _is_short(span: Span) -> bool:
    return span.end_line - span.line < MOST_COVERED


def _lines(span: Span) -> set[int]:
    return set(range(span.line, span.end_line + 1)) if _is_short(span) else {span.line}


def spoil(of: str, seed: int, number: int, folder: Path) -> Found:
    """Makes one slip, compiles what it made, and looks at the first message."""
    r = Random(f"slip {of} {seed} {number}")
    if of == "program":
        program = r.choice(programs())
        name, text, path = program.name, program.text, folder / "mutant.scn"
        changed = path
    else:
        game = r.choice(games())
        path = folder / game.name
        if not path.exists():
            shutil.copytree(game, path)
        changed = path / r.choice(sorted(each.name for each in game.glob("*.scn")))
        text = (game / changed.name).read_text(encoding="utf-8")
        name = f"{game.name}/{changed.name}"
    kind, made = slip(text, r)
    changed.write_text(made.text, encoding="utf-8")
    try:
        compiled = compile_game(str(path), tests=True)
    except Exception:
        fault = traceback.format_exc(limit=-6)
        return Found(kind, name, "fault", told=f"--- {kind}, {of} {number} of {name}\n{fault}")
    finally:
        changed.write_text(text, encoding="utf-8")
    errors = [each for each in compiled.diagnostics if each.is_error]
    first = next(iter(errors), None)
    if first is None:
        return Found(kind, name)
    found = covers(first, changed.name, made)
    written = made.text.split("\n")
    lines = ", ".join(
        f"{n}: {written[n - 1].strip()}" for n in sorted(made.lines)[:3] if 0 < n <= len(written)
    )
    told = f"--- {kind}, {of} {number} of {name}\n    {lines}\n{render(first)}"
    told += "".join(f"\n    also {each.code.id}: {each.message}" for each in errors[1:])
    helps = bool(first.hint or first.fix)
    return Found(kind, name, first.code.id, found, told, helps, len(errors))


def _chunk(task: tuple[str, int, int, int]) -> list[Found]:
    of, seed, start, end = task
    with tempfile.TemporaryDirectory(prefix="slips") as folder:
        return [spoil(of, seed, number, Path(folder)) for number in range(start, end)]


def _all(given: argparse.Namespace) -> Iterator[Found]:
    tasks = [
        (of, given.seed, start, min(start + CHUNK, count))
        for of, count in (("program", given.programs), ("game", given.games))
        for start in range(0, count, CHUNK)
    ]
    with mp.Pool(given.jobs, maxtasksperchild=10) as pool:
        for number, part in enumerate(pool.imap(_chunk, tasks), 1):
            if number % 10 == 0:
                print(f"... {number} of {len(tasks)} parts", file=sys.stderr, flush=True)
            yield from part


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz messages", description=__doc__)
    parser.add_argument("--programs", type=int, default=50000, help="slips in small programs")
    parser.add_argument("--games", type=int, default=1000, help="slips in files of whole games")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="messages to print that miss the slip")
    parser.add_argument("--read", type=int, default=0, help="messages to print, whether they miss it or not")
    parser.add_argument("--unhelped", type=int, default=0, help="messages to print without an instruction")
    parser.add_argument("--several", type=int, default=0, help="messages to print that others follow")
    parser.add_argument("--kind", default="", help="only messages of this kind of slip")
    given = parser.parse_args(arguments)
    found = list(_all(given))
    for each in [each for each in found if each.code and given.kind in each.kind][: given.read]:
        print(each.told, end="\n\n")
    faults = [each.told for each in found if each.code == "fault"]
    print("\n\n".join(faults[:3]))
    missed = [each for each in found if each.code and not each.covers and given.kind in each.kind]
    for each in missed[: given.show]:
        print(each.told, end="\n\n")
    unhelped = [each for each in found if each.code and not each.helps and given.kind in each.kind]
    for each in unhelped[: given.unhelped]:
        print(each.told, end="\n\n")
    several = [each for each in found if each.count > 1 and given.kind in each.kind]
    for each in several[: given.several]:
        print(each.told, end="\n\n")
    return report(found) or int(bool(faults))


def report(found: list[Found]) -> int:
    """Prints the shares; 1 where a message finds the slip in less than nine tenths."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        for row in (each.kind, "all"):
            rows[row]["spoilt"] += 1
            rows[row]["message"] += bool(each.code)
            rows[row]["covers"] += each.covers
            rows[row]["helps"] += each.helps
    print(f"{'':24}{'spoilt':>10}{'message':>10}{'finds it':>10}   says how to put it right")
    low = False
    for kind, counts in sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])):
        told = max(counts["message"], 1)
        share = counts["covers"] / told if counts["message"] else 1.0
        low |= share < 0.9
        print(
            f"{kind:24}{counts['spoilt']:>10}{counts['message']:>10}{share:>10.1%}{counts['helps'] / told:>27.1%}"
        )
    alone, several = sum(each.count == 1 for each in found), sum(each.count > 1 for each in found)
    print(f"\ntold in one message: {alone / (alone + several):.1%}" if alone + several else "")
    return int(low)
