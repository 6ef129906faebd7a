"""Small games for the tests of the interface."""

from __future__ import annotations

from pathlib import Path

OXO = """
game oxo:
    title en "Noughts and crosses" fr "Morpion"
    players x, o
    rounds 5

map board on squares(3, 3)

option first: x_begins | o_begins = x_begins en "who begins" fr "qui commence"

state of Cell:
    mark: Player?
    visits: 0..9 = 0

state:
    marked: set of Cell
    last: Cell?
    wild: bool = false

action claim(c: Cell) by p en "Mark {c}" fr "Marquer {c}":
    need c.mark is none en "this cell is taken" fr "cette case est prise"
    c.mark = p
    c.visits gains 1
    marked gains c
    last = c

round:
    for p in order of play:
        p chooses en "Your mark" fr "Votre marque":
            claim(c) for c in Cell

victory p en "three in a row" fr "trois alignés" when any l in lines(3) where every c in l satisfies c.mark is p
draw en "the board is full" fr "la grille est pleine" when no c in Cell where c.mark is none
"""

MY_GAME = """
game my_game:
    players red, blue
    rounds 3

option start_gold: 0..50 = 10

map board on squares(3, 3)

state of Cell:
    holder: Player?

state:
    gold: 0..99

setup:
    gold = start_gold

action take(c: Cell) by p "Take {c}":
    need c.holder is none
    c.holder = p

round:
    for p in order of play:
        p chooses "Yours":
            take(c) for c in Cell
"""
"""The game of the examples in docstrings."""


def written(folder: Path, name: str = "oxo", text: str = OXO) -> Path:
    """A game in a file of its own."""
    path = folder / f"{name}.scn"
    path.write_text(text, encoding="utf-8")
    return path
