"""What a message offers where a name is unknown: the one that was likely meant, or else all that there are."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics.repeats import is_used
from dsl.semantics.things.entries import Domain
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax.words import is_one_slip

MOST = 8
"""Names that a hint lists."""


def near_or_all(world: World, name: str, names: Iterable[str], lead: str) -> str:
    """Such as: did you mean `gold`? Or: it has: gold, wood. Nothing where there are none."""
    known = list(dict.fromkeys(names))
    if not known:
        return ""
    return (
        world.nearest(name, known)
        or f"{lead}: {', '.join(known[:MOST])}{', ...' if len(known) > MOST else ''}"
    )


def field_or_new(world: World, domain: Domain, name: str, names: Iterable[str]) -> str:
    """A field or column that was likely meant; else those that there are, and where a new one is declared."""
    known = list(dict.fromkeys(names))
    hint = near_or_all(world, name, known, "it has")
    if world.near.get((name, hint)) is not None:
        return hint
    block = f"piece {domain.name}" if domain.pool else f"state of {domain.name}"
    declared = f"a new one is declared under `{block}:`, such as `{name}: 0..9`"
    return f"{hint}; {declared}" if hint else declared


def declared_only(world: World, name: str, at: Span, names: Iterable[str]) -> str:
    """One of some names that is used nowhere and differs by one slip: the slip is likely in its declaration."""
    for each in names:
        place = world.whence(each, at) if world.whence and is_one_slip(name, each) else None
        if place is not None and not is_used(each, {place.source, at.source}):
            return world.meant(name, each, is_clear=False)
    return ""
