"""Worlds that a player cannot tell from the one that is: all that he may not see changes places in them.

Of the members that look alike to him (the cards of the other hand and of both decks, say) the hidden values are
exchanged; a hidden number or name that nobody shares, or that says nothing of the others (`free_fields`), becomes
another, and a lone hidden set, bag or list is taken to be empty. Pieces in play whose kind he does not see need not
look alike for that: those of one owner change kinds, with all else that he does not see of them. What is hidden, the
program says: the variables with an audience.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.chance import Generator
from dsl.engine.free_fields import free_fields
from dsl.engine.piles import in_play
from dsl.engine.views import may_see
from dsl.ir.program import FRAME_HEAD, TOP, Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type

if TYPE_CHECKING:
    from dsl.engine.machine import Machine

Cell = tuple[int, int]
"""A variable and a member of its domain."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Members that may change places, with the variables that a player does not see of them."""

    vars: tuple[int, ...]
    members: tuple[int, ...]
    lying: int | None
    """Their domain where they lie in piles: then it is the cards that change places."""
    shareless: bool
    """Has a lone member nobody to change with, and its values become others?"""


class Secrets:
    """The variables of a program that not everybody sees, and what else there is of the same domains."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        program = machine.program
        self.hidden, self.open = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        for index, var in enumerate(program.vars):
            if var.of is not None:
                secret = var.audience is not None or var.role == "order"
                (self.hidden if secret else self.open)[var.of].append(index)
        self.alone = [
            n for n, each in enumerate(program.vars) if each.of is None and each.audience is not None
        ]
        """The game's own hidden variables."""
        self.lying = {pool.domain for pool in program.pools if pool.pile is not None}
        """The domains whose pieces lie in piles: who does not see one there does not know which it is."""
        self.kinds = {pool.domain for pool in program.pools if pool.kind is not None}
        """The domains of pieces whose kind not everybody sees."""
        self.free = free_fields(program)
        """The variables whose values say nothing of each other."""

    def unseen(self, state: list[int], viewer: int) -> set[Cell]:
        """All that a player may not see."""
        members = self.machine.program.domains
        return {
            (var, member)
            for domain, hidden in self.hidden.items()
            for var in hidden
            for member in range(len(members[domain].members))
            if not may_see(self.machine, state, var, member, viewer)
        }

    def values(self, state: list[int], var: int, member: int) -> list[int]:
        at = self.at(var, member)
        return state[at : at + self.machine.program.vars[var].width]

    def at(self, var: int, member: int) -> int:
        found = self.machine.program.vars[var]
        return found.offset + member * found.width

    def alike(self, state: list[int], viewer: int) -> Iterator[tuple[int, tuple[int, ...], list[int]]]:
        """Members that differ, for a player, in nothing but what they are; and their variables that he does not see."""
        unseen = self.unseen(state, viewer)
        for domain, hidden in self.hidden.items():
            groups = defaultdict[Any, list[int]](list)
            for member in range(len(self.machine.program.domains[domain].members)):
                covered = [var for var in hidden if (var, member) in unseen]
                if covered:
                    shown = [var for var in (*hidden, *self.open[domain]) if var not in covered]
                    looks = [tuple(self.values(state, var, member)) for var in shown]
                    groups[tuple(covered), tuple(looks)].append(member)
            for (covered, _), members in groups.items():
                yield domain, covered, members

    def another(
        self, state: list[int], viewer: int, chance: Generator
    ) -> tuple[list[int], dict[tuple[int, int], int]] | None:
        """A world that a player cannot tell from this one, and for the cards of this one (by domain and number) those
        in their places there; none where nothing can change places.
        """
        found, renamed = self._shuffled(state, self._covers(state, viewer), chance)
        return None if found == state else (found, renamed)

    def ordered(self, state: list[int], viewer: int) -> list[int]:
        """The one world that stands for all those which a player cannot tell from this one: what he does not see lies
        in ascending order there, so it says nothing of how it really lies.
        """

        def ascending(covered: tuple[int, ...], members: list[int]) -> list[int]:
            return sorted(members, key=lambda member: [self.values(state, var, member) for var in covered])

        return self._rearranged(
            state, self._covers(state, viewer), ascending, partial(least, self.machine.program)
        )[0]

    def changing(self, state: list[int], viewer: int) -> list[Cover]:
        """What makes another world for a player where it changes places; none where there is only this world."""
        return [each for each in self._covers(state, viewer) if self._may_change(state, each)]

    def shuffled(self, state: list[int], covers: list[Cover], chance: Generator) -> list[int]:
        """The world in which all of this has changed places by chance."""
        return self._shuffled(state, covers, chance)[0]

    def each_value(self, state: list[int], covers: list[Cover]) -> Iterator[list[int]]:
        """Worlds in which one number or name that nobody shares is another, for each of its other values."""
        program = self.machine.program
        for cover in covers:
            for var in cover.vars if cover.shareless and len(cover.members) == 1 else ():
                kind = program.vars[var].type
                if program.vars[var].role != "field" or not isinstance(kind, Int | Id):
                    continue
                low, high = layout.bounds(program, kind)
                at = self.at(var, cover.members[0])
                for value in (*([NONE] if kind.optional else []), *range(low, high + 1)):
                    found = list(state)
                    layout.write(program, found, at, kind, value)
                    if found != state:
                        yield found

    def _may_change(self, state: list[int], cover: Cover) -> bool:
        """Is there another world, with other values in these places?"""
        if cover.shareless and len(cover.members) == 1:
            return any(isinstance(self.machine.program.vars[var].type, Int | Id) for var in cover.vars)
        rows = ([self.values(state, var, member) for var in cover.vars] for member in cover.members)
        first = next(rows)
        return any(row != first for row in rows)

    def _covers(self, state: list[int], viewer: int) -> list[Cover]:
        """What may change places for a player."""
        found: list[Cover] = []
        for domain, covered, members in self.alike(state, viewer):
            if domain in self.lying:
                found.append(Cover(covered, tuple(members), domain, False))
            elif domain not in self.kinds:
                shared = tuple(var for var in covered if var not in self.free)
                free = tuple(var for var in covered if var in self.free)
                found += [Cover(shared, tuple(members), None, True)] if shared else []
                found += [Cover(free, (member,), None, True) for member in members] if free else []
        found += [
            Cover(covered, tuple(members), None, False) for covered, members in self.veiled(state, viewer)
        ]
        alone = [var for var in self.alone if not may_see(self.machine, state, var, 0, viewer)]
        return [*found, *(Cover((var,), (0,), None, True) for var in alone)]

    def _shuffled(
        self, state: list[int], covers: list[Cover], chance: Generator
    ) -> tuple[list[int], dict[tuple[int, int], int]]:
        def shuffled(covered: tuple[int, ...], members: list[int]) -> list[int]:
            return chance.shuffled(members)

        def drawn(kind: Type) -> layout.Plain | None:
            if not isinstance(kind, Int | Id):
                return None
            low, high = layout.bounds(self.machine.program, kind)
            if kind.optional and not chance.below(high - low + 2):
                return NONE
            return low + chance.below(high - low + 1)

        return self._rearranged(state, covers, shuffled, drawn)

    def _rearranged(
        self,
        state: list[int],
        covers: list[Cover],
        arranged: Callable[[tuple[int, ...], list[int]], list[int]],
        value: Callable[[Type], layout.Plain | None],
    ) -> tuple[list[int], dict[tuple[int, int], int]]:
        """A world in which what a player does not see lies as `arranged` says of the variables that are covered and the
        members that look alike: in the place of each the values of another. What nobody shares becomes what `value`
        says of its type, if it says anything.
        """
        found, renamed = list(state), dict[tuple[int, int], int]()
        for cover in covers:
            members = list(cover.members)
            if cover.shareless and len(members) == 1:
                for var in cover.vars:
                    self._replace(found, var, members[0], value)
                continue
            places = arranged(cover.vars, members)
            if cover.lying is not None:
                pairs = zip(members, places, strict=True)
                renamed |= {(cover.lying, place): member for member, place in pairs}
            self._exchange(state, found, cover.vars, members, places)
        if found != state:
            self.rename(found, renamed)
        return found, renamed

    def _exchange(
        self,
        state: list[int],
        found: list[int],
        covered: tuple[int, ...],
        members: list[int],
        places: list[int],
    ) -> None:
        """Puts the covered values of each place where a member's are."""
        for var in covered:
            for member, place in zip(members, places, strict=True):
                values = self.values(state, var, place)
                at = self.at(var, member)
                found[at : at + len(values)] = values

    def veiled(self, state: list[int], viewer: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Pieces in play of one owner whose kind a player does not see; and all that he does not see of them."""
        program = self.machine.program
        unseen = self.unseen(state, viewer)
        for pool in program.pools:
            if pool.kind is None:
                continue
            owners = [index for index in self.open[pool.domain] if program.vars[index].name == "owner"]
            groups = defaultdict[Any, list[int]](list)
            for member in in_play(program, state, pool):
                covered = tuple(var for var in self.hidden[pool.domain] if (var, member) in unseen)
                if pool.kind in covered:
                    groups[covered, *(tuple(self.values(state, var, member)) for var in owners)].append(
                        member
                    )
            yield from ((covered, members) for (covered, *_), members in groups.items())

    def _replace(
        self, state: list[int], var: int, member: int, value: Callable[[Type], layout.Plain | None]
    ) -> None:
        """What nobody shares becomes another value of its type."""
        program = self.machine.program
        if program.vars[var].role != "field":
            return
        kind = program.vars[var].type
        changed = value(kind)
        if changed is not None:
            layout.write(program, state, self.at(var, member), kind, changed)

    def single(self, state: list[int], viewer: int) -> Iterator[list[int]]:
        """Worlds in which one number is another that a player does not see, for every such number and value."""
        alone = {(var, 0) for var in self.alone if not may_see(self.machine, state, var, 0, viewer)}
        for var, member in sorted(self.unseen(state, viewer) | alone):
            match self.machine.program.vars[var].type:
                case Int(low=low, high=high) as kind if self.machine.program.vars[var].role == "field":
                    for value in range(low, high + 1):
                        found = list(state)
                        layout.write(self.machine.program, found, self.at(var, member), kind, value)
                        if found != state:
                            yield found
                case _:
                    pass

    def rename(self, state: list[int], renamed: dict[tuple[int, int], int]) -> None:
        """What is under way goes on with those that took the places: the cards that somebody has picked so far,
        or that a loop still goes through.
        """
        program, at = self.machine.program, self.machine.program.frames
        while 0 <= at <= state[TOP]:
            routine = program.routines[state[at]]
            for offset, kind in zip(routine.offsets, routine.locals, strict=True):
                place = at + FRAME_HEAD + offset
                old = layout.read(program, state, place, kind)
                layout.write(program, state, place, kind, _renamed(kind, old, renamed))
            at += layout.frame_size(program, routine)


def _renamed(kind: Type, value: layout.Plain, renamed: dict[tuple[int, int], int]) -> layout.Plain:
    """A value that names others in the places of some members."""

    def other(domain: int, member: int) -> int:
        return renamed.get((domain, member), member)

    match kind, value:
        case Id(domain=domain), int():
            return other(domain, value)
        case SetOf(of=Id(domain=domain)), int():
            return sum(1 << other(domain, n) for n in bits(value))
        case ListOf(of=Id(domain=domain)), tuple():
            return tuple(other(domain, member) for member in value)
        case BagOf(domain=domain), tuple():
            counts = {other(domain, n): count for n, count in enumerate(value)}
            return tuple(counts[n] for n in range(len(value)))
        case Record(types=types), tuple():
            return tuple(
                other(of.domain, each) if isinstance(of, Id) else each
                for of, each in zip(types, value, strict=True)
            )
        case _:  # numbers, and lists of sets, which are constants
            return value


def least(program: Program, kind: Type) -> layout.Plain:
    """The value of a type that stands for all others: the least, none or nothing."""
    match kind:
        case Int() | Id():
            return NONE if kind.optional else layout.bounds(program, kind)[0]
        case SetOf():
            return 0
        case BagOf(domain=domain):
            return (0,) * len(program.domains[domain].members)
        case ListOf():
            return ()
        case Record(types=types):
            return tuple(NONE if each.optional else layout.bounds(program, each)[0] for each in types)
        case _:
            assert_never(kind)
