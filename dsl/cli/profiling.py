"""`--profile`: which heads and lines take the steps and the time of random games, as tables and as a flame graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dsl.catalogue import tr
from dsl.cli.places import here, source_here
from dsl.diagnostics.excerpt import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dsl.engine.codegen.shares import Spot
    from dsl.engine.profile import Profile
    from dsl.ir.program import Program
    from dsl.simulation.profiling import Entry, Profiled
    from dsl.source import Source

MOST = 12
"""Heads, and lines, of a table."""
WIDEST = 60

SELECT_PROFILE = click.option(
    "--profile",
    is_flag=True,
    help="Tell which heads and lines take the steps and the time (Python engine only).",
)
SELECT_OUTPUT = click.option(
    "--profile-output",
    "stacks",
    metavar="FILE",
    help="Also write the profile to FILE as collapsed stacks, for a flame graph.",
)


def refuse_profile(engine: str | None, stacks: str | None, *, wanted: bool) -> None:
    """What cannot go together with a profile."""
    from dsl.cli.engines import WASM

    if stacks is not None and not wanted:
        raise click.UsageError("--profile-output goes with --profile.")
    if wanted and engine == WASM:
        raise click.UsageError(
            "--profile goes with the Python engine alone: leave out --engine wasm. Both engines count the same steps."
        )


def profiled(program: Program, profile: Profile, sources: Sequence[Source]) -> Profiled:
    """The figures of a profile, with the text of the lines as it stands in the sources."""
    from dsl.simulation.profiling import Profiled

    known = {(each.place.file, each.place.line): each.text for each in reversed(program.clauses)}

    def text_at(spot: Spot) -> str:
        file, line = spot
        source = source_here(file, sources)
        if source is None or not 1 <= line <= len(source.line_starts):
            return known.get(spot, "")
        return source.line_text(line).strip()

    return Profiled(program, profile, text_at)


def profile_lines(found: Profiled, sources: Sequence[Source]) -> list[str]:
    """The tables: the heads, and the lines, that take most."""
    if not found.steps:
        return ["profile: no steps have been counted"]
    whole = f"{found.steps:,} steps, {found.seconds:.2f} s in the rules (slowed down by the profile itself)"
    lines = [f"profile: {whole}"]
    for title, entries, text in (
        ("head", found.heads, lambda each: f"{_cut(each.name)}  {_place(each, sources)}".rstrip()),
        ("line", found.lines, lambda each: f"{_place(each, sources)}  {_cut(each.name)}".strip()),
    ):
        lines += ["", *_table(found, title, entries, text)]
    return lines


def _table(found: Profiled, title: str, entries: list[Entry], text: Callable[[Entry], str]) -> Iterable[str]:
    nanoseconds = max(1.0, found.seconds * 1e9)
    yield f"   steps   with all    time   with all        runs  {title}"
    for each in entries[:MOST]:
        steps = (each.own.steps / found.steps, each.total.steps / found.steps)
        times = (each.own.nanoseconds / nanoseconds, each.total.nanoseconds / nanoseconds)
        figures = f"{steps[0]:8.1%} {steps[1]:9.1%} {times[0]:8.1%} {times[1]:9.1%} {each.runs:12,}"
        yield f"{figures}  {printable(text(each))}"
    rest = entries[MOST:]
    if rest:
        share = sum(each.own.steps for each in rest) / found.steps
        yield f"{share:8.1%} {'':41} {len(rest)} more"


def _place(each: Entry, sources: Sequence[Source]) -> str:
    return here(f"{each.spot[0]}:{each.spot[1]}", sources) if each.spot[0] else ""


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def profile_data(found: Profiled) -> dict[str, Any]:
    """All of a profile as JSON has it. What is in seconds differs from run to run."""

    def rows(name: str, entries: list[Entry]) -> list[dict[str, Any]]:
        return [
            {
                name: each.name,
                "file": each.spot[0],
                "line": each.spot[1],
                "runs": each.runs,
                "steps": each.own.steps,
                "total_steps": each.total.steps,
                "seconds": round(each.own.nanoseconds / 1e9, 6),
                "total_seconds": round(each.total.nanoseconds / 1e9, 6),
            }
            for each in entries
        ]

    return {
        "steps": found.steps,
        "seconds": round(found.seconds, 6),
        "heads": rows("head", found.heads),
        "lines": rows("text", found.lines),
    }


def write_stacks(found: Profiled, output: str) -> None:
    """Writes the collapsed stacks; ends the command where the file cannot be written."""
    from dsl.files import write_atomically

    try:
        write_atomically(Path(output), found.stacks())
    except OSError as error:
        raise click.UsageError(
            tr("{output} cannot be written: {strerror}", output=output, strerror=error.strerror or error)
        ) from None
