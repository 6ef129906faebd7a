"""Procedures, routines and decisions as functions.

A routine is a loop over its blocks, by a `br_table`: `jump` and `branch` go round, `enter` and `return` leave it to
the loop that runs frames, and a decision leaves it with its options listed. Locals that live across blocks are slots
of the frame.
"""

from __future__ import annotations

from math import prod
from typing import assert_never

from dsl.engine.layout import frame_size, slots
from dsl.ir import nodes as ir
from dsl.ir.program import DECISIONS, FRAME_HEAD, OUT, RESULT, TOP, Procedure, Routine
from dsl.ir.types import NONE, Id, Int, ListOf, SetOf, Type
from dsl.ir.verify.graph import everything
from dsl.ir.walk import calls, within
from dsl.ir.weight import STEP
from dsl.wasm.function import as_rep
from dsl.wasm.opening import opened
from dsl.wasm.reps import is_pointer, reps, scalar_rep, size_of
from dsl.wasm.rules import Rules
from dsl.wasm.text import Parts, get, i32, plus, put, test

SWITCHED, ASKS, ENDED = 0, 1, 2
FEW_WORDS = 32
MOST_SURE = 1 << 20
"""Bytes of options that are made room for at once."""


class Routines(Rules):
    """Adds procedures, routines, initial values and the goals of searches."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.goals = 0
        self.index = 0
        self.searches = any(isinstance(each, ir.Reach) for each in everything(self.program))
        """Can options be listed while others are, for a search?"""
        self.sure = False
        """Is there room for all options of the decision at hand, which nothing else takes?"""
        self.settled: ir.Expr | None = None
        """The guard that the domain of the last variable of an offer has in it already."""

    def procedure(self, index: int, procedure: Procedure, *, batched: bool) -> None:
        params, first = self.begin_function(procedure.locals, procedure.params)
        self.batched, self.result = batched, procedure.result
        lines = [*first, self.step(self.weights.code(procedure.body)), *self.body(procedure.body)]
        result = () if procedure.result is None else reps(self.program, procedure.result)
        if result:
            lines.append("(unreachable)")
        self.end_function(f"$p{index}{'w' if batched else ''}", params, result, lines)

    def routine(self, index: int, routine: Routine) -> None:
        """The function `$r<index>`, and those that list the options of its decisions."""
        for number, block in enumerate(routine.blocks):
            if isinstance(block.end, ir.Decide):
                self._options(f"$o{index}_{number}", routine, block.end)
        self.begin_function((), 0)
        self.frame, self.index = routine, index
        codes = [self._block(number, block) for number, block in enumerate(routine.blocks)]
        count = len(codes)
        heads = "".join(f"(block $b{number} " for number in range(count - 1, -1, -1))
        table = " ".join(f"$b{number}" for number in range(count))
        whole = f"{heads}(br_table {table} {get('$pc')})"
        body = "".join(f")\n{''.join(lines)}" for lines in codes)
        lines = [
            put("$pc", "(i32.load offset=4 (local.get $f))"),
            f"(loop $go {whole}{body})",
            "(unreachable)",
        ]
        self.temps.append("(local $pc i32)")
        self.end_function(f"$r{index}", ["(param $f i32)"], ("i32",), lines)
        self.frame = None

    def _block(self, number: int, block: ir.Block) -> list[str]:
        if isinstance(block.end, ir.Decide):
            return [self.count(1), *self._decide(number, block.end)]
        lines = [self.count(1 + self.weights.block(block) // STEP), *self.body(block.body)]
        return [*lines, *self._go_on(block)]

    def _go_on(self, block: ir.Block) -> list[str]:
        end = block.end
        stop = test("(i32.load offset=16 (i32.const 0))", [f"(return {i32(ENDED)})"])
        checks = [stop] if self.may_end(block.body) else []
        match end:
            case ir.Jump():
                return [*checks, put("$pc", i32(end.block)), "(br $go)"]
            case ir.Branch():
                to = f"(select {i32(end.then)} {i32(end.other)} {self.expr(end.condition)})"
                return [put("$pc", to), *checks, "(br $go)"]
            case ir.Enter():
                return self._enter(end)
            case ir.Return():
                return self._return(end)
            case ir.Decide():
                raise ValueError("a decision goes on where the choice leads")
            case _:
                assert_never(end)

    def may_end(self, body: tuple[ir.Stmt, ...]) -> bool:
        """Can the game end in some statements?"""
        called = [self.program.procedures[index].body for index in calls(body)]
        ends = any(isinstance(each, ir.TestEndings) for each in within(body))
        return ends or any(map(self.may_end, called))

    def _enter(self, end: ir.Enter) -> list[str]:
        assert self.frame is not None
        callee = self.program.routines[end.routine]
        size, own = frame_size(self.program, callee), frame_size(self.program, self.frame)
        kinds = callee.locals[: callee.params]
        args = self.arguments(end.args, kinds)
        names = [(self.temp(rep), rep) for kind in kinds for rep in reps(self.program, kind)]
        lines = [*args.pre, *(put(name, code) for (name, _), code in zip(names, args.codes, strict=True))]
        room = i32(4 * (self.program.size - size - own))
        lines.append(test(f"(i32.gt_u {get('$f')} {room})", ["(call $fail (i32.const 608))"]))
        if 4 * (self.program.size - size - own) < 0:
            lines.append("(call $fail (i32.const 608))")
        at = 0
        for offset, kind in zip(callee.offsets, kinds, strict=False):
            count = len(reps(self.program, kind))
            value = Parts((), tuple(get(name) for name, _ in names[at : at + count]), True)
            lines += self.write(get("$f"), 4 * (own + FRAME_HEAD + offset), kind, value)
            at += count
        frame = get("$f")
        lines += [
            f"(i32.store offset=4 {frame} {i32(end.block)})",
            f"(i32.store offset={4 * own} {frame} {i32(end.routine)})",
            f"(i32.store offset={4 * own + 8} {frame} (i32.shr_u {frame} (i32.const 2)))",
            f"(i32.store offset={4 * TOP} (i32.const 0) (i32.shr_u {plus(frame, 4 * own)} (i32.const 2)))",
        ]
        return [*lines, f"(return {i32(SWITCHED)})"]

    def _return(self, end: ir.Return) -> list[str]:
        assert self.frame is not None
        lines: list[str] = []
        code = None
        if end.value is not None and self.frame.result is not None:
            pre, code = self.atom(
                as_rep(
                    self.checked_scalar(end.value, self.frame.result), scalar_rep(self.frame.result), "i32"
                )
            )
            lines += pre
        frame = get("$f")
        lines.append(f"(i32.store offset={4 * TOP} (i32.const 0) (i32.load offset=8 {frame}))")
        lines += self._cleared(frame, frame_size(self.program, self.frame))
        if code is not None:
            lines.append(f"(i32.store offset={4 * RESULT} (i32.const 0) {code})")
        return [*lines, f"(return {i32(SWITCHED)})"]

    def _cleared(self, frame: str, size: int) -> list[str]:
        if size > FEW_WORDS:
            return [f"(memory.fill {frame} (i32.const 0) {i32(4 * size)})"]
        lines = [f"(i64.store offset={4 * k} {frame} (i64.const 0))" for k in range(0, size - 1, 2)]
        if size % 2:
            lines.append(f"(i32.store offset={4 * (size - 1)} {frame} (i32.const 0))")
        return lines

    # ------------------------------------------------------------ decisions

    def _decide(self, number: int, end: ir.Decide) -> list[str]:
        """Lists the options; goes on at once where nobody is asked, or where all see that there is only one."""
        player, count = self.temp("i32"), self.temp("i32")
        frame, decisions = get("$f"), f"(i32.load offset={4 * DECISIONS} (i32.const 0))"
        out = f"(i32.and (i32.shr_u (i32.load offset={4 * OUT} (i32.const 0)) {get(player)}) (i32.const 1))"
        nobody = f"(i32.or (i32.eq {get(player)} {i32(NONE)}) {out})"
        looks = "(global.get $look)"
        bound = test(
            f"(i32.ge_s {decisions} {i32(self.program.decisions)})",
            ["(call $end_at_bound)", f"(return {i32(ENDED)})"],
        )
        nothing = [put(count, i32(0)), "(global.set $count (i32.const 0))", f"(return {i32(ASKS)})"]
        lines = [
            f"(i32.store offset=4 {frame} {i32(number)})",
            f"(if (global.get $halt) (then (return {i32(ASKS)})))",
            test(looks, [], [bound]),
            put(player, self.number(end.player, "i32")),
            test(nobody, [test(looks, nothing), *self._skip(end, 606)]),
            put(count, f"(call $o{self.index}_{number} {frame})"),
            f"(global.set $count {get(count)})",
            f"(global.set $player {get(player)})",
            test(looks, [f"(return {i32(ASKS)})"]),
            test(f"(i32.eqz {get(count)})", self._skip(end, 602)),
        ]
        if end.public:
            more = f"(i32.store offset={4 * DECISIONS} (i32.const 0) (i32.add {decisions} (i32.const 1)))"
            taken = [more, f"(local.set $pc (call $bind {frame} (i32.const 0)))", "(br $go)"]
            lines.append(test(f"(i32.eq {get(count)} (i32.const 1))", taken))
        return [*lines, f"(return {i32(ASKS)})"]

    def _skip(self, end: ir.Decide, fault: int) -> list[str]:
        if end.empty is None:
            return [f"(call $fail {i32(fault)})", "(unreachable)"]
        return [put("$pc", i32(end.empty)), "(br $go)"]

    def _options(self, name: str, routine: Routine, end: ir.Decide) -> None:
        """A function that lists the options of a decision and yields how many there are.

        An option is the number of its offer and the slots of its variables; the table of the decision says where
        they go in the frame.
        """
        self.begin_function((), 0)
        self.frame = routine
        widths = [
            sum(slots(self.program, routine.locals[var.index]) for var in offer.variables)
            for offer in end.offers
        ]
        stride = 4 * (1 + max(widths, default=0))
        most = stride * sum(self._choices(offer) for offer in end.offers)
        self.sure = most <= MOST_SURE and not self.searches
        lines = [
            "(global.set $end (global.get $base))",
            f"(global.set $stride {i32(stride)})",
            f"(global.set $offers {i32(self._table(routine, end, max(widths, default=0)))})",
        ]
        steps = self.weights.block(ir.Block((), end)) // STEP
        if steps:
            lines.append(self.count(steps))
        if self.sure:
            self.temps.append("(local $o i32)")
            lines.append(f"(drop (call $room {i32(most)}))")
            lines.append("(local.set $o (global.get $base))")
        for number, offer in enumerate(end.offers):
            lines += self._offer(routine, number, offer, stride)
        if self.sure:
            lines.append("(global.set $end (local.get $o))")
        size = "(i32.sub (global.get $end) (global.get $base))"
        lines.append(f"(i32.div_u {size} {i32(stride)})")
        self.end_function(name, ["(param $f i32)"], ("i32",), lines)
        self.frame = None

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
        var = offer.variables[at]
        domain = self.held(var.domain)
        asked = [each.where for each in offer.variables[at:] if each.where is not None]
        asked += [] if offer.guard is None else [opened(self.program, offer.guard)]
        known = dict(self.masks)
        sets = [] if at else self.prepared_in(asked, {each.index for each in offer.variables})
        weight = self.weights.binding(offer, at)
        kind = var.domain.type
        assert isinstance(kind, SetOf | ListOf)
        lines = [*sets, *domain.pre, *self._counted(var.domain, domain, weight)]
        run, value, where = self.narrowed(var.domain, Parts((), domain.codes, True), var.where, var.index)
        if where is None and offer.guard is not None and at + 1 == len(offer.variables):
            guarded, rest = self.filtered(var.domain, value, [offer.guard], var.index)
            if not rest:
                value, run, self.settled = guarded, ir.Op(run.type, "meet", (run, run)), offer.guard
        lines += value.pre
        done = self.label("d")

        def body(element: Parts, skip: str) -> list[str]:
            before = self.env
            self.env = {**before, var.index: (element, kind.of)}
            inner = [] if where is None else [f"(br_if {skip} (i32.eqz {self.expr(where)}))"]
            inner += self._bindings(routine, number, offer, at + 1, (*bound, (element, kind.of)), stride)
            self.env = before
            return inner

        lines += self.run_over(run, value, body, done)
        self.masks = known
        return lines

    def _counted(self, domain: ir.Expr, value: Parts, weight: int) -> list[str]:
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
        lines = [] if self.sure else [put(here, f"(call $room {i32(stride)})")]
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

    # ------------------------------------------------------------ beginnings and searches

    def initial(self, index: int) -> None:
        """The function `$i<index>`: gives a variable its initial value."""
        var = self.program.vars[index]
        self.begin_function((), 0)
        if var.of is None:
            lines = self.write(i32(0), 4 * var.offset, var.type, self.checked(var.initial, var.type))
        else:
            low, high = self.range_of(Id(var.of))
            member, address = self.temp("i32"), self.temp("i32")
            self.env[0] = Parts((), (get(member),), True), Id(var.of)
            written = self.write(get(address), 4 * var.offset, var.type, self.checked(var.initial, var.type))
            step = put(member, plus(get(member), 1))
            on = f"(br_if $next (i32.le_s {get(member)} {i32(high)}))"
            place = put(address, f"(i32.mul {get(member)} {i32(4 * var.width)})")
            lines = [put(member, i32(low)), f"(loop $next {place}{''.join(written)}{step}{on})"]
            lines = lines if high >= low else []
        self.end_function(f"$i{index}", [], (), lines)

    def start_of(self, index: int, routine: Routine) -> None:
        """The function `$q<index>`: puts the state aside, and one frame of the routine with its arguments alone."""
        kinds = routine.locals[: routine.params]
        params, lines = self.begin_function(kinds, len(kinds))
        values = []
        for n, kind in enumerate(kinds):
            value = self.env[n][0]
            if is_pointer(kind):
                value = self.copied(value, kind)
                lines += value.pre
            values.append(Parts((), value.codes, True))
        lines.append(f"(call $alone {i32(index)})")
        base = 4 * (self.program.frames + FRAME_HEAD)
        for value, offset, kind in zip(values, routine.offsets, kinds, strict=False):
            lines += self.write(i32(0), base + 4 * offset, kind, value)
        self.end_function(f"$q{index}", params, (), lines)

    def reach_goal(self, e: ir.Reach, given: dict[int, tuple[Parts, Type]]) -> int:
        """The function of a goal, by its number among them; what is under way here waits."""
        kept = (
            self.temps,
            self.around,
            self.standing,
            self.env,
            self.frame,
            self.locals,
            self.homes,
            self.rooms,
        )
        batched, result, room, masks = self.batched, self.result, self.room, self.masks
        number, self.goals = self.goals, self.goals + 1
        self.begin_function((), 0)
        self.env = dict(given)
        code = self.expr(e.goal)
        self.end_function(f"$goal{number}", [], ("i32",), [code])
        self.temps, self.around, self.standing, self.env, self.frame, self.locals, self.homes, self.rooms = (
            kept
        )
        self.batched, self.result, self.room, self.masks = batched, result, room, masks
        return number


__all__ = ["ASKS", "ENDED", "SWITCHED", "Int", "Routines"]
