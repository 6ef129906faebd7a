"""From the parse tree of one declaration to its node."""

from collections.abc import Sequence

from dsl.syntax import ast, faults
from dsl.syntax.build import data, rules
from dsl.syntax.build.expressions import expression, maybe_expression, maybe_type, params, printed, type_of
from dsl.syntax.build.leaves import (
    Origin,
    citation,
    label,
    maybe_label,
    maybe_name,
    name,
    new_name,
    number,
    of_rule,
    parts,
    text,
    token,
    unknown,
    words_of,
)
from dsl.syntax.build.scripts import always, test
from dsl.syntax.build.statements import block, menu_lines
from dsl.syntax.lalr import Child, Token, Tree


def declaration(origin: Origin, child: Child) -> ast.Declaration:
    """The node of any declaration."""
    match parts(child)[0]:
        case "type_decl":
            return data.type_decl(origin, child)
        case "table":
            return data.table(origin, child)
        case "state":
            return data.state(origin, child)
        case "area":
            return data.area(origin, child)
        case "shape":
            return data.shape(origin, child)
        case "piece":
            return data.piece(origin, child)
        case "pile":
            return data.pile(origin, child)
        case "map":
            return data.map_of(origin, child)
        case "legend_decl":
            return data.legend(origin, child)
        case "ruling" | "ruling_range":
            return data.ruling(origin, child)
        case "modify":
            return rules.modify(origin, child)
        case "permit":
            return rules.permit(origin, child)
        case "test":
            return test(origin, child)
        case "always":
            return always(origin, child)
        case "value" | "action" | "reaction" | "menu" | "window" | "round" | "setup":
            return _rule(origin, child)
        case "ending" | "objective":
            return _aim(origin, child)
        case _:
            return _change_of_game(origin, child)


def _change_of_game(origin: Origin, child: Child) -> ast.Declaration:
    """Headers and imports, modes, and what a file does to a game that another file made."""
    span = origin.span(child)
    match parts(child):
        case "import", words:
            return ast.Import(tuple(name(origin, word) for word in words), span=span)
        case "header", [kind, word, game, cited, *lines]:
            listed = tuple(_header_field(origin, line) for line in lines)
            target = maybe_name(origin, game)
            cites = citation(origin, cited)
            return ast.Header(str(token(kind)), name(origin, word), target, listed, cites, span=span)
        case "language", [_, word, *lines]:
            translations = tuple(_translation(origin, line) for line in lines)
            return ast.Language(name(origin, word), translations, span=span)
        case "mode", [word, like, words, cited, *inner]:
            return ast.Mode(
                new_name(origin, word),
                maybe_name(origin, like),
                maybe_label(origin, words),
                tuple(declaration(origin, each) for each in inner if parts(each)[0] != "header_field"),
                citation(origin, cited),
                tuple(_header_field(origin, each) for each in of_rule(inner, "header_field")),
                span=span,
            )
        case "extend_rows", [word, cited, *lines]:
            rows, captions = data.captioned(data.rows(origin, lines))
            return ast.ExtendRows(name(origin, word), rows, citation(origin, cited), captions, span=span)
        case "extend_column", [table, word, written, value, cited]:
            return ast.ExtendColumn(
                name(origin, table),
                new_name(origin, word),
                type_of(origin, written),
                expression(origin, value) if value is not None else None,
                citation(origin, cited),
                span=span,
            )
        case "extend_fields", [word, cited, *lines]:
            fields = data.fields(origin, lines)
            return ast.ExtendFields(name(origin, word), fields, citation(origin, cited), span=span)
        case "extend_menu", [word, written, *rest]:
            cites, entries = menu_lines(origin, rest)
            return ast.ExtendMenu(name(origin, word), params(origin, written), entries, cites, span=span)
        case "extend_type", [word, *alternatives, cited]:
            added = data.members(origin, alternatives)
            return ast.ExtendType(name(origin, word), added, citation(origin, cited), span=span)
        case "change", [row, *settings, cited]:
            changed = tuple(printed(origin, each) for each in settings)
            return ast.Change(expression(origin, row), changed, citation(origin, cited), span=span)
        case "replace", [made]:
            return ast.Replace(declaration(origin, made), span=span)
        case "remove", children:
            return _remove(origin, child, children)
        case _:
            unknown(child)


def _translation(origin: Origin, child: Child) -> ast.Translation:
    _, (within, source, translated) = parts(child)
    words = text(origin, source), text(origin, translated)
    return ast.Translation(maybe_name(origin, within), *words, span=origin.span(child))


def _header_field(origin: Origin, child: Child) -> ast.HeaderField:
    _, (key, *items, cited) = parts(child)
    written = tuple(_header_item(origin, item) for item in items)
    return ast.HeaderField(name(origin, key), written, citation(origin, cited), span=origin.span(child))


def _header_item(origin: Origin, child: Child) -> ast.Name | ast.Text | ast.Number:
    match token(child).type:
        case "STRING":
            return text(origin, child)
        case "NUMBER":
            return ast.Number(number(origin, child), span=origin.span(child))
        case _:
            return ast.Name(" ".join(words_of(child)), span=origin.span(child))


def _remove(origin: Origin, child: Child, children: Sequence[Child]) -> ast.Remove:
    span = origin.span(child)
    match children:
        case [Token(type="CITE") as what, cited]:
            return ast.Remove(citation(origin, what), None, None, citation(origin, cited), span=span)
        case [Tree(data="row_of", children=[table, row]), cited]:
            of, named = name(origin, table), name(origin, row)
            return ast.Remove(None, None, named, citation(origin, cited), of, span=span)
        case [word, None, cited]:
            return ast.Remove(None, None, name(origin, word), citation(origin, cited), span=span)
        case [kind, word, cited]:
            of, named = name(origin, kind), name(origin, word)
            return ast.Remove(None, of, named, citation(origin, cited), span=span)
        case _:
            unknown(child)


def _rule(origin: Origin, child: Child) -> ast.Declaration:
    span = origin.span(child)
    match parts(child):
        case "value", _:
            return _value(origin, child)
        case "action", [kind, word, written, by, words, *ranks, body]:
            return ast.Action(
                str(token(kind)),
                new_name(origin, word),
                params(origin, written),
                None if by is None else new_name(origin, by),
                maybe_label(origin, words),
                rules.only_nesting(origin, ranks),
                block(origin, body),
                rules.reaction_order(origin, ranks),
                span=span,
            )
        case "reaction", [hook, *rest, body]:
            heads = of_rule(rest, "target")
            tail = rules.tail(origin, rest[len(heads) :], heads[-1])
            targets = tuple(rules.target(origin, head) for head in heads)
            return ast.Reaction(words_of(hook)[0], targets, tail, block(origin, body), span=span)
        case "menu", [word, written, *rest]:
            cites, entries = menu_lines(origin, rest)
            return ast.Menu(new_name(origin, word), params(origin, written), entries, cites, span=span)
        case "window", _:
            return _window(origin, child)
        case "round", [words, body]:
            return ast.Round(maybe_label(origin, words), block(origin, body), span=span)
        case "setup", [side, body]:
            return ast.Setup(maybe_name(origin, side), block(origin, body), span=span)
        case _:
            unknown(child)


def _value(origin: Origin, child: Child) -> ast.Value:
    _, (word, written, result, *rest) = parts(child)
    clauses = of_rule(rest, "rounding", "stages", "called")
    body, *ending = [each for each in rest if each not in clauses]
    roundings = [words_of(parts(each)[1][0])[-1] for each in of_rule(clauses, "rounding")]
    stages = [word for each in of_rule(clauses, "stages") for word in parts(each)[1]]
    words = [label(origin, parts(each)[1][0]) for each in of_rule(clauses, "called")]
    for rule in ("rounding", "stages", "called"):
        for again in of_rule(clauses, rule)[1:]:
            origin.diagnostics.add(faults.said_twice(origin.span(again)))
    return ast.Value(
        new_name(origin, word),
        params(origin, written, worded=True),
        maybe_type(origin, result),
        block(origin, body) if parts(body)[0] == "suite" else expression(origin, body),
        roundings[-1] if roundings else None,
        tuple(name(origin, stage) for stage in stages),
        words[-1] if words else None,
        citation(origin, ending[-1]) if ending else None,
        span=origin.span(child),
    )


def _window(origin: Origin, child: Child) -> ast.Window:
    _, (word, *rest) = parts(child)
    at = next(i for i, each in enumerate(rest) if isinstance(each, Token) and each.type == "TURNS")
    *players, acting = rest[:at]
    ranks = of_rule(rest, "over", "ahead", "once", "nested", "owned")
    words, *entered = rest[at + 1 + len(ranks) :]
    cites, entries = menu_lines(origin, entered)
    return ast.Window(
        new_name(origin, word),
        tuple(expression(origin, player) for player in players),
        "alternately" if words_of(rest[at])[0] == "alternately" else "in turn",
        rules.only_nesting(origin, ranks),
        entries,
        cites,
        None if acting is None else new_name(origin, acting),
        maybe_label(origin, words),
        span=origin.span(child),
    )


def _aim(origin: Origin, child: Child) -> ast.Declaration:
    span = origin.span(child)
    match parts(child):
        case "ending", [word, who, words, *rest, cited]:
            signs = {each.type for each in rest if isinstance(each, Token)}
            condition = next((each for each in rest if isinstance(each, Tree)), None)
            return ast.Ending(
                str(token(parts(word)[1][0])),
                maybe_expression(origin, who),
                maybe_label(origin, words),
                maybe_expression(origin, condition),
                "ENDING_CLAUSE" in signs,
                "OTHERWISE" in signs,
                citation(origin, cited),
                span=span,
            )
        case "objective", [side, condition, words, cited]:
            met = expression(origin, condition) if isinstance(condition, Tree) else None
            said = maybe_label(origin, words)
            return ast.Objective(name(origin, side), met, said, citation(origin, cited), span=span)
        case _:
            unknown(child)
