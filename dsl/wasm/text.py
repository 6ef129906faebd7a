"""Pieces of WebAssembly text, in folded form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_HALF_64 = 1 << 63
_HALF_32 = 1 << 31


@dataclass(frozen=True, slots=True)
class Parts:
    """A value as WebAssembly values: statements that run first, then an expression for each value.

    In an *atomic* one each expression is a local, a constant or a load from a place that stays as it is, so that it
    may be written more than once, or not at all.
    """

    pre: tuple[str, ...]
    codes: tuple[str, ...]
    atomic: bool = False


def i32(number: int) -> str:
    """A 32-bit constant, given signed or unsigned."""
    return f"(i32.const {(number + _HALF_32) % (1 << 32) - _HALF_32})"


def i64(number: int) -> str:
    """A 64-bit constant, given signed or unsigned."""
    return f"(i64.const {(number + _HALF_64) % (1 << 64) - _HALF_64})"


def get(name: str) -> str:
    """Reads a local."""
    return f"(local.get {name})"


def put(name: str, code: str) -> str:
    """Sets a local."""
    return f"(local.set {name} {code})"


def test(condition: str, then: Iterable[str], other: Iterable[str] = ()) -> str:
    """An `if` without a value."""
    rest = "".join(other)
    tail = f" (else {rest})" if rest else ""
    return f"(if {condition} (then {''.join(then)}){tail})"


def choice(kind: str, condition: str, then: str, other: str) -> str:
    """An `if` with a value."""
    return f"(if (result {kind}) {condition} (then {then}) (else {other}))"


def after(pre: Iterable[str], kind: str, code: str) -> str:
    """The value of `code`, after some statements."""
    lines = "".join(pre)
    return f"(block (result {kind}) {lines}{code})" if lines else code


def plus(code: str, number: int) -> str:
    """A 32-bit sum with a constant."""
    return f"(i32.add {code} {i32(number)})" if number else code


def both(op: str, codes: Iterable[str]) -> str:
    """An operator over several values, from left to right."""
    found, *rest = codes
    for each in rest:
        found = f"({op} {found} {each})"
    return found


def outside(code: str, low: int, high: int, kind: str = "i32") -> str:
    """Is a value outside a range? With one comparison."""
    const = i32 if kind == "i32" else i64
    shifted = f"({kind}.sub {code} {const(low)})" if low else code
    return f"({kind}.gt_u {shifted} {const(high - low)})"
