"""The help of commands in the language of whoever reads it: what they do, paragraph by paragraph, and their options.

What click says itself it looks up with gettext, in the domain that is set: that of Scenarii's catalogues.
"""

from __future__ import annotations

import gettext
from copy import copy
from inspect import cleandoc
from typing import TYPE_CHECKING

from dsl.catalogue import DOMAIN, ENGLISH, FOLDER, N_, current, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

VERBATIM = "\b"
"""What stands before lines that are left as they are: examples."""
OF_CLICK = (
    N_("Usage:"),
    N_("Options"),
    N_("Show this message and exit."),
    N_("Try '{command} {option}' for help."),
    N_("Error: {message}"),
    N_("No such option {name!r}."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("Option {name!r} does not take a value."),
)
"""Texts of click that its users meet."""


def click_speaks() -> None:
    """From now on click looks its own words up in our catalogues, in the language of the environment."""
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain(DOMAIN)


def paragraphs(text: str) -> Iterator[str]:
    """The parts of a help text that are looked up, those in which words are."""
    for each in cleandoc(text).split("\n\n"):
        if text and not each.startswith(VERBATIM):
            yield " ".join(each.split())


def in_words(command: click.Command) -> click.Command:
    """A command whose help is in the language that is spoken now."""
    if current() == ENGLISH:
        return command
    found = copy(command)
    if found.help:
        parts = cleandoc(found.help).split("\n\n")
        found.help = "\n\n".join(
            each if each.startswith(VERBATIM) else told(" ".join(each.split())) for each in parts
        )
    found.params = [in_words_of(each) for each in found.params]
    return found


def in_words_of(param: click.Parameter) -> click.Parameter:
    """An argument or option whose help is in that language."""
    text = getattr(param, "help", None)
    if not text:
        return param
    found = copy(param)
    found.help = told(text)
    return found
