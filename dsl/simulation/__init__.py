"""Many random games of a program, and their statistics.

    found = simulate(program, Wanted(games=1000, seed=7, options={"mode": "duel"}), jobs=2)
    found.tally.share(("red",))

`playing` plays games on an engine, `tally` counts how they went, `running` shares them out among processes. A game's
seed decides all of it, on any engine: the game's own chance and what is chosen. So equal seeds give equal statistics.
"""
