import io

from hypothesis import given
from hypothesis import strategies as st
from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.render import render, render_all, wants_color
from dsl.resources import errors_folder
from dsl.source import Source, Span

from .conftest import VAL, at


def test_everything(snapshot: Snapshot, everything: Diagnostics) -> None:
    snapshot.assert_match(render_all(everything), "everything.txt")


def test_several_lines_and_marks(snapshot: Snapshot) -> None:
    block = Span(VAL, at(VAL, "setup sud").start, at(VAL, "moulin").end)
    inner = Diagnostic(Code.BAD_INDENTATION, "this block ends nowhere", block, label="begins here")
    snapshot.assert_match(render(inner) + "\n", "block.txt")


def test_colour(snapshot: Snapshot, unknown_name: Diagnostic) -> None:
    page = errors_folder().joinpath("E0201.md")
    drawn = render(unknown_name, color=True)
    assert f"\x1b]8;;{page.as_uri()}\x1b\\" in drawn
    assert page.is_file()
    drawn = drawn.replace(page.as_uri(), "PAGE").replace("\x1b", "ESC")
    snapshot.assert_match(drawn + "\n", "colour.txt")


def test_hostile_text_is_shown_as_signs(snapshot: Snapshot) -> None:
    line = "a\x1b[2Jb\u202ec \x00d\u2028e é 漢字 \u0301x" + "🎲" * 300
    source = Source("bad\x1b.scn", f"\t{line}\nnext")
    fault = Diagnostic(Code.UNEXPECTED_CHARACTER, "not this:\x1b\nno", at(source, "漢字"), label="\x07here")
    drawn = render(fault)
    assert "\x1b" not in drawn and "\u202e" not in drawn and "\x07" not in drawn
    snapshot.assert_match(drawn + "\n", "hostile.txt")


def test_a_long_line_is_cut_around_its_mark() -> None:
    source = Source("long.scn", "x" * 5000 + " here " + "y" * 5000)
    drawn = render(Diagnostic(Code.UNKNOWN_NAME, "unknown", at(source, "here")))
    *_, text, underline = drawn.split("\n")
    assert len(text) < 120
    assert text.index("here") == underline.index("^^^^")
    assert text.count("…") == 2


def test_many_faults_of_a_file_are_counted() -> None:
    faults = [Diagnostic(Code.UNKNOWN_NAME, f"fault {n}", at(VAL, "gue")) for n in range(25)]
    drawn = render_all(Diagnostics(faults))
    assert drawn.endswith("\n\n... and 5 more in val.scn\n\n25 errors\nread more: scenarii explain E0201\n")


def test_nothing_found_is_nothing_said() -> None:
    assert render_all(Diagnostics()) == ""


@given(st.text(), st.integers(0, 50), st.integers(0, 50), st.booleans())
def test_any_text_can_be_drawn(text: str, start: int, end: int, color: bool) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    fault = Diagnostic(Code.UNKNOWN_NAME, text, Span(Source(text, text), start, end), label=text, hint=text)
    assert fault.code.id in render(fault, color=color)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_whose_user_wants_it() -> None:
    assert wants_color(Terminal(), {})
    assert wants_color(Terminal(), {"NO_COLOR": ""})
    assert not wants_color(Terminal(), {"NO_COLOR": "1"})
    assert not wants_color(Terminal(), {"TERM": "dumb"})
    assert not wants_color(io.StringIO(), {})
