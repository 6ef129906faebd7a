"""A game on paper: all of a board is on some page, each card as often as there is one, and nothing off the page."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.authoring.printed import printed
from dsl.authoring.survey import sections
from dsl.cli.main import cli
from dsl.compiler import compile_game
from dsl.ir.program import Program
from dsl.playable import Playable
from dsl.scene.colours import EDGE
from dsl.scene.fonts import Undrawable, font_of
from dsl.scene.shapes import Group, Polygon, Words, flat
from dsl.scene.shapes import Path as Line
from dsl.sheets.book import PARTS, document, pages_of
from dsl.sheets.cards import SIZE
from dsl.sheets.page import MM, PAPERS, Page, extent
from dsl.sheets.tables import in_words

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


def _font() -> bool:
    try:
        font_of(None)
    except Undrawable:
        return False
    return True


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
    told = _texts(front)
    assert "cost: 3" in told and "A unit takes 2 hits." in told and "<b>Nobody</b> moves." in told
    assert "cost: 0" not in told and "Paper" in _texts(back)
    assert SIZE[0] == pytest.approx(63 * MM)


def test_tables_and_rules_say_what_the_game_says(pages: dict[str, list[Page]]) -> None:
    assert {"Scout", "Long-guard", "steps"} <= {text for page in pages["tables"] for text in _texts(page)}
    told = " ".join(text for page in pages["rules"] for text in _texts(page))
    assert "somebody stands there" in told and "victory: all the scouts" in told


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


@pytest.mark.skipif(not _font(), reason="no font such as DejaVu Sans is installed")
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


@pytest.mark.skipif(not _font(), reason="no font such as DejaVu Sans is installed")
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


@pytest.mark.skipif(not _font(), reason="no font such as DejaVu Sans is installed")
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


@pytest.mark.skipif(not _font(), reason="no font such as DejaVu Sans is installed")
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
