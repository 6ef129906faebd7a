"""`look NAME`: what may be known of a thing is told in words of the game, and nothing else is."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from dsl.authoring.look_up import Looked, Looking
from dsl.authoring.survey import sections
from dsl.cli.looking_up import look_up
from dsl.cli.main import cli
from dsl.engine.chance import Generator
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.worlds import Secrets
from dsl.ir.identity import identity
from dsl.library import load
from dsl.scene.shapes import Words
from dsl.sheets.page import PAPERS
from dsl.sheets.tables import in_words, tables_of

CORPUS = Path(__file__).parents[1] / "corpus" / "language" / "good"
GAME = """\
game looks:
    index rulebook
    players ann "Ann", bob "Bob"
    rounds 3

table Sort:                                                          [R-1]
    | id    | name en       | name fr    | speed | rules en: text   | rules fr: text | copies |
    | scout | Swift scout   | Éclaireur  |     3 | Sees far away.   | Voit loin.     |      1 |
    | guard | Heavy guards  | Garde      |     1 | -                | -              |      2 |  [R-2]

map field on squares(3, 3):
    legend:
        "~" = water
    \"\"\"
    . ~ .
    . . .
    . . .
    \"\"\"
state of Cell:
    water: bool, called en "Water" fr "Eau"

piece Unit of Sort, copies each for each Player:
    owner: Player
    at: Cell?
    wounds: 0..3, called en "Wounds" fr "Blessures"
    rank: 1..3, seen by owner, called "Rank"

table Plan:
    | id   | name en |
    | feint | Feint  |
    | storm | Storm  |
piece Sheet of Plan, one each
pile deck of Sheet, seen by none, called "Deck"
pile hand of Sheet for each Player, seen by owner, called "Hand"

setup:
    for p in Player: place scout of p at (a1 if p is ann else c3)
    draw 1 from deck to hand(bob)

action march(u: Unit) by p en "March {u}" fr "Marcher {u}":       [R-3]
    need u.rank > 1 en "rank too low" fr "rang trop bas"
    u.wounds gains 0
action wait: nothing

round:
    for p in order of play:
        p may:
            march(u) for u in Unit where u.owner is p
            wait
"""
BOOK = """\
{"rules": [
    {"id": "R-1", "title": "What a card shows"},
    {"id": "R-2", "title": "Guards come in twos"},
    {"id": "R-3", "title": "Marching takes rank"}
]}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("looks")
    (folder / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (folder / "looks.scn").write_text(GAME, encoding="utf-8")
    return Machine(load(str(folder / "looks.scn"), environment={"SCENARII_CACHE": "off"}).program)


def looked(machine: Machine, name: str, *, player: int = 0, language: str = "en") -> tuple[Looked, ...]:
    game = Game.start(machine, seed=1)
    return Looking(machine, game.state, (player,), language).up(name)


def screen(machine: Machine, name: str, language: str = "en", width: int = 80) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, no_color=True, highlight=False, markup=False)
    look_up(console, machine, Game.start(machine, seed=1).state, 0, language, name)
    return out.getvalue()


@pytest.mark.parametrize(
    "asked", ["scout", "SWIFT SCOUT", "swift", "swift scouts", "scouts", "wift", "Swift  scout"]
)
def test_a_kind_is_found_by_what_a_player_types(machine: Machine, asked: str) -> None:
    (found,) = looked(machine, asked)
    assert found.title == "Swift scout" and ("speed", "3") in found.values
    assert found.texts == ("Sees far away.",)
    assert found.rules == (("R-1", "What a card shows"),)
    assert found.state == (("a1", "Ann, Rank 1"), ("c3", "Bob"))


def test_accents_may_be_left_out_and_words_are_of_the_language(machine: Machine) -> None:
    (found,) = looked(machine, "eclaireur", language="fr")
    assert (found.title, found.texts) == ("Éclaireur", ("Voit loin.",))


def test_a_piece_is_found_by_kind_and_place_with_its_state(machine: Machine) -> None:
    for asked in ("scout a1", "swift scout at a1", "scout on a1"):
        (found,) = looked(machine, asked)
        assert found.title == "Swift scout (a1)"
        assert found.state == (("", "Ann"), ("Rank", "1"))
        assert ("speed", "3") in found.values
    (other,) = looked(machine, "scout c3")
    assert other.state == (("", "Bob"),)  # his rank is hidden


def test_cells_players_and_piles(machine: Machine) -> None:
    (cell,) = looked(machine, "b3")
    assert (cell.title, cell.values, cell.state) == ("b3", (("", "Water"),), ())
    (cell,) = looked(machine, "A1")
    assert cell.state == (("Swift scout", "Ann, Rank 1"),)
    (player,) = looked(machine, "bob")
    assert ("Hand", "1") in player.state and ("Swift scout", "c3") in player.state
    (own,) = looked(machine, "bob", player=1)
    (name,) = [value for name, value in own.state if name == "Hand"]
    assert name in {"1 (Feint)", "1 (Storm)"}
    assert {each.title for each in looked(machine, "hand")} == {"Hand (Ann)", "Hand (Bob)"}


def test_rules_by_id_by_title_and_by_what_they_are_called(machine: Machine) -> None:
    for asked in ("R-3", "r-3", "marching takes rank"):
        (found,) = looked(machine, asked)
        assert found.title == "R-3  Marching takes rank"
        assert any("action march" in line for line in found.texts)
    for asked in ("march", "Marcher"):
        (found,) = looked(machine, asked, language="fr")
        assert found.title == "Marcher …" and found.texts == ("rang trop bas",)
        assert found.rules == (("R-3", "Marching takes rank"),)
    (row,) = looked(machine, "R-2")
    assert row.texts == ("Heavy guards",)


def test_what_nothing_is_called_is_said_with_what_is_near(machine: Machine) -> None:
    assert screen(machine, "swift scuot") == "There is no `swift scuot` here. Did you mean `swift scout`?\n"
    assert "zzz" in screen(machine, "zzz\x1b[2J") and "\x1b" not in screen(machine, "zzz\x1b[2J")
    assert looked(machine, "") == () and looked(machine, "  ") == ()


@pytest.mark.parametrize("name", ["scout", "scout a1", "R-3", "march", "bob", "hand", "s"])
def test_it_is_as_wide_as_the_terminal(machine: Machine, name: str) -> None:
    for width in (40, 80):
        assert max(map(len, screen(machine, name, "fr", width).splitlines())) <= width


def everything(machine: Machine, state: list[int], player: int) -> dict[str, tuple[Looked, ...]]:
    looking = Looking(machine, state, (player,), "en")
    return {name: looking.up(name) for name in looking.names}


@pytest.mark.parametrize("game", ["looks", "texts.scn", "hidden_kinds.scn"])
def test_what_is_hidden_makes_no_difference(machine: Machine, game: str) -> None:
    """Of each name, in each world that the one who looks cannot tell from this one, the same is told."""
    if game != "looks":
        machine = Machine(load(str(CORPUS / game), environment={"SCENARII_CACHE": "off"}).program)
    state, secrets = list(Game.start(machine, seed=3).state), Secrets(machine)
    told, worlds = everything(machine, state, 0), 0
    for seed in range(12):
        changed = secrets.another(state, 0, Generator(seed))
        if changed is not None and changed[0] != state:
            worlds += 1
            assert everything(machine, changed[0], 0) == told
    for world in secrets.single(state, 0):
        worlds += 1
        assert everything(machine, world, 0) == told
    assert worlds and told


def test_columns_are_called_as_players_call_them() -> None:
    program = load(str(CORPUS / "captions.scn"), environment={"SCENARII_CACHE": "off"}).program
    machine = Machine(program)
    (salt,) = looked(machine, "salt")
    assert salt.values == (("Price", "3"), ("Load", "2")) and salt.texts == ("White",)
    (salt,) = looked(machine, "salt", language="fr")
    assert salt.values == (("Prix", "3"), ("Load", "2"))
    (section,) = [each for each in in_words(program, sections(program, "fr"), "fr") if each.name == "Ware"]
    assert section.columns == ("id", "name", "Prix", "Load", "note")
    assert section.rows[0].cells == ("salt", "Salt", "3", "2", "White")
    (whole,) = [each for each in sections(program, "fr") if each.name == "Ware"]
    assert whole.columns == ("id", "name", "price", "weight", "group", "note")


def test_what_columns_are_called_leaves_the_rules_as_they_are(tmp_path: Path) -> None:
    text = (CORPUS / "captions.scn").read_text(encoding="utf-8")
    found = []
    for number, each in enumerate((text, text.replace("| Price ", "| Cost  "))):
        path = tmp_path / f"{number}" / "captions.scn"
        path.parent.mkdir()
        path.write_text(each, encoding="utf-8")
        found.append(load(str(path), environment={"SCENARII_CACHE": "off"}).program)
    bare = [replace(each, data=tuple(replace(data, called=()) for data in each.data)) for each in found]
    assert identity(found[0]) == identity(found[1]) == identity(bare[0])


def test_a_row_of_a_table_of_effects_is_known_by_its_name_and_told_by_its_text() -> None:
    machine = Machine(load(str(CORPUS / "effects_with_texts.scn")).program)
    [fair] = looked(machine, "foire", language="fr")
    assert (fair.title, fair.texts) == ("Foire", ("Gagnez deux PO.",))
    [rain] = looked(machine, "Rain")
    assert (rain.title, rain.texts) == ("Rain", ())


def test_the_log_says_a_row_of_a_table_of_effects_with_its_text() -> None:
    game = str(CORPUS / "effects_with_texts.scn")
    for language, told in (
        ("en", {"Fair (", "): Gain two gold."}),
        ("fr", {"Foire (", ") : Gagnez deux PO."}),
    ):
        command = ["play", game, "--auto", "--lang", language, "--seed", "2"]
        shown = CliRunner().invoke(cli, command, catch_exceptions=False).output
        assert all(each in shown for each in told)
    assert "Rain (6)\n" in shown and "- (" not in shown


def test_effects_are_listed_and_printed_in_the_words_of_a_language() -> None:
    program = load(str(CORPUS / "effects_with_texts.scn")).program
    [section] = (each for each in sections(program, "fr") if each.kind == "effects")
    assert section.columns == ("die", "name", "effect")
    assert section.rows[0].cells == ("1-3", "Foire : Gagnez deux PO.", "gain(2)")
    assert section.rows[2].cells == ("6", "Rain", "-")
    shapes = tables_of(program, [section], PAPERS["a4"], frozenset(), "fr")[0].shapes
    words = {each.text for each in shapes if isinstance(each, Words)}
    assert "Foire : Gagnez deux PO." in words and "gain(2)" not in words


def test_printed_tables_are_for_players() -> None:
    program = load("cristal_et_acier").program
    found = [
        each
        for page in tables_of(program, sections(program, "en"), PAPERS["a4"], frozenset(), "en")
        for each in page.shapes
    ]
    words = {each.text for each in found if isinstance(each, Words)}
    assert "Enemy spells" in " ".join(words) and not any(
        "(theirs" in each or "Spell effects" in each for each in words
    )
    program = load("command_and_conquer").program
    kinds = tables_of(program, sections(program, "en"), PAPERS["a4"], frozenset(), "en")
    heads = {each.text for page in kinds for each in page.shapes if isinstance(each, Words) and each.bold}
    assert "Unit [CNC-005, CNC-H02]" in heads and not any("UnitKind" in each for each in heads)
