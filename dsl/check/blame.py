"""What the verifier finds in a program that was just compiled, told to its author where he wrote it.

What is only too much of something is the author's to make smaller. Anything else is a fault of the compiler, and says
so; it names the place all the same.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic
from dsl.ir.kinds import Excess
from dsl.ir.program import Program
from dsl.ir.verify.program import Fault, Part
from dsl.linker.layers import Gathered
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

HINTS = {
    Excess.NODES: "range over smaller sets, or put an inner question into a field that is kept up to date",
    Excess.LEVELS: "give a part of it a name: a `value` or an `action` of its own",
    Excess.LOOPS: "give an inner loop a name: an `action` of its own",
    Excess.MAGNITUDE: "narrow the ranges that it multiplies, or round earlier",
    Excess.COMBINATIONS: "ask in two steps, or choose from smaller sets",
    Excess.SLOTS: "keep less: shorter lists, smaller sets, fewer pieces",
    Excess.ROUNDS: "a loop has at most 1,000,000 rounds",
    Excess.SIDES: "throw fewer dice",
    Excess.LOCALS: "name less in one piece: a part of it is a `value` or `action` of its own, or another test",
}


def blame(world: World, gathered: Gathered, program: Program, fault: Fault) -> Diagnostic:
    """The fault as its author should read it."""
    span = _span(world, program, fault.circle or fault.part) or _within(gathered, fault)
    span = span or gathered.headers[0].name.span
    if fault.circle is not None:
        message = "what is done here leads back to itself without a bound"
        hint = "declare one action of the circle `nested at most 3`"
        return Diagnostic(Code.CALL_CYCLE, message, span, hint=hint)
    if fault.excess is None:
        message = tr("the compiler made something that does not hold together: {fault}", fault=fault)
        hint = "this is a fault of the compiler, not yours; another wording may help until it is mended"
        return Diagnostic(Code.IR_VERIFICATION, message, span, hint=hint)
    hint = HINTS.get(fault.excess, "make it smaller")
    return Diagnostic(Code.LIMIT, tr("this is too much: {sub}", sub=fault.message), span, hint=hint)


def too_much_work(span: Span, *, deep: bool) -> Diagnostic:
    """What is written here stands for more than a game may hold."""
    if deep:
        message = "what is written here leads too deep: each part is made of others, and those of others"
        hint = "declare the types of values (`-> 0..9`), and shorten chains of things that are made of each other"
        return Diagnostic(Code.NESTED_TOO_DEEP, message, span, hint=hint)
    message = "what is written here stands for more than a game may hold"
    hint = "menus that include each other, and `if` after `if` in a value, multiply: say some of it in parts of its own"
    return Diagnostic(Code.LIMIT, message, span, hint=hint)


def _span(world: World, program: Program, part: Part) -> Span | None:
    """Where a part of the program comes from, if that is known."""
    index = part.index
    if index is None:
        return None
    clause: int | None = None
    match part.table:
        case "values":
            clause = program.values[index].clause
        case "actions":
            clause = program.actions[index].clause
        case "procedures":
            clause = next((each.clause for each in program.actions if each.procedure == index), None)
        case "routines":
            clause = next((each.clause for each in program.actions if each.routine == index), None)
        case "domains":
            return world.type_spans.get(program.domains[index].name)
        case "vars":
            clause = program.vars[index].clause
        case "endings":
            clause = program.endings[index].clause
        case "options":
            clause = program.options[index].clause
        case "data":
            clause = next((each for each in program.data[index].clauses if each is not None), None)
        case _:
            return None
    return world.clause_spans[clause] if clause is not None else _named(world, part.name)


def _within(gathered: Gathered, fault: Fault) -> Span | None:
    """The test, or the line of a promise, in which a fault was found."""
    table, index = fault.part.table, fault.part.index
    if index is not None and table == "tests":
        test: ast.Test = tuple(gathered.of(ast.Test))[index].declaration
        return test.title.span
    if index is None or table != "promises" or fault.within is None:
        return None
    decl: ast.Always = tuple(gathered.of(ast.Always))[index].declaration
    return decl.lines[fault.within[1]].condition.span


def _named(world: World, name: str) -> Span | None:
    """Where a head of that name, or one whose name ends so, is declared."""
    head = world.callables.get(name.rsplit(" ", maxsplit=1)[-1])
    decl = getattr(head, "decl", None)
    return decl.name.span if decl is not None else None
