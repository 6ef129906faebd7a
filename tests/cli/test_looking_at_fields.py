"""`look NAME` of a field, a value or an area: what it is called and what it holds now, in place of its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.authoring.look_up import Looked, Looking
from dsl.engine.chance import Generator
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.worlds import Secrets
from dsl.library import load

GAME = """\
game stores:
    rulebook R "The book of stores"
    title fr "Réserves"
    index rulebook
    players ann "Ann", bob "Bob"
    rounds 3

table Sort:
    | id    | name  | copies |
    | guard | Garde |      1 |

map field on squares(3, 2):
    legend:
        "r" = camp of ann
        "b" = camp of bob
        "w" = marsh
    \"\"\"
    r w b
    r . b
    \"\"\"
area camp of Player, called "Camp"
area marsh, called "Marais"

state:
    weather: 0..9, called "Temps"
    favourite: Player?, called "Favori"
    inner: 0..9 = 7
    lot: 1..2, seen by none, called "Sort caché"
state of Player:
    gold: 0..9 = 2, called "Or"                                      [R-1]
    luck: 1..6, seen by self, called "Chance"
state of Cell:
    wet: bool, called "Trempé"
    crop: 0..5, called "Récolte"

piece Unit of Sort, copies each for each Player:
    owner: Player
    at: Cell?
    tired: 0..3, called "Fatigue"
    ill: bool, called "Malade"

value wealth -> 0..40 = sum p.gold for p in Player, called "Richesse"  [R-2]
value guess -> 0..40 = sum p.luck for p in Player, called "Augure"     [R-2]
value half -> 0..9 = inner
value share(p: Player) -> 0..9 = p.gold
value tiring(u: Unit) -> 0..9 = u.tired

action rest(u: Unit) by p "Reposer {u}":                             [R-3]
    need u.owner is p "pas à vous"
    need inner > 0
    weather = 1
    if lot is 2: b2.crop = min(half, 5)
    if tiring(u) > 2: u.ill = true
action wait(p: Player) by p "Attendre":
    p.gold = max(share(p), 3)
    if wealth + guess > 60: favourite = p
action share_out "Partager": weather = 9                                      [R-3]

setup:
    for p in Player: place guard of p at (a1 if p is ann else c1)
    b2.wet = true
    b2.crop = 3
    for u in Unit where u.owner is ann: u.tired = 2
    ann.luck = roll 1d6
    random n in {1, 2}
    lot = n

round:
    for p in order of play:
        p may:
            rest(u) for u in Unit
            wait(p)
            share_out

language en:
    "Camp" = "Camp"
    "Marais" = "Marsh"
    "Temps" = "Weather"
    "Favori" = "Favourite"
    "Sort caché" = "Hidden lot"
    "Or" = "Gold"
    "Chance" = "Luck"
    "Trempé" = "Wet"
    "Récolte" = "Crop"
    "Fatigue" = "Tiredness"
    "Malade" = "Ill"
    "Richesse" = "Wealth"
    "Augure" = "Omen"
    "Reposer {u}" = "Rest {u}"
    "pas à vous" = "not yours"
    "Attendre" = "Wait"
    "Partager" = "Share out"
"""
BOOK = """\
{"rules": [
    {"id": "R-1", "title": "Everybody has gold"},
    {"id": "R-2", "title": "Wealth is the gold of all"},
    {"id": "R-3", "title": "Resting"}
]}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder: Path = tmp_path_factory.mktemp("stores")
    (folder / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (folder / "stores.scn").write_text(GAME, encoding="utf-8")
    return Machine(load(str(folder / "stores.scn"), environment={"SCENARII_CACHE": "off"}).program)


def looked(machine: Machine, name: str, *, player: int = 0, language: str = "en") -> Looked:
    (found,) = Looking(machine, Game.start(machine, seed=1).state, (player,), language).up(name)
    return found


@pytest.mark.parametrize(
    ("language", "name", "title", "state"),
    [
        ("en", "weather", "Weather", (("", "0"),)),
        ("fr", "temps", "Temps", (("", "0"),)),
        ("fr", "weather", "Temps", (("", "0"),)),
        ("en", "Favourite", "Favourite", (("", "none"),)),
        ("fr", "favori", "Favori", (("", "aucun"),)),
        ("en", "gold", "Gold", (("Ann", "2"), ("Bob", "2"))),
        ("en", "wet", "Wet", (("b2", ""),)),
        ("en", "crop", "Crop", (("b2", "3"),)),
        ("en", "tiredness", "Tiredness", (("Garde (a1)", "2"),)),
        ("en", "ill", "Ill", (("", "none"),)),
        ("en", "wealth", "Wealth", (("", "4"),)),
        ("fr", "richesse", "Richesse", (("", "4"),)),
        ("en", "half", "half", (("", "7"),)),
    ],
)
def test_what_it_holds_now_is_told(
    machine: Machine, language: str, name: str, title: str, state: tuple[tuple[str, str], ...]
) -> None:
    found = looked(machine, name, language=language)
    assert (found.title, found.state, found.texts, found.source) == (title, state, (), False)


def test_the_rules_that_a_field_or_a_value_cites_are_told(machine: Machine) -> None:
    assert looked(machine, "gold").rules == (("R-1", "Everybody has gold"),)
    assert looked(machine, "wealth").rules == (("R-2", "Wealth is the gold of all"),)


def test_an_area_is_told_by_its_cells_and_whose_they_are(machine: Machine) -> None:
    camp = looked(machine, "camps")
    assert (camp.title, camp.values) == ("Camp", (("Ann", "a1, a2"), ("Bob", "c1, c2")))
    for name in ("marsh", "marais"):
        marsh = looked(machine, name, language="fr")
        assert (marsh.title, marsh.values) == ("Marais", (("", "b2"),))


def test_the_source_is_shown_of_what_has_nothing_else(machine: Machine) -> None:
    share = looked(machine, "share")
    assert share.source and share.texts == ("value share(p: Player) -> 0..9 = p.gold",)
    rest = looked(machine, "rest")
    assert not rest.source and rest.texts == ("not yours",)  # and nothing of `need inner > 0`
    assert looked(machine, "shar").title == "Share out"  # and nothing of `share`


def test_lines_of_a_rule_are_in_the_words_of_who_looks(machine: Machine) -> None:
    english, french = (looked(machine, "R-3", language=each).texts for each in ("en", "fr"))
    assert english[0] == 'action rest(u: Unit) by p "Rest …":'
    assert french[0] == 'action rest(u: Unit) by p "Reposer …":'


def test_what_is_hidden_is_left_out(machine: Machine) -> None:
    assert looked(machine, "luck").state[0][0] == "Ann" and len(looked(machine, "luck").state) == 1
    assert looked(machine, "luck", player=1).state[0][0] == "Bob"
    assert looked(machine, "hidden lot").state == ()
    assert looked(machine, "omen").state == () and looked(machine, "omen").rules  # a sum of both lucks


def test_what_is_hidden_makes_no_difference(machine: Machine) -> None:
    state, secrets, worlds = list(Game.start(machine, seed=3).state), Secrets(machine), 0
    names = tuple(Looking(machine, state, (0,), "en").names)

    def everything(at: list[int]) -> list[tuple[Looked, ...]]:
        looking = Looking(machine, at, (0,), "en")
        return [looking.up(name) for name in names]

    told = everything(state)
    for seed in range(8):
        changed = secrets.another(state, 0, Generator(seed))
        if changed is not None and changed[0] != state:
            worlds += 1
            assert everything(changed[0]) == told
    assert worlds


THINGS = """\
game market:
    players ann, bob
    rounds 3

table Factory:
    | id | name en   | n |
    | f1 | Factory 1 | 1 |
    | f2 | Factory 2 | 2 |
type Source = Factory | middle "the middle"
type Mood = open_mood "Friendly" | f9 "Factory 9" | bare

state of Source:
    tiles: 0..9 = 3, called "Tiles"
state of Factory:
    open: 0..9 = 2, called "Open"
    lot: 1..6 = 4, seen by {ann}, called "Lot"
    inner: 0..9 = 5

action take(s: Source) by p "Take from {s}": s.tiles loses 1

round:
    for p in order of play:
        p chooses: take(s) for s in Source
"""


@pytest.mark.parametrize(
    ("name", "player", "title", "state"),
    [
        ("factory 1", 0, "Factory 1", (("Open", "2"), ("Lot", "4"), ("Tiles", "3"))),
        ("f1", 1, "Factory 1", (("Open", "2"), ("Tiles", "3"))),
        ("the middle", 0, "the middle", (("Tiles", "3"),)),
        ("middle", 1, "the middle", (("Tiles", "3"),)),
        ("friendly", 0, "Friendly", ()),
        ("bare", 0, "bare", ()),
    ],
)
def test_rows_and_members_of_types_are_told_with_their_fields(
    tmp_path: Path, name: str, player: int, title: str, state: tuple[tuple[str, str], ...]
) -> None:
    (tmp_path / "market.scn").write_text(THINGS, encoding="utf-8")
    market = Machine(load(str(tmp_path / "market.scn"), environment={"SCENARII_CACHE": "off"}).program)
    found = looked(market, name, player=player)
    assert (found.title, found.state) == (title, state)
    several = Looking(market, Game.start(market, seed=1).state, (player,), "en").up("factory")
    assert [each.title for each in several] == [
        "Factory 1",
        "Factory 2",
    ]  # and not `Factory 9`, of which nothing is told
