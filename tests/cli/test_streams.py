"""The command as the system runs it: streams that are closed or full, and what is left behind when it is ended."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.ir.codec import encode
from tests.cli.conftest import DUEL
from tests.soak import only_when_long

if os.name != "posix":
    pytest.skip("streams and signals as POSIX has them", allow_module_level=True)

LONG = """\
game long:
    players ann, bob
    decisions at most 1000000
state:
    n: 0..5
action go(k: 1..2) by p "Go {k}": n = k
round:
    for p in order of play:
        p chooses: go(k) for k in 1..2
victory p when n is 5
"""
"""No game of it ends within a person's patience, once its bound is `MOST`."""
MOST = 1_000_000_000
SECONDS = 60
HERE = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
"""Another folder is the working one, and this package may not be the one that is installed."""


@pytest.fixture
def long(tmp_path: Path) -> str:
    (tmp_path / "long").mkdir()
    (tmp_path / "long/long.scn").write_text(LONG)
    program = compile_game(str(tmp_path / "long")).program
    assert program is not None
    path = tmp_path / "long.ir.json"
    path.write_bytes(encode(replace(program, decisions=MOST)))
    return str(path)


def cache() -> dict[str, str]:
    return {"SCENARII_CACHE": os.environ["SCENARII_CACHE"]}


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """What the shell makes of `$S …`, the command."""
    place = {**HERE, "S": f"{sys.executable} -m dsl", "DUEL": DUEL}
    return subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=place | cache(),
        check=False,
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "command",
    [
        only_when_long("simulate $DUEL --games 5 --format csv --jobs 2"),
        "check $DUEL --play 2",
        "play $DUEL --auto",
    ],
)
def test_a_stream_that_is_closed_changes_nothing_else(closed: str, command: str) -> None:
    found = shell(f"$S {command} {closed}")
    assert found.returncode == 0, found.stderr
    assert not found.stderr
    assert bool(found.stdout) == (">&-" not in closed.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("command", ["simulate $DUEL --games 5", "play $DUEL --auto", "list", "--help"])
def test_where_there_is_no_room_for_what_is_told(command: str) -> None:
    found = shell(f"$S {command} > /dev/full")
    assert found.returncode == 1
    assert found.stderr == "what is told here cannot be written: No space left on device\n"


def test_what_is_piped_in_is_typed_and_shown() -> None:
    found = shell("printf '\\n1\\nnonsense\\n' | COLUMNS=50 $S play $DUEL --seed 1 --lang en")
    assert not found.stderr
    assert re.search(r"help\): 1$", found.stdout, re.MULTILINE)
    assert re.search(r": nonsense$", found.stdout, re.MULTILINE)
    assert "saved in" in found.stdout  # the end of input is that of the sitting
    drawn = [each for each in found.stdout.splitlines() if "/" not in each and "Enter" not in each]
    assert max(map(len, drawn)) <= 50


def test_where_nothing_can_be_read_nobody_plays() -> None:
    found = shell("$S play $DUEL < /dev/null")
    assert found.returncode == 2
    assert "there is no terminal" in found.stderr


def ended(process: subprocess.Popen[str], seconds: float = SECONDS) -> tuple[str, str]:
    try:
        return process.communicate(timeout=seconds)
    finally:
        process.kill()


@pytest.fixture
def simulation(long: str) -> Iterator[subprocess.Popen[str]]:
    """A simulation in two processes, neither of which is ever done."""
    asked = f"simulate {long} --games 3 --jobs 2 --format json --engine python"
    command = [sys.executable, "-m", "dsl", *asked.split()]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=HERE | cache()) as process:
        end = time.monotonic() + SECONDS
        while sum("--multiprocessing-fork" in each for each in children(process.pid).values()) < 2:
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.05)
        time.sleep(1)
        yield process


def children(parent: int) -> dict[int, str]:
    """The processes of a process, and their commands."""
    found = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split(None, 3) for line in found.splitlines())
    return {int(row[0]): row[3] for row in rows if int(row[1]) == parent and not row[2].startswith("Z")}


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pids: dict[int, str]) -> bool:
    """Do these processes end by themselves, soon?"""
    end = time.monotonic() + 10
    while any(map(alive, pids)):
        if time.monotonic() > end:
            for each in filter(alive, pids):
                os.kill(each, signal.SIGKILL)
            return False
        time.sleep(0.05)
    return True


def test_ctrl_c_does_not_wait_for_a_game_that_never_ends(simulation: subprocess.Popen[str]) -> None:
    workers = children(simulation.pid)
    simulation.send_signal(signal.SIGINT)
    out, err = ended(simulation, 10)
    assert simulation.returncode == 130
    data = json.loads(out)
    assert data["games"] == 0 and not data["complete"]
    assert err.strip() == "broken off before the first of 3 games"
    assert gone(workers)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nobody_plays_on_for_one_that_is_gone(
    simulation: subprocess.Popen[str], number: signal.Signals
) -> None:
    workers = children(simulation.pid)
    simulation.send_signal(number)
    ended(simulation)
    assert gone(workers)


def test_a_process_that_is_lost_ends_it_and_is_told(simulation: subprocess.Popen[str]) -> None:
    workers = [
        pid for pid, command in children(simulation.pid).items() if "--multiprocessing-fork" in command
    ]
    os.kill(workers[0], signal.SIGKILL)
    out, err = ended(simulation)
    assert simulation.returncode == 1
    assert json.loads(out)["games"] == 0
    assert err.startswith(
        "broken off before the first of 3 games\na process was lost, perhaps for want of memory"
    )
    assert "Traceback" not in err
