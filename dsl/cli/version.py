"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("scenarii")
    except PackageNotFoundError:
        return "0 (not installed)"


def told() -> str:
    """The version with what it speaks: the versions of the language, of the IR and of saves."""
    from dsl.ir import program
    from dsl.semantics.gather.versions import LANGUAGE

    return f"scenarii {VERSION} (language {LANGUAGE}, IR {program.VERSION})"


VERSION = _version()
