"""Which tests can notice that parts of a program have changed: those that came to one of them before it changed.

    coverage = covered(program)             # runs all tests once
    coverage.places(before, after)          # of the tests that may differ; none where nothing can be said

Two programs are compared part by part: a value, a judgement, a procedure, a block. A test does in both the same, step
by step, unless it comes to a part that differs, or that asks one that does: what such a part costs differs too; or
unless it reads a cell of a table of rows that differs. Tables are compared by what they hold, not by their numbers: one
that two columns share is two tables where a mutant has spoiled one of them. Where the programs differ in anything else
(a variable, a kind of thing, how many parts there are) nothing can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, cast

from dsl.engine.codegen.program import Group
from dsl.engine.machine import Function, Machine
from dsl.fields import values_of
from dsl.ir import nodes as ir
from dsl.ir.program import Data, Place, Program, Routine, Test
from dsl.passes.pipeline import OPTIONAL
from dsl.testing.runner import run_test

Part = tuple[str | int, ...]
"""Such as `("value", 12)`, `("judge", 3)`, `("procedure", 5)`, `("block", 4, 7)`, `("ending", 1)`, `("data", 2)`."""
ANY: Part = ("any",)
"""Of a test that may notice whatever has changed."""
EVERYWHERE = frozenset({"ending", "initial", "audience"})
"""Kinds of parts that every test comes to, or may."""
HEADS = {
    "action": "judge",
    "reason": "judge",
    "value": "value",
    "base": "value",
    "operand": "value",
    "divisor": "value",
}
SAME = ("scenario", "decisions", "players", "vars", "domains", "options", "boards", "pools", "frames")
"""What is the same in two programs that can be compared, beside the parts."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The parts that each test comes to, the cells that it reads of each table of rows (a bit for each, by the number
    of the table), and how the parts of the program are called that tests have not made.
    """

    tests: tuple[tuple[Place, frozenset[Part]], ...]
    cells: tuple[dict[int, int], ...]
    procedures: tuple[tuple[int, str], ...]
    routines: tuple[tuple[int, str], ...]
    tables: tuple[tuple[int, Data], ...]
    long: frozenset[str] = frozenset()
    """The titles of tests that take more steps than a mutant may, before anything is changed."""

    def places(self, before: Program, after: Program) -> frozenset[Place] | None:
        """The places of the tests that may do something else in one of two programs than in the other; none where
        that cannot be told. Both may have fewer tests than the program of the coverage.
        """
        found = changed(before, after)
        if found is None or any(part[0] in EVERYWHERE for part in found.parts):
            return None
        procedures = self._numbers(_procedures(before), self.procedures)
        routines = self._numbers(_routines(before), self.routines)
        tables = self._tables(before, found.cells)
        if procedures is None or routines is None or tables is None:
            return None
        wanted: set[Part] = {ANY}
        for part in found.parts:
            kind, number, *rest = part
            if kind in {"procedure", "block"}:
                numbers = procedures if kind == "procedure" else routines
                if number in numbers:
                    wanted.add((kind, numbers[int(number)], *rest))
            else:
                wanted.add(part)
        return frozenset(
            place
            for (place, reached), cells in zip(self.tests, self.cells, strict=True)
            if not wanted.isdisjoint(reached) or any(cells.get(n, 0) & bits for n, bits in tables.items())
        )

    def _tables(self, before: Program, cells: dict[int, int]) -> dict[int, int] | None:
        """Cells of tables, by the numbers of all tables that hold the same in the program of the coverage; none where
        one is no table of rows there.
        """
        found: dict[int, int] = {}
        for number, bits in cells.items():
            same = [n for n, table in self.tables if _holds(table) == _holds(before.data[number])]
            if not same:
                return None
            for each in same:
                found[each] = found.get(each, 0) | bits
        return found

    def named(self, program: Program, other: Program, parts: set[Part]) -> frozenset[Place] | None:
        """The places of the tests that come to parts of another program, by the names that they have in the program of
        the coverage; none where that cannot be told. What has no such name is come to by way of what calls it.
        """
        if any(part[0] in EVERYWHERE or part[0] == "data" for part in parts):
            return None
        known = _by_names(program, self.procedures, self.routines)
        theirs, calling = _names_of(other), _callers(other)
        own = _made_by_tests(other)
        wanted: set[Part] = {ANY}
        waiting, seen = list(parts), set(parts)
        while waiting:
            part = waiting.pop()
            if part[:2] in own:
                return None
            if (found := known.get((KIND[str(part[0])], theirs.get(part[:2], "")))) is not None:
                wanted |= found
            else:
                more = calling.get(part[:2], set()) - seen
                seen |= more
                waiting += more
        return frozenset(
            place
            for place, reached in self.tests
            if any((part[:2] if part[0] == "block" else part) in wanted for part in reached)
        )

    def _numbers(
        self, own: Sequence[tuple[int, str]], whole: Sequence[tuple[int, str]]
    ) -> dict[int, int] | None:
        """The numbers that parts have in the program of the coverage; none where they are others."""
        if [name for _, name in own] != [name for _, name in whole]:
            return None
        return {number: other for (number, _), (other, _) in zip(own, whole, strict=True)}


def covered(program: Program, steps: int) -> tuple[Coverage, frozenset[str]]:
    """The parts that the tests of a program come to, and the titles of those that fail. One that fails only where no
    more `steps` may be taken between two decisions is long: mutants may take more in it.
    """
    noting = _Noting(program)
    asked, found, cells = asked_in(program), [], []
    failing, long = set[str](), set[str]()
    for test in program.tests:
        noting.begin()
        if not run_test(noting, test, steps=steps).passed:
            noting.noted.add(ANY)
            (long if run_test(noting, test).passed else failing).add(test.title)
        found.append((test.place, frozenset(noting.noted | _read_by(test, asked))))
        cells.append(noting.read())
    procedures, routines = tuple(_procedures(program)), tuple(_routines(program))
    tables = tuple((n, program.data[n]) for n in noting.tables)
    coverage = Coverage(tuple(found), tuple(cells), procedures, routines, tables, frozenset(long))
    return coverage, frozenset(failing)


class _Table(tuple[Any, ...]):
    """A constant table that notes which of its cells are read."""

    cells: set[int]

    def __getitem__(self, at: Any) -> Any:
        self.cells.add(at)
        return super().__getitem__(at)


class _Noting(Machine):
    """A machine that notes which parts of the program are come to, and which cells of tables of rows are read."""

    notes = True

    def __init__(self, program: Program) -> None:
        super().__init__(program, sparing=True, without=OPTIONAL)
        self.noted: set[Part] = set()
        self.tables: dict[int, _Table] = {}
        for number, data in enumerate(self.program.data):
            if _has_rows(data):
                assert isinstance(data.values, tuple)
                self.tables[number] = self._shared[f"D{number}"] = table = _Table(data.values)
                table.cells = set()

    def begin(self) -> None:
        """Forgets what was noted."""
        self.noted = set()
        for table in self.tables.values():
            table.cells.clear()

    def read(self) -> dict[int, int]:
        """The cells that were read, a bit for each, by the number of their table."""
        return {
            number: sum(1 << cell for cell in table.cells)
            for number, table in self.tables.items()
            if table.cells
        }

    def came_to(self, group: Group) -> None:
        """Notes what a function is made from."""
        self.noted.add(("procedure", group[1]) if group[0] == "batched" else group)

    def function(
        self,
        key: Hashable,
        exprs: tuple[ir.Expr, ...],
        params: tuple[int, ...] = (),
        frame: Routine | None = None,
    ) -> Function:
        match key:
            case (("action" | "reason" | "value" | "base" | "operand" | "divisor") as kind, int(number), *_):
                self.noted.add((HEADS[kind], number))
            case (_, int(routine), int(block), int()):
                self.noted.add(("block", routine, block))
            case _:
                pass
        return super().function(key, exprs, params, frame)


def _read_by(test: Test, asked: dict[Part, frozenset[Part]]) -> set[Part]:
    """The heads that a test could ask for: what they read decides when its game begins."""
    found, waiting = set[Part](), [part for step in test.steps for part in _inside((step.args, step.action))]
    waiting += [("judge", step.action) for step in test.steps if step.action is not None]
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.add(part)
            waiting += asked.get(part, frozenset())
    return found


# ---------------------------------------------------------------- what differs


@dataclass
class Changes:
    """What differs in one of two programs: parts, with all that ask them; and cells of tables of rows, a bit for each,
    by the number of the table in the other.
    """

    before: Program
    after: Program
    parts: set[Part] = field(default_factory=set)
    cells: dict[int, int] = field(default_factory=dict)
    _tables: dict[tuple[int, int], int | None] = field(default_factory=dict)

    @property
    def shares_tables(self) -> bool:
        """Are the numbers of tables, texts and clauses the same in both?"""
        return (
            self.before.data is self.after.data
            and self.before.texts is self.after.texts
            and self.before.clauses is self.after.clauses
        )

    def is_same_table(self, one: int, other: int) -> bool:
        """Does a table hold the same in both? Of tables of rows cells may differ: they are noted."""
        if (one, other) not in self._tables:
            self._tables[one, other] = _differing(self.before.data[one], self.after.data[other])
        bits = self._tables[one, other]
        if bits:
            self.cells[one] = self.cells.get(one, 0) | bits
        return bits is not None


def changed(before: Program, after: Program) -> Changes | None:
    """What differs; none where more differs than parts and cells."""
    found = Changes(before, after)
    if any(not _alike(getattr(before, name), getattr(after, name), found) for name in SAME) or found.cells:
        return None
    own, other = (
        {part: code for part, code in parts_of(each) if part[0] != "data"} for each in (before, after)
    )
    if own.keys() != other.keys():
        mine, theirs = ({part for part in each if part[0] != "block"} for each in (own, other))
        if mine != theirs:
            return None
    parts = found.parts
    for part, code in own.items():
        if part not in other or not _alike(code, other[part], found):
            parts.add(part)
    for part in other.keys() - own.keys():  # of a routine with more blocks now
        parts |= {each for each in own if each[0] == "block" and each[1] == part[1]}
    for number in [part[1] for part in parts if part[0] == "routine"]:
        parts |= {each for each in own if each[0] == "block" and each[1] == number}
    kept = {each.kinds for each in before.pools} | {data for each in before.boards for _, data in each.shapes}
    if not kept.isdisjoint(found.cells):
        return None
    found.parts = with_askers(parts, asked_in(before))
    return found


def _holds(data: Data) -> tuple[object, ...]:
    """What a table gives to rules: it may be called otherwise, and stand elsewhere."""
    return data.type, data.dims, data.values, data.denominator, data.follows


def _has_rows(data: Data) -> bool:
    """Is a table one of rows, which authors write?"""
    return isinstance(data.values, tuple) and any(each is not None for each in data.clauses)


def _differing(one: Data, other: Data) -> int | None:
    """The cells in which a table of rows differs from another, a bit for each; none where more differs."""
    if _holds(one) == _holds(other):
        return 0
    if not _has_rows(one) or not isinstance(other.values, tuple) or len(one.values) != len(other.values):
        return None
    (type_, dims, _, *rest), (its_type, its_dims, _, *its_rest) = _holds(one), _holds(other)
    if (type_, dims, rest) != (its_type, its_dims, its_rest):
        return None
    pairs = enumerate(zip(one.values, other.values, strict=True))
    return sum(1 << cell for cell, (mine, theirs) in pairs if mine != theirs)


def with_askers(found: set[Part], asked: dict[Part, frozenset[Part]]) -> set[Part]:
    """Some parts, and all that ask one of them, directly or by way of others."""
    asking: dict[Part, list[Part]] = {}
    for part, others in asked.items():
        for other in others:
            asking.setdefault(other, []).append(part)
    whole, waiting = set[Part](), list(found)
    while waiting:
        part = waiting.pop()
        if part not in whole:
            whole.add(part)
            waiting += asking.get(part, [])
    return whole


def parts_of(program: Program) -> Iterator[tuple[Part, object]]:
    """The parts of a program, each with its code."""
    for n, data in enumerate(program.data):
        yield ("data", n), data
    for n, value in enumerate(program.values):
        yield ("value", n), value
    for n, action in enumerate(program.actions):
        yield ("judge", n), action
    for n, procedure in enumerate(program.procedures):
        yield ("procedure", n), procedure
    for n, routine in enumerate(program.routines):
        yield ("routine", n), (routine.params, routine.locals, routine.offsets, routine.width, routine.result)
        for number, block in enumerate(routine.blocks):
            yield ("block", n, number), block
    for n, ending in enumerate(program.endings):
        yield ("ending", n), ending


def asked_in(program: Program) -> dict[Part, frozenset[Part]]:
    """What each part asks: values, judgements, tables, and how large the frame of a routine is."""
    found = {part: frozenset(_inside(code)) for part, code in parts_of(program) if part[0] != "data"}
    for n, var in enumerate(program.vars):
        found["initial", n] = frozenset(_inside(var.initial))
        found["audience", n] = frozenset(_inside(var.audience))
    return found


def _inside(code: object) -> Iterator[Part]:
    waiting = [code]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += each
            continue
        match each:
            case ir.Ask(value=value):
                yield "value", value
            case ir.Judge(action=action):
                yield "judge", action
            case ir.Lookup(data=data):
                yield "data", data
            case ir.Enter(routine=routine):
                yield "routine", routine
            case _:
                pass
        waiting += values_in(each)


KIND = {
    "value": "value",
    "judge": "judge",
    "procedure": "action",
    "routine": "action",
    "block": "action",
}
"""What two parts of one name must both be to be the same in two programs: an action may be a routine in one of them."""
Name = tuple[str, str]


def _names_of(program: Program) -> dict[Part, str]:
    """What heads, procedures and routines are called."""
    return {
        **{("value", n): each.name for n, each in enumerate(program.values)},
        **{("judge", n): each.name for n, each in enumerate(program.actions)},
        **{("procedure", n): each.name for n, each in enumerate(program.procedures)},
        **{("routine", n): each.name for n, each in enumerate(program.routines)},
        **{("block", n): each.name for n, each in enumerate(program.routines)},
    }


def _by_names(
    program: Program, procedures: Sequence[tuple[int, str]], routines: Sequence[tuple[int, str]]
) -> dict[Name, set[Part]]:
    """The parts of each name; of blocks only which routine they belong to."""
    found: dict[Name, set[Part]] = {}
    for n, value in enumerate(program.values):
        found.setdefault(("value", value.name), set()).add(("value", n))
    for n, action in enumerate(program.actions):
        found.setdefault(("judge", action.name), set()).add(("judge", n))
    for n, name in procedures:
        found.setdefault(("action", name), set()).add(("procedure", n))
    for n, name in routines:
        found.setdefault(("action", name), set()).update({("routine", n), ("block", n)})
    return found


def _callers(program: Program) -> dict[Part, set[Part]]:
    """The parts that call each procedure or routine."""
    found: dict[Part, set[Part]] = {}
    for part, code in parts_of(program):
        waiting: list[object] = [code]
        while waiting:
            each = waiting.pop()
            match each:
                case ir.Call(procedure=number):
                    found.setdefault(("procedure", number), set()).add(part)
                case ir.Enter(routine=number):
                    found.setdefault(("routine", number), set()).add(part)
                    found.setdefault(("block", number), set()).add(part)
                case _:
                    pass
            waiting += each if isinstance(each, tuple) else values_in(each)
    return found


def _made_by_tests(program: Program) -> set[Part]:
    """The procedures and routines that tests have made."""
    procedures, routines = dict(_procedures(program)), dict(_routines(program))
    return {
        *(("procedure", n) for n in range(len(program.procedures)) if n not in procedures),
        *(
            (kind, n)
            for n in range(len(program.routines))
            if n not in routines
            for kind in ("routine", "block")
        ),
    }


def _procedures(program: Program) -> list[tuple[int, str]]:
    """The procedures that tests have not made."""
    given = {step.index for test in program.tests for step in test.steps if step.kind == "given"}
    return [(n, each.name) for n, each in enumerate(program.procedures) if n not in given]


def _routines(program: Program) -> list[tuple[int, str]]:
    """The routines that tests have not made."""
    steps = [step for test in program.tests for step in test.steps]
    made = {step.index for step in steps if step.kind in {"run", "rounds"}}
    return [(n, each.name) for n, each in enumerate(program.routines) if n not in made]


# ---------------------------------------------------------------- comparing


def _alike(one: Any, other: Any, both: Changes) -> bool:
    """Do two pieces of two programs do the same? Places in sources do not count; texts, clauses and tables do as they
    are, not by their numbers.
    """
    if one is other and both.shares_tables:
        return True
    kind = cast(Hashable, type(one))
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(
            _alike(mine, theirs, both) for mine, theirs in zip(one, other, strict=True)
        )
    named = _named(kind)
    if not named:
        return bool(one == other)
    for name, mine, theirs in zip(named, values_in(one), values_in(other), strict=True):
        if name in IGNORED:
            continue
        if isinstance(one, ir.Lookup) and name == "data":
            if not both.is_same_table(mine, theirs):
                return False
        elif (name in TEXTS or name in CLAUSES) and _are_numbers(mine) and _are_numbers(theirs):
            table = "texts" if name in TEXTS else "clauses"
            if _meant(mine, getattr(both.before, table)) != _meant(theirs, getattr(both.after, table)):
                return False
        elif not _alike(mine, theirs, both):
            return False
    return True


IGNORED = frozenset({"site", "title", "veiled"})
TEXTS = frozenset({"label", "labels", "reason"})
CLAUSES = frozenset({"clause", "clauses", "menu"})


def _are_numbers(value: Any) -> bool:
    return all(isinstance(each, int | None) for each in (value if isinstance(value, tuple) else (value,)))


def _meant(numbers: Any, table: Sequence[Any]) -> Any:
    """What numbers of texts or clauses stand for."""
    if isinstance(numbers, tuple):
        return tuple(_meant(each, table) for each in numbers)
    if isinstance(numbers, int):
        return table[numbers] if 0 <= numbers < len(table) else numbers
    return numbers  # none, or no number of that kind


@cache
def _named(kind: Hashable) -> tuple[str, ...]:
    return (
        tuple(each.name for each in fields(cast(Any, kind))) if hasattr(kind, "__dataclass_fields__") else ()
    )


@cache
def _getter(kind: Hashable) -> Callable[[Any], tuple[Any, ...]]:
    return values_of(_named(kind))


def values_in(node: object) -> tuple[Any, ...]:
    """What the fields of a node hold; nothing of what is no node."""
    kind = cast(Hashable, type(node))
    return _getter(kind)(node)
