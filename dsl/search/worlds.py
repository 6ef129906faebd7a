"""The worlds that a search begins in: what its player cannot know is drawn anew in each.

What lies hidden in variables changes places (`dsl.engine.worlds`). What others have answered to a question that all
answer in secret lies in the frame of the routine that asks: in each world they have answered something else, from what
they could choose there. Draws come from a generator of this one's own, so that the page draws the same
(`dsl/browser/page/worlds.js`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.engine.chance import Generator
from dsl.engine.layout import slots
from dsl.engine.machine import Machine
from dsl.engine.worlds import Cover, Secrets
from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD, TOP, Program
from dsl.ir.types import Type
from dsl.players.random_player import APART
from dsl.wasm.instance import Instance


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


class Worlds:
    """Draws worlds for a search, whose instance lists what could be answered in each."""

    def __init__(self, machine: Machine, instance: Instance) -> None:
        self._secrets = Secrets(machine)
        self._kept = kept_back(machine.program)
        self._instance = instance

    def drawn(self, state: list[int], player: int, seed: int) -> Iterator[list[int]] | None:
        """Worlds without end that a player cannot tell from this one: which, hangs on nothing that he does not know.
        None where there is only this one.
        """
        first = self._secrets.ordered(state, player)
        covers = self._secrets.changing(first, player)
        answers = self.answers(first, player)
        if not covers and not answers:
            return None
        chance = Generator(seed * APART + 1)
        return self._endless(self._answered(first, answers, None), covers, answers, chance)

    def _endless(
        self, first: list[int], covers: list[Cover], answers: list[Kept], chance: Generator
    ) -> Iterator[list[int]]:
        while True:
            yield self._answered(self._secrets.shuffled(first, covers, chance), answers, chance)

    def answers(self, state: list[int], player: int) -> list[Kept]:
        """The questions that others have answered in secret."""
        frame = state[TOP]
        if frame < 0:
            return []
        found = []
        for each in self._kept.get((state[frame], state[frame + 1]), ()):
            self._ask(state, each)
            if self._instance.player != player:
                found.append(each)
        return found

    def _answered(self, state: list[int], answers: list[Kept], chance: Generator | None) -> list[int]:
        """The world with other answers to some questions: by chance, or each the first that there is."""
        found = list(state)
        for each in answers:
            count = self._ask(found, each)
            if not count:
                continue
            words = self._instance.option(0 if chance is None else chance.below(count))
            for at, place, width in each.offers[words[0]]:
                start = found[TOP] + place
                found[start : start + width] = words[at : at + width]
        return found

    def _ask(self, state: list[int], question: Kept) -> int:
        """Stands where a question is asked; yields how many answers there are."""
        there = list(state)
        there[state[TOP] + 1] = question.block
        self._instance.put(there)
        return self._instance.count if self._instance.calls["look"]() > 0 else 0
