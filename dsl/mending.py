"""Putting right what is surely wrong: the safe edits of diagnostics, each held against what checking says after it.

All safe edits are tried at once; where that makes a new error, one by one, and an edit that does is left out. What
was mended may show faults that could not be seen before, as rules are only looked at when all lines can be read.

Only files of what was named are edited: of a game its own and those of its usual scenario, of a scenario or mod its
own, of a file without a header that file. With mods on top the game is mended as it stands without them, and what they
make wrong is mended in their files alone. Nothing is written here: the result is texts for whoever asked, so that what
`check` promises and what `check --fix` does are one computation.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Fix, Severity
from dsl.resources import meant_game
from dsl.source import Source
from dsl.syntax import ast

MOST_ROUNDS = 20
MOST_READ = 2_000_000
"""Characters of sources that are compiled to find out which faults can be put right together."""
PROMISED = 300_000
"""The same where nothing is put right yet, and only said how much could be."""


@dataclass(slots=True)
class Mended:
    """What was put right: the new texts of files, which faults their edits were for, and what is left."""

    texts: dict[Path, str] = field(default_factory=dict)
    read: dict[Path, Source] = field(default_factory=dict)
    """What the files held that have new texts."""
    done: list[Diagnostic] = field(default_factory=list)
    left: Diagnostics = field(default_factory=Diagnostics)
    closed: set[Path] = field(default_factory=set)
    """Files with something to mend that may not be written."""
    work: int = MOST_READ
    """Characters that may still be compiled."""

    def count(self, told: Iterable[Diagnostic]) -> int:
        """How many of some faults are put right."""
        return (Counter(map(_key, told)) & Counter(map(_key, self.done))).total()


def mend(targets: Sequence[str], mods: Sequence[str] = (), *, work: int = MOST_READ) -> Mended:
    """Applies the safe edits in the files of each target, one after another, and in those of the mods on top.

    A game of the library is left as it is; only mods on top of it are mended.
    """
    mended = Mended(work=work)
    for target in targets:
        if meant_game(target) is None:
            _mend(mended, target, ())
        for number in range(len(mods)):
            _mend(mended, target, mods[: number + 1])
    return mended


def _mend(mended: Mended, target: str, mods: Sequence[str]) -> None:
    """Mends a target; with mods on top of it, the last of them."""
    compiled = compile_game(target, mods, tests=True, drafts=mended.texts)
    for _ in range(MOST_ROUNDS):
        own = _own_files(compiled, mods[-1] if mods else target, is_mod=bool(mods))
        faults = _mendable(compiled, own, mended.closed)
        taken, again = _tried(target, mods, compiled, faults, mended)
        if not taken:
            break
        sources = compiled.modules.sources
        edited = _edited(compiled, taken, mended.texts)
        mended.read |= {path: sources[path] for path in edited if path not in mended.read}
        mended.texts = edited
        mended.done += taken
        compiled = again
    mended.left.extend(compiled.diagnostics)


def _own_files(compiled: Compiled, named: str, *, is_mod: bool) -> set[Path]:
    """The files that may be edited where a path names a game, a scenario or a mod, by their resolved paths."""
    modules = compiled.modules
    path = Path(named).resolve()
    homes = {id(source): each for each, source in modules.sources.items()}
    claimed = [
        (layer.header, {homes[id(tree.span.source)] for tree in layer.files if id(tree.span.source) in homes})
        for layer in modules.layers
    ]
    header: ast.Header | None
    if path.is_dir():
        loose = set(modules.sources).difference(modules.drawings, *(files for _, files in claimed))
        folder = path
        header = claimed[-1][0] if is_mod and claimed else modules.asked
    else:
        folder, loose = path.parent, {path}
        tree = modules.files.get(path)
        declarations = tree.declarations if tree is not None else ()
        header = next((each for each in declarations if isinstance(each, ast.Header)), None)
    whole = header is not None and header.kind == "game" and not is_mod
    own = loose.union(*(files for each, files in claimed if whole or each is header))
    own |= {drawing for drawing, source in modules.drawings.items() if source in own}
    return {each for each in own if each.is_relative_to(folder)}


def _mendable(compiled: Compiled, own: Collection[Path], closed: set[Path]) -> list[Diagnostic]:
    """The faults with a safe edit in a file of one's own that may be written; of edits that overlap, the first."""
    homes = {id(source): path for path, source in compiled.modules.sources.items()}
    found: list[Diagnostic] = []
    ends: dict[int, int] = {}
    edits = (each for each in compiled.diagnostics if each.fix is not None and each.fix.is_safe)
    for each in sorted(edits, key=lambda fault: _fix(fault).span.start):
        span = _fix(each).span
        home = homes.get(id(span.source))
        if home is None or home not in own or span.start < ends.get(id(span.source), 0):
            continue
        if not os.access(home, os.W_OK) or not os.access(home.parent, os.W_OK):
            closed.add(home)
            continue
        found.append(each)
        ends[id(span.source)] = span.end + 1
    return found


def _tried(
    target: str, mods: Sequence[str], before: Compiled, faults: list[Diagnostic], mended: Mended
) -> tuple[list[Diagnostic], Compiled]:
    """Which faults can be put right together without making a new one, and what checking says then."""

    def checked(chosen: list[Diagnostic]) -> Compiled:
        mended.work -= sum(len(source.text) for source in before.sources)
        return compile_game(target, mods, tests=True, drafts=_edited(before, chosen, mended.texts))

    if not faults or _is_better(before, after := checked(faults), faults):
        return faults, after if faults else before
    taken: list[Diagnostic] = []
    best = before
    for each in faults:
        if mended.work < 0:
            break  # what is left is for the next time
        after = checked([*taken, each])
        if _is_better(before, after, [*taken, each]):
            taken, best = [*taken, each], after
    return taken, best


def _edited(compiled: Compiled, faults: Iterable[Diagnostic], texts: dict[Path, str]) -> dict[Path, str]:
    """The texts with the edits for some faults in them."""
    edited = dict(texts)
    for path, source in compiled.modules.sources.items():
        fixes = [_fix(each) for each in faults if _fix(each).span.source is source]
        if fixes:
            edited[path] = _with(source, fixes)
    return edited


def _with(source: Source, fixes: Iterable[Fix]) -> str:
    text = source.text
    for fix in sorted(fixes, key=lambda each: each.span.start, reverse=True):
        text = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    return text


def _is_better(before: Compiled, after: Compiled, faults: Sequence[Diagnostic]) -> bool:
    """Whether the faults are gone and no other came, but for those that could not be seen before.

    A fault is known again by its code and its place, which the edits before it have moved.
    """
    edits = [_fix(each) for each in faults]
    old = Counter(_moved(each, edits) for each in before.diagnostics)
    new = Counter(_moved(each, ()) for each in after.diagnostics)
    if any(new[key] >= old[key] for key in {_moved(each, edits) for each in faults}):
        return False
    fresh = {key for key in new - old if key[0].severity is Severity.ERROR}
    if not fresh:
        return True
    unseen = after.is_read and not before.is_read
    lines = {(each.file, _fix(each).span.line) for each in faults}
    return unseen and not any(
        each.span is not None and (each.file, each.span.line) in lines and _moved(each, ()) in fresh
        for each in after.diagnostics
    )


def _moved(fault: Diagnostic, edits: Iterable[Fix]) -> tuple[Code, str, int]:
    """The kind of a fault, its file, and where it begins when some edits are made there."""
    start = moved = fault.span.start if fault.span is not None else 0
    for each in edits:
        if each.span.source.name == fault.file and each.span.start < start:
            moved += (
                len(each.replacement) - (each.span.end - each.span.start) if each.span.end <= start else 0
            )
            moved -= start - each.span.start if each.span.end > start else 0
    return fault.code, fault.file, moved


def _key(fault: Diagnostic) -> tuple[Code, str, str]:
    return fault.code, fault.file, fault.span.text if fault.span is not None else ""


def _fix(fault: Diagnostic) -> Fix:
    assert fault.fix is not None
    return fault.fix
