"""What could have stood at a place, in few words."""

from functools import cache

from dsl.catalogue import tr
from dsl.syntax.driver import wanted_after
from dsl.syntax.place import Place
from dsl.syntax.words import KINDS, spellings

_MOST = 6
OF_EVERY_VALUE = frozenset({"NAME", "NUMBER", "LPAR"})
_GOES_ON = frozenset(
    {"AT", "DOT", "LPAR", "LSQB", "FACTOR", "SIGN", "COMPARE", "RANGE", "ROUNDED", "AND", "OR", "IF", "AFTER"}
)


def label(place: Place) -> str:
    """Such as: expected `:` or the end of the line."""
    found = _named(place.wanted)
    if len(found) > _MOST:
        found = [*found[:_MOST], "something else"]
    return tr("expected {listed}", listed=_listed(found)) if found else ""


def only(wanted: frozenset[str]) -> frozenset[str]:
    """What is wanted, without what would only make the value before longer."""
    return wanted - _GOES_ON if wanted & {"COMPARE", "SIGN", "DOT"} else wanted


def _named(wanted: frozenset[str]) -> list[str]:
    """A value for all that can begin one; what makes a value longer only where nothing else is wanted."""
    left = wanted
    named: list[str] = []
    if wanted >= OF_EVERY_VALUE:
        left -= beginnings_of_a_value()
        named.append("a value")
    if left & {"COMPARE", "SIGN", "DOT"}:
        left = left - _GOES_ON or left & _GOES_ON
    words = sorted(set(spellings(left)), key=lambda word: (word[:1].isalpha(), word))
    named += [f"`{word}`" for word in words]
    return named + [kind for terminal, kind in KINDS.items() if terminal in left]


def _listed(items: list[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last


@cache
def beginnings_of_a_value() -> frozenset[str]:
    """The terminals that a value may begin with."""
    return wanted_after("cell_expr", ())
