"""The words of a game in other languages, from its `language` blocks.

A text is translated by what it reads in the game's own language, as the messages of gettext are: the same words are
translated once, wherever they stand. Where they mean two things, a name before the text says in which declaration
or row it stands. A later layer overrules an earlier one, and an entry with a name one without.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Label, Meant
from dsl.linker.layers import Gathered
from dsl.near import nearest
from dsl.records import record
from dsl.resolve.reporter import Reporter
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import walk

if TYPE_CHECKING:
    from dsl.resolve.symbol_table import World

HOLE = re.compile(r"\{[^{}]*\}")
TAG = re.compile(r"[a-z]{2,3}(_([A-Z]{2}|[A-Z][a-z]{3}))?")
"""A code of ISO 639, perhaps with a region or a script: `de`, `pt_BR`, `sr_Latn`."""
FIRST = 3
"""Missing texts that a warning quotes."""


@record(frozen=True, slots=True)
class Entry:
    """One translation: into which language, by which layer, and the line that says it."""

    language: str
    layer: int
    line: ast.Translation


@record(frozen=True, slots=True)
class Asked:
    """A label of the game: its words in the game's own language, where it stands, and the languages it has."""

    text: str
    span: Span
    layer: int
    spoken: frozenset[str]


@record(slots=True)
class Translations:
    """What `language` blocks say, and which labels were looked up in them."""

    blocks: list[tuple[int, ast.Language]] = field(default_factory=list)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    """By the text that is translated; the last that fits a place holds."""
    used: set[Span] = field(default_factory=set)
    asked: dict[tuple[str, str, int], Asked] = field(default_factory=dict)
    """By source, place and text."""
    _names: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)
    """For each source where what has a name stands: start, end, name."""
    _trees: list[ast.Node] = field(default_factory=list)

    def of(self, text: str, span: Span | None) -> dict[str, str]:
        """The translations of a text that stands at a place (none: of a name, which stands anywhere)."""
        found: dict[str, str] = {}
        ranked: dict[str, tuple[bool, int]] = {}
        for entry in self.entries.get(text, ()):
            within = entry.line.within
            if within is not None and (span is None or within.text not in self._around(span)):
                continue
            self.used.add(entry.line.span)
            rank = (within is not None, entry.layer)
            if entry.line.translated.text and rank >= ranked.get(entry.language, (False, -1)):
                found[entry.language], ranked[entry.language] = entry.line.translated.text, rank
        return found

    def note(self, text: str, span: Span, layer: int, spoken: Iterable[str]) -> None:
        """Remembers that a label was looked up, and the languages that it has now."""
        self.asked[span.source.name, text, span.start] = Asked(text, span, layer, frozenset(spoken))

    def _around(self, span: Span) -> set[str]:
        """The names of what a place stands in."""
        if not self._names:
            for node in (each for tree in self._trees for each in walk(tree)):
                if (name := _name_of(node)) is not None:
                    place = (node.span.start, node.span.end, name)
                    self._names.setdefault(node.span.source.name, []).append(place)
            for places in self._names.values():
                places.sort()
        known = self._names.get(span.source.name, [])
        before = known[: bisect_right(known, (span.start, 1 << 60, ""))]
        return {name for _, end, name in before if span.end <= end}

    def languages(self) -> list[str]:
        """The languages of all blocks, in order."""
        return list(dict.fromkeys(block.name.text for _, block in self.blocks))

    def missing(self, language: str, layer: int) -> list[Asked]:
        """The labels of a layer that have no words in a language, each text once, as they stand in the sources."""
        near = {language, language.partition("_")[0]}
        lacking = [
            each
            for each in self.asked.values()
            if each.layer == layer and not near & each.spoken and has_words(each.text)
        ]
        lacking.sort(key=lambda each: (each.span.source.name, each.span.start))
        return list({each.text: each for each in reversed(lacking)}.values())[::-1]

    def rows(self) -> set[Span]:
        """Where the rows of tables stand, whose names are texts, too."""
        return {tree.span for tree in self._trees if isinstance(tree, ast.Row)}

    def total(self, layer: int) -> int:
        """How many texts the labels of a layer have."""
        return len(
            {each.text for each in self.asked.values() if each.layer == layer and has_words(each.text)}
        )


def has_words(text: str) -> bool:
    """Is there anything to translate in a text besides what fills its holes?"""
    return any(sign.isalpha() for sign in HOLE.sub("", text))


def _name_of(node: ast.Node) -> str | None:
    """The name by which a translation may say where its text stands."""
    if isinstance(node, ast.Row):
        return node.cells[0].text if node.cells else None
    if isinstance(node, ast.Ending):
        return node.kind
    name = getattr(node, "name", None) or getattr(node, "table", None)
    return name.text if isinstance(name, ast.Name) else None


def read_translations(world: World, gathered: Gathered) -> Translations:
    """All `language` blocks; what they have wrong in themselves is told."""
    found = Translations()
    found._trees = [entry.declaration for entry in gathered.entries]
    found._trees += [source.declaration for source in gathered.tables.values()]
    found._trees += [
        row for source in gathered.tables.values() for group in source.groups for row in group.rows
    ]
    found._trees += list(gathered.headers)
    first: dict[tuple[int, str, str, str], ast.Translation] = {}
    for entry in gathered.of(ast.Language):
        block: ast.Language = entry.declaration
        if not _is_language(world, block.name):
            continue
        found.blocks.append((entry.layer, block))
        for line in block.lines:
            is_sound = _check_holes(world.reporter, line)
            within = line.within.text if line.within else ""
            key = (entry.layer, block.name.text, within, line.source.text)
            if first.setdefault(key, line) is not line:
                labels = (Label(first[key].span, "translated here before"),)
                hint = 'leave one of them out, or say where each stands: `NAME "text" = "translation"`'
                message = "this text is translated twice"
                world.error(Code.DUPLICATE_NAME, line.source.span, message, labels=labels, hint=hint)
                continue
            if not is_sound:
                continue
            found.entries.setdefault(line.source.text, []).append(Entry(block.name.text, entry.layer, line))
    return found


def _is_language(world: World, name: ast.Name) -> bool:
    if not TAG.fullmatch(name.text):
        hint = "a language is named by its code, perhaps with a region: `de`, `es`, `pt_BR`"
        world.error(
            Code.UNKNOWN_NAME, name.span, tr("`{name}` is no code of a language", name=name.text), hint=hint
        )
        return False
    if name.text == world.language:
        message = tr("`{name}` is the game's own language", name=name.text)
        hint = "change the words where they stand; a mod changes them with `change` and `replace`"
        world.error(Code.MISPLACED_LINE, name.span, message, hint=hint)
        return False
    return True


def _check_holes(reporter: Reporter, line: ast.Translation) -> bool:
    """Does a translation show what its source shows, and nothing else?"""
    is_sound = True
    known = HOLE.findall(line.source.text)
    for match in HOLE.finditer(line.translated.text):
        if match[0] in known:
            continue
        is_sound = False
        start = line.translated.span.start + 1
        span = line.span.source.span(start + match.start(), start + match.end())
        shown = tr("it shows {known}", known=", ".join(f"`{each}`" for each in known))
        hint = Meant.among(match[0], known, 0.5) or (shown if known else "it shows nothing")
        message = tr("the text that is translated here shows no `{match}`", match=match[0])
        reporter.diagnostics.add(Diagnostic(Code.UNKNOWN_NAME, message, span, hint=hint).with_fix())
    return is_sound


# ---------------------------------------------------------------- when all is elaborated


def warn_of_translations(world: World, gathered: Gathered) -> None:
    """Translations of nothing, and what each language of the game lacks."""
    found = world.translations
    for entries in found.entries.values():
        for entry in entries:
            if entry.line.span not in found.used and gathered.changed <= entry.layer:
                _stale(world, entry)
    told: set[tuple[int, str]] = set()
    for layer, block in found.blocks:
        if (layer, block.name.text) not in told:
            told.add((layer, block.name.text))
            _lacking(world.reporter, found, layer, block.name)
    for layer, header in enumerate(gathered.headers):
        _lacking_own(world, found, layer, _own_language(header) or world.language)


def _own_language(header: ast.Header) -> str:
    """The language in which the labels of a layer are written first: that of its header."""
    items = [
        item
        for key in ("language", "title")
        for field in header.fields
        if field.key.text == key
        for item in field.items
    ]
    return next((item.text for item in items if isinstance(item, ast.Name) and TAG.fullmatch(item.text)), "")


def _lacking_own(world: World, found: Translations, layer: int, language: str) -> None:
    """Labels that are there in other languages only; the names that tables print may be the same in all."""
    rows = found.rows()
    missing = [
        each
        for each in found.missing(language, layer)
        if each.span not in rows and world.language not in each.spoken
    ]
    if not missing:
        return
    there = min(missing[0].spoken, default=language)
    world.error(
        Code.UNTRANSLATED,
        missing[0].span,
        tr(
            "{count} of {total} texts have no words in `{name}`, in which the others are written",
            count=len(missing),
            total=found.total(layer),
            name=language,
        ),
        notes=(_quoted(missing),),
        hint=tr(
            'write `{name} "..."` beside what is there in `{there}`, or `language {there}` in the header where all '
            "is in that language",
            name=language,
            there=there,
        ),
    )


def _stale(world: World, entry: Entry) -> None:
    line = entry.line
    texts = {each.text for each in world.translations.asked.values()}
    near = nearest(line.source.text, sorted(texts))
    hint = (
        tr('did you mean `"{near}"`?', near=near)
        if near
        else "take the line out where the game no longer says so"
    )
    where = tr(" in `{within}`", within=line.within.text) if line.within else ""
    message = tr("no text of the game reads so{where}", where=where)
    if line.within and line.source.text in texts:
        hint = "the text stands elsewhere: leave the name out, or give the one that it stands in"
    world.reporter.diagnostics.add(Diagnostic(Code.STALE_TRANSLATION, message, line.source.span, hint=hint))


def _lacking(reporter: Reporter, found: Translations, layer: int, name: ast.Name) -> None:
    missing = found.missing(name.text, layer)
    if not missing:
        return
    message = tr(
        "{count} of {total} texts have no words in `{name}`",
        count=len(missing),
        total=found.total(layer),
        name=name.text,
    )
    hint = tr("`scenarii labels GAME {name}` lists them, and with `--write` adds their lines", name=name.text)
    reporter.diagnostics.add(
        Diagnostic(
            Code.UNTRANSLATED,
            message,
            name.span,
            notes=(_quoted(missing),),
            hint=hint,
        )
    )


def _quoted(missing: list[Asked]) -> str:
    """The first of some texts, and how many more there are."""
    quoted = ", ".join(f'"{each.text}"' for each in missing[:FIRST])
    more = tr(" and {count} more", count=len(missing) - FIRST) if len(missing) > FIRST else ""
    return tr("{quoted}{more}", quoted=quoted, more=more)


def all_missing(found: Translations) -> Iterator[tuple[str, int, list[Asked]]]:
    """For each language and layer with a block of it what is missing."""
    for layer, name in dict.fromkeys((layer, block.name.text) for layer, block in found.blocks):
        yield name, layer, found.missing(name, layer)
