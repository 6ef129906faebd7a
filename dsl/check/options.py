"""What the options of a question show to the one who chooses: nothing that he may not see himself.

The options follow from the ranges and conditions of its lines, and from what the offered actions need, forbid and
allow; their labels may read more. Each field that is read there for some member has an audience, and each pile into
which is looked; that the chooser is in it has to follow from the expressions for him and the member: `opponent(p)`
is never `p`, `q` is `p` where a condition beside it says so, and a name that runs over all members is also somebody
else. Where it does not follow, the list of options would show him the field, or which cards lie in the pile. How
many lie there he may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from itertools import count
from typing import TYPE_CHECKING

from dsl.check.owners import PLAIN, SAME, locals_of, substituted
from dsl.check.taint_state import Held, Owner, Scope, Secret, Whose, Witness
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, SetOf
from dsl.lower.rewrite import walk_ir
from dsl.records import record
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.check.secrets import Secrets

NAMELESS = 1 << 20
"""The first number for locals that an expression binds, apart from those of any routine."""
ANYTHING = (None, ir.Const(TRUTH, 1))
TRUTHS = {"lt", "le", "gt", "ge", "is_none", "not", "eq", "ne"}
"""Operations that are true or not, and are known where their arguments are."""
CHOICES = {"if", "else_"}
"""Operations that give one of their arguments, and are known where all of them are."""
OPPOSITE = {"ge": "lt", "gt": "le"}
MOST_WAYS = 16
"""Ways in which conditions may hold that are weighed one by one."""
ONE_OF = {"any", "every", "count", "sum"}
"""Folds whose body and condition bear on the same element."""
MOST_TRIED = 64
"""Members that are tried one by one to see whether two expressions are ever one."""

Facts = tuple[tuple[bool, ir.Expr, ir.Expr], ...]
"""Pairs of expressions that are known to be equal, or not to be."""
Piles = tuple[ir.Expr | None, ...]
"""Piles whose cards are meant, in terms of the question; none where it is not known which."""
Origin = Callable[[int], ir.Expr | None]
"""The value of a local that is set in one place, or none."""


@record(slots=True)
class Place:
    """Where in the code an expression stands: what its locals are, and what holds there."""

    locals: dict[int, ir.Expr | None] = field(default_factory=dict)
    """Of each local what it stands for in terms of the question; none where that is not known."""
    routine: bool = False
    """Are these the locals of the routine that asks?"""
    facts: Facts = ()
    own: Facts = ()
    """What holds where the condition that is looked at holds itself. If the chooser sees all that it reads wherever it
    holds, he knows whether it does: where he does not see it, it fails.
    """
    read: Span | None = None
    """The least part known around it."""
    asked: Span | None = None
    """The value asked for in the code of the question or of the action, where this is the code of that value."""
    heads: tuple[Scope, ...] = ()
    piles: dict[int, Piles] = field(default_factory=dict)
    """Of locals that hold the cards of piles, these."""
    sets: dict[int, tuple[ir.Expr, Place]] = field(default_factory=dict)
    """Of locals that hold sets, the expression and the place of it."""
    splits: bool = True
    """May conditions be taken apart into the ways in which they hold?"""
    pile: ir.Expr | None = None
    """In an audience, where the card lies that local 0 stands for."""

    def letting(self, index: int, value: ir.Expr, known: ir.Expr | None) -> Place:
        """The place where a local has been given a value."""
        sets = self.sets | {index: (value, self)} if isinstance(value.type, SetOf) else self.sets
        return replace(self, locals=self.locals | {index: known}, sets=sets)

    def knowing(self, facts: Facts, own: Facts = ()) -> Place:
        return replace(self, facts=self.facts + facts, own=self.own + own)


class Options:
    """Looks for what a question shows to the one who is asked."""

    def __init__(
        self, secrets: Secrets, params: int, written: frozenset[int], origin: Origin, held: Held
    ) -> None:
        """`params` and `written`: how many parameters the routine that asks has, and what it writes."""
        self.secrets, self.params, self.written, self.origin = secrets, params, written, origin
        self.held = held
        self.world, self.reads, self.secret = secrets.world, secrets.reads, secrets.secret
        self.fresh = count(NAMELESS)
        self.player: ir.Expr = ir.Local(Id(0), next(self.fresh))
        self.free: set[int] = set()
        """Locals that may be any member, whoever the chooser is."""
        self.resolving: set[int] = set()

    def shown(self, end: ir.Decide) -> Iterator[tuple[Secret, bool]]:
        """For each line of a question what it shows, though the chooser may not see it; and whether its words do."""
        self.player = self.known(end.player, Place(routine=True)) or self.player
        for offer in end.offers:
            found, in_words = self.offer(offer)
            if found is not None:
                line = offer.menu if offer.menu is not None else offer.clause
                at = None if line is None else self.world.clause_spans[line]
                yield (found if found.read is not None else replace(found, read=at)), in_words

    def offer(self, offer: ir.Offer) -> tuple[Witness, bool]:
        place = Place(routine=True)
        code = tuple((each.domain, each.where) for each in offer.variables), offer.guard
        for variable in offer.variables:
            local = ir.Local(variable.domain.type, variable.index)
            place.locals[variable.index] = local
            if is_many(variable.domain) and not self.bounded(variable.index, code, ()):
                self.free.add(variable.index)
        parts = [each.where for each in offer.variables if each.where is not None]
        parts += [offer.guard] if offer.guard is not None else []
        asked = tuple(fact for each in parts for fact in self.facts(each, True, place))
        for variable in offer.variables:
            chosen = ir.Local(variable.domain.type, variable.index)
            found = next(self.code(variable.domain, place), None)
            if found is not None and not self.is_narrowed(chosen, variable.domain, place.knowing(asked)):
                return found, False
            place = place.knowing(self.among(chosen, variable.domain, place))
        found = next(self.all_of(parts, True, place), None)
        if found is not None:
            return found, False
        return next(self.code(offer.label_args, place.knowing(asked)), None), True

    # ------------------------------------------------------------ what is read

    def code(self, node: object, place: Place) -> Iterator[Secret]:
        """The secrets that an expression reads of members whose fields the chooser may not see."""
        if isinstance(node, tuple):
            for each in node:
                yield from self.code(each, place)
            return
        if not self.may_read(node, place):
            return
        known = self.world.read_at.get(id(node))
        if known is not None and known[0] is node:
            place = replace(place, read=known[1])
        match node:
            case ir.Op(op="size" | "eq" | "ne" | "subset", args=args) if self.counts(args, place):
                for each in args:
                    yield from self.where(each, place)
            case (
                ir.Op(op="eq" | "ne", args=(ir.Load(var=var, owner=card), pile))
                | ir.Op(op="eq" | "ne", args=(pile, ir.Load(var=var, owner=card)))
            ) if var in self.secrets.piles and self.is_told(var, card, pile, place):
                yield from self.code((card, pile), place)
            case ir.Local(index=index) if index in place.piles:
                yield from self.cards(place.piles[index], node, place)
            case ir.Load(var=var, owner=owner) | ir.LoadItem(var=var, owner=owner):
                if (
                    var in self.secret
                    and not self.is_revealed(var, owner, place)
                    and self.is_hidden(var, owner, place)
                ):
                    yield self.secret_of(var, place)
                yield from self.code(owner, place)
                if isinstance(node, ir.LoadItem):
                    yield from self.code(node.item, place)
            case ir.Local(index=index) if (
                place.routine and index in self.held.locals and index not in place.locals
            ):
                yield from self.kept(index, place)
            case ir.Trial(procedure=procedure, args=args, condition=condition):
                yield from self.code(args, place)
                yield from self.done(("procedure", procedure), args, place)
                yield from self.code(condition, replace(place, facts=(), own=()))
            case ir.Reach(routine=routine, args=args, goal=goal):
                yield from self.code(args, place)
                yield from self.done(("routine", routine), args, place)
                yield from self.code(goal, replace(place, facts=(), own=()))
            case ir.Occurrences():
                for var in sorted(self.reads.position & self.secret):
                    if self.is_hidden_of(var, Whose.LOST, place):
                        yield self.secret_of(var, place)
            case ir.Op(op="and" | "or" as op):
                yield from self.all_of(list(parts(node, op)), op == "and", place)
            case ir.Op(op="if", args=(condition, one, two)):
                yield from self.code(condition, place)
                decided = self.holds(condition, replace(place, facts=place.facts + place.own))
                for truth, way in ((True, one), (False, two)):
                    if decided is not (not truth):
                        yield from self.code(way, place.knowing(tuple(self.facts(condition, truth, place))))
            case ir.Op(args=args):
                yield from self.code(args, place)
            case ir.Lookup(indices=indices):
                yield from self.code(indices, place)
            case ir.Fold():
                yield from self.fold(node, place)
            case ir.Scan(domain=domain, start=start, step=step):
                yield from self.code((domain, start), place)
                inner = replace(place, locals=place.locals | {node.index: None, node.kept: None})
                yield from self.code(step, inner)
            case ir.LetIn(index=index, value=value, body=body):
                yield from self.code(value, place)
                yield from self.code(body, place.letting(index, value, self.known(value, place)))
            case ir.Ask(value=value, args=args):
                yield from self.code(args, place)
                within = self.inside(("value", value), args, place)
                if within is not None:
                    within = replace(within, asked=place.asked or place.read)
                    yield from self.code(self.asked(("value", value)), within)
            case ir.Judge(action=action, args=args):
                yield from self.code(args, place)
                within = self.inside(("action", action), args, place)
                if within is not None:
                    yield from self.judged(action, within)
            case _:
                pass

    def may_read(self, node: object, place: Place) -> bool:
        """Is there a secret in an expression, or a local that follows from one?"""
        reads, locals_ = self.secrets.sources.of(node)
        held = self.held.locals.keys() if place.routine else ()
        return reads or not locals_.isdisjoint(place.piles) or not locals_.isdisjoint(held)

    def is_revealed(self, var: int, owner: Owner, place: Place) -> bool:
        """May all have seen what a field of a member holds? Of the kinds of pieces they have seen some."""
        if var in self.secrets.kinds:
            return False
        shown = self.held.revealed.of(var)
        if None in shown or not shown or not isinstance(owner, ir.Expr):
            return None in shown
        member, there = self.known(owner, place), Place(routine=True)
        known = [self.known(each, there) for each in shown if each is not None]
        return member is not None and any(each is not None and alike(member, each) for each in known)

    def secret_of(self, var: int, place: Place) -> Secret:
        """A secret that is read in a place."""
        outer = place.asked
        return Secret(var, None, outer or place.read, place.read if outer is not None else None)

    def kept(self, index: int, place: Place) -> Iterator[Secret]:
        """What a local of the routine was made of: the expression, where that is one, or what is held."""
        held = [each for each in self.held.locals[index] if self.is_hidden_of(each.var, each.owner, place)]
        value = self.origin(index)
        if held and value is not None and index not in self.resolving and self.stands(value):
            self.resolving.add(index)
            yield from self.code(value, replace(place, facts=(), own=(), read=None))
            self.resolving.discard(index)
        else:
            yield from held

    def stands(self, value: ir.Expr) -> bool:
        """Is a value made of locals that hold what they held when it was made?"""
        bound = {each.index for each in walk_ir(value) if isinstance(each, ir.Fold | ir.LetIn | ir.Scan)}
        return all(
            local < self.params or self.origin(local) is not None for local in locals_of(value) - bound
        )

    def done(self, scope: Scope, args: tuple[ir.Expr, ...], place: Place) -> Iterator[Secret]:
        """What code shows that is run with some arguments for a trial."""
        for each in self.secrets.done(scope, args):
            if not self.is_revealed(each.var, each.owner, place) and self.is_hidden_of(
                each.var, each.owner, place
            ):
                yield replace(each, read=place.asked or place.read, within=each.read or each.within)

    # ------------------------------------------------------------ piles

    def is_narrowed(self, card: ir.Expr, domain: ir.Expr, place: Place) -> bool:
        """Do the conditions of a line leave of the cards of some piles those alone that lie where the chooser sees
        them?
        """
        if self.piles_of(domain, place) is None:
            return False
        return any(
            equal
            and isinstance(load, ir.Load)
            and load.var in self.secrets.piles
            and load.owner is not None
            and alike(load.owner, card)
            and self.sees_pile(pile, place)
            for equal, load, pile in place.facts
        )

    def cards(self, piles: Piles, node: object, place: Place) -> Iterator[Secret]:
        """All the cards of piles: which they are is a secret where one of them is hidden."""
        if not all(self.sees_pile(each, place) for each in piles):
            yield self.secret_of(self.pile_var(node), place)

    def pile_var(self, node: object) -> int:
        """The variable that says where the cards of a set lie."""
        kind = node.type.of if isinstance(node, ir.Expr) and isinstance(node.type, SetOf) else None
        domain = self.world.domains[kind.domain] if isinstance(kind, Id) else None
        found = domain.pool.pile if domain is not None and domain.pool is not None else None
        return found if found is not None else min(self.secrets.piles)

    def piles_of(self, node: object, place: Place) -> Piles | None:
        """The piles, where this is all the cards of one or of several."""
        match node:
            case ir.Fold(
                kind="all" | "count" | "any",
                index=index,
                domain=ir.Const(),
                where=ir.Op(op="eq", args=(ir.Load(var=var, owner=ir.Local(index=card)), pile)),
                body=None | ir.Const(),
            ) if var in self.secrets.piles and card == index:
                return (self.known(pile, place),)
            case ir.Fold(kind="all", domain=domain, where=None, body=None):
                return self.piles_of(domain, place)
            case ir.Local(index=index) if index in place.piles:
                return place.piles[index]
            case ir.Local(index=index) if place.routine and index in self.held.piles:
                value = self.origin(index)
                return None if value is None else self.piles_of(value, place)
            case ir.Op(op="union", args=(one, other)):
                first, second = self.piles_of(one, place), self.piles_of(other, place)
                return None if first is None or second is None else first + second
            case ir.Op(op="cast", args=(arg, *_)):
                return self.piles_of(arg, place)
            case ir.Ask(value=value, args=args) if not self.reads.values[value].clauses:
                inner = self.inside(("value", value), args, place)
                return None if inner is None else self.piles_of(self.reads.values[value].base, inner)
            case _:
                return None

    def counts(self, args: tuple[ir.Expr, ...], place: Place) -> bool:
        """Is this how many cards piles have, or whether they have any?"""
        found = [self.piles_of(arg, place) for arg in args]
        return any(each is not None for each in found) and all(
            each is not None or (isinstance(arg, ir.Const) and arg.value == 0)
            for arg, each in zip(args, found, strict=True)
        )

    def where(self, cards: ir.Expr, place: Place) -> Iterator[Secret]:
        """What is read to know which pile is meant."""
        match cards:
            case ir.Fold(where=ir.Op(args=(_, pile))):
                yield from self.code(pile, place)
            case ir.Fold(domain=domain):
                yield from self.where(domain, place)
            case ir.Op(args=args):
                for each in args:
                    yield from self.where(each, place)
            case ir.Ask(value=value, args=args):
                inner = self.inside(("value", value), args, place)
                if inner is not None:
                    yield from self.where(self.reads.values[value].base, inner)
            case _:
                pass

    def lying(self, card: ir.Expr, domain: ir.Expr, place: Place) -> Facts:
        """That an element of a domain lies where its cards do."""
        piles = self.piles_of(domain, place)
        if piles is None or len(piles) != 1 or piles[0] is None:
            return ()
        var = self.pile_var(domain)
        return ((True, ir.Load(piles[0].type, var, card), piles[0]),)

    def among(self, member: ir.Expr, domain: ir.Expr, place: Place) -> Facts:
        """What is known of an element of a set: where it lies, and by what it belongs there."""
        return self.lying(member, domain, place) + tuple(self.belonging(member, domain, place))

    def belonging(
        self, member: ir.Expr, domain: ir.Expr, place: Place
    ) -> Iterator[tuple[bool, ir.Expr, ir.Expr]]:
        match domain:
            case ir.Fold(kind="all", index=index, domain=inner, where=where, body=None):
                yield from self.belonging(member, inner, place)
                if where is not None:
                    there = replace(place, locals=place.locals | {index: member})
                    yield from self.facts(where, True, there)
            case ir.LetIn(index=index, value=value, body=body):
                yield from self.belonging(member, body, place.letting(index, value, self.known(value, place)))
            case ir.Local(index=index) if index in place.sets:
                yield from self.belonging(member, *place.sets[index])
            case ir.Op(op="narrow", args=(inner,)):
                yield from self.belonging(member, inner, place)
            case ir.Op(op="meet", args=(one, two)):
                yield from self.belonging(member, one, place)
                yield from self.belonging(member, two, place)
            case ir.Op(op="minus", args=(one, _)):
                yield from self.belonging(member, one, place)
            case ir.Ask(value=value, args=args) if not self.reads.values[value].clauses:
                inside = self.inside(("value", value), args, place)
                if inside is not None:
                    yield from self.belonging(member, self.reads.values[value].base, inside)
            case ir.Local(index=index) if place.routine and index not in self.resolving:
                origin = self.origin(index)
                if origin is not None and self.still_holds(origin):
                    self.resolving.add(index)
                    yield from self.belonging(member, origin, place)
                    self.resolving.discard(index)
            case _:
                pass

    def is_told(self, var: int, card: ir.Expr | None, pile: ir.Expr, place: Place) -> bool:
        """Does the chooser know whether a card lies in a pile: as he sees it whole, or from the conditions around?"""
        there = self.known(pile, place)
        if self.sees_pile(there, place):
            return True
        one = self.known(card, place) if card is not None else None
        if there is None or one is None:
            return False
        return any(
            equal and self.same(there, pair[1], place.facts) is not None
            for equal, *pair in place.facts
            if alike(pair[0], ir.Load(there.type, var, one))
        )

    def sees_pile(self, pile: ir.Expr | None, place: Place) -> bool:
        """Is it certain that the chooser sees what lies in a pile?"""
        head = None if pile is None else self.secrets.open_piles.head(pile)
        if pile is None or head is None:
            return False
        if head.audience is None:
            return True
        audience = Place({0: None, 1: self.player}, facts=place.facts, pile=pile)
        return self.holds(head.audience, audience) is True

    def judged(self, action: int, place: Place) -> Iterator[Secret]:
        """What an action needs and forbids; one condition makes a difference where no other one forbids it."""
        for each in self.reads.actions[action].prohibitions:
            beside = [other.condition for other in self.bars(action) if other is not each]
            yield from self.beside(each.condition, beside, False, place)

    def bars(self, action: int) -> list[pr.Prohibition]:
        """What stands in the way of an action wherever it holds."""
        declared = self.reads.actions[action].prohibitions
        return [each for each in declared if each.kind != "allow" and not each.overruled_by]

    def asked(self, head: Scope) -> object:
        """The expressions of a value, or of what judges an action."""
        if head[0] == "action":
            return tuple(each.condition for each in self.reads.actions[head[1]].prohibitions)
        value = self.reads.values[head[1]]
        return value.base, tuple((each.condition, each.operand, each.divisor) for each in value.clauses)

    def inside(self, head: Scope, args: tuple[ir.Expr, ...], place: Place) -> Place | None:
        """Where the code of a value or a judgement stands, when it is asked for with some arguments."""
        if head in place.heads:
            return None
        given = {index: self.known(arg, place) for index, arg in enumerate(args)}
        piles = {n: each for n, arg in enumerate(args) if (each := self.piles_of(arg, place)) is not None}
        sets = {n: (arg, place) for n, arg in enumerate(args) if isinstance(arg.type, SetOf)}
        return replace(place, locals=given, routine=False, heads=(*place.heads, head), piles=piles, sets=sets)

    def all_of(self, conditions: list[ir.Expr], truth: bool, place: Place) -> Iterator[Secret]:
        """Of conditions that have to hold together, or fail together, to make a difference one by one."""
        flat = [part for each in conditions for part in parts(each, "and" if truth else "or")]
        for number, each in enumerate(flat):
            yield from self.beside(each, flat[:number] + flat[number + 1 :], truth, place)

    def beside(
        self, condition: ir.Expr, others: list[ir.Expr], truth: bool, place: Place
    ) -> Iterator[Secret]:
        """What a condition reads of which it makes a difference only where others hold, or fail, beside it: in one of
        the ways in which these and it can do so.
        """
        if not self.may_read(condition, place):
            return
        own = tuple(self.facts(condition, truth, place))
        facts = tuple(fact for each in others for fact in self.facts(each, truth, place))
        found = list(self.code(condition, place.knowing(facts, own)))
        if found and place.splits:
            ways = self.ways([*others, condition], truth, place)
            if len(ways) > 1:
                inner = replace(place.knowing(facts, own), splits=False)
                found = [
                    each for way in ways for each in self.code(condition, replace(inner, own=inner.own + way))
                ]
        yield from found

    def ways(self, conditions: Iterable[ir.Expr], truth: bool, place: Place) -> list[Facts]:
        """What is known in each of the ways in which conditions hold, or fail, together."""
        found: list[Facts] = [()]
        for each in conditions:
            several = self.ways_of(each, truth, place)
            if len(found) * len(several) <= MOST_WAYS:
                found = [before + way for before in found for way in several]
        return found

    def ways_of(self, condition: ir.Expr, truth: bool, place: Place) -> list[Facts]:
        """The same of one condition; none where it cannot hold, or fail."""
        match condition:
            case ir.Op(op="not", args=(part,)):
                return self.ways_of(part, not truth, place)
            case ir.Op(op="and" | "or" as op) if (op == "or") == truth:
                return [way for each in parts(condition, op) for way in self.ways_of(each, truth, place)]
            case ir.Op(op="and" | "or" as op):
                return self.ways(parts(condition, op), truth, place)
            case ir.Judge(action=action, args=args) if truth:
                inner = self.inside(("action", action), args, place)
                bars = self.bars(action) if inner is not None else []
                return self.ways((each.condition for each in bars), False, inner or place)
            case ir.Ask(value=value, args=args) if not self.reads.values[value].clauses:
                inner = self.inside(("value", value), args, place)
                facts = tuple(self.facts(condition, truth, place))
                if inner is None:
                    return [facts]
                return [facts + way for way in self.ways_of(self.reads.values[value].base, truth, inner)]
            case _ if self.holds(condition, place) is (not truth):
                return []
            case _:
                return [tuple(self.facts(condition, truth, place))]

    def fold(self, node: ir.Fold, place: Place) -> Iterator[Secret]:
        if (all_cards := self.piles_of(node, place)) is not None:
            yield from self.where(node, place)
            if node.kind == "all":
                yield from self.cards(all_cards, node, place)
            return
        only_counts = node.kind in {"count", "any"} and node.where is None and node.body in ANYTHING
        if only_counts and self.piles_of(node.domain, place) is not None:
            yield from self.where(node.domain, place)
            return
        yield from self.code(node.domain, place)
        local = ir.Local(node.domain.type, next(self.fresh))
        inner = replace(place, locals=place.locals | {node.index: local})
        inner = inner.knowing(self.among(local, node.domain, place))
        if is_many(node.domain) and not self.bounded(node.index, (node.where, node.body), ()):
            self.free.add(local.index)
        conditions = [node.where] if node.where is not None else []
        if node.kind in ONE_OF and node.body is not None and node.body.type == TRUTH:
            yield from self.all_of([*conditions, node.body], True, inner)
            return
        yield from self.all_of(conditions, True, inner)
        facts = tuple(fact for each in conditions for fact in self.facts(each, True, inner))
        yield from self.code(node.body, inner.knowing(facts))

    def facts(self, condition: ir.Expr, truth: bool, place: Place) -> Iterator[tuple[bool, ir.Expr, ir.Expr]]:
        """What is equal, or is not, where a condition holds or fails."""
        match condition:
            case ir.Op(op="not", args=(part,)):
                yield from self.facts(part, not truth, place)
            case ir.Op(op="and" | "or" as op, args=args) if (op == "and") == truth:
                for each in args:
                    yield from self.facts(each, truth, place)
            case ir.Op(op="eq" | "ne" as op, args=(one, two)):
                first, second = self.known(one, place), self.known(two, place)
                if first is not None and second is not None:
                    yield (op == "eq") == truth, first, second
            case ir.Op(op="has", args=(members, one)) if truth:
                member = self.known(one, place)
                if member is not None:
                    yield from self.among(member, members, place)
            case ir.Op(op="ge" | "gt" as op, args=args):
                yield from self.facts(replace(condition, op=OPPOSITE[op]), not truth, place)
            case ir.Load() | ir.Op(op="lt" | "le" | "is_none") if condition.type == TRUTH:
                found = self.known(condition, place)
                if found is not None:
                    yield truth, found, ir.Const(TRUTH, 1)
            case ir.Ask(value=value, args=args) if condition.type == TRUTH:
                found = self.known(condition, place)
                if found is not None:
                    yield truth, found, ir.Const(TRUTH, 1)
                inside = self.inside(("value", value), args, place)
                if inside is not None and not self.reads.values[value].clauses:
                    yield from self.facts(self.reads.values[value].base, truth, inside)
            case ir.Judge(action=action, args=args) if truth:
                inner = self.inside(("action", action), args, place)
                if inner is None:
                    return
                for clause in self.bars(action):
                    yield from self.facts(clause.condition, False, inner)
            case _:
                pass

    def bounded(self, index: int, code: object, heads: tuple[Scope, ...]) -> bool:
        """Is a local read as anything but the member whose hidden field is read?"""
        for node in walk_ir(code, lambda each: self.rest(each, index, heads)):
            if isinstance(node, ir.Local) and node.index == index:
                return True
        return False

    def rest(self, node: object, index: int, heads: tuple[Scope, ...]) -> object:
        """What is left to look at of a node, so that a local which stands there still counts."""
        match node:
            case ir.Load(var=var, owner=ir.Local(index=owner)) if owner == index and var in self.secret:
                return ()
            case ir.LoadItem(var=var, owner=ir.Local(index=owner), item=item):
                return item if owner == index and var in self.secret else node
            case ir.Ask(value=number, args=args) | ir.Judge(action=number, args=args):
                head = ("value" if isinstance(node, ir.Ask) else "action", number)
            case _:
                return node
        given = [n for n, each in enumerate(args) if isinstance(each, ir.Local) and each.index == index]
        others = tuple(each for n, each in enumerate(args) if n not in given)
        if head in heads or any(self.bounded(n, self.asked(head), (*heads, head)) for n in given):
            return node
        return others

    # ------------------------------------------------------------ who may see it

    def known(self, expr: ir.Expr, place: Place) -> ir.Expr | None:
        """An expression in terms of the question, where it is made of what does not change while that is asked."""
        match expr:
            case ir.Const():
                return expr
            case ir.Local(index=index) if index in place.locals:
                return place.locals[index]
            case ir.Local(index=index) if place.routine:
                value = self.origin(index)
                if value is None or index in self.resolving:
                    return expr
                self.resolving.add(index)
                found = self.known(value, place) if self.still_holds(value) else expr
                self.resolving.discard(index)
                return found
            case ir.Local():
                return None
            case ir.Load(var=var, owner=ir.Local(index=0)) if place.pile is not None and (
                var in self.secrets.piles
            ):
                return place.pile
            case ir.Load(owner=owner):
                if owner is None:
                    return expr
                of = self.known(owner, place)
                return None if of is None else replace(expr, owner=of)
            case ir.Lookup(indices=indices):
                given = self.all_known(indices, place)
                return None if given is None else replace(expr, indices=given)
            case ir.Op(op="cast", args=(arg, ir.Const(value=int(by)))):
                inner = self.known(arg, place)
                match inner:
                    case ir.Op(op="cast", args=(part, ir.Const(value=int(before)))) if before == -by:
                        return part
                    case None:
                        return None
                    case _:
                        return replace(expr, args=(inner, expr.args[1]))
            case ir.Op(op=op, args=(arg,)) if op in SAME:
                return self.known(arg, place)
            case ir.Op(op=op, args=args) if op in PLAIN | TRUTHS | CHOICES:
                given = self.all_known(args, place)
                return None if given is None else replace(expr, args=given)
            case ir.Ask(value=value, args=args):
                inside = self.inside(("value", value), args, place)
                declared = self.reads.values[value]
                if inside is not None and not declared.clauses and is_constant(declared.base):
                    return self.known(declared.base, inside)
                given = self.all_known(args, place)
                return None if given is None else replace(expr, args=given)
            case _:
                return None

    def still_holds(self, value: ir.Expr) -> bool:
        """Is what a local was set to the same where the question is asked?"""
        return is_constant(value) or (self.stands(value) and not self.reads.of(value) & self.written)

    def all_known(self, exprs: tuple[ir.Expr, ...], place: Place) -> tuple[ir.Expr, ...] | None:
        found = [self.known(each, place) for each in exprs]
        given = tuple(each for each in found if each is not None)
        return given if len(given) == len(found) else None

    def is_hidden(self, var: int, owner: ir.Expr | None, place: Place) -> bool:
        """Is it not certain that the chooser may see a field of this member?"""
        return self.is_hidden_of(var, owner, place)

    def is_hidden_of(self, var: int, owner: Owner, place: Place) -> bool:
        """The same of a secret that a local holds, or that is read by what is tried; what the chooser threw or chose
        himself he knows.
        """
        if owner is Whose.OWN:
            return False
        member = None if isinstance(owner, Whose | None) else self.known(owner, place)
        if var in self.secrets.lying and member is not None:
            if self.secrets.is_pile(member.type):
                return not self.sees_pile(member, place)
            for equal, load, pile in place.facts + place.own:
                match load:
                    case ir.Load(var=where, owner=card) if equal and card is not None:
                        if where in self.secrets.piles and alike(card, member):
                            return not self.sees_pile(pile, place)
                    case _:
                        pass
        audience = self.world.vars[var].audience
        assert audience is not None
        seen_by = Place({0: member, 1: self.player}, facts=place.facts + place.own)
        return self.holds(audience, seen_by) is not True

    def holds(self, truth: ir.Expr, place: Place) -> bool | None:
        """Does an audience have the chooser in it? None where that cannot be told."""
        match truth:
            case ir.Const(value=value):
                return bool(value)
            case ir.Op(op="not", args=(part,)):
                found = self.holds(part, place)
                return None if found is None else not found
            case ir.Op(op="and" | "or" as op, args=args):
                all_found = {self.holds(each, place) for each in args}
                if (op == "or") in all_found:
                    return op == "or"
                return None if None in all_found else op == "and"
            case ir.Op(op="eq" | "ne" as op, args=(one, two)):
                same = self.are_same(one, two, place)
                return None if same is None else same == (op == "eq")
            case ir.Op(op="if", args=(condition, one, two)):
                either = {self.holds(one, place), self.holds(two, place)}
                decided = self.holds(condition, place)
                if decided is None:
                    return either.pop() if len(either) == 1 else None
                return self.holds(one if decided else two, place)
            case ir.Op(op="has", args=(members, member)):
                return self.contains(members, member, place)
            case ir.LetIn(index=index, value=value, body=body):
                return self.holds(body, place.letting(index, value, self.known(value, place)))
            case ir.Ask(value=value, args=args):
                found = self.are_same(truth, ir.Const(TRUTH, 1), place)
                inner = self.inside(("value", value), args, place)
                if found is not None or inner is None or self.reads.values[value].clauses:
                    return found
                return self.holds(self.reads.values[value].base, inner)
            case ir.Op(op="lt", args=(ir.Op(op="id"), ir.Const(value=0))):
                return False
            case ir.Op(op="ge" | "gt" as op):
                less = self.holds(replace(truth, op=OPPOSITE[op]), place)
                return None if less is None else not less
            case ir.Load() | ir.Lookup() | ir.Op(op="lt" | "le" | "is_none"):
                return self.are_same(truth, ir.Const(TRUTH, 1), place)
            case _:
                return None

    def contains(self, members: ir.Expr, member: ir.Expr, place: Place) -> bool | None:
        """Is a member one of a set?"""
        one = self.known(member, place)
        match members:
            case ir.Const(value=int(bits)):
                if isinstance(one, ir.Const) and isinstance(one.value, int):
                    return bool(bits >> one.value & 1)
                every = isinstance(member.type, Id) and self.size(member.type) == bits.bit_count()
                return True if every else (None if bits else False)
            case ir.Op(op="single", args=(only,)):
                return self.are_same(only, member, place)
            case ir.Op(op="cast" | "narrow", args=(inner, *_)):
                return self.contains(inner, member, place)
            case ir.Op(op="union" | "meet" | "minus" as op, args=(first, second)):
                found = [self.contains(first, member, place), self.contains(second, member, place)]
                if op == "minus" and found[1] is not None:
                    found[1] = not found[1]
                decided = op == "union"
                return decided if decided in found else (None if None in found else not decided)
            case ir.Op(op="if", args=(condition, first, second)):
                way = self.holds(condition, place)
                if way is not None:
                    return self.contains(first if way else second, member, place)
                either = {self.contains(first, member, place), self.contains(second, member, place)}
                return either.pop() if len(either) == 1 else None
            case ir.LetIn(index=index, value=value, body=body):
                let = place.letting(index, value, self.known(value, place))
                return self.contains(body, member, let)
            case ir.Local(index=index) if index in place.sets:
                members, outer = place.sets[index]
                if one is None:
                    return None
                at = NAMELESS - 1 - len(outer.locals)
                held = ir.Local(member.type, at)
                return self.contains(members, held, replace(outer, locals=outer.locals | {at: one}))
            case ir.Fold(kind="all", index=index, domain=domain, where=where, body=None):
                inner_place = replace(place, locals=place.locals | {index: one})
                there = self.contains(domain, member, place)
                fits = True if where is None else self.holds(where, inner_place)
                if False in (there, fits):
                    return False
                return None if None in (there, fits) else True
            case ir.Ask(value=value, args=args) if not self.reads.values[value].clauses:
                inside = self.inside(("value", value), args, place)
                if inside is None or one is None:
                    return None
                at = len(args)
                inside = replace(inside, locals=inside.locals | {NAMELESS - 1 - at: one})
                held = ir.Local(member.type, NAMELESS - 1 - at)
                return self.contains(self.reads.values[value].base, held, inside)
            case ir.Lookup():
                found_at = self.known(members, place)
                table = None if found_at is None else self.reckoned(found_at)
                return self.contains(table, member, place) if isinstance(table, ir.Const) else None
            case _:
                return None

    def are_same(self, one: ir.Expr, two: ir.Expr, place: Place) -> bool | None:
        first, second = self.known(one, place), self.known(two, place)
        return None if first is None or second is None else self.same(first, second, place.facts)

    def same(self, one: ir.Expr, two: ir.Expr, facts: Facts) -> bool | None:
        """Are two members one? False also where they need not be."""
        one, two = self.reckoned(one), self.reckoned(two)
        if alike(one, two):
            return True
        for equal, *pair in facts:
            first, second = map(self.reckoned, pair)
            if (alike(one, first) and alike(two, second)) or (alike(one, second) and alike(two, first)):
                return equal
        if isinstance(one, ir.Const) and isinstance(two, ir.Const):
            return False
        if self.is_free(one, two) or self.is_free(two, one):
            return False
        return self.tried(one, two)

    def tried(self, one: ir.Expr, two: ir.Expr) -> bool | None:
        """Are two expressions one, or never, whatever the one local is that both follow from?"""
        found = {each for side in (one, two) for each in walk_ir(side) if isinstance(each, ir.Local)}
        if len({each.index for each in found}) != 1 or not is_constant(one) or not is_constant(two):
            return None
        local = found.pop()
        members = self.size(local.type) if isinstance(local.type, Id) else 0
        if not 0 < members <= MOST_TRIED:
            return None
        results: set[bool] = set()
        for member in range(members):
            at = ir.Const(local.type, member)
            sides = [self.reckoned(substituted(each, {local.index: at}.get)) for each in (one, two)]
            if not all(isinstance(each, ir.Const) for each in sides):
                return None
            results.add(alike(*sides))
        return results.pop() if len(results) == 1 else None

    def size(self, kind: Id) -> int:
        return len(self.world.domains[kind.domain].members)

    def reckoned(self, expr: ir.Expr) -> ir.Expr:
        """What a constant table gives for a constant."""
        match expr:
            case ir.Lookup(indices=(index,)):
                at, table = self.reckoned(index), self.world.data[expr.data]
                low, size = table.dims[0]
                if (
                    isinstance(table.values, tuple)
                    and isinstance(at, ir.Const)
                    and isinstance(at.value, int)
                    and low <= at.value < low + size
                ):
                    return ir.Const(expr.type, table.values[at.value - low])
                return replace(expr, indices=(at,))
            case ir.Op(op="cast", args=(arg, ir.Const(value=int(by)))):
                inner = self.reckoned(arg)
                if isinstance(inner, ir.Const) and isinstance(inner.value, int) and inner.value >= 0:
                    return ir.Const(expr.type, inner.value + by)
                return replace(expr, args=(inner, expr.args[1]))
            case ir.Load(owner=owner) if owner is not None:
                return replace(expr, owner=self.reckoned(owner))
            case _:
                return expr

    def is_free(self, one: ir.Expr, two: ir.Expr) -> bool:
        """Is one any member, whatever the other is?"""
        if not isinstance(one, ir.Local) or one.index not in self.free:
            return False
        return not any(isinstance(each, ir.Local) and each.index == one.index for each in walk_ir(two))


def alike(one: ir.Expr, two: ir.Expr) -> bool:
    """Are two expressions written alike, whatever types they are known under?"""
    match one, two:
        case ir.Const(value=first), ir.Const(value=second):
            return first == second
        case ir.Local(index=at), ir.Local(index=other):
            return at == other
        case ir.Load(var=var, owner=owner), ir.Load(var=same, owner=of):
            if var != same or owner is None or of is None:
                return var == same and owner is of
            return alike(owner, of)
        case ir.Lookup(data=data, indices=indices), ir.Lookup(data=same, indices=others):
            return data == same and all(map(alike, indices, others))
        case ir.Ask(value=value, args=args), ir.Ask(value=same, args=others):
            return value == same and all(map(alike, args, others))
        case ir.Op(op=op, args=args), ir.Op(op=same_op, args=others):
            return op == same_op and len(args) == len(others) and all(map(alike, args, others))
        case _:
            return False


def parts(condition: ir.Expr, op: str) -> Iterator[ir.Expr]:
    """The parts of a chain of `and`, or of `or`."""
    if isinstance(condition, ir.Op) and condition.op == op:
        for each in condition.args:
            yield from parts(each, op)
    else:
        yield condition


def is_many(domain: ir.Expr) -> bool:
    """Is this a constant set of more than one member?"""
    if not isinstance(domain, ir.Const) or not isinstance(domain.value, int):
        return False
    return isinstance(domain.type, SetOf) and isinstance(domain.type.of, Id) and domain.value.bit_count() > 1


def is_constant(value: ir.Expr) -> bool:
    """Does a value follow from constants and locals alone?"""
    return all(
        isinstance(each, ir.Const | ir.Local | ir.Lookup) or (isinstance(each, ir.Op) and each.op in PLAIN)
        for each in walk_ir(value)
        if isinstance(each, ir.Expr)
    )
