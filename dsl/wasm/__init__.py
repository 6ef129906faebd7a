"""The second backend: a verified program as one WebAssembly module that plays it, with the same results to the bit.

    module = Module.of(program)
    statistics = module.playouts(games=10_000, seed=1, options={"mode": "skirmish"})

`module.Module` is a program compiled (or taken from the cache); `playouts` plays random games inside, many in one call;
`game.Game` is one game under way with the interface of `dsl.engine.game.Game`. Explanations are the Python engine's,
which takes the same vector over at any decision.

The translation is text of WebAssembly (WAT): `text` and `reps` are its alphabet, `expressions` to `routines` go over
the IR, `assembly` puts the parts together with `support.wat`, what is the same for every program.
"""
