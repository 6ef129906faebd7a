"""The watch of JCC Terres du Milieu notices what it is for: each of these states breaks one promise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dsl.engine.game import Game
from dsl.ir.types import NONE
from tests.figures.me_ccg import ENOUGH, HAND, Table
from tests.figures.play import table
from tests.figures.stops import Stop
from tests.figures.targets import target
from tests.figures.test_watch import State, told
from tests.figures.travellers import told as told_by_travellers

SEED, CHOICES = 2, 200
GAMES = 12
Spoil = Callable[["Spoilt"], None]


class Spoilt(State):
    """A vector to spoil, with the cards by where they lie."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.watch = Table(game.machine)
        self.game = game

    def one(self, pile: str, player: int = 0, nature: str = "") -> int:
        lying = self.watch.lying(self.game.state, pile, player)
        return next(card for card in lying if nature in {"", self.watch.nature[card]})

    def put_in(self, card: int, pile: str) -> None:
        self.put("Card pile", self.watch.pool.piles.index(pile), card)

    def stance(self, card: int, name: str) -> None:
        self.put("stance", self.watch.stances.index(name), card)


def no_character(state: Spoilt) -> None:
    """Lays a card that is no character among the members of a company."""
    card = next(card for card, nature in enumerate(state.watch.nature) if nature == "item")
    state.put_in(card, "company(west)")


def too_many(state: Spoilt) -> None:
    """Draws more cards than anybody may hold."""
    for card in state.watch.lying(state.game.state, "deck", 0)[: HAND + 1]:
        state.put_in(card, "hand(west)")


def two_strikes(state: Spoilt) -> None:
    state.put("beaten", 2)
    state.put("hits", 1)
    state.put("to_beat", 2)


BROKEN: dict[str, tuple[Spoil, tuple[str, ...]]] = {
    "is in 0 places": (lambda s: s.put("Card pile", NONE, s.one("hand")), ()),
    "is in 2 places": (lambda s: s.put("in", s.one("company"), s.one("hand")), ()),
    "is in no company": (lambda s: s.put("in", s.one("deck"), s.one("hand")), ()),
    "lies in company": (no_character, ()),
    "lies in trophies": (lambda s: s.put_in(s.one("deck", 0, "creature"), "trophies(west)"), ()),
    "begins a turn with": (lambda s: s.put_in(s.one("hand"), "discard(west)"), ("player_turn",)),
    "cards in hand": (too_many, ()),
    "and not on the table": (lambda s: s.stance(s.one("deck"), "tapped"), ()),
    "is wounded": (lambda s: s.stance(s.one("deck"), "wounded"), ()),
    "strikes beaten": (two_strikes, ()),
    "more hazards": (lambda s: s.put("hindrances", 20), ()),
    "fell, and is in play": (
        lambda s: s.put("fallen", s.get("fallen") | 1 << s.watch.kinds[s.one("company")]),
        (),
    ),
}


def playing() -> Game:
    """A game some turns after its start."""
    machine = target("me_ccg").machine()
    at = table(machine, SEED)
    game, player = at.start(machine), at.player()
    for _ in range(CHOICES):
        game.choose(player.index(game.count))
    return game


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_promise_is_told(fault: str) -> None:
    edit, deeds = BROKEN[fault]
    game = playing()

    def spoil(_: State) -> None:
        pass

    spoilt = Spoilt(game)
    edit(spoilt)
    watch = Table(game.machine)
    assert told(watch, game, spoil, ()) == ""
    assert fault in "; ".join(watch.at(Stop(game, tuple(spoilt.slots), deeds=deeds)))


def test_wounds_do_not_heal_by_nothing_and_nobody_is_struck_twice() -> None:
    game = playing()
    wounded, healed, struck = Spoilt(game), Spoilt(game), Spoilt(game)
    card = wounded.one("company")
    wounded.put("council", 0)  # in which wounds may heal
    wounded.stance(card, "wounded")
    healed.stance(card, "free")
    watch = Table(game.machine)
    list(watch.at(Stop(game, tuple(wounded.slots))))
    assert "heals by nothing" in "; ".join(watch.at(Stop(game, tuple(healed.slots))))
    struck.put("struck", card)
    again = [list(watch.at(Stop(game, tuple(struck.slots), deeds=("strike",)))) for _ in range(2)]
    assert again[0] == []
    assert "struck twice" in "; ".join(again[1])


def test_players_with_an_intention_reach_the_points_and_either_deck_can() -> None:
    story = told_by_travellers(GAMES)
    assert story.ends[ENOUGH] >= GAMES / 2
    assert set(story.winners) >= {"l'Ouest", "l'Est"}
