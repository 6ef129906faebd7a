"""`scenarii list`: the games that come with the package."""

from __future__ import annotations

import json
import os

import click


@click.command("list")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--lang", "language", metavar="LANG", default="", help="Titles in this language: fr or en.")
def list_(form: str, language: str) -> None:
    """List the games that come with Scenarii."""
    from dsl.resources import games

    found = {name: _title(name, language) for name in games()}
    if form == "json":
        entries = [{"game": name, "title": title} for name, title in found.items()]
        click.echo(json.dumps(entries, ensure_ascii=False, indent=2))
        return
    width = max(map(len, found), default=0)
    for name, title in found.items():
        click.echo(f"{name:{width}}  {title}".rstrip())
    click.echo("\nPlay one with `scenarii play GAME`, or watch it with `scenarii play GAME --auto`.")


def _title(name: str, language: str) -> str:
    """A game's title, read from its header alone; empty where it has none."""
    from dsl.cache import Cache
    from dsl.diagnostics import Diagnostics
    from dsl.diagnostics.excerpt import printable
    from dsl.resources import SOURCE_SUFFIX, game_folder
    from dsl.semantics.gather.modules import Modules
    from dsl.syntax import ast
    from dsl.syntax.grammar import prepare

    prepare(Cache.open(os.environ))
    modules, folder = Modules(Diagnostics()), game_folder(name)
    path = folder / f"{name}{SOURCE_SUFFIX}" if folder is not None else None
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
    return printable(texts.get(language) or next(iter(texts.values()), ""))
