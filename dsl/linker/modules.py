"""Modules: from a game's name or a path to the files that belong together.

A game is a folder; the file with its header imports its chapters by name. A scenario or mod names the game it is for.
Only siblings are imported: no path leaves a game's folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label, Meant, Subject
from dsl.files import MAX_SOURCE_BYTES, display_name, read_source
from dsl.linker.discovery import headed, holds_scenario
from dsl.linker.drawings import with_drawings
from dsl.linker.layers import Layer
from dsl.linker.prelude import chosen, lent, prelude_files, wanted_names
from dsl.records import record
from dsl.resources import PRELUDE, SOURCE_SUFFIX, TESTS_FOLDER, game_folder, games, meant_game
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.tree_cache import tree_of

MAX_FILES = 500
FILES_KEPT = 200


@lru_cache(maxsize=FILES_KEPT)
def _parsed(source: Source) -> tuple[Source, ast.File, tuple[Diagnostic, ...]]:
    """The tree of a source and its faults; kept, so that whoever compiles again after a change reads only that."""
    faults = Diagnostics()
    tree = tree_of(source, faults)
    return source, tree, tuple(faults)


@record(slots=True)
class Modules:
    """What was read: sources by path, trees by path, and the layers in order."""

    diagnostics: Diagnostics
    tests: bool = False
    shown: dict[Path, str] = field(default_factory=dict)
    sources: dict[Path, Source] = field(default_factory=dict)
    files: dict[Path, ast.File] = field(default_factory=dict)
    layers: list[Layer] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    drafts: Mapping[Path, str] = field(default_factory=dict)
    """Texts to read in place of what some files hold."""
    homes: dict[Path, str] = field(default_factory=dict)
    """Which game, scenario or mod a folder is of."""
    name: str = ""
    scenario: str = ""
    helpers: list[Path] = field(default_factory=list)
    """The files of tests that a mod is not held to, whose other declarations its own tests may use."""
    loading: set[str] = field(default_factory=set)
    """Scenarios and mods whose requirements are being loaded."""
    asked: ast.Header | None = None
    """The header of what was opened."""
    drawings: dict[Path, Path] = field(default_factory=dict)
    """The files in which maps and shapes are drawn, each with a source that names it."""
    size: int = 0
    """Characters of all sources."""
    is_cut: bool = False
    """Were sources left out, as they are too large together?"""

    # ------------------------------------------------------------ reading

    def read(self, path: Path) -> ast.File | None:
        """The tree of a file, read once."""
        path = path.resolve()
        if path in self.files:
            return self.files[path]
        if len(self.files) >= MAX_FILES:
            self.diagnostics.add(
                Diagnostic(Code.LIMIT, tr("a game of more than {max_files} files", max_files=MAX_FILES))
            )
            return None
        draft = self.drafts.get(path)
        source = Source(self.show(path), draft) if draft is not None else read_source(path, self.show(path))
        if isinstance(source, Diagnostic):
            self.diagnostics.add(source)
            return None
        self.size += len(source.text)
        if self.size > MAX_SOURCE_BYTES:
            self._too_large(source)
            return None
        self.sources[path], tree, faults = _parsed(source)
        self.diagnostics.extend(faults)
        self.files[path] = tree
        return tree

    def drawn(self, path: Path, file: ast.File) -> ast.File:
        """A tree with the maps and shapes that are drawn in files of their own, which are read once."""

        def read(target: Path) -> Source | Diagnostic | None:
            self.drawings.setdefault(target, path)
            if target not in self.sources:
                draft = self.drafts.get(target)
                name = self.show(target)
                source = Source(name, draft) if draft is not None else read_source(target, name)
                if isinstance(source, Diagnostic):
                    return source
                self.size += len(source.text)
                if self.size > MAX_SOURCE_BYTES or len(self.sources) >= MAX_FILES:
                    self._too_large(source)
                    return None
                self.sources[target] = source
            return self.sources[target]

        return with_drawings(file, path, read, self.diagnostics)

    def _too_large(self, source: Source) -> None:
        """Tells once that the sources of a game are too large together."""
        if not self.is_cut:
            self.is_cut = True
            message = tr(
                "the sources of a game are larger than {max_source_bytes} MiB together",
                max_source_bytes=MAX_SOURCE_BYTES >> 20,
            )
            hint = "are there files that do not belong to it?"
            self.diagnostics.add(Diagnostic(Code.LIMIT, message, source.span(0, 0), hint=hint))

    def show(self, path: Path) -> str:
        """A file's name as its author knows it."""
        return display_name(path)

    def file_names(self) -> dict[str, str]:
        """Each source's name inside its game: the name of game, scenario or mod, then the path below its folder."""
        found = {}
        for path, source in self.sources.items():
            folder = next(
                (each for each in (path.parent, path.parent.parent) if each in self.homes), path.parent
            )
            header = self.header(path) if path in self.files else None
            if header is not None and header.kind == "mod":
                found[source.name] = f"{header.name.text}/{path.name}"
                continue
            found[source.name] = (
                f"{self.homes.get(folder, folder.name)}/{path.relative_to(folder).as_posix()}"
            )
        return found

    # ------------------------------------------------------------ finding

    def open(self, target: str) -> bool:
        """Reads a game by name, or what a path names, and all that belongs to it."""
        folder = meant_game(target)
        path = folder if folder is not None else Path(target)
        if folder is None and not os.path.exists(path):  # a name may be longer than any file's
            known = tr("known games: {names}", names=", ".join(games()))
            hint = beside(path) or Meant.among(target, games(), 0.5) or known
            self.diagnostics.add(
                Diagnostic(
                    Code.UNKNOWN_GAME, tr("there is no game and no file `{target}`", target=target), hint=hint
                )
            )
            return False
        main = self.main_file(path)
        if main is None:
            return False
        header = self.header(main)
        assert header is not None
        return self.open_header(main, header)

    def main_file(self, path: Path) -> Path | None:
        """The file with the header: the path itself, or the one in its folder."""
        if path.is_file():
            if self.header(path) is not None:
                return path
            if path.resolve() not in self.files:
                return None
            folder = path.resolve().parent
            if folder.name == TESTS_FOLDER:
                folder = folder.parent
        else:
            folder = path
        candidates = sorted(each for each in folder.glob(f"*{SOURCE_SUFFIX}") if each.is_file())
        if not candidates:
            self.diagnostics.add(
                Diagnostic(
                    Code.NO_SOURCES,
                    tr("{as_posix} holds no sources", as_posix=folder.as_posix()),
                    hint=tr("sources end in {source_suffix}", source_suffix=SOURCE_SUFFIX),
                )
            )
            return None
        heads = [(each, header) for each in candidates if (header := self.header(each)) is not None]
        for kind in ("game", "scenario", "mod"):
            found = [each for each, header in heads if header.kind == kind]
            if found:
                return found[0]
        if not self.diagnostics.has_errors:
            self.diagnostics.add(
                Diagnostic(
                    Code.NO_HEADER,
                    tr("no file in {as_posix} begins with `game NAME:`", as_posix=folder.as_posix()),
                    hint="write a header: `game my_game:` with a line `players x, o`",
                )
            )
        return None

    def header(self, path: Path) -> ast.Header | None:
        file = self.read(path)
        if file is None:
            return None
        return next((each for each in file.declarations if isinstance(each, ast.Header)), None)

    def open_header(self, main: Path, header: ast.Header) -> bool:
        self.asked = header
        if header.kind == "game":
            self.name = header.name.text
            self.add_layer(main, header)
            self.default_scenario(main, header)
            return True
        base = self.base(main, header)
        if base is None:
            return False
        base_header = self.header(base)
        assert base_header is not None
        self.name = base_header.name.text
        own = header.kind == "scenario" and header.name.text == _default_name(base_header)
        own = own and base.parent.resolve() == main.resolve().parent
        self.add_layer(base, base_header, tests=own, helpers=header.kind == "mod")
        if header.kind == "scenario":
            self.scenario = header.name.text
        else:
            self.default_scenario(base, base_header)
        self.add_with_required(main, header)
        return True

    def base(self, main: Path, header: ast.Header) -> Path | None:
        """The game that a scenario or mod is for: beside it, in a folder beside it or its own, or of the library."""
        if header.target is None:
            self.diagnostics.add(
                Diagnostic(
                    Code.UNKNOWN_GAME,
                    tr("`{kind} {header}` names no game", kind=header.kind, header=header.name.text),
                    header.span,
                    hint=tr("write `{kind} {header} for GAME:`", kind=header.kind, header=header.name.text),
                )
            )
            return None
        name = header.target.text
        folder = main.resolve().parent
        library = game_folder(name)
        near = (folder, folder / name, folder.parent / name)
        for candidate in (*near, *([library] if library else [])):
            if not candidate.is_dir():
                continue
            for each in sorted(candidate.glob(f"*{SOURCE_SUFFIX}")):
                if each.name == f"{name}{SOURCE_SUFFIX}" or candidate is library:
                    found = self.header(each)
                    if found is not None and found.kind == "game" and found.name.text == name:
                        return each
        if other := headed(name, (folder, folder.parent)):
            return other
        hint = Meant.among(name, games(), 0.5) or tr("known games: {names}", names=", ".join(games()))
        looked = tr(
            "looked for beside this file, in the folders beside it and beside its own, and in the library"
        )
        hint = tr("{looked}; {hint}", looked=looked, hint=hint)
        self.diagnostics.add(
            Diagnostic(
                Code.UNKNOWN_GAME,
                tr("there is no game `{name}`", name=name),
                header.target.span,
                hint=hint,
                subject=Subject("game", name),
            )
        )
        return None

    def default_scenario(self, main: Path, header: ast.Header) -> None:
        for each in header.fields:
            if each.key.text != "scenario":
                continue
            names = [item for item in each.items if isinstance(item, ast.Name)]
            if not names:
                continue
            path = main.resolve().parent / f"{names[-1].text}{SOURCE_SUFFIX}"
            found = self.header(path) if path.is_file() else None
            if found is None:
                self.missing(names[-1], main)
                continue
            self.scenario = found.name.text
            self.add_layer(path, found)

    def add_mod(self, target: str) -> None:
        """Adds a mod on top of what is there."""
        main = self.main_file(Path(target)) if Path(target).exists() else None
        if main is None:
            hint = beside(Path(target))
            self.diagnostics.add(
                Diagnostic(Code.UNKNOWN_GAME, tr("there is no mod `{target}`", target=target), hint=hint)
            )
            return
        header = self.header(main)
        source = self.sources.get(Path(target).resolve())
        is_spoilt = source is not None and any(each.is_error for each in _parsed(source)[2])
        if is_spoilt and self.header(Path(target)) is None:
            return  # it may be the header that could not be read, as was told
        if (
            header is None
            or header.kind == "game"
            or header.target is None
            or header.target.text != self.name
        ):
            span = header.span if header else None
            self.diagnostics.add(
                Diagnostic(
                    Code.UNKNOWN_GAME,
                    tr("`{target}` is no mod for {name}", target=target, name=self.name),
                    span,
                    hint=tr("its header is to read `mod NAME for {name}:`", name=self.name),
                )
            )
            return
        self.add_with_required(main, header)

    def add_with_required(self, main: Path, header: ast.Header) -> None:
        """Adds a scenario or mod, and first what it requires, where that stands beside it in a file of its name."""
        if self.is_loaded(main, header) or header.name.text in self.loading:
            return
        self.loading.add(header.name.text)
        for name in header_names(header, "requires"):
            path = main.resolve().parent / f"{name.text}{SOURCE_SUFFIX}"
            if any(each.header.name.text == name.text for each in self.layers) or not path.is_file():
                continue
            found = self.header(path)
            fits = found is not None and found.kind == "mod" and found.name.text == name.text
            if found is not None and fits and found.target is not None and found.target.text == self.name:
                self.add_with_required(path, found)
        self.add_layer(main, header)

    def is_loaded(self, main: Path, header: ast.Header) -> bool:
        """Is a scenario or mod there already? Loading it twice is loading it once; two of one name are a fault."""
        same = next((each.header for each in self.layers if each.header.name.text == header.name.text), None)
        if same is None or same is self.header(main):
            return same is not None
        message = tr("two files are called `{header}`", header=header.name.text)
        labels = (Label(same.name.span, "the other one"),)
        hint = "load only one of them, or give one another name"
        self.diagnostics.add(
            Diagnostic(Code.UNFIT_COMPANY, message, header.name.span, labels=labels, hint=hint)
        )
        return True

    def add_prelude(self) -> None:
        """What the game uses of the prelude, as one more of its files; and before it what mods use of what stands
        beside the tests of their game.
        """
        if not self.layers:
            return
        if helpers := [file for path in self.helpers if (file := self.read(path)) is not None]:
            game, *mods = self.layers
            found = lent(helpers, game.files, (file for layer in mods for file in layer.files))
            self.layers[0] = replace(game, files=(*game.files, ast.File(found, span=helpers[0].span)))
        files = [file for layer in self.layers for file in layer.files]
        wanted = wanted_names(files, [source.text for source in self.sources.values()])
        if not wanted:
            return
        trees = [tree for path in prelude_files() if (tree := self.read(path)) is not None]
        found = chosen(trees, wanted)
        self.homes.setdefault(prelude_files()[0].parent.resolve(), PRELUDE)
        game = self.layers[0]
        more = ast.File(found, span=trees[0].span)
        self.layers[0] = replace(game, files=(*game.files, more))

    # ------------------------------------------------------------ layers

    def add_layer(self, main: Path, header: ast.Header, *, tests: bool = True, helpers: bool = False) -> None:
        """The files of a game, scenario or mod; without `tests`, those that were written for another scenario
        or for the rules before a mod are left out. What is declared beside them, the `helpers`, a mod's own may use.
        """
        folder = main.resolve().parent
        paths = self.imported(main.resolve(), [], [])
        shared = False
        if self.tests and tests:
            tested = self.test_files(folder, paths, header)
            shared = header.kind == "mod" and not self.in_scenario(folder) and holds_scenario(folder)
            if shared:
                for path in tested:
                    self.keep_tests_for(path, header)
            paths += tested
        elif self.tests and helpers:
            self.helpers += self.test_files(folder, paths, header)
        found = [self.drawn(path, file) for path in paths if (file := self.files.get(path)) is not None]
        if not tests:
            found = [_without_tests(file) for file in found]
        self.layers.append(Layer(header, tuple(found), has_tests=self.tests and tests and not shared))
        self.homes.setdefault(folder, header.name.text)
        if folder not in self.folders:
            self.folders.append(folder)

    def test_files(self, folder: Path, paths: list[Path], header: ast.Header) -> list[Path]:
        """Tests beside a game's rules: in `tests/`, or in files whose name ends in `_tests`."""
        if (
            header.kind != "game"
            and any(layer.header.kind == "game" for layer in self.layers)
            and folder in self.folders
        ):
            return []
        found = [
            *sorted(folder.glob(f"tests/*{SOURCE_SUFFIX}")),
            *sorted(folder.glob(f"*_tests{SOURCE_SUFFIX}")),
        ]
        return [
            path.resolve() for path in found if path.resolve() not in paths and self.read(path) is not None
        ]

    def in_scenario(self, folder: Path) -> bool:
        """Is a scenario asked for that stands in this folder?"""
        asked = self.asked
        if asked is None or asked.kind != "scenario":
            return False
        return any(
            path.parent == folder and any(each is asked for each in file.declarations)
            for path, file in self.files.items()
        )

    def keep_tests_for(self, path: Path, header: ast.Header) -> None:
        """Of a file of tests beside a scenario a mod has those that are said to be for it, with what they use."""
        file = self.read(path)
        if file is None:
            return
        own = tuple(each for each in file.declarations if _is_for(each, header))
        others = tuple(each for each in file.declarations if not isinstance(each, ast.Test | ast.Always))
        self.files[path] = replace(file, declarations=(*others, *own) if own else ())

    def imported(self, path: Path, trail: list[tuple[Path, Span]], found: list[Path]) -> list[Path]:
        """A file and all that it imports, each once; files that need each other are an error."""
        file = self.read(path)
        if file is None or path in found:
            return found
        found.append(path)
        for declaration in file.declarations:
            if isinstance(declaration, ast.Import):
                for name in declaration.names:
                    self.import_one(path, name, trail, found)
        return found

    def import_one(
        self, path: Path, name: ast.Name, trail: list[tuple[Path, Span]], found: list[Path]
    ) -> None:
        target = (path.parent / f"{name.text}{SOURCE_SUFFIX}").resolve()
        if target == path:
            self.diagnostics.add(
                Diagnostic(
                    Code.SELF_IMPORT,
                    tr("`{name}` imports itself", name=name.text),
                    name.span,
                    hint="remove this import",
                )
            )
            return
        circle = [at for at, _ in trail]
        if target in circle:
            at = circle.index(target)
            labels = tuple(Label(span, "imported here") for _, span in trail[at:])
            self.diagnostics.add(
                Diagnostic(
                    Code.IMPORT_CYCLE,
                    tr("`{name}` is imported in a circle", name=name.text),
                    name.span,
                    labels=labels,
                    hint="all files of a game see each other: one import from the main file is enough",
                )
            )
            return
        if target.is_file() and target.parent != path.parent:
            hint = "put the file itself into the folder"
            message = tr("`{name}` is a link that leads out of the folder", name=name.text)
            self.diagnostics.add(Diagnostic(Code.PATH_ESCAPES, message, name.span, hint=hint))
            return
        if not target.is_file():
            self.missing(name, path)
            return
        self.imported(target, [*trail, (path, name.span)], found)

    def missing(self, name: ast.Name, path: Path) -> None:
        beside = sorted(each.stem for each in path.resolve().parent.glob(f"*{SOURCE_SUFFIX}"))
        hint = Meant.among(name.text, beside, 0.5) or tr(
            "it would be the file {name}{source_suffix} beside this one",
            name=name.text,
            source_suffix=SOURCE_SUFFIX,
        )
        message, subject = (
            tr("there is no file `{name}` to import", name=name.text),
            Subject("file", name.text),
        )
        fault = Diagnostic(Code.UNKNOWN_MODULE, message, name.span, hint=hint, subject=subject)
        self.diagnostics.add(fault.with_fix())


def header_names(header: ast.Header, key: str) -> list[ast.Name]:
    """The names in the lines of a header that begin with `key`."""
    return [
        item
        for field in header.fields
        if field.key.text == key
        for item in field.items
        if isinstance(item, ast.Name) and item.text not in {",", ":"}
    ]


def _default_name(header: ast.Header) -> str | None:
    """The scenario that a game is played with where none is chosen."""
    names = [
        item.text
        for field in header.fields
        if field.key.text == "scenario"
        for item in field.items[-1:]
        if isinstance(item, ast.Name)
    ]
    return names[-1] if names else None


def _without_tests(file: ast.File) -> ast.File:
    kept = (each for each in file.declarations if not isinstance(each, ast.Test | ast.Always))
    return replace(file, declarations=tuple(kept))


def _is_for(declaration: ast.Node, header: ast.Header) -> bool:
    named = declaration.only_for if isinstance(declaration, ast.Test) else ()
    return any(each.text == header.name.text for each in named)


def beside(path: Path) -> str:
    """The hint for a path that names a file without its ending; empty where there is none."""
    file = path.with_name(f"{path.name}{SOURCE_SUFFIX}") if path.name else path
    return (
        tr("did you mean `{as_posix}`?", as_posix=file.as_posix())
        if path.name and os.path.isfile(file)
        else ""
    )
