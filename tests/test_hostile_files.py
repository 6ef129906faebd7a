# ruff: noqa: E501
"""Files that hang, swell, change meanwhile or have no room: each ends in words, and nothing is lost."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import files
from dsl.cli.main import cli
from dsl.compiler import compile_game
from dsl.files import Changed, NoFile, TooLarge, read_regular, write_atomically
from tests.bounded import bounded
from tests.forked import forked

GAME = """game small:
    players a, b
    rounds 3
state:
    n: 0..9 = 1
action add(k: 0..3) by p:   n gains up to k
round:
    for p in order of play:
        p may: add(k) for k in 1..3
test "t":
    expect n is 1
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "small" / "small.scn"
    path.parent.mkdir()
    path.write_text(GAME, encoding="utf-8")
    return path


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(cli, [str(each) for each in words])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


# ---------------------------------------------------------------- reading


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    assert read_regular(path, 2, head=True) == b"12"
    with pytest.raises(TooLarge):
        read_regular(path, 4)
    with pytest.raises(NoFile):
        read_regular(tmp_path, 4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("name", ["more.scn", "rules.json", "index.json", "tests.scn"])
@pytest.mark.parametrize("command", ["check", "test", "pack", "format"])
def test_a_pipe_in_the_folder_keeps_nobody_waiting(
    game: Path, name: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(game.parent / name)
    monkeypatch.chdir(game.parent.parent)
    done = forked([command, "small"], Path.cwd(), os.environ, seconds=60)
    assert done.returncode in {0, 1, 2}
    assert "Traceback" not in done.stderr


def test_a_huge_file_beside_a_game_is_not_read(game: Path) -> None:
    with (game.parent / "notes.json").open("wb") as file:
        file.truncate(3 * 1024**3)
    assert run("check", game.parent)[0] == 0


def test_sources_are_bounded_together(tmp_path: Path) -> None:
    (tmp_path / "g.scn").write_text(GAME, encoding="utf-8")
    for number in range(12):
        (tmp_path / f"x{number}.scn").write_text("# nothing\n" * 10_000, encoding="utf-8")
    (tmp_path / "g.scn").write_text(GAME + "".join(f"import x{n}\n" for n in range(12)), encoding="utf-8")
    found = [each for each in compile_game(str(tmp_path)).diagnostics if each.is_error]
    assert [each.code.id for each in found] == ["E0309"]
    assert "1 MiB together" in found[0].message


def test_lines_and_mods_are_bounded(game: Path) -> None:
    rows = "".join(f"    | r{n} | 1 |\n" for n in range(files.MAX_LINES))
    (game.parent / "t.scn").write_text(f"table T:\n    | id | w |\n{rows}", encoding="utf-8")
    assert [each.code.id for each in compile_game(str(game.parent / "t.scn")).diagnostics if each.is_error][
        :1
    ] == ["E0002"]
    mods = []
    for number in range(101):
        path = game.parent / f"m{number}.scn"
        path.write_text(f"mod m{number} of small\n", encoding="utf-8")
        mods.append(str(path))
    found = [each for each in compile_game(str(game), mods).diagnostics if each.code.id == "E0309"]
    assert [each.message for each in found] == ["101 mods at a time, more than 100"]


def test_a_check_of_many_slips_does_not_try_each_of_them(game: Path) -> None:
    game.write_text(GAME + "".join(f"action b{n}\n    n = 1\n" for n in range(200)), encoding="utf-8")
    with bounded():
        assert run("check", game)[0] == 1


@pytest.mark.parametrize("command", ["check", "format", "test", "pack", "play"])
def test_links_that_lead_in_a_circle(game: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.parent.parent)
    link = game.with_name("circle.scn")
    link.symlink_to(link.name)
    for target in (game.parent, link):
        assert run(command, target, *(["--auto"] if command == "play" else []))[0] in {0, 1, 2}
        Path("small.scnz").unlink(missing_ok=True)


# ---------------------------------------------------------------- replacing


def test_what_was_saved_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"mine")
    with pytest.raises(Changed):
        write_atomically(path, b"layout of old", was=b"old")
    assert path.read_bytes() == b"mine"
    write_atomically(path, b"new", was=b"mine")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("words", [("format",), ("check", "--fix")])
def test_a_line_that_is_saved_while_a_command_works_is_kept(
    game: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write_text(GAME.replace("round:", "round"), encoding="utf-8")
    if words == ("format",):
        game.write_text(GAME, encoding="utf-8")
    replace = files._same

    def late(path: Path, source: files.Source) -> bytes:
        with path.open("a", encoding="utf-8") as file:
            file.write("# a line of mine\n")
        return replace(path, source)

    monkeypatch.setattr(files, "_same", late)
    code, told = run(*words, game)
    assert "changed meanwhile" in told
    assert code == 1
    assert game.read_text(encoding="utf-8").endswith("# a line of mine\n")


def test_a_name_of_255_bytes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / f"{'é' * 125}.json"
    write_atomically(path, b"1")
    write_atomically(path, b"2")
    assert path.read_bytes() == b"2"


@pytest.mark.parametrize(
    "words",
    [("check", "N"), ("play", "N"), ("format", "N"), ("compile", "G", "-o", "N"), ("pack", "G", "-o", "N"),
     ("replay", "N"), ("unpack", "N"), ("test", "G", "--format", "junit", "-o", "N"), ("play", "G", "--auto", "--record", "N"),
     ("play", "G", "--load", "N"), ("check", "G", "--with", "N"), ("show", "N"), ("resolve", "G", "--with", "N"), ("simulate", "N")],
)  # fmt: skip
def test_names_that_no_file_can_have(game: Path, words: tuple[str, ...]) -> None:
    code, told = run(*({"N": "x" * 300 + ".scn", "G": game}.get(each, each) for each in words))
    assert code in {1, 2}
    assert "internal error" not in told
    assert "Traceback" not in told


def test_junit_is_written_over_junit_only(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("mine", encoding="utf-8")
    assert run("test", game, "--format", "junit", "-o", out)[0] == 2
    assert out.read_text(encoding="utf-8") == "mine"
    out.unlink()
    assert run("test", game, "--format", "junit", "-o", out)[0] == 0
    assert run("test", game, "--format", "junit", "-o", out)[0] == 0


def test_a_full_disk_is_told(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    for words in (("format", game), ("compile", game, "-o", game.with_name("x.ir.json")), ("pack", game.parent, "-o", game.with_name("x.scnz"))):  # fmt: skip
        code, told = run(*words)
        assert code in {1, 2}
        assert os.strerror(errno.ENOSPC) in told
    assert game.read_text(encoding="utf-8") == GAME
    assert [each.name for each in game.parent.iterdir()] == [game.name]


@pytest.mark.parametrize(
    "error", [OSError(errno.EMFILE, "too many open files"), MemoryError(), PermissionError(13, "denied", "x")]
)
def test_what_the_system_refuses_is_no_fault_of_ours(error: Exception, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("dsl.cli.programs.build_of", refuse)
    code, told = run("check", game)
    assert code in {1, 2}
    assert "internal error" not in told
