"""A game on paper: all of a board is on some page, each card as often as there is one, and nothing off the page."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dsl.authoring.printed import printed
from dsl.authoring.sections import Section
from dsl.authoring.survey import sections
from dsl.cli.main import cli
from dsl.compiler import compile_game
from dsl.ir.identity import identity
from dsl.ir.program import Program
from dsl.library import load
from dsl.playable import Playable
from dsl.scene.colours import EDGE
from dsl.scene.fonts import font_of
from dsl.scene.lettering import width_of, wrapped
from dsl.scene.picture import MARKED
from dsl.scene.shapes import Group, Polygon, Words, flat
from dsl.scene.shapes import Path as Line
from dsl.sheets import boards, tables
from dsl.sheets.book import PARTS, document, pages_of
from dsl.sheets.cards import SIZE
from dsl.sheets.counters import BLEED
from dsl.sheets.page import MM, PAPERS, Flow, Page, extent
from dsl.sheets.tables import in_words
from tests.fonts import NEEDS_FONT

GAME = """game paper:
    title en "Paper"
    players red, blue
    rounds 2
table Kind:
    | id    | name en     | steps |
    | scout | Scout       |     2 |
    | guard | Long-guard  |     1 |
table Spell:
    | id    | name en | cost | says: text             |
    | flame | Flame   |    3 | A unit takes 2 hits.  |
    | frost | Frost   |    0 | <b>Nobody</b> moves.  |
piece Unit of Kind, up to 3 each:
    owner: Player
    at: Cell?
piece Scroll of Spell, up to 5 each
pile deck of Scroll, seen by none
map field on squares(20, 6)
setup: place scout of red at a1
action go(c: Cell) by p "Go to {c}":
    need not (c has Unit) "somebody stands there"
round:
    for p in order of play:
        p chooses: go(c) for c in Cell
victory p "all the scouts" when (count u in Unit where u.owner is p) >= 3
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("paper") / "paper.scn"
    path.write_text(GAME)
    made = compile_game(path)
    assert made.program is not None, made.diagnostics
    return made.program


@pytest.fixture(scope="module", params=sorted(PAPERS))
def pages(program: Program, request: pytest.FixtureRequest) -> dict[str, list[Page]]:
    found = sections(program, "")
    return pages_of(Playable(program), found, PARTS, PAPERS[request.param], 22, "")


def _texts(page: Page) -> list[str]:
    shapes = [*page.shapes, *(each for window in page.windows for each in window.shapes)]
    return [each.text for each in flat(shapes) if isinstance(each, Words)]


def _titles(found: list[Page], kind: str) -> Counter[str]:
    return Counter(
        each.title for page in found for each in page.shapes if isinstance(each, Group) and each.kind == kind
    )


def test_every_cell_of_a_board_is_on_some_page(pages: dict[str, list[Page]]) -> None:
    tiles = [page for page in pages["boards"] if page.windows]
    assert len(tiles) > 1
    assert {"a", "t", "1", "6"} <= {text for page in tiles for text in _texts(page)}
    outlines = {each.points for page in tiles for each in page.windows[0].shapes if hasattr(each, "points")}
    assert len(outlines) >= 20 * 6


def test_each_card_and_counter_is_there_as_often_as_the_game_has_it(pages: dict[str, list[Page]]) -> None:
    assert _titles(pages["cards"], "card") == {"Flame": 5, "Frost": 5}
    assert _titles(pages["counters"], "counter") == {"Scout": 3, "Long-guard": 3}
    front, back = pages["cards"][:2]
    assert "Paper · 1, the backs: turn the page over its left edge" in _texts(back)
    told = _texts(front)
    assert "cost: 3" in told and "A unit takes 2 hits." in told and "<b>Nobody</b> moves." in told
    assert "cost: 0" not in told and "Paper" in _texts(back)
    assert SIZE[0] == pytest.approx(63 * MM)


def test_tables_and_rules_say_what_the_game_says(pages: dict[str, list[Page]]) -> None:
    assert {"Scout", "Long-guard", "steps"} <= {text for page in pages["tables"] for text in _texts(page)}
    told = " ".join(text for page in pages["rules"] for text in _texts(page))
    assert "somebody stands there" in told and "Victory: all the scouts" in told


def test_nothing_is_off_the_page(pages: dict[str, list[Page]]) -> None:
    for page in (page for part in pages.values() for page in part):
        for each in flat(page.shapes):
            left, top, right, bottom = extent(each)
            if isinstance(each, Words):
                left = right = each.at[0]
            assert left >= -1 and right <= page.width + 1 and top >= -1 and bottom <= page.height + 1
        for window in page.windows:
            assert window.x >= 0 and window.x + window.width <= page.width - window.x + 1
        assert any(isinstance(each, Line) for each in flat(page.shapes)) or not page.windows


@NEEDS_FONT
def test_the_document_has_all_pages(pages: dict[str, list[Page]]) -> None:
    every = [page for part in pages.values() for page in part]
    data = document(every, font_of(None), "Paper", "en")
    assert data.startswith(b"%PDF-") and f"/Count {len(every)}".encode() in data


def _streams(data: bytes) -> list[str]:
    """What is drawn on each page, in the operators of PDF."""
    found = []
    for each in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            text = zlib.decompress(each[1]).decode("latin-1")
        except zlib.error:
            continue
        if " re W n" in text:
            found.append(text)
    return found


@NEEDS_FONT
def test_marks_are_solid_and_texts_have_their_size_behind_a_window(pages: dict[str, list[Page]]) -> None:
    """The end of a clip takes back the dashes and the font: what is drawn behind it sets its own."""
    tiles = [page for page in pages["boards"] if page.windows]
    streams = _streams(document(tiles, font_of(None), "Paper", "en"))
    assert len(streams) == len(tiles)
    for page, text in zip(tiles, streams, strict=True):
        state, kept, clips, dashed, sizes = ("[] 0", ""), [], 0, 0, []
        pattern = r"\bq\b|\bQ\b|re W n|\[[\d. ]*\] [\d.]+ d\b|/F\d+ [\d.]+ Tf|\bS\b|T[jJ]\b"
        for line in re.findall(pattern, text):
            if line == "q":
                kept.append(state)
            elif line == "re W n":
                clips = len(kept)
            elif line == "Q":
                clips = 0 if len(kept) == clips else clips
                state = kept.pop()
            elif line.endswith(" d"):
                state = line.removesuffix(" d"), state[1]
            elif line.endswith("Tf"):
                state = state[0], line.split()[1]
            elif line == "S":
                dashed += not clips and not state[0].startswith("[]")
            elif not clips:
                sizes.append(state[1])
        assert dashed == sum(each.dashed for each in page.shapes if isinstance(each, Line))
        assert sizes and all(sizes), "the foot has a font of its own"


def _print(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["print", *arguments])


@NEEDS_FONT
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.scn").write_text(GAME)
    run = _print("paper.scn", "--only", "cards", "--only", "rules")
    assert (run.exit_code, run.output) == (0, "p. 1–4: cards\np. 5: rules\nprinted: paper.pdf\n")
    assert Path("paper.pdf").read_bytes().startswith(b"%PDF-")
    Path("mine.pdf").write_text("my notes")
    monkeypatch.setattr("dsl.sheets.boards.MOST_PAGES", 3)
    for arguments, told in (
        (["-o", "a.svg"], "ends with .pdf"),
        (["-o", "mine.pdf"], "is something else"),
        (["--cell", "80", "--only", "boards"], "too many pages"),
        (["--font", "none.ttf"], "is not a file"),
    ):
        run = _print("paper.scn", *arguments)
        assert run.exit_code == 2 and told in run.output, arguments
    assert Path("mine.pdf").read_text() == "my notes"


@NEEDS_FONT
def test_what_goes_beyond_the_bounds_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.scn").write_text(GAME, encoding="utf-8")
    assert "not printed" not in _print("paper.scn").output
    monkeypatch.setattr("dsl.sheets.counters.MOST", 2)
    monkeypatch.setattr("dsl.sheets.cards.MOST_CARDS", 1)
    run = _print("paper.scn")
    assert run.exit_code == 0
    assert re.search(r"not printed: \d+ more counters, as 2 is the bound", run.output)
    assert re.search(r"not printed: \d+ more cards, as 1 of a type is the bound", run.output)
    assert "not printed" not in _print("paper.scn", "--only", "boards").output


def test_texts_stand_alone_where_other_tables_name_their_columns(tmp_path: Path) -> None:
    """Of a table without names of columns, in a game that has some; where no table has any, all is printed."""
    named = GAME.replace("    | scout |", "    | called en |  | Steps |\n    | scout |")
    for text, lines in ((GAME, [("cost", "3")]), (named, [])):
        source = tmp_path / f"paper{len(text)}.scn"
        source.write_text(text, encoding="utf-8")
        program = compile_game(str(source)).program
        assert program is not None
        spells = printed(program)[str([each.name for each in program.domains].index("Spell"))][""]
        assert spells[0][:2] == (lines, "A unit takes 2 hits."), spells
        paper = next(
            each for each in in_words(program, sections(program, "en"), "en") if each.name == "Spell"
        )
        assert paper.columns == ("id", "name", *(name for name, _ in lines), "says"), paper


LANDS = """game lands:
    players queen, rook
    rounds 3
table Board:
    | id  | name en   |
    | old | Old world |
    | new | New world |
table Continent:
    | id        | name en | board: Board | bonus: 0..9 |
    | called en |         | Board        | Bonus       |
    | hills     | Hills   | old          |           2 |
    | coast     | Coast   | old          |           1 |
    | isles     | Isles   | new          |           3 |
table Land:
    | id    | name en | continent: Continent | adjacent: set of Land |
    | north | North   | hills                | gate                  |
    | gate  | Gate    | hills                | north, south          |
    | south | South   | coast                | gate, sark            |
    | sark  | Sark    | isles                | herm, south           |
    | herm  | Herm    | isles                | sark                  |
map both on regions(Land, adjacent, continent, continent.board)
round: nothing
"""


def _pages_of(text: str, path: Path, part: str, paper: str = "a4") -> list[Page]:
    path.write_text(text, encoding="utf-8")
    program = compile_game(path).program
    assert program is not None
    return pages_of(Playable(program), sections(program, ""), (part,), PAPERS[paper], 22, "")[part]


def test_each_board_that_a_map_of_regions_names_has_sheets_of_its_own(tmp_path: Path) -> None:
    """With the colours of its groups explained, and what their rows print; though a border leads to the other."""
    old, new = _pages_of(LANDS, tmp_path / "lands.scn", "boards")
    assert {"North", "Gate", "South", "Hills (Bonus 2)", "Coast (Bonus 1)"} <= set(_texts(old))
    assert {"Sark", "Herm", "Isles (Bonus 3)"} <= set(_texts(new))
    assert not {"Sark", "Herm"} & set(_texts(old)) and not {"North", "South"} & set(_texts(new))
    assert "lands · Old world" in _texts(old) and "lands · New world" in _texts(new)
    fills = {
        each.fill for each in old.windows[0].shapes if isinstance(each, Polygon) and len(each.points) == 4
    }
    assert len(fills - {EDGE}) == 2, "the groups have colours of their own"


def test_pages_of_a_board_meet_between_cells(pages: dict[str, list[Page]]) -> None:
    """Where the next page is laid, no square is cut: the line stands where squares begin."""
    tiles = [page for page in pages["boards"] if page.windows]
    assert len(tiles) > 1
    for page in tiles:
        squares = [each for each in page.windows[0].shapes if isinstance(each, Polygon)]
        begins = {round(x) for each in squares for x, _ in each.points}
        lines = [each for each in page.shapes if isinstance(each, Line) and each.dashed]
        upright = [each for each in lines if each.points[0][0] == each.points[1][0]]
        assert all(round(each.points[0][0]) in begins for each in upright)
        assert any(upright) or page is tiles[-1]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_a_board_comes_with_what_its_signs_mean(tmp_path: Path, paper: str) -> None:
    signed = GAME.replace(
        "map field on squares(20, 6)",
        'area den, called en "The den"\nmap field on squares:\n    legend:\n        "D" = den\n'
        '    """\n    . . D\n    . . .\n    """',
    ).replace("setup: place scout of red at a1", "setup: place scout of red at c2")
    board, *_ = _pages_of(signed, tmp_path / "signed.scn", "boards", paper)
    assert {"D", "The den"} <= set(_texts(board))


def test_a_legend_stands_beside_its_board_in_broken_lines_where_these_are_too_long(tmp_path: Path) -> None:
    """And takes no page of its own, as long as no word is broken."""
    row = "    . D" + " ." * 4
    signed = GAME.replace(
        "map field on squares(20, 6)",
        'area den, called en "The den where the old foxes live"\nmap field on squares:\n    legend:\n'
        '        "D" = den\n    """\n' + f"{row}\n" * 11 + '    """',
    ).replace("setup: place scout of red at a1", "")
    [board] = _pages_of(signed, tmp_path / "signed.scn", "boards", "letter")
    told = _texts(board)
    lines = [each for each in told if each in "The den where the old foxes live" and " " in each]
    assert len(lines) > 1 and " ".join(lines) == "The den where the old foxes live", told


def test_the_sheet_of_the_setup_says_what_is_to_be_decided_then(tmp_path: Path) -> None:
    """A game may ask before it has dealt everything; and options are not marked on paper."""
    asked = GAME.replace("p chooses:", 'p chooses "Where to?":')
    *_, setup = _pages_of(asked, tmp_path / "asked.scn", "boards")
    assert not setup.windows
    told = _texts(setup)
    assert "As it stands when the first decision is to be made" in told and "red: Where to?" in told
    lines = [each for each in flat(setup.shapes) if isinstance(each, Polygon)]
    assert MARKED not in {each.stroke for each in lines}


def test_an_action_whose_label_is_but_what_it_takes_has_its_name_on_the_sheet_of_rules(
    tmp_path: Path,
) -> None:
    bare = GAME.replace('action go(c: Cell) by p "Go to {c}"', 'action go_far(c: Cell) by p "{c}"')
    assert bare != GAME
    [page] = _pages_of(bare.replace("go(c) for", "go_far(c) for"), tmp_path / "bare.scn", "rules")
    told = _texts(page)
    assert "Go far: cell" in told and "Cell" not in told


def _squares(page: Page, kind: str) -> list[tuple[str, float, float, float]]:
    """Title, left, top and width of each group of a kind on a page."""
    found = []
    for each in page.shapes:
        if isinstance(each, Group) and each.kind == kind:
            left, top, right, _ = extent(each.shapes[0])
            found.append((each.title, left, top, right - left))
    return found


@pytest.mark.parametrize("paper", sorted(PAPERS))
@pytest.mark.parametrize("cell", [12, 22, 40])
@pytest.mark.parametrize("shape", ["squares(5, 5)", "hexes(5, 5, pointy, rhombus)"])
def test_counters_lie_within_the_cells_of_the_board(
    tmp_path: Path, paper: str, cell: int, shape: str
) -> None:
    path = tmp_path / "cells.scn"
    path.write_text(GAME.replace("squares(20, 6)", shape), encoding="utf-8")
    program = compile_game(path).program
    assert program is not None
    found = pages_of(Playable(program), sections(program, ""), PARTS, PAPERS[paper], cell, "")
    window = found["boards"][0].windows[0]
    field = next(each for each in window.shapes if isinstance(each, Polygon))
    (_, _, _, wide), *_ = _squares(found["counters"][0], "counter")
    half = wide / 2 - BLEED
    xs, ys = [x for x, _ in field.points], [y for _, y in field.points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    for corner in ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)):
        assert _is_inside(corner, field.points), (half, field.points)
    assert 2 * half > 0.6 * (max(xs) - min(xs)), "and fill them"


def _is_inside(point: tuple[float, float], corners: Sequence[tuple[float, float]]) -> bool:
    """Does a point lie in a convex polygon, whose corners stand clockwise?"""
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all((b - a) * (point[1] - q) - (r - q) * (point[0] - a) >= -1e-6 for (a, q), (b, r) in pairs)


def test_a_piece_of_several_cells_has_a_counter_of_their_form_and_size(tmp_path: Path) -> None:
    text = (
        GAME.replace("    at: Cell?\n", "    at: yard?\n")
        .replace("piece Unit of Kind", 'shape yard:\n    """\n    @ #\n    # .\n    """\npiece Unit of Kind')
        .replace("place scout of red at a1", "place scout of red at a1_a2_b2")
        .replace("(c has Unit)", "any u in Unit at c")
    )
    path = tmp_path / "yards.scn"
    path.write_text(text, encoding="utf-8")
    made = compile_game(path)
    assert made.program is not None, made.diagnostics
    program = made.program
    found = pages_of(Playable(program), sections(program, ""), PARTS, PAPERS["a4"], 22, "")
    square = next(each for each in found["boards"][0].windows[0].shapes if isinstance(each, Polygon))
    side = max(x for x, _ in square.points) - min(x for x, _ in square.points)
    counter = next(each for each in found["counters"][0].shapes if isinstance(each, Group))
    cells = [each for each in counter.shapes if isinstance(each, Polygon)][:3]
    lefts = sorted(min(x for x, _ in each.points) for each in cells)
    assert lefts[2] - lefts[0] == pytest.approx(side) and len({round(x) for x in lefts}) == 2
    assert max(x for x, _ in cells[0].points) - min(x for x, _ in cells[0].points) == pytest.approx(side)


def test_the_backs_of_cards_lie_behind_their_fronts(pages: dict[str, list[Page]]) -> None:
    """Turned over its left edge, each back covers the front that it belongs to."""
    fronts, backs = pages["cards"][::2], pages["cards"][1::2]
    for front, back in zip(fronts, backs, strict=True):
        there = {(round(x), round(y)) for _, x, y, _ in _squares(front, "card")}
        boxes = [extent(each) for each in back.shapes if isinstance(each, Polygon)]
        wide = max(right - left for left, _, right, _ in boxes)
        behind = {
            (round(back.width - right), round(top))
            for left, top, right, _ in boxes
            if right - left == pytest.approx(wide)
        }
        assert there == behind


def test_rows_of_a_sheet_that_have_no_cards_have_no_marks(pages: dict[str, list[Page]]) -> None:
    front, back = pages["cards"][2:4]
    card, *others = [extent(each) for each in front.shapes if isinstance(each, Group) and each.kind == "card"]
    assert not [each for each in others if each[1] > card[3]], "all in one row"
    for page in (front, back):
        lines = [each for each in page.shapes if isinstance(each, Line)]
        assert lines and max(y for each in lines for _, y in each.points) < card[3] + 5 * MM


def test_long_words_are_made_smaller_and_not_broken(tmp_path: Path) -> None:
    text = GAME.replace("Long-guard", "Telecommunications regiment").replace(
        '"Paper"', '"A game of Telecommunications"'
    )
    path = tmp_path / "long.scn"
    path.write_text(text, encoding="utf-8")
    program = compile_game(path).program
    assert program is not None
    found = pages_of(Playable(program), sections(program, ""), PARTS, PAPERS["a4"], 22, "")
    assert "Telecommunications" in _texts(found["counters"][0])
    back = found["cards"][1]
    diamond = next(
        each
        for each in flat(back.shapes)
        if isinstance(each, Polygon) and each.points[0][0] != each.points[3][0]
    )
    xs, ys = [x for x, _ in diamond.points], [y for _, y in diamond.points]
    x, y, reach, high = (
        (min(xs) + max(xs)) / 2,
        (min(ys) + max(ys)) / 2,
        (max(xs) - min(xs)) / 2,
        (max(ys) - min(ys)) / 2,
    )
    lines = [each for each in flat(back.shapes) if isinstance(each, Words) and each.anchor == "middle"]
    own = [each for each in lines if abs(each.at[0] - x) < 1 and abs(each.at[1] - y) < high]
    assert "Telecommunications" in [each.text for each in own]
    for each in own:
        off = abs(each.at[1] - each.size * 0.36 - y) + each.size / 2
        assert width_of(each.text, each.size, bold=True) / 2 <= reach * (1 - off / high)


def test_kinds_of_several_tables_are_told_apart_and_what_faces_has_a_point(tmp_path: Path) -> None:
    text = GAME.replace(
        "table Kind:",
        "table Army:\n    | id | name en |\n    | old | Old army |\n    | new | New army |\ntable Kind:",
    )
    text = text.replace("| id    | name en     | steps |", "| id    | name en     | steps | army |")
    text = text.replace("Scout       |     2 |", "Scout       |     2 | old |").replace(
        "guard  |     1 |", "guard  |     1 | new |"
    )
    plain, *_ = _pages_of(text, tmp_path / "armies.scn", "counters")
    assert _texts(plain).count("Old army") == 3 and _texts(plain).count("New army") == 3
    grounds = {
        each.shapes[0].fill
        for each in plain.shapes
        if isinstance(each, Group) and isinstance(each.shapes[0], Polygon)
    }
    assert len(grounds) == 2
    facing, *_ = _pages_of(
        text.replace("    at: Cell?\n", "    at: Cell?\n    facing: Direction\n"),
        tmp_path / "f.scn",
        "counters",
    )
    count = [sum(isinstance(each, Polygon) for each in flat(page.shapes)) for page in (plain, facing)]
    assert count[1] == count[0] + 6


def test_cards_do_not_say_how_many_there_are_nor_who_wrote_them(tmp_path: Path) -> None:
    text = GAME.replace(
        "    | id    | name en | cost | says: text             |",
        "    | id    | name en | cost | copies | says: text |\n    | called en |  | Cost | Number | |",
    )
    text = text.replace("|    3 | A unit", "|    3 | 2 | A unit").replace("|    0 | <b>", "|    0 | 3 | <b>")
    text = text.replace("of Spell, up to 5 each", "of Spell, copies each").replace(
        "table Spell:", "table Spell:  [PA-001, house, magic]"
    )
    text = text.replace("    rounds 2\n", '    rounds 2\n    rulebook PA "The rules"\n', 1)
    front, *_ = _pages_of(text, tmp_path / "counts.scn", "cards")
    told = _texts(front)
    assert sum(_titles([front], "card").values()) == 5
    assert "Cost: 3" in told and not [each for each in told if "Number" in each]
    assert "[PA-001]" in told and not [each for each in told if "house" in each or "magic" in each]
    french = pages_of(*_made(tmp_path / "counts.scn"), ("cards",), PAPERS["a4"], 22, "fr")["cards"][0]
    assert "Cost : 3" in _texts(french)


def _made(path: Path, language: str = "") -> tuple[Playable, tuple[Section, ...]]:
    program = compile_game(path).program
    assert program is not None
    return Playable(program), sections(program, language)


def test_cards_of_several_piles_share_sheets(tmp_path: Path) -> None:
    text = GAME.replace(
        "pile deck of Scroll, seen by none",
        "pile deck of Scroll, seen by none\npiece Omen of Kind, one each\npile omens of Omen, seen by none",
    )
    front, _ = _pages_of(text, tmp_path / "piles.scn", "cards")[-2:]
    assert {"Frost", "Scout"} <= set(_titles([front], "card"))


def test_signs_that_stand_apart_never_begin_a_line() -> None:
    for width in range(90, 200, 5):
        lines = wrapped("Programmation ou Construction : 5 cristaux ; « oui » !", width, 10)
        assert not [each for each in lines if each[0] in ":;!»" or each.endswith("«")], lines


def test_a_short_number_stays_with_the_word_that_it_counts_and_never_ends_a_text_alone() -> None:
    text = "Costs 2 points. 3 attacks of strength 10, then one strike of strength 11."
    for width in range(ceil(width_of("strength 11.", 10)), 200, 5):
        lines = wrapped(text, width, 10)
        assert " ".join(lines) == text
        assert lines[-1] != "11.", lines
        assert all("2" not in each or "2 points" in each for each in lines), lines
        assert all("10" not in each or "strength 10" in each for each in lines), lines
    assert wrapped("12 attacks", width_of("attacks", 10), 10) == ["12", "attacks"]
    assert wrapped("Of rings, part II", width_of("Of rings, part", 10), 10) == ["Of rings,", "part II"]
    assert wrapped("Parry, 2 × Rage", width_of("Parry, 2 × R", 10), 10) == ["Parry,", "2 × Rage"]


def test_a_table_that_is_too_wide_breaks_the_lines_of_its_widest_column(tmp_path: Path) -> None:
    """A name of two words stands in one line, beside a text that has several anyway."""
    wide = GAME.replace("A unit takes 2 hits. ", "A unit takes hits. " * 12)
    assert wide != GAME
    wide = wide.replace("| Flame   |", "| Old flame |").replace("piece Scroll of Spell, up to 5 each\n", "")
    [page] = _pages_of(wide.replace("pile deck of Scroll, seen by none\n", ""), tmp_path / "w.scn", "tables")
    assert "Old flame" in _texts(page), _texts(page)


def test_columns_of_a_table_are_as_wide_as_makes_it_low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two columns of many words share what room there is by what they want."""
    machine = load("me_ccg")
    shared = tables._widths

    def low(is_even: bool | None) -> float:
        def widths(*given: Any, **kept: Any) -> list[float]:
            return shared(*given, **(kept if is_even is None else {"is_even": is_even}))

        monkeypatch.setattr(tables, "_widths", widths)
        found = pages_of(machine, sections(machine.program, "fr"), ("tables",), PAPERS["a4"], 22, "fr")
        [page] = found["tables"]
        return max(each.at[1] for each in page.shapes if isinstance(each, Words) and each.text != told(page))

    def told(page: Page) -> str:
        return _texts(page)[-1]

    assert low(None) == min(low(True), low(False)) < max(low(True), low(False))


def test_short_paragraphs_of_the_rules_stand_in_one_column() -> None:
    flow = Flow(PAPERS["a4"], "rules")
    flow.say("What can be done", 8)
    for number in range(200):
        flow.say(f"{number}:1 " + "word " * 18 + f"{number}:2", 8)
    for page in flow.finished():
        told = [(each.text, each.at[0]) for each in page.shapes if isinstance(each, Words)]
        begins = {text.split(":1")[0]: x for text, x in told if ":1" in text}
        ends = {text.rpartition(" ")[2].split(":2")[0]: x for text, x in told if ":2" in text}
        assert begins and begins == ends


def test_names_of_groups_are_whole_in_the_legend_of_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it stands in a corner of the board, and they are longer than a corner is wide at least."""
    monkeypatch.setattr(boards, "LEAST", 30 * MM)
    machine = load("risk_halo")
    parts = pages_of(machine, sections(machine.program, "en"), ("boards",), PAPERS["letter"], 22, "en")
    told = [text for page in parts["boards"] for text in _texts(page)]
    assert "Meridian (Bonus 4)" in told and not [each for each in told if "…" in each]


BOOK = """game book:
    title en "Book" fr "Livre"
    players red, blue
    rounds 2
    rulebook BO "The book"
type Metal = iron_ore en "Iron" fr "Fer" | gold_ore
table Ware, called en "Goods" fr "Biens":                  [BO-001, house]
    | id   | name en | name fr | made_of: set of Metal | says en: text | says fr: text |
    | called en |    |         | Made of               |               |               |
    | called fr |    |         | Fait de               |               |               |
    | nail | Nail    | Clou    | iron_ore              | It holds.     | Il tient.     |
    | ring | Ring    | Anneau  | iron_ore, gold_ore    | It shines.    | Il brille.    |
table toll(die: 1..6) -> 0..3, called en "Toll" fr "Péage":
    |     |   |
    | 1-4 | 1 |
    | 5+  | 3 |
table LooseThing:
    | id  | count: 0..9 |
    | odd |           3 |
option fast: true | false = true en "A fast game" fr "Une partie rapide"
option start: low en "Down" fr "En bas" | high en "Up" fr "En haut" = high en "where it begins" fr "où l'on commence"
option lots: few | many = many en "How many, few or many" fr "Combien, peu ou beaucoup"
map field on squares(3, 3)
piece Piece of Ware, up to 2 each, called en "Piece" fr "Pion":
    owner: Player
    at: Cell?
piece Rock, up to 2, called en "Rock" fr "Roc":
    at: Cell?
type Thing = Piece | Rock
setup: place nail of red at a1
phase last en "The end" fr "La fin": nothing
phase first_of_all en "The beginning" fr "Le début": nothing
action go(x: Piece, c: Cell) by p en "Move {x} to {c}" fr "Bouger {x} vers {c}": x.at = c
action lift(x: Thing) by p en "lift {x}" fr "lever {x}": nothing
round:
    first_of_all()
    for p in order of play:
        p chooses: go(x, c) for x in Piece where x.owner is p, c in Cell where not (c has Piece)
    last()
"""


@pytest.mark.parametrize("language", ["en", "fr"])
def test_tables_and_rules_are_in_the_words_of_players(tmp_path: Path, language: str) -> None:
    (tmp_path / "book.scn").write_text(BOOK, encoding="utf-8")
    found = pages_of(*_made(tmp_path / "book.scn", language), ("tables", "rules"), PAPERS["a4"], 22, language)
    told = [text for page in found["tables"] for text in _texts(page)]
    rules = [text for page in found["rules"] for text in _texts(page)]
    words = {
        "en": ("Goods [BO-001]", "Toll", "Name", "Made of", "Iron, gold ore", "It shines."),
        "fr": ("Biens [BO-001]", "Péage", "Nom", "Fait de", "Fer, gold ore", "Il brille."),
    }
    assert set(words[language]) <= set(told)
    assert "Loose thing" in told
    assert not [each for each in told if each in {"id", "name", "says", "value", "die"} or "house" in each]
    course = {"en": ["The beginning", "The end"], "fr": ["Le début", "La fin"]}[language]
    assert [each for each in rules if each in course] == course
    sentences = {
        "en": (
            "Move piece to cell",
            "A fast game",
            "– yes / no",
            "Lift piece / rock",
            "Where it begins",
            "– Up / Down",
            "How many, few or many",
        ),
        "fr": (
            "Bouger pion vers case",
            "Une partie rapide",
            "– oui / non",
            "Lever pion / roc",
            "Où l'on commence",
            "– En haut / En bas",
            "Combien, peu ou beaucoup",
        ),
    }
    assert set(sentences[language]) <= set(rules)


def test_rules_have_titles_in_the_language_of_the_game_where_no_other_is_asked_for(tmp_path: Path) -> None:
    text = GAME.replace(
        "    rounds 2\n", '    rounds 2\n    rulebook PA "The rules"\n    index rulebook\n', 1
    )
    text = text.replace(" en ", " fr ").replace(
        'go(c: Cell) by p "Go to {c}":', 'go(c: Cell) by p "Aller en {c}":  [PA-1]'
    )
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "paper.scn").write_text(text, encoding="utf-8")
    index = {"rules": [{"id": "PA-1", "title": "One walks", "titles": {"fr": "On marche"}}]}
    (folder / "rulebook.json").write_text(json.dumps(index), encoding="utf-8")
    for language, title in (("", "On marche"), ("en", "One walks")):
        made = load(folder / "paper.scn", environment={"SCENARII_CACHE": "off"})
        found = pages_of(made, (), ("rules",), PAPERS["a4"], 22, language)
        assert f"PA-1 {title}" in [each for page in found["rules"] for each in _texts(page)]


def _table(name: str, rows: int, cell: str) -> str:
    lines = "".join(f"    | {name.lower()}{n} | Row {n} | {cell} |\n" for n in range(rows))
    return f"table {name}:\n    | id | name en | notes: text |\n{lines}"


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_narrow_tables_stand_in_two_columns_and_whole(tmp_path: Path, paper: str) -> None:
    """A table that fits on a page is not torn; narrow ones share a page, below one that is as wide as it."""
    head, _, rest = BOOK.partition("table LooseThing")
    many = "".join(_table(name, 12, "short") for name in ("Alpha", "Beta", "Gamma", "Delta"))
    wide = _table("Wide", 5, "a long text " * 8)
    (tmp_path / "book.scn").write_text(f"{head}{wide}{many}table LooseThing{rest}", encoding="utf-8")
    (page,) = pages_of(*_made(tmp_path / "book.scn"), ("tables",), PAPERS[paper], 22, "")["tables"]
    words = {each.text: each.at for each in page.shapes if isinstance(each, Words) and each.bold}
    assert len({x for text, (x, _) in words.items() if text in {"Alpha", "Beta", "Gamma", "Delta"}}) == 2
    assert all(words["Wide"][1] < words[each][1] for each in ("Alpha", "Beta", "Gamma", "Delta"))
    torn = head + "".join(_table(name, 40, "short") for name in ("Alpha", "Beta", "Gamma"))
    (tmp_path / "torn.scn").write_text(f"{torn}table LooseThing{rest}".replace("game book", "game torn"))
    for page in pages_of(*_made(tmp_path / "torn.scn"), ("tables",), PAPERS[paper], 22, "")["tables"]:
        columns: dict[float, list[str]] = {}
        for each in page.shapes:
            if isinstance(each, Words) and each.text.startswith("Row "):
                columns.setdefault(round(each.at[0]), []).append(each.text)
        assert all(len(rows) == 40 for rows in columns.values())


def test_a_title_of_its_own_leaves_the_rules_as_they_are(tmp_path: Path) -> None:
    bare = re.sub(r", called en \"\w+\" fr \"\w+\"", "", BOOK)
    assert bare != BOOK
    found = []
    for text in (BOOK, bare):
        (tmp_path / "book.scn").write_text(text, encoding="utf-8")
        program = compile_game(tmp_path / "book.scn").program
        assert program is not None
        found.append(identity(program))
    assert found[0] == found[1]


def test_stones_of_players_who_are_called_by_one_character_have_it() -> None:
    [path] = (Path(__file__).parents[2] / "examples").rglob("tic_tac_toe.scn")
    front, _ = pages_of(*_made(path), ("counters",), PAPERS["a4"], 22, "")["counters"]
    assert [_texts(front).count(each) for each in "xo"] == [5, 5]


@pytest.mark.parametrize("name", ["reversi", "draughts", "nine_mens_morris"])
def test_there_are_counters_for_what_comes_to_stand_on_a_board(name: str) -> None:
    """Stones that are placed during a game, on regions too, and men that are promoted."""
    [path] = (Path(__file__).parents[2] / "examples").rglob(f"{name}.scn")
    fronts = pages_of(*_made(path), ("counters",), PAPERS["a4"], 22, "")["counters"]
    told = sum((_titles([page], "counter") for page in fronts), Counter[str]())
    if name == "reversi":
        assert sum(told.values()) > 60
    elif name == "nine_mens_morris":
        assert sum(told.values()) == 24, "nine are needed of each, and no more than there is room for"
    else:
        assert len(told) == 2 and told["Man"] == 24 and told["King"] >= 2, told


def test_those_who_hold_regions_have_markers_for_their_share(tmp_path: Path) -> None:
    held = LANDS.replace("map both on", "state of Land:\n    holder: Player?\nmap both on").replace(
        "round: nothing", "setup: north.holder = queen\nround: nothing"
    )
    front, back = _pages_of(held, tmp_path / "held.scn", "counters")
    assert _titles([front], "counter") == {"": 5} and _texts(back).count("queen") == 5
    assert not _pages_of(LANDS, tmp_path / "free.scn", "counters"), "nobody can hold a region"


def test_words_on_backs_stay_on_their_counters(tmp_path: Path) -> None:
    text = GAME.replace(
        "piece Unit of Kind, up to 3 each:",
        'piece Unit of Kind, up to 3 each, called "Weapons of mass destruction":',
    )
    path = tmp_path / "backs.scn"
    path.write_text(
        text.replace("    owner: Player\n    at: Cell?", "    at: Cell?")
        .replace("of red at a1", "at a1")
        .replace("u.owner is p", "p is red"),
        encoding="utf-8",
    )
    front, back = pages_of(*_made(path), ("counters",), PAPERS["a4"], 12, "")["counters"]
    side = _squares(front, "counter")[0][3] - 2 * BLEED
    words = [each for each in flat(back.shapes) if isinstance(each, Words) and each.anchor == "middle"]
    assert words and all(width_of(each.text, each.size) <= side for each in words)


def test_the_sheet_of_rules_says_which_mods_are_in_it(tmp_path: Path) -> None:
    (tmp_path / "paper.scn").write_text(GAME, encoding="utf-8")
    for name, title in (("far", '    title en "Far away" fr "Au loin"\n'), ("near", "    rounds 3\n")):
        (tmp_path / f"{name}.scn").write_text(f"mod {name} for paper:\n{title}", encoding="utf-8")
    made = compile_game(
        str(tmp_path / "paper.scn"), mods=[str(tmp_path / f"{each}.scn") for each in ("far", "near")]
    ).program
    assert made is not None
    for language, told in (("en", "+ Far away, near"), ("fr", "+ Au loin, near")):
        [page] = pages_of(Playable(made), (), ("rules",), PAPERS["a4"], 22, language)["rules"]
        assert told in _texts(page)


def test_actions_that_are_called_alike_are_told_apart_by_their_rules(tmp_path: Path) -> None:
    need = 'need not (c has Unit) "somebody stands there"\n'
    both = (
        GAME.replace("    rounds 2\n", '    rounds 2\n    rulebook PA "The rules"\n    index rulebook\n', 1)
        .replace('by p "Go to {c}":\n', 'by p "Go to {c}":    [PA-1]\n')
        .replace("round:\n", f'action run(c: Cell) by p "Go to {{c}}":    [PA-2]\n    {need}round:\n')
        .replace("chooses: go(c)", "chooses:\n            run(c) for c in Cell\n            go(c)")
    )
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "paper.scn").write_text(both, encoding="utf-8")
    index = {"rules": [{"id": "PA-1", "title": "Who walks"}, {"id": "PA-2", "title": "Who runs"}]}
    (folder / "rulebook.json").write_text(json.dumps(index), encoding="utf-8")
    made = load(folder / "paper.scn", environment={"SCENARII_CACHE": "off"})
    [page] = pages_of(made, (), ("rules",), PAPERS["a4"], 22, "")["rules"]
    told = _texts(page)
    assert "Go to cell – Who walks [PA-1]" in told and "Go to cell – Who runs [PA-2]" in told
