"""Maps in text: squares, hexes both ways, regions with their holders."""

import re
from dataclasses import replace
from pathlib import Path
from textwrap import dedent, indent

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.cli.board import drawings
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Board, Program
from dsl.ir.types import Id
from tests.ir.builders import PLAYERS, World, member, none_of

NAMES = tuple(f"{letter}{row}" for row in (1, 2, 3) for letter in "abc")
REGIONS = ("north", "south", "mill")
DRAWING = """
     north ---- mill
        \\\\      /
          south
"""


def _world() -> World:
    made = World()
    made.domain("Player", ("red", "blue"), "player")
    return made


def _program(made: World, board: Board) -> Program:
    made.boards.append(board)
    return made.program()


@pytest.mark.parametrize("shape", ["squares", "hexes_pointy", "hexes_flat"])
def test_grids(shape: str, snapshot: Snapshot) -> None:
    made = _world()
    cells = made.domain("Cell", NAMES, "cell")
    made.var("mark", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    x, y = tuple(n % 3 for n in range(9)), tuple(n // 3 for n in range(9))
    program = _program(made, Board("field", shape, cells, x, y, (0,) * 9, "", ("~",) + (".",) * 8))
    machine = Machine(program)
    state = list(Game.fresh(machine).state)
    state[program.vars[0].offset + 4] = 1
    (found,) = drawings(machine, state, None, "")
    lines = [line.plain.rstrip() for line in (*found.lines, *found.legend)]
    snapshot.assert_match("\n".join(lines) + "\n", f"{shape}.txt")


def _regions(drawing: str) -> str:
    """Three regions as drawn: north is red's, and mill is blue's, where the army is."""
    made = _world()
    cells = made.domain("Region", REGIONS, "row")
    made.var("holder", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    made.var("army", Id(cells), member(cells, 2))
    made.vars[1] = replace(made.vars[1], label=made.text("Army"))
    program = _program(made, Board("land", "regions", cells, (), (), (0, 0, 0), drawing, ("", "", "")))
    machine = Machine(program)
    state = list(Game.fresh(machine).state)
    state[program.vars[0].offset] = 0
    state[program.vars[0].offset + 2] = 1
    (found,) = drawings(machine, state, None, "")
    return "\n".join(line.plain.rstrip() for line in (*found.lines, *found.legend)) + "\n"


def test_regions(snapshot: Snapshot) -> None:
    snapshot.assert_match(_regions(DRAWING), "regions.txt")


def test_a_line_of_regions_grows_where_their_signs_have_no_room_and_no_further_than_needed() -> None:
    grown, spread = _regions("north-mill-south\nnorth--south  mill").splitlines()[:2]
    assert grown == "  north●-▶mill▲-south"
    assert spread == "  north●-south ▶mill▲"


HEXED = """game hexed:
    players ann
    rounds 2
map board on hexes({})
round:
    ann chooses: rest
action rest by p: nothing
"""


def _wide(shape: str, columns: int = 30, rows: int = 6) -> tuple[Program, int]:
    """A map of many columns; in one cell of each column stands a mark."""
    made = _world()
    letters = [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]
    count = columns * rows
    cells = made.domain(
        "Cell", tuple(f"{letters[n % columns]}{n // columns + 1}" for n in range(count)), "cell"
    )
    made.var("mark", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    x, y = tuple(n % columns for n in range(count)), tuple(n // columns for n in range(count))
    board = Board("field", shape, cells, x, y, (0,) * count, "", (".",) * count)
    return _program(made, board), count


@pytest.mark.parametrize("shape", ["squares", "hexes_pointy", "hexes_flat"])
@pytest.mark.parametrize("width", [200, 80, 40, 20, 1])
def test_a_map_keeps_to_its_width_and_shows_each_cell_once(shape: str, width: int) -> None:
    program, count = _wide(shape)
    machine = Machine(program)
    state = list(Game.fresh(machine).state)
    for column in range(30):
        state[program.vars[0].offset + column * 3] = column % 2
    (found,) = drawings(machine, state, None, "", width)
    text = "\n".join(line.plain for line in found.lines)
    longest = max(len(line.plain.rstrip()) for line in found.lines)
    assert longest <= max(width, 12)
    assert text.count("●") == text.count("▲") == 15
    if ":●" in text:
        assert width == 200 and " ad6" in text
    else:
        assert text.count(".") == count - 30
        assert re.search(r"^ +6 " if shape == "squares" else r"^ +a6 ", text, re.MULTILINE)


def test_hexes_without_their_names_are_counted_from_the_first() -> None:
    program, _ = _wide("hexes_pointy", columns=12, rows=3)
    machine = Machine(program)
    (found,) = drawings(machine, list(Game.fresh(machine).state), None, "", 40)
    assert [line.plain.rstrip() for line in found.lines] == [
        "  a1 .  .  .  .  .  .  .",
        "  a2  .  .  .  .  .  .  .",
        "  a3    .  .  .  .  .  .",
        "",
        "  h1 .  .  .  .  .",
        "  h2  .  .  .  .  .",
        "  g3 .  .  .  .  .  .",
    ]


@pytest.mark.parametrize(
    ("layout", "drawn"),
    [
        (
            "12, 3, pointy",
            """
                a  b  c  d  e  f
              3 .  .  .  .  .  .
              2  .  .  .  .  .  .
              1 .  .  .  .  .  .

                g  h  i  j  k  l
              3 .  .  .  .  .  .
              2  .  .  .  .  .  .
              1 .  .  .  .  .  .
            """,
        ),
        (
            "10, 2, flat",
            """
                a  b  c  d  e
              2 .     .     .
              2    .     .
              1 .     .     .
              1    .     .

                f  g  h  i  j
              2    .     .
              2 .     .     .
              1    .     .
              1 .     .     .
            """,
        ),
    ],
)
def test_hexes_without_their_names_have_letters_above_each_part(
    tmp_path: Path, layout: str, drawn: str
) -> None:
    """Where the columns are straight: a rhombus, whose letters run aside, names the first cell of each line."""
    path = tmp_path / "hexed.scn"
    path.write_text(HEXED.format(layout), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    machine = Machine(program)
    (found,) = drawings(machine, list(Game.fresh(machine).state), None, "", 24)
    assert [line.plain.rstrip() for line in found.lines] == indent(dedent(drawn), "  ").strip(
        "\n"
    ).splitlines()


def test_regions_without_a_drawing_are_listed_by_holder() -> None:
    made = _world()
    cells = made.domain("Region", REGIONS, "row")
    made.var("holder", Id(PLAYERS, optional=True), none_of(PLAYERS), of=cells)
    made.var("army", Id(cells), member(cells, 2))
    made.var("seat", Id(cells, optional=True), none_of(cells), of=PLAYERS)
    made.vars[1] = replace(made.vars[1], label=made.text("Army"))
    made.vars[2] = replace(made.vars[2], label=made.text("Seat of"))
    machine = Machine(_program(made, Board("land", "regions", cells, (), (), (0, 0, 0), "", ("", "", ""))))
    state = list(Game.fresh(machine).state)
    state[machine.program.vars[0].offset] = 1
    state[machine.program.vars[2].offset] = 0
    (found,) = drawings(machine, state, None, "")
    (sign,) = [each.plain.split()[0] for each in found.legend if each.plain.endswith("blue")]
    assert [line.plain for line in found.lines] == [f"  {sign} north (Seat of red)", "    ▶mill"]


GROUPED = """game grouped:
    players red, blue
    rounds 3
table World:
    | id    |
    | here  |
    | there |
table Part:
    | id    | name en | world: World |
    | hills | Hills   | here         |
    | isles | Isles   | here         |
    | moons | Moons   | there        |
table Region:
    | id   | name en | part: Part | adjacent   |
    | moor | Moor    | hills      | fell       |
    | fell | Fell    | hills      | moor, sand |
    | sand | Sand    | isles      | fell, reef |
    | reef | Reef    | isles      | sand       |
    | dust | Dust    | moons      | rock       |
    | rock | Rock    | moons      | dust       |
map land on regions(Region, adjacent, part, part.world)
state of Region:
    holder: Player?, called "Holder"
    men: 0..9, called "Men"
action take_it(r: Region) by p:
    r.holder = p
    r.men = 3
round:
    red chooses: take_it(r) for r in Region
"""


def test_regions_in_groups_are_listed_by_group_with_the_sign_of_their_holder(tmp_path: Path) -> None:
    """Those of another board are left out once something stands on this one."""
    path = tmp_path / "grouped.scn"
    path.write_text(GROUPED, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)

    def drawn() -> list[str]:
        (found,) = drawings(game.machine, list(game.state), None, "en")
        return [line.plain.strip() for line in found.lines]

    assert drawn() == ["Hills: Moor 0, Fell 0", "Isles: Sand 0, Reef 0", "Moons: Dust 0, Rock 0"]
    game.choose(1)
    (found,) = drawings(game.machine, list(game.state), None, "en")
    (sign,) = [each.plain.split()[0] for each in found.legend if each.plain.endswith("red")]
    assert drawn() == [f"Hills: Moor 0, {sign}Fell 3", "Isles: Sand 0, Reef 0"]


ARMIES = """\
game armies:
    players ann, bob
    rounds 3

table Land:
    | id | name en | adjacent: set of Land |
    | a  | Ash     | b                     |
    | b  | Birch   | a, c                  |
    | c  | Cedar   | b                     |
map m on regions(Land, adjacent)

piece Army, up to 4 each for each Player:
    owner: Player
    at: Land
piece Spy, up to 1 each for each Player:
    owner: Player
    at: Land, seen by owner

setup:
    place Army of ann at a
    place Army of ann at a
    place Army of bob at b
    place Spy of bob at c

action wait by p "Wait": nothing

round:
    for p in order of play:
        p chooses: wait
"""


@pytest.mark.parametrize("drawing", ["", "a -- b -- c"])
def test_pieces_stand_behind_the_regions_where_they_are(tmp_path: Path, drawing: str) -> None:
    """As far as a player sees them: beneath a drawing, or in the list of a map without one."""
    path, block = tmp_path / "armies.scn", f':\n    """\n    {drawing}\n    """'
    head = "map m on regions(Land, adjacent)"
    path.write_text(ARMIES.replace(head, head + block if drawing else head), encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)

    def drawn(player: int) -> tuple[list[str], list[str]]:
        (found,) = drawings(game.machine, list(game.state), player, "en")
        return [line.plain.strip() for line in found.lines], [each.plain for each in found.legend]

    names = ("a", "b", "c") if drawing else ("Ash", "Birch", "Cedar")
    lines, legend = drawn(0)
    whose = {text.split()[1]: text.split()[0] for text in legend}
    ann, bob, army = whose["ann"], whose["bob"], whose["Army"]
    assert lines[-1] == f"{names[0]} 2 {army}{ann}, {names[1]} {army}{bob}"
    assert lines[:-1] == ([drawing] if drawing else [])
    lines, legend = drawn(1)
    spy = next(text.split()[0] for text in legend if text.endswith("Spy"))
    assert lines[-1] == f"{names[0]} 2 {army}{ann}, {names[1]} {army}{bob}, {names[2]} {spy}{bob}"
