"""What each variable holds when the game starts, and who may see it."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.beginnings import by_mode
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.scope import Body, known
from dsl.elaborate.clauses.range_fit import check_cells
from dsl.elaborate.clauses.values import Values
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from dsl.linker.layers import Gathered
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, negation, number
from dsl.resolve import symbols as w
from dsl.resolve.board import legend_of
from dsl.resolve.declarations import zero
from dsl.resolve.hidden_kinds import first_kind
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.syntax import ast


def initials(world: World, values: Values, gathered: Gathered) -> None:
    """The value that each variable has when the game starts, and who may see it."""
    legend = legend_of(world)
    _check_legend(world, legend)
    _check_signs(world, legend)
    for option in world.options:
        type_ = world.vars[option.var].type
        world.vars[option.var].initial = ir.Const(type_, option.default)
    for var in world.vars:
        if var.initial is None:
            var.initial = _initial(world, values, var, legend)
        _audience(world, values, var)
    _pile_audiences(world, values)


def _initial(
    world: World, values: Values, var: w.Var, legend: dict[str, tuple[ast.LegendItem, ...]]
) -> ir.Expr:
    if var.role == "in_play":
        domain = next(d for d in world.domains if d.pool and d.pool.in_play == var.id)
        if domain.pool is None or domain.pool.pile_domain is None:
            return ir.Const(var.type, 0)
        e = Expressions(world, Body(), None)
        everything, card = e.all_pieces(domain), e.body.new(Id(domain.id))
        seated = _has_seat(world, domain.pool, card)
        return (
            everything if seated is None else ir.Fold(var.type, "all", card.index, everything, seated, None)
        )
    if var.role in {"pile", "order"}:
        return _first_pile(world, var)
    if var.field is None:
        return zero(world, var.type)
    pool = world.domains[var.of].pool if var.of is not None else None
    if pool is not None and pool.kind_var == var.id:
        return first_kind(world, pool)
    body = Body()
    e = Expressions(world, body, values.result)
    if var.of is not None:
        body.owner = body.new(Id(var.of))
        body.bind("self", body.owner)
    base: ir.Expr
    if var.field.initial is None:
        base = _player_of_the_card(world, var) or zero(world, var.type)
    else:
        base = e.coerce(e.expr(var.field.initial, var.type), var.type, var.field.initial.span)
        _check_printed(world, var, base, var.field.initial)
    cell = world.types.get("Cell")
    if legend and var.of is not None and cell == Id(var.of):
        base = _drawn(world, e, var, base, legend)
    return by_mode(e, var, base)


def _check_printed(world: World, var: w.Var, base: ir.Expr, tree: ast.Expr) -> None:
    """What is read from a printed column must fit into the field, row by row."""
    if isinstance(var.type, Int) and not var.type.truth:
        check_cells(world, var.name, var.type, base, tree.span, begins=True)


def _first_pile(world: World, var: w.Var) -> ir.Expr:
    """Cards begin in the first pile that is declared for them, or in that of their own player; else in none."""
    assert var.of is not None and isinstance(var.type, Int | Id)
    pool = world.domains[var.of].pool
    assert pool is not None
    first = _first_head(world, var.of)
    if first is None:  # its name is that of something else, which has been told
        return zero(world, var.type)
    owned = first.per is not None
    if owned and None in pool.owners:
        return zero(world, var.type)
    kinds = world.domains[pool.table.domain].where if pool.table else []
    by_mode = any(where is not None for where in kinds)
    values: list[int] = []
    for mode in world.modes.names if by_mode else [""]:
        here = [not by_mode or mode in world.modes.every(kinds[kind]) for kind in pool.kinds]
        piles = [
            first.base + (owner or 0 if owned else 0) if there else NONE
            for owner, there in zip(pool.owners, here, strict=True)
        ]
        places = [piles[:card].count(pile) if here[card] else 0 for card, pile in enumerate(piles)]
        values += piles if var.role == "pile" else places
    size = len(pool.kinds)
    dims = ((0, len(values) // size), (0, size)) if by_mode else ((0, size),)
    data = world.add_data(pr.Data(f"{var.name} at first", var.type, dims, tuple(values)))
    card: ir.Expr = ir.Local(Id(var.of), 0)

    def at_first(card: ir.Expr) -> ir.Expr:
        return ir.Lookup(var.type, data, (world.mode_now(), card) if by_mode else (card,))

    seated = _has_seat(world, pool, card)
    if seated is None:
        return at_first(card)
    if var.role == "pile" or owned:
        return ir.Op(var.type, "if", (seated, at_first(card), zero(world, var.type)))
    # in a pile that all share, the cards of those who have no seat leave no gaps
    body = Body()
    body.new(Id(var.of))
    other, domain = body.new(Id(var.of)), world.domains[var.of]
    there = Expressions(world, body, None).all_pieces(domain)
    is_there = conjunction([seated, ir.Op(TRUTH, "has", (there, card))])
    first_numbers = tuple(ir.Op(Int(0, size), "id", (each,)) for each in (other, card))
    also = _has_seat(world, pool, other)
    assert also is not None
    before = conjunction([ir.Op(TRUTH, "lt", first_numbers), also])
    count = ir.Fold(Int(0, size), "count", other.index, there, before, None)
    position = ir.Op(var.type, "min", (count, number(size - 1)))  # at most the number of all others
    return ir.Op(var.type, "if", (is_there, position, zero(world, var.type)))


def _has_seat(world: World, pool: w.Pool, card: ir.Expr) -> ir.Expr | None:
    """Has the player a seat whose card it is, where not everybody has one and each player has some; else none."""
    if world.seats is None or pool.per != world.domains[0].id:
        return None
    seats = ir.Load(SetOf(Id(pool.per)), world.seats)
    return ir.Op(TRUTH, "has", (seats, _whose(world, pool, Id(pool.per), card)))


def _whose(world: World, pool: w.Pool, player: Id, card: ir.Expr) -> ir.Expr:
    """For whom a card is there, of those of which each has some."""
    owners, name = tuple(owner or 0 for owner in pool.owners), f"{pool.name}.owner"
    known = next((n for n, each in enumerate(world.data) if (each.name, each.type) == (name, player)), None)
    data = world.add_data(pr.Data(name, player, ((0, len(owners)),), owners)) if known is None else known
    return ir.Lookup(player, data, (card,))


def _first_head(world: World, pieces: int) -> w.Pile | None:
    """The pile that is declared first for pieces of a type."""
    heads = [head for head in world.callables.values() if isinstance(head, w.Pile) and head.pool == pieces]
    return min(heads, key=lambda head: head.base, default=None)


def _player_of_the_card(world: World, var: w.Var) -> ir.Expr | None:
    """Whose a card is of which each player has some: his."""
    pool = world.domains[var.of].pool if var.of is not None else None
    if pool is None or var.of is None or var.name.rpartition(".")[2] != "owner":
        return None
    if _first_head(world, var.of) is None or pool.per is None or var.type != Id(pool.per):
        return None
    return _whose(world, pool, var.type, ir.Local(Id(var.of), 0))


def _check_legend(world: World, legend: dict[str, tuple[ast.LegendItem, ...]]) -> None:
    """What a legend says of a sign must mean something: an area, or a field of cells."""
    cell = world.types.get("Cell")
    fields = world.domains[cell.domain].fields if isinstance(cell, Id) else {}
    areas = [name for name, head in world.callables.items() if isinstance(head, w.Area)]
    words = {
        word
        for var in fields.values()
        if isinstance(type_ := world.vars[var].type, Id)
        for word in world.domains[type_.domain].index
    }
    truths = {name for name, var in fields.items() if world.vars[var].type == TRUTH}
    for item in (each for items in legend.values() for each in items):
        name = item.name.text
        if name in areas or (item.of is None and (name in words | truths or (item.value and name in fields))):
            continue
        known_words = [*areas, *truths, *words]
        if name in fields:
            hint = tr("say what it is there: `{name} = ...`", name=name)
            world.error(
                Code.UNKNOWN_NAME,
                item.span,
                tr("`{name}` alone says nothing of a cell", name=name),
                hint=hint,
            )
            continue
        world.error(
            Code.UNKNOWN_NAME,
            item.span,
            tr("`{item}` says nothing of a cell", item=item.span.text),
            hint=_column_of_ground(world, name, fields)
            or world.nearest(name, known_words)
            or "a sign stands for an area, a kind of ground, a truth of cells, or `field = value`",
        )


def _column_of_ground(world: World, name: str, fields: dict[str, int]) -> str:
    """A hint for a column of the table that a field of cells names rows of; else nothing."""
    for var in fields.values():
        type_ = world.vars[var].type
        table = world.domains[type_.domain].table if isinstance(type_, Id) else None
        if table is not None and name in table.columns:
            return tr(
                "`{name}` is a column of `{table}`: it is printed there, once for each row, and no sign says it",
                name=name,
                table=table.name,
            )
    return ""


def _check_signs(world: World, legend: dict[str, tuple[ast.LegendItem, ...]]) -> None:
    """A sign says one thing of each field of a cell, and each thing once."""
    cell = world.types.get("Cell")
    fields = world.domains[cell.domain].fields if isinstance(cell, Id) else {}
    for sign, items in legend.items():
        said: dict[str, ast.LegendItem] = {}
        for item in items:
            sets = [name for name, var in fields.items() if _sets(world, world.vars[var], item)]
            if len(sets) > 1:
                names = " and of ".join(f"`{name}`" for name in sets)
                hint = tr("write `{sets} = {item}`", sets=sets[0], item=item.name.text)
                message = tr("`{item}` is said of {names} at once", item=item.name.text, names=names)
                world.error(Code.AMBIGUOUS_NAME, item.span, message, hint=hint)
                continue
            key = sets[0] if sets else item.span.text
            first = said.setdefault(key, item)
            if first is not item:
                labels = (Label(first.span, "said here before"),)
                message = (
                    tr('"{sign}" says of a cell twice what its `{key}` is', sign=sign, key=key)
                    if sets
                    else tr('"{sign}" says `{key}` twice', sign=sign, key=key)
                )
                hint = "leave one of them out"
                world.error(Code.DUPLICATE_NAME, item.span, message, labels=labels, hint=hint)


def _sets(world: World, var: w.Var, item: ast.LegendItem) -> bool:
    """Does a line of a legend say what a field of a cell is?"""
    if item.value is not None or item.of is not None:
        return item.value is not None and item.name.text == var.name
    if isinstance(world.callables.get(item.name.text), w.Area):
        return False
    if var.type == TRUTH:
        return item.name.text == var.name
    return isinstance(var.type, Id) and item.name.text in world.domains[var.type.domain].index


def _drawn(
    world: World, e: Expressions, var: w.Var, base: ir.Expr, legend: dict[str, tuple[ast.LegendItem, ...]]
) -> ir.Expr:
    """A field of cells, as the map's legend draws it."""
    assert var.of is not None
    drawn: dict[str, ir.Expr] = {}
    for sign, items in legend.items():
        for item in items:
            if not _sets(world, var, item):
                continue
            if item.value is not None:
                drawn[sign] = _before_play(
                    world.reporter, e.coerce(e.expr(item.value, var.type), var.type, item.span), item
                )
            elif var.type == TRUTH:
                drawn[sign] = TRUE
            elif isinstance(var.type, Id):
                drawn[sign] = ir.Const(var.type, world.domains[var.type.domain].index[item.name.text])
    constants = {sign: value.value for sign, value in drawn.items() if isinstance(value, ir.Const)}
    if not constants:
        return base
    looks = world.domains[var.of].looks
    other = base.value if isinstance(base, ir.Const) else next(iter(constants.values()))
    values = tuple(constants.get(sign, other) for sign in looks)
    data = world.add_data(pr.Data(f"{var.name} on the map", var.type, ((0, len(looks)),), values))
    cell = ir.Local(Id(var.of), 0)
    shown = ir.Lookup(var.type, data, (cell,))
    if isinstance(base, ir.Const):
        return shown
    cells = ir.Const(SetOf(Id(var.of)), sum(1 << at for at, sign in enumerate(looks) if sign in constants))
    return ir.Op(var.type, "if", (ir.Op(TRUTH, "has", (cells, cell)), shown, base))


def _before_play(reporter: Reporter, value: ir.Expr, item: ast.LegendItem) -> ir.Expr:
    """What a legend says of a cell, which is known before anything is played."""
    if known(value) and not isinstance(value, ir.Const):
        message = tr(
            "a map is drawn before the game begins, and `{item}` is not known by then", item=item.span.text
        )
        hint = "write a number or a name; what follows from the state stands in `setup:`"
        reporter.error(Code.TYPE_MISMATCH, item.span, message, hint=hint)
    return value


def _audience(world: World, values: Values, var: w.Var) -> None:
    for clause in var.field.clauses if var.field else ():
        if isinstance(clause, ast.Seen):
            var.audience = _seen(world, values, clause, var.of)


def _seen(world: World, values: Values, clause: ast.Seen, of: int | None) -> ir.Expr | None:
    """Truth of local 0 (the member) and local 1 (the player): may the player see it?"""
    body = Body()
    e = Expressions(world, body, values.result)
    owner = body.new(Id(of if of is not None else 0))
    viewer = body.new(Id(0))
    if of is not None:
        body.owner = owner
        body.bind("self", owner)
    return _allowed(e, clause, viewer)


def _allowed(e: Expressions, clause: ast.Seen, viewer: ir.Local) -> ir.Expr | None:
    """That a player is the one, or among those, who see something; none where all do."""
    if isinstance(clause.by, ast.NoneExpr):
        return FALSE
    if isinstance(clause.by, ast.NameExpr) and clause.by.name == "all":
        return None
    found = e.expr(clause.by)
    if not known(found):
        return None
    if isinstance(found.type, SetOf):
        return e.membership(found, viewer, clause.by)
    if isinstance(found.type, Id):
        one, two, _ = e.join(found, viewer, clause.span)
        return ir.Op(TRUTH, "eq", (one, two)) if known(one) else None
    e.world.error(
        Code.TYPE_MISMATCH,
        clause.by.span,
        "players see, or `none`",
        hint="write `seen by owner`, `seen by none`",
    )
    return None


def _pile_audiences(world: World, values: Values) -> None:
    """Which card lies where is seen by those who see the pile."""
    for domain in world.domains:
        pool = domain.pool
        if pool is None or pool.pile is None or pool.order is None or pool.pile_domain is None:
            continue
        card = ir.Local(Id(domain.id), 0)
        pile = ir.Load(Id(pool.pile_domain, optional=True), pool.pile, card)
        tests: list[ir.Expr] = []
        for head in world.callables.values():
            if isinstance(head, w.Pile) and head.pool == domain.id:
                test = _pile_audience(world, values, head, pile)
                if test is not None:
                    tests.append(test)
        if tests:
            world.vars[pool.pile].audience = conjunction(tests)
            world.vars[pool.order].audience = conjunction(tests)


def _pile_audience(world: World, values: Values, head: w.Pile, pile: ir.Expr) -> ir.Expr | None:
    seen = next((clause for clause in head.decl.clauses if isinstance(clause, ast.Seen)), None)
    if seen is None:
        return None
    assert isinstance(pile.type, Id)
    count = len(world.domains[head.per].members) if head.per is not None else 1
    there = ir.Op(Id(pile.type.domain), "some", (pile,))
    at = ir.Op(Int(0, len(world.domains[pile.type.domain].members)), "id", (there,))
    inside = conjunction(
        [
            negation(ir.Op(TRUTH, "is_none", (pile,))),
            ir.Op(TRUTH, "ge", (at, number(head.base))),
            ir.Op(TRUTH, "lt", (at, number(head.base + count))),
        ]
    )
    body = Body()
    e = Expressions(world, body, values.result)
    body.new(Id(0))
    viewer = body.new(Id(0))
    if head.per is not None:
        owner = ir.Op(Id(head.per), "cast", (there, number(-head.base)))
        body.bind("owner", owner)
        body.bind("self", owner)
    allowed = _allowed(e, seen, viewer)
    if allowed is None:
        return None
    head.audience = allowed
    return ir.Op(TRUTH, "or", (negation(inside), allowed))
