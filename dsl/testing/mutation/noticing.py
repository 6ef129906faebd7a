"""Which test notices a mutant: those are run first that pin the rule, then those that are named for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dsl.engine.machine import Machine
from dsl.ir.program import Test
from dsl.testing.runner import run_test

STEPS = 50_000
"""What a mutant may do between two decisions."""

MUTANT = "mutant"
"""The family of the prohibition that keeps a head from being offered; tests do not look at it."""


def ordered(tests: Sequence[Test], ids: frozenset[str]) -> list[Test]:
    """The tests, those first that pin one of the ids, then those that are named for one."""

    def rank(test: Test) -> int:
        return 0 if ids & set(test.pins) else 1 if ids & set(test.ids) else 2

    return sorted(tests, key=rank)


def names(test: Test, ids: frozenset[str]) -> bool:
    """Does a test name one of the ids?"""
    return bool(ids & {*test.pins, *test.ids})


def noticed(
    machine: Machine,
    tests: Iterable[Test],
    failing: frozenset[str],
    long: frozenset[str] = frozenset(),
    options: Mapping[str, str | int] | None = None,
) -> str | None:
    """The title of the first test that fails, of those that did not fail before anything was changed. Those that were
    `long` may take as many steps as in play.
    """
    for test in tests:
        if test.title in failing:
            continue
        steps = None if test.title in long else STEPS
        if not run_test(machine, test, steps=steps, unseen=MUTANT, options=options).passed:
            return test.title
    return None
