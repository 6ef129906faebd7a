"""What leads to what: that nothing calls itself without a bound, and how high the stack of frames can grow.

Values, judgements, procedures and routines are the nodes. A cycle is allowed only among routines that
enter each other, and only where every way around it passes a routine that both reads and writes a
variable of the role `depth`. The numbers of such a variable say how often the cycle can be open at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cache
from typing import Any, TypeAlias

from dsl.fields import values_of
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad
from dsl.ir.ops import WORDS
from dsl.ir.program import Program
from dsl.ir.shapes import EXPRESSIONS, Fixed, Many, Maybe, Node, Part, Shape, fields_of
from dsl.ir.types import Int
from dsl.records import record

Vertex: TypeAlias = tuple[str, int]
"""Such as `("value", 3)`: value, judge, procedure, routine, and `endings` for all of them together."""

TABLES = {
    "clause": "clauses",
    "menu": "clauses",
    "label": "texts",
    "reason": "texts",
    "prompt": "texts",
    "site": "sites",
    "pool": "pools",
    "procedure": "procedures",
    "routine": "routines",
    "action": "actions",
    "var": "vars",
    "data": "data",
    "labels": "texts",
    "parts": "domains",
    "kinds": "data",
    "in_play": "vars",
    "out": "vars",
    "pile": "vars",
    "order": "vars",
    "clauses": "clauses",
    "value": "values",
    "title": "texts",
    "scenario_title": "texts",
    "own_words": "texts",
    "players": "domains",
    "main": "routines",
    "last": "vars",
    "vars": "vars",
}
"""The table that a field of this name points into, wherever it holds a number."""
_SHARED = frozenset(EXPRESSIONS)
NOT_INDICES = {(ir.Const, "value")}


@record(slots=True)
class Found:
    """What stands in a part of the program."""

    leads: set[Vertex] = field(default_factory=set)
    enters: set[int] = field(default_factory=set)
    loads: set[int] = field(default_factory=set)
    stores: set[int] = field(default_factory=set)
    counts: set[int] = field(default_factory=set)
    """Variables that leave their range, and so fail, where they are counted up too often."""
    chance: bool = False


class Graph:
    """The calls of a program, once every index in it has been seen to be in range."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._position = position(program)
        self.found: dict[Vertex, Found] = {}
        for kind, table in (
            ("value", program.values),
            ("judge", [each.prohibitions for each in program.actions]),
            ("procedure", program.procedures),
            ("routine", program.routines),
        ):
            for index, part in enumerate(table):
                self.found[kind, index] = self._search(part)
        self._reads: dict[Vertex, set[int]] = {}
        self.found["endings", 0] = self._search(program.endings)
        self.order = tuple(_components({name: self._next(name) for name in self.found}))
        """Groups of what leads to each other, callees first; most are of one."""

    def chancy(self) -> frozenset[int]:
        """The procedures that may leave something to chance."""
        chancy: set[Vertex] = set()
        for group in self.order:
            for name in group:
                found = self.found[name]
                if found.chance or not chancy.isdisjoint(found.leads):
                    chancy.add(name)
        return frozenset(index for kind, index in chancy if kind == "procedure")

    def stack(self) -> int:
        """The greatest height of the stack of frames of a game; `Bad` where nothing bounds it."""
        highest = self.heights()
        searched = {name[1] for found in self.found.values() for name in found.leads if name[0] == "routine"}
        return max(highest[index] for index in {self.program.main, *searched})

    def heights(self) -> dict[int, int]:
        """How high the stack can grow from each routine on."""
        highest: dict[int, int] = {}
        for group in self.order:
            routines = [index for kind, index in group if kind == "routine"]
            again = self._again(group)
            width = sum(self.program.routines[index].width * again.get(index, 1) for index in routines)
            beyond = {target for index in routines for target in self._enters(index)} - set(routines)
            top = width + max((highest[target] for target in beyond), default=0)
            highest.update(dict.fromkeys(routines, top))
        return highest

    def reads(self, part: Any) -> set[int]:
        """The variables that an expression reads, itself or through what it asks."""
        if not self._reads:
            for group in self.order:
                below = [self._reads.get(target, set()) for name in group for target in self._next(name)]
                loads: set[int] = set()
                loads.update(*below, *(self.found[name].loads for name in group))
                self._reads.update(dict.fromkeys(group, loads))
        found = self._search(part)
        return found.loads.union(*(self._reads[name] for name in found.leads))

    def searches(self, part: Any) -> bool:
        """Does an expression run a routine, itself or through what it asks?"""
        waiting, seen = list(self._search(part).leads), set[Vertex]()
        while waiting:
            name = waiting.pop()
            if name[0] == "routine":
                return True
            if name not in seen:
                seen.add(name)
                waiting += self.found[name].leads
        return False

    def _again(self, group: tuple[Vertex, ...]) -> dict[int, int]:
        """How often each routine of the group can be on the stack at once; once, where it is not said.

        A routine that counts itself is there once more than its count; one that does not, once between two
        that do.
        """
        inner = set(group)
        if len(group) == 1 and group[0] not in self._next(group[0]):
            return {}
        for kind, index in group:
            if kind != "routine" or not inner.isdisjoint(self.found[kind, index].leads):
                raise Bad(f"{kind} {index} leads back to itself", circle=(kind, index))
        depths = {name: self._depth(name[1]) for name in group}
        unguarded = {name for name in group if not depths[name]}
        rest = {name: self._next(name) & unguarded for name in unguarded}
        for part in _components(rest):
            if len(part) > 1 or part[0] in rest[part[0]]:
                message = (
                    f"routine {part[0][1]} enters itself again, and no variable of role `depth` counts it"
                )
                raise Bad(message, circle=part[0])
        whole = 1 + sum(depths.values())
        return {name[1]: depth + 1 if depth else whole for name, depth in depths.items()}

    def _depth(self, routine: int) -> int:
        """How often a routine lets itself be entered again, 0 where it does not count that."""
        found = self.found["routine", routine]
        called = [self.found[name] for name in found.leads if name[0] in {"procedure", "judge"}]
        loads = found.loads.union(*(each.loads for each in called))
        stores = found.stores.union(*(each.stores for each in called))
        counted = (loads & stores) | found.counts
        return sum(self._bound(var) for var in counted if self.program.vars[var].role in {"depth", "window"})

    def _bound(self, var: int) -> int:
        declared = self.program.vars[var]
        count = 1 if declared.of is None else len(self.program.domains[declared.of].members)
        return max(0, declared.type.high) * count if isinstance(declared.type, Int) else 0

    def _enters(self, routine: int) -> set[int]:
        return self.found["routine", routine].enters

    def _next(self, name: Vertex) -> set[Vertex]:
        found = self.found[name]
        return found.leads | {("routine", index) for index in found.enters}

    def _search(self, part: Any) -> Found:
        found = Found()
        for node in everything(part):
            cls: type = type(node)
            if cls in _QUIET:
                continue
            if cls is ir.Occurrences:
                found.loads |= self._position
            else:
                _note(node, found)
        return found


def position(program: Program) -> frozenset[int]:
    """The variables that `occurrences` reads."""
    history = program.history
    if history is None:
        return frozenset()
    pieces = {var for each in history.alike for var in (each.in_play, each.out, *each.vars)}
    return frozenset({history.var, history.last, *history.vars, *pieces})


def everything(part: Any) -> Iterator[Any]:
    """Every object of the IR in a part of the program, a shared expression once."""
    seen: set[int] = set()
    waiting = [part]
    inside: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        cls: type = type(each)
        if cls is tuple or cls is list:
            waiting += each
            continue
        if cls in _SHARED:
            place = id(each)
            if place in seen:
                continue
            seen.add(place)
        yield each
        within = inside.get(cls)
        if within is None:
            within = inside[cls] = inside_of(cls)
        if within is not _NOTHING:
            waiting += within(each)


@cache
def inside_of(cls: type) -> Callable[[Any], tuple[Any, ...]]:
    """What yields the fields of an object in which others can stand."""
    names = within_of(cls)
    return values_of(names) if names else _NOTHING


def _NOTHING(part: Any) -> tuple[Any, ...]:
    return ()


def check_fields(program: Program, most: int) -> tuple[list[str], list[str]]:
    """Each number that points into a table and misses it, and each text that should be one of a closed set of words and
    is not, `most` of either: found in one walk, as there is much to walk through.
    """
    sizes = {name: len(getattr(program, name)) for name in set(TABLES.values())}
    lost: list[str] = []
    foreign: list[str] = []
    every: dict[type, tuple[Pointers, Closed]] = {}
    for node in everything(program):
        cls: type = type(node)
        checked = every.get(cls)
        if checked is None:
            checked = every[cls] = _checked(cls)
        pointers, closed = checked
        if not pointers and not closed:
            continue
        for name, table in pointers:
            held = getattr(node, name)
            if type(held) is int and 0 <= held < sizes[table]:
                continue
            for index in held if isinstance(held, tuple) else (held,):
                unknown = name == "site" and index == -1
                if isinstance(index, int) and not 0 <= index < sizes[table] and not unknown:
                    there = f"there are {sizes[table]} {table}"
                    lost.append(f"`{name}` of a `{cls.__name__}` is {str(index)[:20]}, and {there}")
        for name, words in closed:
            held = getattr(node, name)
            for word in held if isinstance(held, tuple) else (held,):
                if word is not None and word not in words:
                    expected = ", ".join(words)
                    foreign.append(f"`{name}` of a `{cls.__name__}` is `{word[:20]}`, expected {expected}")
        if len(lost) > most or len(foreign) > most:
            break
    return lost[:most], foreign[:most]


Pointers: TypeAlias = tuple[tuple[str, str], ...]
Closed: TypeAlias = tuple[tuple[str, Mapping[str, None]], ...]


@cache
def _checked(cls: type) -> tuple[Pointers, Closed]:
    """The fields of a class that point into tables, and those that hold one of some words."""
    names = (field.name for field in fields_of(cls) if (cls, field.name) not in NOT_INDICES)
    pointers = tuple((name, TABLES[name]) for name in names if name in TABLES)
    closed = tuple((name, dict.fromkeys(words)) for (of, name), words in WORDS.items() if of is cls)
    return pointers, closed


_LEADS: dict[type, tuple[str, str]] = {
    ir.Ask: ("value", "value"),
    ir.Judge: ("judge", "action"),
    ir.Refused: ("judge", "action"),
    ir.Reach: ("routine", "routine"),
    ir.Call: ("procedure", "procedure"),
    ir.Trial: ("procedure", "procedure"),
}
"""What leads to something else: to what, and the field with its number."""
_QUIET = frozenset({ir.Op, ir.Const, ir.Local, ir.Lookup, ir.Fold, ir.If, ir.SetLocal})
"""The most frequent of what says nothing of these things."""
_CHANCE = frozenset({ir.Roll, ir.RollList, ir.Pick, ir.ShufflePile})


def _note(node: Any, found: Found) -> None:
    cls: type = type(node)
    if cls is ir.Load or cls is ir.LoadItem:
        found.loads.add(node.var)
    elif cls is ir.Store:
        found.stores.add(node.var)
    elif cls is ir.Change:
        found.stores.add(node.var)
        if not node.saturates:
            found.counts.add(node.var)
    elif cls in _LEADS:
        kind, name = _LEADS[cls]
        found.leads.add((kind, getattr(node, name)))
    elif cls is ir.Enter:
        found.enters.add(node.routine)
    elif cls is ir.TestEndings:
        found.leads.add(("endings", 0))
    elif cls in _CHANCE:
        found.chance = True


@cache
def within_of(cls: type) -> tuple[str, ...]:
    """The fields of a class that hold expressions, statements or parts of the program."""
    return tuple(field.name for field in fields_of(cls) if _holds_nodes(field.shape))


def _holds_nodes(shape: Shape) -> bool:
    match shape:
        case Node() | Part():
            return True
        case Many(item) | Maybe(item):
            return _holds_nodes(item)
        case Fixed(items):
            return any(map(_holds_nodes, items))
        case _:
            return False


def _components(leads: dict[Vertex, set[Vertex]]) -> Iterator[tuple[Vertex, ...]]:
    """Tarjan's strongly connected components, callees first, without recursion (Tarjan 1972)."""
    number: dict[Vertex, int] = {}
    low: dict[Vertex, int] = {}
    path: list[Vertex] = []
    on_path: set[Vertex] = set()
    for start, first in leads.items():
        if start in number:
            continue
        work: list[tuple[Vertex, Iterator[Vertex]]] = [(start, iter(sorted(first)))]
        number[start] = low[start] = len(number)
        path.append(start)
        on_path.add(start)
        while work:
            name, rest = work[-1]
            for target in rest:
                if target not in number:
                    number[target] = low[target] = len(number)
                    path.append(target)
                    on_path.add(target)
                    work.append((target, iter(sorted(leads[target]))))
                    break
                if target in on_path:
                    low[name] = min(low[name], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == number[name]:
                    at = path.index(name)
                    group = tuple(path[at:])
                    del path[at:]
                    on_path.difference_update(group)
                    yield group
