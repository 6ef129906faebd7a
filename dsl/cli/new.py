"""`scenarii new`: a game, scenario or mod of one's own to begin with, which plays at once."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from dsl.catalogue import tr
from dsl.cli.completing import complete_folder, complete_game

if TYPE_CHECKING:
    from dsl.authoring.drafts import Draft

NEXT = {
    "game": ("play {path}", "test {path}", "check {path}"),
    "scenario": ("play {path}", "test {path}", "check {path}"),
    "mod": ("play {target} --with {path}", "test {path}", "check {path}"),
    "faction": ("play {target} --with {path}", "test {path}", "check {path}"),
}
"""What to try with each kind of draft."""


@click.command()
@click.argument("name", metavar="NAME")
@click.option(
    "--in",
    "folder",
    metavar="DIR",
    default=".",
    show_default="here",
    help="Write it into this folder.",
    shell_complete=complete_folder,
)
@click.option(
    "--for",
    "scenario_of",
    metavar="GAME",
    help="A scenario for this game, without rules.",
    shell_complete=complete_game,
)
@click.option(
    "--mod",
    "mod_of",
    metavar="GAME",
    help="A mod for this game: one change, one rule, one test.",
    shell_complete=complete_game,
)
@click.option(
    "--faction",
    is_flag=True,
    help="With --for: a faction of this game, as a mod with its rows, instead of a scenario.",
)
@click.option("--lang", "language", type=click.Choice(["en", "fr"]), default="en", show_default=True)
@click.pass_context
def new(
    ctx: click.Context,
    name: str,
    folder: str,
    scenario_of: str | None,
    mod_of: str | None,
    faction: bool,
    language: str,
) -> None:
    """Begin a game of your own: a folder with a small one that plays at once.

    It has a map, two units, an objective and tests, with comments that explain them. Nothing that is there is
    written over.

    \b
    scenarii new my_game
    scenarii new my_campaign --for GAME --lang fr
    scenarii new my_variant --mod GAME
    scenarii new my_side --for GAME --faction
    """  # noqa: D301 - `\b` keeps the lines of the examples
    if scenario_of is not None and mod_of is not None:
        raise click.UsageError("--for and --mod are two different things: choose one.")
    if faction and scenario_of is None:
        raise click.UsageError(tr("--faction needs --for GAME: which game is the faction for?"))
    name = normalize("NFC", name)
    _check(name)
    parent = Path(folder)
    if not parent.is_dir():
        raise click.UsageError(
            tr("there is no folder `{folder}` to write into; make it first.", folder=folder)
        )
    alone = "game" if mod_of is None else "mod"
    kind = alone if scenario_of is None else "faction" if faction else "scenario"
    target = mod_of or scenario_of or ""
    draft = _draft(ctx, name, kind, target, language, parent / name)
    home = parent if len(draft) == 1 and not _own_game(target) else parent / name
    written = _write(home, draft)
    _tell(name, kind, target, home, written)


def _check(name: str) -> None:
    from dsl.authoring.drafts import BadName, check_name, likely_name
    from dsl.diagnostics.excerpt import printable

    if "/" in name or "\\" in name:
        parent = Path(name.replace("\\", "/")).parent.as_posix()
        raise click.UsageError(printable(f"write `scenarii new {likely_name(name)} --in {parent}`."))
    try:
        check_name(name)
    except BadName as bad:
        raise click.UsageError(printable(f"{bad}; for instance: scenarii new {bad.hint}")) from None


def _draft(ctx: click.Context, name: str, kind: str, target: str, language: str, home: Path) -> Draft:
    """The files to be written; where the game cannot be had, says why and ends the command."""
    from dsl.authoring.drafts import drafted

    found = drafted(name, kind, target=target, language=language)
    if found is not None:
        return found
    if kind == "faction":
        raise click.UsageError(_no_faction(target))
    from dsl.authoring.generic import generic_mod, home_of
    from dsl.authoring.rules_only import rules_only_scenario
    from dsl.authoring.scenarios import generic_scenario
    from dsl.cli.programs import build_of, refuse

    made = build_of(target)
    waiting = (
        rules_only_scenario(name, target, language) if made.program is None and kind == "scenario" else None
    )
    if made.program is None and waiting is None:
        refuse(ctx, made)
    if made.compiled_file:
        raise click.UsageError("a compiled program has no sources to build on: name the game or its folder.")
    place = home_of(target)
    if place is not None and not _reaches(home, place):
        raise click.UsageError(
            tr(
                "a {kind} finds its game in the library or in a folder beside its own: write --in {relpath}.",
                kind=kind,
                relpath=os.path.relpath(place.resolve().parent),
            )
        )
    if waiting is not None:
        return waiting
    assert made.program is not None
    make = generic_mod if kind == "mod" else generic_scenario
    return make(name, made.program, target, language)


def _no_faction(target: str) -> str:
    """Why there is no draft of a faction: only a game's templates tell which of its tables make one."""
    from dsl.authoring.drafts import with_template

    return tr(
        "`{target}` brings no draft of a faction; of the library, {games} does. Begin one with: --mod {target}",
        target=target,
        games=", ".join(with_template("faction")),
    )


def _own_game(target: str) -> bool:
    """Is it a game of somebody's own, which a mod finds only from a folder beside it?"""
    from dsl.resources import meant_game

    return bool(target) and meant_game(target) is None


def _reaches(home: Path, game: Path) -> bool:
    """Does a scenario or mod in `home` find a game in the folder `game`?"""
    place, inside = game.resolve(), home.resolve()
    return place == inside or place.parent in {inside, inside.parent}


def _write(home: Path, draft: Draft) -> list[Path]:
    """Writes the files, all or none; raises a usage error where something is there already."""
    taken = [home / each for each in draft] if home.is_dir() and len(draft) == 1 else [home]
    for each in taken:
        if each.exists() or each.is_symlink():
            raise click.UsageError(
                tr("{as_posix} is there already; nothing was written.", as_posix=each.as_posix())
            )
    written: list[Path] = []
    try:
        for relative, text in draft.items():
            path = home / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise click.UsageError(
            tr(
                "{as_posix} cannot be written: {strerror}",
                as_posix=home.as_posix(),
                strerror=error.strerror or error,
            )
        ) from None
    return written


def _tell(name: str, kind: str, target: str, home: Path, written: list[Path]) -> None:
    from dsl.diagnostics.excerpt import printable

    files = ", ".join(path.as_posix() for path in written)
    click.echo(printable(f"{name}: a {kind} to begin with, in {files}"))
    path = written[0].as_posix() if len(written) == 1 else home.as_posix()
    for line in NEXT[kind]:
        click.echo(
            printable(f"    scenarii {line.format(path=shlex.quote(path), target=shlex.quote(target))}")
        )
