"""Programs to lay out, and programs that somebody wrote with other spaces."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from dsl.diagnostics import Diagnostics
from dsl.files import read_source
from dsl.format import formatted
from dsl.source import Source
from tests.docs.snippets import DOCS, snippets

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("stdlib", "examples", "tests/corpus", "tests/thorns", "docs/reference/language/frames")
_KEPT = re.compile(r'"[^"\n]*"|#[^\n]*|(?<=[ \t])\[[^\]\n]*\]')


def files() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.scn"))


def sources() -> list[Source]:
    """All the files, and the examples of the documentation that are whole declarations; some cannot be read."""
    read = [read_source(path, path.relative_to(ROOT).as_posix()) for path in files()]
    found = [each for each in read if isinstance(each, Source)]
    pages = sorted(DOCS.rglob("*.md"))
    return found + [
        Source(str(each), each.text) for page in pages for each in snippets(page) if "at" not in each.info
    ]


def laid_out(text: str, name: str = "test") -> str:
    made = formatted(Source(name, text))
    assert not isinstance(made, Diagnostics), [str(each) for each in made]
    return made


def disturbed(text: str, random: Random) -> str:
    """A text in the layout, with other spaces wherever they mean nothing."""
    has_drawing = '"""' in text
    step = random.choice([4, 5, 8] if has_drawing else [1, 2, 3, 4, 8])
    lines, drawing = [], -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        quotes = line.count('"""') % 2 == 1
        if drawing >= 0:
            lines.append(f"{' ' * drawing}{line}" if line else line)
            drawing = -1 if quotes else drawing
            continue
        if quotes:
            drawing = indent // 4 * step - indent
        rest = line[indent:]
        spread = _row(rest, random) if rest.startswith("|") else _spread(rest, random)
        lines.append(" " * (indent // 4 * step) + spread + " " * random.choice([0, 0, 1, 3]) if rest else "")
    return random.choice(["", "\n \n"]) + "\n".join(lines) + random.choice(["", "\n", "\n\n\n"])


def _spread(rest: str, random: Random) -> str:
    """Other numbers of spaces where there are any, outside texts, comments and citations."""
    parts, at = [], 0
    for kept in _KEPT.finditer(rest):
        parts += [_spaces(rest[at : kept.start()], random), kept.group()]
        at = kept.end()
    return "".join([*parts, _spaces(rest[at:], random)])


def _spaces(text: str, random: Random) -> str:
    wider = re.sub(" +", lambda _: " " * random.choice([1, 1, 2, 5]), text)
    return re.sub(" *(,|=|<=|[*]) *", r"\1", wider) if random.random() < 0.3 else wider


def _row(rest: str, random: Random) -> str:
    """Other numbers of spaces around the bars of a row."""
    bar = rest.rindex("|") if "#" not in rest and "[" not in rest else rest.find(" |  ") + 1 or len(rest)
    row, behind = rest[: bar + 1], rest[bar + 1 :]
    bars = re.sub(r" *\| *", lambda _: f"{' ' * random.choice([0, 1, 4])}|{' ' * random.choice([0, 2])}", row)
    return bars.lstrip() + behind
