"""A picture as SVG 1.1: written by the standard library, which escapes what is text. Pictures of authors stand in it
once each, as symbols.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dsl.diagnostics.excerpt import printable
from dsl.pictures import tree_of
from dsl.scene.model import Point
from dsl.scene.shapes import Circle, Drawn, Group, Path, Picture, Polygon, Shape, Words, flat

FAMILY = "DejaVu Sans, Verdana, Noto Sans, sans-serif"
_DASHES = 3.0


def svg_text(picture: Picture, *, family: str = FAMILY) -> str:
    """The document, with the picture's title for whoever hears it; `family` are the fonts of its text."""
    root, symbols = document(picture, picture.shapes, family=family)
    put_shapes(root, picture.shapes, symbols)
    return finished(root)


def document(
    picture: Picture, shapes: Iterable[Shape], *, family: str = FAMILY
) -> tuple[Element, dict[str, str]]:
    """A document of the size of a picture, in which nothing is drawn yet, and the names of the authors' pictures that
    shapes in it have.
    """
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": _number(picture.width),
            "height": _number(picture.height),
            "viewBox": f"0 0 {_number(picture.width)} {_number(picture.height)}",
            "font-family": family,
            "role": "img",
        },
    )
    _texted(root, "title", picture.title)
    drawn = dict.fromkeys(each.picture for each in flat(shapes) if isinstance(each, Drawn))
    symbols = {each: f"picture-{number}" for number, each in enumerate(drawn)}
    if symbols:
        root.set("xmlns:xlink", "http://www.w3.org/1999/xlink")
        defined = SubElement(root, "defs")
        for kept, name in symbols.items():
            symbol = tree_of(kept)
            symbol.tag = "symbol"
            symbol.set("id", name)
            defined.append(symbol)
    return root, symbols


def put_shapes(parent: Element, shapes: Iterable[Shape], symbols: dict[str, str]) -> None:
    """Draws shapes within an element of a document, the lowest first."""
    for each in shapes:
        _add(parent, each, symbols)


def finished(root: Element) -> str:
    """The text of a document."""
    indent(root, " ")
    return tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _add(parent: Element, shape: Shape, symbols: dict[str, str]) -> None:
    match shape:
        case Group():
            group = SubElement(parent, "g", {"class": shape.kind} if shape.kind else {})
            if shape.title:
                _texted(group, "title", shape.title)
            for each in shape.shapes:
                _add(group, each, symbols)
        case Polygon():
            SubElement(parent, "polygon", {"points": _points(shape.points), **_painted(shape)})
        case Circle():
            x, y = shape.at
            where = {"cx": _number(x), "cy": _number(y), "r": _number(shape.radius)}
            SubElement(parent, "circle", {**where, **_painted(shape)})
        case Path():
            more = {"stroke-linecap": "round", "stroke-linejoin": "round"} if shape.round else {}
            dashes = {"stroke-dasharray": _dashes(shape.width)} if shape.dashed else {}
            drawn = {"fill": "none", "stroke": shape.stroke, "stroke-width": _number(shape.width)}
            SubElement(parent, "polyline", {"points": _points(shape.points), **drawn, **dashes, **more})
        case Words():
            x, y = shape.at
            how = {"x": _number(x), "y": _number(y), "font-size": _number(shape.size), "fill": shape.fill}
            if shape.anchor != "start":
                how["text-anchor"] = shape.anchor
            if shape.bold:
                how["font-weight"] = "bold"
            _texted(parent, "text", shape.text, how)
        case Drawn():
            (x, y), size = shape.at, _number(shape.size)
            where = {"x": _number(x), "y": _number(y), "width": size, "height": size, "color": shape.ink}
            SubElement(parent, "use", {"xlink:href": f"#{symbols[shape.picture]}", **where})
        case _:
            assert_never(shape)


def _texted(parent: Element, tag: str, text: str, attributes: dict[str, str] | None = None) -> None:
    """Text alone, without the characters that XML forbids."""
    SubElement(parent, tag, attributes or {}).text = printable(text)


def _painted(shape: Polygon | Circle) -> dict[str, str]:
    found = {"fill": shape.fill or "none"}
    if shape.stroke:
        found |= {"stroke": shape.stroke, "stroke-width": _number(shape.width)}
        if shape.dashed:
            found["stroke-dasharray"] = _dashes(shape.width)
    return found


def _dashes(width: float) -> str:
    return f"{_number(width * _DASHES)} {_number(width * _DASHES / 1.5)}"


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """A length with at most two decimals: one text for one picture on every machine."""
    return (
        f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0")
        if abs(value) < 0.005
        else (f"{value:.2f}".rstrip("0").rstrip("."))
    )
