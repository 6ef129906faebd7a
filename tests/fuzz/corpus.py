"""What is mutated: small programs with every construct, and whole games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 125
HEADER = re.compile(r"^game \w+:", re.MULTILINE)
TOKEN = re.compile(r'"""|"[^"\n]*"|\[[^\]\n]*\]|\w+|\.\.|->|[<>]=|[^\w\s]')
FOLDERS = ("tests/fuzz/programs", "tests/semantics", "tests/corpus", "tests/thorns", "examples", "docs")


@dataclass(frozen=True)
class Program:
    """A program in one file."""

    name: str
    text: str


@cache
def programs() -> tuple[Program, ...]:
    """Every game of one file and few lines in the repository that needs no other file, in order of path."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.scn")):
            text = path.read_text(encoding="utf-8")
            alone = HEADER.search(text) and not re.search(r"^import |^    scenario ", text, re.MULTILINE)
            meant = not {"bad", "syntax", "beginners"} & set(path.parts)
            if alone and meant and text.count("\n") <= MOST_LINES:
                found.append(Program(path.relative_to(ROOT).as_posix(), text))
    return tuple(found)


@cache
def games() -> tuple[Path, ...]:
    """The folders of whole games, of more than one file, one of which has the header."""
    sources = (ROOT / "stdlib").glob("*/*.scn")
    folders = sorted({path.parent for path in sources if HEADER.search(path.read_text(encoding="utf-8"))})
    return tuple(folder for folder in folders if len(list(folder.glob("*.scn"))) > 1)


@cache
def vocabulary() -> tuple[str, ...]:
    """Every word and sign that a program of the corpus uses, and a few that none should."""
    words = {token for program in programs() for token in TOKEN.findall(program.text)}
    odd = (
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        '"""',
        "|",
        "\t",
        "é",
        "²",
        "%",
        "#",
        "none",
        "9" * 30,
        "\u2028",
    )
    return (*sorted(words), *odd)


@cache
def names() -> tuple[str, ...]:
    return tuple(word for word in vocabulary() if re.fullmatch(r"[^\W\d]\w*", word))
