"""What a person means by the words for an argument: a member by its name or label, a piece also by its kind and
where it is (`scout at a3`, `the scout on a3`; of one on several cells any of them), a number, a truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.bits import bits
from dsl.engine.display import member_name
from dsl.engine.kinds import kind_seen
from dsl.engine.layout import bounds
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play
from dsl.ir.program import Pool
from dsl.ir.types import NONE, Id, Int
from dsl.near import nearest

MOST_NAMED = 6
_STANDING = re.compile(r"(?P<what>.+?)\s+(?:at|on|in|en|à|sur|dans)\s+(?P<where>\S.*)$", re.IGNORECASE)


class Unclear(Exception):
    """Words that mean nothing here, or more than one thing; the message says it to the person."""


class Names:
    """The things of a game as a person names them; pieces that he does not see are not looked for by place,
    nor by their kind those whose kind he does not see.
    """

    def __init__(self, machine: Machine, state: tuple[int, ...], player: int, language: str) -> None:
        self.machine = machine
        self.program = program = machine.program
        self.state = state
        self.player = player
        self.language = language
        self.spoken = language or program.language

    def value(self, kind: object, text: str) -> int:
        """What is meant by some words where a value of a type is wanted."""
        if isinstance(kind, Id):
            if text.casefold() in {"none", "aucun"} and kind.optional:
                return NONE
            return self._member(kind.domain, text)
        if isinstance(kind, Int):
            low, high = bounds(self.program, kind)
            if kind.truth and text in {"true", "false"}:
                return int(text == "true")
            if text.removeprefix("-").isdecimal() and low <= int(text) <= high:
                return int(text)
            raise Unclear(word("no such number", self.spoken, text=text, low=low, high=high))
        raise Unclear(word("no such thing", self.spoken, text=text, near=""))

    def _member(self, domain: int, text: str) -> int:
        wanted = text.casefold()
        names = self.program.domains[domain].members
        known: dict[str, list[int]] = {}
        for member, name in enumerate(names):
            label = member_name(self.program, domain, member, self.language)
            for each in {name.casefold(), label.casefold()}:
                known.setdefault(each, []).append(member)
        pools = self._pools(domain)
        exact = [member for member, name in enumerate(names) if name.casefold() == wanted]
        found = exact or known.get(wanted, [])
        if pools and not exact:
            pieces = [first + each for first, pool in pools for each in self._pieces(pool, wanted)]
            found = pieces or (found if self.program.domains[domain].parts else [])
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(self._described(domain, each) for each in found[:MOST_NAMED])
            raise Unclear(word("several", self.spoken, text=printable(text), names=listed))
        close = self._elsewhere(pools, wanted) or nearest(
            wanted, [*known, *(name for _, pool in pools for name in self._kinds(pool))]
        )
        near = word("near", self.spoken, name=close) if close else ""
        raise Unclear(word("no such thing", self.spoken, text=printable(text), near=near))

    def _pools(self, domain: int) -> list[tuple[int, Pool]]:
        """The types of pieces that a domain is or has among its parts, each behind the number of its first member."""
        found, first = list[tuple[int, Pool]](), 0
        for part in self.program.domains[domain].parts or (domain,):
            found += [(first, pool) for pool in self.program.pools if pool.domain == part]
            first += len(self.program.domains[part].members)
        return found

    def _elsewhere(self, pools: list[tuple[int, Pool]], wanted: str) -> str:
        """Of a piece that was named with its place, the nearest that there is: its name, or where it is, is another."""
        standing = _STANDING.match(wanted)
        if standing is None:
            return ""
        kinds: dict[str, list[tuple[int, int]]] = {}
        for _, pool in pools:
            present = set(in_play(self.program, list(self.state), pool))
            for name, pieces in self._kinds(pool).items():
                kinds.setdefault(name, []).extend((pool.domain, each) for each in pieces if each in present)
        named = standing["what"]
        kind = named if named in kinds else nearest(named, kinds)
        places = dict.fromkeys(place for each in kinds.get(kind, []) for place in sorted(self._places(*each)))
        where = standing["where"]
        place = where if where in places else nearest(where, places) or next(iter(places), "")
        between = wanted[standing.end("what") : standing.start("where")]
        return f"{kind}{between}{place}" if place else ""

    def _pieces(self, pool: Pool, wanted: str) -> list[int]:
        """The pieces of a kind, at a place if one is named: those in play before all others, and one's own first."""
        kinds, where = self._kinds(pool), ""
        if wanted not in kinds and (found := _STANDING.match(wanted)) is not None:
            wanted, where = found["what"], found["where"]
        pieces = kinds.get(wanted, [])
        present = set(in_play(self.program, list(self.state), pool))
        pieces = [each for each in pieces if each in present] or pieces
        if where:
            return [each for each in pieces if where in self._places(pool.domain, each)]
        own = [each for each in pieces if self._field(pool.domain, each, "owner") == self.player]
        return own or pieces

    def _kinds(self, pool: Pool) -> dict[str, list[int]]:
        """The pieces of each kind, by its name and by its label, and by their own labels."""
        found: dict[str, list[int]] = {}
        for piece, name in enumerate(self.program.domains[pool.domain].members):
            called = {name, member_name(self.program, pool.domain, piece, self.language)}
            kind = kind_seen(self.machine, list(self.state), pool, piece, self.player)
            if kind is not None:
                called |= {
                    self.program.domains[kind[0]].members[kind[1]],
                    member_name(self.program, *kind, self.language),
                }
            for each in {each.casefold() for each in called}:
                found.setdefault(each, []).append(piece)
        return found

    def _places(self, domain: int, piece: int) -> set[str]:
        """Where a piece is, by name and label, as far as all see it; on several cells it is on each of them."""
        found: set[str] = set()
        for field in ("at", "in"):
            place, kind = self._field(domain, piece, field), self._type(domain, field)
            if kind is not None and place != NONE:
                for of, member in ((kind.domain, place), *self._covered(kind.domain, place)):
                    found.add(self.program.domains[of].members[member].casefold())
                    found.add(member_name(self.program, of, member, self.language).casefold())
        return found

    def _covered(self, domain: int, place: int) -> Iterator[tuple[int, int]]:
        """The cells of a place that takes several, each behind their domain."""
        for board in self.program.boards:
            for shape, data in board.shapes:
                mask = self.program.data[data].values[place] if shape == domain else 0
                yield from ((board.domain, cell) for cell in bits(mask if isinstance(mask, int) else 0))

    def _described(self, domain: int, member: int) -> str:
        for first, pool in self._pools(domain):
            if first <= member < first + len(self.program.domains[pool.domain].members):
                domain, member = pool.domain, member - first
                break
        label = member_name(self.program, domain, member, self.language)
        name = self.program.domains[domain].members[member]
        kind = self._type(domain, "at")
        place = self._field(domain, member, "at")
        if kind is not None and place != NONE:
            return f"{name} ({member_name(self.program, kind.domain, place, self.language)})"
        return name if label == name else f"{name} ({label})"

    def _type(self, domain: int, field: str) -> Id | None:
        for var in self.program.vars:
            if var.of == domain and var.name == field and var.audience is None and isinstance(var.type, Id):
                return var.type
        return None

    def _field(self, domain: int, piece: int, field: str) -> int:
        """A field of a piece that all see; none for any other."""
        for var in self.program.vars:
            if var.of == domain and var.name == field and var.audience is None and isinstance(var.type, Id):
                return self.state[var.offset + piece * var.width]
        return NONE
