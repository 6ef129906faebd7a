"""What a game leaves open is told at the scenario that should fill it, with words that do fill it."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics import Code, Diagnostic

GAME = """\
game river:
    players ann, bob
    rounds 3

type Water = low | high
state:
    gold: 0..9
action find(n: 1..3): gold gains up to n
table events(die: 1..6):
    | 1d6 | name en | effect |
table moods(water: Water):
    | water | effect |
round:
    events(roll 1d6)
    moods(high)
"""
HALF = """\
extend events:
    | 1d6 | name en | effect  |
    | 1   | A coin  | find(1) |
    | 3-4 | Nothing | -       |
"""


def written(folder: Path, text: str) -> list[Diagnostic]:
    (folder / "river").mkdir(exist_ok=True)
    (folder / "river/river.scn").write_text(GAME, encoding="utf-8")
    (folder / "spring").mkdir(exist_ok=True)
    path = folder / "spring/spring.scn"
    path.write_text(text, encoding="utf-8")
    return list(compile_game(str(path), tests=True).diagnostics)


def test_it_is_told_at_the_scenarios_header(tmp_path: Path) -> None:
    found = written(tmp_path, "scenario spring for river:\n    rounds 2\n")
    assert [each.code for each in found] == [Code.TABLE_GAP] * 2
    for each in found:
        assert each.span is not None
        assert Path(each.span.source.name).name == "spring.scn"
        assert each.span.text == "spring"
        (label,) = each.labels
        assert Path(label.span.source.name).name == "river.scn"
        assert label.span.text in {"events", "moods"}


def test_what_the_hint_writes_fills_it(tmp_path: Path) -> None:
    text = "scenario spring for river:\n    rounds 2\n"
    for each in written(tmp_path, text):
        assert each.fix is not None
        assert each.fix.replacement.strip() in each.hint
        assert each.fix.span.start == each.fix.span.end == len("scenario spring for river:\n    rounds 2\n")
        text += each.fix.replacement
    assert written(tmp_path, text) == []


def test_a_row_that_lacks_is_told_at_those_that_are_there(tmp_path: Path) -> None:
    text = f"scenario spring for river:\n    rounds 2\n\n{HALF}"
    (events, moods) = sorted(written(tmp_path, text), key=lambda each: each.message)
    assert events.message == "the table `events` has no row for 2 and 5-6"
    assert moods.message == "the table `moods` has no row for low and high"
    assert events.span is not None
    assert events.span.text.startswith("| 3-4 ")
    rows = "\n".join(line for line in events.hint.split("\n") if line.startswith("    |"))
    assert [each.code for each in written(tmp_path, f"{text}{rows}\n")] == [Code.TABLE_GAP]
