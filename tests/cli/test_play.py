import json
import os
from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from tests.cli.conftest import DUEL, Run, changed, steady
from tests.examples import CLASSICS

SEATED = str(Path(__file__).parents[1] / "corpus" / "language" / "good" / "seated_cards.scn")
SLOW = """game slow:
    players ann
    rounds 2
map field on squares(12, 12)
state of Cell:
    mark: 0..9
value crowd(c: Cell) -> 0..999 = count d in Cell where distance(c, d) + d.mark > 3
action look(c: Cell) by p "{c}": c.mark = 1
round:
    ann chooses: look(c) for c in Cell where crowd(c) > 2
"""


def test_the_story_of_a_game(run: Run, snapshot: Snapshot) -> None:
    told = run("play", DUEL, "--auto", "--seed", "4").stdout
    snapshot.assert_match(steady(told), "story.txt")
    assert run("play", DUEL, "--auto", "--seed", "4").stdout == told


def test_the_story_in_french(run: Run, snapshot: Snapshot) -> None:
    told = run("play", DUEL, "--auto", "--seed", "4", "--lang", "fr", "--option", "pride=loud").stdout
    snapshot.assert_match(steady(told), "story_fr.txt")


def test_a_game_is_played_in_the_language_of_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    auto = ("play", DUEL, "--auto", "--seed", "4")
    french, english = (run(*auto, "--lang", each).stdout for each in ("fr", "en"))
    assert run(*auto).stdout == english != french
    assert run("play", "cristal_et_acier", "--auto", "--until", "1").stdout.count("Round 1") == 1
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")
    assert run(*auto, "--record", "french.json").stdout == french
    assert run(*auto, "--lang", "en").stdout == english
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert run(*auto).stdout == english
    resumed = run("play", "--load", "french.json", "--auto").stdout
    assert resumed.splitlines()[-1] == french.splitlines()[-1]
    seats = run("play", DUEL, "--players", "human,human,human", "--lang", "fr", code=2).stderr
    assert "duel a 2 joueurs (red, blue), et 3 sont donnés" in seats
    nobody = run("play", SEATED, "--option", "players=2", "--as", "blue", "--lang", "en", code=2).stderr
    assert "`blue` has no seat in this game: red, green play" in nobody


FALLING = """game falling:
    players ann, bob, cid
    rounds 3
action go by p "Go": nothing
action stay by p "Stay": nothing
round:
    for p in order of play:
        p chooses:
            go
            stay
defeat cid when round is 1
"""


def test_who_is_out_by_now_had_a_seat(run: Run) -> None:
    Path("falling.scn").write_text(FALLING)
    run("play", "falling.scn", "--auto", "--seed", "1", "--record", "whole.json")
    run("replay", "whole.json", "--until", "4", "-o", "part.json")
    told = run("play", "--load", "part.json", "--as", "cid", "--lang", "en", code=2).stderr
    assert "there is no terminal" in told and "no seat" not in told


def test_the_last_lines_have_room_on_a_terminal(run: Run) -> None:
    told = run("play", DUEL, "--auto", "--seed", "4").stdout.splitlines()
    assert told[-2] == "6 decisions" and told[-1].startswith("fingerprint ")
    assert max(map(len, told)) <= 80


def test_no_colour_off_a_terminal(run: Run) -> None:
    assert "\x1b" not in run("play", DUEL, "--auto", "--seed", "4").stdout


def test_a_record_is_a_save_of_the_whole_game(run: Run, snapshot: Snapshot) -> None:
    told = run("play", DUEL, "--auto", "--seed", "4", "--record", "duel.json").stdout
    record = json.loads(Path("duel.json").read_text())
    assert record["moves"][0] == "red: March Knight to a2"
    assert len(record["choices"]) == len(record["moves"]) == 6
    assert record["outcome"] == {"kind": "bound", "winners": [], "reason": ""}
    again = run("play", "--load", "duel.json", "--auto", "--verify").stdout
    assert again.splitlines()[-1] == told.splitlines()[-1]


def test_a_record_keeps_how_many_steps_a_decision_may_take(run: Run) -> None:
    run("play", DUEL, "--auto", "--seed", "4", "--steps", "1500", "--record", "duel.json")
    assert json.loads(Path("duel.json").read_text())["steps"] == 1500
    run("play", "--load", "duel.json", "--auto", "--record", "again.json")
    assert json.loads(Path("again.json").read_text())["steps"] == 1500
    run("replay", "duel.json", "--until", "3", "-o", "third.json", "--steps", "2000")
    assert json.loads(Path("third.json").read_text())["steps"] == 2000
    assert "1000 to 1000000000" in run("play", DUEL, "--auto", "--steps", "5", code=2).stderr


def test_too_few_steps_are_told_with_what_took_them(run: Run) -> None:
    Path("slow.scn").write_text(SLOW)
    told = run("play", "slow.scn", "--auto", "--seed", "1", "--steps", "1500", code=1).stderr
    assert "more than 1,500 steps between two decisions" in told
    assert "`value crowd` at" in told
    assert "--steps 3000" in told
    assert "`value crowd`" in run("check", "slow.scn", "--play", "1", "--steps", "1500", code=1).stdout
    run("play", "slow.scn", "--auto", "--seed", "1")
    assert "2000 steps" not in run("simulate", "slow.scn", "--games", "2", "--steps", "900000").stdout
    assert "E0608" in run("simulate", "slow.scn", "--games", "2", "--steps", "1500", code=1).stdout


def test_a_record_does_not_write_over_something_else(run: Run) -> None:
    Path("notes.json").write_text('{"format": "notes"}')
    run("play", DUEL, "--auto", "--record", "notes.json", code=2)
    assert Path("notes.json").read_text() == '{"format": "notes"}'


@pytest.fixture
def record(run: Run) -> Path:
    run("play", DUEL, "--auto", "--seed", "4", "--record", "duel.json")
    return Path("duel.json")


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"program": "00" * 32}, "E0504"),
        ({"choices": [[0, [99]]]}, "E0503"),
        ({"choices": [[0, "x"]]}, "E0503"),
        ({"choices": [[0, [[1], {}]]]}, "E0503"),
        ({"choices": "none"}, "E0503"),
        ({"seed": True}, "E0503"),
        ({"seed": 5}, "E0503"),
        ({"options": {"pride": "proud"}}, "E0503"),
        ({"options": {"pride": [1]}}, "E0503"),
        ({"snapshot": "AAAA"}, "E0503"),
        ({"snapshot": "%%%"}, "E0503"),
        ({"fingerprint": "ab"}, "E0503"),
        ({"version": 9}, "E0503"),
        ({"format": "scenarii-program"}, "E0503"),
        ({"moves": [1]}, "E0503"),
        ({"steps": 10}, "E0503"),
        ({"steps": 2**40}, "E0503"),
        ({"steps": True}, "E0503"),
        ({"target": "no_such_game"}, "E0010"),
    ],
)
def test_a_save_that_was_changed_is_refused(
    run: Run, record: Path, values: dict[str, object], code: str
) -> None:
    bad = changed(record, values)
    told = run(
        "play", "--load", bad, "--auto", "--verify", code=2 if code in {"E0010", "E0504"} else 1
    ).stderr
    assert f"error[{code}]" in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "data", [b"", b"\0\xff", b"[" * 100_000, b"{}", b'{"format": "scenarii-game"}', b"SCNS"]
)
def test_what_is_no_save_is_refused(run: Run, data: bytes) -> None:
    Path("bad.json").write_bytes(data)
    assert "error[E0503]" in run("play", "--load", "bad.json", "--auto", code=1).stderr


def test_a_save_cut_anywhere_is_refused(run: Run, record: Path) -> None:
    data = record.read_bytes()
    for size in range(0, len(data) - 2, 149):
        Path("cut.json").write_bytes(data[:size])
        assert "error[E0503]" in run("play", "--load", "cut.json", "--auto", code=1).stderr


def test_a_missing_save_and_a_folder(run: Run) -> None:
    assert "E0001" in run("play", "--load", "none.json", "--auto", code=2).stderr
    assert "E0001" in run("play", "--load", os.curdir, "--auto", code=2).stderr


def test_a_setup_that_fails_is_told(run: Run) -> None:
    text = Path(DUEL, "duel.scn").read_text().replace("    shuffle deck\n", "    glory loses 1\n")
    Path("duel").mkdir()
    Path("duel/duel.scn").write_text(text)
    told = run("play", "duel", "--auto", code=1).stderr
    assert "error[E0601]" in told
    assert "duel/duel.scn:" in told


def test_a_value_taken_at_once_is_told_with_what_was_asked(run: Run) -> None:
    Path("one.scn").write_text(
        "game one:\n    players ann, bob\n    rounds 1\nstate:\n    n: 0..9\nround:\n"
        '    ann chooses k in {3} "How many?"\n    n = k\n',
        encoding="utf-8",
    )
    assert "ann: How many? 3" in run("play", "one.scn", "--auto", "--seed", "1").stdout


def test_an_action_taken_at_once_is_told_in_the_words_of_its_menu(run: Run) -> None:
    """Where it has no words of its own nothing else tells of it; what its menu reads of secrets stays hidden."""
    Path("one.scn").write_text(
        "game one:\n    players ann, bob\n    rounds 1\nstate:\n    n: 0..9\n    dark: 0..9 = 4, seen by bob\n"
        "action put(k: 0..9):\n    n = k\naction add: n gains up to 1\n"
        'action named "Add two": n gains up to 2\n'
        'menu all:\n    put(k) "Put {k} on the table" for k in {3}\n'
        'round:\n    ann chooses: all\n    bob chooses: add "Put beside {dark}"\n    bob chooses: named "Two"\n',
        encoding="utf-8",
    )
    for engine in ("python", "wasm"):
        told = run("play", "one.scn", "--auto", "--seed", "1", "--engine", engine).stdout
        assert "ann: Put 3 on the table" in told
        assert "bob: Put beside 4" in told
        assert "Add two" in told
        assert "Two" not in told.replace("Add two", "")
        assert (
            "bob: Put beside ?" in run("play", "one.scn", "--auto", "--as", "ann", "--engine", engine).stdout
        )


def test_computer_players(run: Run) -> None:
    """Equal seeds and numbers of playouts give the same game."""
    asked = ("play", str(CLASSICS / "tic_tac_toe"), "--players", "mcts:300,greedy", "--seed", "5")
    told = run(*asked).stdout
    assert run(*asked).stdout == told
    assert "End: " in told
