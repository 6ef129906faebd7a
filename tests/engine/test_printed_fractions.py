"""Fractions are shown as they are printed, wherever they are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dsl.authoring.survey import sections
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.summary import in_words
from dsl.ir.identity import identity
from dsl.ir.program import Program
from dsl.testing.runner import run_tests

TEXT = """game worth:
    players ann, bob
    rounds 2
table Unit:
    | id | worth | size |
    | a  | 1/2   |    4 |
    | b  | 3/2   |    2 |
    | c  | 2     |    3 |
table bonus(k: Unit, n: 1..2) -> fraction:
    |   | 1   | 2   |
    | a | 1/3 | 2/3 |
    | b | 1   | 2   |
    | c | 0   | 3   |
state:
    n: 0..99
    k: 0..9
value whole(u: Unit) -> 0..99 = u.size * u.worth rounded down
value more(u: Unit) = u.worth + k + 1/2
value last(u: Unit) -> 0..99 = more(u) * 4 rounded up
action go(u: Unit) by p "Go {u} for {u.worth}":
    say "worth {u.worth}"
    n = whole(u) + last(u)
round:
    for p in order of play:
        p chooses: go(u) for u in Unit
test "shown":
    expect b.worth is 1
"""


def program_of(tmp_path: Path) -> Program:
    path = tmp_path / "worth.scn"
    path.write_text(TEXT, encoding="utf-8")
    made = compile_game(str(path), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def test_tables_show_them_as_printed(tmp_path: Path) -> None:
    program = program_of(tmp_path)
    found = {each.name: each for each in sections(program, "")}
    at = found["Unit"].columns.index("worth")
    assert [row.cells[at] for row in found["Unit"].rows] == ["1/2", "3/2", "2"]
    assert "1/3" in str(found["bonus"].rows) and "2/3" in str(found["bonus"].rows)


def test_labels_the_log_and_sums_show_them_as_printed(tmp_path: Path) -> None:
    game = Game.start(Machine(program_of(tmp_path)), seed=1, telling=True)
    game.choose("Go b for 3/2")
    assert "worth 3/2" in [entry.text() for entry in game.log]
    told = [line for each in game.sums() for line in in_words(game.machine.program, each)]
    assert told[0].startswith("whole(b) = 2 size × 3/2 worth = 3")
    assert told[1].startswith("last(b) = 3/2 more + 1/2 more")


def test_failed_tests_show_them_as_printed(tmp_path: Path) -> None:
    (found,) = run_tests(program_of(tmp_path))
    assert "3/2" in found.message


def test_how_they_are_shown_does_not_name_a_program(tmp_path: Path) -> None:
    program = program_of(tmp_path)
    assert any(data.denominator == 2 for data in program.data)
    plain = replace(program, data=tuple(replace(each, denominator=1) for each in program.data))
    assert identity(plain) == identity(program)
