"""How much work a piece of code is: the weights from which steps are counted.

| what                                      | weighs                                                              |
|-------------------------------------------|---------------------------------------------------------------------|
| an expression                             | 1, and what is in it; a constant never more                         |
| one that yields a bag, list or record     | half of its slots more; so does an operator for such an argument    |
| one that yields a set                     | 4 more for each 32 elements that there can be; so does an operator  |
| a store into such a place                 | the same once more                                                  |
| `ask`, `judge`                            | the value (base and clauses) or the prohibitions more               |
| a small `fold`                            | for each element that its domain's type allows: 1, `where` and body |
| a large `fold`, `reach`                   | what is in its domain or arguments; it counts its own steps         |
| `trial`                                   | nothing: it counts its own steps, those of all that is in it too    |
| a statement                               | 1, and the expressions in it                                        |
| `if`                                      | its condition and the heavier of its branches                       |
| `for_each`, `loop`, `call`                | what is evaluated once; rounds and callees count their own steps     |
| `test_endings`                            | the conditions of all endings, those without `who` for each player  |
| `occurrences`, `remember`                 | 2 for each slot of a position, and `MAX_POSITIONS`                  |
| `log`, `refused`, `mark`                  | nothing: only some games tell                                       |
| a card that is moved                      | 1 more for each card of its pool                                    |
| the first values of a variable of members | for each: 1, the expression, and the same as a store                 |
| chance                                    | `DRAW` for each die, each card that is shuffled, or each choice      |

A fold is *large* if its elements weigh more than `LARGE` together. Every engine counts alike, so that every engine
stops at the same step.
"""

from __future__ import annotations

from math import prod
from typing import Any, assert_never

from dsl.ir import nodes as ir
from dsl.ir.limits import MAX_OPTIONS, MAX_POSITIONS
from dsl.ir.program import FRAME_HEAD, Program, Var
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type

STEP = 100
"""The weight of one step."""
DRAW = 40
"""The weight of one draw of the generator."""
LARGE = 500
"""What the elements of a fold may weigh before it counts its own steps."""


class Weights:
    """The weights of one program, each computed when first asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[int, tuple[Any, int]] = {}
        self._values: dict[int, int] = {}
        self._judged: dict[int, int] = {}
        self._endings: int | None = None

    # ------------------------------------------------------------ what counts steps

    def steps(self, weight: int) -> int:
        """The steps, besides the one that is counted anyway, of code of that weight."""
        return weight // STEP

    def round(self, statement: ir.ForEach | ir.Loop) -> int:
        """One round of a loop."""
        again = self.expr(statement.condition) if isinstance(statement, ir.Loop) else 0
        return again + self.code(statement.body)

    def block(self, block: ir.Block) -> int:
        """A block of a routine; a decision without what its offers count."""
        end = block.end
        weight = self.code(block.body)
        match end:
            case ir.Branch():
                weight += self.expr(end.condition)
            case ir.Enter():
                called = self.program.routines[end.routine]
                weight += self.all(end.args) + (FRAME_HEAD + called.width) // 4
            case ir.Decide():
                weight += self.expr(end.player)
                weight += sum(self.offer(each) for each in end.offers)
            case _:
                pass
        return weight

    def initial(self, var: Var) -> int:
        """The first values of a variable."""
        members = 1 if var.of is None else len(self.program.domains[var.of].members)
        return members * (1 + self.expr(var.initial) + self._bulk(var.type))

    def many(self, end: ir.Decide) -> bool:
        """Can a decision have more options than are allowed, so that they are counted as they are listed?"""
        most = sum(prod(self.extent(var.domain.type) for var in offer.variables) for offer in end.offers)
        return most > MAX_OPTIONS

    def offer(self, offer: ir.Offer) -> int:
        """What an offer weighs before any of its variables is bound."""
        if not offer.variables:
            return 1 + self.maybe(offer.guard)
        return 1 + self.expr(offer.variables[0].domain)

    def binding(self, offer: ir.Offer, number: int) -> int:
        """What each element weighs that is tried for one variable of an offer; for the last one a step at least, since
        each option that is found takes room.
        """
        weight = 1 + self.maybe(offer.variables[number].where)
        if number + 1 < len(offer.variables):
            return weight + self.expr(offer.variables[number + 1].domain)
        return max(weight + self.maybe(offer.guard), STEP)

    def element(self, fold: ir.Fold | ir.Scan) -> int:
        """What each element of a fold weighs."""
        if isinstance(fold, ir.Scan):
            return 1 + self.expr(fold.step)
        return 1 + self.maybe(fold.where) + self.maybe(fold.body)

    def large(self, fold: ir.Fold | ir.Scan) -> bool:
        """Does a fold count its own steps?"""
        return self.extent(fold.domain.type) * self.element(fold) > LARGE

    def trial(self, e: ir.Trial) -> int:
        """What a trial evaluates itself, in the scratch copy: arguments and condition."""
        return self.all(e.args) + self.expr(e.condition)

    def position(self) -> int:
        """The slots that make up a position, twice, as each takes some arithmetic."""
        history, domains = self.program.history, self.program.domains
        if history is None:
            return 0
        counted = [*history.vars, *(each for alike in history.alike for each in alike.vars)]
        variables = [self.program.vars[each] for each in counted]
        slots = sum(var.width * (1 if var.of is None else len(domains[var.of].members)) for var in variables)
        return 2 * (slots + sum(len(each.classes) for each in history.alike))

    # ------------------------------------------------------------ expressions

    def all(self, exprs: tuple[ir.Expr, ...]) -> int:
        return sum(self.expr(each) for each in exprs)

    def maybe(self, e: ir.Expr | None) -> int:
        return 0 if e is None else self.expr(e)

    def expr(self, e: ir.Expr) -> int:
        """What an expression weighs."""
        known = self._known.get(id(e))
        if known is None:
            weight = 1 + self._inner(e) + (0 if isinstance(e, ir.Const) else self._bulk(e.type))
            known = self._known[id(e)] = (e, weight)
        return known[1]

    def _inner(self, e: ir.Expr) -> int:
        match e:
            case ir.Const() | ir.Local():
                return 0
            case ir.Occurrences():
                return self.position() + MAX_POSITIONS
            case ir.Load():
                return self.maybe(e.owner)
            case ir.LoadItem():
                return self.maybe(e.owner) + self.expr(e.item)
            case ir.Lookup():
                return self.all(e.indices)
            case ir.Op():
                return self.all(e.args) + sum(
                    self._bulk(each.type) for each in e.args if not isinstance(each, ir.Const)
                )
            case ir.LetIn():
                return self.expr(e.value) + self.expr(e.body)
            case ir.Fold():
                inner = 0 if self.large(e) else self.extent(e.domain.type) * self.element(e)
                return self.expr(e.domain) + inner
            case ir.Scan():
                inner = 0 if self.large(e) else self.extent(e.domain.type) * self.element(e)
                return self.expr(e.start) + self.expr(e.domain) + inner
            case ir.Ask():
                return self.all(e.args) + self.value(e.value)
            case ir.Judge():
                return self.all(e.args) + self.judged(e.action)
            case ir.Reach():
                return self.all(e.args)
            case ir.Trial():
                return 0
            case _:
                assert_never(e)

    def value(self, number: int) -> int:
        """Base and clauses of a value."""
        if number not in self._values:
            value = self.program.values[number]
            weight = self.expr(value.base)
            for clause in value.clauses:
                weight += self.expr(clause.condition) + self.expr(clause.operand) + self.maybe(clause.divisor)
            self._values[number] = weight
        return self._values[number]

    def judged(self, number: int) -> int:
        """The prohibitions on an action."""
        if number not in self._judged:
            clauses = self.program.actions[number].prohibitions
            self._judged[number] = sum(self.expr(clause.condition) for clause in clauses)
        return self._judged[number]

    def endings(self) -> int:
        """One test of all endings."""
        if self._endings is None:
            players = len(self.program.domains[self.program.players].members)
            times = [
                1 if each.who is not None or not each.locals else players for each in self.program.endings
            ]
            conditions = [self.expr(each.condition) for each in self.program.endings]
            self._endings = sum(n * weight for n, weight in zip(times, conditions, strict=True))
        return self._endings

    # ------------------------------------------------------------ statements

    def code(self, statements: tuple[ir.Stmt, ...]) -> int:
        """What statements weigh that run once."""
        return sum(self.statement(each) for each in statements)

    def statement(self, st: ir.Stmt) -> int:
        match st:
            case ir.SetLocal():
                return 1 + self.expr(st.value)
            case ir.Store():
                place = self._bulk(self.program.vars[st.var].type)
                return 1 + self.maybe(st.owner) + self.maybe(st.item) + self.expr(st.value) + place
            case ir.Change():
                kind = self.program.vars[st.var].type
                joined = self._bulk(kind) if isinstance(kind, SetOf | ListOf) and st.item is None else 0
                return 1 + self.maybe(st.owner) + self.maybe(st.item) + self.expr(st.amount) + joined
            case ir.Roll() | ir.RollList():
                most = st.count.type.high if isinstance(st.count.type, Int) else 0
                return 1 + self.expr(st.count) + DRAW * max(0, most)
            case ir.Pick():
                return DRAW + self.expr(st.domain) + self.maybe(st.weights) + self.extent(st.domain.type)
            case ir.MoveCard():
                return 1 + self.expr(st.card) + self.expr(st.pile) + self._cards(st.pool)
            case ir.ShufflePile():
                return 1 + self.expr(st.pile) + DRAW * self._cards(st.pool)
            case ir.Call():
                return 1 + self.all(st.args)
            case ir.If():
                return 1 + self.expr(st.condition) + max(self.code(st.then), self.code(st.other))
            case ir.ForEach():
                return 1 + self.expr(st.domain)
            case ir.Loop():
                return 1 + self.expr(st.limit) + self.expr(st.condition)
            case ir.Guarded() | ir.Batch():
                return 1 + self.code(st.body)
            case ir.TestEndings():
                return 1 + self.endings()
            case ir.Remember():
                return 1 + self.position() + MAX_POSITIONS
            case ir.Give():
                return 1 + self.maybe(st.value)
            case ir.Log() | ir.Refused() | ir.Mark():
                return 0
            case ir.Leave() | ir.TakeResult() | ir.Fail():
                return 1
            case _:
                assert_never(st)

    # ------------------------------------------------------------ types

    def extent(self, kind: Type) -> int:
        """How many elements a set or list can have."""
        if isinstance(kind, ListOf):
            return kind.limit
        if not isinstance(kind, SetOf):
            return 0
        of = kind.of
        return len(self.program.domains[of.domain].members) if isinstance(of, Id) else of.high - of.low + 1

    def _bulk(self, kind: Type) -> int:
        match kind:
            case SetOf():
                return self.extent(kind) // 32 * 4
            case BagOf(domain=domain):
                return len(self.program.domains[domain].members) // 2
            case ListOf(limit=limit):
                return limit // 2
            case Record(types=types):
                return len(types) // 2
            case _:
                return 0

    def _cards(self, pool: int) -> int:
        return len(self.program.domains[self.program.pools[pool].domain].members)
