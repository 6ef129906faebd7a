"""`scenarii check --fix`: puts right what is surely wrong, and says what it did; and what it would do, before."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import tr

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostics

FINDINGS = 1


def mend_files(targets: Sequence[str], mods: Sequence[str]) -> int:
    """Applies the safe edits in the files of what is named, and of the mods on top; 1 where a file cannot be written.

    Raises a usage error where a target is a game by its name, whose files are not the user's, or packed.
    """
    from dsl.files import replace_source
    from dsl.mending import mend

    for target in targets:
        if not _is_own(target) and not (mods and _is_library(target)):
            raise click.UsageError(
                tr("--fix needs the path of files of yours; `{target}` is none.", target=target)
            )
    mended = mend(targets, mods)
    unwritten = dict.fromkeys(mended.closed, "it is read-only")
    for file, text in mended.texts.items():
        try:
            replace_source(mended.read[file], file, text)
        except OSError as error:
            unwritten[file] = error.strerror or str(error)
    names = {source.name for file, source in mended.read.items() if file in unwritten}
    for each in mended.done:
        assert each.fix is not None
        if each.fix.span.source.name not in names:
            click.echo(f"fixed: {each.span}: {each.fix.text} ({each.code.id})", err=True)
    for file, reason in unwritten.items():
        click.echo(f"not fixed: {file} cannot be written: {reason}", err=True)
    return FINDINGS if unwritten else 0


def remedy(
    diagnostics: Diagnostics, paths: Sequence[str], targets: Sequence[str], mods: Sequence[str]
) -> str:
    """The command that puts some of these faults right, with how many; empty where it would do nothing."""
    if not any(each.fix is not None and each.fix.is_safe for each in diagnostics):
        return ""
    from dsl.diagnostics.excerpt import printable
    from dsl.mending import PROMISED, mend

    own = [each for each in targets if _is_own(each) or (mods and _is_library(each))]
    count = mend(own, mods, work=PROMISED).count(diagnostics)
    if not count:
        return ""
    some = "it" if len(diagnostics) == 1 else "all" if count == len(diagnostics) else f"{count} of them"
    words = ["scenarii", "check", "--fix", *paths, *(word for each in mods for word in ("--with", each))]
    return printable(f"put {some} right: {shlex.join(words)}")


def _is_library(target: str) -> bool:
    from dsl.resources import meant_game

    return meant_game(target) is not None


def _is_own(target: str) -> bool:
    """Does a target name sources of the user's?"""
    from dsl.cli.packing import SUFFIX
    from dsl.library import COMPILED_SUFFIX

    return (
        not _is_library(target) and Path(target).exists() and not target.endswith((SUFFIX, COMPILED_SUFFIX))
    )
