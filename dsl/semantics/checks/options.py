"""What the options of a question show to the one who chooses: nothing that he may not see himself.

The options follow from the ranges and conditions of its lines, and from what the offered actions need, forbid and
allow. Each field that is read there for some member has an audience; where that, read for this member, can be told to
leave the chooser out, his list of options would show him the field. Whoever he and the member are, this is told from
their expressions: `opponent(p)` is never `p`, `q` is not `p` where a condition beside it says so, and a name that runs
over all members, and that no condition bounds, is also somebody else. What cannot be told is let through; and so is
where cards lie: the engine hides in the options which card one is that the chooser does not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, SetOf
from dsl.semantics.checks.analysis import Reads
from dsl.semantics.checks.held import Held, Scope, Secret, Witness
from dsl.semantics.code.rewrite import walk_ir
from dsl.semantics.things.world import World
from dsl.source import Span

NAMELESS = 1 << 20
"""The first number for locals that an expression binds, apart from those of any routine."""
SAME = {"cast", "some", "narrow"}
"""Operations that give the same thing under another type."""
PLAIN = SAME | {"id"}
"""Operations of which two are equal where their arguments are."""
ONE_OF = {"any", "every", "count", "sum"}
"""Folds whose body and condition bear on the same element."""

Facts = tuple[tuple[bool, ir.Expr, ir.Expr], ...]
"""Pairs of expressions that are known to be equal, or not to be."""
Origin = Callable[[int], ir.Expr | None]
"""The value of a local that is set in one place, or none."""


@dataclass(slots=True)
class Place:
    """Where in the code an expression stands: what its locals are, and what holds there."""

    locals: dict[int, ir.Expr | None] = field(default_factory=dict)
    """Of each local what it stands for in terms of the question; none where that is not known."""
    routine: bool = False
    """Are these the locals of the routine that asks?"""
    facts: Facts = ()
    read: Span | None = None
    """The least part known around it."""
    asked: Span | None = None
    """The value asked for in the code of the question or of the action, where this is the code of that value."""
    heads: tuple[Scope, ...] = ()

    def knowing(self, facts: Facts) -> Place:
        return replace(self, facts=self.facts + facts)


class Options:
    """Looks for what a question shows to the one who is asked."""

    def __init__(self, world: World, reads: Reads, secret: set[int], origin: Origin, held: Held) -> None:
        self.world, self.reads, self.secret, self.origin, self.held = world, reads, secret, origin, held
        self.player: ir.Expr | None = None
        self.free: set[int] = set()
        """Locals that may be any member, whoever the chooser is."""
        self.fresh = NAMELESS
        self.resolving: set[int] = set()

    def shown(self, end: ir.Decide) -> Iterator[Secret]:
        """For each line of a question what it shows, though the chooser may not see it."""
        self.player = self.known(end.player, Place(routine=True))
        if self.player is None:
            return
        for offer in end.offers:
            found = self.offer(offer)
            if found is not None:
                yield found

    def offer(self, offer: ir.Offer) -> Witness:
        place = Place(routine=True)
        code = tuple((each.domain, each.where) for each in offer.variables), offer.guard
        for variable in offer.variables:
            local = ir.Local(variable.domain.type, variable.index)
            place.locals[variable.index] = local
            if is_many(variable.domain) and not self.bounded(variable.index, code, ()):
                self.free.add(variable.index)
        parts = [each.where for each in offer.variables if each.where is not None]
        parts += [offer.guard] if offer.guard is not None else []
        for variable in offer.variables:
            found = self.first(self.code(variable.domain, place))
            if found is not None:
                return found
        return self.first(self.all_of(parts, True, place))

    def first(self, found: Iterator[Secret]) -> Witness:
        return next(found, None)

    # ------------------------------------------------------------ what is read

    def code(self, node: object, place: Place) -> Iterator[Secret]:
        """The secrets that an expression reads of members whose fields the chooser may not see."""
        if isinstance(node, tuple):
            for each in node:
                yield from self.code(each, place)
            return
        known = self.world.read_at.get(id(node))
        if known is not None and known[0] is node:
            place = replace(place, read=known[1])
        match node:
            case ir.Load(var=var, owner=owner) | ir.LoadItem(var=var, owner=owner):
                if var in self.secret and var not in self.held.revealed and self.is_hidden(var, owner, place):
                    outer = place.asked
                    yield Secret(var, outer or place.read, place.read if outer is not None else None)
                yield from self.code(owner, place)
                if isinstance(node, ir.LoadItem):
                    yield from self.code(node.item, place)
            case ir.Local(index=index) if place.routine and index in self.held.locals:
                yield from self.kept(index, place)
            case ir.Op(op="and" | "or" as op):
                yield from self.all_of(list(parts(node, op)), op == "and", place)
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
                inner = replace(place, locals=place.locals | {index: self.known(value, place)})
                yield from self.code(body, inner)
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

    def kept(self, index: int, place: Place) -> Iterator[Secret]:
        """What a local of the routine was made of, where that is one thing."""
        value = self.origin(index)
        if value is not None and index not in self.resolving:
            self.resolving.add(index)
            yield from self.code(value, replace(place, facts=(), read=None))
            self.resolving.discard(index)

    def judged(self, action: int, place: Place) -> Iterator[Secret]:
        """What an action needs and forbids; one condition makes a difference where no other one forbids it."""
        prohibitions = self.reads.actions[action].prohibitions
        for each in prohibitions:
            facts = tuple(
                fact
                for other in prohibitions
                if other is not each and other.kind != "allow" and not other.overruled_by
                for fact in self.facts(other.condition, False, place)
            )
            yield from self.code(each.condition, place.knowing(facts))

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
        return replace(place, locals=given, routine=False, heads=(*place.heads, head))

    def all_of(self, conditions: list[ir.Expr], truth: bool, place: Place) -> Iterator[Secret]:
        """Of conditions that have to hold together, or fail together, to make a difference one by one."""
        flat = [part for each in conditions for part in parts(each, "and" if truth else "or")]
        for number, each in enumerate(flat):
            beside = (other for n, other in enumerate(flat) if n != number)
            facts = tuple(fact for other in beside for fact in self.facts(other, truth, place))
            yield from self.code(each, place.knowing(facts))

    def fold(self, node: ir.Fold, place: Place) -> Iterator[Secret]:
        yield from self.code(node.domain, place)
        self.fresh += 1
        local = ir.Local(node.domain.type, self.fresh)
        inner = replace(place, locals=place.locals | {node.index: local})
        if is_many(node.domain) and not self.bounded(node.index, (node.where, node.body), ()):
            self.free.add(self.fresh)
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
            case ir.Judge(action=action, args=args) if truth:
                inner = self.inside(("action", action), args, place)
                if inner is None:
                    return
                for clause in self.reads.actions[action].prohibitions:
                    if clause.kind != "allow" and not clause.overruled_by:
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
                found = self.known(value, place) if is_constant(value) else expr
                self.resolving.discard(index)
                return found
            case ir.Local():
                return None
            case ir.Load(owner=owner):
                if owner is None:
                    return expr
                of = self.known(owner, place)
                return None if of is None else replace(expr, owner=of)
            case ir.Lookup(indices=indices):
                found_at = [self.known(each, place) for each in indices]
                given = tuple(each for each in found_at if each is not None)
                return replace(expr, indices=given) if len(given) == len(indices) else None
            case ir.Op(op=op, args=(arg, *others)) if op in SAME and not others:
                return self.known(arg, place)
            case ir.Op(op=op, args=args) if op in PLAIN:
                found_args = [self.known(each, place) for each in args]
                kept = tuple(each for each in found_args if each is not None)
                return replace(expr, args=kept) if len(kept) == len(args) else None
            case _:
                return None

    def is_hidden(self, var: int, owner: ir.Expr | None, place: Place) -> bool:
        """Is it certain that the chooser may not see a field of this member?"""
        audience = self.world.vars[var].audience
        assert audience is not None
        member = self.known(owner, place) if owner is not None else None
        return self.holds(audience, Place({0: member, 1: self.player}, facts=place.facts)) is False

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
                first, second = self.known(one, place), self.known(two, place)
                if first is None or second is None:
                    return None
                same = self.same(first, second, place.facts)
                return None if same is None else same == (op == "eq")
            case _:
                return None

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
        if self.is_other(one, two) or self.is_other(two, one):
            return False
        if self.is_free(one, two) or self.is_free(two, one):
            return False
        return None

    def reckoned(self, expr: ir.Expr) -> ir.Expr:
        """What a constant table gives for a constant."""
        if not isinstance(expr, ir.Lookup) or len(expr.indices) != 1:
            return expr
        at, table = self.reckoned(expr.indices[0]), self.world.data[expr.data]
        low, size = table.dims[0]
        if (
            isinstance(table.values, tuple)
            and isinstance(at, ir.Const)
            and isinstance(at.value, int)
            and low <= at.value < low + size
        ):
            return ir.Const(expr.type, table.values[at.value - low])
        return replace(expr, indices=(at,))

    def is_other(self, one: ir.Expr, two: ir.Expr) -> bool:
        """Is one what a constant table gives for the other, where it gives none for itself?"""
        if not (isinstance(one, ir.Lookup) and len(one.indices) == 1 and alike(one.indices[0], two)):
            return False
        table = self.world.data[one.data]
        low = table.dims[0][0]
        if not isinstance(table.type, Id) or table.type != two.type or not isinstance(table.values, tuple):
            return False
        return all(value != low + at for at, value in enumerate(table.values))

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
