"""Compiled modules in the user's cache.

An entry is executed as machine code, so it is only taken from a file that no other user could have written
(`dsl.cache`), and whole: it begins with a mark, the key of what it was made from (the program, this translation, the
engine, the machine) and a digest of what follows. Anything else is passed over and made again.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import wasmtime

from dsl.cache import Cache
from dsl.catalogue import tr
from dsl.engine.failure import Unplayable

MARK = b"SCNW0001"
_DIGEST = 32


def compiled(
    engine: wasmtime.Engine, program_hash: str, folder: Cache | None, translate: Callable[[], bytes]
) -> wasmtime.Module:
    """The machine code of a program: from the cache, or made anew and put there. Raises `Unplayable` where wasmtime
    refuses it: a function may be too large, or have too many locals.
    """
    if folder is None:
        return _compiled(engine, translate())
    key = key_of(program_hash)
    name = f"{key.hex()}.module"
    data = folder.read(name)
    if data is not None and (code := unsealed(key, data)) is not None:
        try:
            return wasmtime.Module.deserialize(engine, code)
        except wasmtime.WasmtimeError:
            pass
    module = _compiled(engine, translate())
    folder.write(name, sealed(key, bytes(module.serialize())))
    return module


def _compiled(engine: wasmtime.Engine, code: bytes) -> wasmtime.Module:
    try:
        return wasmtime.Module(engine, code)
    except (wasmtime.WasmtimeError, MemoryError) as error:
        raise Unplayable(
            tr("the program is larger than this engine can compile: {brief}", brief=brief(error))
        ) from None


def brief(error: Exception) -> str:
    """What wasmtime says, without where in its code it was."""
    lines = [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")]
    last = lines[-1].lstrip("0123456789: ") if lines else ""
    return last[:200] or type(error).__name__


def key_of(program_hash: str) -> bytes:
    """What names the code of a program: nothing that it depends on is left out."""
    return hashlib.sha256(f"{program_hash} {_translation()}".encode()).digest()


def sealed(key: bytes, code: bytes) -> bytes:
    """An entry: mark, key, digest, code."""
    return MARK + key + hashlib.sha256(code).digest() + code


def unsealed(key: bytes, data: bytes) -> bytes | None:
    """The code of an entry that is whole and of this key; none of any other."""
    head = len(MARK) + _DIGEST
    if data[:head] != MARK + key:
        return None
    code = data[head + _DIGEST :]
    return code if hashlib.sha256(code).digest() == data[head : head + _DIGEST] else None


@cache
def _translation() -> str:
    """The version of this translation: its own text, wasmtime's version, and the machine."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    beside = (here.parent / "ir" / name for name in ("weight.py", "distances.py"))
    passes = (here.parent / "passes").rglob("*.py")
    for path in sorted((*here.glob("*.py"), *here.glob("*.wat"), *beside, *passes)):
        digest.update(path.read_bytes())
    machine = f"{platform.system()} {platform.machine()} {platform.processor()}"
    return f"{digest.hexdigest()} {version('wasmtime')} {machine}"
