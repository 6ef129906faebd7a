"""`scenarii check --fix`: safe edits are applied, everything else is left and told."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from dsl.cli.main import cli
from dsl.mending import mend

WRONG = """\
game small:
    titel "Small"
    author Ann Other
    players x, o
    rounds 4

map board on squares(3, 3)

state of Cell
    mark: Player?

acton claim(c: Cell) by p "Mark {c}":
    need c.mrak = none “taken”
    c.mark = p
    if c.mark is p
        nothing
    else if c.mark == none: nothing // never

table Kind:
    | id | name |
    | a  | A

round:
    for p in order of play:
        p chooses: claim(c) for c in Cells

victory p "three" when any l in lines(3) where every c in l satisfies c.mark is p
"""
RIGHT = """\
game small:
    title "Small"
    author "Ann Other"
    players x, o
    rounds 4

map board on squares(3, 3)

state of Cell:
    mark: Player?

action claim(c: Cell) by p "Mark {c}":
    need c.mark is none "taken"
    c.mark = p
    if c.mark is p:
        nothing
    elif c.mark is none: nothing # never

table Kind:
    | id | name |
    | a  | A |

round:
    for p in order of play:
        p chooses: claim(c) for c in Cell

victory p "three" when any l in lines(3) where every c in l satisfies c.mark is p
"""


def check(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, arguments)])


def small(folder: Path, text: str) -> Path:
    path = folder / "small.scn"
    path.write_bytes(text.encode())
    return path


def test_what_is_surely_wrong_is_put_right(tmp_path: Path) -> None:
    path = small(tmp_path, WRONG)
    before = check(path)
    assert before.exit_code == 1
    assert f"put all right: scenarii check --fix {path}" in before.output
    result = check("--fix", path)
    assert path.read_text() == RIGHT
    assert result.exit_code == 0, result.output
    assert "fixed: " in result.stderr
    assert "write `action` (E0116)" in result.stderr
    assert "all is well" in result.stdout


def test_ends_of_lines_and_a_byte_order_mark_are_kept(tmp_path: Path) -> None:
    path = small(tmp_path, "\ufeff" + WRONG.replace("\n", "\r\n"))
    assert check("--fix", path).exit_code == 0
    assert path.read_bytes() == ("\ufeff" + RIGHT.replace("\n", "\r\n")).encode()


def test_tabs_are_put_right(tmp_path: Path) -> None:
    path = small(tmp_path, RIGHT.replace("    ", "\t"))
    assert check(path).exit_code == 1
    assert check("--fix", path).exit_code == 0
    assert "\t" not in path.read_text()


def test_what_has_two_meanings_is_left(tmp_path: Path) -> None:
    text = RIGHT.replace("mark: Player?", "mark: Player?\n    marc: Player?").replace(
        "need c.mark", "need c.marx"
    )
    path = small(tmp_path, text)
    result = check("--fix", path)
    assert result.exit_code == 1
    assert path.read_text() == text
    assert "E0201" in result.stdout


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("need c.mrak is 3", "need c.mark is 3"),  # put right, the name would show that its type is another
        ("need c.mark is p is o", "need c.mark is p is o"),
    ],
)
def test_an_edit_that_would_make_another_error_is_left_out(tmp_path: Path, wrong: str, meant: str) -> None:
    text = RIGHT.replace("need c.mark is none", wrong)
    mended = mend([str(small(tmp_path, text))])
    assert not mended.done, meant
    assert mended.left.has_errors


def test_only_files_of_ones_own_are_changed(tmp_path: Path) -> None:
    assert check("--fix", "cristal_et_acier").exit_code == 2
    small(tmp_path, RIGHT)
    (tmp_path / "battle").mkdir()
    battle = tmp_path / "battle/battle.scn"
    battle.write_text('scenario battle for small:\n    titel "B"\n')
    spoilt = RIGHT.replace("c.mark = p", "c.mrak = p")
    (tmp_path / "small").mkdir()
    base = tmp_path / "small/small.scn"
    base.write_text(spoilt)
    check("--fix", battle)
    assert base.read_text() == spoilt


def test_titles_of_cited_rules_stand_in_messages(tmp_path: Path) -> None:
    (tmp_path / "rulebook.json").write_text('{"rules": [{"id": "S-1", "title": "Take a free cell"}]}')
    text = RIGHT.replace("rounds 4", 'rounds 4\n    rulebook S "Small"\n    index rulebook')
    text = text.replace('none "taken"', 'nobody "taken"  [S-1]')
    result = check(small(tmp_path, text))
    assert "= rule: [S-1] Take a free cell" in result.output
    assert '"title": "Take a free cell"' in check("--format", "json", tmp_path / "small.scn").output


def test_nothing_to_do_is_no_change(tmp_path: Path) -> None:
    path = small(tmp_path, dedent(RIGHT))
    assert check("--fix", path).exit_code == 0
    assert path.read_text() == RIGHT


def test_a_mod_on_top_changes_no_file_of_the_game(tmp_path: Path) -> None:
    """What the mod makes wrong in the tests of the game is the game's own business."""
    game = tmp_path / "small"
    (game / "tests").mkdir(parents=True)
    base = small(game, RIGHT)
    tests = game / "tests/small_tests.scn"
    tests.write_text('test "the middle":\n    given: b2.mark = x\n    expect b2.mark is x\n')
    mod = tmp_path / "wide.scn"
    mod.write_text(
        'mod wide for small:\n    title "Wide"\nreplace map board on squares(3, 3):\n    legend:\n'
        '        "." = nothing\n    """\n    . . .\n    . . .\n    """\ntset "it":\n    expect true\n'
    )
    kept = {each: each.read_bytes() for each in (base, tests)}
    told = check("--fix", game, "--with", mod)
    assert {each: each.read_bytes() for each in kept} == kept
    assert 'test "it"' in mod.read_text(), told.output


def test_a_file_names_itself_and_a_folder_what_is_in_it(tmp_path: Path) -> None:
    spoilt = RIGHT.replace("c.mark = p", "c.mrak = p")
    base = small(tmp_path, spoilt)
    mod = tmp_path / "quick.scn"
    mod.write_text('mod quick for small:\n    titel "Quick"\n')
    check("--fix", mod)
    assert base.read_text() == spoilt  # the game lies beside it, and was not named
    assert "title" in mod.read_text()
    chapter = tmp_path / "tests/more_tests.scn"
    chapter.parent.mkdir()
    chapter.write_text('test "none":\n    expect a1.mark == none\n')
    check("--fix", chapter)
    assert base.read_text() == spoilt
    assert "is none" in chapter.read_text()
    assert check("--fix", tmp_path).exit_code == 0
    assert base.read_text() == RIGHT


def test_what_is_promised_is_what_is_done(tmp_path: Path) -> None:
    """Of two faults with a safe edit one is in a file that was not named."""
    small(tmp_path, RIGHT.replace("c.mark = p", "c.mrak = p"))
    mod = tmp_path / "quick.scn"
    mod.write_text('mod quick for small:\n    titel "Quick"\n')
    told = check(mod).output
    assert f"put 1 of them right: scenarii check --fix {mod}" in told
    assert check("--fix", mod).stderr.count("fixed: ") == 1
    assert "put" not in check(mod).output.partition("1 error")[2].partition("read more")[0]
    told = check(tmp_path).output
    assert f"put it right: scenarii check --fix {tmp_path}" in told


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    path = small(tmp_path, WRONG)
    path.chmod(0o444)
    assert "put" not in check(path).output
    result = check("--fix", path)
    assert result.exit_code == 1
    assert "not fixed: " in result.stderr
    assert path.read_text() == WRONG


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small(tmp_path, WRONG)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("dsl.files.write_atomically", refuse)
    result = check("--fix", path)
    assert result.exit_code == 1
    assert "cannot be written: Read-only file system" in result.stderr
    assert "\nfixed: " not in f"\n{result.stderr}"
    assert path.read_text() == WRONG
