"""What a player reads of the library's games is in words, in French and in English, and agrees with what is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from dsl.authoring.labels import Wordings, wordings
from dsl.authoring.printed import text_columns
from dsl.authoring.sections import DASH
from dsl.authoring.survey import kinds
from dsl.engine.display import text_of
from dsl.ir.program import Data, Domain, Program
from dsl.ir.types import BagOf, Id, SetOf
from tests.docs.games import _index
from tests.shipped import shipped

LANGUAGES = ("fr", "en")
WORDLESS = {"me_ccg": {"Attack"}, "command_and_conquer": {"Effect"}}
"""Tables whose rows no player is told of by name."""
TOLD: dict[str, dict[str, set[str]]] = {
    "me_ccg": {"Model": {"maelis", "brannoc", "hesketh", "fenwe", "calder", "aldric"}, "Site": set()},
    "cristal_et_acier": {
        "Troop": {"IL", "EP", "HAR", "ORC", "TRO", "GOU", "LOU", "GOL", "ARB", "SQU", "VOU", "BRI"},
        "Spell": set(),
    },
    "green_conquest": {"VehicleType": set()},
    "risk_halo": {"Faction": set(), "Objective": set()},
    "command_and_conquer": {"Event": set(), "Crate": set()},
}
"""The tables whose rows say in a text what they do, and those of them that do nothing besides what is printed."""


def shown(program: Program, table: str) -> Iterator[Data]:
    """The columns of a table that players are shown, but texts."""
    columns = [each for each in program.data if each.name.startswith(f"{table}.")]
    called = [each for each in columns if each.called]
    texts = text_columns(program, table)
    return (each for each in called or columns if each.name.partition(".")[2] not in texts)


def unlabelled(program: Program, domain: Domain) -> Iterator[str]:
    for member, label in zip(domain.members, domain.labels, strict=True):
        if not text_of(program, label):
            yield f"{domain.name}: {member}"


def code_names(program: Program, wordless: set[str]) -> Iterator[str]:
    """What a player would read of the tables of kinds without an author's having written it for him."""
    for domain in program.domains:
        if domain.kind != "row" or domain.name in wordless:
            continue
        yield from unlabelled(program, domain)
        for column in shown(program, domain.name):
            words = dict(column.called)
            yield from (column.name for each in LANGUAGES if not (words.get(each) or words.get("")))
            of = column.type.of if isinstance(column.type, SetOf) else column.type
            if isinstance(of, Id | BagOf):
                yield from unlabelled(program, program.domains[of.domain])


@pytest.mark.parametrize("name", TOLD)
def test_no_code_name_is_shown(name: str) -> None:
    """Neither for a kind nor as the heading of a column nor in one of its cells."""
    assert sorted(set(code_names(shipped(name), WORDLESS.get(name, set())))) == []


@pytest.mark.parametrize("name", TOLD)
def test_all_is_said_in_both_languages(name: str) -> None:
    words = wordings(name)
    assert isinstance(words, Wordings)
    assert words.missing == {"en": []}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "table"), [(name, table) for name, tables in TOLD.items() for table in tables]
)
def test_what_a_card_does_is_told(name: str, table: str, language: str) -> None:
    (section,) = (each for each in kinds(shipped(name), language) if each.name == table)
    (column,) = text_columns(shipped(name), table)
    at = section.columns.index(column)
    assert {row.name for row in section.rows if row.cells[at] == DASH} == TOLD[name][table]


@pytest.mark.parametrize("name", TOLD)
def test_rules_that_are_cited_have_a_french_title(name: str) -> None:
    index = json.loads(_index(name).read_text(encoding="utf-8"))
    entries = [each for part in index.values() if isinstance(part, list) for each in part]
    cited = {each for clause in shipped(name).clauses for each in clause.ids}
    assert [
        each["id"] for each in entries if each["id"] in cited and "fr" not in each.get("titles", {})
    ] == []


def test_attacks_are_told_as_they_are_made() -> None:
    """The text of a creature has the strikes and the prowess of each of its attacks."""
    program = shipped("me_ccg")
    (creatures,) = (each.values for each in program.data if each.name == "Attack.creature")
    for language, strikes, prowess in (
        ("fr", "{} coup", "de force {}"),
        ("en", "{} strike", "of prowess {}"),
    ):
        models, attacks = (
            next(each for each in kinds(program, language) if each.name == table)
            for table in ("Model", "Attack")
        )
        assert isinstance(creatures, tuple)
        assert len(attacks.rows) == len(creatures) > 0
        for creature, (*_, count, force) in zip(creatures, (row.cells for row in attacks.rows), strict=True):
            assert isinstance(creature, int)
            text = models.rows[creature].cells[models.columns.index("rules")]
            assert prowess.format(force) in text
            assert count == DASH or strikes.format(count) in text, text
