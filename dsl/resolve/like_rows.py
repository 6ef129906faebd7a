"""Rows that are like another of their table: `mammoth like tank` prints what `tank` prints, but for its own cells.

What a row is like is known by mode. Labels are a row's own; all other cells that it leaves empty are those of the
other row as it is in the end, with what mods and modes change in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.linker.layers import Group, TableSource
from dsl.linker.modes import Modes, Where
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.syntax import ast

Key = TypeVar("Key", bound=Hashable)


def find_likes(world: World, source: TableSource, domain: Domain) -> None:
    """Enters which rows are like which, each behind the one that it is like; one like an unknown row, or like itself,
    is told.
    """
    table = domain.table
    assert table is not None
    found: dict[tuple[str | None, int], tuple[int, ast.Name]] = {}
    rows = [(row, where) for _, rows, where in source.groups for row in rows if row.like and row.cells]
    for row, where in rows:
        assert row.like is not None
        number = domain.index.get(row.cells[0].text)
        other = domain.index.get(row.like.text)
        if other is None:
            message = tr("the table `{domain}` has no row `{like}`", domain=domain.name, like=row.like.text)
            hint = world.nearest(row.like.text, domain.members) or _elsewhere(world, domain, row.like)
            world.unknown("row", row.like.span, message, of=domain.name, hint=hint)
        elif number is not None:
            for mode in (None, *world.modes.names):
                if where is None or mode in where:
                    found[mode, number] = other, row.like
                elif mode is None or mode not in world.modes.every(domain.where[number]):
                    found.setdefault((mode, number), (other, row.like))  # it is not there: nobody reads it
    edges = {(mode, number): [(mode, other)] for (mode, number), (other, _) in found.items()}
    order, back = bases_first(edges)
    for key in back:
        message = tr("the row `{members}` is like itself, in a circle", members=domain.members[key[1]])
        hint = "one of the rows of the circle prints all of its cells"
        world.error(Code.CALL_CYCLE, found[key][1].span, message, hint=hint)
    if not back:
        table.likes.update({key: found[key][0] for key in order})


def bases_first(edges: Mapping[Key, Sequence[Key]]) -> tuple[list[Key], list[Key]]:
    """The things that rest on others, each behind all that it rests on; and those that close a circle."""
    order: list[Key] = []
    back: list[Key] = []
    is_done: dict[Key, bool] = {}
    for start in edges:
        path = [] if start in is_done else [(start, iter(edges[start]))]
        while path:
            at, others = path[-1]
            is_done.setdefault(at, False)
            following = next(others, None)
            if following is None:
                path.pop()
                is_done[at] = True
                order.append(at)
            elif is_done.get(following) is False:
                back.append(at)
            elif following in edges and following not in is_done:
                path.append((following, iter(edges[following])))
    return order, back


def _elsewhere(world: World, domain: Domain, like: ast.Name) -> str:
    """What to say of a row that another table has."""
    homes = [world.domains[at] for at, _ in world.members.get(like.text, [])]
    other = next((each for each in homes if each.kind == "row" and each is not domain), None)
    if other is not None:
        return tr(
            "`{like}` is a row of `{other}`: a row is like one of its own table",
            like=like.text,
            other=other.name,
        )
    names = [f"`{each}`" for each in domain.members[:4]]
    return tr(
        "its rows are {names}{value}",
        names=", ".join(names),
        value=", ..." if len(domain.members) > 4 else "",
    )


def refuse_likes(reporter: Reporter, source: TableSource) -> None:
    """Rows that are read by arguments have no names, and are like no other."""
    for group in source.groups:
        for row in group.rows:
            if row.like is not None:
                message = "only a row of a table of kinds can be like another"
                hint = "write what this row gives or does, as in the row that it resembles"
                reporter.error(Code.BAD_CELL, row.like.span, message, hint=hint)


def with_effects(modes: Modes, groups: Sequence[Group], at: int) -> Iterator[Group]:
    """The groups of an effect column, with each effect that a row leaves empty taken from the row that it is like, in
    the modes in which that has it; `at` says which cell holds the effect.
    """
    rows = [(row, group) for group in groups for row in group.rows if row.cells]
    by_name: dict[str, list[tuple[ast.Row, Where]]] = {}
    for row, group in rows:
        by_name.setdefault(row.cells[0].text, []).append((row, group.where))
    likes = {
        name: [row.like.text for row, _ in found if row.like is not None] for name, found in by_name.items()
    }
    effects: dict[str, list[tuple[ast.Cell, Where]]] = {}
    own: dict[int, list[tuple[ast.Cell, Where]]] = {}
    for name in bases_first(likes)[0]:
        for row, where in by_name[name]:
            base = effects.get(row.like.text, []) if row.like is not None else []
            own[id(row)] = [(row.cells[at], where)] if row.cells[at].text else _shared(modes, base, where)
            effects.setdefault(name, []).extend(own[id(row)])
    for row, group in rows:
        for cell, where in own[id(row)] or [(row.cells[at], group.where)]:
            cells = (*row.cells[:at], cell, *row.cells[at + 1 :])
            yield Group(group.head, (ast.Row(cells, row.citation, row.like, span=row.span),), where)


def _shared(modes: Modes, base: list[tuple[ast.Cell, Where]], where: Where) -> list[tuple[ast.Cell, Where]]:
    """The effects of a row in the modes in which one that is like it is there; the first of them where it lacks one."""
    found: list[tuple[ast.Cell, Where]] = []
    left = where
    for cell, there in base:
        shared = modes.both(where, there)
        if shared is None or shared:
            found.append((cell, shared))
            left = modes.without(left, there) if modes.names else frozenset()
    if base and (left is None or left):
        found.append((base[0][0], left))
    return found
