"""Promises in a module that watches them: a function for each line, and one that looks at all where a game stops.

In such a module games by chance come to their decisions instead of drawing within them, so that each stop is seen. A
game that breaks a promise ends there, with a status that says which line, and the error where one came of reading it.
"""

from __future__ import annotations

from dsl.engine.promises import lines_of
from dsl.wasm.rules import Rules
from dsl.wasm.statistics import BREACH, LINE
from dsl.wasm.text import i32, test

WATCH = "(if (call $broken) (then (return (global.get $breach))))"


def watching(rules: Rules) -> str:
    """The functions that look at all promises of a program."""
    lines = lines_of(rules.program)
    for number, (_, line) in enumerate(lines):
        rules.begin_function((), 0)
        rules.end_function(f"$h{number}", [], ("i32",), [rules.expr(line.condition)])
    count = i32(len(lines))
    looked = "".join(map(_look, range(len(lines)))) + f"(global.set $line {count})"
    caught = (
        f"(block $caught (result i32) (try_table (catch $fault $caught) {looked}) (return (i32.const 0)))"
    )
    which = f"(i32.add (i32.mul (global.get $line) {i32(LINE)}) (local.get $code))"
    return (
        "(global $line (mut i32) (i32.const 0))\n(global $breach (mut i32) (i32.const 0))\n"
        f"(func $failing (result i32) {caught})\n"
        "(func $broken (result i32) (local $code i32)\n(local.set $code (call $failing))\n"
        f"(global.set $breach (i32.sub {i32(-BREACH)} {which}))\n(i32.lt_s (global.get $line) {count}))\n"
    )


def _look(number: int) -> str:
    """Reads a line; where it does not hold, nothing behind it is read."""
    broken = test(f"(i32.eqz (call $h{number}))", ["(return (i32.const 0))"])
    work = "(global.set $work (i64.add (global.get $work) (i64.extend_i32_u (global.get $steps))))"
    return f"(global.set $line {i32(number)})(global.set $steps (i32.const 0)){broken}{work}\n"
