import os
from pathlib import Path

import pytest

from dsl.diagnostics import Code, Diagnostic
from dsl.files import MAX_SOURCE_BYTES, inside, read_folder, read_source, write_atomically
from dsl.source import Source


def read_bytes(tmp_path: Path, data: bytes) -> Source | Diagnostic:
    path = tmp_path / "val.scn"
    path.write_bytes(data)
    return read_source(path, "val.scn")


def test_a_text_is_read_with_newlines_and_without_byte_order_mark(tmp_path: Path) -> None:
    read = read_bytes(tmp_path, b'\xef\xbb\xbfgame val:\r\n    title "\xc3\xa9"\r\n')
    assert read == Source("val.scn", 'game val:\n    title "é"\n')


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"game val:\0", Code.BINARY_FILE),
        (b"game val:\n    title \xe9\n", Code.NOT_UTF8),
        (b"", Code.EMPTY_SOURCE),
        (b" \n\t\n", Code.EMPTY_SOURCE),
        (b"#" * (MAX_SOURCE_BYTES + 1), Code.FILE_TOO_LARGE),
    ],
)
def test_what_is_no_source_is_refused(tmp_path: Path, data: bytes, code: Code) -> None:
    refused = read_bytes(tmp_path, data)
    assert isinstance(refused, Diagnostic)
    assert refused.code is code
    assert refused.file == "val.scn"


def test_the_largest_text_is_read(tmp_path: Path) -> None:
    assert isinstance(read_bytes(tmp_path, b"#" * MAX_SOURCE_BYTES), Source)


def test_the_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    refused = read_bytes(tmp_path, b"game val:\n    title \xe9\n")
    assert isinstance(refused, Diagnostic)
    assert refused.message == "line 2 of val.scn is not UTF-8 text"


@pytest.mark.parametrize("name", ["missing.scn", ".", "a\0b"])
def test_what_cannot_be_opened_is_a_diagnostic(tmp_path: Path, name: str) -> None:
    refused = read_source(tmp_path / name)
    assert isinstance(refused, Diagnostic)
    assert refused.code is Code.UNREADABLE_FILE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.scn"
    os.mkfifo(pipe)
    assert isinstance(read_source(pipe), Diagnostic)


def test_a_folder_is_read_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b.scn", "a/z.scn", ".venv/hidden.scn", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("game val:\n")
    (tmp_path / "c.scn").write_bytes(b"\0")
    sources, faults = read_folder(tmp_path)
    assert [Path(source.name).relative_to(tmp_path).as_posix() for source in sources] == ["a/z.scn", "b.scn"]
    assert [fault.code for fault in faults] == [Code.BINARY_FILE]


def test_a_folder_without_sources_or_no_folder_at_all(tmp_path: Path) -> None:
    assert [fault.code for fault in read_folder(tmp_path)[1]] == [Code.NO_SOURCES]
    assert [fault.code for fault in read_folder(tmp_path / "none")[1]] == [Code.UNREADABLE_FILE]


def test_paths_stay_inside_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mod"
    folder.mkdir()
    (folder / "way_out").symlink_to(tmp_path)
    assert inside(folder, "maps/vallee.scn") == folder / "maps/vallee.scn"
    for escaping in ("../other.scn", "/etc/hostname", "way_out/other.scn"):
        refused = inside(folder, escaping)
        assert isinstance(refused, Diagnostic)
        assert refused.code is Code.PATH_ESCAPES


def test_a_linked_source_from_outside_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mod"
    folder.mkdir()
    (tmp_path / "secret.scn").write_text("game val:\n")
    (folder / "link.scn").symlink_to(tmp_path / "secret.scn")
    assert [fault.code for fault in read_folder(folder)[1]] == [Code.PATH_ESCAPES]


def test_a_replaced_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    target, link = tmp_path / "save.json", tmp_path / "link.json"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_atomically(link, "neuf é\n")
    assert link.is_symlink()
    assert target.read_bytes() == "neuf é\n".encode()
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "save.json"]


def test_a_private_file_is_its_users_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "cache", b"data", private=True)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o600


def test_a_failed_replacement_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "save.json"
    target.write_text("old")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(target, "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
