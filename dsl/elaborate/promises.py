"""Promises in the language: what is to hold at every stop of every game."""

from __future__ import annotations

from dsl.diagnostics import Code
from dsl.elaborate.bodies.scope import Body
from dsl.elaborate.clauses.conditions import conditions
from dsl.elaborate.clauses.heads import guard_of
from dsl.elaborate.clauses.values import Values
from dsl.elaborate.outcomes import Outcomes, endings_by_label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH
from dsl.linker.layers import Entry, Gathered
from dsl.lower.ir_builder import TRUE, negation
from dsl.resolve.symbol_table import World
from dsl.syntax import ast


class Promised(Outcomes):
    """Elaborates the lines of a promise."""

    def roll(self, tree: ast.Roll) -> ir.Expr:
        return self.fault(
            Code.ROLL_HERE,
            tree.span,
            "a promise throws no dice",
            hint="it is read wherever the game stops, and changes nothing: say what holds of what was rolled",
        )


def promises(
    world: World, values: Values, gathered: Gathered, ends: tuple[pr.Ending, ...]
) -> tuple[pr.Promise, ...]:
    """All that a game promises; in the block of a mode, for games in that mode."""
    endings = endings_by_label(world, ends)
    return tuple(_promise(world, values, entry, endings) for entry in gathered.of(ast.Always))


def _promise(world: World, values: Values, entry: Entry, endings: dict[str, list[int]]) -> pr.Promise:
    decl: ast.Always = entry.declaration
    lines = []
    for line in decl.lines:
        e = Promised(world, Body(), values.result)
        e.endings = endings
        where = conditions(e, decl.condition, guard_of(world, entry.where))
        if decl.condition is not None:
            e.learn(decl.condition, holds=True)
        found = e.truth(line.condition)
        if where != TRUE:
            found = ir.Op(TRUTH, "or", (negation(where), found))
        lines.append(pr.Held(found, line.condition.span.text, world.site(line.span)))
    cited = decl.citation or ast.Citation(span=decl.span)
    return pr.Promise(decl.title.text, cited.ids, cited.pins, tuple(lines), world.place(decl.title.span))
