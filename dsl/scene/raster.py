"""A picture as PNG: its SVG, rendered by resvg with one font that is given as a file."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.scene.fonts import Font, Undrawable, family_of
from dsl.scene.shapes import Picture
from dsl.scene.svg import svg_text

ZOOM = 2.0
"""Pixels for a point."""
MOST_PIXELS = 12_000
"""Of a side: a larger picture is made smaller."""


def png_bytes(picture: Picture, font: Font, *, zoom: float = ZOOM, most: int = MOST_PIXELS) -> bytes:
    """The picture, twice as large as on the screen, if no side has more pixels than `most`. Raises `Undrawable` where
    resvg is missing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise Undrawable(
            tr("PNG needs resvg ({error}): pip install 'scenarii[pictures]'", error=error)
        ) from None
    family = family_of(font)
    zoom = min(zoom, most / max(picture.width, picture.height, 1.0))
    faces = list(dict.fromkeys((str(font.regular), str(font.bold))))
    width = max(1, round(picture.width * zoom))
    return bytes(
        svg_to_bytes(
            svg_string=svg_text(picture, family=family),
            width=width,
            skip_system_fonts=True,
            font_files=faces,
            font_family=family,
            sans_serif_family=family,
        )
    )
