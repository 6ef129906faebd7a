"""Many constant sets against one: `any l in lines where every c in l satisfies c.mark is p`, several at a time.

Where the sets of a list, or of the entries of a table of lists, are constants, and the one that they are compared with
is known before the loop (`vectors`), they lie side by side in memory, in lanes as wide as their elements need. A row of
lanes is filled up with sets that change nothing.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import reduce
from operator import and_

from dsl.engine.layout import extent
from dsl.ir import nodes as ir
from dsl.ir.program import MOST_ASKED
from dsl.ir.types import ListOf, SetOf
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.function import scaled
from dsl.wasm.reps import scalar_rep
from dsl.wasm.text import Parts, after, both, get, i32, put
from dsl.wasm.vectors import Vectors

LANE_WIDTHS = (16, 32, 64)
VECTOR = 16
"""Bytes of a vector."""
HEAD = 16
"""Bytes before the vectors of a row."""
LONG = 3
"""Vectors of a row before which it is worth a look whether the set has what all sets of the row have in common."""
MOST_VECTORS = 24
"""More are run over one by one, as a loop can stop early."""
NOTHING = "(v128.const i64x2 0 0)"


@dataclass(frozen=True, slots=True)
class Rows:
    """Constant sets in memory: where the first row begins, its vectors, and the bits of a lane.

    A row begins with a head: what all its sets have in common, and the steps that running over it takes.
    """

    address: int
    vectors: int
    width: int
    common: bool
    """Have the sets of most rows something in common?"""

    @property
    def stride(self) -> int:
        """The bytes of a row."""
        return HEAD + VECTOR * self.vectors


class Covers(Vectors):
    """Adds folds over lists of constant sets that need no loop."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self._rows: dict[tuple[object, ...], Rows | None] = {}

    def asks_each(self, e: ir.Fold) -> ir.Fold | None:
        """The fold over each set of a list of constant sets that is all this one asks."""
        kind, inner = e.domain.type, self.only(e)
        if e.kind not in {"any", "every", "count"} or scalar_rep(e.type) != "i32":
            return None
        if not isinstance(kind, ListOf) or not isinstance(kind.of, SetOf) or not isinstance(inner, ir.Fold):
            return None
        constant = isinstance(e.domain, ir.Const | ir.Lookup)
        each = isinstance(inner.domain, ir.Local) and inner.domain.index == e.index
        small = inner.kind in {"any", "every"} and not counted(inner)
        return inner if constant and each and small and self.only(inner) is not None else None

    def covered(self, e: ir.Fold, inner: ir.Fold, position: str) -> Parts | None:
        """The fold over the row of a number, with its steps counted; none where it has to run."""
        known = self.masks.get(id(inner))
        rows = None if known is None or len(known[1].codes) != 1 else self._rows_of(e, inner)
        if known is None or rows is None:
            return None
        pre, address = self.atom(scaled(position, rows.stride)) if position else ((), i32(0))
        if counted(e):
            steps = self.count_code(f"(i32.load offset={rows.address + 8} {address})")
            pre = (*pre, steps)
        code = self._in_lanes(e, inner, rows, known[1].codes[0], address)
        if rows.common:
            core = f"(i64.load offset={rows.address} {address})"
            missing = f"(i64.and {core} (i64.xor {known[1].codes[0]} (i64.const -1)))"
            code = f"(if (result i32) (i64.eqz {missing}) (then {code}) (else (i32.const 0)))"
        return Parts(pre, (code,))

    def _in_lanes(self, e: ir.Fold, inner: ir.Fold, rows: Rows, wide: str, address: str) -> str:
        """What all sets of a row together say of one set."""
        shape = {16: "i16x8", 32: "i32x4", 64: "i64x2"}[rows.width]
        one = self.temp("v128")
        splat = put(one, f"({shape}.splat {wide if rows.width == 64 else f'(i32.wrap_i64 {wide})'})")
        lanes = []
        for k in range(rows.vectors):
            row = f"(v128.load offset={rows.address + HEAD + k * VECTOR} {address})"
            op = "v128.andnot" if inner.kind == "every" else "v128.and"
            holds = (inner.kind == "every") != (e.kind == "every")
            lanes.append(f"({shape}.{'eq' if holds else 'ne'} ({op} {row} {get(one)}) {NOTHING})")
        if e.kind == "count":
            return after(
                [splat], "i32", both("i32.add", [f"(i32.popcnt ({shape}.bitmask {x}))" for x in lanes])
            )
        found = f"(v128.any_true {both('v128.or', lanes)})"
        return after([splat], "i32", found if e.kind == "any" else f"(i32.eqz {found})")

    # ------------------------------------------------------------ rows

    def _rows_of(self, e: ir.Fold, inner: ir.Fold) -> Rows | None:
        source = e.domain.data if isinstance(e.domain, ir.Lookup) else e.domain
        key = (source, e.kind, inner.kind, counted(e))
        if key not in self._rows:
            self._rows[key] = self._laid(e, inner)
        return self._rows[key]

    def _laid(self, e: ir.Fold, inner: ir.Fold) -> Rows | None:
        """Puts the sets into memory; none where they do not fit, or a row cannot be filled up."""
        kind = e.domain.type
        assert isinstance(kind, ListOf)
        assert isinstance(kind.of, SetOf)
        entries = self.program.data[e.domain.data].values if isinstance(e.domain, ir.Lookup) else ()
        if isinstance(e.domain, ir.Const):
            entries = (e.domain.value,)
        size = extent(self.program, kind.of)
        width = next((each for each in LANE_WIDTHS if size < each), 0)
        longest = max((len(row) for row in entries if isinstance(row, tuple)), default=0)
        vectors = max(1, -(-longest * width // (8 * VECTOR)))
        if not width or vectors > MOST_VECTORS:
            return None
        count = vectors * 8 * VECTOR // width
        data, weight, some = bytearray(), counted(e), 0
        asked = e.kind in {"any", "count"} and inner.kind == "every" and vectors >= LONG
        for row in entries:
            assert isinstance(row, tuple)
            filler = _filler(e.kind, inner.kind, row, size)
            if filler is None:
                return None
            common = reduce(and_, row, (2 << size) - 1)
            some += 0 < common < 1 << size
            data += struct.pack("<QQ", common, min(len(row) * weight // STEP, MOST_ASKED + 1))
            whole = (*row, *(filler,) * (count - len(row)))
            data += struct.pack(f"<{count}{ {16: 'H', 32: 'I', 64: 'Q'}[width] }", *whole)
        common = asked and 2 * some > len(entries)
        return Rows(self.memory.constant(bytes(data)), vectors, width, common)


def _filler(outer: str, inner: str, row: tuple[int, ...], size: int) -> int | None:
    """A set that changes nothing: what is asked of each holds for it where all must hold, and else does not."""
    if outer != "every":
        return 1 << size if inner == "every" else 0
    if inner == "every":
        return 0
    return row[0] if row else None
