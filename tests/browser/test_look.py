"""What the page draws of a board, and what it says of cards, kinds, pieces and cells that somebody looks at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.authoring.printed import printed
from dsl.engine.game import Game
from dsl.library import load
from dsl.scene.reading import scene_of
from tests.browser.chromium import running
from tests.browser.pages import begun, clicked, opened, written
from tests.examples import FOLDER
from tests.scene.test_reading import GAME as SEEN
from tests.scene.test_reading import LISTED

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "language" / "good"
YARD = """game yard:
    players red, blue
    rounds 3
table Kind:
    | id   | name en | cost | words: text                |
    | hut  | Hut     |    2 | Shelters <b>two</b>.      |
    | hall | Hall    |    5 | Whoever builds it, sings.  |
type Stage = begun en "only begun"
type Mark = near en "within reach"
table Ground:
    | id    | name en | toll |
    | grass | Grass   |    1 |
    | mud   | Mud     |    3 |
state of Cell:
    ground: Ground
map yard on squares:
    legend:
        "." = grass
        "m" = mud
    \"\"\"
    . . m .
    . . . .
    \"\"\"
piece House of Kind, up to 3 each:
    owner: Player
    at: Cell?
    built: bool, seen by owner
value outline(h: House) -> Stage? = none if h.built else begun
setup:
    place hut of red at a2
    place hall of blue at b2
action build(h: House) by p en "Build {h}": h.built = true
action wait by p en "Wait": nothing
round:
    for p in order of play:
        p chooses:
            build(h) for h in House where h.owner is p and not h.built
            wait
"""
OPEN = """game field:
    players red
    rounds 3
type Mark = near en "next to here"
state:
    here: Cell = a1
map field on squares:
    \"\"\"
    . . .
    . . .
    \"\"\"
value overlay(c: Cell) -> Mark? = near if adjacent(c, here) else none
action walk(c: Cell) by p en "Walk to {c}": here = c
round:
    red chooses: walk(c) for c in around(here)
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with running() as found:
        yield found


def labels(page: Any) -> dict[str, str]:
    """What is told of each cell, by its number."""
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
        ".map((e) => [e.dataset.cell, e.getAttribute('aria-label')]))"
    )
    return found


def test_what_is_only_begun_is_outlined_for_who_may_know_it(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "yard.scn"
    path.write_text(YARD, encoding="utf-8")
    machine = load(path)
    page = opened(browser, written(machine, tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    scene = scene_of(machine, list(Game.start(machine, seed=1).state), (0,), "en")
    hollow = {piece.cells[0] for piece in scene.boards[0].pieces if piece.hollow}
    assert len(hollow) == 1
    told = labels(page)
    assert {int(cell) for cell, text in told.items() if "only begun" in text} == hollow
    assert page.locator(".piece circle[stroke-dasharray]").count() == 1
    page.locator("[data-option]", has_text="Build").first.click()
    page.click("[data-act=here]")
    page.locator("[data-option]", has_text="Wait").first.click()
    page.click("[data-act=here]")
    assert page.locator(".piece circle[stroke-dasharray]").count() == 0
    assert page.faults == []
    page.context.close()


def test_what_is_laid_over_cells_is_drawn_and_explained(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "field.scn"
    path.write_text(OPEN, encoding="utf-8")
    machine = load(path)
    page = opened(browser, written(machine, tmp_path))
    begun(page, 1)
    scene = scene_of(machine, list(Game.start(machine, seed=1).state), None, "en")
    over = {n: cell.overlay for n, cell in enumerate(scene.boards[0].cells) if cell.overlay}
    assert len(over) == 2
    assert {int(cell) for cell, text in labels(page).items() if "next to here" in text} == set(over)
    for cell, sign in over.items():
        assert sign in page.locator(f'[data-cell="{cell}"] text').all_text_contents()
    assert page.locator(".legend dd", has_text="next to here").count() == 1
    page.locator("[data-option]").first.click()
    assert {int(cell) for cell, text in labels(page).items() if "next to here" in text} != set(over)
    page.context.close()


def test_a_cell_is_looked_at_with_the_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    """Arrows go from cell to cell, `i` says what is there in words and by its table; Escape comes back."""
    path = tmp_path / "yard.scn"
    path.write_text(YARD, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    names = {text.split(", ")[0]: cell for cell, text in labels(page).items()}
    page.locator(f'[data-cell="{names["a1"]}"]').focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.cell") == names["a2"]
    assert page.text_content(".here span").startswith("a2, ")
    page.keyboard.press("i")
    dialog = page.locator("dialog[open]")
    assert dialog.get_attribute("aria-label") == "a2"
    assert dialog.locator("h3").all_text_contents() == ["Grass", "Hut"]
    told = dialog.text_content()
    assert "Shelters <b>two</b>." in told and "cost2" in told and "only begun" in told
    assert dialog.locator("b").count() == 0, "what a game says stays text"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.dataset.cell") == names["a2"]
    page.keyboard.press("ArrowRight")
    page.click("[data-act=look]")
    assert "Whoever builds it, sings." in dialog.text_content()
    page.click("[data-act=close]")
    page.locator(".legend summary").click()
    page.locator(".legend button", has_text="Hut").click()
    assert dialog.locator("h2").text_content() == "Hut"
    assert page.faults == []
    page.context.close()


def test_cards_show_their_text_and_go_when_the_screen_is_handed_over(browser: Any, tmp_path: Path) -> None:
    machine = load("me_ccg")
    page = opened(browser, written(machine, tmp_path), width=360, height=740)
    begun(page, 3)
    page.click("[data-act=here]")
    cards = page.locator(".cards button")
    assert cards.count() > 3
    known = printed(machine.program)
    for number in range(3):
        cards.nth(number).click()
        dialog = page.locator("dialog[open]")
        name = dialog.locator("h2").text_content()
        lines = dialog.locator("dt").all_text_contents()
        told = [row for each in known.values() for row in each.get("en", each[""])]
        rows = [row for row in told if [line[0] for line in row[0]] == lines]
        assert rows, name
        assert page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth")
        page.keyboard.press("Escape")
    while not page.locator("[data-act=here]").count():
        page.locator("[data-option]").first.click()
    assert not page.locator("dialog").text_content()
    assert page.faults == []
    page.context.close()


def test_what_lies_face_down_is_not_said(browser: Any, tmp_path: Path) -> None:
    """A piece whose kind a player does not see has a ring, and nothing is printed of its kind when he looks."""
    machine = load(CORPUS / "hidden_kinds.scn")
    page = opened(browser, written(machine, tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    state, viewer = list(Game.start(machine, seed=1).state), Game.start(machine, seed=1).player
    assert viewer is not None
    pieces = scene_of(machine, state, (viewer,), "en").boards[0].pieces
    assert sorted(each.hidden for each in pieces) == [False, True]
    assert page.locator(".piece circle[stroke-dasharray]").count() == 1
    dialog = page.locator("dialog[open]")
    for piece in pieces:
        page.locator(f'[data-cell="{piece.cells[0]}"]').focus()
        page.click("[data-act=look]")
        assert ("power" in dialog.text_content()) is not piece.hidden
        assert ("Scout" in dialog.text_content()) == ("Scout" in piece.label)
        page.keyboard.press("Escape")
    page.context.close()


def test_each_part_of_a_map_is_laid_by_itself(browser: Any, tmp_path: Path) -> None:
    """Only the parts on which somebody is are drawn; side by side or one below the other, as there is room."""
    machine = load("risk_halo")
    path = written(machine, tmp_path)
    for width, height in ((360, 740), (1280, 800)):
        page = opened(browser, path, width=width, height=height)
        begun(page, 7)
        clicked(page, 12)
        boxes = page.evaluate(
            "[...document.querySelectorAll('[data-cell]')].map((e) => e.getBBox())"
            ".map((b) => [b.x, b.y, b.width, b.height])"
        )
        cells = len(machine.program.domains[machine.program.boards[0].domain].members)
        assert 20 < len(boxes) < cells
        for n, (x, y, w, h) in enumerate(boxes):
            for a, b, c, d in boxes[:n]:
                assert x + w <= a + 1 or a + c <= x + 1 or y + h <= b + 1 or b + d <= y + 1
        seen = page.evaluate(
            "[...document.querySelectorAll('[data-cell]')].map((e) => e.getBoundingClientRect())"
            ".map((b) => [b.x, b.y, b.width, b.height])"
        )
        scale = page.evaluate("document.querySelector('svg.map').getScreenCTM().a")
        assert all(w > 1.1 * scale * box[2] for (_, _, w, _), box in zip(seen, boxes, strict=True)), (
            "boxes grow"
        )
        for n, (x, y, w, h) in enumerate(seen):
            for a, b, c, d in seen[:n]:
                assert x + w <= a + 1 or a + c <= x + 1 or y + h <= b + 1 or b + d <= y + 1
        tall = max(y for _, y, _, _ in boxes) / max(x for x, _, _, _ in boxes)
        assert tall > 0.9 if width == 360 else tall < 1.6
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.faults == []
        page.context.close()


def test_the_board_has_all_the_room_where_somebody_wants_that(browser: Any, tmp_path: Path) -> None:
    """The panels go and come back; on a phone a board that is made larger gets room for that."""
    path = tmp_path / "field.scn"
    path.write_text(YARD, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    high = "document.querySelector('svg.map').clientHeight"
    before = page.evaluate(high)
    page.click("[data-act=fold]")
    assert page.locator(".panels").is_hidden() and page.evaluate(high) > 1.2 * before
    assert page.evaluate("document.activeElement.dataset.act") == "fold"
    page.locator("[data-option]", has_text="Wait").click()
    page.click("[data-act=here]")
    assert page.locator(".panels").is_hidden(), "it stays so"
    page.click("[data-act=fold]")
    assert page.locator(".panels").is_visible() and page.evaluate(high) == before
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("[data-act=fold]").is_hidden()
    low = page.evaluate(high)
    page.locator(".tools button").first.click()
    assert page.evaluate(high) >= 0.5 * 844 > low
    page.locator(".tools button").nth(2).click()
    assert page.evaluate(high) == low
    page.context.close()


def test_the_board_is_moved_with_mouse_fingers_and_keyboard(browser: Any, tmp_path: Path) -> None:
    """Nothing is chosen by that; where all of the board is shown, a finger that moves over it moves the page."""
    path = written(load(FOLDER / "chess"), tmp_path)

    def part(page: Any) -> list[float]:
        return [float(each) for each in page.get_attribute("svg.map", "viewBox").split()]

    page = opened(browser, path)
    begun(page, 1)
    whole = part(page)
    around = page.locator(".cell.first").first.bounding_box()
    page.mouse.move(around["x"] + 5, around["y"] + 5)
    page.mouse.wheel(0, -100)
    page.wait_for_timeout(50)
    larger = part(page)
    assert larger[2] < whole[2]
    page.mouse.down()
    page.mouse.move(around["x"] + 60, around["y"] - 40, steps=5)
    page.mouse.up()
    moved = part(page)
    assert moved[0] < larger[0] and moved[1] > larger[1] and moved[2] == larger[2]
    assert page.locator(".cell.picked").count() == page.locator(".lines .choice").count() == 0
    for _ in range(5):
        page.keyboard.press("+")
    assert part(page)[2] < moved[2]
    page.locator(".cell.choice").first.focus()
    shown, cell = page.locator("svg.map").bounding_box(), page.locator(".cell.choice").first.bounding_box()
    assert shown["x"] <= cell["x"] and cell["x"] + cell["width"] <= shown["x"] + shown["width"]
    page.keyboard.press("0")
    assert part(page) == whole
    page.context.close()

    context = browser.new_context(viewport={"width": 390, "height": 600}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("[data-act=start]")
    begun(page, 1)
    tool, box = context.new_cdp_session(page), page.locator("svg.map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def swiped(*ways: tuple[float, float, float, float]) -> None:
        def sent(kind: str, at: float) -> None:
            points = [{"x": a + c * at, "y": b + d * at, "id": n} for n, (a, b, c, d) in enumerate(ways)]
            tool.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        sent("touchStart", 0)
        for step in range(1, 7):
            sent("touchMove", step / 6)
        tool.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(150)

    before = part(page)
    swiped((x, y, 0, -90))
    assert page.evaluate("scrollY") > 30 and part(page) == before
    page.evaluate("scrollTo(0, 0)")
    swiped((x - 20, y, -50, 0), (x + 20, y, 50, 0))
    larger = part(page)
    assert larger[2] < before[2] and page.evaluate("visualViewport.scale") == 1
    swiped((x, y, 40, 40))
    assert part(page)[:2] < larger[:2] and page.evaluate("scrollY") < 20  # what is left of the first swipe
    assert page.locator(".cell.picked").count() == page.locator(".lines .choice").count() == 0
    context.close()


def test_pieces_of_a_panel_say_what_they_are(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "yard.scn"
    path.write_text(YARD, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    page.locator(".panel .cards button", has_text="Hut").click()
    assert "Shelters <b>two</b>." in page.locator("dialog[open]").text_content()
    page.context.close()


def test_sides_are_told_of_and_players_without_pieces_have_no_mark(browser: Any, tmp_path: Path) -> None:
    """What there is one thing to say of stands with the state of the game."""
    machine = load("cristal_et_acier")
    page = opened(browser, written(machine, tmp_path))
    begun(page, 7)
    heads = page.locator(".panel h2").all_text_contents()
    assert "Iron Horde" not in heads and heads[-1] == "State"
    assert "Iron Horde · Control" in page.locator(".panel dt").all_text_contents()
    assert page.locator(".turn svg").count() == 1
    wide, narrow = (
        page.locator(".panel", has=page.locator(f"h2:text-is('{each}')")).bounding_box()
        for each in ("State", heads[1])
    )
    assert wide is not None and narrow is not None and wide["width"] > 1.8 * narrow["width"]
    page.context.close()
    path = tmp_path / "clans.scn"
    path.write_text(CLANS, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    assert page.locator(".piece").count() == 1
    assert page.locator("[data-option]").count() == 2
    assert page.locator(".turn svg").count() == 0, "the colours are the clans'"
    assert page.locator(".panel h2 svg").count() == 1, "nor have the clans' players a mark on a panel"
    hawks = page.locator(".panel", has=page.locator("h2", has_text="hawks"))
    drawn = page.locator(".piece circle").first.get_attribute("fill")
    assert hawks.locator("h2 svg [fill]").first.get_attribute("fill") == drawn
    page.locator("[data-option]", has_text="Hire").click()
    assert page.locator(".piece").count() == 2
    assert page.locator(".panel h2 svg").count() == 2, "here a player has something"
    page.context.close()


FORT = """game fort:
    players red, blue
    rounds 2
map ground on squares(4, 3)
shape tower:
    \"\"\"
    @ #
     #
    \"\"\"
piece Fort, up to 2:
    owner: Player
    at: tower?
piece Man, up to 4:
    owner: Player
    at: Cell?
    facing: Direction
setup:
    place Fort of red at a3
    place Man of blue at d1 with facing = west
    place Man of red at d1 with facing = north
    place Man of red at a2 with facing = east
round:
    for p in order of play:
        p may "Go?": wait
action wait: nothing
"""
CLANS = """game clans:
    players ann
    sides hawks, owls
    rounds 2
map ground on squares(3, 3)
piece Man, up to 2:
    owner: Side
    at: Cell?
setup: place Man of hawks at a1
action wait by p "Wait": nothing
action hire by p "Hire": place Man of ann at b1
round:
    ann chooses:
        wait
        hire when no m in Man where m.at is b1
"""
PIECES = """() => [...document.querySelectorAll(".piece")].map((each) => ({
  facing: each.querySelectorAll(".facing").length, covers: each.querySelectorAll(".covers").length,
  at: ["cx", "cy"].map((name) => each.querySelector("circle").getAttribute(name)),
}))"""


@pytest.mark.parametrize("text", [SEEN, FORT], ids=["facing and stacks", "footprints"])
def test_pieces_are_drawn_as_in_pictures(browser: Any, tmp_path: Path, text: str) -> None:
    """All that the scene has stands on the page: one figure for each piece, apart from those that share its cell, with
    a point where it faces, on all the cells that it covers.
    """
    path = tmp_path / "game.scn"
    path.write_text(text, encoding="utf-8")
    machine = load(path)
    page = opened(browser, written(machine, tmp_path))
    begun(page, 1)
    if page.locator("[data-act=here]").count():
        page.click("[data-act=here]")
    scene = scene_of(machine, list(Game.start(machine, seed=1).state), (0,), "en")
    pieces, found = scene.boards[0].pieces, page.evaluate(PIECES)
    assert len(found) == len(pieces) > 2
    assert len({tuple(each["at"]) for each in found}) == len(pieces), "none lies under another"
    for piece, drawn in zip(pieces, found, strict=True):
        assert drawn["facing"] == (piece.angle is not None)
        assert drawn["covers"] == (len(piece.cells) if len(piece.cells) > 1 else 0)
    told = labels(page)
    for piece in pieces:
        for cell in piece.cells:
            assert piece.label in told[str(cell)]
            assert not piece.facing or piece.facing in told[str(cell)]
    page.context.close()


def test_pictures_of_rows_are_drawn_on_the_board_in_the_legend_and_in_what_is_looked_at(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "yard.scn"
    path.write_text(
        YARD.replace("| id   | name en | cost |", "| id   | name en | look | cost |")
        .replace("| hut  | Hut     |", "| hut  | Hut | hut.svg |")
        .replace("| hall | Hall    |", "| hall | Hall | ⌂ |"),
        encoding="utf-8",
    )
    shape = '<path d="M0 4L4 0L8 4V8H0z" fill="currentColor"/>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{shape}</svg>'
    (tmp_path / "hut.svg").write_text(picture, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    page.click("[data-act=here]")
    assert page.locator(".piece svg.picture path").count() == 1
    size = page.evaluate("document.querySelector('.piece svg.picture path').getBoundingClientRect().width")
    assert size > 10
    assert page.locator(".piece text", has_text="⌂").count() == 1
    assert page.locator(".legend dt svg.picture").count() == 1
    page.locator(".legend summary").click()
    page.locator(".legend button", has_text="Hut").click()
    assert page.locator("dialog.look svg.picture path").is_visible()
    assert page.faults == []
    page.context.close()


def test_a_list_with_one_element_is_told_whatever_it_is(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "listed.scn"
    path.write_text(LISTED, encoding="utf-8")
    page = opened(browser, written(load(path), tmp_path))
    begun(page, 1)
    if page.locator("[data-act=here]").count():
        page.click("[data-act=here]")
    told = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.panel dt')]"
        ".map((e) => [e.textContent, e.nextSibling.textContent]))"
    )
    assert told == {"Turns": "ann", "Dice": "0", "Pair": "who ann, n 0"}
    assert page.faults == []
    page.context.close()


DRAWN = "() => document.querySelector('svg.map').innerHTML"


@pytest.mark.parametrize(
    "name",
    ["chess", "classics/reversi", "le_gue_d_argent", "go", "nine_mens_morris", "scenarios/la_gorge.scn"],
)
def test_a_board_that_has_been_played_on_is_drawn_like_a_new_one(
    browser: Any, tmp_path: Path, name: str
) -> None:
    """Cells that look the same are not drawn again: neither choices nor what one pointed at is left on them."""
    page = opened(browser, written(load(FOLDER / name), tmp_path))
    begun(page, 3)
    for count in (1, 4, 9):
        clicked(page, count, since=count)
        if page.locator("[data-act=here]").count():
            page.click("[data-act=here]")
        page.locator("[data-option]").last.hover()
        if page.locator(".cell.choice").count() > 1:
            page.locator(".cell.choice").first.focus()
        page.evaluate("document.querySelector('[data-option]').dispatchEvent(new Event('pointerleave'))")
        page.mouse.move(0, 0)
        played = page.evaluate(DRAWN)
        with page.expect_download() as download:
            page.click("[data-act=save]")
        page.evaluate("document.querySelector('svg.map').dataset.old = ''")
        page.locator("input[type=file]").set_input_files(download.value.path())
        page.wait_for_function("!document.querySelector('svg.map[data-old]')")
        if page.locator("[data-act=here]").count():
            page.click("[data-act=here]")
        assert page.evaluate(DRAWN) == played, (name, count)
    page.context.close()
