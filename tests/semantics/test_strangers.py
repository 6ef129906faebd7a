"""What newcomers stumbled over: messages that lead on, mods beside scenarios, cases of removed rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.authoring.survey import sections
from dsl.compiler import Compiled, compile_game
from dsl.engine.failure import StartError
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

GAME = """\
game base:
    players ann, bob
    rounds 3
table Card:
    | id     | copies |
    | silver |      3 |
    | chapel |      2 |
piece Copy of Card, copies each
pile deck of Copy
state of Player:
    gold: 0..9
state:
    n: 0..9
action effect(k: Card) by p: nothing
action effect(chapel) by p: n gains up to 1
action play(k: Card) by p "Play {k}": effect(k)
action earn(n: 1..3) by p: p.gold gains up to n
table fair(die: 1..6):
    | 1d6 | effect by p |
    | 1-3 | -           |
    | 4+  | earn(2)     |
round:
    for p in order of play:
        fair(roll 1d6) by p
        p may: play(k) for k in Card
"""
ISLE = """\
scenario isle for base:
    title en "Isle"
    requires wet
value much -> bool = n > 4
"""
WET = """\
mod wet for base:
    title en "Wet"
after play: n gains up to 1
test "of its own":
    run play(silver) by ann
    expect n is 1
"""
TESTS = """\
test "much":
    given: n = 5
    expect much
test "wet" for wet:
    run play(chapel) by ann
    expect n is 2
"""


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def passed(made: Compiled) -> list[str]:
    assert made.program is not None, [each.message for each in made.diagnostics]
    results = run_tests(made.program)
    assert [each.message for each in results if not each.passed] == []
    return [each.title for each in results]


def test_a_mod_beside_a_scenario_has_its_own_tests_alone(tmp_path: Path) -> None:
    written(tmp_path, "base/base.scn", GAME)
    isle = written(tmp_path, "isle/isle.scn", ISLE)
    wet = written(tmp_path, "isle/wet.scn", WET)
    written(tmp_path, "isle/tests/isle_tests.scn", TESTS)
    assert sorted(passed(compile_game(isle, tests=True))) == ["much", "of its own", "wet"]
    assert sorted(passed(compile_game(wet, tests=True))) == ["of its own", "wet"]


def test_the_case_of_a_row_that_is_removed_goes_with_it(tmp_path: Path) -> None:
    game = written(tmp_path, "base/base.scn", GAME)
    less = written(tmp_path, "less.scn", 'mod less for base:\n    title en "Less"\nremove chapel\n')
    made = compile_game(game, [less])
    assert made.program is not None, [each.message for each in made.diagnostics]
    (cards,) = (each for each in made.program.domains if each.name == "Card")
    assert cards.members == ("silver",)


def test_in_a_table_of_effects_somebody_acts(tmp_path: Path) -> None:
    text = GAME + 'test "earned":\n    run fair(5) by bob\n    expect bob.gold is 2 and ann.gold is 0\n'
    assert passed(compile_game(written(tmp_path, "base/base.scn", text), tests=True)) == ["earned"]
    made = compile_game(written(tmp_path, "base/base.scn", GAME.replace("effect by p", "effect")), tests=True)
    (told,) = (each for each in made.diagnostics if each.code.id == "E0304" and "earn" in each.message)
    assert "`effect by p` at the head of the column, and `fair(...) by p`" in told.hint
    text = GAME.replace("effect by p", "effect").replace("earn(2) ", "earn(2) by p")
    made = compile_game(written(tmp_path, "base/base.scn", text), tests=True)
    (told,) = (each for each in made.diagnostics if each.span is not None and each.span.text == "p")
    assert told.code.id == "E0304" and "then the cell needs no `by p`" in told.hint


def test_so_many_players_as_cannot_play_are_told_how_many_can(tmp_path: Path) -> None:
    text = GAME.replace("players ann, bob", "players 2..4: ann, bob, cid, dan")
    made = compile_game(written(tmp_path, "base/base.scn", text))
    assert made.program is not None
    with pytest.raises(StartError, match="choose one of 2, 3, 4, or 0"):
        Game.start(Machine(made.program), options={"players": 1})
    (options,) = (each for each in sections(made.program, "en") if each.name == "options")
    assert "0 (2..4)" in options.rows[0].cells


BIDS = """\
game bids:
    players ann, bob
    rounds 3
type Side = Player | bank
state:
    bidder: Player?
    side: Side?
    n: 0..9
action doubt by p "Doubt":
    TEST
    let b = VALUE or p
    n = 1 if b is ann else 2
round:
    for p in order of play:
        p chooses: doubt
"""
KNOWN = "a condition before has said that `{}` is not none: leave `or p` out"
NEVER = "only a value that may be none takes a replacement with `or`"


@pytest.mark.parametrize(
    ("test", "value", "hint"),
    [
        ("need bidder is not none", "bidder", KNOWN.format("bidder")),
        ("if bidder is none: stop", "bidder", KNOWN.format("bidder")),
        ("need side is not none and side is Player", "side", KNOWN.format("side")),
        ("need n > 2", "n", NEVER),
        ("need p is ann", "p", NEVER),
    ],
)
def test_what_is_known_to_be_there_needs_nothing_in_its_place(
    tmp_path: Path, test: str, value: str, hint: str
) -> None:
    text = BIDS.replace("TEST", test).replace("VALUE", value)
    made = compile_game(written(tmp_path, "bids/bids.scn", text))
    (told,) = (each for each in made.diagnostics if each.code.id == "E0301")
    assert told.hint == hint


HERD = """\
game herd:
    players ann
    rounds 3
table K:
    | id  | n |
    | cat | 1 |
    | dog | 2 |
    | cow | 3 | [H-1]
table Other:
    | id  |
    | OWN |
table worth(k: K) -> 0..9:
    | k   | v |
    | cat | 4 |
    | dog | 5 |
    | cow | 6 |
table else_worth(o: Other) -> 0..9:
    | o   | v |
    | OWN | 7 |
type Mood = cow | calm
type Thing = K | Other
table of_mood(m: Mood) -> 0..9:
    | m    | v |
    | cow  | 8 |
    | calm | 9 |
table of_thing(x: Thing) -> 0..9:
    | x   | v |
    | cat | 1 |
    | dog | 2 |
    | cow | 3 |
    | OWN | 3 |
state:
    n: 0..9
    herd: bag of K up to 20
action add(k: K): n = k.n
table feed(k: K):
    | k   | effect   |
    | cat | add(cat) |
    | dog | add(dog) |
    | cow | add(cow) |
value best -> 0..9 = (highest k in K by worth(k)) or 0
round: nothing
test "of two":
    run feed(dog)
    expect best is 5 and n is 2 and else_worth(OWN) is 7 and of_thing(dog) is 2
    expect (count m in Mood) is 2
"""


@pytest.mark.parametrize(("own", "removed"), [("mine", "cow"), ("own", "[H-1]")])
def test_what_tables_have_for_a_row_that_is_removed_goes_with_it(
    tmp_path: Path, own: str, removed: str
) -> None:
    """Of tables of values and of effects, also of those that are read by a union, and not of another type."""
    game = written(tmp_path, "herd/herd.scn", HERD.replace("OWN", own))
    less = written(tmp_path, "less.scn", f'mod less for herd:\n    title en "Less"\nremove {removed}\n')
    made = compile_game(game, [less], tests=True)
    assert passed(made) == ["of two"]


def test_a_row_of_a_table_for_what_there_is_not_is_told_once(tmp_path: Path) -> None:
    text = HERD.replace("OWN", "mine").replace(" [H-1]", "").replace("| cow | 6 |", "| cowx | 6 |")
    made = compile_game(written(tmp_path, "herd/herd.scn", text))
    assert [each.message for each in made.diagnostics] == ["`cowx` is no K"]


def test_a_bag_that_is_written_out_takes_names_that_hold_a_member(tmp_path: Path) -> None:
    text = HERD.replace("OWN", "mine").replace(" [H-1]", "") + "action more(k: K): herd gains {2 k}\n"
    assert not compile_game(written(tmp_path, "herd/herd.scn", text)).diagnostics
    wrong = compile_game(written(tmp_path, "herd/herd.scn", text.replace("more(k: K)", "more(k: 1..3)")))
    assert [each.message for each in wrong.diagnostics] == ["this is 1..3, where K is needed"]
