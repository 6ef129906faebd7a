"""`--lang`: in which language a command speaks, and calls the things of a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from dsl.catalogue import languages as spoken
from dsl.catalogue import speak, tr

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from dsl.ir.program import Program

if TYPE_CHECKING:
    _Base = click.ParamType[str]
else:
    _Base = click.ParamType

_CODE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}|[A-Za-z]{4}))?")


class LanguageCode(_Base):
    """A code such as `fr`, `pt-BR` or `pt_BR`; converted to the form that `language` blocks have, `pt_BR`."""

    name = "language"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The code as blocks write it; fails on what is none."""
        match = _CODE.fullmatch(value)
        if match is None:
            self.fail(
                f"`{value}` is no code of a language, such as {', '.join(spoken())}, pt-BR.", param, ctx
            )
        language, more = match[1].lower(), match[2] or ""
        more = more.upper() if len(more) == 2 else more.title()
        return f"{language}_{more}" if more else language

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The languages that Scenarii speaks; a game may have others."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(each) for each in spoken() if each.startswith(incomplete)]


def speaking(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Tells what the command tells in the language that was asked for."""
    if value is not None:
        speak(value)
    return value


def check_language(program: Program, language: str | None) -> None:
    """Raises a usage error where neither the game nor Scenarii has words in a language."""
    if language is None:
        return
    from dsl.engine.display import languages

    known = languages(program)
    if not {language, language.partition("_")[0]} & {*spoken(), *known}:
        raise click.UsageError(
            tr(
                "{program} has no words in `{language}`; it has: {known}.",
                program=program.name,
                language=language,
                known=", ".join(known),
            )
        )
