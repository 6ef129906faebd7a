"""Rows that are like another: what mods do to the other row, and where each cell is said to come from."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from dsl.cli.main import cli
from dsl.compiler import Compiled, compile_game
from dsl.testing.runner import run_tests

GAME = """\
game yard:
    players ann
    rounds 1

table Unit:
    | id                | name en | hp: 0..9 = 3 | cost |
    | tank              | Tank    |            7 |    5 |
    | mammoth like tank | Mammoth |              |    9 |
    | scout             | Scout   |              |    1 |

round: nothing
"""


def with_mod(folder: Path, text: str) -> tuple[Compiled, str, str]:
    """The game with a mod; the paths of both."""
    game, mod = folder / "yard.scn", folder / "extra.scn"
    game.write_text(GAME, encoding="utf-8")
    mod.write_text(f'mod extra for yard:\n    note "more"\n{text}', encoding="utf-8")
    return compile_game(str(game), [str(mod)], tests=True), str(game), str(mod)


def test_a_row_follows_what_a_mod_changes_in_the_row_that_it_is_like(tmp_path: Path) -> None:
    text = 'change tank: hp = 4\ntest "both":\n    expect mammoth.hp is 4 and mammoth.cost is 9\n'
    made, _, _ = with_mod(tmp_path, text)
    assert made.program is not None
    assert [each.passed for each in run_tests(made.program)] == [True]


def test_a_mod_that_removes_a_row_is_told_of_the_rows_that_are_like_it(tmp_path: Path) -> None:
    made, _, _ = with_mod(tmp_path, "remove tank\n")
    (told,) = made.diagnostics
    assert told.span is not None
    assert (told.code.id, Path(told.span.source.name).name, told.span.text) == (
        "E0201",
        "extra.scn",
        "remove tank",
    )
    assert [label.span.line for label in told.labels] == [8]


def resolved(*arguments: str) -> list[tuple[str, str, str]]:
    """What `resolve` says is printed: the text, where it comes from, and its place."""
    result = CliRunner().invoke(cli, ["resolve", *arguments, "--format", "json"], prog_name="scenarii")
    groups = json.loads(result.output)["groups"]
    entries = next(group for group in groups if group["name"] == "printed")["entries"]
    return [(each["text"], each["note"], Path(each["where"]).name) for each in entries]


def test_resolve_tells_where_each_cell_comes_from(tmp_path: Path) -> None:
    _, game, mod = with_mod(tmp_path, "change tank: hp = 4\n")
    assert resolved(game, "mammoth", "--with", mod)[1:] == [
        ("hp: 7 → 4", "like tank", "extra.scn:3"),
        ("cost: 9", "", "yard.scn:8"),
    ]
    assert resolved(game, "scout.hp") == [("hp: 3", "the default", "yard.scn:6")]
