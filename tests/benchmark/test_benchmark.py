"""The classic games are those of OpenSpiel, where that is installed; and the benchmark counts what it says."""

import pytest

from dsl.resources import games
from tests.benchmark import profile, searches, speed
from tests.benchmark.__main__ import WHAT
from tests.benchmark.rules import compared, program
from tests.benchmark.speed import LARGE, Contender, engine, library
from tests.benchmark.spiel import NAMES, OTHERS
from tests.examples import classics
from tests.figures.targets import MODES, ROOT

FAR = 4.5
"""Standard errors: farther apart than this are 4 figures of 5 games once in 7,000 runs of equal rules."""


def test_the_five_are_measured() -> None:
    assert sorted(NAMES) == [folder.name for folder in classics()]


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_as_in_open_spiel(name: str) -> None:
    pytest.importorskip("pyspiel")
    found = compared(name, 1500, seed=20)
    assert [each for each in found if abs(each.deviation) > FAR] == []


def test_the_others_are_compared_by_their_decisions(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(speed, "SAMPLE", 3)
    assert speed.show_others(1, 0.01, "draughts") in {0, 1}
    heading, _, row, _, differs = capsys.readouterr().out.splitlines()[2:]
    cells = row.strip("| ").split(" | ")
    assert cells[0] == "draughts"
    assert len(cells) == len(heading.strip("| ").split(" | "))
    theirs, ours, times = (float(cells[column].replace(",", "")) for column in (3, 6, 7))
    assert ours == pytest.approx(theirs * times, rel=0.05)
    assert differs.startswith("- draughts: OpenSpiel")


def test_searches_are_compared(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(searches, "HOLDING", 50)
    assert searches.show(1, 0.01, "connect_four") == 0
    heading, _, row = capsys.readouterr().out.splitlines()[2:]
    cells = row.strip("| ").split(" | ")
    assert cells[0] == "connect_four"
    assert len(cells) == len(heading.strip("| ").split(" | "))
    theirs, ours, times = (float(cells[column].replace(",", "")) for column in (2, 3, 4))
    assert ours == pytest.approx(theirs * times, rel=0.05)


@pytest.mark.parametrize("name", OTHERS)
def test_the_others_are_examples(name: str) -> None:
    found = program(name)
    assert OTHERS[name].path.stem == (found.scenario or found.name)


def test_a_window_counts_games() -> None:
    found = engine("python", program("tic_tac_toe"), {})
    found.window(0.05)
    assert found.rate > 0
    assert 5 <= found.decisions / found.games <= 9
    assert 5 <= found.pace / found.rate <= 9
    counted = Contender(lambda: 10)
    counted.window(0.01)
    counted.window(0.01)
    assert len(counted.rates) == 2
    assert counted.rate > 1000


def test_a_decision_is_told_in_turns_of_the_fixed_loop() -> None:
    counted = Contender(lambda: 10, rates=[5.0] * 3, paces=[10.0, 20.0, 40.0], loops=[1000.0, 4000.0, 2000.0])
    assert counted.turns == 100


@pytest.mark.parametrize("name", [None, "green_conquest", "green_conquest:duel", LARGE])
def test_the_library_is_measured_whole_or_in_part(name: str | None) -> None:
    found = {each.name for each in library(name)}
    if name is None:
        assert {each.partition(":")[0] for each in found} >= {*games(), LARGE}
        assert not found & set(NAMES)
    else:
        assert found == ({f"{name}:{mode}" for mode in MODES[name]} if name in MODES else {name})


def test_a_profile_names_the_rules_that_take_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert profile.show(1, "cristal_et_acier") == 0
    row = capsys.readouterr().out.splitlines()[-1].split(" | ")
    assert row[0] == "| cristal_et_acier"
    assert "`value factor`" in row[-1]


def test_the_page_of_figures_names_each_benchmark() -> None:
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    parts = {each for each in WHAT if each not in {"all", "classics"}}
    assert all(f"python -m tests.benchmark {each}" in page for each in parts)
