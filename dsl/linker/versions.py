"""Versions: of the language that a file is written in, and of the game that a mod or scenario needs.

A header that says no language is written in version 1. A game says its own version, `version "1.4"`; what is made for
it says which it needs, `needs "1.2"`: that one or a later one with the same first number, as a new first number means
that things have been taken away. The numbers between the dots are compared one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Label
from dsl.linker.layers import Layer
from dsl.syntax import ast
from dsl.versions import LANGUAGE

NUMBERS = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}")
Version = tuple[int, ...]


def check_versions(layers: Iterable[Layer]) -> Iterator[Diagnostic]:
    """What is written for another version of the language, or of the game."""
    headers = [layer.header for layer in layers]
    for header in headers:
        yield from _language(header)
    for header in headers[1:]:
        yield from _needs(header, headers[0])


def _language(header: ast.Header) -> Iterator[Diagnostic]:
    for field in header.fields:
        number = next((item for item in field.items if isinstance(item, ast.Number)), None)
        if field.key.text != "language" or number is None or 1 <= number.value <= LANGUAGE:
            continue
        message = tr(
            "this is written in version {number} of the language, and Scenarii knows up to {language}",
            number=number.value,
            language=LANGUAGE,
        )
        hint = "a newer Scenarii reads it: `pip install --upgrade scenarii`"
        if number.value < 1:
            message, hint = (
                tr("the language has no version {number}", number=number.value),
                tr("write `language {language}`", language=LANGUAGE),
            )
        yield Diagnostic(Code.UNFIT_VERSION, message, number.span, hint=hint)


def _needs(header: ast.Header, game: ast.Header) -> Iterator[Diagnostic]:
    """Is the game's version the one that a mod or scenario needs?"""
    wanted, own = _text(header, "needs"), _text(game, "version")
    if wanted is None:
        return
    needed, there = _version(wanted), _version(own) if own is not None else None
    if needed is None:
        hint = 'numbers with dots between them, such as `needs "1.2"`'
        yield Diagnostic(
            Code.UNFIT_VERSION, tr("`{wanted}` is no version", wanted=wanted.text), wanted.span, hint=hint
        )
        return
    labels = (Label(own.span if own is not None else game.name.span, "the game"),)
    name = header.name.text
    if own is None or there is None:
        message = tr(
            "`{name}` needs version {wanted} of `{game}`, which says no version",
            name=name,
            wanted=wanted.text,
            game=game.name.text,
        )
        hint = tr('leave the line out, or let the game say `version "{wanted}"`', wanted=wanted.text)
    elif there[:1] != needed[:1] or there < needed:
        message = tr(
            "`{name}` needs version {wanted} of `{game}`, and this is {own}",
            name=name,
            wanted=wanted.text,
            game=game.name.text,
            own=own.text,
        )
        older = there < needed
        hint = (
            "get a newer version of the game" if older else tr("get a newer version of `{name}`", name=name)
        )
    else:
        return
    yield Diagnostic(Code.UNFIT_VERSION, message, wanted.span, labels=labels, hint=hint)


def _text(header: ast.Header, key: str) -> ast.Text | None:
    items = [item for field in header.fields if field.key.text == key for item in field.items]
    return next((item for item in items if isinstance(item, ast.Text)), None)


def _version(text: ast.Text) -> Version | None:
    return tuple(int(part) for part in text.text.split(".")) if NUMBERS.fullmatch(text.text) else None
