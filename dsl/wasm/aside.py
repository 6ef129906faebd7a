"""What searches and trials put aside: the parts of the state that they may change, and no more.

A trial (`COND after ACTION`) runs a procedure, and a search (`reachable`) runs one routine again and again; each takes
back what it did. Which variables their statements write is known beforehand, so the others stay where they are: a long
list of positions that have stood is not copied for every move that is tried (what a trial notes there is taken off
again, `history.py`), a search compares its states by what differs in them, and what is known of values that read none
of it (`memos.py`) is known afterwards too.

Always among the parts is the head of the state, before the first variable. A routine that runs alone stands on the
first frame; behind the frames that it and those it enters can fill there is nothing to put aside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dsl.engine.layout import frame_size, members
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.walk import within
from dsl.wasm.memory import Memory
from dsl.wasm.text import choice, get, i32, plus

COPIED_TOO = 256
"""Bytes between two parts that are copied with them, as another copy takes longer."""
COMPARED_TOO = 16
"""Bytes between two parts that are compared with them."""
LANES = 32
"""Bytes that are hashed side by side. Behind the state there are zeros up to a multiple of it."""
FEW_BYTES = 1024
"""So many are copied word by word."""
Span = tuple[int, int]
"""Bytes of the state, from the first to the one behind the last."""


@dataclass(frozen=True, slots=True)
class Aside:
    """The variables that may change, the bytes of frames that may be filled, the parts that are copied, mirrors among
    them, and those that tell states apart.
    """

    vars: frozenset[int]
    frames: int
    copied: tuple[Span, ...]
    compared: tuple[Span, ...]

    def copy(self) -> str:
        """Statements that copy the parts from `$from` to `$to`."""
        return "".join(line for span in self.copied for line in _copied(get("$to"), get("$from"), span))

    def same(self) -> str:
        """Are the parts the same at `$one` and `$other`?"""
        *firsts, found = [
            f"(call $same {plus(get('$one'), first)} {plus(get('$other'), first)} {i32((end - first) // 4)})"
            for first, end in self.compared
        ]
        for each in reversed(firsts):
            found = choice("i32", each, found, i32(0))
        return found

    def hash(self) -> str:
        """A number that is the same for states that are the same. What stands around a part does not change."""
        spans = _joined(
            ((first // LANES * LANES, -(-end // LANES) * LANES) for first, end in self.compared), 0
        )
        found = "(i64.const 0)"
        for first, end in spans:
            found = f"(call $hash_part {found} {i32(first)} {i32(end)})"
        return found


def for_trials(program: Program, memory: Memory, procedures: Iterable[int]) -> Aside:
    """What trials of these procedures may change; the list of positions, which is none of the parts, among it."""
    return _aside(program, memory, _written(program, procedures, ()), 0, positions=False)


def for_searches(program: Program, memory: Memory, routines: Iterable[int]) -> Aside:
    """What searches that run these routines may change."""
    roots = tuple(routines)
    deep = max((_depth(program, each, ()) for each in roots), default=0)
    written = _written(program, (), _entered(program, roots))
    return _aside(program, memory, written, min(deep, program.size - program.frames))


def _aside(
    program: Program, memory: Memory, written: frozenset[int], frames: int, *, positions: bool = True
) -> Aside:
    spans = [(0, 4 * min((var.offset for var in program.vars), default=program.frames))]
    history = program.history
    left = set() if positions or history is None else {history.var}
    for index in written - left:
        var = program.vars[index]
        count = 1 if var.of is None else members(program, var.of)
        spans.append((4 * var.offset, 4 * (var.offset + var.width * count)))
    spans.append((4 * program.frames, 4 * (program.frames + frames)))
    mirrored = [memory.mirrors[index] for index in written if index in memory.mirrors]
    copied = [*spans, *((each.address, each.address + each.size) for each in mirrored)]
    return Aside(written, 4 * frames, _joined(copied, COPIED_TOO), _joined(spans, COMPARED_TOO))


def _joined(spans: Iterable[Span], gap: int) -> tuple[Span, ...]:
    """Spans in order, those together that are not farther apart."""
    found: list[Span] = []
    for first, end in sorted(span for span in spans if span[1] > span[0]):
        if found and first - found[-1][1] <= gap:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((first, end))
    return tuple(found)


def _copied(to: str, start: str, span: Span) -> Iterable[str]:
    first, end = span
    if end - first > FEW_BYTES:
        yield f"(memory.copy {plus(to, first)} {plus(start, first)} {i32(end - first)})"
        return
    at = first
    while at < end:
        bits = 128 if end - at >= 16 else 64 if end - at >= 8 else 32
        kind = "v128" if bits == 128 else f"i{bits}"
        yield f"({kind}.store offset={at} {to} ({kind}.load offset={at} {start}))"
        at += bits // 8


def _entered(program: Program, roots: Iterable[int]) -> set[int]:
    """The routines that are run where these are."""
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            ends = (block.end for block in program.routines[index].blocks)
            waiting += [end.routine for end in ends if isinstance(end, ir.Enter)]
    return found


def _depth(program: Program, index: int, path: tuple[int, ...]) -> int:
    """The slots of the frames that a routine and those it enters can fill; all of them where it enters itself."""
    if index in path:
        return program.size
    routine = program.routines[index]
    entered = {block.end.routine for block in routine.blocks if isinstance(block.end, ir.Enter)}
    inner = max((_depth(program, each, (*path, index)) for each in entered), default=0)
    return frame_size(program, routine) + inner


def _written(program: Program, procedures: Iterable[int], routines: Iterable[int]) -> frozenset[int]:
    """The variables that statements of these write, and of the procedures that they call."""
    bodies = [block.body for each in routines for block in program.routines[each].blocks]
    called, found = set(procedures), set[int]()
    bodies += [program.procedures[each].body for each in called]
    while bodies:
        for st in within(bodies.pop()):
            match st:
                case ir.Store() | ir.Change():
                    found.add(st.var)
                case ir.MoveCard() | ir.ShufflePile():
                    pool = program.pools[st.pool]
                    found |= {
                        each for each in (pool.in_play, pool.out, pool.pile, pool.order) if each is not None
                    }
                case ir.Remember():
                    assert program.history is not None
                    found |= {program.history.var, program.history.last}
                case ir.Call() if st.procedure not in called:
                    called.add(st.procedure)
                    bodies.append(program.procedures[st.procedure].body)
                case _:
                    pass
    return frozenset(found)
