"""Cards, front and back: as many of each as the game has, what is printed of them, and marks to cut along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.authoring.printed import APART, EMPTY, text_columns
from dsl.authoring.sections import Section
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import column_name, member_name, text_of
from dsl.engine.kinds import kinds_at_first
from dsl.ir.program import Pool, Program
from dsl.ir.types import Id
from dsl.records import record
from dsl.scene.colours import INK, PAPER, mixed
from dsl.scene.lettering import LINE, filling, paired, wrapped
from dsl.scene.model import Point
from dsl.scene.shapes import Drawn, Group, Path, Polygon, Shape, Words, box
from dsl.scene.signs import look_at
from dsl.sheets.page import FAINT, MM, Page, behind_of, foot, of_the_book, spaced

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
COPIES = "copies"
"""The column that says how many cards there are of a kind: they lie there, and need not say it."""
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
    back: str = ""
    """What stands on its back."""
    colour: str = BACKS[0]


def card_pools(program: Program) -> list[Pool]:
    """The types of pieces that lie in piles and have kinds: cards."""
    return [
        pool for pool in program.pools if pool.pile is not None and kinds_at_first(program, pool) is not None
    ]


def cards_of(program: Program, found: Sequence[Section], paper: Point, language: str) -> list[Page]:
    """The pages of all cards, each with that of their backs behind it, mirrored as the sheet is turned."""
    title = printable(text_of(program, program.title, language) or program.name)
    cards: list[Printed] = []
    pools = card_pools(program)
    for number, pool in enumerate(pools):
        name = (_family(program, pool, language) if len(pools) > 1 else "") or title
        colour = BACKS[number % len(BACKS)]
        own = list(_cards(program, pool, found, language))[:MOST_CARDS]
        cards += (replace(each, back=name, colour=colour) for each in own)
    return _pages(cards, title, paper, language or program.language)


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
    counts = {COPIES, *_called(program, f"{declared.name}.{COPIES}", language)}
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
                if column not in APART | counts and column not in words and cell not in EMPTY
            ),
            printable(" ".join(cells[each] for each in words if cells.get(each, "") not in EMPTY)),
            printable(of_the_book(row.source)) if row is not None else "",
            look_at(program, domain, kind).picture,
        )


def _called(program: Program, column: str, language: str) -> list[str]:
    """What players call a column, if they do."""
    found = (number for number, each in enumerate(program.data) if each.name == column)
    return [name for number in found if (name := column_name(program, number, language))]


def _pages(cards: Sequence[Printed], title: str, paper: Point, language: str) -> list[Page]:
    width, height = max((paper, (paper[1], paper[0])), key=_held)
    across, left = spaced(width - 2 * EDGE, SIZE[0], GAP)
    down, top = spaced(height - 2 * EDGE, SIZE[1], GAP)
    left, top = left + EDGE, top + EDGE
    pages = []
    for first in range(0, len(cards), across * down):
        front: list[Shape] = []
        back: list[Shape] = []
        lot = cards[first : first + across * down]
        for n, card in enumerate(lot):
            column, y = n % across, top + n // across * (SIZE[1] + GAP)
            x = left + column * (SIZE[0] + GAP)
            behind = left + (across - 1 - column) * (SIZE[0] + GAP)
            front += _front(card, x, y, language)
            back += _back(card, behind, y)
        number = first // (across * down) + 1
        marks = _marks(left, top, across, -(-len(lot) // across))
        pages.append(Page(width, height, (*front, *marks, foot(width, height, f"{title} · {number}"))))
        pages.append(
            Page(width, height, (*back, *marks, foot(width, height, behind_of(title, number, language))))
        )
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


def _front(card: Printed, x: float, y: float, language: str) -> list[Shape]:
    (wide, high), colour = SIZE, card.colour
    inner, left = wide - 8 * MM, x + 4 * MM
    shapes: list[Shape] = [
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, high + 2 * BLEED), mixed(PAPER, colour, 0.12)),
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, 14 * MM + BLEED), mixed(PAPER, colour, 0.45)),
    ]
    lines, size = filling(card.title, inner, 2.5 * 13, 13, least=6, bold=True)
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
    shapes += _body(card, left, body, inner, room, language)
    foot_text = " · ".join(each for each in (card.family, card.source) if each)
    line = wrapped(foot_text, inner, 5.5, most=1)[0]
    shapes.append(Words(line, (left, y + high - 3.6 * MM), 5.5, FAINT))
    return [Group(tuple(shapes), card.title, "card")]


def _body(card: Printed, left: float, top: float, wide: float, room: float, language: str) -> list[Shape]:
    """The lines and the text of a card, in the largest size in which all of it fits."""
    size = TEXT
    while True:
        lines = [
            (False, each)
            for name, value in card.lines
            for each in wrapped(paired(name, value, language), wide, size)
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


def _back(card: Printed, x: float, y: float) -> list[Shape]:
    (wide, high), colour = SIZE, card.colour
    across, down = wide / 2 - 8 * MM, high / 2 - 14 * MM
    middle = x + wide / 2, y + high / 2
    corners = (0, -down), (across, 0), (0, down), (-across, 0)
    shapes: list[Shape] = [
        Polygon(box(x - BLEED, y - BLEED, wide + 2 * BLEED, high + 2 * BLEED), mixed(colour, INK, 0.15)),
        Polygon(box(x + 4 * MM, y + 4 * MM, wide - 8 * MM, high - 8 * MM), "", PAPER, 1.2),
        Polygon(
            tuple((middle[0] + dx, middle[1] + dy) for dx, dy in corners),
            mixed(colour, PAPER, 0.2),
            PAPER,
            1.0,
        ),
    ]

    def inside(reach: float) -> float:
        return 2 * across * (1 - reach / down) - 2 * MM

    lines, size = filling(card.back, 2 * across - 8 * MM, down, 13, least=4, bold=True, narrowed=inside)
    at = middle[1] + size * 0.36 - (len(lines) - 1) * size * LINE / 2
    for line in lines:
        shapes.append(Words(line, (middle[0], at), size, PAPER, "middle", True))
        at += size * LINE
    return shapes
