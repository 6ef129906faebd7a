"""Worlds that a player cannot tell from the one that is: all that he may not see changes places in them.

Of the members that look alike to him (the cards of the other hand and of both decks, say) the hidden values are
exchanged; a hidden value that nobody shares, or that says nothing of the others (`free_fields`), becomes another of its
type (`dsl.engine.other_values`), since not even how much is in a hidden set, bag or list is known. Pieces in play whose
kind he does not see need not look alike for that: those of one owner change kinds, with all else that he does not see
of them, and those of one supply with what is left in it. What is hidden, the program says: the variables with an
audience.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.chance import Generator
from dsl.engine.free_fields import free_fields
from dsl.engine.other_values import drawn, every, least, neighbours, number_of, size
from dsl.engine.piles import in_play, supply
from dsl.engine.views import may_see
from dsl.ir.program import FRAME_HEAD, TOP
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type

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
    sizes: tuple[tuple[int, ...], ...] = ()
    """How much is in the values of each variable that he does see, of other members: sets, bags and lists only."""


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

        return self._rearranged(state, self._covers(state, viewer), ascending, self._least)[0]

    def changing(self, state: list[int], viewer: int) -> list[Cover]:
        """What makes another world for a player where it changes places; none where there is only this world."""
        return [each for each in self._covers(state, viewer) if self._may_change(state, each)]

    def shuffled(self, state: list[int], covers: list[Cover], chance: Generator) -> list[int]:
        """The world in which all of this has changed places by chance."""
        return self._shuffled(state, covers, chance)[0]

    def turned(self, state: list[int], covers: list[Cover], most: int) -> Iterator[list[int]]:
        """Worlds in which all that changes places, but cards in piles, has moved on by so many places: once everything
        has been in the place of everything else, or in `most` worlds.
        """
        turning = [each for each in covers if each.lying is None and len(each.members) > 1]
        longest = max((len(each.members) for each in turning), default=1)
        worlds = min(longest - 1, most)
        for n in range(1, worlds + 1):
            turn = n * longest // (worlds + 1)

            def arranged(covered: tuple[int, ...], members: list[int], turn: int = turn) -> list[int]:
                return [members[(k + turn) % len(members)] for k in range(len(members))]

            yield self._rearranged(state, turning, arranged, self._least)[0]

    def _least(self, kind: Type, sizes: tuple[int, ...]) -> layout.Plain:
        return least(self.machine.program, kind)

    def together(self, state: list[int], covers: list[Cover], most: int) -> list[list[int]]:
        """Worlds with all that the values which nobody shares may be together; none where they are more than `most`."""
        program = self.machine.program
        places = [
            (var, cover.members[0])
            for cover in covers
            for var in (cover.vars if cover.shareless and len(cover.members) == 1 else ())
            if program.vars[var].role == "field"
        ]
        values = [every(program, program.vars[var].type, most) for var, _ in places]
        known = [each for each in values if each is not None]
        if not places or len(known) < len(places) or number_of(known) > most:
            return []
        found = []
        for taken in product(*known):
            world = list(state)
            for (var, member), value in zip(places, taken, strict=True):
                layout.write(program, world, self.at(var, member), program.vars[var].type, value)
            found.append(world)
        return found

    def each_value(self, state: list[int], covers: list[Cover]) -> Iterator[list[int]]:
        """Worlds in which one value that nobody shares is another: a number or name each other one, of what holds
        several one member or item.
        """
        for cover in covers:
            for var in cover.vars if cover.shareless and len(cover.members) == 1 else ():
                yield from self._each_other(state, var, cover.members[0])

    def _each_other(self, state: list[int], var: int, member: int) -> Iterator[list[int]]:
        """Worlds in which one value is another, near to what it is."""
        program, at = self.machine.program, self.at(var, member)
        kind = program.vars[var].type
        if program.vars[var].role != "field":
            return
        for value in neighbours(program, kind, layout.read(program, state, at, kind)):
            found = list(state)
            layout.write(program, found, at, kind, value)
            yield found

    def _may_change(self, state: list[int], cover: Cover) -> bool:
        """Is there another world, with other values in these places?"""
        if cover.shareless and len(cover.members) == 1:
            return any(self.machine.program.vars[var].role == "field" for var in cover.vars)
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
                sizes = dict(zip(covered, self._sizes(state, covered, viewer), strict=True))
                for vars_, each in ((shared, [tuple(members)]), (free, [(member,) for member in members])):
                    seen = tuple(sizes[var] for var in vars_)
                    found += [Cover(vars_, of, None, True, seen) for of in each] if vars_ else []
        found += [
            Cover(covered, tuple(members), None, False) for covered, members in self.veiled(state, viewer)
        ]
        alone = [var for var in self.alone if not may_see(self.machine, state, var, 0, viewer)]
        return [*found, *(Cover((var,), (0,), None, True, ((),)) for var in alone)]

    def _sizes(self, state: list[int], covered: tuple[int, ...], viewer: int) -> Iterator[tuple[int, ...]]:
        """For each variable how much is in those of its values that a player sees."""
        program = self.machine.program
        for var in covered:
            kind, of = program.vars[var].type, program.vars[var].of
            several = isinstance(kind, SetOf | BagOf | ListOf) and of is not None
            yield tuple(
                size(kind, layout.read(program, state, self.at(var, member), kind))
                for member in range(len(program.domains[of].members) if several and of is not None else 0)
                if may_see(self.machine, state, var, member, viewer)
            )

    def _shuffled(
        self, state: list[int], covers: list[Cover], chance: Generator
    ) -> tuple[list[int], dict[tuple[int, int], int]]:
        def shuffled(covered: tuple[int, ...], members: list[int]) -> list[int]:
            return chance.shuffled(members)

        def value(kind: Type, sizes: tuple[int, ...]) -> layout.Plain:
            return drawn(self.machine.program, kind, sizes, chance)

        return self._rearranged(state, covers, shuffled, value)

    def _rearranged(
        self,
        state: list[int],
        covers: list[Cover],
        arranged: Callable[[tuple[int, ...], list[int]], list[int]],
        value: Callable[[Type, tuple[int, ...]], layout.Plain],
    ) -> tuple[list[int], dict[tuple[int, int], int]]:
        """A world in which what a player does not see lies as `arranged` says of the variables that are covered and the
        members that look alike: in the place of each the values of another. What nobody shares becomes what `value`
        says of its type, and of how much is in others of it.
        """
        found, renamed = list(state), dict[tuple[int, int], int]()
        for cover in covers:
            members = list(cover.members)
            if cover.shareless and len(members) == 1:
                for var, sizes in zip(cover.vars, cover.sizes, strict=True):
                    kind = self.machine.program.vars[var]
                    if kind.role == "field":
                        at = self.at(var, members[0])
                        layout.write(self.machine.program, found, at, kind.type, value(kind.type, sizes))
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
        """Pieces whose kind a player does not see, and all that he does not see of them: those in play of one owner, or
        where something is left in the supply that they come from, all from there with what is left.
        """
        program = self.machine.program
        unseen = self.unseen(state, viewer)
        for pool in program.pools:
            if pool.kind is None:
                continue
            left = defaultdict[int, list[int]](list)
            for member in supply(program, state, pool):
                left[pool.supplies[member] if pool.supplies else 0].append(member)
            owners = [index for index in self.open[pool.domain] if program.vars[index].name == "owner"]
            groups = defaultdict[Any, list[int]](list)
            for member in in_play(program, state, pool):
                covered = tuple(var for var in self.hidden[pool.domain] if (var, member) in unseen)
                if pool.kind in covered:
                    number = pool.supplies[member] if pool.supplies else 0
                    apart = () if left[number] else (tuple(self.values(state, var, member)) for var in owners)
                    groups[covered, number, *apart].append(member)
            for (covered, number, *_), members in groups.items():
                others = left.pop(number, [])
                like = [each for each in others if all((var, each) in unseen for var in covered)]
                yield covered, sorted([*members, *like])

    def single(self, state: list[int], viewer: int) -> Iterator[list[int]]:
        """Worlds in which one value is another that a player does not see, for every such value: first all numbers,
        last the names, since a board may have many.
        """
        alone = {(var, 0) for var in self.alone if not may_see(self.machine, state, var, 0, viewer)}
        kinds = self.machine.program.vars

        def rank(cell: Cell) -> tuple[int, Cell]:
            kind = kinds[cell[0]].type
            return (0 if isinstance(kind, Int) else 2 if isinstance(kind, Id) else 1), cell

        for var, member in sorted(self.unseen(state, viewer) | alone, key=rank):
            yield from self._each_other(state, var, member)

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
