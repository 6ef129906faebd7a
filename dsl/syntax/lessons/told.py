"""What a lesson tells, and how it lets the reading go on."""

import re

from dsl.diagnostics import Code, Diagnostic, Fix
from dsl.records import record
from dsl.syntax.driver import Repair
from dsl.syntax.place import Place


@record(frozen=True, slots=True)
class Told:
    """A fault as it is told, the line that it is about, and what to do about that line.

    With a `repair`, its text is read in place of what stands at `at`; with `unindent`, the line and those of
    its block move one block out; else it is left out. After a `sure` repair the line may hold other faults;
    where a block is lacking, the lines that follow may be what it should hold.
    """

    diagnostic: Diagnostic
    line: int
    at: int = 0
    repair: Repair | None = None
    sure: bool = False
    unindent: bool = False
    lacks_block: bool = False


def replaced(place: Place, code: Code, message: str, meant: str, hint: str = "") -> Told:
    """A fault that is put right by writing something else in its place, which alone can be meant."""
    fix = Fix.write(place.span, meant, is_safe=True)
    diagnostic = Diagnostic(code, message, place.span, hint=hint, fix=fix)
    return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(place.stuck.end, meant), sure=True)


def left_out(place: Place, diagnostic: Diagnostic) -> Told:
    """The rest of the line is left out, up to the colon of its block; without one, all of it."""
    line = place.lines[place.stuck.line]
    text = place.source.text
    colon = re.compile(r"[^\n]*(:)(?:[ \t]+\[[^\]\n]*\])?").fullmatch(text, place.stuck.at, line.end)
    if colon and place.on_line and colon.start(1) > place.stuck.at and place.has_block(place.stuck.line):
        return Told(diagnostic, place.stuck.line, place.stuck.at, Repair(colon.start(1), ""))
    return Told(diagnostic, place.stuck.line)
