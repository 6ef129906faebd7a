"""What a game speaks of: some of the language is there only for games that use its name."""

from __future__ import annotations

from dsl.linker.layers import Gathered
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of

SPEAKING = (ast.NameExpr, ast.NamedType, ast.Apply, ast.Target)


def spoken_of(gathered: Gathered, name: str) -> list[ast.Node]:
    """Where a game's files use a name: names in expressions, types, and what clauses are about."""
    entries = [entry for entry in gathered.entries if name in entry.declaration.span.text]
    found: list[ast.Node] = []
    for node in (each for entry in entries for each in nodes_of(entry.declaration, *SPEAKING)):
        match node:
            case ast.NameExpr(name=text) | ast.NamedType(name=text) if text == name:
                found.append(node)
            case ast.Apply(function=ast.NameExpr(name=text)) if text == name:
                found.append(node)
            case ast.Target(name=ast.Name(text=text)) if text == name:
                found.append(node)
            case _:
                pass
    return found
