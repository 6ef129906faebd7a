"""Blocks, statements and menus."""

from collections.abc import Sequence

from dsl.syntax import ast, faults
from dsl.syntax.build.expressions import (
    expression,
    maybe_expression,
    maybe_type,
    selected,
    selection,
    setting,
)
from dsl.syntax.build.leaves import (
    Origin,
    citation,
    label,
    maybe_label,
    name,
    new_name,
    number,
    parts,
    present,
    token,
    unknown,
    words_of,
)
from dsl.syntax.build.rules import modify
from dsl.syntax.lalr import Child, Token, Tree

_AT_ONCE = (
    ast.Assign, ast.Call, ast.Draw, ast.Gain, ast.Let, ast.Move, ast.Need, ast.Place, ast.Random, ast.RollEach, ast.Say,
    ast.Shuffle, ast.TakeAway,
)  # fmt: skip
"""Statements that are done as one: nothing is tested in the middle of them."""


def block(origin: Origin, child: Child) -> ast.Block:
    """A block of lines under a colon, or the statements of one line behind it."""
    span = origin.span(child)
    match parts(child):
        case "suite", [None | Token() as cited, *lines]:
            statements = tuple(each for line in lines for each in _line(origin, line))
            return ast.Block(statements, citation(origin, cited), span=span)
        case "suite", [*simples, cited]:
            return ast.Block(_cited_line(origin, simples, cited), span=span)
        case _:
            unknown(child)


def maybe_block(origin: Origin, child: Child) -> ast.Block | None:
    """A block that need not be there."""
    return None if child is None else block(origin, child)


def _line(origin: Origin, child: Child) -> tuple[ast.Stmt, ...]:
    match parts(child):
        case "line", [*simples, cited]:
            return _cited_line(origin, simples, cited)
        case _:
            return (_compound(origin, child),)


def _cited_line(origin: Origin, simples: Sequence[Child], cited: Child) -> tuple[ast.Stmt, ...]:
    """The statements of one line; a citation at its end is each one's."""
    shared = citation(origin, cited)
    return tuple(_simple(origin, simple, shared) for simple in simples)


def _simple(origin: Origin, child: Child, cited: ast.Citation | None) -> ast.Stmt:
    def of(part: Child) -> ast.Expr:
        return expression(origin, part)

    span = origin.span(child)
    match parts(child):
        case "let", [variable, type_, value]:
            typed = maybe_type(origin, type_)
            return ast.Let(new_name(origin, variable), of(value), cited, typed, span=span)
        case "assign", [target, value]:
            return ast.Assign(of(target), of(value), cited, span=span)
        case "gain", [target, verb, up_to, value]:
            return ast.Gain(of(target), str(token(verb)), up_to is not None, of(value), cited, span=span)
        case "call", _:
            return call(origin, child, cited)
        case "need", _:
            return need(origin, child, cited)
        case "random", chosen:
            return ast.Random(selected(origin, chosen), cited, span=span)
        case "roll_into", [count, die, variable]:
            sides = int(str(token(die))[1:10])
            return ast.RollEach(of(count), sides, new_name(origin, variable), cited, span=span)
        case "return", [value]:
            return ast.Return(maybe_expression(origin, value), cited, span=span)
        case "say", [words]:
            return ast.Say(label(origin, words), cited, span=span)
        case "open_window", [window]:
            return ast.OpenWindow(of(window), cited, span=span)
        case "later", [when, phase, what]:
            moment = words_of(when)[1]
            return ast.Later(moment, of(phase), call(origin, what), cited, span=span)
        case "stop", _:
            return ast.Stop(cited, span=span)
        case "nothing", _:
            return ast.Nothing(cited, span=span)
        case (("decision" | "split" | "secret"), _):
            return _decision(origin, child, cited)
        case _:
            return _piece_statement(origin, child, cited)


def _piece_statement(origin: Origin, child: Child, cited: ast.Citation | None) -> ast.Stmt:
    """What is done to pieces and cards."""

    def of(part: Child) -> ast.Expr:
        return expression(origin, part)

    span = origin.span(child)
    match parts(child):
        case "place", [count, kind, owner, spot, where, _, chooser, *settings, variable]:
            return ast.Place(
                1 if count is None else number(origin, count),
                name(origin, kind),
                maybe_expression(origin, owner),
                str(token(parts(spot)[1][0])),
                of(where),
                tuple(setting(origin, each) for each in present(settings)),
                None if variable is None else new_name(origin, variable),
                cited,
                maybe_expression(origin, chooser),
                span=span,
            )
        case "take_away", [piece, for_ever]:
            return ast.TakeAway(of(piece), for_ever is not None, cited, span=span)
        case "draw", [count, source, target, variable]:
            drawn = None if variable is None else new_name(origin, variable)
            return ast.Draw(of(count), of(source), of(target), drawn, cited, span=span)
        case "shuffle", [pile]:
            return ast.Shuffle(of(pile), cited, span=span)
        case "move", [card, end, pile]:
            which = "top" if end is None else words_of(end)[-2]
            return ast.Move(of(card), of(pile), which, cited, span=span)
        case _:
            unknown(child)


def _decision(origin: Origin, child: Child, cited: ast.Citation | None) -> ast.Stmt:
    span = origin.span(child)
    match parts(child):
        case "decision", [chooser, verb, how_many, *chosen, prompt, closes, closing]:
            how, limit = _how_many(origin, how_many)
            return ast.Choose(
                expression(origin, chooser),
                words_of(verb)[0] == "may",
                how,
                limit,
                selected(origin, chosen),
                maybe_label(origin, prompt),
                cited,
                None if closes is None else words_of(closes)[0],
                maybe_label(origin, closing),
                span=span,
            )
        case "split", [chooser, _, up_to, total, word, domain, condition, *each, prompt]:
            most = [part for part in each if part is not None and not isinstance(part, Token)]
            return ast.Split(
                expression(origin, chooser),
                up_to is not None,
                expression(origin, total),
                selected(origin, [word, domain, condition]),
                expression(origin, most[0]) if most else None,
                maybe_label(origin, prompt),
                cited,
                span=span,
            )
        case "secret", [*children, prompt]:
            at = next(i for i, each in enumerate(children) if isinstance(each, Token))
            choosers = tuple(expression(origin, each) for each in children[:at])
            chosen = children[at + 1 :]
            prompted = maybe_label(origin, prompt)
            return ast.SecretChoose(choosers, selected(origin, chosen), prompted, cited, span=span)
        case _:
            unknown(child)


def _how_many(origin: Origin, child: Child) -> tuple[str, ast.Expr | None]:
    if child is None:
        return "one", None
    match parts(child):
        case "how_many", [_, limit]:
            return "up to", expression(origin, limit)
        case "exactly", [limit]:
            return "exactly", expression(origin, limit)
        case "ordering", _:
            return "order", None
        case _:
            unknown(child)


def call(
    origin: Origin,
    child: Child,
    cited: ast.Citation | None = None,
    otherwise: ast.Block | None = None,
) -> ast.Call:
    """A call; its citation and its `otherwise` come from around it."""
    _, (what, by) = parts(child)
    who = maybe_expression(origin, by)
    return ast.Call(expression(origin, what), who, otherwise, cited, span=origin.span(child))


def effect(origin: Origin, child: Child) -> tuple[ast.Stmt, ...]:
    """The statements of an effect cell."""
    return tuple(_simple(origin, each, None) for each in parts(child)[1])


def need(origin: Origin, child: Child, cited: ast.Citation | None) -> ast.Need:
    """A condition of the action around it."""
    _, (condition, reason) = parts(child)
    said = maybe_label(origin, reason)
    return ast.Need(expression(origin, condition), said, cited, span=origin.span(child))


def _compound(origin: Origin, child: Child) -> ast.Stmt:
    """A statement with a block, or with a line of its own."""
    span = origin.span(child)
    match parts(child):
        case "if", [*branches, otherwise]:
            pairs = zip(branches[::2], branches[1::2], strict=True)
            each = tuple((expression(origin, condition), block(origin, body)) for condition, body in pairs)
            return ast.If(each, maybe_block(origin, otherwise), span=span)
        case "for", [chosen, body]:
            return ast.For(selection(origin, chosen), block(origin, body), span=span)
        case "for_order", [variable, _, condition, body]:
            where = maybe_expression(origin, condition)
            return ast.ForOrder(new_name(origin, variable), block(origin, body), where, span=span)
        case "repeat", [count, body]:
            return ast.RepeatTimes(expression(origin, count), block(origin, body), span=span)
        case "repeat_until", [condition, _, limit, body, _, otherwise]:
            return ast.RepeatUntil(
                expression(origin, condition),
                expression(origin, limit),
                block(origin, body),
                maybe_block(origin, otherwise),
                span=span,
            )
        case "until", [condition, body, last]:
            until = ast.Until(
                expression(origin, condition), block(origin, body), maybe_block(origin, last), span=span
            )
            match until.body.statements, until.finally_:
                case (one,), None if isinstance(one, _AT_ONCE):
                    origin.diagnostics.add(faults.nothing_repeated(until.condition.span, one.span))
                case _:
                    pass
            return until
        case "together", [body]:
            return ast.Together(block(origin, body), span=span)
        case "menu_decision", _:
            return _menu_decision(origin, child)
        case "rest", [_, scope, clause]:
            modified = modify(origin, clause)
            return ast.Rest(name(origin, scope), modified, modified.citation, span=span)
        case "call_otherwise", [what, _, body]:
            made = call(origin, what, otherwise=block(origin, body))
            return ast.Call(made.call, made.by, made.otherwise, span=span)
        case _:
            unknown(child)


def _menu_decision(origin: Origin, child: Child) -> ast.AskMenu:
    _, (chooser, verb, prompt, *rest, _, otherwise) = parts(child)
    words = words_of(verb)
    cited, lines = menu_lines(origin, rest)
    return ast.AskMenu(
        expression(origin, chooser),
        words[-1] == "may",
        words[0] == "repeatedly",
        maybe_label(origin, prompt),
        lines,
        cited,
        maybe_block(origin, otherwise),
        span=origin.span(child),
    )


def menu_lines(
    origin: Origin, children: Sequence[Child]
) -> tuple[ast.Citation | None, tuple[ast.MenuLine, ...]]:
    """The citation behind a menu's colon, and its lines."""
    cited = next((child for child in children if isinstance(child, Token)), None)
    lines = tuple(_menu_line(origin, child) for child in children if isinstance(child, Tree))
    return citation(origin, cited), lines


def _menu_line(origin: Origin, child: Child) -> ast.MenuLine:
    _, (entry, words, *chosen, condition, last) = parts(child)
    kind, _ = parts(entry)
    is_suite = isinstance(last, Tree)
    return ast.MenuLine(
        kind,
        call(origin, entry) if kind == "call" else None,
        maybe_label(origin, words),
        tuple(selection(origin, each) for each in present(chosen)),
        maybe_expression(origin, condition),
        block(origin, last) if is_suite else None,
        None if is_suite else citation(origin, last),
        span=origin.span(child),
    )
