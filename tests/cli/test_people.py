"""Whole games in a terminal, as people would play them."""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import DUEL
from tests.cli.terminal import Terminal
from tests.soak import only_when_long

EXAMPLES = Path(__file__).parents[2] / "examples/classics"
SHORT = {"tic_tac_toe": 9, "connect_four": 42}


def play(terminal: Terminal, most: int) -> None:
    """Takes the first option until the game is over."""
    for _ in range(most + 1):
        terminal.until_asked()
        if "End: " in terminal.seen or "Fin : " in terminal.seen:
            return
        terminal.send("1\n")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("game", "language"),
    [
        ("tic_tac_toe", "fr"),
        ("connect_four", "en"),
        only_when_long("tic_tac_toe", "en"),
        only_when_long("connect_four", "fr"),
    ],
)
def test_a_whole_game_of_each_example(game: str, language: str) -> None:
    terminal = Terminal("play", str(EXAMPLES / game), "--seed", "1", "--lang", language)
    terminal.type("help\n")
    terminal.type("why\n")
    terminal.type("1\n")
    terminal.type("undo\n")
    terminal.until("Taken back." if language == "en" else "Coup repris.")
    terminal.type("state\n")
    terminal.type("map\n")
    terminal.type("log\n")
    terminal.type("save mine.json\n")
    terminal.until("mine.json")
    play(terminal, SHORT[game])
    assert terminal.ends() == 0
    assert ("End: " if language == "en" else "Fin : ") in terminal.seen

    again = Terminal("play", "--load", "mine.json")
    play(again, SHORT[game])
    assert again.ends() == 0
    assert terminal.seen.splitlines()[-1] == again.seen.splitlines()[-1]


def test_why_not_and_quit() -> None:
    terminal = Terminal("play", str(EXAMPLES / "tic_tac_toe"), "--seed", "1")
    terminal.type("1\n")
    terminal.type("why not claim(a1)\n")
    terminal.until("this cell is taken")
    terminal.type("why not claim(b1)\n")
    terminal.until("It is offered now.")
    terminal.type("quit\n")
    assert terminal.ends() == 0
    assert Path("tic_tac_toe-1.save.json").is_file()


def test_a_campaign_in_a_narrow_window() -> None:
    terminal = Terminal("play", "cristal_et_acier", "--seed", "7", columns=40)
    for typed in ("1", "map", "state", "why", "log", "1"):
        terminal.type(f"{typed}\n")
    terminal.until_asked()
    terminal.size(140)
    for typed in ("state", "", "1"):
        terminal.type(f"{typed}\n")
    terminal.size(20)
    terminal.type("state\n")
    terminal.type("\x03")
    assert terminal.ends() == 130
    assert "internal error" not in terminal.seen
    assert "Traceback" not in terminal.seen


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize(("term", "declined"), [("xterm", ""), ("dumb", ""), ("xterm", "1")])
def test_the_screen_is_emptied_before_it_is_handed_over(term: str, declined: str) -> None:
    environment = {"TERM": term, **({"NO_COLOR": declined} if declined else {})}
    terminal = Terminal("play", DUEL, "--seed", "4", **environment)
    terminal.until("look away: ")
    assert "March" not in terminal.plain
    terminal.send("\n")
    terminal.type("state\n")
    terminal.until("hand(red): 1 (Frost)")
    terminal.type("1\n")
    terminal.until("blue is next")
    between = terminal.seen[terminal.seen.rfind("hand(red): 1 (Frost)") :]
    emptied = between.partition("blue is next")[0]
    assert emptied.count("\n") > 100 if term == "dumb" else "\x1b[2J\x1b[3J" in emptied
    terminal.send("\n")
    terminal.type("state\n")
    terminal.until("hand(red): 1\n")
    terminal.type("\x04")
    assert terminal.ends() == 0
    assert (
        len(re.findall(r"hand\(red\): 1 \(Frost\)", terminal.plain)) == 2
    )  # beside the options, and in `state`


def test_what_was_typed_is_not_the_next_ones_to_look_up() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4", TERM="xterm")
    terminal.type("\n")
    terminal.type("March Knight to a2\n")
    terminal.type("\n")
    terminal.until_asked()
    seen = len(terminal.seen)
    terminal.send("\x1b[A\n")
    terminal.until_asked()
    assert "Knight to a2" not in terminal.seen[seen:]
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.ends() == 130


def test_one_plays_as_somebody() -> None:
    terminal = Terminal("play", DUEL, "--seed", "4", "--as", "blue")
    terminal.until("blue to choose")
    terminal.type("state\n")
    terminal.until("hand(red): 1\n")
    terminal.type("quit\n")
    assert terminal.ends() == 0
    wrong = Terminal("play", DUEL, "--as", "green")
    assert wrong.ends() == 2
    assert "no player `green`" in wrong.seen


def test_a_replay_is_played_on() -> None:
    first = Terminal("play", DUEL, "--seed", "4", "--as", "red", "--record", "d.json")
    for _ in range(3):
        first.type("1\n")
    assert first.ends() == 0
    terminal = Terminal("replay", "d.json", "--until", "3", "--play")
    terminal.until("Round 2", "red to choose")
    for _ in range(2):
        terminal.type("1\n")
    assert terminal.ends() == 0
    last = [re.search(r"End: .*\n\d+ decisions", each.plain) for each in (first, terminal)]
    assert last[0] is not None
    assert last[1] is not None
    assert last[0][0] == last[1][0]
