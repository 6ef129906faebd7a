"""Games with the seats exchanged, the intervals of what comes of them, and runs that stop and go on."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.ir.program import Program
from dsl.library import load
from dsl.players.seats import SeatError, seats_of
from dsl.simulation.resuming import StateError, keep, kept
from dsl.simulation.running import Wanted, next_mark, simulate
from dsl.simulation.seated import SeatedEngine, kinds_of, seatings
from dsl.simulation.standing import elo, score, wilson
from dsl.simulation.tally import interval
from tests.examples import CLASSICS

PROGRAM = load(str(CLASSICS / "connect_four")).program
PAIRS = """
game pairs:
    players ann, bob, cid, dan
    rounds 3

state of Player:
    gold: 0..99

value allied(p: Player, q: Player) -> bool = p is q or {p, q} is {ann, cid} or {p, q} is {bob, dan}
value purse(p: Player) -> 0..198 = sum q.gold for q in Player where allied(p, q)
value worth(p: Player) -> 0..198 = purse(p)

action take(n: 1..5) by p:
    p.gold gains n

round:
    for p in order of play:
        p chooses:
            take(n) for n in 1..5

victory p otherwise when p is ann and purse(ann) > purse(bob) or p is bob and purse(bob) > purse(ann)
"""
GREEDY = Wanted(120, seed=3, players=("greedy", "random"), exchanged=True, of_seed=2)


def test_kinds_move_round_the_seats_that_play() -> None:
    assert seatings(("a", "b")) == (("a", "b"), ("b", "a"))
    assert seatings(("a", "b", "b")) == (("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"))
    assert seatings(("a", "b", "x", "x"), out=0b1100) == (("a", "b", "x", "x"), ("b", "a", "x", "x"))
    assert seatings(("a", "a")) == (("a", "a"),)
    assert kinds_of(("red=b", "a", "b")) == ("b", "a")


def test_kinds_that_sit_by_teams_are_moved_on_by_teams() -> None:
    teams = ((0, 3), (1, 4), (2,))
    assert seatings(("a", "b", "b", "a", "b"), teams=teams) == (
        ("a", "b", "b", "a", "b"),
        ("b", "a", "b", "b", "a"),
        ("b", "b", "a", "b", "b"),
    )
    assert seatings(("a", "b", "a", "b"), teams=((0, 1), (2, 3)))[1] == (
        "b",
        "a",
        "b",
        "a",
    )  # partners differ


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A game whose teams sit crosswise."""
    path: Path = tmp_path_factory.mktemp("pairs") / "pairs.scn"
    path.write_text(PAIRS, encoding="utf-8")
    return load(str(path)).program


def test_a_kind_for_each_team(pairs: Program) -> None:
    """The stronger kind wins for both partners, in whichever team it sits."""
    engine = SeatedEngine.of(pairs, {}, ("greedy", "random"), exchanged=True)
    assert engine.seatings == (
        ("greedy", "random", "greedy", "random"),
        ("random", "greedy", "random", "greedy"),
    )
    found = engine.play(1, 20)
    assert found.kinds[1] >= 18
    assert set(found.winners) <= {0, 0b0101, 0b1010}
    with pytest.raises(SeatError, match=r"in 2 teams \(ann \+ cid; bob \+ dan\), and 3 are given"):
        SeatedEngine.of(pairs, {}, ("greedy", "random", "random"))


@pytest.mark.parametrize(
    ("wanted", "seats"),
    [
        ("bob=greedy,random", "random greedy random random"),
        ("random, Dan = greedy", "random random random greedy"),
        ("dan=greedy,ann=mcts:5,cid=random,bob=random", "mcts:5 random random greedy"),
    ],
)
def test_players_by_name(pairs: Program, wanted: str, seats: str) -> None:
    assert seats_of(pairs, wanted.split(",")) == tuple(seats.split())


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("ann=greedy", "nobody plays bob, cid, dan: name them too, or add one kind for all others"),
        ("ann=greedy,ANN=random,random", "`ann` is given two kinds of player"),
        ("ann=greedy,random,greedy", "beside names one kind, for all others; 2 are given"),
        ("ann=random,bob=random,cid=random,dan=random,greedy", "nobody is left for `greedy`"),
        ("eve=greedy,random", "no player `eve`"),
        ("ann=,random", "`` is no kind of player"),
    ],
)
def test_names_that_seat_nobody(pairs: Program, wanted: str, told: str) -> None:
    with pytest.raises(SeatError, match=re.escape(told)):
        seats_of(pairs, wanted.split(","))


def test_each_seed_is_played_in_every_seating() -> None:
    """What is counted by kinds is what two engines count that have them in one seat and in the other."""
    found = simulate(PROGRAM, GREEDY).tally
    first, second = (
        SeatedEngine.of(PROGRAM, {}, kinds).play(3, 60)
        for kinds in (("greedy", "random"), ("random", "greedy"))
    )
    assert found.winners == first.winners + second.winners
    greedy, chance = first.wins(0) + second.wins(1), first.wins(1) + second.wins(0)
    assert (found.kinds[1], found.kinds[2]) == (greedy, chance)
    assert found.pairs.total() == 60
    points = sum(points * count for points, count in found.pairs.items())
    assert points == 2 * greedy + found.kinds[0]


def test_processes_and_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = replace(GREEDY, games=2_000, until=0.05)
    alone = simulate(PROGRAM, wanted)
    monkeypatch.setattr("dsl.simulation.running.PORTION", 0.0)
    other = simulate(PROGRAM, wanted)
    assert alone.tally == other.tally
    assert alone.sure and alone.complete and alone.tally.played < 2_000
    assert alone.half <= 0.05


def test_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = simulate(PROGRAM, GREEDY).tally
    part, path = simulate(PROGRAM, replace(GREEDY, games=50)).tally, tmp_path / "state.json"
    assert kept(path, GREEDY, "hash") is None
    keep(path, GREEDY, "hash", part)
    earlier = kept(path, GREEDY, "hash")
    assert earlier == part
    assert simulate(PROGRAM, GREEDY, earlier=earlier).tally == whole
    with pytest.raises(StateError, match=r"other games \(seed\)"):
        kept(path, replace(GREEDY, seed=4), "hash")
    with pytest.raises(StateError, match=r"other games \(program\)"):
        kept(path, GREEDY, "other")


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    """Whatever a part of the file becomes: it is refused, or says the same as before."""
    path, refused = tmp_path / "state.json", 0
    tally = simulate(PROGRAM, replace(GREEDY, games=20)).tally
    keep(path, GREEDY, "hash", tally)
    whole = path.read_text()
    for seed in range(300):
        chance, data = random.Random(seed), json.loads(whole)
        at = data
        while True:
            key = chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], dict | list) or not at[key] or chance.random() < 0.2:
                at[key] = chance.choice([None, -5, "x", [[1]], {"a": 1}, 1.5, True, 2**70])
                break
            at = at[key]
        path.write_text(json.dumps(data))
        try:
            found = kept(path, GREEDY, "hash")
        except StateError:
            refused += 1
        else:
            assert found is not None
            assert found.games == tally.games == found.lengths.total()
    assert refused > 200
    path.write_bytes(b"[" * 100_000)
    with pytest.raises(StateError):
        kept(path, GREEDY, "hash")


def test_marks_hang_on_nothing_but_the_number_of_games() -> None:
    marks = [next_mark(0)]
    while len(marks) < 30:
        marks.append(next_mark(marks[-1]))
    assert marks[:4] == [50, 55, 60, 66]
    assert all(next_mark(games) == min(each for each in marks if each > games) for games in range(marks[-2]))
    assert next_mark(100, 2) == 110


def test_intervals_of_shares_that_are_alone_are_those_of_wilson() -> None:
    for hits, trials in ((0, 10), (3, 10), (10, 10), (500, 1000)):
        found = wilson(hits / trials, trials)
        assert (found.low, found.high) == pytest.approx(interval(hits, trials))


def test_the_interval_covers_the_score() -> None:
    """Of 400 matches of 60 seeds, whose two games are alike, about 95 % have the true score in their interval."""
    chance, inside, naive = random.Random(7), 0, 0
    for _ in range(400):
        pairs, hits = Counter[int](), 0
        for _ in range(60):
            strong = 0.9 if chance.random() < 0.5 else 0.3
            points = sum(2 for _ in range(2) if chance.random() < strong)
            pairs[points] += 1
            hits += points // 2
        found = score(pairs, 2)
        inside += found.low <= 0.6 <= found.high
        low, high = interval(hits, 120)
        naive += low <= 0.6 <= high
    assert 0.92 <= inside / 400 <= 0.98
    assert naive < inside


def test_what_is_settled_by_the_seat_takes_nothing_from_certainty() -> None:
    """Each kind wins with the better seat: 50 %, and pairs say so at once."""
    found = score(Counter({2: 100}), 2)
    assert found.share == 0.5
    assert found.half < 0.1
    assert score(Counter({0: 50, 4: 50}), 2).half > found.half


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0) == -elo(1) == float("-inf")
