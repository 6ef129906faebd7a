"""What may be taken back: a player's own last decision, as long as nothing has come of it that cannot be forgotten.

Dice, random picks and shuffles, what was shown to somebody who had not seen it, and what another has decided since
stay as they are, unless all agree (`--takeback`). Shown is also what the rules wrote, from something that the one who
chose did not see, where he sees it: in another world, which he could not tell from this one before, the same choice
would have shown him something else. So it is with what others have answered in secret, of which he is told once he has
answered himself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from dsl.engine.chance import Generator
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from dsl.engine.public_words import open_label
from dsl.engine.sealed import Sealed
from dsl.engine.snapshot import packed
from dsl.engine.views import may_see
from dsl.engine.worlds import Secrets
from dsl.ir.program import Program

GENERATOR = slice(0, 4)
WORLDS = 128
"""Worlds that are made by chance, the same for each position."""
MOST_SINGLE = 256
"""Worlds that differ in one value."""


def kept_by(before: Game, after: Game) -> str:
    """Why the choice between two moments is not to be taken back: `rolled`, `revealed`; empty where it may be."""
    if before.state[GENERATOR] != after.state[GENERATOR]:
        return "rolled"
    shown = revealed(before.machine, list(before.state), list(after.state))
    return "revealed" if shown or learnt(before, after.choices[-1]) else ""


def revealed(machine: Machine, before: list[int], after: list[int]) -> bool:
    """Does somebody see something now that he did not see before?"""
    program: Program = machine.program
    players = range(len(program.domains[program.players].members))
    for index, var in enumerate(program.vars):
        if var.audience is None:
            continue
        for member in range(1 if var.of is None else len(program.domains[var.of].members)):
            for player in players:
                if may_see(machine, after, index, member, player) and not may_see(
                    machine, before, index, member, player
                ):
                    return True
    return False


def learnt(before: Game, choice: Choice) -> bool:
    """Does whoever chooses see from what follows in which of the worlds he is that he could not tell apart?"""
    machine, decision, state = before.machine, before.decision, list(before.state)
    if decision is None:
        return False
    player = decision.player
    sealed = Sealed(machine, state, player)
    here = _seen(machine, state, choice, player, sealed)
    worlds = chain(_worlds(machine, state, player), islice(sealed.others(state), MOST_SINGLE))
    return any(_seen(machine, each, choice, player, sealed) != here for each in worlds)


def _worlds(machine: Machine, state: list[int], player: int) -> Iterator[list[int]]:
    """Worlds in which something lies otherwise that a player does not see."""
    if all(var.audience is None for var in machine.program.vars):
        return
    secrets = Secrets(machine)
    yield from islice(secrets.single(state, player), MOST_SINGLE)
    for seed in range(WORLDS):
        changed = secrets.another(state, player, Generator(seed))
        if changed is not None:
            yield changed[0]


def _seen(machine: Machine, state: list[int], choice: Choice, player: int, sealed: Sealed) -> object:
    """What a player sees once a choice has been made in a world; none where it cannot be made there."""
    game = Game.restore(machine, packed(machine.hash, state), telling=True)
    if not isinstance(game, Game) or game.decision is None or choice not in game.decision.raw:
        return None
    told = [] if game.decision.end.sealed else sealed.given(state)
    try:
        game.choose(choice)
    except RuleFailure as failure:
        return failure.code
    view, after = game.view(player), list(game.state)
    answers = [open_label(each, after, player) for each in told]
    options = [(each.raw, each.label()) for each in view.options]
    return view.values, view.piles, view.chooser, options, view.told(), view.outcome, answers
