"""A table of games, written for other tools, and read again."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dsl.cli import tabled
from tests.cli.conftest import Run
from tests.examples import CLASSICS, RUIN
from tests.simulation.test_comparing import SOURCE

TIC_TAC_TOE = str(CLASSICS / "tic_tac_toe")


def test_a_row_for_each_game(run: Run) -> None:
    """The rows come to what is told of all; both engines, and processes, write the same."""
    asked = ("simulate", TIC_TAC_TOE, "--games", "60", "--seed", "7", "--format", "json", "--parquet")
    told = json.loads(run(*asked, "games.parquet").stdout)
    table = pq.read_table("games.parquet")
    rows = table.to_pylist()
    assert [row["seed"] for row in rows] == list(range(7, 67))
    for each in told["players"]:
        assert sum(each["player"] in row["winners"] for row in rows) == each["games"]
    for each in told["endings"]:
        assert sum(row["ending"] == each["ending"] for row in rows) == each["games"]
    assert sum(row["choices"] for row in rows) == round(60 * told["choices"]["mean"])
    assert {row["failure"] for row in rows} == {row["broken_line"] for row in rows} == {None}
    assert all(row["seats"] == ["random", "random"] for row in rows)
    about = json.loads(table.schema.metadata[b"scenarii"])
    assert about["format"] == "scenarii-games" and about["variants"][0]["game"] == "tic_tac_toe"
    for more in (("--engine", "python"), ("--jobs", "2")):
        run(*asked, "other.parquet", *more)
        assert pq.read_table("other.parquet").to_pylist() == rows


def test_variants_and_seats(run: Run) -> None:
    Path("market.scn").write_text(SOURCE)
    run("compare", "market.scn", "--games", "5", "--vary", "bonus=9", "--parquet", "market.parquet")
    rows = pq.read_table("market.parquet").to_pylist()
    assert [row["variant"] for row in rows] == ["as it is"] * 5 + ["bonus=9"] * 5
    seats = ("--players", "greedy,random", "--swap", "--games", "4")
    run("simulate", TIC_TAC_TOE, *seats, "--parquet", "seats.parquet")
    found = [(row["seed"], row["seats"][0]) for row in pq.read_table("seats.parquet").to_pylist()]
    assert found == [(0, "greedy"), (0, "random"), (1, "greedy"), (1, "random")]


def test_games_in_which_a_rule_fails(run: Run) -> None:
    Path("ruin.scn").write_text(RUIN)
    for engine in ("wasm", "python"):
        asked = ("simulate", "ruin.scn", "--games", "40", "--seed", "5", "--engine", engine)
        run(*asked, "--parquet", f"{engine}.parquet", code=1)
    fast, slow = (pq.read_table(f"{engine}.parquet").to_pylist() for engine in ("wasm", "python"))
    assert fast == slow
    failed = [row for row in fast if row["failure"] == "E0601"]
    assert 0 < len(failed) < 40
    assert all(row["winners"] is row["ending"] is row["choices"] is None for row in failed)


def test_what_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("simulate", TIC_TAC_TOE, "--games", "5", "--parquet")
    assert "leave --state out" in run(*asked, "x.parquet", "--state", "s.json", code=2).stderr
    assert "there is no folder" in run(*asked, "no/x.parquet", code=2).stderr
    Path("folder").mkdir()
    assert "cannot be written" in run(*asked, "folder", code=1).stderr
    monkeypatch.setattr(tabled, "find_spec", lambda _: None)
    assert "install the extra `parquet`" in run(*asked, "x.parquet", code=1).stderr
    assert not Path("x.parquet").exists()
