"""The examples of the documentation, as programs: every ```scn block says in its info string what surrounds it.

| info string               | what is compiled                                                                        |
|---------------------------|-----------------------------------------------------------------------------------------|
| `scn`                     | the block alone: a whole game                                                           |
| `scn frame=skirmish`      | a game of `docs/reference/language/frames/`, and the block behind it (see `compiled`) |
| `scn frame=duel at=PLACE` | that game with the block in one of the places of `PLACES`                               |
| `scn file=NAME`           | all such blocks of a page in one folder; each without `part` is opened                  |
| `error=E0301`             | the block has that fault and no other error (a warning is looked for among all)         |
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Code

DOCS = Path(__file__).resolve().parents[2] / "docs"
FRAMES = DOCS / "reference/language/frames"
FENCE = re.compile(r"^```scn\b([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEADER = re.compile(r"^(scenario|mod) (\w+)", re.MULTILINE)
PLACES = {
    "action": "action example(p: Player, q: Player{more}) by me:\n{block}",
    "menu": "phase example_menu(p: Player{more}):\n    p may:\n{block}",
    "test": 'test "an example":\n{block}',
    "round": "phase example_phase:\n{block}",
}
MORE = {
    "skirmish": ", u: Unit, c: Cell, t: Target, tower: Tower",
    "duel": ", c: Sheet",
    "realm": ", t: Troop, r: Region",
}


@dataclass(frozen=True)
class Snippet:
    """An example: the page and line where it begins, its text, and what its info string says."""

    page: str
    line: int
    text: str
    info: dict[str, str]

    @property
    def error(self) -> Code | None:
        return Code(self.info["error"]) if "error" in self.info else None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def snippets(page: Path) -> list[Snippet]:
    """All examples of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        info = dict(word.partition("=")[::2] for word in match[1].split())
        line = text.count("\n", 0, match.start()) + 1
        found.append(Snippet(page.name, line, match[2], info))
    return found


def compiled(snippet: Snippet, folder: Path, earlier: dict[str, str] | None = None) -> Compiled:
    """The snippet, compiled with what surrounds it; `earlier` are the other files of its folder.

    Behind the frame's own declarations, or where it has headers of scenarios or mods, as files of their own.
    """
    for name, text in (earlier or {}).items():
        (folder / f"{name}.scn").write_text(text, encoding="utf-8")
    if "frame" in snippet.info:
        return _framed(snippet, folder)
    path = folder / f"{snippet.info.get('file', 'page')}.scn"
    path.write_text(snippet.text, encoding="utf-8")
    return compile_game(str(path), tests=True)


def _framed(snippet: Snippet, folder: Path) -> Compiled:
    name = snippet.info["frame"]
    game = folder / f"{name}.scn"
    frame = (FRAMES / f"{name}.scn").read_text(encoding="utf-8")
    heads = list(HEADER.finditer(snippet.text))
    if not heads:
        game.write_text(f"{frame}\n{_placed(snippet, name)}", encoding="utf-8")
        return compile_game(str(game), tests=True)
    game.write_text(frame, encoding="utf-8")
    ends = [*(head.start() for head in heads[1:]), len(snippet.text)]
    paths = [folder / f"{head[2]}.scn" for head in heads]
    for path, head, end in zip(paths, heads, ends, strict=True):
        path.write_text(snippet.text[head.start() : end], encoding="utf-8")
    return compile_game(str(paths[0]), [str(path) for path in paths[1:]], tests=True)


def _placed(snippet: Snippet, name: str) -> str:
    place = snippet.info.get("at")
    if place is None:
        return snippet.text
    depth = 8 if place == "menu" else 4
    more = MORE[name]
    return PLACES[place].format(block=textwrap.indent(snippet.text, " " * depth), more=more)


def faults(result: Compiled) -> list[Code]:
    return [each.code for each in result.diagnostics]


def told(result: Compiled) -> str:
    """What the compiler said, for the message of a failing test."""
    return "\n".join(f"{each.code} {each.message} | {each.hint}" for each in result.diagnostics)
