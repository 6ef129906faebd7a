"""A WebAssembly function under construction: its locals, labels, and values that are written more than once."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.engine.layout import bounds
from dsl.ir.program import MOST_ASKED, Program, Routine
from dsl.ir.types import NONE, Id, Int, Type
from dsl.ir.weight import STEP, Weights
from dsl.wasm.memory import Memory
from dsl.wasm.memos import Memos
from dsl.wasm.pure_memos import PureMemos
from dsl.wasm.reps import reps, scalar_rep
from dsl.wasm.text import Parts, after, get, i32, i64, put, test

LIGHT_ENOUGH = 100_000
"""So many elements of a set or list, each of such a weight, weigh together less than 32 bits hold."""


class Function:
    """What is at hand within one function: `env` has the locals that are bound, each with its type; `frame` is the
    routine that runs, if one; `temps` are the WebAssembly locals.
    """

    def __init__(self, program: Program, memory: Memory) -> None:
        self.program = program
        self.memory = memory
        self.weights = Weights(program)
        self.memos = Memos(program, self.weights)
        self.memos.choose(memory)
        self.pure = PureMemos(program, self.weights, memory)
        self.env: dict[int, tuple[Parts, Type]] = {}
        self.frame: Routine | None = None
        self.temps: list[str] = []
        self.known_types: set[Type] = set()
        self._fresh = 0

    # ------------------------------------------------------------ names

    def temp(self, kind: str) -> str:
        """A new WebAssembly local."""
        name = self.label("t")
        self.temps.append(f"(local {name} {kind})")
        return name

    def label(self, letter: str = "b") -> str:
        self._fresh += 1
        return f"${letter}{self._fresh}"

    def hold(self, value: Parts, kind: Type) -> Parts:
        """The value as one that may be written more than once."""
        if value.atomic:
            return value
        names = [self.temp(rep) for rep in reps(self.program, kind)]
        kept = [put(name, code) for name, code in zip(names, value.codes, strict=True)]
        return Parts((*value.pre, *kept), tuple(map(get, names)), True)

    def atom(self, code: str, kind: str = "i32") -> tuple[tuple[str, ...], str]:
        """Statements, and a code that may then be written more than once."""
        if code.startswith(("(local.get ", "(i32.const ", "(i64.const ")):
            return (), code
        name = self.temp(kind)
        return (put(name, code),), get(name)

    def sequence(self, values: Sequence[tuple[Parts, Type]]) -> Parts:
        """Several values, one after the other."""
        pre: list[str] = []
        done: list[tuple[Parts, Type]] = []
        for given, kind in values:
            rep = reps(self.program, kind)
            if len(rep) == 1:
                whole = after(given.pre, rep[0], given.codes[0])
                done.append((Parts((), (whole,), given.atomic and not given.pre), kind))
                continue
            if given.pre:
                for at, (earlier, of) in enumerate(done):
                    kept = self.hold(earlier, of)
                    pre += kept.pre
                    done[at] = Parts((), kept.codes, True), of
                pre += given.pre
            done.append((Parts((), given.codes, given.atomic), kind))
        codes = tuple(code for value, _ in done for code in value.codes)
        return Parts(tuple(pre), codes, all(value.atomic for value, _ in done))

    # ------------------------------------------------------------ steps

    def count(self, steps: int) -> str:
        """Counts some steps."""
        return self.count_code(i32(min(steps, MOST_ASKED + 1)))

    def count_code(self, code: str) -> str:
        """Counts some steps. A way that fails does not come back (`unreachable`), so that what was read stays known."""
        total = f"(global.set $steps (i32.add (global.get $steps) {code}))"
        return total + test(
            "(i32.gt_u (global.get $steps) (global.get $budget))",
            ["(call $fail (i32.const 608)) (unreachable)"],
        )

    def count_elements(self, count: str, weight: int) -> str:
        """Counts the steps of a run over so many elements, each of a weight."""
        if weight < LIGHT_ENOUGH:
            return self.count_code(f"(i32.div_u (i32.mul {count} {i32(weight)}) {i32(STEP)})")
        many = f"(i64.div_u (i64.mul (i64.extend_i32_u {count}) {i64(weight)}) {i64(STEP)})"
        name = self.temp("i64")
        least = f"(select (local.tee {name} {many}) {i64(MOST_ASKED + 1)} (i64.lt_u {many} {i64(MOST_ASKED + 1)}))"
        return self.count_code(f"(i32.wrap_i64 {least})")

    def none_of(self, kind: Type) -> str:
        """None, in the form of a scalar type."""
        return i64(NONE) if scalar_rep(kind) == "i64" else i32(NONE)

    def range_of(self, kind: Type) -> tuple[int, int]:
        assert isinstance(kind, Int | Id)
        return bounds(self.program, kind)


def as_rep(code: str, source: str, target: str) -> str:
    """A number in the other width."""
    if source == target:
        return code
    return f"(i64.extend_i32_s {code})" if target == "i64" else f"(i32.wrap_i64 {code})"


def is_atom(code: str) -> bool:
    """Is the code a local or a constant?"""
    return code.startswith(("(local.get ", "(i32.const ", "(i64.const "))


def scaled(code: str, by: int) -> str:
    """A product with a constant."""
    if by == 1 or code == i32(0):
        return code
    if by & by - 1 == 0:
        return f"(i32.shl {code} {i32(by.bit_length() - 1)})"
    return f"(i32.mul {code} {i32(by)})"
