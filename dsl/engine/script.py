"""Chance that a test dictates: what dice, random choices and shuffles yield, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from dsl.catalogue import tr
from dsl.engine.failure import ScriptError
from dsl.records import record

if TYPE_CHECKING:
    from dsl.engine.picking import Elements

Given = TypeVar("Given")


@record(frozen=True, slots=True)
class Wanted:
    """A member of a domain, as a test names it."""

    domain: int
    number: int


class Script:
    """Scripted values are taken in order; one that is missing, or that chance could not give, is an error.

    `rolls`: one number for each throw that is read as a sum (of one die or of several), one for each die
    where the dice are read one by one. `picks`: the element chosen, or what is
    `Wanted`, where there are several. `shuffles`:
    cards of the pile from the top; those that are not named follow in the order in which they lay. A number below
    zero is a kind (`a_kind`): the first card of it in the pile that is not named before.
    """

    def __init__(
        self,
        rolls: Iterable[int] = (),
        picks: Iterable[int | Wanted] = (),
        shuffles: Iterable[Sequence[int]] = (),
    ) -> None:
        self._rolls = list(rolls)
        self._picks = list(picks)
        self._shuffles = [tuple(order) for order in shuffles]
        self.drawn: list[int] = []
        """What the generator would have drawn for all that was given."""

    in_order = True
    """Do the cards of a pile come to a shuffle in the order in which they lie?"""

    def add(self, kind: str, values: Sequence[int], domain: int | None = None) -> None:
        """More of what chance will give: `rolls`, `picks` (of a domain, if one is said), or the cards of one of the
        `shuffles`.
        """
        match kind:
            case "rolls":
                self._rolls += values
            case "picks":
                self._picks += values if domain is None else [Wanted(domain, each) for each in values]
            case "shuffles":
                self._shuffles.append(tuple(values))
            case _:
                raise ValueError(f"chance has no {kind}")

    def copy(self) -> Script:
        found = Script(self._rolls, self._picks, self._shuffles)
        found.drawn = list(self.drawn)
        return found

    def left(self) -> dict[str, int]:
        """How many rolls, picks and shuffles were scripted and never asked for, by the kinds of lines."""
        counts = {"rolls": len(self._rolls), "picks": len(self._picks), "shuffles": len(self._shuffles)}
        return {kind: count for kind, count in counts.items() if count}

    def roll(self, low: int, high: int) -> int:
        """The sum of `low` dice, at most `high`."""
        dice = f"{low}d{high // low}"
        value = _next(self._rolls, "roll", f"{dice}, from {low} to {high}")
        if not low <= value <= high:
            raise ScriptError(
                tr(
                    "the roll {value} of {dice} is not from {low} to {high}",
                    value=value,
                    dice=dice,
                    low=low,
                    high=high,
                )
            )
        self.drawn += _dice(value, low, high // low)
        return value

    def roll_each(self, count: int, sides: int) -> list[int]:
        """Some dice that are read one by one."""
        return [self.roll(1, sides) for _ in range(count)]

    def pick(self, elements: Sequence[int], weights: Sequence[int] = (), of: Elements | None = None) -> int:
        """One of some elements; what they are `of` says how they are named."""
        wanted = elements[0] if len(elements) == 1 else _next(self._picks, "pick", f"one of {len(elements)}")
        value = of.meant(wanted, elements) if isinstance(wanted, Wanted) and of is not None else wanted
        if not isinstance(value, int) or value not in elements:
            word = str if of is None else of.word
            named = ", ".join(dict.fromkeys(map(word, elements)))
            raise ScriptError(tr("the pick {value} is not among {map}", value=word(wanted), map=named))
        before = elements.index(value)
        self.drawn.append(sum(weights[:before]) if weights else before)
        return value

    def shuffle(self, cards: list[int], kinds: Sequence[int] = (), names: Sequence[str] = ()) -> list[int]:
        """The order of a pile, whose cards are of some kinds, which have names."""
        if not self._shuffles:
            among = tr(", among them {names}", names=names[kinds[cards[0]]]) if names and kinds else ""
            raise ScriptError(tr("a shuffle is missing: {count} cards{among}", count=len(cards), among=among))
        first: list[int] = []
        for wanted in self._shuffles.pop(0):
            first.append(wanted if wanted >= 0 else _of_kind(a_kind(wanted), cards, first, kinds, names))
        if not set(first) <= set(cards) or len(set(first)) != len(first):
            raise ScriptError(
                tr("the order {map} is not of cards in that pile", map=", ".join(map(str, first)))
            )
        order = [*first, *(card for card in cards if card not in first)]
        self.drawn += _swaps(cards, order)
        return order

    def places(self, cards: Sequence[int]) -> Sequence[int]:
        """Where each of some cards lies that were shuffled into this order."""
        return range(len(cards))


def a_kind(number: int) -> int:
    """A kind as it stands among the cards of a shuffle, and back."""
    return -1 - number


def _of_kind(
    kind: int, cards: Sequence[int], named: Sequence[int], kinds: Sequence[int], names: Sequence[str]
) -> int:
    """The first card of a kind that is not named yet."""
    found = next((card for card in cards if kinds[card] == kind and card not in named), None)
    if found is None:
        again = tr("no other") if any(kinds[card] == kind for card in named) else tr("no")
        raise ScriptError(
            tr("there is {again} `{names}` in the pile that is shuffled", again=again, names=names[kind])
        )
    return found


def _dice(total: int, count: int, sides: int) -> list[int]:
    """Draws of so many dice that come to a sum."""
    found = []
    for left in range(count - 1, -1, -1):
        die = min(sides, total - left)
        found.append(die - 1)
        total -= die
    return found


def _swaps(cards: Sequence[int], order: Sequence[int]) -> list[int]:
    """The draws by which `chance.shuffle` puts cards into an order."""
    cards, found = list(cards), []
    for last in range(len(cards) - 1, 0, -1):
        other = cards.index(order[last])
        found.append(other)
        cards[last], cards[other] = cards[other], cards[last]
    return found


def _next(values: list[Given], what: str, told: str) -> Given:
    if not values:
        raise ScriptError(tr("a {what} is missing: {told}", what=what, told=told))
    return values.pop(0)
