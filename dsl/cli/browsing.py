"""`scenarii play GAME --browser`: the page of a game from a server here, loaded again when a source changes."""

from __future__ import annotations

import hashlib
import os
import threading
import webbrowser
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from dsl.catalogue import told, tr
from dsl.cli.watching import WATCHED
from dsl.engine.machine import Machine
from dsl.resources import meant_game

MOST_FILES = 2_000
"""So many files of a game are watched."""


class Watched:
    """A game whose page is made anew when a file of its folders, or of its mods', has changed."""

    def __init__(self, game: str, mods: Sequence[str], language: str, steps: int | None) -> None:
        self.game, self.mods, self.language, self.steps = game, tuple(mods), language, steps
        self._made: tuple[str, str] | None = None
        self._machine: Machine | None = None
        self._lock = threading.Lock()

    def version(self) -> str:
        """What tells this state of the sources from others."""
        digest = hashlib.sha256()
        for path in self._files():
            with suppress(OSError):
                found = path.stat()
                digest.update(f"{path} {found.st_mtime_ns} {found.st_size}\n".encode(errors="replace"))
        return digest.hexdigest()

    def page(self) -> str:
        """The page of now: the game's, or what is wrong with it."""
        with self._lock:
            version = self.version()
            if self._made is None or self._made[0] != version:
                self._made = version, self._page(version)
            return self._made[1]

    def machine(self) -> Machine | None:
        """What the page of now plays; none where the game does not compile."""
        self.page()
        return self._machine

    def _page(self, version: str) -> str:
        from dsl.authoring.printed import printed
        from dsl.browser.pack import notice, page
        from dsl.cli.programs import build_of
        from dsl.diagnostics.render import render_all
        from dsl.engine.failure import Unplayable
        from dsl.playable import Playable

        made, self._machine = build_of(self.game, self.mods), None
        if made.program is None:
            return notice(self.game, render_all(made.diagnostics, color=False), version)
        named = self.game if meant_game(self.game) is not None else made.program.name
        mods = [Path(each).name for each in self.mods]
        self._machine = Playable(made.program, steps=self.steps)
        try:
            return page(self._machine, named, mods, self.language, version, printed(made.program))
        except Unplayable as error:
            return notice(self.game, str(error), version)

    def _files(self) -> Iterable[Path]:
        found: list[Path] = []
        for each in (self.game, *self.mods):
            path = meant_game(each) or Path(each)
            folder = path if path.is_dir() else path.parent
            for parent, folders, files in os.walk(folder):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                found += [Path(parent) / name for name in sorted(files) if name.endswith(WATCHED)]
                if len(found) > MOST_FILES:
                    return found[:MOST_FILES]
            if path.is_file() and path not in found:
                found.append(path)
        return found


def browse(ctx: click.Context, game: str, mods: Sequence[str], language: str, steps: int | None) -> None:
    """Serves the page, and opens it, until Ctrl-C."""
    from dsl.browser.server import Server
    from dsl.cli.answering import Answers
    from dsl.cli.programs import build_of, refuse
    from dsl.engine.failure import Unplayable
    from dsl.wasm.available import need_wasmtime

    try:
        need_wasmtime()
    except Unplayable as error:
        raise click.ClickException(str(error)) from None
    made = build_of(game, mods)
    if made.program is None and not made.found:
        refuse(ctx, made)
    watched = Watched(game, mods, language, steps)
    try:
        server = Server(watched.page, watched.version, answers=Answers(watched.machine))
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            told(tr("no server can be started here: {reason}", reason=reason))
        ) from None
    with server:
        click.echo(told(tr("{address} (Ctrl-C ends it)", address=server.address)))
        webbrowser.open(server.address)
        with suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.2)
