"""Names that authors bring along from elsewhere, and what is meant by them here.

They are looked up only where a name is unknown: a game may call its own things so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Meant
from dsl.near import nearest
from dsl.resolve.reporter import LANGUAGE
from dsl.resolve.symbol_table import World

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
    "count": "things are counted with `count x in THINGS where CONDITION`, what a set or pile holds with `size(...)`",
    **dict.fromkeys(("random", "rand", "randint", "roll", "dice", "die", "rolled", "roll_dice"), _DICE),
    **dict.fromkeys(("player", "current_player", "active_player", "current", "me", "self", "this"), _ACTING),
    **dict.fromkeys(("board", "map", "grid"), "all cells of the map are `Cell`: `for c in Cell`"),
    **dict.fromkeys(("players", "all_players"), "all players are `Player`: `for p in Player`"),
    **dict.fromkeys(("pieces", "units"), "all pieces of a type are said by its name: `for u in Unit`"),
    **dict.fromkeys(("nobody", "nothing", "noone"), "what is not there is `none`; its type ends with `?`"),
}
"""Names for which something else is said."""
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIE = re.compile(r"[dD](\d{1,4})")


_COMMON_DICE = frozenset({"4", "6", "8", "10", "12", "20", "100"})


def no_cell(world: World, name: str) -> str:
    """A hint about what is called like a cell of a drawn map, and is none; empty for other names and other maps."""
    found = re.fullmatch(r"([a-z]{1,2})(\d{1,3})", name)
    board = world.board
    if found is None or board is None or world.domains[board.domain].kind != "cell":
        return ""
    names = [re.fullmatch(r"([a-z]+)(\d+)", each) for each in world.domains[board.domain].members]
    columns = sorted({each[1] for each in names if each}, key=lambda each: (len(each), each))
    lines = sorted({int(each[2]) for each in names if each})
    if not columns or not lines:
        return ""
    if found[1] in columns and int(found[2]) in lines:
        return tr("the map `{board}` has a hole there", board=board.name)
    hint = tr(
        "the cells of the map `{board}` go from `{columns}{lines}` to `{columns2}{lines2}`",
        board=board.name,
        columns=columns[0],
        lines=lines[0],
        columns2=columns[-1],
        lines2=lines[-1],
    )
    is_die = found[1] == "d" and found[2] in _COMMON_DICE
    return f"{hint}; dice are rolled with `roll 1d{found[2]}`" if is_die else hint


def is_around(name: str) -> bool:
    """Is a name another word for the neighbours of a cell?"""
    return _INSTEAD.get(name) == "around"


def meant(world: World, name: str, own: Sequence[str] = ()) -> str:
    """A hint about a name of another language; empty where it is none, or nearly one of the game's own."""
    if name in _INSTEAD:
        return Meant(name, _INSTEAD[name], is_clear=True)
    if hint := no_cell(world, name):
        return hint
    if die := _DIE.fullmatch(name):
        return tr("dice are rolled with `roll`: `roll 1d{die}`", die=die[1])
    own = [each for each in own if each not in LANGUAGE]
    if name in _DIGITS and not nearest(name, own):
        return tr("numbers are written in digits: `{index}`", index=_DIGITS.index(name))
    return "" if nearest(name, own, 0.75) else _SAID.get(name, "")
