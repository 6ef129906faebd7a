import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dsl
import dsl.compiler
from dsl.cache import Cache
from dsl.diagnostics import Code, Diagnostics
from dsl.ir.codec import encode
from dsl.library import Build, LoadError, build, load
from dsl.linker import modules
from dsl.resources import game_folder
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax import tree_cache as kept
from dsl.syntax.parser import parse

DUEL = Path(__file__).parent / "cli" / "games" / "duel"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    found = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    assert found is not None
    return found


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DUEL, tmp_path / "duel"))


@pytest.fixture
def again(cache: Cache, duel: Path) -> Callable[[], Build]:
    """Builds the duel as often as it is called; each time with its program."""

    def building() -> Build:
        made = build(str(duel), tests=True, cache=cache)
        assert made.program is not None
        return made

    return building


def test_the_second_time_nothing_is_compiled(
    again: Callable[[], Build], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = again()
    monkeypatch.setattr(dsl.compiler, "compile_game", None)
    second = again()
    assert (first.cached, second.cached) == (False, True)
    assert second.program == first.program
    assert list(second.diagnostics) == list(first.diagnostics)
    assert second.sources == first.sources


def test_warnings_come_from_the_cache_as_they_were(again: Callable[[], Build], duel: Path) -> None:
    text = (duel / "duel.scn").read_text()
    (duel / "duel.scn").write_text(text.replace("rounds 3", "rounds 3  # three [DU-9]"))
    first, second = again(), again()
    assert second.cached
    assert len(first.diagnostics) > 0
    assert list(second.diagnostics) == list(first.diagnostics)


def test_after_an_edit_only_that_file_is_parsed(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = game_folder("cristal_et_acier")
    assert folder is not None
    game = Path(shutil.copytree(folder, tmp_path / "cristal_et_acier"))
    modules._parsed.cache_clear()  # what this process has parsed for other tests is not kept in this cache
    build(str(game), tests=True, cache=cache)
    edited = game / "troupes.scn"
    edited.write_text(edited.read_text(encoding="utf-8").replace("+2 when t is LA", "+3 when t is LA"))
    parsed: list[tuple[str, int]] = []

    def noted(source: Source, diagnostics: Diagnostics) -> ast.File:
        parsed.append((source.name, len(source.text)))
        return parse(source, diagnostics)

    modules._parsed.cache_clear()
    monkeypatch.setattr(kept, "parse", noted)
    made = build(str(game), tests=True, cache=cache)
    assert [name for name, size in parsed if size >= kept.LEAST] == ["cristal_et_acier/troupes.scn"]
    modules._parsed.cache_clear()
    anew = build(str(game), tests=True)
    assert made.program is not None and anew.program is not None
    assert encode(made.program) == encode(anew.program)


@pytest.mark.parametrize("change", ["edit", "test file", "index", "touch"])
def test_what_belongs_to_the_game_counts(again: Callable[[], Build], duel: Path, change: str) -> None:
    again()
    match change:
        case "edit":
            (duel / "duel.scn").write_text((duel / "duel.scn").read_text().replace("rounds 3", "rounds 4"))
        case "test file":
            (duel / "tests").mkdir()
            (duel / "tests" / "more.scn").write_text('test "more":\n    expect glory is 0\n')
        case "index":
            (duel / "rulebook.json").write_text("{}")
        case "touch":
            (duel / "duel.scn").touch()
            (duel / "notes.txt").write_text("nothing")
    assert again().cached is (change == "touch")


def test_another_compiler_has_other_entries(
    again: Callable[[], Build], monkeypatch: pytest.MonkeyPatch
) -> None:
    again()
    monkeypatch.setattr("dsl.library.compiler_hash", lambda: "another")
    assert not again().cached


@pytest.mark.parametrize("junk", [b"", b"{", b"null", b"[]", b'{"format": 1}', b"\xff" * 9, b"[" * 100_000])
@pytest.mark.parametrize("which", ["game-", "program-"])
def test_a_damaged_entry_is_made_anew(
    again: Callable[[], Build], cache: Cache, which: str, junk: bytes
) -> None:
    first = again()
    damaged = [each for each in cache.folder.iterdir() if each.name.startswith(which)]
    for each in damaged:
        each.write_bytes(junk)
    assert again().program == first.program
    assert all(each.read_bytes() != junk for each in damaged)


def test_a_changed_program_is_noticed(again: Callable[[], Build], cache: Cache) -> None:
    first = again()
    for each in cache.folder.glob("program-*"):
        each.write_bytes(each.read_bytes().replace(b'"glory"', b'"gloom"'))
    assert again().program == first.program


def test_faults_are_not_kept(cache: Cache, duel: Path) -> None:
    (duel / "duel.scn").write_text("game duel:\n    players\n")
    assert build(str(duel), cache=cache).program is None
    assert list(cache.folder.iterdir()) == []


def test_a_game_is_the_same_wherever_it_lies(duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = build(str(DUEL)).program
    monkeypatch.chdir(duel)
    there = build(".").program
    assert here is not None and there is not None
    assert encode(here) == encode(there)


def test_compiled_files(tmp_path: Path) -> None:
    program = build(str(DUEL)).program
    assert program is not None
    file = tmp_path / "duel.ir.json"
    file.write_bytes(encode(program))
    assert build(str(file)).program == program
    file.write_bytes(encode(program).replace(b'"frames":', b'"frames":1', 1))
    found = build(str(file))
    assert found.program is None
    assert {each.code for each in found.diagnostics} <= {Code.IR_SCHEMA, Code.IR_VERIFICATION}
    assert not build(str(tmp_path / "none.ir.json")).found
    assert build(f"{tmp_path}.json").found is False


# ---------------------------------------------------------------- the public interface


def test_the_example_of_the_package() -> None:
    program = dsl.load(str(DUEL))
    game = program.start(seed=7, options={"pride": "loud"})
    while (decision := game.decision) is not None:
        assert decision.options[0].label()
        game.choose(decision.options[0])
    assert game.outcome is not None
    assert game.log
    again = dsl.Game.restore(program, game.snapshot())
    assert isinstance(again, dsl.Game)
    assert again.fingerprint == game.fingerprint
    assert game.view(0).outcome == game.outcome


def test_what_cannot_be_loaded_says_why() -> None:
    with pytest.raises(LoadError, match="no game and no file `nothing_like_it`") as caught:
        load("nothing_like_it")
    assert isinstance(caught.value.diagnostics, Diagnostics)


def test_names_of_the_package() -> None:
    assert all(hasattr(dsl, name) for name in dsl.__all__)
    assert not hasattr(dsl, "nothing")


def test_importing_the_package_is_cheap() -> None:
    code = "import sys, dsl; sys.exit(len([m for m in sys.modules if m.startswith('dsl.')]))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_changes_while_it_is_compiled_is_not_kept(
    cache: Cache, duel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = dsl.compiler.compile_game

    def with_a_late_file(*args: Any, **options: Any) -> Any:
        made = compiled(*args, **options)
        (duel / "tests").mkdir()
        (duel / "tests" / "late_tests.scn").write_text("late: is no game\n", encoding="utf-8")
        return made

    monkeypatch.setattr("dsl.compiler.compile_game", with_a_late_file)
    build(str(duel), tests=True, cache=cache)
    monkeypatch.undo()
    assert build(str(duel), tests=True, cache=cache).program is None


def test_a_game_is_loaded_on_the_fast_engine() -> None:
    fast, slow = (dsl.load("cristal_et_acier", engine=name) for name in ("wasm", "python"))
    assert (fast.engine, slow.engine) == ("wasm", "python")
    games = [each.start(seed=4) for each in (fast, slow)]
    while (decision := games[1].decision) is not None:
        for game in games:
            game.choose(len(decision.options) - 1)
    assert games[0].fingerprint == games[1].fingerprint
    assert games[0].log == games[1].log
    assert isinstance(dsl.Game.restore(slow, games[0].snapshot()), dsl.Game)
