"""What is told of a state that an action comes to: the values of expressions, or what has changed there, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dsl.engine import layout
from dsl.engine.changes import changes
from dsl.engine.display import member_name, shown
from dsl.engine.failure import RuleFailure
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.engine.outcome import outcome_of
from dsl.engine.runtime import Run
from dsl.ir import nodes as ir
from dsl.ir.program import Var
from dsl.ir.types import NONE, Id
from dsl.ir.walk import locals_in

ARROW = "→"


@dataclass(frozen=True, slots=True)
class Changed:
    """What has changed: fields with words for players, all others (each with its name), and how the game ended."""

    told: tuple[str, ...]
    others: tuple[tuple[str, str], ...]
    ended: str


@dataclass(frozen=True, slots=True)
class Values:
    """What some expressions come to; a text where one cannot be computed."""

    values: tuple[Plain | str, ...]


class Reader:
    """Reads states, with a machine, in a language; with expressions these, else what is other than `before`."""

    def __init__(
        self,
        machine: Machine,
        before: Sequence[int],
        exprs: Sequence[ir.Expr] = (),
        names: Mapping[int, Plain] | None = None,
        language: str = "",
    ) -> None:
        self.machine, self.before, self.exprs = machine, list(before), tuple(exprs)
        self.names = names or {}
        self.language = language

    def __call__(self, state: list[int], run: Run) -> Values | Changed:
        """The row of a state."""
        if self.exprs:
            return Values(tuple(self._value(each, state, run) for each in self.exprs))
        return self.changed(state)

    def changed(self, state: list[int]) -> Changed:
        """What is other there than before."""
        told = tuple(changes(self.machine, self.before, state, None, self.language))
        return Changed(told, tuple(self._others(state)), self._ended(state))

    def _value(self, expr: ir.Expr, state: list[int], run: Run) -> Plain | str:
        given = {index: self.names[index] for index in sorted(locals_in(expr) & self.names.keys())}
        function = self.machine.function(("expr", expr, tuple(given)), (expr,), tuple(given))
        try:
            (found,) = function(state, run, 0, *given.values())
        except RuleFailure as failure:
            return f"{failure.code}: {failure.message}"
        if isinstance(found, tuple):
            return tuple(map(int, found))
        return int(found)

    def _ended(self, state: list[int]) -> str:
        from dsl.cli.words import word

        outcome = outcome_of(self.machine.program, state, self.language)
        if outcome is None or outcome_of(self.machine.program, self.before) is not None:
            return ""
        spoken = self.language or self.machine.program.language
        names = ", ".join(outcome.winners)
        how = word("wins", spoken, names=names) if names else word("nobody wins", spoken)
        return f"{how} ({outcome.label})" if outcome.label else how

    def _others(self, state: list[int]) -> Iterator[tuple[str, str]]:
        """Fields without words, what is in play, and where cards lie: the name of each, and what became of it."""
        program = self.machine.program
        for var in program.vars:
            if var.role not in {"field", "pile", "in_play"} or (
                var.role == "field" and var.label is not None
            ):
                continue
            for member in range(1 if var.of is None else layout.members(program, var.of)):
                at = var.offset + member * var.width
                if self.before[at : at + var.width] != state[at : at + var.width]:
                    yield var.name, self._other(var, member, at, state)

    def _other(self, var: Var, member: int, at: int, state: list[int]) -> str:
        program = self.machine.program
        owner = "" if var.of is None else member_name(program, var.of, member, self.language)
        was, now = (layout.read(program, each, at, var.type) for each in (self.before, state))
        if var.role == "field":
            name = var.name.replace("_", " ") + (f" ({owner})" if owner else "")
        else:
            name = owner or var.name.replace("_", " ")
        old, new = (self._shown(var, each) for each in (was, now))
        return f"{name} {old} {ARROW} {new}"

    def _shown(self, var: Var, value: Plain) -> str:
        if isinstance(var.type, Id) and value == NONE:
            return "–"
        return shown(self.machine.program, var.type, value, self.language)
