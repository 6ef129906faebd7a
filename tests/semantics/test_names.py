"""Names and citations across layers: told in the later one, and what was there before means what it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic

INDEX = '{"rules": [{"id": "CA-001", "title": "Cards are played"}], "house": [], "ambiguities": []}'
CARDS = """game cards:
    players ann, ben
    rulebook CA "Cards"
    index rulebook
    rounds 3
type Mood = calm | wild
table Card:
    | id     | rank |
    | guard  |    1 |                                       [CA-001]
    | priest |    2 |
piece Copy of Card, up to 2 each:
    owner: Player
    at: Cell?
state:
    mood: Mood
    pot: 0..9
value quiet -> bool = mood is calm and calm is mood
value rank_of(c: Card) -> 0..9 = c.rank
map m on squares(3, 3)
round: nothing
"""


def faults(folder: Path, *mods: str) -> list[Diagnostic]:
    (folder / "cards.scn").write_text(CARDS, encoding="utf-8")
    (folder / "rulebook.json").write_text(INDEX, encoding="utf-8")
    found = []
    for number, text in enumerate(mods):
        path = folder / f"mod_{number}.scn"
        path.write_text(f'mod mod_{number} for cards:\n    note "a mod"\n{text}\n', encoding="utf-8")
        found.append(str(path))
    return [
        each
        for each in compile_game(str(folder / "cards.scn"), found, tests=True).diagnostics
        if each.is_error
    ]


SECOND = {
    "a row like a field": ("extend Card:\n    | id | rank |\n    | pot | 3 |", "pot"),
    "a row like a piece": ("extend Card:\n    | id | rank |\n    | guard_2 | 3 |", "guard_2"),
    "a row like a value": ("extend Card:\n    | id | rank |\n    | quiet | 3 |", "quiet"),
    "a value like a player": ("value ann -> 0..9 = 3", "ann"),
    "a parameter like a row": ("value f(guard: Copy) -> 0..9 = guard.rank", "guard"),
    "a map of the same name": ("map m on squares(4, 4)", "m"),
    "a column like a field of its pieces": ("extend Card with column owner: 0..9 = 0", "owner"),
}


@pytest.mark.parametrize(("text", "name"), SECOND.values(), ids=SECOND)
def test_a_collision_is_told_in_the_mod_with_the_place_of_the_first(
    text: str, name: str, tmp_path: Path
) -> None:
    (fault,) = faults(tmp_path, text)
    assert fault.code.id == "E0202" and fault.span is not None and fault.span.text == name
    assert Path(fault.span.source.name).stem == "mod_0"
    assert [Path(label.span.source.name).stem for label in fault.labels] == ["cards"]


def test_two_mods_collide_in_the_second(tmp_path: Path) -> None:
    row = "extend Card:\n    | id | rank |\n    | gold | 3 |"
    (fault,) = faults(tmp_path, row, "state:\n    gold: 0..9")
    assert fault.code.id == "E0202" and fault.span is not None
    assert Path(fault.span.source.name).stem == "mod_1"


@pytest.mark.parametrize(
    "text",
    [
        "type Temper = calm | fierce",
        "extend Card:\n    | id | rank |\n    | c | 3 |",
        "extend Card:\n    | id | rank |\n    | wild | 3 |",
    ],
)
def test_what_the_game_says_means_what_it_did(text: str, tmp_path: Path) -> None:
    assert faults(tmp_path, text) == []


@pytest.mark.parametrize(
    "text", ['forbid place when false "no" [CA-002]', 'test "x": [CA-X1: CA-003]\n    expect pot is 0']
)
def test_an_id_that_the_index_lacks_is_told_in_a_mod(text: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, text)
    assert fault.code.id == "E0203" and fault.span is not None
    assert Path(fault.span.source.name).stem == "mod_0"
