"""Processes that work for this one: they do not hear Ctrl-C, and end with it, whichever way it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any


@contextmanager
def processes(count: int, begin: Callable[..., None], *given: Any) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each of which begins so. They start where something is submitted, which is done `deaf`.

    What ends this early, such as Ctrl-C, ends them too: nobody waits for what they are at.
    """
    others = set(active_children())
    with ProcessPoolExecutor(count, get_context("spawn"), _open, (begin, given)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for each in set(active_children()) - others:
                each.terminate()
            raise


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C, which is for this one: it hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def heard() -> Iterator[Callable[[], None]]:
    """Yields what raises KeyboardInterrupt if Ctrl-C has come since. Python raises it itself, but drops it where it
    comes while an object is finalized (`object.__del__` in "Data model" of its documentation).
    """
    usual = signal.default_int_handler
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield lambda: None
        return
    come = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal come
        come = True
        usual(number, frame)

    def look() -> None:
        if come:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, usual)


def _open(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_with_parent, daemon=True).start()
    begin(*given)


def _with_parent() -> None:
    """Ends this process where the one that it works for is gone."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
