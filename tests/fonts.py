"""Tests that draw text need a font."""

from __future__ import annotations

import pytest

from dsl.scene.fonts import Undrawable, font_of


def has_font() -> bool:
    """Is one of the fonts installed that are looked for?"""
    try:
        font_of(None)
    except Undrawable:
        return False
    return True


NEEDS_FONT = pytest.mark.skipif(not has_font(), reason="no font such as DejaVu Sans is installed")
