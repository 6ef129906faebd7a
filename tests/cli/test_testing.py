"""How tests are told: to people, to build servers, and again after each change."""

import re
import time
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.cli.conftest import DUEL, Run
from tests.cli.terminal import Terminal

FAILING = """
test "two marches":                                     [DU-X1: DU-2, DU-4]
    given:
        place knight of red at a1
        place archer of blue at b1
        glory = 3
    rolls 2
    run skirmish
    red: march(knight, a2)
    expect glory is 6
test "nobody marches onto another":                     [DU-X2]
    given:
        place knight of red at a1
        place archer of blue at b1
    run skirmish
    red: march(knight, b1)
test "only read":
    expect glory is 7
"""


@pytest.fixture
def failing() -> str:
    Path("duel").mkdir()
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text() + FAILING)
    return "duel"


def test_a_failed_test_tells_its_lines_what_happened_and_the_board(run: Run, failing: str) -> None:
    told = run("test", failing, "-k", "two marches", code=1).stdout
    assert "expected glory is 6: glory is 5" in told
    assert re.search(r"\d+  rolls 2\n +\d+  run skirmish\n +\d+  red: march\(knight, a2\)\n", told)
    assert re.search(r"> +\d+  expect glory is 6\n", told)
    assert "March Knight to a2  [DU-2]" in told
    assert "Glory 3 \N{RIGHTWARDS ARROW} 5" in told
    assert "the board then:\n" in told
    assert "kn" in told.partition("the board then:")[2]
    assert told.endswith("0 of 1 test passed\n")


def test_a_piece_is_drawn_at_its_place_alone(run: Run) -> None:
    """Another field of it that holds a cell is not a place of it."""
    Path("steps.scn").write_text(
        "game steps:\n    players ann\n    rounds 2\nmap field on squares(3, 1)\n"
        "piece Rider, up to 1:\n    at: Cell\n    aim: Cell?\n    before: Cell = b1\n"
        'action ride(r: Rider) by p "Ride": r.at = b1\n'
        "round:\n    ann chooses: ride(r) for r in Rider\n"
        'test "not there":\n    given: place Rider at a1 with aim = c1\n    run ride(Rider at a1) by ann\n'
        "    expect no r in Rider where r.at is b1\n"
    )
    told = run("test", "steps.scn", code=1).stdout.partition("the board then:")[2]
    assert len(re.findall(r"\bRi\b", told)) == 2, told  # on the field, and in the legend
    assert re.search(r"\. +Ri +\.", told)


def test_a_failed_test_is_told_in_a_language(run: Run) -> None:
    """Labels that the author gave in it; where there are none, those that there are."""
    Path("two.scn").write_text(
        "game two:\n    players red, blue\n    rounds 2\n\n"
        'state:\n    gold: 0..9, called fr "Or" en "Gold"\n    iron: 0..9, called fr "Fer"\n\n'
        'action earn by p fr "Gagner" en "Earn":\n    gold gains 2\n    iron gains 1\n\n'
        'action rest by p fr "Attendre" en "Wait": iron gains 1\n\n'
        "round:\n    for p in order of play:\n        p chooses:\n            earn\n            rest\n\n"
        'test "once":\n    red: earn\n    red: earn\n'
    )
    told = run("test", "two.scn", "--lang", "en", code=1).stdout
    assert 'earn "Earn"' in told and "Gold" in told
    assert "Gagner" not in told and "Fer" in told
    told = run("test", "two.scn", "--lang", "fr", code=1).stdout
    assert 'earn "Gagner"' in told and "Earn" not in told


def test_a_refused_move_names_the_clauses(run: Run, failing: str) -> None:
    told = run("test", failing, "-k", "nobody", code=1).stdout
    assert 'refused by [DU-3] "somebody stands there" (' in told
    assert "> " in told


def test_a_place_within_a_message_is_a_file_that_there_is(run: Run) -> None:
    """A game of one file lies in no folder of its name; a piece of text that looks like a place of none is left."""
    Path("alone.scn").write_text(
        "game alone:\n    players red\n    rounds 2\nstate:\n    gold: 0..9\n"
        'action buy by p "Buy":\n    need gold > 1 "too dear, see notes.scn:3"\n    gold loses 1\n'
        "round:\n    red may: buy\n"
        'test "poor":\n    expect legal buy by red\n'
    )
    told = run("test", "alone.scn", code=1).stdout
    assert 'refused by "too dear, see notes.scn:3" (alone.scn:7)' in told
    assert "alone/" not in told
    Path("deep").mkdir()
    Path("alone.scn").rename("deep/alone.scn")
    assert "(deep/alone.scn:7)" in run("test", "deep/alone.scn", code=1).stdout


def test_what_only_reads_shows_no_board(run: Run, failing: str) -> None:
    assert "the board then" not in run("test", failing, "-k", "only read", code=1).stdout


def test_junit(run: Run, failing: str) -> None:
    root = Xml.fromstring(run("test", failing, "--format", "junit", code=1).stdout)
    (suite,) = root
    assert suite.attrib["tests"] == "4"
    assert suite.attrib["failures"] == "3"
    failures = {case.attrib["name"]: case.find("failure") for case in suite}
    assert failures["a march may win glory"] is None
    found = failures["two marches"]
    assert found is not None
    assert found.attrib["message"].startswith("expected glory is 6")
    assert "run skirmish" in (found.text or "")


def test_junit_in_a_file(run: Run) -> None:
    assert run("test", DUEL, "--format", "junit", "-o", "out.xml").stdout == "1 test passed\n"
    assert Xml.parse("out.xml").getroot().tag == "testsuites"
    run("test", DUEL, "--format", "junit", "-o", "nowhere/out.xml", code=2)
    run("test", DUEL, "-o", "out.xml", code=2)


def test_what_xml_cannot_hold_is_replaced(run: Run) -> None:
    Path("duel").mkdir()
    text = Path(DUEL, "duel.scn").read_text().replace("a march may win", "a \x01 <march> & may win")
    Path("duel/duel.scn").write_text(text)
    root = Xml.fromstring(run("test", "duel", "--format", "junit").stdout)
    assert root[0][0].attrib["name"] == "a \N{REPLACEMENT CHARACTER} <march> & may win glory"


@pytest.mark.parametrize("command", ["check", "test"])
def test_watching(command: str) -> None:
    Path("duel").mkdir()
    file = Path("duel/duel.scn")
    good = Path(DUEL, "duel.scn").read_text()
    file.write_text(good)
    terminal = Terminal(command, "duel", "--watch")
    terminal.until("Ctrl-C stops")
    time.sleep(0.3)
    file.write_text(good.replace("glory gains up to roll", "glry gains up to roll"))
    terminal.until("did you mean `glory`?", "Ctrl-C stops")
    file.write_text(good)
    terminal.until("all is well" if command == "check" else "1 test passed", "Ctrl-C stops")
    terminal.send("\x03")
    assert terminal.ends() == 0
    assert "Traceback" not in terminal.seen


PROMISES = """
always "glory is rare":                                 [DU-X9]
    glory < 3
always "units stand apart": no u in Unit where (any v in Unit where v is not u and v.at is u.at)
"""


@pytest.fixture
def promising() -> str:
    Path("duel").mkdir()
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text() + PROMISES)
    return "duel"


def test_a_broken_promise_is_told_with_the_way_to_it(run: Run, promising: str) -> None:
    told = run("test", promising, "--games", "8", code=1).stdout
    found = re.search(r"in (\d+) of 8 random games, first with seed (\d+), decision (\d+)\n", told)
    assert found is not None, told
    assert 'FAILED always "glory is rare" [DU-X9]\n  --> duel/duel.scn:' in told
    assert 'always "glory is rare" is broken: glory < 3: it is ' in told
    assert "the last steps:\n" in told
    assert "units stand apart" not in told
    command = f"scenarii play duel --auto --seed {found[2]} --until {found[3]}"
    assert f"to see it: {command}\n" in told
    shown = run(*command.split()[1:]).stdout
    board = told.partition("the board then:\n")[2].partition("  to see it")[0]
    assert board in shown


def test_promises_are_chosen_like_tests(run: Run, promising: str) -> None:
    assert run("test", promising, "-k", "apart").stdout == "1 promise kept\n"
    assert "0 of 1 promise kept" in run("test", promising, "--id", "DU-X9", code=1).stdout
    assert "0 of 1 promise kept" not in run("test", promising, "--id", "DU-X9", "--games", "0").stdout


def test_a_game_is_played_up_to_a_decision_only_by_chance(run: Run) -> None:
    assert "--until N goes with --auto" in run("play", DUEL, "--until", "3", code=2).stderr


def test_random_games_tell_what_they_broke(run: Run, promising: str) -> None:
    told = run("check", promising, "--play", "6", code=1).stdout
    assert re.search(
        r'finding: always "glory is rare" is broken: .* games, first at decision \d+ \(--seed \d\)', told
    )


def test_junit_names_the_files_of_a_game_of_one_file(run: Run) -> None:
    Path("solo.scn").write_text(
        "game solo:\n    players ann\n    rounds 2\nstate:\n    score: 0..9\nround:\n"
        "    ann chooses n in 1..2\n    score gains n\n"
        'test "it begins":\n    expect score is 0\nalways "it is small": score < 3\n',
        encoding="utf-8",
    )
    for target, where in (("solo.scn", "solo.scn"), ("../work/solo.scn", "solo.scn")):
        cases = Xml.fromstring(run("test", target, "--format", "junit", code=1).stdout).findall(".//testcase")
        assert [each.get("file") for each in cases] == [where, where]
        assert "solo/" not in "".join(text for each in cases for text in each.itertext())
