"""Results of tests as JUnit's XML, which build servers read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from dsl.harmless import harmless

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.testing.results import TestResult

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


def junit(
    results: Mapping[str, Iterable[tuple[TestResult, str]]], faulty: Mapping[str, Iterable[Diagnostic]]
) -> str:
    """A suite for each game; each result with what is told of it where it failed. Games that do not compile are
    suites with an error.
    """
    root = Xml.Element("testsuites", name="scenarii")
    for game, found in results.items():
        suite = Xml.SubElement(root, "testsuite", name=_fit(game))
        failures = count = skipped = 0
        seconds = 0.0
        for each, more in found:
            count, seconds = count + 1, seconds + each.seconds
            failures += not each.passed
            skipped += bool(each.skipped)
            _case(suite, game, each, more)
        suite.set("tests", str(count))
        suite.set("failures", str(failures))
        suite.set("errors", "0")
        suite.set("skipped", str(skipped))
        suite.set("time", f"{seconds:.3f}")
    for game, faults in faulty.items():
        suite = Xml.SubElement(
            root,
            "testsuite",
            {
                "name": _fit(game),
                "tests": "1",
                "failures": "0",
                "errors": "1",
                "skipped": "0",
                "time": "0.000",
            },
        )
        case = Xml.SubElement(suite, "testcase", classname=_fit(game), name="it compiles", time="0.000")
        told = [f"{each.span or game}: {each.code.id}: {each.message}" for each in faults if each.is_error]
        error = Xml.SubElement(case, "error", message=_fit(told[0] if told else ""), type="compile")
        error.text = _fit("\n".join(told))
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _case(suite: Xml.Element, game: str, each: TestResult, more: str) -> None:
    case = Xml.SubElement(
        suite,
        "testcase",
        classname=_fit(game),
        name=_fit(each.title),
        file=_fit(each.place.file),
        line=str(each.place.line),
        time=f"{each.seconds:.3f}",
    )
    if each.skipped:
        Xml.SubElement(case, "skipped", message=_fit(each.skipped))
    if not each.passed:
        first = each.message.splitlines()[0] if each.message else ""
        failure = Xml.SubElement(case, "failure", message=_fit(first), type="failed")
        at = f"{each.place.file}:{each.place.line}:{each.place.column}"
        failure.text = _fit(f"{at}\n{each.message}\n{more}")


def _fit(text: str) -> str:
    return _UNFIT.sub("?", harmless(text))
