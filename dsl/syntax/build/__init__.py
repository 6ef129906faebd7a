"""From parse trees to the tree: one function per rule of the grammar, by the sections of the tree."""

from dsl.syntax.build.declarations import declaration
from dsl.syntax.build.expressions import expression
from dsl.syntax.build.leaves import Branch, Origin
from dsl.syntax.build.statements import effect

__all__ = ["Branch", "Origin", "declaration", "effect", "expression"]
