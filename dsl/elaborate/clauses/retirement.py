"""Taking a piece out of play: its fields begin anew, and what refers to it refers to none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.holders import leaving
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.delays import decoded
from dsl.elaborate.clauses.lifetimes import initial
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import TRUE, conjunction, negation, number
from dsl.resolve import symbols as w
from dsl.resolve.delayed_effects import Delayed
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions


def retirement(actions: Actions, domain: w.Domain, for_ever: bool, leaf: bool) -> pr.Procedure:
    """Takes a piece out of play; then its fields begin anew, and what refers to it refers to none.

    Before, what its holder's leaving means is done to all that is in it; a `leaf` holds nothing.
    """
    world = actions.world
    assert domain.pool is not None
    s = actions.statements([Param("piece", Id(domain.id))], None)
    piece = ir.Local(Id(domain.id), 0)
    if not leaf:
        s.code.add(*leaving(s, domain, piece))
    single = ir.Op(SetOf(Id(domain.id)), "single", (piece,))
    site = 0
    in_play = ir.Load(SetOf(Id(domain.id)), domain.pool.in_play)
    s.code.add(
        ir.Store(domain.pool.in_play, None, None, ir.Op(in_play.type, "minus", (in_play, single)), site)
    )
    for var in list(world.vars):
        if var.role == "pile" and var.of == domain.id:
            nowhere = ir.Const(var.type, NONE)
            pool = [each.id for each in world.domains if each.pool is not None].index(domain.id)
            s.code.add(ir.MoveCard(pool, piece, nowhere, True, site))
        if var.role != "field":
            continue
        if var.of == domain.id and var.id != domain.pool.kind_var:
            s.code.add(ir.Store(var.id, piece, None, initial(piece, var), site))
        _forget(actions.world, s, var, domain, piece)
    _recalled(actions, s, domain, piece)
    if for_ever:
        out = ir.Load(SetOf(Id(domain.id)), domain.pool.out)
        s.code.add(ir.Store(domain.pool.out, None, None, ir.Op(out.type, "union", (out, single)), site))
    return pr.Procedure(
        f"take away {domain.name}", 1, tuple(s.body.locals), None, plain(tuple(s.code.statements))
    )


def check_references(world: World, taken: set[int]) -> None:
    """Refuses fields that always name a piece, of a type of which some are taken away: they could not become none."""
    held = {each.var for each in world.holdings}
    for var in world.vars:
        if var.field is None or var.id in held or not isinstance(var.type, Id | Record):
            continue
        for named in _named(var.type):
            left = [each for each in sorted(taken) if world.offset(each, named.domain) is not None]
            if left and not named.optional:
                shown = world.show(named)
                world.error(
                    Code.OPTIONAL_USED,
                    var.field.type.span,
                    tr(
                        "`{name}` always names a {type}, and {piece} may be taken away",
                        name=var.name,
                        type=shown,
                        piece=world.domains[left[0]].name,
                    ),
                    hint=tr("write `{type}?`; what refers to a piece that leaves refers to none", type=shown),
                )
                break


def _forget(world: World, s: Statements, var: w.Var, domain: w.Domain, piece: ir.Expr) -> None:
    """References to the piece become none; sets, lists and bags of pieces lose it, and so do records."""
    owner = s.body.new(Id(var.of)) if var.of is not None and _may_name(s, var.type, domain) else None
    code = _forgotten(s, var, owner, domain, piece)
    if owner is None or var.of is None or not code:
        s.code.add(*code)
        return
    everybody = ir.Const(SetOf(Id(var.of)), (1 << len(world.domains[var.of].members)) - 1)
    s.code.add(mid.MidForEach(owner.index, everybody, tuple(code), 0))


def _named(type_: Type) -> Iterator[Id]:
    """Of what types the members are that something of this type names."""
    match type_:
        case Id():
            yield type_
        case SetOf(of=Id() as of) | ListOf(of=Id() as of):
            yield of
        case BagOf(domain=domain):
            yield Id(domain)
        case Record(types=types):
            yield from (each for each in types if isinstance(each, Id))
        case _:
            pass


def _may_name(s: Statements, type_: Type, domain: w.Domain) -> bool:
    return any(s.offset(domain.id, each.domain) is not None for each in _named(type_))


def _forgotten(
    s: Statements, var: w.Var, owner: ir.Local | None, domain: w.Domain, piece: ir.Expr
) -> list[mid.Mid]:
    """What makes one variable forget the piece."""
    load = ir.Load(var.type, var.id, owner)

    def there(element: Id) -> ir.Expr | None:
        """The piece as it is named here; none where it cannot be."""
        offset = s.offset(domain.id, element.domain)
        return None if offset is None else _as(Id(element.domain), piece, offset)

    def store(item: ir.Expr | None, value: ir.Expr) -> ir.Store:
        return ir.Store(var.id, owner, item, value, 0)

    match var.type:
        case Id(optional=True) as of:
            return _unnamed(load, there(of), store(None, ir.Const(of, NONE)))
        case SetOf(of=Id() as of) if (here := there(of)) is not None:
            less = ir.Op(var.type, "minus", (load, ir.Op(var.type, "single", (here,))))
            return [ir.If(ir.Op(TRUTH, "has", (load, here)), (store(None, less),))]
        case ListOf(of=Id() as of) if (here := there(of)) is not None:
            listed = here
            return _without(s, var, owner, lambda element: ir.Op(TRUTH, "eq", (element, listed)))
        case BagOf(domain=counted, limit=limit) if (here := there(Id(counted))) is not None:
            count = ir.LoadItem(Int(0, limit), var.id, owner, here)
            return [ir.If(ir.Op(TRUTH, "gt", (count, number(0))), (store(here, number(0)),))]
        case Record(types=types):
            code: list[mid.Mid] = []
            for place, part in enumerate(types):
                if isinstance(part, Id) and part.optional:
                    item = number(place)
                    named = ir.LoadItem(part, var.id, owner, item)
                    code += _unnamed(named, there(part), store(item, ir.Const(part, NONE)))
            return code
        case _:
            return []


def _unnamed(load: ir.Expr, here: ir.Expr | None, gone: ir.Store) -> list[mid.Mid]:
    """A single reference to the piece becomes none."""
    return [] if here is None else [ir.If(ir.Op(TRUTH, "eq", (load, here)), (gone,))]


def _without(
    s: Statements, var: w.Var, owner: ir.Expr | None, leaves: Callable[[ir.Local], ir.Expr]
) -> list[mid.Mid]:
    """A list variable without the elements that leave."""
    assert isinstance(var.type, ListOf) and not isinstance(var.type.of, SetOf)
    load, element = ir.Load(var.type, var.id, owner), s.body.new(var.type.of)
    held, left = s.body.new(var.type), leaves(element)
    stays = ir.Change(var.id, owner, None, element, False, False, 0)
    again: tuple[mid.Mid, ...] = (
        ir.SetLocal(held.index, load),
        ir.Store(var.id, owner, None, ir.Const(var.type, ()), 0),
        mid.MidForEach(element.index, held, (mid.MidIf(left, (), (stays,)),), 0),
    )
    return [mid.MidIf(ir.Fold(TRUTH, "any", element.index, load, left, TRUE), again)]


def _recalled(actions: Actions, s: Statements, domain: w.Domain, piece: ir.Expr) -> None:
    """Calls that wait with the piece wait no more."""
    for delayed in {each.var: each for each in actions.delays.later.values()}.values():

        def names_it(code: ir.Local, delayed: Delayed = delayed) -> ir.Expr:
            tests = [
                negation(ir.Op(TRUTH, "eq", (arg, _as(arg.type, piece, offset))))
                for arg in decoded(s, delayed, code)
                if isinstance(arg.type, Id) and (offset := s.offset(domain.id, arg.type.domain)) is not None
            ]
            return negation(conjunction(tests))

        kinds = [param.type for param in delayed.action.params]
        if any(isinstance(each, Id) and s.offset(domain.id, each.domain) is not None for each in kinds):
            s.code.add(*_without(s, actions.world.vars[delayed.var], None, names_it))


def _as(type_: Type, piece: ir.Expr, offset: int) -> ir.Expr:
    return piece if type_ == piece.type else ir.Op(type_, "cast", (piece, number(offset)))
