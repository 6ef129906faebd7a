"""A Dask cluster on this machine, with a certificate of its own: for tests and for the benchmark."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STARTS = 60
"""Seconds within which it has started."""


@dataclass(frozen=True)
class Running:
    address: str
    workers: list[subprocess.Popen[bytes]]
    config: dict[str, Any]
    """What the client's Dask has to know."""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A new certificate that is its own authority, and its key."""
    key, crt = folder / "cluster.key", folder / "cluster.crt"
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=scenarii")
    command = (
        "openssl",
        "req",
        "-x509",
        *kind,
        "-nodes",
        "-days",
        "2",
        "-keyout",
        str(key),
        "-out",
        str(crt),
    )
    subprocess.run(command, check=True, capture_output=True)
    return crt, key


def config_of(crt: Path, key: Path) -> dict[str, Any]:
    tls = "distributed.comm.tls"
    return {f"{tls}.ca-file": str(crt), f"{tls}.client.cert": str(crt), f"{tls}.client.key": str(key)}


@contextmanager
def running(folder: Path, workers: int) -> Iterator[Running]:
    """A scheduler and so many workers, of one thread each."""
    crt, key = certificate(folder)
    found = folder / "scheduler.json"
    secure = ("--tls-ca-file", str(crt), "--tls-cert", str(crt), "--tls-key", str(key))
    plain = ("--no-dashboard", "--scheduler-file", str(found))
    here = ("--protocol", "tls", "--host", "127.0.0.1")
    started = [_started(folder, "scheduler", *here, "--port", "0", *plain, *secure)]
    try:
        deadline = time.monotonic() + STARTS
        while not found.exists() or not found.read_text():
            assert started[0].poll() is None and time.monotonic() < deadline, "no scheduler"
            time.sleep(0.05)
        address = json.loads(found.read_text())["address"]
        one = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        started += [_started(folder, "worker", address, *one, *secure) for _ in range(workers)]
        made = Running(address, started[1:], config_of(crt, key))
        _wait_for(made, workers, deadline)
        yield made
    finally:
        for each in started:
            each.kill()
            each.wait()


def _started(folder: Path, what: str, *arguments: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = (sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments)
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=silent, stderr=silent)


def _wait_for(made: Running, workers: int, deadline: float) -> None:
    import dask
    from distributed import Client
    from distributed.security import Security

    with dask.config.set(made.config):
        security = Security(require_encryption=True)
    with Client(made.address, security=security, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=max(1, deadline - time.monotonic()))
