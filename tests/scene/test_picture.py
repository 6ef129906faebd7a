"""Pictures have each piece that is seen once, nothing that is hidden, and text that stays text; a few stand as a person
has read them (`python tests/scene/test_picture.py` writes them anew).
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.resources import game_folder
from dsl.scene.eyes import everybody
from dsl.scene.lettering import width_of, wrapped
from dsl.scene.model import Scene
from dsl.scene.picture import picture_of, strip_of
from dsl.scene.reading import scene_of
from dsl.scene.shapes import Group, Words, flat
from dsl.scene.svg import svg_text

ROOT = Path(__file__).parents[2]
GOLDENS = Path(__file__).parent / "goldens"
VEILED = ROOT / "tests" / "figures" / "hidden" / "veiled.scn"
BOARDS = {
    "tic_tac_toe": (ROOT / "examples" / "classics" / "tic_tac_toe", 4),
    "veiled": (VEILED, 3),
    "gue": (ROOT / "examples" / "le_gue_d_argent", 2),
}
HOSTILE = """game hostile:
    title "<script>alert(1)</script>"
    players ann "<b>&", bob "]]>"
    rounds 2
table Kind:
    | id  | name en              |
    | one | </text><script>x()   |
piece Man of Kind, up to 2 each:
    owner: Player
    at: Cell?
map m on squares(3, 2)
setup: place one of ann at a1
action go(c: Cell) by p "<img src=x onerror=y>": nothing
round:
    for p in order of play:
        p chooses "' onload='z": go(c) for c in Cell
"""
NAME = "{http://www.w3.org/2000/svg}"


def _scene(path: Path, choices: int = 0, viewer: int | None = None) -> Scene:
    program = compile_game(path).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    for _ in range(choices):
        assert game.decision is not None
        game.choose(game.decision.options[len(game.decision.options) // 2])
    viewers = everybody(game.machine) if viewer is None else (viewer,)
    return scene_of(game.machine, game.state, viewers, "", game.decision)


def _drawn(scene: Scene) -> Element:
    return fromstring(svg_text(picture_of(scene)))


@pytest.mark.parametrize("name", BOARDS)
def test_a_picture_is_as_it_was_read(name: str) -> None:
    assert svg_text(picture_of(_scene(*BOARDS[name]))) == (GOLDENS / f"{name}.svg").read_text("utf-8")


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_each_piece_is_drawn_once_and_nothing_hidden_is_in_the_file(viewer: int | None) -> None:
    scene = _scene(VEILED, viewer=viewer)
    drawn = _drawn(scene)
    titles = [
        each.findtext(f"{NAME}title") or "" for each in drawn.iter(f"{NAME}g") if each.get("class") == "piece"
    ]
    assert len(titles) == len(scene.boards[0].pieces) == 12
    for title in titles:
        owner = "ann" if ", ann" in title else "bob"
        assert title.startswith("Man,") is (viewer is None or scene.owners[viewer].name != owner)
    if viewer is None:
        text = svg_text(picture_of(scene))
        assert not re.search("scout|guard|spy", text, re.IGNORECASE)


def test_a_hostile_label_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "hostile.scn"
    path.write_text(HOSTILE)
    drawn = _drawn(_scene(path))
    tags = {each.tag.removeprefix(NAME) for each in drawn.iter()}
    assert tags <= {"svg", "title", "g", "polygon", "circle", "polyline", "text"}
    assert not [key for each in drawn.iter() for key in each.attrib if key.startswith("on") or "href" in key]
    assert drawn.findtext(f"{NAME}title") == "<script>alert(1)</script>"
    assert "<b>&" in "".join(drawn.itertext())


def test_nothing_lies_outside_and_no_words_overlap_in_a_region() -> None:
    picture = picture_of(_scene(*BOARDS["gue"]))
    for each in flat(picture.shapes):
        if isinstance(each, Words):
            wide = width_of(each.text, each.size, bold=each.bold)
            left = each.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[each.anchor]
            assert left >= 0 and left + wide <= picture.width and each.at[1] <= picture.height
    for cell in picture.shapes:
        if isinstance(cell, Group) and cell.kind == "cell":
            boxes = [_box(each) for each in cell.shapes if isinstance(each, Words)]
            for n, (left, top, right, bottom) in enumerate(boxes):
                for a, b, c, d in boxes[:n]:
                    assert right <= a or c <= left or bottom <= b or d <= top


def test_signs_that_mean_the_same_say_whose_they_are(tmp_path: Path) -> None:
    path = tmp_path / "yards.scn"
    path.write_text(
        HOSTILE.replace(
            "| one | </text><script>x()   |", "| one | Yard |\n    | two | Yard |\n    | hut | Hut |"
        ).replace(
            "setup: place one of ann at a1",
            "setup:\n    place one of ann at a1\n    place two of bob at b1\n    place hut of bob at c1",
        )
    )
    texts = [each.text for each in flat(picture_of(_scene(path)).shapes) if isinstance(each, Words)]
    assert {"Yard (<b>&)", "Yard (]]>)", "Hut"} <= set(texts)


def test_what_stands_in_a_region_is_made_smaller_before_it_is_cut() -> None:
    folder = game_folder("cristal_et_acier")
    assert folder is not None
    picture = picture_of(_scene(folder / "cristal_et_acier.scn"))
    texts = [each.text for each in flat(picture.shapes) if isinstance(each, Words)]
    assert any("Cavalerie" in each for each in texts)
    assert not [each for each in texts if each.endswith("…")]


def _box(words: Words) -> tuple[float, float, float, float]:
    wide = width_of(words.text, words.size, bold=words.bold)
    left = words.at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[words.anchor]
    return left, words.at[1] - words.size * 0.7, left + wide, words.at[1]


def test_a_strip_has_each_moment_and_one_legend() -> None:
    path = BOARDS["tic_tac_toe"][0]
    strip = strip_of([(f"moment {n}", _scene(path, n)) for n in range(3)])
    texts = [each.text for each in flat(strip.shapes) if isinstance(each, Words)]
    assert [each for each in texts if each.startswith("moment")] == ["moment 0", "moment 1", "moment 2"]
    assert texts[0] == strip.title, "what is played stands above"
    groups = [each for each in strip.shapes if isinstance(each, Group)]
    assert [each.kind for each in groups].count("cell") == 27
    assert len([each for each in groups if each.kind == "legend"]) == 2


def test_words_are_broken_where_they_must_be() -> None:
    assert wrapped("one two three", 38, 10) == ["one", "two", "three"]
    assert all(width_of(each, 10) <= 30 for each in wrapped("incomprehensible", 30, 10))
    assert wrapped("one two three four", 45, 10, most=2)[-1].endswith("…")


if __name__ == "__main__":
    for each, shown in BOARDS.items():
        (GOLDENS / f"{each}.svg").write_text(svg_text(picture_of(_scene(*shown))), encoding="utf-8")
