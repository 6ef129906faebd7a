"""What a rule can cost is told with its factors, and left to be counted in play."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.wasm.machine import FastMachine
from tests.soak import only_when_long

GAME = """game heavy:
    players red, blue
    rounds 3
table Kind:
    | id | n |
    | a | 1 |
    | b | 2 |
piece Unit of Kind, up to 30 each for each Player:
    at: Cell?
map board on squares(20, 16)
state of Cell:
    n: 0..9 = 1
state:
    seen: 0..999
"""
SEES = """value hidden(c: Cell) = any u in Unit where u.at is c
value sees(c: Cell, d: Cell) = any e in Cell where distance(c, e) > distance(e, d) and e.n is 2
"""


def heavy(text: str, folder: Path, *, tests: bool = False) -> list[Diagnostic]:
    path = folder / "heavy.scn"
    path.write_text(GAME + text)
    compiled = compile_game(str(path), tests=tests)
    assert compiled.program is not None, compiled.diagnostics
    return [each for each in compiled.diagnostics if each.code.id == "W0408"]


def test_the_factors_are_told_from_the_outside_in(tmp_path: Path) -> None:
    text = "round:\n    seen = count u in Unit where (any c in Cell where sees(c, c) and u.at is c)\n"
    (one,) = heavy(SEES + text, tmp_path)
    assert "120 Unit × 320 Cell × 320 Cell × " in one.message
    assert "million expressions" in one.message


def test_it_points_where_most_of_it_arises(tmp_path: Path) -> None:
    """Not at the line that asks: what multiplies most stands in the value."""
    value = "value threat = count c in Cell where (any d in Cell where sees(c, d))\n"
    (one,) = heavy(SEES + value + "round:\n    if (any u in Unit where threat > u.n): seen = 1\n", tmp_path)
    assert one.span is not None
    assert one.span.text.startswith("value threat")
    assert "120 Unit × 320 Cell × 320 Cell × 320 Cell" in one.message


def test_what_is_asked_in_several_places_is_told_once(tmp_path: Path) -> None:
    value = "value threat = count c in Cell where (any d in Cell where sees(c, d))\n"
    actions = "action one:\n    seen = threat\naction two:\n    seen = 2 * threat\n"
    assert len(heavy(SEES + value + actions + "round: seen = threat\n", tmp_path)) == 1


def test_nothing_is_told_of_what_tests_compute(tmp_path: Path) -> None:
    threat = "(count u in Unit where (any c in Cell where sees(c, c) and u.at is c))"
    expected = f'test "none":\n    given: seen = {threat}\n    expect seen is 0\n'
    light = "round: seen = count c in Cell where hidden(c)\n"
    assert not heavy(SEES + light + expected, tmp_path, tests=True)
    (one,) = heavy(f"{SEES}round: seen = {threat}\n{expected}", tmp_path, tests=True)
    assert one.span is not None
    assert one.span.line < (GAME + SEES).count("\n") + 2


def test_common_rules_are_not_heavy(tmp_path: Path) -> None:
    text = "round:\n    seen = count c in Cell where hidden(c)\n"
    assert not heavy(SEES + text, tmp_path)


def test_neighbours_are_as_many_as_they_can_be(tmp_path: Path) -> None:
    """Not as many as there are cells: six of a hex, four of a square, and so with all that a table holds."""
    near = "value near(c: Cell) = count d in around(c) where (any e in around(d) + {c} where sees(e, c))\n"
    assert not heavy(SEES + near + "round:\n    seen = count u in Unit where near(a1) > u.n\n", tmp_path)
    seen = "any d in around(c) where (any u in Unit where sees(c, d) and u.n is 1)"
    text = f"round:\n    seen = count c in Cell where ({seen})\n"
    (one,) = heavy(SEES + text, tmp_path)
    assert "320 Cell × 4 Cell × 120 Unit × 320 Cell" in one.message


@pytest.mark.parametrize("kind", [only_when_long(Machine), FastMachine])
def test_what_takes_too_long_ends_with_the_steps_of_a_decision(kind: type[Machine], tmp_path: Path) -> None:
    """Each fold counts its elements before it runs over them, so that the engines stop at the same one, and soon.

    What fails in compiled code is told by Python, which has to fail as well.
    """
    path = tmp_path / "heavy.scn"
    value = "value threat = count c in Cell where (any d in Cell where sees(c, d))\n"
    path.write_text(GAME + SEES + value + "round:\n    if (any c in Cell where threat > c.n): seen = 1\n")
    program = compile_game(str(path)).program
    assert program is not None
    with pytest.raises(RuleFailure) as caught:
        Game.start(kind(program), seed=1)
    assert caught.value.code == "E0608"
