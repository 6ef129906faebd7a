"""What fields and piles tell some viewers, in words: the facts of the tables, the panels of players, and the zones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from dsl.diagnostics.excerpt import printable
from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.display import HIDDEN, member_name, text_of, worded
from dsl.engine.piles import cards_in, pile_words, player_of
from dsl.ir.program import Pool, Program, Var
from dsl.ir.types import NONE, Id, Int, ListOf, Record, SetOf, Type
from dsl.scene.eyes import Eyes

BLANK = "·"
MOST_NAMES = 6
"""So many members of a set are named."""
MOST_MEMBERS = 12
"""Of things with more members than these no fields are told beside the board."""
Columns = list[tuple[int, Var]]
"""Fields, each with its number."""


class Fields:
    """The fields of a game as viewers see them, with `undrawn` those too that are never drawn; `hidden` is what they
    read in place of what they may not see.
    """

    def __init__(self, eyes: Eyes, language: str, hidden: str = HIDDEN, *, undrawn: bool = False) -> None:
        self.eyes = eyes
        self.program: Program = eyes.program
        self.language = language
        self.hidden = hidden
        self.all: Columns = [
            (index, var)
            for index, var in enumerate(self.program.vars)
            if var.role == "field" and (var.drawn or undrawn)
        ]

    @cached_property
    def worded(self) -> bool:
        """Have fields of the game words for players? Then those without are the rules' own."""
        return any(var.label is not None for _, var in self.all)

    # ------------------------------------------------------------ one field

    def name(self, var: Var) -> str:
        """What a field is called."""
        return printable(text_of(self.program, var.label, self.language) or var.name.replace("_", " "))

    def says(self, index: int, member: int, *, zero: bool = True) -> bool:
        """Does a field hold something? A number does, and 0 if `zero`."""
        kind, value = self.program.vars[index].type, self.eyes.value(index, member)
        return not self.eyes.see(index, member) or _holds(kind, value, zero=zero)

    def shown(self, index: int, member: int) -> str:
        """The value of a field in words."""
        if not self.eyes.see(index, member):
            return self.hidden
        return self.told(self.program.vars[index].type, self.eyes.value(index, member))

    def told(self, kind: Type, value: layout.Plain) -> str:
        """A value of a type in words; of a set of many members how many it has, and the first."""
        if isinstance(kind, SetOf) and isinstance(value, int) and value:
            return printable(self._listed(kind, value))
        if value == NONE or (not isinstance(value, int) and not _holds(kind, value)):
            return BLANK
        return printable(worded(self.program, kind, value, self.language))

    def _listed(self, kind: SetOf, value: int) -> str:
        """The members of a set; of many how many, and the first."""
        found = list(bits(value, layout.low_of(self.program, kind)))
        names = [worded(self.program, kind.of, each, self.language) for each in found[:MOST_NAMES]]
        if len(found) <= MOST_NAMES:
            return ", ".join(names)
        return f"{len(found)} ({', '.join(names)}, …)"

    # ------------------------------------------------------------ which are told

    def telling(self, columns: Columns, rows: list[int], *, whole: bool = True) -> Columns:
        """The fields to be told: all of a game in which none has words for players; else those with words that are
        not none, no or empty for all, and with `whole` those without words that are not 0 either.
        """
        if not self.worded or (whole and all(var.label is None for _, var in columns)):
            return columns
        return [
            (index, var)
            for index, var in columns
            if (whole or var.label is not None)
            and any(self.says(index, member, zero=var.label is not None) for member in rows)
        ]

    def of_game(self, *, whole: bool = False, briefly: bool = False) -> list[tuple[str, str]]:
        """The game's own fields, each with its value; with `whole` those without words too. What is told `briefly` has
        none of those with words, where several play, that are 0: they count what goes on at times only, and what a
        player has is a field of the player's.
        """
        own = [(index, var) for index, var in self.all if var.of is None]
        if briefly and self.worded and len(self.seated()) > 1:
            own = [(index, var) for index, var in own if not self._nought(index, var)]
        return [(self.name(var), self.shown(index, 0)) for index, var in self.telling(own, [0], whole=whole)]

    def _nought(self, index: int, var: Var) -> bool:
        """Is it a number, 0, and seen?"""
        number = isinstance(var.type, Int) and not var.type.truth
        return number and self.eyes.see(index, 0) and self.eyes.value(index, 0) == 0

    def seated(self) -> list[int]:
        """The players who take part."""
        rows = list(range(len(self.program.domains[self.program.players].members)))
        seats = next((n for n, var in enumerate(self.program.vars) if var.role == "seats"), None)
        if seats is None:
            return rows
        value = self.eyes.value(seats, 0)
        return [each for each in rows if isinstance(value, int) and value >> each & 1]

    def of_players(self) -> Iterator[tuple[int, list[tuple[str, str]]]]:
        """Of each player who takes part the fields with words for players, but those that are 0 for all."""
        rows = self.seated()
        told = [
            (index, var)
            for index, var in self.all
            if var.of == self.program.players
            and var.label is not None
            and any(self.eyes.see(index, row) and self.says(index, row, zero=False) for row in rows)
        ]
        for member in rows if told else ():
            yield member, [(self.name(var), self.shown(index, member)) for index, var in told]

    def of_member(self, domain: int, member: int) -> list[tuple[str, str]]:
        """Of a piece or a cell the fields with words for players that hold something; of a truth its name alone."""
        fields = [index for index, var in self.all if var.of == domain and var.label is not None]
        return [pair for index in fields if (pair := self.of_field(index, member)) is not None]

    def of_field(self, index: int, member: int) -> tuple[str, str] | None:
        """A field of a member and its value, of a truth its name alone; none where it is hidden or holds nothing."""
        if not self.eyes.see(index, member) or not self.says(index, member, zero=False):
            return None
        var = self.program.vars[index]
        truth = isinstance(var.type, Int) and var.type.truth
        return self.name(var), "" if truth else self.shown(index, member)

    def of_things(self) -> list[tuple[str, str]]:
        """The fields with words of what is no player, cell or piece, such as sides: `army · Troops` and a value."""
        apart = {self.program.players, *(each.domain for each in self.program.boards)}
        apart |= {each.domain for each in self.program.pools}
        found = []
        for domain in dict.fromkeys(var.of for _, var in self.all if var.label is not None):
            if domain is None or domain in apart:
                continue
            count = len(self.program.domains[domain].members)
            for member in range(count if count <= MOST_MEMBERS else 0):
                name = printable(member_name(self.program, domain, member, self.language))
                for field, value in self.of_member(domain, member):
                    found.append((f"{name} · {field}", value))
        return found

    # ------------------------------------------------------------ piles

    def piles_told(self) -> Iterator[tuple[int | None, str, str, int, Pool, list[int]]]:
        """The piles that have cards, with whose each is (none: nobody's), what it is called, with its owner and
        without, how many cards it has, and those that are seen. Where some piles have words for players,
        those without are the rules' own.
        """
        seated = self.seated()
        piles = list(self.piles())
        named = any(pool.piles[pile] != label for pool, pile, label, _, _ in piles)
        for pool, pile, label, cards, seen in piles:
            owner = player_of(self.program, pool, pile)
            if cards and (label != pool.piles[pile] or not named) and (owner is None or owner in seated):
                called = pile_words(self.program, pool, pile, self.language)
                yield owner, label, called, len(cards), pool, seen

    def piles(self) -> Iterator[tuple[Pool, int, str, list[int], list[int]]]:
        """Each pile: its pool, its number, what it is called, its cards, and those seen, the top one first."""
        for pool in self.program.pools:
            if pool.pile is None or pool.order is None:
                continue
            kind = self.program.vars[pool.pile].type
            for pile, plain in enumerate(pool.piles):
                called = isinstance(kind, Id) and member_name(self.program, kind.domain, pile, self.language)
                cards = cards_in(self.program, self.eyes.state, pool, pile)
                seen = [card for card in cards if self.eyes.see(pool.pile, card)]
                if seen and not self.eyes.see(pool.order, cards[0]):
                    seen.sort(key=lambda card: (self.card(pool, card), card))
                yield pool, pile, called or plain, cards, seen

    def card(self, pool: Pool, card: int) -> str:
        """What a card is called: by its kind, where its pool has kinds and they may be seen."""
        return self.kind(pool, card) or member_name(self.program, pool.domain, card, self.language)

    def kind(self, pool: Pool, piece: int) -> str:
        """What kind of piece it is, in words; empty where its pool has no kinds, or the viewers do not see it."""
        kind = self.eyes.kind(pool, piece)
        return "" if kind is None else member_name(self.program, *kind, self.language)


def _holds(kind: Type, value: layout.Plain, *, zero: bool = True) -> bool:
    """Does a value of a type say something? A list that has an element does, whatever it is."""
    match kind:
        case ListOf():
            return not isinstance(value, int) and len(value) > 0
        case Record(types=types):
            return not isinstance(value, int) and any(
                _holds(part, each, zero=zero) for part, each in zip(types, value, strict=True)
            )
        case _ if not isinstance(value, int):
            return any(value)
        case SetOf():
            return value not in {0, NONE}
        case Int(truth=truth) if truth or not zero:
            return value not in {0, NONE}
        case _:
            return value != NONE
