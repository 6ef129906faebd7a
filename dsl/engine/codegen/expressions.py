"""From expressions to Python.

`expr` gives Python source for the value of an expression, after writing the lines that must run before it.
Folds become loops and bindings become assignments, so nothing is called that need not be; where such lines
stand in a part that may not run, `and`, `or`, `if` and `else_` become `if` statements. Whatever can fail is
kept in the order from left to right. A compound result stands in parentheses.

The types of the program are taken at their word: it has been verified.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from dsl.engine.codegen.emitter import LONG, Emitter, Line, can_fail
from dsl.engine.codegen.shares import Counted, Head, Shares, Spot
from dsl.engine.layout import bounds, extent, low_of, slots
from dsl.engine.reach import SLOTS
from dsl.ir import nodes as ir
from dsl.ir.distances import Distances
from dsl.ir.program import FRAME_HEAD, Program, Routine
from dsl.ir.types import NONE, WORD, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.ir.walk import locals_in
from dsl.ir.weight import STEP, Weights
from dsl.passes.meter import counted

FEW_WORDS = 4


@dataclass(frozen=True, slots=True)
class Variant:
    """What generated code notes besides playing: what it tells and marks, which clauses took effect, and for a profile
    which lines take the steps.
    """

    telling: bool = False
    covering: bool = False
    profiling: bool = False


PLAIN, TELLING, COVERING = Variant(), Variant(telling=True), Variant(telling=True, covering=True)
PROFILING = Variant(profiling=True)


class Base(Emitter):
    """Loads, locals and tables.

    `env` names the locals that are bound here; `frame` is the routine that runs, if one.
    """

    def __init__(self, program: Program, variant: Variant) -> None:
        super().__init__()
        self.program = program
        self.variant = variant
        self.weights = Weights(program)
        self.env: dict[int, str] = {}
        self.frame: Routine | None = None
        self.shares = Shares(program, self.weights)
        self.counted: list[Counted] = []
        self.spots: dict[Spot, int] = {}
        self.entries: list[tuple[str, Head, Spot]] = []

    def count(self, steps: str, code: Iterable[Any] = (), weight: int = 0, *, fixed: int = 0) -> None:
        """Counts some steps, for code of a weight; `fixed` of them are for the line itself."""
        self.line(f"k.steps += {steps}")
        if self.variant.profiling:
            self.line(f"P.count(k, {len(self.counted)})")
            self.counted.append(self.shares.counted(code, weight, self.spot(), fixed=fixed))
        with self.indented("if k.steps > BUDGET:"):
            self.line("too_many_steps(BUDGET)")

    def entry(self, name: str, head: Head, spot: Spot | None = None) -> None:
        """Notes that a function is part of a head, and at which line it begins: the head's where none is given."""
        if self.variant.profiling:
            self.entries.append((name, head, self.shares.head_spot(head) if spot is None else spot))

    def spot(self) -> Spot:
        """The line that is being written for."""
        return self.shares.spot(self.site, self.clause)

    def spot_number(self, spot: Spot) -> int:
        """What profiling code calls a line by."""
        return self.spots.setdefault(spot, len(self.spots))

    def count_elements(self, domain: ir.Expr, weight: int, *code: ir.Expr | None) -> ir.Expr:
        """Counts the steps of a run over a domain, each element of a weight, which is that of some code; yields the
        domain, evaluated once.
        """
        done = tuple(each for each in code if each is not None)
        if isinstance(domain, ir.Const):
            n = len(domain.value) if isinstance(domain.value, tuple) else domain.value.bit_count()
            if n * weight >= STEP:
                self.count(str(n * weight // STEP), done, weight)
            return domain
        name = self.keep(self.expr(domain))
        n_code = f"len({name})" if isinstance(domain.type, ListOf) else f"({name}).bit_count()"
        self.count(f"{n_code} * {weight} // {STEP}", done, weight)
        kept = ir.Local(domain.type, -1 - len(self.env))
        self.env = {**self.env, kept.index: name}
        return kept

    def expr(self, e: ir.Expr) -> str:
        """Source for the value of `e`."""
        code = self._expr(e)
        return self.keep(code) if len(code) > LONG else code

    def _expr(self, e: ir.Expr) -> str:
        match e:
            case ir.Const():
                return literal(e.value)
            case ir.Local():
                return self.local(e.index, e.type)
            case ir.Load():
                return self.load(e)
            case ir.LoadItem():
                return self.load_item(e)
            case ir.Lookup():
                return self.lookup(e)
            case ir.Op():
                return self.op(e)
            case ir.LetIn():
                return self.let(e)
            case ir.Fold():
                return self.fold(e)
            case ir.Scan():
                return self.scan(e)
            case ir.Ask():
                return f"v{e.value}({', '.join(['s', 'k', *self.args(e.args)])})"
            case ir.Judge():
                return f"j{e.action}({', '.join(['s', 'k', *self.args(e.args)])})"
            case ir.Reach():
                return self.reach(e)
            case ir.Trial():
                return self.trial(e)
            case ir.Occurrences():
                return "occurrences(s, k)"
            case _:
                assert_never(e)

    def op(self, e: ir.Op) -> str:
        raise NotImplementedError

    def fold(self, e: ir.Fold) -> str:
        raise NotImplementedError

    def scan(self, e: ir.Scan) -> str:
        raise NotImplementedError

    def args(self, args: tuple[ir.Expr, ...]) -> list[str]:
        """The values of several expressions: what can fail is evaluated from left to right."""
        codes: list[str] = []
        for each in args:
            code, lines = self.apart(each)
            if lines:
                codes = [self.keep(code) if can_fail(code) else code for code in codes]
                self.extend(lines)
            codes.append(code)
        return codes

    def apart(self, e: ir.Expr) -> tuple[str, list[Line]]:
        """The value of an expression, and the lines that it needs, not yet written."""
        with self.captured() as lines:
            code = self.expr(e)
        return code, lines

    def local(self, index: int, kind: Type) -> str:
        if index in self.env:
            return self.env[index]
        if self.frame is None:
            return f"l{index}"
        return self.read("f", FRAME_HEAD + self.frame.offsets[index], kind)

    def let(self, e: ir.LetIn) -> str:
        if self._only_noted(e):
            return self.expr(e.body)
        name = self.keep(self.expr(e.value))
        return self.bound(e.index, name, e.body)

    def _only_noted(self, e: ir.LetIn) -> bool:
        """Is it a row of a table that nothing reads, there for what covering engines note?"""
        constant = isinstance(e.value, ir.Lookup) and all(
            isinstance(each, ir.Const) for each in e.value.indices
        )
        return constant and not self.variant.covering and e.index not in locals_in(e.body)

    def bound(self, index: int, name: str, body: ir.Expr) -> str:
        """The value of `body`, in which local `index` goes by `name`."""
        before = self.env
        self.env = {**before, index: name}
        code = self.expr(body)
        self.env = before
        return code

    def place(self, var: int, owner: ir.Expr | None) -> tuple[str, int]:
        """Where a variable begins: a name (empty for none) and a number to add to it."""
        declared = self.program.vars[var]
        if owner is None:
            return "", declared.offset
        if isinstance(owner, ir.Const) and isinstance(owner.value, int):
            return "", declared.offset + owner.value * declared.width
        code = self.expr(owner)
        if declared.width != 1:
            code = f"{code} * {declared.width}"
        return code, declared.offset

    def load(self, e: ir.Load) -> str:
        name, at = self.place(e.var, e.owner)
        kind = self.program.vars[e.var].type
        if not isinstance(kind, Int | Id) and slots(self.program, kind) > 1:
            name = self.keep(name) if name else ""
        return self.read(name, at, kind)

    def load_item(self, e: ir.LoadItem) -> str:
        kind = self.program.vars[e.var].type
        name, at = self.place(e.var, e.owner)
        if isinstance(e.item, ir.Const) and isinstance(e.item.value, int) and not isinstance(kind, ListOf):
            return slot(name, at + e.item.value)
        name = self.keep(name) if name and not isinstance(e.item, ir.Local) else name
        item = self.expr(e.item)
        if isinstance(kind, ListOf):
            item = self.list_index(item, name, at)
            at += 1
        return slot(f"{name} + {item}" if name else item, at)

    def list_index(self, item: str, name: str, at: int) -> str:
        """A number of a list variable, checked against its length."""
        item = self.keep(item)
        with self.indented(f"if not 0 <= {item} < {slot(name, at)}:"):
            self.line(f"beyond({item}, {slot(name, at)})")
        return item

    def lookup(self, e: ir.Lookup) -> str:
        data = self.program.data[e.data]
        codes = self.args(e.indices)
        if any(map(can_fail, codes)):
            codes = [self.keep(code) for code in codes]
        position, places = "", []
        for (low, size), given, index in zip(data.dims, codes, e.indices, strict=True):
            code = given
            if not self.lies_within(index.type, low, low + size - 1):
                code = self.keep(code)
                with self.indented(f"if not {low} <= {code} <= {low + size - 1}:"):
                    self.line(f"left({code}, {low}, {low + size - 1})")
            code = f"({code} - {low})" if low else code
            places.append(code)
            position = f"({position}) * {size} + {code}" if position else code
        if isinstance(data.values, Distances):
            return f"D{e.data}[{places[0]}][{places[1]}]"
        position = position or "0"
        if self.variant.covering and any(clause is not None for clause in data.clauses):
            position = self.keep(position)
            self.line(f"note(k, C{e.data}[{position}])")
        return f"D{e.data}[{position}]"

    def lies_within(self, kind: Type, low: int, high: int) -> bool:
        """Does every value of a scalar type, none too, lie in a range?"""
        if not isinstance(kind, Int | Id) or kind.optional:
            return False
        least, most = bounds(self.program, kind)
        return low <= least and most <= high

    def read(self, name: str, at: int, kind: Type) -> str:
        """The value that begins at slot `name + at`."""
        match kind:
            case Int() | Id():
                return slot(name, at)
            case SetOf():
                return self.read_set(name, at, kind)
            case BagOf() | Record():
                return f"tuple(s[{total(name, at)}:{total(name, at + slots(self.program, kind))}])"
            case ListOf():
                if isinstance(kind.of, SetOf):
                    return f"get_list(s, {total(name, at)}, {slots(self.program, kind.of)})"
                length = slot(name, at)
                return f"tuple(s[{total(name, at + 1)}:{total(name, at + 1)} + {length}])"
            case _:
                assert_never(kind)

    def read_set(self, name: str, at: int, kind: SetOf) -> str:
        count = extent(self.program, kind)
        if count < WORD:
            return slot(name, at) if count else "0"
        length = -(-count // WORD)
        if length > FEW_WORDS:
            return f"get_set(s, {total(name, at)}, {length})"
        parts = []
        for k in range(length):
            signed = k < length - 1 or count % WORD == 0
            part = f"({slot(name, at + k)} & 0xFFFFFFFF)" if signed else slot(name, at + k)
            parts.append(f"{part} << {k * WORD}" if k else part)
        return f"({' | '.join(parts)})"

    def as_set(self, code: str, kind: Type, target: Type) -> str:
        """A set of one type as one of another, whose bit 0 may stand for another value."""
        assert isinstance(kind, SetOf)
        assert isinstance(target, SetOf)
        shift = low_of(self.program, kind) - low_of(self.program, target)
        if shift == 0:
            return code
        return f"({code} << {shift})" if shift > 0 else f"({code} >> {-shift})"

    def reach(self, e: ir.Reach) -> str:
        """A search on a scratch copy: the goal becomes a function of the state."""
        args = [self.keep(code) for code in self.args(e.args)]
        name, before = self.fresh("g"), self.env
        self.env = self._apart(e.goal)
        with self.indented(f"def {name}(s):"):
            self.line(f"return {self.expr(e.goal)}")
        self.env = before
        packed = "".join(f"{arg}, " for arg in args)
        return f"reach(s, k, {e.routine}, ({packed}), {name}, limit={e.limit})"

    def trial(self, e: ir.Trial) -> str:
        """What is tried and then judged becomes a function of the state and the run."""
        name, before = self.fresh("g"), self.env
        self.env = self._apart(e)
        with self.indented(f"def {name}(s, k):"):
            weight = counted(e)
            steps = 1 + self.program.size // SLOTS
            self.count(str(steps + weight // STEP), (*e.args, e.condition), weight, fixed=steps)
            self.line(f"p{e.procedure}({', '.join(['s', 'k', *self.args(e.args)])})")
            self.line(f"return {self.expr(e.condition)}")
        self.env = before
        return f"tried(s, k, {name})"

    def _apart(self, e: ir.Expr) -> dict[int, str]:
        """The names of the locals that an expression reads, for a function of its own that takes another state."""
        inner = dict(self.env)
        if self.frame is not None:
            for index in sorted(locals_in(e) - set(self.env)):
                if index < len(self.frame.locals):
                    inner[index] = self.keep(self.local(index, self.frame.locals[index]))
        return inner


def literal(value: int | tuple[int, ...]) -> str:
    """A constant in Python."""
    if isinstance(value, tuple):
        return f"({''.join(f'{literal(each)}, ' for each in value)})"
    return repr(value) if abs(value) < 1 << 64 else hex(value)


def total(name: str, at: int) -> str:
    """Source for the slot `name + at`."""
    if not name:
        return str(at)
    return f"{name} + {at}" if at else name


def slot(name: str, at: int) -> str:
    """Source for what stands in a slot."""
    return f"s[{total(name, at)}]"


def optional(kind: Type) -> bool:
    """Can a value of the type be none?"""
    return isinstance(kind, Int | Id) and kind.optional


def is_none(e: ir.Expr) -> bool:
    """Is the expression the constant none?"""
    return isinstance(e, ir.Const) and e.value == NONE and optional(e.type)


def scalar(kind: Type) -> Scalar:
    """The type, known to be a scalar."""
    assert isinstance(kind, Int | Id)
    return kind
