"""An index that surely has its form is not given to the library that would say what is wrong with it."""

import copy
import json
from random import Random
from typing import Any

import pytest

from dsl.diagnostics import Diagnostics
from dsl.engine.display import title_of
from dsl.ir.program import Rule
from dsl.linker import rulebook
from dsl.linker.rulebook import read_index
from dsl.resources import game_folder, games
from dsl.source import Source

INDEX: dict[str, Any] = {
    "rules": [
        {"id": "CA-1", "title": "One"},
        {"id": "CA-2", "title": "Two", "status": "same_as", "of": "CA-1", "note": "x"},
        {"id": "CA-3", "title": "Three", "status": "definition", "through": ["CA-1", "CA-4"]},
        {"id": "CA-4", "title": "Four", "titles": {"fr": "Quatre", "pt_BR": "Quatro"}},
        {"id": "CA-5", "title": "Five", "status": "not_applicable", "note": "it changes nothing"},
    ],
    "house": [{"id": "CA-H1", "title": "Ours"}],
    "ambiguities": [{"id": "CA-A1", "title": "Unclear", "note": "y"}],
}
ODD = (
    None,
    0,
    1.5,
    True,
    "",
    "x" * 401,
    "CA-1",
    "CA-1\n",
    "ca-1",
    [],
    {},
    ["CA-1"],
    ["CA-1", "CA-1"],
    ["x"],
    [1],
    {"fr": "Un"},
    {"fr": ""},
    {"fr": 1},
    {"french": "Un"},
    {"pt_br": "Um"},
)


def read(document: Any) -> tuple[tuple[Rule, ...], list[Any]]:
    found = Diagnostics()
    return read_index(Source("rulebook.json", json.dumps(document)), found), list(found)


def edited(r: Random) -> Any:
    """The index with one or two of its values, keys or entries in another form."""
    document = copy.deepcopy(INDEX)
    for _ in range(r.choice((1, 1, 2))):
        section = r.choice(list(document))
        if r.random() < 0.15:
            document[section] = r.choice(ODD)
        elif isinstance(document[section], list) and document[section]:
            entry = r.choice(document[section])
            if r.random() < 0.1:
                document[section].append(r.choice(ODD))
            elif isinstance(entry, dict):
                key = r.choice((*entry, "status", "of", "through", "note", "titles", "more"))
                if r.random() < 0.3:
                    entry.pop(key, None)
                else:
                    entry[key] = r.choice((*ODD, "same_as", "definition", "not_applicable", "declared"))
    return document


def test_what_is_let_pass_is_what_the_library_finds_nothing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    r = Random(3)
    documents = [INDEX, *(edited(r) for _ in range(300))]
    quick = [read(each) for each in documents]
    monkeypatch.setattr(rulebook, "fits", lambda schema, value: False)
    assert [read(each) for each in documents] == quick
    assert 20 < sum(not faults for _, faults in quick) < 280


def test_the_library_is_not_asked_about_the_games_that_come_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jsonschema.Draft202012Validator", None)
    for name in games():
        folder = game_folder(name)
        assert folder is not None
        rules, faults = read(json.loads((folder / "rulebook.json").read_text(encoding="utf-8")))
        assert rules and not faults


def test_players_of_the_library_games_read_the_rules_in_english_and_in_french() -> None:
    for name in games():
        folder = game_folder(name)
        assert folder is not None
        rules, _ = read(json.loads((folder / "rulebook.json").read_text(encoding="utf-8")))
        assert [each.id for each in rules if not dict(each.titles).get("fr")] == []


def test_a_rule_is_called_by_the_language_that_is_nearest() -> None:
    rules, faults = read(INDEX)
    four = rules[3]
    assert not faults and four.titles == (("fr", "Quatre"), ("pt_BR", "Quatro"))
    assert [title_of(four, each) for each in ("fr_CA", "pt_BR", "pt", "")] == [
        "Quatre",
        "Quatro",
        "Four",
        "Four",
    ]
