"""What a choice is called in the rules, so that another version of a game finds it again."""

from __future__ import annotations

from dsl.engine.decision import Decision, Option
from dsl.engine.kinds import kind_of
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, SetOf, Type
from dsl.testing.failure_text import written


def same_option(mine: Option, other: Decision) -> Option | None:
    """The option of another program's decision that means the same; of several the one that is called the same."""
    name = written(mine)
    found = [each for each in other.options if each.kind == mine.kind and written(each) == name]
    if len(found) > 1:
        found = [each for each in found if each.label() == mine.label()] or found
    return found[0] if found else None


def subjects(option: Option) -> frozenset[str]:
    """The names of all that a choice is about: its action, its arguments, and the kinds of its pieces."""
    program = option.decision.machine.program
    found = {option.action} if option.action is not None else set()
    for expr, value in zip(option.declared.args, option.args, strict=False):
        found |= set(_names(program, option.decision.state, expr.type, value))
    return frozenset(found)


def _names(program: Program, state: list[int], kind: Type, value: Plain) -> list[str]:
    if isinstance(kind, SetOf) and isinstance(kind.of, Id) and isinstance(value, int):
        members = program.domains[kind.of.domain].members
        return [name for member, name in enumerate(members) if value >> member & 1]
    if not isinstance(kind, Id) or not isinstance(value, int) or value == NONE:
        return []
    found = [program.domains[kind.domain].members[value]]
    for pool in program.pools:
        row = kind_of(program, state, pool, value) if pool.domain == kind.domain else None
        if row is not None:
            found.append(program.domains[row[0]].members[row[1]])
    return found


def carried_over(mine: Option, other: Machine) -> tuple[int, tuple[Plain, ...]] | None:
    """The action and arguments of a choice as another program numbers them; none where it lacks one of them."""
    program = mine.decision.machine.program
    number = next((n for n, each in enumerate(other.program.actions) if each.name == mine.action), None)
    if number is None:
        return None
    params = other.program.actions[number].params
    if len(params) != len(mine.args):
        return None
    args: list[Plain] = []
    for expr, param, value in zip(mine.declared.args, params, mine.args, strict=True):
        found = _member(program, expr.type, value, other.program, param)
        if found is None:
            return None
        args.append(found)
    return number, tuple(args)


def _member(program: Program, kind: Type, value: Plain, other: Program, param: Type) -> Plain | None:
    """A value by its name in another program; numbers are what they are."""
    if not isinstance(kind, Id):
        return value if type(kind) is type(param) else None
    if not isinstance(param, Id) or not isinstance(value, int):
        return None
    if value == NONE:
        return NONE if param.optional else None
    members = other.domains[param.domain].members
    name = program.domains[kind.domain].members[value]
    return members.index(name) if name in members else None
