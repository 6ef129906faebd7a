import json
from pathlib import Path
from typing import Any

import pytest
from pytest_snapshot.plugin import Snapshot

from tests.cli.conftest import DUEL, Run
from tests.cli.test_show import plain

CRISTAL = "cristal_et_acier"
LASTING = Path(__file__).resolve().parents[1] / "corpus" / "language" / "good" / "lasting.scn"
KEEP = """\
game keep:
    title en "Keep"
    players red, blue
    rounds 4
    rulebook KP "Keep"

table Kind:
    | id    | name en | cost |
    | guard | Guard   |    2 |    [KP-1]
    | thief | Thief   |    3 |    [KP-2]

state of Player:
    gold: 0..20 = 9
    mood: 0..9

value price(k: Kind) -> 0..20 = k.cost                              [KP-10]
modify price: +1 when k is thief                                    [KP-11]
modify price: becomes 1 when round is 1, over [KP-13]               [KP-12]
modify price: becomes 4 when k is guard                             [KP-13]
modify price: at least 1                                            [house]

action hire(k: Kind) by p "Hire {k}":                               [KP-20]
    need p.gold >= price(k) "too dear"                              [KP-21]
    p.gold loses price(k)
forbid hire when round is 2 "closed"                                [KP-22, closed]
allow hire when p.mood > 3, over closed                             [KP-23]
after hire: p.gold loses up to 1                                    [KP-24]
after hire when k is thief, ahead of [KP-24]: p.gold gains up to 2  [KP-25]
before hire: p.mood gains up to 1                                   [KP-26]

round:
    for p in order of play:
        p may: hire(k) for k in Kind

test "a guard is hired":                                            [KP-X1: KP-21]
    red: hire(guard)
    expect red.mood is 1
"""
DEAR = """\
mod dear for keep:
    title en "Dear"

change guard: cost = 5
modify Kind.cost(it): +1 when it is thief                           [house]
forbid hire when p.mood is 9 "too merry"                            [house, merry]
"""
CHEAP = """\
mod cheap for keep:
    title en "Cheap"

change guard: cost = 5
forbid hire when p.gold is 13 "unlucky"                             [house]
"""


@pytest.fixture
def keep() -> str:
    for name, text in (("keep", KEEP), ("dear", DEAR), ("cheap", CHEAP)):
        Path(name).mkdir()
        Path(name, f"{name}.scn").write_text(text)
    return "keep"


def groups(run: Run, *args: str) -> dict[str, list[dict[str, Any]]]:
    found = json.loads(run("resolve", *args, "--format", "json").stdout)
    return {each["name"]: each["entries"] for each in found["groups"]}


def test_an_action_in_words(run: Run, keep: str, snapshot: Snapshot) -> None:
    snapshot.assert_match(plain(run("resolve", keep, "hire", "--with", "dear").stdout), "resolve_action.txt")


def test_a_value_in_words(run: Run, keep: str, snapshot: Snapshot) -> None:
    snapshot.assert_match(plain(run("resolve", keep, "price").stdout), "resolve_value.txt")


def test_a_row_in_words(run: Run, keep: str, snapshot: Snapshot) -> None:
    told = run("resolve", keep, "guard", "--with", "dear", "--with", "cheap").stdout
    snapshot.assert_match(plain(told), "resolve_row.txt")


def test_over_is_told_from_both_sides(run: Run, keep: str) -> None:
    found = groups(run, keep, "price")
    over, lifted = found["becomes"]
    assert over["over"] == ["[KP-13] keep/keep.scn:19"]
    assert lifted["lifted_by"] == ["[KP-12] keep/keep.scn:18"]
    hire = groups(run, keep, "hire")
    assert hire["forbids"][0]["lifted_by"] == ["[KP-23] keep/keep.scn:26"]
    assert hire["allows"][0]["over"] == ["[KP-22, closed] keep/keep.scn:25"]


def test_reactions_stand_in_the_order_in_which_they_are_done(run: Run, keep: str) -> None:
    after = groups(run, keep, "hire")["after"]
    assert [each["source"] for each in after] == ["[KP-25]", "[KP-24]"]
    assert [each["note"] for each in after] == ["number 1 of 2", "number 2 of 2"]
    assert groups(run, keep, "hire")["before"][0]["note"] == ""


def test_menus_and_tests(run: Run, keep: str) -> None:
    found = groups(run, keep, "hire")
    assert [each["text"] for each in found["offered in"]] == ["p may: hire(k) for k in Kind"]
    assert [(each["text"], each["note"]) for each in found["tests"]] == [("a guard is hired", "pins KP-21")]


def test_what_a_mod_changes_was_and_is(run: Run, keep: str) -> None:
    cell = groups(run, keep, "guard.cost", "--with", "dear")
    assert [each["text"] for each in cell["changed by"]] == ["change guard.cost: 2 → 5"]
    assert cell["printed"][0]["text"] == "cost: 2 → 5"
    assert cell["printed"][0]["origin"] == "mod dear"
    assert "changed by" not in groups(run, keep, "guard.cost")
    column = groups(run, keep, "Kind.cost", "--with", "dear")
    assert [each["origin"] for each in column["plus and minus"]] == ["mod dear"]


def test_a_replaced_value_tells_where_it_stood(run: Run, keep: str) -> None:
    Path("flat.scn").write_text(
        'mod flat for keep:\n    title en "Flat"\nreplace value price(k: Kind) -> 0..20 = 1\n'
        "remove [KP-23]\nremove [KP-22]\n"
    )
    found = groups(run, keep, "price", "--with", "flat.scn")
    assert found["declared"][0]["origin"] == "mod flat"
    assert found["changed by"][0]["note"] == "it stood at keep/keep.scn:16"
    gone = groups(run, keep, "hire", "--with", "flat.scn")
    assert "forbids" not in gone


def test_a_removed_rule_without_exceptions(run: Run, keep: str) -> None:
    Path("gone.scn").write_text('mod gone for keep:\n    title en "Gone"\nremove [KP-23]\nremove [KP-22]\n')
    assert "allows" not in groups(run, keep, "hire", "--with", "gone.scn")


def test_an_id_and_a_family(run: Run, keep: str) -> None:
    assert [each["where"] for each in groups(run, keep, "closed")["declared"]] == ["keep/keep.scn:25"]
    assert [each["text"] for each in groups(run, keep, "KP-21")["tests"]] == ["a guard is hired"]


def test_places_are_files_from_where_one_stands(run: Run, keep: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path(keep) / "tests").mkdir()
    Path(keep, "tests", "more_tests.scn").write_text('test "red has gold":\n    expect red.gold is 9\n')
    monkeypatch.chdir(keep)
    for game in (".", "keep.scn", "../keep"):
        for name in ("price", "hire", "guard", "KP-21", "gold", "Kind.cost"):
            found = [each for entries in groups(run, game, name).values() for each in entries]
            files = {each["where"].rpartition(":")[0] for each in found}
            assert files and all(Path(each).is_file() for each in files), (game, name, files)
    assert "tests/more_tests.scn:1" in [each["where"] for each in groups(run, ".", "gold")["tests"]]


def test_labels_are_told_in_a_language(run: Run) -> None:
    def head(name: str, *more: str) -> str:
        return run("resolve", CRISTAL, name, *more).stdout.splitlines()[0]

    assert head("recruit", "--lang", "en") == 'action recruit(t: Troop) by p "Recruit {t}"'
    assert head("recruit") == 'action recruit(t: Troop) by p "Recruter {t}"'
    assert head("LA", "--lang", "en") == 'row of Troop LA "Lancer"'
    assert head("treasury", "--lang", "en") == 'field treasury "Treasury"'


def test_a_label_stands_in_for_one_in_another_language(run: Run, keep: str) -> None:
    assert run("resolve", keep, "guard", "--lang", "fr").stdout.splitlines()[0] == 'row of Kind guard "Guard"'


def test_it_compiles_once(run: Run, keep: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("resolve", keep, "price").stdout

    def built(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("dsl.compiler.build", built)
    assert run("resolve", keep, "price").stdout == first


def test_rules_have_their_titles(run: Run) -> None:
    found = groups(run, CRISTAL, "factor")
    assert [each["source"] for each in found["plus and minus"]][:2] == ["[CA-076]", "[CA-075]"]
    assert found["plus and minus"][0]["titles"] == ["CA-076 MI: +3 against EL"]
    uses = {each["text"].split("(")[0] for each in found["used in"]}
    assert uses == {"value total", "value weakness"}


def test_a_row_is_named_by_the_clauses_about_it(run: Run) -> None:
    found = groups(run, CRISTAL, "MI")
    assert {"text": "cost: 1", "where": "cristal_et_acier/troupes.scn:11"}.items() <= found["printed"][
        2
    ].items()
    assert any("[CA-076]" in each["text"] for each in found["used in"])


def test_rows_that_order_an_action_or_name_a_row_are_told(run: Run) -> None:
    orders = groups(run, CRISTAL, "harvest")["ordered in"]
    assert [each["text"].split("|")[1].strip() for each in orders] == ["5", "8"]
    assert {each["origin"] for each in orders} == {"scenario la_couronne_de_cristal"}
    uses = [each["text"] for each in groups(run, CRISTAL, "HAR")["used in"]]
    assert any(each.startswith("| R01 ") for each in uses)


def test_the_case_of_a_card_is_told_with_the_card(run: Run) -> None:
    text = KEEP + (
        "\naction effect(k: Kind) by p: nothing\n"
        "action effect(thief) by p: p.gold gains up to 1                     [KP-30]\n"
    )
    Path("cards.scn").write_text(text.replace("game keep", "game cards"))
    assert any("[KP-30]" in each["text"] for each in groups(run, "cards.scn", "thief")["used in"])
    assert not any("[KP-30]" in each["text"] for each in groups(run, "cards.scn", "guard")["used in"])


def test_every_name_of_a_game_is_resolved(run: Run) -> None:
    """Whatever `show` lists can be asked for."""
    shown = json.loads(run("show", DUEL, "--format", "json").stdout)
    names = {
        row["name"]
        for each in shown["sections"]
        if each["kind"] in {"kinds", "options", "fields", "values", "actions"}
        for row in each["rows"]
    }
    assert len(names) > 8
    for name in sorted(names):
        assert groups(run, DUEL, name), name


def test_what_there_is_not(run: Run, keep: str) -> None:
    assert "did you mean `price`?" in run("resolve", keep, "pricce", code=2).stderr
    assert "E0010" in run("resolve", "cristal", "x", code=2).stderr
    run("compile", keep, "-o", "keep.ir.json")
    assert "no sources" in run("resolve", "keep.ir.json", "price", code=2).stderr


# ---------------------------------------------------------------- two mods


def test_check_lists_what_two_mods_both_touch(run: Run, keep: str, snapshot: Snapshot) -> None:
    told = run("check", keep, "--with", "dear", "--with", "cheap").stdout
    assert told.startswith("keep: all is well")
    snapshot.assert_match(told, "overlaps.txt")


def test_overlaps_as_json(run: Run, keep: str) -> None:
    told = json.loads(run("check", keep, "--with", "dear", "--with", "cheap", "--format", "json").stdout)
    cost = next(each for each in told["overlaps"] if each["target"] == "guard.cost")
    assert [(each["mod"], each["was"], each["now"]) for each in cost["edits"]] == [
        ("dear", "2", "5"),
        ("cheap", "5", "5"),
    ]
    assert "overlaps" not in json.loads(run("check", keep, "--format", "json").stdout)


def test_mods_that_contradict_each_other_are_an_error_and_listed(run: Run, keep: str) -> None:
    Path("cheap/cheap.scn").write_text(CHEAP.replace("cost = 5", "cost = 1"))
    told = run("check", keep, "--with", "dear", "--with", "cheap", code=1).stdout
    assert "error[E0409]" in told
    assert "    dear: change 2 → 5  dear/dear.scn:4" in told
    assert "    cheap: change 5 → 1  cheap/cheap.scn:4" in told


def test_one_mod_overlaps_with_nothing(run: Run, keep: str) -> None:
    assert len(run("check", keep, "--with", "dear").stdout.splitlines()) == 1


def test_a_column_that_nothing_modifies_is_told_row_by_row(run: Run, keep: str) -> None:
    told = run("resolve", keep, "Kind.cost").stdout
    assert "guard.cost: 2" in told
    assert "thief.cost: 3" in told
    assert "guard.cost: 2 → 5" in run("resolve", keep, "Kind.cost", "--with", "cheap").stdout


def test_each_clause_is_counted_once(run: Run) -> None:
    found = groups(run, str(LASTING), "pay")
    for group in ("becomes", "times", "at most"):
        (entry,) = found[group]
        assert entry["text"]
    assert found["at most"][0]["text"] != found["becomes"][0]["text"]
