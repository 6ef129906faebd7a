from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

from dsl.diagnostics import Citation, Code, Diagnostic, Diagnostics, Fix, Label, Subject
from dsl.source import Source, Span

VAL = Source(
    "val.scn",
    """\
scenario pont for vallee:
    map gue
    rounds 8
    setup nord: 2 milice at vilage
    setup sud: 3 milice at "été"\t

    setup sud: 1 sorcier at moulin
    objective nord: otherwise
""",
)
RULES = Source("rules.scn", "modify strength: becomes 3 [CNC-165]\nmodify strength: becomes 4 [house]\n")


def at(source: Source, text: str, nth: int = 0) -> Span:
    """The span of the nth occurrence of a text in a source."""
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


@pytest.fixture(autouse=True)
def goldens(snapshot: Snapshot) -> None:
    snapshot.snapshot_dir = Path(__file__).parent / "goldens"


@pytest.fixture
def unknown_name() -> Diagnostic:
    span = at(VAL, "vilage")
    return Diagnostic(
        Code.UNKNOWN_NAME,
        "nothing here is called `vilage`",
        span,
        label="unknown",
        labels=(Label(at(VAL, "gue"), "on this map"),),
        hint="did you mean `village`?",
        fix=Fix(span, "village", "write `village`"),
        subject=Subject("member", "vilage", "Place"),
        cause=at(VAL, "gue"),
    )


@pytest.fixture
def conflict() -> Diagnostic:
    first, second = at(RULES, "becomes 3"), at(RULES, "becomes 4")
    return Diagnostic(
        Code.CONFLICTING_BECOMES,
        "two clauses set `strength`, one to 3 and one to 4",
        second,
        label="and here to 4",
        labels=(Label(first, "set here to 3"), Label(at(VAL, "pont"), "in this scenario")),
        hint="say which one stands:\nwrite `over [CNC-165]` at the end of this one",
        notes=("both stand whenever a unit is in a forest",),
        citations=(Citation("CNC-165", "Bâtiment"),),
    )


@pytest.fixture
def uncited() -> Diagnostic:
    return Diagnostic(Code.UNCITED, "this setup names no rule", at(VAL, "setup sud", 1))


@pytest.fixture
def unreadable() -> Diagnostic:
    span = Source("bois/été 1.scn", "").end
    return Diagnostic(
        Code.UNREADABLE_FILE, "bois/été 1.scn cannot be read: no such file", span, hint="check it"
    )


@pytest.fixture
def everything(
    unknown_name: Diagnostic, conflict: Diagnostic, uncited: Diagnostic, unreadable: Diagnostic
) -> Diagnostics:
    nowhere = Diagnostic(Code.UNKNOWN_GAME, "no game is called `vale`", hint="the games are: vallee")
    return Diagnostics([uncited, unknown_name, conflict, unreadable, nowhere])
