"""`scenarii draw`: the forms of a picture, moments, viewers, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from defusedxml.ElementTree import parse

from dsl.cli.main import cli
from tests.fonts import NEEDS_FONT

ROOT = Path(__file__).parents[2]
OXO = str(ROOT / "examples" / "classics" / "tic_tac_toe")
POKER = str(ROOT / "examples" / "kuhn_poker")
VEILED = str(ROOT / "tests" / "figures" / "hidden" / "veiled.scn")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _draw(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["draw", *arguments])


def test_a_game_is_drawn_under_its_name() -> None:
    run = _draw(OXO)
    assert (run.exit_code, run.output) == (0, "drawn: tic_tac_toe.svg\n")
    assert Path("tic_tac_toe.svg").read_text().startswith("<svg ")


@NEEDS_FONT
@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG\r\n"), ("a.pdf", b"%PDF-1.")])
def test_other_forms_and_again_over_what_was_drawn(name: str, begins: bytes) -> None:
    for _ in range(2):
        assert _draw(OXO, "-o", name).exit_code == 0
        assert Path(name).read_bytes().startswith(begins)
    first = Path(name).read_bytes()
    assert _draw(OXO, "-o", name, "--turn", "3").exit_code == 0 and Path(name).read_bytes() != first


def test_what_a_player_alone_sees_is_drawn_for_him_alone() -> None:
    assert (
        _draw(VEILED, "-o", "all.svg").exit_code == 0
        and _draw(VEILED, "-o", "ann.svg", "--as", "ann").exit_code == 0
    )
    assert "Spy" in Path("ann.svg").read_text() and "Spy" not in Path("all.svg").read_text()


def test_a_record_is_drawn_at_any_of_its_moments() -> None:
    played = CliRunner().invoke(cli, ["play", OXO, "--auto", "--seed", "4", "--record", "r.json"])
    assert played.exit_code == 0
    for name, more in (("end", []), ("third", ["--turn", "3"]), ("strip", ["--turns", "strip"])):
        assert _draw("r.json", "-o", f"{name}.svg", *more).exit_code == 0
    assert Path("third.svg").read_text().count('class="piece"') == 3
    assert Path("end.svg").read_text().count('class="piece"') >= 5
    run = _draw("r.json", "--turn", "40")
    assert run.exit_code == 2 and "decisions were made in this game, not 40" in run.output


def test_an_animation_has_all_moments_in_turn() -> None:
    """Each on a sheet of one size, shown once in a round, and the last one longest."""
    played = CliRunner().invoke(cli, ["play", OXO, "--auto", "--seed", "4", "--record", "r.json"])
    assert played.exit_code == 0
    moments = int(re.findall(r"(\d+) decisions", played.output)[-1]) + 1
    assert _draw("r.json", "-o", "a.svg", "--turns", "animation").exit_code == 0
    root = parse("a.svg").getroot()
    frames = [each for each in root if each.get("class") == "frame"]
    assert len(frames) == moments
    assert [each.get("display") for each in frames] == ["inline"] + ["none"] * (moments - 1)
    pieces = [sum(one.get("class") == "piece" for one in each.iter()) for each in frames]
    assert pieces == list(range(moments))
    shown = [
        float(at)
        for one in root.iter()
        if one.tag.endswith("animate")
        for at, value in zip(one.get("keyTimes").split(";"), one.get("values").split(";"), strict=True)
        if value == "inline"
    ]
    assert shown == sorted(set(shown)) and len(shown) == moments
    assert 1 - shown[-1] > 2 * (shown[1] - shown[0])


@NEEDS_FONT
def test_an_animation_as_a_picture() -> None:
    images = pytest.importorskip("PIL.Image")
    for name in ("a.gif", "a.png"):
        run = _draw(OXO, "-o", name, "--turns", "animation", "--seed", "4")
        assert run.exit_code == 0, run.output
        with images.open(name) as picture:
            assert 6 <= picture.n_frames <= 10
            assert max(picture.size) <= 1_200


def test_a_strip_of_a_game_without_a_board_shows_what_players_have() -> None:
    assert _draw(POKER, "-o", "s.svg", "--turns", "strip", "--as", "first").exit_code == 0
    assert Path("s.svg").read_text().count("<text") > 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "a.gif"], "a picture's name ends with .svg, .png, .pdf"),
        (["-o", "a.pdf", "--turns", "animation"], "an animation's name ends with .svg, .gif, .png"),
        (["-o", "mine.svg", "--turns", "animation"], "is there already and is something else"),
        (["-o", "a.gif", "--turns", "animation", "--font", "mine.svg"], "is no font that can be used"),
        (["--as", "nobody"], "has no player `nobody`"),
        (["--turn", "1", "--turns", "strip"], "leave one of them out"),
        (["-o", "no/such/a.svg"], "cannot be written"),
        (["-o", "a.png", "--font", "none.ttf"], "none.ttf is not a file"),
        (["-o", "mine.svg"], "is there already and is something else"),
        (["-o", "a.png", "--font", "mine.svg"], "is no font that can be used"),
        (["-o", "a.pdf", "--font", "mine.svg"], "is no font that can be used"),
    ],
)
def test_what_is_refused(arguments: list[str], told: str) -> None:
    Path("mine.svg").write_text("my notes")
    run = _draw(OXO, *arguments)
    assert run.exit_code == 2 and told in run.output
    assert Path("mine.svg").read_text() == "my notes" and not Path("a.png").exists()


FORCED = """game forced:
    players ann, bob
    rounds 4

action go(k: 1..3) by p "Go {k}": nothing
action rest_now by p "Rest": nothing

round:
    ann chooses: rest_now
    ann chooses: rest_now
    bob chooses: go(k) for k in 1..3
"""


@pytest.mark.parametrize(("turn", "told"), [("1", ">1 decision<"), ("2", ">2 decisions<")])
def test_a_picture_tells_how_many_decisions_were_made_without_those_that_are_taken_at_once(
    turn: str, told: str
) -> None:
    Path("forced.scn").write_text(FORCED)
    assert _draw("forced.scn", "--turn", turn, "--lang", "en").exit_code == 0
    assert told in Path("forced.svg").read_text()
