"""Warnings about what compiles and may still be a slip: rules without a source, menus without an end, new words that
are nearly others.
"""

from __future__ import annotations

from dsl.catalogue import N_, tr
from dsl.check.removals import mentioned
from dsl.diagnostics import Code, Subject
from dsl.ir.nodes import Leave, Return
from dsl.ir.program import Value
from dsl.ir.walk import locals_in
from dsl.ir.worth import NAME, tells_worth
from dsl.lower.rewrite import walk_ir
from dsl.lower.structured_ir import MidOffer
from dsl.near import nearest
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.syntax import ast
from dsl.syntax.trees import walk

PLAYERS = 0
"""The domain of the players: the first one."""
RULES = ("modify", "forbid", "allow", "need", "before", "after", "instead", "ending")


def warn_of_endless(reporter: Reporter, tree: ast.AskMenu, offers: list[MidOffer]) -> None:
    """A menu that is asked again and again, and that no choice ends."""
    ends = any(isinstance(node, Leave | Return) for node in walk_ir(tuple(each.body for each in offers)))
    if offers and not ends and not any(each.offer.kind in {"pass", "stop"} for each in offers):
        who = tree.chooser.span.text
        reporter.error(
            Code.ENDLESS_MENU,
            tree.lines[0].span if tree.lines else tree.span,
            "no choice ends this menu: only an ending of the game or its bound of decisions does",
            label="asked again and again",
            hint=tr('add a line `stop "Enough"`, or write `{who} repeatedly may:`', who=who),
        )


def warn_of_free(world: World, tree: ast.NameExpr, condition: ast.Expr | None) -> None:
    """A free name of an ending that is nearly a player's, or about which nothing is asked; `p` is any player."""
    name = tree.name
    if len(name) == 1:
        return
    asked = condition is None or name in mentioned(condition)
    near = nearest(name, world.domains[0].members, 0.75 if asked else 0.6)
    message = tr("`{name}` is no player's name, so it stands for any player", name=name)
    if near:
        hint = tr("did you mean `{near}`? for any player, one letter is plainer: `p`", near=near)
        world.error(Code.LIKELY_MISSPELT, tree.span, message, hint=hint, subject=Subject("name", name))
    elif not asked:
        hint = tr("ask about `{name}` in the condition, or write `p` where all players are meant", name=name)
        world.error(
            Code.LIKELY_MISSPELT,
            tree.span,
            tr("{message}, and nothing is asked about it", message=message),
            hint=hint,
            subject=Subject("name", name),
        )


def warn_of_uncited(world: World, game: str) -> None:
    """In a game with a rulebook each clause of its rules has a source: the book, or `house`."""
    if not world.rulebooks:
        _warn_of_no_rulebook(world)
        return
    for clause, span in zip(world.clauses, world.clause_spans, strict=True):
        ours = clause.place.file.startswith(f"{game}/")
        if ours and clause.kind in RULES and not clause.ids and not clause.house:
            world.error(
                Code.UNCITED,
                span,
                tr("this `{kind}` has no source", kind=clause.kind),
                hint="cite the rule that says so, `[AB-012]`, or write `[house]` where it is ours",
            )


def warn_of_decided(world: World) -> None:
    """Comparisons that come out the same in every game, as the ranges of their sides decide them.

    Those of the prelude and of a game that a mod or scenario changes were right where they were written.
    """
    layer = max(world.reporter.layer_of.values(), default=0)
    for span, found in world.decided.items():
        if found is None or world.is_prelude(span) or world.layer(span) != layer:
            continue
        sides = ((found.tree.left, found.left), (found.tree.right, found.right))
        ranges = ", ".join(
            tr("`{side}` is {range}", side=side.span.text, range=world.show(type_))
            for side, type_ in sides
            if type_.low < type_.high
        )
        hint = "compare with what it can be, or give it another range where it is declared"
        if not ranges:
            if any(isinstance(node, ast.NameExpr) for node in walk(found.tree)):
                continue  # constants of the game, such as a figure that a variant sets
            ranges = tr("nothing but numbers is compared")
            hint = "compare something that can change, or leave the condition out"
        template = N_("this is always true: {ranges}") if found.holds else N_("this is never true: {ranges}")
        world.error(Code.DECIDED, span, tr(template, ranges=ranges), hint=hint)


def warn_of_worth(world: World) -> None:
    """A value that has the name by which computer players judge positions, and that says nothing to them."""
    for value in world.values:
        if value.name != NAME or value.decl is None or value.lowered is None:
            continue
        if not tells_worth(value.lowered, PLAYERS):
            world.error(
                Code.WORTH_UNREAD,
                value.decl.name.span,
                tr("no computer player reads this `{name}`: it is not a number of one player", name=NAME),
                hint=tr(
                    "what a position is worth to a player is `value {name}(p: Player) -> 0..99 = ...`; give what says "
                    "something else another name",
                    name=NAME,
                ),
                subject=Subject("value", NAME),
            )
        elif len(world.domains[PLAYERS].members) > 1 and not _reads_its_player(value.lowered):
            world.error(
                Code.WORTH_UNREAD,
                value.decl.name.span,
                tr("this `{name}` is the same for all players: it favours nobody", name=NAME),
                hint="compute it from what the player has, such as `p.gold`",
                subject=Subject("value", NAME),
            )


def _reads_its_player(value: Value) -> bool:
    """Does what it is hang on whom it is asked about?"""
    clauses = (
        each for clause in value.clauses for each in (clause.condition, clause.operand, clause.divisor)
    )
    return any(each is not None and 0 in locals_in(each) for each in (value.base, *clauses))


def _warn_of_no_rulebook(world: World) -> None:
    """Rules are cited of a book that no header names: once for each book."""
    for name, span in world.books_cited.items():
        world.error(
            Code.NO_RULEBOOK,
            span,
            tr("`{name}` is cited, and the game names no rulebook", name=name),
            hint=tr(
                'write `rulebook {name} "The title of the book"` in its header, or cite `[house]` for your own rules',
                name=name,
            ),
        )
