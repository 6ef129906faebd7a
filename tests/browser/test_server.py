"""`scenarii play GAME --browser`: the server answers its own page alone, ends with the command, and reloads."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dsl.browser.server import HEADERS, NoQuestion, Server
from dsl.cli.answering import Answers
from dsl.cli.asking import why, why_not
from dsl.cli.browsing import Watched
from dsl.cli.effects import effects
from dsl.engine.game import Game
from dsl.engine.snapshot import packed
from dsl.library import load
from dsl.odds.forecast import forecasts
from dsl.saves import Save, compressed, write
from tests.browser.chromium import running
from tests.examples import FOLDER

SOURCE = FOLDER / "classics" / "tic_tac_toe" / "tic_tac_toe.scn"


@contextmanager
def served(answers: Callable[[bytes], str] | None = None) -> Iterator[Server]:
    with Server(lambda: "<p>page</p>", lambda: "7", answers=answers) as server:
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
        assert asked(server, f"/{server.token}/", "POST")[0] == 403
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


def test_the_page_follows_the_source_where_it_may_keep_nothing(
    command: tuple[subprocess.Popen[str], str, Path],
) -> None:
    _, address, source = command
    with running() as browser:
        page = browser.new_page()
        page.add_init_script(
            "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no') } })"
        )
        page.goto(address)
        page.wait_for_selector("[data-act=start]")
        page.click("[data-act=start]")
        page.locator('[data-cell="4"]').click()
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace('en "Tic-tac-toe"', 'en "Noughts"'), encoding="utf-8")
        page.locator("h1", has_text="Noughts").wait_for(state="attached")
        page.wait_for_selector("[data-act=start]")


def posted(server: Server, path: str, data: bytes = b"{}", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=5)
    known = {"Host": server.host, "Origin": f"http://{server.host}", "Content-Type": "application/json"}
    given = {
        **known,
        "Content-Length": str(len(data)),
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    connection.putrequest("POST", path, skip_host=True, skip_accept_encoding=True)
    for name, value in given.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders(data)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


def test_questions_of_its_own_page_alone() -> None:
    def answers(data: bytes) -> str:
        if data == b"no":
            raise NoQuestion("why")
        return data.decode()

    with served(answers) as server:
        ask = f"/{server.token}/ask"
        assert posted(server, ask, b"what") == (200, "what")
        assert posted(server, ask, b"no") == (409, "why")
        assert posted(server, ask, Origin="")[0] == 403
        assert posted(server, ask, Origin="null")[0] == 403
        assert posted(server, ask, Origin="http://evil.example")[0] == 403
        assert posted(server, ask, Host="evil.example")[0] == 403
        assert posted(server, "/x/ask")[0] == 404
        assert posted(server, f"/{server.token}/version")[0] == 404
        assert posted(server, ask, Content_Type="text/plain")[0] == 415
        assert posted(server, ask, Content_Length="x")[0] == 411
        assert posted(server, ask, Content_Length="999999999")[0] == 413
        assert asked(server, ask)[0] == 404
    with served() as server:
        assert posted(server, f"/{server.token}/ask")[0] == 404


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"language": "en"}',
        b'{"save": "{}", "language": "en"}',
        b'{"save": 1, "language": "en"}',
        b"{" * 100_000,
        b"\xff",
    ],
)
def test_what_is_no_question_is_refused(data: bytes) -> None:
    with pytest.raises(NoQuestion):
        Answers(lambda: None)(data)


def save_of(game: Game) -> Save:
    machine = game.machine
    return Save(
        machine.program.name,
        machine.program.name,
        (),
        machine.hash,
        3,
        {},
        ("human",) * len(machine.program.domains[machine.program.players].members),
        (0, 0, 0, 0),
        game.choices,
        packed(machine.hash, list(game.state)),
        game.fingerprint,
        ("",) * len(game.choices),
        None,
        "",
        compressed(machine.given),
    )


def test_a_question_is_answered_as_in_the_terminal(tmp_path: Path) -> None:
    """Choice by choice and after one was taken back, for a player and for nobody; of another game it is refused."""
    machine = load("me_ccg")
    answers = Answers(lambda: machine)
    game = Game.start(machine, seed=3, telling=True)
    path = tmp_path / "game.json"
    for choices in (3, 5, 4):
        while len(game.choices) > choices:
            game.undo()
        while len(game.choices) < choices:
            game.choose(0)
        write(path, save_of(game))
        for player, about in ((0, None), (None, None), (0, "nothing at all")):
            question = {"save": path.read_text("utf-8"), "player": player, "language": "en", "about": about}
            told = answers(json.dumps({**question, "last": 2}).encode())
            expected = why(game, "en", player, 2) if about is None else why_not(game, about, "en")
            assert told == "\n".join(expected)
    for wrong in ({"player": 99}, {"player": True}, {"last": "x"}, {"about": "x" * 500}, {"about": 3}):
        with pytest.raises(NoQuestion):
            answers(json.dumps({**question, **wrong}).encode())
    with pytest.raises(NoQuestion, match="another version"):
        Answers(lambda: load(SOURCE))(json.dumps(question).encode())


def test_the_page_asks_the_rules(command: tuple[subprocess.Popen[str], str, Path]) -> None:
    """By the keyboard, in the language of the page; what was answered goes with the next choice."""
    process, address, source = command
    with running() as browser:
        page = browser.new_page(locale="fr-FR")
        page.goto(address)
        page.wait_for_selector("[data-act=start]")
        page.click("[data-act=start]")
        page.locator('[data-cell="4"]').click()
        game = Game.start(load(source), telling=True)
        game.choose(4)
        assert game.player == 1
        page.locator(".ask summary").focus()
        page.keyboard.press("Enter")
        page.click("[data-act=why]")
        page.locator(".answer p").first.wait_for()
        assert page.locator(".answer p").all_text_contents() == why(game, "fr", None, 1)
        page.fill("[name=about]", "mark(b2)")
        page.keyboard.press("Enter")
        expected = why_not(game, "mark(b2)", "fr")
        page.locator(".answer p", has_text=expected[0]).wait_for()
        assert page.locator(".answer p").all_text_contents() == expected
        assert page.locator(".answer").get_attribute("role") == "status"
        page.locator('[data-cell="0"]').click()
        assert page.locator(".ask[open]").count() == 1
        assert not page.locator(".answer p").count()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        page.click("[data-act=why]")
        page.locator(".answer p", has_text="terminée").wait_for()


SHOP = """game shop:
    players ann, bob
    rounds 3
state of Player:
    purse: 0..99 = 9, called en "Purse"
    luck: 0..99, called en "Luck"
action buy by p en "Buy": p.purse loses 5
action bet by p en "Bet":
    let n = roll 1d6
    if n > 4: p.luck gains 3
action wait by p en "Wait": nothing
round:
    for p in order of play:
        p chooses:
            buy when p.purse >= 5
            bet
            wait
"""


def test_what_options_do_stands_beside_them(command: tuple[subprocess.Popen[str], str, Path]) -> None:
    """As in the terminal, for who chooses alone; after a choice what the next ones do."""
    _, address, source = command
    source.write_text(SHOP, encoding="utf-8")
    with running() as browser:
        page = browser.new_page(locale="en-GB")
        page.goto(address)
        page.wait_for_selector("[data-act=start]")
        page.fill("[name=seed]", "1")
        page.click("[data-act=start]")
        game = Game.start(load(source), seed=1, telling=True)
        for _ in range(2):
            assert game.decision is not None
            page.locator(".does").first.wait_for()
            told = [
                effects(f, o.label("en"))
                for f, o in zip(forecasts(game.decision, "en"), game.decision.options, strict=True)
            ]
            assert told == ["[Purse \u22125]", "[33 % Luck +3]", ""]
            expected = [
                f"{o.label('en')} {each}".strip() for o, each in zip(game.decision.options, told, strict=True)
            ]
            assert page.locator("[data-option]").all_text_contents() == expected
            page.locator("[data-option]").first.click()
            game.choose(0)
