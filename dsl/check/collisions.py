"""Names that two things share, so that rules would read one of them where the other is meant.

What is read by its name alone (a field of the game, an option, a value, area or pile without parameters), and a member
of a type (a row, a player, a word of a type) share one space of names. So do rows and the pieces that are called after
them, `a_1`, and the typed parameters of a head, which hide a member within it; `effect(dagger)` has none, it is
the head for that row. A collision is told where the second of the two stands: in the later layer, or further down.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Subject
from dsl.linker.layers import Gathered
from dsl.resolve.headers import header_items, named
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast


def check_collisions(world: World, gathered: Gathered) -> None:
    """Tells of each pair of things with one name, once."""
    members = dict(_members(world, gathered))
    alone = dict(_alone(gathered))
    for name, one in alone.items():
        if name in members:
            _tell(world, name, one, members[name])
        elif name in world.type_spans:
            _tell(world, name, one, (world.type_spans[name], "a type"))
    _pieces(world, gathered, members)
    _params(world, gathered, members)


Named = tuple[Span, str]


def _alone(gathered: Gathered) -> Iterator[tuple[str, Named]]:
    """What is read by its name alone, with its place and what it is."""
    for entry in gathered.entries:
        each = entry.declaration
        match each:
            case ast.Value(name=name, params=()):
                yield name.text, (name.span, tr("a value"))
            case ast.Area(name=name, of=None):
                yield name.text, (name.span, tr("an area"))
            case ast.Pile(name=name, per=None):
                yield name.text, (name.span, tr("a pile"))
            case ast.Ruling(name=name):
                yield name.text, (name.span, tr("an option"))
            case ast.State(of=None, fields=fields):
                yield from (
                    (field.name.text, (field.name.span, tr("a field of the game"))) for field in fields
                )
            case _:
                pass


def _members(world: World, gathered: Gathered) -> Iterator[tuple[str, Named]]:
    """The members of types, with their places."""
    for entry in gathered.of(ast.TypeDecl):
        for each in entry.declaration.alternatives:
            if isinstance(each, ast.NamedType) and each.name in world.members:
                yield each.name, (each.span, tr("a member of `{entry}`", entry=entry.declaration.name.text))
    for source in gathered.tables.values():
        if source.declaration.params:
            continue
        for group in source.groups:
            for row in group.rows:
                if row.cells:
                    yield (
                        row.cells[0].text,
                        (row.cells[0].span, tr("a row of `{source}`", source=source.declaration.name.text)),
                    )
    for key, what in (("players", "a player"), ("sides", "a side")):
        for _, items in header_items(gathered, key):
            yield from ((name.text, (name.span, what)) for name, _ in named(world.reporter, items))


def _later(world: World, one: Named, two: Named) -> tuple[Named, Named]:
    """Two things, the one that stands second first: in the later layer, else further down, else in the later file."""

    def place(each: Named) -> tuple[int, str, int]:
        return world.layer(each[0]), each[0].source.name, each[0].start

    return (one, two) if place(one) > place(two) else (two, one)


def _tell(world: World, name: str, one: Named, two: Named) -> None:
    second, first = _later(world, one, two)
    world.error(
        Code.DUPLICATE_NAME,
        second[0],
        tr("`{name}` is {second} here, and {first} elsewhere", name=name, second=second[1], first=first[1]),
        labels=(Label(first[0], tr("{first} called so", first=first[1])),),
        hint="rules would read one of them where the other is meant: give this one another name",
        subject=Subject("name", name),
        cause=first[0],
    )


def _pieces(world: World, gathered: Gathered, members: dict[str, Named]) -> None:
    """Pieces of which there are several are called after their row, with a number: a row may not be called so."""
    for entry in gathered.of(ast.Piece):
        decl: ast.Piece = entry.declaration
        domain = next((each for each in world.domains if each.name == decl.name.text and each.pool), None)
        pool = domain.pool if domain is not None else None
        if domain is None or pool is None:
            continue
        called = pool.table is not None and pool.kind_var is None
        kinds = (
            world.domains[pool.table.domain].members if pool.table and called else [decl.name.text.lower()]
        )
        numbers = pool.kinds if called else [0] * len(pool.kinds)
        for piece, kind in zip(domain.members, numbers, strict=False):
            if piece in members and piece != kinds[kind]:
                own = decl.name.span, f"one of the pieces `{kinds[kind]}`"
                second, first = _later(world, own, members[piece])
                message = tr(
                    "`{piece}` is {second} here, and {first} elsewhere",
                    piece=piece,
                    second=second[1],
                    first=first[1],
                )
                hint = tr(
                    "pieces of which there are several are numbered: call the row otherwise than `{piece}`",
                    piece=piece,
                )
                labels = (Label(first[0], tr("`{piece}` is {first}", piece=piece, first=first[1])),)
                subject, cause = Subject("name", piece), first[0]
                world.error(
                    Code.DUPLICATE_NAME,
                    second[0],
                    message,
                    labels=labels,
                    hint=hint,
                    subject=subject,
                    cause=cause,
                )


def _params(world: World, gathered: Gathered, members: dict[str, Named]) -> None:
    """A parameter that is called like a member hides it in all that follows."""
    for entry in gathered.entries:
        for param in getattr(entry.declaration, "params", ()):
            other = members.get(param.name.text)
            if not isinstance(param, ast.Param) or param.type is None or other is None:
                continue
            if world.is_prelude(param.span) or world.layer(other[0]) > world.layer(param.span):
                continue  # within what was there before, the parameter is meant
            second, first = _later(world, (param.name.span, "a parameter"), other)
            message = tr(
                "`{param}` is {second} here, and {first} elsewhere",
                param=param.name.text,
                second=second[1],
                first=first[1],
            )
            labels = (Label(first[0], tr("{first} called so", first=first[1])),)
            hint = "the parameter would hide the other: give this one another name"
            subject, cause = Subject("name", param.name.text), first[0]
            world.error(
                Code.DUPLICATE_NAME,
                second[0],
                message,
                labels=labels,
                hint=hint,
                subject=subject,
                cause=cause,
            )
