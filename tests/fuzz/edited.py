"""Programs and saved games edited by hand, played on both engines: `python -m tests.fuzz programs`.

A document of a compiled program is edited, as a stranger would who means no good: numbers, types, operators, parts in
the place of others. What the reader and the verifier accept is played on both engines, which must do the same at every
decision; what it tells is asked for, its own tests are run. Slots of its saves are edited too: each engine refuses the
same ones, and plays those that are left.

A fault is an exception that is no answer, a difference between the engines, a stretch between two decisions that takes
more than `SECONDS`, and a run that takes more than `MEGABYTES`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing as mp
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.files import write_atomically
from dsl.ir import ops
from dsl.ir.codec import encode
from dsl.ir.verify.program import load
from dsl.testing.runner import run_tests
from dsl.wasm.game import Game as Inside
from dsl.wasm.module import Module
from tests.figures.play import Table
from tests.fuzz.corpus import games, programs
from tests.fuzz.run import Late, _forget_peak, bounded, peak
from tests.ir.builders import small
from tests.ir.samples import everything
from tests.ir.test_fuzz import edit, places
from tests.wasm.agree import Counting, Difference, Pair
from tests.wasm.programs import random_program

SECONDS = 10.0
SHOWN, CHUNK, PATIENCE, MANY = 20, 500, 120.0, 1000
WHOLE = 40.0
"""Time for all that is done with one program: several games and saves."""
MEGABYTES = 200
OWN_MEGABYTES = 120
DECISIONS, SAVES, CHOICES = 12, 6, 4
NUMBERS = (
    0,
    1,
    2,
    3,
    5,
    7,
    31,
    32,
    63,
    64,
    65,
    100,
    4095,
    4096,
    2**31 - 1,
    2**31,
    2**32,
    2**40,
    2**62,
    2**63 - 1,
)
SIZES = ("random", "random", "random", "corpus", "corpus", "sample")
RANDOM, GAMES = 100, 0.004
"""How many random programs are edited, and the share of runs that edit a whole game."""


@dataclass
class Result:
    """How a run went: `refused`, `python` (the fast engine cannot take it), `played`; and what was wrong."""

    name: str
    outcome: str = "refused"
    seconds: float = 0.0
    stretch: float = 0.0
    megabytes: float = 0.0
    decisions: int = 0
    saves: int = 0
    restored: int = 0
    failures: list[str] = field(default_factory=list)
    fault: str = ""


@cache
def _compiled(target: str, text: str | None) -> bytes | None:
    """The document of a program of the corpus, with its tests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(target)
        if text is not None:
            path = Path(folder) / "program.scn"
            path.write_text(text, encoding="utf-8", newline="")
        found = compile_game(str(path), tests=text is not None)
    return None if found.program is None else encode(found.program)


@cache
def _random(seed: int) -> bytes:
    return encode(random_program(seed))


def original(r: Random) -> tuple[str, bytes]:
    """A program to be edited, by chance."""
    while True:
        match "game" if r.random() < GAMES else r.choice(SIZES):
            case "random":
                seed = r.randrange(RANDOM)
                return f"random {seed}", _random(seed)
            case "sample":
                return r.choice((("small", encode(small())), ("everything", encode(everything()))))
            case "corpus":
                one = r.choice(programs())
                name, data = one.name, _compiled(one.name, one.text)
            case _:
                folder = r.choice(games())
                name, data = folder.name, _compiled(str(folder), None)
        if data is not None:
            return name, data


# ---------------------------------------------------------------- editing


def spoil(document: Any, r: Random) -> None:
    """One edit of a document, most of them of the kind that is still a program."""
    if r.random() < 0.1:
        edit(document, r)
        return
    found = [
        (holder, key) for holder, key in places(document) if key not in {"format", "version", "k", "texts"}
    ]
    match r.randrange(8):
        case 0:
            _range(document, r)
        case 1 | 2:
            _number(found, r)
        case 3:
            _word(found, r)
        case 4 | 5:
            _exchange(found, r)
        case 6:
            _rearrange(found, r)
        case _:
            _retyped(document, found, r)


def _range(document: Any, r: Random) -> None:
    """The ends of a type."""
    kinds = [each for each in document["types"] if {"low", "limit"} & each.keys()]
    if kinds:
        kind = r.choice(kinds)
        name = r.choice([key for key in ("low", "high", "limit") if key in kind])
        kind[name] = _near(kind[name], r)


def _near(number: Any, r: Random) -> int:
    if type(number) is int and r.random() < 0.6:
        return number + r.choice((-2, -1, 1, 2, 30, 64))
    return r.choice(NUMBERS) * r.choice((1, 1, -1))


def _number(found: list[tuple[Any, Any]], r: Random) -> None:
    numbers = [(holder, key) for holder, key in found if type(holder[key]) is int and key != "type"]
    holder, key = r.choice(numbers)
    holder[key] = _near(holder[key], r)


def _word(found: list[tuple[Any, Any]], r: Random) -> None:
    """Another operator, fold or kind."""
    words = [(holder, key) for holder, key in found if key in {"op", "kind", "stage", "role", "rounding"}]
    if not words:
        return
    holder, key = r.choice(words)
    known = [each for (_, name), each in ops.WORDS.items() if name == key]
    same = [each for each in known if holder[key] in each] or known
    holder[key] = r.choice(r.choice(same))


def _exchange(found: list[tuple[Any, Any]], r: Random) -> None:
    """An expression, or statement, in the place of another: of the same type, mostly."""
    nodes = [(holder, key) for holder, key in found if isinstance(holder[key], dict) and "k" in holder[key]]
    if len(nodes) < 2:
        return
    holder, key = r.choice(nodes)
    here = holder[key]
    alike = [each[at] for each, at in nodes if each[at].get("type") == here.get("type")]
    holder_there, there = r.choice(nodes)
    other = r.choice(alike) if r.random() < 0.9 and len(alike) > 1 else holder_there[there]
    holder[key] = json.loads(json.dumps(other))


def _rearrange(found: list[tuple[Any, Any]], r: Random) -> None:
    """One part of a list is gone, twice there, or in another place."""
    lists = [holder[key] for holder, key in found if isinstance(holder[key], list) and holder[key]]
    many = [each for each in lists if isinstance(each[0], dict)] or lists
    chosen = r.choice(many)
    at = r.randrange(len(chosen))
    match r.randrange(3):
        case 0:
            del chosen[at]
        case 1:
            chosen.insert(r.randrange(len(chosen) + 1), json.loads(json.dumps(chosen[at])))
        case _:
            other = r.randrange(len(chosen))
            chosen[at], chosen[other] = chosen[other], chosen[at]


def _retyped(document: Any, found: list[tuple[Any, Any]], r: Random) -> None:
    """A node of another type."""
    typed = [holder for holder, key in found if key == "type" and type(holder[key]) is int]
    if typed and document["types"]:
        r.choice(typed)["type"] = r.randrange(len(document["types"]))


# ---------------------------------------------------------------- playing


def carry_out(seed: int, number: int) -> tuple[Result, bytes]:
    """Edits a program and plays it; the document that was made goes along."""
    r = Random(f"programs {seed} {number}")
    name, data = original(r)
    result = Result(f"{seed}:{number} of {name}")
    document = json.loads(data)
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        with suppress(KeyError, IndexError, TypeError, AttributeError):
            spoil(document, r)
    made = json.dumps(document).encode()
    _forget_peak()
    allowed = max(MEGABYTES, peak() + OWN_MEGABYTES)
    begun = time.process_time()
    try:
        with bounded(WHOLE):
            _try(made, result, r)
    except Late:
        result.fault = "too slow as a whole"
    except Exception:
        result.fault = traceback.format_exc(limit=-8)
    result.seconds, result.megabytes = time.process_time() - begun, peak()
    if not result.fault and result.stretch > SECONDS:
        result.fault = f"too slow: {result.stretch:.1f} s between two decisions"
    if not result.fault and result.megabytes > allowed:
        result.fault = f"too large: {result.megabytes:.0f} MB"
    return result, made


def _try(data: bytes, result: Result, r: Random) -> None:
    program = load(data, Diagnostics())
    if program is None:
        return
    if load(encode(program), Diagnostics()) is None:
        result.fault = "what was accepted is refused when it is written again"
        return
    machine = Counting(program)
    module = None
    result.outcome = "python"
    with suppress(Unplayable):
        module = Module.of(machine, cache=False)
        result.outcome = "played"
    seeds = [r.randrange(1000) for _ in range(2)]
    for seed in seeds:
        if module is not None:
            _on_both(machine, module, seed, result)
    _tell(machine, module, r, result)
    if program.tests:
        with suppress(Unplayable):  # `test` says so
            run_tests(program)


def _on_both(machine: Counting, module: Module, seed: int, result: Result) -> None:
    begun = time.process_time()
    try:
        pair = Pair(module, module.instance(), Table(seed))
        taken, failed = pair.play(DECISIONS, module.instance())
    except Difference as difference:
        result.fault = f"the engines differ, seed {seed}: {difference}"
        return
    except (RuleFailure, StartError) as failure:  # of the first values: Python has told which rule
        result.failures.append(getattr(failure, "code", "start"))
        return
    except Unplayable:
        result.outcome = "python"
        return
    result.decisions += taken
    result.failures += ["failed"] * failed
    result.stretch = max(result.stretch, (time.process_time() - begun) / (2 * taken + 2))


def _tell(machine: Machine, module: Module | None, r: Random, result: Result) -> None:
    """A game that is told; its saves, edited."""
    begun = time.process_time()
    try:
        game = Game.start(machine, seed=r.randrange(1000), telling=True)
    except (RuleFailure, StartError, Unplayable) as failure:
        result.failures.append(getattr(failure, "code", "start"))
        result.stretch = max(result.stretch, time.process_time() - begun)
        return
    for _ in range(DECISIONS):
        _ask(machine, game)
        for _ in range(SAVES if r.random() < 0.3 else 0):
            _edited_save(machine, module, game, r, result)
        if not game.count:
            break
        begun = time.process_time()
        try:
            game.choose(r.randrange(game.count))
        except RuleFailure as failure:
            result.failures.append(failure.code)
            break
        finally:
            result.stretch = max(result.stretch, time.process_time() - begun)
        result.decisions += 1
    if len(game.choices) > 1:
        state = game.state
        game.undo()
        if game.count and game.state != state:
            game.clone()


def _ask(machine: Machine, game: Game) -> None:
    """What a person may ask for where a game stands."""
    decision = game.decision
    if decision is not None:
        _ = decision.prompt
        for option in decision.options[:5]:
            _ = option.label(), option.args, option.names
    for player in range(len(machine.program.domains[machine.program.players].members)):
        view = game.view(player)
        _ = [str(entry) for entry in view.log[-5:]]
        game.why(player=player)
        game.sums(player)
    _ = [entry.text() for entry in game.log[-10:]], game.outcome, game.fingerprint


def _edited_save(machine: Machine, module: Module | None, game: Game, r: Random, result: Result) -> None:
    state = list(game.state)
    last = min(16, len(state))
    for _ in range(r.choice((1, 1, 2, 4))):
        slot = r.choice(
            (r.randrange(len(state)), r.randrange(4, last), r.randrange(machine.program.frames, len(state)))
        )
        near = state[slot] + r.choice((-1, 1, 2, -2, 7))
        state[slot] = r.choice(
            (near, near, 0, 1, -1, 2, 3, 40, -(2**31), 2**31 - 1, r.randrange(-(2**31), 2**31))
        )
        state[slot] = min(max(state[slot], -(2**31)), 2**31 - 1)
    data = packed(machine.hash, state)
    result.saves += 1
    found = Game.restore(machine, data, telling=r.random() < 0.5)
    theirs = None if module is None else Inside.restore(module, data)
    if theirs is not None and isinstance(found, Game) != isinstance(theirs, Inside):
        result.fault = f"one engine restores {result.name}: {found if isinstance(found, list) else theirs}"
        return
    if not isinstance(found, Game):
        return
    result.restored += 1
    _ask(machine, found)
    for _ in range(CHOICES):
        if isinstance(theirs, Inside) and (found.state != theirs.state or found.count != theirs.count):
            raise Difference("the engines differ after a save")
        if not found.count:
            return
        number, failed, fault = r.randrange(found.count), "", ""
        try:
            found.choose(number)
        except RuleFailure as failure:
            failed = failure.code
        if isinstance(theirs, Inside):
            try:
                theirs.choose(number)
            except RuleFailure as failure:
                fault = failure.code
            if failed != fault:
                raise Difference(f"after a save one engine fails: {failed or 'no'}, {fault or 'no'}")
        if failed:
            return


# ---------------------------------------------------------------- the command


@dataclass
class Counted:
    """How far the command came, and what came of it: what the file of `--state` has."""

    seed: int
    next: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    decisions: int = 0
    saves: int = 0
    restored: int = 0
    failures: int = 0
    seconds: float = 0.0
    stretch: float = 0.0
    slowest: str = ""
    megabytes: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        self.next += 1
        self.outcomes[result.outcome] = self.outcomes.get(result.outcome, 0) + 1
        self.decisions += result.decisions
        self.saves += result.saves
        self.restored += result.restored
        self.failures += bool(result.failures)
        self.seconds += result.seconds
        if result.stretch > self.stretch:
            self.stretch, self.slowest = result.stretch, result.name
        self.megabytes = max(self.megabytes, result.megabytes)
        if result.fault:
            self.faults[result.name] = result.fault


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz programs", description=__doc__)
    parser.add_argument(
        "--count", type=int, default=1000, help="edited programs, with those that are done already"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="a file: what was done is kept there, and not done again")
    parser.add_argument("--keep", type=Path, help="folder for the documents of runs with a fault")
    given = parser.parse_args(arguments)
    counted = Counted(given.seed)
    if given.state is not None and given.state.exists():
        counted = Counted(**json.loads(given.state.read_text(encoding="utf-8")))
    if given.count - counted.next > MANY:  # each process then has them already
        _ = (
            [_random(seed) for seed in range(RANDOM)],
            [_compiled(each.name, each.text) for each in programs()],
        )
    while counted.next < given.count:
        for result in _chunk(counted.seed, counted.next, min(CHUNK, given.count - counted.next), given.keep):
            counted.add(result)
        if given.state is not None:
            write_atomically(given.state, json.dumps(asdict(counted), indent=1) + "\n")
        print(
            f"... {counted.next} of {given.count}, {len(counted.faults)} faults", file=sys.stderr, flush=True
        )
    return report(counted)


def report(counted: Counted) -> int:
    """Prints what came of all runs; 1 where there was a fault."""
    for name, count in sorted(counted.outcomes.items()):
        print(f"{name:>10} {count:>8}")
    print(f"choices {counted.decisions}, games with a rule that failed {counted.failures}")
    print(f"saves edited {counted.saves}, of which restored {counted.restored}")
    print(
        f"longest stretch {counted.stretch:.2f} s ({counted.slowest}), most memory {counted.megabytes:.0f} MB"
    )
    for name, fault in list(counted.faults.items())[:SHOWN]:
        print(f"\n{name}\n{fault.strip()}")
    return 1 if counted.faults else 0


def _chunk(seed: int, first: int, count: int, keep: Path | None) -> Iterator[Result]:
    """Runs in a process of their own; where it is lost, or does not answer, the run that it was at is at fault."""
    ours, theirs = mp.Pipe(duplex=False)
    process = mp.Process(target=_work, args=(seed, first, count, theirs, keep), daemon=True)
    process.start()
    theirs.close()
    for number in range(first, first + count):
        try:
            if not ours.poll(PATIENCE):
                raise EOFError
            yield ours.recv()
        except EOFError:
            process.kill()
            process.join()
            yield Result(f"{seed}:{number}", "lost", fault=f"the process was lost (exit {process.exitcode})")
            return
    process.join()


def _work(seed: int, first: int, count: int, connection: Connection, keep: Path | None) -> None:
    for number in range(first, first + count):
        result, document = carry_out(seed, number)
        if result.fault and keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{seed}_{number}.ir.json").write_bytes(document)
        connection.send(result)
    connection.close()
