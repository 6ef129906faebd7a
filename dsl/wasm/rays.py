"""Rays: `first x in ray(c, d) where ..`, over a table of lists that each run upwards or downwards through a domain.

Such a list is a set and a direction. The first of its members for which a condition holds that is a set itself
(`mirrors`) is then the least or the greatest bit of both, without a loop.
"""

from __future__ import annotations

import struct
from itertools import pairwise

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, Id, ListOf, SetOf
from dsl.wasm.covers import Covers
from dsl.wasm.function import scaled
from dsl.wasm.reps import CHUNK
from dsl.wasm.text import Parts, get, i32, put

ENTRY = 16
"""Bytes of a ray: its members, and whether it runs downwards."""


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
            or extent(self.program, of) > CHUNK
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
        more, address = self.atom(scaled(position, ENTRY))
        bits = self.temp("i64")
        both = f"(i64.and {members.codes[0]} (i64.load offset={at} {address}))"
        least = f"(i64.ctz {get(bits)})"
        greatest = f"(i64.sub (i64.const 63) (i64.clz {get(bits)}))"
        found = f"(i32.wrap_i64 (select {greatest} {least} (i32.load offset={at + 8} {address})))"
        code = f"(select {i32(NONE)} {found} (i64.eqz {get(bits)}))"
        return Parts((*members.pre, *more, put(bits, both)), (code,))

    def _rays_of(self, table: int) -> int | None:
        """Where the rays of a table stand; none where a list of it runs both ways."""
        if table not in self._rays:
            rows = [tuple(row) for row in self.program.data[table].values if isinstance(row, tuple)]
            up = [all(a < b for a, b in pairwise(row)) for row in rows]
            down = [all(a > b for a, b in pairwise(row)) for row in rows]
            data = b"".join(
                struct.pack("<QQ", sum(1 << member for member in row), not rises)
                for row, rises in zip(rows, up, strict=True)
            )
            plain = all(a or b for a, b in zip(up, down, strict=True))
            self._rays[table] = self.memory.constant(data) if plain else None
        return self._rays[table]
