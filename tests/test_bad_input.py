"""Bad input, one by one: each has its code, its place and a hint, and none of it is a traceback or takes long."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.diagnostics import Diagnostic, Diagnostics
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.codec import encode
from dsl.ir.verify.program import load
from tests.bounded import bounded

GAME = """
game small:
    players a, b
    rounds 3
    rulebook S "Small"
state:
    n: 0..9 = 1
action add(k: 0..3) by p: n gains up to k      [S-1]
round:
    for p in order of play:
        p may: add(k) for k in 1..3
"""


def found(path: Path) -> list[Diagnostic]:
    with bounded():
        compiled = compile_game(str(path), tests=True)
    assert (compiled.program is None) == compiled.diagnostics.has_errors
    return list(compiled.diagnostics)


def told(text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "small.scn"
    path.write_text(text, encoding="utf-8")
    return found(path)


def only(diagnostics: list[Diagnostic], code: str, line: int | None = None) -> Diagnostic:
    assert [each.code.id for each in diagnostics] == [code], [each.message for each in diagnostics]
    (one,) = diagnostics
    assert one.hint or one.fix
    if line is not None:
        assert one.span is not None
        assert one.span.line == line
    return one


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "E0005"),
        (b"  \n\n\t\n", "E0005"),
        (b"\x7fELF\x00\x01\x02", "E0004"),
        ("game café:\n".encode("latin-1"), "E0003"),
        (b'game g:\n    note "' + b"x" * (3 * 1024 * 1024) + b'"\n', "E0002"),
    ],
    ids=["empty", "blank", "binary", "latin", "huge"],
)
def test_files_that_are_no_texts(data: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    path.write_bytes(data)
    only(found(path), code)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    path.mkdir()
    assert {each.code.id for each in found(path)} <= {"E0001", "E0006"}
    only(found(tmp_path / "nowhere.scn"), "E0010")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "small.scn"
    path.write_text(GAME, encoding="utf-8")
    path.chmod(0)
    only(found(path), "E0001")


def test_a_folder_without_sources(tmp_path: Path) -> None:
    only(found(tmp_path), "E0006")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    only(found(tmp_path), "E0006")


def test_sources_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "rules.scn").write_text("state:\n    n: 0..9\n", encoding="utf-8")
    only(found(tmp_path), "E0011")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"small": "import small\n" + GAME}, "E0009"),
        ({"small": "import other\n" + GAME, "other": "import third\n", "third": "import other\n"}, "E0008"),
        ({"small": "import rulse\n" + GAME, "rules": "type T = x | y\n"}, "E0012"),
        ({"small": "import ../other\n" + GAME}, "E0007"),
        ({"small": 'import "other"\n' + GAME}, "E01"),
    ],
    ids=["itself", "circle", "missing", "path", "text"],
)
def test_imports(files: dict[str, str], code: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.scn").write_text(text, encoding="utf-8")
    diagnostics = found(tmp_path / "small.scn")
    assert len(diagnostics) == 1
    assert diagnostics[0].code.id.startswith(code)
    assert diagnostics[0].span is not None


def test_an_import_through_a_link_out_of_the_folder(tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (tmp_path / "secret.scn").write_text("type T = x | y\n", encoding="utf-8")
    (game / "linked.scn").symlink_to(tmp_path / "secret.scn")
    (game / "small.scn").write_text("import linked\n" + GAME, encoding="utf-8")
    diagnostics = found(game / "small.scn")
    assert [each.code.id for each in diagnostics] == ["E0007"]


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("more", "code", "line"),
    [
        ("    speed 3\n", "E0201", 2),
        ("    rounds 3000000\n", "E0309", 2),
        ("    decisions at most 5000000\n", "E0309", 2),
        ("    players\n", "E0417", 2),
    ],
)
def test_headers(more: str, code: str, line: int, tmp_path: Path) -> None:
    head, body = GAME.lstrip().split("    players a, b\n    rounds 3\n")
    plain = "" if "players" in more else "    players a, b\n"
    plain += "" if "rounds" in more else "    rounds 3\n"
    diagnostics = told(head + more + plain + body, tmp_path)
    assert [each.code.id for each in diagnostics][:1] == [code]
    assert diagnostics[0].span is not None
    assert diagnostics[0].span.line == line
    assert diagnostics[0].hint


DEEP = "(" * 200 + "1" + ")" * 200
CASES = {
    "deep": (f"value v = {DEEP}", "E0110"),
    "number": ("value v = 99999999999999999999", "E0118"),
    "range": ("state of Player:\n    m: 0..9999999999", "E0302"),
    "wide range": ("state of Player:\n    m: 0..1999999999", "E0302"),
    "turned range": ("state of Player:\n    m: 9..0", "E0302"),
    "set": ("state of Player:\n    m: set of 0..9999", "E0309"),
    "list": ("state of Player:\n    m: list of 0..9 up to 5000", "E0309"),
    "bag": ("state of Player:\n    m: bag of Player up to 99999999", "E0309"),
    "state": ("map m on squares(30, 30)\nstate of Cell:\n    m: list of 0..9 up to 900", "E0309"),
    "map": ("map m on squares(2000, 2000)", "E0309"),
    "no map": ("map m on squares(0, 9)", "E0107"),
    "pieces": ("piece Stone, up to 99999", "E0309"),
    "no pieces": ("piece Stone, up to 0", "E0309"),
    "too many placed": (
        "map m on squares(3, 3)\npiece Stone, up to 5:\n    at: Cell?\naction x: place 1000000 Stone at a1",
        "E0309",
    ),
    "hole in a set": ("table T:\n    | id | x: set of Player |\n    | t  | a, -, b |", "E0307"),
    "no replacement": ('table f(k: 0..1) -> 0..9 where "-" is n:\n    | | v |\n    | 0+ | - |', "E0301"),
    "nothing in a table": ("table f(k: 0..1) -> 0..9:\n    | | v |\n    | 0+ | - |", "E0307"),
    "ragged": (
        'map m on squares:\n    legend:\n        "." = plain\n    """\n    . .\n    .\n    """',
        "E0107",
    ),
    "sign": ('map m on squares:\n    legend:\n        "." = plain\n    """\n    . ?\n    """', "E0108"),
    "ragged table": ("table T:\n    | id | x |\n    | t  | 1 | 2 |", "E0106"),
    "cell": ("table T:\n    | id | x: 0..9 |\n    | t  | many |", "E0307"),
    "cell range": ("table T:\n    | id | x: 0..9 |\n    | t  | 12 |", "E0302"),
    "cell name": ("table T:\n    | id | x: Player |\n    | t  | c |", "E0201"),
    "wide table": ("table f(k: 0..9999999) -> 0..9:\n    | | v |\n    | 0+ | 1 |", "E0309"),
    "gap": ("table f(k: 0..3) -> 0..9:\n    |     | v |\n    | 0-2 | 1 |", "E0415"),
    "twice": ("table f(k: 0..3) -> 0..9:\n    |     | v |\n    | 0-2 | 1 |\n    | 2-3 | 1 |", "E0416"),
    "row outside": ("table f(k: 0..3) -> 0..9:\n    |     | v |\n    | 0-999999999 | 1 |", "E0302"),
    "nothing to forbid": ('forbid addd when n > 3 "no"', "E0205"),
    "over nothing": ("allow add when n > 3, over [S-9]", "E0401"),
    "over itself": (
        "forbid add when n > 3, over [S-4]    [S-3]\nforbid add when n > 4, over [S-3]    [S-4]",
        "E0402",
    ),
    "value of itself": ("value v = w\nvalue w = v", "E0403"),
    "declared value of itself": ("value v -> 0..9 = v + 1", "E0403"),
    "action of itself": ("action x: y\naction y: x", "E0403"),
    "reaction to itself": ("after add: add(1) by p", "E0403"),
    "dice": ("action x: n = roll 1000d1000", "E0302"),
    "dice in a value": ("value v = roll 1d6", "E0308"),
    "loops": (
        "action x:\n"
        + "".join(f"{'    ' * d}for a{d} in 1..2:\n" for d in range(1, 7))
        + "    " * 7
        + "n = 1",
        "E0309",
    ),
    "rounds": ("action x:\n    repeat 5000000 times: n = 1", "E0309"),
    "options": (
        "map m on squares(20, 20)\naction go(c: Cell, d: Cell): nothing\n"
        "action x(p: Player):\n    p may: go(c, d) for c in Cell, d in Cell",
        "E0309",
    ),
    "menus": (
        "menu m0:\n    add(1)\n"
        + "".join(f"menu m{k + 1}:\n    m{k}\n    m{k}\n" for k in range(20))
        + "action x(p: Player):\n    p may: m20",
        "E0309",
    ),
    "ways": (
        "value v(k: 0..9):\n"
        + "".join(f"    if k > {k % 9}:\n        if k is 3: return 1\n" for k in range(30))
        + "    return 0",
        "E0309",
    ),
    "chain": ("\n".join(f"value v{k} = v{k + 1}" for k in range(500)) + "\nvalue v500 = 1", "E0110"),
    "circle of menus": ("menu m:\n    k\nmenu k:\n    m\naction x(p: Player):\n    p may: m", "E0403"),
    "circle of types": ("type A = B | C\ntype B = A | D\ntype C = x | y\ntype D = z | w", "E0201"),
    "mode like nothing": ("mode x like y:\n    forbid add when n > 3", "E0201"),
    "mode like itself": ("mode x like x:\n    forbid add when n > 3", "E0403"),
    "two instead": ("instead of add: n = 1\ninstead of add: n = 2", "E0406"),
    "duplicate": ("value n = 3", "E0202"),
}


@pytest.mark.parametrize(("text", "code"), CASES.values(), ids=CASES.keys())
def test_texts(text: str, code: str, tmp_path: Path) -> None:
    diagnostics = told(f"{GAME}{text}\n", tmp_path)
    errors = [each for each in diagnostics if each.is_error]
    assert any(each.code.id.startswith(code) for each in errors), [str(each) for each in errors]
    assert len(errors) <= 3
    first = GAME.count("\n") + 1
    for each in errors:
        assert each.span is not None
        assert each.span.line >= first or each.code.id == "E0403"
        assert each.code.id not in {"E0501", "E0502"}


BIG = 10**9
WHAT_HELPS = {
    "rounds": (CASES["rounds"][0], "a loop has at most 1,000,000 rounds"),
    "64 bits": (
        f"value big -> 0..{BIG} = {BIG}\nmodify big: times {BIG} when n is 1    [S-1]\n"
        f"modify big: times {BIG} when n is 2    [S-1]\nmodify big: at most 9    [S-1]",
        "narrow the ranges that it multiplies, or round earlier",
    ),
}


@pytest.mark.parametrize(("text", "hint"), WHAT_HELPS.values(), ids=WHAT_HELPS.keys())
def test_what_the_verifier_finds_too_much_is_told_with_what_helps(
    text: str, hint: str, tmp_path: Path
) -> None:
    found = [each for each in told(f"{GAME}{text}\n", tmp_path) if each.is_error]
    at = [each.span.line - GAME.count("\n") for each in found if each.span is not None]
    assert [(each.code.id, each.hint) for each in found] == [("E0309", hint)]
    assert at == [1]


@pytest.mark.parametrize("course", ["n gains up to 1", "repeat 3 times: n = 2"])
def test_a_game_that_may_not_end(course: str, tmp_path: Path) -> None:
    text = f"game g:\n    players a\nstate:\n    n: 0..9\nround:\n    {course}\n"
    one = only(told(text, tmp_path), "E0404", 1)
    assert "rounds 20" in one.hint


def test_a_loop_of_chance_without_a_bound(tmp_path: Path) -> None:
    diagnostics = told(f"{GAME}action x:\n    repeat until n > 5: n = roll 1d6\n", tmp_path)
    assert diagnostics
    assert all(each.span is not None for each in diagnostics)


def test_many_options_are_a_warning(tmp_path: Path) -> None:
    more = "map m on squares(9, 9)\naction go(c: Cell, d: Cell): nothing\n"
    more += "action x(p: Player):\n    p may: go(c, d) for c in Cell, d in Cell\n"
    one = only(told(GAME + more, tmp_path), "W0403")
    assert "6,561" in one.message
    pruned = more.replace("d in Cell\n", "d in Cell where d is not c\n")
    assert told(GAME + pruned, tmp_path) == []


def test_a_value_that_multiplies_is_a_warning(tmp_path: Path) -> None:
    more = "map m on squares(30, 30)\n"
    more += "value v = count x in Cell where (any y in Cell where any z in Cell where distance(x, y) is distance(z, x))"
    heavy, unused = told(f"{GAME}{more}\n", tmp_path)
    one = only([heavy], "W0408")
    only([unused], "W0416")
    assert "900 Cell × 900 Cell × 900 Cell" in one.message


# ---------------------------------------------------------------- compiled programs and saves


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    path = tmp_path_factory.mktemp("good") / "small.scn"
    path.write_text(GAME, encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    return Machine(program)


def test_compiled_programs_that_are_none(machine: Machine) -> None:
    data = encode(machine.program)
    spoilt = {
        "empty": b"",
        "truncated": data[: len(data) // 2],
        "foreign": b'{"hello": "world"}',
        "binary": bytes(range(256)) * 8,
        "list": b"[1, 2, 3]",
        "deep": b"[" * 100_000,
        "number": b"1" * 100_000,
        "version": data.replace(b'"version":2', b'"version":99'),
        "edited": data.replace(b'"high":9', b'"high":-9'),
        "index": data.replace(b'"main":0', b'"main":77'),
    }
    for name, each in spoilt.items():
        diagnostics = Diagnostics()
        assert load(each, diagnostics, "small.ir.json") is None, name
        assert {one.code.id for one in diagnostics} <= {"E0501", "E0502"}, name
        for one in diagnostics:
            assert one.span is not None, name
            assert one.hint, name
            assert one.file == "small.ir.json", name


def test_saves_that_are_none(machine: Machine, tmp_path: Path) -> None:
    game = Game.start(machine, seed=3)
    data = game.snapshot()
    head = len(data) - 4 * len(game.state)

    def slot(number: int, value: int) -> bytes:
        at = head + 4 * number
        return data[:at] + struct.pack("<i", value) + data[at + 4 :]

    spoilt = {
        "empty": b"",
        "truncated": data[:-3],
        "longer": data + b"\0\0\0\0",
        "foreign": b"PK\x03\x04" + data[4:],
        "range": slot(11, 77),
        "frame": slot(len(game.state) - 1, 5),
        "status": slot(4, 9),
        "top": slot(8, 3),
    }
    for name, each in spoilt.items():
        restored = Game.restore(machine, each)
        assert isinstance(restored, list), name
        assert restored[0].code.id == "E0503", name
        assert restored[0].hint, name
    path = tmp_path / "small.scn"
    path.write_text(GAME.replace("0..9", "0..8"), encoding="utf-8")
    other = compile_game(str(path)).program
    assert other is not None
    refused = Game.restore(Machine(other), data)
    assert isinstance(refused, list)
    assert refused[0].code.id == "E0504"
