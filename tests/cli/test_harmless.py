"""No text of a game drives a terminal, turns its neighbours around, or becomes a formula, whatever way it leaves."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, cast
from xml.etree import ElementTree as Xml

import pytest
from click.testing import Result

from dsl.diagnostics.harmless import cell, json_text
from dsl.harmless import Harmless, harmless

Run = Callable[..., Result]
ESC, BIDI, C1 = "\x1b[2J\x1b]0;x\x07", "\u202e", "\x9b2J"
GAME = f"""game tricky:
    title en "T{ESC}itle{BIDI}"
    players ann "=cmd{ESC}|' /C calc'!A0", bob "Éloïse\u202f: «\u00a0ça\u00a0» ┌─┐{BIDI}{C1}"
    rounds 1
table Kind:
    | id  | name en        |
    | one | On{BIDI}e{C1}  |
state:
    n: 0..9, called "N{ESC}"
action go(k: Kind) by p "Go{ESC} {{k}}":
    need n < 9 "no{BIDI}"
    n gains 1
    say "said{BIDI} {{k}}{C1}"
round:
    for p in order of play:
        p chooses: go(k) for k in Kind
victory p "won{ESC}" when n is 2
test "a name{BIDI}{ESC}":
    expect n is 1
"""


def is_harmless(text: str) -> bool:
    return all(char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cf", "Zl", "Zp"} for char in text)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("tricky.scn")
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play {} --auto --seed 1", 0),
        ("show {}", 0),
        ("show {} --format json", 0),
        ("test {}", 1),
        ("simulate {} --games 3", 0),
        ("simulate {} --games 3 --format csv", 0),
        ("simulate {} --games 3 --format json", 0),
        ("resolve {} go", 0),
        ("check {} --play 1", 0),
    ],
)
def test_no_command_lets_it_through(run: Run, game: Path, line: str, code: int) -> None:
    result = run(*line.format(game).split(), code=code)
    assert is_harmless(result.output)
    assert "=cmd" in result.output or "play" not in line


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_nor_do_messages_with_what_they_quote(run: Run, game: Path, form: str) -> None:
    game.write_text(GAME.replace("n is 2", f"m{BIDI} is 2  # {ESC}{C1}"), encoding="utf-8")
    result = run("check", str(game), "--format", form, code=1)
    assert is_harmless(result.output)
    if form != "text":
        json.loads(result.stdout)


def test_what_people_read_stays(run: Run, game: Path) -> None:
    assert "Éloïse\u202f: «\u00a0ça\u00a0» ┌─┐" in run("play", str(game), "--auto", "--seed", "1").stdout


def test_junit_is_well_formed_and_harmless(run: Run, game: Path) -> None:
    written = run("test", str(game), "--format", "junit", code=1).stdout
    assert is_harmless(written)
    assert [each.get("name") for each in Xml.fromstring(written).iter("testcase")]


def test_no_cell_is_a_formula(run: Run, game: Path) -> None:
    told = run("simulate", str(game), "--games", "3", "--format", "csv").stdout
    cells = [each for row in csv.reader(io.StringIO(told)) for each in row]
    assert not [each for each in cells if each.startswith(("=", "+", "-", "@"))]
    assert cell("=1+1") == "'=1+1" and cell("-x") == "'-x" and cell(-3) == -3 and cell("a=b") == "a=b"


def test_json_keeps_every_character_escaped() -> None:
    data = {"x": f"{ESC}{BIDI}{C1}\x7f é ┌ \U000e0041"}
    assert is_harmless(json_text(data)) and json.loads(json_text(data)) == data


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_our_styles_and_no_others() -> None:
    out = Terminal()
    styled = "\x1b[1;31mred\x1b[0m \x1b]8;;https://example.org\x1b\\page\x1b]8;;\x1b\\ \r3 of 4"
    Harmless(cast(TextIO, out), lambda stream: stream.isatty()).write(styled)
    assert out.getvalue() == styled
    assert "\x1b" not in harmless(styled) and "\x1b" not in harmless(f"{ESC}\x1b[5A\x1bc", styled=True)
