"""Statements, procedures and routines: that each is well formed, and that no local is read before it is set.

For each piece of code two sets of locals are found, a bit for each: those that it needs to be set before it,
and those that are set after it. A local whose type has a 0 begins as that, and is never needed.
"""

from __future__ import annotations

import re
from typing import assert_never

from dsl.diagnostics import Code as Told
from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Excess, TooMuch
from dsl.ir.operators import brief, interval
from dsl.ir.program import Procedure
from dsl.ir.types import BagOf, Id, Int, ListOf, SetOf, Type
from dsl.ir.verify.expressions import Info, Known, Scope
from dsl.ir.walk import bodies

_FAILURES = frozenset(code.id for code in Told if code.id.startswith("E06"))
_EVERYTHING = -1
"""What is set where control never comes."""


class Code:
    """The statements of one function."""

    def __init__(self, known: Known, scope: Scope, result: Type | None, *, chancy: frozenset[int]) -> None:
        self.known = known
        self.scope = scope
        self.program = known.program
        self.result = result
        self.gives = False
        """Is this a procedure, which may give?"""
        self.needs = 0
        self.depth = 0
        self._chancy = chancy
        self._open: dict[int, int] = {}
        """The guarded blocks around, with what is set wherever they are left."""
        self._loops = 0
        self._batched = False

    def body(self, statements: tuple[ir.Stmt, ...], before: int) -> int:
        """What is set after some statements."""
        for each in statements:
            before = self._statement(each, before)
        return before

    def use(self, info: Info, before: int) -> None:
        """Notes that an expression is evaluated where these locals are set."""
        self.needs |= info.needs & ~before
        self.depth = max(self.depth, info.depth)

    def _statement(self, st: ir.Stmt, before: int) -> int:
        match st:
            case ir.SetLocal():
                self.use(self.scope.check(st.value), before)
                return before | self.scope.bind(st.index, st.value.type, f"local {st.index}")
            case ir.Store() | ir.Change():
                self._write(st, before)
            case ir.Roll() | ir.RollList() | ir.Pick() | ir.ShufflePile():
                return self._chance(st, before)
            case ir.MoveCard():
                self._pile(st.pool, st.pile, before, or_none=True)
                domain = self.program.pools[st.pool].domain
                self.use(self.scope.value(st.card, Id(domain), "card"), before)
            case ir.Call():
                return self._call(st, before)
            case ir.If():
                self.use(self.scope.truth(st.condition), before)
                return self.body(st.then, before) & self.body(st.other, before)
            case ir.ForEach() | ir.Loop() | ir.Guarded() | ir.Batch():
                return self._inner(st, before)
            case ir.Leave():
                if st.number not in self._open:
                    raise Bad(f"there is no guarded block {st.number} around")
                self._open[st.number] &= before
                return _EVERYTHING
            case ir.Log():
                self.use(self.scope.all(st.args), before)
                told(self.known, st.label, len(st.args))
                veiled(st)
            case ir.TakeResult():
                raise Bad("a result is taken at the beginning of the block that an `Enter` returns to")
            case ir.Refused():
                params = self.program.actions[st.action].params
                self.use(self.scope.arguments(st.args, params, f"action {st.action}"), before)
                veiled(st)
            case ir.Mark() | ir.TestEndings():
                pass
            case ir.Remember():
                if self.program.history is None:
                    raise Bad("there is no history of positions")
                if self._batched:
                    raise Bad("no position stands within a batch")
            case ir.Fail():
                if st.code not in _FAILURES:
                    raise Bad(
                        f"a rule fails with a code from E0601 on that there is, not with `{st.code[:20]}`"
                    )
                return _EVERYTHING
            case ir.Give():
                self._give(st, before)
                return _EVERYTHING
            case _:
                assert_never(st)
        return before

    def _write(self, st: ir.Store | ir.Change, before: int) -> None:
        if st.var in self.known.piles:
            raise Bad(f"variable {st.var} keeps a pile: only cards that are moved or shuffled change it")
        self.use(self.scope.owner(st.var, st.owner), before)
        place = self.program.vars[st.var].type
        if st.item is not None:
            place, info = self.scope.item(st.var, st.item)
            self.use(info, before)
        value = st.value if isinstance(st, ir.Store) else st.amount
        self.use(self.scope.check(value), before)
        if isinstance(st, ir.Change) and isinstance(place, ListOf) and st.item is None:
            if st.negative or st.saturates or isinstance(place.of, SetOf):
                raise Bad(f"{brief(place)} gains one element after another, and loses none")
            place = place.of
        elif isinstance(st, ir.Change):
            if isinstance(place, SetOf) and (value.type != place or st.item is not None):
                raise Bad(f"nothing is added to {brief(place)} but its like, not {brief(value.type)}")
            if not isinstance(place, BagOf | SetOf):
                interval("change", value.type)
            if not isinstance(place, Int | BagOf | SetOf):
                raise Bad(f"nothing is added to {brief(place)}")
        if not self.scope.kinds.family(value.type, place):
            raise Bad(f"{brief(value.type)} is written where {brief(place)} is kept")

    def _chance(self, st: ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile, before: int) -> int:
        self._certain("chance decides")
        match st:
            case ir.ShufflePile():
                self._pile(st.pool, st.pile, before)
                return before
            case ir.Pick():
                self.use(self.scope.check(st.domain), before)
                element = self.scope.element(st.domain)
                if st.weights is not None:
                    self.use(self.scope.check(st.weights), before)
                    bag = st.weights.type
                    if (
                        not isinstance(bag, BagOf)
                        or not isinstance(element, Id)
                        or element.domain != bag.domain
                    ):
                        raise Bad(f"{brief(bag)} does not weigh {brief(element)}")
                return before | self.scope.bind(st.index, element, "what is picked")
            case ir.Roll() | ir.RollList():
                self.use(self.scope.check(st.count), before)
                low, high = interval("roll", st.count.type)
                if low < 0 or high > limits.MAX_DICE or not 1 <= st.sides <= limits.MAX_SIDES:
                    raise TooMuch(f"nobody throws {low} to {high} dice with {st.sides} sides", Excess.SIDES)
                kind = self.scope.local(st.index)
                dice = ListOf(Int(1, st.sides), 0)
                thrown = Int(low, high * st.sides) if isinstance(st, ir.Roll) else dice
                if not self.scope.kinds.fits(thrown, kind):
                    raise Bad(f"dice do not fit into {brief(kind)}")
                return before | 1 << st.index
            case _:
                assert_never(st)

    def _pile(self, pool: int, pile: ir.Expr, before: int, *, or_none: bool = False) -> None:
        self.use(self.scope.check(pile), before)
        count = len(self.program.pools[pool].piles)
        scalar = isinstance(pile.type, Int | Id) and (or_none or not pile.type.optional)
        if not isinstance(pile.type, Int | Id) or not scalar or self.program.pools[pool].pile is None:
            raise Bad(f"{brief(pile.type)} is no pile of pool {pool}")
        low, high = self.scope.kinds.bounds(pile.type)
        if low < 0 or high >= count:
            raise Bad(f"pool {pool} has {count} piles, not {low} to {high}")

    def _call(self, st: ir.Call, before: int) -> int:
        called = self.program.procedures[st.procedure]
        params = called.locals[: called.params]
        self.use(self.scope.arguments(st.args, params, f"procedure {st.procedure}"), before)
        self.depth = max(self.depth, 1 + self.known.procedures[st.procedure])
        if self._batched and st.procedure in self._chancy:
            raise Bad(f"procedure {st.procedure} leaves something to chance within a batch")
        if st.result is None:
            return before
        if called.result is None:
            raise Bad(f"procedure {st.procedure} gives no result")
        return before | self.scope.bind(st.result, called.result, "result")

    def _inner(self, st: ir.ForEach | ir.Loop | ir.Guarded | ir.Batch, before: int) -> int:
        self._loops += 1
        if self._loops > limits.MAX_LOOPS:
            message = f"more than {limits.MAX_LOOPS} loops, guarded blocks and batches inside each other"
            raise TooMuch(message, Excess.LOOPS)
        after = self._inside(st, before)
        self._loops -= 1
        return after

    def _inside(self, st: ir.ForEach | ir.Loop | ir.Guarded | ir.Batch, before: int) -> int:
        match st:
            case ir.ForEach():
                self.use(self.scope.check(st.domain), before)
                element = self.scope.element(st.domain)
                self.body(st.body, before | self.scope.bind(st.index, element, f"local {st.index}"))
                return before
            case ir.Loop():
                self.use(self.scope.check(st.limit), before)
                self.use(self.scope.truth(st.condition), before)
                _, high = interval("loop", st.limit.type)
                if high > limits.MAX_ROUNDS:
                    raise TooMuch(f"a loop of {high} rounds", Excess.ROUNDS)
                self.body(st.body, before)
                return before
            case ir.Guarded():
                if st.number in self._open or st.number < 0:
                    raise Bad(f"guarded block {st.number} inside itself")
                self._open[st.number] = _EVERYTHING
                after = self.body(st.body, before)
                return after & self._open.pop(st.number)
            case ir.Batch():
                outer, self._batched = self._batched, True
                after = self.body(st.body, before)
                self._batched = outer
                return after
            case _:
                assert_never(st)

    def _give(self, st: ir.Give, before: int) -> None:
        if not self.gives:
            raise Bad("only a procedure gives")
        if self._batched:
            raise Bad("nothing is given out of a batch")
        if (st.value is None) != (self.result is None):
            raise Bad("it gives what its result does not say")
        if st.value is not None and self.result is not None:
            self.use(self.scope.value(st.value, self.result, "result"), before)

    def _certain(self, what: str) -> None:
        if self._batched:
            raise Bad(f"{what} within a batch")


def check_procedure(known: Known, index: int, chancy: frozenset[int]) -> None:
    """A procedure: how deep it goes is then known."""
    procedure = known.program.procedures[index]
    params(procedure.params, procedure.locals)
    scope = Scope(known, procedure.locals, zeroed=True)
    if procedure.result is not None:
        known.kinds.good(procedure.result)
    code = Code(known, scope, procedure.result, chancy=chancy)
    code.gives = True
    given = (1 << procedure.params) - 1
    after = code.body(procedure.body, given)
    if procedure.result is not None and after != _EVERYTHING:
        raise Bad("it may end without giving its result")
    unset(code.needs & ~given)
    depth = code.depth + nesting(procedure)
    if depth > limits.MAX_CALL_NESTING:
        raise TooMuch(f"it goes deeper than {limits.MAX_CALL_NESTING} levels", Excess.LEVELS)
    known.procedures[index] = depth


def nesting(procedure: Procedure) -> int:
    """How deep the statements of a procedure stand inside each other."""
    depth, level = 0, list(procedure.body)
    while level:
        depth += 1
        level = [inner for each in level for body in bodies(each) for inner in body]
    return depth


def params(count: int, locals_: tuple[Type, ...]) -> None:
    """Are the parameters among the locals?"""
    if not 0 <= count <= len(locals_):
        raise Bad(f"{count} parameters among {len(locals_)} locals")


def unset(needs: int) -> None:
    """Refuses locals that are read and never set."""
    if needs:
        raise Bad(f"local {(needs & -needs).bit_length() - 1} is read before it is set")


def told(known: Known, label: int | None, count: int) -> None:
    """A label, with so many arguments for its places."""
    if label is None:
        return
    for _, text in known.program.texts[label].texts:
        for number in re.findall(r"\{([0-9]+)\}", text):
            if len(number) > 3 or int(number) >= count:
                raise Bad(f"label {label} shows argument {number[:9]}, and there are {count}")


def veiled(st: ir.Log | ir.Refused) -> None:
    """The numbers of veiled arguments: each once, in order."""
    numbers = st.veiled
    if numbers != tuple(sorted(set(numbers))) or any(not 0 <= n < len(st.args) for n in numbers):
        raise Bad(f"the veiled arguments of a line of the log are numbers below {len(st.args)}, in order")


def choices(kind: Type, known: Known) -> int:
    """How many values an offer's variable can take."""
    return known.kinds.extent(kind) if isinstance(kind, SetOf | ListOf) else 1
