"""Saves as tests: each is run before it is given, and the test leads to the state of the save."""

from pathlib import Path

import pytest

from tests.cli.conftest import DUEL, Run, changed

THORNS = Path(__file__).parent.parent / "thorns"


def saved(run: Run, game: str, at: int) -> str:
    run("play", game, "--auto", "--seed", "4", "--record", "whole.json")
    run("replay", "whole.json", "--until", str(at), "-o", "part.json")
    return "part.json"


def test_a_state_is_given_and_what_was_under_way_is_run(run: Run) -> None:
    file = saved(run, DUEL, 3)
    found = run("save-to-test", file, "--title", "two have marched")
    assert "it gives the state" in found.stderr
    assert found.stdout.startswith('test "two have marched":\n    given:\n')
    assert "        place knight of red at a2 as knight_1\n" in found.stdout
    assert "        move spark_1 to hand(blue)\n" in found.stdout
    assert "    run skirmish\n" in found.stdout


def test_what_is_in_the_middle_is_played_from_the_beginning(run: Run) -> None:
    found = run("save-to-test", saved(run, DUEL, 2))
    assert "plays from the beginning, because it stands in the middle" in found.stderr
    assert "    shuffles 2, 0, 1, 3\n    rolls 5\n" in found.stdout
    assert '    red: "March Knight to a2"\n' in found.stdout


def test_a_test_is_added_to_a_file_and_runs_there(run: Run) -> None:
    Path("duel/tests").mkdir(parents=True)
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text())
    for at in (2, 3):
        run("save-to-test", saved(run, "duel", at), "-o", "duel/tests/saves.scn")
    assert run("test", "duel").stdout == "3 tests passed\n"
    text = Path("duel/tests/saves.scn").read_text().replace("expect glory is 7", "expect glory is 8")
    Path("duel/tests/saves.scn").write_text(text)
    assert "2 of 3 tests passed" in run("test", "duel", code=1).stdout


@pytest.mark.parametrize("game", ["knockback", "overwatch", "outposts"])
def test_saves_of_thorny_games(run: Run, game: str) -> None:
    run("play", str(THORNS / game), "--auto", "--seed", "3", "--record", "whole.json")
    for at in (1, 2, 5, 12, 23):
        run("replay", "whole.json", "--until", str(at), "-o", "part.json")
        told = run("save-to-test", "part.json").stderr
        assert "it was run, and leads to the state of the save" in told


def test_cards_that_a_test_cannot_tell_apart_are_refused(run: Run) -> None:
    run("play", str(THORNS / "rebuttal"), "--auto", "--seed", "3", "--record", "whole.json")
    run("replay", "whole.json", "--until", "12", "-o", "part.json")
    told = run("save-to-test", "part.json", code=1)
    assert "no test leads to where part.json stands: it leads to another state" in told.stderr
    assert told.stdout == ""


def test_saves_that_cannot_be_trusted(run: Run) -> None:
    bad = changed(Path(saved(run, DUEL, 3)), {"choices": [[0, [99]]]})
    assert "error[E0503]" in run("save-to-test", bad, code=1).stderr
    other = changed(Path("part.json"), {"program": "00" * 32})
    assert "error[E0504]" in run("save-to-test", other, code=2).stderr
    assert "in .scn" in run("save-to-test", "part.json", "-o", "x.txt", code=2).stderr
    assert "E0001" in run("save-to-test", "none.json", code=2).stderr
