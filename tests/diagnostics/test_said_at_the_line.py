"""What cannot be as its words say is refused, or warned of, where it was written; what tests do is no rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.authoring.trials import trials
from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostic
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests

GAME = """game small:
    title en "Small"
    players ann, bob
    rounds 3

state of Player:
    gold: 0..9 = 3
    poisoned: bool
action dig by p "Dig":
    {line}
phase turn(p: Player):
    p may: dig
round:
    for p in order of play: turn(p)
"""
FITS = [
    "gains 9",
    "loses 9",
    "gains up to 30",
    "loses up to 30",
    "gains p.gold",
    "gains -9",
    "gains 2 * p.gold",
]


def told(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "small.scn"
    path.write_text(text, encoding="utf-8")
    return list(compile_game(str(path), tests=True).diagnostics)


@pytest.mark.parametrize("verb", ["gains", "loses"])
def test_what_no_number_of_the_range_can_gain_is_refused(tmp_path: Path, verb: str) -> None:
    (only,) = told(tmp_path, GAME.replace("{line}", f"p.gold {verb} 10"))
    assert (only.code, only.span and only.span.text) == (Code.OUT_OF_RANGE, "10")
    assert only.message == f"`p.gold` is 0..9: it never {verb} as much as 10"
    assert f"`p.gold {verb} up to 10`" in str(only.hint)


@pytest.mark.parametrize("change", FITS)
def test_what_some_number_can_gain_is_not(tmp_path: Path, change: str) -> None:
    assert told(tmp_path, GAME.replace("{line}", f"p.gold {change}")) == []


def test_a_label_without_the_games_own_language_is_told(tmp_path: Path) -> None:
    text = GAME.replace("{line}", "p.gold = 1")
    (only,) = told(tmp_path, text.replace('"Dig"', 'fr "Creuser"'))
    assert (only.code, only.span and only.span.text) == (Code.UNTRANSLATED, 'fr "Creuser"')
    assert told(tmp_path, text.replace('"Dig"', 'fr "Creuser" en "Dig"')) == []
    french = text.replace('title en "Small"', 'title fr "Petit"')
    assert told(tmp_path, french.replace('"Dig"', 'fr "Creuser"')) == []
    assert [each.code for each in told(tmp_path, french.replace('"Dig"', 'en "Dig"'))] == [Code.UNTRANSLATED]


@pytest.mark.parametrize(
    ("title", "label", "count"),
    [('fr "Loin"', 'fr "Loin"', 0), ('fr "Loin"', 'en "Far"', 0), ('en "Far"', 'fr "Loin"', 1)],
)
def test_a_label_of_a_mod_is_in_its_language_or_in_the_games(
    tmp_path: Path, title: str, label: str, count: int
) -> None:
    (tmp_path / "small.scn").write_text(GAME.replace("{line}", "p.gold = 1"), encoding="utf-8")
    mod = f"mod far for small:\n    title {title}\naction walk by p {label}: nothing\n"
    (tmp_path / "far.scn").write_text(mod, encoding="utf-8")
    found = compile_game(str(tmp_path / "small.scn"), [str(tmp_path / "far.scn")]).diagnostics
    assert [each.code for each in found] == [Code.UNTRANSLATED] * count


def test_names_in_a_table_may_be_the_same_in_all_languages(tmp_path: Path) -> None:
    table = "table Town:\n    | id    | name fr |\n    | paris | Paris   |\n"
    assert told(tmp_path, GAME.replace("{line}", "p.gold = 1") + table) == []


def test_what_waits_for_the_turn_of_one_is_answered_with_what_does(tmp_path: Path) -> None:
    (only,) = told(tmp_path, GAME.replace("{line}", "at start of turn(p): hurt(p)") + HURT)
    assert (only.code, only.span and only.span.text) == (Code.WRONG_ARGUMENTS, "turn(p)")
    assert "`before turn(p) when p.FIELD: ...`" in str(only.hint)
    done = "before turn(p) when p.poisoned:\n    p.poisoned = false\n    hurt(p)\n"
    assert told(tmp_path, GAME.replace("{line}", "opponent(p).poisoned = true") + HURT + done) == []


HURT = "action hurt(q: Player): q.gold loses up to 1\n"


def test_actions_of_the_tests_are_no_rules_that_were_never_done(tmp_path: Path) -> None:
    home = tmp_path / "small"
    (home / "tests").mkdir(parents=True)
    (home / "small.scn").write_text(GAME.replace("{line}", "p.gold = 1") + HURT, encoding="utf-8")
    helper = 'action helper: ann.gold = 2\ntest "two":\n    run helper\n    expect ann.gold is 2\n'
    (home / "tests" / "small_tests.scn").write_text(helper, encoding="utf-8")
    program = compile_game(str(home), tests=True).program
    assert program is not None
    messages = [each.message for each in trials(Machine(program), 2).findings if each.kind == "rule"]
    assert messages == ["`action hurt(q: Player): q.gold loses up to 1` was never done"]


BASE = """game base:
    players red, blue
    rounds 3
map land on squares(3, 3)
piece Man, up to 4:
    owner: Player
    at: Cell?
setup red:
    place Man of red at a1
setup red:
    place Man of red at a2
setup blue: place Man of blue at c3
action go(m: Man, c: Cell) by p "Go {c}": m.at = c
round:
    for p in order of play:
        p may: go(m, c) for m in Man where m.owner is p, c in Cell
mode usual: nothing
mode other:
    replace setup blue: place Man of blue at b3
"""
MOD = 'mod m for base:\n    title en "M"\n'


def placed(folder: Path, mod: str, mode: str = "usual") -> list[str]:
    """On which cells a game with a mod, or in a mode, begins with a man."""
    (folder / "base.scn").write_text(BASE, encoding="utf-8")
    (folder / "m.scn").write_text(MOD + mod, encoding="utf-8")
    cells = ("a1", "a2", "b1", "b3", "c3")
    found = []
    for cell in cells:
        text = f'test "{cell}":\n    option mode = {mode}\n    expect {cell} has Man\n'
        (folder / "m.scn").write_text(MOD + mod + text, encoding="utf-8")
        compiled = compile_game(str(folder / "base.scn"), mods=[str(folder / "m.scn")], tests=True)
        assert compiled.program is not None, list(compiled.diagnostics)
        if all(each.passed for each in run_tests(Machine(compiled.program))):
            found.append(cell)
    return found


def test_a_mod_replaces_and_removes_a_setup(tmp_path: Path) -> None:
    assert placed(tmp_path, "") == ["a1", "a2", "c3"]
    assert placed(tmp_path, "", "other") == ["a1", "a2", "b3"]
    assert placed(tmp_path, "replace setup red: place Man of red at b1\n") == ["b1", "c3"]
    assert placed(tmp_path, "remove setup red\n") == ["c3"]


@pytest.mark.parametrize(
    ("line", "message"),
    {
        "remove setup rad": "there is no setup `rad` to remove",
        "replace setup rad: nothing": "there is no declaration `setup rad` to change",
        "replace setup: nothing": "only what has a name can be replaced",
    }.items(),
)
def test_a_setup_that_is_not_there_is_told(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "base.scn").write_text(BASE, encoding="utf-8")
    (tmp_path / "m.scn").write_text(f"{MOD}{line}\n", encoding="utf-8")
    (found,) = compile_game(str(tmp_path / "base.scn"), mods=[str(tmp_path / "m.scn")]).diagnostics
    assert found.message == message
    assert "`replace setup red:`" in str(found.hint) or line != "replace setup: nothing"
