"""What names a compiled program in saves and fingerprints: all of it that can change play, and nothing else.

Words for people are left out, with what is shown in them and what has any: titles, labels, questions, reasons, what
cards say, the log. So are places, quoted lines, citations, drawings, the rulebook's index, tests and promises, but
not how many clauses there are (a `say` is one), nor how many places where something can fail; and the version of the
document, as what plays is written as it was in the first. So formatting a file, a comment, a better word, a label, a
translation or one more test leaves each save of the game as good as it was.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.ir.codec import ir_hash
from dsl.ir.nodes import Decide, Log, Refused, Stmt
from dsl.ir.program import Action, Clause, Data, Domain, Place, Program, Routine, Text
from dsl.ir.types import Id
from dsl.ir.walk import changed

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
        title=None,
        scenario_title=None,
        texts=(_WORDLESS,),
        clauses=tuple(clauses),
        sites=tuple(replace(each, place=_NOWHERE) for each in program.sites),
        domains=tuple(_nameless(each) for each in program.domains),
        vars=tuple(replace(each, label=None, drawn=True) for each in program.vars),
        boards=tuple(replace(each, drawing="", signs=(), groups=()) for each in program.boards),
        values=tuple(replace(each, denominator=1, label=None, labels=()) for each in program.values),
        data=tuple(_uncalled(program, each) for each in program.data),
        actions=tuple(_unlabelled(each) for each in program.actions),
        endings=tuple(replace(each, label=None) for each in program.endings),
        options=tuple(replace(each, label=None) for each in program.options),
        mods=tuple(replace(each, label=None) for each in program.mods),
        pools=tuple(replace(each, owners=(), own_words=()) for each in program.pools),
        rules=(),
        tests=(),
        promises=(),
        version=1,
        procedures=tuple(replace(each, body=changed(each.body, _silent)) for each in program.procedures),
        routines=tuple(_told(each) for each in program.routines),
    )


def _nameless(domain: Domain) -> Domain:
    """A domain whose members have no labels; of that of printed texts only the empty one is left."""
    members = domain.members[:1] if domain.kind == "text" else domain.members
    return replace(domain, looks=(), labels=(), label=None, members=members)


def _uncalled(program: Program, data: Data) -> Data:
    """A table without what players call it; a column of texts, which no rule compares or stores, prints none."""
    texts = isinstance(data.type, Id) and program.domains[data.type.domain].kind == "text"
    values = (0,) * len(data.values) if texts and isinstance(data.values, tuple) else data.values
    return replace(data, denominator=1, called=(), label=None, values=values)


def _unlabelled(action: Action) -> Action:
    """An action without its label and the reasons for which it is refused."""
    judged = (replace(each, reason=None, reason_args=()) for each in action.prohibitions)
    return replace(action, label=None, prohibitions=tuple(judged))


def _told(routine: Routine) -> Routine:
    """A routine that tells nothing, and says neither when an answer is told nor who may read what is told."""
    blocks = []
    for each in routine.blocks:
        end = each.end
        if isinstance(end, Decide):
            offers = tuple(replace(offer, label=0, label_args=()) for offer in end.offers)
            end = replace(end, offers=offers, prompt=None, prompt_args=(), sealed=False)
        blocks.append(replace(each, body=changed(each.body, _silent), end=end))
    return replace(routine, blocks=tuple(blocks))


def _silent(statement: Stmt) -> Stmt | None:
    """No line of the log; of an order that is refused nothing of who may read that; else the statement itself."""
    match statement:
        case Log():
            return None
        case Refused():
            return replace(statement, veiled=())
        case _:
            return statement
