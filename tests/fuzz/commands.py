"""`python -m tests.fuzz commands --count 20000 --seed 1 --state FILE`: spoilt files through the commands themselves.

A case makes a folder with a game, or what a command made of one (a packed game, a compiled one, a save, a record), spoils
it, and runs one or two commands on it as `scenarii` would, in this process. A fault is what nobody should meet: a
traceback, exit code 3, more than `SECONDS` of the processor or `MEGABYTES`, an ordinary exit code that does not exist.

Which case a number is follows from the seed alone. `--state` keeps how far a run has come: the next one goes on there.
`--one N` runs one case and shows what was written.
"""

# ruff: noqa: E501

from __future__ import annotations

import argparse
import hashlib
import io
import json
import multiprocessing as mp
import os
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.cli.packing import MANIFEST
from tests.fuzz.accepted import changed
from tests.fuzz.corpus import programs
from tests.fuzz.mutate import mutate
from tests.fuzz.run import MEGABYTES, SECONDS, Late, _forget_peak, _where, bounded, peak

CHUNK = 200
"""Cases of one process; then a fresh one takes its place."""
PATIENCE = 60.0
"""Seconds after which a process that says nothing is ended."""
OWN_MEGABYTES = 100
ADDRESSES = 3 * 1024**3
DRAWING = re.compile(r'"""\n(.*?)"""', re.DOTALL)
NUMBERS = (0, 1, -1, 2, 7, 255, 2**31, -(2**31), 2**63, 10**30, 0.5, 1e308)
NAMES = (
    "a",
    "g",
    "../g",
    "g.scn",
    "é.scn",
    "x" * 260,
    "none",
    "-",
    "con.scn",
    "a b.scn",
    "\u202eg.scn",
    "g\n.scn",
    "%",
    "",
)

Words = list[str]


@dataclass
class Case:
    """What came of a case: its kind, the commands, the exit codes, and a fault where there is one."""

    number: int
    kind: str = ""
    commands: list[Words] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    seconds: float = 0.0
    megabytes: float = 0.0
    fault: str = ""
    told: str = ""


# ---------------------------------------------------------------- what is spoilt


def _bytes(data: bytes, r: Random) -> bytes:
    """Some bytes changed, gone, doubled, or cut off."""
    found = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 8))):
        at = r.randrange(len(found) + 1)
        match r.randrange(5):
            case 0:
                del found[at : at + r.choice((1, 4, 100))]
            case 1:
                found[at:at] = r.randbytes(r.choice((1, 4, 100)))
            case 2:
                found[at : at + 1] = bytes([r.randrange(256)])
            case 3:
                found[at:at] = found[at : at + r.choice((1, 50, 1000))]
            case _:
                del found[at : len(found) if r.random() < 0.3 else at + 1]
    return bytes(found)


def _json(value: Any, r: Random) -> Any:
    """A document with one thing in it changed."""
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [value]
    while waiting and len(places) < 20000:
        each = waiting.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ()
        for key in keys:
            places.append((each, key))
            waiting.append(each[key])
    if not places:
        return value
    for _ in range(r.choice((1, 1, 1, 3))):
        home, key = r.choice(places)
        other_home, other_key = r.choice(places)
        try:
            match r.randrange(6):
                case 0:
                    del home[key]
                case 1:
                    home[key] = other_home[other_key]
                case 2:
                    home[key] = r.choice((*NUMBERS, None, True, [], {}, "", "x", NAMES[5]))
                case 3 if isinstance(home[key], int):
                    home[key] += r.choice((1, -1, 10, 10**6))
                case 4 if isinstance(home[key], str):
                    home[key] = mutate(home[key], r)[1] if home[key] else "x"
                case _ if isinstance(home[key], list):
                    home[key] = home[key] * r.choice((0, 2, 50))
                case _:
                    home[key] = r.choice(NUMBERS)
        except (KeyError, IndexError):
            continue
    return value


def _document(data: bytes, r: Random) -> bytes:
    if r.random() < 0.25:
        return _bytes(data, r)
    try:
        return json.dumps(_json(json.loads(data), r)).encode()
    except (ValueError, RecursionError, OverflowError):
        return data


def _drawing(text: str, r: Random) -> str:
    """A program with something else in one of its drawings."""
    found = list(DRAWING.finditer(text))
    if not found:
        return mutate(text, r)[1]
    start, end = r.choice(found).span(1)
    signs = list(text[start:end])
    for _ in range(r.choice((1, 1, 3))):
        at = r.randrange(len(signs) + 1)
        signs[at : at + r.randint(0, 2)] = r.choice(
            (".", " ", "T", "~", "\n", "é", "\t", "X Y ", ". " * 40, "|", '"')
        )
    return text[:start] + "".join(signs) + text[end:]


def _text(r: Random, *, spoilt: bool = True) -> str:
    text = r.choice(programs()).text
    if not spoilt:
        return text
    chance = r.random()
    if chance < 0.4:  # as an author would change it: most of these are accepted, and come to play
        made = changed(text, r)
        return made[1] if made is not None else mutate(text, r)[1]
    return _drawing(text, r) if chance < 0.5 else mutate(text, r)[1]


# ---------------------------------------------------------------- cases


def _write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return path


def _on_game(path: str, r: Random) -> Words:
    """A command that reads a game."""
    name = r.choice(("act", "turn", "n", "gold", "A-1", "a", "Cell", "x"))
    seed = ["--seed", str(r.randrange(100))]
    return r.choice(
        (
            ["check", path],
            ["check", path, "--format", r.choice(("json", "sarif"))],
            ["check", path, "--play", "3", *seed],
            ["check", path, "--fix"],
            ["show", path],
            ["show", path, r.choice(("map", "tables", "rules", "actions", name))],
            ["test", path],
            ["test", path, "--format", "junit"],
            ["play", path, "--auto", "--until", "30", *seed],
            ["play", path, "--auto", "--until", "3", *seed, "--lang", r.choice(("en", "fr", "xx"))],
            ["simulate", path, "--games", "3", "--jobs", "1", "--engine", "python", *seed],
            ["format", path, *r.choice(([], ["--check"], ["--diff"]))],
            ["resolve", path, name],
            ["simulate", path, "--games", "3", "--engine", "wasm", *seed],
            ["rules", path, "--rulings"],
            ["rules", path, "--games", "2", "--jobs", "1"],
            ["compile", path, "-o", "out.ir.json"],
            ["pack", path, "-o", "out.scnz"],
        )
    )


def _source(r: Random) -> list[Words]:
    path = _write(Path(r.choice(("g.scn", "g/g.scn"))), _text(r, spoilt=r.random() < 0.8))
    target = str(path if r.random() < 0.7 or path.parent == Path() else path.parent)
    return [_on_game(target, r)]


def _mods(r: Random) -> list[Words]:
    """A game and something spoilt on top of it."""
    game = r.choice(programs())
    _write(Path("g/g.scn"), game.text)
    head = re.search(r"^game (\w+)", game.text, re.MULTILINE)
    name = head[1] if head else "g"
    other = re.sub(r"^game .*?(?=^\S)", "", _text(r), count=1, flags=re.MULTILINE | re.DOTALL)
    lines = [
        f"mod m of {name}:",
        *r.sample(['    title en "M"', "    requires x", ""], r.randrange(3)),
        other,
    ]
    _write(Path("m/m.scn"), "\n".join(lines))
    command = _on_game("g", r)
    return [[command[0], *command[1:], "--with", "m"]]


def _folder(r: Random) -> list[Words]:
    """A folder in which odd things lie beside a game."""
    text = _text(r, spoilt=r.random() < 0.3)
    parts = re.split(r"(?m)^(?=\S)", text)
    cut = r.randrange(1, len(parts) + 1)
    _write(
        Path("g/g.scn"), "".join(parts[:cut]) + r.choice(("", "import more\n", "import ../x\n", "import g\n"))
    )
    _write(Path("g/more.scn"), "".join(parts[cut:]) or "\n")
    for _ in range(r.randrange(1, 4)):
        name = r.choice(NAMES)
        path = Path("g", name or "x")
        if os.path.lexists(path):
            continue  # it may be a pipe by now, at which one would wait
        try:
            match r.randrange(8):
                case 0:
                    path.mkdir(parents=True)
                case 1:
                    path.symlink_to(r.choice(("g.scn", "/dev/zero", "..", path.name, "nowhere")))
                case 2:
                    os.mkfifo(path)
                case 3:
                    _write(path, r.randbytes(300))
                case 4:
                    _write(Path("g/rules.json"), _document(b'{"rules": [{"id": "R-1", "title": "x"}]}', r))
                case 5:
                    _write(Path("g/tests/t.scn"), _text(r))
                case 6:
                    _write(path, "")
                case _:
                    _write(path, _text(r))
        except (OSError, ValueError):
            continue
    return [_on_game(r.choice(("g", "g", "g/g.scn", "g/more.scn", ".")), r)]


def _packed(r: Random) -> list[Words]:
    _write(Path("g/g.scn"), _text(r, spoilt=False))
    _run(["pack", "g", "-o", "p.scnz"])
    path = Path("p.scnz")
    if path.exists():
        data = path.read_bytes()
        if r.random() < 0.5:
            path.write_bytes(_bytes(data, r))
        else:
            path.write_bytes(_repacked(data, r))
    command = (
        _on_game("p.scnz", r)
        if r.random() < 0.7
        else ["unpack", "p.scnz", r.choice(("out", "g", "out/in", "p.scnz"))]
    )
    return [command]


def _repacked(data: bytes, r: Random) -> bytes:
    """A packed game with other files in it, whose manifest names them rightly as a rule."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        files = {entry.filename: source.read(entry) for entry in source.infolist()}
    manifest = json.loads(files.pop(MANIFEST))
    for name in list(files):
        files[name] = _text(r).encode("utf-8", "replace") if r.random() < 0.95 else b" " * 3_000_000
        if r.random() < 0.2:
            files[r.choice(NAMES) or "x"] = files.pop(name)
    manifest["files"] = {name: hashlib.sha256(each).hexdigest() for name, each in files.items()}
    text = json.dumps(manifest).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, each in {MANIFEST: _document(text, r) if r.random() < 0.2 else text, **files}.items():
            target.writestr(name, each)
    return out.getvalue()


def _saved(r: Random) -> list[Words]:
    """A save or record that was spoilt."""
    _write(Path("g.scn"), _text(r, spoilt=False))
    _run(["play", "g.scn", "--auto", "--until", str(r.randrange(12)), "--seed", "1", "--record", "s.json"])
    path = Path("s.json")
    if path.exists():
        path.write_bytes(_document(path.read_bytes(), r))
    if r.random() < 0.2:
        _write(Path("g.scn"), mutate(Path("g.scn").read_text(encoding="utf-8"), r)[1])
    return [
        r.choice(
            (
                ["replay", "s.json"],
                ["replay", "s.json", "--against", "g.scn"],
                ["play", "g.scn", "--load", "s.json", "--auto", "--until", "20"],
                ["play", "--load", "s.json", "--auto", "--until", "20"],
                ["save-to-test", "s.json", "g.scn"],
                ["save-to-test", "s.json", "g.scn", "-o", "t.scn"],
                ["replay", "s.json", "-o", "s.json"],
            )
        )
    ]


def _compiled(r: Random) -> list[Words]:
    _write(Path("g.scn"), _text(r, spoilt=False))
    _run(["compile", "g.scn", "-o", "g.ir.json", "--tests"])
    path = Path("g.ir.json")
    if path.exists():
        path.write_bytes(_document(path.read_bytes(), r))
    return [_on_game("g.ir.json", r)]


def _arguments(r: Random) -> list[Words]:
    """A command on a good game whose words are spoilt."""
    _write(Path("g.scn"), _text(r, spoilt=False))
    words = _on_game("g.scn", r)
    for _ in range(r.choice((1, 1, 2))):
        at = r.randrange(1, len(words) + 1)
        words[at : at + r.randrange(2)] = [
            r.choice((*NAMES, *map(str, NUMBERS), "--with", "--seed", "--lang", "-o", "--no", "g.scn"))
        ]
    return [[each.replace("\0", "") for each in words]]


KINDS = {
    "source": _source,
    "mods": _mods,
    "folder": _folder,
    "packed": _packed,
    "saved": _saved,
    "compiled": _compiled,
    "arguments": _arguments,
}
WEIGHTS = {"source": 10, "mods": 3, "folder": 3, "packed": 2, "saved": 4, "compiled": 3, "arguments": 1}


# ---------------------------------------------------------------- running


def _run(words: Words) -> tuple[int, str, str]:
    """The exit code of a command, what it wrote, and a fault."""
    found = CliRunner().invoke(cli, words, input="", prog_name="scenarii")
    error = found.exception
    if error is not None and not isinstance(error, SystemExit):
        if isinstance(error, Late):
            raise error
        return 3, found.output, "".join(traceback.format_exception(error)[-6:])
    fault = ""
    if (
        found.exit_code not in {0, 1, 2}
        or "Traceback (most recent" in found.output
        or "internal error" in found.output
    ):
        lines = [line for line in found.output.splitlines() if "internal error" in line]
        fault = f"exit {found.exit_code}: {lines[:1] or found.output[-300:]}"
    return found.exit_code, found.output, fault


def _games(words: Words) -> int:
    """How many games `check --play N` was asked for: a rule that does not come to an end takes its whole budget in each."""
    asked = words[words.index("--play") + 1 :][:1] if "--play" in words else []
    return max(1, int(asked[0])) if asked and asked[0].isdecimal() and len(asked[0]) < 3 else 1


def carry_out(seed: int, number: int, *, shown: bool = False) -> Case:
    """Makes a case in the working folder, which is empty, and runs its commands."""
    r = Random(f"commands {seed} {number}")
    case = Case(number, kind=r.choices(list(WEIGHTS), list(WEIGHTS.values()))[0])
    _forget_peak()
    allowed = max(MEGABYTES, peak() + OWN_MEGABYTES)
    begun = time.process_time()
    try:
        with bounded(SECONDS):
            listed = KINDS[case.kind](r)
        for words in listed:
            case.commands.append(words)
            with bounded(SECONDS * _games(words)):
                code, told, case.fault = _run(words)
                case.codes.append(code)
                case.told = told if shown else ""
    except Late:
        case.fault = f"too slow: {_where(sys.exc_info()[2])}"
    except Exception:
        case.fault = f"in the harness: {traceback.format_exc(limit=-4)}"
    case.seconds = time.process_time() - begun
    case.megabytes = peak()
    if not case.fault and case.megabytes > allowed:
        case.fault = f"too large: {case.megabytes:.0f} MB"
    return case


def _work(seed: int, numbers: list[int], out: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024**2, 64 * 1024**2))
    os.environ["SCENARII_CACHE"] = "off"
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="fuzz", ignore_cleanup_errors=True) as folder:
            os.chdir(folder)
            out.send(carry_out(seed, number))
            os.chdir("/")
            shutil.rmtree(folder, ignore_errors=True)
    out.close()


def cases(seed: int, numbers: list[int]) -> list[Case]:
    """Runs some cases in a process of its own; one that is lost is a fault, and the others go on without it."""
    found: list[Case] = []
    while len(found) < len(numbers):
        ours, theirs = mp.Pipe(duplex=False)
        process = mp.get_context("fork").Process(target=_work, args=(seed, numbers[len(found) :], theirs))
        process.start()
        theirs.close()
        try:
            while len(found) < len(numbers):
                if not ours.poll(PATIENCE):
                    raise EOFError
                found.append(ours.recv())
        except EOFError:
            process.kill()
            found.append(
                Case(numbers[len(found)], "lost", fault=f"the process was lost (exit {process.exitcode})")
            )
        process.join()
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz commands", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="cases in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="file that keeps how far a run has come")
    parser.add_argument("--one", type=int, help="run this case alone, and show what it wrote")
    given = parser.parse_args(arguments)
    if given.one is not None:
        return _one(given.seed, given.one)
    state: dict[str, Any] = {
        "seed": given.seed,
        "done": 0,
        "kinds": {},
        "codes": {},
        "faults": [],
        "slowest": [0, 0],
        "largest": [0, 0],
    }
    if given.state is not None and given.state.exists():
        state = json.loads(given.state.read_text(encoding="utf-8"))
        given.seed = state["seed"]
    while state["done"] < given.count:
        numbers = list(range(state["done"], min(given.count, state["done"] + CHUNK)))
        for case in cases(given.seed, numbers):
            _count(state, case)
        state["done"] = numbers[-1] + 1
        if given.state is not None:
            given.state.write_text(json.dumps(state), encoding="utf-8")
        print(
            f"... {state['done']} of {given.count}, {len(state['faults'])} faults",
            file=sys.stderr,
            flush=True,
        )
    return report(state)


def _count(state: dict[str, Any], case: Case) -> None:
    name = f"{case.kind}: {case.commands[-1][0] if case.commands else '-'}"
    state["kinds"][name] = state["kinds"].get(name, 0) + 1
    for code in case.codes:
        state["codes"][str(code)] = state["codes"].get(str(code), 0) + 1
    if case.fault:
        state["faults"].append(
            [case.number, " ".join(case.commands[-1])[:100] if case.commands else "", case.fault[-1500:]]
        )
    state["slowest"] = max(state["slowest"], [round(case.seconds, 2), case.number])
    state["largest"] = max(state["largest"], [round(case.megabytes), case.number])


def report(state: dict[str, Any]) -> int:
    """Prints what came of all cases; 1 where there was a fault."""
    for name, count in sorted(state["kinds"].items()):
        print(f"{name:32}{count:8}")
    print(f"{'all':32}{state['done']:8}; exit codes {state['codes']}")
    print(
        f"slowest: {state['slowest'][0]} s (case {state['slowest'][1]}); largest: {state['largest'][0]} MB (case {state['largest'][1]})"
    )
    faults = Counter(fault.strip().splitlines()[-1][:150] for _, _, fault in state["faults"])
    for text, count in faults.most_common(30):
        number, words, fault = next(
            each for each in state["faults"] if each[2].strip().splitlines()[-1][:150] == text
        )
        print(f"\n{count} x case {number}: {words}\n{fault.strip()}")
    return 1 if state["faults"] else 0


def _one(seed: int, number: int) -> int:
    os.environ["SCENARII_CACHE"] = "off"
    folder = tempfile.mkdtemp(prefix="fuzz")
    os.chdir(folder)
    case = carry_out(seed, number, shown=True)
    print(
        f"{folder}: {case.kind} {case.commands} {case.codes} {case.seconds:.2f} s {case.megabytes:.0f} MB\n{case.told}\n{case.fault}"
    )
    return 1 if case.fault else 0
