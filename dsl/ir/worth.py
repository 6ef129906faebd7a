"""What a position is worth to each player, for searches that stop before a game has ended.

An author may say it: `value worth(p: Player) -> 0..99 = ...`. Where he does not, it is what the program shows to
count: the pieces in play, places and whatever else is somebody's, and the numbers by which games end (points, say).
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.ir import nodes as ir
from dsl.ir.program import Program, Value
from dsl.ir.types import TRUTH, Id, Int, SetOf
from dsl.ir.walk import inside

NAME = "worth"


def declared(program: Program) -> int | None:
    """The number of the value by which an author says what a position is worth; none where he does not."""
    return next(
        (
            number
            for number, value in enumerate(program.values)
            if value.name == NAME and tells_worth(value, program.players)
        ),
        None,
    )


def tells_worth(value: Value, players: int) -> bool:
    """Is it a number for each player, of the domain `players`?"""
    return (
        value.params == (Id(players),)
        and isinstance(value.result, Int)
        and not value.result.truth
        and not value.result.optional
    )


def worths(program: Program, player: int) -> tuple[ir.Expr, ...]:
    """The numbers that are added up for a player, as expressions without locals of their own but the first."""
    who = ir.Const(Id(program.players), player)
    number = declared(program)
    if number is not None:
        return (ir.Ask(program.values[number].result, number, (who,)),)
    return (*_belongings(program, player), *_scores(program, who))


def denominator(program: Program) -> int:
    """By what the declared number is divided: that of a fraction."""
    number = declared(program)
    return 1 if number is None else program.values[number].denominator


def _belongings(program: Program, player: int) -> Iterator[ir.Expr]:
    """How many members of each domain are the player's, by the first of its open fields that holds an owner; of pieces
    those that are in play.
    """
    pools = {pool.domain: pool for pool in program.pools}
    seen: set[int] = set()
    for index, var in enumerate(program.vars):
        of, kind = var.of, var.type
        if (
            of is None
            or of in seen
            or of == program.players
            or var.audience is not None
            or var.role != "field"
        ):
            continue
        number = _as_owner(program, kind, player) if isinstance(kind, Id) else None
        if number is None or (of in pools and pools[of].pile is not None):
            continue
        seen.add(of)
        member = ir.Local(Id(of), 0)
        condition = ir.Op(TRUTH, "eq", (ir.Load(kind, index, member), ir.Const(kind, number)))
        every = SetOf(Id(of))
        domain = (
            ir.Load(every, pools[of].in_play)
            if of in pools
            else ir.Const(every, (1 << len(program.domains[of].members)) - 1)
        )
        most = len(program.domains[of].members)
        yield ir.Fold(Int(0, most), "count", 0, domain, condition, None)


def _as_owner(program: Program, kind: Id, player: int) -> int | None:
    """The player as a member of the domain of owners, which may be one that lists others beside the players."""
    if kind.domain == program.players:
        return player
    domain, before = program.domains[kind.domain], 0
    for part in domain.parts:
        if part == program.players:
            return before + player
        before += len(program.domains[part].members)
    return None


def _scores(program: Program, who: ir.Const) -> Iterator[ir.Expr]:
    """The numbers of a player by which games end: values that are asked there, else fields that are read there."""
    values: dict[int, None] = {}
    fields: dict[int, None] = {}
    for ending in program.endings:
        for expr in inside(ending.condition):
            match expr:
                case ir.Ask(value=number) if tells_worth(program.values[number], program.players):
                    values[number] = None
                case ir.Load(var=index) if _is_score(program, index):
                    fields[index] = None
                case _:
                    pass
    for number in values:
        yield ir.Ask(program.values[number].result, number, (who,))
    if not values:
        for index in fields:
            yield ir.Load(program.vars[index].type, index, who)


def _is_score(program: Program, index: int) -> bool:
    var = program.vars[index]
    return (
        var.of == program.players and isinstance(var.type, Int) and not (var.type.truth or var.type.optional)
    )
