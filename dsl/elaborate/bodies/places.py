"""Where an assignment writes: a variable, a member's field, or one count of a bag; never a local name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.scope import known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, SetOf, Type
from dsl.lower.ir_builder import number
from dsl.records import record
from dsl.resolve.hints import field_or_new
from dsl.resolve.symbols import Domain, Pile
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.blocks import Blocks


@record(frozen=True, slots=True)
class Spot:
    """One place to write; `test` says when it is this one, where a union leaves it open."""

    type: Type
    span: Span
    var: int = -1
    owner: ir.Expr | None = None
    item: ir.Expr | None = None
    test: ir.Expr | None = None


def spots(s: Blocks, target: ast.Expr) -> list[Spot]:
    """The places that a target may stand for; none after a fault."""
    match target:
        case ast.NameExpr(name=name):
            return _named(s, name, target)
        case ast.Member(of=of, name=name):
            owner = s.scalar(of)
            return _field(s, owner, name.text, target.span, None) if known(owner) else []
        case ast.Index(of=of, key=key):
            return _indexed(s, of, key, target)
        case ast.Apply(function=ast.NameExpr(name=name)):
            s.fault(
                Code.NOT_WRITABLE,
                target.span,
                tr("`{name}(...)` is computed, it cannot be set", name=name),
                hint="set the fields that it is computed from",
            )
        case _:
            s.fault(
                Code.NOT_WRITABLE,
                target.span,
                "nothing can be stored here",
                hint="store in a field: `treasury = 3`, `r.control = empire`",
            )
    return []


def _named(s: Blocks, name: str, target: ast.NameExpr) -> list[Spot]:
    local = s.body.find(name)
    if local is not None:
        if known(local):
            _fixed(s, name, target.span)
        return []
    if s.body.owner is not None:
        own = _field(s, s.body.owner, name, target.span, None, quiet=True)
        if own:
            return own
    if name in s.world.globals:
        var = s.world.globals[name]
        if s.world.vars[var].role == "option":
            s.fault(
                Code.NOT_WRITABLE, target.span, tr("`{name}` is chosen before the game, and stays", name=name)
            )
            return []
        return [Spot(s.world.vars[var].type, target.span, var=var)]
    hint = s.world.nearest(name, [*s.world.globals]) if name not in s.world.members else ""
    hint = hint or _fields_of(s, name) or _owner_of(s, name)
    hint = hint or tr("what the game remembers is declared under `state:`, as in `{name}: 0..9`", name=name)
    s.unknown("field", target.span, tr("there is no field `{name}` to write", name=name), hint=hint)
    return []


def _fixed(s: Blocks, name: str, span: Span) -> None:
    """Tells of a name from above, which stays what it was; perhaps a field of that name was meant."""
    hint = "give what comes of it a name of its own, `let more = ...`, or keep what changes in a field"
    if name in s.world.globals:
        hint = tr("it hides the field `{name}` of the game here: give one of them another name", name=name)
    s.fault(
        Code.NOT_WRITABLE,
        span,
        tr("`{name}` is a name for a value, which stays what it is", name=name),
        hint=hint,
    )


def _field(
    s: Blocks, owner: ir.Expr, name: str, span: Span, test: ir.Expr | None, *, quiet: bool = False
) -> list[Spot]:
    owner = s.having(owner, name)
    if not isinstance(owner.type, Id):
        if not quiet:
            s.unknown(
                "field",
                _at(name, span),
                tr("{type} has no field `{name}`", type=s.world.show(owner.type), name=name),
                of=s.world.show(owner.type),
            )
        return []
    domain = s.world.domains[owner.type.domain]
    if name in domain.fields:
        var = domain.fields[name]
        if domain.pool is not None and domain.pool.kind_var == var:
            hint = tr("take the piece away, and `place` one of the other kind")
            s.fault(
                Code.NOT_WRITABLE,
                span,
                tr("a piece is of the kind that `place` has brought into play, and stays so"),
                hint=hint,
            )
            return []
        return [Spot(s.world.vars[var].type, span, var=var, owner=owner, test=test)]
    union = s.world.union_with(domain, name)
    member = s.converted(owner, Id(union.id), span) if union else None
    if union is not None and member is not None:
        var = union.fields[name]
        return [Spot(s.world.vars[var].type, span, var=var, owner=member, test=test)]
    found = _of_parts(s, owner, domain, name, span)
    if found:
        return found
    if quiet:
        return []
    columns = s.columns(domain)
    if name in columns:
        s.fault(
            Code.NOT_WRITABLE,
            span,
            tr("`{name}` is printed, it cannot be set", name=name),
            hint=tr(
                "change how it is read: `modify {domain}.{name}(t): +1 when ...`",
                domain=domain.name,
                name=name,
            ),
        )
        return []
    hint = field_or_new(s.world.reporter, domain, name, domain.fields)
    s.unknown(
        "field",
        _at(name, span),
        tr("{domain} has no field `{name}`", domain=domain.name, name=name),
        of=domain.name,
        hint=hint,
    )
    return []


def _at(name: str, span: Span) -> Span:
    """Where a field's name stands in `c.mark`; the whole where it does not end with it."""
    return span.source.span(span.end - len(name), span.end) if span.text.endswith(f".{name}") else span


def _of_parts(s: Blocks, owner: ir.Expr, domain: Domain, name: str, span: Span) -> list[Spot]:
    """A field that each part of a union has, to be written where the member belongs."""
    found: list[Spot] = []
    having: list[str] = []
    lacking: list[str] = []
    at = 0
    for part in domain.parts:
        size = len(s.world.domains[part].members)
        here = ir.Op(Id(part), "cast", (owner, number(-at)))
        where = ir.Op(Int(0, len(domain.members) - 1), "id", (owner,))
        inside = ir.Op(TRUTH, "lt", (where, number(at + size)))
        spots_here = _field(s, here, name, span, inside, quiet=True)
        found += spots_here
        (having if spots_here else lacking).append(s.world.domains[part].name)
        at += size
    if found and lacking:
        lack = tr("lacks") if len(lacking) == 1 else tr("lack")
        spans = [(each, s.world.type_spans.get(each)) for each in lacking]
        s.world.error(
            Code.NOT_WRITABLE,
            span,
            tr(
                "not every {domain} has a field `{name}`: {lacking} {lack} it",
                domain=domain.name,
                name=name,
                lacking=" and ".join(lacking),
                lack=lack,
            ),
            hint=tr("test before which it is, such as `if ... is {having}:`", having=having[0]),
            labels=tuple(
                Label(each, tr("`{name}` is no field of it", name=name))
                for _, each in spans
                if each is not None
            ),
        )
    return found


def _indexed(s: Blocks, of: ast.Expr, key: ast.Expr, target: ast.Index) -> list[Spot]:
    found = []
    pile = of.function if isinstance(of, ast.Apply) else of
    if isinstance(pile, ast.NameExpr) and isinstance(s.world.callables.get(pile.name), Pile):
        hint = tr("write `move CARD to {of}`", of=of.span.text)
        s.fault(Code.NOT_WRITABLE, target.span, "what lies in a pile is moved, not set", hint=hint)
        return []
    for spot in spots(s, of):
        if isinstance(spot.type, ListOf) and not isinstance(spot.type.of, SetOf):
            back = s.place_in(target, spot.type.limit, "a list")
            if back is None:
                return []
            found.append(replace(spot, type=spot.type.of, item=back))
            continue
        if not isinstance(spot.type, BagOf):
            message = "only the counts of a bag and the elements of a list are set one by one"
            s.fault(Code.NOT_WRITABLE, target.span, message)
            return []
        item = s.coerce(s.expr(key, Id(spot.type.domain)), Id(spot.type.domain), key.span)
        if not known(item):
            return []
        found.append(replace(spot, type=Int(0, spot.type.limit), item=item))
    return found


def _owner_of(s: Blocks, name: str) -> str:
    """A hint for `gold = 5`, where each player has gold."""
    owners = [each for each in s.world.domains if name in each.fields]
    if not owners:
        return ""
    whose = owners[0].members[0] if owners[0].kind == "player" and owners[0].members else owners[0].name
    return tr(
        "`{name}` is a field of {owner}, and each has its own: say whose, as in `{whose}.{name} = ...`",
        name=name,
        owner=owners[0].name,
        whose=whose,
    )


def _fields_of(s: Blocks, name: str) -> str:
    """A hint for `a1 = bog`: what is written is a field of the thing."""
    fields = [
        field for domain, _ in s.world.members.get(name, ()) for field in s.world.domains[domain].fields
    ]
    return (
        tr("what `{name}` has is set by `{name}.{field} = ...`", name=name, field=fields[0]) if fields else ""
    )
