"""Games to share: packed the same each time, and opened with care."""

import io
import json
import os
import stat
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from dsl.cli.packing import MANIFEST, Refused, opened, pack
from tests.cli.conftest import DUEL, Run

GOOD = "duel.scn"


def test_there_and_back(run: Run) -> None:
    assert run("pack", DUEL).stdout.startswith("duel.scnz: duel, 1 file, ")
    first = Path("duel.scnz").read_bytes()
    assert run("unpack", "duel.scnz").stdout == "duel: duel, 1 file; check it with: scenarii check duel\n"
    assert Path("duel/duel.scn").read_bytes() == Path(DUEL, "duel.scn").read_bytes()
    assert sorted(os.listdir()) == ["duel", "duel.scnz"]
    os.utime("duel/duel.scn", (1, 1))
    run("pack", "duel", "-o", "again.scnz")
    assert Path("again.scnz").read_bytes() == first
    assert "all is well" in run("check", "duel").stdout


def test_a_whole_rulebook_goes_through(run: Run) -> None:
    run("pack", "cristal_et_acier", "-o", "c.scnz")
    run("unpack", "c.scnz", "mine")
    assert Path("mine/rulebook.json").is_file()
    assert Path("mine/tests/bataille_tests.scn").is_file()
    assert "all is well" in run("check", "mine").stdout


def test_a_packed_game_is_played_as_it_is(run: Run) -> None:
    run("pack", DUEL)
    before = set(Path(tempfile.gettempdir()).glob("scenarii-*/duel"))
    assert run("check", "duel.scnz").stdout == "duel.scnz: all is well (1 file)\n"
    assert (
        run("play", "duel.scnz", "--auto", "--seed", "1").stdout.splitlines()[-1]
        == (run("play", DUEL, "--auto", "--seed", "1").stdout.splitlines()[-1])
    )
    run("show", "duel.scnz")
    assert "files of yours" in run("check", "duel.scnz", "--fix", code=2).stderr
    assert sorted(os.listdir()) == ["duel.scnz"]
    assert len(set(Path(tempfile.gettempdir()).glob("scenarii-*/duel")) - before) <= 1
    Path("torn.scnz").write_bytes(Path("duel.scnz").read_bytes()[:-30])
    for verb in ("check", "play", "test", "show"):
        result = run(verb, "torn.scnz", code=1)
        assert "torn.scnz is refused" in result.stderr


def test_a_compiled_program_is_not_packed(run: Run) -> None:
    run("compile", DUEL, "-o", "duel.ir.json")
    assert "duel.ir.json is a compiled program; name the game" in run("pack", "duel.ir.json", code=2).stderr
    assert os.listdir() == ["duel.ir.json"]


def test_what_is_not_shared_stays_at_home(run: Run) -> None:
    Path("duel/.git").mkdir(parents=True)
    Path("duel/.git/config.txt").write_text("mine")
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text())
    Path("duel/duel-4.save.json").write_text("{}")
    Path("duel/photo.png").write_bytes(b"png")
    Path("duel/notes.md").write_text("read me")
    run("pack", "duel", "-o", "d.scnz")
    assert set(opened(Path("d.scnz").read_bytes())[1]) == {"duel.scn", "notes.md"}
    Path("duel/other.txt").symlink_to("/etc/hostname")
    assert "other.txt is a link" in run("pack", "duel", "-o", "d.scnz", code=1).stderr


def test_what_does_not_compile_is_not_packed(run: Run) -> None:
    Path("duel").mkdir()
    Path("duel/duel.scn").write_text("game duel:\n    nonsense\n")
    assert "error[" in run("pack", "duel", code=1).stderr
    assert os.listdir() == ["duel"]


def test_nothing_is_written_over(run: Run) -> None:
    Path("notes.txt").write_text("mine")
    assert "something else" in run("pack", DUEL, "-o", "notes.txt", code=2).stderr
    run("pack", DUEL)
    Path("duel").mkdir()
    Path("duel/mine.txt").write_text("mine")
    assert "there already" in run("unpack", "duel.scnz", code=2).stderr
    assert "E" in run("unpack", "none.scnz", code=2).stderr
    assert os.listdir("duel") == ["mine.txt"]


# ---------------------------------------------------------------- hostile files


def made(*entries: tuple[str | zipfile.ZipInfo, bytes], manifest: object = None, method: int = 8) -> bytes:
    """A zip file with these entries, and a manifest that agrees unless another is given."""
    out = io.BytesIO()
    files = {str(getattr(name, "filename", name)): sha256(data).hexdigest() for name, data in entries}
    if manifest is None:
        manifest = {"format": "scenarii-pack", "version": 1, "game": "duel", "files": files}
    with zipfile.ZipFile(out, "w", method) as target:
        target.writestr(MANIFEST, json.dumps(manifest))
        for name, data in entries:
            target.writestr(name, data)
    return out.getvalue()


def info(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, mode << 16
    return entry


HOSTILE = {
    "absolute": made(("/etc/evil.scn", b"x")),
    "above": made(("../evil.scn", b"x")),
    "above, inside": made(("a/../../evil.scn", b"x")),
    "backslash": made(("..\\evil.scn", b"x")),
    "drive": made(("C:evil.scn", b"x")),
    "hidden": made((".git/hooks.txt", b"x")),
    "device name": made(("nul.scn", b"x")),
    "deep": made(("a/b/c/d/e/f/g.scn", b"x")),
    "long": made(("a" * 300 + ".scn", b"x")),
    "other kind": made(("evil.py", b"x")),
    "control signs": made(("a\x1b[2J.scn", b"x")),
    "link": made((info("link.scn", stat.S_IFLNK | 0o777), b"/etc/passwd")),
    "device": made((info("null.scn", stat.S_IFCHR | 0o666), b"")),
    "folder": made((info("folder/", stat.S_IFDIR | 0o755), b"")),
    "twice": None,
    "twice, by case": made(("A.scn", b"x"), ("a.scn", b"y")),
    "bomb": made((GOOD, b"\0" * 2_000_000), ("b.scn", b"\0" * 2_000_000)),
    "large": made((GOOD, os.urandom(2_100_000)), method=0),
    "many": made(*((f"f{n}.scn", b"") for n in range(600))),
    "not what it says": made(
        (GOOD, b"x"), manifest={"format": "scenarii-pack", "version": 1, "game": "d", "files": {GOOD: "00"}}
    ),
    "more than it says": made(
        (GOOD, b"x"), manifest={"format": "scenarii-pack", "version": 1, "game": "d", "files": {}}
    ),
    "other form": made((GOOD, b"x"), manifest={"format": "zip"}),
    "no object": made((GOOD, b"x"), manifest=[1]),
    "lzma": made((GOOD, b"x"), method=zipfile.ZIP_LZMA),
    "no zip": b"PK\x03\x04 nonsense",
    "nothing": b"",
}


def twice() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target, pytest.warns(UserWarning):
        target.writestr(MANIFEST, "{}")
        target.writestr(GOOD, "x")
        target.writestr(GOOD, "y")
    return out.getvalue()


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_refused_as_a_whole(run: Run, what: str) -> None:
    assert opened(made((GOOD, b"x")))[1] == {GOOD: b"x"}
    Path("evil.scnz").write_bytes(HOSTILE[what] or twice())
    told = run("unpack", "evil.scnz", "out", code=1).stderr
    assert "evil.scnz is refused: " in told
    assert "\x1b" not in told
    assert os.listdir() == ["evil.scnz"]
    assert not Path("../evil.scn").exists()


def test_a_packed_file_cut_or_changed_anywhere() -> None:
    data = pack(Path(DUEL), "duel")
    whole = opened(data)
    for at in range(0, len(data), 7):
        with pytest.raises(Refused):
            opened(data[:at])
        spoiled = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        try:
            assert opened(spoiled) == whole
        except Refused:
            continue


def test_sizes_that_lie_are_not_believed() -> None:
    data = bytearray(made((GOOD, b"\0" * 100_000)))
    entry = data.rfind(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    with pytest.raises(Refused):
        opened(bytes(data))


@pytest.mark.parametrize("game", ["../up", "/etc", "a/b", "", "."])
def test_a_folder_is_not_called_as_a_stranger_likes(run: Run, game: str) -> None:
    files = {GOOD: sha256(b"x").hexdigest()}
    manifest = {"format": "scenarii-pack", "version": 1, "game": game, "files": files}
    Path("evil.scnz").write_bytes(made((GOOD, b"x"), manifest=manifest))
    run("unpack", "evil.scnz", code=2)
    assert os.listdir() == ["evil.scnz"]
