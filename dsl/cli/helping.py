"""The help of commands in the language of whoever reads it: what they do, paragraph by paragraph, and their options.

What click says itself it looks up with gettext, in the domain that is set: that of Scenarii's catalogues.
"""

from __future__ import annotations

import gettext
import os
import re
from copy import copy
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING

from dsl.catalogue import DOMAIN, ENGLISH, FOLDER, N_, Message, current, told

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
    N_("default: {default}"),
    N_("Could not open file {filename!r}: {message}"),
    N_("{name} {filename!r} does not exist."),
    N_("{name} {filename!r} is a file."),
    N_("{name} {filename!r} is a directory."),
    N_("{name} {filename!r} is not readable."),
    N_("{name} {filename!r} is not writable."),
    N_("file"),
    N_("directory"),
    N_("path"),
    N_("required"),
    N_("Missing command."),
    N_("Aborted!"),
)
"""Texts of click that its users meet."""
OF_CLICK_COUNTED = (
    N_("Got unexpected extra argument ({args})"),
    N_("Got unexpected extra arguments ({args})"),
    N_("Option {name!r} requires an argument."),
    N_("Option {name!r} requires {nargs} arguments."),
    N_("{value!r} is not one of {choices}."),
    N_("{value!r} is not {choice}."),
    N_("Did you mean {possibility}?"),
    N_("(Did you mean one of: {possibilities}?)"),
)
"""Those of which it has one form for one thing, and another for several: our catalogues have none of that kind."""
NUMBERS = (N_("integer"), N_("float"), N_("integer range"), N_("float range"))
"""Types of numbers, as click names them."""


def click_speaks() -> None:
    """From now on click looks its own words up in our catalogues, in the language of the environment; nowhere where
    English is spoken, whatever the environment says.
    """
    gettext.bindtextdomain(DOMAIN, str(FOLDER))
    gettext.textdomain("messages" if current() == ENGLISH else DOMAIN)


def said_by_click(text: str) -> str:
    """A text that click has put together, in the language that is spoken now; any other as `told` has it."""
    if current() == ENGLISH or isinstance(text, Message):
        return told(text)
    for template in (*OF_CLICK_COUNTED, *OF_CLICK):
        if "{" in template and (found := _pattern(template).fullmatch(text)) is not None:
            return told(template).replace("!r}", "}").format(**found.groupdict())
    return told(text)


def _plays(ctx: click.Context | None) -> bool:
    """Does a command take the options of games, of which the mode is one?"""
    return ctx is not None and any("--option" in each.opts for each in ctx.command.params)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)(?:!r)?\}", template)
    named = (f"(?P<{each}>.*)" if n % 2 else re.escape(each) for n, each in enumerate(parts))
    return re.compile("".join(named), re.DOTALL)


def put(error: click.ClickException) -> None:
    """Puts an error into the language that is spoken now, with what click says around it, and shows it."""
    known = vars(error)
    known["message"] = said_by_click(error.message)
    if getattr(error, "option_name", "") == "--mode" and _plays(getattr(error, "ctx", None)):
        known["possibilities"] = ["--option mode=NAME"]
    if near := known.get("possibilities"):
        among = ", ".join(repr(each) for each in sorted(near))
        several = OF_CLICK_COUNTED[-1 if len(near) > 1 else -2]
        known["message"] += " " + told(several).format(possibility=among, possibilities=among)
        known["possibilities"] = None
    before = os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = current()  # which is what gettext goes by
    try:
        error.show()
    finally:
        del os.environ["LANGUAGE"]
        if before is not None:
            os.environ["LANGUAGE"] = before


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
    """An argument or option whose help is in that language, and whose type has its name in it."""
    text, kind = getattr(param, "help", None), param.type.name
    if not text and kind not in NUMBERS:
        return param
    found = copy(param)
    if text:
        found.help = told(text)
    if kind in NUMBERS:
        found.type = copy(param.type)
        found.type.name = told(kind)
    return found
