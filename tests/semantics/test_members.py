"""Members that mods add to a type: what has to say something of each of them, and two mods that add the same."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import Compiled, compile_game

GAME = """\
game land:
    players ann
    rounds 1

type Terrain = plain "Plain" | forest

table cost(t: Terrain) -> 0..3:
    | t      | cost |
    | plain  |    1 |
    | forest |    2 |

table walk(t: Terrain):
    | t      | effect |
    | plain  | -      |
    | forest | -      |

table both(t: 1..1, u: Terrain) -> 0..3:
    |   | plain | forest |
    | 1 |     1 |      2 |

round: nothing
"""
ROWS = """\
extend cost:
    | t   | cost |
    | bog |    3 |
extend walk:
    | t   | effect |
    | bog | -      |
replace table both(t: 1..1, u: Terrain) -> 0..3:
    |   | plain | forest | bog |
    | 1 |     1 |      2 |   3 |
"""


def with_mods(folder: Path, *texts: str) -> Compiled:
    """The game with mods called `one` and `two`."""
    game = folder / "land.scn"
    game.write_text(GAME, encoding="utf-8")
    mods = []
    for name, text in zip(("one", "two"), texts, strict=False):
        mods.append(str(folder / f"{name}.scn"))
        Path(mods[-1]).write_text(f'mod {name} for land:\n    note "more"\n{text}', encoding="utf-8")
    return compile_game(str(game), mods)


def test_tables_that_are_read_by_a_type_are_told_of_at_the_mods_line(tmp_path: Path) -> None:
    told = [
        (each.code.id, Path(each.span.source.name).stem, each.span.text, each.labels[0].span.text)
        for each in with_mods(tmp_path, "extend type Terrain = bog\n").diagnostics
        if each.span is not None
    ]
    assert sorted(told) == [("E0415", "one", "bog", name) for name in ("both", "cost", "walk")]


def test_with_its_rows_the_mod_is_whole(tmp_path: Path) -> None:
    made = with_mods(tmp_path, f'extend type Terrain = bog "Bog"\n{ROWS}')
    assert list(made.diagnostics) == []
    assert made.program is not None
    terrain = next(each for each in made.program.domains if each.name == "Terrain")
    labels = [dict(made.program.texts[each].texts)[""] for each in terrain.labels]
    assert (terrain.members, labels) == (("plain", "forest", "bog"), ["Plain", "forest", "Bog"])


def test_two_mods_may_add_the_same_member_but_not_differently(tmp_path: Path) -> None:
    one = f'extend type Terrain = bog "Bog"\n{ROWS}'
    assert list(with_mods(tmp_path, one, 'extend type Terrain = bog "Bog"\n').diagnostics) == []
    (told,) = with_mods(tmp_path, one, 'extend type Terrain = bog "Mire"\n').diagnostics
    assert told.code.id == "E0409"


def test_two_mods_that_call_a_member_differently_are_told(tmp_path: Path) -> None:
    (told,) = with_mods(
        tmp_path, 'change plain: name = "Field"\n', 'change plain: name = "Heath"\n'
    ).diagnostics
    assert (told.code.id, "Terrain.plain.name" in told.message) == ("E0409", True)
