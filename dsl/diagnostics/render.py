"""Diagnostics as text for people.

error[E0201]: nothing here is called `vilage`
 --> val.scn:12:9
   |
12 |     at vilage
   |        ^^^^^^ unknown
   |
   = hint: did you mean `village`?
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TextIO

from dsl.catalogue import N_, told, tr
from dsl.diagnostics import pages
from dsl.diagnostics.codes import Code, Severity
from dsl.diagnostics.excerpt import FRAME, PLAIN, Line, Mark, Piece, edge, excerpt, gutter_of, printable
from dsl.diagnostics.localized import spoken
from dsl.diagnostics.model import CAP_PER_FILE, Diagnostic, Diagnostics
from dsl.source import Source

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}
_NAMES = {Severity.ERROR: N_("error"), Severity.WARNING: N_("warning")}
_COUNTED = {
    Severity.ERROR: (N_("{n} error"), N_("{n} errors")),
    Severity.WARNING: (N_("{n} warning"), N_("{n} warnings")),
}
_SECOND = "cyan"
_STRONG = "bold"
_PAGE = "page:"
"""Begins the style of what leads to the page of a code: `page:E0201 bold red`."""


def render(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """One diagnostic, without a closing newline."""
    return _drawn(_diagnostic(spoken(diagnostic)), color)


def render_all(
    diagnostics: Diagnostics, *, color: bool = False, limit: int = CAP_PER_FILE, remedy: str = ""
) -> str:
    """Every diagnostic up to `limit` per file, then how many there are, and the `remedy` if there is one; empty when
    there are none.
    """
    if not len(diagnostics):
        return ""
    capped = diagnostics.capped(limit)
    parts = [render(diagnostic, color=color) for diagnostic in capped.shown]
    parts += [
        told(tr("... and {more} more in {file}", more=more, file=printable(file)))
        if file
        else told(tr("... and {more} more in all", more=more))
        for file, more in capped.left_out.items()
    ]
    parts.append("\n".join([summary(diagnostics), *_what_next(remedy, capped.shown)]))
    return "\n\n".join(parts) + "\n"


def summary(diagnostics: Diagnostics) -> str:
    """Such as `2 errors and 1 warning`."""
    counts = [(diagnostics.count(severity), severity) for severity in Severity]
    parts = [told(tr(_COUNTED[severity][n > 1], n=n)) for n, severity in counts if n]
    found = (
        told(N_("{first} and {second}")).format(first=parts[0], second=parts[1])
        if len(parts) > 1
        else "".join(parts)
    )
    found = found or told(N_("no errors"))
    return told(N_("{found}, and more")).format(found=found) if diagnostics.is_cut else found


def _what_next(remedy: str, shown: Iterable[Diagnostic]) -> Iterator[str]:
    """What would put some of it right, and where the pages of the codes shown can be read."""
    if remedy:
        yield remedy
    first, *others = dict.fromkeys(each.code for each in shown)
    if others:
        also = ", ".join(each.id for each in others)
        yield told(tr("read more: {command} (and {codes})", command=first.explained, codes=also))
    else:
        yield told(tr("read more: {command}", command=first.explained))


def wants_color(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal whose user has not asked for plain text (https://no-color.org)."""
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return not plain and stream.isatty()


def _diagnostic(diagnostic: Diagnostic) -> Iterator[Line]:
    style = _STYLES[diagnostic.severity]
    first, *more = printable(diagnostic.message).split("\n")
    head = f"{told(_NAMES[diagnostic.severity])}[{diagnostic.code.id}]"
    yield (head, f"{_PAGE}{diagnostic.code.id} {style}"), (f": {first}", _STRONG)
    for line in more:
        yield ((f"  {line}", _STRONG),)
    marks = tuple(_marks(diagnostic, style))
    gutter = gutter_of(marks)
    yield from _excerpts(marks, gutter)
    remarks = tuple(_remarks(diagnostic))
    if remarks and any(mark.span.source.text for mark in marks):
        yield (edge(gutter),)
    for name, text in remarks:
        yield from _remark(name, text, gutter)


def _marks(diagnostic: Diagnostic, style: str) -> Iterator[Mark]:
    if diagnostic.span:
        yield Mark(diagnostic.span, "^", style, diagnostic.label)
    for label in diagnostic.labels:
        yield Mark(label.span, "-", _SECOND, label.text)


def _excerpts(marks: Iterable[Mark], gutter: int) -> Iterator[Line]:
    """The sources of the marks, the primary one's first; of a file that could not be read only the name."""
    by_source: dict[Source, list[Mark]] = {}
    for mark in marks:
        by_source.setdefault(mark.span.source, []).append(mark)
    for rank, (source, of_source) in enumerate(by_source.items()):
        arrow = f"{' ' * gutter}{'-->' if rank == 0 else ':::'}"
        place = (
            f"{source.name}:{of_source[0].span.line}:{of_source[0].span.column}"
            if source.text
            else source.name
        )
        yield (arrow, FRAME), (f" {printable(place)}", PLAIN)
        if source.text:
            yield (edge(gutter),)
            yield from excerpt(source, of_source, gutter)


def _remarks(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    for citation in diagnostic.citations:
        yield told(N_("rule")), str(citation)
    for note in diagnostic.notes:
        yield told(N_("note")), note
    if diagnostic.hint:
        yield told(N_("hint")), diagnostic.hint
    elif diagnostic.fix:
        yield told(N_("fix")), diagnostic.fix.text


def _remark(name: str, text: str, gutter: int) -> Iterator[Line]:
    first, *more = printable(text).split("\n")
    yield edge(gutter, "="), (f" {name}:", _STRONG), (f" {first}", PLAIN)
    for line in more:
        yield ((f"{' ' * (gutter + len(name) + 5)}{line}", PLAIN),)


def _drawn(lines: Iterable[Line], color: bool) -> str:
    paint = _painter() if color else _plain
    return "\n".join("".join(paint(piece) for piece in line).rstrip() for line in lines)


def _plain(piece: Piece) -> str:
    return piece[0]


def _painter() -> Callable[[Piece], str]:
    from rich.color import ColorSystem
    from rich.style import Style

    def paint(piece: Piece) -> str:
        text, style = piece
        if style.startswith(_PAGE):
            code, _, plain = style.removeprefix(_PAGE).partition(" ")
            return _linked(paint((text, plain)), Code(code))
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD) if style else text

    return paint


def _linked(text: str, code: Code) -> str:
    """A text that leads to the page of a code (OSC 8), in terminals that follow links; others show the text."""
    page = pages.url_of(code) or pages.file_of(code)
    return f"\x1b]8;;{page}\x1b\\{text}\x1b]8;;\x1b\\" if page else text
