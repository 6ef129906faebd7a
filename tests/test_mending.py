"""Mistakes planted in games that are right: what `check --fix` makes of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dsl.compiler import compile_game
from dsl.mending import mend
from tests.format.programs import ROOT

GAMES = ("examples/classics/tic_tac_toe/tic_tac_toe.scn", "examples/classics/connect_four/connect_four.scn")
IS = r'(?<= )is(?= [a-z](?:[^\n"]|"[^"\n]*")*\n)'


def _swapped(found: re.Match[str], random: Random) -> str:
    """A name with its second and third letter in each other's place."""
    name = found[0]
    return f"{name[0]}{name[2]}{name[1]}{name[3:]}"


def _without_one(found: re.Match[str], random: Random) -> str:
    """A word that lacks a letter, though not its first."""
    at = random.randrange(1, len(found[0]))
    return found[0][:at] + found[0][at + 1 :]


SPOILING: dict[str, tuple[str, Callable[[re.Match[str], Random], str]]] = {
    "no colon": (r":(?=\n)", lambda found, _: ""),
    "two equals signs": (IS, lambda found, _: "=="),
    "one equals sign": (IS, lambda found, _: "="),
    "curly quotes": (r'"([^"\n{}]*)"', lambda found, _: f"“{found[1]}”"),
    "tabs": (r"(?<=\n)    (?=\w)", lambda found, _: "\t"),
    "letters swapped": (r"(?<=\.)(mark|disc)\b|(?<=in )Cell\b", _swapped),
    "misspelt word": (r"\b(action|round|victory|value|satisfies|where)\b", _without_one),
}
"""Kinds of mistakes: what they are made of, and what becomes of it."""


def spoilt(text: str, kind: str, random: Random) -> str | None:
    pattern, change = SPOILING[kind]
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    found = random.choice(places)
    return text[: found.start()] + change(found, random) + text[found.end() :]


@pytest.mark.slow
def test_planted_mistakes_are_put_right_and_never_made_worse(tmp_path: Path) -> None:
    random = Random(5)
    tried: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    for game in GAMES:
        right = (ROOT / game).read_text(encoding="utf-8")
        path = tmp_path / Path(game).name
        for kind in SPOILING:
            for _ in range(8):
                wrong = spoilt(right, kind, random)
                if wrong is None:
                    continue
                path.write_text(wrong, encoding="utf-8")
                before = compile_game(str(path), tests=True)
                if not before.diagnostics.has_errors:
                    continue
                result = mend([str(path)])
                tried[kind] += 1
                mended[kind] += not result.left.has_errors
                if before.is_read:
                    old = Counter((each.code, each.message) for each in before.diagnostics if each.is_error)
                    new = Counter((each.code, each.message) for each in result.left if each.is_error)
                    assert not new - old, (kind, wrong)
                if not result.done:
                    assert result.texts == {}
    shares = {kind: mended[kind] / tried[kind] for kind in tried}
    print({kind: f"{mended[kind]} of {tried[kind]}" for kind in tried})
    assert all(share >= 0.8 for share in shares.values()), shares
