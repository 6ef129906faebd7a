"""A pseudo terminal with a child behind it, seen and typed at as a person would."""

import os
import re
import select
import signal
import struct
import sys
import time

import pytest

pty = pytest.importorskip("pty")
SECONDS = 30
PROMPTS = ("(or help): ", "(ou aide) : ", "> ", "look away: ", "regardent pas : ", "(yes or no): ")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A child that runs the command, seen as a person sees it."""

    def __init__(self, *args: str, columns: int = 80, **environment: str) -> None:
        self.seen = ""
        self.told = 0
        """How much of it has been waited for."""
        self.before = 0
        """How much had been seen when something was typed last."""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "dumb", **environment})
            self.size(columns, fd=0)
            os.execv(sys.executable, [sys.executable, "-m", "dsl", *args])

    def size(self, columns: int, lines: int = 24, *, fd: int | None = None) -> None:
        """Makes the window so wide; the child is told."""
        import fcntl
        import termios

        target = self.fd if fd is None else fd
        fcntl.ioctl(target, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def until_asked(self) -> None:
        """Reads until the child, having answered, waits for something to be typed, or has ended."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = self._read()
            answered = len(self.seen) > self.before
            if found is False or (found is None and answered and self.seen.endswith(PROMPTS)):
                return
        raise AssertionError(f"nothing more came:\n{self.seen}")

    def until(self, *texts: str) -> None:
        """Reads until each text, in this order, has come."""
        end = time.monotonic() + SECONDS
        for text in texts:
            while (at := self.seen.find(text, self.told)) < 0:
                if time.monotonic() > end or self._read() is False:
                    raise AssertionError(f"`{text}` never came:\n{self.seen[self.told :]}")
            self.told = at + len(text)

    def type(self, text: str) -> None:
        """Types something when asked."""
        self.until_asked()
        self.send(text)

    def send(self, text: str) -> None:
        """Types something at once."""
        self.before = len(self.seen)
        os.write(self.fd, text.encode())

    def ends(self) -> int:
        """What is left to be seen, and the exit code."""
        self.until_asked()
        end = time.monotonic() + SECONDS
        while (found := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it does not end:\n{self.seen}")
            time.sleep(0.01)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(found[1])

    @property
    def plain(self) -> str:
        """What was seen, without colours and other controls."""
        return _CONTROL.sub("", self.seen)

    def _read(self) -> bool | None:
        """Reads what there is: false at the end, none where nothing came."""
        ready, _, _ = select.select([self.fd], [], [], 0.1)
        if not ready:
            return None
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
