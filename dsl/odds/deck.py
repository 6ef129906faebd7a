"""Piles whose order is open: where a card lies is only decided when the rules come to ask for it.

A shuffled pile of n cards has n! orders, and most games look at the first few cards. So the places of its cards are
objects, not numbers. One that is asked "are you number k?" asks its deck who lies there, which is one question to
chance with as many answers as there are cards left; cards that nobody asks about stay open. Any other use decides
where that card lies. So every answer has its true probability, whatever is asked, and in whatever order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Among = Callable[[Sequence[int]], int]
"""Which of some possibilities chance gives, by their weights."""


class Deck:
    """The cards that were shuffled together and the places that they share out, counted as they were shuffled."""

    def __init__(self, cards: Sequence[int], among: Among) -> None:
        self.among = among
        self.open = sorted(cards)
        self.free = list(range(len(cards)))
        self.known: dict[int, int] = {}

    def copy(self, among: Among) -> Deck:
        """The same deck for another way through chance."""
        found = Deck((), among)
        found.open, found.free, found.known = list(self.open), list(self.free), dict(self.known)
        return found

    def where(self, card: int) -> int:
        """Where a card lies."""
        if card not in self.known:
            self._settle(card, self.free[self.among((1,) * len(self.free))])
        return self.known[card]

    def lies_at(self, card: int, place: int) -> bool:
        """Does a card lie there? Decides which one does."""
        if card not in self.known and place in self.free:
            self._settle(self.open[self.among((1,) * len(self.open))], place)
        return self.known.get(card) == place

    def _settle(self, card: int, place: int) -> None:
        self.known[card] = place
        self.open.remove(card)
        self.free.remove(place)
        if len(self.open) == 1:
            self.known[self.open.pop()] = self.free.pop()


class Unsettled:
    """What stands in a slot in place of a number that is not decided yet: any use asks for it (`__index__`).

    It is no `int`, so that nothing can take it for a number without asking.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __index__(self) -> int:
        raise NotImplementedError

    def __int__(self) -> int:
        return self.__index__()

    def __bool__(self) -> bool:
        return self != 0

    def __eq__(self, other: object) -> bool:
        return int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: int) -> bool:
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        return int(self) <= int(other)

    def __gt__(self, other: int) -> bool:
        return int(self) > int(other)

    def __ge__(self, other: int) -> bool:
        return int(self) >= int(other)

    def __add__(self, other: int) -> int | Unsettled:
        return int(self) + int(other)

    def __sub__(self, other: int) -> int | Unsettled:
        return int(self) - int(other)

    def __radd__(self, other: int) -> int | Unsettled:
        return self + other

    def __rsub__(self, other: int) -> int:
        return int(other) - int(self)

    def __neg__(self) -> int:
        return -int(self)

    def __mul__(self, other: int) -> int:
        return int(self) * int(other)

    def __and__(self, other: int) -> int:
        return int(self) & int(other)

    def __or__(self, other: int) -> int:
        return int(self) | int(other)

    def __xor__(self, other: int) -> int:
        return int(self) ^ int(other)

    def __lshift__(self, other: int) -> int:
        return int(self) << int(other)

    def __rshift__(self, other: int) -> int:
        return int(self) >> int(other)

    def __rlshift__(self, other: int) -> int:
        return int(other) << int(self)

    def __rrshift__(self, other: int) -> int:
        return int(other) >> int(self)

    def __floordiv__(self, other: int) -> int:
        return int(self) // int(other)

    def __mod__(self, other: int) -> int:
        return int(self) % int(other)

    __rmul__, __rand__, __ror__, __rxor__ = __mul__, __and__, __or__, __xor__


class Place(Unsettled):
    """Where a card lies, `moved` by so much since its deck was shuffled."""

    __slots__ = ("card", "deck", "moved")
    __hash__ = None

    def __init__(self, deck: Deck, card: int, moved: int = 0) -> None:
        self.deck, self.card, self.moved = deck, card, moved

    def __index__(self) -> int:
        return self.deck.where(self.card) + self.moved

    def __eq__(self, other: object) -> bool:
        return (
            self.deck.lies_at(self.card, int(other) - self.moved) if isinstance(other, int | Place) else False
        )

    def __gt__(self, other: int) -> bool:
        return self._beyond(int(other), above=True)

    def __lt__(self, other: int) -> bool:
        return self._beyond(int(other), above=False)

    def __add__(self, other: int) -> Place:
        return Place(self.deck, self.card, self.moved + int(other))

    def __sub__(self, other: int) -> Place:
        return Place(self.deck, self.card, self.moved - int(other))

    def _beyond(self, bound: int, *, above: bool) -> bool:
        """Is it above, or below, a bound? Where all places that are left agree nothing is decided."""
        known = self.deck.known.get(self.card)
        places = self.deck.free if known is None else (known,)
        answers = {(place + self.moved > bound if above else place + self.moved < bound) for place in places}
        if len(answers) == 1:
            return answers.pop()
        return int(self) > bound if above else int(self) < bound


def copied(state: Sequence[int], among: Among) -> list[int]:
    """A state to go one way from: its decks are its own."""
    found, decks = list(state), dict[int, Deck]()
    if _numbers(found):
        return found
    for slot, each in enumerate(found):
        if isinstance(each, Place):
            deck = decks.get(id(each.deck)) or each.deck.copy(among)
            decks[id(each.deck)] = deck
            _put(found, slot, Place(deck, each.card, each.moved))
    return found


def settled(state: list[int]) -> None:
    """Puts numbers for all places that are decided."""
    if _numbers(state):
        return
    for slot, each in enumerate(state):
        if isinstance(each, Place) and each.card in each.deck.known:
            state[slot] = int(each)


def key_of(state: Sequence[int]) -> tuple[object, ...]:
    """What two states have in common from which the same follows with the same probabilities: all slots, and for those
    that are open which deck they belong to and which places are left there.
    """
    if _numbers(state):
        return tuple(state)
    decks: dict[int, int] = {}
    found: list[object] = []
    slots: Sequence[object] = state
    for each in slots:
        if isinstance(each, Place):
            number = decks.setdefault(id(each.deck), len(decks))
            found.append((number, *(place + each.moved for place in each.deck.free)))
        else:
            found.append(id(each) if isinstance(each, Unsettled) else each)
    return tuple(found)


def _numbers(state: Sequence[int]) -> bool:
    """Does nothing stand there but numbers?"""
    return set(map(type, state)) <= {int, bool}


def _put(state: list[int], slot: int, value: Unsettled) -> None:
    """An engine's state is declared as integers; what stands for one in a search for all ways behaves as one."""
    state[slot] = value  # type: ignore[call-overload]
