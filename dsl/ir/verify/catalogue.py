"""The catalogue: variables and their places in the state, tables, options, boards and pools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dsl.ir import limits
from dsl.ir.distances import Distances
from dsl.ir.kinds import Bad, Excess, TooMuch, inside
from dsl.ir.nodes import Expr
from dsl.ir.operators import brief
from dsl.ir.program import (
    FIRST_VAR,
    Board,
    Clause,
    Data,
    Domain,
    Option,
    Place,
    Pool,
    Procedure,
    Program,
    Promise,
    Routine,
    Test,
    TestStep,
    Text,
)
from dsl.ir.types import NONE, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.verify.code import unset
from dsl.ir.verify.expressions import Known, Scope
from dsl.ir.verify.graph import Graph


def check_domain(program: Program, domain: Domain) -> None:
    """A domain: its labels, and the parts of a union."""
    if len(domain.members) > limits.MAX_MEMBERS:
        raise TooMuch(f"{len(domain.members)} members, more than {limits.MAX_MEMBERS}")
    for name in ("labels", "looks"):
        held = getattr(domain, name)
        if held and len(held) != len(domain.members):
            raise Bad(f"{len(domain.members)} members have {len(held)} {name}")
    if domain.parts:
        count = sum(len(program.domains[part].members) for part in domain.parts)
        if count != len(domain.members):
            raise Bad(f"its parts have {count} members, and it has {len(domain.members)}")
        if any(program.domains[part].parts for part in domain.parts):
            raise Bad("a part of a union is a union itself")


def check_head(program: Program) -> None:
    """Players, bounds, and where the stack begins."""
    if len(program.domains[program.players].members) > limits.MAX_PLAYERS:
        raise TooMuch(f"more than {limits.MAX_PLAYERS} players")
    if not 1 <= program.decisions <= limits.MAX_DECISIONS:
        raise TooMuch(f"a game of {program.decisions} decisions")
    if not FIRST_VAR <= program.frames <= program.size <= limits.MAX_STATE:
        raise TooMuch(
            f"frames at {program.frames} of {program.size} slots, at most {limits.MAX_STATE}", Excess.SLOTS
        )
    if program.routines[program.main].params:
        raise Bad("the main routine takes no arguments")
    if program.routines[program.main].result is not None:
        raise Bad("the main routine has no result")


def check_layout(known: Known) -> None:
    """Does each variable have slots of its own, before the frames?"""
    taken = []
    for index, var in enumerate(known.program.vars):
        count = 1 if var.of is None else _size(known, var.of)
        width = known.kinds.slots(known.kinds.stored(var.type))
        if var.width != width:
            raise Bad(f"variable {index} is {width} slots wide, not {var.width}")
        taken.append((var.offset, var.offset + count * width, index))
    end = FIRST_VAR
    for start, stop, index in sorted(taken):
        if start < end:
            raise Bad(f"variable {index} begins at {start}, in another's slots")
        end = stop
    if end > known.program.frames:
        raise Bad(f"variables end at {end}, behind the first frame at {known.program.frames}")


def _size(known: Known, domain: int) -> int:
    known.kinds.good(Id(domain))
    return known.kinds.sizes[domain]


def check_var(known: Known, graph: Graph, index: int) -> None:
    """How a variable begins, and who sees it."""
    var = known.program.vars[index]
    member = () if var.of is None else (Id(var.of),)
    scope = Scope(known, None, member)
    unset(scope.check(var.initial).needs & ~((1 << len(member)) - 1))
    if not known.kinds.family(var.initial.type, var.type):
        raise Bad(f"it begins as {brief(var.initial.type)}, and is {brief(var.type)}")
    if graph.searches(var.initial):
        raise Bad("it begins with what a search finds, before there is anything to be searched")
    options = {option.var for option in known.program.options}
    for other in graph.reads(var.initial):
        later = known.program.vars[other]
        if other >= index and other not in options and not known.kinds.has_zero(later.type):
            raise Bad(f"it begins with what variable {other} holds, which has no value yet")
    if var.audience is not None:
        first: Type = Int(0, 0) if var.of is None else Id(var.of)
        scope = Scope(known, None, (first, Id(known.program.players)))
        unset(scope.truth(var.audience).needs & ~3)


def check_roles(known: Known) -> None:
    """Variables of which engines know more than their type: who has a seat."""
    everyone = SetOf(Id(known.program.players))
    for index, var in enumerate(known.program.vars):
        if var.role == "seats" and (var.of is not None or var.type != everyone):
            raise Bad(f"variable {index} is to say who has a seat, and is no set of players")


def check_history(known: Known) -> None:
    """The positions that are remembered: where they stand, and what makes them."""
    program, history = known.program, known.program.history
    if history is None:
        return
    noted, last = program.vars[history.var], program.vars[history.last]
    numbers = ListOf(Int(0, limits.MAX_STORED), 2 * limits.MAX_POSITIONS)
    if noted.of is not None or noted.type != numbers or noted.role != "history":
        raise Bad(f"variable {history.var} holds no positions")
    if last.of is not None or last.type != Id(program.players, optional=True):
        raise Bad(f"variable {history.last} does not hold who has chosen last")
    if not {history.var, history.last}.isdisjoint(history.vars):
        raise Bad("the positions that have stood are no part of one")
    for each in history.alike:
        members = len(program.domains[each.domain].members)
        pieces = SetOf(Id(each.domain))
        for held in (each.in_play, each.out):
            if program.vars[held].of is not None or program.vars[held].type != pieces:
                raise Bad(f"variable {held} is no set of the pieces that are alike")
        if any(program.vars[held].of != each.domain for held in each.vars):
            raise Bad("what counts of pieces that are alike belongs to other things")
        if len(each.classes) != members or not all(0 <= one < members for one in each.classes):
            raise Bad("the pieces that are alike are not all in a class")


def check_place(place: Place) -> None:
    """A place in the sources."""
    numbers = (place.line, place.column, place.end_line, place.end_column)
    if not all(0 <= number <= limits.MAX_LINE for number in numbers):
        raise Bad(f"line {place.line}, column {place.column} is nowhere in a file")


def check_data(known: Known, data: Data) -> None:
    """A table: as many entries as its dimensions say, each of its type."""
    known.kinds.good(data.type)
    if data.denominator < 1:
        raise Bad(f"it counts parts of 1/{data.denominator}")
    if data.follows and not isinstance(data.values, Distances):
        raise Bad("its entries follow from a board, and there is none, or they are written all the same")
    if isinstance(data.values, Distances):
        cells = data.values.cells
        if cells > limits.MAX_MEASURED:
            raise TooMuch(f"the distances of {cells} cells, more than {limits.MAX_MEASURED}")
        if data.type != Int(0, cells) or data.dims != ((0, cells), (0, cells)) or data.clauses:
            raise Bad("its entries are the distances of a board, and it is no table of numbers for two cells")
        return
    count = 1
    for low, size in data.dims:
        if not 0 <= size <= limits.MAX_ENTRIES or abs(low) > limits.MAX_STORED:
            raise TooMuch(f"a dimension of {size} entries from {low}")
        count *= size
    if count != len(data.values) or len(data.clauses) not in {0, count}:
        raise Bad(f"it has {len(data.values)} entries, expected {count}")
    for number, value in enumerate(data.values):
        if not known.kinds.holds(data.type, value):
            raise Bad(f"entry {number} is no value of its type")


def check_text(text: Text) -> None:
    """A label in the game's own language first."""
    if not text.texts or text.texts[0][0] != "":
        raise Bad("its first text is not in the game's own language")


def check_clause(program: Program, clause: Clause) -> None:
    """What a clause is brought by is there."""
    if clause.member is not None:
        domain, member = clause.member
        if not 0 <= domain < len(program.domains) or not 0 <= member < len(program.domains[domain].members):
            raise Bad("what it is brought by is no member of a domain")


def check_option(known: Known, option: Option) -> None:
    """An option: its default is one of its choices, and its variable can hold each."""
    var = known.program.vars[option.var]
    if option.range is None:
        low, high = 0, len(option.choices) - 1
    else:
        low, high = option.range
    if not low <= option.default <= high:
        raise Bad(f"its default {option.default} is not between {low} and {high}")
    if var.of is not None or not isinstance(var.type, Int | Id):
        raise Bad("its variable holds no single number")
    least, most = known.kinds.bounds(var.type)
    if low < least or high > most:
        raise Bad(f"its variable cannot hold {low} to {high}")


def check_board(known: Known, board: Board) -> None:
    """A board: a place and neighbours for each of its cells."""
    count = _size(known, board.domain)
    for name in ("x", "y", "neighbours", "signs"):
        held = getattr(board, name)
        if len(held) != count and (held or name == "neighbours"):
            raise Bad(f"{count} cells have {len(held)} {name}")
    if any(each < 0 or each.bit_length() > count for each in board.neighbours):
        raise Bad("a neighbour is none of its cells")
    area = 1
    for axis in (board.x, board.y):
        if axis and max(map(abs, axis)) > limits.MAX_AREA:
            raise TooMuch("a cell is too far away from the others")
        area *= max(axis) - min(axis) + 1 if axis else 1
    if area > limits.MAX_AREA:
        raise TooMuch(f"its cells stand in a rectangle of {area} places, more than {limits.MAX_AREA}")
    cells = SetOf(Id(board.domain))
    for domain, data in board.shapes:
        tables = known.program.data[data : data + 1] if data >= 0 else ()
        if not any(each.dims == ((0, _size(known, domain)),) and each.type == cells for each in tables):
            raise Bad(f"data {data} does not give the cells of each place of domain {domain}")
    for each in board.groups:
        if len(each.members) != count or any(
            member != NONE and not 0 <= member < _size(known, each.domain) for member in each.members
        ):
            raise Bad(f"its cells are not in groups of domain {each.domain}")


def check_pool(known: Known, pool: Pool) -> None:
    """A pool: the variables that keep its pieces are of its pieces."""
    size = _size(known, pool.domain)
    scalars: tuple[tuple[str, int | None, Callable[[Type], bool]], ...] = (
        ("pile", pool.pile, lambda kind: _holds_piles(known, kind, len(pool.piles))),
        ("order", pool.order, lambda kind: known.kinds.fits(Int(0, max(size - 1, 0)), kind)),
    )
    for name, number in (("in_play", pool.in_play), ("out", pool.out)):
        declared = known.program.vars[number]
        if declared.of is not None or declared.type != SetOf(Id(pool.domain)):
            raise Bad(f"variable {number} cannot be its `{name}`")
    for name, var, fits in scalars:
        if var is None:
            continue
        declared = known.program.vars[var]
        if declared.of != pool.domain or not fits(declared.type):
            raise Bad(f"variable {var} cannot be its `{name}`")
    if (pool.pile is None) != (pool.order is None):
        raise Bad("it has one of `pile` and `order`")
    if any(len(each) not in {0, len(pool.piles)} for each in (pool.owners, pool.own_words)):
        raise Bad("it does not say of each pile whose it is")
    for domain, member in pool.owners:
        if (domain, member) != (-1, -1) and not (
            0 <= domain < len(known.program.domains) and 0 <= member < _size(known, domain)
        ):
            raise Bad(f"a pile is of member {member} of domain {domain}")
    if pool.kinds is not None:
        data = known.program.data[pool.kinds]
        if len(data.dims) != 1 or data.dims[0] != (0, known.kinds.sizes[pool.domain]):
            raise Bad("its kinds are no table of its pieces")
    if pool.kind is not None:
        declared = known.program.vars[pool.kind]
        if pool.kinds is not None or declared.of != pool.domain or not _is_row(known, declared.type):
            raise Bad(f"variable {pool.kind} cannot be its `kind`")
    if pool.supplies and (pool.kind is None or len(pool.supplies) != size):
        raise Bad(f"{len(pool.supplies)} `supplies` for {size} pieces")


def _is_row(known: Known, kind: Type) -> bool:
    return isinstance(kind, Id) and not kind.optional and known.program.domains[kind.domain].kind == "row"


def _holds_piles(known: Known, kind: Type, count: int) -> bool:
    return isinstance(kind, Int | Id) and kind.optional and known.kinds.bounds(kind) == (0, count - 1)


def check_test(known: Known, test: Test) -> None:
    """The steps of a test: expressions whose locals are those that steps before have bound."""
    bound: dict[int, Type] = {}
    for number, step in enumerate(test.steps):
        with inside("step", number):
            scope = Scope(known, None)
            scope.locals.update(bound)
            infos = [scope.check(each) for each in _said(step)]
            for info in infos:
                unset(info.needs & ~sum(1 << index for index in bound))
            _check_step(known, step, scope, bound)
            _bind(known, step, bound)


def _bind(known: Known, step: TestStep, bound: dict[int, Type]) -> None:
    """The locals that a step binds: to the parts of the record that its procedure yields, or to what `let` says."""
    if not step.bound and step.kind != "let":
        return
    if step.kind not in {"given", "let"}:
        raise Bad(f"`{step.kind}` binds nothing")
    types = tuple(each.type for each in step.args)
    if step.kind == "given":
        result = known.program.procedures[step.index or 0].result
        types = result.types if isinstance(result, Record) else ()
    if len(bound) + len(types) > limits.MAX_LOCALS:
        raise TooMuch(f"it has more than {limits.MAX_LOCALS} locals", Excess.LOCALS)
    if len(types) != len(step.bound):
        raise Bad(f"`{step.kind}` binds {len(step.bound)} locals to {len(types)} values")
    for index, kind in zip(step.bound, types, strict=True):
        if index in bound or not 0 <= index < limits.MAX_LOCALS:
            raise Bad(f"`{step.kind}` cannot bind local {index}")
        bound[index] = kind


def _said(step: TestStep) -> Iterator[Expr]:
    """All expressions of a step."""
    if step.player is not None:
        yield step.player
    yield from step.args
    yield from (each.value for each in (*step.parts, *step.made))


def check_promise(known: Known, promise: Promise) -> None:
    """The lines of a promise: truths without locals."""
    for number, line in enumerate(promise.lines):
        with inside("line", number):
            unset(Scope(known, None).truth(line.condition).needs)


def _check_step(known: Known, step: TestStep, scope: Scope, bound: dict[int, Type]) -> None:
    count: dict[str, Sequence[Procedure | Routine]] = {
        "procedure": known.program.procedures,
        "routine": known.program.routines,
    }
    tables = {"given": "procedure", "run": "routine", "rounds": "routine"}
    table = tables.get(step.kind)
    if table and step.index is not None and 0 <= step.index < len(count[table]):
        code = count[table][step.index]
        given = [bound[index] for index in step.params if index in bound]
        wanted = code.locals[: code.params]
        if len(given) != len(step.params) or len(given) != len(wanted):
            raise Bad(f"`{step.kind}` gives its {table} other arguments")
        if not all(map(known.kinds.fits, given, wanted)):
            raise Bad(f"`{step.kind}` gives its {table} other arguments")
    if step.kind in {"illegal", "run"} and step.action is not None:
        params = known.program.actions[step.action].params
        kinds = [each.type for each in step.args]
        if len(kinds) != len(params) or not all(map(known.kinds.fits, kinds, params)):
            raise Bad(f"`{step.kind}` gives its action other arguments")
    if (  # of pieces also their kind is named
        step.kind == "do"
        and step.action is not None
        and len(step.args) != len(known.program.actions[step.action].params)
    ):
        raise Bad("`do` gives its action more or fewer arguments")
    if step.kind == "expect" and len(step.args) != 1:
        raise Bad("`expect` has one condition")
    if step.kind == "expect":
        scope.truth(step.args[0])
    if step.kind == "decisions" and len(step.numbers) != 1:
        raise Bad("`decisions` has one number")
    if step.kind == "decisions" and not 0 <= step.numbers[0] <= limits.MAX_DECISIONS:
        raise Bad("`decisions` is not a number of decisions that a game can have taken")
    if step.kind in {"do", "illegal"} and step.action is None:
        raise Bad(f"`{step.kind}` names no action")
    if step.kind == "take" and len(step.args) != 1:
        raise Bad("`take` has one argument")
    if table and (step.index is None or not 0 <= step.index < len(count[table])):
        raise Bad(f"`{step.kind}` names no {table}")
    if step.kind == "picks" and step.index is not None:
        domains = known.program.domains
        members = len(domains[step.index].members) if 0 <= step.index < len(domains) else 0
        of = {each.type.domain if isinstance(each.type, Id) else None for each in step.args}
        if not all(0 <= each < members for each in step.numbers) or not of <= {step.index}:
            raise Bad("`picks` names no member of its domain")
    if step.kind == "option" and (step.index is None or not 0 <= step.index < len(known.program.options)):
        raise Bad("`option` names no option")
    if step.kind == "expect" and step.index is not None and not 0 <= step.index < len(count["procedure"]):
        raise Bad("`expect` names no procedure")
