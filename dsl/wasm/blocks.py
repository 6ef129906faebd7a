"""Routines: a loop with a `br_table` over the blocks that can be entered from outside.

What follows on a block is written behind it, again and again where it is short, so that a jump is one to a place that
is known: back to a block around it, or none at all. `enter` and `return` leave the routine to the loop that runs
frames, and a decision leaves it with its options listed. Locals that live across blocks are slots of the frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.program import Routine
from dsl.ir.size import COUNTED
from dsl.ir.verify.graph import everything
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.decisions import ENDED, Decisions
from dsl.wasm.endings import keeps, read_by_endings
from dsl.wasm.text import get, i32, put, test

DEEP = 24
"""So many blocks are written inside each other."""
SMALL_PROGRAM, SPARE, LITTLE = 400, 300, 12
"""What blocks that are written again may weigh together: much in a program of such a weight, else little."""
DECISION = 60
"""What a decision is counted for beside its offers."""


class Blocks(Decisions):
    """Adds routines. `path` are the blocks around, `ways` those that need a way in, `carry` steps not yet counted."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.path: list[int] = []
        self.ways: set[int] = set()
        self.carry = 0
        self._spare = 0
        self._read = read_by_endings(self.program)
        self._alone_behind: set[int] = set()
        whole = sum(_size(block) for each in self.program.routines for block in each.blocks)
        self._most = SPARE if whole < SMALL_PROGRAM else LITTLE

    def routine(self, index: int, routine: Routine) -> None:
        """The function `$r<index>`, and those that list the options of its decisions."""
        for number, block in enumerate(routine.blocks):
            if isinstance(block.end, ir.Decide):
                self.options(f"$o{index}_{number}", routine, block.end)
        self.begin_function((), 0)
        self.frame, self.index = routine, index
        self.ways = _entries(routine)
        coming = Counter(to for block in routine.blocks for to in _follow(block.end))
        self._alone_behind = {number for number, count in coming.items() if count == 1} - self.ways
        codes: dict[int, str] = {}
        while waiting := sorted(self.ways - codes.keys()):
            self._spare = self._most
            codes[waiting[0]] = "".join(self._block(waiting[0]))
        heads = "".join(f"(block $b{number} " for number in reversed(codes))
        table = " ".join(
            f"$b{number}" if number in codes else "$none" for number in range(len(routine.blocks))
        )
        whole = f"(block $none {heads}(br_table {table} $none {get('$pc')})"
        body = "".join(f")\n{code}" for code in codes.values())
        lines = [
            put("$pc", "(i32.load offset=4 (local.get $f))"),
            *self._written_since(),
            f"(loop $go {whole}{body}))",
            "(unreachable)",
        ]
        self.temps.append("(local $pc i32) (local $tested i32)")
        self.end_function(f"$r{index}", ["(param $f i32)"], ("i32",), lines)
        self.frame = None

    # ------------------------------------------------------------ from block to block

    def lead(self, number: int) -> list[str]:
        """Goes on with a block: back to it, into it, or round to the table."""
        if number in self.path:
            return [*self._counted_so_far(), f"(br $L{number})"]
        if self._room_for(number):
            return self._block(number)
        return [*self._counted_so_far(), *self.round_to(number)]

    def round_to(self, number: int) -> list[str]:
        """Goes on with a block by way of the table."""
        self.ways.add(number)
        return [put("$pc", i32(number)), "(br $go)"]

    def _room_for(self, number: int) -> bool:
        if len(self.path) >= DEEP:
            return False
        if number in self._alone_behind:
            return True
        assert self.frame is not None
        weight = _size(self.frame.blocks[number])
        if weight > self._spare:
            return False
        self._spare -= weight
        return True

    def _counted_so_far(self) -> list[str]:
        steps, self.carry = self.carry, 0
        return [self.count(steps)] if steps else []

    def _block(self, number: int) -> list[str]:
        """A block and what follows on it."""
        assert self.frame is not None
        block = self.frame.blocks[number]
        own = 1 if isinstance(block.end, ir.Decide) else 1 + counted(block) // STEP
        before, spare = self.carry, self._spare
        self.path.append(number)
        self.carry = before + own
        lines, code = [], "".join(self._code(number, block))
        if before and f"(br $L{number})" in code:  # what was before is not counted in each round
            self.carry, self._spare = before, spare
            lines = self._counted_so_far()
            self.carry = own
            code = "".join(self._code(number, block))
        self.path.pop()
        return [*lines, f"(loop $L{number} {code})" if f"(br $L{number})" in code else code]

    def _code(self, number: int, block: ir.Block) -> list[str]:
        end = block.end
        if not block.body and isinstance(end, ir.Jump):
            return self.lead(end.block)
        if not block.body and isinstance(end, ir.Branch) and cannot_fail(self.program, end.condition):
            return self._branch(end, [])
        lines = self._counted_so_far()
        if isinstance(end, ir.Decide):
            return [*lines, *self._written_since(), *self.decide(number, end)]
        lines += self._statements(block.body)
        stop = test("(i32.load offset=16 (i32.const 0))", [f"(return {i32(ENDED)})"])
        checks = [stop] if self.may_end(block.body) else []
        match end:
            case ir.Jump():
                return [*lines, *checks, *self.lead(end.block)]
            case ir.Branch():
                return [*lines, *self._branch(end, checks)]
            case _:
                return [*lines, *self.leave(end)]

    def _statements(self, body: tuple[ir.Stmt, ...]) -> list[str]:
        """Statements of a block. Where endings are known not to hold, testing them takes the steps it took before."""
        lines: list[str] = []
        written = False
        for st in body:
            if isinstance(st, ir.TestEndings) and not st.at_once and self._read is not None:
                lines += self._test(self.body((st,)), sure=written)
                written = False
            else:
                lines += self.body((st,))
                written = written or self._read is None or not keeps(self.program, st, self._read)
        return [*lines, *(self._written_since() if written else [])]

    def _test(self, call: list[str], *, sure: bool) -> list[str]:
        """Tests endings, where it is not sure that something was written since the last time only if it was."""
        steps = "(global.get $steps)"
        took = put("$tested", f"(i32.sub {steps} {get('$tested')})")
        lines = [put("$tested", steps), *call, took]
        return (
            lines
            if sure
            else [test(f"(i32.lt_s {get('$tested')} {i32(0)})", lines, [self.count_code(get("$tested"))])]
        )

    def _written_since(self) -> list[str]:
        """From here on endings may hold."""
        return [] if self._read is None else [put("$tested", i32(-1))]

    def _branch(self, end: ir.Branch, checks: list[str]) -> list[str]:
        carry, condition, lines = self.carry, self.expr(end.condition), []
        if checks:
            name = self.temp("i32")
            lines, condition = [put(name, condition), *checks], get(name)
        then = self.lead(end.then)
        self.carry = carry
        other = self.lead(end.other)
        self.carry = 0
        return [*lines, test(condition, then), *other]

    def leave(self, end: ir.Terminator) -> list[str]:
        """Ends that leave the routine."""
        raise NotImplementedError

    def may_end(self, body: tuple[ir.Stmt, ...]) -> bool:
        """Can the game end in some statements?"""
        raise NotImplementedError


def _entries(routine: Routine) -> set[int]:
    """The blocks that a frame can stand at when its routine is run."""
    found = {0}
    for number, block in enumerate(routine.blocks):
        match block.end:
            case ir.Decide():
                found |= {number, *_follow(block.end)}
            case ir.Enter():
                found.add(block.end.block)
            case _:
                pass
    return found


def _follow(end: ir.Terminator) -> Iterable[int]:
    """The blocks that can come after one."""
    match end:
        case ir.Jump() | ir.Enter():
            return (end.block,)
        case ir.Branch():
            return (end.then, end.other)
        case ir.Decide():
            empty = () if end.empty is None else (end.empty,)
            return (*(offer.block for offer in end.offers), *empty)
        case _:
            return ()


def _size(block: ir.Block) -> int:
    """How much code a block is, about: its expressions and statements."""
    size = sum(type(each) in COUNTED for each in everything(block))
    return size + DECISION * isinstance(block.end, ir.Decide)
