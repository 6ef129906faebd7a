"""Simulations that end when they are sure, that are told on the way, and that go on where they were stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told, tr
from dsl.cli.programs import clear_progress, show_progress

if TYPE_CHECKING:
    from dsl.ir.program import Program
    from dsl.simulation.running import Progress, Simulation, Wanted, Workers
    from dsl.simulation.tally import Tally

EVERY = 5.0
"""Seconds after which what has been counted is written again."""
PATIENCE = 2.0
"""Seconds after which it is said how much is left."""
NARROWEST, WIDEST = 0.0001, 0.5
MINUTE, HOUR = 60, 3600


class Narrow(click.ParamType[float]):
    """Half the width of an interval: `1%`, `0.5%`."""

    name = "percent"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value)
        try:
            found = float(text.removesuffix("%")) / 100 if text.endswith("%") and len(text) <= 12 else -1.0
        except ValueError:
            found = -1.0
        if not NARROWEST <= found <= WIDEST:
            self.fail(
                told(
                    tr(
                        "`{text}` is no such width: say how many per cent, from 0.01% to 50%, such as 1%",
                        text=text,
                    )
                ),
                param,
                ctx,
            )
        return found


SELECT_UNTIL = click.option(
    "--until",
    metavar="PERCENT",
    type=Narrow(),
    help="End as soon as the shares are known to so much on either side, such as 1%; at the latest after --games.",
)
SELECT_COUNT = click.option(
    "--count", "counted", is_flag=True, help="Count what is chosen and had, and how those fare who do."
)
SELECT_COUNT_RULES = click.option(
    "--count-rules",
    "ruled",
    is_flag=True,
    help="With --count: count which rules take effect, too (slower: the rules are then run by Python).",
)
SELECT_REPORT = click.option(
    "--report",
    metavar="FILE.html",
    help="Also write a page with tables and plots (needs the extra `report`).",
)
SELECT_STATE = click.option(
    "--state", metavar="FILE", help="Keep what is counted in a file, and go on from there when asked again."
)


class Keeper:
    """Keeps what a simulation counts, in a file where one is named."""

    def __init__(self, file: str | None, wanted: Wanted, program: Program) -> None:
        from dsl.ir.identity import identity

        self.path = Path(file) if file is not None else None
        self.wanted, self.program = wanted, identity(program)
        self._last = perf_counter()

    def earlier(self) -> Tally | None:
        """What was counted before; refuses a file of other games."""
        from dsl.simulation.resuming import StateError, kept

        if self.path is None:
            return None
        try:
            return kept(self.path, self.wanted, self.program)
        except StateError as error:
            raise click.UsageError(f"{error}.") from None
        except OSError as error:
            raise unusable(self.path, error) from None

    def on_count(self, tally: Tally) -> None:
        """Writes what is counted, from time to time."""
        if self.path is not None and perf_counter() > self._last + EVERY:
            self.keep(tally)

    def keep(self, tally: Tally) -> None:
        """Writes what is counted."""
        from dsl.simulation.resuming import keep

        if self.path is None:
            return
        try:
            keep(self.path, self.wanted, self.program, tally)
        except OSError as error:
            raise unusable(self.path, error) from None
        self._last = perf_counter()


class AllKeeper:
    """Keeps what a comparison counts of all its variants, in a file where one is named."""

    def __init__(self, file: str | None, wanted: Sequence[Wanted], programs: Sequence[Program]) -> None:
        from dsl.ir.identity import identity

        self.path = Path(file) if file is not None else None
        self.asked = [(each, identity(program)) for each, program in zip(wanted, programs, strict=True)]
        self.tallies: list[Tally | None] = self._earlier()
        self._last = perf_counter()

    def _earlier(self) -> list[Tally | None]:
        from dsl.simulation.resuming import StateError, kept_all

        if self.path is None:
            return [None for _ in self.asked]
        try:
            return kept_all(self.path, self.asked)
        except StateError as error:
            raise click.UsageError(f"{error}.") from None
        except OSError as error:
            raise unusable(self.path, error) from None

    def counted(self, number: int, tally: Tally, *, now: bool = False) -> None:
        """Takes what is counted of a variant, and writes all from time to time, or now."""
        from dsl.simulation.resuming import keep_all

        self.tallies[number] = tally
        if self.path is None or not (now or perf_counter() > self._last + EVERY):
            return
        entries = [
            (*asked, kept) for asked, kept in zip(self.asked, self.tallies, strict=True) if kept is not None
        ]
        try:
            keep_all(self.path, entries)
        except OSError as error:
            raise unusable(self.path, error) from None
        self._last = perf_counter()


def unusable(path: Path, error: OSError) -> click.ClickException:
    """That a file cannot be read or written, and why."""
    return click.ClickException(
        told(tr("{path} cannot be used: {reason}", path=path, reason=error.strerror or str(error)))
    )


def run_kept(
    run: Callable[..., Simulation],
    program: Program,
    wanted: Wanted,
    jobs: int,
    state: str | None,
    workers: Workers | None = None,
) -> Simulation:
    """Plays games, by `workers` elsewhere where there are some, with what was counted before in a file, and keeps
    there what is counted.
    """
    keeper = Keeper(state, wanted, program)
    earlier = keeper.earlier()
    found = run(program, wanted, jobs, shown(), earlier=earlier, on_count=keeper.on_count, workers=workers)
    if not found.complete or found.sure:
        clear_progress()
    keeper.keep(found.tally)
    return found


def shown() -> Progress:
    """Tells on a terminal how many games are played, and about how long it still takes."""
    begun, before = perf_counter(), -1

    def show(done: int, total: int) -> None:
        nonlocal before
        if before < 0:
            before = done
        passed, made = perf_counter() - begun, done - before
        what = "games"
        if passed > PATIENCE and made and done < total:
            what = f"games, {left(passed * (total - done) / made)}   "
        show_progress(done, total, what)

    return show


def left(seconds: float) -> str:
    """A time that is left, roughly."""
    if seconds >= HOUR:
        return told(tr("about {hours} h left", hours=round(seconds / HOUR, 1)))
    if seconds >= MINUTE:
        return told(tr("about {minutes} min left", minutes=round(seconds / MINUTE)))
    return told(tr("about {seconds} s left", seconds=round(seconds)))
