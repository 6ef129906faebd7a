import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from pytest_snapshot.plugin import Snapshot
from rich.console import Console

from dsl.authoring.sections import Line, Section
from dsl.cli.columns import show_columns
from dsl.cli.main import cli
from dsl.cli.show import columns_of
from tests.cli.conftest import DUEL, Run

CRISTAL = "cristal_et_acier"


def plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def test_a_whole_game(run: Run, snapshot: Snapshot) -> None:
    snapshot.assert_match(plain(run("show", DUEL).stdout), "show.txt")


def test_a_new_game_with_its_map_and_legend(run: Run) -> None:
    run("new", "my_game")
    told = plain(run("show", "my_game", "map", "Kind").stdout)
    assert told.startswith("valley  hexes, pointy\n")
    assert "a3:sc" in told
    assert "~ Water  f Forest  B Plain, camp (blue)  R Plain, camp (red)" in told
    assert told.count("~ Water") == 1
    assert "\nscout    Scout        3\n" in told


def test_one_row_has_its_columns_its_source_and_the_title_of_its_rule(run: Run) -> None:
    told = run("show", CRISTAL, "MI").stdout.splitlines()
    assert told[0] == "MI  Troop  [CA-097]  cristal_et_acier/troupes.scn:11"
    assert "    cost   1" in told
    assert told[-1].startswith("    CA-097 ")


def test_rows_that_are_ours_as_a_whole_say_so(run: Run) -> None:
    assert run("show", CRISTAL, "R01").stdout.startswith("R01  Region  [house]  ")


def test_printed_tables(run: Run) -> None:
    told = plain(run("show", CRISTAL, "combat").stdout)
    assert "\n6   2/0   4/0   6/0   8/0   [CA-112]\n" in told


def test_labels_in_a_language(run: Run) -> None:
    assert "Éclair" in run("show", DUEL, "Card", "--lang", "fr").stdout
    assert "Spark" in run("show", DUEL, "Card").stdout


def test_as_json(run: Run) -> None:
    found = json.loads(run("show", CRISTAL, "MI", "rulings", "--format", "json").stdout)
    assert found["game"] == CRISTAL
    row, rulings = found["sections"]
    assert row["kind"] == "kinds"
    assert [each["name"] for each in row["rows"]] == ["MI"]
    assert row["columns"][0] == "id"
    assert row["rows"][0]["source"] == "[CA-097]"
    assert rulings["rows"][0]["cells"][:2] == ["garrison", "all_troops | parenthesised_only"]
    assert "maps" not in found
    whole = json.loads(run("show", DUEL, "--format", "json").stdout)
    assert {"kinds", "pieces", "piles", "fields", "actions", "endings"} <= {
        e["kind"] for e in whole["sections"]
    }


def test_with_a_mod_it_shows_what_the_mod_says(run: Run) -> None:
    Path("dear.scn").write_text(f'mod dear for {CRISTAL}:\n    title fr "Cher"\nchange MI: cost = 2\n')
    assert "    cost   2" in run("show", CRISTAL, "MI", "--with", "dear.scn").stdout


def test_a_compiled_program_is_shown_too(run: Run) -> None:
    run("compile", DUEL, "-o", "duel.ir.json")
    assert run("show", "duel.ir.json", "Kind").stdout == run("show", DUEL, "Kind").stdout


def test_colours_are_for_terminals(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for args in (("show", CRISTAL, "MI"), ("resolve", CRISTAL, "factor")):
        assert "\x1b[" not in run(*args).stdout
        with monkeypatch.context() as terminal:
            terminal.setattr("dsl.cli.style.wants_color", lambda *_: True)
            assert "\x1b[36m" in CliRunner().invoke(cli, [*args], color=True).stdout


def test_what_there_is_not(run: Run) -> None:
    assert "did you mean `knight`?" in run("show", DUEL, "knigth", code=2).stderr
    assert "did you mean" in run("show", "cristal_et_acie", code=2).stderr


def test_menus_and_windows_are_listed(run: Run) -> None:
    frame = Path(__file__).resolve().parents[2] / "docs/reference/language/frames/duel.scn"
    assert "of ann, bob, alternately until both pass" in run("show", str(frame), "windows").stdout
    Path("menus.scn").write_text(
        "game menus:\n    players a, b\n    rounds 2\nmenu turn(p: Player):\n    pass\nround:\n    a may: turn(a)\n",
        encoding="utf-8",
    )
    assert "turn   (p: Player)" in run("show", "menus.scn", "menus").stdout


EVENT = Section(
    *("kinds", "Event", ""),
    ("id", "name", "effect", "amount"),
    (
        Line(
            "priority_order",
            ("priority_order", "An order that goes before others", "rally", "2"),
            "[X-1]",
            "",
        ),
        Line("un_funding", ("un_funding", "Money", "earn", "15"), "[X-1, X-2]", ""),
    ),
)


def told(width: int | None, section: Section = EVENT) -> list[str]:
    out = Console(file=io.StringIO(), width=width or 20, no_color=True, highlight=False, markup=False)
    show_columns(out, columns_of(section), width)
    assert isinstance(out.file, io.StringIO)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


def test_a_table_that_fits_has_a_line_for_each_row() -> None:
    assert told(100) == told(None)
    assert told(100)[2] == "priority_order   An order that goes before others   rally         2   [X-1]"


def test_a_narrow_table_is_folded_between_words() -> None:
    lines = told(66)
    assert all(len(line) <= 66 for line in lines)
    words = {word for line in lines for word in line.split()}
    assert {"priority_order", "others", "rally", "un_funding"} <= words


def test_a_table_whose_words_do_not_fit_is_told_row_by_row() -> None:
    assert told(40)[:3] == [
        "priority_order  [X-1]",
        "    name An order that goes before others",
        "    effect rally · amount 2",
    ]


def test_tables_for_a_pipe_have_a_line_for_each_row(run: Run) -> None:
    lines = run("show", "command_and_conquer", "Event").stdout.splitlines()
    assert len([line for line in lines if "[CNC-" in line]) == len(lines) - 2
