"""What `check` sees in the first moves of a few random games, told as findings at the lines of the rules that fail.

What was seen of a program is kept in the cache beside it, so that checking it again plays nothing. That nothing was
seen is kept under its rules too: an edit of tests alone plays nothing either.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from dsl.catalogue import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dsl.authoring.rehearsal import Stumble
    from dsl.diagnostics import Diagnostic, Diagnostics
    from dsl.library import Build
    from dsl.source import Source, Span

NOTHING = b"[]"
"""The entry of what nothing was seen of."""


def rehearsed(made: Build) -> Diagnostics:
    """The rules of a program that fail as its first moves are played; none where it has errors anyway."""
    from dsl.diagnostics import Diagnostics

    if made.diagnostics.has_errors or made.compiled_file:
        return Diagnostics()
    stumbles = _kept(made)
    if stumbles is None and _is_known(made):
        stumbles = []
        _keep(made, stumbles)
    if stumbles is None:
        stumbles = _played(made)
    return Diagnostics(_told(each, made) for each in stumbles)


def _played(made: Build) -> list[Stumble]:
    from dsl.authoring.rehearsal import rehearse
    from dsl.engine.failure import Unplayable

    try:
        if made.played is None or rehearse(made.played):  # what stumbles is told of the whole program
            found = [] if made.program is None else list(rehearse(made.program))
        else:
            found = []
    except Unplayable:  # the other engine may play it
        found = []
    _keep(made, found)
    return found


# ---------------------------------------------------------------- the cache


def _name(of: str) -> str:
    """The entry of a program or of rules with that hash, for this Scenarii; empty where it has no name in the cache."""
    from dsl.library import engine_hash

    return f"tried-{hashlib.sha256(f'{of} {engine_hash()}'.encode()).hexdigest()}.json" if of else ""


def _is_known(made: Build) -> bool:
    """Was nothing seen of the same rules, whatever tests stood beside them?"""
    from dsl.cache import Cache

    cache, name = Cache.open(os.environ), _name(made.rules)
    return cache is not None and bool(name) and cache.read(name) == NOTHING


def _kept(made: Build) -> list[Stumble] | None:
    from dsl.cache import Cache

    cache, name = Cache.open(os.environ), _name(made.digest)
    data = cache.read(name) if cache is not None and name else None
    if data is None:
        return None
    if data == NOTHING:  # nearly always: the engine is not imported for it
        return []
    if made.shifted:  # what stumbled then stands elsewhere now
        return None
    from dsl.authoring.rehearsal import Stumble
    from dsl.ir.program import Place

    try:
        return [
            Stumble(**{**each, "place": Place(**each["place"]) if each["place"] else None})
            for each in json.loads(data)
        ]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _keep(made: Build, found: Iterable[Stumble]) -> None:
    from dataclasses import asdict

    from dsl.cache import Cache

    cache, name = Cache.open(os.environ), _name(made.digest)
    if cache is not None and not made.shifted:
        data = json.dumps([asdict(each) for each in found]).encode()
        if name:
            cache.write(name, data)
        if data == NOTHING and made.rules:
            cache.write(_name(made.rules), data)


# ---------------------------------------------------------------- as findings


def _told(stumble: Stumble, made: Build) -> Diagnostic:
    from dsl.diagnostics import Code, Diagnostic

    begins = tr("the game does not begin") if not stumble.decisions else _after(stumble.decisions)
    mode = f" --option mode={stumble.mode}" if stumble.mode else ""
    mode += f" --option players={stumble.players}" if stumble.players else ""
    mods = "".join(f" --with {each}" for each in made.mods)
    return Diagnostic(
        Code(stumble.code),
        stumble.message,
        _span(stumble, made.sources),
        label="fails in play",
        notes=(tr("a random game was begun: {begins}", begins=begins),),
        hint=tr(
            "to see how it comes there: scenarii play {target}{mods} --auto --seed {seed}{mode}",
            target=made.target,
            mods=mods,
            seed=stumble.seed,
            mode=mode,
        ),
    )


def _after(decisions: int) -> str:
    if decisions == 1:
        return tr("this rule fails after 1 decision")
    return tr("this rule fails after {count} decisions", count=decisions)


def _span(stumble: Stumble, sources: tuple[Source, ...]) -> Span | None:
    """The place of the rule in a source; none where it has none or the file is not at hand."""
    from dsl.cli.places import source_here

    place = stumble.place
    source = source_here(place.file, sources) if place is not None else None
    if place is None or source is None or not 1 <= place.line <= len(source.line_starts):
        return None
    start = source.line_starts[place.line - 1] + place.column - 1
    text = source.line_text(place.line)
    end = source.line_starts[place.line - 1] + len(text.rstrip())
    return source.span(min(start, end), end)
