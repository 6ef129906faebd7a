"""Mirrors: beside some variables, for each value the set of the members that have it.

A mirror belongs to a variable with one of a few values for each member of a domain, such as who has marked a cell.
Asked which cells are a player's, it is one load; every write to the variable moves a bit. Constant tables have mirrors
too. The state itself knows nothing of them: they stand behind it in memory, are copied with it, and are made again
where the host has written (`look`, `begin`, `resume`).

A number without `optional` has its set at its distance from the least; an optional one, of which the least is 0, at
twice itself, and none at 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dsl.engine.layout import bounds
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, Int, Type
from dsl.ir.verify.graph import everything
from dsl.ir.walk import batched, bodies
from dsl.wasm.text import i32, i64, plus, put

FEWEST_MEMBERS = 8
MOST_VALUES = 8
MOST_OF_TABLES = 64
CHUNK = 64
FEW_ROWS = 3
"""A member is taken out of so many sets, all of them, rather than out of that of its old value, which must be read."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where the sets begin, the i64 of each, and the values."""

    address: int
    chunks: int
    low: int
    high: int
    optional: bool

    @property
    def size(self) -> int:
        """The bytes of all sets."""
        return self.row(self.high) + 8 * self.chunks if self.high or not self.optional else 16 * self.chunks

    @property
    def rows(self) -> int:
        """How many sets there is room for."""
        return self.size // (8 * self.chunks)

    @property
    def few(self) -> bool:
        """Is a member taken out of all sets, whatever its value was?"""
        return self.rows <= FEW_ROWS

    def row(self, value: int) -> int:
        """Where the set of a value begins, from the first."""
        if not self.optional:
            return 8 * self.chunks * (value - self.low)
        return 8 * self.chunks * (1 if value == NONE else 2 * value)

    def row_code(self, value: str) -> str:
        """The same, of a value that is known when it runs."""
        number = f"(i32.rotl {value} (i32.const 1))" if self.optional else plus(value, -self.low)
        shift = (8 * self.chunks).bit_length() - 1
        if 1 << shift == 8 * self.chunks:
            return f"(i32.shl {number} {i32(shift)})"
        return f"(i32.mul {number} {i32(8 * self.chunks)})"

    def has(self, program: Program, kind: Type) -> bool:
        """Has every value of a type a set here?"""
        if not isinstance(kind, Int | Id) or (kind.optional and not self.optional):
            return False
        low, high = bounds(program, kind)
        return self.low <= low and high <= self.high

    def known(self, values: Iterable[int]) -> bytes:
        """The sets of members whose values are known."""
        sets = [0] * self.rows
        for member, value in enumerate(values):
            sets[self.row(value) // (8 * self.chunks)] |= 1 << member
        return b"".join(each.to_bytes(8 * self.chunks, "little") for each in sets)


def shape(program: Program, kind: Type, members: int, address: int, most: int) -> Mirror | None:
    """A mirror for values of a type, if they are few."""
    if not isinstance(kind, Int | Id) or members < FEWEST_MEMBERS:
        return None
    low, high = bounds(program, kind)
    if high < low or high - low + kind.optional >= most or (kind.optional and low):
        return None
    return Mirror(address, -(-members // CHUNK), low, high, kind.optional)


def mirrored(program: Program, address: int) -> dict[int, Mirror]:
    """The variables that have a mirror, which stand one after the other from an address on."""
    asked = {
        each.var
        for each in everything(program)
        if isinstance(each, ir.Load) and isinstance(each.owner, ir.Local)
    }
    beside = _written_otherwise(program)
    found: dict[int, Mirror] = {}
    for index in sorted(asked - beside):
        var = program.vars[index]
        members = len(program.domains[var.of].members) if var.of is not None else 0
        mirror = shape(program, var.type, members, address, MOST_VALUES)
        if mirror is not None and var.width == 1:
            found[index] = mirror
            address += mirror.size
    return found


def _written_otherwise(program: Program) -> set[int]:
    """The variables that more than plain stores write: batches, and what moves cards."""
    pools = {var for each in program.pools for var in (each.in_play, each.out, each.pile, each.order)}
    found = {var for var in pools if var is not None}
    kept = [program.procedures[index].body for index in batched(program)]
    bodies_ = [each.body for each in program.procedures]
    bodies_ += [block.body for routine in program.routines for block in routine.blocks]
    for body in bodies_:
        found |= _written(body, inside=False)
    for body in kept:
        found |= _written(body, inside=True)
    return found


def _written(body: tuple[ir.Stmt, ...], *, inside: bool) -> set[int]:
    """The variables that a body writes within a batch."""
    found: set[int] = set()
    for each in body:
        if inside and isinstance(each, ir.Store | ir.Change):
            found.add(each.var)
        for inner in bodies(each):
            found |= _written(inner, inside=inside or isinstance(each, ir.Batch))
    return found


def bit_of(member: str) -> str:
    """The bit of a member in its i64."""
    return f"(i64.shl (i64.const 1) (i64.extend_i32_u {member}))"


def moved(mirror: Mirror, member: str, old: str, new: str, bit: str, place: str) -> list[str]:
    """Statements that move a member from the set of one value to that of another: all are locals or constants, the
    last two free to be used. The old value is not looked at where the mirror is one of few sets.
    """
    word = f"(i32.shl (i32.shr_u {member} (i32.const 6)) (i32.const 3))"
    others = f"(i64.xor (local.get {bit}) (i64.const -1))"

    def changed(row: str, at: int, op: str, by: str) -> list[str]:
        load = f"(i64.load offset={at} (local.get {place}))"
        store = f"(i64.store offset={at} (local.get {place}) ({op} {load} {by}))"
        return [put(place, row if mirror.chunks == 1 else f"(i32.add {row} {word})"), store]

    lines = [put(bit, bit_of(member))]
    if mirror.few:
        for at in range(mirror.address, mirror.address + mirror.size, 8 * mirror.chunks):
            lines += changed(i32(0), at, "i64.and", others)
    else:
        lines += changed(mirror.row_code(old), mirror.address, "i64.and", others)
    return [*lines, *changed(mirror.row_code(new), mirror.address, "i64.or", f"(local.get {bit})")]


def moved_all(mirror: Mirror, members: Sequence[str], new: str) -> list[str]:
    """Statements that move all members of a set, whose words are locals or constants, to the set of one value, a local
    or constant.
    """
    values = [*range(mirror.low, mirror.high + 1), *([NONE] if mirror.optional else [])]
    lines = []
    for k, word in enumerate(members):
        for value in values:
            at = mirror.address + mirror.row(value) + 8 * k
            left = f"(i64.and (i64.load offset={at} (i32.const 0)) (i64.xor {word} (i64.const -1)))"
            lines.append(f"(i64.store offset={at} (i32.const 0) {left})")
        row, at = mirror.row_code(new), mirror.address + 8 * k
        lines.append(f"(i64.store offset={at} {row} (i64.or (i64.load offset={at} {row}) {word}))")
    return lines


def remade(program: Program, mirrors: dict[int, Mirror]) -> str:
    """The function `$mirror`, which makes all mirrors from the state."""
    if not mirrors:
        return "(func $mirror)\n"
    first = min(each.address for each in mirrors.values())
    size = sum(each.size for each in mirrors.values())
    lines = [f"(memory.fill {i32(first)} (i32.const 0) {i32(size)})"]
    for index, each in mirrors.items():
        var = program.vars[index]
        assert var.of is not None
        members = len(program.domains[var.of].members)
        value = f"(i32.load offset={4 * var.offset} (i32.shl (local.get $k) (i32.const 2)))"
        word = "(i32.shl (i32.shr_u (local.get $k) (i32.const 6)) (i32.const 3))"
        row = f"(i32.add {each.row_code(value)} {word})"
        lines += [
            put("$k", i32(0)),
            f"(loop $next{index} {put('$at', row)}",
            f"(i64.store offset={each.address} (local.get $at) (i64.or"
            f" (i64.load offset={each.address} (local.get $at)) {bit_of('(local.get $k)')}))",
            put("$k", "(i32.add (local.get $k) (i32.const 1))"),
            f"(br_if $next{index} (i32.lt_u (local.get $k) {i32(members)})))",
        ]
    return f"(func $mirror (local $k i32) (local $at i32)\n{''.join(lines)})\n"


def full(members: int, chunk: int) -> str:
    """All members that a chunk has."""
    return i64((1 << min(CHUNK, members - chunk * CHUNK)) - 1)
