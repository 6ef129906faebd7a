"""Games on the workers of a Dask cluster: a program and seeds go out, tallies come back.

Dask reads what it is sent with `pickle`, on all sides; whoever may speak to one of them may run code there. So only
addresses `tls://HOST:PORT` are spoken to, and only by certificates of an authority of one's own: who does not have one
is a stranger, and is refused before Dask reads a byte. Then it is asked, in this order, which Dask the scheduler has,
and which Scenarii each worker has. Only when all are the same as here does a program go out.

What workers give back is JSON, and is checked as a file from anywhere is.

    with connected("tls://10.0.0.5:8786", program, wanted) as workers:
        found = simulate(program, wanted, workers=workers)
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from dsl.catalogue import tr
from dsl.diagnostics import Diagnostics
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.ir.codec import decode, encode
from dsl.ir.limits import MAX_BYTES
from dsl.ir.program import Program
from dsl.players.seats import SeatError
from dsl.simulation.playing import Engine
from dsl.simulation.resuming import MOST_BYTES, counted_of, tally_of
from dsl.simulation.running import Lost, Wanted
from dsl.simulation.tally import Tally

PATIENCE = 5.0
"""Seconds in which the other side has to answer."""
CODE = ("*.py", "*.wat")
"""What has to be equal on all sides."""
GONE = 30.0
"""Seconds without any worker after which nobody waits for another."""
PORTION = 0.5
"""How many seconds a portion should take, for few workers."""
SCHEDULED = 0.01
"""Seconds of a portion for each worker: to hand one out and to count it takes some milliseconds."""


class ClusterError(Exception):
    """A cluster that is not there, is not trusted, or cannot play these games."""


@cache
def same() -> str:
    """What has to be the same here and there: the version, and the code of this package."""
    digest = code_digest(Path(__file__).resolve().parent.parent)
    try:
        number = version("scenarii")
    except PackageNotFoundError:
        number = "0"
    return f"{number} ({digest[:12]})"


def code_digest(package: Path) -> str:
    """SHA-256 over the names and bytes of the code in a folder and below."""
    digest = hashlib.sha256()
    for path in sorted(each for kind in CODE for each in package.rglob(kind)):
        data, name = path.read_bytes(), path.relative_to(package).as_posix().encode()
        digest.update(b"%d %d " % (len(name), len(data)) + name + data)
    return digest.hexdigest()


# ---------------------------------------------------------------- on a worker


def probe() -> bytes:
    """On a worker: which Scenarii it has."""
    return same().encode()


def portion(document: bytes, asked: bytes, seed: int, games: int) -> bytes:
    """On a worker: plays games, and gives what they came to as JSON; or why it cannot."""
    begun = perf_counter()
    try:
        with _playing:
            wanted, engine = _engine(document, asked)
            tally = engine.play(seed, games)
    except (ValueError, RuleFailure, MemoryError) as error:
        return json.dumps({"refused": str(error)[:500] or type(error).__name__}).encode()
    found = {"counted": counted_of(wanted, tally), "decisions": tally.decisions}
    return json.dumps({**found, "seconds": perf_counter() - begun}).encode()


_playing = Lock()
"""An engine plays for one thread: a worker needs no more."""
_engines: dict[tuple[str, bytes], tuple[Wanted, Engine]] = {}
"""The engine that was used last."""


def _engine(document: bytes, asked: bytes) -> tuple[Wanted, Engine]:
    key = hashlib.sha256(document).hexdigest(), asked
    if key not in _engines:
        data = json.loads(asked)
        if data.pop("same") != same():
            raise ValueError(tr("a worker has another Scenarii: {version}", version=same()))
        program = decode(document, Diagnostics())
        if program is None:
            raise ValueError(tr("a worker cannot read the program"))
        wanted = Wanted(**data | {"players": tuple(data["players"])})
        try:
            made = wanted.made(program)
        except (StartError, SeatError, Unplayable) as error:
            raise ValueError(str(error)) from None
        _engines.clear()
        _engines[key] = wanted, made
    return _engines[key]


# ---------------------------------------------------------------- here


class _Waiting:
    """A portion that is being played on a cluster."""

    def __init__(self, cluster: Cluster, future: Any, games: int) -> None:
        self._cluster, self._future, self._games = cluster, future, games

    def result(self) -> tuple[Tally, float]:
        """What it came to. Raises `Lost`."""
        data = self._cluster.answer(self._future)
        found = tally_in(data, self._cluster.wanted, self._games)
        self._cluster.received += len(data) if isinstance(data, bytes) else 0
        return found

    def cancel(self) -> object:
        """Nobody waits for it any more."""
        return self._future.cancel()


class Cluster:
    """The workers of a cluster, who know a program."""

    def __init__(self, client: Any, workers: int, program: Program, wanted: Wanted) -> None:
        document = encode(program)
        if len(document) > MAX_BYTES:
            raise ClusterError(tr("the program is too large to be sent"))
        asked = {each.name: getattr(wanted, each.name) for each in fields(wanted)}
        asked |= {"options": dict(wanted.options), "same": same()}
        self._client, self.wanted = client, wanted
        self._asked = json.dumps(asked).encode()
        self.jobs = workers
        self.portion = max(PORTION, SCHEDULED * workers)
        self.sent, self.received = len(document), 0
        """Bytes of the program, and of what came back."""
        name = f"scenarii-program-{hashlib.sha256(document).hexdigest()}"
        self._document = client.submit(bytes, document, key=name)

    def submit(self, seed: int, games: int) -> _Waiting:
        """Hands out a portion."""
        future = self._client.submit(portion, self._document, self._asked, seed, games, pure=False)
        return _Waiting(self, future, games)

    def answer(self, future: Any) -> object:
        """What a worker gave, also where others are lost meanwhile; raises `Lost` where nobody is left to give it."""
        from distributed import TimeoutError as Late

        alone = 0.0
        while True:
            try:
                return future.result(timeout=1)
            except Late:
                pass
            except Exception as error:  # whatever a cluster dies of: its errors share no class
                raise Lost(f"{type(error).__name__}: {str(error)[:200]}") from None
            alone = 0.0 if _workers(self._client) else alone + 1
            if alone >= GONE:
                raise Lost(tr("no worker is left"))


def tally_in(data: object, wanted: Wanted, games: int) -> tuple[Tally, float]:
    """The tally of so many games in what a worker gave, and the seconds that it took. Raises `Lost`."""
    try:
        if not isinstance(data, bytes) or len(data) > MOST_BYTES:
            raise ValueError
        found = json.loads(data)
        if "refused" in found:
            raise Lost(str(found["refused"])[:500])
        tally, seconds = tally_of(found["counted"], counted=wanted.counted), found["seconds"]
        decisions = found["decisions"]
        if tally.played != games or not isinstance(decisions, int) or not 0 <= seconds < 1e9:
            raise ValueError
        tally.decisions = decisions
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Lost(tr("a worker gave what is no tally of its games")) from None
    return tally, seconds


@contextmanager
def connected(address: str, program: Program, wanted: Wanted) -> Iterator[Cluster]:
    """The workers of the cluster at an address. Raises `ClusterError`, before anything of a program is sent."""
    host, port = place_of(address)
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise ClusterError(tr("a cluster needs Dask: install the extra `cluster`")) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    try:
        security = Security(require_encryption=True)
        arguments = security.get_connection_args("client")
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(tr("the certificates cannot be read: {reason}", reason=str(error))) from None
    context = arguments["ssl_context"]
    if context is None:
        raise ClusterError(
            tr("no certificates are set: DASK_DISTRIBUTED__COMM__TLS__CA_FILE and those of the client")
        )
    greet(host, port, context)
    _ask_version(address, arguments)
    try:
        client = Client(address, security=security, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # whatever keeps it from connecting: its errors share no class
        raise _unusable(address, error) from None
    try:
        yield Cluster(client, _ask_workers(address, client), program, wanted)
    finally:
        client.close(timeout=PATIENCE)


def place_of(address: str) -> tuple[str, int]:
    """The host and the port of an address. Raises `ClusterError`."""
    try:
        found = urlsplit(address)
        host, port = found.hostname, found.port
    except ValueError:
        host, port = None, None
    if not host or not port or found.scheme != "tls" or found.path or found.query or len(address) > 300:
        raise ClusterError(
            tr("`{address}` is no address of a cluster with TLS: write tls://HOST:PORT", address=address[:80])
        )
    return host, port


def greet(host: str, port: int, context: ssl.SSLContext) -> None:
    """Sees by its certificate that it is no stranger who listens there. Raises `ClusterError`."""
    address = f"tls://{host}:{port}"
    try:
        with socket.create_connection((host, port), PATIENCE) as plain, context.wrap_socket(plain):
            pass
    except TimeoutError:
        raise ClusterError(tr("{address} does not answer", address=address)) from None
    except ssl.SSLError as error:
        reason = error.reason or str(error)
        raise ClusterError(
            tr("who listens at {address} is not trusted ({reason})", address=address, reason=reason)
        ) from None
    except OSError as error:
        raise _unusable(address, error) from None


def _unusable(address: str, error: Exception) -> ClusterError:
    reason = getattr(error, "strerror", None) or str(error)[:200] or type(error).__name__
    return ClusterError(
        tr("no cluster can be reached at {address}: {reason}", address=address, reason=reason)
    )


def _ask_version(address: str, arguments: dict[str, Any]) -> None:
    """Refuses a scheduler with another Dask."""
    from distributed.core import connect

    async def ask() -> Any:
        comm = await connect(address, timeout=PATIENCE, **arguments)
        try:
            await comm.write({"op": "versions", "packages": [], "reply": True})
            return await comm.read()
        finally:
            await comm.close()

    try:
        found = asyncio.run(asyncio.wait_for(ask(), 2 * PATIENCE))
        there = str(found["packages"]["distributed"])[:40]
    except Exception as error:  # whatever it answers, and however it breaks off
        raise _unusable(address, error) from None
    here = version("distributed")
    if there != here:
        raise ClusterError(
            tr(
                "the cluster at {address} has Dask {there}, and here is {here}: take the same",
                address=address,
                there=there,
                here=here,
            )
        )


def _ask_workers(address: str, client: Any) -> int:
    """How many workers there are. Refuses those with another Scenarii, or none."""
    if not _workers(client):
        raise ClusterError(tr("the cluster at {address} has no workers", address=address))
    try:
        found = client.sync(client._run, probe, on_error="return", callback_timeout=4 * PATIENCE)
    except Exception as error:  # a worker that does not answer, or is lost meanwhile
        raise _unusable(address, error) from None
    for worker, answer in sorted(found.items()):
        if answer != probe():
            there = answer[:40].decode("utf-8", "replace") if isinstance(answer, bytes) else "-"
            raise ClusterError(
                tr(
                    "the worker {worker} has Scenarii {there}, and here is {here}: take the same",
                    worker=worker,
                    there=there,
                    here=same(),
                )
            )
    return len(found)


def _workers(client: Any) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])
