"""Follows a page of the tutorial or a how-to to the letter, in an empty folder, as a reader would.

| block               | what the reader does                                                                     |
|---------------------|------------------------------------------------------------------------------------------|
| `scn save=PATH`     | saves the block as that file, in the place of what it was                                |
| `scn add=PATH`      | writes the block at the end of that file, behind an empty line                           |
| `scn replace=PATH`  | puts each declaration of the block in the place of the one that begins with the same line |
| `scn last=PATH`     | saves the block in the place of the last declaration of that file                        |
| `sh` (`exit=N`)     | runs each line; all of them end with 0, or with N                                        |
| `sh checkout`       | nothing, as it takes long; each line runs a module of the checkout, which has to be there |
| `sh type=1,why,quit` | runs each line in a terminal, and types these lines there                               |
| `text`              | compares what the last command printed; a line `…` stands for any number of lines        |
| `json save=PATH`, `text save=PATH` | saves the block as that file                                              |
| `json`              | looks for the same keys in the document that the last command printed                    |
| `python`            | runs it; `text` behind it is what it prints                                              |
| `text hint`         | nothing: a picture of something, not of what a command prints                            |

A page may build on the files of another: `<!-- after: first_scenario.md -->` follows that one first.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tests.forked import forked, forks

BLOCK = re.compile(r"^```(\w+)[ \t]*([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BEFORE = re.compile(r"<!-- after: (\S+) -->")
WRITING = ("save", "add", "replace", "last")
PLAIN = {"NO_COLOR": "1", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
SECONDS = 120


@dataclass(frozen=True)
class Block:
    """A block of a page: its line, its language, the words behind it, and what stands in it."""

    page: Path
    line: int
    language: str
    info: dict[str, str]
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """All blocks of a page, behind those of the page that it builds on."""
    text = page.read_text(encoding="utf-8")
    if before := BEFORE.search(text):
        yield from blocks(page.parent / before[1])
    for found in BLOCK.finditer(text):
        info = dict(word.partition("=")[::2] for word in found[2].split())
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], info, found[3])


def follow(page: Path, folder: Path, *, elsewhere: str = "", started: bool = False) -> None:
    """Do what the page says, but for the command that is run `elsewhere`; an AssertionError names the block that does
    not hold. Commands are forked (`tests.forked`), or else `started` in a Python of their own.
    """
    printed = ""
    for block in blocks(page):
        match block.language:
            case "scn":
                assert _written(block, folder), f"{block}: the block does not say where it goes"
            case "sh" if "checkout" in block.info:
                for line in block.text.splitlines():
                    called = re.match(r"python -m ([\w.]+)", line)
                    assert called and find_spec(called[1]), f"{block}: there is no such module: `{line}`"
            case "sh":
                printed = _run(block, folder, elsewhere, started)
            case "python" if "hint" not in block.info:
                code, printed = _plain([sys.executable, "-c", block.text], folder)
                assert code == 0, f"{block}: {printed}"
            case "json" | "text" if "save" in block.info:
                _written(block, folder)
            case "json":
                assert _alike(json.loads(block.text), json.loads(printed)), (
                    f"{block}: what was printed is no such document:\n{printed}"
                )
            case _ if "hint" not in block.info:
                assert _shows(block.text, printed), (
                    f"{block}: expected\n{block.text}\nbut was printed\n{printed}"
                )
            case _:
                pass


def _written(block: Block, folder: Path) -> bool:
    how = next((each for each in WRITING if each in block.info), None)
    if how is None:
        return False
    path = folder / block.info[how]
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    assert how == "save" or old, f"{block}: there is no {path.name} yet"
    match how:
        case "add":
            text = f"{old.rstrip()}\n\n{block.text}"
        case "replace":
            text = _replaced(block, old)
        case "last":
            text = f"{''.join(_declarations(old)[:-1])}{block.text}"
        case _:
            text = block.text
    path.write_text(text, encoding="utf-8")
    return True


def _replaced(block: Block, old: str) -> str:
    for declaration in _declarations(block.text):
        head = declaration.splitlines()[0]
        same = [each for each in _declarations(old) if each.splitlines()[0] == head]
        assert len(same) == 1, f"{block}: {len(same)} declarations begin with `{head}`"
        old = old.replace(
            same[0], declaration.rstrip("\n") + "\n" * (len(same[0]) - len(same[0].rstrip("\n")))
        )
    return old


def _declarations(text: str) -> list[str]:
    """The text, cut before each line that begins in the first column (a drawing and a comment belong to it)."""
    return [each for each in re.split(r"^(?=[^\s#\"])", text, flags=re.MULTILINE) if each.strip()]


def _run(block: Block, folder: Path, elsewhere: str, started: bool) -> str:
    printed = ""
    for line in block.text.splitlines():
        if line == elsewhere:
            continue
        command, *arguments = shlex.split(line, comments=True)
        if command == "cd":
            continue
        assert command == "scenarii", f"{block}: cannot follow `{line}`"
        typed = block.info.get("type")
        lines = None if typed is None else typed.split(",")
        code, printed = (_started if started else _forked)(arguments, folder, lines)
        assert code == int(block.info.get("exit", 0)), f"{block}: `{line}`: {code}\n{printed}"
    return printed


def _started(arguments: list[str], folder: Path, typed: list[str] | None) -> tuple[int, str]:
    program = [sys.executable, "-m", "dsl", *arguments]
    if typed is None:
        return _plain(program, folder)

    def begin(terminal: int) -> Callable[[], int]:
        streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        run = subprocess.Popen(program, cwd=folder, env={**os.environ, **PLAIN}, **streams)
        return partial(run.wait, SECONDS)

    return _typed(begin, typed)


def _forked(arguments: list[str], folder: Path, typed: list[str] | None) -> tuple[int, str]:
    environment = {**os.environ, **PLAIN}
    if typed is None:
        run = forked(arguments, folder, environment, seconds=SECONDS)
        return run.returncode, run.stdout + run.stderr
    return _typed(
        lambda terminal: forks().begin(arguments, [terminal] * 3, folder, environment, SECONDS), typed
    )


def _plain(program: list[str], folder: Path) -> tuple[int, str]:
    run = subprocess.run(
        program,
        cwd=folder,
        env={**os.environ, **PLAIN},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def _typed(begin: Callable[[int], Callable[[], int]], lines: list[str]) -> tuple[int, str]:
    """A program in a terminal of its own: the lines are there before it asks. What begins it yields what waits."""
    ours, theirs = pty.openpty()
    ended = begin(theirs)
    os.close(theirs)
    os.write(ours, "".join(f"{line}\n" for line in lines).encode())
    printed = b"".join(_read(ours))
    os.close(ours)
    return ended(), printed.decode("utf-8", "replace").replace("\r\n", "\n")


def _read(terminal: int) -> Iterator[bytes]:
    try:
        while found := os.read(terminal, 65_536):
            yield found
    except OSError:  # how a terminal says that nobody is left at its other side
        return


def _alike(expected: object, found: object) -> bool:
    """Whether a document has the form of another: the same keys, and in each list things of the first's form."""
    match expected, found:
        case dict(), dict():
            return all(key in found and _alike(expected[key], found[key]) for key in expected)
        case [first, *_], [*several]:
            return all(_alike(first, each) for each in several)
        case _:
            return type(expected) is type(found)


def _shows(expected: str, printed: str) -> bool:
    """Whether what was printed is what the page shows, line by line, spaces at their ends aside."""
    lines = [re.escape(line.rstrip()) for line in expected.strip("\n").splitlines()]
    pattern = "\n".join(lines).replace("\n" + re.escape("…") + "\n", "\n(?:.*\n)*?")
    pattern = pattern.removeprefix(re.escape("…") + "\n").removesuffix("\n" + re.escape("…"))
    found = re.search(f"^{pattern}$", "\n".join(line.rstrip() for line in printed.splitlines()), re.MULTILINE)
    return found is not None
