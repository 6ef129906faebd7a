"""The generated game of `python -m tests.figures scale`, at two of its smaller sizes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.figures.outposts import Size, write
from tests.figures.scale import measured


def test_the_generated_game_stands_in_the_layout(tmp_path: Path) -> None:
    home = write(tmp_path, Size(40, 20, 16))
    command = [sys.executable, "-m", "dsl", "format", "--check", os.fspath(home)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_it_checks_begins_and_plays_and_grows_no_faster_than_its_content_and_map() -> None:
    small, large = measured(Size(10, 14, 10), 1), measured(Size(40, 26, 20), 1)
    for each in (small, large):
        assert not each.failures
        assert each.choices > 50
    content, cells = 40 / 10, 26 * 20 / (14 * 10)
    assert large.mean <= small.mean * content * cells
    assert large.document <= small.document * content * cells
