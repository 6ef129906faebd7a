"""Runs spread over processes, each watched from without: one that does not answer is ended and counted."""

from __future__ import annotations

import multiprocessing as mp
import resource
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random

from tests.fuzz.corpus import games, programs
from tests.fuzz.mutate import mutate
from tests.fuzz.run import Result, run

PATIENCE = 40.0
ADDRESSES = 3 * 1024**3
CHUNK = 250
"""Runs of one process; then a fresh one takes its place, so that peaks of memory are its own."""


@dataclass(frozen=True)
class Task:
    """A mutation, given by its number: what it is of, and what is done, follow from that."""

    of: str
    seed: int
    number: int

    @property
    def random(self) -> Random:
        return Random(f"{self.of} {self.seed} {self.number}")


def carry_out(task: Task, folder: Path, keep: Path | None = None) -> Result:
    """Makes the mutation in a folder of its own, and runs it."""
    r = task.random
    name = f"{task.of} {task.seed}:{task.number}"
    if task.of == "program":
        program = r.choice(programs())
        kind, text = mutate(program.text, r)
        changed = path = folder / "mutant.scn"
        name += f" of {program.name}"
    else:
        game = r.choice(games())
        path = folder / game.name
        if not path.exists():
            shutil.copytree(game, path)
        changed = path / r.choice(sorted(each.name for each in game.glob("*.scn")))
        original = (game / changed.name).read_text(encoding="utf-8")
        kind, text = mutate(original, r)
        name += f" of {game.name}/{changed.name}"
    changed.write_text(text, encoding="utf-8", newline="")
    result = run(path, kind, name, r)
    if result.fault and keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{task.of}_{task.seed}_{task.number}.scn").write_text(text, encoding="utf-8", newline="")
    if task.of == "game":
        changed.write_text(original, encoding="utf-8", newline="")
    return result


def results(tasks: list[Task], jobs: int, keep: Path | None = None) -> Iterator[Result]:
    """The result of each task, as they come."""
    waiting = [tasks[at : at + CHUNK] for at in range(0, len(tasks), CHUNK)][::-1]
    running: dict[Connection, tuple[mp.Process, list[Task]]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            _start(waiting.pop(), running, keep)
        ready = wait(list(running), timeout=PATIENCE)
        for connection in ready or list(running):
            assert isinstance(connection, Connection)
            process, left = running[connection]
            try:
                if not ready:
                    raise EOFError
                result = connection.recv()
                yield result
                del left[0]
            except EOFError:
                yield _lost(process, left)
                del left[0]
                if left:
                    waiting.append(left)
                del running[connection]
                continue
            if not left:
                process.join()
                del running[connection]


def _start(
    chunk: list[Task], running: dict[Connection, tuple[mp.Process, list[Task]]], keep: Path | None
) -> None:
    ours, theirs = mp.Pipe(duplex=False)
    process = mp.Process(target=_work, args=(chunk, theirs, keep), daemon=True)
    process.start()
    theirs.close()
    running[ours] = (process, list(chunk))


def _lost(process: mp.Process, left: list[Task]) -> Result:
    """The process has ended, or does not answer: the run that it was at is at fault."""
    process.kill()
    process.join()
    task = left[0]
    fault = f"the process was lost (exit {process.exitcode})"
    return Result("lost", f"{task.of} {task.seed}:{task.number}", fault=fault, seconds=PATIENCE)


def _work(chunk: list[Task], connection: Connection, keep: Path | None) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        for task in chunk:
            connection.send(carry_out(task, Path(folder), keep))
    connection.close()
