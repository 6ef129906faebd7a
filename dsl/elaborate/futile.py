"""Rules that never do anything: parts of a condition that exclude each other, lines that nothing reaches, and what is
declared and used nowhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import get_args

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.labels import HOLE
from dsl.elaborate.clauses.solver import EXCLUDED, Terms, compatible
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.drawn import OUTLINE, OVERLAY
from dsl.ir.types import TRUTH
from dsl.ir.worth import NAME
from dsl.linker.declaration_index import LOCAL
from dsl.linker.layers import Gathered
from dsl.lower.ir_builder import negation
from dsl.resolve.comparison_notes import Joined
from dsl.resolve.symbol_table import World
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of

MOST_PARTS = 12
"""Parts of a condition that are held against each other, each against each."""
USED = (ast.Value, ast.Action, ast.Menu, ast.Window)
HELD = (ast.Test, ast.Always)
READ = frozenset({NAME, OUTLINE, OVERLAY, "decider", "allied"})
"""Values that no rule has to ask for: computer players, pictures and the language itself do."""
_WORD = re.compile(r"[^\W\d]\w*")


def warn_of_exclusive(world: World, gathered: Gathered) -> None:
    """Conditions of which two parts never hold at once, or of which one always does where the other does not.

    What tests and promises say of a game is to hold always.
    """
    held: dict[Source, list[Span]] = defaultdict(list)
    for entry in gathered.entries:
        if isinstance(entry.declaration, HELD):
            held[entry.declaration.span.source].append(entry.declaration.span)
    layer = max(world.reporter.layer_of.values(), default=0)
    told: set[Span] = set()
    for span, found in world.joined.items():
        if world.is_prelude(span) or world.layer(span) != layer:
            continue
        if any(each.start <= span.start < each.end for each in held.get(span.source, ())):
            continue
        pair = _exclusive(world, found)
        if pair is None or pair[1] in told:
            continue
        one, two = pair
        told.add(two)
        if found.op == "and":
            message = tr("this never holds where `{other}` does: both stand in one condition", other=one.text)
            hint = "write `or` where one of them is enough, or leave one out"
        else:
            message = tr("this holds wherever `{other}` does not: together they always hold", other=one.text)
            hint = "write `and` where both are needed, or leave the condition out"
        world.error(Code.DECIDED, two, message, labels=(Label(one, "the other part"),), hint=hint)


def warn_of_needs(world: World, actions: Sequence[pr.Action | None]) -> None:
    """Actions of which two `need` lines never hold at once, so that nobody can ever do them."""
    layer = max(world.reporter.layer_of.values(), default=0)
    for action in filter(None, actions):
        needed: list[tuple[Span, ir.Expr]] = []
        for each in action.prohibitions:
            span = world.clause_spans[each.clause]
            if each.kind == "need" and not each.overruled_by:
                needed.append((span, negation(each.condition)))
        pair = next(iter(_pairs(world, needed, negated=False)), None) if len(needed) > 1 else None
        if pair is None or max(map(world.layer, pair)) != layer:
            continue
        one, two = pair
        world.error(
            Code.DECIDED,
            two,
            tr(
                "this never holds where `{other}` does: `{action}` can never be done",
                other=one.text,
                action=action.name,
            ),
            labels=(Label(one, "the other line"),),
            hint="leave one out, or join them with `or` where one of them is enough",
        )


def _exclusive(world: World, found: Joined) -> tuple[Span, Span] | None:
    """Two parts that exclude each other however the condition was elaborated."""
    agreed: list[tuple[Span, Span]] | None = None
    for parts in found.parts:
        here = _pairs(world, parts, found.op == "or")
        agreed = here if agreed is None else [each for each in agreed if each in here]
        if not agreed:
            return None
    return agreed[0] if agreed else None


def _pairs(world: World, parts: Sequence[tuple[Span, ir.Expr]], negated: bool) -> list[tuple[Span, Span]]:
    terms = Terms(
        [len(each.members) for each in world.domains], world.data, [each.type for each in world.vars], ()
    )
    asked = [(span, terms.of(each)) for span, each in parts[:MOST_PARTS]]
    if negated:
        asked = [(span, terms.op("not", (each,), TRUTH)) for span, each in asked]
    open_ = [(span, each) for span, each in asked if compatible(terms, (each,))[0] is not EXCLUDED]
    return [
        (span, other)
        for at, (span, one) in enumerate(open_)
        for other, two in open_[at + 1 :]
        if compatible(terms, (one, two))[0] is EXCLUDED
    ]


def warn_of_unreached(world: World, gathered: Gathered) -> None:
    """The first line of each block behind one that always leaves what it stands in."""
    layer = max(world.reporter.layer_of.values(), default=0)
    for entry in gathered.entries:
        if entry.layer != layer or world.is_prelude(entry.declaration.span):
            continue
        for block in nodes_of(entry.declaration, ast.Block):
            lines = pairwise(block.statements)
            leaving, behind = next(((one, two) for one, two in lines if _leaves(one)), (None, None))
            if leaving is None or behind is None:
                continue
            world.error(
                Code.FUTILE,
                behind.span,
                tr(
                    "nothing reaches this line: `{leaving}` above it leaves",
                    leaving=leaving.span.text.split("\n")[0],
                ),
                labels=(Label(leaving.span, "nothing goes on behind this"),),
                hint="put it above, or leave it out",
            )


def _leaves(tree: ast.Stmt) -> bool:
    """Does a statement always leave what it stands in?"""
    if isinstance(tree, ast.If):
        blocks = [block for _, block in tree.branches]
        return tree.otherwise is not None and all(
            any(_leaves(each) for each in block.statements) for block in (*blocks, tree.otherwise)
        )
    return isinstance(tree, ast.Stop | ast.Return)


def warn_of_unused(world: World, gathered: Gathered) -> None:
    """Values, actions, phases, menus and windows that are declared in the last layer, and of which nothing else speaks.

    A clause about something is no use of it. Tests are: so nothing is told where they were not read. An action without
    words for players may be there for tests that are yet to be written.
    """
    layer = max(world.reporter.layer_of.values(), default=0)
    found = [
        entry.declaration
        for entry in gathered.entries
        if isinstance(entry.declaration, USED) and entry.layer == layer and not _is_helper(entry.declaration)
        if not world.is_prelude(entry.declaration.span) and entry.declaration.name.text not in READ
    ]
    if not found:
        return
    uses = {name for tree in _trees(gathered) for name in _uses(tree)}
    for each in found:
        if each.name.text not in uses:
            uses.add(each.name.text)
            _tell_of_unused(world, each)


def _is_helper(declaration: ast.Value | ast.Action | ast.Menu | ast.Window) -> bool:
    return isinstance(declaration, ast.Action) and declaration.kind == "action" and declaration.label is None


def _tell_of_unused(world: World, declaration: ast.Value | ast.Action | ast.Menu | ast.Window) -> None:
    name = declaration.name.text
    match declaration:
        case ast.Value():
            message = tr("nothing asks for the value `{name}`", name=name)
            hint = "ask for it in a rule or a text, or leave it out"
        case ast.Action(kind="phase"):
            message = tr("nothing runs the phase `{name}`", name=name)
            hint = tr(
                "write `{name}` where it is to be done, such as in `round:`, or leave it out", name=name
            )
        case ast.Menu():
            message = tr("nothing offers the menu `{name}`", name=name)
            hint = tr("write `{name}` among what somebody may choose, or leave it out", name=name)
        case ast.Window():
            message = tr("nothing opens the window `{name}`", name=name)
            hint = tr("write `open {name}` where it is to begin, or leave it out", name=name)
        case _:
            message = tr("nothing offers or orders the action `{name}`", name=name)
            hint = tr("offer `{name}` in a menu, order it in a rule, or leave it out", name=name)
    world.error(Code.FUTILE, declaration.name.span, message, hint=hint)


def _trees(gathered: Gathered) -> Iterator[ast.Node]:
    """All that is declared."""
    yield from (entry.declaration for entry in (*gathered.entries, *gathered.aside))
    yield from gathered.headers
    for table in gathered.tables.values():
        yield table.declaration
        yield from (row for group in table.groups for row in group.rows)
        yield from (each.setting for each in table.changes)
    yield from (each for fields in gathered.extra_fields.values() for each in fields)
    yield from (each for fields in gathered.starts.values() for each, _ in fields)
    yield from (line for lines in gathered.extra_lines.values() for line, _ in lines)


def _uses(tree: ast.Node) -> Iterator[str]:
    """The names of which a declaration speaks, without its own, what its clauses are about, and what is local to it:
    a name that is asked with arguments is never local. Of texts only holes are read, of cells every word.
    """
    nodes = nodes_of(tree)
    given = {id(name) for each in nodes if isinstance(name := getattr(each, "name", None), ast.Name)}
    local = {
        name.text for each in nodes_of(tree, *get_args(LOCAL)) if isinstance(name := each.name, ast.Name)
    }
    for each in nodes:
        match each:
            case ast.Apply(function=ast.NameExpr(name=name)):
                yield name
            case ast.NameExpr(name=name) | ast.NamedType(name=name) if name not in local:
                yield name
            case ast.Name(text=name) if id(each) not in given:
                yield name
            case ast.Text() | ast.Label():
                for hole in HOLE.findall(each.span.text):
                    yield from _WORD.findall(hole)
            case ast.Cell(text=text):
                yield from _WORD.findall(text)
            case _:
                pass
