"""What the figures are of: every game that comes with the package, and every folder of examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.engine.machine import Machine
from dsl.resources import SOURCE_SUFFIX, games

ROOT = Path(__file__).resolve().parent.parent.parent
MAIN = "cristal_et_acier"


@dataclass(frozen=True, slots=True)
class Target:
    """A name to show, and what to compile for it."""

    name: str
    what: str

    def machine(self) -> Machine:
        """Its program, compiled once in this process."""
        return _machine(self.what)


def targets() -> tuple[Target, ...]:
    """All of them: the package's own games first, each part in alphabetical order."""
    own = [Target(name, name) for name in games()]
    return (*own, *(Target(path.stem, str(path)) for path in _examples(ROOT / "examples")))


def target(name: str) -> Target:
    """The one of a name."""
    found = {each.name: each for each in targets()}
    if name not in found:
        raise SystemExit(f"no game `{name}`; there are: {', '.join(found)}")
    return found[name]


def _examples(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()):
        if each.is_dir() and any(each.glob(f"*{SOURCE_SUFFIX}")):
            yield each


@cache
def _machine(what: str) -> Machine:
    compiled = compile_game(what)
    if compiled.program is None:
        raise SystemExit(render_all(compiled.diagnostics, color=False))
    return Machine(compiled.program)
