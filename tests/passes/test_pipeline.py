"""What each pass gives is a sound program that plays the same games on both engines, alone and with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.engine.machine import Machine
from dsl.ir.verify.program import examine
from dsl.passes.pipeline import OPTIONAL, Lowering
from dsl.wasm.module import Module
from tests.examples import classics
from tests.shipped import shipped
from tests.soak import SOAK, fewer, some
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs import random_program

TESTS = Path(__file__).resolve().parents[1]
CORPUS = sorted((TESTS / "corpus" / "language" / "good").glob("*.scn"))
THORNS = sorted(each for each in (TESTS / "thorns").iterdir() if each.is_dir() and each.name != "__pycache__")
PROGRAMS = [*classics(), *THORNS, *CORPUS]
WAYS = [frozenset[str](), *(frozenset({name}) for name in sorted(OPTIONAL)), OPTIONAL]
"""With all passes, with each of them turned off, and with none."""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_a_pass_gives_is_verified(path: Path) -> None:
    """In each run a program is tried with all passes, without any, and without one of them, by turns."""
    program, number = shipped(path), PROGRAMS.index(path)
    for without in WAYS if SOAK else (WAYS[0], WAYS[1 + number % len(OPTIONAL)], WAYS[-1]):
        machine = Machine(program, sparing=True, without=without)
        lowered = Lowering(machine.program, machine.passes).whole()
        assert examine(machine.program) == examine(lowered) == examine(program)


@pytest.mark.parametrize("without", [each for each in WAYS if each], ids=lambda each: " ".join(sorted(each)))
def test_both_engines_agree_without_a_pass(without: frozenset[str]) -> None:
    """With all of them `test_agree` and `test_programs` play the same games, and more."""
    for path in some((*classics(), *THORNS), 2):
        tally = agreed(Counting(shipped(path), without=without), range(1), 60, cache=False)
        assert not tally.differences, (path.stem, tally.differences)
    for seed in range(fewer(6, 20)):
        tally = agreed(Counting(random_program(seed), without=without), range(2), 25, cache=False)
        assert not tally.differences, (seed, tally.differences)


def test_a_pass_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        ValueError, match="no pass `tabulated` can be left out; these can: tabulate, unite, unnote"
    ):
        Machine(random_program(0), without={"tabulated"})


def test_a_module_is_kept_under_its_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path))
    program = shipped(classics()[0])
    for without in ((), OPTIONAL):
        Module.of(Machine(program, without=without))
    assert len(list(tmp_path.rglob("*.module"))) == 2
