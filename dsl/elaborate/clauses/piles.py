"""Piles of cards: one, or one for each member of a type, with what is put in and what is done when it is empty."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.ir import program as pr
from dsl.ir.types import Id, Int
from dsl.resolve import symbols as w
from dsl.resolve.binder import enter
from dsl.resolve.hints import near_or_all
from dsl.resolve.symbol_table import World
from dsl.syntax import ast


def declare_pile(world: World, decl: ast.Pile) -> None:
    """Enters a pile, or those of all members, among the piles of its cards."""
    type_ = world.types.get(decl.of.text)
    domain = world.domains[type_.domain] if isinstance(type_, Id) else None
    if domain is None or domain.pool is None:
        world.reporter.lost.add(decl.name.text)
        hint = near_or_all(
            world.reporter, decl.of.text, [d.name for d in world.domains if d.pool], "pieces are"
        )
        world.unknown(
            "piece",
            decl.of.span,
            tr("there are no pieces `{of}` to lie in a pile", of=decl.of.text),
            hint=hint,
        )
        return
    owner = world.types.get(decl.per.text) if decl.per is not None else None
    if decl.per is not None and not isinstance(owner, Id):
        world.no_type(decl.per.text, decl.per.span)
        world.reporter.lost.add(decl.name.text)
        return
    pool = domain.pool
    if pool.pile_domain is None:
        piles = world.domain(f"{domain.name} pile", "pile")
        pool.pile_domain = piles.id
        pool.pile = world.var(f"{domain.name} pile", domain.id, Id(piles.id, optional=True), "pile").id
        pool.order = world.var(
            f"{domain.name} order", domain.id, Int(0, max(0, len(domain.members) - 1)), "order"
        ).id
    piles = world.domains[pool.pile_domain]
    base = len(piles.members)
    called = _called(world, decl)
    per = None
    if isinstance(owner, Id):
        per = owner.domain
        members = zip(world.domains[per].members, world.domains[per].labels, strict=True)
        for number, (member, label) in enumerate(members):
            name = f"{decl.name.text}({member})"
            piles.add(name, world.text(name) if called is None else _of_whom(world, called, label))
            pool.pile_owners.append((per, number))
            pool.pile_words.append(world.text(decl.name.text) if called is None else called)
    else:
        piles.add(decl.name.text, world.text(decl.name.text) if called is None else called)
        pool.pile_owners.append((-1, -1))
        pool.pile_words.append(piles.labels[-1])
    world.clause("pile", decl.name.text, decl.citation, decl.span)
    enter(world, decl.name, w.Pile(decl.name.text, domain.id, per, base, decl))


def _of_whom(world: World, words: int, label: int) -> int:
    """The name of a pile with that of its owner: `Hand (Ann)`."""
    own, whose = dict(world.texts[words].texts), dict(world.texts[label].texts)
    pairs = ((lang, f"{own.get(lang, own[''])} ({whose.get(lang, whose[''])})") for lang in {**own, **whose})
    return world.intern(pr.Text(tuple(pairs)))


def _called(world: World, decl: ast.Pile) -> int | None:
    """What players call a pile; a clause that means nothing to one is a fault."""
    for clause in decl.clauses:
        if isinstance(clause, ast.Again):
            world.error(
                Code.TYPE_MISMATCH,
                clause.span,
                "a pile does not begin anew by itself",
                hint="say what is done with its cards: `for c in used: move c to deck`, then `shuffle deck`",
            )
        if isinstance(clause, ast.Uncounted):
            hint = "leave it out; only a field may be no part of it"
            world.error(Code.TYPE_MISMATCH, clause.span, "where cards lie is part of the position", hint=hint)
        if isinstance(clause, ast.Undrawn):
            hint = "leave it out: a pile without words for players is left out where others have some"
            world.error(Code.TYPE_MISMATCH, clause.span, "only a field is never drawn", hint=hint)
    words = next((clause.label for clause in decl.clauses if isinstance(clause, ast.Called)), None)
    return world.text(words) if words is not None else None
