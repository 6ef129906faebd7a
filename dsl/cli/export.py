"""`scenarii export`: a game as one page that any browser plays, offline."""

from __future__ import annotations

import click

from dsl.catalogue import told, tr
from dsl.cli.completing import complete_game
from dsl.cli.programs import SELECT_LANGUAGE, SELECT_MODS, SELECT_STEPS

SUFFIX = ".html"


@click.command()
@click.argument("game", metavar="GAME|PATH", shell_complete=complete_game)
@SELECT_MODS
@click.option("-o", "--output", metavar=f"FILE{SUFFIX}", help=f"Where to write it; without it NAME{SUFFIX}.")
@SELECT_STEPS
@SELECT_LANGUAGE
@click.pass_context
def export(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    output: str | None,
    steps: int | None,
    language: str | None,
) -> None:
    """Export a game as one page that any browser plays, without a network.

    The page has everything inside: rules, texts in all languages of the game, board, saves and computer players. Its
    saves are those of `scenarii play`.

    \b
    scenarii export my_game
    scenarii export my_game --with faster -o faster.html
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from pathlib import Path

    from dsl.browser import MARK
    from dsl.cli.programs import program_of
    from dsl.cli.save_paths import refuse_foreign
    from dsl.engine.failure import Unplayable
    from dsl.files import write_atomically
    from dsl.playable import Playable
    from dsl.resources import meant_game
    from dsl.wasm.available import need_wasmtime

    program = program_of(ctx, game, mods)
    target = Path(output if output is not None else f"{program.scenario or program.name}{SUFFIX}")
    refuse_foreign(target, "", MARK.encode())
    named = game if meant_game(game) is not None else program.name
    try:
        need_wasmtime()
        from dsl.authoring.printed import printed
        from dsl.browser.pack import page

        names = [Path(each).name for each in mods]
        text = page(Playable(program, steps=steps), named, names, language or "", printed=printed(program))
        data = text.encode()
        write_atomically(target, data)
    except Unplayable as error:
        raise click.ClickException(
            told(tr("{game} cannot be exported: {reason}", game=game, reason=error))
        ) from None
    except OSError as error:
        raise click.UsageError(
            tr("{target} cannot be written: {strerror}", target=target, strerror=error.strerror or error)
        ) from None
    click.echo(f"{target}: {program.name}, {told(tr('{count} bytes', count=f'{len(data):,}'))}")
