"""What telling code writes beside the rules: the log, and the marks of clauses.

Dice and picks are told where they fall. Who may see them: everybody, unless the chance is about something
hidden (`secrecy`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import assert_never

from dsl.engine.codegen.stores import Stores
from dsl.engine.label_holes import source_form
from dsl.engine.log import Told
from dsl.engine.readers import NOBODY, Bar, Bars, Readers, cited_at
from dsl.engine.traceable_values import asks
from dsl.ir import nodes as ir
from dsl.ir.types import Id, ListOf, SetOf, Type
from dsl.ir.walk import inside


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
                self._attempt(f"refused(s, k, {st.action}", st)
            case ir.Log():
                if st.kind == "say":
                    self.reckon(*st.args)
                clauses = () if st.clause is None else (st.clause,)
                holes = tuple(source_form(self.program, each) for each in st.args)
                types = tuple(each.type for each in st.args)
                site = self._place(Told(st.kind, st.label, types, clauses, holes=holes))
                self._attempt(f"tell(s, k, {site}", st, self._actor() if st.kind == "do" else "")
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
        kept = self._readers.secrecy.kept(self.scope, st.index)
        with self._free(plain=not self._readers.guarded(st)):
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
        return "0" if self._readers.secrecy.drawn(self.scope, others) else self._passing(self._readers.of(e))

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
            for index, kind in sorted(self._readers.reckoned(self.scope, each).items())
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

    @cached_property
    def _lying(self) -> frozenset[int]:
        """The domains whose pieces lie in piles."""
        return frozenset(pool.domain for pool in self.program.pools if pool.pile is not None)

    def _place(self, told: Told) -> int:
        self.told.append(told)
        return len(self.told) - 1

    def _attempt(self, call: str, st: ir.Log | ir.Refused, last: str = "") -> None:
        """Telling never fails, and takes no steps of the rules: where an argument cannot be evaluated, it is told
        without any.
        """
        args = st.args

        def masks() -> str:
            return "".join(f"{self._passing(each)}, " for each in self._readers.of_log(self.scope, st))

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
        by = self._readers.acting.get(self.scope)
        return "" if by is None else f", {self.expr(ir.Local(self.locals[by], by))}"

    @cached_property
    def _readers(self) -> Readers:
        return Readers(self.program)

    def _seen_chance(self, st: ir.Roll | ir.RollList | ir.Pick) -> str:
        """Writes who may see what a throw or pick is made from, and yields its name."""
        bars = self._readers.of_chance(self.scope, st)
        if not bars or bars == (NOBODY,):
            return self._passing(bars)
        seen = self.fresh()
        with self.indented("try:"):
            self.line(f"{seen} = {self._passing(bars)}")
        with self.indented("except RuleFailure:"):
            self.line(f"{seen} = 0")
        return seen

    def audiences(self, e: ir.Expr) -> list[str]:
        """Source for the players who may see each thing that an expression reads and not everybody sees."""
        return [self._bar(each) for each in self._readers.of(e)]

    def _passing(self, bars: Bars) -> str:
        """Source for the players who pass some bars (-1 all)."""
        return " & ".join(map(self._bar, bars)) or "-1"

    def _bar(self, bar: Bar) -> str:
        match bar.kind:
            case "nobody":
                return "0"
            case "actor":
                return f"1 << {self.expr(ir.Local(self.locals[bar.number], bar.number))}"
            case "variable":
                return f"seen(s, k, {bar.number}, {self.expr(bar.args[0]) if bar.args else '0'})"
            case "value":
                asked = "".join(f"{code}, " for code in self.args(bar.args))
                return f"value_seen(s, k, {bar.number}, ({asked}))"
            case _:
                assert_never(bar.kind)

    def uncounted(self, e: ir.Expr) -> Iterator[ir.Expr]:
        """The parts of an expression that not everybody may be able to see."""
        return self._readers.uncounted(e)

    def _clauses(self, site: int) -> tuple[int, ...]:
        return cited_at(self.program, site)
