"""`p splits n over xs in S`: who gets how many, asked one after another in the order of the board or table.

So each way to split is one row of answers and no other, and the options of one answer are at most n + 1: for each
in turn a number from what must be left here, because the others have no room for it, to what is left and fits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.scope import BAD, known
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, BagOf, Id, Int, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import number
from dsl.resolve import bounds
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.bodies.choices import Choices

MOST = 1000
"""What is split at most: each number is an option."""


def split(c: Choices, tree: ast.Split) -> None:
    """Elaborates the statement; the name stands for the shares, a bag, in the lines below."""
    player, domain = c.player(tree.chooser), c.domain(tree.selection.domain)
    total = c.whole(tree.total)
    shares = (
        _shares(c, tree, domain, total) if player is not None and known(domain) and known(total) else None
    )
    if player is None or shares is None:
        c.body.bind(tree.selection.name.text, BAD)
        return
    assert isinstance(total.type, Int) and isinstance(shares.type, BagOf)
    s = c.s
    s.flush()
    site = s.site(tree.span)
    kept = c.body.new(SetOf(Id(shares.type.domain)))
    left = c.body.new(Int(0, max(0, total.type.high)))
    zeros = tuple([0] * len(s.world.domains[shares.type.domain].members))
    s.code.add(ir.SetLocal(kept.index, s.filtered(domain, tree.selection)))
    s.code.add(ir.SetLocal(left.index, c.coerce(_not_negative(total), left.type, tree.total.span)))
    s.code.add(ir.SetLocal(shares.index, ir.Const(shares.type, zeros)))
    each = c.body.new(Id(shares.type.domain))
    with s.collecting() as code:
        single = ir.Op(kept.type, "single", (each,))
        s.code.add(ir.SetLocal(kept.index, ir.Op(kept.type, "minus", (kept, single))))
        _share(c, tree, player, (each, kept, left, shares), site)
    s.code.add(mid.MidForEach(each.index, kept, tuple(code.statements), site))
    if not tree.up_to:
        over = ir.Op(TRUTH, "gt", (left, number(0)))
        s.code.add(mid.MidIf(over, (ir.Fail(Code.NOTHING_TO_CHOOSE.id, site),)))
    c.body.bind(tree.selection.name.text, shares)


def _shares(c: Choices, tree: ast.Split, domain: ir.Expr, total: ir.Expr) -> ir.Local | None:
    """The bag of the shares; None, after a fault, where there can be none."""
    assert isinstance(total.type, Int)
    element = domain.type.of if isinstance(domain.type, SetOf) else None
    if not isinstance(element, Id):
        hint = "split over places, pieces, players or rows of a table"
        c.fault(Code.TYPE_MISMATCH, tree.selection.domain.span, "nothing is split over these", hint=hint)
        return None
    if total.type.high > MOST:
        message = tr("up to {high} to split, more than {most}", high=f"{total.type.high:,}", most=f"{MOST:,}")
        c.fault(Code.LIMIT, tree.total.span, message, hint="split in steps, or by hundreds")
        return None
    most = bounds.within(
        c.world.reporter, tree.span, "shares", max(1, total.type.high), 1, bounds.MOST_OF_A_KIND
    )
    return c.body.new(BagOf(element.domain, most))


def _not_negative(total: ir.Expr) -> ir.Expr:
    assert isinstance(total.type, Int)
    if total.type.low >= 0:
        return total
    return ir.Op(Int(0, max(0, total.type.high)), "max", (total, number(0)))


def _share(
    c: Choices, tree: ast.Split, player: ir.Expr, of: tuple[ir.Local, ir.Local, ir.Local, ir.Local], site: int
) -> None:
    """Asks how many one of them gets, unless nothing is left."""
    each, rest, left, shares = of
    assert isinstance(left.type, Int) and isinstance(shares.type, BagOf)
    most = left.type.high
    room = _room(c, tree, each)
    upper = ir.Op(Int(0, most), "min", (left, room)) if room is not None else left
    lower = number(0) if tree.up_to else _needed(c, tree, rest, left)
    lowest, highest = c.body.new(left.type), c.body.new(left.type)
    share = c.body.new(left.type)
    with c.body.inner():
        c.body.bind(tree.selection.name.text, each)
        prompt, args = c.asked(tree.prompt, tree.chooser)
    domain = ir.Op(SetOf(left.type), "between", (lowest, highest))
    variables = (ir.OfferVar(share.index, domain, None),)
    text = c.world.text("{0}: {1}")
    offer = ir.Offer("take", variables, None, None, (share,), text, (each, share), -1)
    less = ir.Op(Int(-most, most), "sub", (left, share))
    taken: tuple[mid.Mid, ...] = (
        ir.SetLocal(shares.index, ir.Op(shares.type, "bag_put", (shares, each, share))),
        ir.SetLocal(left.index, ir.Op(left.type, "narrow", (less,))),
    )
    decide = mid.MidDecide(
        player, (mid.MidOffer(offer, taken),), prompt, args, () if tree.up_to else None, site
    )
    some = ir.Op(TRUTH, "gt", (left, number(0)))
    ask = (ir.SetLocal(lowest.index, lower), ir.SetLocal(highest.index, upper), decide)
    c.s.code.add(mid.MidIf(some, ask))


def _room(c: Choices, tree: ast.Split, of: ir.Local) -> ir.Expr | None:
    """How many one of them gets at most; None where nothing is said."""
    if tree.each is None:
        return None
    with c.body.inner():
        c.body.bind(tree.selection.name.text, of)
        found = c.whole(tree.each)
    return _not_negative(found) if known(found) else None


def _needed(c: Choices, tree: ast.Split, rest: ir.Local, left: ir.Local) -> ir.Expr:
    """What has to be taken here, because those that follow have no room for it."""
    assert isinstance(rest.type, SetOf) and isinstance(left.type, Int)
    other = c.body.new(rest.type.of)
    room = _room(c, tree, other)
    if room is None:
        nobody = ir.Op(TRUTH, "eq", (rest, ir.Const(rest.type, 0)))
        return ir.Op(left.type, "if", (nobody, left, replace(number(0), type=left.type)))
    assert isinstance(room.type, Int)
    most = c.extent(rest.type) * room.type.high
    elsewhere = ir.Fold(Int(0, most), "sum", other.index, rest, None, room)
    short = ir.Op(Int(-most, left.type.high), "sub", (left, elsewhere))
    return ir.Op(left.type, "max", (short, number(0)))
