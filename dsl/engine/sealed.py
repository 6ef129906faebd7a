"""What has been answered to a question that all answer in secret, and is told to nobody before the last has answered.

Such an answer lies in the frame of the routine that asks. Where somebody thinks about what another has answered, or
takes back what he answered after him, it is another in each of the worlds that he cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.engine.game import Game
from dsl.engine.layout import slots
from dsl.engine.snapshot import packed
from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD, TOP, Program
from dsl.ir.types import Type

if TYPE_CHECKING:
    from dsl.engine.decision import Option
    from dsl.engine.machine import Machine


@dataclass(frozen=True, slots=True)
class Kept:
    """A question whose answer is told to nobody yet: its block, and for each of its offers the variables, as where each
    begins among the words of an option, where in the frame, and how many slots it fills.
    """

    block: int
    offers: tuple[tuple[tuple[int, int, int], ...], ...]


def kept_back(program: Program) -> dict[tuple[int, int], tuple[Kept, ...]]:
    """For each decision, by routine and block, the questions before it whose answers are still secret when it is asked,
    the first one first.
    """
    found: dict[tuple[int, int], tuple[Kept, ...]] = {}
    for number, routine in enumerate(program.routines):
        for start in range(len(routine.blocks)):
            at, before = start, tuple[Kept, ...]()
            while len(before) < len(routine.blocks):
                end = routine.blocks[at].end
                if not isinstance(end, ir.Decide) or not end.sealed or not end.offers:
                    break
                before = *before, _kept(program, routine.locals, routine.offsets, at, end)
                at = _next(routine.blocks, end.offers[0].block)
                if len(before) > len(found.get((number, at), ())):
                    found[number, at] = before
    return found


def _kept(
    program: Program, kinds: tuple[Type, ...], offsets: tuple[int, ...], block: int, end: ir.Decide
) -> Kept:
    offers = []
    for offer in end.offers:
        at, places = 1, []
        for var in offer.variables:
            width = slots(program, kinds[var.index])
            places.append((at, FRAME_HEAD + offsets[var.index], width))
            at += width
        offers.append(tuple(places))
    return Kept(block, tuple(offers))


def _next(blocks: tuple[ir.Block, ...], block: int) -> int:
    """The block at which jumps from one end."""
    for _ in blocks:
        match blocks[block].end:
            case ir.Jump(block=block):
                pass
            case _:
                break
    return block


class Sealed:
    """The answers that others have given in secret before a decision, in any world that stands there."""

    def __init__(self, machine: Machine, state: list[int], player: int) -> None:
        self._machine = machine
        frame = state[TOP]
        kept = () if frame < 0 else kept_back(machine.program).get((state[frame], state[frame + 1]), ())
        self._kept = [each for each in kept if self._asked(state, each)[0].decision.player != player]

    def given(self, state: list[int]) -> list[Option]:
        """What they have answered in a world."""
        return [
            option
            for each in self._kept
            for option in self._asked(state, each)
            if self._with(state, each, option) == state
        ]

    def others(self, state: list[int]) -> Iterator[list[int]]:
        """The worlds in which one of them has answered something else."""
        for each in self._kept:
            for option in self._asked(state, each):
                found = self._with(state, each, option)
                if found != state:
                    yield found

    def _asked(self, state: list[int], question: Kept) -> tuple[Option, ...]:
        """What could be answered to a question."""
        there = list(state)
        there[state[TOP] + 1] = question.block
        game = Game.restore(self._machine, packed(self._machine.hash, there))
        assert isinstance(game, Game) and game.decision is not None
        return game.decision.options

    def _with(self, state: list[int], question: Kept, option: Option) -> list[int]:
        """The world in which somebody has answered so."""
        found, frame = list(state), state[TOP]
        self._machine.bind(
            self._machine.plain.deciders[state[frame], question.block], found, frame, option.raw
        )
        return found
