"""What is hidden stays so: no view, option, label, log or order of asking tells a player what he may not see."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.engine.views import HIDDEN, View
from dsl.ir.program import Program

HERE = Path(__file__).parent
GAMES = 40


@cache
def machine(name: str) -> Machine:
    program = compile_game(str(HERE / name)).program
    assert program is not None
    return Machine(program)


def var(program: Program, name: str) -> int:
    return next(index for index, each in enumerate(program.vars) if each.name == name)


def lying_in(game: Game, pile: str) -> list[int]:
    """The cards of a pile."""
    program = game.machine.program
    (pool,) = program.pools
    assert pool.pile is not None
    offset = program.vars[pool.pile].offset
    cards = range(len(program.domains[pool.domain].members))
    return [card for card in cards if game.state[offset + card] == pool.piles.index(pile)]


def exchanged(game: Game, one: int, two: int) -> Game:
    """The same game with two cards in each other's place."""
    program = game.machine.program
    (pool,) = program.pools
    state = list(game.state)
    for number in (pool.pile, pool.order):
        assert number is not None
        at = program.vars[number].offset
        state[at + one], state[at + two] = state[at + two], state[at + one]
    found = Game.restore(game.machine, packed(game.machine.hash, state), telling=True)
    assert isinstance(found, Game)
    return found


def seen(view: View) -> tuple[Any, ...]:
    """All that a view tells, as plain values."""
    values = {name: dict(each) if isinstance(each, Mapping) else each for name, each in view.values.items()}
    options = [(option.label(), option.raw) for option in view.options]
    return values, dict(view.piles), view.chooser, options, view.told(), view.outcome


def other_kind(game: Game, viewer: int, chance: random.Random) -> tuple[int, int] | None:
    """A card in the hand of the other player and one in his deck, of different kinds."""
    program = game.machine.program
    other = program.domains[0].members[1 - viewer]
    (pool,) = program.pools
    assert pool.kinds is not None
    kinds = program.data[pool.kinds].values
    pairs = [
        (one, two)
        for one in lying_in(game, f"hand({other})")
        for two in lying_in(game, f"deck({other})")
        if kinds[one] != kinds[two]
    ]
    return chance.choice(pairs) if pairs else None


def test_hands_and_decks_are_in_no_view_but_their_owners() -> None:
    for seed in range(GAMES):
        game, chance = Game.start(machine("rebuttal"), seed=seed), random.Random(seed)
        program = game.machine.program
        names = program.domains[program.pools[0].domain].members
        while game.decision is not None:
            for viewer in (0, 1):
                shown = game.view(viewer).values["Card pile"]
                assert isinstance(shown, Mapping)
                own, other = program.domains[0].members[viewer], program.domains[0].members[1 - viewer]
                hidden = [*lying_in(game, f"hand({other})"), *lying_in(game, f"deck({other})")]
                hidden += lying_in(game, f"deck({own})")
                assert all(shown[names[card]] is HIDDEN for card in hidden)
                assert all(shown[names[card]] is not HIDDEN for card in lying_in(game, f"hand({own})"))
            game.choose(chance.randrange(game.count))


def test_no_view_depends_on_hidden_cards() -> None:
    compared = 0
    for seed in range(GAMES):
        game, chance = Game.start(machine("rebuttal"), seed=seed, telling=True), random.Random(seed)
        while (decision := game.decision) is not None:
            viewer = decision.player
            pair = other_kind(game, viewer, chance)
            choice = chance.randrange(game.count)
            if pair is not None:
                here = Game.restore(game.machine, game.snapshot(), telling=True)
                assert isinstance(here, Game)
                there = exchanged(game, *pair)
                assert seen(here.view(viewer)) == seen(there.view(viewer))
                here.choose(choice)
                there.choose(choice)
                assert seen(here.view(viewer)) == seen(there.view(viewer))
                compared += 1
            game.choose(choice)
    assert compared > GAMES


def test_a_pass_is_asked_for_where_hands_are_hidden() -> None:
    alone = 0
    for seed in range(GAMES):
        game, chance = Game.start(machine("rebuttal"), seed=seed), random.Random(seed)
        while (decision := game.decision) is not None:
            alone += [option.kind for option in decision.options] == ["pass"]
            game.choose(chance.randrange(game.count))
    assert alone


def test_a_secret_choice_shows_nowhere_before_the_last_is_made() -> None:
    for seed in range(5):
        game, views = Game.start(machine("knockback"), seed=seed, telling=True), []
        assert game.decision is not None and game.decision.player == 0
        for choice in range(game.count):
            there = game.clone()
            there.choose(choice)
            assert there.decision is not None and there.decision.player == 1
            views.append(seen(there.view(1)))
        assert all(view == views[0] for view in views)
