"""Rules broken one at a time, each to be noticed by what a game promises: `python -m tests.figures spoiled`."""

from __future__ import annotations

import shutil
import tempfile
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.promises import lines_of
from dsl.resources import game_folder
from dsl.testing.promises import without_tests
from dsl.wasm.module import Module
from tests.examples import FOLDER

Edit = tuple[str, str, str]
"""A file, what stands in it, and what is written in its place."""


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A game with a rule broken, and the promise that is to notice; `options` where it is played with others."""

    game: str
    promise: str
    edits: tuple[Edit, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        found = game_folder(self.game)
        return found if found is not None else next(FOLDER.rglob(f"{self.game}.scn")).parent


def spoiled() -> tuple[Spoiled, ...]:
    """All of them, in the order of the file beside this one."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        Spoiled(each["game"], each["promise"], tuple(map(tuple, each["edits"])), each.get("options", {}))
        for each in data["spoiled"]
    )


def noticed(broken: Spoiled, games: int) -> dict[str, int]:
    """The promises that some games break when the rule is broken, each with how often it was the first."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name, broken.folder.name)
        shutil.copytree(broken.folder, copy)
        for file, old, new in broken.edits:
            path = copy / f"{file}.scn"
            text = path.read_text(encoding="utf-8")
            if text.count(old) != 1:
                raise ValueError(f"{file} has {text.count(old)} times {old!r}")
            path.write_text(text.replace(old, new), encoding="utf-8")
        made = compile_game(str(copy), tests=True)
        if made.program is None:
            raise ValueError("; ".join(each.message for each in made.diagnostics if each.is_error))
    program = without_tests(made.program)
    module = Module.of(program, cache=False, watched=True)
    lines, found = lines_of(program), dict[str, int]()
    for part in module.played(games, options=broken.options):
        for _, _, line, _ in part.breaches:
            title = lines[line][0].title
            found[title] = found.get(title, 0) + 1
        if broken.promise in found:
            break
    return found


def show(games: int, game: str = "") -> int:
    """Prints a line for each broken rule; 1 if one was not noticed."""
    missed = 0
    for each in spoiled():
        if game not in {"", each.game}:
            continue
        begun = time.perf_counter()
        found = noticed(each, games)
        missed += each.promise not in found
        said = "noticed" if each.promise in found else f"MISSED, instead {found}"
        print(f"{each.game}: {each.promise}: {said} ({time.perf_counter() - begun:.0f} s)", flush=True)
    return int(missed > 0)
