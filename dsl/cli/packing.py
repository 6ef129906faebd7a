"""The share form of a game's folder: one zip file with a manifest, and the care with which one is opened.

The same sources give the same bytes: names in order, no times, no owners. A packed file comes from a stranger. Its
directory is read first, and refused as a whole unless every entry is an ordinary file of a kind that games are made of,
with a plain relative name, within bounds, and exactly what the manifest says. Only then is anything read, and never
more of it than was announced.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from dsl.files import MAX_SOURCE_BYTES, read_regular
from dsl.resources import PACKED_SUFFIX

FORMAT = "scenarii-pack"
VERSION = 1
SUFFIX = PACKED_SUFFIX
MANIFEST = "scenarii.json"
KINDS = (".scn", ".json", ".md", ".txt", ".svg")
"""What a packed folder may hold."""
MAX_FILES = 500
MAX_FILE = MAX_SOURCE_BYTES
MAX_ALL = 8 * 1024 * 1024
MAX_PACKED = 8 * 1024 * 1024
MAX_DEPTH = 6
MAX_NAME = 200
THEN = (1980, 1, 1, 0, 0, 0)
"""The time of each entry: the earliest that a zip file can say."""
RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}


class Refused(Exception):
    """What is wrong with a folder that is to be packed, or a file that is to be opened."""


# ---------------------------------------------------------------- packing


def pack(folder: Path, game: str) -> bytes:
    """The packed bytes of a folder. Raises `Refused` and `OSError`."""
    found = dict(_files(folder))
    if not any(name.endswith(".scn") for name in found):
        raise Refused(f"{folder} holds no sources")
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in found.items()},
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, data in ((MANIFEST, text.encode()), *found.items()):
            entry = zipfile.ZipInfo(name, THEN)
            entry.create_system, entry.external_attr = 3, (stat.S_IFREG | 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, data)
    if len(out.getvalue()) > MAX_PACKED:
        raise Refused(f"{folder} is larger than {MAX_PACKED >> 20} MiB when packed")
    return out.getvalue()


def _files(folder: Path) -> Iterable[tuple[str, bytes]]:
    """The files of a folder, in order of name; hidden ones and what no game is made of are passed over."""
    total = count = 0
    for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
        name = path.relative_to(folder).as_posix()
        parts = PurePosixPath(name).parts
        if any(part.startswith((".", "__")) for part in parts) or not name.endswith(KINDS):
            continue
        if name == MANIFEST or name.endswith((".save.json", ".ir.json")) or path.is_dir():
            continue
        if path.is_symlink() or not path.is_file() or any((folder / p).is_symlink() for p in _above(parts)):
            raise Refused(f"{name} is a link or no ordinary file; put the file itself into the folder")
        if reason := bad_name(name):
            raise Refused(f"{name!r} cannot be packed: {reason}")
        size = path.stat().st_size
        total, count = total + size, count + 1
        if size > MAX_FILE or total > MAX_ALL or count > MAX_FILES:
            raise Refused(f"{folder} is too large: {_bounds()}")
        yield name, read_regular(path, MAX_FILE)


def _above(parts: tuple[str, ...]) -> list[str]:
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


def _bounds() -> str:
    return f"at most {MAX_FILES} files of {MAX_FILE >> 20} MiB, {MAX_ALL >> 20} MiB together"


def bad_name(name: str) -> str:
    """Why a name may not stand in a packed file; empty where it may."""
    parts = name.split("/")
    if not name or len(name) > MAX_NAME or len(parts) > MAX_DEPTH:
        return "its name is empty, too long or too deep"
    if name.startswith("/") or "\\" in name or ":" in name:
        return "it is no plain path within the folder"
    for part in parts:
        if part in {"", ".", ".."} or part != part.strip() or part.endswith("."):
            return "it is no plain path within the folder"
        if part.startswith((".", "__")) or part.partition(".")[0].casefold() in RESERVED:
            return "its name is reserved"
    if not name.isprintable() or any(sign in name for sign in '<>"|?*'):
        return "its name has signs that not every system can write"
    return "" if name.endswith(KINDS) else f"it is none of {', '.join(KINDS)}"


# ---------------------------------------------------------------- opening


def opened(data: bytes) -> tuple[str, dict[str, bytes]]:
    """The game and the files of a packed file. Raises `Refused`; trusts nothing in it."""
    if len(data) > MAX_PACKED:
        raise Refused(f"it is larger than {MAX_PACKED >> 20} MiB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source:
            entries = _checked(source)
            files = {name: _read(source, entry) for name, entry in entries.items()}
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        EOFError,
        ValueError,
        RuntimeError,
        OSError,
    ) as error:
        raise Refused(f"it is no packed game, or damaged: {error}") from None
    manifest = _manifest(files.pop(MANIFEST, b""))
    wanted = {name: hashlib.sha256(each).hexdigest() for name, each in files.items()}
    if manifest["files"] != wanted:
        raise Refused("its files are not those that its manifest names")
    return manifest["game"], files


def _checked(source: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The entries by name, all of them such as `pack` writes."""
    entries = source.infolist()
    if len(entries) > MAX_FILES + 1:
        raise Refused(f"it holds too many files: {_bounds()}")
    found: dict[str, zipfile.ZipInfo] = {}
    taken: set[str] = set()
    for entry in entries:
        name = entry.orig_filename
        shown = name[:60].encode("unicode_escape").decode()
        mode = entry.external_attr >> 16
        if reason := ("" if name == MANIFEST else bad_name(name)):
            raise Refused(f"`{shown}`: {reason}")
        if entry.is_dir() or stat.S_IFMT(mode) not in {0, stat.S_IFREG} or entry.flag_bits & 0x1:
            raise Refused(f"`{shown}` is a link, a device, a folder or encrypted")
        if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise Refused(f"`{shown}` is compressed in a way that is not known here")
        same = unicodedata.normalize("NFC", name).casefold()
        if same in taken or any(each in taken for each in _above(PurePosixPath(same).parts)):
            raise Refused(f"`{shown}` is there twice")
        taken.add(same)
        found[name] = entry
    if (
        any(each.file_size > MAX_FILE for each in entries)
        or sum(each.file_size for each in entries) > MAX_ALL
    ):
        raise Refused(f"it is too large when unpacked: {_bounds()}")
    if any(each.file_size > 1000 * max(each.compress_size, 1) + 1000 for each in entries):
        raise Refused("it unpacks to far more than it is")
    return found


def _read(source: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """An entry, and never more of it than its directory says."""
    with source.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise Refused(f"`{entry.filename}` is not as large as it says")
    return data


def _manifest(data: bytes) -> dict[str, Any]:
    found: Any = None
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
    match found:
        case {"format": str(form), "version": int(version), "game": str(game), "files": dict(files)} if (
            form == FORMAT and version == VERSION and game.isprintable() and len(game) <= MAX_NAME and files
        ):
            return {"game": game, "files": files}
        case _:
            pass
    raise Refused(f"it has no manifest of the form {FORMAT} {VERSION}")


def unpack_into(files: Mapping[str, bytes], folder: Path) -> None:
    """Puts files into a folder that is not there yet, all of them or none. Raises `OSError`."""
    if folder.exists() or folder.is_symlink():
        raise FileExistsError(f"{folder} is there already")
    fresh = folder.parent / f".{folder.name}.{secrets.token_hex(6)}.part"
    fresh.mkdir(mode=0o700)
    try:
        for name, data in files.items():
            path = fresh.joinpath(*name.split("/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
        fresh.chmod(0o777 & ~_mask())
        os.rename(fresh, folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _mask() -> int:
    """What this user's new files are closed to."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
