"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("scenarii")
    except PackageNotFoundError:
        return "0 (not installed)"


VERSION = _version()
