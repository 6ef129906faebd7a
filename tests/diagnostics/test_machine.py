import json
from email.message import Message
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Code, Diagnostic, Diagnostics, Fix, pages
from dsl.diagnostics.machine import to_json, to_sarif
from dsl.diagnostics.serialized import read_back, stored
from dsl.source import Source

ROOT = Path(__file__).resolve().parents[2]


def schema(path: str) -> Draft202012Validator:
    found = json.loads((ROOT / path).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def test_each_document_is_of_its_schema(everything: Diagnostics) -> None:
    own, sarif = (
        schema("docs/reference/diagnostics.schema.json"),
        schema("tests/diagnostics/sarif-2.1.0-part.json"),
    )
    for found in (everything, Diagnostics()):
        own.validate(json.loads(to_json(found)))
        sarif.validate(json.loads(to_sarif(found, version="0.0.0")))
    assert not own.is_valid({**json.loads(to_json(everything)), "more": 1})
    assert not sarif.is_valid({**json.loads(to_sarif(everything, version="0")), "version": "2.0"})


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


def test_a_page_has_an_address_where_the_package_declares_one(
    monkeypatch: pytest.MonkeyPatch, everything: Diagnostics
) -> None:
    declared = Message()
    declared["Project-URL"] = "Source, https://example.org/code"
    assert pages.url_of(Code.UNKNOWN_NAME) == ""
    declared["Project-URL"] = "Documentation, https://example.org/scenarii/"
    monkeypatch.setattr("importlib.metadata.metadata", lambda name: declared)
    pages._site.cache_clear()
    try:
        address = "https://example.org/scenarii/reference/errors/E0201/"
        assert pages.url_of(Code.UNKNOWN_NAME) == address
        (run,) = json.loads(to_sarif(everything, version="0"))["runs"]
        assert address in [each.get("helpUri") for each in run["tool"]["driver"]["rules"]]
        assert address in [each["page"] for each in json.loads(to_json(everything))["diagnostics"]]
    finally:
        pages._site.cache_clear()


def test_the_pages_are_files_of_the_project(everything: Diagnostics) -> None:
    for each in json.loads(to_json(everything))["diagnostics"]:
        assert (ROOT / each["page"]).is_file()


def test_columns_in_utf16_count_what_lies_beyond_the_first_plane_twice() -> None:
    source = Source("a.scn", 'say "🎲é"; x\n')
    span = source.span(source.text.index("x"), source.text.index("x") + 1)
    found = Diagnostics([Diagnostic(Code.UNKNOWN_NAME, "no `x`", span, fix=Fix(span, "y", "write `y`"))])
    (result,) = json.loads(to_sarif(found, version="0"))["runs"][0]["results"]
    region = {"startLine": 1, "startColumn": 12, "endLine": 1, "endColumn": 13}
    assert result["locations"][0]["physicalLocation"]["region"] == region
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "y"}}]
    (told,) = json.loads(to_json(found))["diagnostics"]
    assert told["place"]["range"]["start"] == {"line": 1, "column": 11, "utf16": 12, "offset": 10}


def test_what_is_kept_can_be_read_again(everything: Diagnostics) -> None:
    sources = list({each.span.source: None for each in everything if each.span is not None})
    sources += [label.span.source for each in everything for label in each.labels]
    span = sources[0].span(0, 0)
    fix = Fix(span, "x", "write `x`", is_safe=True)
    safe = Diagnostic(Code.MISSING_COLON, "no colon", span, fix=fix)
    found = Diagnostics([*everything, safe])
    kept = stored(found, sources)
    assert kept is not None
    assert list(read_back(json.loads(json.dumps(kept)), sources)) == list(found)
