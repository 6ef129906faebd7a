"""The options with which a game starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.catalogue import tr
from dsl.engine.failure import StartError
from dsl.ir import nodes as ir
from dsl.ir.program import Option, Program
from dsl.near import nearest

MOST_DIGITS = 20
"""Of a number that an option may have; Python refuses to read very long ones."""


def settings_of(program: Program, chosen: Mapping[str, str | int]) -> dict[int, int]:
    """For each option's variable the value chosen, or its default."""
    known = {option.name: option for option in program.options}
    for name in chosen:
        if name not in known:
            raise StartError(
                tr("there is no option `{name}`; {near}", name=name, near=_near(name, list(known)))
            )
    return {
        option.var: _value(option, chosen[option.name]) if option.name in chosen else option.default
        for option in program.options
    }


def _value(option: Option, given: str | int) -> int:
    if isinstance(given, str) and given in option.choices:
        return option.choices.index(given)
    low, high = option.range if option.range is not None else (0, len(option.choices) - 1)
    written = isinstance(given, int) or (len(given) <= MOST_DIGITS and given.removeprefix("-").isdecimal())
    number = int(given) if written else None
    if number is None or not low <= number <= high:
        known = (
            _near(str(given), option.choices)
            if option.choices
            else tr("there are: {low} to {high}", low=low, high=high)
        )
        raise StartError(
            tr(
                "the option `{option}` has no choice `{given}`; {known}",
                option=option.name,
                given=given,
                known=known,
            )
        )
    return number


def _near(name: str, known: Sequence[str]) -> str:
    """What there is in place of a name that is not known, and which of them may have been meant."""
    near = nearest(name, known)
    meant = f"did you mean `{near}`? " if near else ""
    return f"{meant}there are: {', '.join(known) or 'none'}"


def player_counts(program: Program) -> tuple[int, ...]:
    """How many can play, in one mode or another, where a game asks for that."""
    seats = next((var.initial for var in program.vars if var.role == "seats"), None)
    masks = program.data[seats.data].values if isinstance(seats, ir.Lookup) else ()
    return tuple(sorted({mask.bit_count() for mask in masks if isinstance(mask, int) and mask}))


def left_out(program: Program, seated: int) -> int:
    """The players who have no seat, a bit for each; options that seat nobody are refused."""
    if not seated and any(option.name == "mode" for option in program.options):
        raise StartError("the mode that is chosen is not for so many players: choose another number, or 0")
    if not seated:
        counts = ", ".join(map(str, player_counts(program)))
        raise StartError(tr("so many players cannot play: choose one of {counts}, or 0", counts=counts))
    return (1 << len(program.domains[program.players].members)) - 1 & ~seated
