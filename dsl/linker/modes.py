"""Modes: the ways to play a game, which of them are like which, and in which of them a declaration stands.

A mode is chosen before the game and stays. What stands in its block holds in that mode and in those that are like
it; what a nearer mode declares under a name holds there instead of what the mode that it is like, or the game,
declares under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Meant, Subject
from dsl.records import record
from dsl.syntax import ast

MOST_MODES = 100


@record(frozen=True, slots=True)
class Strained:
    """Where a declaration stands in a program with several strains: in some modes, and in some of the strains."""

    modes: frozenset[str] | None
    strains: frozenset[int]


Where = frozenset[str] | None
"""The modes in which something stands; None for all, which needs no mode at all."""
Standing = Where | Strained
"""The same of a declaration, which a strain may spoil."""


@record(slots=True)
class Modes:
    """The modes of a game in the order in which they are declared, and the mode that each is like."""

    trees: list[ast.Mode] = field(default_factory=list)
    parents: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(mode.name.text for mode in self.trees))

    def line(self, name: str) -> list[str]:
        """A mode, the one that it is like, and so on."""
        found = [name]
        while found[-1] in self.parents:
            found.append(self.parents[found[-1]])
        return found

    def heirs(self, name: str) -> frozenset[str]:
        """The modes in which the clauses of a mode stand: it, and those that are like it."""
        return frozenset(each for each in self.names if name in self.line(each))

    def where(self, mode: str | None) -> Where:
        return None if mode is None else self.whole(self.heirs(mode))

    def whole(self, found: Iterable[str]) -> Where:
        """Some modes; None where they are all."""
        chosen = frozenset(found)
        return None if chosen >= set(self.names) else chosen

    def every(self, where: Standing) -> frozenset[str]:
        found = where.modes if isinstance(where, Strained) else where
        return frozenset(self.names) if found is None else found

    def both(self, one: Where, two: Where) -> Where:
        return self.whole(self.every(one) & self.every(two))

    def without(self, one: Where, two: Where) -> Where:
        """The modes of the first that are not of the second; the empty set for none at all."""
        return self.whole(self.every(one) - self.every(two)) if self.names else frozenset()

    def union(self, found: Iterable[Standing]) -> Where:
        return self.whole(name for where in found for name in self.every(where))

    def nearest(self, mode: str, has: Callable[[str], bool]) -> str | None:
        """The mode that a mode takes something from: itself, or the nearest one that it is like."""
        return next((each for each in self.line(mode) if has(each)), None)


def find_modes(files: Iterable[ast.File], diagnostics: Diagnostics) -> Modes:
    """The modes of all files; one like an unknown one, or like itself, is reported."""
    modes = Modes([each for file in files for each in file.declarations if isinstance(each, ast.Mode)])
    if len(modes.trees) > MOST_MODES:
        message = tr(
            "a game has at most {most_modes} modes, this one has {count}",
            most_modes=MOST_MODES,
            count=f"{len(modes.trees):,}",
        )
        hint = "what differs by a number, or by a few words, is an `option`"
        diagnostics.add(Diagnostic(Code.LIMIT, message, modes.trees[MOST_MODES].name.span, hint=hint))
        del modes.trees[MOST_MODES:]
    for mode in modes.trees:
        _like(modes, mode, diagnostics)
    return modes


def _like(modes: Modes, mode: ast.Mode, diagnostics: Diagnostics) -> None:
    if mode.like is None:
        return
    name, parent = mode.name.text, mode.like.text
    if parent not in modes.names:
        hint = Meant.among(parent, modes.names) or ""
        message = tr("there is no mode `{name}`", name=parent)
        subject = Subject("mode", parent)
        diagnostics.add(
            Diagnostic(Code.UNKNOWN_NAME, message, mode.like.span, hint=hint, subject=subject).with_fix()
        )
    elif name in modes.line(parent):
        message = tr("the mode `{name}` is like itself, in a circle", name=name)
        hint = "one of them stands for itself"
        diagnostics.add(Diagnostic(Code.CALL_CYCLE, message, mode.like.span, hint=hint))
    else:
        modes.parents[name] = parent
