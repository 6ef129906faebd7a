"""Tells of clauses that can stand at once and cannot both hold, when all values and actions are known."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.clauses.actions import Replaced
from dsl.elaborate.clauses.conflicting_clauses import MOST_TOLD, Rivalry, Told, Wording, Work, rivalry
from dsl.elaborate.clauses.solver import EXCLUDED, UNDECIDED, Situation
from dsl.elaborate.clauses.values import Composed
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Int, Type
from dsl.resolve import symbols as w
from dsl.resolve.symbol_table import World


def check_contradictions(
    world: World,
    composed: Sequence[Composed],
    replaced: Sequence[Replaced],
    lowered: Sequence[pr.Action | None],
    work: Work,
) -> None:
    """Tells of all clauses of a game that contradict each other."""
    ordered = {value: action for action in world.actions for value in action.modified.values()}
    for each in composed:
        action = ordered.get(each.value.id)
        judged = _refusals(lowered[action.id]) if action is not None else []
        _values(world, each, judged, work)
    for one in replaced:
        _actions(world, one, lowered[one.action.id], work)
    for action in world.actions:
        _permissions(world, action, lowered[action.id], work)


def _plain(world: World, number: int) -> tuple[int, ir.Expr] | None:
    """What a value gives, if no clause bears on it."""
    value = world.values[number].lowered
    if value is None or value.clauses:
        return None
    return len(value.params), value.base


# ---------------------------------------------------------------- values


def _values(world: World, composed: Composed, refusals: Sequence[ir.Expr], work: Work) -> None:
    """Two values that one becomes, and floors above ceilings. Where the value is what an action is done with, what
    refuses the action does not hold.
    """
    value, clauses = composed.value, composed.clauses
    becomes = [n for n, each in enumerate(clauses) if each.stage == "becomes"]
    settings = {clauses[each].operand for each in becomes}
    floors, ceilings = _crossing(clauses)
    if len(settings) < 2 and not (floors and ceilings):
        return
    found = rivalry(
        world,
        work,
        [(param.name, param.type) for param in value.params],
        [each.condition for each in clauses],
        [each.overruled_by for each in clauses],
        lambda number: _plain(world, number),
    )
    found.unnamed = frozenset(
        var
        for _, lasting in value.lasting
        for var in (lasting.var, *(number for _, number in lasting.copies or ()))
    )
    found.own_names = {
        decl.span: [param.name.text for param in decl.target.params]
        for decl, _ in (*value.modifies, *value.lasting)
        if decl.target.params is not None
    }
    operands = [found.terms.of(each.operand) for each in clauses]
    judged = [found.terms.op("not", (found.terms.of(each),), TRUTH) for each in refusals]
    spans = composed.spans
    told = Told(found, Code.CONFLICTING_BECOMES, spans[composed.plain :])

    def differ(one: int, two: int) -> bool:
        return operands[one] != operands[two] and spans[one] != spans[two]

    def crossed(one: int, two: int) -> bool:
        return (one in floors) != (two in floors)

    name = value.name
    setting = Wording(
        f"`{name}` cannot become two values at once",
        f"`{name}` may become two values at once",
        ("it becomes one value here", "it becomes another one here"),
    )
    near, is_all = found.pairs(becomes if len(settings) > 1 else (), differ)
    for one, two in near:
        if told.contradictions >= MOST_TOLD:
            return
        apart = found.terms.op("ne", (operands[one], operands[two]), TRUTH)
        answer = found.ask((found.stands[one], found.stands[two], apart, *judged))
        is_plain = told.is_plain(one, two) and _always(found, apart)
        told.tell(answer, (spans[one], spans[two]), setting, is_plain=is_plain)
    near, is_every = found.pairs([*floors, *ceilings] if floors and ceilings else (), crossed)
    for one, two in near:
        if told.contradictions >= MOST_TOLD:
            return
        floor, ceiling = (one, two) if one in floors else (two, one)
        above = found.terms.op("gt", (operands[floor], operands[ceiling]), TRUTH)
        answer = found.ask((found.stands[one], found.stands[two], above, *judged))
        bounding = Wording(
            f"the floor of `{name}` is above its ceiling",
            f"the floor of `{name}` may be above its ceiling",
            ("the floor", "the ceiling") if floor == one else ("the ceiling", "the floor"),
        )
        is_plain = told.is_plain(one, two) and _always(found, above)
        told.tell(answer, (spans[one], spans[two]), bounding, is_plain=is_plain)
    if not (is_all and is_every):
        many = f"`{name}` has too many clauses to hold each against each other"
        told.doubts = 0
        told.tell(UNDECIDED, (spans[0], spans[-1]), Wording(many, many, ("the first", "the last")))


def _always(found: Rivalry, term: int) -> bool:
    """Does a comparison of plain numbers hold?"""
    answer = found.ask((term,))
    return isinstance(answer, Situation) and not answer.chosen


def _crossing(clauses: Sequence[pr.ValueClause]) -> tuple[set[int], set[int]]:
    """The floors and ceilings that may cross, as far as their ranges say."""
    low = {n: _range(each.operand.type)[1] for n, each in enumerate(clauses) if each.stage == "at_least"}
    high = {n: _range(each.operand.type)[0] for n, each in enumerate(clauses) if each.stage == "at_most"}
    lowest, highest = min(high.values(), default=0), max(low.values(), default=0)
    floors = {n for n, most in low.items() if high and most > lowest}
    return floors, {n for n, least in high.items() if low and least < highest}


def _range(kind: Type) -> tuple[int, int]:
    return (kind.low, kind.high) if isinstance(kind, Int) else (0, 0)


# ---------------------------------------------------------------- actions


def _actions(world: World, replaced: Replaced, lowered: pr.Action | None, work: Work) -> None:
    """Two clauses that replace one action."""
    if not replaced.pairs:
        return
    action = replaced.action
    found = rivalry(
        world,
        work,
        [(param.name, param.type) for param in action.params],
        replaced.tests,
        None,
        lambda number: _plain(world, number),
    )
    spans = [each.span for each in replaced.clauses]
    found.own_names = {
        each.span: [param.name.text for param in target.params]
        for each in replaced.clauses
        for target in each.targets
        if target.name.text == action.name and target.params is not None
    }
    told = Told(found, Code.TWO_INSTEADS)
    wording = Wording(
        f"two clauses replace `{action.name}` at once",
        f"two clauses may replace `{action.name}` at once",
        ("one of them", "the other one"),
    )
    changed = any(reaction.hook == "before" for reaction, _ in action.reactions) or action.modified
    refusals = [] if changed else _refusals(lowered)
    judged = [found.terms.op("not", (found.terms.of(each),), TRUTH) for each in refusals]
    for one, two in replaced.pairs:
        answer = found.ask((found.stands[one], found.stands[two], *judged))
        told.tell(answer, (spans[one], spans[two]), wording, is_plain=told.is_plain(one, two))


def _permissions(world: World, action: w.Action, lowered: pr.Action | None, work: Work) -> None:
    """An `allow` that can stand, over prohibitions that can, but never at once with one of them, lifts nothing.

    It is told in the last layer only: what a scenario or mod takes out of a game is no fault of the game.
    """
    found = lowered.prohibitions if lowered is not None else ()
    last = max(world.reporter.layer_of.values(), default=0)
    below = {
        at: [n for n, each in enumerate(found) if at in each.overruled_by and each.kind != "allow"]
        for at, one in enumerate(found)
        if one.kind == "allow" and world.layer(world.clause_spans[one.clause]) == last
    }
    below = {at: under for at, under in below.items() if under}
    if not below:
        return
    params = [(param.name, param.type) for param in action.params]
    asked = rivalry(
        world, work, params, [each.condition for each in found], None, lambda number: _plain(world, number)
    )
    for at, under in below.items():
        alone = [asked.ask((asked.stands[each],)) for each in (at, *under)]
        both = [asked.ask((asked.stands[at], asked.stands[each])) for each in under]
        if EXCLUDED in alone or any(each is not EXCLUDED for each in both):
            continue
        world.error(
            Code.ALLOW_OVER_NOTHING,
            world.clause_spans[found[at].clause],
            tr(
                "this `allow` lifts nothing: what it is over never forbids `{action}` where it allows it",
                action=action.name,
            ),
            labels=(Label(world.clause_spans[found[under[0]].clause], "it is over this one"),),
            hint="let both hold for one case, or name the prohibition that was meant",
        )


def _refusals(lowered: pr.Action | None) -> list[ir.Expr]:
    """What refuses an action and nothing lifts: it does not hold where the action was judged. Later it may, where
    `before` clauses write or where clauses modify what the action is done with.
    """
    if lowered is None:
        return []
    return [each.condition for each in lowered.prohibitions if each.kind != "allow" and not each.overruled_by]


__all__ = ["check_contradictions"]
