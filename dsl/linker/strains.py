"""Strains: several ways in which a game may be spoiled, held in one program.

A *strain* is a game one declaration of which is another, is missing, or is there besides. Where it stands is said as
with modes: the declaration of the game holds in all strains but those that spoil it, and what a strain has instead
holds in that one. Strain 0 is the game as it is. Which strain is played is an option of the program (`STRAIN`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from dsl.linker.layers import Entry, Gathered
from dsl.linker.modes import Strained
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import ast

MARK = "\0"
"""Stands in the name of a source between its own name and the number of a strain."""


@record(frozen=True, slots=True)
class Strain:
    """A declaration of the game (none where one is added), and what a strain has in its place (none where it is left
    out).
    """

    old: Any
    new: Any


def add_strains(gathered: Gathered, strains: Sequence[Strain]) -> None:
    """Lets each strain, by its number from 1, have its own declaration; what is no declaration in effect is passed
    over.
    """
    spoiled: dict[int, list[tuple[int, Any]]] = {}
    added: list[Entry] = []
    for number, strain in enumerate(strains, 1):
        new = None if strain.new is None else marked(strain.new, number)
        if strain.old is not None:
            spoiled.setdefault(id(strain.old), []).append((number, new))
        else:
            layer = max(gathered.layer_of.values(), default=0)
            added.append(Entry(new, None, layer, Strained(None, frozenset({number}))))
    gathered.entries = [
        part
        for entry in gathered.entries
        for part in _split(entry, spoiled.get(id(entry.declaration), []), len(strains))
    ] + added
    gathered.strains = len(strains)
    numbers = range(1, len(strains) + 1)
    gathered.layer_of |= {
        named(name, number): layer for name, layer in gathered.layer_of.items() for number in numbers
    }


def _split(entry: Entry, spoiled: list[tuple[int, Any]], count: int) -> Iterable[Entry]:
    """A declaration as it stands in the strains that do not spoil it, and what the others have instead."""
    if not spoiled:
        yield entry
        return
    own = frozenset(range(count + 1)) - {number for number, _ in spoiled}
    yield replace(entry, where=Strained(entry.modes, own))
    for number, new in spoiled:
        if new is not None:
            where = Strained(entry.modes, frozenset({number}))
            yield replace(entry, declaration=new, where=where)


# ---------------------------------------------------------------- whose a line is


def named(source: str, number: int) -> str:
    """The name of a source as a strain has it."""
    return f"{source}{MARK}{number}"


def strain_of(span: Span) -> int | None:
    """The strain to which a place belongs; none where it stands in the game itself."""
    _, mark, number = span.source.name.partition(MARK)
    return int(number) if mark else None


def file_names(names: Mapping[str, str], count: int) -> dict[str, str]:
    """What sources are called inside the game, also as so many strains have them."""
    numbers = range(1, count + 1)
    return {**names, **{named(each, n): name for each, name in names.items() for n in numbers}}


def marked(tree: Any, number: int) -> Any:
    """A tree whose places are those of a strain: what is told of them, or kept by them, is its own."""
    sources: dict[Source, Source] = {}

    def own(span: Span) -> Span:
        if span.source not in sources:
            sources[span.source] = Source(named(span.source.name, number), span.source.text)
        return Span(sources[span.source], span.start, span.end)

    def of(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(of(each) for each in node)
        if isinstance(node, Span):
            return own(node)
        if not isinstance(node, ast.Node):
            return node
        return type(node)(**{each.name: of(getattr(node, each.name)) for each in fields(node) if each.init})

    return of(tree)
