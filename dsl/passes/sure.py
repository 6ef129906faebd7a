"""What cannot fail where it stands, but for steps that run out: more than types tell, as conditions are followed.

`dsl.ir.effects.cannot_fail` judges an expression by its types alone, wherever it stands. Here what has been found out
on the way counts too: behind `E is not none`, E is there. Values of the rules are looked into, and folds are gone
through. Whoever moves an expression needs no more, as long as it stands before `meter`: where steps are counted follows
from where things stand then.
"""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.effects import cannot_fail
from dsl.ir.program import Program
from dsl.ir.walk import locals_in

Known = frozenset[ir.Expr]
"""Expressions that are not none."""
NOTHING: Known = frozenset()


class Sure:
    """The judge for one program; values are judged once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._values: dict[int, bool] = {}

    def expr(self, e: ir.Expr, known: Known = NOTHING) -> bool:
        """Is an expression evaluated without failing, where what is known holds?"""
        match e:
            case ir.Op(op="if", args=(condition, then, other)):
                return (
                    self.expr(condition, known)
                    and self.expr(then, known | found(condition, holds=True))
                    and self.expr(other, known | found(condition, holds=False))
                )
            case ir.Op(op="and" | "or", args=args):
                for each in args:
                    if not self.expr(each, known):
                        return False
                    known |= found(each, holds=e.op == "and")
                return True
            case ir.Op(op="some", args=(inner,)) if inner in known:
                return self.expr(inner, known)
            case ir.Op(op=op, args=args):
                return self._by_types(ir.Op(e.type, op, tuple(map(_stub, args)))) and self._all(args, known)
            case ir.Load(owner=owner):
                return owner is None or self.expr(owner, known)
            case ir.Lookup(indices=indices):
                there = ir.Lookup(e.type, e.data, tuple(map(_stub, indices)))
                return self._by_types(there) and self._all(indices, known)
            case ir.LetIn():
                return self.expr(e.value, known) and self.expr(e.body, _bound(e.index, known))
            case ir.Fold(kind=kind, domain=domain, where=where, body=body):
                inside = _bound(e.index, known)
                met = inside if where is None else inside | found(where, holds=True)
                return (
                    kind != "closure"
                    and self.expr(domain, known)
                    and (where is None or self.expr(where, inside))
                    and (body is None or self.expr(body, met))
                )
            case ir.Ask(value=value, args=args):
                return self._all(args, known) and self.value(value)
            case _:
                return self._by_types(e)

    def value(self, number: int) -> bool:
        """Is a value of the rules computed without failing, whatever its arguments are? One that asks for itself, or
        that clauses bear on, is not judged.
        """
        if number not in self._values:
            self._values[number] = False
            value = self.program.values[number]
            self._values[number] = not value.clauses and self.expr(value.base)
        return self._values[number]

    def _all(self, exprs: tuple[ir.Expr, ...], known: Known) -> bool:
        return all(self.expr(each, known) for each in exprs)

    def _by_types(self, e: ir.Expr) -> bool:
        return cannot_fail(self.program, e)


def found(condition: ir.Expr, *, holds: bool) -> Known:
    """What is not none where a condition holds, or does not."""
    match condition:
        case ir.Op(op="is_none", args=(inner,)):
            return NOTHING if holds else frozenset((inner,))
        case ir.Op(op="not", args=(inner,)):
            return found(inner, holds=not holds)
        case ir.Op(op="and" | "or" as op, args=args) if holds == (op == "and"):
            return NOTHING.union(*(found(each, holds=holds) for each in args))
        case _:
            return NOTHING


def _bound(local: int, known: Known) -> Known:
    """What is known still where a local is bound, perhaps anew."""
    return frozenset(each for each in known if local not in locals_in(each)) if known else known


def _stub(e: ir.Expr) -> ir.Expr:
    """In the place of an operand that is judged by itself: a constant keeps its value, all else its type alone."""
    return e if isinstance(e, ir.Const) else ir.Local(e.type, 0)
