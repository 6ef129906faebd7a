"""Compiled programs edited by hand: what the verifier takes, both engines play, alike, without an exception."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.ir.codec import encode
from dsl.ir.program import Program
from dsl.ir.verify.program import load
from tests.engine.skirmish import skirmish
from tests.examples import CLASSICS
from tests.ir.builders import small
from tests.ir.test_fuzz import places
from tests.soak import fewer
from tests.wasm.agree import Counting, agreed

RULES = ("expressions", "vars", "data", "values", "actions", "procedures", "routines", "endings")
NUMBERS = (0, 1, 2, 5, 31, 63, 64, 65, 4096, 2**31 - 1, -(2**31), 2**63 - 1)
EACH = 80


@cache
def documents() -> tuple[str, ...]:
    games = [compile_game(str(CLASSICS / name)).program for name in ("breakthrough", "connect_four")]
    return tuple(encode(each).decode() for each in (*games, skirmish(), small()) if each is not None)


def edited(text: str, chance: random.Random) -> Program | None:
    """A program with a few numbers of its rules changed, if it is still one."""
    document = json.loads(text)
    for _ in range(chance.choice((1, 1, 2))):
        found = [each for each in places(document[chance.choice(RULES)]) if type(each[0][each[1]]) is int]
        if not found:
            continue
        holder, key = chance.choice(found)
        holder[key] = chance.choice((holder[key] + 1, holder[key] - 1, chance.choice(NUMBERS)))
    return load(json.dumps(document).encode(), Diagnostics())


@pytest.mark.parametrize("seed", range(fewer(2, 4)))
def test_edited_programs_play_alike(seed: int) -> None:
    chance, played = random.Random(seed), 0
    for number in range(EACH):
        program = edited(chance.choice(documents()), chance)
        if program is None:
            continue
        try:
            tally = agreed(Counting(program), range(1), 20, cache=False)
        except (Unplayable, RuleFailure):  # its first values are out of their ranges, which Python said too
            continue
        assert not tally.differences, (number, tally.differences)
        played += 1
    assert played >= 5
