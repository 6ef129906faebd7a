"""What an option costs and does, beside its label: what is certain, what dice decide, and nothing that is hidden."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import dsl
from dsl.cli.effects import effects
from dsl.compiler import compile_game
from dsl.engine.chance import Generator
from dsl.engine.decision import Decision
from dsl.engine.distinct import distinctions
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.engine.worlds import Secrets
from dsl.library import load
from dsl.odds.forecast import NOTHING, Forecast, forecasts
from dsl.playable import Playable
from dsl.testing.runner import run_tests

GAME = """\
game market:
    players ann "Ann", bob "Bob"
    rounds 3

table Sort:
    | id    | name en | name fr | price |
    | guard | Guard   | Garde   |     5 |
    | wall  | Wall    | Mur     |     2 |
piece Unit of Sort, up to 3 each:
    owner: Player?
    hits: 0..3 = 2, called en "Hits" fr "Coups"
state of Player:
    purse: 0..99 = 20, called en "Purse" fr "Bourse"
    inner: 0..9
    trap: 0..3, seen by self, called "Trap"
state:
    noted: 0..9
setup:
    for p in Player: p.trap = roll 1d3

action buy(k: Sort) by p en "Buy {k}" fr "Acheter {k}":
    p.purse loses k.price
    p.inner gains 1
action dear by p "Pay 3 into the purse": p.purse gains 3
action strike by p "Strike":
    p.purse loses 1
    let d = roll 1d6
    if d > 4: p.purse gains 7
action spring(q: Player) by p "Spring the trap of {q}":
    p.purse loses 1
    p.purse loses q.trap
action haggle by p "Haggle":
    p.purse loses 2
    p chooses "Now?":
        buy(k) for k in Sort
        dear
action many by p "Many dice":
    repeat 9 times: noted = roll 1d6
    p.purse loses 1
action fail by p "Fail": p.purse loses 90

round:
    for p in order of play:
        p may "What?":
            buy(k) for k in Sort
            dear
            strike
            spring(q) for q in Player
            haggle
            many
            fail
        p.purse gains 4
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Playable:
    path = tmp_path_factory.mktemp("market") / "market.scn"
    path.write_text(GAME, encoding="utf-8")
    return load(str(path), environment={"SCENARII_CACHE": "off"})


def foreseen(machine: Machine, decision: Decision | None, language: str = "en") -> dict[str, Forecast]:
    assert decision is not None
    found = forecasts(decision, language)
    return {each.label(language): told for each, told in zip(decision.options, found, strict=True)}


def test_what_is_certain_is_told_and_nothing_that_comes_after_the_action(machine: Playable) -> None:
    found = foreseen(machine, machine.start(seed=1).decision)
    assert found["Buy Guard"] == Forecast(("Purse −5",))
    assert found["Buy Wall"] == Forecast(("Purse −2",))
    assert found["Haggle"] == Forecast(("Purse −2",))  # as far as its question
    assert found["Fail"] == NOTHING
    told = foreseen(machine, machine.start(seed=1).decision, "fr")
    assert told["Acheter Garde"] == Forecast(("Bourse −5",))


def test_dice_are_told_with_their_odds_and_too_many_ways_not_at_all(machine: Playable) -> None:
    found = foreseen(machine, machine.start(seed=1).decision)
    assert found["Strike"].sure == ()
    assert {text: share for share, text in found["Strike"].odds} == {
        "Purse −1": Fraction(2, 3),
        "Purse +6": Fraction(1, 3),
    }
    assert found["Many dice"] == NOTHING


def test_nothing_is_told_of_what_is_hidden(machine: Playable) -> None:
    """In each world that looks the same to whoever chooses the same is foretold; his own trap he knows."""
    for seed in range(4):
        game = machine.start(seed=seed)
        state, secrets = list(game.state), Secrets(machine)
        told = foreseen(machine, game.decision)
        assert told["Spring the trap of Bob"] == NOTHING
        trap = next(each for each in machine.program.vars if each.name == "trap")
        assert told["Spring the trap of Ann"].sure == (f"Purse −{1 + state[trap.offset]}",)
        worlds = [*secrets.single(state, 0)]
        worlds += [
            changed[0] for n in range(6) if (changed := secrets.another(state, 0, Generator(n))) is not None
        ]
        for world in worlds:
            other = Game.restore(machine, packed(machine.hash, world))
            assert isinstance(other, Game)
            assert foreseen(machine, other.decision) == told
        assert any(world[trap.offset + 1] != state[trap.offset + 1] for world in worlds)


def test_the_game_itself_is_not_touched(machine: Playable) -> None:
    game = machine.start(seed=1)
    before = game.fingerprint
    assert game.decision is not None
    forecasts(game.decision)
    assert game.fingerprint == before and len(game.log) == len(machine.start(seed=1).log)


def test_what_the_label_says_is_not_said_again() -> None:
    assert effects(Forecast(("Purse −5",)), "Buy Guard") == "[Purse −5]"
    assert effects(Forecast(("Cristaux −5",)), "Construire (5 cristaux)") == ""
    assert effects(Forecast(("Cristaux −5", "PC −1")), "Construire (5 cristaux)") == "[PC −1]"
    assert effects(Forecast(("Cristaux −5",)), "Construire (15 cristaux)") == "[Cristaux −5]"
    assert effects(Forecast((), ((Fraction(2, 3), "Hits −1"), (Fraction(1, 999), "−1 Guard"))), "Strike") == (
        "[67 % Hits −1; <1 % −1 Guard]"
    )
    assert effects(Forecast(("a −1", "b −1", "c −1", "d −1", "e −1")), "") == "[a −1, b −1, c −1, d −1, …]"
    dice = tuple((Fraction(1, 8), f"Purse {amount}") for amount in ("−2", "−1", "+1", "+2"))
    assert effects(Forecast((), dice), "") == "[50 % Purse −2…+2]"
    assert effects(Forecast((), tuple((2 * share, text) for share, text in dice)), "") == "[Purse −2…+2]"
    assert effects(NOTHING, "Wait") == ""


def test_what_the_label_names_alone_is_not_named_again() -> None:
    alone = Forecast(("Units (West Ford) +1", "Units to be placed −1"))
    assert effects(alone, "Found: West Ford") == "[Units +1, Units to be placed −1]"
    assert effects(alone, "Found: West Fords") == "[Units (West Ford) +1, Units to be placed −1]"
    both = Forecast(("Units (a) −1", "Units (b) +1"))
    assert effects(both, "From a to b") == "[Units (a) −1, Units (b) +1]"
    hit = Forecast((), ((Fraction(1, 2), "Hits (Guard) −1"),))
    assert effects(hit, "Strike Guard") == "[50 % Hits −1]"


def test_from_python() -> None:
    decision = dsl.load("cristal_et_acier").start(seed=7).decision
    assert decision is not None
    told = {each.label("fr"): each.effects("fr") for each in decision.options}
    assert told["Recruter Milice"] == ("Trésor −1", "Troupes (votre armée) +1 Milice")
    assert all(each.odds() == () for each in decision.options)


TRAPS = """\
game traps:
    players ann, bob
    rounds 4
map land on squares(2, 1)
state of Cell:
    trap: 0..1, seen by none
state of Player:
    plan: 0..5, seen by self
    gold: 0..20 = 9, called "Gold"
setup:
    for c in Cell: c.trap = roll 1d2 - 1
action open_it(c: Cell) by p "Open {c}": p.gold loses up to (3 if c.trap is 1 else 1)
action think(n: 0..5) by p "Think {n}": p.plan = n
action buy by p "Buy": p.gold loses up to (3 if opponent(p).plan is 4 else 1)
round:
    for p in order of play:
        p chooses: think(n) for n in 0..5
    for p in order of play:
        p chooses:
            open_it(c) for c in Cell
            buy
"""


def test_nothing_is_told_of_what_may_be_otherwise_however_seldom(tmp_path: Path) -> None:
    """Traps that are thrown for each cell are not exchanged but may lie anywhere; each plan of the other is tried."""
    path = tmp_path / "traps.scn"
    path.write_text(TRAPS, encoding="utf-8")
    machine = load(str(path))
    for seed in range(6):
        game = Game.start(machine, seed=seed)
        game.choose("Think 0")
        game.choose("Think 0")
        assert game.decision is not None
        assert forecasts(game.decision) == (NOTHING, NOTHING, NOTHING)


UNTAKEN = """\
game mine:
    players ann, bob
    rounds 3
state of Player:
    gold: 0..9 = 4
action take(n: 1..3) by p "Take {n}": p.gold gains up to n
round:
    for p in order of play:
        p chooses: take(n) for n in 1 .. p.gold
"""


def test_nothing_is_told_of_an_option_whose_arguments_cannot_be_computed(tmp_path: Path) -> None:
    path = tmp_path / "mine.scn"
    path.write_text(UNTAKEN, encoding="utf-8")
    game = Game.start(load(str(path)), seed=1)
    assert game.decision is not None
    assert [each.fails for each in game.decision.options] == [False, False, False, True]
    assert forecasts(game.decision)[3] is NOTHING


def test_tests_and_menus_pass_by_an_option_whose_arguments_cannot_be_computed(tmp_path: Path) -> None:
    path = tmp_path / "mine.scn"
    alike = UNTAKEN.replace("Take {n}", "Take some")
    path.write_text(f'{alike}test "two":\n    ann: take(2)\n    expect ann.gold is 6\n', encoding="utf-8")
    program = compile_game(str(path), tests=True).program
    assert program is not None
    machine = Machine(program)
    assert [each.message for each in run_tests(machine) if not each.passed] == []
    decision = Game.start(machine, seed=1).decision
    assert decision is not None
    assert decision.options[3].args == ()
    assert distinctions(decision, "en") == ("1", "2", "3", "4")
