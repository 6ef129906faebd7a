"""Who may read what is told: for each thing that a line of the log shows, what of it not everybody sees.

A thing is shown to those who pass all of its *bars*; without any, everybody reads it. Bars are found once, before play;
both engines ask them where the line is told (`dsl.engine.codegen.telling`, `dsl.wasm.telling`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dsl.engine.card_knowledge import secret_pools
from dsl.engine.secrecy import RESULT, Secrecy
from dsl.ir import nodes as ir
from dsl.ir.copies import Scope
from dsl.ir.program import Place, Program
from dsl.ir.types import Id, ListOf, SetOf, Type
from dsl.ir.walk import inside, locals_in, parts, within

Chance = ir.Roll | ir.RollList | ir.Pick


@dataclass(frozen=True, slots=True)
class Bar:
    """What only some players pass. `nobody`: none; `actor`: the one whom the local `number` holds; `variable`: who may
    see that variable of the member in `args` (none: of the game); `value`: who may see all that this value reads,
    asked with `args`.
    """

    kind: Literal["nobody", "actor", "variable", "value"]
    number: int = -1
    args: tuple[ir.Expr, ...] = ()


NOBODY = Bar("nobody")
Bars = tuple[Bar, ...]


class Readers:
    """Finds the bars of a program."""

    def __init__(self, program: Program, secrecy: Secrecy | None = None) -> None:
        self.program = program
        self.secrecy = secrecy or Secrecy(program)

    # ------------------------------------------------------------ what a line of the log shows

    def of_log(self, scope: Scope, st: ir.Log | ir.Refused) -> tuple[Bars, ...]:
        """The bars of each argument of a line, told in the code of a scope."""
        keeping = isinstance(st, ir.Log) and st.kind == "do"
        return tuple(
            self._veiled(scope, e) if n in st.veiled else self._kept(scope, e) if keeping else self.of(e)
            for n, e in enumerate(st.args)
        )

    def of_taken(self, scope: Scope, offer: ir.Offer) -> tuple[Bars, ...]:
        """The bars of each thing in the words of an option that is taken at once. That there is no other all know,
        and so the value that is taken; words of a menu may show more than that.
        """
        if offer.kind == "take":
            return ((),) * len(offer.label_args)
        chosen = {each.index for each in offer.variables}
        return tuple(
            (NOBODY,)
            if self.of(e)
            or any(self.secrecy.is_drawn(scope, each) for each in locals_in(e) if each not in chosen)
            else ()
            for e in offer.label_args
        )

    def of_chance(self, scope: Scope, st: Chance) -> Bars:
        """The bars of what a throw or a pick is made from."""
        read = made_from(st)
        changed = any(st.index in locals_in(each) for each in read)
        guards = self.guarded(st)
        if self.secrecy.drawn(scope, read) or (changed and guards):
            return (NOBODY,)
        return tuple(bar for each in guards for bar in self.of(each))

    def guarded(self, st: Chance) -> list[ir.Expr]:
        """The expressions that a throw or a pick is made from which read what not everybody sees."""
        loads = ir.Load | ir.LoadItem
        return [
            each
            for each in made_from(st)
            if any(
                isinstance(e, loads) and self.program.vars[e.var].audience is not None for e in inside(each)
            )
        ]

    def of(self, e: ir.Expr) -> Bars:
        """The bars of all that an expression reads."""
        found = []
        bound = {part.index for part in inside(e) if isinstance(part, ir.LetIn | ir.Fold)}
        for each in (each for part in self.uncounted(e) for each in inside(part)):
            if isinstance(each, ir.Ask) and self.secrecy.is_drawn(("value", each.value), RESULT):
                inner = any(locals_in(arg) & bound for arg in each.args)
                found.append(NOBODY if inner else Bar("value", each.value, each.args))
            if isinstance(each, ir.Load | ir.LoadItem) and self.program.vars[each.var].audience is not None:
                free = each.owner is None or not bound
                owner = () if each.owner is None else (each.owner,)
                found.append(Bar("variable", each.var, owner) if free else NOBODY)
        return tuple(found)

    def _kept(self, scope: Scope, e: ir.Expr) -> Bars:
        """The bars of what an action is done with: what it writes as it is into a field that not everybody sees, only
        who does it may read.
        """
        if not isinstance(e, ir.Local) or not self.secrecy.stored(scope, e.index):
            return self.of(e)
        by = self.acting.get(scope)
        if by == e.index:
            return ()
        return (NOBODY,) if by is None else (Bar("actor", by),)

    def _veiled(self, scope: Scope, e: ir.Expr) -> Bars:
        """The bars of what is veiled: nobody reads it, but what somebody does an action with, for a field that not
        everybody sees, he knows himself.
        """
        kind, number = scope
        code = self.program.procedures if kind == "procedure" else self.program.routines
        own = (
            isinstance(e, ir.Local) and e.index < code[number].params and self.secrecy.stored(scope, e.index)
        )
        return self._kept(scope, e) if own and not self.secrecy.drawn(scope, (e,)) else (NOBODY,)

    @cached_property
    def acting(self) -> dict[Scope, int]:
        """For the procedures and routines of actions the parameter that holds the acting player."""
        found: dict[Scope, int] = {}
        for action in self.program.actions:
            if action.by is not None and action.procedure is not None:
                found["procedure", action.procedure] = action.by
            if action.by is not None and action.routine is not None:
                found["routine", action.routine] = action.by
        return found

    # ------------------------------------------------------------ cards

    def reckoned(self, scope: Scope, e: ir.Expr) -> dict[int, Type]:
        """The locals with secret pieces from which an expression is reckoned, its own bindings apart. A local that
        takes one value only stands for that.
        """
        found: dict[int, Type] = {}
        past, waiting = set[int](), [e]
        while waiting:
            inner = list(inside(waiting.pop()))
            past |= {each.index for each in inner if isinstance(each, ir.LetIn | ir.Fold)}
            for local in inner:
                if not isinstance(local, ir.Local) or local.index in past:
                    continue
                past.add(local.index)
                of = local.type.of if isinstance(local.type, SetOf | ListOf) else local.type
                if isinstance(of, Id) and of.domain in self._secret:
                    found[local.index] = local.type
                elif local.index in self._defined[scope]:
                    waiting.append(self._defined[scope][local.index])
        return found

    @cached_property
    def _secret(self) -> frozenset[int]:
        """The domains whose pieces lie in piles that not everybody sees."""
        return frozenset(secret_pools(self.program))

    @cached_property
    def _defined(self) -> dict[Scope, dict[int, ir.Expr]]:
        """For each scope the values of the locals that are set in one place, before anything reads them."""
        codes: dict[Scope, tuple[int, list[tuple[ir.Stmt, ...]]]] = {}
        for n, procedure in enumerate(self.program.procedures):
            codes["procedure", n] = procedure.params, [procedure.body]
        for n, routine in enumerate(self.program.routines):
            codes["routine", n] = routine.params, [block.body for block in routine.blocks]
        found: dict[Scope, dict[int, ir.Expr]] = defaultdict(dict)
        for scope, (params, bodies) in codes.items():
            sets = [each for body in bodies for each in within(body) if isinstance(each, ir.SetLocal)]
            times = Counter(each.index for each in sets)
            found[scope] |= {
                each.index: each.value for each in sets if times[each.index] == 1 and each.index >= params
            }
        return found

    # ------------------------------------------------------------ what all see of a pile

    def uncounted(self, e: ir.Expr) -> Iterator[ir.Expr]:
        """The parts of an expression without those that only count the cards of a pile: how many lie there all see."""
        if (pile := self._counted(e)) is not None:
            yield pile
        elif self._counts(e):
            for each in parts(e):
                yield from self.uncounted(each)
        else:
            yield e

    def _counts(self, e: ir.Expr) -> bool:
        """Is the number of cards in a pile asked somewhere inside, and not within a loop?"""
        return isinstance(e, ir.Op) and any(
            self._counted(each) is not None or self._counts(each) for each in parts(e)
        )

    def _counted(self, e: ir.Expr) -> ir.Expr | None:
        """The pile whose cards are counted, or asked whether there is one."""
        match e:
            case ir.Op(op="size", args=(ir.Fold(kind="all") as fold,)):
                return self._pile(fold)
            case ir.Op(op="eq" | "ne", args=(ir.Fold(kind="all") as fold, ir.Const(value=0))):
                return self._pile(fold)
            case ir.Fold(kind="count") as fold:
                return self._pile(fold)
            case _:
                return None

    def _pile(self, fold: ir.Fold) -> ir.Expr | None:
        """The pile in which all the cards lie that a loop is over."""
        piles = {pool.pile for pool in self.program.pools if pool.pile is not None}
        within_pile = fold.where.args if isinstance(fold.where, ir.Op) and fold.where.op == "eq" else ()
        match within_pile:
            case (ir.Load(var=var, owner=ir.Local(index=card)), pile) if var in piles and card == fold.index:
                return pile if isinstance(fold.domain, ir.Const) else None
            case _:
                return None


def made_from(st: Chance) -> list[ir.Expr]:
    """What decides a throw or pick, beside chance."""
    if isinstance(st, ir.Pick):
        return [st.domain, *([] if st.weights is None else [st.weights])]
    return [st.count]


def cited_at(program: Program, site: int) -> tuple[int, ...]:
    """The clause that cites rules for a place: its site's own, else the least one that it stands in."""
    if not 0 <= site < len(program.sites):
        return ()
    at = program.sites[site]
    if at.clause is not None:
        return (at.clause,)
    around = [
        number
        for number, clause in enumerate(program.clauses)
        if clause.ids and clause.kind == "statement" and _within(at.place, clause.place)
    ]
    return tuple(sorted(around, key=lambda n: _lines(program.clauses[n].place))[:1])


def _within(inner: Place, outer: Place) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner.file == outer.file and begins and ends


def _lines(place: Place) -> tuple[int, int]:
    return place.end_line - place.line, place.end_column - place.column
