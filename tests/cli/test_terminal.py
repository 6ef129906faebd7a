"""The command in a real terminal: a pseudo terminal with a child behind it."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import DUEL

pty = pytest.importorskip("pty")
SECONDS = 20
PROMPTS = ("(or help): ", "> ", "look away: ")


class Terminal:
    """A child that plays, seen as a person sees it."""

    def __init__(self, *args: str, **environment: str) -> None:
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "dumb", **environment})
            os.execv(sys.executable, [sys.executable, "-m", "dsl", *args])

    def until_asked(self) -> None:
        """Reads until the child waits for something to be typed."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            ready, _, _ = select.select([self.fd], [], [], 0.1)
            if not ready:
                if self.seen.endswith(PROMPTS):
                    return
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return
            if not data:
                return
            self.seen += data.decode().replace("\r\n", "\n")
        raise AssertionError(f"nothing more came:\n{self.seen}")

    def type(self, text: str) -> None:
        self.until_asked()
        os.write(self.fd, text.encode())

    def ends(self) -> int:
        """What is left to be seen, and the exit code."""
        self.until_asked()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0), ("quit\n", 0)])
def test_a_game_that_is_broken_off_is_saved(key: str, code: int) -> None:
    terminal = Terminal("play", DUEL, "--seed", "4", "--players", "human,random")
    terminal.type("1\n")
    terminal.type(key)
    assert terminal.ends() == code
    assert "saved in" in terminal.seen
    assert Path("duel-4.save.json").is_file()

    again = Terminal("play", "--load", "duel-4.save.json")
    again.type("\x04")
    assert again.ends() == 0
    assert "go on with: scenarii play --load duel-4.save.json" in again.seen


def test_a_whole_game_in_a_terminal() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4", "--players", "human,random")
    for _ in range(3):
        terminal.type("1\n")
    assert terminal.ends() == 0
    assert "End: " in terminal.seen
    assert re.search(r"fingerprint [0-9a-f]{64}", terminal.seen)
    assert "\x1b[" not in terminal.seen


def test_a_terminal_has_colours_unless_they_are_declined() -> None:
    plain = Terminal("play", DUEL, "--seed", "4", TERM="xterm", NO_COLOR="1")
    plain.type("quit\n")
    plain.ends()
    coloured = Terminal("play", DUEL, "--seed", "4", TERM="xterm")
    coloured.type("quit\n")
    coloured.ends()
    assert "\x1b[32m" in coloured.seen
    assert "\x1b[32m" not in plain.seen


def test_a_random_game_is_stopped_and_saved() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4")
    terminal.until_asked()
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.ends() == 130
    assert Path("duel-4.save.json").is_file()


@pytest.mark.parametrize(
    "args", [["play", DUEL, "--auto", "--seed", "7"], ["check", DUEL], ["list"], ["--help"], ["play", "--help"]]
)
def test_a_reader_who_leaves_early_is_no_error(args: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "dsl", *args], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")
