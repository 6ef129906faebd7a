"""`scenarii compile`: a game as one JSON file that any engine can play."""

from __future__ import annotations

import os
from pathlib import Path

import click

from dsl.catalogue import told, tr
from dsl.cli.completing import complete_game
from dsl.cli.programs import SELECT_MODS, program_of


@click.command("compile")
@click.argument("game", metavar="PATH", shell_complete=complete_game)
@SELECT_MODS
@click.option("-o", "--output", metavar="FILE.ir.json", required=True, help="Where to write the program.")
@click.option("--tests", is_flag=True, help="Put the game's tests into it too.")
@click.pass_context
def compile_(ctx: click.Context, game: str, mods: tuple[str, ...], output: str, tests: bool) -> None:
    """Compile a game to one file, which `play`, `check` and other engines read."""
    from dsl.cli.save_paths import refuse_foreign
    from dsl.files import write_atomically
    from dsl.ir.codec import FORMAT, encode, ir_hash

    program = program_of(ctx, game, mods, tests=tests)
    path = Path(output)
    refuse_foreign(path, FORMAT)
    data = encode(program)
    try:
        write_atomically(path, data)
    except OSError as error:
        raise click.UsageError(
            tr("{output} cannot be written: {strerror}", output=output, strerror=error.strerror or error)
        ) from None
    size = told(tr("{count} bytes", count=f"{len(data):,}"))
    click.echo(f"{os.fspath(path)}: {program.name}, {size}, sha256 {ir_hash(data)[:16]}")
