"""Where hidden values go: which locals hold something read from what not everybody sees (`drawn`), and which
end in it (`kept`).

A die that is kept in a hidden field must not be told to all, nor what was picked from hidden cards. Values
are followed through locals, arguments, results and questions; what is only decided by them (`if`) is not:
open dice may well decide what happens in secret.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dsl.ir import nodes as ir
from dsl.ir.copies import Place, Scope, copies
from dsl.ir.program import Program, Value
from dsl.ir.walk import inside, within

Node = tuple[str, int, int]
"""A local of a scope, or its result; `value`: what a value of the rules gives."""

RESULT = -1
RETURNED: Node = ("routine", -1, RESULT)
"""What any routine returns."""
HIDDEN: Node = ("hidden", 0, 0)
"""All that not everybody sees."""
TRIED: Node = ("tried", 0, 0)
"""What follows from a trial or from the position: these may read anything."""


class Secrecy:
    """The flow of hidden values through a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._vars = {
            n for n, var in enumerate(program.vars) if var.audience is not None or var.role == "order"
        }
        self._to: dict[Node, set[Node]] = defaultdict(set)
        self._from: dict[Node, set[Node]] = defaultdict(set)
        if self._vars:
            self._edge(HIDDEN, TRIED)
            for index, value in enumerate(program.values):
                self._flow(("", 0), ("value", index, RESULT), *_read(value))
            for index, procedure in enumerate(program.procedures):
                self._body(("procedure", index), procedure.body)
            for index, routine in enumerate(program.routines):
                for block in routine.blocks:
                    self._body(("routine", index), block.body)
                    self._end(("routine", index), block.end)
        self._drawn, self._kept = _closed(self._to), _closed(self._from)
        self._stored = self._copied()

    def kept(self, scope: Scope, local: int) -> bool:
        """Does what a local holds end in something hidden?"""
        return (*scope, local) in self._kept

    def stored(self, scope: Scope, local: int) -> bool:
        """Is what a local holds, or what is reckoned from it, written into a field that not everybody sees?"""
        return (*scope, local) in self._stored

    def is_drawn(self, scope: Scope, local: int) -> bool:
        """Does a local hold something that was read from what not everybody sees?"""
        return (*scope, local) in self._drawn

    def drawn(self, scope: Scope, exprs: Iterable[ir.Expr]) -> bool:
        """Do expressions read something hidden through locals or values? (Open reading says who sees it.)"""
        parts = (part for each in exprs for part in inside(each))
        return any(
            node in self._drawn for part in parts for node in self._node(scope, part) if node != HIDDEN
        )

    # ------------------------------------------------------------ finding the flow

    def _node(self, scope: Scope, part: ir.Expr) -> Iterator[Node]:
        match part:
            case ir.Local():
                yield (*scope, part.index)
            case ir.Load() | ir.LoadItem() if part.var in self._vars:
                yield HIDDEN
            case ir.Ask():
                yield ("value", part.value, RESULT)
            case ir.Trial() | ir.Occurrences():
                yield TRIED
            case _:
                pass

    def _flow(self, scope: Scope, target: Node, *exprs: ir.Expr | None) -> None:
        for part in (part for each in exprs if each is not None for part in inside(each)):
            for source in self._node(scope, part):
                self._edge(source, target)

    def _edge(self, source: Node, target: Node) -> None:
        self._to[source].add(target)
        self._from[target].add(source)

    def _copied(self) -> set[Node]:
        """The locals that are copied into what not everybody sees."""
        into: dict[Place, set[tuple[Scope, int]]] = defaultdict(set)
        for each in copies(self.program.procedures, self.program.routines) if self._vars else ():
            into[each.target] |= each.sources()
        found, waiting = set[Node](), list[Place](self._vars)
        while waiting:
            for scope, local in into[waiting.pop()]:
                if (*scope, local) not in found:
                    found.add((*scope, local))
                    waiting.append((scope, local))
        return found

    def _body(self, scope: Scope, body: tuple[ir.Stmt, ...]) -> None:
        for st in within(body):
            self._statement(scope, st)

    def _statement(self, scope: Scope, st: ir.Stmt) -> None:
        match st:
            case ir.SetLocal():
                self._flow(scope, (*scope, st.index), st.value)
            case ir.Store() if st.var in self._vars:
                self._flow(scope, HIDDEN, st.owner, st.item, st.value)
            case ir.Change() if st.var in self._vars:
                self._flow(scope, HIDDEN, st.owner, st.item, st.amount)
            case ir.MoveCard() if {
                self.program.pools[st.pool].pile,
                self.program.pools[st.pool].order,
            } & self._vars:
                self._flow(scope, HIDDEN, st.card, st.pile)
            case ir.Roll() | ir.RollList():
                self._flow(scope, (*scope, st.index), st.count)
            case ir.Pick():
                self._flow(scope, (*scope, st.index), st.domain, st.weights)
            case ir.ForEach():
                self._flow(scope, (*scope, st.index), st.domain)
            case ir.Call():
                self._call(scope, ("procedure", st.procedure), st.args)
                if st.result is not None:
                    self._edge(("procedure", st.procedure, RESULT), (*scope, st.result))
            case ir.TakeResult():
                self._edge(RETURNED, (*scope, st.index))
            case ir.Give():
                self._flow(scope, (*scope, RESULT), st.value)
            case _:
                pass

    def _call(self, scope: Scope, callee: Scope, args: tuple[ir.Expr, ...]) -> None:
        for n, each in enumerate(args):
            self._flow(scope, (*callee, n), each)

    def _end(self, scope: Scope, end: ir.Terminator) -> None:
        match end:
            case ir.Enter():
                self._call(scope, ("routine", end.routine), end.args)
            case ir.Return():
                self._flow(scope, RETURNED, end.value)
            case ir.Decide():
                for var in (var for offer in end.offers for var in offer.variables):
                    self._flow(scope, (*scope, var.index), var.domain)
            case _:
                pass


def _read(value: Value) -> Iterator[ir.Expr | None]:
    yield value.base
    for clause in value.clauses:
        yield from (clause.condition, clause.operand, clause.divisor)


def _closed(edges: dict[Node, set[Node]]) -> set[Node]:
    """All that is reached from what is hidden."""
    found, waiting = set[Node](), [HIDDEN]
    while waiting:
        for node in edges.get(waiting.pop(), set()) - found:
            found.add(node)
            if node != HIDDEN:
                waiting.append(node)
    return found
