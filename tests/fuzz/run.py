"""One run: compile a text, and play what was accepted, within bounds of time and memory.

A fault is whatever an author or player should never meet: an exception that is no answer of the engine, a program of
the compiler that the verifier refuses, a run that takes too long, a failing rule that changed the game.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType

from dsl.compiler import Compiled, compile_game
from dsl.diagnostics.render import render_all
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine

SECONDS = 10.0
"""Time of the processor for one run: what else a machine is busy with does not count."""
DECISIONS = 200
MEGABYTES = 200
OWN_MEGABYTES = 100
"""What a run may take on top of what its process holds already (a long session of tests holds much)."""
OURS = ("E0501", "E0502")


class Late(BaseException):
    """The run has used up its time."""


@dataclass
class Result:
    """How a run went. `fault` is empty where all is well."""

    kind: str
    name: str
    outcome: str = "errors"
    seconds: float = 0.0
    megabytes: float = 0.0
    decisions: int = 0
    fault: str = ""
    codes: tuple[str, ...] = ()


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    def late(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run(path: Path, kind: str, name: str, r: Random) -> Result:
    """Compiles what stands at a path, and plays it."""
    result = Result(kind, name)
    _forget_peak()
    allowed = max(MEGABYTES, peak() + OWN_MEGABYTES)
    begun = time.process_time()
    try:
        with bounded(SECONDS):
            _compile_and_play(path, result, r)
    except Late:
        result.fault = "too slow: " + _where(sys.exc_info()[2])
    except Exception:
        result.fault = traceback.format_exc(limit=-6)
    result.seconds = time.process_time() - begun
    result.megabytes = peak()
    if not result.fault and result.megabytes > allowed:
        result.fault = f"too large: {result.megabytes:.0f} MB"
    return result


def _compile_and_play(path: Path, result: Result, r: Random) -> None:
    compiled = compile_game(str(path), tests=r.random() < 0.5)
    result.codes = tuple(dict.fromkeys(each.code.id for each in compiled.diagnostics))
    render_all(compiled.diagnostics)
    refused = [each.message for each in compiled.diagnostics if each.code.id in OURS]
    if refused:
        result.fault = f"refused by the verifier: {refused[0]}"
    if not compiled.diagnostics.has_errors and compiled.program is None:
        result.fault = "neither a program nor an error"
    if compiled.program is not None:
        result.outcome = "accepted"
        _play(compiled, result, r)


def _play(compiled: Compiled, result: Result, r: Random) -> None:
    assert compiled.program is not None
    machine = Machine(compiled.program)
    telling, covering = r.choice(((False, False), (True, False), (True, True)))
    try:
        game = Game.start(machine, seed=r.randrange(1000), telling=telling, covering=covering)
        while (decision := game.decision) is not None and result.decisions < DECISIONS:
            before = game.state
            option = r.choice(decision.options)
            try:
                game.choose(option)
            except RuleFailure:
                if game.state != before:
                    result.fault = "a failing rule changed the game"
                raise
            result.decisions += 1
    except RuleFailure as failure:
        result.outcome = "failed"
        if failure.place is None:
            result.fault = f"a failure without its place: {failure}"
        return
    _inspect(machine, game, result)


def _inspect(machine: Machine, game: Game, result: Result) -> None:
    """What may be asked of any game where it stands."""
    decision = game.decision
    for option in decision.options[:20] if decision else ():
        _ = option.label
    for player in range(len(machine.program.domains[machine.program.players].members)):
        game.view(player)
    _ = [entry.text() for entry in game.log]
    restored = Game.restore(machine, game.snapshot())
    if not isinstance(restored, Game):
        result.fault = f"a snapshot is refused: {restored[0].message}"
    elif restored.fingerprint != game.fingerprint:
        result.fault = "a snapshot is another game"


# ---------------------------------------------------------------- memory


def _forget_peak() -> None:
    """Begins to measure the greatest use of memory anew, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def peak() -> float:
    """The greatest use of memory in MB: since it was forgotten, or since the process began."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _where(trace: object) -> str:
    frames = traceback.extract_tb(trace)  # type: ignore[arg-type]
    return " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-5:]))
