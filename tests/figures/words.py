"""How long the reference of the language is: words for each construct of the grammar that it explains.

A word is what stands between spaces and has a letter or digit in it; bars, marks and comments of the page are none.
A construct is a node of the syntax tree, as the comments `<!-- ast: … -->` of the pages name them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "docs/reference/language"
CONSTRUCTS = re.compile(r"<!-- ast: (.+?) -->")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
TARGET = re.compile(r"\]\([^)\s]*\)")
WORD = re.compile(r"\S*\w\S*")


@dataclass(frozen=True)
class Page:
    """What a page explains, and in how many words: those of its text, and those of its examples."""

    name: str
    constructs: int
    text: int
    examples: int

    @property
    def words(self) -> int:
        return self.text + self.examples


def counted(name: str, page: str) -> Page:
    """The words of a page."""
    constructs = sum(len(names.split(",")) for names in CONSTRUCTS.findall(page))
    page = COMMENT.sub("", page)
    examples = "\n".join(
        line for block in BLOCK.findall(page) for line in block.splitlines() if not line.startswith("```")
    )
    text = TARGET.sub("]", BLOCK.sub("", page))
    return Page(name, constructs, len(WORD.findall(text)), len(WORD.findall(examples)))


def pages(commit: str = "") -> list[Page]:
    """All pages of the reference, as they are or as they were at a commit."""
    return [counted(name, text) for name, text in sorted(_texts(commit))]


def _texts(commit: str) -> Iterator[tuple[str, str]]:
    if not commit:
        yield from ((page.name, page.read_text(encoding="utf-8")) for page in (ROOT / FOLDER).glob("*.md"))
        return
    for path in _git("ls-tree", "--name-only", commit, f"{FOLDER}/").split():
        if path.endswith(".md"):
            yield Path(path).name, _git("show", f"{commit}:{path}")


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return run.stdout


def in_all(found: list[Page]) -> Page:
    """All pages as one."""
    return Page(
        "together",
        sum(each.constructs for each in found),
        sum(each.text for each in found),
        sum(each.examples for each in found),
    )


def show(commit: str = "") -> int:
    """Print the table."""
    found = pages(commit)
    print("| page | constructs | words of text | of examples | words a construct |")
    print("|---|---|---|---|---|")
    for each in [*found, in_all(found)]:
        share = f"{each.words / each.constructs:.1f}" if each.constructs else "-"
        print(f"| {each.name} | {each.constructs} | {each.text} | {each.examples} | {share} |")
    return 0
