"""Worlds that a player cannot tell apart: `python -m tests.figures worlds`.

At positions of random games, all that a player may not see changes places: of the members that look alike to him (the
cards of the other hand and of both decks, say) the hidden values are exchanged. What he sees, is told and may choose,
and who is asked, has to be equal in both worlds; and still after the same choice, where it is legal in both and shows
him nothing new in one of them that it does not show in the other. Where somebody else chooses, the same choice is that
of the cards which have changed places with the chosen ones: he cannot tell which it was.

What is exchanged, the program says: the variables with an audience. Nothing here knows a game.
"""

from __future__ import annotations

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from multiprocessing import get_context
from typing import Any

from dsl.engine import layout
from dsl.engine.decision import Option
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from dsl.engine.snapshot import packed
from dsl.engine.summary import in_words
from dsl.engine.views import View, may_see
from dsl.ir.program import FRAME_HEAD, TOP
from dsl.ir.types import Id, Int, SetOf
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
REVEALING = {"auction", "bluff", "face_down", "fog", "handed", "objectives", "offered", "teams"}
"""Those whose rules reveal something on purpose: what they then write into open fields differs, and counts as drawn."""
Cell = tuple[int, int]
"""A variable and a member of its domain."""


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
    """The choice showed the player something that he had not seen: another thing in each world."""
    leaks: list[str] = field(default_factory=list)

    def add(self, found: Compared) -> None:
        for name in ("games", "positions", "after", "other", "drawn"):
            setattr(self, name, getattr(self, name) + getattr(found, name))
        self.leaks += found.leaks


# ------------------------------------------------------------ another world


class Secrets:
    """The variables of a program that not everybody sees, and what else there is of the same domains."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        program = machine.program
        self.hidden, self.open = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        for index, var in enumerate(program.vars):
            if var.of is not None:
                secret = var.audience is not None or var.role == "order"
                (self.hidden if secret else self.open)[var.of].append(index)
        self.lying = {pool.domain for pool in program.pools if pool.pile is not None}
        """The domains whose pieces lie in piles: who does not see one there does not know which it is."""

    def unseen(self, state: list[int], viewer: int) -> set[Cell]:
        """All that a player may not see."""
        members = self.machine.program.domains
        return {
            (var, member)
            for domain, hidden in self.hidden.items()
            for var in hidden
            for member in range(len(members[domain].members))
            if not may_see(self.machine, state, var, member, viewer)
        }

    def values(self, state: list[int], var: int, member: int) -> list[int]:
        at = self.at(var, member)
        return state[at : at + self.machine.program.vars[var].width]

    def at(self, var: int, member: int) -> int:
        found = self.machine.program.vars[var]
        return found.offset + member * found.width

    def alike(self, state: list[int], viewer: int) -> Iterator[tuple[int, tuple[int, ...], list[int]]]:
        """Members that differ, for a player, in nothing but what they are; and their variables that he does not see."""
        unseen = self.unseen(state, viewer)
        for domain, hidden in self.hidden.items():
            groups = defaultdict[Any, list[int]](list)
            for member in range(len(self.machine.program.domains[domain].members)):
                covered = [var for var in hidden if (var, member) in unseen]
                if covered:
                    shown = [var for var in (*hidden, *self.open[domain]) if var not in covered]
                    looks = [tuple(self.values(state, var, member)) for var in shown]
                    groups[tuple(covered), tuple(looks)].append(member)
            for (covered, _), members in groups.items():
                yield domain, covered, members

    def another(
        self, state: list[int], viewer: int, chance: random.Random
    ) -> tuple[list[int], dict[tuple[int, int], int]] | None:
        """A world that a player cannot tell from this one, and for the cards of this one (by domain and number) those
        in their places there; none where nothing can change places.
        """
        found, renamed = list(state), dict[tuple[int, int], int]()
        for domain, covered, members in self.alike(state, viewer):
            places = chance.sample(members, len(members))
            if domain in self.lying:
                renamed |= {(domain, place): member for member, place in zip(members, places, strict=True)}
            for var in covered:
                if len(members) == 1 and domain not in self.lying:
                    self.otherwise(found, var, members[0], chance)
                    continue
                for member, place in zip(members, places, strict=True):
                    values = self.values(state, var, place)
                    at = self.at(var, member)
                    found[at : at + len(values)] = values
        if found == state:
            return None
        self.rename(found, renamed)
        return found, renamed

    def otherwise(self, state: list[int], var: int, member: int, chance: random.Random) -> None:
        """A number that nobody shares takes any other place of its range."""
        program = self.machine.program
        match program.vars[var].type:
            case Int(low=low, high=high) as kind:
                layout.write(program, state, self.at(var, member), kind, chance.randint(low, high))
            case _:
                pass

    def rename(self, state: list[int], renamed: dict[tuple[int, int], int]) -> None:
        """What is under way goes on with those that took the places: the cards that somebody has picked so far."""
        program, at = self.machine.program, self.machine.program.frames
        while 0 <= at <= state[TOP]:
            routine = program.routines[state[at]]
            for offset, kind in zip(routine.offsets, routine.locals, strict=True):
                place = at + FRAME_HEAD + offset
                match kind:
                    case Id(domain=domain):
                        state[place] = renamed.get((domain, state[place]), state[place])
                    case SetOf(of=Id(domain=domain)):
                        old = layout.read(program, state, place, kind)
                        assert isinstance(old, int)
                        bits = (n for n in range(old.bit_length()) if old >> n & 1)
                        layout.write(
                            program, state, place, kind, sum(1 << renamed.get((domain, n), n) for n in bits)
                        )
                    case _:
                        pass
            at += layout.frame_size(program, routine)


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


def difference(one: Game, two: Game, viewer: int) -> str:
    """Where a player sees two games differ; empty: nowhere."""
    here, there = seen(one.view(viewer)), seen(two.view(viewer))
    here["numbers"], there["numbers"] = (
        [line for each in game.sums(viewer) for line in in_words(game.machine.program, each)]
        for game in (one, two)
    )
    here["rules"], there["rules"] = ([each.text for each in game.why(player=viewer)] for game in (one, two))
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

    def __init__(self, machine: Machine, *, revealing: bool = False) -> None:
        self.machine = machine
        self.revealing = revealing
        self.secrets = Secrets(machine)
        self.found = Compared()

    def look(self, state: list[int], at: str, viewer: int, chance: random.Random) -> None:
        """One position, for one player."""
        changed = self.secrets.another(state, viewer, chance)
        if changed is None:
            return
        here, there = self.world(state), self.world(changed[0])
        where = f"{at}, player {viewer}"
        self.found.positions += 1
        if told := difference(here, there, viewer):
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
        revealed = (self.revealing or choice != other) and self.open(here) != self.open(there)
        if revealed or shown[0] != shown[1] or values[0] != values[1]:
            self.found.drawn += 1
            return
        self.found.after += 1
        if told := difference(here, there, viewer) or _apart_or_not(failed):
            self.found.leaks.append(f"{where}, after {choice}: {told}")

    def open(self, game: Game) -> list[int]:
        """All that everybody sees of the fields."""
        return [
            word
            for var in self.machine.program.vars
            if var.audience is None and var.role != "order"
            for word in game.state[var.offset :][: var.width * self.members(var.of)]
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


def compared(target: Target, seeds: range, positions: int = POSITIONS) -> Compared:
    """Plays games, and compares worlds at some positions of each, for every player."""
    machine = target.machine()
    comparison = Comparison(machine, revealing=target.name in REVEALING)
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


def show(games: int, positions: int, jobs: int, game: str = "", *, leaking: bool = False) -> int:
    """Prints a line for each game with secrets; 1 if a world could be told from another. With `leaking`, a line for
    each rule that gives a secret away; 1 if one is not found.
    """
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
            for part in pool.map(compared, [target] * pieces, batches, [positions] * pieces):
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
