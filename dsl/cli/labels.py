"""`scenarii labels`: which words a game has in each language, and the lines of those that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dsl.catalogue import N_, told, tr
from dsl.cli.completing import complete_game
from dsl.cli.languages import LanguageCode
from dsl.cli.programs import FINDINGS, SELECT_FORM, USAGE
from dsl.diagnostics.harmless import json_text

if TYPE_CHECKING:
    from dsl.authoring.labels import Wordings
    from dsl.diagnostics import Diagnostics


@click.command()
@click.argument("game", metavar="GAME|PATH", shell_complete=complete_game)
@click.argument("language", metavar="[LANG]", type=LanguageCode(), required=False)
@click.option(
    "--write", "writing", is_flag=True, help="Add the lines of what is missing to the game's files."
)
@SELECT_FORM
@click.pass_context
def labels(ctx: click.Context, game: str, language: str | None, writing: bool, form: str) -> None:
    """List what a game lacks in a language, or draft it.

    With a LANG, the lines that a translator has to fill in; without one, how much there is in each language.

    \b
    scenarii labels my_game
    scenarii labels my_game de
    scenarii labels my_game de --write
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from dsl.authoring.labels import wordings
    from dsl.cli.packed import unpacked
    from dsl.diagnostics import Diagnostics

    if writing and language is None:
        raise click.UsageError("--write goes with a LANG: scenarii labels GAME LANG --write.")
    found = wordings(unpacked(game))
    if isinstance(found, Diagnostics):
        _refuse(ctx, found)
        return
    if language == found.own:
        raise click.UsageError(
            tr("`{language}` is the game's own language: its words stand in its rules.", language=language)
        )
    if language is not None and writing:
        _write(found, language)
    elif form == "json":
        click.echo(json_text(_data(found, language)))
    elif language is not None:
        from dsl.authoring.labels import drafted

        _tell_draft(drafted(found, language), found, language)
    else:
        _tell(found)


def _refuse(ctx: click.Context, diagnostics: Diagnostics) -> None:
    import sys

    from dsl.cli.style import coloured
    from dsl.diagnostics import Code
    from dsl.diagnostics.render import render_all

    colour = coloured(sys.stderr)
    click.echo(render_all(diagnostics, color=colour), nl=False, err=True, color=colour)
    ctx.exit(USAGE if any(each.code is Code.UNKNOWN_GAME for each in diagnostics) else FINDINGS)


def _data(found: Wordings, language: str | None) -> dict[str, object]:
    languages = [language] if language is not None else list(found.missing)
    return {
        "game": found.name,
        "language": found.own,
        "texts": found.total,
        "missing": {
            each: [{"text": asked.text, "place": str(asked.span)} for asked in found.lacking(each)]
            for each in languages
        },
    }


def _tell(found: Wordings) -> None:
    click.echo(
        told(
            tr("{game}: {count} texts in {language}", game=found.name, count=found.total, language=found.own)
        )
    )
    for language, missing in found.missing.items():
        rest = tr("{count} missing", count=len(missing)) if missing else N_("complete")
        click.echo(f"    {language}: {found.total - len(missing)}, {told(rest)}")


def _tell_draft(text: str, found: Wordings, language: str) -> None:
    from dsl.diagnostics.excerpt import printable

    if language in found.missing and not found.missing[language]:
        click.echo(told(tr("{game}: nothing is missing in {language}", game=found.name, language=language)))
        return
    click.echo("\n".join(printable(line) for line in text.split("\n")))


def _write(found: Wordings, language: str) -> None:
    from dsl.authoring.labels import place_for, written
    from dsl.files import display_name

    missing = found.lacking(language)
    path = place_for(found, language)
    if not missing:
        click.echo(told(tr("{game}: nothing is missing in {language}", game=found.name, language=language)))
        return
    is_new = language not in found.blocks
    if is_new and path.exists():
        raise click.UsageError(
            tr(
                "{display_name} is there already and has no `language {language}:`.",
                display_name=display_name(path),
                language=language,
            )
        )
    text = "" if is_new else path.read_text(encoding="utf-8")
    path.write_text(written(found, language, text), encoding="utf-8", newline="\n")
    click.echo(told(tr("{count} texts to translate in {file}", count=len(missing), file=display_name(path))))
    if is_new:
        click.echo(told(tr("name it in {file}: `import {name}`", file=found.main.name, name=path.stem)))
