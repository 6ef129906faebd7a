"""Pieces in pieces: who sees what is inside, and what a state keeps of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.views import HIDDEN

CHESTS = """
game chests:
    title en "Chests"
    players ann, bob
    rounds 2

map field on squares(1, 1)
piece Chest, up to 2:
    at: Cell?
piece Jewel, up to 2:
    owner: Player
    at: Cell?
    in: Chest? up to 1, seen by owner, when its holder leaves: take away self

action hide(j: Jewel, c: Chest) by p "Hide {j}":
    need j.owner is p and j.in is none
    if room(c) > 0: j.in = c
action smash(c: Chest) by p "Smash {c}": take away c

setup:
    place Chest at a1
    place Jewel of ann at a1
round:
    for p in order of play:
        p may:
            hide(j, c) for j in Jewel, c in Chest
            smash(c) for c in Chest
"""


def started(tmp_path: Path) -> Game:
    path = tmp_path / "chests.scn"
    path.write_text(CHESTS)
    compiled = compile_game(str(path))
    assert compiled.program is not None, [each.message for each in compiled.diagnostics]
    return Game.start(Machine(compiled.program), seed=1)


def chosen(game: Game, word: str) -> None:
    decision = game.decision
    assert decision is not None
    game.choose(next(each for each in decision.options if each.label().startswith(word)))


def inside(game: Game, player: int) -> object:
    """What a player sees of where the first jewel is."""
    found = game.view(player).values["in"]
    assert isinstance(found, Mapping)
    return next(iter(found.values()))


def test_who_does_not_see_the_field_does_not_see_what_is_inside(tmp_path: Path) -> None:
    game = started(tmp_path)
    chosen(game, "Hide")
    assert inside(game, 0) == 0
    assert inside(game, 1) is HIDDEN


def test_what_is_in_a_smashed_chest_is_gone(tmp_path: Path) -> None:
    game = started(tmp_path)
    chosen(game, "Hide")
    chosen(game, "Smash")
    values = game.view(0).values
    assert not values["Chest in play"] and not values["Jewel in play"]
