"""Hand-edited programs: whatever is done to a document, reading and verifying it end without an exception."""

import json
import random
from typing import Any

import pytest

from dsl.diagnostics import Diagnostics
from dsl.ir.codec import encode
from dsl.ir.verify.program import load
from tests.ir.builders import small
from tests.ir.samples import everything
from tests.soak import fewer

ODD: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, 31, 32, 64, 4096, 2**31, -(2**31), 2**63, 2**64, 10**30, -(10**30)),
    *(
        None,
        True,
        1.5,
        "",
        "add",
        "if",
        "E0601",
        "{9}",
        [],
        [0],
        {},
        [[0]],
        {"k": "give"},
        {"k": "leave", "number": 0},
    ),
)


def places(part: Any) -> list[tuple[Any, Any]]:
    """Every place in a document, as what holds it and its key."""
    found = []
    waiting = [part]
    while waiting:
        each = waiting.pop()
        keys = each.keys() if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], dict | list):
                waiting.append(each[key])
    return found


def edit(document: Any, chance: random.Random) -> None:
    found = places(document)
    holder, key = chance.choice(found)
    match chance.randrange(6):
        case 0 | 1:
            holder[key] = chance.choice(ODD)
        case 2:
            other, there = chance.choice(found)
            holder[key] = json.loads(json.dumps(other[there]))
        case 3 if isinstance(holder[key], int):
            holder[key] += chance.choice((-1, 1, 2, 100))
        case 4:
            del holder[key]
        case _:
            numbers = [(a, b) for a, b in found if type(a[b]) is int]
            other, there = chance.choice(numbers)
            other[there] = chance.choice((-1, 0, 1, 2, 3, 5, 8, 13, 2**31))


@pytest.mark.parametrize("seed", range(fewer(4, 24)))
def test_edited_programs_never_raise(seed: int) -> None:
    chance = random.Random(seed)
    data = encode(everything() if seed % 2 else small())
    outcomes = set()
    for _ in range(100):
        document = json.loads(data)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            edit(document, chance)
        diagnostics = Diagnostics()
        program = load(json.dumps(document).encode(), diagnostics)
        assert (program is None) == diagnostics.has_errors
        outcomes |= {each.code.id for each in diagnostics}
    assert outcomes == {"E0501", "E0502"}


@pytest.mark.parametrize("seed", range(10))
def test_edited_bytes_never_raise(seed: int) -> None:
    chance = random.Random(seed)
    data = encode(small())
    for _ in range(100):
        edited = bytearray(data)
        for _ in range(chance.randrange(1, 6)):
            edited[chance.randrange(len(edited))] = chance.randrange(256)
        load(bytes(edited[: chance.choice((len(edited), chance.randrange(len(edited))))]), Diagnostics())
