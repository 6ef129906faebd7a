"""What statements become before routines are cut into blocks: the IR's statements, and three that can suspend."""

from __future__ import annotations

from dataclasses import field, replace

from dsl.ir import nodes as ir
from dsl.records import record


@record(frozen=True, slots=True)
class MidOffer:
    """An offer, and what follows when it is chosen."""

    offer: ir.Offer
    body: tuple[Mid, ...]


@record(frozen=True, slots=True)
class MidDecide:
    """A decision; `empty` is what follows where there is nothing to choose, or nobody to do it.

    The answer to a `sealed` one is told with that to the next that is not.
    """

    player: ir.Expr
    offers: tuple[MidOffer, ...]
    prompt: int | None
    prompt_args: tuple[ir.Expr, ...]
    empty: tuple[Mid, ...] | None
    site: int
    sealed: bool = False


@record(frozen=True, slots=True)
class MidEnter:
    """A call of a routine."""

    routine: int
    args: tuple[ir.Expr, ...]
    result: int | None
    site: int


@record(frozen=True, slots=True)
class MidForever:
    """A loop that only a `Leave` of its number, or the end of the game, ends: each round stops at a decision."""

    number: int
    body: tuple[Mid, ...]


@record(frozen=True, slots=True)
class MidIf:
    condition: ir.Expr
    then: tuple[Mid, ...]
    other: tuple[Mid, ...] = ()


@record(frozen=True, slots=True)
class MidForEach:
    index: int
    domain: ir.Expr
    body: tuple[Mid, ...]
    site: int


@record(frozen=True, slots=True)
class MidLoop:
    limit: ir.Expr
    condition: ir.Expr
    body: tuple[Mid, ...]
    site: int


@record(frozen=True, slots=True)
class MidGuarded:
    number: int
    body: tuple[Mid, ...]


@record(frozen=True, slots=True)
class MidBatch:
    body: tuple[Mid, ...]
    site: int


Mid = ir.Stmt | MidDecide | MidEnter | MidForever | MidIf | MidForEach | MidLoop | MidGuarded | MidBatch


@record(slots=True)
class Code:
    """Statements under construction."""

    statements: list[Mid] = field(default_factory=list)
    site: int = -1
    """Where the statement stands that is being written."""

    def add(self, *statements: Mid) -> None:
        for each in statements:
            if isinstance(each, ir.SetLocal) and each.site < 0:
                self.statements.append(replace(each, site=self.site))
            else:
                self.statements.append(each)


def suspends(statements: tuple[Mid, ...]) -> bool:
    """Can this code reach a decision?"""
    return any(_suspends(statement) for statement in statements)


def _suspends(statement: Mid) -> bool:
    match statement:
        case MidDecide() | MidEnter() | MidForever():
            return True
        case MidIf(then=then, other=other):
            return suspends(then) or suspends(other)
        case MidForEach(body=body) | MidLoop(body=body) | MidGuarded(body=body) | MidBatch(body=body):
            return suspends(body)
        case _:
            return False
