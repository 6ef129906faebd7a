"""A program as it is played: with tables for what reads no state. They are made with the first machine of a program,
and once: `check` alone makes none.

Whoever reads programs from a cache tells where their tables may be kept (`keep_tables`). An entry is what each table
came to, in the order in which they are asked for, behind a hash of it; one that is damaged is made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Protocol

from dsl.ir.program import Program
from dsl.passes.tabulate.tables import MOST_ENTRIES, Found, tabulated

MOST_PROGRAMS = 4
"""How many programs are remembered, the last ones."""
WORTH_KEEPING = 20_000
"""Elements that were gone through, from which on reading an entry takes less time than making its tables again."""


class Keeper(Protocol):
    """A place for things that can be made again, by name."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, data: bytes) -> None: ...


_made: list[tuple[Program, Program]] = []
"""Programs, and each as it is played."""
_keepers: list[tuple[Program, Keeper, Callable[[], str]]] = []


def keep_tables(program: Program, keeper: Keeper, key: Callable[[], str]) -> None:
    """The tables of a program are kept there from now on, and looked for, under a key that tells it from all others."""
    _keepers[:] = [*_keepers[1 - MOST_PROGRAMS :], (program, keeper, key)]


def with_tables(program: Program) -> tuple[Program, Program]:
    """A program without its tables, and as it is played. One that is already as it is played is told as both were."""
    for pair in _made:
        if program is pair[0] or program is pair[1]:
            return pair
    found = _from_keeper(program)
    _made[:] = [*_made[1 - MOST_PROGRAMS :], (program, found)]
    return program, found


def _from_keeper(program: Program) -> Program:
    place = next(((keeper, key) for each, keeper, key in _keepers if each is program), None)
    if place is None:
        return tabulated(program)[0]
    keeper, name = place[0], f"tables-{_digest(place[1]())}.json"
    known = _read(keeper.read(name))
    found, results, work = tabulated(program, known)
    if known is None and work >= WORTH_KEEPING:
        body = json.dumps(results)
        keeper.write(name, json.dumps([_digest(body), body]).encode())
    return found


def _read(data: bytes | None) -> list[Found] | None:
    """What is kept; none where it is damaged, in whatever way."""
    if data is None:
        return None
    try:
        digest, body = json.loads(data)
        if _digest(body) != digest:
            return None
        found = json.loads(body)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    whole = isinstance(found, list) and all(
        each is None
        or (
            isinstance(each, list) and len(each) <= MOST_ENTRIES and all(type(value) is int for value in each)
        )
        for each in found
    )
    return found if whole else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
