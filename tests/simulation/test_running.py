"""Simulations: the same statistics however they are shared out, and what is left of one that is broken off."""

import signal
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.failure import Unplayable
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.simulation import running
from dsl.simulation.playing import played_out
from dsl.simulation.running import Wanted, simulate
from tests.examples import CLASSICS, RUIN, classics
from tests.wasm.test_hostile import asking


@cache
def program(name: str) -> Program:
    found = compile_game(str(CLASSICS / name)).program
    assert found is not None
    return found


def test_each_game_is_the_one_of_its_seed() -> None:
    found = simulate(program("connect_four"), Wanted(30, seed=100, engine="python")).tally
    machine = Machine(program("connect_four"))
    games = [played_out(machine, seed, {}) for seed in range(100, 130)]
    outcomes = [game.outcome for game in games]
    assert found.winners == Counter(
        sum(1 << who for who in end.players) for end in outcomes if end is not None
    )
    assert found.reasons == Counter(end.reason for end in outcomes if end is not None)
    assert found.choices == sum(len(game.choices) for game in games)


@pytest.mark.parametrize("folder", classics(), ids=lambda folder: folder.name)
def test_portions_change_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted(12, seed=3, engine="python")
    whole = simulate(program(folder.name), wanted).tally
    monkeypatch.setattr(running, "PORTION", 0.0)
    assert simulate(program(folder.name), wanted).tally == whole


def test_processes_change_nothing() -> None:
    wanted = Wanted(300, seed=7, engine="python")
    alone, together = (simulate(program("tic_tac_toe"), wanted, jobs).tally for jobs in (1, 2))
    assert alone == together
    assert alone.played == 300
    assert simulate(program("tic_tac_toe"), Wanted(300, seed=8)).tally != alone


@pytest.mark.parametrize("folder", classics(), ids=lambda folder: folder.name)
def test_engines_play_the_same_games(folder: Path) -> None:
    fast, slow = (
        simulate(program(folder.name), Wanted(40, seed=11, engine=name)).tally for name in ("wasm", "python")
    )
    assert fast == slow
    assert fast.games == 40


def test_engines_stop_at_the_same_failures(tmp_path: Path) -> None:
    (tmp_path / "ruin").mkdir()
    (tmp_path / "ruin/ruin.scn").write_text(RUIN)
    ruin = compile_game(str(tmp_path / "ruin")).program
    assert ruin is not None
    fast, slow = (simulate(ruin, Wanted(200, seed=5, engine=name)).tally for name in ("wasm", "python"))
    assert fast == slow
    assert 0 < fast.failures["E0601"] < 200


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_broken_off_gives_the_first_games(jobs: int) -> None:
    def stop(done: int, _: int) -> None:
        if done >= 40:
            raise KeyboardInterrupt

    broken = simulate(program("tic_tac_toe"), Wanted(5000, seed=7, engine="python"), jobs, stop)
    assert not broken.complete
    assert 40 <= broken.tally.played < 5000
    assert simulate(program("tic_tac_toe"), Wanted(broken.tally.played, seed=7)).tally == broken.tally


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_is_heard_also_while_something_is_finalized() -> None:
    class Finalized:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def once(done: int, _: int) -> None:
        if not dropped and done >= 40:
            dropped.append(done)
            del [Finalized()][0]

    dropped: list[int] = []
    broken = simulate(program("tic_tac_toe"), Wanted(100_000_000, engine="python"), 1, once)
    assert broken.tally.played == dropped[0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_process_without_an_engine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise Unplayable("no memory")

    monkeypatch.setitem(running.ENGINES, "wasm", never)  # type: ignore[arg-type]
    monkeypatch.setattr(running, "_engine", None, raising=False)
    running._open(program("tic_tac_toe"), running.Wanted(1))
    with pytest.raises(Unplayable, match="no memory"):
        running._portion(0, 1)


def test_a_process_that_cannot_be_started_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(running.ProcessPoolExecutor, "submit", full)
    found = simulate(program("tic_tac_toe"), Wanted(20, seed=7), 2)
    assert found.tally.played == 0 and not found.complete
    assert found.lost == "no process can be started: Resource temporarily unavailable"


def test_games_for_which_a_module_has_no_memory_are_played_by_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dsl.wasm.assembly.MOST_BYTES", 1024 * 1024)
    monkeypatch.setenv("SCENARII_CACHE", "off")
    wide = replace(asking(2, 299), decisions=3)
    fast, slow = (simulate(wide, Wanted(2, seed=5, engine=name)).tally for name in ("wasm", "python"))
    assert fast == slow
    assert fast.games == 2
