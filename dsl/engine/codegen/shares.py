"""What counted steps are counted for: the weight of a piece of code, shared out among heads and lines.

Steps are counted where code is entered, for all of it at once, and a value that the code asks for is weighed with it
(`dsl.ir.weight`). A profile has to say which lines these steps belong to. A share therefore has a path of heads that
are asked on the way, a line, and a weight; the weights of all shares of a piece of code are the weight of the code.

A head that makes less than `FINEST` of a piece of code is not taken apart: it stands as a whole at its own line.
So a piece of code has few shares, however many ways lead through the values that it asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.walk import parts
from dsl.ir.weight import Weights

FINEST = 1000

Head = tuple[str, int]
"""A kind and a number: `value`, `prohibitions` (of an action), `procedure`, `routine`, `ending`, `audience`, `menu`
(the clause of its line), or `start` (0: the first values of variables)."""
Spot = tuple[str, int]
"""A file by its name in the game, and a line in it from 1 on; `NOWHERE` where there is none."""
NOWHERE: Spot = ("", 0)
Path = tuple[tuple[Spot, Head], ...]
"""Heads, each inside the one before it, with the lines that they are asked from."""


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a piece of code that lies behind a path of heads, at a line."""

    path: Path
    spot: Spot
    weight: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A place in generated code that counts steps: `fixed` of them each time for the line itself, and the others for
    the shares.
    """

    spot: Spot
    fixed: int
    shares: tuple[Share, ...]


class Shares:
    """Takes the code of one program apart."""

    def __init__(self, program: Program, weights: Weights) -> None:
        self.program = program
        self.weights = weights
        self._asked: dict[int, tuple[Any, Counter[Head]]] = {}

    # ------------------------------------------------------------ places

    def spot(self, site: int, clause: int | None) -> Spot:
        """The line of a site or else of a clause (-1 or none: there is none)."""
        program = self.program
        if 0 <= site < len(program.sites):
            place = program.sites[site].place
        elif clause is not None and clause >= 0:
            place = program.clauses[clause].place
        else:
            return NOWHERE
        return place.file, place.line

    def head_spot(self, head: Head) -> Spot:
        """The line at which a head stands."""
        program, (kind, number) = self.program, head
        match kind:
            case "value":
                return self.spot(-1, program.values[number].clause)
            case "prohibitions":
                return self.spot(-1, program.actions[number].clause)
            case "procedure":
                return self.spot(-1, self._of_action(lambda each: each.procedure == number))
            case "routine" if number == program.main:
                headers = (n for n, each in enumerate(program.clauses) if each.kind == "header")
                return self.spot(-1, next(headers, None))
            case "routine":
                return self.spot(-1, self._of_action(lambda each: each.routine == number))
            case "ending":
                return self.spot(-1, program.endings[number].clause)
            case "audience":
                return self.spot(-1, program.vars[number].clause)
            case "menu":
                return self.spot(-1, number)
            case _:
                return NOWHERE

    def _of_action(self, fits: Callable[[Any], bool]) -> int | None:
        return next((each.clause for each in self.program.actions if fits(each)), None)

    # ------------------------------------------------------------ shares

    def counted(self, code: Iterable[Any], weight: int, spot: Spot, *, fixed: int = 0) -> Counted:
        """Code (statements, expressions, offers, or what ends a block) of a weight, that is counted at a line: what is
        in none of its parts is the line's own.
        """
        found: Counter[tuple[Path, Spot]] = Counter()
        least = weight // FINEST
        for each in code:
            self._code(found, (), spot, each, least)
        found[(), spot] += weight - found.total()
        shares = tuple(Share(path, at, n) for (path, at), n in found.items() if n > 0)
        return Counted(spot, fixed, shares)

    def _code(self, found: Counter[Any], path: Path, spot: Spot, code: Any, least: int) -> None:
        """Adds the shares of one statement, expression, offer or end of a block."""
        site = getattr(code, "site", -1)
        spot = self.spot(site, None) if site >= 0 else spot
        match code:
            case ir.Log() | ir.Refused() | ir.Mark():
                return
            case ir.If():
                found[path, spot] += 1
                self._expr(found, path, spot, code.condition, 1, least)
                weigh = self.weights.code
                heavier = code.then if weigh(code.then) >= weigh(code.other) else code.other
                for each in heavier:
                    self._code(found, path, spot, each, least)
            case ir.Guarded() | ir.Batch():
                found[path, spot] += 1
                for each in code.body:
                    self._code(found, path, spot, each, least)
            case ir.ForEach():
                found[path, spot] += 1
                self._expr(found, path, spot, code.domain, 1, least)
            case ir.Loop():
                found[path, spot] += 1
                self._expr(found, path, spot, code.limit, 1, least)
                self._expr(found, path, spot, code.condition, 1, least)
            case ir.TestEndings():
                found[path, spot] += 1
                self._endings(found, path, spot, least)
            case ir.Decide():
                self._expr(found, path, spot, code.player, 1, least)
                for offer in code.offers:
                    self._code(found, path, spot, offer, least)
            case ir.Offer():
                if code.menu is not None:
                    path, spot = (*path, (spot, ("menu", code.menu))), self.spot(-1, code.menu)
                found[path, spot] += 1
                first = code.variables[0].domain if code.variables else code.guard
                if first is not None:
                    self._expr(found, path, spot, first, 1, least)
            case ir.Jump() | ir.Return():
                return
            case ir.Branch():
                self._expr(found, path, spot, code.condition, 1, least)
            case ir.Enter():
                for arg in code.args:
                    self._expr(found, path, spot, arg, 1, least)
            case _ if isinstance(code, ir.Expr):
                self._expr(found, path, spot, code, 1, least)
            case _:  # a statement with nothing but expressions in it
                before = found.total()
                for value in (getattr(code, each.name) for each in fields(code)):
                    for part in value if isinstance(value, tuple) else (value,):
                        if isinstance(part, ir.Expr):
                            self._expr(found, path, spot, part, 1, least)
                found[path, spot] += self.weights.statement(code) - (found.total() - before)

    def _endings(self, found: Counter[Any], path: Path, spot: Spot, least: int) -> None:
        players = len(self.program.domains[self.program.players].members)
        for number, ending in enumerate(self.program.endings):
            times = 1 if ending.who is not None or not ending.locals else players
            within = (*path, (spot, ("ending", number)))
            self._expr(found, within, self.head_spot(("ending", number)), ending.condition, times, least)

    def _expr(self, found: Counter[Any], path: Path, spot: Spot, e: ir.Expr, times: int, least: int) -> None:
        """Adds an expression that is weighed some times."""
        own = self.weights.expr(e)
        for head, count in self._heads(e).items():
            own -= count * self._weight(head)
            self._head(found, (*path, (spot, head)), count * times, least)
        found[path, spot] += own * times

    def _head(self, found: Counter[Any], path: Path, times: int, least: int) -> None:
        """Adds a value, or the prohibitions on an action, that are weighed some times."""
        _, head = path[-1]
        weight = self._weight(head) * times
        if weight <= least:
            found[path, self.head_spot(head)] += weight
            return
        kind, number = head
        if kind == "value":
            value = self.program.values[number]
            self._expr(found, path, self.head_spot(head), value.base, times, least)
            for clause in value.clauses:
                for each in (clause.condition, clause.operand, clause.divisor):
                    if each is not None:
                        self._expr(found, path, self.spot(-1, clause.clause), each, times, least)
        else:
            for prohibition in self.program.actions[number].prohibitions:
                where = self.spot(-1, prohibition.clause)
                self._expr(found, path, where, prohibition.condition, times, least)

    def _weight(self, head: Head) -> int:
        kind, number = head
        return self.weights.value(number) if kind == "value" else self.weights.judged(number)

    def _heads(self, e: ir.Expr) -> Counter[Head]:
        """How often the weight of an expression has that of a value, or of the prohibitions on an action, in it."""
        known = self._asked.get(id(e))
        if known is not None:
            return known[1]
        found: Counter[Head] = Counter()
        for each in _weighed(e):
            found.update(self._heads(each))
        match e:
            case ir.Ask():
                found["value", e.value] += 1
            case ir.Judge():
                found["prohibitions", e.action] += 1
            case ir.Fold() if not self.weights.large(e):
                times = self.weights.extent(e.domain.type)
                for term in (e.where, e.body):
                    for head, count in self._heads(term).items() if term is not None else ():
                        found[head] += count * times
            case _:
                pass
        self._asked[id(e)] = (e, found)
        return found


def _weighed(e: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions directly inside one whose weight is part of its own, apart from the elements of a fold."""
    match e:
        case ir.Reach():
            return e.args
        case ir.Trial():
            return ()
        case ir.Fold():
            return (e.domain,)
        case _:
            return parts(e)
