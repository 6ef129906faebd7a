"""Cards, front and back: as many of each as the game has, what is printed of them, and marks to cut along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.authoring.printed import APART, EMPTY, text_columns
from dsl.authoring.sections import Section
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of
from dsl.engine.kinds import kinds_at_first
from dsl.ir.program import Pool, Program
from dsl.ir.types import Id
from dsl.records import record
from dsl.scene.colours import INK, PAPER, mixed
from dsl.scene.lettering import fitted, wrapped
from dsl.scene.model import Point
from dsl.scene.shapes import Drawn, Group, Path, Polygon, Shape, Words, box
from dsl.scene.signs import look_at
from dsl.sheets.page import FAINT, MM, Page, foot, spaced

SIZE: Point = (63 * MM, 88 * MM)
"""The usual size of a playing card."""
BLEED = 1.5 * MM
"""How far the colour of a card goes beyond where it is cut."""
GAP = 2 * BLEED
BACKS = ("#0072b2", "#009e73", "#d55e00", "#7a4a86", "#5b5b5b", "#8c5a2b")
EDGE = 7 * MM
"""What is left around all cards, for the marks and the foot."""
PICTURE = 30 * MM
"""How large the picture of a card is."""
MOST_CARDS = 1000
TEXT, LEAST = 9.5, 5.0


@record(frozen=True, slots=True)
class Printed:
    """What is printed on a card."""

    title: str
    family: str
    lines: tuple[tuple[str, str], ...]
    text: str
    source: str
    picture: str = ""


def card_pools(program: Program) -> list[Pool]:
    """The types of pieces that lie in piles and have kinds: cards."""
    return [
        pool for pool in program.pools if pool.pile is not None and kinds_at_first(program, pool) is not None
    ]


def cards_of(program: Program, found: Sequence[Section], paper: Point, language: str) -> list[Page]:
    """The pages of all cards, each with that of their backs behind it, mirrored as the sheet is turned."""
    pages: list[Page] = []
    for number, pool in enumerate(card_pools(program)):
        cards = list(_cards(program, pool, found, language))[:MOST_CARDS]
        name = _family(program, pool, language) or printable(
            text_of(program, program.title, language) or program.name
        )
        pages += _pages(cards, name, BACKS[number % len(BACKS)], paper)
    return pages


def cards_left_out(program: Program) -> int:
    """How many cards a game has beyond those that are made: of each type `MOST_CARDS` at most."""
    counts = (len(program.domains[pool.domain].members) for pool in card_pools(program))
    return sum(max(0, count - MOST_CARDS) for count in counts)


def _family(program: Program, pool: Pool, language: str) -> str:
    """What players call a type of cards; nothing where it has no words for them."""
    domain = program.domains[pool.domain]
    return printable(text_of(program, domain.label, language))


def _cards(program: Program, pool: Pool, found: Sequence[Section], language: str) -> Iterator[Printed]:
    """One for each piece of the type, in the order of its kinds."""
    data = kinds_at_first(program, pool)
    assert data is not None and isinstance(data.type, Id)
    domain = data.type.domain
    declared = program.domains[domain]
    section = next((each for each in found if each.kind == "kinds" and each.name == declared.name), None)
    words = text_columns(program, declared.name)
    rows = {row.name: row for row in section.rows} if section is not None else {}
    for kind in sorted(each for each in data.values if isinstance(each, int)):
        name = declared.members[kind]
        row = rows.get(name)
        cells = dict(zip(section.columns, row.cells, strict=False)) if row is not None and section else {}
        yield Printed(
            printable(member_name(program, domain, kind, language)),
            _family(program, pool, language),
            tuple(
                (column.replace("_", " "), printable(cell))
                for column, cell in cells.items()
                if column not in APART and column not in words and cell not in EMPTY
            ),
            printable(" ".join(cells[each] for each in words if cells.get(each, "") not in EMPTY)),
            printable(row.source) if row is not None and row.source != "[house]" else "",
            look_at(program, domain, kind).picture,
        )


def _pages(cards: Sequence[Printed], name: str, colour: str, paper: Point) -> list[Page]:
    width, height = max((paper, (paper[1], paper[0])), key=_held)
    across, left = spaced(width - 2 * EDGE, SIZE[0], GAP)
    down, top = spaced(height - 2 * EDGE, SIZE[1], GAP)
    left, top = left + EDGE, top + EDGE
    pages = []
    for first in range(0, len(cards), across * down):
        front: list[Shape] = []
        back: list[Shape] = []
        for n, card in enumerate(cards[first : first + across * down]):
            column, y = n % across, top + n // across * (SIZE[1] + GAP)
            x = left + column * (SIZE[0] + GAP)
            behind = left + (across - 1 - column) * (SIZE[0] + GAP)
            front += _front(card, colour, x, y)
            back += _back(name, colour, behind, y)
        told = f"{name} · {first // (across * down) + 1}"
        marks = _marks(left, top, across, down)
        pages.append(Page(width, height, (*front, *marks, foot(width, height, told))))
        pages.append(Page(width, height, (*back, *marks, foot(width, height, f"{told} ←"))))
    return pages


def _held(sheet: Point) -> int:
    """How many cards a sheet holds."""
    across, down = (spaced(sheet[n] - 2 * EDGE, SIZE[n], GAP)[0] for n in (0, 1))
    return across * down


def _marks(left: float, top: float, across: int, down: int) -> list[Shape]:
    """Marks at the corners of every card, in the gaps between them and around all."""
    found: list[Shape] = []
    wide = across * SIZE[0] + (across - 1) * GAP
    high = down * SIZE[1] + (down - 1) * GAP
    for column in range(across):
        for x in (left + column * (SIZE[0] + GAP), left + column * (SIZE[0] + GAP) + SIZE[0]):
            for y, to in ((top - BLEED, -3 * MM), (top + high + BLEED, 3 * MM)):
                found.append(Path(((x, y), (x, y + to)), INK, 0.4))
    for row in range(down):
        for y in (top + row * (SIZE[1] + GAP), top + row * (SIZE[1] + GAP) + SIZE[1]):
            for x, to in ((left - BLEED, -3 * MM), (left + wide + BLEED, 3 * MM)):
                found.append(Path(((x, y), (x + to, y)), INK, 0.4))
    return found


def _front(card: Printed, colour: str, x: float, y: float) -> list[Shape]:
    wide, high = SIZE
    inner, left = wide - 8 * MM, x + 4 * MM
    shapes: list[Shape] = [
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, high + 2 * BLEED), mixed(PAPER, colour, 0.12)),
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, 14 * MM + BLEED), mixed(PAPER, colour, 0.45)),
    ]
    size = fitted(card.title, inner * 1.9, 13, least=8, bold=True)
    lines = wrapped(card.title, inner, size, bold=True, most=2)
    at = y + (9.0 * MM if len(lines) == 1 else 6.3 * MM)
    for line in lines:
        shapes.append(Words(line, (x + wide / 2, at), size, INK, "middle", True))
        at += size * 1.15
    body = y + 19 * MM
    room = high - 19 * MM - 8 * MM
    if card.picture:
        size = min(PICTURE, room / 2)
        shapes.append(Drawn(card.picture, (x + (wide - size) / 2, body - 2 * MM), size))
        body, room = body + size, room - size
    shapes += _body(card, left, body, inner, room)
    foot_text = " · ".join(each for each in (card.family, card.source) if each)
    line = wrapped(foot_text, inner, 5.5, most=1)[0]
    shapes.append(Words(line, (left, y + high - 3.6 * MM), 5.5, FAINT))
    return [Group(tuple(shapes), card.title, "card")]


def _body(card: Printed, left: float, top: float, wide: float, room: float) -> list[Shape]:
    """The lines and the text of a card, in the largest size in which all of it fits."""
    size = TEXT
    while True:
        lines = [
            (False, each) for name, value in card.lines for each in wrapped(f"{name}: {value}", wide, size)
        ]
        lines += [(True, "")] if card.lines and card.text else []
        lines += [(True, each) for each in (wrapped(card.text, wide, size) if card.text else ())]
        if len(lines) * size * 1.3 <= room or size <= LEAST:
            break
        size -= 0.5
    most = int(room // (size * 1.3))
    return [
        Words(line, (left, top + (n + 1) * size * 1.3 - size * 0.3), size, INK if is_text else FAINT)
        for n, (is_text, line) in enumerate(lines[:most])
        if line
    ]


def _back(name: str, colour: str, x: float, y: float) -> list[Shape]:
    wide, high = SIZE
    shapes: list[Shape] = [
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, high + 2 * BLEED), mixed(colour, INK, 0.15)),
        Polygon(box(x + 4 * MM, y + 4 * MM, wide - 8 * MM, high - 8 * MM), "", PAPER, 1.2),
        Polygon(
            (
                (x + wide / 2, y + 16 * MM),
                (x + wide - 10 * MM, y + high / 2),
                (x + wide / 2, y + high - 16 * MM),
                (x + 10 * MM, y + high / 2),
            ),
            mixed(colour, PAPER, 0.2),
            PAPER,
            1.0,
        ),
    ]
    size = fitted(name, (wide - 24 * MM) * 2, 13, least=8, bold=True)
    lines = wrapped(name, wide - 24 * MM, size, bold=True, most=3)
    at = y + high / 2 + size * 0.36 - (len(lines) - 1) * size * 0.6
    for line in lines:
        shapes.append(Words(line, (x + wide / 2, at), size, PAPER, "middle", True))
        at += size * 1.2
    return shapes
