"""`scenarii save-to-test`: a saved game as a test in the language, which is run before it is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.programs import SELECT_MODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from dsl.engine.machine import Machine
    from dsl.ir.program import Test
    from dsl.saves import Save

FINDINGS = 1


@click.command("save-to-test")
@click.argument("file", metavar="FILE")
@click.argument("game", metavar="[GAME]", required=False)
@SELECT_MODS
@click.option("-o", "--output", metavar="FILE.scn", help="Write the test, or add it to the tests there.")
@click.option("--title", metavar="TEXT", help="What the test is called.")
@click.pass_context
def save_to_test(
    ctx: click.Context,
    file: str,
    game: str | None,
    mods: tuple[str, ...],
    output: str | None,
    title: str | None,
) -> None:
    """Turn a saved game into a test.

    The test gives the state of the save where that is possible, and else plays the game from its beginning with the
    same chance and choices. It is run, and leads to the state of the save, or it is not given.
    """
    from dsl.cli.loading import moved_on, saved_in
    from dsl.cli.programs import program_of
    from dsl.playable import Playable
    from dsl.testing.from_save import Untestable, test_of

    save = saved_in(file)
    target, mods = game or save.target, mods or save.mods
    machine = Playable(program_of(ctx, target, mods), steps=save.steps)
    if machine.hash != save.program:
        moved_on(save, machine, target, mods, file)
    title = title or f"{machine.program.name}, decision {len(save.choices) + 1}"
    _check(machine, save)
    try:
        made = test_of(machine, title, save.seed, save.options, save.choices, _compiler(target, mods, title))
    except Untestable as error:
        raise click.ClickException(
            tr("no test leads to where {file} stands: {error}", file=file, error=error.args[0])
        ) from None
    if output is None:
        click.echo(made.text, nl=False)
    else:
        _write(Path(output), made.text)
    where = output or title
    how = (
        tr("{where}: it gives the state; it was run, and leads to the state of the save", where=where)
        if made.form == "given"
        else tr(
            "{where}: it plays from the beginning, because {reason}; it was run, and leads to the state of the save",
            where=where,
            reason=made.reason,
        )
    )
    click.echo(told(how), err=True)


def _check(machine: Machine, save: Save) -> None:
    """The choices of the save have to lead to its state."""
    from dsl.cli.loading import refuse_save
    from dsl.saves import restored

    found = restored(machine, save, verify=True)
    if isinstance(found, list):
        refuse_save(found)


def _compiler(target: str, mods: tuple[str, ...], title: str) -> Callable[[str], tuple[Machine, Test] | str]:
    """Compiles the game with one more test at the end of its main file."""
    from dsl.compiler import compile_game
    from dsl.engine.machine import Machine

    first = compile_game(target, mods)
    if not first.modules.layers:
        raise click.UsageError("a test needs the sources of its game: name the GAME, its folder or file.")
    header = first.modules.layers[0].header
    path = next(each for each, tree in first.modules.files.items() if header in tree.declarations)
    text = first.modules.sources[path].text

    def compiled(test: str) -> tuple[Machine, Test] | str:
        made = compile_game(target, mods, tests=True, drafts={path: f"{text.rstrip()}\n\n{test}"})
        if made.program is None:
            faults = [each for each in made.diagnostics if each.is_error]
            return tr("the test does not compile: {message}", message=faults[0].message if faults else "")
        found = next(each for each in made.program.tests if each.title == title.replace('"', "'"))
        return Machine(made.program), found

    return compiled


def _write(path: Path, text: str) -> None:
    """A new file, or more tests in one that has sources in it."""
    from dsl.files import MAX_SOURCE_BYTES, read_regular, write_atomically
    from dsl.resources import SOURCE_SUFFIX

    if not path.name.endswith(SOURCE_SUFFIX):
        raise click.UsageError(
            tr(
                "{path} is no source: tests lie in files that end in {source_suffix}.",
                path=path,
                source_suffix=SOURCE_SUFFIX,
            )
        )
    try:
        was = read_regular(path, MAX_SOURCE_BYTES) if path.exists() else None
        before = was.decode("utf-8").rstrip() + "\n\n" if was is not None else ""
        write_atomically(path, before + text, was=was)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(
            tr(
                "{path} cannot be written: {getattr}",
                path=path,
                getattr=getattr(error, "strerror", None) or error,
            )
        ) from None
