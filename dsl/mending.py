"""Putting right what is surely wrong: the safe edits of diagnostics, each held against what checking says after it.

All safe edits are tried at once; where that makes a new error, one by one, and an edit that does is left out. What
was mended may show faults that could not be seen before, as rules are only looked at when all lines can be read.
Nothing is written here: the result is texts for whoever asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.compiler import Compiled, compile_game
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Fix, Severity
from dsl.source import Source

MOST_ROUNDS = 20


@dataclass(slots=True)
class Mended:
    """What was put right: the new texts of files, which faults their edits were for, and what is left."""

    texts: dict[Path, str] = field(default_factory=dict)
    done: list[Diagnostic] = field(default_factory=list)
    left: Diagnostics = field(default_factory=Diagnostics)


def mend(target: str, mods: Sequence[str], folders: Collection[Path]) -> Mended:
    """Applies the safe edits in a game's files that lie in some folders."""
    mended = Mended()
    compiled = compile_game(target, mods, tests=True)
    for _ in range(MOST_ROUNDS):
        faults = _mendable(compiled, folders)
        taken, again = _tried(target, mods, compiled, faults, mended.texts)
        if not taken:
            break
        mended.texts = _edited(compiled, taken, mended.texts)
        mended.done += taken
        compiled = again
    mended.left = compiled.diagnostics
    return mended


def _mendable(compiled: Compiled, folders: Collection[Path]) -> list[Diagnostic]:
    """The faults with a safe edit in a file of one of the folders; of edits that overlap, the first."""
    homes = {id(source): path for path, source in compiled.modules.sources.items()}
    found: list[Diagnostic] = []
    ends: dict[int, int] = {}
    edits = (each for each in compiled.diagnostics if each.fix is not None and each.fix.is_safe)
    for each in sorted(edits, key=lambda fault: _fix(fault).span.start):
        span = _fix(each).span
        home = homes.get(id(span.source))
        inside = home is not None and any(home.is_relative_to(folder) for folder in folders)
        if inside and span.start >= ends.get(id(span.source), 0):
            found.append(each)
            ends[id(span.source)] = span.end + 1
    return found


def _tried(
    target: str, mods: Sequence[str], before: Compiled, faults: list[Diagnostic], texts: dict[Path, str]
) -> tuple[list[Diagnostic], Compiled]:
    """Which faults can be put right together without making a new one, and what checking says then."""

    def checked(chosen: list[Diagnostic]) -> Compiled:
        return compile_game(target, mods, tests=True, drafts=_edited(before, chosen, texts))

    if not faults or _is_better(before, after := checked(faults), faults):
        return faults, after if faults else before
    taken: list[Diagnostic] = []
    best = before
    for each in faults:
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
    """Whether the faults are gone and no other came, but for those that could not be seen before."""
    old, new = _counted(before.diagnostics), _counted(after.diagnostics)
    if any(new[_key(each)] >= old[_key(each)] for each in faults):
        return False
    fresh = Counter(
        {key: count for key, count in (new - old).items() if Code(key[0]).severity is Severity.ERROR}
    )
    if not fresh:
        return True
    unseen = after.is_read and not before.is_read
    lines = {(each.file, _fix(each).span.line) for each in faults}
    return unseen and not any(
        each.span is not None and (each.file, each.span.line) in lines and _key(each) in fresh
        for each in after.diagnostics
    )


def _counted(diagnostics: Diagnostics) -> Counter[tuple[str, str, str]]:
    return Counter(_key(each) for each in diagnostics)


def _key(fault: Diagnostic) -> tuple[str, str, str]:
    return fault.code.id, fault.file, fault.message


def _fix(fault: Diagnostic) -> Fix:
    assert fault.fix is not None
    return fault.fix
