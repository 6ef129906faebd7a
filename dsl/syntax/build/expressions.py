"""Expressions, types and parameters."""

import re

from dsl.source import join
from dsl.syntax import ast, faults
from dsl.syntax.build.leaves import (
    Origin,
    branch,
    maybe_label,
    name,
    new_name,
    number,
    parts,
    present,
    text,
    token,
    unknown,
    words_of,
)
from dsl.syntax.lalr import Child

_RULE = re.compile(r"\[\s*(?:house|(?:house\s+)?[A-Z][A-Z0-9]*-[A-Z]?[0-9]+)\s*\]")


def expression(origin: Origin, child: Child) -> ast.Expr:
    """The node of any value."""

    def of(part: Child) -> ast.Expr:
        return expression(origin, part)

    span = origin.span(child)
    match parts(child):
        case "name", [word]:
            return ast.NameExpr(str(token(word)), span=span)
        case "number", [digits]:
            return ast.Number(number(origin, digits), span=span)
        case "truth", [word]:
            return ast.Truth(token(word) == "true", span=span)
        case "none", []:
            return ast.NoneExpr(span=span)
        case "roll", [dice]:
            count, sides = (int(part[:9]) for part in str(token(dice)).split("d"))
            return ast.Roll(count, sides, span=span)
        case "legal", [call]:
            return ast.Legal(of(call), span=span)
        case "legal", [call, by]:
            return ast.Legal(of(call), of(by), span=span)
        case "trial", [condition, call, by]:
            return ast.Trial(of(condition), of(call), maybe_expression(origin, by), span=span)
        case "tuple", items:
            return ast.Tuple(tuple(map(of, items)), span=span)
        case "braces", items:
            return ast.Braces(tuple(_element(origin, item) for item in present(items)), span=span)
        case "member", [owner, word]:
            return ast.Member(of(owner), name(origin, word), span=span)
        case "apply", [function, *arguments]:
            return ast.Apply(of(function), tuple(map(of, present(arguments))), span=span)
        case "bounded", [_, limit]:
            return ast.Bounded(of(limit), span=span)
        case "by_label", [words]:
            return ast.Text(text(origin, words).text, span=span)
        case "index", [owner, key]:
            _check_index(origin, child, owner)
            return ast.Index(of(owner), of(key), span=span)
        case "located", [kind, place]:
            return ast.Located(of(kind), of(place), span=span)
        case "negative", [operand]:
            return ast.Unary("-", of(operand), span=span)
        case "not", [operand]:
            return ast.Unary("not", of(operand), span=span)
        case ("or" | "and") as op, [left, right]:
            return ast.Binary(op, of(left), of(right), span=span)
        case (("arithmetic" | "comparison"), [left, sign, right]):
            return ast.Binary("-".join(words_of(sign)), of(left), of(right), span=span)
        case "rounded", [value, direction]:
            return ast.Rounded(of(value), words_of(direction)[-1], span=span)
        case "range", [low, _, high]:
            return ast.Range(of(low), of(high), span=span)
        case "conditional", [then, condition, other]:
            return ast.Conditional(of(condition), of(then), of(other), span=span)
        case _:
            return _phrase(origin, child)


def _check_index(origin: Origin, child: Child, owner: Child) -> None:
    """Tell of an index that was meant as a citation: `3[CA-041]` would subtract."""
    end = origin.span(child).end
    bracket = origin.source.text.find("[", origin.span(owner).end, end)
    if bracket >= 0 and _RULE.fullmatch(origin.source.text, bracket, end):
        place = origin.source.span(bracket, end)
        origin.diagnostics.add(faults.touching_citation(place))


def _phrase(origin: Origin, child: Child) -> ast.Expr:
    span = origin.span(child)
    match parts(child):
        case "quantified", [word, *chosen]:
            return ast.Quantified(str(token(word)), selected(origin, chosen), span=span)
        case "every", [variable, domain, where, condition]:
            phrase = selected(origin, [variable, domain, where])
            return ast.Every(phrase, expression(origin, condition), span=span)
        case "total", [value, *chosen]:
            return ast.Total(expression(origin, value), selected(origin, chosen), span=span)
        case "extreme", [word, variable, domain, where, measure]:
            phrase = selected(origin, [variable, domain, where])
            return ast.Extreme(str(token(word)), phrase, expression(origin, measure), span=span)
        case _:
            unknown(child)


def maybe_expression(origin: Origin, child: Child) -> ast.Expr | None:
    """A value that need not be there."""
    return None if child is None else expression(origin, child)


def selected(origin: Origin, children: list[Child]) -> ast.Selection:
    """`name in domain where condition`, wherever the grammar spells it out."""
    variable, domain, condition = children
    last = condition if condition is not None else domain
    span = origin.source.span(origin.span(variable).start, origin.span(last).end)
    return ast.Selection(
        new_name(origin, variable),
        expression(origin, domain),
        maybe_expression(origin, condition),
        span=span,
    )


def selection(origin: Origin, child: Child) -> ast.Selection:
    """A selection that has a rule of its own."""
    return selected(origin, parts(child)[1])


def setting(origin: Origin, child: Child) -> ast.Setting:
    """`name = value`."""
    _, (key, value) = parts(child)
    return ast.Setting(name(origin, key), expression(origin, value), span=origin.span(child))


def printed(origin: Origin, child: Child) -> ast.Setting:
    """`column = value` of a row that is changed; labels are columns of two words, `name en = "Scout"`."""
    rule, children = parts(child)
    if rule == "setting":
        return setting(origin, child)
    key, language, words = children
    first = name(origin, key)
    if language is not None:
        last = name(origin, language)
        first = ast.Name(f"{first.text} {last.text}", span=join(first.span, last.span))
    value = ast.Text(text(origin, words).text, span=origin.span(words))
    return ast.Setting(first, value, span=origin.span(child))


def _element(origin: Origin, child: Child) -> ast.Expr | ast.Amount:
    match parts(child):
        case "amount", [count, kind]:
            return ast.Amount(number(origin, count), name(origin, kind), span=origin.span(child))
        case _:
            return expression(origin, child)


def type_of(origin: Origin, child: Child) -> ast.TypeExpr:
    """The node of any type."""
    span = origin.span(child)
    match parts(child):
        case "named_type", [word]:
            return ast.NamedType(str(token(word)), span=span)
        case "range_type", [low, _, high]:
            return ast.RangeType(bound(origin, low), bound(origin, high), span=span)
        case "optional_type", [of]:
            return ast.OptionalType(type_of(origin, of), span=span)
        case "held_type", [of, _, limit]:
            return ast.HeldType(type_of(origin, of), expression(origin, limit), span=span)
        case "set_type", [of]:
            return ast.SetType(type_of(origin, of), span=span)
        case "bag_type", [of, limit]:
            return ast.BagType(type_of(origin, of), maybe_expression(origin, limit), span=span)
        case "list_type", [of, limit]:
            return ast.ListType(type_of(origin, of), expression(origin, limit), span=span)
        case "interval_type", [of]:
            return ast.IntervalType(type_of(origin, of), span=span)
        case "record_type", fields:
            return ast.RecordType(tuple(param(origin, field) for field in fields), span=span)
        case _:
            unknown(child)


def maybe_type(origin: Origin, child: Child) -> ast.TypeExpr | None:
    """A type that need not be there."""
    return None if child is None else type_of(origin, child)


def bound(origin: Origin, child: Child) -> int:
    """An end of a printed range."""
    match parts(child)[1]:
        case [None, digits]:
            return number(origin, digits)
        case [_, digits]:
            return -number(origin, digits)
        case _:
            unknown(child)


def bound_as_written(origin: Origin, child: Child) -> ast.Name:
    """An end of a printed range, as the word that stands there."""
    sign = "-" if branch(child).children[0] is not None else ""
    return ast.Name(f"{sign}{number(origin, parts(child)[1][1])}", span=origin.span(child))


def params(origin: Origin, child: Child, *, worded: bool = False) -> tuple[ast.Param, ...]:
    """Parameters between parentheses, with words for players where these mean something; none where nothing is
    written.
    """
    return () if child is None else tuple(param(origin, each, worded) for each in present(parts(child)[1]))


def param(origin: Origin, child: Child, worded: bool = False) -> ast.Param:
    """A parameter, or a field of a record; a range alone in a table's head is called `it`."""
    match parts(child):
        case "param", [word, kind, words]:
            if words is not None and not worded:
                origin.diagnostics.add(faults.words_of_parameter(origin.span(words)))
            return ast.Param(
                new_name(origin, word),
                maybe_type(origin, kind),
                maybe_label(origin, words) if worded else None,
                span=origin.span(child),
            )
        case "range_param", [low, _, high]:
            span = origin.span(child)
            within = ast.RangeType(bound(origin, low), bound(origin, high), span=span)
            return ast.Param(ast.Name("it", span=span), within, span=span)
        case _:
            unknown(child)
