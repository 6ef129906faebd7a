from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot


@pytest.fixture(autouse=True)
def goldens(snapshot: Snapshot) -> None:
    snapshot.snapshot_dir = Path(__file__).parent / "goldens"
