"""What the verifier finds in a program that was just compiled, told to its author where he wrote it.

What is only too much of something is the author's to make smaller. Anything else is a fault of the compiler, and says
so; it names the place all the same.
"""

from __future__ import annotations

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic
from dsl.ir.program import Program
from dsl.ir.verify.program import Fault
from dsl.semantics.gather.layers import Gathered
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast

LINE = re.compile(r"^(?:line|step) (\d+): ")
PART = re.compile(r"(\w+)\[(\d+)\]")
HINTS = {
    "nodes": "range over smaller sets, or put an inner question into a field that is kept up to date",
    "levels": "give a part of it a name: a `value` or an `action` of its own",
    "loops": "give an inner loop a name: an `action` of its own",
    "64 bits": "narrow the ranges that it multiplies, or round earlier",
    "combinations": "ask in two steps, or choose from smaller sets",
    "slots": "keep less: shorter lists, smaller sets, fewer pieces",
    "rounds": "a loop has at most 1,000,000 rounds",
    "sides": "throw fewer dice",
    "locals": "name less in one piece: a part of it is a `value` or `action` of its own, or another test",
}


def blame(world: World, gathered: Gathered, program: Program, fault: Fault) -> Diagnostic:
    """The fault as its author should read it."""
    span = _span(world, program, fault.where) or _within(gathered, fault) or gathered.headers[0].name.span
    if fault.where == "calls":
        circle = re.sub(r"(\w+) (\d+).*", r"\1s[\2]", fault.message)
        span = _span(world, program, circle) or span
        message = "what is done here leads back to itself without a bound"
        hint = "declare one action of the circle `nested at most 3`"
        return Diagnostic(Code.CALL_CYCLE, message, span, hint=hint)
    if not fault.too_much:
        message = tr("the compiler made something that does not hold together: {fault}", fault=fault)
        hint = "this is a fault of the compiler, not yours; another wording may help until it is mended"
        return Diagnostic(Code.IR_VERIFICATION, message, span, hint=hint)
    hint = next((text for word, text in HINTS.items() if word in fault.message), "make it smaller")
    return Diagnostic(
        Code.LIMIT, tr("this is too much: {sub}", sub=LINE.sub("", fault.message)), span, hint=hint
    )


def too_much_work(span: Span, *, deep: bool) -> Diagnostic:
    """What is written here stands for more than a game may hold."""
    if deep:
        message = "what is written here leads too deep: each part is made of others, and those of others"
        hint = "declare the types of values (`-> 0..9`), and shorten chains of things that are made of each other"
        return Diagnostic(Code.NESTED_TOO_DEEP, message, span, hint=hint)
    message = "what is written here stands for more than a game may hold"
    hint = "menus that include each other, and `if` after `if` in a value, multiply: say some of it in parts of its own"
    return Diagnostic(Code.LIMIT, message, span, hint=hint)


def _span(world: World, program: Program, where: str) -> Span | None:
    """Where a part of the program comes from, if that is known."""
    found = PART.match(where)
    if found is None:
        return None
    table, index = found[1], int(found[2])
    clause: int | None = None
    match table:
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
    return world.clause_spans[clause] if clause is not None else _named(world, where[found.end() :].strip())


def _within(gathered: Gathered, fault: Fault) -> Span | None:
    """The test, or the line of a promise, in which a fault was found."""
    found, line = PART.match(fault.where), LINE.match(fault.message)
    if found is not None and found[1] == "tests":
        test: ast.Test = tuple(gathered.of(ast.Test))[int(found[2])].declaration
        return test.title.span
    if found is None or line is None or found[1] != "promises":
        return None
    decl: ast.Always = tuple(gathered.of(ast.Always))[int(found[2])].declaration
    return decl.lines[int(line[1])].condition.span


def _named(world: World, name: str) -> Span | None:
    """Where a head of that name, or one whose name ends so, is declared."""
    head = world.callables.get(name.rsplit(" ", maxsplit=1)[-1])
    decl = getattr(head, "decl", None)
    return decl.name.span if decl is not None else None
