import random
import struct

import pytest

from dsl.diagnostics import Code, Diagnostic
from dsl.engine.failure import IllegalChoice, RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import program as p
from dsl.ir.verify.program import verify
from dsl.players.random_player import RandomPlayer
from tests.engine import games
from tests.engine.skirmish import skirmish
from tests.ir import builders

PROGRAMS = {"heap": builders.small, "tic-tac-toe": games.tic_tac_toe, "skirmish": skirmish}


@pytest.fixture(scope="module", params=PROGRAMS)
def machine(request: pytest.FixtureRequest) -> Machine:
    return Machine(PROGRAMS[request.param]())


def played(machine: Machine, seed: int) -> Game:
    game, player = Game.start(machine, seed=seed), RandomPlayer(seed)
    while game.count:
        game.choose(player.index(game.count))
    return game


def test_the_games_are_well_made(machine: Machine) -> None:
    assert verify(machine.program) == []


def test_equal_seeds_and_choices_give_equal_games(machine: Machine) -> None:
    for seed in range(20):
        assert played(machine, seed).fingerprint == played(machine, seed).fingerprint
    assert played(machine, 1).outcome is not None


def test_every_variant_plays_the_same(machine: Machine) -> None:
    for seed in range(10):
        plain, dice = played(machine, seed), random.Random(seed)
        told = Game.start(machine, seed=seed, telling=True)
        covered = Game.start(machine, seed=seed, covering=True)
        for choice in plain.choices:
            told.choose(choice)
            covered.choose(choice)
        assert told.fingerprint == covered.fingerprint == plain.fingerprint
        assert told.log
        assert dice


def test_a_snapshot_of_each_decision_goes_on_to_the_same_end(machine: Machine) -> None:
    whole = played(machine, 3)
    game = Game.start(machine, seed=3)
    for choice in whole.choices:
        restored = Game.restore(machine, game.snapshot())
        assert isinstance(restored, Game)
        assert restored.fingerprint == game.fingerprint
        restored.choose(choice)
        game.choose(choice)
        assert restored.fingerprint == game.fingerprint
    ended = Game.restore(machine, game.snapshot())
    assert isinstance(ended, Game)
    assert ended.outcome == game.outcome


def test_undo_goes_back_and_a_clone_goes_its_own_way(machine: Machine) -> None:
    game = Game.start(machine, seed=5, telling=True)
    prints, logs = [game.fingerprint], [len(game.log)]
    for _ in range(3):
        game.choose(0)
        prints.append(game.fingerprint)
        logs.append(len(game.log))
    clone = game.clone()
    for back in (3, 2, 1):
        assert (game.fingerprint, len(game.log)) == (prints[back], logs[back])
        game.undo()
    assert game.fingerprint == prints[0]
    assert game.choices == ()
    assert clone.fingerprint == prints[3]
    clone.undo(3)
    assert clone.fingerprint == prints[0]
    with pytest.raises(IllegalChoice):
        clone.undo()


def test_options_keep_their_order_and_can_be_chosen_in_any_way(machine: Machine) -> None:
    ways = []
    for way in range(4):
        game = Game.start(machine, seed=2)
        decision = game.decision
        assert decision is not None
        option = decision.options[1]
        game.choose((option, option.raw, 1, option.label())[way])
        ways.append(game.fingerprint)
    assert len(set(ways)) == 1


def test_what_is_not_offered_is_refused(machine: Machine) -> None:
    game = Game.start(machine)
    before = game.fingerprint
    for wrong in (-1, 10_000, "no such label", (0, (99,)), (9, ())):
        with pytest.raises(IllegalChoice):
            game.choose(wrong)
    assert game.fingerprint == before
    ended = played(machine, 1)
    with pytest.raises(IllegalChoice):
        ended.choose(0)


def test_hostile_snapshots_are_refused_or_played_and_never_crash(machine: Machine) -> None:
    """Flips and swaps of bytes: what is accepted is a state from which the game can be played."""
    dice, game = random.Random(4), Game.start(machine, seed=1)
    good = []
    while game.count:
        good.append(game.snapshot())
        game.choose(dice.randrange(game.count))
    good.append(game.snapshot())
    accepted = 0
    for _ in range(1500):
        data = bytearray(dice.choice(good))
        for _ in range(dice.randint(1, 3)):
            _damage(data, dice)
        found = Game.restore(machine, bytes(data))
        if isinstance(found, Game):
            accepted += 1
            _play_on(found, dice)
        else:
            assert found
            assert all(isinstance(each, Diagnostic) for each in found)
    assert accepted


def _damage(data: bytearray, dice: random.Random) -> None:
    match dice.randrange(4):
        case 0 if data:
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        case 1:
            del data[dice.randrange(len(data) + 1) :]
        case _ if len(data) > 46:
            slot = dice.randrange((len(data) - 42) // 4)
            struct.pack_into("<i", data, 42 + 4 * slot, dice.choice([0, 1, 2, -1, 3, 14, -(2**31)]))


def _play_on(game: Game, dice: random.Random) -> None:
    for _ in range(50):
        if not game.count:
            break
        before = game.fingerprint
        try:
            game.choose(dice.randrange(game.count))
        except RuleFailure:
            assert game.fingerprint == before


def test_a_save_of_another_program_is_told_from_a_damaged_one(machine: Machine) -> None:
    good = Game.start(machine).snapshot()
    data = bytearray(good)
    data[10] ^= 1
    found = Game.restore(machine, bytes(data))
    assert isinstance(found, list)
    assert found[0].code is Code.SAVE_OF_OTHER_PROGRAM
    for bad in (b"", b"SCNS", good[:60], b"x" * 100):
        found = Game.restore(machine, bad)
        assert isinstance(found, list)
        assert found[0].code is Code.DAMAGED_SAVE


def test_unknown_options_are_named() -> None:
    machine = Machine(skirmish())
    with pytest.raises(StartError, match="no option `colour`"):
        Game.start(machine, options={"colour": "red"})
    with pytest.raises(StartError, match="no choice `huge`"):
        Game.start(machine, options={"strength": "huge"})
    weak, strong = (Game.start(machine, options={"strength": each}) for each in ("weak", "strong"))
    assert weak.fingerprint != strong.fingerprint
    assert weak.state[p.STATUS] == 0


def test_what_is_long_ago_cannot_be_taken_back() -> None:
    machine = Machine(games.tic_tac_toe())
    game = Game.start(machine)
    game._kept = 3
    for _ in range(4):
        game.choose(0)
    with pytest.raises(IllegalChoice, match="too long ago"):
        game.undo(4)
    game.undo(2)
    assert len(game.choices) == 2
