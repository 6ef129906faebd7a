"""A game in WebAssembly against the same game in Python: every way to ask and to go on."""

import random

import pytest

from dsl.engine.failure import IllegalChoice, StartError
from dsl.engine.game import Game as Reference
from dsl.engine.machine import Machine
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.wasm.game import Game
from dsl.wasm.module import Module
from tests.engine.games import tic_tac_toe
from tests.engine.skirmish import skirmish
from tests.ir.builders import small


@pytest.fixture(scope="module", params=(tic_tac_toe, small, skirmish), ids=lambda build: build.__name__)
def module(request: pytest.FixtureRequest) -> Module:
    return Module.of(Machine(request.param()), cache=False)


def test_what_is_asked_has_the_same_answer(module: Module) -> None:
    ours, theirs = Game.start(module, seed=5), Reference.start(module.machine, seed=5)
    dice = random.Random(3)
    while theirs.count:
        assert ours.state == theirs.state
        assert ours.count == theirs.count
        assert ours.decision is not None and theirs.decision is not None
        assert ours.decision.raw == theirs.decision.raw
        assert ours.player == theirs.decision.player
        assert [each.label() for each in ours.decision] == [each.label() for each in theirs.decision]
        assert ours.outcome is None
        index = dice.randrange(theirs.count)
        ours.choose(ours.decision.options[index] if dice.random() < 0.5 else index)
        theirs.choose(index)
    assert ours.fingerprint == theirs.fingerprint
    assert ours.choices == theirs.choices
    assert ours.outcome == theirs.outcome
    assert ours.decision is None and not ours.options
    with pytest.raises(IllegalChoice):
        ours.choose(0)


def test_a_game_changes_engine_at_every_decision(module: Module) -> None:
    ours, other = Game.start(module, seed=2), Reference.start(module.machine, seed=2)
    dice = random.Random(1)
    while other.count:
        index = dice.randrange(other.count)
        there = ours.explained()
        there.choose(index)
        other.choose(index)
        ours = Game.taken_over(module, there)
        assert ours.fingerprint == other.fingerprint
        assert ours.snapshot() == other.snapshot()


def test_games_of_one_module_do_not_disturb_each_other(module: Module) -> None:
    first, second = Game.start(module, seed=1), Game.start(module, seed=8)
    dice = random.Random(2)
    expected = {
        id(first): Reference.start(module.machine, seed=1),
        id(second): Reference.start(module.machine, seed=8),
    }
    for _ in range(40):
        game = dice.choice((first, second))
        if game.count:
            index = dice.randrange(game.count)
            game.choose(index)
            expected[id(game)].choose(index)
        assert game.state == expected[id(game)].state
        module.playouts(2, seed=7)


def test_undo_goes_back_and_a_clone_goes_its_own_way(module: Module) -> None:
    game = Game.start(module, seed=4)
    begun = game.state
    twin = game.clone()
    game.choose(0)
    after = game.state
    assert twin.state == begun != after
    game.undo()
    assert game.state == begun
    game.choose(0)
    assert game.state == after
    with pytest.raises(IllegalChoice):
        game.undo(2)


def test_what_is_not_offered_is_refused(module: Module) -> None:
    game = Game.start(module, seed=4)
    before = game.state
    for choice in (-1, game.count, (0, (77,)), (99, ())):
        with pytest.raises(IllegalChoice):
            game.choose(choice)
    assert game.state == before


def test_a_playout_is_the_random_player_s_game(module: Module) -> None:
    game, other = Game.start(module, seed=6), Reference.start(module.machine, seed=6)
    player = RandomPlayer(12)
    while other.count:
        other.choose(player.index(other.count))
    game.playout(12)
    assert game.state == other.state


def test_whole_games_inside_are_the_random_player_s_games(module: Module) -> None:
    found = module.playouts(20, seed=100)
    ends: dict[tuple[int, int], int] = {}
    choices = 0
    for seed in range(100, 120):
        game, player = Reference.start(module.machine, seed=seed), RandomPlayer(seed)
        while game.count:
            game.choose(player.index(game.count))
        ends[game.state[6], game.state[5]] = ends.get((game.state[6], game.state[5]), 0) + 1
        choices += len(game.choices)
    assert found.ends == ends
    assert found.choices == choices
    assert found.games == 20 and not found.failures and not found.unfinished


def test_playouts_add_up_however_they_are_shared_out(module: Module) -> None:
    whole, parts = module.playouts(30, seed=5), module.playouts(11, seed=5)
    parts.add(module.playouts(19, seed=16))
    assert (whole.ends, whole.lengths, whole.choices) == (parts.ends, parts.lengths, parts.choices)


def test_a_limit_of_choices_ends_a_game_early(module: Module) -> None:
    found = module.playouts(10, seed=1, limit=2)
    assert found.unfinished > 0
    assert max(found.lengths) == 2


def test_unknown_options_are_named(module: Module) -> None:
    with pytest.raises(StartError, match="no option `colour`"):
        module.playouts(1, options={"colour": "red"})
    with pytest.raises(StartError, match="no option `colour`"):
        Game.start(module, options={"colour": "red"})


def test_a_game_that_is_much_work_is_played_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(skirmish())
    whole = Module.of(machine, cache=False).playouts(20, seed=3)
    monkeypatch.setattr("dsl.wasm.assembly.WORK", 400)
    module = Module.of(machine, cache=False)
    parts = list(module.played(20, seed=3))
    assert len(parts) > 20
    found = module.playouts(20, seed=3)
    assert (found.games, found.ends, found.lengths, found.choices) == (
        20,
        whole.ends,
        whole.lengths,
        whole.choices,
    )
    limited = module.playouts(20, seed=3, limit=5)
    assert limited.games == 20 and max(limited.lengths) == 5
    game, other = Game.start(module, seed=6), Reference.start(machine, seed=6)
    player = RandomPlayer(12)
    while other.count:
        other.choose(player.index(other.count))
    game.playout(12)
    assert game.state == other.state


def test_a_game_stands_again_where_it_stood_with_its_options() -> None:
    """Games that take turns in one instance, and are cloned and taken back, come to the states that each has alone."""
    for name in ("cristal_et_acier", "green_conquest", "examples/chess"):
        module = Module.of(load(name))
        alone = [_played(module, seed, 40) for seed in (1, 2, 3)]
        together, chances = (
            [Game.start(module, seed=seed) for seed in (1, 2, 3)],
            [random.Random(seed) for seed in (1, 2, 3)],
        )
        for _ in range(40):
            for game, chance in zip(together, chances, strict=True):
                if game.count:
                    other = game.clone()
                    other.choose(other.count - 1)
                    game.choose(chance.randrange(game.count))
        assert [each.fingerprint for each in together] == alone
        for game in together:
            game.undo(3)
            options = game.options
            assert len(options) == game.count
            game.choose(options[-1])


def _played(module: Module, seed: int, choices: int) -> str:
    game, chance = Game.start(module, seed=seed), random.Random(seed)
    for _ in range(choices):
        if game.count:
            game.choose(chance.randrange(game.count))
    return game.fingerprint
