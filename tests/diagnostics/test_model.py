from dsl.diagnostics import Code, Diagnostic, Diagnostics, Severity
from dsl.source import Source, Span

LONG = Source("long.scn", "x\n" * 60)


def on_line(line: int, code: Code = Code.UNKNOWN_NAME) -> Diagnostic:
    start = LONG.line_starts[line - 1]
    return Diagnostic(code, f"on line {line}", Span(LONG, start, start + 1))


def test_codes_are_well_formed_and_found_by_their_id() -> None:
    for code in Code:
        assert len(code.id) == 5 and code.id[0] in "EW" and code.id[1:].isdigit()
        assert code.title
        assert Code(code.id) is code
        assert (code.severity is Severity.WARNING) == code.id.startswith("W")


def test_codes_stand_in_order() -> None:
    ids = [code.id for code in Code]
    assert ids == sorted(ids)


def test_they_are_sorted_by_file_and_place() -> None:
    nowhere = Diagnostic(Code.UNKNOWN_GAME, "no such game")
    elsewhere = Diagnostic(Code.EMPTY_SOURCE, "empty", Source("a.scn", "").end)
    found = Diagnostics([on_line(9), on_line(2), elsewhere, nowhere])
    assert found.sorted() == (nowhere, elsewhere, on_line(2), on_line(9))
    assert list(found) == list(found.sorted())


def test_a_fault_told_twice_counts_once() -> None:
    found = Diagnostics()
    found.add(on_line(3))
    found.extend([on_line(3), on_line(4)])
    assert len(found) == 2


def test_warnings_are_no_errors() -> None:
    found = Diagnostics([on_line(1, Code.UNCITED)])
    assert not found.has_errors
    found.add(on_line(1))
    assert found.has_errors
    assert (found.count(Severity.ERROR), found.count(Severity.WARNING)) == (1, 1)


def test_a_file_shows_its_first_errors_before_any_warning() -> None:
    warnings = [on_line(line, Code.UNCITED) for line in range(1, 11)]
    errors = [on_line(line) for line in range(11, 36)]
    elsewhere = Diagnostic(Code.EMPTY_SOURCE, "empty", Source("a.scn", "").end)
    capped = Diagnostics([*warnings, *errors, elsewhere]).capped()
    assert capped.shown == (elsewhere, *errors[:20])
    assert capped.left_out == {"long.scn": 15}
