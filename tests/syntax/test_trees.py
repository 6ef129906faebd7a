"""The trees of correct programs: every construct in goldens, and what goldens would not show."""

import typing
from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Diagnostics
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.parser import parse, parse_effect, parse_expression
from tests.syntax.dump import dump

EVERYTHING = Path(__file__).resolve().parents[1] / "corpus" / "syntax" / "good" / "everything.scn"


def tree(text: str) -> ast.File:
    diagnostics = Diagnostics()
    found = parse(Source("test.scn", text), diagnostics)
    assert list(diagnostics) == []
    return found


def value(text: str) -> ast.Expr:
    [declaration] = tree(f"value v = {text}").declarations
    assert isinstance(declaration, ast.Value)
    assert not isinstance(declaration.body, ast.Block)
    return declaration.body


def test_every_construct(snapshot: Snapshot) -> None:
    file = tree(EVERYTHING.read_text(encoding="utf-8"))
    snapshot.assert_match(dump(file), "everything.txt")


def test_the_golden_shows_every_node() -> None:
    shown = dump(tree(EVERYTHING.read_text(encoding="utf-8")))
    unions = (ast.Expr, ast.TypeExpr, ast.Stmt, ast.Declaration, ast.TestLine, ast.FieldClause)
    nodes = {node.__name__ for union in unions for node in typing.get_args(union)}
    assert {node for node in nodes if f"{node} " not in shown} == set()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a or b and not c", "a or (b and (not c))"),
        ("a is b or c < d", "(a is b) or (c < d)"),
        ("1 + 2 * 3 - 4", "(1 + (2 * 3)) - 4"),
        ("-a.b * c", "(-(a.b)) * c"),
        ("a if b else c if d else e", "a if b else (c if d else e)"),
        ("not any x in S where x.a and x.b", "not (any x in S where (x.a and x.b))"),
        ("a / b rounded up..c", "((a / b) rounded up)..c"),
        ("u at c.left is x", "(u at (c.left)) is x"),
        ("f(a,\n  b, # why\n  c)", "f(a, b, c)"),
    ],
)
def test_what_binds_tighter(text: str, same: str) -> None:
    assert value(text) == value(same)


def test_spans_are_exact() -> None:
    text = "value v = (1 + foo.bar) * 2   [CA-001]  # why\n"
    [declaration] = tree(text).declarations
    assert isinstance(declaration, ast.Value)
    product = declaration.body
    assert isinstance(product, ast.Binary)
    assert isinstance(product.left, ast.Binary)
    assert declaration.span.text == "value v = (1 + foo.bar) * 2   [CA-001]"
    assert product.span.text == "(1 + foo.bar) * 2"
    assert product.left.span.text == "1 + foo.bar"
    assert product.left.right.span.text == "foo.bar"
    assert declaration.citation is not None
    assert declaration.citation.span.text == "[CA-001]"


def test_a_block_ends_with_its_last_line() -> None:
    file = tree("round:\n    foo\n\n    # a remark\n    bar [A-1]\n\n# the end\nsetup: nothing\n")
    assert [each.span.text for each in file.declarations] == [
        "round:\n    foo\n\n    # a remark\n    bar [A-1]",
        "setup: nothing",
    ]
    assert [each.text for each in file.comments] == ["# a remark", "# the end"]


def test_the_citation_of_a_line_is_that_of_each_statement_on_it() -> None:
    [declaration] = tree("round: a = 1; b = 2 [CA-001]").declarations
    assert isinstance(declaration, ast.Round)
    cited = [each.citation for each in declaration.body.statements if isinstance(each, ast.Assign)]
    assert [each.ids for each in cited if each] == [("CA-001",), ("CA-001",)]


@pytest.mark.parametrize(
    ("written", "ids", "house", "families", "pins"),
    [
        ("CA-041", ("CA-041",), False, (), ()),
        ("CNC-X14: CNC-192, A-001", ("CNC-X14",), False, (), ("CNC-192", "A-001")),
        ("house", (), True, (), ()),
        ("ME-021, house ME-H01", ("ME-021", "ME-H01"), True, (), ()),
        ("house night", (), True, ("night",), ()),
        ("CA-041, entrée, camps", ("CA-041",), False, ("entrée", "camps"), ()),
    ],
)
def test_what_a_citation_lists(
    written: str, ids: tuple[str, ...], house: bool, families: tuple[str, ...], pins: tuple[str, ...]
) -> None:
    [declaration] = tree(f"area yard [{written}]").declarations
    assert isinstance(declaration, ast.Area)
    expected = ast.Citation(ids, house, families, pins, span=declaration.span)
    assert declaration.citation == expected


def test_cells_know_where_they_stand() -> None:
    [table] = tree(
        "table T:\n    | id |  name fr | #4a90d9 || [A-1] # a | b\n    | a b |-|  |é|\n"
    ).declarations
    assert isinstance(table, ast.Table)
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["id", "name fr", "#4a90d9", ""],
        ["a b", "-", "", "é"],
    ]
    for row in table.rows:
        assert all(cell.span.text == cell.text for cell in row.cells)


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n   \n", "  # the end"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_endings_of_lines_and_files(ending: str, newline: str) -> None:
    lines = ["\ufeffround:", "    if x:", "        foo(1,", "            2)", "", "    else: bar"]
    assert tree(newline.join(lines) + ending) == tree("\n".join(lines)[1:])


def test_words_are_names_where_no_word_can_stand() -> None:
    file = tree(
        "piece Unit, up to 3:\n    at: Cell?\n    place: Cell?\n    round: 0..3 = 1\n"
        'game g:\n    title en "x"\n    scenario y\n'
        "value v = u.place.round\n"
    )
    piece = file.declarations[0]
    assert isinstance(piece, ast.Piece)
    assert [field.name.text for field in piece.fields] == ["at", "place", "round"]


def test_cells_are_read_in_place() -> None:
    source = Source("test.scn", "table T:\n    | foo(1); bar by p | {3 MI, 2 IL} | nothing |\n")
    diagnostics = Diagnostics()

    def at(text: str) -> tuple[int, int]:
        start = source.text.index(text)
        return start, start + len(text)

    calls = parse_effect(source, *at("foo(1); bar by p"), diagnostics)
    assert calls is not None
    assert [call.span.text for call in calls] == ["foo(1)", "bar by p"]
    bag = parse_expression(source, *at("{3 MI, 2 IL}"), diagnostics)
    assert isinstance(bag, ast.Braces)
    assert [item.span.text for item in bag.items] == ["3 MI", "2 IL"]
    assert parse_effect(source, *at("nothing"), diagnostics) == (ast.Nothing(span=source.end),)
    assert list(diagnostics) == []


def test_a_fault_in_a_cell_is_told_at_its_place() -> None:
    source = Source("test.scn", "| 3 + | foo bar |  |")
    diagnostics = Diagnostics()
    assert parse_expression(source, 2, 5, diagnostics) is None
    assert parse_effect(source, 8, 15, diagnostics) is None
    assert parse_expression(source, 17, 19, diagnostics) is None
    assert [(each.code.id, each.span.start if each.span else None) for each in diagnostics] == [
        ("E0101", 5),
        ("E0101", 12),
        ("E0101", 17),
    ]
