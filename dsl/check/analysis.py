"""What only the whole program tells: what conditions read, which options are public, how deep the stack may grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import assert_never

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.walk import calls
from dsl.lower.rewrite import map_statements, walk_ir
from dsl.records import record

READING = frozenset({ir.Load, ir.LoadItem, ir.Ask, ir.Judge, ir.Trial, ir.Occurrences})
"""What may read a variable itself."""


def words(type_: Type, sizes: list[int]) -> int:
    """How many slots a value of a type fills; `sizes` are those of the domains."""
    match type_:
        case Int() | Id():
            return 1
        case SetOf(of=of):
            size = sizes[of.domain] if isinstance(of, Id) else of.high - of.low + 1
            return max(1, -(-size // 32))
        case BagOf(domain=domain):
            return max(1, sizes[domain])
        case ListOf(of=of, limit=limit):
            return 1 + limit * words(of, sizes)
        case Record(types=types):
            return sum(words(each, sizes) for each in types)
        case _:
            assert_never(type_)


@record(slots=True)
class Reads:
    """The variables that pieces of a program read, through all values and judgements."""

    values: list[pr.Value]
    actions: list[pr.Action]
    procedures: Sequence[pr.Procedure | None]
    position: frozenset[int]
    """The variables that are part of a position."""
    rest: Callable[[object], object] | None = None
    """What is left to look at of a node, where not all that stands in it counts."""
    known_values: dict[int, frozenset[int]] = field(default_factory=dict)
    known_actions: dict[int, frozenset[int]] = field(default_factory=dict)
    known_procedures: dict[int, frozenset[int]] = field(default_factory=dict)

    def of(self, node: object) -> frozenset[int]:
        found: set[int] = set()
        for each in walk_ir(node, self.rest):
            if type(each) not in READING:
                continue
            match each:
                case ir.Load(var=var) | ir.LoadItem(var=var):
                    found.add(var)
                case ir.Ask(value=value):
                    found |= self.value(value)
                case ir.Judge(action=action):
                    found |= self.action(action)
                case ir.Trial(procedure=procedure):
                    found |= self.procedure(procedure)
                case ir.Occurrences():
                    found |= self.position
                case _:
                    pass
        return frozenset(found)

    def value(self, number: int) -> frozenset[int]:
        if number not in self.known_values:
            self.known_values[number] = frozenset()
            value = self.values[number]
            self.known_values[number] = self.of((value.base, value.clauses))
        return self.known_values[number]

    def action(self, number: int) -> frozenset[int]:
        if number not in self.known_actions:
            self.known_actions[number] = frozenset()
            self.known_actions[number] = self.of(self.actions[number].prohibitions)
        return self.known_actions[number]

    def procedure(self, number: int) -> frozenset[int]:
        """What a procedure reads, with those that it calls."""
        if number not in self.known_procedures:
            self.known_procedures[number] = frozenset()
            procedure = self.procedures[number]
            body = () if procedure is None else procedure.body
            called = [self.procedure(each) for each in sorted(calls(body))]
            self.known_procedures[number] = self.of(body).union(*called)
        return self.known_procedures[number]


Private = dict[int, tuple[ir.Expr, int] | None]
"""Blocks whose options do not follow from what all see: with what all see without which there is only a pass to
choose, and the block of that pass.
"""


def publish(routine: pr.Routine, reads: Reads, secret: frozenset[int], private: Private) -> pr.Routine:
    """Marks each decision whose options follow from what all players see. Before one of which they see that only a
    pass is left, the way leads on without it.
    """
    blocks, behind = [], list[ir.Block]()
    for number, block in enumerate(routine.blocks):
        end = block.end
        if isinstance(end, ir.Decide):
            asked = (end.player, tuple((offer.variables, offer.guard) for offer in end.offers))
            end = replace(end, public=not reads.of(asked) & secret and number not in private)
            if (opening := private.get(number)) is not None:
                behind.append(ir.Block((), end))
                end = ir.Branch(opening[0], len(routine.blocks) + len(behind) - 1, opening[1])
        blocks.append(ir.Block(block.body, end))
    return replace(routine, blocks=(*blocks, *behind))


def test_at_once(statements: tuple[ir.Stmt, ...], watched: frozenset[int]) -> tuple[ir.Stmt, ...]:
    """Behind each write that an `at once` ending reads, the endings are tested."""

    def change(statement: ir.Stmt) -> tuple[ir.Stmt, ...]:
        writes = isinstance(statement, ir.Store | ir.Change) and statement.var in watched
        writes = writes or isinstance(statement, ir.Batch)
        return (statement, ir.TestEndings(True)) if writes else (statement,)

    return map_statements(statements, change)


def lay_out(routine: pr.Routine, sizes: list[int]) -> pr.Routine:
    """Gives each local its place in the frame."""
    offsets, at = [], 0
    for type_ in routine.locals:
        offsets.append(at)
        at += words(type_, sizes)
    return replace(routine, offsets=tuple(offsets), width=pr.FRAME_HEAD + at)
