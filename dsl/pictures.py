"""Pictures that authors draw themselves: SVG, of which only shapes and their colours are kept.

What comes from a stranger is read by a list of what is allowed, and written anew from that: shapes, groups, their
places and colours. Scripts, text, links, other files, animation and declarations of entities are refused; what only an
editor needs (its own names, ids, metadata) is left out. The result has one form for one picture, without a namespace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl.catalogue import tr

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_BYTES = 32 * 1024
"""Of the file of a picture."""
MOST_SHAPES, MOST_DEPTH = 500, 12
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = frozenset({"g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
SILENT = frozenset({"title", "desc", "metadata", "defs"})
"""What draws nothing."""
_N = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?"
_LIST = rf"\s*{_N}(?:[\s,]*{_N})*\s*"
_NUMBER = re.compile(rf"({_N})(?:px)?", re.IGNORECASE)
_LENGTHS = (
    "x y width height cx cy r rx ry x1 y1 x2 y2 stroke-width stroke-miterlimit opacity fill-opacity "
    "stroke-opacity"
)
_FORMS = {
    **dict.fromkeys(_LENGTHS.split(), _NUMBER),
    "points": re.compile(_LIST, re.IGNORECASE),
    "d": re.compile(r"[MmZzLlHhVvCcSsQqTtAaeE\d+\-.,\s]*"),
    "transform": re.compile(
        rf"(?:\s*(?:translate|scale|rotate|matrix|skewX|skewY)\s*\({_LIST}\)[\s,]*)*", re.IGNORECASE
    ),
    "fill-rule": re.compile("evenodd|nonzero"),
    "stroke-linecap": re.compile("butt|round|square"),
    "stroke-linejoin": re.compile("miter|round|bevel"),
    "stroke-dasharray": re.compile(rf"none|{_LIST}", re.IGNORECASE),
}
"""By attribute what its value may be."""
NAMES = {
    **{"black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff"},
    **{"maroon": "#800000", "red": "#ff0000", "purple": "#800080", "green": "#008000", "lime": "#00ff00"},
    **{"olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff", "teal": "#008080"},
    **{"orange": "#ffa500", "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700"},
}
INKED = "currentColor"
"""The colour of what is written in a picture's place."""


class Unsafe(ValueError):
    """A file is no picture that can be shown; the message says why."""


def safe_picture(text: str) -> str:
    """A picture as it is kept; raises `Unsafe`."""
    from xml.etree.ElementTree import tostring

    return tostring(tree_of(text), encoding="unicode")


def tree_of(text: str) -> Element:
    """The same as a tree: `svg` with a `viewBox`, and shapes below."""
    from xml.etree.ElementTree import Element, ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if len(text.encode()) > MOST_BYTES:
        raise Unsafe(tr("it has more than {most} bytes", most=f"{MOST_BYTES:,}"))
    try:
        read = fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise Unsafe(tr("it has a declaration `<!DOCTYPE` or `<!ENTITY`, which pictures may not")) from None
    except (ParseError, ValueError, RecursionError) as error:
        raise Unsafe(tr("it is not well-formed XML ({error})", error=error)) from None
    if _tag(read) != "svg":
        raise Unsafe(tr("it is no SVG: it begins with `{tag}`", tag=_tag(read)))
    root = Element("svg", {"viewBox": _view(read), **_painted(read, {"fill", "stroke"})})
    _copy(read, root, 1)
    shapes = sum(each.tag != "g" for each in root.iter()) - 1
    if shapes > MOST_SHAPES:
        raise Unsafe(tr("it has more than {most} shapes", most=MOST_SHAPES))
    if not shapes:
        raise Unsafe(tr("it draws nothing"))
    return root


def _tag(element: Element) -> str:
    """What an element is called, without the namespace of SVG or none; of another one with it."""
    return str(element.tag).removeprefix(SVG)


def _view(root: Element) -> str:
    given = root.get("viewBox")
    if given is None:
        size = [_NUMBER.fullmatch(root.get(each, "").strip()) for each in ("width", "height")]
        given = " ".join(["0 0", *(each[1] for each in size if each is not None)])
    parts = re.split(r"[\s,]+", given.strip())
    if len(parts) != 4 or not all(re.fullmatch(_N, each, re.IGNORECASE) for each in parts):
        raise Unsafe(tr('it does not say how large it is: `viewBox="0 0 64 64"`'))
    numbers = [float(each) for each in parts]
    if min(numbers[2:]) <= 0 or max(map(abs, numbers)) > 1e6:
        raise Unsafe(tr('it does not say how large it is: `viewBox="0 0 64 64"`'))
    return " ".join(f"{each:g}" for each in numbers)


def _copy(read: Element, made: Element, depth: int) -> None:
    from xml.etree.ElementTree import SubElement

    if depth > MOST_DEPTH:
        raise Unsafe(tr("its groups are nested more than {most} deep", most=MOST_DEPTH))
    for each in read:
        tag = _tag(each)
        if tag in SILENT or tag.startswith("{"):
            continue
        if tag not in SHAPES:
            raise Unsafe(tr("it has `<{tag}>`, and pictures have shapes alone", tag=tag))
        _copy(each, SubElement(made, tag, _painted(each)), depth + 1)


def _painted(element: Element, only: set[str] | None = None) -> dict[str, str]:
    """The attributes that are kept, in one order."""
    found: dict[str, str] = {}
    for name, value in _attributes(element):
        if name.lower().startswith("on") or name.endswith("href") or "url(" in value.lower():
            raise Unsafe(tr("it has `{name}`, and pictures have shapes alone", name=name))
        if only is not None and name not in only:
            continue
        if name in {"fill", "stroke"}:
            found[name] = _colour(name, value)
        elif form := _FORMS.get(name):
            if (match := form.fullmatch(value)) is None:
                raise Unsafe(tr("`{name}` cannot be `{value}`", name=name, value=value[:40]))
            found[name] = match[1] if form is _NUMBER else " ".join(value.split())
        elif name in {"display", "visibility"} and value in {"none", "hidden"}:
            found["opacity"] = "0"
    return dict(sorted(found.items()))


def _attributes(element: Element) -> Iterator[tuple[str, str]]:
    """Those of an element, then the declarations of its `style`, which go before them."""
    for name, value in element.items():
        if name != "style" and (not name.startswith("{") or name.endswith("}href")):
            yield name.rpartition("}")[2], value.strip()
    for declaration in re.sub(r"/\*.*?\*/", "", element.get("style", "")).split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip().lower(), value.removesuffix("!important").strip()


def _colour(name: str, value: str) -> str:
    low = value.lower()
    if low in {"none", "transparent"}:
        return "none"
    if low == INKED.lower():
        return INKED
    if re.fullmatch(r"#[0-9a-f]{3}", low):
        return "#" + "".join(2 * each for each in low[1:])
    if re.fullmatch(r"#[0-9a-f]{6}", low):
        return low
    parts = re.fullmatch(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", low)
    if parts is not None:
        return "#" + "".join(f"{min(255, int(each)):02x}" for each in parts.groups())
    if low in NAMES:
        return NAMES[low]
    raise Unsafe(
        tr("`{name}` cannot be `{value}`: write the colour as `#rrggbb`", name=name, value=value[:40])
    )
