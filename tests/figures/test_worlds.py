"""What a player may not see changes nothing that he sees, over worlds that only differ in it; planted leaks show."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine import views
from dsl.engine.machine import Machine
from tests.figures.targets import Target
from tests.figures.worlds import Compared, compared, secretive

GAMES, POSITIONS = 3, 8
SMALL = 25

CARDS = """\
game hands:
    players ann, bob
    rounds 3

table Sort:
    | id   | copies |
    | star |      5 |
    | moon |      5 |

piece Card of Sort, copies each for each Player:
    owner: Player
pile deck of Card for each Player, seen by none
pile hand of Card for each Player, seen by owner
pile used of Card for each Player

state:
    told: 0..9
setup:
    for p in Player:
        shuffle deck(p)
        draw 4 from deck(p) to hand(p)
action wait by p: nothing
action play(c: Card) by p "Play {c}":
    move c to used(p)
round:
    for p in order of play:
        p chooses:
            wait
            play(c) for c in hand(p)
"""
LEAKS = {
    "a number counts the other hand": "after wait: told = count c in hand(opponent(p)) where c is star",
    "a rule asks what lies in a deck": "after wait when (count c in deck(p) where c is star) > 2: told = 1",
    "what is said depends on a hand": 'after wait when any c in hand(opponent(p)) where c is star: say "Beware"',
    "what a play does depends on a hand": "after play when any d in hand(opponent(p)) where d is moon: told = 1",
}


def hands(folder: Path, more: str = "") -> Compared:
    path = folder / "hands.scn"
    path.write_text(f"{CARDS}{more}\n", encoding="utf-8")
    assert compile_game(str(path)).program is not None
    return compared(Target("hands", str(path)), range(SMALL), POSITIONS)


def test_games_with_secrets_keep_them() -> None:
    chosen = secretive()
    assert {"me_ccg", "rebuttal"} <= {each.name for each in chosen}
    for target in chosen:
        found = compared(target, range(GAMES), POSITIONS)
        assert found.leaks == []
        assert found.games == GAMES
        assert found.positions >= GAMES * POSITIONS
        assert found.after > found.positions / 2


def test_a_program_without_a_leak_has_none(tmp_path: Path) -> None:
    found = hands(tmp_path)
    assert found.leaks == []
    assert found.after > SMALL


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, tmp_path: Path) -> None:
    assert hands(tmp_path, LEAKS[leak]).leaks


def test_a_view_that_shows_too_much_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(machine: Machine, state: list[int], index: int, member: int, player: int) -> views.Seen:
        return state[machine.program.vars[index].offset + member * machine.program.vars[index].width]

    monkeypatch.setattr(views, "_seen", shown)
    found = hands(tmp_path)
    assert len(found.leaks) == found.positions


def test_what_a_player_draws_is_no_leak_in_whatever_order(tmp_path: Path) -> None:
    found = hands(tmp_path, "after wait: draw 5 from deck(p) to hand(p)")
    assert found.leaks == []
    assert found.drawn > SMALL
