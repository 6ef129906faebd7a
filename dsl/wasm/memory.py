"""The linear memory of a module: where what lies.

| from      | what                                                                                        |
|-----------|---------------------------------------------------------------------------------------------|
| 0         | the state, slot by slot                                                                     |
| `INFO`    | the decision at hand: how many options, whose, where, bytes of each; steps; choices; its offers   |
| then      | the mirrors of variables, which are copied with the state |
| `KEPT`    | the state at the last decision, while a choice is carried out                               |
| `FRESH`   | the state of a game before its setup, which playouts begin with                             |
| `PLAYER`  | the generator of the random player                                                          |
| `BATCH`   | what a batch keeps back: 40 bytes for each slot, then the order of slots                    |
| `ZERO`    | zeros: what a bag, list or record is before it has a value                                  |
| then      | constants, and *sites*: room for each value in memory that an expression can yield |
| among them | tables that are filled in as they are asked (`pure_memos.py`)                              |
| `HEAP`    | options of the decision at hand, and above them what a search keeps; it grows               |

Functions never enter themselves, so each site has room of its own, known beforehand.
"""

from __future__ import annotations

import struct

from dsl.catalogue import tr
from dsl.engine.failure import Unplayable
from dsl.ir.limits import MAX_MEMBERS
from dsl.ir.program import Program
from dsl.wasm.mirrors import mirrored

PAGE = 65536
MOST_FIXED = 256 * 1024 * 1024
"""Bytes before the heap."""
MOST_BYTES = 1024 * 1024 * 1024
"""Bytes of memory that a module may grow to."""
BATCHED = 40
GENERATOR = 16
INFO = 28
ZEROS = 4 * (MAX_MEMBERS + 4)
"""No bag, and no length of a list, is longer."""


def info_at(program: Program) -> int:
    """Where the host finds the decision at hand."""
    return (4 * program.size + 31) // 32 * 32


class Memory:
    """Hands out addresses, and collects constants."""

    def __init__(self, program: Program) -> None:
        self.top = 0
        self._spare = 0
        self._room(info_at(program))
        self.info = self._room(INFO)
        self.mirrors = mirrored(program, self.top)
        self._room(sum(each.size for each in self.mirrors.values()))
        self.size = self.top if self.mirrors else program.size * 4
        """The bytes that are the state, with its mirrors."""
        self.kept = self._room(self.size)
        self.fresh = self._room(self.size)
        self.player = self._room(GENERATOR)
        self.batch = self._room(program.size * BATCHED)
        self.order = self._room(program.size * 4)
        self._blocks: list[tuple[int, bytes]] = []
        self._known: dict[bytes, int] = {}
        self.zero = self._room(ZEROS)

    def _room(self, size: int) -> int:
        at = self.top
        self.top = (at + size + 15) // 16 * 16
        if self.top - self._spare > MOST_FIXED:
            raise Unplayable(
                tr("the program needs more than {most_fixed} bytes for its values", most_fixed=MOST_FIXED)
            )
        return at

    def site(self, size: int) -> int:
        """Room for a value."""
        return self._room(size)

    def spare(self, size: int) -> int:
        """Room, zeros at first, that a program does not need: it does not count among what it may have."""
        before = self.top
        self._spare += (before + size + 15) // 16 * 16 - before
        return self._room(size)

    def constant(self, data: bytes) -> int:
        """The address of constant bytes; 8 more may be read behind them."""
        if data not in self._known:
            at = self._room(len(data) + 8)
            self._known[data] = at
            self._blocks.append((at, data))
        return self._known[data]

    def words(self, words: list[int]) -> int:
        """The address of constant slots."""
        return self.constant(struct.pack(f"<{len(words)}i", *words))

    def segments(self) -> str:
        """The data segments."""
        return "".join(f'(data (i32.const {at}) "{_escaped(data)}")\n' for at, data in self._blocks)


_HEX = tuple(f"\\{n:02x}" for n in range(256))


def _escaped(data: bytes) -> str:
    return "".join(map(_HEX.__getitem__, data))
