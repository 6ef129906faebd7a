"""Which of several comes first, where no rank says so and the head lets somebody choose, or goes round the table.

Reactions: as long as some stand that were not done yet, one of them is done. A reaction that is ranked behind another
waits for it while that one stands, and lets it go when its own turn comes. What belongs to nobody needs no choice and
is done first. `order chosen by P` asks P each time; `order of play` asks the first player, from the acting one on,
who has a reaction that stands.

Calls that wait for one moment are chosen in the same way, from the lists in which they wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dsl.catalogue import N_
from dsl.elaborate.bodies.scope import appended
from dsl.elaborate.bodies.sides import NOBODY
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, negation, number, replace_type
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import opening_citation

if TYPE_CHECKING:
    from dsl.elaborate.bodies.statements import Statements
    from dsl.elaborate.clauses.delays import Waiting


@record(frozen=True, slots=True)
class Due:
    """A reaction: when it stands, what it does, whose it is, and how it is called in a choice."""

    test: ir.Expr
    body: tuple[mid.Mid, ...]
    owner: ir.Expr | None
    clause: int
    label: int
    label_args: tuple[ir.Expr, ...]


def any_of(parts: Sequence[ir.Expr]) -> ir.Expr:
    """Some of several truths."""
    kept = [part for part in parts if part != FALSE]
    if TRUE in kept or not kept:
        return TRUE if kept else FALSE
    result = kept[0]
    for part in kept[1:]:
        result = ir.Op(TRUTH, "or", (result, part))
    return result


def question(s: Statements, span: Span) -> int:
    """What is asked where somebody chooses what comes first."""
    return s.world.given(N_("What comes first?"))


def owned(s: Statements, owner: ir.Expr | None) -> ir.Expr:
    """The player whose something is, none where he is out of the game."""
    if owner is None:
        return ir.Const(NOBODY, NONE)
    if not s.world.defeats:
        return replace_type(owner, NOBODY)
    there = ir.Op(Id(0), "some", (owner,)) if owner.type == NOBODY else owner
    gone: ir.Expr = ir.Op(TRUTH, "out", (there,))
    if owner.type == NOBODY:
        gone = ir.Op(TRUTH, "and", (negation(ir.Op(TRUTH, "is_none", (owner,))), gone))
    return ir.Op(NOBODY, "if", (gone, ir.Const(NOBODY, NONE), replace_type(owner, NOBODY)))


def chooser(s: Statements, order: ast.ReactionOrder, mine: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """Who says what comes first: the player whom the head names, or the first one who has something to do.

    `mine` tells of a player whether he has.
    """
    if order.chooser is not None:
        return s.player(order.chooser) or ir.Const(NOBODY, NONE)
    player = s.body.new(Id(0))
    turns = s.order_of_play(order.span, s.body.acting)
    return ir.Fold(NOBODY, "first", player.index, turns, mine(player), None)


def reaction_label(s: Statements, reaction: ast.Reaction) -> tuple[int, tuple[ir.Expr, ...]]:
    """How a reaction is called where somebody chooses what comes first: by its words, its source or its line."""
    if reaction.tail.reason is not None:
        return s.template(reaction.tail.reason, {})
    cited = opening_citation(reaction.body)
    if cited is not None and (cited.families or cited.ids):
        return s.world.text((cited.families or cited.ids)[0]), ()
    line = reaction.span.source.line_text(reaction.span.line).strip()
    return s.world.text(line.replace("{", "(").replace("}", ")")), ()


# ---------------------------------------------------------------- reactions


@record(slots=True)
class Hook:
    """The reactions of one hook while they are put in order: `left` to do, and those that are `ready`."""

    s: Statements
    dues: Sequence[Due]
    behind: Sequence[frozenset[int]]
    """For each reaction those that are ranked before it."""
    left: ir.Local
    ready: ir.Local
    next: ir.Local

    def has(self, held: ir.Local, at: int) -> ir.Expr:
        return ir.Op(TRUTH, "has", (held, number(at)))

    def may(self, at: int) -> ir.Expr:
        """That a reaction stands, was not done yet, and nothing that stands is ranked before it."""
        before = [
            negation(conjunction([self.has(self.left, other), self.dues[other].test]))
            for other in sorted(self.behind[at])
        ]
        return conjunction([self.has(self.left, at), self.dues[at].test, *before])

    def nobodys(self, at: int) -> ir.Expr:
        return ir.Op(TRUTH, "is_none", (owned(self.s, self.dues[at].owner),))

    def of(self, at: int, player: ir.Expr) -> ir.Expr:
        """That a reaction is ready, and the player's."""
        own = owned(self.s, self.dues[at].owner)
        return conjunction(
            [self.has(self.ready, at), ir.Op(TRUTH, "eq", (own, replace_type(player, NOBODY)))]
        )

    def unasked(self) -> list[mid.Mid]:
        """What belongs to nobody is next, without a question."""
        open_ = ir.Op(TRUTH, "is_none", (self.next,))
        found: list[mid.Mid] = []
        for at, due in enumerate(self.dues):
            if due.owner is None or due.owner.type == NOBODY or self.s.world.defeats:
                test = conjunction([open_, self.nobodys(at) if due.owner else TRUE, self.may(at)])
                found.append(mid.MidIf(test, (self.goes(at),)))
        return found

    def goes(self, at: int) -> mid.Mid:
        return ir.SetLocal(self.next.index, ir.Const(self.next.type, at))

    def asked(self, order: ast.ReactionOrder, label: int) -> tuple[mid.Mid, ...]:
        """Who chooses among those that are ready; where none is, it is over."""
        s, site = self.s, self.s.site(order.span)
        assert isinstance(self.ready.type, SetOf)
        code: list[mid.Mid] = [ir.SetLocal(self.ready.index, ir.Const(self.ready.type, 0))]
        for at in range(len(self.dues)):
            more = ir.Op(self.ready.type, "union", (self.ready, ir.Const(self.ready.type, 1 << at)))
            code.append(mid.MidIf(self.may(at), (ir.SetLocal(self.ready.index, more),)))
        none = ir.Op(TRUTH, "eq", (self.ready, ir.Const(self.ready.type, 0)))
        code.append(mid.MidIf(none, (ir.Leave(label),)))
        player = s.body.new(NOBODY)
        mine = chooser(s, order, lambda who: any_of([self.of(at, who) for at in range(len(self.dues))]))
        code.append(ir.SetLocal(player.index, replace_type(mine, NOBODY)))
        offers = tuple(self.offer(at, order, player) for at in range(len(self.dues)))
        code.append(mid.MidDecide(player, offers, question(s, order.span), (), None, site))
        return tuple(code)

    def offer(self, at: int, order: ast.ReactionOrder, player: ir.Local) -> mid.MidOffer:
        due = self.dues[at]
        guard = self.has(self.ready, at) if order.chooser is not None else self.of(at, player)
        offer = ir.Offer("take", (), guard, None, (number(at),), due.label, due.label_args, -1, due.clause)
        return mid.MidOffer(offer, (self.goes(at),))

    def done(self, at: int) -> tuple[mid.Mid, ...]:
        """A reaction is done: neither it nor what was ranked before it comes again."""
        gone = sum(1 << each for each in {at, *self.behind[at]})
        rest = ir.Op(self.left.type, "minus", (self.left, ir.Const(self.left.type, gone)))
        return (ir.SetLocal(self.left.index, rest), *self.dues[at].body)


def reactions_in_order(
    s: Statements, order: ast.ReactionOrder, dues: Sequence[Due], behind: Sequence[frozenset[int]]
) -> None:
    """Does the reactions of a hook, in the order that the head leaves to somebody."""
    count = len(dues)
    every = SetOf(Int(0, count - 1))
    hook = Hook(
        s, dues, behind, s.body.new(every), s.body.new(every), s.body.new(Int(0, count - 1, optional=True))
    )
    label = s.flow.label()
    s.code.add(ir.SetLocal(hook.left.index, ir.Const(every, (1 << count) - 1)))
    nothing = ir.SetLocal(hook.next.index, ir.Const(hook.next.type, NONE))
    unasked = hook.unasked() if order.chooser is None else []
    open_ = ir.Op(TRUTH, "is_none", (hook.next,))
    asked = hook.asked(order, label)
    following: list[mid.Mid] = []
    for at in range(count):
        chosen = ir.Op(TRUTH, "eq", (hook.next, number(at)))
        following.append(mid.MidIf(chosen, hook.done(at)))
    ask = (mid.MidIf(open_, asked),) if unasked else asked
    s.code.add(mid.MidForever(label, (nothing, *unasked, *ask, *following)))


# ---------------------------------------------------------------- calls that have waited


def calls_in_order(s: Statements, order: ast.ReactionOrder, waiting: Sequence[Waiting]) -> None:
    """Does the calls that have waited for a moment, in the order that its head leaves to somebody."""
    label = s.flow.label()
    site = s.site(order.span)
    code: list[mid.Mid] = []
    for each in waiting:
        code += _without(s, each, None)
    if order.chooser is None:
        code += [statement for each in waiting for statement in _nobodys(s, each)]
    nothing = conjunction([ir.Op(TRUTH, "eq", (_length(each), number(0))) for each in waiting])
    code.append(mid.MidIf(nothing, (ir.Leave(label),)))
    player = s.body.new(NOBODY)
    mine = chooser(s, order, lambda who: any_of([_some(s, each, who) for each in waiting]))
    code.append(ir.SetLocal(player.index, replace_type(mine, NOBODY)))
    offers = tuple(_call_offer(s, each, None if order.chooser is not None else player) for each in waiting)
    code.append(mid.MidDecide(player, offers, question(s, order.span), (), None, site))
    s.code.add(mid.MidForever(label, tuple(code)))


def _length(each: Waiting) -> ir.Expr:
    return ir.Op(Int(0, each.type.limit), "length", (each.calls,))


def _without(s: Statements, each: Waiting, taken: ir.Expr | None) -> list[mid.Mid]:
    """The list of those that wait, without one call of a kind, and without what is about something gone."""
    kept, code = s.body.new(each.type), s.body.new(each.of)
    found: list[mid.Mid] = [ir.SetLocal(kept.index, ir.Const(each.type, ()))]
    test = each.present(each.args(code))
    keep: mid.Mid = ir.SetLocal(kept.index, appended(kept, code))
    if taken is not None:
        once = s.body.new(TRUTH)
        found.append(ir.SetLocal(once.index, FALSE))
        same = conjunction([negation(once), ir.Op(TRUTH, "eq", (code, taken))])
        keep = mid.MidIf(same, (ir.SetLocal(once.index, TRUE),), (keep,))
    elif test == TRUE:
        return []
    found.append(mid.MidForEach(code.index, each.calls, (mid.MidIf(test, (keep,)),), s.site(each.span)))
    return [*found, ir.SetLocal(each.calls.index, kept)]


def _mine(s: Statements, each: Waiting, code: ir.Expr, player: ir.Expr) -> ir.Expr:
    return ir.Op(TRUTH, "eq", (owned(s, each.owner(code)), replace_type(player, NOBODY)))


def _some(s: Statements, each: Waiting, player: ir.Expr) -> ir.Expr:
    """That a player has a call that waits."""
    code = s.body.new(each.of)
    return ir.Fold(TRUTH, "any", code.index, each.calls, _mine(s, each, code, player), TRUE)


def _nobodys(s: Statements, each: Waiting) -> list[mid.Mid]:
    """Calls that belong to nobody come first, in the order in which they were set."""
    if each.delayed.action.by is not None and not s.world.defeats:
        return []
    nobodys = s.body.new(each.type)
    code = s.body.new(each.of)
    test = ir.Op(TRUTH, "is_none", (owned(s, each.owner(code)),))
    split = mid.MidIf(test, (ir.SetLocal(nobodys.index, appended(nobodys, code)),))
    rest = s.body.new(each.type)
    keep = mid.MidIf(negation(test), (ir.SetLocal(rest.index, appended(rest, code)),))
    site = s.site(each.span)
    empty = ir.Const(each.type, ())
    return [
        ir.SetLocal(nobodys.index, empty),
        ir.SetLocal(rest.index, empty),
        mid.MidForEach(code.index, each.calls, (split, keep), site),
        ir.SetLocal(each.calls.index, rest),
        mid.MidForEach(each.code.index, nobodys, each.run(), site),
    ]


def _call_offer(s: Statements, each: Waiting, player: ir.Expr | None) -> mid.MidOffer:
    """An offer of each call that waits, under the action's own label."""
    code, action = each.code, each.delayed.action
    among = ir.Op(SetOf(each.of), "list_set", (each.calls,))
    where = _mine(s, each, code, player) if player is not None else None
    label, args = s.action_label(action, each.args(code))
    if player is None and (owner := each.owner(code)) is not None:
        label, args = s.world.prefixed(label, len(args)), (*args, owner)
    offer = ir.Offer(
        "take", (ir.OfferVar(code.index, among, where),), None, None, (code,), label, args, -1, action.clause
    )
    return mid.MidOffer(offer, (*_without(s, each, code), *each.run()))
