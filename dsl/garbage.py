"""When Python looks for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_process = {"ends": False}


def one_command() -> None:
    """To be called by a process that runs one command and ends."""
    _process["ends"] = True


def leave() -> None:
    """Whatever is left is not looked through again where the process ends now: that takes as long as a tenth of the
    work before.
    """
    if _process["ends"]:
        gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Where a million small objects are made, none of them garbage: much quicker with nobody looking for any."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
