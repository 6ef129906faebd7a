"""JCC Terres du Milieu: what the text and the frame of play promise at every stop of a game, by the names of its
variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.machine import Machine
from dsl.ir.types import NONE
from tests.figures.stops import Reader, Stop

HAND = 8
PILES = ("deck", "hand", "company", "faced", "discard", "trophies", "rallied")
FREE = "free"
ENOUGH, MORE = "assez de points en fin de tour", "le plus de points au dernier tour"
FEWEST_HAZARDS = 2
HEALING = {"untapping", "effect"}
DREAM = "effect"
"""The text of a card: the Dream stone's draws one."""


class Table:
    """Two companies, two decks, and what lies where."""

    def __init__(self, machine: Machine) -> None:
        self.reader = reader = Reader(machine.program)
        (self.pool,) = machine.program.pools
        assert self.pool.pile is not None
        assert self.pool.kinds is not None
        self.pile = machine.program.vars[self.pool.pile].name
        self.kinds = [kind for kind in machine.program.data[self.pool.kinds].values if isinstance(kind, int)]
        self.cards = range(len(self.kinds))
        self.players = range(len(reader.members("Player")))
        natures = reader.members("Nature")
        self.nature = [natures[self.cell("nature", card)] for card in self.cards]
        names = [(pile, player) for player in self.players for pile in PILES]
        self.numbers = {
            (pile, player): self.pool.piles.index(f"{pile}({reader.members('Player')[player]})")
            for pile, player in names
        }
        self.sorted: list[tuple[tuple[int, ...], list[list[int]]]] = []
        self.stances = reader.members("Stance")
        self.unique = reader.members("Trait").index("unique")
        self.before: tuple[int, ...] = ()
        self.struck: set[int] = set()
        self.settled: int | None = None
        self.company = 0

    def at(self, stop: Stop) -> Iterator[str]:
        yield from self.places(stop)
        yield from self.kinds_of_piles(stop)
        yield from self.hands(stop)
        yield from self.stance(stop)
        yield from self.strikes(stop)
        yield from self.hazards(stop)
        yield from self.gone(stop)
        yield from self.ending(stop)
        self.before = stop.state

    # ------------------------------------------------------------ where the cards are

    def places(self, stop: Stop) -> Iterator[str]:
        """Each card is in one pile, or in one other card, or out of the game; and who holds it is in a company."""
        state, holders = stop.state, self.reader.numbers(stop.state, "in")
        companies = {number for number, name in enumerate(self.pool.piles) if name.startswith("company(")}
        piles, present = self.reader.numbers(state, self.pile), self.bits(state, "Card in play")
        for card in self.cards:
            places = (piles[card] != NONE) + (holders[card] != NONE)
            if places != (present >> card & 1):
                yield f"card {card} is in {places} places"
            holder = holders[card]
            if holder != NONE and piles[holder] not in companies:
                yield f"card {card} is held by {holder}, which is in no company"

    def kinds_of_piles(self, stop: Stop) -> Iterator[str]:
        """Companies are of characters, trophies of the opponent's creatures, and only factions are rallied."""
        for player in self.players:
            for pile, nature, owner in (
                ("company", "character", player),
                ("trophies", "creature", 1 - player),
                ("rallied", "faction", player),
            ):
                for card in self.lying(stop.state, pile, player):
                    if self.nature[card] != nature or self.owner(stop.state, card) != owner:
                        yield f"card {card} lies in {pile} of {player}"
            if len(self.lying(stop.state, "faced", player)) > 1:
                yield f"player {player} has two creatures on the table"
        for card, holder in enumerate(self.reader.numbers(stop.state, "in")):
            if holder != NONE and self.nature[card] not in {"item", "ally", "spell"}:
                yield f"a {self.nature[card]} is held"

    def hands(self, stop: Stop) -> Iterator[str]:
        """Eight cards when a turn begins, and never more than the Dream stone drew beyond that."""
        for player in self.players:
            held = len(self.lying(stop.state, "hand", player))
            drained = not self.lying(stop.state, "deck", player)
            if "player_turn" in stop.deeds and held != HAND and not (held < HAND and drained):
                yield f"player {player} begins a turn with {held} cards"
            was = len(self.lying(self.before, "hand", player)) if self.before else HAND
            if held > max(HAND, was) and DREAM not in stop.deeds:
                yield f"player {player} has {held} cards in hand"

    def stance(self, stop: Stop) -> Iterator[str]:
        """What lies in no company is free; items and allies are never wounded; wounds heal by rules that heal."""
        state, holders = stop.state, self.reader.numbers(stop.state, "in")
        companies = {card for player in self.players for card in self.lying(state, "company", player)}
        stances = self.reader.numbers(state, "stance")
        council = bool(self.before) and self.reader.value(self.before, "council") > 0
        healing = council or bool(HEALING & set(stop.deeds))
        before = self.reader.numbers(self.before, "stance") if self.before else stances
        for card, number in enumerate(stances):
            name = self.stances[number]
            here = card in companies
            if name != FREE and not here and holders[card] == NONE:
                yield f"card {card} is {name} and not on the table"
            if name == "wounded" and not here:
                yield f"a {self.nature[card]} is wounded"
            old = self.stances[before[card]]
            if here and old == "wounded" and name != "wounded" and not healing:
                yield f"card {card} heals by nothing"

    # ------------------------------------------------------------ what happens

    def strikes(self, stop: Stop) -> Iterator[str]:
        """Nobody is struck twice by one attack; how many strikes it has is settled when its window is closed."""
        read, state = self.reader, stop.state
        if "attack" in stop.deeds:
            self.struck, self.settled = set(), None
        struck = read.value(state, "struck")
        if "strike" in stop.deeds and struck != NONE:
            if struck in self.struck:
                yield f"card {struck} is struck twice in one attack"
            self.struck.add(struck)
        under_way = read.value(state, "blow") != NONE and not read.value(state, "skirmish")
        if under_way:
            more = read.value(state, "more")
            if self.settled is not None and more != self.settled:
                yield "the number of strikes changes after the window"
            self.settled = more
        beaten, hits, due = (read.value(state, name) for name in ("beaten", "hits", "to_beat"))
        if beaten + hits > due:
            yield f"{beaten} strikes beaten and {hits} hit, of {due}"

    def hazards(self, stop: Stop) -> Iterator[str]:
        """As many hazards in a turn as the company has members, and at least two."""
        defender = self.reader.value(stop.state, "defender")
        size = len(self.lying(stop.state, "company", defender))
        self.company = size if "player_turn" in stop.deeds else max(self.company, size)
        if self.reader.value(stop.state, "hindrances") > max(FEWEST_HAZARDS, self.company):
            yield "more hazards than the company allows"

    def gone(self, stop: Stop) -> Iterator[str]:
        """Who fell is in no pile, and of a unique card one is in play; what is out for good stays out."""
        fallen, state = self.bits(stop.state, "fallen"), stop.state
        traits = self.reader.column("Model.traits")
        holders = self.reader.numbers(state, "in")
        table = [card for card in self.cards if holders[card] != NONE]
        table += [
            c for p in self.players for pile in ("company", "rallied") for c in self.lying(state, pile, p)
        ]
        for card in table:
            kind, of_card = self.kinds[card], traits[self.kinds[card]]
            assert isinstance(of_card, int)
            alone = of_card >> self.unique & 1
            if alone and sum(self.kinds[other] == kind for other in table) > 1:
                yield f"two of the unique card {card} are in play"
            if alone and fallen >> kind & 1:
                yield f"card {card} fell, and is in play"
        if self.before and self.bits(self.before, "Card out") & ~self.bits(state, "Card out"):
            yield "a card that was out for good is back"

    def ending(self, stop: Stop) -> Iterator[str]:
        """Whoever wins by points has them, and more than the other where there are not enough."""
        outcome = stop.game.outcome
        if outcome is None or outcome.kind != "victory" or outcome.label not in {ENOUGH, MORE}:
            return
        points = [self.score(stop.state, player) for player in self.players]
        (winner,) = outcome.players
        enough = self.reader.value(stop.state, "victory_points")
        if outcome.label == ENOUGH and points[winner] < enough:
            yield f"a victory with {points} points of {enough}"
        if outcome.label == MORE and points[winner] <= points[1 - winner]:
            yield f"a victory with {points} points"

    # ------------------------------------------------------------ by name

    def lying(self, state: tuple[int, ...], pile: str, player: int) -> list[int]:
        """The cards of a pile of a player; this stop and the one before are each sorted into piles once."""
        for known, piles in self.sorted:
            if known is state:
                return piles[self.numbers[pile, player]]
        piles = [list[int]() for _ in self.pool.piles]
        for card, where in enumerate(self.reader.numbers(state, self.pile)):
            if where != NONE:
                piles[where].append(card)
        self.sorted = [*self.sorted[-1:], (state, piles)]
        return piles[self.numbers[pile, player]]

    def owner(self, state: tuple[int, ...], card: int) -> int:
        return self.reader.numbers(state, "owner")[card]

    def cell(self, column: str, card: int) -> int:
        found = self.reader.column(f"Model.{column}")[self.kinds[card]]
        assert isinstance(found, int)
        return found

    def bits(self, state: tuple[int, ...], name: str) -> int:
        found = self.reader.plain(state, name)
        assert isinstance(found, int)
        return found

    def score(self, state: tuple[int, ...], player: int) -> int:
        """What the trophies, the factions and the belongings of a player are worth."""
        company = self.lying(state, "company", player)
        cards = [*self.lying(state, "trophies", player), *self.lying(state, "rallied", player)]
        holders = self.reader.numbers(state, "in")
        cards += [c for c in self.cards if holders[c] in company and self.nature[c] in {"item", "ally"}]
        return sum(max(0, self.cell("victory", card)) for card in cards)
