"""Mutation: planted rules that no test notices, and a mutation for each construct."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest

from dsl.cache import Cache
from dsl.diagnostics import Diagnostics
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.ops import WORDS
from dsl.library import build
from dsl.linker.modules import Modules
from dsl.syntax import ast
from dsl.testing.mutate import MutationReport, _read, mutate
from dsl.testing.mutation import schema
from dsl.testing.mutation.constructs import CONSTRUCTS, variants
from dsl.testing.mutation.noticing import STEPS
from dsl.testing.mutation.reached import covered
from dsl.testing.mutation.trial import _names, laboratory, pinning
from tests.testing.games import RULES, TESTS, folder

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/mutation.md"
OF_TESTS = {
    "Always",
    "Asking",
    "ExpectQuiet",
    "Test",
    "Script",
    "Run",
    "Moves",
    "Naming",
    "Expect",
    "ExpectIllegal",
    "ExpectOffered",
    "ExpectRefused",
    "ExpectError",
    "WithOption",
}


def _mutated(path: Path, tests: str, rules: str = RULES) -> MutationReport:
    found = mutate(folder(path / "purse", tests, rules), workers=1)
    assert isinstance(found, MutationReport), [each.message for each in found]
    return found


def test_each_kind_of_clause_has_its_entry_on_the_page() -> None:
    described = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert described == set(WORDS[p.Clause, "kind"])


def test_each_construct_that_can_cite_has_its_mutation() -> None:
    citing = {
        each
        for each in vars(ast).values()
        if isinstance(each, type)
        and is_dataclass(each)
        and "citation" in {field.name for field in fields(each)}
    }
    assert {each.__name__ for each in citing - set(CONSTRUCTS)} <= OF_TESTS | {"Block"}


def test_without_tests_nothing_is_pinned(tmp_path: Path) -> None:
    found = _mutated(tmp_path, "")
    assert not found.pinned
    assert {f"A-{n}" for n in range(1, 19)} - set(found.ids) == set()


def test_tests_pin_what_they_notice_and_no_more(tmp_path: Path) -> None:
    found = _mutated(tmp_path, TESTS)
    assert found.pinned == {f"A-{n}" for n in (2, 3, 5, 6, 7, 8, 9, 10, 11, 14, 16, 17, 18)}
    assert set(found.unpinned) == {"A-1", "A-4", "A-12", "A-13", "A-15"}


MORE = {
    "A-1": "x: pass\n    o: pass\n    x: pass\n    o: pass\n    x: pass\n    o: pass\n    expect ended",
    "A-4": "given: gold = 9\n    expect illegal buy(hen) by x",
    "A-8": "given: stones = {9 black}\n    expect price(egg) is 1",
    "A-10": "expect illegal buy(hen) by x because among [A-10]",
    "A-12": "given: gold = 9\n    expect illegal buy(hen) by x because [A-12]",
    "A-13": "given:\n        gold = 9\n        stones = {1 white}\n    x: buy(hen)",
    "A-15": "rolls 4\n    run dice\n    expect gold is 6",
}


@pytest.mark.parametrize("rule", MORE)
def test_one_more_test_pins_one_more_rule(tmp_path: Path, rule: str) -> None:
    found = _mutated(tmp_path, f'\ntest "more":\n    {MORE[rule]}\n')
    assert found.failing == ()
    assert rule in found.pinned


def test_a_test_that_fails_anyway_notices_nothing(tmp_path: Path) -> None:
    found = _mutated(
        tmp_path, '\ntest "wrong":                                [A-11]\n    expect gold is 7\n'
    )
    assert found.failing == ("wrong",)
    assert not found.pinned
    assert "fails before anything is changed: wrong" in list(found.lines())


def test_the_report_names_what_no_test_notices(tmp_path: Path) -> None:
    lines = list(_mutated(tmp_path, TESTS).lines())
    assert "A-13 is not pinned" in lines
    assert any("allow, never stands: no test notices" in line for line in lines)
    assert re.fullmatch(r"13 of 18 ids pinned; tests notice \d+ of \d+ mutants", lines[-1])


def test_two_workers_find_what_one_finds(tmp_path: Path) -> None:
    target = folder(tmp_path / "purse", TESTS)
    told: list[tuple[int, int]] = []
    alone = mutate(target, workers=1, on_progress=lambda done, total: told.append((done, total)))
    assert mutate(target, workers=2) == alone
    assert told[-1] == (len(told), len(told))


MODES = """
mode short:
    value fee = 1                                   [A-20]

mode long:
    value fee = gold                                [A-21]

value late = fee + 1                                [A-22]
modify late: +2 when fee > 3                        [A-23]
modify late: at most 5                              [A-24]

phase tidy:                                         [A-25]
    gold gains fee                                  [A-26]

before buy when late is 5:
    gold loses 1                                    [A-27]
"""

OF_MODES = """
test "dear":                                        [A-21, A-23]
    option mode = long
    given: gold = 4
    expect late is 5

test "cheap":                                       [A-20, A-22]
    option mode = short
    expect late is 2
"""


@pytest.mark.parametrize("more", [("", TESTS), (MODES, TESTS + OF_MODES)])
def test_many_in_one_program_are_what_each_is_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, str]
) -> None:
    rules, tests = RULES.replace("    index rulebook\n", "") + more[0], more[1]
    held: list[int] = []
    renew = schema.Schema.renew
    monkeypatch.setattr(schema.Schema, "renew", lambda self: (held.append(len(self.chosen)), renew(self))[1])
    together = _mutated(tmp_path / "together", tests, rules)
    assert max(held) > 20
    monkeypatch.setattr(schema, "FEW", 1_000_000)
    alone = _mutated(tmp_path / "alone", tests, rules)
    assert together == alone


def test_a_report_may_stop_at_the_first_mutant_of_a_clause_that_is_noticed(tmp_path: Path) -> None:
    cache = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    target = folder(tmp_path / "purse", TESTS)
    short = mutate(target, workers=1, first=True, cache=cache)
    again = mutate(target, workers=1, first=True, cache=cache)
    whole = mutate(target, workers=2, cache=cache)
    assert isinstance(short, MutationReport)
    assert isinstance(again, MutationReport)
    assert isinstance(whole, MutationReport)
    assert (short.cached, again.cached, whole.cached) == (False, True, False)
    assert (short.pinned, short.ids) == (whole.pinned, whole.ids)
    assert 0 < len(short.mutants) < len(whole.mutants)
    assert mutate(target, workers=1, first=True, cache=cache) == replace(whole, cached=True)


def test_tests_that_cannot_notice_a_mutant_need_not_be_run(tmp_path: Path) -> None:
    """What is found is the same as where all tests are run for each mutant that its own tests do not notice."""
    target = folder(tmp_path / "purse", TESTS)
    read, program = _read(target, ()), build(target, tests=True).program
    assert isinstance(read, Modules)
    assert program is not None
    coverage, failing = covered(program, STEPS)
    spared = laboratory(read, failing, coverage)
    thorough = laboratory(read, failing)
    numbers = range(len(thorough.sites))
    assert spared.clauses(numbers) == thorough.clauses(numbers)


def test_a_test_comes_to_what_it_runs_and_to_what_asks_it(tmp_path: Path) -> None:
    target = folder(tmp_path / "purse", TESTS)
    program = build(target, tests=True).program
    assert program is not None
    coverage, _ = covered(program, STEPS)
    assert coverage.places(program, program) == frozenset()
    (price,) = program.values
    dearer = replace(price, base=ir.Op(price.base.type, "max", (price.base, price.base)))
    assert coverage.places(program, replace(program, values=(dearer,))) == {
        each.place for each in program.tests
    }
    found = []
    for number, procedure in enumerate(program.procedures):
        rest = (*program.procedures[:number], replace(procedure, body=()), *program.procedures[number + 1 :])
        found.append(coverage.places(program, replace(program, procedures=rest)))
    assert any(each is not None and len(each) == 1 < len(program.tests) for each in found)
    var = replace(program.vars[0], initial=ir.Const(program.vars[0].type, 1))
    assert coverage.places(program, replace(program, vars=(var, *program.vars[1:]))) is None


def test_only_tests_that_name_a_rule_are_compiled_first(tmp_path: Path) -> None:
    read = _read(folder(tmp_path / "purse", TESTS), ())
    assert isinstance(read, Modules)
    lab = laboratory(read, frozenset())
    kept = [
        each
        for layer in pinning(lab.layers, lambda test: _names(test, frozenset({"A-2"})))
        for file in layer.files
        for each in file.declarations
    ]
    tests = [each for each in kept if isinstance(each, ast.Test)]
    assert tests
    assert all(
        each.citation is not None and "A-2" in (*each.citation.pins, *each.citation.ids) for each in tests
    )
    assert len(tests) < sum(
        isinstance(each, ast.Test)
        for layer in lab.layers
        for file in layer.files
        for each in file.declarations
    )


def test_a_report_is_remembered_until_a_source_changes(tmp_path: Path) -> None:
    cache = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    target = folder(tmp_path / "purse", TESTS)
    first = mutate(target, workers=1, cache=cache)
    second = mutate(target, workers=1, cache=cache)
    assert isinstance(first, MutationReport)
    assert isinstance(second, MutationReport)
    assert (first.cached, second.cached) == (False, True)
    assert (first.mutants, first.barren) == (second.mutants, second.barren)
    folder(tmp_path / "purse", TESTS.replace("is 4", "is 4 and gold is 2"))
    third = mutate(target, workers=1, cache=cache)
    assert isinstance(third, MutationReport)
    assert not third.cached


def test_a_game_that_does_not_compile_is_told(tmp_path: Path) -> None:
    found = mutate(folder(tmp_path / "purse", "", RULES.replace("roll 1d6", "roll")), workers=1)
    assert isinstance(found, Diagnostics)
    assert found.has_errors


LOOPING = """game loop:
    players x
    rounds 1
state:
    n: 0..9 = 0                                     [A-1]
action climb:
    repeat until n >= 5, at most 900000: n gains up to 1    [A-2]
round: climb                                        [A-3]
test "climbs":                                      [A-1, A-2, A-3]
    run climb
    expect n is 5
"""


def test_a_mutant_that_runs_away_is_stopped(tmp_path: Path) -> None:
    found = _mutated(tmp_path, "", LOOPING)
    assert {"A-1", "A-2"} <= found.pinned
    assert "A-3" not in found.pinned


YARD = '''
value dear(w: Ware) -> bool:                        [A-4]
    if w is hen: return true
    return false
area wet
map yard on squares:
    legend:
        "x" = wet                                   [A-5]
    """
    x x
    x x
    """
test "the yard":                                    [A-4, A-5]
    expect dear(hen) and not dear(egg)
    expect (count c in wet) is 4
'''


def test_a_sign_says_nothing_and_a_value_in_a_block_is_another(tmp_path: Path) -> None:
    rules = RULES.replace("[A-4]", "").replace("[A-5]", "")
    found = _mutated(tmp_path, YARD, rules)
    assert {"A-4", "A-5"} <= found.pinned
    assert any(each.what == "x says nothing" for each in found.mutants)


NEIGHBOURS = """game purse:
    players x, o
    rulebook A "The rules of the purse"
    rounds 3
type Stone = black | white
value after(s: Stone) -> Stone:                     [A-1]
    if s is black: return white
    return black
round: nothing
test "black, then white":                           [A-1]
    expect after(black) is white and after(white) is black
"""


def test_a_value_that_is_a_member_of_a_type_becomes_another_member(tmp_path: Path) -> None:
    found = _mutated(tmp_path, "", NEIGHBOURS)
    assert [(each.what, each.noticed) for each in found.mutants] == [
        ("its value is another", "black, then white"),
        ("its value is another", "black, then white"),
    ]


def test_of_a_mod_its_own_clauses_are_spoiled(tmp_path: Path) -> None:
    folder(tmp_path / "purse", TESTS)
    mod = tmp_path / "thief.scn"
    mod.write_text(
        'mod thief for purse:\n    rulebook TH "Thieves"\n    title en "Thief"\n\n'
        "state:\n    stolen: 0..9\nvalue take -> 0..9 = 3  [TH-1]\n"
        'test "three":  [TH-X1: TH-1]\n    expect take is 3\n',
        encoding="utf-8",
    )
    alone, whole = mutate(str(mod), workers=1, own=True), mutate(str(mod), workers=1)
    assert isinstance(alone, MutationReport) and isinstance(whole, MutationReport)
    assert alone.ids == ("TH-1",) and not alone.unpinned
    assert {"TH-1"} < set(whole.ids)
    game = mutate(str(tmp_path / "purse"), workers=1, own=True)
    assert isinstance(game, MutationReport) and game.ids == _mutated(tmp_path / "again", TESTS).ids
    mod.write_text('mod thief for purse:\n    title en "Thief"\nvalue take -> 0..9 = 3\n', encoding="utf-8")
    nothing = mutate(str(mod), workers=2, own=True)
    assert isinstance(nothing, MutationReport)
    assert list(nothing.lines())[-1].startswith("nothing cites a rule here")


WORDS_ON_CARDS = """game purse:
    players x, o
    rulebook A "The rules of the purse"
    rounds 3
table Card:
    | id   | name en | rules: text    | cost |
    | fire | Fire 3  | Lose 3 gold    |    2 |  [A-1]
    | ice  | Ice     | Burn           |    4 |
round: nothing
test "fire":                                        [A-1]
    expect fire.cost > 1
"""


def test_what_cards_say_to_players_is_left_as_it_is(tmp_path: Path) -> None:
    found = _mutated(tmp_path, "", WORDS_ON_CARDS)
    assert {each.what for each in found.mutants} <= {"left out", "2 becomes 3", "2 becomes 1"}


LONG = """game long:
    players x
    rounds 1
state:
    n: 0..9 = 0
    m: 0..9 = 0
action climb:
    repeat 60000 times: n = 1                       [A-1]
    m = 1                                           [A-2]
round: climb
test "climbs":                                      [A-1, A-2]
    run climb
    expect n is 1
"""


def test_a_test_that_takes_more_steps_than_a_mutant_may_notices_what_it_says_alone(tmp_path: Path) -> None:
    program = build(folder(tmp_path / "purse", "", LONG), tests=True).program
    assert program is not None
    coverage, failing = covered(program, STEPS)
    assert (coverage.long, failing) == ({"climbs"}, frozenset())
    assert _mutated(tmp_path, "", LONG).pinned == {"A-1"}


TRUTH = """
value rich = gold > 5                               [A-4]
value poor -> bool = rich or gold is 0              [A-5]
value last = gold or 3                              [A-6]
"""


def test_of_what_is_seen_to_be_a_truth_the_opposite_is_tried_first(tmp_path: Path) -> None:
    read = _read(folder(tmp_path / "purse", "", RULES.replace("    index rulebook\n", "") + TRUTH), ())
    assert isinstance(read, Modules)
    lab = laboratory(read, frozenset())
    found = {}
    for site in lab.sites:
        if isinstance(site.node, ast.Value):
            found[site.node.name.text] = variants(lab.layers, site)[1][0].edits[0].what
    opposite, more = "its value is the opposite", "its value is one more"
    assert found == {"price": more, "rich": opposite, "poor": opposite, "last": more}
