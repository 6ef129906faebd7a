"""What stands in a game, and for whom: kinds in play, in piles and in bags, and places; without a line by the author.

    watcher = Watcher(program)          # once for a program
    held = watcher.game()
    held.look(state)                    # wherever somebody chooses, and where the game has ended

Whose a piece is says its field `owner`, else the player whose pile it lies in; where a piece stands, its field `at`. A
field of a place (or of a row) that holds a player makes it his, and a field of a player that holds a place, row or name
makes that his. In a bag each member counts as often as it is in it. What belongs to nobody is the player's where there
is only one.

Two stops are compared: what comes and goes between them is not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dsl.engine.bits import bits
from dsl.engine.display import member_name, text_of
from dsl.engine.kinds import kind_of
from dsl.engine.layout import low_of, members, read
from dsl.engine.piles import in_play, pile_words, player_of
from dsl.ir.program import Pool, Program, Var
from dsl.ir.types import NONE, BagOf, Id, SetOf

KIND, PLACE, RULE, FIRST = "kind", "place", "rule", "first"
GROUPS = (KIND, PLACE, RULE, FIRST)
NAMED = frozenset({"row", "enum", "cell", "shape", "union"})
"""The kinds of domains whose members count where a field of a player holds one."""
MOST_HOLDERS = 40
"""Of a bag for each of more members than so many it does not count whose it is."""


class Thing(NamedTuple):
    """Something that is counted: of which group, in what (a pile, a field; empty: in play), and its name."""

    group: str
    where: str
    name: str


Whose = tuple[int | None, Thing]
Standing = Counter[Whose]
Stands = Iterator[tuple[Whose, int]]


@dataclass(slots=True)
class Held:
    """How often something came and left, and what became of those who had it: all but `came` and `left` counts players
    of games, once each. What nobody owns has a game, and neither wins nor loses.
    """

    came: int = 0
    """Behind the first decision."""
    left: int = 0
    games: int = 0
    """Whoever had it at some time."""
    decided: int = 0
    """Of these, in a game that somebody won."""
    won: int = 0
    end: int = 0
    """Whoever had it when the game ended."""
    end_decided: int = 0
    end_won: int = 0

    def merge(self, other: Held) -> None:
        self.came += other.came
        self.left += other.left
        self.games += other.games
        self.decided += other.decided
        self.won += other.won
        self.end += other.end
        self.end_decided += other.end_decided
        self.end_won += other.end_won


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the state: from which slots on to which, and what stands there."""

    slots: tuple[tuple[int, int], ...]
    standing: Callable[[Sequence[int]], Stands]


class Watcher:
    """Sees what stands in the games of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.alone = len(program.domains[program.players].members) == 1
        boards = {each.domain for each in program.boards}
        self.places = boards | {domain for each in program.boards for domain, _ in each.shapes}
        self.places |= {n for n, each in enumerate(program.domains) if each.kind in {"cell", "shape"}}
        self.parts = tuple(self._parts())

    def game(self) -> Holding:
        """Nothing seen yet of a game."""
        return Holding(self)

    def _parts(self) -> Iterator[_Part]:
        program = self.program
        pooled = {each.domain for each in program.pools}
        for pool in program.pools:
            yield self._pieces(pool)
        for var in program.vars:
            if var.role == "field" and var.of not in pooled:
                found = self._field(var)
                if found is not None:
                    yield _Part((_slots(program, var),), found)

    # ------------------------------------------------------------ pieces

    def _pieces(self, pool: Pool) -> _Part:
        program = self.program
        fields = {each.name: each for each in program.vars if each.of == pool.domain and each.role == "field"}
        owner, at = (
            each if each is not None and isinstance(each.type, Id) else None
            for each in (fields.get("owner"), fields.get("at"))
        )
        pile = program.vars[pool.pile] if pool.pile is not None else None
        piles = [self._pile(pool, number) for number in range(len(pool.piles))] if pile is not None else []
        at_all = (program.vars[pool.in_play], owner, at, pile)
        kind = program.vars[pool.kind] if pool.kind is not None else None

        def standing(state: Sequence[int]) -> Stands:
            for piece in in_play(program, list(state), pool):
                lies = state[pile.offset + piece * pile.width] if pile is not None else NONE
                whose, where = piles[lies] if lies != NONE else (None, "")
                if owner is not None:
                    whose = self._player(owner, state[owner.offset + piece * owner.width])
                of = kind_of(program, state, pool, piece)
                name = pool.name if of is None else member_name(program, *of)
                yield (self._whose(whose), Thing(KIND, where, name)), 1
                spot = state[at.offset + piece * at.width] if at is not None else NONE
                if at is not None and spot != NONE and isinstance(at.type, Id):
                    place = Thing(PLACE, "", member_name(program, at.type.domain, spot))
                    yield (self._whose(whose), place), 1

        return _Part(tuple(_slots(program, each) for each in (*at_all, kind) if each is not None), standing)

    def _pile(self, pool: Pool, number: int) -> tuple[int | None, str]:
        """The player that a pile is of, and what it is called without him: of `hand(red)` `Hand`, not `Hand (Red)`."""
        assert pool.pile is not None
        program = self.program
        player, kind = player_of(program, pool, number), program.vars[pool.pile].type
        assert isinstance(kind, Id)
        whole = member_name(program, kind.domain, number)
        return player, whole if player is None else pile_words(program, pool, number)

    # ------------------------------------------------------------ fields

    def _field(self, var: Var) -> Callable[[Sequence[int]], Stands] | None:
        """What a field says to be whose; none where it says nothing of the kind."""
        program, kind = self.program, var.type
        label = text_of(program, var.label) or var.name
        of_player = var.of is not None and self._holds_players(var.of)
        if isinstance(kind, BagOf):
            return self._bag(var, label, kind.domain)
        if of_player and isinstance(kind, Id) and program.domains[kind.domain].kind in NAMED:
            group = PLACE if kind.domain in self.places else KIND
            if not self._holds_players(kind.domain):
                return self._one(var, Thing(group, label, ""), kind.domain)
        if of_player and isinstance(kind, SetOf) and isinstance(kind.of, Id):
            group = PLACE if kind.of.domain in self.places else KIND
            return self._several(var, Thing(group, label, ""), kind.of.domain, low_of(program, kind))
        if var.of is not None and isinstance(kind, Id) and self._holds_players(kind.domain) and not of_player:
            return self._owned(var, Thing(PLACE if var.of in self.places else KIND, label, ""), var.of)
        return None

    def _owned(self, var: Var, thing: Thing, domain: int) -> Callable[[Sequence[int]], Stands]:
        """A field of a place or row that holds a player."""
        names = self._names(domain)

        def standing(state: Sequence[int]) -> Stands:
            for member, name in enumerate(names):
                player = self._player(var, state[var.offset + member * var.width])
                if player is not None:
                    yield (player, thing._replace(name=name)), 1

        return standing

    def _one(self, var: Var, thing: Thing, domain: int) -> Callable[[Sequence[int]], Stands]:
        """A field of a player that holds a place, row or name."""
        names, players = self._names(domain), self._owners(var)

        def standing(state: Sequence[int]) -> Stands:
            for member, player in players:
                value = state[var.offset + member * var.width]
                if value != NONE and player is not None:
                    yield (player, thing._replace(name=names[value])), 1

        return standing

    def _several(self, var: Var, thing: Thing, domain: int, low: int) -> Callable[[Sequence[int]], Stands]:
        """A field of a player that holds a set."""
        names, players = self._names(domain), self._owners(var)

        def standing(state: Sequence[int]) -> Stands:
            for member, player in players:
                mask = read(self.program, list(state), var.offset + member * var.width, var.type)
                if isinstance(mask, int) and player is not None:
                    for each in bits(mask, low):
                        yield (player, thing._replace(name=names[each])), 1

        return standing

    def _bag(self, var: Var, label: str, domain: int) -> Callable[[Sequence[int]], Stands]:
        """A bag of a player, or of anything else, which is said then."""
        names = self._names(domain)
        holders: list[tuple[int, int | None, str]] = [(0, None, label)]
        if var.of is not None:
            holders = []
            called = self._names(var.of)
            for member, player in self._owners(var):
                tell = player is None and len(called) <= MOST_HOLDERS
                holders.append((member, player, f"{label} ({called[member]})" if tell else label))

        def standing(state: Sequence[int]) -> Stands:
            for member, player, where in holders:
                begin = var.offset + member * var.width
                for number, name in enumerate(names):
                    if state[begin + number]:
                        yield (self._whose(player), Thing(KIND, where, name)), state[begin + number]

        return standing

    # ------------------------------------------------------------ whose

    def _names(self, domain: int) -> list[str]:
        return [
            member_name(self.program, domain, member)
            for member in range(len(self.program.domains[domain].members))
        ]

    def _owners(self, var: Var) -> list[tuple[int, int | None]]:
        """Each member that a variable has a value for, and which player that is."""
        assert var.of is not None
        return [(member, self._player_of(var.of, member)) for member in range(members(self.program, var.of))]

    def _holds_players(self, domain: int) -> bool:
        parts = self.program.domains[domain].parts
        return domain == self.program.players or any(self._holds_players(each) for each in parts)

    def _player(self, var: Var, value: int) -> int | None:
        """The player that a variable holds; none where it holds none, or somebody else."""
        assert isinstance(var.type, Id)
        return None if value == NONE else self._player_of(var.type.domain, value)

    def _player_of(self, domain: int, member: int) -> int | None:
        """The player that a member of a domain, or of a union of domains, is."""
        if domain == self.program.players:
            return member
        for part in self.program.domains[domain].parts:
            size = len(self.program.domains[part].members)
            if member < size:
                return self._player_of(part, member)
            member -= size
        return None

    def _whose(self, player: int | None) -> int | None:
        return 0 if player is None and self.alone else player


class Holding:
    """What has stood in a game so far."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._slices: list[list[Sequence[int]]] = [[] for _ in watcher.parts]
        self._standing: list[Standing] = [Counter() for _ in watcher.parts]
        self._begun = False
        self.came: Standing = Counter()
        self.left: Standing = Counter()
        self.had: set[Whose] = set()

    def look(self, state: Sequence[int]) -> None:
        """Sees a state."""
        for number, part in enumerate(self._watcher.parts):
            slices = [state[begin:behind] for begin, behind in part.slots]
            if slices == self._slices[number]:
                continue
            self._slices[number] = slices
            before, now = self._standing[number], Standing()
            for whose, count in part.standing(state):
                now[whose] += count
            self._standing[number] = now
            self.had.update(now)
            if self._begun:
                self.came += now - before
                self.left += before - now
        self._begun = True

    @property
    def now(self) -> set[Whose]:
        """What stands, and for whom."""
        return {whose for each in self._standing for whose in each}


def _slots(program: Program, var: Var) -> tuple[int, int]:
    count = 1 if var.of is None else members(program, var.of)
    return var.offset, var.offset + count * var.width
