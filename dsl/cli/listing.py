"""`scenarii list`: the games that come with the package."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.programs import SELECT_FORM, SELECT_LANGUAGE
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from pathlib import Path

    from dsl.cache import Cache


@click.command("list")
@SELECT_FORM
@SELECT_LANGUAGE
def list_(form: str, language: str | None) -> None:
    """List the games that come with Scenarii."""
    from dsl.resources import games

    found = {name: _title(name, language or "") for name in games()}
    if form == "json":
        entries = [{"game": name, "title": title} for name, title in found.items()]
        click.echo(json_text(entries))
        return
    width = max(map(len, found), default=0)
    for name, title in found.items():
        click.echo(f"{name:{width}}  {title}".rstrip())
    click.echo(
        "\n" + told(tr("Play one with `scenarii play GAME`, or watch it with `scenarii play GAME --auto`."))
    )


def _title(name: str, language: str) -> str:
    """A game's title in a language, or in its own; empty where it has none."""
    from dsl.diagnostics.excerpt import printable

    texts = _titles(name)
    return printable(texts.get(language) or next(iter(texts.values()), ""))


def _titles(name: str) -> dict[str, str]:
    """A game's titles by language, its own first: as they were read before, where its main file is the same."""
    from dsl.cache import Cache
    from dsl.library import compiler_hash
    from dsl.resources import SOURCE_SUFFIX, game_folder

    folder, cache = game_folder(name), Cache.open(os.environ)
    path = folder / f"{name}{SOURCE_SUFFIX}" if folder is not None else None
    if folder is None or path is None or cache is None or not path.is_file():
        return _read(folder, path, cache)
    entry = f"titles-{hashlib.sha256(compiler_hash().encode() + path.read_bytes()).hexdigest()}.json"
    try:
        known = json.loads(cache.read(entry) or b"")
    except (ValueError, RecursionError):
        known = None
    if isinstance(known, dict) and all(isinstance(each, str) for each in known.values()):
        return known
    titles = _read(folder, path, cache)
    cache.write(entry, json.dumps(titles, ensure_ascii=False).encode())
    return titles


def _read(folder: Path | None, path: Path | None, cache: Cache | None) -> dict[str, str]:
    """The titles in the header of a game, which alone is read; `path` is where its main file should be."""
    from dsl.diagnostics import Diagnostics
    from dsl.linker.modules import Modules
    from dsl.syntax import ast
    from dsl.syntax.grammar import prepare

    prepare(cache)
    modules = Modules(Diagnostics())
    if path is None or not path.is_file():
        path = modules.main_file(folder) if folder is not None else None
    header = modules.header(path) if path is not None else None
    texts: dict[str, str] = {}
    spoken = ""
    for field in header.fields if header is not None else ():
        for item in field.items if field.key.text == "title" else ():
            if isinstance(item, ast.Text):
                texts.setdefault(spoken, item.text)
            elif isinstance(item, ast.Name):
                spoken = item.text
    return texts
