"""After an edit the cache answers as a check without one would, also where only comments and blank lines, or only
tests, differ.
"""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dsl.compiler
from dsl.cache import Cache
from dsl.cli.rehearsing import rehearsed
from dsl.diagnostics.machine import to_json
from dsl.ir.codec import encode
from dsl.library import Build, build
from dsl.syntax.tree_cache import keep_trees
from tests.fuzz.corpus import programs
from tests.fuzz.mutate import mutate
from tests.soak import fewer

GAMES, EDITS = fewer(5, 10), 5
TEST = re.compile(r"^test .*\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
REMARKS = (
    "# a remark",
    "#",
    "# [house]",
    '# "quoted',
    "# (",
    "#: value x = 1",
    "# [CA-041] was here",
    "  ",
    "\t",
    "",
)


@pytest.fixture
def game(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        file = tmp_path / "game" / "game.scn"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return written


def remarked(text: str, r: Random) -> str:
    """A text with remarks, empty lines and blanks: on lines of their own, and behind what is written."""
    lines = text.split("\n")
    for _ in range(r.choice((1, 1, 2, 5))):
        at, remark = r.randrange(len(lines)), r.choice(REMARKS)
        if r.random() < 0.6:
            lines.insert(at, " " * r.choice((0, 0, 4, 8, 3)) + remark)
        else:
            lines[at] += f"  {remark}"
    return "\n".join(lines)


def same(file: Path, cache: Cache) -> Build:
    """What the cache answers, which must be what compiling without one gives."""
    warm = build(str(file), tests=True, cache=cache, findings=True)
    keep_trees(None)
    cold = build(str(file), tests=True)
    assert to_json(warm.diagnostics) == to_json(cold.diagnostics)
    assert warm.sources == cold.sources
    assert to_json(rehearsed(warm)) == to_json(rehearsed(cold))
    if (
        not warm.shifted or file.stat().st_size % 4 == 0
    ):  # of most that are told to be alike the findings are enough
        assert warm.program is None or cold.program is not None
        assert warm.program is None or encode(warm.program) == encode(cold.program)
    return warm


def test_a_check_after_an_edit_finds_what_one_without_a_cache_finds(
    cache: Cache, game: Callable[[str], Path]
) -> None:
    r = Random(14)
    shifted = other = 0
    for program in r.sample(programs(), GAMES):
        made = same(game(program.text), cache)
        for number in range(EDITS):
            edited = mutate(program.text, r)[1] if number % 3 == 2 else remarked(program.text, r)
            found = same(game(edited), cache)
            shifted += found.shifted
            other += not found.cached
        assert made.shifted is False
    assert shifted > GAMES and other > GAMES


def other_tests(text: str, r: Random) -> str:
    """A text with one of its tests changed, left out or put twice, perhaps changed the second time."""
    written = r.choice(list(TEST.finditer(text)))
    before, test, behind = text[: written.start()], written[0], text[written.end() :]
    changed = mutate(test, r)[1] if r.random() < 0.7 else test
    numbers = re.sub(r"\d+", lambda found: r.choice((found[0], "2", "40")), test)
    second = r.choice((changed, numbers)).replace('test "', f'test "{r.random()} ', 1)
    return before + r.choice((changed, numbers, "", test + second)) + behind


def test_only_changed_tests_are_compiled_and_all_is_found(
    cache: Cache, game: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    r = Random(14)
    compiled: list[bool] = []
    real = dsl.compiler.compile_game

    def noted(*arguments: Any, **more: Any) -> dsl.compiler.Compiled:
        found = real(*arguments, **more)
        compiled.append(found.program is None and found.settled is not None)
        return found

    monkeypatch.setattr(dsl.compiler, "compile_game", noted)
    alone = faulty = 0
    tested = [each for each in programs() if TEST.search(each.text)]
    for program in r.sample(tested, GAMES):
        text = program.text
        if len(same(game(text), cache).diagnostics):
            continue
        for _ in range(EDITS):
            compiled.clear()
            edited = other_tests(text, r)
            found = same(game(edited), cache)
            alone += any(compiled)
            faulty += len(found.diagnostics) > 0
            if not len(found.diagnostics) and TEST.search(edited):
                text = edited
    assert min(alone, faulty) > GAMES // 2


@pytest.mark.parametrize("kind", ["comment", "behind", "blank", "end"])
def test_nothing_is_compiled_for_a_comment(
    cache: Cache, game: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    text = (Path(__file__).parent / "cli" / "games" / "duel" / "duel.scn").read_text(encoding="utf-8")
    file = game(text)
    first = build(str(file), tests=True, cache=cache)
    first_line, rest = text.split("\n", 1)
    file.write_text(
        {
            "comment": f"# new\n{text}",
            "behind": f"{first_line}  # new\n{rest}",
            "blank": f"{first_line}\n\n\n{rest}",
            "end": text.rstrip("\n"),
        }[kind],
        encoding="utf-8",
    )
    with monkeypatch.context() as without:
        without.setattr(dsl.compiler, "compile_game", None)
        again = build(str(file), tests=True, cache=cache)
    assert again.cached and again.shifted and not len(again.diagnostics)
    assert again.sources[0].text == file.read_text(encoding="utf-8")
    assert first.program is not None and again.program is not None
    shift = {"comment": 1, "behind": 0, "blank": 2, "end": 0}[kind]
    assert again.program.sites[-1].place.line == first.program.sites[-1].place.line + shift
    assert not build(str(file), tests=True, cache=cache).shifted  # it has been compiled since


def test_a_citation_in_a_comment_is_told(cache: Cache, game: Callable[[str], Path]) -> None:
    text = (Path(__file__).parent / "cli" / "games" / "duel" / "duel.scn").read_text(encoding="utf-8")
    file = game(text)
    assert not len(same(file, cache).diagnostics)
    file.write_text(text.replace("rounds 3", "rounds 3  # three [DU-9]"), encoding="utf-8")
    assert len(same(file, cache).diagnostics)


def test_texts_that_are_damaged_are_no_texts(cache: Cache, game: Callable[[str], Path]) -> None:
    text = (Path(__file__).parent / "cli" / "games" / "duel" / "duel.scn").read_text(encoding="utf-8")
    file = game(text)
    build(str(file), tests=True, cache=cache)
    for each in cache.folder.glob("texts-*"):
        each.write_bytes(each.read_bytes().replace(b"rounds 3", b"rounds 4"))
    file.write_text(f"# new\n{text}".replace("rounds 3", "rounds 4"), encoding="utf-8")
    assert not build(str(file), tests=True, cache=cache).cached


@pytest.mark.parametrize(
    "junk", [b"", b"{}", b"[1, 2]", b'["", [["x"], "many", 0, [], "", 0]]', b"\xff", b"[" * 100_000]
)
def test_a_damaged_list_of_sound_tests_is_none(
    cache: Cache, game: Callable[[str], Path], junk: bytes
) -> None:
    text = (Path(__file__).parent / "cli" / "games" / "duel" / "duel.scn").read_text(encoding="utf-8")
    file = game(text)
    build(str(file), tests=True, cache=cache)
    listed = list(cache.folder.glob("settled-*"))
    assert len(listed) == 2  # by the rules, and by what tests see of them
    for each in listed:
        each.write_bytes(junk)
    file.write_text(f'{text}\ntest "another":\n    expect rounds_that_are_not is 1\n', encoding="utf-8")
    assert len(same(file, cache).diagnostics)
    file.write_text(f'{text}\ntest "another":\n    expect round is 1\n', encoding="utf-8")
    assert not len(same(file, cache).diagnostics)
