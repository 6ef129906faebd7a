"""Can some conditions hold at once? A bounded search over the finite domains of what they read.

A condition becomes a graph of `Term`s in which equal terms are one. What a search may choose freely is a *variable*: a
parameter, a field or variable of the state, a bag's count, whether a set holds something; and everything that is not
taken apart here (a value with clauses, a `count`, a list): that is *opaque*, its value follows from more than is seen
here. There are two searches.

1. The **loose** one takes each variable as it is written: `u.fired` is one truth, whatever `u` is, and a printed column
   `u.kind` is one of the kinds. It forgets some of what is known, so that it may only say "no".
2. The **exact** one gives parameters values, reads tables and fields with them, and finds a situation.

The answer is `Situation` (what the variables are, and whether any of them is opaque), `EXCLUDED` (proved: never), or
`UNDECIDED` (too much work, or numbers in ranges too wide to try them all). Work is counted in terms that are read,
never in time, so that every machine gives the same answer.

A condition whose evaluation fails (`some` of none) does not hold: a game that meets it fails there anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from enum import Enum
from typing import Any, assert_never

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.operators import OPERATORS, Fails, evaluated
from dsl.ir.operators.numbers import NUMBERS
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, Scalar, SetOf, Type
from dsl.lower.rewrite import walk_ir
from dsl.records import record

MOST_VALUES = 1_024
"""Values of a variable that are all tried; of a wider range only those beside the numbers that are compared with it."""
MOST_TERMS = 4_000
"""Terms of one condition; a longer one is opaque."""
MOST_READ = 40_000
"""Terms that one question may read."""
SMALL_SET = 6
"""Elements of a set of which every subset is tried."""

COMPUTED = frozenset(each.name for each in NUMBERS if not each.fails)
"""Arithmetic that the loose search takes as it is written."""
MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
LESS, SAME, MORE, ONE_NONE, BOTH_NONE = range(5)
"""How two things stand to each other, in the loose search."""
HOLDS = {
    "lt": {LESS},
    "le": {LESS, SAME},
    "gt": {MORE},
    "ge": {SAME, MORE},
    "eq": {SAME, BOTH_NONE},
    "ne": {LESS, MORE, ONE_NONE},
}


class Verdict(Enum):
    """An answer without a situation."""

    EXCLUDED = "excluded"
    UNDECIDED = "undecided"


EXCLUDED, UNDECIDED = Verdict.EXCLUDED, Verdict.UNDECIDED


@record(frozen=True, slots=True)
class Situation:
    """A way in which conditions hold: the variables that were chosen, in their order."""

    chosen: tuple[tuple[Variable, int], ...]

    @property
    def is_opaque(self) -> bool:
        """Does it rest on something that may be impossible for reasons that were not looked at?"""
        return any(variable.kind in OPAQUE for variable, _ in self.chosen)


Answer = Situation | Verdict


@record(frozen=True, slots=True)
class Variable:
    """Something that a search chooses a value for.

    `kind` and `key`, in the exact search: `local` (number), `load` (variable of the state, then its owner if it has
    one), `item` (the same, then which item), `has` (the same, then an element), and what is opaque: `ask` (value,
    arguments), `member` (term of a set, element), `term` (a term). In the loose one also `written` and `held` (terms),
    and `relation` (two terms).
    """

    kind: str
    key: tuple[int, ...]
    type: Type | None = field(compare=False, default=None)


@record(frozen=True, slots=True)
class Term:
    """A node of the graph; `args` are numbers of terms.

    `op`: an operator of the IR, or `const local load item lookup ask opaque`.
    """

    op: str
    data: tuple[Any, ...]
    args: tuple[int, ...]


OPAQUE = frozenset({"ask", "member", "term"})


class Failing(Exception):
    """An evaluation that fails in play."""


class Exhausted(Exception):
    """Too much has been read."""


Plain = Callable[[int], "tuple[int, ir.Expr] | None"]
"""For the number of a value: how many parameters it has, and its base, if nothing else bears on it."""


@record(slots=True)
class Terms:
    """The graph of the terms of one head's clauses."""

    sizes: Sequence[int]
    """How many members each domain has."""
    tables: Sequence[pr.Data]
    vars: Sequence[Type]
    locals: Sequence[Type | None]
    """The types of the head's parameters."""
    plain: Plain | None = None
    terms: list[Term] = field(default_factory=list)
    types: list[Type | None] = field(default_factory=list)
    index: dict[object, int] = field(default_factory=dict)
    opened: list[int] = field(default_factory=list)
    budget: int = MOST_TERMS
    read: dict[int, frozenset[int]] = field(default_factory=dict)

    # ------------------------------------------------------------ from expressions to terms

    def of(self, expr: ir.Expr) -> int:
        """The term of an expression whose free locals are the head's parameters."""
        self.budget = MOST_TERMS
        return self._of(expr, {}, {})

    def _enter(self, op: str, data: tuple[Any, ...], args: tuple[int, ...], type_: Type | None) -> int:
        typed = op in {"const", "opaque", *COMPUTED, "cast", "id", "narrow", "else_", "if", "some", "ask"}
        key = (op, data, args, type_ if typed else None)
        at = self.index.get(key)
        if at is None:
            at = self.index[key] = len(self.terms)
            self.terms.append(Term(op, data, args))
            self.types.append(type_)
        return at

    def bounds(self, kind: Scalar) -> tuple[int, int]:
        """The least and the greatest value of a type."""
        return (kind.low, kind.high) if isinstance(kind, Int) else (0, self.sizes[kind.domain] - 1)

    def constant(self, value: int | tuple[int, ...], type_: Type) -> int:
        """The term of a constant."""
        return self._enter("const", (value,), (), type_)

    def op(self, name: str, args: Iterable[int], type_: Type) -> int:
        """The term of an operator over terms."""
        return self._enter(name, (), tuple(args), type_)

    def _of(self, expr: ir.Expr, known: dict[int, int], done: dict[int, int]) -> int:
        at = done.get(id(expr))
        if at is None:
            self.budget -= 1
            at = done[id(expr)] = self._term(expr, known, done)
        return at

    def _term(self, expr: ir.Expr, known: dict[int, int], done: dict[int, int]) -> int:
        if self.budget < 0:
            return self.opaque(expr, known)
        args: tuple[int, ...]
        match expr:
            case ir.Const(type=type_, value=value):
                return self.constant(value, type_)
            case ir.Local(index=index, type=type_):
                if index in known:
                    return known[index]
                declared = self.locals[index] if index < len(self.locals) else None
                return self._enter("local", (index,), (), declared or type_)
            case ir.Load(var=var, owner=owner):
                args = () if owner is None else (self._of(owner, known, done),)
                return self._enter("load", (var,), args, self.vars[var])
            case ir.LoadItem(type=type_, var=var, owner=owner, item=item):
                args = () if owner is None else (self._of(owner, known, done),)
                type_ = _item_type(self.vars[var], item, type_)
                return self._enter("item", (var,), (*args, self._of(item, known, done)), type_)
            case ir.Lookup(data=data, indices=indices):
                args = tuple(self._of(each, known, done) for each in indices)
                return self._enter("lookup", (data,), args, self.tables[data].type)
            case ir.Op(type=SetOf(), op="cast", args=(held, ir.Const(value=0))):
                return self._of(held, known, done)
            case ir.Op(type=type_, op=op, args=parts):
                return self._enter(op, (), tuple(self._of(each, known, done) for each in parts), type_)
            case ir.LetIn(index=index, value=value, body=body):
                bound = self._of(value, known, done)
                return self._of(body, {**known, index: bound}, {})
            case ir.Ask(type=type_, value=value, args=parts):
                args = tuple(self._of(each, known, done) for each in parts)
                return self.asked(value, args, type_)
            case ir.Fold() | ir.Scan() | ir.Judge() | ir.Reach() | ir.Trial() | ir.Occurrences():
                return self.opaque(expr, known)
            case _:
                assert_never(expr)

    def asked(self, value: int, args: tuple[int, ...], type_: Type) -> int:
        """What a value gives: its base, where nothing else bears on it."""
        found = None if self.plain is None or value in self.opened else self.plain(value)
        if found is None:
            return self._enter("ask", (value,), args, type_)
        self.opened.append(value)
        base = self._of(found[1], dict(enumerate(args[: found[0]])), {})
        self.opened.pop()
        return base

    def opaque(self, expr: ir.Expr, known: dict[int, int]) -> int:
        """An expression that is not taken apart. What it binds is numbered anew, so that equal ones are one."""
        bound: dict[int, int] = {}
        shape: list[object] = []
        for each in walk_ir(expr):
            match each:
                case ir.Local(index=index) if index in known and index not in bound:
                    shape.append(("term", known[index]))
                case ir.Local(index=index):
                    shape.append(("local", bound.get(index, index)))
                case ir.Fold(kind=kind, index=index, where=where, body=body):
                    bound.setdefault(index, -1 - len(bound))
                    shape.append(("fold", kind, bound[index], where is None, body is None))
                case ir.Scan(index=index, kept=kept):
                    bound.setdefault(index, -1 - len(bound))
                    bound.setdefault(kept, -1 - len(bound))
                    shape.append(("scan", bound[index], bound[kept]))
                case ir.LetIn(index=index):
                    bound.setdefault(index, -1 - len(bound))
                    shape.append(("let", bound[index]))
                case ir.Const(type=type_, value=value):
                    shape.append(("const", type_, value))
                case ir.Load(var=var, owner=owner):
                    shape.append(("load", var, owner is None))
                case ir.LoadItem(var=var, owner=owner):
                    shape.append(("item", var, owner is None))
                case ir.Lookup(data=data, indices=indices):
                    shape.append(("lookup", data, len(indices)))
                case ir.Op(type=type_, op=op, args=args):
                    shape.append((op, len(args), type_))
                case ir.Ask(value=value):
                    shape.append(("ask", value))
                case ir.Judge(action=action):
                    shape.append(("judge", action))
                case ir.Reach(routine=routine, limit=limit):
                    shape.append(("reach", routine, limit))
                case ir.Trial(procedure=procedure):
                    shape.append(("trial", procedure))
                case ir.Occurrences():
                    shape.append("occurrences")
                case _:
                    pass
        return self._enter("opaque", (tuple(shape),), (), expr.type)

    def conjuncts(self, term: int) -> list[int]:
        """What must hold for a term to hold."""
        found: list[int] = []
        stack = [(term, True)]
        while stack:
            at, holds = stack.pop()
            here = self.terms[at]
            if here.op == "not":
                stack.append((here.args[0], not holds))
            elif (here.op == "and" and holds) or (here.op == "or" and not holds):
                stack.extend((each, holds) for each in reversed(here.args))
            else:
                found.append(at if holds else self.op("not", (at,), Int(0, 1, truth=True)))
        return list(dict.fromkeys(found))

    # ------------------------------------------------------------ domains

    def values(self, type_: Type | None) -> list[int] | None:
        """All values of a type, in their order and none last; none where there are too many."""
        match type_:
            case Int(low=low, high=high) if high - low < MOST_VALUES:
                found = list(range(low, high + 1))
            case Id(domain=domain) if self.sizes[domain] <= MOST_VALUES:
                found = list(range(self.sizes[domain]))
            case SetOf(of=of):
                count = self.sizes[of.domain] if isinstance(of, Id) else of.high - of.low + 1
                return list(range(1 << count)) if count <= SMALL_SET else None
            case _:
                return None
        return [*found, NONE] if type_.optional else found

    def constants_below(self, terms: Iterable[int]) -> list[int]:
        """The numbers that stand in some terms."""
        found: set[int] = set()
        for each in terms:
            found |= self._read(each)
        return sorted(found)

    def _read(self, at: int) -> frozenset[int]:
        if at not in self.read:
            term = self.terms[at]
            own = {term.data[0]} if term.op == "const" and isinstance(term.data[0], int) else set()
            self.read[at] = frozenset(own).union(*(self._read(each) for each in term.args))
        return self.read[at]


Known = dict[Variable, int]


@record(slots=True)
class Search:
    """One search over a graph: `exact`, or loose."""

    terms: Terms
    exact: bool
    numbers: list[int]
    left: int
    chosen: Known = field(default_factory=dict)
    needed: list[Variable] = field(default_factory=list)
    is_partial: bool = False
    """Were only some values of a wide range tried?"""

    def find(self, wanted: list[int]) -> Known | None:
        """Values with which all terms hold; none where there are none among those that are tried."""
        pending: list[tuple[int, list[Variable]]] = []
        for at in wanted:
            self.needed = []
            try:
                value = self.value(at, {})
            except Failing:
                return None
            if value is None:
                pending.append((at, list(dict.fromkeys(self.needed))))
            elif not value:
                return None
        if not pending:
            return dict(self.chosen)
        _, needed = min(pending, key=lambda each: len(each[1]))
        if not needed:
            raise Exhausted
        variable = min(needed, key=lambda each: len(self.tried(each)))
        rest = [at for at, _ in pending]
        for value in self.tried(variable):
            self.chosen[variable] = value
            found = self.find(rest)
            if found is not None:
                return found
        self.chosen.pop(variable, None)
        return None

    def tried(self, variable: Variable) -> list[int]:
        """The values that are tried for a variable."""
        if variable.kind == "relation":
            return [LESS, SAME, MORE, ONE_NONE, BOTH_NONE]
        values = self.terms.values(variable.type)
        if values is not None:
            return values
        self.is_partial = self.is_partial or self.exact
        if isinstance(variable.type, Int):
            low, high = variable.type.low, variable.type.high
            beside = {low, high, *(n + d for n in self.numbers for d in (-1, 0, 1))}
            none = [NONE] if variable.type.optional else []
            return [*sorted(each for each in beside if low <= each <= high), *none]
        size = self.terms.sizes[variable.type.domain] if isinstance(variable.type, Id) else 0
        self.is_partial = True
        return list(range(min(size, MOST_VALUES)))

    # ------------------------------------------------------------ evaluation

    def value(self, at: int, memo: dict[int, int | None]) -> int | None:
        """The value of a term, or none where it follows from what is not chosen yet (`needed` has it then)."""
        if at in memo:
            return memo[at]
        self.left -= 1
        if self.left < 0:
            raise Exhausted
        found = memo[at] = self._value(at, self.terms.terms[at], memo)
        return found

    def variable(self, variable: Variable) -> int | None:
        found = self.chosen.get(variable)
        if found is None:
            self.needed.append(variable)
        return found

    def opaque(self, at: int) -> int | None:
        """A term as one variable."""
        return self.variable(Variable("term", (at,), self.terms.types[at]))

    def written(self, at: int) -> int | None:
        """In the loose search, a term as it is written."""
        return self.variable(Variable("written", (at,), self.terms.types[at]))

    def _value(self, at: int, term: Term, memo: dict[int, int | None]) -> int | None:
        op, args = term.op, term.args
        match op:
            case "const":
                value = term.data[0]
                return value if isinstance(value, int) else self.opaque(at)
            case "local":
                return self.variable(Variable("local", term.data, self.terms.types[at]))
            case "load" | "item" | "ask":
                return self._read(at, term, memo)
            case "lookup":
                return self._looked_up(at, term, memo)
            case "and" | "or":
                return self._joined(op, args, memo)
            case "if":
                test = self.value(args[0], memo)
                return None if test is None else self.value(args[1] if test else args[2], memo)
            case "else_":
                first = self.value(args[0], memo)
                return self.value(args[1], memo) if first == NONE else first
            case "has":
                return self._has(at, args[0], args[1], memo)
            case "eq" | "ne" | "lt" | "le" | "gt" | "ge" if not self.exact:
                return self._related(at, op, args, memo)
            case _:
                return self._computed(at, op, args, memo)

    def _read(self, at: int, term: Term, memo: dict[int, int | None]) -> int | None:
        """What the state holds, or a value gives. The loose search takes it as it is written."""
        if not self.exact:
            return self.written(at)
        given = [self.value(each, memo) for each in term.args]
        numbers = [each for each in given if each is not None]
        if len(numbers) < len(given):
            return None
        if NONE in numbers and term.op != "ask":
            raise Failing
        return self.variable(Variable(term.op, (*term.data, *numbers), self.terms.types[at]))

    def _looked_up(self, at: int, term: Term, memo: dict[int, int | None]) -> int | None:
        if not self.exact and any(self.terms.terms[each].op != "const" for each in term.args):
            return self.written(at)
        data = self.terms.tables[term.data[0]]
        place = 0
        for index, (low, size) in zip(term.args, data.dims, strict=True):
            here = self.value(index, memo)
            if here is None:
                return None
            if not low <= here < low + size:
                raise Failing
            place = place * size + here - low
        found = data.values[place]
        return found if isinstance(found, int) else self.opaque(at)

    def _joined(self, op: str, args: tuple[int, ...], memo: dict[int, int | None]) -> int | None:
        stop, is_open = int(op == "or"), False
        for each in args:
            try:
                found = self.value(each, memo)
            except Failing:
                if not is_open:
                    raise
                return None
            if found == stop:
                return stop
            is_open = is_open or found is None
        return None if is_open else 1 - stop

    def _has(self, at: int, holder: int, item: int, memo: dict[int, int | None]) -> int | None:
        """Is something in a set? A set that is computed is taken apart."""
        term, type_ = self.terms.terms[holder], self.terms.types[holder]
        element = self.value(item, memo)
        if not isinstance(type_, SetOf):
            return self.opaque(at)
        if element == NONE:
            return 0
        low = type_.of.low if isinstance(type_.of, Int) else 0
        match term.op:
            case "union" | "meet" | "minus" if all(self.terms.types[each] == type_ for each in term.args):
                first, second = (self._has(at, each, item, memo) for each in term.args)
                if term.op == "minus":
                    second = None if second is None else 1 - second
                stop = int(term.op == "union")
                if stop in {first, second}:
                    return stop
                return None if None in {first, second} else 1 - stop
            case "single":
                only = self.value(term.args[0], memo)
                return None if only is None or element is None else int(only == element)
            case "const" | "lookup" if self.exact or self._is_plain(holder, item):
                mask = self.value(holder, memo)
                if mask is None or element is None:
                    return None
                return int(element >= low and mask >> (element - low) & 1)
            case _ if self.exact:
                return self._held(holder, element, type_, memo)
            case _:
                return self.variable(Variable("held", (holder, item), Int(0, 1, truth=True)))

    def _is_plain(self, holder: int, item: int) -> bool:
        """Is a set written out, and are all elements that may be asked for tried?"""
        return (
            self.terms.terms[holder].op == "const" and self.terms.values(self.terms.types[item]) is not None
        )

    def _held(
        self, holder: int, element: int | None, type_: SetOf, memo: dict[int, int | None]
    ) -> int | None:
        """In the exact search: of a small set that the state holds what it is, of others whether it holds this."""
        term = self.terms.terms[holder]
        low = type_.of.low if isinstance(type_.of, Int) else 0
        if self.terms.values(type_) is not None and term.op != "opaque":
            mask = self.value(holder, memo)
            return (
                None
                if mask is None or element is None
                else int(element >= low and mask >> (element - low) & 1)
            )
        if element is None:
            return None
        if term.op != "load":
            return self.variable(Variable("member", (holder, element), Int(0, 1, truth=True)))
        owner = [self.value(each, memo) for each in term.args]
        known = [each for each in owner if each is not None]
        if len(known) < len(owner):
            return None
        return self.variable(Variable("has", (*term.data, *known, element), Int(0, 1, truth=True)))

    def _related(self, at: int, op: str, args: tuple[int, ...], memo: dict[int, int | None]) -> int | None:
        """In the loose search: a comparison of two things that are both open is a choice of how they stand."""
        one, two = args
        fixed = [self.terms.terms[each].op == "const" for each in args]
        if one == two and op in {"eq", "le", "ge", "ne", "lt", "gt"}:
            none = isinstance(kind := self.terms.types[one], Int | Id) and kind.optional
            if op in {"eq", "ne"}:
                return int(op == "eq")
            if not none:
                return int(op in {"le", "ge"})
        if any(fixed):
            return self._computed(at, op, args, memo)
        if one > two:
            one, two, op = two, one, MIRRORED[op]
        found = self.variable(Variable("relation", (one, two)))
        return None if found is None else int(found in HOLDS[op])

    def _computed(self, at: int, op: str, args: tuple[int, ...], memo: dict[int, int | None]) -> int | None:
        """An operator all of whose arguments are known; what is not understood is one variable."""
        types = [
            each for each in map(self.terms.types.__getitem__, args) if isinstance(each, Int | Id | SetOf)
        ]
        result = self.terms.types[at]
        if op not in UNDERSTOOD or len(types) < len(args) or result is None:
            return self.opaque(at)
        if any(isinstance(each, SetOf) for each in types) and not self._are_sets(at, op, types):
            return self.opaque(at)
        if not self.exact and op in COMPUTED and any(self.terms.terms[each].op != "const" for each in args):
            return self.written(at)
        given = [self.value(each, memo) for each in args]
        known = [each for each in given if each is not None]
        if len(known) < len(given):
            return None
        try:
            found = evaluated(OPERATORS[op], known, types, result, self.terms.bounds)
        except Fails:
            raise Failing from None
        assert isinstance(found, int)
        return found

    def _are_sets(self, at: int, op: str, types: Sequence[Type]) -> bool:
        """Can an operator on sets be computed: are they of one type, and few enough to try them all?"""
        sets = {each for each in types if isinstance(each, SetOf)}
        if isinstance(kind := self.terms.types[at], SetOf):
            sets.add(kind)
        return (
            self.exact
            and op in {"eq", "ne", "union", "meet", "minus", "size", "single", "subset"}
            and len(sets) == 1
            and self.terms.values(next(iter(sets))) is not None
        )


def _item_type(holder: Type, item: ir.Expr, read: Type) -> Type:
    """What one count, field or element of a variable may be."""
    match holder:
        case BagOf(limit=limit):
            return Int(0, limit)
        case Record(types=types) if isinstance(item, ir.Const) and isinstance(item.value, int):
            return types[item.value]
        case ListOf(of=of):
            return of
        case _:
            return read


UNDERSTOOD = COMPUTED | {
    *("lt", "le", "gt", "ge", "eq", "ne", "not", "is_none", "some", "id", "narrow", "cast"),
    *("union", "meet", "minus", "size", "single", "subset"),
}
"""Operators that are computed where their operands are known; any other is one variable."""


def compatible(terms: Terms, wanted: Iterable[int], budget: int = MOST_READ) -> tuple[Answer, int]:
    """Can all of some terms hold at once? Yields the answer, and how many terms were read for it."""
    needed = list(dict.fromkeys(part for each in wanted for part in terms.conjuncts(each)))
    numbers = terms.constants_below(needed)
    spent = 0
    verdict: Answer = UNDECIDED
    for exact in (False, True):
        search = Search(terms, exact, numbers, budget - spent)
        try:
            found = search.find(needed)
        except (Exhausted, RecursionError):
            return UNDECIDED, budget
        spent = budget - search.left
        if found is None and not search.is_partial:
            return EXCLUDED, spent
        if found is not None and exact:
            verdict = Situation(tuple(found.items()))
    return verdict, spent


__all__ = ["EXCLUDED", "UNDECIDED", "Answer", "Situation", "Terms", "Variable", "compatible"]
