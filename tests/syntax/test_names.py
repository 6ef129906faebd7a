"""Words of the language as names: each is free where it cannot be read as itself; the reference lists the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.syntax.grammar import SOFT, WORD, is_reserved
from dsl.syntax.words import DECLARATIONS, SPELLINGS, STATEMENTS, terminals_of
from dsl.testing.runner import run_tests

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/language/files.md"
GAME = """game g:
    players ann, ben
    rounds 3
table K:
    | id  | {w} |
    | {w} |   1 |
    | one |   2 |
state:
    {w}_of: K = {w}
    n: 0..9
state of Player:
    {w}: 0..9
action act(k: K) by p:
    need k is not {w} or k.{w} < 2 "no"
    p.{w} = k.{w}
    p.{w} gains 1
    {w}_of = {w}
round:
    for p in order of play:
        p may: act(k) for k in K
victory p when p.{w} is 9 and {w}_of is {w}
test "a row":
    run act({w}) by ann
    expect ann.{w} is 2 and {w}_of is {w}
"""
OTHERS = """game g:
    players ann, ben
    rounds 3
state:
    {w}: 0..9 = 1
    n: 0..9
action act(x: 0..2) by p:
    need {w} + x < 9 and ({w} is 1 or {w} > 1)
    {w} gains 1
    {w} = {w} * 1 + x - ({w} / {w} rounded up) + 1
round:
    for p in order of play:
        p may: act(x) for x in 0..2 when {w} < 5
test "a field":
    run act(2) by ann
    expect {w} is 4
"""
CALLED = """game g:
    players ann, ben
    rounds 3
state:
    n: 0..99
action {w}(x: 0..2) by p "{w}": n gains x
forbid {w} when n is 50
after {w}: n gains 1
round:
    for p in order of play:
        p may: {w}(x) for x in 0..2 when n < 50
        {w}(1) by p
test "an action":
    ann: {w}(2)
    ben: {w}(0)
    expect n is 8
"""
TOLD = sorted(word for word in {*DECLARATIONS, "mode", "order", "given", "run"} if not is_reserved(word))


@pytest.mark.parametrize("word", [*sorted(SOFT), *TOLD])
@pytest.mark.parametrize("text", [GAME, OTHERS, CALLED], ids=["row", "field", "action"])
def test_a_word_that_is_not_reserved_is_a_name(word: str, text: str, tmp_path: Path) -> None:
    if word in {"round"}:
        return  # what the game counts by itself
    path = tmp_path / "g.scn"
    path.write_text(text.format(w=word), encoding="utf-8")
    made = compile_game(str(path), tests=True)
    assert made.program is not None, [f"{each.span}: {each.message}" for each in made.diagnostics]
    assert [each.message for each in run_tests(made.program) if not each.passed] == []


def test_the_reference_lists_what_is_reserved() -> None:
    spelt = {word for several in SPELLINGS.values() for each in several for word in each.split()}
    spelt |= {*STATEMENTS, *DECLARATIONS, "if", "not", "none", "every", "sum", "legal", "let", "for", "need"}
    reserved = {word for word in spelt if WORD.fullmatch(word) and is_reserved(word) and terminals_of(word)}
    text = re.search(
        r"What is left cannot be a name .*?: `(.*?)`", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert text is not None
    assert set(text[1].split()) == reserved
