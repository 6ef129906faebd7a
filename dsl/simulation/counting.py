"""What is chosen, had and in force in games, and how those fare who choose or have it: without a line by the author.

A choice counts under its action and each piece, row or other thing with a name that it is about; places do not count.
`recruit Lancer` is counted once for a player and game, and how often. Whether he won then is the figure: it says what
goes together, not what causes it. Who is winning anyway may buy more of everything.

What players have is seen by `holding`. A rule counts for whoever chose last before it took effect, and a first choice
for the player whose first it is, by its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dsl.engine.decision import Decision
from dsl.engine.display import member_name
from dsl.engine.layout import Plain
from dsl.ir import nodes as ir
from dsl.ir.program import WINNERS, Clause
from dsl.ir.types import NONE, Id
from dsl.simulation.holding import FIRST, RULE, Held, Holding, Thing, Watcher

COUNTED = frozenset({"piece", "row"})
"""The kinds of domains whose members count: neither places nor players."""
MOST_NAMES = 4
"""A choice about more things counts under its first ones."""

Key = tuple[str, str]
"""An action, and what it is about (empty: the action itself)."""


@dataclass(slots=True)
class Chosen:
    """How often something was chosen, and what came of it. All but `times` counts players of games, once each."""

    times: int = 0
    games: int = 0
    won: int = 0
    """By a player who won, alone or with others."""
    decided: int = 0
    """In a game that somebody won."""

    def merge(self, other: Chosen) -> None:
        self.times += other.times
        self.games += other.games
        self.won += other.won
        self.decided += other.decided


@dataclass(slots=True)
class Counts:
    """What was chosen, had and in force in some games."""

    chosen: dict[Key, Chosen] = field(default_factory=dict)
    things: dict[Thing, Held] = field(default_factory=dict)
    everybody: Chosen = field(default_factory=Chosen)
    """All who have played, of all games; `times` is how often they chose."""

    def add(self, made: dict[int, Counter[Key]], winners: int, *, alone: bool = False) -> None:
        """Counts a game: for each player how often he chose what. Who plays `alone` has lost where he has not won."""
        for player, keys in made.items():
            for key, times in keys.items():
                won = bool(winners >> player & 1)
                self._of(key).merge(Chosen(times, 1, int(won), int(alone or winners != 0)))

    def merge(self, other: Counts) -> None:
        """Counts the games of others too."""
        for key, found in other.chosen.items():
            self._of(key).merge(found)
        for thing, held in other.things.items():
            self.of(thing).merge(held)
        self.everybody.merge(other.everybody)

    @property
    def baseline(self) -> float:
        """Which share of all who play a decided game wins it."""
        return self.everybody.won / self.everybody.decided if self.everybody.decided else 0.0

    def _of(self, key: Key) -> Chosen:
        return self.chosen.setdefault(key, Chosen())

    def of(self, thing: Thing) -> Held:
        """What is counted of something."""
        return self.things.setdefault(thing, Held())


class Counting:
    """Counts what happens in one game: told of each stop, each choice, and the end."""

    def __init__(self, watcher: Watcher) -> None:
        self._program = watcher.program
        self._holding: Holding = watcher.game()
        self._chosen: dict[int, Counter[Key]] = {}
        self._first: dict[int, str] = {}
        self._last: int | None = None
        self._choices = 0
        self._rules: dict[int | None, Counter[int]] = {}
        self._hits: dict[int, int] = {}

    def stop(self, state: Sequence[int], hits: dict[int, int]) -> None:
        """The game has come to where somebody chooses, or to its end; `hits` is how often each clause took effect."""
        self._holding.look(state)
        if hits == self._hits:
            return
        found = self._rules.setdefault(self._last, Counter())
        for clause, count in hits.items():
            found[clause] += count - self._hits.get(clause, 0)
        self._hits = dict(hits)

    def choice(self, decision: Decision, number: int) -> None:
        """Somebody chooses the option of that number."""
        player = decision.player
        self._choices += 1
        self._chosen.setdefault(player, Counter()).update(keys_of(decision, number))
        if len(decision.raw) > 1 and player not in self._first:
            self._first[player] = decision.options[number].label()[:MOST_LABEL]
        self._last = player

    def end(self, state: Sequence[int], counts: Counts, playing: Sequence[int], *, alone: bool) -> None:
        """Counts the game, which has ended, for those who play. Who plays `alone` has lost where he has not won."""
        winners = state[WINNERS]
        decided = alone or winners != 0
        won = sum(winners >> player & 1 for player in playing)
        counts.everybody.merge(Chosen(self._choices, len(playing), won, len(playing) * int(decided)))

        def held(
            player: int | None, thing: Thing, *, end: bool = False, came: int = 0, left: int = 0
        ) -> None:
            judged = int(decided and player is not None)
            winning = int(player is not None and bool(winners >> player & 1))
            ends = (1, judged, winning) if end else (0, 0, 0)
            counts.of(thing).merge(Held(came, left, 1, judged, winning, *ends))

        counts.add(self._chosen, winners, alone=alone)
        now = self._holding.now
        for whose in self._holding.had:
            held(
                *whose,
                end=whose in now,
                came=self._holding.came[whose],
                left=self._holding.left[whose],
            )
        for player, label in self._first.items():
            held(player, Thing(FIRST, CHOICE, label))
        for player in list(self._first)[:1]:
            held(player, Thing(FIRST, BEGINS, member_name(self._program, self._program.players, player)))
        for chooser, rules in self._rules.items():
            named = Counter[Thing]()
            for clause, times in rules.items():
                named[rule_named(self._program.clauses[clause])] += times
            for thing, times in (+named).items():
                held(chooser, thing, came=times)


CHOICE, BEGINS = "choice", "begins"
"""Of a first move: what was chosen, and who chose first of all."""
MOST_LABEL = 200


def rule_named(clause: Clause) -> Thing:
    """A rule by its kind and name, what it cites, and where it stands."""
    cited = ", ".join((*clause.ids, *(("house",) if clause.house else ())))
    name = " ".join(each for each in (clause.kind, clause.name, f"[{cited}]" if cited else "") if each)
    return Thing(RULE, f"{clause.place.file}:{clause.place.line}"[-MOST_LABEL:], name[:MOST_LABEL])


def keys_of(decision: Decision, number: int) -> set[Key]:
    """Under what an option counts."""
    offer, values = decision.raw[number]
    declared = decision.end.offers[offer]
    if declared.action is None:
        return set()
    name = decision.machine.program.actions[declared.action].name
    names = dict.fromkeys(_names(decision, offer, declared, values))
    return {(name, ""), *((name, each) for each in list(names)[:MOST_NAMES])}


def _names(decision: Decision, offer: int, declared: ir.Offer, values: tuple[Plain, ...]) -> Iterator[str]:
    program = decision.machine.program
    args = decision.values_of(offer, "args", declared.args, values) or ()
    for each, value in zip(declared.args, args, strict=False):
        if not isinstance(each.type, Id) or not isinstance(value, int) or value == NONE:
            continue
        domain = program.domains[each.type.domain]
        if domain.kind in COUNTED:
            yield member_name(program, each.type.domain, value)
