"""Thorn programs and first programs: they compile clean, pass their own tests, end, and resume at every decision."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from dsl.compiler import Compiled, compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.testing.runner import run_tests
from tests.examples import classics
from tests.soak import fewer, resumed_until
from tests.testing.engines import both

HERE = Path(__file__).parent
GAMES = fewer(80, 200)
RESUMED = 3
LINES = 60


@dataclass(frozen=True)
class Case:
    """A program as it is played: its folder, the mods on top, the options."""

    folder: Path
    mods: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(str(HERE / "mods" / f"{name}.scn") for name in self.mods)

    def __str__(self) -> str:
        return "+".join([self.folder.name, *self.mods, *(value for _, value in self.options)])


PROGRAMS = [
    *(HERE / name for name in ("overwatch", "knockback", "rebuttal", "volley", "outposts", "objectives")),
    *classics(),
]
CASES = [
    *(Case(folder) for folder in PROGRAMS),
    Case(HERE / "knockback", options=(("mode", "rough"),)),
    Case(HERE / "volley", mods=("trolls",)),
    Case(HERE / "rebuttal", mods=("echo",)),
]
each_case = pytest.mark.parametrize("case", CASES, ids=str)


@cache
def compiled(folder: Path, mods: tuple[str, ...], tests: bool = False) -> Compiled:
    return compile_game(str(folder), mods, tests=tests)


@cache
def machine(case: Case) -> Machine:
    program = compiled(case.folder, case.paths).program
    assert program is not None
    return Machine(program)


def started(case: Case, seed: int, *, telling: bool = False) -> Game:
    return Game.start(machine(case), seed=seed, options=dict(case.options), telling=telling)


def played(game: Game, seed: int) -> list[int]:
    """Plays a game to its end at random; the options that were chosen, by number."""
    chance, choices = random.Random(seed), []
    while game.decision is not None:
        choices.append(chance.randrange(game.count))
        game.choose(choices[-1])
    return choices


@pytest.mark.parametrize("folder", PROGRAMS, ids=lambda folder: folder.name)
def test_is_short(folder: Path) -> None:
    text = (folder / f"{folder.name}.scn").read_text(encoding="utf-8")
    rules = re.sub(r"^import .*\n\n", "", text, flags=re.MULTILINE)  # languages stand in files of their own
    rules = re.sub(r"^(#.*\n)?value worth\(.*\n\n", "", rules, flags=re.MULTILINE)  # it is part of no rule
    assert len(rules.splitlines()) <= LINES


@each_case
def test_compiles_without_findings(case: Case) -> None:
    found = compiled(case.folder, case.paths, tests=True)
    assert [f"{each.code.id} {each.message}" for each in found.diagnostics] == []


@each_case
def test_passes_its_own_tests(case: Case) -> None:
    found = compiled(case.folder, case.paths, tests=True)
    assert found.program is not None
    results = run_tests(both(found.program))
    if case.mods:
        results = [each for each in results if Path(each.place.file).stem in case.mods]
    assert results
    assert [f"{each.title}: {each.message}" for each in results if not each.passed] == []


@each_case
def test_random_games_end(case: Case) -> None:
    for seed in range(GAMES):
        game = started(case, seed)
        played(game, seed)
        assert game.outcome is not None


@each_case
def test_resumes_at_every_decision_here_and_elsewhere(case: Case) -> None:
    saves, ends = [], []
    for seed in range(RESUMED):
        game = started(case, seed)
        chance, choices, data, prints = random.Random(seed), [], [], []
        while game.decision is not None:
            data.append(game.snapshot())
            prints.append(game.fingerprint)
            choices.append(chance.randrange(game.count))
            game.choose(choices[-1])
        prints.append(game.fingerprint)
        for number, each in enumerate(data):
            again, until = Game.restore(machine(case), each), resumed_until(number, len(data))
            assert isinstance(again, Game)
            assert again.snapshot() == each
            for choice in choices[number:until]:
                again.choose(choice)
            assert again.fingerprint == prints[until]
            saves.append((each.hex(), choices[number:until]))
            ends.append(prints[until])
    request = {"target": str(case.folder), "mods": case.paths, "saves": saves}
    done = subprocess.run(
        [sys.executable, "-m", "tests.thorns.elsewhere"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parent.parent,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ends


@each_case
def test_clones_go_their_own_way_and_undo_comes_back(case: Case) -> None:
    game = started(case, 5, telling=True)
    chance, prints = random.Random(5), []
    while (decision := game.decision) is not None:
        prints.append((game.fingerprint, [option.label() for option in decision.options], len(game.log)))
        copy = game.clone()
        played(copy, len(prints))
        assert game.fingerprint == prints[-1][0]
        game.choose(chance.randrange(game.count))
    for fingerprint, labels, told in reversed(prints):
        game.undo()
        assert game.decision is not None
        assert game.fingerprint == fingerprint
        assert [option.label() for option in game.decision.options] == labels
        assert len(game.log) == told


@each_case
def test_telling_changes_nothing(case: Case) -> None:
    plain, telling = started(case, 9), started(case, 9, telling=True)
    assert played(plain, 9) == played(telling, 9)
    assert plain.fingerprint == telling.fingerprint
    assert all(entry.text() for entry in telling.log)
