"""Telling authors what is wrong: the one place of the compiler where diagnostics are made to fit each other.

A rule that names something which is not there is told with what it is about (`Subject`) and what was likely meant
(`Meant`, from which the hint, the edit and the place of the declaration follow). What only follows from another fault
is not told, or is told of the other:

1. a name whose declaration could not be read (`lost`, `lacks_rows`, `is_boardless`) is not missing;
2. what a mod or scenario has removed (`gone`) or replaced (`displaced`) and others still use is its fault, once.

What remains follows from places alone, and is left to `diagnostics.repeats` when all has been told. No message is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypedDict, Unpack

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label, Meant, Subject, Thing
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast

WORD = re.compile(r"[^\W\d]\w*")
"""A name within an expression."""
UNREAD = re.compile(r'"[^"\n]*"|#[^\n]*')
"""What stands in a source and names nothing: texts and comments."""
LANGUAGE = frozenset({"none", "true", "false", "empty"})
"""Values that are always there: whoever misspelt a name of the game need not have meant one of them."""
HEAD = re.compile(r"[^\W\d]\w*$")
"""A name at the end of a text: what an opening parenthesis behind it calls."""
CELL = re.compile(r"[a-z]{1,2}\d{1,3}")
"""What cells of a drawn map are called."""

UNKNOWN: Mapping[Thing, str] = {
    "action": N_("there is no action `{name}`"),
    "column": N_("there is no column `{name}`"),
    "field": N_("there is no field `{name}`"),
    "legend": N_("there is no legend `{name}`"),
    "map": N_("there is no map `{name}`"),
    "mode": N_("there is no mode `{name}`"),
    "name": N_("there is no `{name}` here"),
    "option": N_("there is no ruling or option `{name}`"),
    "phase": N_("there is no phase or action `{name}`"),
    "player": N_("there is no player or side `{name}`"),
    "stage": N_("there is no stage `{name}`"),
    "table": N_("there is no table `{name}`"),
    "type": N_("there is no type `{name}`"),
}
"""What is said of a name that nothing has, where nothing more can be said."""


def names_at(span: Span) -> list[str]:
    """What stands at a span, and the names in it, without what is quoted there or behind a `#`."""
    return [span.text, *WORD.findall(UNREAD.sub(" ", span.text))]


def called_around(span: Span) -> list[str]:
    """What is called, on the line of a span, with what stands at it: `price` for the `m` of `price(m)`."""
    before = UNREAD.sub(
        lambda found: " " * len(found[0]), span.source.line_text(span.line)[: span.column - 1]
    )
    found, closed = [], 0
    for at in range(len(before) - 1, -1, -1):
        if before[at] == ")":
            closed += 1
        elif before[at] == "(" and closed:
            closed -= 1
        elif before[at] == "(" and (head := HEAD.search(before[:at])) is not None:
            found.append(head[0])
    return found


class Wording(TypedDict, total=False):
    """What a fault is told with, besides its code, place and message."""

    label: str
    hint: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    subject: Subject
    cause: Span


class Missing(Wording, total=False):
    """The same where a name is told that nothing has."""

    name: str
    """The name, where not the span is it."""
    of: str
    """Whose it would be: the type of a field, the table of a row."""
    code: Code


@record(slots=True)
class Reporter:
    """What is told while a game is compiled, and what must be known to tell a fault where it was made."""

    diagnostics: Diagnostics
    whence: Callable[[str, Span], Span | None] | None = None
    """Finds where a name is declared."""
    layer_of: dict[str, int] = field(default_factory=dict)
    """To which layer each source belongs: the game is 0."""
    gone: dict[str, Span] = field(default_factory=dict)
    """What a mod or scenario has removed, by name or citation."""
    displaced: dict[str, Span] = field(default_factory=dict)
    """Names of what a mod or scenario has replaced, and of its parts, with where it is replaced."""
    ground: Span | None = None
    """The name of the map that is played on, where it is declared."""
    testing: str = ""
    """The title of the test that is being elaborated."""
    lost: set[str] = field(default_factory=set)
    """Names whose declaration could not be understood: that they are missing is no second fault."""
    lacks_rows: set[str] = field(default_factory=set)
    """Tables with rows that could not be entered, as they have no names."""
    is_boardless: bool = False
    """Could the map not be understood? That cells are missing is no second fault."""
    replaced: set[Span] = field(default_factory=set)
    """What a mod or scenario puts in another's place and has been told not to fit there."""

    def layer(self, span: Span) -> int:
        """The layer in whose files something stands: 0 is the game."""
        return self.layer_of.get(span.source.name, 0)

    # ------------------------------------------------------------ to tell

    def error(self, code: Code, span: Span, message: str, **more: Unpack[Wording]) -> None:
        """Tells of a fault; of an error where the text that is at fault stands, as the module says."""
        self._tell(Diagnostic(code, message, span, **more), span)

    def unknown(
        self,
        thing: Thing,
        span: Span,
        message: str = "",
        *,
        name: str = "",
        of: str = "",
        code: Code = Code.UNKNOWN_NAME,
        **more: Unpack[Wording],
    ) -> None:
        """Tells of a name that nothing has; without a message, that there is none."""
        more["subject"] = subject = Subject(thing, name or span.text, of)
        message = message or tr(UNKNOWN[thing], name=subject.name)
        self._tell(Diagnostic(code, message, span, **more), span)

    def _tell(self, fault: Diagnostic, span: Span) -> None:
        gone = None
        if fault.code in {Code.UNKNOWN_NAME, Code.NO_SUCH_HEAD}:
            if self._is_lost(fault, span):
                return
            gone = next((self.gone[each] for each in names_at(span) if each in self.gone), None)
        if gone is not None and self.layer(gone) > self.layer(span):
            self.removed(gone, span)
            return
        if gone is not None:
            fault = replace(fault, labels=(*fault.labels, Label(gone, "removed here")), cause=gone)
        elif fault.is_error and (place := self._displacing(span)) is not None:
            self._misfit(fault.code, place, span, fault.message)
            return
        fault = fault.with_fix()
        if fault.fix is not None and not fault.labels:
            fault = replace(fault, labels=self._declared(fault.fix.replacement, span))
        self.diagnostics.add(fault)

    def duplicate(self, name: ast.Name, earlier: Span | None) -> None:
        """A name that something else has; told where the later of the two stands."""
        earlier = earlier or (self.whence(name.text, name.span) if self.whence else None)
        is_other = earlier is not None and earlier != name.span
        labels = (Label(earlier, "first declared here"),) if earlier is not None and is_other else ()
        span = name.span
        if earlier is not None and is_other and self.layer(earlier) > self.layer(span):
            span, labels = earlier, (Label(span, "first declared here"),)
        hint = tr(
            "rename one of them, or write `replace` before the one that should take the place of `{name}`",
            name=name.text,
        )
        message = tr("`{name}` is declared twice", name=name.text)
        fault = Diagnostic(Code.DUPLICATE_NAME, message, span, labels=labels, hint=hint)
        first = labels[0].span if labels else None
        self._tell(replace(fault, subject=Subject("name", name.text), cause=first), span)

    def removed(self, gone: Span, used: Span) -> None:
        """A mod or scenario removes what others go on using: told once, at its line."""
        if self.has(Code.UNKNOWN_NAME, gone):
            return
        message = "what is removed here is still used"
        hint = "remove or replace what uses it too, or change it instead: `change ROW: column = value`"
        labels = (Label(used, "used here"),)
        self.diagnostics.add(Diagnostic(Code.UNKNOWN_NAME, message, gone, hint=hint, labels=labels))

    # ------------------------------------------------------------ to ask

    def has(self, code: Code, span: Span) -> bool:
        """Has a fault of this kind been told of a place?"""
        return any(each.code is code and each.span == span for each in self.diagnostics.unsorted())

    def is_spoilt(self, span: Span) -> bool:
        """Has an error been told within a stretch of a source? What seems to be missing there may only be misread."""
        return any(
            each.is_error
            and each.span is not None
            and each.span.source is span.source
            and span.start <= each.span.start <= span.end
            for each in self.diagnostics.unsorted()
        )

    def nearest(self, name: str, names: Sequence[str]) -> str:
        """A hint with the nearest of some names, or nothing."""
        meant = Meant.among(name, names)
        if meant is None or meant.name not in LANGUAGE or name.lower() == meant.name:
            return meant or ""
        return Meant(name, meant.name, is_clear=False)

    # ------------------------------------------------------------ whose fault it is

    def _is_lost(self, fault: Diagnostic, span: Span) -> bool:
        """May a name be missing as what declares it could not be read: itself, a row of a table, a cell of a map?"""
        if span.text in self.lost:
            return True
        if fault.code is not Code.UNKNOWN_NAME or (
            fault.subject is not None and fault.subject.kind == "type"
        ):
            return False
        return bool(self.lacks_rows) or (self.is_boardless and CELL.fullmatch(span.text) is not None)

    def _displacing(self, span: Span) -> Span | None:
        """What a later layer has put in the place of something of which a line of an earlier one speaks."""
        if span.line != span.end_line:
            return None
        layer = self.layer(span)
        is_cell = CELL.fullmatch(span.text) is not None
        if is_cell and self.ground is not None and self.layer(self.ground) > layer:
            return self.ground
        names = [*names_at(span), *called_around(span)]
        places = (self.displaced[each] for each in names if each in self.displaced)
        return next((each for each in places if self.layer(each) > layer), None)

    def _misfit(self, code: Code, place: Span, used: Span, message: str) -> None:
        """A mod or scenario replaces what others use otherwise: told once, at its line."""
        if place in self.replaced:
            return
        self.replaced.add(place)
        hint = "keep what is used of it, or replace what uses it too"
        if self.testing and place == self.ground:
            hint = tr(
                'a test of another map says so behind its title, `test "..." for MAP:`, and is skipped on this '
                "one; here `replace test {title}:` says what holds instead",
                title=f'"{self.testing}"',
            )
        said = tr(
            "`{name}` stands here in place of another, and does not fit where it is used", name=place.text
        )
        labels, subject = (Label(used, message),), Subject("name", place.text)
        self.diagnostics.add(Diagnostic(code, said, place, hint=hint, labels=labels, subject=subject))

    def _declared(self, meant: str, span: Span) -> tuple[Label, ...]:
        """Where the name is declared that was likely meant."""
        place = self.whence(meant, span) if self.whence else None
        return () if place is None else (Label(place, tr("`{meant}` is declared here", meant=meant)),)
