"""The value of an expression that reads no state, for given locals: as any engine would compute it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.program import Clause, Data, Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.walk import inside

Plain = int | tuple[int, ...]
Locals = dict[int, Plain]
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
COMPUTED: dict[str, Callable[..., int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "min": min,
    "max": max,
    "abs": abs,
}
JOINED: dict[str, Callable[[int, int], int]] = {
    "union": operator.or_,
    "meet": operator.and_,
    "minus": lambda one, other: one & ~other,
}
FOLDS = frozenset({"any", "every", "count", "sum", "all", "first"})


class NotConstant(Exception):
    """The expression reads the state, fails, or is of a kind that is left to the engines."""


class Constants:
    """Evaluates; `left` is how many more nodes may be visited in a whole program, `data` its tables, also new ones."""

    def __init__(self, program: Program, data: list[Data], left: int) -> None:
        self.program = program
        self.data = data
        self.left = left

    def low(self, kind: Type) -> int:
        """The value that bit 0 of a set stands for."""
        if isinstance(kind, SetOf):
            return kind.of.low if isinstance(kind.of, Int) else 0
        raise NotConstant

    def value(self, expr: ir.Expr, known: Locals) -> Plain:
        """The value of an expression; raises `NotConstant`."""
        self.left -= 1
        if self.left < 0:
            raise NotConstant
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Local(index=index):
                if index not in known:
                    raise NotConstant
                return known[index]
            case ir.Lookup():
                return self.lookup(expr, known)
            case ir.Op():
                return self.op(expr, known)
            case ir.LetIn(index=index, value=value, body=body):
                return self.value(body, {**known, index: self.value(value, known)})
            case ir.Fold():
                return self.fold(expr, known)
            case ir.Scan(index=index, domain=domain, kept=kept, start=start, step=step):
                found = self.value(start, known)
                for element in self.elements(domain, known):
                    found = self.value(step, {**known, index: element, kept: found})
                return found
            case ir.Ask(value=number, args=args) if self.is_plain(number):
                given = {at: self.value(arg, known) for at, arg in enumerate(args)}
                return self.value(self.program.values[number].base, given)
            case _:
                raise NotConstant

    def number(self, expr: ir.Expr, known: Locals) -> int:
        """A scalar or a set."""
        found = self.value(expr, known)
        if isinstance(found, tuple):
            raise NotConstant
        return found

    def is_plain(self, value: int) -> bool:
        """Is it a value on which no clause bears, and that no rule of a book stands behind, whose use is told?"""
        declared = self.program.values[value]
        return not declared.clauses and not self.cited(declared.clause)

    def cited(self, clause: int | None) -> bool:
        """Does a clause cite a rule, or say that it is ours?"""
        if clause is None:
            return False
        found: Clause = self.program.clauses[clause]
        return bool(found.ids) or found.house

    # ------------------------------------------------------------ kinds of expressions

    def lookup(self, expr: ir.Lookup, known: Locals) -> Plain:
        data = self.data[expr.data]
        if any(self.cited(clause) for clause in data.clauses):
            raise NotConstant
        at = 0
        for index, (low, size) in zip(expr.indices, data.dims, strict=True):
            here = self.number(index, known) - low
            if not 0 <= here < size:
                raise NotConstant
            at = at * size + here
        return data.values[at]

    def op(self, expr: ir.Op, known: Locals) -> int:
        op, args = expr.op, expr.args
        if op in {"and", "or"}:
            stop = int(op == "or")
            return next((stop for arg in args if self.number(arg, known) == stop), 1 - stop)
        if op == "if":
            return self.number(args[1] if self.number(args[0], known) else args[2], known)
        if op == "else_":
            first = self.number(args[0], known)
            return first if first != NONE else self.number(args[1], known)
        if any(isinstance(arg.type, BagOf | ListOf | Record) for arg in args):
            raise NotConstant
        values = [self.number(arg, known) for arg in args]
        if op in COMPUTED:
            return self.computed(expr, values)
        return self.plain(expr, values)

    def computed(self, expr: ir.Op, values: list[int]) -> int:
        """Arithmetic, which the verifier has bounded; none has no place in it."""
        if NONE in values or not isinstance(expr.type, Int):
            raise NotConstant
        return COMPUTED[expr.op](*values)

    def plain(self, expr: ir.Op, values: list[int]) -> int:
        op, first = expr.op, values[0]
        match op:
            case "eq" | "ne" if expr.args[0].type == expr.args[1].type or not any(
                isinstance(arg.type, SetOf) for arg in expr.args
            ):
                return int((first == values[1]) == (op == "eq"))
            case "lt" | "le" | "gt" | "ge":
                return int(NONE not in values and COMPARED[op](first, values[1]))
            case "not":
                return 1 - first
            case "is_none":
                return int(first == NONE)
            case "some" if first != NONE:
                return first
            case "union" | "meet" | "minus" if expr.args[0].type == expr.args[1].type:
                return JOINED[op](first, values[1])
            case "has":
                return int(values[1] != NONE and self.holds(expr.args[0].type, first, values[1]))
            case "size":
                return first.bit_count()
            case "single" if isinstance(expr.type, SetOf):
                return self.single(expr.type, first)
            case "id":
                return first
            case _:
                raise NotConstant

    def single(self, kind: SetOf, element: int) -> int:
        """The set of one element, or of none; one that has no place in it is left to play, which fails there."""
        if element == NONE:
            return 0
        places = elements(self.program, kind)
        if element not in places:
            raise NotConstant
        return 1 << element - places.start

    def holds(self, kind: Type, mask: int, element: int) -> bool:
        """Is an element in a set?"""
        at = element - self.low(kind)
        return at >= 0 and bool(mask >> at & 1)

    def elements(self, domain: ir.Expr, known: Locals) -> Iterator[int]:
        """What a fold runs over, in its order."""
        found = self.value(domain, known)
        if isinstance(found, tuple):
            yield from found
            return
        low = self.low(domain.type)
        while found:
            least = found & -found
            yield least.bit_length() - 1 + low
            found ^= least

    def fold(self, expr: ir.Fold, known: Locals) -> int:
        if expr.kind not in FOLDS:
            raise NotConstant
        kept = [
            {**known, expr.index: element}
            for element in self.elements(expr.domain, known)
            if expr.where is None or self.number(expr.where, {**known, expr.index: element})
        ]
        bodies = [self.number(expr.body, each) for each in kept] if expr.body is not None else []
        elements = [each[expr.index] for each in kept]
        match expr.kind:
            case "any":
                return int(any(bodies)) if expr.body is not None else int(bool(kept))
            case "every":
                return int(all(bodies))
            case "count":
                return len(kept)
            case "sum":
                return sum(bodies)
            case "first":
                found = elements[0] if elements else NONE
                return found if isinstance(found, int) else NONE
            case _:
                low = self.low(expr.type)
                return sum(1 << each - low for each in elements if isinstance(each, int))


def members(program: Program, kind: Type) -> range | None:
    """All values of a scalar type that is never none."""
    match kind:
        case Int(low=low, high=high, optional=False):
            return range(low, high + 1)
        case Id(domain=domain, optional=False):
            return range(len(program.domains[domain].members))
        case _:
            return None


def elements(program: Program, kind: SetOf) -> range:
    """All that can be in a set."""
    found = members(program, replace(kind.of, optional=False))
    assert found is not None
    return found


def bound_in(expr: ir.Expr) -> set[int]:
    """The locals that an expression binds itself."""
    found = {each.index for each in inside(expr) if isinstance(each, ir.Fold | ir.LetIn | ir.Scan)}
    return found | {each.kept for each in inside(expr) if isinstance(each, ir.Scan)}


__all__ = ["Constants", "Locals", "NotConstant", "Plain", "bound_in", "members"]
