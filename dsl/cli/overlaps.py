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
    """The same as lines; none for fewer than two mods, or where the game cannot be read."""
    from dsl.authoring.edits import overlaps
    from dsl.diagnostics import Diagnostics
    from dsl.semantics.modules import Modules

    if len(mods) < 2:
        return
    modules = Modules(Diagnostics())
    if not modules.open(target):
        return
    for mod in mods:
        modules.add_mod(mod)
    layers = tuple(modules.layers)
    for name, found in overlaps(layers).items():
        clauses = all(each.clause for each in found)
        yield f"{name}: {'more than one mod adds to it' if clauses else 'more than one mod changes it'}"
        for each in found:
            yield f"    {layers[each.layer].header.name.text}: {_told(each)}  {_place(each)}"


def _told(edit: Edit) -> str:
    values = f" {edit.was or 'nothing'} → {edit.now}" if edit.now else ""
    return f"{edit.verb}{values}"


def _place(edit: Edit) -> str:
    return f"{edit.span.source.name}:{edit.span.line}"
