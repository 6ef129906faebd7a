"""What a message offers where a name is unknown: the one that was likely meant, or else all that there are."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.catalogue import tr
from dsl.diagnostics import Meant
from dsl.diagnostics.repeats import is_used
from dsl.ir.types import Id, Int, SetOf
from dsl.near import LOOK, is_one_slip, spend
from dsl.resolve.kinds import AnyType
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.source import Span

MOST = 8
"""Names that a hint lists."""

BROUGHT_IN = (
    "a name is brought in by `let NAME = ...`, by `for NAME in ...`, as a parameter, as a field of `state:`, or by a "
    "declaration at the top level such as `value NAME = ...`"
)
"""Where names come from: what is said of one that is like no other."""


def near_or_all(reporter: Reporter, name: str, names: Iterable[str], lead: str) -> str:
    """Such as: did you mean `gold`? Or: it has: gold, wood. Nothing where there are none."""
    known = list(dict.fromkeys(names))
    if not known:
        return ""
    return (
        reporter.nearest(name, known)
        or f"{lead}: {', '.join(known[:MOST])}{', ...' if len(known) > MOST else ''}"
    )


def field_or_new(reporter: Reporter, domain: Domain, name: str, names: Iterable[str]) -> str:
    """A field or column that was likely meant; else those that there are, and where a new one is declared."""
    known = list(dict.fromkeys(names))
    hint = near_or_all(reporter, name, known, "it has")
    if isinstance(hint, Meant):
        return hint
    block = f"piece {domain.name}" if domain.pool else f"state of {domain.name}"
    declared = f"a new one is declared under `{block}:`, such as `{name}: 0..9`"
    return f"{hint}; {declared}" if hint else declared


def an_action(world: World, name: str) -> str:
    """The action that was likely meant; else those that there are, and how another one is declared."""
    known = [each.name for each in world.actions]
    hint = near_or_all(world.reporter, name, known, "the actions are")
    if isinstance(hint, Meant):
        return hint
    if name in {"round", "rounds", "game", "setup"}:
        played = "a test plays the rounds where it has moves and no `run`, which is for one phase or action"
        return f"{hint}; {played}" if hint else played
    declared = f"another one is declared at the top level, as in `action {name or 'rest'} by p:`"
    return f"{hint}; {declared}" if hint else declared


def of_type(world: World, type_: AnyType) -> str:
    """What a value of a type may be: such as `a number from 0 to 9`; nothing where that is not said in few words."""
    match type_:
        case Int(truth=True):
            return tr("write `true`, `false` or a condition such as `x is 3`")
        case Int():
            return tr("write a number from {low} to {high}", low=type_.low, high=type_.high)
        case Id():
            domain = world.domains[type_.domain]
            shown = [f"`{each}`" for each in domain.members[:3]]
            more = f" such as {' or '.join(shown)}" if shown and not domain.pool else ""
            name = (world.domains[domain.inferred.table] if domain.inferred is not None else domain).name
            none = ", or `none`" if type_.optional else ""
            return tr("write a {name}{more}{none}", name=name, more=more, none=none)
        case SetOf():
            return tr("write a set of {of}, as in `{{}}` for the empty one", of=world.show(type_.of))
        case _:
            return ""


def declared_only(reporter: Reporter, name: str, at: Span, names: Iterable[str]) -> str:
    """One of some names that is used nowhere and differs by one slip: the slip is likely in its declaration."""
    for each in names:
        if not spend(LOOK):
            return ""
        place = reporter.whence(each, at) if reporter.whence and is_one_slip(name, each) else None
        if place is not None and not is_used(each, {place.source, at.source}):
            return Meant(name, each, is_clear=False)
    return ""
