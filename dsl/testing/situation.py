"""A state as the lines of a test: what `given` must write into a game in which nothing has happened yet.

Only what differs from such a game is written. Pieces are placed kind by kind in the order of their numbers, so that
each comes out with its own; cards lie in their piles from the start and are moved into their order, bottom first.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.catalogue import tr
from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.kinds import kind_of
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.engine.piles import cards_in
from dsl.ir.program import OUT, STATUS, Pool, Program, Var
from dsl.ir.types import NONE, Id, ListOf, SetOf, Type
from dsl.testing.failure_text import named

INTERNAL = frozenset({"armed", "window", "depth"})
KEEPING = frozenset({"in_play", "out_of_play", "pile", "order", "option", "history"})


class Unwritable(Exception):
    """A state that no `given` can make; the message says what of it."""


def given_lines(machine: Machine, fresh: list[int], state: list[int]) -> list[str]:
    """The lines of a `given`. Raises `Unwritable`."""
    writer = _Writer(machine.program, fresh, state)
    if state[STATUS] or state[OUT]:
        raise Unwritable(tr("the game is over") if state[STATUS] else tr("a player is out"))
    writer.refuse_internal()
    return [*writer.pieces(), *writer.cards(), *writer.fields()]


class _Writer:
    def __init__(self, program: Program, fresh: list[int], state: list[int]) -> None:
        self.program = program
        self.fresh = fresh
        self.state = state
        self.pools = {pool.domain: pool for pool in program.pools}
        self.kinds = {pool.kind for pool in program.pools if pool.kind is not None}
        """The variables that `place` writes alone."""
        self.called: set[tuple[int, int]] = set()
        """The pieces that the statements so far call by their names, by domain and number."""
        self.placed: dict[tuple[str, int], Plain] = {}
        """What fields of pieces were given as these were placed, by name and piece."""

    def refuse_internal(self) -> None:
        for var in self.program.vars:
            if var.role in INTERNAL and self._slots(self.state, var) != self._slots(self.fresh, var):
                raise Unwritable(tr("something waits to happen, or lasts, that no `given` can set"))

    def _slots(self, state: list[int], var: Var) -> list[int]:
        count = 1 if var.of is None else layout.members(self.program, var.of)
        return state[var.offset : var.offset + count * var.width]

    # ------------------------------------------------------------ pieces

    def pieces(self) -> Iterator[str]:
        for pool in self.program.pools:
            if pool.pile is None:
                for piece, name in enumerate(self.program.domains[pool.domain].members):
                    yield from self._placed(pool, piece, name)
        yield from self._taken_away()

    def _placed(self, pool: Pool, piece: int, name: str) -> Iterator[str]:
        if not self._last_needed(pool, piece):
            return
        self.called.add((pool.domain, piece))
        owner, spot = self._field(pool, "owner"), self._field(pool, "at") or self._field(pool, "in")
        if spot is None:
            raise Unwritable(tr("a piece `{name}` has no field that says where it is placed", name=pool.name))
        of = f" of {self._said(owner, piece)}" if owner is not None else ""
        yield f"place {self._kind(pool, piece)}{of} {spot.name} {self._said(spot, piece)} as {name}"

    def _field(self, pool: Pool, name: str) -> Var | None:
        return next((var for var in self.program.vars if var.of == pool.domain and var.name == name), None)

    def _said(self, var: Var, piece: int) -> str:
        """What a field of a piece is given as it is placed; where it is none, anything, and then none."""
        value = self._read(self.state, var, var.offset + piece * var.width)
        self.placed[var.name, piece] = value if value != NONE else 0
        return self._written(var, self.placed[var.name, piece])

    def _last_needed(self, pool: Pool, piece: int) -> bool:
        """Is this piece, or a later one that `place` might take in its stead, in play or out for ever?"""
        size = layout.members(self.program, pool.domain)
        return any(
            (pool.kind is not None or self._kind(pool, other) == self._kind(pool, piece))
            and not self._in_supply(pool, other)
            for other in range(piece, size)
        )

    def _taken_away(self) -> Iterator[str]:
        for domain, piece in sorted(self.called):
            pool = self.pools[domain]
            name = self.program.domains[domain].members[piece]
            if self._flag(pool.out, piece):
                yield f"take away {name} for ever"
            elif not self._flag(pool.in_play, piece):
                yield f"take away {name}"

    def _in_supply(self, pool: Pool, piece: int) -> bool:
        return not self._flag(pool.in_play, piece) and not self._flag(pool.out, piece)

    def _flag(self, index: int, piece: int) -> bool:
        var = self.program.vars[index]
        if var.of is not None:
            return bool(self.state[var.offset + piece * var.width])
        mask = layout.read(self.program, self.state, var.offset, var.type)
        return isinstance(mask, int) and bool(mask >> piece & 1)

    def _kind(self, pool: Pool, piece: int) -> str:
        row = kind_of(self.program, self.state, pool, piece)
        return pool.name if row is None else self.program.domains[row[0]].members[row[1]]

    # ------------------------------------------------------------ cards

    def cards(self) -> Iterator[str]:
        for pool in self.program.pools:
            if pool.pile is None or pool.order is None:
                continue
            if all(
                self._slots(self.state, self.program.vars[each])
                == self._slots(self.fresh, self.program.vars[each])
                for each in (pool.pile, pool.order, pool.in_play, pool.out)
            ):
                continue
            yield from self._named_cards(pool)
            for pile, where in enumerate(pool.piles):
                for card in reversed(cards_in(self.program, self.state, pool, pile)):
                    yield f"move {self.program.domains[pool.domain].members[card]} to {where}"

    def _named_cards(self, pool: Pool) -> Iterator[str]:
        """A name for each card: the first of its kind that has none yet."""
        before: dict[str, list[str]] = {}
        for card, name in enumerate(self.program.domains[pool.domain].members):
            kind = self._kind(pool, card)
            known = before.setdefault(kind, [])
            tests = [f"c is not {each}" for each in known]
            tests = tests if pool.kinds is None else [f"c.kind is {kind}", *tests]
            yield f"let {name} = first c in {pool.name}{' where ' * bool(tests)}{' and '.join(tests)}"
            known.append(name)
            self.called.add((pool.domain, card))

    # ------------------------------------------------------------ fields

    def fields(self) -> Iterator[str]:
        for number, var in enumerate(self.program.vars):
            if var.role in KEEPING | INTERNAL or number in self.kinds:
                continue
            if not var.name.isidentifier():
                if self._slots(self.state, var) != self._slots(self.fresh, var):
                    raise Unwritable(tr("`{name}` is under way, which no `given` can set", name=var.name))
                continue
            count = 1 if var.of is None else layout.members(self.program, var.of)
            for member in range(count):
                at = var.offset + member * var.width
                value = self._read(self.state, var, at)
                if value != self.placed.get((var.name, member), self._read(self.fresh, var, at)):
                    owner = self._owner(var, member)
                    if owner is not None:
                        begins = self._read(self.fresh, var, at)
                        yield from self._assigned(f"{owner}{var.name}", var, begins, value)

    def _assigned(self, place: str, var: Var, begins: Plain, value: Plain) -> Iterator[str]:
        """What gives a field its value; a list gains its elements one by one."""
        said = self._written(var, value)
        if not isinstance(var.type, ListOf) or not isinstance(value, tuple):
            yield f"{place} = {said}"
            return
        if begins != ():
            yield f"{place} = empty"
        yield from (f"{place} gains {named(self.program, var.type.of, each)}" for each in value)

    def _owner(self, var: Var, member: int) -> str | None:
        """What stands before the field; none where it belongs to a piece that is not there."""
        if var.of is None:
            return ""
        pool = self.pools.get(var.of)
        if pool is not None and (not self._flag(pool.in_play, member) or (var.of, member) not in self.called):
            if pool.pile is not None and self._flag(pool.in_play, member):
                raise Unwritable(tr("a card has a field `{name}` of its own", name=var.name))
            return None
        return f"{self.program.domains[var.of].members[member]}."

    def _read(self, state: list[int], var: Var, at: int) -> Plain:
        return layout.read(self.program, state, at, var.type)

    def _written(self, var: Var, value: Plain) -> str:
        domain = element(var.type)
        if domain in self.pools:
            for piece in _elements(var.type, value):
                if piece != NONE and (domain, piece) not in self.called:
                    raise Unwritable(tr("a field names pieces that no line of `given` can name"))
        return named(self.program, var.type, value)


def element(kind: Type) -> int:
    """The domain whose members a field holds, one or several; -1 where it holds numbers."""
    inner = kind.of if isinstance(kind, SetOf | ListOf) else kind
    return inner.domain if isinstance(inner, Id) else -1


def _elements(kind: Type, value: Plain) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return value
    return tuple(bits(value, 0)) if isinstance(kind, SetOf) else (value,)
