"""Games as environments of other libraries, tested against these."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dsl
from dsl.adapters.acting import Actions, rewards
from dsl.adapters.observing import UNSEEN, Observer
from tests.api.games import written
from tests.soak import only_when_long

SECRET = """
game envelopes:
    players a, b
    rounds 3

state of Player:
    held: 1..6 = 1, seen by self
    guess: 0..6 = 0

action claim(n: 0..6) by p "{n}":
    p.guess = n

setup:
    for p in Player:
        p.held = roll 1d6

round:
    for p in order of play:
        p chooses "How many":
            claim(n) for n in 1..6

victory p "right" when any q in Player where q is not p and p.guess is q.held
"""


@pytest.fixture
def oxo(tmp_path: Path) -> dsl.Program:
    return dsl.load(written(tmp_path), engine="wasm")


# ---------------------------------------------------------------- what all of them share


def test_a_row_has_what_its_player_sees(oxo: dsl.Program) -> None:
    game, observer = oxo.start(), Observer(oxo)
    before = observer.row(game, "x")
    assert len(before) == observer.size and before[-1] == 1
    game.choose("Mark b2")
    after = observer.row(game, "x")
    assert len(after) == observer.size and after != before and after[-1] == 0
    assert UNSEEN not in after


@pytest.mark.parametrize("name", ["me_ccg", only_when_long("command_and_conquer")])
def test_rows_show_nothing_that_a_view_hides(name: str) -> None:
    """Wherever a player is shown another number, his view is another one too."""
    program = dsl.load(name, engine="wasm")
    observer, chance = Observer(program), Random(3)
    game, unseen = program.start(seed=3, telling=False), 0
    for _ in range(25):
        for player in program.players:
            view, row = game.view(player), observer.row(game, player)
            hidden = sum(
                sum(each is dsl.HIDDEN for each in value.values())
                if program.fields[key].owners
                else value is dsl.HIDDEN
                for key, value in view.fields.items()
            )
            assert (UNSEEN in row) == (hidden > 0)
            unseen += row.count(UNSEEN)
        game.choose(chance.randrange(game.count))
    assert unseen


def test_games_with_many_options_are_played_by_place() -> None:
    program = dsl.load("cristal_et_acier", engine="wasm")
    assert not Actions(program).by_place and Actions(program).count == program.option_count
    game, actions = program.start(telling=False), Actions(program, by_place=True)
    legal = actions.legal(game)
    assert legal == list(range(game.count))
    assert actions.option(game, legal[-1]) == game.decision.options[-1]  # type: ignore[union-attr]
    for wrong in (-1, game.count):
        with pytest.raises(dsl.IllegalChoice):
            actions.option(game, wrong)


def test_rewards_add_up_where_one_wins(oxo: dsl.Program) -> None:
    game = oxo.start(telling=False)
    assert rewards(game) == {"x": 0.0, "o": 0.0}
    for cell in ("a1", "b1", "a2", "b2", "a3"):
        game.choose(f"Mark {cell}")
    assert rewards(game) == {"x": 1.0, "o": -1.0}


# ---------------------------------------------------------------- PettingZoo


@pytest.mark.filterwarnings(
    "ignore::UserWarning"
)  # advice about names and spaces, which a game has as it has them
def test_pettingzoo_takes_it(oxo: dsl.Program) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from dsl.adapters.pettingzoo import GameEnv

    api_test(GameEnv(oxo), num_cycles=200, verbose_progress=False)
    dice = dsl.load("cristal_et_acier", engine="wasm")
    seed_test(lambda: GameEnv(dice, most=60), num_cycles=50)


def test_agents_play_a_whole_game(oxo: dsl.Program) -> None:
    pytest.importorskip("pettingzoo")
    from dsl.adapters.pettingzoo import GameEnv

    env, chance, won = GameEnv(oxo), Random(1), 0.0
    for seed in range(20):
        env.reset(seed=seed)
        returns = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            returns[agent] += reward
            legal = [int(each) for each in seen["action_mask"].nonzero()[0]]
            env.step(None if terminated or truncated else chance.choice(legal))
        assert env.game.is_over and returns == rewards(env.game)
        won += returns["x"]
    assert won > 0


def test_an_environment_that_is_cut_off_says_so(oxo: dsl.Program) -> None:
    pytest.importorskip("pettingzoo")
    from dsl.adapters.pettingzoo import GameEnv

    env = GameEnv(oxo, most=2)
    env.reset()
    for number in range(2):
        env.step(int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][number]))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert not env.observe("x")["action_mask"].any()


def test_what_a_mask_does_not_have_is_refused(oxo: dsl.Program) -> None:
    pytest.importorskip("pettingzoo")
    from dsl.adapters.pettingzoo import GameEnv

    env = GameEnv(oxo)
    env.reset()
    first = int(env.observe("x")["action_mask"].nonzero()[0][0])
    env.step(first)
    with pytest.raises(dsl.IllegalChoice):
        env.step(first)


def test_what_environments_are_made_with_is_checked(oxo: dsl.Program) -> None:
    pytest.importorskip("pettingzoo")
    from dsl.adapters.gymnasium import SeatEnv
    from dsl.adapters.pettingzoo import GameEnv

    wrong: list[tuple[type[Exception], Any]] = [
        (TypeError, lambda: GameEnv("oxo.scn")),  # type: ignore[arg-type]
        (TypeError, lambda: GameEnv(oxo, most="a")),  # type: ignore[arg-type]
        (ValueError, lambda: GameEnv(oxo, most=0)),
        (ValueError, lambda: GameEnv(oxo, render_mode="human")),
        (TypeError, lambda: SeatEnv(oxo, "x", others=3)),  # type: ignore[arg-type]
        (ValueError, lambda: SeatEnv(oxo, "x").step(0)),
        (ValueError, lambda: GameEnv(oxo).observe("x")),
    ]
    for error, call in wrong:
        with pytest.raises(error):
            call()
    env = GameEnv(oxo)
    env.reset()
    for action in (None, 10**6):
        with pytest.raises(dsl.IllegalChoice):
            env.step(action)
    with pytest.raises(TypeError):
        env.step(0.5)  # type: ignore[arg-type]


def test_agents_learn_nothing_hidden(tmp_path: Path) -> None:
    """Two games that differ in what the other one holds show an agent the same."""
    pytest.importorskip("pettingzoo")
    from dsl.adapters.pettingzoo import GameEnv

    env = GameEnv(dsl.load(written(tmp_path, "envelopes", SECRET), engine="wasm"))
    seen: dict[int, list[tuple[int, bytes]]] = {}
    for seed in range(40):
        env.reset(seed=seed)
        held = env.game["held"]
        row = env.observe("a")["observation"].tobytes()
        seen.setdefault(held["a"], []).append((held["b"], row))
    for group in seen.values():
        assert len({row for _, row in group}) == 1
    assert any(len({other for other, _ in group}) > 1 for group in seen.values())


# ---------------------------------------------------------------- Gymnasium


def test_gymnasium_takes_it(oxo: dsl.Program) -> None:
    pytest.importorskip("gymnasium")
    from dsl.adapters.gymnasium import SeatEnv

    for player in ("x", "o"):
        env, chance = SeatEnv(oxo, player), Random(2)
        for seed in range(10):
            seen, info = env.reset(seed=seed)
            again, _ = SeatEnv(oxo, player).reset(seed=seed)
            assert (seen["observation"] == again["observation"]).all()
            done = False
            while not done:
                assert env.observation_space.contains(seen)
                assert list(seen["action_mask"].nonzero()[0]) == info["legal"]
                seen, reward, done, truncated, info = env.step(chance.choice(info["legal"]))
                assert not truncated
            assert reward == rewards(env.game)[player]
    with pytest.raises(ValueError, match="no player"):
        SeatEnv(oxo, "z")


def test_others_choose_by_what_they_see(oxo: dsl.Program) -> None:
    pytest.importorskip("gymnasium")
    from dsl.adapters.gymnasium import SeatEnv

    asked = []

    def others(view: dsl.View) -> dsl.Option:
        asked.append(view.player)
        assert view.decision is not None
        return view.decision.options[-1]

    env = SeatEnv(oxo, "o", others=others)
    _, info = env.reset(seed=1)
    assert asked == ["x"] and env.game["mark", "c3"] == "x"
    env.step(info["legal"][0])
    assert asked == ["x", "x"]


# ---------------------------------------------------------------- OpenSpiel


def _played(state: Any, chance: Random) -> None:
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
            continue
        legal = state.legal_actions()
        assert legal == sorted(legal) and state.legal_actions_mask().count(1) == len(legal)
        state.apply_action(chance.choice(legal))


def test_open_spiel_takes_it(oxo: dsl.Program) -> None:
    pytest.importorskip("pyspiel")
    from dsl.adapters.openspiel import SpielGame

    game, chance = SpielGame(oxo), Random(4)
    assert game.num_players() == 2 and game.num_distinct_actions() == oxo.option_count
    for _ in range(10):
        state = game.new_initial_state()
        assert state.current_player() == 0
        other = copy.deepcopy(state)
        _played(other, chance)
        assert not state.is_terminal() and state.game.taken == 0
        _played(state, chance)
        assert sum(state.returns()) == 0
    observer = game.make_py_observer()
    state = game.new_initial_state()
    observer.set_from(state, 0)
    first = observer.tensor.copy()
    state.apply_action(state.legal_actions()[0])
    observer.set_from(state, 0)
    assert (observer.tensor != first).any() and "Mark" in state.action_to_string(1, state.legal_actions()[0])


def test_open_spiel_draws_the_seed_of_a_game_with_dice() -> None:
    pytest.importorskip("pyspiel")
    from dsl.adapters.openspiel import SpielGame

    game = SpielGame(dsl.load("cristal_et_acier", engine="wasm"), seed=1)
    ends = set()
    for number in range(6):
        state = game.new_initial_state()
        assert state.is_chance_node()
        _played(state, Random(number))
        ends.add(state.game.fingerprint)
    assert len(ends) == 6


def test_open_spiel_searches_it(oxo: dsl.Program) -> None:
    """OpenSpiel's own search finds the winning mark."""
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    from dsl.adapters.openspiel import SpielGame

    game = SpielGame(oxo)
    state = game.new_initial_state()
    for cell in ("a1", "b1", "a2", "b2"):
        option = state.game.decision.by_label(f"Mark {cell}")
        state.apply_action(option.id)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1)
    bot = mcts.MCTSBot(game, 1.5, 100, evaluator, solve=True)
    assert state.action_to_string(0, bot.step(state)) == "Mark a3"
