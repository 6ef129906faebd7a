"""What the types of one program mean: their ranges, sizes, and when a value of one is a value of another.

Whatever is not well made raises `Bad`, which the verifier turns into a diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import assert_never

from dsl.ir import limits
from dsl.ir.program import Program
from dsl.ir.types import NONE, WORD, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type


class Excess(Enum):
    """What a program can have too much of."""

    NODES = auto()
    LEVELS = auto()
    LOOPS = auto()
    MAGNITUDE = auto()
    COMBINATIONS = auto()
    SLOTS = auto()
    ROUNDS = auto()
    SIDES = auto()
    LOCALS = auto()
    OTHER = auto()


class Bad(Exception):
    """What is wrong with a program, in words.

    `within` is the block of a routine, the step of a test or the line of a promise in which it was found; `circle` one
    of the parts of a program that lead back to themselves, such as `("value", 3)`.
    """

    def __init__(self, message: str, *, circle: tuple[str, int] | None = None) -> None:
        super().__init__(message)
        self.within: tuple[str, int] | None = None
        self.circle = circle


class TooMuch(Bad):
    """A program beyond what is allowed (`limits`), though nothing contradicts itself."""

    def __init__(self, message: str, excess: Excess = Excess.OTHER) -> None:
        super().__init__(message)
        self.excess = excess


@contextmanager
def inside(kind: str, number: int) -> Iterator[None]:
    """What is found wrong within is in a block, step or line of this number."""
    try:
        yield
    except Bad as bad:
        bad.within = kind, number
        raise


class Kinds:
    """The types of a program, which are checked when they are first met."""

    def __init__(self, program: Program) -> None:
        self.players = program.players
        self.endings = len(program.endings)
        self.sizes = tuple(len(each.members) for each in program.domains)
        self._good: dict[int, Type] = {}
        """The types that are, by where they lie: each is held here, so that no other comes to lie there."""
        self._same: set[Type] = set()

    def good(self, kind: Type) -> Type:
        """The type, or `Bad` where it makes no sense or is too large."""
        if id(kind) not in self._good:
            if kind not in self._same:
                self._check(kind)
                self._same.add(kind)
            self._good[id(kind)] = kind
        return kind

    def stored(self, kind: Type) -> Type:
        """A type whose values fit into slots of 32 bits."""
        self.good(kind)
        scalars: tuple[Scalar, ...]
        match kind:
            case Int() | Id():
                scalars = (kind,)
            case SetOf() | BagOf():
                scalars = ()
            case ListOf(of):
                scalars = () if isinstance(of, SetOf) else (of,)
            case Record(_, types):
                scalars = types
            case _:
                assert_never(kind)
        for each in scalars:
            low, high = self.bounds(each)
            if low < -limits.MAX_STORED or high > limits.MAX_STORED:
                raise TooMuch(f"numbers from {low} to {high} do not fit into the state")
        return kind

    def bounds(self, kind: Scalar) -> tuple[int, int]:
        """The least and the greatest value, apart from none."""
        return (kind.low, kind.high) if isinstance(kind, Int) else (0, self.sizes[kind.domain] - 1)

    def extent(self, kind: SetOf | ListOf) -> int:
        """How many elements there can be."""
        if isinstance(kind, ListOf):
            return kind.limit
        low, high = self.bounds(kind.of)
        return high - low + 1

    def slots(self, kind: Type) -> int:
        """How many slots a value fills."""
        match kind:
            case Int() | Id():
                return 1
            case SetOf():
                return -(-self.extent(kind) // WORD)
            case BagOf(domain):
                return self.sizes[domain]
            case ListOf(of, limit):
                return 1 + limit * self.slots(of)
            case Record(_, types):
                return len(types)
            case _:
                assert_never(kind)

    def fits(self, value: Type, place: Type) -> bool:
        """Is every value of the one also one of the other, in the same form? A truth is a number."""
        if value is place:
            return True
        match value, place:
            case ((Int() | Id()), (Int() | Id())):
                return self._scalar_fits(value, place)
            case SetOf(a), SetOf(b):
                return self.akin(a, b) and self.within(a, b) and self.bounds(a)[0] == self.bounds(b)[0]
            case BagOf(a, m), BagOf(b, n):
                return a == b and m <= n
            case ListOf(a, m), ListOf(b, n):
                return m <= n and self.fits(a, b)
            case Record(_, a), Record(_, b):
                return len(a) == len(b) and all(map(self.fits, a, b))
            case _:
                return False

    def family(self, value: Type, place: Type) -> bool:
        """Are the two alike but for their ranges, which are checked when the game runs?"""
        match value, place:
            case Int(), Int():
                return True
            case Id(a), Id(b):
                return a == b
            case SetOf(a), SetOf(b):
                return self.akin(a, b)
            case BagOf(a), BagOf(b):
                return a == b
            case ListOf(a), ListOf(b):
                return self.fits(a, b) if isinstance(a, SetOf) else self.family(a, b)
            case Record(_, a), Record(_, b):
                return len(a) == len(b) and all(map(self.family, a, b))
            case _:
                return False

    def akin(self, a: Scalar, b: Scalar) -> bool:
        """Are both numbers, or members of one domain?"""
        return isinstance(a, Int) == isinstance(b, Int) and getattr(a, "domain", 0) == getattr(b, "domain", 0)

    def near(self, a: Type, b: Type) -> bool:
        """Are two sets alike but for their ranges? `TooMuch` where these are so far apart that the elements of both
        take too much room in one form.
        """
        if not isinstance(a, SetOf) or not isinstance(b, SetOf) or not self.akin(a.of, b.of):
            return False
        if abs(self.bounds(a.of)[0] - self.bounds(b.of)[0]) > limits.MAX_APART:
            raise TooMuch(
                f"sets whose elements are more than {limits.MAX_APART} apart are joined or compared"
            )
        return True

    def within(self, a: Scalar, b: Scalar) -> bool:
        """Does the range of the one lie in the range of the other?"""
        (low, high), (least, most) = self.bounds(a), self.bounds(b)
        return least <= low and high <= most

    def holds(self, kind: Type, value: int | tuple[int, ...]) -> bool:
        """Is this constant a value of the type?"""
        match kind, value:
            case ((Int() | Id()), int()):
                return self._is_in(value, kind)
            case SetOf(), int():
                return value >= 0 and value.bit_length() <= self.extent(kind)
            case BagOf(domain, limit), tuple():
                return len(value) == self.sizes[domain] and all(0 <= each <= limit for each in value)
            case ListOf(of, limit), tuple():
                return len(value) <= limit and all(self.holds(of, each) for each in value)
            case Record(_, types), tuple():
                return len(value) == len(types) and all(map(self._is_in, value, types))
            case _:
                return False

    def has_zero(self, kind: Type) -> bool:
        """Is what slots of 0 mean a value of the type?"""
        match kind:
            case Int() | Id():
                return self._is_in(0, kind)
            case Record(_, types):
                return all(self._is_in(0, each) for each in types)
            case _:
                return True

    def _is_in(self, value: int, kind: Scalar) -> bool:
        low, high = self.bounds(kind)
        return low <= value <= high or (kind.optional and value == NONE)

    def _scalar_fits(self, value: Scalar, place: Scalar) -> bool:
        optional = place.optional or not value.optional
        return optional and self.akin(value, place) and self.within(value, place)

    def _check(self, kind: Type) -> None:
        match kind:
            case Int(low, high, optional):
                if not -limits.MAX_INT <= low <= high <= limits.MAX_INT:
                    raise TooMuch(f"there is no range from {low} to {high}")
                if optional and low <= NONE:
                    raise Bad(f"an optional number cannot be as low as {low}")
            case Id(domain):
                self._domain(domain)
            case SetOf(of):
                self._elements(of)
            case BagOf(domain, limit):
                self._domain(domain)
                self._bounded("counts of a bag", limit, limits.MAX_STORED)
            case ListOf(of, limit):
                self._bounded("elements of a list", limit, limits.MAX_LIST)
                self._check(of)
                if isinstance(of, Int | Id) and of.optional:
                    raise Bad("elements of a list are not optional")
            case Record(names, types):
                self._bounded("fields of a record", len(types), limits.MAX_FIELDS)
                if len(names) != len(types):
                    raise Bad("a record has a name for each field")
                for each in types:
                    self._check(each)
            case _:
                assert_never(kind)

    def _elements(self, of: Scalar) -> None:
        self._check(of)
        if of.optional:
            raise Bad("elements of a set are not optional")
        self._bounded("elements of a set", self.extent(SetOf(of)), limits.MAX_MEMBERS)
        low, high = self.bounds(of)
        if low < -limits.MAX_STORED or high > limits.MAX_STORED:
            raise TooMuch(f"a set of numbers from {low} to {high}, beyond {limits.MAX_STORED}")

    def _domain(self, domain: int) -> None:
        if not 0 <= domain < len(self.sizes):
            raise Bad(f"there is no domain {domain}")

    def _bounded(self, what: str, value: int, limit: int) -> None:
        if not 0 <= value <= limit:
            raise TooMuch(f"{value} {what} are not between 0 and {limit}")
