"""Where hidden values go: which locals hold something read from what not everybody sees (`drawn`), and which
end in it (`kept`).

A die that is kept in a hidden field must not be told to all, nor what was picked from hidden cards. Values are followed
through locals, arguments, results and questions. What is only decided by them (`if`) is not, as open dice may well
decide what happens in secret, unless a number or name is itself compared and a hidden field written there. Which cards
lie in a pile that everybody sees is not hidden, although it is read from where cards lie, of which most may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import assert_never

from dsl.ir import nodes as ir
from dsl.ir.conditions import conjuncts
from dsl.ir.copies import Place, Scope, copies, locals_told
from dsl.ir.program import Program, Value
from dsl.ir.types import NONE, Id
from dsl.ir.walk import bodies, inside, parts, within

Node = tuple[str, int, int]
"""A local of a scope, or its result; `value`: what a value of the rules gives."""

ANY = -1
"""Stands for a pile that is not known: none has this number."""
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
        open_orders = {
            pool.order
            for pool in program.pools
            if pool.pile is not None and program.vars[pool.pile].audience is None
        }
        self._vars = {
            n
            for n, var in enumerate(program.vars)
            if var.audience is not None or (var.role == "order" and n not in open_orders)
        }
        self._orders = {pool.order for pool in program.pools if pool.order is not None}
        self._open_piles = {
            pool.pile: _open_piles(program, pool.pile) for pool in program.pools if pool.pile in self._vars
        }
        """For each variable that says in which pile a card lies those piles whose cards everybody sees."""
        self._set = _set_once(program)
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
            for scope, body in _codes(program):
                for _, local in self._deciding(scope, body, ()):
                    self._edge((*scope, local), HIDDEN)
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
        for part in (part for each in exprs if each is not None for part in self._read_in(each)):
            for source in self._node(scope, part):
                self._edge(source, target)

    def _read_in(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        """An expression and all in it, but for two questions: whether a card lies in a pile that everybody sees, and
        which of the cards of a pile comes first.
        """
        yield expr
        inner = parts(expr)
        if isinstance(expr, ir.Op) and expr.op == "eq":
            read = next(
                (each for each in inner if isinstance(each, ir.Load) and each.var in self._open_piles), None
            )
            if read is not None and read.owner is not None:
                other = inner[0] if inner[1] is read else inner[1]
                if self._piles(other) <= self._open_piles[read.var]:
                    inner = (read.owner, other)
        if isinstance(expr, ir.Fold) and isinstance(expr.body, ir.Load) and expr.body.var in self._orders:
            inner = tuple(each for each in inner if each is not expr.body)
        for each in inner:
            yield from self._read_in(each)

    def _lay_open(self, scope: Scope, card: ir.Expr) -> bool:
        """Is a card taken from a pile whose cards everybody sees? Then all know which it is, wherever it goes."""
        match card:
            case (
                ir.Op(op="some" | "id", args=(inner,))
                | ir.Op(op="item", args=(inner, _))
                | ir.LetIn(body=inner)
            ):
                return self._lay_open(scope, inner)
            case ir.Local(index=index):
                found = self._set.get((*scope, index))
                return found is not None and self._lay_open(scope, found)
            case ir.Fold(kind="first" | "least" | "most" | "all" | "ordered", domain=domain):
                return self._lay_open(scope, domain) or any(
                    isinstance(test, ir.Op) and test.op == "eq" and self._is_open(test, card.index)
                    for test in conjuncts(card.where)
                )
            case _:
                return False

    def _is_open(self, test: ir.Op, card: int) -> bool:
        """Is it asked whether a card lies in a pile that everybody sees?"""
        for load, pile in (test.args, test.args[::-1]):
            if isinstance(load, ir.Load) and load.var in self._open_piles:
                its = isinstance(load.owner, ir.Local) and load.owner.index == card
                return its and self._piles(pile) <= self._open_piles[load.var]
        return False

    def _piles(self, expr: ir.Expr) -> set[int]:
        """The piles that an expression may stand for; any where that is not plain."""
        members = self.program.domains
        match expr:
            case ir.Const(value=int() as pile):
                return {pile}
            case ir.Op(op="cast", args=(whose, ir.Const(value=int() as first))) if isinstance(whose.type, Id):
                return {first + number for number in range(len(members[whose.type.domain].members))}
            case _:
                return {ANY}

    def _edge(self, source: Node, target: Node) -> None:
        self._to[source].add(target)
        self._from[target].add(source)

    def _copied(self) -> set[Node]:
        """The locals that are copied into what not everybody sees."""
        into: dict[Place, set[tuple[Scope, int]]] = defaultdict(set)
        for each in copies(self.program.procedures, self.program.routines) if self._vars else ():
            into[each.target] |= each.sources()
        for scope, body in _codes(self.program) if self._vars else ():
            for var, local in self._deciding(scope, body, ()):
                into[var].add((scope, local))
        found, waiting = set[Node](), list[Place](self._vars)
        while waiting:
            for scope, local in into[waiting.pop()]:
                if (*scope, local) not in found:
                    found.add((*scope, local))
                    waiting.append((scope, local))
        return found

    def _deciding(
        self, scope: Scope, body: tuple[ir.Stmt, ...], conditions: tuple[ir.Expr, ...]
    ) -> Iterator[tuple[int, int]]:
        """The hidden variables that code writes, each with a local that decides which item of it is written, whether it
        is, or of which member, where what is written is always the same. Who acts is no secret, nor, of a condition,
        which piece does.
        """
        for st in body:
            if isinstance(st, ir.Store | ir.Change) and st.var in self._vars:
                told = [*([] if st.item is None else locals_told(st.item))]
                told += [
                    each for test in conditions for each in locals_told(test) if not self._is_piece(each)
                ]
                if isinstance(st, ir.Store) and isinstance(st.value, ir.Const) and st.owner is not None:
                    told += locals_told(st.owner)
                yield from ((st.var, each.index) for each in told if not self._is_player(each))
            further = (*conditions, st.condition) if isinstance(st, ir.If) else conditions
            for inner in bodies(st):
                yield from self._deciding(scope, inner, further)

    def _is_player(self, local: ir.Local) -> bool:
        return isinstance(local.type, Id) and local.type.domain == self.program.players

    def _is_piece(self, local: ir.Local) -> bool:
        return isinstance(local.type, Id) and any(
            pool.domain == local.type.domain for pool in self.program.pools
        )

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
                self._flow(scope, HIDDEN, None if self._lay_open(scope, st.card) else st.card, st.pile)
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
            case ir.Store() | ir.Change() | ir.MoveCard() | ir.ShufflePile():
                pass  # nothing hidden is written
            case ir.If() | ir.Loop() | ir.Guarded() | ir.Batch() | ir.Leave() | ir.Fail():
                pass  # what stands within comes by itself
            case ir.Log() | ir.Refused() | ir.Mark() | ir.TestEndings() | ir.Remember():
                pass
            case _:
                assert_never(st)

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


def _open_piles(program: Program, pile: int) -> set[int]:
    """The piles whose cards everybody sees, as far as that follows from the pile alone."""
    var = program.vars[pile]
    assert isinstance(var.type, Id)
    count = len(program.domains[var.type.domain].members)
    return {each for each in range(count) if var.audience is None or _judged(var.audience, pile, each) == 1}


def _judged(e: ir.Expr, pile: int, value: int) -> int | None:
    """What an expression comes to of a card that lies in a pile; none where more is asked than that."""
    match e:
        case ir.Const(value=int() as found):
            return found
        case ir.Load(var=var) if var == pile:
            return value
        case ir.Op(op="id" | "some", args=(inner,)):
            return _judged(inner, pile, value)
        case ir.Op(op="is_none" | "not" as op, args=(inner,)):
            known = _judged(inner, pile, value)
            return None if known is None else int(known == NONE if op == "is_none" else not known)
        case ir.Op(op="and" | "or" as op, args=args):
            joined = [_judged(each, pile, value) for each in args]
            deciding = int(op == "or")
            if deciding in joined:
                return deciding
            return None if None in joined else 1 - deciding
        case ir.Op(op="eq" | "ge" | "lt" as op, args=(left, right)):
            first, second = _judged(left, pile, value), _judged(right, pile, value)
            if first is None or second is None:
                return None
            return int({"eq": first == second, "ge": first >= second, "lt": first < second}[op])
        case _:
            return None


def _read(value: Value) -> Iterator[ir.Expr | None]:
    yield value.base
    for clause in value.clauses:
        yield from (clause.condition, clause.operand, clause.divisor)


def _codes(program: Program) -> Iterator[tuple[Scope, tuple[ir.Stmt, ...]]]:
    for n, procedure in enumerate(program.procedures):
        yield ("procedure", n), procedure.body
    for n, routine in enumerate(program.routines):
        for block in routine.blocks:
            yield ("routine", n), block.body


def _set_once(program: Program) -> dict[Node, ir.Expr]:
    """The values of the locals that are set in one place, and what those are picked from that chance sets."""
    found = dict[Node, ir.Expr | None]()
    for scope, body in _codes(program):
        for st in within(body):
            if isinstance(st, ir.SetLocal | ir.Pick):
                node = (*scope, st.index)
                value = st.value if isinstance(st, ir.SetLocal) else st.domain
                found[node] = None if node in found else value
    return {node: value for node, value in found.items() if value is not None}


def _closed(edges: dict[Node, set[Node]]) -> set[Node]:
    """All that is reached from what is hidden."""
    found, waiting = set[Node](), [HIDDEN]
    while waiting:
        for node in edges.get(waiting.pop(), set()) - found:
            found.add(node)
            if node != HIDDEN:
                waiting.append(node)
    return found
