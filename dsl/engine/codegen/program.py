"""The whole program as Python source, once for each variant.

Names are made from indices alone (`v12` a value, `j3` a judgement, `p3` a procedure and `p3w` its batched
form, `r4_b7` a block, `r4_b7_o` and `r4_b7_p` the options and the player of a decision, `i5` the initial
value of a variable, `e1` an ending, `u5` an audience), constants from numbers: nothing from a program's
texts enters the source.

Each function takes the state `s` and the run `k`. A block also takes where its frame begins, `f`, and yields
the number of the block to go on with, or `SWITCH` where another frame is on top now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, assert_never

from dsl.engine.codegen.emitter import Line, Origin
from dsl.engine.codegen.expressions import Variant
from dsl.engine.codegen.rules import Rules
from dsl.engine.codegen.shares import Counted, Head, Spot
from dsl.engine.layout import bounds, frame_size
from dsl.engine.log import Told
from dsl.ir import nodes as ir
from dsl.ir.limits import MAX_OPTIONS
from dsl.ir.program import FRAME_HEAD, RESULT, TOP, Procedure, Routine, Var
from dsl.ir.types import Id, Int
from dsl.ir.walk import batched
from dsl.ir.weight import STEP
from dsl.passes.meter import Metered, counted
from dsl.passes.pipeline import Lowering

SWITCH = -2
PART = 500
"""About how many lines of the source Python compiles at once."""


Group: TypeAlias = tuple[str, int] | tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """Python source with the (site, clause) of each line, and the logs that it tells by their number; for a profile
    also the places that count steps and the lines, by the numbers that the source has for them, and of each function
    the head and the line that it begins at. `origins` has of a line that refuses a number what makes the number.
    """

    text: str
    lines: tuple[tuple[int, int], ...]
    logs: tuple[Told, ...]
    counted: tuple[Counted, ...] = ()
    spots: tuple[Spot, ...] = ()
    entries: tuple[tuple[str, Head, Spot], ...] = ()
    origins: dict[int, Origin] = field(default_factory=dict)

    def parts(self) -> Iterator[str]:
        """The text in whole functions, some at a time and each line where it stands in the whole: Python's compiler
        needs memory for all that it is given at once.
        """
        begun = 0
        lines = self.text.splitlines(keepends=True)
        while begun < len(lines):
            at = min(begun + PART, len(lines))
            while at < len(lines) and not lines[at].startswith("def "):
                at += 1
            yield "\n" * begun + "".join(lines[begun:at])
            begun = at


def generate(lowering: Lowering, variant: Variant) -> Source:
    """All functions of a program."""
    program = lowering.program
    made = Generator(program, variant)
    for index in range(len(program.values)):
        made.value(index, lowering.value(index))
    for index in range(len(program.actions)):
        made.judge(index, lowering.action(index))
    in_batches = batched(program)
    for index in range(len(program.procedures)):
        made.procedure(index, lowering.procedure(index), batched=False)
        if index in in_batches:
            made.procedure(index, lowering.procedure(index), batched=True)
    for index, routine in enumerate(program.routines):
        for number in range(len(routine.blocks)):
            made.block(index, number, lowering.block(index, number))
    for index in range(len(program.endings)):
        made.ending(index, lowering.ending(index))
    for index in range(len(program.vars)):
        made.audience(index, lowering.var(index))
        made.initial(index, lowering.var(index))
    source = _source(made.lines, tuple(made.told))
    if variant.profiling:
        source = replace(
            source, counted=tuple(made.counted), spots=tuple(made.spots), entries=tuple(made.entries)
        )
    return source


class Pieces:
    """The functions of a program, generated group by group as they are asked for.

    A group is named by what it is made from: `("value", 12)`, `("judge", 3)`, `("procedure", 3)` and `("batched", 3)`,
    `("block", 4, 7)`, `("ending", 1)`, `("audience", 5)`, `("initial", 5)`.
    """

    def __init__(self, lowering: Lowering, variant: Variant) -> None:
        self._lowering = lowering
        self._program = lowering.program
        self._made = Generator(lowering.program, variant)
        self.logs = self._made.told
        """Grows with what is generated."""

    def names(self) -> Iterator[tuple[str, Group]]:
        """The name of each function that other functions call, and its group."""
        program = self._program
        for n in range(len(program.values)):
            yield f"v{n}", ("value", n)
        for n in range(len(program.actions)):
            yield f"j{n}", ("judge", n)
        for n in range(len(program.procedures)):
            yield f"p{n}", ("procedure", n)
            yield f"p{n}w", ("batched", n)
        for n, var in enumerate(program.vars):
            yield f"i{n}", ("initial", n)
            if var.audience is not None:
                yield f"u{n}", ("audience", n)

    def source(self, group: Group) -> Source:
        """The functions of a group; the numbers of what is told go on from group to group."""
        made, lowering = self._made, self._lowering
        match group:
            case ("value", n):
                made.value(n, lowering.value(n))
            case ("judge", n):
                made.judge(n, lowering.action(n))
            case ("procedure", n):
                made.procedure(n, lowering.procedure(n), batched=False)
            case ("batched", n):
                made.procedure(n, lowering.procedure(n), batched=True)
            case ("block", n, number):
                made.block(n, number, lowering.block(n, number))
            case ("ending", n):
                made.ending(n, lowering.ending(n))
            case ("audience", n):
                made.audience(n, lowering.var(n))
            case ("initial", n):
                made.initial(n, lowering.var(n))
            case _:
                raise ValueError(group)
        lines = tuple(made.lines)
        made.lines.clear()
        return _source(lines, ())


def generate_function(
    lowering: Lowering,
    exprs: tuple[ir.Expr, ...],
    params: tuple[int, ...],
    frame: Routine | None,
) -> Source:
    """The function `x(s, k, f, ...)` that yields the values of some expressions as a tuple; `params` are
    locals.
    """
    made = Generator(lowering.program, Variant())
    made.frame = frame
    made.env = {index: f"l{index}" for index in params}
    with made.indented(f"def x({', '.join(['s', 'k', 'f', *made.env.values()])}):"):
        codes = made.args(tuple(map(lowering.expr, exprs)))
        made.line(f"return ({''.join(f'{code}, ' for code in codes)})")
    return _source(made.lines, ())


def _source(lines: Iterable[Line], logs: tuple[Told, ...]) -> Source:
    kept = tuple(lines)
    text = "\n".join(" " * line.depth + line.text for line in kept) + "\n"
    origins = {number: line.origin for number, line in enumerate(kept) if line.origin is not None}
    return Source(text, tuple((line.site, line.clause) for line in kept), logs, origins=origins)


class Generator(Rules):
    """Adds procedures, routines and initial values."""

    def procedure(self, index: int, procedure: Procedure, *, batched: bool) -> None:
        self._begin_function(procedure.locals)
        self.batched, self.scope = batched, ("procedure", index)
        params = ["s", "k", *(["w"] if batched else []), *(f"l{n}" for n in range(procedure.params))]
        clause = next((each.clause for each in self.program.actions if each.procedure == index), None)
        name = f"p{index}{'w' if batched else ''}"
        self.entry(name, ("procedure", index))
        with self.citing(clause), self.indented(f"def {name}({', '.join(params)}):"):
            self.running = self.spot()
            self.step(counted(procedure), procedure.body)
            self.start_locals(procedure.params)
            self.body(procedure.body)
        self.batched = False

    def block(self, index: int, number: int, block: ir.Block) -> None:
        """A block of a routine; of a decision who is asked, and what is offered."""
        routine = self.program.routines[index]
        clause = next((each.clause for each in self.program.actions if each.routine == index), None)
        self._begin_function(routine.locals)
        self.frame, self.scope = routine, ("routine", index)
        name = f"r{index}_b{number}"
        with self.citing(clause):
            begun = self._begins(block)
            if isinstance(block.end, ir.Decide):
                for part in ("p", "o"):
                    self.entry(f"{name}_{part}", ("routine", index), begun)
                self._decide(name, block.end)
            else:
                self.entry(name, ("routine", index), begun)
                self.running = self.spot() if number == 0 else None
                with self.indented(f"def {name}(s, k, f):"):
                    self._weigh(block, (*block.body, block.end))
                    self.body(block.body)
                    self._go_on(routine, block.end)
        self.frame = None

    def _begins(self, block: ir.Block) -> Spot:
        """The line that a block begins with, that of its routine where it has none."""
        sites = (getattr(each, "site", -1) for each in (*block.body, block.end))
        return self.shares.spot(next((each for each in sites if each >= 0), -1), self.clause)

    def _weigh(self, node: Metered, code: tuple[Any, ...]) -> None:
        """Counts the steps of heavy code that is entered, besides the one of entering it."""
        weight = counted(node)
        if weight >= STEP:
            self.count(str(weight // STEP), code, weight)

    def _go_on(self, routine: Routine, end: ir.Jump | ir.Branch | ir.Enter | ir.Return) -> None:
        match end:
            case ir.Jump():
                self.line(f"return {end.block}")
            case ir.Branch():
                self.reckon(end.condition)
                self.line(f"return {end.then} if {self.expr(end.condition)} else {end.other}")
            case ir.Enter():
                with self.at(end.site):
                    self._enter(routine, end)
            case ir.Return():
                self._return(routine, end)
            case _:
                assert_never(end)

    def _enter(self, routine: Routine, end: ir.Enter) -> None:
        callee = self.program.routines[end.routine]
        size, own = frame_size(self.program, callee), frame_size(self.program, routine)
        self.reckon(*end.args)
        codes = self.args(end.args)
        self.line(f"g = f + {own}")
        with self.indented(f"if g + {size} > {self.program.size}:"):
            self.line("too_deep()")
        for n, (code, each) in enumerate(zip(codes, end.args, strict=True)):
            kind = callee.locals[n]
            self.put("g", FRAME_HEAD + callee.offsets[n], kind, self.checked(code, each, kind, -1))
        self.line(f"s[f + 1] = {end.block}")
        self.line(f"s[g] = {end.routine}")
        self.line("s[g + 2] = f")
        self.line(f"s[{TOP}] = g")
        self.line(f"return {SWITCH}")

    def _return(self, routine: Routine, end: ir.Return) -> None:
        code = None
        if end.value is not None and routine.result is not None:
            code = self.keep(self.checked(self.expr(end.value), end.value, routine.result, -1))
        size = frame_size(self.program, routine)
        self.line(f"s[{TOP}] = s[f + 2]")
        self.line(f"s[f:f + {size}] = (0,) * {size}")
        if code is not None:
            self.line(f"s[{RESULT}] = {code}")
        self.line(f"return {SWITCH}")

    def _decide(self, name: str, end: ir.Decide) -> None:
        with self.at(end.site):
            with self.indented(f"def {name}_p(s, k, f):"):
                self.line(f"return {self.expr(end.player)}")
            with self.indented(f"def {name}_o(s, k, f):"):
                self._weigh(end, (end,))
                self.line("out = []")
                many = self.weights.many(end)
                for number, offer in enumerate(end.offers):
                    with self.citing(offer.clause), self._of_menu(offer):
                        self._offer(offer, partial(self._listed, number, offer, many))
                self.line("return out")
            if self.variant.covering:
                self._audit(name, end)

    @contextmanager
    def _of_menu(self, offer: ir.Offer) -> Iterator[None]:
        """In a profile what an offer takes is its menu line's."""
        before = self.site, self.clause
        if self.variant.profiling and offer.menu is not None:
            self.site, self.clause = -1, offer.menu
            self.line(f"P.menu(k, {offer.menu}, {self.spot_number(self.spot())})")
        yield
        self.site, self.clause = before

    def _listed(self, number: int, offer: ir.Offer, many: bool, names: list[str]) -> None:
        if many:
            menu = -1 if offer.menu is None else offer.menu
            with self.indented(f"if len(out) >= {MAX_OPTIONS}:"):
                self.line(f"too_many_options(k, {menu})")
        self.line(f"out.append(({number}, ({''.join(f'{each}, ' for each in names)})))")

    def _offer(self, offer: ir.Offer, listed: Callable[[list[str]], None], *, whole: bool = False) -> None:
        """Loops over the bindings of an offer; with `whole`, over those that its conditions refuse too."""
        before, start = self.env, self.depth
        names: list[str] = []
        for number, var in enumerate(offer.variables):
            domain, where = var.domain, None
            if not whole:
                after = (
                    offer.variables[number + 1].domain if number + 1 < len(offer.variables) else offer.guard
                )
                domain = self.count_elements(domain, counted(var), var.where, after)
                domain, where = self.narrowed(domain, var.where, var.index)
            element = self.fresh("x")
            self.line(f"for {element} in {self.elements(domain)}:")
            self.depth += 1
            self.env = {**self.env, var.index: element}
            names.append(element)
            if where is not None:
                with self.indented(f"if not {self.expr(where)}:"):
                    self.line("continue")
        if offer.guard is None or whole:
            listed(names)
        else:
            with self.indented(f"if {self.expr(offer.guard)}:"):
                listed(names)
        self.env, self.depth = before, start

    def _audit(self, name: str, end: ir.Decide) -> None:
        """Judges every binding of the offers, so that a prohibition that only ever prunes counts as used."""
        with self.indented(f"def {name}_a(s, k, f):"):
            self.line("n = 0")
            for offer in end.offers:
                if offer.action is not None:
                    self._offer(offer, partial(self._judged, offer), whole=True)

    def _judged(self, offer: ir.Offer, _: list[str]) -> None:
        self.line("n += 1")
        with self.indented("if n > 2000:"):
            self.line("return")
        codes = self.args(offer.args)
        self.line(f"j{offer.action}({', '.join(['s', 'k', *codes])})")

    def initial(self, index: int, var: Var) -> None:
        """The function `i<index>`: gives a variable its initial value."""
        self._begin_function(() if var.of is None else (Id(var.of),))
        self.entry(f"i{index}", ("start", 0), self.shares.spot(-1, var.clause))
        with self.citing(var.clause), self.indented(f"def i{index}(s, k):"):
            if var.of is None:
                self._first_value(index, var, "")
                return
            low, high = bounds(self.program, Id(var.of))
            self._weigh(var, (var.initial,) * (high - low + 1))
            with self.indented(f"for l0 in range({low}, {high + 1}):"):
                self._first_value(index, var, f"l0 * {var.width}")

    def _first_value(self, index: int, var: Var, name: str) -> None:
        code = self.checked(self.expr(var.initial), var.initial, var.type, index)
        if not isinstance(var.type, Int | Id):
            code = self.keep(code)
        self.put(self.keep(name) if name else "", var.offset, var.type, code)
