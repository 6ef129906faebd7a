"""Tests that authors write."""

from dsl.syntax import ast
from dsl.syntax.build.expressions import expression, maybe_expression, maybe_type, setting
from dsl.syntax.build.leaves import Origin, citation, name, new_name, parts, text, token, unknown
from dsl.syntax.build.statements import block, call
from dsl.syntax.lalr import Child, Token, Tree


def test(origin: Origin, child: Child) -> ast.Test:
    """A test and its lines."""
    _, (title, places, cited, *lines) = parts(child)
    written = tuple(_line(origin, line) for line in lines)
    only_for = tuple(name(origin, each) for each in parts(places)[1]) if places is not None else ()
    return ast.Test(text(origin, title), written, citation(origin, cited), only_for, span=origin.span(child))


def always(origin: Origin, child: Child) -> ast.Always:
    """A promise and its conditions; the citation of one that stands on one line is its own."""
    _, (title, when, *rest) = parts(child)
    cited, lines = (None, rest) if isinstance(rest[0], Tree) else (rest[0], rest[1:])
    held = tuple(_held(origin, line) for line in lines)
    cites = citation(origin, cited) or (held[0].citation if cited is None and len(rest) == 1 else None)
    return ast.Always(
        text(origin, title), maybe_expression(origin, when), held, cites, span=origin.span(child)
    )


def _held(origin: Origin, child: Child) -> ast.Expect:
    _, (condition, cited) = parts(child)
    return ast.Expect(expression(origin, condition), citation(origin, cited), span=origin.span(child))


def _line(origin: Origin, child: Child) -> ast.TestLine:
    span = origin.span(child)
    match parts(child):
        case "given", [body]:
            return ast.Given(block(origin, body), span=span)
        case "script", [kind, *values, cited]:
            listed = tuple(expression(origin, value) for value in values)
            return ast.Script(str(token(kind)), listed, citation(origin, cited), span=span)
        case "run", [what, cited]:
            return ast.Run(call(origin, what), citation(origin, cited), span=span)
        case "naming", [what, cited]:
            variable, typed, value = parts(what)[1]
            told, type_ = expression(origin, value), maybe_type(origin, typed)
            return ast.Naming(new_name(origin, variable), told, citation(origin, cited), type_, span=span)
        case "moves", [player, *moves, cited]:
            made = tuple(_moves(origin, move) for move in moves)
            return ast.Moves(expression(origin, player), made, citation(origin, cited), span=span)
        case "expect", [condition, cited]:
            return ast.Expect(expression(origin, condition), citation(origin, cited), span=span)
        case "expect_illegal", [what, by, among, because]:
            return ast.ExpectIllegal(
                expression(origin, what),
                maybe_expression(origin, by),
                citation(origin, because),
                among is not None,
                span=span,
            )
        case "expect_refused", [player, move, cited]:
            return ast.ExpectRefused(
                expression(origin, player), _move(origin, move), citation(origin, cited), span=span
            )
        case "expect_offered", [player, move, cited]:
            return ast.ExpectOffered(
                expression(origin, player), _move(origin, move), citation(origin, cited), span=span
            )
        case "expect_error", [code, cited]:
            return ast.ExpectError(name(origin, code), citation(origin, cited), span=span)
        case "expect_quiet", [_, cited]:
            return ast.ExpectQuiet(citation(origin, cited), span=span)
        case "asking", [_, cited]:
            return ast.Asking(citation(origin, cited), span=span)
        case "with_option", [Token(), *settings, cited]:
            set_to = tuple(setting(origin, each) for each in settings)
            return ast.WithOption(set_to, citation(origin, cited), span=span)
        case _:
            unknown(child)


def _moves(origin: Origin, child: Child) -> ast.Expr | ast.Pass | ast.Stop | ast.Times:
    match parts(child):
        case "move_times", [move, count]:
            return ast.Times(_move(origin, move), int(token(count)), span=origin.span(child))
        case _:
            return _move(origin, child)


def _move(origin: Origin, child: Child) -> ast.Expr | ast.Pass | ast.Stop:
    span = origin.span(child)
    match parts(child):
        case "pass", _:
            return ast.Pass(span=span)
        case "stop", _:
            return ast.Stop(span=span)
        case "by_label", [words]:
            return ast.Text(text(origin, words).text, span=span)
        case _:
            return expression(origin, child)
