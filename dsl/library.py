"""Games, ready to play: by name, by path or from a compiled file; compiled, or from the cache.

A cache entry says which files it was made from, each with its hash, and what folders held then, beside the
hash of the compiler: as long as all of that is so, nothing is parsed. What was found is kept with it, so that
checking needs no program at all; the program lies in a file of its own, named by what it was made from. Where some
files have changed, the trees of the others are kept too. Where nothing was found, the texts are kept as well: of files
that have since changed in comments and empty lines alone nothing will be found either.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache as cache_results
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dsl.cache import Cache
from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.serialized import read_back, stored
from dsl.errors import PicklableError
from dsl.files import MAX_SOURCE_BYTES, decode_source, display_name, read_regular
from dsl.records import record
from dsl.resources import SOURCE_SUFFIX, TESTS_FOLDER, grammar_folder, meant_game
from dsl.source import Source

if TYPE_CHECKING:
    from dsl.compiler import Compiled, Settled
    from dsl.ir.program import Program
    from dsl.linker.modules import Modules
    from dsl.playable import Playable

COMPILED_SUFFIX = ".json"
FORMAT = 2
COMPILER = ("syntax", "linker", "resolve", "check", "lower", "elaborate", "ir", "diagnostics", "passes")
"""Packages that decide what a source compiles to."""


@record(slots=True)
class Build:
    """What compiling a game gave: all that was found, and the program, which is read when it is asked for."""

    target: str
    diagnostics: Diagnostics
    sources: tuple[Source, ...] = ()
    cached: bool = False
    compiled_file: bool = False
    found: bool = True
    """Is there such a game or path at all?"""
    mods: tuple[str, ...] = ()
    digest: str = ""
    """The hash of the program as the cache keeps it; empty where it does not."""
    rules: str = ""
    """The hash of all that was compiled but tests, promises and comments; empty where nothing was."""
    shifted: bool = False
    """Was that program made from files with other comments and empty lines, so that its places are others?"""
    played: Program | None = None
    """Where the program has not been made yet: perhaps one that plays alike, without most of its tests."""
    cache: Cache | None = None
    """Where the tables of the program may be kept."""
    _make: Callable[[], Program | None] = field(default=lambda: None)
    _program: Program | None = None
    _made: bool = False

    @property
    def program(self) -> Program | None:
        """The verified program; none where there are errors."""
        if not self._made:
            self._program, self._made = self._make(), True
            if self._program is not None and self.cache is not None and self.digest and not self.shifted:
                from dsl.passes.tabulate.kept import keep_tables

                keep_tables(self._program, self.cache, lambda: f"{self.digest} {engine_hash()}")
        return self._program


class LoadError(PicklableError):
    """A game that cannot be played as it is; `diagnostics` say why."""

    __module__ = "dsl"

    def __init__(self, target: str, diagnostics: Diagnostics, *, found: bool = True) -> None:
        """`found`: is there such a game at all?"""
        self.target = target
        self.diagnostics = diagnostics
        errors = [each for each in diagnostics if each.is_error]
        first = f"{errors[0].span}: {errors[0].message}" if errors and errors[0].span else ""
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        what = first or (errors[0].message if errors else "")
        super().__init__(f"{target} does not compile: {what}{more}" if found else what)


def load(
    target: str | os.PathLike[str],
    *,
    mods: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    engine: Literal["python", "wasm"] = "python",
    steps: int | None = None,
) -> Playable:
    """A game by its name, the path of its folder or file, or a compiled file; raises `LoadError`, and `Unplayable`
    where the engine that is to move its games on cannot. `steps` may be taken between two decisions; without a number
    as many as the game's size gives it.
    """
    from dsl.playable import Playable

    where = os.environ if environment is None else environment
    found = build(os.fspath(target), mods, cache=Cache.open(where))
    if found.program is None:
        raise LoadError(found.target, found.diagnostics, found=found.found)
    if engine == "wasm":
        from dsl.wasm.available import need_wasmtime

        need_wasmtime()
        from dsl.wasm.machine import FastMachine

        return FastMachine(found.program, steps=steps)
    return Playable(found.program, steps=steps)


def build(
    target: str,
    mods: Sequence[str] = (),
    *,
    tests: bool = False,
    cache: Cache | None = None,
    findings: bool = False,
) -> Build:
    """Compiles a game, or finds it compiled. Whoever asks for the `findings` may never ask for the program: it is then
    made when it is asked for, where they can be known without.
    """
    if target.endswith(COMPILED_SUFFIX) and meant_game(target) is None:
        return _from_file(target)
    entry = _Entry.of(target, mods, tests) if cache is not None else None
    if cache is not None and entry is not None:
        known = _known(cache, entry, target, mods, tests)
        if known is not None:
            return known
    return _compiled(target, mods, tests, cache, entry, findings)


def _compiled(
    target: str,
    mods: Sequence[str],
    tests: bool,
    cache: Cache | None,
    entry: _Entry | None,
    findings: bool = False,
) -> Build:
    from dsl.compiler import compile_game

    prepare_compiler(cache)
    begun = time.time_ns()
    settled = alike = None
    if cache is not None and findings:
        settled = partial(_settled, cache, _rules_of)
        alike = partial(_settled, cache, _surface_of) if entry is None or entry.was_well(cache) else None
    made = compile_game(target, mods, tests=tests, settled=settled, alike=alike)
    digest = rules = ""
    complete = made.program is not None
    if cache is not None and entry is not None and (complete or made.settled) and not _changed(made, begun):
        rules = _rules_of(made.modules)
        digest = entry.keep(cache, made, rules)
        if made.settled is not None:
            for name in (rules, _surface_of(made.modules)):
                _settle(cache, name, made.settled)
    found = not any(each.code is Code.UNKNOWN_GAME and each.span is None for each in made.diagnostics)

    def make() -> Program | None:
        if made.program is not None or not made.settled:
            return made.program
        return _compiled(target, mods, tests, cache, entry).program

    return Build(
        target,
        made.diagnostics,
        made.sources,
        found=found,
        digest=digest,
        rules=rules,
        played=made.rules,
        cache=cache,
        _make=make,
    )


def _rules_of(modules: Modules) -> str:
    """A hash of what a game is played by: its declarations as they are written, but for tests and promises, and all
    that is no source of the language. Where they stand does not count.
    """
    from dsl.syntax import ast

    idle = (ast.Test, ast.Always, ast.Import)
    written: list[Any] = [modules.name, modules.scenario]
    for layer in modules.layers:
        written.append(layer.header.span.text)
        written += [
            [each.span.text for each in file.declarations if not isinstance(each, idle)]
            for file in layer.files
        ]
    drawn = [source.text for path, source in modules.sources.items() if path.suffix != SOURCE_SUFFIX]
    return _digest([compiler_hash(), written, drawn])


def _surface_of(modules: Modules) -> str:
    """A hash of what tests see of that."""
    from dsl.check.surfaces import written

    return _digest([compiler_hash(), written(modules).digest])


def read_modules(target: str, mods: Sequence[str] = (), *, cache: Cache | None = None) -> Modules:
    """The trees of a game that compiles, with its tests: kept ones of the files that have not changed."""
    from dsl.compiler import read_game

    prepare_compiler(cache)
    return read_game(target, mods, tests=True)


def prepare_compiler(cache: Cache | None) -> None:
    """What the compiler keeps in the cache: the tables of its grammar, and trees."""
    from dsl.syntax.grammar import prepare
    from dsl.syntax.tree_cache import keep_trees

    prepare(cache)
    keep_trees(cache, compiler_hash())


def _from_file(target: str) -> Build:
    """A compiled program from a file, verified."""
    from dsl.ir.codec import decode
    from dsl.ir.limits import MAX_BYTES
    from dsl.ir.verify.program import verify

    diagnostics = Diagnostics()
    path = Path(target)
    try:
        data = read_regular(path, MAX_BYTES)
    except FileNotFoundError:
        diagnostics.add(Diagnostic(Code.UNKNOWN_GAME, tr("there is no file `{target}`", target=target)))
        return Build(target, diagnostics, found=False)
    except OSError as error:
        diagnostics.add(
            Diagnostic(
                Code.UNREADABLE_FILE,
                tr("{target} cannot be read: {strerror}", target=target, strerror=error.strerror or error),
            )
        )
        return Build(target, diagnostics)
    program = decode(data, diagnostics, target)
    if program is not None:
        diagnostics.extend(verify(program, target))
    sound = None if diagnostics.has_errors else program
    return Build(target, diagnostics, compiled_file=True, _make=lambda: sound)


# ---------------------------------------------------------------- the cache's entries


@record(frozen=True, slots=True)
class _Entry:
    """A request for a program: which game and mods, with or without tests, of which compiler."""

    compiler: str
    key: str

    @classmethod
    def of(cls, target: str, mods: Sequence[str], tests: bool) -> _Entry | None:
        try:
            folder = meant_game(target)
            path = (folder if folder is not None else Path(target)).resolve()
            paths = [path.as_posix(), *(Path(mod).resolve().as_posix() for mod in mods)]
        except (OSError, ValueError, RuntimeError):
            return None
        if not all(os.path.exists(each) for each in paths):
            return None
        compiler = compiler_hash()
        return cls(compiler, _digest([FORMAT, compiler, paths, tests]))

    @property
    def name(self) -> str:
        return f"game-{self.key}.json"

    def was_well(self, cache: Cache) -> bool:
        """Was nothing found in the game when it was compiled last? Else the same is often found again after an edit."""
        data = cache.read(self.name)
        try:
            return data is not None and json.loads(data)["diagnostics"] == []
        except (ValueError, KeyError, TypeError, RecursionError):
            return False

    def keep(self, cache: Cache, made: Compiled, rules: str) -> str:
        """Stores what compiling gave, and what it was made from; yields the hash of the program, or nothing where there
        is none or it cannot be stored.
        """
        from dsl.ir.codec import encode

        files, texts = [], []
        for path, source in made.modules.sources.items():
            digest = _digest_of_same(path, source)
            if digest is None:
                return ""
            files.append([path.as_posix(), digest])
            texts.append(source)
        kept = stored(made.diagnostics, texts)
        if kept is None:
            return ""
        data = encode(made.program) if made.program is not None else b""
        content = _digest([FORMAT, self.compiler, sorted(digest for _, digest in files), self.key])
        program = f"program-{content}.json" if data else ""
        original = b""
        if not kept:
            written = {path: source.text for (path, _), source in zip(files, made.sources, strict=True)}
            original = json.dumps(written, ensure_ascii=False).encode()
        head = {
            "format": FORMAT,
            "files": files,
            "folders": {each: _listing(each) for each in _watched(made)},
            "diagnostics": kept,
            "program": program,
            "rules": rules,
            "sha256": hashlib.sha256(data).hexdigest() if data else "",
            "texts": hashlib.sha256(original).hexdigest() if original else "",
        }
        if data:
            cache.write(program, data)
        if original:
            cache.write(_texts(str(head["texts"])), original)
        cache.write(self.name, (json.dumps(head, ensure_ascii=False) + "\n").encode())
        return str(head["sha256"])


def _known(cache: Cache, entry: _Entry, target: str, mods: Sequence[str], tests: bool) -> Build | None:
    """What the cache has for a request; none where it has nothing, or not of these sources, or damaged."""
    data = cache.read(entry.name)
    if data is None:
        return None
    try:
        head = json.loads(data)
        if head["format"] != FORMAT or any(
            _listing(each) != names for each, names in head["folders"].items()
        ):
            return None
        found = [_source(path) for path, _ in head["files"]]
        present = [source for source, _ in filter(None, found)]
        if len(present) != len(found):
            return None
        changed = [
            (str(path), source)
            for (path, digest), (source, now) in zip(head["files"], filter(None, found), strict=True)
            if now != digest
        ]
        if changed and (head["diagnostics"] or not _shifted(cache, str(head["texts"]), changed, present)):
            return None
        diagnostics = read_back(head["diagnostics"], present)
        program, digest, rules = str(head["program"]), str(head["sha256"]), str(head["rules"])
        if program and not _plain_name(program):
            return None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None

    def make() -> Program | None:
        found = None if changed or not program else _decoded(cache.read(program), digest)
        return found or _compiled(target, mods, tests, cache, entry).program

    shifted = bool(changed)
    return Build(
        target,
        diagnostics,
        tuple(present),
        cached=True,
        digest=digest,
        rules=rules,
        shifted=shifted,
        cache=cache,
        _make=make,
    )


def _shifted(
    cache: Cache, digest: str, changed: Sequence[tuple[str, Source]], present: Sequence[Source]
) -> bool:
    """Do files differ from what they were in comments and empty lines alone, and is a game of them not too large?"""
    data = cache.read(_texts(digest)) if digest else None
    if data is None or hashlib.sha256(data).hexdigest() != digest:
        return False
    if sum(len(each.text) for each in present) > MAX_SOURCE_BYTES:
        return False
    from dsl.syntax.layout import reads_alike

    texts = json.loads(data)
    return all(
        path.endswith(SOURCE_SUFFIX) and reads_alike(Source(source.name, texts[path]), source)
        for path, source in changed
    )


def _settled(cache: Cache, of: Callable[[Modules], str], modules: Modules) -> Settled | None:
    """The tests that are known to be sound beside the rules of a game, or what is seen of them; none where nothing is
    known.
    """
    from dsl.compiler import Settled

    data = cache.read(_settled_name(of(modules)))
    if data is None:
        return None
    try:
        head, body = json.loads(data)
        if head != _digest(body):
            return None
        tests, work, size, free, surface, slots = body
        tests, free = (frozenset(map(str, each)) for each in (tests, free))
        return Settled(tests, int(work), int(size), free, str(surface), int(slots))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _settle(cache: Cache, name: str, found: Settled) -> None:
    body = [sorted(found.tests), found.work, found.size, sorted(found.free), found.surface, found.slots]
    cache.write(_settled_name(name), json.dumps([_digest(body), body]).encode())


def _settled_name(rules: str) -> str:
    """The entry of the tests that are sound beside some rules, or what is seen of them."""
    return f"settled-{rules}.json"


def _texts(digest: str) -> str:
    """The entry of the texts of a game."""
    return f"texts-{digest}.json"


def _decoded(data: bytes | None, digest: str) -> Program | None:
    """A program that this compiler verified before it was stored; none where it is no longer the same."""
    from dsl.ir.codec import decode

    if data is None or hashlib.sha256(data).hexdigest() != digest:
        return None
    return decode(data, Diagnostics())


def _source(path: str) -> tuple[Source, str] | None:
    """A file as a source, and its hash; none where it cannot be read."""
    try:
        data = read_regular(Path(path), MAX_SOURCE_BYTES)
    except OSError:
        return None
    found = decode_source(data, display_name(Path(path)))
    return (found, hashlib.sha256(data).hexdigest()) if isinstance(found, Source) else None


def _digest_of_same(path: Path, source: Source) -> str | None:
    """The hash of a file that still says what was compiled; none where it has been changed meanwhile."""
    try:
        data = read_regular(path, MAX_SOURCE_BYTES)
    except OSError:
        return None
    return hashlib.sha256(data).hexdigest() if decode_source(data, source.name) == source else None


def _file_digest(path: Path) -> str | None:
    """The hash of a file; of none that is no game's: none."""
    try:
        return hashlib.sha256(read_regular(path, MAX_SOURCE_BYTES)).hexdigest()
    except OSError:
        return None


def _watched(made: Compiled) -> list[str]:
    """The folders where another file could change what belongs to the game."""
    found: dict[str, None] = {}
    for folder in {path.parent for path in made.modules.sources}:
        for each in (folder, folder / TESTS_FOLDER, folder.parent / made.modules.name):
            found.setdefault(each.as_posix())
    return sorted(found)


def _changed(made: Compiled, begun: int) -> bool:
    """Has a file come into the folders of a game, or left them, since its compilation began?"""
    try:
        return any(os.stat(each).st_mtime_ns >= begun for each in _watched(made) if os.path.isdir(each))
    except OSError:
        return True


def _listing(folder: str) -> list[str]:
    """The sources in a folder by name, and its other data with their hashes."""
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
    found = [name for name in names if name.endswith(SOURCE_SUFFIX)]
    for name in names:
        if name.endswith(".json"):
            found.append(f"{name} {_file_digest(Path(folder, name))}")
    return found


def _plain_name(name: str) -> bool:
    return name.startswith("program-") and "/" not in name and "\\" not in name


@cache_results
def compiler_hash() -> str:
    """What tells this compiler from all others: a hash of its own text and of the grammar."""
    package = Path(__file__).resolve().parent
    return _hash_of(
        COMPILER, [*package.glob("*.py"), *package.rglob("*.mo"), *grammar_folder().glob("*.lark")]
    )


@cache_results
def engine_hash() -> str:
    """What tells this engine, and what plays its first moves, from all others: a hash of their own text."""
    return _hash_of(("engine", "passes", "ir", "players", "authoring"), [])


def _hash_of(packages: Sequence[str], files: list[Path]) -> str:
    package = Path(__file__).resolve().parent
    files = files + [each for name in packages for each in (package / name).rglob("*.py")]
    return _digest([[each.name, _file_digest(each)] for each in sorted(files)])


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()
