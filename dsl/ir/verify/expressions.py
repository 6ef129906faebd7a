"""Expressions: that each node's type agrees with its children, and what it costs.

A node's type is a promise: every value that it can yield is one of that type. It is kept by each node
alone, so that an expression which occurs often is checked once for each function that holds it. With the
types go the *cost* (how many nodes one evaluation can visit between two counts of steps: a fold visits its
body for each element that its domain shows that it can have, a large one counts steps for each of them), the
*work* (how many it can visit in all, counted or not), the *depth* (how many are open at once, through values
and judgements) and the locals that must be set before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Excess, Kinds, TooMuch
from dsl.ir.operators import brief, interval, maybe, op_type
from dsl.ir.program import Program
from dsl.ir.shapes import EXPRESSIONS
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.weight import Weights


class Info(NamedTuple):
    """What a checked expression needs: uncounted nodes, depth of calls, locals (a bit for each), and all nodes."""

    cost: int
    depth: int
    needs: int
    work: int


NOTHING, ALONE = Info(0, 0, 0, 0), Info(1, 1, 0, 1)
"""What no expression needs, and one without others in it and without locals."""


class Known:
    """What the verifier has found out about a program so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = Kinds(program)
        self.values: dict[int, Info] = {}
        self.judged: dict[int, Info] = {}
        self.procedures: dict[int, int] = {}
        """How deep each procedure goes."""
        self.weights = Weights(program)
        self.work = 0
        """All nodes that the heaviest evaluation found so far can visit."""
        self.chancy: frozenset[int] = frozenset()
        """The procedures that may leave something to chance."""
        self.piles = {var for pool in program.pools for var in (pool.pile, pool.order) if var is not None}
        """The variables that say where cards lie."""


class Scope:
    """A function as its expressions see it. Without a table of locals, what binds one says what it holds. `zeroed`: a
    local that nothing has bound is 0 where its type has that, as procedures and routines begin.
    """

    def __init__(
        self,
        known: Known,
        locals_: Sequence[Type] | None,
        given: tuple[Type, ...] = (),
        *,
        zeroed: bool = False,
    ) -> None:
        self.known = known
        self.kinds = known.kinds
        self.program = known.program
        self.open = locals_ is None
        self.zeroed = zeroed
        self.locals = dict(enumerate(given if locals_ is None else locals_))
        self._checked: dict[int, Info] = {}
        self._kept: list[ir.Expr] = []
        if len(self.locals) > limits.MAX_LOCALS:
            raise TooMuch(f"it has more than {limits.MAX_LOCALS} locals", Excess.LOCALS)
        for kind in self.locals.values():
            self.kinds.good(kind)

    def check(self, e: ir.Expr) -> Info:
        """What an expression needs; `Bad` if it is not well made."""
        info = self._checked.get(id(e))
        if info is None:
            known = self.known
            self.kinds.good(e.type)
            info = _CHECKS[type(e)](self, e)
            if info.cost > limits.MAX_COST:
                raise TooMuch(
                    f"an expression could visit more than {limits.MAX_COST} nodes that no step counts",
                    Excess.NODES,
                )
            if info.depth > limits.MAX_CALL_NESTING:
                raise TooMuch(
                    f"an expression goes deeper than {limits.MAX_CALL_NESTING} levels", Excess.LEVELS
                )
            known.work = info.work if info.work > known.work else known.work
            self._checked[id(e)] = info
            self._kept.append(e)
        return info

    def truth(self, e: ir.Expr) -> Info:
        """A condition."""
        info = self.check(e)
        if not self.kinds.fits(e.type, TRUTH):
            raise Bad(f"a condition is of type {brief(e.type)}")
        return info

    def value(self, e: ir.Expr, place: Type, what: str) -> Info:
        """An expression whose values all belong into a place."""
        info = self.check(e)
        self.fit(e.type, place, what)
        return info

    def fit(self, kind: Type, place: Type, what: str) -> None:
        if not self.kinds.fits(kind, place):
            raise Bad(f"{what} of type {brief(kind)} where {brief(place)} is expected")

    def arguments(self, args: tuple[ir.Expr, ...], params: Sequence[Type], what: str) -> Info:
        """Arguments for parameters."""
        if len(args) != len(params):
            raise Bad(f"{what} takes {len(params)} arguments, not {len(args)}")
        infos = [self.value(arg, kind, f"argument of {what}") for arg, kind in zip(args, params, strict=True)]
        return _sum(infos)

    def all(self, exprs: tuple[ir.Expr, ...]) -> Info:
        return _sum([self.check(each) for each in exprs])

    def element(self, domain: ir.Expr) -> Type:
        """What runs over a set or a list."""
        if not isinstance(domain.type, SetOf | ListOf):
            raise Bad(f"nothing can run over {brief(domain.type)}")
        return domain.type.of

    def bind(self, index: int, kind: Type, what: str) -> int:
        """The bit of a local that is bound to a value of a type."""
        if self.open and index not in self.locals and 0 <= index < limits.MAX_LOCALS:
            self.locals[index] = kind
        self.fit(kind, self.local(index), what)
        return 1 << index

    def local(self, index: int) -> Type:
        kind = self.locals.get(index)
        if kind is None:
            raise Bad(f"there is no local {index}")
        return kind

    def owner(self, var: int, owner: ir.Expr | None) -> Info:
        """The member that a variable is meant of."""
        of = self.program.vars[var].of
        if (of is None) != (owner is None):
            raise Bad(f"variable {var} has {'no' if of is None else 'an'} owner")
        if of is None or owner is None:
            return NOTHING
        return self.value(owner, Id(of), f"owner of variable {var}")

    def item(self, var: int, item: ir.Expr) -> tuple[Type, Info]:
        """One item of a bag, record or list variable: its type."""
        info, kind = self.check(item), self.program.vars[var].type
        match kind:
            case BagOf(domain, limit):
                self.fit(item.type, Id(domain), "member")
                return Int(0, limit), info
            case Record(_, types) if isinstance(item, ir.Const) and isinstance(item.value, int):
                if 0 <= item.value < len(types):
                    return types[item.value], info
            case ListOf(Int() | Id() as of):
                interval("item", item.type)
                return of, info
            case _:
                pass
        raise Bad(f"variable {var} has no such item")

    def _load(self, e: ir.Load) -> Info:
        return self._yields(e, self.program.vars[e.var].type, self.owner(e.var, e.owner))

    def _load_item(self, e: ir.LoadItem) -> Info:
        owner = self.owner(e.var, e.owner)
        kind, item = self.item(e.var, e.item)
        return self._yields(e, kind, owner, item)

    def _op(self, e: ir.Op) -> Info:
        infos = [self.check(arg) for arg in e.args]
        return self._yields(e, op_type(self.kinds, e), *infos)

    def _ask(self, e: ir.Ask) -> Info:
        value = self.program.values[e.value]
        args = self.arguments(e.args, value.params, f"value {e.value}")
        return self._yields(e, value.result, args, self.known.values[e.value])

    def _judge(self, e: ir.Judge) -> Info:
        action = self.program.actions[e.action]
        args = self.arguments(e.args, action.params, f"action {e.action}")
        return self._yields(e, TRUTH, args, self.known.judged[e.action])

    def _occurrences(self, e: ir.Occurrences) -> Info:
        if self.program.history is None:
            raise Bad("there is no history of positions")
        most = limits.MAX_POSITIONS + 1
        return self._yields(e, Int(1, most), Info(most, 1, 0, most))

    def _yields(self, e: ir.Expr, kind: Type, *infos: Info) -> Info:
        if kind is not e.type and kind != e.type and not self.kinds.fits(kind, e.type):
            name = type(e).__name__
            if isinstance(e, ir.Op | ir.Fold):
                name = e.op if isinstance(e, ir.Op) else e.kind
            raise Bad(f"`{name}` yields {brief(kind)}, and is declared as {brief(e.type)}")
        return _sum(infos)

    def _const(self, e: ir.Const) -> Info:
        if not self.kinds.holds(e.type, e.value):
            raise Bad(f"a constant is not a value of its type {brief(e.type)}")
        return ALONE

    def _local(self, e: ir.Local) -> Info:
        kind = self.local(e.index)
        self.fit(kind, e.type, f"local {e.index}")
        return Info(1, 1, 0 if self.zeroed and self.kinds.has_zero(kind) else 1 << e.index, 1)

    def _lookup(self, e: ir.Lookup) -> Info:
        data = self.program.data[e.data]
        if len(e.indices) != len(data.dims):
            raise Bad(f"table {e.data} has {len(data.dims)} dimensions, not {len(e.indices)}")
        infos = [self.check(index) for index in e.indices]
        for index in e.indices:
            if not isinstance(index.type, Int | Id):
                raise Bad(f"a table is not read by {brief(index.type)}")
        return self._yields(e, data.type, *infos)

    def _let(self, e: ir.LetIn) -> Info:
        value = self.check(e.value)
        bit = self.bind(e.index, e.value.type, f"local {e.index}")
        body = self.check(e.body)
        return self._yields(e, e.body.type, value, body._replace(needs=body.needs & ~bit))

    def _fold(self, e: ir.Fold) -> Info:
        domain = self.check(e.domain)
        element = self.element(e.domain)
        bit = self.bind(e.index, element, f"local {e.index}")
        inner = []
        if e.where is not None:
            inner.append(self.truth(e.where))
        if e.body is not None:
            inner.append(self.check(e.body))
        once = _sum(inner)
        assert isinstance(e.domain.type, SetOf | ListOf)
        count = self.kinds.extent(e.domain.type)
        times = count if e.kind == "closure" else min(count, most_elements(self.kinds, e.domain))
        uncounted = 0 if self.known.weights.large(e) else times
        rounds = Info(uncounted * (once.cost + 1), once.depth, once.needs & ~bit, times * (once.work + 1))
        return self._yields(e, self._folded(e, element, count), domain, rounds)

    def _scan(self, e: ir.Scan) -> Info:
        if not isinstance(e.type, Int | Id | Record) or e.index == e.kept:
            raise Bad(f"nothing is kept as {brief(e.type)} from one element to the next")
        begun = [self.value(e.start, e.type, "what a loop begins with"), self.check(e.domain)]
        bits = self.bind(e.index, self.element(e.domain), f"local {e.index}")
        bits |= self.bind(e.kept, e.type, f"local {e.kept}")
        once = self.value(e.step, e.type, "what a loop goes on with")
        assert isinstance(e.domain.type, SetOf | ListOf)
        times = min(self.kinds.extent(e.domain.type), most_elements(self.kinds, e.domain))
        uncounted = 0 if self.known.weights.large(e) else times
        rounds = Info(uncounted * (once.cost + 1), once.depth, once.needs & ~bits, times * (once.work + 1))
        return self._yields(e, e.type, *begun, rounds)

    def _folded(self, e: ir.Fold, element: Type, count: int) -> Type:
        body = element if e.body is None else e.body.type
        if e.kind == "closure":
            if not isinstance(element, Id) or body != SetOf(element) or e.domain.type != body:
                raise Bad(f"`closure` of {brief(element)} goes on to {brief(body)}")
            return SetOf(element)
        if e.kind == "union":
            if e.body is None or not isinstance(body, SetOf):
                raise Bad(f"`union` of {brief(body)}")
            return body
        if e.kind == "ordered":
            return self._list_of(e, element, body, count)
        match e.kind:
            case "any" | "every" | "count" | "all" | "first":
                if e.body is not None and not self.kinds.fits(body, TRUTH):
                    raise Bad(f"`{e.kind}` tests a value of type {brief(body)}")
            case _:
                low, high = interval(e.kind, body)
        match e.kind:
            case "any" | "every":
                return TRUTH
            case "count":
                return Int(0, count)
            case "sum":
                return Int(min(0, low * count), max(0, high * count))
            case "lowest" | "highest":
                if low <= NONE:
                    raise Bad(f"`{e.kind}` of numbers as low as {low}")
                return Int(low, high, optional=True)
            case _:
                pass
        if not isinstance(element, Int | Id):
            raise Bad(f"`{e.kind}` of sets")
        if e.kind == "first":
            return maybe(element)
        fits = isinstance(e.type, SetOf) and self.kinds.akin(element, e.type.of)
        if not fits or not isinstance(e.type, SetOf) or not self.kinds.within(element, e.type.of):
            raise Bad(f"`{e.kind}` yields a set of {brief(element)}, and is declared as {brief(e.type)}")
        return e.type

    def _list_of(self, e: ir.Fold, element: Type, measure: Type, count: int) -> Type:
        if e.body is None or not isinstance(measure, Int) or measure.optional or measure.truth:
            raise Bad(f"`ordered` by {brief(measure)}")
        whole = isinstance(element, Int | Id) and isinstance(e.type, ListOf) and e.type.limit >= count
        if not whole or not isinstance(e.type, ListOf) or not self.kinds.fits(element, e.type.of):
            raise Bad(
                f"`ordered` yields a list of {count} {brief(element)}, and is declared as {brief(e.type)}"
            )
        return e.type

    def _reach(self, e: ir.Reach) -> Info:
        routine = self.program.routines[e.routine]
        args = self.arguments(e.args, routine.locals[: routine.params], f"routine {e.routine}")
        goal = self.truth(e.goal)
        if not 1 <= e.limit <= limits.MAX_REACH:
            raise TooMuch(f"a search looks from 1 to {limits.MAX_REACH} choices ahead, not {e.limit}")
        times = limits.REACH_COST
        search = Info(goal.cost * times, goal.depth, goal.needs, goal.work * times)
        return self._yields(e, TRUTH, args, search)

    def _trial(self, e: ir.Trial) -> Info:
        if e.procedure in self.known.chancy:
            raise Bad(f"procedure {e.procedure} is tried, and leaves something to chance")
        procedure = self.program.procedures[e.procedure]
        args = self.arguments(e.args, procedure.locals[: procedure.params], f"procedure {e.procedure}")
        done = _sum([args, self.truth(e.condition)])
        depth = max(done.depth, self.known.procedures[e.procedure]) + 1
        # it counts its steps itself, as a large fold does
        return self._yields(e, TRUTH, Info(0, depth, done.needs, done.work))


_CHECKS: dict[type, Callable[[Scope, Any], Info]] = {
    ir.Const: Scope._const,
    ir.Local: Scope._local,
    ir.Load: Scope._load,
    ir.LoadItem: Scope._load_item,
    ir.Lookup: Scope._lookup,
    ir.Op: Scope._op,
    ir.LetIn: Scope._let,
    ir.Fold: Scope._fold,
    ir.Scan: Scope._scan,
    ir.Ask: Scope._ask,
    ir.Judge: Scope._judge,
    ir.Reach: Scope._reach,
    ir.Trial: Scope._trial,
    ir.Occurrences: Scope._occurrences,
}
"""How each kind of expression is checked."""
assert set(_CHECKS) == set(EXPRESSIONS)


def _sum(infos: Sequence[Info]) -> Info:
    """One node more than its children."""
    if not infos:
        return ALONE
    if len(infos) == 1:
        cost, depth, needs, work = infos[0]
        return Info(cost + 1, depth + 1, needs, work + 1)
    cost, deepest, needs, work = 1, 0, 0, 1
    for each in infos:
        cost += each.cost
        work += each.work
        deepest = each.depth if each.depth > deepest else deepest
        needs |= each.needs
    return Info(cost, deepest + 1, needs, work)


def most_elements(kinds: Kinds, domain: ir.Expr) -> int:
    """How many elements a domain has at most, as far as it shows."""
    assert isinstance(domain.type, SetOf | ListOf)
    match domain:
        case ir.Op(op="single"):
            return 1
        case ir.Const(value=int(bits)) if isinstance(domain.type, SetOf):
            return bits.bit_count()
        case ir.Op(op="meet" | "minus", args=(first, *_)) if isinstance(first.type, SetOf):
            return most_elements(kinds, first)
        case _:
            return kinds.extent(domain.type)
