"""What several mods on one game both do something to, with both places: more than the conflicts, which are errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dsl.authoring.edits import Edit


def tell_overlaps(target: str, mods: Sequence[str]) -> None:
    """Prints each target that two mods change, and each head to which two mods add clauses."""
    from dsl.diagnostics.excerpt import printable

    for line in overlap_lines(target, mods):
        click.echo(printable(line))


def overlap_lines(target: str, mods: Sequence[str]) -> Iterator[str]:
    """The same as lines."""
    for name, found in _overlaps(target, mods).items():
        clauses = all(each.clause for _, each in found)
        settled = [each for _, each in found if _settles(each, found)]
        said = "more than one mod adds to it" if clauses else "more than one mod changes it"
        yield f"{name}: {said}{', settled by `over`' if settled else ''}"
        for mod, each in found:
            over = f", over {', '.join(each.over)}" if each in settled else ""
            yield f"    {mod}: {_told(each)}{over}  {_place(each)}"


def overlap_data(target: str, mods: Sequence[str]) -> list[dict[str, object]]:
    """The same as JSON has it."""
    return [
        {
            "target": name,
            "edits": [
                {"mod": mod, "verb": each.verb, "was": each.was, "now": each.now, "where": _place(each)}
                | ({"over": list(each.over)} if _settles(each, found) else {})
                for mod, each in found
            ],
        }
        for name, found in _overlaps(target, mods).items()
    ]


def _overlaps(target: str, mods: Sequence[str]) -> dict[str, list[tuple[str, Edit]]]:
    """By target, what each mod does to it; nothing for fewer than two mods, or where the game cannot be read."""
    from dsl.authoring.edits import overlaps
    from dsl.diagnostics import Diagnostics
    from dsl.linker.modules import Modules

    modules = Modules(Diagnostics())
    if len(mods) < 2 or not modules.open(target):
        return {}
    for mod in mods:
        modules.add_mod(mod)
    layers = tuple(modules.layers)
    return {
        name: [(layers[each.layer].header.name.text, each) for each in found]
        for name, found in overlaps(layers).items()
    }


def _settles(edit: Edit, found: Sequence[tuple[str, Edit]]) -> bool:
    """Is a clause over one of another mod?"""
    others = (each for _, each in found if each.layer != edit.layer)
    return any(set(edit.over) & set(each.handles) for each in others)


def _told(edit: Edit) -> str:
    values = f" {edit.was or 'nothing'} → {edit.now}" if edit.now else ""
    return f"{edit.verb}{values}"


def _place(edit: Edit) -> str:
    return f"{edit.span.source.name}:{edit.span.line}"
