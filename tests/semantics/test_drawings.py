"""Maps and shapes drawn in files of their own: read as if they stood in the source, told at their lines, packed with
the game, part of what the cache goes by; and no path leads out of the folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.authoring.drafts import drafted
from dsl.cache import Cache
from dsl.cli.main import cli
from dsl.compiler import Compiled, compile_game
from dsl.ir.codec import encode
from dsl.library import build
from dsl.mending import mend

RULES = """game isle:
    players red, blue
    rounds 3

state of Cell:
    ground: Ground

type Ground = plain | sea

piece House, up to 3:
    at: hut?

round:
    for p in order of play:
        p may:
            settle(t) for t in hut

action settle(t: hut):
    need no x in House at t
    need (count x in House) < 3
    place House at t

legend terrain:
    "~" = sea

"""
MAP = ". . ~ .\n . ~ . .\n_ . . ~\n"
FORMS = ("@ #\n", "@ #\n #\n")
IN_FILES = 'map valley on hexes(pointy) from "maps/valley.txt":\n    legend like terrain\n\nshape hut from "hut.txt"\n'


def indented(drawing: str) -> str:
    return "".join(f"    {line}\n" for line in ('"""', *drawing.splitlines(), '"""'))


def isle(folder: Path, ground: str = IN_FILES) -> Path:
    """A game whose map and shape are drawn in files."""
    (folder / "maps").mkdir(parents=True)
    (folder / "isle.scn").write_text(RULES + ground, encoding="utf-8")
    (folder / "maps" / "valley.txt").write_text(MAP, encoding="utf-8")
    (folder / "hut.txt").write_text("\n\n".join(FORMS), encoding="utf-8")
    return folder


def told(compiled: Compiled) -> list[tuple[str, str]]:
    return [(each.code.id, str(each.span)) for each in compiled.diagnostics]


def test_it_is_the_same_program_as_with_the_drawings_in_place(tmp_path: Path) -> None:
    legend = f"map valley on hexes(pointy):\n    legend like terrain\n{indented(MAP)}\n"
    shape = "shape hut:\n" + "".join(map(indented, FORMS))
    here, there = isle(tmp_path / "a" / "isle", legend + shape), isle(tmp_path / "b" / "isle")
    one, two = compile_game(str(here)).program, compile_game(str(there)).program
    assert one is not None and two is not None
    assert (one.boards, one.domains, one.data) == (two.boards, two.domains, two.data)


def test_ends_of_lines_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    folder = isle(tmp_path / "isle")
    before = compile_game(str(folder)).program
    (folder / "maps" / "valley.txt").write_bytes(b"\xef\xbb\xbf" + MAP.replace("\n", "\r\n").encode())
    after = compile_game(str(folder)).program
    assert before is not None and after is not None and encode(before) == encode(after)


@pytest.mark.parametrize(
    ("name", "text", "code", "place"),
    [
        ("maps/valley.txt", MAP.replace(". ~ . .", ". ~ X ."), "E0108", "2:6"),
        ("maps/valley.txt", MAP.replace(". ~ . .", ". ~ ."), "E0107", "2:2"),
        ("maps/valley.txt", ". . ~ .\n. ~ . .\n_ . . ~\n", "E0107", "2:1"),
        ("hut.txt", "@ #\n\n@ #\n $\n", "E0108", "4:2"),
    ],
)
def test_what_is_wrong_is_told_at_the_line_of_the_file(
    tmp_path: Path, name: str, text: str, code: str, place: str
) -> None:
    folder = isle(tmp_path / "isle")
    (folder / name).write_text(text, encoding="utf-8")
    ((found, where),) = told(compile_game(str(folder)))
    assert found == code and where.endswith(f"{Path(name).name}:{place}")


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("../valley.txt", "E0007"),
        ("maps/../maps/valley.txt", "E0007"),
        ("/etc/passwd", "E0007"),
        (".valley.txt", "E0007"),
        ("maps\\\\valley.txt", "E0007"),
        ("C:valley.txt", "E0007"),
        ("", "E0007"),
        ("link.txt", "E0007"),
        ("linked/valley.txt", "E0007"),
        ("circle.txt", "E0007"),
        ("isle.scn", "E0012"),
        ("vallee.txt", "E0012"),
        ("maps/valley.txt/more.txt", "E0012"),
        ("folder.txt", "E0001"),
        ("zeros.txt", "E0004"),
        ("large.txt", "E0002"),
        ("latin.txt", "E0003"),
        ("empty.txt", "E0005"),
    ],
)
def test_no_other_file_is_read(tmp_path: Path, named: str, code: str) -> None:
    folder = isle(tmp_path / "isle", IN_FILES.replace("maps/valley.txt", named))
    (tmp_path / "valley.txt").write_text(MAP, encoding="utf-8")
    os.symlink(tmp_path / "valley.txt", folder / "link.txt")
    os.symlink("circle.txt", folder / "circle.txt")
    os.symlink(tmp_path, folder / "linked")
    (folder / "folder.txt").mkdir()
    (folder / "zeros.txt").write_bytes(bytes(100))
    (folder / "large.txt").write_bytes(b". " * 700_000)
    (folder / "latin.txt").write_bytes(b". \xe9 .")
    (folder / "empty.txt").write_bytes(b"")
    compiled = compile_game(str(folder))
    assert compiled.program is None
    assert [found for found, _ in told(compiled)] == [code]


def test_drawings_of_mods_are_of_their_layer_and_folder(tmp_path: Path) -> None:
    folder, mod = isle(tmp_path / "isle"), tmp_path / "islet"
    mod.mkdir()
    text = 'mod islet for isle:\n    title en "Islet"\n\nreplace map valley on hexes(pointy) from "valley.txt":\n'
    (mod / "islet.scn").write_text(f"{text}    legend like terrain\n", encoding="utf-8")
    (mod / "valley.txt").write_text(". ~ .\n ~ . .\n", encoding="utf-8")
    compiled = compile_game(str(folder), [str(mod / "islet.scn")])
    assert told(compiled) == [] and compiled.program is not None
    assert len(compiled.program.boards[0].neighbours) == 6


def test_a_drawing_that_changes_is_read_again(tmp_path: Path) -> None:
    folder, cache = isle(tmp_path / "isle"), Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    sizes = []
    for text in (MAP, MAP, MAP.replace("_", "."), MAP):
        (folder / "maps" / "valley.txt").write_text(text, encoding="utf-8")
        os.utime(folder / "maps", (1, 1))
        os.utime(folder, (1, 1))
        found = build(str(folder), cache=cache)
        assert found.program is not None
        sizes.append((len(found.program.boards[0].neighbours), found.cached))
    assert [size for size, _ in sizes] == [11, 11, 12, 11]
    assert sizes[1][1] and not sizes[2][1]


def test_a_packed_game_brings_its_drawings(tmp_path: Path) -> None:
    folder, run = isle(tmp_path / "isle"), CliRunner()
    packed = tmp_path / "isle.scnz"
    result = run.invoke(cli, ["pack", str(folder), "-o", str(packed)])
    assert result.exit_code == 0, result.output
    result = run.invoke(cli, ["check", str(packed)])
    assert result.exit_code == 0, result.output


def test_what_is_surely_wrong_in_a_drawing_is_put_right_there(tmp_path: Path) -> None:
    folder = tmp_path / "lands"
    folder.mkdir()
    rows = "table Land:\n    | id | next: set of Land |\n    | north | south |\n    | south | north |\n"
    ground = 'map m on regions(Land, next) from "m.txt"\n'
    text = f"game lands:\n    players a\n    rounds 1\n{rows}{ground}round: nothing\n"
    (folder / "lands.scn").write_text(text, encoding="utf-8")
    (folder / "m.txt").write_text("nort -- south\n", encoding="utf-8")
    mended = mend([str(folder)])
    assert {path.name: text for path, text in mended.texts.items()} == {"m.txt": "north -- south\n"}
    assert len(mended.left) == 0


def test_a_scenario_is_drafted_with_the_drawing_in_it(tmp_path: Path) -> None:
    folder = isle(tmp_path / "isle")
    result = CliRunner().invoke(cli, ["new", "bay", "--in", str(tmp_path), "--for", str(folder)])
    assert result.exit_code == 0, result.output
    drafted = next(each.read_text(encoding="utf-8") for each in tmp_path.rglob("bay.scn"))
    assert "replace map valley on hexes(pointy):" in drafted and "_ . . ~" in drafted


def test_a_template_brings_its_drawings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = isle(tmp_path / "isle" / "templates" / "en" / "scenario")
    (folder / "isle.scn").rename(folder / "name_here.scn")
    monkeypatch.setattr("dsl.authoring.drafts.meant_game", lambda _: tmp_path / "isle")
    found = drafted("bay", "scenario", target="isle")
    assert found is not None
    assert {str(path) for path in found} == {"bay.scn", "hut.txt", "maps/valley.txt"}


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("maps/vallye.txt", "maps/valley.txt"),
        ("valley.txt", "maps/valley.txt"),
        ("map/valley.txt", "maps/valley.txt"),
        ("hutt.txt", "hut.txt"),
        ("maps/../maps/valley.txt", "maps/valley.txt"),
        ("./maps/valley.txt", "maps/valley.txt"),
    ],
)
def test_the_file_that_was_likely_meant_is_named(tmp_path: Path, named: str, meant: str) -> None:
    folder = isle(tmp_path / "isle", IN_FILES.replace("maps/valley.txt", named))
    (found,) = compile_game(str(folder)).diagnostics
    assert meant in found.hint.replace("`", '"').split('"')


def test_no_name_is_looked_for_outside_the_folder(tmp_path: Path) -> None:
    folder = isle(tmp_path / "isle", IN_FILES.replace("maps/valley.txt", "../isle/../vale.txt"))
    (tmp_path / "vale.txt").write_text(MAP, encoding="utf-8")
    (found,) = compile_game(str(folder)).diagnostics
    assert found.hint.endswith('`from "vale.txt"`')
