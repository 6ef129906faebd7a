"""Procedures and what enters and leaves routines; initial values, and the goals of searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.engine.layout import frame_size
from dsl.engine.reach import SLOTS
from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD, RESULT, TOP, Procedure, Routine
from dsl.ir.types import Id, Int, Type
from dsl.ir.walk import calls, within
from dsl.ir.weight import STEP
from dsl.passes.meter import counted
from dsl.wasm.blocks import Blocks
from dsl.wasm.decisions import ASKS, ENDED, SWITCHED
from dsl.wasm.function import as_rep
from dsl.wasm.reps import is_pointer, reps, scalar_rep
from dsl.wasm.text import Parts, get, i32, plus, put, test

FEW_WORDS = 32


class Routines(Blocks):
    """Adds procedures, routines, initial values and the goals of searches."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.goals = 0

    def procedure(self, index: int, procedure: Procedure, *, batched: bool) -> None:
        params, first = self.begin_function(procedure.locals, procedure.params)
        self.batched, self.result = batched, procedure.result
        lines = [*first, self.step(counted(procedure)), *self.body(procedure.body)]
        result = () if procedure.result is None else reps(self.program, procedure.result)
        if result:
            lines.append("(unreachable)")
        self.end_function(f"$p{index}{'w' if batched else ''}", params, result, lines)

    def leave(self, end: ir.Terminator) -> list[str]:
        """Ends that leave the routine to the loop that runs frames."""
        match end:
            case ir.Enter():
                return self._enter(end)
            case ir.Return():
                return self._return(end)
            case _:
                raise ValueError("other ends stay in the routine")

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
        lines.append(test(f"(i32.gt_u {get('$f')} {room})", ["(call $fail (i32.const 608)) (unreachable)"]))
        if 4 * (self.program.size - size - own) < 0:
            lines.append("(call $fail (i32.const 608)) (unreachable)")
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

    # ------------------------------------------------------------ beginnings and searches

    def initial(self, index: int) -> None:
        """The function `$i<index>`: gives a variable its initial value."""
        var = self.program.vars[index]
        self.begin_function((), 0)
        if var.of is None:
            lines = self.write(i32(0), 4 * var.offset, var.type, self.checked(var.initial, var.type))
            lines += self.memos.forgotten((index,))
        else:
            low, high = self.range_of(Id(var.of))
            member, address = self.temp("i32"), self.temp("i32")
            self.env[0] = Parts((), (get(member),), True), Id(var.of)
            written = self.write(get(address), 4 * var.offset, var.type, self.checked(var.initial, var.type))
            written += self.memos.forgotten((index,))
            step = put(member, plus(get(member), 1))
            on = f"(br_if $next (i32.le_s {get(member)} {i32(high)}))"
            place = put(address, f"(i32.mul {get(member)} {i32(4 * var.width)})")
            steps = counted(var) // STEP
            first = [self.count(min(steps, 2**30))] if steps else []
            lines = [*first, put(member, i32(low)), f"(loop $next {place}{''.join(written)}{step}{on})"]
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
        """The function of a goal, by its number among them."""
        return self._aside(given, lambda: [self.expr(e.goal)])

    def trial(self, trials: Sequence[ir.Trial], given: dict[int, tuple[Parts, Type]]) -> int:
        """The function of trials of one procedure with the same arguments, by its number among those of goals: does one
        of them hold? What they do is done once, and counted for each that is judged.
        """

        def lines() -> list[str]:
            first, *others = trials
            steps, taken = "(global.get $steps)", self.temp("i32")
            found = [self._begun(first), put(taken, steps)]
            found += self.statement(ir.Call(first.procedure, first.args, None, -1))
            found.append(put(taken, f"(i32.sub {steps} {get(taken)})"))
            for each in others:
                found.append(test(self.expr(first.condition), ["(return (i32.const 1))"]))
                found += [self._begun(each), self.count_code(get(taken))]
                first = each
            return [*found, self.expr(first.condition)]

        return self._aside(given, lines)

    def _begun(self, e: ir.Trial) -> str:
        """Counts a trial, without what it does."""
        return self.count(1 + self.program.size // SLOTS + counted(e) // STEP)

    def _aside(self, given: dict[int, tuple[Parts, Type]], lines: Callable[[], list[str]]) -> int:
        """A function in the table, by its number there; what is under way here waits."""
        number, self.goals = self.goals, self.goals + 1
        with self.elsewhere():
            self.begin_function((), 0)
            self.env = dict(given)
            self.end_function(f"$goal{number}", [], ("i32",), lines())
        return number


__all__ = ["ASKS", "ENDED", "SWITCHED", "Int", "Routines"]
