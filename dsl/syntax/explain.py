"""What is said where the parser is stuck."""

from dsl.diagnostics import Code, Diagnostic
from dsl.source import Source
from dsl.syntax.driver import Stuck


def explain(source: Source, stuck: Stuck) -> Diagnostic:
    span = source.span(stuck.at, stuck.end)
    return Diagnostic(Code.UNEXPECTED_TOKEN, f"unexpected {span.text} wanted {sorted(stuck.wanted)}", span)
