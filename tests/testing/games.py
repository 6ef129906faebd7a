"""Small games in text, for the tests of testing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from dsl.compiler import compile_game
from dsl.ir.program import Program

RULES = """game purse:
    players x, o
    rulebook A "The rules of the purse"
    index rulebook
    rounds 3                                        [A-1]
type Stone = black | white
table Ware:
    | id | cost |
    | egg | 2 |                                     [A-2]
    | hen | 5 |                                     [A-3]
ruling thrift: strict | loose = strict              [A-4]
state:
    gold: 0..9 = 2                                  [A-5]
    stones: bag of Stone up to 9
value price(w: Ware) -> 0..9 = w.cost               [A-6]
modify price: -1 when stones has black              [A-7]
modify price: at least 1                            [A-8]
action buy(w: Ware) by p:                           [A-9]
    need gold >= price(w) "too poor"                [A-10]
    gold loses price(w)                             [A-11]
forbid buy when w is hen and thrift is strict       [A-12, birds]
allow buy when stones has white, over [A-12]        [A-13]
after buy when w is egg: stones gains {1 black}     [A-14]
action dice:
    gold gains roll 1d6                             [A-15]
round:                                              [A-16]
    for p in order of play:
        p may:
            buy(w) for w in Ware                    [A-17]
victory p "all spent" when gold is 0                [A-18]
"""

TESTS = """
test "buying":                                      [A-X1: A-2, A-9, A-11, A-14]
    x: buy(egg)
    expect gold is 0 and stones is {1 black}
    expect ended("all spent")
test "prices":                                      [A-6, A-7, A-8]
    expect price(egg) is 2 and price(hen) is 5
    given: stones = {1 black}
    expect price(egg) is 1 and price(hen) is 4
"""


def folder(
    path: Path, tests: str = "", rules: str = RULES, index: Mapping[str, object] | str | None = None
) -> str:
    """Writes a game with its tests and its index, and yields where it is."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "purse.scn").write_text(rules + tests, encoding="utf-8")
    if index is None:
        index = {"rules": [{"id": f"A-{n}", "title": f"Rule {n}"} for n in range(1, 19)]}
    text = index if isinstance(index, str) else json.dumps(index)
    (path / "rulebook.json").write_text(text, encoding="utf-8")
    return str(path)


def program(path: Path, tests: str, rules: str = RULES) -> Program:
    """The compiled game with its tests."""
    made = compile_game(folder(path, tests, rules), tests=True)
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program
