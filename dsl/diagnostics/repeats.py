"""One mistake, one message: a name that is missing where it is declared is unknown wherever it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics.codes import Code
from dsl.diagnostics.model import Diagnostic, Diagnostics
from dsl.source import Source, Span

_OF_NAMES = frozenset({Code.UNKNOWN_NAME, Code.NO_SUCH_HEAD})
MOST_LINES = 6
"""Lines that a note lists."""


def folded(diagnostics: Diagnostics) -> Diagnostics:
    """What was found, without what only follows from something else that was."""
    return _names_once(_well_placed(diagnostics))


def _well_placed(diagnostics: Diagnostics) -> Diagnostics:
    """Without the lines that seem to stand between blocks since the block above them has lost its head, or a word."""
    errors = [each for each in diagnostics if each.is_error and each.span is not None]
    strays = {each for each in errors if each.code is Code.BAD_INDENTATION and each.cause is not None}
    told = [each for each in errors if each not in strays]
    gone = {each for each in strays if any(_explains(other, each) for other in told)}
    return Diagnostics(each for each in diagnostics if each not in gone) if gone else diagnostics


def _explains(fault: Diagnostic, stray: Diagnostic) -> bool:
    """Does a fault spoil the first line of a block, or say that its lines belong under a head that is gone?"""
    at, above, here = fault.span, stray.cause, stray.span
    if at is None or here is None or above is None or at.source is not above.source:
        return False
    is_within = above.line <= at.line < here.line
    return is_within and (at.line == above.line or fault.code is Code.MISPLACED_LINE)


def _names_once(diagnostics: Diagnostics) -> Diagnostics:
    """An unknown name only once: unless it is nearly one that is used, and misspelt in each place."""
    groups: dict[str, list[Diagnostic]] = {}
    for each in diagnostics:
        subject = each.subject if each.code in _OF_NAMES else None
        if subject is not None and each.span is not None and each.span.text == subject.name:
            groups.setdefault(subject.name, []).append(each)
    kept: dict[Diagnostic, Diagnostic] = {}
    gone: set[Diagnostic] = set()
    for name, group in groups.items():
        if len(group) > 1 and _is_one_mistake(group[0]):
            kept[group[0]] = _with_note(
                group[0], name, [each.span for each in group[1:] if each.span is not None]
            )
            gone.update(group[1:])
    if not gone:
        return diagnostics
    return Diagnostics(kept.get(each, each) for each in diagnostics if each not in gone)


def _is_one_mistake(first: Diagnostic) -> bool:
    """Is what was likely meant only a guess, or a name used nowhere, so that its declaration may be misspelt?"""
    if first.fix is None or not first.fix.is_safe:
        return True
    declared = [label.span for label in first.labels if label.span.text == first.fix.replacement]
    if not declared or first.span is None:
        return False
    return not is_used(first.fix.replacement, {first.span.source, declared[0].source})


def is_used(name: str, sources: Set[Source]) -> bool:
    """Does a declared name stand anywhere but where it is declared?"""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return sum(len(word.findall(source.text)) for source in sources) > 1


def _with_note(first: Diagnostic, name: str, others: Sequence[Span]) -> Diagnostic:
    here = [span for span in others if first.span is not None and span.source is first.span.source]
    lines = list(dict.fromkeys(str(span.line) for span in here))
    files = list(dict.fromkeys(span.source.name for span in others if span not in here))
    shown = [*lines[:MOST_LINES], *(["others"] if len(lines) > MOST_LINES else [])]
    where = [f"line{'s' if len(lines) > 1 else ''} {_listed(shown)}"] if lines else []
    where += [f"in {_listed(files[:3])}"] if files else []
    note = tr(
        "`{name}` is used in {count} more place{value}: {where}",
        name=name,
        count=len(others),
        value="s" if len(others) > 1 else "",
        where=", ".join(where),
    )
    if first.fix is None:
        return replace(first, notes=(*first.notes, note))
    hint = tr("{hint} If `{name}` is right, mend the name where it is declared", hint=first.hint, name=name)
    return replace(first, notes=(*first.notes, note), hint=hint, fix=replace(first.fix, is_safe=False))


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
