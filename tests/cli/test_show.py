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
from dsl.library import load
from tests.cli.conftest import DUEL, Run

CRISTAL = "cristal_et_acier"


def plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def test_a_whole_game(run: Run, snapshot: Snapshot) -> None:
    snapshot.assert_match(plain(run("show", DUEL).stdout), "show.txt")


CHOICES = """game worded:
    players red, blue
    rounds 2

option fog: dense en "Nobody sees far" fr "On ne voit pas loin" |
    thin en "All is seen" fr "On voit tout" = dense en "The fog" fr "Le brouillard"
option gold: 0..9 = 2 en "Gold" fr "Or"
option bare: one | other = other en "Bare" fr "Nu"
ruling passing: true | false = true en "Passing is allowed" fr "On peut passer"
mode calm en "Calm days" fr "Jours calmes": nothing
mode wild: nothing

action take by p en "Take": nothing

round:
    for p in order of play:
        p may: take
"""


def test_choices_are_told_in_the_words_of_players(run: Run) -> None:
    Path("worded.scn").write_text(CHOICES, encoding="utf-8")
    told = {
        each["name"]: each["rows"]
        for each in json.loads(
            run(
                "show", "worded.scn", "options", "rulings", "modes", "--lang", "fr", "--format", "json"
            ).stdout
        )["sections"]
    }
    cells = {row["name"]: row["cells"] for rows in told.values() for row in rows}
    assert run("show", "worded.scn", "options", "rulings").stdout.count("Passing is allowed") == 1
    assert cells["fog"] == ["fog", "dense | thin", "Le brouillard", "On ne voit pas loin | On voit tout"]
    assert cells["gold"] == ["gold", "2 (0..9)", "Or", ""]
    assert cells["bare"] == ["bare", "other | one", "Nu", ""]
    assert cells["passing"] == ["passing", "true | false", "On peut passer", "oui | non"]
    assert cells["mode"] == ["mode", "calm | wild", "", "Jours calmes | wild"]
    chosen = [f"--option={each}" for each in ("fog=thin", "gold=3", "bare=one", "passing=false", "mode=calm")]
    begun = run("play", "worded.scn", "--auto", "--seed", "1", "--lang", "fr", *chosen).stdout
    words = "Le brouillard : On voit tout; Or : 3; bare = one; On peut passer : non; Jours calmes"
    assert words in begun.replace("\n", " ")


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


def test_titles_of_rules_are_in_the_language_that_is_asked_for(run: Run) -> None:
    rules = {each.id: each for each in load("cristal_et_acier").program.rules}
    french = dict(rules["CA-097"].titles)["fr"]
    assert french != rules["CA-097"].title
    for language, title in (("fr", french), ("en", rules["CA-097"].title)):
        shown = run("show", CRISTAL, "MI", "--lang", language).stdout
        assert shown.splitlines()[-1] == f"    CA-097 {title}"


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
