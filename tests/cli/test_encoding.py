"""What a terminal or a disk cannot take: signs outside its encoding, a record that cannot be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dsl.cli.save_paths import homes

GAME = """game signs:
    players ann, bob
    rounds 1
option speed: slow | fast = slow "→ Célérité"
round:
    ann may: pass
"""


def _run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dsl", *words]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, timeout=60, check=False
    )


def test_signs_that_cannot_be_encoded_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "signs.scn"
    path.write_text(GAME, encoding="utf-8")
    told = _run("show", str(path), "options", PYTHONUTF8="0", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert told.returncode == 0, told.stderr
    assert b"? C?l?rit?" in told.stdout


def test_a_record_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "signs.scn"
    path.write_text(GAME, encoding="utf-8")
    told = _run("play", str(path), "--auto", "--seed", "1", "--record", str(tmp_path / "none" / "x.json"))
    assert told.returncode == 1
    assert b"could not be saved" in told.stderr


def test_where_nothing_else_can_be_written_a_game_is_kept_among_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    *_, last = homes()
    assert last.parent == tmp_path
    assert last.is_dir()
