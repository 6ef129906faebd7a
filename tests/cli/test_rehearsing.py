"""`check` begins what it has compiled, and tells of rules that fail in the first moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.cli.main import cli

CROWDED = """\
game crowded:
    players red
    rounds 3

piece Guard, up to 5:
    at: Cell

map yard on squares(2, 2)

setup: place 5 Guard at Cell
action wait by p: nothing
round:
    for p in order of play:
        p chooses: wait
"""
LATER = """\
game later:
    players red
    rounds 30

state:
    load: 0..9
action heave by p: load gains 3
action wait by p: nothing

mode easy "Easy":
    round:
        for p in order of play:
            p chooses: wait

mode hard "Hard":
    round:
        for p in order of play:
            p chooses:
                heave
                heave "Again"
"""
HEAVY = """\
game heavy:
    players red
    rounds 9

state:
    load: 0..8
action heave by p:
    repeat 9 times:
        repeat 900 times:
            if (count n in 1..900 where n > load) is 0: load = 0
    load gains 1
round:
    for p in order of play:
        p chooses:
            heave
            heave "Again"
"""


def check(folder: Path, text: str) -> Result:
    path = folder / "game.scn"
    path.write_text(text, encoding="utf-8")
    return CliRunner().invoke(cli, ["check", str(path)])


def test_a_setup_that_fails_is_told_at_its_line(tmp_path: Path) -> None:
    told = check(tmp_path, CROWDED)
    assert told.exit_code == 1, told.output
    assert "error[E0611]" in told.output and "game.scn:10" in told.output
    assert "the game does not begin" in told.output
    assert check(tmp_path, CROWDED.replace("place 5", "place 4")).exit_code == 0


def test_each_mode_is_begun_and_the_command_names_it(tmp_path: Path) -> None:
    told = check(tmp_path, LATER)
    assert told.exit_code == 1, told.output
    assert "error[E0601]" in told.output and "after 3 decisions" in told.output
    assert "--option mode=hard" in told.output
    command = told.output.partition("comes there: scenarii ")[2].split("\n")[0].split()
    shown = CliRunner().invoke(cli, command)
    assert "E0601" in shown.output


def test_a_game_with_the_fewest_players_is_begun(tmp_path: Path) -> None:
    """Who is named in a rule may have no seat there."""
    text = LATER.replace("players red", "players 1..2: red, blue").replace(
        "load gains 3", "load gains up to 3"
    )
    assert check(tmp_path, text).exit_code == 0
    told = check(tmp_path, f"{text}before wait: blue chooses n in 1..2\n")
    assert told.exit_code == 1, told.output
    assert "error[E0606]" in told.output and "--option players=1" in told.output


def test_what_takes_many_steps_is_left_to_play(tmp_path: Path) -> None:
    told = check(tmp_path, HEAVY)
    assert told.exit_code == 0, told.output


def test_what_was_seen_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path_factory.mktemp("cache")))
    first = check(tmp_path, LATER)

    def never(_machine: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr("dsl.authoring.rehearsal.rehearse", never)
    assert check(tmp_path, LATER).output == first.output


TRIED = """
test "heaving":
    run heave by red
    expect load is {load}
"""


@pytest.mark.parametrize("edit", ["test", "comment", "rule", "label", "mode"])
def test_an_edit_of_tests_plays_nothing_and_one_of_rules_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, edit: str
) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path_factory.mktemp("cache")))
    calm = LATER.replace("0..9", "0..900")
    assert check(tmp_path, f"{calm}{TRIED.format(load=3)}").exit_code == 0
    played: list[object] = []

    def noted(machine: object) -> tuple[object, ...]:
        played.append(machine)
        return ()

    monkeypatch.setattr("dsl.authoring.rehearsal.rehearse", noted)
    after = {
        "test": f"{calm}{TRIED.format(load=2)}",
        "comment": f"# calm\n{calm}{TRIED.format(load=1)}",
        "rule": f"{calm.replace('load gains 3', 'load gains 2')}{TRIED.format(load=2)}",
        "label": f"{calm.replace('Again', 'Anew')}{TRIED.format(load=3)}",
        "mode": f"{calm.replace('mode easy', 'mode simple')}{TRIED.format(load=3)}",
    }[edit]
    assert check(tmp_path, after).exit_code == 0
    assert bool(played) is (edit in {"rule", "label", "mode"})
