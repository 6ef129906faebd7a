"""Rules that never do anything: parts of a condition that exclude each other, lines that nothing reaches, and what is
declared and used nowhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.labels import HOLE
from dsl.elaborate.clauses.independence import about
from dsl.elaborate.clauses.solver import EXCLUDED, Terms, compatible
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.drawn import OUTLINE, OVERLAY
from dsl.ir.types import TRUTH
from dsl.ir.worth import NAME
from dsl.linker.layers import Gathered
from dsl.lower.ir_builder import negation
from dsl.lower.rewrite import walk_ir
from dsl.resolve.comparison_notes import Joined
from dsl.resolve.symbol_table import World
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of

MOST_PARTS = 12
"""Parts of a condition that are held against each other, each against each."""
MOST_NODES = 60
"""Conditions of lines about one action that are held against each other have at most so many parts."""
MOST_TRIED = 400
"""Terms that may be read to hold two of them against each other."""
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
    """Actions of which two lines, a `need` or a `forbid`, never let it be done together, or say the same."""
    layer = max(world.reporter.layer_of.values(), default=0)
    for action in filter(None, actions):
        lines = [
            each for each in action.prohibitions if each.kind in {"need", "forbid"} and not each.overruled_by
        ]
        plain = [each for each in lines if sum(1 for _ in walk_ir(each.condition)) <= MOST_NODES]
        needs = [each for each in plain if each.kind == "need"][:MOST_PARTS]
        read = {each.clause: _read(each.condition) for each in plain}
        said = {each.clause: about(each.condition) for each in plain}
        pairs = [
            (one, two)
            for at, one in enumerate(needs)
            for two in (*needs[at + 1 :], *(each for each in plain if each.kind == "forbid"))
            if not read[one.clause].isdisjoint(read[two.clause])
            and not said[one.clause].is_independent_of(said[two.clause])
        ]
        if pairs:
            _compare_needs(world, layer, action.name, pairs, read)


def _compare_needs(
    world: World,
    layer: int,
    action: str,
    pairs: list[tuple[pr.Prohibition, pr.Prohibition]],
    read: Mapping[int, set[tuple[str, int]]],
) -> None:
    """Tells of the first pair of lines that exclude each other, else of all that say the same."""
    terms, same = _terms(world), list[tuple[Span, Span]]()

    def never(*asked: int) -> bool:
        return compatible(terms, asked, MOST_TRIED)[0] is EXCLUDED

    found = {each.clause: terms.of(negation(each.condition)) for lines in pairs for each in lines}
    ruled_out = {clause for clause, term in found.items() if never(term)}  # told by itself
    for lines in pairs:
        if not ruled_out.isdisjoint(each.clause for each in lines):
            continue
        one, two = (found[each.clause] for each in lines)
        spans = world.clause_spans[lines[0].clause], world.clause_spans[lines[1].clause]
        if never(one, two):
            _tell_of_needs(world, layer, spans, tr("`{action}` can never be done", action=action))
            return
        if (
            read[lines[0].clause] != read[lines[1].clause]
        ):  # then they seldom say the same, and it takes long to ask
            continue
        not_one, not_two = (terms.op("not", (each,), TRUTH) for each in (one, two))
        if never(one, not_two) and never(two, not_one):
            same.append(spans)
    for spans in same:
        _tell_of_needs(world, layer, spans, "")


def _read(condition: ir.Expr) -> set[tuple[str, int]]:
    """What a condition is about: its variables, locals and tables."""
    found = set[tuple[str, int]]()
    for each in walk_ir(condition):
        match each:
            case ir.Load(var=number) | ir.LoadItem(var=number):
                found.add(("var", number))
            case ir.Local(index=number):
                found.add(("local", number))
            case ir.Ask(value=number):
                found.add(("value", number))
            case _:
                pass
    return found


def _tell_of_needs(world: World, layer: int, pair: tuple[Span, Span], never: str) -> None:
    """Tells of two lines about an action that exclude each other, so that it can never be done, or say the same."""
    if max(map(world.layer, pair)) != layer:
        return
    one, two = pair if world.layer(pair[1]) == layer else pair[::-1]
    if never and two.text.startswith("need") and one.text.startswith("need"):
        message = tr("this never holds where `{other}` does: {never}", other=one.text, never=never)
    elif never:
        message = tr("this leaves nothing that `{other}` allows: {never}", other=one.text, never=never)
    else:
        message = tr("this says what `{other}` says", other=one.text)
    hint = "leave one out, or join them with `or` where one of them is enough" if never else "leave one out"
    world.error(Code.DECIDED, two, message, labels=(Label(one, "the other line"),), hint=hint)


def _terms(world: World) -> Terms:
    return Terms(
        [len(each.members) for each in world.domains], world.data, [each.type for each in world.vars], ()
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
    parts = parts[:MOST_PARTS]
    said = [about(each) for _, each in parts]
    near = [
        (one, two)
        for one, two in combinations(range(len(parts)), 2)
        if not said[one].is_independent_of(said[two])
    ]
    if not near:
        return []
    terms = _terms(world)
    asked = [terms.of(each) for _, each in parts]
    if negated:
        asked = [terms.op("not", (each,), TRUTH) for each in asked]
    closed = {at for at in set(chain(*near)) if compatible(terms, (asked[at],))[0] is EXCLUDED}
    return [
        (parts[one][0], parts[two][0])
        for one, two in near
        if closed.isdisjoint((one, two)) and compatible(terms, (asked[one], asked[two]))[0] is EXCLUDED
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
    words for players may be there for tests that are yet to be written; a value of one thing with words is told to who
    looks at that.
    """
    layer = max(world.reporter.layer_of.values(), default=0)
    found = [
        entry.declaration
        for entry in gathered.entries
        if isinstance(entry.declaration, USED) and entry.layer == layer and not _is_helper(entry.declaration)
        if not world.is_prelude(entry.declaration.span) and entry.declaration.name.text not in READ
    ]
    unused = {each.name.text for each in found}
    for tree in _trees(gathered):  # most are used: few trees are gone through for those that are left
        if unused and not unused.isdisjoint(_WORD.findall(tree.span.text)):
            unused.difference_update(_uses(tree))
    for tree in _trees(gathered) if unused else ():  # what was merged may stand in other texts than its own
        unused.difference_update(_uses(tree))
    for each in found:
        if each.name.text in unused:
            unused.remove(each.name.text)
            _tell_of_unused(world, each)


def _is_helper(declaration: ast.Value | ast.Action | ast.Menu | ast.Window) -> bool:
    if isinstance(declaration, ast.Value):
        return declaration.called is not None and len(declaration.params) == 1
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
    """The names of which a declaration speaks, without its own, what its clauses are about, and what is local where it
    stands: a name that is asked with arguments is never local. Of texts only holes are read, of cells every word.
    """
    nodes = nodes_of(tree)
    given = {id(name) for each in nodes if isinstance(name := getattr(each, "name", None), ast.Name)}
    local: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for name, start, end in _locals(tree):
        local[name].append((start, end))
    for each in nodes:
        match each:
            case ast.Apply(function=ast.NameExpr(name=name)):
                yield name
            case ast.NameExpr(name=name) | ast.NamedType(name=name):
                if not any(start <= each.span.start < end for start, end in local.get(name, ())):
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


def _locals(tree: ast.Node) -> Iterator[tuple[str, int, int]]:
    """The names that are local in a declaration, each with the part of it in which it is."""
    blocks = [each.span for each in nodes_of(tree, ast.Block)]

    def behind(node: ast.Node) -> int:
        """Where the block ends in which a statement stands."""
        within = [each for each in blocks if each.start <= node.span.start and node.span.end <= each.end]
        return min(within, key=lambda each: each.end - each.start, default=tree.span).end

    for node in nodes_of(tree):
        match node:
            case ast.Param(name=name):
                yield name.text, tree.span.start, tree.span.end
            case ast.Action(by=ast.Name(text=by)):
                yield by, tree.span.start, tree.span.end
            case ast.ForOrder(name=name):
                yield name.text, node.span.start, node.span.end
            case (
                ast.For(selection=ast.Selection(name=name))
                | ast.Quantified(selection=ast.Selection(name=name))
                | ast.Every(selection=ast.Selection(name=name))
                | ast.Total(selection=ast.Selection(name=name))
                | ast.Extreme(selection=ast.Selection(name=name))
            ):
                yield name.text, node.span.start, node.span.end
            case ast.MenuLine(selections=selections):
                for each in selections:
                    yield each.name.text, node.span.start, node.span.end
            case (
                ast.Choose(selection=ast.Selection(name=name))
                | ast.Split(selection=ast.Selection(name=name))
                | ast.SecretChoose(selection=ast.Selection(name=name))
                | ast.Random(selection=ast.Selection(name=name))
            ):
                yield name.text, node.span.start, behind(node)
            case (
                ast.Let(name=name)
                | ast.RollEach(name=name)
                | ast.Draw(name=ast.Name() as name)
                | ast.Place(name=ast.Name() as name)
            ):
                yield name.text, node.span.end, behind(node)
            case _:
                pass
