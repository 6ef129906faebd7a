"""The report on rules: how they stand, and what contradicts the index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dsl.cache import Cache
from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostics
from dsl.engine.machine import Machine
from dsl.testing.exercise import exercised
from dsl.testing.mutate import MutationReport
from dsl.testing.rules import RulesReport, report, rules
from tests.shipped import shipped
from tests.soak import long
from tests.testing.games import RULES, TESTS, folder

ENTRIES: list[dict[str, object]] = [
    *[dict[str, object](id=f"A-{n}", title=f"Rule {n}") for n in range(1, 19)],
    {"id": "A-20", "title": "Again", "status": "same_as", "of": "A-11"},
    {"id": "A-21", "title": "A word", "status": "definition", "through": ["A-6", "A-7"]},
    {"id": "A-22", "title": "A word unpinned", "status": "definition", "through": ["A-6", "A-13"]},
    {"id": "A-23", "title": "Talk", "status": "not_applicable", "note": "an introduction"},
    {"id": "A-24", "title": "Forgotten"},
]
INDEX = {"rules": ENTRIES, "house": [{"id": "A-H1", "title": "Ours"}]}


def _report(path: Path, tests: str = TESTS, **given: object) -> RulesReport:
    index = given.get("index", INDEX)
    text = str(given.get("rules", RULES))
    assert isinstance(index, dict)
    found = rules(folder(path / "purse", tests, text, index), games=10, workers=1)
    assert isinstance(found, RulesReport), [each.message for each in found]
    return found


def test_how_each_rule_stands(tmp_path: Path) -> None:
    found = _report(tmp_path)
    known = {each.id: each for each in found.rules}
    assert list(known) == [str(each["id"]) for each in ENTRIES]
    bought = known["A-11"]
    assert (bought.status, bought.tests, bought.pinned, bought.exercised) == (
        "declared",
        ("buying",),
        True,
        True,
    )
    assert bought.where == ("purse/purse.scn:20",)
    again = known["A-20"]
    assert (again.status, again.tests, again.pinned) == ("same_as A-11", ("buying",), True)
    assert (known["A-21"].status, known["A-21"].pinned, known["A-21"].note) == (
        "definition",
        True,
        "through A-6, A-7",
    )
    assert not known["A-22"].pinned
    assert (known["A-23"].status, known["A-23"].note) == ("not_applicable", "an introduction")
    assert (known["A-24"].status, known["A-24"].where, known["A-24"].pinned) == ("missing", (), False)
    assert not known["A-13"].exercised, "nobody ever has a white stone"
    assert not known["A-15"].exercised, "nothing rolls dice"
    assert not found.clean


def test_the_summary_and_the_json(tmp_path: Path) -> None:
    data = _report(tmp_path).data()
    assert list(data) == ["game", "summary", "rules"]
    assert data["game"] == "purse"
    summary = data["summary"]
    assert isinstance(summary, dict)
    assert list(summary) == ["total", "encoded", "not_applicable", "tested", "pinned", "exercised"]
    assert (summary["total"], summary["encoded"], summary["not_applicable"]) == (23, 21, 1)
    (first, *_) = json.loads(json.dumps(data))["rules"]
    assert list(first) == ["id", "title", "status", "where", "tests", "pinned", "exercised", "note"]


def test_an_id_that_the_index_does_not_have_is_an_error(tmp_path: Path) -> None:
    text = RULES.replace("[A-14]", "[A-99]")
    found = rules(folder(tmp_path / "purse", TESTS, text, INDEX), games=10, workers=1)
    assert isinstance(found, Diagnostics)
    assert [each.code.id for each in found if each.is_error] == ["E0203"]


def test_a_declared_rule_that_is_not_applicable_is_a_finding(tmp_path: Path) -> None:
    found = _report(tmp_path, rules=RULES.replace("[A-14]", "[A-14, A-23]"))
    assert [each.partition(": ")[2] for each in found.findings] == [
        "A-23 is declared here, and the index says not applicable"
    ]


def test_rulings_and_what_is_ours_are_listed(tmp_path: Path) -> None:
    found = _report(
        tmp_path, rules=RULES.replace("[A-14]", "[A-14, house]").replace("[A-13]", "[A-13, A-H1]")
    )
    assert found.rulings == ("ruling thrift: strict | loose = strict [A-4] purse/purse.scn:11: Rule 4",)
    assert len(found.house) == 2
    assert any(each.endswith("A-H1 Ours") for each in found.house)


def test_a_game_without_an_index_says_so(tmp_path: Path) -> None:
    found = _report(tmp_path, rules=RULES.replace("    index rulebook\n", ""))
    assert found.rules == ()
    assert "no index" in found.findings[0]


def test_the_report_is_quick_the_second_time(tmp_path: Path) -> None:
    cache = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    target = folder(tmp_path / "purse", TESTS)
    told: list[int] = []
    for _ in range(2):
        rules(target, games=2, workers=1, cache=cache, on_progress=lambda done, total: told.append(done))
    assert told.count(1) == 1


WRONG = {
    "this is not JSON": "{",
    "is not of type 'object'": [],
    "'rules' is a required property": {},
    "Additional properties are not allowed": {"rules": [], "more": 1},
    "there is no status 'same as'": {"rules": [{"id": "A-1", "title": "t", "status": "same as"}]},
    "'of' is a required property": {"rules": [{"id": "A-1", "title": "t", "status": "same_as"}]},
    "'note' is a required property": {"rules": [{"id": "A-1", "title": "t", "status": "not_applicable"}]},
    "'title' is a required property": {"rules": [{"id": "A-1"}]},
    "does not match": {"rules": [{"id": "first", "title": "t"}]},
    "stands in the index twice": {"rules": [{"id": "A-1", "title": "t"}, {"id": "A-1", "title": "u"}]},
    "which the index does not have": {
        "rules": [{"id": "A-1", "title": "t", "status": "same_as", "of": "A-2"}]
    },
    "which no clause declares": {
        "rules": [
            {"id": "A-1", "title": "t", "status": "same_as", "of": "A-2"},
            {"id": "A-2", "title": "t", "status": "not_applicable", "note": "n"},
        ]
    },
    "there is no status 3": {"rules": [{"id": "A-1", "title": "t", "status": 3}]},
    "not of type": {"rules": [7]},
    "the index `rulebook` cannot be read": "",
}


@pytest.mark.parametrize("message", WRONG)
def test_an_index_that_is_not_well_made_is_told(tmp_path: Path, message: str) -> None:
    wrong = WRONG[message]
    text = wrong if isinstance(wrong, str) else json.dumps(wrong)
    made = compile_game(folder(tmp_path / "purse", index=text))
    assert made.program is None
    found = [each for each in made.diagnostics if each.code is Code.BAD_INDEX]
    assert any(message in each.message for each in found), [each.message for each in found]


def test_a_missing_index_is_told(tmp_path: Path) -> None:
    target = folder(tmp_path / "purse")
    (tmp_path / "purse/rulebook.json").unlink()
    found = rules(target, workers=1)
    assert isinstance(found, Diagnostics)
    assert [each.code for each in found] == [Code.BAD_INDEX]


@long
def test_every_rule_of_cristal_et_acier_is_pinned() -> None:
    found = rules("cristal_et_acier", games=20)
    assert isinstance(found, RulesReport)
    assert [each.id for each in found.rules if not (each.encoded and each.tests and each.pinned)] == []


def test_every_rule_of_cristal_et_acier_is_declared_and_tested() -> None:
    """Which of them are pinned takes the spoiling of each clause, as `purse` has it above in each run."""
    program = shipped("cristal_et_acier", tests=True)
    found = report(program, MutationReport((), (), ()), exercised(Machine(program), 5))
    assert found.findings == ()
    assert [each.id for each in found.rules if not (each.encoded and each.tests)] == []
    assert found.summary["total"] == 112
