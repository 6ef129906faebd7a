"""The label of an action that is asked about, with what stands in its holes computed as a line of the menu would."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.diagnostics.excerpt import printable
from dsl.engine.display import filled
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Action
from dsl.ir.types import Id

HOLE = re.compile(r"\{[^}]*\}")
MOST_COMPUTED = 5_000
"""So many labels are computed for what is asked once."""


class ComputedLabels:
    """Labels of actions with arguments, in a language, as whoever decides now may know them."""

    def __init__(self, game: Game, language: str) -> None:
        self.game, self.language = game, language
        self.program = game.machine.program
        self.left = MOST_COMPUTED

    def of(self, action: Action, args: Sequence[Plain]) -> str:
        """The label; a hole stays open where no line of the present menu says what stands in it, or it follows from
        what whoever decides may not see.
        """
        label = filled(self.program, action.label, action.params, args, self.language)
        if not HOLE.search(label) or self.left <= 0:
            return label
        self.left -= 1
        return self._computed(action, tuple(args)) or label

    def _computed(self, action: Action, args: tuple[Plain, ...]) -> str:
        decision = self.game.decision
        if decision is None:
            return ""
        for number, offer in enumerate(decision.end.offers):
            if offer.action is None or self.program.actions[offer.action] is not action:
                continue
            wanted = zip(offer.args, args, strict=True)
            known = {each.index: value for each, value in wanted if isinstance(each, ir.Local)}
            if not all(each.index in known for each in offer.variables):
                continue
            bound = tuple(known[each.index] for each in offer.variables)
            if decision.values_of(number, "args", offer.args, bound) == args and self._sees(offer, known):
                return printable(
                    decision.filled(number, "label", offer.label, offer.label_args, bound, self.language)
                )
        return ""

    def _sees(self, offer: ir.Offer, known: dict[int, Plain]) -> bool:
        """May whoever decides know what the label shows, and which things it is about?"""
        assert self.game.decision is not None
        sight = Sight(self.game.machine, list(self.game.state), self.game.decision.player)
        about = [(each.type, known[each.index]) for each in offer.args if isinstance(each, ir.Local)]
        pieces = all(
            sight.sees_piece(kind.domain, member)
            for kind, member in about
            if isinstance(kind, Id) and isinstance(member, int)
        )
        return pieces and all(sight.sees(each, known) for each in offer.label_args)
