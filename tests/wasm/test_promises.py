"""Promises in a module: games end where they do in Python, and games that keep them are played as ever."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.ir.program import Program
from dsl.simulation.playing import PythonEngine, WasmEngine
from dsl.testing.promises import without_tests
from dsl.wasm.assembly import Assembly
from dsl.wasm.module import Module

PLANTED = """game planted:
    players red, blue
    rounds 9
state:
    gold: 0..20 = 3
    seen: set of 0..20
    hoard: bag of Ware up to 40
type Ware = egg | hen
piece Man, up to 3:
    at: Cell
map m on squares(3, 3)
value spare -> 0..9 = gold
value worth(w: Ware) -> 0..40 = hoard[w] * 2
setup:
    place Man at a1
action earn(n: 1..3) by p:
    gold gains up to n
    seen = seen + {gold}
    hoard[egg] gains up to n
action step(m: Man, c: Cell) by p: m.at = c
round:
    for p in order of play:
        p chooses:
            earn(n) for n in 1..3
            step(m, c) for m in Man, c in around(m.at)
victory red "rich" when gold is 20
"""
BROKEN = {
    "a number": "gold < 12",
    "a value that leaves its range": "spare < 10",
    "a phrase": "every w in Ware satisfies worth(w) < 9",
    "a set": "not (seen has 9)",
    "a place": "no m in Man where m.at is c3",
    "only at the end": "not ended",
    "a distance": "any m in Man where distance(m.at, c3) < 4 and gold < 15",
    "an ending": 'gold < 20 or ended("rich")',
}


def _games(program: Program, games: int) -> list[tuple[object, ...]]:
    found = []
    for engine in (WasmEngine, PythonEngine):
        tally = engine(program, {}, watched=True).play(100, games)
        found.append((tally, tally.stops, tally.breaches))
    return found


@pytest.mark.parametrize("what", BROKEN)
def test_both_engines_find_the_same_breach(what: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.scn"
    path.write_text(f'{PLANTED}always "kept": gold >= 3\nalways "{what}": {BROKEN[what]}\n', encoding="utf-8")
    program = compile_game(str(path), tests=True).program
    assert program is not None
    wasm, python = _games(program, 40)
    assert wasm == python
    breaches = wasm[2]
    assert isinstance(breaches, dict)
    assert bool(breaches) is (what != "an ending")
    assert set(breaches) <= {1}
    assert all(each.code == ("E0601" if "range" in what else "") for each in breaches.values())


def test_a_watched_game_is_played_as_ever(tmp_path: Path) -> None:
    """The same games, with promises that hold and without; the module that does not watch knows nothing of them."""
    path = tmp_path / "planted.scn"
    path.write_text(f'{PLANTED}always "kept": gold >= 3\n', encoding="utf-8")
    plain, whole = compile_game(str(path)).program, compile_game(str(path), tests=True).program
    assert plain is not None
    assert whole is not None
    program = without_tests(whole)
    games = Module.of(plain, cache=False).playouts(200, seed=5)
    watched = Module.of(program, cache=False, watched=True).playouts(200, seed=5)
    assert (watched.ends, watched.lengths, watched.breaches) == (games.ends, games.lengths, [])
    assert Assembly(program).text() == Assembly(replace(program, promises=())).text()
    assert "$broken" in Assembly(program, watched=True).text()


def test_the_watched_module_has_a_name_of_its_own_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name holds the promises too, which the hash of a program leaves out."""
    monkeypatch.setenv("SCENARII_CACHE", str(tmp_path / "cache"))
    kept = []
    for line in ("gold >= 3", "gold < 9"):
        path = tmp_path / "planted.scn"
        path.write_text(f'{PLANTED}always "kept": {line}\n', encoding="utf-8")
        program = compile_game(str(path), tests=True).program
        assert program is not None
        for _ in range(2):
            found = Module.of(program, watched=True).playouts(50, seed=5)
        Module.of(program)
        kept.append(len(found.breaches))
    assert kept[0] == 0 < kept[1]
    assert len(list((tmp_path / "cache").rglob("*.module"))) == 3
