"""A game as bytes, and the care with which bytes from anywhere become a game again.

A snapshot is the mark `SCNS`, the version of its form (16 bits), the hash of the program (32 bytes), the
number of slots (32 bits) and the slots, everything little-endian. Options are variables, so the slots have
them too.

What is not a state that this program can stop at is refused: each variable in its range, each frame one of a
routine that stands where it may stand, everything behind the top frame 0.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from dsl.diagnostics import Code, Diagnostic
from dsl.engine import layout
from dsl.engine.piles import sorted_into_piles
from dsl.ir import nodes as ir
from dsl.ir.program import (
    DECISIONS,
    FRAME_HEAD,
    OUT,
    REASON,
    RESULT,
    STATUS,
    TOP,
    WINNERS,
    Program,
    Routine,
)
from dsl.ir.types import NONE
from dsl.ir.verify.assigned import certainly_set

MARK = b"SCNS"
VERSION = 1
_HEAD = struct.Struct("<4sH32sI")


def packed(program_hash: str, state: list[int]) -> bytes:
    """The bytes of a state."""
    return _HEAD.pack(MARK, VERSION, bytes.fromhex(program_hash), len(state)) + layout.pack(state)


def unpacked(program: Program, program_hash: str, data: bytes) -> list[int] | list[Diagnostic]:
    """The state in a snapshot; or what is wrong with it."""
    if len(data) < _HEAD.size:
        return [damaged("this is too short to be a saved game")]
    mark, version, saved_hash, count = _HEAD.unpack_from(data)
    if mark != MARK:
        return [damaged("this is not a saved game")]
    if version != VERSION:
        return [damaged(f"the save has the form {version}, and this is {VERSION}")]
    if saved_hash != bytes.fromhex(program_hash):
        message = "the save was made with another version of the game's rules"
        hint = "play it with the rules that it was made with"
        return [Diagnostic(Code.SAVE_OF_OTHER_PROGRAM, message, hint=hint)]
    if count != program.size or len(data) != _HEAD.size + 4 * count:
        return [damaged("the save does not have the size that this game needs")]
    state = list(struct.unpack_from(f"<{count}i", data, _HEAD.size))
    fault = next(faults_of(program, state), None)
    return state if fault is None else [damaged(fault)]


def damaged(message: str) -> Diagnostic:
    """What is said of a save that cannot be trusted."""
    hint = "take an earlier save, or play it again from its choices"
    return Diagnostic(Code.DAMAGED_SAVE, message, hint=hint)


def faults_of(program: Program, state: list[int]) -> Iterator[str]:
    """What makes a vector of the right length no state of the program; a later fault may follow from the first."""
    yield from _head_faults(program, state)
    for var in program.vars:
        count = 1 if var.of is None else layout.members(program, var.of)
        if not layout.all_fit(program, state, var.offset, var.type, count):
            yield f"a value of `{var.name}` is outside its range"
    yield from _frame_faults(program, state)
    yield from pile_faults(program, state)


def _head_faults(program: Program, state: list[int]) -> Iterator[str]:
    everyone = 1 << layout.members(program, program.players)
    running = state[STATUS] == 0
    if not state[2] & 1:
        yield "the generator's increment is even"
    if state[STATUS] not in {0, 1}:
        yield "the game is neither running nor ended"
    if not 0 <= state[WINNERS] < everyone or not 0 <= state[OUT] < everyone:
        yield "it names players that the game does not have"
    if running and (state[WINNERS] or state[REASON] != -1):
        yield "a running game has no winners"
    if not running and not (state[REASON] == -2 or 0 <= state[REASON] < len(program.endings)):
        yield "the game ended for a reason that it does not have"
    if not 0 <= state[DECISIONS] <= program.decisions - running:
        yield "more decisions have been taken than the game allows"
    if state[RESULT]:
        yield "a routine's result is waiting, which it never is at a decision"
    if not running and state[TOP] != -1:
        yield "the game has ended, and something is still running"
    if running and state[TOP] == -1:
        yield "the game goes on, and nothing is running"


def _frame_faults(program: Program, state: list[int]) -> Iterator[str]:
    """Walks from the frame below all to the top one, each beginning where the one under it ends."""
    at, caller, top = program.frames, -1, state[TOP]
    if top != -1 and not program.frames <= top < program.size:
        yield "the last frame is nowhere"
        return
    if top == -1:
        if any(state[program.frames :]):
            yield "there is something behind the last frame"
        return
    while True:
        fault = _frame_fault(program, state, at, caller)
        if fault is not None:
            yield fault
            return
        routine = program.routines[state[at]]
        size = layout.frame_size(program, routine)
        if at == top:
            break
        if at > top:
            yield "the last frame is nowhere"
            return
        caller, at = at, at + size
    if not isinstance(routine.blocks[state[at + 1]].end, ir.Decide):
        yield "the game does not stand at a decision"
    if any(state[at + size :]):
        yield "there is something behind the last frame"


def _frame_fault(program: Program, state: list[int], at: int, caller: int) -> str | None:
    if at + FRAME_HEAD > program.size or not 0 <= state[at] < len(program.routines):
        return "a frame is of a routine that the game does not have"
    routine = program.routines[state[at]]
    if at + layout.frame_size(program, routine) > program.size:
        return "a frame does not fit the stack"
    if not 0 <= state[at + 1] < len(routine.blocks) or state[at + 2] != caller:
        return "a frame stands where it cannot stand"
    if caller < 0 and state[at] != program.main:
        return "the first frame is not that of the game"
    if caller >= 0 and not _may_return(program, state, caller, state[at]):
        return "a frame was entered from where it cannot be entered"
    return _local_fault(program, state, at, routine)


def _local_fault(program: Program, state: list[int], at: int, routine: Routine) -> str | None:
    """A local holds one of its values, or zeros where nothing has been written yet."""
    for index, (offset, kind) in enumerate(zip(routine.offsets, routine.locals, strict=True)):
        begin = at + FRAME_HEAD + offset
        if layout.fits(program, state, begin, kind):
            continue
        blank = not any(state[begin : begin + layout.slots(program, kind)])
        if not blank or certainly_set(routine).get(state[at + 1], -1) >> index & 1:
            return "a value of a frame is outside its range"
    return None


def _may_return(program: Program, state: list[int], caller: int, callee: int) -> bool:
    """Does the caller stand at a block that comes after entering the callee?"""
    blocks = program.routines[state[caller]].blocks
    waits = state[caller + 1]
    return any(
        isinstance(block.end, ir.Enter) and block.end.block == waits and block.end.routine == callee
        for block in blocks
    )


def pile_faults(program: Program, state: list[int]) -> Iterator[str]:
    """Cards that do not lie in their piles one behind the other."""
    for pool in program.pools:
        if pool.pile is None or pool.order is None:
            continue
        order, piles = program.vars[pool.order].offset, sorted_into_piles(program, state, pool)
        for pile, name in enumerate(pool.piles):
            places = [state[order + card] for card in piles.get(pile, ())]
            if places != list(range(len(places))):
                yield f"the cards of the pile `{name}` do not lie in one order"
        if any(state[order + card] for card in piles.get(NONE, ())):
            yield f"a card of `{pool.name}` has a place in no pile"
