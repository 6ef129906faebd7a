"""Warnings about what compiles and may still be a slip: pieces used after they may be gone, rules without a source,
menus without an end, new names that are nearly others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

from dsl.diagnostics import Code, Label
from dsl.ir.nodes import Leave, Return
from dsl.semantics.checks.reach import called_names
from dsl.semantics.code.mid import MidOffer
from dsl.semantics.code.rewrite import walk_ir
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

RULES = ("modify", "forbid", "allow", "need", "before", "after", "instead", "ending")
INNER = (
    ast.If | ast.For | ast.ForOrder | ast.RepeatTimes | ast.RepeatUntil | ast.Until | ast.Together | ast.AskMenu
)  # fmt: skip


@dataclass(slots=True)
class Watch:
    """Names of pieces, and the statement behind which each may have left play."""

    gone: dict[str, Span] = field(default_factory=dict)

    def before(self, world: World, statement: ast.Stmt) -> None:
        """Tells of each watched name that a statement uses without a test; a test sets the mind at rest."""
        if not self.gone:
            return
        if isinstance(statement, ast.If | ast.Until | ast.RepeatUntil):
            condition = statement.branches[0][0] if isinstance(statement, ast.If) else statement.condition
            self.forget(_mentioned(condition))
        if isinstance(statement, INNER):
            return
        for name in _mentioned(statement) & set(self.gone):
            world.error(
                Code.MAY_BE_REMOVED,
                statement.span,
                f"`{name}` may have left play by now",
                hint=f"test it first (`if not {name} is gone:`), or put both into `until {name} is gone:`",
                labels=(Label(self.gone[name], "this may take it away"),),
            )
            self.forget({name})

    def after(self, world: World, statement: ast.Stmt, pieces: set[str], guarded: set[str]) -> None:
        """Watches pieces that a statement takes away, or hands to what may, unless an `until` around tests them."""
        match statement:
            case ast.TakeAway(piece=ast.NameExpr(name=name)):
                taken = {name} & pieces
            case ast.Call() if called_names(statement) & world.removers:
                taken = pieces & _mentioned(statement.call)
            case ast.Let(name=name) | ast.Random(selection=ast.Selection(name=name)):
                self.forget({name.text})
                return
            case _:
                return
        for name in taken - guarded:
            self.gone.setdefault(name, statement.span)

    def forget(self, names: set[str]) -> None:
        """These names are known again."""
        for name in names:
            self.gone.pop(name, None)


def _mentioned(tree: object) -> set[str]:
    return {node.name for node in walk(tree) if isinstance(node, ast.NameExpr)}


def mentioned_in(conditions: list[ast.Expr]) -> set[str]:
    """The names that open `until` conditions test."""
    return {name for condition in conditions for name in _mentioned(condition)}


def warn_of_endless(world: World, tree: ast.AskMenu, offers: list[MidOffer]) -> None:
    """A menu that is asked again and again, and that no choice ends."""
    ends = any(isinstance(node, Leave | Return) for node in walk_ir(tuple(each.body for each in offers)))
    if offers and not ends and not any(each.offer.kind in {"pass", "stop"} for each in offers):
        who = tree.chooser.span.text
        world.error(
            Code.ENDLESS_MENU,
            tree.lines[0].span if tree.lines else tree.span,
            "no choice ends this menu: only an ending of the game or its bound of decisions does",
            label="asked again and again",
            hint=f'add a line `stop "Enough"`, or write `{who} repeatedly may:`',
        )


def warn_of_free(world: World, tree: ast.NameExpr, condition: ast.Expr | None) -> None:
    """A free name of an ending that is nearly a player's, or about which nothing is asked; `p` is any player."""
    name = tree.name
    if len(name) == 1:
        return
    asked = condition is None or name in _mentioned(condition)
    near = get_close_matches(name, world.domains[0].members, n=1, cutoff=0.75 if asked else 0.6)
    message = f"`{name}` is no player's name, so it stands for any player"
    if near:
        hint = f"did you mean `{near[0]}`? for any player, one letter is plainer: `p`"
        world.error(Code.LIKELY_MISSPELT, tree.span, message, hint=hint)
    elif not asked:
        hint = f"ask about `{name}` in the condition, or write `p` where all players are meant"
        world.error(Code.LIKELY_MISSPELT, tree.span, f"{message}, and nothing is asked about it", hint=hint)


def warn_of_uncited(world: World, game: str) -> None:
    """In a game with a rulebook each clause of its rules has a source: the book, or `house`."""
    if not world.rulebooks:
        return
    for clause, span in zip(world.clauses, world.clause_spans, strict=True):
        ours = clause.place.file.startswith(f"{game}/")
        if ours and clause.kind in RULES and not clause.ids and not clause.house:
            world.error(
                Code.UNCITED,
                span,
                f"this `{clause.kind}` has no source",
                hint="cite the rule that says so, `[AB-012]`, or write `[house]` where it is ours",
            )
