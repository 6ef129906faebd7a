import json

from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Diagnostics
from dsl.diagnostics.machine import to_json, to_sarif


def test_json(snapshot: Snapshot, everything: Diagnostics) -> None:
    snapshot.assert_match(to_json(everything), "everything.json")


def test_sarif(snapshot: Snapshot, everything: Diagnostics) -> None:
    snapshot.assert_match(to_sarif(everything, version="0.0.0"), "everything.sarif")


def test_both_can_be_read_when_nothing_was_found() -> None:
    assert json.loads(to_json(Diagnostics()))["diagnostics"] == []
    assert json.loads(to_sarif(Diagnostics(), version="0.0.0"))["runs"][0]["results"] == []


def test_sarif_results_point_at_their_rules(everything: Diagnostics) -> None:
    (run,) = json.loads(to_sarif(everything, version="0.0.0"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
