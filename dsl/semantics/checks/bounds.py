"""How much an author may ask for: what is finite is not yet small enough to run on somebody else's machine.

Each bound is far above what people play. What only the finished program tells (how long an expression may take, how
deep calls go) the verifier finds; see `blame`.
"""

from __future__ import annotations

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import Id, Int, ListOf, SetOf
from dsl.semantics.things.entries import Menu
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast

BIGGEST = 2**30
"""The greatest number in a declared range."""
MOST_ELEMENTS = 4_096
"""Elements that a set can have."""
MOST_IN_LIST = 1_000
MOST_OF_A_KIND = 1_000_000
"""The count of one kind in a bag."""
MOST_FIELDS = 64
MOST_ROUNDS = 100_000
MOST_DECISIONS = 1_000_000
MOST_SLOTS = 60_000
"""Numbers that a whole state keeps."""
MOST_LOOPS = 4
"""Loops inside each other."""
MANY_OPTIONS = 4_096
MOST_OPTIONS = 65_536
MOST_LINES = 1_024
"""Lines of one menu, with those of the menus that it takes in."""


def within(world: World, span: Span, what: str, value: int, low: int, high: int) -> int:
    """The number, or the nearest one that is allowed, after a message."""
    if not low <= value <= high:
        world.error(
            Code.LIMIT,
            span,
            f"{what}: from {low:,} to {high:,}, not {value:,}",
            hint="write a smaller number" if value > high else "write a larger number",
        )
    return min(max(value, low), high)


def sized(world: World, element: Int | Id, span: Span) -> bool:
    """May a set or list hold elements of this type?"""
    if element.optional:
        world.error(Code.TYPE_MISMATCH, span, "a set or list holds no `none`", hint="leave out the `?`")
        return False
    size = world.size(element)
    if size > MOST_ELEMENTS and isinstance(element, Int):
        message = f"a set of {size:,} numbers, more than {MOST_ELEMENTS:,}"
        world.error(Code.LIMIT, span, message, hint="narrow the range of its elements")
        return False
    return True


def check_offer(world: World, variables: tuple[ir.OfferVar, ...], span: Span) -> None:
    """Options by the thousand are worth a warning, more are refused; what a `where` prunes does not count."""
    product = 1
    for variable in variables:
        if variable.where is None:
            product *= max(1, reach(world, variable.domain))
    if product > MOST_OPTIONS:
        message = f"up to {product:,} options in one line of a menu, more than {MOST_OPTIONS:,}"
        hint = "prune with `where` behind each `for`, or let the player choose in steps"
        world.error(Code.LIMIT, span, message, hint=hint)
    elif product > MANY_OPTIONS:
        message = f"up to {product:,} options in one line of a menu"
        hint = "prune with `where` behind each `for`, or let the player choose in steps"
        world.error(Code.MANY_OPTIONS, span, message, hint=hint)


def check_lines(world: World, lines: tuple[ast.MenuLine, ...]) -> bool:
    """May a menu have these lines? Menus that include each other multiply: they are counted before they unfold."""
    counts: dict[str, int] = {}
    for line in lines:
        count = _unfolded(world, line, counts)
        if count > MOST_LINES:
            message = f"this line stands for {count:,} lines of menus, more than {MOST_LINES:,}"
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
        case ir.Op(op="meet" | "minus", args=(first, *_)) if isinstance(first.type, SetOf):
            return reach(world, first)
        case ir.Op(op="list_set", args=(elements,)) if isinstance(elements.type, ListOf):
            return reach(world, elements)
        case _:
            return domain.type.limit if isinstance(domain.type, ListOf) else world.size(domain.type.of)
