"""The page of the prelude says what the prelude says, value by value; and nothing of it comes where it is not used."""

from __future__ import annotations

import re
from pathlib import Path

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostics
from dsl.linker.prelude import prelude_files, prelude_names
from dsl.testing.mutate import mutate

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/prelude.md"
SECTION = re.compile(r"^## (\w+)\n\n(.+?)\n\n```text\n(value .+?)\n```$", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"^# (.+)\n(value (\w+).+)$", re.MULTILINE)


def test_each_value_of_the_prelude_has_its_section_in_its_own_words() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in prelude_files())
    declared = {name: (words, line) for words, line, name in DECLARED.findall(text)}
    shown = {name: (words, line) for name, words, line in SECTION.findall(PAGE.read_text(encoding="utf-8"))}
    assert set(declared) == set(prelude_names())
    assert shown == declared


def test_a_game_gets_only_what_it_uses(tmp_path: Path) -> None:
    path = tmp_path / "alone.scn"
    text = "game alone:\n    players a, b\n    rounds 2\nstate:\n    n: 0..9\nround: n = {0}\n"
    path.write_text(text.format("1 if allied(a, b) else 2"), encoding="utf-8")
    one = compile_game(str(path)).program
    assert one is not None
    assert [value.name for value in one.values] == ["allied"]
    path.write_text(text.format("size(rivals(a))"), encoding="utf-8")
    two = compile_game(str(path)).program
    assert two is not None
    assert sorted(value.name for value in two.values) == ["allied", "rivals"]
    path.write_text(text.format("2"), encoding="utf-8")
    none = compile_game(str(path))
    assert none.program is not None
    assert none.program.values == ()
    assert not any("prelude" in source.name for source in none.sources)


def test_what_uses_the_prelude_can_be_mutated(tmp_path: Path) -> None:
    path = tmp_path / "counted.scn"
    path.write_text(
        "game counted:\n    players a, b\n    rounds 2\n    rulebook CO\nstate:\n    n: 0..9\n"
        "action tally: n = size(rivals(a)) + 1 [CO-01]\nround: tally\n"
        'test "one more":\n    run tally\n    expect n is 2\n',
        encoding="utf-8",
    )
    report = mutate(str(path))
    assert not isinstance(report, Diagnostics)
    assert not report.unpinned
