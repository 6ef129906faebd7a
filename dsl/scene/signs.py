"""The signs of a drawing: one for each thing that may be drawn, the same in each drawing of a game, and no two alike.

A row whose column `look` has a sign gets that one, where nothing else has it. A short name stands for itself, and so
does a short label (`♙`). Whoever can own something has a figure. All others get two characters of their names: the
first two, or where several begin alike the first of each word, or whatever is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from dsl.engine.display import member_name
from dsl.ir.program import Domain, Program
from dsl.looks import PLAIN, Look, look_of

HOLDERS = "●▲■◆○△□◇★☆"
HOLLOW = dict(zip("●▲■◆★", "○△□◇☆", strict=True))
OVERLAYS = "+*%&"
SHORT = 2
"""Names of so many characters are shown as they are."""


def look_at(program: Program, domain: int, member: int) -> Look:
    """How a row looks, as its author says; nothing of what has no column for it."""
    declared = program.domains[domain]
    for part in declared.parts:
        size = len(program.domains[part].members)
        if member < size:
            return look_at(program, part, member)
        member -= size
    is_row = declared.kind == "row" and 0 <= member < len(declared.looks)
    return look_of(declared.looks[member]) if is_row else PLAIN


class Signs:
    """Gives out signs; `taken` are those that the map itself has."""

    def __init__(self, program: Program, taken: Iterable[str]) -> None:
        self._program = program
        self._of: dict[tuple[str, str], str] = {}
        self._taken = set(taken)

    def give(self, domain: int, use: str) -> None:
        """Gives each member of a domain its sign, for one `use`: `owner`, `thing` or `overlay`."""
        declared = self._program.domains[domain]
        for member, name in enumerate(declared.members if use != "overlay" else ()):
            own = look_at(self._program, domain, member).sign
            if own and own not in self._taken and (use, name) not in self._of:
                self._put(use, name, own)
        for name in declared.members:
            if (use, name) not in self._of and len(name) <= SHORT and use != "overlay":
                self._put(use, name, name)
        for member, name in enumerate(declared.members):
            if (use, name) not in self._of:
                self._put(use, name, self._free(declared, domain, member, use))

    def of(self, domain: int, member: int, use: str) -> str:
        """The sign of a member."""
        name = self._program.domains[domain].members[member]
        if (use, name) not in self._of:
            self.give(domain, use)
        return self._of[use, name]

    def of_field(self, name: str) -> str:
        """The sign of a field: letters of its name."""
        if ("field", name) not in self._of:
            letters = name.replace("_", "")
            signs = (letters[:SHORT], *(letters[0] + other for other in letters[1:] + "23456789"))
            self._put("field", name, next((each for each in signs if each not in self._taken), letters))
        return self._of["field", name]

    def hollow(self, sign: str) -> str:
        """The figure of an owner without its filling, where that is nobody else's; empty where there is none."""
        found = HOLLOW.get(sign, "")
        return "" if found in self._taken else found

    def _put(self, use: str, name: str, sign: str) -> None:
        self._of[use, name] = sign
        self._taken.add(sign)

    def _free(self, declared: Domain, domain: int, member: int, use: str) -> str:
        for sign in chain(self._figures(member, use), self._letters(declared, domain, member)):
            if sign not in self._taken:
                return sign
        return declared.members[member]

    def _figures(self, member: int, use: str) -> Iterator[str]:
        figures = {"owner": HOLDERS, "overlay": OVERLAYS}.get(use, "")
        at = member % len(figures) if figures else 0
        yield from figures[at:] + figures[:at]

    def _letters(self, declared: Domain, domain: int, member: int) -> Iterator[str]:
        plain = [each.replace("_", "") for each in declared.members]
        name = plain[member]
        label = member_name(self._program, domain, member)
        if len(label) == 1:
            yield label
        if sum(each.startswith(name[:SHORT]) for each in plain) == 1:
            yield name[:SHORT]
        words = [word for word in declared.members[member].split("_") if word]
        if len(words) > 1:
            yield words[0][0] + words[-1][0]
        yield name[:SHORT]
        for other in name[1:] + "23456789":
            yield name[0] + other
        for number in range(2, 100):
            yield f"{name[0]}{number}"
