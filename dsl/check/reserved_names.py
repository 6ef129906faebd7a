"""Names that a game gives to its own things, though rules read them as something else: they would be hidden."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.linker.declaration_index import Whence
from dsl.linker.layers import Gathered
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax.grammar import MEANINGS, begins_no_value

TYPES = frozenset({"Player", "Side", "Cell", "Direction"})
_KINDS = frozenset({"player", "enum", "row"})


def check_taken(world: World, gathered: Gathered, round_var: int) -> None:
    """Tells of rows, players and words of types, of fields and values, that rules could not name."""
    whence = Whence(gathered)
    told: set[str] = set()
    for name, is_member in _names(world, round_var):
        meaning = MEANINGS.get(name)
        span = whence.of(name, gathered.headers[0].span) if name not in told else None
        if span is None or not (meaning or name in TYPES or begins_no_value(name)):
            continue
        told.add(name)
        world.taken.add(name)
        _tell(world, name, span, meaning, is_member=is_member)


def _names(world: World, round_var: int) -> Iterator[tuple[str, bool]]:
    """The members of types whose names an author gives; then the fields and values that are read by themselves."""
    for domain in world.domains:
        if domain.kind in _KINDS:
            yield from ((name, True) for name in domain.members)
    yield from ((name, False) for name, var in world.globals.items() if var != round_var)
    yield from ((name, False) for name in world.callables)


def _tell(world: World, name: str, span: Span, meaning: str | None, *, is_member: bool) -> None:
    if name in TYPES:
        message, label = tr("`{name}` is the name of a type", name=name), "read as the type"
    elif meaning:
        message, label = (
            tr("`{name}` always means {meaning}", name=name, meaning=meaning),
            "hidden by that word of the language",
        )
    else:
        message, label = (
            tr("`{name}` is a word of the language and cannot be a name here", name=name),
            "a word of the language",
        )
    labelled = tr('; players still read "{name}" where its label says so', name=name) if is_member else ""
    hint = tr("give it another name, such as `the_{name}`{labelled}", name=name.lower(), labelled=labelled)
    world.error(Code.RESERVED_WORD, span, message, label=label, hint=hint)
