"""What a folder holds: the game, scenarios and mods in it and below, as the paths that name them one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import tr

if TYPE_CHECKING:
    from dsl.syntax import ast

MOST_FOLDERS = 2_000
MOST_TARGETS = 1_000
ORDER = ("game", "scenario", "mod")


def targets_in(paths: Sequence[str], mods: Sequence[str] = ()) -> list[str]:
    """Each path that names a folder as the games, scenarios and mods in it and below; the others as they are.

    A game comes before its scenarios, these before mods. The usual scenario of a game is part of it, and what is put on
    top (`mods`) does not stand for itself. A folder with one of them alone, or with none, is named by its own path.
    """
    from dsl.resources import meant_game

    apart = {Path(each).resolve() for each in mods}
    found: list[str] = []
    for path in paths:
        if meant_game(path) is None and Path(path).is_dir():
            _prepare()
            inside = [each for folder in _folders(path) for each in _targets(folder, apart)]
            found += inside or [path]
            if len(found) > MOST_TARGETS:
                raise click.UsageError(
                    tr(
                        "{path} holds more than {most_targets} games: name a folder in it.",
                        path=path,
                        most_targets=MOST_TARGETS,
                    )
                )
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _prepare() -> None:
    """Files are read with what the cache keeps of them."""
    from dsl.cache import Cache
    from dsl.library import prepare_compiler

    prepare_compiler(Cache.open(os.environ))


def _folders(path: str) -> Iterator[Path]:
    """A folder and those below it, in their order; hidden ones and links are passed over."""
    for count, (at, below, _) in enumerate(os.walk(path), 1):
        below[:] = sorted(each for each in below if not each.startswith((".", "__")))
        if count > MOST_FOLDERS:
            raise click.UsageError(
                tr(
                    "{path} holds more than {most_folders} folders: name one of them.",
                    path=path,
                    most_folders=MOST_FOLDERS,
                )
            )
        yield Path(at)


def _targets(folder: Path, apart: set[Path]) -> list[str]:
    """The games, scenarios and mods of one folder; also its other files where they cannot be read."""
    from dsl.resources import SOURCE_SUFFIX, TESTS_FOLDER

    paths = sorted(
        each for each in folder.glob(f"*{SOURCE_SUFFIX}") if each.is_file() and not each.name.startswith(".")
    )
    read = {each: _read(each) for each in paths}
    heads = [(each, header) for each, (header, _) in read.items() if header is not None]
    usual = {name for _, header in heads for name in _usual(header)}
    own = [
        (each, header)
        for each, header in heads
        if not (header.kind == "scenario" and header.name.text in usual)
        and not (header.kind == "mod" and each.resolve() in apart)
    ]
    own.sort(key=lambda pair: ORDER.index(pair[1].kind))
    found = [each.as_posix() for each, _ in own]
    if own and (own[0][1].kind == "game" or len(heads) == 1):
        found[0] = folder.as_posix()
    elif folder.name != TESTS_FOLDER:
        found += [each.as_posix() for each, (header, sound) in read.items() if header is None and not sound]
    return found


def _read(path: Path) -> tuple[ast.Header | None, bool]:
    """The header of a file, and whether all of the file can be read."""
    from dsl.diagnostics import Diagnostics
    from dsl.linker.modules import Modules

    modules = Modules(Diagnostics())
    return modules.header(path), not modules.diagnostics.has_errors


def _usual(header: ast.Header) -> Iterator[str]:
    """The scenario that a game is played with where none is chosen."""
    from dsl.syntax import ast

    for each in header.fields:
        if header.kind == "game" and each.key.text == "scenario":
            yield from (item.text for item in each.items[-1:] if isinstance(item, ast.Name))
