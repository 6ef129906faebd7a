"""The worlds that a search begins in: what its player cannot know is drawn anew in each.

What lies hidden in variables changes places (`dsl.engine.worlds`). What others have answered to a question that all
answer in secret lies in the frame of the routine that asks: in each world they have answered something else, from what
they could choose there. Draws come from a generator of this one's own, so that the page draws the same
(`dsl/browser/page/worlds.js`).
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.chance import Generator
from dsl.engine.machine import Machine
from dsl.engine.sealed import Kept, kept_back
from dsl.engine.worlds import Cover, Secrets
from dsl.ir.program import TOP
from dsl.players.random_player import APART
from dsl.wasm.instance import Instance


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
