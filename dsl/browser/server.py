"""A server for one page, on the loopback address, as long as the command runs: the author's preview.

It answers `GET /TOKEN/` with the page and `GET /TOKEN/version` with its version, to who names this address (`Host`, so
that a foreign name that leads here is refused) and the token, and nothing else: it reads no file, and takes no data.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOOPBACK = "127.0.0.1"
PATIENCE = 10
"""Seconds that a connection may be silent."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Server(ThreadingHTTPServer):
    """Serves what `page` and `version` give now. Raises OSError where no port is free."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, page: Callable[[], str], version: Callable[[], str], port: int = 0) -> None:
        self.token = secrets.token_urlsafe(24)
        self.page = page
        self.version = version
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

    def answer(self, path: str) -> tuple[HTTPStatus, str, str]:
        """The status, type and text for a path."""
        given, _, rest = path.removeprefix("/").partition("/")
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return HTTPStatus.NOT_FOUND, "text/plain", ""
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
        foreign = origin is not None and origin != f"http://{self.server.host}"
        if self.headers.get("Host") != self.server.host or foreign:
            status, kind, text = HTTPStatus.FORBIDDEN, "text/plain", ""
        else:
            status, kind, text = self.server.answer(self.path)
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
