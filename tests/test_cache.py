import os
from pathlib import Path

import pytest

from dsl.cache import MOST_ENTRIES, Cache
from dsl.library import build
from dsl.wasm.module import Module
from tests.examples import RUIN


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    found = Cache.open({"SCENARII_CACHE": str(tmp_path / "cache")})
    assert found is not None
    return found


def test_what_is_written_is_read(cache: Cache) -> None:
    assert cache.read("game.json") is None
    cache.write("game.json", b"{}")
    cache.write("game.json", b"[1]")
    assert cache.read("game.json") == b"[1]"
    assert [each.name for each in cache.folder.iterdir()] == ["game.json"]


@pytest.mark.parametrize("word", ["off", "OFF", "0", "no"])
def test_it_can_be_off(word: str) -> None:
    assert Cache.open({"SCENARII_CACHE": word}) is None


def test_only_its_user_may_look(cache: Cache) -> None:
    cache.write("game.json", b"{}")
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert (cache.folder / "game.json").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_others_may_enter_is_closed(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o777)
    (tmp_path / "open").chmod(0o777)
    assert Cache.open({"SCENARII_CACHE": str(tmp_path / "open")}) is not None
    assert (tmp_path / "open").stat().st_mode & 0o777 == 0o700


def test_a_link_to_a_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Cache.open({"SCENARII_CACHE": str(tmp_path / "link")}) is None


def test_somebody_elses_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert Cache.open({"SCENARII_CACHE": str(tmp_path)}) is None


def test_a_place_where_no_folder_can_be_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Cache.open({"SCENARII_CACHE": str(tmp_path / "file")}) is None
    assert Cache.open({"SCENARII_CACHE": str(tmp_path / "file" / "below")}) is None
    assert Cache.open({"SCENARII_CACHE": "a\0b"}) is None


def test_entries_that_others_could_write_are_passed_over(cache: Cache) -> None:
    cache.write("game.json", b"{}")
    (cache.folder / "game.json").chmod(0o666)
    assert cache.read("game.json") is None
    cache.write("game.json", b"[]")
    assert cache.read("game.json") == b"[]"


def test_links_are_neither_read_nor_written_through(cache: Cache, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (cache.folder / "game.json").symlink_to(outside)
    assert cache.read("game.json") is None
    cache.write("game.json", b"{}")
    assert outside.read_text() == "mine"
    assert cache.read("game.json") == b"{}"


def test_a_folder_or_a_pipe_is_no_entry(cache: Cache) -> None:
    (cache.folder / "folder.json").mkdir()
    os.mkfifo(cache.folder / "pipe.json")
    assert cache.read("folder.json") is None
    assert cache.read("pipe.json") is None
    cache.write("folder.json", b"{}")
    assert cache.read("folder.json") is None


def named(number: int) -> str:
    return f"game-{number:040x}.json"


def test_it_does_not_grow_for_ever(cache: Cache) -> None:
    for number in range(MOST_ENTRIES + 20):
        cache.write(named(number), b"{}")
    assert len(list(cache.folder.iterdir())) <= MOST_ENTRIES
    assert cache.read(named(MOST_ENTRIES + 19)) == b"{}"


@pytest.mark.skipif(
    os.utime not in os.supports_fd, reason="what is used cannot be noted by its descriptor here"
)
def test_what_is_used_is_dropped_last(cache: Cache) -> None:
    cache.write(named(0), b"used")
    cache.write(named(1), b"unused")
    for each in (named(0), named(1)):
        os.utime(cache.folder / each, (0, 0))
    for number in range(2, MOST_ENTRIES):
        cache.write(named(number), b"{}")
    assert cache.read(named(0)) == b"used"
    cache.write(named(MOST_ENTRIES), b"{}")
    assert cache.read(named(0)) == b"used"
    assert cache.read(named(1)) is None


def test_what_is_no_entry_is_never_dropped(cache: Cache) -> None:
    """`SCENARII_CACHE` may name a folder in which its user keeps other things."""
    letters = {cache.folder / f"letter-{number}.json" for number in range(MOST_ENTRIES + 5)}
    for each in letters:
        each.write_text("{}")
    cache.write(named(0), b"{}")
    assert set(cache.folder.iterdir()) == letters | {cache.folder / named(0)}


def test_what_the_compiler_keeps_has_names_of_entries(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ruin").mkdir()
    (tmp_path / "ruin/ruin.scn").write_text(f"# read by nobody before\n{RUIN}")
    monkeypatch.setenv("SCENARII_CACHE", str(cache.folder))
    program = build(str(tmp_path / "ruin"), (), cache=cache).program
    assert program is not None
    Module.of(program)
    kinds = {each.name.rpartition("-")[0] + each.suffix for each in cache.folder.iterdir()}
    assert {"program.json", ".module"} <= kinds
    for each in cache.folder.iterdir():
        os.utime(each, (0, 0))
    for number in range(MOST_ENTRIES):
        cache.write(named(number), b"{}")
    assert {each.name.rpartition("-")[0] + each.suffix for each in cache.folder.iterdir()} == {"game.json"}


def test_a_folder_of_other_things_is_not_closed(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("mine")
    tmp_path.chmod(0o755)
    found = Cache.open({"SCENARII_CACHE": str(tmp_path)})
    assert found is not None
    found.write(named(0), b"{}")
    assert (tmp_path / named(0)).stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    tmp_path.chmod(0o1777)
    assert Cache.open({"SCENARII_CACHE": str(tmp_path)}) is None
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777


def test_a_full_disk_is_no_error(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("dsl.cache.write_atomically", full)
    cache.write("game.json", b"{}")
    assert cache.read("game.json") is None
