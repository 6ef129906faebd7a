"""What a player may not see changes nothing that he sees, over worlds that only differ in it; planted leaks show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dsl.compiler import compile_game
from dsl.engine import kinds, runtime, views
from dsl.engine.game import Game
from dsl.engine.log import Known
from dsl.engine.machine import Machine
from dsl.ir.nodes import Log, Refused, Stmt
from dsl.ir.program import Pool
from dsl.ir.walk import changed
from tests.figures.targets import Target
from tests.figures.worlds import SMALL as PROGRAMS
from tests.figures.worlds import Compared, compared, planted, secretive
from tests.soak import some

GAMES, POSITIONS = 2, 6
SHORTEST = 2
"""Some games are over before more positions were looked at."""
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
    "what is said later depends on a hand": "state:\n    beware: bool\n"
    "after wait when any c in hand(opponent(p)) where c is star: beware = true\n"
    'before play when beware: say "Beware"',
    "what a play does depends on a hand": "after play when any d in hand(opponent(p)) where d is moon: told = 1",
}


FIRST, LAST = 30, 8
"""Of games of a whole rulebook so many positions are compared, and so many games at most."""
VEILED = {
    "a rule takes effect by the other hand": "after wait when any c in hand(opponent(p)) where c is star: "
    "nothing  [house]",
    "an action is called by the other hand": "action omen: nothing  [house]\n"
    "after wait when any c in hand(opponent(p)) where c is star: omen",
    "a statement stands in a condition": "after wait:\n    if any c in hand(opponent(p)) where c is star:\n"
    "        told = told  [house]",
}
"""What only `why` would tell: it is not told to who does not see why."""


BLOCKS = """\
game blocks:
    players ann, bob
    rounds 3

map field on squares(4, 4)

table Sort:
    | id    | power | copies |
    | scout |     1 |      2 |
    | guard |     3 |      2 |

piece Block of Sort, copies each for each Player:
    owner: Player
    at: Cell?
    open: bool
    kind: Sort, seen by readers(self)

value readers(b: Block) -> set of Player = (all p in Player) if b.open else {b.owner}

state:
    told: 0..9
setup:
    for p in Player:
        for s in Sort:
            for n in 1..2:
                random c in Cell where not (c has Block)
                place s of p at c
action wait by p: nothing
action go(b: Block, c: Cell) by p "{b} goes to {c}":
    b.at = c
    say "{b} has come to {c}"
action point(b: Block) by p "At {b}": say "{p} points at {b}"
round:
    for p in order of play:
        p chooses "What now?":
            wait
            go(b, c) for b in Block, c in Cell where b.owner is p and distance(b, c) is 1 and not (c has Block)
            point(b) for b in Block where b.owner is not p
"""
BLABBED = {
    "a number counts the kinds of the other": "after go: "
    "told = count c in Block where c is guard and distance(b, c) is 1",
    "a rule asks of what kind a block is": "after point when b is guard: told = remainder(told + 1, 9)",
    "what is said later depends on a kind": "state:\n    beware: bool\n"
    "after go when any b in Block where b.owner is not p and b is guard and b.at in {a1, a2, a3, b1, b2, b3}: "
    "beware = true\n"
    'before go when beware: say "Beware"',
}


def written(folder: Path, name: str, text: str) -> Target:
    path = folder / f"{name}.scn"
    path.write_text(f"{text}\n", encoding="utf-8")
    target = Target(name, str(path))
    target.machine()  # ends the test where it does not compile
    return target


def blocks_of(folder: Path, more: str = "") -> Target:
    return written(folder, "blocks", f"{BLOCKS}{more}")


def hands_of(folder: Path, more: str = "") -> Target:
    return written(folder, "hands", f"{CARDS}{more}")


def blocks(folder: Path, more: str = "") -> Compared:
    return compared(blocks_of(folder, more), range(SMALL), POSITIONS)


def hands(folder: Path, more: str = "") -> Compared:
    return compared(hands_of(folder, more), range(SMALL), POSITIONS)


def leaks(target: Target) -> list[str]:
    """Those of the first of some games that has any; none where there is none in all of them."""
    games = (compared(target, range(seed, seed + 1), POSITIONS) for seed in range(SMALL))
    return next((found.leaks for found in games if found.leaks), [])


@pytest.mark.slow
def test_games_with_secrets_keep_them() -> None:
    chosen = secretive()
    assert {"me_ccg", "rebuttal"} <= {each.name for each in chosen}
    for target in some(chosen, 2):
        found = compared(target, range(GAMES), POSITIONS)
        assert found.leaks == []
        assert found.games == GAMES
        assert found.positions >= GAMES * SHORTEST
        assert found.after > found.positions / 2


def test_a_loop_over_hidden_cards_goes_through_as_many_in_each_world() -> None:
    target = Target("looped", str(PROGRAMS / "looped.scn"))
    for seed in range(6):
        found = compared(target, range(seed, seed + 1), 60)
        assert found.leaks == []
        assert found.after > POSITIONS


def unveiled(statement: Stmt) -> Stmt:
    """A statement that tells to all what it tells."""
    return replace(statement, veiled=()) if isinstance(statement, Log | Refused) else statement


class Unveiled(Target):
    """A program that tells what it has been told to veil."""

    def machine(self) -> Machine:
        program = super().machine().program
        procedures = (replace(each, body=changed(each.body, unveiled)) for each in program.procedures)
        routines = (
            replace(
                each,
                blocks=tuple(replace(block, body=changed(block.body, unveiled)) for block in each.blocks),
            )
            for each in program.routines
        )
        return Machine(replace(program, procedures=tuple(procedures), routines=tuple(routines)))


@pytest.mark.parametrize("name", ["auction", "bluff", "fog", "handed", "secretly", "teams"])
def test_what_is_told_without_a_veil_is_found(name: str) -> None:
    path = str(PROGRAMS / f"{name}.scn")
    assert any(": log: " in each for each in compared(Unveiled(name, path), range(GAMES), POSITIONS).leaks)
    assert compared(Target(name, path), range(GAMES), POSITIONS).leaks == []


def test_a_program_without_a_leak_has_none(tmp_path: Path) -> None:
    found = hands(tmp_path)
    assert found.leaks == []
    assert found.after > SMALL


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, tmp_path: Path) -> None:
    assert leaks(hands_of(tmp_path, LEAKS[leak]))


@pytest.mark.parametrize("target", some(planted(), 2), ids=lambda target: target.name)
def test_a_leak_planted_in_a_whole_game_is_found(target: Target) -> None:
    assert any(compared(target, range(seed, seed + 1), FIRST).leaks for seed in range(LAST))


@pytest.mark.parametrize("rule", VEILED)
def test_rules_that_take_effect_by_what_is_hidden_are_not_named(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hands(tmp_path, VEILED[rule]).leaks == []
    why = Game.why
    monkeypatch.setattr(Game, "why", lambda game, last=1, player=None: why(game, last))
    assert leaks(hands_of(tmp_path, VEILED[rule]))


def test_who_sees_why_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "hands.scn"
    text = f"{CARDS}state of Player:\n    mood: 0..3 = 2, seen by self\n"
    path.write_text(text + "after wait when p.mood is 2: nothing  [house, moody]\n", encoding="utf-8")
    program = compile_game(str(path)).program
    assert program is not None
    game = Game.start(Machine(program), seed=1, telling=True)
    game.choose(0)
    told = [[each.text.startswith("after wait") for each in game.why(player=player)] for player in (0, 1)]
    assert [any(each) for each in told] == [True, False]


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


def test_what_a_player_alone_is_told_is_no_leak_and_what_all_are_told_is(tmp_path: Path) -> None:
    path = PROGRAMS / "peek.scn"
    found = compared(Target("peek", str(path)), range(SMALL), POSITIONS)
    assert found.leaks == []
    assert found.drawn > SMALL
    seen = tmp_path / "peek.scn"
    seen.write_text(path.read_text(encoding="utf-8").replace(", seen by self", ""), encoding="utf-8")
    assert leaks(Target("peek", str(seen)))


def test_what_is_told_of_a_card_that_only_others_see_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("hands", str(PROGRAMS / "hands.scn"))
    assert compared(target, range(GAMES), POSITIONS).leaks == []
    named = runtime._named
    monkeypatch.setattr(runtime, "_named", lambda *given: named(*given[:-1], ()))
    assert any(": log: " in each for each in compared(target, range(GAMES), POSITIONS).leaks)


def test_pieces_whose_kind_is_hidden_cannot_be_told_apart(tmp_path: Path) -> None:
    found = blocks(tmp_path)
    assert found.leaks == []
    assert found.after > SMALL * 4


@pytest.mark.parametrize("leak", BLABBED)
def test_a_rule_that_gives_a_kind_away_is_found(leak: str, tmp_path: Path) -> None:
    assert leaks(blocks_of(tmp_path, BLABBED[leak]))


def test_what_is_told_of_a_kind_that_only_others_see_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(machine: Machine, *given: Any) -> tuple[Known, ...]:
        return tuple((piece, kind, -1) for piece, kind, _ in kinds.known_kinds(machine, *given))

    monkeypatch.setattr(Machine, "known_kinds", told)
    assert any(": log: " in each for each in leaks(blocks_of(tmp_path)))


def test_options_that_tell_a_kind_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(
        machine: Machine, state: list[int], pool: Pool, piece: int, viewer: int | None
    ) -> kinds.Member | None:
        return kinds.kind_of(machine.program, state, pool, piece)

    monkeypatch.setattr(kinds, "kind_seen", seen)
    assert any(": options: " in each for each in leaks(blocks_of(tmp_path)))
