"""The one layout, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostics
from dsl.format import NotTheSame, formatted, layout
from dsl.ir import program as pr
from dsl.resources import games, stdlib_folder
from dsl.source import Source
from tests.examples import example_folders
from tests.format.programs import disturbed, laid_out
from tests.shipped import shipped
from tests.soak import without_largest

GAMES = [*(stdlib_folder() / name for name in games()), *example_folders()]


def lay(text: str) -> str:
    return laid_out(dedent(text).lstrip("\n"))


def same(text: str) -> None:
    text = dedent(text).lstrip("\n")
    assert laid_out(text) == text


def test_blocks_stand_four_spaces_apart() -> None:
    assert lay("round:\n  for p in Player:\n     if a:\n      stop\n     else: nothing\n").splitlines() == [
        "round:",
        "    for p in Player:",
        "        if a:",
        "            stop",
        "        else: nothing",
    ]


def test_spaces_between_words_and_signs() -> None:
    assert lay("value  a( t :Troop )->0 .. 20=t . fc  or-1 ,rounded   down\n") == (
        "value a(t: Troop) -> 0..20 = t.fc or -1, rounded down\n"
    )
    assert lay("modify a:- b if c else 3 when d\n") == "modify a: -b if c else 3 when d\n"
    assert lay("modify a: +3\nmodify a: times  3 / 2\n") == "modify a: +3\nmodify a: times 3/2\n"
    assert lay("value a = b*c / 2 rounded up\n") == "value a = b * c / 2 rounded up\n"
    assert lay("value a = x in b-1..c(2 , 3)\n") == "value a = x in b - 1 .. c(2, 3)\n"
    assert lay("action a: b[ MI ]gains{3 MI,1 KN};c  gains   up  to 2\n") == (
        "action a: b[MI] gains {3 MI, 1 KN}; c gains up to 2\n"
    )
    assert (
        lay("type T=a|b\nstate: \n  m :Player ?=none\n") == "type T = a | b\nstate:\n    m: Player? = none\n"
    )


def test_what_stands_in_quotes_is_kept() -> None:
    same('round "a  b\\t, c ":\n    say  "x"\n'.replace("say  ", "say "))


def test_columns_of_a_table_stand_under_each_other() -> None:
    assert lay(
        """
        table Troop:
          |id|name fr|cost|note|
          |MI|Éléphants de Çà|1| - |
          | KN |騎士| 10|9-10|
        """
    ) == dedent(
        """\
        table Troop:
            | id | name fr         | cost | note |
            | MI | Éléphants de Çà |    1 | -    |
            | KN | 騎士            |   10 | 9-10 |
        """
    )


def test_the_first_column_is_no_number() -> None:
    same("table events(die: 1..12):\n    | 1d12 | effect |\n    | 2    | a      |\n    | 10   | b      |\n")


def test_citations_stand_in_the_margin_of_the_file() -> None:
    assert lay(
        "action a: [A-1]\n    nothing   [ A-2 ,house ]\n\nforbid a   [A-3:A-4]  # why\n"
    ).splitlines() == [
        f"{'action a:':<52}[A-1]",
        f"{'    nothing':<52}[A-2, house]",
        "",
        f"{'forbid a':<52}[A-3: A-4]  # why",
    ]
    wider = f'forbid a when b "{"x" * 50}"'
    assert lay(f"forbid a [A-1]\n\n{wider} [A-2]\n").splitlines()[0] == f"{'forbid a':<84}[A-1]"


def test_a_line_too_long_for_the_margin_takes_its_neighbours_along() -> None:
    long = f'forbid a when b "{"x" * 75}"'
    lines = lay(f"{long} [A-1]\nforbid b [A-2]\n\nforbid c [A-3]\n").splitlines()
    assert [line.index("[") for line in lines if line] == [len(long) + 2, len(long) + 2, 52]
    longer = f'forbid a when b "{"x" * 100}"'
    assert [line.index("[") for line in lay(f"{longer} [A-1]\nforbid b [A-2]\n").splitlines()] == [
        len(longer) + 2,
        52,
    ]


def test_what_a_line_is_about_is_not_its_source() -> None:
    same("remove [A-1]\nforbid a, over [A-2]\nbefore a, ahead of [A-3]: b\n")
    same('test "t":\n    expect illegal a because [A-1]\n    expect illegal a because among [A-1, A-2]\n')


def test_comments_keep_their_place() -> None:
    same(
        """
        # of the file

        # of the state
        state:
            # of the first
            a: 0..3        # one
            bcd: 0..3 = 1  # two

            e: 0..3  # three
            # of the block, at its end

        # of the round
        round:
            foo(
                1,  # of the argument
                # between
                2
            )  # behind
        # of the end
        """
    )


def test_brackets_over_several_lines() -> None:
    assert lay("value a = (\n sum b for c in {\n  d, e\n }\n), rounded up [A-1]\n").splitlines() == [
        "value a = (",
        "    sum b for c in {",
        "        d, e",
        "    }",
        f"{'), rounded up':<52}[A-1]",
    ]


def test_blank_lines() -> None:
    state = "\n\nstate:\n\n    a: 0..3\n\n\n    b: 0..3\n"
    assert lay(f"{state}# of the round\nround:\n    a\nsetup: b\n\n\n\nsetup: c\n# ---- End\n") == dedent(
        """\
        state:
            a: 0..3

            b: 0..3

        # of the round
        round:
            a
        setup: b

        setup: c

        # ---- End
        """
    )


def test_the_declarations_of_a_mode_are_parted_too() -> None:
    assert lay("mode m:\n  state:\n    a: 0..1\n  round:\n    b\nmode n:\n  remove c\n") == (
        "mode m:\n    state:\n        a: 0..1\n\n    round:\n        b\n\nmode n:\n    remove c\n"
    )


def test_a_drawing_moves_with_its_quotes_and_stays_as_drawn() -> None:
    drawing = '  """\n   a . b  \n    c . d\n\n   # e\n  """  # kept\n'
    assert lay(f"map m on hexes(pointy):\n{drawing}") == (
        'map m on hexes(pointy):\n    """\n     a . b\n      c . d\n\n     # e\n    """  # kept\n'
    )


def test_other_ends_of_lines_and_tabs() -> None:
    assert laid_out("round:\n\tif a:\n\t\tb\n") == "round:\n    if a:\n        b\n"


def test_what_cannot_be_read_is_left_alone() -> None:
    made = formatted(Source("test", "round:\n    if a\n        b\n"))
    assert isinstance(made, Diagnostics)
    assert [each.code for each in made] == [Code.MISSING_COLON]


def test_a_text_that_says_something_else_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_laid_out", lambda source: source.text.replace("a", "b"))
    with pytest.raises(NotTheSame):
        formatted(Source("test", "round: a\n"))
    monkeypatch.setattr(layout, "_laid_out", lambda source: "round: a\n")
    with pytest.raises(NotTheSame):
        formatted(Source("test", "round: a # lost\n"))


@pytest.mark.slow
@pytest.mark.parametrize("game", without_largest(GAMES), ids=lambda game: game.name)
def test_a_program_does_not_depend_on_the_layout(game: Path, tmp_path: Path) -> None:
    """Other spaces change the places of a program and the lines that it quotes, and nothing else."""
    from random import Random

    tests = game.name == "cristal_et_acier"  # how tests are read shows in those of one game
    before = shipped(game, tests=tests)
    copy = tmp_path / game.name
    for path in game.rglob("*"):
        if path.is_file():
            to = copy / path.relative_to(game)
            to.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_text(encoding="utf-8")
            to.write_text(disturbed(data, Random(7)) if path.suffix == ".scn" else data, encoding="utf-8")
    after = compile_game(str(copy), tests=tests).program
    assert before is not None
    assert after is not None
    assert list(_different(before, after)) == []


def _different(one: object, other: object, path: str = "") -> Iterator[str]:
    """Where two programs differ, places and spaces in texts aside, as some texts quote lines."""
    if one is other or isinstance(one, pr.Place):
        return
    names = _fields(type(one))
    if type(one) is not type(other):
        yield f"{path}: {one!r:.200} became {other!r:.200}"
    elif names:
        for name in names:
            yield from _different(getattr(one, name), getattr(other, name), f"{path}/{name}")
    elif isinstance(one, str) and isinstance(other, str):
        if one != other and "".join(one.split()) != "".join(other.split()):
            yield f"{path}: {one!r:.200} became {other!r:.200}"
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for at, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _different(left, right, f"{path}/{at}")
    elif isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key in one:
            yield from _different(one[key], other[key], f"{path}/{key}")
    elif one != other:
        yield f"{path}: {one!r:.200} became {other!r:.200}"


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a node; none of what is no node."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
