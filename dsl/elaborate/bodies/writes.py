"""What statements may write, and which facts need not hold behind them, or at the start of each round of a loop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl.ir.types import Id
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import walk

WORD = re.compile(r"[^\W\d]\w*")
NEVER_NONE = (ast.Number, ast.Truth)
KEEPING = (
    *(ast.Let, ast.Call, ast.Need, ast.Random, ast.RollEach, ast.Return, ast.Say, ast.OpenWindow),
    *(
        ast.Later,
        ast.Choose,
        ast.Split,
        ast.SecretChoose,
        ast.AskMenu,
        ast.If,
        ast.For,
        ast.ForOrder,
    ),
    *(ast.RepeatTimes, ast.RepeatUntil, ast.Until, ast.Together, ast.Stop, ast.Nothing),
)
"""Statements that by themselves write to no field. What is ordered or stands within them is looked at by itself. Of a
statement that `_direct` does not know either, all that it names may have become none.
"""
OTHER_PLACE = {"at": "in", "in": "at"}
PIECES = "(pieces)"
"""Among what is changed, and what a computed value reads: which pieces there are, and where they are."""
BY_PIECES = {"at", "in", "empty", "supply"}
"""Words of which what they say hangs on that, beside `has` and the names of pieces and piles."""


@record(frozen=True, slots=True)
class Writes:
    """The names of fields that may get another value, and of those the ones that may become none.

    They are names alone: a field of one thing is taken to be that field of any other.
    """

    changed: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()

    def __or__(self, other: Writes) -> Writes:
        return Writes(self.changed | other.changed, self.cleared | other.cleared)


NOTHING = Writes()


def writes(world: World, trees: object, own: str | None = None, there: Iterable[str] = ()) -> Writes:
    """What some statements may write, with all that the actions which they order lead to.

    What is written to a field of `own` itself, the name of a loop, is left out. The
    names in `there` stand for what is not none.
    """
    found, ordered = _direct(world, trees, own, frozenset(there))
    done: set[str] = set()
    while ordered:
        name = ordered.pop()
        if name in done:
            continue
        done.add(name)
        more, leads = _of_callable(world, name)
        found |= more
        ordered |= leads
    return found


def _of_callable(world: World, name: str) -> tuple[Writes, set[str]]:
    """What the code of an action, menu or window itself writes, and what it orders."""
    world.depends_on_bodies()
    known = world.written.get(name)
    if known is None:
        trees: list[object] = []
        match world.callables.get(name):
            case w.Action(decl=decl, variants=variants, reactions=reactions):
                trees = [decl, *(each for _, each, _ in variants), *(each for each, _ in reactions)]
            case w.Menu(lines=lines, decl=declared):
                trees = [declared, *(line for line, _ in lines)]
            case w.Window(lines=lines, decl=opened):
                trees = [opened, *(line for line, _ in lines)]
            case _:
                pass
        known = world.written[name] = _direct(world, tuple(trees), None, frozenset())
    return known[0], set(known[1])


def _direct(world: World, trees: object, own: str | None, there: frozenset[str]) -> tuple[Writes, set[str]]:
    """What statements write themselves, and the actions, menus and windows that they name."""
    changed: set[str] = set()
    cleared: set[str] = set()
    ordered: set[str] = set()
    for node in walk(trees):
        match node:
            case ast.Assign(target=target, value=value):
                name = _field(target)
                if name is None or (own is not None and _is_own(target, own)):
                    continue
                changed.add(name)
                if not _is_there(world, value, there, trees):
                    cleared.add(name)
                if world.holdings and name in OTHER_PLACE:  # what stands in one place has left the other
                    changed.add(OTHER_PLACE[name])
                    cleared.add(OTHER_PLACE[name])
                if name in OTHER_PLACE:
                    changed.add(PIECES)
            case ast.Gain(target=target):
                name = _field(target)
                if name is not None:
                    changed.add(name)
            case ast.Rest(modify=ast.Modify(target=ast.Target(name=name, column=column))):
                changed.add((column or name).text)
                cleared.add((column or name).text)
            case ast.Move() if world.holdings:
                changed |= {"at", "in", PIECES}
                cleared.add("in")
            case ast.Move() | ast.Draw() | ast.Shuffle() | ast.Place():
                changed |= {"at", "in", PIECES}
            case ast.TakeAway():
                gone = {"at", "in", *_references(world)}
                changed |= gone | {PIECES}
                cleared |= gone
            case ast.NameExpr(name=name) if isinstance(
                world.callables.get(name), w.Action | w.Menu | w.Window
            ):
                ordered.add(name)
            case ast.Member(name=ast.Name(text="effect")):
                ordered |= {name for name in world.callables if name.endswith(".effect")}
            case _ if isinstance(node, ast.Stmt) and not isinstance(node, KEEPING):
                named = {name for each in walk(node) if (name := _field(each)) is not None}
                changed |= named
                cleared |= named
            case _:
                pass
    return Writes(frozenset(changed), frozenset(cleared)), ordered


def _is_there(world: World, value: ast.Expr, there: frozenset[str], trees: object) -> bool:
    """Is a value that is written never none, as far as can be told before the statements are understood?"""
    if isinstance(value, NEVER_NONE):
        return True
    if not isinstance(value, ast.NameExpr):
        return False
    name = value.name
    if any(isinstance(node, ast.Name) and node.text == name for node in walk(trees)):
        return False  # it may be the name of something else there
    if name in there:
        return True
    means_a_field = name in world.globals or any(name in domain.fields for domain in world.domains)
    return name in world.members and name not in world.callables and not means_a_field


def _field(target: ast.Node) -> str | None:
    match target:
        case ast.NameExpr(name=name):
            return name
        case ast.Member(name=name):
            return name.text
        case ast.Apply(function=function):
            return _field(function)
        case ast.Index(of=of):
            return _field(of)
        case _:
            return None


def _is_own(target: ast.Expr, own: str) -> bool:
    return isinstance(target, ast.Member) and isinstance(target.of, ast.NameExpr) and target.of.name == own


def _references(world: World) -> set[str]:
    """The fields that become none when a piece leaves play."""
    return {
        var.name.rpartition(".")[2]
        for var in world.vars
        if isinstance(var.type, Id) and var.type.optional and _of_pieces(world, var.type.domain)
    }


def _of_pieces(world: World, domain: int) -> bool:
    found = world.domains[domain]
    return found.pool is not None or any(world.domains[part].pool for part in found.parts)


def outdated(world: World, facts: Iterable[str], done: Writes, fixed: set[str]) -> set[str]:
    """Which facts need not hold any more after some writes; the names in `fixed` stand for what never changes."""
    return {fact for fact in facts if _is_outdated(world, fact, done, fixed)}


def _is_outdated(world: World, fact: str, done: Writes, fixed: set[str]) -> bool:
    if fact.startswith("legal "):
        return False  # it decides only whether a warning is given
    read, _, says = fact.partition(" is ")
    words = WORD.findall(read)
    members = [each for at, each in enumerate(words) if at or each not in fixed]
    if not members:
        return False
    last = members[-1]
    computed = {name for each in members for name in _read_by(world, each)}
    if computed & done.changed or set(members[:-1]) & done.changed:
        return True
    return last in (done.changed if says or "(" in read else done.cleared)


def _read_by(world: World, name: str) -> set[str]:
    """The names that a computed value, or a printed column that clauses modify, reads, with those that the values in it
    read.
    """
    found: set[str] = set()
    waiting = {name}
    while waiting:
        values = _computed(world, waiting.pop())
        if not values:
            continue
        world.depends_on_bodies()
        for node in walk(tuple(each for value in values for each in _decls(value))):
            if PIECES not in found and _says_of_pieces(world, node):
                found.add(PIECES)
            word = node.name if isinstance(node, ast.NameExpr) else None
            word = node.name.text if isinstance(node, ast.Member) else word
            if word is not None and word not in found:
                found.add(word)
                waiting.add(word)
    return found


def _computed(world: World, name: str) -> list[w.Value]:
    """What a name stands for that is computed."""
    value = world.callables.get(name)
    modified = [each for each in world.values if each.column is not None and each.column.name == name]
    return [value, *modified] if isinstance(value, w.Value) else modified


def _decls(value: w.Value) -> Iterator[ast.Node]:
    if value.decl is not None:
        yield value.decl
    yield from (each for _, each in value.variants)
    yield from (each for each, _ in (*value.modifies, *value.lasting))


def _says_of_pieces(world: World, node: ast.Node) -> bool:
    """Does what is said so hang on which pieces there are, and where?"""
    match node:
        case ast.Located():
            return True
        case ast.Binary(op=op):
            return op.startswith("has")
        case ast.NameExpr(name=name) | ast.NamedType(name=name) | ast.Name(text=name):
            named = (domain.id for domain in world.domains if domain.name == name)
            is_pile = isinstance(world.callables.get(name), w.Pile)
            return name in BY_PIECES or is_pile or any(_of_pieces(world, each) for each in named)
        case _:
            return False
