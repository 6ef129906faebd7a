"""The syntax tree: one frozen node for each thing that an author can write.

Nodes are named for the constructs of the language reference. Children are tuples; `span` is keyword-only and
takes no part in equality, so that `parse(format(tree)) == tree` is plain equality. Nothing here is resolved:
names are text with a place.

What a file of the package declares is seen here under its name, and written nowhere else.
"""

from dsl.syntax.ast.base import *
from dsl.syntax.ast.data import *
from dsl.syntax.ast.expressions import *
from dsl.syntax.ast.files import *
from dsl.syntax.ast.rules import *
from dsl.syntax.ast.statements import *
from dsl.syntax.ast.tests import *
from dsl.syntax.ast.types import *
from dsl.syntax.ast.whole import *
