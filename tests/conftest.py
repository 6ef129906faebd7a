"""What holds for all tests."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import kept

if TYPE_CHECKING:
    from dsl.cache import Cache

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # In the background of a shell Ctrl-C is ignored, and so it would be by each command that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["LANGUAGE"] = "en"  # what is told is English, wherever the tests run

# Where nothing may be written beside the sources each command that a test starts would compile them all again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure(config: pytest.Config) -> None:
    """No test uses a cache of its user's."""
    kept.begin(first=not hasattr(config, "workerinput"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        kept.end()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is marked `slow` comes first, so that no processor waits for it in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def shared_cache() -> Path:
    """The cache of all tests that run commands, in whichever process of pytest-xdist, and nobody else's."""
    return kept.commands()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A cache of the test's own, which commands use as well."""
    from dsl.cache import Cache

    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path / "cache"))
    found = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    assert found is not None
    return found
