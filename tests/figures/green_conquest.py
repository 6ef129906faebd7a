"""The Green Conquest: what its rulebook promises at every stop of a game, by the names of its variables.

Cells are told apart by their names and lines of sight are walked here, so that nothing of the game's own maps and
values is believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dsl.engine.machine import Machine
from dsl.ir.types import NONE
from tests.figures.stops import Reader, Stop

CORNERS = {"red": (0, 0), "yellow": (12, 0), "blue": (12, 12), "green": (0, 12)}
CLOCKWISE = tuple(CORNERS)
BARRED = {(4, 4), (10, 4), (4, 10), (10, 10)}
SPRINGBOARD = (7, 7)
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
SIGHT, TRAPS, FLIGHT = 6, 2, 4
NOBODY = "Plus aucun clan"
LEFT = {"Plus rien ne bouge", NOBODY}

Place = tuple[int, int]


class Field:
    """Clans of five vehicles on 225 cells."""

    def __init__(self, machine: Machine) -> None:
        self.reader = reader = Reader(machine.program)
        self.places = tuple(place(name) for name in reader.members("Cell"))
        self.sides = reader.members("Side")
        self.kinds = tuple(name.rsplit("_", 1)[0] for name in reader.members("Vehicle"))
        self.facings = tuple(STEPS[name] for name in reader.members("Direction"))
        self.health = dict(
            zip(reader.members("VehicleType"), reader.column("VehicleType.health"), strict=True)
        )
        self.points = dict(zip(reader.members("VehicleType"), reader.column("VehicleType.pm"), strict=True))
        self.before: Stop | None = None

    def at(self, stop: Stop) -> Iterator[str]:
        state = stop.state
        yield from self.cells(state)
        yield from self.traps(stop)
        if not self.reader.value(state, "setting up"):
            yield from self.clans(state)
            yield from self.hearts(stop)
            yield from self.turn(stop)
            yield from self.rest(stop)
            if resting(stop):
                yield from self.at_rest(state)
            if resting(stop) and self.reader.value(state, "playing") == NONE:
                yield from self.lines_of_sight(state)
            yield from self.ending(stop)
        self.before = stop

    # ------------------------------------------------------------ the board

    def cells(self, state: tuple[int, ...]) -> Iterator[str]:
        """One vehicle on a cell; none on a barred one, or in a camp that is not its own."""
        stands = {v: self.where(state, v) for v in self.fleet(state)}
        for shared, count in Counter(each for each in stands.values() if each is not None).items():
            if count > 1:
                yield f"{count} vehicles stand on {shared}"
        for v, cell in stands.items():
            if cell in BARRED:
                yield f"{self.kinds[v]} stands on a barred cell"
            if cell is not None and camp_of(cell) not in {None, self.side(state, v)}:
                yield f"{self.kinds[v]} stands in another's camp"

    def at_rest(self, state: tuple[int, ...]) -> Iterator[str]:
        """Nobody stays on the trampoline; who is off the board is destroyed, or its clan is eliminated."""
        gone, out = self.flags(state, "destroyed"), self.eliminated(state)
        for v in self.fleet(state):
            cell = self.where(state, v)
            if cell == SPRINGBOARD:
                yield f"{self.kinds[v]} rests on the trampoline"
            if (cell is None) != (gone[v] or self.side(state, v) in out):
                yield f"{self.kinds[v]} is at {cell}, and destroyed is {gone[v]}"

    def traps(self, stop: Stop) -> Iterator[str]:
        """At most two of an owner, laid one by one where a trap may lie."""
        laid = self.traps_of(stop.state)
        for side, cells in laid.items():
            if len(cells) > TRAPS:
                yield f"{len(cells)} traps of {side}"
            if any(camp_of(each) or each in BARRED or each == SPRINGBOARD for each in cells):
                yield f"a trap of {side} lies where none may"
            if side in self.eliminated(stop.state):
                yield f"a trap of {side}, which is eliminated"
            then = self.traps_of(self.before.state).get(side, set()) if self.before is not None else set()
            laying = "lay" in stop.deeds or (self.before is not None and "lay" in self.before.deeds)
            if len(cells - then) > laying:
                yield f"traps of {side} come from nothing"

    # ------------------------------------------------------------ clans and hearts

    def clans(self, state: tuple[int, ...]) -> Iterator[str]:
        """Five vehicles, all different; four losses eliminate a clan."""
        out, gone = self.eliminated(state), self.flags(state, "destroyed")
        for side in self.playing_clans(state):
            own = [v for v in self.fleet(state) if self.side(state, v) == side]
            if len({self.kinds[v] for v in own}) != 5 or len(own) != 5:
                yield f"{side} has {sorted(self.kinds[v] for v in own)}"
            lost = sum(gone[v] for v in own)
            if (side in out) != (lost >= 4):
                yield f"{side} has lost {lost}, and is eliminated: {side in out}"
            if side in out and any(self.where(state, v) for v in own):
                yield f"{side} is eliminated and has a vehicle on the board"

    def hearts(self, stop: Stop) -> Iterator[str]:
        """As many as are printed at most; none means destroyed; regeneration alone gives any back."""
        state, hearts = stop.state, self.reader.numbers(stop.state, "hearts")
        gone = self.flags(state, "destroyed")
        for v in self.fleet(state):
            printed = self.health[self.kinds[v]]
            assert isinstance(printed, int)
            if not 0 <= hearts[v] <= printed:
                yield f"{self.kinds[v]} has {hearts[v]} hearts of {printed}"
            if gone[v] != (hearts[v] == 0) and "regain" not in stop.deeds:
                yield f"{self.kinds[v]} has {hearts[v]} hearts, and destroyed is {gone[v]}"
        if self.before is None or "regain" in stop.deeds:
            return
        for v, (now, was) in enumerate(
            zip(hearts, self.reader.numbers(self.before.state, "hearts"), strict=True)
        ):
            if now > was and v in self.fleet(self.before.state):
                yield f"{self.kinds[v]} gains hearts from nothing"

    # ------------------------------------------------------------ the turn

    def turn(self, stop: Stop) -> Iterator[str]:
        """Two vehicles, three with the bonus, all of the active clan; turns go clockwise; one regeneration."""
        read, state = self.reader, stop.state
        active = self.sides[read.value(state, "active")]
        done = self.flags(state, "played")
        played = [v for v in self.fleet(state) if done[v]]
        bonus = self.flags(state, "bonus")[self.sides.index(active)]
        if len(played) > 2 + (bonus or self.settled(state)):
            yield f"{len(played)} vehicles played, and the bonus is {bonus}"
        if any(self.side(state, v) != active for v in played):
            yield f"{active} plays vehicles of others"
        left, flight = read.numbers(state, "left"), FLIGHT if read.value(state, "fleeing") else 0
        for v in self.fleet(state):
            points = self.points[self.kinds[v]]
            assert isinstance(points, int)
            if left[v] > max(points, flight):
                yield f"{self.kinds[v]} has more PM than are printed"
        if self.before is None or read.value(self.before.state, "setting up"):
            return
        then = self.before.state
        if self.sides[read.value(then, "active")] != active or "clan_turn" in stop.deeds:
            due = self.after(then, state, stop.deeds.count("clan_turn"))
            if due != active:
                yield f"{active} plays where {due} is due"
        for k, (now, was) in enumerate(
            zip(self.flags(state, "regenerated"), self.flags(then, "regenerated"), strict=True)
        ):
            if was and (not now or (k == read.value(then, "active") and "regenerate" in stop.deeds)):
                yield f"{self.sides[k]} regenerates twice"

    def rest(self, stop: Stop) -> Iterator[str]:
        """Who is latent stays where it is, in its camp, and is not played."""
        if self.before is None or self.reader.value(self.before.state, "setting up"):
            return
        state, then = stop.state, self.before.state
        now, was = self.flags(state, "latent"), self.flags(then, "latent")
        held = self.reader.numbers(then, "held_by")
        for v in self.fleet(state):
            cell = self.where(state, v)
            if now[v] and cell is not None and camp_of(cell) != self.side(state, v):
                yield f"{self.kinds[v]} is latent outside its camp"
            if (
                now[v]
                and was[v]
                and cell not in {None, self.where(then, v)}
                and self.where(then, v) is not None
            ):
                yield f"{self.kinds[v]} is latent and moves"
        if stop.chosen == "play":
            (chosen,) = (each for each in stop.values if isinstance(each, int))
            if was[chosen] or held[chosen] != NONE:
                yield f"{self.kinds[chosen]} is played, latent or paralysed"

    def lines_of_sight(self, state: tuple[int, ...]) -> Iterator[str]:
        """Between two activations a Nightmare that is free holds the opponent it sees, and no other."""
        held = self.reader.numbers(state, "held_by")
        for v in self.fleet(state):
            if held[v] != NONE and self.target(state, held[v]) != v:
                yield f"{self.kinds[v]} is held out of sight"
            if self.kinds[v] == "nightmare" and held[v] == NONE:
                seen = self.target(state, v)
                if seen is not None and held[seen] == NONE:
                    yield f"{self.kinds[seen]} stands before a Nightmare, and is free"

    def ending(self, stop: Stop) -> Iterator[str]:
        """Whoever wins has no opponent left; a draw has its reason."""
        outcome = stop.game.outcome
        if outcome is None:
            return
        standing = [k for k in self.playing_clans(stop.state) if k not in self.eliminated(stop.state)]
        if outcome.kind == "victory":
            if not standing or any(self.hostile(stop.state, a, b) for a in standing for b in standing):
                yield f"a victory with {standing} left"
        elif outcome.kind == "draw" and (outcome.label not in LEFT or (outcome.label == NOBODY and standing)):
            yield f"{outcome.label} with {standing} left"

    # ------------------------------------------------------------ by name

    def fleet(self, state: tuple[int, ...]) -> list[int]:
        bits = self.reader.plain(state, "Vehicle in play")
        assert isinstance(bits, int)
        return [v for v in range(len(self.kinds)) if bits >> v & 1]

    def side(self, state: tuple[int, ...], v: int) -> str:
        return self.sides[self.reader.numbers(state, "owner")[v]]

    def where(self, state: tuple[int, ...], v: int) -> Place | None:
        cell = self.reader.numbers(state, "at")[v]
        return None if cell == NONE else self.places[cell]

    def flags(self, state: tuple[int, ...], name: str) -> tuple[bool, ...]:
        return tuple(map(bool, self.reader.numbers(state, name)))

    def eliminated(self, state: tuple[int, ...]) -> set[str]:
        return {self.sides[k] for k, out in enumerate(self.flags(state, "eliminated")) if out}

    def playing_clans(self, state: tuple[int, ...]) -> list[str]:
        owners = {self.side(state, v) for v in self.fleet(state)}
        return [side for side in CLOCKWISE if side in owners]

    def traps_of(self, state: tuple[int, ...]) -> dict[str, set[Place]]:
        found: dict[str, set[Place]] = {}
        for cell, owner in enumerate(self.reader.numbers(state, "trap")):
            if owner != NONE:
                found.setdefault(self.sides[owner], set()).add(self.places[cell])
        return found

    def settled(self, state: tuple[int, ...]) -> bool:
        """Has the vehicle that is being played driven into the central zone?"""
        v = self.reader.value(state, "playing")
        cell = self.where(state, v) if v != NONE else None
        return cell is not None and self.flags(state, "moved")[v] and all(5 <= each <= 9 for each in cell)

    def after(self, then: tuple[int, ...], state: tuple[int, ...], turns: int) -> str:
        """Whose turn it is so many turns later."""
        order = [k for k in CLOCKWISE if k in self.playing_clans(then)]
        at = order.index(self.sides[self.reader.value(then, "active")])
        for _ in range(turns):
            at = next(
                (at + n) % len(order)
                for n in range(1, len(order) + 1)
                if order[(at + n) % len(order)] not in self.eliminated(state) or n == len(order)
            )
        return order[at]

    def hostile(self, state: tuple[int, ...], one: str, other: str) -> bool:
        coalition = self.reader.members("mode")[self.reader.value(state, "mode")] == "coalition"
        partners = coalition and (CLOCKWISE.index(one) - CLOCKWISE.index(other)) % 2 == 0
        return one != other and not partners

    def target(self, state: tuple[int, ...], n: int) -> int | None:
        """The opponent on which a Nightmare that stands outside its camp looks."""
        stands = {self.where(state, v): v for v in self.fleet(state)}
        cell = self.where(state, n)
        if cell is None or camp_of(cell) is not None:
            return None
        dx, dy = self.facings[self.reader.numbers(state, "facing")[n]]
        for length in range(1, SIGHT + 1):
            x, y = cell[0] + dx * length, cell[1] + dy * length
            if (x, y) in BARRED or camp_of((x, y)) is not None or not (0 <= x < 15 and 0 <= y < 15):
                return None
            if (x, y) in stands:
                v = stands[x, y]
                return v if self.hostile(state, self.side(state, n), self.side(state, v)) else None
        return None


def place(name: str) -> Place:
    """Column and row, from the north-west."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def camp_of(cell: Place) -> str | None:
    """Whose camp a cell belongs to."""
    for side, (x, y) in CORNERS.items():
        if x <= cell[0] < x + 3 and y <= cell[1] < y + 3:
            return side
    return None


def resting(stop: Stop) -> bool:
    """Is a clan asked what it does, and not in the middle of something?"""
    decision = stop.game.decision
    return decision is not None and all(each.action not in {None, "soar"} for each in decision.options)
