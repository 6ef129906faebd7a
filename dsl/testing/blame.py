"""Which lines of mods had a part in a test of the game that fails with them.

What took effect in the test is known from its run. What its failing line asks, and what the actions that were done in
it read, is followed through values, judgements and calls: their clauses, the printed cells, and their names, by
which what a mod replaced or removed is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.engine.failure import RuleFailure, StartError
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Clause, Data, Program, Test, TestStep, tabulated
from dsl.ir.types import Id
from dsl.ir.walk import inside
from dsl.testing.runner import Playing

_WORD = re.compile(r"\w+")


def mods_at_work(machine: Machine, test: Test) -> list[Clause]:
    """The clauses of mods that took effect up to where a test fails, or that bear on what its failing line asks; none
    for a test of a mod itself.
    """
    program = machine.program
    reached = _reached(machine, test)
    if reached is None:
        return []
    mods = {each.name for each in program.mods}
    ours: dict[tuple[str, int], Clause] = {}
    for each in (program.clauses[number] for number in sorted(reached.clauses)):
        if each.place.file.partition("/")[0] in mods:
            ours.setdefault((each.place.file, each.place.line), each)
    return list(ours.values())


def names_met(machine: Machine, test: Test) -> set[str]:
    """The names of what a test of the game comes to up to where it fails: of rows, columns, fields, values and actions;
    none for a test of a mod itself.
    """
    reached = _reached(machine, test)
    return set() if reached is None else reached.names


# ------------------------------------------------------------ what a test comes to


@dataclass(slots=True)
class _Reached:
    """What a test comes to: clauses by their numbers, and names of rows, columns, fields, values and actions."""

    program: Program
    clauses: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    seen: set[tuple[str, int]] = field(default_factory=set)
    waiting: list[ir.Expr] = field(default_factory=list)

    def step(self, step: TestStep) -> None:
        """A line of the test: its words, and what it asks."""
        self.names |= set(_WORD.findall(step.text))
        self.waiting += step.args
        if step.action is not None:
            self.judged(step.action)

    def action(self, number: int) -> None:
        """An action that was done: what it reads and calls."""
        action = self.program.actions[number]
        if not self.first("action", number):
            return
        self.names.add(action.name)
        if action.procedure is not None:
            self.procedure(action.procedure)
        if action.routine is not None and self.first("routine", action.routine):
            for block in self.program.routines[action.routine].blocks:
                self.code((*block.body, block.end))

    def procedure(self, number: int) -> None:
        if self.first("procedure", number):
            self.code(self.program.procedures[number].body)

    def code(self, code: tuple[object, ...]) -> None:
        for each in _nodes(code):
            if isinstance(each, ir.Call):
                self.procedure(each.procedure)
            elif isinstance(each, ir.Expr):
                self.waiting.append(each)

    def judged(self, number: int) -> None:
        """An action of which is asked whether it may be done."""
        action = self.program.actions[number]
        self.names.add(action.name)
        for each in action.prohibitions:
            self.clauses.add(each.clause)
            self.waiting.append(each.condition)

    def through(self) -> None:
        """Follows what waits to its end."""
        while self.waiting:
            for expr in inside(self.waiting.pop()):
                match expr:
                    case ir.Ask(value=value):
                        self.value(value)
                    case ir.Judge(action=action):
                        self.judged(action)
                    case ir.Load(var=var) | ir.LoadItem(var=var):
                        self.names.add(self.program.vars[var].name)
                    case ir.Lookup(data=data, indices=indices):
                        self.cells(self.program.data[data], indices)
                    case _:
                        pass

    def value(self, number: int) -> None:
        value = self.program.values[number]
        if self.first("value", number):
            self.names.add(value.name)
            self.clauses |= {each.clause for each in value.clauses}
            self.clauses |= set() if value.clause is None else {value.clause}
            self.waiting += [value.base, *(each.condition for each in value.clauses)]

    def cells(self, data: Data, indices: tuple[ir.Expr, ...]) -> None:
        """Printed cells: the one that is read where the line names it, else all that could be."""
        value = tabulated(self.program, data)
        if value is not None:
            self.value(value)
        self.names |= set(_WORD.findall(data.name))
        match indices:
            case (ir.Const(type=Id(domain=domain), value=int(row)),) if data.clauses:
                self.clauses |= {each for each in data.clauses[row : row + 1] if each is not None}
                self.names.add(self.program.domains[domain].members[row])
            case _:
                self.clauses |= {each for each in data.clauses if each is not None}

    def first(self, kind: str, number: int) -> bool:
        """Is this met for the first time?"""
        new = (kind, number) not in self.seen
        self.seen.add((kind, number))
        return new


def _reached(machine: Machine, test: Test) -> _Reached | None:
    """What a test of the game comes to up to where it fails; none where no mod is there, or it is a mod's own test."""
    program = machine.program
    mods = {each.name for each in program.mods}
    if not mods or test.place.file.partition("/")[0] in mods:
        return None
    try:
        playing = Playing(machine, test, covering=True)
    except (RuleFailure, StartError):
        return None
    playing.through()
    hits = set(playing.game.hits)
    found = _Reached(program, set(hits))
    for number, action in enumerate(program.actions):
        if action.clause in hits:
            found.action(number)
    if playing.step is not None:
        found.step(playing.step)
    found.through()
    return found


def _nodes(node: object) -> Iterator[object]:
    """The statements, ends of blocks and outermost expressions of some code."""
    if isinstance(node, tuple):
        for each in node:
            yield from _nodes(each)
        return
    yield node
    if not isinstance(node, ir.Expr):
        for name in getattr(node, "__dataclass_fields__", ()):
            yield from _nodes(getattr(node, name))
