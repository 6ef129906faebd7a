"""What a field has to hold for everybody to see another one, whose audience follows from it.

`plan: 1..3, seen by watchers(self)`, where those are all players once `open` holds, is laid open by `open = true`,
and not by `open = false`.
"""

from __future__ import annotations

from dsl.check.owners import PLAIN
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, Id, Int, Type
from dsl.resolve.symbol_table import World

MOST_TRIED = 64
"""Values of a field that are tried one by one."""


class Closing:
    """Weighs what is written into a field against what else could be."""

    def __init__(self, world: World, values: list[pr.Value]) -> None:
        self._world, self._values = world, values
        player = world.types.get("Player")
        self._everybody = (
            (1 << len(world.domains[player.domain].members)) - 1 if isinstance(player, Id) else 0
        )

    def closes(self, secret: int, var: int, value: ir.Expr | None) -> bool:
        """Does a field take a value that keeps another one from everybody, while some other value lets all see it?"""
        audience = self._world.vars[secret].audience
        if not isinstance(value, ir.Const) or not isinstance(value.value, int) or audience is None:
            return False
        if self._holds(audience, var, value.value) is True:
            return False
        return any(
            self._holds(audience, var, each) is True for each in self._others(self._world.vars[var].type)
        )

    def opens(self, secret: int, var: int, value: ir.Expr | None) -> bool:
        """Does a field take a value that lets everybody see another one?"""
        audience = self._world.vars[secret].audience
        if not isinstance(value, ir.Const) or not isinstance(value.value, int) or audience is None:
            return False
        return self._holds(audience, var, value.value) is True

    def _others(self, kind: Type) -> list[int]:
        match kind:
            case Int(low=low, high=high):
                return list(range(low, min(high, low + MOST_TRIED) + 1))
            case Id(domain=domain):
                return [NONE, *range(min(len(self._world.domains[domain].members), MOST_TRIED))]
            case _:
                return []

    def _holds(self, truth: ir.Expr, var: int, value: int) -> bool | None:
        """What an audience is for everybody where the field holds this; none where that alone does not decide it."""
        match truth:
            case ir.Op(op="not", args=(part,)):
                found = self._holds(part, var, value)
                return None if found is None else not found
            case ir.Op(op="and" | "or" as op, args=args):
                each = {self._holds(part, var, value) for part in args}
                if (op == "or") in each:
                    return op == "or"
                return None if None in each else op == "and"
            case ir.Op(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" as op, args=(one, two)):
                left, right = _number(one, var, value), _number(two, var, value)
                if left is None or right is None:
                    return None
                less, same = left < right, left == right
                held = {"eq": same, "ne": not same, "lt": less, "le": less or same, "gt": not (less or same)}
                return held.get(op, not less)
            case ir.Op(op="is_none", args=(one,)):
                number = _number(one, var, value)
                return None if number is None else number == NONE
            case ir.Op(op="if", args=(condition, one, two)):
                way = self._holds(condition, var, value)
                return None if way is None else self._holds(one if way else two, var, value)
            case ir.Op(op="has", args=(members, _)):
                return self._has_all(members, var, value)
            case ir.Ask(value=number) if not self._values[number].clauses:
                return self._holds(self._values[number].base, var, value)
            case _:
                number = _number(truth, var, value)
                return None if number is None else bool(number)

    def _has_all(self, members: ir.Expr, var: int, value: int) -> bool | None:
        """Is everybody in a set?"""
        match members:
            case ir.Const(value=int(bits)):
                return True if bits == self._everybody else None
            case ir.Op(op="cast" | "narrow", args=(inner, *_)):
                return self._has_all(inner, var, value)
            case ir.Op(op="union", args=args):
                return True if any(self._has_all(each, var, value) for each in args) else None
            case ir.Op(op="if", args=(condition, one, two)):
                way = self._holds(condition, var, value)
                return None if way is None else self._has_all(one if way else two, var, value)
            case ir.Fold(kind="all", domain=domain, where=where, body=None):
                if not self._has_all(domain, var, value):
                    return None
                return True if where is None else self._holds(where, var, value)
            case ir.Ask(value=number) if not self._values[number].clauses:
                return self._has_all(self._values[number].base, var, value)
            case _:
                return None


def _number(expr: ir.Expr, var: int, value: int) -> int | None:
    match expr:
        case ir.Const(value=int(known)):
            return known
        case ir.Load(var=read) if read == var:
            return value
        case ir.Op(op=op, args=(arg, *_)) if op in PLAIN and op != "cast":
            return _number(arg, var, value)
        case _:
            return None
