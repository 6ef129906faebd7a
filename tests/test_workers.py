"""Processes that work for another: each test ends one of the two in its own way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from dsl.workers import deaf, processes

if os.name != "posix":
    pytest.skip("signals as POSIX has them", allow_module_level=True)

ROOT = Path(__file__).resolve().parent.parent
HOST = """
import time
from dsl.workers import deaf, processes
from tests.test_workers import nothing, work

if __name__ == "__main__":
    with processes(2, nothing) as pool:
        with deaf():
            results = pool.map(work, range(2))
        for each in results:
            print(each, flush=True)
"""


def nothing() -> None:
    """How a worker begins."""


def work(number: int) -> int:
    """Says who it is, and goes on for longer than anybody waits."""
    os.write(1, f"{os.getpid()}\n".encode())
    time.sleep(600)
    return number


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_host(number: signal.Signals) -> None:
    place = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE, text=True, env=place) as host:
        assert host.stdout is not None
        pids = [int(host.stdout.readline()) for _ in range(2)]
        begun = time.monotonic()
        host.send_signal(number)
        host.wait(20)
        while any(map(alive, pids)) and time.monotonic() < begun + 20:
            time.sleep(0.05)
        left = [each for each in pids if alive(each)]
        for each in left:
            os.kill(each, signal.SIGKILL)
    assert not left


def test_ctrl_c_is_heard_after_a_process_was_started() -> None:
    with pytest.raises(KeyboardInterrupt), deaf():
        signal.raise_signal(signal.SIGINT)  # to this thread, of which a test run may have several
        heard_later = True
    assert heard_later


def test_what_is_done_is_waited_for() -> None:
    with processes(2, nothing) as pool:
        assert isinstance(pool, ProcessPoolExecutor)
        with deaf():
            results = pool.map(abs, range(-3, 3))
        assert list(results) == [3, 2, 1, 0, 1, 2]
