"""Several mods of one game: what they do together, what they disagree about, and how a third settles it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from dsl.cli.failing import edits_of, mod_lines
from dsl.cli.overlaps import overlap_lines
from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Diagnostic
from dsl.engine.display import member_name
from dsl.engine.machine import Machine
from dsl.testing.blame import mods_at_work
from dsl.testing.runner import run_tests

ROOT = Path(__file__).resolve().parents[2]
VOLLEY = str(ROOT / "tests" / "thorns" / "volley")
CRISTAL = "cristal_et_acier"


def mods(folder: Path, game: str, *texts: str) -> list[str]:
    """Files with one mod each, called `one`, `two` and so on."""
    found = []
    folder.mkdir(exist_ok=True)
    for name, text in zip(("one", "two", "three", "four"), texts, strict=False):
        path = folder / f"{name}.scn"
        path.write_text(f'mod {name} for {game}:\n    note "a mod"\n{text}\n', encoding="utf-8")
        found.append(str(path))
    return found


def errors(made: Compiled) -> list[Diagnostic]:
    return [each for each in made.diagnostics if each.is_error]


def told(made: Compiled) -> list[tuple[str, set[str]]]:
    """Each error's code, and the files of all its places."""
    return [
        (
            each.code.id,
            {
                Path(span.source.name).stem
                for span in (each.span, *(label.span for label in each.labels))
                if span
            },
        )
        for each in errors(made)
    ]


ROW = "extend Kind:\n    | id  | hp | harm |\n    | dog | {} | 1    |"
DISAGREE = {
    "two rows of one name": (ROW.format(2), ROW.format(3), ROW.format(4)),
    "two values of a cell": ("change archer: hp = 2", "change archer: hp = 3", "change archer: hp = 4"),
    "a value and a row without it": (
        "change archer: harm = 2",
        "remove archer",
        "change giant: hp = 3\nremove archer",
    ),
    "two definitions of a head": (
        "replace value hp(t: Target) -> 1..9 = 1",
        "replace value hp(t: Target) -> 1..9 = 2",
        "replace value hp(t: Target) -> 1..9 = 3",
    ),
    "a definition and none": (
        "replace action recover(f: Figure): f.stunned = true",
        "remove recover",
        "replace action recover(f: Figure): nothing",
    ),
    "an exception, and what it is an exception to": (
        "allow strike when n is 1, over [VO-07] [house, ours]",
        "remove [VO-07]\nremove [VO-12]",
        "remove ours_is_gone",
    ),
}
SETTLED = {
    "two rows of one name",
    "two values of a cell",
    "two definitions of a head",
    "a definition and none",
}


@pytest.mark.parametrize("case", DISAGREE)
def test_two_mods_that_disagree_are_told_with_both_places_in_either_order(case: str, tmp_path: Path) -> None:
    first, second, _ = DISAGREE[case]
    paths = mods(tmp_path, "volley", first, second)
    for order in permutations(paths):
        made = compile_game(VOLLEY, order)
        assert made.program is None
        assert [each for each in told(made) if each[0] == "E0409"] == [("E0409", {"one", "two"})]


@pytest.mark.parametrize("case", sorted(SETTLED))
def test_a_third_mod_settles_it(case: str, tmp_path: Path) -> None:
    one, two, three = mods(tmp_path, "volley", *DISAGREE[case])
    for order in permutations((one, two)):
        made = compile_game(VOLLEY, [*order, three])
        assert errors(made) == []
        assert made.program is not None
    *_, four = mods(tmp_path / "later", "volley", "", "", "", DISAGREE[case][0])
    assert [code for code, _ in told(compile_game(VOLLEY, [one, two, three, four]))] == ["E0409"]


def test_a_third_mod_settles_what_a_clause_is_over(tmp_path: Path) -> None:
    allow = "allow strike when n is 1, over [VO-07] [house, ours]"
    remove = "remove [VO-07]\nremove [VO-12]"
    without = mods(tmp_path, "volley", allow, remove, "remove [ours]")
    assert errors(compile_game(VOLLEY, without)) == []
    again = mods(tmp_path, "volley", allow, remove, "forbid strike when t is Banner and n < 3 [VO-07]")
    assert errors(compile_game(VOLLEY, again)) == []


def test_mods_that_do_the_same_or_different_things_agree(tmp_path: Path) -> None:
    same = mods(
        tmp_path, "volley", "change archer: hp = 2", "change archer: hp = 2, harm = 1", "remove [VO-12]"
    )
    assert errors(compile_game(VOLLEY, same)) == []
    twice = mods(tmp_path, "volley", "remove [VO-12]", "remove [VO-12]")
    assert errors(compile_game(VOLLEY, twice)) == []


def test_a_mod_changes_what_players_read(tmp_path: Path) -> None:
    text = 'change archer: hp = 2, name en = "Bowman", name fr = "Archère", look = "#224466"'
    other = 'change knight: name = "Rider"'
    program = compile_game(VOLLEY, mods(tmp_path, "volley", text, other)).program
    assert program is not None
    kinds = next(each for each in program.domains if each.name == "Kind")
    labels = [dict(program.texts[each].texts) for each in kinds.labels]
    assert labels[0] == {"": "Bowman", "fr": "Archère"}
    assert labels[1] == {"": "Rider"}
    assert kinds.looks[0] == "#224466"
    assert {each.place.file for each in program.clauses if each.place.file.startswith("two")} <= {
        "two/two.scn"
    }
    (row,) = told(compile_game(VOLLEY, mods(tmp_path / "wrong", "volley", "change archer: name en = 3")))
    assert row[0] == "E0101"
    (row,) = told(compile_game(VOLLEY, mods(tmp_path / "chosen", "volley", "    scenario hill")))
    assert row[0] == "E0120"


def test_two_mods_in_one_folder_keep_their_names(tmp_path: Path) -> None:
    clause = "forbid strike when n is {0} [house, {1}]"
    paths = mods(tmp_path, "volley", clause.format(1, "weak"), clause.format(2, "middling"))
    program = compile_game(VOLLEY, paths).program
    assert program is not None
    found = {each.families[0]: each.place.file for each in program.clauses if each.families}
    assert (found["weak"], found["middling"]) == ("one/one.scn", "two/two.scn")


def test_a_mod_that_removes_what_the_game_is_over_is_told_where(tmp_path: Path) -> None:
    (made,) = told(compile_game(VOLLEY, mods(tmp_path, "volley", "remove [VO-05]")))
    assert made == ("E0401", {"volley", "one"})


def test_what_another_mod_removed_is_named_with_its_place(tmp_path: Path) -> None:
    paths = mods(tmp_path, "volley", "remove recover\nremove [VO-11]", "after recover: nothing [house]")
    (made,) = [each for each in told(compile_game(VOLLEY, paths)) if each[0] == "E0205"]
    assert made[1] == {"one", "two"}


def test_several_mods_of_one_game_together(tmp_path: Path) -> None:
    paths = mods(
        tmp_path,
        CRISTAL,
        'change MI: cost = 2\ntest "dearer":\n    expect price(MI) is 2 and price(EP) is 3',
        "extend Troop:\n    | id | name fr | cost | fc | class |\n    | BL | Balliste | 7 | 9 | foot |    [house]\n"
        'test "a new one":\n    expect price(BL) is 7',
        "modify price: +1 when t is BL [house]\n"
        'test "dearer still":\n    expect price(BL) is 8 and price(MI) is 2',
    )
    made = compile_game(CRISTAL, paths[:2], tests=True)
    assert errors(made) == []
    assert made.program is not None
    ours = [each for each in run_tests(Machine(made.program)) if Path(each.place.file).stem in {"one", "two"}]
    assert [(each.title, each.passed) for each in ours] == [("dearer", True), ("a new one", True)]
    all_three = compile_game(CRISTAL, paths, tests=True)
    assert all_three.program is not None
    results = run_tests(Machine(all_three.program), titles=("dearer still", "a new one"))
    assert {each.title: each.passed for each in results} == {"a new one": False, "dearer still": True}


def test_mods_of_cristal_that_disagree(tmp_path: Path) -> None:
    paths = mods(
        tmp_path,
        CRISTAL,
        "change MI: cost = 2\nremove [CA-077]",
        "change MI: cost = 3\nmodify factor: +1 when t is CLE, over [CA-077] [house]",
    )
    for order in permutations(paths):
        assert sorted(told(compile_game(CRISTAL, order)))[0] == ("E0409", {"one", "two"})


NEAR = "game swords:\n    players ann, bob\n    rounds 1\naction hit by p: nothing\nround:\n    ann chooses: hit\n"
OVER = 'mod harder for swords:\n    title en "Harder"\n\nforbid hit when round is 1 "not yet"\n'


@pytest.mark.parametrize("folder", ["swords", "sq"])
@pytest.mark.parametrize("mod", ["harder.scn", "harder/harder.scn"])
def test_a_game_is_found_near_a_mod_whatever_its_folder_is_called(
    tmp_path: Path, folder: str, mod: str
) -> None:
    for path, text in ((f"{folder}/{folder}.scn", NEAR), (mod, OVER)):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert compile_game(str(tmp_path / mod)).program is not None


def test_a_game_that_is_not_found_says_where_it_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "harder.scn").write_text(OVER)
    (found,) = compile_game(str(tmp_path / "harder.scn")).diagnostics
    assert found.code.value == "E0010"
    assert "in the folders beside it" in found.hint


def test_a_label_in_one_language_stands_in_for_the_other(tmp_path: Path) -> None:
    path = tmp_path / "swords.scn"
    path.write_text(
        f"{NEAR}table Kind:\n    | id | name fr | name en |\n    | k  | -       | Bow |\n    | l  | Lance | - |\n"
    )
    program = compile_game(str(path)).program
    assert program is not None
    kinds = next(n for n, each in enumerate(program.domains) if each.name == "Kind")
    assert [member_name(program, kinds, 0, lang) for lang in ("fr", "en")] == ["Bow", "Bow"]
    assert [member_name(program, kinds, 1, lang) for lang in ("fr", "en")] == ["Lance", "Lance"]


def test_a_table_that_is_left_to_scenarios_says_how_it_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "swords.scn"
    path.write_text(f"{NEAR}table fate(roll: 1..6):\n    | roll | gain |\n")
    (found,) = compile_game(str(path)).diagnostics
    assert found.code.value == "E0415"
    assert "`extend fate:`" in found.hint


def test_a_misspelt_change_is_not_mended_into_a_second_one(tmp_path: Path) -> None:
    path = tmp_path / "swords.scn"
    table = "table Troop:\n    | id | cost |\n    | LA |    1 |\n    | MI |    2 |\n"
    path.write_text(f"{NEAR}{table}")
    mod = tmp_path / "dear.scn"
    head = 'mod dear for swords:\n    title en "Dear"\n\n'
    for changes, safe in (
        ("change LA: cost = 2\nchange LAA: cost = 3\n", False),
        ("change LAA: cost = 3\n", True),
    ):
        mod.write_text(head + changes)
        (found,) = compile_game(str(mod)).diagnostics
        assert found.fix is not None
        assert found.fix.is_safe is safe


def test_a_hole_in_a_text_that_is_not_closed_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "swords.scn"
    path.write_text(NEAR.replace("action hit by p:", 'action hit by p "{p hits {p}":'))
    (found,) = compile_game(str(path)).diagnostics
    assert "`{`" in found.message


def test_sets_and_bags_are_changed_in_braces(tmp_path: Path) -> None:
    game = tmp_path / "fair.scn"
    text = (
        "game fair:\n    players red, blue\n    rounds 2\n\ntype Good = wood | iron\n\n"
        "table Kind:\n    | id | traits: set of Trait | stock: bag of Good |\n"
        "    | a  | big       | 2 wood |\n    | b  | big, fast | -      |\n"
        "type Trait = big | fast | odd\nround: nothing\nmode plain: nothing\nmode other:\n"
        "    change a: traits = {fast, odd}, stock = {1 wood, 3 iron}\n"
        "    change b: traits = {}\n"
        '    test "changed":\n        expect a.traits is {fast, odd} and a.stock[iron] is 3\n'
        "        expect b.traits is empty\n"
    )
    game.write_text(text, encoding="utf-8")
    made = compile_game(str(game), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    assert [each.passed for each in run_tests(made.program)] == [True]
    game.write_text(text.replace("{fast, odd}, stock", "{fast, old}, stock"), encoding="utf-8")
    (wrong,) = compile_game(str(game)).diagnostics
    assert wrong.span is not None and (wrong.code.id, wrong.span.text) == ("E0201", "old")


def test_what_has_no_name_is_not_replaced(tmp_path: Path) -> None:
    made = compile_game(VOLLEY, mods(tmp_path, "volley", "replace setup: nothing"))
    assert [each.message for each in errors(made)] == ["only what has a name can be replaced"]


def test_a_mod_says_what_it_requires_and_what_it_cannot_stand_beside(tmp_path: Path) -> None:
    def headed(name: str, line: str) -> str:
        path = tmp_path / f"{name}.scn"
        path.write_text(f'mod {name} for volley:\n    note "a mod"\n{line}\n', encoding="utf-8")
        return str(path)

    first, plain = headed("first", "    excludes other"), headed("plain", "")
    other = headed("other", "")
    second = headed("second", "    requires first, plain")
    lost = headed("lost", "    requires nowhere\n    requires other")
    loaded = compile_game(VOLLEY, [second])
    assert errors(loaded) == []
    assert [each.header.name.text for each in loaded.modules.layers] == ["volley", "first", "plain", "second"]
    (missing,) = errors(compile_game(VOLLEY, [lost]))
    assert (missing.code.id, missing.message) == ("E0015", "`lost` requires `nowhere`, which is not loaded")
    for order in permutations((plain, first, other)):
        (beside,) = errors(compile_game(VOLLEY, order))
        assert (beside.code.id, beside.message) == ("E0015", "`first` cannot stand beside `other`")


def test_a_mod_that_is_loaded_twice_is_loaded_once(tmp_path: Path) -> None:
    (one,) = mods(tmp_path, "volley", "modify hp: +1 [house, tough]")
    again = str(tmp_path / "." / ".." / tmp_path.name / "one.scn")
    for given in ([one, one], [one, again]):
        made = compile_game(VOLLEY, given)
        assert errors(made) == []
        assert made.program is not None
        assert sum(each.families == ("tough",) for each in made.program.clauses) == 1
    (own,) = mods(tmp_path / "own", CRISTAL, "extend state:\n    tally: 0..9")
    assert errors(compile_game(own, [own])) == []
    (other,) = mods(tmp_path / "other", "volley", "modify hp: +2")
    assert told(compile_game(VOLLEY, [one, other])) == [("E0015", {"one"})]


def outcomes(made: Compiled) -> dict[str, str]:
    """Each test of a program by its title: `passed`, what failed, or why it was skipped."""
    assert made.program is not None, [each.message for each in made.diagnostics]
    return {each.title: each.skipped or each.message or "passed" for each in run_tests(made.program)}


def test_tests_are_for_a_scenario_a_map_or_mods_and_skipped_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "pond.scn").write_text(
        "game pond:\n    players ann\n    rounds 1\nstate:\n    frogs: 0..9 = 3\n"
        "round: nothing\n"
        'test "frogs":\n    given: nothing\n    expect frogs is 3\n'
        'test "toads" for toads:\n    given: nothing\n    expect warts is 0\n'
        'test "big" for toads, lake:\n    given: nothing\n    expect nobody_knows\n'
        'map lake on squares:\n    """\n    . .\n    . .\n    """\n',
        encoding="utf-8",
    )
    (toads,) = mods(tmp_path, "pond", "extend state:\n    warts: 0..9")
    Path(toads).write_text(Path(toads).read_text(encoding="utf-8").replace("mod one", "mod toads"), "utf-8")
    game = str(tmp_path / "pond.scn")
    alone = compile_game(game, tests=True)
    assert errors(alone) == []
    assert outcomes(alone) == {"frogs": "passed", "toads": "for toads", "big": "for toads"}
    (unknown,) = errors(compile_game(game, [toads], tests=True))
    assert "nobody_knows" in unknown.message


def test_a_mod_replaces_the_test_that_it_changes_on_purpose(tmp_path: Path) -> None:
    (tmp_path / "pond.scn").write_text(
        "game pond:\n    players ann\n    rounds 1\nstate:\n    frogs: 0..9\n"
        "value many -> 0..9 = 3\nround: nothing\n"
        'test "many":\n    expect many is 3\ntest "none":\n    expect frogs is 0\n',
        encoding="utf-8",
    )
    game, more = str(tmp_path / "pond.scn"), "modify many: +2\n"
    new = 'replace test "many":\n    expect many is 5'
    plain, settled = mods(tmp_path, "pond", more, more + new)
    assert outcomes(compile_game(game, [plain], tests=True))["many"] != "passed"
    assert outcomes(compile_game(game, [settled], tests=True)) == {"many": "passed", "none": "passed"}
    assert outcomes(compile_game(settled, tests=True)) == {"many": "passed"}
    assert errors(compile_game(game, [settled])) == []
    (other,) = mods(tmp_path / "other", "pond", 'test "other":\n    expect many is many')
    assert errors(compile_game(game, [other, settled])) == []
    assert outcomes(compile_game(game, [other, settled], tests=True))["many"] == "passed"
    (wrong,) = mods(tmp_path / "wrong", "pond", new.replace("many", "mani", 1))
    (told_of,) = errors(compile_game(game, [wrong], tests=True))
    assert (told_of.code.id, told_of.hint) == ("E0201", 'did you mean `test "many"`?')


def test_a_program_names_the_mods_in_force(tmp_path: Path) -> None:
    one, two = mods(tmp_path, "volley", "", "")
    path = Path(two)
    path.write_text(path.read_text(encoding="utf-8").replace('note "a mod"', 'title "Hard hail"'), "utf-8")
    program = compile_game(VOLLEY, [two, one]).program
    assert program is not None
    named = [
        (each.name, None if each.label is None else program.texts[each.label].texts[0][1])
        for each in program.mods
    ]
    assert named == [("two", "Hard hail"), ("one", None)]
    assert compile_game(VOLLEY).program.mods == ()  # type: ignore[union-attr]


def test_overlaps_that_a_rank_has_settled_are_listed_as_settled(tmp_path: Path) -> None:
    first, second = "modify hp: at least 3 [house, sturdy]", "modify hp: at most 2"
    open_, ranked = (
        list(overlap_lines(VOLLEY, mods(tmp_path / name, "volley", first, f"{second}{over}")))
        for name, over in (("open", ""), ("ranked", ", over sturdy"))
    )
    assert open_[0] == "hp: more than one mod adds to it"
    assert ranked[0] == "hp: more than one mod adds to it, settled by `over`"
    assert ranked[2].startswith("    two: modify, over sturdy")


def test_a_failing_test_of_the_game_names_the_lines_of_the_mod(tmp_path: Path) -> None:
    (tmp_path / "pond.scn").write_text(
        "game pond:\n    players ann\n    rounds 1\nstate:\n    frogs: 0..9\n"
        "value many -> 0..9 = 3\nvalue all -> 0..9 = many + 1\nround: nothing\n"
        "action spawn: frogs gains 1\n"
        'test "all":\n    expect all is 4\ntest "spawn":\n    run spawn\n    expect frogs is 1\n',
        encoding="utf-8",
    )
    text = "modify many: +2 [house, rain]\nafter spawn: frogs gains 1 [house, twins]\nvalue other -> 0..9 = 1"
    program = compile_game(str(tmp_path / "pond.scn"), mods(tmp_path, "pond", text), tests=True).program
    assert program is not None
    machine = Machine(program)
    found = {test.title: [each.families for each in mods_at_work(machine, test)] for test in program.tests}
    assert found == {"all": [("rain",)], "spawn": [("twins",)]}


BROKEN = """game pond:
    players ann
    rounds 1
table Kind:
    | id    | move |
    | scout |    3 |
    | tank  |    1 |
state:
    frogs: 0..9
value many -> 0..9 = 3
value fast(k: Kind) -> 0..9 = k.move + 1
value apart -> 0..9 = 7
round: nothing
action spawn: frogs gains fast(scout)
action leap by p: frogs gains 1
forbid leap when frogs > 3  [house, full]
test "a cell":
    expect scout.move is 3
test "another cell":
    expect tank.move is 2
test "a value of cells":
    expect fast(scout) is 4
test "what was done":
    run spawn
    expect frogs is 4
test "what is replaced":
    expect many is 3
test "what is removed":
    given: frogs = 4
    expect illegal leap by ann
"""


def test_a_failing_test_of_the_game_names_what_mods_changed_and_removed(tmp_path: Path) -> None:
    (tmp_path / "pond.scn").write_text(BROKEN, encoding="utf-8")
    text = "change scout: move = 4\nreplace value many -> 0..9 = 5\nremove [full]\nreplace value apart -> 0..9 = 1"
    path, (mod,) = str(tmp_path / "pond.scn"), mods(tmp_path, "pond", text)
    made = compile_game(path, [mod], tests=True)
    assert made.program is not None
    machine, edits = Machine(made.program), edits_of(path, [mod])
    found = {
        test.title: [line.split("  ")[-1] for line in mod_lines(machine, test, made.sources, edits)[1:]]
        for test in made.program.tests
    }
    assert found == {
        "a cell": ["change scout: move = 4"],
        "another cell": [],
        "a value of cells": ["change scout: move = 4"],
        "what was done": ["change scout: move = 4"],
        "what is replaced": ["replace value many -> 0..9 = 5"],
        "what is removed": ["remove [full]"],
    }


def test_a_changed_cell_cites_who_changed_it(tmp_path: Path) -> None:
    paths = mods(tmp_path, "volley", "change archer: hp = 2 [house, tough]", "change knight: harm = 2")
    program = compile_game(VOLLEY, paths).program
    assert program is not None
    cited = {}
    for data in program.data:
        if data.name in {"Kind.hp", "Kind.harm"}:
            found = [program.clauses[each] for each in data.clauses if each is not None]
            cited[data.name] = [(each.place.file.partition("/")[0], each.families) for each in found]
    assert cited["Kind.hp"] == [("one", ("tough",)), ("volley", ()), ("volley", ())]
    assert cited["Kind.harm"] == [("volley", ()), ("two", ()), ("volley", ())]


LENDING = {
    "lending/lending.scn": "game lending:\n    players red\n    rounds 3\nstate:\n    gold: 0..9\n"
    "action earn by p: p_gains(1)\naction p_gains(n: 1..3): gold gains n\n"
    "round:\n    for p in order of play:\n        p chooses: earn\n",
    "lending/tests/gold_tests.scn": "value rich -> bool = gold > limit\nvalue limit -> 0..9 = 4\n"
    "value spare -> 0..9 = gold\n"
    'test "poor at first":\n    given: gold = 0\n    expect not rich\n',
}


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("", "rich"),
        ("value spare -> 0..9 = 3", "rich and spare is 3"),
        ("value limit -> 0..9 = 8", "not rich and limit is 8"),
        ("value rich -> bool = gold is 5", "rich"),
    ],
)
def test_a_mod_may_use_what_stands_beside_the_tests_of_its_game_and_declare_it_itself(
    tmp_path: Path, declared: str, expected: str
) -> None:
    mod = f'mod lent for lending:\n    note "n"\n{declared}\ntest "t":\n    given: gold = 5\n    expect {expected}\n'
    for name, text in {**LENDING, "lending/lent.scn": mod}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = compile_game(str(tmp_path / "lending" / "lent.scn"), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    (result,) = run_tests(Machine(made.program))
    assert result.passed, result.message


GUARDS = """game base:
    players ann, bob
    rounds 2
table Troop:
    | id    | n |
    | guard | 1 |
    | rider | 2 |
table House:
    | id    | n |
    | guard | 4 |
    | mill  | 8 |
map board on squares(2, 2)
piece Unit of Troop, up to 2 each:
    at: Cell?
state:
    a: 0..99
value of_all -> 0..99 = (sum t.n for t in Troop) + (sum h.n for h in House)
action pay(u: Unit): nothing
action pay(guard): a = 1
action visit(h: House): nothing
action visit(guard): a = 2
round: a = of_all
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("remove guard", ("E0204", "say of which table: `remove Troop.guard`")),
        ("change guard: n = 3", ("E0204", "say of which table: `change Troop.guard: ...`")),
        ("remove House guard", ("E0201", "write `remove House.guard`")),
        ("remove action of_all", ("E0201", "write `remove value of_all`, or `remove of_all` alone")),
        ("remove House.mil", ("E0201", "did you mean `mill`?")),
        ("remove Hose.mill", ("E0201", "did you mean `House`?")),
    ],
)
def test_a_row_that_two_tables_have_is_named_with_its_table(
    line: str, told: tuple[str, str], tmp_path: Path
) -> None:
    found = with_guards(tmp_path, line)
    assert [(each.code.id, str(each.hint)) for each in found.diagnostics] == [told]


@pytest.mark.parametrize(
    ("line", "sum_of_all", "visited", "paid"),
    [
        ("remove House.guard", 11, 0, 1),
        ("remove Troop.guard", 14, 2, 0),
        ("change House.guard: n = 5", 16, 0, 0),
    ],
)
def test_of_two_rows_the_one_that_is_named_goes_with_its_case(
    line: str, sum_of_all: int, visited: int, paid: int, tmp_path: Path
) -> None:
    tests = f"""
test "all":
    given: nothing
    expect of_all is {sum_of_all}
"""
    if visited:
        tests += 'test "visit":\n    run visit(guard)\n    expect a is 2\n'
    if paid:
        tests += 'test "pay":\n    given: place guard at a1\n    run pay(guard)\n    expect a is 1\n'
    found = with_guards(tmp_path, line, tests)
    assert [str(each.message) for each in found.diagnostics] == []
    assert found.program is not None
    results = run_tests(Machine(found.program))
    assert results and all(each.passed for each in results)


def with_guards(folder: Path, line: str, tests: str = "") -> Compiled:
    (folder / "base").mkdir()
    (folder / "base" / "base.scn").write_text(GUARDS, encoding="utf-8")
    mod = folder / "less.scn"
    mod.write_text(f'mod less for base:\n    title en "Less"\n{line}\n{tests}', encoding="utf-8")
    return compile_game(str(mod), tests=True)
