"""The passes, in their order, and what a program is after them.

    given, played = played_as(program)          # with constant tables, as it is explained and profiled
    lowering = Lowering(played, chosen(()))
    lowering.procedure(3)                       # as code is made from it: what an engine needs, when it needs it
    lowering.whole()                            # all of it

A pass gives a program that plays the same games: each state, the options of each decision in their order, and the code
with which a rule fails. Its module begins with its contract: what it *needs* of the program, what it *guarantees*, what
it *keeps*, and whether it changes how many *steps* are counted. What it gives passes the verifier; tests look at that
for every game, and play does not.

`tabulate` and `unnote` give a program like any other, as a whole. From `meter` on a program is *lowered*: fields are
filled in that no document has. It lives between these passes and the engines only, and is made definition by
definition, so that a look at a part of a game pays for that part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar

from dsl.ir import nodes as ir
from dsl.ir.program import Action, Ending, Procedure, Program, Value, Var
from dsl.ir.rewrite import mapped
from dsl.passes.meter import meter
from dsl.passes.tabulate.kept import with_tables
from dsl.passes.unite import unite
from dsl.passes.unnote import unnote

Change = Callable[[Any], Any]
"""A pass at work on a program: what becomes of a node whose inner nodes have been through it."""

PASSES = ("tabulate", "unnote", "unite", "meter")
"""All passes by name, in the order in which they run."""
OPTIONAL = frozenset(PASSES) - {"meter"}
"""Those without which a program can be played."""
WHOLE: dict[str, Callable[[Program], Program]] = {"unnote": unnote}
"""The passes that look at all of a program before any definition is lowered."""
LOWERING: dict[str, Callable[[Program], Change]] = {
    "unite": unite,
    "meter": meter,
}
"""The passes that work definition by definition."""
LOWERED = ("values", "actions", "procedures", "routines", "endings", "vars", "tests", "promises")
"""The parts of a program that they work on."""
Part = TypeVar("Part")


def chosen(without: Collection[str]) -> tuple[str, ...]:
    """The passes that are left in their order. Raises ValueError for a name that is not one of a pass that can go."""
    if unknown := sorted(set(without) - OPTIONAL):
        raise ValueError(f"no pass `{unknown[0]}` can be left out; these can: {', '.join(sorted(OPTIONAL))}")
    return tuple(name for name in PASSES if name not in without)


def played_as(program: Program, without: Collection[str] = ()) -> tuple[Program, Program]:
    """The program as it was compiled, and as it is played, explained and profiled."""
    return with_tables(program) if "tabulate" in chosen(without) else (program, program)


class Lowering:
    """A program as code is made from it, each definition when it is first asked for."""

    def __init__(self, program: Program, passes: Collection[str] = PASSES) -> None:
        for name in passes:
            program = WHOLE[name](program) if name in WHOLE else program
        self.program = program
        self._changes = [LOWERING[name](program) for name in passes if name in LOWERING]
        self._known: dict[tuple[str, int, int], Any] = {}

    def value(self, number: int) -> Value:
        """A value with its clauses."""
        return self._part("value", number, self.program.values[number])

    def action(self, number: int) -> Action:
        """An action with its prohibitions."""
        return self._part("action", number, self.program.actions[number])

    def procedure(self, number: int) -> Procedure:
        """A procedure."""
        return self._part("procedure", number, self.program.procedures[number])

    def block(self, routine: int, number: int) -> ir.Block:
        """A block of a routine."""
        return self._part("routine", routine, self.program.routines[routine].blocks[number], number)

    def ending(self, number: int) -> Ending:
        """An ending."""
        return self._part("ending", number, self.program.endings[number])

    def var(self, number: int) -> Var:
        """A variable, with its first value and who sees it."""
        return self._part("var", number, self.program.vars[number])

    def expr(self, expr: ir.Expr) -> ir.Expr:
        """An expression that is in no definition, or is taken out of one."""
        return self._lowered(expr)

    def whole(self) -> Program:
        """All of the program."""
        return replace(self.program, **{name: self._lowered(getattr(self.program, name)) for name in LOWERED})

    def _part(self, kind: str, number: int, part: Part, inner: int = 0) -> Part:
        key = kind, number, inner
        if key not in self._known:
            self._known[key] = self._lowered(part)
        found: Part = self._known[key]
        return found

    def _lowered(self, part: Part) -> Part:
        return reduce(mapped, self._changes, part)
