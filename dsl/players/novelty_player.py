"""The player that prefers what has been chosen least so far, over all games that it plays."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.ir.program import Program
from dsl.ir.types import Id, ListOf, SetOf, Type
from dsl.ir.walk import locals_in
from dsl.players.random_player import RandomPlayer

SPACES = frozenset({"cell", "shape", "line"})
"""Places on a board are not told apart: a move is not new for where it leads."""
WORD = 0xFFFFFFFF
"""The generator draws below that: weights must not add up to more."""

Kind = tuple[object, ...]


class NoveltyPlayer:
    """Sorts the options of each decision by their kind, takes a kind the more likely the less often it was taken,
    and one of its options by chance.

    The kind of an option is its line in the menu and the names of what it is about: pieces of one name are alike, and
    so are all cells. Half of the time it first takes a line in that way, so that a line with few kinds (to move) comes
    up beside one with many (to shoot at each enemy). For the same seed, and the same games in the same order, it
    chooses the same.
    """

    def __init__(self, program: Program, seed: int = 0) -> None:
        self._program = program
        self._chance = RandomPlayer(seed)
        self._taken: dict[Kind, int] = {}

    def choose(self, game: Game, decision: Decision) -> Option:
        """One of the options."""
        return decision.options[self._number(decision)]

    def index(self, game: Game) -> int:
        """The number of an option of the decision at which the game stands: for `game.choose(number)`."""
        if game.decision is None:
            raise ValueError("nobody is asked")
        return self._number(game.decision)

    def _number(self, decision: Decision) -> int:
        lines: dict[Kind, dict[Kind, list[int]]] = {}
        keys: dict[int, Kind] = {}
        for number, (offer, values) in enumerate(decision.raw):
            if offer not in keys:
                keys[offer] = (*decision.where, offer, *self._about(decision, offer, values))
            line = keys[offer]
            variables = decision.end.offers[offer].variables
            names = (
                self._named(_one_of(each.domain.type), value)
                for each, value in zip(variables, values, strict=True)
            )
            lines.setdefault(line, {}).setdefault((line, *names), []).append(number)
        if self._chance.index(2):
            lines = {line: lines[line] for line in [self._preferred(list(lines))]}
        of_kind = {kind: (line, numbers) for line, kinds in lines.items() for kind, numbers in kinds.items()}
        kind = self._preferred(list(of_kind))
        line, numbers = of_kind[kind]
        for each in (line, kind):
            self._taken[each] = self._taken.get(each, 0) + 1
        return numbers[self._chance.index(len(numbers))]

    def _preferred(self, kinds: list[Kind]) -> Kind:
        most = WORD // len(kinds)
        ends = list(accumulate(max(1, most // (1 + self._taken.get(kind, 0))) for kind in kinds))
        return kinds[bisect_right(ends, self._chance.index(ends[-1]))]

    def _about(self, decision: Decision, offer: int, values: tuple[Plain, ...]) -> tuple[object, ...]:
        """The names of what all options of a line are about, such as the piece that acts."""
        declared = decision.end.offers[offer]
        own = {each.index for each in declared.variables}
        fixed = tuple(each for each in declared.args if not locals_in(each) & own)
        found = decision.values_of(offer, "fixed", fixed, values) if fixed else ()
        return tuple(self._named(each.type, value) for each, value in zip(fixed, found or (), strict=False))

    def _named(self, kind: Type, value: Plain) -> object:
        """What a value is of: pieces of one kind have one label."""
        if not isinstance(kind, Id) or not isinstance(value, int):
            return None
        domain = self._program.domains[kind.domain]
        if domain.kind in SPACES or not 0 <= value < len(domain.labels):
            return None
        return domain.labels[value]


def _one_of(kind: Type) -> Type:
    """The type of a variable that runs over something."""
    return kind.of if isinstance(kind, SetOf | ListOf) else kind
