"""The verifier: whether a program that has the right form can be run by an engine that trusts it.

A program is data, perhaps from a stranger. After the codec has checked its form, this pass checks that
every index points to something, that each expression has the type it claims, that arithmetic stays within
64 bits and the state within its slots, that nothing calls itself without a bound, that locals are set
before they are read, and that no evaluation takes long without counting steps. It goes from the outside in, and stops
after the first stage that finds something: what comes later relies on it. What only the run can tell (a
value that leaves its range, a list read behind its end, too many steps) the engine checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.ir import limits
from dsl.ir.codec import decode
from dsl.ir.kinds import Bad, Excess, TooMuch
from dsl.ir.program import Action, Ending, Program, Value
from dsl.ir.size import Sizes, too_large
from dsl.ir.types import Id, Int, SetOf, Type
from dsl.ir.verify import catalogue
from dsl.ir.verify.code import check_procedure, told, unset
from dsl.ir.verify.expressions import Info, Known, Scope
from dsl.ir.verify.graph import Graph, Vertex, check_fields
from dsl.ir.verify.routines import check_routine
from dsl.records import record
from dsl.source import Source

Item = TypeVar("Item")

MOST_FAULTS = 50
"""How many faults are told; a damaged program can have one in every line."""
_TABLES = {"value": "values", "judge": "actions", "procedure": "procedures", "routine": "routines"}
"""Where the vertices of the graph of calls lie."""


@record(frozen=True, slots=True)
class Part:
    """A part of a program: an entry of one of its tables, or of several a word for all; empty for the whole."""

    table: str
    index: int | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.table if self.index is None else f"{self.table}[{self.index}] {self.name[:40]}".rstrip()


@record(frozen=True, slots=True)
class Fault:
    """What is wrong, and in which part of the program."""

    part: Part
    message: str
    excess: Excess | None = None
    """What there is only too much of, where nothing contradicts itself."""
    within: tuple[str, int] | None = None
    """The block, step or line of the part, by its number."""
    circle: Part | None = None
    """A part that leads back to itself, where that is the fault."""

    def __str__(self) -> str:
        within = "{} {}: ".format(*self.within) if self.within else ""
        return f"{self.part}: {within}{self.message}" if self.part.table else f"{within}{self.message}"


@record(frozen=True, slots=True)
class Findings:
    """What the verifier has found out: the faults of a program, and how many nodes its heaviest evaluation can visit,
    counted as steps or not.
    """

    faults: list[Fault]
    work: int
    graph: Graph | None
    """What leads to what; none where an index misses."""
    sizes: Sizes
    """How many expressions and statements the program has (`dsl.ir.limits.MAX_NODES`), and each of its parts."""
    works: dict[Vertex, int]
    """How many nodes the heaviest evaluation can visit in each part of the graph, and of `vars` in all of them."""
    known: Known

    @property
    def deepest(self) -> int:
        """How deep values, judgements and procedures go through what they call."""
        infos = (*self.known.values.values(), *self.known.judged.values())
        return max((*(info.depth for info in infos), *self.known.procedures.values()), default=0)

    def cost(self, kind: str, index: int) -> tuple[int, ...]:
        """What whoever asks a value, or has an action judged, pays for it: nothing where that is not known."""
        known = self.known
        info = (known.values if kind == "value" else known.judged).get(index)
        weigh = known.weights.value if kind == "value" else known.weights.judged
        return () if info is None else (info.cost, info.depth, weigh(index))


def examine(program: Program) -> list[Fault]:
    """What is wrong with a program; empty if nothing is."""
    return findings(program).faults


def findings(program: Program, graph: Graph | None = None) -> Findings:
    """What is wrong with a program, and how heavy it is as far as it is well made; with the graph of its calls where
    that has been made.
    """
    verifier = _Verifier(program)
    verifier.graph = graph
    for stage in (_sizes, _indices, _catalogue, _layout, _calls, _code, _stack, _rest):
        stage(verifier)
        if verifier.found:
            break
    known = verifier.known
    work = max((known.work, *verifier.works.values()))
    return Findings(verifier.found[:MOST_FAULTS], work, verifier.graph, verifier.sizes, verifier.works, known)


def verify(program: Program, name: str = "<program>") -> list[Diagnostic]:
    """What is wrong with a program, under the name of its document."""
    hint = "compile the source again; if the compiler wrote this, it is a fault of the compiler"
    span = Source(name, "").end
    return [Diagnostic(Code.IR_VERIFICATION, str(fault), span, hint=hint) for fault in examine(program)]


def load(data: bytes, diagnostics: Diagnostics, name: str = "<program>") -> Program | None:
    """The program of a stranger's document, if it is one and well made."""
    program = decode(data, diagnostics, name)
    if program is None:
        return None
    found = verify(program, name)
    diagnostics.extend(found)
    return None if found else program


class _Verifier:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.known = Known(program)
        self.found: list[Fault] = []
        self.graph: Graph | None = None
        self.sizes = Sizes()
        self.works: dict[Vertex, int] = {}

    @contextmanager
    def at(self, table: str, index: int | None = None, name: str = "") -> Iterator[None]:
        """What is wrong within is reported with this place in the program."""
        try:
            yield
        except Bad as bad:
            excess = bad.excess if isinstance(bad, TooMuch) else None
            circle = Part(_TABLES[bad.circle[0]], bad.circle[1]) if bad.circle else None
            self.found.append(Fault(Part(table, index, name), str(bad), excess, bad.within, circle))
        except RecursionError:
            self.found.append(Fault(Part(table, index, name), "it goes too deep", Excess.OTHER))

    def every(self, table: str, parts: Iterable[Item], check: Callable[[Item], object]) -> None:
        """Checks all entries of a table, of which there may be many thousands and few are wrong."""
        for index, part in enumerate(parts):
            try:
                check(part)
            except (Bad, RecursionError):
                with self.at(table, index):
                    raise


def _sizes(v: _Verifier) -> None:
    with v.at(""):
        for table, index, name, message, excess in too_large(v.program, v.sizes):
            v.found.append(Fault(Part(table, index, name), message, excess))


def _indices(v: _Verifier) -> None:
    for faults in check_fields(v.program, MOST_FAULTS):
        for message in faults:
            v.found.append(Fault(Part(""), message))


def _catalogue(v: _Verifier) -> None:
    program, known = v.program, v.known
    with v.at("program"):
        catalogue.check_head(program)
    for name in ("clauses", "sites", "tests", "promises"):
        v.every(name, getattr(program, name), lambda placed: catalogue.check_place(placed.place))
    v.every("clauses", program.clauses, partial(catalogue.check_clause, program))
    v.every("domains", program.domains, partial(catalogue.check_domain, program))
    v.every("texts", program.texts, catalogue.check_text)
    v.every("boards", program.boards, partial(catalogue.check_board, known))
    v.every("data", program.data, partial(catalogue.check_data, known))


def _layout(v: _Verifier) -> None:
    with v.at("vars"):
        catalogue.check_layout(v.known)
    if v.found:
        return
    with v.at("vars"):
        catalogue.check_roles(v.known)
    with v.at("history"):
        catalogue.check_history(v.known)
    for index, option in enumerate(v.program.options):
        with v.at("options", index):
            catalogue.check_option(v.known, option)
    for index, pool in enumerate(v.program.pools):
        with v.at("pools", index):
            catalogue.check_pool(v.known, pool)
    for index, value in enumerate(v.program.values):
        with v.at("values", index):
            _head(v.known, value)
    for index, action in enumerate(v.program.actions):
        with v.at("actions", index):
            _head(v.known, action)


def _calls(v: _Verifier) -> None:
    v.graph = v.graph or Graph(v.program)
    with v.at("calls"):
        v.graph.stack()


def _code(v: _Verifier) -> None:
    """Callees first, so that what a call costs and weighs is known, and nothing is gone into deeper than one part."""
    assert v.graph is not None
    program, known = v.program, v.known
    chancy = known.chancy = v.graph.chancy()
    for group in v.graph.order:
        for kind, index in group:
            if v.found:
                return
            match kind:
                case "value":
                    with v.at("values", index, program.values[index].name):
                        known.values[index] = _value(known, program.values[index])
                        known.weights.value(index)
                case "judge":
                    with v.at("actions", index, program.actions[index].name):
                        known.judged[index] = _judgement(known, program.actions[index])
                        known.weights.judged(index)
                case "procedure":
                    with v.at("procedures", index, program.procedures[index].name):
                        check_procedure(known, index, chancy)
                case "routine":
                    with v.at("routines", index, program.routines[index].name):
                        check_routine(known, index, chancy)
                case _:
                    for number, ending in enumerate(program.endings):
                        with v.at("endings", number):
                            _ending(known, ending)
            v.works[kind, index], known.work = known.work, 0


def _stack(v: _Verifier) -> None:
    assert v.graph is not None
    needed = v.program.frames + v.graph.stack()
    if v.program.size < needed:
        message = f"its state has {v.program.size} slots, and can need {needed}"
        v.found.append(Fault(Part("program"), message))


def _rest(v: _Verifier) -> None:
    assert v.graph is not None
    for index, var in enumerate(v.program.vars):
        with v.at("vars", index, var.name):
            catalogue.check_var(v.known, v.graph, index)
    v.works["vars", 0], v.known.work = v.known.work, 0
    for index, test in enumerate(v.program.tests):
        with v.at("tests", index):
            catalogue.check_test(v.known, test)
    for index, promise in enumerate(v.program.promises):
        with v.at("promises", index):
            catalogue.check_promise(v.known, promise)


def _head(known: Known, each: Value | Action) -> None:
    for kind in (*each.params, *each.locals):
        known.kinds.good(kind)
    if each.locals[: len(each.params)] != each.params:
        raise Bad("its first locals are not its parameters")
    if len(each.names) != len(each.params):
        raise Bad(f"{len(each.params)} parameters have {len(each.names)} names")
    if isinstance(each, Value):
        known.kinds.good(each.result)
        if len(each.labels) not in {0, len(each.params)}:
            raise Bad(f"{len(each.params)} parameters have {len(each.labels)} labels")
        return
    if each.by is not None and (
        not 0 <= each.by < len(each.params) or each.params[each.by] != Id(known.program.players)
    ):
        raise Bad(f"parameter {each.by} is to be who does it")
    _runs(known, each)


def _runs(known: Known, action: Action) -> None:
    program = known.program
    runs: list[tuple[Type, ...]] = []
    if action.procedure is not None:
        procedure = program.procedures[action.procedure]
        runs.append(procedure.locals[: procedure.params])
    if action.routine is not None:
        routine = program.routines[action.routine]
        runs.append(routine.locals[: routine.params])
    for params in runs:
        if len(params) != len(action.params) or not all(map(known.kinds.fits, action.params, params)):
            raise Bad("what runs it takes other parameters")


def _value(known: Known, value: Value) -> Info:
    """A value, and what asking for it needs."""
    scope = Scope(known, value.locals)
    infos = [scope.check(value.base)]
    if not known.kinds.family(value.base.type, value.result):
        raise Bad("its base is of another type than its result")
    _overruled([each.overruled_by for each in value.clauses])
    most = _magnitude(value.base.type)
    for number, clause in enumerate(value.clauses):
        infos += [scope.truth(clause.condition), scope.check(clause.operand)]
        if clause.divisor is not None:
            infos.append(scope.check(clause.divisor))
        if clause.stage not in value.stages and not (
            clause.stage.startswith("at_") and "bounds" in value.stages
        ):
            raise Bad(f"clause {number} is of a stage that it does not have")
        _operand(known, value, number)
        most = _grown(most, clause.stage, clause.operand.type)
        if most > limits.MAX_INT:
            raise TooMuch(f"with clause {number} its sum can leave 64 bits", Excess.MAGNITUDE)
    return _called(infos, len(value.params))


def _operand(known: Known, value: Value, number: int) -> None:
    clause = value.clauses[number]
    scalar = isinstance(value.result, Int)
    operand, divisor = clause.operand.type, clause.divisor
    numbers = _is_number(operand) and (divisor is None or _is_number(divisor.type))
    if clause.stage == "becomes":
        if divisor is not None or not known.kinds.family(operand, value.result):
            raise Bad(f"clause {number} sets it to a value of another type")
    elif not scalar or not numbers or (divisor is not None and clause.stage != "times"):
        raise Bad(f"clause {number} computes with what is no number")


def _is_number(kind: Type) -> bool:
    return isinstance(kind, Int) and not kind.optional


def _magnitude(kind: Type) -> int:
    return max(abs(kind.low), abs(kind.high)) if isinstance(kind, Int) else 0


def _grown(most: int, stage: str, operand: Type) -> int:
    by = _magnitude(operand)
    match stage:
        case "times":
            return most * max(by, 1)
        case "plus":
            return most + by
        case _:
            return max(most, by)


def _judgement(known: Known, action: Action) -> Info:
    """The prohibitions on an action, and what judging it needs."""
    scope = Scope(known, action.locals)
    _overruled([each.overruled_by for each in action.prohibitions])
    infos = [Info(1, 1, 0, 1)]
    for each in action.prohibitions:
        infos.append(scope.truth(each.condition))
        unset(scope.all(each.reason_args).needs & ~((1 << len(action.params)) - 1))
        told(known, each.reason, len(each.reason_args))
    return _called(infos, len(action.params))


def _ending(known: Known, ending: Ending) -> None:
    scope = Scope(known, ending.locals)
    given = 0
    if ending.locals:
        scope.bind(0, Id(known.program.players), "player")
        given = 1
    players = len(known.program.domains[known.program.players].members)
    if ending.who is not None and not 0 <= ending.who < players:
        raise Bad(f"there is no player {ending.who}")
    unset(scope.truth(ending.condition).needs & ~given)
    if ending.team is not None:
        unset(scope.value(ending.team, SetOf(Id(known.program.players)), "team").needs & ~given)


def _overruled(lists: list[tuple[int, ...]]) -> None:
    """Positions among the clauses of one head; nothing is over itself, around any corner."""
    for overrulers in lists:
        if not all(0 <= each < len(lists) for each in overrulers):
            raise Bad("a clause is overruled by one that does not exist")
    left = dict(enumerate(map(set, lists)))
    rounds = 0
    while left:
        rounds += 1
        if rounds > limits.MAX_OVERRULED:
            raise TooMuch(f"more than {limits.MAX_OVERRULED} clauses are over each other, one over the next")
        free = {number for number, over in left.items() if not over}
        if not free:
            raise Bad(f"clauses {', '.join(map(str, sorted(left)[:5]))} are over each other")
        left = {number: over - free for number, over in left.items() if number not in free}


def _called(infos: list[Info], params: int) -> Info:
    """What a call needs of its caller."""
    needs = 0
    for each in infos:
        needs |= each.needs
    unset(needs & ~((1 << params) - 1))
    cost, work = sum(each.cost for each in infos), sum(each.work for each in infos)
    return Info(cost, 1 + max(each.depth for each in infos), 0, work)
