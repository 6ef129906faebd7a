"""The parts of clauses: targets, tails and ranks; and the clauses that are one line."""

from collections.abc import Sequence

from dsl.syntax import ast, faults
from dsl.syntax.build.expressions import expression, maybe_expression, params
from dsl.syntax.build.leaves import (
    Origin,
    citation,
    maybe_label,
    maybe_name,
    name,
    number,
    of_rule,
    parts,
    token,
    unknown,
    words_of,
)
from dsl.syntax.lalr import Child
from dsl.syntax.trees import quoted

_OPERATIONS = {
    "plus": "plus",
    "minus": "minus",
    "times": "times",
    "becomes": "becomes",
    "at_least": "at-least",
    "at_most": "at-most",
}


def target(origin: Origin, child: Child) -> ast.Target:
    """What a clause is about."""
    _, (head, column, written) = parts(child)
    own = None if written is None else params(origin, written)
    return ast.Target(name(origin, head), maybe_name(origin, column), own, span=origin.span(child))


def tail(origin: Origin, children: Sequence[Child], place: Child) -> ast.Tail:
    """`when C "reason", over A, ...`; where nothing is written, its place is the end of what comes before."""
    condition, reason, *ranks = children
    written = [child for child in children if child is not None]
    before = origin.span(place)
    start = origin.span(written[0]).start if written else before.end
    end = origin.span(written[-1]).end if written else before.end
    return ast.Tail(
        maybe_expression(origin, condition),
        maybe_label(origin, reason),
        _references(origin, ranks, "over"),
        _references(origin, ranks, "ahead"),
        nesting(origin, ranks),
        _owner(origin, ranks),
        span=origin.source.span(start, end),
    )


def _owner(origin: Origin, ranks: Sequence[Child]) -> ast.Expr | None:
    """Whose reaction it is, if that is said."""
    owners = [expression(origin, parts(rank)[1][0]) for rank in ranks if parts(rank)[0] == "owned"]
    return owners[-1] if owners else None


def reaction_order(origin: Origin, ranks: Sequence[Child]) -> ast.ReactionOrder | None:
    """What holds among the reactions to a head that no rank orders."""
    for rank in ranks:
        match parts(rank):
            case "order_chosen", [chooser]:
                return ast.ReactionOrder(expression(origin, chooser), span=origin.span(rank))
            case "order_of_play", _:
                return ast.ReactionOrder(span=origin.span(rank))
            case _:
                pass
    return None


def unowned(origin: Origin, ranks: Sequence[Child]) -> None:
    """Tells where something is said to be owned that is no reaction."""
    for rank in ranks:
        if rank is not None and parts(rank)[0] == "owned":
            origin.diagnostics.add(faults.owner_of_no_reaction(origin.span(rank)))


def _references(origin: Origin, ranks: Sequence[Child], rule: str) -> tuple[ast.Reference, ...]:
    return tuple(reference(origin, parts(rank)[1][0]) for rank in ranks if parts(rank)[0] == rule)


def reference(origin: Origin, child: Child) -> ast.Reference:
    """What an `over` or an `ahead of` names."""
    if token(child).type == "NAME":
        return ast.Reference((str(token(child)),), span=origin.span(child))
    if token(child).type == "STRING":
        return ast.Reference((quoted(str(token(child))[1:-1]),), span=origin.span(child))
    cited = citation(origin, child)
    assert cited is not None
    return ast.Reference(cited.ids + cited.families, span=cited.span)


def nesting(origin: Origin, ranks: Sequence[Child]) -> int | None:
    """How deep the clause may meet itself, if that is declared: `once` is 1."""
    for rank in ranks:
        match parts(rank):
            case "once", _:
                return 1
            case "nested", [_, depth]:
                return number(origin, depth)
            case _:
                pass
    return None


def only_nesting(origin: Origin, ranks: Sequence[Child]) -> int | None:
    """The nesting of a head, which has no other ranks."""
    for rank in ranks:
        if parts(rank)[0] in {"over", "ahead", "owned"}:
            origin.diagnostics.add(faults.rank_on_head(origin.span(rank)))
    return nesting(origin, ranks)


def modify(origin: Origin, child: Child) -> ast.Modify:
    """A clause that bears on a value."""
    match parts(child):
        case "modify", [head, operation, *written, cited]:
            unowned(origin, written[2:])
            rule, written_there = parts(operation)
            operand, direction = written_there if rule == "times" else (written_there[-1], None)
            return ast.Modify(
                target(origin, head),
                _OPERATIONS[rule],
                expression(origin, operand),
                tail(origin, written, operation),
                citation(origin, cited),
                None if direction is None else words_of(direction)[-1],
                span=origin.span(child),
            )
        case _:
            unknown(child)


def permit(origin: Origin, child: Child) -> ast.Permit:
    """A clause that forbids or allows."""
    match parts(child):
        case "permit", [verb, *rest, cited]:
            heads = of_rule(rest, "target")
            unowned(origin, rest[len(heads) + 2 :])
            return ast.Permit(
                str(token(verb)),
                tuple(target(origin, head) for head in heads),
                tail(origin, rest[len(heads) :], heads[-1]),
                citation(origin, cited),
                span=origin.span(child),
            )
        case _:
            unknown(child)
