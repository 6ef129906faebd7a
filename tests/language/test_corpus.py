"""The corpus of the language: good programs compile without a finding, pass their own tests and play; bad ones
are told of what their lines pin, and of nothing else.
"""

import random
import re
from collections import defaultdict
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics.render import render_all
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests
from tests.shipped import built, shipped
from tests.soak import fewer, resumed_until
from tests.wasm.agree import Counting, agreed

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "language"
PIN = re.compile(r"# error:((?: [EW]\d{4})+)$")
GAMES = fewer(10, 20)


@pytest.mark.parametrize("path", sorted((CORPUS / "good").glob("*.scn")), ids=lambda path: path.stem)
def test_a_good_program_compiles_passes_and_plays(path: Path) -> None:
    compiled = built(path, tests=True)
    assert render_all(compiled.diagnostics) == ""
    assert compiled.program is not None
    machine = Machine(compiled.program)
    results = run_tests(machine)
    assert results
    assert [f"{each.title}: {each.message}" for each in results if not each.passed] == []
    for seed in range(GAMES):
        game = Game.start(machine, seed=seed)
        chooser = random.Random(seed)
        while (decision := game.decision) is not None:
            game.choose(chooser.choice(decision.options))
        assert game.outcome is not None


@pytest.mark.parametrize("path", sorted((CORPUS / "good").glob("*.scn")), ids=lambda path: path.stem)
def test_a_good_program_resumes_at_every_decision(path: Path) -> None:
    program = shipped(path)
    machine, chooser = Machine(program), random.Random(1)
    game, saves, prints, choices = Game.start(machine, seed=1), [], [], []
    while game.decision is not None:
        saves.append(game.snapshot())
        prints.append(game.fingerprint)
        choices.append(chooser.randrange(game.count))
        game.choose(choices[-1])
    prints.append(game.fingerprint)
    for number, save in enumerate(saves):
        again, until = Game.restore(machine, save), resumed_until(number, len(saves))
        assert isinstance(again, Game)
        assert again.fingerprint == prints[number]
        for choice in choices[number:until]:
            again.choose(choice)
        assert again.fingerprint == prints[until]


@pytest.mark.parametrize("path", sorted((CORPUS / "bad").glob("*.scn")), ids=lambda path: path.stem)
def test_a_bad_program_is_told_of_each_fault_once(path: Path) -> None:
    told: dict[int, list[str]] = defaultdict(list)
    for diagnostic in compile_game(str(path), tests=True).diagnostics:
        assert diagnostic.span is not None
        told[diagnostic.span.line].append(diagnostic.code.id)
    pinned = {
        number: pin[1].split()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (pin := PIN.search(line))
    }
    assert {line: sorted(codes) for line, codes in told.items()} == pinned


@pytest.mark.parametrize("path", sorted((CORPUS / "good").glob("*.scn")), ids=lambda path: path.stem)
def test_a_good_program_plays_alike_on_both_engines(path: Path) -> None:
    program = shipped(path)
    assert not agreed(Counting(program), range(6), 60, cache=False).differences
