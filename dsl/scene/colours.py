"""Colours that colour-blind readers can tell apart.

Those of owners are of the palette of Okabe and Ito (*Color Universal Design*, 2008), with white, grey and brown for
whoever is named after them. What lies on the ground is pale, so that signs can be read on it; a word for a common
ground gives it the colour that readers expect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.ir.program import Program

FAMILIES = ("green", "red", "blue", "yellow", "magenta", "cyan")
"""For whoever is named after no colour, in this order."""
FILLS = {
    "green": "#009e73",
    "red": "#d55e00",
    "blue": "#0072b2",
    "yellow": "#f0e442",
    "magenta": "#cc79a7",
    "cyan": "#56b4e9",
    "orange": "#e69f00",
    "white": "#ffffff",
    "black": "#222222",
    "grey": "#999999",
    "brown": "#8c5a2b",
    "pink": "#e8a6c9",
}
NAMED = {
    **{each: each for each in (*FAMILIES, "white", "orange", "black", "grey", "brown", "pink")},
    **{"vert": "green", "rouge": "red", "bleu": "blue", "jaune": "yellow", "blanc": "white"},
    **{"purple": "magenta", "violet": "magenta", "rose": "pink", "gray": "grey", "gris": "grey"},
    **{"noir": "black", "brun": "brown", "neutral": "grey", "neutre": "grey"},
}
"""The words for colours, in English and French."""
INK, PAPER, EDGE = "#1a1a1a", "#ffffff", "#8a8a80"
PLAIN = "#f4f1e6"
"""The usual ground."""
GROUNDS = ("#e3d9f0", "#f5dfc6", "#d5e8ea", "#f1d9dc", "#f3cfe6", "#dcdcdc", "#fbeeb5", "#cfd8ec")
"""For grounds that no word gives a colour."""
WORDS = {
    "#bcd9ee": "water river sea lake ocean ford eau riviere fleuve mer lac ocean gue",
    "#c4dfb4": "forest wood woods tree trees jungle foret bois arbre arbres",
    "#d9cbb8": "mountain mountains hill hills rock rocks cliff montagne montagnes colline collines roche falaise",
    "#f3e5b0": "sand desert beach sable plage",
    "#d3d6b4": "swamp marsh bog marais marecage",
    "#e4e2dd": "road street bridge route rue pont",
    "#f6f9fc": "snow ice neige glace",
    "#f2b9a0": "lava fire lave feu",
    "#cfcfca": "wall ruins building mur ruines batiment",
    "#e3ecce": "plain plains grass field meadow plaine plaines herbe champ pre pres",
}
"""Words that a ground may be called by, by their colour."""
_MEANT = {word: colour for colour, words in WORDS.items() for word in words.split()}
_ACCENTS = str.maketrans("àâäçéèêëîïôöùûü", "aaaceeeeiioouuu")


def family_named(name: str) -> str:
    """The colour that a name says, alone or as one of its words; nothing if it says none, or more than one."""
    found = {NAMED[word] for word in name.lower().split("_") if word in NAMED}
    return found.pop() if len(found) == 1 else ""


def family_of(program: Program, domain: int, member: int) -> str:
    """A family of colours for each member of a domain; those that are named after a colour have that one."""
    members = program.domains[domain].members
    if not 0 <= member < len(members):
        return ""
    named = [family_named(each) for each in members]
    if found := named[member]:
        return found
    free = [each for each in FAMILIES if each not in named] or list(FAMILIES)
    return free[sum(not each for each in named[:member]) % len(free)]


def fill_of(program: Program, domain: int, member: int) -> str:
    """The colour of a member of a domain of owners."""
    return FILLS[family_of(program, domain, member) or "grey"]


def ground_fills(names: Sequence[str], others: Sequence[str] = (), own: Sequence[str] = ()) -> list[str]:
    """A colour for each kind of ground: its `own` where it has one, else a pale one: what a word in its name says, or
    one that no other has got, nor any of `others` has.
    """
    found = [_meant(each) for each in names]
    if own:
        found = [mine or each for mine, each in zip(own, found, strict=True)]
    free = [each for each in GROUNDS if each not in {*found, *others}] or list(GROUNDS)
    given = iter(free * (len(names) // len(free) + 1))
    taken = set(others)
    fills = []
    for each in found:
        fill = each if each and each not in taken else next(given)
        taken.add(fill)
        fills.append(fill)
    return fills


def _meant(name: str) -> str:
    words = re.findall(r"[a-z]+", name.lower().translate(_ACCENTS))
    return next((_MEANT[word] for word in words if word in _MEANT), "")


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, with a share of the other from 0 to 1."""
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink_on(fill: str) -> str:
    """Black or white, whichever is read better on a colour (contrast as WCAG 2.2 computes it)."""
    light = _luminance(fill)
    return INK if (light + 0.05) / (_luminance(INK) + 0.05) >= 1.05 / (light + 0.05) else PAPER


def _luminance(colour: str) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in _shares(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shares(colour: str) -> list[float]:
    return [each / 255 for each in _parts(colour)]


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
