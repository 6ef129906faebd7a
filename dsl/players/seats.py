"""Who decides for each player of a game: a person, or chance."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.ir.program import Program

HUMAN, RANDOM = "human", "random"
KINDS = (HUMAN, RANDOM)


class SeatError(ValueError):
    """Seats that the game does not have, or that nobody can take."""


def seats_of(program: Program, wanted: Sequence[str]) -> tuple[str, ...]:
    """A kind for each player: as many as there are, or one for all."""
    players = program.domains[program.players].members
    for each in wanted:
        if each not in KINDS:
            raise SeatError(f"`{each}` is no kind of player; there are: {', '.join(KINDS)}")
    if len(wanted) == 1:
        return (wanted[0],) * len(players)
    if len(wanted) != len(players):
        seats = "1 player" if len(players) == 1 else f"{len(players)} players"
        given = "1 is" if len(wanted) == 1 else f"{len(wanted)} are"
        raise SeatError(f"{program.name} has {seats} ({', '.join(players)}), and {given} given")
    return tuple(wanted)


def seats_as(program: Program, player: int) -> tuple[str, ...]:
    """One person, and chance for all others."""
    count = len(program.domains[program.players].members)
    return tuple(HUMAN if number == player else RANDOM for number in range(count))


def player_named(program: Program, name: str) -> int:
    """A player by his name in the rules or in any language; raises `SeatError`."""
    domain = program.domains[program.players]
    for number, known in enumerate(domain.members):
        label = domain.labels[number] if number < len(domain.labels) else None
        texts = [text for _, text in program.texts[label].texts] if label is not None else []
        if name.casefold() in {each.casefold() for each in (known, *texts)}:
            return number
    raise SeatError(f"{program.name} has no player `{name}`; there are: {', '.join(domain.members)}")
