"""The Green Conquest on a field of forty-nine cells: its rules hang on no cell of the book's, and all have a place."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.machine import Machine
from dsl.ir.types import NONE
from tests.figures.play import Table
from tests.figures.stops import Reader

SMALL = '''scenario small for green_conquest:
    title fr "Petit"
    mode duel

replace map field on squares(from_top):
    legend:
        "r" = camp of red
        "y" = camp of yellow
        "b" = camp of blue
        "g" = camp of green
        "c" = zone
        "T" = zone, springboard
        "X" = barred
    """
    r r r . y y y
    r r r . y y y
    . . . c . X .
    . . c T c . .
    . X . c . . .
    g g g . b b b
    g g g . b b b
    """
replace option clan_building: draft | free | preset = preset fr "Formation des clans"
replace option placement: free | default = default fr "Placement au camp"
'''


def test_on_a_small_field_all_have_a_place_and_games_end(tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    path.write_text(SMALL, encoding="utf-8")
    made = compile_game(str(path))
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None
    machine = Machine(made.program)
    table = Table(3)
    game, player = table.start(machine), table.player()
    assert sum(at != NONE for at in Reader(made.program).numbers(game.state, "at")) == 10
    while game.count:
        game.choose(player.index(game.count))
    assert game.outcome is not None
    assert game.outcome.label == "Dernier clan en lice"
