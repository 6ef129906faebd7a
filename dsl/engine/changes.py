"""What has changed between two states, in words: only fields that the author has given a label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.display import MINUS, member_name, text_of, worded
from dsl.engine.distinct import place_of
from dsl.engine.kinds import kind_seen
from dsl.engine.layout import Plain
from dsl.engine.machine import Machine
from dsl.engine.piles import in_play, player_of
from dsl.engine.views import may_see
from dsl.ir.nodes import Const
from dsl.ir.program import Pool, Program, Var
from dsl.ir.types import NONE, BagOf, Id, Int, SetOf
from dsl.records import record

ARROW = "→"
SEVERAL = 3
"""What befalls so many alike is told once."""
EMPTY = "—"
"""Of a list in which nothing is."""


def changes(
    machine: Machine,
    before: list[int],
    after: list[int],
    viewer: int | None,
    language: str,
    *,
    places: bool = False,
) -> Iterator[str]:
    """Each labelled field that differs, as `viewer` may see it (none: all of it). Of a piece that has left play, or its
    pile, it is not told that its fields begin anew, but where it is. With `places`, pieces of one name whose fields
    differ are told apart by where they stand, or stood, if all see that, and what befell several alike is told once.
    """
    program = machine.program
    moved = _moved(program, before, after)
    leaving: dict[tuple[int, int], None] = {}
    for index, var in enumerate(program.vars):
        if var.label is None or var.role != "field":
            continue
        count = 1 if var.of is None else layout.members(program, var.of)
        behind = var.offset + count * var.width
        if before[var.offset : behind] == after[var.offset : behind]:
            continue
        told: list[tuple[int, Plain, Plain]] = []
        for member in range(count):
            at = var.offset + member * var.width
            if before[at : at + var.width] == after[at : at + var.width]:
                continue
            if viewer is not None and not _seen(machine, (before, after), index, member, viewer):
                continue
            pair = layout.read(program, before, at, var.type), layout.read(program, after, at, var.type)
            begins = isinstance(var.initial, Const) and var.initial.value == pair[1]
            if begins and var.of is not None and (var.of, member) in moved:
                leaving[var.of, member] = None
                continue
            told.append((member, *pair))
        where = _apart(program, var, [each[0] for each in told], before, after, language) if places else {}
        joint = places and var.of is not None and not isinstance(var.type, BagOf | SetOf)
        alike = Counter((old, new) for _, old, new in told) if joint else Counter()
        for member, old, new in told:
            if alike[old, new] < SEVERAL:
                yield _change(program, var, member, old, new, language=language, where=where.get(member, ""))
        for (old, new), count in alike.items():
            if count >= SEVERAL:
                members = [each for each, *pair in told if pair == [old, new]]
                yield _together(program, var, members, old, new, language=language, where=where)
    for piece in leaving:
        yield from _left(machine, moved[piece], piece, (before, after), viewer, language)


def _apart(
    program: Program, var: Var, members: list[int], before: list[int], after: list[int], language: str
) -> dict[int, str]:
    """Where those of some pieces stand, or stood, that have the name of another one of them, or of one of which all see
    where it stands.
    """
    pool = next((each for each in program.pools if each.domain == var.of), None)
    if var.of is None or pool is None:
        return {}
    domain, places = var.of, {}
    for piece in {*members, *in_play(program, before, pool), *in_play(program, after, pool)}:
        found = (place_of(program, state, domain, piece, language) for state in (after, before))
        places[piece] = next(filter(None, found), "")
    names = Counter(
        member_name(program, domain, piece, language)
        for piece, place in places.items()
        if place or piece in members
    )
    return {
        piece: places[piece] for piece in members if names[member_name(program, domain, piece, language)] > 1
    }


def _moved(program: Program, before: list[int], after: list[int]) -> dict[tuple[int, int], Pool]:
    """The pieces that have left play, or lie in another pile, by their domain and number."""
    found: dict[tuple[int, int], Pool] = {}
    for pool in program.pools:
        gone = set(in_play(program, before, pool)) - set(in_play(program, after, pool))
        if pool.pile is not None:
            at, count = program.vars[pool.pile].offset, layout.members(program, pool.domain)
            gone |= {each for each in range(count) if before[at + each] != after[at + each]}
        found |= {(pool.domain, each): pool for each in gone}
    return found


def _left(
    machine: Machine,
    pool: Pool,
    piece: tuple[int, int],
    states: tuple[list[int], list[int]],
    viewer: int | None,
    language: str,
) -> Iterator[str]:
    """Where a piece went: into which pile, or out of play; nothing where the viewer may not see which piece it is."""
    program, (before, after) = machine.program, states
    name = _called(machine, before, pool, piece[1], viewer, language)
    if pool.pile is None:
        yield f"{MINUS}1 {name}"
        return
    pile = program.vars[pool.pile]
    if viewer is not None and not _seen(machine, states, pool.pile, piece[1], viewer):
        return
    assert isinstance(pile.type, Id)
    there = after[pile.offset + piece[1]]
    if there == NONE:
        yield f"{MINUS}1 {name}"
    else:
        yield f"{name} {ARROW} {member_name(program, pile.type.domain, there, language)}"


@record(frozen=True, slots=True)
class Drawn:
    """Cards that have come into a pile of a player, who did not see them before and does now: what the pile is called,
    how many they are, and the names of those that the reader sees.
    """

    pile: str
    count: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        """Such as `Hand (Ann) +3 (2 Parry, Feint)`."""
        counted = Counter(self.names).items()
        told = ", ".join(f"{count} {name}" if count > 1 else name for name, count in counted)
        return f"{self.pile} +{self.count} ({told})" if told else f"{self.pile} +{self.count}"


def drawn(
    machine: Machine, before: list[int], after: list[int], viewer: int | None, language: str
) -> Iterator[Drawn]:
    """What players have drawn, by the piles that have words for players."""
    program = machine.program
    for pool in program.pools:
        kind = program.vars[pool.pile].type if pool.pile is not None else None
        if pool.pile is None or not isinstance(kind, Id):
            continue
        at, count = program.vars[pool.pile].offset, layout.members(program, pool.domain)
        came: dict[int, list[int]] = {}
        for card in range(count):
            pile = after[at + card]
            if pile == before[at + card] or pile == NONE or (owner := player_of(program, pool, pile)) is None:
                continue
            known = before[at + card] != NONE and may_see(machine, before, pool.pile, card, owner)
            if not known and may_see(machine, after, pool.pile, card, owner):
                came.setdefault(pile, []).append(card)
        for pile, cards in sorted(came.items()):
            label = member_name(program, kind.domain, pile, language)
            seen = [
                each for each in cards if viewer is None or may_see(machine, after, pool.pile, each, viewer)
            ]
            if label != pool.piles[pile]:
                names = tuple(_card(machine, after, pool, each, viewer, language) for each in seen)
                yield Drawn(label, len(cards), names)


def _card(
    machine: Machine, state: list[int], pool: Pool, card: int, viewer: int | None, language: str
) -> str:
    """A card by its kind, if the viewer sees that, else by its own name."""
    kind = kind_seen(machine, state, pool, card, viewer)
    return member_name(machine.program, *(kind or (pool.domain, card)), language)


def amounts(
    machine: Machine, before: list[int], after: list[int], viewer: int | None, language: str
) -> Iterator[str]:
    """What differs in labelled numbers, bags and sets, as differences, `Purse −5`: those of `viewer` himself without
    his name. Behind them the pieces that have left play, `−1 Guard`, by their kind where he saw it, else by their type.
    """
    program = machine.program
    for index, var in enumerate(program.vars):
        counts = isinstance(var.type, BagOf | SetOf) or (isinstance(var.type, Int) and not var.type.truth)
        if var.label is None or var.role != "field" or not counts:
            continue
        for member in range(1 if var.of is None else layout.members(program, var.of)):
            at = var.offset + member * var.width
            if before[at : at + var.width] == after[at : at + var.width]:
                continue
            if viewer is not None and not _seen(machine, (before, after), index, member, viewer):
                continue
            old, new = (layout.read(program, state, at, var.type) for state in (before, after))
            own = var.of == program.players and member == viewer
            if (
                isinstance(var.type, Int)
                and isinstance(old, int)
                and isinstance(new, int)
                and NONE not in {old, new}
            ):
                sign = "+" if new > old else MINUS
                yield f"{_named(program, var, member, own, language)} {sign}{abs(new - old)}"
            elif not isinstance(var.type, Int):
                yield _change(program, var, member, old, new, language=language)
    yield from _gone(machine, before, after, viewer, language)


def _gone(
    machine: Machine, before: list[int], after: list[int], viewer: int | None, language: str
) -> Iterator[str]:
    """The pieces that have left play and lay in no pile, counted by their kinds."""
    program = machine.program
    for pool in program.pools:
        out = set(in_play(program, before, pool)) - set(in_play(program, after, pool))
        counted: dict[str, int] = {}
        for piece in sorted(out) if pool.pile is None else ():
            name = _called(machine, before, pool, piece, viewer, language)
            counted[name] = counted.get(name, 0) + 1
        for name, count in counted.items():
            yield f"{MINUS}{count} {name}"


def _called(
    machine: Machine, state: list[int], pool: Pool, piece: int, viewer: int | None, language: str
) -> str:
    """A piece by its kind, if the viewer sees that, else by its type."""
    program = machine.program
    if (kind := kind_seen(machine, state, pool, piece, viewer)) is not None:
        return member_name(program, *kind, language)
    return text_of(program, program.domains[pool.domain].label, language) or pool.name


def _named(program: Program, var: Var, member: int, own: bool, language: str, where: str = "") -> str:
    """What a field is called, with whose it is, unless that is clear, and where that is, if given."""
    place = f", {where}" if where else ""
    owner = (
        f" ({member_name(program, var.of, member, language)}{place})"
        if var.of is not None and not own
        else ""
    )
    return f"{text_of(program, var.label, language)}{owner}"


def _seen(
    machine: Machine, states: tuple[list[int], list[int]], index: int, member: int, viewer: int
) -> bool:
    return all(may_see(machine, state, index, member, viewer) for state in states)


def _change(
    program: Program, var: Var, member: int, old: Plain, new: Plain, *, language: str, where: str = ""
) -> str:
    name = _named(program, var, member, False, language, where)
    if isinstance(var.type, BagOf) and isinstance(old, tuple) and isinstance(new, tuple):
        return f"{name} {_counted(program, var.type, old, new, language)}"
    if isinstance(var.type, SetOf) and isinstance(old, int) and isinstance(new, int):
        return f"{name} {_joined(program, var.type, old, new, language)}"
    return f"{name} {_from_to(program, var, old, new, language)}"


def _from_to(program: Program, var: Var, old: Plain, new: Plain, language: str) -> str:
    was, now = (worded(program, var.type, each, language) or EMPTY for each in (old, new))
    return f"{was} {ARROW} {now}"


def _together(
    program: Program,
    var: Var,
    members: list[int],
    old: Plain,
    new: Plain,
    *,
    language: str,
    where: dict[int, str],
) -> str:
    """A change that is the same for several, with whose it is behind it: `CP yes → no (Buggy; Civilian k6, j5)`."""
    assert var.of is not None
    named: dict[str, list[str]] = {}
    for member in members:
        places = named.setdefault(member_name(program, var.of, member, language), [])
        places += [where[member]] if where.get(member) else []
    whose = "; ".join(f"{name} {', '.join(places)}".rstrip() for name, places in named.items())
    return f"{text_of(program, var.label, language)} {_from_to(program, var, old, new, language)} ({whose})"


def _counted(program: Program, kind: BagOf, old: tuple[int, ...], new: tuple[int, ...], language: str) -> str:
    """A bag's change as what came and what went."""
    signed = [(b - a, member) for member, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return ", ".join(
        f"{'+' if by > 0 else MINUS}{abs(by)} {member_name(program, kind.domain, member, language)}"
        for by, member in signed
    )


def _joined(program: Program, kind: SetOf, old: int, new: int, language: str) -> str:
    low = layout.low_of(program, kind)
    came = [f"+{worded(program, kind.of, each, language)}" for each in bits(new & ~old, low)]
    went = [f"{MINUS}{worded(program, kind.of, each, language)}" for each in bits(old & ~new, low)]
    return ", ".join([*came, *went])
