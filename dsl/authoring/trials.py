"""Random games of an author's own game or scenario, and what they show: who wins, what never happens, who is stuck.

    found = trials(Machine(program), games=100)
    found.findings

What is told of games is told of games as the rules come, each with a seed of its own, so that any can be played
again. What is said of rules is said of the author's own files: of a scenario or mod not of the game that it is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median

from dsl.authoring.survey import where
from dsl.authoring.words import source_of
from dsl.catalogue import tr
from dsl.engine import kinds as kinds_now
from dsl.engine import layout
from dsl.engine.display import member_name, text_of
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.promises import lines_of
from dsl.ir.program import OUT, REASON, Clause, Ending, Pool, Program
from dsl.ir.types import Id, SetOf
from dsl.players.random_player import RandomPlayer
from dsl.resources import TESTS_FOLDER
from dsl.testing.exercise import exercised
from dsl.testing.promise_games import Breach, watched

Progress = Callable[[int, int], None]
CONTRADICTION = "E0607"
BOUND = -2
"""The reason of a game that its bound ends."""
STUCK_SHARE = 0.25
"""In which share of the games a player may be stuck before it is a finding."""
NEVER = {
    "action": "was never done",
    "phase": "was never reached",
    "before": "never stood",
    "after": "never stood",
    "instead": "never stood",
    "modify": "never stood",
    "need": "never refused anything",
    "forbid": "never refused anything",
    "allow": "never lifted anything",
    "row": "was never read",
}
"""What is told of a clause of each kind that never took effect."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an author wants to know: what, where, and a seed that shows it."""

    kind: str
    """promise, objective, bound, failure, stuck, idle, reinforcement, rule, one-sided."""
    message: str
    where: str = ""
    seed: int | None = None

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        return {"kind": self.kind, "message": self.message, "where": self.where, "seed": self.seed}


@dataclass(slots=True)
class Trials:
    """What some random games came to."""

    program: Program
    seed: int
    games: int = 0
    covered: int = 0
    """In how many of them the clauses that took effect were counted."""
    winners: Counter[tuple[str, ...]] = field(default_factory=Counter)
    reasons: Counter[int] = field(default_factory=Counter)
    rounds: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    hits: Counter[int] = field(default_factory=Counter)
    failures: list[tuple[int, RuleFailure]] = field(default_factory=list)
    otherwise: tuple[str, ...] = ()
    """Rules that failed in games with options by chance."""
    breaches: list[Breach] = field(default_factory=list)
    """Games that broke what the game promises: of those with odd seeds the options are chosen by chance."""
    choices: Counter[int] = field(default_factory=Counter)
    """For each player how often he had something to choose."""
    stuck: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """For each player the games (their seeds) in which he had nothing to choose any more, and since which round."""
    seen: dict[str, set[str]] = field(default_factory=dict)
    """For each type of pieces the kinds that came into play."""
    place: Callable[[str], str] = str
    """How places are called."""
    undecided: tuple[frozenset[str], ...] = ()
    """Pairs of clauses of which `check` could not find out whether they contradict each other: where they stand."""

    def meetings(self, pair: frozenset[str]) -> int:
        """In how many games two such clauses stood at once."""
        clauses = self.program.clauses
        return sum(
            pair
            == {self.place(f"{at.file}:{at.line}") for at in (clauses[n].place for n in failure.clauses[:2])}
            for _, failure in self.failures
            if failure.code == CONTRADICTION
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that stands out, the gravest first."""
        return tuple(replace(each, where=self.place(each.where)) for each in _findings(self))

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        program = self.program
        endings = {ending_name(program, each): count for each, count in self.reasons.most_common()}
        return {
            "game": program.name,
            "scenario": program.scenario,
            "games": self.games,
            "covered": self.covered,
            "seed": self.seed,
            "winners": [{"players": list(who), "games": count} for who, count in self.winners.most_common()],
            "endings": endings,
            "rounds": _spread(self.rounds),
            "decisions": _spread(self.decisions),
            "undecided": [{"clauses": sorted(each), "met": self.meetings(each)} for each in self.undecided],
            "findings": [each.data() for each in self.findings],
        }


def _spread(numbers: list[int]) -> dict[str, float]:
    return {"least": min(numbers), "median": median(numbers), "most": max(numbers)} if numbers else {}


def trials(
    machine: Machine,
    games: int,
    seed: int = 0,
    on_progress: Progress | None = None,
    *,
    covered: int | None = None,
) -> Trials:
    """Plays random games with seeds from `seed` on; where there are rulings or options, as many again in which they
    are chosen by chance, to see what those rules do that belong to another choice.

    Which clauses take effect is counted in the first `covered` games (none: in all), since that takes most of the time.
    """
    found = Trials(machine.program, seed)
    found.covered = games if covered is None else min(covered, games)
    for number in range(games):
        _play(machine, seed + number, found, covering=number < found.covered)
        if on_progress is not None:
            on_progress(number + 1, games)
    if machine.program.promises:
        found.breaches = watched(machine, games, seed).breaches
    if machine.program.options:
        others = exercised(machine, found.covered, seed)
        found.hits.update(others.hits)
        found.otherwise = others.failures
    return found


def _play(machine: Machine, seed: int, found: Trials, *, covering: bool) -> None:
    """One game, from its setup to its end."""
    program, player = machine.program, RandomPlayer(seed)
    last: dict[int, int] = {}
    found.games += 1
    try:
        game = Game.start(machine, seed=seed, covering=covering)
        while game.count:
            decision = game.decision
            assert decision is not None
            state = list(game.state)
            if game.count > 1:
                found.choices[decision.player] += 1
                last[decision.player] = round_of(program, state)
            _look(program, state, found)
            game.choose(player.index(game.count))
    except RuleFailure as failure:
        found.failures.append((seed, failure))
        return
    state = list(game.state)
    _look(program, state, found)
    _ended(game, state, found)
    for number in range(len(program.domains[program.players].members)):
        since, end = last.get(number, 0), round_of(program, state)
        if number in last and end - since > max(1, end // 3) and not state[OUT] >> number & 1:
            found.stuck.setdefault(number, []).append((seed, since + 1))


def _ended(game: Game, state: list[int], found: Trials) -> None:
    outcome = game.outcome
    found.hits.update(game.hits)
    found.winners[outcome.winners if outcome is not None else ()] += 1
    found.reasons[state[REASON]] += 1
    found.rounds.append(round_of(found.program, state))
    found.decisions.append(len(game.choices))


def _look(program: Program, state: list[int], found: Trials) -> None:
    """Which kinds of pieces are in play."""
    for pool in program.pools:
        kinds = found.seen.setdefault(pool.name, set())
        for piece in in_play(program, state, pool):
            row = kinds_now.kind_of(program, state, pool, piece)
            kinds.add(pool.name if row is None else program.domains[row[0]].members[row[1]])


# ---------------------------------------------------------------- reading a state


def round_of(program: Program, state: list[int]) -> int:
    """The number of the round; 0 where the game counts none."""
    var = next((each for each in program.vars if each.role == "round"), None)
    return 0 if var is None else state[var.offset]


def in_play(program: Program, state: list[int], pool: Pool) -> Iterator[int]:
    """The pieces of a type that are in play."""
    var, size = program.vars[pool.in_play], len(program.domains[pool.domain].members)
    mask = layout.read(program, state, var.offset, var.type) if isinstance(var.type, SetOf) else None
    for piece in range(size):
        if (mask >> piece & 1) if isinstance(mask, int) else state[var.offset + piece * var.width]:
            yield piece


def kind_of(program: Program, pool: Pool, piece: int) -> str:
    """What kind of piece it is; where not everybody sees that, what it is when the game begins."""
    data = kinds_now.kinds_at_first(program, pool)
    if data is None or not isinstance(data.type, Id):
        return pool.name
    value = data.values[piece]
    assert isinstance(value, int)
    return program.domains[data.type.domain].members[value]


def ending_name(program: Program, reason: int) -> str:
    """How an ending is called: by its words, or by what it is."""
    if not 0 <= reason < len(program.endings):
        return "the bound" if reason == BOUND else "no ending"
    ending = program.endings[reason]
    return text_of(program, ending.label) or _who(program, ending)


def _who(program: Program, ending: Ending) -> str:
    if ending.who is None:
        return ending.kind
    return f"{ending.kind} {program.domains[program.players].members[ending.who]}"


# ---------------------------------------------------------------- what stands out


def _findings(found: Trials) -> Iterator[Finding]:
    yield from _failed(found)
    yield from _broken(found)
    if len(found.failures) == found.games:
        return
    yield from _endings(found)
    yield from _players(found)
    yield from _pieces(found)
    yield from _rules(found)


def _failed(found: Trials) -> Iterator[Finding]:
    """Rules that fail in play, each place once, with the first seed."""
    told: dict[tuple[str, int], list[tuple[int, RuleFailure]]] = {}
    for seed, failure in found.failures:
        told.setdefault((failure.code, failure.site), []).append((seed, failure))
    for (code, site), each in told.items():
        seed, first = each[0]
        message = tr(
            "a rule fails in {of}: {code}: {message}",
            of=_of(len(each), found.games),
            code=code,
            message=first.message,
        )
        place = found.program.sites[site].place if site >= 0 else None
        yield Finding("failure", message, f"{place.file}:{place.line}" if place else "", seed)
    if not told:
        yield from (
            Finding("failure", f"with other options a rule fails, {each}") for each in found.otherwise[:3]
        )


def _broken(found: Trials) -> Iterator[Finding]:
    """Each promise that was broken, with the first game that did."""
    lines, told = lines_of(found.program), dict[str, list[Breach]]()
    for each in found.breaches:
        if each.broken is not None:
            told.setdefault(lines[each.broken.line][0].title, []).append(each)
    for several in told.values():
        first = several[0]
        assert first.broken is not None
        site = lines[first.broken.line][1].site
        place = found.program.sites[site].place if site >= 0 else None
        with_ = "".join(f", --option {name}={value}" for name, value in first.options.items())
        message = tr(
            "{why}, in {of}, first at decision {decision}{with_}",
            why=first.why,
            of=_of(len(several), found.games),
            decision=first.decision,
            with_=with_,
        )
        yield Finding("promise", message, f"{place.file}:{place.line}" if place else "", first.seed)


def _endings(found: Trials) -> Iterator[Finding]:
    program = found.program
    ended = found.games - len(found.failures)
    for index, ending in enumerate(program.endings):
        clause = None if ending.clause is None else program.clauses[ending.clause]
        if ending.kind == "victory" and not found.reasons[index] and _own(program, clause):
            name = ending_name(program, index)
            yield Finding("objective", f"the objective was never reached: {name}", where(clause))
    late = sum(
        count
        for reason, count in found.reasons.items()
        if reason == BOUND or (reason >= 0 and program.endings[reason].otherwise)
    )
    if late == ended and ended > 0:
        yield Finding("bound", "every game ran to its bound: nothing ended one before")
    for who, count in found.winners.items():
        players = len(program.domains[program.players].members)
        if who and count == ended and players > 1 and ended >= 10:
            yield Finding("one-sided", f"{', '.join(who)} wins every game")


def _players(found: Trials) -> Iterator[Finding]:
    program = found.program
    for number in range(len(program.domains[program.players].members)):
        name = member_name(program, program.players, number)
        if not found.choices[number]:
            yield Finding("idle", f"{name} never has anything to choose")
            continue
        stuck = found.stuck.get(number, [])
        if len(stuck) > STUCK_SHARE * found.games:
            since = int(median([each for _, each in stuck]))
            message = tr(
                "{name} is stuck in {of}: nothing to choose from round {since} on",
                name=name,
                of=_of(len(stuck), found.games),
                since=since,
            )
            yield Finding("stuck", message, seed=stuck[0][0])


def _pieces(found: Trials) -> Iterator[Finding]:
    """Kinds of pieces that somebody could place, and nobody ever does."""
    program = found.program
    for pool in program.pools:
        seen = found.seen.get(pool.name, set())
        kinds = dict.fromkeys(
            kind_of(program, pool, piece) for piece in range(len(program.domains[pool.domain].members))
        )
        for kind in kinds:
            clause = next(
                (each for each in program.clauses if each.kind == "row" and each.name.split()[-1:] == [kind]),
                None,
            )
            if kind not in seen and pool.pile is None and _own(program, clause):
                yield Finding("reinforcement", f"no {kind} ever comes into play", where(clause))


def _rules(found: Trials) -> Iterator[Finding]:
    """Clauses that never took effect; of rows those of tables that are read or that act, kinds are only looked at."""
    program = found.program
    read = {each.name for each in program.actions} | {each.name for each in program.data}
    for number, clause in enumerate(program.clauses):
        looked_at = clause.kind == "row" and clause.name.partition(" ")[0] not in read
        if found.hits[number] or clause.kind not in NEVER or looked_at or not _own(program, clause):
            continue
        if TESTS_FOLDER in clause.place.file.split("/")[:-1]:
            continue  # what tests do, such as actions that say what is given
        cited = source_of(clause)
        name = f"{cited} " if cited else ""
        among = f" in the first {found.covered} games" if found.covered < found.games else ""
        yield Finding("rule", f"{name}`{_short(clause)}` {NEVER[clause.kind]}{among}", where(clause))


def _short(clause: Clause) -> str:
    """The line of a clause."""
    words = " ".join(clause.text.split())
    return words if len(words) <= 70 else f"{words[:69]}…"


def _own(program: Program, clause: Clause | None) -> bool:
    """Does it stand in the author's own files: those of the scenario and the mods, where there are any?"""
    homes = {each.place.file.partition("/")[0] for each in program.clauses} - {program.name}
    return clause is None or not homes or clause.place.file.partition("/")[0] in homes


def _of(count: int, games: int) -> str:
    return f"{count} of {games} games"
