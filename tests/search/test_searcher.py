"""What players that think choose: by the rules alone, the same each time, and without what they do not see."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.chance import Generator
from dsl.engine.failure import Unplayable
from dsl.engine.free_fields import free_fields
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.snapshot import packed
from dsl.engine.worlds import Secrets
from dsl.ir.program import FRAME_HEAD, TOP
from dsl.library import load
from dsl.players.random_player import RandomPlayer
from dsl.players.seats import SeatError, seats_of
from dsl.search.searcher import Searcher
from dsl.search.thinker import Thinker
from dsl.search.worlds import Worlds
from dsl.wasm.searching import SEARCHING, search_module
from tests.soak import only_when_long

ROOT = Path(__file__).parents[2]
TAKE = """
game take:
    players red, blue
    rounds 4

state of Player:
    gold: 0..99

{worth}

action take(n: 1..5) by p:
    p.gold gains n

action leave(n: 1..5) by p:
    p.gold gains 0

round:
    for p in order of play:
        p chooses:
            take(n) for n in 1..5
            leave(n) for n in 1..5
"""


@pytest.fixture(scope="module")
def tic_tac_toe() -> Machine:
    return load(str(ROOT / "examples" / "classics" / "tic_tac_toe"))


def written(tmp_path: Path, source: str) -> Machine:
    path = tmp_path / "game.scn"
    path.write_text(source, encoding="utf-8")
    return load(str(path))


def test_never_loses_tic_tac_toe(tic_tac_toe: Machine) -> None:
    """The first and the second player: neither loses to chance, and two that think draw."""
    searcher = Searcher(tic_tac_toe)
    for seed in range(12):
        game, chance = Game.start(tic_tac_toe, seed=seed), RandomPlayer(seed)
        while (player := game.player) is not None:
            thinks = seed % 3 == 2 or player == seed % 3
            best = searcher.think(game.state, playouts=3_000, seed=seed).best.number
            game.choose(best if thinks else chance.index(game.count))
        assert game.outcome is not None
        if seed % 3 == 2:
            assert not game.outcome.players
        else:
            assert game.outcome.players in {(), (seed % 3,)}


def test_takes_the_move_that_wins() -> None:
    """Three in a column, and the fourth place is free: it is filled, and where the other has three it is blocked."""
    machine = load(str(ROOT / "examples" / "classics" / "connect_four"))
    searcher = Searcher(machine)
    game = Game.start(machine)
    for column in (4, 1, 4, 1, 4):
        game.choose(f"Column {column}")
    advice = searcher.think(game.state, playouts=2_000)
    assert game.decision is not None
    assert game.decision.options[advice.best.number].label() == "Column 4"
    game.choose("Column 2")
    advice = searcher.think(game.state, playouts=2_000)
    assert game.decision.options[advice.best.number].label() == "Column 4"
    assert advice.best.expectation > 0.95


def test_equal_playouts_give_equal_trees() -> None:
    machine = load("me_ccg")
    searcher, other = Searcher(machine), Searcher(machine)
    game = Game.start(machine, seed=4)
    while game.count < 4:
        game.choose(0)
    first = searcher.think(game.state, playouts=300, seed=9)
    searcher.think(game.state, playouts=100, seed=1)
    assert searcher.think(game.state, playouts=300, seed=9) == first
    assert other.think(game.state, playouts=300, seed=9) == first
    assert sum(each.visits for each in first.options) == 300 == first.playouts
    assert searcher.think(game.state, playouts=300, seed=10) != first


@pytest.mark.parametrize("name", ["me_ccg", only_when_long("command_and_conquer"), "risk_halo"])
def test_knows_only_what_its_player_sees(name: str) -> None:
    """What he may not see is exchanged: he chooses the same, with the same expectations."""
    machine = load(name)
    searcher, secrets, chance = Searcher(machine), Secrets(machine), Generator(3)
    game, player, compared = Game.start(machine, seed=3), RandomPlayer(3), 0
    while compared < 4 and game.count:
        assert game.player is not None
        other = secrets.another(list(game.state), game.player, chance) if game.count > 1 else None
        if other is not None:
            assert secrets.ordered(list(game.state), game.player) == secrets.ordered(other[0], game.player)
            there = Game.restore(machine, packed(machine.hash, other[0]))
            assert isinstance(there, Game)
            here = searcher.think(game.state, playouts=40, seed=compared, cut=60)
            assert here.worlds == 2
            assert searcher.think(there.state, playouts=40, seed=compared, cut=60) == here
            compared += 1
        game.choose(player.index(game.count))
    assert compared == 4


def test_begins_in_many_worlds_where_something_is_hidden() -> None:
    machine = load("me_ccg")
    game = Game.start(machine, seed=1)
    while game.count < 2:
        game.choose(0)
    advice = Searcher(machine).think(game.state, playouts=200, cut=20)
    assert advice.worlds == 10


SMALL = sorted((ROOT / "tests" / "figures" / "hidden").glob("*.scn"))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_worlds_are_drawn_wherever_something_is_hidden(path: Path) -> None:
    """However few things may change places: where any exchange makes another world, worlds are drawn, and differ."""
    machine = load(str(path))
    secrets, worlds = Secrets(machine), Worlds(machine, search_module(machine).instance(SEARCHING))
    game, player = Game.start(machine, seed=2), RandomPlayer(2)
    for _ in range(30):
        if game.player is None:
            break
        state, viewer = list(game.state), game.player
        others = [secrets.another(state, viewer, Generator(seed)) for seed in range(40)]
        drawn = worlds.drawn(state, viewer, 1)
        assert (drawn is None) == (not worlds.answers(state, viewer) and all(each is None for each in others))
        if drawn is None:
            assert secrets.ordered(state, viewer) == state
        else:
            assert len({tuple(next(drawn)) for _ in range(40)}) > 1
        game.choose(player.index(game.count))


def test_looks_one_choice_ahead(tmp_path: Path) -> None:
    """With what the author says a position is worth, and against it where it says the opposite."""
    worth = "value worth(p: Player) -> 0..99 = p.gold"
    game = Game.start(machine := written(tmp_path, TAKE.format(worth=worth)))
    assert game.decision is not None
    best = Searcher(machine).compare(game.state).best
    assert game.decision.options[best.number].label() == "take(5)"
    worth = "value worth(p: Player) -> 0..99 = 99 - p.gold"
    game = Game.start(machine := written(tmp_path, TAKE.format(worth=worth)))
    assert game.decision is not None
    best = Searcher(machine).compare(game.state).best
    assert "leave" in game.decision.options[best.number].label()


def test_is_worth_the_same_where_nothing_is_said(tmp_path: Path) -> None:
    """No pieces, no points by which it ends: nothing to choose by, and a game is still played."""
    machine = written(tmp_path, TAKE.format(worth=""))
    advice = Searcher(machine).compare(Game.start(machine).state)
    assert {each.expectation for each in advice.options} == {0.5}


def test_counts_pieces_where_nothing_is_said(tmp_path: Path) -> None:
    source = """
game keep:
    players red, blue
    rounds 3

map valley on squares:
    \"\"\"
    . . .
    \"\"\"

state:
    rested: bool

piece Rider, up to 4:
    owner: Player
    at: Cell

setup red: place Rider at a1
setup blue: place Rider at b1
setup blue: place Rider at c1

action beat(r: Rider) by p:
    take away r

action wait() by p:
    rested = true

round:
    for p in order of play:
        p chooses:
            wait()
            beat(r) for r in Rider
"""
    machine = written(tmp_path, source)
    game = Game.start(machine)
    assert game.decision is not None
    labels = [each.label() for each in game.decision.options]
    found = [each.expectation for each in Searcher(machine).compare(game.state).options]
    waits = found[labels.index("wait")]
    beats = [value for label, value in zip(labels, found, strict=True) if label.startswith("beat")]
    assert min(beats) < waits < max(beats) == 0.5


def test_a_rule_that_fails_counts_as_a_loss(tmp_path: Path) -> None:
    source = (
        TAKE.format(worth="")
        .replace("p.gold gains 0", "p.gold = p.gold + 95")
        .replace("gold: 0..99", "gold: 0..99 = 5")
    )
    machine = written(tmp_path, source.replace("leave(n) for n in 1..5", "leave(n) for n in 1..1"))
    advice = Searcher(machine).think(Game.start(machine).state, playouts=200)
    assert 0 < advice.failed < 200
    assert advice.options[-1].expectation < min(each.expectation for each in advice.options[:-1])


def test_refuses_a_game_that_has_ended(tic_tac_toe: Machine) -> None:
    game, chance = Game.start(tic_tac_toe), RandomPlayer(1)
    while game.count:
        game.choose(chance.index(game.count))
    with pytest.raises(Unplayable, match="nothing can be chosen"):
        Searcher(tic_tac_toe).think(game.state, playouts=10)


def test_thinks_for_a_time_and_is_interrupted(tic_tac_toe: Machine) -> None:
    searcher, state = Searcher(tic_tac_toe), Game.start(tic_tac_toe).state

    def interrupt(games: int, seconds: float) -> None:
        raise KeyboardInterrupt

    found = searcher.think(state, seconds=60, progress=interrupt, interruptible=True)
    assert found.playouts > 0
    with pytest.raises(KeyboardInterrupt):
        searcher.think(state, seconds=60, progress=interrupt)
    assert searcher.think(state, seconds=0.05).playouts > 1


def test_how_fast_the_end_of_a_game_was_says_nothing_of_the_next_one(tic_tac_toe: Machine) -> None:
    """Where a choice is proven at once, many games seem to take no time. The next thought is to end in time all the
    same: it begins with one game, and looks at the time before it plays more.
    """
    searcher, near = Searcher(tic_tac_toe), Game.start(tic_tac_toe)
    for cell in ("a1", "b1", "a2", "b2"):
        near.choose(f"Mark {cell}")
    for _ in range(20):
        assert searcher.think(near.state, seconds=5, settled=True).best.proven
    played: list[int] = []
    searcher.think(
        Game.start(tic_tac_toe).state, seconds=0.01, progress=lambda games, seconds: played.append(games)
    )
    assert played[0] == 1 and all(more <= 3 * less for less, more in pairwise(played))


SECRET = """
game guess:
    players red, blue
    rounds 2

table Suspect:
    | id    |
    | plum  |
    | green |
    | white |

state:
    culprit: Suspect, seen by blue
    clues: set of Suspect, seen by blue

state of Player:
    points: 0..9

setup:
    blue chooses culprit_now in Suspect
    culprit = culprit_now
    clues = {culprit_now}

action accuse(s: Suspect) by p:
    if s is culprit and clues has s: p.points gains 5

round:
    red chooses: accuse(s) for s in Suspect

victory p when round is 2 and p.points > 5
"""


def test_a_lone_secret_name_is_not_known(tmp_path: Path) -> None:
    """Whoever is the culprit, red finds the same: no world is drawn from what he does not see, names and sets alike."""
    machine = written(tmp_path, SECRET)
    searcher, found = Searcher(machine), []
    for culprit in range(3):
        game = Game.start(machine)
        game.choose(culprit)
        assert game.player == 0
        found.append(searcher.think(game.state, playouts=100, seed=5))
    assert found[0] == found[1] == found[2]
    assert found[0].worlds > 1


SEALED = """
game hands:
    players red, blue
    rounds 1

state:
    limit: 1..3 = 3

state of Player:
    wins: 0..9
    held: 0..9, seen by self

round:
    red, blue secretly choose n in 1..limit
    red.held = n[red]
    blue.held = n[blue]
    if n[red] is n[blue]: red.wins gains 1
    if n[red] is not n[blue]: blue.wins gains 1

victory red when red.wins > 0
victory blue when blue.wins > 0
"""


def test_what_another_has_answered_in_secret_is_not_known(tmp_path: Path) -> None:
    """Blue wins by answering something else than red: he finds the same whatever red has answered."""
    machine = written(tmp_path, SEALED)
    searcher, found = Searcher(machine), []
    for answer in range(3):
        game = Game.start(machine)
        game.choose(answer)
        assert game.player == 1
        found.append(searcher.think(game.state, playouts=600, seed=5))
    assert found[0] == found[1] == found[2]
    assert found[0].worlds > 1
    for each in found[0].options:
        assert 0.3 < each.expectation < 0.85, "no answer fits all worlds: each wins in two of three"
    drawn = Worlds(machine, search_module(machine).instance(SEARCHING)).drawn(list(game.state), 1, 5)
    assert drawn is not None
    frame, routine = game.state[TOP], machine.program.routines[0]
    at = frame + FRAME_HEAD + routine.offsets[0]
    assert {next(drawn)[at] for _ in range(40)} == {1, 2, 3}, "all that could be answered is drawn"


def test_who_answers_in_secret_is_not_seen_through(tmp_path: Path) -> None:
    """Red wins where blue answers the same, who does not know what red has answered: that is one game in three."""
    machine = written(tmp_path, SEALED)
    game = Game.start(machine)
    assert game.player == 0
    advice = Searcher(machine).think(game.state, playouts=3000, seed=2)
    assert all(0.2 < each.expectation < 0.5 for each in advice.options)
    with_three = SEALED.replace("players red, blue", "players red, blue, green").replace(
        "red, blue secretly", "red, green, blue secretly"
    )
    machine = written(tmp_path, with_three)
    advice = Searcher(machine).think(Game.start(machine).state, playouts=3000, seed=2)
    assert all(0.2 < each.expectation < 0.5 for each in advice.options)


def test_looks_one_choice_ahead_and_takes_any_of_equals(tmp_path: Path) -> None:
    machine = written(tmp_path, TAKE.format(worth=""))
    thinker, state = Thinker(machine), Game.start(machine).state
    taken = {thinker.choice("greedy", state, seed=seed, made=0) for seed in range(30)}
    assert len(taken) > 3
    assert taken == {thinker.choice("greedy", state, seed=seed, made=0) for seed in range(30)}


LOST = (
    TAKE.replace("rounds 4", "rounds 9")
    + """
victory blue when round is 4
"""
)


def test_what_a_position_is_worth_counts_though_the_game_is_lost(tmp_path: Path) -> None:
    """Where the author says it; else games are played on to the end, and red gets nothing."""
    for worth in ("", "value worth(p: Player) -> 0..99 = p.gold"):
        machine = written(tmp_path, LOST.format(worth=worth))
        options = Searcher(machine).think(Game.start(machine).state, playouts=60, seed=1).options
        most, least = options[4].expectation, options[9].expectation
        assert (most > least > 0) if worth else (most == least == 0)


GUESS = """
game guess:
    players ann, bob
    rounds 2

state:
    shown: 0..6{seen}

state of Player:
    mark: 0..9, seen by {who}
    points: 0..9

action roll by p: shown = roll 1d6
action wait by p: nothing
action name_it(n: 1..6) by p:
    if n is shown: p.points = 2

setup:
    for p in Player: p.mark = roll 1d6

round:
    if round is 1:
        ann chooses:
            wait
            roll
        ann chooses: name_it(n) for n in 1..6

victory ann when round is 2 and ann.points > 1
victory bob when round is 2 and ann.points < 1
"""


@pytest.mark.parametrize("who", ["all", "self"])
def test_chooses_by_what_a_die_shows(tmp_path: Path, who: str) -> None:
    """A die that is seen tells what wins, in a game with secrets too; one that nobody sees does not."""
    seen = written(tmp_path, GUESS.format(seen="", who=who))
    found = [each.expectation for each in Searcher(seen).think(Game.start(seen).state, playouts=3000).options]
    assert found[0] < 0.3
    assert found[1] > 0.85


def test_a_die_that_nobody_sees_tells_nothing(tmp_path: Path) -> None:
    machine = written(tmp_path, GUESS.format(seen=", seen by none", who="self"))
    found = Searcher(machine).think(Game.start(machine).state, playouts=3000).options
    assert all(each.expectation < 0.3 for each in found)


ALONE = """
game dig:
    players ann
    rounds 2

state of Player:
    gold: 0..20

value worth(p: Player) -> 0..20 = p.gold

action take(n: 0..10) by p: p.gold gains n

round:
    ann chooses: take(n) for n in {0, 5, 10}
"""


def test_a_lone_player_is_judged_by_the_range_of_what_it_is_worth(tmp_path: Path) -> None:
    machine = written(tmp_path, ALONE)
    options = Searcher(machine).compare(Game.start(machine).state).options
    assert [round(each.expectation, 6) for each in options] == [0.1, 0.3, 0.5]


def test_seats_of_those_who_play() -> None:
    """In a mode for two of three players, two kinds are enough; the third seat is nobody's."""
    program = load("green_conquest").program
    assert seats_of(program, ["greedy", "mcts"], out=0b1100) == ("greedy", "mcts", "random", "random")
    assert seats_of(program, ["greedy"], out=0b1100) == ("greedy",) * 4
    with pytest.raises(SeatError, match=r"2 players \(player_1, player_2\), and 3 are given"):
        seats_of(program, ["greedy", "mcts", "random"], out=0b1100)
    assert seats_of(program, ["greedy", "mcts", "random", "random"], out=0b1100) == (
        "greedy", "mcts", "random", "random",
    )  # fmt: skip
    with pytest.raises(SeatError, match="`player_3` has no seat in this game: player_1, player_2 play"):
        seats_of(program, ["greedy", "mcts", "greedy", "random"], out=0b1100)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("value worth(p: Player) -> 0..99 = p.gold", 0),
        ("value worth(p: Player) -> 0..9 = 1", 1),
        ("value worth(p: Player) -> 0..9 = round", 1),
        ("value worth(n: 1..3) -> 0..9 = n", 1),
        ("value worth -> 0..9 = 1", 1),
        ("value worth(p: Player) -> bool = true", 1),
        ("value worth(p: Player) -> Player = p", 1),
    ],
)
def test_tells_of_a_worth_that_nobody_reads(tmp_path: Path, value: str, told: int) -> None:
    path = tmp_path / "game.scn"
    path.write_text(TAKE.format(worth=value), encoding="utf-8")
    found = [each for each in compile_game(str(path)).diagnostics if each.code.value == "W0413"]
    assert len(found) == told
    assert not told or found[0].span.line == 9


SIGNS = """
game signs:
    players ann, bob, cid
    rounds 3
type Sign = rock | paper
state of Player:
    sign: Sign, seen by self
    points: 0..9
action show(s: Sign) by p: p.sign = s
action accuse(q: Player, s: Sign) by p:
    if q.sign is s: p.points gains 1
round:
    for p in order of play:
        p chooses: show(s) for s in Sign
    for p in order of play:
        p chooses: accuse(q, s) for q in Player where q is not p, s in Sign
victory p otherwise when every q in Player where q is not p satisfies p.points > q.points
"""

ROLES = """
game roles:
    players ann, bob, cid
    rounds 3
type Role = spy | guard | cook
state:
    left: set of Role = all r in Role, seen by none
state of Player:
    role: Role, seen by self
    points: 0..9
action accuse(q: Player) by p:
    if q.role is spy: p.points gains 1
setup:
    for p in Player:
        random r in left
        p.role = r
        left loses r
round:
    for p in order of play:
        p chooses: accuse(q) for q in Player where q is not p
victory p otherwise when every q in Player where q is not p satisfies p.points > q.points
"""


def test_how_many_have_chosen_the_same_is_not_known(tmp_path: Path) -> None:
    """What each has chosen in secret says nothing of the others: ann finds the same in all four cases."""
    machine = written(tmp_path, SIGNS)
    searcher, found = Searcher(machine), []
    for bob, cid in product(range(2), repeat=2):
        game = Game.start(machine)
        for sign in (0, bob, cid):
            game.choose(sign)
        assert game.player == 0
        found.append(searcher.think(game.state, playouts=200, seed=5))
    assert all(each == found[0] for each in found)


def test_what_is_shared_out_stays_so_in_every_world(tmp_path: Path) -> None:
    """Values are drawn anew only where they say nothing of each other: there is one spy in each world."""
    signs, roles = written(tmp_path, SIGNS), written(tmp_path, ROLES)
    assert [signs.program.vars[each].name for each in free_fields(signs.program)] == ["sign"]
    assert not free_fields(roles.program)
    game = Game.start(roles, seed=2)
    var = next(each for each in roles.program.vars if each.name == "role")
    secrets, chance = Secrets(roles), Generator(1)
    for _ in range(20):
        found = secrets.another(list(game.state), 0, chance)
        state = found[0] if found is not None else list(game.state)
        assert sorted(state[var.offset : var.offset + 3]) == [0, 1, 2]
