"""Variants that are compared: what can be varied, who is favoured, and what is chosen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.ir.program import Program
from dsl.simulation.comparing import Tried, VaryError, differences, favoured, same, varied
from dsl.simulation.counting import Chosen, Counts
from dsl.simulation.running import Simulation, Wanted, simulate
from dsl.simulation.standing import Meeting, difference, ratings
from dsl.simulation.tally import Tally

SOURCE = """
game market:
    players red, blue
    rounds 6

table Ware:
    | id   | name en | price: 0..9 |
    | silk | Silk    |           5 |
    | salt | Salt    |           1 |

state of Player:
    gold: 0..99

option bonus: 0..9 = 0

action sell(w: Ware) by p "Sell {w}": p.gold gains w.price
action rest by p: p.gold gains bonus if p is blue else 0

round:
    for p in order of play:
        p chooses:
            sell(w) for w in Ware
            rest

victory p otherwise when any q in Player where p is not q and p.gold > q.gold
"""


def program(tmp_path: Path, source: str = SOURCE) -> Program:
    path = tmp_path / "market.scn"
    path.write_text(source, encoding="utf-8")
    found = compile_game(str(path))
    assert found.program is not None, list(found.diagnostics)
    return found.program


def test_what_can_be_varied(tmp_path: Path) -> None:
    cell = varied("Ware[silk].price=4..6, 9")
    assert (cell.table, cell.row, cell.column, cell.values) == ("Ware", "silk", "price", ("4", "5", "6", "9"))
    option = varied("bonus=0..2")
    assert (option.option, option.values) == ("bonus", ("0", "1", "2"))
    assert varied("Ware[silk].span=1-4,0-2").values == ("1-4", "0-2")
    market = program(tmp_path)
    cell.check(market)
    option.check(market)
    for wrong, told in (
        ("Ware[silkk].price=1", "no row `silkk` in `Ware`: did you mean `silk`"),
        ("Wares[silk].price=1", "no table `Wares`: did you mean `Ware`"),
        ("bonuss=1", "no option `bonuss`: did you mean `bonus`"),
    ):
        with pytest.raises(VaryError, match=told.replace("[", r"\[")):
            varied(wrong).check(market)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "=4",
        "Ware[silk]=4",
        "a=",
        "a=9..1",
        "a=1..1000",
        "a=1,,2",
        "a=b\nround: nothing",
        "a=1;2",
        "a" * 9000,
        "Ware[silk].price=4\n\nforbid sell",
    ],
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(VaryError):
        varied(text)


def test_a_bonus_of_one_side_shows(tmp_path: Path) -> None:
    """Equal seeds: the bonus of blue is for blue. A value that the game has anyway changes no game."""
    market = program(tmp_path)
    tried = []
    for name, bonus in (("none", 0), ("same", 0), ("nine", 9)):
        options: dict[str, str | int] = {"bonus": bonus}
        tried.append(Tried(name, market, simulate(market, Wanted(200, options=options))))
    assert same(tried[1], tried[0]) and not same(tried[2], tried[0])
    found = {(each.variant, each.player): each for each in differences(tried)}
    assert list(found) == [(name, who) for name in ("same", "nine") for who in ("red", "blue")]
    assert all(
        found["same", who].share.share == 0 and not found["same", who].certain for who in ("red", "blue")
    )
    assert found["nine", "red"].certain and found["nine", "red"].share.high < 0
    assert found["nine", "blue"].certain and found["nine", "blue"].share.low > 0
    assert favoured(tried[0]) is None
    better = favoured(tried[2])
    assert better is not None and better[0] == "blue" and better[1].low > 0.5


def test_who_no_longer_wins_shows_where_games_are_drawn(tmp_path: Path) -> None:
    """Red never wins, with or without the bonus of blue: that blue wins no more is a difference all the same."""
    source = SOURCE.replace("p.gold gains w.price", "nothing").replace("= 0\n\naction", "= 9\n\naction")
    market, tried = program(tmp_path, source), []
    for bonus in (9, 0):
        options: dict[str, str | int] = {"bonus": bonus}
        tried.append(Tried(str(bonus), market, simulate(market, Wanted(100, options=options))))
    red, blue = differences(tried)
    assert (red.player, red.share.share, red.certain) == ("red", 0.0, False)
    assert (blue.player, blue.certain) == ("blue", True) and blue.share.high < 0


def test_where_each_game_is_won_one_player_says_all(tmp_path: Path) -> None:
    market = program(
        tmp_path,
        SOURCE.replace(
            "victory p otherwise when any q in Player where p is not q and p.gold > q.gold",
            "victory red otherwise",
        ),
    )
    tried = [Tried(name, market, simulate(market, Wanted(20))) for name in ("one", "other")]
    assert [each.player for each in differences(tried)] == ["red"]


def test_what_is_chosen_goes_with_who_wins(tmp_path: Path) -> None:
    """Whoever sells silk is the more likely to win; processes change nothing."""
    market = program(tmp_path)
    wanted = Wanted(150, counted=True)
    found = simulate(market, wanted).tally
    assert found == simulate(market, wanted, jobs=2).tally
    assert found.counts is not None
    chosen = found.counts.chosen
    assert set(chosen) == {("sell", ""), ("sell", "Silk"), ("sell", "Salt"), ("rest", "")}
    assert sum(chosen[key].times for key in (("sell", ""), ("rest", ""))) == 150 * 12
    assert chosen["sell", "Silk"].times + chosen["sell", "Salt"].times == chosen["sell", ""].times
    random = simulate(market, Wanted(150)).tally
    assert (random.winners, random.lengths) == (found.winners, found.lengths)
    many = chosen["sell", "Silk"]
    assert 150 < many.games <= 300 and many.won < many.decided


def test_counts_of_players_of_games() -> None:
    counts = Counts()
    counts.add({0: Counter({("buy", "Tank"): 3}), 1: Counter({("buy", "Tank"): 1})}, 0b01)
    counts.add({0: Counter({("buy", "Tank"): 1})}, 0)
    assert counts.chosen == {("buy", "Tank"): Chosen(times=5, games=3, won=1, decided=2)}
    other = Counts()
    other.merge(counts)
    other.merge(counts)
    assert other.chosen["buy", "Tank"] == Chosen(10, 6, 2, 4)


def test_the_interval_of_a_difference() -> None:
    """The example of R. G. Newcombe 1998, table II (a): 56 of 70 and 48 of 80, method 10."""
    found = difference((56, 70), (48, 80))
    assert [round(each, 4) for each in found] == [0.2, 0.0524, 0.3339]
    wider = difference((56, 70), (48, 80), comparisons=10)
    assert wider.low < found.low and wider.high > found.high


def test_ratings_by_bradley_and_terry() -> None:
    """Of two: as the share says; of three that hang together the sum of the steps; more games are surer."""
    one, two = ratings([Meeting("a", "b", 25.0, 100.0)])
    assert (one.name, one.points, one.half) == ("a", 0.0, 0.0)
    assert two.points == pytest.approx(190.8, abs=3)
    few = ratings([Meeting("a", "b", 2.5, 10.0)])[1]
    assert few.half > 2 * two.half
    steps = ratings([Meeting("a", "b", 25.0, 100.0), Meeting("b", "c", 25.0, 100.0)])
    assert steps[2].points == pytest.approx(2 * steps[1].points, rel=0.02)
    assert steps[2].half > steps[1].half
    assert ratings([Meeting("a", "b", 0.0, 20.0)])[1].points < 2000


def test_a_few_decided_games_favour_nobody(tmp_path: Path) -> None:
    """Four wins of four are as likely as not to happen to somebody: one in eight."""
    market, found = program(tmp_path), {}
    for won in (4, 40):
        tally = Tally(games=500, winners=Counter({0: 500 - won, 2: won}))
        found[won] = favoured(Tried("", market, Simulation(Wanted(500), tally)))
    assert found[4] is None and found[40] is not None and found[40][0] == "blue"


def test_nothing_played_is_nothing_known(tmp_path: Path) -> None:
    market = program(tmp_path)
    tried = [Tried(name, market, Simulation(Wanted(10), Tally())) for name in ("a", "b")]
    assert favoured(tried[0]) is None
    assert not any(each.certain for each in differences(tried))
