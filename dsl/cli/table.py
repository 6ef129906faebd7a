"""A game on the table: the players around it, what has been chosen, and how it is saved."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dsl import saves
from dsl.cli.save_paths import free_name, homes
from dsl.cli.story import Answer, Line, Teller, sentence
from dsl.cli.words import word
from dsl.engine.decision import Decision, Option
from dsl.engine.distinct import chosen_apart
from dsl.engine.failure import IllegalChoice
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.outcome import outcome_of
from dsl.players.random_player import RandomPlayer
from dsl.players.seats import HUMAN, RANDOM
from dsl.resources import meant_game
from dsl.saves import Save

if TYPE_CHECKING:
    from dsl.search.searcher import Advice, Progress
    from dsl.search.thinker import Thinker, Thought

SUFFIX = ".save.json"


class Table:
    """One game under way, with all that a save needs to know about it."""

    def __init__(
        self,
        machine: Machine,
        game: Game,
        *,
        target: str,
        mods: tuple[str, ...],
        seed: int,
        options: Mapping[str, str | int],
        seats: tuple[str, ...],
        teller: Teller,
        loaded: Save | None = None,
        takeback: bool = False,
    ) -> None:
        self.machine = machine
        self.game = game
        self.target = target
        self.mods = mods
        self.seed = seed
        self.options = options
        self.seats = seats
        self.teller = teller
        self.takeback = takeback
        """Do all agree that anything may be taken back?"""
        self.earlier = loaded if not game.choices else None
        """The save that this sitting goes on from, where its choices are not in the game."""
        self.resumed = self.earlier is not None
        """Does the story begin with a save?"""
        self.random = RandomPlayer(seed)
        if loaded is not None and len(loaded.random) == len(self.random.state):
            self.random.state = loaded.random
        self.moves: list[str] = list(loaded.moves) if loaded is not None else []
        self.checks: dict[int, str] = dict(loaded.checks) if loaded is not None else {}
        self.told: list[list[Line]] = []
        """The story so far: the opening, then what followed from each choice of this sitting."""
        seated = [number for number, seat in enumerate(seats) if seat == HUMAN]
        self.ears = {
            each: Teller(machine, teller.language, each) for each in (seated if teller.secrets else ())
        }
        """Who tells each person the story, where there are secrets."""
        self.heard: dict[int, list[list[Line]]] = {each: [] for each in self.ears}
        """The same for each of them, with his own choices and what he may know of the others'."""
        self._sealed: tuple[Answer, ...] = ()
        """The choices made in secret that nobody has been told of yet."""
        self._kept_back: list[tuple[Answer, ...]] = []
        """The same before each choice of this sitting."""
        self.luck: list[tuple[int, ...]] = [self.random.state] * len(game.choices)
        """The random player's generator before each choice in the game."""

    # ------------------------------------------------------------ playing

    def opening(self) -> list[Line]:
        """What happened before the first decision of this sitting."""
        for viewer, ear in self.ears.items():
            self.heard[viewer].append(ear.stretch(None, self.game.log, None, list(self.game.state)))
        self.told.append(self.teller.stretch(None, self.game.log, None, list(self.game.state)))
        return self.told[-1]

    def choose(self, decision: Decision, option: Option) -> list[Line]:
        """Goes on with an option, and tells what follows. Raises `RuleFailure`, and nothing has happened."""
        before = list(self.game.state)
        language = self.teller.language
        apart = chosen_apart(decision, option, language)
        answer = Answer(decision, option, () if decision.end.sealed else self._sealed, apart)
        luck = self.random.state
        self.game.choose(option)
        self.luck.append(luck)
        self.moves.append(f"{decision.player_name}: {option.label() or option.kind}")
        if len(self.moves) % saves.CHECK_EVERY == 0:
            self.checks[len(self.moves)] = self.game.fingerprint
        after, log = list(self.game.state), self.game.news
        for viewer, ear in self.ears.items():
            self.heard[viewer].append(ear.stretch(answer, log, before, after))
        self.told.append(self.teller.stretch(answer, log, before, after))
        self._kept_back.append(self._sealed)
        self._sealed = (*self._sealed, answer) if decision.end.sealed else ()
        return self.told[-1]

    def pending(self, player: int) -> list[Line]:
        """The headings that somebody sees where he chooses, before anything stands under them; the story keeps them."""
        lines = self.teller.pending()
        if self.told:
            self.told[-1] = [*self.told[-1], *lines]
        if player in self.ears and self.heard[player]:
            self.heard[player][-1] = [*self.heard[player][-1], *self.ears[player].pending()]
        return lines

    def by_chance(self, decision: Decision) -> Option:
        """What a random player chooses here."""
        return self.random.choose(self.game, decision)

    def by_computer(self, decision: Decision, progress: Progress | None = None) -> Option:
        """What the player of a seat chooses that is no person's. Raises `Unplayable` where he cannot think."""
        kind = self.seats[decision.player]
        if kind == RANDOM:
            return self.by_chance(decision)
        if len(decision.options) == 1:
            return decision.options[0]
        return decision.options[self._thinker.choice(kind, self.game.state, **self._thought(progress))]

    def advice(self, kind: str, progress: Progress | None = None) -> Advice:
        """What a computer player of a kind finds at the decision at hand."""
        return self._thinker.advice(kind, self.game.state, **self._thought(progress))

    def _thought(self, progress: Progress | None) -> Thought:
        """What a computer player is told beside the position."""
        return {
            "seed": self.seed,
            "made": len(self.moves),
            "progress": progress,
            "interruptible": HUMAN in self.seats,
        }

    @cached_property
    def _thinker(self) -> Thinker:
        from dsl.wasm.available import need_wasmtime

        need_wasmtime()
        from dsl.search.thinker import Thinker

        return Thinker(self.machine)

    def undo(self) -> bool:
        """Takes back the last choice; one made before the game was loaded by playing it again."""
        if not self.recall():
            return False
        self.game.undo()
        self._sealed = self._kept_back.pop() if self._kept_back else ()
        self.random.state = self.luck.pop()
        self.checks.pop(len(self.moves), None)
        del self.moves[-1:]
        for story in (self.told, *self.heard.values()):
            if len(story) > 1:
                story.pop()
        return True

    def before(self) -> Game | None:
        """The game as it stood before the last choice; none where nothing has been chosen."""
        if not self.recall():
            return None
        earlier = self.game.clone()
        try:
            earlier.undo()
        except IllegalChoice:
            return None
        return earlier

    def recall(self) -> bool:
        """Is there a choice in the game? Those of a save come back by playing it again."""
        if self.game.choices:
            return True
        if self.earlier is None or not self.earlier.choices:
            return False
        again = saves.replayed(self.machine, self.earlier)
        if not isinstance(again, Game) or again.fingerprint != self.earlier.fingerprint:
            return False
        self.game = again
        self.luck = [self.random.state] * len(self.earlier.choices)
        self.earlier = None
        return True

    # ------------------------------------------------------------ keeping

    def save(self, *, lasting: bool = True) -> Save:
        """The game as it stands; `lasting`: to be found from any folder."""
        program = self.machine.program
        earlier = self.earlier.choices if self.earlier is not None else ()
        return Save(
            program.name,
            _lasting(self.target) if lasting else self.target,
            tuple(_lasting(each) if lasting else each for each in self.mods),
            self.machine.hash,
            self.seed,
            self.options,
            self.seats,
            self.random.state,
            (*earlier, *self.game.choices),
            self.game.snapshot(),
            self.game.fingerprint,
            tuple(self.moves),
            self._outcome(),
            self.teller.language,
            self._rules,
            dict(self.checks),
            self.machine.budget,
        )

    @cached_property
    def _rules(self) -> bytes:
        return saves.compressed(self.machine.given)

    def last_choice(self, player: int) -> int:
        """How many choices had been made when a player made his last one; 0 where he has made none."""
        names = self.machine.program.domains[self.machine.program.players].members
        made = (number for number, move in enumerate(self.moves) if move.startswith(f"{names[player]}: "))
        return max(made, default=0)

    def keep(self, path: Path | None) -> Path:
        """Saves the game in a file, or under a name of its own; raises OSError where it cannot."""
        if path is not None:
            saves.write(path, self.save())
            return path
        return self._named()

    def record(self, path: Path) -> None:
        """Writes the record of the game, which names it as it was asked for; raises OSError."""
        saves.write(path, self.save(lasting=False))

    def _named(self) -> Path:
        """Saves the game under a name that no file has yet."""
        save = self.save()
        stem = f"{self.machine.program.name}-{self.seed}"
        failure: OSError | None = None
        for folder in homes():
            try:
                folder.mkdir(parents=True, exist_ok=True)
                free = free_name(folder, stem, SUFFIX)
                saves.write(free, save)
            except OSError as error:
                failure = error
                continue
            return free
        raise failure or OSError("there is no place for it")

    def _outcome(self) -> dict[str, object] | None:
        found = self.game.outcome
        if found is None:
            return None
        players = self.machine.program.domains[self.machine.program.players].members
        winners = [players[each] for each in found.players]
        return {"kind": found.kind, "winners": winners, "reason": found.label}

    # ------------------------------------------------------------ ending

    def ending(self) -> list[str]:
        """How it ended, how long it was, and where no person played the fingerprint of its last state."""
        spoken, program = self.teller.spoken, self.machine.program
        outcome = outcome_of(program, list(self.game.state), self.teller.language)
        said = []
        if outcome is not None:
            cited = program.clauses[outcome.clause].ids if outcome.clause is not None else ()
            rules = f"  [{', '.join(cited)}]" if cited else ""
            said.append(f"{word('end', spoken)}{sentence(outcome, spoken)}{rules}")
        said.append(word("decisions", spoken, count=len(self.moves)))
        if HUMAN not in self.seats:
            said.append(word("fingerprint", spoken, fingerprint=self.game.fingerprint))
        return said


def _lasting(target: str) -> str:
    """What finds the same game again from another folder."""
    return target if meant_game(target) is not None else os.path.abspath(target)
