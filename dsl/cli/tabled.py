"""Games as a table for other tools: a Parquet file with a row for each game, written by pyarrow."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.files import write_atomically

if TYPE_CHECKING:
    from dsl.simulation.comparing import Tried

FORMAT, VERSION = "scenarii-games", 1
SELECT_PARQUET = click.option(
    "--parquet",
    metavar="FILE",
    help="Also write a table with a row for each game, for other tools (needs the extra `parquet`).",
)


def check_parquet(path: str, *, state: str | None) -> None:
    """Refuses a table that cannot be written, before anything is played."""
    if state is not None:
        raise click.UsageError("--parquet has each game of this run: leave --state out.")
    if find_spec("pyarrow") is None:
        raise click.ClickException(
            said(tr("Parquet needs pyarrow: install the extra `parquet`, or leave --parquet out"))
        )
    if not Path(path).resolve().parent.is_dir():
        raise click.UsageError(tr("there is no folder for {report}.", report=path))


def write(path: Path, tried: Sequence[Tried]) -> None:
    """Writes the table."""
    try:
        write_atomically(path, table_of(tried))
    except OSError as error:
        raise click.ClickException(
            said(tr("{path} cannot be written: {reason}", path=path, reason=error.strerror or str(error)))
        ) from None


def table_of(tried: Sequence[Tried]) -> bytes:
    """The table as Parquet: the same bytes for the same games and the same pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.string()
    schema = pa.schema(
        [
            ("variant", text),
            ("seed", pa.int64()),
            ("seats", pa.list_(text)),
            ("winners", pa.list_(text)),
            ("ending", text),
            ("choices", pa.int32()),
            ("decisions", pa.int32()),
            ("failure", text),
            ("broken_line", pa.int32()),
        ],
        metadata={"scenarii": json.dumps(_about(tried))},
    )
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for each in tried:
        _add(columns, each)
    out = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema), out, compression="zstd")
    return out.getvalue()


def _about(tried: Sequence[Tried]) -> dict[str, Any]:
    """Which games they are."""
    from dsl.ir.identity import identity

    return {
        "format": FORMAT,
        "version": VERSION,
        "variants": [
            {
                "name": each.name,
                "game": each.program.name,
                "scenario": each.program.scenario,
                "program": identity(each.program),
                "options": dict(each.simulation.wanted.options),
                "players": list(each.simulation.wanted.players) or ["random"],
            }
            for each in tried
        ],
    }


def _add(columns: dict[str, list[Any]], tried: Tried) -> None:
    """The games of a variant. What a game has not come to, as its rules failed, is null."""
    from dsl.authoring.trials import ending_name
    from dsl.engine.bits import bits
    from dsl.players.seats import RANDOM

    program = tried.program
    for row in tried.simulation.tally.rows or ():
        played = row.played
        ended = not played.failure and played.broken is None
        values = {
            "variant": tried.name,
            "seed": row.seed,
            "seats": list(row.seats) or [RANDOM] * len(tried.players),
            "winners": [tried.players[each] for each in bits(played.winners)] if ended else None,
            "ending": ending_name(program, played.reason) if ended else None,
            "choices": None if played.failure else played.choices,
            "decisions": played.decisions if ended else None,
            "failure": played.failure or None,
            "broken_line": played.broken[0] if played.broken is not None else None,
        }
        for name, value in values.items():
            columns[name].append(value)
