"""What names a compiled program in saves and fingerprints: all of it that can change play, and nothing else.

Places, quoted lines, citations, words for people, who may read a line of the log, drawings, the rulebook's index, tests
and promises are left out, but not how many of them there are; so is the version of the document, as what plays is
written as it was in the first. So formatting a file, a comment, a better word, a translation or one more test leaves
each save of the game as good as it was.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.ir.codec import ir_hash
from dsl.ir.nodes import Decide
from dsl.ir.program import Clause, Place, Program, Routine, Text
from dsl.ir.walk import unveiled

_NOWHERE = Place("", 1, 1, 1, 1)
_WORDLESS = Text((("", ""),))


def identity(program: Program) -> str:
    """The SHA-256, in hexadecimal, of the document of the program without what only tells."""
    return ir_hash(bare(program))


def bare(program: Program) -> Program:
    """The program without what only tells; it plays the same games."""
    clauses = (Clause(each.kind, each.name, (), False, (), _NOWHERE, "") for each in program.clauses)
    return replace(
        program,
        texts=(_WORDLESS,) * len(program.texts),
        clauses=tuple(clauses),
        sites=tuple(replace(each, place=_NOWHERE) for each in program.sites),
        domains=tuple(replace(each, looks=()) for each in program.domains),
        boards=tuple(replace(each, drawing="", signs=()) for each in program.boards),
        values=tuple(replace(each, denominator=1) for each in program.values),
        data=tuple(replace(each, denominator=1, called=()) for each in program.data),
        rules=(),
        tests=(),
        promises=(),
        version=1,
        procedures=tuple(replace(each, body=unveiled(each.body)) for each in program.procedures),
        routines=tuple(_told(each) for each in program.routines),
    )


def _told(routine: Routine) -> Routine:
    """A routine without what only says when an answer is told, and who may read what is told."""
    blocks = []
    for each in routine.blocks:
        end = each.end
        if isinstance(end, Decide) and end.sealed:
            end = replace(end, sealed=False)
        blocks.append(replace(each, body=unveiled(each.body), end=end))
    return replace(routine, blocks=tuple(blocks))
