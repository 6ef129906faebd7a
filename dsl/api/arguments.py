"""What callers pass, checked where it comes in: a wrong type is told by the name of the argument."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any


def whole(value: Any, what: str, least: int | None = None) -> int:
    """A whole number, of Python or of a library such as NumPy; a truth is none. Raises TypeError or ValueError."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise TypeError(f"{what} is a whole number, not {value!r}")
    try:
        found = index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None
    if least is not None and found < least:
        raise ValueError(f"{what} is a whole number from {least} on, not {found}")
    return found


def text(value: Any, what: str) -> str:
    """A text. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a text, not {value!r}")
    return value


def truth(value: Any, what: str) -> bool:
    """True or False. Raises TypeError."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} is True or False, not {value!r}")
    return value


def mapping(value: Any, what: str) -> Mapping[Any, Any]:
    """A mapping. Raises TypeError."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} is a mapping by name, not {value!r}")
    return value


def settings(options: Any) -> dict[str, str | int]:
    """The options that a game is started with. Raises TypeError."""
    found: dict[str, str | int] = {}
    for name, value in mapping({} if options is None else options, "`options`").items():
        text(name, "the name of an option")
        found[name] = (
            value if isinstance(value, str) else whole(value, f"the option `{name}`, if it is no text,")
        )
    return found


def path(value: Any, what: str) -> str:
    """A name or path. Raises TypeError, and ValueError where it is empty or no path can be so."""
    found = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(found, str):
        raise TypeError(f"{what} is a name or path, not {value!r}")
    if not found or "\0" in found:
        raise ValueError(f"{what} is a name or path, not {found!r}")
    return found


def paths(value: Any, what: str) -> list[str]:
    """Several paths; a text is one, and no list of them. Raises TypeError or ValueError."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(f"{what} is a list of paths, not {value!r}")
    return [path(each, f"each of {what}") for each in value]
