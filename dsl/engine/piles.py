"""Piles of cards. A pool's variable `pile` says in which pile each piece lies (none: in no pile), and
`order` where in it: 0 is on top, and the numbers of a pile have no gaps. A piece in no pile has the order 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.diagnostics.excerpt import printable
from dsl.engine import chance, layout
from dsl.engine.display import text_of
from dsl.engine.failure import ChanceMet
from dsl.engine.runtime import Run, card_seen
from dsl.ir.program import Pool, Program
from dsl.ir.types import NONE, Id


def cards_in(program: Program, state: list[int], pool: Pool, pile: int) -> list[int]:
    """The pieces of a pile, the top one first."""
    at, order, size = _offsets(program, pool)
    found = [card for card in range(size) if state[at + card] == pile]
    return sorted(found, key=lambda card: state[order + card])


def player_of(program: Program, pool: Pool, pile: int) -> int | None:
    """The player that a pile is of; none of a pile that is of somebody else, or of nobody."""
    domain, member = pool.owners[pile] if pool.owners else (NONE, NONE)
    return member if domain == program.players else None


def pile_words(program: Program, pool: Pool, pile: int, language: str = "") -> str:
    """What a pile is called without the player that it is of, which whoever tells of his piles has said."""
    return printable(text_of(program, pool.own_words[pile], language)) if pool.own_words else pool.piles[pile]


def sorted_into_piles(program: Program, state: list[int], pool: Pool) -> dict[int, list[int]]:
    """The pieces of each pile that has any, and of no pile (`NONE`), the top ones first."""
    at, order, size = _offsets(program, pool)
    piles: dict[int, list[int]] = {}
    for card in sorted(range(size), key=lambda card: state[order + card]):
        piles.setdefault(state[at + card], []).append(card)
    return piles


def move_card(state: list[int], run: Run, pool_index: int, card: int, pile: int, *, top: bool) -> None:
    """Takes a piece out of its pile, whose lower cards move up, and puts it on or under another (none: into
    no pile).
    """
    program = run.machine.program
    pool = program.pools[pool_index]
    at, order, size = _offsets(program, pool)
    witness = run.witness if pool.domain in run.machine.secret_pools else None
    before = 0 if witness is None else card_seen(state, run, pool_index, card)
    _put(state, (at, order, size), card, pile, top=top)
    if witness is not None:
        witness.moved((pool_index, card), before, card_seen(state, run, pool_index, card), run.log)


def _put(state: list[int], offsets: tuple[int, int, int], card: int, pile: int, *, top: bool) -> None:
    at, order, size = offsets
    old, place = state[at + card], state[order + card]
    if old != NONE:
        for other in range(size):
            if state[at + other] == old and state[order + other] > place:
                state[order + other] -= 1
    state[at + card], state[order + card] = NONE, 0
    if pile == NONE:
        return
    inside = [other for other in range(size) if state[at + other] == pile]
    if top:
        for other in inside:
            state[order + other] += 1
    state[at + card] = pile
    state[order + card] = 0 if top else len(inside)


def shuffle_pile(state: list[int], run: Run, pool_index: int, pile: int) -> None:
    """Puts a pile in an order as likely as every other."""
    program = run.machine.program
    pool = program.pools[pool_index]
    at, order, size = _offsets(program, pool)
    if run.script is None or run.script.in_order:
        cards = cards_in(program, state, pool, pile)
    else:
        cards = [card for card in range(size) if state[at + card] == pile]
    if len(cards) < 2:
        return
    if run.witness is not None:
        run.witness.shuffled(pool_index, cards)
    if run.certain:
        raise ChanceMet
    if run.script is None:
        lay = list(cards)
        chance.shuffle(state, cards)
        if run.heard is not None:
            run.heard.append(("shuffles", as_scripted(lay, cards, *_kinds(program, pool))))
    else:
        cards = run.script.shuffle(cards, *_kinds(program, pool))
    places = range(len(cards)) if run.script is None else run.script.places(cards)
    for place, card in zip(places, cards, strict=True):
        state[order + card] = place


def as_scripted(
    lay: list[int], cards: list[int], kinds: Sequence[int] = (), names: Sequence[str] = ()
) -> tuple[int | str, ...]:
    """What a test says so that a pile comes to lie so: a card by the name of its kind where that is the first of it
    that is left, and nothing of those at the end that follow as they lay.
    """
    left, told = list(lay), list[int | str]()
    for card in cards:
        if left == cards[len(told) :]:
            break
        first = next((each for each in left if kinds and kinds[each] == kinds[card]), None)
        told.append(names[kinds[card]] if first == card else card)
        left.remove(card)
    return tuple(told or cards[:1])


def _offsets(program: Program, pool: Pool) -> tuple[int, int, int]:
    assert pool.pile is not None
    assert pool.order is not None
    return (
        program.vars[pool.pile].offset,
        program.vars[pool.order].offset,
        len(program.domains[pool.domain].members),
    )


def _kinds(program: Program, pool: Pool) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The kind of each card of a pool, and the names of the kinds."""
    if pool.kinds is None:
        return (), ()
    data = program.data[pool.kinds]
    kinds = tuple(value for value in data.values if isinstance(value, int))
    return kinds, program.domains[data.type.domain].members if isinstance(data.type, Id) else ()


def in_play(program: Program, state: list[int], pool: Pool) -> list[int]:
    """The pieces of a pool that are in play."""
    return _in_set(program, state, pool, pool.in_play)


def supply(program: Program, state: list[int], pool: Pool) -> list[int]:
    """The pieces of a pool that can come into play."""
    gone = {*in_play(program, state, pool), *_in_set(program, state, pool, pool.out)}
    return [piece for piece in range(len(program.domains[pool.domain].members)) if piece not in gone]


def _in_set(program: Program, state: list[int], pool: Pool, variable: int) -> list[int]:
    var = program.vars[variable]
    size = len(program.domains[pool.domain].members)
    if var.of is not None:
        return [piece for piece in range(size) if state[var.offset + piece * var.width]]
    mask = layout.read(program, state, var.offset, var.type)
    return [piece for piece in range(size) if isinstance(mask, int) and mask >> piece & 1]
