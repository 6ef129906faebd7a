"""Pictures that follow each other: a game as it went, in one file that a browser or a chat shows.

As SVG all pictures stand in one document and are shown in turn by SMIL (SVG 1.1, chapter 19); what does not know that
shows the first. As GIF and PNG (APNG) they are rendered one after the other and put together by Pillow. All are of one
size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from xml.etree.ElementTree import Element, SubElement

from dsl.catalogue import tr
from dsl.scene.colours import PAPER
from dsl.scene.fonts import Font, Undrawable
from dsl.scene.raster import png_bytes
from dsl.scene.shapes import Picture, Polygon, box
from dsl.scene.svg import document, finished, put_shapes

SHOWN, LAST = 0.6, 2.4
"""Seconds for which a picture is shown, and the last one."""
MOST_SIDE = 1_200
"""Pixels of a side; larger pictures are made smaller."""
COLOURS = 255


def of_one_size(pictures: Sequence[Picture]) -> list[Picture]:
    """The pictures on sheets that are as large as all of them need."""
    width, height = (
        max(side) for side in zip(*((each.width, each.height) for each in pictures), strict=True)
    )
    paper = Polygon(box(0, 0, width, height), PAPER)
    return [Picture(width, height, each.title, (paper, *each.shapes)) for each in pictures]


def times(count: int) -> list[float]:
    """For how many seconds each of so many pictures is shown."""
    return [SHOWN] * (count - 1) + [LAST]


def animated_svg(pictures: Sequence[Picture]) -> str:
    """One document that shows the pictures in turn, for ever."""
    level = of_one_size(pictures)
    root, symbols = document(level[0], (shape for each in level for shape in each.shapes))
    seconds = times(len(level))
    whole, begun = sum(seconds), 0.0
    for number, (each, long) in enumerate(zip(level, seconds, strict=True)):
        frame = SubElement(root, "g", {"class": "frame", "display": "none" if number else "inline"})
        _shown(frame, begun / whole, (begun + long) / whole, whole)
        begun += long
        put_shapes(frame, each.shapes, symbols)
    return finished(root)


def _shown(frame: Element, begin: float, end: float, whole: float) -> None:
    """Shows a frame from one share of the time to another, and only then."""
    steps = [(0.0, "none"), (begin, "inline"), (end, "none")]
    if begin <= 0:
        del steps[0]
    if end >= 1 - 1e-9:
        del steps[-1]
    SubElement(
        frame,
        "animate",
        {
            "attributeName": "display",
            "values": ";".join(value for _, value in steps),
            "keyTimes": ";".join(f"{share:.5f}" for share, _ in steps),
            "dur": f"{whole:.2f}s",
            "calcMode": "discrete",
            "repeatCount": "indefinite",
        },
    )


def animated(pictures: Sequence[Picture], font: Font, form: str) -> bytes:
    """The pictures in turn, for ever, as `GIF` or `PNG`. Raises `Undrawable` where Pillow or resvg is missing."""
    try:
        from PIL import Image
    except ImportError as error:
        raise Undrawable(
            tr("animations need Pillow ({error}): pip install 'scenarii[pictures]'", error=error)
        ) from None

    def frames() -> Iterable[Image.Image]:
        for each in of_one_size(pictures):
            with Image.open(BytesIO(png_bytes(each, font, zoom=1.0, most=MOST_SIDE))) as read:
                yield read.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)

    first, *others = frames()
    to = BytesIO()
    durations = [round(1_000 * each) for each in times(len(pictures))]
    first.save(to, form, save_all=True, append_images=others, duration=durations, loop=0)
    return to.getvalue()
