"""Diagnostics as data: what is wrong, where, why, and what would put it right."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from typing import Any, Literal, Self

from dsl.catalogue import Message, tr
from dsl.diagnostics.codes import Code, Severity
from dsl.near import is_clear, nearest
from dsl.records import record
from dsl.source import Span

CAP_PER_FILE = 20
MOST = 2000
"""Findings that are kept: what a file has wrong beyond them is found when these are put right."""


@record(frozen=True, slots=True)
class Label:
    """Another place that matters to a diagnostic, with what it has to do with it."""

    span: Span
    text: str


Thing = Literal[
    "action", "clause", "column", "declaration", "ending", "field", "file", "game", "language", "legend", "map",
    "member", "menu", "mode", "name", "option", "phase", "piece", "player", "row", "rule", "stage", "table",
    "type", "value", "window",
]  # fmt: skip
"""What a name can be that of; `name` where it may be anything."""


@record(frozen=True, slots=True)
class Subject:
    """What a diagnostic is about: what kind of thing, its name, and of what it is."""

    kind: Thing
    name: str
    of: str = ""
    """The type of a field or member, the table of a row or column; empty where the name stands for itself."""


class Meant(Message):
    """A hint that says what was likely meant: "did you mean `gold`?", with the names that the edit is made of."""

    __slots__ = ("is_clear", "name", "written")
    written: str
    name: str
    is_clear: bool
    """Can nothing else be meant?"""

    def __new__(cls, written: str, name: str, *, is_clear: bool) -> Self:
        made = super().__new__(cls, "did you mean `{near}`?", {"near": name})
        made.written, made.name, made.is_clear = written, name, is_clear
        return made

    @staticmethod
    def among(written: str, names: Sequence[str], cutoff: float = 0.6) -> "Meant | None":
        """The one of some names that another was likely meant to be."""
        near = nearest(written, names, cutoff)
        return Meant(written, near, is_clear=is_clear(written, names)) if near else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.__reduce__(self)


@record(frozen=True, slots=True)
class Fix:
    """An edit that would likely put the fault right: the span's text becomes `replacement`."""

    span: Span
    replacement: str
    text: str
    """What the edit does, as an instruction: "write `village`"."""
    is_safe: bool = False
    """Is there nothing else that the author can have meant? Then `check --fix` may apply it."""

    @staticmethod
    def write(span: Span, replacement: str, *, is_safe: bool = False) -> "Fix":
        """Another text for what stands there."""
        return Fix(span, replacement, tr("write `{name}`", name=replacement.strip()), is_safe=is_safe)


@record(frozen=True, slots=True)
class Citation:
    """A rule of a printed rulebook, by its number (`CNC-165`) and, where known, its title."""

    rule: str
    title: str = ""

    def __str__(self) -> str:
        return f"[{self.rule}] {self.title}".rstrip()


@record(frozen=True, slots=True)
class Diagnostic:
    """One fault, told once. `str(each)` is its place, code and message on one line.

    A diagnostic about a whole file has an empty span at its start; one about no file at all has none.
    """

    code: Code
    """What kind of fault it is: `str(code)` is `E0301`, `code.title` what that is called."""
    message: str
    """What is wrong, as one sentence without its full stop."""
    span: Span | None = None
    """Where: `span.source.name`, `span.line`, `span.column`, `span.text`; None where it is about no file."""
    _: KW_ONLY
    label: str = ""
    """The few words under the marked text."""
    labels: tuple[Label, ...] = ()
    """Other places that matter, each a `span` and a `text`."""
    hint: str = ""
    """What the author can do."""
    notes: tuple[str, ...] = ()
    """Facts that help."""
    fix: Fix | None = None
    """An edit that would likely put it right: `fix.span` becomes `fix.replacement`; `fix.text` says so in words."""
    citations: tuple[Citation, ...] = ()
    """The rules of the book that it is about."""
    subject: Subject | None = None
    """The thing that it is about, where it is about one: of an unknown name, what there is none of."""
    cause: Span | None = None
    """The other place that it takes to make it: the line that removes what is missing, the head that a line has lost,
    what has the name already, the clause that contradicts this one.
    """

    def __str__(self) -> str:
        where = f"{self.span}: " if self.span else ""
        return f"{where}{self.code}: {self.message}"

    def with_fix(self) -> Self:
        """The same with the edit that its hint stands for, where what is marked is the name that was written."""
        hint, span = self.hint, self.span
        if not isinstance(hint, Meant) or span is None or hint.written != span.text:
            return self
        return replace(self, fix=Fix.write(span, hint.name, is_safe=hint.is_clear))

    @property
    def severity(self) -> Severity:
        """Error or warning."""
        return self.code.severity

    @property
    def is_error(self) -> bool:
        """Is there no program because of it?"""
        return self.severity is Severity.ERROR

    @property
    def file(self) -> str:
        """The name of the source it is about; empty when it is about none."""
        return self.span.source.name if self.span else ""


@record(frozen=True, slots=True)
class Capped:
    """The diagnostics to show to people, and how many more each file has."""

    shown: tuple[Diagnostic, ...]
    left_out: Mapping[str, int]


class Diagnostics:
    """What the passes have found so far. Told twice, a fault counts once; beyond `MOST` findings none is kept, but for
    an error where there were only warnings.
    """

    def __init__(self, found: Iterable[Diagnostic] = ()) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._errors = 0
        self.is_cut = False
        """Was more found than is kept?"""
        self.extend(found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())

    def __len__(self) -> int:
        return len(self._found)

    def unsorted(self) -> Iterable[Diagnostic]:
        """In the order in which they were found."""
        return self._found

    def add(self, diagnostic: Diagnostic) -> None:
        if len(self._found) >= MOST and (self._errors or not diagnostic.is_error):
            self.is_cut = True
        elif diagnostic not in self._found:
            self._found[diagnostic] = None
            self._errors += diagnostic.is_error

    def extend(self, found: Iterable[Diagnostic]) -> None:
        for diagnostic in found:
            self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        return self._errors > 0

    def count(self, severity: Severity) -> int:
        return sum(diagnostic.severity is severity for diagnostic in self._found)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Errors, then warnings; each by file and place, those about no file first."""
        return tuple(sorted(self._found, key=_place))

    def capped(self, limit: int = CAP_PER_FILE) -> Capped:
        """At most `limit` diagnostics per file: the first ones as they are sorted."""
        kept: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        shown: list[Diagnostic] = []
        for diagnostic in self.sorted():
            if kept[diagnostic.file] < limit:
                kept[diagnostic.file] += 1
                shown.append(diagnostic)
            else:
                left_out[diagnostic.file] += 1
        return Capped(tuple(shown), dict(left_out))


def _place(diagnostic: Diagnostic) -> tuple[bool, str, int, int, str]:
    start, end = (diagnostic.span.start, diagnostic.span.end) if diagnostic.span else (0, 0)
    return not diagnostic.is_error, diagnostic.file, start, end, diagnostic.code.id
