"""A second, naive reading of expressions, straight from the docstrings of the nodes; and expressions to try.

`value` walks the tree. `Maker` makes random well-typed expressions over the variables of `state_world`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from dsl.engine.failure import RuleFailure
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.kinds import Bad, Kinds
from dsl.ir.operators import op_type
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from tests.ir.builders import CARDS, PLAYERS, World, world

Value = Any
"""As the oracle sees it: numbers, None, frozensets, tuples."""

SMALL, WIDE = SetOf(Int(-2, 4)), SetOf(Int(0, 70))
HAND = SetOf(Id(CARDS))
BAG, SPAN, ROW = BagOf(CARDS, 3), Record(("low", "high"), (Int(-3, 3), Int(0, 9))), ListOf(Int(0, 5), 4)
VARS: tuple[tuple[str, int | None, Type, Value], ...] = (
    ("a", None, Int(-5, 9), 3),
    ("b", PLAYERS, Int(0, 4), 2),
    ("c", None, Int(-2, 4, optional=True), NONE),
    ("d", PLAYERS, Id(CARDS, optional=True), 1),
    ("small", None, SMALL, 0b1010011),
    ("wide", PLAYERS, WIDE, 1 << 70 | 1 << 33 | 0b1011),
    ("hand", PLAYERS, HAND, 0b10110),
    ("bag", None, BAG, (0, 2, 1, 0, 3)),
    ("span", None, SPAN, (-1, 7)),
    ("row", None, ROW, (5, 0, 2)),
    ("yes", None, TRUTH, 1),
)


def state_world() -> World:
    """A world with a variable of each kind, and a table."""
    made = world()
    for name, of, kind, first in VARS:
        made.var(name, kind, ir.Const(kind, first), of=of)
    made.table("printed", Int(-1, 5), ((0, 3), (-2, 4)), tuple(n % 7 - 1 for n in range(12)))
    return made


def fail(code: str) -> RuleFailure:
    return RuleFailure(code, "the oracle says so")


class Oracle:
    """Evaluates expressions over the initial state of a program."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.kinds = Kinds(program)

    def value(self, e: ir.Expr, env: Mapping[int, Value]) -> Value:
        match e:
            case ir.Const():
                return self.read(e.type, e.value)
            case ir.Local():
                return env[e.index]
            case ir.Load():
                if e.owner is not None:
                    self.value(e.owner, env)
                return self.initial(e.var)
            case ir.LoadItem():
                return self._item(e, env)
            case ir.Lookup():
                return self._lookup(e, env)
            case ir.LetIn():
                return self.value(e.body, {**env, e.index: self.value(e.value, env)})
            case ir.Fold():
                return self._fold(e, env)
            case ir.Op(op=("and" | "or") as name):
                return self._both(name, e.args, env)
            case ir.Op(op="if"):
                return self.value(e.args[1] if self.value(e.args[0], env) else e.args[2], env)
            case ir.Op(op="else_"):
                first = self.value(e.args[0], env)
                return self.value(e.args[1], env) if first is None else first
            case ir.Op():
                return self._op(e, [self.value(arg, env) for arg in e.args])
            case _:
                raise AssertionError(e)

    def initial(self, var: int) -> Value:
        first = self.program.vars[var].initial
        assert isinstance(first, ir.Const)
        return self.read(first.type, first.value)

    def read(self, kind: Type, value: Any) -> Value:
        """An engine's value as the oracle sees it."""
        match kind:
            case Int() | Id():
                return None if value == NONE else int(value)
            case SetOf(of):
                low = self.kinds.bounds(of)[0]
                return frozenset(k + low for k in range(value.bit_length()) if value >> k & 1)
            case ListOf(of):
                return tuple(self.read(of, each) for each in value)
            case Record(_, types):
                return tuple(map(self.read, types, value))
            case BagOf():
                return tuple(value)

    def _item(self, e: ir.LoadItem, env: Mapping[int, Value]) -> Value:
        if e.owner is not None:
            self.value(e.owner, env)
        items, index = self.initial(e.var), self.value(e.item, env)
        if not 0 <= index < len(items):
            raise fail("E0604")
        return items[index]

    def _lookup(self, e: ir.Lookup, env: Mapping[int, Value]) -> Value:
        data, position = self.program.data[e.data], 0
        given = [self.value(index, env) for index in e.indices]
        for index, (low, size) in zip(given, data.dims, strict=True):
            if index is None or not low <= index < low + size:
                raise fail("E0601")
            position = position * size + index - low
        return self.read(data.type, data.values[position])

    def _both(self, name: str, args: tuple[ir.Expr, ...], env: Mapping[int, Value]) -> int:
        for arg in args:
            if bool(self.value(arg, env)) is (name == "or"):
                return int(name == "or")
        return int(name == "and")

    def _fold(self, e: ir.Fold, env: Mapping[int, Value]) -> Value:
        domain = self.value(e.domain, env)
        items = sorted(domain) if isinstance(domain, frozenset) else list(domain)
        kept, found = [], []
        if e.kind == "closure":
            return self._closure(e, env, items)
        for item in items:
            inner = {**env, e.index: item}
            if e.where is not None and not self.value(e.where, inner):
                continue
            body = item if e.body is None else self.value(e.body, inner)
            if e.kind in {"any", "every", "count", "all", "first"}:
                body = True if e.body is None else bool(body)
            kept.append(item)
            found.append(body)
            if (e.kind in {"any", "first"} and body) or (e.kind == "every" and not body):
                break
        return _folded(e.kind, kept, found)

    def _closure(self, e: ir.Fold, env: Mapping[int, Value], items: list[Any]) -> Value:
        found = set(items)
        for item in items:
            inner = {**env, e.index: item}
            if e.body is not None and (e.where is None or self.value(e.where, inner)):
                more = set(self.value(e.body, inner)) - found
                found |= more
                items.extend(sorted(more))
        return frozenset(found)

    def _op(self, e: ir.Op, a: list[Value]) -> Value:
        result = _plain(e.op, a)
        if result is not NotImplemented:
            return result
        bounds = self.kinds.bounds
        match e.op, e.type:
            case "single", SetOf(of):
                if a[0] is not None and not bounds(of)[0] <= a[0] <= bounds(of)[1]:
                    raise fail("E0601")
                return frozenset() if a[0] is None else frozenset({a[0]})
            case "narrow", Int(low, high):
                if a[0] is not None and not low <= a[0] <= high:
                    raise fail("E0601")
                return a[0]
            case "narrow", (BagOf() | ListOf()) as kind:
                if (len(a[0]) if isinstance(kind, ListOf) else max(a[0])) > kind.limit:
                    raise fail("E0601")
                return a[0]
            case "cast", SetOf(of):
                low, high = bounds(of)
                return frozenset(x + a[1] for x in a[0] if low <= x + a[1] <= high)
            case "cast", (Int() | Id()) as kind:
                low, high = bounds(kind)
                if a[0] is not None and not low <= a[0] + a[1] <= high:
                    raise fail("E0604")
                return None if a[0] is None else a[0] + a[1]
            case _:
                raise AssertionError(e.op)


def _folded(kind: str, kept: list[Value], found: list[Value]) -> Value:
    chosen = [item for item, body in zip(kept, found, strict=True) if body is True]
    match kind:
        case "any":
            return int(any(found))
        case "every":
            return int(all(found))
        case "count":
            return len(chosen)
        case "all":
            return frozenset(chosen)
        case "first":
            return chosen[0] if chosen else None
        case "sum":
            return sum(found)
        case "union":
            return frozenset().union(*found)
        case "ordered":
            return tuple(item for _, _, item in sorted(zip(found, range(len(kept)), kept, strict=True)))
        case "lowest" | "highest":
            return (min if kind == "lowest" else max)(found, default=None)
        case _:
            best = (min if kind == "least" else max)(found, default=None)
            return frozenset(item for item, body in zip(kept, found, strict=True) if body == best)


def _plain(name: str, a: list[Value]) -> Value:
    match name:
        case "add" | "sub" | "mul":
            return {"add": a[0] + a[1], "sub": a[0] - a[1], "mul": a[0] * a[1]}[name]
        case "neg":
            return -a[0]
        case "abs":
            return abs(a[0])
        case "min" | "max":
            return min(a) if name == "min" else max(a)
        case "div_down" | "div_up" | "div_zero":
            return _divided(name, a[0], a[1])
        case "not" | "is_none":
            return int(not a[0]) if name == "not" else int(a[0] is None)
        case "eq" | "ne":
            return int((a[0] == a[1]) is (name == "eq"))
        case "lt" | "le" | "gt" | "ge":
            if None in a:
                return 0
            return int({"lt": a[0] < a[1], "le": a[0] <= a[1], "gt": a[0] > a[1], "ge": a[0] >= a[1]}[name])
        case "some":
            if a[0] is None:
                raise fail("E0604")
            return a[0]
        case "id":
            return a[0]
        case "out" | "won" | "over" | "reason":
            return -1 if name == "reason" else 0
        case _:
            return _grouped(name, a)


def _grouped(name: str, a: list[Value]) -> Value:
    match name:
        case "union" | "meet":
            return frozenset.union(*a) if name == "union" else frozenset.intersection(*a)
        case "minus":
            return a[0] - a[1]
        case "subset":
            return int(a[0] <= a[1])
        case "has":
            return int(a[1] in a[0])
        case "size" | "length":
            return len(a[0])
        case "next":
            return min((x for x in a[0] if a[1] is None or x > a[1]), default=None)
        case "only":
            return min(a[0], default=None)
        case "between":
            return frozenset(range(a[0], a[1] + 1))
        case "bag_get" | "field":
            return a[0][a[1]]
        case "bag_put":
            return (*a[0][: a[1]], a[2], *a[0][a[1] + 1 :])
        case "bag_add" | "bag_sub":
            sign = 1 if name == "bag_add" else -1
            result = tuple(x + sign * y for x, y in zip(*a, strict=True))
            if min(result) < 0:
                raise fail("E0601")
            return result
        case "bag_size":
            return sum(a[0])
        case "bag_set":
            return frozenset(k for k, n in enumerate(a[0]) if n)
        case "item":
            if not 0 <= a[1] < len(a[0]):
                raise fail("E0604")
            return a[0][a[1]]
        case "append":
            return (*a[0], a[1])
        case "list_set":
            return frozenset(a[0])
        case "record":
            return tuple(a)
        case "inside":
            return int(a[0] is not None and None not in a[1] and a[1][0] <= a[0] <= a[1][1])
        case _:
            return NotImplemented


def _divided(name: str, a: int, b: int) -> int:
    if b == 0:
        raise fail("E0609")
    exact = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return {"div_down": a // b, "div_up": -(-a // b), "div_zero": exact}[name]


class Maker:
    """Makes expressions. `locals` are those bound around, by their types; new ones get new numbers."""

    def __init__(self, program: p.Program, dice: random.Random) -> None:
        self.dice = dice
        self.kinds = Kinds(program)
        self.program = program
        self.locals: list[tuple[int, Type]] = []
        self.count = 10

    def truth(self, depth: int) -> ir.Expr:
        choice = self.dice.randrange(9) if depth > 0 else 0
        match choice:
            case 0:
                return self.dice.choice([ir.Const(TRUTH, 0), ir.Const(TRUTH, 1), ir.Load(TRUTH, 10)])
            case 1 | 2:
                name = self.dice.choice(["and", "or"])
                return self.op(name, *(self.truth(depth - 1) for _ in range(self.dice.randint(2, 3))))
            case 3:
                return self.op("not", self.truth(depth - 1))
            case 4 | 5:
                name = self.dice.choice(["eq", "ne", "lt", "le", "gt", "ge"])
                return self.op(name, self.number(depth - 1, maybe=True), self.number(depth - 1, maybe=True))
            case 6:
                return self.op("has", self.set(depth - 1), self.number(depth - 1, maybe=True))
            case 7:
                name = self.dice.choice(["subset", "eq", "ne"])
                return self.op(name, self.set(depth - 1), self.set(depth - 1))
            case _:
                return self.fold(depth, self.dice.choice(["any", "every"]))

    def number(self, depth: int, *, maybe: bool = False) -> ir.Expr:
        made = self._number(depth)
        scalar = made.type
        assert isinstance(scalar, Int)
        if scalar.optional and not maybe:
            if self.dice.random() < 0.3:
                return self.op("some", made)
            return self.op("else_", made, ir.Const(Int(2, 2), 2))
        return made

    def _number(self, depth: int) -> ir.Expr:
        choice = self.dice.randrange(14) if depth > 0 else self.dice.randrange(4)
        match choice:
            case 0:
                value = self.dice.randint(-3, 6)
                return ir.Const(Int(value, value), value)
            case 1:
                bound = [ir.Local(kind, n) for n, kind in self.locals if isinstance(kind, Int)]
                return self.dice.choice(bound) if bound else ir.Load(Int(-5, 9), 0)
            case 2:
                return ir.Load(Int(-2, 4, optional=True), 2)
            case 3:
                return ir.Load(Int(0, 4), 1, ir.Const(Id(PLAYERS), self.dice.randrange(2)))
            case 4 | 5:
                name = self.dice.choice(["add", "sub", "mul", "min", "max", "div_down", "div_up", "div_zero"])
                return self.op(name, self.number(depth - 1), self.number(depth - 1))
            case 6:
                return self.op(self.dice.choice(["neg", "abs"]), self.number(depth - 1))
            case 7:
                return self.branches(self.truth(depth - 1), self._number(depth - 1), self._number(depth - 1))
            case 8:
                return self.op("size", self.set(depth - 1))
            case 9:
                return self.fold(depth, self.dice.choice(["count", "sum", "lowest", "highest", "first"]))
            case 10:
                kind = Int(-1, 3, optional=True)
                return self.op("narrow", self.number(depth - 1, maybe=True), kind=kind)
            case 11:
                return self.op("next", self.set(depth - 1), self.number(depth - 1, maybe=True))
            case 12:
                return self.listed(depth)
            case _:
                return self.let(depth)

    def listed(self, depth: int) -> ir.Expr:
        inner = self.number(depth - 1)
        row: ir.Expr = ir.Load(ROW, 9)
        match self.dice.randrange(5):
            case 0:
                return self.op("item", row, inner)
            case 1:
                return ir.LoadItem(Int(0, 5), 9, None, inner)
            case 2:
                return ir.Lookup(Int(-1, 5), 0, (self.number(depth - 1, maybe=True), inner))
            case 3:
                return self.op("field", ir.Load(SPAN, 8), ir.Const(Int(0, 1), self.dice.randrange(2)))
            case _:
                bag = self.op("bag_add", ir.Load(BAG, 7), ir.Const(BAG, (1, 0, 3, 0, 0)))
                return self.op("bag_size", bag)

    def set(self, depth: int) -> ir.Expr:
        choice = self.dice.randrange(8) if depth > 0 else self.dice.randrange(3)
        match choice:
            case 0:
                return ir.Load(SMALL, 4)
            case 1:
                return ir.Load(WIDE, 5, ir.Const(Id(PLAYERS), 0))
            case 2:
                return ir.Const(SetOf(Int(1, 6)), self.dice.randrange(64))
            case 3 | 4:
                name = self.dice.choice(["union", "meet", "minus"])
                args = self.set(depth - 1), self.set(depth - 1)
                low = min(self._range(each)[0] for each in args)
                high = max(self._range(each)[1] for each in args)
                return self.op(name, *args, kind=SetOf(Int(low, high)))
            case 5:
                kind = SetOf(Int(-4, 12))
                return self.op("single", self.number(depth - 1, maybe=True), kind=kind)
            case 6:
                return self.fold(depth, self.dice.choice(["all", "least", "most", "union"]))
            case _:
                low = self.dice.randint(-3, 3)
                return self.op(
                    "cast", self.set(depth - 1), ir.Const(Int(low, low), low), kind=SetOf(Int(-1, 40))
                )

    def let(self, depth: int) -> ir.Expr:
        value = self.number(depth - 1)
        index = self.count = self.count + 1
        self.locals.append((index, value.type))
        body = self._number(depth - 1)
        self.locals.pop()
        return ir.LetIn(body.type, index, value, body)

    def fold(self, depth: int, kind: str) -> ir.Expr:
        domain = (
            ir.Load(ROW, 9)
            if kind not in {"all", "least", "most", "union"} and self.dice.random() < 0.2
            else None
        )
        over = domain or self.set(depth - 1)
        of = over.type.of if isinstance(over.type, SetOf | ListOf) else None
        assert isinstance(of, Int)
        index = self.count = self.count + 1
        self.locals.append((index, of))
        where = self._where(depth, index, of) if self.dice.random() < 0.6 else None
        body: ir.Expr | None = None
        if kind in {"any", "every"} or (kind in {"count", "all", "first"} and self.dice.random() < 0.3):
            body = self.truth(depth - 1)
        elif kind == "union":
            body = self.set(depth - 1)
        elif kind in {"sum", "least", "most", "lowest", "highest"}:
            body = self.number(depth - 1)
        self.locals.pop()
        return ir.Fold(self._fold_type(kind, of, over, body), kind, index, over, where, body)

    def _where(self, depth: int, index: int, of: Scalar) -> ir.Expr:
        if self.dice.random() < 0.4:
            return self.op("has", self.set(0), ir.Local(of, index))
        return self.truth(depth - 1)

    def _fold_type(self, kind: str, of: Int, over: ir.Expr, body: ir.Expr | None) -> Type:
        count = self.kinds.extent(over.type) if isinstance(over.type, SetOf | ListOf) else 0
        term = of if body is None or not isinstance(body.type, Int) else body.type
        match kind:
            case "any" | "every":
                return TRUTH
            case "count":
                return Int(0, count)
            case "sum":
                return Int(min(0, term.low * count), max(0, term.high * count))
            case "union":
                assert body is not None
                return body.type
            case "lowest" | "highest":
                return Int(term.low, term.high, optional=True)
            case "first":
                return Int(of.low, of.high, optional=True)
            case _:
                return SetOf(Int(of.low - 1, of.high + 2))

    def branches(self, test: ir.Expr, yes: ir.Expr, no: ir.Expr) -> ir.Expr:
        a, b = yes.type, no.type
        assert isinstance(a, Int)
        assert isinstance(b, Int)
        kind = Int(min(a.low, b.low), max(a.high, b.high), a.optional or b.optional)
        return self.op("if", test, yes, no, kind=kind)

    def op(self, name: str, *args: ir.Expr, kind: Type | None = None) -> ir.Expr:
        found = op_type(self.kinds, ir.Op(kind or TRUTH, name, args))
        if isinstance(found, Int) and max(abs(found.low), abs(found.high)) > 10**9:
            raise Bad("too large for a test")
        return ir.Op(kind or found, name, args)

    def _range(self, e: ir.Expr) -> tuple[int, int]:
        assert isinstance(e.type, SetOf)
        return self.kinds.bounds(e.type.of)
