"""Drafts: the sources that `new` writes for an author to begin with.

A template is sources that play as they are, in a folder for its language and kind:

    templates/en/game/name_here.scn, templates/en/game/tests/name_here_tests.scn

Those of a game of its own come with the compiler; a game of the library may have a folder `templates` with its own,
for a `scenario`, a `mod` or a `faction` of it. The name and the title that stand there are put in the place of
`name_here` and `Title Here`. For a game without templates a scenario and a mod are drafted from what it declares.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from dsl.catalogue import tr
from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Diagnostics
from dsl.resources import DRAWING_SUFFIX, PICTURE_SUFFIX, SOURCE_SUFFIX, games, meant_game
from dsl.source import Source

NAME, TITLE = "name_here", "Title Here"
LANGUAGES = ("en", "fr")
LONGEST = 40
_GENERAL = Path(__file__).resolve().parent / "templates"

Draft = Mapping[PurePosixPath, str]
"""The text of each file, by its path in the folder to be written."""


class BadName(ValueError):
    """A name that no game, scenario or mod can have; `hint` is one that could do."""

    def __init__(self, message: str, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


def check_name(name: str) -> None:
    """Raises `BadName` for what cannot be the name in a header and of a folder."""
    likely = likely_name(name)
    if name in games():
        raise BadName(f"`{name}` is a game of the library", f"{name}_2")
    if len(name) > LONGEST:
        raise BadName(f"a name has at most {LONGEST} characters", likely[:LONGEST].rstrip("_"))
    if not re.fullmatch(r"[^\W\d_]\w*", name):
        message = tr(
            "`{name}` is no name: names are letters, digits and `_`, and begin with a letter", name=name
        )
        raise BadName(message, likely)
    if not _readable(name):
        raise BadName(f"`{name}` is a word of the language", f"my_{name}")


def likely_name(text: str) -> str:
    """What somebody may have meant by a name that cannot be one."""
    plain = unicodedata.normalize("NFC", Path(text).name).lower()
    plain = re.sub(r"[\W_]+", "_", plain.removesuffix(SOURCE_SUFFIX)).strip("_") or "my_game"
    if plain[0].isdigit():
        plain = f"game_{plain}"
    return plain if _readable(plain) and plain not in games() else f"my_{plain}"


def _readable(name: str) -> bool:
    from dsl.syntax.parser import parse

    found = Diagnostics()
    parse(Source(name, f"game {name}:\n    players one, two\n"), found)
    return not found.has_errors


# ---------------------------------------------------------------- templates


def title_of(name: str) -> str:
    """A title for a name: `the_long_night` is called "The long night"."""
    words = name.replace("_", " ").strip() or name
    return words[:1].upper() + words[1:]


def drafted(name: str, kind: str = "game", *, target: str = "", language: str = "en") -> Draft | None:
    """The files of a template under a name of their own; none where there is no such template.

    `kind` is game, scenario, mod or faction; `target` the game that one of the last three is for.
    """
    folder = _folder(kind, target, language)
    if folder is None:
        return None
    found = {}
    for path in sorted(
        each for end in (SOURCE_SUFFIX, DRAWING_SUFFIX, PICTURE_SUFFIX) for each in folder.rglob(f"*{end}")
    ):
        relative = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8").replace(NAME, name).replace(TITLE, title_of(name))
        found[PurePosixPath(relative.replace(NAME, name))] = text
    return found


def with_template(kind: str) -> list[str]:
    """The games of the library that bring a template of a kind."""
    return [each for each in games() if _folder(kind, each, LANGUAGES[0]) is not None]


def _folder(kind: str, target: str, language: str) -> Path | None:
    """Where a template is, in the language or else in another one."""
    home = _GENERAL
    if kind != "game":
        game = meant_game(target)
        if game is None:
            return None
        home = game / "templates"
    folders = [home / each / kind for each in (language, *LANGUAGES)]
    return next((each for each in folders if each.is_dir()), None)


def compiled(draft: Draft, name: str, target: str) -> Compiled:
    """What compiling a draft comes to, tests included, in a folder of its own beside the game that it is for."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, name)
        for relative, text in draft.items():
            path = home / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if meant_game(target) is None:
            own = Path(target).resolve()
            beside = own if own.is_dir() else own.parent
            Path(folder, beside.name).symlink_to(beside, target_is_directory=True)
        return compile_game(str(home), tests=True)
