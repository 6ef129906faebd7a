"""What holds for all tests."""

import os
import signal
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # In the background of a shell Ctrl-C is ignored, and so it would be by each command that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["LANGUAGE"] = "en"  # what is told is English, wherever the tests run


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of all tests that run commands, and nobody else's."""
    return tmp_path_factory.mktemp("cache")
