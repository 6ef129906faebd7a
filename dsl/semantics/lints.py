"""Warnings about what compiles and may still be a slip: pieces used after they may be gone, rules without a source."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.diagnostics import Code, Label
from dsl.semantics.reach import called_names, walk
from dsl.semantics.world import World
from dsl.source import Span
from dsl.syntax import ast

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
