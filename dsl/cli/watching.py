"""Doing something again each time a source is saved.

Files are looked at a few times a second: a game has some dozens of them, and asking the system for their times
costs less than a millisecond, on every system and file system alike, without a library that compiles against
each of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from dsl.catalogue import told, tr
from dsl.cli.style import clear
from dsl.resources import DRAWING_SUFFIX, PICTURE_SUFFIX, SOURCE_SUFFIX, TESTS_FOLDER, meant_game

TICK = 0.25
"""Seconds between two looks."""
WATCHED = (SOURCE_SUFFIX, ".json", DRAWING_SUFFIX, PICTURE_SUFFIX)
Seen = dict[str, tuple[int, int]]


def watch(targets: Iterable[str], again: Callable[[], object], *, tick: float = TICK) -> int:
    """Does something now and after each change, until Ctrl-C; yields the exit code."""
    folders = [each for target in targets for each in folders_of(target)]
    try:
        while True:
            seen = look(folders)
            clear(lines=2)
            _done(again)
            names = ", ".join(dict.fromkeys(each.name or str(each) for each in folders))
            files = tr("{count} file", count=1) if len(seen) == 1 else tr("{count} files", count=len(seen))
            click.echo(
                told(tr("watching {files} in {names}; Ctrl-C stops", files=files, names=names)), err=True
            )
            while look(folders) == seen:
                time.sleep(tick)
            _settled(folders, tick)
    except KeyboardInterrupt:
        click.echo("", err=True)
        return 0


def _done(again: Callable[[], object]) -> None:
    """Whatever comes of it, the watch goes on."""
    try:
        again()
    except click.ClickException as error:
        error.show()
    except click.exceptions.Exit:
        pass


def _settled(folders: list[Path], tick: float) -> None:
    """Waits until editors have written all that they write."""
    before = look(folders)
    while True:
        time.sleep(tick / 2)
        now = look(folders)
        if now == before:
            return
        before = now


def folders_of(target: str) -> list[Path]:
    """The folders whose files make a game: its own, for a file that which it lies in."""
    folder = meant_game(target)
    path = (folder if folder is not None else Path(target)).resolve()
    return [path] if path.is_dir() else [path.parent]


def look(folders: Iterable[Path]) -> Seen:
    """Each source with when it was changed and how long it is."""
    found: Seen = {}
    for folder in folders:
        for base in (folder, folder / TESTS_FOLDER):
            try:
                entries = list(base.iterdir())
            except OSError:
                continue
            for path in entries:
                if path.name.endswith(WATCHED) and not path.name.startswith("."):
                    try:
                        stat = path.stat()
                    except OSError:
                        continue
                    found[str(path)] = stat.st_mtime_ns, stat.st_size
    return found
