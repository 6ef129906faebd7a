"""The scope of one body: its locals, what their names stand for, and what is known not to be none.

Elaboration turns trees into typed IR in one walk: names are resolved, types found and checked, and the node is built.
An expression that cannot be understood becomes a constant of the unknown type, after its one message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Unpack, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Subject, Thing
from dsl.elaborate.bodies.facts import facts
from dsl.elaborate.bodies.ratios import as_ratio, bare, level, ratio, same_parts, wrapped
from dsl.ir import nodes as ir
from dsl.ir.limits import MAX_MEMBERS
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.lower.ir_builder import FALSE, conjunction, number, replace_type
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.hints import of_type
from dsl.resolve.inferred_enums import own_words
from dsl.resolve.kinds import UNKNOWN, AnyType, Unknown, as_fraction, counted_in
from dsl.resolve.reporter import Missing
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

BAD = ir.Const(cast(Type, UNKNOWN), 0)
BIGGEST = 2**31 - 1
"""The greatest number that a sum or product may reach."""


def known(expr: ir.Expr) -> bool:
    """Was the expression understood?"""
    return not isinstance(expr.type, Unknown)


def counted(count: int) -> str:
    """How many arguments, in words."""
    return tr("1 argument") if count == 1 else tr("{count} arguments", count=count)


@record(slots=True)
class Body:
    """What belongs to the code that is being elaborated: a value, a condition, an action."""

    locals: list[Type] = field(default_factory=list)
    names: list[dict[str, ir.Expr]] = field(default_factory=lambda: [{}])
    head: tuple[str, tuple[w.Param, ...]] | None = None
    """What a clause is about, with its parameters as the clause calls them."""
    renamed: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Names of a head's parameters that a clause calls otherwise: their numbers, and the clause's own names."""
    facts: set[str] = field(default_factory=set)
    by: ir.Expr | None = None
    acting: ir.Expr | None = None
    """Who does the action that this code belongs to; within a reaction that is owned, `by` is its owner."""
    effects: bool = False
    """May it roll, and write?"""
    in_cells: str = ""
    """The table in whose cells it stands."""
    secrets: dict[str, list[tuple[ir.Expr, ir.Expr]]] = field(default_factory=dict)
    hoisted: list[ir.Stmt] = field(default_factory=list)
    trusting: bool = False
    """Is what may be none taken to be there? A test that is wrong there fails when it runs."""
    depth: int = 0
    """How many conditions and folds an expression stands in: there it may not roll."""
    owner: ir.Expr | None = None
    """Whose fields a bare name may mean (`self`)."""

    def new(self, type_: AnyType) -> ir.Local:
        self.locals.append(cast(Type, type_))
        return ir.Local(cast(Type, type_), len(self.locals) - 1)

    def bind(self, name: str, expr: ir.Expr) -> None:
        self.names[-1][name] = expr

    def find(self, name: str) -> ir.Expr | None:
        found = next((scope[name] for scope in reversed(self.names) if name in scope), None)
        is_renamed = isinstance(found, ir.Local) and self.renamed.get(name, (None,))[0] == found.index
        return None if is_renamed else found

    def rename(self, number: int, name: str, own: str) -> None:
        """From here to the end of the scope a parameter is known by the clause's name for it, and not by the head's."""
        self.renamed[name] = number, own

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope within; what is learned there is forgotten behind it."""
        self.names.append({})
        facts, renamed = set(self.facts), dict(self.renamed)
        try:
            yield
        finally:
            self.names.pop()
            self.facts, self.renamed = facts, renamed

    @contextmanager
    def inner(self) -> Iterator[None]:
        """A scope within an expression, which may be read never or often."""
        self.depth += 1
        with self.block():
            yield
        self.depth -= 1


Opened = tuple[tuple[int, int], ...]
"""Inside of what happens together: for each variable that counts what is met again, how often it is open since the
instant began, in order.
"""


def opened_once_more(opened: Opened, var: int | None) -> Opened:
    """With what a variable counts open once more; None counts nothing."""
    if var is None:
        return opened
    counts = dict(opened)
    counts[var] = counts.get(var, 0) + 1
    return tuple(sorted(counts.items()))


def modified_argument(action: w.Action, at: int, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """What an action that was ordered with some arguments is done with in place of one of them."""
    if at not in action.modified:
        return args[at]
    return ir.Ask(counted_in(action.params[at].type), action.modified[at], args)


_ANY = re.compile(r"\(?any\s+(?P<rest>\w+\s+in\b.*)", re.DOTALL)
_SHOWN = 60


def _one_of_them(found: AnyType, wanted: AnyType, span: Span) -> str:
    """A hint where it is asked whether there is one, and one or all of them are meant."""
    asked = _ANY.match(span.text) if found == TRUTH and isinstance(wanted, Id | SetOf) else None
    if asked is None:
        return ""
    rest = " ".join(asked["rest"].split()).rstrip(")") if span.text.startswith("(") else asked["rest"]
    rest = rest if len(rest) <= _SHOWN else f"{rest[: rest.rfind(' ', 0, _SHOWN)]} ..."
    word = "all" if isinstance(wanted, SetOf) else "first"
    return tr("`any` asks whether there is one: write `{meant}`", meant=f"{word} {rest}")


class Elaboration:
    """The base of the elaborators: the world, the body, and how types meet."""

    def __init__(self, world: World, body: Body | None = None) -> None:
        self.world = world
        self.body = body or Body()
        self.opened: Opened | None = None
        """What is open where things happen together, None elsewhere. Writes are kept back there, so that no variable
        can count it: each depth has code of its own (`clauses.copies`).
        """

    def room(self, var: int, depth: int) -> ir.Expr:
        """That what a variable counts may be met once more."""
        left = depth - dict(self.opened or ()).get(var, 0)
        return FALSE if left <= 0 else ir.Op(TRUTH, "lt", (ir.Load(Int(0, depth), var), number(left)))

    def judged(self, action: w.Action, args: tuple[ir.Expr, ...]) -> ir.Expr:
        """That an action is allowed."""
        allowed = ir.Judge(TRUTH, action.id, args)
        if self.opened is None or action.depth_var is None or action.depth is None:
            return allowed
        return conjunction([self.room(action.depth_var, action.depth), allowed])

    def expr(self, tree: ast.Expr, expected: AnyType | None = None) -> ir.Expr:
        raise NotImplementedError

    def is_new(self, tree: ast.Let | ast.Naming) -> None:
        """Tells of a `let` whose name is one from above: it would be a second thing, known in its own block only."""
        name = tree.name.text
        if tree.type is not None and self.body.effects:
            self.world.error(
                Code.NOT_WRITABLE,
                tree.type.span,
                tr("what a `let` names is set again in the block of a value only"),
                hint=tr("leave out the type; what changes is kept in a field"),
            )
        if self.body.find(name) is not None:
            hint = "give it a name of its own; what changes is kept in a field"
            message = tr("`{name}` is a name for a value already, which stays what it is", name=name)
            subject = Subject("name", name)
            self.world.error(Code.DUPLICATE_NAME, tree.name.span, message, hint=hint, subject=subject)

    def learn(self, condition: ast.Expr, *, holds: bool) -> None:
        """Notes what follows from a condition, which has been elaborated before, for what is read next."""
        self.body.facts |= facts(condition, holds, lambda tree: tree.span in self.world.proofs)

    def unlearn(self, names: Iterable[str]) -> None:
        """Forgets what is known of things by these names, which stand for others from here on."""
        for name in names:
            self.body.facts -= {
                each for each in self.body.facts if name in each and name in re.findall(r"\w+", each)
            }

    def having(self, member: ir.Expr, field: str) -> ir.Expr:
        """The member of which a field is meant; in tests the name of a kind may stand for a piece of it."""
        return member

    def fault(self, code: Code, span: Span, message: str, *, hint: str = "", label: str = "") -> ir.Expr:
        self.world.error(code, span, message, hint=hint, label=label)
        return BAD

    def unknown(self, thing: Thing, span: Span, message: str = "", **more: Unpack[Missing]) -> ir.Expr:
        self.world.unknown(thing, span, message, **more)
        return BAD

    # ------------------------------------------------------------ types

    def said(self, type_: AnyType) -> str:
        """A type as messages name it: of a single number, that number."""
        if isinstance(type_, Int) and not type_.truth and not type_.optional and type_.low == type_.high:
            return tr("the number {number}", number=type_.low)
        return self.world.show(type_)

    def truth(self, tree: ast.Expr, *, meant: str = "") -> ir.Expr:
        """A condition; `meant` is a hint that is more to the point than the usual one."""
        found = self.expr(tree, TRUTH)
        if known(found) and found.type != TRUTH:
            shown = self.said(found.type)
            hint = meant or "ask for what you mean: `is not none`, `> 0`, `is not empty`"
            if isinstance(tree, ast.Located) and isinstance(tree.kind, ast.NameExpr):
                asked = f"{tree.kind.name}.at is {tree.place.span.text}"
                hint = tr("where a piece stands is asked by `{asked}`", asked=asked)
            return self.fault(
                Code.TYPE_MISMATCH,
                tree.span,
                tr("a condition is needed here, this is {shown}", shown=shown),
                hint=hint,
            )
        return found if known(found) else FALSE

    def scalar(self, tree: ast.Expr, expected: AnyType | None = None) -> ir.Expr:
        """A value that is there: not none."""
        return self.present(self.expr(tree, expected), tree.span)

    def present(self, expr: ir.Expr, span: Span) -> ir.Expr:
        if found := as_ratio(expr):
            there = self.present(found.of, span)
            return ratio(there, found.type.parts) if known(there) else BAD
        if isinstance(expr.type, Int | Id) and expr.type.optional:
            if self.body.trusting:
                return ir.Op(replace(expr.type, optional=False), "some", (expr,))
            line = span.source.line_starts[span.line - 1]
            if line < span.start and self.world.reporter.is_spoilt(span.source.span(line, span.start - 1)):
                return BAD  # it may be the test for none that could not be understood
            if self.absent(expr, span):
                return BAD
            if isinstance(expr, ir.Const) and expr.value == NONE:
                hint = "write what is there; only what is declared with a `?` behind its type may be none"
                return self.fault(
                    Code.OPTIONAL_USED, span, "`none` stands where a value is needed", hint=hint
                )
            self.fault(
                Code.OPTIONAL_USED,
                span,
                tr("`{span}` may be none here", span=span.text),
                hint=tr(
                    "test it first (`{span} is not none`), or give a replacement: `{span} or ...`",
                    span=f"({span.text})" if " " in span.text.partition("(")[0] else span.text,
                ),
            )
            return BAD
        return expr

    def absent(self, expr: ir.Expr, span: Span) -> bool:
        """Tells of a rule that reads a column in which only a row of a later file prints nothing: there it is amiss."""
        column = self.world.column_of(expr.data) if isinstance(expr, ir.Lookup) else None
        place = column.absent if column is not None else None
        if column is None or place is None or self.world.layer(place) <= self.world.layer(span):
            return False
        if not self.world.reporter.has(Code.MISSING_CELL, place):
            self.world.error(
                Code.MISSING_CELL,
                place,
                tr("this row prints nothing in `{column}`, where a rule needs a value", column=column.name),
                labels=(Label(span, "needed here"),),
                hint="write one; only rules that ask for it first can do without",
                subject=Subject("column", column.name),
                cause=span,
            )
        return True

    def whole(self, tree: ast.Expr) -> ir.Expr:
        """A number that is there."""
        found = self.scalar(tree)
        return self.unrounded(tree.span) if as_ratio(found) else self.number_of(found, tree)

    def number_of(self, found: ir.Expr, tree: ast.Expr) -> ir.Expr:
        if known(found) and not (isinstance(found.type, Int) and not found.type.truth):
            shown = self.world.show(found.type)
            return self.fault(
                Code.TYPE_MISMATCH, tree.span, tr("a number is needed here, this is {shown}", shown=shown)
            )
        return found

    def unrounded(self, span: Span) -> ir.Expr:
        return self.fault(
            Code.UNROUNDED,
            span,
            "a fraction stands where a whole number is needed",
            hint=tr(
                "say how it is rounded: `{span} rounded up`, `rounded down` or `rounded to zero`",
                span=span.text,
            ),
            label="this is a fraction",
        )

    def coerce(self, expr: ir.Expr, type_: AnyType, span: Span) -> ir.Expr:
        """The expression as a value of a type, or a fault."""
        if not known(expr) or isinstance(type_, Unknown):
            return BAD
        if wanted_parts := as_fraction(type_):
            counted_parts = same_parts(self, expr, wanted_parts, span)
            if counted_parts is not None and known(counted_parts):
                of = self.coerce(counted_parts, wanted_parts.count, span)
                return ratio(of, wanted_parts.parts) if known(of) else BAD
            return BAD
        if as_ratio(expr) and isinstance(type_, Int):
            return self.unrounded(span)
        found = self.converted(expr, type_, span)
        if found is None:
            shown, wanted = self.said(expr.type), self.world.show(type_)
            labels, hint = own_words(self.world, (expr.type, type_))
            hint = hint or _one_of_them(expr.type, type_, span) or of_type(self.world, type_)
            message = tr("this is {shown}, where {wanted} is needed", shown=shown, wanted=wanted)
            self.world.error(
                Code.TYPE_MISMATCH,
                span,
                message,
                label=tr("this is {shown}", shown=shown),
                labels=labels,
                hint=hint,
            )
            return BAD
        return found

    def converted(self, expr: ir.Expr, type_: Type, span: Span) -> ir.Expr | None:
        source = expr.type
        if source == type_:
            return expr
        match source, type_:
            case ((Int() | Id()), (Int() | Id())):
                return self.scalar_to(expr, source, type_, span)
            case SetOf(), SetOf():
                return self.set_to(expr, source, type_)
            case ((Int(optional=True) | Id(optional=True)), SetOf()):
                return self.converted(self.at_most_one(expr, source), type_, span)
            case BagOf(), BagOf():
                return self.bag_to(expr, source, type_)
            case ListOf(), ListOf():
                return (
                    replace_type(expr, type_)
                    if source.of == type_.of and source.limit <= type_.limit
                    else None
                )
            case ListOf(), SetOf() if source.of == type_.of:
                return ir.Op(type_, "list_set", (expr,))
            case Record(), Record() if len(source.types) == len(type_.types):
                return replace_type(expr, type_)
            case _:
                return None

    def as_member(self, expr: ir.Expr, wanted: AnyType | None, span: Span) -> ir.Expr:
        """A member of a part of the union that is wanted, as one of the union; all else as it is."""
        if not isinstance(wanted, Id) or not isinstance(expr.type, Id) or expr.type.domain == wanted.domain:
            return expr
        if self.world.offset(expr.type.domain, wanted.domain) is None:
            return expr
        found = self.converted(expr, replace(wanted, optional=expr.type.optional), span)
        return expr if found is None else found

    def at_most_one(self, found: ir.Expr, type_: Int | Id) -> ir.Expr:
        """What may be none, as a set of at most one."""
        return ir.Op(SetOf(replace(type_, optional=False)), "single", (found,))

    def scalar_to(self, expr: ir.Expr, source: Int | Id, type_: Int | Id, span: Span) -> ir.Expr | None:
        if expr == ir.Const(source, NONE) and type_.optional:
            return ir.Const(type_, NONE)
        if source.optional and not type_.optional:
            there = self.present(expr, span)
            return self.converted(there, type_, span) if known(there) else there
        match source, type_:
            case Int(), Int() if source.truth == type_.truth:
                return self.int_to(expr, source, type_, span)
            case Id(), Id() if source.domain == type_.domain:
                return replace_type(expr, type_)
            case Id(), Id():
                offset = self.offset(source.domain, type_.domain)
                if offset is None and self.world.is_within(source.domain, type_.domain):
                    return self.part_by_part(expr, source, type_)
                if offset is None:
                    return self.as_place(expr, source, type_)
                if isinstance(expr, ir.Const) and isinstance(expr.value, int) and expr.value != NONE:
                    return ir.Const(type_, expr.value + offset)
                return ir.Op(type_, "cast", (expr, number(offset)))
            case _:
                return None

    def part_by_part(self, expr: ir.Expr, source: Id, type_: Id) -> ir.Expr:
        """A member of a union as one of another union, in which its parts stand in another order."""
        bases = {
            part: self.offset(part, type_.domain) or 0 for part in self.world.domains[source.domain].parts
        }
        if isinstance(expr, ir.Const) and isinstance(expr.value, int):
            at = 0
            for part, base in bases.items():
                size = len(self.world.domains[part].members)
                if at <= expr.value < at + size:
                    return ir.Const(type_, expr.value - at + base)
                at += size
        return self.moved(expr, source, type_, bases)

    def moved(self, expr: ir.Expr, source: Id, type_: Id | Int, bases: dict[int, int]) -> ir.Expr:
        """A member of a union as another type that says where the members of each of its parts begin."""
        kept = self.body.new(source)
        present = replace(source, optional=False)
        member = ir.Op(present, "some", (kept,)) if source.optional else kept
        bare_type = replace(type_, optional=False)
        size = len(self.world.domains[source.domain].members)
        place = ir.Op(Int(0, size - 1), "id", (member,))
        at, branches = 0, []
        for part, base in bases.items():
            end = at + len(self.world.domains[part].members)
            if isinstance(bare_type, Id):
                found: ir.Expr = ir.Op(bare_type, "cast", (member, number(base - at)))
            else:
                moved = Int(base - at, base - at + size - 1)
                found = ir.Op(bare_type, "narrow", (ir.Op(moved, "add", (place, number(base - at))),))
            branches.append((end, found))
            at = end
        result = branches[-1][1]
        for end, found in reversed(branches[:-1]):
            result = ir.Op(bare_type, "if", (ir.Op(TRUTH, "lt", (place, number(end))), found, result))
        result = replace_type(result, type_)
        if source.optional:
            gone = ir.Op(TRUTH, "is_none", (kept,))
            result = ir.Op(type_, "if", (gone, ir.Const(type_, NONE), result))
        return ir.LetIn(type_, kept.index, expr, result)

    def as_place(self, expr: ir.Expr, source: Id, type_: Id) -> ir.Expr | None:
        """A place of one shape as a `Place`; None where it is none."""
        shape = self.world.shapes.get(source.domain)
        if type_.domain != self.world.any_place or shape is None or shape.wide is None:
            return None
        if isinstance(expr, ir.Const) and isinstance(expr.value, int):
            return ir.Const(type_, self.world.data[shape.wide].values[expr.value])
        place = replace(type_, optional=False)
        if not source.optional:
            return replace_type(ir.Lookup(place, shape.wide, (expr,)), type_)
        kept = self.body.new(source)
        there = ir.Lookup(place, shape.wide, (ir.Op(replace(source, optional=False), "some", (kept,)),))
        gone = ir.Op(TRUTH, "is_none", (kept,))
        found = ir.Op(type_, "if", (gone, ir.Const(type_, NONE), there))
        return ir.LetIn(type_, kept.index, expr, found)

    def int_to(self, expr: ir.Expr, source: Int, type_: Int, span: Span) -> ir.Expr:
        if source.low > type_.high or source.high < type_.low:
            shown = f"{source.low}" if source.low == source.high else f"{source.low}..{source.high}"
            return self.fault(
                Code.OUT_OF_RANGE,
                span,
                tr("{shown} can never lie in {low}..{high}", shown=shown, low=type_.low, high=type_.high),
                hint="widen the range where it is declared, or mend the number",
            )
        if isinstance(expr, ir.Const):
            return ir.Const(type_, expr.value)
        if type_.low <= source.low and source.high <= type_.high:
            return replace_type(expr, type_)
        return ir.Op(type_, "narrow", (expr,))

    def bag_to(self, expr: ir.Expr, source: BagOf, type_: BagOf) -> ir.Expr | None:
        if source.domain != type_.domain:
            return None
        if source.limit <= type_.limit or (isinstance(expr, ir.Const) and _fits(expr, type_)):
            return replace_type(expr, type_)
        return ir.Op(type_, "narrow", (expr,))

    def set_to(self, expr: ir.Expr, source: SetOf, type_: SetOf) -> ir.Expr | None:
        if isinstance(source.of, Int) and isinstance(type_.of, Int):
            return self.numbers_to(expr, source.of, type_.of) if source.of.truth == type_.of.truth else None
        if isinstance(source.of, Id) and isinstance(type_.of, Id):
            found = self.offset(source.of.domain, type_.of.domain)
            if found is None:
                return None
            offset = found
        else:
            return None
        if isinstance(expr, ir.Const) and isinstance(expr.value, int):
            return ir.Const(type_, expr.value << offset if offset >= 0 else expr.value >> -offset)
        return ir.Op(type_, "cast", (expr, number(offset)))

    def numbers_to(self, expr: ir.Expr, source: Int, type_: Int) -> ir.Expr | None:
        """A set of numbers as one of another range; a number outside of it fails in play (E0601)."""
        wanted, offset = SetOf(type_), source.low - type_.low
        if isinstance(expr, ir.Const) and isinstance(expr.value, int):
            moved = expr.value << offset if offset >= 0 else expr.value >> -offset
            lost = offset < 0 and expr.value & ((1 << -offset) - 1)
            return None if lost or moved >> (type_.high - type_.low + 1) else ir.Const(wanted, moved)
        if type_.low <= source.low and source.high <= type_.high:
            return ir.Op(wanted, "cast", (expr, number(0)))
        if source.low > type_.high or source.high < type_.low:
            return None
        kept = self.body.new(SetOf(source))
        low, high = max(source.low, type_.low), min(source.high, type_.high)
        fitting = ir.Const(SetOf(source), ((1 << (high - low + 1)) - 1) << (low - source.low))
        beyond = ir.Op(kept.type, "minus", (kept, fitting))
        first = ir.Op(replace(source, optional=True), "only", (beyond,))
        strange = ir.Op(replace(type_, optional=True), "narrow", (first,))
        both = (ir.Op(wanted, "cast", (kept, number(0))), ir.Op(wanted, "single", (strange,)))
        return ir.LetIn(wanted, kept.index, expr, ir.Op(wanted, "union", both))

    def offset(self, source: int, target: int) -> int | None:
        """Where the members of one domain stand within a union."""
        return self.world.offset(source, target)

    def join(self, one: ir.Expr, two: ir.Expr, span: Span) -> tuple[ir.Expr, ir.Expr, Type]:
        """Two expressions brought to one type: for the branches of a condition, and for comparisons."""
        if not known(one) or not known(two):
            return BAD, BAD, BAD.type
        if as_ratio(one) or as_ratio(two):
            return self.join_ratios(one, two, span)
        if isinstance(one.type, Int) and isinstance(two.type, Int) and one.type.truth == two.type.truth:
            low, high = self.bounds(one, two)
            optional = one.type.optional or two.type.optional
            type_: Type = Int(low, high, optional=optional, truth=one.type.truth)
            return replace_type(one, type_), replace_type(two, type_), type_
        wide = self.wider(one.type, two.type)
        if wide is not None:
            first, second = self.converted(one, wide, span), self.converted(two, wide, span)
            if first is not None and second is not None:
                return first, second, wide
        for target, other in ((two.type, one), (one.type, two)):
            wanted: Type = target
            if isinstance(wanted, Int | Id) and isinstance(other.type, Int | Id) and other.type.optional:
                wanted = replace(wanted, optional=True)
            left, right = self.converted(one, wanted, span), self.converted(two, wanted, span)
            if left is not None and right is not None:
                return left, right, wanted
        shown = tr("{type} and {type2}", type=self.said(one.type), type2=self.said(two.type))
        labels, hint = own_words(self.world, (one.type, two.type))
        hint = hint or self.told_apart(one.type, two.type) or self.of_a_set(one.type, two.type)
        message = tr("these do not go together: {shown}", shown=shown)
        self.world.error(Code.TYPE_MISMATCH, span, message, labels=labels, hint=hint)
        return BAD, BAD, BAD.type

    def of_a_set(self, one: Type, two: Type) -> str:
        """What to write where one of two types is a set or list of the other."""
        pairs = ((one, two), (two, one))
        is_one_of = any(
            isinstance(whole, SetOf | ListOf)
            and isinstance(each, Id)
            and whole.of == replace(each, optional=False)
            for each, whole in pairs
        )
        return tr("whether it is one of them: `x in S`") if is_one_of else ""

    def told_apart(self, one: Type, two: Type) -> str:
        """What two types are, one of them a union, that have no member in common."""
        domains = [self.world.domains[each.domain] for each in (one, two) if isinstance(each, Id)]
        unions = [each for each in domains if each.parts]
        if len(domains) < 2 or not unions:
            return ""
        parts = [
            f"{each.name} is {' | '.join(self.world.domains[p].name for p in each.parts)}" for each in unions
        ]
        return tr("{parts}: what is one of them is never one of the other", parts=", and ".join(parts))

    def wider(self, left: Type, right: Type) -> SetOf | None:
        """Sets of numbers that hold what two others hold; None where these are none, or would be too many."""
        one, two = (each.of if isinstance(each, SetOf) else None for each in (left, right))
        if not (isinstance(one, Int) and isinstance(two, Int) and one.truth == two.truth):
            return None
        low, high = min(one.low, two.low), max(one.high, two.high)
        return SetOf(replace(one, low=low, high=high)) if high - low < MAX_MEMBERS else None

    def branching(self, test: ir.Expr, one: ir.Expr, two: ir.Expr, type_: Type) -> ir.Expr:
        """Either of two expressions that were joined."""
        found = as_fraction(type_)
        return wrapped(ir.Op(counted_in(type_), "if", (test, bare(one), bare(two))), found)

    def join_ratios(self, one: ir.Expr, two: ir.Expr, span: Span) -> tuple[ir.Expr, ir.Expr, Type]:
        """Two fractions, or a fraction and a number, in parts of one size."""
        if (even := level(self, one, two, ast.NoneExpr(span=span))) is None:
            shown = tr("{type} and {type2}", type=self.world.show(one.type), type2=self.world.show(two.type))
            self.fault(Code.TYPE_MISMATCH, span, tr("these do not go together: {shown}", shown=shown))
            return BAD, BAD, BAD.type
        left, right, _ = self.join(even[0], even[1], span)
        if not known(left):
            return BAD, BAD, BAD.type
        both = ratio(left, even[2]), ratio(right, even[2])
        return *both, both[0].type

    def bounds(self, one: ir.Expr, two: ir.Expr) -> tuple[int, int]:
        """The least range for both; `none` has no bounds of its own."""
        ranges = [
            (each.type.low, each.type.high)
            for each in (one, two)
            if isinstance(each.type, Int) and not (isinstance(each, ir.Const) and each.value == NONE)
        ]
        return min((low for low, _ in ranges), default=0), max((high for _, high in ranges), default=0)


def appended(elements: ir.Expr, item: ir.Expr) -> ir.Expr:
    """A list with one more element, which must have room there."""
    assert isinstance(elements.type, ListOf)
    longer = ListOf(elements.type.of, elements.type.limit + 1)
    return ir.Op(elements.type, "narrow", (ir.Op(longer, "append", (elements, item)),))


def _fits(expr: ir.Const, type_: BagOf) -> bool:
    return isinstance(expr.value, tuple) and all(count <= type_.limit for count in expr.value)
