"""Commands as processes of their own that need not load Python and the package first: `forked`.

One process, started where the first command is run, has imported all modules of the package and done nothing with them.
Each command runs in a fork of it, with the streams, the folder and the environment that it is given, and ends as any
process does. What a start costs or brings with it is seen by those tests that start Python.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryFile
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = ("dsl.__main__", "dsl.adapters")
"""What runs when it is imported, and what needs packages that come apart."""


class Forks:
    """A process with all modules, of which others are forked."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                process_group=0,
            )
        atexit.register(self.end)

    def begin(
        self,
        arguments: Sequence[str],
        streams: Sequence[int],
        folder: Path,
        environment: Mapping[str, str],
        seconds: float,
    ) -> Callable[[], int]:
        """Begins `scenarii` with some arguments and three streams. What it yields waits for the end, so many seconds at
        most, and says how it was, in the numbers of `subprocess`.
        """
        asked = {"arguments": list(arguments), "folder": str(folder), "environment": dict(environment)}
        socket.send_fds(self._socket, [f"{json.dumps(asked)}\n".encode()], list(streams))

        def ended() -> int:
            self._socket.settimeout(seconds)
            try:
                told = self._socket.recv(64)
            except TimeoutError:
                self.end()
                raise
            assert told, "the process of which others are forked has ended"
            return int(told)

        return ended

    def end(self) -> None:
        """Ends it, and what it has forked."""
        self._socket.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        atexit.unregister(self.end)
        forks.cache_clear()


@cache
def forks() -> Forks:
    """The one of this process."""
    return Forks()


def forked(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, seconds: float
) -> subprocess.CompletedProcess[str]:
    """What `scenarii` says in a folder, read from nowhere, with both its outputs apart."""
    with open(os.devnull, "rb") as nothing, TemporaryFile() as output, TemporaryFile() as errors:
        streams = [nothing.fileno(), output.fileno(), errors.fileno()]
        code = forks().begin(arguments, streams, folder, environment, seconds)()
        texts = []
        for each in (output, errors):
            each.seek(0)
            texts.append(each.read().decode("utf-8"))
    return subprocess.CompletedProcess(list(arguments), code, *texts)


# ---------------------------------------------------------------- in the process of which others are forked


def _served(asking: socket.socket) -> None:
    """Forks for each command; returns in the fork, which is then the process of that command, ready to run it."""
    while True:
        data, streams, _, _ = socket.recv_fds(asking, 65_536, 3)
        while data and not data.endswith(b"\n"):
            data += asking.recv(65_536)
        if not data:
            os._exit(0)
        child = os.fork()
        if child == 0:
            asking.close()
            _become(json.loads(data), streams)
            return
        for each in streams:
            os.close(each)
        _, status = os.waitpid(child, 0)
        asking.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _become(asked: dict[str, Any], streams: Sequence[int]) -> None:
    """Puts the streams, the folder, the environment and the arguments in the place of what this process began with."""
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    sys.stdin = sys.__stdin__ = _stream(0, "r")
    sys.stdout = sys.__stdout__ = _stream(1, "w")
    sys.stderr = sys.__stderr__ = _stream(2, "w", errors="backslashreplace", buffering=1)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.argv = ["scenarii", *asked["arguments"]]


def _stream(number: int, mode: str, **how: Any) -> TextIO:
    return os.fdopen(number, mode, encoding="utf-8", closefd=False, **how)


def _load() -> None:
    """Imports all modules of the package, which are then no garbage for any command."""
    import dsl

    for each in walk_packages(dsl.__path__, "dsl."):
        if not each.name.startswith(LEFT_OUT):
            import_module(each.name)
    gc.freeze()


if __name__ == "__main__":
    _load()
    _served(socket.socket(fileno=int(sys.argv[1])))
    from dsl.cli.start import main

    main()
