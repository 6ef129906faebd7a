"""Which rules the tests of a game hold: each cited clause is spoiled in turn, and the tests are run.

    found = mutate("my_game")
    found.unpinned                          # ids whose loss no test notices

What is done to each construct stands in `docs/reference/mutation.md`. A mutant that does not compile counts for
nothing. A mutant that runs away is stopped by a bound on steps, and noticed where a test fails by it.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from dsl.cache import Cache
from dsl.diagnostics import Diagnostics
from dsl.library import build, compiler_hash
from dsl.linker.modules import Modules
from dsl.source import Source
from dsl.testing.mutation.noticing import STEPS
from dsl.testing.mutation.reached import Coverage, covered
from dsl.testing.mutation.trial import Laboratory, Mutant, laboratory
from dsl.workers import deaf, processes

FORMAT = 1
WORKERS = os.cpu_count() or 1
GROUP = 40
"""Clauses that are tried together, at most."""
FEWEST = 10
"""Clauses that are tried together where several processes could share them."""
ENGINE = ("engine", "testing")
"""Packages that decide, beside the compiler, what a mutant does."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Barren:
    """A clause none of whose mutants compiles: it says nothing about its ids."""

    ids: tuple[str, ...]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class MutationReport:
    """All mutants of a game, in the order of its files.

    `failing` are the tests that fail before anything is changed: they count for nothing.
    """

    mutants: tuple[Mutant, ...]
    barren: tuple[Barren, ...]
    failing: tuple[str, ...]
    cached: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids that a clause cites, in order."""
        tried = {each for mutant in self.mutants for each in mutant.ids}
        return tuple(sorted(tried | {each for barren in self.barren for each in barren.ids}))

    @property
    def pinned(self) -> frozenset[str]:
        """The ids whose loss some test notices."""
        return frozenset(each for mutant in self.mutants if mutant.noticed for each in mutant.ids)

    @property
    def unpinned(self) -> tuple[str, ...]:
        """The ids whose loss no test notices."""
        return tuple(each for each in self.ids if each not in self.pinned)

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """The mutants that no test notices, of pinned ids too."""
        return tuple(each for each in self.mutants if each.noticed is None)

    def lines(self, *, verbose: bool = False) -> Iterator[str]:
        """The report in words; `verbose` with the mutants that survive although their ids are pinned."""
        for title in self.failing:
            yield f"fails before anything is changed: {title}"
        for rule in self.unpinned:
            yield f"{rule} is not pinned"
            for each in self.survivors:
                if rule in each.ids:
                    yield f"    {each.file}:{each.line} {each.kind}, {each.what}: no test notices"
            for barren in self.barren:
                if rule in barren.ids:
                    yield f"    {barren.file}:{barren.line}: nothing that can be done to it compiles"
        for each in self.survivors if verbose else ():
            if not set(each.ids) & set(self.unpinned):
                yield f"[{', '.join(each.ids)}] {each.file}:{each.line} {each.kind}, {each.what}: no test notices"
        if not self.ids:
            yield "nothing cites a rule here: number your own, as in [MY-01], to see which of them tests pin"
            return
        noticed = len(self.mutants) - len(self.survivors)
        yield (
            f"{len(self.ids) - len(self.unpinned)} of {len(self.ids)} ids pinned; "
            f"tests notice {noticed} of {len(self.mutants)} mutants"
        )


def mutate(
    target: str,
    mods: Sequence[str] = (),
    *,
    workers: int = WORKERS,
    first: bool = False,
    own: bool = False,
    on_progress: Progress | None = None,
    cache: Cache | None = None,
) -> MutationReport | Diagnostics:
    """Spoils each cited clause of a game in turn; diagnostics where the game itself does not compile.

    With `first` a clause is left as soon as a test notices one of its mutants: enough to know what is pinned. With
    `own`, of a scenario or mod only its own clauses are spoiled.
    `on_progress` is told how many clauses are done, and of how many. With a cache, a game that has not changed
    since is not tried again.
    """
    made = build(target, mods, tests=True, cache=cache)
    extent = f"own {target} " if own else ""
    whole, short = (_key(made.sources, f"{extent}{each}") for each in ("", "first "))
    known = _recalled(cache, whole) or (_recalled(cache, short) if first else None)
    if known is not None:
        return known
    program = made.program
    if program is None:
        return made.diagnostics
    read = _read(target, mods)
    if isinstance(read, Diagnostics):
        return read
    coverage, failing = covered(program, STEPS)
    lab = laboratory(read, failing, coverage, own=own)
    report = _report(lab, list(_tried(lab, (target, tuple(mods), first, own), workers, on_progress)))
    if cache is not None:
        cache.write(short if first else whole, _encoded(report))
    return report


def _read(target: str, mods: Sequence[str]) -> Modules | Diagnostics:
    """The trees of a game and its tests."""
    diagnostics = Diagnostics()
    modules = Modules(diagnostics, tests=True)
    if modules.open(target):
        for mod in mods:
            modules.add_mod(mod)
        modules.add_prelude()
    return diagnostics if diagnostics.has_errors or not modules.layers else modules


def _tried(
    lab: Laboratory, what: tuple[str, tuple[str, ...], bool, bool], workers: int, on_progress: Progress | None
) -> Iterator[list[Mutant]]:
    """The mutants of each clause, in order."""
    total = len(lab.sites)
    size = max(FEWEST, min(GROUP, -(-total // max(1, workers))))
    groups = [range(start, min(start + size, total)) for start in range(0, total, size)]
    if workers <= 1:
        results: Iterable[list[list[Mutant]]] = (lab.clauses(group, first=what[2]) for group in groups)
        yield from _counted(results, total, on_progress)
        return
    with processes(workers, _open, *what, lab.failing, lab.coverage) as pool:
        with deaf():
            results = pool.map(_clauses, groups)
        yield from _counted(results, total, on_progress)


def _counted(
    results: Iterable[list[list[Mutant]]], total: int, on_progress: Progress | None
) -> Iterator[list[Mutant]]:
    for number, each in enumerate(chain.from_iterable(results), 1):
        if on_progress is not None:
            on_progress(number, total)
        yield each


_laboratory: Laboratory | None = None
_first = False


def _open(
    target: str,
    mods: tuple[str, ...],
    first: bool,
    own: bool,
    failing: frozenset[str],
    coverage: Coverage | None,
) -> None:
    """A worker reads the game for itself, and never looks for garbage in what it has read."""
    global _laboratory, _first
    read = _read(target, mods)
    assert isinstance(read, Modules)
    _laboratory, _first = laboratory(read, failing, coverage, own=own), first
    gc.freeze()


def _clauses(numbers: range) -> list[list[Mutant]]:
    assert _laboratory is not None
    return _laboratory.clauses(numbers, first=_first)


def _report(lab: Laboratory, done: list[list[Mutant]]) -> MutationReport:
    names = lab.modules.file_names()
    barren = []
    for site, mutants in zip(lab.sites, done, strict=True):
        if not mutants:
            span = site.node.span
            barren.append(Barren(site.citation.ids, names.get(span.source.name, span.source.name), span.line))
    every = tuple(each for mutants in done for each in mutants)
    return MutationReport(every, tuple(barren), tuple(sorted(lab.failing)))


# ---------------------------------------------------------------- what is remembered


def _key(sources: Iterable[Source], extent: str) -> str:
    """Names what a report depends on: the sources, the compiler and the engine, and how far it goes."""
    digest = hashlib.sha256(f"{extent}{FORMAT} {compiler_hash()}".encode())
    package = Path(__file__).resolve().parent.parent
    for name in ENGINE:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(path.read_bytes())
    for source in sources:
        digest.update(f"\0{source.name}\0{source.text}".encode())
    return f"mutation-{digest.hexdigest()}.json"


def _encoded(report: MutationReport) -> bytes:
    data = {
        "mutants": [asdict(each) for each in report.mutants],
        "barren": [asdict(each) for each in report.barren],
        "failing": report.failing,
    }
    return json.dumps(data, ensure_ascii=False).encode()


def _recalled(cache: Cache | None, key: str) -> MutationReport | None:
    """A report that was kept; none where there is none, or one that cannot be read."""
    data = cache.read(key) if cache is not None else None
    if data is None:
        return None
    try:
        found = json.loads(data)
        mutants = tuple(Mutant(**{**each, "ids": tuple(each["ids"])}) for each in found["mutants"])
        barren = tuple(Barren(**{**each, "ids": tuple(each["ids"])}) for each in found["barren"])
        return MutationReport(mutants, barren, tuple(found["failing"]), cached=True)
    except (ValueError, KeyError, TypeError):
        return None
