"""A font for what needs one as a file: PNG and PDF. SVG leaves that to whoever shows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dsl.catalogue import tr

NAMES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("verdana.ttf", "verdanab.ttf"),
    ("Verdana.ttf", "Verdana Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
)
"""Sans-serif fonts with many characters, the best first; each with its bold face."""
MOST_FILES = 20_000
"""So many files of fonts are looked through."""


class Undrawable(Exception):
    """A picture cannot be made in a form; the message says what is missing and how to get it."""


@dataclass(frozen=True, slots=True)
class Font:
    """The files of a font's two faces; the same one twice where it has no bold face."""

    regular: Path
    bold: Path


def font_of(path: Path | None) -> Font:
    """The font in a file, or the best that this machine has. Raises `Undrawable`."""
    if path is not None:
        if not path.is_file():
            raise Undrawable(tr("{path} is not a file", path=path))
        return Font(path, path)
    found = _installed()
    if found is None:
        raise Undrawable(
            tr(
                "no font was found for the text; name one with --font FILE.ttf, or write SVG, which needs none"
            )
        )
    return found


def family_of(font: Font) -> str:
    """What a font calls itself. Raises `Undrawable` where the file is no font."""
    try:
        from fontTools.ttLib import TTFont, TTLibError
    except ImportError as error:
        raise Undrawable(
            tr("PNG needs fontTools ({error}): pip install 'scenarii[pictures]'", error=error)
        ) from None
    try:
        with font.regular.open("rb") as file, TTFont(file, lazy=True) as opened:
            return str(opened["name"].getBestFamilyName() or "sans-serif")
    except (TTLibError, OSError, KeyError, ValueError) as error:
        raise Undrawable(
            tr("{path} is no font that can be used: {error}", path=font.regular, error=error)
        ) from None


@cache
def _installed() -> Font | None:
    """The first of the known fonts that is in a folder for fonts."""
    places: dict[str, Path] = {}
    wanted = {name for pair in NAMES for name in pair}
    for number, path in enumerate(_files()):
        if number >= MOST_FILES:
            break
        if path.name in wanted:
            places.setdefault(path.name, path)
    for regular, bold in NAMES:
        if regular in places:
            return Font(places[regular], places.get(bold, places[regular]))
    return None


def _files() -> Iterator[Path]:
    for folder in _folders(os.environ):
        for root, _, names in os.walk(folder):
            yield from (Path(root, name) for name in sorted(names) if name.lower().endswith(".ttf"))


def _folders(environment: Mapping[str, str]) -> list[str]:
    """Where fonts lie on this system."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", home)
        return [
            os.path.join(environment.get("WINDIR", r"C:\Windows"), "Fonts"),
            os.path.join(local, "Microsoft", "Windows", "Fonts"),
        ]
    if sys.platform == "darwin":
        return ["/System/Library/Fonts", "/Library/Fonts", os.path.join(home, "Library", "Fonts")]
    return [
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        os.path.join(home, ".local", "share", "fonts"),
        os.path.join(home, ".fonts"),
    ]
