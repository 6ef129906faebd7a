"""Positions that have stood before, as WebAssembly: the same numbers as `dsl.engine.history` makes."""

from __future__ import annotations

from dsl.engine.history import CHOOSER, FACTOR, FACTORS, SHIFTS, spread
from dsl.ir.limits import MAX_POSITIONS
from dsl.ir.program import Alike, History, Program, Var
from dsl.ir.types import NONE
from dsl.wasm.memory import Memory
from dsl.wasm.memos import Memo
from dsl.wasm.text import i32, i64, put, test

_MIX = """
(func $mix (param $h i64) (param $word i32) (result i64)
  (local.set $h (i64.mul (i64.xor (local.get $h) (i64.extend_i32_u (local.get $word))) {factor}))
  (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 32))))
(func $mix_slots (param $h i64) (param $at i32) (param $end i32) (result i64)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (local.set $h (call $mix (local.get $h) (i32.load (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br $next)))
  (local.get $h))
(func $spread (param $x i64) (result i64)
  {spread}
  (local.get $x))
(func $changed (param $seen i32) (param $word i64) (param $key i64)
  ;; a word that was summed up as the one at $seen: what it adds to the sum now, in place of what it added then
  (if (i64.eq (local.get $word) (i64.load (local.get $seen))) (then (return)))
  (i64.store {sum} (i64.add (i64.load {sum}) (i64.sub
    (call $spread (i64.add (local.get $word) (local.get $key)))
    (call $spread (i64.add (i64.load (local.get $seen)) (local.get $key))))))
  (i64.store (local.get $seen) (local.get $word)))
(func $sum_slots (param $at i32) (param $end i32) (param $key i64) (param $seen i32)
  ;; brings the sum over words of two slots up to date; $key is what the first is added to, less one step
  (block $few (loop $next
    (block $near ;; four pairs of words at once, as nearly all are as they were
      (br_if $near (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $end)))
      (br_if $near (v128.any_true (v128.or
        (v128.or (v128.xor (v128.load (local.get $at)) (v128.load (local.get $seen)))
          (v128.xor (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $seen))))
        (v128.or (v128.xor (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $seen)))
          (v128.xor (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $seen)))))))
      (local.set $key (i64.add (local.get $key) {eight_factors}))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (local.set $seen (i32.add (local.get $seen) (i32.const 64)))
      (br $next))
    (br_if $few (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
    (if (v128.any_true (v128.xor (v128.load (local.get $at)) (v128.load (local.get $seen)))) (then
      (call $changed (local.get $seen) (i64.load (local.get $at)) (i64.add (local.get $key) {factor}))
      (call $changed (i32.add (local.get $seen) (i32.const 8))
        (i64.load offset=8 (local.get $at)) (i64.add (local.get $key) {two_factors}))))
    (local.set $key (i64.add (local.get $key) {two_factors}))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $seen (i32.add (local.get $seen) (i32.const 16)))
    (br $next)))
  (if (i32.le_u (i32.add (local.get $at) (i32.const 8)) (local.get $end)) (then
    (local.set $key (i64.add (local.get $key) {factor}))
    (if (i64.ne (i64.load (local.get $at)) (i64.load (local.get $seen))) (then
      (call $changed (local.get $seen) (i64.load (local.get $at)) (local.get $key))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $seen (i32.add (local.get $seen) (i32.const 8)))))
  (if (i32.lt_u (local.get $at) (local.get $end)) (then
    (if (i64.ne (i64.load32_u (local.get $at)) (i64.load (local.get $seen))) (then
      (call $changed (local.get $seen) (i64.load32_u (local.get $at))
        (i64.add (local.get $key) {factor})))))))
(func $occurrences (result i32) (local $now i64) (local $other i64) (local $at i32) (local $end i32)
  (local $found i32) (local $same i32) (local $board v128) (local $sought v128)
  (local.set $now (call $position))
  (local.set $board (i64x2.splat {board}))
  (local.set $sought (v128.and (i64x2.splat (local.get $now)) (local.get $board)))
  (local.set $at {list})
  (local.set $end (i32.add {list} (i32.shl (i32.load {length}) (i32.const 2))))
  (block $done (loop $next
    (block $near ;; four positions at once, as nearly all are others
      (br_if $near (i32.gt_u (i32.add (local.get $at) (i32.const 32)) (local.get $end)))
      (br_if $near (v128.any_true (v128.or
        (i64x2.eq (v128.and (v128.load (local.get $at)) (local.get $board)) (local.get $sought))
        (i64x2.eq (v128.and (v128.load offset=16 (local.get $at)) (local.get $board)) (local.get $sought)))))
      (local.set $same (i32.const 0))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br $next))
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (local.set $same (i32.const 0))
    (local.set $other (i64.xor (i64.load (local.get $at)) (local.get $now)))
    (if (i64.eqz (i64.and (local.get $other) {board})) (then ;; the same but for who has chosen, if both tell
      (local.set $same (i32.or (i64.eqz (local.get $other))
        (i32.or (i64.eqz (i64.and (i64.load (local.get $at)) {chooser}))
          (i64.eqz (i64.and (local.get $now) {chooser})))))
      (local.set $found (i32.add (local.get $found) (local.get $same)))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br $next)))
  (i32.add (local.get $found) (i32.eqz (local.get $same))))
(func $noted_last (param $now i64) (result i32) (local $length i32)
  (if (i32.eqz (local.tee $length (i32.load {length}))) (then (return (i32.const 0))))
  (i64.eq (i64.load (i32.add {before_last} (i32.shl (local.get $length) (i32.const 2)))) (local.get $now)))
(func $remember_position (local $now i64) (local $length i32)
  (local.set $now (call $position))
  (if (call $noted_last (local.get $now)) (then (return)))
  (if (i32.ge_u (local.tee $length (i32.load {length})) {most})
    (then
      (memory.copy {list} (i32.add {list} (i32.const 8)) {rest})
      (local.set $length {most_but_one})))
  (i64.store (i32.add {list} (i32.shl (local.get $length) (i32.const 2))) (local.get $now))
  (i32.store {length} (i32.add (local.get $length) (i32.const 2))))
(func $notes_aside (param $at i32) (result i32) ;; a full list moves when one more is noted: it is copied
  (if (i32.ge_u (i32.load {length}) {most}) (then
    (memory.copy (i32.add (local.get $at) {list}) {list} {whole})))
  (i32.load {length}))
(func $notes_back (param $at i32) (param $length i32) ;; takes off what was noted since
  (local $end i32)
  (if (i32.ge_u (local.get $length) {most})
    (then (memory.copy {list} (i32.add (local.get $at) {list}) {whole}))
    (else
      (local.set $end (i32.load {length}))
      (block $done (loop $next
        (br_if $done (i32.le_u (local.get $end) (local.get $length)))
        (local.set $end (i32.sub (local.get $end) (i32.const 2)))
        (i64.store (i32.add {list} (i32.shl (local.get $end) (i32.const 2))) (i64.const 0))
        (br $next)))))
  (i32.store {length} (local.get $length)))
"""


def history(program: Program, memory: Memory, kept: Memo | None) -> str:
    """The functions that note positions and count them; empty where no rule asks for that."""
    found = program.history
    if found is None or kept is None:
        return ""
    at = 4 * program.vars[found.var].offset
    seen = memory.site(8 + 8 * sum(_words(program, index) for index in found.vars))
    names = {
        "factor": i64(FACTOR),
        "eight_factors": i64(8 * FACTOR % 2**64),
        "two_factors": i64(2 * FACTOR % 2**64),
        "sum": i32(seen),
        "spread": _spread(),
        "chooser": i64(CHOOSER << 32),
        "board": i64(~(CHOOSER << 32)),
        "length": i32(at),
        "list": i32(at + 4),
        "before_last": i32(at + 4 - 8),
        "most": i32(2 * MAX_POSITIONS),
        "most_but_one": i32(2 * MAX_POSITIONS - 2),
        "rest": i32(8 * (MAX_POSITIONS - 1)),
        "whole": i32(8 * MAX_POSITIONS),
    }
    text = _MIX
    for name, code in names.items():
        text = text.replace(f"{{{name}}}", code)
    return text + _position(program, memory, found, kept, seen)


def _position(program: Program, memory: Memory, found: History, kept: Memo, seen: int) -> str:
    """The function that makes the two numbers of the position that stands now, side by side. Variables are summed up
    only where something of the position was written since, and then only the words that have changed: from `seen` on
    lie the sum, without what zeros add, and all words as they were when it was made.
    """
    lines: list[str] = []
    words = 0
    for index in found.vars:
        var = program.vars[index]
        first, last = i32(4 * var.offset), i32(4 * (var.offset + var.width * _count(program, var)))
        key, there = i64(words * FACTOR % 2**64), i32(seen + 8 + 8 * words)
        lines.append(f"(call $sum_slots {first} {last} {key} {there})")
        words += _words(program, index)
    zeros = sum(spread(k * FACTOR % 2**64) for k in range(1, words + 1)) % 2**64
    lines.append(put("$h", f"(i64.add (i64.load {i32(seen)}) {i64(zeros)})"))
    for number, alike in enumerate(found.alike, words + 1):
        lines += _pieces(program, memory, alike)
        word = f"(i64.add (local.get $sum) {i64(number * FACTOR)})"
        lines.append(_added(f"(call $spread {word})"))
    low = "(i64.and (local.get $h) (i64.const 0x7fffffff))"
    high = "(i64.shl (i64.shr_u (local.get $h) (i64.const 38)) (i64.const 37))"
    player = f"(i32.load {i32(4 * program.vars[found.last].offset)})"
    chooser = f"(i64.shl (i64.extend_i32_u (i32.add {player} (i32.const 1))) (i64.const 32))"
    nobody = f"(i32.eq {player} {i32(NONE)})"
    lines += [
        f"(global.set {kept.age} (i64.or {low} {high}))",
        f"(global.set {kept.known} (i64.or (global.get {kept.known}) {i64(kept.bit)}))",
    ]
    is_unknown = f"(i64.eqz (i64.and (global.get {kept.known}) {i64(kept.bit)}))"
    return (
        "(func $position (result i64) (local $h i64) (local $sum i64) (local $one i64) (local $m i32)\n"
        f"{test(is_unknown, lines)}\n"
        f"(i64.or (select (i64.const 0) {chooser} {nobody}) (global.get {kept.age})))\n"
    )


def _words(program: Program, index: int) -> int:
    """The words of two slots of a variable."""
    var = program.vars[index]
    return -(-var.width * _count(program, var) // 2)


def _pieces(program: Program, memory: Memory, alike: Alike) -> list[str]:
    """Makes the sum for pieces that are alike."""
    classes = memory.words(list(alike.classes))
    in_play, out = (4 * program.vars[each].offset for each in (alike.in_play, alike.out))
    one = put("$one", f"(call $mix (i64.const 0) (i32.load offset={classes} {_scaled(4)}))")
    there = [put("$one", "(call $mix (local.get $one) (i32.const 1))")]
    for index in alike.vars:
        var = program.vars[index]
        first = f"(i32.add {i32(4 * var.offset)} {_scaled(4 * var.width)})"
        last = f"(i32.add {i32(4 * (var.offset + var.width))} {_scaled(4 * var.width)})"
        there.append(put("$one", f"(call $mix_slots (local.get $one) {first} {last})"))
    gone = [put("$one", f"(call $mix (local.get $one) (i32.add (i32.const 2) {_bit(out)}))")]
    add = put("$sum", "(i64.add (local.get $sum) (local.get $one))")
    on = put("$m", "(i32.add (local.get $m) (i32.const 1))")
    again = f"(br_if $each (i32.lt_u (local.get $m) {i32(len(alike.classes))}))"
    begin = (put("$sum", "(i64.const 0)"), put("$m", "(i32.const 0)"))
    loop = f"(loop $each {one}{test(_bit(in_play), there, gone)}{add}{on}{again})"
    return [*begin, *([loop] if alike.classes else [])]


def _added(code: str) -> str:
    """Adds to the sum of all words."""
    return put("$h", f"(i64.add (local.get $h) {code})")


def _spread() -> str:
    """Spreads `$x`, as `dsl.engine.history` does."""
    lines = []
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        lines.append(put("$x", f"(i64.mul {_folded(shift)} {i64(factor)})"))
    return "".join((*lines, put("$x", _folded(SHIFTS[-1]))))


def _folded(shift: int) -> str:
    return f"(i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const {shift})))"


def _scaled(by: int) -> str:
    return f"(i32.mul (local.get $m) {i32(by)})"


def _bit(at: int) -> str:
    """Is piece `$m` in the set at this address?"""
    word = f"(i32.load offset={at} (i32.shl (i32.shr_u (local.get $m) (i32.const 5)) (i32.const 2)))"
    return f"(i32.and (i32.shr_u {word} (i32.and (local.get $m) (i32.const 31))) (i32.const 1))"


def _count(program: Program, var: Var) -> int:
    return 1 if var.of is None else len(program.domains[var.of].members)
