"""Positions that have stood before: the numbers of a position, and how often it was noted (`program.History`)."""

from __future__ import annotations

from functools import cache, lru_cache
from struct import Struct

from dsl.engine.runtime import Run
from dsl.ir.limits import MAX_POSITIONS
from dsl.ir.program import Alike, Program, Var
from dsl.ir.types import NONE, WORD

FACTOR = 11400714819323198485
"""2**64 by the golden ratio: what takes in one slot after another, and what tells the words of a position apart."""
SHIFTS, FACTORS = (30, 27, 31), (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""Of SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014)."""
CHOOSER = 31
"""The bits of a position's second number that say who has chosen last."""
_SLOT, _WHOLE = (1 << 32) - 1, (1 << 64) - 1


def occurrences(state: list[int], run: Run) -> int:
    """How often the position that stands now has stood, this time counted."""
    program = run.machine.program
    _, noted = _noted(program, state)
    now = _numbers(program, state)
    same = [_same(noted[k : k + 2], now) for k in range(0, len(noted), 2)]
    return sum(same) + (not same or not same[-1])


def _same(noted: list[int], now: list[int]) -> bool:
    """Are these numbers of one position? Where nobody had chosen yet, that is no difference."""
    other = noted[1] ^ now[1]
    known = noted[1] & CHOOSER and now[1] & CHOOSER
    return noted[0] == now[0] and not other & (~0 if known else ~CHOOSER)


def remember(state: list[int], run: Run) -> None:
    """Notes the position that stands now, unless it is the one that was noted last."""
    program = run.machine.program
    at, noted = _noted(program, state)
    now = _numbers(program, state)
    if noted[-2:] != now:
        kept = [*noted, *now][-2 * MAX_POSITIONS :]
        state[at] = len(kept)
        state[at + 1 : at + 1 + len(kept)] = kept


def _noted(program: Program, state: list[int]) -> tuple[int, list[int]]:
    """Where the positions stand in the state, and their numbers."""
    assert program.history is not None
    at = program.vars[program.history.var].offset
    return at, state[at + 1 : at + 1 + state[at]]


def _numbers(program: Program, state: list[int]) -> list[int]:
    """The two numbers of the position that stands now."""
    history = program.history
    assert history is not None
    words: list[int] = []
    for index in history.vars:
        var = program.vars[index]
        words += _paired(state[var.offset : var.offset + var.width * _count(program, var)])
    words += [_pieces(program, state, alike) for alike in history.alike]
    h = sum(spread(word + k * FACTOR & _WHOLE) for k, word in enumerate(words, 1)) & _WHOLE
    player = state[program.vars[history.last].offset]
    return [h & 0x7FFFFFFF, h >> 38 << 5 | (0 if player == NONE else player + 1)]


def _pieces(program: Program, state: list[int], alike: Alike) -> int:
    """The sum for pieces that are alike."""
    in_play, out = (program.vars[each].offset for each in (alike.in_play, alike.out))
    places = [(program.vars[each].offset, program.vars[each].width) for each in alike.vars]
    total = 0
    for member, kind in enumerate(alike.classes):
        word, bit = member // WORD, member % WORD
        if state[in_play + word] >> bit & 1:
            slots = [kind, 1]
            for offset, width in places:
                slots += state[offset + member * width : offset + (member + 1) * width]
        else:
            slots = [kind, 2 + (state[out + word] >> bit & 1)]
        total += _mixed(0, slots)
    return total & _WHOLE


def _paired(slots: list[int]) -> tuple[int, ...]:
    """Words of two slots each, the first of them below; the last one alone where their number is odd."""
    form, words = _forms(len(slots))
    return words.unpack(form.pack(*slots))


@cache
def _forms(count: int) -> tuple[Struct, Struct]:
    """So many slots, with four bytes behind them where their number is odd; and the words that lie there."""
    return Struct(f"<{count}i{count % 2 * 4}x"), Struct(f"<{(count + 1) // 2}Q")


@lru_cache(maxsize=1 << 16)
def spread(x: int) -> int:
    """A number of 64 bits, each of which depends on each of the given one. From one position to the next few words
    are others, so nearly all of them are known.
    """
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        x = (x ^ x >> shift) * factor & _WHOLE
    return x ^ x >> SHIFTS[-1]


def _mixed(h: int, slots: list[int]) -> int:
    for slot in slots:
        h = (h ^ slot & _SLOT) * FACTOR & _WHOLE
        h ^= h >> 32
    return h


def _count(program: Program, var: Var) -> int:
    return 1 if var.of is None else len(program.domains[var.of].members)
