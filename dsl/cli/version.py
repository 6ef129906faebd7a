"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

from dsl.versions import IR, LANGUAGE


def _version() -> str:
    try:
        return version("scenarii")
    except PackageNotFoundError:
        return "0 (not installed)"


def told() -> str:
    """The version with what it speaks: the versions of the language, of the IR and of saves."""
    return f"scenarii {VERSION} (language {LANGUAGE}, IR {IR})"


VERSION = _version()
