import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.figures import __main__ as command
from tests.figures.fingerprints import lines
from tests.figures.games import watched_games
from tests.figures.saves import elsewhere, save_games
from tests.figures.targets import MAIN, MODES, ROOT, Target, target, targets
from tests.soak import long, only_when_long

EACH = 4
VERY_LARGE, FEWEST = 5_000, 1
"""Of games whose state is larger than this, and of those with modes, fewer are played here:
`python -m tests.figures games` plays the rest.
"""
WATCHED = [each for each in targets() if each.mode not in MODES.get(each.what, ())[1:]]
"""Of a game with modes the first. `test_promises` plays them all, in compiled code, and `test_green_conquest` each of
that game, under the same watch.
"""


LONG = ("risk_halo:objective", "green_conquest:duel", "chess")
"""Games that take longest here; `test_promises` plays them as well, in compiled code."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "each",
    [only_when_long(each) if each.name in LONG else each for each in WATCHED],
    ids=lambda each: each.name,
)
def test_random_games_end_with_all_that_is_promised_held(each: Target) -> None:
    size = each.machine().program.size
    count = FEWEST if each.mode or size > VERY_LARGE else EACH
    tally = watched_games(each, range(count))
    assert tally.faults == []
    assert tally.games == count
    assert "no end" not in tally.ends


def test_every_save_goes_on_to_the_same_end_in_another_process(tmp_path: Path) -> None:
    chosen = target(MAIN)
    assert save_games(chosen.machine(), tmp_path, 3) > 100
    assert elsewhere(chosen, tmp_path).returncode == 0


def test_a_save_that_goes_on_otherwise_is_noticed(tmp_path: Path) -> None:
    chosen = target(MAIN)
    save_games(chosen.machine(), tmp_path, 1)
    saves = tmp_path / "0"
    (saves / "3.save").write_bytes((saves / "4.save").read_bytes())
    assert elsewhere(chosen, tmp_path).returncode == 1


@long
def test_two_processes_with_different_hash_seeds_print_the_same_fingerprints() -> None:
    """This process is one of them. (`tests/fingerprints.sh` compares processes with other seeds in each run.)"""
    seed = "4242" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    run = subprocess.run(
        [sys.executable, "-m", "tests.figures", "fingerprints", "--games", "1", "--choices", "150"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [line for each in targets() for line in lines(each, 1, 150)]
    assert run.stdout.splitlines() == here
    games = Counter(line.split()[0] for line in here)
    assert {name: count == 2 for name, count in games.items()} == {each.name: True for each in targets()}


def test_the_page_shows_each_command() -> None:
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    figures = command.figures()
    assert {"games", "saves", "speed", "fingerprints", "bytes"} <= figures
    assert all(f"python -m tests.figures {each}" in page for each in figures)
