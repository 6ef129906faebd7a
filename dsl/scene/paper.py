"""Pictures on pages of PDF, by fpdf2: shapes are drawn as shapes, and text stays text."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, assert_never

from dsl.catalogue import tr
from dsl.diagnostics.excerpt import printable
from dsl.pictures import INKED, SVG
from dsl.scene.fonts import Font, Undrawable, family_of
from dsl.scene.shapes import Circle, Drawn, Path, Picture, Polygon, Shape, Words, flat, moved

if TYPE_CHECKING:
    from fpdf import FPDF

POINT = 0.75
"""Points of paper for one of the screen."""
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date in every file: one document for one picture."""


class Paper:
    """A document under way, in points of paper, 72 to the inch. Raises `Undrawable` where fpdf2 is missing."""

    def __init__(self, font: Font, title: str, language: str) -> None:
        try:
            from fpdf import FPDF
        except ImportError as error:
            raise Undrawable(
                tr("PDF needs fpdf2 ({error}): pip install 'scenarii[pictures]'", error=error)
            ) from None
        family_of(font)  # what is no font is refused here
        for name in ("fpdf", "fontTools"):
            logging.getLogger(name).setLevel(logging.ERROR)  # a character that the font lacks is a box
        self.pdf: FPDF = FPDF(unit="pt")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.set_title(printable(title))
        self.pdf.set_lang(language)
        self.pdf.set_creation_date(MADE)
        try:
            self.pdf.add_font("text", "", str(font.regular))
            self.pdf.add_font("text", "B", str(font.bold))
        except Exception as error:  # fontTools has errors of its own for what is no font
            raise Undrawable(
                tr("{path} is no font that can be used: {error}", path=font.regular, error=error)
            ) from None

    def page(self, width: float, height: float) -> None:
        """Begins a page."""
        self.pdf.add_page(format=(width, height))

    def draw(self, shapes: Iterable[Shape]) -> None:
        """Draws shapes on the page, the lowest first."""
        for each in flat(shapes):
            match each:
                case Polygon():
                    self._paint(each.fill, each.stroke, each.width, each.dashed)
                    style = _style(each.fill, each.stroke)
                    if style:
                        self.pdf.polygon(each.points, style=style)
                case Circle():
                    self._paint(each.fill, each.stroke, each.width, each.dashed)
                    style = _style(each.fill, each.stroke)
                    if style:
                        self.pdf.circle(each.at[0], each.at[1], each.radius, style)
                case Path():
                    self._paint("", each.stroke, each.width, each.dashed)
                    self.pdf.polyline(each.points)
                case Words():
                    self._words(each)
                case Drawn():
                    text = each.picture.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1).replace(
                        INKED, each.ink
                    )
                    (x, y), size = each.at, each.size
                    self.pdf.image(BytesIO(text.encode()), x, y, size, size, keep_aspect_ratio=True)
                case _:
                    assert_never(each)

    def clipped(self, shapes: Iterable[Shape], x: float, y: float, width: float, height: float) -> None:
        """Draws shapes, of which only what lies in a rectangle is seen."""
        # the end of a clip takes back font and dashes, which fpdf2 believes set unless the state is a local one
        with self.pdf.local_context(), self.pdf.rect_clip(x, y, width, height):
            self.draw(shapes)

    def written(self) -> bytes:
        """The whole document."""
        return bytes(self.pdf.output())

    def _paint(self, fill: str, stroke: str, width: float, dashed: bool) -> None:
        if fill:
            self.pdf.set_fill_color(fill)
        if stroke:
            self.pdf.set_draw_color(stroke)
            self.pdf.set_line_width(width)
            if dashed:
                self.pdf.set_dash_pattern(width * 3, width * 2)
            else:
                self.pdf.set_dash_pattern()

    def _words(self, words: Words) -> None:
        text = printable(words.text)
        if not text:
            return
        self.pdf.set_font("text", "B" if words.bold else "", words.size)
        self.pdf.set_text_color(words.fill)
        wide = self.pdf.get_string_width(text)
        shift = {"start": 0.0, "middle": wide / 2, "end": wide}[words.anchor]
        self.pdf.text(words.at[0] - shift, words.at[1], text)


def pdf_bytes(picture: Picture, font: Font, language: str) -> bytes:
    """A picture on a page of its own size."""
    paper = Paper(font, picture.title, language)
    paper.page(picture.width * POINT, picture.height * POINT)
    paper.draw(moved(each, 0, 0, POINT) for each in picture.shapes)
    return paper.written()


def _style(fill: str, stroke: str) -> str:
    return ("D" if stroke else "") + ("F" if fill else "")
