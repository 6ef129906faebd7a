"""At the prompt a person reads and types the words of players: of the game, its book, and the language played in."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from dsl.catalogue import languages, told
from dsl.cli.person import Person, Quit
from dsl.cli.story import JOINT, Line, Teller, show
from dsl.cli.table import Table
from dsl.cli.words import COMMANDS, typed
from dsl.engine.changes import changes
from dsl.ir.types import ListOf
from dsl.library import load
from dsl.playable import Playable
from dsl.players.seats import HUMAN, RANDOM
from tests.examples import CLASSICS

FERRY = """game ferry:
    title en "Ferry"
    players 2..3: ann "Ann", bob "Bob", cid "Cid"
    rounds 9
    rulebook FE "The ferry"
    index rulebook

option journey: short | long = short

map river on squares(6, 5):
    legend:
        "~" = water
    \"\"\"
    . . . ~ . .
    . . . ~ . .
    . . . ~ . .
    . . . ~ . .
    . . . ~ . .
    \"\"\"

state of Cell:
    water: bool, called en "Water" fr "Eau"

table Load:
    | id   | name en  | name fr |
    | goat | Goat     | Chèvre  |
    | wolf | Wolf     | Loup    |

piece Freight of Load, one each:
    owner: Player = ann
    at: Cell
    weight: 0..9 = 3, called en "Weight of what is to be carried" fr "Poids de ce qui est à porter"
    marked: 0..9 = 7

pile bag of Freight for each Player, called en "Bag" fr "Sac"

state of Player:
    coins: 0..9 = 4, called en "Coins" fr "Pièces"
    ledger: 0..9 = 8

setup:
    place goat at a1
    place wolf at b2

action ship(f: Freight, c: Cell) by p en "Ship {f} to {c}" fr "Passer {f} en {c}": [FE-01]
    need not c.water en "the water is deep" fr "l'eau est profonde" [FE-02]
    f.at = c

round:
    for p in order of play:
        p may:
            ship(f, c) for f in Freight, c in around(f.at)
victory p en "All is across" fr "Tout est passé" when any f in Freight where f.at is f5
victory p en "The long way" fr "Le long chemin" when journey is long and p.coins > 8
defeat bob en "Broke" fr "Ruiné" when bob.coins is 0
"""
BOOK = """{"rules": [
    {"id": "FE-01", "title": "A ferryman carries one load", "titles": {"fr": "Un passeur porte une charge"}},
    {"id": "FE-02", "title": "Nobody wades"}
]}"""


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Playable:
    folder = tmp_path_factory.mktemp("ferry")
    (folder / "ferry.scn").write_text(FERRY, encoding="utf-8")
    (folder / "rulebook.json").write_text(BOOK, encoding="utf-8")
    return load(folder / "ferry.scn", environment={"SCENARII_CACHE": "off"})


def said(machine: Playable, *lines: str, language: str = "en", width: int = 80) -> str:
    """What a person is shown who types some lines, from the first prompt on."""
    out = io.StringIO()
    console = Console(file=out, width=width, no_color=True, highlight=False, markup=False)
    game = machine.start(seed=4, options={"players": 2} if machine.program.name == "ferry" else {})
    table = Table(
        machine,
        game,
        target="ferry",
        mods=(),
        seed=4,
        options={},
        seats=(HUMAN, RANDOM, RANDOM)[: len(machine.program.domains[machine.program.players].members)],
        teller=Teller(machine, language, 0),
    )
    waiting = iter(lines)

    def read(prompt: str) -> str:
        out.write(prompt)
        line = next(waiting, None)
        if line is None:
            raise EOFError
        out.write(f"{line}\n")
        return line

    person = Person(table, console, None, read)
    try:
        while (decision := table.game.decision) is not None:
            option = person.choose(decision) if decision.player == 0 else table.by_chance(decision)
            if option is not None:
                table.choose(decision, option)
    except Quit:
        pass
    return out.getvalue()


def test_commands_are_typed_in_the_language_or_in_english(ferry: Playable) -> None:
    french = said(ferry, "aide", "État", "etat", "pourquoi pas chevre d1", "voir chevre", language="fr")
    assert "annuler             reprendre" in french
    assert french.count("Poids de ce qui est à porter") >= 2
    assert "Votre choix (ou aide) : " in french and "aucune option" not in french
    english = said(ferry, "state", "why not chevre", language="fr")
    assert "Poids" in english and "l'eau est profonde" in english


@pytest.mark.parametrize("language", languages())
def test_each_language_has_a_word_for_each_command(language: str) -> None:
    words = told(COMMANDS, language).split()
    assert len(set(words)) == len(words) == len(COMMANDS.split())
    assert set(typed(language).values()) == set(COMMANDS.split())


def test_what_one_plays_for_stands_above_the_first_options(ferry: Playable) -> None:
    shown = said(ferry, "1", "state")
    assert shown.count("victory: All is across\n") == 2
    assert "The long way" not in shown and "Broke" not in shown
    assert "victoire : Tout est passé\n" in said(ferry, language="fr")


def test_why_is_in_the_words_of_the_book(ferry: Playable) -> None:
    assert "[FE-01] A ferryman carries one load" in said(ferry, "1", "why")
    french = said(ferry, "1", "pourquoi", "voir FE-01", language="fr")
    assert french.count("Un passeur porte une charge") == 2
    assert "ferryman" not in french


def test_why_not_takes_some_words_of_an_action(ferry: Playable) -> None:
    one = said(ferry, "why not goat d1")
    assert "Ship Goat to d1\n" in one
    assert "[FE-02] the water is deep\n" in one and "[FE-02] Nobody wades" in one
    assert "need not" not in one
    many = said(ferry, "why not ship wolf")
    assert "30 actions are called like that:" in many and "Ship Wolf to d4, Ship Wolf to d5" in " ".join(
        many.split()
    )
    assert many.count("the water is deep") == 1
    assert "Say what you would do, such as: Ship Goat to b1, Ship Goat to a2\n" in said(ferry, "why not sing")


def test_state_has_no_internals_nobody_who_does_not_play_and_no_line_too_wide(ferry: Playable) -> None:
    for width in (80, 40):
        shown = said(ferry, "state", width=width)
        assert max(map(len, shown.splitlines())) <= width
        assert "Coins" in shown and "Weight of what" in " ".join(shown.split())
        assert "ledger" not in shown and "marked" not in shown and "Cid" not in shown
        assert "…" not in shown
    assert "where" in shown and "whose" in shown


def test_the_story_is_as_wide_as_the_terminal() -> None:
    out = io.StringIO()
    changes = JOINT.join(
        ("Troops (the enemy) +1 Militia, +1 Lancer, +2 Light Cavalry, +1 Chariot", "Gold −2")
    )
    lines = [
        Line(
            "do", "A sentence of more words than a line of forty characters has room for", ("FE-01", "FE-02")
        ),
        Line("change", changes),
        Line("do", "Short", ("FE-01",)),
    ]
    show(Console(file=out, width=40, no_color=True), lines)
    told = out.getvalue().splitlines()
    assert max(map(len, told)) <= 40
    assert "    Short  [FE-01]" in told and "          [FE-01, FE-02]" not in told[0]
    assert any(each.endswith("+2 Light") or "2 Light Cavalry" in each for each in told)  # no number alone
    assert any(each.endswith(" · Gold −2") for each in told)


def test_options_stand_in_groups_by_kind_and_of_many_by_what_they_are_about(tmp_path: Path) -> None:
    path = tmp_path / "ferry.scn"
    rest = 'action rest(c: 1..2) by p en "Rest {c}": nothing\nround:'
    for wolf, goat, blanks in (("b4", "b2", 3), ("b2", "a1", 2)):
        text = FERRY.replace("index rulebook", "").replace("wolf at b2", f"wolf at {wolf}")
        text = text.replace("goat at a1", f"goat at {goat}").replace("round:", rest, 1)
        path.write_text(text.replace("around(f.at)\n", "around(f.at)\n            rest(c) for c in 1..2\n"))
        shown = said(load(path, environment={"SCENARII_CACHE": "off"}))
        options = shown[shown.index("   1  ") :]
        assert options.count("\n\n") == blanks
        assert f"Ship Wolf to c{wolf[1]}" in options and "\n\n" in options[: options.index("Rest 1")]
    assert "\n\n" not in said(load(CLASSICS / "connect_four", environment={"SCENARII_CACHE": "off"}))[-200:]


def test_one_thing_is_looked_up_once() -> None:
    machine = load("cristal_et_acier", environment={"SCENARII_CACHE": "off"})
    shown = said(machine, "look R13")
    assert shown.count("Carrefour des Rois\n") + shown.count("Kings' Crossroads\n") <= 1
    assert shown.count("Income") <= 1


DICE = """game dice:
    players ann, bob
    rounds 2
state:
    thrown: list of 1..6 up to 3, called fr "Dés"
action throw by p:
    roll each 2 d6 as dice
    thrown = dice
round:
    for p in order of play: throw by p
"""


def test_a_list_in_which_nothing_is_is_no_gap(tmp_path: Path) -> None:
    """The dice of an attack are a list, empty before and behind it."""
    (tmp_path / "dice.scn").write_text(DICE, encoding="utf-8")
    machine = load(tmp_path / "dice.scn", environment={"SCENARII_CACHE": "off"})
    var = next(each for each in machine.program.vars if isinstance(each.type, ListOf))
    before = [0] * len(machine.start(seed=1).state)
    after = list(before)
    after[var.offset : var.offset + 2] = [1, 5]
    assert list(changes(machine, before, after, None, "fr")) == ["Dés — → 5"]


def test_an_author_sees_the_internals_in_replay(ferry: Playable, tmp_path: Path) -> None:
    from dsl.cli.looking import show_board

    out = io.StringIO()
    console = Console(file=out, width=100, no_color=True, highlight=False, markup=False)
    show_board(console, ferry, list(ferry.start(seed=4).state), None, "en", whole=True)
    assert "ledger" in out.getvalue() and "marked" in out.getvalue()
