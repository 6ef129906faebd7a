"""`--cluster`: games that are played on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dsl.ir.program import Program
    from dsl.simulation.cluster import Cluster
    from dsl.simulation.running import Wanted

SELECT_CLUSTER = click.option(
    "--cluster",
    metavar="tls://HOST:PORT",
    help="Play on the workers of a Dask cluster that you trust (needs the extra `cluster`).",
)


def check_cluster(address: str | None, *, jobs: int, parquet: str | None) -> None:
    """Refuses what does not go with a cluster."""
    if address is None:
        return
    if jobs > 1:
        raise click.UsageError("--cluster has processes of its own: leave --jobs out.")
    if parquet is not None:
        raise click.UsageError("--cluster gives what games came to, not each of them: leave --parquet out.")


@contextmanager
def workers_of(address: str | None, program: Program, wanted: Wanted) -> Iterator[Cluster | None]:
    """The workers at an address, where one is given; says why there are none, and ends the command."""
    if address is None:
        yield None
        return
    from dsl.simulation.cluster import ClusterError, connected

    try:
        with connected(address, program, wanted) as workers:
            yield workers
    except ClusterError as error:
        raise click.ClickException(str(error)) from None
