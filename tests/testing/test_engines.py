"""Tests in the language on both engines: chance as dictated, and a difference is a test that fails."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine import chance
from dsl.engine.machine import Machine
from dsl.engine.script import Script
from dsl.testing.results import TestResult
from dsl.testing.runner import run_tests
from dsl.wasm.tested import NO_DRAW, TestedMachine

LUCK = """\
game luck:
    players ann, bob
    rounds 5

table Card:
    | id  | copies |
    | ace |      1 |
    | two |      1 |
    | six |      1 |

type Stone = black | white | red
piece Sheet of Card, copies each
pile deck of Sheet, seen by none
pile used of Sheet

state:
    gold: 0..40 = 2
    taken: Stone?
    stones: bag of Stone up to 9

action dice: gold gains roll 3d6
action anything:
    random s in Stone
    taken = s
action something:
    random s in stones
    taken = s
action mix: shuffle deck
action turn: draw 1 from deck to used
action spend(n: 1..3) by p:
    need gold >= n
    gold loses n
round:
    for p in order of play:
        p may: spend(n) for n in 1..3
victory p when gold is 0
"""
TESTS = """
test "dice":
    rolls 3, 18, 10
    run dice
    run dice
    run dice
    expect gold is 33
test "picks":
    picks white
    run anything
    expect taken is white
test "by weight":
    given: stones = {4 black, 3 red}
    picks red
    run something
    expect taken is red
test "shuffles":
    shuffles six, ace
    run mix
    run turn
    expect any c in used where c.kind is six
test "a rule that fails":
    given: gold = 30
    rolls 18
    run dice
    expect error E0601
    expect gold is 30
test "refused":
    given: gold = 2
    expect illegal spend(3) by ann
test "the game":
    ann: spend(1)
    bob: spend(1)
    expect ended
"""


@pytest.fixture(scope="module")
def luck(tmp_path_factory: pytest.TempPathFactory) -> TestedMachine:
    folder = tmp_path_factory.mktemp("luck")
    (folder / "luck.scn").write_text(LUCK + TESTS)
    made = compile_game(str(folder / "luck.scn"), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    return TestedMachine(made.program, cache=False)


def result(machine: Machine, title: str) -> TestResult:
    (found,) = run_tests(machine, titles=[title])
    return found


def test_both_come_to_the_same(luck: TestedMachine) -> None:
    assert [each.message for each in run_tests(luck)] == [""] * len(luck.program.tests)


def test_one_more_draw_is_noticed(luck: TestedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    original = luck._again
    monkeypatch.setattr(luck, "_again", lambda state, draws: original(state, [*draws, 0]))
    assert result(luck, "dice").message == "a fault of Scenarii: 3 draws where Python takes 4"
    monkeypatch.setattr(luck, "_again", lambda state, draws: original(state, draws[:-1]))
    assert result(luck, "shuffles").message.endswith(f"a rule fails with E0{NO_DRAW} only in WebAssembly")


@pytest.mark.parametrize("title", ["dice", "picks", "by weight", "shuffles", "the game"])
def test_another_state_is_noticed(luck: TestedMachine, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original = luck.led

    def wrong(state: list[int]) -> object:
        found = original(state)
        assert not isinstance(found, int)
        found[0][luck.program.vars[-1].offset] ^= 1
        return found

    monkeypatch.setattr(luck, "led", wrong)
    assert result(luck, title).message.startswith("a fault of Scenarii: the engines come to different states")


def test_other_options_are_noticed(luck: TestedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    original = luck.led

    def fewer(state: list[int]) -> object:
        after, options = original(state)  # type: ignore[misc]
        return after, options and options[:-1]

    monkeypatch.setattr(luck, "led", fewer)
    assert result(luck, "the game").message == "a fault of Scenarii: the engines list different options"


@pytest.mark.parametrize(
    ("title", "word"), [("a rule that", "only in Python"), ("dice", "only in WebAssembly")]
)
def test_another_failure_is_noticed(
    luck: TestedMachine, title: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck, "led", lambda state: -602)
    assert result(luck, title).message.endswith(word)


@pytest.mark.parametrize("title", ["picks", "refused"])
def test_another_answer_is_noticed(luck: TestedMachine, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is expected, and whether an action is allowed."""
    answer = luck.instance.calls["answer"]
    monkeypatch.setitem(luck.instance.calls, "answer", lambda number: 1 - answer(number))
    assert result(luck, title).message.startswith("a fault of Scenarii: the engines answer")


def test_another_explanation_is_noticed(luck: TestedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.engine.game.refusals", lambda *_: ())
    assert "judged otherwise than explained" in result(luck, "refused").message


# ---------------------------------------------------------------- what the generator would have drawn


def given(draws: list[int]) -> Callable[[list[int], int], int]:
    def below(_: list[int], bound: int) -> int:
        found = draws.pop(0)
        assert 0 <= found < bound
        return found

    return below


def test_draws_that_come_to_what_is_dictated(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, sides in ((1, 6), (2, 6), (3, 4), (5, 2)):
        for total in range(count, count * sides + 1):
            script = Script(rolls=[total])
            assert script.roll(count, count * sides) == total
            assert len(script.drawn) == count
            assert sum(script.drawn) + count == total
            assert all(0 <= each < sides for each in script.drawn)
    for order in permutations(range(4)):
        script, cards = Script(shuffles=[order[:2]]), [0, 1, 2, 3]
        found = script.shuffle(cards)
        assert found[:2] == list(order[:2])
        monkeypatch.setattr(chance, "below", given(list(script.drawn)))
        chance.shuffle([], cards)
        assert cards == found
    script = Script(picks=[7, 9])
    assert [script.pick([3, 7, 9]), script.pick([3, 7, 9], [5, 2, 1]), script.pick([4])] == [7, 9, 4]
    assert script.drawn == [1, 7, 0]
    assert script.copy().drawn == script.drawn


def test_a_module_made_for_other_tests_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path / "cache"))
    (tmp_path / "luck.scn").write_text(LUCK + TESTS)
    for number, text in enumerate((LUCK + TESTS, LUCK + TESTS.replace("is 33", "is 32")), 1):
        (tmp_path / "luck.scn").write_text(text)
        program = compile_game(str(tmp_path / "luck.scn"), tests=True).program
        assert program is not None
        found = result(TestedMachine(program), "dice").message
        assert found == ("" if number == 1 else "expected gold is 32: gold is 33")
        assert len(list((tmp_path / "cache").glob("*.module"))) == number


def test_a_pick_that_is_not_there_is_told_in_words(tmp_path: Path) -> None:
    tests = 'test "none":\n    given: stones = {4 black, 3 red}\n    picks white\n    run something\n'
    (tmp_path / "luck.scn").write_text(LUCK + tests)
    made = compile_game(str(tmp_path / "luck.scn"), tests=True)
    assert made.program is not None
    (found,) = run_tests(Machine(made.program))
    assert "the pick white is not among black, red" in found.message
