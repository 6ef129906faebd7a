"""Constant relations: `drop(x) for x in 1..7`, where `any c in top where column(c) is x and c.disc is none`, for all x
at once.

Where a table of constant sets is asked of each x whether its set meets another, known one, the answer is a set too. The
pairs of x and an element lie at few distances from each other: for each of these the other set is moved by it, and
meets those x that have such a pair. Columns of a board are one distance, its neighbours in all directions eight.
"""

from __future__ import annotations

from dsl.engine.layout import extent, low_of
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, SetOf, Type
from dsl.ir.walk import locals_in
from dsl.wasm.mirrors import full
from dsl.wasm.opening import opened
from dsl.wasm.reps import CHUNK, reps
from dsl.wasm.text import Parts, both, get, i64, put
from dsl.wasm.vectors import Vectors

MOST_DISTANCES = 8


class Relations(Vectors):
    """Adds sets of all elements for which a condition on a table of constant sets holds."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self._distances: dict[tuple[int, int, int], dict[int, int] | None] = {}

    def found_at_once(self, condition: ir.Expr, index: int, domain: ir.Expr) -> Parts | None:
        kind = domain.type
        found = super().found_at_once(condition, index, domain)
        if found is not None or not isinstance(kind, SetOf) or extent(self.program, kind) > CHUNK:
            return found
        pre: list[str] = []
        code = self._related(condition, index, kind, pre, holds=True)
        return None if code is None else Parts(tuple(pre), (code,))

    def _related(self, e: ir.Expr, index: int, kind: SetOf, pre: list[str], *, holds: bool) -> str | None:
        """The elements for which a condition on local `index` holds (or does not)."""
        e = opened(self.program, e)
        match e:
            case ir.Op(op="not", args=(inner,)):
                return self._related(inner, index, kind, pre, holds=not holds)
            case ir.Op(op="and" | "or" as name, args=args):
                codes = [self._related(each, index, kind, pre, holds=holds) for each in args]
                known = [each for each in codes if each is not None]
                op = name if holds else {"and": "or", "or": "and"}[name]
                return both(f"i64.{op}", known) if len(known) == len(codes) else None
            case ir.Judge():
                return self._judged(e, index, kind, pre, holds=holds)
            case ir.Fold(kind="any" | "every" as name, domain=ir.Lookup(indices=(ir.Local(index=number),))):
                if number != index:
                    return None
                met = self._meeting(e, index, kind, pre, fails=name == "every")
                whole = full(extent(self.program, kind), 0)
                return met if met is None or holds == (name == "any") else f"(i64.xor {met} {whole})"
            case _:
                return None

    def _judged(self, e: ir.Judge, index: int, kind: SetOf, pre: list[str], *, holds: bool) -> str | None:
        """The elements for which an action is allowed, where they are one of its arguments."""
        action = self.program.actions[e.action]
        places = [n for n, each in enumerate(e.args) if isinstance(each, ir.Local) and each.index == index]
        plain = all(
            isinstance(each, ir.Local | ir.Const) and isinstance(each.type, Int | Id) for each in e.args
        )
        clauses = [each for each in action.prohibitions if each.kind != "allow"]
        if len(places) != 1 or not plain or not clauses or any(each.overruled_by for each in clauses):
            return None
        inner = {}
        for n, (each, to) in enumerate(zip(e.args, action.params, strict=True)):
            if n != places[0]:
                value = self.hold(self.widen(self.parts(each), each.type, to), to)
                pre += value.pre
                inner[n] = Parts((), value.codes, True), to
        before = self.env, self.frame, self.masks
        self.env, self.frame, self.masks = inner, None, {}
        codes = [self._related(each.condition, places[0], kind, pre, holds=not holds) for each in clauses]
        self.env, self.frame, self.masks = before
        known = [each for each in codes if each is not None]
        return both("i64.and" if holds else "i64.or", known) if len(known) == len(codes) else None

    def _meeting(self, e: ir.Fold, index: int, kind: SetOf, pre: list[str], *, fails: bool) -> str | None:
        """The elements whose set in a table has a member for which the condition of a fold holds (or fails)."""
        condition, of = self.only(e), e.domain.type
        if condition is None or not isinstance(of, SetOf) or not isinstance(e.domain, ir.Lookup):
            return None
        if self.weights.large(e) or extent(self.program, of) > CHUNK:
            return None
        if index in locals_in(condition) or not self.loads(condition, e.index, of):
            return None
        distances = self._distances_of(e.domain.data, kind)
        members = self.mask(condition, e.index, of, holds=not fails)
        if distances is None or members is None:
            return None
        pre += members.pre
        (rep,) = reps(self.program, of)
        name = self.temp(rep)
        pre.append(put(name, members.codes[0]))
        return both("i64.or", [_moved(get(name), by, those) for by, those in distances.items()] or [i64(0)])

    def _distances_of(self, data: int, kind: SetOf) -> dict[int, int] | None:
        """For each distance the elements that have a pair so far away in a table; none where there are many."""
        table, low, count = self.program.data[data], low_of(self.program, kind), extent(self.program, kind)
        key = data, low, count
        if key not in self._distances:
            (first, size), *others = table.dims
            whole = not others and first <= low and low + count <= first + size
            rows = table.values[low - first : low - first + count] if whole else ()
            found = _distances([row for row in rows if isinstance(row, int)])
            few = whole and len(found) <= MOST_DISTANCES
            self._distances[key] = found if few else None
        return self._distances[key]

    # ------------------------------------------------------------ values written out

    def written_out(self, e: ir.Ask) -> Parts | None:
        """A value asked for, where it is a fold whose set is known here, or comes from mirrors."""
        fold = self._asked(e)
        condition = None if fold is None else self.only(fold)
        if fold is None or condition is None:
            return None
        known = {id(fold): self.masks[id(fold)]} if id(fold) in self.masks else {}
        if not (locals_in(condition) == {fold.index} if known else self._is_light(fold, condition)):
            return None
        value = self.program.values[e.value]
        given = self.arguments(e.args, value.params)
        names = [
            (self.temp(rep), code) for rep, code in zip(self._reps(value.params), given.codes, strict=True)
        ]
        lines = [*given.pre, *(put(name, code) for name, code in names)]
        before, frame, masks, at = self.env, self.frame, self.masks, 0
        self.env, self.frame, self.masks = {}, None, known
        for index, kind in enumerate(value.params):
            count = len(reps(self.program, kind))
            self.env[index] = Parts((), tuple(get(name) for name, _ in names[at : at + count]), True), kind
            at += count
        found = self.parts(fold)
        self.env, self.frame, self.masks = before, frame, masks
        return Parts((*lines, *found.pre), found.codes, found.atomic)

    def _is_light(self, fold: ir.Fold, condition: ir.Expr) -> bool:
        """Is a fold over a small set an operation on one that is there?"""
        kind = fold.domain.type
        small = isinstance(kind, SetOf) and extent(self.program, kind) <= CHUNK
        plain = isinstance(fold.domain, ir.Lookup | ir.Const) and isinstance(fold.type, Int | Id)
        return isinstance(kind, SetOf) and small and plain and self.loads(condition, fold.index, kind)

    def _reps(self, kinds: tuple[Type, ...]) -> list[str]:
        return [rep for kind in kinds for rep in reps(self.program, kind)]


def _distances(rows: list[int]) -> dict[int, int]:
    """For each distance between a row's number and a member of its set the rows that have such a member."""
    found: dict[int, int] = {}
    for number, row in enumerate(rows):
        for member in range(row.bit_length()):
            if row >> member & 1:
                found[member - number] = found.get(member - number, 0) | 1 << number
    return found


def _moved(code: str, by: int, those: int) -> str:
    """The elements, of those given, that stand so far before a member of a set."""
    if by:
        code = f"(i64.{'shr_u' if by > 0 else 'shl'} {code} {i64(abs(by))})"
    return f"(i64.and {code} {i64(those)})"
