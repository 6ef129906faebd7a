"""Who sees what lies in a pile that a set of players sees."""

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.views import may_see
from dsl.ir.types import Id

GAME = Path(__file__).parent / "good" / "seen_piles.scn"


def _seen(game: Game) -> dict[str, str]:
    """For each pile but the deck, by the first letters of their names those who see the card that lies there."""
    program, state = game.machine.program, list(game.state)
    (index, var) = next((n, each) for n, each in enumerate(program.vars) if each.role == "pile")
    assert isinstance(var.type, Id)
    piles = program.domains[var.type.domain].members
    players = program.domains[program.players].members
    found = {}
    for card in range(len(program.domains[var.of or 0].members)):
        pile = piles[state[var.offset + card]]
        if pile != "deck":
            eyes = (name[0] for n, name in enumerate(players) if may_see(game.machine, state, index, card, n))
            found[pile] = "".join(eyes)
    return found


def test_the_players_of_the_set_see_it() -> None:
    program = compile_game(str(GAME)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1)
    assert _seen(game) == {"hand(cid)": "ac", "pot": "ab", "flat": "abcd"}
    assert game.decision is not None
    game.choose(next(each for each in game.decision.options if each.label() == "Lay open"))
    assert _seen(game) == {"hand(cid)": "abcd", "pot": "ab", "flat": "abcd"}
