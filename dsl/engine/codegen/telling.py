"""What telling code writes beside the rules: the log, and the marks of clauses.

Dice and picks are told where they fall. Who may see them: everybody, unless the chance is about something
hidden (`secrecy`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import assert_never

from dsl.engine.codegen.stores import Stores
from dsl.engine.counted import asks
from dsl.engine.holes import source_form
from dsl.engine.log import Told
from dsl.engine.secrecy import RESULT, Secrecy
from dsl.engine.witness import secret_pools
from dsl.ir import nodes as ir
from dsl.ir.program import Place
from dsl.ir.types import Id, ListOf, SetOf, Type
from dsl.ir.walk import inside, locals_in, within


class Tellings(Stores):
    """Adds telling. `locals` are the types of the function's locals, `scope` says whose code it is."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.locals: tuple[Type, ...] = ()
        self.scope = ("procedure", -1)
        self.told: list[Told] = []

    def tell(self, st: ir.Log | ir.Refused | ir.Mark) -> None:
        match st:
            case ir.Mark():
                self.line(f"k.marks.append({st.clause})")
                self.line("k.marked.append(k.veil)")
                if self.variant.covering:
                    self.line(f"k.hit({st.clause})")
            case ir.Refused():
                self._attempt(f"refused(s, k, {st.action}", st.args, veiled=st.veiled)
            case ir.Log():
                if st.kind == "say":
                    self.reckon(*st.args)
                clauses = () if st.clause is None else (st.clause,)
                holes = tuple(source_form(self.program, each) for each in st.args)
                types = tuple(each.type for each in st.args)
                site = self._place(Told(st.kind, st.label, types, clauses, holes=holes))
                done = st.kind == "do"
                actor = self._actor() if done else ""
                self._attempt(f"tell(s, k, {site}", st.args, actor, keeping=done, veiled=st.veiled)
            case _:
                assert_never(st)

    def tell_chance(self, st: ir.Roll | ir.RollList | ir.Pick, count: str = "") -> None:
        """Tells of a throw of `count` dice, or of a pick, when its local has taken the result."""
        kind = self.locals[st.index]
        result, clauses = self.expr(ir.Local(kind, st.index)), self._clauses(st.site)
        if isinstance(st, ir.Pick):
            site, codes = self._place(Told("pick", None, (kind,), clauses)), [result]
        else:
            told = Told("roll", None, (st.count.type, kind), clauses, st.sides)
            site, codes = self._place(told), [count, result]
        kept = self._secrecy.kept(self.scope, st.index)
        with self._free(plain=not self._guarded_by(st)):
            seen = self._seen_chance(st)
            masks = [*[seen] * (len(codes) - 1), "0" if kept else seen]
            self.line(f"tell(s, k, {site}, ({', '.join(codes)},), ({', '.join(masks)},))")

    def reckon(self, *exprs: ir.Expr | None) -> None:
        """Notes the sums that some expressions are about to ask for, with who may see of what they are asked."""
        if not self.variant.telling:
            return
        for ask in (ask for each in exprs if each is not None for ask in asks(self.program, each)):
            with self._free(plain=False):
                with self.indented("try:"):
                    codes = "".join(f"{code}, " for code in self.args(ask.args))
                    seen = " & ".join(self._known(each) for each in ask.args) or "-1"
                    pieces = "".join(f"({domain}, {code}), " for domain, code in self._pieces(ask.args))
                    self.line(f"asked(s, k, {ask.value}, ({codes}), {seen}, ({pieces}))")
                with self.indented("except RuleFailure:"):
                    self.line("pass")

    # ------------------------------------------------------------ inside

    def _known(self, e: ir.Expr) -> str:
        """Source for the players who may see a number that a value is asked of; pieces apart."""
        others = [each for each in inside(e) if isinstance(each, ir.Local | ir.Ask) and not self._piece(each)]
        return "0" if self._secrecy.drawn(self.scope, others) else self._seen(e)

    def _piece(self, e: ir.Expr) -> bool:
        return isinstance(e, ir.Local) and isinstance(e.type, Id) and e.type.domain in self._lying

    def _pieces(self, args: tuple[ir.Expr, ...]) -> list[tuple[int, str]]:
        """The locals among some arguments that hold cards: the domain of each, and its source."""
        found = {each for arg in args for each in inside(arg) if self._piece(each)}
        held = [each for each in found if isinstance(each, ir.Local) and isinstance(each.type, Id)]
        kinds = [(each.index, each.type.domain, each) for each in held if isinstance(each.type, Id)]
        return [(domain, self.expr(each)) for _, domain, each in sorted(kinds, key=lambda kind: kind[:2])]

    def _reads_of(self, args: tuple[ir.Expr, ...]) -> str:
        """Source for the pieces that arguments are reckoned from, as a last argument; empty for none."""
        found = [
            self._pieces_in(n, index, kind)
            for n, each in enumerate(args)
            for index, kind in sorted(self._reckoned(each).items())
        ]
        return f", reads=({''.join(found)})" if found else ""

    def _pieces_in(self, argument: int, local: int, kind: Type) -> str:
        """Source for the pieces that a local holds, as items of a tuple: each with its argument and its domain."""
        code = self.expr(ir.Local(kind, local))
        if isinstance(kind, Id):
            return f"({argument}, {kind.domain}, {code}), "
        assert isinstance(kind, SetOf | ListOf) and isinstance(kind.of, Id)
        pieces = f"bits({code})" if isinstance(kind, SetOf) else code
        return f"*[({argument}, {kind.of.domain}, piece) for piece in {pieces}], "

    def _reckoned(self, e: ir.Expr) -> dict[int, Type]:
        """The locals with secret pieces from which an expression is reckoned, its own bindings apart. A local that
        takes one value only stands for that.
        """
        found: dict[int, Type] = {}
        past, waiting = set[int](), [e]
        while waiting:
            parts = list(inside(waiting.pop()))
            past |= {each.index for each in parts if isinstance(each, ir.LetIn | ir.Fold)}
            for local in parts:
                if not isinstance(local, ir.Local) or local.index in past:
                    continue
                past.add(local.index)
                of = local.type.of if isinstance(local.type, SetOf | ListOf) else local.type
                if isinstance(of, Id) and of.domain in self._secret:
                    found[local.index] = local.type
                elif local.index in self._defined[self.scope]:
                    waiting.append(self._defined[self.scope][local.index])
        return found

    @cached_property
    def _secret(self) -> frozenset[int]:
        """The domains whose pieces lie in piles that not everybody sees."""
        return frozenset(secret_pools(self.program))

    @cached_property
    def _defined(self) -> dict[tuple[str, int], dict[int, ir.Expr]]:
        """For each scope the values of the locals that are set in one place, before anything reads them."""
        codes: dict[tuple[str, int], tuple[int, list[tuple[ir.Stmt, ...]]]] = {}
        for n, procedure in enumerate(self.program.procedures):
            codes["procedure", n] = procedure.params, [procedure.body]
        for n, routine in enumerate(self.program.routines):
            codes["routine", n] = routine.params, [block.body for block in routine.blocks]
        found: dict[tuple[str, int], dict[int, ir.Expr]] = defaultdict(dict)
        for scope, (params, bodies) in codes.items():
            sets = [each for body in bodies for each in within(body) if isinstance(each, ir.SetLocal)]
            times = Counter(each.index for each in sets)
            found[scope] |= {
                each.index: each.value for each in sets if times[each.index] == 1 and each.index >= params
            }
        return found

    @cached_property
    def _lying(self) -> frozenset[int]:
        """The domains whose pieces lie in piles."""
        return frozenset(pool.domain for pool in self.program.pools if pool.pile is not None)

    def _place(self, told: Told) -> int:
        self.told.append(told)
        return len(self.told) - 1

    def _attempt(
        self,
        call: str,
        args: tuple[ir.Expr, ...],
        last: str = "",
        *,
        keeping: bool = False,
        veiled: tuple[int, ...] = (),
    ) -> None:
        """Telling never fails, and takes no steps of the rules: where an argument cannot be evaluated, it is told
        without any. What an action is `keeping` secret, it tells to who does it; `veiled` are numbers of arguments.
        """

        def masks() -> str:
            codes = (
                self._veiled(e) if n in veiled else self._kept(e) if keeping else self._seen(e)
                for n, e in enumerate(args)
            )
            return "".join(f"{code}, " for code in codes)

        if all(isinstance(e, ir.Local | ir.Const) for e in args):
            packed = "".join(f"{code}, " for code in self.args(args))
            self.line(f"{call}, ({packed}), ({masks()}){last}{self._reads_of(args)})")
            return
        # What nobody listens to any more is not computed.
        with self.indented("if k.hears():"), self._free(plain=False):
            seen = self.fresh("m")
            self.line(f"{seen} = ({'0, ' * len(args)})")
            with self.indented("try:"):
                self.line(f"{seen} = ({masks()})")
                packed = "".join(f"{code}, " for code in self.args(args))
                self.line(f"{call}, ({packed}), {seen}{last}{self._reads_of(args)})")
            with self.indented("except RuleFailure as x:"):
                self.line(f"{call}, None, {seen}{last or ', None' * call.startswith('tell(')}, x.code)")

    @contextmanager
    def _free(self, *, plain: bool) -> Iterator[None]:
        """What is written inside takes no steps of the rules but those of telling; `plain`: it takes none."""
        steps = "" if plain else self.keep("k.leave()")
        yield
        if steps:
            self.line(f"k.back({steps})")

    def _actor(self) -> str:
        """Source for who does the action whose code this is, as a last argument; empty for nobody's."""
        by = self._acting.get(self.scope)
        return "" if by is None else f", {self.expr(ir.Local(self.locals[by], by))}"

    @cached_property
    def _acting(self) -> dict[tuple[str, int], int]:
        """For the procedures and routines of actions the parameter that holds the acting player."""
        found: dict[tuple[str, int], int] = {}
        for action in self.program.actions:
            if action.by is not None and action.procedure is not None:
                found["procedure", action.procedure] = action.by
            if action.by is not None and action.routine is not None:
                found["routine", action.routine] = action.by
        return found

    @cached_property
    def _secrecy(self) -> Secrecy:
        return Secrecy(self.program)

    def _seen_chance(self, st: ir.Roll | ir.RollList | ir.Pick) -> str:
        """Writes who may see what a throw or pick is made from, and yields its name."""
        read = _made_from(st)
        changed = any(st.index in locals_in(each) for each in read)
        guards = self._guarded_by(st)
        if self._secrecy.drawn(self.scope, read) or (changed and guards):
            return "0"
        if not guards:
            return "-1"
        seen = self.fresh()
        with self.indented("try:"):
            self.line(f"{seen} = {' & '.join(self._seen(each) for each in guards)}")
        with self.indented("except RuleFailure:"):
            self.line(f"{seen} = 0")
        return seen

    def _guarded_by(self, st: ir.Roll | ir.RollList | ir.Pick) -> list[ir.Expr]:
        """The expressions that it is made from which read what not everybody sees."""
        loads = ir.Load | ir.LoadItem
        return [
            each
            for each in _made_from(st)
            if any(
                isinstance(e, loads) and self.program.vars[e.var].audience is not None for e in inside(each)
            )
        ]

    def _kept(self, e: ir.Expr) -> str:
        """Source for the players who may see what an action is done with: what it writes as it is into a field
        that not everybody sees, only who does it may.
        """
        if not isinstance(e, ir.Local) or not self._secrecy.stored(self.scope, e.index):
            return self._seen(e)
        by = self._acting.get(self.scope)
        if by == e.index:
            return "-1"
        return "0" if by is None else f"1 << {self.expr(ir.Local(self.locals[by], by))}"

    def _veiled(self, e: ir.Expr) -> str:
        """Source for the players who may see what is veiled: nobody, but what somebody does an action with, for a
        field that not everybody sees, he knows himself.
        """
        kind, number = self.scope
        code = self.program.procedures if kind == "procedure" else self.program.routines
        own = (
            isinstance(e, ir.Local)
            and e.index < code[number].params
            and self._secrecy.stored(self.scope, e.index)
        )
        return self._kept(e) if own and not self._secrecy.drawn(self.scope, (e,)) else "0"

    def _seen(self, e: ir.Expr) -> str:
        """Source for the players who may see what an expression reads (-1 all)."""
        return " & ".join(self.audiences(e)) or "-1"

    def audiences(self, e: ir.Expr) -> list[str]:
        """Source for the players who may see each thing that an expression reads and not everybody sees."""
        codes = []
        bound = {part.index for part in inside(e) if isinstance(part, ir.LetIn | ir.Fold)}
        for each in (each for part in self.uncounted(e) for each in inside(part)):
            if isinstance(each, ir.Ask) and self._secrecy.is_drawn(("value", each.value), RESULT):
                if any(locals_in(arg) & bound for arg in each.args):
                    codes.append("0")
                else:
                    asked = "".join(f"{code}, " for code in self.args(each.args))
                    codes.append(f"value_seen(s, k, {each.value}, ({asked}))")
            if isinstance(each, ir.Load | ir.LoadItem) and self.program.vars[each.var].audience is not None:
                free = each.owner is None or not bound
                owner = "0" if each.owner is None else self.expr(each.owner) if free else "None"
                codes.append(f"seen(s, k, {each.var}, {owner})")
        return codes

    def uncounted(self, e: ir.Expr) -> Iterator[ir.Expr]:
        """The parts of an expression that not everybody may be able to see."""
        raise NotImplementedError

    def _clauses(self, site: int) -> tuple[int, ...]:
        """The clause that cites rules for a place: its site's own, else the least one that it stands in."""
        if not 0 <= site < len(self.program.sites):
            return ()
        at = self.program.sites[site]
        if at.clause is not None:
            return (at.clause,)
        around = [
            number
            for number, clause in enumerate(self.program.clauses)
            if clause.ids and clause.kind == "statement" and _within(at.place, clause.place)
        ]
        return tuple(sorted(around, key=lambda n: _lines(self.program.clauses[n].place))[:1])


def _made_from(st: ir.Roll | ir.RollList | ir.Pick) -> list[ir.Expr]:
    """What decides the throw or pick, beside chance."""
    if isinstance(st, ir.Pick):
        return [st.domain, *([] if st.weights is None else [st.weights])]
    return [st.count]


def _within(inner: Place, outer: Place) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner.file == outer.file and begins and ends


def _lines(place: Place) -> tuple[int, int]:
    return place.end_line - place.line, place.end_column - place.column
