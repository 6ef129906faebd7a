"""Companies with an intention, for JCC Terres du Milieu: `python -m tests.figures.travellers`.

Random players seldom reach twelve points. These travel to where the cards of their hand can be played, find and
persuade what they can, tap when they are struck, and play the hazards that they hold. What their games come to shows
that the game can be won as it says, by either deck.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.types import NONE
from dsl.players.random_player import RandomPlayer
from tests.figures.me_ccg import Table
from tests.figures.targets import target

EAGER = ("influence", "find", "recruit", "tap", "press", "use")
"""What is always done where it can be, the first of these first."""
HESITATE = 4
"""One card in so many is kept for later."""
CROWD = 2
"""So many wounded, and the company stays at its refuge."""


class Traveller:
    """Chooses for both players."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.watch = Table(machine)
        self.dice = RandomPlayer(seed)
        reader = self.watch.reader
        self.refuge = reader.column("Site.refuge")
        self.holds = reader.column("Site.holds")

    def choose(self, game: Game) -> Option:
        decision = game.decision
        assert decision is not None
        by_action: dict[str, list[Option]] = {}
        for option in decision.options:
            by_action.setdefault(option.action or option.kind, []).append(option)
        for name in EAGER:
            if name in by_action:
                return max(by_action[name], key=self.promise)
        if "play" in by_action and self.dice.index(HESITATE):
            return by_action["play"][self.dice.index(len(by_action["play"]))]
        if "travel" in by_action:
            return self.way(decision, by_action)
        if "take" in by_action:
            return self.taken(decision, by_action)
        return next(o for o in decision.options if o.kind in {"pass", "stop", "do"})

    def promise(self, option: Option) -> int:
        """What finding or persuading something may bring: its points, and what speaks for whoever does it."""
        if option.action != "influence":
            return max(0, self.watch.cell("victory", self.first(option))) if option.action == "find" else 0
        tester, faction = (value for value in option.args[:2] if isinstance(value, int))
        kin = self.watch.cell("race", tester) == self.watch.cell("race", faction)
        courted = self.watch.cell("courts", tester) == self.watch.cell("race", faction)
        return 10 * self.watch.cell("victory", faction) + 2 * courted + 2 * kin

    def way(self, decision: Decision, by_action: dict[str, list[Option]]) -> Option:
        """To the site that promises most; home with the wounded, and from where nothing is left to do."""
        state, player = tuple(decision.state), decision.player
        company = self.watch.lying(state, "company", player)
        stances = self.watch.reader.numbers(state, "stance")
        wounded = sum(self.watch.stances[stances[card]] == "wounded" for card in company)
        here = self.watch.reader.numbers(state, "site")[player]
        if wounded >= CROWD and self.refuge[here]:
            return by_action["stay"][0]
        hand = self.watch.lying(state, "hand", player)
        return max(by_action["travel"], key=lambda option: self.worth(option, hand))

    def worth(self, option: Option, hand: list[int]) -> int:
        site = self.first(option)
        holds = self.holds[site]
        assert isinstance(holds, int)
        points = self.dice.index(2)
        for card in hand:
            rank = self.watch.cell("rank", card)
            if (rank != NONE and holds >> rank & 1) or self.watch.cell("seat", card) == site:
                points += 1 + 2 * max(0, self.watch.cell("victory", card))
        return points

    def taken(self, decision: Decision, by_action: dict[str, list[Option]]) -> Option:
        """The strongest first; of cards in hand, those that are worth nothing."""
        options = by_action["take"]
        cards = [self.first(option) for option in options]
        hand = self.watch.lying(tuple(decision.state), "hand", decision.player)
        if set(cards) <= set(hand):
            if "pass" in by_action and self.dice.index(2):
                return by_action["pass"][0]
            return options[self.dice.index(len(options))]
        return max(options, key=self.force)

    def force(self, option: Option) -> int:
        return self.watch.cell("prowess", self.first(option))

    @staticmethod
    def first(option: Option) -> int:
        """What the option is about."""
        (found, *_) = option.args
        assert isinstance(found, int)
        return found


@dataclass(slots=True)
class Story:
    """What some games of theirs came to."""

    ends: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def told(games: int) -> Story:
    machine, story = target("me_ccg").machine(), Story()
    for seed in range(games):
        game, player = Game.start(machine, seed=seed), Traveller(machine, seed)
        while game.count:
            game.choose(player.choose(game))
        outcome = game.outcome
        assert outcome is not None
        story.ends[outcome.label or outcome.kind] += 1
        story.winners[outcome.winners[0] if len(outcome.winners) == 1 else "nobody"] += 1
        story.turns.append(player.watch.reader.value(game.state, "round"))
        story.points += [player.watch.score(game.state, each) for each in player.watch.players]
    return story


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.figures.travellers", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="how many")
    story = told(parser.parse_args().games)
    print(f"how they ended: {', '.join(f'{end} {count}' for end, count in story.ends.most_common())}")
    print(f"who won: {', '.join(f'{who} {count}' for who, count in story.winners.most_common())}")
    print(f"median: {median(story.turns)} turns, {median(story.points)} points a player")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
