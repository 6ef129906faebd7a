"""Prohibitions that refuse what rules order, where that is likely not what their author has in mind.

To forbid what only rules do, such as `hurt`, is protection: it does not happen then. But an action that players are
offered may be ordered by a rule as well, and `finally:` says that something is done in any case.
"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.check.reach import called_names
from dsl.diagnostics import Code, Label
from dsl.linker.layers import Gathered
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk


def warn_of_forbidden_orders(world: World, gathered: Gathered) -> None:
    """Each prohibition once, with the first order that it may refuse and that says nothing of that case."""
    trees = tuple(
        entry.declaration for entry in gathered.entries if not isinstance(entry.declaration, ast.Test)
    )
    lines = tuple(line for group in gathered.extra_lines.values() for line, _ in group)
    offered, finals = set[str](), set[Span]()
    for each in walk((trees, lines)):
        if isinstance(each, ast.MenuLine):
            offered |= called_names((each.call,)) if each.call is not None else set()
        elif isinstance(each, ast.Until) and each.finally_ is not None:
            finals |= {inner.span for inner in walk(each.finally_) if isinstance(inner, ast.Call)}
    told: set[Span] = set()
    for span, action in world.orders.items():
        if span in finals or action.name in offered:
            for decl, _ in action.permits:
                if isinstance(decl, ast.Permit) and decl.verb == "forbid" and decl.span not in told:
                    told.add(decl.span)
                    _tell(world, decl, action, span, final=span in finals)


def _tell(world: World, decl: ast.Permit, action: w.Action, order: Span, *, final: bool) -> None:
    name = action.name
    if final:
        message = tr("`{name}` is done in any case by `finally`, and this refuses it there, too", name=name)
        hint = "write `otherwise:` behind the order with what is done then, be it `nothing`"
    else:
        message = tr(
            "players are offered `{name}`, and rules order it: this refuses the order, too", name=name
        )
        hint = (
            "write `otherwise:` behind the order with what is done then, be it `nothing`; "
            "or keep from players only the choice, by `when` on the line that offers it"
        )
    world.error(
        Code.ORDER_MAY_BE_REFUSED,
        decl.span,
        message,
        labels=(Label(order, "ordered here: nothing is said for that case"),),
        hint=hint,
    )
