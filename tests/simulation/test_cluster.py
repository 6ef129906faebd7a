"""Simulations on a Dask cluster: the same statistics, also where a worker is lost; strangers are refused."""

import json
import pickle
import shutil
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.simulation import cluster
from dsl.simulation.cluster import ClusterError, code_digest, connected, tally_in
from dsl.simulation.running import Lost, Wanted, simulate
from tests.cluster import Running, certificate, config_of, running
from tests.examples import CLASSICS
from tests.simulation.test_running import program

dask = pytest.importorskip("dask", reason="needs the extra `cluster`")
pytest.importorskip("distributed", reason="needs the extra `cluster`")
if shutil.which("openssl") is None:
    pytest.skip("needs openssl for certificates", allow_module_level=True)

GAME = "tic_tac_toe"


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Three workers; the tests that end them stand last."""
    with running(tmp_path_factory.mktemp("cluster"), 3) as found, dask.config.set(found.config):
        yield found


@pytest.fixture
def trusted(tmp_path: Path) -> Iterator[ssl.SSLContext]:
    """The client trusts a new certificate; a server may use it."""
    crt, key = certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(crt, key)
    with dask.config.set(config_of(crt, key)):
        yield context


def test_the_command_tells_the_same(three: Running) -> None:
    asked = ["simulate", str(CLASSICS / GAME), "--games", "80", "--seed", "5", "--format", "json"]
    for more in (["--engine", "python"], ["--players", "greedy,random", "--swap", "--count"]):
        here, there = (
            CliRunner().invoke(cli, [*asked, *more, *where]) for where in ([], ["--cluster", three.address])
        )
        assert here.exit_code == there.exit_code == 0, there.output
        one, other = json.loads(here.stdout), json.loads(there.stdout)
        assert other.pop("speed")["jobs"] == 3
        assert one.pop("speed")["jobs"] == 1
        assert one == other


def test_variants_are_compared_there(three: Running) -> None:
    tic_tac_toe, connect_four = str(CLASSICS / GAME), str(CLASSICS / "connect_four")
    asked = ["compare", tic_tac_toe, connect_four, "--games", "60", "--format", "csv"]
    here, there = (CliRunner().invoke(cli, [*asked, *more]) for more in ([], ["--cluster", three.address]))
    assert here.exit_code == there.exit_code == 0, there.output
    assert here.stdout == there.stdout


@pytest.mark.parametrize("what", ["Dask", "Scenarii"])
def test_another_version_gets_no_program(three: Running, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if what == "Dask":
        monkeypatch.setattr(cluster, "version", lambda name: "2020.1.0")
    else:
        monkeypatch.setattr(cluster, "same", lambda: "0.0.1 (0123456789ab)")
    monkeypatch.setattr(cluster, "encode", lambda _: pytest.fail("a program was about to be sent"))
    with (
        pytest.raises(ClusterError, match=f"has {what} .*, and here is .*: take the same"),
        _asked(three.address),
    ):
        pass


def test_who_has_another_certificate_may_not_speak(three: Running, trusted: ssl.SSLContext) -> None:
    """`trusted` is not what the cluster trusts."""
    with pytest.raises(ClusterError, match="not trusted"), _asked(three.address):
        pass


def test_a_lost_worker_costs_its_portions_only(three: Running) -> None:
    wanted = Wanted(3000, seed=7, engine="python")
    victim, left = three.workers[0], 0

    def kill(done: int, total: int) -> None:
        nonlocal left
        if done > 300 and victim.poll() is None:
            victim.kill()
            victim.wait()
            left = total - done

    with connected(three.address, program(GAME), wanted) as workers:
        workers.portion = 0.03
        assert workers.jobs == 3
        found = simulate(program(GAME), wanted, 1, kill, workers=workers)
    assert left > 1000, "it was lost in the middle"
    assert found.complete and not found.lost
    assert found.tally == simulate(program(GAME), wanted).tally


def test_without_workers_what_was_counted_stays(three: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "GONE", 1)
    wanted = Wanted(100_000, seed=3, engine="python")

    def kill(done: int, total: int) -> None:
        for each in three.workers if done > 100 else ():
            each.kill()
            each.wait()

    with connected(three.address, program(GAME), wanted) as workers:
        workers.portion = 0.03
        found = simulate(program(GAME), wanted, 1, kill, workers=workers)
    assert found.lost == "no worker is left" and not found.complete
    assert found.tally == simulate(program(GAME), Wanted(found.tally.played, 3, engine="python")).tally
    with pytest.raises(ClusterError, match="has no workers"), _asked(three.address):
        pass


# ---------------------------------------------------------------- who is no cluster


def test_nobody_listens(trusted: ssl.SSLContext) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    asked = ["simulate", str(CLASSICS / GAME), "--cluster", f"tls://127.0.0.1:{port}"]
    told = CliRunner().invoke(cli, asked)
    assert told.exit_code == 1 and not told.stdout
    assert told.stderr == f"Error: no cluster can be reached at tls://127.0.0.1:{port}: Connection refused\n"


PICKLED = pickle.dumps(pytest.fail)


@pytest.mark.parametrize("answer", [b"", PICKLED, b"HTTP/1.1 200 OK\r\n\r\n", b"\xff" * 4000])
def test_a_server_without_tls_is_refused(
    answer: bytes, trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The empty answer is that of a server that says nothing."""
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)

    def serve(plain: socket.socket) -> None:
        plain.sendall(answer)
        while plain.recv(4096):
            pass

    with (
        _listening(serve) as address,
        pytest.raises(ClusterError, match=r"not trusted|does not answer"),
        _asked(address),
    ):
        pass


def test_a_stranger_with_a_certificate_is_sent_nothing(trusted: ssl.SSLContext, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    context, heard = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), list[bytes]()
    context.load_cert_chain(*certificate(tmp_path / "other"))

    def serve(plain: socket.socket) -> None:
        with context.wrap_socket(plain, server_side=True) as secure:
            heard.append(secure.recv(4096))

    with _listening(serve) as address, pytest.raises(ClusterError, match="not trusted"), _asked(address):
        pass
    assert not heard


def test_garbage_from_who_is_trusted(trusted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)

    def serve(plain: socket.socket) -> None:
        with trusted.wrap_socket(plain, server_side=True) as secure:
            secure.sendall(b"garbage " * 10)
            while secure.recv(4096):
                pass

    with (
        _listening(serve) as address,
        pytest.raises(ClusterError, match="no cluster can be reached"),
        _asked(address),
    ):
        pass


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "127.0.0.1:8786", "tls://host", "tls://host:99999", "tls://[", "ray://x:1", ""],
)
def test_what_is_no_address(address: str) -> None:
    told = CliRunner().invoke(cli, ["simulate", str(CLASSICS / GAME), "--cluster", address])
    assert told.exit_code == 1 and "is no address of a cluster with TLS" in told.stderr


@pytest.mark.parametrize("more", [("--jobs", "2"), ("--parquet", "games.parquet"), ("--profile",)])
def test_what_does_not_go_with_a_cluster(more: tuple[str, ...]) -> None:
    asked = ["simulate", str(CLASSICS / GAME), "--cluster", "tls://127.0.0.1:1", *more]
    told = CliRunner().invoke(cli, asked)
    assert told.exit_code == 2 and "--cluster" in told.stderr


@pytest.mark.parametrize("ca", [None, "missing.crt"])
def test_certificates_that_are_not_there(ca: str | None, trusted: ssl.SSLContext) -> None:
    with (
        dask.config.set({"distributed.comm.tls.ca-file": ca}),
        pytest.raises(ClusterError, match="certificates"),
    ):
        _asked("tls://127.0.0.1:1").__enter__()


@pytest.mark.parametrize("name", ["search.py", "search.wat"])
def test_other_code_is_another_scenarii(tmp_path: Path, name: str) -> None:
    (tmp_path / "wasm").mkdir()
    for each in ("search.py", "search.wat", "README.md"):
        (tmp_path / "wasm" / each).write_text("1")
    before = code_digest(tmp_path)
    (tmp_path / "wasm" / "README.md").write_text("2")
    assert code_digest(tmp_path) == before
    (tmp_path / "wasm" / name).write_text("2")
    assert code_digest(tmp_path) != before


def _given() -> dict[str, Any]:
    """What a worker gives for three games."""
    asked = {"games": 3, "engine": "python", "players": [], "same": cluster.same()}
    document = cluster.encode(program(GAME))
    found: dict[str, Any] = json.loads(cluster.portion(document, json.dumps(asked).encode(), 4, 3))
    return found


def test_what_a_worker_gives() -> None:
    data = json.dumps(_given()).encode()
    tally, _ = tally_in(data, Wanted(3, engine="python"), 3)
    assert tally == simulate(program(GAME), Wanted(3, 4)).tally
    with pytest.raises(Lost, match="no tally of its games"):
        tally_in(data, Wanted(4, engine="python"), 4)


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": "1"},
        {"seconds": None},
        {"decisions": None},
        {"decisions": 1.5},
        {"counted": {}},
        {"counted": 3},
    ],
    ids=str,
)
def test_what_is_not_whole(change: dict[str, object]) -> None:
    with pytest.raises(Lost, match="no tally of its games"):
        tally_in(json.dumps(_given() | change).encode(), Wanted(3, engine="python"), 3)


@pytest.mark.parametrize("answer", [PICKLED, b"[" * 100_000, "text", None, b"{}", b"3", b"\xff"], ids=repr)
def test_what_is_no_tally(answer: object) -> None:
    with pytest.raises(Lost, match="no tally of its games"):
        tally_in(answer, Wanted(3, engine="python"), 3)


@pytest.mark.parametrize(
    "change", [{"same": "0.0.1"}, {"options": {"no_such": "1"}}, {"players": ["nobody"]}], ids=str
)
def test_what_a_worker_refuses(change: dict[str, object]) -> None:
    asked = {"games": 3, "engine": "python", "players": [], "same": cluster.same(), **change}
    answer = cluster.portion(cluster.encode(program(GAME)), json.dumps(asked).encode(), 4, 3)
    assert list(json.loads(answer)) == ["refused"]
    with pytest.raises(Lost):
        tally_in(answer, Wanted(3), 3)


@contextmanager
def _asked(address: str) -> Iterator[object]:
    wanted = Wanted(10, engine="python")
    with connected(address, program(GAME), wanted) as workers:
        yield workers


@contextmanager
def _listening(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that treats all who come so, one after the other."""

    def listen() -> None:
        while True:
            try:
                plain, _ = server.accept()
            except OSError:
                return
            with plain:
                plain.settimeout(3)
                with suppress(OSError):
                    serve(plain)

    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=listen, daemon=True).start()
        yield f"tls://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
