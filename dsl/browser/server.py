"""A server for one page, on the loopback address, as long as the command runs: the author's preview.

It answers `GET /TOKEN/` with the page and `GET /TOKEN/version` with its version, to who names this address (`Host`, so
that a foreign name that leads here is refused) and the token, and nothing else: it reads no file. Its own page alone
(`Origin`) may ask something with `POST /TOKEN/ask`, in JSON of a bounded size.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOOPBACK = "127.0.0.1"
MOST_ASKED = 24 * 1024 * 1024
"""Bytes of a question, which has a whole save in it."""
PATIENCE = 10
"""Seconds that a connection may be silent."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class NoQuestion(ValueError):
    """What was asked cannot be answered; its text says why."""


class Server(ThreadingHTTPServer):
    """Serves what `page` and `version` give now, and what `answers` gives to a question: lines of text, or
    `NoQuestion`. Raises OSError where no port is free.
    """

    daemon_threads = True
    allow_reuse_address = False

    def __init__(
        self,
        page: Callable[[], str],
        version: Callable[[], str],
        port: int = 0,
        *,
        answers: Callable[[bytes], str] | None = None,
    ) -> None:
        self.token = secrets.token_urlsafe(24)
        self.page = page
        self.version = version
        self.answers = answers
        super().__init__((LOOPBACK, port), _Handler)

    @property
    def host(self) -> str:
        """The address and port, as a browser names them."""
        return f"{LOOPBACK}:{self.server_address[1]}"

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{self.host}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks off is no concern of anybody's."""

    def place(self, path: str) -> str | None:
        """What a path names behind the token; none where it has another token, or none."""
        given, _, rest = path.removeprefix("/").partition("/")
        return rest if secrets.compare_digest(given.encode(), self.token.encode()) else None

    def answer(self, path: str) -> tuple[HTTPStatus, str, str]:
        """The status, type and text for a path."""
        rest = self.place(path)
        if rest == "":
            return HTTPStatus.OK, "text/html", self.page()
        if rest == "version":
            return HTTPStatus.OK, "text/plain", self.version()
        return HTTPStatus.NOT_FOUND, "text/plain", ""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "scenarii"
    sys_version = ""
    timeout = PATIENCE

    def do_GET(self) -> None:
        origin = self.headers.get("Origin")
        if self._is_here() and origin in {None, self._own}:
            self._send(*self.server.answer(self.path))
        else:
            self._send(HTTPStatus.FORBIDDEN)

    def do_POST(self) -> None:
        self.close_connection = True
        answers = self.server.answers
        size = self.headers.get("Content-Length", "")
        if not self._is_here() or self.headers.get("Origin") != self._own:
            self._send(HTTPStatus.FORBIDDEN)
        elif answers is None or self.server.place(self.path) != "ask":
            self._send(HTTPStatus.NOT_FOUND)
        elif self.headers.get("Content-Type") != "application/json":
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        elif not (size.isascii() and size.isdigit() and len(size) < 10):
            self._send(HTTPStatus.LENGTH_REQUIRED)
        elif int(size) > MOST_ASKED:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            try:
                self._send(HTTPStatus.OK, "text/plain", answers(self.rfile.read(int(size))))
            except NoQuestion as wrong:
                self._send(HTTPStatus.CONFLICT, "text/plain", str(wrong))

    @property
    def _own(self) -> str:
        return f"http://{self.server.host}"

    def _is_here(self) -> bool:
        """Does the request name this address?"""
        return self.headers.get("Host") == self.server.host

    def _send(self, status: HTTPStatus, kind: str = "text/plain", text: str = "") -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is told of requests."""

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
