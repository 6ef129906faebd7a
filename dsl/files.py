r"""Reading sources and replacing files, both with care for what a stranger's file, or a crash, may do.

Reading is bounded and says what is wrong as a diagnostic; a source's lines end with `\n`, whatever the file
had, and a byte order mark is dropped. Replacing is atomic: whoever looks sees the old file or the new one,
never a part.
"""

import os
import secrets
from pathlib import Path

from dsl.diagnostics import Code, Diagnostic
from dsl.resources import SOURCE_SUFFIX
from dsl.source import Source

MAX_SOURCE_BYTES = 2 * 1024 * 1024


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
            Code.BINARY_FILE, name, f"{name} holds binary data, not text", "is this the right file?"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line} of {name} is not UTF-8 text"
        return _fault(Code.NOT_UTF8, name, message, "save the file again with the encoding UTF-8")
    if not text.strip():
        return _fault(Code.EMPTY_SOURCE, name, f"{name} is empty", "write something in it, or remove it")
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def read_folder(folder: Path) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Every source in a folder and below, in order of path; hidden folders and files are passed over."""
    if not folder.is_dir():
        return (), (_unreadable(folder.as_posix(), "there is no such folder"),)
    paths = sorted(path for path in folder.rglob(f"*{SOURCE_SUFFIX}") if not _hidden(path, folder))
    if not paths:
        hint = f"sources are the files whose names end in {SOURCE_SUFFIX}"
        return (), (
            _fault(Code.NO_SOURCES, folder.as_posix(), f"{folder.as_posix()} holds no sources", hint),
        )
    read = [_read_inside(folder, path) for path in paths]
    sources = tuple(each for each in read if isinstance(each, Source))
    return sources, tuple(each for each in read if isinstance(each, Diagnostic))


def inside(folder: Path, relative: str) -> Path | Diagnostic:
    """The path a text names, which must stay within the folder of that text, links followed."""
    path = folder / relative
    if path.resolve().is_relative_to(folder.resolve()):
        return path
    message = f"{relative} is outside {folder.as_posix()}"
    return _fault(Code.PATH_ESCAPES, relative, message, "put the file into the folder and name it from there")


def display_name(path: Path) -> str:
    """A file's name as its author knows it: from the working folder, or within its own."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError):
        return f"{path.parent.name}/{path.name}"


def write_atomically(path: Path, data: bytes | str, *, private: bool = False) -> None:
    """Put a file in place whole, or leave what was there; raises OSError when it cannot.

    A file that exists keeps its permissions, a link keeps pointing; a `private` file is its user's alone.
    Text is written as UTF-8 as it stands.
    """
    target = path.resolve()
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        if not private and target.exists():
            fresh.chmod(target.stat().st_mode & 0o7777)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _read_bounded(path: Path, name: str) -> bytes | Diagnostic:
    try:
        if path.exists() and not path.is_file():
            return _unreadable(name, "it is not a file")
        with path.open("rb") as file:
            data = file.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError) as error:  # a ValueError is a path that no file can have
        return _unreadable(name, error.strerror if isinstance(error, OSError) else str(error))
    return data if len(data) <= MAX_SOURCE_BYTES else _too_large(name)


def _read_inside(folder: Path, path: Path) -> Source | Diagnostic:
    allowed = inside(folder, path.relative_to(folder).as_posix())
    return allowed if isinstance(allowed, Diagnostic) else read_source(allowed)


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _too_large(name: str) -> Diagnostic:
    message = f"{name} is larger than {MAX_SOURCE_BYTES // 1024 // 1024} MiB"
    return _fault(Code.FILE_TOO_LARGE, name, message, "split it into several files in one folder")


def _unreadable(name: str, reason: str | None) -> Diagnostic:
    message = f"{name} cannot be read: {reason or 'unknown reason'}"
    return _fault(Code.UNREADABLE_FILE, name, message, "check the name and the permissions of the file")


def _fault(code: Code, name: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(code, message, Source(name, "").end, hint=hint)
