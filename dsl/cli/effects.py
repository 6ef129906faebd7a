"""What an option costs and does, in a few words beside its label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from dsl.diagnostics.excerpt import printable
from dsl.engine.display import MINUS
from dsl.engine.foresight import FEWEST_SPANNED, MOST_ODDS, MOST_SURE
from dsl.odds.forecast import Forecast

_AMOUNT = re.compile(rf"(.* )([+{MINUS}])(\d+)")
_WHOSE = re.compile(r" \(([^()]+)\)")


def effects(found: Forecast, label: str) -> str:
    """Such as `[Purse −5; 42 %: −1 Guard]`; empty where nothing is known, or the label says all of it already. What
    alone changes, and the label names, is not named again.
    """
    found = _unnamed(found, label)
    sure = [each for each in found.sure if not _says(label, each)]
    told = [", ".join((*sure[:MOST_SURE], *(["…"] if len(sure) > MOST_SURE else [])))] if sure else []
    odds = list(_grouped(found))
    told += [f"{_percent(share)} % {text}" if share != 1 else text for share, text in odds[:MOST_ODDS]]
    told += ["…"] if len(odds) > MOST_ODDS else []
    return printable(f"[{'; '.join(told)}]") if told else ""


def _unnamed(found: Forecast, label: str) -> Forecast:
    """Changes without whose they are, where all are of one thing, and the label names that."""
    texts = [*found.sure, *(text for _, text in found.odds)]
    whose = {name for text in texts for name in _WHOSE.findall(text)}
    if len(whose) != 1 or not re.search(rf"(?<!\w){re.escape(min(whose))}(?!\w)", label):
        return found
    odds = tuple((share, _WHOSE.sub("", text)) for share, text in found.odds)
    return Forecast(tuple(_WHOSE.sub("", text) for text in found.sure), odds)


def _grouped(found: Forecast) -> Iterator[tuple[Fraction, str]]:
    """The odds, of three or more amounts of one thing from the least to the greatest: `Purse +1…+6`."""
    groups: dict[str, list[tuple[Fraction, int]]] = {}
    for share, text in found.odds:
        if (parted := _AMOUNT.fullmatch(text)) is not None:
            amount = int(parted[3]) if parted[2] == "+" else -int(parted[3])
            groups.setdefault(parted[1], []).append((share, amount))
    many = {name for name, each in groups.items() if len(each) >= FEWEST_SPANNED}
    for share, text in found.odds:
        parted = _AMOUNT.fullmatch(text)
        name = parted[1] if parted is not None else ""
        if name not in many:
            yield share, text
        elif group := groups.pop(name, None):
            low, high = (bound(amount for _, amount in group) for bound in (min, max))
            yield sum((share for share, _ in group), Fraction(0)), f"{name}{_signed(low)}…{_signed(high)}"


def _signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"{MINUS}{-amount}"


def _says(label: str, change: str) -> bool:
    """Does a label name a change already: its number, and the word of what changes?"""
    number = re.search(rf"[+{MINUS}](\d+)$", change)
    words = re.findall(r"\w+", change.casefold())
    if number is None or not words:
        return False
    numbers = re.findall(r"\d+", label)
    return number[1] in numbers and words[0].rstrip("sx") in label.casefold()


def _percent(share: Fraction) -> str:
    """A share in whole percent; what is not quite 0 or 100 is not told as that."""
    rounded = round(100 * float(share))
    if rounded == 0:
        return "<1"
    return ">99" if rounded == 100 else str(rounded)
