"""Pieces that face a direction are drawn with an arrow; directions read in the languages of the player."""

from pathlib import Path

from dsl.cli.board import drawings
from dsl.compiler import compile_game
from dsl.engine.display import member_name
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """
game yard:
    players ann, bob
    sides red, blue
    rounds 1

table Kind:
    | id   | name en |
    | cart | Cart    |

piece Wagon of Kind, up to 2 each:
    owner: Side
    at: Cell?
    facing: Direction
    heading: Direction?

map field on squares(2, 2)
value decider(s: Side) -> Player? = ann
action turn(u: Wagon, d: Direction) by p: u.facing = d
setup:
    place cart of red at a1 with facing = west
    place cart of blue at b2 with facing = south
round:
    red chooses: turn(u, d) for u in Wagon, d in Direction

test "a side stands for its player":
    blue: turn(cart, north)
"""


def test_arrows_and_words(tmp_path: Path) -> None:
    folder = tmp_path / "yard"
    folder.mkdir()
    (folder / "yard.scn").write_text(GAME, encoding="utf-8")
    program = compile_game(str(folder), tests=True).program
    assert program is not None
    machine = Machine(program)
    (drawn,) = drawings(machine, Game.start(machine).state, None, "en")
    text = "\n".join(line.plain for line in drawn.lines)
    assert "←" in text
    assert "↓" in text
    assert "↑" not in text
    (ways,) = [at for at, domain in enumerate(program.domains) if domain.name == "Direction"]
    assert [member_name(program, ways, n, "fr") for n in range(4)] == ["nord", "est", "sud", "ouest"]
    assert [member_name(program, ways, n) for n in range(4)] == ["north", "east", "south", "west"]
