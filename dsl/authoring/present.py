"""What a field or a value holds now, and which cells an area has, in words and as far as some viewers see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from dsl.diagnostics.excerpt import printable
from dsl.engine.display import fraction, member_name, shown
from dsl.engine.failure import RuleFailure
from dsl.engine.machine import Machine
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.program import Program, Var
from dsl.ir.types import NONE, Id, Int
from dsl.scene.eyes import Eyes, Viewers
from dsl.scene.fields import BLANK, Fields
from dsl.scene.ground import marked_areas
from dsl.scene.model import Board, Scene

MOST_CELLS = 40
"""So many cells of an area are named."""
Pair = tuple[str, str]


class Present:
    """The fields, values and areas of a state as some viewers see it in a scene; all texts are in `language`."""

    def __init__(
        self, machine: Machine, state: Sequence[int], viewers: Viewers, language: str, scene: Scene
    ) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.viewers = viewers
        self.language = language
        self.scene = scene
        self.eyes = Eyes(machine, list(state), viewers)
        self.fields = Fields(self.eyes, language)

    # ------------------------------------------------------------ fields

    def worded_fields(self) -> Iterator[tuple[int, Var]]:
        """The fields that players are told of: those with words for them, each with its number."""
        return ((index, var) for index, var in self.fields.all if var.label is not None)

    def field(self, index: int) -> tuple[Pair, ...]:
        """What a field holds: of a game's own the value; of players each one's; of cells, of pieces on a board and of
        other things of those that hold something; where all hold nothing that is said. Whatever is hidden is left out.
        """
        var = self.program.vars[index]
        if var.of is None:
            return (("", self._shown(index, 0)),) if self.eyes.see(index, 0) else ()
        if var.of == self.program.players:
            return tuple(
                (self._called(var.of, row), self._shown(index, row))
                for row in self.fields.seated()
                if self.eyes.see(index, row)
            )
        members = tuple(self._members(var.of))
        found = ((label, self.fields.of_field(index, member)) for member, label in members)
        told = tuple((label, value[1]) for label, value in found if value is not None)
        if told or not all(self.eyes.see(index, member) for member, _ in members):
            return told
        return (("", self._none),)

    def holding(self, domain: int, member: int) -> Iterator[Pair]:
        """The fields that hold a member of a domain, each with the players and other things, no cells, whose it is."""
        boards = {board.domain for board in self.program.boards}
        for index, var in self.worded_fields():
            if not isinstance(var.type, Id) or var.type.domain != domain or var.of in boards:
                continue
            if var.of is None:
                if self.eyes.scalar(index, 0) == member:
                    yield self.fields.name(var), ""
                continue
            rows = self._called_in(var.of)
            found = [label for row, label in rows if self.eyes.scalar(index, row) == member]
            if found:
                yield self.fields.name(var), _first(found)

    def _called_in(self, domain: int) -> Iterator[tuple[int, str]]:
        """The members of a domain that can be told of, of players those who take part."""
        if domain != self.program.players:
            yield from self._members(domain)
            return
        yield from ((row, self._called(domain, row)) for row in self.fields.seated())

    def of_thing(self, domain: int, member: int) -> Iterator[Pair]:
        """What the fields with words for players hold of a member of a table or a type, and of it as the part of a
        union: of those that hold something. Whatever is hidden is left out.
        """
        yield from self.fields.of_member(domain, member)
        for union, at in self._unions(domain):
            yield from self.fields.of_member(union, at + member)

    def _unions(self, part: int) -> Iterator[tuple[int, int]]:
        """The unions that a domain is part of, each with where its members begin there."""
        for number, declared in enumerate(self.program.domains):
            at = 0
            for each in declared.parts:
                if each == part:
                    yield number, at
                at += len(self.program.domains[each].members)

    def _shown(self, index: int, member: int) -> str:
        text = self.fields.shown(index, member)
        return self._none if text == BLANK else text

    @cached_property
    def _none(self) -> str:
        return shown(self.program, Int(0, 0), NONE, self.language)

    def _called(self, domain: int, member: int) -> str:
        return printable(member_name(self.program, domain, member, self.language))

    def _members(self, domain: int) -> Iterator[tuple[int, str]]:
        """The members of a domain that can be told of, with what they are called."""
        for declared, board in zip(self.program.boards, self.scene.boards, strict=True):
            if declared.domain == domain:
                yield from ((number, cell.label) for number, cell in enumerate(board.cells))
                return
        members = self.program.domains[domain].members
        if not any(pool.domain == domain for pool in self.program.pools):
            yield from ((number, self._called(domain, number)) for number in range(len(members)))
            return
        for board in self.scene.boards:
            for piece in board.pieces:
                if piece.name in members and not piece.hidden:
                    places = ", ".join(board.cells[each].label for each in piece.cells)
                    yield members.index(piece.name), f"{piece.label} ({places})"

    # ------------------------------------------------------------ values

    def value(self, number: int) -> str | None:
        """What a value without parameters is now; none where it has some, where a viewer may not see all that it
        reads, or where it has none.
        """
        return None if self.program.values[number].params else self._asked(number, ())

    def value_of(self, number: int, member: int) -> str | None:
        """The same of a value with one parameter, for a member of the domain that it is of."""
        (kind,) = self.program.values[number].params
        assert isinstance(kind, Id)
        return self._asked(number, (ir.Const(kind, member),))

    def _asked(self, number: int, args: tuple[ir.Expr, ...]) -> str | None:
        declared = self.program.values[number]
        asked = ir.Ask(declared.result, number, args)
        if not self.eyes.follow(asked):
            return None
        try:
            found = Sight(self.machine, list(self.eyes.state), None).evaluated(asked, {})
        except RuleFailure as failure:
            self.machine.unsaid[failure.code] += 1
            return None
        if declared.denominator != 1 and isinstance(found, int):
            return fraction(found, declared.denominator)
        return self.fields.told(declared.result, found)

    # ------------------------------------------------------------ areas

    @cached_property
    def areas(self) -> dict[str, tuple[str, list[tuple[Board, str, int]]]]:
        """Of each area of the maps, by the name that the rules have for it, what it is called, and its cells: the
        board, whose they are, and a bit for each.
        """
        found: dict[str, tuple[str, list[tuple[Board, str, int]]]] = {}
        for declared, board in zip(self.program.boards, self.scene.boards, strict=True):
            for area in marked_areas(self.program, declared, self.language):
                owner = self._called(*area.owner) if area.owner is not None else ""
                parts = found.setdefault(area.declared, (printable(area.called), []))[1]
                parts.append((board, owner, area.cells))
        return found

    def area(self, declared: str) -> tuple[Pair, ...]:
        """The cells of an area, whose each part is beside them."""
        return tuple((owner, _cells(board, cells)) for board, owner, cells in self.areas[declared][1])


def _first(labels: list[str]) -> str:
    more = f", … +{len(labels) - MOST_CELLS}" if len(labels) > MOST_CELLS else ""
    return ", ".join(labels[:MOST_CELLS]) + more


def _cells(board: Board, cells: int) -> str:
    labels = [cell.label for number, cell in enumerate(board.cells) if cells >> number & 1]
    return _first(labels)
