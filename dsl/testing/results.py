"""What running a test gave."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.ir.program import Place


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test that passed, or what did not come out as it says.

    `ids` name the case, `pins` the rules that it holds. `place` is the line that failed (of a test that
    passed: its title), `message` what was expected there and what was found; `steps` counts the lines done.
    """

    __test__ = False

    title: str
    ids: tuple[str, ...]
    pins: tuple[str, ...]
    passed: bool
    message: str
    place: Place
    seconds: float
    steps: int = 0
    promise: bool = False
    """Is it of a promise, in random games?"""
    skipped: str = ""
    """Why it was not played at all; then it counts neither as passed nor as failed."""

    @property
    def cited(self) -> tuple[str, ...]:
        """All ids that the test names."""
        return (*self.ids, *(each for each in self.pins if each not in self.ids))


class Unmet(Exception):
    """A line of a test that does not hold; the message says what was expected and what was found."""
