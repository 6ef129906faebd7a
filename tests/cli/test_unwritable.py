"""Where nothing can be kept: no home, no cache, a full disk. Every command does what it does, only slower."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import DUEL, Run

COMMANDS = [
    ("check", DUEL),
    ("test", DUEL),
    ("play", DUEL, "--auto", "--seed", "1"),
    ("simulate", DUEL, "--games", "3", "--seed", "1", "--jobs", "1"),
]


def homeless(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder for this user can be made: its parent is a file."""
    place.write_text("a file", encoding="utf-8")
    monkeypatch.delenv("SCENARII_CACHE", raising=False)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE"):
        monkeypatch.setenv(name, str(place / "below"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_without_a_home_nothing_fails(
    command: tuple[str, ...], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    homeless(tmp_path / "nowhere", monkeypatch)
    found = run(*command)
    assert found.stdout and not found.stderr
    assert (tmp_path / "nowhere").read_text(encoding="utf-8") == "a file"
    assert not list(Path.cwd().iterdir())


def test_without_any_home_nothing_is_written_into_the_working_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user whom the system does not know has no home that `~` could stand for."""
    monkeypatch.delenv("SCENARII_CACHE", raising=False)
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    run("check", DUEL)
    assert not list(Path.cwd().iterdir())
