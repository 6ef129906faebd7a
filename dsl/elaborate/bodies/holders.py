"""Pieces in pieces: the field `in` of a piece names another one that holds it.

What is inside has no cell and lies in no pile; a holder has room for so many; and when a holder leaves play, the
clause of the field says what becomes of each piece in it, while the holder still stands where it stood.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, cast

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.scope import BAD, Elaboration, known
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from dsl.ir.walk import inside as inside_of
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction, negation, number, replace_type
from dsl.resolve.holdings import holder_type, holders_of, holding_of, holdings_of
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain, Holding
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.expressions import Expressions
    from dsl.elaborate.bodies.statements import Statements


# ---------------------------------------------------------------- declaring


# ---------------------------------------------------------------- what is inside


def inside(e: Elaboration, of: ir.Expr, span: Span) -> ir.Expr | None:
    """The pieces in a piece, as a set; None where nothing can be in it."""
    assert isinstance(of.type, Id)
    held = holdings_of(e.world, of.type.domain)
    if not held:
        return None
    sets = [contents(e, each, of) for each in held]
    if len(sets) == 1:
        return sets[0]
    inner = [each.inner for each in held]
    union = next(
        (d for d in e.world.domains if d.parts and all(e.offset(i, d.id) is not None for i in inner)), None
    )
    if union is None:
        names = " or ".join(f"`x in {e.world.domains[i].name} where x.in is ...`" for i in inner)
        hint = tr("say which: {names}", names=names)
        return e.fault(Code.AMBIGUOUS_NAME, span, "pieces of several types may be in it", hint=hint)
    type_ = SetOf(Id(union.id))
    result: ir.Expr = ir.Const(type_, 0)
    for each in sets:
        assert isinstance(each.type, SetOf)
        wide = e.set_to(each, each.type, type_)
        assert wide is not None
        result = ir.Op(type_, "union", (result, wide))
    return result


def contents(e: Elaboration, held: Holding, of: ir.Expr) -> ir.Expr:
    """The pieces of one type that are in a piece."""
    piece = e.body.new(Id(held.inner))
    same = ir.Op(TRUTH, "eq", (_in(e.world, held, piece), _wide(e, held, of)))
    pool = e.world.domains[held.inner].pool
    assert pool is not None
    everything = ir.Load(SetOf(Id(held.inner)), pool.in_play)
    return ir.Fold(SetOf(Id(held.inner)), "all", piece.index, everything, same, None)


def _in(world: World, held: Holding, piece: ir.Expr) -> ir.Expr:
    return ir.Load(world.vars[held.var].type, held.var, piece)


def _wide(e: Elaboration, held: Holding, of: ir.Expr) -> ir.Expr:
    """A holder as the field names it."""
    assert isinstance(of.type, Id)
    place = holder_type(e.world, held)
    offset = e.offset(of.type.domain, place.domain)
    assert offset is not None
    moved = of if offset == 0 and of.type.domain == place.domain else ir.Op(
        replace(place, optional=of.type.optional), "cast", (of, number(offset))
    )  # fmt: skip
    return replace_type(moved, place)


def room(e: Expressions, arguments: tuple[ast.Expr, ...], tree: ast.Expr) -> ir.Expr:
    """`room(h)`: how many more there is room for in a piece."""
    of = e.scalar(arguments[0]) if len(arguments) == 1 else BAD
    if len(arguments) == 1 and not known(of):
        return BAD
    held = holdings_of(e.world, of.type.domain) if isinstance(of.type, Id) else []
    held = [each for each in held if each.limit is not None]
    if len(held) != 1:
        return e.fault(
            Code.WRONG_ARGUMENTS,
            tree.span,
            "`room` asks of a piece that holds one type of pieces, up to a number",
            hint="such a type has a field `in: Carrier? up to 3`",
        )
    most = _limit(e, held[0], of)
    if not known(most):
        return BAD
    assert isinstance(most.type, Int)
    size = len(e.world.domains[held[0].inner].members)
    everything = contents(e, held[0], of)
    taken = ir.Op(Int(0, size), "size", (everything,))
    left = ir.Op(Int(most.type.low - size, most.type.high), "sub", (most, taken))
    return ir.Op(Int(0, max(0, most.type.high)), "max", (left, number(0)))


def _limit(e: Elaboration, held: Holding, of: ir.Expr) -> ir.Expr:
    """How many a holder holds: a number, or a column or field of the holder."""
    assert held.limit is not None
    body = e.body
    names, owner, facts = body.names, body.owner, body.facts
    body.names, body.owner, body.facts = [{}], of, set()
    found = e.whole(held.limit)
    body.names, body.owner, body.facts = names, owner, facts
    return found


# ---------------------------------------------------------------- going in and out


def leaves_place(e: Elaboration, var: int, value: ir.Expr) -> bool:
    """Does a piece leave where it is, in a holder or on a cell, as the variable is set?"""
    domain = e.world.vars[var].of
    held = holding_of(e.world, domain) if domain is not None else None
    if held is None or domain is None or (isinstance(value, ir.Const) and value.value == NONE):
        return False
    return var in {held.var, e.world.domains[domain].fields.get("at")}


def reads_left(e: Elaboration, domain: Domain, var: int | None, exprs: tuple[ir.Expr, ...]) -> bool:
    """May expressions read what is emptied as a piece goes into a holder or on a cell (`var`), or else into a pile?"""
    held = holding_of(e.world, domain.id)
    if held is None:
        return False
    pile = domain.pool.pile if domain.pool is not None else None
    emptied = {domain.fields.get("at"), pile} if var == held.var else {held.var}
    return any(
        isinstance(part, ir.Ask | ir.Judge | ir.Trial) or (isinstance(part, ir.Load) and part.var in emptied)
        for each in exprs
        for part in inside_of(each)
    )


def moved(s: Statements, var: int, owner: ir.Expr | None, value: ir.Expr, span: Span) -> list[mid.Mid]:
    """What follows of setting `in` or `at` of a piece: it is in one place only, and a holder has room."""
    domain = s.world.vars[var].of
    if owner is None or domain is None or not leaves_place(s, var, value):
        return []
    held = holding_of(s.world, domain)
    assert held is not None
    at = s.world.domains[domain].fields.get("at")
    if var == at:
        return [_nowhere(s, held.var, owner, span)]
    found = s.body.new(holder_type(s.world, held))
    there = ir.Op(Id(found.type.domain), "some", (found,))  # type: ignore[union-attr]
    full = refusals(s, held, owner, there)
    refused = (ir.Fail(Code.NO_ROOM.id, s.site(span)),)
    code: list[mid.Mid] = [mid.MidIf(test, refused) for test in full]
    code += [_nowhere(s, at, owner, span)] if at is not None else []
    code += lifted(s, s.world.domains[domain], owner, span)
    given = ir.SetLocal(found.index, replace_type(value, found.type))
    return [given, mid.MidIf(negation(ir.Op(TRUTH, "is_none", (found,))), tuple(code))]


def _nowhere(s: Statements, var: int, owner: ir.Expr, span: Span) -> mid.Mid:
    type_ = s.world.vars[var].type
    return ir.Store(var, owner, None, ir.Const(type_, NONE), s.site(span))


def lifted(s: Statements, domain: Domain, piece: ir.Expr, span: Span) -> list[mid.Mid]:
    """A card that is put into a piece lies in no pile."""
    pool = domain.pool
    if pool is None or pool.pile is None:
        return []
    nowhere = ir.Const(s.world.vars[pool.pile].type, NONE)
    return [ir.MoveCard(s.world.pool_number(domain), piece, nowhere, True, s.site(span))]


def out_of_holder(s: Statements, domain: Domain, piece: ir.Expr, span: Span) -> list[mid.Mid]:
    """A card that is moved to a pile is in no piece."""
    held = holding_of(s.world, domain.id)
    return [_nowhere(s, held.var, piece, span)] if held is not None else []


def refusals(s: Statements, held: Holding, piece: ir.Expr, there: ir.Expr) -> list[ir.Expr]:
    """When a piece cannot go into another one: that is full, or one of them is both in and holding."""
    tests: list[ir.Expr] = []
    inner = Id(held.inner)
    if held.limit is not None:
        most = _limit(s, held, there)
        single = ir.Op(SetOf(inner), "single", (piece,))
        others = ir.Op(SetOf(inner), "minus", (contents(s, held, there), single))
        taken = ir.Op(Int(0, len(s.world.domains[held.inner].members)), "size", (others,))
        tests += [ir.Op(TRUTH, "ge", (taken, most))] if known(most) else []
    place = holder_type(s.world, held)
    offset = s.offset(held.inner, place.domain)
    if offset is None:
        return tests
    own = piece if place.domain == held.inner else ir.Op(Id(place.domain), "cast", (piece, number(offset)))
    tests.append(ir.Op(TRUTH, "eq", (replace_type(own, Id(place.domain)), there)))
    tests.append(negation(ir.Op(TRUTH, "eq", (contents(s, held, piece), ir.Const(SetOf(inner), 0)))))
    each = s.body.new(inner)
    wide = each if place.domain == held.inner else ir.Op(Id(place.domain), "cast", (each, number(offset)))
    here = ir.Op(TRUTH, "eq", (replace_type(wide, Id(place.domain)), there))
    riding = negation(ir.Op(TRUTH, "is_none", (_in(s.world, held, each),)))
    everything = ir.Const(SetOf(inner), (1 << len(s.world.domains[held.inner].members)) - 1)
    tests.append(ir.Fold(TRUTH, "any", each.index, everything, conjunction([here, riding]), TRUE))
    return tests


# ---------------------------------------------------------------- when a holder leaves


def leaving(s: Statements, domain: Domain, piece: ir.Expr) -> list[mid.Mid]:
    """What becomes of all that is in a piece that is taken away; it is still in play meanwhile."""
    code: list[mid.Mid] = []
    for held in holdings_of(s.world, domain.id):
        if held.leaves is None:
            continue
        everything = contents(s, held, piece)
        with s.collecting() as inner:
            each = s.body.new(Id(held.inner))
            _read(s, held, each)
        if mid.suspends(tuple(inner.statements)):
            s.fault(
                Code.HOLDER_SILENT,
                held.leaves.span,
                "what becomes of a piece whose holder leaves is not asked",
                hint="let somebody choose before the holder is taken away; here stands what becomes of the rest",
            )
            continue
        code.append(mid.MidForEach(each.index, everything, tuple(inner.statements), s.site(held.span)))
    return code


def _read(s: Statements, held: Holding, piece: ir.Local) -> None:
    """The clause of the field, read for one piece, which it calls `self`."""
    assert held.leaves is not None
    body = s.body
    names, owner, facts, leaf = body.names, body.owner, body.facts, s.world.leaf
    body.names, body.owner, body.facts = [{"self": piece}], piece, {"self.in", "in"}
    s.world.leaf = held.inner
    s.run_block(held.leaves)
    body.names, body.owner, body.facts, s.world.leaf = names, owner, facts, leaf


def never_left(world: World) -> list[tuple[int, bool, bool]]:
    """Holders that nothing takes away: what their clauses say is read all the same."""
    taken = {domain for domain, _, _ in world.retirements}
    found: dict[tuple[int, bool, bool], None] = {}
    for held in world.holdings:
        holders = holders_of(world, holder_type(world, held).domain)
        if not taken & set(holders):
            found[holders[0], False, False] = None
    return list(found)


def check_limits(s: Statements) -> None:
    """Reads how many a holder holds, once, wherever nothing is put into it."""
    for held in s.world.holdings:
        if held.limit is not None:
            with s.body.inner():
                place = replace(holder_type(s.world, held), optional=False)
                _limit(s, held, s.body.new(place))


def check_circles(world: World) -> None:
    """Taking a holder away may not lead, through what becomes of the others, to taking a holder away."""
    for (domain, _, leaf), start in world.retirements.items():
        if leaf or not holdings_of(world, domain):
            continue
        if start in _called(world, start, set()):
            held = holdings_of(world, domain)[0]
            world.error(
                Code.CALL_CYCLE,
                held.leaves.span if held.leaves else held.span,
                "what is done when a holder leaves may take a holder away again",
                labels=(Label(held.span, "for what is in here"),),
                hint="take the piece away here: `take away self`, and put it nowhere that can leave",
            )
            found = world.procedures[start]
            world.procedures[start] = replace(found, body=()) if found else None


def _called(world: World, start: int, seen: set[int]) -> set[int]:
    """The procedures that a procedure leads to."""
    found = world.procedures[start]
    for number_ in _calls(found.body if found else ()):
        if number_ not in seen:
            seen.add(number_)
            _called(world, number_, seen)
    return seen


def _calls(code: object) -> list[int]:
    """The procedures that statements call."""
    if isinstance(code, ir.Call):
        return [code.procedure]
    if isinstance(code, tuple):
        return [each for part in code for each in _calls(part)]
    if is_dataclass(code) and isinstance(code, ir.If | ir.ForEach | ir.Loop | ir.Guarded | ir.Batch):
        return [each for name in fields(code) for each in _calls(cast(object, getattr(code, name.name)))]
    return []
