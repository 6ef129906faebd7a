"""A game as it is to be seen, whatever draws it: the terminal, a picture, a page.

- `eyes`: who looks, and what they may see
- `standing`, `fields`, `ground`, `signs`: the facts, read from a state
- `geometry`, `places`: where the cells of a board lie, as polygons
- `colours`: colours that colour-blind readers can tell apart
- `model`: a scene, which is data alone and has a form in JSON
- `reading`: the scene of a state

Lengths are in units of the board: the side of a square is 1, and neighbouring hexes have their centres 1 apart.
"""
