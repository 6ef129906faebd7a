"""A command that is forked runs as one that is started does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import ROOT, forked, forks

COMMANDS = (
    "--version",
    "list",
    "new mill",
    "check mill",
    "play mill --auto --seed 3",
    "check nothing",
    "play mill",
)


def here(**more: str) -> dict[str, str]:
    plain = {
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "PYTHONIOENCODING": "utf-8",
        "TERM": "dumb",
        "SCENARII_CACHE": "off",
    }
    return {**os.environ, "PYTHONPATH": str(ROOT), **plain, **more}


def test_it_says_and_makes_the_same(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    for command in COMMANDS:
        started = subprocess.run(
            [sys.executable, "-m", "dsl", *command.split()],
            cwd=tmp_path / "one",
            env=here(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        again = forked(command.split(), tmp_path / "other", here(), seconds=60)
        assert (again.returncode, again.stdout, again.stderr) == (
            started.returncode,
            started.stdout,
            started.stderr,
        )
    made, other = (
        {each.relative_to(tmp_path / name): each.read_bytes() for each in (tmp_path / name).rglob("*.scn")}
        for name in ("one", "other")
    )
    assert made == other


def test_one_command_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    said = [
        forked(["--help"], tmp_path, here(LANGUAGE=language), seconds=60).stdout
        for language in ("fr", "en", "fr")
    ]
    assert said[0] == said[2] != said[1]


def test_no_other_environment_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = here()
    environment.pop("LANGUAGE", None)
    said = forked(["--help"], tmp_path, environment, seconds=60).stdout
    forks().end()
    monkeypatch.setenv("LANGUAGE", "fr")
    assert forked(["--help"], tmp_path, environment, seconds=60).stdout == said
    forks().end()


def test_who_does_not_end_is_ended(tmp_path: Path) -> None:
    read, write = os.pipe()
    waits = forks().begin(["format", "-"], [read, write, write], tmp_path, here(), 0.5)
    process = forks()
    with pytest.raises(TimeoutError):
        waits()
    for each in (read, write):
        os.close(each)
    assert forks() is not process
    assert forked(["--version"], tmp_path, here(), seconds=60).returncode == 0
