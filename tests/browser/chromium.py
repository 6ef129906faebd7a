"""The browser in which pages are tested; a test that needs it is skipped where it is missing, and says what is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
VARIABLE = "SCENARII_CHROMIUM"
"""Names another browser than the first of these that is found."""


def executable() -> str | None:
    """The path of Chromium; none where there is none."""
    chosen = os.environ.get(VARIABLE, "")
    return chosen or next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def running() -> Iterator[Browser]:
    """A headless Chromium."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing (pip install -e .[dev])"
    )
    path = executable()
    if path is None:
        pytest.skip("Chromium is missing: install it, or name it in SCENARII_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
