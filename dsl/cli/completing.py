"""What a shell offers to complete: games, files, names of a game, options, codes.

Nothing is printed and nothing raised here: where a game cannot be read there is nothing to offer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from dsl.ir.program import Program

LANGUAGES = ("en", "fr")


def _items(found: Iterable[str], incomplete: str, *, files: bool = False) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    items = [
        CompletionItem(each) for each in sorted(set(found)) if each.lower().startswith(incomplete.lower())
    ]
    return [*items, CompletionItem(incomplete, type="file")] if files else items


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games of the library, and whatever path."""
    from dsl.resources import games

    return _items(games(), incomplete, files=True)


def complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file: a mod, a save."""
    return _items((), incomplete, files=True)


def complete_folder(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A folder to write into."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of a game: its tables, rows, values, actions, fields, options."""
    program = _program(ctx)
    if program is None:
        return []
    from dsl.authoring.survey import sections

    told = sections(program)
    return _items(
        [*(each.name for each in told), *(row.name for each in told for row in each.rows)], incomplete
    )


def complete_option(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`NAME=VALUE` of the options of a game."""
    program = _program(ctx)
    found = []
    for option in program.options if program is not None else ():
        choices = option.choices
        if option.range is not None:
            choices = tuple(str(each) for each in range(option.range[0], option.range[1] + 1))
        found += [f"{option.name}={choice}" for choice in choices]
    return _items(found, incomplete)


def complete_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes of errors."""
    from dsl.diagnostics import Code

    return _items([each.value for each in Code], incomplete)


def _program(ctx: click.Context) -> Program | None:
    """The game that the command line names so far; none where it cannot be had."""
    named = ctx.params.get("game") or next(iter(ctx.args), None)
    if not isinstance(named, str):
        return None
    from dsl.cache import Cache
    from dsl.library import build

    try:
        return build(named, ctx.params.get("mods") or (), cache=Cache.open(os.environ)).program
    except Exception:
        return None
