"""What players play for, in lines: a person's own goals, and how near to winning the others are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dsl.cli.words import word
from dsl.engine.display import member_name
from dsl.engine.machine import Machine
from dsl.scene.aims import aims
from dsl.scene.eyes import Eyes, of_player
from dsl.scene.fields import Fields

VICTORY = "victory"


def goals(machine: Machine, state: Sequence[int], player: int | None, language: str) -> Iterator[str]:
    """A line for what wins and one for what loses, where endings have words, each with how far the player has come;
    without those of other players, and without those that the mode, the options or the round of this game rule out.
    """
    spoken = language or machine.program.language
    for kind, found in aims(machine, state, of_player(player), player, language):
        yield word("so", spoken, what=word(kind, spoken), result=listed(found))


def others(machine: Machine, state: Sequence[int], player: int | None, language: str) -> Iterator[str]:
    """For each other player who takes part a line with the endings by which he wins of which `player` may know how far
    that one has come; nothing of those of whom he may know nothing. Where two play, what is compared is told of
    him alone.
    """
    program = machine.program
    spoken, viewers = language or program.language, of_player(player)
    seated = Fields(Eyes(machine, list(state), viewers), language).seated()
    for other in seated:
        if player is None or other == player:
            continue
        for kind, found in aims(machine, state, viewers, other, language, compared=len(seated) > 2):
            near = {label: far for label, far in found.items() if far}
            if kind == VICTORY and near:
                who = member_name(program, program.players, other, language)
                yield word("so", spoken, what=f"{word(kind, spoken)} ({who})", result=listed(near))


def listed(found: Mapping[str, str]) -> str:
    """Endings, each with how far it is."""
    return " · ".join(f"{label} ({far})" if far else label for label, far in found.items())
