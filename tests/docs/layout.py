"""The examples of the documentation in the one layout: `python -m tests.docs.layout --write` brings them into it."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from dsl.diagnostics import Diagnostics
from dsl.format import formatted
from dsl.source import Source
from dsl.syntax.parser import parse
from tests.docs.snippets import DOCS, FENCE, PLACES

ROOT = DOCS.parent


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def laid_out(page: str) -> str:
    """A page with its examples in the layout; those that show a fault of syntax are left as they are."""
    return FENCE.sub(lambda block: f"```scn{block[1]}\n{_example(block[2], block[1])}```", page)


def _example(text: str, info: str) -> str:
    place = re.search(r"\bat=(\w+)", info)
    if place is None:
        return _formatted(text)
    depth = 8 if place[1] == "menu" else 4
    around = PLACES[place[1]].format(more="", block=textwrap.indent(text, " " * depth))
    made = _formatted(f"{around}\n".replace("\n\n\n", "\n\n"))
    inside = "".join(made.splitlines(keepends=True)[PLACES[place[1]].count("\n") :])
    return textwrap.dedent(inside) if made != around else text


def _formatted(text: str) -> str:
    source, faults = Source("example", text), Diagnostics()
    parse(source, faults)
    made = formatted(source)
    return text if len(faults) or isinstance(made, Diagnostics) else made


def main() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        made = laid_out(text)
        if made != text:
            print(page.relative_to(ROOT))
            if "--write" in sys.argv:
                page.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
