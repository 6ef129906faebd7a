"""Words of the language as names: each is free in every place, but those that are reserved, which are one list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.syntax.grammar import MEANINGS, RESERVED, WORD, begins_no_value, begins_something, grammar
from dsl.testing.runner import run_tests
from tests.soak import SOAK

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
PILES = """game g:
    players ann, ben
    rounds 3
table K:
    | id  | of |
    | k1 |   1 |
piece Thing of K, up to 3:
    note: 0..9
pile {w} of Thing for each Player
pile rest_of of Thing
state:
    n: 0..9
setup: shuffle {w}(ann)
setup: shuffle rest_of
action act by p:
    draw 1 from {w}(p) to rest_of
    for x in {w}(p): move x to rest_of
    for {w}_x in {w}(p):
        move {w}_x to the bottom of {w}(p)
round: act by ann
test "a pile":
    expect {w}(ann) is empty
"""
MOVED = """game g:
    players ann, ben
    rounds 3
table K:
    | id  | of |
    | k1 |   1 |
map m on squares(2, 2)
piece Thing of K, up to 3:
    note: 0..9
    at: Cell?
pile deck of Thing
pile used of Thing
state:
    {w}: Thing?
    n: 0..9
action act(x: Thing):
    {w} = x
    if {w} is not none:
        move {w} to used
        move {w} to the bottom of used
        {w}.note = 3
        n gains {w}.note
    if n is 3 and {w} is not none and {w}.note is 3: n gains 1
    take away x
    {w} = none
    n = 2 if {w} is none else 4
action more({w}: 0..3) by p:
    need {w} > 0
    draw {w} from deck to used
    let more_of = {w} + 1
    n = {w}
    n = {w} * 2
    n = {w} / 2 rounded up
    n gains {w}
    n loses up to {w}
    repeat {w} times: n = {w} if {w} > 1 else - {w} + 4
    n = max({w}, {w})
    n = count x in 0..3 where x is {w} or x in {w}..{w}
round:
    for x in Thing: act(x)
    for {w} in 1..2: more({w}) by ann
    for y in {{1, 2}} where y > 1: more(y) by ann
value doubled({w}: 0..9) -> 0..99 = {w} * 2 + {w}, rounded up
value chosen_one(x: 0..9) -> 0..99:
    let {w} = x
    if {w} > 2: return {w}
    return {w} + 1
test "a thing":
    run more(2) by ann
    expect n is 1 and doubled(3) is 9 and chosen_one(3) is 3 and chosen_one(2) is 3
"""
PLAYERS = """game g:
    players {w}, ben
    rounds 3
map m on squares(2, 2)
area base of Player
state:
    n: 0..9
    who: Player = {w}
state of Player:
    n: 0..9
piece Unit, up to 4:
    at: Cell?
setup {w}: place Unit at a1
action act(x: 0..2) by p:
    {w}.n = x
    if p is {w}: n = 1
    for q in {{{w}, ben}}: q.n = {w}.n
round:
    {w} chooses: act(x) for x in 0..2
    {w} may choose y in 0..3
    act(1) by {w}
    {w} may:
        act(2)
victory {w} when {w}.n is 9
test "a player":
    {w}: act(2)
    {w}: 3
    {w}: pass
    expect {w}.n is 1 and who is {w}
"""
TYPES = """game g:
    players ann, ben
    rounds 3
type Kind = {w} | other
ruling way: {w} | another = {w}
state:
    k: Kind = {w}
    s: set of Kind = {{{w}}}
    b: bag of Kind = {{2 {w}}}
    n: 0..9
table lookup(kind: Kind) -> 0..9:
    | kind  | is it |
    | {w}   | 3     |
    | other | 4     |
action act(x: Kind):
    if x is {w}: s gains {w}
    if x in {{{w}, other}}: s loses {w}
    b[{w}] = 3
    b gains {{1 {w}}}
    if s has {w} or b has any of {{{w}}}: n = 3
    k = {w} if x is {w} else other
    n = lookup({w})
round: act({w})
test "a member":
    run act({w})
    expect n is 3 and k is {w} and b[{w}] is 4
"""
TEXTS = {
    "row": GAME,
    "field": OTHERS,
    "action": CALLED,
    "pile": PILES,
    "thing and local": MOVED,
    "player": PLAYERS,
    "member": TYPES,
}
SPELT = {word for several in grammar().spellings.values() for each in several for word in each.split()}
WORDS = {word for word in SPELT if WORD.fullmatch(word)}
AMBIGUOUS = {
    *(("player", word) for word in ("expect", "given")),  # lines of a test begin with both
    ("player", "when"),  # `victory when when ...`
    ("member", "no"),  # `s has no or ...`
    ("row", "one"),  # the text has a row of that name
}
"""What a name cannot be in one of the texts, though it may be a name elsewhere in them."""
POSITIONS = """game g:
    players {player}, ben
    rounds 3
type Kind = {member} | other
table K:
    | id    | of |
    | {row} |  1 |
state:
    {field}: 0..9
piece Thing of K, up to 3
pile {pile} of Thing
value {value} -> 0..9 = 3
value twice({parameter}: 0..9) -> 0..18 = 3
action {action}:
    let {local} = 3
round: nothing
"""
MEMBERS = {"player", "member", "row"}
"""Names that are values only: they may be words that begin nothing but statements."""
PLACES = ("player", "member", "row", "field", "pile", "value", "parameter", "action", "local")


@pytest.mark.parametrize("word", sorted(WORDS - RESERVED))
def test_a_word_that_is_not_reserved_is_a_name(word: str, tmp_path: Path) -> None:
    """In each run every third place is tried with a word; the others with the words beside it."""
    first = sorted(WORDS).index(word) % 3
    for place, text in [*TEXTS.items()] if SOAK else [*TEXTS.items()][first::3]:
        if (place, word) in AMBIGUOUS:
            continue
        path = tmp_path / "g.scn"
        path.write_text(text.format(w=word), encoding="utf-8")
        made = compile_game(str(path), tests=True)
        assert made.program is not None, (
            place,
            [f"{each.span}: {each.message}" for each in made.diagnostics],
        )
        assert [each.message for each in run_tests(made.program) if not each.passed] == [], place


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_told_where_it_is_made_a_name(word: str, tmp_path: Path) -> None:
    for place in PLACES:
        path = tmp_path / "g.scn"
        path.write_text(
            POSITIONS.format(**{each: word if each == place else f"a_{each}" for each in PLACES}),
            encoding="utf-8",
        )
        told = [
            (each.code.id, each.span.text)
            for each in compile_game(str(path)).diagnostics
            if each.span is not None
        ]
        readable = place in MEMBERS and not begins_no_value(word) and word not in MEANINGS
        assert told == ([] if readable else [("E0112", word)]), place


def test_what_is_reserved_is_what_the_grammar_cannot_read_as_a_name() -> None:
    following = {"elif", "else", "finally", "otherwise"}
    assert {word for word in WORDS if begins_something(word)} | following | {"empty", "round"} == RESERVED


def test_the_reference_lists_what_is_reserved() -> None:
    text = re.search(
        r"What is left cannot be a name .*?: `(.*?)`", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert text is not None
    assert set(text[1].split()) == RESERVED
