"""Scenarii's own words in the languages of its users: messages, prompts, help; a game's words are the game's.

The words are English where they are written, and English is what they are looked up by: `locale/LANG/LC_MESSAGES` has
a catalogue of gettext for each other language, `scenarii.po` to be edited and `scenarii.mo`, which is read. A text that
is put together is a `Message`, which knows what it was put together from, so that whoever prints it chooses the
language: what makes it need not know. A plain string is looked up as it is; what a catalogue lacks stays English.
`python -m tests.catalogue` brings catalogues up to date, and tells what they lack.
"""

from __future__ import annotations

import gettext
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

ENGLISH = "en"
DOMAIN = "scenarii"
FOLDER = Path(__file__).resolve().parent / "locale"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


Value = str | int


class Message(str):
    """A text put together from a template with named places; as a string it is the English one.

    A value is a number, a text that is the same in each language, or a message.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, values: Mapping[str, object]) -> Self:
        """The English text of a template with its places filled."""
        kept = {name: each if isinstance(each, str | int) else str(each) for name, each in values.items()}
        made = super().__new__(cls, template.format(**kept) if kept else template)
        made.template = template
        made.values = kept
        return made

    def __str__(self) -> str:
        """Itself: what an error says, `str(error)`, is still a message."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Message, (self.template, dict(self.values))

    def __add__(self, other: str) -> str:
        return Message("{first}{then}", {"first": self, "then": other}) if other else self


def tr(template: str, /, **values: object) -> str:
    """A text that is told in the language of whoever reads it: `tr("no column `{name}`", name=name)`."""
    return Message(template, values)


def N_(text: str) -> str:
    """The text itself: marks for the catalogues what is looked up later."""
    return text


_now = [ENGLISH]


def speak(language: str) -> None:
    """From now on texts are told in a language, or in the nearest that is spoken."""
    _now[0] = nearest(language)


def current() -> str:
    """The language in which texts are told where nobody says another one; English until `speak` is called."""
    return _now[0]


def told(text: str, language: str | None = None) -> str:
    """A text in a language: a message, or what is looked up as it stands; English where there is nothing else."""
    language = current() if language is None else language
    if not text or language == ENGLISH:
        return text
    if not isinstance(text, Message):
        return _catalogue(language).gettext(text)
    template = _catalogue(language).gettext(text.template)
    if not text.values:
        return template
    values = {
        name: told(each, language) if isinstance(each, Message) else each
        for name, each in text.values.items()
    }
    return template.format(**values)


@cache
def languages() -> tuple[str, ...]:
    """The languages that Scenarii speaks, English first."""
    found = {path.parents[1].name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return (ENGLISH, *sorted(found))


def nearest(language: str) -> str:
    """The language that is spoken where one is asked for: itself, what it is a regional form of, or English."""
    return next((each for each in (language, language.partition("_")[0]) if each in languages()), ENGLISH)


def preferred(environment: Mapping[str, str], also: Collection[str] = ()) -> str:
    """The language that the environment asks for, as gettext reads it: `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`.

    Of those that Scenarii speaks, and `also` others, such as those of a game; English where there is none of them.
    """
    known = {*languages(), *also}
    for name in _VARIABLES:
        for each in environment.get(name, "").split(":"):
            code = each.partition(".")[0].partition("@")[0]
            if code in {"C", "POSIX"}:
                return ENGLISH
            found = next((form for form in (code, code.partition("_")[0]) if form in known), "")
            if found:
                return found
        if environment.get(name) and name != "LANGUAGE":
            return ENGLISH
    return ENGLISH


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    names = [language, language.partition("_")[0]]
    return gettext.translation(DOMAIN, FOLDER, names, fallback=True)
