"""The documented Python interface: what `import dsl` gives.

It stands in front of the compiler and the engines, and speaks in names: fields, pieces and players are called what they
are called in the rules, none is None, a set is a frozenset. What lies behind it (`dsl.engine`, `dsl.wasm`, `dsl.ir`)
works with the numbers of the compiled program, and may change from version to version; this does not.

- `program`: finding, compiling and starting games
- `game`: a game under way, its decisions, views, snapshots and files
- `search`: playing on by chance, and counting ways
- `values`, `actions`: values and options of the vector in Python, and back

`docs/reference/python.md` is made from the docstrings here.
"""
