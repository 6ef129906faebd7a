"""The passes, in their order, and what a program is after them.

    played = played_as(program)                         # all of them
    played = played_as(program, without={"tabulate"})   # all but one

A pass gives a program that plays the same games: each state, the options of each decision in their order, and the code
with which a rule fails. Its module begins with its contract: what it *needs* of the program, what it *guarantees*, what
it *keeps*, and whether it changes how many *steps* are counted. What it gives passes the verifier; tests look at that
for every game, and play does not.
"""

from __future__ import annotations

from collections.abc import Collection

from dsl.ir.program import Program
from dsl.passes.tabulate.kept import with_tables

PASSES = ("tabulate",)
"""All passes by name, in the order in which they run."""
OPTIONAL = frozenset(PASSES)
"""Those without which a program can be played."""


def chosen(without: Collection[str]) -> tuple[str, ...]:
    """The passes that are left in their order. Raises ValueError for a name that is not one of a pass."""
    if unknown := sorted(set(without) - OPTIONAL):
        raise ValueError(f"there is no pass `{unknown[0]}`; there are: {', '.join(PASSES)}")
    return tuple(name for name in PASSES if name not in without)


def played_as(program: Program, without: Collection[str] = ()) -> tuple[Program, Program]:
    """The program as it was compiled, and as it is played."""
    return with_tables(program) if "tabulate" in chosen(without) else (program, program)
