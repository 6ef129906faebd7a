"""Rays: `first x in ray(c, d) where ..`, over a table of lists that each run upwards or downwards through a domain.

Such a list is a set and a direction. The first of its members for which a condition holds that is a set itself
(`mirrors`) is then the least or the greatest bit of both, without a loop. In a set of several words it is that of the
first word, or of the last, in which there is one.
"""

from __future__ import annotations

import struct
from itertools import pairwise

from dsl.engine.layout import low_of
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, Id, ListOf, SetOf
from dsl.wasm.covers import Covers
from dsl.wasm.function import scaled
from dsl.wasm.reps import CHUNK, chunks
from dsl.wasm.text import Parts, get, i32, plus, put

MOST_WORDS = 6
"""In more than so many a loop is as fast."""


class Rays(Covers):
    """Adds the first element of a ray."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self._rays: dict[int, int | None] = {}

    def is_ray(self, e: ir.Fold) -> bool:
        """Is a fold the first of a ray for which a condition holds that is a set?"""
        kind, condition = e.domain.type, self.only(e)
        if (
            e.kind != "first"
            or not isinstance(kind, ListOf)
            or not isinstance(kind.of, Id)
            or condition is None
        ):
            return False
        of = SetOf(kind.of)
        if (
            not isinstance(e.domain, ir.Lookup)
            or chunks(self.program, of) > MOST_WORDS
            or low_of(self.program, of)
        ):
            return False
        return self.loads(condition, e.index, of) and self._rays_of(e.domain.data) is not None

    def first_of_ray(self, e: ir.Fold, position: str) -> Parts:
        """That element, in the ray of a number."""
        condition, kind = self.only(e), e.domain.type
        assert isinstance(e.domain, ir.Lookup) and isinstance(kind, ListOf) and isinstance(kind.of, Id)
        assert condition is not None
        at = self._rays_of(e.domain.data)
        members = self.mask(condition, e.index, SetOf(kind.of))
        assert at is not None and members is not None
        words = chunks(self.program, SetOf(kind.of))
        more, address = self.atom(scaled(position, 8 * words + 8))
        names, least, greatest = [], i32(NONE), i32(NONE)
        lines = [*members.pre, *more]
        for n in range(words):
            names.append(self.temp("i64"))
            lines.append(
                put(names[n], f"(i64.and {members.codes[n]} (i64.load offset={at + 8 * n} {address}))")
            )
        for n in range(words):
            here = f"(i32.sub {i32(CHUNK * n + CHUNK - 1)} (i32.wrap_i64 (i64.clz {get(names[n])})))"
            greatest = f"(select {greatest} {here} (i64.eqz {get(names[n])}))"
        for n in reversed(range(words)):
            here = plus(f"(i32.wrap_i64 (i64.ctz {get(names[n])}))", CHUNK * n)
            least = f"(select {least} {here} (i64.eqz {get(names[n])}))"
        return Parts(
            tuple(lines), (f"(select {greatest} {least} (i32.load offset={at + 8 * words} {address}))",)
        )

    def _rays_of(self, table: int) -> int | None:
        """Where the rays of a table stand, each as its members and whether it runs downwards; none where a list of it
        runs both ways.
        """
        if table not in self._rays:
            rows = [tuple(row) for row in self.program.data[table].values if isinstance(row, tuple)]
            up = [all(a < b for a, b in pairwise(row)) for row in rows]
            down = [all(a > b for a, b in pairwise(row)) for row in rows]
            kind = self.program.data[table].type
            assert isinstance(kind, ListOf) and isinstance(kind.of, Id)
            size = 8 * chunks(self.program, SetOf(kind.of))
            data = b"".join(
                sum(1 << member for member in row).to_bytes(size, "little") + struct.pack("<Q", not rises)
                for row, rises in zip(rows, up, strict=True)
            )
            plain = all(a or b for a, b in zip(up, down, strict=True))
            self._rays[table] = self.memory.constant(data) if plain else None
        return self._rays[table]
