"""What players have and where they are is counted, whatever a game calls it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.ir.program import Program
from dsl.simulation.counting import BEGINS, CHOICE, Counts
from dsl.simulation.holding import FIRST, KIND, PLACE, RULE, Held, Thing
from dsl.simulation.resuming import StateError, keep, keep_all, kept, kept_all
from dsl.simulation.running import Wanted, simulate

SOURCE = """
game camp:
    players red, blue
    rounds 2

map field on squares:
    \"\"\"
    . . .
    \"\"\"

table Breed:
    | id   | name en | copies |
    | ox   | Ox      |      1 |
    | mule | Mule    |      1 |

piece Beast of Breed, copies each for each Player:
    owner: Player
    at: Cell?

piece Scrap of Breed, copies each
pile box of Scrap
pile hand of Scrap for each Player, called "Hand"

state of Player:
    feed: bag of Breed up to 9, called "Feed"
    likes: Breed?, called "Likes"

state of Cell:
    claimed: Player?, called "Claimed by"

setup:
    for s in Scrap: move s to box
    place mule of red at c1
    place mule of blue at c1

action fetch(n: 1..2) by p "Fetch":
    place ox of p at a1
    a1.claimed = p
    p.feed[ox] gains 2
    p.likes = ox
action lose(b: Beast, n: 1..2) by p "Lose":
    take away b
    p.feed[ox] loses 1
action draw_one by p "Draw": draw 1 from box to hand(p)
action idle by p "Idle": nothing

round:
    if round is 1:
        red chooses: fetch(n) for n in 1..2
        red chooses: lose(b, n) for b in Beast where b.owner is red and b.kind is ox, n in 1..2
    blue chooses:
        draw_one
        idle

victory red otherwise when true
"""


def program(tmp_path: Path, source: str = SOURCE) -> Program:
    path = tmp_path / "camp.scn"
    path.write_text(source, encoding="utf-8")
    found = compile_game(str(path))
    assert found.program is not None, list(found.diagnostics)
    return found.program


def counts_of(tmp_path: Path, games: int = 3, **wanted: object) -> Counts:
    asked = replace(Wanted(games, counted=True), **wanted)  # type: ignore[arg-type]
    found = simulate(program(tmp_path), asked).tally.counts
    assert found is not None
    return found


def test_kinds_come_and_go_with_their_owner(tmp_path: Path) -> None:
    """Red fetches an ox in each game and loses it; both have had a mule from the setup on. Red always wins."""
    found = counts_of(tmp_path)
    assert found.things[Thing(KIND, "", "Ox")] == Held(came=3, left=3, games=3, decided=3, won=3)
    mule = Held(games=6, decided=6, won=3, end=6, end_decided=6, end_won=3)
    assert found.things[Thing(KIND, "", "Mule")] == mule
    feed = Held(came=6, left=3, games=3, decided=3, won=3, end=3, end_decided=3, end_won=3)
    assert found.things[Thing(KIND, "Feed", "Ox")] == feed
    assert found.things[Thing(KIND, "Likes", "Ox")] == replace(feed, came=3, left=0)
    assert found.everybody.games == 6 and found.everybody.decided == 6 and found.everybody.won == 3
    assert found.baseline == 0.5


def test_places_are_whose_piece_is_there_and_whose_they_say(tmp_path: Path) -> None:
    found = counts_of(tmp_path)
    assert found.things[Thing(PLACE, "", "a1")] == Held(came=3, left=3, games=3, decided=3, won=3)
    claimed = Held(came=3, games=3, decided=3, won=3, end=3, end_decided=3, end_won=3)
    assert found.things[Thing(PLACE, "Claimed by", "a1")] == claimed
    assert Thing(PLACE, "Claimed by", "b1") not in found.things


def test_cards_count_by_their_pile_and_its_owner(tmp_path: Path) -> None:
    """What lies in a pile of nobody neither wins nor loses; what blue draws is his, and he loses."""
    found = counts_of(tmp_path, 40)
    box, hand = (
        [found.things[Thing(KIND, where, name)] for name in ("Ox", "Mule")] for where in ("box", "Hand")
    )
    assert all((each.games, each.decided) == (40, 0) for each in box)
    drawn = [each.came for each in hand]
    assert drawn == [each.left for each in box] and drawn[0] > 0
    assert all(each.decided > 0 and each.won == 0 for each in hand)


def test_first_moves_and_who_begins(tmp_path: Path) -> None:
    found = counts_of(tmp_path, 40).things
    assert found[Thing(FIRST, CHOICE, "Fetch")] == Held(games=40, decided=40, won=40)
    assert found[Thing(FIRST, BEGINS, "red")] == Held(games=40, decided=40, won=40)
    idle, draw = (found[Thing(FIRST, CHOICE, name)] for name in ("Idle", "Draw"))
    assert idle.games + draw.games == 40 and idle.won == draw.won == 0


def test_rules_count_for_who_chose_last(tmp_path: Path) -> None:
    found = counts_of(tmp_path, 6, ruled=True)
    lose = found.things[Thing(RULE, f"camp/camp.scn:{line_of('action lose')}", "action lose")]
    assert lose == Held(came=6, games=6, decided=6, won=6)
    draw = found.things[Thing(RULE, f"camp/camp.scn:{line_of('action draw_one')}", "action draw_one")]
    assert draw.came == found.chosen["draw_one", ""].times and draw.won == 0
    plain = counts_of(tmp_path, 6)
    assert not any(each.group == RULE for each in plain.things)
    assert plain.chosen == found.chosen


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.split("\n"), 1) if line.startswith(text))


def test_a_player_may_stand_in_a_type_beside_others(tmp_path: Path) -> None:
    source = SOURCE.replace("claimed: Player?", "claimed: Holder?").replace(
        "state of Player:", "type Holder = nature | Player\n\nstate of Player:"
    )
    found = simulate(program(tmp_path, source), Wanted(2, counted=True)).tally.counts
    assert found is not None
    assert found.things[Thing(PLACE, "Claimed by", "a1")].won == 2


ALONE = """
game alone:
    players hero
    rounds 3

table Ware:
    | id   | name en |
    | salt | Salt    |

state:
    store: bag of Ware up to 9, called "Store"

action stow by p "Stow": store[salt] gains 1
action rest by p "Rest": nothing

round:
    hero chooses:
        stow
        rest

victory hero otherwise when store[salt] > 1
"""


def test_what_nobody_has_counts_for_who_plays_alone(tmp_path: Path) -> None:
    """With two wares in the store the hero wins; whoever plays alone and has not won has lost."""
    tally = simulate(program(tmp_path, ALONE), Wanted(60, counted=True)).tally
    assert tally.counts is not None
    salt = tally.counts.things[Thing(KIND, "Store", "Salt")]
    assert salt.decided == salt.games < 60 and salt.won == tally.wins(0) > 0
    assert salt.came == tally.counts.chosen["stow", ""].times
    assert tally.counts.everybody.decided == 60


def test_processes_and_a_stop_change_nothing(tmp_path: Path) -> None:
    """What was counted of the first games, kept in a file and read again, and then the others: as if at once."""
    camp, path = program(tmp_path), tmp_path / "state.json"
    wanted = Wanted(30, counted=True, ruled=True)
    whole = simulate(camp, wanted).tally
    assert whole == simulate(camp, wanted, jobs=2).tally
    keep(path, wanted, "p", simulate(camp, replace(wanted, games=11)).tally)
    assert simulate(camp, wanted, earlier=kept(path, wanted, "p")).tally == whole
    with pytest.raises(StateError, match="counted"):
        kept(path, replace(wanted, ruled=False), "p")


def test_a_comparison_is_kept_and_others_are_refused(tmp_path: Path) -> None:
    camp, path = program(tmp_path), tmp_path / "state.json"
    one, other = Wanted(8, counted=True), Wanted(8, seed=50)
    asked = [(one, "p"), (other, "p")]
    assert kept_all(path, asked) == [None, None]
    tally = simulate(camp, other).tally
    keep_all(path, [(other, "p", tally)])
    assert kept_all(path, asked) == [None, tally]
    with pytest.raises(StateError, match=r"other games \(seed\)"):
        kept_all(path, [(replace(one, counted=False), "p")])
    with pytest.raises(StateError, match="holds no simulation"):
        kept(path, other, "p")
    good = path.read_text()
    for bad in (
        "",
        "[]",
        "{}",
        good[:-20],
        good.replace('"games": 8', '"games": 9'),
        good.replace('"variants": [', '"variants": 7, "x": ['),
        "[" * 100_000,
    ):
        path.write_text(bad)
        with pytest.raises(StateError, match="holds no comparison"):
            kept_all(path, asked)


@pytest.mark.parametrize(
    "counts",
    [
        {"chosen": [["a", "b", 1, 1, 1]], "things": [], "everybody": [0, 0, 0, 0]},
        {"chosen": [["a", 3, 1, 1, 1, 1]], "things": [], "everybody": [0, 0, 0, 0]},
        {"chosen": [], "things": [["odd", "", "x", *[0] * 8]], "everybody": [0, 0, 0, 0]},
        {"chosen": [], "things": [["kind", "", "x", *[0] * 7, -1]], "everybody": [0, 0, 0, 0]},
        {"chosen": [], "things": [], "everybody": [0, 0, 0]},
        {"chosen": [], "things": []},
        7,
        None,
    ],
)
def test_damaged_counts_are_refused(tmp_path: Path, counts: object) -> None:
    path, wanted = tmp_path / "state.json", Wanted(2, counted=True)
    keep(path, wanted, "p", simulate(program(tmp_path), wanted).tally)
    data = json.loads(path.read_text())
    assert kept(path, wanted, "p") is not None
    del data["counted"]["counts"]
    if counts is not None:
        data["counted"]["counts"] = counts
    path.write_text(json.dumps(data))
    with pytest.raises(StateError, match="holds no simulation"):
        kept(path, wanted, "p")
