"""The index of a rulebook: each id with our own short wording, and how it stands where no clause declares it.

`index rulebook` in a header names the file `rulebook.json` beside it:

    {"rules": [{"id": "CA-041", "title": "Recruit as often as one likes"},
               {"id": "CA-011", "title": "...", "status": "same_as", "of": "CA-092"},
               {"id": "CA-005", "title": "...", "status": "definition", "through": ["CA-008", "CA-037"]},
               {"id": "CA-027", "title": "...", "status": "not_applicable", "note": "why it changes nothing"}],
     "house": [{"id": "CA-H01", "title": "..."}], "ambiguities": [{"id": "CA-A01", "title": "..."}]}

An entry without a status is to be declared by a clause that cites it. `house` and `ambiguities` give titles to
the ids that are ours: clauses where the book is silent, and readings of what it leaves open. Each entry may have its
title in other languages too: `"titles": {"fr": "Recruter autant qu'on veut"}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Citation, Code, Diagnostic, Diagnostics, Meant, Subject
from dsl.files import display_name, read_source
from dsl.ir.program import Rule
from dsl.linker.layers import Layer
from dsl.linker.modules import Modules
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of, with_field
from dsl.syntax.words import nearest_handle

MAX_ENTRIES = 5_000
MOST_TITLES = 4
"""How many rules a message quotes."""
_BRACKET = re.compile(r"(?<=[ \t])\[[^\]\n]*\]")
_ID = re.compile(r"\b[A-Z][A-Z0-9]*-[A-Z]*[0-9]+[a-z]?\b")
SECTIONS = {"rules": "declared", "house": "house", "ambiguities": "ambiguity"}
ID = {"type": "string", "pattern": "^[A-Z][A-Z0-9]*-[A-Z]*[0-9]+[a-z]?$", "maxLength": 40}
TITLE = {"type": "string", "minLength": 1, "maxLength": 400}
CITING = with_field("citation")
_BRACKETED = re.compile(r"\[([^\]\n]*)\]")
_PUT = re.compile(r"[\s,:\[]+")
"""What stands between the handles of a citation."""
CODE = {"type": "string", "pattern": "^[a-z]{2,3}(_([A-Z]{2}|[A-Z][a-z]{3}))?$"}
TITLES = {"type": "object", "propertyNames": CODE, "additionalProperties": TITLE}
ENTRY = {"id": ID, "title": TITLE, "titles": TITLES, "note": TITLE}


def _rule(status: str, **more: object) -> dict[str, Any]:
    given = {"status": {"const": status}} if status else {}
    return {
        "type": "object",
        "properties": {**ENTRY, **given, **more},
        "required": ["id", "title", *given, *more],
        "additionalProperties": False,
    }


SEVERAL = {"type": "array", "items": ID, "minItems": 1, "maxItems": 100, "uniqueItems": True}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Index of a rulebook",
    "type": "object",
    "properties": {
        "rules": {"type": "array", "maxItems": MAX_ENTRIES, "items": {"type": "object"}},
        "house": {"type": "array", "maxItems": MAX_ENTRIES, "items": _rule("")},
        "ambiguities": {"type": "array", "maxItems": MAX_ENTRIES, "items": _rule("")},
    },
    "required": ["rules"],
    "additionalProperties": False,
}
BY_STATUS = {
    "": _rule(""),
    "same_as": _rule("same_as", of=ID),
    "definition": _rule("definition", through=SEVERAL),
    "not_applicable": {**_rule("not_applicable"), "required": ["id", "title", "status", "note"]},
}
"""What an entry of `rules` looks like, by its status."""
SCHEMA["properties"]["rules"]["items"] = {"oneOf": list(BY_STATUS.values())}


def with_titles(modules: Modules) -> Diagnostics:
    """What was found, each with the titles of the rules that the lines it marks cite."""
    on_line = cache(_ids_of)  # a line may have many faults, and be long
    found = [(each, _cited(each, on_line)) for each in modules.diagnostics]
    if not any(ids for _, ids in found):
        return modules.diagnostics
    titles = {rule.id: rule.title for rule in indexed(modules, Diagnostics())}
    return Diagnostics(
        each
        if each.citations
        else replace(each, citations=tuple(Citation(id_, titles[id_]) for id_ in ids if id_ in titles))
        for each, ids in found
    )


def _cited(diagnostic: Diagnostic, on_line: Callable[[str], tuple[str, ...]]) -> list[str]:
    """The ids that stand on the lines where a diagnostic begins, and those where its other places do."""
    spans = [diagnostic.span, *(label.span for label in diagnostic.labels)]
    lines = [span.source.line_text(span.line) for span in spans if span is not None]
    return list(dict.fromkeys(id_ for line in lines for id_ in on_line(line)))[:MOST_TITLES]


def _ids_of(line: str) -> tuple[str, ...]:
    return tuple(id_ for bracket in _BRACKET.findall(line) for id_ in _ID.findall(bracket))


def indexed(modules: Modules, diagnostics: Diagnostics | None = None) -> tuple[Rule, ...]:
    """The rules of all indexes that the headers of a game, its scenario and its mods name."""
    diagnostics = modules.diagnostics if diagnostics is None else diagnostics
    homes = {id(source): path.parent for path, source in modules.sources.items()}
    found: dict[str, Rule] = {}
    for layer in modules.layers:
        folder = homes.get(id(layer.header.span.source))
        for field in layer.header.fields if folder is not None else ():
            if field.key.text == "index" and folder is not None:
                for rule in _index(field, folder, diagnostics):
                    found.setdefault(rule.id, rule)
    return tuple(found.values())


def unindexed(layers: Iterable[Layer], rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Citations of an id that the index of its rulebook does not have; of one without an index any id may be cited."""
    known = {rule.id for rule in rules}
    books = {id_.split("-")[0] for id_ in known}
    told: set[str] = set()

    def is_missing(id_: str) -> bool:
        return id_ not in known and id_.partition("-")[0] in books

    for citation in _citations(layers, is_missing):
        for id_ in citation:
            if not is_missing(id_) or id_ in told:
                continue
            told.add(id_)
            span = citation[id_]
            near = nearest_handle(id_, sorted(known))
            hint = Meant(id_, near, is_clear=False) if near else "its rules are listed by `scenarii rules`"
            message = tr("the index of the rulebook has no `{id}`", id=id_)
            yield Diagnostic(
                Code.UNKNOWN_CITATION, message, span, hint=hint, subject=Subject("rule", id_)
            ).with_fix()


def _citations(layers: Iterable[Layer], wanted: Callable[[str], bool]) -> Iterator[dict[str, Span]]:
    """The ids that rules cite, and those that tests pin, each with its place; the names of tests are their own. What
    brackets no wanted one is passed over.
    """
    for layer in layers:
        for file in layer.files:
            near = (
                each
                for each in file.declarations
                if any(map(wanted, _PUT.split(" ".join(_BRACKETED.findall(each.span.text)))))
            )
            for node in (each for one in near for each in nodes_of(one, *CITING)):
                found = node.citation
                if isinstance(found, ast.Citation):
                    ids = found.pins if isinstance(node, ast.Test | ast.Always) else (*found.ids, *found.pins)
                    yield dict.fromkeys(ids, found.span)


def _index(field: ast.HeaderField, folder: Path, diagnostics: Diagnostics) -> tuple[Rule, ...]:
    names = [item.text for item in field.items if isinstance(item, ast.Name)]
    if len(names) != 1 or len(field.items) != 1:
        message = "an index is one file beside this one"
        diagnostics.add(Diagnostic(Code.BAD_INDEX, message, field.span, hint="write `index rulebook`"))
        return ()
    path = folder / f"{names[0]}.json"
    source = read_source(path, display_name(path))
    if isinstance(source, Diagnostic):
        message = tr("the index `{names}` cannot be read: {message}", names=names[0], message=source.message)
        hint = tr("it is the file {names}.json beside this one", names=names[0])
        diagnostics.add(Diagnostic(Code.BAD_INDEX, message, field.span, hint=hint))
        return ()
    return read_index(source, diagnostics)


def read_index(source: Source, diagnostics: Diagnostics) -> tuple[Rule, ...]:
    """The rules of an index; none where it is not well made."""
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        at = min(error.pos, len(source.text))
        diagnostics.add(
            Diagnostic(Code.BAD_INDEX, tr("this is not JSON: {msg}", msg=error.msg), Span(source, at, at))
        )
        return ()
    except (ValueError, RecursionError):
        diagnostics.add(Diagnostic(Code.BAD_INDEX, "this is not the index of a rulebook", source.end))
        return ()
    faults = list(_faults(source, document))
    if not faults:
        rules = tuple(_rules(document))
        faults = list(_wrong(source, rules))
    diagnostics.extend(faults[:20])
    return () if faults else rules


def _faults(source: Source, document: object) -> Iterator[Diagnostic]:
    """Where the document does not have the form of an index."""
    if _is_index(document):
        return
    from jsonschema import Draft202012Validator

    entries = {"type": "array", "maxItems": MAX_ENTRIES}
    whole = {**SCHEMA, "properties": {**SCHEMA["properties"], "rules": entries}}
    for error in Draft202012Validator(whole).iter_errors(document):
        entry = error.absolute_path
        at = document[entry[0]][entry[1]] if isinstance(document, dict) and len(entry) > 1 else None
        yield _fault(source, at, error.message)
        return
    assert isinstance(document, dict)
    validators = {status: Draft202012Validator(each) for status, each in BY_STATUS.items()}
    for entry in document["rules"]:
        status = entry.get("status", "") if isinstance(entry, dict) else ""
        chosen = validators.get(status) if isinstance(status, str) else None
        if chosen is None:
            yield _fault(source, entry, f"there is no status {status!r}")
            continue
        for error in chosen.iter_errors(entry):
            yield _fault(source, entry, error.message)


def _is_index(document: object) -> bool:
    """Has it surely the form of an index? Then the library that could say what is wrong need not be imported."""
    whole = {
        **SCHEMA,
        "properties": {**SCHEMA["properties"], "rules": {"type": "array", "maxItems": MAX_ENTRIES}},
    }
    if not isinstance(document, dict) or not fits(whole, document):
        return False
    entries = [each if isinstance(each, dict) else {} for each in document["rules"]]
    statuses = [each.get("status", "") for each in entries]
    return all(
        isinstance(status, str) and status in BY_STATUS and fits(BY_STATUS[status], entry)
        for status, entry in zip(statuses, entries, strict=True)
    )


def fits(schema: dict[str, Any], value: object) -> bool:
    """Does a value surely fit a schema of the few words that are used here? False too where it has another word."""
    for word, wanted in schema.items():
        match word, value:
            case "type", dict() | list() | str():
                good = wanted == (
                    "object" if isinstance(value, dict) else "array" if isinstance(value, list) else "string"
                )
            case "properties", dict():
                good = all(fits(wanted[name], value[name]) for name in wanted if name in value)
            case "required", dict():
                good = value.keys() >= set(wanted)
            case "propertyNames", dict():
                good = all(fits(wanted, name) for name in value)
            case "additionalProperties", dict():
                more = value.keys() - schema.get("properties", {}).keys()
                good = all(wanted is not False and fits(wanted, value[name]) for name in more)
            case "items", list():
                good = all(fits(wanted, each) for each in value)
            case "minItems", list():
                good = len(value) >= wanted
            case "maxItems", list():
                good = len(value) <= wanted
            case "uniqueItems", list():
                good = all(isinstance(each, str) for each in value) and len(set(value)) == len(value)
            case "minLength", str():
                good = len(value) >= wanted
            case "maxLength", str():
                good = len(value) <= wanted
            case "pattern", str():
                good = re.search(wanted, value) is not None
            case "const", str():
                good = value == wanted
            case (("$schema" | "title"), dict()):
                good = True
            case _:
                return False
        if not good:
            return False
    return True


def _rules(document: dict[str, Any]) -> Iterator[Rule]:
    for section, status in SECTIONS.items():
        for entry in document.get(section, ()):
            of = entry.get("through") or ((entry["of"],) if "of" in entry else ())
            stands, note = entry.get("status", status), entry.get("note", "")
            titles = tuple(sorted(entry.get("titles", {}).items()))
            yield Rule(entry["id"], entry["title"], stands, tuple(of), note, titles)


def _wrong(source: Source, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    """Ids that stand twice, and entries that lead to none that a clause can declare."""
    known: dict[str, Rule] = {}
    for rule in rules:
        if rule.id in known:
            yield _fault(source, {"id": rule.id}, f"{rule.id} stands in the index twice")
        known[rule.id] = rule
    for rule in rules:
        for other in rule.of:
            if other not in known:
                message = tr(
                    "{rule} is explained by {other}, which the index does not have", rule=rule.id, other=other
                )
                yield _fault(source, {"id": rule.id}, message)
            elif known[other].status in {"same_as", "definition", "not_applicable"}:
                message = tr(
                    "{rule} is explained by {other}, which no clause declares", rule=rule.id, other=other
                )
                yield _fault(source, {"id": rule.id}, message)


def _fault(source: Source, entry: object, message: str) -> Diagnostic:
    """A fault at the line of an entry, as far as it can be found."""
    name = entry.get("id") if isinstance(entry, dict) else None
    at = source.text.find(json.dumps(name, ensure_ascii=False)) if isinstance(name, str) else -1
    span = Span(source, at, at + len(json.dumps(name, ensure_ascii=False))) if at >= 0 else Span(source, 0, 0)
    short = message if len(message) <= 200 else message[:200] + "…"
    return Diagnostic(Code.BAD_INDEX, short, span, hint="the form of an index is in docs/reference/rules.md")
