"""How each rule of a rulebook stands: where it is declared, which tests name it, whether they hold it, and
whether random play exercises it.

    found = rules("my_game", games=100)
    found.data()                            # the report as JSON has it
    found.findings                          # what contradicts the index

A rule that restates another, or that is a definition carried out through others, is tested, pinned and
exercised where those are: all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dsl.cache import Cache
from dsl.diagnostics import Diagnostics
from dsl.engine.display import text_of
from dsl.engine.machine import Machine
from dsl.ir.program import Clause, Option, Program, Rule
from dsl.library import build
from dsl.testing.exercise import Exercised, exercised
from dsl.testing.mutate import WORKERS, MutationReport, Progress, mutate

OURS = frozenset({"house", "ambiguity"})
BY_OTHERS = frozenset({"same_as", "definition"})
GAMES = 50


@dataclass(frozen=True, slots=True)
class RuleReport:
    """A rule of the index. `status`: declared, same_as ID, definition, not_applicable or missing."""

    id: str
    title: str
    status: str
    where: tuple[str, ...]
    tests: tuple[str, ...]
    pinned: bool
    exercised: bool
    note: str

    @property
    def encoded(self) -> bool:
        return self.status not in {"not_applicable", "missing"}

    @property
    def applicable(self) -> bool:
        return self.status != "not_applicable"

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "id": self.id,
            "title": self.title,
            "status": self.status,
            "where": list(self.where),
            "tests": list(self.tests),
            "pinned": self.pinned,
            "exercised": self.exercised,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class RulesReport:
    """The rules of a game in the order of its index, and what contradicts the index."""

    game: str
    rules: tuple[RuleReport, ...]
    findings: tuple[str, ...]
    rulings: tuple[str, ...]
    house: tuple[str, ...]
    play: Exercised
    failing: tuple[str, ...] = ()
    """Titles of tests that fail: they pin nothing."""

    @property
    def summary(self) -> dict[str, int]:
        """How many rules there are, and how they stand."""
        return {
            "total": len(self.rules),
            "encoded": sum(each.encoded for each in self.rules),
            "not_applicable": sum(not each.applicable for each in self.rules),
            "tested": sum(bool(each.tests) and each.applicable for each in self.rules),
            "pinned": sum(each.pinned for each in self.rules),
            "exercised": sum(each.exercised for each in self.rules),
        }

    @property
    def clean(self) -> bool:
        """Is every applicable rule encoded, tested and pinned, and nothing contradicts the index?"""
        sound = all(
            not each.applicable or (each.encoded and each.tests and each.pinned) for each in self.rules
        )
        return sound and not self.findings and not self.failing and not self.play.failures

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        return {"game": self.game, "summary": self.summary, "rules": [each.data() for each in self.rules]}

    def lines(self) -> Iterator[str]:
        """The report in words."""
        for each in self.rules:
            marks = [
                "tested" if each.tests else "not tested",
                "pinned" if each.pinned else "not pinned",
                *(["exercised" if each.exercised else "not exercised"] if self.play.games else []),
            ]
            stands = each.status if not each.applicable else f"{each.status}, {', '.join(marks)}"
            yield f"{each.id} {each.title}: {stands}"
            for title in each.tests:
                yield f"    test {title}"
            for where in each.where:
                yield f"    {where}"
            if each.note:
                yield f"    {each.note}"
        yield from (f"finding: {each}" for each in self.findings)
        yield from (f"fails: {each}" for each in self.failing)
        yield from (f"a random game fails: {each}" for each in self.play.failures)
        told = self.summary
        yield (
            f"{told['total']} rules: {told['encoded']} encoded, {told['not_applicable']} not applicable, "
            f"{told['tested']} tested, {told['pinned']} pinned, {told['exercised']} exercised "
            f"in {self.play.games} random games"
        )


def rules(
    target: str,
    mods: Sequence[str] = (),
    *,
    games: int = GAMES,
    seed: int = 0,
    workers: int = WORKERS,
    on_progress: Progress | None = None,
    on_game: Progress | None = None,
    cache: Cache | None = None,
) -> RulesReport | Diagnostics:
    """The report on a game; diagnostics where it does not compile.

    What tests pin is found by mutation, which takes a while, and is remembered in the cache. `games` are random
    games from `seed` on.
    """
    made = build(target, mods, tests=True, cache=cache)
    if made.program is None:
        return made.diagnostics
    found = mutate(target, mods, workers=workers, first=True, on_progress=on_progress, cache=cache)
    if isinstance(found, Diagnostics):
        return found
    return report(made.program, found, exercised(Machine(made.program), games, seed, on_game))


def report(program: Program, mutation: MutationReport, play: Exercised) -> RulesReport:
    """The report, from what mutation and play found."""
    listed = [rule for rule in program.rules if rule.status not in OURS]
    reader = _Reader(program, mutation.pinned, play.ids(program))
    return RulesReport(
        program.name,
        tuple(reader.rule(rule) for rule in listed),
        tuple(dict.fromkeys(_findings(program))),
        tuple(rulings(program)),
        tuple(dict.fromkeys(house(program))),
        play,
        mutation.failing,
    )


class _Reader:
    """What is known of each id."""

    def __init__(self, program: Program, pinned: frozenset[str], played: frozenset[str]) -> None:
        self.rules: Mapping[str, Rule] = {rule.id: rule for rule in program.rules}
        self.pinned, self.played = pinned, played
        self.where: dict[str, list[str]] = {}
        self.tests: dict[str, list[str]] = {}
        for clause in program.clauses:
            for each in clause.ids if clause.kind != "test" else ():
                self.where.setdefault(each, []).append(f"{clause.place.file}:{clause.place.line}")
        for test in (each for each in program.tests if not each.skipped):
            for each in dict.fromkeys((*test.ids, *test.pins)):
                self.tests.setdefault(each, []).append(test.title)

    def rule(self, rule: Rule) -> RuleReport:
        through = rule.of if rule.status in BY_OTHERS else (rule.id,)
        where = tuple(dict.fromkeys(self.where.get(rule.id, ())))
        status, note = rule.status, rule.note
        if rule.status == "same_as":
            status = f"same_as {rule.of[0]}"
        elif rule.status == "definition":
            note = f"through {', '.join(rule.of)}" + (f"; {note}" if note else "")
        elif rule.status == "declared" and not where:
            status = "missing"
        if rule.status == "not_applicable":
            return RuleReport(rule.id, rule.title, status, where, (), False, False, note)
        return RuleReport(
            rule.id,
            rule.title,
            status,
            where,
            self._tests(rule, through),
            all(each in self.pinned for each in through),
            all(each in self.played for each in through),
            note,
        )

    def _tests(self, rule: Rule, through: tuple[str, ...]) -> tuple[str, ...]:
        """The tests of a rule itself and, where others carry it out and all are tested, theirs."""
        own = self.tests.get(rule.id, [])
        theirs = [self.tests.get(each, []) for each in through]
        carried = [title for titles in theirs for title in titles] if all(theirs) else []
        return tuple(dict.fromkeys((*own, *carried)))


def _findings(program: Program) -> Iterator[str]:
    """Ids that clauses cite and the index does not have, and rules declared that it says are not to be."""
    known = {rule.id: rule for rule in program.rules}
    if not known:
        yield f"{program.name} has no index of its rulebook: `index rulebook` in its header names the file"
        return
    books = {name.split("-")[0] for name in known}
    for clause in program.clauses:
        for each in clause.ids if clause.kind != "test" else ():
            at = f"{clause.place.file}:{clause.place.line}"
            rule = known.get(each)
            if rule is None and each.split("-")[0] in books:
                yield f"{at}: {each} is not in the index"
            elif rule is not None and rule.status in {"not_applicable", *BY_OTHERS}:
                yield f"{at}: {each} is declared here, and the index says {rule.status.replace('_', ' ')}"


# ---------------------------------------------------------------- what is ours


def rulings(program: Program) -> Iterator[str]:
    """Each ruling and option: its choices, the default, its source and place."""
    titles = {rule.id: rule.title for rule in program.rules}
    for option in program.options:
        clause = None if option.clause is None else program.clauses[option.clause]
        label = text_of(program, option.label)
        known = [titles[each] for each in (clause.ids if clause else ()) if each in titles]
        told = "; ".join(dict.fromkeys([*([label] if label else []), *known]))
        yield f"{option.kind} {option.name}: {_choices(option)}{_source(clause)}{': ' + told if told else ''}"


def _choices(option: Option) -> str:
    if option.range is not None:
        return f"{option.range[0]}..{option.range[1]} = {option.default}"
    return f"{' | '.join(option.choices)} = {option.choices[option.default]}"


def _source(clause: Clause | None) -> str:
    if clause is None:
        return ""
    cited = f" [{', '.join(clause.ids)}]" if clause.ids else ""
    return f"{cited} {clause.place.file}:{clause.place.line}"


def house(program: Program) -> Iterator[str]:
    """Each clause that is ours, with its words and the titles of its ids."""
    ours = {rule.id: rule.title for rule in program.rules if rule.status == "house"}
    for clause in program.clauses:
        named = [each for each in clause.ids if each in ours]
        if clause.house or named:
            titles = "; ".join(f"{each} {ours[each]}" for each in named)
            yield f"{clause.place.file}:{clause.place.line} {clause.text}{'  -- ' + titles if titles else ''}"
