"""A scene has all that its viewers may see, once, and nothing that is hidden from one of them."""

from __future__ import annotations

import json
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from rich.console import Console

from dsl.browser.facts import facts
from dsl.cli.looking import show_board
from dsl.cli.state import Overview
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.ir.identity import identity
from dsl.scene.colours import FILLS, ink_on
from dsl.scene.eyes import Eyes, everybody
from dsl.scene.fields import Fields
from dsl.scene.model import NOBODY, Board, Piece, Scene, data
from dsl.scene.reading import scene_of
from dsl.scene.standing import Standing
from dsl.wasm.telling import telling

ROOT = Path(__file__).parents[2]
VEILED = ROOT / "tests" / "figures" / "hidden" / "veiled.scn"
GAME = """game seen:
    title en "Seen" fr "Vu"
    players red, white
    rounds 3
table Ground:
    | id     | name en | name fr |
    | plain  | Plain   | Plaine  |
    | forest | Forest  | Forêt   |
state of Cell:
    ground: Ground
    trap: Player?, called "Trap"
    scratch: Player?
map m on squares:
    legend:
        "." = plain
        "f" = forest
    \"\"\"
    . f .
    . . .
    \"\"\"
piece Ship, up to 3:
    owner: Player
    at: Cell?
    facing: Direction
    damage: 0..9, called "Damage"
    secret: 0..9
state of Player:
    gold: 0..9, called en "Gold" fr "Or"
    plan: 0..9, called "Plan", seen by self
table Spell:
    | id    | name en |
    | flame | Flame   |
    | frost | Frost   |
piece Scroll of Spell, up to 2 each
pile deck of Scroll, seen by none
pile hand of Scroll for each Player, seen by owner
setup:
    red.gold = 3
    red.plan = 7
    a1.trap = white
    b1.scratch = white
    place Ship of red at b2 with damage = 2, facing = east, secret = 1
    place Ship of white at b2 with facing = south
    draw 1 from deck to hand(red)
action go(c: Cell) by p "Go {c}": p.gold gains up to 1
round:
    for p in order of play:
        p chooses en "Where?" fr "Où ?": go(c) for c in Cell where c.ground is forest or c is a1
"""


def _game(path: Path) -> Game:
    program = compile_game(path).program
    assert program is not None
    return Game.start(Machine(program), seed=1)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("seen") / "seen.scn"
    path.write_text(GAME)
    return _game(path)


def _scene(game: Game, viewer: int | None = None, language: str = "") -> Scene:
    viewers = everybody(game.machine) if viewer is None else (viewer,)
    return scene_of(game.machine, game.state, viewers, language, game.decision)


def _on(board: Board, name: str) -> list[Piece]:
    return [each for each in board.pieces if any(board.cells[cell].name == name for cell in each.cells)]


def test_pieces_say_whose_they_are_and_where_they_face(seen: Game) -> None:
    scene = _scene(seen)
    one, other = _on(scene.boards[0], "b2")
    assert (scene.owners[one.owner].name, scene.owners[other.owner].name) == ("red", "white")
    assert (one.angle, other.angle) == (90, 180)
    assert (one.stack, other.stack, one.stacked) == (0, 1, 2)
    assert one.values == (("Damage", "2"),) and other.values == ()


def test_fields_without_words_are_not_drawn_where_others_have_some(seen: Game) -> None:
    board = _scene(seen).boards[0]
    assert [each.label for each in _on(board, "a1")] == ["Trap"]
    assert not _on(board, "b1")


def test_grounds_have_words_and_colours(seen: Game) -> None:
    cells = {each.name: each for each in _scene(seen, language="fr").boards[0].cells}
    assert (cells["b2"].ground, cells["a2"].ground) == ("Forêt", "Plaine")
    assert cells["b2"].fill != cells["a2"].fill == cells["c1"].fill


def test_a_viewer_sees_what_is_his_and_everybody_sees_what_is_public(seen: Game) -> None:
    red, white, public = _scene(seen, 0), _scene(seen, 1), _scene(seen)
    assert ("Plan", "7") in red.panels[0].values
    for scene in (white, public):
        assert ("Gold", "3") in scene.panels[0].values and "7" not in dict(scene.panels[0].values).values()
    hands = [scene.panels[0].zones[0] for scene in (red, white, public)]
    assert [each.count for each in hands] == [1, 1, 1]
    assert [len(each.cards) for each in hands] == [1, 0, 0]
    assert (red.viewer, white.viewer, public.viewer) == (0, 1, NOBODY)


def test_a_panel_has_what_it_is_about_once_and_no_counts_of_nothing(tmp_path: Path) -> None:
    """A pile in its owner's panel does not name him, and what the game counts now and then is told when it counts."""
    text = GAME.replace(
        "pile hand of Scroll for each Player,", 'pile hand of Scroll for each Player, called en "Hand",'
    )
    counts = (
        'state:\n    spare: 0..9, called en "Spare"\n    left: 0..9 = 4, called en "Left"\nstate of Player:'
    )
    path = tmp_path / "seen.scn"
    path.write_text(text.replace("state of Player:", counts, 1))
    scene = _scene(_game(path))
    assert [each.label for each in scene.panels[0].zones] == ["Hand"]
    assert scene.panels[-1].values == (("Left", "4"),)


def test_what_a_field_says_lies_there_has_one_sign_everywhere(seen: Game) -> None:
    """In the picture, on a page and in the terminal, where that of an owner stands behind it."""
    scene = _scene(seen)
    (sign,) = (each.sign for each in scene.boards[0].pieces if each.label == "Trap")
    looks = facts(seen.machine, telling(seen.machine), "seen")["looks"]["boards"][0]
    assert [each for each in looks["owner_signs"] if each] == [sign] and sign not in {"", "sh"}
    (board,) = seen.machine.program.boards
    standing = Standing(seen.machine, list(seen.state), None, "en", board)
    for cell, index, member in standing.held(set()):
        if standing.cells.members[cell] == "a1":
            assert standing.said_of_cell(index, member).text.startswith(sign)


def test_whose_a_pile_is_is_known_without_its_name(seen: Game) -> None:
    scene, (pool,) = _scene(seen), (each for each in seen.machine.program.pools if each.piles)
    assert pool.piles == ("deck", "hand(red)", "hand(white)")
    assert pool.owners == ((-1, -1), (0, 0), (0, 1))
    assert [[each.label for each in panel.zones] for panel in scene.panels] == [["hand"], ["hand"], ["deck"]]


def test_options_are_told_to_who_chooses_and_to_nobody_else(seen: Game) -> None:
    board = _scene(seen, 0).boards[0]
    assert [board.cells[each].name for each in board.highlights] == ["a1", "b2"]
    assert not _scene(seen, 1).boards[0].highlights and not _scene(seen).boards[0].highlights


def test_a_scene_is_json_in_a_language(seen: Game) -> None:
    scene = _scene(seen, 0, "fr")
    again = json.loads(json.dumps(data(scene)))
    assert again["title"] == "Vu" and again["prompt"] == "Où ?" and again["version"] == 1
    assert again["boards"][0]["cells"][0]["centre"] == list(scene.boards[0].cells[0].centre)


def test_each_piece_that_is_seen_is_there_once_and_what_is_face_down_has_no_kind() -> None:
    game = _game(VEILED)
    pool = game.machine.program.pools[0]
    count = len(in_play(game.machine.program, list(game.state), pool))
    ann, public = _scene(game, 0), _scene(game)
    assert len(ann.boards[0].pieces) == len(public.boards[0].pieces) == count == 12
    assert {each.label for each in public.boards[0].pieces} == {"Man"}
    assert all(each.hidden is (each.owner == 1) for each in ann.boards[0].pieces)
    text = json.dumps(data(public))
    assert not [each for each in ("Scout", "Guard", "Spy", "scout", "guard", "spy", "man_1") if each in text]


def test_a_board_of_stones_and_one_of_men() -> None:
    hex_board = _game(ROOT / "examples" / "classics" / "hex")
    for _ in range(4):
        assert hex_board.decision is not None
        hex_board.choose(hex_board.decision.options[0])
    scene = _scene(hex_board)
    assert [scene.owners[each.owner].name for each in scene.boards[0].pieces] == ["black", "white"] * 2
    men = _scene(_game(ROOT / "examples" / "chess")).boards[0]
    assert len(men.pieces) == 32 and {each.label for each in _on(men, "e1")} == {"king"}


def test_colours_can_be_told_apart_and_read() -> None:
    assert len(set(FILLS.values())) == len(FILLS)
    for one, other in combinations(("green", "red", "blue", "yellow", "magenta", "cyan"), 2):
        assert _far(FILLS[one], FILLS[other]) > 60
    assert ink_on(FILLS["yellow"]) != ink_on(FILLS["black"])


def _far(one: str, other: str) -> float:
    parts = [(int(one[n : n + 2], 16) - int(other[n : n + 2], 16)) ** 2 for n in (1, 3, 5)]
    return float(sum(parts)) ** 0.5


SCRATCH = """game tracks:
    players red, blue
    rounds 3
map m on squares(3, 1)
state of Cell:
    tracked: Player?{undrawn}
    heat: 0..9{undrawn}
    flag: Player?{words}
state of Player:
    tries: 0..9, called en "Tries"{undrawn}
state:
    last: 0..9, called en "Last"{undrawn}
piece Man, up to 2:
    hit_by: Player?{undrawn}
    owner: Player
    at: Cell
setup:
    for c in Cell:
        c.tracked = blue
        c.heat = 4
    a1.flag = red
    red.tries = 2
    last = 3
    place Man at c1 with owner = red, hit_by = blue
action wait by p: nothing
round:
    for p in order of play:
        p chooses: wait
"""


def tracks(folder: Path, undrawn: str, words: str = "") -> Machine:
    path = folder / "tracks.scn"
    path.write_text(SCRATCH.replace("{undrawn}", undrawn).replace("{words}", words), encoding="utf-8")
    program = compile_game(path).program
    assert program is not None
    return Machine(program)


def test_what_is_never_drawn_is_shown_nowhere(tmp_path: Path) -> None:
    machine = tracks(tmp_path, ", never drawn")
    state = list(Game.start(machine, seed=1).state)
    scene = scene_of(machine, state, None)
    assert [(each.cells, each.owner) for each in scene.boards[0].pieces] == [((2,), 0), ((0,), 0)]
    assert "Tries" not in str(scene.panels) and "Last" not in str(scene.panels)
    console = Console(file=StringIO(), width=80)
    show_board(console, machine, state, None, "en")
    Overview(machine, state, None, "en").show(console, whole=True)
    assert isinstance(console.file, StringIO)
    shown = console.file.getvalue()
    assert "red" in shown and not any(
        each in shown for each in ("Tries", "Last", "heat", "tracked", "hit by", "blue")
    )
    undrawn = [
        each["name"]
        for each in facts(machine, telling(machine), "tracks")["vars"]
        if each["role"] == "undrawn"
    ]
    assert len(undrawn) == 5
    plain = tracks(tmp_path, "")
    assert "Tries" in str(scene_of(plain, list(Game.start(plain, seed=1).state), None).panels)
    assert identity(plain.program) == identity(machine.program)


def test_fields_without_words_are_left_out_beside_those_with_words_in_the_terminal_too(
    tmp_path: Path,
) -> None:
    machine = tracks(tmp_path, "", ', called en "Flag"')
    state = list(Game.start(machine, seed=1).state)
    pieces = scene_of(machine, state, None).boards[0].pieces
    assert [each.cells for each in pieces if not each.name] == [(0,)]
    standing = Standing(machine, state, None, "", machine.program.boards[0])
    assert [cell for cell, *_ in standing.held({2})] == [0]


LAND = """game land:
    players red, blue
    rounds 9
type Nobody = nobody en "Nobody"
type Rival = horde en "Horde"
type Holder = Player | Nobody | Rival
table Region:
    | id | adjacent |
    | r1 | r2       |
    | r2 | r1, r3   |
    | r3 | r2, r4   |
    | r4 | r3, r5   |
    | r5 | r4       |
map land on regions(Region, adjacent)
state of Region:
    holder: Holder = nobody, called "Holder"
setup:
    r1.holder = red
    r2.holder = horde
round:
    red chooses:
        spread
        wait
action wait by p: nothing
action spread by p:
    for r in Region where r is not r1: r.holder = horde
    r5.holder = nobody
"""


def test_who_needs_no_sign_is_the_same_from_first_to_last(tmp_path: Path) -> None:
    """Where a rival holds more regions than nobody does, he keeps his sign, and nobody gets none."""
    path = tmp_path / "land.scn"
    path.write_text(LAND)
    game = _game(path)

    def held() -> dict[str, str | None]:
        scene = _scene(game)
        owners = ((each.name, each.owner) for each in scene.boards[0].cells)
        return {name: None if owner == NOBODY else scene.owners[owner].name for name, owner in owners}

    assert held() == {"r1": "red", "r2": "horde", "r3": None, "r4": None, "r5": None}
    game.choose(0)
    assert held() == {"r1": "red", "r2": "horde", "r3": "horde", "r4": "horde", "r5": None}


LISTED = """game listed:
    players ann, bob
    rounds 2
state:
    turns: list of Player up to 9, called "Turns"
    none_yet: list of Player up to 9, called "None yet"
    dice: list of 0..6 up to 9, called "Dice"
    pair: (who: Player?, n: 0..9), called "Pair"
    nobody: (who: Player?, n: 1..9?), called "Nobody"
action idle by p "Idle": nothing
setup:
    turns gains ann
    dice gains 0
    pair = (ann, 0)
round:
    ann chooses:
        idle
        idle "Wait"
"""


def test_a_list_with_one_element_is_not_empty_whatever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "listed.scn"
    path.write_text(LISTED, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    fields = Fields(Eyes(game.machine, list(game.state), (0,)), "")
    names = {var.name: index for index, var in fields.all}
    told = {name: fields.shown(index, 0) for name, index in names.items() if fields.says(index, 0)}
    assert told == {"turns": "ann", "dice": "0", "pair": "who ann, n 0"}
    assert fields.shown(names["none_yet"], 0) == fields.shown(names["nobody"], 0) == "·"
