"""Why, and why not: the explaining form of judgements and values, in which every clause says whether it
stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from dsl.catalogue import tr
from dsl.engine.codegen.emitter import Origin
from dsl.engine.codegen.expressions import scalar
from dsl.engine.codegen.rules import Clauses, stages_of
from dsl.engine.display import filled
from dsl.engine.failure import RuleFailure
from dsl.engine.kinds import calling
from dsl.engine.label_holes import source_form
from dsl.engine.layout import Plain, bounds
from dsl.engine.runtime import Run, scaled
from dsl.ir import nodes as ir
from dsl.ir.program import Action, Clause, Program, Prohibition, Value, ValueClause
from dsl.ir.types import NONE, Id, Int
from dsl.ir.walk import inside, locals_in, within

if TYPE_CHECKING:
    from dsl.engine.machine import Machine
    from dsl.engine.visibility import Sight


@dataclass(frozen=True, slots=True)
class Refusal:
    """A prohibition that stands: its clause, and the reason that the rules give, in words (may be empty)."""

    clause: int
    reason: str


@dataclass(frozen=True, slots=True)
class Term:
    """A clause that stands on a value: its stage, its operand (for `times` with its divisor), the result
    after it.
    """

    clause: int
    stage: str
    operand: Plain
    divisor: int
    result: Plain


@dataclass(frozen=True, slots=True)
class Account:
    """How a value comes about: its base, the clauses that stand, in the order of the stages, and the
    result.
    """

    value: int
    base: Plain
    terms: tuple[Term, ...]
    result: Plain


def refusals(
    machine: Machine,
    state: list[int],
    action: int,
    args: Sequence[Plain],
    language: str = "",
    *,
    run: Run | None = None,
    seen: Collection[int] | None = None,
    sight: Sight | None = None,
) -> tuple[Refusal, ...]:
    """All prohibitions that stand on an action, in their order; `run` has the steps that may be taken, `seen` the
    numbers of those that may be told (none: all), `sight` the eyes of who reads the reasons (none: sees all).

    A condition that cannot be read does not stand.
    """
    run = run or Run.aside(machine)
    declared = machine.program.actions[action]
    found = []
    for n in standing(run, state, ("action", action), declared.prohibitions, args):
        clause = declared.prohibitions[n]
        if clause.kind != "allow" and (seen is None or n in seen):
            reason = _reason(run, state, action, n, args, language=language, sight=sight)
            found.append(Refusal(clause.clause, reason))
    return tuple(found)


def standing(
    run: Run, state: list[int], head: tuple[str, int], clauses: Clauses, args: Sequence[Plain]
) -> list[int]:
    """The positions of the clauses that stand: the condition holds, and none that stands is over them."""
    known: dict[int, bool] = {}

    def stands(n: int) -> bool:
        if n not in known:
            clause = clauses[n]
            over = any(stands(other) for other in clause.overruled_by)
            known[n] = not over and bool(_read(run, state, (*head, n), clause.condition, args))
        return known[n]

    return [n for n in range(len(clauses)) if stands(n)]


def account(machine: Machine, state: list[int], value: int, args: Sequence[Plain]) -> Account:
    """The terms of a value. Raises `RuleFailure` where the value itself fails."""
    run = Run.aside(machine)
    base, terms, _ = _gathered(run, state, value, args)
    final = machine.plain.names[f"v{value}"](state, run, *args)
    return Account(value, base, terms, final)


def wrong_result(state: list[int], run: Run, value: int, args: tuple[Plain, ...], result: int) -> NoReturn:
    """E0601: a value outside its range, with the terms that led there."""
    program = run.machine.program
    name = program.values[value].name
    low, high = bounds(program, scalar(program.values[value].result))
    try:
        base, terms, _ = _gathered(Run.aside(run.machine), state, value, args)
    except RuleFailure:
        raise RuleFailure(
            "E0601",
            tr(
                "{result} is outside the range of `{name}`, {low} to {high}",
                result=result,
                name=name,
                low=low,
                high=high,
            ),
        ) from None
    named = [f"base {base}", *(f"{cited(program.clauses[each.clause])} {_told(each)}" for each in terms)]
    message = tr(
        "{result} is outside the range of `{name}`, {low} to {high} ({named})",
        result=result,
        name=name,
        low=low,
        high=high,
        named="; ".join(named),
    )
    raise RuleFailure("E0601", message, clauses=tuple(each.clause for each in terms))


@dataclass(frozen=True, slots=True)
class Met:
    """The frame of generated code in which a rule failed, and what makes the number that it refused there."""

    frame: FrameType
    origin: Origin | None
    site: int = -1
    """The line of the rules."""

    @property
    def function(self) -> str:
        """What the generated function is called."""
        return self.frame.f_code.co_name

    def evaluated(self, machine: Machine, expr: ir.Expr) -> Plain:
        """What an expression comes to there. Raises `Unread` where it cannot be read by itself."""
        env = self.origin.env if self.origin else {}
        names, told = self.frame.f_globals, dict(self.frame.f_locals)
        routine = re.match(r"r(\d+)_", self.function)
        frame = machine.program.routines[int(routine[1])] if routine else None
        try:
            codes = {n: env.get(n, f"l{n}") for n in sorted(locals_in(expr)) if n >= 0}
            given = {n: eval(code, names, told) for n, code in codes.items() if n in env or code in told}
            function = machine.function(
                ("made", self.function, expr, tuple(given)), (expr,), tuple(given), frame
            )
            found: Plain = function(told["s"], Run.aside(machine), told.get("f", 0), *given.values())[0]
        except (RuleFailure, LookupError, NameError, AssertionError, TypeError, ValueError) as error:
            raise Unread from error
        return found


DEEPEST = 8
"""How many names of `let` are followed, one to the other."""


class Unread(Exception):
    """What a number was made of cannot be read by itself."""


def name_outside(machine: Machine, failure: RuleFailure, met: Met | None) -> None:
    """Says of which field or value a number left the range, and what it was made of."""
    if failure.outside is None:
        return
    met = None if met is None else replace(met, site=failure.site)
    program, (number, low, high) = machine.program, failure.outside
    value_of = re.fullmatch(r"v(\d+)", met.function) if met else None
    about = failure.about if failure.about >= 0 or value_of else _stored(program, failure.site)
    if about >= 0 and program.vars[about].role == "window":
        message = tr(
            "the window `{name}` is open already, as deep as it may be (`nested at most {high}`)",
            name=program.vars[about].name,
            high=high,
        )
        failure.say(message)
        return
    if about >= 0:
        name = f"`{program.vars[about].name}`"
    elif value_of:
        value = program.values[int(value_of[1])]
        kind = value.result
        name = f"`{value.name}`"
        if not isinstance(kind, Int | Id) or bounds(program, kind) != (low, high):  # a number on the way
            place = program.clauses[value.clause].place if value.clause is not None else None
            at = f" ({place.file}:{place.line})" if place else ""
            name = f"what {name}{at} asks for"
    else:
        name = _held_in(program, failure.site) or _handed(program, failure.site, (low, high))
    made = ""
    if failure.summed is not None and failure.about >= 0:
        before, amount = failure.summed
        made = tr(
            " ({before} {name} {value} {abs} in all at one instant)",
            before=before,
            name=name,
            value="-" if amount < 0 else "+",
            abs=abs(amount),
        )
    elif met is not None and met.origin is not None:
        terms = _added(machine, met, met.origin.expr)
        made = f" ({' '.join(terms).removeprefix('+ ')})" if terms else ""
    of = (
        tr("the range of {name}, {low} to {high}", name=name, low=low, high=high)
        if name
        else tr("the range from {low} to {high}", low=low, high=high)
    )
    failure.say(tr("{number} is outside {of}{made}", number=number, of=of, made=made))


def _added(machine: Machine, met: Met, expr: ir.Expr) -> list[str]:
    """The terms of a sum, each with what it is; none where one of them cannot be read by itself, or where the sum is
    one number of which nothing more is known.
    """
    told = []
    try:
        for sign, term, amount in _amounts(machine, met, expr):
            shown = "-" if sign * amount < 0 else "+"
            told.append(f"{shown} {abs(amount)} {_source(machine, met, term, amount)}".rstrip())
    except (Unread, AssertionError):
        return []
    return told if len(told) > 1 or told[0].count(" ") > 1 else []


def _amounts(
    machine: Machine, met: Met, expr: ir.Expr, sign: int = 1, deep: int = 0
) -> Iterator[tuple[int, ir.Expr, int]]:
    """What a number adds up, with what each term is; for a name of `let` what it was given, where that still holds."""
    for side, term in _terms(expr, sign):
        amount = _whole(met.evaluated(machine, term))
        given = _given(machine, met, term)
        if len(given) == 1 and isinstance(given[0], ir.SetLocal) and deep < DEEPEST:
            with suppress(Unread, AssertionError):
                if met.evaluated(machine, given[0].value) == amount:
                    yield from list(_amounts(machine, met, given[0].value, side, deep + 1))
                    continue
        yield side, term, amount


def _given(machine: Machine, met: Met, term: ir.Expr) -> list[ir.SetLocal | ir.Roll | ir.RollList | ir.Pick]:
    """The statements that give a local its number, in the procedure or routine in which a rule failed."""
    code, params = _code_of(machine.program, met)
    if not isinstance(term, ir.Local) or term.index < params:
        return []
    sets = (each for each in within(code) if isinstance(each, ir.SetLocal | ir.Roll | ir.RollList | ir.Pick))
    return [each for each in sets if each.index == term.index]


def _code_of(program: Program, met: Met) -> tuple[tuple[ir.Stmt, ...], int]:
    """The statements of the procedure or routine in which a rule failed, and how many parameters it has."""
    if found := re.match(r"[pg](\d+)", met.function):
        procedure = program.procedures[int(found[1])]
        return procedure.body, procedure.params
    if found := re.match(r"r(\d+)_", met.function):
        routine = program.routines[int(found[1])]
        return tuple(each for block in routine.blocks for each in block.body), routine.params
    return (), 0


def _parameter(program: Program, met: Met, index: int) -> str:
    """What a parameter of the action is called in whose code a rule failed; empty where it has no name.

    What happens together has a copy of that code, of which the line alone says whose it is.
    """
    found = re.match(r"([pgr])(\d+)", met.function)
    for each in program.actions if found else ():
        number = each.routine if found and found[1] == "r" else each.procedure
        if found and number == int(found[2]) and index < len(each.names):
            return each.names[index]
    copied = {
        each.names[index]
        for each in program.actions
        if index < len(each.names) and any(True for _ in _at(_of_action(program, each), met.site))
    }
    return copied.pop() if len(copied) == 1 else ""


def _of_action(program: Program, action: Action) -> list[tuple[ir.Stmt, ...]]:
    """The bodies of the code of an action."""
    if action.routine is not None:
        return [block.body for block in program.routines[action.routine].blocks]
    return [program.procedures[action.procedure].body] if action.procedure is not None else []


def _statements(program: Program, site: int) -> Iterator[ir.Stmt]:
    """The statements of the rules that stand on a line; none where the line is not known."""
    bodies = [each.body for each in program.procedures]
    bodies += [block.body for routine in program.routines for block in routine.blocks]
    yield from _at(bodies, site)


def _at(bodies: Iterable[tuple[ir.Stmt, ...]], site: int) -> Iterator[ir.Stmt]:
    for body in bodies if site >= 0 else ():
        yield from (each for each in within(body) if getattr(each, "site", -1) == site)


def _held_in(program: Program, site: int) -> str:
    """The set, list, bag or record that a line puts something into, where it is one; else empty."""
    found = {each.var for each in _statements(program, site) if isinstance(each, ir.Store | ir.Change)}
    return f"what `{program.vars[found.pop()].name}` holds" if len(found) == 1 else ""


def _handed(program: Program, site: int, limits: tuple[int, int]) -> str:
    """The parameter of an action that a line hands a number to, where only one of them has these limits; else empty."""
    called = {each.procedure for each in _statements(program, site) if isinstance(each, ir.Call)}
    entered = {
        block.end.routine
        for routine in program.routines
        for block in routine.blocks
        if isinstance(block.end, ir.Enter) and block.end.site == site and site >= 0
    }
    found = {
        f"`{name}` of `{each.name}`"
        for each in program.actions
        if each.procedure in called or each.routine in entered
        for name, kind in zip(each.names, each.params, strict=False)
        if isinstance(kind, Int) and (kind.low, kind.high) == limits
    }
    return found.pop() if len(found) == 1 else ""


def _stored(program: Program, site: int) -> int:
    """The variable that a line sets, where it is one; else -1."""
    found = {
        each.var
        for each in _statements(program, site)
        if isinstance(each, ir.Store) and isinstance(each.value.type, Int)
    }
    return found.pop() if len(found) == 1 else -1


def _terms(expr: ir.Expr, sign: int = 1) -> Iterator[tuple[int, ir.Expr]]:
    """What a sum adds up, and what it takes away."""
    match expr:
        case ir.Op(op="narrow" | "some", args=(inner,)):
            yield from _terms(inner, sign)
        case ir.Op(op="add" | "sub" as op, args=(left, right)):
            yield from _terms(left, sign)
            yield from _terms(right, -sign if op == "sub" else sign)
        case _:
            yield sign, expr


def _source(machine: Machine, met: Met, term: ir.Expr, amount: int) -> str:
    """What a term reads: a field, a value, or a column, with the row that prints it."""
    program = machine.program
    term = _taken(machine, met, term, amount)
    if isinstance(term, ir.Local):
        given = _given(machine, met, term)
        if given and all(isinstance(each, ir.Roll | ir.RollList) for each in given):
            return "rolled"
        name = "" if given else _parameter(program, met, term.index)
        return f"`{name}`" if name else ""
    for each in inside(term):
        match each:
            case ir.Load(var=var) | ir.LoadItem(var=var) if isinstance(each.type, Int):
                return f"`{program.vars[var].name}`"
            case ir.Ask(value=value):
                return f"`{program.values[value].name}`"
            case ir.Lookup(data=data) if isinstance(each.type, Int):
                found = program.data[data]
                row = _row(machine, met, each) if each is term else None
                rows = [n for n, printed in enumerate(found.values) if printed == amount]
                row = rows[0] if row is None and len(rows) == 1 else row
                clause = found.clauses[row] if row is not None and found.clauses else None
                if clause is None:
                    return f"`{found.name}`"
                printed_at = program.clauses[clause]
                place = printed_at.place
                return f"`{found.name}` of {printed_at.name.split()[-1]}, {place.file}:{place.line}"
            case _:
                pass
    return ""


def _taken(machine: Machine, met: Met, term: ir.Expr, amount: int) -> ir.Expr:
    """The part of a term that its number comes from: the branch that is taken, what a `let` of the value stands for."""
    match term:
        case ir.Op(op="narrow" | "some", args=(part,)):
            return _taken(machine, met, part, amount)
        case ir.Op(op="if", args=(condition, then, other)):
            part = then if met.evaluated(machine, condition) else other
            return _taken(machine, met, part, amount)
        case ir.Local(index=index):
            value_of = re.fullmatch(r"v(\d+)", met.function)
            base = machine.program.values[int(value_of[1])].base if value_of else term
            lets = [each.value for each in inside(base) if isinstance(each, ir.LetIn) and each.index == index]
            if len(lets) == 1 and met.evaluated(machine, lets[0]) == amount:
                return _taken(machine, met, lets[0], amount)
            return term
        case _:
            return term


def _row(machine: Machine, met: Met, lookup: ir.Lookup) -> int:
    """The entry of a table that a lookup reads."""
    row = 0
    for (low, size), index in zip(machine.program.data[lookup.data].dims, lookup.indices, strict=True):
        row = row * size + _whole(met.evaluated(machine, index)) - low
    return row


def cited(clause: Clause) -> str:
    """A clause by its citations, or by its name and line where it has none."""
    at = clause.place
    return f"[{', '.join(clause.ids)}]" if clause.ids else f"{clause.name} at {at.file}:{at.line}"


def _told(term: Term) -> str:
    by = f"/{term.divisor}" if term.divisor != 1 else ""
    return f"{term.stage.replace('_', ' ')} {term.operand}{by}"


def _gathered(
    run: Run, state: list[int], value: int, args: Sequence[Plain]
) -> tuple[Plain, tuple[Term, ...], Plain]:
    """Base, terms, and the result as far as it can be told."""
    declared = run.machine.program.values[value]
    base = _evaluated(run, state, ("base", value), declared.base, args)
    stood = standing(run, state, ("value", value), declared.clauses, args)
    terms: list[Term] = []
    result = base
    for stage in stages_of(declared):
        wanted = {"at_least", "at_most"} if stage == "bounds" else {stage}
        for n in stood:
            if declared.clauses[n].stage in wanted:
                term = _term(run, state, value, n, args, before=result)
                terms.append(term)
                result = term.result
        if stage == "times":
            result = _times(declared, terms, result)
    return base, tuple(terms), result


def _term(run: Run, state: list[int], value: int, n: int, args: Sequence[Plain], *, before: Plain) -> Term:
    clause = run.machine.program.values[value].clauses[n]
    operand = _evaluated(run, state, ("operand", value, n), clause.operand, args)
    divisor = 1
    if clause.divisor is not None:
        divisor = _whole(_evaluated(run, state, ("divisor", value, n), clause.divisor, args))
    return Term(clause.clause, clause.stage, operand, divisor, _after(clause, before, operand))


def _after(clause: ValueClause, before: Plain, operand: Plain) -> Plain:
    """The result after one clause; that of `times` is known only when all of them are. What is none stays none."""
    if before == NONE and clause.stage != "becomes":
        return before
    match clause.stage:
        case "becomes":
            return operand
        case "plus":
            return _whole(before) + _whole(operand)
        case "at_least":
            return max(_whole(before), _whole(operand))
        case "at_most":
            return min(_whole(before), _whole(operand))
        case _:
            return before


def _times(declared: Value, terms: list[Term], before: Plain) -> Plain:
    """The value after all `times`, as one fraction rounded once."""
    times = divisor = 1
    for term in terms:
        if term.stage == "times":
            times *= _whole(term.operand)
            divisor *= term.divisor
    if times == divisor == 1 or before == NONE:
        return before
    return scaled(_whole(before), times, divisor, declared.rounding)


def _reason(
    run: Run,
    state: list[int],
    action: int,
    n: int,
    args: Sequence[Plain],
    *,
    language: str,
    sight: Sight | None,
) -> str:
    """The words of a prohibition, with `?` for what the reader may not see."""
    machine = run.machine
    clause: Prohibition = machine.program.actions[action].prohibitions[n]
    if clause.reason is None:
        return ""
    kinds = [each.type for each in clause.reason_args]
    key = ("reason", action, n)
    function = machine.function(key, clause.reason_args, tuple(range(len(args))))
    given = dict(enumerate(args))
    hidden = [sight is not None and not sight.sees(each, given) for each in clause.reason_args]
    try:
        found: tuple[Plain, ...] = function(state, run, 0, *args)
        values = [None if covered else value for covered, value in zip(hidden, found, strict=True)]
    except RuleFailure as failure:
        machine.unsaid[failure.code] += 1
        values = None
    holes = [source_form(machine.program, each) for each in clause.reason_args]
    called = calling(machine, state, () if sight is None or sight.player is None else (sight.player,))
    return filled(machine.program, clause.reason, kinds, values, language, holes, called)


def _read(run: Run, state: list[int], key: tuple[object, ...], expr: ir.Expr, args: Sequence[Plain]) -> Plain:
    """The value of a condition, 0 where it cannot be read."""
    try:
        return _evaluated(run, state, key, expr, args)
    except RuleFailure:
        return 0


def _evaluated(
    run: Run, state: list[int], key: tuple[object, ...], expr: ir.Expr, args: Sequence[Plain]
) -> Plain:
    function = run.machine.function(key, (expr,), tuple(range(len(args))))
    found: tuple[Plain, ...] = function(state, run, 0, *args)
    return found[0]


def _whole(value: Plain) -> int:
    assert isinstance(value, int)
    return value
