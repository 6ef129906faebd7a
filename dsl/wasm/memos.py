"""Memos: what a value came to, kept until something is written that it reads.

A value that is much work and has few arguments is asked again and again between two choices: by every line of a menu,
and for every cell that a line runs over. Its answers stand in memory, one entry for each list of arguments: when it was
made, the steps that this took, and the answer. Asked again, it counts the same steps and yields what stands there, so
nothing can tell that it was not computed.

What was made is of an *age*, a number that each value has. Each value also has a bit, taken out by every statement that
writes a variable which the value reads, and by whatever puts another state in place. A value asked without its bit puts
it back and takes an age that no value has had: all its entries are then stale.

A trial takes back all that it did. So each value that reads what trials write has its age and its bit again behind the
trial: the entries that were good before it are good again, and those made within it are of an age that does not return.

The number of the position that stands, by which positions are counted (`history.py`), is kept in the same way. It has
no arguments, and so no entry: where others have their age it has the number itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from dsl.engine.layout import bounds
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.program import Program, Value
from dsl.ir.types import Id, Int, SetOf, Type
from dsl.ir.verify.graph import everything
from dsl.ir.walk import parts
from dsl.wasm.reps import chunks, scalar_rep
from dsl.wasm.text import i64

if TYPE_CHECKING:
    from dsl.ir.weight import Weights
    from dsl.wasm.memory import Memory

HEAVY = 300
"""What a value weighs at least, with all elements of its folds, to be worth an entry."""
MOST_ENTRIES, MOST_BYTES = 1 << 14, 1 << 20
"""Of one value."""
HEAD = 16
"""Bytes of an entry before the answer: its age, its steps."""
BITS = 64


@dataclass(frozen=True, slots=True)
class Memo:
    """Where the entries of a value stand, the bytes of one, its number among all, and what the value reads."""

    number: int
    address: int
    size: int
    reads: frozenset[int]

    @property
    def known(self) -> str:
        """The global in which it has its bit."""
        return f"$known{self.number // BITS}"

    @property
    def bit(self) -> int:
        return 1 << self.number % BITS

    @property
    def age(self) -> str:
        return f"$age{self.number}"


@dataclass(frozen=True, slots=True)
class Around:
    """Text of a function: its locals, what stands before a stretch, and what behind it."""

    locals: str
    before: str
    after: str


class Memos:
    """The memos of a program, by value."""

    def __init__(self, program: Program, weights: Weights) -> None:
        self.program = program
        self._weights = weights
        self._work: dict[int, int] = {}
        self._reads: dict[int, frozenset[int] | None] = {}
        self.held: dict[int, Memo] = {}
        self.searches = any(isinstance(each, ir.Reach | ir.Trial) for each in everything(program))
        """Can another state stand in place of this one, and its answers with it, while an answer is being read?"""
        self.position: Memo | None = None
        """The number of the position."""

    def choose(self, room: Memory) -> None:
        """Finds the values that have a memo."""
        for index, value in enumerate(self.program.values):
            size = self._entry(value)
            if size is None or self.work(index) < HEAVY:
                continue
            entries = prod(count for _, count in map(self.range, value.params))
            reads = self.reads(index)
            if reads is None or not 0 < entries <= MOST_ENTRIES or entries * size > MOST_BYTES:
                continue
            self.held[index] = Memo(len(self.held), room.site(entries * size), size, reads)
        if (history := self.program.history) is not None:
            pieces = (var for each in history.alike for var in (each.in_play, each.out, *each.vars))
            self.position = Memo(len(self.held), 0, 0, frozenset((*history.vars, *pieces)))

    @property
    def _all(self) -> list[Memo]:
        return [*self.held.values(), *([] if self.position is None else [self.position])]

    def _entry(self, value: Value) -> int | None:
        """The bytes of an entry; none where arguments or result are not of plain types."""
        for kind in value.params:
            if not isinstance(kind, Int | Id) or kind.optional or scalar_rep(kind) != "i32":
                return None
        match value.result:
            case Int() | Id():
                return HEAD + 8
            case SetOf(of=of) if scalar_rep(of) == "i32":
                return HEAD + 8 * chunks(self.program, value.result)
            case _:
                return None

    def range(self, kind: Type) -> tuple[int, int]:
        """The least argument of a type, and how many there are."""
        assert isinstance(kind, Int | Id)
        low, high = bounds(self.program, kind)
        return low, high - low + 1

    # ------------------------------------------------------------ what a value is

    def work(self, index: int) -> int:
        """What a value weighs with all elements that its folds can have."""
        if index not in self._work:
            value = self.program.values[index]
            asked = [value.base, *(part for each in value.clauses for part in (each.condition, each.operand))]
            self._work[index] = sum(map(self._weight, asked))
        return self._work[index]

    def _weight(self, e: ir.Expr) -> int:
        match e:
            case ir.Fold() | ir.Scan():
                each = (e.step,) if isinstance(e, ir.Scan) else (e.where, e.body)
                inner = sum(self._weight(part) for part in each if part is not None)
                return 1 + self._weight(e.domain) + self._weights.extent(e.domain.type) * (1 + inner)
            case ir.Ask():
                return 1 + sum(map(self._weight, e.args)) + self.work(e.value)
            case ir.Judge():
                clauses = self.program.actions[e.action].prohibitions
                return (
                    1 + sum(map(self._weight, e.args)) + sum(self._weight(each.condition) for each in clauses)
                )
            case _:
                return 1 + sum(map(self._weight, parts(e)))

    def reads(self, index: int) -> frozenset[int] | None:
        """The variables that a value reads, with all that it asks for; none where that is not all it depends on."""
        if index not in self._reads:
            self._reads[index] = self._read_by(self.program.values[index])
        return self._reads[index]

    def _read_by(self, root: object) -> frozenset[int] | None:
        found: set[int] = set()
        for each in everything(root):
            more: frozenset[int] | None = frozenset()
            match each:
                case ir.Load() | ir.LoadItem():
                    found.add(each.var)
                case ir.Ask():
                    more = self.reads(each.value)
                case ir.Judge():
                    more = self._read_by(self.program.actions[each.action].prohibitions)
                case ir.Reach() | ir.Trial() | ir.Occurrences():
                    more = None
                case ir.Op() if OPERATORS[each.op].reads:
                    more = None
                case _:
                    pass
            if more is None:
                return None
            found |= more
        return frozenset(found)

    # ------------------------------------------------------------ what is written

    def forgotten(self, written: Iterable[int]) -> list[str]:
        """Statements that take out the bits of the values that read any of these variables."""
        changed = set(written)
        masks: dict[str, int] = {}
        for memo in self._all:
            if not changed.isdisjoint(memo.reads):
                masks[memo.known] = masks.get(memo.known, 0) | memo.bit
        return [
            f"(global.set {known} (i64.and (global.get {known}) {i64(~mask)}))"
            for known, mask in masks.items()
        ]

    def around(self, written: Iterable[int]) -> Around:
        """What keeps the values that read any of these variables over a stretch which takes back what it wrote."""
        changed = set(written)
        memos = [each for each in self._all if not changed.isdisjoint(each.reads)]
        masks: dict[str, int] = {}
        for memo in memos:
            masks[memo.known] = masks.get(memo.known, 0) | memo.bit
        ages = [memo.age for memo in memos]
        names = [*masks, *ages]
        return Around(
            locals="".join(f"(local $was{n} i64)" for n in range(len(names))),
            before="".join(f"(local.set $was{n} (global.get {name}))" for n, name in enumerate(names)),
            after="".join(
                f"(global.set {known} (i64.or (i64.and (global.get {known}) {i64(~mask)})"
                f" (i64.and (local.get $was{n}) {i64(mask)})))"
                for n, (known, mask) in enumerate(masks.items())
            )
            + "".join(
                f"(global.set {age} (local.get $was{n}))" for n, age in enumerate(ages, start=len(masks))
            ),
        )

    def support(self) -> str:
        """The globals, and the function `$forget` for all of them at once."""
        known = sorted({memo.known for memo in self._all})
        lines = ["(global $age (mut i64) (i64.const 0))\n"]
        lines += [f"(global {each} (mut i64) (i64.const 0))\n" for each in known]
        lines += [f"(global {memo.age} (mut i64) (i64.const 0))\n" for memo in self._all]
        cleared = "".join(f"(global.set {each} (i64.const 0))" for each in known)
        return f"{''.join(lines)}(func $forget {cleared})\n"
