"""Who decides for each player of a game: a person, chance, or a computer player that thinks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dsl.catalogue import tr
from dsl.ir.program import Program

HUMAN, RANDOM, GREEDY, MCTS = "human", "random", "greedy", "mcts"
KINDS = (HUMAN, RANDOM, GREEDY, MCTS)
LONGEST_THOUGHT, MOST_PLAYOUTS = 3600.0, 10_000_000
_EFFORT = re.compile(r"(?P<seconds>\d{1,6}(\.\d{1,6})?)s|(?P<playouts>\d{1,8})", re.ASCII)


class SeatError(ValueError):
    """Seats that the game does not have, or that nobody can take."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a player thinks about a choice: for so many seconds, or so many games played on from there."""

    seconds: float = 1.0
    playouts: int | None = None


def effort_of(kind: str) -> Effort:
    """How long the player of a seat thinks: `mcts` a second, `mcts:2s` two, `mcts:5000` as long as 5000 games take."""
    _, _, effort = kind.partition(":")
    return _effort(effort) if effort else Effort()


def _effort(text: str) -> Effort:
    found = _EFFORT.fullmatch(text)
    seconds = float(found["seconds"]) if found and found["seconds"] else None
    playouts = int(found["playouts"]) if found and found["playouts"] else None
    if seconds is not None and 0 < seconds <= LONGEST_THOUGHT:
        return Effort(seconds=seconds)
    if playouts is not None and 0 < playouts <= MOST_PLAYOUTS:
        return Effort(playouts=playouts)
    raise SeatError(
        tr(
            "`{text}` is no time to think: say seconds, such as 2s (at most {longest}s), or how many games to play on, "
            "such as 5000 (at most {most})",
            text=text,
            longest=int(LONGEST_THOUGHT),
            most=MOST_PLAYOUTS,
        )
    )


def _check(kind: str) -> None:
    name, colon, effort = kind.partition(":")
    if name not in KINDS or (colon and name != MCTS):
        known = ", ".join((*KINDS, f"{MCTS}:2s", f"{MCTS}:5000"))
        raise SeatError(tr("`{kind}` is no kind of player; there are: {known}", kind=kind, known=known))
    if colon:
        _effort(effort)


def seats_of(program: Program, wanted: Sequence[str], out: int = 0) -> tuple[str, ...]:
    """A kind for each player: one for all, as many as there are, or as many as play where some are out (`out`, a bit
    for each): then chance has the seats of these, at which nobody is asked.
    """
    players = program.domains[program.players].members
    playing = [number for number in range(len(players)) if not out >> number & 1]
    for each in wanted:
        _check(each)
    if len(wanted) == 1:
        return (wanted[0],) * len(players)
    if len(wanted) == len(players):
        for number, kind in enumerate(wanted):
            if number not in playing and kind != RANDOM:
                raise SeatError(_no_seat(players, number, out))
        return tuple(wanted)
    if len(wanted) != len(playing):
        raise SeatError(
            tr(
                "{game} has {count} players ({names}), and {given} are given",
                game=program.name,
                count=len(playing),
                names=", ".join(players[number] for number in playing),
                given=len(wanted),
            )
            if len(playing) > 1
            else tr(
                "{game} has one player ({name}), and {given} are given",
                game=program.name,
                name="".join(players[number] for number in playing),
                given=len(wanted),
            )
        )
    return tuple(wanted[playing.index(n)] if n in playing else RANDOM for n in range(len(players)))


def seats_as(program: Program, player: int, out: int = 0) -> tuple[str, ...]:
    """One person, and chance for all others; raises `SeatError` for one of those who are `out`, a bit for each."""
    members = program.domains[program.players].members
    count = len(members)
    if out >> player & 1:
        raise SeatError(_no_seat(members, player, out))
    return tuple(HUMAN if number == player else RANDOM for number in range(count))


def _no_seat(members: Sequence[str], player: int, out: int) -> str:
    playing = ", ".join(name for number, name in enumerate(members) if not out >> number & 1)
    return tr("`{name}` has no seat in this game: {playing} play", name=members[player], playing=playing)


def player_named(program: Program, name: str) -> int:
    """A player by his name in the rules or in any language; raises `SeatError`."""
    domain = program.domains[program.players]
    for number, known in enumerate(domain.members):
        label = domain.labels[number] if number < len(domain.labels) else None
        texts = [text for _, text in program.texts[label].texts] if label is not None else []
        if name.casefold() in {each.casefold() for each in (known, *texts)}:
            return number
    known = ", ".join(domain.members)
    raise SeatError(
        tr("{game} has no player `{name}`; there are: {known}", game=program.name, name=name, known=known)
    )
