"""Who decides for each player of a game: a person, chance, or a computer player that thinks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dsl.catalogue import tr
from dsl.ir.program import Program

HUMAN, RANDOM, GREEDY, MCTS = "human", "random", "greedy", "mcts"
KINDS = (HUMAN, RANDOM, GREEDY, MCTS)
Teams = Sequence[Sequence[int]]
"""The players of each team, by their numbers; whoever plays alone is a team of one."""
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


def kind_of(wanted: str) -> str:
    """The kind of player in what was asked for: `mcts:200` in `red=mcts:200`."""
    return wanted.rpartition("=")[2].strip()


def seats_of(program: Program, wanted: Sequence[str], out: int = 0, teams: Teams = ()) -> tuple[str, ...]:
    """A kind for each player, of these:

    - one for all, or one for each, in the order of the game;
    - where some are out (`out`, a bit for each) one for each who plays: chance has the seats of the others, at which
      nobody is asked;
    - one for each of the `teams`, in the order of the first of each;
    - `NAME=KIND` for some, and then one kind for all others, if there are any.

    Raises `SeatError` for what is no kind, and for as many or for those as the game does not have.
    """
    players = program.domains[program.players].members
    playing = [number for number in range(len(players)) if not out >> number & 1]
    for each in wanted:
        _check(kind_of(each))
    if any("=" in each for each in wanted):
        return _by_name(program, wanted, out)
    if len(wanted) == 1:
        return (wanted[0],) * len(players)
    if len(wanted) == len(players):
        for number, kind in enumerate(wanted):
            if number not in playing and kind != RANDOM:
                raise SeatError(_no_seat(players, number, out))
        return tuple(wanted)
    if len(wanted) == len(playing):
        return tuple(wanted[playing.index(n)] if n in playing else RANDOM for n in range(len(players)))
    if len(wanted) == len(teams):
        of = {player: kind for team, kind in zip(teams, wanted, strict=True) for player in team}
        return tuple(of.get(number, RANDOM) for number in range(len(players)))
    raise SeatError(_other_number(program, playing, teams, len(wanted)))


def _by_name(program: Program, wanted: Sequence[str], out: int) -> tuple[str, ...]:
    players = program.domains[program.players].members
    found: dict[int, str] = {}
    others: list[str] = []
    for each in wanted:
        name, named, kind = each.rpartition("=")
        if not named:
            others.append(kind)
            continue
        number = player_named(program, name.strip())
        if number in found:
            raise SeatError(tr("`{name}` is given two kinds of player", name=players[number]))
        if out >> number & 1:
            raise SeatError(_no_seat(players, number, out))
        found[number] = kind.strip()
    left = [number for number in range(len(players)) if number not in found and not out >> number & 1]
    if len(others) > 1:
        raise SeatError(tr("beside names one kind, for all others; {given} are given", given=len(others)))
    if left and not others:
        raise SeatError(
            tr(
                "nobody plays {names}: name them too, or add one kind for all others, such as `random`",
                names=", ".join(players[number] for number in left),
            )
        )
    if others and not left:
        raise SeatError(tr("all players are named, and nobody is left for `{kind}`", kind=others[0]))
    rest = others[0] if others else RANDOM
    return tuple(found.get(number, rest if number in left else RANDOM) for number in range(len(players)))


def _other_number(program: Program, playing: Sequence[int], teams: Teams, given: int) -> str:
    players = program.domains[program.players].members
    names = ", ".join(players[number] for number in playing)
    if len(playing) == 1:
        return tr(
            "{game} has one player ({name}), and {given} are given",
            game=program.name,
            name=names,
            given=given,
        )
    if len(teams) < len(playing) and teams:
        return tr(
            "{game} has {count} players ({names}) in {teams} teams ({members}), and {given} are given",
            game=program.name,
            count=len(playing),
            names=names,
            teams=len(teams),
            members="; ".join(" + ".join(players[number] for number in team) for team in teams),
            given=given,
        )
    return tr(
        "{game} has {count} players ({names}), and {given} are given",
        game=program.name,
        count=len(playing),
        names=names,
        given=given,
    )


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
