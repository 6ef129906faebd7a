"""`scenarii play GAME --browser`: the server answers its own page alone, ends with the command, and reloads."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dsl.browser.server import HEADERS, Server
from dsl.cli.browsing import Watched
from tests.browser.chromium import running
from tests.examples import FOLDER

SOURCE = FOLDER / "classics" / "tic_tac_toe" / "tic_tac_toe.scn"


@contextmanager
def served() -> Iterator[Server]:
    with Server(lambda: "<p>page</p>", lambda: "7") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=5)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": server.host, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), dict(answer.getheaders())
    connection.close()
    return found


def test_a_changed_drawing_is_another_version(tmp_path: Path) -> None:
    (tmp_path / "isle.scn").write_text("game isle:\n    players ann\n    rounds 1\nround: nothing\n")
    drawing = tmp_path / "valley.txt"
    drawing.write_text(". .\n")
    watched = Watched(str(tmp_path), (), "", None)
    before = watched.version()
    assert watched.version() == before
    drawing.write_text(". . .\n")
    assert watched.version() != before


def test_its_own_page_and_nothing_else() -> None:
    with served() as server:
        assert server.server_address[0] == "127.0.0.1"
        status, text, headers = asked(server, f"/{server.token}/")
        assert (status, text) == (200, "<p>page</p>")
        assert HEADERS.items() <= headers.items()
        assert asked(server, f"/{server.token}/version")[:2] == (200, "7")
        for path in (
            "/",
            "/x/",
            f"/{server.token}x/",
            f"/{server.token}/../",
            f"/{server.token}/etc/passwd",
            "//",
        ):
            assert asked(server, path)[:2] == (404, ""), path
        assert asked(server, f"/{server.token}/", "POST")[0] == 501
        assert asked(server, f"/{server.token}/", "HEAD")[0] == 501


def test_foreign_names_and_origins_are_refused() -> None:
    with served() as server:
        page = f"/{server.token}/"
        assert asked(server, page, Host="evil.example")[:2] == (403, "")
        assert asked(server, page, Host=f"localhost:{server.server_address[1]}")[0] == 403
        assert asked(server, page, Origin="http://evil.example")[0] == 403
        assert asked(server, page, Origin="null")[0] == 403
        assert asked(server, page, Origin=f"http://{server.host}")[0] == 200


def test_tokens_differ() -> None:
    with served() as one, served() as other:
        assert one.token != other.token and len(one.token) >= 32
        assert asked(one, f"/{other.token}/")[0] == 404


@pytest.fixture
def command(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    source = tmp_path / "game.scn"
    source.write_text(SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    run = [sys.executable, "-m", "dsl", "play", str(source), "--browser"]
    environment = {**os.environ, "BROWSER": "true"}
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        found = re.match(r"(http://127\.0\.0\.1:\d+/\S+/) ", process.stdout.readline())
        assert found
        yield process, found[1], source
        process.kill()


def test_the_page_follows_the_source(command: tuple[subprocess.Popen[str], str, Path]) -> None:
    process, address, source = command
    with running() as browser:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("[data-act=start]")
        page.fill("[name=seed]", "1")
        page.click("[data-act=start]")
        page.locator('[data-cell="4"]').click()
        assert page.title() == "Tic-tac-toe"
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace('en "Tic-tac-toe"', 'en "<Noughts>"'), encoding="utf-8")
        page.locator("h1", has_text="<Noughts>").wait_for()
        assert page.locator(".cell.choice").count() == 8, "the game goes on from where it stood"
        source.write_text("game nothing:\n    oops\n", encoding="utf-8")
        page.locator("pre", has_text="error[E").wait_for()
        source.write_text(text, encoding="utf-8")
        page.locator("h1", has_text="Tic-tac-toe").wait_for()
        assert page.locator(".cell.choice").count() == 8
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    connection = http.client.HTTPConnection(address.split("/")[2], timeout=5)
    with pytest.raises(ConnectionError):
        connection.request("GET", "/")
