"""Diagnostics for machines: a JSON document of our own, and SARIF 2.1.0 for the tools that read it.

Lines and columns count from 1, offsets from 0. Columns of our own document are code points, with `utf16` beside
them; those of SARIF are UTF-16 code units, as the editors that show it count. Nothing is capped, and equal diagnostics
give equal text. A place in a file that could not be read has no range.
"""

from pathlib import PurePath
from typing import Any, TypeAlias
from urllib.parse import quote

from dsl.catalogue import told
from dsl.diagnostics import pages
from dsl.diagnostics.codes import Code, Severity
from dsl.diagnostics.harmless import json_text
from dsl.diagnostics.localized import spoken
from dsl.diagnostics.model import Diagnostic, Diagnostics, Fix, Label, Subject
from dsl.source import Span

Json: TypeAlias = dict[str, Any]

FORMAT = "scenarii-diagnostics"
FORMAT_VERSION = 1
_SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_json(diagnostics: Diagnostics) -> str:
    """Our own document: counts and every diagnostic with all that it says."""
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "errors": diagnostics.count(Severity.ERROR),
        "warnings": diagnostics.count(Severity.WARNING),
        "diagnostics": [_diagnostic(spoken(each)) for each in diagnostics],
    }
    return _written(document)


def to_sarif(diagnostics: Diagnostics, *, version: str) -> str:
    """A SARIF log of one run of this tool at a version; the rules listed are the codes that occur."""
    codes = sorted({each.code for each in diagnostics}, key=lambda code: code.id)
    driver = {"name": "scenarii", "version": version, "rules": [_sarif_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_sarif_result(spoken(each), codes.index(each.code)) for each in diagnostics],
    }
    return _written({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _written(document: Json) -> str:
    return json_text(document) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> Json:
    return {
        "code": diagnostic.code.id,
        "severity": diagnostic.severity.value,
        "title": told(diagnostic.code.title),
        "explain": diagnostic.code.explained,
        "page": pages.url_of(diagnostic.code) or pages.path_of(diagnostic.code),
        "message": diagnostic.message,
        "subject": _subject(diagnostic.subject) if diagnostic.subject else None,
        "place": _place(diagnostic.span) if diagnostic.span else None,
        "cause": _place(diagnostic.cause) if diagnostic.cause else None,
        "label": diagnostic.label,
        "labels": [{"place": _place(label.span), "text": label.text} for label in diagnostic.labels],
        "hint": diagnostic.hint,
        "notes": list(diagnostic.notes),
        "fix": _fix(diagnostic.fix) if diagnostic.fix else None,
        "citations": [{"rule": each.rule, "title": each.title} for each in diagnostic.citations],
    }


def _subject(subject: Subject) -> Json:
    return {"kind": subject.kind, "name": subject.name, "of": subject.of or None}


def _fix(fix: Fix) -> Json:
    return {"place": _place(fix.span), "replacement": fix.replacement, "text": fix.text, "safe": fix.is_safe}


def _place(span: Span) -> Json:
    if not span.source.text:
        return {"file": span.source.name, "range": None}
    return {
        "file": span.source.name,
        "range": {"start": _point(span, span.start), "end": _point(span, span.end)},
    }


def _point(span: Span, offset: int) -> Json:
    line, column = span.source.line_of(offset), span.source.column_of(offset)
    return {"line": line, "column": column, "utf16": _utf16_column(span, offset), "offset": offset}


def _utf16_column(span: Span, offset: int) -> int:
    """The column, from 1, in UTF-16 code units."""
    start = span.source.line_starts[span.source.line_of(offset) - 1]
    return len(span.source.text[start:offset].encode("utf-16-le")) // 2 + 1


def _sarif_rule(code: Code) -> Json:
    url = pages.url_of(code)
    return {
        "id": code.id,
        "name": code.name.title().replace("_", ""),
        "shortDescription": {"text": told(code.title)},
        "help": {"text": f"`{code.explained}` tells more."},
        **({"helpUri": url} if url else {}),
        "defaultConfiguration": {"level": code.severity.value},
        "properties": {"page": url or pages.path_of(code)},
    }


def _sarif_result(diagnostic: Diagnostic, rule_index: int) -> Json:
    result: Json = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": rule_index,
        "level": diagnostic.severity.value,
        "message": {"text": _sarif_message(diagnostic)},
        "locations": [_sarif_location(diagnostic.span)] if diagnostic.span else [],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [_sarif_related(n, each) for n, each in enumerate(diagnostic.labels)]
    if diagnostic.fix:
        result["fixes"] = [_sarif_fix(diagnostic.fix)]
    return result


def _sarif_message(diagnostic: Diagnostic) -> str:
    rules = [f"Rule {citation}." for citation in diagnostic.citations]
    hints = [f"Hint: {diagnostic.hint}"] if diagnostic.hint else []
    return "\n".join([diagnostic.message, *rules, *diagnostic.notes, *hints])


def _sarif_location(span: Span) -> Json:
    physical: Json = {"artifactLocation": _sarif_artifact(span)}
    if span.source.text:
        physical["region"] = _sarif_region(span)
    return {"physicalLocation": physical}


def _sarif_related(number: int, label: Label) -> Json:
    return {"id": number, **_sarif_location(label.span), "message": {"text": label.text}}


def _sarif_fix(fix: Fix) -> Json:
    replacement = {"deletedRegion": _sarif_region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _sarif_artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": fix.text}, "artifactChanges": [change]}


def _sarif_artifact(span: Span) -> Json:
    path = PurePath(span.source.name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _sarif_region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": _utf16_column(span, span.start),
        "endLine": span.end_line,
        "endColumn": _utf16_column(span, span.end),
    }
