"""What code reads and writes, through all that it calls: whether reactions commute, and whether a batch is sound.

Two reactions that no `ahead of` ranks commute where neither reads or writes what the other writes (plain gains and
losses of one number go together), and not both of them decide or roll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import islice

from dsl.catalogue import tr
from dsl.check.analysis import Reads
from dsl.check.mod_blame import added_clause
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import ListOf, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.rewrite import walk_ir
from dsl.records import record
from dsl.resolve.delayed_effects import Delayed
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

MOST_TOLD = 20
"""Pairs of clauses of one head that are told."""


@record(frozen=True, slots=True)
class Effects:
    """Variables read, written and only added to; and whether chance or a player decides."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    adds: frozenset[int] = frozenset()
    open: bool = False

    def joined(self, other: Effects) -> Effects:
        return Effects(
            self.reads | other.reads,
            self.writes | other.writes,
            self.adds | other.adds,
            self.open or other.open,
        )


@record(slots=True)
class EffectsOf:
    """Finds effects, each procedure and routine once."""

    reads: Reads
    procedures: list[pr.Procedure | None]
    routines: list[pr.Routine | None]
    known: dict[tuple[str, int], Effects] = field(default_factory=dict)

    def code(self, node: object) -> Effects:
        writes: set[int] = set()
        adds: set[int] = set()
        found = Effects(self.reads.of(node))
        opened = False
        for each in walk_ir(node):
            match each:
                case ir.Store(var=var):
                    writes.add(var)
                case ir.Change(var=var, saturates=saturates, negative=negative, amount=amount):
                    loses = negative and isinstance(amount.type, SetOf)
                    (writes if saturates or loses else adds).add(var)
                case ir.Roll() | ir.RollList() | ir.Pick() | ir.ShufflePile() | mid.MidDecide() | ir.Decide():
                    opened = True
                case ir.MoveCard(pool=pool):
                    writes |= {-1 - pool}
                case ir.Call(procedure=procedure):
                    found = found.joined(self.called("procedure", procedure))
                case mid.MidEnter(routine=routine) | ir.Enter(routine=routine):
                    found = found.joined(self.called("routine", routine))
                case _:
                    pass
        return found.joined(Effects(frozenset(), frozenset(writes), frozenset(adds), opened))

    def called(self, kind: str, number: int) -> Effects:
        key = (kind, number)
        if key not in self.known:
            self.known[key] = Effects()
            target = self.procedures[number] if kind == "procedure" else self.routines[number]
            body: object = ()
            if isinstance(target, pr.Procedure):
                body = target.body
            elif isinstance(target, pr.Routine):
                body = target.blocks
            self.known[key] = self.code(body)
        return self.known[key]


@record(frozen=True, slots=True)
class Reactions:
    """The reactions of one hook of one action, with their conditions and code."""

    action: str
    hook: str
    clauses: tuple[tuple[ast.Reaction, ir.Expr, tuple[mid.Mid, ...]], ...]
    ranked: tuple[int, ...]
    """For each clause, as a mask, those that it is said to come before."""


def check_reactions(world: World, effects: EffectsOf, all_reactions: list[Reactions]) -> None:
    """Reports pairs of reactions whose order matters and is not said."""
    for reactions in all_reactions:
        found = [_in_order(world, effects.code((test, body))) for _, test, body in reactions.clauses]
        unranked = (
            (one, two)
            for one, two in clashing(found)
            if not (reactions.ranked[one] >> two | reactions.ranked[two] >> one) & 1
        )
        for one, two in islice(unranked, MOST_TOLD):
            _report(world, reactions, one, two, clash(found[one], found[two]))


def check_moments(world: World, effects: EffectsOf, moments: list[tuple[str, str, list[Fired]]]) -> None:
    """Reports pairs of actions that wait for the same moment, and whose order matters and is not said."""
    for scope, moment, fired in moments:
        found = [_in_order(world, effects.code(each.code)) for each in fired]
        for one, two in islice(clashing(found), MOST_TOLD):
            shared = clash(found[one], found[two])
            names = [fired[each].delayed.action.name for each in (one, two)]
            hint = (
                tr("give them a phase of their own")
                if scope == "round"
                else tr("write it on the head of `{scope}`", scope=scope)
            )
            world.error(
                Code.UNRANKED,
                fired[two].span,
                f"nothing says which comes first at {moment} of `{scope}`, `{names[0]}` or `{names[1]}`: "
                + _about(world, shared),
                labels=(Label(fired[one].span, "the other one"),),
                hint=tr("{hint}, `, order chosen by PLAYER`", hint=hint),
            )


def _in_order(world: World, found: Effects) -> Effects:
    """What reactions do one after another: there what is added to a list is a write, as it stands in their order."""
    lists = frozenset(var for var in found.adds if var >= 0 and isinstance(world.vars[var].type, ListOf))
    return replace(found, adds=found.adds - lists, writes=found.writes | lists)


def clashing(found: Sequence[Effects]) -> Iterator[tuple[int, int]]:
    """The pairs that do not commute, in order: only those that touch one variable, or are both open, are compared."""
    touching: dict[int, list[list[int]]] = {}
    """For each variable, by number and in order: who reads it, who adds to it, who writes it."""
    opened = [at for at, each in enumerate(found) if each.open]
    for at, each in enumerate(found):
        for kind, variables in enumerate((each.reads, each.adds, each.writes)):
            for var in variables:
                touching.setdefault(var, [[], [], []])[kind].append(at)
    for one, each in enumerate(found):
        met = set(opened) if each.open else set[int]()
        for kinds, variables in (((2, 1), each.reads), ((0, 2), each.adds), ((0, 1, 2), each.writes)):
            for var in variables:
                for kind in kinds:
                    met.update(touching[var][kind])
        yield from ((one, two) for two in sorted(met) if two > one)


def clash(one: Effects, two: Effects) -> int:
    """A variable over which two pieces of code that do not commute meet, or -1 where both leave something open."""
    for first, second in ((one, two), (two, one)):
        changed = first.writes | first.adds
        met = (first.writes & (second.reads | second.writes | second.adds)) | (changed & second.reads)
        if met:
            return min(met, key=lambda var: (var < 0, var))
    return -1


def _about(world: World, shared: int) -> str:
    return (
        tr("both concern `{vars}`", vars=world.vars[shared].name)
        if shared >= 0
        else tr("both decide or roll")
    )


def _report(world: World, reactions: Reactions, one: int, two: int, shared: int) -> None:
    first, second = reactions.clauses[one][0], reactions.clauses[two][0]
    if world.layer(first.span) > world.layer(second.span):
        first, second = second, first
    about = _about(world, shared)
    handle = (first.body.citation or ast.Citation(span=first.span)).ids
    name = f"[{handle[0]}]" if handle else "[ID]"
    world.error(
        Code.UNRANKED,
        second.span,
        tr(
            "nothing says which of these comes first {hook} `{action}`: {about}",
            hook=reactions.hook,
            action=reactions.action,
            about=about,
        ),
        labels=(Label(first.span, "the other one"),),
        hint=tr(
            "write `, ahead of {name}` behind the condition of the one that comes first, or `, "
            "order chosen by PLAYER` on the head of `{action}`",
            name=name,
            action=reactions.action,
        ),
    )


def check_batches(world: World, effects: EffectsOf, batches: list[tuple[Span, tuple[int, ...]]]) -> None:
    """Bodies of a batch read the entry state: they may not read what the batch writes. Where a clause of a later layer
    brings that about, it is told there, once.
    """
    told: set[tuple[Span, int]] = set()
    for span, bodies in batches:
        whole = Effects()
        for body in bodies:
            whole = whole.joined(effects.called("procedure", body))
        met = whole.reads & (whole.writes | whole.adds)
        if met:
            var = min(met)
            name = world.vars[var].name
            at = _added(world, effects, span, bodies, partial(_touches, var=var)) or span
            if (at, var) in told:
                continue
            told.add((at, var))
            if at == span and (moves := _comes_or_leaves(world, effects, bodies, var)) is not None:
                world.error(
                    Code.TOGETHER,
                    moves,
                    "pieces neither come into play nor leave it while things happen together",
                    labels=(Label(span, tr("this happens together")),),
                    hint="let them in an `after` clause, which runs when all has happened: `after die: take away u`",
                )
                continue
            hint = tr(
                "test `{name}` in an `after` clause, which runs when all has happened; or read it before, "
                "`let before = ...` above `together:`, and hand that over",
                name=name,
            )
            if at == span:
                message = tr("what happens together reads `{name}`, and writes it", name=name)
            else:
                message = tr(
                    "what happens together reads `{name}`, and writes it, because of this", name=name
                )
                hint = tr(
                    "leave `{name}` out of this, or say it in an `after` clause, which runs when all has happened",
                    name=name,
                )
            world.error(
                Code.TOGETHER,
                at,
                message,
                labels=() if at == span else (Label(span, tr("this happens together")),),
                hint=hint,
            )
        if whole.open:
            at = _added(world, effects, span, bodies, lambda found: found.open) or span
            if (at, -1) in told:
                continue
            told.add((at, -1))
            world.error(
                Code.TOGETHER,
                at,
                "what happens together neither rolls nor asks",
                labels=() if at == span else (Label(span, tr("this happens together")),),
                hint="roll before, and pass the result on",
            )


def _comes_or_leaves(world: World, effects: EffectsOf, bodies: tuple[int, ...], var: int) -> Span | None:
    """Where a piece is placed or taken away; none where the variable does not say which pieces are in play."""
    if world.vars[var].role != "in_play":
        return None
    retired = {
        number
        for (domain, _, _), number in world.retirements.items()
        if (pool := world.domains[domain].pool) is not None and pool.in_play == var
    }
    waiting, seen = list(bodies), set(bodies)
    while waiting:
        procedure = effects.procedures[waiting.pop(0)]
        for node in walk_ir(procedure.body) if procedure is not None else ():
            writes = isinstance(node, ir.Store | ir.Change) and node.var == var
            if writes or (isinstance(node, ir.Call) and node.procedure in retired):
                site: int = node.site
                return world.site_spans[site] if site >= 0 else None
            if isinstance(node, ir.Call) and node.procedure not in seen:
                seen.add(node.procedure)
                waiting.append(node.procedure)
    return None


def _touches(found: Effects, *, var: int) -> bool:
    return var in found.reads | found.writes | found.adds


def _added(
    world: World, effects: EffectsOf, span: Span, bodies: tuple[int, ...], fits: Callable[[Effects], bool]
) -> Span | None:
    """The clause of a layer later than that of the batch whose own effects are at fault."""
    code = tuple(each.body for body in bodies if (each := effects.procedures[body]) is not None)
    actions = effects.reads.actions
    return added_clause(world, actions, code, world.layer(span), lambda own: fits(effects.code(own)))


@record(frozen=True, slots=True)
class Fired:
    """An action that waited, and the code that does its calls when the moment has come."""

    delayed: Delayed
    span: Span
    code: tuple[mid.Mid, ...]
