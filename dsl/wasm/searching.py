"""A module in which a player thinks: a tree search from the state at hand, with all that it needs in its memory.

`search.wat` has the search. What a position is worth is read in the program (`dsl/ir/worth.py`); each player has a
function that says it. A module of its own, so that one which only plays is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import Id, Int
from dsl.ir.walk import within
from dsl.ir.worth import declared, denominator, worths
from dsl.passes.pipeline import PASSES, Lowering
from dsl.wasm.assembly import Assembly, filled
from dsl.wasm.instance import FUNCTIONS
from dsl.wasm.memory import GENERATOR
from dsl.wasm.module import Module, assembled
from dsl.wasm.reps import scalar_rep
from dsl.wasm.text import i32

SEARCHING = {
    **FUNCTIONS,
    "search_open": "i",
    "search_worth": "",
    "search_from": "",
    "search_on": "iiidi",
    "search_solved": "",
    "search_entry": "i",
}
"""What such a module exports."""
SETTLED, OWN, MERGED = 1, 2, 4
"""How games are played: an option that wins decides the root; only consecutive choices of whoever is asked count; what
chance gives is not told apart.
"""
VALUED = 0.5
"""Where the author says what a position is worth, so much of what a game gives is by the worth of its leaf, the rest by
what comes of playing on (D. Silver et al., "Mastering the game of Go with deep neural networks and tree search", 2016).
"""
OUTCOMES = 36
"""Of chance as many outcomes are told apart as the root of so many for each visit: of two dice all."""
ENTRY = 32
"""Bytes of an entry of the tree."""
MOST_BITS = 22
"""The tree has at most so many entries, as a power of two: at most 128 MiB."""
MOST_ROOTS = 64
"""From so many states at most games begin in turn."""
DEEPEST = 1024
"""Choices that a way down the tree may have."""
SHARE, SCALE = 0.4, 0.1
"""What a position is worth where nobody has won is `0.5 + SHARE * d / (|d| + SCALE * (|w| + |o|) + 1)`, where `w` is
what it is worth to a player, `o` what it is worth to the others on average and `d = w - o`: so a draw is never taken
for a win. In a game for one it is `0.5 + SHARE * x`, where `x` goes from -1 to 1 as `w` goes through its range.
"""
SUPPORT = Path(__file__).with_name("search.wat")


class SearchAssembly(Assembly):
    """Translates a program, and a search over it."""

    def __init__(self, program: Program, passes: Collection[str] = PASSES) -> None:
        super().__init__(program, passes)
        lowering = Lowering(program, passes)
        players = range(len(program.domains[program.players].members))
        self._worths = [[lowering.expr(each) for each in worths(program, player)] for player in players]
        self._divisor = denominator(program)

    def _whole(self, initial: str) -> str:
        for player, exprs in enumerate(self._worths):
            self._worth(player, exprs)
        cases = "".join(
            f"(if (i32.eq (local.get $p) {i32(player)}) (then (return (call $worth{player}))))"
            for player in range(len(self._worths))
        )
        self.functions += self._sealed(), self._seen()
        self.functions.append(f"(func $worth (param $p i32) (result f64) {cases}(f64.const 0))\n")
        return super()._whole(initial).rstrip().removesuffix(")") + self._support() + ")\n"

    def _sealed(self) -> str:
        """The function that says whether the answer at hand is told to nobody yet."""
        found = [
            f"(i32.and (i32.eq (i32.load (local.get $f)) {i32(number)})"
            f" (i32.eq (i32.load offset=4 (local.get $f)) {i32(at)}))"
            for number, routine in enumerate(self.program.routines)
            for at, block in enumerate(routine.blocks)
            if isinstance(block.end, ir.Decide) and block.end.sealed
        ]
        code = i32(0)
        for each in found:
            code = f"(i32.or {code} {each})"
        at = "(i32.shl (i32.load offset=32 (i32.const 0)) (i32.const 2))"
        return f"(func $tree_sealed (result i32) (local $f i32) (local.set $f {at}) {code})\n"

    def _seen(self) -> str:
        """The function that puts into a key what everybody sees of a state: all of it where nothing is hidden, but the
        generator.
        """
        code = "(local.get $key)"
        for begin, end in _open_places(self.program):
            code = f"(call $tree_hashed {code} {i32(4 * begin)} {i32(4 * end)})"
        return f"(func $tree_seen (param $key i64) (result i64) {code})\n"

    def _worth(self, player: int, exprs: list[ir.Expr]) -> None:
        """The function of a player: the sum of some numbers."""
        self.begin_function((), 0)
        terms = []
        for expr in exprs:
            wide = "i64" if scalar_rep(expr.type) == "i64" else "i32"
            terms.append(f"(f64.convert_{wide}_s {self.number(expr, wide)})")
        code = "(f64.const 0)"
        for term in terms:
            code = f"(f64.add {code} {term})"
        if len(self._worths) == 1:
            low = sum(each.type.low for each in exprs if isinstance(each.type, Int))
            high = sum(each.type.high for each in exprs if isinstance(each.type, Int))
            middle, half = (low + high) / 2, max(high - low, 1) / 2
            code = f"(f64.div (f64.sub {code} (f64.const {middle})) (f64.const {half}))"
        elif self._divisor != 1:
            code = f"(f64.div {code} (f64.const {self._divisor}))"
        self.end_function(f"$worth{player}", [], ("f64",), [code])

    def _support(self) -> str:
        heap = (self.memory.top + 15) // 16 * 16
        names = self._names(heap, 0, "")
        gains = 8 * len(self._worths)
        valued = 0.0 if declared(self.program) is None else VALUED
        names |= {
            "extent_room": (int(names["extent"]) + 15) // 16 * 16,
            "roots_bytes": 8 * MOST_ROOTS,
            "most_roots": MOST_ROOTS,
            "path_bytes": 4 * DEEPEST,
            "gains_bytes": gains,
            "gains_room": (gains + 15) // 16 * 16,
            "nobody": str(len(self._worths) + 1),
            "hiding": str(int(hides(self.program))),
            "outcomes": OUTCOMES,
            "chancy": int(bool(_open_places(self.program)) and draws(self.program)),
            "most_bits": MOST_BITS,
            "share": str(SHARE),
            "scale": str(SCALE),
            "played": str(1 - valued),
            "valued": str(valued),
        }
        return filled(SUPPORT.read_text(encoding="utf-8"), names)


def hides(program: Program) -> bool:
    """Are there things that not every player sees, or choices that are made in secret?"""
    sealed = any(
        isinstance(block.end, ir.Decide) and block.end.sealed
        for routine in program.routines
        for block in routine.blocks
    )
    return sealed or any(var.audience is not None or var.role == "order" for var in program.vars)


def draws(program: Program) -> bool:
    """Is anything left to chance?"""
    bodies = [block.body for routine in program.routines for block in routine.blocks]
    bodies += [procedure.body for procedure in program.procedures]
    return any(
        isinstance(each, ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile)
        for body in bodies
        for each in within(body)
    )


def _open_places(program: Program) -> list[tuple[int, int]]:
    """From where to where the slots of a state lie that everybody sees, and that mean the same in all worlds."""
    if not hides(program):
        return [(GENERATOR // 4, program.size)]
    moving = {pool.domain for pool in program.pools if pool.pile is not None or pool.kind is not None}
    found: list[tuple[int, int]] = []
    for var in sorted(program.vars, key=lambda each: each.offset):
        kind = var.type
        named = kind.domain if isinstance(kind, Id) else None
        if (
            var.role == "field"
            and var.audience is None
            and isinstance(kind, Int | Id)
            and moving.isdisjoint((var.of, named))
        ):
            many = 1 if var.of is None else len(program.domains[var.of].members)
            begin, end = var.offset, var.offset + many * var.width
            if found and found[-1][1] == begin:
                begin = found.pop()[0]
            found.append((begin, end))
    return found


def search_module(machine: Machine, *, cache: bool = True) -> Module:
    """The module of a program in which its positions are searched; `Unplayable` where it is beyond this engine."""
    return Module.translated(
        machine,
        f"{machine.hash} searching",
        lambda: assembled(SearchAssembly(machine.program, machine.passes)),
        cache=cache,
    )
