"""What each player and side has on the table, in words: its pieces by kind, with where they are and what is told of
them, what lies in cells for it, and how many regions it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from dsl.catalogue import N_, nearest, told, tr
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import Member, member_name, text_of
from dsl.engine.piles import in_play
from dsl.ir.program import Board, Pool, Var
from dsl.ir.types import NONE, Id, Int
from dsl.scene.fields import Fields
from dsl.scene.ground import outlined
from dsl.scene.standing import COMPASS, Standing

MOST_PLACES = 4
"""Of more pieces of one kind only those are told apart of which there is more to tell than where they are."""
MOST_APART = 12
"""So many pieces of one kind are told apart."""
Key = tuple[int, int, str]
"""A kind of pieces: their type, the row of their table, and what they are called."""
INSIDE = N_("in {what}")
NOWHERE = N_("off the board")
SO = N_("{what}: {result}")


@dataclass(frozen=True, slots=True)
class Group:
    """The pieces of one owner and kind."""

    name: str
    count: int
    apart: tuple[str, ...] = ()
    """Those that are told apart: where each is, and what is told of it."""
    lead: str = ""
    """What stands before it."""

    def __str__(self) -> str:
        """Such as `2 Rider (d4; d7, Damage 2)`."""
        counted = f"{self.count} {self.name}".rstrip() if self.count > 1 or not self.name else self.name
        return self.lead + (f"{counted} ({'; '.join(self.apart)})" if self.apart else counted)


class Forces:
    """What those who read `fields` know of the pieces of each player and side."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.eyes = fields.eyes
        self.program = fields.program
        self.language = fields.language

    def of_owners(self) -> dict[Member, list[Group]]:
        """For each player or side with pieces that lie in no pile, or with something in cells of a board, what it has,
        by kind, in the order of the tables; the players first. Of players who do not look only how many there are, and
        those of which there is more to tell than where they are.
        """
        kinds: dict[Member, dict[Key, list[list[str]]]] = {}
        for number, pool in enumerate(self.program.pools):
            for piece in in_play(self.program, self.eyes.state, pool) if self._stands(pool) else ():
                owner = self.eyes.owner_of(pool, piece)
                if owner is None or (where := self._where(pool, piece)) is None:
                    continue
                kind = self.eyes.kind(pool, piece)
                group = number, NONE if kind is None else kind[1], self.kind(pool, piece)
                alike = kinds.setdefault(self._alone(*owner), {}).setdefault(group, [])
                alike.append([where, *self.told(pool, piece)])
        for board in self.program.boards:
            for owner, lies, name, lies_at in self._lying(board):
                kinds.setdefault(self._alone(*owner), {}).setdefault((-1, lies, name), []).append(lies_at)
        return {
            owner: list(self._groups(owner, kinds[owner]))
            for owner in sorted(kinds, key=lambda each: (each[0] != self.program.players, each))
        }

    def _groups(self, owner: Member, kinds: dict[Key, list[list[str]]]) -> Iterator[Group]:
        """The pieces of an owner by kind; where several kinds are off the board those last, which is said once."""
        off = {
            key: [each[1:] for each in pieces if each[:1] == [self._nowhere]] for key, pieces in kinds.items()
        }
        several = sum(map(bool, off.values())) > 1
        for key, pieces in sorted(kinds.items()):
            here = [each for each in pieces if not several or each[:1] != [self._nowhere]]
            if here:
                yield self._group(owner, key[-1], here)
        lead = told(tr(SO, what=self._nowhere, result=""), nearest(self.language or self.program.language))
        for key, pieces in sorted(off.items()) if several else ():
            if pieces:
                yield replace(self._group(owner, key[-1], pieces, off=True), lead=lead)
                lead = ""

    @cached_property
    def _nowhere(self) -> str:
        return told(NOWHERE, nearest(self.language or self.program.language))

    def kind(self, pool: Pool, piece: int) -> str:
        """What a piece is called: by its kind, where it has one that the viewers see, else by its type."""
        label = text_of(self.program, self.program.domains[pool.domain].label, self.language)
        return printable(self.fields.kind(pool, piece) or label or pool.name)

    def _group(self, owner: Member, name: str, pieces: list[list[str]], *, off: bool = False) -> Group:
        viewers, (domain, member) = self.eyes.viewers, owner
        others = domain == self.program.players and viewers is not None and viewers != (member,)
        least = 2 if others or len(pieces) > MOST_PLACES else 1
        apart = [", ".join(each) for each in pieces if len(each) >= (1 if off else least)]
        more = ["…"] if len(apart) > MOST_APART else []
        return Group(name, len(pieces), (*apart[:MOST_APART], *more))

    def _alone(self, domain: int, member: int) -> Member:
        """A player, side or piece by itself, not as one of a union."""
        for part in self.program.domains[domain].parts:
            size = len(self.program.domains[part].members)
            if member < size:
                return self._alone(part, member)
            member -= size
        return domain, member

    # ------------------------------------------------------------ where pieces are

    def _stands(self, pool: Pool) -> bool:
        return pool.pile is None and self._field(pool, "at") is not None

    def _field(self, pool: Pool, name: str) -> tuple[int, int] | None:
        """A field of pieces that holds a member of a domain: its number, and the domain."""
        found = (
            (index, var.type.domain)
            for index, var in self.fields.all
            if var.of == pool.domain and var.name == name and isinstance(var.type, Id)
        )
        return next(found, None)

    def _where(self, pool: Pool, piece: int) -> str | None:
        """Where a piece is, in words; none where the viewers may not know."""
        spoken = nearest(self.language or self.program.language)
        for field, way in (
            (self._field(pool, "at"), "{what}"),
            (self._field(pool, "in"), told(INSIDE, spoken)),
        ):
            if field is None:
                continue
            if not self.eyes.see(field[0], piece):
                return None
            if (place := self.eyes.scalar(field[0], piece)) != NONE:
                return way.format(what=self._named(field[1], place))
        return self._nowhere

    def _named(self, domain: int, member: int) -> str:
        """A place, or a piece by its kind."""
        domain, member = self._alone(domain, member)
        pool = next((each for each in self.program.pools if each.domain == domain), None)
        if pool is not None:
            return self.kind(pool, member)
        return printable(member_name(self.program, domain, member, self.language))

    # ------------------------------------------------------------ what is told of them

    def told(self, pool: Pool, piece: int) -> list[str]:
        """What is told of a piece: why only its outline is drawn, and its fields with words, but where it is, whose it
        is and what it faces, and what most pieces of its type say alike, unless that is a number or a truth.
        """
        why = outlined(self.eyes, pool, piece)
        found = [] if why is None else [printable(member_name(self.program, *why, self.language))]
        for index in self._telling(pool):
            pair = self.fields.of_field(index, piece)
            if pair is not None and pair[1] != self._usual.get(index):
                found.append(" ".join(filter(None, pair)))
        return found

    def beside(self, pool: Pool, card: int) -> list[str]:
        """What is told of a card in a pile, and the pieces that it holds."""
        return [
            *self.told(pool, card),
            *(self.kind(*each) for each in self._held.get((pool.domain, card), [])),
        ]

    @cached_property
    def _held(self) -> dict[tuple[int, int], list[tuple[Pool, int]]]:
        """For each piece those that lie in it, as far as the viewers may know."""
        found: dict[tuple[int, int], list[tuple[Pool, int]]] = {}
        for pool in self.program.pools:
            if (field := self._field(pool, "in")) is None:
                continue
            for piece in in_play(self.program, self.eyes.state, pool):
                if (holder := self.eyes.scalar(field[0], piece)) != NONE:
                    found.setdefault(self._alone(field[1], holder), []).append((pool, piece))
        return found

    def _telling(self, pool: Pool) -> list[int]:
        return [
            index
            for index, var in self.fields.all
            if var.of == pool.domain and var.label is not None and not self._placed(var)
        ]

    def _placed(self, var: Var) -> bool:
        """Does a field of pieces say where one is, whose, or what it faces?"""
        if not isinstance(var.type, Id):
            return False
        members = self.program.domains[var.type.domain].members
        faces = all(each in COMPASS for each in members)
        return var.name in {"at", "in"} or self.eyes.owns(var.type.domain) or faces

    @cached_property
    def _usual(self) -> dict[int, str]:
        """For each field of pieces that holds no number and no truth the value, in words, that most of them have."""
        found: dict[int, str] = {}
        for pool in self.program.pools:
            pieces = in_play(self.program, self.eyes.state, pool)
            for index in self._telling(pool):
                kind = self.program.vars[index].type
                if isinstance(kind, Int):
                    continue  # a truth left out where it holds of most would seem to hold of none
                values = Counter(pair[1] for each in pieces if (pair := self.fields.of_field(index, each)))
                for value, count in values.most_common(1):
                    if 2 * count > len(pieces):
                        found[index] = value
        return found

    # ------------------------------------------------------------ what lies in cells

    def _lying(self, board: Board) -> Iterator[tuple[Member, int, str, list[str]]]:
        """Whose each cell is that a field gives to somebody, and what lies there by another one, or what the field is
        called, if it is, and then, among pieces, where; of regions see `Fields.of_players`.
        """
        if board.shape == "regions":
            return
        fields = [
            (index, var, var.type.domain)
            for index, var in self.fields.all
            if var.of == board.domain and isinstance(var.type, Id)
        ]
        owner = next((each for each in fields if self.eyes.owns(each[2])), None)
        thing = next((each for each in fields if not self.eyes.owns(each[2]) and each[1].name != "at"), None)
        for cell in range(len(self.program.domains[board.domain].members) if owner is not None else 0):
            assert owner is not None
            if (holder := self.eyes.scalar(owner[0], cell)) == NONE:
                continue
            lies = NONE if thing is None else self.eyes.scalar(thing[0], cell)
            if thing is not None and lies != NONE:
                yield (owner[2], holder), lies, self._named(thing[2], lies), []
            else:
                called = owner[1].label is not None
                where = [self._named(board.domain, cell)] if called and self.program.pools else []
                yield (owner[2], holder), NONE, self.fields.name(owner[1]) if called else "", where

    def of_regions(self) -> dict[Member, list[tuple[str, str]]]:
        """For each player or side that holds regions how many they are, by the words of the field that says whose a
        region is, and the sum of what stands there, by those of the first number of regions.
        """
        found: dict[Member, list[tuple[str, str]]] = {}
        for board in self.program.boards if self.fields.worded else ():
            if board.shape != "regions":
                continue
            eyes = self.eyes
            standing = Standing(eyes.machine, eyes.state, eyes.viewers, self.language, board)
            field, number = standing.holder_field(), standing.number()
            if field is None or self.program.vars[field].label is None:
                continue
            held: dict[Member, list[int]] = {}
            for cell, owner in standing.holders().items():
                held.setdefault(self._alone(*owner), []).append(cell)
            for owner, cells in held.items():
                pairs = found.setdefault(owner, [])
                pairs.append((self.fields.name(self.program.vars[field]), str(len(cells))))
                if number is not None:
                    counts = [eyes.scalar(number, cell) for cell in cells]
                    total = sum(each for each in counts if each != NONE)
                    pairs.append((self.fields.name(self.program.vars[number]), str(total)))
        return found
