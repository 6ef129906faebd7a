"""Worlds that look the same to a player: what is under way goes on with the cards that lie there."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.engine import layout
from dsl.engine.bits import bits
from dsl.engine.chance import Generator
from dsl.engine.game import Game
from dsl.engine.worlds import Secrets
from dsl.ir.program import FRAME_HEAD, Program
from dsl.ir.types import BagOf, Id, ListOf, Record, SetOf, Type
from dsl.library import load

LOOPED = Path(__file__).resolve().parent.parent / "figures" / "hidden" / "looped.scn"


@pytest.mark.parametrize("kind", [SetOf, ListOf, BagOf, Record])
def test_what_names_cards_names_those_that_took_their_places(kind: type) -> None:
    """In a hand that is hidden lie other cards; those that were chosen, bet on or are gone through are among them."""
    machine = load(LOOPED, environment={"SCENARII_CACHE": "off"})
    program, secrets, changed = machine.program, Secrets(machine), 0
    for seed in range(4):
        game = Game.start(machine, seed=seed)
        while game.count:
            state = list(game.state)
            for viewer in range(2):
                other = secrets.another(state, viewer, Generator(seed))
                assert other is not None
                for here, there in zip(
                    _named(program, state, kind), _named(program, other[0], kind), strict=True
                ):
                    lying, lies = _lying(program, state, here), _lying(program, other[0], there)
                    assert lying == lies
                    changed += here != there
            game.choose(0)
    assert changed


def _named(program: Program, state: list[int], kind: type) -> list[list[int]]:
    """The cards that each local of a sort names."""
    found = []
    routine = program.routines[program.main]
    for of, offset in zip(routine.locals, routine.offsets, strict=True):
        if isinstance(of, kind):
            found.append(
                _cards(program, of, layout.read(program, state, program.frames + FRAME_HEAD + offset, of))
            )
    return found


def _cards(program: Program, kind: Type, value: layout.Plain) -> list[int]:
    card = program.pools[0].domain
    match kind, value:
        case SetOf(of=Id(domain=domain)), int() if domain == card:
            return list(bits(value))
        case ListOf(of=Id(domain=domain)), tuple() if domain == card:
            return list(value)
        case BagOf(domain=domain), tuple() if domain == card:
            return [member for member, count in enumerate(value) for _ in range(count)]
        case Record(), tuple():
            return [value[0]]
        case _:
            return []


def _lying(program: Program, state: list[int], cards: list[int]) -> list[int]:
    """The piles in which some cards lie."""
    pile = program.pools[0].pile
    assert pile is not None
    return sorted(state[program.vars[pile].offset + card] for card in cards)
