"""The catalogues hold what the sources say: complete for play, sound everywhere, and chosen as gettext would."""

import gettext
import json
import pickle
import re
import string

import pytest

from dsl import catalogue
from dsl.catalogue import Message, preferred, speak, told, tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.machine import to_json
from dsl.diagnostics.render import render
from dsl.diagnostics.serialized import read_back, stored
from dsl.resolve import board
from dsl.source import Source
from tests.catalogue.extract import hints_of_words, said, whole

PLAYED = re.compile(r"dsl/(cli/words|engine/display)\.py")
"""Files whose texts a player reads."""
LANGUAGES = catalogue.languages()[1:]


def texts(language: str) -> dict[str, str]:
    found = gettext.translation(catalogue.DOMAIN, catalogue.FOLDER, [language])
    assert isinstance(found, gettext.GNUTranslations)
    return {text: said for text, said in found._catalog.items() if text}  # type: ignore[attr-defined]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name and name.isidentifier()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_players_read_is_translated(language: str) -> None:
    known = texts(language)
    read = [text for text, files in whole().items() if any(PLAYED.fullmatch(each) for each in files)]
    read += board.WAYS
    assert len(read) > 70
    assert [text for text in read if text not in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_shows_nothing_that_its_source_has_not(language: str) -> None:
    for text, translation in texts(language).items():
        assert places(translation) <= places(text), text
        assert text.count("\n") == translation.count("\n"), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_all_messages_are_translated(language: str) -> None:
    """What is new may wait for its translation; `python -m tests.catalogue --missing LANG` lists it."""
    known, found = texts(language), said()
    lacking = [
        f"{each.place}: {each.text or 'put together: use tr()'}" for each in found if each.text not in known
    ]
    assert len(lacking) * 20 <= len(found), "\n".join(lacking)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_read_is_what_is_edited(language: str) -> None:
    pytest.importorskip("babel")
    from tests.catalogue.files import compiled, po_of, read_po, written

    kept = read_po(language)
    assert po_of(language).with_suffix(".mo").read_bytes() == compiled(kept)
    assert po_of(language).read_bytes() == written(kept), "run `python -m tests.catalogue --write`"


def test_a_message_is_told_in_the_language_of_its_reader() -> None:
    inner = tr("read more: {command}", command="scenarii explain E0201")
    outer = tr("{first} and {second}", first=inner, second="x")
    assert outer == "read more: scenarii explain E0201 and x"
    assert told(outer, "fr") == "en savoir plus : scenarii explain E0201 et x"
    assert told(pickle.loads(pickle.dumps(outer)), "fr") == told(outer, "fr")
    assert told("no errors", "fr") == "aucune erreur"
    assert told("what nobody says", "fr") == "what nobody says"
    assert told(tr("{n} errors", n=2) + "; no errors", "fr") == "2 erreurs; no errors"


def test_a_diagnostic_speaks_all_languages_also_from_the_cache() -> None:
    source = Source("a.scn", "game a:\n")
    told_of = Diagnostic(Code.LIMIT, tr("{n} errors", n=3), source.span(0, 4), hint="no errors")
    kept = json.loads(json.dumps(stored(Diagnostics([told_of]), [source])))
    again = next(iter(read_back(kept, [source])))
    assert again == told_of
    try:
        speak("fr")
        assert render(again).startswith("erreur[E0309]: 3 erreurs\n")
        assert render(again).endswith("= conseil: aucune erreur")
        document = json.loads(to_json(Diagnostics([again])))["diagnostics"][0]
        assert (document["code"], document["message"]) == ("E0309", "3 erreurs")
    finally:
        speak("en")
    assert render(again).startswith("error[E0309]: 3 errors\n")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "tlh:fr:en"}, "fr"),
        ({"LANG": "tlh_KL"}, "en"),
        ({"LC_MESSAGES": "fr_CA", "LANG": "C"}, "fr"),
    ],
)
def test_the_environment_chooses_as_it_does_for_gettext(environment: dict[str, str], language: str) -> None:
    assert preferred(environment) == language


def test_what_an_error_says_is_still_a_message() -> None:
    error = ValueError(tr("{game} has no player `{name}`; there are: {known}", game="g", name="x", known="y"))
    assert str(error) == "g has no player `x`; there are: y"
    assert told(str(error), "fr") == "g n'a pas de joueur `x` ; il y a : y"


def test_a_language_that_only_a_game_has_is_chosen_for_it() -> None:
    assert preferred({"LANG": "de_AT.UTF-8"}, ["fr", "de"]) == "de"
    assert preferred({"LANG": "de_AT.UTF-8"}, ["fr"]) == "en"
    assert preferred({"LANG": "pt_BR"}, ["pt", "pt_BR"]) == "pt_BR"


def test_a_message_with_a_brace_among_its_values_is_left_alone() -> None:
    assert Message("no `{name}`", {"name": "{x}"}) == "no `{x}`"


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_about_foreign_words_are_translated(language: str) -> None:
    assert set(hints_of_words()) <= texts(language).keys()
