"""Errors that go from one process to another."""

from __future__ import annotations

from typing import Any


class PicklableError(Exception):
    """An error that is not made of its `args` alone, and goes to another process with all that it holds."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, dict(vars(self)))


def _again(kind: type[PicklableError], args: tuple[Any, ...], held: dict[str, Any]) -> PicklableError:
    made = kind.__new__(kind)
    made.args = args
    vars(made).update(held)
    return made
