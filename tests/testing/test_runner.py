"""Tests of the language: what passes, and what a test that fails says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.resources import games
from dsl.testing.runner import run_tests
from dsl.wasm.tested import TestedMachine
from tests.examples import example_folders
from tests.shipped import shipped
from tests.soak import LARGEST, SOAK
from tests.testing.games import RULES, TESTS, folder, program

PASSING = {
    "the initial state": "expect gold is 2",
    "a refusal": "expect illegal buy(hen) by x because [A-10, A-12]",
    "a refusal by its family": "expect illegal buy(hen) by x because [A-10, birds]",
    "one refusal among several": "expect illegal buy(hen) by x because among [A-12]",
    "any refusal": "expect illegal buy(hen) by x",
    "an option": "option thrift = loose\n    expect illegal buy(hen) by x because [A-10]",
    "a ruling changed midway holds from the start": "x: pass\n    option thrift = loose\n    expect thrift is loose",
    "dice": "rolls 3\n    run dice\n    expect gold is 5\n    rolls 1\n    run dice\n    expect gold is 6",
    "a failure": "given: gold = 5\n    rolls 6\n    run dice\n    expect error E0601\n    expect gold is 5",
    "moves": "x: pass\n    o: buy(egg)\n    expect won(x) or won(o) or ended",
    "given, then the whole game": "given: gold = 9\n    x: buy(egg)\n    o: pass\n    expect gold is 7",
    "by label": 'x: "pass"',
    "not an option": "expect illegal x: buy(hen)",
    "nothing asked": "rolls 3\n    run dice\n    expect nothing asked",
    "several times": "given: gold = 9\n    x: buy(egg) 1 times\n    o: pass",
}

FAILING = {
    "a number": ("given: gold = 4\n    expect gold is 5", "expected gold is 5: gold is 4"),
    "a bag": (
        "given: stones = {2 black}\n    expect gold is 2 and stones is {1 white}",
        "`stones is {1 white}` is not so (stones is {2 black}); `gold is 2` is so",
    ),
    "not": ("expect not gold is 2", "expected not gold is 2: gold is 2"),
    "a comparison": ("expect gold > 6", "expected gold > 6: gold is 2"),
    "a quantifier": (
        "expect any s in Stone where stones has s",
        "expected any s in Stone where stones has s",
    ),
    "not offered": (
        "x: buy(hen)",
        'refused by [A-10] "too poor" (purse/purse.scn:19); [A-12, birds] forbid buy when',
    ),
    "the options": ("x: buy(hen)", "x chooses among: buy(egg)"),
    "an option after all": ("expect illegal x: buy(egg)", "buy(egg) is offered; x chooses among"),
    "too often": ("given: gold = 9\n    x: buy(egg) 2 times", "x is not the one who chooses"),
    "another player": ("o: pass", "o is not the one who chooses"),
    "nothing asked": ("given: gold = 1\n    run dice\n    rolls 1\n    x: pass", "a roll is missing"),
    "too late": ("rolls 1\n    run dice\n    x: pass", "nothing is being asked"),
    "refused by others": (
        "expect illegal buy(hen) by x because [A-12]",
        'is refused by [A-10] "too poor" (purse/purse.scn:19); [A-12, birds]',
    ),
    "a run that is refused": (
        "run buy(hen) by x",
        'buy(hen) is refused: [A-10] "too poor" (purse/purse.scn:19); [A-12, birds]',
    ),
    "allowed": ("expect illegal buy(egg) by x because [A-10]", "buy(egg) is allowed"),
    "both halves": (
        "expect gold is 3 and stones is {1 white}",
        "`gold is 3` is not so (gold is 2); `stones is {1 white}` is not so (stones is empty)",
    ),
    "two fields": ("given: gold = 4\n    expect gold < size(stones)", "gold is 4, size(stones) is 0"),
    "a membership": ("expect gold in 3..5", "expected gold in 3..5: gold is 2"),
    "an either-or": ("expect gold is 5 or stones has white", "gold is 2, stones is empty"),
    "legal": (
        "given: gold = 1\n    expect legal buy(egg) by x",
        'expected legal buy(egg) by x: refused by [A-10] "too poor" (purse/purse.scn:19)',
    ),
    "after something": ("expect gold is 9 after buy(egg) by x", "by x: then it is 0, and was to be: is 9"),
    "a missing roll": ("run dice", "a roll is missing: 1d6, from 1 to 6, asked for at purse/purse.scn:25"),
    "quiet, and asked": ("expect nothing asked", "expected nothing asked: x chooses among: buy(egg)"),
    "quiet in a situation": (
        "given: gold = 3\n    expect nothing asked",
        "nothing has been run or played yet",
    ),
    "illegal when all is over": (
        "x: buy(egg)\n    expect illegal buy(egg) by x",
        "the game has ended, and nothing can be done any more: this cannot fail",
    ),
    "a roll left": ("rolls 3, 4\n    run dice", "scripted and never asked for: roll 4"),
    "a roll too high": (
        "rolls 7\n    run dice",
        "the roll 7 of 1d6 is not from 1 to 6, asked for at purse/purse.scn:25",
    ),
    "no element of an empty list": (
        "run first\nstate:\n    queue: list of 0..9 up to 3\naction first: gold = queue[1]",
        "there is no element 1 in an empty list",
    ),
    "an element that is not there is set": (
        "run later\nstate:\n    queue: list of 0..9 up to 3\naction later:\n    queue gains 4\n    queue[2] = 5",
        "there is no element 2 in a list of one element",
    ),
    "a rule that fails": ("given: gold = 9\n    rolls 1\n    run dice", "E0601"),
    "something that is not there": (
        "expect stones[first s in Stone where stones has s] is 1",
        "names something that is not there",
    ),
    "no failure": ("rolls 1\n    run dice\n    expect error E0601", "was to fail with E0601"),
    "another failure": ("given: gold = 9\n    rolls 1\n    run dice\n    expect error E0602", "E0601"),
}


def _test(line: str) -> str:
    return f'\ntest "one":\n    {line}\n'


@pytest.mark.parametrize("name", PASSING)
def test_what_passes(tmp_path: Path, name: str) -> None:
    (result,) = run_tests(program(tmp_path / "purse", _test(PASSING[name])))
    assert result.passed, result.message


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_says_what_was_found(tmp_path: Path, name: str) -> None:
    lines, message = FAILING[name]
    (result,) = run_tests(program(tmp_path / "purse", _test(lines)))
    assert not result.passed
    assert message in result.message


def test_a_failed_test_names_its_line(tmp_path: Path) -> None:
    made = program(tmp_path / "purse", _test("given: gold = 3\n    expect gold is 3\n    expect gold is 4"))
    (result,) = run_tests(made)
    lines = (tmp_path / "purse/purse.scn").read_text(encoding="utf-8").splitlines()
    assert lines[result.place.line - 1].strip() == "expect gold is 4"
    assert result.steps == 2


def test_tests_are_chosen_by_title_and_by_id(tmp_path: Path) -> None:
    made = program(tmp_path / "purse", TESTS)
    assert [each.title for each in run_tests(made)] == ["buying", "prices"]
    assert [each.title for each in run_tests(made, titles=["PRI"])] == ["prices"]
    assert [each.title for each in run_tests(made, ids=["A-X1"])] == ["buying"]
    assert [each.title for each in run_tests(made, ids=["A-7"])] == ["prices"]
    assert run_tests(made, ids=["A-99"]) == []
    assert run_tests(made)[0].cited == ("A-X1", "A-2", "A-9", "A-11", "A-14")


def _targets() -> list[str]:
    return [*games(), *map(str, example_folders())]


@pytest.mark.slow
@pytest.mark.parametrize("target", _targets())
def test_the_games_that_come_along_pass_their_tests(target: str) -> None:
    """On both engines; those of the largest game on Python's alone, but in the long run. Random games of it are played
    on both by `tests/wasm/test_agree.py`.
    """
    program = shipped(target, tests=True)
    alone = target == LARGEST and not SOAK
    machine = Machine(program) if alone else TestedMachine(program, cache=False)
    failed = [f"{each.title}: {each.message}" for each in run_tests(machine) if not each.passed]
    assert failed == []


def test_a_test_may_begin_near_the_bound_of_decisions(tmp_path: Path) -> None:
    bounded = RULES.replace("    rounds 3 ", "    decisions at most 9 ")
    lines = """
test "one is left":
    given: gold = 9
    decisions 8
    x: buy(egg)
    expect ended and gold is 7
test "two are left":
    given: gold = 9
    decisions 7
    x: buy(egg)
    expect not ended
test "none is left":
    decisions 99
    expect ended
"""
    assert [each.message for each in run_tests(program(tmp_path, lines, bounded))] == ["", "", ""]


def test_decisions_are_one_number(tmp_path: Path) -> None:
    made = compile_game(folder(tmp_path, 'test "two numbers":\n    decisions 1, 2\n'), tests=True)
    assert [each.code.id for each in made.diagnostics] == ["E0304"]


OFFERS = """game offers:
    players ann, bob
    rounds 2
type Dish = soup | fish
piece Cook of Post, up to 2 each:
    owner: Player
    at: Cell
table Post:
    | id |
    | chef |
    | help |
map kitchen on squares(3, 3)
state:
    served: 0..9
    luck: 0..12
setup:
    luck = roll 2d6
    place chef of ann at a1
action serve(d: Dish) by p "Serve {d}":
    need luck > 2 "no luck"
    served gains 1
action rest by p "Rest": nothing
action toss by p "Toss":
    served = roll 1d6
round:
    for p in order of play:
        p chooses: serve(d) for d in Dish where d is soup
        p chooses:
            rest
            toss
"""

ROUNDS = {
    "given: luck = 5\n    ann: rest\n    expect served is 2 and luck is 5 and size(Cook) is 0": "",
    "rolls 7\n    ann: rest\n    expect luck is 7 and size(Cook) is 1": "",
    "expect served is 0": "as the game begins, a roll is missing: 2d6, from 2 to 12, asked for at offers/offers.scn:17",
    "given: luck = 5\n    ann: toss": "a roll is missing: 1d6, from 1 to 6, asked for at offers/offers.scn:24 by ann",
    "given: luck = 5\n    expect legal ann: rest\n    expect luck is 5 and size(Cook) is 0": "",
    "given: luck = 5\n    expect illegal ann: serve(soup)\n    expect luck is 5 and size(Cook) is 0": "",
    "rolls 7\n    ann: serve(soup)": 'ann: serve(soup) "Serve soup" was taken at once: nothing else was on offer',
    "rolls 7\n    ask every choice\n    ann: serve(soup); rest\n    bob: serve(soup)": "",
    "ask every choice\n    rolls 7\n    expect illegal ann: rest": "",
    "ask every choice\n    rolls 7\n    expect legal ann: serve(soup)\n    ann: serve(soup)": "",
    "rolls 7\n    expect legal ann: serve(soup)": "serve(soup) is not offered; ann chooses among: rest",
    "rolls 7\n    expect legal bob: rest": "bob is not the one who chooses: ann chooses among",
    'rolls 7\n    expect legal ann: "Rest"\n    expect legal ann: "Rest"\n    expect legal ann: toss': "",
    "given: luck = 5\n    ann: rest\n    bob: rest\n    ann: rest\n    bob: rest\n    expect ended": "",
    "rolls 7, 3\n    ann: rest": "scripted and never asked for: roll 3",
    "expect soup is soup": "",
    "given: nothing\n    expect served is 0": "",
    "given: place chef of ann at b2 as c\n    run rest by ann\n    expect nothing asked": "",
}


PICKS = """\
game picks:
    players ann, bob
    rounds 3
table K:
    | id   | copies |
    | gold |      1 |
    | iron |      1 |
piece Card of K, copies each
pile box of Card
pile used of Card
action grab:
    random c in box
    move c to used
round: nothing
"""


@pytest.mark.parametrize("engine", [Machine, TestedMachine])
def test_a_pick_that_is_left_is_named_as_it_is_written(tmp_path: Path, engine: type[Machine]) -> None:
    """Where only one is there none is asked for, which the message says; of rolls it does not."""
    (tmp_path / "picks.scn").write_text(
        PICKS
        + _test(
            "given: move gold to used\n    picks iron\n    rolls 2\n    run grab\n    expect used has iron"
        )
    )
    made = compile_game(str(tmp_path / "picks.scn"), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    (result,) = run_tests(engine(made.program))
    alone = " (`random` of the only one there asks for no pick)"
    assert result.message == f"scripted and never asked for: pick iron, roll 2{alone}"


@pytest.mark.parametrize("lines", ROUNDS)
@pytest.mark.parametrize("engine", [Machine, TestedMachine])
def test_a_whole_game(tmp_path: Path, lines: str, engine: type[Machine]) -> None:
    """What begins it, what is asked, and what is told of the rolls that it wants."""
    path = tmp_path / "offers"
    path.mkdir()
    (path / "offers.scn").write_text(OFFERS + _test(lines))
    made = compile_game(str(path), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    (result,) = run_tests(engine(made.program))
    if ROUNDS[lines]:
        assert not result.passed
        assert ROUNDS[lines] in result.message
    else:
        assert result.passed, result.message


HURT = """game hurt:
    players ann
    rounds 2
table Kind:
    | id     |
    | archer |
piece Unit of Kind, up to 2 each:
    owner: Player
    at: Cell?
    damage: 0..9
map field on squares(3, 3)
action hit(u: Unit):
    u.damage gains 2
    if u.damage >= 4: take away u
round: nothing
test "hit":
    given: place archer of ann at a1 as a
    run hit(a)
    LINES
"""


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("expect a.damage is 2", ""),
        ("run hit(a)\n    expect a is gone", ""),
        ("run hit(a)\n    expect a.at is none", ""),
        ("run hit(a)\n    expect a is gone or a.damage is 0", ""),
        (
            "run hit(a)\n    expect a.damage is 0",
            "because `archer_1` is not in play, and its `damage` is as at the beginning",
        ),
        ("run hit(a)\n    expect a.damage < 4 and a.at is none", "`archer_1` is not in play"),
    ],
)
def test_what_is_expected_of_a_piece_that_is_gone(tmp_path: Path, lines: str, message: str) -> None:
    source = tmp_path / "hurt.scn"
    source.write_text(HURT.replace("LINES", lines), encoding="utf-8")
    made = compile_game(str(source), tests=True).program
    assert made is not None
    (result,) = run_tests(made)
    assert result.passed is not bool(message)
    assert message in result.message
