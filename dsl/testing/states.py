"""Two states of two versions of a game, field by field, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.engine import layout
from dsl.ir.program import OUT, STATUS, WINNERS, Program, Var
from dsl.testing.failure_text import named

GENERATOR = slice(0, 4)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A variable of one program and that of the same name in the other, with the members that both have."""

    mine: Var
    other: Var
    members: tuple[tuple[int, int], ...]
    names: tuple[str, ...]


class Fields:
    """The variables that two programs have in common."""

    def __init__(self, old: Program, new: Program) -> None:
        self.old = old
        self.new = new
        self._pairs = list(self._paired())

    def differing(self, was: Sequence[int], now: Sequence[int]) -> Iterator[str]:
        """The fields that have another value, each in words: `treasury is 14, was 13`."""
        first, second = list(was), list(now)
        for pair in self._pairs:
            for (mine, other), name in zip(pair.members, pair.names, strict=True):
                a = self._read(self.old, first, pair.mine, mine)
                b = self._read(self.new, second, pair.other, other)
                if a != b:
                    yield f"{pair.other.name}{name} is {b}, was {a}"
        for slot, what in ((STATUS, "the game's end"), (WINNERS, "who has won"), (OUT, "who is out")):
            if first[slot] != second[slot]:
                yield f"{what} differs"

    @staticmethod
    def same_chance(was: Sequence[int], now: Sequence[int]) -> bool:
        """Have both thrown as often?"""
        return tuple(was[GENERATOR]) == tuple(now[GENERATOR])

    def _read(self, program: Program, state: list[int], var: Var, member: int) -> str:
        return named(
            program, var.type, layout.read(program, state, var.offset + member * var.width, var.type)
        )

    def _paired(self) -> Iterator[_Pair]:
        others = {self._key(self.new, var): var for var in self.new.vars}
        for var in self.old.vars:
            other = others.get(self._key(self.old, var))
            if other is None or type(var.type) is not type(other.type):
                continue
            if var.of is None or other.of is None:
                yield _Pair(var, other, ((0, 0),), ("",))
                continue
            known = {name: n for n, name in enumerate(self.new.domains[other.of].members)}
            mine = self.old.domains[var.of].members
            both = [(n, known[name]) for n, name in enumerate(mine) if name in known]
            yield _Pair(var, other, tuple(both), tuple(f" of {mine[n]}" for n, _ in both))

    @staticmethod
    def _key(program: Program, var: Var) -> tuple[str, str, str]:
        return var.name, "" if var.of is None else program.domains[var.of].name, var.role
