"""How the lines that begin with a word are written: what is said where nothing better is known."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.catalogue import tr
from dsl.syntax.place import Place
from dsl.syntax.words import first_word

DECLARED: Mapping[str, str] = {
    "action": 'action take_gold(n: 1..3) by p "Take {n}":',
    "after": "after move_to when c.is_water:",
    "allow": "allow enter when u.flies, over [RE-012]",
    "always": 'always "what it is about": n < 9',
    "area": "area camp of Player",
    "before": "before move_to when c.is_water:",
    "change": "change dagger: power = 3",
    "defeat": "defeat red when gold is 0",
    "draw": "draw when round > 20",
    "extend": "extend Troop:",
    "forbid": "forbid enter when c.is_water",
    "game": "game my_game:",
    "import": "import map, units",
    "instead": "instead of enter when c.is_water:",
    "map": "map board on squares(8, 8)",
    "menu": "menu orders(u: Unit):",
    "mod": "mod my_mod for my_game:",
    "mode": "mode duel:",
    "modify": "modify cost(t): -1 when t.is_old",
    "objective": 'objective red: ford.control is red en "hold the ford"',
    "option": "option fog: true | false = false",
    "phase": "phase upkeep:",
    "piece": "piece Rider, up to 2 each for each Player:",
    "pile": "pile hand of Card for each Player, seen by owner",
    "remove": "remove [RE-012]",
    "replace": "replace value cost(t: Troop) -> 0..9 = 3",
    "round": "round:",
    "ruling": "ruling cover: forest | all_terrain = forest",
    "scenario": "scenario at_the_ford for my_game:",
    "setup": "setup red: place Rider at a2",
    "state": "state of Cell:",
    "table": "table Troop:",
    "test": 'test "what is so":',
    "type": "type Side = red | blue",
    "value": "value cost(t: Troop) -> 0..9 = t.price + 1",
    "victory": "victory red when gold >= 9",
    "window": "window parley of red, blue as who, in turn until both pass:",
}
"""For each word that begins a declaration, one as it is written."""

STATED: Mapping[str, str] = {
    "for": "for u in Unit where u.owner is p: u.is_tired = true",
    "if": "if gold > 3: gold loses 1",
    "let": "let n = gold + 1",
    "move": "move c to discard",
    "need": 'need gold >= 2 "there is not enough gold"',
    "place": "place Rider of red at a2",
    "random": "random x in Cell where x.is_free",
    "repeat": "repeat 3 times: gold gains 1",
    "return": "return gold + 1",
    "roll": "roll each 3 d6 as results",
    "say": 'say "It rains."',
    "shuffle": "shuffle deck",
    "take": "take away u",
    "together": "together:",
    "until": "until gold > 3:",
}
"""For each word that begins a statement, one as it is written."""

TESTED: Mapping[str, str] = {
    "given": "given: gold = 3",
    "run": "run upkeep by red",
    "rolls": "rolls 3, 5",
    "picks": "picks a2",
    "shuffles": "shuffles dagger, prayer",
    "expect": "expect gold is 3",
    "option": "option fog = true",
}
"""For each word that begins a line of a test, one as it is written."""


WITHIN: Mapping[str, str] = {
    "piece": "a field is as in `owner: Player` or `hits: 0..9 = 3`",
    "state": "a field is as in `gold: 0..9 = 3`",
    "table": "a row is as in `| dagger | 3 |`, with a bar before and behind each cell",
    "game": "a line of the header is as in `players red, blue` or `rounds 12`",
    "scenario": "a line of the header is as in `players red, blue` or `rounds 12`",
    "mod": 'a line of the header is as in `title en "My mod"`',
    "always": "a line of `always` is a condition, as in `gold < 9`",
}
"""What the lines are under a head with a word."""
_MARGIN = "a line at the margin begins with a word such as `table`, `value`, `modify` or `action`"


def form(place: Place) -> str:
    """How a line with its first word is written; or what lines there are in its block; empty where nothing is known."""
    word = place.first_word
    starts = place.wanted_at_start
    if not place.lines[place.stuck.line].depth:
        known = DECLARED
    elif "RUN" in starts:
        known = TESTED
    else:
        known = STATED
    if word in known:
        return tr("a line with `{word}` is written as in `{known}`", word=word, known=known[word])
    if "RUN" in starts:
        return tr(
            "a line of a test is as in `given: gold = 3`, `run upkeep`, `red: take_gold(2)` or `expect gold is 3`"
        )
    if "LET" in starts:
        return tr(
            "a statement is as in `x = 3`, `x gains 1`, `do_this(x)`, or begins with a word such as `if` or `for`"
        )
    head = place.head_span
    if head is None:
        return "" if place.on_line else _MARGIN
    return WITHIN.get(first_word(head.text), "")
