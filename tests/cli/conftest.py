import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pytest_snapshot.plugin import Snapshot

from dsl.cli.main import cli

GAMES = Path(__file__).parent / "games"
DUEL = str(GAMES / "duel")
FAULTY = str(GAMES / "faulty")
Run = Callable[..., Result]


@pytest.fixture
def snapshot(snapshot: Snapshot) -> Snapshot:
    snapshot.snapshot_dir = Path(__file__).parent / "goldens"
    return snapshot


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test works in a folder of its own, in no language; the cache is theirs together, and nobody else's."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("SCENARII_CACHE", str(shared_cache))
    for name in ("SCENARII_TRACEBACK", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run() -> Run:
    """Runs the command; the result has standard output and error apart."""

    def command(*args: str, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, list(args), prog_name="scenarii")
        assert result.exit_code == code, result.output
        return result

    return command


def steady(text: str) -> str:
    """A text without what changes with the compiler: fingerprints and hashes."""
    return re.sub(r"\b[0-9a-f]{16,64}\b", "HASH", text)


def changed(path: Path, values: dict[str, Any]) -> str:
    """A save with other values."""
    document = json.loads(path.read_text())
    Path("changed.json").write_text(json.dumps({**document, **values}))
    return "changed.json"
