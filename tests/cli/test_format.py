"""`scenarii format`, as a user runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.cli.main import cli
from dsl.format import layout

UNTIDY = "round :  nothing\n"
TIDY = "round: nothing\n"


def run(*arguments: object, typed: bytes = b"") -> Result:
    return CliRunner().invoke(cli, ["format", *map(str, arguments)], input=typed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.scn").write_text(UNTIDY)
    (tmp_path / "deep/b.scn").write_text(TIDY)
    (tmp_path / "deep/.hidden.scn").write_text(UNTIDY)
    return tmp_path


def test_files_and_folders_are_laid_out(folder: Path) -> None:
    result = run(folder)
    assert result.exit_code == 0
    assert result.output == f"laid out: {folder.as_posix()}/a.scn\n1 file laid out, 1 in the layout already\n"
    assert (folder / "a.scn").read_text() == TIDY
    assert (folder / "deep/.hidden.scn").read_text() == UNTIDY
    assert run(folder).output == "2 files in the layout already\n"


def test_check_writes_nothing_and_shows_what_would_change(folder: Path) -> None:
    result = run("--check", folder)
    assert result.exit_code == 1
    assert "-round :  nothing\n+round: nothing\n" in result.output
    assert result.output.endswith("1 file would change\n")
    assert (folder / "a.scn").read_text() == UNTIDY
    assert run("--check", folder / "deep").exit_code == 0


def test_check_cuts_a_long_difference_short_and_diff_does_not(tmp_path: Path) -> None:
    path = tmp_path / "long.scn"
    path.write_text("state:\n" + "".join(f"  f{n} : 0..3\n" for n in range(60)))
    assert "... and 84 lines more" in run("--check", path).output
    result = run("--diff", path)
    assert result.exit_code == 0
    assert "+    f59: 0..3" in result.output
    assert "would change" not in result.output


def test_other_bytes_than_those_of_the_layout_are_a_change(tmp_path: Path) -> None:
    path = tmp_path / "a.scn"
    for data in (
        b"\xef\xbb\xbf" + TIDY.encode(),
        TIDY.replace("\n", "\r\n").encode(),
        TIDY.rstrip().encode(),
    ):
        path.write_bytes(data)
        assert run("--check", path).exit_code == 1
        assert run(path).exit_code == 0
        assert path.read_bytes() == TIDY.encode()


def test_permissions_and_links_are_kept(folder: Path) -> None:
    (folder / "a.scn").chmod(0o640)
    (folder / "link.scn").symlink_to(folder / "a.scn")
    assert run(folder / "link.scn").exit_code == 0
    assert (folder / "link.scn").is_symlink()
    assert (folder / "a.scn").read_text() == TIDY
    assert (folder / "a.scn").stat().st_mode & 0o777 == 0o640
    assert {"a.scn", "deep", "link.scn"} >= {name for name in os.listdir(folder) if "scn" in name}


def test_what_cannot_be_read_is_told_and_left_alone(folder: Path) -> None:
    (folder / "wrong.scn").write_text("round nothing\n")
    result = run(folder)
    assert result.exit_code == 1
    assert "error[E0" in result.stderr
    assert (folder / "wrong.scn").read_text() == "round nothing\n"
    assert (folder / "a.scn").read_text() == TIDY


def test_standard_input() -> None:
    result = run("-", typed=b"\xef\xbb\xbfround :\r\n\tnothing")
    assert result.exit_code == 0
    assert result.stdout == "round:\n    nothing\n"
    assert run("-", "--check", typed=UNTIDY.encode()).exit_code == 1
    wrong = run("-", typed=b"round nothing\n")
    assert wrong.exit_code == 1
    assert wrong.stdout == ""


def test_wrong_usage(tmp_path: Path) -> None:
    missing = run(tmp_path / "nowhere.scn")
    assert missing.exit_code == 2
    assert "there is no file or folder" in missing.output
    assert run("-", tmp_path).exit_code == 2


def test_nothing_is_written_where_a_text_would_say_something_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "b.scn").write_text("round: a # kept\n")
    made = layout._laid_out
    monkeypatch.setattr(layout, "_laid_out", lambda source: made(source).replace("# kept", ""))
    result = run(folder)
    assert result.exit_code == 3
    assert "would not mean the same" in result.stderr
    assert (folder / "a.scn").read_text() == UNTIDY
