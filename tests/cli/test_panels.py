"""What stands beside the board without a line by the author: pieces, what holds them, hands, goals with progress."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.cli.goals import goals
from dsl.cli.state import Overview
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game camp:
    players red en "Red" fr "Rouge", blue en "Blue" fr "Bleu"
    rounds 4
map camp on squares(5, 1)
table Kind:
    | id    | name en | name fr | carries |
    | tank  | Tank    | Char    |       0 |
    | truck | Truck   | Camion  |       3 |
    | scout | Scout   | Guide   |       0 |
piece Unit of Kind, up to 6 each:
    owner: Player
    at: Cell?
    in: Unit? up to carries, when its holder leaves: take away self
    ready: bool, called en "ready" fr "prêt"
    damage: 0..9, called en "Damage" fr "Dégâts"
    plan: 0..9, called en "Plan", seen by self.owner
type Stage = begun en "only begun" fr "commencé"
value outline(u: Unit) -> Stage? = begun if u is scout else none
state of Player:
    score: 0..9
option enough: 1..9 = 5
setup:
    place tank of red at a1 with ready = true, damage = 2
    place tank of red at b1 with ready = true
    place truck of red at c1 with ready = true as carrier
    place tank of red in carrier
    place scout of blue at d1 with ready = true, plan = 3
    place tank of blue at e1 with ready = true as lost
    lost.at = none
round:
    for p in order of play:
        p chooses:
            raise_it(2)
            raise_it(3)
action raise_it(n: 2..3) by p: p.score gains n
victory p en "points" fr "des points" when p.score >= enough
defeat p en "fewer points" when p.score < 1 and round > 3
"""
SEVERAL_OFF = GAME.replace(
    "round:", "    place scout of blue at e1 with ready = true as gone\n    gone.at = none\nround:", 1
)
GONE = Path(__file__).parents[1] / "browser" / "games" / "gone.scn"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("camp") / "camp.scn"
    path.write_text(GAME, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return Game.start(Machine(made.program), seed=0)


def pieces(game: Game, viewer: int, language: str) -> list[str]:
    return list(Overview(game.machine, list(game.state), viewer, language).pieces_told())


def test_own_pieces_are_told_with_where_they_are_and_each_truth_that_holds(game: Game) -> None:
    assert pieces(game, 0, "en") == [
        "Pieces (Red): 3 Tank (a1, ready, Damage 2; b1, ready; in Truck), Truck (c1, ready)",
        "Pieces (Blue): Tank (off the board, ready), Scout (d1, only begun, ready)",
    ]
    assert pieces(game, 1, "fr") == [
        "Pièces (Bleu) : Char (hors du plateau, prêt), Guide (d1, commencé, prêt, Plan 3)",
        "Pièces (Rouge) : 3 Char (a1, prêt, Dégâts 2; b1, prêt), Camion (c1, prêt)",
    ]


def test_what_is_off_the_board_is_said_once(tmp_path: Path) -> None:
    """Where it is true of several kinds; of one, behind it."""
    path = tmp_path / "camp.scn"
    path.write_text(SEVERAL_OFF, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None
    off = Game.start(Machine(made.program), seed=0)
    assert pieces(off, 1, "fr")[0] == (
        "Pièces (Bleu) : Guide (d1, commencé, prêt, Plan 3), hors du plateau : Char (prêt), Guide (commencé, prêt)"
    )


def test_goals_say_how_far_a_player_has_come(game: Game) -> None:
    assert list(goals(game.machine, game.state, 0, "en")) == [
        "victory: points (0 / 5)",
        "defeat: fewer points (0 → 0)",
    ]


def test_a_number_that_is_to_be_gone_says_nothing_while_it_is() -> None:
    """The next one that an ending asks about is told in its place."""
    made = compile_game(str(GONE))
    assert made.program is not None, [each.message for each in made.diagnostics]
    game = Game.start(Machine(made.program), seed=0)
    assert list(goals(game.machine, game.state, 0, "en")) == [
        "victory: free (Gold 0 / 4) · rid of debts (Round 1 / 9) · frugal"
    ]
    game.choose(0)
    assert list(goals(game.machine, game.state, 0, "en")) == [
        "victory: free (Debts 1 → 0) · rid of debts (Debts 1 → 0) · frugal (Debts 1 → 0)"
    ]


LIMITS = """game limits:
    players ann
    rounds 9
state:
    gold: 0..9, called en "Gold" fr "Or"
round:
    ann chooses:
        dig
        rest
action dig by p: gold gains 1
action rest by p: nothing
victory ann en "rich in time" when gold >= 2 and round <= 2
victory ann en "brilliant" when round <= 2 and gold > 3
victory ann en "patient" when round > 8
"""


def test_goals_say_what_is_counted_and_fall_silent_when_their_round_is_over(tmp_path: Path) -> None:
    path = tmp_path / "limits.scn"
    path.write_text(LIMITS, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None
    game = Game.start(Machine(made.program), seed=0)
    told = ["victory: rich in time (Gold 0 / 2) · brilliant (Round 1 / 2) · patient (Round 1 / 9)"]
    assert list(goals(game.machine, game.state, 0, "en")) == told
    for _ in range(2):
        game.choose(1)
    assert list(goals(game.machine, game.state, 0, "en")) == ["victory: patient (Round 3 / 9)"]
    assert list(goals(game.machine, game.state, 0, "fr")) == ["victoire : patient (Tour 3 / 9)"]


MARKET = """game market:
    players ann, bob
    rounds 1
table Kind:
    | id    | name en | copies |
    | knave | Knave   |      9 |
piece Card of Kind, copies each
pile deck of Card, seen by none, called "Deck"
pile lot of Card, called "On offer"
pile hand of Card for each Player, seen by owner, called "Hand"
setup:
    draw 2 from deck to lot
    for p in Player: draw 1 from deck to hand(p)
action pass_on by p: nothing
action bid by p: nothing
round:
    ann chooses:
        bid
        pass_on
"""


def test_a_short_open_pile_of_nobody_is_told(tmp_path: Path) -> None:
    """Whoever bids sees what is on offer."""
    path = tmp_path / "market.scn"
    path.write_text(MARKET, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None
    game = Game.start(Machine(made.program), seed=0)
    told = list(Overview(game.machine, list(game.state), 0, "en").piles_of_players())
    assert told == ["Hand (ann): 1 (Knave)", "On offer: 2 (2 Knave)"]


SHARES = """game shares:
    players ann, bob
    rounds 9
option length: short | long = short "Length"
state of Player:
    points: 0..9
    bar: 0..9 = 5
value needed(p: Player) -> 0..9 = 2 + bonus(p) if p is ann else 4
value bonus(p: Player) -> 0..2 = 0
modify bonus: +1 when length is long
round:
    for p in order of play:
        p chooses:
            score
            raise_bar
action score by p: p.points gains 1
action raise_bar by p: p.bar gains 1
victory p en "rich" when p.points >= needed(p)
victory p en "above the bar" when p.points > p.bar
"""


def test_what_the_settings_decide_for_each_player_is_a_fixed_aim(tmp_path: Path) -> None:
    path = tmp_path / "shares.scn"
    path.write_text(SHARES, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    machine = Machine(made.program)
    state = list(Game.start(machine, seed=0).state)
    assert list(goals(machine, state, 0, "en")) == ["victory: rich (0 / 2) · above the bar (0 : 5)"]
    assert list(goals(machine, state, 1, "en")) == ["victory: rich (0 / 4) · above the bar (0 : 5)"]
    state = list(Game.start(machine, seed=0, options={"length": "long"}).state)
    assert list(goals(machine, state, 0, "en")) == ["victory: rich (0 / 3) · above the bar (0 : 5)"]
