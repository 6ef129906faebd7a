"""Numbers that leave their range: refused at the cell that does it, and named in play where only play can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_test

CARDS = """game cards:
    players ann
    rounds 3
table Card:
    | id     | rank |
    | guard  |    1 |
    | priest |    2 |
piece Copy of Card, up to 2 each:
    owner: Player
    at: Cell?
state of Player:
    best: 0..8 = 1
    luck: 0..9 = 7
value held -> 0..8 = (highest c in Copy by c.rank) or 0
value strength(c: Copy, p: Player) -> 0..8 = c.rank + p.luck - 1
setup ann: place priest at a1
map m on squares(3, 3)
action see by p: p.best = held
action fight by p:
    for c in Copy: p.best = strength(c, p) + 1
action win by p: p.best gains 8
round:
    ann chooses:
        see
        fight
        win
"""


def faults(tmp_path: Path, *mods: str) -> list[Diagnostic]:
    (tmp_path / "cards.scn").write_text(CARDS, encoding="utf-8")
    found = []
    for number, text in enumerate(mods):
        path = tmp_path / f"mod_{number}.scn"
        path.write_text(f'mod mod_{number} for cards:\n    note "a mod"\n{text}\n', encoding="utf-8")
        found.append(str(path))
    told = compile_game(str(tmp_path / "cards.scn"), found).diagnostics
    return [each for each in told if each.code.id != "W0416"]  # of values that nothing asks for


@pytest.mark.parametrize(
    "change",
    ["change priest: rank = 9", "extend Card:\n    | id | rank |\n    | princess | 9 |"],
)
def test_a_mod_that_prints_too_much_is_told_at_its_cell(change: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, change)
    assert fault.span is not None and fault.span.text == "9" and Path(fault.span.source.name).stem == "mod_0"
    assert fault.code.id == "E0302" and "`held`" in fault.message
    assert [label.span.text for label in fault.labels] == ["held"]


def test_a_value_of_a_mod_that_reads_too_much_is_told_at_the_value(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "value low(c: Card) -> 0..1 = c.rank")
    assert fault.span is not None and fault.span.text == "low"
    assert [label.span.text for label in fault.labels] == ["2"]


def test_cells_that_fit_and_cells_that_a_condition_keeps_out_are_accepted(tmp_path: Path) -> None:
    good = "change priest: rank = 8\nvalue low(c: Card) -> 0..1 = c.rank if c.rank < 2 else 0"
    assert faults(tmp_path, good) == []


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("win", "9 is outside the range of `best`, 0 to 8 (1 `best` + 8)"),
        ("fight", "9 is outside the range of `best`, 0 to 8 (8 `strength` + 1)"),
    ],
)
def test_a_failure_names_the_field(action: str, told: str, tmp_path: Path) -> None:
    assert _failure(tmp_path, CARDS, action).message == told


def test_a_failure_names_the_value_and_its_terms_with_the_row(tmp_path: Path) -> None:
    failure = _failure(tmp_path, CARDS.replace("luck: 0..9 = 7", "luck: 0..9 = 9"), "fight")
    said = (
        "10 is outside the range of `strength`, 0 to 8 (2 `Card.rank` of priest, cards.scn:7 + 9 `luck` - 1)"
    )
    assert failure.message.replace("cards/cards.scn", "cards.scn") == said
    line = CARDS[: CARDS.index("p.best = strength")].count("\n") + 1
    assert failure.place is not None and failure.place.line == line


ROLLED = """game rolled:
    players ann, bob
    rounds 2
state:
    hits: set of 1..4
    few: list of 1..4 up to 2
    best: 0..3
state of Player:
    hp: 0..9 = 3
action hurt(p: Player, n: 0..3): p.hp loses up to n
action harm(p: Player, n: 0..9): p.hp loses n
action train(q: Player, n: 0..9):
    let m = n + 2
    q.hp = m
action hand by q:
    let t = roll 1d6
    hurt(q, t)
action keep by q:
    let t = roll 1d6
    hits gains {t}
action note_it by q:
    let t = roll 1d6
    few gains t
action add_up by q:
    let t = roll 1d6
    let u = t + 1
    best = u
action learn by q: train(q, 9)
action rage by q:
    together:
        harm(q, 2)
        harm(q, 3)
round: nothing
"""
OUTSIDE = {
    "hand": "5 is outside the range of `n` of `hurt`, 0 to 3 (5 rolled)",
    "keep": "5 is outside the range of what `hits` holds, 1 to 4",
    "note_it": "5 is outside the range of what `few` holds, 1 to 4 (5 rolled)",
    "add_up": "6 is outside the range of `best`, 0 to 3 (5 rolled + 1)",
    "learn": "11 is outside the range of `hp`, 0 to 9 (9 `n` + 2)",
    "rage": "-2 is outside the range of `hp`, 0 to 9 (3 `hp` - 5 in all at one instant)",
}


def test_dice_parameters_and_sums_of_one_instant_are_named(tmp_path: Path) -> None:
    tests = "".join(f'test "{name}":\n    rolls 5\n    run {name} by ann\n' for name in OUTSIDE)
    (tmp_path / "rolled.scn").write_text(ROLLED + tests, encoding="utf-8")
    program = compile_game(str(tmp_path / "rolled.scn"), tests=True).program
    assert program is not None
    machine = Machine(program)
    told = {each.title: run_test(machine, each).message for each in program.tests}
    assert {name: OUTSIDE[name] in message for name, message in told.items()} == dict.fromkeys(
        OUTSIDE, True
    ), told


def _failure(folder: Path, text: str, action: str, *mods: str) -> RuleFailure:
    path = folder / "cards.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(str(path), list(mods)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    with pytest.raises(RuleFailure) as caught:
        game.choose(["see", "fight", "win"].index(action))
    return caught.value


MADE = """game cards:
    players ann
    rounds 3
table Card:
    | id     | rank |
    | guard  |    1 |
    | priest |    1 |
piece Copy of Card, up to 2 each:
    at: Cell?
state of Player:
    best: 0..8
    fast: bool = false
setup ann: place priest at a1
map m on squares(3, 3)
value far(c: Copy, p: Player) -> bool:
    let n = p.best if p.fast else c.rank
    return strong(n)
value strong(n: 0..8) -> bool = n > 3
action see by p:
    for c in Copy where far(c, p): p.best = 1
action fight by p:
    for c in Copy: p.best loses c.rank
action win by p:
    for c in Copy: p.best = 3 + c.rank - p.best
round:
    ann chooses:
        see
        fight
        win
"""


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("see", "40 is outside the range of what `far` (cards.scn:15) asks for, 0 to 8 (40 {row})"),
        ("fight", "-40 is outside the range of `best`, 0 to 8 (0 `best` - 40 {row})"),
        ("win", "43 is outside the range of `best`, 0 to 8 (3 + 40 {row} + 0 `best`)"),
    ],
)
def test_a_failure_names_the_line_of_a_mod_that_its_number_was_made_of(
    action: str, told: str, tmp_path: Path
) -> None:
    mod = tmp_path / "big.scn"
    mod.write_text('mod big for cards:\n    note "a mod"\nchange priest: rank = 40\n', encoding="utf-8")
    message = _failure(tmp_path, MADE, action, str(mod)).message
    for folder in ("cards/cards.scn", f"{tmp_path.name}/cards.scn"):
        message = message.replace(folder, "cards.scn")
    assert message.replace("big/big.scn", "big.scn") == told.format(row="`Card.rank` of priest, big.scn:3")


TOGETHER = """game tog:
    players ann
    rounds 1
state:
    worst: 0..3
action raise(n: 0..9): worst = n
action wound(n: 0..9): nothing
after wound: worst = n + 1
action all_at_once(n: 0..9):
    together:
        raise(n)
action one_after(n: 0..9):
    together:
        wound(n)
round: nothing
test "the parameter":
    run all_at_once(7)
    expect worst is 0
test "a sum":
    run one_after(3)
    expect worst is 0
"""


def test_a_store_in_what_happens_together_is_told_with_its_terms(tmp_path: Path) -> None:
    path = tmp_path / "tog.scn"
    path.write_text(TOGETHER, encoding="utf-8")
    program = compile_game(str(path), tests=True).program
    assert program is not None
    machine = Machine(program)
    told = [str(run_test(machine, each).message) for each in program.tests]
    assert [each.partition(" (")[2].partition(")")[0] for each in told] == ["7 `n`", "3 `n` + 1"]
