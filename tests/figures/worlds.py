"""Worlds that a player cannot tell apart: `python -m tests.figures worlds`.

At positions of random games, all that a player may not see changes places: of the members that look alike to him (the
cards of the other hand and of both decks, say) the hidden values are exchanged. What he sees, is told and may choose,
and who is asked, has to be equal in both worlds; and still after the same choice, where it is legal in both and shows
him nothing new in one of them that it does not show in the other; what is written into a field that he sees and not
everybody does, such as which cards he has glimpsed, is shown to him on purpose. Where somebody else chooses, the same
choice is that of the cards which have changed places with the chosen ones: he cannot tell which it was.

What is exchanged, the program says: the variables with an audience. Nothing here knows a game.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from multiprocessing import get_context
from typing import Any

from dsl.engine.chance import Generator
from dsl.engine.decision import Option
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from dsl.engine.snapshot import packed
from dsl.engine.summary import in_words
from dsl.engine.views import View, may_see
from dsl.engine.worlds import Secrets
from dsl.ir.types import Id
from tests.figures import prompt
from tests.figures.play import table
from tests.figures.targets import ROOT, Target, targets

BATCH = 20
POSITIONS = 12
HANDS = ("rebuttal", "objectives")
"""Thorn programs in which players have hands and objectives of their own."""
SMALL = ROOT / "tests" / "figures" / "hidden"
"""Small programs, each with another way to hide something and to say something about it."""
PLANTED = ROOT / "tests" / "figures" / "planted"
"""Mods with rules that give a secret away, each rule in a mode of its own, which the comparison is to find."""
REVEALING = {
    "auction",
    "bluff",
    "cups",
    "face_down",
    "fog",
    "handed",
    "kuhn_poker",
    "objectives",
    "offered",
    "teams",
    "veiled",
}
"""Those whose rules reveal something on purpose: what they then write into open fields differs, and counts as drawn."""


@dataclass(slots=True)
class Compared:
    """What the worlds of some games came to."""

    games: int = 0
    positions: int = 0
    """Pairs of worlds that were compared where they stand."""
    after: int = 0
    """And once more after the same choice."""
    other: int = 0
    """The choice was legal in one world only."""
    drawn: int = 0
    """The choice showed the player something that he had not seen, or was written into a field of which not everybody
    sees it: another thing in each world.
    """
    leaks: list[str] = field(default_factory=list)

    def add(self, found: Compared) -> None:
        for name in ("games", "positions", "after", "other", "drawn"):
            setattr(self, name, getattr(self, name) + getattr(found, name))
        self.leaks += found.leaks


# ------------------------------------------------------------ what a player has before him


def seen(view: View) -> dict[str, Any]:
    """All that a view tells, as plain values."""
    values = {name: dict(each) if isinstance(each, Mapping) else each for name, each in view.values.items()}
    return {
        **values,
        "cards in the piles": {name: dict(each) for name, each in view.piles.items()},
        "who is asked": view.chooser,
        "options": [(option.label(), option.raw) for option in view.options],
        "log": view.told(),
        "outcome": view.outcome,
    }


def difference(one: Game, two: Game, viewer: int, *, typing: bool = False) -> str:
    """Where a player sees two games differ, `typing` also what the terminal answers to him; empty: nowhere."""
    here, there = seen(one.view(viewer)), seen(two.view(viewer))
    here["numbers"], there["numbers"] = (
        [line for each in game.sums(viewer) for line in in_words(game.machine.program, each)]
        for game in (one, two)
    )
    here["rules"], there["rules"] = ([each.text for each in game.why(player=viewer)] for game in (one, two))
    if typing:
        here["typed"], there["typed"] = (prompt.read(game, viewer) for game in (one, two))
    for name, shown in here.items():
        if shown != there[name]:
            return f"{name}: {_apart(shown, there[name])}"
    return ""


def _apart(one: Any, two: Any) -> str:
    if isinstance(one, dict):
        return next(f"{key}: {one[key]} | {two[key]}" for key in one if one[key] != two[key])
    return f"{one} | {two}"


# ------------------------------------------------------------ comparing


class Comparison:
    """Compares worlds at positions of games of one program."""

    def __init__(self, machine: Machine, *, revealing: bool = False, typing: bool = False) -> None:
        self.machine = machine
        self.revealing = revealing
        self.typing = typing
        self.secrets, self.draws = Secrets(machine), Generator(2)
        self.found = Compared()

    def look(self, state: list[int], at: str, viewer: int, chance: random.Random) -> None:
        """One position, for one player."""
        changed = self.secrets.another(state, viewer, self.draws)
        if changed is None:
            return
        here, there = self.world(state), self.world(changed[0])
        where = f"{at}, player {viewer}"
        self.found.positions += 1
        if told := difference(here, there, viewer, typing=self.typing):
            self.found.leaks.append(f"{where}: {told}")
            return
        assert here.decision is not None
        renamed = {} if here.decision.player == viewer else changed[1]
        both = self.choice(here, there, renamed, chance)
        if both is None:
            self.found.other += 1
            return
        choice, other = both
        before = self.secrets.unseen(state, viewer)
        failed = [self.chosen(here, choice), self.chosen(there, other)]
        shown = [before - self.secrets.unseen(list(each.state), viewer) for each in (here, there)]
        values = [
            [self.secrets.values(list(each.state), *cell) for cell in sorted(cells)]
            for each, cells in zip((here, there), shown, strict=True)
        ]
        revealed = (self.revealing or choice != other) and (
            self.open(here) != self.open(there) or here.outcome != there.outcome
        )
        revealed = revealed or self.told(here, viewer) != self.told(there, viewer)
        if revealed or shown[0] != shown[1] or values[0] != values[1]:
            self.found.drawn += 1
            return
        self.found.after += 1
        if told := difference(here, there, viewer, typing=self.typing) or _apart_or_not(failed):
            self.found.leaks.append(f"{where}, after {choice}: {told}")

    def open(self, game: Game) -> list[int]:
        """All that everybody sees of the fields."""
        return [
            word
            for var in self.machine.program.vars
            if var.audience is None and var.role != "order"
            for word in game.state[var.offset :][: var.width * self.members(var.of)]
        ]

    def told(self, game: Game, viewer: int) -> list[list[int]]:
        """What stands in the fields that not everybody sees, but this player: by these rules tell him something."""
        state = list(game.state)
        return [
            self.secrets.values(state, index, member)
            for index, var in enumerate(self.machine.program.vars)
            if var.audience is not None and var.role == "field"
            for member in range(self.members(var.of))
            if may_see(self.machine, state, index, member, viewer)
        ]

    def members(self, domain: int | None) -> int:
        return 1 if domain is None else len(self.machine.program.domains[domain].members)

    def world(self, state: list[int]) -> Game:
        game = Game.restore(self.machine, packed(self.machine.hash, state), telling=True)
        assert isinstance(game, Game), [each.message for each in game]
        return game

    @staticmethod
    def choice(
        here: Game, there: Game, renamed: dict[tuple[int, int], int], chance: random.Random
    ) -> tuple[Choice, Choice] | None:
        """Something that whoever is asked may choose in both worlds: in each by the cards that lie there."""
        assert here.decision is not None
        assert there.decision is not None
        others = {option.raw for option in there.decision.options}
        pairs = ((option.raw, Comparison.renamed(option, renamed)) for option in here.decision.options)
        both = [pair for pair in pairs if pair[1] in others]
        return chance.choice(both) if both else None

    @staticmethod
    def renamed(option: Option, renamed: dict[tuple[int, int], int]) -> Choice:
        """What is chosen in the other world, where some cards lie in the places of others."""
        decision = option.decision
        kinds = decision.machine.program.routines[decision.where[0]].locals
        values = tuple(
            renamed.get((kind.domain, value), value) if isinstance(kind, Id) else value
            for kind, value in zip(
                (kinds[var.index] for var in option.declared.variables), option.values, strict=True
            )
        )
        return option.offer, values

    @staticmethod
    def chosen(game: Game, choice: Choice) -> str:
        """Chooses; yields how the rules failed, if they did."""
        try:
            game.choose(choice)
        except RuleFailure as failure:
            return str(failure)
        return ""


def _apart_or_not(failed: list[str]) -> str:
    return "" if failed[0] == failed[1] else f"the rules fail in one world: {failed[0]} | {failed[1]}"


def compared(target: Target, seeds: range, positions: int = POSITIONS, *, typing: bool = False) -> Compared:
    """Plays games, and compares worlds at some positions of each, for every player."""
    machine = target.machine()
    comparison = Comparison(machine, revealing=target.name in REVEALING, typing=typing)
    players = range(len(machine.program.domains[0].members))
    for seed in seeds:
        at, chance = table(machine, seed, target.mode), random.Random(seed)
        game, player = at.start(machine), at.player()
        kept: list[tuple[int, tuple[int, ...]]] = []
        for number in count():
            if not game.count:
                break
            place = number if number < positions else chance.randrange(number + 1)
            kept[place : place + 1] = [(number, game.state)] if place < positions else []
            game.choose(player.index(game.count))
        for number, state in kept:
            for viewer in players:
                comparison.look(list(state), f"seed {seed}, after {number} choices", viewer, chance)
        comparison.found.games += 1
    return comparison.found


# ------------------------------------------------------------ the command


@cache
def has_secrets(target: Target) -> bool:
    return any(var.audience is not None for var in target.machine().program.vars)


def secretive() -> tuple[Target, ...]:
    """All games and examples in which somebody does not see something, and the thorn programs with hands."""
    thorns = (Target(name, str(ROOT / "tests" / "thorns" / name)) for name in HANDS)
    small = (Target(path.stem, str(path)) for path in sorted(SMALL.glob("*.scn")))
    return tuple(each for each in (*targets(), *thorns, *small) if has_secrets(each))


def planted() -> tuple[Target, ...]:
    """The rules that give a secret away."""
    return tuple(
        Target(f"{path.stem}:{mode}", str(path), mode)
        for path in sorted(PLANTED.glob("*.scn"))
        for mode in re.findall(r"^mode (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


def show(
    games: int, positions: int, jobs: int, game: str = "", *, leaking: bool = False, typing: bool = False
) -> int:
    """Prints a line for each game with secrets; 1 if a world could be told from another. With `leaking`, a line for
    each rule that gives a secret away; 1 if one is not found. With `typing` all that is told at the prompt counts too.
    """
    looking = partial(compared, typing=typing)
    print(
        "| game | random games | positions compared | and after a choice | legal in one only | drawn | leaks | s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    failed = False
    known = planted() if leaking else secretive()
    chosen = [each for each in known if game in {"", each.name, each.name.partition(":")[0]}]
    if not chosen:
        raise SystemExit(
            f"no secrets in `{game}`; there are some in: {', '.join(each.name for each in known)}"
        )
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for target in chosen:
            begun, all_ = time.perf_counter(), Compared()
            batches = [range(first, min(first + BATCH, games)) for first in range(0, games, BATCH)]
            pieces = len(batches)
            for part in pool.map(looking, [target] * pieces, batches, [positions] * pieces):
                all_.add(part)
            print(
                f"| {target.name} | {all_.games} | {all_.positions} | {all_.after} | {all_.other} | {all_.drawn} "
                f"| {len(all_.leaks)} | {time.perf_counter() - begun:.0f} |",
                flush=True,
            )
            for leak in all_.leaks[: 1 if leaking else 10]:
                print(f"  {leak}")
            failed = failed or bool(all_.leaks) != leaking
    return int(failed)
