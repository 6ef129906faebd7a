"""The log names a hidden card, or what is written in secret, only to those who see it."""

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

GAME = """game laying:
    players ann, bob
    rounds 2

type Colour = red | green

table Card:
    | id  | name en | copies |
    | ace | Ace     |      9 |

piece Sheet of Card, copies each

pile deck of Sheet, seen by none
pile hand of Sheet for each Player, seen by owner
pile down of Sheet for each Player, seen by owner
pile shown of Sheet

state of Player:
    plan: Colour?, seen by self

setup:
    for p in order of play: draw 2 from deck to hand(p)

action lay(c: Sheet) by p "lays {c}":
    need c in hand(p)
    move c to down(p)

action show(c: Sheet) by p "shows {c}":
    need c in hand(p)
    move c to shown

action hide(c: Sheet) by p "hides":
    need c in shown
    move c to deck
    say "{c} goes"
    shuffle deck
    say "{c} is somewhere"

action bury(c: Sheet) by p "buries {c}":
    move c to down(p)
    move c to deck
    shuffle deck
    draw size(deck) from deck to shown

action intend(c: Colour, q: Player) by p "against {q}: {c}":
    p.plan = c

round:
    ann repeatedly may:
        lay(c) for c in hand(ann)
        show(c) for c in hand(ann)
        hide(c) for c in shown
        bury(c) for c in hand(ann)
        intend(c, q) for c in Colour, q in Player
        pass
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    folder = tmp_path / "laying"
    folder.mkdir()
    (folder / "laying.scn").write_text(GAME)
    made = compile_game(str(folder))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return Game.start(Machine(made.program), seed=1, telling=True)


def _do(game: Game, words: str) -> tuple[list[str], list[str]]:
    """Chooses the first option that begins so; what the two players read of it."""
    begun = len(game.log)
    assert game.decision is not None
    game.choose(next(each for each in game.decision if each.label().startswith(words)))
    told = game.log[begun:]
    return [each.text("", 0) for each in told], [each.text("", 1) for each in told]


def test_a_card_that_is_laid_face_down_is_named_to_its_owner_alone(game: Game) -> None:
    assert _do(game, "lays") == (["lays Ace"], ["lays ?"])


def test_a_card_that_is_laid_open_is_named_to_all(game: Game) -> None:
    assert _do(game, "shows") == (["shows Ace"], ["shows Ace"])


def test_an_open_card_is_known_until_the_shuffle(game: Game) -> None:
    _do(game, "shows")
    assert _do(game, "hides")[1] == ["hides", "Ace goes", "? is somewhere"]


def test_what_is_written_in_secret_is_told_to_who_wrote_it(game: Game) -> None:
    assert _do(game, "against bob: green") == (["against bob: green"], ["against bob: ?"])


def test_another_view_never_names_the_card(game: Game) -> None:
    _do(game, "lays")
    assert game.view(1).told()[-1] == "lays ?"
    assert game.view(0).told()[-1] == "lays Ace"


def test_a_card_that_was_shuffled_away_is_not_named_where_it_turns_up(game: Game) -> None:
    own, others = _do(game, "buries")
    assert own[0] == "buries Ace"
    assert others[0] == "buries ?"
