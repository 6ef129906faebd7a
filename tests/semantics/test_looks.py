"""Signs, colours and pictures of rows: what is kept of a picture and what is refused, what is drawn of it, and that no
game plays otherwise for it.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from dsl.authoring.sections import Section
from dsl.browser.facts import facts
from dsl.cli.packing import opened, pack
from dsl.compiler import Compiled, compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.identity import identity
from dsl.looks import look_of
from dsl.pictures import MOST_BYTES, Unsafe, safe_picture
from dsl.scene.model import Scene
from dsl.scene.picture import picture_of
from dsl.scene.reading import scene_of
from dsl.scene.shapes import Drawn, flat
from dsl.scene.svg import svg_text
from dsl.sheets.cards import cards_of
from dsl.sheets.counters import counters_of
from dsl.wasm.telling import telling

FORT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="currentColor" d="M1 7V2h6v5z"/></svg>'
TREE = '<svg xmlns="http://www.w3.org/2000/svg" width="8px" height="8"><circle cx="4" cy="4" r="3" fill="red"/></svg>'
KEPT = '<svg viewBox="0 0 8 8"><path d="M1 7V2h6v5z" fill="currentColor" /></svg>'
RULES = """game hill:
    players red, blue
    rounds 2
table Ground:
    | id   | look |
    | bare |      |
    | wood | #c0e0a0 tree.svg |
table Troop:
    | id    | look |
    | fort  | ♜ pictures/fort.svg |
    | scout | ♞ |
    | guard | ♞ #0000FF |
    | thing | |
map m on squares:
    legend:
        "." = bare
        "w" = wood
    \"\"\"
    . w . .
    \"\"\"
state of Cell:
    ground: Ground
piece Unit of Troop, up to 1 each:
    at: Cell
setup:
    place fort at a1
    place scout at b1
    place guard at c1
    place thing at d1
table Trick:
    | id   | look     | says: text |
    | cut  | tree.svg | Cut it.    |
piece Card of Trick, up to 1 each
pile deck of Card
action wait by p: nothing
round:
    for p in order of play:
        p chooses: wait
"""


def hill(folder: Path, rules: str = RULES) -> Path:
    (folder / "pictures").mkdir(parents=True)
    (folder / "hill.scn").write_text(rules, encoding="utf-8")
    (folder / "pictures" / "fort.svg").write_text(FORT, encoding="utf-8")
    (folder / "tree.svg").write_text(TREE, encoding="utf-8")
    return folder


def played(compiled: Compiled) -> Machine:
    assert compiled.program is not None, [each.message for each in compiled.diagnostics]
    return Machine(compiled.program)


def seen(machine: Machine) -> Scene:
    return scene_of(machine, list(Game.start(machine, seed=1).state), None)


def test_signs_colours_and_pictures_are_drawn(tmp_path: Path) -> None:
    machine = played(compile_game(str(hill(tmp_path / "hill"))))
    scene = seen(machine)
    board = scene.boards[0]
    pieces = {each.label: each for each in board.pieces}
    assert scene.pictures[pieces["fort"].picture] == KEPT and pieces["fort"].sign == "♜"
    assert pieces["scout"].sign == "♞" and pieces["scout"].picture == -1
    signs = [each.sign for each in board.pieces]
    assert len(set(signs)) == len(signs) == 4, "a sign that two rows have is drawn for one alone"
    assert pieces["guard"].fill == "#0000ff" and pieces["thing"].fill == ""
    assert board.cells[1].fill == "#c0e0a0" and 'r="3"' in scene.pictures[board.cells[1].picture]
    assert board.cells[0].picture == -1
    drawn = svg_text(picture_of(scene))
    tree = fromstring(drawn)
    name = "{http://www.w3.org/2000/svg}"
    assert len(tree.findall(f".//{name}symbol")) == 2, "each picture stands in the file once"
    used = [each.get("{http://www.w3.org/1999/xlink}href") for each in tree.iter(f"{name}use")]
    twice = ["#picture-0", "#picture-0", "#picture-1", "#picture-1"]
    assert sorted(filter(None, used)) == twice, "on the board and in the legend, a ground below a piece too"


def test_printed_cards_and_counters_have_them(tmp_path: Path) -> None:
    machine = played(compile_game(str(hill(tmp_path / "hill"))))
    scene = seen(machine)
    paper = (600.0, 800.0)
    pages = counters_of(machine, scene, list(Game.start(machine, seed=1).state), paper, "")
    assert [each.picture for each in flat(pages[0].shapes) if isinstance(each, Drawn)] == [KEPT]
    cards = cards_of(machine.program, list[Section](), paper, "")
    assert [isinstance(each, Drawn) for each in flat(cards[0].shapes)].count(True) == 1


def test_the_page_gets_trees_of_elements_and_no_text_to_be_read(tmp_path: Path) -> None:
    machine = played(compile_game(str(hill(tmp_path / "hill"))))
    looks = facts(machine, telling(machine), "hill")["looks"]
    numbers = {each.name: str(number) for number, each in enumerate(machine.program.domains)}
    assert [each[0] for each in looks["rows"][numbers["Ground"]]] == [
        -1,
        looks["rows"][numbers["Trick"]][0][0],
    ]
    fort = looks["pictures"][looks["rows"][numbers["Troop"]][0][0]]
    assert fort == [
        "svg",
        {"viewBox": "0 0 8 8"},
        [["path", {"d": "M1 7V2h6v5z", "fill": "currentColor"}, []]],
    ]


def test_a_look_changes_no_game(tmp_path: Path) -> None:
    one = played(compile_game(str(hill(tmp_path / "a" / "hill"))))
    plain = RULES.replace("♜ pictures/fort.svg", "").replace("#c0e0a0 tree.svg", "").replace("♞", "")
    two = played(compile_game(str(hill(tmp_path / "b" / "hill", plain))))
    assert one.program.domains != two.program.domains
    assert identity(one.program) == identity(two.program)


def test_a_mod_changes_a_look_with_a_picture_beside_it(tmp_path: Path) -> None:
    folder, mod = hill(tmp_path / "hill"), tmp_path / "other"
    mod.mkdir()
    text = 'mod other for hill:\n    title en "Other"\n\nchange scout: look = "own.svg #ffffff"\n'
    (mod / "other.scn").write_text(text, encoding="utf-8")
    (mod / "own.svg").write_text(TREE, encoding="utf-8")
    scene = seen(played(compile_game(str(folder), [str(mod / "other.scn")])))
    scout = next(each for each in scene.boards[0].pieces if each.label == "scout")
    assert 'r="3"' in scene.pictures[scout.picture] and scout.fill == "#ffffff" and scout.sign != "♞"


@pytest.mark.parametrize(
    ("look", "code"),
    [
        ("../fort.svg", "E0007"),
        ("/etc/fort.svg", "E0007"),
        ("missing.svg", "E0012"),
        ("pictures/bad.svg", "E0307"),
        ("tree.svg tree.svg", "E0307"),
        ("♜ ♞", "E0307"),
        ("red #ff0000", "E0307"),
        ("too_long", "E0307"),
        ("#12345", "E0307"),
    ],
)
def test_what_a_look_cannot_be_is_told_at_its_cell(tmp_path: Path, look: str, code: str) -> None:
    folder = hill(tmp_path / "hill", RULES.replace("♜ pictures/fort.svg", look))
    (folder / "pictures" / "bad.svg").write_text(FORT.replace("path", "script"), encoding="utf-8")
    compiled = compile_game(str(folder))
    found = [(each.code.id, str(each.span)) for each in compiled.diagnostics]
    assert compiled.program is None and [each for each, _ in found] == [code]
    assert found[0][1].endswith("hill.scn:10:15")


def test_a_packed_game_brings_its_pictures(tmp_path: Path) -> None:
    packed = pack(hill(tmp_path / "hill"), "hill")
    assert {"tree.svg", "pictures/fort.svg"} <= set(opened(packed)[1])


SHELL = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">{}</svg>'
HARM = [
    "<script>alert(1)</script>",
    '<rect width="1" height="1" onload="x()"/>',
    '<rect width="1" height="1" onClick="x()"/>',
    '<a href="javascript:x()"><rect width="1" height="1"/></a>',
    '<image href="https://example.org/a.png"/>',
    '<use xlink:href="#a"/>',
    '<rect xlink:href="#a" width="1" height="1"/>',
    '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
    "<style>@import 'x';</style>",
    '<rect width="1" height="1" fill="url(#a)"/>',
    '<rect width="1" height="1" style="fill: URL(https://example.org)"/>',
    '<rect width="1" height="1" filter="url(#a)"/>',
    '<rect width="1e999" height="1"/>',
    '<rect width="1;alert(1)" height="1"/>',
    '<path d="M0 0 &quot; onload=x"/>',
    '<rect width="1" height="1"><animate attributeName="x"/></rect>',
    '<rect width="1" height="1"/><text>hello</text>',
    "<g>" * 20 + "</g>" * 20,
    '<rect width="1" height="1"/>' * 501,
    "",
    "<rect",
]


@pytest.mark.parametrize("inside", HARM)
def test_nothing_but_shapes_is_let_in(inside: str) -> None:
    with pytest.raises(Unsafe):
        safe_picture(SHELL.format(inside))


def test_no_entity_is_read() -> None:
    for declared in (
        '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE svg SYSTEM "file:///etc/passwd">',
    ):
        with pytest.raises(Unsafe, match="DOCTYPE"):
            safe_picture(declared + FORT)
    with pytest.raises(Unsafe):
        safe_picture(FORT.replace("<path", f"<!--{'x' * MOST_BYTES}--><path"))


def test_what_an_editor_adds_is_left_out() -> None:
    edited = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://inkscape.org/n" '
        'viewBox="0,0 8,8" version="1.1" id="a"><metadata><b>x</b></metadata><inkscape:view zoom="2"/>'
        "<title>Fort</title>"
        '<g inkscape:label="Layer 1" id="g"><path style="fill:#A1B2C3;stroke:none;-inkscape-x:y" '
        'd="M1 7V2h6v5z" class="c"/>'
        "</g></svg>"
    )
    kept = '<svg viewBox="0 0 8 8"><g><path d="M1 7V2h6v5z" fill="#a1b2c3" stroke="none" /></g></svg>'
    assert safe_picture(edited) == kept == safe_picture(kept)


def test_a_compiled_program_brings_no_picture_that_could_not_be_written() -> None:
    assert look_of(f"♜ {KEPT}").picture == KEPT
    assert look_of(f"♜ {KEPT.replace('path', 'script')}").picture == ""
    assert look_of("\x1b[2J").sign == look_of("\u202ea").sign == ""
