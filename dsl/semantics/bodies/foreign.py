"""Names that authors bring along from elsewhere, and what is meant by them here.

They are looked up only where a name is unknown: a game may call its own things so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dsl.near import close_matches
from dsl.semantics.things.world import World

_INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("True", "TRUE", "yes", "Yes"), "true"),
    **dict.fromkeys(("False", "FALSE", "no", "No"), "false"),
    **dict.fromkeys(("None", "NONE", "null", "NULL", "nil", "undefined"), "none"),
    **dict.fromkeys(("neighbours", "neighbors", "neighbourhood", "neighborhood", "adjacents"), "around"),
    **dict.fromkeys(("neighbour", "neighbor", "isadjacent", "is_adjacent", "next_to", "touches"), "adjacent"),
    **dict.fromkeys(("len", "count_of", "number_of"), "size"),
    **dict.fromkeys(("dist", "range_to"), "distance"),
    **dict.fromkeys(("turn", "current_round", "round_number"), "round"),
    **dict.fromkeys(("minimum",), "min"),
    **dict.fromkeys(("maximum",), "max"),
}
"""Names that have one other name here."""

_DICE = "dice are rolled with their number before the `d`: `roll 1d6`"
_ACTING = "who acts is named behind the head of an action: `action NAME(...) by p:`, and then `p`"
_SAID: Mapping[str, str] = {
    **dict.fromkeys(("random", "rand", "randint", "roll", "dice", "die", "rolled", "roll_dice"), _DICE),
    **dict.fromkeys(("player", "current_player", "active_player", "current", "me", "self", "this"), _ACTING),
    **dict.fromkeys(("board", "map", "grid"), "all cells of the map are `Cell`: `for c in Cell`"),
    **dict.fromkeys(("players", "all_players"), "all players are `Player`: `for p in Player`"),
    **dict.fromkeys(("pieces", "units"), "all pieces of a type are said by its name: `for u in Unit`"),
    **dict.fromkeys(("nobody", "nothing", "noone"), "what is not there is `none`; its type ends with `?`"),
}
"""Names for which something else is said."""
_DIE = re.compile(r"[dD](\d{1,4})")


def is_around(name: str) -> bool:
    """Is a name another word for the neighbours of a cell?"""
    return _INSTEAD.get(name) == "around"


def meant(world: World, name: str, own: Sequence[str] = ()) -> str:
    """A hint about a name of another language; empty where it is none, or nearly one of the game's own."""
    if name in _INSTEAD:
        return world.meant(name, _INSTEAD[name], is_clear=True)
    if die := _DIE.fullmatch(name):
        return f"dice are rolled with `roll`: `roll 1d{die[1]}`"
    return "" if close_matches(name, own, n=1, cutoff=0.75) else _SAID.get(name, "")
