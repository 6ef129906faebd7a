"""Variants: declarations of one name that hold in different modes.

A mode may declare a value, an action, a menu, a window or the course of a round that the game, or the mode it is
like, declares too: in that mode its own holds. Here each declaration keeps the modes in which it is the nearest; so
no mode has two of a name, and two in one mode are a fault. A field that a mode declares again begins otherwise there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label, Subject
from dsl.linker.layers import Entry, Gathered, named
from dsl.linker.modes import Modes
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

HEADS = ast.Value | ast.Action | ast.Menu | ast.Window | ast.Round


def resolve_variants(gathered: Gathered, diagnostics: Diagnostics) -> None:
    """Narrows what is declared several times to the modes in which it holds."""
    if gathered.modes.names:
        groups: dict[tuple[type, str], list[Entry]] = {}
        for entry in gathered.entries:
            if isinstance(entry.declaration, HEADS):
                key = (type(entry.declaration), named(entry.declaration) or "")
                groups.setdefault(key, []).append(entry)
        for found in groups.values():
            rounds = isinstance(found[0].declaration, ast.Round)
            if rounds or any(entry.mode is not None or entry.where is not None for entry in found):
                _narrow(gathered, found, diagnostics)
        _fields(gathered, diagnostics)
        _coverage(gathered, diagnostics)
    _rounds(gathered, diagnostics)


def _narrow(gathered: Gathered, found: list[Entry], diagnostics: Diagnostics) -> None:
    modes = gathered.modes
    holds: dict[int, set[str]] = {id(entry): set() for entry in found}
    for mode in modes.names:
        chosen = _nearest(modes, mode, found)
        for other in chosen[1:]:
            _twice(chosen[0], other, diagnostics)
        if chosen:
            holds[id(chosen[0])].add(mode)
        if chosen and mode == _played(gathered):
            _passed_over(mode, chosen[0], found, diagnostics)
    gathered.entries = [
        replace(entry, where=modes.whole(holds[id(entry)])) if id(entry) in holds else entry
        for entry in gathered.entries
        if holds.get(id(entry), True)
    ]


def _played(gathered: Gathered) -> str:
    """The mode that is played where nobody chooses one."""
    said = [
        item.text
        for header in gathered.headers
        for field in header.fields
        if field.key.text == "mode"
        for item in field.items[:1]
        if isinstance(item, ast.Name)
    ]
    return said[-1] if said else gathered.modes.names[0]


def _passed_over(mode: str, chosen: Entry, found: list[Entry], diagnostics: Diagnostics) -> None:
    """What a later layer puts in place of the game's, while the mode that is played has its own."""
    for entry in found:
        if entry.mode is not None or entry.layer <= chosen.layer or chosen.mode is None:
            continue
        name = named(entry.declaration) or ""
        message = tr(
            "in the mode `{mode}`, which is played where nobody chooses, its own `{name}` stands",
            mode=mode,
            name=name,
        )
        hint = tr("to replace that one write `replace` in `mode {chosen}:`", chosen=chosen.mode)
        label = Label(chosen.declaration.span, "this one stands")
        diagnostics.add(
            Diagnostic(Code.PASSED_OVER, message, entry.declaration.span, labels=(label,), hint=hint)
        )


def _nearest(modes: Modes, mode: str, found: list[Entry]) -> list[Entry]:
    """The declarations that a mode takes: its own, else those of the mode that it is like, else the game's."""
    for owner in (*modes.line(mode), None):
        here = [each for each in found if each.mode == owner and mode in modes.every(each.where)]
        if here:
            return here
    return []


def _twice(first: Entry, second: Entry, diagnostics: Diagnostics) -> None:
    name = named(second.declaration)
    diagnostic = Diagnostic(
        Code.DUPLICATE_NAME,
        "the course of a round is told twice"
        if name == "round"
        else tr("`{name}` is declared twice", name=name),
        second.declaration.span,
        labels=(Label(first.declaration.span, "first declared here"),),
        hint="in one mode only one of them can hold: rename one, or write `replace` before the one that does",
    )
    if diagnostic not in list(diagnostics):
        diagnostics.add(diagnostic)


def _rounds(gathered: Gathered, diagnostics: Diagnostics) -> None:
    """A round is told once for each mode, and for all of them."""
    found = list(gathered.of(ast.Round))
    if not gathered.modes.names:
        for other in found[1:]:
            _twice(found[0], other, diagnostics)
        return
    untold = set(gathered.modes.names) - {name for each in found for name in gathered.modes.every(each.where)}
    if found and untold:
        hint = tr("write `round:` in `mode {untold}` too, or one outside of all modes", untold=min(untold))
        message = tr("nothing says how a round goes in the mode `{untold}`", untold=min(untold))
        diagnostics.add(Diagnostic(Code.NO_ROUND, message, found[0].declaration.span, hint=hint))


# ---------------------------------------------------------------- fields


def _fields(gathered: Gathered, diagnostics: Diagnostics) -> None:
    """A field that some modes declare again is one field, which begins there in its own way."""
    first: dict[tuple[str, str], ast.Field] = {}
    ordered = sorted(gathered.of(ast.State), key=lambda entry: entry.mode is not None)
    kept: dict[int, list[ast.Field]] = {}
    for entry in ordered:
        kept[id(entry)] = []
        for field in entry.declaration.fields:
            of = entry.declaration.of
            key = (of.text if of else "", field.name.text)
            if entry.mode is None or key not in first:
                first.setdefault(key, field)
                kept[id(entry)].append(field)
                continue
            _same_field(first[key], field, diagnostics)
            gathered.starts.setdefault(key, []).append((field, entry.modes))
    gathered.entries = [
        replace(entry, declaration=replace(entry.declaration, fields=tuple(kept[id(entry)])))
        if id(entry) in kept
        else entry
        for entry in gathered.entries
    ]
    for starts in gathered.starts.values():
        starts.sort(key=lambda each: len(gathered.modes.every(each[1])))


def _same_field(first: ast.Field, second: ast.Field, diagnostics: Diagnostics) -> None:
    if first.type == second.type and second.clauses in ((), first.clauses):
        return
    diagnostics.add(
        Diagnostic(
            Code.TYPE_MISMATCH,
            tr("`{second}` is declared in another way here", second=second.name.text),
            second.span,
            labels=(Label(first.span, "and so elsewhere"),),
            hint="in a mode a field of the game may only begin with another value: give it the same type",
        )
    )


# ---------------------------------------------------------------- what only some modes have


def _coverage(gathered: Gathered, diagnostics: Diagnostics) -> None:
    """A value that only some modes declare is read in those modes only."""
    modes = gathered.modes
    known: dict[str, frozenset[str]] = {}
    for entry in gathered.of(ast.Value):
        name = entry.declaration.name.text
        known[name] = known.get(name, frozenset()) | modes.every(entry.where)
    tables = (each for each in gathered.tables.values() if each.declaration.result is not None)
    for source in tables:
        known[source.declaration.name.text] = frozenset(
            name for group in source.groups for name in modes.every(group.where)
        )
    partial = {name: found for name, found in known.items() if modes.whole(found) is not None}
    for entry in gathered.entries if partial else ():
        for name, span in _names(entry.declaration, partial):
            missing = modes.every(entry.where) - partial[name]
            if missing:
                diagnostics.add(
                    Diagnostic(
                        Code.UNKNOWN_NAME,
                        tr("there is no `{name}` in the mode `{missing}`", name=name, missing=min(missing)),
                        span,
                        hint=tr(
                            "declare it there too, once for all modes, or move this into `mode {partial}`",
                            partial=min(partial[name]),
                        ),
                        subject=Subject("name", name),
                    )
                )
                break


def _names(declaration: object, wanted: Iterable[str]) -> list[tuple[str, Span]]:
    return [
        (each.name, each.span)
        for each in walk(declaration)
        if isinstance(each, ast.NameExpr) and each.name in wanted
    ]
