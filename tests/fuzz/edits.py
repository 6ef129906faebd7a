"""`python -m tests.fuzz edits --programs 2000 --games 20 --seed 1`: edits of games, checked with a cache and without.

Whatever is edited, what `check` finds with a cache that knows the game before the edit must be what it finds without
one. Edits are such as authors make: another number, a line less, a line or a declaration that stands elsewhere, another
name, a slip. Half of them go on from the last text in which nothing was wrong. Prints how many edits there were of
each kind, after how many of them nothing was found, and how often only tests (`tests`), or rules without most tests
(`rules`) were elaborated; then where the two differ.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from dsl.cache import Cache
from dsl.cli.rehearsing import rehearsed
from dsl.diagnostics.machine import to_json
from dsl.ir.codec import encode
from dsl.library import Build, build
from dsl.resources import game_folder
from dsl.syntax.tree_cache import keep_trees
from tests.examples import example_folders
from tests.fuzz.corpus import programs
from tests.fuzz.mutate import mutate

LIBRARY = ("cristal_et_acier", "me_ccg", "green_conquest", "risk_halo", "command_and_conquer")
TEST = re.compile(r"^test ", re.MULTILINE)
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d]\w*")
DECLARATION = re.compile(r"^\S.*\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
BODY = re.compile(r"(?:action|phase|value|round|setup)\b")
ANYTHING = re.compile("")
BODIES = 0.7
"""How many edits are of the bodies of rules, rather than anywhere."""
EDITS_OF_EACH = 10


@dataclass(frozen=True)
class Game:
    """A game in a folder of its own, with the files that are edited."""

    name: str
    target: Path
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Checked:
    """What came of an edit."""

    kind: str
    how: str
    """What was not elaborated with the cache: `tests`, `rules`, or nothing."""
    is_well: bool
    difference: str = ""


# ---------------------------------------------------------------- edits


def _number(lines: list[str], r: Random) -> None:
    at = _line(lines, r, NUMBER)
    found = r.choice(list(NUMBER.finditer(lines[at]))) if at is not None else None
    if at is not None and found is not None:
        other = str(max(0, int(found[0]) + r.choice((-2, -1, 1, 1, 2, 7))))
        lines[at] = lines[at][: found.start()] + other + lines[at][found.end() :]


def _word(lines: list[str], r: Random) -> None:
    """Another word of the same file in the place of one."""
    at = _line(lines, r, WORD)
    if at is not None:
        found = r.choice(list(WORD.finditer(lines[at])))
        words = WORD.findall(lines[_any_line(lines, r)]) or [found[0]]
        lines[at] = lines[at][: found.start()] + r.choice(words) + lines[at][found.end() :]


def _rename(lines: list[str], r: Random) -> None:
    """A word is another one everywhere."""
    at = _line(lines, r, WORD)
    if at is not None:
        old = r.choice(WORD.findall(lines[at]))
        lines[:] = [re.sub(rf"\b{old}\b", f"{old}_x", line) for line in lines]


def _delete(lines: list[str], r: Random) -> None:
    del lines[_any_line(lines, r)]


def _twice(lines: list[str], r: Random) -> None:
    at = _any_line(lines, r)
    lines.insert(at, lines[at])


def _swap(lines: list[str], r: Random) -> None:
    at = _any_line(lines, r)
    lines[at : at + 2] = lines[at : at + 2][::-1]


def _move(lines: list[str], r: Random) -> None:
    line = lines.pop(_any_line(lines, r))
    lines.insert(_any_line(lines, r), line)


def _slip(lines: list[str], r: Random) -> None:
    at = _any_line(lines, r)
    lines[at] += r.choice((" xyzzy", " +", ")", " and", " -1", " is 3", " [ZZ-1]"))


def _declarations(lines: list[str], r: Random) -> None:
    """Two declarations change places."""
    text = "\n".join(lines)
    found = list(DECLARATION.finditer(text))
    if len(found) > 2:
        one, two = sorted(r.sample(found, 2), key=lambda each: each.start())
        between = text[one.end() : two.start()]
        text = text[: one.start()] + two[0] + between + one[0] + text[two.end() :]
        lines[:] = text.split("\n")


def _mutation(lines: list[str], r: Random) -> None:
    lines[:] = mutate("\n".join(lines), r)[1].split("\n")


EDITS: dict[str, Callable[[list[str], Random], None]] = {
    "number": _number,
    "word": _word,
    "rename": _rename,
    "delete": _delete,
    "twice": _twice,
    "swap": _swap,
    "move": _move,
    "slip": _slip,
    "declarations": _declarations,
    "mutation": _mutation,
}


def _line(lines: list[str], r: Random, pattern: re.Pattern[str]) -> int | None:
    """A line in which something stands that a pattern finds."""
    found = [number for number, line in enumerate(lines) if pattern.search(line)]
    bodies = [number for number in _in_bodies(lines) if pattern.search(lines[number])]
    return r.choice(bodies if bodies and r.random() < BODIES else found) if found else None


def _any_line(lines: list[str], r: Random) -> int:
    found = _line(lines, r, ANYTHING)
    return 0 if found is None else found


def _in_bodies(lines: list[str]) -> list[int]:
    """The lines of the bodies of rules."""
    found, within = [], False
    for number, line in enumerate(lines):
        if line.strip() and not line[0].isspace():
            within = BODY.match(line) is not None
            if not within or line.rstrip().endswith(":"):
                continue
        if within:
            found.append(number)
    return found


# ---------------------------------------------------------------- games


def small_games(folder: Path, r: Random, many: int) -> Iterator[Game]:
    """Programs of the corpus that have tests, and examples."""
    tested = [each for each in programs() if TEST.search(each.text)]
    examples = example_folders()
    for number in range(many):
        home = folder / f"small_{number}"
        chosen = r.randrange(len(tested) + len(examples))
        if chosen < len(tested):
            home.mkdir()
            file = home / "game.scn"
            file.write_text(tested[chosen].text, encoding="utf-8")
            yield Game(tested[chosen].name, file, (file,))
        else:
            source = examples[chosen - len(tested)]
            yield copied(source, home)
        shutil.rmtree(home)


def library_game(name: str, folder: Path) -> Game:
    source = game_folder(name)
    assert source is not None
    return copied(source, folder / name)


def copied(source: Path, home: Path) -> Game:
    """A game of which files are edited, in a folder of its own."""
    whole = shutil.copytree(source, home / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    files = tuple(each for each in sorted(Path(whole).rglob("*.scn")) if "templates" not in each.parts)
    return Game(source.name, Path(whole) / f"{source.name}.scn", files)


# ---------------------------------------------------------------- checks


def edited(game: Game, cache: Cache, r: Random, many: int) -> Iterator[Checked]:
    """Edits of a game in turn, each checked with a cache and without."""
    if len(build(str(game.target), tests=True, cache=cache, findings=True).diagnostics):
        return
    for _ in range(many):
        file = r.choice(game.files)
        before = file.read_text(encoding="utf-8")
        kind = r.choice(list(EDITS))
        lines = before.split("\n")
        EDITS[kind](lines, r)
        file.write_text("\n".join(lines), encoding="utf-8", errors="replace")
        found = checked(game, cache, kind)
        if not found.is_well or r.random() < 0.5:
            file.write_text(before, encoding="utf-8")
        yield found


def checked(game: Game, cache: Cache, kind: str) -> Checked:
    """What is found with the cache, which must be what is found without one."""
    warm = build(str(game.target), tests=True, cache=cache, findings=True)
    how = "rules" if warm.played is not None else "tests" if _made_nothing(warm) else ""
    played = to_json(rehearsed(warm))
    keep_trees(None)
    cold = build(str(game.target), tests=True)
    difference = ""
    known, found = to_json(warm.diagnostics), to_json(cold.diagnostics)
    if known != found:
        difference = f"{game.name}, {kind}: {known} with the cache, {found} without"
    elif played != to_json(rehearsed(cold)):
        difference = f"{game.name}, {kind}: other first moves"
    elif how and (warm.program is None or encode(warm.program) != encode(cold.program)):
        difference = f"{game.name}, {kind}: another program"
    return Checked(kind, how, not len(cold.diagnostics), difference)


def _made_nothing(made: Build) -> bool:
    """Was it compiled without giving a program?"""
    return not made.cached and not len(made.diagnostics) and not made.digest


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz edits", description=__doc__)
    parser.add_argument(
        "--programs", type=int, default=200, help=f"small games, {EDITS_OF_EACH} edits of each"
    )
    parser.add_argument("--games", type=int, default=0, help="edits of each game of the library")
    parser.add_argument("--game", choices=LIBRARY, action="append", help="of these alone")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    r = Random(given.seed)
    found: list[Checked] = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["SCENARII_CACHE"] = str(Path(home, "cache"))
        cache = Cache.open(os.environ)
        assert cache is not None
        for game in small_games(Path(home), r, given.programs):
            found += edited(game, cache, r, EDITS_OF_EACH)
        for name in given.game or LIBRARY if given.games else ():
            found += edited(library_game(name, Path(home)), cache, r, given.games)
    return report(found)


def report(found: list[Checked]) -> int:
    """Prints what came of all edits; 1 where something differs."""
    columns = ("edits", "well", "rules", "tests", "different")
    print(f"{'':16}" + "".join(f"{name:>10}" for name in columns))
    for kind in EDITS:
        each = [one for one in found if one.kind == kind]
        how = Counter(one.how for one in each)
        numbers = (len(each), sum(one.is_well for one in each), how["rules"], how["tests"])
        print(
            f"{kind:16}"
            + "".join(f"{number:>10}" for number in (*numbers, sum(bool(one.difference) for one in each)))
        )
    different = [one.difference for one in found if one.difference]
    for one in different[:30]:
        print(one[:2000])
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
