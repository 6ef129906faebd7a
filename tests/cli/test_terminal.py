"""The command in a real terminal: a pseudo terminal with a child behind it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import DUEL
from tests.cli.terminal import Terminal


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
    assert "fingerprint" not in terminal.seen
    assert "\x1b[" not in terminal.seen


def test_a_terminal_has_colours_unless_they_are_declined() -> None:
    plain = Terminal("play", DUEL, "--seed", "4", "--as", "red", TERM="xterm", NO_COLOR="1")
    plain.type("quit\n")
    plain.ends()
    coloured = Terminal("play", DUEL, "--seed", "4", "--as", "red", TERM="xterm")
    coloured.type("quit\n")
    coloured.ends()
    assert "\x1b[31m" in coloured.seen
    assert "\x1b[32m" not in plain.seen


def test_a_random_game_is_stopped_and_saved() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4")
    terminal.until_asked()
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.ends() == 130
    assert Path("duel-4.save.json").is_file()


@pytest.mark.parametrize(
    "args",
    [["play", DUEL, "--auto", "--seed", "7"], ["check", DUEL], ["list"], ["--help"], ["play", "--help"]],
)
def test_a_reader_who_leaves_early_is_no_error(args: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "dsl", *args], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_command_to_copy_is_quoted() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4", "--players", "human,random")
    terminal.type("save my game.json\n")
    terminal.type("quit\n")
    terminal.ends()
    assert "go on with: scenarii play --load 'my game.json'" in terminal.seen
