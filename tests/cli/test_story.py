"""What happens twice is told twice; what two actions say of one thing is told once."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.cli.story import Teller
from dsl.compiler import compile_game
from dsl.engine.changes import changes
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game bells:
    players ann
    rounds 1
state:
    n: 0..9
action ring "The bell rings": n gains 1
action strike "The hour is struck": toll
action toll "The hour is struck": n gains 1
phase noon:
    repeat 3 times: ring
    strike
    strike
round: noon
"""


def test_equal_events_are_told_each(tmp_path: Path) -> None:
    file = tmp_path / "bells.scn"
    file.write_text(GAME, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    lines = Teller(game.machine).stretch(None, game.log, None, list(game.state))
    told = [line.text for line in lines if line.kind == "do"]
    assert told == ["The bell rings"] * 3 + ["The hour is struck"] * 2


SPELLS = """game spells:
    players ann
    rounds 1
state:
    n: 0..9
table Spell:
    | id    | name en | needs |
    | flame | Flame   |     6 |
    | frost | Frost   |     6 |
table power(spell: Spell):
    | spell | name en     | effect    |
    | flame | It flames   | n gains 1 |
    | frost | It freezes  | n gains 2 |
table weather(die: 1..6):
    | 1d6 | name en | effect    |
    | 1-6 | Rain    | n gains 1 |
action cast(s: Spell):
    if roll 1d6 <= s.needs: power(s)
round:
    cast(frost)
    weather(roll 1d6)
"""


def test_a_throw_is_told_again_only_by_the_row_of_numbers_that_it_is_read_off(tmp_path: Path) -> None:
    """A row of a table by names stands behind a throw too, and its number may happen to be the die's."""
    file = tmp_path / "spells.scn"
    file.write_text(SPELLS, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    for seed in range(20):
        game = Game.start(Machine(program), seed=seed, telling=True)
        lines = Teller(game.machine).stretch(None, game.log, list(game.state), list(game.state))
        rolls = [entry.args[-1] for entry in game.log if entry.kind == "roll" and entry.args]
        assert [line.text for line in lines if line.kind == "roll"] == [f"die 1d6: {rolls[0]}"]


FALL = """game fall:
    players ann, bob
    rounds 3
type Stance = fresh en "fresh" | hurt en "hurt"
map den on squares(2, 1)
table Kind:
    | id  | name en |
    | bear | Bear   |
    | wolf | Wolf   |
piece Beast of Kind, up to 2 each:
    owner: Player
    at: Cell?
    stance: Stance = fresh, called en "State"
    wounds: 0..9, called en "Wounds"
piece Card of Kind, up to 1 each:
    tapped: bool, called en "Tapped"
pile hand of Card for each Player, seen by owner
pile grave of Card, called en "Grave"
setup:
    place bear of ann at a1 with stance = hurt, wounds = 3
    place wolf of bob at b1 with stance = hurt, wounds = 2
    for k in Card: draw_in(k)
action draw_in(k: Card):
    move k to hand(ann)
    k.tapped = true
round:
    ann chooses:
        fell
        heal
action fell by p:
    for x in Beast where x is bear: take away x
    for k in hand(ann):
        k.tapped = false
        move k to grave
action heal by p:
    for b in Beast: b.stance = fresh
"""


def test_of_what_leaves_play_or_its_pile_it_is_told_where_it_went(tmp_path: Path) -> None:
    """Its fields begin anew, which would read as if it were healed."""
    file = tmp_path / "fall.scn"
    file.write_text(FALL, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    told = []
    for choice in (0, 1):
        game = Game.start(Machine(program), seed=1)
        before = list(game.state)
        game.choose(choice)
        told.append(list(changes(game.machine, before, list(game.state), None, "en")))
    assert told == [
        ["−1 Bear", "Bear → Grave", "Wolf → Grave"],
        ["State (Bear) hurt → fresh", "State (Wolf) hurt → fresh"],
    ]


WEARY = """game weary:
    players ann
    rounds 1
map den on squares(5, 1)
table Kind:
    | id  | name en |
    | bear | Bear   |
    | wolf | Wolf   |
piece Beast of Kind, up to 3 each:
    at: Cell
    awake: bool = true, called en "Awake"
    age: 0..9, called en "Age"
setup:
    place bear at a1
    place bear at b1 with age = 4
    place wolf at c1
round:
    ann chooses:
        rest
        stay
action rest by p:
    for b in Beast:
        b.awake = false
        if b.age is 0: b.age = 1
action stay by p: nothing
"""


def test_what_befalls_several_alike_is_told_once(tmp_path: Path) -> None:
    """With whose it is behind it; two are not several, and each is told where nobody wants places."""
    file = tmp_path / "weary.scn"
    file.write_text(WEARY, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    before = list(game.state)
    game.choose(0)
    told = list(changes(game.machine, before, list(game.state), None, "en", places=True))
    assert told == ["Awake yes → no (Bear a1, b1; Wolf)", "Age (Bear, a1) 0 → 1", "Age (Wolf) 0 → 1"]
    assert len(list(changes(game.machine, before, list(game.state), None, "en"))) == 5


PLOT = """game plot:
    players ann, bob
    rounds 2
state of Player:
    plan: 1..6, seen by self
round:
    ann.plan = roll 1d6
    say "the plan is {ann.plan}"
    say "{ann} has the plan {ann.plan}"
    ann may: rest
action rest by p: nothing
"""


def test_of_what_somebody_may_not_see_at_all_he_is_told_nothing(tmp_path: Path) -> None:
    file = tmp_path / "plot.scn"
    file.write_text(PLOT, encoding="utf-8")
    program = compile_game(str(file)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    told = {
        viewer: [
            line.text
            for line in Teller(game.machine, "", viewer).stretch(None, game.log, None, list(game.state))
            if line.kind == "say"
        ]
        for viewer in (0, 1)
    }
    plan = game.state[next(each.offset for each in program.vars if each.name == "plan")]
    assert told[0] == [f"the plan is {plan}", f"ann has the plan {plan}"]
    assert told[1] == ["ann has the plan ?"]


def test_how_a_game_ended_is_as_wide_as_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, why = tmp_path / "bells.scn", "when the last bell of the evening has been rung in all of the towers"
    file.write_text(f'{GAME}draw "The game is over, {why}" otherwise\n', encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "60")
    shown = CliRunner().invoke(cli, ["play", str(file), "--auto"], catch_exceptions=False).output
    lines = shown.splitlines()
    (first,) = [number for number, line in enumerate(lines) if line.startswith("End: The game is over")]
    assert why in " ".join(" ".join(lines[first : first + 3]).split())
    assert max(len(line) for line in lines[: first + 3]) <= 60
