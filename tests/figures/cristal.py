"""Cristal et Acier: what its rulebook promises at every stop of a game, by the names of its variables."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.machine import Machine
from tests.figures.stops import Reader, Stop

PHASES = ("event", "recruitment", "movement", "exploration", "conflict", "conquest")
HIRING = {"recruit", "enlist"}
SWELLING = {"join", "recall", "lose_region"}
"""What may leave the army with more units than the MAX: gifts of events and spells, and land that is lost."""
TAKING = {"conquer", "walk_in"}
LONGEST_BATTLE = 7
BEATEN = "Votre armée n'est plus"
USUAL_MARCH = 2


class Campaign:
    """One general, one army, twenty rounds or fewer."""

    def __init__(self, machine: Machine) -> None:
        self.reader = reader = Reader(machine.program)
        control = reader.members("Control")
        self.empire = control.index("empire")
        self.enemies = tuple(control.index(name) for name in reader.members("Enemy"))
        self.gold = reader.column("Region.po")
        self.recruits = [list(bag) for bag in reader.column("Region.recruits") if isinstance(bag, tuple)]
        self.plain = reader.members("Terrain").index("plaine")
        self.phase = -1
        self.fought = 0
        self.spent = self.allowance = 0
        self.forced = False
        self.before: tuple[int, ...] = ()
        self.base: tuple[int, ...] = ()

    def at(self, stop: Stop) -> Iterator[str]:
        yield from self.sheet(stop)
        yield from self.land(stop)
        yield from self.order(stop)
        yield from self.march(stop)
        if self.before:
            yield from self.hiring(stop)
            yield from self.enemy_armies(stop)
            yield from self.changes_of_hands(stop)
        yield from self.ending(stop)
        self.before = stop.state

    # ------------------------------------------------------------ at one stop

    def sheet(self, stop: Stop) -> Iterator[str]:
        """The Feuille de Royaume: no debts, the production and the MAX of the land that is held."""
        read, state = self.reader, stop.state
        if read.value(state, "treasury") < 0:
            yield "the treasury is negative"
        held = [region for region, owner in enumerate(self.control(state)) if owner == self.empire]
        production = sum(gold for region in held if isinstance(gold := self.gold[region], int))
        if read.value(state, "production") != production:
            yield f"the production is {read.value(state, 'production')}, the land gives {production}"
        maximum = read.bag(state, "maximum")
        levied = self.levied(state)
        self.base = self.base or tuple(m - n for m, n in zip(maximum, levied, strict=True))
        if maximum != tuple(b + n for b, n in zip(self.base, levied, strict=True)):
            yield "the MAX is not that of the land"

    def land(self, stop: Stop) -> Iterator[str]:
        """One army in one region; each region in one state, and a garrison only where it is neutral."""
        control = self.control(stop.state)
        if not 0 <= self.reader.value(stop.state, "army_at") < len(control):
            yield "the army is nowhere"
        states = range(len(self.reader.members("Control")))
        levied = self.reader.numbers(stop.state, "levied")
        for region, owner in enumerate(control):
            if owner not in states:
                yield f"region {region} is in no state"
            neutral = owner != self.empire and owner not in self.enemies
            if not neutral and any(self.reader.bag(stop.state, "defenders", region)):
                yield f"region {region} is held, and has a garrison of its own"
            if levied[region] and owner != self.empire:
                yield f"region {region} is not the Empire's, and gives it recruits"

    def order(self, stop: Stop) -> Iterator[str]:
        """The phases follow each other; a battle lasts seven rounds at most."""
        for deed in stop.deeds:
            if deed in PHASES:
                due = (self.phase + 1) % len(PHASES)
                if PHASES.index(deed) != due:
                    yield f"{deed} comes where {PHASES[due]} is due"
                self.phase = PHASES.index(deed)
            elif deed == "battle":
                self.fought = 0
                if PHASES[self.phase] != "conflict":
                    yield f"a battle in the phase {PHASES[self.phase]}"
            elif deed == "battle_round":
                self.fought += 1
                if self.fought > LONGEST_BATTLE:
                    yield f"round {self.fought} of a battle"

    def march(self, stop: Stop) -> Iterator[str]:
        """What the regions entered in a turn cost stays within the movement points of the turn."""
        if stop.chosen == "enter":
            (region,) = (value for value in stop.values if isinstance(value, int))
            self.spent += 1 if self.reader.column("Region.terrain")[region] == self.plain else 2
            if self.spent > self.allowance:
                yield f"{self.spent} movement points spent of {self.allowance}"
            if not self.near(region):
                yield f"the army leaps to region {region}"
        self.forced = self.forced or "forced_march" in stop.deeds
        if "movement" in stop.deeds:
            self.spent, self.allowance = 0, self.reader.value(stop.state, "march")
            if self.allowance != USUAL_MARCH and not self.forced:
                yield f"a march of {self.allowance} points"
            self.forced = False

    def ending(self, stop: Stop) -> Iterator[str]:
        """No victory without the enemies' capitals; an army that cannot fight is beaten at once."""
        outcome = stop.game.outcome
        if outcome is None:
            return
        control = self.control(stop.state)
        capitals = [c for c in self.reader.column("Enemy.capital") if isinstance(c, int)]
        if outcome.kind == "victory" and not all(control[c] == self.empire for c in capitals):
            yield "a victory without the capitals"
        factors = self.reader.column("Troop.fc")
        army = self.reader.bag(stop.state, "troops", 0)
        fighters = [t for t, fc in enumerate(factors) if army[t] and isinstance(fc, int) and fc > 0]
        if outcome.label != BEATEN and not fighters:
            yield f"{outcome.label}: with an army that was beaten before"

    # ------------------------------------------------------------ between two stops

    def hiring(self, stop: Stop) -> Iterator[str]:
        """Nobody is hired beyond the MAX, and hiring has its price."""
        read, state, then = self.reader, stop.state, self.before
        army, was = read.bag(state, "troops", 0), read.bag(then, "troops", 0)
        if HIRING & set(stop.deeds) and not SWELLING & set(stop.deeds):
            limits = read.bag(then, "maximum")
            over = [t for t, count in enumerate(army) if count > was[t] and count > limits[t]]
            if over:
                yield f"hired beyond the MAX: {over}"
        if stop.deeds == ("recruit",):
            due = sum((count - was[t]) * self.price(t) for t, count in enumerate(army) if count != was[t])
            paid = read.value(then, "treasury") - read.value(state, "treasury")
            if paid != due:
                yield f"{paid} PO for units of {due}"

    def enemy_armies(self, stop: Stop) -> Iterator[str]:
        """An enemy's army shrinks only by battle."""
        if self.reader.value(stop.state, "enemy_roster") != 0 or "aftermath" in stop.deeds:
            return
        for enemy in range(len(self.enemies)):
            now, was = (self.reader.bag(s, "roster", enemy) for s in (stop.state, self.before))
            if any(a < b for a, b in zip(now, was, strict=True)):
                yield f"the army of enemy {enemy} shrinks without a battle"

    def changes_of_hands(self, stop: Stop) -> Iterator[str]:
        """The Empire takes land by conquest or walking in, enemies in their expansion; none is set free."""
        deeds = set(stop.deeds)
        for region, (now, was) in enumerate(
            zip(self.control(stop.state), self.control(self.before), strict=True)
        ):
            if now == was:
                continue
            if now == self.empire and not TAKING & deeds:
                yield f"region {region} falls to the Empire by nothing"
            if now in self.enemies and "annex" not in deeds:
                yield f"region {region} falls to an enemy by nothing"
            if now != self.empire and now not in self.enemies:
                yield f"region {region} becomes neutral"

    # ------------------------------------------------------------ by name

    def control(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return self.reader.numbers(state, "control")

    def levied(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """The recruits of all regions that stand in the MAX."""
        levied = self.reader.numbers(state, "levied")
        regions = [bag for bag, stands in zip(self.recruits, levied, strict=True) if stands]
        return tuple(map(sum, zip(*regions, strict=True))) if regions else (0,) * len(self.recruits[0])

    def price(self, troop: int) -> int:
        """What a unit costs; a monster its FC."""
        cost, fc = (self.reader.column(f"Troop.{name}")[troop] for name in ("cost", "fc"))
        assert isinstance(cost, int)
        assert isinstance(fc, int)
        return cost if cost > 0 else fc

    def near(self, region: int) -> bool:
        """Did the army stand beside a region at the stop before?"""
        was = self.reader.value(self.before, "army_at")
        around = self.reader.column("Region.adjacent")[was]
        assert isinstance(around, int)
        return bool(around >> region & 1)
