r"""Reading sources and replacing files, both with care for what a stranger's file, or a crash, may do.

Reading is bounded and says what is wrong as a diagnostic; a source's lines end with `\n`, whatever the file
had, and a byte order mark is dropped. Replacing is atomic: whoever looks sees the old file or the new one,
never a part.
"""

import errno
import os
import stat
from pathlib import Path

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic
from dsl.resources import SOURCE_SUFFIX
from dsl.source import Source

MAX_SOURCE_BYTES = 1024 * 1024
"""Of one source, and of all that belong to a game."""
MAX_LINES = 20_000
"""Of one source."""
READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))
"""Nobody is waited for at a pipe."""


MAX_NAME_BYTES = 200
"""Of names that may be made longer: most systems have names of up to 255 bytes."""


class TooLarge(OSError):
    """A file of more bytes than are read."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))


class NoFile(OSError):
    """A folder, a pipe or a device where a file is to be read."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "it is not a file", str(path))


class Changed(OSError):
    """A file that is to be replaced, and no longer holds what was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EBUSY, "it has been changed meanwhile", str(path))


def read_regular(path: Path, most: int, *, head: bool = False) -> bytes:
    """What a regular file holds, or its first bytes. Raises `OSError` where it cannot be read, is not a regular file
    (`NoFile`) or holds more than `most` bytes (`TooLarge`; never for its head).
    """
    try:
        descriptor = os.open(path, READING)
    except ValueError as error:  # a path that no file can have
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise NoFile(path)
    with open(descriptor, "rb") as file:
        if head:
            return file.read(most)
        data = b"" if found.st_size > most else file.read(most + 1)
    if len(data) > most or found.st_size > most:
        raise TooLarge(path, most)
    return data


def read_source(path: Path, name: str | None = None) -> Source | Diagnostic:
    """The text of a file, under the name by which its author knows it (the path as given, unless told)."""
    shown = name if name is not None else path.as_posix()
    data = _read_bounded(path, shown)
    return data if isinstance(data, Diagnostic) else decode_source(data, shown)


def decode_source(data: bytes, name: str) -> Source | Diagnostic:
    """A source from the bytes of a file, refused unless they are UTF-8 text with something in it."""
    if len(data) > MAX_SOURCE_BYTES:
        return _too_large(name)
    if b"\0" in data:
        return _fault(
            Code.BINARY_FILE,
            name,
            tr("{name} holds binary data, not text", name=name),
            "is this the right file?",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = tr("line {line} of {name} is not UTF-8 text", line=line, name=name)
        return _fault(Code.NOT_UTF8, name, message, "save the file again with the encoding UTF-8")
    if data.count(b"\n") > MAX_LINES:
        message = tr("{name} has more than {max_lines} lines", name=name, max_lines=f"{MAX_LINES:,}")
        return _fault(Code.FILE_TOO_LARGE, name, message, "are they all lines of a game?")
    if not text.strip():
        return _fault(
            Code.EMPTY_SOURCE, name, tr("{name} is empty", name=name), "write something in it, or remove it"
        )
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def read_folder(folder: Path) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Every source in a folder and below, in order of path; hidden folders and files are passed over."""
    if not folder.is_dir():
        return (), (_unreadable(folder.as_posix(), "there is no such folder"),)
    paths = sorted(path for path in folder.rglob(f"*{SOURCE_SUFFIX}") if not _hidden(path, folder))
    if not paths:
        hint = tr("sources are the files whose names end in {source_suffix}", source_suffix=SOURCE_SUFFIX)
        return (), (
            _fault(
                Code.NO_SOURCES,
                folder.as_posix(),
                tr("{as_posix} holds no sources", as_posix=folder.as_posix()),
                hint,
            ),
        )
    read = [_read_inside(folder, path) for path in paths]
    sources = tuple(each for each in read if isinstance(each, Source))
    return sources, tuple(each for each in read if isinstance(each, Diagnostic))


def inside(folder: Path, relative: str) -> Path | Diagnostic:
    """The path a text names, which must stay within the folder of that text, links followed."""
    path = folder / relative
    try:
        if path.resolve().is_relative_to(folder.resolve()):
            return path
    except (OSError, RuntimeError):  # a RuntimeError is a circle of links, up to Python 3.12
        return _unreadable(relative, "its links lead nowhere")
    message = tr("{relative} is outside {as_posix}", relative=relative, as_posix=folder.as_posix())
    return _fault(Code.PATH_ESCAPES, relative, message, "put the file into the folder and name it from there")


def replace_source(source: Source, path: Path, text: str) -> None:
    """Puts another text into a file from which a source was read, its ends of lines and its byte order mark as they
    were. Raises `Changed` where the file holds something else by now, and `OSError`.
    """
    old = _same(path, source)
    newline = "\r\n" if b"\r\n" in old else "\n"
    mark = b"\xef\xbb\xbf" if old.startswith(b"\xef\xbb\xbf") else b""
    write_atomically(path, mark + text.replace("\n", newline).encode(), was=old)


def lay_out(source: Source, path: Path, text: str) -> None:
    """Puts the layout of a source, with plain ends of lines, into its file. Raises `Changed` and `OSError`."""
    write_atomically(path, text, was=_same(path, source))


def _same(path: Path, source: Source) -> bytes:
    """The bytes of a file that holds a source as it was read."""
    old = read_regular(path, MAX_SOURCE_BYTES)
    now = decode_source(old, source.name)
    if not isinstance(now, Source) or now.text != source.text:
        raise Changed(path)
    return old


def display_name(path: Path) -> str:
    """A file's name as its author knows it: from the working folder, or within its own."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError):
        return f"{path.parent.name}/{path.name}"


def write_atomically(
    path: Path, data: bytes | str, *, private: bool = False, was: bytes | None = None, lasting: bool = True
) -> None:
    """Put a file in place whole, or leave what was there; raises OSError when it cannot.

    A file that exists keeps its permissions, a link keeps pointing; a `private` file is its user's alone.
    Text is written as UTF-8 as it stands. Where it is said what the file `was` when it was read, and it is so no
    longer, it is left alone (`Changed`). What is not `lasting` may be gone, or damaged, after a failure of power.
    """
    target = path.resolve()
    name = target.name if len(os.fsencode(target.name)) < MAX_NAME_BYTES else target.name[:40]
    fresh = target.with_name(f".{name}.{os.urandom(6).hex()}.part")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        if not private and target.exists():
            fresh.chmod(target.stat().st_mode & 0o7777)
        if was is not None and not _is_still(target, was):
            raise Changed(path)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _is_still(path: Path, was: bytes) -> bool:
    try:
        return read_regular(path, len(was)) == was
    except TooLarge:
        return False


def _read_bounded(path: Path, name: str) -> bytes | Diagnostic:
    try:
        return read_regular(path, MAX_SOURCE_BYTES)
    except TooLarge:
        return _too_large(name)
    except OSError as error:
        return _unreadable(name, error.strerror)


def _read_inside(folder: Path, path: Path) -> Source | Diagnostic:
    allowed = inside(folder, path.relative_to(folder).as_posix())
    return allowed if isinstance(allowed, Diagnostic) else read_source(allowed)


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _too_large(name: str) -> Diagnostic:
    message = tr(
        "{name} is larger than {max_source_bytes} MiB",
        name=name,
        max_source_bytes=MAX_SOURCE_BYTES // 1024 // 1024,
    )
    return _fault(Code.FILE_TOO_LARGE, name, message, "split it into several files in one folder")


def _unreadable(name: str, reason: str | None) -> Diagnostic:
    message = tr("{name} cannot be read: {reason}", name=name, reason=reason or tr("unknown reason"))
    return _fault(Code.UNREADABLE_FILE, name, message, "check the name and the permissions of the file")


def _fault(code: Code, name: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, message, Source(name, "").end, hint=hint)
