"""A record played again: by its own rules, by others, and from files that are not what they say."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

import dsl
from tests.api.games import written
from tests.cli.conftest import DUEL, Run, changed

LAST = -1


@pytest.fixture
def record(run: Run) -> Path:
    run("play", DUEL, "--auto", "--seed", "4", "--record", "duel.json")
    return Path("duel.json")


def other(old: str, new: str) -> str:
    """Another version of the duel."""
    text = Path(DUEL, "duel.scn").read_text()
    assert old in text
    Path("duel").mkdir(exist_ok=True)
    Path("duel/duel.scn").write_text(text.replace(old, new))
    return "duel/duel.scn"


def test_a_replay_tells_the_same_story(run: Run, record: Path) -> None:
    told = run("play", DUEL, "--auto", "--seed", "4").stdout
    assert run("replay", str(record)).stdout.split() == told.split()


def test_it_stops_where_a_decision_is_to_be_made(run: Run, record: Path) -> None:
    told = run("replay", str(record), "--until", "3").stdout
    assert told.count("March") >= 2
    assert "decision 3" in told
    assert "Blue" in told or "blue" in told
    assert "fingerprint" not in told
    first = run("replay", str(record), "--until", "1").stdout
    assert "   1  March Knight to" in first
    assert "fingerprint" in run("replay", str(record), "--until", "99").stdout


def test_what_stops_can_be_saved_and_played_on(run: Run, record: Path) -> None:
    run("replay", str(record), "--until", "4", "-o", "part.json")
    part = json.loads(Path("part.json").read_text())
    assert len(part["choices"]) == 3
    on = run("play", "--load", "part.json", "--auto", "--verify").stdout
    whole = run("play", DUEL, "--auto", "--seed", "4").stdout
    assert on.splitlines()[LAST] == whole.splitlines()[LAST]


def test_as_a_player_only_what_he_may_know(run: Run, record: Path) -> None:
    told = run("replay", str(record), "--as", "blue").stdout
    assert told.count("red: March Knight to a2") == 1
    assert "blue: March" in told
    assert "no player `green`" in run("replay", str(record), "--as", "green", code=2).stderr


# ---------------------------------------------------------------- against other rules


def test_the_same_rules_go_the_same_way(run: Run, record: Path) -> None:
    assert "the rules are the same" in run("replay", str(record), "--against", DUEL).stdout


def test_a_changed_prohibition_is_the_cause(run: Run, record: Path) -> None:
    new = other(
        "    need u.owner is p                                               [house]\n",
        "    need u.owner is p                                               [house]\n"
        '    need u is not knight or round > 1 "knights wait"                [DU-9]\n',
    )
    told = run("replay", str(record), "--against", new, code=1).stdout
    assert told.startswith("decision 1: ")
    assert "march(knight_1, a2)" in told
    assert 'is no longer legal, refused by [DU-9] "knights wait" (' in told
    assert "likely because:" in told
    assert "new: `need u is not knight" in told


def test_a_changed_effect_is_the_cause(run: Run, record: Path) -> None:
    new = other("glory gains up to roll 1d6 ", "glory gains up to roll 2d6 ")
    told = run("replay", str(record), "--against", new, code=1).stdout
    assert told.startswith("decision 2: after red: march(knight_1, a2): glory is ")
    assert (
        "likely because:\n    `glory gains up to roll 2d6`, was `glory gains up to roll 1d6` [DU-4]" in told
    )
    assert told.endswith("the games have differed since decision 2\n")


def test_a_game_that_has_no_such_player_or_option(run: Run) -> None:
    run("play", DUEL, "--auto", "--seed", "4", "--option", "pride=loud", "--record", "loud.json")
    new = other('ruling pride: calm | loud = calm en "How proud they are"\n', "")
    Path(new).write_text(Path(new).read_text().replace("    if pride is loud: glory gains up to 1\n", ""))
    told = run("replay", "loud.json", "--against", new, code=1).stdout
    assert "decision 1: the game cannot begin: there is no option `pride`" in told
    assert "there is no option `pride` any more" in told


def test_a_game_carried_over_to_other_rules(run: Run, record: Path) -> None:
    new = other("rounds 3", "rounds 4")
    told = run("replay", str(record), "--against", new, "-o", "new.json", code=1).stdout
    assert told.startswith("decision 7: after blue: march(archer_1, a2): round is 4, was 3")
    assert "all 6 decisions can still be made" in told
    on = run("play", "--load", "new.json", "--auto", "--verify").stdout
    assert re.search(r"[78] decisions\nfingerprint", on)


def test_a_mod_is_another_version(run: Run, record: Path) -> None:
    Path("slow.scn").write_text(
        'mod slow for duel:\n    language 1\nforbid march when u.owner is red and glory is 0 "not yet"    [house]\n'
    )
    told = run("replay", str(record), "--against", DUEL, "--with", "slow.scn", code=1).stdout
    assert "not yet" in told


def test_a_body_that_no_citation_tells_is_named(run: Run, record: Path) -> None:
    new = other("draw 1 from deck to hand(p)", "draw 2 from deck to hand(p)")
    told = run("replay", str(record), "--against", new, code=1).stdout
    assert told.startswith("decision 1: ")
    assert "what `setup` does has changed" in told or "does has changed" in told


# ---------------------------------------------------------------- the game has moved on


def test_a_game_that_has_moved_on_says_what_changed(run: Run, record: Path) -> None:
    new = other("rounds 3", "rounds 4")
    moved = changed(record, {"target": new})
    result = run("play", "--load", moved, "--auto", code=2)
    assert "error[E0504]" in result.stderr
    assert f"scenarii replay {moved} --against {new}" in result.stderr
    assert json.loads(Path(moved).read_text())["target"] == new
    on = run("play", "--load", moved, "--auto", "--own-rules", "--verify").stdout
    assert on.splitlines()[LAST] == run("play", DUEL, "--auto", "--seed", "4").stdout.splitlines()[LAST]
    assert run("replay", moved).stdout == run("replay", str(record)).stdout


def test_a_mod_that_has_moved_on(run: Run) -> None:
    mod = 'mod slow for duel:\n    language 1\nforbid march when glory > 20 "enough"    [house]\n'
    Path("slow.scn").write_text(mod)
    run("play", DUEL, "--with", "slow.scn", "--auto", "--seed", "4", "--record", "d.json")
    told = run("play", "--load", "d.json", "--auto", "--verify").stdout
    Path("slow.scn").write_text(mod.replace("> 20", "> 4"))
    moved = run("play", "--load", "d.json", "--auto", code=2).stderr
    assert "changed: `forbid march when glory > 4" in moved
    assert "--with slow.scn" in moved
    parted = run("replay", "d.json", "--against", DUEL, "--with", "slow.scn", code=1).stdout
    assert "is no longer legal, refused by" in parted
    assert "enough" in parted
    on = run("play", "--load", "d.json", "--auto", "--own-rules").stdout
    assert on.splitlines()[LAST] == told.splitlines()[LAST]
    bare = run("play", DUEL, "--load", "d.json", "--auto", code=2).stderr
    assert "E0504" in bare


def test_a_stranger_s_names_are_no_control_sequences(run: Run, record: Path) -> None:
    new = other("rounds 3", "rounds 4")
    evil = changed(record, {"target": new, "mods": [], "game": "\x1b[2J"})
    assert "\x1b" not in run("play", "--load", evil, "--auto", code=2).stderr


def test_a_record_without_rules_needs_those_of_then(run: Run, record: Path) -> None:
    bare = changed(record, {"rules": ""})
    assert run("replay", bare).stdout == run("replay", str(record)).stdout
    gone = changed(record, {"rules": "", "target": other("rounds 3", "rounds 4")})
    assert "E0504" in run("replay", gone, code=2).stderr
    assert "own rules" not in run("play", "--load", gone, "--auto", code=2).stderr
    assert "E0504" in run("play", "--load", gone, "--auto", "--own-rules", code=2).stderr


# ---------------------------------------------------------------- hostile files


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode()


@pytest.mark.parametrize(
    "rules",
    [
        "AAAA",
        "%%%",
        packed(b""),
        packed(b"{}"),
        packed(b'{"format": "scenarii-program"}'),
        packed(b" " * 100_000_000),
    ],
    ids=["short", "no base 64", "empty", "other", "no program", "bomb"],
)
def test_rules_that_are_not_those_it_names(run: Run, record: Path, rules: str) -> None:
    bad = changed(record, {"rules": rules})
    for args in (["replay", bad], ["play", "--load", bad, "--auto", "--own-rules"]):
        assert "error[E0503]" in run(*args, code=1).stderr


@pytest.mark.parametrize(
    "values",
    [
        {"choices": [[0, [99]]]},
        {"choices": [[99, []]]},
        {"choices": [[0, [[1], {}]]]},
        {"options": {"pride": "proud"}},
        {"players": ["random"] * 5},
        {"checks": [[1]]},
        {"checks": {"1": ""}},
        {"checks": [[1, "00"]]},
        {"rules": 7},
    ],
)
def test_records_that_were_changed(run: Run, record: Path, values: dict[str, object]) -> None:
    bad = changed(record, values)
    if "players" in values:
        assert "duel has 2 players" in run("replay", bad, code=2).stderr
        return
    if "options" in values:
        assert "no choice `proud`" in run("replay", bad, code=2).stderr
    elif values != {"checks": [[1, "00"]]}:
        assert "error[E0503]" in run("replay", bad, code=1).stderr
    assert "error[E0503]" in run("play", "--load", bad, "--verify", "--auto", code=1).stderr


def test_fingerprints_on_the_way_are_checked(run: Run) -> None:
    new = other("rounds 3", "rounds 30")
    Path(new).write_text(Path(new).read_text().replace("gains up to roll 1d6", "gains up to 1"))
    Path(new).write_text(Path(new).read_text().replace("when glory >= 25", "when glory < 0"))
    run("play", new, "--auto", "--seed", "4", "--record", "long.json")
    checks = json.loads(Path("long.json").read_text())["checks"]
    assert [number for number, _ in checks][:2] == [25, 50]
    bad = changed(Path("long.json"), {"checks": [[25, "00" * 32]]})
    assert "by choice 25" in run("play", "--load", bad, "--auto", "--verify", code=1).stderr
    assert "decision 25" in run("replay", bad, code=1).stderr


def test_a_review_tells_what_was_thrown_away(run: Run, tmp_path: Path) -> None:
    game = dsl.load(written(tmp_path)).start(seed=3)
    for cell in (
        "b2",
        "a1",
        "b1",
        "b3",
        "c1",
        "c3",
        "a2",
        "a3",
    ):  # c3 does not block x on a3; then x does not win there
        game.choose(f"Mark {cell}")
    game.save("oxo.json")
    told = run("replay", "oxo.json", "--review", "400").stdout
    slips = told[told.index("what cost most") :].splitlines()[1:3]
    assert sorted(each[:24] for each in slips) == [
        "  decision 6, o: Mark c3",
        "  decision 7, x: Mark a2",
    ]
    assert all("; Mark a3 promised" in each for each in slips)
    assert run("replay", "oxo.json", "--review", "400").stdout == told
    assert "decision 7" not in run("replay", "oxo.json", "--review", "400", "--as", "o").stdout


def test_a_review_is_of_one_game_and_takes_its_time(run: Run, record: Path) -> None:
    assert "--review" in run("replay", str(record), "--review", "9", "--against", DUEL, code=2).stderr
    assert "is no time to think" in run("replay", str(record), "--review", "soon", code=2).stderr
