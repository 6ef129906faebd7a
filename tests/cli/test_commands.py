import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot

import dsl.cli.check
from tests.cli.conftest import DUEL, FAULTY, Run


def test_help_names_every_command(run: Run) -> None:
    for flag in ("-h", "--help"):
        told = run(flag).stdout
        assert all(name in told for name in ("list", "check", "compile", "play", "test", "rules"))


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("scenarii ")


def test_help_imports_neither_the_compiler_nor_the_engine() -> None:
    code = (
        "import sys, dsl.cli.main as m\n"
        "try: m.cli(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'lark', 'rich', 'dsl.compiler', 'dsl.engine', 'dsl.ir', 'jsonschema'} & set(sys.modules)\n"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_list(run: Run) -> None:
    assert "cristal_et_acier" in run("list").stdout
    games = json.loads(run("list", "--format", "json").stdout)
    assert {"game": "cristal_et_acier", "title": "Cristal et Acier"} in games


# ---------------------------------------------------------------- check


def test_check_of_a_clean_game_is_one_line(run: Run) -> None:
    assert run("check", DUEL).stdout == "duel: all is well (1 file)\n"


def test_check_tells_errors(run: Run, snapshot: Snapshot) -> None:
    told = run("check", DUEL, FAULTY, code=1).stdout
    snapshot.assert_match(told.replace(DUEL, "duel").replace(FAULTY, "faulty"), "check.txt")


def test_check_as_json(run: Run) -> None:
    found = json.loads(run("check", FAULTY, "--format", "json", code=1).stdout)
    assert found["errors"] == 1
    assert found["diagnostics"][0]["hint"] == "did you mean `gold`?"


def test_check_as_sarif(run: Run) -> None:
    found = json.loads(run("check", FAULTY, DUEL, "--format", "sarif", code=1).stdout)
    assert found["version"] == "2.1.0"
    assert [each["ruleId"] for each in found["runs"][0]["results"]] == ["E0201"]


def test_check_from_the_cache_says_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", DUEL).stdout
    monkeypatch.setattr("dsl.compiler.compile_game", None)
    assert run("check", DUEL).stdout == first


def test_an_unknown_game_is_wrong_usage_and_has_a_hint(run: Run) -> None:
    told = run("check", "cristal_et_acie", code=2).stdout
    assert "error[E0010]" in told
    assert "did you mean `cristal_et_acier`?" in told
    assert "cristal_et_acier" in run("play", "cristal_et_aciers", "--auto", code=2).stderr


@pytest.mark.parametrize(
    "args",
    [
        ["nonsense"],
        ["check"],
        ["check", DUEL, "--format", "xml"],
        ["compile", DUEL],
        ["play"],
        ["play", DUEL],
        ["play", DUEL, "--auto", "--players", "human"],
        ["play", DUEL, "--auto", "--option", "pride"],
        ["play", DUEL, "--auto", "--option", "pride=proud"],
        ["play", DUEL, "--auto", "--option", "envy=loud"],
        ["play", DUEL, "--auto", "--seed", "x"],
        ["play", DUEL, "--players", "random,random,random"],
        ["play", DUEL, "--players", "robot"],
        ["play", DUEL, "--auto", "--verify"],
        ["play", DUEL, "--load", "x", "--seed", "3"],
        ["test", DUEL, "--mutate", DUEL],
    ],
)
def test_wrong_usage(run: Run, args: list[str]) -> None:
    told = run(*args, code=2).stderr
    assert "Error: " in told
    assert "Traceback" not in told


def test_without_a_terminal_play_says_what_to_do(run: Run) -> None:
    assert "--auto" in run("play", DUEL, code=2).stderr


# ---------------------------------------------------------------- internal errors


def _break(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("seven by zero")

    monkeypatch.setattr(dsl.cli.check, "_tell", broken)


def test_an_internal_error_is_one_friendly_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch)
    told = run("check", DUEL, code=3).stderr
    assert told.startswith("internal error: ZeroDivisionError: seven by zero\n")
    assert "SCENARII_TRACEBACK=1" in told
    assert "Traceback" not in told


def test_the_traceback_is_there_for_who_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch)
    monkeypatch.setenv("SCENARII_TRACEBACK", "1")
    assert "Traceback" in run("check", DUEL, code=3).stderr


# ---------------------------------------------------------------- compile, test


def test_compile_writes_a_program_that_plays_the_same(run: Run) -> None:
    assert run("compile", DUEL, "-o", "duel.ir.json").stdout.startswith("duel.ir.json: duel, ")
    assert run("check", "duel.ir.json").stdout == "duel.ir.json: all is well\n"
    told = run("play", "duel.ir.json", "--auto", "--seed", "4").stdout
    assert told == run("play", DUEL, "--auto", "--seed", "4").stdout


def test_compile_does_not_write_over_something_else(run: Run) -> None:
    Path("notes.txt").write_text("mine")
    assert "something else" in run("compile", DUEL, "-o", "notes.txt", code=2).stderr
    assert Path("notes.txt").read_text() == "mine"
    run("compile", DUEL, "-o", "nowhere/duel.ir.json", code=2)


def test_compile_of_a_faulty_game_writes_nothing(run: Run) -> None:
    assert "error[E0201]" in run("compile", FAULTY, "-o", "faulty.ir.json", code=1).stderr
    assert os.listdir() == []


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"\0\xff" * 40, b"[" * 50_000, b'{"format": "scenarii-program"}']
)
def test_a_file_that_is_no_program(run: Run, data: bytes) -> None:
    Path("bad.ir.json").write_bytes(data)
    assert "E0501" in run("check", "bad.ir.json", code=1).stdout
    assert "E0501" in run("play", "bad.ir.json", "--auto", code=1).stderr


def test_test(run: Run) -> None:
    assert run("test", DUEL).stdout == "1 test passed\n"
    assert run("test", DUEL, "-v").stdout == "passed a march may win glory [DU-4]\n1 test passed\n"
    assert run("test", DUEL, "-k", "nothing", code=1).stderr == "no test has that title or id\n"


def test_a_test_that_fails(run: Run) -> None:
    text = Path(DUEL, "duel.scn").read_text().replace("expect glory is 3", "expect glory is 4")
    Path("duel").mkdir()
    Path("duel/duel.scn").write_text(text)
    told = run("test", "duel", code=1).stdout
    assert "FAILED a march may win glory [DU-4]" in told
    assert "0 of 1 test passed" in told


def test_mutate_lists_what_no_test_notices(run: Run) -> None:
    told = run("test", "--mutate", DUEL, code=1).stdout
    assert "DU-3 is not pinned" in told
