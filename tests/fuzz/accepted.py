"""`python -m tests.fuzz accepted --programs 18000 --games 1000 --mods 1000`: what `check` accepts, does it play?

Content is changed as an author would change it: a number or a cell of a table, a row more or fewer, a sign of a map, a
line of a setup; and mods are written for the library games: rows that are added, changed and removed, values that are
modified. What `check` accepts, which begins each game itself, plays 20 random games. The table says, for each kind of
change, how many were accepted and in how many of those a rule failed; then for each code how many of these `check`
had warned of, and how many `check --play 20` tells, which plays games of other seeds.

Small programs are those of the corpus whose rules do not fail as they stand. The same numbers give the same changes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import re
import shutil
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from dsl.authoring.rehearsal import rehearse
from dsl.authoring.trials import trials
from dsl.compiler import compile_game, read_game
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.players.random_player import RandomPlayer
from dsl.simulation.running import Wanted, simulate
from dsl.syntax.grammar import prepare
from tests.fuzz.corpus import games, programs

GAMES = 20
DECISIONS = 300
"""How far a game of a small program is played."""
OTHER_SEEDS = 1000
CHUNK = 25
NUMBER = re.compile(r"(?<![\w./\"])\d+(?![\w./\"])")
BLOCK = re.compile(r"^( *)(table|extend|map|replace map|setup|value|modify|rounds|board)\b")
TABLE = re.compile(r"^(?:extend|table) (\w+)(?: like \w+)?:")
VALUE = re.compile(r"^value (\w+)[^\n=]*-> *-?\d+\.\.\d+")
MODIFIERS = (
    "+1",
    "+3",
    "-1",
    "-2",
    "times 2",
    "times 1/2 rounded up",
    "times 3/2 rounded down",
    "at least 1",
    "at most 2",
    "becomes 1",
)


@dataclass(frozen=True)
class Found:
    """What came of one change."""

    kind: str
    name: str
    accepted: bool = False
    codes: tuple[str, ...] = ()
    """What `check` said: of errors, or where it is accepted of warnings."""
    failed: str = ""
    """The code of the rule that failed in one of the random games."""
    told: bool = False
    """Do random games of other seeds, as `check --play` plays them, tell of it?"""
    fault: str = ""
    text: str = ""


# ---------------------------------------------------------------- where content stands


@dataclass(frozen=True)
class Content:
    """The lines of a text that hold content, by what they are."""

    rows: dict[int, tuple[int, int]]
    """Each row of a table, with the line of its header and that of the table's head."""
    drawn: list[int]
    setup: list[int]
    numbers: list[int]
    """Heads of one line with a number: `rounds 12`, `value pay -> 0..9 = 2`, `modify strength: +1`."""


def content(lines: list[str]) -> Content:
    """Finds what an author of content would change."""
    rows: dict[int, tuple[int, int]] = {}
    drawn: list[int] = []
    setup: list[int] = []
    numbers: list[int] = []
    drawing = False
    head, header, block, depth = -1, -1, "", 0
    for number, line in enumerate(lines):
        bare = line.strip()
        if line.count('"""') % 2 == 1:
            drawing = not drawing
        elif drawing:
            drawn.append(number)
        elif not bare or bare.startswith("#"):
            continue
        elif found := BLOCK.match(line):
            head, header, block, depth = number, -1, found[2], len(found[1])
            if block in {"value", "modify", "rounds"} and NUMBER.search(line):
                numbers.append(number)
        elif bare.startswith("|") and block in {"table", "extend"}:
            if header < head:
                header = number
            else:
                rows[number] = (header, head)
        elif block == "setup" and len(line) - len(line.lstrip()) > depth:
            setup.append(number)
        elif len(line) - len(line.lstrip()) <= depth:
            block = ""
    return Content(rows, drawn, setup, numbers)


def cells(line: str) -> list[tuple[int, int]]:
    """Where the cells of a row begin and end; what stands behind the last bar is a citation."""
    bars = [at for at, sign in enumerate(line) if sign == "|"]
    return [(start + 1, end) for start, end in pairwise(bars)]


def put(line: str, cell: tuple[int, int], text: str) -> str:
    return f"{line[: cell[0]]} {text} {line[cell[1] :]}"


def number_near(old: str, r: Random) -> str:
    """Another number of the size that an author would try."""
    value = int(old)
    return str(max(0, r.choice((value + 1, value - 1, value + 2, value * 2, value + 5, 0))))


# ---------------------------------------------------------------- the changes

Change = Callable[[list[str], Content, Random], bool]


def number_of_a_cell(lines: list[str], found: Content, r: Random) -> bool:
    """`| scout | 2 |` becomes `| scout | 3 |`."""
    there = [(n, match) for n in found.rows for match in NUMBER.finditer(lines[n].rpartition("|")[0])]
    if not there:
        return False
    n, match = r.choice(there)
    lines[n] = lines[n][: match.start()] + number_near(match.group(), r) + lines[n][match.end() :]
    return True


def cell_of_a_neighbour(lines: list[str], found: Content, r: Random) -> bool:
    """A cell takes over what stands in another row of its column."""
    heads = defaultdict(list)
    for n, (header, _) in found.rows.items():
        heads[header].append(n)
    several = [rows for rows in heads.values() if len(rows) > 1]
    if not several:
        return False
    here, there = r.sample(r.choice(several), 2)
    ours, theirs = cells(lines[here]), cells(lines[there])
    if len(ours) != len(theirs) or len(ours) < 2:
        return False
    column = r.randrange(1, len(ours))
    lines[here] = put(lines[here], ours[column], lines[there][slice(*theirs[column])].strip())
    return True


def empty_cell(lines: list[str], found: Content, r: Random) -> bool:
    """A cell becomes `-`."""
    there = [n for n in found.rows if len(cells(lines[n])) > 1]
    if not there:
        return False
    n = r.choice(there)
    lines[n] = put(lines[n], r.choice(cells(lines[n])[1:]), "-")
    return True


def another_row(lines: list[str], found: Content, r: Random) -> bool:
    """A row is written a second time, under a name of its own."""
    if not found.rows:
        return False
    n = r.choice(list(found.rows))
    name, *_ = cells(lines[n])
    old = lines[n][slice(*name)].strip()
    if not old.isidentifier():
        return False
    lines.insert(n + 1, put(lines[n], name, f"{old}_new"))
    return True


def row_less(lines: list[str], found: Content, r: Random) -> bool:
    """A row is struck out."""
    if not found.rows:
        return False
    del lines[r.choice(list(found.rows))]
    return True


def sign_of_a_map(lines: list[str], found: Content, r: Random) -> bool:
    """A sign of a drawing becomes another of the drawing's."""
    signs = sorted({sign for n in found.drawn for sign in lines[n] if not sign.isspace()})
    if len(signs) < 2:
        return False
    n = r.choice([n for n in found.drawn if lines[n].strip()])
    at = r.choice([at for at, sign in enumerate(lines[n]) if not sign.isspace()])
    lines[n] = lines[n][:at] + r.choice(signs) + lines[n][at + 1 :]
    return True


def row_of_a_map(lines: list[str], found: Content, r: Random) -> bool:
    """A row of a drawing is drawn twice, or is gone: the map grows or shrinks."""
    if not found.drawn:
        return False
    n = r.choice(found.drawn)
    if r.random() < 0.5:
        lines.insert(n, lines[n])
    else:
        del lines[n]
    return True


def line_of_a_setup(lines: list[str], found: Content, r: Random) -> bool:
    """A line of a setup stands twice, is gone, or has another number."""
    if not found.setup:
        return False
    n = r.choice(found.setup)
    numbers = list(NUMBER.finditer(lines[n]))
    if numbers and r.random() < 0.6:
        match = r.choice(numbers)
        lines[n] = lines[n][: match.start()] + number_near(match.group(), r) + lines[n][match.end() :]
    elif r.random() < 0.5:
        lines.insert(n, lines[n])
    else:
        del lines[n]
    return True


def number_of_a_line(lines: list[str], found: Content, r: Random) -> bool:
    """The number behind `=` or `:` of a value, a modifier, or of `rounds`."""
    there = [(n, match) for n in found.numbers for match in NUMBER.finditer(lines[n])]
    there = [(n, match) for n, match in there if ".." not in lines[n][match.end() : match.end() + 2]]
    there = [
        (n, match) for n, match in there if ".." not in lines[n][max(0, match.start() - 2) : match.start()]
    ]
    if not there:
        return False
    n, match = r.choice(there)
    lines[n] = lines[n][: match.start()] + number_near(match.group(), r) + lines[n][match.end() :]
    return True


CHANGES: dict[str, Change] = {
    "number of a cell": number_of_a_cell,
    "cell of a neighbour": cell_of_a_neighbour,
    "empty cell": empty_cell,
    "row added": another_row,
    "row removed": row_less,
    "sign of a map": sign_of_a_map,
    "row of a map": row_of_a_map,
    "line of a setup": line_of_a_setup,
    "number of a line": number_of_a_line,
}


def changed(text: str, r: Random) -> tuple[str, str] | None:
    """A text with one change, and the kind of the change; none where the text has no content."""
    names = list(CHANGES)
    r.shuffle(names)
    for name in names:
        lines = text.split("\n")
        if CHANGES[name](lines, content(lines), r) and "\n".join(lines) != text:
            return name, "\n".join(lines)
    return None


# ---------------------------------------------------------------- mods


@dataclass(frozen=True)
class Printed:
    """What the sources of a library game print: tables with their headers and rows, and names of values."""

    tables: dict[str, tuple[list[str], list[list[str]]]]
    values: list[str]


@cache
def printed(game: Path) -> Printed:
    """Reads the tables of kinds and the values of a game."""
    tables: dict[str, tuple[list[str], list[list[str]]]] = {}
    values: list[str] = []
    for path in sorted(game.glob("*.scn")):
        lines = path.read_text(encoding="utf-8").split("\n")
        values += [match[1] for line in lines if (match := VALUE.match(line))]
        for n, (header, head) in content(lines).rows.items():
            named = TABLE.match(lines[head])
            titles = [lines[header][slice(*cell)].strip() for cell in cells(lines[header])]
            row = [lines[n][slice(*cell)].strip() for cell in cells(lines[n])]
            if named and titles[:1] == ["id"] and len(row) == len(titles) and row[0].isidentifier():
                tables.setdefault(f"{named[1]} {header} {path.name}", (titles, []))[1].append(row)
    return Printed(tables, values)


def mod(game: Path, r: Random) -> tuple[str, str]:
    """A mod of a line or two for a library game."""
    there = printed(game)
    header = f'mod tried for {game.name}:\n    title en "Tried"\n\n'
    table, (titles, rows) = r.choice(list(there.tables.items()))
    row, other = r.choice(rows), r.choice(rows)
    columns = [n for n, title in enumerate(titles) if n and not title.startswith(("name", "look"))]
    kind = r.choice(("change", "change", "row", "row", "remove", "modify", "modify"))
    if kind == "change" and columns:
        column = r.choice(columns)
        new = other[column]
        if NUMBER.fullmatch(row[column]):
            new = number_near(row[column], r)
        several = "," in new or bool(re.fullmatch(r"\d+ \w+", new))
        new = f"{{{new}}}" if several else "none" if new == "-" else new
        return "mod: change", f"{header}change {row[0]}: {titles[column].split(':')[0]} = {new}\n"
    if kind == "row":
        name = table.split()[0]
        cells_ = [f"{row[0]}_new", *row[1:]]
        if columns:
            column = r.choice(columns)
            cells_[column] = number_near(row[column], r) if NUMBER.fullmatch(row[column]) else other[column]
        width = [title.split(":")[0] for title in titles]
        body = f"extend {name}:\n    | {' | '.join(width)} |\n    | {' | '.join(cells_)} |\n"
        return "mod: row added", header + body
    if kind == "modify" and there.values:
        return "mod: modify", f"{header}modify {r.choice(there.values)}: {r.choice(MODIFIERS)}\n"
    return "mod: remove", f"{header}remove {row[0]}\n"


# ---------------------------------------------------------------- one change, and its games


def failure_of(machine: Machine, seed: int, *, small: bool) -> str:
    """The code of a rule that fails in one of the random games, or nothing."""
    if not small:
        failures = simulate(machine.program, Wanted(GAMES, seed)).tally.failures
        return next(iter(failures), "")
    for number in range(GAMES):
        player = RandomPlayer(seed + number)
        try:
            game = Game.start(machine, seed=seed + number)
            for _ in range(DECISIONS):
                if not game.count:
                    break
                game.choose(player.index(game.count))
        except RuleFailure as failure:
            return failure.code
    return ""


@cache
def sound() -> tuple[int, ...]:
    """The small programs with content that play as they stand, by number."""
    found = []
    for number, program in enumerate(programs()):
        lines = program.text.split("\n")
        there = content(lines)
        if there.rows or there.drawn or there.setup:
            found.append(number)
    return tuple(found)


def stands(path: Path) -> bool:
    """Do the rules of a small program hold before anything is changed?"""
    made = compile_game(str(path), tests=False)
    return made.program is not None and not failure_of(Machine(made.program), 0, small=True)


def judge(path: Path, kind: str, name: str, text: str, *, small: bool) -> Found:
    """Compiles what stands at a path, and plays it where it is accepted."""
    try:
        made = compile_game(str(path), tests=False)
        codes = tuple(sorted({each.code.id for each in made.diagnostics}))
        if made.program is None or made.diagnostics.has_errors:
            return Found(kind, name, codes=codes)
        machine = Machine(made.program)
        if begun := rehearse(made.program):
            return Found(kind, name, codes=tuple(sorted({each.code for each in begun})))
        failed = failure_of(machine, 0, small=small)
        told = bool(failed) and _told(machine)
        return Found(kind, name, True, codes, failed, told, text=text if failed else "")
    except Exception:
        return Found(kind, name, fault=traceback.format_exc(limit=-6), text=text)


def _told(machine: Machine) -> bool:
    found = trials(machine, GAMES, OTHER_SEEDS, covered=0)
    return any(finding.kind == "failure" for finding in found.findings)


def one(of: str, seed: int, number: int, folder: Path) -> Found | None:
    """The change of this number, or none where its text has nothing to change."""
    r = Random(f"accepted {of} {seed} {number}")
    if of == "mod":
        game = r.choice(games())
        kind, text = mod(game, r)
        path = folder / "tried.scn"
        path.write_text(text, encoding="utf-8")
        return judge(path, kind, f"mod {number} for {game.name}", text, small=False)
    if of == "game":
        game = r.choice(games())
        path = folder / game.name
        if not path.exists():
            shutil.copytree(game, path)
        source = path / r.choice(sorted(each.name for each in game.glob("*.scn")))
        text = (game / source.name).read_text(encoding="utf-8")
        name = f"game {number}: {game.name}/{source.name}"
    else:
        program = programs()[r.choice(sound())]
        path = source = folder / "changed.scn"
        text = program.text
        name = f"program {number}: {program.name}"
    made = changed(text, r)
    if made is None:
        return None
    kind, after = made
    source.write_text(after, encoding="utf-8")
    try:
        found = judge(path, kind, name, _difference(text, after), small=of == "program")
        if found.failed and of == "program":
            source.write_text(text, encoding="utf-8")
            return found if stands(source) else None
        return found
    finally:
        source.write_text(text, encoding="utf-8")


def _difference(before: str, after: str) -> str:
    old = set(before.split("\n"))
    new = [f"    {n}: {line}" for n, line in enumerate(after.split("\n"), 1) if line not in old]
    return "\n".join(new[:4]) or "    (a line more or fewer)"


# ---------------------------------------------------------------- many


def _chunk(task: tuple[str, int, int, int]) -> list[Found]:
    of, seed, start, end = task
    with tempfile.TemporaryDirectory(prefix="accepted") as folder:
        made = (one(of, seed, number, Path(folder)) for number in range(start, end))
        return [each for each in made if each is not None]


def _prepare(kinds: set[str]) -> None:
    """What every process needs, once before they branch off: the grammar, the corpus, the trees of the games."""
    prepare()
    if "program" in kinds:
        sound()
    if kinds - {"program"}:
        for game in games():
            printed(game)
            read_game(str(game))


def _all(given: argparse.Namespace, done: set[str]) -> Iterator[tuple[str, list[Found]]]:
    counts = (("program", given.programs), ("mod", given.mods), ("game", given.games))
    tasks = [
        (of, given.seed, start, min(start + CHUNK, count))
        for of, count in counts
        for start in range(0, count, CHUNK)
        if f"{of} {given.seed} {start} {min(start + CHUNK, count)}" not in done
    ]
    if not tasks:
        return
    _prepare({task[0] for task in tasks})
    with mp.get_context("fork").Pool(given.jobs, maxtasksperchild=4) as pool:
        for number, (task, part) in enumerate(zip(tasks, pool.imap(_chunk, tasks), strict=True), 1):
            if number % 20 == 0:
                print(f"... {number} of {len(tasks)} parts", file=sys.stderr, flush=True)
            yield " ".join(map(str, task)), part


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz accepted", description=__doc__)
    parser.add_argument("--programs", type=int, default=18000, help="changes in small programs")
    parser.add_argument("--games", type=int, default=1000, help="changes in files of the library games")
    parser.add_argument("--mods", type=int, default=1000, help="mods for the library games")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="failures to print that check said nothing of")
    parser.add_argument(
        "--state", type=Path, help="a file in which what was done is kept, to go on from there"
    )
    given = parser.parse_args(arguments)
    found: list[Found] = []
    done: set[str] = set()
    if given.state and given.state.exists():
        for line in given.state.read_text(encoding="utf-8").splitlines():
            kept = json.loads(line)
            done.add(kept["task"])
            found += [Found(**{**each, "codes": tuple(each["codes"])}) for each in kept["found"]]
    for task, part in _all(given, done):
        found += part
        if given.state:
            with given.state.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"task": task, "found": [asdict(each) for each in part]}) + "\n")
    return report(found, given.show)


def report(found: list[Found], show: int) -> int:
    """Prints the tables; 1 where there was a fault, or where too much fails without a word from `check`."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        for row in (each.kind, "all"):
            rows[row]["changes"] += 1
            rows[row]["accepted"] += each.accepted
            rows[row]["failed"] += bool(each.failed)
            rows[row]["silent"] += bool(each.failed and not each.codes)
    print(f"{'':24}{'changes':>10}{'accepted':>10}{'failed':>10}{'silent':>10}{'share':>10}")
    for kind, counts in sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])):
        share = counts["silent"] / counts["accepted"] if counts["accepted"] else 0.0
        print(
            f"{kind:24}{counts['changes']:>10}{counts['accepted']:>10}{counts['failed']:>10}"
            f"{counts['silent']:>10}{share:>10.2%}"
        )
    failed = [each for each in found if each.failed]
    print(f"\n{'code':24}{'failed':>10}{'warned':>10}{'--play':>10}{'neither':>10}")
    for code, count in sorted(Counter(each.failed for each in failed).items()):
        these = [each for each in failed if each.failed == code]
        warned, told = sum(bool(each.codes) for each in these), sum(each.told for each in these)
        neither = sum(not each.codes and not each.told for each in these)
        print(f"{code:24}{count:>10}{warned:>10}{told:>10}{neither:>10}")
    for each in [each for each in failed if not each.codes][:show]:
        print(f"\n{each.failed} {each.kind}, {each.name}\n{each.text}")
    faults = [each for each in found if each.fault]
    for each in faults[:3]:
        print(f"\n{each.kind}, {each.name}\n{each.text}\n{each.fault}")
    total = rows["all"]
    low = total["accepted"] > 0 and total["silent"] / total["accepted"] >= 0.005
    return int(bool(faults) or low)
