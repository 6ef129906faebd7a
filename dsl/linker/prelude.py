"""The prelude: values that the language brings along, written in the language.

They stand in the library's folder `prelude`. A game that uses one of their names, and does not declare it outside of
its modes, gets that declaration and those that it needs itself; no other comes into the compiled program. So a game's
own declaration takes the place of one of the prelude, and a mode's does in that mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dsl.linker.layers import named
from dsl.resources import PRELUDE, SOURCE_SUFFIX, stdlib_folder
from dsl.syntax import ast
from dsl.syntax.trees import walk

DECLARED = re.compile(r"^value (\w+)", re.MULTILINE)
WORD = re.compile(r"[^\W\d]\w*")


def prelude_files() -> list[Path]:
    """The files of the prelude, in alphabetical order."""
    folder = stdlib_folder() / PRELUDE
    return sorted(folder.glob(f"*{SOURCE_SUFFIX}")) if folder.is_dir() else []


def prelude_names() -> dict[str, Path]:
    """What the prelude declares, and in which file."""
    return {
        name: path for path in prelude_files() for name in DECLARED.findall(path.read_text(encoding="utf-8"))
    }


def wanted_names(files: Iterable[ast.File], texts: Iterable[str]) -> dict[str, Path]:
    """The names of the prelude that some files use and do not declare for all modes."""
    known = prelude_names()
    found = set(known) & {word for text in texts for word in WORD.findall(text)}
    if not found:
        return {}
    declarations = [each for file in files for each in file.declarations]
    spelt = re.compile(rf"\b(?:{'|'.join(found)})\b")
    used = {name for each in declarations if spelt.search(each.span.text) for name in _used(each)}
    own = {name for each in declarations for name in _declared(each)}
    return {name: known[name] for name in found & used - own}


def chosen(files: Iterable[ast.File], wanted: Iterable[str]) -> tuple[ast.Value, ...]:
    """The declarations of some names, and of those that they need in turn."""
    declared = {
        each.name.text: each for file in files for each in file.declarations if isinstance(each, ast.Value)
    }
    found: dict[str, ast.Value] = {}
    waiting = sorted(wanted)
    while waiting:
        name = waiting.pop(0)
        if name in declared and name not in found:
            found[name] = declared[name]
            waiting += sorted(set(_used(declared[name])) & set(declared))
    return tuple(found.values())


def lent(helpers: Iterable[ast.File], game: Iterable[ast.File], mods: Iterable[ast.File]) -> tuple[Any, ...]:
    """What mods use of the declarations that stand beside the tests of their game, and what these need in turn.

    What a mod or the game declares itself under such a name is meant by it, so that no mod need know the names there.
    """
    game, mods = tuple(game), tuple(mods)
    own = {name for file in (*game, *mods) for each in file.declarations for name in _declared(each)}
    known: dict[str, Any] = {}
    for file in helpers:
        for each in file.declarations:
            if not isinstance(each, ast.Test | ast.Always | ast.Import):
                known.update(dict.fromkeys(set(_declared(each)) - own - {""}, each))
    waiting = sorted(
        {name for file in mods for each in file.declarations for name in _used(each)} & set(known)
    )
    found: list[Any] = []
    while waiting:
        declaration = known[waiting.pop(0)]
        if not any(each is declaration for each in found):
            found.append(declaration)
            waiting += sorted(set(_used(declaration)) & set(known))
    return tuple(found)


def _used(declaration: object) -> Iterator[str]:
    for node in walk(declaration):
        match node:
            case ast.NameExpr(name=name) | ast.Target(name=ast.Name(text=name)):
                yield name
            case ast.Replace(declaration=new):
                yield named(new) or ""
            case ast.Mode(declarations=declarations):
                yield from (named(each) or "" for each in declarations)
            case _:
                pass


def _declared(declaration: object) -> Iterator[str]:
    match declaration:
        case ast.State(fields=fields, of=None):
            yield from (field.name.text for field in fields)
        case ast.Mode() | ast.Replace() | ast.Remove() | ast.Change():
            return
        case _:
            yield named(declaration) or ""
