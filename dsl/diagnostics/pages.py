"""Where the page of a code can be read: in the project, on this machine, and at an address where one is declared."""

from __future__ import annotations

from functools import cache

from dsl.diagnostics.codes import Code
from dsl.resources import errors_folder

FOLDER = "docs/reference/errors"
DISTRIBUTION = "scenarii"


def path_of(code: Code) -> str:
    """Its file in the project's documentation, the same on every machine."""
    return f"{FOLDER}/{code.id}.md"


def file_of(code: Code) -> str:
    """The address of the file that came with this installation; empty where there is none."""
    try:
        path = errors_folder() / f"{code.id}.md"
    except FileNotFoundError:
        return ""
    return path.as_uri() if path.is_file() else ""


def url_of(code: Code) -> str:
    """Its address on the site that the package names as its documentation; empty as long as it names none."""
    site = _site()
    return f"{site}/reference/errors/{code.id}/" if site else ""


@cache
def _site() -> str:
    from importlib import metadata

    try:
        declared = metadata.metadata(DISTRIBUTION).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    pairs = (each.partition(",") for each in declared)
    return next((url.strip().rstrip("/") for name, _, url in pairs if name.strip() == "Documentation"), "")
