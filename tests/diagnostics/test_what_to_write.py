"""Slips in rules, content and mods, as their authors make them: each is told once, with what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostic

GAME = """game small:
    players ann, bob
    rounds 3

type Size = little | large
type Ground = plain | water | forest

area camp of Player
area bog

state of Cell:
    ground: Ground

map field on squares:
    legend:
        "~" = water
        "A" = camp of ann
        "B" = camp of bob
        "S" = bog
    \"\"\"
    A . . ~
    . S . ~
    . . . B
    \"\"\"

table Kind:
    | id    | name en | hp: 1..9 | move | size   | traits: set of Trait |
    | guard | Guard   |        3 |    2 | large  | armed                |
    | scout | Scout   |        1 |    4 | little | swift                |
    | rider | Rider   |        2 |    6 | large  | swift, armed         |

type Trait = swift | armed

piece Unit of Kind, up to 4 each:
    owner: Player
    at: Cell?
    damage: 0..9
    left: 0..9 = self.move

state:
    gold: 0..9

value strength(u: Unit) -> 0..20 = u.hp + 1
action step(u: Unit, c: Cell) by p: u.at = c
action earn by p: gold gains up to 1
menu orders:
    earn

round:
    for p in order of play:
        p may: orders

"""

RULES = {
    "value v -> bool = c in Cell where c.ground is water\n": "write `any c in Cell where ...`",
    "action dig by p:\n    need c in around(a1) where c.ground is water\n": "`no c in around(a1) ...`",
    "value v -> bool = u in Unit satisfies u.left > 0\n": "write `every u in Unit satisfies ...`",
    "value v -> bool = exists u in Unit where u.left > 0\n": "`any x in S where C`",
    "value v -> bool = there is no u in Unit where u.left > 0\n": "`no`",
    "value v -> 0..9 = number of u in Unit where u.left > 0\n": "`count`",
    "value v -> 0..99 = sum of u.left for u in Unit\n": "`sum E for x in S`",
    "value v -> bool = for all u in Unit: u.left > 0\n": "`every x in S satisfies C`",
    "value v -> 0..9? = max u.left for u in Unit\n": "`highest x in S by E`",
    "value v -> bool = any Unit where u.left > 0\n": "write `any u in Unit where ...`",
    "value v -> bool = every u in Unit where u.left > 0\n": "write `every u in Unit satisfies u.left > 0`",
    "value v -> 0..99 = sum u.left in Unit\n": "write `sum u.left for u in ...`",
    "draw when repeated 3\n": "write `repeated(3)`",
    "type  = one | two\n": "write `type NAME = one | two`",
    "value -> 0..9 = 3\n": "write `value NAME -> 0..9 = 3`",
    "piece of Kind, up to 4 each:\n    at: Cell?\n": "write `piece NAME of Kind, up to 4 each:`",
    "menu:\n    earn\n": "write `menu NAME:`",
    "test:\n    expect gold is 0\n": 'write `test "what is so":`',
    'language:\n    "Guard" = "Wache"\n': "as in `language de:`",
    "type Coat = red, blue, green\n": "write `red | blue | green`",
    "action dig(p: ): gold gains 1\n": "write `p: Player`",
    "state:\n    wood: = 3\n": "write `wood: Player`",
    "table Foo:\n    | id | a |\n    | x  | 1 |  [SK-1\n    | y  | 2 |\n": "write `[SK-1]`",
    "table Foo:\n    | id | a |\n    | x  | 1 |  SK-1]\n    | y  | 2 |\n": "write `[SK-1]`",
    "setup: a1.ground = swamp\n": "write a Ground such as `plain`",
    "value lies(c: Cell) -> bool = c.ground is swamp\n": "write a Ground such as `plain`",
    "action hit(u: Unit, n: 1..9): gold = nn\n": "did you mean `n`?",
    "value ready(u: Unit) -> bool = u.left > 3\nvalue v(u: Unit) -> bool = u is redy\n": "did you mean `ready`?",
    "modify strength: += 2\n": "an operation is `+E`",
    "modify strength: -= 2\n": "an operation is `+E`",
    "modify strength: = 2\n": "`becomes E`",
    "change guard, scout: hp = 3\n": "write a line for each: `change guard: hp = 3`",
    "modify strength: becomes none\n": "only what is declared with a `?`",
    "value v -> bool = (all u in Unit where u.left > 3).damage > 2\n": "`any x in (all u in Unit where",
    "value v(c: Cell) -> set of Cell = line(c, {c1, a3})\n": "`first c in {c1, a3} where ...`",
    "value v(c: Cell) -> bool = c.at is a1\n": "`c` is a cell itself",
    "forbid step(v) when u.left > 3\n": "this clause calls it `v`",
    'test "t":\n    option gold = 3\n    expect gold is 3\n': "write `given: gold = 3`",
    'test "t":\n    option fog = true\n    expect gold is 3\n': "no rulings, options or modes",
}


def told(tmp_path: Path, text: str, mod: str = "") -> list[Diagnostic]:
    path = tmp_path / "small.scn"
    path.write_text(GAME + text, encoding="utf-8")
    if mod:
        (tmp_path / "m.scn").write_text(mod, encoding="utf-8")
    mods = [str(tmp_path / "m.scn")] if mod else []
    found = compile_game(str(path), mods, tests=True).diagnostics
    return [each for each in found if each.code is not Code.FUTILE]


def test_what_the_slips_are_added_to_is_in_order(tmp_path: Path) -> None:
    assert told(tmp_path, "") == []
    assert told(tmp_path, "", 'mod m for small:\n    note "n"\n') == []


@pytest.mark.parametrize("text", RULES)
def test_a_slip_in_rules_is_told_once_with_what_to_write(text: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, text)
    assert RULES[text] in found.hint


MODS = {
    "extend Kind:\n    | ogre | Ogre | 3 | 3 | large |\nsetup: place ogre at a1\n": (
        "`| id | name en | hp | move | size | traits |`"
    ),
    "extend Kind:\n    | ogre | Ogre | 3 | 3 | large | swift |\n    | imp | Imp | 4 | 3 | large | swift, armed |\n": (
        "`| id | name en | hp | move | size | traits |`"
    ),
    "change Kind: move = 3\n": "as in `change guard: move = 3`",
    "change Unit: move = 3\n": "as in `change guard: move = 3`",
    "change strength: move = 3\n": "`strength` is a value",
    "change gold: move = 3\n": "`gold` is a field of `state`",
    "change gold = 3\n": "write `change ROW: COLUMN = 3`",
    "change rider: size = {little}\n": "write it without the braces: `size = little`",
    "change rider: move = {3}\n": "`move = 3`",
    "remove gold\n": "`gold` is a field of `state`",
    "remove traits\n": "`traits` is a column of `Kind`",
    "remove swift\n": "write `replace type Trait = ...` without it",
    "modify guard.hp: +1\n": "write `modify Kind.hp(x): ... when x is guard`",
    "extend menu evening:\n    earn\n": "the menus are: orders",
    "extend menu step:\n    earn\n": "`step` is an action; the menus are: orders",
    "extend orders:\n    wood: 0..9\n": "write `extend menu orders:`",
    "modify strength(x): +1 when u is guard\n": "this clause calls it `x`",
    "modify Kind.move: +9\n": "`modify Kind.move: at most ...`",
    "modify Kind.hp(k): +30 when gold > 3\n": "let `strength` be `0..34`",
    "modify Kind.move: times 5\n": "let `left` be `0..10`",
}


@pytest.mark.parametrize("text", MODS)
def test_a_slip_in_a_mod_is_told_once_at_its_line(text: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, "", f'mod m for small:\n    note "n"\n{text}')
    assert MODS[text] in found.hint
    assert found.file.endswith("m.scn")


ACCEPTED = (
    "modify Kind.move: +3\n",  # each of the kinds can take it
    "modify Kind.move: +9\nmodify Kind.move: at most 9\n",
    "modify Kind.move(k): +6 when k is guard\n",  # only this one, which can
    "modify Kind.move(k): +9 when gold > 3\n",  # not as the pieces begin
    "modify strength(x): +1 when x is guard and any u in Unit where u.left > 3\n",
    "change rider: traits = {}\n",
)


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_can_be_meant_so_is_accepted(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, "", f'mod m for small:\n    note "n"\n{text}') == []


HEADERS = {
    "mod m for small\n\nchange rider: move = 3\n": "E0115",
    'mod m:\n    note "n"\nchange rider: move = 3\n': "E0010",
    "change rider: move = 3\n": "E0010",
}


@pytest.mark.parametrize("text", HEADERS)
def test_the_header_of_a_mod_is_told_once(text: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, "", text)
    assert found.code.id == HEADERS[text]


@pytest.mark.parametrize("shape", ("squares", "hexes(pointy)"))
def test_a_drawing_without_a_sign_is_told_alone(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "bare.scn"
    game = "game bare:\n    players ann\n    rounds 3\nstate:\n    here: Cell = a3\nround: nothing\n"
    path.write_text(f'{game}map field on {shape}:\n    """\n\n    """\n', encoding="utf-8")
    (found,) = compile_game(str(path)).diagnostics
    assert found.code.id == "E0107"
    assert "`. . .`" in found.hint


def test_the_names_of_a_clause_come_before_those_of_its_head(tmp_path: Path) -> None:
    """`modify pull(b, a)` of `pull(a, b)` calls the first parameter b."""
    text = "value pull(a: Unit, b: Cell) -> 0..9 = 1\nmodify pull(b, a): +1 when b.left > 3\n"
    assert told(tmp_path, text) == []


def test_a_number_is_called_one_and_no_range(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "value odd(c: Cell) -> bool = c is 3\n")
    assert found.message == "these do not go together: Cell and the number 3"


def test_what_happens_together_is_handed_what_was_before(tmp_path: Path) -> None:
    swap = (
        "state of Player:\n    purse: 0..9\naction take_from(p: Player, q: Player): p.purse = q.purse\n"
        "phase swap:\n    together:\n        take_from(ann, bob)\n        take_from(bob, ann)\n"
    )
    (found,) = told(tmp_path, swap)
    assert found.code.id == "E0414" and "above `together:`" in found.hint


def test_pieces_that_leave_in_what_happens_together_are_told_where_they_do(tmp_path: Path) -> None:
    both = (
        "action die(u: Unit): take away u\n"
        "action salvo(a: Unit, b: Unit):\n    together:\n        die(a)\n        die(b)\n"
    )
    (found,) = told(tmp_path, both)
    assert found.code.id == "E0414" and found.message.startswith("pieces neither come into play nor leave it")
    assert found.span.text == "take away u" and "`after die: take away u`" in found.hint


@pytest.mark.parametrize("does", ["take away u", "place guard of ann at d2"])
def test_so_are_those_that_do_in_what_is_called_there(tmp_path: Path, does: str) -> None:
    called = (
        f"action fall(u: Unit): {does}\naction die(u: Unit): fall(u)\n"
        "action salvo(a: Unit, b: Unit):\n    together:\n        die(a)\n        die(b)\n"
    )
    (found,) = told(tmp_path, called)
    assert found.code.id == "E0414" and found.message.startswith("pieces neither come into play nor leave it")
    assert found.span.text == does


CELLS = """test "the guard stands":
    given: place guard of ann at d2
    expect guard.at is d2
"""


def test_a_map_of_ones_own_says_what_becomes_of_tests_that_name_cells(tmp_path: Path) -> None:
    mod = 'mod m for small:\n    note "n"\nmap mine on squares:\n    """\n    . .\n    """\n'
    (found,) = told(tmp_path, CELLS, mod)
    assert found.file.endswith("m.scn")
    assert '`test "..." for MAP:`' in found.hint and '`replace test "the guard stands":`' in found.hint


def test_the_place_of_a_union_of_cells_and_shapes_is_asked_of_the_thing_itself(tmp_path: Path) -> None:
    more = 'shape yard:\n    """\n    @ #\n    """\npiece House, up to 2:\n    at: yard?\ntype Target = Unit | House\n'
    (found,) = told(tmp_path, f"{more}action hit(t: Target):\n    if t.at is a1: gold gains up to 1\n")
    assert "`cells(t)`" in found.hint
    whole = "action hit(t: Target, c: Cell):\n    if c in cells(t) or t is Unit and t.at is a1: gold gains up to 1\n"
    assert told(tmp_path, f"{more}{whole}") == []


def test_a_test_with_too_many_names_says_so(tmp_path: Path) -> None:
    lines = "".join(f"    let x{each} = gold\n" for each in range(1_001))
    (found,) = told(tmp_path, f'test "many":\n{lines}    expect gold is x3\n')
    assert (found.code.id, found.span and found.span.text) == ("E0309", '"many"')
    assert "1000 locals" in found.message


def test_a_name_for_a_number_that_is_given_is_known_to_the_end_of_the_test(tmp_path: Path) -> None:
    lines = "    given:\n        let most = 3\n        gold = 3\n    expect gold is most\n"
    assert told(tmp_path, f'test "t":\n{lines}') == []
