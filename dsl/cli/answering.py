"""What the page of `scenarii play --browser` asks the engine: why something happened, and why something cannot be done.

A question is JSON with the `save` of the game as it stands, who asks (`player`, none: somebody who sees all), in which
`language`, of how many choices (`last`), and what: `about` is none for the rules that took effect, else an action. The
game is played again from its choices, or on from the question before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from dsl.browser.server import MOST_ASKED, NoQuestion
from dsl.catalogue import nearest, told, tr
from dsl.cli.asking import why, why_not
from dsl.diagnostics import Diagnostic
from dsl.engine.failure import IllegalChoice, RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.codec import parse
from dsl.ir.reader import Fault
from dsl.saves import Save, other_program, parsed, replayed

LONGEST = 400
"""Characters of what is asked about."""


class Answers:
    """Answers questions about games of the program that `machine` gives now (none: it does not compile)."""

    def __init__(self, machine: Callable[[], Machine | None]) -> None:
        self._machine = machine
        self._last: tuple[Save, Game] | None = None
        self._lock = threading.Lock()

    def __call__(self, data: bytes) -> str:
        """Lines of text; raises `NoQuestion`."""
        question = _parsed(data)
        language, about = _text(question, "language"), question.get("about")
        player, last = question.get("player"), _whole(question.get("last", 1))
        with self._lock:
            game = self._game(_text(question, "save"), language)
            players = len(game.machine.program.domains[game.machine.program.players].members)
            viewer = None if player is None else _whole(player)
            if viewer is not None and viewer >= players:
                raise NoQuestion("`player` is no player")
            if about is None:
                return "\n".join(why(game, language, viewer, max(1, min(last, len(game.choices)))))
            if not isinstance(about, str) or len(about) > LONGEST:
                raise NoQuestion("`about` is no text of a bounded length")
            return "\n".join(why_not(game, about, language))

    def _game(self, text: str, language: str) -> Game:
        """The game of a save, at its last choice."""
        machine = self._machine()
        save = parsed(text.encode(), "save")
        if isinstance(save, Diagnostic):
            raise NoQuestion(save.message)
        if machine is None or save.program != machine.hash:
            raise NoQuestion(told(other_program(save).message, nearest(language)))
        game = self._on(save) or replayed(machine, save)
        if isinstance(game, Diagnostic):
            self._last = None
            raise NoQuestion(game.message)
        self._last = save, game
        return game

    def _on(self, save: Save) -> Game | None:
        """The game of the question before, played on to where this save stands; none where it is another game."""
        if self._last is None:
            return None
        before, game = self._last
        known = len(before.choices)
        same = (before.program, before.seed, before.options) == (save.program, save.seed, save.options)
        if not same or before.choices != save.choices[:known]:
            return None
        try:
            for choice in save.choices[known:]:
                game.choose(choice)
        except (IllegalChoice, RuleFailure, TypeError):
            self._last = None  # it is told of where the game is played again
            return None
        return game


def _parsed(data: bytes) -> dict[str, object]:
    try:
        found = parse(data, MOST_ASKED)
    except Fault as fault:
        raise NoQuestion(told(tr("it is no question: {message}", message=fault.message))) from None
    if not isinstance(found, dict):
        raise NoQuestion("it is no question")
    return found


def _text(question: dict[str, object], key: str) -> str:
    found = question.get(key)
    if not isinstance(found, str):
        raise NoQuestion(f"`{key}` is no text")
    return found


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31:
        return value
    raise NoQuestion("a number in it is none of a game")
