"""What a player can follow of a calculation: may he see all that an expression reads?

What he sees of a field is what its audience says now; whether a card lies in a pile that he sees whole is no secret,
nor is anything that follows from such things alone. What cannot be told is taken for hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from dsl.engine.failure import RuleFailure
from dsl.engine.layout import Plain
from dsl.engine.runtime import Run
from dsl.engine.views import may_see
from dsl.ir import nodes as ir
from dsl.ir.program import Pool, Prohibition, Value
from dsl.ir.walk import locals_in, parts

if TYPE_CHECKING:
    from dsl.engine.machine import Machine

Known = Mapping[int, Plain]
"""The locals of an expression whose values are known."""


class Sight:
    """The eyes of a player (none: of who sees everything) upon a state."""

    def __init__(
        self, machine: Machine, state: list[int], player: int | None, run: Run | None = None
    ) -> None:
        """`run` has the steps that looking may take; several eyes may share it."""
        self.machine, self.state, self.player = machine, state, player
        self.run = run or Run.aside(machine)
        self._open: dict[tuple[int, int], bool] = {}
        self._followed: dict[tuple[object, ...], bool] = {}

    def evaluated(self, expr: ir.Expr, known: Known) -> Plain:
        """The value of an expression; raises `RuleFailure` where it has none."""
        given = tuple(sorted(known))
        function = self.machine.function(("sum", expr, given), (expr,), given)
        found: tuple[Plain, ...] = function(self.state, self.run, 0, *(known[each] for each in given))
        return found[0]

    def sees(self, expr: ir.Expr | None, known: Known) -> bool:
        """May he see all that an expression reads?"""
        if expr is None or self.player is None:
            return True
        match expr:
            case ir.Op(op="eq" | "ne", args=(one, two)) if self._of_open_pile(one, two, known):
                return True
            case ir.Op(op="eq" | "ne", args=(one, two)) if self._of_open_pile(two, one, known):
                return True
            case ir.Op(op="size", args=(cards,)) | ir.Op(op="eq" | "ne", args=(cards, ir.Const(value=0))) if (
                pile := self._pile(cards)
            ) is not None:
                return self.sees(pile, known)
            case ir.Fold(kind="count") if (pile := self._pile(expr)) is not None:
                return self.sees(pile, known)
            case ir.Load() | ir.LoadItem():
                return self._reads(expr, known) and self._parts(expr, known)
            case ir.LetIn(index=index) | ir.Fold(index=index):
                inner = {local: value for local, value in known.items() if local != index}
                return self._parts(expr, inner)
            case ir.Scan(index=index, kept=kept):
                inner = {local: value for local, value in known.items() if local not in {index, kept}}
                return self._parts(expr, inner)
            case ir.Ask(value=value, args=args):
                declared = self.machine.program.values[value]
                return self._parts(expr, known) and self._follows(("value", value), declared, args, known)
            case ir.Judge(action=action, args=args):
                prohibitions = self.machine.program.actions[action].prohibitions
                return self._parts(expr, known) and self._follows(
                    ("action", action), prohibitions, args, known
                )
            case ir.Reach():
                return False
            case ir.Trial() | ir.Occurrences():
                program = self.machine.program  # what is tried may read anything
                return all(var.audience is None for var in program.vars) and self._parts(expr, known)
            case _:
                return self._parts(expr, known)

    def sees_piece(self, domain: int, piece: int) -> bool:
        """May he see which piece this is, from where it lies?"""
        pool = self._pools.get(domain)
        if pool is None or pool.pile is None or self.player is None or piece < 0:
            return True
        return may_see(self.machine, self.state, pool.pile, piece, self.player)

    # ------------------------------------------------------------ inside

    @cached_property
    def _pools(self) -> dict[int, Pool]:
        return {pool.domain: pool for pool in self.machine.program.pools}

    def _pile(self, cards: ir.Expr) -> ir.Expr | None:
        """The pile, if these are all the cards of one: how many they are everybody sees."""
        match cards:
            case ir.Fold(
                kind="all" | "count",
                index=index,
                domain=ir.Const(),
                where=ir.Op(op="eq", args=(ir.Load(var=var, owner=ir.Local(index=card)), pile)),
                body=None,
            ) if card == index and any(pool.pile == var for pool in self._pools.values()):
                return pile
            case _:
                return None

    def _parts(self, expr: ir.Expr, known: Known) -> bool:
        return all(self.sees(part, known) for part in parts(expr))

    def _value(self, expr: ir.Expr | None, known: Known) -> int | None:
        """A number that is known here; none where it rests on what is not."""
        if expr is None:
            return 0
        if not locals_in(expr) <= known.keys():
            return None
        try:
            found = self.evaluated(expr, known)
        except RuleFailure:
            return None
        return found if isinstance(found, int) else None

    def _reads(self, load: ir.Load | ir.LoadItem, known: Known) -> bool:
        var = self.machine.program.vars[load.var]
        if var.audience is None:
            return var.role != "order"
        owner = self._value(load.owner, known)
        assert self.player is not None
        return owner is not None and may_see(self.machine, self.state, load.var, owner, self.player)

    def _of_open_pile(self, load: ir.Expr, pile: ir.Expr, known: Known) -> bool:
        """Is this whether a card lies in a pile that he sees whole?"""
        if not isinstance(load, ir.Load) or load.owner is None:
            return False
        pool = next((each for each in self.machine.program.pools if each.pile == load.var), None)
        number = None if pool is None else self._value(pile, known)
        if pool is None or number is None or not self.sees(load.owner, known) or not self.sees(pile, known):
            return False
        if (load.var, number) not in self._open:
            self._open[load.var, number] = self._is_open(pool, number)
        return self._open[load.var, number]

    def _is_open(self, pool: Pool, pile: int) -> bool:
        """Would he see every card of a kind of pieces if it lay in a pile?"""
        program, tried = self.machine.program, list(self.state)
        assert pool.pile is not None and self.player is not None
        cards = range(len(program.domains[pool.domain].members))
        for card in cards:
            tried[program.vars[pool.pile].offset + card] = pile
        return all(may_see(self.machine, tried, pool.pile, card, self.player) for card in cards)

    def _follows(
        self,
        head: tuple[str, int],
        declared: Value | Sequence[Prohibition],
        args: tuple[ir.Expr, ...],
        known: Known,
    ) -> bool:
        """May he see all that a value or a judgement reads, asked with some arguments?"""
        values = [self._value(each, known) for each in args]
        inner: Known = {number: value for number, value in enumerate(values) if value is not None}
        key = (*head, tuple(inner.items()))
        if key not in self._followed:
            self._followed[key] = False  # where it comes back to itself
            self._followed[key] = all(self.sees(each, inner) for each in _read(declared))
        return self._followed[key]


def _read(declared: Value | Sequence[Prohibition]) -> list[ir.Expr | None]:
    if not isinstance(declared, Value):
        return [each.condition for each in declared]
    clauses = declared.clauses
    return [declared.base, *(e for each in clauses for e in (each.condition, each.operand, each.divisor))]
