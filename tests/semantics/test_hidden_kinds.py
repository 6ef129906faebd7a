"""A mod that hides the kinds of pieces, on top of rules that show them or do not."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Code

GAME = """\
game blocks:
    players ann, bob
    rounds 3

map field on squares(3, 3)

table Sort:
    | id    | power | copies |
    | scout |     1 |      2 |
    | guard |     3 |      2 |

piece Block of Sort, copies each:
    owner: Player
    at: Cell?

setup:
    place scout of ann at a1
    place guard of bob at a2
action go(b: Block, c: Cell) by p "{b} to {c}": b.at = c
round:
    for p in order of play:
        p may "Now?":
            go(b, c) for b in Block, c in Cell where b.owner is p and not (c has Block)
"""
SHOWING = """\
action rest by p "Rest": nothing
action hit(b: Block) by p "At {b}": take away b
after go:
    p may "And now?":
        hit(x) for x in Block where x.owner is not p and x.power is 1
        hit(x) for x in Block where x is guard
    if b is guard:
        p may "Rest?": rest
"""
MOD = """\
mod veil for blocks:
    title en "Veil"

extend Block:
    kind: Sort, seen by owner
"""


def veiled(folder: Path, game: str) -> Compiled:
    (folder / "blocks.scn").write_text(game, encoding="utf-8")
    (folder / "veil.scn").write_text(MOD, encoding="utf-8")
    return compile_game(str(folder / "blocks.scn"), [str(folder / "veil.scn")])


def test_a_mod_may_hide_the_kinds_of_a_game_that_does_not_show_them(tmp_path: Path) -> None:
    program = veiled(tmp_path, GAME).program
    assert program is not None
    (pool,) = program.pools
    assert pool.kinds is None
    assert pool.kind is not None
    assert program.vars[pool.kind].audience is not None


def test_rules_that_show_what_a_mod_hides_are_told_once_at_its_line(tmp_path: Path) -> None:
    found = veiled(tmp_path, GAME + SHOWING)
    assert found.program is None
    (fault,) = found.diagnostics
    assert fault.code is Code.SECRET_SHOWN
    assert fault.span.source.name.endswith("veil.scn")
    assert fault.span.text == "kind"
    assert "in 3 places of what kind a Block is" in fault.message
    assert all(each.span.source.name.endswith("blocks.scn") for each in fault.labels)


def test_a_field_that_begins_with_what_a_mod_hides_is_told_at_its_line(tmp_path: Path) -> None:
    game = GAME.replace("    at: Cell?\n", "    at: Cell?\n    left: 0..9 = self.power\n")
    (fault,) = veiled(tmp_path, game).diagnostics
    assert fault.code is Code.SECRET_SHOWN
    assert fault.span.source.name.endswith("veil.scn")
    assert [each.span.text for each in fault.labels] == ["self.power"]
