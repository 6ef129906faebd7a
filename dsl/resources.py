"""Where the package's own data is: the grammar, the games that come with it, and the pages of the errors.

In an installed wheel they lie inside the package; in a checkout (and an editable install of it) beside it.
"""

from pathlib import Path

SOURCE_SUFFIX = ".scn"
DRAWING_SUFFIX = ".txt"
"""Of the files in which maps and shapes are drawn."""
PICTURE_SUFFIX = ".svg"
"""Of the pictures of rows."""
PACKED_SUFFIX = ".scnz"
"""Of a folder as one file, to be shared."""
PRELUDE = "prelude"
TESTS_FOLDER = "tests"
"""The folder of the tests of a game, beside its rules."""

_PACKAGE = Path(__file__).resolve().parent


def grammar_folder() -> Path:
    """Where `scenarii.lark` and the editor grammars are."""
    return _data_folder("grammar")


def stdlib_folder() -> Path:
    """Where the games that come with the package are, one folder each, and the prelude."""
    return _data_folder("stdlib")


def errors_folder() -> Path:
    """Where the pages of the error codes are, one for each."""
    return _data_folder("errors", "docs/reference/errors")


def games() -> tuple[str, ...]:
    """The names of the games that come with the package, in alphabetical order."""
    return tuple(sorted(folder.name for folder in stdlib_folder().iterdir() if _is_game(folder)))


def game_folder(name: str) -> Path | None:
    """The folder of a game that comes with the package; none if it has no game of that name."""
    return stdlib_folder() / name if name in games() else None


def meant_game(target: str) -> Path | None:
    """The folder of the game of the package that a target names. A folder of that name in the working folder, with
    sources in it, goes before it: who stands beside his own game means that one.
    """
    found = game_folder(target)
    here = Path(target)
    is_own = found is not None and here.is_dir() and _is_game(here) and not here.samefile(found)
    return None if is_own else found


def _data_folder(name: str, checkout: str = "") -> Path:
    installed = _PACKAGE / f"_{name}"
    folder = installed if installed.is_dir() else _PACKAGE.parent / (checkout or name)
    if not folder.is_dir():
        raise FileNotFoundError(f"this installation of scenarii is incomplete: {folder} is missing")
    return folder


def _is_game(folder: Path) -> bool:
    hidden = folder.name.startswith((".", "_"))
    return not hidden and folder.name != PRELUDE and any(folder.glob(f"*{SOURCE_SUFFIX}"))
