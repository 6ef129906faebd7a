"""Offers: functions that list the options of a decision, one after the other in memory."""

from __future__ import annotations

from math import prod

from dsl.engine.layout import slots
from dsl.ir import nodes as ir
from dsl.ir.limits import MAX_OPTIONS
from dsl.ir.program import FRAME_HEAD, Routine
from dsl.ir.types import ListOf, SetOf, Type
from dsl.ir.verify.graph import everything
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.inlining import opened
from dsl.wasm.reps import size_of
from dsl.wasm.rules import Rules
from dsl.wasm.text import Parts, get, i32, plus, put, test

FAIL_612 = "(call $fail (i32.const 612)) (unreachable)"
MOST_SURE = 1 << 20
"""Bytes of options that are made room for at once."""


class Offers(Rules):
    """Adds the listing of options."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.searches = any(isinstance(each, ir.Reach) for each in everything(self.program))
        """Can options be listed while others are, for a search?"""
        self.sure = False
        """Is there room for all options of the decision at hand, which nothing else takes?"""
        self.many = False
        """Are the options of the decision at hand counted, as they can be too many?"""
        self.settled: ir.Expr | None = None
        """The guard that the domain of the last variable of an offer has in it already."""

    def options(self, name: str, routine: Routine, end: ir.Decide) -> None:
        """A function that lists the options of a decision and yields how many there are.

        An option is the number of its offer and the slots of its variables; the table of the decision says where
        they go in the frame.
        """
        self.begin_function((), 0)
        self.frame = routine
        width = max((self.width(routine, offer) for offer in end.offers), default=0)
        stride = 4 * (1 + width)
        most = stride * sum(self._choices(offer) for offer in end.offers)
        self.sure = most <= MOST_SURE and not self.searches
        lines = [
            "(global.set $end (global.get $base))",
            f"(global.set $stride {i32(stride)})",
            f"(global.set $offers {i32(self._table(routine, end, width))})",
        ]
        lines += self.counted_first(end)
        if self.sure:
            self.temps.append("(local $o i32)")
            lines.append(f"(drop (call $room {i32(most)}))")
            lines.append("(local.set $o (global.get $base))")
        self.many = self.weights.many(end)
        if self.many:
            self.temps.append("(local $listed i32)")
        for number, offer in enumerate(end.offers):
            lines += self._offer(routine, number, offer, stride)
        if self.sure:
            lines.append("(global.set $end (local.get $o))")
        size = "(i32.sub (global.get $end) (global.get $base))"
        lines.append(f"(i32.div_u {size} {i32(stride)})")
        self.end_function(name, ["(param $f i32)"], ("i32",), lines)
        self.frame = None

    def counted_first(self, end: ir.Decide) -> list[str]:
        """Counts what listing takes before any variable is bound."""
        steps = counted(end) // STEP
        return [self.count(steps)] if steps else []

    def width(self, routine: Routine, offer: ir.Offer) -> int:
        """The slots of an offer's variables."""
        return sum(slots(self.program, routine.locals[var.index]) for var in offer.variables)

    def _table(self, routine: Routine, end: ir.Decide, width: int) -> int:
        """For each offer the block that it leads to, how many slots it binds, and their places in the frame."""
        words: list[int] = [2 + width]
        for offer in end.offers:
            places = []
            for var in offer.variables:
                at = FRAME_HEAD + routine.offsets[var.index]
                places += [4 * (at + k) for k in range(slots(self.program, routine.locals[var.index]))]
            words += [offer.block, len(places), *places, *[0] * (width - len(places))]
        return self.memory.words(words)

    def _offer(self, routine: Routine, number: int, offer: ir.Offer, stride: int) -> list[str]:
        return self._bindings(routine, number, offer, 0, (), stride)

    def _bindings(
        self,
        routine: Routine,
        number: int,
        offer: ir.Offer,
        at: int,
        bound: tuple[tuple[Parts, Type], ...],
        stride: int,
    ) -> list[str]:
        """Loops over the bindings of the variables from one on; in the middle the option is listed."""
        if at == len(offer.variables):
            listed = self._listed(routine, number, offer, bound, stride)
            if offer.guard is None or (bound and offer.guard is self.settled):
                return listed
            return [test(self.expr(offer.guard), listed)]
        known, var = dict(self.masks), offer.variables[at]
        one = self.only_one(var.domain)
        lines, run, value, where = self.domain_of(offer, at) if one is None else self._alone(offer, at)
        kind = run.type
        assert isinstance(kind, SetOf | ListOf)
        index = var.index

        def body(element: Parts, skip: str) -> list[str]:
            before = self.env
            self.env = {**before, index: (element, kind.of)}
            inner = [] if where is None else [f"(br_if {skip} (i32.eqz {self.expr(where)}))"]
            inner += self._bindings(routine, number, offer, at + 1, (*bound, (element, kind.of)), stride)
            self.env = before
            return inner

        if one is None:
            lines += self.run_over(run, value, body, self.label("d"))
        else:
            pre, x, there = one
            skip, steps = self.label("s"), counted(var) // STEP
            inner = "".join(body(Parts((), (x,), True), skip))
            lines += [*pre, test(there, [self.count(steps) if steps else "", f"(block {skip} {inner})"])]
        self.masks = known
        return lines

    def _alone(self, offer: ir.Offer, at: int) -> tuple[list[str], ir.Expr, Parts, ir.Expr | None]:
        """As `domain_of`, for a variable that is one element at most: its condition is asked of that element."""
        var, self.settled = offer.variables[at], None
        return self._sets_for(offer, at), var.domain, Parts((), ()), var.where

    def _sets_for(self, offer: ir.Offer, at: int) -> list[str]:
        """Before the first variable of an offer: makes the sets that its conditions ask for again and again."""
        asked = [each.where for each in offer.variables[at:] if each.where is not None]
        asked += [] if offer.guard is None else [opened(self.program, offer.guard)]
        return [] if at else self.prepared_in(asked, {each.index for each in offer.variables})

    def domain_of(self, offer: ir.Offer, at: int) -> tuple[list[str], ir.Expr, Parts, ir.Expr | None]:
        """Counts the steps of a variable of an offer: statements, what it runs over, and the condition left.

        Sets known from here on stand in `masks`, and `settled` is the guard where nothing of it is left.
        """
        var = offer.variables[at]
        domain = self.held(var.domain)
        sets, weight = self._sets_for(offer, at), counted(var)
        lines = [*sets, *domain.pre, *self.counted(var.domain, domain, weight)]
        run, value, where = self.narrowed(
            var.domain, Parts((), domain.codes, True), var.where, var.index, stops=False
        )
        self.settled = None
        if where is None and offer.guard is not None and at + 1 == len(offer.variables):
            guarded, rest = self.filtered(var.domain, value, [offer.guard], var.index, stops=False)
            if not rest:
                value, run, self.settled = guarded, ir.Op(run.type, "meet", (run, run)), offer.guard
        return [*lines, *value.pre], run, Parts((), value.codes, value.atomic), where

    def counted(self, domain: ir.Expr, value: Parts, weight: int) -> list[str]:
        """Counts the steps of going through a domain, whose elements weigh so much each."""
        if isinstance(domain, ir.Const):
            held = domain.value
            n = len(held) if isinstance(held, tuple) else held.bit_count()
            return [self.count(min(n * weight // STEP, 2**30))] if n * weight >= STEP else []
        return [self.count_elements(self.size_code(value, domain.type), weight)]

    def _listed(
        self,
        routine: Routine,
        number: int,
        offer: ir.Offer,
        bound: tuple[tuple[Parts, Type], ...],
        stride: int,
    ) -> list[str]:
        """Writes an option behind the others."""
        here = "$o" if self.sure else self.temp("i32")
        lines = []
        if self.many:
            lines.append(put("$listed", plus(get("$listed"), 1)))
            lines.append(test(f"(i32.gt_u {get('$listed')} {i32(MAX_OPTIONS)})", [FAIL_612]))
        lines += [] if self.sure else [put(here, f"(call $room {i32(stride)})")]
        lines.append(f"(i32.store {get(here)} {i32(number)})")
        at = 4
        for var, (value, kind) in zip(offer.variables, bound, strict=True):
            target = routine.locals[var.index]
            lines += self.write(get(here), at, target, self.widen(value, kind, target))
            at += size_of(self.program, target)
        return [*lines, put(here, plus(get(here), stride))] if self.sure else lines

    def _choices(self, offer: ir.Offer) -> int:
        """How many options an offer can give."""
        return prod(self.weights.extent(var.domain.type) for var in offer.variables)
