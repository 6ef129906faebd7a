"""The map keeps its width while a game goes on: what has no room in a cell is not drawn, and the legend says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.cli.board import Drawing, drawings
from dsl.engine.game import Game
from dsl.library import load

GAME = """game crowd:
    players red, blue
    rounds 9
table Kind:
    | id    | name en |
    | tank  | Tank    |
    | truck | Truck   |
map field on {shape}
piece Unit of Kind, up to 3 each:
    owner: Player
    at: Cell?
setup:
    place tank of red at a1
round:
    red chooses:
        bring
        wait
action bring by p:
    place truck of blue at a1
    place truck of blue at a1
action wait by p: nothing
"""


def drawn(folder: Path, shape: str) -> tuple[Drawing, Drawing]:
    """The map with one thing in a cell, and with three."""
    path = folder / "crowd.scn"
    path.write_text(GAME.replace("{shape}", shape), encoding="utf-8")
    machine = load(path)
    game = Game.start(machine, seed=0)
    (before,) = drawings(machine, list(game.state), None, "en", 80)
    game.choose(0)
    (after,) = drawings(machine, list(game.state), None, "en", 80)
    return before, after


@pytest.mark.parametrize(
    ("shape", "shown"),
    [("squares(5, 2)", "ta…"), ("hexes(5, 2, pointy)", "a1:ta●…"), ("hexes(20, 2, pointy)", "ta●…")],
)
def test_the_map_is_as_wide_with_several_things_in_a_cell(tmp_path: Path, shape: str, shown: str) -> None:
    before, after = drawn(tmp_path, shape)
    widths = [[len(line.plain.rstrip()) for line in each.lines] for each in (before, after)]
    assert widths[0][1:] == widths[1][1:] and abs(widths[0][0] - widths[1][0]) <= 1
    assert any(shown in line.plain for line in after.lines), [line.plain for line in after.lines]
    assert "… more stands there" in [each.plain for each in after.legend]
    assert "… more stands there" not in [each.plain for each in before.legend]


def test_the_map_leaves_room_from_the_first_turn_on(tmp_path: Path) -> None:
    """Before anything is placed it is as wide as with a piece in a cell."""
    path = tmp_path / "empty.scn"
    text = GAME.replace("{shape}", "squares(5, 2)").replace("setup:\n    place tank of red at a1\n", "")
    path.write_text(text, encoding="utf-8")
    machine = load(path)
    (empty,) = drawings(machine, list(Game.start(machine, seed=0).state), None, "en", 80)
    assert empty.lines[-1].plain == "    a   b   c   d   e"
