"""How many options one line of a menu may have, and how many lines a menu: told before they unfold."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import ListOf, SetOf
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Menu
from dsl.source import Span
from dsl.syntax import ast

MANY_OPTIONS = 4_096
MOST_OPTIONS = 65_536
MOST_LINES = 1_024
"""Lines of one menu, with those of the menus that it takes in."""


def check_offer(world: World, variables: tuple[ir.OfferVar, ...], span: Span) -> None:
    """Options by the thousand are worth a warning, more are refused; what a `where` prunes does not count."""
    product = 1
    for variable in variables:
        if variable.where is None:
            product *= max(1, reach(world, variable.domain))
    if product > MOST_OPTIONS:
        message = tr(
            "up to {product} options in one line of a menu, more than {most_options}",
            product=f"{product:,}",
            most_options=f"{MOST_OPTIONS:,}",
        )
        hint = "prune with `where` behind each `for`, or let the player choose in steps"
        world.error(Code.LIMIT, span, message, hint=hint)
    elif product > MANY_OPTIONS:
        message = tr("up to {product} options in one line of a menu", product=f"{product:,}")
        hint = "prune with `where` behind each `for`, or let the player choose in steps"
        world.error(Code.MANY_OPTIONS, span, message, hint=hint)


def check_lines(world: World, lines: tuple[ast.MenuLine, ...]) -> bool:
    """May a menu have these lines? Menus that include each other multiply: they are counted before they unfold."""
    counts: dict[str, int] = {}
    for line in lines:
        count = _unfolded(world, line, counts)
        if count > MOST_LINES:
            message = tr(
                "this line stands for {count} lines of menus, more than {most_lines}",
                count=f"{count:,}",
                most_lines=f"{MOST_LINES:,}",
            )
            hint = "a menu that takes in another one twice has its lines twice: take it in once"
            world.error(Code.LIMIT, line.span, message, hint=hint)
            return False
    return True


def _unfolded(world: World, line: ast.MenuLine, counts: dict[str, int]) -> int:
    """How many lines a line stands for; a menu within itself counts once, and is told elsewhere."""
    tree = line.call.call if line.call else None
    name = tree.function if isinstance(tree, ast.Apply) else tree
    menu = world.callables.get(name.name) if isinstance(name, ast.NameExpr) else None
    if not isinstance(menu, Menu):
        return 1
    if menu.name not in counts:
        counts[menu.name] = 1
        counts[menu.name] = sum(_unfolded(world, each, counts) for each, _ in menu.lines)
    return counts[menu.name]


def reach(world: World, domain: ir.Expr) -> int:
    """How many elements a set or list may have, as far as it shows."""
    assert isinstance(domain.type, SetOf | ListOf)
    match domain:
        case ir.Const(value=int(bits)):
            return bits.bit_count()
        case ir.Lookup(data=data) if isinstance(domain.type, SetOf):
            return max(
                (value.bit_count() for value in world.data[data].values if isinstance(value, int)), default=0
            )
        case ir.Op(op="single"):
            return 1
        case ir.Op(op="meet" | "minus", args=(first, *_)) if isinstance(first.type, SetOf):
            return reach(world, first)
        case ir.Op(op="list_set", args=(elements,)) if isinstance(elements.type, ListOf):
            return reach(world, elements)
        case _:
            return domain.type.limit if isinstance(domain.type, ListOf) else world.size(domain.type.of)
