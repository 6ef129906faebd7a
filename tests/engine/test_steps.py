"""Steps: what work they count, and that telling and covering take none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dsl.compiler import compile_game
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.runtime import Run
from dsl.source import Source
from tests.fuzz.corpus import ROOT, programs
from tests.shipped import shipped
from tests.soak import only_when_long

GAME = """
game steps:
    players a, b
    decisions at most 10
map board on squares({width}, {height})
state of Cell:
    mark: 0..9 = 0
state:
    n: 0..1000000 = 0
{rules}
round:
{round}
    a chooses k in 1..2
"""


class Watched(Game):
    """A game that keeps its last run."""

    last: Run

    def _run(self) -> Run:
        self.last = super()._run()
        return self.last


def machine(folder: Path, rules: str, course: str, width: int = 30, height: int = 30) -> Machine:
    path = folder / "steps.scn"
    lines = "".join(f"    {line}\n" for line in course.split("\n"))
    path.write_text(GAME.format(width=width, height=height, rules=rules, round=lines), encoding="utf-8")
    compiled = compile_game(str(path))
    assert compiled.program is not None, [each.message for each in compiled.diagnostics]
    return Machine(compiled.program)


def steps(folder: Path, rules: str, course: str, width: int = 30, height: int = 30) -> int:
    game = Watched.start(machine(folder, rules, course, width, height))
    assert isinstance(game, Watched)
    return game.last.steps


def test_a_round_of_a_loop_is_a_step(tmp_path: Path) -> None:
    few, many = (steps(tmp_path, "", f"repeat {n} times:\n    n = 3") for n in (10, 110))
    assert many - few == 100


def test_heavy_code_takes_more(tmp_path: Path) -> None:
    body = "\n".join(["    n = n + 1 if n < 5 else 0"] * 100)
    few, many = (steps(tmp_path, "", f"repeat {n} times:\n{body}") for n in (10, 110))
    assert 500 <= many - few <= 2000


def test_the_elements_of_a_large_fold_are_counted(tmp_path: Path) -> None:
    rules = "value marked = count c in Cell where c.mark > 0 and c.mark < 9"
    without = steps(tmp_path, rules, "n = 3")
    once = steps(tmp_path, rules, "n = marked")
    weight = (
        1 + 1 + 2 * (1 + 2 + 1)
    )  # the element; `and` of two comparisons, each of a field of it and a number
    assert once - without == pytest.approx(900 * weight // 100, abs=1)


def test_the_bindings_that_an_offer_tries_are_counted(tmp_path: Path) -> None:
    rules = "action go(c: Cell, d: Cell): nothing"
    course = "a may:\n    go(c, d) for c in Cell where c.mark is 0, d in Cell where d.mark > 0"
    found = steps(tmp_path, rules, course, 20, 20)
    assert 400 * 400 <= found <= 400 * 400 * 102 // 100


@pytest.mark.parametrize(
    ("rules", "course"),
    [
        ("action bump: n = 3", "repeat 1000000 times:\n    repeat 1000000 times: bump"),
        ("", "repeat 1000000 times:\n    for c in Cell: c.mark = 0"),
        only_when_long("", "repeat 1000000 times:\n    random c in Cell where c.mark is 0\n    c.mark = 0"),
        only_when_long("", "repeat 1000000 times:\n    roll each 100 d6 as dice\n    n = dice[1]"),
        ("", 'repeat 1000000 times:\n    repeat 1000000 times:\n        say "again {n}"'),
        (
            "action go(c: Cell, d: Cell, e: Cell): nothing",
            "a may:\n    go(c, d, e) for c in Cell where c.mark is 0, d in Cell where d.mark is 0, "
            "e in Cell where e.mark is 0",
        ),
    ],
)
def test_no_program_runs_for_long(rules: str, course: str, tmp_path: Path) -> None:
    with pytest.raises(RuleFailure) as failure:
        Game.start(machine(tmp_path, rules, course, 10, 10), telling=True)
    assert failure.value.code == ("E0612" if "may:" in course else "E0608")
    assert failure.value.place is not None


@pytest.mark.parametrize("program", programs(), ids=lambda each: each.name)
def test_telling_and_covering_take_no_steps(program: Source) -> None:
    made = Machine(shipped(ROOT / program.name))
    games = [
        Watched.start(made, seed=5, telling=telling, covering=covering)
        for telling, covering in ((False, False), (True, False), (True, True))
    ]
    chooser = Random(5)
    for _ in range(60):
        assert len({game.last.steps for game in games if isinstance(game, Watched)}) == 1
        if games[0].decision is None:
            break
        number = chooser.randrange(games[0].count)
        try:
            for game in games:
                game.choose(number)
        except RuleFailure:
            break
