"""`scenarii compare` as a command: its forms, its report, its refusals."""

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.simulation.test_comparing import SOURCE


@pytest.fixture(autouse=True)
def market(run: Run) -> None:
    Path("market.scn").write_text(SOURCE)
    Path("dear.scn").write_text('mod dear for market:\n    title "Dear"\n\nchange salt: price = 4\n')


ASKED = ("compare", "market.scn", "--games", "60")


def test_the_text(run: Run) -> None:
    told = run(*ASKED, "--vary", "bonus=0,9", "--count").stdout
    assert told.startswith("market: 3 variants, games of random, seeds from 0\nvariant")
    assert "bonus=0: every game went as in `as it is`" in told
    assert "bonus=9: favours blue, who wins" in told
    assert "bonus=9: red wins" in told and "less than in `as it is`" in told
    assert "sell Silk" in told
    assert "say little about players who plan" in told
    alike = run(*ASKED, "--vary", "bonus=0").stdout
    assert "no variant differs for certain" in alike


def test_figures_of_a_table_and_mods(run: Run) -> None:
    asked = ("--vary", "Ware[salt].price=4", "--against", "dear.scn", "--players", "random,random")
    data = json.loads(run(*ASKED, *asked, "--format", "json").stdout)
    names = ["as it is", "dear.scn", "Ware[salt].price=4"]
    assert [each["name"] for each in data["variants"]] == names
    assert data["seats"] == ["random", "random"]
    first, mod, figure = (
        {k: each[k] for k in ("players", "winners", "choices")} for each in data["variants"]
    )
    assert mod == figure != first
    assert list(dict.fromkeys(each["variant"] for each in data["differences"])) == names[1:]


def test_the_csv_and_the_page(run: Run) -> None:
    asked = (*ASKED, "--vary", "bonus=9", "--count", "--format", "csv", "--report", "report.html")
    rows = list(csv.DictReader(io.StringIO(run(*asked).stdout)))
    assert {row["statistic"] for row in rows} == {"games", "wins", "choices", "chosen", "first", "difference"}
    assert {row["variant"] for row in rows} == {"as it is", "bonus=9"}
    page = Path("report.html").read_text()
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(page)
    assert tags.count("svg") == 3 and "script" not in tags and "link" not in tags
    assert "favours blue" in page and "What is shown, and what is not" in page
    run(*asked)
    assert Path("report.html").read_text() == page


def test_what_cannot_be_compared(run: Run) -> None:
    assert "compare 2 to 50 variants" in run(*ASKED, code=2).stderr
    assert "says nothing to vary" in run(*ASKED, "--vary", "bonus", code=2).stderr
    assert "did you mean `bonus`" in run(*ASKED, "--vary", "bonnus=1", code=2).stderr
    assert "no choice `12`" in run(*ASKED, "--vary", "bonus=12", code=2).stderr
    assert "has no column `prize`" in run(*ASKED, "--vary", "Ware[silk].prize=1", code=2).stderr
    assert "no folder" in run(*ASKED, "--vary", "bonus=1", "--report", "no/report.html", code=2).stderr
    assert "there is no mod" in run(*ASKED, "--against", "cheap.scn", code=2).stderr


def test_a_comparison_that_was_stopped_goes_on(run: Run) -> None:
    """Of the same games the same is told, however often it was stopped; a variant more keeps what there is."""
    asked = ("--vary", "bonus=9", "--count", "--format", "json")
    whole = json.loads(run(*ASKED, *asked).stdout)
    kept = ("--state", "market.state.json")
    run("compare", "market.scn", "--games", "23", *asked, *kept)
    before = Path("market.state.json").read_text()
    found = json.loads(run(*ASKED, *asked, *kept).stdout)
    for each in (*whole["variants"], *found["variants"]):
        del each["speed"]
    assert found == whole
    assert Path("market.state.json").read_text() != before
    more = json.loads(
        run(*ASKED, "--vary", "bonus=9,5", "--count", "--format", "json", "--jobs", "2", *kept).stdout
    )
    assert [each["players"] for each in more["variants"][:2]] == [
        each["players"] for each in whole["variants"]
    ]


def test_a_state_of_others_is_refused(run: Run) -> None:
    kept = ("--state", "market.state.json")
    run(*ASKED, "--vary", "bonus=9", *kept)
    other = run(*ASKED, "--vary", "bonus=9", "--seed", "4", *kept, code=2).stderr
    assert "holds a comparison of other games (seed)" in other
    assert "holds no simulation" in run("simulate", "market.scn", *kept, code=2).stderr
    Path("market.state.json").write_text(Path("market.state.json").read_text()[:-40])
    assert "holds no comparison" in run(*ASKED, "--vary", "bonus=9", *kept, code=2).stderr


def test_a_column_that_is_not_there_is_told_without_the_file_that_tries_it(run: Run) -> None:
    told = run(*ASKED, "--vary", "Ware[salt].prise=4", code=2).stderr
    assert "--vary Ware[salt].prise=4: table `Ware` has no column `prise` (did you mean `price`?)" in told
    assert "varied0" not in told
