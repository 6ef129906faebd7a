"""What players call the values of a game.

A value has the words that its author gives it (`called`). Where he gives none, it is called as the field that the rules
set to it (`reserve = reinforcements(p)`), as the line that adds it to another value (`modify reinforcements:
+bases_of(p) "bases"`), or as the column that it is read from; where these have several words, or none, by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.engine.display import column_name, text_of
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.walk import inside, within


def value_words(program: Program, language: str = "") -> Mapping[int, str]:
    """The words of each value that has some, by its number."""
    given = {
        number: words
        for number, value in enumerate(program.values)
        if (words := text_of(program, value.label, language))
    }
    found: dict[int, set[str]] = {}
    for number, words in (*_stored(program, language), *_added(program, language)):
        if words:
            found.setdefault(number, set()).add(words)
    for number, value in enumerate(program.values):
        if number not in given and number not in found and (words := _column(program, value.base, language)):
            found[number] = {words}
    return {number: next(iter(words)) for number, words in found.items() if len(words) == 1} | given


def _stored(program: Program, language: str) -> Iterator[tuple[int, str]]:
    """The values that fields are set to, with the words of the fields."""
    bodies = [each.body for each in program.procedures]
    bodies += [block.body for routine in program.routines for block in routine.blocks]
    for body in bodies:
        for each in within(body):
            if isinstance(each, ir.Store) and isinstance(each.value, ir.Ask):
                yield each.value.value, text_of(program, program.vars[each.var].label, language)


def _added(program: Program, language: str) -> Iterator[tuple[int, str]]:
    """The values that lines with words add to others."""
    for value in program.values:
        for clause in value.clauses:
            if clause.stage == "plus" and isinstance(clause.operand, ir.Ask):
                label = program.clauses[clause.clause].label
                yield clause.operand.value, text_of(program, label, language)


def _column(program: Program, base: ir.Expr, language: str) -> str:
    """The words of the only column that an expression reads; empty where it reads anything else."""
    read = list(inside(base))
    if any(isinstance(each, ir.Ask | ir.Load | ir.LoadItem | ir.Fold | ir.Scan) for each in read):
        return ""
    data = {each.data for each in read if isinstance(each, ir.Lookup)}
    return column_name(program, data.pop(), language) if len(data) == 1 else ""
