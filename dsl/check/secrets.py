"""Where secrets flow: what a question, or that it is asked at all, may not follow from.

Who is asked, with which words, and whether a question comes at all is seen by everybody. So it must not follow from
what not everybody sees: neither directly nor through locals, arguments, results, values or the conditions around it.

What is *revealed* is a secret no more: a value that is written into a field that all see, a card that is put on an
open pile, a field whose audience has just been set anew; also what a player has openly chosen, how many cards a pile
has, and whether an order was refused, which is told. All this is followed through the blocks of each routine, and
through calls until nothing changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import chain
from typing import assert_never

from dsl.catalogue import tr
from dsl.check.analysis import Reads
from dsl.check.branch_regions import regions
from dsl.check.closing import Closing
from dsl.check.effects import EffectsOf
from dsl.check.hidden_stores import kept_locals
from dsl.check.kept_names import KeptNames
from dsl.check.open_piles import OpenPiles
from dsl.check.options import Options
from dsl.check.owners import SAME, handed, locals_of, plain, received
from dsl.check.public_passes import opening
from dsl.check.revealed import Revealed, Shown
from dsl.check.revealing import Revealing
from dsl.check.taint_sources import Sources
from dsl.check.taint_state import (
    Held,
    Owner,
    Scope,
    Secret,
    Summary,
    Whose,
    Witness,
    both,
    first,
    joined,
)
from dsl.check.taint_state import Secrets as Found
from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import Id, ListOf, SetOf, Type
from dsl.ir.walk import within
from dsl.lower.control_flow import targets
from dsl.lower.ir_builder import is_counting
from dsl.lower.rewrite import map_statements, walk_ir
from dsl.records import record
from dsl.resolve.symbol_table import World
from dsl.source import Span

VIEWER = 1
"""The local that stands for who looks, in the truth that says who sees a field."""
MOST_PLACES = 3
"""Places that are shown of rules which show what a later layer hides."""
SEEN = {"field", "in_play", "out_of_play", "round", "window"}
"""What variables are for that players see, where no audience says otherwise."""


@record(slots=True)
class Told:
    """What is said of a secret, and the questions that show it."""

    hint: str
    asks: str
    labels: tuple[Label, ...]
    questions: list[Span]


class Secrets:
    """Follows the secrets of a game through its code."""

    def __init__(
        self,
        world: World,
        reads: Reads,
        effects: EffectsOf,
        procedures: list[pr.Procedure | None],
        routines: list[pr.Routine | None],
    ) -> None:
        self.world, self.effects = world, effects
        self.open_piles = OpenPiles(world)
        self.rest = self.open_piles.rest
        self.reads = Reads(reads.values, reads.actions, reads.procedures, reads.position, self.rest)
        self.procedures, self.routines = procedures, routines
        self.secret = {var.id for var in world.vars if var.audience is not None}
        pools = [domain.pool for domain in world.domains if domain.pool and domain.pool.pile is not None]
        self.piles = {pool.pile for pool in pools if pool.pile is not None}
        self.lying = self.piles | {pool.order for pool in pools if pool.order is not None}
        """The variables that say where cards lie."""
        self.pile_types = {pool.pile_domain for pool in pools}
        self.kinds = {domain.pool.kind_var for domain in world.domains if domain.pool}
        """The variables that say of what kind each piece is, where not everybody sees that."""
        self.seen_by_one = {
            var.id
            for var in world.vars
            if isinstance(var.audience, ir.Op)
            and var.audience.op == "eq"
            and any(isinstance(each, ir.Local) and each.index == VIEWER for each in var.audience.args)
        }
        """Those that one player sees, such as an owner: where another takes his place it is still one."""
        self.opens: dict[int, set[int]] = {}
        for var in world.vars:
            if var.audience is not None and var.id not in self.piles:
                for read in reads.of(var.audience) - {var.id}:
                    self.opens.setdefault(read, set()).add(var.id)
        self.own = {
            (read, each)
            for read, opened in self.opens.items()
            for each in opened
            if world.vars[each].of is not None and self.is_own(read, each)
        }
        """Of what an audience follows from, what it reads of the member alone whose field it is."""
        self.followed: dict[tuple[object, ...], tuple[Found, object, object]] = {}
        """What nodes follow from, by all that it depends on; beside it what the key names by identity."""
        self.sources = Sources(reads.values, reads.actions, self.secret)
        self.revealing = Revealing(
            world, procedures, routines, self.secret, self.is_open, self.opened, effects
        )
        self.closing = Closing(world, reads.values)
        self.known: dict[Scope, Summary] = {}
        self.kept: dict[tuple[Scope, int], tuple[int, Owner]] = {}
        if self.secret:
            self.kept = kept_locals(procedures, routines, self.secret, reads.actions)
        self.veiled: dict[Scope, dict[int, set[int]]] = defaultdict(dict)
        """Of each scope the veiled arguments of statements that tell, by the statement's identity."""
        self.lines: dict[Scope, dict[ir.Stmt, Secret]] = defaultdict(dict)
        """What is told in each scope though a secret decides whether it is."""
        self.retiring = {("procedure", number) for number in world.retirements.values()}
        """Code that takes a piece away: what is kept of it is forgotten there."""
        self.put_off: dict[Scope, dict[ir.Store | ir.Change, tuple[Secret, bool]]] = defaultdict(dict)
        """In each scope what keeps a secret while it waits or lasts: the secret, and whether it is that which is kept,
        and does not decide whether anything is.
        """
        self.asked: dict[tuple[object, ...], Found] = {}
        """What values and judgements follow from, by what they are asked of."""
        self.within_code: dict[Scope, Found] = {}
        """What code reads, with all that it calls, in terms of its parameters."""
        self.sets: dict[Scope, set[int]] = {}
        """The locals of each scope that are set in one place."""
        self.set_to: dict[int, dict[int, ir.Expr]] = {}
        """Of each routine the locals that are set in one place, and to what."""
        self.offers_told: set[tuple[Span | None, int]] = set()
        """Where an option is told to show a secret, and which."""
        self.told: dict[tuple[Span, str], Told] = {}
        """What is told of questions, by where a secret flows in and what it says."""
        self.stores: dict[int, list[Span]] = defaultdict(list)
        """Where each secret variable is written."""
        self.below: dict[int, dict[Span, None]] = {}
        """Of each kind that a later layer hides, where rules below it show it."""
        self.at: dict[tuple[int, int], tuple[Held, Witness]] = {}
        """What holds at the end of each block, and the secret that decides whether it is reached."""
        self.waiting: deque[Scope] = deque()
        """Scopes that have to be followed, or once more."""
        self.callers: dict[Scope, set[Scope]] = defaultdict(set)

    def follow(self) -> None:
        """Follows everything that a secret comes to, until nothing is new."""
        if not self.secret:
            return
        keeping = {scope for scope, _ in self.kept}
        for scope, code in self.code():
            for each in called(code):
                self.callers[each].add(scope)
            if (
                scope in keeping
                or self.sources.of(code.body if isinstance(code, pr.Procedure) else code.blocks)[0]
            ):
                self.wake(scope)
        while self.waiting:
            kind, number = self.waiting.popleft()
            if kind == "procedure" and (procedure := self.procedures[number]) is not None:
                self.procedure(number, procedure)
            elif kind == "routine" and (routine := self.routines[number]) is not None:
                self.routine(number, routine)

    def code(self) -> Iterator[tuple[Scope, pr.Procedure | pr.Routine]]:
        """Each procedure and routine."""
        for number, procedure in enumerate(self.procedures):
            if procedure is not None:
                yield ("procedure", number), procedure
        for number, routine in enumerate(self.routines):
            if routine is not None:
                yield ("routine", number), routine

    def wake(self, scope: Scope) -> None:
        if scope not in self.waiting:
            self.waiting.append(scope)

    def summary(self, scope: Scope) -> Summary:
        return self.known.setdefault(scope, Summary())

    # ------------------------------------------------------------ expressions

    def of(self, node: object, held: Held) -> Found:
        """The secrets that an expression, or several, follow from."""
        return self._in(node, held)

    def _in(self, node: object, held: Held) -> Found:
        """The secrets that a node follows from, each once, with the place of the least part known that reads it."""
        if isinstance(node, tuple):
            if len(node) == 1:
                return self._in(node[0], held)
            return tuple({(e.var, e.owner): e for part in node[::-1] for e in self._in(part, held)}.values())
        reads, locals_ = self.sources.of(node)
        held_here = [(n, held.locals[n]) for n in locals_ if n in held.locals] if held.locals else []
        if not reads and not held_here:
            return ()
        local = tuple((n, *map(id, each)) for n, each in held_here)
        key = (id(node), local, held.piles & locals_, held.revealed)
        known = self.followed.get(key)
        if known is None:
            read = self.world.read_at.get(id(node))
            of: dict[tuple[int, Owner], Secret] = {}
            for found in self._within(self.rest(node), held):
                if (found.var, found.owner) not in of:
                    of[found.var, found.owner] = (
                        replace(found, read=read[1]) if found.read is None and read is not None else found
                    )
            known = self.followed[key] = tuple(of.values()), node, held_here
        return known[0]

    def _within(self, node: object, held: Held) -> Iterator[Secret]:
        match node:
            case tuple():
                for each in node:
                    yield from self._in(each, held)
            case ir.Local(index=index):
                yield from held.locals.get(index, ())
            case ir.Op(op="size" | "length" | "eq" | "ne" | "subset", args=args) if self.counted(args, held):
                for pile in args:
                    yield from self._where(pile, held)
            case ir.Fold(kind="count" | "any", domain=domain, where=None, body=None | ir.Const()) if (
                self.cards(domain, held)
            ):
                yield from self._where(domain, held)
            case ir.Fold(kind="count" | "any") if self.cards(node, held):
                yield from self._where(node, held)
            case ir.Fold(domain=ir.Const(), where=ir.Op(args=(ir.Load(var=var), pile)) as there) if (
                self.cards(node, held)
            ):
                if self.rest(there) is there:
                    yield Secret(var, plain(pile) or Whose.LOST)
                yield from self._in(pile, held)
            case ir.Fold(
                kind="first",
                index=index,
                domain=domain,
                where=ir.Op(op="eq", args=(ir.Load(var=var, owner=ir.Local(index=card)), ir.Const())),
            ) if card == index and var in self.lying - self.piles and self.open_piles.holds(domain):
                yield from self._in(domain, held)
            case ir.Fold(kind="ordered", domain=domain):
                # Whoever sees which cards lie in a pile sees in which order.
                yield from self._in(domain, held)
            case ir.Fold(
                kind="least",
                index=index,
                domain=domain,
                where=where,
                body=ir.Load(var=var, owner=ir.Local(index=card)),
            ) if card == index and var in self.lying - self.piles and self.cards(domain, held):
                inner = held.copy()
                inner.put(index, self.of(domain, held))
                yield from self._leaving((domain, where), inner, index)
            case ir.Fold(index=index, domain=domain):
                inner = held.copy()
                inner.put(index, self.of(domain, held))
                yield from self._leaving((domain, node.where, node.body), inner, index)
            case ir.Scan(index=index, domain=domain, kept=kept, start=start, step=step):
                inner = held.copy()
                inner.put(index, self.of(domain, held))
                inner.put(kept, self.of(start, held))
                yield from self._leaving((start, domain, step), inner, index, kept)
            case ir.LetIn(index=index, value=value, body=body):
                inner = held.copy()
                inner.put(index, self.of(value, held))
                inner.piles |= {index} if self.cards(value, held) else frozenset()
                yield from self._leaving((value, body) if not self.cards(value, held) else body, inner, index)
            case _:
                yield from self._read(node, held)

    def _leaving(self, node: object, inner: Held, *bound: int) -> Iterator[Secret]:
        """What a node follows from where some locals are known inside it alone."""
        for each in self._in(node, inner):
            yield reduce(Secret.forgetting, bound, each)

    def _read(self, node: object, held: Held) -> Iterator[Secret]:
        """What a node that binds nothing reads by itself, and through its parts."""
        match node:
            case ir.Load(var=var, owner=owner):
                whose = None if owner is None else plain(owner) or Whose.LOST
                if var in self.secret and not held.revealed.has(var, whose):
                    yield Secret(var, whose)
                yield from self._in(owner, held)
            case ir.LoadItem(var=var, owner=owner, item=item):
                whose = None if owner is None else plain(owner) or Whose.LOST
                if var in self.secret and not held.revealed.has(var, whose):
                    yield Secret(var, whose)
                yield from self._in((owner, item), held)
            case ir.Ask(value=value, args=args):
                yield from self.follows(("value", value), args, held)
            case ir.Judge(action=action, args=args):
                yield from self.follows(("action", action), args, held)
            case ir.Reach(routine=routine, args=args, goal=goal):
                yield from self.done(("routine", routine), args)
                yield from self._in((args, goal), held)
            case ir.Trial(procedure=procedure, args=args, condition=condition):
                yield from self.done(("procedure", procedure), args)
                yield from self._in((args, condition), held)
            case ir.Occurrences():
                yield from (Secret(var, Whose.LOST) for var in sorted(self.reads.position & self.secret))
            case ir.Lookup(indices=indices):
                yield from self._in(indices, held)
            case ir.Op(args=args):
                yield from self._in(args, held)
            case _:
                pass

    def follows(self, head: Scope, args: tuple[ir.Expr, ...], held: Held) -> Found:
        """What a value or a judgement follows from where it is asked: the same as its expression in place."""
        given = {index: each for index, arg in enumerate(args) if (each := self.of(arg, held))}
        inside: dict[int, Found] = {}
        for index, secrets in given.items():
            param = ir.Local(args[index].type, -1 - index)
            inside[index] = tuple(Secret(var, param) for var in sorted({each.var for each in secrets}))
        vars_ = tuple((index, *(each.var for each in inside[index])) for index in sorted(inside))
        inner = Held(inside, self.piled(args, held), held.revealed.inside(args))
        key = (head, vars_, inner.piles, inner.revealed)
        if key not in self.asked:
            self.asked[key] = ()  # where it comes back to itself
            self.asked[key] = self._in(self.expressions(head), inner)
        found: list[Secret] = []
        for secret in self.asked[key]:
            there = secret.within or secret.read
            match secret.owner:
                case ir.Local(index=index) if index < 0:
                    own = (each for each in given[-1 - index] if each.var == secret.var)
                    found += (each if each.read is not None else replace(each, within=there) for each in own)
                case owner:
                    found.append(Secret(secret.var, self.owned(owner, args), None, there))
        return joined(tuple(found))

    def expressions(self, head: Scope) -> object:
        """The expressions of a value, or of what judges an action."""
        if head[0] == "action":
            return tuple(each.condition for each in self.reads.actions[head[1]].prohibitions)
        value = self.reads.values[head[1]]
        return value.base, tuple((each.condition, each.operand, each.divisor) for each in value.clauses)

    def done(self, scope: Scope, args: tuple[ir.Expr, ...]) -> Found:
        """What code reads, with all that it calls, where it is run with some arguments."""
        if scope not in self.within_code:
            self.within_code[scope] = ()  # where it comes back to itself
            self.within_code[scope] = joined(tuple(self._done(scope)))
        return tuple(
            Secret(each.var, self.owned(each.owner, args), None, each.within or each.read)
            for each in self.within_code[scope]
        )

    def _done(self, scope: Scope) -> Iterator[Secret]:
        code = (self.procedures if scope[0] == "procedure" else self.routines)[scope[1]]
        if code is None:
            return
        of_call, nothing = frozenset(range(code.params)), Held()
        bodies = code.body if isinstance(code, pr.Procedure) else code.blocks
        found = [self._in(each, nothing) for each in walk_ir(bodies) if isinstance(each, ir.Expr)]
        for each in walk_ir(bodies):
            if isinstance(each, ir.Call):
                found.append(self.done(("procedure", each.procedure), each.args))
            elif isinstance(each, ir.Enter):
                found.append(self.done(("routine", each.routine), each.args))
        for secret in (*chain.from_iterable(found),):
            known = isinstance(secret.owner, Whose | None) or locals_of(secret.owner) <= of_call
            yield secret if known else replace(secret, owner=Whose.LOST)

    def owned(self, owner: Owner, args: tuple[ir.Expr, ...]) -> Owner:
        """Whose a secret is, said in terms of parameters, in terms of what these are given."""
        return owner if isinstance(owner, Whose | None) else handed(owner, args) or Whose.LOST

    def piled(self, args: tuple[ir.Expr, ...], held: Held) -> frozenset[int]:
        return frozenset(index for index, arg in enumerate(args) if self.cards(arg, held))

    def counted(self, args: tuple[ir.Expr, ...], held: Held) -> bool:
        """Is this how many cards piles have, or whether they have any? Different piles have no card in common."""
        return any(self.cards(arg, held) for arg in args) and all(
            self.cards(arg, held) or (isinstance(arg, ir.Const) and arg.value == 0) for arg in args
        )

    def _where(self, cards: ir.Expr, held: Held) -> Iterator[Secret]:
        """What it follows from which pile is meant."""
        match cards:
            case ir.Fold(where=ir.Op(args=(_, pile))):
                yield from self._in(pile, held)
            case ir.Fold(domain=domain):
                yield from self._where(domain, held)
            case ir.Op(op="cast" | "union", args=args):
                for each in args:
                    yield from self._where(each, held)
            case ir.Ask(value=value, args=args):
                inner = Held({}, self.piled(args, held), held.revealed.inside(args))
                yield from self._in(args, held)
                yield from self._where(self.reads.values[value].base, inner)
            case _:
                pass

    def cards(self, node: object, held: Held) -> bool:
        """Is this all the cards of one pile, or of several? How many they are is no secret."""
        match node:
            case ir.Fold(
                kind="all" | "count" | "any",
                index=index,
                domain=ir.Const(),
                where=ir.Op(op="eq", args=(ir.Load(var=var, owner=ir.Local(index=card)), _)),
                body=None | ir.Const(),
            ):
                return var in self.piles and card == index
            case (
                ir.Fold(kind="all", domain=domain, where=None, body=None)
                | ir.Fold(kind="ordered", domain=domain, where=None)
            ):
                return self.cards(domain, held)
            case ir.Local(index=index):
                return index in held.piles
            case ir.Op(op="union", args=args):
                return all(self.cards(arg, held) for arg in args)
            case ir.Op(op="minus", args=(cards, ir.Op(op="single", args=(ir.Op(op="some", args=(first,)),)))):
                # a loop takes out the next of them
                return self.cards(cards, held) and self.cards(first, held)
            case ir.Op(op="cast", args=args):
                return self.cards(args[0], held)
            case ir.Ask(value=value, args=args):
                declared = self.reads.values[value]
                inner = Held({}, self.piled(args, held))
                return not declared.clauses and self.cards(declared.base, inner)
            case _:
                return False

    def walked(self, node: object, held: Held) -> bool:
        """Is this the next of the cards of a pile? Whether there is one is no secret."""
        return isinstance(node, ir.Op) and node.op == "next" and self.cards(node.args[0], held)

    # ------------------------------------------------------------ statements

    def run(self, statements: tuple[ir.Stmt, ...], held: Held, why: Witness, scope: Scope) -> None:
        """Follows code in its order; `why` is a secret that decides whether it runs."""
        for statement in statements:
            self.statement(statement, held, why, scope)

    def statement(self, statement: ir.Stmt, held: Held, why: Witness, scope: Scope) -> None:
        match statement:
            case ir.SetLocal(index=index, value=value):
                known = why is None and self.cards(value, held) and not any(self._where(value, held))
                cards = known or self.walked(value, held)
                found = self.of(value, held)
                pieces = bool(found) and why is None and self.of_pieces(value, held, scope)
                held.put(index, found or some(why))
                held.piles |= {index} if cards else frozenset()
                held.reckoned |= {index} if pieces else frozenset()
            case ir.Roll(index=index, count=count) | ir.RollList(index=index, count=count):
                held.put(index, self.of(count, held) or self.held_back(scope, index) or some(why))
                self.noted(statement, held, scope)
            case ir.Pick(index=index, domain=domain, weights=weights, site=site):
                at = self.world.site_spans[site]
                found = tuple(
                    each if each.read is not None else replace(each, read=at)
                    for each in self.of((domain, weights), held)
                )
                held.put(index, found or self.held_back(scope, index) or some(why))
                self.noted(statement, held, scope)
            case ir.Store(value=value):
                self.kept_for_later(statement, held, scope)
                self.written(statement, value, held)
                if (piece := self.revealing.placed(statement)) is not None:
                    self.shown(piece, held)
            case ir.Change(var=var, amount=amount):
                self.kept_for_later(statement, held, scope)
                whole = isinstance(amount.type, SetOf) or isinstance(self.world.vars[var].type, ListOf)
                self.written(statement, amount if whole else None, held)
            case ir.MoveCard(pool=pool, card=card, pile=pile):
                if self.is_open(pool, pile):
                    self.shown(card, held)
                else:
                    self.lies_anew(card, pile, held)
            case ir.Call(procedure=procedure, args=args, result=result):
                self.calls(("procedure", procedure), args, held)
                if result is not None:
                    held.put(result, self.given_back(("procedure", procedure), args) or some(why))
            case ir.TakeResult(index=index):
                held.put(index, held.returned or some(why))
            case ir.Give(value=value):
                self.gives(scope, self.of(value, held) or some(why))
            case ir.If(condition=condition, then=then, other=other):
                decides = self.condition(condition, other, held)
                shown = self.shows_itself(then) or self.shows_itself(other)
                untold, two = held.untold, held.copy()
                held.untold = two.untold = untold if shown else _first(untold, decides)
                left = held.untold if leaves(statement) else untold
                self.run(then, held, _first(decides, why), scope)
                self.run(other, two, _first(decides, why), scope)
                met = held.met(two)
                held.locals, held.piles, held.reckoned = met.locals, met.piles, met.reckoned
                held.revealed, held.opened, held.untold = met.revealed, met.opened, left
            case ir.ForEach(index=index, domain=domain, body=body):
                elements = self.of(domain, held)
                cards = self.cards(domain, held)
                held.put(index, elements)
                once = self.repeated(body, held, None if cards else first(elements), why, scope)
                held.revealed = held.revealed.around(statement, once, self.world)
            case ir.Loop(limit=limit, condition=condition, body=body):
                self.repeated(body, held, first(self.of((limit, condition), held)), why, scope)
            case ir.Guarded(body=body):
                untold = held.untold
                self.run(body, held, why, scope)
                held.untold = held.untold if returns(body) else untold
            case ir.Batch(body=body):
                self.run(body, held, why, scope)
            case ir.Log(args=args) | ir.Refused(args=args):
                self.telling(statement, args, held, scope)
                if not isinstance(statement, ir.Refused) or self.is_called(statement.action):
                    self.noted(statement, held, scope)
            case ir.ShufflePile() | ir.Leave() | ir.Mark() | ir.TestEndings() | ir.Remember() | ir.Fail():
                pass
            case _:
                assert_never(statement)

    def telling(self, told: ir.Stmt, args: tuple[ir.Expr, ...], held: Held, scope: Scope) -> None:
        """Notes which arguments of a line of the log are veiled.

        What an argument reads itself is another matter: who sees that, is known where it is told. So are pieces that
        lie in piles: who sees them there, reads which they are.
        """
        veiled = {n for n, arg in enumerate(args) if self.is_veiled(arg, held, scope)}
        if veiled:
            self.veiled[scope].setdefault(id(told), set()).update(veiled)

    def is_veiled(self, arg: ir.Expr, held: Held, scope: Scope) -> bool:
        reading = [each for each in walk_ir(arg) if isinstance(each, ir.Local)]
        for local in reading:
            secrets = held.locals.get(local.index, ())
            if not secrets and local.index not in held.opened:
                secrets = self.held_back(scope, local.index)
            if not secrets:
                continue
            of_cards = all(each.var in self.lying for each in secrets)
            if not (of_cards and (self.lies(local.type) or self.is_traced(local, held, scope))):
                return True
        return False

    def of_pieces(self, value: ir.Expr, held: Held, scope: Scope) -> bool:
        """Does an expression follow from secrets only by way of pieces that locals hold?"""
        rest = held.copy()
        for local in (each for each in walk_ir(value) if isinstance(each, ir.Local)):
            if self.lies(local.type) or self.is_traced(local, held, scope):
                rest.locals.pop(local.index, None)
        return not self.of(value, rest)

    def is_traced(self, local: ir.Local, held: Held, scope: Scope) -> bool:
        """Is a local reckoned from pieces, and set in one place: then telling finds who knows them."""
        return local.index in held.reckoned and self.set_once(scope, local.index)

    def set_once(self, scope: Scope, local: int) -> bool:
        """Does a local take one value only, which is not handed to it?"""
        if scope not in self.sets:
            code = (self.procedures if scope[0] == "procedure" else self.routines)[scope[1]]
            assert code is not None
            bodies = [code.body] if isinstance(code, pr.Procedure) else [each.body for each in code.blocks]
            stored = (each for body in bodies for each in within(body) if isinstance(each, ir.SetLocal))
            times = Counter(each.index for each in stored)
            self.sets[scope] = {n for n, count in times.items() if count == 1 and n >= code.params}
        return local in self.sets[scope]

    def lies(self, kind: Type) -> bool:
        """Is this a piece that lies in piles, or several?"""
        of = kind.of if isinstance(kind, SetOf | ListOf) else kind
        pool = self.world.domains[of.domain].pool if isinstance(of, Id) else None
        return pool is not None and pool.pile is not None

    def veils(self) -> None:
        """Writes into the code which arguments of the log are veiled."""
        veiled: dict[int, set[int]] = defaultdict(set)
        for of_scope in self.veiled.values():
            for told, arguments in of_scope.items():
                veiled[told] |= arguments
        if not veiled:
            return
        for number, procedure in enumerate(self.procedures):
            if procedure is not None and tells(procedure.body, veiled):
                body = with_veils(procedure.body, veiled)
                self.world.procedures[number] = replace(procedure, body=body)
        for number, routine in enumerate(self.routines):
            if routine is not None and any(tells(block.body, veiled) for block in routine.blocks):
                blocks = (replace(block, body=with_veils(block.body, veiled)) for block in routine.blocks)
                self.world.routines[number] = replace(routine, blocks=tuple(blocks))

    def noted(self, told: ir.Stmt, held: Held, scope: Scope) -> None:
        """Notes a line of the log that is told only where a secret has it so."""
        if held.untold is not None:
            self.lines[scope][told] = held.untold

    def shows_itself(self, code: tuple[ir.Stmt, ...]) -> bool:
        """Does code that runs change something that everybody sees?"""
        return any(self.changes_seen(each) for each in code)

    def changes_seen(self, statement: ir.Stmt) -> bool:
        match statement:
            case ir.Store(var=var) | ir.Change(var=var):
                return self.is_seen(var)
            case ir.MoveCard():
                return True
            case ir.Call(procedure=procedure):
                return self.is_shown("procedure", procedure)
            case ir.If(then=then, other=other):
                return self.shows_itself(then) and self.shows_itself(other)
            case ir.Guarded(body=body) | ir.Batch(body=body) | ir.ForEach(body=body) | ir.Loop(body=body):
                return self.shows_itself(body)
            case _:
                return False

    def is_shown(self, kind: str, number: int) -> bool:
        """Does what is called change something that everybody sees?"""
        effects = self.effects.called(kind, number)
        return any(var < 0 or self.is_seen(var) for var in effects.writes | effects.adds)

    def is_seen(self, var: int) -> bool:
        """Does everybody see what a variable holds? What only the engine counts with, nobody does; and what waits or
        lasts shows what put it off, which is weighed by itself.
        """
        return (
            var not in self.secret and self.world.vars[var].role in SEEN and not self.world.vars[var].put_off
        )

    def held_back(self, scope: Scope, local: int) -> Found:
        """What chance or a player gave for a field that not everybody sees is secret from the start."""
        kept = self.kept.get((scope, local))
        return () if kept is None else (Secret(*kept),)

    def repeated(
        self, body: tuple[ir.Stmt, ...], held: Held, found: Witness, why: Witness, scope: Scope
    ) -> Revealed:
        """What runs again and again, with what earlier rounds have left; `found` decides how often. Yields what was
        revealed behind the last round.
        """
        untold, why = held.untold, _first(found, why)
        held.untold = untold if self.shows_itself(body) else _first(untold, found)
        left = held.untold if leaves(body) else untold
        once, before = held, None
        while before != (held.locals, held.revealed):
            before = dict(held.locals), held.revealed
            once = held.copy()
            self.run(body, once, why, scope)
            held.locals = both(held.locals, once.locals)
            held.revealed = held.revealed.met(once.revealed)
        held.untold = left
        return once.revealed

    def condition(self, condition: ir.Expr, other: tuple[ir.Stmt, ...], held: Held) -> Witness:
        """What a condition follows from; that an order is refused is told, if players have words for the action, and
        then it is no secret.
        """
        refused = other[0] if other and isinstance(other[0], ir.Refused) else None
        if not isinstance(condition, ir.Judge) or refused is None:
            return first(self.of(condition, held))
        if self.is_called(condition.action):
            return None
        found, at = first(self.of(condition, held)), self.world.site_spans[refused.site]
        return found if found is None or found.read is not None else replace(found, read=at)

    def is_called(self, action: int) -> bool:
        """Have players words for an action?"""
        return self.reads.actions[action].label is not None

    def kept_for_later(self, statement: ir.Store | ir.Change, held: Held, scope: Scope) -> None:
        """Notes what is put off until a moment, or set for a while: all see that it is, and what it keeps."""
        value = statement.value if isinstance(statement, ir.Store) else statement.amount
        emptied = isinstance(statement, ir.Store) and isinstance(value, ir.Const)
        if not self.world.vars[statement.var].put_off or emptied or scope in self.retiring:
            return
        kept = first(self.of((statement.owner, value), held))
        why = kept or held.untold
        if why is not None:
            self.put_off[scope][statement] = why, kept is not None

    def calls(self, callee: Scope, args: tuple[ir.Expr, ...], held: Held) -> None:
        """Hands secrets on to what is called, and takes over what it reveals."""
        known = self.summary(callee)
        for number, arg in enumerate(args):
            found = joined(known.given.get(number, ()), self.owned_inside(self.of(arg, held), args))
            if found != known.given.get(number, ()):
                known.given[number] = found
                self.wake(callee)
        for number in self.revealing.params(callee):
            self.shown(args[number], held)
        if held.untold is not None and known.untold is None:
            known.untold = held.untold
            self.wake(callee)
        held.revealed = self.revealing.called(held.revealed, callee, args)

    def owned_inside(self, secrets: Found, args: tuple[ir.Expr, ...]) -> Found:
        """Secrets in terms of the parameters that are given `args`."""
        return tuple(
            each
            if isinstance(each.owner, Whose | None)
            else replace(each, owner=received(each.owner, args) or Whose.LOST)
            for each in secrets
        )

    def given_back(self, callee: Scope, args: tuple[ir.Expr, ...]) -> Found:
        """What the result of a call follows from."""
        return tuple(
            replace(each, owner=self.owned(each.owner, args)) for each in self.summary(callee).result
        )

    def gives(self, scope: Scope, secrets: Found) -> None:
        known = self.summary(scope)
        found = joined(known.result, secrets)
        if found != known.result:
            known.result = found
            for caller in sorted(self.callers[scope]):
                self.wake(caller)

    def written(self, statement: ir.Store | ir.Change, value: ir.Expr | None, held: Held) -> None:
        """What a field that all see takes is a secret no more; nor is what a changed audience lets all see."""
        held.revealed = self.opened(held.revealed, statement, value)
        if value is not None and statement.var not in self.secret:
            self.shown(value, held)

    def opened(self, revealed: Revealed, statement: ir.Store | ir.Change, value: ir.Expr | None) -> Revealed:
        """What has been revealed where a field takes a value; none where that is not known."""
        var, owner = statement.var, statement.owner
        after = revealed.wrote(frozenset((var,)))
        if var not in self.opens:
            return after
        closed = (each for each in self.opens[var] if self.closing.closes(each, var, value))
        shown = set[Shown]()
        for each in self.lays_open(var, value):
            if (var, each) not in self.own:
                shown.add((each, None))
            elif owner is not None and (member := plain(owner)) is not None:
                shown.add((each, member))
        return after.closing(frozenset(closed)).showing(frozenset(shown))

    def lays_open(self, var: int, value: ir.Expr | None) -> set[int]:
        """The secret fields whose audience changes by what another one takes, unless that closes them. What one player
        sees, and the kind of a piece, is laid open only by what lets all see it alone: each piece that comes into play
        takes an owner.
        """
        return {
            each
            for each in self.opens.get(var, ())
            if not self.closing.closes(each, var, value)
            and (each not in self.kinds | self.seen_by_one or self.closing.opens(each, var, value))
        }

    def is_own(self, read: int, secret: int) -> bool:
        """Does the audience of a field read another one of the same member, and of no other?"""
        audience = self.world.vars[secret].audience
        assert audience is not None
        owners = [*self.owners_read(read, audience, {0: ir.Local(Id(0), 0)}, ())]
        return all(isinstance(each, ir.Local) and each.index == 0 for each in owners)

    def owners_read(
        self, var: int, node: object, given: dict[int, ir.Expr | None], heads: tuple[int, ...]
    ) -> Iterator[ir.Expr | None]:
        """Whose field an expression reads, by way of values too; none where that is somebody else's."""
        for each in walk_ir(node):
            match each:
                case ir.Load(var=read, owner=owner) | ir.LoadItem(var=read, owner=owner) if read == var:
                    local = None if owner is None else bare(owner)
                    yield given.get(local.index) if isinstance(local, ir.Local) else None
                case ir.Ask(value=value, args=args) if value not in heads:
                    known = {n: bare(arg) for n, arg in enumerate(args)}
                    inner = {n: given.get(e.index) for n, e in known.items() if isinstance(e, ir.Local)}
                    yield from self.owners_read(
                        var, self.expressions(("value", value)), inner, (*heads, value)
                    )
                case _:
                    pass

    def shown(self, value: ir.Expr, held: Held) -> None:
        """A local is seen by all from here on."""
        local = bare(value)
        if isinstance(local, ir.Local):
            held.locals.pop(local.index, None)
            held.opened |= {local.index}

    def lies_anew(self, value: ir.Expr, pile: ir.Expr, held: Held) -> None:
        """A card lies in a hidden pile: who sees that one sees which card it is."""
        card, there = bare(value), plain(pile)
        if isinstance(card, ir.Local) and there is not None and card.index in held.locals:
            held.locals[card.index] = joined(
                tuple(
                    replace(each, owner=there) if each.var in self.lying else each
                    for each in held.locals[card.index]
                )
            )

    def is_pile(self, kind: Type) -> bool:
        """Are these piles of cards?"""
        return isinstance(kind, Id) and kind.domain in self.pile_types

    def is_open(self, pool: int, pile: ir.Expr) -> bool:
        """Is a pile seen by all, as far as can be told?"""
        return self.open_piles.has([each for each in self.world.domains if each.pool][pool], pile)

    # ------------------------------------------------------------ procedures and routines

    def procedure(self, number: int, procedure: pr.Procedure) -> None:
        scope = ("procedure", number)
        self.veiled.pop(scope, None)
        self.lines.pop(scope, None)
        self.put_off.pop(scope, None)
        self.run(procedure.body, self.entered(scope, procedure.params), None, scope)

    def entered(self, scope: Scope, params: int) -> Held:
        """What is known where a procedure or routine begins."""
        known = self.summary(scope)
        held = Held({index: each for index, each in known.given.items() if each}, untold=known.untold)
        for local in range(params):
            if local not in held.locals and (kept := self.held_back(scope, local)):
                held.locals[local] = kept
        return held

    def routine(self, number: int, routine: pr.Routine) -> None:
        """Follows the blocks of a routine; conditions that follow from secrets reach all blocks up to where both
        ways meet again.
        """
        scope = ("routine", number)
        within: dict[int, Secret] = {}
        untold: dict[int, Secret] = {}
        while True:
            self.veiled.pop(scope, None)
            self.lines.pop(scope, None)
            self.put_off.pop(scope, None)
            entered: dict[int, Held] = {0: self.entered(scope, routine.params)}
            waiting = [0]
            branches: dict[int, Secret] = {}
            while waiting:
                at = waiting.pop()
                held = entered[at].copy()
                why = within.get(at)
                held.untold = _first(self.summary(scope).untold, untold.get(at))
                self.run(routine.blocks[at].body, held, why, scope)
                self.at[number, at] = held, why
                reason = self.end(routine, at, held, why, scope)
                if reason is not None:
                    branches[at] = reason
                for target in targets(routine.blocks[at].end):
                    met = held if target not in entered else entered[target].met(held)
                    if target not in entered or met != entered[target]:
                        entered[target] = met.copy()
                        waiting.append(target)
            reached, hushed = regions(routine, branches), self.hushed(routine, branches)
            if reached == within and hushed == untold:
                return
            within, untold = reached, hushed

    def hushed(self, routine: pr.Routine, branches: dict[int, Secret]) -> dict[int, Secret]:
        """The blocks that branches decide on that change nothing that everybody sees: what is told there tells."""
        quiet = {
            at: why
            for at, why in branches.items()
            if not any(self.block_shows(routine.blocks[each]) for each in regions(routine, {at: why}))
        }
        return regions(routine, quiet)

    def block_shows(self, block: ir.Block) -> bool:
        entering = block.end if isinstance(block.end, ir.Enter) else None
        return self.shows_itself(block.body) or (
            entering is not None and self.is_shown("routine", entering.routine)
        )

    def end(self, routine: pr.Routine, at: int, held: Held, why: Witness, scope: Scope) -> Witness:
        """The secret that decides where a block leads on, if one does."""
        match routine.blocks[at].end:
            case ir.Branch(condition=condition, other=other):
                if (
                    isinstance(condition, ir.Op)
                    and condition.op == "is_none"
                    and self.cards(condition.args[0], held)
                ):
                    return None
                return self.condition(condition, routine.blocks[other].body, held)
            case ir.Enter(routine=called, args=args):
                self.calls(("routine", called), args, held)
                held.returned = self.given_back(("routine", called), args)
            case ir.Decide(offers=offers):
                for offer in offers:
                    for variable in offer.variables:
                        held.put(variable.index, self.chosen(variable, held, scope))
            case ir.Return(value=value) if value is not None:
                self.gives(scope, self.of(value, held) or some(why))
            case _:
                pass
        return None

    def chosen(self, variable: ir.OfferVar, held: Held, scope: Scope) -> Found:
        """What is chosen openly is no secret; it is, where the log shows `?` for it: a card that lies where not
        everybody sees it, and what goes into a field that not everybody sees.
        """
        routine = self.routines[scope[1]]
        assert routine is not None
        hidden = self.of(variable.domain, held) if self.lies(routine.locals[variable.index]) else ()
        return hidden or self.held_back(scope, variable.index)

    # ------------------------------------------------------------ what is told

    def report_lines(self) -> None:
        """Reports each line that is told, or not, as a secret has it."""
        for _, lines in sorted(self.lines.items()):
            for line, secret in lines.items():
                self.given_away(line, secret)

    def given_away(self, line: ir.Stmt, secret: Secret) -> None:
        told = self.told_at(line, secret)
        at = secret.read or told
        if at is None:
            return
        within, at = self.latest(secret.within, at)
        labels = [] if told is None or told == at else [Label(told, tr("what is told, or not"))]
        if within is not None:
            labels.append(Label(within, self.read_there(secret, within)))
        if self.is_hidden_later(secret, at):
            return
        self.world.error(
            Code.SECRET_SHOWN,
            at,
            tr(
                "this gives a secret away: that something is told shows {secret}, which not everybody sees",
                secret=self.name(secret),
            ),
            hint=tr("tell it in any case, or reveal first what decides it: put it where all see it"),
            labels=tuple(each for each in labels if not _covers(each.span, at)),
        )

    def told_at(self, line: ir.Stmt, secret: Secret) -> Span | None:
        """Where a line of the log stands: behind what decides it, if several say the same."""
        match line:
            case ir.Log(label=label):
                spans = self.world.told_at.get(label, ())
                after = (
                    each
                    for each in spans
                    if secret.read is not None
                    and each.source is secret.read.source
                    and each.start >= secret.read.start
                )
                return min(after, key=lambda span: span.start, default=spans[0] if spans else None)
            case ir.Roll(site=site) | ir.RollList(site=site) | ir.Pick(site=site) | ir.Refused(site=site):
                return self.world.site_spans[site] if site >= 0 else None
            case _:
                return None

    def report_put_off(self) -> None:
        """Reports each secret that is kept where everybody sees what waits or lasts."""
        for _, statements in sorted(self.put_off.items()):
            for statement, (secret, kept) in statements.items():
                waits = self.world.vars[statement.var].put_off == "waits"
                self.tell(statement.site, secret, *self.on_putting_off(self.name(secret), waits, kept))

    def on_putting_off(self, secret: str, waits: bool, kept: bool) -> tuple[str, str, str]:
        """What is told of a secret that is put off: the message, what to write instead, and what the statement does."""
        if kept and waits:
            return (
                tr(
                    "this gives a secret away: what waits keeps {secret}, which not everybody sees",
                    secret=secret,
                ),
                tr(
                    "let the action read it when its moment has come, or keep it in a field that others do not see"
                ),
                tr("this waits, and everybody sees with what"),
            )
        if kept:
            return (
                tr(
                    "this gives a secret away: what is set for a while keeps {secret}, which not everybody sees",
                    secret=secret,
                ),
                tr("let the modifier read it itself, or keep it in a field that others do not see"),
                tr("this is set, and everybody sees with what"),
            )
        if waits:
            return (
                tr(
                    "this gives a secret away: that something waits shows {secret}, which not everybody sees",
                    secret=secret,
                ),
                tr("set it in any case, and test this in the action that waits"),
                tr("this waits, and everybody sees that it does"),
            )
        return (
            tr(
                "this gives a secret away: that something is set for a while shows {secret}, which not everybody sees",
                secret=secret,
            ),
            tr("set it in any case, with this behind `when`"),
            tr("this is set, and everybody sees that it is"),
        )

    def report(self) -> None:
        """Tells of each question that gives a secret away, and notes those whose options follow from one."""
        asking = self.asking()
        for (number, at), (held, why) in sorted(self.at.items()):
            routine = self.routines[number]
            assert routine is not None
            end = routine.blocks[at].end
            if isinstance(end, ir.Decide):
                words = tuple(each for each in end.prompt_args if not is_counting(each))
                shown = first(self.of((end.player, words), held))
                if shown is not None:
                    self.shows(end.site, shown)
                elif why is not None:
                    self.unasked(number, end.site, why)
                if self.of(tuple(map(ranges, end.offers)), held):
                    self.world.private[number, at] = self.opening(end, held)
                self.offered(number, end, held)
            elif isinstance(end, ir.Enter) and why is not None and end.routine in asking:
                self.unasked(number, end.site, why)
        already = {at for at, _ in self.told}
        for secret, site in KeptNames(self, asking).found():
            if self.flows_in(secret, self.world.site_spans[site])[1] not in already:
                self.still_kept(site, secret)
        self.tell_all()

    def offered(self, number: int, end: ir.Decide, held: Held) -> None:
        """Tells of what the options of a question show to the one who chooses, though he may not see it."""
        routine = self.routines[number]
        assert routine is not None
        does = self.effects.called("routine", number)
        origin = self.origins(number).get
        options = Options(self, routine.params, does.writes | does.adds, origin, held)
        for secret, in_words in options.shown(end):
            if (secret.read, secret.var) in self.offers_told:
                continue
            self.offers_told.add((secret.read, secret.var))
            if in_words:
                self.tell(
                    end.site,
                    secret,
                    tr(
                        "this gives a secret away: the words of an option show {secret}, which the one who chooses "
                        "may not see",
                        secret=self.name(secret),
                    ),
                    tr("leave it out of the words, or reveal it first: put it where all see it"),
                    tr("the question whose options show it"),
                )
                continue
            self.tell(
                end.site,
                secret,
                tr(
                    "this gives a secret away: what may be chosen shows {secret}, which the one who chooses "
                    "may not see",
                    secret=self.name(secret),
                ),
                tr(
                    "let chance take the card (`random c in …`), or reveal first which it is: put it where all see it"
                )
                if secret.var in self.lying
                else tr(
                    "let it be tried, and decide it in the body of what is done (`if …:`), or reveal first what "
                    "decides it: put it where all see it"
                ),
                tr("the question whose options show it"),
            )

    def origins(self, number: int) -> dict[int, ir.Expr]:
        """The locals of a routine that are set in one place, and to what."""
        if number not in self.set_to:
            routine = self.routines[number]
            assert routine is not None
            times: Counter[int] = Counter(range(routine.params))
            found: dict[int, ir.Expr] = {}
            for block in routine.blocks:
                for each in within(block.body):
                    index = each.result if isinstance(each, ir.Call) else getattr(each, "index", None)
                    if index is not None:
                        times[index] += 1
                    if isinstance(each, ir.SetLocal):
                        found[each.index] = each.value
                for offer in block.end.offers if isinstance(block.end, ir.Decide) else ():
                    times.update(variable.index for variable in offer.variables)
            self.set_to[number] = {n: value for n, value in found.items() if times[n] == 1}
        return self.set_to[number]

    def opening(self, end: ir.Decide, held: Held) -> tuple[ir.Expr, int] | None:
        """What all see without which there is only a pass to choose."""

        def shown(expr: ir.Expr, unknown: frozenset[int]) -> bool:
            seen = held.copy()
            for local in unknown:
                seen.put(local, (Secret(min(self.secret)),))
            return not self.of(expr, seen)

        return opening(end, self.reads.actions, shown)

    def still_kept(self, site: int, secret: Secret) -> None:
        self.tell(
            site,
            secret,
            tr(
                "this gives a secret away: a name keeps {secret} while somebody is asked who may not see it",
                secret=self.name(secret),
            ),
            tr(
                "read it from its field again behind the question, or keep it in a field that others do not see"
            ),
            tr("the question behind which the name is still needed"),
        )

    def shows(self, site: int, secret: Secret) -> None:
        self.tell(
            site,
            secret,
            tr(
                "this gives a secret away: a question shows {secret}, which not everybody sees",
                secret=self.name(secret),
            ),
            tr("let the question and the asked player depend on public things only"),
            tr("the question that shows it"),
        )

    def unasked(self, number: int, site: int, why: Secret) -> None:
        decides = self.deciding(number, self.world.site_spans[site], why)
        self.tell(
            site,
            why,
            tr(
                "this gives a secret away: that a question is asked shows {secret}, which not everybody sees",
                secret=self.name(why),
            ),
            tr("ask in any case, or reveal first what decides it: put it where all see it"),
            tr("the question, of which all see whether it is asked"),
            (Label(decides, tr("this decides whether it is asked")),) if decides else (),
        )

    def deciding(self, number: int, asked: Span, why: Secret) -> Span | None:
        """The nearest condition above a question that follows from a secret."""
        routine = self.routines[number]
        assert routine is not None
        found = [
            span
            for at, block in enumerate(routine.blocks)
            if isinstance(block.end, ir.Branch) and (number, at) in self.at
            if why in self.of(block.end.condition, self.at[number, at][0])
            for span in self.world.conditions.get(block.end.condition, ())
            if span.source is asked.source and span.start < asked.start
        ]
        return max(found, key=lambda span: span.start, default=None)

    def flows_in(self, secret: Secret, asked: Span) -> tuple[Span | None, Span]:
        """Where a value reads a secret, if one does, and where it flows into what leads to a question."""
        return self.latest(secret.within, secret.read or self.hidden_by(secret, asked) or asked)

    def latest(self, within: Span | None, at: Span) -> tuple[Span | None, Span]:
        """Where a secret is read and where it flows in; turned round where a later layer reads it there."""
        if within is not None and self.world.layer(within) > self.world.layer(at):
            return at, within
        return within, at

    def read_there(self, secret: Secret, place: Span) -> str:
        return tr("the secret is read here") if place == secret.within else tr("here it flows in")

    def tell(
        self, site: int, secret: Secret, message: str, hint: str, asks: str, labels: tuple[Label, ...] = ()
    ) -> None:
        """Reports a secret where it flows in, with the question that shows it and what lies between."""
        asked = self.world.site_spans[site]
        within, at = self.flows_in(secret, asked)
        if not _covers(asked, at) and not _covers(at, asked):
            labels = (*labels, Label(asked, asks))
        if within is not None:
            labels = (*labels, Label(within, self.read_there(secret, within)))
        apart = tuple(each for each in labels if not _covers(each.span, at))
        if not self.is_hidden_later(secret, at):
            self.told.setdefault((at, message), Told(hint, asks, apart, [])).questions.append(asked)

    def hidden_by(self, secret: Secret, asked: Span) -> Span | None:
        """Where a later layer than that of the question hides what was no secret below it."""
        if not self.stores:
            for _, code in self.code():
                bodies = (
                    [code.body] if isinstance(code, pr.Procedure) else [each.body for each in code.blocks]
                )
                for each in chain.from_iterable(map(within, bodies)):
                    if isinstance(each, ir.Store | ir.Change) and each.var in self.secret:
                        self.stores[each.var].append(self.world.site_spans[each.site])
        layer = self.world.layer(asked)
        later = [each for each in self.stores[secret.var] if self.world.layer(each) > layer]
        return min(later, key=lambda span: (span.source.name, span.start), default=None)

    def tell_all(self) -> None:
        """Tells of each secret once where it flows in, with the questions that show it."""
        for (at, message), told in self.told.items():
            others = list(dict.fromkeys(told.questions))[1:]
            shown = [each for each in others if not _covers(at, each) and not _covers(each, at)]
            marked = (*told.labels, *(Label(each, told.asks) for each in shown[: MOST_PLACES - 1]))
            more = len(shown) - MOST_PLACES + 1
            notes = (tr("and {more} more", more=more),) if more > 0 else ()
            self.world.error(
                Code.SECRET_SHOWN,
                at,
                message,
                hint=told.hint,
                labels=tuple(dict.fromkeys(marked)),
                notes=notes,
            )

    def is_hidden_later(self, secret: Secret, at: Span) -> bool:
        """Is this the kind of a piece that a later layer hides from the rules below it? Then it is told there, once."""
        field = self.world.vars[secret.var].field if secret.var in self.kinds else None
        if field is None or self.world.layer(field.name.span) <= self.world.layer(at):
            return False
        self.below.setdefault(secret.var, {})[at] = None
        return True

    def report_kinds(self) -> None:
        """Tells of each kind that a mod or scenario hides, though rules below it show it."""
        for var, places in self.below.items():
            declared = self.world.vars[var]
            assert declared.field is not None
            assert declared.of is not None
            spans = sorted(places, key=lambda span: (span.source.name, span.start))
            more = len(spans) - MOST_PLACES
            notes = (tr("and {more} more", more=more),) if more > 0 else ()
            self.world.error(
                Code.SECRET_SHOWN,
                declared.field.name.span,
                tr(
                    "this gives a secret away: the rules below show in {count} places of what kind a {piece} is",
                    piece=self.world.domains[declared.of].name,
                    count=len(spans),
                ),
                hint=tr("replace each of these rules, or leave the kind to all: take this field out"),
                labels=tuple(Label(span, tr("shown by what is read here")) for span in spans[:MOST_PLACES]),
                notes=notes,
            )

    def name(self, secret: Secret) -> str:
        if secret.var in self.lying:
            pool = next(
                each
                for each in self.world.domains
                if each.pool and secret.var in (each.pool.pile, each.pool.order)
            )
            return tr("where each `{pool}` lies", pool=pool.name)
        return f"`{self.world.vars[secret.var].name}`"

    def asking(self) -> set[int]:
        """The routines that ask somebody, themselves or through others."""
        ends = {
            number: [block.end for block in routine.blocks]
            for number, routine in enumerate(self.routines)
            if routine is not None
        }
        found = {n for n, each in ends.items() if any(isinstance(end, ir.Decide) for end in each)}
        grown = True
        while grown:
            more = {
                n
                for n, each in ends.items()
                if n not in found and any(isinstance(end, ir.Enter) and end.routine in found for end in each)
            }
            found |= more
            grown = bool(more)
        return found


def ranges(offer: ir.Offer) -> tuple[object, ...]:
    """What decides which options a line has."""
    return tuple((each.domain, each.where) for each in offer.variables), offer.guard


def some(secret: Witness) -> Found:
    """A secret, where there is one, as all that something follows from."""
    return () if secret is None else (secret,)


def bare(value: ir.Expr) -> ir.Expr:
    """An expression without what changes its type alone."""
    while isinstance(value, ir.Op) and value.op in SAME:
        value = value.args[0]
    return value


def called(code: pr.Procedure | pr.Routine) -> Iterator[Scope]:
    """What a piece of code calls."""
    bodies = [code.body] if isinstance(code, pr.Procedure) else [each.body for each in code.blocks]
    for body in bodies:
        yield from (("procedure", each.procedure) for each in within(body) if isinstance(each, ir.Call))
    for block in code.blocks if isinstance(code, pr.Routine) else ():
        if isinstance(block.end, ir.Enter):
            yield "routine", block.end.routine


def tells(body: tuple[ir.Stmt, ...], veiled: dict[int, set[int]]) -> bool:
    """Are there lines with veiled arguments in this code?"""
    return any(id(each) in veiled for each in within(body))


def with_veils(body: tuple[ir.Stmt, ...], veiled: dict[int, set[int]]) -> tuple[ir.Stmt, ...]:
    """Code whose lines say which of their arguments are veiled."""

    def veil(statement: ir.Stmt) -> tuple[ir.Stmt, ...]:
        arguments = veiled.get(id(statement))
        if arguments is None or not isinstance(statement, ir.Log | ir.Refused):
            return (statement,)
        return (replace(statement, veiled=tuple(sorted(arguments))),)

    return map_statements(body, veil)


def leaves(code: ir.Stmt | tuple[ir.Stmt, ...]) -> bool:
    """Does code leave a block, or what it stands in, before its end?"""
    body = code if isinstance(code, tuple) else (code,)
    return any(isinstance(each, ir.Leave | ir.Give) for each in within(body))


def returns(code: tuple[ir.Stmt, ...]) -> bool:
    """Does code leave what it stands in?"""
    return any(isinstance(each, ir.Give) for each in within(code))


def _first(one: Witness, other: Witness) -> Witness:
    return one if one is not None else other


def _covers(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end
