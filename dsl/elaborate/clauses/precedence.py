"""Who is over whom among the clauses of a head.

A clause stands if its condition holds and no standing clause is over it. `over` names clauses of the same head by a
citation, a family or their own words; the relation has no cycle, so file order never counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Subject
from dsl.ir.limits import MAX_NODES, MAX_OVERRULED
from dsl.near import LOOK, spend
from dsl.records import record
from dsl.resolve.reporter import Reporter
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.words import nearest_handle

MOST_NAMES = 12
"""Names of clauses in a hint."""


@record(frozen=True, slots=True)
class Handled:
    """A clause as `over` sees it: its handles, and what it is over."""

    handles: tuple[str, ...]
    over: tuple[ast.Reference, ...]
    span: Span


def overruling(reporter: Reporter, clauses: Sequence[Handled], head: str) -> list[tuple[int, ...]]:
    """For each clause the numbers of those that are over it; unknown handles and cycles are faults."""
    overruled_by: list[set[int]] = [set() for _ in clauses]
    bearers: dict[str, list[int]] = {}
    for at, each in enumerate(clauses):
        for handle in dict.fromkeys(each.handles):
            bearers.setdefault(handle, []).append(at)
    pairs = 0
    for index, clause in enumerate(clauses):
        for reference in clause.over:
            for handle in reference.handles:
                targets = [at for at in bearers.get(handle, ()) if at != index]
                pairs += len(targets)
                if pairs > MAX_NODES:  # each of them becomes a condition
                    _too_many_pairs(reporter, reference, head)
                    return [() for _ in clauses]
                if not targets:
                    others = (other for at, other in enumerate(clauses) if at != index)
                    nothing_there(reporter, reference, handle, head, "over", others)
                for target in targets:
                    overruled_by[target].add(index)
    _acyclic(reporter, clauses, overruled_by)
    return [tuple(sorted(each)) for each in overruled_by]


def _too_many_pairs(reporter: Reporter, reference: ast.Reference, head: str) -> None:
    """The clauses of a head are over so many others that no engine could hold it."""
    reporter.error(
        Code.LIMIT,
        reference.span,
        tr(
            "the clauses of `{head}` are over more than {most} others, counted one by one",
            head=head,
            most=MAX_NODES,
        ),
        hint="put what many clauses have in common into one: a table with a row for each, and one clause that reads it",
    )


def nothing_there(
    reporter: Reporter, reference: ast.Reference, handle: str, head: str, what: str, others: Iterable[Handled]
) -> None:
    """No other clause of a head has that handle: what there is, is listed."""
    gone = reporter.gone.get(handle)
    if gone is not None:
        _taken_away(reporter, reference, handle, what, gone)
        return
    if not spend(LOOK):
        reporter.error(
            Code.OVER_NOTHING,
            reference.span,
            tr("`{head}` has no clause `{handle}` to be {what}", head=head, handle=handle, what=what),
            subject=Subject("clause", handle, head),
        )
        return
    names = sorted(
        {each for other in others for each in other.handles}, key=lambda each: (each[0] == '"', each)
    )
    more = tr(" and {count} more", count=len(names) - MOST_NAMES) if len(names) > MOST_NAMES else ""
    hint = tr(
        "clauses of `{head}` that have a name: {names}{more}",
        head=head,
        names=", ".join(names[:MOST_NAMES]),
        more=more,
    )
    if not names:
        hint = tr(
            "no other clause of `{head}` has a citation, family or words to be named by: give it one",
            head=head,
        )
    elif near := nearest_handle(handle, names):
        hint = tr("did you mean `{near}`? {hint}", near=near, hint=hint)
    reporter.error(
        Code.OVER_NOTHING,
        reference.span,
        tr("`{head}` has no clause `{handle}` to be {what}", head=head, handle=handle, what=what),
        hint=hint,
        subject=Subject("clause", handle, head),
    )


def _taken_away(reporter: Reporter, reference: ast.Reference, handle: str, what: str, gone: Span) -> None:
    """What a clause is over has been removed: by a mod that another disagrees with, or by one that forgot it."""
    labels = (Label(gone, "removed here"),)
    by, of = (reporter.layer_of.get(span.source.name, 0) for span in (gone, reference.span))
    if of and by and of != by:
        message = tr(
            "one mod removes `{handle}`, which a clause of another is {what}", handle=handle, what=what
        )
        hint = tr(
            "load a third mod after both: one that says `{handle}` again, or removes this clause too",
            handle=handle,
        )
        reporter.error(Code.MOD_CONFLICT, reference.span, message, hint=hint, labels=labels)
        return
    if by > of:
        message = tr("this removes `{handle}`, which another clause is {what}", handle=handle, what=what)
        hint = "remove that clause too, and say it again without what is removed"
        reporter.error(
            Code.OVER_NOTHING,
            gone,
            message,
            hint=hint,
            labels=(Label(reference.span, "it is named here"),),
            subject=Subject("clause", handle),
        )
        return
    message = tr("there is no clause `{handle}` any more to be {what}", handle=handle, what=what)
    hint = "remove this clause together with what it is about"
    subject = Subject("clause", handle)
    reporter.error(
        Code.OVER_NOTHING, reference.span, message, hint=hint, labels=labels, subject=subject, cause=gone
    )


def _acyclic(reporter: Reporter, clauses: Sequence[Handled], overruled_by: list[set[int]]) -> None:
    """Tells of clauses over each other in a circle, and of too many of them, one over the next."""
    left = [len(each) for each in overruled_by]
    below: list[list[int]] = [[] for _ in clauses]
    for index, over in enumerate(overruled_by):
        for each in over:
            below[each].append(index)
    free = [index for index, count in enumerate(left) if not count]
    rank = [0] * len(clauses)
    for each in free:  # grows as it is gone through
        for index in below[each]:
            rank[index] = max(rank[index], rank[each] + 1)
            left[index] -= 1
            if not left[index]:
                free.append(index)
    if len(free) < len(clauses):
        first, *others = _circle(overruled_by, left)
        reporter.error(
            Code.OVER_CYCLE,
            clauses[first].span,
            "clauses that are over each other, in a circle",
            labels=tuple(Label(clauses[each].span, "one of them") for each in others),
            hint="decide which one has the last word",
        )
    elif max(rank, default=0) >= MAX_OVERRULED:
        message = tr("more than {most} clauses are over each other, one over the next", most=MAX_OVERRULED)
        hint = "give a family to those of one rank, `[house, family]`, and let the next ones be `over` the family"
        reporter.error(Code.LIMIT, clauses[rank.index(MAX_OVERRULED)].span, message, hint=hint)
    else:
        return
    for over in overruled_by:
        over.clear()


def _circle(overruled_by: list[set[int]], left: list[int]) -> list[int]:
    """A circle among the clauses over which others are left."""
    path = [next(index for index, count in enumerate(left) if count)]
    while True:
        above = min(each for each in overruled_by[path[-1]] if left[each])
        if above in path:
            return path[path.index(above) :]
        path.append(above)
