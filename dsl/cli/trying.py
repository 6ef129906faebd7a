"""`check --play N`: random games of what was checked, and what they show."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from dsl.diagnostics.harmless import json_text
from dsl.records import record

if TYPE_CHECKING:
    from dsl.authoring.trials import Finding, Trials
    from dsl.library import Build
    from dsl.simulation.profiling import Profiled
    from dsl.source import Source

FINDINGS = 1
COVERED = 100
"""In how many games clauses are counted, where the fast engine plays the others."""


@record(frozen=True, slots=True)
class Play:
    """How many random games are to be played, from which seed on, told in which language, and by what."""

    games: int
    seed: int = 0
    language: str | None = None
    engine: str | None = None
    profile: bool = False
    """Is it told what takes their steps?"""
    steps: int | None = None
    """How many may be taken between two decisions."""


def tried(builds: Sequence[Build], play: Play) -> list[Trials]:
    """Plays random games of each program there is. Only the reference counts clauses: where the fast engine is to play,
    the first games are the reference's, and those behind them its own.
    """
    from dsl.authoring.resolve import undecided
    from dsl.authoring.trials import trials
    from dsl.cli.engines import PYTHON, WASM, machine_of
    from dsl.cli.places import here
    from dsl.engine.display import in_language

    found = []
    for made in builds:
        if made.program is not None:
            engine = PYTHON if play.games <= COVERED else play.engine
            machine = machine_of(in_language(made.program, play.language), engine, play.steps)
            covered = COVERED if machine.engine == WASM else None
            played = trials(machine, play.games, play.seed, _progress, covered=covered)
            played.place = partial(here, sources=made.sources)
            played.undecided = tuple(
                frozenset(f"{span.source.name}:{span.line}" for span in pair)
                for pair in undecided(made.diagnostics)
            )
            found.append(played)
    return found


def _progress(done: int, total: int) -> None:
    """A bar on a terminal, in a line that is overwritten and at last removed."""
    if not sys.stderr.isatty() or (done != total and done % max(1, total // 100)):
        return
    width = 30
    full = done * width // total
    line = "\r\033[K" if done == total else f"\r[{'#' * full}{'.' * (width - full)}] {done} of {total} games"
    click.echo(line, nl=False, err=True)


def profiles(builds: Sequence[Build], play: Play) -> list[tuple[Profiled, Sequence[Source]]]:
    """Plays the games of each program once more, to see what takes their steps; none where that is not wanted. Ctrl-C
    ends it with what has been counted.
    """
    if not play.profile:
        return []
    from dsl.cli.engines import PYTHON
    from dsl.cli.profiling import profiled
    from dsl.cli.programs import clear_progress
    from dsl.simulation.profiling import ProfilingEngine
    from dsl.simulation.running import Wanted, simulate

    found: list[tuple[Profiled, Sequence[Source]]] = []
    for made in builds:
        if made.program is not None:
            engine = ProfilingEngine(made.program, {}, steps=play.steps)
            wanted = Wanted(play.games, play.seed, engine=PYTHON)
            played = simulate(made.program, wanted, on_progress=_progress, engine=engine)
            found.append((profiled(made.program, engine.machine.profile, made.sources), made.sources))
            if not played.complete:
                clear_progress()
                told = f"profile broken off after {played.tally.played:,} of {play.games:,} games"
                click.echo(told, err=True)
                break
    return found


def tell_trials(found: Trials) -> None:
    """Who won, how it ended, and what stands out."""
    from dsl.cli.style import coloured
    from dsl.diagnostics.excerpt import printable

    for line in trial_lines(found):
        click.echo(printable(line))
    colour = coloured()
    for each in found.findings:
        word = click.style(
            "finding", fg="red" if each.kind in {"failure", "promise"} else "yellow", bold=True
        )
        click.echo(f"{word}: {printable(_told(each))}", color=colour)
    if not found.findings:
        click.echo("    nothing stands out: every objective, rule and piece had its part")


def _told(each: Finding) -> str:
    seed = f" (--seed {each.seed})" if each.seed is not None else ""
    return f"{each.message}{seed}{f'  {each.where}' if each.where else ''}"


def trial_lines(found: Trials) -> list[str]:
    """The figures of some games, in words."""
    from statistics import median

    from dsl.authoring.trials import ending_name

    name = found.program.scenario or found.program.name
    last = found.seed + found.games - 1
    ended = max(1, found.games - len(found.failures))
    lines = [f"{name}: {found.games} random games, seeds {found.seed} to {last}"]
    shares = [
        f"{', '.join(who) or 'nobody'} {count} ({100 * count / ended:.0f} %)"
        for who, count in found.winners.most_common()
    ]
    endings = [f"{ending_name(found.program, each)} {count}" for each, count in found.reasons.most_common()]
    for title, items in (("won by", shares), ("ended by", endings)):
        if items:
            lines.append(f"    {title}: {', '.join(items)}")
    for title, numbers in (("rounds", found.rounds), ("decisions", found.decisions)):
        if max(numbers, default=0):
            lines.append(
                f"    {title}: {min(numbers)} to {max(numbers)}, half of them by {median(numbers):.0f}"
            )
    if found.undecided:
        met = [each for each in found.undecided if found.meetings(each)]
        pairs = f"{len(found.undecided)} undecided pair{'s' if len(found.undecided) > 1 else ''} (W0407)"
        those = "; ".join(
            f"{' and '.join(sorted(each))} in {found.meetings(each)} of {found.games} games" for each in met
        )
        lines.append(
            f"    {pairs}: {f'{len(met)} met, {those}' if met else f'not met in {found.games} games'}"
        )
    if found.covered < found.games:
        lines.append(
            f"    what took effect: counted in the first {found.covered} games (in all: --engine python)"
        )
    return lines


def with_trials(document: str, found: Sequence[Trials], profiles: Sequence[Profiled] = ()) -> str:
    """A document of diagnostics with what the games showed as its `play`, and what took their steps."""
    from dsl.cli.profiling import profile_data

    data: dict[str, Any] = json.loads(document)
    data["play"] = [each.data() for each in found]
    for one, profile in zip(data["play"], profiles, strict=False):
        one["profile"] = profile_data(profile)
    return json_text(data) + "\n"


def exit_code(found: Sequence[Trials], strict: bool) -> int:
    """A rule that fails in play and a broken promise are faults; other findings count where warnings do."""
    if any(each.failures or each.otherwise or each.breaches for each in found):
        return FINDINGS
    return FINDINGS if strict and any(each.findings for each in found) else 0
