"""`--profile`: the tables, the JSON, the file for a flame graph, and what does not go with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.examples import CLASSICS, RUIN

REVERSI = str(CLASSICS / "reversi")
TIC_TAC_TOE = str(CLASSICS / "tic_tac_toe")


def test_the_tables_follow_the_figures(run: Run) -> None:
    told = run("simulate", REVERSI, "--games", "3", "--seed", "2", "--profile").stdout
    figures, _, profile = told.partition("\nprofile: ")
    assert figures.startswith("reversi: 3 random games, seeds 2 to 4\n")
    heads, _, lines = profile.partition("  line\n")
    assert "  may play  " in heads
    assert "  menu p chooses" in heads
    assert "reversi.scn:25  need any n in around(c)" in lines
    shares = [float(each.split("%")[0]) for each in lines.splitlines()]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert shares[:-1] == sorted(shares[:-1], reverse=True)


def test_the_json_has_all_of_it(run: Run) -> None:
    arguments = ("simulate", REVERSI, "--games", "2", "--seed", "1", "--format", "json")
    plain = json.loads(run(*arguments).stdout)
    first, second = (json.loads(run(*arguments, "--profile").stdout) for _ in range(2))
    profile = first["profile"]
    assert sum(each["steps"] for each in profile["lines"]) == profile["steps"] > 10_000
    head = next(each for each in profile["heads"] if each["head"] == "value closes_in")
    assert (head["file"], head["line"]) == ("reversi/reversi.scn", 19)
    assert {"runs", "steps", "total_steps", "seconds", "total_seconds"} < set(head)

    def steps(data: dict[str, dict[str, list[dict[str, int]]]]) -> list[tuple[int, int]]:
        return [(each["steps"], each["runs"]) for each in data["profile"]["lines"]]

    assert steps(first) == steps(second)
    for each in (plain, first):
        each.pop("speed")
    assert {**plain, "profile": profile} == first


def test_the_stacks_are_written_to_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "reversi.folded"
    found = run(
        "simulate", REVERSI, "--games", "2", "--format", "json", "--profile", "--profile-output", str(file)
    )
    lines = [each.rpartition(" ") for each in file.read_text(encoding="utf-8").splitlines()]
    assert sum(int(count) for *_, count in lines) == json.loads(found.stdout)["profile"]["steps"]
    assert any(
        stack.startswith("game reversi;") and ";value closes_in;reversi/reversi.scn:19 " in stack
        for stack, *_ in lines
    )


def test_check_profiles_the_games_that_it_plays(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "out.folded"
    told = run("check", REVERSI, "--play", "3", "--profile", "--profile-output", str(file)).stdout
    assert "reversi: 3 random games" in told
    assert "\nprofile: " in told
    assert "value closes_in" in told
    assert file.read_text(encoding="utf-8")
    data = json.loads(run("check", REVERSI, "--play", "2", "--profile", "--format", "json").stdout)
    assert data["play"][0]["profile"]["steps"] > 10_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simulate", REVERSI, "--profile", "--engine", "wasm"), "Python engine alone"),
        (("simulate", REVERSI, "--profile", "--jobs", "2"), "one process"),
        (("simulate", REVERSI, "--profile", "--format", "csv"), "CSV"),
        (("simulate", REVERSI, "--profile", "--promises"), "--promises"),
        (("simulate", REVERSI, "--profile-output", "x"), "goes with --profile"),
        (
            ("simulate", REVERSI, "--games", "1", "--profile", "--profile-output", "no/such/folder"),
            "cannot be written",
        ),
        (("simulate", REVERSI, "--profile", "--option", "nothing=1"), "nothing"),
        (("check", REVERSI, "--profile"), "--play N"),
        (("check", REVERSI, "--play", "2", "--profile", "--engine", "wasm"), "Python engine alone"),
        (
            ("check", REVERSI, TIC_TAC_TOE, "--play", "1", "--profile", "--profile-output", "x"),
            "one file for one game",
        ),
    ],
)
def test_what_does_not_go_with_it_is_said(run: Run, arguments: tuple[str, ...], words: str) -> None:
    found = run(*arguments, code=2)
    assert words in found.stderr


def test_a_rule_that_fails_is_profiled_too(run: Run) -> None:
    Path("ruin").mkdir()
    Path("ruin/ruin.scn").write_text(RUIN, encoding="utf-8")
    told = run("simulate", "ruin", "--games", "40", "--profile", code=1).stdout
    assert "E06" in told
    assert "\nprofile: " in told


def test_ctrl_c_gives_what_has_been_counted() -> None:
    terminal = Terminal("simulate", TIC_TAC_TOE, "--games", "1000000000", "--profile")
    terminal.until(*["of 1000000000 games"] * 3)
    terminal.send("\x03")
    assert terminal.ends() == 130
    assert "profile: " in terminal.seen
    assert "broken off after " in terminal.seen
    assert "Traceback" not in terminal.seen
