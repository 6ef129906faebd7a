"""From declarations to the program: names resolved in their scopes, bodies and clauses typed and turned into nodes of
the IR. `assemble` runs it all; the symbols are those of `dsl.resolve`, and `dsl.check` looks at the whole.
"""
