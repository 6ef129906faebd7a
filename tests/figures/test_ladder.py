"""The figures of computer players say what they say they do."""

from pathlib import Path

import pytest

from dsl.engine.game import Game
from dsl.library import load
from dsl.search.searcher import Searcher
from tests.figures import ladder
from tests.figures.ladder import MADE, ROWS, TIMED, Row, _without_worth, made, seated, timed, unvalued
from tests.simulation.test_exchanged import PAIRS


def test_a_player_to_whom_all_positions_are_worth_the_same(tmp_path: Path) -> None:
    """After the capture of a man whoever counts men expects more; the other one does not."""
    row = next(each for each in ROWS if each.name == "draughts")
    machine = load(str(_without_worth(row, tmp_path)))
    game = Game.start(machine, seed=1)
    while game.count:
        found = [
            {round(each.expectation, 3) for each in player.compare(game.state).options}
            for player in (unvalued(machine), Searcher(machine))
        ]
        assert found[0] == {0.5}
        if found[1] != {0.5}:
            return
        game.choose(0)
    pytest.fail("nobody ever expected more of one move than of another")


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(MADE) <= {each.name for each in ROWS}
    assert made(1, "connect_four", playouts=10) == 0
    *_, row = capsys.readouterr().out.splitlines()
    assert row.startswith("| connect_four | ") and row.count(" of ") == 3


def test_one_kind_among_others_sits_in_whole_teams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a game of two teams of two one is half of the table, and whoever is greedy wins with his partner."""
    (tmp_path / "pairs.scn").write_text(PAIRS, encoding="utf-8")
    monkeypatch.setattr(ladder, "SEATED", (Row(str(tmp_path / "pairs.scn"), "pairs", options={}),))
    monkeypatch.setattr(ladder, "MEETINGS", (("greedy", "random"),))
    assert seated(4, 1) == 0
    (row,) = capsys.readouterr().out.splitlines()[2:]
    assert row.startswith("| pairs | 4 | `greedy` | `random` | 100% ") and "| 50% | 100% of 8 |" in row


def test_more_seconds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(TIMED) <= {each.name for each in ROWS}
    monkeypatch.setattr(ladder, "SECONDS", ("mcts:0.001s", "mcts:0.002s"))
    assert timed(1, 1, "connect_four") == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("| connect_four | ")
