"""What somebody who plays at the prompt reads: what tells options apart, what they do alike, and what was passed."""

from __future__ import annotations

import re

import pytest

from dsl.library import load
from dsl.playable import Playable
from dsl.players.seats import HUMAN, RANDOM
from tests.cli.test_person import Sitting

GAME = """\
game traps:
    index rulebook
    players ann "Ann", bob "Bob"
    rounds 4
    rulebook R "Traps"

table Sort:                                                         [R-1]
    | id    | name en | hits | rules en: text  |
    | guard | Guard   |    1 | Stands its man. |
    | post  | Guard   |    9 | -               |

map field on squares(3, 3)
state of Cell:
    trap: Player?, called "Trap"
state of Player:
    purse: 0..20 = 9, called "Purse"
    hideout: Cell?, called "Hideout"

piece Unit of Sort, up to 4 each:
    owner: Player
    at: Cell
    tired: bool

table Sheet:
    | id    | name en |
    | feint | Feint   |
    | storm | Storm   |
piece Plan of Sheet, up to 1 each
pile hand of Plan for each Player, seen by owner, called "Hand"
pile spent of Plan for each Player, seen by owner, called "Spent"

setup:
    place feint in hand(bob)
    place storm in hand(bob)
    place guard of ann at a1
    place guard of ann at a2 with tired = true
    place post of bob at c1
    b2.trap = ann
    ann.hideout = c3

action march(u: Unit, c: Cell) by p en "March {u} to {c}":           [R-2]
    need not u.tired en "tired"
    u.at = c
    p.purse loses up to 1
action follow(k: Plan) by p en "Follow {k}":
    move k to spent(p)

round:
    ann may en "Who marches?":
        march(u, c) for u in Unit where u.owner is ann, c in Cell where not (c has Unit)
    for u in Unit where u.tired:
        ann repeatedly chooses en "Rest?":
            stop en "Leave {u} alone"
    if hand(bob) is not empty:
        bob chooses k in hand(bob) en "Which plan?"
        move k to spent(bob)
    bob may en "Who follows?":
        follow(k) for k in hand(bob) where bob.purse > 12
"""
BOOK = '{"rules": [{"id": "R-1", "title": "Guards of 2 kinds"}, {"id": "R-2", "title": "Guards march"}]}'


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory) -> Playable:
    folder = tmp_path_factory.mktemp("traps")
    (folder / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (folder / "traps.scn").write_text(GAME, encoding="utf-8")
    return load(str(folder / "traps.scn"), environment={"SCENARII_CACHE": "off"})


def shown(machine: Playable, *typed: str, seats: tuple[str, ...] = (HUMAN, RANDOM)) -> str:
    return Sitting(machine, [*typed, "quit"], seats).play()


def test_an_option_says_where_its_piece_stands_among_others_of_its_name(traps: Playable) -> None:
    """Only one guard can march, and yet there are two: the player need not guess which one it is."""
    told = shown(traps)
    assert "1  March Guard to b1 (a1)\n" in told
    assert "March Guard to b1 (a1): " in shown(traps, "hint")


def test_what_all_options_do_alike_is_told_once(traps: Playable) -> None:
    told = shown(traps)
    assert told.count("Purse −1") == 1
    assert "      each: [Purse −1]\n" in told


def test_what_a_cell_holds_for_an_owner_is_not_his_figure_alone(traps: Playable) -> None:
    """The figure alone stands for a piece of his: the sign of the field is before it, and in the legend."""
    told = shown(traps)
    assert re.search(r"2 gu● tr● \.", told)
    assert "tr Trap" in told
    assert "Pieces (Ann): Trap (b2), 2 Guard (a1; a2)" in told


def test_of_a_player_nothing_is_told_that_he_has_not(traps: Playable) -> None:
    told = shown(traps)
    assert "Ann: Purse 9 · Hideout c3\n" in told
    assert "Bob: Purse 9 · Hand 2\n" in told


def test_who_passed_says_what(traps: Playable) -> None:
    """A pass without words of its own tells nothing without its question; what is chosen unseen is no question mark."""
    told = shown(traps, "1")
    assert "    Bob: Who follows? (pass)\n" in told
    assert "    Bob: Which plan? (hidden)\n" in told


def test_advice_where_there_is_one_option(traps: Playable) -> None:
    told = shown(traps, "1", "hint", seats=(RANDOM, HUMAN))
    assert "there is nothing else to choose: (pass)" in told
    assert "tried in" not in told


def test_auto_pass_passes_at_once(traps: Playable) -> None:
    told = shown(traps, "1", "auto pass", seats=(RANDOM, HUMAN))
    assert "Bob: Who follows? (pass)" in told
    assert "Round 2" in told


def test_a_number_is_that_of_an_option_and_no_part_of_a_name(traps: Playable) -> None:
    told = shown(traps, "look 2")
    assert "\nb2\n" in told and "hits" in told
    assert told.count("Guards of 2 kinds") == 2  # cited by both kinds
    assert "There is no `22` here." in shown(traps, "look 22")


def test_kinds_of_one_name_have_their_own_pieces(traps: Playable) -> None:
    """Two rows of the table are called alike: each tells where its own pieces are, and of a piece its own figures."""
    told = shown(traps, "look guard")
    first, second = re.findall(r"hits +(?:1|9)\n(?:.|\n)*?\[R-1\]", told)
    assert "a1" in first and "a2" in first and "c1" not in first
    assert "c1" in second and "a1" not in second
    assert re.search(r"Guard \(c1\)\n +hits +9", shown(traps, "look guard c1"))


def test_of_rules_among_other_things_the_titles_are_told(traps: Playable) -> None:
    """Their lines are for who asks for one rule."""
    told = shown(traps, "look march")
    assert "action march" not in told


def test_people_are_told_no_fingerprint(traps: Playable) -> None:
    """It is for whoever compares games that were played without any."""
    sitting = Sitting(traps, [], (HUMAN, RANDOM))
    assert [line for line in sitting.table.ending() if "decisions" in line]
    assert not [line for line in sitting.table.ending() if "fingerprint" in line]
    sitting.table.seats = (RANDOM, RANDOM)
    assert [line for line in sitting.table.ending() if "fingerprint" in line]
