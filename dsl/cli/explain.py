"""`scenarii explain`: what an error means, with a program that has it and one that has not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.completing import complete_code
from dsl.cli.programs import SELECT_LANGUAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dsl.diagnostics import Code

_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_FENCE = re.compile(r"^```scn\b.*$", re.MULTILINE)


@click.command()
@click.argument("words", metavar="[CODE]", nargs=-1, shell_complete=complete_code)
@SELECT_LANGUAGE
def explain(words: tuple[str, ...], language: str | None) -> None:
    """Explain an error by its code, such as E0201.

    Without a code all errors are listed; other words, or the beginning of a code, list those that they fit.
    """
    wanted = " ".join(words)
    code = _code(wanted)
    if code is not None:
        _show(code)
        return
    found = _fitting(wanted)
    if not found:
        raise click.UsageError(
            tr(
                "no error has the code or the words `{wanted}`{nearest}",
                wanted=wanted,
                nearest=_nearest(wanted),
            )
        )
    _list(found)


def _code(wanted: str) -> Code | None:
    from dsl.diagnostics import Code

    try:
        return Code(wanted.strip("[]").upper())
    except ValueError:
        return None


def _fitting(wanted: str) -> list[Code]:
    from dsl.diagnostics import Code

    begun = [each for each in Code if each.id.startswith(wanted.upper())]
    return begun or [
        each
        for each in Code
        if all(part in f"{each.title} {told(each.title)}" for part in wanted.lower().split())
    ]


def _nearest(wanted: str) -> str:
    from dsl.diagnostics import Code
    from dsl.near import nearest

    near = nearest(wanted, [each.id for each in Code])
    return f"; did you mean {near}?" if near else ""


def _list(codes: Iterable[Code]) -> None:
    from dsl.cli.style import coloured

    for code in codes:
        shown = click.style(code.id, fg="red" if code.severity.value == "error" else "yellow", bold=True)
        click.echo(f"{shown}  {told(code.title)}", color=coloured())


def _show(code: Code) -> None:
    """The page of a code; where there is none yet, its title."""
    from dsl.cli.style import console
    from dsl.resources import errors_folder

    path = errors_folder() / f"{code.id}.md"
    if not path.is_file():
        click.echo(f"{code.id}: {told(code.title)}")
        return
    from rich.markdown import Markdown

    if told(code.title) != code.title:
        click.echo(f"{code.id}: {told(code.title)}\n")
    text = _FENCE.sub("```scn", _LINK.sub(r"\1", path.read_text(encoding="utf-8")))
    terminal = console()
    with terminal.capture() as shown:
        terminal.print(Markdown(text, code_theme="ansi_dark"))
    click.echo("\n".join(line.rstrip() for line in shown.get().splitlines()), color=True)
