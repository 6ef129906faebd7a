"""The value of an expression that reads no state, for given locals: as any engine would compute it."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.ir import nodes as ir
from dsl.ir.kinds import Kinds
from dsl.ir.operators import OPERATORS, Fails, evaluated
from dsl.ir.program import Clause, Data, Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.walk import inside

Plain = int | tuple[int, ...]
Locals = dict[int, Plain]
COMPOUND = (BagOf, ListOf, Record)
"""Types of values that are left to the engines."""
FOLDS = frozenset({"any", "every", "count", "sum", "all", "first"})


class NotConstant(Exception):
    """The expression reads the state, fails, or is of a kind that is left to the engines."""


class Constants:
    """Evaluates; `left` is how many more nodes may be visited in a whole program, `data` its tables, also new ones."""

    def __init__(self, program: Program, data: list[Data], left: int) -> None:
        self.program = program
        self.data = data
        self.left = left
        self.kinds = Kinds(program)

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
        return self.evaluated(expr, [self.number(arg, known) for arg in args])

    def evaluated(self, expr: ir.Op, values: list[int]) -> int:
        """The value of an operator on scalars and sets, from those of its operands."""
        declared = OPERATORS[expr.op]
        kinds = [arg.type for arg in expr.args]
        if not is_folded(expr):
            raise NotConstant
        try:
            found = evaluated(declared, values, kinds, expr.type, self.kinds.bounds)
        except Fails:
            raise NotConstant from None
        assert isinstance(found, int)
        return found

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


def is_folded(expr: ir.Op) -> bool:
    """Is it an operator that is computed from the values of all its operands?"""
    declared, kinds = OPERATORS[expr.op], (expr.type, *(arg.type for arg in expr.args))
    return declared.value is not None and declared.folded and not any(isinstance(e, COMPOUND) for e in kinds)


def members(program: Program, kind: Type) -> range | None:
    """All values of a scalar type that is never none."""
    match kind:
        case Int(low=low, high=high, optional=False):
            return range(low, high + 1)
        case Id(domain=domain, optional=False):
            return range(len(program.domains[domain].members))
        case _:
            return None


def bound_in(expr: ir.Expr) -> set[int]:
    """The locals that an expression binds itself."""
    found = {each.index for each in inside(expr) if isinstance(each, ir.Fold | ir.LetIn | ir.Scan)}
    return found | {each.kept for each in inside(expr) if isinstance(each, ir.Scan)}


__all__ = ["Constants", "Locals", "NotConstant", "Plain", "bound_in", "members"]
