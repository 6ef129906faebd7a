"""The colour in which something that can own is shown: the one it is named after, or one that nobody else has."""

from __future__ import annotations

from dsl.ir.program import Program

COLOURS = ("green", "red", "blue", "yellow", "magenta", "cyan")
_NAMED = {
    **{each: each for each in (*COLOURS, "white")},
    **{"vert": "green", "rouge": "red", "bleu": "blue", "jaune": "yellow", "blanc": "white"},
    **{"purple": "magenta", "pink": "bright_magenta", "violet": "magenta", "rose": "bright_magenta"},
    **{"orange": "dark_orange", "grey": "grey50", "gray": "grey50", "gris": "grey50"},
    **{"black": "bright_black", "noir": "bright_black", "brown": "orange4", "brun": "orange4"},
}


def colour_of(program: Program, domain: int, member: int) -> str:
    """A colour for each member of a domain; those that are named after a colour have that one."""
    members = program.domains[domain].members
    if not 0 <= member < len(members):
        return ""
    named = [_named(each) for each in members]
    if found := named[member]:
        return found
    free = [each for each in COLOURS if each not in named] or list(COLOURS)
    return free[sum(not each for each in named[:member]) % len(free)]


def _named(name: str) -> str:
    """The colour that a name says, alone or as one of its words; nothing if it says none."""
    found = {_NAMED[word] for word in name.lower().split("_") if word in _NAMED}
    return found.pop() if len(found) == 1 else ""
